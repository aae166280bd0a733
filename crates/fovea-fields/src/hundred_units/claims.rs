//! The stored numbers beside ours, which of the conventions reproduce the stored networks, and the covariance of the open chain.

use super::figure::Column;
use super::measure::{Case, log_likelihood, worst};
use super::{Convention, GAIN, N};
use fovea_desk::prelude::*;
use fovea_desk::published::Published;
use fovea_theory::nlgp::cov::cov;

/// The covariance of the open chain that is sampled against its closed form, and the ring's in its place.
pub(super) fn chain_covariance(xi: f64) -> Result<Claim, LabError> {
    let moments = |convention: Convention| -> Result<Vec<f64>, LabError> {
        let unknown = |what: String| ParamError::Inconsistent { what, hint: String::new() };
        let covariance =
            convention.stimulus(xi).build("stimulus")?.moments().map_err(unknown)?.covariance;
        Ok((0..N * N).map(|at| covariance.at(at / N, at % N)).collect())
    };
    let sampled = moments(Convention::Chain)?;
    let form = |at: usize| {
        let d = (at / N).abs_diff(at % N) as f64 / xi;
        cov(libm::exp(-d * d), GAIN)
    };
    let predicted: Vec<f64> = (0..N * N).map(form).collect();
    let what = format!("covariance of the open chain at length {xi}, every pair of sites");
    Ok(Claim::exact("L000.41", what, &predicted, &sampled, 1e-9).rejecting_exact(
        "the ring",
        &moments(Convention::Ring)?,
        &sampled,
    ))
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
    for (step, stored, like) in columns {
        let mut best: Option<(f64, Vec<Published>)> = None;
        for case in like {
            let found = case.rows(*step, stored)?;
            let likelihood = log_likelihood(&found);
            if best.as_ref().is_none_or(|(most, _)| likelihood > *most) {
                best = Some((likelihood, found));
            }
        }
        rows.extend(best.map(|(_, found)| found).unwrap_or_default());
    }
    Ok(rows)
}

/// For every stored network and convention: our means, and how far the worst stored number lies from our seeds.
pub(super) fn settled(columns: &[Column<'_>]) -> Result<Vec<[String; 9]>, LabError> {
    let mut table = Vec::new();
    // For every convention: the worst distance, how far its likelihood stays behind the best, and how many networks it misses.
    let mut totals: Vec<(Convention, f64, f64, usize)> = Vec::new();
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    for (step, stored, cases) in columns {
        let name = cases.first().map_or("", |case| case.recipe.name);
        let cells = |what: &str, [a, b, c]: [f64; 3], share: f64, verdict: [String; 3]| {
            let [distance, likelihood, verdict] = verdict;
            [
                format!("{name} {step}"),
                what.to_owned(),
                format!("{a:.3}"),
                format!("{b:.3}"),
                format!("{c:.3}"),
                format!("{share:.2}"),
                distance,
                likelihood,
                verdict,
            ]
        };
        table.push(cells("stored", stored.quartiles, stored.share, Default::default()));
        let likelihoods = cases
            .iter()
            .map(|case| Ok(log_likelihood(&case.rows(*step, stored)?)))
            .collect::<Result<Vec<f64>, LabError>>()?;
        let best = likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (case, likelihood) in cases.iter().zip(likelihoods) {
            let measured = &case.at[step];
            let distance = worst(&case.rows(*step, stored)?);
            let verdict = if distance <= 1.0 { "reproduces it" } else { "does not" };
            let quartiles = [0, 1, 2].map(|q| mean(&measured.quartiles[q]));
            let behind = likelihood - best;
            let missed = usize::from(distance > 1.0);
            match totals.iter_mut().find(|total| total.0 == case.convention) {
                Some(total) => {
                    *total = (total.0, total.1.max(distance), total.2 + behind, total.3 + missed);
                }
                None => totals.push((case.convention, distance, behind, missed)),
            }
            let verdict = [format!("{distance:.2}"), format!("{behind:.1}"), verdict.to_owned()];
            table.push(cells(
                case.convention.in_words(),
                quartiles,
                mean(&measured.share),
                verdict,
            ));
        }
    }
    let blank = String::new;
    for (convention, distance, behind, missed) in totals {
        table.push([
            "all".to_owned(),
            convention.in_words().to_owned(),
            blank(),
            blank(),
            blank(),
            blank(),
            format!("{distance:.2}"),
            format!("{behind:.1}"),
            format!("misses {missed} of {}", columns.len()),
        ]);
    }
    Ok(table)
}

pub(super) fn table(rows: Vec<[String; 9]>) -> Block {
    let header =
        ["network", "data", "25 %", "median", "75 %", "above 0.1", "distance", "log p", ""];
    let caption = "Stored numbers and the means of ours under every convention trained; the distance of the worst of a network's stored numbers from our mean, \
                   in units of the range where one more seed of ours lies with 99 %; log p: mean logarithm of the probability of its numbers as one more seed \
                   of ours, less that of the convention that fits it best.";
    Block::table(header.map(str::to_owned), rows, caption)
}
