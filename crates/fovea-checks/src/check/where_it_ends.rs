//! Where one unit on Gaussian or elliptical data ends: the frequency of smallest ratio, spread over the whole ring (notes 000 and 003).

use super::by_hand::taught_and_linear;
use super::dense::solve;
use super::prelude::*;
use fovea_core::fourier::power_by_frequency;
use fovea_core::ode::DormandPrince;
use fovea_theory::elliptical::Radial;
use fovea_theory::elliptical::half_mean_abs::{self, half_mean_abs};
use fovea_theory::nlgp::cov::cov;
use fovea_theory::relu::stable_mode::{self, stable_mode};
use fovea_theory::relu::steady::{self, steady};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "where-it-ends",
    summary: "Where the flow of one unit ends on Gaussian and elliptical data: one frequency, the one of smallest ratio.",
    covers: &["L000.13", "L000.14", "L003.17", "L003.18/flow", "L003.25/gaussian"],
    run,
};

const N: usize = 8;

/// First rows of both classes.
pub(super) type Rows = [Vec<f64>; 2];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let setting = Setting::new(effort);
    Ok(vec![
        setting.one_frequency(effort)?,
        setting.spread(effort)?,
        setting.which(effort)?,
        setting.matched(effort)?,
    ])
}

/// Classes of these lengths.
pub(super) fn classes(xi_pos: f64, xi_neg: f64) -> Rows {
    [xi_pos, xi_neg].map(|xi| kernel_row(N, xi, Kernel::Ring))
}

/// The velocity of one unit on data that are Gaussian with a random variance of mean 1 and this mean root.
pub(super) fn velocity(rows: &Rows, root: f64, w: &[f64]) -> Vec<f64> {
    let [taught, linear] = taught_and_linear(rows, w);
    combined(root, &taught, -1.0, &linear)
}

/// Weights without symmetry and with power at every frequency, one set for every start.
pub(super) fn start(s: usize) -> Vec<f64> {
    (0..N)
        .map(|i| ((i * i * i + (3 + s) * i * i + 2 * s * i + s) % 11) as f64 / 5.0 - 0.93)
        .collect()
}

/// The weights after a time.
pub(super) fn after(rows: &Rows, root: f64, w0: &[f64], t: f64) -> Result<Vec<f64>, LabError> {
    const SOLVER: DormandPrince =
        DormandPrince { rtol: 1e-9, atol: 1e-11, max_steps: 100_000, h0: None };
    let slope = |_: f64, w: &[f64], out: &mut [f64]| out.copy_from_slice(&velocity(rows, root, w));
    Ok(SOLVER.solve(slope, 0.0, t, w0).map_err(FormError::from)?.last().to_vec())
}

/// The steady state that a start reaches.
pub(super) fn settled(rows: &Rows, root: f64, s: usize) -> Result<Vec<f64>, LabError> {
    rest_from(rows, root, &start(s))
}

/// A time on the flow, then the zero of the velocity near by.
fn rest_from(rows: &Rows, root: f64, w: &[f64]) -> Result<Vec<f64>, LabError> {
    let near = after(rows, root, w, 300.0)?;
    Ok(zero(rows, root, near.clone()).unwrap_or(near))
}

/// A zero of the velocity near `w`, by the method of Levenberg and Marquardt.
pub(super) fn zero(rows: &Rows, root: f64, mut w: Vec<f64>) -> Option<Vec<f64>> {
    let size = |v: &[f64]| dot(v, v).sqrt();
    let mut damping = 1e-2;
    let mut f = velocity(rows, root, &w);
    for _ in 0..60 {
        if size(&f) < 1e-13 {
            return Some(w);
        }
        let column = |j: usize| {
            let at = |by: f64| {
                let mut w = w.clone();
                w[j] += by;
                velocity(rows, root, &w)
            };
            scaled(5e4, &combined(1.0, &at(1e-5), -1.0, &at(-1e-5)))
        };
        let columns: Vec<Vec<f64>> = (0..N).map(column).collect();
        let pull: Vec<f64> = columns.iter().map(|column| -dot(column, &f)).collect();
        let entry =
            |i: usize, j: usize| dot(&columns[i], &columns[j]) + if i == j { damping } else { 0.0 };
        let matrix = (0..N).map(|i| (0..N).map(|j| entry(i, j)).collect()).collect();
        let next = combined(1.0, &w, 1.0, &solve(matrix, pull));
        let there = velocity(rows, root, &next);
        if size(&there) < size(&f) {
            (w, f, damping) = (next, there, 0.1 * damping);
        } else {
            damping *= 10.0;
        }
    }
    None
}

/// The smallest ratio at k = 3, every other larger.
pub(super) fn between() -> Rows {
    from_eigs([1.0, 1.2, 1.0, 1.8, 0.5], [1.0, 1.1, 0.9, 0.6, 1.0])
}

/// First rows of unit variance with these eigenvalues, up to one factor each.
pub(super) fn from_eigs(pos: [f64; 5], neg: [f64; 5]) -> Rows {
    [pos, neg].map(|eigs| {
        let row = unfold(&circulant_eigs(&unfold(&eigs, N)), N);
        scaled(1.0 / row[0], &row)
    })
}

/// Every eigenvalue of both classes.
pub(super) fn eigs(rows: &Rows) -> [Vec<f64>; 2] {
    [0, 1].map(|class: usize| unfold(&circulant_eigs(&rows[class]), N))
}

/// Eigenvalues of both classes and a frequency, and the squared norm of its steady state.
pub(super) type Power = fn(&[f64], &[f64], usize) -> f64;

/// The closed form of that power; note 003 (25) omits a root.
pub(super) fn power_at_rest(effort: &Effort) -> Power {
    let right: Power = |pos, neg, k| {
        steady(pos, neg, k).map_or(f64::NAN, |point| point.amplitude * point.amplitude)
    };
    effort.form(&steady::ENTRY, right, |pos, neg, k| FRAC_2_PI.sqrt() / (pos[k] + neg[k]))
}

/// Eigenvalues of both classes, and the stable frequency.
pub(super) type Which = fn(&[f64], &[f64]) -> usize;

/// The closed form of that frequency; note 003 names the largest sum of eigenvalues as well.
pub(super) fn stable_frequency(effort: &Effort) -> Which {
    let right: Which = |pos, neg| stable_mode(pos, neg, 0.0).k;
    effort.form(&stable_mode::ENTRY, right, largest_sum)
}

fn largest_sum(pos: &[f64], neg: &[f64]) -> usize {
    let sum = |k: &usize| pos[*k] + neg[*k];
    (0..=N / 2).max_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap_or(0)
}

/// `E sqrt V` of Laplace data, which are Gaussian with variance V, exponential.
fn laplace() -> f64 {
    adaptive(|x| 2.0 * x * x * libm::exp(-x * x), 0.0, 7.0, 1e-14).value
}

struct Setting {
    power: Power,
    which: Which,
    participation_of_a_wave: f64,
}

impl Setting {
    fn new(effort: &Effort) -> Self {
        Self {
            power: power_at_rest(effort),
            which: stable_frequency(effort),
            participation_of_a_wave: effort.slip(
                "participation of a wave",
                "1/n, as for a flat field",
                1.5,
                1.0,
            ),
        }
    }

    /// The power in every frequency at the steady state, for a distribution whose constant is `factor` times the Gaussian one.
    fn at_rest(&self, rows: &Rows, factor: f64, which: Which) -> Vec<f64> {
        let [pos, neg] = eigs(rows);
        let mut power = vec![0.0; N / 2 + 1];
        let k = which(&pos, &neg);
        power[k] = factor * factor * (self.power)(&pos, &neg, k);
        power
    }

    /// Every start ends on the frequency of smallest ratio with one amplitude, up to the constant of the distribution.
    fn one_frequency(&self, effort: &Effort) -> Result<Comparison, LabError> {
        let constant: fn(Radial) -> f64 =
            effort.form(&half_mean_abs::ENTRY, |law| half_mean_abs(law, N), |_| 1.0 / TAU.sqrt());
        let (mut predicted, mut measured, mut largest) = (Vec::new(), Vec::new(), Vec::new());
        for (name, rows) in
            [("long", classes(1.5, 0.8)), ("short", classes(0.8, 1.5)), ("between", between())]
        {
            for (law, root) in [(Radial::Power { beta: 1.0 }, 1.0), (Radial::Laplace, laplace())] {
                let factor = constant(law) * TAU.sqrt();
                let power = self.at_rest(&rows, factor, self.which);
                for s in 0..if effort.quick { 1 } else { 2 } {
                    let end =
                        effort.once(&format!("{name} {law:?} {s}"), || settled(&rows, root, s))?;
                    predicted.extend(&power);
                    measured.extend(power_by_frequency(&end));
                    largest.extend(self.at_rest(&rows, factor, largest_sum));
                }
            }
        }
        let what = "n = 8, lengths 1.5 and 0.8 in both orders and classes of smallest ratio at k = 3, Gaussian and Laplace data: 4 c^2 l1/(l0 + l1)^2 in the frequency of smallest ratio and 0 in every other, and the power by frequency of the steady state next to where the flow from each of two starts is at time 300, its velocity integrated over the value of each site";
        Ok(Comparison::digits(&["L000.13", "L003.25/gaussian"], what, &predicted, &measured)
            .against("the frequency of the largest sum l0 + l1", &largest))
    }

    /// One frequency has all the power, and the participation ratio is that of a flat field or of a wave, even from a start on one site;
    /// those of a bump are the control.
    fn participation(
        &self,
        effort: &Effort,
        (key, root): (&str, f64),
        all: &[(Rows, bool)],
    ) -> Result<[Vec<f64>; 3], LabError> {
        let mut sides = [Vec::new(), Vec::new(), Vec::new()];
        let mut site = vec![0.01; N];
        site[0] = 1.0;
        let participation = |w: &[f64]| {
            let powers = |p: f64| -> f64 { w.iter().map(|w| libm::pow(w.abs(), p)).sum() };
            powers(4.0) / (powers(2.0) * powers(2.0))
        };
        let bump: Vec<f64> =
            (0..N).map(|i| distance(0, i, N) as f64).map(|d| libm::exp(-0.5 * d * d)).collect();
        for (index, (rows, is_wave)) in all.iter().enumerate() {
            for (from, w0) in [("site", &site), ("all", &start(1))] {
                let key = format!("{key} {index} {from}");
                let w = effort.once(&key, || rest_from(rows, root, w0))?;
                let [pos, neg] = eigs(rows);
                let mut one = vec![0.0; N / 2 + 1];
                one[(self.which)(&pos, &neg)] = 1.0;
                let shares = |w: &[f64]| scaled(1.0 / dot(w, w), &power_by_frequency(w));
                let share = if *is_wave { self.participation_of_a_wave } else { 1.0 };
                sides[0].extend([vec![share / N as f64], one].concat());
                sides[1].extend([vec![participation(&w)], shares(&w)].concat());
                sides[2].extend([vec![participation(&bump)], shares(&bump)].concat());
            }
        }
        Ok(sides)
    }

    fn spread(&self, effort: &Effort) -> Result<Comparison, LabError> {
        let all = [(classes(1.5, 0.8), false), (classes(0.8, 1.5), false), (between(), true)];
        let [predicted, measured, bump] =
            self.participation(effort, ("laplace", laplace()), &all)?;
        let what = "Laplace data, n = 8, lengths 1.5 and 0.8 in both orders and classes of smallest ratio at k = 3: participation ratio 1/n of a flat and of an alternating field and 3/2n of a wave, all power in the frequency of smallest ratio, and both of the steady state next to where the flow is at time 300 from nearly one site and from weights with power at every frequency; Laplace data are Gaussian with an exponential variance V: the velocity is that of Gaussian data integrated over the value of each site, its teacher term times E sqrt V (L000.11)";
        Ok(Comparison::digits(&["L000.14"], what, &predicted, &measured)
            .against("a bump exp(-d^2/2)", &bump))
    }

    /// The smallest ratio decides, and not the sum of the eigenvalues, which note 003 names as well.
    fn which(&self, effort: &Effort) -> Result<Comparison, LabError> {
        let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
        let lengths = [(0.8, 1.5), (0.6, 1.2), (1.0, 1.6), (1.5, 0.8)];
        let rings = lengths.map(|(pos, neg)| (format!("which {pos} {neg}"), classes(pos, neg)));
        // Smallest ratio at k = 3, largest sum at 1, smallest sum at 4.
        let inside = from_eigs([1.0, 2.0, 1.0, 1.2, 0.5], [1.0, 1.5, 0.9, 0.4, 0.7]);
        for (key, rows) in rings.into_iter().chain([("which inside".to_owned(), inside)]) {
            let end = effort.once(&key, || settled(&rows, 1.0, 1))?;
            predicted.extend(self.at_rest(&rows, 1.0, self.which));
            measured.extend(power_by_frequency(&end));
            source.extend(self.at_rest(&rows, 1.0, largest_sum));
        }
        let what = "Gaussian classes, n = 8, (xi_pos, xi_neg) = (0.8, 1.5), (0.6, 1.2), (1, 1.6), (1.5, 0.8), and classes with the smallest ratio at k = 3 and the largest sum at k = 1: (2/pi) l1/(l0 + l1)^2 in the frequency of smallest l0/l1 and 0 in every other, and the power by frequency of the steady state next to where the flow from one start is at time 300, its velocity integrated over the value of each site; by the largest sum of eigenvalues it would be k = 0, and k = 1";
        Ok(Comparison::digits(&["L003.17"], what, &predicted, &measured).source(&source))
    }

    /// Gaussian data with the covariance of signs.
    fn matched(&self, effort: &Effort) -> Result<Comparison, LabError> {
        let signs =
            |rows: Rows| rows.map(|row| row.iter().map(|rho| cov(*rho, f64::INFINITY)).collect());
        let all = [(signs(classes(1.5, 0.8)), false), (signs(classes(0.8, 1.5)), false)];
        let [predicted, measured, bump] = self.participation(effort, ("signs", 1.0), &all)?;
        let what = "Gaussian data with the covariance of signs, n = 8, lengths 1.5 and 0.8 in both orders: participation ratio 1/n of a flat and of an alternating field, all power in the frequency of smallest ratio, and both of the steady state next to where the flow is at time 300 from nearly one site and from weights with power at every frequency, its velocity integrated over the value of each site";
        Ok(Comparison::digits(&["L003.18/flow"], what, &predicted, &measured)
            .against("a bump exp(-d^2/2)", &bump))
    }
}
