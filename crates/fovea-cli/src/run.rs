//! `fovea run EXPERIMENT`: settings in layers, a record, and a summary at the end.

use crate::exit::{FAILED, FINE, INTERRUPTED, USAGE};
use crate::machine::set_up;
use crate::progress::Display;
use crate::rehearse::rehearse;
use crate::stop::stop_switch;
use crate::{args, out};
use clap::{Arg, ArgAction, ArgMatches, Command};
use fovea_core::params::Field;
use fovea_lab::conditions::{Engine, Keep};
use fovea_lab::config::{Config, read_config};
use fovea_lab::convert::{read_seed, to_json};
use fovea_lab::experiments::Size;
use fovea_lab::finished::Finished;
use fovea_lab::kept::{FOLDER, Keeper};
use fovea_lab::present::CLAIMS;
use fovea_lab::record::{Manifest, RunDir, table_json, usual_directory};
use fovea_lab::training::EXPERIMENT;
use fovea_lab::{
    Conditions, Decision, LabError, Outcome, Prepared, RecordError, Status, experiments,
};
use std::path::{Path, PathBuf};

/// Every setting of an experiment is a flag with its documentation.
pub(crate) fn command() -> Command {
    let run = Command::new("run")
        .about("Run an experiment, theory against simulation, with figure, report and record; resume a run that was stopped")
        // An experiment, or a run to resume.
        .args_conflicts_with_subcommands(true)
        .arg_required_else_help(true)
        .args(args::resume_options())
        .subcommand_value_name("EXPERIMENT")
        .after_help("`fovea run EXPERIMENT --help` has its settings, and --set, --quick, --seed, --out, --config and --dry-run.")
        .subcommand_help_heading("Experiments");
    experiments::ALL.iter().fold(run, |run, row| run.subcommand(experiment(row)))
}

fn experiment(row: &experiments::Entry) -> Command {
    let common = [
        args::set(),
        Arg::new("config")
            .long("config")
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Settings from a TOML file, or from the run.toml of an earlier run"),
        args::quick("A reduced setting that takes a few seconds"),
        args::dry_run(),
        args::keep_runs(),
    ];
    let settings = (row.schema)();
    Command::new(row.name)
        .args_override_self(true)
        .aliases(underscored(row.name))
        .about(row.summary)
        .after_help(row.about())
        .args(common)
        .args(row.full.map(|takes| {
            Arg::new("full")
                .long("full")
                .action(ArgAction::SetTrue)
                .conflicts_with("quick")
                .help(format!("The published size, an estimated {takes} on two cores"))
        }))
        .args(args::run_options())
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

pub(crate) fn run(matches: &ArgMatches) -> Result<u8, LabError> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(USAGE) };
    let row = experiments::find(name)?;
    let config = match matches.get_one::<PathBuf>("config") {
        Some(path) => read_config(path, row.name, &(row.schema)())?,
        None => Config::default(),
    };
    // Precedence: defaults < quick or full < config < flags and --set.
    let (mut given, schema) = (config.settings, (row.schema)());
    given.extend(args::flags(matches, &schema)?);
    args::set_all(&mut given, &schema, matches)?;
    // Only experiments whose defaults are reduced have the flag.
    let full = row.full.is_some() && matches.get_flag("full");
    let size = match (matches.get_flag("quick"), full) {
        (true, _) => Size::Quick,
        (false, true) => Size::Full,
        (false, false) => Size::Default,
    };
    // Before anything needs the number of threads, as estimates of memory do.
    set_up(matches)?;
    let prepared = (row.prepare)(size, &given)?;
    let seed = match matches.get_one::<String>("seed") {
        Some(text) => read_seed(text)?,
        None => config.seed.unwrap_or(0),
    };
    let settings = prepared.settings();
    let manifest = Manifest { experiment: row.name, settings: &settings, schema: &schema, seed };
    if matches.get_flag("dry-run") {
        return rehearse(prepared.into(), &manifest, matches);
    }
    let dir = reserve(matches, &manifest)?;
    let finished = Finished::open(dir.path())?;
    carry_out(prepared.as_ref(), &manifest, dir, (matches, Some(&finished)))
}

/// The directory of a new run: the one asked for, or a free one under `runs`.
///
/// # Errors
/// It exists or cannot be made.
pub(crate) fn reserve(
    matches: &ArgMatches,
    manifest: &Manifest<'_>,
) -> Result<RunDir, RecordError> {
    match matches.get_one::<PathBuf>("out") {
        Some(out) => RunDir::create(out),
        None => RunDir::create_next(&usual_directory(manifest)),
    }
}

/// Runs what was prepared, writes its record into `dir` and prints the results. `finished` keeps jobs that end, and those
/// that it has are not trained.
///
/// # Errors
/// It cannot be run or recorded.
pub(crate) fn carry_out(
    prepared: &dyn Prepared,
    manifest: &Manifest<'_>,
    dir: RunDir,
    (matches, finished): (&ArgMatches, Option<&Finished>),
) -> Result<u8, LabError> {
    let stop = stop_switch();
    let (name, seed, settings) = (manifest.experiment, manifest.seed, manifest.settings);
    dir.begin(manifest)?;
    let json = matches.get_flag("json");
    if json {
        let settings: serde_json::Map<String, serde_json::Value> =
            settings.iter().map(|(key, value)| (key.clone(), to_json(value))).collect();
        out::json(
            "begin",
            serde_json::json!({ "experiment": name, "seed": seed, "settings": settings }),
        );
    }

    let (display, keeper) = (Display::new(name, "steps"), Keeper::default());
    let keeps = matches.try_get_one::<bool>("keep-runs").is_ok_and(|flag| flag == Some(&true));
    let conditions = Conditions::new(seed, &display, &stop).heard_within(&stop);
    let (keeper_of_runs, engine) = (keeps.then_some(&keeper as &dyn Keep), engine(finished));
    let outcome = prepared.run(&Conditions { keeper: keeper_of_runs, engine, ..conditions });
    display.clear();
    let ended = outcome.as_ref().is_ok_and(|outcome| outcome.status != Status::Interrupted);
    if let Some(finished) = finished.filter(|_| !ended) {
        finished.keep_all();
    }
    let outcome = match outcome.inspect_err(|_| dir.abandon()) {
        Err(LabError::Unfinished(Status::Interrupted)) => {
            out::talk("interrupted before there was anything to record");
            return Ok(INTERRUPTED);
        }
        outcome => outcome?,
    };
    if keeps {
        for (file, bytes) in keeper.files() {
            dir.put(FOLDER, file, &bytes)?;
        }
    }
    let path = dir.finish(manifest, &outcome, display.seconds())?;
    Ok(close(name, &outcome, &path, display.seconds(), json))
}

fn engine(finished: Option<&Finished>) -> Option<&dyn Engine> {
    finished.map(|finished| finished as &dyn Engine)
}

/// The command that resumes an interrupted run of `name` at `path`.
fn goes_on(name: &str, path: &Path) -> String {
    let verb = if name == EXPERIMENT { "train" } else { "run" };
    format!("fovea {verb} --resume {}", path.display())
}

/// Prints the results of a run of `name` that was recorded at `path`; the exit code says whether a claim failed.
pub(crate) fn close(name: &str, outcome: &Outcome, path: &Path, seconds: f64, json: bool) -> u8 {
    let on = (outcome.status == Status::Interrupted).then(|| goes_on(name, path));
    if json {
        say_json(outcome, path, seconds, on);
    } else {
        say(outcome, path, seconds);
        if let Some(command) = on {
            out::line(format!("to resume: {command}"));
        }
    }
    exit_code(outcome)
}

fn exit_code(outcome: &Outcome) -> u8 {
    let failed = outcome.claims.iter().any(|claim| claim.decision() == Decision::Fail);
    match outcome.status {
        Status::Interrupted => INTERRUPTED,
        Status::Completed if !failed => FINE,
        Status::Completed | Status::Diverged { .. } => FAILED,
    }
}

/// Why a run did not complete, if it did not.
fn trouble(status: &Status) -> Option<String> {
    match status {
        Status::Completed => None,
        Status::Interrupted => {
            Some("interrupted: the record holds what was done so far".to_owned())
        }
        Status::Diverged { curve, step } => Some(format!(
            "diverged: {curve} is no longer finite at step {step}; try a smaller lr or init_scale"
        )),
    }
}

fn say(outcome: &Outcome, path: &Path, seconds: f64) {
    outcome.summary.iter().for_each(out::line);
    for table in outcome.report.tables().filter(|table| table.name != CLAIMS) {
        out::line(format!("{}:", table.title()));
        table.lines(out::room() - 2).iter().for_each(|line| out::line(format!("  {line}")));
    }
    for claim in &outcome.claims {
        out::line(claim.in_words());
    }
    trouble(&outcome.status).iter().for_each(out::line);
    out::line(format!("record: {} ({seconds:.1} s)", path.display()));
    for (name, _) in &outcome.figures {
        out::line(format!("figure: {}", path.join(format!("figures/{name}.png")).display()));
    }
    out::line(format!("report: {}", path.join("report.html").display()));
}

fn say_json(outcome: &Outcome, path: &Path, seconds: f64, on: Option<String>) {
    for table in outcome.report.tables().filter(|table| table.name != CLAIMS) {
        out::json("table", table_json(table));
    }
    for claim in &outcome.claims {
        out::json("claim", claim.to_json());
    }
    let trouble = trouble(&outcome.status);
    let mut end = serde_json::json!({
        "status": outcome.status.word(), "trouble": trouble, "record": path.display().to_string(), "seconds": seconds,
    });
    if let Some(command) = on {
        end["to_go_on"] = command.into();
    }
    out::json("end", end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::stats::Estimate;
    use fovea_lab::{Claim, Silent};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_failed_claim_is_exit_1_and_an_undecided_one_is_not() {
        let given = ["steps", "batch", "replicas"].map(|key| (key.to_owned(), 4_usize.into()));
        let prepared =
            (experiments::find("localize").unwrap().prepare)(Size::Quick, &given.to_vec()).unwrap();
        let stop = AtomicBool::new(false);
        let mut outcome = prepared.run(&Conditions::new(0, &Silent, &stop)).unwrap();
        assert_eq!(exit_code(&outcome), FINE);
        let far = [(Estimate::from_parts(99.0, 1.0, 1000).unwrap(), 1.0)];
        outcome.claims = vec![Claim::family("L000.39", "x", &far).unchecked("for a reason")];
        assert_eq!(exit_code(&outcome), FINE);
        outcome.claims.push(Claim::family("L000.39", "x", &far));
        assert_eq!(exit_code(&outcome), FAILED);
    }
}
