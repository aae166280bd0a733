//! The claims of `proof-bounds`: two equalities along every flow, three bounds, and the rate of one of them in the width.

use super::measure::{At, Flow};
use super::{Found, ProofBounds};
use fovea_desk::prelude::*;
use fovea_desk::widths::exponent;
use fovea_theory::ntk::width::{may_move, moved_at_most};

pub(super) fn claims(settings: &ProofBounds, found: &Found) -> Result<Vec<Claim>, LabError> {
    let [speed, decay] = equalities(found);
    Ok(vec![speed, decay, kernel(found), weights(settings, found)?, argument(&found.closed)])
}

/// Speed and slope of the loss over `r.K r/m^2`, at every time of every flow.
fn equalities(found: &Found) -> [Claim; 2] {
    let (mut speeds, mut whole) = (Vec::new(), Vec::new());
    let (mut slopes, mut whole_too) = (Vec::new(), Vec::new());
    for flow in found.all() {
        for at in &flow.path {
            // Relative to each other: they fall by many orders of magnitude.
            speeds.push(at.speed / at.product);
            whole.push(flow.m as f64);
            // A difference of losses has no digits left once they have fallen this far.
            if at.loss > 1e-6 * flow.loss {
                slopes.push(at.slope / at.product);
                whole_too.push(flow.m as f64);
            }
        }
    }
    let [ones, ones_too] = [speeds.len(), slopes.len()].map(|count| vec![1.0; count]);
    let wrong = "r.K r/m, one power of m too few";
    let what = "squared speed of the weights over r.K r/m^2 at every time of every flow";
    let speed =
        Claim::exact("T13.8", what, &ones, &speeds, 1e-9).rejecting_exact(wrong, &whole, &speeds);
    let what = "fall of the loss a unit of time over r.K r/m^2, by differences along the flow";
    let decay = Claim::exact("T13.5", what, &ones_too, &slopes, 1e-5)
        .rejecting_exact(wrong, &whole_too, &slopes);
    [speed, decay]
}

/// The kernel moves by no more than the weights allow.
fn kernel(found: &Found) -> Claim {
    let share = |units: &dyn Fn(&Flow) -> f64| {
        let times = || found.all().flat_map(|flow| flow.path[1..].iter().map(move |at| (flow, at)));
        let holds =
            |(flow, at): &(&Flow, &At)| at.kernel <= 2.0 * flow.m as f64 * at.moved / units(flow);
        times().filter(holds).count() as f64 / times().count() as f64
    };
    let what = "share of times at which the kernel moved by no more than 2 m D";
    Claim::exact("T13.2", what, &[1.0], &[share(&|_| 1.0)], 1e-9).rejecting_exact(
        "2 m D/n, as if one unit moved",
        &[1.0],
        &[share(&|flow| flow.width as f64)],
    )
}

/// Moves fall as their bound does; the largest of ever more units approaches the bound on it from below, so the mean is taken.
fn weights(settings: &ProofBounds, found: &Found) -> Result<Claim, LabError> {
    let last = |flow: &Flow| flow.path[flow.path.len() - 1].usual;
    let moves: Vec<Vec<f64>> =
        found.flows.iter().map(|net| net.iter().map(last).collect()).collect();
    let slope = exponent(&settings.width, &moves)?;
    let what = "exponent in the width of the root mean square move of a unit's weights, that of the bound on all";
    Ok(Claim::family("T13.3", what, &[(slope, -0.5)]).rejecting("-1", &[(slope, -1.0)]))
}

/// At a width at which the proof closes all three bounds hold at all times.
fn argument(flow: &Flow) -> Claim {
    let most = moved_at_most(flow.m, flow.loss, flow.least, flow.width as f64);
    let share = |rate: f64| {
        let kept = flow.path[1..].iter().filter(|at| {
            let decay = libm::exp(-rate * flow.least * at.time / flow.m as f64) * flow.loss;
            at.moved <= most && at.least >= 0.5 * flow.least && at.loss <= decay
        });
        kept.count() as f64 / (flow.path.len() - 1) as f64
    };
    let closes = f64::from(u8::from(most < may_move(flow.m, flow.least)));
    let what = "at a width at which the proof closes (1): share of times at which weights, kernel and loss keep their bounds";
    Claim::exact("T13.6", what, &[1.0, 1.0], &[closes, share(1.0)], 1e-9).rejecting_exact(
        "a loss that falls four times as fast",
        &[1.0, 1.0],
        &[closes, share(4.0)],
    )
}
