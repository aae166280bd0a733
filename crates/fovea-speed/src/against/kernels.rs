//! Tangent kernels in turns: ours, and every way that another program knows.

use super::Opponent;
use crate::clock::Load;
use crate::measure::{Machine, Setting};
use crate::row::Cores;
use crate::stats::Summary;
use crate::tangent::{DEPTH, ENTRIES, INPUTS, Precision, WIDTH};
use fovea_desk::clock::thread_seconds;
use fovea_desk::conditions::Conditions;
use fovea_desk::error::LabError;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

/// CPU seconds of one of our turns, about.
const TURN: f64 = 0.1;

/// One way of another program to find the kernel.
#[derive(Clone, Debug)]
pub struct Way {
    /// The program.
    pub program: &'static str,
    /// The way.
    pub route: String,
    /// Kernels in a second of CPU time.
    pub rate: Summary,
    /// Our rate over its rate, turn by turn.
    pub ratio: Summary,
    /// Our best over its best.
    pub best_ratio: f64,
    /// Our median over its median.
    pub median_ratio: f64,
    /// The largest distance of an entry from ours, over the largest entry.
    pub gap: f64,
}

/// One kernel, every program and way.
#[derive(Clone, Debug)]
pub struct KernelContest {
    /// Which.
    pub precision: Precision,
    /// Our kernels in a second.
    pub rate: Summary,
    /// The others, the fastest first.
    pub ways: Vec<Way>,
    /// The largest gap that rounding explains.
    pub limit: f64,
    /// What programs that take no part took of the machine.
    pub load: Option<f64>,
}

impl KernelContest {
    /// Whether all kernels are ours to rounding.
    pub fn agrees(&self) -> bool {
        self.ways.iter().all(|way| way.gap <= self.limit)
    }
}

fn described(precision: Precision) -> Value {
    json!({
        "inputs": INPUTS,
        "entries": ENTRIES,
        "width": WIDTH,
        "depth": DEPTH,
        "dtype": precision.dtype(),
    })
}

pub(super) fn contest(
    precision: Precision,
    machine: &Machine,
    programs: &mut [Opponent],
    setting: Setting,
    conditions: &Conditions<'_>,
) -> Result<Option<KernelContest>, LabError> {
    let mut ours = precision.evaluator();
    let own = ours(1);
    let seconds = machine.timed(Cores::One, || {
        ours(2);
        Ok(())
    })? / 2.0;
    let count = (TURN / seconds).ceil().max(1.0) as u64;
    let mut ways = Vec::new();
    for (index, program) in programs.iter_mut().enumerate() {
        for route in program.prepare_kernel(&described(precision))? {
            let gap = gap(&program.kernel(&route)?, &own);
            ways.push((index, route, gap, Vec::new()));
        }
    }
    let (mut rates, load, mut helpers) = (Vec::new(), Load::start(), 0.0);
    for _ in 0..setting.turns {
        for (index, route, _, rates) in &mut ways {
            if conditions.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let [cpu, used] = programs[*index].find(route)?;
            helpers += used;
            rates.push(1.0 / cpu);
        }
        let took = machine.timed(Cores::One, || {
            ours(count);
            Ok(())
        })?;
        rates.push(count as f64 / took);
        conditions.progress.stepped();
    }
    let rate = Summary::of(rates)?;
    let load = thread_seconds().and_then(|_| load.foreign(helpers));
    let way = |(index, route, gap, theirs): (usize, String, f64, Vec<f64>)| {
        let ratios = rate.repeats.iter().zip(&theirs).map(|(own, rate)| own / rate).collect();
        let (ratio, theirs) = (Summary::of(ratios)?, Summary::of(theirs)?);
        Ok(Way {
            program: programs[index].name,
            route,
            best_ratio: rate.best / theirs.best,
            median_ratio: rate.median / theirs.median,
            rate: theirs,
            ratio,
            gap,
        })
    };
    let mut ways = ways.into_iter().map(way).collect::<Result<Vec<_>, LabError>>()?;
    ways.sort_by(|a, b| b.rate.median.total_cmp(&a.rate.median));
    Ok(Some(KernelContest { precision, rate, ways, limit: precision.limit(), load }))
}

/// The largest distance of two kernels over the largest entry of ours; infinite where they have not the same size.
pub fn gap(theirs: &[f64], ours: &[f64]) -> f64 {
    if theirs.len() != ours.len() {
        return f64::INFINITY;
    }
    let largest = ours.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    let gaps = theirs.iter().zip(ours).map(|(a, b)| (a - b).abs() / largest);
    gaps.fold(0.0, f64::max)
}
