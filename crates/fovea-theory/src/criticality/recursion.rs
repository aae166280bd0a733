//! Variances, covariance and correlation of two inputs after many layers.
//!
//! ```math
//! K^{(l+1)}_{ab}=C_b+C_wE_{K^{(l)}}[s(z_a)s(z_b)]
//! ```
//!
//! # Source
//! Lectures, topic 2; claims T02.3, T02.10, T02.11, T02.13, T02.14. The notes give a deep linear network $`C_w^2`$ per
//! layer; the factor is $`C_w`$.
//!
//! # Symbols
//! * $`l`$: `layers`, applications of the recursion: from $`K^{(1)}`$ they lead to $`K^{(l+1)}`$
//! * $`r`$: `r`, the correlation
//!
//! # Holds when
//! Layers of infinite width. Critical tanh from K = 1: $`1/K=2l-\tfrac56\ln l+1.1104`$ after $`l`$ layers; critical
//! ReLU: $`1-r\sim9\pi^2/2l^2`$.
//!
//! # Checked by
//! Reference values (`tests/oracle`); these asymptotic formulas for tanh and ReLU; sampled networks.

use crate::averages::Pair;
use crate::criticality::{PairArgs, check_pair};
use crate::form::FormError;
use crate::form::{Control, Form, with};
use crate::layer::{Layer, LayerArgs};
use fovea_core::params::{Schema, between};
use fovea_core::{ParamError, Params, Value, params};

/// The pair behind `layers` layers.
///
/// # Errors
/// A Gaussian average is not finite.
pub fn behind(layer: &Layer, pair: Pair, layers: usize) -> Result<Pair, FormError> {
    layer.behind(pair, layers)
}

fn table(pair: Pair) -> Value {
    Value::table([
        ("k_aa", pair.aa.into()),
        ("k_bb", pair.bb.into()),
        ("k_ab", pair.ab.into()),
        ("r", pair.correlation().into()),
    ])
}

params! {
    /// Arguments of `criticality.recursion`.
    pub struct Args {
        ..layer: LayerArgs;
        ..pair: PairArgs;
        /// Number of layers.
        layers: usize = 10, between(1.0, 1e6), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        check_pair(self.pair.pair())
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "criticality.recursion",
    text: include_str!("recursion.rs"),
    control: Control {
        what: "one layer too many: the layer index read as a number of applications",
        eval: |given| {
            with(given, |a: Args| {
                Ok(table(behind(&Layer::from(&a.layer), a.pair.pair(), a.layers + 1)?))
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| Ok(table(behind(&Layer::from(&a.layer), a.pair.pair(), a.layers)?)))
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::Function;
    use fovea_core::agree::within;
    use std::f64::consts::PI;

    #[test]
    fn critical_tanh_falls_as_one_over_twice_the_depth_with_its_logarithm() {
        let layer = Layer::new(&Function::parse("tanh").unwrap(), 1.0, 0.0);
        let k = layer.variances(1.0, 20_000).unwrap();
        // 2 l K_l at published depths.
        for (l, published) in [(10, 1.0440), (100, 1.0138), (400, 1.0049)] {
            assert!(
                (2.0 * l as f64 * k[l] - published).abs() < 5e-5,
                "{l}: {}",
                2.0 * l as f64 * k[l]
            );
        }
        let constant = |l: usize| 1.0 / k[l] - 2.0 * l as f64 + 5.0 / 6.0 * libm::log(l as f64);
        // In the index of layers, l + 1 here, the same constant less 2.
        // The remainder at this depth decays as (25/72) ln(l)/l, and then as 1/l.
        let left = 25.0 / 72.0 * libm::log(2e4) / 2e4;
        assert!((constant(20_000) - left - 1.11043).abs() < 1e-4, "{}", constant(20_000));
    }

    #[test]
    fn critical_rectifier_brings_inputs_together_as_one_over_the_squared_depth() {
        let layer = Layer::new(&Function::parse("relu").unwrap(), 2.0, 0.0);
        let scaled = |l: usize| {
            let pair = behind(&layer, Pair::correlated(1.0, 0.5), l).unwrap();
            (l * l) as f64 * (1.0 - pair.correlation())
        };
        let limit = 4.5 * PI * PI;
        // The gap shrinks as ln(l) / l: by less than ten for ten times the depth.
        let gaps = [1000, 10_000, 100_000].map(|l| limit - scaled(l));
        assert!(gaps[2] > 0.0 && gaps[2] < 0.03, "{gaps:?}");
        assert!(gaps.windows(2).all(|w| w[0] / w[1] > 7.5 && w[0] / w[1] < 10.0), "{gaps:?}");
    }

    #[test]
    fn critical_tanh_freezes_the_correlation() {
        let layer = Layer::new(&Function::parse("tanh").unwrap(), 1.0, 0.0);
        let pairs = layer.pairs(Pair::correlated(1.0, 0.2), 20).unwrap();
        within(pairs[10].correlation(), 0.174, 0.0, 5e-4).unwrap();
        assert!((pairs[20].correlation() - pairs[10].correlation()).abs() < 3e-3);
    }
}
