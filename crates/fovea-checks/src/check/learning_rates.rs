//! Learning rates of quadratic losses and of linearised networks (lectures, topics 4 and 11).

use super::prelude::*;
use fovea_core::Value;
use fovea_theory::ntk::linearised::{self, Linearised};
use fovea_theory::rates::contraction;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "learning-rates",
    summary: "When gradient descent on a quadratic loss converges, and how fast.",
    covers: &[
        "T04.1/limit",
        "T04.1/hessian",
        "T04.8",
        "T11.2",
        "T11.3/constant",
        "T11.3/bound",
        "T11.4",
    ],
    run,
};

/// Curvatures, and the largest learning rate at which descent converges.
type Limit = fn(&[f64]) -> Result<f64, LabError>;

/// Theory's description of descent on the averaged loss.
#[derive(Clone, Copy)]
struct Line {
    errors: fn(&Linearised, f64, f64) -> Vec<f64>,
    change: fn(&Linearised, &[f64], f64, f64) -> f64,
    limit: fn(&Linearised) -> f64,
}

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let limit: Limit = effort.slip(
        "limit of the learning rate",
        "1/lambda_max, up to which the error keeps its sign",
        form_limit,
        |eigs| Ok(0.5 * form_limit(eigs)?),
    );
    let right =
        Line { errors: Linearised::errors, change: Linearised::change, limit: Linearised::limit };
    // Three examples: without 1/m the rate is three times what it should be.
    let printed = Line {
        errors: |line, lr, t| line.errors(OF_M * lr, t),
        change: |line, row, lr, t| line.change(row, OF_M * lr, t),
        limit: |line| line.limit() / OF_M,
    };
    let line = effort.form(&linearised::ENTRY, right, printed);
    Ok(vec![
        boundary(effort, limit)?,
        hessian(effort),
        many_data(effort, limit, line)?,
        averaged_loss(line)?,
        decay(effort, line)?,
        bound(effort)?,
        kernel_method(line)?,
    ])
}

/// Inputs of a linear model, one per column of three numbers.
const X: [[f64; 3]; M] = [[1.0, 0.4, -0.3], [0.2, 1.1, 0.6], [0.7, -0.5, 0.8]];

const Y: [f64; M] = [1.0, -0.5, 0.3];

/// Inputs of an averaged loss: three, so that its 1/m is not one half.
const M: usize = 3;
const OF_M: f64 = M as f64;

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The Gram matrix of the first `m` inputs.
fn gram(m: usize) -> Vec<Vec<f64>> {
    X[..m].iter().map(|a| X[..m].iter().map(|b| dot(a, b)).collect()).collect()
}

/// Weights of the linear model after `steps` steps from `w` on the first `m` inputs, `L = 1/2 |z - y|^2` times `share`.
fn weights(m: usize, mut w: [f64; 3], lr: f64, share: f64, steps: usize) -> [f64; 3] {
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

/// Errors of all inputs after `steps` steps from zero.
fn descend(lr: f64, share: f64, steps: usize) -> Vec<f64> {
    errors(M, &weights(M, [0.0; 3], lr, share, steps))
}

/// The model as its own linearisation, of the loss averaged over all inputs.
fn linearised() -> Result<Linearised, LabError> {
    Ok(Linearised::new(&gram(M), &errors(M, &[0.0; 3]))?)
}

/// Largest rate at which descent from `start` on the first `m` inputs still converges, by halving.
fn halved(m: usize, start: [f64; 3], share: f64) -> f64 {
    let size = |steps: usize, lr: f64| {
        errors(m, &weights(m, start, lr, share, steps)).iter().map(|x| x * x).sum::<f64>()
    };
    // Once the error is at rounding it has converged, whichever way it moves afterwards.
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

/// The form's limit of the learning rate for these curvatures.
fn form_limit(eigs: &[f64]) -> Result<f64, LabError> {
    let found = contraction::ENTRY.at(&vec![("eigs".to_owned(), Value::reals(eigs))])?;
    Ok(found.get("limit").and_then(Value::as_real).unwrap_or(f64::INFINITY))
}

/// Starts of the weights from which the limit is looked for.
const STARTS: [[f64; 3]; 3] = [[0.0; 3], [5.0, -2.0, 1.0], [-0.3, 0.4, 7.0]];

/// Largest rate at which descent still converges.
fn boundary(effort: &Effort, limit: Limit) -> Result<Comparison, LabError> {
    let predicted = [limit(&eigenvalues(&gram(2))?)?; 3];
    let measured =
        effort.once("boundary", || Ok::<_, LabError>(STARTS.map(|start| halved(2, start, 1.0))))?;
    let what = "largest learning rate at which (1/2)|theta X - Y|^2 still falls from step 2000 to step 4000, two inputs of three numbers and three starts: 2/lambda_max of the Gram matrix, and descent itself by halving";
    Ok(Comparison::digits(&["T04.1/limit"], what, &predicted, &measured))
}

/// The Hessian by the weights is the sum of the outer products of the outputs' gradients, which are the inputs.
fn hessian(effort: &Effort) -> Comparison {
    let factor = effort.slip("Hessian", "twice as large: the loss without its 1/2", 1.0, 2.0);
    let entry = |i: usize, j: usize| X[..2].iter().map(|x| factor * x[i] * x[j]).sum::<f64>();
    let loss = |w: [f64; 3]| 0.5 * errors(2, &w).iter().map(|x| x * x).sum::<f64>();
    // Second differences of a parabola are exact at any distance.
    let at = |i: usize, j: usize, [a, b]: [f64; 2]| {
        let mut w = STARTS[1];
        w[i] += a;
        w[j] += b;
        loss(w)
    };
    let quotient = |i: usize, j: usize| {
        0.25 * (at(i, j, [1.0, 1.0]) - at(i, j, [1.0, -1.0]) - at(i, j, [-1.0, 1.0])
            + at(i, j, [-1.0, -1.0]))
    };
    let pairs = [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]];
    let what = "entries of the Hessian of the same loss by the weights: the sum over inputs of the outer product of the output's gradient with itself, and second differences of the loss";
    let [predicted, measured] =
        [pairs.map(|[i, j]| entry(i, j)), pairs.map(|[i, j]| quotient(i, j))];
    Comparison::digits(&["T04.1/hessian"], what, &predicted, &measured)
}

/// One datum: the squared gradient; several: the top eigenvalue of the kernel, over m for an averaged loss.
fn many_data(effort: &Effort, limit: Limit, line: Line) -> Result<Comparison, LabError> {
    let k = gram(2);
    let predicted = [limit(&[k[0][0]])?, limit(&eigenvalues(&k)?)?, (line.limit)(&linearised()?)];
    let measured = effort.once("many data", || {
        let cases = [(1, 1.0), (2, 1.0), (M, 1.0 / OF_M)];
        Ok::<_, LabError>(cases.map(|(m, share)| halved(m, STARTS[0], share)))
    })?;
    let what = "largest learning rate of a linear model on one input, on two, and on three with the loss averaged over them: 2 over the squared gradient, over the top eigenvalue of the kernel, and over a third of that of three inputs; and descent itself by halving";
    Ok(Comparison::digits(&["T04.8"], what, &predicted, &measured).against(
        "the squared gradient of the first input for all three",
        &[2.0, 2.0, 2.0 * OF_M].map(|x| x / k[0][0]),
    ))
}

/// One step on the averaged loss.
fn averaged_loss(line: Line) -> Result<Comparison, LabError> {
    let (start, lr) = (linearised()?, 0.1);
    let what = "errors of a linear model after one step of 0.1 on L = |z - y|^2/(2 m), m = 3: z - (gamma/m) K (z - y), and descent of the weights";
    let predicted = (line.errors)(&start, lr, 1.0);
    Ok(Comparison::digits(&["T11.2"], what, &predicted, &descend(lr, 1.0 / OF_M, 1))
        .source(&start.errors(OF_M * lr, 1.0)))
}

/// Decay of the loss where all errors lie in the slowest direction of the kernel, for both losses.
fn decay(effort: &Effort, line: Line) -> Result<Comparison, LabError> {
    let found = eigen(&gram(M))?;
    let (least, slowest) = (found.least(), &found.vectors[M - 1]);
    let loss = |r: &[f64]| r.iter().zip(slowest).map(|(r, v)| r * v).sum::<f64>();
    let steps = 400;
    let start = Linearised::new(&gram(M), slowest)?;
    let of_line = |lr: f64| 2.0 * libm::log(loss(&(line.errors)(&start, lr, steps as f64)));
    let of_descent = |lr: f64, share: f64| {
        2.0 * libm::log(loss(&descend(lr, share, steps)) / loss(&descend(lr, share, 0)))
    };
    let (lr, shares) = (0.01, [1.0, 1.0 / OF_M]);
    // The linearisation has the averaged loss.
    let predicted = shares.map(|share| of_line(OF_M * lr * share));
    let what = "logarithm of the loss after 400 steps of 0.01 over that at the start in the slowest direction of a linear model on three inputs, plain loss and averaged over m = 3: powers of the kernel, and descent of the weights";
    let ids = &["T11.3/constant"];
    let exact =
        Comparison::digits(ids, what, &predicted, &shares.map(|share| of_descent(lr, share)));
    // Powers of the step are eliminated one by one.
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
    let averaged = effort.slip(
        "rate of the averaged loss",
        "the rate of the plain loss for both",
        2.0 * least / OF_M,
        2.0 * least,
    );
    let what = "rate at which the loss falls per unit of learning rate as steps become small, 2 lambda_0 for the plain loss and 2 lambda_0/3 for the averaged one, and descent of the weights";
    let limit = Comparison::digits(ids, what, &[2.0 * least, averaged], &shares.map(rate))
        .within(1e-7, "five step sizes, extrapolated to zero");
    Ok(exact.and(limit))
}

/// `L(t) <= exp(-2 gamma l0 t) L(0)` from starts all around, at rates up to `1/lambda_max` and after several times.
fn bound(effort: &Effort) -> Result<Comparison, LabError> {
    let greatest = effort.slip(
        "rate of the bound",
        "the largest eigenvalue instead of the smallest",
        false,
        true,
    );
    let (mut hits, mut trials) = (0, 0);
    for (m, of_loss) in [(2, 1.0), (M, 1.0 / OF_M)] {
        let eigs = eigenvalues(&gram(m))?;
        let most = eigs.iter().copied().fold(0.0, f64::max);
        let least = eigs.iter().copied().fold(f64::INFINITY, f64::min);
        let rate = of_loss * if greatest { most } else { least };
        let loss = |w: &[f64; 3]| errors(m, w).iter().map(|r| r * r).sum::<f64>();
        for i in 0..24 {
            let (sin, cos) = libm::sincos(TAU * f64::from(i) / 24.0);
            let start = [4.0 * cos, 4.0 * sin, 1.0];
            for (share, steps) in [0.02, 0.3, 1.0].map(|s| [1, 5, 30].map(|t| (s, t))).concat() {
                let lr = share / (of_loss * most);
                let end = loss(&weights(m, start, lr, of_loss, steps));
                let most_left = libm::exp(-2.0 * lr * rate * steps as f64) * loss(&start);
                trials += 1;
                hits += usize::from(end <= most_left * (1.0 + 1e-12));
            }
        }
    }
    let what = "L(t) at most exp(-2 gamma lambda_0 t) L(0), a linear model on two inputs, plain loss, and exp(-2 gamma lambda_0 t/3) L(0), on three and averaged over them: 24 starts around a circle, gamma and gamma/3 at 0.02, 0.3 and 1 over lambda_max, after 1, 5 and 30 steps of descent";
    Ok(Comparison::all(&["T11.3/bound"], what, (hits, trials), 0.0).enumerated())
}

/// `(I - gamma K)^t` times the first errors, and the output at an input that is not trained on.
fn kernel_method(line: Line) -> Result<Comparison, LabError> {
    let (start, lr, steps) = (linearised()?, 0.3, 25);
    let away = [0.5, -0.7, 0.9];
    let row: Vec<f64> = X.iter().map(|x| dot(x, &away)).collect();
    let mut predicted = (line.errors)(&start, OF_M * lr, steps as f64);
    predicted.push((line.change)(&start, &row, OF_M * lr, steps as f64));
    let mut measured = descend(lr, 1.0, steps);
    measured.push(dot(&away, &weights(M, [0.0; 3], lr, 1.0, steps)));
    let what = "errors of a linear model on three inputs after 25 steps of 0.3, plain loss, and its output at a fourth input: powers of the eigenvalues of its kernel, and descent of the weights";
    Ok(Comparison::digits(&["T11.4"], what, &predicted, &measured))
}
