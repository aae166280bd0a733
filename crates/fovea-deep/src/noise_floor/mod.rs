//! Where does stochastic gradient descent come to rest, and what does a falling rate change?
//!
//! One weight on inputs of size `sqrt(lambda)`, trained on minibatches: the gradient is that of a parabola of curvature lambda plus noise of variance `s^2`, that of the set over the batch. At a constant rate the variance of the weight ends
//! at `lr s^2/(lambda (2 - lr lambda))` (T04.3). At a rate `c/t` it falls: `t Var -> c^2 s^2/(2 c lambda - 1)` where `2 c lambda > 1`, and as `t^(-2 c lambda)` where it is less (T04.4). Variances over many runs off these numbers
//! would falsify them; the floor to first order in the rate, and a fall as `1/t` whatever c is, must be rejected.

mod figure;

use fovea_desk::bench::Bench;
use fovea_desk::depth::drawn;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_record::claim::Claim;

use fovea_core::params::{between, finite_above};
use fovea_core::stats::Estimate;
use fovea_core::{Function, ParamError, Params, activation, params};
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, aligned, report};
use fovea_sim::Watch;
use fovea_sim::mlp::{Descent, Examples, Shape};
use fovea_sim::schedule::Schedule;
use fovea_sim::schedule::constant::Constant;
use fovea_sim::schedule::inverse_time::InverseTime;
use fovea_theory::rates::noise_floor::noise_floor;
use fovea_theory::rates::schedule::{limit, variance};

params! {
    /// Settings of `noise-floor`.
    pub struct NoiseFloor {
        /// Curvature of the loss.
        curvature: f64 = 1.0, finite_above(0.0), "";
        /// Constant learning rates times the curvature.
        lr: Vec<f64> = vec![0.1, 0.3, 0.6, 1.0, 1.4, 1.7, 1.9], between(1e-4, 1.999), "";
        /// Scales c of the rates c/t, times the curvature.
        scale: Vec<f64> = vec![0.2, 0.5, 1.0, 2.0], between(1e-3, 1e3), "";
        /// Examples of the set.
        examples: usize = 64, between(2.0, 1e6), "";
        /// Examples of a minibatch.
        batch: usize = 4, between(1.0, 1e4), "";
        /// Steps at a falling rate; those at a constant one are what it takes to forget the start.
        steps: usize = 1000, between(20.0, 1e6), "steps";
        /// Runs at each rate.
        runs: usize = 4000, between(100.0, 1e7), "runs";
    }
}

impl Params for NoiseFloor {
    fn check(&self) -> Result<(), ParamError> {
        // Squares at 22 times, their mean, and what a list takes.
        drawn(self.runs, 26)
    }
}

const WORDS: Words<'static> = Words {
    title: "The noise floor of stochastic gradients",
    lead: "A constant rate leaves a floor that one over the distance to the limit of stability makes higher; a falling one removes it, if it does not fall too soon.",
    caption: figure::CAPTION,
    formulas: &[
        r"\mathrm{Var}\,\theta\to\frac{\gamma s^2}{\lambda(2-\gamma\lambda)},\qquad\gamma_t=\frac ct:\quad t\,\mathrm{Var}\,\theta_t\to\frac{c^2s^2}{2c\lambda-1}\quad(2c\lambda>1)",
    ],
};

/// The set a weight is trained on, what noise its minibatches have, and where it rests.
struct Problem {
    set: Examples,
    noise: f64,
    rest: f64,
}

/// Squared distances from the rest: one row a run, one number a time.
struct Arm {
    /// Learning rate times curvature, or scale times curvature.
    rate: f64,
    times: Vec<u64>,
    squares: Vec<Estimate>,
    /// Mean over the second half of the run.
    late: Estimate,
}

impl NoiseFloor {
    fn problem(&self, bench: &Bench<'_>) -> Problem {
        let mut y = vec![0.0; self.examples];
        bench.streams().named("targets").normals(0, &mut y);
        let size = self.curvature.sqrt();
        // Signs in turn: every example has the same curvature, so the noise does not depend on the place.
        let x: Vec<f64> = (0..y.len()).map(|i| if i % 2 == 0 { size } else { -size }).collect();
        let products: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
        let count = products.len() as f64;
        let mean = products.iter().sum::<f64>() / count;
        let spread = products.iter().map(|p| (p - mean) * (p - mean)).sum::<f64>() / count;
        Problem {
            set: Examples::new(y.len(), x, y),
            noise: spread / self.batch as f64,
            rest: mean / self.curvature,
        }
    }

    /// Runs from normal starts around the rest; none where stopped.
    fn arm(
        &self,
        problem: &Problem,
        rate: f64,
        falling: bool,
        bench: &Bench<'_>,
    ) -> Result<Option<Arm>, LabError> {
        // A constant rate has forgotten its start to one in a million half way.
        let kept = -2.0 * libm::log((1.0 - rate).abs().max(1e-3));
        let steps = if falling { self.steps as u64 } else { 2 * (14.0 / kept) as u64 + 20 };
        let spaced = (0..=20).map(|i| libm::pow(steps as f64, f64::from(i) / 20.0) as u64);
        let mut times: Vec<u64> = [0].into_iter().chain(spaced).collect();
        times.dedup();
        let falls = InverseTime { scale: 1.0 };
        let schedule: &dyn Schedule = if falling { &falls } else { &Constant::default() };
        let descent = Descent {
            lr: rate / self.curvature,
            rates: &[1.0],
            schedule,
            batch: Some(self.batch),
            steps,
        };
        let linear = Shape {
            n_in: 1,
            widths: Vec::new(),
            activation: Function::Registered(&activation::identity::ENTRY),
            c_w: 1.0,
            ..Shape::default()
        };
        let name = if falling { "falling" } else { "constant" };
        let streams = bench.streams().part(&format!("{name} {rate}"));
        let jobs: Vec<u64> = (0..self.runs as u64).collect();
        let rows = bench.fleet(&jobs, |index| {
            if bench.stopped() {
                return Vec::new();
            }
            let streams = streams.replica(*index);
            let mut mlp = linear.draw(&streams);
            mlp.layers[0].weights[0] += problem.rest;
            let (mut squares, mut late) = (Vec::with_capacity(times.len() + 1), 0.0);
            let mut read = |step: u64, theta: f64| {
                let square = (theta - problem.rest) * (theta - problem.rest);
                if times.get(squares.len()) == Some(&step) {
                    squares.push(square);
                }
                if 2 * step > steps {
                    late += square / (steps - steps / 2) as f64;
                }
            };
            descent.run(&mut mlp, &problem.set, &streams, |step, mlp| {
                read(step, mlp.layers[0].weights[0]);
                true
            });
            read(steps, mlp.layers[0].weights[0]);
            squares.push(late);
            squares
        });
        bench.stepped();
        if bench.stopped() {
            return Ok(None);
        }
        let column =
            |i: usize| Estimate::from_samples(&rows.iter().map(|row| row[i]).collect::<Vec<_>>());
        let squares = (0..times.len()).map(column).collect::<Result<Vec<_>, _>>()?;
        let late = column(times.len())?;
        Ok(Some(Arm { rate, times, squares, late }))
    }

    fn exact(&self, scale: f64, noise: f64, steps: u64) -> f64 {
        variance(scale / self.curvature, self.curvature, noise, 1.0, steps as usize)
    }

    fn claims(&self, problem: &Problem, constant: &[Arm], falling: &[Arm]) -> Vec<Claim> {
        let s2 = problem.noise;
        let lr = |arm: &Arm| arm.rate / self.curvature;
        let pairs: Vec<(Estimate, f64)> = constant
            .iter()
            .map(|arm| (arm.late, noise_floor(lr(arm), self.curvature, s2)))
            .collect();
        let first: Vec<(Estimate, f64)> =
            constant.iter().map(|arm| (arm.late, 0.5 * lr(arm) * s2 / self.curvature)).collect();
        let floor = Claim::family(
            "T04.3",
            "variance of a weight under minibatches at constant rates",
            &pairs,
        )
        .rejecting("the floor to first order in the rate, lr s^2/(2 lambda)", &first);
        let steps = self.steps as u64;
        let last = |arm: &Arm| arm.squares[arm.squares.len() - 1];
        let pairs: Vec<(Estimate, f64)> =
            falling.iter().map(|arm| (last(arm), self.exact(arm.rate, s2, steps))).collect();
        let early = (steps / 10).max(1);
        let straight: Vec<(Estimate, f64)> = falling
            .iter()
            .map(|arm| (last(arm), self.exact(arm.rate, s2, early) * early as f64 / steps as f64))
            .collect();
        let fall = Claim::family(
            "T04.4",
            "variance after the last step at rates c/t, below and above 2 c lambda = 1",
            &pairs,
        )
        .rejecting("a fall as 1/t over the last tenfold of steps whatever c is", &straight);
        vec![floor, fall]
    }

    fn table(&self, problem: &Problem, constant: &[Arm], falling: &[Arm]) -> Vec<String> {
        let number = |x: f64| format!("{x:.5}");
        let head = ["lr * curvature", "floor", "measured", "std err"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for arm in constant {
            let exact = noise_floor(arm.rate / self.curvature, self.curvature, problem.noise);
            rows.push([arm.rate, exact, arm.late.mean(), arm.late.se()].map(number).to_vec());
        }
        let mut lines = aligned(&rows);
        let head = ["c * curvature", "t Var", "measured", "std err", "limit"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        let t = self.steps as f64;
        for arm in falling {
            let last = arm.squares[arm.squares.len() - 1];
            let exact = t * self.exact(arm.rate, problem.noise, self.steps as u64);
            let rest = limit(arm.rate / self.curvature, self.curvature, problem.noise);
            let numbers = [arm.rate, exact, t * last.mean(), t * last.se(), rest];
            rows.push(numbers.map(number).to_vec());
        }
        lines.push(String::new());
        lines.extend(aligned(&rows));
        lines
    }
}

impl Experiment for NoiseFloor {
    fn quick() -> Self {
        Self { steps: 200, runs: 1000, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        bench.progress.expect((self.lr.len() + self.scale.len()) as u64);
        let problem = self.problem(bench);
        let (mut constant, mut falling) = (Vec::new(), Vec::new());
        for rate in &self.lr {
            constant.extend(self.arm(&problem, *rate, false, bench)?);
        }
        for rate in &self.scale {
            falling.extend(self.arm(&problem, *rate, true, bench)?);
        }
        let completed = constant.len() == self.lr.len() && falling.len() == self.scale.len();
        let (mut claims, mut figures, mut summary) = (Vec::new(), Vec::new(), Vec::new());
        if completed {
            claims = self.claims(&problem, &constant, &falling);
            figures = vec![("noise-floor", self.figure(&problem, &constant, &falling))];
            summary = self.table(&problem, &constant, &falling);
        }
        let rows: Vec<Vec<f64>> = constant
            .iter()
            .chain(&falling)
            .map(|arm| vec![arm.rate, arm.late.mean(), arm.late.se()])
            .collect();
        let arrays = vec![Array::of_rows("variances", &rows)];
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let status = if completed { Status::Completed } else { Status::Interrupted };
        let series = Series::default();
        Ok(Outcome { status, dtype: "f64", series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<NoiseFloor>(
    "noise-floor",
    "the variance at which minibatch descent rests at constant rates, and how falling rates remove it",
    "Where does stochastic gradient descent come to rest? At lr s^2/(lambda (2 - lr lambda)) for a constant rate (T04.3); a rate c/t takes the floor away as 1/t where 2 c lambda > 1 (T04.4). \
     Variances over many runs off these numbers would falsify them.",
);
