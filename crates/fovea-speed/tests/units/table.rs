use fovea_speed::measure::{Machine, Measurements};
use fovea_speed::row::{Cores, Measured};
use fovea_speed::table::{disturbed, to_json, told};
use fovea_speed::{Path, Relation, Summary};
use serde_json::{Value, json};

fn measured() -> Measurements {
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
    Measurements { machine: Machine::look().unwrap(), rows }
}

#[test]
fn a_row_is_a_line_and_a_busy_machine_is_said() {
    let told = told(&measured());
    let [table] = &told.tables[..] else { panic!("{:?}", told.tables) };
    assert_eq!(table.check(), Ok(()));
    let lines = table.lines(usize::MAX);
    assert!(lines[0].starts_with("row") && lines.len() == 4, "{lines:?}");
    assert!(lines[1].contains(" 1234 ") || lines[1].contains(" 1235 "), "{}", lines[1]);
    assert!(lines[1].contains("100.0") && lines[1].contains("vector"), "{}", lines[1]);
    assert!(lines[1].ends_with("what is done; vector code; 1.50 times"), "{}", lines[1]);
    assert!(lines[2].ends_with("   25  what is done; 1.50 times"), "{}", lines[2]);
    assert!(lines[3].contains("   \u{2013}  what is done"), "{}", lines[3]);
    let [busy] = &told.remarks[..] else { panic!("{:?}", told.remarks) };
    assert!(busy.contains("busy (25 %)") && !busy.contains("quiet"), "{busy}");
    assert_eq!(disturbed(std::iter::empty()), None);
    let many = disturbed((1..=20).map(|i| (i.to_string(), 0.01 * f64::from(i)))).unwrap();
    assert!(many.contains("during 20 rows (up to 20 %)"), "{many}");
}

#[test]
fn json_has_every_number_of_a_row() {
    let document = to_json(&measured());
    let row = &document["rows"][0];
    assert_eq!((&row["median"], &row["best"]), (&json!(100.0), &json!(1234.5)));
    assert_eq!((&row["path"], &row["cores"]), (&json!("vector"), &json!(1)));
    assert_eq!(row["repeats"], json!([90.0, 100.0, 1234.5]));
    assert_eq!(row["relations"]["over_one_core"], json!(1.5));
    assert_eq!(document["rows"][1]["clock"], json!("wall"));
    assert_eq!(document["rows"][2]["foreign_load"], Value::Null);
    assert!(document["machine"]["cpu"].is_string());
}
