//! How often do gates flip during training, and what does that say of data that are nearly Gaussian?
//!
//! Figure 3 of the fourth note follows twelve ReLU units: the share `p` of samples on the same side of a gate as at the record before, the
//! excess kurtosis of the preactivation, and the final field, at a printed gain of 0.01. On Gaussian classes `p = 1 - (theta_1 +
//! theta_0)/(2 pi)` with the angles of the weights in the two covariances (L001.36), so the recorded weights alone must give the counted flips.
//! At that gain the kurtosis lies far below its sampling error (L003.67); the same network is trained at a gain where it does not.
//! Gates are then frozen at several times and the linear units trained on behind them (L003.68): the note doubts that this can
//! be done. Counts off the angles, a visible kurtosis at gain 0.01, or frozen gates that end where free ones do, would falsify it.

pub mod course;
mod figure;
mod freeze;
mod tell;

use course::Course;
use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, activation, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::fleet::{self, Arm, committee};
use fovea_desk::memory::check_records;
use fovea_desk::two_class::{TwoClass, check_gains, check_labels};
use fovea_record::outcome::{Array, Outcome, Status};
use fovea_record::present::{Words, report};
use fovea_sim::probe::{self, Probe};
use fovea_sim::train::Precision;
use fovea_sim::{Bias, Labels, Plan, Sgd, Times, loss};
use freeze::Frozen;

params! {
    /// Settings of `gate-flips`.
    pub struct GateFlips {
        /// Ring size: inputs of the network.
        n: usize = 40, between(2.0, 64.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gains: the note's, and one at which the kurtosis can be seen.
        gain: Vec<f64> = vec![0.01, 3.0], above(0.0), "";
        /// Hidden units.
        width: usize = 12, between(1.0, 1e4), "units";
        /// Learning rate of the loss with its factor 1/2; the note's 0.01 belongs to the loss without it.
        lr: f64 = 0.02, finite_above(0.0), "";
        /// Fresh samples of a step, half of each class.
        batch: usize = 10_000, between(2.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 5000, between(1.0, 1e9), "steps";
        /// Steps between records.
        record_every: usize = 20, between(1.0, 1e9), "steps";
        /// Held-out samples on which gates and kurtosis are read, half of each class.
        eval: usize = 20_000, between(4.0, 1e8), "samples";
        /// Factor on the Glorot variance 2/(n + K) of the starts.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// Networks at each gain.
        seeds: usize = 2, between(1.0, 1e4), "seeds";
        /// Parts of the training after which gates are frozen.
        freeze: Vec<f64> = vec![0.0, 0.1, 0.25, 0.5], between(0.0, 1.0), "";
        /// Fresh samples of a step behind frozen gates, half of each class.
        freeze_batch: usize = 1000, between(2.0, 1e8), "samples";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for GateFlips {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_gains(&self.gain)?;
        check_labels(Labels::Balanced, self.batch)?;
        check_labels(Labels::Balanced, self.eval)?;
        check_labels(Labels::Balanced, self.freeze_batch)?;
        let a_record = self.width * (self.n + 6) * self.seeds * self.gain.len();
        check_records(self.steps, self.record_every, 2 * a_record)
    }
}

/// What is read at every record; the places of the first three are [`GATES`], [`KURTOSIS`] and [`WEIGHTS`].
const PROBES: [&Probe; 6] = [
    &probe::gates::ENTRY,
    &probe::kurtosis::ENTRY,
    &probe::weights::ENTRY,
    &probe::ipr::ENTRY,
    &probe::norm::ENTRY,
    &probe::loss::ENTRY,
];
const GATES: usize = 0;
const KURTOSIS: usize = 1;
const WEIGHTS: usize = 2;

impl GateFlips {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    fn plan(&self) -> Plan<'static> {
        Plan {
            steps: self.steps as u64,
            record: Times::Every(self.record_every as u64),
            checkpoint_every: 0,
            eval_samples: self.eval,
            probes: &PROBES,
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        }
    }

    fn arm(&self, gain: f64) -> Result<Arm<'static>, ParamError> {
        Ok(Arm {
            name: format!("gain={}", Value::Real(gain)),
            task: self.two_class().task(gain, Labels::Balanced)?,
            network: committee(self.width, &activation::relu::ENTRY, Bias::None, self.init_scale),
            sgd: Sgd::online(self.lr, self.batch),
            plan: self.plan(),
        })
    }

    /// Held-out samples of one class.
    fn a_class(&self) -> f64 {
        0.5 * self.eval as f64
    }

    /// The standard error of the excess kurtosis of Gaussian samples of one class, `sqrt(24/samples)`.
    fn unseen(&self) -> f64 {
        (24.0 / self.a_class()).sqrt()
    }
}

const WORDS: Words<'static> = Words {
    title: "How often gates flip",
    lead: "At the printed gain of 0.01 the flips of every gate are those of Gaussian data, given by the angles of its weights, and the excess kurtosis \
           of the preactivations is far below what the samples can show; at gain 3 it is in plain sight. Gates flip ever less but \
           do not stop, and the earlier they are frozen the further away the linear units behind them end.",
    caption: figure::CAPTION,
    formulas: &[
        r"p(t)=P\big(g(t,x)=g(t+\delta t,x)\big)=1-\frac{\theta_{+}+\theta_{-}}{2\pi},\qquad \cos\theta_c=\frac{w^\top C_cw'}{\sqrt{w^\top C_cw\;w'^\top C_cw'}}",
        r"p_{\mathrm{unif}}=P\big(g(t,x)=g(0,x)\ \text{for all}\ t\big)\le\min_{s,t}P\big(g(s,x)=g(t,x)\big),\qquad \kappa=\frac{\sum_{ijkl}\kappa_{ijkl}w_iw_jw_kw_l}{(w^\top C_cw)^2}",
    ],
};

impl Experiment for GateFlips {
    fn quick() -> Self {
        Self {
            n: 16,
            xi_pos: 1.2,
            xi_neg: 0.6,
            width: 4,
            lr: 0.1,
            batch: 1000,
            steps: 400,
            record_every: 40,
            freeze: vec![0.0, 0.5],
            freeze_batch: 500,
            ..Self::default()
        }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let arms = self.gain.iter().map(|gain| self.arm(*gain)).collect::<Result<Vec<_>, _>>()?;
        let mut summary = arms[0].task.notes();
        let trained = fleet::train_all(bench, arms, self.seeds)?;
        let mut status = fleet::status(&trained);
        let series = fleet::series(&trained);
        let mut arrays = fleet::weights(&trained);
        let (mut claims, mut figures) = (Vec::new(), Vec::new());
        if status == Status::Completed {
            let frozen = Frozen::all(self, &trained, bench)?;
            match frozen {
                Some(frozen) => {
                    let courses = self
                        .gain
                        .iter()
                        .zip(&trained)
                        .map(|(gain, trained)| Course::new(self, *gain, trained, bench))
                        .collect::<Result<Vec<_>, LabError>>()?;
                    claims = tell::claims(self, &courses, &frozen)?;
                    summary.extend(tell::lines(self, &courses, &frozen));
                    arrays.extend(courses.iter().flat_map(Course::arrays));
                    arrays.extend(frozen.iter().map(Frozen::array));
                    figures.push(("gate-flips", figure::figure(self, &courses, &frozen)));
                }
                None => status = Status::Interrupted,
            }
        }
        arrays.push(Array::of_entries("time", &self.times()));
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

impl GateFlips {
    /// The step of every record.
    fn recorded(&self) -> Vec<usize> {
        (0..=self.steps).filter(|s| s % self.record_every == 0 || *s == self.steps).collect()
    }

    /// The time of every record.
    fn times(&self) -> Vec<f64> {
        self.recorded().iter().map(|step| *step as f64 * self.lr).collect()
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<GateFlips>(
    "gate-flips",
    "gates, kurtosis and final fields of twelve ReLU units over training, at a gain where data are Gaussian and one where they are not",
    "How often do gates flip during training (L001.36, L003.67, L003.68)? On Gaussian classes the share of gates that stay is 1 - (theta_1 + theta_0)/(2 pi), \
     from the recorded weights alone, and the excess kurtosis cannot be seen below sqrt(24/samples); at gain 3 it can. Gates that are frozen too \
     early must lead elsewhere. Counts off the angles, or a kurtosis seen at gain 0.01, would falsify it.",
);
