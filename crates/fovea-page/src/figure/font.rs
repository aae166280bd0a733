//! The embedded fonts: glyph widths for the layout, `@font-face` rules for SVG, TTF data for the rasteriser.

use std::fmt::Write;
use std::sync::OnceLock;

/// The family list every text refers to.
pub(crate) const FAMILY: &str = "Inter,'Noto Sans Math',Helvetica,Arial,sans-serif";

/// A face of the figure font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// Upright text.
    Regular,
    /// Titles and panel letters.
    SemiBold,
    /// Variables.
    Italic,
}

/// What the rasteriser loads: exactly these, never a system font.
pub(super) const TTF: [&[u8]; 4] = [
    include_bytes!("../../assets/fonts/Inter-Regular.ttf"),
    include_bytes!("../../assets/fonts/Inter-SemiBold.ttf"),
    include_bytes!("../../assets/fonts/Inter-Italic.ttf"),
    include_bytes!("../../assets/fonts/NotoSansMath-Regular.ttf"),
];

/// Family, weight, slope and data.
type WebFace = (&'static str, u32, &'static str, &'static [u8]);

const WEB: [WebFace; 4] = [
    ("Inter", 400, "normal", include_bytes!("../../assets/fonts/Inter-Regular.woff2")),
    ("Inter", 600, "normal", include_bytes!("../../assets/fonts/Inter-SemiBold.woff2")),
    ("Inter", 400, "italic", include_bytes!("../../assets/fonts/Inter-Italic.woff2")),
    (
        "Noto Sans Math",
        400,
        "normal",
        include_bytes!("../../assets/fonts/NotoSansMath-Regular.woff2"),
    ),
];

/// The `@font-face` rules of the figure font, with the data inside.
pub(crate) fn face_css() -> String {
    WEB.iter()
        .map(|(family, weight, slope, data)| font_face(family, *weight, slope, data))
        .collect()
}

/// One `@font-face` rule carrying WOFF2 data.
pub(crate) fn font_face(family: &str, weight: u32, slope: &str, woff2: &[u8]) -> String {
    let mut rule = format!(
        "@font-face{{font-family:'{family}';font-weight:{weight};font-style:{slope};\
         src:url(data:font/woff2;base64,"
    );
    push_base64(&mut rule, woff2);
    let _ = writeln!(rule, ") format('woff2')}}");
    rule
}

fn push_base64(out: &mut String, data: &[u8]) {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for chunk in data.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let letter = ALPHABET[(word >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
}

/// The advance width of a character, in em. A character outside the subset counts as 0.6.
pub(super) fn advance(c: char, face: Face) -> f64 {
    let table = advances();
    match table.binary_search_by_key(&c, |row| row.0) {
        Ok(i) => f64::from(table[i].1[face as usize]) / 1000.0,
        Err(_) => 0.6,
    }
}

fn advances() -> &'static [(char, [u16; 3])] {
    static TABLE: OnceLock<Vec<(char, [u16; 3])>> = OnceLock::new();
    TABLE.get_or_init(|| {
        include_str!("../../assets/fonts/advances.tsv").lines().filter_map(parse_row).collect()
    })
}

fn parse_row(line: &str) -> Option<(char, [u16; 3])> {
    let mut fields = line.split('\t');
    let c = char::from_u32(u32::from_str_radix(fields.next()?, 16).ok()?)?;
    let mut width = || fields.next()?.parse().ok();
    Some((c, [width()?, width()?, width()?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads_like_the_standard_says() {
        let encode = |data: &[u8]| {
            let mut out = String::new();
            push_base64(&mut out, data);
            out
        };
        assert_eq!(encode(b"foobar"), "Zm9vYmFy");
        assert_eq!(encode(b"fooba"), "Zm9vYmE=");
        assert_eq!(encode(b"foob"), "Zm9vYg==");
    }

    #[test]
    fn the_subset_covers_what_labels_use() {
        let table = advances();
        assert!(table.is_sorted_by_key(|row| row.0));
        for c in "Aa0 −×·±≈≤≥∞√∑∂αβγδλμξπρστφωΓΔΘΛΣΦΨΩ⁰¹²³⁴⁻₀₁₂∝⟨⟩⊤∇∈‖ℓ→…–’".chars()
        {
            assert!(table.binary_search_by_key(&c, |row| row.0).is_ok(), "{c:?}");
        }
    }
}
