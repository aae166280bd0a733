//! How large may a learning rate be, and how fast do errors shrink below the limit?
//!
//! For a linear model errors shrink by `max_i |1 - lr lambda_i|` a step, at any rate below `2/lambda_max` (T04.1, T04.2). A network has the tangent kernel in the place of the matrix (T04.8): on one example its error falls step by step up to
//! `2/|grad z|^2`, where `|grad z|^2` is on average `(|x|^2/n_0) sum n_l` in the standard parametrisation of ReLU networks (T04.5), so the limit falls as one over the width, and as one over the number of weight
//! layers in the NTK parametrisation (T04.6). Limits elsewhere would falsify it; the root of one over the width, as printed, must be rejected.
//!
//! At finite width the error still falls a little above `2/|grad z|^2`. The extrapolation to infinite width takes that for a term in the root of one over the width: it was read off the measured means and is not derived.

mod figure;

use super::{Experiment, Row};
use crate::bench::Bench;
use crate::claim::Claim;
use crate::depth::holds;
use crate::error::LabError;
use crate::outcome::{Array, Outcome, Series, Status};
use crate::present::{Words, aligned, report};
use crate::widths::{check_widths, column, exponent};
use fovea_core::agree::{extrapolate, order};
use fovea_core::params::between;
use fovea_core::stats::Estimate;
use fovea_core::{Function, ParamError, Params, activation, params};
use fovea_sim::Watch;
use fovea_sim::mlp::{Examples, Parametrisation, Shape};
use fovea_theory::rates::contraction::factor;
use fovea_theory::rates::gradient_norm::gradient_norm;

params! {
    /// Settings of `learning-rate-limit`.
    pub struct LearningRateLimit {
        /// Widths of the two hidden layers, standard parametrisation.
        width: Vec<usize> = vec![32, 64, 128, 256, 512], between(1.0, 4096.0), "units";
        /// Hidden layers, NTK parametrisation.
        layers: Vec<usize> = vec![1, 2, 4], between(1.0, 100.0), "";
        /// Their width.
        deep_width: usize = 256, between(1.0, 4096.0), "units";
        /// Steps over which the error has to fall.
        steps: usize = 30, between(2.0, 1e4), "steps";
        /// Networks drawn at each width and depth.
        nets: usize = 40, between(4.0, 1e5), "networks";
    }
}

impl Params for LearningRateLimit {
    fn check(&self) -> Result<(), ParamError> {
        check_widths(&self.width, 4)?;
        check_widths(&self.layers, 3).map_err(|_| ParamError::Inconsistent {
            what: format!("`layers` is {:?}", self.layers),
            hint: "give at least 3 depths, each once: an exponent is fitted to them".to_owned(),
        })?;
        self.width.iter().try_for_each(|n| holds(&wide(*n), 1))?;
        self.layers.iter().try_for_each(|l| holds(&self.deep(*l), 1))
    }
}

const WORDS: Words<'static> = Words {
    title: "How large a learning rate may be",
    lead: "Two over the top eigenvalue of the tangent kernel, which grows with the width or the depth as the parametrisation says.",
    caption: figure::CAPTION,
    formulas: &[
        r"|r_{t+1}|\le\max_i|1-\gamma\lambda_i|\,|r_t|,\qquad\gamma<\frac2{\lambda_{\max}}",
        r"E|\nabla z|^2=\frac{|x|^2}{n_0}\sum_{l=0}^Ln_l\ \text{(standard)},\qquad\frac{2|x|^2}{n_0}(L+1)\ \text{(NTK)}",
    ],
};

/// Entries of the one input, whose mean square is 1.
const N_IN: usize = 4;
/// Hidden layers behind which the width is varied.
const DEPTH: usize = 2;
/// Eigenvalues of the linear model.
const EIGENVALUES: [f64; 2] = [0.5, 3.0];
/// Steps of the linear model.
const STEPS: usize = 10;
/// Halvings of the interval in which the largest rate is sought.
const HALVINGS: usize = 14;

fn relu() -> Function {
    Function::Registered(&activation::relu::ENTRY)
}

/// Critical ReLU networks in the standard parametrisation.
fn wide(width: usize) -> Shape {
    Shape {
        n_in: N_IN,
        widths: vec![width; DEPTH],
        activation: relu(),
        parametrisation: Parametrisation::Standard,
        ..Shape::default()
    }
}

/// What was found: limits by network and width, the same times the squared gradient, limits by network and depth.
struct Found {
    limits: Vec<Vec<f64>>,
    products: Vec<Vec<f64>>,
    depths: Vec<Vec<f64>>,
    /// Rate, factor.
    factors: Vec<[f64; 2]>,
}

/// The factor by which the slowest error of a linear model shrinks a step.
fn slowest(lr: f64) -> f64 {
    let linear = Shape {
        n_in: 2,
        widths: Vec::new(),
        activation: Function::Registered(&activation::identity::ENTRY),
        c_w: 2.0,
        ..Shape::default()
    };
    let mut mlp = linear.draw(&fovea_core::streams::Streams::new(0));
    mlp.layers[0].weights.fill(0.0);
    let [a, b] = EIGENVALUES.map(f64::sqrt);
    // Two inputs at right angles, both errors 1; the loss is a mean over two.
    let set = Examples::new(2, vec![a, 0.0, 0.0, b], vec![-1.0, -1.0]);
    let errors: Vec<Vec<f64>> =
        (0..=STEPS).map(|_| mlp.descend(&set, 2.0 * lr, &[1.0]).errors).collect();
    let one = |i: usize| libm::pow((errors[STEPS][i] / errors[0][i]).abs(), 1.0 / STEPS as f64);
    one(0).max(one(1))
}

impl LearningRateLimit {
    fn deep(&self, layers: usize) -> Shape {
        Shape {
            n_in: N_IN,
            widths: vec![self.deep_width; layers],
            activation: relu(),
            ..Shape::default()
        }
    }

    /// The largest rate at which the error on one example falls at every step, and the squared gradient.
    fn largest(&self, shape: &Shape, part: &str, index: u64, bench: &Bench<'_>) -> [f64; 2] {
        let start = shape.draw(&bench.streams().part(part).replica(index));
        let x = vec![1.0; N_IN];
        let pass = start.forward(&x);
        let square = start.tangent(&pass, 0)[0];
        let set = Examples::new(1, x, vec![pass.outputs()[0] - 1.0]);
        let rates = shape.rates();
        let falls = |lr: f64| {
            let mut mlp = start.clone();
            let mut last = f64::INFINITY;
            (0..=self.steps).all(|_| {
                let step = mlp.descend(&set, lr, &rates);
                let size = step.errors[0].abs();
                let fell = step.taken && size < last || size < 1e-12;
                last = size;
                fell
            })
        };
        let (mut low, mut high) = (0.0, 8.0 / square);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            *(if falls(middle) { &mut low } else { &mut high }) = middle;
        }
        [0.5 * (low + high), square]
    }

    fn found(&self, bench: &Bench<'_>) -> Option<Found> {
        let shapes: Vec<(Shape, String)> = self
            .width
            .iter()
            .map(|n| (wide(*n), format!("width {n}")))
            .chain(self.layers.iter().map(|l| (self.deep(*l), format!("layers {l}"))))
            .collect();
        let jobs: Vec<(u64, usize)> =
            (0..self.nets as u64).flat_map(|i| (0..shapes.len()).map(move |k| (i, k))).collect();
        bench.progress.expect(jobs.len() as u64);
        let all = bench.fleet(&jobs, |(index, k)| {
            if bench.stopped() {
                return None;
            }
            let found = self.largest(&shapes[*k].0, &shapes[*k].1, *index, bench);
            bench.stepped();
            Some(found)
        });
        let all = all.into_iter().collect::<Option<Vec<[f64; 2]>>>()?;
        let (mut limits, mut products, mut depths) = (Vec::new(), Vec::new(), Vec::new());
        for net in all.chunks(shapes.len()) {
            let (wide, deep) = net.split_at(self.width.len());
            limits.push(wide.iter().map(|[lr, _]| *lr).collect());
            products.push(wide.iter().map(|[lr, square]| lr * square).collect());
            depths.push(deep.iter().map(|[lr, _]| *lr).collect());
        }
        let rates = (1..=24).map(|i| 2.0 / EIGENVALUES[1] * f64::from(i) / 24.5);
        let factors = rates.map(|lr| [lr, slowest(lr)]).collect();
        Some(Found { limits, products, depths, factors })
    }

    /// Two over the mean squared gradient at each width.
    fn predicted(&self) -> Vec<f64> {
        let square = |n: usize| gradient_norm(N_IN, N_IN as f64, &[n; DEPTH]);
        self.width.iter().map(|n| 2.0 / square(*n)).collect()
    }

    /// Two over the mean squared gradient at each depth.
    fn predicted_deep(&self) -> Vec<f64> {
        self.layers.iter().map(|l| 1.0 / (*l as f64 + 1.0)).collect()
    }

    fn claims(&self, found: &Found) -> Result<Vec<Claim>, LabError> {
        let (predicted, measured): (Vec<f64>, Vec<f64>) =
            found.factors.iter().map(|[lr, found]| (factor(&EIGENVALUES, *lr), *found)).unzip();
        let printed: Vec<f64> =
            found.factors.iter().map(|[lr, _]| 1.0 - lr * EIGENVALUES[0]).collect();
        let shrinking = Claim::exact(
            "T04.2",
            "factor by which the slowest error of a linear model shrinks a step, and max |1 - lr lambda|",
            &predicted,
            &measured,
            1e-12,
        )
        .rejecting_exact("1 - lr lambda_min, as printed", &printed, &measured);
        let fitted = |x: &[usize], y: &[f64]| {
            let x: Vec<f64> = x.iter().map(|n| *n as f64).collect();
            order(&x, y).unwrap_or(f64::NAN)
        };
        let slope = exponent(&self.width, &found.limits)?;
        let width = Claim::family(
            "T04.5",
            "exponent in the width of the largest rate in the standard parametrisation, and that of two over the mean squared gradient",
            &[(slope, fitted(&self.width, &self.predicted()))],
        )
        .rejecting("-1/2, as printed", &[(slope, -0.5)]);
        let sizes: Vec<f64> = self.width.iter().map(|n| *n as f64).collect();
        let means = (0..sizes.len()).map(|i| column(&found.products, i));
        let means = means.collect::<Result<Vec<Estimate>, _>>()?;
        // What is above 2 falls as the root of one over the width in what was measured (a line in 1/n ends 4.6 standard errors
        // above 2), as a second order of random sign would.
        let value = extrapolate(&sizes, &means, 0.5).unwrap_or(means[means.len() - 1]);
        let two = Claim::family(
            "T04.8",
            "largest rate times the squared gradient of each network, extrapolated to infinite width",
            &[(value, 2.0)],
        )
        .rejecting("1, where errors would vanish in one step", &[(value, 1.0)]);
        let slope = exponent(&self.layers, &found.depths)?;
        let depth = Claim::family(
            "T04.6",
            "exponent in the depth of the largest rate in the NTK parametrisation, and that of one over the number of weight layers",
            &[(slope, fitted(&self.layers, &self.predicted_deep()))],
        )
        .rejecting("no dependence on the depth", &[(slope, 0.0)]);
        Ok(vec![shrinking, width, two, depth])
    }

    fn table(&self, found: &Found) -> Result<Vec<String>, LabError> {
        let head = ["width", "2/E|grad|^2", "largest rate", "std err", "times |grad|^2", "std err"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for (i, predicted) in self.predicted().iter().enumerate() {
            let (limit, product) = (column(&found.limits, i)?, column(&found.products, i)?);
            let numbers = [*predicted, limit.mean(), limit.se(), product.mean(), product.se()];
            rows.push(
                [self.width[i].to_string()]
                    .into_iter()
                    .chain(numbers.map(|x| format!("{x:.5}")))
                    .collect(),
            );
        }
        Ok(aligned(&rows))
    }
}

impl Experiment for LearningRateLimit {
    fn quick() -> Self {
        Self { width: vec![16, 32, 64, 128], deep_width: 64, nets: 60, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let found = self.found(bench);
        let (mut claims, mut figures, mut summary, mut arrays) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        if let Some(found) = &found {
            claims = self.claims(found)?;
            figures = vec![("learning-rate-limit", self.figure(found)?)];
            summary = self.table(found)?;
            arrays.push(Array::of_rows("limits", &found.limits));
            arrays.push(Array::of_rows("depths", &found.depths));
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let status = if found.is_some() { Status::Completed } else { Status::Interrupted };
        let series = Series::default();
        Ok(Outcome { status, dtype: "f64", series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<LearningRateLimit>(
    "learning-rate-limit",
    "the largest learning rate by width and depth, and how fast errors shrink below it",
    "How large may a learning rate be? Errors shrink by max |1 - lr lambda| up to 2/lambda_max (T04.1, T04.2); networks have the tangent kernel there (T04.8), whose size the width sets in the standard parametrisation (T04.5) \
     and the depth in that of the NTK (T04.6). Limits elsewhere would falsify it.",
);
