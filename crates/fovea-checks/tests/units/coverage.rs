//! Which claims must be decided, clause by clause.

use fovea_checks::check;
use fovea_checks::claims::{Clause, clause, row, rows};

/// Documents and numbers all of whose clauses are decided or say why not, unless there is nothing to test: the theory of one neuron, and wide networks.
const BUILT: [(&str, u32, u32); 16] = [
    ("L000", 1, 51),
    ("L001", 1, 34),
    ("L001", 53, 66),
    ("L001", 69, 69),
    ("L001", 78, 81),
    ("L002", 1, 37),
    ("L003", 1, 27),
    ("L003", 57, 64),
    ("T01", 1, 11),
    ("T02", 1, 19),
    ("T03", 1, 11),
    ("T04", 1, 8),
    ("T05", 1, 4),
    ("T11", 1, 8),
    ("T12", 1, 10),
    ("T13", 1, 8),
];

fn covered(id: &str) -> bool {
    check::ALL.iter().any(|check| check.covers.contains(&id))
}

#[test]
fn every_clause_of_what_is_built_is_decided_or_says_why_it_is_not() {
    let mut missing = Vec::new();
    for (document, first, last) in BUILT {
        for number in first..=last {
            let id = format!("{document}.{number}");
            let row = row(&id).unwrap_or_else(|| panic!("there is no claim {id}"));
            let open = |clause: &&Clause| {
                !covered(&clause.id) && clause.left.is_none() && clause.experiments.is_empty()
            };
            let listed = row.verdict.is_listed();
            missing.extend(row.clauses.iter().filter(|_| !listed).filter(open).map(|c| &c.id));
        }
    }
    assert!(missing.is_empty(), "nothing decides {missing:?}, and they do not say why");
}

#[test]
fn no_clause_is_decided_twice_or_left_and_decided() {
    let mut seen: Vec<&str> = Vec::new();
    for id in check::ALL.iter().flat_map(|check| check.covers) {
        assert!(!seen.contains(id), "{id} is covered twice");
        seen.push(id);
        let (_, clause) = clause(id).unwrap_or_else(|| panic!("{id} is not a clause"));
        assert!(clause.left.is_none(), "{id} is decided, and says why it is not");
        assert!(
            clause.experiments.is_empty(),
            "{id}: a check decides it, and experiments add to that"
        );
    }
    let clauses = || rows().iter().flat_map(|row| &row.clauses);
    for clause in clauses().filter(|clause| !clause.experiments.is_empty()) {
        assert!(clause.left.is_none(), "{} is decided, and says why it is not", clause.id);
    }
}
