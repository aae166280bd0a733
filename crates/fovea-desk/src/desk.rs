//! The desk at which an experiment measures: its streams, a fleet for other work, and further training.

use crate::conditions::{Conditions, Phase};
use crate::error::LabError;
use crate::runs::Runs;
use fovea_core::streams::Streams;
use fovea_record::outcome::{Series, Status};
use fovea_sim::{Crew, Job, Watch};
use std::sync::{Mutex, PoisonError};

/// What `measure` gets in addition to the runs.
pub struct Desk<'a> {
    conditions: &'a Conditions<'a>,
    /// Whether the parts of `measure` were announced all at once.
    announced: bool,
    /// Readings of what was trained on the way.
    series: Mutex<Series>,
}

impl<'a> Desk<'a> {
    /// The desk of one run.
    pub(crate) fn new(conditions: &'a Conditions<'a>, announced: bool) -> Self {
        Self { conditions, announced, series: Mutex::default() }
    }

    /// The run's random streams.
    pub fn streams(&self) -> Streams {
        self.conditions.streams()
    }

    /// Continues, unless the run is to end.
    ///
    /// # Errors
    /// It is.
    pub fn go_on(&self) -> Result<(), LabError> {
        if self.conditions.stopped() {
            return Err(LabError::Unfinished(Status::Interrupted));
        }
        Ok(())
    }

    /// Announces work that is not done by a fleet, part by part.
    pub fn announce(&self, parts: u64) {
        if !self.announced {
            self.conditions.progress.phase(Phase::Measure, parts);
        }
    }

    /// One announced part is done.
    pub fn stepped(&self) {
        self.conditions.progress.stepped();
    }

    /// Does independent work over all threads, one part of the progress per item; results come back in their order.
    ///
    /// # Errors
    /// The run was stopped before all of it was done.
    pub fn fleet<J: Sync, R: Send>(
        &self,
        items: &[J],
        work: impl Fn(&J) -> R + Sync + Send,
    ) -> Result<Vec<R>, LabError> {
        self.announce(items.len() as u64);
        let done = self.conditions.fleet(items, |item| {
            let result = (!self.conditions.stopped()).then(|| work(item));
            self.stepped();
            result
        });
        let all: Option<Vec<R>> = done.into_iter().collect();
        all.ok_or(LabError::Unfinished(Status::Interrupted))
    }

    /// The same with a replica of these streams for every item.
    ///
    /// # Errors
    /// The run was stopped before all of it was done.
    pub fn replicas<R: Send>(
        &self,
        streams: Streams,
        count: usize,
        work: impl Fn(&Streams) -> R + Sync + Send,
    ) -> Result<Vec<R>, LabError> {
        let all: Vec<u64> = (0..count as u64).collect();
        self.fleet(&all, |index| work(&streams.replica(*index)))
    }

    /// The same for work that may fail; the first failure is returned.
    ///
    /// # Errors
    /// The run was stopped, or an item failed.
    pub fn try_fleet<J: Sync, R: Send, E: Into<LabError> + Send>(
        &self,
        items: &[J],
        work: impl Fn(&J) -> Result<R, E> + Sync + Send,
    ) -> Result<Vec<R>, LabError> {
        self.fleet(items, work)?.into_iter().map(|result| result.map_err(Into::into)).collect()
    }

    /// Trains jobs that depend on earlier results; their readings go into the series of the record.
    ///
    /// # Errors
    /// A network does not fit its task, or a run was stopped or diverged.
    pub fn train(&self, jobs: &[Job]) -> Result<Runs, LabError> {
        let runs = train(self.conditions, jobs)?;
        self.series.lock().unwrap_or_else(PoisonError::into_inner).extend(runs.series());
        runs.whole()
    }

    /// The readings of what was trained at this desk.
    pub(crate) fn series(self) -> Series {
        self.series.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Trains jobs, announced as one phase.
pub(crate) fn train(conditions: &Conditions<'_>, jobs: &[Job]) -> Result<Runs, LabError> {
    if !jobs.is_empty() {
        conditions.progress.phase(Phase::Train, jobs.iter().map(Job::steps).sum());
    }
    let runs = Runs::new(conditions.engine.unwrap_or(&Crew).train(jobs, conditions)?);
    if let Some(keeper) = conditions.keeper {
        keeper.keep(&runs);
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::{Progress, Silent};
    use crate::prelude::*;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    const TWO: TwoClass = TwoClass { n: 8, xi_pos: 1.2, xi_neg: 0.6, kernel: Kernel::Ring };
    const PROBES: [&Probe; 2] = [&probe::ipr::ENTRY, &probe::loss::ENTRY];

    fn jobs(gain: f64, width: usize) -> Vec<Job> {
        let plan = Plan::new(5, Times::Every(5), &PROBES);
        let arm = Arm {
            name: format!("gain={gain}"),
            task: TWO.spec(gain, Labels::Balanced),
            network: committee(width, &activation::sigmoid::ENTRY, Bias::Trainable, 0.5),
            pace: Pace::online(0.1, 16),
            plan: Plan { eval_samples: 64, ..plan },
        };
        arm.jobs(Streams::new(3).part(&arm.name), 4)
    }

    fn trained(jobs: &[Job]) -> Runs {
        train(&Conditions::new(3, &Silent, &AtomicBool::new(false)), jobs).unwrap()
    }

    /// A job's numbers depend on its own streams, not on what else is trained.
    #[test]
    fn an_arm_is_the_same_among_any_jobs() {
        let alone = trained(&jobs(2.0, 3));
        let among = trained(&[jobs(9.0, 2), jobs(2.0, 3)].concat());
        for run in &alone {
            assert_eq!(run.network().theta(), among.get(&run.job.label).network().theta());
        }
        let groups = among.groups();
        let iprs = |group: usize| groups[group].units(&probe::ipr::ENTRY, 0);
        assert_ne!(iprs(0)[..6], iprs(1)[..6]);
        assert_eq!(among.status(), Status::Completed);
        assert!(groups.iter().all(Group::completed));
    }

    /// Each network of a fleet ends with the same bits as when trained alone, and not with its neighbour's.
    #[test]
    fn a_network_does_not_notice_its_fleet() {
        let theta = |runs: Runs| -> Vec<Vec<f64>> {
            runs.iter().map(|run| run.network().theta().to_vec()).collect()
        };
        let jobs = jobs(2.0, 3);
        let fleet = theta(trained(&jobs));
        let alone: Vec<Vec<f64>> = jobs.chunks(1).flat_map(|job| theta(trained(job))).collect();
        assert_eq!(fleet, alone);
        assert!(fleet.iter().zip(alone.iter().cycle().skip(1)).all(|(a, b)| a != b));
    }

    #[test]
    fn readings_come_back_by_seed_and_by_unit() {
        let runs = trained(&jobs(2.0, 3));
        let group = runs.group("gain=2");
        let units = group.units(&probe::ipr::ENTRY, 0);
        let means = group.per_seed(&probe::ipr::ENTRY, mean_unit);
        assert_eq!((units.len(), means.len()), (12, 4));
        assert!((units[..3].iter().sum::<f64>() / 3.0 - means[0]).abs() < 1e-15);
        assert_eq!(runs.series().value.len(), 2 * 4 * (3 + 1));
        assert_eq!(runs.weights()[0].shape, vec![12, 8]);
        assert!(runs.group("gain=3").runs.is_empty());
    }

    /// Counts what was announced and what was taken.
    #[derive(Default)]
    struct Counted([AtomicU64; 2]);

    impl Progress for Counted {
        fn phase(&self, _: Phase, steps: u64) {
            self.0[0].fetch_add(steps, Ordering::Relaxed);
        }
        fn expect(&self, steps: u64) {
            self.0[0].fetch_add(steps, Ordering::Relaxed);
        }
        fn stepped(&self) {
            self.0[1].fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_fleet_takes_what_it_announces_and_stops_when_told() {
        let (counted, stop) = (Counted::default(), AtomicBool::new(false));
        let conditions = Conditions::new(0, &counted, &stop);
        let desk = Desk::new(&conditions, false);
        assert_eq!(desk.fleet(&[1, 2, 3], |x| 2 * x).unwrap(), [2, 4, 6]);
        let [announced, taken] = counted.0.each_ref().map(|x| x.load(Ordering::Relaxed));
        assert_eq!((announced, taken), (3, 3));
        stop.store(true, Ordering::Relaxed);
        let stopped = desk.fleet(&[1], |x: &i32| *x);
        assert!(matches!(stopped, Err(LabError::Unfinished(Status::Interrupted))));
    }
}
