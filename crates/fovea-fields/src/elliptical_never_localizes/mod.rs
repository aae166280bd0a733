//! Do elliptical data ever localize a ReLU unit?
//!
//! Elliptical laws can be as far from Gaussian as one likes, and still every one of them has the gated mean of Gaussian data with another
//! constant, `f(w) = c C w / sqrt(w'Cw)` (L000.11). So their flow is the Gaussian one in other units, which ends flat or in a wave (L003.18). Units are
//! trained on Student, Laplace, power-exponential and shell data from the same starts, beside the closed flow with each law's own
//! constant, and on the nonlinear process of high gain, which is not elliptical and must localize. A trained field off its
//! flow, or as narrow as a dictator's, would falsify it.

pub mod arm;
mod figure;

use arm::{Arm, Law, laws};
use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::stats::Estimate;
use fovea_core::{ParamError, Params, params};
use fovea_desk::bench::Bench;
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::memory::check_records;
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::{TwoClass, check_labels, one_unit};
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Labels, Plan, Sgd, Times, loss, probe};
use fovea_theory::GaussianFlow;

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

    fn plan(&self) -> Plan<'static> {
        Plan {
            steps: self.steps as u64,
            record: Times::Every(self.record_every as u64),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY],
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        }
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

const WORDS: Words<'static> = Words {
    title: "Elliptical data never localize",
    lead: "A ReLU unit trained on elliptical data of very different tails follows the flow of Gaussian data in units of one constant, and \
           stays extended; from the same starts the nonlinear process localizes it.",
    caption: figure::CAPTION,
    formulas: &[
        r"f(w)=c\,\frac{C_{+}w}{\sqrt{w^\top C_{+}w}},\qquad c=\tfrac12E|X_1|,\qquad \dot w=\tfrac12f(w)-\tfrac14(C_{-}+C_{+})\,w",
    ],
};

impl Experiment for EllipticalNeverLocalizes {
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

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let (laws, plan, streams) = (laws(self), self.plan(), bench.streams());
        let tasks = laws.iter().map(|law| law.task(self)).collect::<Result<Vec<_>, _>>()?;
        let rule = Glorot { init_scale: self.init_scale };
        let starts = (0..self.starts as u64)
            .map(|start| Ok(rule.start(&[self.n], 1, &streams.replica(start))?.weights))
            .collect::<Result<Vec<_>, ParamError>>()?;
        let networks = starts.iter().map(|w| one_unit(w)).collect::<Result<Vec<_>, _>>()?;
        let jobs: Vec<(usize, usize)> = (0..laws.len())
            .flat_map(|law| (0..self.starts).map(move |start| (law, start)))
            .collect();
        bench.progress.expect((jobs.len() * self.steps) as u64);
        let sgd = Sgd::online(self.lr, self.batch);
        let runs = bench.fleet(&jobs, |(law, start)| {
            // Samples of its own for every run, after the replicas that drew the starts.
            let streams = streams.replica((self.starts * (law + 1) + start) as u64);
            train(&tasks[*law], networks[*start].clone(), &sgd, &streams, &plan, bench)
        });

        let name = |job: &(usize, usize)| format!("{}-{}", laws[job.0].name(), job.1);
        let mut series = Series::default();
        for (job, run) in jobs.iter().zip(&runs) {
            series.add(&name(job), self.lr, &plan, run);
        }
        let status = status_of(jobs.iter().map(name).zip(&runs));
        let [pos, neg] = self.two_class().kernels()?;
        let flow = GaussianFlow { eigs_pos: pos.eigs, eigs_neg: neg.eigs };
        let arms: Vec<Arm> = laws
            .iter()
            .zip(runs.chunks(self.starts))
            .map(|(law, runs)| Arm::new(self, *law, &flow, &starts, runs))
            .collect();
        let arrays = arrays(&arms);
        let (mut claims, mut figures, mut summary) = (Vec::new(), Vec::new(), tasks[0].notes());
        if status == Status::Completed {
            claims = self.claims(&arms)?;
            figures = vec![("elliptical-never-localizes", figure::figure(self, &arms)?)];
            summary.extend(self.summary(&arms)?);
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

/// Final fields of every law, and of its flow.
fn arrays(arms: &[Arm]) -> Vec<Array> {
    let last = |fields: &[Vec<Vec<f64>>]| -> Vec<Vec<f64>> {
        fields.iter().map(|records| records.last().cloned().unwrap_or_default()).collect()
    };
    let of = |arm: &Arm| {
        let name = arm.law.name();
        let flow =
            arm.flow.as_ref().map(|flow| Array::of_rows(format!("flow_{name}"), &last(flow)));
        [Some(Array::of_rows(format!("weights_{name}"), &last(&arm.fields))), flow]
    };
    arms.iter().flat_map(of).flatten().collect()
}

impl EllipticalNeverLocalizes {
    fn claims(&self, arms: &[Arm]) -> Result<Vec<Claim>, LabError> {
        let dictator = self.two_class().dictator()?;
        let (mut lengths, mut gaussian) = (Vec::new(), Vec::new());
        let (mut widths, mut localized) = (Vec::new(), Vec::new());
        let mut claims = Vec::new();
        for arm in arms {
            let (end, closed) = arm.ipr_at_end()?;
            if let (Some(along), Some(factor)) =
                (arm.length_along(self.sized_at())?, arm.law.factor(self.n))
            {
                // In units of the Gaussian field: the constant over the Gaussian one, which is 1 in the wrong form.
                let size = Estimate::from_parts(
                    factor * along.mean(),
                    factor * along.se(),
                    along.count(),
                )?;
                lengths.push((size, factor));
                gaussian.push((size, 1.0));
            }
            match closed {
                Some(closed) => {
                    widths.push((end, closed));
                    localized.push((end, dictator.ipr));
                }
                None => claims.push(one_sided(
                    "L003.18",
                    "the same starts localize on data that are not elliptical: IPR at the end"
                        .to_owned(),
                    end,
                    LEAST_IPR,
                    true,
                )),
            }
        }
        let first = vec![
            Claim::family(
                "L000.11",
                "the size of the field, once its norm has settled, over that of Gaussian data is the law's constant over the Gaussian one",
                &lengths,
            )
            .rejecting("the Gaussian constant whatever the law", &gaussian),
            Claim::family("L003.18", "IPR at the end is that of the closed flow, which never localizes", &widths)
                .rejecting("the dictator state's", &localized),
        ];
        Ok(first.into_iter().chain(claims).collect())
    }

    /// One line a law.
    fn summary(&self, arms: &[Arm]) -> Result<Vec<String>, LabError> {
        let mut lines = vec![format!(
            "{:>9} {:>9} {:>9} {:>9} {:>9}",
            "law", "c/c_gauss", "size", "ipr", "ipr flow"
        )];
        for arm in arms {
            let (end, closed) = arm.ipr_at_end()?;
            let size = match (arm.length_along(self.sized_at())?, arm.law.factor(self.n)) {
                (Some(along), Some(factor)) => {
                    format!("{factor:>9.4} {:>9.4}", factor * along.mean())
                }
                _ => format!("{:>9} {:>9}", "-", "-"),
            };
            let closed = closed.map_or_else(|| "-".to_owned(), |ipr| format!("{ipr:.4}"));
            let name = if arm.law == Law::Nlgp { "nlgp" } else { arm.law.name() };
            lines.push(format!("{name:>9} {size} {:>9.4} {closed:>9}", end.mean()));
        }
        Ok(lines)
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<EllipticalNeverLocalizes>(
    "elliptical-never-localizes",
    "ReLU units on Student, Laplace, power-exponential and shell data beside the closed flow of each law's constant",
    "Do elliptical data ever localize (L000.11, L003.18)? Every elliptical law has the Gaussian flow in units of one constant and stays extended, whatever \
     its tails; the nonlinear process localizes from the same starts. A field off its flow, or as narrow as a dictator's, \
     would falsify it.",
);
