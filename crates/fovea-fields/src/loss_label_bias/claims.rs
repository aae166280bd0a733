//! What is claimed of random starts and of held fields, and what a person reads: the table beside the published ranges, IPR over gain,
//! and what follows from the numbers.

use super::LossLabelBias;
use super::arm::all;
use super::measure::{Ends, Held, REACH};
use super::theory::{Exists, Theory};
use fovea_desk::cell::{LEAST_IPR, vote};
use fovea_desk::prelude::*;
use fovea_desk::replicas::plain;
use fovea_theory::dictator::fixed_point::FixedPoint;

/// The experiment's own name: clauses compare losses and starts in another way, such as fields started on one site.
const ID: &str = "loss-label-bias";

/// Where random starts end at the published lengths: broader than any dictator where no dictator state exists, localized
/// where one unit has one. A pair may take longer than a run to find its own, and at other lengths starts may miss a
/// state (L001.4) or end just outside a cell, so that nothing is claimed there.
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

/// Whether the fields stay, and where they do whether they are the closed form.
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
        // A pair answers on both halves of the inputs, one unit on one: L = (1 - R)/4 against (1 - R/2)/4.
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

/// Published and measured IPR: a row for each, arm (in the order of `fovea show`), K, low, high, then mean, low, high.
pub(super) fn published(groups: &[Ends<'_>]) -> Option<Array> {
    let row = |group: &Ends<'_>| {
        let (row, ours) = (group.published?, group.comparable());
        let head = vec![f64::from(row.arm as u8), row.width as f64, row.ipr.0, row.ipr.1];
        (!ours.is_empty()).then(|| [head, spread(&ours).to_vec()].concat())
    };
    let rows: Vec<Vec<f64>> = groups.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Array::of_rows("published_ipr", &rows))
}

/// How a published range and our numbers lie to each other.
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

/// What is said of the networks of one point: how many fields are as localized as one in a dictator's cell, how many
/// networks are pairs of opposites, and more.
const NUMBERS: [&str; 6] = ["K", "ipr", "min..max", "> 1/2", "pairs", "b2"];

fn numbers(group: &Ends<'_>) -> Result<Vec<String>, LabError> {
    let iprs = group.iprs();
    let [_, low, high] = spread(&iprs);
    let localized = iprs.iter().filter(|ipr| **ipr > LEAST_IPR).count();
    let pairs = group.pairs().map(|pairs| format!("{}/{}", pairs.len(), group.runs.len()));
    let b2 = group.mean_b2()?.map(|b2| plus_minus(&b2, 4));
    Ok(vec![
        group.point.arm.word().to_owned(),
        group.point.width.to_string(),
        format!("{:.4}", group.mean_ipr()?.mean()),
        format!("{low:.3}..{high:.3}"),
        format!("{localized}/{}", iprs.len()),
        pairs.unwrap_or_default(),
        b2.unwrap_or_default(),
    ])
}

/// From which gain on the mean field of an arm and width is localized.
fn from_gain(groups: &[Ends<'_>]) -> Result<Vec<String>, LabError> {
    let mut compared: Vec<&Ends<'_>> = groups.iter().filter(|g| g.published.is_none()).collect();
    compared.sort_by(|a, b| a.point.gain.total_cmp(&b.point.gain));
    let (mut told, mut lines) = (Vec::new(), Vec::new());
    for group in compared {
        let of = (group.point.arm, group.point.width);
        if !told.contains(&of) && group.mean_ipr()?.mean() > LEAST_IPR {
            told.push(of);
            let (title, gain) = (group.point.title(), Value::Real(group.point.gain));
            lines.push(format!("{title}: mean IPR above 1/2 from gain {gain} on"));
        }
    }
    Ok(lines)
}

impl LossLabelBias {
    /// The lines at the end of a run.
    pub(super) fn summary(&self, groups: &[Ends<'_>]) -> Result<Vec<String>, LabError> {
        let (mut fixed, mut fresh, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        for group in groups {
            let numbers = numbers(group)?;
            match (group.published, &group.prediction) {
                (Some(row), _) => {
                    let range = format!("{:.2}..{:.2}", row.ipr.0, row.ipr.1);
                    let word = verdict(row.ipr, &group.comparable()).to_owned();
                    let b2 = row.b2.map_or_else(String::new, |b2| b2.to_string());
                    fixed.push([numbers, vec![range, b2, word]].concat());
                }
                (None, Some(theory)) => {
                    fresh.push([numbers, vec![theory.in_words()]].concat());
                    let (Exists::Below(edge), Some(b2)) = (theory.exists, group.mean_b2()?) else {
                        continue;
                    };
                    let side = if b2.mean() < edge { "below" } else { "beyond" };
                    edges.push(format!(
                        "{}: random starts end at b2 = {}, {side} the edge {edge:.4} of the line of dictator pairs",
                        group.point.title(),
                        plus_minus(&b2, 4)
                    ));
                }
                (None, None) => {}
            }
        }
        let mut lines = Vec::new();
        let within = fixed.iter().filter(|row| row[9] == "mean within").count();
        let of_all = format!(
            "{within} of {} published ranges hold the mean IPR found here (of two units, that of pairs of opposites)",
            fixed.len()
        );
        let any = !fixed.is_empty();
        if any {
            let head = [&["fixed set"][..], &NUMBERS, &["published", "published b2", ""]].concat();
            lines.extend(table(&head, fixed));
            let LossLabelBias { batch, steps, wide_steps, .. } = LossLabelBias::default();
            if self.batch < batch || self.steps < steps || self.wide_steps < wide_steps {
                lines.push(format!(
                    "(published: sets of {batch}, {steps} and {wide_steps} steps; smaller sets and shorter runs localize less)"
                ));
            }
        }
        if !fresh.is_empty() {
            let head = [&["fresh samples"][..], &NUMBERS, &["dictator state"]].concat();
            lines.extend(table(&head, fresh));
        }
        if self.gain.len() > 1 {
            lines.extend(self.gain_table(groups)?);
        }
        lines.extend(any.then_some(of_all).into_iter().chain(edges));
        lines.extend(from_gain(groups)?);
        for arm in all() {
            if let Some((twin, why)) = arm.twin() {
                lines.push(format!("{} is {} in other units: {why}", arm.word(), twin.word()));
            }
        }
        Ok(lines)
    }

    /// Mean IPR of every arm and width at every gain.
    fn gain_table(&self, groups: &[Ends<'_>]) -> Result<Vec<String>, LabError> {
        let row = |about: &str, width: String| vec![about.to_owned(), width];
        let mut rows = vec![row("mean ipr at gain", "K".to_owned())];
        rows[0].extend(self.gain.iter().map(|gain| Value::Real(*gain).to_string()));
        for width in &self.width {
            for arm in &self.arms.0 {
                let mut cells = row(arm.word(), width.to_string());
                for group in groups.iter().filter(|group| group.compares(*arm, *width)) {
                    cells.push(format!("{:.4}", group.mean_ipr()?.mean()));
                }
                rows.push(cells);
            }
        }
        Ok(aligned(&rows))
    }

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
