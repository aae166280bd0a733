//! Does a trained wide network follow the kernel method that its linearisation is?
//!
//! The linearised network has the errors `(1 - lr K/m)^t r_0`, with K the tangent kernel at the start (T11.4); the network itself leaves it as its kernel moves, by a distance that falls as one over the width
//! (T05.1, T05.2; the proof's bound is the root of that). In the limit K is no longer random, and the outputs after training are those of regression with the infinite kernel (T11.5).
//! A distance that falls at another rate, or outputs that extrapolate to other numbers, would falsify it; the kernel of the last layer alone must be rejected.

mod figure;

use fovea_core::agree::extrapolate;
use fovea_core::params::{any, at_least, between, finite, finite_above};
use fovea_core::stats::Estimate;
use fovea_core::{Function, ParamError, Params, activation, params};
use fovea_desk::bench::Bench;
use fovea_desk::depth::trains;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::widths::{check_widths, column, exponent, kernel_rows, limits, norm, on_circle};
use fovea_record::claim::Claim;
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, aligned, report};
use fovea_sim::Watch;
use fovea_sim::mlp::{Descent, Shape};
use fovea_sim::schedule::constant::Constant;
use fovea_theory::layer::Layer;
use fovea_theory::ntk::linearised::Linearised;

params! {
    /// Settings of `ntk-flow`.
    pub struct NtkFlow {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::erf_raw::ENTRY), any(), "";
        /// Variance of a weight times the number of inputs of its layer.
        c_w: f64 = 1.5, finite_above(0.0), "";
        /// Variance of a bias.
        c_b: f64 = 0.1, at_least(0.0), "";
        /// Hidden layers.
        layers: usize = 2, between(1.0, 20.0), "";
        /// Widths of the hidden layers.
        width: Vec<usize> = vec![128, 256, 512, 1024], between(1.0, 4096.0), "units";
        /// Angles of the inputs on a circle.
        angles: Vec<f64> = fovea_desk::widths::angles(5), finite(), "rad";
        /// Learning rate, as a share of the largest at which the infinitely wide network learns.
        rate: f64 = 0.2, between(1e-6, 1.0), "";
        /// Steps of full gradient descent.
        steps: usize = 100, between(2.0, 1e6), "steps";
        /// Networks trained at each width.
        nets: usize = 32, between(4.0, 1e5), "networks";
    }
}

impl Params for NtkFlow {
    fn check(&self) -> Result<(), ParamError> {
        check_widths(&self.width, 4)?;
        self.width.iter().try_for_each(|n| trains(&self.shape(*n), self.angles.len()))
    }
}

const WORDS: Words<'static> = Words {
    title: "A wide network follows its tangent kernel",
    lead: "Trained networks leave their linearisation by one over the width, and end where the infinite tangent kernel says.",
    caption: figure::CAPTION,
    formulas: &[
        r"r_t=\Big(1-\frac\gamma mK\Big)^tr_0,\qquad z_t-\Big(1-\frac\gamma m\Theta\Big)^tz_0\to\Big[1-\Big(1-\frac\gamma m\Theta\Big)^t\Big]y",
        r"\max_t\frac{|r_t-r_t^{\mathrm{lin}}|}{|r_0|}\propto\frac1n",
    ],
};

/// What the limit predicts.
struct Limit {
    lr: f64,
    condition: f64,
    /// The share of the targets that is learnt, with the tangent kernel and with the covariance in its place.
    share: [f64; 2],
    /// The tangent kernel.
    theta: Vec<Vec<f64>>,
}

/// What one network did.
struct Run {
    distance: f64,
    share: f64,
    /// First two outputs at the times of the figure, and those of the linearisation.
    path: Vec<[f64; 4]>,
}

impl NtkFlow {
    fn shape(&self, width: usize) -> Shape {
        Shape {
            n_in: fovea_desk::widths::N_IN,
            widths: vec![width; self.layers],
            activation: self.activation.clone(),
            c_w: self.c_w,
            c_b: self.c_b,
            ..Shape::default()
        }
    }

    /// Share of the targets in outputs, as a projection.
    fn share(&self, outputs: &[f64]) -> f64 {
        let y = on_circle(&self.angles).y;
        let dot = |a: &[f64]| a.iter().zip(&y).map(|(a, y)| a * y).sum::<f64>();
        dot(outputs) / dot(&y)
    }

    fn limit(&self) -> Result<Limit, LabError> {
        let layer = Layer::new(&self.activation, self.c_w, self.c_b);
        let [k, theta] = limits(&layer, &self.angles, self.layers)?;
        let y = on_circle(&self.angles).y;
        let line = Linearised::new(&theta, &y);
        let lr = self.rate * line.limit();
        let learnt = |kernel: &[Vec<f64>]| {
            let left = Linearised::new(kernel, &y).errors(lr, self.steps as f64);
            1.0 - self.share(&left)
        };
        Ok(Limit { lr, condition: line.condition(), share: [learnt(&theta), learnt(&k)], theta })
    }

    /// How often the errors are read.
    fn every(&self) -> u64 {
        (self.steps as u64 / 50).max(1)
    }

    fn train(&self, width: usize, limit: &Limit, index: u64, bench: &Bench<'_>) -> Option<Run> {
        if bench.stopped() {
            return None;
        }
        let shape = self.shape(width);
        let streams = bench.streams().part(&format!("width {width}")).replica(index);
        let mut mlp = shape.draw(&streams);
        let set = on_circle(&self.angles);
        let first = mlp.errors(&set);
        let line = Linearised::new(&kernel_rows(&mlp, &set, &shape.rates()), &first);
        let mut run = Run { distance: 0.0, share: 0.0, path: Vec::new() };
        let mut read = |step: u64, errors: &[f64]| {
            let lined = line.errors(limit.lr, step as f64);
            let gap = norm(errors.iter().zip(&lined).map(|(a, b)| a - b));
            run.distance = run.distance.max(gap / norm(first.iter().copied()));
            let at = |r: &[f64], i: usize| r[i] + set.y[i];
            let last = set.count.min(2) - 1;
            run.path.push([at(errors, 0), at(errors, last), at(&lined, 0), at(&lined, last)]);
        };
        let descent = Descent {
            lr: limit.lr,
            rates: &shape.rates(),
            schedule: &Constant::default(),
            batch: None,
            steps: self.steps as u64,
        };
        let taken = descent.run(&mut mlp, &set, &streams, |step, mlp| {
            if step.is_multiple_of(self.every()) {
                read(step, &mlp.errors(&set));
            }
            !bench.stopped()
        });
        let errors = mlp.errors(&set);
        read(taken, &errors);
        bench.stepped();
        // The start is propagated by the limit and taken away: what is left varies as the root of one over the width.
        let start: Vec<f64> = first.iter().zip(&set.y).map(|(r, y)| r + y).collect();
        let kept = Linearised::new(&limit.theta, &start).errors(limit.lr, self.steps as f64);
        let outputs: Vec<f64> =
            errors.iter().zip(&set.y).zip(&kept).map(|((r, y), kept)| r + y - kept).collect();
        run.share = self.share(&outputs);
        (taken == self.steps as u64 && run.distance.is_finite()).then_some(run)
    }

    fn claims(&self, runs: &[Vec<Run>], limit: &Limit) -> Result<Vec<Claim>, LabError> {
        let rows = |read: fn(&Run) -> f64| -> Vec<Vec<f64>> {
            (0..self.nets).map(|i| runs.iter().map(|at| read(&at[i])).collect()).collect()
        };
        let slope = exponent(&self.width, &rows(|run| run.distance))?;
        let rate = Claim::family(
            "T05.1",
            "exponent in the width of the distance between trained networks and their linearisations",
            &[(slope, -1.0)],
        )
        .rejecting("-1/2, the bound of the proof", &[(slope, -0.5)]);
        let shares = rows(|run| run.share);
        let means = (0..self.width.len())
            .map(|i| column(&shares, i))
            .collect::<Result<Vec<Estimate>, _>>()?;
        let sizes: Vec<f64> = self.width.iter().map(|n| *n as f64).collect();
        let what = "share of the targets that is learnt, extrapolated to infinite width, and descent with the infinite tangent kernel";
        let end = match extrapolate(&sizes, &means, 1.0) {
            Ok(value) => Claim::family("T11.5", what, &[(value, limit.share[0])]).rejecting(
                "the covariance, the kernel of the last layer alone",
                &[(value, limit.share[1])],
            ),
            Err(error) => {
                let why = format!("no line in one over the width: {error}");
                Claim::undecided("T11.5", what, limit.share[0], why)
            }
        };
        Ok(vec![rate, end])
    }

    fn table(&self, runs: &[Vec<Run>], limit: &Limit) -> Result<Vec<String>, LabError> {
        let head = ["width", "distance", "std err", "share learnt", "std err"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for (width, at) in self.width.iter().zip(runs) {
            let of = |read: fn(&Run) -> f64| {
                Estimate::from_samples(&at.iter().map(read).collect::<Vec<_>>())
            };
            let (distance, share) = (of(|run| run.distance)?, of(|run| run.share)?);
            let numbers = [distance.mean(), distance.se(), share.mean(), share.se()];
            rows.push(
                [width.to_string()].into_iter().chain(numbers.map(|x| format!("{x:.5}"))).collect(),
            );
        }
        let mut lines = aligned(&rows);
        lines.push(format!(
            "limit: share learnt {:.5}, learning rate {:.4}",
            limit.share[0], limit.lr
        ));
        lines.push(if limit.condition.is_finite() {
            format!("condition number of the infinite kernel: {:.3e}", limit.condition)
        } else {
            "the infinite kernel is singular (inputs repeated or parallel): errors in its null space are left as they are".to_owned()
        });
        Ok(lines)
    }
}

impl Experiment for NtkFlow {
    fn quick() -> Self {
        Self {
            layers: 1,
            width: vec![128, 256, 512, 1024],
            nets: 100,
            steps: 50,
            ..Self::default()
        }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let limit = self.limit()?;
        // Network by network, so that the work done is a fair share of the whole at any time.
        let jobs: Vec<(usize, u64)> =
            (0..self.nets as u64).flat_map(|i| self.width.iter().map(move |n| (*n, i))).collect();
        bench.progress.expect(jobs.len() as u64);
        let all = bench.fleet(&jobs, |(n, i)| self.train(*n, &limit, *i, bench));
        let runs = all.into_iter().collect::<Option<Vec<Run>>>().map(|all| {
            let mut runs: Vec<Vec<Run>> = self.width.iter().map(|_| Vec::new()).collect();
            for (place, run) in all.into_iter().enumerate() {
                runs[place % self.width.len()].push(run);
            }
            runs
        });
        if runs.is_none() && !bench.stopped() {
            return Err(ParamError::Inconsistent {
                what: format!("training diverges at a rate of {} of the limit", self.rate),
                hint: "choose a smaller `rate` or larger widths".to_owned(),
            }
            .into());
        }
        let (mut claims, mut figures, mut summary, mut arrays) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        if let Some(runs) = &runs {
            claims = self.claims(runs, &limit)?;
            figures = vec![("ntk-flow", self.figure(runs, &limit))];
            summary = self.table(runs, &limit)?;
            let rows: Vec<Vec<f64>> =
                runs.iter().flatten().map(|run| vec![run.distance, run.share]).collect();
            arrays.push(Array::of_rows("runs", &rows));
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let status = if runs.is_some() { Status::Completed } else { Status::Interrupted };
        let series = Series::default();
        Ok(Outcome { status, dtype: "f64", series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<NtkFlow>(
    "ntk-flow",
    "trained wide networks beside their linearisations and the infinite tangent kernel",
    "Does a trained wide network follow the kernel method that its linearisation is? It leaves it by one over the width (T05.1) and ends where the infinite tangent kernel says (T11.5). \
     Another rate, or outputs that extrapolate elsewhere, would falsify it; the kernel of the last layer alone must be rejected.",
);
