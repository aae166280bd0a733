//! Where a dictator state exists: the answer for each arm at infinite gain, from the closed form and a sign argument.
//!
//! A dictator's gate is `1(x_0 > 0)`, and `E[1(x_0 > 0) x] = C e_0 / 2`, from which the closed forms follow.
//!
//! * **Squared error, one unit.** The equations of that gate have one solution, the form `dictator.labels`, `w = u` with
//!   `u = M^-1 (C_pos + y C_neg) e_0`, `y` the label of class `neg`; with an output bias the form `dictator.output_bias`,
//!   `b = (1 + y)/2` and `w = u - b e_0` (L001.64, L001.66). It exists where `w_0 > 0` and site 0 outweighs the others together.
//! * **Squared error, a pair.** Two units `w, -w` share the inputs between them and `w = 2 u`. With an output bias the loss depends on
//!   `w_0/2 + b` alone since `|x_0| = 1`, so that `w = 2 (u - b e_0)` is a line of states, one for every `b`
//!   below the edge `u_0 - sum_d |u_d|`.
//! * **Cross-entropy.** The equation of `w_0` says that the mean of `s(y_hat)` where the gate is open is 1/2, but there
//!   `y_hat > 0` and `s > 1/2`. With an output bias and one unit the closed half adds `s(b) = 1/2`, so `b = 0`, and the same
//!   contradiction.
//! * **Absolute error.** Where the gate is open `y_hat` exceeds the label of `neg` (a trained bias is not below it, by its
//!   own equation), so that class pulls with all its weight; the equation of `w_0` asks the same of `pos`; what is left of
//!   the others is `(C_pos - C_neg) e_0 / 4`, which is not zero.
//! * **A trained readout.** The network sees `v_k w_k` alone, and where `v_k` is not zero a point is stationary in `w_k` when
//!   it is in `v_k w_k`: the states are those of the fixed readout, each with every split of its size.
//! * A **pair with an output bias** under the last two losses has such a line as well, but its edge is not known in closed form.

use super::arm::Arm;
use fovea_desk::prelude::*;
use fovea_theory::dictator::fixed_point::{FixedPoint, sign_cov};
use fovea_theory::dictator::labels::labels;
use fovea_theory::dictator::output_bias::output_bias;

/// Whether a dictator state exists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Exists {
    /// One does: an isolated minimum.
    Yes,
    /// A line of them, one for every output bias below the edge.
    Below(f64),
    /// None, for this reason.
    No(&'static str),
    /// Not known, for this reason.
    Open(&'static str),
}

/// The prediction for an arm at infinite gain.
#[derive(Clone, Debug)]
pub struct Prediction {
    pub(super) exists: Exists,
    /// The only solution of the gate's equations, where one is known: its centre entry and margin.
    pub candidate: Option<(f64, f64)>,
}

impl Prediction {
    /// Whether a field started in a dictator's cell with the output bias `b` should stay; `None` where theory is silent.
    pub fn stays(&self, b: f64) -> Option<bool> {
        match self.exists {
            Exists::Yes => Some(true),
            Exists::Below(edge) => Some(b < edge),
            Exists::No(_) => Some(false),
            Exists::Open(_) => None,
        }
    }

    /// The answer in a few words.
    pub(super) fn in_words(&self) -> String {
        match self.exists {
            Exists::Yes => "yes".to_owned(),
            Exists::Below(_) => "for b2 below the edge".to_owned(),
            Exists::No(why) => format!("no: {why}"),
            Exists::Open(why) => format!("open: {why}"),
        }
    }

    /// The output bias up to which there is a line of states; NaN where there is none.
    pub(super) fn edge(&self) -> f64 {
        if let Exists::Below(edge) = self.exists { edge } else { f64::NAN }
    }
}

/// The theory of one task.
pub struct Theory {
    /// The state of one unit under the squared error with labels 1 and 0.
    pub(super) dictator: FixedPoint,
    /// Its documented wrong form.
    pub(super) latent: FixedPoint,
    /// First rows of the covariances of the signs, `pos` and `neg`.
    rows: [Vec<f64>; 2],
    /// Whether the two classes have different covariances.
    differ: bool,
}

impl Theory {
    /// The theory of one task.
    ///
    /// # Errors
    /// A latent covariance is not positive semidefinite.
    pub fn of(two: &TwoClass) -> Result<Self, LabError> {
        let [pos, neg] = two.kernels()?;
        let gap = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-9;
        let differ = pos.first_row.iter().zip(&neg.first_row).any(gap);
        let rows = [&pos, &neg].map(|kernel| sign_cov(&kernel.first_row));
        Ok(Self { dictator: two.dictator()?, latent: two.latent_dictator()?, rows, differ })
    }

    /// The prediction for an arm with this many units.
    pub fn predict(&self, arm: Arm, width: usize) -> Prediction {
        let open = |why| Prediction { exists: Exists::Open(why), candidate: None };
        if width > 2 {
            return open("more than a pair");
        }
        if !arm.loss().squared {
            return match (arm.biased() && width == 2, arm.loss().name) {
                (true, _) => open("the edge of the line of pairs has no closed form"),
                (false, "l1") if !self.differ => open("the classes have one covariance"),
                (false, "l1") => no("the pull on the other sites is not zero"),
                (false, _) => no("the outputs of an open gate are all above 1/2"),
            };
        }
        let ([pos, neg], y) = (&self.rows, arm.negative_label());
        let biased = output_bias(pos, neg, y);
        if arm.biased() && width == 2 {
            return Prediction { exists: Exists::Below(biased.pair_edge), candidate: None };
        }
        let point = if arm.biased() { biased.point } else { labels(pos, neg, y) };
        let exists = if point.exists {
            Exists::Yes
        } else {
            Exists::No("the solution contradicts its gate")
        };
        Prediction { exists, candidate: Some((point.w[0], point.margin)) }
    }

    /// Weights and output bias of the start: the state of labels 1 and 0 under the squared error, in the units of the arm;
    /// where that does not exist either, its centre alone.
    pub(super) fn held_start(&self, arm: Arm, width: usize) -> (Vec<f64>, f64) {
        let y = arm.negative_label();
        let scale = (1.0 - y) * width as f64;
        let state = &self.dictator.w;
        let inside = |i: usize| if self.dictator.exists || i == 0 { scale * state[i] } else { 0.0 };
        let row: Vec<f64> = (0..state.len()).map(inside).collect();
        let sign = |unit: usize| if unit.is_multiple_of(2) { 1.0 } else { -1.0 };
        let weights = (0..width).flat_map(|unit| row.iter().map(move |w| sign(unit) * w)).collect();
        (weights, if arm.biased() { y } else { 0.0 })
    }
}

fn no(why: &'static str) -> Prediction {
    Prediction { exists: Exists::No(why), candidate: None }
}
