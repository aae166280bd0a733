use resvg::usvg::roxmltree;

use super::*;

fn steps(n: u32) -> Vec<f64> {
    (1..=n).map(f64::from).collect()
}

fn plain(marks: impl IntoIterator<Item = Mark>) -> Figure {
    let panel = Panel::new("title", Axis::new("$x$"), Axis::new("$y_k$")).with_all(marks);
    Figure::new("Golden").width(320.0).panel(panel)
}

fn field(map: ColorMap) -> Mark {
    let mut values: Vec<f64> = (0..12).map(|i| f64::from(i) - 4.0).collect();
    values[5] = f64::NAN;
    let (x_range, y_range) = ((0.0, 4.0), (0.0, 3.0));
    Mark::Heat(Heat {
        values,
        rows: 3,
        cols: 4,
        x_range,
        y_range,
        map,
        limits: None,
        bar: Some("$w$".to_owned()),
    })
}

/// One small figure for each kind of mark.
fn golden() -> Vec<(&'static str, Figure)> {
    let x = steps(8);
    let mut y: Vec<f64> = x.iter().map(|x| x * x / 10.0).collect();
    let error = vec![0.4; 8];
    let (low, high): (Vec<f64>, Vec<f64>) = y.iter().map(|y| (y - 1.0, y + 1.0)).unzip();
    let points = plain([Mark::measured(&x, &y, &error, "measured", Style::series(1))]);
    let band = plain([
        Mark::band(&x, &low, &high, "mean", Style::series(0)),
        Mark::line(&x, &y, "mean", Style::series(0)),
        Mark::Horizontal { at: 3.0, label: "limit".to_owned(), style: Style::theory() },
        Mark::Vertical { at: 4.0, label: "split".to_owned(), style: Style::guide() },
    ]);
    let bars = plain([Mark::Bars {
        x: x.clone(),
        height: y.clone(),
        width: 0.8,
        label: "n".to_owned(),
        style: Style::series(2),
    }]);
    y[3] = f64::NAN;
    let mut line =
        plain((0..3).map(|i| Mark::line(&x, &y, format!("$g = {i}$"), Style::ordered(i, 3))));
    line.panels[0] = line.panels[0].clone().label_ends();
    line.panels[0].y = Axis::new("$y_k$").log();
    let heat = plain([field(ColorMap::Diverging)]);
    vec![("line", line), ("points", points), ("band", band), ("bars", bars), ("heat", heat)]
}

#[test]
fn golden_figures_keep_their_bytes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/figure/golden");
    for (name, figure) in golden() {
        let path = format!("{folder}/{name}.svg");
        if std::env::var_os("FOVEA_BLESS").is_some_and(|bless| bless == "1") {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(&path, figure.svg_bare()).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        let drawn = figure.svg_bare();
        let differs = stored.lines().zip(drawn.lines()).find(|(a, b)| a != b);
        assert!(
            stored == drawn,
            "{path} differs, first at {differs:?}\n\nhint: look, then FOVEA_BLESS=1"
        );
    }
}

/// What every SVG must satisfy: it is XML, and every number in it is finite.
fn check(figure: &Figure) -> String {
    let svg = figure.svg_bare();
    roxmltree::Document::parse(&svg).unwrap();
    for word in ["NaN", "inf", "e-", "e+"] {
        let numbers = svg.split('"').filter(|part| part.starts_with(['M', '0', '-', 'm']));
        assert!(numbers.into_iter().all(|part| !part.contains(word)), "{word}");
    }
    svg
}

#[test]
fn awkward_data_is_drawn_without_a_number_that_is_none() {
    let nan = f64::NAN;
    let cases: [(&[f64], &[f64]); 8] = [
        (&[], &[]),
        (&[1.0], &[2.0]),
        (&[nan, nan], &[1.0, nan]),
        (&[3.0; 5], &[3.0; 5]),
        (&[0.0, 1.0, 2.0], &[0.0; 3]),
        (&[1.0, 2.0, 3.0], &[f64::INFINITY, -1e308, 1e308]),
        (&[-1.0, 0.0, 1e-300], &[1e-310, -5.0, 1e300]),
        (&[1.0, 2.0], &[5.0]),
    ];
    for (x, y) in cases {
        for log in [false, true] {
            let axis = |label: &str| if log { Axis::new(label).log() } else { Axis::new(label) };
            let panel = Panel::new("", axis("x"), axis("y"))
                .with(Mark::line(x, y, "a", Style::series(0)))
                .with(Mark::measured(x, y, y, "b", Style::series(1)))
                .with(Mark::band(x, y, x, "c", Style::series(2)))
                .with(Mark::Bars {
                    x: x.to_vec(),
                    height: y.to_vec(),
                    width: nan,
                    label: "d".to_owned(),
                    style: Style::series(3),
                })
                .with(Mark::Vertical { at: nan, label: "e".to_owned(), style: Style::guide() })
                .with(Mark::Horizontal { at: nan, label: "f".to_owned(), style: Style::guide() });
            check(&Figure::new("t").panel(panel.clone()));
            check(&Figure::new("t").panel(panel.label_ends()).width(nan).aspect(nan));
        }
    }
}

#[test]
fn odd_fields_are_drawn_or_left_out() {
    for (values, rows, cols) in
        [(vec![], 0, 0), (vec![f64::NAN; 4], 2, 2), (vec![0.0; 4], 2, 2), (vec![1.0; 3], 2, 2)]
    {
        for map in [ColorMap::Diverging, ColorMap::Sequential] {
            let (x_range, y_range) = ((0.0, 2.0), (0.0, 2.0));
            let bar = Some("w".to_owned());
            check(&plain([Mark::Heat(Heat {
                values: values.clone(),
                rows,
                cols,
                x_range,
                y_range,
                map,
                limits: None,
                bar,
            })]));
        }
    }
}

#[test]
fn a_gap_breaks_the_line() {
    let y = [1.0, 2.0, f64::NAN, 4.0, 5.0];
    let svg = check(&plain([Mark::line(&steps(5), &y, "", Style::series(0))]));
    let path = svg.lines().find(|line| line.contains("stroke=\"#0072b2\"")).unwrap();
    assert_eq!(path.matches('M').count(), 2, "{path}");
}

#[test]
fn a_log_axis_leaves_out_what_is_not_positive() {
    let panel = Panel::new("", Axis::new("x"), Axis::new("y").log());
    let y = [-1.0, 0.0, 10.0, 100.0, 1000.0];
    let svg = check(&Figure::new("").panel(panel.with(Mark::points(
        &steps(5),
        &y,
        "",
        Style::series(0),
    ))));
    let path = svg.lines().find(|line| line.contains("fill=\"#0072b2\"")).unwrap();
    assert_eq!(path.matches('M').count(), 3, "{path}");
}

#[test]
fn markup_characters_in_labels_are_text() {
    let nasty = "a<b> & \"c\" </text><script>";
    let panel = Panel::new(nasty, Axis::new(nasty), Axis::new(nasty)).note(nasty).with(Mark::line(
        &steps(2),
        &steps(2),
        nasty,
        Style::series(0),
    ));
    let svg = check(&Figure::new(nasty).subtitle(nasty).description(nasty).panel(panel));
    assert!(!svg.contains("<script"));
    assert!(svg.contains("a&lt;b&gt; &amp; &quot;c&quot;"));
}

#[test]
fn shared_axes_have_one_range_and_inner_ones_no_numbers() {
    let panel = |top: f64| {
        Panel::new("", Axis::new("x"), Axis::new("height").share(1)).with(Mark::line(
            &[0.0, 1.0],
            &[0.0, top],
            "",
            Style::series(0),
        ))
    };
    let figure = Figure::new("").columns(2).panel(panel(1.0)).panel(panel(50.0));
    assert_eq!(check(&figure).matches(">height<").count(), 1);
    let page = layout::layout(&figure);
    assert_eq!(page.frames[0].y_scale().ends(), page.frames[1].y_scale().ends());
    let fixed = |low: f64, high: f64| {
        Panel::new("", Axis::new("x"), Axis::new("height").range(low, high).share(1))
    };
    let figure = Figure::new("").columns(2).panel(fixed(0.0, 1.0)).panel(fixed(-0.5, 0.5));
    let page = layout::layout(&figure);
    assert!(page.frames.iter().all(|frame| frame.y_scale().ends() == (-0.5, 1.0)));
}

#[test]
fn every_text_stays_on_the_page() {
    for (name, figure) in golden() {
        let svg = figure.svg_bare();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let number = |node: roxmltree::Node, key: &str| -> f64 {
            node.attribute(key).unwrap().parse().unwrap()
        };
        let (width, height) =
            (number(document.root_element(), "width"), number(document.root_element(), "height"));
        for node in document
            .descendants()
            .filter(|n| n.has_tag_name("text") && !n.has_attribute("transform"))
        {
            let text: String =
                node.descendants().filter_map(|n| n.text().filter(|_| n.is_text())).collect();
            let wide = text::width(&text, number(node, "font-size"), false);
            let left = number(node, "x")
                - wide
                    * match node.attribute("text-anchor") {
                        Some("middle") => 0.5,
                        Some("end") => 1.0,
                        _ => 0.0,
                    };
            assert!(left >= 0.0 && left + wide <= width, "{name}: {text}");
            assert!((8.0..height).contains(&number(node, "y")), "{name}: {text}");
        }
    }
}

#[test]
fn measured_widths_are_those_of_the_drawn_text() {
    let source = "Handgloves at the wavenumber 0.125";
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='40'><rect x='0' y='0' width='{}' height='9'/>\
         <text x='0' y='35' font-family='Inter' font-size='20'>{source}</text></svg>",
        text::width(source, 20.0, false)
    );
    let tree = raster::tree(&svg).unwrap();
    let widths: Vec<f32> =
        tree.root().children().iter().map(|node| node.bounding_box().width()).collect();
    assert!((widths[0] / widths[1] - 1.0).abs() < 0.03, "{widths:?}");
}

#[test]
fn a_figure_carries_its_font_once_and_stays_small() {
    let svg = plain([]).svg();
    assert_eq!(svg.matches("@font-face").count(), 4);
    assert!(svg.len() < 120_000, "{}", svg.len());
    assert!(plain([]).png(1.0).unwrap().len() > 100);
}
