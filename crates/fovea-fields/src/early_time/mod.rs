//! For how long does the amplifier's flow keep to training?
//!
//! The figure of lufkin2024 on early times: one bias-free ReLU unit on nearly binary data, its field and the amplifier's flow from the same
//! start. The authors picked, for four seeds, a time at which the two are together and one at which they have split; their loss has no 1/2, so
//! that their rate 0.01 is 0.02 here and our clock shows twice theirs. Here two runs share every start. What they differ by is the noise of SGD, and
//! flow and training have split once they are further apart than a few times the noise the runs have early on. Split times must lie
//! between the published snapshots. On Gaussian data, where the flow is exact, the mean of two runs must be as far from the flow as
//! the noise alone puts it, at all times; with the second term of the flow doubled it must not. A quarter of the `batch` is tried as well.

mod claims;
mod figure;
pub mod measure;

use fovea_desk::prelude::*;
use fovea_desk::published;
use measure::{Case, Trial};

params! {
    /// Settings of `early-time`.
    pub struct EarlyTime {
        ..descent: Descent { batch = 10_000, between(8.0, 1e8); steps = 5000, between(1.0, 1e7) };
        /// Ring size: inputs of the network.
        n: usize = 100, between(4.0, 1024.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 0.7, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 0.3, finite_above(0.0), "sites";
        /// Gain of the data.
        gain: f64 = 100.0, above(0.0), "";
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
        /// Fresh samples per step of the Gaussian case.
        gaussian_batch: usize = 20_000, between(1.0, 1e8), "samples";
        /// Starts of the Gaussian case, two runs from each.
        gaussian_starts: usize = 16, between(2.0, 1e4), "starts";
    }
}

/// Runs from every start: the least number that shows their noise.
const TWINS: usize = 2;

/// By how much the batch is cut to see whether split times depend on it.
const CUT: usize = 4;

impl Params for EarlyTime {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        let [binary, cut, gaussian] = self.cases().map(|case| case.name());
        if gaussian == binary || gaussian == cut {
            let what = format!("two cases are {gaussian}");
            let hint = "choose another gain, batch or gaussian_batch".to_owned();
            return Err(ParamError::Inconsistent { what, hint });
        }
        let numbers = 4 * self.n * TWINS * (self.starts + self.gaussian_starts);
        check_records(self.descent.steps, self.record_every, numbers)
    }
}

impl EarlyTime {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: Kernel::Ring }
    }

    /// The published case, the same with fewer samples per step, and the Gaussian one over the same time.
    fn cases(&self) -> [Case; 3] {
        let Descent { lr, batch, steps, .. } = self.descent;
        let Self { gain, record_every, starts, .. } = *self;
        let with = |batch: usize| {
            let descent = Descent { batch, ..self.descent };
            Case { gain, descent, record_every, starts }
        };
        let own = ((lr * steps as f64 / self.gaussian_lr).round() as usize).max(1);
        let (lr, batch_own) = (self.gaussian_lr, self.gaussian_batch);
        let gaussian = Case {
            gain: self.gaussian_gain,
            descent: Descent { lr, batch: batch_own, steps: own, ..self.descent },
            record_every: own.div_ceil(steps.div_ceil(record_every)),
            starts: self.gaussian_starts,
        };
        [with(batch), with(batch / CUT), gaussian]
    }
}

/// All cases: the published one, the same with fewer samples per step, and the Gaussian one.
pub struct Found {
    binary: Trial,
    cut: Trial,
    gaussian: Trial,
    /// When each start splits, in the first two.
    splits: [Vec<Option<f64>>; 2],
}

impl Experiment for EarlyTime {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "For how long the amplifier's flow keeps to training",
        lead: "On nearly binary data training and the amplifier's flow cannot be told apart until one site takes over, which training does sooner; later both rest on \
               the same site with different tails. On Gaussian data, where the flow is exact, they are never told apart.",
        caption: figure::CAPTION,
        formulas: &[
            r"\dot w=\tfrac14\big[\varphi(a)-(C_{+}+C_{-})w\big],\qquad a=\frac{C_{+}w}{\sqrt{w^\top C_{+}w}},\qquad\text{exact on Gaussian data: }\varphi(a)=\sqrt{2/\pi}\,a",
            r"D^2=\frac{\overline{|w_r-w|^2}}{|w|^2},\qquad N^2=\frac{\sum_r|w_r-\bar w|^2}{(R-1)\,|w|^2},\qquad\text{split: the first record with }D>3N_{\mathrm{early}}",
        ],
    };

    const FULL: Option<Full<Self>> = Some(Full {
        settings: || {
            let base = Self::default();
            let descent = Descent { batch: 50_000, ..base.descent };
            Self { descent, gaussian_batch: 100_000, ..base }
        },
        takes: "four minutes",
    });

    fn quick() -> Self {
        let base = Self::default();
        let descent = Descent { lr: 0.1, batch: 8000, steps: 800, ..base.descent };
        Self { n: 40, descent, record_every: 10, starts: 3, gaussian_batch: 4000, ..base }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let probes = &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY];
        let mut jobs = Vec::new();
        for case in self.cases() {
            let task = self.two_class().spec(case.gain, Labels::Iid);
            for index in 0..case.starts * TWINS {
                let (start, replica) = (index / TWINS, index % TWINS);
                // The same starts in every case.
                let own = streams.part("start").replica(start as u64);
                let network = one_unit(&glorot(self.n, self.init_scale, &own)?)?;
                let streams = streams.part(&case.name()).replica(index as u64);
                let plan = case.descent.plan(case.record_every, probes);
                let stage = case.descent.stage(&task, plan, streams);
                let group = case.of_start(start);
                let label = format!("{group},replica={replica}");
                jobs.push(Job::new(label, Start::Given(network), stage).in_group(group));
            }
        }
        Ok(jobs)
    }

    fn parts(&self) -> u64 {
        self.cases().iter().map(|case| case.starts as u64).sum()
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let [binary, cut, gaussian] = self.cases().map(|case| Trial::of(self, case, runs, desk));
        let (binary, cut) = (binary?, cut?);
        let splits = [binary.splits(self.factor)?, cut.splits(self.factor)?];
        Ok(Found { binary, cut, gaussian: gaussian?, splits })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let rows = found.published(self)?;
        let mut claims: Vec<Claim> = rows.iter().filter_map(|row| row.open("early-time")).collect();
        claims.push(found.exact()?);
        let mut tables = found.tables();
        if !rows.is_empty() {
            tables.push(published::table(&rows));
        }
        Ok(Shown {
            arrays: found.arrays(),
            claims,
            figures: vec![("early-time", figure::figure(self, found)?)],
            tables,
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<EarlyTime>(
    "early-time",
    "the amplifier's flow and SGD from the same starts: together at first, and the time at which they split",
    include_str!("mod.rs"),
);
