//! The figure of `amplifier`: errors of the gated mean, distance to the trained field, fields at the end, the neutral exponent.

use super::measure::{COUPLINGS, Neutral, Path};
use super::theories::{EXACT, SGD, WORDS};
use super::{Amplifier, Found};
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
/// The authors' SGD runs at gain 0.01, which is as good as Gaussian.
const PUBLISHED_GAUSSIAN: f64 = 0.0598;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Relative distance of each theory's gated mean from the sum over all corners of an Ising ring, mean over random weights with two standard \
    errors. (b) Median relative distance of each theory's field from the trained one, from the same starts; a theory has broken down above the dotted line. (c) Fields at the end from the \
    first start: SGD (points) where the exact theory ends, the others broader, of the other sign or elsewhere. (d) Final inverse participation ratio on data with algebraic tails: under the amplifier with two standard errors, and the published SGD runs \
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
    let of = |i: usize| errors.iter().map(|rows| column(rows, i)).collect::<Result<Vec<_>, _>>();
    let all = (0..EXACT).map(|i| Ok(estimates(&COUPLINGS, of(i)?)));
    let all = all.collect::<Result<Vec<Xy>, LabError>>()?;
    let x = Axis::new("coupling $J$ of the data").range(-0.08, 0.78);
    let x = x.ticks_at(COUPLINGS.map(|j| (j, Value::Real(j).to_string())));
    let (title, y) =
        ("gated mean at random weights", Axis::new("relative error of $f(w)$").from(0.0));
    Ok(means_by_category(title, x, y, series(WORDS.into_iter().zip(all))))
}

fn of_distances(settings: &Amplifier, found: &Found) -> Result<Panel, LabError> {
    // All agree at the start, which has no place on a logarithmic axis.
    let times = &found.times[1..];
    let median = |theory: usize| {
        let all = found.distances(theory);
        let at = |r: usize| quantile(&all.iter().map(|d| d[r]).collect::<Vec<_>>(), 0.5);
        Ok(xy(times, (1..=times.len()).map(at).collect::<Result<Vec<_>, _>>()?))
    };
    let medians = (0..SGD).map(median).collect::<Result<Vec<_>, LabError>>()?;
    let y = Axis::new("relative distance").log().range(3e-3, 3.0);
    let all = series(WORDS.into_iter().zip(medians));
    let label = format!("{} %", Value::Real(100.0 * settings.most));
    Ok(lines("distance to the trained field", time_axis().log(), y, all)
        .with(guide_at_y(settings.most, label)))
}

fn of_ends(Path { ends, .. }: &Path) -> Panel {
    let mut theories = series(WORDS.into_iter().zip(ends.iter().map(|end| turned(end, 0))));
    let trained = theories.pop();
    ring_fields("field at the end", Sites::FromPeak, "weight", trained, theories)
}

fn of_exponents(neutral: &Neutral) -> Panel {
    let amplifier = estimates(&neutral.k, &neutral.means);
    let amplifier = Compared { measured: amplifier.clone(), theory: amplifier };
    let published = PUBLISHED
        .into_iter()
        .map(|(k, mean, deviation, runs)| (k, mean, 2.0 * deviation / (runs as f64).sqrt()));
    let arms = [
        named("amplifier", Style::series(1), amplifier),
        named("published SGD", Style::series(6).hollow(), published.collect::<Xy>().into()),
    ];
    let (x, y) = (Axis::new("exponent $k$"), Axis::new("final IPR").log().range(0.03, 0.8));
    arms_with_theory("algebraic tails Kur($k$), $n$ = 40", x, y, arms)
        .with(line_at_y(neutral.level, "amplifier on Gaussian data", Style::theory()))
        .with(guide_at_y(PUBLISHED_GAUSSIAN, "published SGD on Gaussian data"))
        .with(guide_at_x(zero_excess(), "zero excess kurtosis"))
}
