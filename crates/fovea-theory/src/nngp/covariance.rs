//! Covariance of the outputs of an infinitely wide network at several inputs.
//!
//! ```math
//! K^{(1)}_{ab}=C_b+\tfrac{C_w}{n_0}x_a\cdot x_b,\qquad K^{(l+1)}_{ab}=C_b+C_wE_{K^{(l)}}[s(z_a)s(z_b)]
//! ```
//!
//! # Source
//! Lectures, topics 1 and 3; claims T01.4, T03.1, T03.3.
//!
//! # Symbols
//! * $`x_a`$: the rows of `x`
//! * $`l`$: the layer, of which `layers` are hidden, so that the result is $`K^{(\mathrm{layers}+1)}`$
//! * $`C_w, C_b`$: `c_w`, `c_b`
//!
//! # Holds when
//! Layers of infinite width at fixed depth: centred independent weights, of variance $`C_w`$ over the number of inputs
//! of a layer, with all widths going to infinity.
//!
//! # Checked by
//! Sampled networks in the checks `drawn-networks` and `drawn-gradients`; symmetric and positive.

use crate::averages::Pair;
use crate::form::{Control, Form, with};
use crate::form::{FormError, matrix};
use crate::layer::{Layer, LayerArgs};
use fovea_core::params::{Schema, between, finite};
use fovea_core::{ParamError, Params, params};

/// The covariance behind `layers` hidden layers, for inputs of equal length.
///
/// # Errors
/// A Gaussian average is not finite.
pub fn covariance(
    layer: &Layer,
    x: &[Vec<f64>],
    layers: usize,
) -> Result<Vec<Vec<f64>>, FormError> {
    let mut k = first(layer, x);
    for _ in 0..layers {
        let mut next = k.clone();
        for a in 0..x.len() {
            for b in a..x.len() {
                let pair = Pair { aa: k[a][a], bb: k[b][b], ab: k[a][b] };
                let entry = if a == b { layer.next(k[a][a])? } else { layer.next_pair(pair)?.ab };
                (next[a][b], next[b][a]) = (entry, entry);
            }
        }
        if k == next {
            // Unchanged to the last bit, as by every layer from here on.
            break;
        }
        k = next;
    }
    Ok(k)
}

/// The covariance of the first preactivations.
pub fn first(layer: &Layer, x: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |a: &Vec<f64>, b: &Vec<f64>| {
        let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
        layer.c_b + layer.c_w * dot / a.len() as f64
    };
    x.iter().map(|a| x.iter().map(|b| entry(a, b)).collect()).collect()
}

/// Three inputs of two numbers each, the default of forms with inputs.
pub(crate) fn three_inputs() -> Vec<Vec<f64>> {
    vec![vec![1.0, 1.0], vec![1.0, -0.5], vec![-0.2, 1.2]]
}

/// Inputs of one length.
///
/// # Errors
/// Their lengths differ.
pub(crate) fn check_inputs(x: &[Vec<f64>]) -> Result<(), ParamError> {
    let first = x.first().map_or(0, Vec::len);
    match x.iter().position(|row| row.len() != first || row.is_empty()) {
        None => Ok(()),
        Some(row) => Err(ParamError::Inconsistent {
            what: format!("row {row} of `x` has {} numbers, row 0 has {first}", x[row].len()),
            hint: "give all inputs the same length, at least one number each".to_owned(),
        }),
    }
}

params! {
    /// Arguments of `nngp.covariance`.
    pub struct Args {
        ..layer: LayerArgs;
        /// Inputs, one per row.
        x: Vec<Vec<f64>> = three_inputs(), finite(), "";
        /// Hidden layers.
        layers: usize = 2, between(0.0, 1e4), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        check_inputs(&self.x)
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nngp.covariance",
    text: include_str!("covariance.rs"),
    control: Control {
        what: "the first layer without its factor 1/n_0",
        eval: |given| {
            with(given, |a: Args| {
                let n = a.x.first().map_or(1.0, |row| row.len() as f64);
                let scaled: Vec<Vec<f64>> =
                    a.x.iter().map(|row| row.iter().map(|x| x * n.sqrt()).collect()).collect();
                Ok(matrix(&covariance(&Layer::from(&a.layer), &scaled, a.layers)?))
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| Ok(matrix(&covariance(&Layer::from(&a.layer), &a.x, a.layers)?)))
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::{Function, symmetric};

    #[test]
    fn a_covariance_is_symmetric_and_positive() {
        for text in ["relu", "tanh", "x*tanh(x)"] {
            let layer = Layer::new(&Function::parse(text).unwrap(), 1.3, 0.1);
            let k = covariance(&layer, &three_inputs(), 2).unwrap();
            assert!((k[0][2] - k[2][0]).abs() < 1e-300);
            assert!(symmetric::least(&k).unwrap() > 0.0);
        }
    }
}
