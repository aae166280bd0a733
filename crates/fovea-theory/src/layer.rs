//! One layer of an infinitely wide network at initialization: its map of variances, covariances and tangent kernels.

use crate::averages::{Averages, Pair};
use crate::form::FormError;
use fovea_core::params::{any, at_least, finite_above};
use fovea_core::{Function, activation, params};

params! {
    /// An activation and the variances of the parameters of a layer.
    pub struct LayerArgs {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::tanh::ENTRY), any(), "";
        /// Variance of the weights times the number of inputs of the layer.
        c_w: f64 = 1.0, finite_above(0.0), "";
        /// Variance of the biases.
        c_b: f64 = 0.0, at_least(0.0), "";
    }
}

/// A layer: $`K'=C_b+C_wE_K[s(z_a)s(z_b)]`$.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The averages of its activation.
    pub averages: Averages,
    /// Variance of the weights times the number of inputs.
    pub c_w: f64,
    /// Variance of the biases.
    pub c_b: f64,
}

impl From<&LayerArgs> for Layer {
    fn from(args: &LayerArgs) -> Self {
        Self { averages: Averages::of(&args.activation), c_w: args.c_w, c_b: args.c_b }
    }
}

impl Layer {
    /// The layer of an activation.
    pub fn new(activation: &Function, c_w: f64, c_b: f64) -> Self {
        Self { averages: Averages::of(activation), c_w, c_b }
    }

    /// The variance behind the layer.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn next(&self, k: f64) -> Result<f64, FormError> {
        Ok(self.c_b + self.c_w * self.averages.square(k)?)
    }

    /// Variances and covariance of two inputs behind the layer.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn next_pair(&self, pair: Pair) -> Result<Pair, FormError> {
        let aa = self.next(pair.aa)?;
        let same = pair.aa.to_bits() == pair.bb.to_bits();
        if same && pair.aa.to_bits() == pair.ab.to_bits() {
            return Ok(Pair::twin(aa));
        }
        let bb = if same { aa } else { self.next(pair.bb)? };
        let ab = self.c_b + self.c_w * self.averages.product(pair)?;
        Ok(Pair { aa, bb, ab })
    }

    /// $`\chi_\parallel=C_wE[ss''+s'^2]`$: the factor of a small change of the variance.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn chi_par(&self, k: f64) -> Result<f64, FormError> {
        Ok(self.c_w * self.averages.growth(k)?)
    }

    /// $`\chi_\perp=C_wE[s'^2]`$: the factor of the squared distance of two close inputs.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn chi_perp(&self, k: f64) -> Result<f64, FormError> {
        Ok(self.c_w * self.averages.slope_square(k)?)
    }

    /// The pair behind `layers` layers.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn behind(&self, mut pair: Pair, layers: usize) -> Result<Pair, FormError> {
        for _ in 0..layers {
            let next = self.next_pair(pair)?;
            if next == pair {
                // Unchanged to the last bit: every layer from here on is the same.
                break;
            }
            pair = next;
        }
        Ok(pair)
    }

    /// The variances at the layers `0..=layers`, starting from `k`.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn variances(&self, k: f64, layers: usize) -> Result<Vec<f64>, FormError> {
        let mut all = vec![k];
        for _ in 0..layers {
            all.push(self.next(all[all.len() - 1])?);
        }
        Ok(all)
    }

    /// The pairs at the layers `0..=layers`, starting from `pair`.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn pairs(&self, pair: Pair, layers: usize) -> Result<Vec<Pair>, FormError> {
        let mut all = vec![pair];
        for _ in 0..layers {
            all.push(self.next_pair(all[all.len() - 1])?);
        }
        Ok(all)
    }
}
