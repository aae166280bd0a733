//! One network led along the gains and back.

use super::Deformation;
use fovea_core::{Item, ParamError, activation};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::fleet::committee;
use fovea_record::outcome::{Array, Series};
use fovea_sim::dynamics::Pace;
use fovea_sim::network::Network;
use fovea_sim::probe::centre::centre;
use fovea_sim::probe::dominant_frequency::dominant_frequency;
use fovea_sim::probe::gabor;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::train::{Ended, train};
use fovea_sim::{Bias, Labels, Plan, Run, Sgd, Task, Times, loss, probe};

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
pub(super) struct Stage {
    /// One field a unit.
    pub(super) fields: Vec<Vec<f64>>,
    /// Their order parameters.
    orders: Vec<[f64; 4]>,
    /// The mean IPR when half of the steps, three quarters of the training time, were done.
    before: f64,
}

impl Stage {
    fn new(run: &Run) -> Result<Self, ParamError> {
        let end = run.records.len() - 1;
        let rows = |record: usize| run.records[record].readings[0].clone();
        let (fields, before) = (rows(end), rows(end - 1));
        let orders = fields.iter().map(|w| order(w)).collect::<Result<_, _>>()?;
        let before = before.iter().map(|w| ipr(w)).sum::<f64>() / before.len() as f64;
        Ok(Self { fields, orders, before })
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

/// What the networks of one loop have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) width: usize,
    /// Whether every gain gets a fraction of the steps.
    pub(super) hasty: bool,
}

impl Kind {
    pub(super) fn all(settings: &Deformation) -> Vec<Self> {
        let both = |width: &usize| [false, true].map(|hasty| Self { width: *width, hasty });
        settings.width.iter().flat_map(both).collect()
    }

    fn name(self) -> String {
        format!("width={}{}", self.width, if self.hasty { ",hasty" } else { "" })
    }

    pub(super) fn seeds(self, settings: &Deformation) -> usize {
        if self.width == 1 { settings.seeds } else { settings.wide_seeds }
    }

    /// Learning rate at the beginning of a gain; the mean readout divides it by the width.
    fn rate(self, settings: &Deformation) -> f64 {
        let unit = if self.width == 1 { settings.lr } else { settings.wide_lr };
        unit * self.width as f64
    }

    fn batch(self, settings: &Deformation) -> usize {
        if self.width == 1 { settings.batch } else { settings.wide_batch }
    }

    /// Steps at stage `i` of the whole way.
    fn steps(self, settings: &Deformation, i: usize) -> u64 {
        let each = if self.width == 1 { settings.steps } else { settings.wide_steps };
        let each = if self.hasty { (each / settings.haste).max(2) } else { each };
        (each * if i == 0 { settings.first } else { 1 }) as u64
    }
}

/// One network, from the lowest gain to the highest and back.
pub(super) struct Chain {
    pub(super) kind: Kind,
    pub(super) seed: usize,
    /// A stage a gain, in the order of the gains.
    pub(super) up: Vec<Stage>,
    /// The way back, in the order of the gains too; at the highest it is the last stage of the way up.
    pub(super) down: Vec<Stage>,
    /// The run that came last; all is there if it completed.
    pub(super) last: Run,
}

impl Chain {
    pub(super) fn name(&self) -> String {
        format!("{},seed={}", self.kind.name(), self.seed)
    }

    /// Both branches, `fields_BRANCH_CHAIN[gain * unit][site]`.
    pub(super) fn arrays(&self) -> [Array; 2] {
        let rows = |stages: &[Stage]| -> Vec<Vec<f64>> {
            stages.iter().flat_map(|stage| stage.fields.clone()).collect()
        };
        let array = |branch: &str, stages: &[Stage]| {
            Array::of_rows(format!("fields_{branch}_{}", self.name()), &rows(stages))
        };
        [array("up", &self.up), array("down", &self.down)]
    }
}

/// Leads every network along the gains and back.
pub(super) fn train_all(settings: &Deformation, bench: &Bench<'_>) -> Result<Vec<Chain>, LabError> {
    let stages = 2 * settings.gain.len() - 1;
    let jobs: Vec<(Kind, usize)> = Kind::all(settings)
        .into_iter()
        .flat_map(|kind| (0..kind.seeds(settings)).map(move |seed| (kind, seed)))
        .collect();
    let each = |kind: Kind| -> u64 { (0..stages).map(|i| kind.steps(settings, i)).sum() };
    bench.progress.expect(jobs.iter().map(|(kind, _)| each(*kind)).sum());
    let tasks = settings
        .gain
        .iter()
        .map(|gain| settings.two_class().task(*gain, Labels::Balanced))
        .collect::<Result<Vec<Task>, _>>()?;
    let chains = bench.fleet(&jobs, |job| lead(settings, bench, &tasks, *job));
    Ok(chains.into_iter().collect::<Result<Vec<_>, ParamError>>()?)
}

fn lead(
    settings: &Deformation,
    bench: &Bench<'_>,
    tasks: &[Task],
    (kind, seed): (Kind, usize),
) -> Result<Chain, ParamError> {
    let streams = bench.streams().part(&kind.name()).replica(seed as u64);
    let start = committee(kind.width, &activation::relu::ENTRY, Bias::None, settings.init_scale);
    let mut network: Network =
        start.build("network")?.network(&tasks[0].shape(), tasks[0].outputs(), &streams)?;
    let (rate, batch) = (kind.rate(settings), kind.batch(settings));
    let sgd = Sgd { pace: Pace { schedule: Item::named("linear"), ..Pace::online(rate, batch) } };
    let (top, mut way) = (tasks.len() - 1, Vec::new());
    let order: Vec<usize> = (0..=top).chain((0..top).rev()).collect();
    let mut last = None;
    for (i, gain) in order.iter().enumerate() {
        let plan = Plan {
            steps: kind.steps(settings, i),
            record: Times::At(vec![kind.steps(settings, i) / 2]),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::weights::ENTRY],
            loss: &loss::mse::ENTRY,
            precision: settings.precision,
        };
        let run =
            train(&tasks[*gain], network.clone(), &sgd, &streams.replica(i as u64), &plan, bench);
        let done = run.ended == Ended::Completed;
        if done {
            way.push(Stage::new(&run)?);
            network = run.network.clone();
        }
        last = Some(run);
        if !done {
            break;
        }
    }
    let last = last.expect("there is at least one gain");
    let mut down = if way.len() > top { way.split_off(top + 1) } else { Vec::new() };
    down.reverse();
    Ok(Chain { kind, seed, up: way, down, last })
}

/// The order parameters of every unit at the end of every gain, over all the steps of the way.
pub(super) fn series(settings: &Deformation, chains: &[Chain]) -> Series {
    let mut series = Series::default();
    for chain in chains {
        let mut step = 0;
        for (i, stage) in chain.up.iter().chain(chain.down.iter().rev()).enumerate() {
            step += chain.kind.steps(settings, i);
            for (unit, order) in stage.orders.iter().enumerate() {
                for (name, value) in ORDER.iter().zip(order) {
                    series.curve.push(chain.name());
                    series.step.push(step as i64);
                    // Half of the first rate is the mean of a straight line to zero.
                    series.time.push(0.5 * chain.kind.rate(settings) * step as f64);
                    series.probe.push((*name).to_owned());
                    series.unit.push(unit as i32);
                    series.value.push(*value);
                }
            }
        }
    }
    series
}
