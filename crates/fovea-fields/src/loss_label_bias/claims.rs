//! What a person reads: the table beside the published ranges, IPR over gain, and what follows from the numbers.

use super::LossLabelBias;
use super::arm::{ALL, Published};
use super::figure;
use super::group::Group;
use super::theory::{Exists, Prediction};
use fovea_core::Value;
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::error::LabError;
use fovea_record::outcome::Array;
use fovea_record::present::Words;

pub(super) const WORDS: Words<'static> = Words {
    title: "Loss, labels and output bias",
    lead: "",
    caption: figure::CAPTION,
    formulas: &[
        r"w = u,\qquad u = (C_{+}+C_{-})^{-1}(C_{+}+y\,C_{-})\,e_0 \qquad\text{squared error, labels } (1, y)",
        r"b_2=\tfrac12(1+y),\quad w = \tfrac12(1-y)\,(C_{+}+C_{-})^{-1}(C_{+}-C_{-})\,e_0 \qquad\text{with an output bias}",
        r"2|w_0| > \|w\|_1,\ w_0 > 0 \quad\text{is needed for } w \text{ to agree with its gate, and implies}\quad \frac{\sum w^4}{(\sum w^2)^2} > \tfrac12",
        r"w = \pm 2\,(u - b_2 e_0), \quad b_2 < u_0 - \sum_{d\ne 0}|u_d| \qquad\text{a pair with an output bias}",
    ],
};

/// Mean, smallest and largest of some numbers.
fn spread(values: &[f64]) -> [f64; 3] {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    [values.iter().sum::<f64>() / values.len() as f64, low, high]
}

/// The groups that repeat a row of the published table.
fn repeated(groups: &[Group]) -> impl Iterator<Item = (&Group, &'static Published)> {
    groups.iter().filter_map(|group| group.published.map(|row| (group, row)))
}

/// Published and measured IPR: a row for each, arm (in the order of `fovea show`), K, low, high, then mean, low, high.
pub(super) fn published(groups: &[Group]) -> Option<Array> {
    let row = |(group, row): (&Group, &Published)| {
        let arm = ALL.iter().position(|arm| *arm == group.arm).unwrap_or(0);
        let ours = group.comparable();
        let head = vec![arm as f64, group.width as f64, row.ipr.0, row.ipr.1];
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
pub(super) fn summary(settings: &LossLabelBias, groups: &[Group]) -> Result<Vec<String>, LabError> {
    let mut lines = Vec::new();
    if repeated(groups).next().is_some() {
        lines.push(format!(
            "{:<17} K {:>11} {:<14} {:>6}  {:<12} {:>5} {:>5}  b2",
            "fixed set", "published", "", "ipr", "min..max", "> 1/2", "pairs"
        ));
    }
    for (group, row) in repeated(groups) {
        let (low, high) = row.ipr;
        let word = verdict(row.ipr, &group.comparable());
        let theirs = row.b2.map_or_else(String::new, |b2| format!(" (published {b2})"));
        let published = format!("{low:.2}..{high:.2}");
        lines.push(format!(
            "{:<17} {} {published:>11} {word:<14} {}{theirs}",
            group.arm.word(),
            group.width,
            numbers(group)?
        ));
    }
    let source = LossLabelBias::default();
    let smaller = settings.batch < source.batch
        || settings.steps < source.steps
        || settings.wide_steps < source.wide_steps;
    if smaller && repeated(groups).next().is_some() {
        lines.push(format!(
            "(published: sets of {}, {} and {} steps; smaller sets and shorter runs localize less)",
            source.batch, source.steps, source.wide_steps
        ));
    }
    if groups.iter().any(Group::compares_at_infinity) {
        lines.push(format!(
            "{:<17} K {:>6}  {:<12} {:>5} {:>5} {:>18}  dictator state",
            "fresh samples", "ipr", "min..max", "> 1/2", "pairs", "b2"
        ));
    }
    for group in groups.iter().filter(|group| group.compares_at_infinity()) {
        let theory = group.prediction.as_ref().map_or_else(String::new, Prediction::in_words);
        let numbers = numbers(group)?;
        lines.push(format!("{:<17} {} {numbers:<52} {theory}", group.arm.word(), group.width));
    }
    lines.extend(over_gain(settings, groups)?);
    lines.extend(conclusions(groups)?);
    Ok(lines)
}

/// Mean, smallest and largest IPR, how many are localized, pairs of opposites and the output bias.
fn numbers(group: &Group) -> Result<String, LabError> {
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
fn over_gain(settings: &LossLabelBias, groups: &[Group]) -> Result<Vec<String>, LabError> {
    if settings.gain.len() < 2 {
        return Ok(Vec::new());
    }
    let gains = settings.gain.iter().map(|gain| format!(" {:>7}", Value::Real(*gain).to_string()));
    let mut lines = vec![format!("{:<17} K{}", "mean ipr at gain", gains.collect::<String>())];
    for &width in &settings.width {
        for &arm in &settings.arms.0 {
            let mut cells = Vec::new();
            let here = |g: &&Group| g.arm == arm && g.width == width && g.published.is_none();
            for group in groups.iter().filter(here) {
                cells.push(format!("{:>7.4}", group.mean_ipr()?.mean()));
            }
            lines.push(format!("{:<17} {width} {}", arm.word(), cells.join(" ")));
        }
    }
    Ok(lines)
}

/// What the numbers say, in words.
fn conclusions(groups: &[Group]) -> Result<Vec<String>, LabError> {
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
            "{}, K = {}: random starts end at b2 = {:.4} +- {:.4}, {} the edge {edge:.4} of the line of dictator pairs",
            group.arm.word(),
            group.width,
            b2.mean(),
            b2.se(),
            if b2.mean() < edge { "below" } else { "beyond" },
        ));
    }
    let mut from: Vec<&Group> = groups.iter().filter(|group| group.published.is_none()).collect();
    from.sort_by(|a, b| a.gain.total_cmp(&b.gain));
    let mut told = Vec::new();
    for group in from {
        let of = (group.arm, group.width);
        if !told.contains(&of) && group.mean_ipr()?.mean() > LEAST_IPR {
            told.push(of);
            let (arm, gain) = (group.arm.word(), Value::Real(group.gain));
            lines.push(format!(
                "{arm}, K = {}: mean IPR above 1/2 from gain {gain} on",
                group.width
            ));
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
pub(super) fn lead(groups: &[Group]) -> Result<String, LabError> {
    let question = "Which losses, labels and output biases make ReLU units grow localized fields?";
    let mut sentences = vec![question.to_owned()];
    let mut widths: Vec<usize> = groups.iter().map(|group| group.width).collect();
    widths.sort_unstable();
    widths.dedup();
    for width in widths {
        let (mut localized, mut broader) = (Vec::new(), Vec::new());
        for group in groups.iter().filter(|g| g.width == width && g.compares_at_infinity()) {
            let list =
                if group.mean_ipr()?.mean() > LEAST_IPR { &mut localized } else { &mut broader };
            list.push(group.arm.word());
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
