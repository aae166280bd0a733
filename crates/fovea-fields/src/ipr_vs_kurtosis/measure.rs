//! What is read off runs and data: runs that are trained on, spikes of heavy tails, and the kurtosis of ten thousand numbers,
//! the axis of the published figure, which heavy tails bias.

use super::IprVsKurtosis;
use super::source::{Heavy, entry_at, heavy};
use fovea_core::stats::quantile;
use fovea_desk::ipr_table::{field_at, fields_at};
use fovea_desk::prelude::*;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::sample::Sample;
use fovea_theory::kur::excess_kurtosis::excess_kurtosis;

/// Numbers behind one estimate: as many samples of one site.
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

/// One exponent at which runs have not arrived: the IPR of every run when the publication stops, and later.
pub(super) struct Late {
    pub(super) k: f64,
    pub(super) early: Vec<f64>,
    pub(super) end: Vec<f64>,
}

/// One exponent without a kurtosis, or without a variance: localized by its spikes, and for how long.
pub(super) struct Tails {
    pub(super) k: f64,
    /// Samples of a step.
    pub(super) batch: usize,
    /// Whether these are the runs with more samples per step, which follow those they repeat.
    pub(super) wide: bool,
    pub(super) source: Option<&'static Heavy>,
    pub(super) iprs: Vec<f64>,
    /// Size of the cosine between the fields half way and at the end, run by run.
    pub(super) kept: Vec<f64>,
    /// Runs that left the finite numbers.
    pub(super) diverged: usize,
}

impl IprVsKurtosis {
    /// One estimate per site and draw, about zero and not about their mean, as the published program has it.
    pub(super) fn estimates_at(&self, k: f64, desk: &Desk<'_>) -> Result<Estimates, LabError> {
        let law = self.law(k, self.sweep.xi_pos).build("stimulus")?;
        let streams = desk.streams().part(&format!("kurtosis,k={k}"));
        let draws: Vec<u64> = (0..self.estimates as u64).collect();
        let all = desk.fleet(&draws, |draw| {
            let stream = streams.replica(*draw).named("numbers");
            let mut sums = vec![[0.0; 2]; self.sweep.n];
            for row in Sample::draw(law.as_ref(), &stream, NUMBERS).rows() {
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
