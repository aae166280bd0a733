//! The effect of a step of descent on the outputs: the tangent kernel, its null space, and training of wide networks (lectures, topic 11).

use super::one_layer::{after, draw, kernels, unit, velocity, with_errors};
use super::prelude::*;
use fovea_sim::mlp::Mlp;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "tangent-descent",
    summary: "Descent of networks against their tangent kernel: one step, its null space, the loss at the end.",
    covers: &[
        "T11.1/first",
        "T11.1/second",
        "T11.1/linear",
        "T11.5/wide",
        "T11.5/singular",
        "T11.8",
    ],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let kernel: Kernels = effort.slip(
        "tangent kernel of one hidden layer",
        "the part of the last layer alone",
        both,
        |mlp, x| kernels(mlp, x)[1].clone(),
    );
    Ok(vec![
        first_order(effort, kernel),
        second_order(effort),
        linear(effort),
        to_zero(effort)?,
        to_a_half(effort),
        geometry(effort, kernel).and(frozen(effort)?),
    ])
}

const X: [f64; 3] = [0.0, 1.0, 2.5];
const ERRORS: [f64; 3] = [0.7, -0.4, 1.1];
/// The averaged loss carries 1/m.
const PER_EXAMPLE: f64 = 1.0 / 3.0;

/// A network and its inputs, and the Gram matrix of its output gradients by hand.
type Kernels = fn(&Mlp, &[f64]) -> Vec<Vec<f64>>;

fn both(mlp: &Mlp, x: &[f64]) -> Vec<Vec<f64>> {
    let [first, second] = kernels(mlp, x);
    first.iter().zip(&second).map(|(a, b)| combined(1.0, a, 1.0, b)).collect()
}

fn times(kernel: &[Vec<f64>], r: &[f64]) -> Vec<f64> {
    kernel.iter().map(|row| dot(row, r)).collect()
}

/// The outputs of a random network move by the kernel at first order in the step.
fn first_order(effort: &Effort, kernel: Kernels) -> Comparison {
    let mlp = draw(30, &effort.streams.part("one step"));
    let x = unit(&X);
    let set = with_errors(&mlp, &x, &ERRORS);
    // The gradient of the loss by the outputs is r/m.
    let predicted = scaled(-PER_EXAMPLE, &times(&kernel(&mlp, &x), &ERRORS));
    let what = "derivative by the step size of the three outputs of a random tanh network of 30 units under a step of descent of |r|^2/2m: -K r/m with the kernel of both layers by hand, and differences of steps";
    Comparison::digits(&["T11.1/first"], what, &predicted, &velocity(&mlp, &set, &[1.0, 1.0]))
        .simulated()
}

/// The remainder after the first order falls with the square of the step.
fn second_order(effort: &Effort) -> Comparison {
    let mlp = draw(30, &effort.streams.part("one step"));
    let x = unit(&X);
    let set = with_errors(&mlp, &x, &ERRORS);
    // Without the kernel of both layers by hand a first order would remain.
    let first = times(&both(&mlp, &x), &ERRORS);
    let left = |h: f64| -> f64 {
        let linear = combined(1.0, &ERRORS, -h * PER_EXAMPLE, &first);
        let left = combined(1.0, &after(&mlp, &set, h, &[1.0, 1.0]), -1.0, &linear);
        dot(&left, &left).sqrt()
    };
    let order = |h: f64| libm::log2(left(2.0 * h) / left(h));
    let found = 2.0 * order(5e-3) - order(1e-2);
    let expected = effort.slip(
        "order of the remainder",
        "first, as with a kernel that leaves out a layer",
        2.0,
        1.0,
    );
    let what = "order, in the size of the step, of the remainder of the outputs after one step beyond the linear -K r/m, both layers by hand, the same network, steps of 0.02, 0.01 and 0.005: 2, and descent";
    Comparison::digits(&["T11.1/second"], what, &[expected], &[found])
        .within(1e-3, "the square of a step of 0.02")
        .simulated()
}

/// A network whose last layer alone learns is linear in its trained weights: one long step.
fn linear(effort: &Effort) -> Comparison {
    let mlp = draw(30, &effort.streams.part("one step"));
    let x = unit(&X);
    let set = with_errors(&mlp, &x, &ERRORS);
    let step = 1.5;
    let kernel = effort.slip(
        "kernel of the last layer",
        "that of both layers",
        kernels(&mlp, &x)[1].clone(),
        both(&mlp, &x),
    );
    let predicted = combined(1.0, &ERRORS, -step * PER_EXAMPLE, &times(&kernel, &ERRORS));
    let what = "errors of three examples of a random tanh network of 30 units after one step of 1.5 on |r|^2/2m, m = 3, in which the last layer alone learns: r - 1.5 K r/m with K = (1/n) sum s s by loops, without a remainder, and descent";
    let measured = after(&mlp, &set, step, &[0.0, 1.0]);
    Comparison::digits(&["T11.1/linear"], what, &predicted, &measured).simulated()
}

/// Whether the loss of a network falls below 1e-10 while its kernel keeps half of its smallest eigenvalue.
fn vanishes(start: &Mlp, steps: usize, lr: f64) -> Result<bool, LabError> {
    let x = unit(&X);
    let set = with_errors(start, &x, &ERRORS);
    let begin = least(&both(start, &x))?;
    let mut mlp = start.clone();
    for step in 0..steps {
        mlp.descend(&set, lr, &[1.0, 1.0]);
        if step % 100 == 0 && least(&both(&mlp, &x))? < 0.5 * begin {
            return Ok(false);
        }
    }
    Ok(mlp.errors(&set).iter().map(|r| r * r).sum::<f64>() < 1e-10)
}

/// Wide networks trained for long, and narrow ones.
fn to_zero(effort: &Effort) -> Result<Comparison, LabError> {
    const NETWORKS: u64 = 20;
    let counted = effort.once("to zero", || -> Result<_, LabError> {
        let streams = effort.streams.part("to zero");
        let mut hits = [0, 0];
        for i in 0..NETWORKS {
            hits[0] += usize::from(vanishes(&draw(400, &streams.replica(i)), 1500, 2.0)?);
            // The same time in smaller steps, at which the largest kernel of two units is stable.
            let narrow = draw(2, &streams.part("narrow").replica(i));
            hits[1] += usize::from(vanishes(&narrow, 6000, 0.5)?);
        }
        Ok(hits)
    })?;
    let trials = NETWORKS as usize;
    let what = "of 20 random tanh networks of 400 units, one hidden layer, both layers learning three examples from errors 0.7, -0.4 and 1.1 by 1500 steps of 2, those whose sum of squared errors falls below 1e-10 and whose kernel keeps half of its smallest eigenvalue; a network for which nothing is known is assumed to do so with chance 1/2";
    Ok(Comparison::all(&["T11.5/wide"], what, (counted[0], trials), 0.5).against_cases(
        "networks of two units, the same time in steps of 0.5",
        (counted[1], trials),
    ))
}

/// The same training where the kernel is singular: one input with two labels.
fn to_a_half(effort: &Effort) -> Comparison {
    let start = draw(400, &effort.streams.part("to a half"));
    let x = unit(&[0.4, 0.4, 2.0]);
    let set = with_errors(&start, &x, &[0.9, -0.3, 1.1]);
    let mut mlp = start.clone();
    for _ in 0..3000 {
        mlp.descend(&set, 2.0, &[1.0, 1.0]);
    }
    let end = mlp.errors(&set);
    let left = end.iter().map(|r| r * r).sum::<f64>() / 6.0;
    let apart = effort.slip(
        "end of two labels at one input",
        "no error, as where the kernel is positive",
        0.6,
        0.0,
    );
    let what = "where two of three examples have one input and labels 1.2 apart the kernel is singular: the errors end at 0.6, -0.6 and 0 and the loss at 0.12; and descent of 400 tanh units";
    let predicted = [apart, -apart, 0.0, apart * apart / 3.0];
    Comparison::digits(&["T11.5/singular"], what, &predicted, &[end[0], end[1], end[2], left])
        .simulated()
}

/// One unit whose two first weights learn: three outputs move in a surface, whose normal is frozen at first order.
fn frozen(effort: &Effort) -> Result<Comparison, LabError> {
    let (mlp, x) = (draw(1, &effort.streams.part("surface")), unit(&X));
    let rates = [1.0, 0.0];
    let kernel = &kernels(&mlp, &x)[0];
    let normal = eigen(kernel)?.vectors.swap_remove(2);
    let along = with_errors(&mlp, &x, &normal);
    let answered = scaled(-PER_EXAMPLE, &times(kernel, &ERRORS));
    let predicted = effort.slip(
        "velocity of three outputs in a surface",
        "the errors themselves, as if every direction were reached",
        [answered, vec![0.0; 3]].concat(),
        scaled(-PER_EXAMPLE, &[ERRORS.to_vec(), normal].concat()),
    );
    let any = with_errors(&mlp, &x, &ERRORS);
    let measured = [velocity(&mlp, &any, &rates), velocity(&mlp, &along, &rates)].concat();
    let what = "velocity of three outputs of one random tanh unit with two trained weights, a kernel of rank two: -K r/m for errors 0.7, -0.4 and 1.1, and 0 for errors along the null vector; kernel by hand, and differences of steps of descent";
    Ok(Comparison::digits(&["T11.8"], what, &predicted, &measured).simulated())
}

/// A kernel of rank one freezes what is orthogonal to it; a positive one reaches every direction.
fn geometry(effort: &Effort, kernel: Kernels) -> Comparison {
    let mlp = draw(20, &effort.streams.part("geometry"));
    // One input given twice: the kernel of two examples has rank one, with the null vector (1, -1).
    let twice = unit(&[0.4, 0.4]);
    let set = with_errors(&mlp, &twice, &[0.9, -0.3]);
    let moved = velocity(&mlp, &set, &[1.0, 1.0]);
    let k = kernel(&mlp, &twice)[0][0];
    // Along (1, 1)/sqrt 2 the eigenvalue is 2 k; the step carries 1/m = 1/2.
    let (along, across) = (0.5 * moved[0] + 0.5 * moved[1], 0.5 * moved[0] - 0.5 * moved[1]);
    let mean = effort.slip(
        "error along a kernel of rank one",
        "the first error in place of the mean of both",
        0.3,
        0.9,
    );
    // Different inputs: r.K r > 0 in every direction of the errors.
    let apart = unit(&[0.4, 1.5]);
    let kernel = kernel(&mlp, &apart);
    let (mut predicted, mut measured) = (vec![-k * mean, 0.0], vec![along, across]);
    for r in [[1.0, 0.0], [1.0, 1.0], [1.0, -1.0]] {
        let set = with_errors(&mlp, &apart, &r);
        let moved = velocity(&mlp, &set, &[1.0, 1.0]);
        measured.push(-dot(&moved, &r));
        predicted.push(dot(&times(&kernel, &r), &r) / 2.0);
    }
    let what = "velocity of two outputs of a random tanh network of 20 units along and across the range of a kernel of rank one (one input twice), the second 0; and r.K r/2 of a positive kernel in three directions: kernels by hand, and differences of steps of descent";
    Comparison::digits(&["T11.8"], what, &predicted, &measured).simulated()
}
