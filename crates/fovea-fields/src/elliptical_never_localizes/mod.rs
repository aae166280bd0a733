//! Do elliptical data ever localize a ReLU unit?
//!
//! Elliptical laws can be as far from Gaussian as one likes, and still every one of them has the gated mean of Gaussian data with another
//! constant, `f(w) = c C w / sqrt(w'Cw)` (L000.11). So their flow is the Gaussian one in other units, which ends flat or in a wave (L003.18). Units are
//! trained on Student, Laplace, power-exponential and shell data from the same starts, beside the closed flow with each law's own
//! constant, and on the nonlinear process of high gain, which is not elliptical and must localize. A trained field off its
//! flow, or as narrow as a dictator's, would falsify it.

mod claims;
mod figure;
pub mod measure;

use fovea_desk::prelude::*;
use fovea_theory::GaussianFlow;
use measure::{Law, LawRuns, laws};

params! {
    /// Settings of `elliptical-never-localizes`.
    pub struct EllipticalNeverLocalizes {
        /// Ring size: inputs of the network.
        n: usize = 40, between(2.0, 1024.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Degrees of freedom of the Student law; the gradient needs a fourth moment.
        dof: f64 = 6.0, finite_above(4.0), "";
        /// Exponent of the power-exponential law.
        beta: f64 = 0.2, between(0.05, 1e3), "";
        /// Gain of the nonlinear process, the one that should localize.
        gain: f64 = 100.0, above(0.0), "";
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.1, finite_above(0.0), "";
        /// Fresh samples of a step, half of each class.
        batch: usize = 16_000, between(2.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 400, between(1.0, 1e9), "steps";
        /// Steps between records.
        record_every: usize = 10, between(1.0, 1e9), "steps";
        /// Random starts, the same for every law.
        starts: usize = 8, between(2.0, 1e4), "starts";
        /// Factor on the Glorot variance 2/(n + 1) of a start.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for EllipticalNeverLocalizes {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_labels(Labels::Balanced, self.batch)?;
        check_records(self.steps, self.record_every, self.n * self.starts * 9)
    }
}

impl EllipticalNeverLocalizes {
    /// The lengths and the kernel of both classes.
    pub fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    /// The weights of a start.
    fn start(&self, streams: &Streams, start: usize) -> Result<Vec<f64>, ParamError> {
        glorot(self.n, self.init_scale, &streams.replica(start as u64))
    }

    /// The record at which sizes are compared: the norm, which relaxes in a time of one, has settled, and the noise of SGD,
    /// whose square shortens the field, has not yet grown.
    fn sized_at(&self) -> usize {
        let times = self.times();
        times.iter().position(|t| *t >= SIZED).unwrap_or(times.len() - 1)
    }

    /// The time of every record.
    fn times(&self) -> Vec<f64> {
        let due = (0..=self.steps).filter(|s| s % self.record_every == 0 || *s == self.steps);
        due.map(|step| step as f64 * self.lr).collect()
    }
}

/// When sizes are compared.
const SIZED: f64 = 5.0;

/// The fields of every law.
pub struct Found(Vec<LawRuns>);

impl Experiment for EllipticalNeverLocalizes {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Elliptical data never localize",
        lead: "A ReLU unit trained on elliptical data of very different tails follows the flow of Gaussian data in units of one constant, and \
               stays extended; from the same starts the nonlinear process localizes it.",
        caption: figure::CAPTION,
        formulas: &[
            r"f(w)=c\,\frac{C_{+}w}{\sqrt{w^\top C_{+}w}},\qquad c=\tfrac12E|X_1|,\qquad \dot w=\tfrac12f(w)-\tfrac14(C_{-}+C_{+})\,w",
        ],
    };

    fn quick() -> Self {
        Self {
            n: 16,
            xi_pos: 1.2,
            xi_neg: 0.6,
            batch: 1000,
            steps: 400,
            starts: 10,
            ..Self::default()
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let probes = &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY];
        let plan = Plan::new(self.steps, Times::Every(self.record_every as u64), probes);
        let plan = Plan { precision: self.precision, ..plan };
        let mut jobs = Vec::new();
        for (index, law) in laws(self).into_iter().enumerate() {
            let (task, name) = (law.task(self), law.name());
            for start in 0..self.starts {
                let network = one_unit(&self.start(streams, start)?)?;
                // Samples of its own for every run, after the replicas that drew the starts.
                let streams = streams.replica((self.starts * (index + 1) + start) as u64);
                let stage = Stage::online(&task, (self.lr, self.batch), plan.clone(), streams);
                let job = Job::new(format!("{name}-{start}"), Start::Given(network), stage);
                jobs.push(job.in_group(name));
            }
        }
        Ok(jobs)
    }

    fn measure<'r>(&self, runs: &'r Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let [pos, neg] = self.two_class().kernels()?;
        let flow = GaussianFlow { eigs_pos: pos.eigs, eigs_neg: neg.eigs };
        let starts = (0..self.starts)
            .map(|start| self.start(&desk.streams(), start))
            .collect::<Result<Vec<_>, _>>()?;
        let of = |law: Law| LawRuns::new(self, law, &flow, &starts, &runs.group(law.name()));
        Ok(Found(laws(self).into_iter().map(of).collect()))
    }

    fn show<'r>(&self, _: &'r Runs, Found(laws): &Found) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: laws.iter().flat_map(LawRuns::arrays).collect(),
            claims: claims::claims(self, laws)?,
            figures: vec![("elliptical-never-localizes", figure::figure(self, laws)?)],
            summary: claims::lines(self, laws)?,
            ..Shown::default()
        })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::conducted::<EllipticalNeverLocalizes>(
    "elliptical-never-localizes",
    "ReLU units on Student, Laplace, power-exponential and shell data beside the closed flow of each law's constant",
    "Do elliptical data ever localize (L000.11, L003.18)? Every elliptical law has the Gaussian flow in units of one constant and stays extended, whatever \
     its tails; the nonlinear process localizes from the same starts. A field off its flow, or as narrow as a dictator's, \
     would falsify it.",
);
