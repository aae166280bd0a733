//! Learning rates of quadratic losses and of linearised networks (lectures, topics 4 and 11).

use super::{Check, Comparison, Effort};
use crate::error::LabError;
use fovea_core::symmetric::eigen;
use fovea_theory::rates::contraction::factor;
use fovea_theory::rates::noise_floor::noise_floor;
use fovea_theory::rates::schedule::{limit, variance};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "learning-rates",
    summary: "Where gradient descent on a quadratic loss ends, how fast it is, and what noise leaves.",
    covers: &["T04.1", "T04.2", "T04.3", "T04.4", "T04.7", "T04.8", "T11.2", "T11.3", "T11.4"],
    run,
};

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        boundary(),
        contraction(),
        floor(),
        schedule(),
        squares(),
        many_data(),
        averaged_loss(),
        decay(),
        kernel_method(),
    ])
}

/// Inputs of a linear model, one a column of three numbers.
const X: [[f64; 3]; 2] = [[1.0, 0.4, -0.3], [0.2, 1.1, 0.6]];

/// The Gram matrix of the inputs.
fn gram() -> Vec<Vec<f64>> {
    let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    X.iter().map(|a| X.iter().map(|b| dot(a, b)).collect()).collect()
}

/// Outputs of the linear model after `steps` steps on `L = 1/2 |z - y|^2` times `share`, from zero weights.
fn descend(lr: f64, share: f64, steps: usize) -> Vec<f64> {
    let y = [1.0, -0.5];
    let mut w = [0.0; 3];
    let output = |w: &[f64; 3], x: &[f64; 3]| -> f64 { x.iter().zip(w).map(|(x, w)| x * w).sum() };
    for _ in 0..steps {
        let errors: Vec<f64> = X.iter().zip(y).map(|(x, y)| output(&w, x) - y).collect();
        for (x, error) in X.iter().zip(&errors) {
            for (w, x) in w.iter_mut().zip(x) {
                *w -= lr * share * error * x;
            }
        }
    }
    X.iter().zip(y).map(|(x, y)| output(&w, x) - y).collect()
}

/// Largest rate at which descent still converges, by halving.
fn boundary() -> Comparison {
    let most = eigen(&gram()).values[1];
    let size = |r: &[f64]| r.iter().map(|x| x * x).sum::<f64>();
    // Once the error is rounding it has converged, whichever way it moves on.
    let shrinks = |lr: f64| {
        let end = size(&descend(lr, 1.0, 4000));
        end < 1e-20 || end < size(&descend(lr, 1.0, 2000))
    };
    let (mut low, mut high) = (1.0 / most, 4.0 / most);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        *(if shrinks(middle) { &mut low } else { &mut high }) = middle;
    }
    let what = "largest learning rate of a linear model on two inputs, 2/lambda_max, and descent itself by halving";
    Comparison::digits(&["T04.1"], what, &[2.0 / most], &[low])
        .within(1e-8, "close to the boundary little moves in 2000 steps")
}

/// Worst shrinking of an error in one step, over the directions of the plane.
fn contraction() -> Comparison {
    let eigs = [0.5, 3.0];
    let rates = [0.3, 0.5, 0.6, 0.65];
    let predicted = rates.map(|lr| factor(&eigs, lr));
    let measured = rates.map(|lr| {
        let shrink = |angle: f64| {
            let (sin, cos) = libm::sincos(angle);
            libm::hypot((1.0 - lr * eigs[0]) * cos, (1.0 - lr * eigs[1]) * sin)
        };
        (0..=1000)
            .map(|i| shrink(f64::from(i) * std::f64::consts::FRAC_PI_2 / 1000.0))
            .fold(0.0, f64::max)
    });
    let source = rates.map(|lr| 1.0 - lr * eigs[0]);
    let what = "contraction of one step at four rates, curvatures 0.5 and 3: max |1 - lr lambda|, and the worst of 1001 directions";
    Comparison::digits(&["T04.2"], what, &predicted, &measured).source(&source)
}

/// The stationary variance as a sum over all past noise.
fn floor() -> Comparison {
    let cases = [(0.1, 1.0, 1.0), (0.7, 1.9, 0.3), (1.5, 1.0, 2.0)];
    let predicted = cases.map(|(lr, c, s2)| noise_floor(lr, c, s2));
    let measured = cases.map(|(lr, c, s2)| {
        let keep = (1.0 - lr * c) * (1.0 - lr * c);
        (0..4000).map(|t| lr * lr * s2 * libm::pow(keep, f64::from(t))).sum::<f64>()
    });
    let what = "stationary variance of descent with noise, three settings, and the sum over what is left of every past step";
    Comparison::digits(&["T04.3"], what, &predicted, &measured)
}

/// `t Var` at `eta_t = c/t`: its limit, and the variance as a product of what every step leaves.
fn schedule() -> Comparison {
    let cases = [(1.0, 1.0), (2.0, 1.0), (1.5, 2.0)];
    let mut predicted: Vec<f64> = cases.iter().map(|(c, lambda)| limit(*c, *lambda, 1.0)).collect();
    // The limit is approached as 1/t: two depths take that term away.
    let scaled = |c: f64, lambda: f64, t: usize| t as f64 * by_products(c, lambda, t);
    let mut measured: Vec<f64> = cases
        .iter()
        .map(|(c, lambda)| 2.0 * scaled(*c, *lambda, 40_000) - scaled(*c, *lambda, 20_000))
        .collect();
    predicted.push(variance(0.4, 1.0, 1.0, 1.0, 500));
    measured.push(by_products(0.4, 1.0, 500));
    let what = "limit of t Var under a rate c/t where 2 c lambda > 1, and the variance itself where it is not, and sums of products";
    Comparison::digits(&["T04.4"], what, &predicted, &measured)
        .within(1e-6, "terms of order 1/t^2 are left")
}

/// The variance after `t` steps at rates `c/s`, start and noise of variance 1, as a sum over the steps.
fn by_products(c: f64, lambda: f64, t: usize) -> f64 {
    let (mut product, mut sum) = (1.0, 0.0);
    for s in (1..=t).rev() {
        let lr = c / s as f64;
        sum += lr * lr * product;
        product *= (1.0 - lr * lambda) * (1.0 - lr * lambda);
    }
    sum + product
}

/// The bound by norms of the noise tends to `E|xi|/lambda`; the one by squares to 0.
fn squares() -> Comparison {
    let t = 200_000;
    let (mut norms, mut squares, mut rest) = (0.0, 0.0, 0.0);
    for s in (1..=t).rev() {
        let lr = 1.0 / f64::from(s);
        norms += lr * libm::exp(-rest);
        squares += lr * lr * libm::exp(-2.0 * rest);
        rest += lr;
    }
    let what = "with rates 1/s, lambda = 1 and |xi| = 1: the sum of noise norms tends to 1 and not to 0, t times the sum of squares to 1, and 200 000 steps summed";
    Comparison::digits(&["T04.7"], what, &[1.0, 1.0], &[norms, squares * f64::from(t)])
        .within(1e-4, "terms of order 1/t are left")
        .source(&[0.0, 1.0])
}

/// One datum: the squared gradient; several: the top eigenvalue of the kernel, over m for an averaged loss.
fn many_data() -> Comparison {
    let k = gram();
    let values = eigen(&k).values;
    let predicted = [2.0 / k[0][0], 2.0 / values[1], 4.0 / values[1]];
    let (trace, det) = (k[0][0] + k[1][1], k[0][0] * k[1][1] - k[0][1] * k[1][0]);
    let most = 0.5 * (trace + (trace * trace - 4.0 * det).sqrt());
    let gradient: f64 = X[0].iter().map(|x| x * x).sum();
    // Errors along the top eigenvector are turned around exactly at the limit.
    let what = "limits of the learning rate for one input, two inputs and their averaged loss: 2/lambda_max, and the squared gradient and the root of the characteristic polynomial";
    Comparison::digits(&["T04.8"], what, &predicted, &[2.0 / gradient, 2.0 / most, 4.0 / most])
}

/// One step on the averaged loss.
fn averaged_loss() -> Comparison {
    let (k, start, lr) = (gram(), descend(0.1, 0.5, 0), 0.1);
    let moved = |share: f64| -> Vec<f64> {
        (0..2).map(|a| start[a] - lr * share * (k[a][0] * start[0] + k[a][1] * start[1])).collect()
    };
    let what = "errors after one step on L = |z - y|^2/(2 m), m = 2: the kernel over m, and descent of the weights";
    Comparison::digits(&["T11.2"], what, &moved(0.5), &descend(lr, 0.5, 1)).source(&moved(1.0))
}

/// Rate of the loss in the slowest direction of the kernel, for both losses.
fn decay() -> Comparison {
    let found = eigen(&gram());
    let (least, vector) = (found.values[0], &found.vectors[0]);
    let (lr, steps) = (0.01, 400);
    let rate = |share: f64| {
        let along = |steps: usize| -> f64 {
            descend(lr, share, steps).iter().zip(vector).map(|(r, v)| r * v).sum()
        };
        2.0 * libm::log(along(steps) / along(0)) / steps as f64
    };
    let predicted = [1.0, 0.5].map(|share| 2.0 * libm::log1p(-lr * share * least));
    let what = "decay a step of the part of the loss in the slowest direction, 2 ln(1 - lr lambda_0), at most -2 lr lambda_0, with lr over m for the averaged loss; and descent of the weights";
    Comparison::digits(&["T11.3"], what, &predicted, &[1.0, 0.5].map(rate))
}

/// `(I - gamma K)^t` times the first errors.
fn kernel_method() -> Comparison {
    let (found, lr, steps) = (eigen(&gram()), 0.3, 25);
    let start = descend(lr, 1.0, 0);
    let mut predicted = vec![0.0; 2];
    for (value, vector) in found.values.iter().zip(&found.vectors) {
        let along: f64 = vector.iter().zip(&start).map(|(v, r)| v * r).sum();
        let kept = libm::pow(1.0 - lr * value, steps as f64);
        predicted.iter_mut().zip(vector).for_each(|(p, v)| *p += kept * along * v);
    }
    let what = "errors of a linear model after 25 steps: powers of the eigenvalues of its kernel, and descent of the weights";
    Comparison::digits(&["T11.4"], what, &predicted, &descend(lr, 1.0, steps))
}
