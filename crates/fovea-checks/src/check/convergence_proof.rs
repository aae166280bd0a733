//! The lemmas of the convergence proof for one hidden layer, and the laws and sums it starts from (lectures, topic 13).

use super::one_layer::{difference, draw, form, kernels, loss, unit, velocity, with_errors};
use super::prelude::*;
use fovea_sim::mlp::Mlp;
use fovea_theory::ntk::gram::{Part, gram};
use fovea_theory::ntk::width::{may_move, moved_at_most, width};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "convergence-proof",
    summary: "The laws, the lemmas and the end of the convergence proof, along flows.",
    covers: &["T13.1", "T13.2", "T13.3", "T13.5", "T13.6", "T13.8"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        laws(effort)?,
        attained()?.and(kernel_moves(effort)?),
        weights_move(),
        loss_falls(effort),
        continuity(effort)?.and(contradiction(effort)?),
        speed(effort)?,
    ])
}

const X: [f64; 3] = [0.0, 1.0, 2.5];
/// First weights alone learn.
const FROZEN: [f64; 2] = [1.0, 0.0];

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

/// A layer of squares, `s = z^2/2`, that sees one input: every weight is `x` itself, so all slopes are 1.
fn squares(x: &[f64]) -> Mlp {
    let mut mlp = draw(7, &Streams::new(0).part("squares"));
    mlp.activation = named("x^2/2");
    mlp.layers[0].weights = x.repeat(7);
    mlp.layers[1].weights.fill(1.0);
    mlp
}

/// The part of the first layer in the tangent kernel, by backpropagation.
fn first_kernel(mlp: &Mlp, x: &[f64]) -> Vec<Vec<f64>> {
    let theta = mlp.tangent_by_layer(&mlp.forward(x), 0).swap_remove(0);
    theta.chunks(x.len() / 2).map(<[f64]>::to_vec).collect()
}

/// Where the bound on the kernel is attained: all weights move inwards along one input given m times.
fn attained() -> Result<Comparison, LabError> {
    let (m, angle) = (4, 0.6);
    let inwards = |far: f64, m: usize| {
        let x = unit(&vec![angle; m]);
        let start = squares(&x[..2]);
        let mut moved = start.clone();
        moved.layers[0].weights = x[..2].repeat(7).iter().map(|w| (1.0 - far) * w).collect();
        [first_kernel(&start, &x), first_kernel(&moved, &x)]
    };
    let moves = [0.4, 0.1, 0.01];
    let ratio = |far: f64| -> Result<f64, LabError> {
        let [before, after] = inwards(far, m);
        Ok(operator_norm(&difference(&after, &before))? / (2.0 * m as f64 * far))
    };
    // One input: lambda_0 = 1, and by D = 1/8 the kernel may fall to 3/4 of it.
    let may = may_move(1, inwards(0.0, 1)[0][0][0]);
    let left = |far: f64| inwards(far, 1)[1][0][0];
    let mut measured = moves.into_iter().map(ratio).collect::<Result<Vec<f64>, _>>()?;
    measured.extend([left(may), left(2.0 * may)]);
    let mut predicted = moves.map(|far| 1.0 - 0.5 * far).to_vec();
    predicted.extend([49.0 / 64.0, 9.0 / 16.0]);
    // A bound m D would have to be half as far.
    let mut source = moves.map(|far| 0.5 * (1.0 - 0.5 * far)).to_vec();
    source.extend([49.0 / 64.0, 9.0 / 16.0]);
    let what = "change of the kernel of squares at one input given four times over 2 m D, 1 - D/2 where all weights move inwards by D = 0.4, 0.1, 0.01: half of it would not do; the kernel of one input after a move by D = lambda_0/8m, (7/8)^2 and above 3/4, and after twice that, (3/4)^2 and below; and backpropagation";
    let found = Comparison::digits(&["T13.2"], what, &predicted, &measured);
    Ok(found.against("the bound m D", &source))
}

/// Moves of all weights of a drawn layer, and what becomes of its kernel.
fn kernel_moves(effort: &Effort) -> Result<Comparison, LabError> {
    let mlp = draw(200, &effort.streams.part("kernel moves"));
    let x = unit(&X);
    let first = &kernels(&mlp, &x)[0];
    let begin = least(first)?;
    let turns: Vec<f64> = (0..50).map(|i| 0.37 * f64::from(i)).collect();
    let may = may_move(3, begin);
    let bound = 2.0 * 3.0 * 0.1;
    let mut kept = [0.0; 3];
    for turn in &turns {
        let far = difference(&kernels(&moved(&mlp, 0.1, *turn), &x)[0], first);
        let far = operator_norm(&far)?;
        let left = least(&kernels(&moved(&mlp, may, *turn), &x)[0])?;
        let now = [far <= bound, left >= 0.75 * begin, far <= 1e-4 * bound];
        kept.iter_mut().zip(now).for_each(|(k, now)| *k += f64::from(u8::from(now)));
    }
    let measured = kept.map(|count| count / turns.len() as f64);
    let what = "share of 50 moves of 200 tanh units by D = 0.1 that change the kernel of three inputs by at most 2 m D, and of moves by lambda_0/8m that leave 3/4 of its least eigenvalue: all; and that change it by no more than a ten thousandth of 2 m D: none; and counted";
    Ok(Comparison::digits(&["T13.2"], what, &[1.0, 1.0, 0.0], &measured))
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

/// The slope of the loss along the flow, and its decay where the bound is attained.
fn loss_falls(effort: &Effort) -> Comparison {
    let ids = &["T13.5"];
    let mlp = draw(60, &effort.streams.part("loss falls"));
    let (x, r) = (unit(&X), [0.7, -0.4, 1.1]);
    let set = with_errors(&mlp, &x, &r);
    let kernel = &kernels(&mlp, &x)[0];
    let moved = velocity(&mlp, &set, &FROZEN);
    let slope = moved.iter().zip(&r).map(|(v, r)| v * r).sum::<f64>() / 3.0;
    let what = "dL/dt = -r.K r/m^2 of a drawn tanh network of 60 units with the second layer frozen, kernel by hand, and differences of steps";
    let falls = Comparison::digits(ids, what, &[-form(kernel, &r) / 9.0], &[slope]);
    // Linear units and orthogonal inputs: K is a multiple of the identity and stays, so that K = lambda_0/2 in every direction.
    let mut linear = draw(25, &effort.streams.part("linear"));
    linear.activation = named("identity");
    let x = unit(&[0.3, 0.3 + FRAC_PI_2]);
    let set = with_errors(&linear, &x, &[0.9, -0.5]);
    let second = &linear.layers[1].weights;
    let half = second.iter().map(|w| w * w).sum::<f64>() / second.len() as f64;
    let t = 4.0;
    let left = |steps: u32| {
        let mut mlp = linear.clone();
        for _ in 0..steps {
            mlp.descend(&set, t / f64::from(steps), &FROZEN);
        }
        loss(&mlp.errors(&set)) / loss(&[0.9, -0.5])
    };
    // Powers of the step fall away one by one: a flow.
    let mut row: Vec<f64> = (0..6).map(|i| left(40 << i)).collect();
    let mut factor = 1.0;
    while row.len() > 1 {
        factor *= 2.0;
        row = row.windows(2).map(|w| (factor * w[1] - w[0]) / (factor - 1.0)).collect();
    }
    let decay = |rate: f64| libm::exp(-rate * 2.0 * half * t / 2.0);
    let what = "L(t)/L(0) of a linear network of 25 units at two orthogonal inputs, second layer frozen, whose kernel is lambda_0/2 in every direction: exp(-lambda_0 t/m), and descent with steps carried to zero; the printed rate is half of it";
    falls.and(Comparison::digits(ids, what, &[decay(1.0)], &row).source(&[decay(0.5)]))
}

/// A network wide enough for the proof: all that it says holds along the flow.
fn continuity(effort: &Effort) -> Result<Comparison, LabError> {
    let angles = [0.0];
    let x = unit(&angles);
    let error = 0.05;
    let mean = least(&gram(&named("tanh"), &angles, Part::Slope)?)? / 3.0;
    // The kernel at the start is drawn, some hundredths off its mean, and enters by its fourth power.
    let n = (2.5 * width(1, 0.5 * error * error, mean)) as usize;
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

/// One input with two labels: lambda_0 is 0, no width is enough, and the loss stays at a quarter of the squared half distance of the labels.
fn contradiction(effort: &Effort) -> Result<Comparison, LabError> {
    let x = unit(&[0.4, 0.4]);
    let start = draw(400, &effort.streams.part("contradiction"));
    let errors = [0.9, -0.3];
    let set = with_errors(&start, &x, &errors);
    let least = least(&kernels(&start, &x)[0])?.max(0.0);
    let begin = loss(&errors);
    let closes = moved_at_most(2, begin, least, 1e30) < may_move(2, least);
    let mut mlp = start.clone();
    for _ in 0..2000 {
        mlp.descend(&set, 1.0, &FROZEN);
    }
    let end = mlp.errors(&set);
    let measured = [f64::from(u8::from(closes)), end[0], end[1], loss(&end)];
    let what = "one input with labels 1.2 apart: D* < D at no width (0), the errors end at 0.6 and -0.6 and the loss at 0.18, not at 0 as where the kernel is positive; and descent of 400 tanh units, first layer alone";
    Ok(Comparison::digits(&["T13.6"], what, &[0.0, 0.6, -0.6, 0.18], &measured)
        .against("the end of a positive kernel", &[1.0, 0.0, 0.0, 0.0]))
}

/// Errors along the first and the last eigenvector attain both ends.
fn speed(effort: &Effort) -> Result<Comparison, LabError> {
    let mlp = draw(60, &effort.streams.part("speed"));
    let x = unit(&X);
    let found = eigen(&kernels(&mlp, &x)[0])?;
    let lr = 1e-3;
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for end in [2, 0] {
        let r = &found.vectors[end];
        let set = with_errors(&mlp, &x, r);
        let mut after = mlp.clone();
        after.descend(&set, lr, &FROZEN);
        let pairs = after.layers[0].weights.iter().zip(&mlp.layers[0].weights);
        measured.push(pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / (lr * lr));
        predicted.push(2.0 * found.values[end] * loss(r) / 3.0);
    }
    let what = "squared speed of the weights with errors along the first and the last eigenvector of the kernel by hand, 2 lambda L/m, and a step of descent";
    Ok(Comparison::digits(&["T13.8"], what, &predicted, &measured))
}
