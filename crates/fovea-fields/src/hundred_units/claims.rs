//! The stored numbers compared with ours, which of the conventions reproduce the stored networks, and the covariance of the open chain.

use super::convention::{CHAIN, Convention, RING};
use super::measure::{Case, log_likelihood, worst};
use super::{Column, GAIN, LOCALIZED, N, OTHERS};
use fovea_desk::prelude::*;
use fovea_desk::published::Published;
use fovea_record::bound::{beside, one_sided};
use fovea_theory::nlgp::cov::cov;

/// The id of its claims: none of them is a clause of the catalogue.
pub(super) const ID: &str = "hundred-units";

/// What the stored networks show, on the open chain of unit variance whichever convention fits them: a recipe of which more units are
/// localized, one of which fewer are, and the statement.
const MORE: [(&str, &str, &str); 2] = [
    ("logistic", "logistic_no_bias", "logistic units localize with a bias"),
    ("relu", "relu_swapped", "ReLU units localize where label 1 has the longer scale"),
];

/// The share of localized units in two kinds of networks: a phenomenon of the stored ones, at one threshold.
struct Shares {
    networks: [&'static str; 2],
    above: f64,
    of_both: [Estimate; 2],
    claim: Claim,
}

/// The phenomena of the stored networks in ours, at the threshold and at others.
pub(super) fn phenomena(cases: &[Case]) -> Result<(Vec<Claim>, Table), LabError> {
    let of = |name: &str| {
        let is = |case: &&Case| case.recipe.name == name && case.convention.word == CHAIN.word;
        cases.iter().find(is)
    };
    let (mut claims, mut all) = (Vec::new(), Vec::new());
    for (one, other, words) in MORE {
        let Some((more, less)) = of(one).zip(of(other)) else { continue };
        let at = |which: usize, above: f64| -> Result<Shares, LabError> {
            let share = |case: &Case| Estimate::from_samples(&case.localized[which]);
            let (more, less) = (share(more)?, share(less)?);
            // The standard error is at least that of one unit more or less per network.
            let se = more.difference(&less).se().max(0.01 / (more.count() as f64).sqrt());
            let mean = Estimate::from_parts(more.mean(), se, more.count())?;
            let statement = format!(
                "{words}: on the open chain of unit variance the share of units with an IPR above {above} is larger in networks {one} than in {other}"
            );
            let claim = one_sided(ID, statement, mean, less.mean(), true);
            Ok(Shares { networks: [one, other], above, of_both: [mean, less], claim })
        };
        let [own, next, last] = [at(0, LOCALIZED)?, at(1, OTHERS[0])?, at(2, OTHERS[1])?];
        let others = [&next, &last].map(|at| (format!("above {}", at.above), at.claim.clone()));
        claims.push(beside(own.claim.clone(), &others));
        all.extend([own, next, last]);
    }
    let table = Table::of("localized_units", &all)
        .words("network", |row| row.networks[0])
        .words("other_network", |row| row.networks[1])
        .given("ipr_above", |row| row.above)
        .estimate("share", 3, |row| row.of_both[0])
        .estimate("share_of_the_other", 3, |row| row.of_both[1])
        .words("verdict", |row| row.claim.status())
        .caption(
            "On the open chain of unit variance, at the end of training: the share of units with an IPR above a threshold in two kinds of networks, of which \
             the first should have more. The standard error of the first share is that of the difference.",
        );
    Ok((claims, table))
}

/// The covariance of the open chain as it is sampled compared with its closed form, and with the ring's.
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

/// A stored network compared with ours under every convention, and how probable it is under each.
fn fits((step, stored, cases): &Column<'_>) -> Result<Vec<(Vec<Published>, f64)>, LabError> {
    let fit = |case: &&Case| {
        let rows = case.rows((*step, stored), cases.len())?;
        let likelihood = log_likelihood(&rows);
        Ok((rows, likelihood))
    };
    cases.iter().map(fit).collect()
}

/// The stored numbers compared with ours under the convention that fits their network best, and the ranges of the pulses.
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

/// A stored network, or ours of the same recipe under one convention.
struct Fitted {
    network: &'static str,
    steps: u64,
    data: &'static str,
    /// Quartiles of the IPR, and the share of localized units.
    numbers: [f64; 4],
    /// How far the worst stored number lies from ours, and the log-likelihood of all less that of the best; NaN for the stored.
    distance: f64,
    behind: f64,
}

impl Fitted {
    fn verdict(&self) -> &'static str {
        match self.distance {
            distance if distance.is_nan() => "",
            distance if distance <= 1.0 => "reproduces it",
            _ => "does not",
        }
    }
}

/// For every stored network and convention: our means, and how far the worst stored number lies from our seeds.
fn fitted(columns: &[Column<'_>]) -> Result<Vec<Fitted>, LabError> {
    let mut rows = Vec::new();
    for column in columns {
        let (steps, stored, cases) = column;
        let row = |data, numbers: &[f64], distance: f64, behind: f64| {
            let (network, numbers) = (cases[0].recipe.name, [0, 1, 2, 3].map(|i| numbers[i]));
            Fitted { network, steps: *steps, data, numbers, distance, behind }
        };
        rows.push(row("stored", stored, f64::NAN, f64::NAN));
        let fits = fits(column)?;
        let best = fits.iter().map(|fit| fit.1).fold(f64::NEG_INFINITY, f64::max);
        for (case, (published, likelihood)) in cases.iter().zip(&fits) {
            let means = case.at[steps].each_ref().map(|numbers| mean(numbers));
            let data = case.convention.in_words;
            rows.push(row(data, &means, worst(published), likelihood - best));
        }
    }
    Ok(rows)
}

/// The stored networks compared with ours under every convention, and every convention over all of them.
pub(super) fn settled(
    columns: &[Column<'_>],
    conventions: &[Convention],
) -> Result<[Table; 2], LabError> {
    let rows = fitted(columns)?;
    let networks = Table::of("stored_networks", &rows)
        .words("network", |row| row.network)
        .whole("steps", |row| row.steps as usize)
        .words("data", |row| row.data)
        .real("ipr_lower_quartile", 3, |row| row.numbers[0])
        .real("ipr_median", 3, |row| row.numbers[1])
        .real("ipr_upper_quartile", 3, |row| row.numbers[2])
        .real("localized", 2, |row| row.numbers[3])
        .real("distance", 2, |row| row.distance)
        .real("log_p", 1, |row| row.behind)
        .words("verdict", Fitted::verdict)
        .caption(
            "Stored numbers and the means of ours under every convention trained: quartiles of the IPR and the share of units with an IPR above 0.1; the distance \
             of the worst of a network's stored numbers from our mean, in units of the range that holds one more seed of ours with 99 % probability; log p: mean logarithm of \
             the probability of its numbers as one more seed of ours, less that of the convention that fits it best.",
        );
    let of = |convention: &Convention| {
        let words = convention.in_words;
        (words, rows.iter().filter(|row| row.data == words).collect::<Vec<_>>())
    };
    let all: Vec<(&str, Vec<&Fitted>)> = conventions.iter().map(of).collect();
    let conventions = Table::of("conventions", &all)
        .words("data", |(data, _)| *data)
        .real("distance", 2, |(_, rows)| rows.iter().map(|row| row.distance).fold(0.0, f64::max))
        .real("log_p", 1, |(_, rows)| rows.iter().map(|row| row.behind).sum())
        .whole("missed", |(_, rows)| rows.iter().filter(|row| row.distance > 1.0).count())
        .whole("networks", |_| columns.len())
        .caption("Every convention over all stored networks: the largest distance, the sum of log p, and how many of the networks it misses (distance above 1).");
    Ok([networks, conventions])
}
