//! Does negative kurtosis localize a field, however strongly its inputs are correlated?
//!
//! Spins have excess kurtosis -2, the least there is, at every coupling. On an Ising ring the population flow of one ReLU unit can be
//! solved exactly, cell by cell (`cell_flow`), so that its ends are known without sampling: at weak coupling every random start ends with one
//! site that outvotes the others, in the dictator state `w* = (C_neg + C_pos)^-1 C_pos e_i` (L000.39); at stronger coupling fields of
//! several sites take over, first beside the dictator state, which still exists, then alone; at last the field is nearly flat. A flow that ends in a
//! dictator's cell away from `w*`, a late mean of trained fields off `w*`, or a flow that ends with one dominating site where `w*` contradicts
//! its gate would falsify the theorem.

mod figure;
mod rests;
mod trained;

use fovea_core::params::{any, between, finite_above};
use fovea_core::{ParamError, Params, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::memory::check_records;
use fovea_desk::runs::{AddRun, status_of};
use fovea_record::outcome::{Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::train::Precision;
use fovea_sim::{Plan, Times, loss, probe};
use rests::Rests;
use trained::{Job, Large, Small};

params! {
    /// Settings of `ising-transition`.
    pub struct IsingTransition {
        /// Ring size of the exact flow.
        n: usize = 14, between(4.0, 16.0), "sites";
        /// Coupling of class `neg`, label 0.
        coupling_neg: f64 = 0.3, between(-2.0, 2.0), "";
        /// Couplings of class `pos`, label 1.
        coupling_pos: Vec<f64> = vec![
            0.5, 0.6, 0.7, 0.74, 0.76, 0.78, 0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.95, 1.0, 1.1, 1.2, 1.5, 2.0
        ], between(-2.0, 3.0), "";
        /// Random starts at every coupling.
        starts: usize = 8, between(1.0, 1000.0), "starts";
        /// Factor on the Glorot variance 2/(n + 1) of the starts.
        init_scale: f64 = 0.01, between(1e-12, 1e6), "";
        /// Couplings of class `pos` at which units are trained beside the exact flow, from its first start.
        trained: Vec<f64> = vec![0.5, 0.7, 0.8, 0.9, 1.2], between(-2.0, 3.0), "";
        /// Ring size at which the closed form meets training.
        n_large: usize = 40, between(8.0, 1024.0), "sites";
        /// Coupling of class `pos` there.
        coupling_large: f64 = 0.7, between(-2.0, 3.0), "";
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.05, finite_above(0.0), "";
        /// Fresh samples of a step.
        batch: usize = 4000, between(1.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 3000, between(10.0, 1e8), "steps";
        /// Steps between records.
        record_every: usize = 20, between(1.0, 1e8), "steps";
        /// Trained units at every coupling, each with samples of its own.
        replicas: usize = 12, between(2.0, 1e4), "runs";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for IsingTransition {
    fn check(&self) -> Result<(), ParamError> {
        let runs = self.replicas * (self.trained.len() * self.n + self.n_large);
        check_records(self.steps, self.record_every, runs)?;
        if self.steps < 6 * self.record_every {
            return Err(ParamError::Inconsistent {
                what: format!("{} steps with a record every {}", self.steps, self.record_every),
                hint: "take at least six records, of which the last third is averaged".to_owned(),
            });
        }
        Ok(())
    }
}

impl IsingTransition {
    fn plan(&self) -> Plan<'static> {
        Plan {
            steps: self.steps as u64,
            record: Times::Every(self.record_every as u64),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::weights::ENTRY, &probe::ipr::ENTRY],
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        }
    }
}

const WORDS: Words<'static> = Words {
    title: "Localization lost at fixed kurtosis",
    lead: "Spins have the most negative kurtosis there is. A ReLU unit between two Ising rings localizes on one site at weak coupling and loses \
           it at strong coupling; the exact flow says where each start ends, and training follows.",
    caption: figure::CAPTION,
    formulas: &[
        r"\dot w=\tfrac12f(w)-\tfrac14(C_{-}+C_{+})\,w,\qquad f(w)=\mathbb{E}_{+}[\mathbf{1}(\langle w,x\rangle\ge0)\,x]\ \text{ constant in every cell}",
        r"w_c=2(C_{-}+C_{+})^{-1}f_c\ \text{ is an end of the flow if and only if it lies in its own cell } c;\qquad f_c=\tfrac12C_{+}e_i\ \text{ where } 2|w_i|>\|w\|_1",
    ],
};

impl Experiment for IsingTransition {
    fn quick() -> Self {
        Self {
            coupling_pos: vec![0.5, 0.74, 0.8, 0.9, 2.0],
            starts: 3,
            trained: vec![0.7, 0.8],
            batch: 1000,
            steps: 1800,
            replicas: 8,
            ..Self::default()
        }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let jobs = trained::jobs(self);
        bench.progress.expect((self.coupling_pos.len() * self.starts) as u64);
        bench.progress.expect_training((jobs.len() * self.steps) as u64);
        let rests = Rests::new(self, bench)?;
        let runs = bench.fleet(&jobs, |job| trained::run(self, job, &rests, bench));
        let runs = runs.into_iter().collect::<Result<Vec<_>, ParamError>>()?;

        let (plan, mut series) = (self.plan(), Series::default());
        for (job, run) in jobs.iter().zip(&runs) {
            series.add(&job.name(self), self.lr, &plan, run);
        }
        let status = status_of(jobs.iter().map(|job| job.name(self)).zip(&runs));
        let mut arrays = rests.arrays();
        let (mut claims, mut figures) = (rests.claims(self), Vec::new());
        let mut summary = rests.summary(self);
        if status == Status::Completed {
            let of = |wanted: Option<usize>| {
                let same = move |job: &Job| job.trained == wanted;
                jobs.iter().zip(&runs).filter(move |(job, _)| same(job)).map(|(_, run)| run)
            };
            let small = (0..self.trained.len())
                .map(|i| Small::new(self, i, &rests, of(Some(i))))
                .collect::<Result<Vec<_>, _>>()?;
            let large = Large::new(self, of(None))?;
            claims.push(large.claim(self));
            arrays.extend(small.iter().map(Small::array));
            arrays.push(large.array());
            summary.extend(trained::summary(self, &small, &large));
            figures.push(("ising-transition", figure::figure(self, &rests, &small, &large)));
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<IsingTransition>(
    "ising-transition",
    "one ReLU unit between Ising rings: localization is lost at strong coupling though the kurtosis stays -2",
    "Does negative kurtosis localize a field, however strongly its inputs are correlated? The exact flow between Ising rings ends in the \
     dictator state (L000.39) at weak coupling, beside it in larger cells, and nearly flat at strong coupling. A flow that ends in a dictator's \
     cell away from that state, or a late mean of trained fields off it, would falsify the theorem.",
);
