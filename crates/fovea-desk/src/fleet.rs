//! Many networks at once: parameter points times seeds over all cores, one progress display, and what they come to.

use crate::bench::Bench;
use crate::error::LabError;
use crate::runs::{AddRun, status_of};
use fovea_core::activation::Row;
use fovea_core::stats::{Estimate, quantile, variance};
use fovea_core::{Item, ParamError};
use fovea_record::outcome::{Array, Series, Status};
use fovea_sim::network::Architecture;
use fovea_sim::probe::Probe;
use fovea_sim::train::{Ended, train};
use fovea_sim::{Bias, Plan, Run, Sgd, Task};

/// One parameter point of a fleet.
pub struct Arm<'a> {
    /// The name of its curves, such as `gain=3`; it keys the arm's random streams.
    pub name: String,
    /// What is learned.
    pub task: Task,
    /// The network, made anew for every seed.
    pub network: Item<Box<dyn Architecture>>,
    /// How it is trained.
    pub sgd: Sgd,
    /// How long, and what is recorded.
    pub plan: Plan<'a>,
}

/// A committee with Glorot weights.
pub fn committee(
    width: usize,
    activation: &'static Row,
    bias: Bias,
    init_scale: f64,
) -> Item<Box<dyn Architecture>> {
    let init =
        fovea_core::Value::table([("name", "glorot".into()), ("init_scale", init_scale.into())]);
    Item::named("committee")
        .set("width", width)
        .set("activation", activation.name)
        .set("bias", bias.word())
        .set("init", init)
}

/// The trained networks of one arm, a run a seed.
pub struct Trained<'a> {
    /// What they have in common.
    pub arm: Arm<'a>,
    /// One run a seed, in the order of the seeds.
    pub runs: Vec<Run>,
}

/// Trains every arm at every seed; results come back in the order of the arms and do not depend on the threads.
///
/// # Errors
/// A network does not fit its task.
pub fn train_all<'a>(
    bench: &Bench<'_>,
    arms: Vec<Arm<'a>>,
    seeds: usize,
) -> Result<Vec<Trained<'a>>, LabError> {
    let jobs: Vec<(usize, u64)> =
        (0..arms.len()).flat_map(|arm| (0..seeds as u64).map(move |seed| (arm, seed))).collect();
    let steps: u64 = arms.iter().map(|arm| arm.plan.steps * seeds as u64).sum();
    bench.progress.expect(steps);
    let runs = bench.fleet(&jobs, |(arm, seed)| -> Result<Run, ParamError> {
        let arm = &arms[*arm];
        let streams = bench.streams().part(&arm.name).replica(*seed);
        let architecture = arm.network.build("network")?;
        let network = architecture.network(&arm.task.shape(), arm.task.outputs(), &streams)?;
        Ok(train(&arm.task, network, &arm.sgd, &streams, &arm.plan, bench))
    });
    let mut runs = runs.into_iter();
    let gather = |arm: Arm<'a>| -> Result<Trained<'a>, LabError> {
        let runs = runs.by_ref().take(seeds).collect::<Result<Vec<_>, _>>()?;
        Ok(Trained { arm, runs })
    };
    arms.into_iter().map(gather).collect()
}

/// The status of a fleet: the first divergence, else an interruption, else completed.
pub fn status(fleet: &[Trained<'_>]) -> Status {
    status_of(fleet.iter().flat_map(|trained| (0..).map(|s| trained.curve(s)).zip(&trained.runs)))
}

/// Every named reading of every run, curve by curve.
pub fn series(fleet: &[Trained<'_>]) -> Series {
    let mut series = Series::default();
    for trained in fleet {
        for (seed, run) in trained.runs.iter().enumerate() {
            series.add(&trained.curve(seed), trained.arm.sgd.pace.lr, &trained.arm.plan, run);
        }
    }
    series
}

/// The fields of every arm at the end, `weights_ARM[seed * unit][site]`.
pub fn weights(fleet: &[Trained<'_>]) -> Vec<Array> {
    let array = |trained: &Trained<'_>| {
        let rows: Vec<Vec<f64>> = trained
            .runs
            .iter()
            .flat_map(|run| run.network.weights().chunks(run.network.inputs()).map(<[f64]>::to_vec))
            .collect();
        Array::of_rows(format!("weights_{}", trained.arm.name), &rows)
    };
    fleet.iter().map(array).collect()
}

impl Trained<'_> {
    /// The name of one seed's curve.
    pub fn curve(&self, seed: usize) -> String {
        format!("{},seed={seed}", self.arm.name)
    }

    /// The last reading of a probe for one seed, a row a unit; empty where it was not recorded.
    pub fn last(&self, seed: usize, probe: &Probe) -> &[Vec<f64>] {
        let index = self.arm.plan.probes.iter().position(|p| p.name == probe.name);
        let record = self.runs[seed].records.last();
        index.zip(record).map_or(&[], |(index, record)| &record.readings[index])
    }

    /// One number a seed, made of the last reading of a probe.
    pub fn per_seed(&self, probe: &Probe, of: impl Fn(&[Vec<f64>]) -> f64) -> Vec<f64> {
        (0..self.runs.len()).map(|seed| of(self.last(seed, probe))).collect()
    }

    /// One column of the last reading of a probe, over the units of all seeds.
    pub fn units(&self, probe: &Probe, column: usize) -> Vec<f64> {
        let of_seed = |seed: usize| self.last(seed, probe).iter().map(move |row| row[column]);
        (0..self.runs.len()).flat_map(of_seed).collect()
    }

    /// Whether every run took all its steps.
    pub fn completed(&self) -> bool {
        self.runs.iter().all(|run| run.ended == Ended::Completed)
    }
}

/// The mean over the units of the first column of a reading.
pub fn mean_unit(rows: &[Vec<f64>]) -> f64 {
    rows.iter().map(|row| row[0]).sum::<f64>() / rows.len() as f64
}

/// Numbers, one a seed or one a unit, and how they spread.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Their mean and its standard error, as if they were independent.
    pub mean: Estimate,
    /// Their standard deviation.
    pub sd: f64,
    /// Minimum, 10 %, 25 %, median, 75 %, 90 %, maximum.
    pub quantiles: [f64; 7],
}

impl Spread {
    /// The spread of some numbers.
    ///
    /// # Errors
    /// Fewer than two, or one that is not finite.
    pub fn of(numbers: &[f64]) -> Result<Self, LabError> {
        let mean = Estimate::from_samples(numbers)?;
        let mut quantiles = [0.0; 7];
        for (slot, level) in quantiles.iter_mut().zip([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]) {
            *slot = quantile(numbers, level)?;
        }
        Ok(Self { mean, sd: variance(numbers)?.sqrt(), quantiles })
    }

    /// The median.
    pub fn median(&self) -> f64 {
        self.quantiles[3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Silent;
    use crate::two_class::TwoClass;
    use fovea_core::activation;
    use fovea_core::ring::Kernel;
    use fovea_sim::train::Precision;
    use fovea_sim::{Labels, Times, loss, probe};
    use std::sync::atomic::AtomicBool;

    const TWO: TwoClass = TwoClass { n: 8, xi_pos: 1.2, xi_neg: 0.6, kernel: Kernel::Ring };
    const PROBES: [&Probe; 2] = [&probe::ipr::ENTRY, &probe::loss::ENTRY];

    fn arm(gain: f64, width: usize) -> Arm<'static> {
        let plan = Plan {
            steps: 5,
            record: Times::Every(5),
            checkpoint_every: 0,
            eval_samples: 64,
            probes: &PROBES,
            loss: &loss::mse::ENTRY,
            precision: Precision::Single,
        };
        Arm {
            name: format!("gain={gain}"),
            task: TWO.task(gain, Labels::Balanced).unwrap(),
            network: committee(width, &activation::sigmoid::ENTRY, Bias::Trainable, 0.5),
            sgd: Sgd::online(0.1, 16),
            plan,
        }
    }

    fn fleet(arms: Vec<Arm<'static>>) -> Vec<Trained<'static>> {
        let stop = AtomicBool::new(false);
        let bench = Bench::new(3, &Silent, &stop);
        train_all(&bench, arms, 4).unwrap()
    }

    /// An arm's numbers depend on its own name and the seed, not on what else is in the fleet.
    #[test]
    fn an_arm_is_the_same_in_any_fleet() {
        let (alone, among) = (fleet(vec![arm(2.0, 3)]), fleet(vec![arm(9.0, 2), arm(2.0, 3)]));
        for (a, b) in alone[0].runs.iter().zip(&among[1].runs) {
            assert_eq!(a.network.theta(), b.network.theta());
        }
        assert_ne!(
            among[0].units(&probe::ipr::ENTRY, 0)[..6],
            among[1].units(&probe::ipr::ENTRY, 0)[..6]
        );
        assert_eq!(status(&among), Status::Completed);
        assert!(among.iter().all(Trained::completed));
    }

    #[test]
    fn readings_come_back_by_seed_and_by_unit() {
        let fleet = fleet(vec![arm(2.0, 3)]);
        let units = fleet[0].units(&probe::ipr::ENTRY, 0);
        let means = fleet[0].per_seed(&probe::ipr::ENTRY, mean_unit);
        assert_eq!((units.len(), means.len()), (12, 4));
        assert!((units[..3].iter().sum::<f64>() / 3.0 - means[0]).abs() < 1e-15);
        assert_eq!(series(&fleet).value.len(), 2 * 4 * (3 + 1));
        assert_eq!(weights(&fleet)[0].shape, vec![12, 8]);
        let spread = Spread::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert!(
            (spread.median() - 3.0).abs() < 1e-15 && (spread.sd - 2.5_f64.sqrt()).abs() < 1e-15
        );
        assert!(fleet[0].last(0, &probe::norm::ENTRY).is_empty());
    }
}
