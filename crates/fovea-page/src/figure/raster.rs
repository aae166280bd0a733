//! PNG from SVG, with the embedded font and nothing from the system.

use std::sync::{Arc, OnceLock};

use resvg::{tiny_skia, usvg};

use super::font;

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// The text is not SVG that can be drawn.
    #[error("the SVG cannot be read: {reason}")]
    Unreadable {
        /// What the parser said.
        reason: String,
    },
    /// The picture would have no pixels, or more than memory should hold.
    #[error(
        "a picture of {width} by {height} pixels cannot be made\n\nhint: give a scale between 0.1 and 10"
    )]
    Size {
        /// Width asked for, in pixels.
        width: f32,
        /// Height asked for, in pixels.
        height: f32,
    },
    /// The image could not be encoded.
    #[error("the PNG cannot be written: {reason}")]
    Encoding {
        /// What the encoder said.
        reason: String,
    },
}

/// The longest side of a picture, in pixels.
const LARGEST: f32 = 20_000.0;

/// Draws SVG into a PNG, `scale` pixels of image to a pixel of SVG.
///
/// # Errors
/// Where `svg` cannot be read, or the picture would be empty or longer than 20 000 pixels.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, FigureError> {
    let tree = tree(svg)?;
    let (width, height) =
        ((tree.size().width() * scale).ceil(), (tree.size().height() * scale).ceil());
    if !(1.0..=LARGEST).contains(&width) || !(1.0..=LARGEST).contains(&height) {
        return Err(FigureError::Size { width, height });
    }
    let mut image = tiny_skia::Pixmap::new(width as u32, height as u32)
        .ok_or(FigureError::Size { width, height })?;
    image.fill(tiny_skia::Color::WHITE);
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut image.as_mut());
    image.encode_png().map_err(|error| FigureError::Encoding { reason: error.to_string() })
}

/// The SVG as the rasteriser sees it.
pub(super) fn tree(svg: &str) -> Result<usvg::Tree, FigureError> {
    let options = usvg::Options {
        font_family: "Inter".to_owned(),
        fontdb: fonts(),
        ..usvg::Options::default()
    };
    usvg::Tree::from_str(svg, &options)
        .map_err(|error| FigureError::Unreadable { reason: error.to_string() })
}

fn fonts() -> Arc<usvg::fontdb::Database> {
    static FONTS: OnceLock<Arc<usvg::fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut fonts = usvg::fontdb::Database::new();
        for face in font::TTF {
            fonts.load_font_source(usvg::fontdb::Source::Binary(Arc::new(face)));
        }
        fonts.set_sans_serif_family("Inter");
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'>\
                          <rect width='10' height='10' fill='#0072b2'/></svg>";

    #[test]
    fn the_png_has_the_size_asked_for() {
        let data = png(SQUARE, 3.0).unwrap();
        assert_eq!(&data[1..4], b"PNG");
        assert_eq!(data[16..24], [0, 0, 0, 30, 0, 0, 0, 30]);
    }

    #[test]
    fn text_is_drawn_with_the_embedded_font() {
        let text = SQUARE
            .replace("<rect width='10' height='10' fill='#0072b2'/>", "<text y='9'>ξ⟨</text>");
        let blank = SQUARE.replace("<rect width='10' height='10' fill='#0072b2'/>", "");
        assert_ne!(png(&text, 4.0).unwrap(), png(&blank, 4.0).unwrap());
    }

    #[test]
    fn bad_requests_are_refused() {
        assert!(matches!(png("<svg", 1.0), Err(FigureError::Unreadable { .. })));
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e6] {
            assert!(matches!(png(SQUARE, scale), Err(FigureError::Size { .. })), "{scale}");
        }
    }
}
