//! The command line, built from the catalogue: every setting of an experiment is a flag with its documentation.

use crate::usage::wrong;
use clap::{Arg, ArgAction, ArgMatches, Command};
use fovea_core::Value;
use fovea_core::params::{Assignments, Field};
use fovea_lab::LabError;
use fovea_lab::experiments;
use fovea_lab::settings::{load_arrays, set_path};
use std::path::{Path, PathBuf};

/// The whole command line.
pub(crate) fn command() -> Command {
    Command::new("fovea")
        .version(env!("CARGO_PKG_VERSION"))
        .about("An executable laboratory for how neural networks learn features")
        .after_help("Exit status: 0 fine, 1 a claim failed or training diverged, 2 usage or input/output, 130 interrupted.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(run())
        .subcommand(train())
        .subcommand(verify())
        .subcommand(crate::report::command())
        .subcommand(crate::compare::command())
        .subcommand(crate::measure::command())
        .subcommand(crate::bench::command())
        .subcommand(
            Command::new("list")
                .about("List experiments, closed forms, stimuli, networks, probes, ...")
                .arg(Arg::new("kind").value_name("KIND").help("Only items of this kind, such as `experiment` or `form`"))
                .arg(json()),
        )
        .subcommand(
            Command::new("show")
                .about("Show an item: what it is, its source, and every parameter")
                .arg(Arg::new("name").value_name("NAME").required(true).help("Name of the item, as `list` prints it"))
                .arg(json()),
        )
        .subcommand(
            Command::new("eval")
                .about("Evaluate a closed form")
                .arg(Arg::new("form").value_name("FORM").required(true).help("Name of the form, such as nlgp.excess_kurtosis"))
                .arg(set())
                .arg(json()),
        )
}

fn run() -> Command {
    let run = Command::new("run")
        .about("Run an experiment: figure, report and record, theory beside simulation")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name("EXPERIMENT")
        .subcommand_help_heading("Experiments");
    experiments::ALL.iter().fold(run, |run, row| run.subcommand(experiment(row)))
}

fn train() -> Command {
    Command::new("train")
        .about("Train any network on any task, as a TOML file says; resume where a run was stopped")
        .after_help(
            "A file needs no more than what differs from the defaults, which `fovea show training` lists:\n\n  \
             steps = 2000\n  [class.pos]\n  stimulus = { name = \"ising\", coupling = 0.7 }\n  [class.neg]\n  \
             stimulus = { name = \"ising\", coupling = 0.3 }\n  [network]\n  name = \"committee\"\n  width = 12\n\n\
             Nested settings have paths: --set network.width=3 --set class.pos.stimulus.gain=5.\n\
             Examples are in the folder examples/ of the source.",
        )
        .args_override_self(true)
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .value_parser(clap::value_parser!(PathBuf))
                .help("The training file, or the run.toml of an earlier run"),
        )
        .arg(
            Arg::new("resume")
                .long("resume")
                .value_name("DIR")
                .value_parser(clap::value_parser!(PathBuf))
                .conflicts_with_all(["file", "set", "seed", "out"])
                .help("Go on with an interrupted run from its latest checkpoint; DIR ends in .partial"),
        )
        .arg(set())
        .arg(dry_run().conflicts_with("resume"))
        .args(run_options())
}

fn verify() -> Command {
    Command::new("verify")
        .about("Put every claim to the test: both sides computed apart, and their distance")
        .after_help(crate::verify::ABOUT)
        .args_override_self(true)
        .arg(
            Arg::new("prefix")
                .value_name("PREFIX")
                .num_args(0..)
                .help("Only claims under these prefixes, such as L, L003, T06 or L000.3"),
        )
        .arg(quick("A tenth of the samples: under a minute, and resolves less"))
        .arg(
            Arg::new("fresh-seeds")
                .long("fresh-seeds")
                .action(ArgAction::SetTrue)
                .conflicts_with("seed")
                .help("A new seed, from the clock; it is printed at the end"),
        )
        .args(run_options())
}

pub(crate) fn quick(help: &'static str) -> Arg {
    Arg::new("quick").long("quick").action(ArgAction::SetTrue).help(help)
}

fn dry_run() -> Arg {
    Arg::new("dry-run")
        .long("dry-run")
        .action(ArgAction::SetTrue)
        .help("Say what would be done, and the seconds, memory and disk it would take; nothing is written")
}

/// The options of everything that leaves a record.
fn run_options() -> [Arg; 4] {
    [
        Arg::new("seed")
            .long("seed")
            .value_name("N")
            .allow_negative_numbers(true)
            .help("Seed of every random draw [default: 0]"),
        Arg::new("threads")
            .long("threads")
            .value_name("N")
            .allow_negative_numbers(true)
            .help("Threads; the numbers do not depend on them [default: all cores]"),
        new_directory("Directory of the record; it must not exist [default: runs/NAME-HASH]"),
        json(),
    ]
}

fn experiment(row: &experiments::Row) -> Command {
    let common = [
        set(),
        Arg::new("config")
            .long("config")
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Settings from a TOML file, or from the run.toml of an earlier run"),
        quick("A reduced setting that takes a few seconds"),
        dry_run(),
    ];
    let settings = (row.schema)();
    Command::new(row.name)
        .args_override_self(true)
        .aliases(underscored(row.name))
        .about(row.summary)
        .after_help(row.about)
        .args(common)
        .args(row.full.map(|takes| {
            Arg::new("full")
                .long("full")
                .action(ArgAction::SetTrue)
                .conflicts_with("quick")
                .help(format!("The published size, by estimate {takes} on two cores"))
        }))
        .args(run_options())
        .next_help_heading("Settings")
        .args(settings.iter().map(flag))
}

/// One setting as a flag.
fn flag(field: &Field) -> Arg {
    let unit = if field.unit.is_empty() { String::new() } else { format!(" {}", field.unit) };
    let allowed = match field.kind {
        fovea_core::Kind::Choice(words) => words.join(", "),
        fovea_core::Kind::Function(words) => format!("{}, or an expression in x", words.join(", ")),
        _ => field.range.to_string(),
    };
    Arg::new(field.name)
        .long(field.name.replace('_', "-"))
        .aliases(underscored(field.name))
        .value_name("VALUE")
        .allow_negative_numbers(true)
        .help(format!(
            "{} ({allowed}) [default: {}{unit}]",
            field.doc.trim_end_matches('.'),
            field.default
        ))
}

/// The other spelling of a name of several words: underscores and hyphens are the same.
fn underscored(name: &str) -> Option<String> {
    name.contains(['-', '_']).then(|| name.replace('-', "_"))
}

fn set() -> Arg {
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
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("One JSON object a line")
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
/// It is no number of threads.
pub(crate) fn threads(matches: &ArgMatches) -> Result<Option<usize>, LabError> {
    const MOST: usize = 4096;
    let Some(text) = matches.get_one::<String>("threads") else { return Ok(None) };
    match text.parse() {
        Ok(threads) if (1..=MOST).contains(&threads) => Ok(Some(threads)),
        _ => Err(wrong(
            format!("`threads` is {text}; it must be a whole number from 1 to {MOST}"),
            "write --threads 2, for example, or leave it out to use every core".into(),
        )),
    }
}
