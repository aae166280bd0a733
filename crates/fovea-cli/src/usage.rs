//! Reading the command line; its errors have the form of all others: what is wrong, then a hint.

use crate::args::wrong;
use crate::{bench, compare, eval, list, measure, report, run, show, train, verify};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command};
use fovea_core::params::spelled;
use fovea_lab::{LabError, experiments, forms};
use std::ffi::OsString;

/// The whole command line.
fn command() -> Command {
    Command::new("fovea")
        .version(env!("CARGO_PKG_VERSION"))
        .about("An executable laboratory for how neural networks learn features")
        .after_help("Exit status: 0 fine, 1 a claim failed or training diverged, 2 usage or input/output, 101 an error of the program itself, 130 interrupted.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(run::command())
        .subcommand(train::command())
        .subcommand(verify::command())
        .subcommand(report::command())
        .subcommand(compare::command())
        .subcommand(measure::command())
        .subcommand(bench::command())
        .subcommand(list::command())
        .subcommand(show::command())
        .subcommand(eval::command())
}

/// The command line as the user typed it; help and version are printed here and end the program.
///
/// # Errors
/// It names something that does not exist.
pub(crate) fn parse(given: &[OsString]) -> Result<ArgMatches, LabError> {
    // clap would call an experiment a subcommand.
    if let [_, run, name, ..] = given
        && run == "run"
        && let Some(name) = name.to_str().filter(|name| !name.starts_with('-') && *name != "help")
    {
        experiments::find(name)?;
    }
    command().try_get_matches_from(given).map_err(|error| {
        let help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
        if !error.use_stderr() || error.kind() == help {
            error.exit();
        }
        wrong(what(&error), hint(&error, &command_of(given), given))
    })
}

/// The first paragraph of clap's message, in one line and with our quotes.
fn what(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    first
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('\'', "`")
        .replace("subcommand", "command")
}

fn hint(error: &clap::Error, command: &str, given: &[OsString]) -> String {
    let named = |kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name.as_str()),
        ContextValue::Strings(names) => names.first().map(String::as_str),
        _ => None,
    };
    let near = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand];
    if let Some(near) = near.into_iter().find_map(named) {
        return format!("did you mean `{near}`?");
    }
    match named(ContextKind::InvalidArg).and_then(|flag| flag.strip_prefix("--")) {
        Some(key) if error.kind() == ErrorKind::UnknownArgument && command == "fovea eval" => {
            of_form(key, given)
        }
        _ => format!("{command} --help lists what can be given"),
    }
}

/// What to write instead of a flag that `eval` does not have.
fn of_form(key: &str, given: &[OsString]) -> String {
    let mut words = given.iter().skip(2).filter_map(|word| word.to_str());
    let Some(form) = words.find_map(|word| forms::find(word).ok()) else {
        return format!("write --set {key}=VALUE");
    };
    let schema = (form.schema)();
    if schema.iter().any(|field| field.name == spelled(key)) {
        return format!("write --set {key}=VALUE");
    }
    let names: Vec<&str> = schema.iter().map(|field| field.name).collect();
    format!(
        "leave it out; what {} takes is written --set KEY=VALUE: {}",
        form.name,
        names.join(", ")
    )
}

/// The command and subcommands that were named, as in `fovea run localize`.
fn command_of(given: &[OsString]) -> String {
    let (mut command, mut words) = (command(), "fovea".to_owned());
    for word in given.iter().skip(1).map_while(|word| word.to_str()) {
        match command.find_subcommand(word).cloned() {
            Some(found) => {
                words = format!("{words} {}", found.get_name());
                command = found;
            }
            None => break,
        }
    }
    words
}
