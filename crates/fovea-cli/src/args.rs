//! The command line, built from the catalogue: every setting of an experiment is a flag with its documentation.

use clap::{Arg, ArgAction, ArgMatches, Command};
use fovea_core::Value;
use fovea_core::params::{Assignments, Field};
use fovea_lab::LabError;
use fovea_lab::experiments;

/// The whole command line.
pub(crate) fn command() -> Command {
    Command::new("fovea")
        .version(env!("CARGO_PKG_VERSION"))
        .about("An executable laboratory for how neural networks learn features")
        .after_help("Exit status: 0 fine, 1 a claim failed or training diverged, 2 usage or input/output, 130 interrupted.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(run())
        .subcommand(
            Command::new("list")
                .about("List experiments, closed forms, stimuli, networks, probes, ...")
                .arg(Arg::new("kind").help("Only items of this kind, such as `experiment` or `form`"))
                .arg(json()),
        )
        .subcommand(
            Command::new("show")
                .about("Show an item: what it is, its source, and every parameter")
                .arg(Arg::new("name").required(true).help("Name of the item, as `list` prints it"))
                .arg(json()),
        )
        .subcommand(
            Command::new("eval")
                .about("Evaluate a closed form")
                .arg(Arg::new("form").required(true).help("Name of the form, such as nlgp.excess_kurtosis"))
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

fn experiment(row: &experiments::Row) -> Command {
    let common = [
        set(),
        Arg::new("config")
            .long("config")
            .value_name("FILE")
            .help("Settings from a TOML file, or from the run.toml of an earlier run"),
        Arg::new("seed")
            .long("seed")
            .value_name("N")
            .value_parser(clap::value_parser!(u64))
            .help("Seed of every random draw [default: 0]"),
        Arg::new("threads")
            .long("threads")
            .value_name("N")
            .value_parser(clap::value_parser!(u16).range(1..=4096))
            .help("Threads; the numbers do not depend on them [default: all cores]"),
        Arg::new("quick")
            .long("quick")
            .action(ArgAction::SetTrue)
            .help("A reduced setting that takes a few seconds"),
        Arg::new("out")
            .long("out")
            .value_name("DIR")
            .help("Directory of the record; it must not exist [default: runs/NAME-HASH]"),
        json(),
    ];
    let settings = (row.schema)();
    Command::new(row.name)
        .about(row.summary)
        .after_help(row.about)
        .args(common)
        .next_help_heading("Settings")
        .args(settings.iter().map(flag))
}

/// One setting as a flag.
fn flag(field: &Field) -> Arg {
    let unit = if field.unit.is_empty() { String::new() } else { format!(" {}", field.unit) };
    let allowed = match field.kind {
        fovea_core::Kind::Choice(words) => words.join(", "),
        _ => field.range.to_string(),
    };
    Arg::new(field.name)
        .long(field.name.replace('_', "-"))
        .value_name("VALUE")
        .allow_negative_numbers(true)
        .help(format!(
            "{} ({allowed}) [default: {}{unit}]",
            field.doc.trim_end_matches('.'),
            field.default
        ))
}

fn set() -> Arg {
    Arg::new("set")
        .long("set")
        .value_name("KEY=VALUE")
        .action(ArgAction::Append)
        .help("Set one parameter; may be repeated")
}

fn json() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("One JSON object a line")
}

/// The error for `fovea run NAME` where there is no such experiment; clap's own would name a subcommand.
pub(crate) fn unknown_experiment(given: &[String]) -> Option<LabError> {
    match given {
        [_, run, name, ..] if run == "run" && !name.starts_with('-') && name != "help" => {
            experiments::find(name).err()
        }
        _ => None,
    }
}

/// The `--set` pairs, in the order given.
///
/// # Errors
/// One has no `=`.
pub(crate) fn assignments(matches: &ArgMatches) -> Result<Assignments, LabError> {
    let pairs = matches.get_many::<String>("set").into_iter().flatten();
    pairs
        .map(|pair| match pair.split_once('=') {
            Some((key, value)) => Ok((key.trim().to_owned(), Value::from_typed(value))),
            None => Err(LabError::Param(fovea_core::ParamError::Inconsistent {
                what: format!("--set {pair} has no `=`"),
                hint: format!("write --set {pair}=VALUE"),
            })),
        })
        .collect()
}

/// The settings given by flags of their own.
pub(crate) fn flags(matches: &ArgMatches, schema: &[Field]) -> Assignments {
    let given = |field: &Field| {
        let text = matches.get_one::<String>(field.name)?;
        Some((field.name.to_owned(), Value::from_typed(text)))
    };
    schema.iter().filter_map(given).collect()
}
