use super::*;
use crate::verify::Status;
use fovea_checks::claims::row;

/// An outcome of `localize`, up to date, with one claim about this clause, measured 1 where 1 is predicted, or not.
fn made(id: &str, measured: f64) -> Kept {
    let (settings, quick) = stamp("localize").unwrap();
    let claim = Claim::exact("", "one number", &[1.0], &[measured], 1e-9);
    let claim = claim.rejecting_exact("three", &[3.0], &[measured]);
    let status = claim.status().to_owned();
    Kept {
        experiment: "localize".to_owned(),
        numeric_version: NUMERIC_VERSION,
        seed: SEED,
        settings,
        quick,
        claims: vec![KeptClaim { id: id.to_owned(), status, claim }],
    }
}

/// A claim of one clause with what a check measured, where one decides it, and these outcomes.
fn joined(checked: Option<f64>, kept: &[Kept]) -> Finding {
    let mut finding = Finding::undecided(row("L000.5").unwrap());
    let decided = &mut finding.clauses[0];
    if let Some(measured) = checked {
        decided.check = Some("a check");
        decided.claim = made("L000.5", measured).outcome(decided.clause);
    }
    join(std::slice::from_mut(&mut finding), kept);
    finding
}

#[test]
fn an_outcome_reads_back_as_it_was_written() {
    let kept = made("L000.5", 1.0);
    let text = serde_json::to_string(&kept).unwrap();
    let read: Kept = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    assert_eq!(read.claims[0].claim.decision(), Decision::Pass);
    assert_eq!(read.stale(), None);
}

#[test]
fn an_experiment_decides_what_no_check_does_and_adds_to_what_one_does() {
    assert_eq!(joined(None, &[]).status(), Status::Unchecked);
    let alone = joined(None, &[made("L000.5", 1.0)]);
    assert_eq!(
        (alone.status(), alone.clauses[0].experiment.as_deref()),
        (Status::Pass, Some("localize"))
    );
    assert_eq!(joined(None, &[made("localize", 1.0)]).status(), Status::Unchecked, "of its own");
    let both = joined(Some(1.0), &[made("L000.5", 1.0)]);
    assert_eq!(
        (both.status(), &both.clauses[0].agrees[..]),
        (Status::Pass, &["localize".to_owned()][..])
    );
    assert_eq!(both.clauses[0].experiment, None);
}

#[test]
fn two_outcomes_that_contradict_each_other_fail() {
    for (checked, measured) in [(1.0, 2.0), (2.0, 1.0)] {
        let both = joined(Some(checked), &[made("L000.5", measured)]);
        assert_eq!(both.status(), Status::Fail);
        assert_eq!(both.clauses[0].contradicted_by.len(), 1);
    }
    let two = joined(None, &[made("L000.5", 1.0), made("L000.5", 2.0)]);
    assert_eq!((two.status(), two.clauses[0].contradicted_by.len()), (Status::Fail, 1));
}

#[test]
fn a_stale_outcome_decides_nothing_and_says_so() {
    let old = |change: fn(&mut Kept)| {
        let mut kept = made("L000.5", 1.0);
        change(&mut kept);
        kept
    };
    let changes: [fn(&mut Kept); 3] = [
        |kept| kept.quick = quick_hash("[numbers]\nseries = \"0\""),
        |kept| kept.settings = "0".to_owned(),
        |kept| kept.experiment = "scaling".to_owned(),
    ];
    for change in changes {
        let stale = joined(None, &[old(change)]);
        assert_eq!(stale.status(), Status::Unchecked);
        assert!(stale.clauses[0].why().unwrap().contains("fovea verify --renew"));
    }
}

#[test]
fn the_hash_of_a_quick_run_is_of_its_numbers_and_statements_alone() {
    let frozen = "[numbers]\nseries = \"1\"\n[arrays]\nw = \"2\"\n[words]\nstatements = \"3\"\nfigures = \"4\"";
    let same = frozen.replace('4', "5");
    assert_eq!(quick_hash(frozen), quick_hash(&same));
    for moved in ["1", "2", "3"] {
        assert_ne!(quick_hash(frozen), quick_hash(&frozen.replace(moved, "6")));
    }
}
