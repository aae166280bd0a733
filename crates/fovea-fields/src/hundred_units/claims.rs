//! The stored numbers beside ours, which of the conventions reproduce the stored networks, and the covariance of the open chain.

use super::convention::{CHAIN, Convention, RING};
use super::measure::{Case, log_likelihood, worst};
use super::{BESIDE, Column, GAIN, LOCALIZED, N};
use fovea_desk::prelude::*;
use fovea_desk::published::Published;
use fovea_record::bound::{beside, one_sided};
use fovea_theory::nlgp::cov::cov;

/// What its claims are called: none of them is a clause of the catalogue.
pub(super) const ID: &str = "hundred-units";

/// What the stored networks show, on the open chain of unit variance whichever convention fits them: of which recipe more units are
/// localized than of which other one, and why.
const MORE: [(&str, &str, &str); 2] = [
    ("logistic", "logistic_no_bias", "logistic units localize with a bias"),
    ("relu", "relu_swapped", "ReLU units localize where label 1 has the longer scale"),
];

/// The phenomena of the stored networks in ours, and lines on what they come to at other thresholds.
pub(super) fn phenomena(cases: &[Case]) -> Result<(Vec<Claim>, Vec<String>), LabError> {
    let of = |name: &str| {
        let is = |case: &&Case| case.recipe.name == name && case.convention.word == CHAIN.word;
        cases.iter().find(is)
    };
    let mut all = Vec::new();
    for (one, other, words) in MORE {
        let Some((more, less)) = of(one).zip(of(other)) else { continue };
        let at = |which: usize, line: f64| -> Result<Claim, LabError> {
            let share = |case: &Case| Estimate::from_samples(&case.localized[which]);
            let (more, less) = (share(more)?, share(less)?);
            // Never surer than one unit more or less of a network would make it.
            let se = more.difference(&less).se().max(0.01 / (more.count() as f64).sqrt());
            let mean = Estimate::from_parts(more.mean(), se, more.count())?;
            let statement = format!(
                "{words}: on the open chain of unit variance the share of units with an IPR above {line} is larger in networks {one} than in {other}"
            );
            Ok(one_sided(ID, statement, mean, less.mean(), true))
        };
        let next = |which: usize, line: f64| Ok((format!("above {line}"), at(which, line)?));
        let others = [next(1, BESIDE[0]), next(2, BESIDE[1])];
        let others = others.into_iter().collect::<Result<Vec<_>, LabError>>()?;
        all.push(beside(at(0, LOCALIZED)?, &others));
    }
    Ok(all.into_iter().unzip())
}

/// The covariance of the open chain that is sampled against its closed form, and the ring's in its place.
pub(super) fn chain_covariance(xi: f64) -> Result<Claim, LabError> {
    let moments = |convention: Convention| -> Result<Vec<f64>, LabError> {
        let unknown = |what: String| ParamError::Inconsistent { what, hint: String::new() };
        let covariance =
            convention.stimulus(xi).build("stimulus")?.moments().map_err(unknown)?.covariance;
        Ok((0..N * N).map(|at| covariance.at(at / N, at % N)).collect())
    };
    let sampled = moments(CHAIN)?;
    let form = |at: usize| {
        let d = (at / N).abs_diff(at % N) as f64 / xi;
        cov(libm::exp(-d * d), GAIN)
    };
    let predicted: Vec<f64> = (0..N * N).map(form).collect();
    let what = format!("covariance of the open chain at length {xi}, every pair of sites");
    let claim = Claim::exact(ID, what, &predicted, &sampled, 1e-9);
    Ok(claim.rejecting_exact("the ring", &moments(RING)?, &sampled))
}

/// A stored network beside ours under every convention, and how probable it is under each.
fn fits((step, stored, cases): &Column<'_>) -> Result<Vec<(Vec<Published>, f64)>, LabError> {
    let fit = |case: &&Case| {
        let rows = case.rows((*step, stored), cases.len())?;
        let likelihood = log_likelihood(&rows);
        Ok((rows, likelihood))
    };
    cases.iter().map(fit).collect()
}

/// The stored numbers beside ours under the convention that fits their network best, and the ranges of the pulses.
pub(super) fn published_rows(
    cases: &[Case],
    columns: &[Column<'_>],
) -> Result<Vec<Published>, LabError> {
    let mut rows = Vec::new();
    for case in cases.iter().filter(|case| case.recipe.data.pulses()) {
        rows.extend(case.pulse_rows()?);
    }
    for column in columns {
        let better = |a: (_, f64), b: (_, f64)| if b.1 > a.1 { b } else { a };
        rows.extend(fits(column)?.into_iter().reduce(better).map_or_else(Vec::new, |fit| fit.0));
    }
    Ok(rows)
}

/// For every stored network and convention: our means, and how far the worst stored number lies from our seeds.
pub(super) fn settled(
    columns: &[Column<'_>],
    conventions: &[Convention],
) -> Result<(Vec<String>, Block), LabError> {
    let head = ["network", "data", "25 %", "median", "75 %", "above 0.1", "distance", "log p", ""];
    let caption = "Stored numbers and the means of ours under every convention trained; the distance of the worst of a network's stored numbers from our mean, \
                   in units of the range where one more seed of ours lies with 99 %; log p: mean logarithm of the probability of its numbers as one more seed \
                   of ours, less that of the convention that fits it best.";
    let mut table = Vec::new();
    // How far the worst number lies from ours under a convention, and how far its likelihood stays behind the best.
    let mut all: Vec<(&str, f64, f64)> = Vec::new();
    for column in columns {
        let (step, stored, cases) = column;
        let name = format!("{} {step}", cases[0].recipe.name);
        let row = |what: &str, numbers: &[f64], verdict: [String; 3]| -> Vec<String> {
            let [a, b, c, share] = [0, 1, 2, 3].map(|i| numbers[i]);
            let quartiles = [a, b, c].map(|ipr| format!("{ipr:.3}"));
            let about = [name.clone(), what.to_owned()].into_iter().chain(quartiles);
            about.chain([format!("{share:.2}")]).chain(verdict).collect()
        };
        table.push(row("stored", stored, Default::default()));
        let fits = fits(column)?;
        let best = fits.iter().map(|fit| fit.1).fold(f64::NEG_INFINITY, f64::max);
        for (case, (rows, likelihood)) in cases.iter().zip(&fits) {
            let (distance, behind) = (worst(rows), likelihood - best);
            all.push((case.convention.word, distance, behind));
            let verdict = if distance <= 1.0 { "reproduces it" } else { "does not" };
            let verdict = [format!("{distance:.2}"), format!("{behind:.1}"), verdict.to_owned()];
            let means = case.at[step].each_ref().map(|numbers| mean(numbers));
            table.push(row(case.convention.in_words, &means, verdict));
        }
    }
    for convention in conventions {
        let mine = || all.iter().filter(|(word, ..)| *word == convention.word);
        let distance = mine().map(|(_, distance, _)| *distance).fold(0.0, f64::max);
        let behind = mine().map(|(.., behind)| behind).sum::<f64>();
        let missed = mine().filter(|(_, distance, _)| *distance > 1.0).count();
        let mut row = vec![String::new(); head.len()];
        (row[0], row[1]) = ("all".to_owned(), convention.in_words.to_owned());
        (row[6], row[7]) = (format!("{distance:.2}"), format!("{behind:.1}"));
        row[8] = format!("misses {missed} of {}", columns.len());
        table.push(row);
    }
    Ok(tables(&head, table, caption))
}
