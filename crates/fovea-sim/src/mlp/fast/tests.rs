//! The fast tangent kernel against the Jacobians, at every level and in both number types.

use super::{TangentElement, Tangents};
use crate::mlp::{Mlp, Shape};
use crate::simd::Level;
use fovea_core::agree::{same_bits, test_seed, within};
use fovea_core::lanes::Real;
use fovea_core::streams::Streams;
use fovea_core::{Function, Value, registry::resolve};

fn network(widths: &str, activation: &str, c_b: &str, parametrisation: &str) -> Mlp {
    let given = [
        ("n_in", "7"),
        ("widths", widths),
        ("outputs", "3"),
        ("activation", activation),
        ("c_b", c_b),
        ("parametrisation", parametrisation),
    ]
    .map(|(key, typed)| (key.to_owned(), Value::from_typed(typed)))
    .to_vec();
    let shape: Shape = resolve(&given).unwrap();
    shape.draw(&Streams::new(test_seed(module_path!(), 0)))
}

fn inputs(count: usize) -> Vec<f64> {
    let mut x = vec![0.0; 7 * count];
    Streams::new(test_seed(module_path!(), 1)).named("inputs").normals(0, &mut x);
    // Rounded to single precision, so that both types are given the same numbers.
    x.iter().map(|x| f64::from(*x as f32)).collect()
}

/// The judge: every gradient stored, every pair of them multiplied.
fn by_jacobians(mlp: &Mlp, x: &[f64], pair: [usize; 2]) -> Vec<f64> {
    let pass = mlp.forward(x);
    let gradients = pair.map(|output| -> Vec<Vec<f64>> {
        (0..pass.inputs).map(|a| mlp.parameter_jacobian(&pass, output, a)).collect()
    });
    let product = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(a, b)| a * b).sum();
    gradients[0].iter().flat_map(|a| gradients[1].iter().map(move |b| product(a, b))).collect()
}

fn cases() -> Vec<(Mlp, usize)> {
    vec![
        (network("13,20,9", "relu", "0.3", "ntk"), 50),
        (network("40", "tanh", "0", "standard"), 33),
        (network("5,6", "x*tanh(x)", "0.1", "mean-field"), 17),
        (network("1,1,1,1", "erf-raw", "0.2", "mup"), 16),
        (network("20,20", "gelu", "0", "ntk"), 1),
    ]
}

#[test]
fn the_kernel_is_that_of_the_jacobians_for_every_pair_of_outputs() {
    for (mlp, count) in cases() {
        let x = inputs(count);
        let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        let (mut double_path, mut single_path) =
            (Tangents::<f64>::of(&mlp), Tangents::<f32>::of(&mlp));
        for pair in [[0, 0], [2, 2], [0, 2], [2, 1]] {
            let judge = by_jacobians(&mlp, &x, pair);
            let largest = judge.iter().fold(0.0_f64, |most, k| most.max(k.abs()));
            let (double, single) =
                (double_path.of_pair(&x, pair), single_path.of_pair(&single, pair));
            assert_eq!((double.len(), single.len()), (count * count, count * count));
            for ((judge, double), single) in judge.iter().zip(&double).zip(&single) {
                within(*double, *judge, 1e-13, 1e-13 * largest).unwrap();
                within(single.to_f64(), *judge, 1e-5, 5e-6 * largest).unwrap();
            }
        }
        let [one, other] = [0, 1].map(|output| double_path.kernel(&x, output));
        assert!(one.iter().zip(&other).any(|(a, b)| (a - b).abs() > 1e-3 * a.abs()));
    }
}

/// The control of the comparison: without the biases the judge gives another kernel.
#[test]
fn a_kernel_without_its_biases_is_noticed() {
    let mut mlp = network("13,20,9", "relu", "0.3", "ntk");
    let x = inputs(5);
    let whole = Tangents::<f64>::of(&mlp).kernel(&x, 0);
    for layer in &mut mlp.layers {
        layer.bias_factor = 0.0;
    }
    let judge = by_jacobians(&mlp, &x, [0, 0]);
    assert!(whole.iter().zip(&judge).all(|(k, j)| within(*k, *j, 1e-3, 0.0).is_err()));
}

fn bits<T: Real>(all: &[T]) -> Vec<f64> {
    all.iter().map(|x| x.to_f64()).collect()
}

fn every_level_agrees<T: TangentElement>() {
    for (mlp, count) in cases() {
        let x: Vec<T> = inputs(count).into_iter().map(T::from_f64).collect();
        for pair in [[0, 0], [0, 1]] {
            let plain = bits(&Tangents::<T>::of(&mlp).at(Level::Portable).of_pair(&x, pair));
            for level in Level::available() {
                let mut path = Tangents::<T>::of(&mlp).at(level);
                same_bits(&bits(&path.of_pair(&x, pair)), &plain).unwrap();
                // What an earlier call left in the work space has no effect.
                path.of_pair(&x[..7], [1, 2]);
                path.of_pair(&[x.as_slice(), x.as_slice()].concat(), [1, 1]);
                same_bits(&bits(&path.of_pair(&x, pair)), &plain).unwrap();
            }
        }
    }
}

#[test]
fn every_level_gives_the_same_bits_in_double_precision() {
    every_level_agrees::<f64>();
}

#[test]
fn every_level_gives_the_same_bits_in_single_precision() {
    every_level_agrees::<f32>();
}

/// A kernel of one output is symmetric to the bit, and a network without hidden layers works.
#[test]
fn a_network_without_hidden_layers_has_the_kernel_of_its_inputs() {
    let shape = Shape { n_in: 7, widths: Vec::new(), outputs: 2, c_b: 0.5, ..Shape::default() };
    let mlp = Shape { activation: Function::parse("tanh").unwrap(), ..shape }
        .draw(&Streams::new(test_seed(module_path!(), 2)));
    let x = inputs(20);
    let kernel = Tangents::<f64>::of(&mlp).kernel(&x, 1);
    for (a, row) in x.chunks(7).enumerate() {
        for (b, other) in x.chunks(7).enumerate() {
            let inner: f64 = row.iter().zip(other).map(|(x, y)| x * y).sum();
            within(kernel[20 * a + b], 2.0 / 7.0 * inner + 0.5, 1e-13, 1e-14).unwrap();
            assert_eq!(kernel[20 * a + b].to_bits(), kernel[20 * b + a].to_bits());
        }
    }
}
