//! No false alarms: a true claim never fails, whatever the settings. `tests/alarms/run` tries every experiment, by the program.

use fovea_core::Value;
use fovea_core::agree::{test_seed, trials};
use fovea_core::params::{Assignments, Field, Kind};
use fovea_lab::conditions::Silent;
use fovea_lab::experiments::{self, Entry, Size};
use fovea_lab::{Conditions, Decision, Outcome};
use std::sync::atomic::AtomicBool;

/// Runs that failed true claims once: tails too heavy for their error bars, spreads beyond the range of numbers, runs too short,
/// too narrow or too noisy to show it, and single runs that end as few do. A seed is that of the run, 0 where none is given.
const FOUND: [&str; 31] = [
    "finite-width-kurtosis width=4 nets=102 layers=16,1,20",
    "samples samples=100 n=3",
    "depth-profile width=4 at=40 nets=200",
    "relu-correlation width=2 drawn_layers=5",
    "nngp-width c_w=1e-10 nets=1000",
    "nngp-width c_w=1e-100 nets=1000",
    "noise-floor curvature=1e8 runs=400",
    "learning-rate-limit deep_width=7",
    "handover batch=2 record_every=1",
    "marginals steps=2",
    "elliptical-never-localizes steps=5",
    "elliptical-panel steps=1",
    "swapped-classes steps=5",
    "cumulant-direction steps=5",
    "loss-label-bias steps=2",
    "ipr-vs-kurtosis steps=2 late_steps=4",
    "cumulant-direction gain=0.328 seed=95",
    "ipr-vs-kurtosis seed=7",
    "ipr-vs-kurtosis wide_seeds=5 seed=125",
    "relu-correlation width=2 seed=435",
    "ntk-flow nets=200 seed=60",
    "amplifier seed=6",
    "amplifier seed=18",
    "dictator seed=18",
    "fields-2d seed=16",
    "proof-bounds seed=15",
    "proof-bounds time=3000 nets=4",
    "proof-bounds angles=0.5 time=20000 nets=4",
    "where-it-lands again=2 seed=894",
    "learning-rate-limit seed=73",
    "fig3-panels record_every=1 gain=0.0914 sets=2 seed=209",
];

/// Experiments whose quick runs take the least.
const CHEAP: [&str; 6] =
    ["criticality", "depth-profile", "fourier-basis", "hypercube-bumps", "moments", "noise-floor"];

/// What a run came to: its claims, or why there are none.
fn ran(row: &Entry, settings: &Assignments, seed: u64) -> Result<Outcome, String> {
    let prepared = (row.prepare)(Size::Quick, settings).map_err(|why| why.to_string())?;
    let stop = AtomicBool::new(false);
    prepared.run(&Conditions::new(seed, &Silent, &stop)).map_err(|why| why.to_string())
}

/// Claims of a run that failed, with its settings.
fn alarms(row: &Entry, settings: &Assignments, seed: u64, outcome: &Outcome) -> Vec<String> {
    let failed = outcome.claims.iter().filter(|claim| claim.decision() == Decision::Fail);
    let told = |claim: &fovea_lab::Claim| {
        format!("{} {settings:?} seed {seed}: {}", row.name, claim.in_words())
    };
    failed.map(told).collect()
}

/// The settings and the seed of a line of [`FOUND`].
fn read(line: &str) -> (&'static Entry, Assignments, u64) {
    let mut words = line.split(' ');
    let row = experiments::find(words.next().unwrap()).unwrap();
    let (mut settings, mut seed) = (Assignments::new(), 0);
    for (key, value) in words.map(|word| word.split_once('=').unwrap()) {
        match key {
            "seed" => seed = value.parse().unwrap(),
            _ => settings.push((key.to_owned(), Value::from_typed(value))),
        }
    }
    (row, settings, seed)
}

#[test]
fn no_true_claim_fails_where_one_did() {
    let mut all = Vec::new();
    for line in FOUND {
        let (row, settings, seed) = read(line);
        let outcome = ran(row, &settings, seed).unwrap_or_else(|why| panic!("{line}: {why}"));
        assert!(!outcome.claims.is_empty(), "{line} claims nothing");
        all.extend(alarms(row, &settings, seed, &outcome));
    }
    println!("tried | runs that once failed true claims | {} | {} failed", FOUND.len(), all.len());
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

#[test]
fn no_true_claim_fails_at_settings_drawn_at_random() {
    let (count, mut all, mut refused) = (trials(12, 300), Vec::new(), 0);
    for trial in 0..count {
        let mut drawn = 0;
        let mut dice = |below: usize| {
            drawn += 1;
            (test_seed(module_path!(), (1000 * trial + drawn) as u64) % below as u64) as usize
        };
        let row = experiments::find(CHEAP[trial % CHEAP.len()]).unwrap();
        let quick = (row.prepare)(Size::Quick, &Vec::new()).unwrap().settings();
        let fields = (row.schema)();
        let mut settings = Assignments::new();
        for _ in 0..=dice(3) {
            let field = &fields[dice(fields.len())];
            let usual = quick.iter().find(|(key, _)| key == field.name).map(|(_, value)| value);
            let value = value(&mut dice, field, usual.unwrap_or(&field.default));
            settings.extend(value.map(|value| (field.name.to_owned(), value)));
        }
        match ran(row, &settings, trial as u64) {
            Ok(outcome) => all.extend(alarms(row, &settings, trial as u64, &outcome)),
            Err(_) => refused += 1,
        }
    }
    let (kept, failed) = (count - refused, all.len());
    println!(
        "tried | settings at random | {count} | {refused} refused, {kept} ran, {failed} failed"
    );
    assert!(2 * refused < count, "{refused} of {count} were refused");
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

/// A value around the usual one, or at an end of the range; none for kinds that are not drawn.
fn value(dice: &mut impl FnMut(usize) -> usize, field: &Field, usual: &Value) -> Option<Value> {
    match (field.kind, usual) {
        (Kind::Choice(words), _) => Some(words[dice(words.len())].into()),
        (Kind::Bool, _) => Some(Value::Bool(dice(2) == 0)),
        (_, Value::List(list)) if !list.is_empty() => {
            let one = |_| {
                let usual = &list[dice(list.len())];
                value(dice, field, usual)
            };
            let some: Option<Vec<Value>> = (0..2).map(one).collect();
            some.map(Value::List)
        }
        (_, Value::Int(usual)) => {
            let low = field.range.low.max(1.0) as i64;
            let near = [low, low + 1, usual / 10, usual / 3, usual / 2, usual + 1];
            Some(Value::Int(near[dice(near.len())].max(low)))
        }
        (_, Value::Real(usual)) if usual.is_finite() => {
            let tenths = dice(41) as f64 / 10.0 - 2.0;
            let near = [field.range.low, usual * libm::exp10(tenths)];
            Some(Value::Real(near[usize::from(dice(5) > 0 || !near[0].is_finite())]))
        }
        _ => None,
    }
}
