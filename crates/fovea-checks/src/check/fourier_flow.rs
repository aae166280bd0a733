//! The flow of one unit in the Fourier basis, on Gaussian and elliptical data, and its solution.

use super::by_hand::taught_and_linear;
use super::prelude::*;
use fovea_core::fourier::power_by_frequency;
use fovea_core::ode::DormandPrince;
use fovea_theory::GaussianFlow;
use fovea_theory::elliptical::Radial;
use fovea_theory::elliptical::half_mean_abs::{self, half_mean_abs};
use fovea_theory::relu::flow_exact::{self, flow_exact};
use fovea_theory::relu::{flow_fourier, flow_single, relaxation, steady};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "fourier-flow",
    summary: "The flow of one unit on Gaussian and elliptical data, over sites and in the Fourier basis.",
    covers: &[
        "L000.12",
        "L003.8",
        "L003.9",
        "L001.59",
        "L001.61/attractor",
        "L001.61/linear",
        "L001.61/whole",
        "L003.11",
    ],
    run,
};

const N: usize = 6;
const WEIGHTS: [f64; N] = [0.8, -0.3, 0.45, 1.1, -0.6, 0.25];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let setting = Setting::new(effort);
    Ok(vec![
        setting.elliptical(effort),
        setting.on_sites(effort),
        setting.in_modes(),
        setting.first_attempt(),
        setting.attractor(effort)?,
        setting.linear(effort),
        setting.whole(effort)?,
        setting.clock(effort)?,
    ])
}

/// First rows or eigenvalues of both classes, weights or coefficients, and the velocity there.
type Velocity = fn(&[f64], &[f64], &[f64]) -> Vec<f64>;

/// Tight enough that the flow is compared and not the solver.
const SOLVER: DormandPrince =
    DormandPrince { rtol: 1e-10, atol: 1e-13, max_steps: 100_000, h0: None };

/// One unit on two Gaussian classes.
struct Setting {
    rows: [Vec<f64>; 2],
    flow: GaussianFlow,
    /// In the Fourier basis, in closed form.
    in_modes: Velocity,
    /// Minus the gradient of the loss over sites, every gated mean integrated over the value of a site.
    descent: Vec<f64>,
}

/// Times at which the flow is compared; the longest decay time of a mode is 9.4, and at the last time its power is `e^-25`.
const TIMES: [f64; 4] = [0.5, 3.0, 20.0, 120.0];

/// A time by which the slowest mode of the exchanged classes has decayed, to `e^-15` of its weight.
const LAST: f64 = 400.0;

/// The weights at these times along the flow, whose velocity is integrated over the value of a site at every step.
fn solved(rows: &[Vec<f64>; 2], times: &[f64]) -> Result<Vec<Vec<f64>>, LabError> {
    let velocity = |_: f64, w: &[f64], out: &mut [f64]| {
        let [taught, linear] = taught_and_linear(rows, w);
        out.copy_from_slice(&combined(1.0, &taught, -1.0, &linear));
    };
    let (mut from, mut found) = (0.0, vec![WEIGHTS.to_vec()]);
    for &to in times {
        let start = found.last().map_or(&[][..], Vec::as_slice);
        let path = SOLVER.solve(velocity, from, to, start).map_err(FormError::from)?;
        found.push(path.last().to_vec());
        from = to;
    }
    Ok(found.split_off(1))
}

/// First rows and eigenvalues of both classes, and the frequency of smallest ratio.
type Order<'a> = ([Vec<f64>; 2], [&'a [f64]; 2], usize);

impl Setting {
    fn new(effort: &Effort) -> Self {
        let rows = [1.5, 0.8].map(|xi| kernel_row(N, xi, Kernel::Ring));
        let [taught, linear] = taught_and_linear(&rows, &WEIGHTS);
        // Note 000 (6) has 1 and 1/2 where 1/2 and 1/4 are right.
        let in_modes: Velocity =
            effort.form(&flow_fourier::ENTRY, flow_fourier::velocity, |pos, neg, u| {
                scaled(2.0, &flow_fourier::velocity(pos, neg, u))
            });
        Self {
            flow: GaussianFlow::from_rows(&rows[0], &rows[1]),
            in_modes,
            descent: combined(1.0, &taught, -1.0, &linear),
            rows,
        }
    }

    /// A number for every mode, from the eigenvalues of class pos and neg and the coefficient.
    fn modes(&self, u: &[f64], of: impl Fn(f64, f64, f64) -> f64) -> Vec<f64> {
        let GaussianFlow { eigs_pos, eigs_neg } = &self.flow;
        let k = |j: usize| frequency_of(j, N);
        u.iter().enumerate().map(|(j, u)| of(eigs_pos[k(j)], eigs_neg[k(j)], *u)).collect()
    }

    /// `u'Lu` of one class.
    fn variance(&self, u: &[f64], class: usize) -> f64 {
        self.modes(u, |pos, neg, u| [pos, neg][class] * u * u).iter().sum()
    }

    /// `u' = 1/2 g L1 u - 1/4 (L0 + L1) u`; note 000 (6) doubles both constants.
    fn elliptical(&self, effort: &Effort) -> Comparison {
        let constant: fn(Radial) -> f64 =
            effort.form(&half_mean_abs::ENTRY, |law| half_mean_abs(law, N), |_| 1.0 / TAU.sqrt());
        let u = to_fourier(&WEIGHTS);
        // Both distributions are Gaussian with a random variance V: exponential, and 3 over chi^2 of five degrees of freedom.
        let over = |f: &dyn Fn(f64) -> f64| adaptive(f, 0.0, 14.0, 1e-14).value;
        let laplace = over(&|x| 2.0 * x * x * libm::exp(-x * x));
        let chi = |power: i32| over(&|s| libm::pow(s, f64::from(power)) * libm::exp(-0.5 * s * s));
        let student = 3.0_f64.sqrt() * chi(3) / chi(4);
        let (mut predicted, mut source, mut measured) = (Vec::new(), Vec::new(), Vec::new());
        for (law, root) in [(Radial::Laplace, laplace), (Radial::Student { dof: 5.0 }, student)] {
            let g = constant(law) / self.variance(&u, 0).sqrt();
            predicted
                .extend(self.modes(&u, |pos, neg, u| 0.5 * g * pos * u - 0.25 * (pos + neg) * u));
            source.extend(self.modes(&u, |pos, neg, u| g * pos * u - 0.5 * (pos + neg) * u));
            // Over sites: that the flow is diagonal in the Fourier basis is part of the claim.
            let loss = |w: &[f64]| {
                let (pos, neg) = (form(&self.rows[0], w, w), form(&self.rows[1], w, w));
                0.25 * (1.0 - 2.0 * root * (pos / TAU).sqrt() + 0.5 * (pos + neg))
            };
            measured.extend(to_fourier(&scaled(-1.0, &gradient(&WEIGHTS, 1e-3, loss))));
        }
        let what = "Laplace data and Student data of 5 degrees of freedom, Gaussian with a random variance V, n = 6, xi_pos = 1.5, xi_neg = 0.8, one field: velocity of each Fourier coefficient from that coefficient alone and g = c / sqrt(u^T L1 u), c half the mean of |X_1|; and minus the difference quotient over sites of the loss, (1/4)[1 - 2 E sqrt V sqrt(w^T S1 w/(2 pi)) + w^T (S0 + S1) w/2], E sqrt V by quadrature";
        Comparison::digits(&["L000.12"], what, &predicted, &measured).source(&source)
    }

    /// Note 003 (20).
    fn on_sites(&self, effort: &Effort) -> Comparison {
        let velocity: Velocity =
            effort.form(&flow_single::ENTRY, flow_single::velocity, |pos, neg, w| {
                // The decay a second time.
                let pull = combined(1.0, &circulant_apply(pos, w), 1.0, &circulant_apply(neg, w));
                combined(1.0, &flow_single::velocity(pos, neg, w), -0.25, &pull)
            });
        let what = "Gaussian classes, n = 6, xi_pos = 1.5, xi_neg = 0.8: velocity of one unit in closed form, and the mean step of descent E[(Y - S) 1(S > 0) X], S = <w,X>, Y = 1 in class pos and 0 in neg, integrated over the value of each site";
        let predicted = velocity(&self.rows[0], &self.rows[1], &WEIGHTS);
        let step = Comparison::digits(&["L003.8"], what, &predicted, &self.descent);
        let loss = |w: &[f64]| {
            let mean = |row: &[f64], label: f64| {
                let deviation = form(row, w, w).sqrt();
                let square = |z: f64| {
                    let left = label - (deviation * z).max(0.0);
                    left * left
                };
                normal_expectation(square, &[0.0]).value
            };
            // 1/2 E (Y - S_+)^2, half of the data in each class.
            0.25 * (mean(&self.rows[0], 1.0) + mean(&self.rows[1], 0.0))
        };
        let downhill = scaled(-1.0, &gradient(&WEIGHTS, 1e-3, loss));
        let what = "the same velocity, and minus the difference quotient over sites of the loss (1/2) E (Y - S_+)^2, integrated over the value of S in both classes";
        step.and(Comparison::digits(&["L003.8"], what, &predicted, &downhill))
    }

    /// The weights at the times compared.
    fn path(&self, effort: &Effort) -> Result<Vec<Vec<f64>>, LabError> {
        effort.once("path", || solved(&self.rows, &TIMES))
    }

    /// The rows and eigenvalues of both classes in either order, each with the frequency of smallest ratio.
    fn orders(&self) -> [Order<'_>; 2] {
        let GaussianFlow { eigs_pos, eigs_neg } = &self.flow;
        let [pos, neg] = &self.rows;
        [
            (self.rows.clone(), [eigs_pos, eigs_neg], 0),
            ([neg.clone(), pos.clone()], [eigs_neg, eigs_pos], N / 2),
        ]
    }

    /// Note 003 (21).
    fn right(&self) -> Vec<f64> {
        (self.in_modes)(&self.flow.eigs_pos, &self.flow.eigs_neg, &to_fourier(&WEIGHTS))
    }

    fn in_modes(&self) -> Comparison {
        let what = "Gaussian classes, n = 6, xi_pos = 1.5, xi_neg = 0.8: u' = -1/4 (L0 + (1 - sqrt(2/pi) / s1) L1) u, and the Fourier coefficients of the velocity integrated over the value of each site";
        Comparison::digits(&["L003.9"], what, &self.right(), &to_fourier(&self.descent))
    }

    /// Note 001 (138) has the norms of both classes and other signs.
    fn first_attempt(&self) -> Comparison {
        let u = to_fourier(&WEIGHTS);
        let [pos_norm, neg_norm] = [0, 1].map(|class| self.variance(&u, class).sqrt());
        let source =
            self.modes(&u, |pos, neg, u| -((1.0 / pos_norm - 1.0) * pos + neg / neg_norm) * u);
        let what = "Gaussian classes, n = 6, xi_pos = 1.5, xi_neg = 0.8: 4 u' in closed form, and four times the Fourier coefficients of the velocity integrated over the value of each site; note 001 (138) has the norms of both classes";
        let measured = scaled(4.0, &to_fourier(&self.descent));
        Comparison::digits(&["L001.59"], what, &scaled(4.0, &self.right()), &measured)
            .source(&source)
    }

    /// The flow ends on the mode of smallest ratio, not at 0; where that is not the largest eigenvalue, the classes are exchanged.
    fn attractor(&self, effort: &Effort) -> Result<Comparison, LabError> {
        let (mut right, mut forgotten) = (Vec::new(), Vec::new());
        for (_, [pos, neg], least) in self.orders() {
            let none = || FormError::NoSteadyState { k: least };
            let point = steady::steady(pos, neg, least).ok_or_else(none)?;
            let alone = |power: f64| (0..=N / 2).map(move |k| if k == least { power } else { 0.0 });
            right.extend(alone(point.amplitude * point.amplitude));
            forgotten.extend(alone(FRAC_2_PI.sqrt() / (pos[least] + neg[least])));
        }
        let predicted = effort.form(&steady::ENTRY, right, forgotten);
        let [_, (exchanged, ..)] = self.orders();
        let end = self.path(effort)?.swap_remove(TIMES.len() - 1);
        let other = effort.once("exchanged", || solved(&exchanged, &[LAST]))?.swap_remove(0);
        let measured = [power_by_frequency(&end), power_by_frequency(&other)].concat();
        let what = "Gaussian classes, n = 6, correlation lengths 1.5 and 0.8: |u|^2 = (2/pi) l1/(l0 + l1)^2 in the frequency of smallest q, flat where xi_pos = 1.5 and n/2 where xi_pos = 0.8, and 0 in every other, and the power by frequency where the flow ends from one start, its velocity integrated over the value of each site; note 001 (147) ends at 0";
        Ok(Comparison::digits(&["L001.61/attractor"], what, &predicted, &measured)
            .source(&[0.0; N + 2]))
    }

    /// The linear term shrinks mode k at `(l0 + l1)_k / 4`.
    fn linear(&self, effort: &Effort) -> Comparison {
        let decay = effort.slip("decay of L001.61", "note 000 (4): 1/2 in place of 1/4", 0.25, 0.5);
        let u = to_fourier(&WEIGHTS);
        let predicted = self.modes(&u, |pos, neg, u| decay * (pos + neg) * u);
        let [_, linear] = taught_and_linear(&self.rows, &WEIGHTS);
        let what = "Gaussian classes, n = 6, xi_pos = 1.5, xi_neg = 0.8: (l0 + l1)_k u_k / 4, and the Fourier coefficients of E[S 1(S > 0) X] over both classes, integrated over the value of each site";
        Comparison::digits(&["L001.61/linear"], what, &predicted, &to_fourier(&linear))
    }

    /// Near the attractor the whole flow has other rates.
    fn whole(&self, effort: &Effort) -> Result<Comparison, LabError> {
        let (mut right, mut linear, mut measured) = (Vec::new(), Vec::new(), Vec::new());
        // The cosine of a frequency.
        let cosine = |k: usize| basis_vector((2 * k).saturating_sub(1), N);
        for (rows, [pos, neg], least) in self.orders() {
            let none = || FormError::NoSteadyState { k: least };
            let rates = relaxation::relaxation(pos, neg, least).ok_or_else(none)?.rates;
            let amplitude = (FRAC_2_PI * pos[least]).sqrt() / (pos[least] + neg[least]);
            let rest = scaled(amplitude, &cosine(least));
            for k in (0..=N / 2).filter(|k| *k != least) {
                right.push(rates[k]);
                linear.push(-0.25 * (pos[k] + neg[k]));
                let mode = cosine(k);
                measured.push(slope(1e-3, |by| {
                    let [taught, linear] =
                        taught_and_linear(&rows, &combined(1.0, &rest, by, &mode));
                    dot(&mode, &combined(1.0, &taught, -1.0, &linear))
                }));
            }
        }
        let rates = effort.form(&relaxation::ENTRY, right, linear);
        let what = "Gaussian classes, n = 6, correlation lengths 1.5 and 0.8: rates -1/4 l1_j (q_j - q_k) of the other frequencies around the attractor, flat where xi_pos = 1.5 and of frequency n/2 where xi_pos = 0.8, and difference quotients of the velocity there, integrated over the value of each site";
        Ok(Comparison::digits(&["L001.61/whole"], what, &rates, &measured))
    }

    /// The solution by one scalar clock against the whole system, and the phases that it conserves.
    fn clock(&self, effort: &Effort) -> Result<Comparison, LabError> {
        type Clock = fn(&GaussianFlow, f64) -> Result<Vec<f64>, LabError>;
        let at = |flow: &GaussianFlow, t: f64| {
            let state = flow_exact(&flow.eigs_pos, &flow.eigs_neg, &WEIGHTS, t);
            Ok(state.map_err(FormError::from)?.w)
        };
        // Twice the decay is that of l1 + 2 l0 in class neg.
        let exact: Clock = effort.form(&flow_exact::ENTRY, at as Clock, |flow, t| {
            let twice = combined(1.0, &flow.eigs_pos, 2.0, &flow.eigs_neg);
            let state = flow_exact(&flow.eigs_pos, &twice, &WEIGHTS, t);
            Ok(state.map_err(FormError::from)?.w)
        });
        let phases = |w: &[f64]| -> Vec<f64> {
            let u = to_fourier(w);
            (1..N / 2).map(|k| libm::atan2(u[2 * k], u[2 * k - 1])).collect()
        };
        let (mut predicted, mut measured) = (Vec::new(), Vec::new());
        for (t, solved) in TIMES.into_iter().zip(self.path(effort)?).take(3) {
            predicted.extend([exact(&self.flow, t)?, phases(&WEIGHTS)].concat());
            measured.extend([solved.clone(), phases(&solved)].concat());
        }
        let what = "Gaussian classes, n = 6, xi_pos = 1.5, xi_neg = 0.8: weights at t = 0.5, 3, 20 by the scalar clock, with the phases of the start, and the system over sites with its velocity integrated over the value of each site";
        Ok(Comparison::digits(&["L003.11"], what, &predicted, &measured))
    }
}
