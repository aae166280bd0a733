use super::*;
use fovea_page::figure::{Axis, ColorMap, Figure, Heat, Mark, Panel, Style};
use fovea_page::report::Block;

fn field(rows: usize, cols: usize, map: ColorMap, limits: Option<(f64, f64)>) -> Mark {
    let mut values: Vec<f64> = (0..rows * cols).map(|i| libm::sin(0.37 * i as f64)).collect();
    values[3] = f64::NAN;
    values[7] = f64::INFINITY;
    let (x_range, y_range) = ((0.0, cols as f64), (0.0, rows as f64));
    Mark::Heat(Heat { values, rows, cols, x_range, y_range, map, limits, bar: Some("$w$".into()) })
}

/// A report with every kind of block, and figures with every kind of mark, axis and gap.
fn everything() -> Report {
    let x: Vec<f64> = (1..=30).map(f64::from).collect();
    let mut y: Vec<f64> = x.iter().map(|x| libm::exp(-0.3 * x) / 3.0).collect();
    let error: Vec<f64> = y.iter().map(|y| 0.1 * y).collect();
    (y[4], y[9], y[20]) = (f64::NAN, f64::INFINITY, f64::NEG_INFINITY);
    let rule = |label: &str| label.to_owned();
    let curves =
        Panel::new("$\\xi$ <curves>", Axis::new("$t$").log(), Axis::new("y").log().share(1))
            .with(Mark::line(&x, &y, "line", Style::series(0)))
            .with(Mark::measured(&x, &y, &error, "points", Style::ordered(1, 3).hollow()))
            .with(Mark::band(&x, &error, &y, "band", Style::series(2)))
            .with(Mark::Horizontal { at: 0.01, label: rule("rule"), style: Style::theory() })
            .with(Mark::Vertical { at: 4.0, label: rule("split"), style: Style::guide() })
            .note("small print");
    let bars = Panel::new("bars", Axis::new("x").range(0.0, 31.0), Axis::new("y").reversed())
        .with(Mark::Bars {
            x: x.clone(),
            height: y,
            width: 0.8,
            label: rule("n"),
            style: Style::series(3),
        })
        .label_ends()
        .height(90.0);
    let ticks = Axis::new("x").ticks_at([(0.0, "a"), (2.0, "b")]);
    let heat = |mark| Panel::new("heat", ticks.clone(), Axis::new("").without_ticks()).with(mark);
    let figure = Figure::new("Everything")
        .subtitle("at once")
        .columns(2)
        .panel(curves)
        .panel(bars)
        .panel(heat(field(5, 8, ColorMap::Diverging, None)))
        .panel(heat(field(5, 8, ColorMap::Sequential, Some((-0.5, f64::INFINITY)))).span(2))
        .panel(heat(field(900, 700, ColorMap::Sequential, None)))
        .panel(heat(field(3, 1000, ColorMap::Diverging, Some((-2.0, 1.0)))))
        .description("all marks");
    Report::new("A \"report\"", "with $\\frac{1}{3}$")
        .with(Block::heading("h"))
        .with(Block::paragraph("p"))
        .with(Block::math("x^2"))
        .with(Block::figure(&figure, "caption", ["figures/all.svg", "figures/all.png"]))
        .with(Block::table(["a", "b"], [["1", "inf"]], "t"))
        .with(Block::Note("n".into()))
        .with(Block::Warning("w".into()))
        .with(Block::parameters([("gain", "3", "meaning")]))
        .with(Block::Code("code".into()))
        .footer("footer")
}

fn back(report: &Report) -> Report {
    parse(Path::new(FILE), &bytes(report)).unwrap()
}

#[test]
fn a_report_read_back_is_drawn_to_the_same_bytes() {
    let report = everything();
    let again = back(&report);
    assert_eq!(files(&again).unwrap(), files(&report).unwrap());
    assert_eq!(bytes(&again), bytes(&report));
}

#[test]
fn a_figure_without_the_numbers_it_does_not_show_is_the_same_picture() {
    let figure = Figure::new("").panel(Panel::new("", Axis::new(""), Axis::new("")).with(field(
        900,
        700,
        ColorMap::Sequential,
        None,
    )));
    let slim = figure.clone().slim();
    let Mark::Heat(heat) = &slim.panels[0].marks[0] else { panic!("a field stays a field") };
    assert_eq!((heat.rows, heat.cols, heat.values.len()), (300, 350, 300 * 350));
    assert_eq!(slim.svg(), figure.svg());
    assert_eq!(slim.clone().slim().svg(), figure.svg());
}

#[test]
fn numbers_that_lines_share_are_kept_once() {
    let x: Vec<f64> = (0..1000).map(|i| f64::from(i) / 7.0).collect();
    let lines = |n: usize| {
        let marks = (0..n).map(|i| Mark::line(&x, &x, "", Style::series(i)));
        let panel = Panel::new("", Axis::new(""), Axis::new("")).with_all(marks);
        Report::new("", "").with(Block::figure(
            &Figure::new("").panel(panel),
            "",
            ["figures/a.svg"],
        ))
    };
    let more = bytes(&lines(20)).len() as f64 / bytes(&lines(1)).len() as f64;
    assert!(more < 1.3, "{more}");
    assert_eq!(back(&lines(3)), lines(3));
}

#[test]
fn a_wider_figure_is_another_picture_of_the_same_numbers() {
    let wide = everything().figures_wide(1000.0);
    let svg = |report: &Report| report.figures().next().unwrap().0.svg();
    assert!(svg(&wide).contains("width=\"1000\"") && svg(&wide) != svg(&everything()));
}

/// A way to damage a file.
type Spoil = fn(&mut Value);

#[test]
fn damaged_reports_are_refused_with_a_reason() {
    let file = || serde_json::from_slice::<Value>(&bytes(&everything())).unwrap();
    let cases: [(Spoil, &str); 5] = [
        (|file| file["numbers"] = Value::Null, "no lists of numbers"),
        (|file| file["numbers"] = json!([]), "a list of numbers is missing"),
        (|file| file["report"] = json!({ "title": 3 }), "expected a string"),
        (|file| file["report"]["blocks"] = json!([{ "Haeding": "x" }]), "unknown variant"),
        (
            |file| file["report"]["blocks"][3]["Figure"]["files"] = json!(["figures/../../x.svg"]),
            "`figures/../../x.svg` is not figures/NAME.svg",
        ),
    ];
    for (spoil, why) in cases {
        let mut file = file();
        spoil(&mut file);
        let error = restore(file).unwrap_err();
        assert!(error.contains(why), "{error} does not say {why}");
    }
}

#[test]
fn every_bit_of_the_file_is_noticed() {
    let report = Report::new("A report", "of one line").with(Block::Code("x = 1".into()));
    let whole = bytes(&report);
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << bit;
            assert!(parse(Path::new(FILE), &flipped).is_err(), "bit {bit} of byte {at}");
        }
    }
}

/// What would take hours, gigabytes or the stack, or cannot be drawn.
#[test]
fn hostile_reports_are_refused_or_shown_without_their_formulas() {
    let file = || serde_json::from_slice::<Value>(&bytes(&everything())).unwrap();
    let figure = |file: &mut Value| file["report"]["blocks"][3]["Figure"]["figure"].take();
    let cases: [(Spoil, &str); 7] = [
        (|figure| figure["columns"] = json!(1_000_000_000_000_000_000_u64), "columns"),
        (|figure| figure["columns"] = json!(1_000_000_000), "columns"),
        (|figure| figure["panels"][0]["marks"][0]["Line"]["style"]["width"] = json!(1e18), "width"),
        (|figure| figure["panels"][0]["marks"][0]["Line"]["style"]["size"] = json!(-1.0), "size"),
        (|figure| figure["panels"][2]["marks"][0]["Heat"]["rows"] = json!(1_000_000_000), "rows"),
        (|figure| figure["panels"] = vec![figure["panels"][0].clone(); 5000].into(), "panels"),
        (|figure| figure["title"] = "x".repeat(1 << 20).into(), "text"),
    ];
    for (spoil, why) in cases {
        let mut file = file();
        let mut drawn = figure(&mut file);
        spoil(&mut drawn);
        file["report"]["blocks"][3]["Figure"]["figure"] = drawn;
        let error = restore(file).unwrap_err();
        assert!(error.contains(why), "{error} does not say {why}");
    }
    let lists = json!([vec![0.5; 1 << 20]]);
    let mut file = file();
    file["numbers"] = lists;
    file["report"]["blocks"] = vec![json!({ "numbers": 0 }); 1 << 20].into();
    assert!(restore(file).unwrap_err().contains("a list of numbers"));
}

#[test]
fn formulas_however_deep_end_neither_the_stack_nor_the_program() {
    let deep = |open: &str, close: &str, n: usize| open.repeat(n) + "x" + &close.repeat(n);
    for (open, close) in [
        ("{", "}"),
        ("\\sqrt", ""),
        ("\\sqrt{", "}"),
        ("\\frac", ""),
        ("\\left(", "\\right)"),
        ("\\begin{matrix}", "\\end{matrix}"),
        ("\\sqrt[", "]x"),
        ("x_{", "}"),
        ("\\hat ", ""),
        ("^", ""),
        ("'", ""),
        ("(", ")"),
        ("\\text{", "}"),
        ("\\mathrm", ""),
    ] {
        for n in [90, 5_000] {
            let tex = deep(open, close, n);
            let title = format!("${tex}$");
            let panel = Panel::new(title.clone(), Axis::new(title.clone()), Axis::new(""));
            let report = Report::new("", "")
                .with(Block::math(tex))
                .with(Block::paragraph(title.clone()))
                .with(Block::figure(&Figure::new("").panel(panel), title, ["figures/a.svg"]));
            let drawn = back_or_none(&report).map(|report| files(&report).unwrap().len());
            assert!(drawn.is_none_or(|count| count == 2), "{open} {n}");
        }
    }
}

/// A report read back, where it is not refused.
fn back_or_none(report: &Report) -> Option<Report> {
    parse(Path::new(FILE), &bytes(report)).ok()
}
