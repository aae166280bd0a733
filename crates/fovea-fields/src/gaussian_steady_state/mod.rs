//! Where does one neuron end on Gaussian data, and how long does it take?
//!
//! Of all modes only the one of least ratio `q_k = lambda_neg / lambda_pos` is stable (L003.16); the field ends in it with the
//! closed amplitude of the corrected note 003 (25) (L003.13, L003.14, L003.59). On the way a short-range oscillation comes first (L001.81): the
//! first note saw it and expected it to be damped to zero, which it is not. Rates are those of `relu.relaxation`: at n = 40 and lengths (2, 1), the last
//! competitor dies out in a time of 124, so that after the 2000 steps of the fourth note's figure, t = 20, hardly any start has arrived (L003.57).
//! SGD off these transients, or at rest at another height, would falsify it.

mod claims;
mod figure;
mod measure;

use fovea_desk::prelude::*;
use fovea_desk::two_class::StartSize;
use fovea_sim::stimulus::gaussian::Gaussian;
use measure::{Departure, Ensemble, Rest, Transient, departures, stationary};

params! {
    /// Settings of `gaussian-steady-state`.
    pub struct GaussianSteadyState {
        ..two: TwoClass { n = 40, between(4.0, 256.0) };
        ..descent: Descent { lr = 0.1; batch = 10_000, between(2.0, 1e8); steps = 400 };
        /// Starts of each kind whose closed flow is followed.
        inits: usize = 2000, between(2.0, 1e6), "starts";
        /// Time at which the flow ends.
        t_end: f64 = 1000.0, between(1.0, 1e5), "";
        /// Time of the fourth note's figure, its 2000 steps of 0.01.
        note_time: f64 = 20.0, between(0.1, 1e5), "";
        /// Starts of each kind that are trained.
        starts: usize = 16, between(2.0, 1e4), "starts";
        /// Steps between records.
        record_every: usize = 5, between(1.0, 1e9), "steps";
        /// Correlation length of class `pos` of the runs at rest.
        rest_xi_pos: f64 = 3.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg` of the runs at rest.
        rest_xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Runs at rest, from half the stationary field.
        replicas: usize = 8, between(2.0, 1e4), "runs";
        /// Learning rate of the runs at rest.
        rest_lr: f64 = 0.05, finite_above(0.0), "";
        /// Samples per step of the runs at rest: the square of the noise shortens the field.
        rest_batch: usize = 40_000, between(2.0, 1e8), "samples";
        /// Steps of the runs at rest, of which the later half counts.
        rest_steps: usize = 300, between(2.0, 1e9), "steps";
    }
}

impl Params for GaussianSteadyState {
    fn check(&self) -> Result<(), ParamError> {
        for two in [self.two, self.rest_class()] {
            // A clipped mode has no ratio, so that no mode is known to be the stable one.
            if let Some(kernel) = two.kernels()?.iter().find(|kernel| kernel.clipped.is_some()) {
                return Err(ParamError::Inconsistent {
                    what: format!(
                        "a covariance of {} sites has clipped modes, whose ratio means nothing",
                        kernel.eigs.len()
                    ),
                    hint: "choose shorter lengths, see ring.critical_xi, or kernel=wrapped"
                        .to_owned(),
                });
            }
        }
        check_labels(Labels::Balanced, self.descent.batch)?;
        check_labels(Labels::Balanced, self.rest_batch)?;
        check_records(self.descent.steps, self.record_every, 4 * self.two.n * self.starts)
    }
}

impl GaussianSteadyState {
    fn rest_class(&self) -> TwoClass {
        TwoClass { xi_pos: self.rest_xi_pos, xi_neg: self.rest_xi_neg, ..self.two }
    }

    /// Times at which the flow is read: dense on a logarithmic scale, the catalogue's among them.
    fn times(&self) -> Vec<f64> {
        let (first, points) = (0.1, 90);
        let step = libm::log(self.t_end / first) / f64::from(points);
        let even = (0..=points).map(|i| (first * libm::exp(step * f64::from(i))).min(self.t_end));
        let mut times: Vec<f64> =
            even.chain(claims::CATALOGUE_TIMES).filter(|t| *t <= self.t_end).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// Training on a task, from streams of its own.
    fn stage(&self, task: &Arc<TaskSpec>, descent: Descent, streams: Streams) -> Stage {
        let probes = &[&probe::weights::ENTRY, &probe::norm::ENTRY];
        descent.stage(task, descent.plan(self.record_every, probes), streams)
    }
}

/// A task between two Gaussian classes.
fn task(two: &TwoClass) -> Arc<TaskSpec> {
    let class = |xi| Item::of("gaussian", &Gaussian::on_ring(two.n, xi, two.kernel));
    Arc::new(TaskSpec::pair(class(two.xi_pos), class(two.xi_neg), 0.0, Labels::Balanced))
}

/// A kind of start.
#[derive(Clone, Copy)]
struct Kind {
    size: StartSize,
    /// The name in records.
    name: &'static str,
    /// The name for a reader.
    label: &'static str,
}

const KINDS: [Kind; 2] = [
    Kind { size: StartSize::Unit, name: "normal", label: "start of variance 1" },
    Kind { size: StartSize::Glorot, name: "glorot", label: "Glorot start, variance 2/(n+1)" },
];

impl Kind {
    /// Start `index`, the same direction in every kind.
    fn start(self, n: usize, streams: &Streams, index: u64) -> Vec<f64> {
        self.size.weights(n, &streams.named("starts"), index)
    }
}

/// The group of the runs at rest.
const REST: &str = "rest";

/// The flow of many starts, and SGD on its way and at rest.
pub struct Found {
    /// One entry per kind of start.
    kinds: Vec<(Kind, Ensemble, Transient)>,
    departures: Vec<Departure>,
    rest: Rest,
}

impl Experiment for GaussianSteadyState {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The steady state on Gaussian data",
        lead: "Followed for a very long time, one ReLU unit on Gaussian data ends in a single mode, whose height has a closed form. A short-range \
               oscillation comes first, and the last competitor dies out so slowly that published runs stop long before.",
        caption: figure::CAPTION,
        formulas: &[
            r"|u_k|=\sqrt{\tfrac2\pi}\,\frac{\sqrt{\lambda^{+}_k}}{\lambda^{-}_k+\lambda^{+}_k},\qquad k=\arg\min_k q_k,\quad q_k=\lambda^{-}_k/\lambda^{+}_k",
            r"\text{relaxation times}\quad\frac4{\lambda^{+}_j(q_j-q_k)},\qquad\frac4{\lambda^{-}_k+\lambda^{+}_k}\ \text{for the norm}",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        Self {
            two: TwoClass { n: 16, xi_pos: 1.5, xi_neg: 0.8, ..base.two },
            descent: Descent { batch: 2000, steps: 200, ..base.descent },
            inits: 200,
            t_end: 200.0,
            starts: 8,
            rest_xi_pos: 1.5,
            rest_xi_neg: 0.8,
            rest_batch: 4000,
            rest_steps: 200,
            ..base
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let (training, mut jobs) = (task(&self.two), Vec::new());
        for kind in KINDS {
            for index in 0..self.starts as u64 {
                let start = Start::Given(one_unit(&kind.start(self.two.n, streams, index))?);
                let own = streams.replica(2 * index + u64::from(kind.size == StartSize::Glorot));
                let stage = self.stage(&training, self.descent, own);
                let label = format!("{}-{index}", kind.name);
                jobs.push(Job::new(label, start, stage).in_group(kind.name));
            }
        }
        // From half the stationary field.
        let resting = task(&self.rest_class());
        let (_, _, closed) = stationary(&self.rest_class().gaussian_flow()?)?;
        let half = one_unit(&closed.iter().map(|w| 0.5 * w).collect::<Vec<_>>())?;
        let (lr, batch, steps) = (self.rest_lr, self.rest_batch, self.rest_steps);
        let descent = Descent { lr, batch, steps, ..self.descent };
        jobs.extend((0..self.replicas as u64).map(|replica| {
            let own = streams.replica(2 * self.starts as u64 + replica);
            let (start, stage) = (Start::Given(half.clone()), self.stage(&resting, descent, own));
            Job::new(format!("{REST}-{replica}"), start, stage).in_group(REST)
        }));
        Ok(jobs)
    }

    fn parts(&self) -> u64 {
        2 * self.inits as u64
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let here = self.two.gaussian_flow()?;
        let mut kinds = Vec::new();
        for kind in KINDS {
            let ensemble = Ensemble::new(self, &here, kind, desk)?;
            kinds.push((kind, ensemble, Transient::new(self, &here, &runs.group(kind.name))?));
        }
        let rest = Rest::new(&self.rest_class().gaussian_flow()?, runs)?;
        Ok(Found { kinds, departures: departures(&here)?, rest })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: claims::arrays(found),
            claims: claims::claims(found),
            figures: vec![("gaussian-steady-state", figure::figure(self, found)?)],
            tables: claims::tables(found),
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<GaussianSteadyState>(
    "gaussian-steady-state",
    "the very long limit of one neuron on Gaussian data: transient, relaxation times and the height it rests at",
    include_str!("mod.rs"),
);
