//! Which of the conventions reproduce the stored networks.

use super::Convention;
use super::figure::Column;
use super::measure::{log_likelihood, worst};
use fovea_desk::error::LabError;
use fovea_page::report::Block;

/// For every stored network and convention: our means, and how far the worst stored number lies from our seeds.
pub(super) fn rows(columns: &[Column<'_>]) -> Result<Vec<[String; 9]>, LabError> {
    let mut table = Vec::new();
    // For every convention: the worst distance, how far its likelihood stays behind the best, and how many networks it misses.
    let mut totals: Vec<(Convention, f64, f64, usize)> = Vec::new();
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    for (step, stored, groups) in columns {
        let name = groups.first().map_or("", |group| group.recipe.name);
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
        let likelihoods = groups
            .iter()
            .map(|group| Ok(log_likelihood(&group.rows(*step, stored)?)))
            .collect::<Result<Vec<f64>, LabError>>()?;
        let best = likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (group, likelihood) in groups.iter().zip(likelihoods) {
            let measured = group.at(*step)?;
            let distance = worst(&group.rows(*step, stored)?);
            let verdict = if distance <= 1.0 { "reproduces it" } else { "does not" };
            let quartiles = [0, 1, 2].map(|q| mean(&measured.quartiles[q]));
            let behind = likelihood - best;
            let missed = usize::from(distance > 1.0);
            match totals.iter_mut().find(|total| total.0 == group.convention) {
                Some(total) => {
                    *total = (total.0, total.1.max(distance), total.2 + behind, total.3 + missed);
                }
                None => totals.push((group.convention, distance, behind, missed)),
            }
            let verdict = [format!("{distance:.2}"), format!("{behind:.1}"), verdict.to_owned()];
            table.push(cells(
                group.convention.in_words(),
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
