//! `fovea verify --renew EXPERIMENT ...`: the outcomes of experiments at their default settings, kept in the sources as evidence.

use crate::args::wrong;
use crate::exit::{FAILED, FINE};
use crate::machine::set_up;
use crate::out;
use crate::progress::Display;
use crate::stop::stop_switch;
use clap::ArgMatches;
use fovea_lab::experiments::{self, Entry};
use fovea_lab::record::write_whole;
use fovea_lab::verify::evidence::{FOLDER, SEED, renew as run};
use fovea_lab::{Conditions, LabError};
use std::path::Path;

pub(super) fn renew<'a>(
    names: impl Iterator<Item = &'a String>,
    matches: &ArgMatches,
) -> Result<u8, LabError> {
    let rows: Vec<&Entry> = names.map(|name| experiments::find(name)).collect::<Result<_, _>>()?;
    let folder = Path::new(FOLDER);
    if !folder.is_dir() {
        let what = format!("there is no folder {FOLDER} here");
        let hint = "evidence is part of the sources: go to the root of a checkout".to_owned();
        return Err(wrong(what, hint));
    }
    set_up(matches)?;
    let mut failed = 0;
    for row in rows {
        let (stop, display) = (stop_switch(), Display::new(row.name, "steps"));
        let conditions = Conditions::new(SEED, &display, &stop).heard_within(&stop);
        let done = run(row, &conditions);
        display.clear();
        let (kept, text) = done?;
        let path = folder.join(row.name).with_extension("json");
        write_whole(&path, text.as_bytes())?;
        let count = |status: &str| kept.claims.iter().filter(|c| c.status == status).count();
        let [pass, fail, open] = ["pass", "fail", "unchecked"].map(count);
        failed += fail;
        let seconds = display.seconds();
        out::line(format!(
            "{}: {pass} pass, {fail} fail, {open} unchecked ({seconds:.1} s)",
            path.display()
        ));
        for claim in kept.claims.iter().filter(|claim| claim.status != "pass") {
            out::line(format!("  {} {}: {}", claim.status, claim.id, claim.claim.statement));
        }
    }
    Ok(if failed > 0 { FAILED } else { FINE })
}
