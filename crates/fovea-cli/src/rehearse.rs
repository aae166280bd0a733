//! `--dry-run`: what a run would do, how long it would take and what it would write. Nothing is written.

use crate::args::wrong;
use crate::exit::FINE;
use crate::out;
use clap::ArgMatches;
use fovea_lab::clock::{Alone, now, process_seconds};
use fovea_lab::convert::to_json;
use fovea_lab::memory::in_bytes;
use fovea_lab::record::{Manifest, RunDir, peak_memory, size, usual_directory};
use fovea_lab::rehearsal::{Found, Rehearsal};
use fovea_lab::{Conditions, LabError, Prepared};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Seconds after which the time is estimated from the share of the work that is done, where that is known.
const SHARE_AFTER: f64 = 10.0;
/// Seconds after which a rehearsal ends in any case.
const LONGEST: f64 = 60.0;

/// The result of a rehearsal.
struct Estimate {
    found: Found,
    how: How,
    /// Files and bytes of the record, if there is one.
    record: Option<(u64, u64)>,
}

/// How the seconds were found.
enum How {
    /// Trainings in part, everything else in full.
    Rehearsed,
    /// There is no training: the run itself was carried out, and its numbers discarded.
    Run,
    /// From the share of the work that was done when the time was up.
    Share { done: u64, of: u64 },
    /// What follows the training could not be done with the numbers of a rehearsal.
    Unready,
    /// What follows the training took too long.
    Longer,
}

impl How {
    fn in_words(&self, found: &Found) -> String {
        let trainings = |what: &str| {
            let (count, steps) = (found.trainings, found.steps);
            let s = if count == 1 { "" } else { "s" };
            format!("{count} training{s}, {steps} steps in all, {what}")
        };
        match self {
            Self::Rehearsed => trainings("rehearsed"),
            Self::Run => "no training: everything was run".to_owned(),
            Self::Share { done, of } => format!("from the first {done} of {of} parts of the work"),
            Self::Unready => {
                trainings("rehearsed; what follows needs trained networks and is not counted")
            }
            Self::Longer => trainings("rehearsed; what follows takes longer than a minute"),
        }
    }

    /// Whether there is more to the run than was counted.
    fn is_part(&self) -> bool {
        matches!(self, Self::Unready | Self::Longer)
    }
}

/// Rehearses what was prepared and prints what it would take.
///
/// # Errors
/// It could not be run either.
pub(crate) fn rehearse(
    prepared: Arc<dyn Prepared>,
    manifest: &Manifest<'_>,
    matches: &ArgMatches,
) -> Result<u8, LabError> {
    let target = match matches.get_one::<PathBuf>("out") {
        Some(out) => RunDir::free(out),
        None => RunDir::free_next(&usual_directory(manifest)),
    }?;
    let base = peak_memory();
    let estimate = estimate(prepared, manifest)?;
    let thinned = estimate.found.thinned;
    let whole = |(peak, base): (u64, u64)| (base + ((peak - base) as f64 * thinned) as u64, base);
    let memory = peak_memory().zip(base).map(whole);
    if matches.get_flag("json") {
        say_json(&estimate, manifest, memory, &target);
    } else {
        say(&estimate, manifest, memory, &target);
    }
    Ok(FINE)
}

/// Rehearses on a thread of its own until the time is up; the thread ends with the program.
fn estimate(prepared: Arc<dyn Prepared>, manifest: &Manifest<'_>) -> Result<Estimate, LabError> {
    // Settings were read and checked, and samplers built: a real run does the same.
    let before = process_seconds().unwrap_or(0.0);
    let (began, rehearsal) = (now(), Arc::new(Rehearsal::default()));
    let (tell, told) = channel();
    let (seed, director) = (manifest.seed, Arc::clone(&rehearsal));
    let alone = std::thread::Builder::new().spawn(move || {
        let outcome =
            prepared.run(&Conditions::rehearsed(seed, &director, &AtomicBool::new(false)));
        // Nobody listens any more once the time is up. The result is taken here, while this thread lives: afterwards it is not
        // known how long it was kept waiting.
        let _ = tell.send((outcome, director.found()));
    });
    if let Err(error) = alone {
        let hint = "raise the limit on threads, or run it without --dry-run".to_owned();
        return Err(wrong(format!("a rehearsal needs a thread of its own: {error}"), hint));
    }
    loop {
        let told = told.recv_timeout(Duration::from_millis(200));
        let (elapsed, writing) = (began.elapsed().as_secs_f64(), Alone::begin());
        let mut found = told.as_ref().map_or_else(|_| rehearsal.found(), |(_, found)| *found);
        let (of, done) = found.parts;
        let (how, record) = match told.map(|(outcome, _)| Ok(size(manifest, &outcome?)?)) {
            Ok(Ok((files, bytes))) => {
                found.seconds += found.thinned * writing.seconds();
                let how = if found.trainings > 0 { How::Rehearsed } else { How::Run };
                // Where only some of the records were filled in, nearly all of a record is readings.
                let bytes = (bytes + found.beside) as f64 * found.thinned;
                (how, Some((files, bytes as u64)))
            }
            // Without training a rehearsal is the run itself, and its error the run's.
            Ok(Err(error)) if found.trainings == 0 => return Err(error),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => (How::Unready, None),
            Err(RecvTimeoutError::Timeout) if elapsed > SHARE_AFTER && done > 0 && of > done => {
                found.seconds += found.measuring * (of - done) as f64 / done as f64;
                (How::Share { done, of }, None)
            }
            Err(RecvTimeoutError::Timeout) if elapsed > LONGEST => (How::Longer, None),
            Err(RecvTimeoutError::Timeout) => continue,
        };
        found.seconds += before;
        return Ok(Estimate { found, how, record });
    }
}

fn say(estimate: &Estimate, manifest: &Manifest<'_>, memory: Option<(u64, u64)>, target: &Path) {
    out::line(format!(
        "{}, seed {}: dry run, nothing is written",
        manifest.experiment, manifest.seed
    ));
    for (key, value) in manifest.settings {
        out::line(format!("  {key} = {value}"));
    }
    let least = if estimate.how.is_part() { "at least" } else { "about" };
    let (seconds, how) = (estimate.found.seconds, estimate.how.in_words(&estimate.found));
    let threads = rayon::current_num_threads();
    out::line(format!("time: {least} {} on {threads} threads ({how})", in_seconds(seconds)));
    if let Some((peak, base)) = memory {
        let (peak, base) = (in_bytes(peak as f64), in_bytes(base as f64));
        out::line(format!("memory: {least} {peak}, of which {base} is the program itself"));
    }
    out::line(match estimate.record {
        Some((files, bytes)) => {
            format!(
                "record: about {} in {files} files, {}",
                in_bytes(bytes as f64),
                target.display()
            )
        }
        None => format!("record: {}, size unknown", target.display()),
    });
}

fn say_json(
    estimate: &Estimate,
    manifest: &Manifest<'_>,
    memory: Option<(u64, u64)>,
    target: &Path,
) {
    let settings: serde_json::Map<String, serde_json::Value> =
        manifest.settings.iter().map(|(key, value)| (key.clone(), to_json(value))).collect();
    let object = serde_json::json!({
        "experiment": manifest.experiment,
        "seed": manifest.seed,
        "settings": settings,
        "threads": rayon::current_num_threads(),
        "seconds": estimate.found.seconds,
        "at_least": estimate.how.is_part(),
        "how": estimate.how.in_words(&estimate.found),
        "trainings": estimate.found.trainings,
        "steps": estimate.found.steps,
        "memory_bytes": memory.map(|(peak, _)| peak),
        "program_bytes": memory.map(|(_, base)| base),
        "record": target.display().to_string(),
        "record_files": estimate.record.map(|(files, _)| files),
        "record_bytes": estimate.record.map(|(_, bytes)| bytes),
    });
    out::json("dry-run", object);
}

/// A time in a unit that fits.
fn in_seconds(seconds: f64) -> String {
    match seconds {
        s if s < 9.95 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_in_units_that_fit() {
        let said = [0.04, 31.6, 600.0, 9000.0, 1e6].map(in_seconds);
        assert_eq!(said, ["0.0 s", "32 s", "10 min", "2.5 h", "11.6 days"]);
    }
}
