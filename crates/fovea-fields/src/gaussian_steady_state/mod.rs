//! Where does one neuron end on Gaussian data, and how long does it take?
//!
//! Of all modes only the one of least ratio `q_k = lambda_neg / lambda_pos` is stable (L003.16); the field ends in it with the
//! closed amplitude of the corrected note 003 (25) (L003.13, L003.14, L003.59). On the way a short-range oscillation comes first (L001.81): the
//! first note saw it and expected it to be damped to zero, which it is not. Rates are those of `relu.relaxation`: at n = 40, (2, 1), the last
//! competitor dies out in a time of 124, so that after the 2000 steps of the fourth note's figure, t = 20, hardly any start has arrived (L003.57).
//! SGD off these transients, or at rest at another height, would falsify it.

mod claims;
mod ensemble;
mod figure;
mod measure;

use ensemble::{Ensemble, SCALES, Scale};
use fovea_desk::prelude::*;
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_theory::GaussianFlow;
use fovea_theory::relu::stable_mode::stable_mode;
use measure::{Departure, Rest, Transient, departures, stationary};

params! {
    /// Settings of `gaussian-steady-state`.
    pub struct GaussianSteadyState {
        /// Ring size: inputs of the network.
        n: usize = 40, between(4.0, 256.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Starts whose closed flow is followed, of each kind.
        inits: usize = 2000, between(2.0, 1e6), "starts";
        /// How far the flow is followed.
        t_end: f64 = 1000.0, between(1.0, 1e5), "";
        /// Time of the fourth note's figure, its 2000 steps of 0.01.
        note_time: f64 = 20.0, between(0.1, 1e5), "";
        /// Starts that are trained, of each kind.
        starts: usize = 16, between(2.0, 1e4), "starts";
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.1, finite_above(0.0), "";
        /// Fresh samples of a step, half of each class.
        batch: usize = 10_000, between(2.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 400, between(1.0, 1e9), "steps";
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
        /// Samples of a step of the runs at rest: the square of the noise shortens the field.
        rest_batch: usize = 40_000, between(2.0, 1e8), "samples";
        /// Steps of the runs at rest, of which the later half counts.
        rest_steps: usize = 300, between(2.0, 1e9), "steps";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for GaussianSteadyState {
    fn check(&self) -> Result<(), ParamError> {
        for two in [self.two_class(), self.rest_class()] {
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
        check_labels(Labels::Balanced, self.batch)?;
        check_labels(Labels::Balanced, self.rest_batch)?;
        check_records(self.steps, self.record_every, 4 * self.n * self.starts)
    }
}

impl GaussianSteadyState {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    fn rest_class(&self) -> TwoClass {
        TwoClass { xi_pos: self.rest_xi_pos, xi_neg: self.rest_xi_neg, ..self.two_class() }
    }

    /// Times at which the flow is looked at: dense on a logarithmic scale, the catalogue's among them.
    fn times(&self) -> Vec<f64> {
        let (first, points) = (0.1, 90);
        let step = libm::log(self.t_end / first) / f64::from(points);
        let even = (0..=points).map(|i| (first * libm::exp(step * f64::from(i))).min(self.t_end));
        let mut times: Vec<f64> =
            even.chain(claims::CATALOGUE_TIMES).filter(|t| *t <= self.t_end).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    fn plan(&self, steps: usize) -> Plan<'static> {
        let probes = &[&probe::weights::ENTRY, &probe::norm::ENTRY];
        let plan = Plan::new(steps, Times::Every(self.record_every as u64), probes);
        Plan { precision: self.precision, ..plan }
    }
}

/// The group of the runs at rest.
const REST: &str = "rest";

/// A task between two Gaussian classes.
fn task(two: &TwoClass) -> Arc<TaskSpec> {
    let class = |xi| Item::of("gaussian", &Gaussian::on_ring(two.n, xi, two.kernel));
    Arc::new(TaskSpec::pair(class(two.xi_pos), class(two.xi_neg), 0.0, Labels::Balanced))
}

/// The closed flow on that task.
fn flow(two: &TwoClass) -> Result<GaussianFlow, ParamError> {
    let [pos, neg] = two.kernels()?;
    Ok(GaussianFlow { eigs_pos: pos.eigs, eigs_neg: neg.eigs })
}

/// The frequency of the stable mode.
fn stable(flow: &GaussianFlow) -> usize {
    stable_mode(&flow.eigs_pos, &flow.eigs_neg, 0.0).k
}

/// The flow of many starts, and SGD on its way and at rest.
pub struct Found {
    ensembles: Vec<Ensemble>,
    transients: Vec<Transient>,
    departures: Vec<Departure>,
    rest: Rest,
}

impl Experiment for GaussianSteadyState {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The steady state on Gaussian data",
        lead: "Followed for a very long time, one ReLU unit on Gaussian data ends in a single mode at a closed height. A short-range \
               oscillation comes first, and the last competitor dies out so slowly that published runs stop long before.",
        caption: figure::CAPTION,
        formulas: &[
            r"|u_k|=\sqrt{\tfrac2\pi}\,\frac{\sqrt{\lambda^{+}_k}}{\lambda^{-}_k+\lambda^{+}_k},\qquad k=\arg\min_k q_k,\quad q_k=\lambda^{-}_k/\lambda^{+}_k",
            r"\text{relaxation times}\quad\frac4{\lambda^{+}_j(q_j-q_k)},\qquad\frac4{\lambda^{-}_k+\lambda^{+}_k}\ \text{for the norm}",
        ],
    };

    fn quick() -> Self {
        Self {
            n: 16,
            xi_pos: 1.5,
            xi_neg: 0.8,
            inits: 200,
            t_end: 200.0,
            starts: 8,
            batch: 2000,
            steps: 200,
            rest_xi_pos: 1.5,
            rest_xi_neg: 0.8,
            rest_batch: 4000,
            rest_steps: 200,
            ..Self::default()
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let (training, mut jobs) = (task(&self.two_class()), Vec::new());
        for scale in SCALES {
            for index in 0..self.starts as u64 {
                let start = Start::Given(one_unit(&scale.weights(self.n, streams, index))?);
                let own = streams.replica(2 * index + u64::from(scale == Scale::Glorot));
                let (plan, pace) = (self.plan(self.steps), (self.lr, self.batch));
                let stage = Stage::online(&training, pace, plan, own);
                let label = format!("{}-{index}", scale.name());
                jobs.push(Job::new(label, start, stage).in_group(scale.name()));
            }
        }
        // From half the stationary field.
        let (_, _, closed) = stationary(&flow(&self.rest_class())?)?;
        let half = one_unit(&closed.iter().map(|w| 0.5 * w).collect::<Vec<_>>())?;
        let (resting, first) = (task(&self.rest_class()), 2 * self.starts as u64);
        jobs.extend((0..self.replicas as u64).map(|replica| {
            let (plan, pace) = (self.plan(self.rest_steps), (self.rest_lr, self.rest_batch));
            let stage = Stage::online(&resting, pace, plan, streams.replica(first + replica));
            let start = Start::Given(half.clone());
            Job::new(format!("{REST}-{replica}"), start, stage).in_group(REST)
        }));
        Ok(jobs)
    }

    fn parts(&self) -> u64 {
        2 * self.inits as u64
    }

    fn measure<'r>(&self, runs: &'r Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let here = flow(&self.two_class())?;
        let (mut ensembles, mut transients) = (Vec::new(), Vec::new());
        for scale in SCALES {
            ensembles.push(Ensemble::new(self, &here, scale, desk)?);
            transients.push(Transient::new(self, &here, scale, &runs.group(scale.name()))?);
        }
        let rest = Rest::new(&flow(&self.rest_class())?, &runs.group(REST))?;
        Ok(Found { ensembles, transients, departures: departures(&here)?, rest })
    }

    fn show<'r>(&self, _: &'r Runs, found: &Found) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: claims::arrays(found),
            claims: claims::claims(found)?,
            figures: vec![("gaussian-steady-state", figure::figure(self, found))],
            summary: claims::summary(found)?,
            ..Shown::default()
        })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::conducted::<GaussianSteadyState>(
    "gaussian-steady-state",
    "the very long limit of one neuron on Gaussian data: transient, relaxation times and the height it rests at",
    "Where does one neuron end on Gaussian data, and how long does it take (L003.13-17, L003.59, L001.81)? In the one stable mode, at the closed height, \
     after a short-range oscillation that is not damped to zero and relaxation times above a hundred. SGD off these transients, \
     or at rest at another height, would falsify it.",
);
