//! Every experiment's quick run: its claims hold, its record is whole, and its numbers and words are those that are kept.

use crate::kept::Bless;
use crate::{golden, outcome, plain_words, printed, recorded};
use fovea_lab::conditions::Phase;
use fovea_lab::experiments::{self, Entry, Size};
use fovea_lab::record::Manifest;
use fovea_lab::{Conditions, Decision, Outcome, Progress};
use libtest_mimic::{Failed, Trial};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// One test for each experiment.
pub(crate) fn trials(bless: Bless) -> Vec<Trial> {
    let trial = |row: &&'static Entry| {
        let row = *row;
        Trial::test(format!("experiments::{}", row.name), move || run(row, bless))
    };
    experiments::ALL.iter().map(trial).collect()
}

/// Runs an experiment once and holds it to everything.
fn run(row: &Entry, bless: Bless) -> Result<(), Failed> {
    let prepared = (row.prepare)(Size::Quick, &Vec::new())?;
    let progress = Watched::default();
    let outcome = prepared.run(&Conditions::new(0, &progress, &AtomicBool::new(false)))?;
    progress.ended(row.name);
    assert_holds_its_claims(row.name, &outcome);
    let plain = plain_words::of_outcome(&format!("experiments::{}", row.name), &outcome);
    plain_words::both(frozen(row.name, &outcome, bless), plain)?;
    let (settings, schema) = (prepared.settings(), (row.schema)());
    let manifest = Manifest { experiment: row.name, settings: &settings, schema: &schema, seed: 0 };
    printed::assert_in_tables(row.name, &outcome, &settings);
    recorded::assert_whole(&manifest, &outcome);
    Ok(())
}

fn assert_holds_its_claims(name: &str, outcome: &Outcome) {
    assert!(!outcome.claims.is_empty(), "{name} claims nothing");
    // A quick run may leave a claim undecided, which the golden record keeps, but not all of them.
    assert!(
        outcome.claims.iter().any(|claim| claim.decision() == Decision::Pass),
        "{name} decides nothing"
    );
    for claim in &outcome.claims {
        assert_ne!(claim.decision(), Decision::Fail, "{name}: {claim:?}");
    }
    assert!(outcome.report.faults().is_empty(), "{name}: {:?}", outcome.report.faults());
}

/// Compares with the golden record and the hashes, or writes them.
fn frozen(name: &str, outcome: &Outcome, bless: Bless) -> Result<(), String> {
    let settled = outcome::hashes(outcome).settle(&format!("experiments/{name}.toml"), bless);
    let golden = golden::golden(outcome);
    // A golden record also holds the statements of claims; its numbers are among those whose hashes have not moved.
    let rewrite = bless == Bless::Everything || (bless == Bless::Words && settled.is_ok());
    if rewrite {
        golden::write(name, &golden)?;
    }
    match (settled, golden::compare(name, &golden)) {
        (settled, Ok(())) => settled,
        (Ok(()), Err(place)) => Err(format!("{place}\nthe hashes agree\n{}", golden::bless(name))),
        (Err(moved), Err(place)) => Err(format!("{place}\n{moved}")),
    }
}

/// What was announced and taken of the present phase, and whether the run began with training.
#[derive(Default)]
struct Watched {
    steps: [AtomicU64; 2],
    began: OnceLock<Phase>,
}

impl Watched {
    /// Every step that was announced was taken, and no other.
    fn ended(&self, name: &str) {
        let [announced, taken] = self.steps.each_ref().map(|count| count.load(Ordering::SeqCst));
        assert_eq!(announced, taken, "{name}: steps of a phase announced and taken");
    }
}

impl Progress for Watched {
    fn phase(&self, phase: Phase, steps: u64) {
        self.ended(phase.word());
        let began = *self.began.get_or_init(|| phase);
        assert!(
            phase != Phase::Train || began == phase,
            "who trains at the desk alone is not tried with another engine: see engine.rs"
        );
        self.steps[0].store(steps, Ordering::SeqCst);
        self.steps[1].store(0, Ordering::SeqCst);
    }
    fn expect(&self, steps: u64) {
        self.steps[0].fetch_add(steps, Ordering::SeqCst);
    }
    fn stepped(&self) {
        self.steps[1].fetch_add(1, Ordering::SeqCst);
    }
}
