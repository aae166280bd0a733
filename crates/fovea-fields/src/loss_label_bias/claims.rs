//! Claims on random starts and on held fields, and tables: the published ranges compared with ours, IPR over gain, and the answer in
//! words.

use super::LossLabelBias;
use super::arm::{Arm, Published, all};
use super::measure::{Ends, Held, REACH};
use super::theory::{Exists, Prediction, Theory};
use fovea_desk::cell::{LEAST_IPR, vote};
use fovea_desk::prelude::*;
use fovea_desk::replicas::plain;
use fovea_page::table::Rows;
use fovea_theory::dictator::fixed_point::FixedPoint;

/// The experiment's own name: clauses compare losses and starts in another way, such as fields started on one site.
const ID: &str = "loss-label-bias";

/// Where random starts end at the published lengths: broader than any dictator where no dictator state exists, localized
/// where one unit has one. A pair may take longer than a run to find its own, and at other lengths starts may miss a
/// state (L001.4) or end just outside a cell, so that there is no claim for these.
pub(super) fn of_ends(ends: &Ends<'_>) -> Result<Option<Claim>, LabError> {
    let exists = ends.prediction.as_ref().map(|prediction| prediction.exists);
    let [state, how, side] = match exists.filter(|_| ends.published.is_none()) {
        Some(Exists::Yes) if ends.point.width == 1 => ["a", "localized", "above"],
        Some(Exists::No(_)) => ["no", "broader", "below"],
        _ => return Ok(None),
    };
    let statement = format!(
        "{}, by theory {state} dictator state: random starts end {how}, mean IPR {side} 1/2, the least in a dictator's cell",
        ends.point.title()
    );
    Ok(Some(one_sided(ID, statement, ends.mean_ipr()?, LEAST_IPR, side == "above")))
}

/// Whether the fields stay, and, where they do, whether they are the closed form.
pub(super) fn of_held(held: &Held, theory: &Theory) -> Result<Vec<Claim>, LabError> {
    let words = [["no", "leave", "below"], ["a", "stay in", "above"]];
    let [state, how, side] = words[usize::from(held.stays)];
    let title = held.point.title();
    let statement = format!(
        "{title}, by theory {state} dictator state: fields started in a dictator's cell {how} it, 2 |w_0| / |w|_1 of their mean is {side} 1"
    );
    let vote = plain(&held.units, |w| vote(w, 0))?;
    let mut claims = vec![one_sided(ID, statement, vote, 1.0, held.stays)];
    let predicted = |measured: &[Estimate], state: &FixedPoint| -> Vec<(Estimate, f64)> {
        // A pair responds to both halves of the inputs, one unit to one: L = (1 - R)/4 against (1 - R/2)/4.
        let both = 2.0 * state.loss - 0.25;
        let last = [state.ipr, if held.point.width == 2 { both } else { state.loss }];
        let weights = state.w[..measured.len() - 2].iter().copied();
        measured.iter().copied().zip(weights.chain(last)).collect()
    };
    if let Some(measured) = &held.closed {
        let b2 = if held.point.arm.biased() { ", b2 added to the centre" } else { "" };
        let statement = format!(
            "{title}: the mean of the fields held in a dictator's cell (0 to {REACH} sites from its centre{b2}), its IPR \
             and its loss are the closed form's"
        );
        let claim = Claim::family(ID, statement, &predicted(measured, &theory.dictator));
        let latent = predicted(measured, &theory.latent);
        let wrong = "the latent covariance in place of the signs'";
        claims.push(claim.rejecting(wrong, &latent).only_as_stated());
    }
    Ok(claims)
}

/// Mean, smallest and largest of some numbers.
fn spread(values: &[f64]) -> [f64; 3] {
    let [low, high] = extent(values);
    [mean(values), low, high]
}

/// Published and measured IPR, a row per published range: arm (in the order of `fovea show`), K, low, high, then mean, low, high.
pub(super) fn published(groups: &[Ends<'_>]) -> Option<Array> {
    let row = |group: &Ends<'_>| {
        let (row, ours) = (group.published?, group.comparable());
        let head = vec![f64::from(row.arm as u8), row.width as f64, row.ipr.0, row.ipr.1];
        (!ours.is_empty()).then(|| [head, spread(&ours).to_vec()].concat())
    };
    let rows: Vec<Vec<f64>> = groups.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Array::of_rows("published_ipr", &rows))
}

/// How our numbers compare with a published range.
pub fn verdict(published: (f64, f64), ours: &[f64]) -> &'static str {
    // The published ends have two digits.
    const ROUNDING: f64 = 0.005;
    let (from, to) = (published.0 - ROUNDING, published.1 + ROUNDING);
    match spread(ours) {
        _ if ours.is_empty() => "no pair",
        [mean, ..] if (from..=to).contains(&mean) => "mean within",
        [_, low, high] if low <= to && from <= high => "ranges overlap",
        _ => "apart",
    }
}

/// Numbers of the networks of one point: IPRs, how many fields are as localized as one in a dictator's cell, how many networks
/// are pairs of opposites, and more.
struct Numbers<'a> {
    ends: &'a Ends<'a>,
    mean: Estimate,
    iprs: Vec<f64>,
    b2: Option<Estimate>,
}

impl<'a> Numbers<'a> {
    fn of(ends: &'a Ends<'a>) -> Result<Self, LabError> {
        Ok(Self { ends, mean: ends.mean_ipr()?, iprs: ends.iprs(), b2: ends.mean_b2()? })
    }

    /// One of the networks' numbers in theory, NaN where theory has none.
    fn predicted(&self, of: fn(&Prediction) -> f64) -> f64 {
        self.ends.prediction.as_ref().map_or(f64::NAN, of)
    }
}

/// The columns that tables of networks have in common.
fn numbers<'r>(name: &str, rows: &'r [Numbers<'r>]) -> Rows<'r, Numbers<'r>> {
    let pairs = |ends: &Ends<'_>| ends.pairs().map_or(f64::NAN, |pairs| pairs.len() as f64);
    Table::of(name, rows)
        .words("arm", |row| row.ends.point.arm.word())
        .whole("width", |row| row.ends.point.width)
        .estimate("ipr", 4, |row| row.mean)
        .real("least", 3, |row| spread(&row.iprs)[1])
        .real("most", 3, |row| spread(&row.iprs)[2])
        .whole("localized", |row| row.iprs.iter().filter(|ipr| **ipr > LEAST_IPR).count())
        .whole("fields", |row| row.iprs.len())
        .real("pairs", 0, move |row| pairs(row.ends))
        .whole("networks", |row| row.ends.runs.len())
        .maybe("b2", 4, |row| row.b2)
}

/// What these columns mean.
const NUMBERS: &str = "localized: fields with an IPR above 1/2, the least in a dictator's cell; pairs: networks of two units that are opposites.";

/// The published table, repeated.
fn fixed_set(rows: &[Numbers<'_>]) -> Table {
    let theirs =
        |row: &Numbers<'_>, of: fn(&Published) -> f64| row.ends.published.map_or(f64::NAN, of);
    let LossLabelBias { batch, steps, wide_steps, .. } = LossLabelBias::default();
    numbers("fixed_set", rows)
        .real("published_least", 2, |row| theirs(row, |row| row.ipr.0))
        .real("published_most", 2, |row| theirs(row, |row| row.ipr.1))
        .given("published_b2", |row| theirs(row, |row| row.b2.unwrap_or(f64::NAN)))
        .words("verdict", |row| agreement(row.ends))
        .caption(format!(
            "Networks trained on a fixed set, compared with the published ranges of the IPR (of two units, with the pairs of opposites); {NUMBERS} The published settings are \
             {batch} samples and {steps} steps, {wide_steps} for more than one unit; smaller sets and shorter runs localize less."
        ))
}

/// How our numbers compare with a published range; nothing where none is published.
fn agreement(ends: &Ends<'_>) -> &'static str {
    ends.published.map_or("", |row| verdict(row.ipr, &ends.comparable()))
}

/// The gain from which on the mean IPR of every arm and width is that of a localized field.
fn from_gain(by_gain: &[Numbers<'_>]) -> Table {
    let point = |row: &Numbers<'_>| (row.ends.point.arm, row.ends.point.width);
    let mut rows: Vec<(Arm, usize, f64)> = Vec::new();
    for (arm, width) in by_gain.iter().map(point) {
        if rows.iter().any(|row| (row.0, row.1) == (arm, width)) {
            continue;
        }
        let localized =
            by_gain.iter().filter(|row| point(row) == (arm, width) && row.mean.mean() > LEAST_IPR);
        let gain = localized.map(|row| row.ends.point.gain).fold(f64::NAN, f64::min);
        rows.push((arm, width, gain));
    }
    Table::of("localized_from", &rows)
        .words("arm", |row| row.0.word())
        .whole("width", |row| row.1)
        .given("gain", |row| row.2)
        .caption("The least gain at which the mean IPR of an arm and width is above 1/2.")
}

/// The arms that are equivalent to another one.
fn twins() -> Table {
    let twins: Vec<_> = all()
        .into_iter()
        .filter_map(|arm| arm.twin().map(|(twin, why)| (arm, twin, why)))
        .collect();
    Table::of("same_problem", &twins)
        .words("arm", |row| row.0.word())
        .words("is", |row| row.1.word())
        .words("because", |row| row.2)
        .caption("Arms that are equivalent to another arm in other units, and are not trained by default.")
}

/// Both kinds of networks, the IPR by gain, and what follows.
pub(super) fn tables(groups: &[Ends<'_>]) -> Result<Vec<Table>, LabError> {
    let all_of = |keep: &dyn Fn(&&Ends<'_>) -> bool| -> Result<Vec<_>, LabError> {
        groups.iter().filter(keep).map(Numbers::of).collect()
    };
    let fixed = all_of(&|ends| ends.published.is_some())?;
    let fresh = all_of(&|ends| ends.published.is_none() && ends.prediction.is_some())?;
    let by_gain = all_of(&|ends| ends.published.is_none())?;
    let mut tables = Vec::new();
    if !fixed.is_empty() {
        let within = fixed.iter().filter(|row| agreement(row.ends) == "mean within").count();
        let count = Table::of("published_ranges", &[within])
            .whole("ranges", |_| fixed.len())
            .whole("hold_our_mean", |within| *within)
            .caption("The number of published ranges, and how many of them contain the mean IPR found here (of two units, that of pairs of opposites).");
        tables.extend([fixed_set(&fixed), count]);
    }
    if !fresh.is_empty() {
        let table = numbers("fresh_samples", &fresh)
            .words("dictator_state", |row| {
                row.ends.prediction.as_ref().map_or_else(String::new, Prediction::in_words)
            })
            .real("centre", 4, |row| row.predicted(|at| at.candidate.map_or(f64::NAN, |of| of.0)))
            .real("margin", 4, |row| row.predicted(|at| at.candidate.map_or(f64::NAN, |of| of.1)))
            .real("edge", 4, |row| row.predicted(Prediction::edge));
        tables.push(table.caption(format!(
            "Networks trained on fresh samples at infinite gain, and whether a dictator state exists in theory: centre and margin of the only candidate, and the edge, \
             the output bias b2 below which a line of dictator pairs exists; {NUMBERS}"
        )));
    }
    let ipr_by_gain = Table::of("ipr_by_gain", &by_gain)
        .words("arm", |row| row.ends.point.arm.word())
        .whole("width", |row| row.ends.point.width)
        .given("gain", |row| row.ends.point.gain)
        .estimate("ipr", 4, |row| row.mean)
        .caption("Mean IPR of every arm and width at every gain.");
    tables.extend([ipr_by_gain, from_gain(&by_gain), twins()]);
    Ok(tables)
}

impl LossLabelBias {
    /// Question and answer, from the numbers.
    pub(super) fn lead(&self, groups: &[Ends<'_>]) -> Result<String, LabError> {
        let question =
            "Which losses, labels and output biases make ReLU units grow localized fields?";
        let mut sentences = vec![question.to_owned()];
        for width in &self.width {
            // Broader, and localized.
            let mut arms = [Vec::new(), Vec::new()];
            let here = |g: &&Ends<'_>| g.published.is_none() && g.prediction.is_some();
            for group in groups.iter().filter(here).filter(|g| g.point.width == *width) {
                let localized = group.mean_ipr()?.mean() > LEAST_IPR;
                arms[usize::from(localized)].push(group.point.arm.word());
            }
            if arms.concat().is_empty() {
                continue;
            }
            let [broader, localized] =
                arms.map(|arms| if arms.is_empty() { "none".to_owned() } else { arms.join(", ") });
            sentences.push(format!(
                "At infinite gain and K = {width}, fields end as localized as a dictator (mean IPR above 1/2) under: {localized}; broader under: {broader}."
            ));
        }
        Ok(sentences.join(" "))
    }
}
