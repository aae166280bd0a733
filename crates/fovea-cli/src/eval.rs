//! `fovea eval FORM`: any closed form, from the shell.

use crate::{FINE, args, out};
use clap::ArgMatches;
use fovea_lab::LabError;
use fovea_lab::convert::to_json;
use fovea_lab::forms;

pub(crate) fn eval(matches: &ArgMatches) -> Result<u8, LabError> {
    let name = matches.get_one::<String>("form").map_or("", |name| name);
    let form = forms::find(name)?;
    let given = args::assignments(matches)?;
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
