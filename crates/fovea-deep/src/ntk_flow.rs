//! Does a trained wide network follow the kernel method that its linearisation is?
//!
//! The linearised network has the errors `(1 - lr K/m)^t r_0`, with K the tangent kernel at the start (T11.4); the network itself leaves it as its kernel moves, by a distance that falls as one over the width
//! (T05.1, T05.2; the proof's bound is the root of that). In the limit K is no longer random, and the outputs after training are those of regression with the infinite kernel (T11.5).
//! A distance that falls at another rate, or outputs that extrapolate to other numbers, would falsify it; the kernel of the last layer alone must be rejected.
//! In a single step the kernel of the moment leaves an error of the second order in the rate, however far that kernel has moved (T11.3); the kernel of the start leaves one of the first order.

use fovea_core::params::finite;
use fovea_core::symmetric::least;
use fovea_desk::depth::{N_IN, hidden, trains};
use fovea_desk::prelude::*;
use fovea_desk::widths::{
    at_infinity, by_width, check_widths, descend, distance, kernel_rows, limiting_exponent, limits,
    on_circle,
};
use fovea_record::claim::{Cases, Evidence};
use fovea_sim::mlp::{Examples, Mlp, Shape};
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
        width: Vec<usize> = vec![128, 256, 512, 1024, 2048], between(1.0, 4096.0), "units";
        /// Angles of the inputs on a circle.
        angles: Vec<f64> = fovea_desk::widths::angles(5), finite(), "rad";
        /// Learning rate, as a share of the largest at which the infinitely wide network learns.
        rate: f64 = 0.2, between(1e-6, 1.0), "";
        /// Steps of full gradient descent.
        steps: usize = 100, between(2.0, 1e6), "steps";
        /// Networks trained at each width.
        nets: usize = 64, between(4.0, 1e5), "networks";
    }
}

impl Params for NtkFlow {
    fn check(&self) -> Result<(), ParamError> {
        check_widths(&self.width, 4)?;
        self.width.iter().try_for_each(|n| trains(&self.shape(*n), self.angles.len()))
    }
}

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
#[derive(Default)]
struct Run {
    distance: f64,
    share: f64,
    /// First two outputs at the times of the figure, and those of the linearisation.
    path: Vec<[f64; 4]>,
    step: OneStep,
    /// Whether the loss stays below its bound, and below one that falls twice as fast.
    below: [bool; 2],
}

/// One step half way through training.
#[derive(Default)]
struct OneStep {
    /// Order in the rate of what it leaves out with the kernel of the moment, and with that of the start.
    orders: [f64; 2],
    /// The least eigenvalue of the kernel over that at the start.
    least: f64,
}

/// The limit, and what networks did, by network and width.
pub struct Found {
    limit: Limit,
    distances: Vec<Vec<f64>>,
    shares: Vec<Vec<f64>>,
    /// Of the first network.
    paths: Vec<Vec<[f64; 4]>>,
    /// Of every network.
    steps: Vec<OneStep>,
    /// Of every network.
    below: Vec<[bool; 2]>,
}

/// Kernels on the way whose least eigenvalue is taken.
const KERNELS: usize = 10;

/// The step that is taken apart is this share of those of training: small, so that orders above the second are, and no smaller, so
/// that the second stands out of the rounding of outputs in the widest networks.
const SHORT: f64 = 1.0 / 8.0;

impl NtkFlow {
    fn shape(&self, width: usize) -> Shape {
        Shape { c_b: self.c_b, ..hidden(N_IN, &self.activation, self.c_w, width, self.layers) }
    }

    /// Share of the targets in outputs, as a projection.
    fn share(&self, outputs: &[f64]) -> f64 {
        let y = on_circle(&self.angles).y;
        dot(outputs, &y) / dot(&y, &y)
    }

    fn limit(&self) -> Result<Limit, LabError> {
        let layer = Layer::new(&self.activation, self.c_w, self.c_b);
        let [k, theta] = limits(&layer, &self.angles, self.layers)?;
        let y = on_circle(&self.angles).y;
        let line = Linearised::new(&theta, &y)?;
        let lr = self.rate * line.limit();
        let learnt = |kernel: &[Vec<f64>]| -> Result<f64, LabError> {
            let left = Linearised::new(kernel, &y)?.errors(lr, self.steps as f64);
            Ok(1.0 - self.share(&left))
        };
        Ok(Limit { lr, condition: line.condition(), share: [learnt(&theta)?, learnt(&k)?], theta })
    }

    /// How often the errors are read.
    fn every(&self) -> u64 {
        (self.steps as u64 / 50).max(1)
    }

    fn train(
        &self,
        (index, width): (u64, usize),
        limit: &Limit,
        desk: &Desk<'_>,
    ) -> Result<Run, LabError> {
        let shape = self.shape(width);
        let streams = desk.streams().part(&format!("width {width}")).replica(index);
        let mut mlp = shape.draw(&streams);
        let set = on_circle(&self.angles);
        let first = mlp.errors(&set);
        let rates = shape.rates();
        let begin = kernel_rows(&mlp, &set, &rates);
        let line = Linearised::new(&begin, &first)?;
        let mut run = Run::default();
        let (mut middle, mut kernels) = (mlp.clone(), Vec::new());
        let mut read = |step: u64, errors: &[f64]| {
            let lined = line.errors(limit.lr, step as f64);
            run.distance = run.distance.max(distance(errors, &lined) / norm(&first));
            let at = |r: &[f64], i: usize| r[i] + set.y[i];
            let last = set.count.min(2) - 1;
            run.path.push([at(errors, 0), at(errors, last), at(&lined, 0), at(&lined, last)]);
        };
        let pace = (limit.lr, &rates[..], self.steps as u64);
        let taken = descend(&mut mlp, &set, pace, desk, |step, mlp| {
            if step.is_multiple_of(self.every()) {
                read(step, &mlp.errors(&set));
            }
            if step == self.steps as u64 / 2 {
                middle.clone_from(mlp);
            }
            if step > 0 && step.is_multiple_of(self.steps.div_ceil(KERNELS) as u64) {
                let errors = mlp.errors(&set);
                kernels.push((step, dot(&errors, &errors), kernel_rows(mlp, &set, &rates)));
            }
        })?;
        let errors = mlp.errors(&set);
        read(taken, &errors);
        kernels.push((taken, dot(&errors, &errors), kernel_rows(&mlp, &set, &rates)));
        // The start is propagated by the limit and taken away: what is left varies as the root of one over the width.
        let start: Vec<f64> = first.iter().zip(&set.y).map(|(r, y)| r + y).collect();
        let kept = Linearised::new(&limit.theta, &start)?.errors(limit.lr, self.steps as f64);
        let outputs: Vec<f64> =
            errors.iter().zip(&set.y).zip(&kept).map(|((r, y), kept)| r + y - kept).collect();
        run.share = self.share(&outputs);
        if taken == self.steps as u64 && run.distance.is_finite() {
            run.step = one_step(&middle, &set, (SHORT * limit.lr, &rates), &begin)?;
            let slowest = kernels.iter().try_fold(least(&begin)?, |slowest, (_, _, kernel)| {
                Ok::<_, LabError>(slowest.min(least(kernel)?))
            })?;
            run.below = [2.0, 4.0].map(|rate| {
                let bound = |step: u64| {
                    let decay = rate * limit.lr * slowest * step as f64 / set.count as f64;
                    libm::exp(-decay) * dot(&first, &first)
                };
                kernels.iter().all(|(step, loss, _)| *loss <= bound(*step))
            });
            return Ok(run);
        }
        let what = format!("training diverges at a rate of {} of the limit", self.rate);
        Err(refused(what, "choose a smaller `rate` or larger widths").into())
    }

    fn claims(&self, found: &Found) -> Result<Vec<Claim>, LabError> {
        // At widths of a hundred the distance is still a fifth less than the one over the width it tends to.
        let slope = limiting_exponent(&self.width, &found.distances)?;
        let what = "exponent in the width, at infinite width, of the distance between trained networks and their linearisations";
        let wrong = "-1/2, the bound of the proof";
        let rate = told_apart("ntk-flow", what, wrong, &[(slope, [-1.0, -0.5])]);
        let means = columns(&found.shares)?;
        let sizes: Vec<f64> = self.width.iter().map(|n| *n as f64).collect();
        let what = "share of the targets that is learnt, extrapolated to infinite width, and descent with the infinite tangent kernel";
        let wrong = "the covariance, the kernel of the last layer alone";
        let end = at_infinity("ntk-flow", what, wrong, (&sizes, &means), found.limit.share);
        // Both are about large widths, and a rate at which the flow is followed.
        let [rate, end] = [rate, end].map(Claim::only_as_stated);
        Ok(vec![rate, end, self.decay(&found.below), self.second_order(&found.steps)])
    }

    /// Which networks a claim is about.
    fn networks(&self) -> String {
        let ends = [0, self.width.len() - 1].map(|i| self.width[i].to_string()).join(" to ");
        let (nets, depth, m) = (self.nets, self.layers, self.angles.len());
        format!("{nets} networks of each width from {ends}, depth {depth}, {m} inputs on a circle")
    }

    /// The squared loss of every network falls as fast as the least eigenvalue that it meets.
    fn decay(&self, below: &[[bool; 2]]) -> Claim {
        let trials = below.len();
        let [hits, faster] = [0, 1].map(|i| below.iter().filter(|b| b[i]).count());
        let (who, every, steps) = (self.networks(), self.steps.div_ceil(KERNELS), self.steps);
        let what = format!(
            "{who}: how many keep their squared loss below exp(-2 gamma lambda_0 t/m) L(0) after every {every} of {steps} steps, lambda_0 the least eigenvalue of their kernels at the start and at these steps; one that knew nothing of the loss would lie above it or below, one as likely as the other"
        );
        let claim = Claim::all("T11.3/decay", what, Cases { hits, trials, by_chance: 0.5 });
        claim.rejecting_cases("exp(-4 gamma lambda_0 t/m)", faster, trials).only_as_stated()
    }

    /// What the kernel of the moment leaves out of a step, in networks whose kernel keeps its least eigenvalue.
    fn second_order(&self, steps: &[OneStep]) -> Claim {
        let (who, half, all) = (self.networks(), self.steps / 2, self.steps);
        let what = format!(
            "{who}, after {half} of {all} steps: order in the rate of what one step leaves out beside r - lr K r/m, K the kernel of that moment; 2, and log2 of the ratio of errors at an eighth of the rate of training, a half and a quarter of that; every network keeps at least half of its first least eigenvalue"
        );
        let (now, begin): (Vec<f64>, Vec<f64>) =
            steps.iter().map(|step| (step.orders[0], step.orders[1])).unzip();
        let two = vec![2.0; now.len()];
        let claim = Claim::exact("T11.3/moving", what, &two, &now, 1e-2);
        let claim =
            claim.rejecting_exact("the kernel of the start, as if none moved", &two, &begin);
        let claim = Claim { as_stated: true, evidence: Evidence::Simulated, ..claim };
        let kept = steps.iter().filter(|step| step.least >= 0.5).count();
        if kept == steps.len() {
            return claim;
        }
        let many = steps.len();
        claim.unchecked(format!("{kept} of {many} kernels kept half of their least eigenvalue"))
    }

    fn tables(&self, found: &Found) -> Result<Vec<Table>, LabError> {
        let (distances, shares) = (columns(&found.distances)?, columns(&found.shares)?);
        let rows: Vec<usize> = (0..self.width.len()).collect();
        let networks = Table::of("networks", &rows)
            .whole("width", |i| self.width[*i])
            .estimate("distance", 6, |i| distances[*i])
            .estimate("share_learnt", 5, |i| shares[*i])
            .caption(
                "Largest relative distance of the errors from those of the linearisation over training, and the share of the \
                 targets that is learnt, one row per width.",
            );
        let limit = Table::of("limit", std::slice::from_ref(&found.limit))
            .real("share_learnt", 5, |limit| limit.share[0])
            .real("learning_rate", 4, |limit| limit.lr)
            .digits("condition", 4, |limit| limit.condition)
            .caption(
                "The share of the targets that is learnt at infinite width, the learning rate, and the condition number of the \
                 infinite kernel, which is infinite where inputs are repeated or parallel: errors in its null space are left \
                 as they are.",
            );
        Ok(vec![networks, limit])
    }
}

/// Takes one step apart, at a rate and at a half and a quarter of it.
fn one_step(
    mlp: &Mlp,
    set: &Examples,
    (lr, rates): (f64, &[f64]),
    begin: &[Vec<f64>],
) -> Result<OneStep, LabError> {
    let (first, now) = (mlp.errors(set), kernel_rows(mlp, set, rates));
    let ends = [lr, 0.5 * lr, 0.25 * lr].map(|lr| {
        let mut ahead = mlp.clone();
        ahead.descend(set, lr, rates);
        (lr, ahead.errors(set))
    });
    let order = |kernel: &[Vec<f64>]| {
        let left = ends.each_ref().map(|(lr, errors)| {
            let rows = kernel.iter().zip(&first);
            let line = rows.map(|(row, r)| r - lr * dot(row, &first) / set.count as f64);
            libm::log2(distance(errors, &line.collect::<Vec<_>>()))
        });
        // What the next order adds is half as much at half the rate.
        2.0 * (left[1] - left[2]) - (left[0] - left[1])
    };
    Ok(OneStep { orders: [order(&now), order(begin)], least: least(&now)? / least(begin)? })
}

impl Experiment for NtkFlow {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "A wide network follows its tangent kernel",
        lead: "Trained networks leave their linearisation by one over the width, and end where the infinite tangent kernel says.",
        caption: CAPTION,
        formulas: &[
            r"r_t=\Big(1-\frac\gamma mK\Big)^tr_0,\qquad z_t-\Big(1-\frac\gamma m\Theta\Big)^tz_0\to\Big[1-\Big(1-\frac\gamma m\Theta\Big)^t\Big]y",
            r"\max_t\frac{|r_t-r_t^{\mathrm{lin}}|}{|r_0|}\propto\frac1n",
        ],
    };

    fn quick() -> Self {
        let width = vec![128, 256, 512, 1024, 2048, 4096];
        Self { layers: 1, width, steps: 50, ..Self::default() }
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let limit = self.limit()?;
        let runs = by_width((self.nets, &self.width), desk, |index, width| {
            self.train((index, width), &limit, desk)
        })?;
        let all = |read: fn(&Run) -> f64| -> Vec<Vec<f64>> {
            runs.iter().map(|net| net.iter().map(read).collect()).collect()
        };
        let (distances, shares) = (all(|run| run.distance), all(|run| run.share));
        let paths = runs[0].iter().map(|run| run.path.clone()).collect();
        let (steps, below) = runs.into_iter().flatten().map(|run| (run.step, run.below)).unzip();
        Ok(Found { limit, distances, shares, paths, steps, below })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let row = |(n, i): (usize, usize)| vec![found.distances[i][n], found.shares[i][n]];
        let places = (0..self.width.len()).flat_map(|n| (0..self.nets).map(move |i| (n, i)));
        let rows: Vec<Vec<f64>> = places.map(row).collect();
        let arrays = vec![Array::of_rows("runs", &rows)];
        let (claims, tables) = (self.claims(found)?, self.tables(found)?);
        let figures = vec![("ntk-flow", self.figure(found)?)];
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// What the figure shows, for a reader.
const CAPTION: &str = "(a) Outputs of one network of each width on the first examples over training (points) and those of its own linearisation (lines). (b) Largest distance of the errors from those of the linearisation over \
    training, relative to the first errors, against the width: mean over networks with two standard errors; the line falls as one over the width. (c) Share of the targets in the trained outputs, starting values taken away: networks with two standard errors, and the limit; \
    dashed, what training the last layer alone would give.";

impl NtkFlow {
    fn figure(&self, found: &Found) -> Result<Figure, LabError> {
        let mut paths =
            Panel::new("Two outputs over training", Axis::new("step"), Axis::new("output"));
        let shown = [0, self.width.len() - 1];
        for (i, at) in shown.iter().enumerate() {
            let path = &found.paths[*at];
            let steps: Vec<f64> = (0..path.len())
                .map(|k| (k as f64 * self.every() as f64).min(self.steps as f64))
                .collect();
            for k in 0..2 {
                let take = |j: usize| path.iter().map(|row| row[j]).collect::<Vec<f64>>();
                let label =
                    if k == 0 { format!("width {}", self.width[*at]) } else { String::new() };
                paths = paths.with(Mark::line(&steps, &take(2 + k), "", Style::series(i))).with(
                    Mark::points(&steps, &take(k), label, Style { size: 2.0, ..Style::series(i) }),
                );
            }
        }
        let x: Vec<f64> = self.width.iter().map(|n| *n as f64).collect();
        let (means, errors) = bars(&columns(&found.distances)?);
        let anchor = means[means.len() / 2] * x[x.len() / 2];
        let line: Vec<f64> = x.iter().map(|n| anchor / n).collect();
        let width = || Axis::new("width $n$").log();
        let y = Axis::new("relative distance").log();
        let distance = Panel::new("Distance from the linearisation", width(), y)
            .with(Mark::line(&x, &line, "$1/n$", Style::theory()))
            .with(Mark::measured(&x, &means, &errors, "", Style::series(0)));
        let [limit, last_layer] = found.limit.share;
        let share = Panel::new("What is learnt", width(), Axis::new("share of the targets"))
            .with(level(limit, "limit", Style::theory().solid()))
            .with(level(last_layer, "last layer alone", Style::guide()))
            .with(measured(&x, &columns(&found.shares)?, "", Style::series(0)));
        let subtitle = format!(
            "{} networks at each width, {} hidden layers of {} units",
            self.nets,
            self.layers,
            self.activation.name()
        );
        let figure = Figure::new("Wide networks follow their tangent kernel")
            .subtitle(subtitle)
            .description(CAPTION);
        Ok(grid(figure, (3, 1040.0, 0.85), [paths, distance, share]))
    }
}

/// The registry row.
pub const ENTRY: Entry = Entry::of::<NtkFlow>(
    "ntk-flow",
    "trained wide networks beside their linearisations and the infinite tangent kernel",
    include_str!("ntk_flow.rs"),
);
