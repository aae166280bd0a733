//! `fovea run --resume DIR`: resumes an experiment that was stopped or killed, job by job.

use crate::args::wrong;
use crate::machine::set_up;
use crate::out;
use crate::run::carry_out;
use clap::ArgMatches;
use fovea_lab::config::read_config;
use fovea_lab::experiments::{self, Size};
use fovea_lab::finished::Finished;
use fovea_lab::record::{Manifest, NUMERIC_VERSION, Record, RunDir, config_hash};
use fovea_lab::training::EXPERIMENT;
use fovea_lab::verify;
use fovea_lab::{LabError, RecordError};
use std::path::Path;

/// Resumes the experiment in `path`.
pub(crate) fn resume(path: &Path, matches: &ArgMatches) -> Result<u8, LabError> {
    let dir = RunDir::reopen(path)?;
    let record = Record::open(path)?;
    if [EXPERIMENT, verify::EXPERIMENT].contains(&record.experiment.as_str()) {
        return Err(other_verb(path, &record.experiment).into());
    }
    let row = experiments::find(&record.experiment)?;
    let config = read_config(&dir.path().join("run.toml"), row.name, &(row.schema)())?;
    set_up(matches)?;
    let prepared = (row.prepare)(Size::Default, &config.settings)?;
    let (settings, schema, seed) = (prepared.settings(), (row.schema)(), record.seed);
    let manifest = Manifest { experiment: row.name, settings: &settings, schema: &schema, seed };
    if record.numeric_version != NUMERIC_VERSION || record.hash != config_hash(&manifest) {
        return Err(wrong(
            format!(
                "{} was started with other settings or inputs, or by another program",
                path.display()
            ),
            "run the experiment again, or put back the files that it reads".to_owned(),
        ));
    }
    let finished = Finished::open(dir.path())?;
    dir.begin_again()?;
    out::talk(match finished.len() {
        0 => "no job had finished: starting again".to_owned(),
        1 => "resuming after 1 job".to_owned(),
        jobs => format!("resuming after {jobs} jobs"),
    });
    if finished.damaged() > 0 {
        let files = finished.damaged();
        out::talk(format!("{files} damaged job files are ignored: those jobs are trained again"));
    }
    carry_out(prepared.as_ref(), &manifest, dir, (matches, Some(&finished)))
}

/// The error for an unfinished run of an `experiment` that another verb resumes; the hint names that verb.
pub(crate) fn other_verb(path: &Path, experiment: &str) -> RecordError {
    let hint = match experiment {
        EXPERIMENT => format!("write fovea train --resume {}", path.display()),
        verify::EXPERIMENT => "run fovea verify again: it keeps no partial results".to_owned(),
        _ => format!("write fovea run --resume {}", path.display()),
    };
    let what = format!("is an unfinished run of `{experiment}`");
    RecordError::Spoilt { path: path.display().to_string(), what, hint }
}
