//! What the publication has, and what is measured on runs and data: runs whose training is continued, spikes of heavy tails, and the
//! kurtosis of ten thousand numbers, the axis of the published figure, which heavy tails bias.

use super::IprVsKurtosis;
use fovea_core::stats::quantile;
use fovea_desk::ipr_table::{Source, field_at, fields_at};
use fovea_desk::prelude::*;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::sample::Sample;
use fovea_theory::kur::excess_kurtosis::excess_kurtosis;

/// The published table: exponent; excess kurtosis as recorded, from ten thousand numbers of one site; and the final IPR at batch 50000.
///
/// 95 to 100 runs, of which 95 are taken, where another count is not given.
pub(super) const TABLE: [(f64, f64, Source); 13] = [
    (4.1, 4.63, Source { mean: 0.0339, sd: 0.0033, median: 0.0339, runs: 95, flow: Some(0.0337) }),
    (4.3, 3.38, Source { mean: 0.0354, sd: 0.0039, median: 0.0350, runs: 95, flow: Some(0.0350) }),
    (4.5, 2.48, Source { mean: 0.0372, sd: 0.0048, median: 0.0364, runs: 95, flow: Some(0.0368) }),
    (4.74, 1.71, Source { mean: 0.0403, sd: 0.0065, median: 0.0386, runs: 95, flow: Some(0.0395) }),
    (5.0, 1.11, Source { mean: 0.0452, sd: 0.0092, median: 0.0428, runs: 95, flow: Some(0.0438) }),
    (5.4, 0.51, Source { mean: 0.0591, sd: 0.0196, median: 0.0533, runs: 95, flow: Some(0.0542) }),
    (6.0, -0.03, Source { mean: 0.1184, sd: 0.0561, median: 0.105, runs: 30, flow: None }),
    (6.1, -0.09, Source { mean: 0.1131, sd: 0.0526, median: 0.105, runs: 95, flow: Some(0.0863) }),
    (7.0, -0.49, Source { mean: 0.3167, sd: 0.2109, median: 0.274, runs: 30, flow: None }),
    (7.7, -0.66, Source { mean: 0.4908, sd: 0.2634, median: 0.470, runs: 95, flow: Some(0.1975) }),
    (8.0, -0.71, Source { mean: 0.6126, sd: 0.2701, median: 0.799, runs: 30, flow: None }),
    (10.0, -0.93, Source { mean: 0.7960, sd: 0.1543, median: 0.846, runs: 95, flow: Some(0.289) }),
    (50.0, -1.20, Source { mean: 0.8871, sd: 0.0290, median: 0.890, runs: 95, flow: Some(0.425) }),
];

/// Samples per step in the publication.
pub(super) const PUBLISHED_BATCH: usize = 50_000;

/// One exponent without a kurtosis, from an earlier sweep of thirty runs that the publication leaves out.
pub(super) struct Heavy {
    pub(super) k: f64,
    /// What the published program divides by: the deviation of a million numbers from its generator at a fixed key.
    pub(super) unit: f64,
    pub(super) mean: f64,
    pub(super) sd: f64,
    pub(super) runs: usize,
}

/// The units are computed from the generator the program uses, since the distribution has no deviation for k of 2 and less.
pub(super) const HEAVY: [Heavy; 3] = [
    Heavy { k: 1.0, unit: 4248.97, mean: 0.869, sd: 0.182, runs: 30 },
    Heavy { k: 2.0, unit: 2.88649, mean: 0.411, sd: 0.322, runs: 30 },
    Heavy { k: 3.0, unit: 1.00154, mean: 0.031, sd: 0.002, runs: 30 },
];

/// Whether two exponents are one.
pub(super) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// The published numbers at an exponent without a kurtosis.
pub(super) fn heavy(k: f64) -> Option<&'static Heavy> {
    HEAVY.iter().find(|row| same(row.k, k))
}

/// The recorded kurtosis and the published IPRs at an exponent.
pub(super) fn entry_at(k: f64) -> Option<(f64, Source)> {
    TABLE.iter().find(|row| same(row.0, k)).map(|row| (row.1, row.2))
}

/// Numbers per estimate: samples of one site.
pub(super) const NUMBERS: usize = 10_000;

/// Estimates of the excess kurtosis at one exponent.
pub(super) struct Estimates {
    pub(super) k: f64,
    pub(super) exact: f64,
    /// As published.
    pub(super) recorded: Option<f64>,
    pub(super) all: Vec<f64>,
}

impl Estimates {
    /// The estimate at this level.
    pub(super) fn at(&self, level: f64) -> Result<f64, LabError> {
        Ok(quantile(&self.all, level)?)
    }
}

/// One exponent at which runs are still on their way: the IPR of every run when the publication stops, and later.
pub(super) struct Late {
    pub(super) k: f64,
    pub(super) early: Vec<f64>,
    pub(super) end: Vec<f64>,
}

/// One exponent without a kurtosis, or without a variance: localized by its spikes, and for how long.
pub(super) struct Tails {
    pub(super) k: f64,
    /// Samples per step.
    pub(super) batch: usize,
    /// Whether these are the runs with more samples per step, which follow those they repeat.
    pub(super) wide: bool,
    pub(super) source: Option<&'static Heavy>,
    pub(super) iprs: Vec<f64>,
    /// Size of the cosine between the fields half way and at the end, run by run.
    pub(super) kept: Vec<f64>,
    /// Runs that diverged.
    pub(super) diverged: usize,
}

impl IprVsKurtosis {
    /// One estimate per site and draw, about zero and not about their mean, as the published program has it.
    pub(super) fn estimates_at(&self, k: f64, desk: &Desk<'_>) -> Result<Estimates, LabError> {
        let data = self.data(k, self.sweep.xi_pos).build("stimulus")?;
        let streams = desk.streams().part(&format!("kurtosis,k={k}"));
        let draws: Vec<u64> = (0..self.estimates as u64).collect();
        let all = desk.fleet(&draws, |draw| {
            let stream = streams.replica(*draw).named("numbers");
            let mut sums = vec![[0.0; 2]; self.sweep.n];
            for row in Sample::draw(data.as_ref(), &stream, NUMBERS).rows() {
                for (sums, x) in sums.iter_mut().zip(row) {
                    sums[0] += x * x;
                    sums[1] += x * x * x * x;
                }
            }
            let kurtosis =
                |[square, fourth]: [f64; 2]| NUMBERS as f64 * fourth / (square * square) - 3.0;
            sums.into_iter().map(kurtosis).collect::<Vec<f64>>()
        })?;
        let recorded = entry_at(k).map(|(recorded, _)| recorded);
        Ok(Estimates { k, exact: excess_kurtosis(k), recorded, all: all.concat() })
    }

    pub(super) fn late_at(&self, k: f64, group: &Group<'_>) -> Late {
        let at = |steps: usize| fields_at(group, steps).into_iter().map(ipr).collect();
        Late { k, early: at(self.sweep.descent.steps), end: at(self.late_steps) }
    }

    pub(super) fn tails_at(&self, k: f64, group: &Group<'_>, wide: bool) -> Tails {
        let Descent { steps, batch, .. } = self.sweep.descent;
        // A run that diverged has fewer records: its last field is missing, and so is its partner here.
        let end = fields_at(group, steps);
        let completed = || group.runs.iter().filter(|run| run.completed());
        let half = completed().filter_map(|run| field_at(run, steps / 2));
        Tails {
            k,
            batch: if wide { self.wide_batch } else { batch },
            wide,
            source: heavy(k).filter(|_| self.comparable()),
            kept: half.zip(&end).map(|(a, b)| cosine(a, b).abs()).collect(),
            iprs: end.into_iter().map(ipr).collect(),
            diverged: group.runs.len() - completed().count(),
        }
    }
}
