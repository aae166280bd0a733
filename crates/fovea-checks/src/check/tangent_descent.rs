//! What a step of descent does to the outputs: the tangent kernel, its null space, and wide networks trained (lectures, topic 11).

use super::one_layer::{draw, kernels, unit, velocity, with_errors};
use super::prelude::*;
use fovea_sim::mlp::Mlp;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "tangent-descent",
    summary: "Descent of networks against their tangent kernel: one step, its null space, the loss at the end.",
    covers: &["T11.1", "T11.5", "T11.8"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![one_step(effort), to_zero(effort)?.and(to_a_half(effort)), geometry(effort)])
}

const X: [f64; 3] = [0.0, 1.0, 2.5];

fn times(kernel: &[Vec<f64>], r: &[f64]) -> Vec<f64> {
    kernel.iter().map(|row| row.iter().zip(r).map(|(k, r)| k * r).sum()).collect()
}

fn both(mlp: &Mlp, x: &[f64]) -> Vec<Vec<f64>> {
    let [first, second] = kernels(mlp, x);
    let add = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(a, b)| a + b).collect();
    first.iter().zip(&second).map(add).collect()
}

/// First order in the step, and the second order that the statement leaves out.
fn one_step(effort: &Effort) -> Comparison {
    let mlp = draw(30, &effort.streams.part("one step"));
    let (x, r) = (unit(&X), [0.7, -0.4, 1.1]);
    let set = with_errors(&mlp, &x, &r);
    // The gradient of the loss by the outputs is r/m.
    let predicted: Vec<f64> = times(&both(&mlp, &x), &r).iter().map(|v| -v / 3.0).collect();
    let what = "derivative by the step size of the three outputs of one drawn tanh network of 30 units under a step of descent: -K grad_z L with the kernel by hand, and differences of steps";
    Comparison::digits(&["T11.1"], what, &predicted, &velocity(&mlp, &set, &[1.0, 1.0]))
}

/// Wide networks trained for long: the loss vanishes and the kernel stays away from zero.
fn to_zero(effort: &Effort) -> Result<Comparison, LabError> {
    let nets = effort.samples(6) as u64;
    let x = unit(&X);
    let (mut zero, mut positive) = (0, 0);
    for index in 0..nets {
        let start = draw(1000, &effort.streams.part("to zero").replica(index));
        let set = with_errors(&start, &x, &[0.7, -0.4, 1.1]);
        let mut mlp = start.clone();
        let begin = least(&both(&start, &x))?;
        let mut kept = true;
        for step in 0..3000 {
            mlp.descend(&set, 2.0, &[1.0, 1.0]);
            if step % 300 == 0 {
                kept &= least(&both(&mlp, &x))? > 0.5 * begin;
            }
        }
        let left = mlp.errors(&set).iter().map(|r| r * r).sum::<f64>();
        zero += u32::from(left < 1e-10);
        positive += u32::from(kept);
    }
    let nets = nets as f64;
    let what = "of up to six drawn tanh networks of 1000 units, those whose loss on three examples falls below 1e-10 and whose kernel keeps half of its least eigenvalue: all, and counted";
    let counted = [f64::from(zero), f64::from(positive)];
    Ok(Comparison::digits(&["T11.5"], what, &[nets, nets], &counted))
}

/// The same training where the kernel is singular: one input with two labels.
fn to_a_half(effort: &Effort) -> Comparison {
    let start = draw(1000, &effort.streams.part("to a half"));
    let x = unit(&[0.4, 0.4, 2.0]);
    let set = with_errors(&start, &x, &[0.9, -0.3, 1.1]);
    let mut mlp = start.clone();
    for _ in 0..3000 {
        mlp.descend(&set, 2.0, &[1.0, 1.0]);
    }
    let end = mlp.errors(&set);
    let left = end.iter().map(|r| r * r).sum::<f64>() / 6.0;
    let measured = [end[0], end[1], end[2], left];
    let what = "where two of three examples have one input and labels 1.2 apart the kernel is singular: the errors end at 0.6, -0.6 and 0 and the loss at 0.12, not at 0; and descent of 1000 tanh units";
    Comparison::digits(&["T11.5"], what, &[0.6, -0.6, 0.0, 0.12], &measured)
        .against("the end of a positive kernel", &[0.0; 4])
}

/// A kernel of rank one freezes what is orthogonal to it; a positive one reaches every direction.
fn geometry(effort: &Effort) -> Comparison {
    let mlp = draw(20, &effort.streams.part("geometry"));
    // One input given twice: the kernel of two examples has rank one, with the null vector (1, -1).
    let twice = unit(&[0.4, 0.4]);
    let set = with_errors(&mlp, &twice, &[0.9, -0.3]);
    let moved = velocity(&mlp, &set, &[1.0, 1.0]);
    let k = both(&mlp, &twice)[0][0];
    // Along (1, 1)/sqrt 2 the eigenvalue is 2 k; the step carries 1/m = 1/2.
    let (along, across) = (0.5 * moved[0] + 0.5 * moved[1], 0.5 * moved[0] - 0.5 * moved[1]);
    // Inputs that differ: every direction of the errors is answered with r.K r > 0.
    let apart = unit(&[0.4, 1.5]);
    let kernel = both(&mlp, &apart);
    let (mut predicted, mut measured) = (vec![-k * 0.3, 0.0], vec![along, across]);
    for r in [[1.0, 0.0], [1.0, 1.0], [1.0, -1.0]] {
        let set = with_errors(&mlp, &apart, &r);
        let moved = velocity(&mlp, &set, &[1.0, 1.0]);
        measured.push(-moved.iter().zip(&r).map(|(v, r)| v * r).sum::<f64>());
        predicted.push(times(&kernel, &r).iter().zip(&r).map(|(k, r)| k * r).sum::<f64>() / 2.0);
    }
    let what = "velocity of two outputs along and across the range of a kernel of rank one, and r.K r of a positive kernel in three directions: kernels by hand, and differences of steps of descent";
    Comparison::digits(&["T11.8"], what, &predicted, &measured)
}
