//! Claims, tables, and the published numbers compared with ours.

use super::measure::{
    Estimates, HEAVY as HEAVY_TABLE, Late, NUMBERS, PUBLISHED_BATCH, Tails, same,
};
use super::{Found, IprVsKurtosis};
use fovea_core::agree::noise_limit;
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::ipr_table;
use fovea_desk::prelude::*;
use fovea_desk::published::Published;
use fovea_desk::replicas::share;
use fovea_record::bound::{one_sided, refuted_by_most};

/// The id of its claims: none of them is a clause of the catalogue.
const ID: &str = "ipr-vs-kurtosis";

/// The range an estimate is expected in, by its quantiles.
const RANGE: [f64; 2] = [0.005, 0.995];
/// Above this exact excess kurtosis most estimates are too low.
const HEAVY: f64 = 1.0;
/// A localized field of these data that stayed where it was would have more than this overlap with itself half way.
const KEPT: f64 = 0.5;

/// Claims and tables of a run.
pub(super) fn told(settings: &IprVsKurtosis, found: &Found) -> Result<Shown, LabError> {
    let Found { lines, estimates, late, tails } = found;
    let mut rows = Vec::new();
    for (i, tail) in tails.iter().enumerate() {
        rows.extend(tail.published(tails.get(i + 1).filter(|next| next.wide))?);
    }
    let mut tables = vec![estimated(estimates)?];
    if !late.is_empty() {
        tables.push(trained_on(settings, late)?);
    }
    if !tails.is_empty() {
        tables.push(spikes(tails)?);
    }
    let mut shown = ipr_table::shown(ID, ("k", &settings.k), lines, rows, tables)?;
    shown.claims.extend(recorded(estimates)?);
    shown.claims.extend(arrived(settings, late));
    for tail in tails {
        shown.claims.extend(tail.claim()?);
        shown.claims.extend(tail.reproduced()?);
    }
    Ok(shown)
}

/// Recorded kurtoses lie where estimates do; at heavy tails most estimates lie below the closed form.
fn recorded(all: &[Estimates]) -> Result<Vec<Claim>, LabError> {
    let flag = |yes: bool| f64::from(u8::from(yes));
    let (mut inside, mut known, mut below, mut heavy) = (0.0, 0.0, 0.0, 0.0);
    let mut clear = true;
    let mut claims = Vec::new();
    for at in all {
        let Some(recorded) = at.recorded else { continue };
        known += 1.0;
        let within = at.at(RANGE[0])? <= recorded && recorded <= at.at(RANGE[1])?;
        inside += flag(within);
        clear &= within || clearly_outside(&at.all, recorded);
        heavy += flag(at.exact > HEAVY);
        below += flag(at.exact > HEAVY && recorded < at.exact);
    }
    if heavy > 0.0 {
        let statement = format!(
            "the {known} recorded kurtoses lie in the range of {} estimates from {NUMBERS} numbers each, and below the closed form wherever that is above {HEAVY}",
            all[0].all.len()
        );
        let (measured, wrong) = ([inside, below], [known, 0.5 * heavy]);
        let form = "an estimate as often above the closed form as below";
        let claim = Claim::exact(ID, statement, &[known, heavy], &measured, 1e-9);
        let claim = claim.rejecting_exact(form, &wrong, &measured);
        let why =
            || format!("{} estimates are too few to say where their range ends", all[0].all.len());
        claims.push(if clear { claim } else { claim.unchecked(why()) });
    }
    for at in all.iter().filter(|at| at.exact > HEAVY) {
        let low = at.all.iter().filter(|estimate| **estimate < at.exact).count();
        let statement = format!(
            "k = {}: more than half of the estimates lie below the exact kurtosis {:.3}",
            at.k, at.exact
        );
        claims.push(one_sided(ID, statement, share(low, at.all.len())?, 0.5, true));
    }
    Ok(claims)
}

/// Whether a number is outside the range of the estimates by more than chance.
fn clearly_outside(estimates: &[f64], number: f64) -> bool {
    let (count, expected) = (estimates.len() as f64, RANGE[0]);
    let below = estimates.iter().filter(|estimate| **estimate < number).count() as f64 / count;
    let spread = (expected * (1.0 - expected) / count).sqrt();
    expected - below.min(1.0 - below) > noise_limit(1, f64::INFINITY) * spread
}

/// Exact and recorded kurtosis, and the spread of estimates: a row per exponent.
fn estimated(all: &[Estimates]) -> Result<Table, LabError> {
    let row = |at: &Estimates| {
        let recorded = at.recorded.unwrap_or(f64::NAN);
        Ok([at.k, at.exact, recorded, at.at(0.5)?, at.at(0.01)?, at.at(0.99)?])
    };
    let rows = all.iter().map(row).collect::<Result<Vec<[f64; 6]>, LabError>>()?;
    Ok(Table::of("kurtosis", &rows)
        .given("k", |row| row[0])
        .real("exact", 3, |row| row[1])
        .real("recorded", 2, |row| row[2])
        .real("median", 2, |row| row[3])
        .real("lowest_percent", 2, |row| row[4])
        .real("highest_percent", 2, |row| row[5])
        .caption(format!(
            "Excess kurtosis of a site: exact, recorded with the published figure, and estimated here from {NUMBERS} numbers per estimate: the median of the estimates, \
             and their range from 1 to 99 %."
        )))
}

/// IPRs at the step where the publication stops, and of the same runs later.
fn trained_on(settings: &IprVsKurtosis, all: &[Late]) -> Result<Table, LabError> {
    let mut rows = Vec::new();
    for Late { k, early, end } in all {
        rows.push((*k, settings.sweep.descent.steps, Spread::of(early)?));
        rows.push((*k, settings.late_steps, Spread::of(end)?));
    }
    let table = Table::of("trained_on", &rows).given("k", |row| row.0).whole("steps", |row| row.1);
    let table = Spread::columns(table, "ipr", |row| Some(&row.2));
    Ok(table
        .caption("IPR over the runs at the step where the publication stops, and of the same runs with continued training."))
}

/// IPRs at exponents without a kurtosis, and whether fields stay.
fn spikes(all: &[Tails]) -> Result<Table, LabError> {
    let mut rows = Vec::new();
    for tail in all {
        let Tails { iprs, kept, .. } = tail;
        let spreads = || Ok::<_, LabError>([Spread::of(iprs)?, Spread::of(kept)?]);
        rows.push((tail, (iprs.len() > 1).then(spreads).transpose()?));
    }
    let table = Table::of("heavy_tails", &rows)
        .given("k", |(tail, _)| tail.k)
        .whole("batch", |(tail, _)| tail.batch);
    Ok(Spread::columns(table, "ipr", |(_, spreads)| spreads.as_ref().map(|[ipr, _]| ipr))
        .real("cosine", 3, |(_, spreads)| spreads.as_ref().map_or(f64::NAN, |s| s[1].median()))
        .whole("diverged", |(tail, _)| tail.diverged)
        .caption(
            "Final IPR over the runs at exponents without a kurtosis; the median over the runs of |cosine| between the field half way and the one at the end; and \
             how many runs diverged.",
        ))
}

/// Every run whose training is continued ends localized; where the publication stops some are not.
fn arrived(settings: &IprVsKurtosis, all: &[Late]) -> Option<Claim> {
    let arrived = |iprs: &[f64]| iprs.iter().filter(|ipr| **ipr > LEAST_IPR).count();
    let otherwise: Vec<(usize, usize)> =
        all.iter().map(|at| (at.end.len(), at.end.len() - arrived(&at.end))).collect();
    let runs: Vec<f64> = all.iter().map(|at| at.end.len() as f64).collect();
    let late: Vec<f64> = all.iter().map(|at| arrived(&at.end) as f64).collect();
    let early: Vec<f64> = all.iter().map(|at| arrived(&at.early) as f64).collect();
    let statement = format!(
        "all runs whose training is continued localize: after {} steps the IPR of every one is above {LEAST_IPR}",
        settings.late_steps
    );
    let form = format!("the number of them after {} steps", settings.sweep.descent.steps);
    (!all.is_empty()).then(|| {
        let claim = Claim::exact(ID, statement, &runs, &late, 1e-9);
        let claim = claim.rejecting_exact(form, &early, &late).only_as_stated();
        refuted_by_most(claim, &otherwise)
    })
}

impl Tails {
    fn name(&self) -> String {
        format!("k = {}, batch {}", self.k, self.batch)
    }

    /// The published mean compared with ours; `wide` are runs with the published batch, which show whether the batch makes the difference.
    fn published(&self, wide: Option<&Self>) -> Result<Option<Published>, LabError> {
        let Some(source) = self.source.filter(|_| self.iprs.len() > 1) else { return Ok(None) };
        let what = format!("mean IPR, {}", self.name());
        let ours = Spread::of(&self.iprs)?;
        let row = Published::mean(what, (source.mean, source.sd, source.runs), ours.mean)?;
        let Some(wide) = wide.map(|wide| wide.published(None)).transpose()?.flatten() else {
            return Ok(Some(row));
        };
        let (median, largest) = (ours.median(), ours.quantiles[6]);
        let (mean, se) = (wide.ours.mean(), wide.ours.se());
        let why = format!(
            "spikes: the median is {median:.4} and the largest {largest:.4}; with the published batch the mean is {mean:.4} +- {se:.4}"
        );
        Ok(Some(if wide.agrees() { row.because(why) } else { row }))
    }

    /// With the published batch the mean is the published one, and not that of the next exponent.
    fn reproduced(&self) -> Result<Option<Claim>, LabError> {
        let next = HEAVY_TABLE.iter().find(|row| same((row.k - self.k).abs(), 1.0));
        let next = next.filter(|_| self.batch == PUBLISHED_BATCH);
        let row = if next.is_some() { self.published(None)? } else { None };
        let form = "the published mean at the next exponent";
        Ok(row.zip(next).and_then(|(row, next)| row.claim(ID, form, next.mean)))
    }

    /// Localized fields of data without a variance do not stay where they are: they follow the last spike.
    fn claim(&self) -> Result<Option<Claim>, LabError> {
        if self.k > 2.0 || self.kept.len() < 2 {
            return Ok(None);
        }
        let statement = format!(
            "k = {}: the field half way is not the field at the end, |cosine| below {KEPT} on average",
            self.k
        );
        let mean = Estimate::from_samples(&self.kept)?;
        Ok(Some(one_sided(ID, statement, mean, KEPT, false)))
    }
}
