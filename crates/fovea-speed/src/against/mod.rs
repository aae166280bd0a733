//! `fovea bench --against PYTHON`: the same training runs in JAX and in PyTorch, in turns with ours.
//!
//! The other programs are written as fast as we know how: one compiled program for a whole run and bits from a hash in JAX,
//! a gradient by hand and buffers made once in PyTorch. All are pinned to the same core and timed by their CPU time, repeat
//! by repeat, so that whatever else the machine does meets all of them. After every run each says its loss on fresh
//! samples: a program that does not learn what ours learns is not the same program. In the same way tangent kernels are found
//! in turns, by every way a program knows, and all have to be ours to rounding.

pub mod kernels;
pub mod opponent;
mod table;

pub use kernels::{KernelContest, Way};
pub use opponent::{Missing, Opponent};
pub use table::{to_json, told};

use super::clock::Load;
use super::measure::{Machine, Setting};
use super::row::Cores;
use super::stats::Summary;
use super::step::Trainer;
use super::tangent;
use super::workload::{self, Workload};
use fovea_core::agree::noise_limit;
use fovea_core::stats::Estimate;
use fovea_desk::clock::thread_seconds;
use fovea_desk::conditions::Conditions;
use fovea_desk::error::LabError;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Samples of our held-out loss.
const EVALUATED: usize = 40_000;

/// What one program did on one workload.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name.
    pub name: &'static str,
    /// How it draws samples.
    pub route: String,
    /// Steps in a second of CPU time.
    pub rate: Summary,
    /// Our rate over its rate, turn by turn.
    pub ratio: Summary,
    /// Our best over its best.
    pub best_ratio: f64,
    /// Our median over its median.
    pub median_ratio: f64,
    /// Its loss after a turn, over seeds.
    pub loss: Estimate,
    /// How many standard errors its loss lies from ours.
    pub z: f64,
    /// The largest distance that noise explains.
    pub limit: f64,
}

impl Contender {
    /// Whether it has learned what ours has.
    pub fn agrees(&self) -> bool {
        self.z.abs() <= self.limit
    }
}

/// One workload, every program.
#[derive(Clone, Debug)]
pub struct Contest {
    /// What was trained.
    pub workload: Workload,
    /// Steps of a turn.
    pub steps: u64,
    /// Our steps in a second.
    pub rate: Summary,
    /// Our loss before training.
    pub start: f64,
    /// Our loss after a turn, over seeds.
    pub loss: Estimate,
    /// The other programs.
    pub others: Vec<Contender>,
    /// What programs that take no part took of the machine.
    pub load: Option<f64>,
}

/// What is compared.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Training runs.
    pub workloads: Vec<Workload>,
    /// Tangent kernels.
    pub kernels: Vec<tangent::Precision>,
}

/// Every workload, and who took part.
pub struct Comparison {
    /// The machine.
    pub machine: Machine,
    /// Name and version of every program.
    pub programs: Vec<(&'static str, String)>,
    /// Programs that could not take part.
    pub missing: Vec<Missing>,
    /// The workloads.
    pub contests: Vec<Contest>,
    /// The tangent kernels.
    pub kernels: Vec<KernelContest>,
}

impl Comparison {
    /// Whether every program learned what ours has, and every kernel is ours.
    pub fn agrees(&self) -> bool {
        self.contests.iter().flat_map(|contest| &contest.others).all(Contender::agrees)
            && self.kernels.iter().all(KernelContest::agrees)
    }
}

/// The workloads of these names or beginnings; all where none is given.
///
/// # Errors
/// No workload is called so.
pub fn select(names: &[String]) -> Result<Chosen, LabError> {
    let training = workload::ALL.iter().map(|workload| workload.name);
    let kernels = tangent::BOTH.into_iter().map(tangent::Precision::name);
    let all: Vec<String> = training.chain(kernels).map(str::to_owned).collect();
    let chosen = crate::chosen::chosen("workload", &all, names)?;
    let is_chosen = |name: &str| chosen.iter().any(|other| other == name);
    let workloads = workload::ALL.into_iter().filter(|workload| is_chosen(workload.name)).collect();
    let kernels = tangent::BOTH.into_iter().filter(|kernel| is_chosen(kernel.name())).collect();
    Ok(Chosen { workloads, kernels })
}

/// Lets the programs that `python` can run take turns with ours; `None` where it was stopped.
///
/// # Errors
/// `python` runs none of them, or one of them breaks down.
pub fn compare(
    python: &str,
    chosen: &Chosen,
    setting: Setting,
    conditions: &Conditions<'_>,
) -> Result<Option<Comparison>, LabError> {
    let Chosen { workloads, kernels } = chosen;
    conditions.progress.expect(((workloads.len() + kernels.len()) * setting.turns) as u64);
    let machine = Machine::look()?;
    let mut all = Comparison {
        machine,
        programs: Vec::new(),
        missing: Vec::new(),
        contests: Vec::new(),
        kernels: Vec::new(),
    };
    let version = |program: &Opponent| (program.name, program.version.clone());
    if !workloads.is_empty() {
        let (mut programs, missing) =
            opponent::start(python, all.machine.core, &opponent::TRAINING)?;
        all.programs.extend(programs.iter().map(version));
        all.missing.extend(missing);
        let names: Vec<&'static str> = programs.iter().map(|program| program.name).collect();
        let family = workloads.len() * names.len();
        for workload in workloads {
            let turns = take_turns(workload, &all.machine, &mut programs, setting, conditions)?;
            let Some(turns) = turns else { return Ok(None) };
            all.contests.push(turns.contest(*workload, &names, family)?);
        }
    }
    if !kernels.is_empty() {
        let (mut programs, missing) =
            opponent::start(python, all.machine.core, &opponent::KERNELS)?;
        let fresh = programs.iter().map(version).filter(|program| !all.programs.contains(program));
        let fresh: Vec<_> = fresh.collect();
        all.programs.extend(fresh);
        all.missing.extend(missing);
        for kernel in kernels {
            let contest =
                kernels::contest(*kernel, &all.machine, &mut programs, setting, conditions)?;
            let Some(contest) = contest else { return Ok(None) };
            all.kernels.push(contest);
        }
    }
    Ok(Some(all))
}

/// All that was timed on one workload: the last program is ours.
pub struct Turns {
    /// Steps of one turn.
    pub steps: u64,
    /// How each other program computes.
    pub routes: Vec<String>,
    /// Steps a second, a list a program.
    pub rates: Vec<Vec<f64>>,
    /// Losses at the end, a list a program.
    pub losses: Vec<Vec<f64>>,
    /// The loss before any step.
    pub start: f64,
    /// What other programs took of the machine meanwhile.
    pub load: Option<f64>,
}

fn take_turns(
    workload: &Workload,
    machine: &Machine,
    opponents: &mut [Opponent],
    setting: Setting,
    conditions: &Conditions<'_>,
) -> Result<Option<Turns>, LabError> {
    let steps = ((workload.turn as f64 * setting.turn) as u64).max(2);
    let prepare = |program: &mut Opponent| program.prepare(workload, steps);
    let routes = opponents.iter_mut().map(prepare).collect::<Result<Vec<_>, _>>()?;
    let task = Arc::new(workload.task()?);
    let fresh = |seed| Trainer::new(workload, Arc::clone(&task), seed);
    let start = fresh(0)?.loss(EVALUATED);
    fresh(0)?.advance(2)?;
    let ours = opponents.len();
    let (mut rates, mut losses) = (vec![Vec::new(); ours + 1], vec![Vec::new(); ours + 1]);
    let (load, mut helpers) = (Load::start(), 0.0);
    for turn in 0..setting.turns as u64 {
        if conditions.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        for (index, program) in opponents.iter_mut().enumerate() {
            let took = program.run(turn + 1)?;
            helpers += took.used;
            rates[index].push(steps as f64 / took.cpu);
            losses[index].push(took.loss);
        }
        let mut trainer = fresh(turn + 1)?;
        let took = machine.timed(Cores::One, || trainer.advance(steps))?;
        rates[ours].push(steps as f64 / took);
        losses[ours].push(trainer.loss(EVALUATED));
        conditions.progress.stepped();
    }
    // Without CPU time ours is timed by the wall, and the load of the machine is not known either.
    let load = thread_seconds().and_then(|_| load.foreign(helpers));
    Ok(Some(Turns { steps, routes, rates, losses, start, load }))
}

impl Turns {
    /// What the turns come to.
    ///
    /// # Errors
    /// A number of theirs is none.
    pub fn contest(
        self,
        workload: Workload,
        names: &[&'static str],
        family: usize,
    ) -> Result<Contest, LabError> {
        let Self { steps, routes, mut rates, losses, start, load } = self;
        let ours = names.len();
        let loss = Estimate::from_samples(&losses[ours])?;
        let own = Summary::of(rates.remove(ours))?;
        let mut others = Vec::new();
        for (((name, route), rates), losses) in names.iter().zip(routes).zip(rates).zip(&losses) {
            let ratios = own.repeats.iter().zip(&rates).map(|(own, rate)| own / rate).collect();
            let (rate, theirs) = (Summary::of(rates)?, Estimate::from_samples(losses)?);
            let gap = theirs.difference(&loss);
            others.push(Contender {
                name,
                route,
                ratio: Summary::of(ratios)?,
                best_ratio: own.best / rate.best,
                median_ratio: own.median / rate.median,
                rate,
                loss: theirs,
                z: gap.z(0.0),
                limit: noise_limit(family, gap.dof()),
            });
        }
        Ok(Contest { workload, steps, rate: own, start, loss, others, load })
    }
}
