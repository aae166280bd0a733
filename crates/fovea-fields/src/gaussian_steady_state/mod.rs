//! Where does one neuron end on Gaussian data, and how long does it take?
//!
//! Of all modes only the one of least ratio `q_k = lambda_neg / lambda_pos` is stable (L003.16); the field ends in it with the
//! closed amplitude of the corrected note 003 (25) (L003.13, L003.14, L003.59). On the way a short-range oscillation comes first (L001.81): the
//! first note saw it and expected it to be damped to zero, which it is not. Rates are those of `relu.relaxation`: at n = 40, (2, 1), the last
//! competitor dies out in a time of 124, so that after the 2000 steps of the fourth note's figure, t = 20, hardly any start has arrived (L003.57).
//! SGD off these transients, or at rest at another height, would falsify it.

mod ensemble;
mod figure;
mod rest;
mod tell;
mod trained;

use ensemble::{Ensemble, STARTS, Start};
use fovea_core::params::{any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::memory::check_records;
use fovea_desk::two_class::{TwoClass, check_labels};
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::report;
use fovea_sim::Labels;
use fovea_sim::train::Precision;
use fovea_theory::GaussianFlow;
use fovea_theory::relu::stable_mode::stable_mode;

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
            even.chain(tell::CATALOGUE_TIMES).filter(|t| *t <= self.t_end).collect();
        times.sort_by(f64::total_cmp);
        times
    }
}

impl Experiment for GaussianSteadyState {
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

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let flow = |two: &TwoClass| -> Result<GaussianFlow, LabError> {
            let [pos, neg] = two.kernels()?;
            Ok(GaussianFlow { eigs_pos: pos.eigs, eigs_neg: neg.eigs })
        };
        let (here, there) = (flow(&self.two_class())?, flow(&self.rest_class())?);
        let trained_steps = 2 * self.starts * self.steps + self.replicas * self.rest_steps;
        bench.progress.expect(2 * self.inits as u64);
        bench.progress.expect_training(trained_steps as u64);
        let (mut series, mut ensembles) = (Series::default(), Vec::new());
        for start in STARTS {
            ensembles.extend(Ensemble::new(self, &here, start, &self.times(), bench)?);
        }
        let task = rest::gaussian_task(&self.two_class())?;
        let (status, trained) = trained::trained(self, &task, &here, bench, &mut series)?;
        let resting = rest::gaussian_task(&self.rest_class())?;
        let (ended, rest) = rest::rest(self, &resting, &there, bench, &mut series)?;
        let status = if status == Status::Completed { ended } else { status };
        let mut arrays = Vec::new();
        for (start, ensemble) in STARTS.into_iter().zip(&ensembles) {
            arrays.extend(ensemble_arrays(start, ensemble));
        }
        let (mut claims, mut figures, mut summary) = (Vec::new(), Vec::new(), task.notes());
        if let (Status::Completed, Some(rest)) = (&status, &rest) {
            let departures = rest::departures(self, &here)?;
            claims = tell::claims(&trained);
            claims.push(rest::relaxation_claim(&departures));
            claims.push(rest.claim()?);
            summary.extend(tell::summary(&ensembles, &departures, rest)?);
            arrays.push(Array::of_rows("rest", &rest.fields));
            let shown = figure::Shown {
                ensembles: &ensembles,
                trained: &trained,
                departures: &departures,
                rest,
            };
            figures = vec![("gaussian-steady-state", figure::figure(self, &shown))];
        }
        let report = report(&tell::WORDS, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

fn ensemble_arrays(start: Start, ensemble: &Ensemble) -> Vec<Array> {
    let name = |what: &str| format!("{what}_{}", start.name());
    vec![
        Array::of_entries(name("times"), &ensemble.times),
        Array::of_entries(name("frequency"), &ensemble.frequency),
        Array::of_entries(name("share_above_90"), &ensemble.led),
        Array::of_entries(name("share_led"), &ensemble.leading),
        Array::of_entries(name("norm"), &ensemble.norm),
    ]
}

/// The frequency of the stable mode.
fn stable(flow: &GaussianFlow) -> usize {
    stable_mode(&flow.eigs_pos, &flow.eigs_neg, 0.0).k
}

/// The registry row.
pub const ENTRY: Row = Row::of::<GaussianSteadyState>(
    "gaussian-steady-state",
    "the very long limit of one neuron on Gaussian data: transient, relaxation times and the height it rests at",
    "Where does one neuron end on Gaussian data, and how long does it take (L003.13-17, L003.59, L001.81)? In the one stable mode, at the closed height, \
     after a short-range oscillation that is not damped to zero and relaxation times above a hundred. SGD off these transients, \
     or at rest at another height, would falsify it.",
);
