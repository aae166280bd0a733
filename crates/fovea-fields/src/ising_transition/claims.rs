//! Claims on the ends of flows and on trained fields, and tables.

use super::measure::{AtCoupling, KINDS};
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

/// Where the flow comes to rest, and how far training is from theory.
pub(super) fn tables(settings: &IsingTransition, found: &Found) -> Vec<Table> {
    let Found { rests, edge, small, large, .. } = found;
    let IsingTransition { n_large, coupling_neg, coupling_large, .. } = settings;
    let edge = Table::of("edge", &[*edge])
        .whole("n", |_| settings.n)
        .given("coupling_neg", |_| *coupling_neg)
        .real("coupling_pos", 4, |edge| *edge)
        .caption("The strongest coupling of class pos at which a dictator state exists; the excess kurtosis is -2 at every coupling.");
    let ends: Vec<_> = rests
        .iter()
        .flat_map(|at| at.distinct().into_iter().map(|end| (at.coupling, end)))
        .collect();
    let ends = Table::of("ends", &ends)
        .given("coupling", |(coupling, _)| *coupling)
        .words("field", |(_, (_, kind, _))| KINDS[*kind])
        .real("ipr", 4, |(_, (ipr, ..))| *ipr)
        .whole("starts", |(_, (.., count))| *count)
        .caption("Every field in which the exact flow comes to rest at a coupling, and the number of random starts that end in it.");
    let trained = Table::of("trained", small)
        .given("coupling", |unit| unit.coupling)
        .real("ipr_at_rest", 4, |unit| ipr(&unit.end))
        .estimate("ipr_of_late_mean", 4, |unit| unit.ipr)
        .real("fields_apart", 2, |unit| {
            100.0 * relative_distance(&replicas::mean(&unit.rows, None), &unit.end)
        })
        .unit("%")
        .caption("Late mean of units trained from the first start, compared with the end of the exact flow from there.");
    let rows =
        [("ipr", large.point.ipr, large.ipr), ("peak", large.point.w[0], large.by_distance[0])];
    let large = Table::of("large_ring", &rows)
        .words("quantity", |row| row.0)
        .real("dictator_state", 4, |row| row.1)
        .estimate("trained", 4, |row| row.2)
        .caption(format!(
            "Late mean field of units trained on {n_large} spins, coupling {coupling_large} against {coupling_neg}, compared with the closed form."
        ));
    vec![edge, couplings(rests), ends, trained, large]
}

/// What exists at every coupling, and how many starts find it.
fn couplings(rests: &[AtCoupling]) -> Table {
    Table::of("couplings", rests)
        .given("coupling", |at| at.coupling)
        .real("dictator_ipr", 4, |at| if at.dictator.exists { at.dictator.ipr } else { f64::NAN })
        .whole("walls", |at| at.ends.iter().map(|end| end.walls).sum::<usize>() / at.ends.len())
        .whole("starts", |at| at.ends.len())
        .whole("on_one_site", |at| at.ends.iter().filter(one_site).count())
        .caption(
            "Every coupling of class pos: the IPR of the dictator state where it exists, the mean number of cell walls that the exact flow crosses, and how many of \
             the random starts end on one site; where the state exists and not all starts reach it, they end in other fixed points.",
        )
}
