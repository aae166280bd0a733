//! The long run of one unit on Gaussian data: its transient, its mode and the time it takes (note 001 end, note 003 section 2).

use super::prelude::*;
use fovea_core::ode::{DormandPrince, Trajectory};
use fovea_desk::two_class::StartSize;
use fovea_theory::relu::flow_exact::{self, flow_exact};
use fovea_theory::relu::relaxation::{self, Relaxation, relaxation};
use fovea_theory::relu::steady::{self, steady};
use rayon::prelude::*;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "long-run",
    summary: "The population flow of one unit for a long time: a transient, then the stable mode, slowly.",
    covers: &["L001.81/norm", "L003.57/flow", "L003.59/rates", "L003.59/survives"],
    run,
};

pub(super) const SITES: usize = 40;
const WHY: &str = "both sides solve a differential equation, to 1e-11 per step";

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let rows = [2.0, 1.0].map(|xi| kernel_row(SITES, xi, Kernel::Ring));
    Ok(vec![
        norm(&rows, effort)?,
        figure_one(&rows, effort)?,
        rates(&rows, effort)?,
        survives(&rows, effort)?,
    ])
}

pub(super) fn start(effort: &Effort, index: u64, size: StartSize) -> Vec<f64> {
    size.weights(SITES, &effort.streams.named("starts"), index)
}

/// Both covariances as matrices.
pub(super) fn matrices(rows: &[Vec<f64>; 2]) -> [Vec<f64>; 2] {
    rows.each_ref().map(|row| {
        (0..SITES * SITES).map(|at| row[distance(at / SITES, at % SITES, SITES)]).collect()
    })
}

/// The velocity of one unit over the sites: `1/2 S1 w/sqrt(2 pi w'S1 w) - 1/4 (S0 + S1) w`.
pub(super) fn over_sites(matrices: &[Vec<f64>; 2], w: &[f64], out: &mut [f64]) {
    let apply =
        |matrix: &Vec<f64>| -> Vec<f64> { matrix.chunks(SITES).map(|row| dot(row, w)).collect() };
    let [pos, neg] = matrices.each_ref().map(apply);
    let teach = 0.5 / (TAU * dot(w, &pos)).sqrt();
    for ((out, pos), neg) in out.iter_mut().zip(pos).zip(neg) {
        *out = teach * pos - 0.25 * (pos + neg);
    }
}

/// Its path by a solver.
pub(super) fn path(rows: &[Vec<f64>; 2], w: &[f64], t: f64) -> Result<Trajectory, LabError> {
    let solver = DormandPrince { rtol: 1e-11, atol: 1e-14, max_steps: 1_000_000, h0: None };
    let matrices = matrices(rows);
    let velocity = |_: f64, w: &[f64], out: &mut [f64]| over_sites(&matrices, w, out);
    Ok(solver.solve(velocity, 0.0, t, w).map_err(FormError::from)?)
}

/// Power at every frequency.
pub(super) fn powers(w: &[f64]) -> Vec<f64> {
    let mut power = vec![0.0; SITES / 2 + 1];
    for (j, u) in to_fourier(w).iter().enumerate() {
        power[frequency_of(j, SITES)] += u * u;
    }
    power
}

/// Eigenvalues of both covariances, and the amplitude of the stationary point at `|k| = 0`.
type Amplitude = fn(&[f64], &[f64]) -> Option<f64>;

/// The norm after a long time, along the population flow from noise; it is 0 in the note.
fn norm(rows: &[Vec<f64>; 2], effort: &Effort) -> Result<Comparison, LabError> {
    let [pos, neg] = rows.each_ref().map(|row| circulant_eigs(row));
    let source: Amplitude = |pos, neg| Some((FRAC_2_PI.sqrt() / (pos[0] + neg[0])).sqrt());
    let of: Amplitude =
        effort.form(&steady::ENTRY, |pos, neg| Some(steady(pos, neg, 0)?.amplitude), source);
    let amplitude = of(&pos, &neg).ok_or(FormError::NoSteadyState { k: 0 })?;
    let measured = effort.once("norm", || -> Result<_, LabError> {
        let size = |(index, size)| -> Result<f64, LabError> {
            let end = path(rows, &start(effort, index, size), 4000.0)?;
            Ok(dot(end.last(), end.last()).sqrt())
        };
        [(0, StartSize::Unit), (1, StartSize::Glorot)]
            .map(size)
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
    })?;
    let what = "norm of the weights at t = 4000 from N(0, 1) and from Glorot weights, n = 40, xi_pos = 2, xi_neg = 1: that of the stationary point at |k| = 0 in closed form, and the population flow over the sites; by the note it is 0";
    Ok(Comparison::digits(&["L001.81/norm"], what, &[amplitude; 2], &measured)
        .within(1e-7, WHY)
        .source(&[0.0; 2]))
}

/// Eigenvalues of both covariances, weights and a time, and the weights then.
pub(super) type Exact = fn(&[f64], &[f64], &[f64], f64) -> Result<Vec<f64>, FormError>;

/// The closed solution.
pub(super) fn exact(effort: &Effort) -> Exact {
    // The decay of note 000 (4) is that of a class neg with covariance 2 S0 + S1.
    let twice: Exact = |pos, neg, w, t| Ok(flow_exact(pos, &combined(2.0, neg, 1.0, pos), w, t)?.w);
    effort.form(&flow_exact::ENTRY, |pos, neg, w, t| Ok(flow_exact(pos, neg, w, t)?.w), twice)
}

/// The state of figure 1 of note 003, `t = 20`: shares of the power at low frequencies over many starts.
fn figure_one(rows: &[Vec<f64>; 2], effort: &Effort) -> Result<Comparison, LabError> {
    let count = effort.samples(100) as u64;
    let t = 20.0;
    let [pos, neg] = rows.each_ref().map(|row| circulant_eigs(row));
    let exact = exact(effort);
    let glorot = |index: u64| start(effort, index, StartSize::Glorot);
    let closed = |index: u64| exact(&pos, &neg, &glorot(index), t);
    let predicted = (0..count).into_par_iter().map(closed).collect::<Result<Vec<_>, _>>()?;
    let measured = effort.once("figure one", || {
        let solved = |index: u64| Ok(path(rows, &glorot(index), t)?.last().to_vec());
        (0..count).into_par_iter().map(solved).collect::<Result<Vec<_>, LabError>>()
    })?;
    let what = format!(
        "{count} Glorot starts at t = 20, n = 40, xi_pos = 2, xi_neg = 1: median shares of the power at |k| = 0, 1, 2, 3, and the share of starts led by k = 0, which is {:.2} and below 1/2; the closed solution with its one clock, and the population flow over the sites",
        shares(&measured)[4],
    );
    Ok(Comparison::digits(&["L003.57/flow"], what, &shares(&predicted), &shares(&measured))
        .within(1e-7, WHY)
        .against("half of the starts led by k = 0", &[&shares(&predicted)[..4], &[0.5]].concat())
        .shown())
}

/// The share of the power at every frequency.
pub(super) fn share(w: &[f64]) -> Vec<f64> {
    let power = powers(w);
    scaled(1.0 / power.iter().sum::<f64>(), &power)
}

/// Medians of the shares of the power at `|k| = 0..3`, and the share of fields led by `k = 0`.
fn shares(fields: &[Vec<f64>]) -> Vec<f64> {
    let shares: Vec<Vec<f64>> = fields.iter().map(|w| share(w)).collect();
    let median = |k: usize| {
        let mut list: Vec<f64> = shares.iter().map(|share| share[k]).collect();
        list.sort_by(f64::total_cmp);
        list[list.len() / 2]
    };
    let led = |share: &&Vec<f64>| share[1..].iter().all(|p| *p < share[0]);
    let flat = shares.iter().filter(led).count() as f64 / shares.len() as f64;
    vec![median(0), median(1), median(2), median(3), flat]
}

/// Eigenvalues of both covariances, and the rates at `|k| = 0`.
type Rates = fn(&[f64], &[f64]) -> Option<Relaxation>;

/// Relaxation rates in closed form, and how fast small departures decay along the flow.
fn rates(rows: &[Vec<f64>; 2], effort: &Effort) -> Result<Comparison, LabError> {
    let [pos, neg] = rows.each_ref().map(|row| circulant_eigs(row));
    let without_teacher: Rates = |pos, neg| {
        let rates = pos.iter().zip(neg).map(|(pos, neg)| -0.25 * (pos + neg)).collect();
        Some(Relaxation { rates, ..relaxation(pos, neg, 0)? })
    };
    let of: Rates =
        effort.form(&relaxation::ENTRY, |pos, neg| relaxation(pos, neg, 0), without_teacher);
    let point = of(&pos, &neg).ok_or(FormError::NoSteadyState { k: 0 })?;
    let measured = effort.once("rates", || departures(rows))?;
    let predicted = [point.radial, point.rates[1], point.rates[2], point.rates[3]];
    let what = "rates at which the norm and |k| = 1, 2, 3 relax to the flat field (times 0.75, 123.7, 32.4, 15.5), n = 40, xi_pos = 2, xi_neg = 1: closed form, and small departures along the population flow over the sites";
    Ok(Comparison::digits(&["L003.59/rates"], what, &predicted, &measured)
        .within(1e-6, "the square of the departure and the solver's error over it"))
}

/// How fast departures from the flat field decay, by a symmetric difference; the flat field is found by following the flow.
fn departures(rows: &[Vec<f64>; 2]) -> Result<Vec<f64>, LabError> {
    let flat = path(rows, &[0.1; SITES], 60.0)?;
    let height = flat.last()[0];
    let departure = 1e-3 * height;
    let rate = |(frequency, t): (usize, f64)| -> Result<f64, LabError> {
        let wave = |i: usize| fovea_core::fourier::cos_turns(frequency * i, SITES);
        let pushed = |sign: f64| -> Result<f64, LabError> {
            let w: Vec<f64> = (0..SITES).map(|i| height + sign * departure * wave(i)).collect();
            let end = path(rows, &w, t)?;
            let along: f64 = end.last().iter().enumerate().map(|(i, w)| w * wave(i)).sum();
            Ok(along * if frequency == 0 { 1.0 } else { 2.0 } / SITES as f64)
        };
        Ok(libm::log(0.5 * (pushed(1.0)? - pushed(-1.0)?) / departure) / t)
    };
    [(0, 1.0), (1, 100.0), (2, 30.0), (3, 15.0)].into_iter().map(rate).collect()
}

const STARTS: u64 = 12;

/// Starts whose power ends in the flat mode.
fn survives(rows: &[Vec<f64>; 2], effort: &Effort) -> Result<Comparison, LabError> {
    let counted = effort.once("survives", || -> Result<_, LabError> {
        let flat = |index: u64| -> Result<[bool; 2], LabError> {
            let path = path(rows, &start(effort, index, StartSize::Glorot), 2000.0)?;
            let early = path.at(20.0).map_err(FormError::from)?;
            Ok([path.last(), &early].map(|w| share(w)[0] > 0.99))
        };
        let all = (100..100 + STARTS).into_par_iter().map(flat).collect::<Result<Vec<_>, _>>()?;
        Ok([0, 1].map(|at| all.iter().filter(|flat| flat[at]).count()))
    })?;
    let what = "of 12 Glorot starts, n = 40, xi_pos = 2, xi_neg = 1, those with more than 0.99 of their power at k = 0 at t = 2000 along the population flow over the sites; if each of the 21 frequencies were equally likely to survive, a start would be one of them with chance 1/21";
    Ok(Comparison::all(&["L003.59/survives"], what, (counted[0], STARTS as usize), 1.0 / 21.0)
        .against_cases("the same starts at t = 20", (counted[1], STARTS as usize)))
}
