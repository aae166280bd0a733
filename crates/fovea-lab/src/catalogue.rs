//! Everything there is, in one list: what `list` and `show` print and Python loops over.

use crate::experiments;
use crate::training::{ClassSpec, Training};
use fovea_checks::{check, claims};
use fovea_core::params::{Field, Schema};
use fovea_core::{Entry, activation};
use fovea_sim::probe::{Columns, Needs, Of};
use fovea_sim::{dynamics, init, loss, network, probe, schedule, stimulus};
use fovea_theory::form::BUDGET;
use fovea_theory::forms;

/// One item of the catalogue.
pub struct Item {
    /// `experiment`, `form`, `stimulus`, ...
    pub kind: &'static str,
    /// Its name.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Longer facts by heading: question, equation, source, range.
    pub facts: Vec<(&'static str, String)>,
    /// Every parameter.
    pub schema: Vec<Field>,
}

/// What one evaluation of a form may cost.
fn work() -> String {
    let millions = BUDGET / 1_000_000;
    format!(
        "at most {millions} million units per evaluation (points of integrals, components of velocities, steps of searches); \
         what needs more is refused"
    )
}

/// Every registered item, kind by kind.
pub fn catalogue() -> Vec<Item> {
    let mut items: Vec<Item> = experiments::ALL
        .iter()
        .map(|row| Item {
            kind: "experiment",
            name: row.name,
            summary: row.summary,
            facts: vec![("question", row.about())],
            schema: (row.schema)(),
        })
        .collect();
    items.extend(forms().map(|form| Item {
        kind: "form",
        name: form.name,
        summary: form.summary(),
        facts: vec![
            ("equation", form.equation()),
            ("source", form.source()),
            ("symbols", symbols(&form.symbols())),
            ("holds when", form.holds()),
            ("digits", form.digits().to_string()),
            ("work", work()),
            ("checked by", form.checks()),
            ("rejects", form.control.what.to_owned()),
        ],
        schema: (form.schema)(),
    }));
    items.push(Item {
        schema: Training::schema(),
        facts: vec![("classes", class_parameters())],
        ..plain(
            "file",
            "training",
            "a training file, for `fovea train FILE.toml`: everything it can set",
        )
    });
    items.extend(entries("stimulus", stimulus::ALL));
    items.extend(entries("network", network::ALL));
    items.extend(entries("dynamics", dynamics::ALL));
    items.extend(entries("schedule", schedule::ALL));
    items.extend(entries("initializer", init::ALL));
    items.extend(loss::ALL.iter().map(|row| plain("loss", row.name, row.summary)));
    items.extend(activation::ALL.iter().map(|row| plain("activation", row.name, row.summary)));
    items.extend(probe::ALL.iter().map(probe_item));
    items.extend(claims::rows().iter().map(claim));
    items
}

/// A probe: what a row of it describes, its numbers, and what it needs.
fn probe_item(row: &&'static probe::Probe) -> Item {
    let of = match row.of {
        Of::Unit => "unit",
        Of::Output => "output",
        Of::Network => "network",
    };
    let numbers = match row.columns {
        Columns::One => "one".to_owned(),
        Columns::Named(names) => names.join(", "),
        Columns::Per(noun) => format!("one per {noun}"),
    };
    let needs = match row.needs {
        Needs::Weights => "weights",
        Needs::Network => "a whole network",
        _ => "samples",
    };
    let facts =
        vec![("one row per", of.to_owned()), ("numbers", numbers), ("needs", needs.to_owned())];
    Item { facts, ..plain("probe", row.name, row.summary) }
}

/// A claim: its place, its verdict, what it says, and which checks decide it.
fn claim(row: &'static claims::Row) -> Item {
    let check = |id: &str| check::ALL.iter().find(|check| check.covers.contains(&id));
    let mut facts = vec![
        ("stands in", format!("{} {}", row.document, row.equation)),
        ("verdict", row.verdict.word().to_owned()),
    ];
    facts.extend(row.source.iter().map(|form| ("the source has", form.clone())));
    facts.extend(row.correct.iter().map(|form| ("right is", form.clone())));
    let decided = |clause: &claims::Clause| match (check(&clause.id), &clause.left) {
        (Some(check), _) => check.summary.trim_end_matches('.').to_owned(),
        (None, None) if !clause.experiments.is_empty() => {
            format!(
                "experiment {}, as kept of its run at default settings",
                clause.experiments.join(", ")
            )
        }
        (None, Some(left)) => format!("not decided: {left}"),
        (None, None) if row.verdict.is_listed() => "nothing to test: it is listed".to_owned(),
        (None, None) => "no check yet".to_owned(),
    };
    let named = |clause: &claims::Clause| match clause.id.split_once('/') {
        Some((_, name)) => format!("{name}: {} [{}]", clause.says, decided(clause)),
        None => decided(clause),
    };
    let clauses: Vec<String> = row.clauses.iter().map(named).collect();
    let several = row.clauses.len() > 1;
    facts.push((if several { "clauses" } else { "checked by" }, clauses.join("\n")));
    let criterion = |clause: &claims::Clause| {
        clause.criterion.as_ref().map(|text| ("criterion", format!("{}: {text}", clause.id)))
    };
    facts.extend(row.clauses.iter().filter_map(criterion));
    let decides =
        |clause: &claims::Clause| check(&clause.id).is_some() || !clause.experiments.is_empty();
    if row.clauses.iter().any(decides) {
        facts.push(("tested by", format!("fovea verify {}", row.id)));
    }
    Item { facts, ..plain("claim", &row.id, &row.statement) }
}

/// What a table `[class.NAME]` of a training file can set.
fn class_parameters() -> String {
    let of = |field: &Field| format!("{} (default {}): {}", field.name, field.default, field.doc);
    let all: Vec<String> = ClassSpec::schema().iter().map(of).collect();
    format!("[class.NAME] sets {}", all.join(" "))
}

/// The symbols of the source and their names here, one per phrase.
fn symbols(pairs: &[(String, String)]) -> String {
    pairs.iter().map(|(symbol, name)| format!("{symbol}: {name}")).collect::<Vec<_>>().join("; ")
}

fn entries<T>(kind: &'static str, all: &[&Entry<T>]) -> Vec<Item> {
    let item = |entry: &&Entry<T>| Item {
        schema: (entry.schema)(),
        ..plain(kind, entry.name, entry.summary)
    };
    all.iter().map(item).collect()
}

fn plain(kind: &'static str, name: &'static str, summary: &'static str) -> Item {
    Item { kind, name, summary, facts: Vec::new(), schema: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_item_says_what_it_is() {
        let items = catalogue();
        for (i, item) in items.iter().enumerate() {
            assert!(!item.summary.is_empty(), "{}", item.name);
            assert!(item.schema.iter().all(|field| !field.doc.is_empty()), "{}", item.name);
            assert!(
                !items[..i].iter().any(|other| other.name == item.name && other.kind == item.kind)
            );
        }
    }
}
