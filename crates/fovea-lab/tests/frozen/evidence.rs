//! The kept outcomes of experiments are those of this program, and every claim of theirs is named after what it decides.

use crate::kept::{folder, names};
use fovea_lab::check;
use fovea_lab::claim::Evidence;
use fovea_lab::claims::{clause, rows};
use fovea_lab::verify::evidence::{kept, may_be_called};
use serde_json::Value;

/// What is kept as evidence.
pub(crate) const CONTROLS: &[(&str, fn())] = &[
    ("controls::no_outcome_that_is_kept_is_stale_or_failed", no_outcome_is_stale_or_failed),
    ("controls::every_claim_of_an_experiment_names_what_it_decides", every_claim_has_its_name),
    ("controls::what_experiments_decide_is_kept", what_experiments_decide_is_kept),
];

fn no_outcome_is_stale_or_failed() {
    for outcome in kept() {
        let name = &outcome.experiment;
        assert_eq!(outcome.stale(), None, "{name}");
        for each in &outcome.claims {
            assert_eq!(each.status, each.claim.status(), "{name}, {}: edited by hand", each.id);
            assert_ne!(each.status, "fail", "{name}, {}: {}", each.id, each.claim.statement);
        }
    }
}

/// The ids of the claims in the golden record of an experiment.
fn ids(name: &str) -> Vec<String> {
    let path = folder().join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).expect("a golden record can be read");
    let record: Value = serde_json::from_str(&text).expect("a golden record is JSON");
    let claims = record["claims"].as_array().expect("it has claims");
    claims.iter().filter_map(|claim| claim["id"].as_str()).map(str::to_owned).collect()
}

fn every_claim_has_its_name() {
    for name in names(&folder(), "json") {
        for id in ids(&name) {
            assert!(
                may_be_called(&id, &name),
                "{name}: {id} is neither a clause (a claim of several clauses is none) nor the experiment's own name"
            );
        }
    }
    assert!(!may_be_called("L000.9", "localize"), "a control: it has several clauses");
}

fn what_experiments_decide_is_kept() {
    let keeps = |name: &str, id: &str| {
        kept().iter().any(|kept| kept.experiment == name && kept.claims.iter().any(|c| c.id == id))
    };
    for name in names(&folder(), "json") {
        for id in ids(&name).iter().filter(|id| clause(id).is_some()) {
            assert!(keeps(&name, id), "{name} decides {id}: fovea verify --renew {name}");
        }
    }
    for outcome in kept() {
        for each in &outcome.claims {
            let Some((_, clause)) = clause(&each.id) else { continue };
            let (name, id) = (&outcome.experiment, &each.id);
            let checked = check::ALL.iter().any(|check| check.covers.contains(&id.as_str()));
            assert!(
                checked || clause.experiments.contains(name),
                "{id} is decided by {name}, and does not say so (`experiments`)"
            );
            assert!(
                each.claim.evidence != Evidence::Shown || clause.criterion.is_some(),
                "{id}, shown by {name}, has no criterion"
            );
        }
    }
    for clause in rows().iter().flat_map(|row| &row.clauses) {
        for name in &clause.experiments {
            assert!(keeps(name, &clause.id), "{}: nothing is kept of {name}", clause.id);
        }
    }
}
