//! The width that the convergence proof needs, and networks of that width trained to the end (lectures, topic 13).

use super::convergence_proof::{FROZEN, X};
use super::one_layer::{draw, kernels, loss, unit, with_errors};
use super::prelude::*;
use fovea_sim::mlp::{Examples, Mlp};
use fovea_theory::ntk::gram::{Part, gram};
use fovea_theory::ntk::width::{self, moved_at_most, width};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "sufficient-width",
    summary: "The initial distributions and the width of the convergence proof, and networks of that width.",
    covers: &["T13.1/first", "T13.1/second", "T13.3", "T13.4", "T13.6/wide", "T13.6/singular"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        first_law(effort)?,
        second_law(effort)?,
        weights_move(effort),
        sufficient_width(effort),
        continuity(effort)?,
        contradiction(effort),
    ])
}

/// Descent with the second layer frozen until the examples are learned.
fn trained(start: &Mlp, set: &Examples, lr: f64, steps: usize) -> Mlp {
    let mut mlp = start.clone();
    for _ in 0..steps {
        mlp.descend(set, lr, &FROZEN);
    }
    mlp
}

/// How far the weights of the unit that moves most have moved.
fn farthest(mlp: &Mlp, start: &Mlp) -> f64 {
    let pairs = mlp.layers[0].weights.chunks(2).zip(start.layers[0].weights.chunks(2));
    pairs.map(|(a, b)| libm::hypot(a[0] - b[0], a[1] - b[1])).fold(0.0, f64::max)
}

/// The mean kernel of the first layer under both assignments of the distributions.
fn first_law(effort: &Effort) -> Result<Comparison, LabError> {
    let angles = [0.0, 1.0];
    let x = unit(&angles);
    let square =
        effort.slip("mean square of a second weight", "1, as for a normal one", 1.0 / 3.0, 1.0);
    let right = gram(&named("tanh"), &angles, Part::Slope)?;
    let drawn = effort.once("laws", || -> Result<_, LabError> {
        let streams = effort.streams.part("laws");
        let entries = |i: u64| {
            let kernel = &kernels(&draw(20, &streams.replica(i)), &x)[0];
            [kernel[0][0], kernel[0][1]]
        };
        let all: Vec<[f64; 2]> = (0..effort.samples(40_000) as u64).map(entries).collect();
        let of =
            |k: usize| Estimate::from_samples(&all.iter().map(|row| row[k]).collect::<Vec<_>>());
        Ok([of(0)?, of(1)?])
    })?;
    // First weights uniform on the square, second ones standard normal.
    let slope = |z: f64| 1.0 - libm::tanh(z) * libm::tanh(z);
    let swapped = |a: &[f64], b: &[f64]| {
        let at = |u: f64, v: f64| slope(u * a[0] + v * a[1]) * slope(u * b[0] + v * b[1]);
        let inner = |u: f64| adaptive(|v| at(u, v), -1.0, 1.0, 1e-10).value;
        adaptive(inner, -1.0, 1.0, 1e-9).value / 4.0 * (a[0] * b[0] + a[1] * b[1])
    };
    let pairs = [(drawn[0], square * right[0][0]), (drawn[1], square * right[0][1])];
    let source = [swapped(&x[..2], &x[..2]), swapped(&x[..2], &x[2..])];
    let what = "mean of two entries of the kernel of the first layer, unit inputs 1 rad apart, w1 normal and w2 uniform on [-1, 1]: E[s's'] x.x'/3 by quadrature, and random layers of 20 tanh units; the source exchanges the distributions";
    Ok(Comparison::noise(&["T13.1/first"], what, &pairs).source(&source))
}

/// Linear units at one input move by the share `|w2|` of the distance that the lemma allows.
fn second_law(effort: &Effort) -> Result<Comparison, LabError> {
    let n = 50;
    let (largest, within, beyond) = effort.once("second law", || -> Result<_, LabError> {
        let streams = effort.streams.part("second law");
        let ratio = |i: u64, normal: bool| {
            let mut start = draw(n, &streams.replica(i));
            start.activation = named("identity");
            if normal {
                streams.named("normal").normals(i, &mut start.layers[1].weights);
            }
            let x = unit(&[0.3]);
            let set = with_errors(&start, &x, &[0.8]);
            let kernel = kernels_of_linear(&start);
            let moved = farthest(&trained(&start, &set, 1.0 / kernel, 1), &start);
            moved * kernel * (n as f64).sqrt() / 0.8
        };
        let drawn = 0..effort.samples(2000) as u64;
        let ratios: Vec<f64> = drawn.clone().map(|i| ratio(i, false)).collect();
        // Rounding aside.
        let keeps = |ratio: &f64| *ratio <= 1.0 + 1e-9;
        let within = ratios.iter().filter(|ratio| keeps(ratio)).count();
        let beyond = drawn.filter(|i| keeps(&ratio(*i, true))).count();
        Ok((Estimate::from_samples(&ratios)?, (within, ratios.len()), (beyond, ratios.len())))
    })?;
    let units = n as f64;
    // The largest of 50 normal numbers by size: E max = int P(max > t) dt.
    let normal = |t: f64| 1.0 - libm::pow(2.0 * normal_cdf(t) - 1.0, units);
    let normal = adaptive(normal, 0.0, 12.0, 1e-10).value;
    let what = "how far the weights of the unit that moves most end from their start, over D* with K = lambda_0/2, in a linear network of 50 units that learns one example, second layer frozen: |w2| of that unit, on average 50/51 where w2 is uniform on [-1, 1], and 2.5 were it normal; and descent of random networks";
    let bound =
        effort.slip("largest of 50 second weights", "that of one, 1/2", units / (units + 1.0), 0.5);
    let ids = &["T13.1/second"];
    let mean = Comparison::noise(ids, what, &[(largest, bound)]).source(&[normal]);
    let what = "of these networks those in which no weight moves beyond D*; with normal w2 fewer than one in 10^8 would obey";
    Ok(mean.and(
        Comparison::all(ids, what, within, 1e-8)
            .simulated()
            .against_cases("the same with normal w2", beyond),
    ))
}

/// The kernel of linear units at one unit input: the mean square of the second weights.
fn kernels_of_linear(mlp: &Mlp) -> f64 {
    let second = &mlp.layers[1].weights;
    second.iter().map(|w| w * w).sum::<f64>() / second.len() as f64
}

/// The move of every weight where the bound is attained: linear units, one input, second weights of size one.
fn weights_move(effort: &Effort) -> Comparison {
    type Moved = fn(usize, f64, f64, f64) -> f64;
    let at_most: Moved = effort.slip(
        "move of the weights",
        "mean absolute error sqrt(L) in place of sqrt(2 L)",
        moved_at_most,
        |m, loss, least, n| moved_at_most(m, loss, least, n) / 2.0_f64.sqrt(),
    );
    // One input, and two at right angles.
    let sizes: [(usize, &[f64]); 4] =
        [(20, &[0.8]), (500, &[0.8]), (500, &[0.1]), (20, &[0.8, -0.3])];
    let measured = sizes.map(|(n, errors)| {
        let mut start = draw(n, &effort.streams.part("weights move"));
        start.activation = named("identity");
        start.layers[1].weights.iter_mut().for_each(|w| *w = w.signum());
        let angles = [0.3, 0.3 + FRAC_PI_2];
        let set = with_errors(&start, &unit(&angles[..errors.len()]), errors);
        farthest(&trained(&start, &set, 0.1 * errors.len() as f64, 400), &start)
    });
    // The kernel is 1 in every direction at all times, lambda_0/2 of lambda_0 = 2. Moves at right angles add up by Pythagoras, where the
    // bound has the mean of their sizes: it is root m times the move.
    let predicted = sizes.map(|(n, errors)| {
        let m = errors.len();
        at_most(m, loss(errors), 2.0, n as f64) / (m as f64).sqrt()
    });
    let what = "how far the weights of the unit that moves most end from their start where the kernel is lambda_0/2 throughout, in linear networks with second weights 1 and -1, and descent: on one example, 20 or 500 units, error 0.8 or 0.1, D* = 2 sqrt(2) m sqrt(L(0))/(lambda_0 sqrt(n)), which is attained there; on m = 2 examples at right angles D*/sqrt(m)";
    Comparison::digits(&["T13.3"], what, &predicted, &measured).simulated()
}

/// The width from the two lemmas, neither as a formula: the move by an integral of the speed, the kernel by its change with the move.
fn sufficient_width(effort: &Effort) -> Comparison {
    type Width = fn(usize, f64, f64) -> f64;
    const PRINTED: Width = |m, loss, least| {
        let ratio = m as f64 / least;
        16.0 * ratio * ratio * loss
    };
    let of: Width = effort.form(&width::ENTRY, width, PRINTED);
    let cases = [(3_usize, 0.5_f64, 0.2_f64), (8, 1.3, 0.05)];
    let measured = cases.map(|(m, loss, least)| {
        let of_m = m as f64;
        let speed = |t: f64| (2.0 * loss).sqrt() * libm::exp(-0.5 * least / of_m * t);
        let reach = adaptive(speed, 0.0, 90.0 * of_m / least, 1e-14).value;
        // Losing 2 m D of lambda_0 leaves three quarters.
        let allowed = 0.25 * least / (2.0 * of_m);
        let (mut low, mut high) = (1.0_f64, 1e30_f64);
        for _ in 0..200 {
            let middle = (low * high).sqrt();
            *(if reach / middle.sqrt() < allowed { &mut high } else { &mut low }) = middle;
        }
        libm::log(high)
    });
    let predicted = cases.map(|(m, loss, least)| libm::log(of(m, loss, least)));
    let source = cases.map(|(m, loss, least)| libm::log(PRINTED(m, loss, least)));
    let what = "logarithm of the width at which weights move less than the bound allows, m = 3, L(0) = 0.5, lambda_0 = 0.2 and m = 8, L(0) = 1.3, lambda_0 = 0.05: 512 m^4 L(0)/lambda_0^4, and halving on the integral of the largest speed and on the move that takes a quarter of lambda_0 by 2 m D";
    Comparison::digits(&["T13.4"], what, &predicted, &measured).source(&source)
}

/// Whether weights, kernel and loss keep the bounds of the proof along a flow, and the loss vanishes.
fn keeps(start: &Mlp, set: &Examples, lr: f64, steps: u32) -> Result<bool, LabError> {
    let x = unit(&X);
    let least_of = |mlp: &Mlp| least(&kernels(mlp, &x)[0]);
    let (first, begin) = (least_of(start)?, loss(&start.errors(set)));
    let n = (start.layers[0].weights.len() / 2) as f64;
    let most = 2.0 * 3.0 * (2.0 * begin).sqrt() / (first * n.sqrt());
    let mut mlp = start.clone();
    for step in 1..=steps {
        mlp.descend(set, lr, &FROZEN);
        if step % 100 == 0 {
            let left = loss(&mlp.errors(set)) / begin;
            let bound = libm::exp(-first * lr * f64::from(step) / 3.0);
            // Below 1e-20 the loss is rounding.
            let falls = left <= bound || left < 1e-20;
            if farthest(&mlp, start) > most || least_of(&mlp)? < 0.5 * first || !falls {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Networks as wide as the proof needs: all its bounds hold along the flow.
fn continuity(effort: &Effort) -> Result<Comparison, LabError> {
    const NETWORKS: u64 = 20;
    let streams = effort.streams.part("continuity");
    let x = unit(&X);
    let counted = effort.once("continuity", || -> Result<_, LabError> {
        let mut hits = [0, 0];
        for i in 0..NETWORKS {
            let wide = draw(200, &streams.replica(i));
            let first = least(&kernels(&wide, &x)[0])?;
            // The errors from which 200 units are 1.01 times the width.
            let loss = 200.0 * libm::pow(first / 3.0, 4.0) / (1.01 * 512.0);
            let error = (2.0 * loss).sqrt();
            let set = with_errors(&wide, &x, &[error, -error, error]);
            hits[0] += usize::from(keeps(&wide, &set, 3.0, 2000)?);
            // Four units and errors of 2.
            let narrow = draw(4, &streams.part("narrow").replica(i));
            let set = with_errors(&narrow, &x, &[2.0, -2.0, 2.0]);
            hits[1] += usize::from(keeps(&narrow, &set, 0.3, 2000)?);
        }
        Ok(hits)
    })?;
    let trials = NETWORKS as usize;
    let what = "of 20 random tanh networks of 200 units, second layer frozen, that learn three examples from errors so small that 200 is 1.01 times 512 m^4 L(0)/lambda_0^4, with lambda_0 of each network's own kernel, those of which at 20 times weights, kernel and loss obey D*, lambda_0/2 and exp(-lambda_0 t/m); where the proof says nothing, one is assumed to obey with chance 1/2";
    Ok(Comparison::all(&["T13.6/wide"], what, (counted[0], trials), 0.5).against_cases(
        "networks of 4 units and errors of 2, far narrower than the proof needs",
        (counted[1], trials),
    ))
}

/// One input with two labels: lambda_0 is 0, no width is enough, and the loss stays at half of the squared half distance of the labels.
fn contradiction(effort: &Effort) -> Comparison {
    let x = unit(&[0.4, 0.4]);
    let start = draw(400, &effort.streams.part("contradiction"));
    let errors = [0.9, -0.3];
    let set = with_errors(&start, &x, &errors);
    let end = trained(&start, &set, 1.0, 2000).errors(&set);
    let apart = effort.slip(
        "end of two labels at one input",
        "no error, as where the kernel is positive",
        0.5 * (errors[0] - errors[1]),
        0.0,
    );
    let what = "two examples with one input and labels 1.2 apart, lambda_0 = 0: the errors end at half the distance, 0.6 and -0.6, and the loss at 0.18; and descent of 400 tanh units, second layer frozen";
    Comparison::digits(
        &["T13.6/singular"],
        what,
        &[apart, -apart, 0.5 * apart * apart],
        &[end[0], end[1], loss(&end)],
    )
    .simulated()
}
