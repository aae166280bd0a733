//! The figure of `where-it-lands`: hit rates, hit rates over time, misses, the map of starts, and the Gaussian answer.

use super::gaussian::Flow;
use super::measure::{COVARIANCE, FIELD, FLOW, LARGEST, Landings, PREDICTORS};
use super::{Found, WhereItLands};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) How often each predictor names the site at which the field ends, with two standard errors; \
    the dotted line is chance, one in n; `another run` is how often two runs from one start agree, which the noise of SGD decides. \
    (b) The same for the largest weight at time t: of the trained field (solid) and of the Gaussian flow from the same start \
    (dashed); the vertical line is the median hand-over. (c) How far off, in sites. (d) The final fields, a row a start, in order \
    of the site that the best predictor without training names: where it is right the field lies on the diagonal. (e) Gaussian data: the site of the \
    largest weight at the end of the flow against the crest of the first mode at the start.";

pub(super) fn figure(settings: &WhereItLands, found: &Found) -> Result<Figure, LabError> {
    let (TwoClass { n, xi_pos, xi_neg, .. }, starts) = (settings.two, settings.starts);
    let subtitle = format!(
        "One ReLU unit on {n} sites, correlation length {xi_pos} (label 1) against {xi_neg} (label 0), {starts} Glorot starts. $t^*$: the teacher term first \
         balances the decay."
    );
    let landings = &found.landings;
    let last = &landings[landings.len() - 1];
    let panels = [
        rates(n, landings)?.span(2).height(230.0),
        over_time(landings).height(230.0),
        misses(last),
        map(last),
        phases(n as f64, &found.gaussian),
    ];
    let figure = Figure::new("Where a localized field lands").subtitle(subtitle);
    Ok(grid(figure.description(CAPTION), (3, 1080.0, 0.85), panels))
}

fn gain(landing: &Landings) -> String {
    format!("gain {}", gains::label(landing.gain))
}

/// Hit rates by predictor and gain.
fn rates(n: usize, landings: &[Landings]) -> Result<Panel, LabError> {
    let ticks = PREDICTORS.iter().enumerate().map(|(i, [_, label])| (i as f64, *label));
    let x = Axis::new("").range(-0.6, PREDICTORS.len() as f64 - 0.4).ticks_at(ticks);
    let y = Axis::new("share of starts predicted").range(0.0, 1.0);
    let chance = horizontal(1.0 / n as f64, Style::guide());
    let mut panel = Panel::new("Predictors of the final site", x, y).with(chance);
    for (i, landing) in landings.iter().enumerate() {
        let shift = 0.16 * (i as f64 - 0.5 * (landings.len() - 1) as f64);
        let all = 0..PREDICTORS.len();
        let at: Vec<f64> = all.clone().map(|place| place as f64 + shift).collect();
        let rates = all.map(|p| landing.hit_rate(p)).collect::<Result<Vec<_>, _>>()?;
        let style = Style { size: 3.4, ..Style::ordered(i, landings.len()).solid() };
        panel = panel.with(measured(&at, &rates, gain(landing), style));
    }
    Ok(panel)
}

/// Hit rates of the field and of the Gaussian flow against time.
fn over_time(landings: &[Landings]) -> Panel {
    let x = Axis::new("time  $t$").log().from(0.2);
    let y = Axis::new("share with its peak at the final site").range(0.0, 1.05);
    let mut panel = Panel::new("From when on it is settled", x, y);
    for (i, landing) in landings.iter().enumerate() {
        let (style, [field, flow]) = (Style::ordered(i, landings.len()).solid(), &landing.by_time);
        let dashed = Style { width: 1.2, ..style }.dash(Dash::Dashed);
        let dotted = Style { width: 1.0, ..style }.dash(Dash::Dotted);
        panel = panel
            .with(Mark::line(&landing.times, field, gain(landing), style))
            .with(Mark::line(&landing.times, flow, "", dashed))
            .with(vertical(landing.handover, dotted));
    }
    panel.note("Solid: the trained field. Dashed: the Gaussian flow. Dotted: hand-over.")
}

/// How far off three predictors are.
fn misses(landing: &Landings) -> Panel {
    const FAR: usize = 12;
    let x = Axis::new("sites between prediction and end");
    let title = format!("How far off, {}", gain(landing));
    let mut panel = Panel::new(title, x, Axis::new("share of starts").from(0.0));
    let far = FAR.min(landing.fields[0].len() / 2);
    let at: Vec<f64> = (0..=far).map(|d| d as f64).collect();
    for (i, predictor) in [LARGEST, COVARIANCE, FLOW, FIELD].into_iter().enumerate() {
        let misses = landing.misses(predictor);
        let share = |d: usize| {
            misses.iter().filter(|miss| **miss == d).count() as f64 / misses.len() as f64
        };
        let shares: Vec<f64> = (0..=far).map(share).collect();
        let style = Style::series(i + 3);
        panel = panel
            .with(Mark::line(&at, &shares, "", Style { width: 0.9, ..style }))
            .with(Mark::points(&at, &shares, PREDICTORS[predictor][1], style));
    }
    panel
}

/// Final fields in the order of the site the best predictor names.
fn map(landing: &Landings) -> Panel {
    let (best, n) = (landing.best(), landing.fields[0].len());
    let named = &landing.expected[best];
    let mut order: Vec<usize> = (0..named.len()).collect();
    order.sort_by_key(|i| (named[*i], landing.landed[*i]));
    let row = |i: &usize| {
        let top = largest(&landing.fields[*i]);
        landing.fields[*i].iter().map(move |w| w.abs() / top)
    };
    let heat = Heat {
        values: order.iter().flat_map(row).collect(),
        rows: order.len(),
        cols: n,
        x_range: (-0.5, n as f64 - 0.5),
        y_range: (0.0, order.len() as f64),
        map: ColorMap::Sequential,
        limits: Some((0.0, 1.0)),
        bar: Some("$|w|$ / largest".to_owned()),
    };
    let y = Axis::new(format!("start, by the site that {} names", PREDICTORS[best][1]));
    Panel::new(format!("Final fields, {}", gain(landing)), Axis::new("site"), y)
        .with(Mark::Heat(heat))
}

/// The Gaussian flow ends where its first mode had its crest.
fn phases(n: f64, gaussian: &Flow) -> Panel {
    let x = Axis::new("crest of mode 1 at the start (sites)").range(-1.0, n);
    let y = Axis::new("largest weight at the end (site)").range(-1.0, n);
    let style = Style { marker: Marker::Circle, size: 2.0, ..Style::series(0) }.hollow();
    Panel::new("Gaussian data: the exact answer", x, y)
        .with(Mark::line(&[0.0, n], &[0.0, n], "", Style::theory()))
        .with(Mark::points(&gaussian.crest, &gaussian.landed, "", style))
}
