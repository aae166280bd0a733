use fovea_speed::measure::{Machine, Table};
use fovea_speed::row::{Cores, Measured};
use fovea_speed::table::{digits, disturbed, lines, percent, to_json};
use fovea_speed::{Path, Relation, Summary};
use serde_json::{Value, json};

fn table() -> Table {
    let row = |name: &str, cores, path, load| Measured {
        name: name.to_owned(),
        about: "what is done".to_owned(),
        unit: "steps/s",
        piece: 1.0,
        cores,
        path,
        rate: Summary::of(vec![90.0, 100.0, 1234.5]).unwrap(),
        load,
        relations: vec![Relation {
            key: "over_one_core",
            value: 1.5,
            text: "1.50 times".to_owned(),
        }],
    };
    let rows = vec![
        row("quiet", Cores::One, Some(Path::Vector), Some(0.01)),
        row("busy", Cores::All, None, Some(0.25)),
        row("unknown", Cores::All, None, None),
    ];
    Table { machine: Machine::look().unwrap(), rows }
}

#[test]
fn a_row_is_a_line_and_a_busy_machine_is_said() {
    let lines = lines(&table());
    assert!(lines[2].starts_with("row") && lines.len() == 8, "{lines:?}");
    assert!(lines[3].contains(" 1234 ") || lines[3].contains(" 1235 "), "{}", lines[3]);
    assert!(lines[3].contains("100.0") && lines[3].contains("vector"), "{}", lines[3]);
    assert!(lines[4].ends_with("what is done; 1.50 times"), "{}", lines[4]);
    assert!(lines[7].contains("busy (25 %)") && !lines[7].contains("quiet"), "{}", lines[7]);
    assert_eq!(disturbed(std::iter::empty()), Vec::<String>::new());
    let many = disturbed((1..=20).map(|i| (i.to_string(), 0.01 * f64::from(i))));
    assert!(many[1].contains("during 20 rows (up to 20 %)"), "{}", many[1]);
}

#[test]
fn json_has_every_number_of_a_row() {
    let document = to_json(&table());
    let row = &document["rows"][0];
    assert_eq!((&row["median"], &row["best"]), (&json!(100.0), &json!(1234.5)));
    assert_eq!((&row["path"], &row["cores"]), (&json!("vector"), &json!(1)));
    assert_eq!(row["repeats"], json!([90.0, 100.0, 1234.5]));
    assert_eq!(row["relations"]["over_one_core"], json!(1.5));
    assert_eq!(document["rows"][1]["clock"], json!("wall"));
    assert_eq!(document["rows"][2]["foreign_load"], Value::Null);
    assert!(document["machine"]["cpu"].is_string());
}

#[test]
fn numbers_have_four_digits() {
    assert_eq!([0.5, 12.345, 123.45, 12345.6].map(digits), ["0.500", "12.35", "123.5", "12346"]);
    assert_eq!((percent(Some(0.123)), percent(None)), ("12.3".to_owned(), "-".to_owned()));
}
