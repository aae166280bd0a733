//! `fovea verify [PREFIX ...]`: every claim, tested.

use crate::exit::{FAILED, FINE, INTERRUPTED};
use crate::machine::set_up;
use crate::progress::{self, Display};
use crate::run::reserve;
use crate::stop::stop_switch;
use crate::{args, out};
use clap::{Arg, ArgAction, ArgMatches, Command};
use fovea_lab::claim::Evidence;
use fovea_lab::convert::read_seed;
use fovea_lab::record::{Manifest, RunDir};
use fovea_lab::table::wrapped;
use fovea_lab::verify::{
    EXPERIMENT, Finding, Status, Verification, lines, outcome, settings, verify as test,
};
use fovea_lab::{Conditions, LabError, claims};

/// What the words mean, and the keys of one JSON object, for `--help`.
const ABOUT: &str = "\
A prefix is a document (L, L003, T06) or one claim (L000.3); without any, every claim is checked.

Verdict: whether the source is right. holds, corrected, completed, phenomenon, open, definition.

Status: pass (all clauses of the claim passed), partial (some passed, nothing decides the others), fail, unchecked (there is no \
check yet, or it could not tell), listed (there is nothing to test).

Evidence: form (a closed form and an independent computation without noise), simulated (sampled or trained, with standard errors \
where it has noise), shown (a phenomenon, by a criterion written down before the run); of several clauses the weakest.

Distance: the number of digits on which both sides agree. Where one side is sampled: the difference in standard errors, and how \
many are allowed, so that a false alarm has probability 1e-6 over all numbers of a clause. Where cases are counted: how many of \
them obey. The pair nearest to its limit is shown.

A pass also means that a named wrong form, used instead of the right one, was rejected.

Clauses that take too long for a check are decided by an experiment: its outcome at default settings is kept with the program, and \
counts as long as the quick run of that experiment still has the same numbers.

Up to five claims are told in full; more as a table, with the statement and what was compared below each row. The record has \
everything in its report and in tables/*.parquet: claims, counts, errata, distances, rejected, and the errors that the checks \
notice, slips and predictions.

With --json each claim is one object of type `claim`: id, document, equation, statement, verdict, source and correct (the \
source's form and the right one), status, evidence, and clauses: a list with one object per thing the claim says, of clause \
(its id), says, criterion (of a phenomenon), status, check (that covers it), experiment (whose outcome decides it, where no \
check does), agrees (other experiments that found the same), contradicted_by (where it fails: by what it passes), compared (what \
the two sides are), evidence, predicted, measured, resolution (the relative error of any one prediction that would be noticed), \
and digits and allowed_error, or z, std_err and limit, or hits, trials and by_chance (the chance that a case obeys by chance); \
rejects (the wrong form), rejects_predicted, rejects_measured and rejects_distance (where it is furthest off, and how far, in the \
same unit); why and remark. What does not apply is null. An object of type `end` closes with the counts, and with those of what \
passed by evidence.";

mod calibrate;
mod renew;

pub(crate) fn command() -> Command {
    Command::new("verify")
        .about("Test every claim: both sides computed independently, and their distance")
        .after_help(ABOUT)
        .args_override_self(true)
        .arg(
            Arg::new("prefix")
                .value_name("PREFIX")
                .num_args(0..)
                .help("Only claims under these prefixes, such as L, L003, T06 or L000.3"),
        )
        .arg(args::quick("A tenth of the samples: takes less than a minute, and resolves less"))
        .arg(
            Arg::new("fresh-seeds")
                .long("fresh-seeds")
                .action(ArgAction::SetTrue)
                .conflicts_with("seed")
                .help("A new seed, from the clock; it is printed at the end"),
        )
        .arg(
            Arg::new("calibrate")
                .long("calibrate")
                .value_name("SEEDS")
                .allow_negative_numbers(true)
                .conflicts_with("out")
                .help("Test whether distances are standard normal over this many seeds from --seed on; writes no record"),
        )
        .arg(
            Arg::new("renew")
                .long("renew")
                .value_name("EXPERIMENT")
                .num_args(1..)
                .conflicts_with_all([
                    "prefix", "quick", "seed", "fresh-seeds", "calibrate", "out", "json",
                ])
                .help("In a source tree: run experiments at their default settings and keep their outcomes as evidence"),
        )
        .args(args::run_options())
}

pub(crate) fn verify(matches: &ArgMatches) -> Result<u8, LabError> {
    if let Some(names) = matches.get_many::<String>("renew") {
        return renew::renew(names, matches);
    }
    let prefixes: Vec<String> =
        matches.get_many::<String>("prefix").into_iter().flatten().cloned().collect();
    let rows = claims::select(&prefixes)?;
    let seed = match matches.get_one::<String>("seed") {
        Some(text) => read_seed(text)?,
        None if matches.get_flag("fresh-seeds") => progress::fresh_seed(),
        None => 0,
    };
    let seeds = calibrate::seeds(matches)?;
    set_up(matches)?;
    if let Some(seeds) = seeds {
        return calibrate::calibrate(&rows, (seed, seeds), matches);
    }
    let (quick, json) = (matches.get_flag("quick"), matches.get_flag("json"));
    let settings = settings(&prefixes, quick);
    let manifest = Manifest { experiment: EXPERIMENT, settings: &settings, schema: &[], seed };
    let dir = reserve(matches, &manifest)?;
    dir.begin(&manifest)?;

    let (stop, display) = (stop_switch(), Display::new("verify", "checks"));
    let verified = {
        let conditions = Conditions::new(seed, &display, &stop).heard_within(&stop);
        test(&rows, quick, &conditions)
    };
    display.clear();
    let Some(verified) = verified.inspect_err(|_| dir.abandon())? else {
        dir.abandon();
        out::talk("interrupted: nothing was recorded");
        return Ok(INTERRUPTED);
    };
    let findings = &verified.findings;
    say(findings, json);
    let seconds = display.seconds();
    close(&verified, dir, &manifest, (quick, json, seconds))?;
    let failed = findings.iter().any(|finding| finding.status() == Status::Fail);
    Ok(if failed { FAILED } else { FINE })
}

/// The table or the objects, and what failed in full.
fn say(findings: &[Finding], json: bool) {
    if json {
        for finding in findings {
            out::json("claim", finding.to_json());
        }
        return;
    }
    for line in lines(findings, progress::width()) {
        out::line(line);
    }
    for finding in findings.iter().filter(|finding| finding.status() == Status::Fail) {
        for decided in finding.clauses.iter().filter(|one| one.status() == Status::Fail) {
            out::line(format!("\nfail {}: {}", decided.clause.id, decided.clause.says));
            if let Some(claim) = &decided.claim {
                out::line(format!("  compared: {}", claim.statement));
                out::line(format!("  predicted {}, measured {}", claim.predicted, claim.measured));
            }
        }
    }
}

/// Records the findings and prints the counts.
fn close(
    verified: &Verification,
    dir: RunDir,
    manifest: &Manifest<'_>,
    (quick, json, seconds): (bool, bool, f64),
) -> Result<(), LabError> {
    let (outcome, findings) = (outcome(verified, quick), verified.findings.as_slice());
    let path = dir.finish(manifest, &outcome, seconds)?;
    if json {
        let count = |status: Status| findings.iter().filter(|f| f.status() == status).count();
        let mut end = serde_json::json!({
            "claims": findings.len(), "seed": manifest.seed, "record": path.display().to_string(), "seconds": seconds,
        });
        for status in Status::ALL {
            end[status.word()] = count(status).into();
        }
        for kind in Evidence::ALL {
            let by = |f: &&Finding| f.status() == Status::Pass && f.evidence() == Some(kind);
            end[kind.word()] = findings.iter().filter(by).count().into();
        }
        out::json("end", end);
        return Ok(());
    }
    out::line("");
    for line in outcome.summary.iter().flat_map(|line| wrapped(line, progress::width())) {
        out::line(line);
    }
    out::line(format!("report: {} ({seconds:.1} s)", path.join("report.html").display()));
    if manifest.seed != 0 {
        out::line(format!("seed: {}", manifest.seed));
    }
    Ok(())
}
