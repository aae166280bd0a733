//! Ten thousand random training configurations: each is built or refused with a reason, and those that run stay finite.

use super::book::{Book, Named};
use super::make::configuration;
use super::{as_toml, has_path, key_of, none_failed, now, without_panic};
use fovea_core::Value;
use fovea_core::agree::test_seed;
use fovea_core::params::{Assignments, Field, ParamError, Schema};
use fovea_lab::config::read_config;
use fovea_lab::record::{Manifest, RunDir, config_hash};
use fovea_lab::settings::set_path;
use fovea_lab::training::{EXPERIMENT, Training, TrainingJob};
use fovea_lab::{Conditions, Outcome, Prepared, RecordError, Silent, Status};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

const COUNT: u64 = 10_000;
/// One in this many of those that can be built is run, and another one is built again from its own settings.
const RUN_EVERY: u64 = 4;
/// The least share of configurations that can be built; with fewer the fuzz tests little but refusals.
const LEAST_BUILT: f64 = 0.2;

/// The outcome of one configuration.
#[derive(Default)]
struct Seen {
    built: BTreeSet<Named>,
    ran: bool,
    diverged: bool,
}

/// A refusal has a message and a hint, and says which setting it is about.
fn check_refusal(book: &Book, settings: &Assignments, error: &ParamError) -> Result<(), String> {
    let (message, hint) = (error.to_string(), error.hint());
    let named = match key_of(error) {
        // What is refused was given; a name that is missing has no path of its own.
        Some(key) => has_path(settings, key) && message.contains(&format!("`{key}`")),
        None => book.is_about_something(&message),
    };
    let told = !message.trim().is_empty() && !hint.trim().is_empty();
    (named && told).then_some(()).ok_or(format!("a poor refusal: {message:?}, hint {hint:?}"))
}

fn has_nan(value: &Value) -> bool {
    match value {
        Value::Real(x) => x.is_nan(),
        Value::List(items) => items.iter().any(has_nan),
        Value::Table(rows) => rows.iter().any(|(_, value)| has_nan(value)),
        Value::Array(matrix) => matrix.numbers().iter().any(|x| x.is_nan()),
        _ => false,
    }
}

/// What was built says what it is, and can be built again from the `run.toml` that says it: the same settings, the same hash.
fn check_built(job: &TrainingJob, index: u64) -> Result<(), String> {
    let settings = job.settings();
    if settings.iter().any(|(_, value)| has_nan(value)) {
        return Err("NaN was taken for a setting".to_owned());
    }
    let read = read_back(&settings, index).map_err(|error| format!("not read back: {error}"))?;
    let again = TrainingJob::new(&read).map_err(|error| format!("not built again: {error}"))?;
    let again = again.settings();
    let same = format!("{again:?}") == format!("{settings:?}");
    let hash = |settings: &Assignments| config_hash(&manifest(settings, &Training::schema()));
    let same = same && hash(&again) == hash(&settings);
    same.then_some(()).ok_or("other settings when built again".to_owned())
}

fn manifest<'a>(settings: &'a Assignments, schema: &'a [Field]) -> Manifest<'a> {
    Manifest { experiment: EXPERIMENT, settings, schema, seed: 0 }
}

/// Settings as the `run.toml` of a run that has begun has them.
fn read_back(settings: &Assignments, index: u64) -> Result<Assignments, RecordError> {
    let name = format!("fovea-fuzz-{}-{index}", std::process::id());
    let dir = RunDir::create(&std::env::temp_dir().join(name))?;
    dir.begin(&manifest(settings, &Training::schema()))?;
    let config = read_config(&dir.path().join("run.toml"), EXPERIMENT, &Training::schema());
    dir.abandon();
    Ok(config?.settings)
}

/// The same configuration, cut short enough to run thousands of.
fn shortened(settings: &Assignments, index: u64) -> Result<TrainingJob, ParamError> {
    let mut settings = settings.clone();
    let steps = index as usize / 4 % 3;
    for (path, most) in [("steps", steps), ("eval_samples", 64)] {
        set_path(&mut settings, &Training::schema(), path, most.into())?;
    }
    let mut smaller = settings.clone();
    set_path(&mut smaller, &Training::schema(), "dynamics.batch", 64_usize.into())?;
    // Shares of classes that are whole numbers of a batch need not be of a smaller one.
    TrainingJob::new(&smaller).or_else(|_| TrainingJob::new(&settings))
}

fn check_outcome(outcome: &Outcome) -> Result<(), String> {
    if outcome.status == Status::Interrupted {
        return Err("interrupted by nobody".to_owned());
    }
    let series = outcome.series.time.iter().chain(&outcome.series.value);
    let arrays = outcome.arrays.iter().flat_map(|array| &array.data);
    if series.chain(arrays).any(|x| !x.is_finite()) {
        return Err("a number of the record is not finite".to_owned());
    }
    if let Some(array) =
        outcome.arrays.iter().find(|a| a.shape.iter().product::<usize>() != a.data.len())
    {
        return Err(format!("the array {} has another shape than its numbers", array.name));
    }
    let drawn = outcome.figures.iter().any(|(_, figure)| figure.svg_bare().contains("NaN"));
    match outcome.summary.iter().find(|line| line.contains("NaN")) {
        Some(line) => Err(format!("the summary says {line}")),
        None if drawn => Err("the figure has NaN in it".to_owned()),
        None => Ok(()),
    }
}

fn try_one(book: &Book, settings: &Assignments, index: u64) -> Result<Seen, String> {
    let job = match without_panic(|| TrainingJob::new(settings))? {
        Ok(job) => job,
        Err(error) => return check_refusal(book, settings, &error).map(|()| Seen::default()),
    };
    if index % RUN_EVERY == 1 {
        without_panic(|| check_built(&job, index))??;
    }
    let mut seen = Seen { built: book.named(&job.settings()), ..Seen::default() };
    if index.is_multiple_of(RUN_EVERY) {
        let short = shortened(settings, index).map_err(|error| format!("cut short: {error}"))?;
        let stop = AtomicBool::new(false);
        let conditions = Conditions::new(index, &Silent, &stop);
        let outcome =
            without_panic(|| short.run(&conditions))?.map_err(|error| error.to_string())?;
        without_panic(|| check_outcome(&outcome))??;
        seen.ran = true;
        seen.diverged = outcome.status != Status::Completed;
    }
    Ok(seen)
}

#[test]
fn every_configuration_is_built_or_refused_with_a_reason() {
    let (began, book) = (now(), Book::new());
    let all: Vec<Result<Seen, String>> = (0..COUNT)
        .into_par_iter()
        .map(|index| {
            let seed = test_seed(module_path!(), index);
            let settings = configuration(&book, seed);
            try_one(&book, &settings, index).map_err(|what| {
                format!("configuration {index}, seed {seed}: {what}\n{}", as_toml(&settings))
            })
        })
        .collect();
    let failures: Vec<String> =
        all.iter().filter_map(|result| result.as_ref().err().cloned()).collect();
    none_failed(&failures);
    let seen: Vec<&Seen> = all.iter().flatten().collect();
    let count = |is: fn(&Seen) -> bool| seen.iter().filter(|seen| is(seen)).count();
    let (built, ran) = (count(|seen| !seen.built.is_empty()), count(|seen| seen.ran));
    println!(
        "{COUNT} configurations: {built} built, {ran} run, {} of them diverged; {:.1} s",
        count(|seen| seen.diverged),
        began.elapsed().as_secs_f64()
    );
    assert!(built as f64 >= LEAST_BUILT * COUNT as f64, "only {built} were built");
    // What was never built was never tested.
    for (what, runs_only) in [("built", false), ("run", true)] {
        let mut missing = book.all();
        for seen in seen.iter().filter(|seen| seen.ran || !runs_only) {
            missing.retain(|item| !seen.built.contains(item));
        }
        assert!(missing.is_empty(), "never {what}: {missing:?}");
    }
}
