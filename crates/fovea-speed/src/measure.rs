//! Timing the rows.

use super::clock::{Load, pin, quietest_core};
use super::row::{Cores, Measured, Row, Work};
use super::stats::Summary;
use fovea_core::ParamError;
use fovea_desk::clock::{Alone, now, thread_seconds};
use fovea_desk::conditions::Conditions;
use fovea_desk::error::LabError;
use fovea_sim::simd::Level;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Repeats of a row.
    pub repeats: usize,
    /// Seconds of a repeat, about.
    pub seconds: f64,
    /// Turns, where programs take turns.
    pub turns: usize,
    /// Share of the steps of a workload's turn that is taken in one.
    pub turn: f64,
}

impl Setting {
    /// The table a machine is judged by: about a minute.
    pub const FULL: Self = Self { repeats: 15, seconds: 0.08, turns: 9, turn: 1.0 };
    /// A few seconds, and rough.
    pub const QUICK: Self = Self { repeats: 3, seconds: 0.004, turns: 3, turn: 0.02 };
}

/// The machine, and the threads that measure on it.
pub struct Machine {
    /// Name of the processor.
    pub cpu: String,
    /// Cores that rows of all cores use.
    pub cores: usize,
    /// The core that one-core rows are pinned to, where the system pins.
    pub core: Option<usize>,
    /// Instruction set of the kernels.
    pub level: &'static str,
    /// Whether one-core rows are timed by CPU time; else by the wall.
    pub cpu_time: bool,
    one: ThreadPool,
    all: ThreadPool,
}

impl Machine {
    /// Looks at the machine, chooses its quietest core and starts the threads.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn look() -> Result<Self, LabError> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let core = quietest_core();
        let refused = |error: rayon::ThreadPoolBuildError| ParamError::Inconsistent {
            what: format!("{cores} threads could not be started: {error}"),
            hint: "close other programs, or raise the limit on threads".to_owned(),
        };
        let pinned = ThreadPoolBuilder::new().num_threads(1).start_handler(move |_| {
            // A system that refuses leaves the thread where it is; CPU time still counts its work alone.
            core.map(pin);
        });
        Ok(Self {
            cpu: cpu_name(),
            cores,
            core,
            level: Level::best().name(),
            cpu_time: thread_seconds().is_some(),
            one: pinned.build().map_err(refused)?,
            all: ThreadPoolBuilder::new().num_threads(cores).build().map_err(refused)?,
        })
    }

    /// Seconds that some work takes, by the clock of the row.
    ///
    /// # Errors
    /// The work fails.
    pub(super) fn timed(
        &self,
        cores: Cores,
        work: impl FnOnce() -> Result<(), LabError> + Send,
    ) -> Result<f64, LabError> {
        match cores {
            Cores::One => self.one.install(|| {
                let began = Alone::begin();
                work()?;
                Ok(began.seconds())
            }),
            Cores::All => self.all.install(|| {
                let began = now();
                work()?;
                Ok(began.elapsed().as_secs_f64())
            }),
        }
    }

    /// How many pieces take about `seconds`; doing them warms caches and clocks up.
    fn pieces(&self, cores: Cores, work: &mut Work, seconds: f64) -> Result<u64, LabError> {
        let mut count = 1_u64;
        loop {
            let took = self.timed(cores, || work(count))?.max(1e-9);
            let wanted = (count as f64 * seconds / took).ceil().max(1.0);
            if took >= seconds / 4.0 {
                return Ok(wanted as u64);
            }
            // A first piece may be slow or below what the clock resolves: no leap before longer ones confirm it.
            count = wanted.clamp(2.0 * count as f64, 20.0 * count as f64) as u64;
        }
    }
}

/// The processor's name, as the system has it.
fn cpu_name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

/// All rows that were measured, and where.
pub struct Measurements {
    /// The machine.
    pub machine: Machine,
    /// The rows.
    pub rows: Vec<Measured>,
}

/// Measures rows one after another; `None` where it was stopped.
///
/// # Errors
/// A row's work fails.
pub fn measure(
    rows: &[Row],
    setting: Setting,
    conditions: &Conditions<'_>,
) -> Result<Option<Measurements>, LabError> {
    conditions.progress.expect(rows.len() as u64);
    let machine = Machine::look()?;
    let mut done: Vec<Measured> = Vec::new();
    for row in rows {
        let Some(mut measured) = measure_row(row, &machine, setting, conditions)? else {
            return Ok(None);
        };
        measured.relations = (row.relate)(&measured, &done);
        done.push(measured);
        conditions.progress.stepped();
    }
    Ok(Some(Measurements { machine, rows: done }))
}

fn measure_row(
    row: &Row,
    machine: &Machine,
    setting: Setting,
    conditions: &Conditions<'_>,
) -> Result<Option<Measured>, LabError> {
    let mut work = (row.prepare)()?;
    let count = machine.pieces(row.cores, &mut work, setting.seconds)?;
    let load = Load::start();
    let mut rates = Vec::with_capacity(setting.repeats);
    for _ in 0..setting.repeats {
        if conditions.stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(None);
        }
        let took = machine.timed(row.cores, || work(count))?.max(1e-9);
        rates.push(row.piece * count as f64 / took);
    }
    Ok(Some(Measured {
        name: row.name.clone(),
        about: row.about.clone(),
        unit: row.unit,
        piece: row.piece,
        cores: row.cores,
        path: row.path,
        rate: Summary::of(rates)?,
        load: load.foreign(0.0),
        relations: Vec::new(),
    }))
}
