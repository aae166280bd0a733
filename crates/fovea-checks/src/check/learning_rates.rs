//! Learning rates of quadratic losses and of linearised networks (lectures, topics 4 and 11).

use super::prelude::*;
use fovea_core::Value;
use fovea_theory::ntk::linearised::Linearised;
use fovea_theory::rates::contraction::{self, factor};
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
        boundary()?,
        contraction(),
        floor(),
        schedule(),
        squares(),
        many_data()?,
        averaged_loss()?,
        decay()?,
        kernel_method()?,
    ])
}

/// Inputs of a linear model, one a column of three numbers.
const X: [[f64; 3]; 2] = [[1.0, 0.4, -0.3], [0.2, 1.1, 0.6]];

const Y: [f64; 2] = [1.0, -0.5];

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The Gram matrix of the first `m` inputs.
fn gram(m: usize) -> Vec<Vec<f64>> {
    X[..m].iter().map(|a| X[..m].iter().map(|b| dot(a, b)).collect()).collect()
}

/// Weights of the linear model after `steps` steps on the first `m` inputs, `L = 1/2 |z - y|^2` times `share`, from zero.
fn weights(m: usize, lr: f64, share: f64, steps: usize) -> [f64; 3] {
    let mut w = [0.0; 3];
    for _ in 0..steps {
        for (x, error) in X.iter().zip(&errors(m, &w)) {
            for (w, x) in w.iter_mut().zip(x) {
                *w -= lr * share * error * x;
            }
        }
    }
    w
}

fn errors(m: usize, w: &[f64; 3]) -> Vec<f64> {
    X[..m].iter().zip(Y).map(|(x, y)| dot(x, w) - y).collect()
}

/// Errors of both inputs after `steps` steps.
fn descend(lr: f64, share: f64, steps: usize) -> Vec<f64> {
    errors(2, &weights(2, lr, share, steps))
}

/// The model as its own linearisation.
fn linearised(m: usize) -> Result<Linearised, LabError> {
    Ok(Linearised::new(&gram(m), &errors(m, &[0.0; 3]))?)
}

/// Largest rate at which descent on the first `m` inputs still converges, by halving.
fn halved(m: usize, share: f64) -> f64 {
    let size = |steps: usize, lr: f64| {
        errors(m, &weights(m, lr, share, steps)).iter().map(|x| x * x).sum::<f64>()
    };
    // Once the error is rounding it has converged, whichever way it moves on.
    let shrinks = |lr: f64| {
        let end = size(4000, lr);
        end < 1e-20 || end < size(2000, lr)
    };
    let (mut low, mut high) = (0.1, 10.0);
    for _ in 0..44 {
        let middle = f64::midpoint(low, high);
        *(if shrinks(middle) { &mut low } else { &mut high }) = middle;
    }
    low
}

/// The limit of the learning rate that the form has for these curvatures.
fn form_limit(eigs: &[f64]) -> Result<f64, LabError> {
    let found = contraction::ENTRY.at(&vec![("eigs".to_owned(), Value::reals(eigs))])?;
    Ok(found.get("limit").and_then(Value::as_real).unwrap_or(f64::INFINITY))
}

/// Largest rate at which descent still converges.
fn boundary() -> Result<Comparison, LabError> {
    let what = "largest learning rate of a linear model on two inputs, 2/lambda_max, and descent itself by halving";
    let predicted = [form_limit(&eigenvalues(&gram(2))?)?];
    Ok(Comparison::digits(&["T04.1"], what, &predicted, &[halved(2, 1.0)]))
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

/// `t Var` at `eta_t = c/t` has a limit, or the variance falls more slowly; at `t^(-0.4)` it falls too.
fn schedule() -> Comparison {
    let ids = &["T04.4"];
    let cases = [(1.0, 1.0), (2.0, 1.0), (1.5, 2.0)];
    let predicted = cases.map(|(c, lambda)| limit(c, lambda, 1.0));
    // The limit is approached as 1/t: two depths take that term away.
    let measured = cases.map(|(c, lambda)| {
        let scaled = |t: usize| t as f64 * by_products(over(c), lambda, t);
        2.0 * scaled(40_000) - scaled(20_000)
    });
    let what = "limit of t Var under a rate c/t where 2 c lambda > 1, and sums of products";
    let fast = Comparison::digits(ids, what, &predicted, &measured)
        .within(1e-6, "terms of order 1/t^2 are left");
    let what = "the variance after 500 steps where 2 c lambda = 1 and 0.8, step by step, and sums of products";
    let steps = [0.5, 0.4].map(|c| variance(c, 1.0, 1.0, 1.0, 500));
    let sums = [0.5, 0.4].map(|c| by_products(over(c), 1.0, 500));
    let exact = Comparison::digits(ids, what, &steps, &sums);
    fast.and(exact).and(slow_schedules())
}

/// Where `2 c lambda = 1` twice the steps add `c^2 ln 2` to `t Var`; below, the exponent is `-2 c lambda`; under `t^(-0.4)` the
/// variance follows the floor of the rate of the day.
fn slow_schedules() -> Comparison {
    let t = 100_000;
    let v = |c: f64, t: usize| by_products(over(c), 1.0, t);
    let added = |t: usize| 2.0 * t as f64 * v(0.5, 2 * t) - t as f64 * v(0.5, t);
    // Noise adds a relative t^(-0.6) to the start, which falls as t^(-0.4): two depths take it away.
    let exponent = |t: usize| libm::log2(v(0.2, 2 * t) / v(0.2, t));
    let keep = libm::pow(2.0, -0.6);
    let slope = (exponent(2 * t) - keep * exponent(t)) / (1.0 - keep);
    let power = |s: usize| libm::pow(s as f64, -0.4);
    let floor = |t: usize| by_products(power, 1.0, t) / noise_floor(power(t), 1.0, 1.0);
    // The floor moves by a relative 0.4/t a step while 2 t^(-0.4) of the distance to it is lost.
    let at_floor = (floor(2 * t) - keep * floor(t)) / (1.0 - keep);
    // What the start leaves behind is of order 1/t.
    let grown = (2.0 * added(2 * t) - added(t)) / libm::log(2.0);
    let measured = [grown, slope, at_floor];
    let what = "growth of t Var over ln t at 2 c lambda = 1, c^2 = 0.25; exponent of the variance at 2 c lambda = 0.4; the variance under rates t^(-0.4), whose squares do not add up, over the floor of the rate of the day: 1; and sums of products to 400 000 steps";
    Comparison::digits(&["T04.4"], what, &[0.25, -0.4, 1.0], &measured)
        .within(1e-5, "higher powers of 1/t are left")
        .against("a limit of t Var in every case", &[0.0, -1.0, 1.0])
}

/// The rate `c/s` at step `s`.
fn over(c: f64) -> impl Fn(usize) -> f64 {
    move |s| c / s as f64
}

/// The variance after `t` steps at rates `rate(s)`, start and noise of variance 1, as a sum over the steps.
fn by_products(rate: impl Fn(usize) -> f64, lambda: f64, t: usize) -> f64 {
    let (mut product, mut sum) = (1.0, 0.0);
    for s in (1..=t).rev() {
        let lr = rate(s);
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
fn many_data() -> Result<Comparison, LabError> {
    let k = gram(2);
    let predicted =
        [form_limit(&[k[0][0]])?, form_limit(&eigenvalues(&k)?)?, linearised(2)?.limit()];
    let measured = [halved(1, 1.0), halved(2, 1.0), halved(2, 0.5)];
    let what = "limits of the learning rate for one input, two inputs and their averaged loss: 2 over the squared gradient, over the top eigenvalue of the kernel, and twice that; and descent itself by halving";
    Ok(Comparison::digits(&["T04.8"], what, &predicted, &measured).against(
        "the squared gradient of the first input for both",
        &[2.0, 2.0, 4.0].map(|x| x / k[0][0]),
    ))
}

/// One step on the averaged loss.
fn averaged_loss() -> Result<Comparison, LabError> {
    let (line, lr) = (linearised(2)?, 0.1);
    let what = "errors after one step on L = |z - y|^2/(2 m), m = 2: the kernel over m, and descent of the weights";
    Ok(Comparison::digits(&["T11.2"], what, &line.errors(lr, 1.0), &descend(lr, 0.5, 1))
        .source(&line.errors(2.0 * lr, 1.0)))
}

/// Decay of the loss where all errors lie in the slowest direction of the kernel, for both losses.
fn decay() -> Result<Comparison, LabError> {
    let found = eigen(&gram(2))?;
    let (least, slowest) = (found.least(), &found.vectors[1]);
    let loss = |r: &[f64]| r.iter().zip(slowest).map(|(r, v)| r * v).sum::<f64>();
    let steps = 400;
    let line = Linearised::new(&gram(2), slowest)?;
    let of_line = |lr: f64| 2.0 * libm::log(loss(&line.errors(lr, steps as f64)));
    let of_descent = |lr: f64, share: f64| {
        2.0 * libm::log(loss(&descend(lr, share, steps)) / loss(&descend(lr, share, 0)))
    };
    let (lr, shares) = (0.01, [1.0, 0.5]);
    // The linearisation has the averaged loss of two inputs.
    let predicted = shares.map(|share| of_line(2.0 * lr * share));
    let what = "logarithm of the loss after 400 steps over that at the start in the slowest direction, plain and averaged loss: powers of the kernel, and descent of the weights";
    let ids = &["T11.3"];
    let exact =
        Comparison::digits(ids, what, &predicted, &shares.map(|share| of_descent(lr, share)));
    // Powers of the step fall away one by one.
    let rate = |share: f64| {
        let at = |lr: f64| -of_descent(lr, share) / (lr * steps as f64);
        let mut row: Vec<f64> = (0..5).map(|i| at(0.04 / f64::from(1 << i))).collect();
        let mut factor = 1.0;
        while row.len() > 1 {
            factor *= 2.0;
            row = row.windows(2).map(|w| (factor * w[1] - w[0]) / (factor - 1.0)).collect();
        }
        row[0]
    };
    let what = "rate of the loss per learning rate as steps become small, 2 lambda_0 for the plain loss and 2 lambda_0/m for the averaged one, and descent of the weights";
    let limit = Comparison::digits(ids, what, &[2.0 * least, least], &shares.map(rate))
        .within(1e-7, "five step sizes carried to zero")
        .against("the rate of the plain loss for both", &[2.0 * least, 2.0 * least]);
    Ok(exact.and(limit))
}

/// `(I - gamma K)^t` times the first errors, and the output at an input that is not trained on.
fn kernel_method() -> Result<Comparison, LabError> {
    let (line, lr, steps) = (linearised(2)?, 0.3, 25);
    let away = [0.5, -0.7, 0.9];
    let row: Vec<f64> = X.iter().map(|x| dot(x, &away)).collect();
    let mut predicted = line.errors(2.0 * lr, steps as f64);
    predicted.push(line.change(&row, 2.0 * lr, steps as f64));
    let mut measured = descend(lr, 1.0, steps);
    measured.push(dot(&away, &weights(2, lr, 1.0, steps)));
    let what = "errors of a linear model and its output at a third input after 25 steps: powers of the eigenvalues of its kernel, and descent of the weights";
    Ok(Comparison::digits(&["T11.4"], what, &predicted, &measured))
}
