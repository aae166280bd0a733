//! What is claimed of the direction, what is kept, and what a person reads.

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
    let rows = PUBLISHED.map(|(xi, _)| kernel_row(40, xi, Kernel::Ring));
    let (found, predicted) =
        (PUBLISHED.map(|(_, ipr)| ipr), rows.each_ref().map(|row| direction(row).ipr));
    let wrong = rows.each_ref().map(|row| amplifier_direction(row).ipr);
    let statement = "n = 40, lengths 0.5 to 5: participation ratio of the leading direction of the weak-gain cumulant, and the ratios another program found, to their last digit";
    let claim = Claim::exact("L000.21", statement, &predicted, &found, 6e-4);
    claim.rejecting_exact("where the amplifier's cubic term leads", &wrong, &found)
}

pub(super) fn claims(n: usize, all: &[AtGain]) -> Vec<Claim> {
    let mut claims = vec![of_lengths()];
    let sampled = || all.iter().filter_map(|at| at.sampled.as_ref().map(|s| (s.ipr, at)));
    let pairs: Vec<_> = sampled().map(|(ipr, at)| (ipr, at.leading.ipr)).collect();
    if !pairs.is_empty() {
        let statement = "participation ratio of the leading direction of a sample's fourth cumulant, and of the exact one, gains from 0.5 on";
        let flat: Vec<_> = sampled().map(|(ipr, _)| (ipr, 1.0 / n as f64)).collect();
        let claim = Claim::family("L000.21", statement, &pairs);
        claims.push(claim.rejecting("an extended direction", &flat));
    }
    for (at, above) in [(&all[0], false), (&all[all.len() - 1], true)] {
        let bound = at.leading.ipr;
        let statement = format!(
            "gain {}: trained fields are {} than the leading direction of the cumulant, whose participation ratio is {bound:.4}",
            at.gain,
            if above { "sharper" } else { "broader" }
        );
        claims.push(one_sided("L001.67", statement, at.ipr, bound, above));
    }
    claims
}

/// Directions and fields, gain by gain, and directions by length.
pub(super) fn arrays(all: &[AtGain], lengths: &Lengths) -> Vec<Array> {
    let mut arrays = Vec::new();
    for at in all {
        let gain = &at.gain;
        arrays.push(Array::of_entries(format!("direction_gain={gain}"), &at.leading.v));
        arrays.push(Array::of_entries(format!("edgeworth_gain={gain}"), &at.edgeworth));
        let sampled = at.sampled.as_ref();
        arrays.extend(sampled.map(|s| Array::of_entries(format!("sampled_gain={gain}"), &s.v)));
        arrays.push(Array::of_rows(format!("trained_gain={gain}"), &at.fields));
    }
    arrays.push(Array::of_entries("lengths", &lengths.xi));
    arrays.push(Array::of_entries("ipr_weak", &lengths.iprs));
    arrays.push(Array::of_entries("ipr_sign", &lengths.sign_iprs));
    arrays.push(Array::of_rows("direction_weak", &lengths.directions));
    arrays
}

/// A line per gain.
pub(super) fn summary(all: &[AtGain]) -> Vec<String> {
    let estimate = |e: &Estimate| format!("{:.4} +- {:.4}", e.mean(), e.se());
    let cells = |at: &AtGain| {
        vec![
            at.gain.clone(),
            format!("{:.4}", at.leading.ipr),
            at.sampled.as_ref().map_or_else(|| "-".to_owned(), |s| estimate(&s.ipr)),
            format!("{:.4}", ipr(&at.edgeworth)),
            estimate(&at.ipr),
            format!("{:.4}", at.overlap()),
        ]
    };
    let head = ["gain", "ipr exact", "sampled", "Edgeworth", "SGD", "overlap"];
    let mut lines = table(&head, all.iter().map(cells));
    lines.push(
        "overlap: cosine of trained field and direction, best shift, mean over starts".to_owned(),
    );
    lines
}
