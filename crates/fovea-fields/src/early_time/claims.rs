//! Claims on split times and on distances in units of the noise, and the tables of them.

use super::measure::{Courses, Trial};
use super::{CUT, EarlyTime, Found};
use fovea_desk::prelude::*;
use fovea_desk::published::Published;

/// Times in the authors' clock, one per seed, at which flow and training are shown together, and shown apart.
const TOGETHER: [f64; 4] = [20.0, 12.0, 12.5, 15.0];
const APART: [f64; 4] = [30.0, 20.0, 17.5, 25.0];
/// Our clock over theirs: the loss without 1/2 has twice the gradient, at half our rate.
const CLOCK: f64 = 2.0;
/// Records at which the Gaussian case is compared with its flow.
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

    pub(super) fn tables(&self) -> Vec<Table> {
        let seeds: Vec<_> = (1..).zip(TOGETHER).zip(APART).collect();
        let snapshots = Table::of("published_snapshots", &seeds)
            .whole("seed", |row| row.0.0)
            .given("together", |row| CLOCK * row.0.1)
            .given("apart", |row| CLOCK * row.1)
            .caption("Times in our clock at which the published snapshots of a seed show flow and training together, and apart.");
        let mut splits = Vec::new();
        for (trial, times) in [&self.binary, &self.cut].into_iter().zip(&self.splits) {
            let batch = trial.case.descent.batch;
            splits.extend((1..).zip(times).map(|(start, time)| (batch, start, *time)));
        }
        let splits = Table::of("splits", &splits)
            .whole("batch", |row| row.0)
            .whole("start", |row| row.1)
            .real("time", 1, |row| row.2.unwrap_or(f64::NAN))
            .caption("When the flow splits from training, for each start; none where it has not by the end.");
        let (all, cut) = self.both_split();
        let ratios: Vec<f64> = all.iter().zip(&cut).map(|(a, c)| c / a).collect();
        let ratio = Table::of("split_ratio", &[Estimate::from_samples(&ratios).ok()])
            .maybe("ratio", 2, |ratio| *ratio)
            .caption(format!(
                "Split times with 1/{CUT} of the batch, over those with all of it, mean over the starts that split in both."
            ));
        let mut looks = Vec::new();
        for (data, trial) in [("binary", &self.binary), ("Gaussian", &self.gaussian)] {
            looks.extend((0..=10).map(|look| (data, trial, (trial.times.len() - 1) * look / 10)));
        }
        let over = |trial: &Trial, of: &dyn Fn(&Courses) -> f64| {
            mean(&trial.starts.iter().map(of).collect::<Vec<_>>())
        };
        let course = Table::of("course", &looks)
            .words("data", |row| row.0)
            .real("t", 1, |(_, trial, at)| trial.times[*at])
            .real("distance", 4, |(_, trial, at)| over(trial, &|s| s.distance(*at)))
            .real("noise", 4, |(_, trial, at)| over(trial, &|s| s.noise(*at)))
            .real("ipr", 4, |(_, trial, at)| over(trial, &|s| s.ipr(*at)))
            .real("flow_ipr", 4, |(_, trial, at)| over(trial, &|s| ipr(&s.flow[*at])))
            .caption(
                "Mean over starts: relative distance of a run from the flow, the noise of a run by the spread of runs from one \
                 start, and the IPR of both.",
            );
        vec![splits, ratio, snapshots, course]
    }
}
