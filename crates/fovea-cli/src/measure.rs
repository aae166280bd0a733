//! `fovea measure FILE.npy [PROBE ...]`: probes on anybody's weights.

use crate::exit::FINE;
use crate::{args, out, progress};
use clap::{Arg, ArgMatches, Command};
use fovea_core::Value;
use fovea_lab::LabError;
use fovea_lab::convert::to_json;
use fovea_lab::measure::{Fields, Reading, lists, probes, read_shape, tables};
use fovea_lab::record::read_npy;
use serde_json::{Map, json};
use std::path::PathBuf;

const ABOUT: &str = "\
Rows of the array are units, columns are sites of a ring; an array of one axis is one unit. Where each field lies on a torus the \
array may have its axes (units x height x width), or --shape gives them. Whole numbers, bool, float32 and \
float64 are read; float16, longdouble and complex numbers are not.

Without a PROBE, all probes are measured that need weights alone and give named numbers; `fovea list probes` lists every probe. A \
probe that gives one number per site or per frequency is only counted, and --json writes its numbers out; a probe that needs \
samples is measured during training.

With --json each unit is one object of type `unit`: unit, and under `readings` every number by its name, or a list where a \
probe gives one per site. What is measured of all units together is one object of type `network` with the same `readings`. An \
object of type `end` closes with units, shape and probes.";

pub(crate) fn command() -> Command {
    Command::new("measure")
        .about("Measure your own weights: every probe that needs weights alone")
        .after_help(ABOUT)
        .args_override_self(true)
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .value_parser(clap::value_parser!(PathBuf))
                .help("An array of weights, one row per unit, as numpy.save writes it"),
        )
        .arg(
            Arg::new("probe")
                .value_name("PROBE")
                .num_args(0..)
                .help("Probes to measure, such as ipr [default: all with named numbers]"),
        )
        .arg(Arg::new("shape").long("shape").value_name("AxB").allow_hyphen_values(true).help(
            "Shape of the torus on which each field lies, such as 30x30 [default: the array's own]",
        ))
        .arg(args::json())
}

pub(crate) fn measure(matches: &ArgMatches) -> Result<u8, LabError> {
    let names: Vec<String> =
        matches.get_many::<String>("probe").into_iter().flatten().cloned().collect();
    let probes = probes(&names)?;
    let shape = matches.get_one::<String>("shape").map(|text| read_shape(text)).transpose()?;
    let Some(file) = matches.get_one::<PathBuf>("file") else {
        unreachable!("clap asks for the file")
    };
    let mut array = read_npy(file)?;
    // Errors name the file as it was typed.
    array.name = file.display().to_string();
    let fields = Fields::new(&array, shape.as_deref())?;
    let readings = fields.measure(&probes)?;
    if matches.get_flag("json") {
        say_json(&readings, &fields);
    } else {
        let tables = tables(&readings, fields.units());
        let blocks = tables.iter().map(|table| table.lines(progress::width()));
        let lists = Some(lists(&readings)).filter(|lines| !lines.is_empty());
        for (i, lines) in blocks.chain(lists).enumerate() {
            if i > 0 {
                out::line("");
            }
            lines.iter().for_each(out::line);
        }
    }
    Ok(FINE)
}

/// The readings of one row: named numbers, or a list.
fn readings_json(reading: &Reading, row: &[f64], to: &mut Map<String, serde_json::Value>) {
    let before = to.len();
    for (name, x) in reading.probe.named(row) {
        to.insert(name, to_json(&Value::Real(x)));
    }
    if to.len() == before {
        to.insert(reading.probe.name.to_owned(), to_json(&Value::reals(row)));
    }
}

fn say_json(readings: &[Reading], fields: &Fields) {
    let is_of_units = |reading: &&Reading| reading.is_of_units();
    for unit in 0..fields.units() {
        let mut all = Map::new();
        for reading in readings.iter().filter(is_of_units) {
            readings_json(reading, &reading.rows[unit], &mut all);
        }
        if !all.is_empty() {
            out::json("unit", json!({ "unit": unit, "readings": all }));
        }
    }
    let mut all = Map::new();
    for reading in readings.iter().filter(|reading| !reading.is_of_units()) {
        reading.rows.iter().for_each(|row| readings_json(reading, row, &mut all));
    }
    if !all.is_empty() {
        out::json("network", json!({ "readings": all }));
    }
    let names: Vec<&str> = readings.iter().map(|reading| reading.probe.name).collect();
    out::json("end", json!({ "units": fields.units(), "shape": fields.shape(), "probes": names }));
}
