//! Numbers of single units, and those that were published of single networks.

use super::{Case, Law};
use fovea_desk::prelude::*;
use fovea_desk::published::Published;

/// A unit of negative bias whose IPR is above this counts as a bump: the published ones lie above 0.109, the others below 0.052.
pub(super) const BUMP: f64 = 0.08;

/// One hidden unit at the end of training.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) ipr: f64,
    pub(super) bias: f64,
    /// The largest absolute weight.
    pub(super) peak: f64,
}

/// The units of one seed.
pub(super) fn units(run: &Trained) -> Vec<Unit> {
    let network = run.network();
    let (iprs, biases) = (run.last(&probe::ipr::ENTRY), run.last(&probe::bias::ENTRY));
    let fields = network.weights().chunks(network.inputs());
    let peak = |field: &[f64]| field.iter().fold(0.0, |top: f64, w| top.max(w.abs()));
    iprs.iter()
        .zip(biases)
        .zip(fields)
        .map(|((ipr, bias), field)| Unit { ipr: ipr[0], bias: bias[0], peak: peak(field) })
        .collect()
}

/// Some units of a network.
#[derive(Clone, Copy, Debug)]
enum Which {
    All,
    /// Negative bias and a field that has become narrow; a few are unfinished when training ends.
    Bumps,
    Others,
    Positive,
}

/// A number of each unit.
#[derive(Clone, Copy, Debug)]
enum Of {
    Ipr,
    Bias,
    Peak,
}

/// One number of a network.
#[derive(Clone, Copy, Debug)]
enum Statistic {
    Count(Which),
    Least(Of, Which),
    Most(Of, Which),
    Mean(Of, Which),
}

impl Which {
    fn has(self, unit: &Unit) -> bool {
        match self {
            Self::All => true,
            Self::Bumps => unit.bias < 0.0 && unit.ipr > BUMP,
            Self::Others => !Self::Bumps.has(unit),
            Self::Positive => unit.bias > 0.0,
        }
    }
    fn word(self) -> &'static str {
        match self {
            Self::All => "units",
            Self::Bumps => "bumps",
            Self::Others => "other units",
            Self::Positive => "units of positive bias",
        }
    }
}

impl Of {
    fn at(self, unit: &Unit) -> f64 {
        match self {
            Self::Ipr => unit.ipr,
            Self::Bias => unit.bias,
            Self::Peak => unit.peak,
        }
    }
    fn word(self) -> &'static str {
        match self {
            Self::Ipr => "IPR",
            Self::Bias => "bias",
            Self::Peak => "|peak|",
        }
    }
}

impl Statistic {
    /// The number of one network; nothing where it has no such units.
    fn at(self, units: &[Unit]) -> Option<f64> {
        let some = |which: Which| units.iter().filter(move |unit| which.has(unit));
        let numbers = |of: Of, which| some(which).map(move |unit| of.at(unit));
        match self {
            Self::Count(which) => Some(some(which).count() as f64),
            Self::Least(of, which) => numbers(of, which).reduce(f64::min),
            Self::Most(of, which) => numbers(of, which).reduce(f64::max),
            Self::Mean(of, which) => {
                let count = some(which).count();
                (count > 0).then(|| numbers(of, which).sum::<f64>() / count as f64)
            }
        }
    }
    fn word(self) -> String {
        match self {
            Self::Count(which) => format!("number of {}", which.word()),
            Self::Least(of, which) => format!("smallest {} of {}", of.word(), which.word()),
            Self::Most(of, which) => format!("largest {} of {}", of.word(), which.word()),
            Self::Mean(of, which) => format!("mean {} of {}", of.word(), which.word()),
        }
    }
}

use Of::{Bias, Ipr, Peak};
use Statistic::{Count, Least, Mean, Most};
use Which::{All, Bumps, Others, Positive};

/// What was published of one law: the statistic, its value and the unit it is rounded to.
fn published(case: Case) -> &'static [(Statistic, f64, f64)] {
    match (case.law, case.n) {
        (Law::Kur(10.0), 40) => &[
            (Count(Bumps), 9.0, 0.0),
            (Least(Ipr, Bumps), 0.109, 0.001),
            (Most(Ipr, Bumps), 0.134, 0.001),
            (Least(Bias, Bumps), -5.2, 0.1),
            (Most(Bias, Bumps), -2.3, 0.1),
            (Mean(Ipr, Positive), 0.044, 0.001),
            (Mean(Bias, Positive), 8.4, 0.1),
            (Most(Peak, All), 11.0, 1.0),
        ],
        (Law::Kur(4.0), 40) => &[(Least(Ipr, All), 0.031, 0.001), (Most(Ipr, All), 0.052, 0.001)],
        (Law::Nlgp(_), 40) => &[
            (Count(Bumps), 8.0, 0.0),
            (Least(Ipr, Bumps), 0.31, 0.01),
            (Most(Ipr, Bumps), 0.325, 0.001),
            (Mean(Bias, Bumps), -18.5, 1.0),
            (Count(Positive), 2.0, 0.0),
        ],
        (Law::Kur(30.0), 100) => &[
            (Count(Bumps), 8.0, 0.0),
            (Least(Ipr, Bumps), 0.109, 0.001),
            (Most(Ipr, Bumps), 0.126, 0.001),
            (Least(Peak, Bumps), 3.8, 0.1),
            (Most(Peak, Bumps), 4.2, 0.1),
            (Mean(Ipr, Others), 0.05, 0.01),
            // The published picture of another network: ten bumps, about 4 high.
            (Count(Bumps), 10.0, 0.0),
            (Mean(Peak, Bumps), 4.0, 1.0),
        ],
        (Law::Kur(4.0), 100) => &[(Mean(Peak, All), 2.0, 1.0)],
        _ => &[],
    }
}

/// The loss of the independent program's network, in the convention with 1/2, and the unit it is rounded to.
fn published_loss(case: Case) -> Option<(f64, f64)> {
    match (case.law, case.n) {
        (Law::Kur(10.0), 40) => Some((0.212 / 2.0, 0.0005)),
        (Law::Kur(4.0), 40) => Some((0.217 / 2.0, 0.0005)),
        (Law::Nlgp(_), 40) => Some((0.184 / 2.0, 0.0005)),
        _ => None,
    }
}

/// Every published number of one law beside our distribution over seeds.
pub(super) fn rows(seeds: &Group<'_>, case: Case) -> Result<Vec<Published>, LabError> {
    let mut rows = Vec::new();
    for (statistic, theirs, unit) in published(case) {
        // One number per seed, of those seeds that have it.
        let ours: Vec<f64> =
            seeds.runs.iter().filter_map(|run| statistic.at(&units(run))).collect();
        if ours.len() >= 2 {
            let what = format!("{}: {}", case.name(), statistic.word());
            rows.push(Published::one_run(what, *theirs, &ours)?.rounded_to(*unit));
        }
    }
    if let Some((theirs, unit)) = published_loss(case) {
        let ours = seeds.per_seed(&probe::loss::ENTRY, mean_unit);
        let what = format!("{}: loss", case.name());
        rows.push(Published::one_run(what, theirs, &ours)?.rounded_to(unit));
    }
    Ok(rows)
}

/// The two ends of the published IPRs of bumps (of all units where there are none).
pub(super) fn published_iprs(case: Case) -> Vec<f64> {
    let ends = published(case).iter().filter_map(|(statistic, theirs, _)| match statistic {
        Least(Ipr, _) | Most(Ipr, _) => Some(*theirs),
        _ => None,
    });
    ends.collect()
}
