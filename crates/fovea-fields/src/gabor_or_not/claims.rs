//! What is claimed: fits recover known fields, controls are not Gabors, and where the notes' picture holds.

use super::measure::{Case, GABOR, Unit, shares_leaving};
use super::{GaborOrNot, Source};
use fovea_desk::prelude::*;
use fovea_desk::replicas;
use fovea_record::bound::{beside, lower, one_sided, thresholds};
use fovea_sim::probe::shapes::{Form, Gabor, gabor};

/// Gabors of known parameters: width (in sites, or in rings below 1/2), frequency, phase, centre in rings.
const KNOWN: [[f64; 4]; 5] = [
    [3.0, 0.125, 0.0, 0.3],
    [0.7, 0.2, -2.0, 0.6],
    [0.3, 0.1, 0.4, 0.21],
    [0.1, 0.46, 1.2, 0.85],
    [0.2, 0.33, -0.7, 0.5],
];
/// From the first gain on single units are bumps; from there to the second many units are Gabors. Both were set after a look at two
/// networks of each kind at seed 0: that seed does not test the claims that use them, others do. No gain of the defaults at
/// which many units are trained lies between 3 and 100, so that the second may be any number there.
pub(super) const BUMPS: f64 = 1.0;
const STEEP: f64 = 30.0;
/// Gains near the first.
const BUMPS_BESIDE: [f64; 2] = [0.3, 3.0];

/// The id of claims that are not in the catalogue.
const ID: &str = "gabor-or-not";

/// A claim with a threshold, and the same at others.
type Settled = (Claim, Vec<(String, Claim)>);

/// Every claim, and the table of those with a threshold, at it and at others.
pub(super) fn claims(
    settings: &GaborOrNot,
    cases: &[Case],
) -> Result<(Vec<Claim>, Table), LabError> {
    let [learned, scrambled, initial] = pooled(cases);
    let mut claims = vec![recovered(settings.n)];
    claims.push(below("with scrambled phases", &scrambled, &learned)?);
    claims.push(below("before training", &initial, &learned)?);
    claims.extend(narrower(cases));
    let next = [0.5 * settings.good, 2.0 * settings.good];
    let settled: Vec<Settled> = [
        vec![fewer(settings.good, cases, next)?],
        single_units(settings, cases, next)?,
        many_units(settings.good, cases, next)?,
    ]
    .concat();
    let usual = GaborOrNot::default();
    let short =
        settings.steps * settings.batch < usual.steps * usual.batch || settings.many < usual.many;
    let why = "the claim is about larger networks that are trained for longer";
    let left = |(claim, others): &Settled| {
        let claim = beside(claim.clone(), others);
        if short { claim.unchecked(why) } else { claim }
    };
    claims.extend(settled.iter().map(left));
    Ok((claims, thresholds(&settled)))
}

/// A claim where the best form may leave other shares of the squared field.
fn leaving(
    next: [f64; 2],
    at: impl Fn(f64) -> Result<Claim, LabError>,
) -> Result<Vec<(String, Claim)>, LabError> {
    let of = |good: f64| at(good).map(|claim| (format!("where {good} may be left"), claim));
    next.into_iter().map(of).collect()
}

/// Of the fields on the nonlinear process, with every gain and kind of network alike, fewer than half are Gabors.
fn fewer(good: f64, cases: &[Case], next: [f64; 2]) -> Result<Settled, LabError> {
    let at = |good: f64| {
        let process = cases.iter().filter(|case| matches!(case.source, Source::Nlgp(_)));
        let shares = |case: &Case| shares_leaving(good, &case.learned, GABOR);
        let shares: Vec<Vec<f64>> = process.map(shares).collect();
        let mean = Estimate::from_samples(&replicas::mean(&shares, None))?;
        let statement = format!(
            "of the fields that networks of one and of many units learn at the gains trained, fewer than half are Gabors that leave at most {good} of them (mean over kinds of network and gains)"
        );
        Ok(one_sided("L003.25/many", statement, mean, 0.5, false))
    };
    Ok((at(good)?, leaving(next, at)?))
}

/// Fits of constructed fields.
fn recovered(sites: usize) -> Claim {
    let n = sites as f64;
    let (mut put_in, mut found, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for [size, frequency, phase, place] in KNOWN {
        let width = if size > 0.5 { size } else { size * n };
        let form = Gabor { amplitude: 1.3, centre: place * n, width, frequency, phase };
        let fitted = gabor(&Form::Gabor(form).field(sites)).0;
        let values = |g: &Gabor| [g.amplitude, g.centre / n, g.width / n, g.frequency, g.phase];
        put_in.extend(values(&form));
        found.extend(values(&fitted));
        wrong.extend(values(&Gabor { frequency: 0.5 - frequency, ..form }));
    }
    let statement = "the parameters of known Gabors are recovered: amplitude, centre and width (over n), frequency, phase";
    let claim = Claim::exact(ID, statement, &put_in, &found, 1e-8);
    claim.rejecting_exact("frequencies mistaken for their aliases", &wrong, &found)
}

/// The share of Gabors over all arms, one number per seed: of learned fields, scrambled ones and those before training.
pub(super) fn pooled(cases: &[Case]) -> [Vec<f64>; 3] {
    let over = |of: fn(&Case) -> &[Vec<Unit>]| {
        let shares: Vec<Vec<f64>> = cases.iter().map(|case| case.shares(of(case), GABOR)).collect();
        replicas::mean(&shares, None)
    };
    [over(|case| &case.learned), over(|case| &case.scrambled), over(|case| &case.initial)]
}

/// A control is called a Gabor less often than the learned fields of the same seeds.
fn below(what: &str, control: &[f64], learned: &[f64]) -> Result<Claim, LabError> {
    let gaps: Vec<f64> = control.iter().zip(learned).map(|(c, l)| c - l).collect();
    let (gap, learned) = (Estimate::from_samples(&gaps)?, Estimate::from_samples(learned)?);
    let mean = gap.scaled_and_shifted(1.0, learned.mean())?;
    let statement = format!("fields {what} are Gabors less often than learned ones (all networks)");
    Ok(one_sided(ID, statement, mean, learned.mean(), false))
}

/// The cases of one kind of network on the nonlinear process, with their gains.
pub(super) fn of_gain(cases: &[Case], net: usize) -> impl Iterator<Item = (f64, &Case)> {
    cases.iter().filter_map(move |case| match case.source {
        Source::Nlgp(gain) if case.net == net => Some((gain, case)),
        _ => None,
    })
}

/// Single units have narrower fields at the largest gain than at the smallest.
fn narrower(cases: &[Case]) -> Option<Claim> {
    let mut by_gain: Vec<(f64, &Case)> = of_gain(cases, 0).collect();
    by_gain.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [(low, wide), .., (high, narrow)] = by_gain[..] else { return None };
    // A wave is as wide as the ring, so that a mean width has no useful standard error: the order of widths is tested.
    let widths = |case: &Case| -> Vec<f64> {
        case.learned.iter().map(|units| units.iter().map(Unit::width).sum()).collect()
    };
    let (wide, narrow) = (widths(wide), widths(narrow));
    let (high, low) = (Value::Real(high), Value::Real(low));
    let statement = format!(
        "one ReLU unit: fields at gain {high} are narrower than those at gain {low}; share of pairs of seeds, one half if there is no difference"
    );
    Some(lower(ID, statement, &narrow, &wide))
}

/// Of single units at gains from `from` on, which are independent networks, how many are Gabors that leave at most `good`.
pub(super) fn gabors_of_one(cases: &[Case], from: f64, good: f64) -> (usize, usize) {
    let high = of_gain(cases, 0).filter(|(gain, _)| *gain >= from);
    let hits = high.flat_map(|(_, case)| shares_leaving(good, &case.learned, GABOR));
    hits.fold((0, 0), |(hits, all), share| (hits + usize::from(share > 0.5), all + 1))
}

fn single_units(
    settings: &GaborOrNot,
    cases: &[Case],
    next: [f64; 2],
) -> Result<Vec<Settled>, LabError> {
    let at = |from: f64, good: f64| -> Result<Option<Claim>, LabError> {
        let (hits, all) = gabors_of_one(cases, from, good);
        if all < 2 {
            return Ok(None);
        }
        let statement = format!("one ReLU unit, gains from {from} on: fewer than half are Gabors");
        Ok(Some(one_sided(ID, statement, replicas::share(hits, all)?, 0.5, false)))
    };
    let Some(claim) = at(BUMPS, settings.good)? else { return Ok(Vec::new()) };
    let mut others = Vec::new();
    for from in BUMPS_BESIDE {
        let other = at(from, settings.good)?;
        others.extend(other.map(|claim| (format!("from {from} on"), claim)));
    }
    for good in next {
        let other = at(BUMPS, good)?;
        others.extend(other.map(|claim| (format!("where {good} may be left"), claim)));
    }
    Ok(vec![(claim, others)])
}

/// Many ReLU units without bias: Gabors at moderate gains, not where the data are nearly signs.
fn many_units(good: f64, cases: &[Case], next: [f64; 2]) -> Result<Vec<Settled>, LabError> {
    let high = of_gain(cases, 2).filter(|(gain, _)| *gain >= BUMPS);
    let claim = |(gain, case): (f64, &Case)| {
        let most = gain < STEEP;
        let (label, gain) = (&case.label, Value::Real(gain));
        let word = if most { "more" } else { "fewer" };
        let statement = format!("{label}, gain {gain}: {word} than half are Gabors");
        let at = |good: f64| {
            let share = case.learned_share_leaving(good, GABOR)?;
            Ok(one_sided(ID, statement.clone(), share, 0.5, most))
        };
        Ok((at(good)?, leaving(next, at)?))
    };
    high.map(claim).collect()
}
