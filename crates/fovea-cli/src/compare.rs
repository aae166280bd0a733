//! `fovea compare A B ...`: records side by side.

use crate::exit::FINE;
use crate::stop::let_writes_fail;
use crate::{args, out, progress};
use clap::{Arg, ArgMatches, Command};
use fovea_core::Value;
use fovea_lab::LabError;
use fovea_lab::compare::{ClaimRow, Comparison, Lane, Over, Setting, compare as side_by_side};
use fovea_lab::compare::{report, text};
use fovea_lab::convert::to_json;
use fovea_lab::record::{Judged, write_report};
use serde_json::{Map, json};
use std::path::{Path, PathBuf};

const ABOUT: &str = "\
Settings that differ stand in one column per record, nested ones by their path; when and where a run was made does not count. \
Readings are means over the units of a record: of each curve where there are few, of all curves together where there are \
many, with the 10 % and the 90 % quantile where there are three readings or more at a time. A claim that does not come out the \
same in every record is marked \u{2260}. Records of different experiments can be compared, and interrupted ones.

With --out a report is written, with the readings drawn over one another; `fovea report` can draw it again.

With --json each record, setting, reading and claim is one object, of type `record` (name, path, experiment, status, seed, \
hash), `setting` (setting, values), `reading` (probe, curve, record, curves, readings, and at the last time or step `at`: mean, \
low, high) or `claim` (id, statement, differs, records: its outcome in each). Values by record are keyed by its name. An \
object of type `end` closes with the counts and, where one was written, the report.";

pub(crate) fn command() -> Command {
    Command::new("compare")
        .about("Put records side by side: settings that differ, readings over one another, claims")
        .after_help(ABOUT)
        .args_override_self(true)
        .arg(
            Arg::new("dirs")
                .value_name("DIR")
                .num_args(1..)
                .required(true)
                .value_parser(clap::value_parser!(PathBuf))
                .help("The directories of two runs or more"),
        )
        .arg(
            Arg::new("over")
                .long("over")
                .value_name("AXIS")
                .value_parser(["time", "step"])
                .default_value("time")
                .hide_possible_values(true)
                .help("What readings are drawn over: time, which is steps times learning rate, or step"),
        )
        .arg(args::new_directory("Write report and figure into this directory, which must not exist"))
        .arg(args::json())
}

pub(crate) fn compare(matches: &ArgMatches) -> Result<u8, LabError> {
    let dirs: Vec<&Path> =
        matches.get_many::<PathBuf>("dirs").into_iter().flatten().map(PathBuf::as_path).collect();
    let step = matches.get_one::<String>("over").is_some_and(|over| over == "step");
    let comparison = side_by_side(&dirs, if step { Over::Step } else { Over::Time })?;
    comparison.remarks.iter().for_each(out::talk);
    let_writes_fail();
    let target = matches.get_one::<PathBuf>("out");
    let files = match target {
        Some(target) => write_report(target, &report(&comparison))?,
        None => Vec::new(),
    };
    if matches.get_flag("json") {
        say_json(&comparison, files.last());
        return Ok(FINE);
    }
    text(&comparison, progress::width()).iter().for_each(out::line);
    if let Some(target) = target {
        out::line("");
        crate::report::say(&files, target, false);
    }
    Ok(FINE)
}

fn say_json(comparison: &Comparison, page: Option<&PathBuf>) {
    for (name, record) in comparison.names.iter().zip(&comparison.records) {
        let object = json!({
            "name": name, "path": record.path().display().to_string(), "experiment": record.experiment,
            "status": record.status, "seed": record.seed, "hash": record.hash,
        });
        out::json("record", object);
    }
    for setting in &comparison.settings {
        out::json("setting", setting_json(comparison, setting));
    }
    for lane in &comparison.lanes {
        readings_json(comparison, lane);
    }
    for row in &comparison.claims {
        out::json("claim", claim_json(comparison, row));
    }
    let differing = comparison.claims.iter().filter(|row| row.differs()).count();
    out::json(
        "end",
        json!({
            "records": comparison.records.len(), "settings": comparison.settings.len(), "claims": comparison.claims.len(),
            "differing": differing, "report": page.map(|page| page.display().to_string()),
        }),
    );
}

fn setting_json(comparison: &Comparison, setting: &Setting) -> serde_json::Value {
    let values = comparison.names.iter().zip(&setting.values);
    let values: Map<String, serde_json::Value> =
        values.map(|(name, value)| (name.clone(), value.as_ref().map(to_json).into())).collect();
    json!({ "setting": setting.path, "values": values })
}

/// The last number as JSON; none where there is none.
fn last(numbers: &[f64]) -> serde_json::Value {
    numbers.last().filter(|x| !x.is_nan()).map(|x| to_json(&Value::Real(*x))).into()
}

fn readings_json(comparison: &Comparison, lane: &Lane) {
    for line in &lane.lines {
        let object = json!({
            "probe": lane.probe, "curve": lane.curve.as_ref().or(line.curve.as_ref()), "record": comparison.names[line.record],
            "curves": line.curves, "readings": line.readings, "over": comparison.over.word(), "at": last(&line.x),
            "mean": last(&line.mean), "low": last(&line.low), "high": last(&line.high),
        });
        out::json("reading", object);
    }
}

fn claim_json(comparison: &Comparison, row: &ClaimRow) -> serde_json::Value {
    let real = |x: Option<f64>| serde_json::Value::from(x.map(|x| to_json(&Value::Real(x))));
    let told = |judged: &Judged| {
        json!({
            "statement": judged.statement, "status": judged.status, "why": judged.why, "predicted": real(judged.predicted),
            "measured": real(judged.measured), "std_err": real(judged.std_err), "z": real(judged.z), "limit": real(judged.limit),
            "digits": real(judged.digits),
        })
    };
    let records = comparison.names.iter().zip(&row.judged);
    let records: Map<String, serde_json::Value> =
        records.filter_map(|(name, judged)| Some((name.clone(), told(judged.as_ref()?)))).collect();
    json!({ "id": row.id, "statement": row.statement, "differs": row.differs(), "records": records })
}
