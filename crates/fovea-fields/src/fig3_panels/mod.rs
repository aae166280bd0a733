//! Can the figure that shows the localization amplifier at work be reproduced, number by number?
//!
//! Figure 3 of lufkin2024 trains one ReLU unit on data of three kurtoses: spins of an Ising ring (1), a nonlinear process at gain 0.01,
//! Gaussian for all purposes (3), and an algebraic distribution with heavy tails. The amplifier `phi` bends down, is a line and bends
//! up; the first field is a bump whose place the flow predicts, the others end flat. Every number of the panels is compared with ours.
//! The printed kurtosis of the heavy tails, 3.864, is not that of the distribution: the fourth power has a tail index of 5/4, so that
//! four million samples of a site fall short of 4.285 by what lies beyond their largest. A sample without that gap, a bump away from the
//! flow's, or a flat field off its closed form would falsify it.
//!
//! Lengths, kernel and `batch` are those of the two distributions other than spins. The published learning rate, 0.05, belongs to the
//! loss without its 1/2.

mod claims;
mod figure;
pub mod measure;

use fovea_desk::prelude::*;
use fovea_desk::published;
use measure::{Column, Law};

params! {
    /// Settings of `fig3-panels`.
    pub struct Fig3Panels {
        ..two: TwoClass { xi_pos = 3.0; n = 40, between(4.0, 1024.0) };
        ..descent: Descent { lr = 0.1; steps = 2000; batch = 10_000, between(2.0, 1e8) };
        /// Coupling of the Ising ring of class `pos`, label 1.
        coupling_pos: f64 = 0.7, between(-2.0, 2.0), "";
        /// Coupling of the Ising ring of class `neg`, label 0.
        coupling_neg: f64 = 0.3, between(-2.0, 2.0), "";
        /// Gain of the nonlinear process that stands for Gaussian data.
        gain: f64 = 0.01, above(0.0), "";
        /// Exponent of the algebraic distribution.
        k: f64 = 5.0, between(4.1, 1e3), "";
        /// Steps between records.
        record_every: usize = 10, between(1.0, 1e9), "steps";
        /// Fresh samples per step on Ising rings, instead of `batch`.
        batch_ising: usize = 500, between(2.0, 1e8), "samples";
        /// Factor on the Glorot variance 2/(n + 1) of the starts.
        init_scale: f64 = 0.001, between(1e-30, 1e30), "";
        /// Runs on each of the other two distributions; the publication shows one.
        seeds: usize = 8, between(2.0, 1e4), "seeds";
        /// Runs on Ising rings; the publication shows one.
        seeds_ising: usize = 32, between(2.0, 1e4), "seeds";
        /// Samples, each of all sites, behind a printed kurtosis.
        samples: usize = 100_000, between(1000.0, 1e7), "samples";
        /// Such sets of samples.
        sets: usize = 32, between(2.0, 1e4), "sets";
    }
}

impl Params for Fig3Panels {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        for balanced in [self.descent.batch, self.batch_ising, self.samples] {
            check_labels(Labels::Balanced, balanced)?;
        }
        let fields = 2 * self.seeds + self.seeds_ising;
        check_records(self.descent.steps, self.record_every, 2 * self.two.n * fields)
    }
}

impl Fig3Panels {
    /// Whether training is that of the publication, so that its fields may be compared.
    fn trains_as_published(&self) -> bool {
        let free = ["seeds", "seeds_ising", "sets", "samples", "record_every", "precision"];
        published::same_settings(self, &Self::default(), &free)
    }

    /// Whether a set of samples is as large as that behind a printed kurtosis.
    fn samples_as_published(&self) -> bool {
        let own = Self::default();
        self.samples == own.samples && self.two.n == own.two.n
    }

    /// Runs on a distribution, and fresh samples per step.
    fn size(&self, law: Law) -> (usize, usize) {
        match law {
            Law::Ising => (self.seeds_ising, self.batch_ising),
            Law::Gaussian | Law::Heavy => (self.seeds, self.descent.batch),
        }
    }

    fn arm(&self, law: Law) -> Arm {
        let probes = &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY];
        Arm {
            name: law.word().to_owned(),
            task: law.task(self),
            network: committee(1, &activation::relu::ENTRY, Bias::None, self.init_scale),
            pace: Pace::online(self.descent.lr, self.size(law).1),
            plan: self.descent.plan(self.record_every, probes),
        }
    }

    /// Whether training records after this many steps.
    fn records(&self, step: usize) -> bool {
        step.is_multiple_of(self.record_every) || step == self.descent.steps
    }

    /// The time of every record.
    fn times(&self) -> Vec<f64> {
        let due = (0..=self.descent.steps).filter(|step| self.records(*step));
        due.map(|step| step as f64 * self.descent.lr).collect()
    }
}

impl Experiment for Fig3Panels {
    /// The three columns of the figure.
    type Found<'r> = [Column; 3];

    const WORDS: Words<'static> = Words {
        title: "The amplifier's figure, number by number",
        lead: "Spins localize one ReLU unit at a place that the amplifier's flow predicts; Gaussian data and heavy tails leave it flat. The printed numbers are \
               reproduced, and the kurtosis printed for the heavy tails is that of a sample: most samples of that size have less kurtosis than the distribution.",
        caption: figure::CAPTION,
        formulas: &[
            r"\varphi(a)=\mathbb E\Big[X\,\mathrm{erf}\frac{aX}{\sqrt{2(1-a^2)}}\Big],\qquad \varphi'(0)=\sqrt{2/\pi},\qquad \varphi(1)=\mathbb E|X|",
            r"\dot w=\tfrac14\big[\varphi(a)-(C_{+}+C_{-})w\big],\qquad a=\frac{C_{+}w}{\sqrt{w^\top C_{+}w}},\qquad w_{\mathrm{flat}}=\sqrt{\frac2{\pi n}}\,\frac{\sqrt{\lambda^{+}_0}}{\lambda^{+}_0+\lambda^{-}_0}",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        let two = TwoClass { n: 16, xi_pos: 1.5, xi_neg: 0.7, ..base.two };
        let descent = Descent { batch: 1000, steps: 600, ..base.descent };
        Self { two, descent, seeds: 6, samples: 4000, sets: 6, ..base }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let of = |law: Law| self.arm(law).jobs(streams.part(law.word()), self.size(law).0);
        Ok(Law::ALL.into_iter().flat_map(of).collect())
    }

    fn parts(&self) -> u64 {
        Law::ALL.map(|law| (self.size(law).0 + self.sets) as u64).iter().sum()
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<[Column; 3], LabError> {
        let of = |law: Law| Column::measure(self, law, &runs.group(law.word()), desk);
        let [spins, gaussian, heavy] = Law::ALL;
        Ok([of(spins)?, of(gaussian)?, of(heavy)?])
    }

    fn show(&self, runs: &Runs, columns: &[Column; 3]) -> Result<Shown, LabError> {
        let rows = claims::published(self, columns)?;
        let mut claims = claims::claims(self, columns)?;
        claims.extend(rows.iter().filter_map(|row| row.open(claims::ID)));
        let [kurtosis, weights] = claims::tables(self, columns)?;
        let tables = vec![kurtosis, weights, published::table(&rows)];
        let mut arrays = runs.weights();
        arrays.extend(columns.iter().flat_map(Column::arrays));
        arrays.push(Array::of_entries("time", &self.times()));
        let figures = vec![("fig3-panels", figure::figure(self, columns))];
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Fig3Panels>(
    "fig3-panels",
    "figure 3 of lufkin2024: amplifier, kurtosis and field of one ReLU unit on spins, Gaussian data and heavy tails",
    include_str!("mod.rs"),
);
