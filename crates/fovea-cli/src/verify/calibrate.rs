//! `fovea verify --calibrate SEEDS`: whether the distances that checks report are standard normal.

use crate::args::wrong;
use crate::exit::{FAILED, FINE, INTERRUPTED};
use crate::out;
use crate::progress::{self, Display};
use crate::stop::stop_switch;
use clap::ArgMatches;
use fovea_lab::claims::Row;
use fovea_lab::table::Table;
use fovea_lab::verify::{Calibration, FALSE_ALARM, Pair, calibrate as over_seeds};
use fovea_lab::{Conditions, LabError};
use serde_json::json;

/// How few and how many seeds there may be: from fewer, no mean and no spread can be told.
const SEEDS: std::ops::RangeInclusive<u64> = 5..=1000;

/// The number of seeds, where one is given.
///
/// # Errors
/// It is no number of seeds.
pub(super) fn seeds(matches: &ArgMatches) -> Result<Option<u64>, LabError> {
    let Some(text) = matches.get_one::<String>("calibrate") else { return Ok(None) };
    let seeds = text.trim().parse().ok().filter(|seeds| SEEDS.contains(seeds));
    seeds.map(Some).ok_or_else(|| {
        let (least, most) = (SEEDS.start(), SEEDS.end());
        wrong(
            format!("`calibrate` is {text}; it must be a whole number from {least} to {most}"),
            "20 seeds find a bias of one standard error in nearly every pair".to_owned(),
        )
    })
}

pub(super) fn calibrate(
    rows: &[&'static Row],
    (first, seeds): (u64, u64),
    matches: &ArgMatches,
) -> Result<u8, LabError> {
    let (stop, display) = (stop_switch(), Display::new("calibrate", "checks"));
    let calibration = {
        let conditions = Conditions::new(first, &display, &stop).heard_within(&stop);
        over_seeds(rows, (first, seeds), matches.get_flag("quick"), &conditions)
    };
    display.clear();
    let Some(calibration) = calibration? else {
        out::talk("interrupted: there is no result");
        return Ok(INTERRUPTED);
    };
    let caught = calibration.caught();
    if matches.get_flag("json") {
        as_json(&calibration, &caught, (first, display.seconds()));
    } else {
        in_words(&calibration, &caught, (first, display.seconds()));
    }
    Ok(if caught.is_empty() { FINE } else { FAILED })
}

fn in_words(calibration: &Calibration, caught: &[&Pair], (first, seconds): (u64, f64)) {
    let (pairs, seeds) = (calibration.pairs.len(), calibration.seeds);
    out::line(format!(
        "{pairs} pairs of a measured mean and its prediction, at {seeds} seeds from {first} on"
    ));
    if pairs == 0 {
        out::line("no check of these claims has noise: there is nothing to calibrate");
        return;
    }
    histogram(calibration).lines(progress::width()).iter().for_each(out::line);
    let worst =
        |far: fn(&Pair) -> f64| calibration.pairs.iter().max_by(|a, b| far(a).total_cmp(&far(b)));
    let mean = worst(|pair| pair.moments().0.abs());
    let spread = worst(|pair| (pair.moments().1 - 1.0).abs());
    for (word, pair) in [("mean", mean), ("spread", spread)] {
        if let Some(pair) = pair {
            out::line(format!("furthest {word}: {}", told(pair)));
        }
    }
    let (found, of) = calibration.planted();
    if of > 0 {
        out::line(format!(
            "a bias of one standard error, added to the pairs that were tested again: {found} of {of} found"
        ));
    }
    for pair in caught {
        out::line(format!("caught: {}", told(pair)));
    }
    let end = match caught.len() {
        0 => "every pair is standard normal".to_owned(),
        count => format!("{count} of {pairs} pairs are not standard normal"),
    };
    out::line(format!(
        "{end} (a false alarm in one calibration of {:.0}; {seconds:.1} s)",
        1.0 / FALSE_ALARM
    ));
}

/// Bins of the histogram: of width 1/2, the outer ones open.
const BINS: usize = 14;
/// Length of the longest bar.
const LONGEST: f64 = 40.0;

/// Where the scores lie, and where they would be expected if they were standard normal.
fn histogram(calibration: &Calibration) -> Table {
    let bins = calibration.histogram(BINS);
    let most = bins.iter().map(|(_, count, expected)| expected.max(*count as f64));
    let most = most.fold(1.0, f64::max);
    let rows: Vec<_> = bins.iter().enumerate().collect();
    let range = |(at, (low, ..)): &(usize, &(f64, usize, f64))| match *at {
        0 => format!("below {:+.1}", low + 0.5),
        at if at + 1 == BINS => format!("from {low:+.1}"),
        _ => format!("{low:+.1} to {:+.1}", low + 0.5),
    };
    let bar = |count: usize| "#".repeat((LONGEST * count as f64 / most).round() as usize);
    Table::of("scores", &rows)
        .words("score", range)
        .whole("found", |row| row.1.1)
        .real("expected", 1, |row| row.1.2)
        .words("bar", |row| bar(row.1.1))
        .caption(
            "How many scores lie in each range, and how many would if they were standard normal.",
        )
}

fn told(pair: &Pair) -> String {
    let (mean, spread) = pair.moments();
    let count = if pair.again.is_empty() { pair.first.len() } else { pair.again.len() };
    format!(
        "{} ({}), pair {}: mean {mean:+.2}, spread {spread:.2} over {count} seeds",
        pair.ids.join(", "),
        pair.check,
        pair.place
    )
}

fn as_json(calibration: &Calibration, caught: &[&Pair], (first, seconds): (u64, f64)) {
    for pair in &calibration.pairs {
        let (mean, spread) = pair.moments();
        let odd = caught.iter().any(|one| (one.ids, one.place) == (pair.ids, pair.place));
        out::json(
            "pair",
            json!({
                "clauses": pair.ids, "check": pair.check, "place": pair.place, "caught": odd,
                "mean": mean, "spread": spread, "scores": pair.first, "scores_again": pair.again,
            }),
        );
    }
    let (found, of) = calibration.planted();
    out::json(
        "end",
        json!({
            "pairs": calibration.pairs.len(), "seeds": calibration.seeds, "first_seed": first,
            "caught": caught.len(), "planted": of, "planted_found": found, "seconds": seconds,
        }),
    );
}
