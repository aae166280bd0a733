//! What the runs say: split times, distances in units of the noise, and the words for them.

use super::measure::{Courses, Trial};
use super::{CUT, EarlyTime, Found};
use fovea_core::vector::extent;
use fovea_desk::prelude::*;
use fovea_desk::published::Published;
use fovea_sim::probe::ipr::ipr;

/// Times in the authors' clock, a seed each, at which flow and training are shown together, and shown apart.
const TOGETHER: [f64; 4] = [20.0, 12.0, 12.5, 15.0];
const APART: [f64; 4] = [30.0, 20.0, 17.5, 25.0];
/// Our clock over theirs: the loss without 1/2 has twice the gradient, at half our rate.
const CLOCK: f64 = 2.0;
/// Records at which the Gaussian case is held to its flow.
const LOOKS: usize = 5;

/// The published window in our clock: from the first time shown together to the last shown apart.
pub(super) fn window() -> [f64; 2] {
    [CLOCK * extent(&TOGETHER)[0], CLOCK * extent(&APART)[1]]
}

impl Found {
    /// Whether the data and the clock are the publication's.
    fn comparable(ours: &EarlyTime) -> bool {
        let data = |s: &EarlyTime| [s.n as f64, s.xi_pos, s.xi_neg, s.gain, s.init_scale];
        let theirs = data(&EarlyTime::default());
        data(ours).iter().zip(theirs).all(|(a, b)| (a - b).abs() <= 1e-12 * b)
            && ours.descent.lr * ours.descent.steps as f64 > window()[1]
    }

    /// The mean time of the starts that have split, inside the window between the published snapshots.
    pub(super) fn published(&self, settings: &EarlyTime) -> Result<Vec<Published>, LabError> {
        let split: Vec<f64> = self.splits[0].iter().copied().flatten().collect();
        if !Self::comparable(settings) || split.len() < 2 {
            return Ok(Vec::new());
        }
        let [low, high] = window();
        let range = (0.5 * (low + high), 0.5 * (high - low));
        let starts = self.splits[0].len();
        let what = format!("split time, mean of {} of {starts} starts", split.len());
        Ok(vec![Published::range(what, range, Estimate::from_samples(&split)?)])
    }

    /// On Gaussian data the mean run is at the flow but for the noise, at several records.
    pub(super) fn exact(&self) -> Result<Claim, LabError> {
        let Trial { case, times, starts } = &self.gaussian;
        let last = times.len() - 1;
        let (mut right, mut wrong) = (Vec::new(), Vec::new());
        for look in 1..=LOOKS.min(last) {
            let at = last * look / LOOKS.min(last);
            let of = |flow: fn(&Courses) -> &[Vec<f64>]| {
                let all: Vec<f64> = starts.iter().map(|s| s.excess(flow(s), at)).collect();
                Estimate::from_samples(&all)
            };
            right.push((of(|s| &s.flow)?, 0.0));
            wrong.push((of(|s| s.wrong.as_deref().unwrap_or_default())?, 0.0));
        }
        let statement = format!(
            "gain {}: logarithm of the squared distance of the mean run from the exact flow, over that of the noise, is 0 at {} times",
            case.gain,
            right.len()
        );
        let claim = Claim::family("L003.9", statement, &right)
            .rejecting("the flow with its second term doubled", &wrong);
        // Of a ratio whose logarithm is predicted to vanish.
        let noticed = right.iter().map(|(mean, _)| claim.limit * mean.se() + mean.mean().abs());
        let resolution = noticed.fold(f64::INFINITY, f64::min);
        Ok(Claim { resolution, ..claim }.only_as_stated())
    }

    /// Split times with the whole batch and with a part of it, of the starts that split in both.
    pub(super) fn both_split(&self) -> (Vec<f64>, Vec<f64>) {
        let [all, cut] = &self.splits;
        all.iter().zip(cut).filter_map(|(all, cut)| Some(((*all)?, (*cut)?))).unzip()
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let mut arrays = Vec::new();
        for Trial { case, times, starts } in [&self.binary, &self.cut, &self.gaussian] {
            let records = 0..times.len();
            let rows = |of: &dyn Fn(&Courses, usize) -> f64| -> Vec<Vec<f64>> {
                starts.iter().map(|s| records.clone().map(|i| of(s, i)).collect()).collect()
            };
            let name = case.name();
            arrays.push(Array::of_entries(format!("times_{name}"), times));
            arrays.push(Array::of_rows(format!("distance_{name}"), &rows(&Courses::distance)));
            arrays.push(Array::of_rows(format!("noise_{name}"), &rows(&Courses::noise)));
        }
        arrays
    }

    pub(super) fn in_words(&self) -> Result<Vec<String>, LabError> {
        let list = |times: &[Option<f64>]| -> String {
            let word =
                |t: &Option<f64>| t.map_or_else(|| "never".to_owned(), |t| format!("{t:.0}"));
            times.iter().map(word).collect::<Vec<_>>().join(", ")
        };
        let doubled = |times: [f64; 4]| list(&times.map(|t| Some(CLOCK * t)));
        let mut lines = vec![format!(
            "published snapshots, a seed each, in our clock: together at t = {}; apart at {}",
            doubled(TOGETHER),
            doubled(APART)
        )];
        for (trial, splits) in [&self.binary, &self.cut].into_iter().zip(&self.splits) {
            let batch = trial.case.descent.batch;
            lines.push(format!("batch {batch}: the starts split at t = {}", list(splits)));
        }
        let (all, cut) = self.both_split();
        let ratios: Vec<f64> = all.iter().zip(&cut).map(|(a, c)| c / a).collect();
        if ratios.len() > 1 {
            let ratio = Estimate::from_samples(&ratios)?;
            lines.push(format!(
                "split times with 1/{CUT} of the batch, over those with all of it: {:.2} +- {:.2}",
                ratio.mean(),
                ratio.se()
            ));
        }
        for (what, trial) in [("binary", &self.binary), ("Gaussian", &self.gaussian)] {
            let Trial { times, starts, .. } = trial;
            let rows = (0..=10).map(|look| {
                let at = (times.len() - 1) * look / 10;
                let of = |of: &dyn Fn(&Courses) -> f64| {
                    format!("{:.4}", mean(&starts.iter().map(of).collect::<Vec<_>>()))
                };
                vec![
                    format!("{:.1}", times[at]),
                    of(&|s| s.distance(at)),
                    of(&|s| s.noise(at)),
                    of(&|s| s.ipr(at)),
                    of(&|s| ipr(&s.flow[at])),
                ]
            });
            lines.push(format!("{what}, mean over starts:"));
            lines.extend(table(&["t", "distance", "noise", "IPR", "flow IPR"], rows));
        }
        Ok(lines)
    }
}
