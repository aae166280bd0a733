//! A unit and its mirror image in one network (note 002, (5)).
//!
//! `sigma(z + b) + sigma(-z + b) = sigma(b + |z|) + sigma(b - |z|)`; where `|z|` is large the last term is -1 for erf and 0 for a
//! logistic unit (L002.8).

use super::prelude::*;
use fovea_sim::{Bias, Network, plain};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "mirrored-units",
    summary: "A unit and its mirror image are two activations of |z|; the second does not vanish.",
    covers: &["L002.8/identity", "L002.8/end"],
    run,
};

const WEIGHTS: [f64; 3] = [1.0, -0.5, 0.25];

/// The activations, with the value each tends to at minus infinity.
const ACTIVATIONS: [(&str, f64); 2] = [("erf", -1.0), ("sigmoid", 0.0)];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![identity(effort)?, end(effort)?])
}

/// The output of the simulator's network of the units `w` and `-w`, both with this bias, times two.
fn pair(name: &str, bias: f64, x: &[f64]) -> Result<f64, LabError> {
    let mirrored = [WEIGHTS, WEIGHTS.map(|w| -w)].concat();
    let network = Network::committee(3, 2, named(name), Bias::Trainable);
    Ok(2.0 * plain::outputs(&network.with(&mirrored, &[bias; 2])?, x)[0])
}

fn identity(effort: &Effort) -> Result<Comparison, LabError> {
    let share = effort.slip("second term of L002.8", "left out", 1.0, 0.0);
    let inputs = [[0.3, -1.0, 0.2], [-1.5, 0.4, 2.0], [2.0, -0.6, -1.0]];
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    for (name, _) in ACTIVATIONS {
        for (bias, x) in [-1.0, 0.5, 1.2].into_iter().flat_map(|b| inputs.map(|x| (b, x))) {
            let sigma = |h: f64| named(name).value(h);
            let size = dot(&WEIGHTS, &x).abs();
            predicted.push(sigma(bias + size) + share * sigma(bias - size));
            measured.push(pair(name, bias, &x)?);
            // (5) has half of one term for a quarter of both.
            source.push(2.0 * sigma(size + bias));
        }
    }
    let what = "erf and logistic units w and -w at nine pairs of bias and input: sigma(b + |z|) + sigma(b - |z|), and twice the output of the simulator's network, which is the mean of both";
    Ok(Comparison::digits(&["L002.8/identity"], what, &predicted, &measured).source(&source))
}

fn end(effort: &Effort) -> Result<Comparison, LabError> {
    let ends = ACTIVATIONS.map(|(_, end)| end);
    let limit = effort.slip("limit of sigma(b - |z|)", "0 for erf as well", ends, [0.0, 0.0]);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for ((name, _), limit) in ACTIVATIONS.into_iter().zip(limit) {
        for bias in [-1.0, 1.2] {
            let x = [40.0, -40.0, 0.0];
            predicted.push(limit);
            measured.push(pair(name, bias, &x)? - named(name).value(bias + dot(&WEIGHTS, &x)));
        }
    }
    let what = "erf and logistic units w and -w at |z| = 60: the second term, -1 and 0, and twice the output of the simulator's network less sigma(b + |z|); the \
                source has the first term a second time";
    Ok(Comparison::digits(&["L002.8/end"], what, &predicted, &measured).source(&[1.0; 4]))
}
