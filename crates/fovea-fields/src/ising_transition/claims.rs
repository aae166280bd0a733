//! What is claimed of ends and of trained fields, and what a person reads.

use super::measure::{AtCoupling, Kind, Large, Rests};
use super::{Found, IsingTransition};
use fovea_desk::prelude::*;
use fovea_desk::replicas::mean;
use fovea_desk::two_class::relative_distance;
use fovea_sim::probe::ipr::ipr;
use fovea_theory::ising::dictator::dictator;
use std::f64::consts::FRAC_2_PI;

/// Distances from the peak that are compared.
const REACH: usize = 3;

/// Ends in a dictator's cell are the dictator state.
pub(super) fn dictators(rests: &Rests, settings: &IsingTransition) -> Claim {
    let statement =
        "every flow that ends with one dominating site ends in the dictator state: its IPR";
    let (mut predicted, mut exchanged, mut measured) = (Vec::new(), Vec::new(), Vec::new());
    for coupling in &rests.at {
        let other = dictator(settings.n, settings.coupling_neg, coupling.coupling);
        for end in coupling.ends.iter().filter(|end| Kind::of(end) == Kind::OneSite) {
            predicted.push(coupling.dictator.ipr);
            exchanged.push(other.ipr);
            measured.push(end.ipr());
        }
    }
    if measured.is_empty() {
        let why = "no flow ended with one dominating site at these couplings";
        return Claim::undecided("L000.39", statement, f64::NAN, why);
    }
    Claim::exact("L000.39", statement, &predicted, &measured, 1e-9).rejecting_exact(
        "the classes exchanged",
        &exchanged,
        &measured,
    )
}

/// Where the dictator state contradicts its gate, no field keeps one dominating site.
pub(super) fn beyond(rests: &Rests) -> Claim {
    let statement =
        "flows that end without a dominating site where the dictator state contradicts its gate";
    let past = || rests.at.iter().filter(|at| !at.dictator.exists).flat_map(|at| &at.ends);
    let all = past().count() as f64;
    let without = past().filter(|end| Kind::of(end) != Kind::OneSite).count() as f64;
    if all < 1.0 {
        let why = "the dictator state exists at every coupling of this run";
        return Claim::undecided("L000.39", statement, f64::NAN, why);
    }
    Claim::exact("L000.39", statement, &[all], &[without], 1e-9).rejecting_exact(
        "negative kurtosis alone localizes",
        &[0.0],
        &[without],
    )
}

/// The late mean field on the large ring is the dictator state.
pub(super) fn large_ring(large: &Large, settings: &IsingTransition) -> Claim {
    let statement = format!(
        "late mean field of units trained on {} spins, coupling {} against {}: weights 0 to {REACH} sites from the peak, and IPR",
        settings.n_large, settings.coupling_large, settings.coupling_neg
    );
    if !large.point.exists {
        let why = "the dictator state does not exist at these couplings";
        return Claim::undecided("L000.39", statement, large.point.ipr, why);
    }
    let pairs = |scale: f64| -> Vec<(Estimate, f64)> {
        let weights = large.by_distance[..=REACH].iter().zip(&large.point.w);
        let weights = weights.map(|(estimate, w)| (*estimate, scale * w));
        weights.chain([(large.ipr, large.point.ipr)]).collect()
    };
    let wrong = "the teacher of Gaussian data, sqrt(2/pi) as large";
    Claim::family("L000.39", statement, &pairs(1.0)).rejecting(wrong, &pairs(FRAC_2_PI.sqrt()))
}

/// Where the flow comes to rest, and how far training is from theory, in words.
pub(super) fn summary(
    settings: &IsingTransition,
    Found { rests, small, large }: &Found,
) -> Vec<String> {
    let mut lines = vec![
        format!(
            "exact flow on {} sites, coupling_neg {}: excess kurtosis -2 throughout; dictator state exists up to {:.4}",
            settings.n, settings.coupling_neg, rests.edge
        ),
        format!("{:>8} {:>9} {:>8}  ipr at rest (starts)", "coupling", "dictator", "walls"),
    ];
    lines.extend(rests.at.iter().map(line));
    let bistable: Vec<String> = rests
        .at
        .iter()
        .filter(|at| at.dictator.exists && at.ends.iter().any(|e| Kind::of(e) != Kind::OneSite))
        .map(|at| at.coupling.to_string())
        .collect();
    if !bistable.is_empty() {
        let where_ = bistable.join(", ");
        lines.push(format!(
            "a dictator state exists, but some random starts end elsewhere, at coupling: {where_}"
        ));
    }
    lines.push(format!("{:>8} {:>12} ipr of late mean  fields apart", "trained", "ipr at rest"));
    for unit in small {
        let mean = mean(&unit.rows, None);
        lines.push(format!(
            "{:>8} {:>12.4} {:>9.4} +- {:.4}  {:.2} %",
            unit.coupling,
            ipr(&unit.end),
            unit.ipr.mean(),
            unit.ipr.se(),
            100.0 * relative_distance(&mean, &unit.end)
        ));
    }
    lines.push(format!(
        "n = {}, coupling {} against {}: closed form ipr {:.4}, peak {:.4}; trained ipr {:.4} +- {:.4}, peak {:.4} +- {:.4}",
        settings.n_large,
        settings.coupling_large,
        settings.coupling_neg,
        large.point.ipr,
        large.point.w[0],
        large.ipr.mean(),
        large.ipr.se(),
        large.by_distance[0].mean(),
        large.by_distance[0].se()
    ));
    lines
}

/// One coupling of class pos.
fn line(at: &AtCoupling) -> String {
    let dictator =
        if at.dictator.exists { format!("{:.4}", at.dictator.ipr) } else { "none".into() };
    let walls = at.ends.iter().map(|end| end.walls).sum::<usize>() / at.ends.len();
    let ends: Vec<String> = at
        .distinct()
        .iter()
        .map(|(ipr, kind, count)| {
            let word = match kind {
                Kind::OneSite => "one site",
                Kind::Several => "several",
                Kind::Flat => "flat",
            };
            format!("{ipr:.4} {word} ({count})")
        })
        .collect();
    format!("{:>8} {dictator:>9} {walls:>8}  {}", at.coupling, ends.join(", "))
}
