//! Whether the distances that checks report are what they say: over fresh seeds, standard normal.
//!
//! A pass is a failure to reject. A bias below the limit passes at every seed, and so does an error bar that is too long; over
//! many seeds both are seen. Every pair of a measured mean and its prediction is looked at by itself: first at some seeds, and
//! what looks odd there once more at twice as many others.

use fovea_checks::check::{self, Check, Effort};
use fovea_checks::claims::Row;
use fovea_core::special::{chi_square_tails, inv_erfc, normal_sf, student_t_tail};
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_desk::conditions::Conditions;
use fovea_desk::error::LabError;
use fovea_sim::Watch;
use std::f64::consts::SQRT_2;

/// The chance that a calibration finds something where all is right.
pub const FALSE_ALARM: f64 = 1e-3;

/// Pairs that are odder than this at the first seeds are looked at again.
const SCREEN: f64 = 0.05;

/// How many times as many seeds are taken to look again.
const AGAIN: u64 = 2;

/// One measured mean and its prediction, over seeds.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The check it belongs to.
    pub check: &'static str,
    /// The clauses it decides.
    pub ids: &'static [&'static str],
    /// Its place among the pairs of that comparison.
    pub place: usize,
    /// Its distances at the first seeds, as normal scores.
    pub first: Vec<f64>,
    /// Those at the seeds at which it was looked at again, where it was.
    pub again: Vec<f64>,
}

impl Pair {
    /// The chance of scores at least as odd, where they are standard normal: of their mean or of their spread, twice the less.
    fn oddness(scores: &[f64], shift: f64) -> f64 {
        let count = scores.len() as f64;
        let sum: f64 = scores.iter().map(|score| score + shift).sum();
        let squares: f64 = scores.iter().map(|score| (score + shift) * (score + shift)).sum();
        let mean = 2.0 * normal_sf(sum.abs() / count.sqrt());
        let (below, above) = chi_square_tails(squares, count);
        // NaN and infinite scores are as odd as can be.
        let spread = if squares.is_finite() { 2.0 * below.min(above) } else { 0.0 };
        (2.0 * mean.min(spread)).min(1.0)
    }

    /// The mean and the spread of the scores last taken.
    pub fn moments(&self) -> (f64, f64) {
        let scores = if self.again.is_empty() { &self.first } else { &self.again };
        let count = scores.len() as f64;
        let square = scores.iter().map(|score| score * score).sum::<f64>() / count;
        (scores.iter().sum::<f64>() / count, square.sqrt())
    }

    fn is_screened(&self, shift: f64) -> bool {
        Self::oddness(&self.first, shift) < SCREEN
    }
}

/// The distances of all checks over many seeds.
pub struct Calibration {
    /// How many seeds every pair was looked at.
    pub seeds: u64,
    /// Every pair.
    pub pairs: Vec<Pair>,
}

impl Calibration {
    /// Pairs whose scores are not standard normal.
    pub fn caught(&self) -> Vec<&Pair> {
        self.pairs.iter().filter(|pair| self.is_caught(pair, 0.0)).collect()
    }

    /// Whether this pair is odd with all its scores shifted.
    fn is_caught(&self, pair: &Pair, shift: f64) -> bool {
        let screened = self.pairs.iter().filter(|pair| pair.is_screened(0.0)).count();
        let at_once = 0.5 * FALSE_ALARM / self.pairs.len() as f64;
        let later = 0.5 * FALSE_ALARM / screened.max(1) as f64;
        let first = Pair::oddness(&pair.first, shift);
        first < at_once
            || (first < SCREEN
                && !pair.again.is_empty()
                && Pair::oddness(&pair.again, shift) < later)
    }

    /// Of the pairs that were looked at again and are not odd: how many would be caught with a bias of one standard error, and
    /// how many there are.
    pub fn planted(&self) -> (usize, usize) {
        let fine = |pair: &&Pair| !pair.again.is_empty() && !self.is_caught(pair, 0.0);
        // A bias has either sign.
        let found = |pair: &Pair| [-1.0, 1.0].map(|by| usize::from(self.is_caught(pair, by)));
        let fine: Vec<&Pair> = self.pairs.iter().filter(fine).collect();
        (fine.iter().flat_map(|pair| found(pair)).sum(), 2 * fine.len())
    }

    /// How many of the first scores lie in each of `bins` of width 1/2 around 0, the outer ones open, and how many would.
    pub fn histogram(&self, bins: usize) -> Vec<(f64, usize, f64)> {
        let scores: Vec<f64> = self.pairs.iter().flat_map(|pair| &pair.first).copied().collect();
        let edge = |i: usize| 0.5 * (i as f64 - 0.5 * bins as f64);
        let of = |i: usize| {
            let low = if i == 0 { f64::NEG_INFINITY } else { edge(i) };
            let high = if i + 1 == bins { f64::INFINITY } else { edge(i + 1) };
            let count = scores.iter().filter(|score| **score >= low && **score < high).count();
            let expected = normal_sf(low) - normal_sf(high);
            (edge(i), count, expected * scores.len() as f64)
        };
        (0..bins).map(of).collect()
    }
}

/// A distance in standard errors as the normal score that is as odd.
fn score(estimate: &Estimate, value: f64) -> f64 {
    let z = estimate.z(value);
    (SQRT_2 * inv_erfc(student_t_tail(z.abs(), estimate.dof()))).copysign(z)
}

/// The scores of every pair of these checks at one seed after the other; `None` where it was stopped.
type Scores = Vec<(&'static str, &'static [&'static str], Vec<f64>)>;

fn scores(
    checks: &[&'static Check],
    seeds: std::ops::Range<u64>,
    quick: bool,
    conditions: &Conditions<'_>,
) -> Result<Option<Vec<Scores>>, LabError> {
    let jobs: Vec<(u64, &'static Check)> =
        seeds.clone().flat_map(|seed| checks.iter().map(move |check| (seed, *check))).collect();
    let run = |(seed, check): &(u64, &'static Check)| {
        (!conditions.stopped()).then(|| {
            let effort = Effort::new(Streams::new(*seed).part(check.name), quick);
            let said = (check.run)(&effort);
            conditions.stepped();
            let source = |source| LabError::Check { name: check.name, source: Box::new(source) };
            let comparisons = said.map_err(source)?;
            let of = |one: &check::Comparison| {
                let pairs = one.pairs();
                let scores = pairs.iter().map(|(estimate, value)| score(estimate, *value));
                (check.name, one.ids, scores.collect())
            };
            Ok(comparisons.iter().map(of).collect::<Scores>())
        })
    };
    let all = conditions.unless_stopped(|| conditions.fleet(&jobs, run)).ok();
    let all: Option<Vec<Result<Scores, LabError>>> = all.and_then(|all| all.into_iter().collect());
    let Some(all) = all else { return Ok(None) };
    let all: Vec<Scores> = all.into_iter().collect::<Result<_, _>>()?;
    Ok(Some(all.chunks(checks.len().max(1)).map(<[Scores]>::concat).collect()))
}

/// Runs the checks of these claims at `seeds` seeds from `first` on, and those with odd pairs at twice as many more.
///
/// # Errors
/// A check cannot compute one of its sides. `None` where it was stopped.
pub fn calibrate(
    rows: &[&'static Row],
    (first, seeds): (u64, u64),
    quick: bool,
    conditions: &Conditions<'_>,
) -> Result<Option<Calibration>, LabError> {
    let asked = |id: &str| rows.iter().any(|row| row.clauses.iter().any(|c| c.id == id));
    let wanted = |check: &&&'static Check| check.covers.iter().any(|id| asked(id));
    let checks: Vec<&'static Check> = check::ALL.iter().filter(wanted).copied().collect();
    conditions.progress.expect(seeds * checks.len() as u64);
    let Some(early) = scores(&checks, first..first + seeds, quick, conditions)? else {
        return Ok(None);
    };
    let mut pairs = Vec::new();
    for (at, (check, ids, scores)) in early.first().into_iter().flatten().enumerate() {
        if !ids.iter().any(|id| asked(id)) {
            continue;
        }
        for place in 0..scores.len() {
            let first = early.iter().map(|seed| seed[at].2[place]).collect();
            pairs.push(Pair { check, ids, place, first, again: Vec::new() });
        }
    }
    let odd = |check: &&&'static Check| {
        pairs.iter().any(|pair| pair.check == check.name && pair.is_screened(0.0))
    };
    let checks: Vec<&'static Check> = checks.iter().filter(odd).copied().collect();
    let more = first + seeds..first + (1 + AGAIN) * seeds;
    conditions.progress.expect(AGAIN * seeds * checks.len() as u64);
    let Some(late) = scores(&checks, more, quick, conditions)? else { return Ok(None) };
    for pair in &mut pairs {
        let of = |seed: &Scores| {
            let own = seed.iter().find(|(check, ids, _)| (*check, *ids) == (pair.check, pair.ids));
            own.map(|(_, _, scores)| scores[pair.place])
        };
        pair.again = late.iter().filter_map(of).collect();
    }
    Ok(Some(Calibration { seeds, pairs }))
}

#[cfg(test)]
mod tests;
