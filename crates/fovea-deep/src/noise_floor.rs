//! Where does stochastic gradient descent come to rest, and what does a falling rate change?
//!
//! One weight on inputs of size `sqrt(lambda)`, trained on minibatches: the gradient is that of a parabola of curvature lambda plus noise of variance `s^2`, that of the set over the batch. At a constant rate the variance of the weight ends
//! at `lr s^2/(lambda (2 - lr lambda))` (T04.3). At a rate `c/t` it falls: `t Var -> c^2 s^2/(2 c lambda - 1)` where `2 c lambda > 1`, and as `t^(-2 c lambda)` where it is less (T04.4). Variances over many runs that differ from these numbers
//! would falsify them; the floor to first order in the rate, and a fall as `1/t` whatever c is, must be rejected.

use fovea_desk::depth::{drawn, linear};
use fovea_desk::prelude::*;
use fovea_sim::mlp::{Descent, Examples};
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
        /// Steps at a falling rate; at a constant one there are as many as it takes to forget the start.
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

const CAPTION: &str = "(a) Variance of a weight under minibatches at a constant rate, against the rate: runs with two standard errors, the exact floor (dashed), and its first order (dotted). (b) The number of steps times the variance at rates $c/t$: runs with two standard errors, and the exact value (lines); it comes to rest where $2c\\lambda>1$, \
    grows as a logarithm at 1 and as a power below.";

/// The set a weight is trained on, the noise of its minibatches, and where the weight rests.
struct Problem {
    set: Examples,
    noise: f64,
    rest: f64,
}

/// Squared distances from the rest: means over runs, one per time.
struct Arm {
    /// Learning rate times curvature, or scale times curvature.
    rate: f64,
    times: Vec<u64>,
    squares: Vec<Estimate>,
    /// Mean over the second half of the run.
    late: Estimate,
}

impl Arm {
    /// The contribution of starts of variance 1 to the mean over the second half, at a constant rate.
    fn remembered(&self) -> f64 {
        let steps = self.times[self.times.len() - 1];
        let late = steps / 2 + 1..=steps;
        let count = (steps - steps / 2) as f64;
        late.map(|step| libm::pow(1.0 - self.rate, 2.0 * step as f64)).sum::<f64>() / count
    }
}

/// The problem, and its runs at constant and at falling rates.
pub struct Found {
    problem: Problem,
    constant: Vec<Arm>,
    falling: Vec<Arm>,
}

impl NoiseFloor {
    fn problem(&self, desk: &Desk<'_>) -> Problem {
        let mut y = vec![0.0; self.examples];
        desk.streams().named("targets").normals(0, &mut y);
        let size = self.curvature.sqrt();
        // Signs in turn: every example has the same curvature, so the noise does not depend on the place.
        let x: Vec<f64> = (0..y.len()).map(|i| if i % 2 == 0 { size } else { -size }).collect();
        let products: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
        let mean = mean(&products);
        let squares = products.iter().map(|p| (p - mean) * (p - mean));
        let spread = squares.sum::<f64>() / products.len() as f64;
        Problem {
            set: Examples::new(y.len(), x, y),
            noise: spread / self.batch as f64,
            rest: mean / self.curvature,
        }
    }

    /// Runs from normal starts around the rest.
    fn arm(
        &self,
        problem: &Problem,
        rate: f64,
        falling: bool,
        desk: &Desk<'_>,
    ) -> Result<Arm, LabError> {
        // A constant rate has forgotten its start to one in a million half way.
        let kept = -2.0 * libm::log((1.0 - rate).abs().max(1e-3));
        let steps = if falling { self.steps as u64 } else { 2 * (14.0 / kept) as u64 + 20 };
        let spaced = (0..=20).map(|i| libm::pow(steps as f64, f64::from(i) / 20.0) as u64);
        let mut times: Vec<u64> = [0].into_iter().chain(spaced).collect();
        times.dedup();
        let falls = InverseTime { scale: 1.0 };
        let schedule: &dyn Schedule = if falling { &falls } else { &Constant::default() };
        let (lr, batch) = (rate / self.curvature, Some(self.batch));
        let descent = Descent { lr, rates: &[1.0], schedule, batch, steps };
        let name = if falling { "falling" } else { "constant" };
        let streams = desk.streams().part(&format!("{name} {rate}"));
        let rows = desk.replicas(streams, self.runs, |streams| {
            let mut mlp = linear(1).draw(streams);
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
            descent.run(&mut mlp, &problem.set, streams, |step, mlp| {
                read(step, mlp.layers[0].weights[0]);
                true
            });
            read(steps, mlp.layers[0].weights[0]);
            squares.push(late);
            squares
        })?;
        let mut squares = columns(&rows)?;
        let late = squares.remove(times.len());
        Ok(Arm { rate, times, squares, late })
    }

    fn floor(&self, rate: f64, noise: f64) -> f64 {
        noise_floor(rate / self.curvature, self.curvature, noise)
    }

    fn exact(&self, scale: f64, noise: f64, steps: u64) -> f64 {
        variance(scale / self.curvature, self.curvature, noise, 1.0, steps as usize)
    }

    fn claims(&self, Found { problem, constant, falling }: &Found) -> Vec<Claim> {
        let s2 = problem.noise;
        let first_order = |rate: f64| 0.5 * (rate / self.curvature) * s2 / self.curvature;
        let at_rest = |arm: &Arm| (arm.late, [self.floor(arm.rate, s2), first_order(arm.rate)]);
        let at_rest: Vec<_> = constant.iter().map(at_rest).collect();
        let what = "variance of a weight under minibatches at constant rates";
        let wrong = "the floor to first order in the rate, lr s^2/(2 lambda)";
        let floor = told_apart("T04.3", what, wrong, &at_rest);
        let floor = match constant.iter().find(|arm| arm.remembered() > 0.1 * arm.late.se()) {
            Some(arm) => floor.unchecked(format!(
                "at {} over the curvature the floor is so low that runs still remember their starts",
                arm.rate
            )),
            None => floor,
        };
        let steps = self.steps as u64;
        let early = (steps / 10).max(1);
        let in_fall = |arm: &Arm| {
            let straight = self.exact(arm.rate, s2, early) * early as f64 / steps as f64;
            (arm.squares[arm.squares.len() - 1], [self.exact(arm.rate, s2, steps), straight])
        };
        let in_fall: Vec<_> = falling.iter().map(in_fall).collect();
        let what = "variance after the last step at rates c/t, below and above 2 c lambda = 1";
        let wrong = "a fall as 1/t over the last factor of ten in steps, whatever c is";
        vec![floor, told_apart("noise-floor", what, wrong, &in_fall)]
    }

    fn tables(&self, Found { problem, constant, falling }: &Found) -> Vec<Table> {
        let (s2, steps) = (problem.noise, self.steps as f64);
        let constant = Table::of("constant_rates", constant)
            .given("rate_times_curvature", |arm| arm.rate)
            .real("floor", 5, |arm| self.floor(arm.rate, s2))
            .estimate("measured", 5, |arm| arm.late)
            .caption(
                "Variance of the weight in the second half of the run, one row per constant learning rate: the exact floor, \
                 compared with runs.",
            );
        let falling = Table::of("falling_rates", falling)
            .given("scale_times_curvature", |arm| arm.rate)
            .real("exact", 5, |arm| steps * self.exact(arm.rate, s2, self.steps as u64))
            .maybe("measured", 5, |arm| arm.squares.last()?.scaled_and_shifted(steps, 0.0).ok())
            .real("limit", 5, |arm| limit(arm.rate / self.curvature, self.curvature, s2))
            .caption(
                "The number of steps times the variance of the weight after the last step, one row per scale c of a rate c/t: \
                 the exact value, compared with runs, and its limit.",
            );
        vec![constant, falling]
    }

    fn figure(&self, Found { problem, constant, falling }: &Found) -> Figure {
        let (s2, fine) = (problem.noise, ladder(&[0.02, 1.96], 97));
        let floor = along(&fine, |rate| self.floor(rate, s2));
        let first_order = along(&fine, |x| 0.5 * x * s2 / (self.curvature * self.curvature));
        let measured = constant.iter().map(|arm| (arm.rate, arm.late)).collect();
        let (x, y) = ("$\\gamma\\lambda$", Axis::new("variance").log());
        let constant = measured_with_theory("Constant rate", x, y, measured, floor)
            .with(first_order.line("first order", Style::guide()));
        let compared = |arm: &Arm| {
            let later = || arm.times.iter().zip(&arm.squares).skip(1);
            let scaled = |(t, e): (&u64, &Estimate)| {
                let t = *t as f64;
                (t, t * e.mean(), 2.0 * t * e.se())
            };
            let exact = |(t, _): (&u64, _)| (*t as f64, *t as f64 * self.exact(arm.rate, s2, *t));
            let (measured, theory) = (later().map(scaled).collect(), later().map(exact).collect());
            (format!("$c\\lambda$ = {}", arm.rate), Compared { measured, theory })
        };
        let arms = series_from(1, falling.iter().map(compared));
        let (x, y) = (Axis::new("step $t$").log(), Axis::new("$t$ Var").log());
        let falling = arms_with_theory("Falling rate $c/t$", x, y, arms);
        let figure = Figure::new("A constant rate leaves a floor, a falling one removes it")
            .subtitle(format!("{} runs at each rate, minibatches of {}", self.runs, self.batch))
            .description(CAPTION);
        grid(figure, (2, 880.0, 0.8), [constant, falling])
    }
}

impl Experiment for NoiseFloor {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The noise floor of stochastic gradients",
        lead: "A constant rate leaves a floor, which grows without bound towards the limit of stability; a falling one removes it, if it does not fall too fast.",
        caption: CAPTION,
        formulas: &[
            r"\mathrm{Var}\,\theta\to\frac{\gamma s^2}{\lambda(2-\gamma\lambda)},\qquad\gamma_t=\frac ct:\quad t\,\mathrm{Var}\,\theta_t\to\frac{c^2s^2}{2c\lambda-1}\quad(2c\lambda>1)",
        ],
    };

    fn quick() -> Self {
        Self { steps: 200, runs: 1000, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        ((self.lr.len() + self.scale.len()) * self.runs) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let problem = self.problem(desk);
        let arms = |rates: &[f64], falling: bool| -> Result<Vec<Arm>, LabError> {
            rates.iter().map(|rate| self.arm(&problem, *rate, falling, desk)).collect()
        };
        let (constant, falling) = (arms(&self.lr, false)?, arms(&self.scale, true)?);
        Ok(Found { problem, constant, falling })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let row = |arm: &Arm| vec![arm.rate, arm.late.mean(), arm.late.se()];
        let rows: Vec<Vec<f64>> = found.constant.iter().chain(&found.falling).map(row).collect();
        let arrays = vec![Array::of_rows("variances", &rows)];
        let figures = vec![("noise-floor", self.figure(found))];
        let (claims, tables) = (self.claims(found), self.tables(found));
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<NoiseFloor>(
    "noise-floor",
    "the variance at which minibatch descent rests at constant rates, and how falling rates remove it",
    include_str!("noise_floor.rs"),
);
