//! The lemmas of the convergence proof for one hidden layer, and the laws and sums it starts from (lectures, topics 12 and 13).

use super::averaged::named;
use super::one_layer::{draw, form, kernels, loss, unit, velocity, with_errors};
use super::{Check, Comparison, Effort};
use crate::error::LabError;
use fovea_core::agree::order;
use fovea_core::quadrature::adaptive;
use fovea_core::stats::Estimate;
use fovea_core::symmetric::eigen;
use fovea_sim::mlp::Mlp;
use fovea_theory::ntk::gram::{Part, gram};
use fovea_theory::ntk::width::{may_move, moved_at_most, width};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "convergence-proof",
    summary: "Concentration of the kernel, and the lemmas of the convergence proof along flows.",
    covers: &["T12.3", "T12.9", "T13.1", "T13.2", "T13.3", "T13.5", "T13.6", "T13.8"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        concentration(effort)?,
        summands(effort)?,
        laws(effort)?,
        kernel_moves(effort),
        weights_move(),
        loss_falls(effort),
        continuity(effort)?,
        speed(effort),
    ])
}

const X: [f64; 3] = [0.0, 1.0, 2.5];
/// First weights alone learn.
const FROZEN: [f64; 2] = [1.0, 0.0];

fn difference(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let row = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(a, b)| a - b).collect();
    a.iter().zip(b).map(row).collect()
}

/// The largest absolute eigenvalue.
fn size(matrix: &[Vec<f64>]) -> f64 {
    eigen(matrix).values.iter().fold(0.0, |top, e| top.max(e.abs()))
}

/// Distance of the kernel of n units from its mean, over five widths.
fn concentration(effort: &Effort) -> Result<Comparison, LabError> {
    let mean = gram(&named("tanh"), &X, Part::Value)?;
    let widths = [100_usize, 200, 400, 800];
    let x = unit(&X);
    let count = effort.samples(6000);
    let streams = effort.streams.part("concentration");
    let slope = |index: u64| {
        let streams = streams.replica(index);
        let far: Vec<f64> = widths
            .iter()
            .map(|n| {
                let mlp = draw(*n, &streams.part(&n.to_string()));
                size(&difference(&kernels(&mlp, &x)[1], &mean))
            })
            .collect();
        order(&widths.map(|n| n as f64), &far).unwrap_or(f64::NAN)
    };
    let slopes: Vec<f64> = (0..count as u64).map(slope).collect();
    let estimate = Estimate::from_samples(&slopes)?;
    let what = "exponent in the width of |K - E K| for three inputs, -1/2, and drawn layers of 100 to 800 tanh units";
    Ok(Comparison::noise(&["T12.3"], what, &[(estimate, -0.5)])
        .coarse("an exponent over a factor of eight in the width"))
}

/// The summands of the Bernstein bound add up to the deviation, and each is at most m/n.
fn summands(effort: &Effort) -> Result<Comparison, LabError> {
    let n = 40;
    let mean = gram(&named("tanh"), &X, Part::Value)?;
    let mlp = draw(n, &effort.streams.part("summands"));
    let x = unit(&X);
    let total = difference(&kernels(&mlp, &x)[1], &mean);
    let of_unit = |k: usize, share: f64| -> Vec<Vec<f64>> {
        let w = &mlp.layers[0].weights[2 * k..2 * k + 2];
        let s: Vec<f64> = x.chunks(2).map(|x| libm::tanh(w[0] * x[0] + w[1] * x[1])).collect();
        let entry = |a: usize, b: usize| s[a] * s[b] / n as f64 - share * mean[a][b];
        (0..3).map(|a| (0..3).map(|b| entry(a, b)).collect()).collect()
    };
    let read = |share: f64| {
        let parts: Vec<Vec<Vec<f64>>> = (0..n).map(|k| of_unit(k, share)).collect();
        let sum = |a: usize, b: usize| parts.iter().map(|part| part[a][b]).sum::<f64>();
        let small = parts.iter().filter(|part| size(part) <= 3.0 / n as f64).count();
        [sum(0, 0), sum(0, 1), sum(1, 2), small as f64 / n as f64]
    };
    let measured = [total[0][0], total[0][1], total[1][2], 1.0];
    let what = "sum over 40 tanh units of S_j = (K_j - E K)/n in three entries, and the share of them with norm at most m/n; and K - E K, and 1";
    Ok(Comparison::digits(&["T12.9"], what, &read(1.0 / n as f64), &measured).source(&read(1.0)))
}

/// The mean kernel of the first layer under both assignments of the laws.
fn laws(effort: &Effort) -> Result<Comparison, LabError> {
    let angles = [0.0, 1.0];
    let x = unit(&angles);
    let right = gram(&named("tanh"), &angles, Part::Slope)?;
    let count = effort.samples(40_000);
    let streams = effort.streams.part("laws");
    let drawn: Vec<[f64; 2]> = (0..count as u64)
        .map(|i| {
            let kernel = &kernels(&draw(20, &streams.replica(i)), &x)[0];
            [kernel[0][0], kernel[0][1]]
        })
        .collect();
    let of = |k: usize| Estimate::from_samples(&drawn.iter().map(|row| row[k]).collect::<Vec<_>>());
    // First weights uniform on the square, second ones standard normal.
    let slope = |z: f64| 1.0 - libm::tanh(z) * libm::tanh(z);
    let swapped = |a: &[f64], b: &[f64]| {
        let at = |u: f64, v: f64| slope(u * a[0] + v * a[1]) * slope(u * b[0] + v * b[1]);
        let inner = |u: f64| adaptive(|v| at(u, v), -1.0, 1.0, 1e-10).value;
        adaptive(inner, -1.0, 1.0, 1e-9).value / 4.0 * (a[0] * b[0] + a[1] * b[1])
    };
    let pairs = [(of(0)?, right[0][0] / 3.0), (of(1)?, right[0][1] / 3.0)];
    let source = [swapped(&x[..2], &x[..2]), swapped(&x[..2], &x[2..])];
    let what = "mean kernel of the first layer with w1 normal and w2 uniform on [-1, 1], E[s's'] x.x'/3, and drawn layers of 20 tanh units";
    Ok(Comparison::noise(&["T13.1"], what, &pairs).source(&source))
}

/// The same network with the weights of every unit moved by `far` in directions of their own.
fn moved(mlp: &Mlp, far: f64, turn: f64) -> Mlp {
    let mut moved = mlp.clone();
    for (k, w) in moved.layers[0].weights.chunks_mut(2).enumerate() {
        let angle = turn * (k + 1) as f64;
        w[0] += far * libm::cos(angle);
        w[1] += far * libm::sin(angle);
    }
    moved
}

/// Moves of the weights, aimed and scattered, and what becomes of the kernel.
fn kernel_moves(effort: &Effort) -> Comparison {
    let mlp = draw(200, &effort.streams.part("kernel moves"));
    let x = unit(&X);
    let first = &kernels(&mlp, &x)[0];
    let least = eigen(first).values[0];
    let turns: Vec<f64> = (0..50).map(|i| 0.37 * f64::from(i)).collect();
    let share = |kept: &dyn Fn(f64) -> bool| {
        turns.iter().filter(|turn| kept(**turn)).count() as f64 / turns.len() as f64
    };
    let within = |far: f64, bound: f64, turn: f64| {
        size(&difference(&kernels(&moved(&mlp, far, turn), &x)[0], first)) <= bound
    };
    let may = may_move(3, least);
    let measured = [
        share(&|turn| within(0.1, 2.0 * 3.0 * 0.1, turn)),
        share(&|turn| eigen(&kernels(&moved(&mlp, may, turn), &x)[0]).values[0] >= 0.75 * least),
    ];
    let what = "share of 50 moves of all weights by D = 0.1 that change the kernel of three inputs by at most 2 m D, and of moves by lambda_0/8m that leave 3/4 of its least eigenvalue: all, and counted";
    Comparison::digits(&["T13.2"], what, &[1.0, 1.0], &measured)
}

/// The integral behind the bound on the move, and the mean absolute error that it starts from.
fn weights_move() -> Comparison {
    let (m, start, least, n) = (3_usize, 0.8_f64, 0.05_f64, 500.0_f64);
    let rate = least / (2.0 * m as f64);
    let speed = |t: f64| (2.0 * start).sqrt() * libm::exp(-rate * t) / n.sqrt();
    let integral = adaptive(speed, 0.0, 50.0 / rate, 1e-13).value;
    // Errors of equal size attain it.
    let equal: [f64; 3] = [0.6, -0.6, 0.6];
    let mean = equal.iter().map(|r| r.abs()).sum::<f64>() / 3.0;
    let predicted = [moved_at_most(m, start, least, n), (2.0 * loss(&equal)).sqrt()];
    let what = "2 sqrt(2) m sqrt(L_0)/(lambda_0 sqrt(n)), and the integral of the largest speed while K >= lambda_0/2; sqrt(2 L), and the mean absolute error where all are equal";
    Comparison::digits(&["T13.3"], what, &predicted, &[integral, mean])
}

/// The slope of the loss along the flow.
fn loss_falls(effort: &Effort) -> Comparison {
    let mlp = draw(60, &effort.streams.part("loss falls"));
    let (x, r) = (unit(&X), [0.7, -0.4, 1.1]);
    let set = with_errors(&mlp, &x, &r);
    let kernel = &kernels(&mlp, &x)[0];
    let moved = velocity(&mlp, &set, &FROZEN);
    let slope = moved.iter().zip(&r).map(|(v, r)| v * r).sum::<f64>() / 3.0;
    // With a kernel that is lambda_0/2 in every direction the bound is attained.
    let (least, t) = (0.3, 4.0);
    let steps = 4_000_000;
    let factor = 1.0 - 0.5 * least / 3.0 * t / f64::from(steps);
    let euler = libm::pow(factor * factor, f64::from(steps));
    let what = "dL/dt = -r.K r/m^2 of a drawn tanh network of 60 units with the second layer frozen, kernel by hand, and differences of steps; exp(-lambda_0 t/m), and small steps with K = lambda_0/2";
    let predicted = [-form(kernel, &r) / 9.0, libm::exp(-least * t / 3.0)];
    Comparison::digits(&["T13.5"], what, &predicted, &[slope, euler])
        .within(1e-7, "steps of a flow that has none")
}

/// A network wide enough for the proof: all that it says holds along the flow.
fn continuity(effort: &Effort) -> Result<Comparison, LabError> {
    let angles = [0.0];
    let x = unit(&angles);
    let error = 0.05;
    let mean = eigen(&gram(&named("tanh"), &angles, Part::Slope)?).values[0] / 3.0;
    let n = (1.3 * width(1, 0.5 * error * error, mean)) as usize;
    let start = draw(n, &effort.streams.part("continuity"));
    let set = with_errors(&start, &x, &[error]);
    let first = kernels(&start, &x)[0][0][0];
    let begin = loss(&start.errors(&set));
    let most = moved_at_most(1, begin, first, n as f64);
    let (mut mlp, lr, times) = (start.clone(), 0.5, 120);
    let mut kept = [0.0; 3];
    for step in 1..=times {
        mlp.descend(&set, lr, &FROZEN);
        let far = mlp.layers[0].weights.chunks(2).zip(start.layers[0].weights.chunks(2));
        let far = far.map(|(a, b)| libm::hypot(a[0] - b[0], a[1] - b[1])).fold(0.0, f64::max);
        let bound = libm::exp(-first * lr * f64::from(step)) * begin;
        let now = [
            far <= most,
            kernels(&mlp, &x)[0][0][0] >= 0.5 * first,
            loss(&mlp.errors(&set)) <= bound,
        ];
        kept.iter_mut().zip(now).for_each(|(k, now)| *k += f64::from(u8::from(now)));
    }
    let closes = f64::from(u8::from(most < may_move(1, first)));
    let times = f64::from(times);
    let measured = [closes, kept[0] / times, kept[1] / times, kept[2] / times];
    let what = "one input and a width beyond 512 L_0/lambda_0^4: D* < D (1), and the shares of 120 times at which weights, kernel and loss keep their bounds: all, and counted";
    Ok(Comparison::digits(&["T13.6"], what, &[1.0; 4], &measured))
}

/// Errors along the first and the last eigenvector attain both ends.
fn speed(effort: &Effort) -> Comparison {
    let mlp = draw(60, &effort.streams.part("speed"));
    let x = unit(&X);
    let found = eigen(&kernels(&mlp, &x)[0]);
    let lr = 1e-3;
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for end in [0, 2] {
        let r = &found.vectors[end];
        let set = with_errors(&mlp, &x, r);
        let mut after = mlp.clone();
        after.descend(&set, lr, &FROZEN);
        let pairs = after.layers[0].weights.iter().zip(&mlp.layers[0].weights);
        measured.push(pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / (lr * lr));
        predicted.push(2.0 * found.values[end] * loss(r) / 3.0);
    }
    let what = "squared speed of the weights with errors along the first and the last eigenvector of the kernel by hand, 2 lambda L/m, and a step of descent";
    Comparison::digits(&["T13.8"], what, &predicted, &measured)
}
