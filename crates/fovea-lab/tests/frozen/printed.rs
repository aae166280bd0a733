//! Every number a run prints is in a table of its record, where it has all its digits.

use fovea_core::Value;
use fovea_core::params::Assignments;
use fovea_lab::Outcome;
use std::collections::BTreeSet;

/// Experiments whose sentences still hold numbers that no table has.
const IN_SENTENCES: &[&str] = &[];

/// The numbers in a text, without their plus signs; those that are part of a word, as in `L2`, are none.
fn numbers(text: &str) -> Vec<String> {
    let part = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    let words = text.split(|c: char| !part(c)).map(|word| word.trim_end_matches(['.', '-', '+']));
    let number = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
            && word.parse::<f64>().is_ok()
    };
    words.filter(number).map(|word| word.trim_start_matches('+').to_owned()).collect()
}

/// The numbers in a setting.
fn given(value: &Value, into: &mut BTreeSet<String>) {
    into.extend(numbers(&value.to_string().replace(['[', ']', ',', '(', ')', '='], " ")));
}

/// The numbers in the sentences of an outcome that no table has, and that are no setting.
fn stray(outcome: &Outcome, settings: &Assignments) -> Vec<String> {
    let mut known = BTreeSet::new();
    for (_, value) in settings {
        given(value, &mut known);
    }
    for table in outcome.report.tables() {
        for column in &table.columns {
            let cells = (0..table.rows()).map(|row| column.cells.shown(row));
            known.extend(cells.flat_map(|cell| numbers(&cell)));
        }
    }
    let all = outcome.summary.iter().flat_map(|line| numbers(line));
    all.filter(|number| !known.contains(number)).collect()
}

/// Tables are sound, and what is printed is in them.
pub(crate) fn assert_in_tables(name: &str, outcome: &Outcome, settings: &Assignments) {
    let mut names = BTreeSet::new();
    for table in outcome.report.tables() {
        assert_eq!(table.check(), Ok(()), "{name}");
        assert!(names.insert(&table.name), "{name} has two tables called {}", table.name);
        assert!(
            !table.caption.is_empty(),
            "{name}: the table {} does not say what it shows",
            table.name
        );
    }
    let stray = stray(outcome, settings);
    if IN_SENTENCES.contains(&name) {
        assert!(
            !stray.is_empty(),
            "{name}: all numbers are in tables; take its name from IN_SENTENCES"
        );
    } else {
        assert!(
            stray.is_empty(),
            "{name} prints numbers that no table of its record has: {}",
            stray.join(", ")
        );
    }
}

/// What is held to tables.
pub(crate) const CONTROLS: &[(&str, fn())] =
    &[("controls::a_number_that_no_table_has_is_noticed", a_stray_number_is_noticed)];

fn a_stray_number_is_noticed() {
    let mut outcome = crate::noticed::sample();
    let settings = vec![("gain".to_owned(), Value::Real(3.0))];
    outcome.summary = vec!["at gain 3 the L2 norm is +0.25, one of two.".to_owned()];
    assert_eq!(stray(&outcome, &settings), Vec::<String>::new());
    outcome.summary.push("it is 0.26 (-1e-3)".to_owned());
    assert_eq!(stray(&outcome, &settings), ["0.26", "-1e-3"]);
}
