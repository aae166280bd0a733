//! Losses over a range of learning rates, and what one step does.

use super::MupTransfer;
use fovea_desk::prelude::*;
use fovea_desk::widths::{N_IN, angles, norm, on_circle};
use fovea_sim::mlp::{Descent, Parametrisation};
use fovea_sim::schedule::constant::Constant;

/// The rate at which one step is taken.
const ONE_STEP: f64 = 0.01;

/// Standard errors by which a ridge stands above the valleys beside it.
const RIDGE: f64 = 3.0;

/// One activation in one parametrisation.
pub(super) struct Sweeps {
    /// Mean logarithm of the loss left by width and rate; infinite where a network diverged.
    pub(super) losses: Vec<Vec<f64>>,
    /// Valleys of that, by width.
    pub(super) valleys: Vec<usize>,
    /// Best rates by network and width.
    pub(super) best: Vec<Vec<f64>>,
}

impl Sweeps {
    /// Trains every network at every rate.
    pub(super) fn new(
        settings: &MupTransfer,
        s: &Function,
        arm: Parametrisation,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let widths = &settings.width;
        let all: Vec<(u64, usize)> =
            (0..settings.nets as u64).flat_map(|i| widths.iter().map(move |n| (i, *n))).collect();
        let sweeps = desk.fleet(&all, |(i, n)| settings.sweep(s, arm, *n, *i, desk))?;
        // A stop ends sweeps in their middle.
        desk.go_on()?;
        let best = sweeps.iter().map(|losses| settings.best(losses)).collect::<Option<Vec<f64>>>();
        let best = best.ok_or_else(|| ParamError::Inconsistent {
            what: format!(
                "the best rate of a {} network is none of those tried, {}",
                s.name(),
                arm.word()
            ),
            hint: "choose a wider `lr`".to_owned(),
        })?;
        let at =
            |w: usize| -> Vec<&Vec<f64>> { sweeps.iter().skip(w).step_by(widths.len()).collect() };
        let mean = |rows: &[&Vec<f64>]| -> Vec<f64> {
            let count = rows.len() as f64;
            (0..rows[0].len()).map(|k| rows.iter().map(|row| row[k]).sum::<f64>() / count).collect()
        };
        Ok(Self {
            losses: (0..widths.len()).map(|w| mean(&at(w))).collect(),
            valleys: (0..widths.len()).map(|w| valleys(&at(w))).collect(),
            best: best.chunks(widths.len()).map(<[f64]>::to_vec).collect(),
        })
    }
}

/// How many valleys the mean of these rows has; a ridge counts where it stands above both sides by more than noise. No learning counts as a loss that stays, so that one network cannot make a ridge.
pub fn valleys(rows: &[&Vec<f64>]) -> usize {
    let rows: Vec<Vec<f64>> =
        rows.iter().map(|row| row.iter().map(|x| x.min(0.0)).collect()).collect();
    let mean: Vec<f64> = (0..rows[0].len())
        .map(|k| rows.iter().map(|row| row[k]).sum::<f64>() / rows.len() as f64)
        .collect();
    let lowest = |k: usize| {
        let beside = |other: Option<&f64>| other.is_none_or(|other| mean[k] < *other);
        let before = if k == 0 { None } else { mean.get(k - 1) };
        beside(before) && beside(mean.get(k + 1))
    };
    let mut count = 0;
    let mut last: Option<usize> = None;
    for k in (0..mean.len()).filter(|k| lowest(*k)) {
        let Some(left) = last else {
            (last, count) = (Some(k), 1);
            continue;
        };
        let ridge = (left..=k).max_by(|a, b| mean[*a].total_cmp(&mean[*b])).unwrap_or(k);
        let above = |valley: usize| {
            let rise: Vec<f64> = rows.iter().map(|row| row[ridge] - row[valley]).collect();
            Estimate::from_samples(&rise).is_ok_and(|rise| rise.mean() > RIDGE * rise.se())
        };
        if above(left) && above(k) {
            (last, count) = (Some(k), count + 1);
        } else if mean[k] < mean[left] {
            last = Some(k);
        }
    }
    count
}

impl MupTransfer {
    /// The logarithm of the loss that is left at every rate, from one start.
    fn sweep(
        &self,
        s: &Function,
        arm: Parametrisation,
        width: usize,
        index: u64,
        desk: &Desk<'_>,
    ) -> Vec<f64> {
        let shape = Self::shape(s, width, arm);
        let part = format!("{} {} {width}", s.name(), arm.word());
        let streams = desk.streams().part(&part).replica(index);
        let start = shape.draw(&streams);
        let set = on_circle(&angles(self.examples));
        let left = |lr: &f64| {
            let mut mlp = start.clone();
            let descent = Descent {
                lr: *lr,
                rates: &shape.rates(),
                schedule: &Constant::default(),
                batch: None,
                steps: self.steps as u64,
            };
            descent.run(&mut mlp, &set, &streams, |_, _| desk.go_on().is_ok());
            let gone = 2.0 * libm::log(norm(mlp.errors(&set)) / norm(set.y.iter().copied()));
            // A loss above that of no output at all counts as no learning.
            if gone <= 0.0 { gone } else { f64::INFINITY }
        };
        self.rates().iter().map(left).collect()
    }

    /// The rate of the least loss, between rates by the parabola through its neighbours.
    fn best(&self, losses: &[f64]) -> Option<f64> {
        let rates = self.rates();
        let least = (0..losses.len()).min_by(|a, b| losses[*a].total_cmp(&losses[*b]))?;
        if !losses[least].is_finite() || least == 0 || least + 1 == losses.len() {
            return None;
        }
        let (before, here, after) = (losses[least - 1], losses[least], losses[least + 1]);
        let bend = before - 2.0 * here + after;
        // Beside a rate that diverges there is no parabola.
        let shift =
            if bend.is_finite() && bend > 0.0 { 0.5 * (before - after) / bend } else { 0.0 };
        Some(rates[least] * libm::pow(rates[1] / rates[0], shift))
    }

    /// How far one step moves the outputs, towards the first entry of the inputs: every activation has a part that is linear.
    pub(super) fn one_step(
        &self,
        width: usize,
        index: u64,
        one_rate: bool,
        desk: &Desk<'_>,
    ) -> f64 {
        let shape = Self::shape(&self.activation, width, Parametrisation::Mup);
        let streams = desk.streams().part(&format!("one step {width}")).replica(index);
        let mut mlp = shape.draw(&streams);
        let mut set = on_circle(&angles(self.examples));
        set.y = set.x.iter().step_by(N_IN).copied().collect();
        let rates = if one_rate { vec![1.0; 3] } else { shape.rates() };
        let before = mlp.descend(&set, ONE_STEP, &rates).errors;
        norm(mlp.errors(&set).iter().zip(&before).map(|(a, b)| a - b))
    }
}
