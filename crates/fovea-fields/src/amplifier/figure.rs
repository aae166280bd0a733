//! The figure of `amplifier`: errors of the gated mean, distance to the trained field, fields at the end, the neutral exponent.

use super::measure::{COUPLINGS, Neutral, Path};
use super::theories::{EXACT, SGD, WORDS};
use super::{Amplifier, Found};
use fovea_core::stats::quantile;
use fovea_desk::cell::around_peak;
use fovea_desk::prelude::*;
use fovea_theory::kur::zero_excess::zero_excess;

/// The authors' SGD runs: exponent, mean and deviation of the final IPR, runs.
const PUBLISHED: [(f64, f64, f64, usize); 10] = [
    (4.5, 0.0372, 0.0048, 95),
    (4.74, 0.0403, 0.0065, 95),
    (5.0, 0.0452, 0.0092, 95),
    (5.4, 0.0591, 0.0196, 95),
    (6.0, 0.1184, 0.0561, 30),
    (6.1, 0.1131, 0.0526, 95),
    (7.0, 0.3167, 0.2109, 30),
    (7.7, 0.4908, 0.2634, 95),
    (8.0, 0.6126, 0.2701, 30),
    (10.0, 0.7960, 0.1543, 95),
];
/// The authors' SGD runs at gain 0.01, Gaussian for all purposes.
const PUBLISHED_GAUSSIAN: f64 = 0.0598;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Relative distance of each theory's gated mean from the sum over all corners of an Ising ring, mean over random weights with two standard \
    errors. (b) Median relative distance of each theory's field from the trained one, from the same starts; a theory has broken down above the dotted line. (c) Fields at the end from the \
    first start: SGD where the exact theory ends, the others broader, of the other sign or elsewhere. (d) Final inverse participation ratio on data with algebraic tails: under the amplifier with two standard errors, and the published SGD runs \
    with theirs; both cross the value on Gaussian data well before the exponent of zero excess kurtosis.";

pub(super) fn figure(settings: &Amplifier, found: &Found) -> Result<Figure, LabError> {
    let Amplifier { n, starts, coupling_pos, coupling_neg, descent, .. } = settings;
    let [pos, neg, lr] = [*coupling_pos, *coupling_neg, descent.lr].map(Value::Real);
    let subtitle = format!(
        "Ising rings, n = {n}, J = {pos} (label 1) and {neg} (label 0), learning rate {lr}, batch {}, {starts} starts",
        descent.batch
    );
    let title = "The amplifier begins to localize; the exact gated mean ends where training does";
    Ok(Figure::new(title)
        .subtitle(subtitle)
        .columns(2)
        .aspect(0.72)
        .description(CAPTION)
        .panel(of_gated_means(&found.errors)?)
        .panel(of_distances(settings, found)?)
        .panel(of_ends(&found.starts[0]))
        .panel(of_exponents(&found.neutral)))
}

fn of_gated_means(errors: &[Vec<Vec<f64>>]) -> Result<Panel, LabError> {
    let mut panel = Panel::new(
        "gated mean at random weights",
        Axis::new("coupling $J$ of the data")
            .range(-0.08, 0.78)
            .ticks_at(COUPLINGS.map(|j| (j, Value::Real(j).to_string()))),
        Axis::new("relative error of $f(w)$").from(0.0),
    );
    for (i, word) in WORDS[..EXACT].iter().enumerate() {
        // Side by side, so that bars do not hide each other.
        let x = COUPLINGS.map(|coupling| coupling + 0.018 * (i as f64 - 1.5));
        let means = errors.iter().map(|rows| column(rows, i)).collect::<Result<Vec<_>, _>>()?;
        panel = panel.with(measured(&x, &means, *word, Style::series(i)));
    }
    Ok(panel)
}

fn of_distances(settings: &Amplifier, found: &Found) -> Result<Panel, LabError> {
    let mut panel = Panel::new(
        "distance to the trained field",
        Axis::new("time $t$ = step $\\times$ lr").log(),
        Axis::new("relative distance").log().range(3e-3, 3.0),
    );
    for (i, word) in WORDS[..SGD].iter().enumerate() {
        let all = found.distances(i);
        let at = |r: usize| quantile(&all.iter().map(|d| d[r]).collect::<Vec<_>>(), 0.5);
        // All agree at the start, which has no place on a logarithmic axis.
        let median = (1..found.times.len()).map(at).collect::<Result<Vec<_>, _>>()?;
        panel = panel.with(Mark::line(&found.times[1..], &median, *word, Style::series(i)));
    }
    let (at, label) = (settings.most, format!("{} %", Value::Real(100.0 * settings.most)));
    Ok(panel.with(Mark::Horizontal { at, label, style: Style::guide() }))
}

fn of_ends(Path { ends, .. }: &Path) -> Panel {
    let end = |(i, (word, end)): (usize, (&&str, &Vec<f64>))| {
        let ((sites, field), style) = (around_peak(end), Style::series(i));
        if i == SGD {
            Mark::points(&sites, &field, *word, style.hollow())
        } else {
            Mark::line(&sites, &field, *word, style)
        }
    };
    Panel::new("field at the end", Axis::new("site, from the peak"), Axis::new("weight"))
        .with_all(WORDS.iter().zip(ends).enumerate().map(end))
}

fn of_exponents(neutral: &Neutral) -> Panel {
    let (means, _) = bars(&neutral.means);
    let k = PUBLISHED.map(|(k, ..)| k);
    let theirs = PUBLISHED.map(|(_, mean, ..)| mean);
    let errors = PUBLISHED.map(|(_, _, deviation, runs)| 2.0 * deviation / (runs as f64).sqrt());
    let line =
        |at: f64, label: &str, style| Mark::Horizontal { at, label: label.to_owned(), style };
    Panel::new(
        "algebraic tails Kur($k$), $n$ = 40",
        Axis::new("exponent $k$").range(4.3, 8.2),
        Axis::new("final IPR").log().range(0.03, 0.8),
    )
    .with(Mark::line(&neutral.k, &means, "", Style::series(1)))
    .with(measured(&neutral.k, &neutral.means, "amplifier", Style::series(1)))
    .with(Mark::measured(&k, &theirs, &errors, "published SGD", Style::series(6).hollow()))
    .with(line(neutral.level, "amplifier on Gaussian data", Style::theory()))
    .with(line(PUBLISHED_GAUSSIAN, "published SGD on Gaussian data", Style::guide()))
    .with(Mark::Vertical {
        at: zero_excess(),
        label: "zero excess kurtosis".to_owned(),
        style: Style::guide(),
    })
}
