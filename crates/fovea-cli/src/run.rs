//! `fovea run EXPERIMENT`: settings in layers, a record, and what a person wants to know at the end.

use crate::progress::Display;
use crate::{FAILED, FINE, INTERRUPTED, USAGE, args, out};
use clap::ArgMatches;
use fovea_lab::convert::{Config, read_config, read_seed, to_json};
use fovea_lab::record::{Manifest, RunDir, config_hash};
use fovea_lab::{Bench, LabError, Outcome, Status, experiments};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(crate) fn run(matches: &ArgMatches) -> Result<u8, LabError> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(USAGE) };
    let row = experiments::find(name)?;
    let config = match matches.get_one::<PathBuf>("config") {
        Some(path) => read_config(path, row.name)?,
        None => Config::default(),
    };
    // Precedence: defaults < quick < config < flags and --set.
    let mut given = config.settings;
    given.extend(args::flags(matches, &(row.schema)())?);
    given.extend(args::assignments(matches)?);
    let prepared = (row.prepare)(matches.get_flag("quick"), &given)?;
    let seed = match matches.get_one::<String>("seed") {
        Some(text) => read_seed(text)?,
        None => config.seed.unwrap_or(0),
    };
    if let Some(threads) = args::threads(matches)? {
        // Fails only where a pool exists already, and this is the first use of one.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }

    let stop = stop_switch();
    let settings = prepared.settings();
    let manifest = Manifest { experiment: row.name, settings: &settings, seed };
    let dir = match matches.get_one::<PathBuf>("out") {
        Some(out) => RunDir::create(out)?,
        None => RunDir::create_next(&Path::new("runs").join(format!(
            "{}-{}",
            row.name,
            &config_hash(&manifest)[..8]
        )))?,
    };
    dir.begin(&manifest)?;
    let json = matches.get_flag("json");
    if json {
        let settings: serde_json::Map<String, serde_json::Value> =
            settings.iter().map(|(key, value)| (key.clone(), to_json(value))).collect();
        out::json(
            "begin",
            serde_json::json!({ "experiment": row.name, "seed": seed, "settings": settings }),
        );
    }

    let display = Display::new(row.name);
    let outcome = prepared.run(&Bench { seed, progress: &display, stop: &stop });
    display.clear();
    let outcome = outcome.inspect_err(|_| dir.abandon())?;
    let path = dir.finish(&manifest, &outcome, display.seconds())?;
    if json {
        say_json(&outcome, &path, display.seconds());
    } else {
        say(&outcome, &path, display.seconds());
    }
    Ok(exit_code(&outcome))
}

/// A flag that Ctrl-C (or a polite kill) raises; a second Ctrl-C ends the program at once.
fn stop_switch() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
        use signal_hook::flag;
        for signal in [SIGINT, SIGTERM] {
            // Without handlers Ctrl-C simply kills the run, which its .partial directory survives.
            let _ = flag::register_conditional_shutdown(
                signal,
                i32::from(INTERRUPTED),
                Arc::clone(&stop),
            );
            let _ = flag::register(signal, Arc::clone(&stop));
        }
        // A file-size limit should fail the write, not kill the program.
        let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
    stop
}

fn exit_code(outcome: &Outcome) -> u8 {
    match outcome.status {
        Status::Interrupted => INTERRUPTED,
        Status::Completed if outcome.claims.iter().all(fovea_lab::Claim::passes) => FINE,
        Status::Completed | Status::Diverged { .. } => FAILED,
    }
}

/// What happened, where it did not go to the end.
fn trouble(status: &Status) -> Option<String> {
    match status {
        Status::Completed => None,
        Status::Interrupted => {
            Some("interrupted: the record holds what was done so far".to_owned())
        }
        Status::Diverged { curve, step } => Some(format!(
            "diverged: {curve} left the finite numbers at step {step}; a smaller lr may hold"
        )),
    }
}

fn say(outcome: &Outcome, path: &Path, seconds: f64) {
    outcome.summary.iter().for_each(out::line);
    for claim in &outcome.claims {
        let control = claim
            .control
            .as_ref()
            .map_or_else(String::new, |c| format!("; rejects {} at {:.0}", c.form, c.z.abs()));
        out::line(format!(
            "{} {}: {} (z = {:.2}, limit {:.2}{control})",
            claim.status(),
            claim.id,
            claim.statement,
            claim.z,
            claim.limit
        ));
    }
    trouble(&outcome.status).iter().for_each(out::line);
    out::line(format!("record: {} ({seconds:.1} s)", path.display()));
    for (name, _) in &outcome.figures {
        out::line(format!("figure: {}", path.join(format!("figures/{name}.png")).display()));
    }
    out::line(format!("report: {}", path.join("report.html").display()));
}

fn say_json(outcome: &Outcome, path: &Path, seconds: f64) {
    for claim in &outcome.claims {
        out::json("claim", claim.to_json());
    }
    let trouble = trouble(&outcome.status);
    out::json(
        "end",
        serde_json::json!({
            "status": outcome.status.word(), "trouble": trouble, "record": path.display().to_string(), "seconds": seconds,
        }),
    );
}
