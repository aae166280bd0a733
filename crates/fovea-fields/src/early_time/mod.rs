//! For how long does the amplifier's flow keep to training?
//!
//! The figure of lufkin2024 on early times: one bias-free ReLU unit on nearly binary data, its field beside the amplifier's flow from the same
//! start. The authors picked, for four seeds, a time at which the two are together and one at which they have split; their loss has no 1/2, so
//! that their rate 0.01 is 0.02 here and our clock shows twice theirs. Here two runs share every start. What they differ by is the noise of SGD, and
//! flow and training have split once they are further apart than a few times the noise the runs have early on. Split times must lie
//! between the published snapshots. On Gaussian data, where the flow is exact, the mean of two runs must be as far from the flow as
//! the noise alone puts it, at all times; with the second term of the flow doubled it must not.

pub mod case;
mod figure;
mod tell;

use case::{Case, Done};
use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Full, Row};
use fovea_desk::memory::check_records;
use fovea_desk::published;
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::{TwoClass, first_note_flow};
use fovea_page::report::Block;
use fovea_record::outcome::{Outcome, Series, Status};
use fovea_record::present::report_with;
use fovea_sim::train::Precision;

params! {
    /// Settings of `early-time`.
    pub struct EarlyTime {
        /// Ring size: inputs of the network.
        n: usize = 100, between(4.0, 1024.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 0.7, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 0.3, finite_above(0.0), "sites";
        /// Gain of the data.
        gain: f64 = 100.0, above(0.0), "";
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.02, finite_above(0.0), "";
        /// Fresh samples of a step; a quarter of it is tried as well.
        batch: usize = 10_000, between(8.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 5000, between(1.0, 1e7), "steps";
        /// Steps between records.
        record_every: usize = 50, between(1.0, 1e7), "steps";
        /// Factor on the Glorot variance 2/(n + 1) of the starts.
        init_scale: f64 = 0.001, between(1e-30, 1e30), "";
        /// Starts, two runs from each.
        starts: usize = 5, between(2.0, 1e4), "starts";
        /// The flow has split from training where its distance is this many times the early noise.
        factor: f64 = 3.0, between(1.0, 1e3), "";
        /// Gain of the Gaussian case.
        gaussian_gain: f64 = 0.01, between(1e-6, 0.1), "";
        /// Learning rate of the Gaussian case.
        gaussian_lr: f64 = 0.4, finite_above(0.0), "";
        /// Fresh samples of a step of the Gaussian case.
        gaussian_batch: usize = 20_000, between(1.0, 1e8), "samples";
        /// Starts of the Gaussian case, two runs from each.
        gaussian_starts: usize = 16, between(2.0, 1e4), "starts";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

/// Runs from every start: the least that show their noise.
const TWINS: usize = 2;

/// By how much the batch is cut to see whether split times hang on it.
const CUT: usize = 4;

impl Params for EarlyTime {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_records(
            self.steps,
            self.record_every,
            4 * self.n * TWINS * (self.starts + self.gaussian_starts),
        )
    }
}

impl EarlyTime {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: Kernel::Ring }
    }

    /// The published case, the same with fewer samples a step, and the Gaussian one over the same time.
    fn cases(&self) -> [Case; 3] {
        let (gain, lr, starts) = (self.gain, self.lr, self.starts);
        let (steps, record_every) = (self.steps, self.record_every);
        let with = |batch: usize| Case { gain, lr, batch, steps, record_every, starts };
        let steps = ((self.lr * self.steps as f64 / self.gaussian_lr).round() as usize).max(1);
        let gaussian = Case {
            gain: self.gaussian_gain,
            lr: self.gaussian_lr,
            batch: self.gaussian_batch,
            steps,
            record_every: steps.div_ceil(self.steps.div_ceil(self.record_every)),
            starts: self.gaussian_starts,
        };
        [with(self.batch), with(self.batch / CUT), gaussian]
    }

    /// Trains every run of every case, and follows the flow of each from every start.
    fn train(&self, bench: &Bench<'_>) -> Result<Vec<Done>, LabError> {
        let cases = self.cases();
        let steps: usize = cases.iter().map(|case| case.steps * case.starts * TWINS).sum();
        bench.progress.expect(steps as u64);
        cases.into_iter().map(|case| case.train(self, bench)).collect()
    }
}

impl Experiment for EarlyTime {
    const FULL: Option<Full<Self>> = Some(Full {
        settings: || Self { batch: 50_000, gaussian_batch: 100_000, ..Self::default() },
        takes: "four minutes",
    });

    fn quick() -> Self {
        Self {
            n: 40,
            lr: 0.1,
            batch: 8000,
            steps: 800,
            record_every: 10,
            starts: 3,
            gaussian_batch: 4000,
            ..Self::default()
        }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let done = self.train(bench)?;
        let mut series = Series::default();
        let mut named = Vec::new();
        for Done { case, runs, .. } in &done {
            for (i, run) in runs.iter().enumerate() {
                let name = case.curve(i / TWINS, i % TWINS);
                series.add(&name, case.lr, &case.plan(self), run);
                named.push((name, run));
            }
        }
        let status = status_of(named);
        let (mut arrays, mut claims) = (Vec::new(), Vec::new());
        let (mut figures, mut summary, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        if status == Status::Completed {
            let found = tell::Found::new(self, &done);
            let rows = found.published()?;
            claims.extend(rows.iter().map(|row| row.claim("published")));
            claims.push(found.exact()?);
            arrays = found.arrays();
            summary = published::lines(&rows)?;
            let words = found.in_words()?;
            blocks.push(published::table(&rows)?);
            blocks.push(Block::Code(words.join("\n")));
            summary.extend(words);
            figures.push(("early-time", figure::figure(self, &found)?));
        }
        let report = report_with(&tell::WORDS, self, &figures, &claims, blocks);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<EarlyTime>(
    "early-time",
    "the amplifier's flow beside SGD from the same starts: together at first, and the time at which they split",
    "For how long does the amplifier's flow keep to training? On nearly binary data the two must split between the published \
     snapshots, by a distance measured against the noise between two runs from one start (L000.38). On Gaussian data, where the flow \
     is exact, the mean of two runs must be as far from the flow as that noise puts it, at every time (L003.9).",
);
