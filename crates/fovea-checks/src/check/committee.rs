//! Several ReLU units on Gaussian classes: their loss, their flow with the factor of the width, and their order parameters.

use super::averaged::by_angle;
use super::prelude::*;
use fovea_core::ode::DormandPrince;
use fovea_theory::relu::order_parameters::{self, order_parameters};
use fovea_theory::relu::{flow_multi, loss};
use fovea_theory::{CommitteeFlow, GaussianFlow};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "committee",
    summary: "Several ReLU units on Gaussian classes: loss, flow and order parameters.",
    covers: &[
        "L001.7",
        "L003.2",
        "L001.21",
        "L003.6",
        "L003.7",
        "L001.69/closed",
        "L001.69/overlaps",
    ],
    run,
};

/// The flow, one row of weights per unit, and the velocity of each.
type Velocity = fn(&CommitteeFlow, &[Vec<f64>]) -> Vec<Vec<f64>>;

/// The same, and the loss.
type Loss = fn(&CommitteeFlow, &[Vec<f64>]) -> f64;

/// Without the 1/K of the chain rule, as in the notes.
fn notes_clock(flow: &CommitteeFlow, w: &[Vec<f64>]) -> Vec<Vec<f64>> {
    flow.velocity(w).iter().map(|v| scaled(w.len() as f64, v)).collect()
}

/// Without class neg, as both notes leave it.
fn without_neg(flow: &CommitteeFlow, w: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let nothing = vec![0.0; flow.classes.eigs_neg.len()];
    let classes = GaussianFlow { eigs_neg: nothing, ..flow.classes.clone() };
    CommitteeFlow { classes, ..flow.clone() }.velocity(w)
}

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let setting = Setting::new(5, 1.1, 0.7);
    let velocity: Velocity = effort.form(&flow_multi::ENTRY, CommitteeFlow::velocity, notes_clock);
    let loss: Loss = effort.form(&loss::ENTRY, CommitteeFlow::loss, |flow, w| 2.0 * flow.loss(w));
    Ok(vec![
        setting.loss(loss),
        setting.factor(velocity).and(on_spins(effort)),
        setting.both_classes(velocity),
        overlaps(effort)?,
        order(effort)?,
    ])
}

/// Three units on two classes.
struct Setting {
    rows: [Vec<f64>; 2],
    flow: CommitteeFlow,
    w: Vec<Vec<f64>>,
}

impl Setting {
    fn new(n: usize, xi_pos: f64, xi_neg: f64) -> Self {
        let rows = [xi_pos, xi_neg].map(|xi| kernel_row(n, xi, Kernel::Ring));
        let flow = GaussianFlow::from_rows(&rows[0], &rows[1]).into();
        Self { rows, flow, w: units(3, n) }
    }

    /// The loss by the products of every pair of outputs, each over the polar angle of the two preactivations.
    fn polar_loss(&self, w: &[f64]) -> f64 {
        let n = self.rows[0].len();
        let width = (w.len() / n) as f64;
        let relu = |x: f64| x.max(0.0);
        let class = |row: &[f64], label: f64| {
            let (mut square, mut mean) = (0.0, 0.0);
            for a in w.chunks(n) {
                let own = form(row, a, a).sqrt();
                mean += own * normal_expectation(relu, &[0.0]).value;
                for b in w.chunks(n) {
                    let other = form(row, b, b).sqrt();
                    let r = (form(row, a, b) / (own * other)).clamp(-1.0, 1.0);
                    square += own * other * by_angle(r, 1, relu);
                }
            }
            0.25 * (square / (width * width) - 2.0 * label * mean / width + label * label)
        };
        class(&self.rows[0], 1.0) + class(&self.rows[1], 0.0)
    }

    fn descent(&self) -> Vec<f64> {
        scaled(-1.0, &gradient(&self.w.concat(), 1e-3, |w| self.polar_loss(w)))
    }

    fn loss(&self, loss: Loss) -> Comparison {
        let others = [self.w.clone(), units(4, 5)[1..].to_vec(), vec![units(1, 5)[0].clone(); 3]];
        let predicted = others.clone().map(|w| loss(&self.flow, &w));
        let measured = others.map(|w| self.polar_loss(&w.concat()));
        let what = "population loss of three units, three sets of weights, Gaussian classes, n = 5, xi_pos = 1.1, xi_neg = 0.7: by arc-cosine kernels, and pair by pair of units by quadrature over the polar angle of their preactivations";
        Comparison::digits(&["L003.7"], what, &predicted, &measured)
    }

    /// The velocity is `1/K` times that of the notes.
    fn factor(&self, velocity: Velocity) -> Comparison {
        let what = "velocity of each of three units, Gaussian classes, n = 5, xi_pos = 1.1, xi_neg = 0.7: closed form with the factor 1/K, and minus the difference quotient of the loss, which is, pair by pair of units, a quadrature over the polar angle of their preactivations";
        let predicted = velocity(&self.flow, &self.w).concat();
        Comparison::digits(&["L001.7", "L003.2"], what, &predicted, &self.descent())
            .source(&notes_clock(&self.flow, &self.w).concat())
    }

    /// The whole flow, both classes in it, at weights of another scale and angle.
    fn both_classes(&self, velocity: Velocity) -> Comparison {
        let w = [scaled(0.4, &self.w[1]), scaled(-1.5, &self.w[2]), scaled(0.9, &units(4, 5)[3])];
        let other = Self { w: w.to_vec(), rows: self.rows.clone(), flow: self.flow.clone() };
        let what = "velocity of each of three units of unequal scale, Gaussian classes, n = 5, xi_pos = 1.1, xi_neg = 0.7: the pair moments of both classes in closed form, and minus the difference quotient of the loss by quadrature; note 001 leaves class neg out";
        let predicted = velocity(&other.flow, &other.w).concat();
        Comparison::digits(&["L001.21", "L003.6"], what, &predicted, &other.descent())
            .against("class neg left out", &without_neg(&other.flow, &other.w).concat())
    }
}

/// The same velocity on spins, where the gated means and moments are sums over all corners.
fn on_spins(effort: &Effort) -> Comparison {
    let classes = [0.7, 0.3].map(|coupling| Corners::ising(6, coupling));
    // No corner is within 0.02 of a hyperplane.
    let tilted = |w: Vec<f64>| w.iter().enumerate().map(|(i, w)| w + 0.03 * i as f64).collect();
    let w: Vec<Vec<f64>> = units(3, 6).into_iter().map(tilted).collect();
    let over =
        effort.slip("velocity of one of K units", "without the 1/K in front", 1.0 / 3.0, 1.0);
    let velocity = |i: usize, j: usize| -> f64 {
        let gated = |x: &[f64], factor: f64| if dot(&w[i], x) > 0.0 { factor * x[j] } else { 0.0 };
        let taught = classes[0].mean(|x| gated(x, 1.0));
        let sum = |x: &[f64]| w.iter().map(|w| dot(w, x).max(0.0)).sum::<f64>();
        let [pos, neg] = [0, 1].map(|c: usize| classes[c].mean(|x| gated(x, sum(x) / 3.0)));
        0.5 * (taught - pos - neg)
    };
    let whole: Vec<f64> =
        (0..3).flat_map(|i| (0..6).map(move |j| (i, j))).map(|(i, j)| velocity(i, j)).collect();
    let loss = |all: &[f64]| {
        let answer = |x: &[f64]| all.chunks(6).map(|w| dot(w, x).max(0.0)).sum::<f64>() / 3.0;
        let class = |c: usize, label: f64| {
            classes[c].mean(|x| 0.25 * (answer(x) - label) * (answer(x) - label))
        };
        class(0, 1.0) + class(1, 0.0)
    };
    let measured = scaled(-1.0, &gradient(&w.concat(), 1e-3, loss));
    let what = "the same of three units on rings of six Ising spins, couplings 0.7 and 0.3: gated class mean less gated second moments, over K, as sums over all corners, and minus the difference quotient of the loss, a sum over all corners";
    Comparison::digits(&["L001.7", "L003.2"], what, &scaled(over, &whole), &measured).source(&whole)
}

/// Units without symmetry.
fn units(width: usize, n: usize) -> Vec<Vec<f64>> {
    let entry = |k: usize, i: usize| ((i * i + 3 * k * i + k) % 7) as f64 / 4.0 - 0.65;
    (0..width).map(|k| (0..n).map(|i| entry(k, i)).collect()).collect()
}

/// The covariances of the preactivations of the units `w0` at time `t`, in class pos and in class neg.
type Order = fn(&CommitteeFlow, &[Vec<f64>], f64) -> Result<Vec<f64>, FormError>;

/// From the Gram matrices of every frequency.
fn by_frequency(flow: &CommitteeFlow, w0: &[Vec<f64>], t: f64) -> Result<Vec<f64>, FormError> {
    let GaussianFlow { eigs_pos, eigs_neg } = &flow.classes;
    let order = order_parameters(flow.constant, [eigs_pos, eigs_neg], w0, t)?;
    Ok([order.q_pos.concat(), order.q_neg.concat()].concat())
}

/// The notes' clock, K times as fast.
const CLOCK: Order = |flow, w0, t| by_frequency(flow, w0, t * w0.len() as f64);

const CLASSES: &str = "classes of the order parameters";

/// Class pos instead of class neg.
const EXCHANGED: Order = |flow, w0, t| {
    let GaussianFlow { eigs_pos, eigs_neg } = flow.classes.clone();
    let classes = GaussianFlow { eigs_pos: eigs_neg, eigs_neg: eigs_pos };
    let mut order = by_frequency(&CommitteeFlow { classes, ..flow.clone() }, w0, t)?;
    order.rotate_left(w0.len() * w0.len());
    Ok(order)
};

const SOLVER: DormandPrince =
    DormandPrince { rtol: 1e-11, atol: 1e-14, max_steps: 100_000, h0: None };

/// The closed set of order parameters against the weights themselves.
fn order(effort: &Effort) -> Result<Comparison, LabError> {
    let rows = [2.0, 1.0].map(|xi| kernel_row(12, xi, Kernel::Ring));
    let flow = CommitteeFlow::from(GaussianFlow::from_rows(&rows[0], &rows[1]));
    let w0 = units(3, 12);
    let form_of: Order = effort.form(&order_parameters::ENTRY, by_frequency, CLOCK);
    let form_of = effort.slip(CLASSES, "the two exchanged", form_of, EXCHANGED);
    let times = [1.0, 6.0, 30.0];
    let mut predicted = Vec::new();
    for t in times {
        predicted.extend(form_of(&flow, &w0, t)?);
    }
    let measured = effort.once("order", || -> Result<_, LabError> {
        let velocity = |_: f64, w: &[f64], out: &mut [f64]| over_sites(&rows, w, out);
        let path = SOLVER.solve(velocity, 0.0, times[2], &w0.concat()).map_err(FormError::from)?;
        let mut measured = Vec::new();
        for t in times {
            let w = path.at(t).map_err(FormError::from)?;
            for row in &rows {
                let pairs = w.chunks(12).flat_map(|a| w.chunks(12).map(move |b| (a, b)));
                measured.extend(pairs.map(|(a, b)| form(row, a, b)));
            }
        }
        Ok(measured)
    })?;
    let what = "w_j'S_c w_k of three units at t = 1, 6, 30, Gaussian classes, n = 12, xi_pos = 2, xi_neg = 1: from the Gram matrices of 7 frequencies, 42 numbers, and from all 36 weights, whose flow is written out over the sites";
    Ok(Comparison::digits(&["L001.69/closed"], what, &predicted, &measured))
}

/// Two units alone with equal overlaps at the start and unequal ones later.
fn overlaps(effort: &Effort) -> Result<Comparison, LabError> {
    let rows = [2.0, 1.0].map(|xi| kernel_row(12, xi, Kernel::Ring));
    let flow = CommitteeFlow::from(GaussianFlow::from_rows(&rows[0], &rows[1]));
    // Powers at frequencies 0, 1 and 2; what is added leaves both overlaps as they are.
    let eigs = rows.clone().map(|row| circulant_eigs(&row));
    let minor = |a: usize, b: usize| eigs[0][a] * eigs[1][b] - eigs[0][b] * eigs[1][a];
    let null = [minor(1, 2), minor(2, 0), minor(0, 1)];
    let most = null.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
    let start = |share: f64| -> Vec<f64> {
        let mode = |(at, null): (usize, &f64)| {
            scaled((0.4 + 0.3 * share * null / most).sqrt(), &basis_vector(2 * at, 12))
        };
        null.iter()
            .enumerate()
            .map(mode)
            .reduce(|a, b| combined(1.0, &a, 1.0, &b))
            .unwrap_or_default()
    };
    let form_of: Order = effort.slip(CLASSES, "the two exchanged", by_frequency, EXCHANGED);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (w, t) in [(start(0.0), 0.0), (start(1.0), 0.0), (start(0.0), 1.0), (start(1.0), 1.0)] {
        predicted.extend(form_of(&flow, std::slice::from_ref(&w), t)?);
        let velocity = |_: f64, w: &[f64], out: &mut [f64]| over_sites(&rows, w, out);
        let w = SOLVER.solve(velocity, 0.0, t, &w).map_err(FormError::from)?.last().to_vec();
        measured.extend(rows.iter().map(|row| form(row, &w, &w)));
    }
    predicted.copy_within(0..2, 2);
    let mut same = predicted.clone();
    same.copy_within(4..6, 6);
    let what = "w'S_c w of one unit at t = 0 and 1 from two starts whose powers at |k| = 0, 1, 2 differ and whose overlaps with both covariances are the same, n = 12, xi_pos = 2, xi_neg = 1: from the powers of every frequency, and from the weights, whose flow is written out over the sites";
    Ok(Comparison::digits(&["L001.69/overlaps"], what, &predicted, &measured)
        .against("equal overlaps at t = 1, as if they were a closed set", &same))
}

/// The flow of all units on Gaussian classes, written out over the sites.
fn over_sites(rows: &[Vec<f64>; 2], w: &[f64], out: &mut [f64]) {
    let n = rows[0].len();
    let width = (w.len() / n) as f64;
    for (a, out) in w.chunks(n).zip(out.chunks_mut(n)) {
        let deviation = form(&rows[0], a, a).sqrt();
        out.copy_from_slice(&scaled(
            0.5 / (width * deviation * TAU.sqrt()),
            &circulant_apply(&rows[0], a),
        ));
        for (row, b) in rows.iter().flat_map(|row| w.chunks(n).map(move |b| (row, b))) {
            let [own, other] = [a, b].map(|w| form(row, w, w).sqrt());
            let theta = libm::acos((form(row, a, b) / (own * other)).clamp(-1.0, 1.0));
            let moment = combined(
                other / own * libm::sin(theta) / TAU,
                &circulant_apply(row, a),
                (PI - theta) / TAU,
                &circulant_apply(row, b),
            );
            out.iter_mut().zip(moment).for_each(|(v, h)| *v -= 0.5 * h / (width * width));
        }
    }
}
