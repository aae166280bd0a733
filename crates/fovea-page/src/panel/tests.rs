//! What every named panel keeps to, on all of its examples.

use super::{ALL, guide_at_x, guide_at_y, lines, series, xy};
use crate::figure::faults::{faults, words};
use crate::figure::{Axis, Figure, Mark, Panel, Style};

/// No fault.
const NONE: [&str; 0] = [];

/// A panel as it stands in figures: alone, and three in a row.
fn figures(panel: &Panel) -> [Figure; 2] {
    let figure = Figure::new("Figure").subtitle("what it shows").panel(panel.clone());
    let three = figure.clone().columns(3).width(1080.0).panel(panel.clone()).panel(panel.clone());
    [figure, three]
}

/// Every example, with the name of its panel. They are drawn into the folder `FOVEA_GALLERY`, where that is set.
fn examples() -> Vec<(String, Panel)> {
    let of = |entry: &&super::Entry| {
        let name = entry.name;
        let examples = (entry.examples)().into_iter().enumerate();
        examples.map(move |(i, (what, panel))| (format!("{name}-{i}-{what}"), panel))
    };
    ALL.iter().flat_map(of).collect()
}

#[test]
fn no_panel_cuts_data_off_or_sets_words_over_anything() {
    let mut found = Vec::new();
    for (name, panel) in examples() {
        for (figure, size) in figures(&panel).into_iter().zip(["alone", "of three"]) {
            found
                .extend(faults(&figure).into_iter().map(|fault| format!("{name} {size}: {fault}")));
            if let Some(folder) = std::env::var_os("FOVEA_GALLERY") {
                let path = std::path::Path::new(&folder).join(format!("{name}-{size}.png"));
                std::fs::write(path, figure.png(1.0).unwrap()).unwrap();
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_panel_is_named_after_its_file_and_has_examples() {
    for (entry, file) in ALL.iter().zip(super::LISTED.files) {
        assert_eq!(entry.name, *file);
        assert!((entry.examples)().len() > 3 && entry.summary.len() > 20, "{file}");
    }
}

#[test]
fn labels_of_lines_at_a_value_keep_apart_and_on_the_page() {
    let x = [0.0, 1.0, 2.0, 3.0];
    let long = "a label of many words that says at length what happens here";
    let mut panel = lines("lines at values", "x", "y", series([("a", xy(&x, x))])).label_ends();
    for (i, at) in [0.1, 0.15, 1.9, 2.8, 2.9].into_iter().enumerate() {
        panel = panel.with(guide_at_x(at, format!("value {i} of several")));
        panel =
            panel.with(guide_at_y(at, if i < 2 { long.to_owned() } else { format!("level {i}") }));
    }
    for figure in figures(&panel) {
        assert_eq!(faults(&figure), NONE);
    }
}

#[test]
fn numbers_that_are_not_finite_are_gaps() {
    for (name, panel) in examples().into_iter().filter(|(name, _)| name.contains("gaps")) {
        let svg = Figure::new("").panel(panel).svg_bare();
        let numbers = svg.split('"').filter(|part| part.starts_with(['M', '0', '-', 'm']));
        for part in numbers {
            assert!(!part.contains("NaN") && !part.contains("inf"), "{name}: {part}");
        }
    }
}

#[test]
fn what_is_bad_is_refused() {
    let x = [0.0, 1.0, 2.0];
    let good = || {
        lines("good", Axis::new("x"), Axis::new("y"), series([("a", xy(&x, x)), ("b", xy(&x, x))]))
    };
    let of = |panel: Panel| faults(&Figure::new("bad").panel(panel));
    assert_eq!(of(good()), NONE);
    let mut narrow = good();
    narrow.y = narrow.y.range(0.0, 1.5);
    assert_eq!(of(narrow.clone()), ["data of `a` are cut off", "data of `b` are cut off"]);
    assert_eq!(of(narrow.holding_all()), NONE);
    let color = Style { color: Style::series(3).color, ..Style::series(0) };
    let twin = good().with(Mark::line(&x, &x, "c", color));
    assert_eq!(of(twin), ["only colour tells `c` from `a`"]);
    // Words where a panel cannot set them: over the plot, over the title, off the page.
    let svg = Figure::new("bad").panel(good()).svg_bare();
    let with = |x: u32, y: u32| {
        let text = format!("<text x=\"{x}\" y=\"{y}\" font-size=\"11\">word</text></svg>");
        let svg = svg.trim_end().strip_suffix("</svg>").map(|head| format!("{head}{text}"));
        words(&svg.unwrap(), &[(80.0, 120.0, 600.0, 400.0)], (720.0, 600.0))
    };
    assert_eq!(with(300, 200), ["`word` lies over a plot"]);
    assert_eq!(with(20, 30), ["`word` lies over `bad`"]);
    assert_eq!(with(710, 590), ["`word` leaves the page"]);
}
