//! The figure of `swapped-classes`: R and IPR against gain, and fields at the largest gain, a row per order.

use super::SwappedClasses;
use super::measure::{Bounds, Ends, Origin};
use fovea_desk::cell::{LEAST_IPR, in_the_middle};
use fovea_desk::prelude::*;

/// Sites to either side of the peak of a field that is drawn.
const REACH: usize = 12;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Top: class pos (label 1) has the shorter correlations; bottom: the longer. Left: R of every network, \
    larger is better (loss (1 - R/2)/4), from random weights and from one site, compared with closed forms: the best mode of Gaussian data with the \
    same covariances (dotted), and the regression under the gate of one site (dashed), which the best field does not fall short of and which is the dictator state \
    at infinite gain. In the swapped order random starts end at the worse of two attractors. Middle: inverse participation ratio; no \
    field with one weight that outweighs all others together lies below the dotted line. Right: final fields at the largest gain, centred on their peaks, and the dictator state where it exists (long dashes).";

pub(super) fn figure(settings: &SwappedClasses, found: &[Ends]) -> Result<Figure, LabError> {
    let SwappedClasses { n, eval, .. } = settings;
    let [short, long] = [settings.short, settings.long].map(Value::Real);
    let subtitle = format!(
        "One ReLU unit on {n} sites, labels 1 and 0; correlation lengths {short} and {long}. Every point is a network, measured on {eval} fresh samples."
    );
    let mut gains = settings.gain.clone();
    gains.sort_by(f64::total_cmp);
    let mut panels = Vec::new();
    for (two, longer) in settings.orders().into_iter().zip([false, true]) {
        let here: Vec<_> = found.iter().filter(|ends| ends.point.is_longer() == longer).collect();
        panels.push(quality(&gains, &two, &here)?);
        panels.push(localization(&gains, &two, &here));
        panels.push(fields(&two, &here)?);
    }
    let title = "Swapped classes: what random starts find is not the best";
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    Ok(grid(figure, (3, 1080.0, 0.8), panels))
}

fn title(two: &TwoClass, what: &str) -> String {
    format!("$\\xi_+ = {}$, $\\xi_- = {}$: {what}", two.xi_pos, two.xi_neg)
}

/// The gain at a place between two of those listed; towards infinity as one over what is left.
fn gain_at(gains: &[f64], place: f64) -> f64 {
    let i = (libm::floor(place) as usize).min(gains.len() - 1);
    let s = place - i as f64;
    match gains.get(i + 1) {
        None => gains[i],
        Some(next) if next.is_infinite() => gains[i] / (1.0 - s),
        Some(next) => gains[i] * libm::pow(next / gains[i], s),
    }
}

/// The label and the style of a kind of start.
fn look(origin: Origin) -> (&'static str, Style) {
    match origin {
        Origin::Glorot => ("from random weights", Style::series(0).solid()),
        Origin::Site => ("from one site", Style::series(1).solid()),
    }
}

/// A number of every network, at its gain.
fn networks(
    title: String,
    gains: &[f64],
    y: Axis,
    found: &[&Ends],
    of: fn(&Ends) -> Vec<f64>,
) -> Panel {
    let groups = [Origin::Glorot, Origin::Site].map(|origin| {
        let at = |gain: &f64| {
            let same = |ends: &&&Ends| ends.point.gain.total_cmp(gain).is_eq();
            let mut ends = found.iter().filter(|ends| ends.point.origin == origin);
            ends.find(same).map(|ends| of(ends)).unwrap_or_default()
        };
        let (label, style) = look(origin);
        named(label, style.hollow(), gains.iter().map(at).collect())
    });
    runs_by_category(title, gains::axis(gains, 0.5), y, groups)
}

fn quality(gains: &[f64], two: &TwoClass, found: &[&Ends]) -> Result<Panel, LabError> {
    let places = ladder(&[0.0, (gains.len() - 1) as f64], 60);
    let bounds = places.iter().map(|place| Bounds::new(two, gain_at(gains, *place)));
    let bounds = bounds.collect::<Result<Vec<_>, _>>()?;
    let line = |of: fn(&Bounds) -> f64, label: &str, style: Style| {
        xy(&places, bounds.iter().map(of)).line(label, style)
    };
    let y = Axis::new("$R$  (loss $= (1 - R/2)/4$)").share(1);
    let dotted = Style::theory().dash(Dash::Dotted);
    Ok(networks(title(two, "quality"), gains, y, found, Ends::rs)
        .with(line(|b| b.mode, "best mode, Gaussian data", dotted))
        .with(line(|b| b.gate, "gate of one site, a bound on the best", Style::theory())))
}

fn localization(gains: &[f64], two: &TwoClass, found: &[&Ends]) -> Panel {
    let y = Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$").range(0.0, 1.0);
    networks(title(two, "localization"), gains, y, found, Ends::iprs)
        .with(guide_at_y(LEAST_IPR, ""))
}

fn fields(two: &TwoClass, found: &[&Ends]) -> Result<Panel, LabError> {
    let (middle, reach) = (two.n / 2, REACH.min((two.n - 1) / 2));
    let cut = |w: &[f64]| in_the_middle(w)[middle - reach..=middle + reach].to_vec();
    let top = found.iter().map(|ends| ends.point.gain).fold(0.0, f64::max);
    let trained = found.iter().filter(|ends| ends.point.gain.total_cmp(&top).is_eq());
    let trained = trained.map(|ends| {
        let (label, style) = look(ends.point.origin);
        named(label, style.hollow(), cut(&ends.fields[0]))
    });
    let state = Some(two.dictator()?).filter(|state| top.is_infinite() && state.exists);
    let long = Style::theory().dash(Dash::Long);
    let state = state.map(|state| named("dictator state", long, cut(&state.w)));
    Ok(ring_fields(title(two, "fields"), Sites::FromPeak, "weight", trained, state))
}
