//! What is claimed of random starts and of held fields, and what a person reads: the table beside the published ranges, IPR over gain,
//! and what follows from the numbers.

use super::LossLabelBias;
use super::arm::{ALL, Published};
use super::jobs::Point;
use super::measure::{Ends, Held};
use super::theory::{Exists, Prediction, Theory};
use fovea_desk::cell::{LEAST_IPR, mirrored, vote};
use fovea_desk::prelude::*;
use fovea_desk::replicas::{jackknife, plain};
use fovea_record::bound::one_sided;
use fovea_sim::probe::ipr::ipr;
use fovea_theory::dictator::fixed_point::FixedPoint;

/// Distances from the centre that are compared.
const REACH: usize = 3;

/// Where random starts end at the published lengths: broader than any dictator where no dictator state exists, localized
/// where one unit has one. A pair may take longer than a run to find its own, and at other lengths starts may miss a
/// state (L001.4) or end just outside a cell, so that nothing is claimed there.
pub(super) fn of_ends(ends: &Ends<'_>) -> Result<Option<Claim>, LabError> {
    if ends.published.is_some() {
        return Ok(None);
    }
    let above = match ends.prediction.as_ref().map(|prediction| prediction.exists) {
        Some(Exists::Yes) if ends.point.width == 1 => true,
        Some(Exists::No(_)) => false,
        _ => return Ok(None),
    };
    let (how, side) = if above { ("localized", "above") } else { ("broader", "below") };
    let statement = format!(
        "{}: {} dictator state, and random starts end {how}: mean IPR {side} 1/2, the least in a dictator's cell",
        ends.point.title(),
        if above { "a" } else { "no" },
    );
    Ok(Some(one_sided(ends.point.arm.id(), statement, ends.mean_ipr()?, LEAST_IPR, above)))
}

/// Whether the fields stay, and where they do whether they are the closed form.
pub(super) fn of_held(held: &Held, theory: &Theory) -> Result<Vec<Claim>, LabError> {
    let Some(stays) = held.stays else { return Ok(Vec::new()) };
    let [exists, how, side] = if stays {
        ["yes", "stay in its cell", "above"]
    } else {
        ["no", "leave its cell", "below"]
    };
    let statement = format!(
        "{}: a dictator state exists: {exists}; fields started in one {how}: 2 |w_0| / |w|_1 of their mean is {side} 1",
        held.point.title()
    );
    let vote = plain(&held.units, |w| vote(w, 0))?;
    let mut claims = vec![one_sided(held.point.arm.id(), statement, vote, 1.0, stays)];
    if let Some((fields, loss)) = &held.closed {
        claims.push(is_the_closed_form(&held.point, theory, fields, *loss)?);
    }
    Ok(claims)
}

fn is_the_closed_form(
    point: &Point,
    theory: &Theory,
    fields: &[Vec<f64>],
    loss: Estimate,
) -> Result<Claim, LabError> {
    let mut measured = Vec::new();
    for distance in 0..=REACH.min(fields[0].len() / 2) {
        let samples: Vec<f64> = fields.iter().map(|field| mirrored(field, 0, distance)).collect();
        measured.push(Estimate::from_samples(&samples)?);
    }
    measured.extend([jackknife(fields, ipr)?, loss]);
    let predicted = |state: &FixedPoint| -> Vec<(Estimate, f64)> {
        // A pair answers on both halves of the inputs, one unit on one: L = (1 - R)/4 against (1 - R/2)/4.
        let both = 2.0 * state.loss - 0.25;
        let last = [state.ipr, if point.width == 2 { both } else { state.loss }];
        let weights = state.w[..measured.len() - 2].iter().copied();
        measured.iter().copied().zip(weights.chain(last)).collect()
    };
    let statement = format!(
        "{}: the mean of the fields held in a dictator's cell (0 to {REACH} sites from its centre{}), its IPR \
         and its loss are the closed form's",
        point.title(),
        if point.arm.biased() { ", b2 added to the centre" } else { "" },
    );
    let claim = Claim::family(point.arm.id(), statement, &predicted(&theory.dictator));
    let latent = predicted(&theory.latent);
    Ok(claim.rejecting("the latent covariance in place of the signs'", &latent))
}

/// Mean, smallest and largest of some numbers.
fn spread(values: &[f64]) -> [f64; 3] {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    [values.iter().sum::<f64>() / values.len() as f64, low, high]
}

/// The groups that repeat a row of the published table.
fn repeated<'g, 'r>(
    groups: &'g [Ends<'r>],
) -> impl Iterator<Item = (&'g Ends<'r>, &'static Published)> {
    groups.iter().filter_map(|group| group.published.map(|row| (group, row)))
}

/// Published and measured IPR: a row for each, arm (in the order of `fovea show`), K, low, high, then mean, low, high.
pub(super) fn published(groups: &[Ends<'_>]) -> Option<Array> {
    let row = |(group, row): (&Ends<'_>, &Published)| {
        let arm = ALL.iter().position(|arm| *arm == group.point.arm).unwrap_or(0);
        let ours = group.comparable();
        let head = vec![arm as f64, group.point.width as f64, row.ipr.0, row.ipr.1];
        (!ours.is_empty()).then(|| [head, spread(&ours).to_vec()].concat())
    };
    let rows: Vec<Vec<f64>> = repeated(groups).filter_map(row).collect();
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

/// The lines at the end of a run.
pub(super) fn summary(
    settings: &LossLabelBias,
    groups: &[Ends<'_>],
) -> Result<Vec<String>, LabError> {
    let mut lines = Vec::new();
    let any = repeated(groups).next().is_some();
    if any {
        lines.push(format!(
            "{:<17} K {:>11} {:<14} {:>6}  {:<12} > 1/2 pairs  b2",
            "fixed set", "published", "", "ipr", "min..max"
        ));
    }
    for (group, row) in repeated(groups) {
        let (low, high) = row.ipr;
        let word = verdict(row.ipr, &group.comparable());
        let theirs = row.b2.map_or_else(String::new, |b2| format!(" (published {b2})"));
        let published = format!("{low:.2}..{high:.2}");
        let (Point { arm, width, .. }, numbers) = (group.point, numbers(group)?);
        let arm = arm.word();
        lines.push(format!("{arm:<17} {width} {published:>11} {word:<14} {numbers}{theirs}"));
    }
    let source = LossLabelBias::default();
    let smaller = settings.batch < source.batch
        || settings.steps < source.steps
        || settings.wide_steps < source.wide_steps;
    if smaller && any {
        lines.push(format!(
            "(published: sets of {}, {} and {} steps; smaller sets and shorter runs localize less)",
            source.batch, source.steps, source.wide_steps
        ));
    }
    if groups.iter().any(Ends::compares_at_infinity) {
        lines.push(format!(
            "{:<17} K {:>6}  {:<12} > 1/2 pairs {:>18}  dictator state",
            "fresh samples", "ipr", "min..max", "b2"
        ));
    }
    for group in groups.iter().filter(|group| group.compares_at_infinity()) {
        let theory = group.prediction.as_ref().map_or_else(String::new, Prediction::in_words);
        let (Point { arm, width, .. }, numbers) = (group.point, numbers(group)?);
        lines.push(format!("{:<17} {width} {numbers:<52} {theory}", arm.word()));
    }
    lines.extend(over_gain(settings, groups)?);
    lines.extend(conclusions(groups)?);
    Ok(lines)
}

/// Mean, smallest and largest IPR, how many are localized, pairs of opposites and the output bias.
fn numbers(group: &Ends<'_>) -> Result<String, LabError> {
    let iprs = group.iprs();
    let [_, low, high] = spread(&iprs);
    let pairs =
        group.pairs().map_or_else(String::new, |p| format!("{}/{}", p.len(), group.runs.len()));
    let b2 = group
        .mean_b2()?
        .map_or_else(String::new, |b2| format!("{:.4} +- {:.4}", b2.mean(), b2.se()));
    let localized = format!("{}/{}", group.localized(), iprs.len());
    let mean = group.mean_ipr()?.mean();
    Ok(format!("{mean:>6.4}  {low:.3}..{high:.3} {localized:>5} {pairs:>5}  {b2}"))
}

/// Mean IPR of every arm and width at every gain.
fn over_gain(settings: &LossLabelBias, groups: &[Ends<'_>]) -> Result<Vec<String>, LabError> {
    if settings.gain.len() < 2 {
        return Ok(Vec::new());
    }
    let gains = settings.gain.iter().map(|gain| format!(" {:>7}", Value::Real(*gain).to_string()));
    let mut lines = vec![format!("{:<17} K{}", "mean ipr at gain", gains.collect::<String>())];
    for &width in &settings.width {
        for &arm in &settings.arms.0 {
            let mut cells = Vec::new();
            for group in groups.iter().filter(|group| group.compares(arm, width)) {
                cells.push(format!("{:>7.4}", group.mean_ipr()?.mean()));
            }
            lines.push(format!("{:<17} {width} {}", arm.word(), cells.join(" ")));
        }
    }
    Ok(lines)
}

/// What the numbers say, in words.
fn conclusions(groups: &[Ends<'_>]) -> Result<Vec<String>, LabError> {
    let mut lines = Vec::new();
    let (mut count, mut within) = (0, 0);
    for (group, row) in repeated(groups) {
        let word = verdict(row.ipr, &group.comparable());
        (count, within) = (count + 1, within + usize::from(word == "mean within"));
    }
    if count > 0 {
        lines.push(format!(
            "{within} of {count} published ranges hold the mean IPR found here (of two units, that of pairs of opposites)"
        ));
    }
    for group in groups.iter().filter(|group| group.compares_at_infinity()) {
        let exists = group.prediction.as_ref().map(|prediction| prediction.exists);
        let (Some(Exists::Below(edge)), Some(b2)) = (exists, group.mean_b2()?) else { continue };
        lines.push(format!(
            "{}: random starts end at b2 = {:.4} +- {:.4}, {} the edge {edge:.4} of the line of dictator pairs",
            group.point.title(),
            b2.mean(),
            b2.se(),
            if b2.mean() < edge { "below" } else { "beyond" },
        ));
    }
    let mut from: Vec<&Ends<'_>> =
        groups.iter().filter(|group| group.published.is_none()).collect();
    from.sort_by(|a, b| a.point.gain.total_cmp(&b.point.gain));
    let mut told = Vec::new();
    for group in from {
        let of = (group.point.arm, group.point.width);
        if !told.contains(&of) && group.mean_ipr()?.mean() > LEAST_IPR {
            told.push(of);
            let (title, gain) = (group.point.title(), Value::Real(group.point.gain));
            lines.push(format!("{title}: mean IPR above 1/2 from gain {gain} on"));
        }
    }
    for arm in ALL {
        if let Some((twin, why)) = arm.twin() {
            lines.push(format!("{} is {} in other units: {why}", arm.word(), twin.word()));
        }
    }
    Ok(lines)
}

/// Question and answer, from the numbers.
pub(super) fn lead(groups: &[Ends<'_>]) -> Result<String, LabError> {
    let question = "Which losses, labels and output biases make ReLU units grow localized fields?";
    let mut sentences = vec![question.to_owned()];
    let mut widths: Vec<usize> = groups.iter().map(|group| group.point.width).collect();
    widths.sort_unstable();
    widths.dedup();
    for width in widths {
        let (mut localized, mut broader) = (Vec::new(), Vec::new());
        for group in groups.iter().filter(|g| g.point.width == width && g.compares_at_infinity()) {
            let list =
                if group.mean_ipr()?.mean() > LEAST_IPR { &mut localized } else { &mut broader };
            list.push(group.point.arm.word());
        }
        let list =
            |arms: &[&str]| if arms.is_empty() { "none".to_owned() } else { arms.join(", ") };
        if !(localized.is_empty() && broader.is_empty()) {
            sentences.push(format!(
                "At infinite gain and K = {width}, fields end as localized as a dictator (mean IPR above 1/2) under: {}; broader under: {}.",
                list(&localized),
                list(&broader)
            ));
        }
    }
    Ok(sentences.join(" "))
}
