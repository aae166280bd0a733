//! Tangent kernel of an infinitely wide network at two inputs.
//!
//! ```math
//! \Theta^{(1)}=K^{(1)},\qquad\Theta^{(l+1)}=K^{(l+1)}+C_wE_{K^{(l)}}[s'(z_a)s'(z_b)]\,\Theta^{(l)}
//! ```
//!
//! # Source
//! Lectures, topic 11, with the recursion added; claims T11.6, T11.7.
//!
//! # Symbols
//! * $`\Theta`$: `theta_aa`, `theta_bb`, `theta_ab`, behind `layers` hidden layers
//! * $`K`$: starts at `k_aa`, `k_bb`, `k_ab`, the covariances of the first preactivations
//!
//! # Holds when
//! Layers of infinite width at fixed depth, NTK parametrisation: weights are unit normals times $`\sqrt{C_w/n}`$,
//! biases times $`\sqrt{C_b}`$, and all are trained. ReLU at $`C_w=2`$: the diagonal is `layers` + 1 times the
//! variance, and the other entries tend to a quarter of that as the depth grows.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the diagonal of ReLU; explicit Jacobians of wide networks in the check
//! `drawn-gradients`.

use crate::averages::Pair;
use crate::criticality::{PairArgs, check_pair};
use crate::form::FormError;
use crate::form::{Control, Form, with};
use crate::layer::{Layer, LayerArgs};
use fovea_core::params::{Schema, between};
use fovea_core::{ParamError, Params, Value, params};

/// Covariances and tangent kernels of two inputs, in the order of [`Pair`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernels {
    /// Covariances of the preactivations.
    pub k: Pair,
    /// Tangent kernels.
    pub theta: Pair,
}

/// The kernels behind `layers` hidden layers, from the covariances of the first preactivations.
///
/// # Errors
/// A Gaussian average is not finite.
pub fn kernels(layer: &Layer, first: Pair, layers: usize) -> Result<Kernels, FormError> {
    let (mut k, mut theta) = (first, first);
    let mut slopes = first;
    let mut of: Option<Pair> = None;
    for _ in 0..layers {
        // Covariances that are unchanged to the last bit have the slopes of the layer before.
        if of != Some(k) {
            let twin = |k: f64| layer.averages.slope_product(Pair::twin(k));
            slopes =
                Pair { aa: twin(k.aa)?, bb: twin(k.bb)?, ab: layer.averages.slope_product(k)? };
            of = Some(k);
            k = layer.next_pair(k)?;
        }
        let next = |k: f64, slope: f64, theta: f64| k + layer.c_w * slope * theta;
        theta = Pair {
            aa: next(k.aa, slopes.aa, theta.aa),
            bb: next(k.bb, slopes.bb, theta.bb),
            ab: next(k.ab, slopes.ab, theta.ab),
        };
    }
    Ok(Kernels { k, theta })
}

fn table(found: &Kernels) -> Value {
    let (k, theta) = (found.k, found.theta);
    Value::table([
        ("k_aa", k.aa.into()),
        ("k_bb", k.bb.into()),
        ("k_ab", k.ab.into()),
        ("theta_aa", theta.aa.into()),
        ("theta_bb", theta.bb.into()),
        ("theta_ab", theta.ab.into()),
    ])
}

params! {
    /// Arguments of `ntk.kernel`.
    pub struct Args {
        ..layer: LayerArgs;
        ..pair: PairArgs;
        /// Hidden layers.
        layers: usize = 2, between(0.0, 1e5), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        check_pair(self.pair.pair())
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ntk.kernel",
    text: include_str!("kernel.rs"),
    control: Control {
        what: "the last layer alone, which gives the covariance and not the tangent kernel",
        eval: |given| {
            with(given, |a: Args| {
                let k = kernels(&Layer::from(&a.layer), a.pair.pair(), a.layers + 1)?.k;
                Ok(table(&Kernels { k, theta: k }))
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| Ok(table(&kernels(&Layer::from(&a.layer), a.pair.pair(), a.layers)?)))
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::Function;

    #[test]
    fn the_kernel_of_deep_rectifiers_counts_layers_on_the_diagonal_and_a_quarter_off_it() {
        let layer = Layer::new(&Function::parse("relu").unwrap(), 2.0, 0.0);
        for layers in [0, 1, 7] {
            let found = kernels(&layer, Pair::correlated(1.0, 0.3), layers).unwrap();
            assert!((found.theta.aa - (layers + 1) as f64).abs() < 1e-12);
        }
        let deep = kernels(&layer, Pair::correlated(1.0, 0.0), 20_000).unwrap();
        assert!((deep.theta.ab / deep.theta.aa - 0.25).abs() < 2e-3);
    }
}
