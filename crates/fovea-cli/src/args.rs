//! What the verbs share: common flags, settings from flags and from `--set`, and errors of usage.

use clap::{Arg, ArgAction, ArgMatches};
use fovea_core::params::{Assignments, Field};
use fovea_core::simd::Level;
use fovea_core::{ParamError, Value};
use fovea_lab::LabError;
use fovea_lab::settings::{load_arrays, set_path};
use fovea_lab::threads::MOST;
use std::path::{Path, PathBuf};

pub(crate) fn quick(help: &'static str) -> Arg {
    Arg::new("quick").long("quick").action(ArgAction::SetTrue).help(help)
}

pub(crate) fn dry_run() -> Arg {
    Arg::new("dry-run")
        .long("dry-run")
        .action(ArgAction::SetTrue)
        .help("Print the settings and the estimated time, memory and disk; nothing is written")
}

/// The options of every verb that leaves a record.
pub(crate) fn run_options() -> [Arg; 5] {
    [
        Arg::new("seed")
            .long("seed")
            .value_name("N")
            .allow_negative_numbers(true)
            .help("Seed of all random numbers [default: 0]"),
        Arg::new("threads")
            .long("threads")
            .value_name("N")
            .allow_negative_numbers(true)
            .help("Number of threads; results do not depend on it [default: SLURM_CPUS_PER_TASK or RAYON_NUM_THREADS, else all cores]"),
        simd(),
        new_directory("Directory of the record; it must not exist [default: runs/NAME-HASH]"),
        json(),
    ]
}

/// The options of `fovea run` without an experiment.
pub(crate) fn resume_options() -> Vec<Arg> {
    let resume = Arg::new("resume")
        .long("resume")
        .value_name("DIR")
        .value_parser(clap::value_parser!(PathBuf))
        .help(
            "Resume an interrupted experiment: finished jobs are read back; DIR ends in .partial",
        );
    let [_, threads, simd, _, json] = run_options();
    vec![
        resume,
        threads.requires("resume"),
        simd.requires("resume"),
        json.requires("resume"),
        keep_runs().requires("resume"),
    ]
}

/// The flag that keeps the trained networks.
pub(crate) fn keep_runs() -> Arg {
    Arg::new("keep-runs")
        .long("keep-runs")
        .action(ArgAction::SetTrue)
        .help("Keep every trained network and all its readings, for `fovea report --recompute`")
}

/// The instruction set.
pub(crate) fn simd() -> Arg {
    Arg::new("simd").long("simd").value_name("SET").help(
        "Instruction set: portable, avx2 or avx512; results do not depend on it [default: the best]",
    )
}

pub(crate) fn set() -> Arg {
    Arg::new("set")
        .long("set")
        .value_name("KEY=VALUE")
        .action(ArgAction::Append)
        .help("Set one parameter; may be repeated")
}

/// A directory that a verb makes.
pub(crate) fn new_directory(help: &'static str) -> Arg {
    Arg::new("out")
        .long("out")
        .value_name("DIR")
        .value_parser(clap::value_parser!(PathBuf))
        .help(help)
}

pub(crate) fn json() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("One JSON object per line")
}

/// The `--set` pairs, in the order given.
///
/// # Errors
/// One has no `=`, no name or no value.
pub(crate) fn assignments(matches: &ArgMatches) -> Result<Assignments, LabError> {
    let pairs = matches.get_many::<String>("set").into_iter().flatten();
    pairs
        .map(|pair| match pair.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => {
                typed(key.trim(), value, format!("write --set {}=VALUE", key.trim()))
            }
            Some(_) => Err(wrong(
                format!("--set {pair} names no parameter"),
                "write --set KEY=VALUE".into(),
            )),
            None if pair.is_empty() => {
                Err(wrong("--set is empty".into(), "write --set KEY=VALUE".into()))
            }
            None => {
                Err(wrong(format!("--set {pair} has no `=`"), format!("write --set {pair}=VALUE")))
            }
        })
        .collect()
}

/// Adds the `--set` pairs to `settings`; a key may be a path into nested settings.
///
/// # Errors
/// A pair cannot be read, leads nowhere, or names a file that cannot be read.
pub(crate) fn set_all(
    settings: &mut Assignments,
    schema: &[Field],
    matches: &ArgMatches,
) -> Result<(), LabError> {
    for (path, value) in assignments(matches)? {
        set_path(settings, schema, &path, value)?;
    }
    for (key, value) in settings {
        load_arrays(key, value, Path::new("."))?;
    }
    Ok(())
}

/// The settings given by flags of their own.
///
/// # Errors
/// One has no value.
pub(crate) fn flags(matches: &ArgMatches, schema: &[Field]) -> Result<Assignments, LabError> {
    let given = |field: &Field| Some((field.name, matches.get_one::<String>(field.name)?));
    let read = |(name, value): (&str, &String)| {
        typed(name, value, format!("write --{} VALUE", name.replace('_', "-")))
    };
    schema.iter().filter_map(given).map(read).collect()
}

/// One typed assignment; `hint` says how one is written.
fn typed(key: &str, value: &str, hint: String) -> Result<(String, Value), LabError> {
    if value.trim().is_empty() {
        return Err(wrong(format!("`{key}` has no value"), hint));
    }
    Ok((key.to_owned(), Value::from_typed(value)))
}

/// The number of threads, where one is given.
///
/// # Errors
/// It is not a number of threads.
pub(crate) fn threads(matches: &ArgMatches) -> Result<Option<usize>, LabError> {
    let Some(text) = given(matches, "threads") else { return Ok(None) };
    match text.parse() {
        Ok(threads) if (1..=MOST).contains(&threads) => Ok(Some(threads)),
        _ => Err(wrong(
            format!("`threads` is {text}; it must be a whole number from 1 to {MOST}"),
            "write --threads 2, for example, or leave it out to use every core".into(),
        )),
    }
}

/// The instruction set, where one is given.
///
/// # Errors
/// There is none with this name.
pub(crate) fn level(matches: &ArgMatches) -> Result<Option<Level>, LabError> {
    let Some(text) = given(matches, "simd") else { return Ok(None) };
    Level::of_word(text).map(Some).ok_or_else(|| {
        wrong(
            format!("`simd` is {text}; it must be portable, avx2 or avx512"),
            format!(
                "this machine has {}; without --simd the best is used",
                words(&Level::available())
            ),
        )
    })
}

/// Instruction sets by their words.
pub(crate) fn words(levels: &[Level]) -> String {
    levels.iter().map(|level| level.word()).collect::<Vec<_>>().join(", ")
}

/// The text of a flag that not every verb has.
fn given<'a>(matches: &'a ArgMatches, flag: &str) -> Option<&'a String> {
    matches.try_get_one::<String>(flag).ok().flatten()
}

/// An error of usage.
pub(crate) fn wrong(what: String, hint: String) -> LabError {
    LabError::Param(ParamError::Inconsistent { what, hint })
}
