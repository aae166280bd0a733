//! The lemmas of the convergence proof for one hidden layer, compared with networks where they are tight (lectures, topic 13).

use super::one_layer::{difference, draw, form, kernels, loss, unit, velocity, with_errors};
use super::prelude::*;
use fovea_sim::mlp::Mlp;
use fovea_theory::ntk::width::may_move;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "convergence-proof",
    summary: "The lemmas of the convergence proof, at networks that attain them.",
    covers: &["T13.2", "T13.5/slope", "T13.5/decay", "T13.8"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![kernel_moves(effort)?, loss_falls(effort), decay(effort), speed(effort)?])
}

pub(super) const X: [f64; 3] = [0.0, 1.0, 2.5];
/// Only the first weights learn.
pub(super) const FROZEN: [f64; 2] = [1.0, 0.0];

/// A layer of this activation whose weights are all `size` times one input and whose second weights are 1.
fn equal(activation: &str, x: &[f64], size: f64) -> Mlp {
    let mut mlp = draw(7, &Streams::new(0).part("equal"));
    mlp.activation = named(activation);
    mlp.layers[0].weights = scaled(size, &x[..2]).repeat(7);
    mlp.layers[1].weights.fill(1.0);
    mlp
}

/// The part of the first layer in the tangent kernel, by backpropagation.
fn first_kernel(mlp: &Mlp, x: &[f64]) -> Vec<Vec<f64>> {
    let theta = mlp.tangent_by_layer(&mlp.forward(x), 0).swap_remove(0);
    theta.chunks(x.len() / 2).map(<[f64]>::to_vec).collect()
}

/// Norm of the change of the kernel between two sizes of all weights.
fn change(activation: &str, x: &[f64], sizes: [f64; 2]) -> Result<f64, LabError> {
    let [a, b] = sizes.map(|size| first_kernel(&equal(activation, x, size), x));
    Ok(operator_norm(&difference(&a, &b))?)
}

/// Where the bound on the kernel is attained: all weights move along one input given m times.
fn kernel_moves(effort: &Effort) -> Result<Comparison, LabError> {
    let ids = &["T13.2"];
    let (m, x) = (4.0, unit(&[0.6; 4]));
    // With z^2/2 at z = 1 slope and curvature are 1.
    let factor = effort.slip("bound on the kernel", "m D in place of 2 m D", 2.0, 1.0);
    let moves = [0.4, 0.1, 0.01];
    let bound = |far: f64| factor * m * far;
    let mut predicted = moves.map(|far| bound(far) * (1.0 - 0.5 * far)).to_vec();
    let mut measured = Vec::new();
    for far in moves {
        measured.push(change("x^2/2", &x, [1.0, 1.0 - far])?);
    }
    let may: fn(usize, f64) -> f64 = effort.slip(
        "distance that the kernel allows",
        "lambda_0/4m in place of lambda_0/8m",
        may_move,
        |m, least| 2.0 * may_move(m, least),
    );
    // One input, lambda_0 = 1; and two at right angles with all weights half-way between them, of length 1.2, lambda_0 = 0.72.
    let (one, two, between) = (unit(&[0.6]), unit(&[0.0, FRAC_PI_2]), unit(&[0.5 * FRAC_PI_2]));
    let (alone, both) = (1.0 - may(1, 1.0), 1.2 - may(2, 0.72));
    predicted.extend([alone * alone, 0.5 * both * both]);
    measured.push(first_kernel(&equal("x^2/2", &one, 0.875), &one)[0][0]);
    measured.push(least(&first_kernel(&equal("x^2/2", &between, 1.155), &two))?);
    let what = "norm of the change of the kernel of units z^2/2 at one input given four times where all weights move inwards by D = 0.4, 0.1, 0.01: 2 m D (1 - D/2), so that no smaller factor than 2 bounds it; and their smallest eigenvalue after a move by lambda_0/8m, above 3/4 of lambda_0: (7/8)^2 at one input, lambda_0 = 1, and 0.926 lambda_0 at two at right angles, lambda_0 = 0.72: by hand, and backpropagation";
    let squares = Comparison::digits(ids, what, &predicted, &measured);
    // |d(s'^2)/dz| of tanh is largest where tanh^2 = 1/5: 4 t (1 - t^2)^2 there.
    let t = 0.2_f64.sqrt();
    let steepest = 4.0 * t * 0.64 * m;
    let far = 1e-4;
    let at = libm::atanh(t);
    let moved = change("tanh", &x, [at + far, at - far])? / (2.0 * far);
    let what = "the same per unit of distance moved for tanh units that are all where the square of the slope changes fastest: 1.145 m, below the 2 m of the bound, and backpropagation";
    let tanh = Comparison::digits(ids, what, &[steepest], &[moved])
        .within(1e-6, "the square of the distance of 0.0001")
        .against("the bound itself, attained by tanh too", &[bound(1.0)]);
    Ok(squares.and(tanh))
}

/// The slope of the loss along the flow.
fn loss_falls(effort: &Effort) -> Comparison {
    let mlp = draw(60, &effort.streams.part("loss falls"));
    let (x, r) = (unit(&X), [0.7, -0.4, 1.1]);
    let set = with_errors(&mlp, &x, &r);
    let kernel = &kernels(&mlp, &x)[0];
    let factor = effort.slip("slope of the loss", "1/m in place of 1/m^2", 1.0 / 9.0, 1.0 / 3.0);
    let moved = velocity(&mlp, &set, &FROZEN);
    let slope = moved.iter().zip(&r).map(|(v, r)| v * r).sum::<f64>() / 3.0;
    let what = "dL/dt = -r.K r/m^2 of a random tanh network of 60 units at three inputs, second layer frozen, L = |r|^2/2m: kernel by hand, and differences of steps of descent";
    Comparison::digits(&["T13.5/slope"], what, &[-factor * form(kernel, &r)], &[slope]).simulated()
}

/// Its decay where the bound is attained.
fn decay(effort: &Effort) -> Comparison {
    // Linear units and orthogonal inputs: K is a multiple of the identity and stays, so that K = lambda_0/2 in every direction.
    let mut linear = draw(25, &effort.streams.part("linear"));
    linear.activation = named("identity");
    let (x, errors) = (unit(&[0.3, 0.3 + FRAC_PI_2]), [0.9, -0.5]);
    let second = &linear.layers[1].weights;
    let half = second.iter().map(|w| w * w).sum::<f64>() / second.len() as f64;
    let times = [(1, 1.0), (2, 1.0), (2, 4.0)];
    let left = |(m, t): (usize, f64), steps: u32| {
        let set = with_errors(&linear, &x[..2 * m], &errors[..m]);
        let mut mlp = linear.clone();
        for _ in 0..steps {
            mlp.descend(&set, t / f64::from(steps), &FROZEN);
        }
        loss(&mlp.errors(&set)) / loss(&errors[..m])
    };
    let measured = times.map(|at| {
        // Powers of the step are eliminated one by one, which gives the flow.
        let mut row: Vec<f64> = (0..6).map(|i| left(at, 40 << i)).collect();
        let mut factor = 1.0;
        while row.len() > 1 {
            factor *= 2.0;
            row = row.windows(2).map(|w| (factor * w[1] - w[0]) / (factor - 1.0)).collect();
        }
        row[0]
    });
    let rate = effort.slip(
        "rate of the loss",
        "lambda_0/2m, as printed, which no network attains",
        1.0,
        0.5,
    );
    let predicted = times.map(|(m, t)| libm::exp(-rate * 2.0 * half * t / m as f64));
    let what = "L(t)/L(0) of a linear network of 25 units at two orthogonal inputs, t = 1 and 4, and at one of them, t = 1, second layer frozen, whose kernel is lambda_0/2 in every direction: exp(-lambda_0 t/m), and descent extrapolated to steps of size zero";
    Comparison::digits(&["T13.5/decay"], what, &predicted, &measured).simulated()
}

/// Errors along the first and the last eigenvector attain both ends, at any time in training.
fn speed(effort: &Effort) -> Result<Comparison, LabError> {
    let mut mlp = draw(60, &effort.streams.part("speed"));
    let x = unit(&X);
    let set = with_errors(&mlp, &x, &[0.7, -0.4, 1.1]);
    let m = effort.slip("speed of the weights", "without the 1/m", 3.0, 1.0);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for steps in [0, 50, 450] {
        for _ in 0..steps {
            mlp.descend(&set, 1.0, &FROZEN);
        }
        let kernel = &kernels(&mlp, &x)[0];
        let found = eigen(kernel)?;
        let r = mlp.errors(&set);
        let square = GAMMA * GAMMA;
        predicted.push(square * form(kernel, &r) / (m * m));
        measured.push(square_of_a_step(&mlp, &x, &r));
        for at in [2, 0] {
            let r = &found.vectors[at];
            predicted.push(square * 2.0 * found.values[at] * loss(r) / m);
            measured.push(square_of_a_step(&mlp, &x, r));
        }
    }
    let what = "squared speed of the first weights of a tanh network of 60 units at three inputs, second layer frozen, at initialization and after 50 and 500 steps, gamma = 0.7: gamma^2 r.K r/m^2 for its errors r, and, for errors along the last and the first eigenvector of K, the two ends 2 gamma^2 lambda L/m; kernel by hand, and a step of descent over a time of 0.001";
    Ok(Comparison::digits(&["T13.8"], what, &predicted, &measured).simulated())
}

/// Rate of the flow.
const GAMMA: f64 = 0.7;

/// The squared distance that the flow at this rate moves the first weights in a short time, over the square of that time.
fn square_of_a_step(mlp: &Mlp, x: &[f64], r: &[f64]) -> f64 {
    let time = 1e-3;
    let mut after = mlp.clone();
    after.descend(&with_errors(mlp, x, r), GAMMA * time, &FROZEN);
    let pairs = after.layers[0].weights.iter().zip(&mlp.layers[0].weights);
    pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / (time * time)
}
