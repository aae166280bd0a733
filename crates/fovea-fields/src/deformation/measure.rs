//! One network led along the gains and back.

use super::Kind;
use fovea_desk::prelude::*;
use fovea_sim::probe::centre::centre;
use fovea_sim::probe::dominant_frequency::dominant_frequency;
use fovea_sim::probe::gabor;
use fovea_sim::probe::ipr::ipr;

/// The order parameters of a field, as records name them.
pub(super) const ORDER: [&str; 4] =
    ["ipr", "dominant-frequency.mean", "centre.spread", "gabor.share"];

/// IPR, mean frequency, circular spread, and what the nearest Gabor leaves of the squared field.
pub(super) fn order(w: &[f64]) -> Result<[f64; 4], ParamError> {
    let gabor = gabor::ENTRY.measure(w, &[w.len()])?;
    let left = gabor[0].last().copied().unwrap_or(0.0);
    let spread = centre(w, &[w.len()], 0).spread;
    Ok([ipr(w), dominant_frequency(w, w.len()).mean, spread, left])
}

/// The fields of a network at rest at one gain.
pub(super) struct Rest {
    /// Steps of the whole way until then.
    step: u64,
    /// One field per unit.
    pub(super) fields: Vec<Vec<f64>>,
    /// Their order parameters.
    orders: Vec<[f64; 4]>,
    /// The mean IPR when half of the steps, three quarters of the training time, were done.
    before: f64,
}

impl Rest {
    fn new(step: u64, before: &[Vec<f64>], fields: &[Vec<f64>]) -> Result<Self, ParamError> {
        let orders = fields.iter().map(|w| order(w)).collect::<Result<_, _>>()?;
        let before = before.iter().map(|w| ipr(w)).sum::<f64>() / before.len() as f64;
        Ok(Self { step, fields: fields.to_vec(), orders, before })
    }

    /// The mean of an order parameter over the units.
    pub(super) fn mean(&self, which: usize) -> f64 {
        self.orders.iter().map(|order| order[which]).sum::<f64>() / self.orders.len() as f64
    }

    /// How much of the IPR came in the last quarter of the time.
    pub(super) fn drift(&self) -> f64 {
        1.0 - self.before / self.mean(0)
    }
}

/// A branch of the way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Branch {
    Up,
    Down,
}

/// One network, from the lowest gain to the highest and back.
pub(super) struct Chain {
    name: String,
    /// One rest per gain, in the order of the gains.
    pub(super) up: Vec<Rest>,
    /// The way back, in the order of the gains too; at the highest it is the last rest of the way up.
    pub(super) down: Vec<Rest>,
}

impl Chain {
    pub(super) fn new(run: &Trained) -> Result<Self, ParamError> {
        let steps: Vec<u64> = run.records().iter().map(|record| record.step).collect();
        let readings = run.readings(&probe::weights::ENTRY);
        // After the start there are two records of every gain: half-way and at its end.
        let mut up = (2..readings.len())
            .step_by(2)
            .map(|end| Rest::new(steps[end], readings[end - 1], readings[end]))
            .collect::<Result<Vec<_>, _>>()?;
        let mut down = up.split_off(up.len() / 2 + 1);
        down.reverse();
        Ok(Self { name: run.job.label.clone(), up, down })
    }

    /// The rest at a gain; the way back begins where the way up ends.
    pub(super) fn at(&self, branch: Branch, gain: usize) -> &Rest {
        match branch {
            Branch::Down if gain < self.down.len() => &self.down[gain],
            _ => &self.up[gain],
        }
    }

    /// Both branches, `fields_BRANCH_CHAIN[gain * unit][site]`.
    pub(super) fn arrays(&self) -> [Array; 2] {
        [("up", &self.up), ("down", &self.down)].map(|(branch, rests)| {
            let rows: Vec<Vec<f64>> = rests.iter().flat_map(|rest| rest.fields.clone()).collect();
            Array::of_rows(format!("fields_{branch}_{}", self.name), &rows)
        })
    }
}

/// The chains of one kind.
pub struct Loop {
    pub(super) kind: Kind,
    pub(super) chains: Vec<Chain>,
}

impl Loop {
    /// Adds the order parameters of every unit at the end of every gain, over all the steps of the way.
    pub(super) fn add_to(&self, series: &mut Series) {
        for chain in &self.chains {
            for rest in chain.up.iter().chain(chain.down.iter().rev()) {
                // Half of the first rate is the mean of a straight line to zero.
                let at = (rest.step as i64, 0.5 * self.kind.rate * rest.step as f64);
                for (unit, order) in rest.orders.iter().enumerate() {
                    for (name, value) in ORDER.iter().zip(order) {
                        series.push(&chain.name, at, *name, unit, *value);
                    }
                }
            }
        }
    }
}
