//! Networks against dual numbers, against their Jacobians, and against the distribution they are sampled from.

use super::product::{dot, rows_times, rows_times_transposed};
use super::*;
use fovea_core::agree::{agrees, test_seed, within};
use fovea_core::function::Jet;
use fovea_core::registry::resolve;
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;

fn shape(given: &[(&str, &str)]) -> Shape {
    let given: Vec<(String, fovea_core::Value)> = given
        .iter()
        .map(|(key, typed)| ((*key).to_owned(), fovea_core::Value::from_typed(typed)))
        .collect();
    resolve(&given).unwrap()
}

fn inputs(count: usize, length: usize) -> Vec<f64> {
    let mut x = vec![0.0; count * length];
    Streams::new(test_seed(module_path!(), 0)).named("inputs").normals(0, &mut x);
    x
}

/// The first output by plain loops in dual numbers, with one parameter or one entry of the input as the variable.
fn by_dual_numbers(mlp: &Mlp, x: &[f64], parameter: Option<usize>, entry: Option<usize>) -> Jet {
    let mut count = 0;
    let mut next = |value: f64| {
        let varies = parameter == Some(count);
        count += 1;
        if varies { Jet::variable(value) } else { Jet::constant(value) }
    };
    let mut h: Vec<Jet> = x
        .iter()
        .enumerate()
        .map(|(i, x)| if entry == Some(i) { Jet::variable(*x) } else { Jet::constant(*x) })
        .collect();
    for (index, layer) in mlp.layers.iter().enumerate() {
        if index > 0 {
            let s = &mlp.activation;
            h = h
                .into_iter()
                .map(|z| z.through(s.value(z.value), s.slope(z.value), s.curve(z.value)))
                .collect();
        }
        let sums: Vec<Jet> = layer
            .weights
            .chunks(layer.inputs)
            .map(|row| {
                row.iter().zip(&h).fold(Jet::constant(0.0), |sum, (w, h)| {
                    sum + Jet::constant(layer.factor) * next(*w) * *h
                })
            })
            .collect();
        h = sums
            .into_iter()
            .enumerate()
            .map(|(i, sum)| match layer.biases.get(i) {
                Some(b) => sum + Jet::constant(layer.bias_factor) * next(*b),
                None => sum,
            })
            .collect();
    }
    h[0]
}

#[test]
fn jacobians_are_those_of_dual_numbers() {
    for parametrisation in ["ntk", "standard", "mean-field", "mup"] {
        for (activation, c_b) in [("tanh", "0.3"), ("x*tanh(x)", "0"), ("relu", "0.1")] {
            let shape = shape(&[
                ("n_in", "3"),
                ("widths", "5,9,4"),
                ("outputs", "2"),
                ("activation", activation),
                ("c_b", c_b),
                ("parametrisation", parametrisation),
            ]);
            let mlp = shape.draw(&Streams::new(test_seed(module_path!(), 1)));
            let x = inputs(2, 3);
            let pass = mlp.forward(&x);
            for (a, row) in x.chunks(3).enumerate() {
                let jacobian = mlp.parameter_jacobian(&pass, 0, a);
                assert_eq!(jacobian.len(), mlp.parameters());
                for (i, slope) in jacobian.iter().enumerate() {
                    let dual = by_dual_numbers(&mlp, row, Some(i), None);
                    within(dual.slope, *slope, 1e-12, 1e-14).unwrap();
                    within(dual.value, pass.outputs()[2 * a], 1e-13, 1e-14).unwrap();
                }
                let input = mlp.input_jacobian(&pass, 0);
                for j in 0..3 {
                    let dual = by_dual_numbers(&mlp, row, None, Some(j));
                    within(dual.slope, input[3 * a + j], 1e-12, 1e-14).unwrap();
                }
            }
        }
    }
}

#[test]
fn the_tangent_kernel_is_the_product_of_jacobians() {
    let shape = shape(&[("n_in", "4"), ("widths", "7,6"), ("c_b", "0.2"), ("outputs", "2")]);
    let mlp = shape.draw(&Streams::new(test_seed(module_path!(), 2)));
    let pass = mlp.forward(&inputs(3, 4));
    for output in 0..2 {
        let kernel = mlp.tangent(&pass, output);
        let rows: Vec<Vec<f64>> =
            (0..3).map(|a| mlp.parameter_jacobian(&pass, output, a)).collect();
        for a in 0..3 {
            for b in 0..3 {
                within(kernel[3 * a + b], dot(&rows[a], &rows[b]), 1e-12, 1e-14).unwrap();
            }
        }
    }
}

#[test]
fn products_with_the_tangent_kernel_need_no_kernel() {
    let shape = shape(&[("n_in", "4"), ("widths", "7,6"), ("c_b", "0.2"), ("activation", "tanh")]);
    let mlp = shape.draw(&Streams::new(test_seed(module_path!(), 4)));
    let pass = mlp.forward(&inputs(3, 4));
    let (kernel, vector) = (mlp.tangent(&pass, 0), [0.3, -1.0, 2.0]);
    let product = mlp.tangent_times(&pass, &vector);
    for a in 0..3 {
        within(product[a], dot(&kernel[3 * a..3 * a + 3], &vector), 1e-12, 1e-14).unwrap();
    }
    let pulled = mlp.pull(&pass, &[0.0, 1.0, 0.0]);
    for (p, j) in pulled.iter().zip(mlp.parameter_jacobian(&pass, 0, 1)) {
        within(*p, j, 1e-13, 1e-15).unwrap();
    }
}

/// A step moves the outputs by minus the kernel times the errors, up to the square of the rate (T11.1).
#[test]
fn a_small_step_moves_the_outputs_by_the_kernel() {
    let shape = shape(&[("n_in", "4"), ("widths", "8,8"), ("activation", "tanh"), ("c_w", "1.5")]);
    let mlp = shape.draw(&Streams::new(test_seed(module_path!(), 5)));
    let x = inputs(3, 4);
    let pass = mlp.forward(&x);
    let errors: Vec<f64> =
        pass.outputs().iter().zip([1.0, -1.0, 0.5]).map(|(z, y)| z - y).collect();
    let (gradient, kernel_times) = (mlp.pull(&pass, &errors), mlp.tangent_times(&pass, &errors));
    let rates = [0.08, 0.04, 0.02, 0.01, 0.005];
    let gaps: Vec<f64> = rates
        .iter()
        .map(|rate| {
            let mut moved = mlp.clone();
            moved.shift(&gradient, &[-rate; 3]);
            let after = moved.forward(&x);
            (0..3)
                .map(|a| (after.outputs()[a] - pass.outputs()[a] + rate * kernel_times[a]).abs())
                .fold(0.0, f64::max)
        })
        .collect();
    fovea_core::agree::has_order(&rates, &gaps, 2.0).unwrap();
}

#[test]
fn products_are_those_of_plain_sums() {
    let (x, w) = (inputs(3, 11), inputs(5, 11));
    let y = rows_times_transposed(&x, &w, 11, 5);
    let back = rows_times(&y, &w, 11, 5);
    for a in 0..3 {
        for i in 0..5 {
            let plain: f64 = (0..11).map(|j| w[11 * i + j] * x[11 * a + j]).sum();
            within(y[5 * a + i], plain, 1e-13, 1e-15).unwrap();
        }
        for j in 0..11 {
            let plain: f64 = (0..5).map(|i| y[5 * a + i] * w[11 * i + j]).sum();
            within(back[11 * a + j], plain, 1e-13, 1e-15).unwrap();
        }
    }
}

/// `Var z = c_b + c_w |x|^2 / n` in every parametrisation and distribution, except for the last layer of two of them.
#[test]
fn the_first_layer_has_the_variance_of_its_shape() {
    let x = [1.0, -2.0, 0.5, 1.5];
    let right = 0.7 + 1.3 * (1.0 + 4.0 + 0.25 + 2.25) / 4.0;
    for law in ["gaussian", "uniform", "rademacher"] {
        for parametrisation in ["ntk", "standard", "mean-field", "mup"] {
            let shape = shape(&[
                ("n_in", "4"),
                ("widths", "40000"),
                ("c_w", "1.3"),
                ("c_b", "0.7"),
                ("law", law),
                ("parametrisation", parametrisation),
            ]);
            let mlp = shape.draw(&Streams::new(test_seed(module_path!(), 3)));
            let z: Vec<f64> = mlp.forward(&x).z[0].iter().map(|z| z * z).collect();
            let variance = Estimate::from_samples(&z).unwrap();
            agrees(&variance, right, 12).unwrap();
            assert!(agrees(&variance, right - 0.7, 12).is_err(), "without its biases");
        }
    }
}

/// How much the weights and the biases of every layer move the output under their rates, on average over draws.
fn moves(parametrisation: &str, widths: &str) -> Vec<f64> {
    let shape = shape(&[
        ("n_in", "4"),
        ("widths", widths),
        ("c_b", "0.3"),
        ("parametrisation", parametrisation),
    ]);
    let (x, rates, draws) = (inputs(1, 4), shape.rates(), 40);
    let mut sums = vec![0.0; 2 * rates.len()];
    for draw in 0..draws {
        let mlp = shape.draw(&Streams::new(test_seed(module_path!(), 100 + draw)));
        let jacobian = mlp.parameter_jacobian(&mlp.forward(&x), 0, 0);
        let mut squares = jacobian.iter().map(|j| j * j);
        for (i, layer) in mlp.layers.iter().enumerate() {
            for (half, count) in [layer.weights.len(), layer.biases.len()].into_iter().enumerate() {
                let sum: f64 = squares.by_ref().take(count).sum();
                sums[2 * i + half] += rates[i] * sum / draws as f64;
            }
        }
    }
    sums
}

/// Widths eight times as large change nothing, for weights and biases and for unequal widths; without rates they do.
#[test]
fn every_layer_moves_the_output_alike_at_every_width_under_the_rates_of_the_parametrisation() {
    for parametrisation in ["ntk", "standard", "mean-field", "mup"] {
        let small = moves(parametrisation, "12,24,18");
        let large = moves(parametrisation, "96,192,144");
        for (place, (small, large)) in small.iter().zip(&large).enumerate() {
            let grown = if parametrisation == "standard" && place >= 2 && place % 2 == 0 {
                8.0
            } else {
                1.0
            };
            let ratio = large / (grown * small);
            assert!((0.5..2.0).contains(&ratio), "{parametrisation}, part {place}: {ratio}");
        }
    }
}

#[test]
fn a_network_beyond_a_gigabyte_is_refused() {
    let given = vec![("widths".to_owned(), fovea_core::Value::from_typed("20000,20000"))];
    let error = resolve::<Shape>(&given).unwrap_err();
    assert!(error.to_string().contains("4.00e8 weights"), "{error}");
    let zero = vec![("widths".to_owned(), fovea_core::Value::from_typed("4,0"))];
    assert!(resolve::<Shape>(&zero).is_err());
}
