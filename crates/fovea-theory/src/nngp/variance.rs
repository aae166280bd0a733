//! Fluctuation of the variance passed on by layers of finite width, and the resulting excess of the fourth moment.
//!
//! ```math
//! V_{l+1}=\chi_\parallel(K_l)^2V_l+C_w^2\big(E s^4-(E s^2)^2\big),\quad V=n\,\mathrm{Var}\,\hat K,\qquad\frac{E z^4}{3(Ez^2)^2}-1=\frac{\mathrm{Var}\,\hat K}{K^2}
//! ```
//!
//! # Source
//! Lectures, topics 2 and 3; claims T02.1, T03.4, T03.6. Deeper networks: Roberts, Yaida and Hanin, whose critical
//! values are $`V/K^2=2l`$ (linear), $`5l`$ (ReLU) and, at large depth, $`2l/3`$ (tanh) behind $`l`$ hidden layers.
//!
//! # Symbols
//! * $`n`$: `width`
//! * $`V`$: `n_var`
//! * $`l`$: `layers`
//! * $`\hat K`$: $`C_b+(C_w/n)\sum_js(z_j)^2`$ given the layer before (`k_next` is its mean behind the last layer)
//!
//! # Holds when
//! One hidden layer whose preactivations are Gaussian of variance `k`: exact at every width. More layers: first order
//! in 1/n, which is accurate if there are far fewer layers than units.
//!
//! # Checked by
//! Reference values (`tests/oracle`); sampled layers in the check `drawn-networks`; critical values.

use crate::form::FormError;
use crate::form::{Control, Form, with};
use crate::layer::{Layer, LayerArgs};
use fovea_core::params::{Schema, at_least, between};
use fovea_core::{Params, Value, params};

/// The part of $`n\,\mathrm{Var}\,\hat K`$ added by one layer whose preactivations have variance `k`.
///
/// # Errors
/// A Gaussian average is not finite.
pub fn scaled_variance(layer: &Layer, k: f64) -> Result<f64, FormError> {
    Ok(layer.c_w * layer.c_w * layer.averages.square_variance(k)?)
}

/// $`n\,\mathrm{Var}\,\hat K`$ and the mean of $`\hat K`$ behind `layers` layers of equal width, starting from variance `k`.
///
/// # Errors
/// A Gaussian average is not finite.
pub fn through(layer: &Layer, k: f64, layers: usize) -> Result<(f64, f64), FormError> {
    let (mut scaled, mut k) = (0.0, k);
    // From a variance that is unchanged to the last bit on, every layer passes on and adds the same.
    let (mut kept, mut passed, mut added) = (None, 0.0, 0.0);
    for _ in 0..layers {
        if kept != Some(k.to_bits()) {
            (passed, added) = (layer.chi_par(k)?, scaled_variance(layer, k)?);
            kept = Some(k.to_bits());
            k = layer.next(k)?;
        }
        scaled = passed * passed * scaled + added;
    }
    Ok((scaled, k))
}

impl Args {
    fn value(&self, factor: f64) -> Result<Value, FormError> {
        let (scaled, next) = through(&Layer::from(&self.layer), self.k, self.layers)?;
        let scaled = factor * scaled;
        let excess = scaled / (self.width as f64 * next * next);
        Ok(Value::table([
            ("n_var", scaled.into()),
            ("k_next", next.into()),
            ("excess", excess.into()),
        ]))
    }
}

params! {
    /// Arguments of `nngp.variance`.
    pub struct Args {
        ..layer: LayerArgs;
        /// Variance of the preactivations.
        k: f64 = 1.0, at_least(0.0), "";
        /// Width of the layers.
        width: usize = 50, at_least(1.0), "units";
        /// Hidden layers.
        layers: usize = 1, between(1.0, 1e6), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nngp.variance",
    text: include_str!("variance.rs"),
    control: Control {
        what: "C_w instead of its square, and a third for the factor 3 of the fourth moment",
        eval: |given| with(given, |a: Args| a.value(1.0 / (3.0 * a.layer.c_w))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(1.0)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::Function;
    use fovea_core::agree::within;

    fn relative(text: &str, c_w: f64, layers: usize) -> f64 {
        let layer = Layer::new(&Function::parse(text).unwrap(), c_w, 0.0);
        let (scaled, k) = through(&layer, 1.0, layers).unwrap();
        scaled / (k * k)
    }

    /// Roberts, Yaida and Hanin: 2 per layer for linear networks, 5 for ReLU, at criticality.
    #[test]
    fn critical_layers_add_two_or_five() {
        for layers in [1, 2, 7, 30] {
            within(relative("identity", 1.0, layers), 2.0 * layers as f64, 1e-10, 0.0).unwrap();
            within(relative("relu", 2.0, layers), 5.0 * layers as f64, 1e-10, 0.0).unwrap();
        }
    }

    /// The class whose variance decays has 2/3 per layer, approached slowly: the difference decreases with the number of layers.
    #[test]
    fn tanh_adds_two_thirds_in_the_end() {
        let missing = [50, 200, 800]
            .map(|layers| (1.5 * relative("tanh", 1.0, layers) / layers as f64 - 1.0).abs());
        assert!(
            missing[0] > missing[1] && missing[1] > missing[2] && missing[2] < 0.02,
            "{missing:?}"
        );
    }
}
