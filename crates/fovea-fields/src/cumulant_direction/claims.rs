//! What is claimed of the direction, what is kept, and what a person reads.

use super::CumulantDirection;
use super::measure::{AtGain, Lengths};
use fovea_core::ring::kernel_row;
use fovea_desk::prelude::*;
use fovea_record::bound::one_sided;
use fovea_sim::probe::ipr::ipr;
use fovea_theory::nlgp::weak_cumulant::{amplifier_direction, direction};

/// Length and participation ratio at weak gain, n = 40, computed by another program.
pub(super) const PUBLISHED: [(f64, f64); 6] =
    [(0.5, 0.9992), (0.7, 0.959), (1.0, 0.595), (2.0, 0.244), (3.0, 0.163), (5.0, 0.098)];

/// At n = 40 the ratios are those found independently; the amplifier's cubic term leads elsewhere.
fn of_lengths() -> Claim {
    let row = |xi: f64| kernel_row(40, xi, Kernel::Ring);
    let predicted: Vec<f64> = PUBLISHED.iter().map(|(xi, _)| direction(&row(*xi)).ipr).collect();
    let found: Vec<f64> = PUBLISHED.iter().map(|(_, ipr)| *ipr).collect();
    let wrong: Vec<f64> =
        PUBLISHED.iter().map(|(xi, _)| amplifier_direction(&row(*xi)).ipr).collect();
    let statement = "n = 40, lengths 0.5 to 5: participation ratio of the leading direction of the weak-gain cumulant, and the ratios another program found, to their last digit";
    Claim::exact("L000.21", statement, &predicted, &found, 6e-4).rejecting_exact(
        "where the amplifier's cubic term leads",
        &wrong,
        &found,
    )
}

pub(super) fn claims(settings: &CumulantDirection, all: &[AtGain]) -> Result<Vec<Claim>, LabError> {
    let mut claims = vec![of_lengths()];
    let sampled = || all.iter().filter_map(|at| at.sampled.as_ref().map(|s| (s.ipr, at)));
    let pairs: Vec<_> = sampled().map(|(ipr, at)| (ipr, at.leading.ipr)).collect();
    if !pairs.is_empty() {
        let statement = "participation ratio of the leading direction of a sample's fourth cumulant, and of the exact one, gains from 0.5 on";
        let flat: Vec<_> = sampled().map(|(ipr, _)| (ipr, 1.0 / settings.n as f64)).collect();
        claims.push(
            Claim::family("L000.21", statement, &pairs).rejecting("an extended direction", &flat),
        );
    }
    let last = all.len() - 1;
    for (i, above) in [(0, false), (last, true)] {
        let bound = all[i].leading.ipr;
        let statement = format!(
            "gain {}: trained fields are {} than the leading direction of the cumulant, whose participation ratio is {bound:.4}",
            all[i].word(),
            if above { "sharper" } else { "broader" }
        );
        claims.push(one_sided("L001.67", statement, all[i].ipr()?, bound, above));
    }
    Ok(claims)
}

/// Directions and fields, gain by gain, and directions by length.
pub(super) fn arrays(all: &[AtGain], lengths: &Lengths) -> Vec<Array> {
    let mut arrays = Vec::new();
    for at in all {
        let gain = at.word();
        arrays.push(Array::of_entries(format!("direction_gain={gain}"), &at.leading.v));
        arrays.push(Array::of_entries(format!("edgeworth_gain={gain}"), &at.edgeworth));
        if let Some(sampled) = &at.sampled {
            arrays.push(Array::of_entries(format!("sampled_gain={gain}"), &sampled.v));
        }
        arrays.push(Array::of_rows(format!("trained_gain={gain}"), &at.fields));
    }
    let weak: Vec<Vec<f64>> = lengths.weak.iter().map(|leading| leading.v.clone()).collect();
    arrays.push(Array::of_entries("lengths", &lengths.xi));
    arrays.push(Array::of_entries("ipr_weak", &lengths.iprs()));
    arrays.push(Array::of_entries("ipr_sign", &lengths.sign_iprs));
    arrays.push(Array::of_rows("direction_weak", &weak));
    arrays
}

/// A line per gain.
pub(super) fn table(all: &[AtGain]) -> Result<Vec<String>, LabError> {
    let mut lines = vec![format!(
        "{:>6} {:>11} {:>19} {:>10} {:>17} {:>8}",
        "gain", "ipr exact", "sampled", "Edgeworth", "SGD", "overlap"
    )];
    for at in all {
        let sampled = at.sampled.as_ref().map_or_else(
            || "-".to_owned(),
            |s| format!("{:.4} +- {:.4}", s.ipr.mean(), s.ipr.se()),
        );
        let sgd = at.ipr()?;
        lines.push(format!(
            "{:>6} {:>11.4} {sampled:>19} {:>10.4} {:>8.4} +- {:.4} {:>8.4}",
            at.word(),
            at.leading.ipr,
            ipr(&at.edgeworth),
            sgd.mean(),
            sgd.se(),
            at.overlap()
        ));
    }
    lines.push(
        "overlap: cosine of trained field and direction, best shift, mean over starts".to_owned(),
    );
    Ok(lines)
}
