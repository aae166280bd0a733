//! `fovea train FILE`: any network on any task; resuming.

use crate::args::wrong;
use crate::machine::set_up;
use crate::rehearse::rehearse;
use crate::resume::other_verb;
use crate::run::{carry_out, reserve};
use crate::{args, out};
use clap::{Arg, ArgMatches, Command};
use fovea_core::params::Schema;
use fovea_lab::config::{Config, read_config};
use fovea_lab::convert::read_seed;
use fovea_lab::record::{Manifest, RunDir, config_hash, former_hashes};
use fovea_lab::training::{EXPERIMENT, Training, TrainingJob, latest};
use fovea_lab::{LabError, Prepared, RecordError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn command() -> Command {
    Command::new("train")
        .about("Train any network on any task described in a TOML file; resume a run that was stopped")
        .after_help(
            "A file needs only what differs from the defaults, which `fovea show training` lists:\n\n  \
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
                .help("Resume an interrupted run from its latest checkpoint; DIR ends in .partial"),
        )
        .arg(args::set())
        .arg(args::dry_run().conflicts_with("resume"))
        .args(args::run_options())
}

pub(crate) fn train(matches: &ArgMatches) -> Result<u8, LabError> {
    match matches.get_one::<PathBuf>("resume") {
        Some(dir) => resume(dir, matches),
        None => begin(matches),
    }
}

fn begin(matches: &ArgMatches) -> Result<u8, LabError> {
    let Some(file) = matches.get_one::<PathBuf>("file") else {
        let hint = "write fovea train FILE.toml; `fovea train --help` has an example".to_owned();
        return Err(wrong("no training file is given".to_owned(), hint));
    };
    let Config { mut settings, seed } = read_config(file, EXPERIMENT, &Training::schema())?;
    args::set_all(&mut settings, &Training::schema(), matches)?;
    let seed = match matches.get_one::<String>("seed") {
        Some(text) => read_seed(text)?,
        None => seed.unwrap_or(0),
    };
    // Samplers are made here, and some are work for all threads.
    set_up(matches)?;
    let job = TrainingJob::new(&settings)?;
    let settings = job.settings();
    let schema = Training::schema();
    let manifest = Manifest { experiment: EXPERIMENT, settings: &settings, schema: &schema, seed };
    if matches.get_flag("dry-run") {
        return rehearse(Arc::new(job), &manifest, matches);
    }
    let dir = reserve(matches, &manifest)?;
    let job = job.keeping_in(dir.path(), &config_hash(&manifest));
    carry_out(&job, &manifest, dir, (matches, None))
}

/// Resumes the run in `path`; without a checkpoint it starts again.
fn resume(path: &Path, matches: &ArgMatches) -> Result<u8, LabError> {
    let dir = RunDir::reopen(path)?;
    let config = read_config(&dir.path().join("run.toml"), EXPERIMENT, &Training::schema());
    let config = config.map_err(|error| match error {
        RecordError::OtherExperiment { found, .. } => other_verb(path, &found),
        error => error,
    })?;
    let seed = config.seed.unwrap_or(0);
    set_up(matches)?;
    let mut job = TrainingJob::new(&config.settings)?;
    let settings = job.settings();
    let schema = Training::schema();
    let manifest = Manifest { experiment: EXPERIMENT, settings: &settings, schema: &schema, seed };
    let hash = config_hash(&manifest);
    let from = match latest(dir.path(), &hash, &former_hashes(&manifest))? {
        Some(saved) => {
            saved.remarks().iter().for_each(out::talk);
            let from = format!("resuming from step {}", saved.step());
            job = job.from_checkpoint(saved);
            from
        }
        None => "there is no checkpoint: starting again".to_owned(),
    };
    out::talk(from);
    let job = job.keeping_in(dir.path(), &hash);
    carry_out(&job, &manifest, dir, (matches, None))
}
