//! Covariances of the preactivations of a ReLU committee at time t, from per-frequency Gram matrices.
//!
//! ```math
//! \dot G^{(m)}=M^{(m)}G^{(m)}+G^{(m)}M^{(m)\top},\qquad Q^c=\sum_m\lambda^c_mG^{(m)},\qquad
//! G^{(m)}_{jk}=\mathrm{Re}\sum_{|q|=m}\hat u_j(q)\,\hat u_k(q)^*
//! ```
//!
//! ```math
//! M^{(m)}_{ik}=\frac1K\Big[\delta_{ik}\Big(\frac{c\,\lambda^1_m}{2s_i}-\sum_{l,c}\frac{\lambda^c_m}{4\pi K}\sqrt{\tfrac{Q^c_{ll}}{Q^c_{ii}}}\sin\theta^c_{il}\Big)
//! -\sum_c\frac{\lambda^c_m}{4\pi K}(\pi-\theta^c_{ik})\Big],\qquad s_i^2=Q^1_{ii}
//! ```
//!
//! # Source
//! The request "look for order parameters" of note 001 after (48), answered; claim L001.69.
//!
//! # Symbols
//! * $`Q^1, Q^0`$: `q_pos`, `q_neg` at time `t`, class 1 is pos, class 0 neg
//! * $`G^{(m)}`$: the Gram matrix of frequency $`m`$
//! * $`K`$: the number of rows of `w0`
//! * $`\theta^c_{jk}`$: the angle of two units by $`Q^c`$
//! * $`c`$: `c`, as in `relu.flow_multi`, but in sums and superscripts the class
//!
//! # Holds when
//! As `relu.flow_multi`. The equations for the $`Q^c`$ alone do not close: they need $`w^\top\Sigma_a\Sigma_bw`$. Those
//! for the K(K+1)/2 numbers of every frequency do, at a cost that does not grow with the number of phases. Where two
//! units have become parallel the angle is known to half the digits; the terms it multiplies then cancel, and $`Q`$
//! keeps all digits. Units that are copies of each other, shifted or mirrored, remain copies, and this symmetric state
//! can be a saddle: a difference between them would grow. So copies start with the same bits, and sums over units are
//! taken in the order of their terms, which keeps the copies equal. A Gram matrix that rounding has made negative in
//! a growing direction is refused.
//!
//! # Checked by
//! The flow of all the weights (`tests/relu_flow`); one unit; copies of a unit.

use crate::committee_flow::{CONSTANT, GAUSSIAN};
use crate::form::{Control, Form, FormError, bump, matrix, one_entry_per_site, with};
use crate::gaussian_flow::{GaussianFlow, SOLVER};
use crate::pair::Pair;
use crate::relu::pair_vec::shifted_bump;
use fovea_core::fourier::{frequency_of, to_fourier};
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, params, work};
use std::f64::consts::TAU;

/// The covariances of the preactivations in the two classes, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderParameters {
    /// In class pos.
    pub q_pos: Vec<Vec<f64>>,
    /// In class neg.
    pub q_neg: Vec<Vec<f64>>,
}

impl From<OrderParameters> for Value {
    fn from(order: OrderParameters) -> Self {
        Self::table([("q_pos", matrix(&order.q_pos)), ("q_neg", matrix(&order.q_neg))])
    }
}

/// The covariances at time `t` from the units `w0` at time 0, on elliptical data with the constant `c`.
///
/// ```
/// use fovea_theory::relu::order_parameters::order_parameters;
/// let start = order_parameters(0.4, [&[2.0, 1.0], &[1.0, 1.0]], &[vec![3.0, 0.0]], 0.0).unwrap();
/// assert!((start.q_pos[0][0] - 13.5).abs() < 1e-13 && (start.q_neg[0][0] - 9.0).abs() < 1e-13);
/// ```
///
/// # Errors
/// A path that takes more steps than the solver allows, that diverges, or that rounding decides.
pub fn order_parameters(
    c: f64,
    [eigs_pos, eigs_neg]: [&[f64]; 2],
    w0: &[Vec<f64>],
    t: f64,
) -> Result<OrderParameters, FormError> {
    let system = System { width: w0.len(), constant: c, eigs: [eigs_pos, eigs_neg] };
    let velocity = |_t: f64, g: &[f64], out: &mut [f64]| system.velocity(g, out);
    let path = SOLVER.solve(velocity, 0.0, t, &system.grams(w0))?;
    if let Some(k) = system.impossible(path.last()) {
        return Err(FormError::Within {
            what: format!(
                "at t = {} rounding decides the path: its Gram matrix at frequency {k} belongs to no weights",
                Value::Real(t)
            ),
            hint: "choose a shorter time, or follow the weights themselves with relu.flow_multi"
                .to_owned(),
        });
    }
    let [q_pos, q_neg] = [0, 1].map(|class| system.covariances(path.last(), class));
    Ok(OrderParameters { q_pos, q_neg })
}

/// The closed system. Its state holds the upper triangle of every Gram matrix, frequency by frequency.
struct System<'a> {
    width: usize,
    constant: f64,
    eigs: [&'a [f64]; 2],
}

impl System<'_> {
    /// The places of the upper triangle, row by row.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let width = self.width;
        (0..width).flat_map(move |i| (i..width).map(move |j| (i, j)))
    }

    fn size(&self) -> usize {
        self.width * (self.width + 1) / 2
    }

    /// The Gram matrices of the units.
    fn grams(&self, w: &[Vec<f64>]) -> Vec<f64> {
        let n = self.eigs[0].len();
        let modes = |w: &[Vec<f64>]| w.iter().map(|w| to_fourier(w)).collect::<Vec<_>>();
        let units = modes(w);
        let plain = modes(&w.iter().map(|w| representative(w)).collect::<Vec<_>>());
        let product = |u: &[f64], v: &[f64], m: usize| -> f64 {
            (0..n).filter(|j| frequency_of(*j, n) == m).map(|j| u[j] * v[j]).sum()
        };
        let mut state = Vec::with_capacity((n / 2 + 1) * self.size());
        for m in 0..=n / 2 {
            let power = |units: &[Vec<f64>], i: usize| product(&units[i], &units[i], m);
            for (i, j) in self.places() {
                let (a, b) = (power(&plain, i), power(&plain, j));
                let size = power(&units, i).sqrt() * power(&units, j).sqrt();
                let cos = if size > 0.0 { product(&units[i], &units[j], m) / size } else { 0.0 };
                let near = 1.0 - cos.abs() < 8.0 * f64::EPSILON;
                let cos = if near { cos.signum() } else { cos };
                let same = a.to_bits() == b.to_bits();
                state.push(cos * if same { a } else { a.sqrt() * b.sqrt() });
            }
        }
        state
    }

    /// A frequency with an impossible Gram matrix: a square, or a sum of two squares, is negative by more than rounding.
    fn impossible(&self, state: &[f64]) -> Option<usize> {
        let grams: Vec<Vec<Vec<f64>>> =
            state.chunks_exact(self.size()).map(|gram| self.whole(gram)).collect();
        let power = |gram: &Vec<Vec<f64>>| (0..self.width).map(|i| gram[i][i].abs()).sum::<f64>();
        let slack = 1e-9 * grams.iter().map(power).sum::<f64>();
        grams.iter().position(|gram| {
            self.places()
                .any(|(i, j)| gram[i][i] + gram[j][j] - 2.0 * gram[i][j].abs() < -4.0 * slack)
        })
    }

    /// A symmetric matrix from its upper triangle.
    fn whole(&self, triangle: &[f64]) -> Vec<Vec<f64>> {
        let mut rows = vec![vec![0.0; self.width]; self.width];
        for (x, (i, j)) in triangle.iter().zip(self.places()) {
            rows[i][j] = *x;
            rows[j][i] = *x;
        }
        rows
    }

    /// $`Q^c=\sum_m\lambda^c_mG^{(m)}`$.
    fn covariances(&self, state: &[f64], class: usize) -> Vec<Vec<f64>> {
        let mut triangle = vec![0.0; self.size()];
        for (m, gram) in state.chunks_exact(self.size()).enumerate() {
            let eig = self.eigs[class][m];
            triangle.iter_mut().zip(gram).for_each(|(q, g)| *q += eig * g);
        }
        self.whole(&triangle)
    }

    /// The coefficients of $`\Sigma_cw_k`$ in the velocity of unit `i`, row by row: $`M^{(m)}=\sum_c\lambda^c_mN^c`$.
    fn coupling(&self, q: &[Vec<f64>], teaches: bool) -> Vec<Vec<f64>> {
        let width = self.width as f64;
        let mut rows = vec![vec![0.0; self.width]; self.width];
        for i in 0..self.width {
            if q[i][i] <= 0.0 {
                continue;
            }
            if teaches {
                rows[i][i] += 0.5 * self.constant / (width * q[i][i].sqrt());
            }
            let mut pulls = Vec::with_capacity(self.width);
            for k in 0..self.width {
                // Rounding may leave a covariance a little above what the variances allow.
                let most = q[i][i].sqrt() * q[k][k].max(0.0).sqrt();
                let cov = q[i][k].max(-most).min(most);
                let Some(pair) = Pair::from_moments(q[i][i], q[k][k].max(0.0), cov) else {
                    continue;
                };
                let sine = libm::sin(pair.supplement);
                pulls.push((pair.var_t / pair.var_s).sqrt() * sine / (2.0 * TAU * width * width));
                let turn = pair.supplement / (2.0 * TAU * width * width);
                if k == i {
                    pulls.push(turn);
                } else {
                    rows[i][k] = -turn;
                }
            }
            rows[i][i] -= in_order(&mut Vec::new(), pulls);
        }
        rows
    }

    fn velocity(&self, state: &[f64], out: &mut [f64]) {
        let [pos, neg] = [0, 1].map(|class| self.covariances(state, class));
        let [pos, neg] = [self.coupling(&pos, true), self.coupling(&neg, false)];
        // A component of the velocity is a sum over units, and an angle for each pair of them.
        work::spend(state.len() * self.width / 4);
        let (size, mut terms) = (self.size(), Vec::with_capacity(self.width));
        for (m, (gram, out)) in state.chunks_exact(size).zip(out.chunks_exact_mut(size)).enumerate()
        {
            let gram = self.whole(gram);
            let entry =
                |i: usize, k: usize| self.eigs[0][m] * pos[i][k] + self.eigs[1][m] * neg[i][k];
            // M G, by rows.
            let mut moved = vec![vec![0.0; self.width]; self.width];
            for (i, row) in moved.iter_mut().enumerate() {
                for (j, sum) in row.iter_mut().enumerate() {
                    let products = (0..self.width).map(|k| entry(i, k) * gram[k][j]);
                    *sum = in_order(&mut terms, products);
                }
            }
            for (out, (i, j)) in out.iter_mut().zip(self.places()) {
                *out = moved[i][j] + moved[j][i];
            }
        }
    }
}

/// A unit's canonical representative among its shifts, mirror images and opposites.
fn representative(w: &[f64]) -> Vec<f64> {
    let n = w.len();
    let variant = |at: usize| -> Vec<f64> {
        let (shift, sign) = (at % n, if (at / n).is_multiple_of(2) { 1.0 } else { -1.0 });
        let place = |i: usize| if at / n < 2 { (i + shift) % n } else { (n + shift - i) % n };
        // Without the sign of a zero, which has no effect.
        (0..n).map(|i| sign * w[place(i)] + 0.0).collect()
    };
    let order = |a: &Vec<f64>, b: &Vec<f64>| {
        let pairs = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
        pairs.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    };
    (0..4 * n).map(variant).min_by(order).unwrap_or_default()
}

/// A sum in the order of the sizes of its terms, so that the same terms in any order have the same sum to the last bit.
fn in_order(scratch: &mut Vec<f64>, terms: impl IntoIterator<Item = f64>) -> f64 {
    scratch.clear();
    scratch.extend(terms);
    scratch.sort_unstable_by(f64::total_cmp);
    scratch.iter().sum()
}

params! {
    /// Arguments of `relu.order_parameters`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e3), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Weights at time 0, one row per unit and one entry per site.
        w0: Vec<Vec<f64>> = vec![bump(12), shifted_bump(12)], finite(), "";
        /// Time, the number of steps times the learning rate.
        t: f64 = 2.0, between(0.0, 1e4), "";
        /// Half the mean absolute value of a site of class pos at unit variance; the default is Gaussian.
        c: f64 = GAUSSIAN, CONSTANT, "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        self.w0.iter().try_for_each(|w| one_entry_per_site("w0", w.len(), self.n))
    }
}

impl Args {
    fn value(&self, t: f64) -> Result<Value, FormError> {
        let flow = GaussianFlow::on_ring(self.n, self.xi_pos, self.xi_neg, self.kernel)?;
        Ok(order_parameters(self.c, [&flow.eigs_pos, &flow.eigs_neg], &self.w0, t)?.into())
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.order_parameters",
    text: include_str!("order_parameters.rs"),
    control: Control {
        what: "without the 1/K of the chain rule, the notes' clock, K times as fast",
        eval: |given| with(given, |a: Args| a.value(a.t * a.w0.len() as f64)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(a.t)),
};
