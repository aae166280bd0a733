use super::{Cells, Places, Table};
use fovea_core::stats::Estimate;

fn small() -> Table {
    let rows = [("flat", 3, 0.0371, 0.2), ("one site", 12, f64::INFINITY, -0.00001)];
    Table::of("fields", &rows)
        .words("shape", |row| row.0)
        .whole("steps", |row| row.1)
        .real("ipr", 3, |row| row.2)
        .estimate("time_at_rest", 2, |row| Estimate::from_parts(row.3, 0.012, 9).unwrap())
        .unit("lr steps")
        .caption("What they are.")
}

#[test]
fn numbers_are_flush_right_words_left_and_every_cell_is_the_number_rounded() {
    assert_eq!(
        small().lines(100),
        [
            "shape     steps    ipr  time at rest (lr steps)",
            "flat          3  0.037              0.20 \u{b1} 0.01",
            "one site     12    inf              0.00 \u{b1} 0.01",
        ]
    );
}

#[test]
fn heads_and_words_wrap_and_numbers_go_on_below_with_the_columns_that_name_the_row() {
    let rows = [("a sentence that is longer than the terminal has room for", 2.0, 1.0)];
    let table = |columns: usize| {
        let start = Table::of("t", &rows).words("what", |row| row.0).given("gain", |row| row.1);
        (0..columns)
            .fold(start, |t, i| t.real(&format!("n{i}_in_words"), 1, |row| row.2))
            .caption("")
    };
    assert_eq!(
        table(1).lines(40),
        [
            "                                   n0 in",
            "what                         gain  words",
            "a sentence that is longer       2    1.0",
            "than the terminal has room",
            "for",
        ]
    );
    let below = ["                      n2 in  n3 in", "what                  words  words"];
    assert_eq!(table(4).lines(40)[7..9], below);
    for columns in 1..9 {
        for room in [32, 40, 60, 80] {
            let lines = table(columns).lines(room);
            assert!(lines.iter().all(|line| line.chars().count() <= room), "{lines:#?}");
            let numbers = lines.iter().map(|line| line.matches("1.0").count()).sum::<usize>();
            assert_eq!(numbers, columns, "{lines:#?}");
        }
    }
}

#[test]
fn a_long_name_is_said_once_and_a_remark_that_no_row_has_not_at_all() {
    let rows =
        [("a statement about several rows", 1, ""), ("a statement about several rows", 2, "")];
    let table = Table::of("t", &rows)
        .words("what", |row| row.0)
        .whole("row", |row| row.1)
        .words("remark", |row| row.2)
        .caption("");
    let expected = [
        "what                            row",
        "a statement about several rows    1",
        "                                  2",
    ];
    assert_eq!(table.lines(80), expected);
}

#[test]
fn sentences_stand_below_their_row_and_a_label_at_the_head() {
    let rows = [("L1", 0.5, "a sentence that is longer than the terminal"), ("L2", 0.25, "")];
    let table = Table::of("t", &rows)
        .words("claim", |row| row.0)
        .words("compared", |row| row.2)
        .real("run", 2, |row| row.1)
        .label("runs/a")
        .caption("");
    let expected = [
        "claim  runs/a",
        "L1       0.50",
        "    compared: a sentence that",
        "    is longer than the",
        "    terminal",
        "L2       0.25",
    ];
    assert_eq!(table.lines_below(30, &["compared"]), expected);
    assert_eq!(table.only(&["run", "claim"]).lines(30)[..2], ["runs/a  claim", "  0.50  L1"]);
}

#[test]
fn a_word_too_long_for_its_column_is_broken_where_it_cannot_be_given_the_room() {
    let rows = [("of", "a/directory/with/a/name/of/forty/letters", 1.0)];
    let table = Table::of("t", &rows)
        .words("what", |row| row.0)
        .words("where", |row| row.1)
        .real("x", 1, |row| row.2)
        .caption("");
    let expected = [
        "what  where                            x",
        "of    a/directory/with/a/name/of/fo  1.0",
        "      rty/letters",
    ];
    assert_eq!(table.lines(40), expected);
    assert_eq!(table.lines(60)[1], "of    a/directory/with/a/name/of/forty/letters  1.0");
}

#[test]
fn numbers_are_rounded_to_their_places_wherever_they_lie() {
    for (places, x, text) in [
        (Places::Decimals(3), 0.0, "0.000"),
        (Places::Decimals(3), -0.000_500_1, "-0.001"),
        (Places::Decimals(3), -1e-5, "-1.00e-5"),
        (Places::Decimals(2), 123_456.789, "123456.79"),
        (Places::Decimals(2), 1.5e8, "1.50e8"),
        (Places::Decimals(0), 12.6, "13"),
        (Places::Decimals(2), f64::NAN, "\u{2013}"),
        (Places::Decimals(2), f64::NEG_INFINITY, "-inf"),
        (Places::Digits(4), 0.41932, "0.4193"),
        (Places::Digits(4), -12.3456, "-12.35"),
        (Places::Digits(4), 8.5527e-5, "8.553e-5"),
        (Places::Digits(3), 1e9, "1.00e9"),
        (Places::Digits(2), 0.0, "0"),
        (Places::All, 3.0, "3"),
        (Places::All, 0.125, "0.125"),
        (Places::All, f64::INFINITY, "inf"),
    ] {
        assert_eq!(places.shown(x), text, "{places:?} {x}");
    }
}

#[test]
fn a_table_comes_back_from_json_with_its_gaps_and_infinities() {
    let mut table = small();
    let Cells::Reals { values, .. } = &mut table.columns[2].cells else { unreachable!("ipr") };
    values[0] = f64::NAN;
    let text = serde_json::to_string(&table).unwrap();
    let read: Table = serde_json::from_str(&text).unwrap();
    // A gap is not equal to itself.
    assert_eq!(format!("{read:?}"), format!("{table:?}"));
    assert!(text.contains("null") && text.contains("\"inf\""), "{text}");
}

#[test]
fn what_is_no_table_is_refused_by_name() {
    assert_eq!(small().check(), Ok(()));
    let spoilt = |spoil: fn(&mut Table)| {
        let mut table = small();
        spoil(&mut table);
        table.check().unwrap_err()
    };
    assert!(spoilt(|t| t.name = "a/b".to_owned()).contains("`a/b`"));
    assert!(spoilt(|t| t.columns[1].name = "|w|".to_owned()).contains("`|w|`"));
    assert!(spoilt(|t| t.columns[1].name = "ipr".to_owned()).contains("two columns"));
    assert!(spoilt(|t| t.columns[1].cells = Cells::Whole(vec![1])).contains("as long as"));
}

#[test]
fn means_and_errors_are_rounded_alike_and_tiny_errors_have_a_digit() {
    let shown = |places: Places, value: f64, error: f64| {
        let cells = Cells::Estimates { values: vec![value], errors: vec![error], places };
        cells.shown(0)
    };
    assert_eq!(shown(Places::Decimals(3), 0.5, 0.0121), "0.500 \u{b1} 0.012");
    assert_eq!(shown(Places::Decimals(3), -0.0004, 0.044), "0.000 \u{b1} 0.044");
    assert_eq!(shown(Places::Decimals(3), 0.5, 7.4e-6), "0.500 \u{b1} 7e-6");
    assert_eq!(shown(Places::Decimals(3), 0.5, 0.0), "0.500 \u{b1} 0.000");
    assert_eq!(shown(Places::Digits(4), 1234.5, 17.2), "1234 \u{b1} 17");
    assert_eq!(shown(Places::Decimals(3), 0.5, f64::NAN), "0.500");
}
