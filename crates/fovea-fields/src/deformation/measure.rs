//! One network trained at one gain after another and back, and the two branches: order parameters, hysteresis and continuity.

use super::{Deformation, Kind};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_desk::replicas::{jackknife, plain};
use fovea_sim::probe::centre::centre;
use fovea_sim::probe::dominant_frequency::dominant_frequency;
use fovea_sim::probe::gabor;
use fovea_theory::dictator::fixed_point::FixedPoint;

/// The order parameters of a field, as records name them.
const ORDER: [&str; 4] = ["ipr", "dominant-frequency.mean", "centre.spread", "gabor.share"];

/// IPR, mean frequency, circular spread, and what the nearest Gabor leaves of the squared field.
pub(super) fn order(w: &[f64]) -> Result<[f64; 4], ParamError> {
    let gabor = gabor::ENTRY.measure(w, &[w.len()])?;
    let left = gabor[0].last().copied().unwrap_or(0.0);
    let spread = centre(w, &[w.len()], 0).spread;
    Ok([ipr(w), dominant_frequency(w, w.len()).mean, spread, left])
}

/// The fields of a network at rest at one gain.
pub(super) struct Rest {
    /// Steps since the start of the first gain.
    step: u64,
    /// One field per unit.
    pub(super) fields: Vec<Vec<f64>>,
    /// Their order parameters.
    orders: Vec<[f64; 4]>,
    /// The mean IPR when half of the steps, three quarters of the training time, were done.
    before: f64,
}

impl Rest {
    /// The mean of an order parameter over the units.
    pub(super) fn mean(&self, which: usize) -> f64 {
        self.orders.iter().map(|order| order[which]).sum::<f64>() / self.orders.len() as f64
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
    /// One rest per gain of the way up, then those of the way down.
    rests: Vec<Rest>,
}

impl Chain {
    pub(super) fn new(run: &Trained) -> Result<Self, ParamError> {
        let steps: Vec<u64> = run.records().iter().map(|record| record.step).collect();
        let readings = run.readings(&probe::weights::ENTRY);
        // After the start there are two records of every gain: half-way and at its end.
        let ends = (2..readings.len()).step_by(2);
        let rest = |end: usize| -> Result<Rest, ParamError> {
            let (step, fields, half_way) = (steps[end], readings[end].to_vec(), readings[end - 1]);
            let orders = fields.iter().map(|w| order(w)).collect::<Result<_, _>>()?;
            let before = half_way.iter().map(|w| ipr(w)).sum::<f64>() / half_way.len() as f64;
            Ok(Rest { step, fields, orders, before })
        };
        Ok(Self { name: run.job.label.clone(), rests: ends.map(rest).collect::<Result<_, _>>()? })
    }

    /// The rest at a gain; at the highest both ways have the same one.
    pub(super) fn at(&self, branch: Branch, gain: usize) -> &Rest {
        match branch {
            Branch::Up => &self.rests[gain],
            Branch::Down => &self.rests[self.rests.len() - 1 - gain],
        }
    }

    /// Both branches, `fields_BRANCH_CHAIN[gain * unit][site]`; the highest gain belongs to the way up.
    pub(super) fn arrays(&self) -> [Array; 2] {
        let array = |word: &str, way: Branch, gains: usize| {
            let fields = (0..gains).flat_map(|gain| self.at(way, gain).fields.clone());
            Array::of_rows(format!("fields_{word}_{}", self.name), &fields.collect::<Vec<_>>())
        };
        let below = self.rests.len() / 2;
        [array("up", Branch::Up, below + 1), array("down", Branch::Down, below)]
    }

    /// Adds the order parameters of every unit at the end of every gain, over all the steps of the way.
    pub(super) fn add_to(&self, series: &mut Series, kind: &Kind) {
        for rest in &self.rests {
            // Half of the first rate is the mean of a straight line to zero.
            let at = (rest.step as i64, 0.5 * kind.rate * rest.step as f64);
            for (unit, order) in rest.orders.iter().enumerate() {
                for (name, value) in ORDER.iter().zip(order) {
                    series.push(&self.name, at, *name, unit, *value);
                }
            }
        }
    }
}

/// The chains of one kind.
pub struct Loop {
    pub(super) kind: Kind,
    pub(super) chains: Vec<Chain>,
}

impl Loop {
    /// What it is, for a reader.
    pub(super) fn what(&self) -> String {
        let width = self.kind.width;
        if width == 1 { "one unit".to_owned() } else { format!("{width} units") }
    }

    /// The mean over the seeds of a number that every network has.
    pub(super) fn mean(&self, of: impl Fn(&Chain) -> f64) -> Result<Estimate, LabError> {
        estimate(self.chains.iter().map(of))
    }

    /// The mean of an order parameter over the seeds.
    pub(super) fn order(&self, which: usize, at: (Branch, usize)) -> Result<Estimate, LabError> {
        self.mean(|chain| chain.at(at.0, at.1).mean(which))
    }

    /// The median over units and seeds of the cosine between a field at a gain and at the next one, on the way up.
    pub(super) fn next(&self, gain: usize) -> Result<f64, LabError> {
        let pairs = |chain: &Chain| {
            let [a, b] = [gain, gain + 1].map(|gain| &chain.at(Branch::Up, gain).fields);
            a.iter().zip(b).map(|(a, b)| cosine(a, b)).collect::<Vec<_>>()
        };
        Ok(quantile(&self.chains.iter().flat_map(pairs).collect::<Vec<_>>(), 0.5)?)
    }
}

/// From this gain on fields are bumps; below it the bumps vanish, slowly.
const CROSSOVER: f64 = 0.7;
/// The order parameter that says what the nearest Gabor leaves.
const LEFT: usize = 3;
/// The id of claims that are not in the catalogue.
const ID: &str = "deformation";
/// The clause on the way up and the way down at gains from the crossover on.
const WAYS: &str = "L003.62/ways";

/// The order parameters as tables show them: name, unit, and what they are.
const SHOWN: [(&str, &str, &str); 4] = [
    ("ipr", "", "Inverse participation ratio"),
    ("mean_frequency", "cycles per ring", "Mean frequency"),
    ("circular_spread", "sites", "Circular spread"),
    ("not_gabor", "", "Share of the squared field that the nearest Gabor leaves"),
];

impl Deformation {
    /// The state in which one unit ends at infinite gain, where there is one.
    pub(super) fn dictator(&self, of: &Loop) -> Result<Option<FixedPoint>, LabError> {
        let state = self.two.dictator()?;
        let infinite = self.gain[self.gain.len() - 1].is_infinite();
        Ok((of.kind.width == 1 && infinite && state.exists).then_some(state))
    }

    /// The IPR on the way down over that on the way up, one number per seed: the geometric mean over gains from `from` to below
    /// `to`, the highest left out.
    fn lag(&self, of: &Loop, from: f64, to: f64) -> Option<Vec<f64>> {
        let inside = |i: &usize| self.gain[*i] >= from && self.gain[*i] < to;
        let gains: Vec<usize> = (0..self.gain.len() - 1).filter(inside).collect();
        let lag = |chain: &Chain| {
            let ln = |gain: &usize| {
                let at = |branch| chain.at(branch, *gain).mean(0);
                libm::log(at(Branch::Down) / at(Branch::Up))
            };
            libm::exp(gains.iter().map(ln).sum::<f64>() / gains.len() as f64)
        };
        (!gains.is_empty()).then(|| of.chains.iter().map(lag).collect())
    }

    /// What is claimed of a loop with all steps, and of the one with fewer.
    pub(super) fn claims(&self, [slow, hasty]: &[Loop; 2]) -> Result<Vec<Claim>, LabError> {
        let (what, top) = (slow.what(), self.gain.len() - 1);
        let mut claims = Vec::new();
        let below = self.lag(slow, 0.0, CROSSOVER);
        if let (Some(above), Some(below)) = (self.lag(slow, CROSSOVER, f64::INFINITY), &below) {
            // There is a lag however long the training, so that the ways are near each other but not equal.
            let lags: Vec<Vec<f64>> = above.iter().zip(below).map(|(a, b)| vec![*a, *b]).collect();
            let share = plain(&lags, |lag| (lag[0] - 1.0).abs() / (lag[1] - 1.0).abs())?;
            let statement = format!(
                "{what}: IPR on the way down over that on the way up, geometric mean over gains: its distance from 1 at gains from {CROSSOVER}, over that at gains below, is less than half"
            );
            claims.push(one_sided(WAYS, statement, share, 0.5, false));
        }
        if let [Some(long), Some(short)] = [below, self.lag(hasty, 0.0, CROSSOVER)] {
            let ratios = estimate(short.iter().zip(&long).map(|(short, long)| short / long))?;
            let statement = format!(
                "{what}, gains below {CROSSOVER}: the ways are further apart with {} times fewer steps, a lag and not two branches; IPR on the way down over that on the way up (geometric mean over gains), with fewer steps, divided by the same with all steps: above 1",
                self.haste
            );
            claims.push(one_sided(ID, statement, ratios, 1.0, true));
        }
        let up = |chain: &Chain, gain| chain.at(Branch::Up, gain).mean(0);
        let grown = slow.mean(|chain| up(chain, top) / up(chain, 0))?;
        let statement = format!(
            "{what}: from the lowest gain to the highest fields narrow, IPR at the highest over that at the lowest above 1"
        );
        claims.push(one_sided("L003.62/narrow", statement, grown, 1.0, true));
        if let Some(dictator) = self.dictator(slow)? {
            // Centred on their peaks, fields have a mean that does not depend on where they are.
            let field = |chain: &Chain| centred(&chain.at(Branch::Up, top).fields[0]);
            let measured = jackknife(&slow.chains.iter().map(field).collect::<Vec<_>>(), ipr)?;
            let statement =
                format!("{what}: at infinite gain the IPR of the dictator state, in closed form");
            let claim = Claim::family(ID, statement, &[(measured, dictator.ipr)]);
            let claim = claim.rejecting("a single site, IPR 1", &[(measured, 1.0)]);
            claims.push(claim.only_as_stated());
        }
        Ok(claims)
    }

    /// A table for every order parameter, one of changes along the way up, and one of lags.
    pub(super) fn tables(&self, loops: &[[Loop; 2]]) -> Result<Vec<Table>, LabError> {
        let top = self.gain.len() - 1;
        let rests = || loops.iter().flat_map(|[slow, _]| (0..=top).map(move |gain| (slow, gain)));
        let mut tables = Vec::new();
        for (which, (name, unit, what)) in SHOWN.into_iter().enumerate() {
            let mut rows = Vec::new();
            for (slow, gain) in rests() {
                let at = |chain: &Chain, branch| chain.at(branch, gain).mean(which);
                let apart = slow.mean(|chain| at(chain, Branch::Up) / at(chain, Branch::Down))?;
                let way = |branch| slow.order(which, (branch, gain));
                let z = if gain < top { apart.z(1.0) } else { f64::NAN };
                let ways = (way(Branch::Up)?, way(Branch::Down)?);
                rows.push((slow.kind.width, self.gain[gain], ways, z));
            }
            let table = Table::of(name, &rows)
                .whole("units", |row| row.0)
                .given("gain", |row| row.1)
                .estimate("up", 3, |row| row.2.0)
                .unit(unit)
                .estimate("down", 3, |row| row.2.1)
                .unit(unit)
                .real("z", 1, |row| row.3);
            tables.push(table.caption(format!(
                "{what}, mean over units and networks, on the way up and on the way down; z: up over down less 1, in standard \
                 errors over networks."
            )));
        }
        let mut changes = Vec::new();
        for (slow, gain) in rests() {
            let rests = slow.chains.iter().map(|chain| chain.at(Branch::Up, gain));
            let drifts: Vec<f64> = rests.map(|rest| 1.0 - rest.before / rest.mean(0)).collect();
            let next = if gain < top { slow.next(gain)? } else { f64::NAN };
            changes.push((slow.kind.width, self.gain[gain], quantile(&drifts, 0.5)?, next));
        }
        let changes = Table::of("changes", &changes)
            .whole("units", |row| row.0)
            .given("gain", |row| row.1)
            .real("drift", 1, |row| 100.0 * row.2)
            .unit("%")
            .real("next", 4, |row| row.3)
            .caption(
                "On the way up, medians: the share of the IPR that was added in the last quarter of the training time, and the \
                 cosine of a field with that at the next gain.",
            );
        tables.extend([changes, self.lags(loops)?]);
        Ok(tables)
    }

    /// How far the ways are apart, with all steps and with fewer.
    fn lags(&self, loops: &[[Loop; 2]]) -> Result<Table, LabError> {
        let mut rows = Vec::new();
        for one in loops.as_flattened() {
            for (from, to) in [(0.0, CROSSOVER), (CROSSOVER, f64::INFINITY)] {
                if let Some(lag) = self.lag(one, from, to) {
                    rows.push((one, from, to, estimate(lag)?));
                }
            }
        }
        Ok(Table::of("lag", &rows)
            .whole("units", |row| row.0.kind.width)
            .whole("networks", |row| row.0.chains.len())
            .whole("steps", |row| row.0.kind.steps)
            .given("gains_from", |row| row.1)
            .given("gains_below", |row| row.2)
            .estimate("ipr_down_over_up", 4, |row| row.3)
            .caption(
                "IPR on the way down over that on the way up, geometric mean over the gains of a range without the highest, \
                 with all steps at each gain and with fewer.",
            ))
    }

    /// Many units at high gain are said to be the most Gabor-like: what the nearest Gabor leaves of them, over what it leaves of one unit.
    pub(super) fn gabors(&self, loops: &[[Loop; 2]]) -> Result<Option<Claim>, LabError> {
        let of = |single| loops.iter().find(|[slow, _]| (slow.kind.width == 1) == single);
        let (Some([one, _]), Some([many, _])) = (of(true), of(false)) else { return Ok(None) };
        let top = self.gain.len() - 1;
        let left = |l: &Loop| l.order(LEFT, (Branch::Up, top));
        let (single, several, what) = (left(one)?, left(many)?, many.what());
        let (unit, gap) = (single.mean(), several.difference(&single));
        let statement = format!(
            "highest gain: the nearest Gabor leaves more of {what} than the {unit:.3} it leaves of one (the note says that many units are the most Gabor-like)"
        );
        let ratio = Estimate::from_parts(several.mean() / unit, gap.se() / unit, several.count())?;
        Ok(Some(one_sided("L003.62/gabors", statement, ratio, 1.0, true)))
    }
}

/// A field turned so that its peak is at site 0 and positive.
pub fn centred(w: &[f64]) -> Vec<f64> {
    let top = peak(w);
    (0..w.len()).map(|i| w[(top + i) % w.len()] * w[top].signum()).collect()
}
