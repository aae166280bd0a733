//! `fovea report DIR`: figures and report drawn again from a record.

use crate::args::wrong;
use crate::exit::FINE;
use crate::machine::set_up;
use crate::progress::Display;
use crate::run::close;
use crate::stop::{let_writes_fail, stop_switch};
use crate::{args, out};
use clap::{Arg, ArgAction, ArgMatches, Command};
use fovea_lab::config::read_config;
use fovea_lab::experiments::{self, Size};
use fovea_lab::kept::Kept;
use fovea_lab::record::{
    Manifest, NUMERIC_VERSION, Record, RunDir, checked_report, draw, write_report,
};
use fovea_lab::{Conditions, LabError, Status};
use std::path::{Path, PathBuf};

/// Widths of a figure in pixels, from the narrowest that holds its text to the widest that makes a picture.
const WIDTHS: std::ops::RangeInclusive<f64> = 160.0..=10_000.0;

pub(crate) fn command() -> Command {
    Command::new("report")
        .about("Draw the figures and the report of a record again, without running anything")
        .after_help(
            "A record keeps its figures as data in report.json; drawn again unchanged, they are the same bytes. Files are \
             replaced one at a time, also those that were edited by hand. A record whose files of numbers were changed since \
             the run is refused. Interrupted runs (DIR.partial) and the output of `fovea compare --out` can be drawn again \
             too.\n\n\
             With --json, one object of type `report` names the report, its figures, and their directory.",
        )
        .args_override_self(true)
        .arg(
            Arg::new("dir")
                .value_name("DIR")
                .required(true)
                .value_parser(clap::value_parser!(PathBuf))
                .help("The directory of a run"),
        )
        .arg(args::new_directory("Draw into this directory, which must not exist [default: DIR itself]"))
        .arg(
            Arg::new("width")
                .long("width")
                .value_name("PX")
                .allow_negative_numbers(true)
                .help("Width of every figure in pixels, 160 to 10000; a PNG has twice as many [default: its own]"),
        )
        .arg(
            Arg::new("recompute")
                .long("recompute")
                .action(ArgAction::SetTrue)
                .conflicts_with("width")
                .help("Repeat the analysis of runs kept by `fovea run --keep-runs`, without training, into a new record (--out)"),
        )
        .arg(args::json())
}

pub(crate) fn report(matches: &ArgMatches) -> Result<u8, LabError> {
    let width = matches.get_one::<String>("width").map(|text| read_width(text)).transpose()?;
    let Some(dir) = matches.get_one::<PathBuf>("dir") else {
        unreachable!("clap asks for the directory")
    };
    if matches.get_flag("recompute") {
        return recompute(dir, matches);
    }
    let (mut report, told) = checked_report(dir)?;
    told.iter().for_each(out::talk);
    if let Some(width) = width {
        report = report.figures_wide(width);
    }
    let_writes_fail();
    let target = matches.get_one::<PathBuf>("out");
    let files = match target {
        Some(target) => write_report(target, &report)?,
        None => draw(dir, &report)?,
    };
    say(&files, target.unwrap_or(dir), matches.get_flag("json"));
    Ok(FINE)
}

/// Makes a new record of an experiment from the runs that it kept.
fn recompute(dir: &Path, matches: &ArgMatches) -> Result<u8, LabError> {
    let Some(out) = matches.get_one::<PathBuf>("out") else {
        let hint = "write fovea report DIR --recompute --out NEW".to_owned();
        return Err(wrong(
            "--recompute makes a new record and needs a name for it".to_owned(),
            hint,
        ));
    };
    set_up(matches)?;
    let record = Record::open(dir)?;
    record.check()?.iter().for_each(out::talk);
    let refuse = |what: String, hint: &str| Err(wrong(what, hint.to_owned()));
    if record.status != Status::Completed.word() {
        let what = format!("{} is {}: its kept runs are incomplete", dir.display(), record.status);
        return refuse(what, "give the record of a completed run");
    }
    if record.numeric_version != NUMERIC_VERSION {
        let what = format!(
            "{} has numeric version {} and this program {NUMERIC_VERSION}",
            dir.display(),
            record.numeric_version
        );
        return refuse(what, "run the experiment again: its numbers have changed since");
    }
    let row = experiments::find(&record.experiment)?;
    let (kept, schema) = (Kept::open(dir)?, (row.schema)());
    let config = read_config(&dir.join("run.toml"), row.name, &(row.schema)())?;
    let prepared = (row.prepare)(Size::Default, &config.settings)?;
    let (settings, seed) = (prepared.settings(), record.seed);
    let manifest = Manifest { experiment: row.name, settings: &settings, schema: &schema, seed };
    let target = RunDir::create(out)?;
    target.begin(&manifest)?;
    let (stop, display) = (stop_switch(), Display::new(row.name, "steps"));
    let conditions = Conditions::new(seed, &display, &stop).heard_within(&stop);
    let conditions = Conditions { engine: Some(&kept), ..conditions };
    let outcome = prepared.run(&conditions);
    display.clear();
    let outcome = outcome.inspect_err(|_| target.abandon())?;
    let path = target.finish(&manifest, &outcome, display.seconds())?;
    Ok(close(row.name, &outcome, &path, display.seconds(), matches.get_flag("json")))
}

/// Names what was drawn; the page comes last.
pub(crate) fn say(files: &[PathBuf], dir: &std::path::Path, json: bool) {
    let Some((page, figures)) = files.split_last() else { return };
    let name = |file: &PathBuf| file.display().to_string();
    if json {
        let figures: Vec<String> = figures.iter().map(name).collect();
        let object = serde_json::json!({ "record": dir.display().to_string(), "figures": figures, "report": name(page) });
        return out::json("report", object);
    }
    let pictures = figures.iter().filter(|file| file.extension().is_some_and(|end| end == "png"));
    for figure in pictures {
        out::line(format!("figure: {}", name(figure)));
    }
    out::line(format!("report: {}", name(page)));
}

fn read_width(text: &str) -> Result<f64, LabError> {
    match text.parse::<f64>() {
        Ok(width) if WIDTHS.contains(&width) => Ok(width),
        _ => Err(wrong(
            format!("`width` is {text}; it must be a number of pixels from 160 to 10000"),
            "write --width 720, for example, or leave it out".to_owned(),
        )),
    }
}
