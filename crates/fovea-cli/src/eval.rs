//! `fovea eval FORM`: any closed form, from the shell.

use crate::exit::FINE;
use crate::{args, out};
use clap::{Arg, ArgMatches, Command};
use fovea_lab::LabError;
use fovea_lab::convert::to_json;
use fovea_lab::forms;
use fovea_lab::settings::load_arrays;
use std::path::Path;

pub(crate) fn command() -> Command {
    Command::new("eval")
        .about("Evaluate a closed form")
        .arg(
            Arg::new("form")
                .value_name("FORM")
                .required(true)
                .help("Name of the form, such as nlgp.excess_kurtosis"),
        )
        .arg(args::set())
        .arg(args::json())
}

pub(crate) fn eval(matches: &ArgMatches) -> Result<u8, LabError> {
    let name = matches.get_one::<String>("form").map_or("", |name| name);
    let form = forms::find(name)?;
    let mut given = args::assignments(matches)?;
    for (key, value) in &mut given {
        load_arrays(key, value, Path::new("."))?;
    }
    let value = form.at(&given)?;
    if matches.get_flag("json") {
        let arguments: serde_json::Map<String, serde_json::Value> =
            given.iter().map(|(key, value)| (key.clone(), to_json(value))).collect();
        out::json(
            "eval",
            serde_json::json!({ "form": form.name, "arguments": arguments, "value": to_json(&value) }),
        );
    } else {
        out::line(value.to_string());
    }
    Ok(FINE)
}
