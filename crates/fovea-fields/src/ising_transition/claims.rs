//! What is claimed of ends and of trained fields, and what a person reads.

use super::measure::{AtCoupling, KINDS, Small};
use super::{Found, IsingTransition};
use fovea_desk::cell::in_dictator_cell;
use fovea_desk::prelude::*;
use fovea_desk::replicas;
use fovea_desk::two_class::relative_distance;
use fovea_sim::probe::ipr::ipr;
use fovea_theory::cell_walk::Rest;
use fovea_theory::ising::dictator::dictator;
use std::f64::consts::FRAC_2_PI;

/// The experiment's own name: the theorem (L000.39) is about the state itself, these claims about where flows and training end.
const ID: &str = "ising-transition";

/// Distances from the peak that are compared.
const REACH: usize = 3;

pub(super) fn claims(settings: &IsingTransition, found: &Found) -> Vec<Claim> {
    vec![dictators(settings, found), beyond(found), large_ring(settings, found)]
}

fn one_site(end: &&Rest) -> bool {
    in_dictator_cell(&end.w)
}

/// Ends in a dictator's cell are the dictator state.
fn dictators(settings: &IsingTransition, Found { rests, .. }: &Found) -> Claim {
    let statement =
        "every flow that ends with one dominating site ends in the dictator state: its IPR";
    let (mut predicted, mut exchanged, mut measured) = (Vec::new(), Vec::new(), Vec::new());
    for coupling in rests {
        let other = dictator(settings.n, settings.coupling_neg, coupling.coupling);
        for end in coupling.ends.iter().filter(one_site) {
            predicted.push(coupling.dictator.ipr);
            exchanged.push(other.ipr);
            measured.push(end.ipr());
        }
    }
    if measured.is_empty() {
        let why = "no flow ended with one dominating site at these couplings";
        return Claim::undecided(ID, statement, f64::NAN, why);
    }
    let claim = Claim::exact(ID, statement, &predicted, &measured, 1e-9);
    claim.rejecting_exact("the classes exchanged", &exchanged, &measured)
}

/// Where the dictator state contradicts its gate, no field keeps one dominating site.
fn beyond(Found { rests, .. }: &Found) -> Claim {
    let statement =
        "flows that end without a dominating site where the dictator state contradicts its gate";
    let past = || rests.iter().filter(|at| !at.dictator.exists).flat_map(|at| &at.ends);
    let all = past().count() as f64;
    let without = past().filter(|end| !one_site(end)).count() as f64;
    if all < 1.0 {
        let why = "the dictator state exists at every coupling of this run";
        return Claim::undecided(ID, statement, f64::NAN, why);
    }
    let claim = Claim::exact(ID, statement, &[all], &[without], 1e-9);
    claim.rejecting_exact("negative kurtosis alone localizes", &[0.0], &[without])
}

/// The late mean field on the large ring is the dictator state.
fn large_ring(settings: &IsingTransition, Found { large, .. }: &Found) -> Claim {
    let IsingTransition { n_large, coupling_large, coupling_neg, .. } = settings;
    let statement = format!(
        "late mean field of units trained on {n_large} spins, coupling {coupling_large} against {coupling_neg}: weights 0 to {REACH} sites from the peak, and IPR"
    );
    if !large.point.exists {
        let why = "the dictator state does not exist at these couplings";
        return Claim::undecided(ID, statement, large.point.ipr, why);
    }
    let pairs = |scale: f64| -> Vec<(Estimate, f64)> {
        let weights = large.by_distance[..=REACH].iter().zip(&large.point.w);
        let weights = weights.map(|(estimate, w)| (*estimate, scale * w));
        weights.chain([(large.ipr, large.point.ipr)]).collect()
    };
    let wrong = "the teacher of Gaussian data, sqrt(2/pi) as large";
    Claim::family(ID, statement, &pairs(1.0))
        .rejecting(wrong, &pairs(FRAC_2_PI.sqrt()))
        .only_as_stated()
}

/// Where the flow comes to rest, and how far training is from theory, in words.
pub(super) fn summary(
    settings: &IsingTransition,
    Found { rests, edge, small, large, .. }: &Found,
) -> Vec<String> {
    let IsingTransition { n, coupling_neg, n_large, coupling_large, .. } = settings;
    let mut lines = vec![format!(
        "exact flow on {n} sites, coupling_neg {coupling_neg}: excess kurtosis -2 throughout; dictator state exists up to {edge:.4}"
    )];
    lines.extend(headed(rests.iter().map(at_rest)));
    let bistable =
        rests.iter().filter(|at| at.dictator.exists && !at.ends.iter().all(|end| one_site(&end)));
    let bistable: Vec<String> = bistable.map(|at| at.coupling.to_string()).collect();
    if !bistable.is_empty() {
        lines.push(format!(
            "a dictator state exists, but some random starts end elsewhere, at coupling: {}",
            bistable.join(", ")
        ));
    }
    lines.extend(headed(small.iter().map(trained)));
    let (ipr, peak) = (in_words(&large.ipr), in_words(&large.by_distance[0]));
    lines.push(format!(
        "n = {n_large}, coupling {coupling_large} against {coupling_neg}: closed form ipr {:.4}, peak {:.4}; trained ipr {ipr}, peak {peak}",
        large.point.ipr, large.point.w[0]
    ));
    lines
}

fn in_words(estimate: &Estimate) -> String {
    format!("{:.4} +- {:.4}", estimate.mean(), estimate.se())
}

/// One coupling of class pos.
fn at_rest(at: &AtCoupling) -> Vec<(&'static str, String)> {
    let end = |(ipr, kind, count): &_| format!("{ipr:.4} {} ({count})", KINDS[*kind]);
    let dictator = at.dictator.exists.then(|| format!("{:.4}", at.dictator.ipr));
    let walls = at.ends.iter().map(|end| end.walls).sum::<usize>() / at.ends.len();
    vec![
        ("coupling", at.coupling.to_string()),
        ("dictator", dictator.unwrap_or_else(|| "none".to_owned())),
        ("walls", walls.to_string()),
        ("ipr at rest (starts)", at.distinct().iter().map(end).collect::<Vec<_>>().join(", ")),
    ]
}

/// Units trained at one coupling.
fn trained(unit: &Small) -> Vec<(&'static str, String)> {
    let apart = relative_distance(&replicas::mean(&unit.rows, None), &unit.end);
    vec![
        ("trained", unit.coupling.to_string()),
        ("ipr at rest", format!("{:.4}", ipr(&unit.end))),
        ("ipr of late mean", in_words(&unit.ipr)),
        ("fields apart", format!("{:.2} %", 100.0 * apart)),
    ]
}
