//! Descent with noise at constant and at falling learning rates (lectures, topic 4).

use super::prelude::*;
use fovea_theory::rates::noise_floor::{self, noise_floor};
use fovea_theory::rates::schedule::{self, limit, variance};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "falling-rates",
    summary: "The error that noise leaves at a constant learning rate and at falling ones.",
    covers: &[
        "T04.3",
        "T04.4/fast",
        "T04.4/steps",
        "T04.4/marginal",
        "T04.4/slow",
        "T04.4/squares",
        "T04.7",
    ],
    run,
};

/// A learning rate, a curvature and the variance of the noise, and the stationary variance.
type Floor = fn(f64, f64, f64) -> f64;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let floor: Floor = effort.form(&noise_floor::ENTRY, noise_floor, |lr, curvature, noise| {
        0.5 * lr * noise / curvature
    });
    Ok(vec![
        constant(floor),
        fast(effort)?,
        steps(effort),
        marginal(effort)?,
        slow(effort)?,
        squares_that_do_not_add_up(effort, floor)?,
        norms_and_squares(effort)?,
    ])
}

/// The stationary variance as a sum over all past noise.
fn constant(floor: Floor) -> Comparison {
    let cases = [(0.1, 1.0, 1.0), (0.7, 1.9, 0.3), (1.5, 1.0, 2.0)];
    let predicted = cases.map(|(lr, c, s2)| floor(lr, c, s2));
    let measured = cases.map(|(lr, c, s2)| {
        let keep = (1.0 - lr * c) * (1.0 - lr * c);
        (0..4000).map(|t| lr * lr * s2 * libm::pow(keep, f64::from(t))).sum::<f64>()
    });
    let what = "stationary variance eta s^2/(lambda (2 - eta lambda)) at eta = 0.1, 0.7 and 1.5 with lambda = 1, 1.9 and 1 and s^2 = 1, 0.3 and 2, and the sum over the remainders of 4000 past steps of noise";
    Comparison::digits(&["T04.3"], what, &predicted, &measured)
}

/// The rate `c/s` at step `s`.
fn over(c: f64) -> impl Fn(usize) -> f64 {
    move |s| c / s as f64
}

/// The variance after `t` steps at rates `rate(s)`, from variances of the noise and of the start, as a sum over the steps.
fn by_products(
    rate: impl Fn(usize) -> f64,
    lambda: f64,
    [noise, start]: [f64; 2],
    t: usize,
) -> f64 {
    let (mut product, mut sum) = (1.0, 0.0);
    for s in (1..=t).rev() {
        let lr = rate(s);
        sum += lr * lr * product;
        product *= (1.0 - lr * lambda) * (1.0 - lr * lambda);
    }
    noise * sum + start * product
}

/// The limit of numbers at `t`, `2 t` and `4 t` that is approached with terms `ln(t)/t` and `1/t`.
fn without_logs(t: usize, at: impl Fn(usize) -> f64) -> f64 {
    let [a, b, c] = [at(t), at(2 * t), at(4 * t)];
    // Twice the next less the last leaves only ln(2)/t of the first term, which halves once more.
    let (first, second) = (2.0 * b - a, 2.0 * c - b);
    2.0 * second - first
}

/// `t Var` at `eta_t = c/t` has a limit where `2 c lambda > 1`.
fn fast(effort: &Effort) -> Result<Comparison, LabError> {
    let cases = [(1.0, 1.0, 1.0), (2.0, 1.0, 0.4), (1.5, 2.0, 3.0)];
    let of: fn(f64, f64, f64) -> f64 = effort.slip(
        "limit of t Var",
        "c^2 s^2/(2 c lambda), without the 1 subtracted below",
        limit,
        |c, lambda, s2| c * s2 / (2.0 * lambda),
    );
    let predicted = cases.map(|(c, lambda, s2)| of(c, lambda, s2));
    // The limit is approached as 1/t: two times eliminate that term.
    let measured = effort.once("fast", || {
        Ok::<_, LabError>(cases.map(|(c, lambda, s2)| {
            let scaled = |t: usize| t as f64 * by_products(over(c), lambda, [s2, 1.0], t);
            2.0 * scaled(40_000) - scaled(20_000)
        }))
    })?;
    let what = "limit of t Var at rates c/t, (c, lambda, s^2) = (1, 1, 1), (2, 1, 0.4) and (1.5, 2, 3): c^2 s^2/(2 c lambda - 1), and sums of products over 20 000 and 40 000 steps, extrapolated";
    Ok(Comparison::digits(&["T04.4/fast"], what, &predicted, &measured)
        .within(1e-7, "terms of order 1/t^2 remain"))
}

/// The variance after finitely many steps.
fn steps(effort: &Effort) -> Comparison {
    let of: fn(f64, f64, f64, f64, usize) -> f64 =
        effort.form(&schedule::ENTRY, variance, |c, lambda, s2, start, steps| {
            variance(c, lambda, s2, start, steps.div_ceil(2))
        });
    let cases =
        [(0.4, 1.0, 1.0, 1.0), (0.25, 2.0, 0.3, 1.7), (1.0, 1.0, 0.5, 3.0), (0.7, 2.0, 2.0, 1.0)];
    let predicted = cases.map(|(c, lambda, s2, start)| of(c, lambda, s2, start, 500));
    let measured =
        cases.map(|(c, lambda, s2, start)| by_products(over(c), lambda, [s2, start], 500));
    let what = "variance after 500 steps at rates c/t, c lambda = 0.4, 0.5, 1 and 1.4, of which two have lambda = 2, noise of variance 1, 0.3, 0.5 and 2, start of variance 1, 1.7, 3 and 1: step by step, and sums of products";
    Comparison::digits(&["T04.4/steps"], what, &predicted, &measured)
}

/// Where `2 c lambda = 1` twice the steps add `c^2 ln 2` to `t Var`.
fn marginal(effort: &Effort) -> Result<Comparison, LabError> {
    let share = effort.slip("growth of t Var", "none: a limit in every case", 1.0, 0.0);
    let cases = [(0.5, 1.0, 1.0), (0.25, 2.0, 0.6)];
    let predicted = cases.map(|(c, _, s2)| share * c * c * s2);
    let measured = effort.once("marginal", || {
        let of = |(c, lambda, s2): (f64, f64, f64)| {
            let scaled = |t: usize| t as f64 * by_products(over(c), lambda, [s2, 1.0], t);
            let added = |t: usize| scaled(2 * t) - scaled(t);
            without_logs(50_000, added) / libm::log(2.0)
        };
        Ok::<_, LabError>(cases.map(of))
    })?;
    let what = "growth of t Var per unit of ln t at rates c/t, (c, lambda, s^2) = (1/2, 1, 1) and (1/4, 2, 0.6): c^2 s^2, and sums of products over 50 000 to 400 000 steps, extrapolated";
    Ok(Comparison::digits(&["T04.4/marginal"], what, &predicted, &measured)
        .within(1e-7, "terms of order ln(t)/t^2 remain"))
}

/// Where `2 c lambda < 1` the start is forgotten as `t^(-2 c lambda)`.
fn slow(effort: &Effort) -> Result<Comparison, LabError> {
    let power =
        effort.slip("exponent of the variance", "c lambda, that of the deviation", -2.0, -1.0);
    let cases = [(0.15, 1.0), (0.1, 2.0)];
    let predicted = cases.map(|(c, lambda)| power * c * lambda);
    let measured = effort.once("slow", || {
        let of = |(c, lambda): (f64, f64)| {
            let v = |t: usize| by_products(over(c), lambda, [1.0, 1.0], t);
            let exponent = |t: usize| libm::log2(v(2 * t) / v(t));
            // Noise adds a relative t^(2 c lambda - 1) to the start: two times eliminate it.
            let keep = libm::pow(2.0, 2.0 * c * lambda - 1.0);
            (exponent(200_000) - keep * exponent(100_000)) / (1.0 - keep)
        };
        Ok::<_, LabError>(cases.map(of))
    })?;
    let what = "exponent of the variance in t at rates 0.15/t with lambda = 1 and 0.1/t with lambda = 2, start and noise of variance 1: -2 c lambda, and sums of products over 100 000 to 400 000 steps, extrapolated";
    Ok(Comparison::digits(&["T04.4/slow"], what, &predicted, &measured)
        .within(1e-5, "higher powers of t^(2 c lambda - 1) remain"))
}

/// Under `t^(-0.4)`, whose squares have an infinite sum, the variance follows the stationary variance of the current rate to zero.
fn squares_that_do_not_add_up(effort: &Effort, floor: Floor) -> Result<Comparison, LabError> {
    let power = |s: usize| libm::pow(s as f64, -0.4);
    let ts = [25_000, 100_000, 400_000];
    let measured = effort.once("squares", || {
        Ok::<_, LabError>(ts.map(|t| by_products(power, 1.0, [1.0, 1.0], t) / power(t)))
    })?;
    // The stationary variance falls by a relative 0.4/t per step, and the distance to it by 2 t^(-0.4).
    let predicted =
        ts.map(|t| floor(power(t), 1.0, 1.0) / power(t) * (1.0 + 0.2 * libm::pow(t as f64, -0.6)));
    let what = "variance over the learning rate after 25 000, 100 000 and 400 000 steps at rates t^(-0.4), lambda = 1, start and noise of variance 1: that of the stationary variance at the current rate, 1 + 0.2 t^(-0.6) times as large because the rate falls, and sums of products; the variance itself falls with the rate";
    Ok(Comparison::digits(&["T04.4/squares"], what, &predicted, &measured)
        .within(1e-5, "the lag behind the rate is known to first order"))
}

/// The bound by norms of the noise tends to `E|xi|/lambda`; the one by squares to 0.
fn norms_and_squares(effort: &Effort) -> Result<Comparison, LabError> {
    let lambdas = [1.0, 2.0];
    let measured = effort.once("norms", || {
        let sums = |lambda: f64, t: usize| {
            let (mut norms, mut squares, mut rest) = (0.0, 0.0, 0.0);
            for s in (1..=t).rev() {
                let lr = 1.0 / s as f64;
                norms += lr * libm::exp(-lambda * rest);
                squares += lr * lr * libm::exp(-2.0 * lambda * rest);
                rest += lr;
            }
            [norms, squares * t as f64]
        };
        let of = |lambda: f64| [0, 1].map(|i| without_logs(50_000, |t| sums(lambda, t)[i]));
        Ok::<_, LabError>(lambdas.map(of).concat())
    })?;
    let one = effort.slip("sum of squares", "1/(2 lambda), without the 1", 1.0, 0.0);
    let predicted = lambdas.map(|lambda| [1.0 / lambda, 1.0 / (2.0 * lambda - one)]).concat();
    let source = lambdas.map(|lambda| [0.0, 1.0 / (2.0 * lambda - 1.0)]).concat();
    let predicted =
        effort.slip("sum of noise norms", "tends to 0 with the rates", predicted, source.clone());
    let what = "rates 1/s, |xi| = 1, lambda = 1 and 2: the sum of noise norms, which tends to 1/lambda, and t times the sum of their squares, which tends to 1/(2 lambda - 1) so that the sum itself tends to 0; and sums over 50 000 to 200 000 steps, extrapolated";
    Ok(Comparison::digits(&["T04.7"], what, &predicted, &measured)
        .within(1e-7, "terms of order ln(t)/t^2 remain")
        .source(&source))
}
