//! Claims on gated means and influences, and their tables.

use super::HypercubeBumps;
use super::measure::{Case, Found};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;

/// Estimates with their predictions.
fn pairs<'a>(
    sampled: impl IntoIterator<Item = &'a Estimate>,
    values: impl IntoIterator<Item = f64>,
) -> Vec<(Estimate, f64)> {
    sampled.into_iter().copied().zip(values).collect()
}

pub(super) fn claims(found: &Found) -> Vec<Claim> {
    // Of the same three bumps, where none outweighs the others.
    let vote = &found.cases[3].exact;
    let bumps = |case: &Case| {
        let statement = format!("gated mean of sign data at {}, at every site", case.name);
        let with = |values: &[f64]| pairs(&case.sampled, values.to_vec());
        let claim = Claim::family(case.id, statement, &with(&case.exact));
        // Where one bump decides, extracting it is right: there the note's constant is wrong, or that the others have a vote.
        match case.id {
            "L000.25" => claim.rejecting("the maximum extracted", &with(&case.extracted)),
            "L000.27" => claim.rejecting("a majority of the three", &with(vote)),
            _ => claim.rejecting("the note's form", &with(&case.note)),
        }
    };
    let exact = found.influence.iter().flatten().copied();
    let all_or_nothing = found
        .sampled
        .iter()
        .flat_map(|row| (0..row.len()).map(|weight| if weight == 0 { 1.0 } else { 0.0 }));
    let sampled = || found.sampled.iter().flatten();
    let statement = "influence of every weight as one of them grows past the sum of the others";
    let influence = Claim::family("hypercube-bumps", statement, &pairs(sampled(), exact))
        .rejecting("all or nothing", &pairs(sampled(), all_or_nothing));
    found.cases.iter().map(bumps).chain([influence]).collect()
}

/// Where gated means peak, and how much the growing weight counts.
pub(super) fn tables(settings: &HypercubeBumps, found: &Found) -> Vec<Table> {
    let from_middle = |site: usize| site as f64 - (settings.n / 2) as f64;
    let unit = "sites from the middle";
    let peaks = Table::of("peaks", &found.cases)
        .words("field", |case| case.name)
        .given("largest_weight", |case| from_middle(case.sites[peak(&case.heights)]))
        .unit(unit)
        .given("gated_mean_peaks_at", |case| from_middle(peak(&case.exact)))
        .unit(unit)
        .caption("Where the gated mean of sign data peaks, compared with the largest weight of the field.");
    let rows: Vec<(f64, f64)> =
        settings.first.iter().zip(&found.influence).map(|(first, row)| (*first, row[0])).collect();
    let others = settings.others.iter().sum::<f64>();
    let influence = Table::of("influence", &rows)
        .given("weight", |row| row.0)
        .digits("others_together", 4, |_| others)
        .real("influence", 3, |row| row.1)
        .caption("Influence of the growing weight on independent spins, counted exactly; it is 1 where the weight exceeds the sum of the others.");
    vec![peaks, influence]
}
