//! Does a wide network in training follow its linearisation, which is a kernel method?
//!
//! The linearised network has the errors `(1 - lr K/m)^t r_0`, with K the tangent kernel at the start (T11.4); the network itself departs from it as its kernel moves, by a distance that falls as one over the width
//! (T05.1, T05.2; the proof's bound is the root of that). In the limit K is no longer random, and the outputs after training are those of regression with the infinite kernel (T11.5).
//! A distance that falls at another rate, or outputs that extrapolate to other numbers, would falsify it; the kernel of the last layer alone must be rejected.
//! The current kernel predicts a single step up to an error of second order in the rate, however far that kernel has moved (T11.3); the kernel at the start only up to one of first order.

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
    /// The share of the targets that is learnt, with the tangent kernel and with the covariance instead.
    share: [f64; 2],
    /// The tangent kernel.
    theta: Vec<Vec<f64>>,
}

/// The results of one network.
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
    /// Order in the rate of the error of its linear prediction, with the kernel of that moment and with that at the start.
    orders: [f64; 2],
    /// The least eigenvalue of the kernel over that at the start.
    least: f64,
}

/// The limit, and the results by network and width.
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

/// Kernels during training whose least eigenvalue is taken.
const KERNELS: usize = 10;

/// The single step has this share of the rate of training: small, so that orders above the second are small, and no smaller, so that
/// the second stands out from the rounding of outputs in the widest networks.
const SHORT: f64 = 1.0 / 8.0;

impl NtkFlow {
    fn shape(&self, width: usize) -> Shape {
        Shape { c_b: self.c_b, ..hidden(N_IN, &self.activation, self.c_w, width, self.layers) }
    }

    /// Share of the targets in the outputs, by projection.
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

    /// Steps between readings of the errors.
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
        // The outputs at the start, propagated by the limit, are subtracted: what is left varies as the root of one over the width.
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

    /// The networks that a claim is about.
    fn networks(&self) -> String {
        let ends = [0, self.width.len() - 1].map(|i| self.width[i].to_string()).join(" to ");
        let (nets, depth, m) = (self.nets, self.layers, self.angles.len());
        format!("{nets} networks of each width from {ends}, depth {depth}, {m} inputs on a circle")
    }

    /// The squared loss of every network falls at least as fast as the least eigenvalue of its kernels says.
    fn decay(&self, below: &[[bool; 2]]) -> Claim {
        let trials = below.len();
        let [hits, faster] = [0, 1].map(|i| below.iter().filter(|b| b[i]).count());
        let (who, every, steps) = (self.networks(), self.steps.div_ceil(KERNELS), self.steps);
        let what = format!(
            "{who}: how many keep their squared loss below exp(-2 gamma lambda_0 t/m) L(0) after every {every} of {steps} steps, lambda_0 the least eigenvalue of their kernels at the start and at these steps; a loss that had nothing to do with it would stay below with a chance of a half"
        );
        let claim = Claim::all("T11.3/decay", what, Cases { hits, trials, by_chance: 0.5 });
        claim.rejecting_cases("exp(-4 gamma lambda_0 t/m)", faster, trials).only_as_stated()
    }

    /// The error of the linear prediction of one step, in networks whose kernel keeps its least eigenvalue.
    fn second_order(&self, steps: &[OneStep]) -> Claim {
        let (who, half, all) = (self.networks(), self.steps / 2, self.steps);
        let what = format!(
            "{who}, after {half} of {all} steps: order in the rate of the difference between the errors after one step and r - lr K r/m, r the errors before it and K the kernel at that moment: 2, compared with log2 of the ratios of differences at 1/8, 1/16 and 1/32 of the rate of training, extrapolated to rate 0; every network keeps at least half of its first least eigenvalue"
        );
        let (now, begin): (Vec<f64>, Vec<f64>) =
            steps.iter().map(|step| (step.orders[0], step.orders[1])).unzip();
        let two = vec![2.0; now.len()];
        let claim = Claim::exact("T11.3/moving", what, &two, &now, 1e-2);
        let claim =
            claim.rejecting_exact("the kernel at the start, as if it had not moved", &two, &begin);
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

/// Compares one step with its linear prediction, at a rate and at a half and a quarter of it.
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
        // The contribution of the next order is half as large at half the rate.
        2.0 * (left[1] - left[2]) - (left[0] - left[1])
    };
    Ok(OneStep { orders: [order(&now), order(begin)], least: least(&now)? / least(begin)? })
}

impl Experiment for NtkFlow {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "A wide network follows its tangent kernel",
        lead: "Trained networks differ from their linearisation by one over the width, and end where regression with the infinite tangent kernel does.",
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
const CAPTION: &str = "(a) First and last output over training, of one network of the smallest width and one of the largest (points), and of their own linearisations (lines). (b) Largest distance of the errors from those of the linearisation over \
    training, relative to the first errors, against the width: mean over networks with two standard errors; the dashed line falls as one over the width. (c) Share of the targets in the trained outputs, from which the starting outputs are subtracted: mean over networks with two standard errors, and the limit (dashed); \
    dotted, what training the last layer alone would give.";

impl NtkFlow {
    fn figure(&self, found: &Found) -> Result<Figure, LabError> {
        let (n, count) = (&self.width, self.width.len());
        let paths = [0, count - 1].into_iter().zip(0..).flat_map(|(at, i)| {
            let path = &found.paths[at];
            let step = |k: u64| (k * self.every()).min(self.steps as u64);
            let steps: Vec<u64> = (0..path.len() as u64).map(step).collect();
            let output = move |k: usize| {
                let of = |k: usize| xy(&steps, path.iter().map(|row| row[k]));
                let compared = Compared { measured: of(k), theory: of(2 + k) };
                named(format!("width {}", n[at]), Style::series(i), compared)
            };
            [0, 1].map(output)
        });
        let paths = arms_with_theory("Two outputs over training", "step", "output", paths);
        let Compared { measured, theory } =
            Compared::power_law(means_at(n, &found.distances)?, count / 2, -1.0);
        let (title, y) = ("Distance from the linearisation", Axis::new("relative distance").log());
        let distance = lines(title, width_axis(), y, [named("$1/n$", Style::theory(), theory)])
            .with(measured.points("measured", Style::series(0)));
        let (title, y) = ("What is learnt", "share of the targets");
        let [limit, last_layer] = found.limit.share;
        let (measured, theory) = (means_at(n, &found.shares)?, along(n, |_| limit));
        let share = measured_with_theory(title, width_axis(), y, measured, theory)
            .with(guide_at_y(last_layer, "last layer alone"));
        let (nets, layers, name) = (self.nets, self.layers, self.activation.name());
        let s = if layers == 1 { "" } else { "s" };
        let subtitle =
            format!("{nets} networks at each width, {layers} hidden layer{s} of {name} units");
        let figure = Figure::new("Wide networks follow their tangent kernel").subtitle(subtitle);
        Ok(grid(figure.description(CAPTION), (3, 1040.0, 0.85), [paths, distance, share]))
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<NtkFlow>(
    "ntk-flow",
    "trained wide networks compared with their linearisations and with the infinite tangent kernel",
    include_str!("ntk_flow.rs"),
);
