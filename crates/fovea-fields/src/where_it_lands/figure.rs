//! The figure of `where-it-lands`: hit rates, hit rates over time, misses, the map of starts, and the Gaussian answer.

use super::WhereItLands;
use super::gaussian::Flow;
use super::measure::{ALL, Landings, Predictor};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) How often each predictor names the site at which the field ends, with two standard errors; \
    the dotted line is chance, one in n; `another run` is how often two runs from one start agree, which the noise of SGD decides. \
    (b) The same for the largest weight at time t: of the trained field (solid) and of the Gaussian flow from the same start \
    (dashed); the vertical line is the median hand-over. (c) How far off, in sites. (d) The final fields, a row a start, in order \
    of the site that the best predictor without training names: where it is right the field lies on the diagonal. (e) Gaussian data: the site of the \
    largest weight at the end of the flow against the crest of the first mode at the start.";

pub(super) fn figure(
    settings: &WhereItLands,
    landings: &[Landings],
    gaussian: &Flow,
) -> Result<Figure, LabError> {
    let subtitle = format!(
        "One ReLU unit on {} sites, correlation length {} (label 1) against {} (label 0), {} Glorot starts. $t^*$: the teacher term first \
         balances the decay.",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        settings.starts
    );
    let last = &landings[landings.len() - 1];
    Ok(Figure::new("Where a localized field lands")
        .subtitle(subtitle)
        .columns(3)
        .width(1080.0)
        .aspect(0.85)
        .description(CAPTION)
        .panel(rates(settings, landings)?.span(2).height(230.0))
        .panel(over_time(landings).height(230.0))
        .panel(misses(last))
        .panel(map(settings, last))
        .panel(phases(settings, gaussian)))
}

fn gain(landing: &Landings) -> String {
    format!("gain {}", landing.word().replace("inf", "\u{221e}"))
}

fn style(i: usize, landings: &[Landings]) -> Style {
    Style::ordered(i, landings.len()).solid()
}

/// Hit rates by predictor and gain.
fn rates(settings: &WhereItLands, landings: &[Landings]) -> Result<Panel, LabError> {
    let ticks = ALL.iter().enumerate().map(|(i, p)| (i as f64, p.label()));
    let x = Axis::new("").range(-0.6, ALL.len() as f64 - 0.4).ticks_at(ticks);
    let y = Axis::new("share of starts predicted").range(0.0, 1.0);
    let chance = Mark::Horizontal {
        at: 1.0 / settings.n as f64,
        label: String::new(),
        style: Style::guide(),
    };
    let mut panel = Panel::new("Predictors of the final site", x, y).with(chance);
    for (i, landing) in landings.iter().enumerate() {
        let (mut at, mut means, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for (place, predictor) in ALL.iter().enumerate() {
            let rate = landing.hit_rate(*predictor)?;
            at.push(place as f64 + 0.16 * (i as f64 - 0.5 * (landings.len() - 1) as f64));
            means.push(rate.mean());
            errors.push(2.0 * rate.se());
        }
        let style = Style { size: 3.4, ..style(i, landings) };
        panel = panel.with(Mark::measured(&at, &means, &errors, gain(landing), style));
    }
    Ok(panel)
}

/// Hit rates of the field and of the Gaussian flow against time.
fn over_time(landings: &[Landings]) -> Panel {
    let x = Axis::new("time  $t$").log().from(0.2);
    let y = Axis::new("share with its peak at the final site").range(0.0, 1.05);
    let mut panel = Panel::new("From when on it is settled", x, y);
    for (i, landing) in landings.iter().enumerate() {
        let style = style(i, landings);
        let [field, flow] = &landing.by_time;
        panel = panel.with(Mark::line(&landing.times, field, gain(landing), style)).with(
            Mark::line(&landing.times, flow, "", Style { width: 1.2, ..style }.dash(Dash::Dashed)),
        );
        let mut times = landing.handover.clone();
        times.sort_by(f64::total_cmp);
        let style = Style { width: 1.0, ..style }.dash(Dash::Dotted);
        panel =
            panel.with(Mark::Vertical { at: times[times.len() / 2], label: String::new(), style });
    }
    panel.note("Solid: the trained field. Dashed: the Gaussian flow. Dotted: hand-over.")
}

/// How far off three predictors are.
fn misses(landing: &Landings) -> Panel {
    const FAR: usize = 12;
    let x = Axis::new("sites between prediction and end");
    let title = format!("How far off, {}", gain(landing));
    let mut panel = Panel::new(title, x, Axis::new("share of starts").from(0.0));
    for (i, predictor) in
        [Predictor::Largest, Predictor::Covariance, Predictor::Flow, Predictor::Field]
            .iter()
            .enumerate()
    {
        let misses = landing.misses(*predictor);
        let far = FAR.min(landing.fields[0].len() / 2);
        let at: Vec<f64> = (0..=far).map(|d| d as f64).collect();
        let share = |d: usize| {
            misses.iter().filter(|miss| **miss == d).count() as f64 / misses.len() as f64
        };
        let shares: Vec<f64> = (0..=far).map(share).collect();
        let style = Style::series(i + 3);
        panel = panel
            .with(Mark::line(&at, &shares, "", Style { width: 0.9, ..style }))
            .with(Mark::points(&at, &shares, predictor.label(), style));
    }
    panel
}

/// Final fields in the order of the site the best predictor names.
fn map(settings: &WhereItLands, landing: &Landings) -> Panel {
    let best = landing.best();
    let named = &landing.expected[best as usize];
    let mut order: Vec<usize> = (0..named.len()).collect();
    order.sort_by_key(|i| (named[*i], landing.landed[*i]));
    let row = |i: &usize| {
        let top = landing.fields[*i].iter().fold(0.0, |m: f64, w| m.max(w.abs()));
        landing.fields[*i].iter().map(move |w| w.abs() / top)
    };
    let heat = Heat {
        values: order.iter().flat_map(row).collect(),
        rows: order.len(),
        cols: settings.n,
        x_range: (-0.5, settings.n as f64 - 0.5),
        y_range: (0.0, order.len() as f64),
        map: ColorMap::Sequential,
        limits: Some((0.0, 1.0)),
        bar: Some("$|w|$ / largest".to_owned()),
    };
    let y = Axis::new(format!("start, by the site that {} names", best.label()));
    Panel::new(format!("Final fields, {}", gain(landing)), Axis::new("site"), y)
        .with(Mark::Heat(heat))
}

/// The Gaussian flow ends where its first mode had its crest.
fn phases(settings: &WhereItLands, gaussian: &Flow) -> Panel {
    let n = settings.n as f64;
    let x = Axis::new("crest of mode 1 at the start (sites)").range(-1.0, n);
    let y = Axis::new("largest weight at the end (site)").range(-1.0, n);
    let style = Style { marker: Marker::Circle, size: 2.0, ..Style::series(0) }.hollow();
    Panel::new("Gaussian data: the exact answer", x, y)
        .with(Mark::line(&[0.0, n], &[0.0, n], "", Style::theory()))
        .with(Mark::points(&gaussian.crest, &gaussian.landed, "", style))
}
