//! `fovea list`: what there is.

use crate::exit::FINE;
use crate::{args, out};
use clap::{Arg, ArgMatches, Command};
use fovea_lab::{LabError, catalogue};

pub(crate) fn command() -> Command {
    Command::new("list")
        .about("List experiments, closed forms, stimuli, networks, probes, ...")
        .arg(
            Arg::new("kind")
                .value_name("KIND")
                .help("Only items of this kind, such as `experiment` or `form`"),
        )
        .arg(args::json())
}

pub(crate) fn list(matches: &ArgMatches) -> Result<u8, LabError> {
    let items = catalogue();
    let mut kinds: Vec<&'static str> = items.iter().map(|item| item.kind).collect();
    kinds.dedup();
    if let Some(kind) = matches.get_one::<String>("kind") {
        // A person types the plural: `forms`, `stimuli`. The kinds differ before their last vowels and s.
        let stem = |word: &str| word.trim_end_matches(['a', 'e', 'i', 'u', 's']).to_owned();
        kinds.retain(|k| stem(k) == stem(kind));
        if kinds.is_empty() {
            let mut known: Vec<&'static str> = items.iter().map(|item| item.kind).collect();
            known.dedup();
            return Err(LabError::UnknownName { kind: "kind of item", name: kind.clone(), known });
        }
    }
    for kind in kinds {
        let of_kind = items.iter().filter(|item| item.kind == kind);
        if matches.get_flag("json") {
            for item in of_kind {
                out::json(
                    "item",
                    serde_json::json!({ "kind": kind, "name": item.name, "summary": item.summary }),
                );
            }
            continue;
        }
        // Hundreds of claims would bury the rest: they are named only on request.
        if kind == "claim" && matches.get_one::<String>("kind").is_none() {
            out::line(format!(
                "claim:\n  {} of them: fovea list claims names them, fovea verify tests them\n",
                of_kind.count()
            ));
            continue;
        }
        out::line(format!("{kind}:"));
        let width = of_kind.clone().map(|item| item.name.len()).fold(24, usize::max);
        for item in of_kind {
            out::line(format!("  {:<width$} {}", item.name, item.summary));
        }
        out::line("");
    }
    if !matches.get_flag("json") {
        out::line("fovea show NAME describes any of them.");
    }
    Ok(FINE)
}
