//! Fluctuation of the variance that a layer of finite width passes on, and the excess of the fourth moment that it causes.
//!
//! ```math
//! n\,\mathrm{Var}\,\hat K=C_w^2\big(E s^4-(E s^2)^2\big),\qquad\frac{E z^4}{3(Ez^2)^2}-1=\frac{\mathrm{Var}\,\hat K}{K'^2}
//! ```
//!
//! # Source
//! Lectures, topics 2 and 3; claims T02.1, T03.4, T03.6.
//!
//! # Symbols
//! $`\hat K=C_b+(C_w/n)\sum_js(z_j)^2`$ given the layer before; $`K'`$ is its mean, `k_next`; $`n`$ is `width`.
//!
//! # Holds when
//! One hidden layer whose preactivations are Gaussian of variance `k`: exact at every width. Deeper, the first term of many in $`1/n`$.
//!
//! # Checked by
//! `tests/oracle`; sampled layers in the check `finite_width`.

use crate::form::FormError;
use crate::form::{Control, Form, with};
use crate::layer::{Layer, LayerArgs};
use fovea_core::params::{Schema, at_least};
use fovea_core::{Params, Value, params};

/// $`n\,\mathrm{Var}\,\hat K`$ behind a layer whose preactivations have variance `k`.
///
/// # Errors
/// A Gaussian average is not finite.
pub fn scaled_variance(layer: &Layer, k: f64) -> Result<f64, FormError> {
    let square = layer.averages.square(k)?;
    Ok(layer.c_w * layer.c_w * (layer.averages.fourth(k)? - square * square))
}

impl Args {
    fn value(&self, factor: f64) -> Result<Value, FormError> {
        let layer = Layer::from(&self.layer);
        let (scaled, next) = (factor * scaled_variance(&layer, self.k)?, layer.next(self.k)?);
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
        /// Width of the layer.
        width: usize = 50, at_least(1.0), "units";
    }
}

impl Params for Args {}

/// The row of this form.
pub const ENTRY: Form = Form {
    name: "nngp.variance",
    summary: "Fluctuation of the variance that a layer of finite width passes on.",
    equation: r"n\,\mathrm{Var}\,\hat K=C_w^2(Es^4-(Es^2)^2)",
    source: "lectures topics 2 and 3; T03.4, T03.6",
    symbols: &[(r"n", "width"), (r"K'", "k_next")],
    holds: "one hidden layer, exactly; deeper, to first order in 1/n",
    checks: "reference values; sampled layers",
    control: Control {
        what: "C_w in the place of its square, and a third for the factor 3 of the fourth moment",
        eval: |given| with(given, |a: Args| a.value(1.0 / (3.0 * a.layer.c_w))),
    },
    schema: Args::schema,
    eval: |given| with(given, |a: Args| a.value(1.0)),
};
