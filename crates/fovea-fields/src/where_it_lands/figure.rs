//! The figure of `where-it-lands`: hit rates, hit rates over time, misses, the map of starts, and the Gaussian answer.

use super::gaussian::Flow;
use super::measure::{COVARIANCE, FIELD, FLOW, LARGEST, Landings, PREDICTORS};
use super::{Found, WhereItLands};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) How often each predictor names the site at which the field ends, with two standard errors; \
    the dotted line is chance, one in n; `another run` is how often two runs from one start agree, which is less than always because of the noise of SGD. \
    (b) The same for the largest weight at time t: of the trained field (solid) and of the Gaussian flow from the same start \
    (dashed); vertical lines are median hand-overs (dotted). (c) How far off, in sites. (d) The final fields, one row per start, in order \
    of the site that the best predictor without training names: where it is right the field lies on the diagonal. (e) Gaussian data: the site of the \
    largest weight at the end of the flow against the crest of the first mode at the start, and the line on which both are equal.";

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
        phases(&found.gaussian),
    ];
    let figure = Figure::new("Where a localized field lands").subtitle(subtitle);
    Ok(grid(figure.description(CAPTION), (3, 1080.0, 0.85), panels))
}

/// Hit rates by predictor and gain.
fn rates(n: usize, landings: &[Landings]) -> Result<Panel, LabError> {
    let mut all = Vec::new();
    for landing in landings {
        let rate = |p: usize| Ok((p as f64, landing.hit_rate(p)?));
        let rates = (0..PREDICTORS.len()).map(rate).collect::<Result<Xy, LabError>>()?;
        all.push((gains::words(landing.gain), rates));
    }
    let x = categories("", PREDICTORS.map(|[_, label]| label));
    let y = Axis::new("share of starts predicted").range(0.0, 1.0);
    Ok(means_by_category("Predictors of the final site", x, y, ordered(all))
        .with(guide_at_y(1.0 / n as f64, "")))
}

/// Hit rates of the field and of the Gaussian flow against time.
fn over_time(landings: &[Landings]) -> Panel {
    let style = |i: usize| Style::ordered(i, landings.len()).solid();
    let all = || landings.iter().enumerate();
    let fields = all().map(|(i, landing)| {
        named(gains::words(landing.gain), style(i), xy(&landing.times, &landing.by_time[0]))
    });
    let flows = all().map(|(i, landing)| {
        let dashed = Style { width: 1.2, ..style(i) }.dash(Dash::Dashed);
        unnamed(dashed, xy(&landing.times, &landing.by_time[1]))
    });
    let handovers = all().map(|(i, landing)| {
        line_at_x(landing.handover, "", Style { width: 1.0, ..style(i) }.dash(Dash::Dotted))
    });
    let x = Axis::new("time  $t$").log().from(0.2);
    let y = Axis::new("share with its peak at the final site").range(0.0, 1.05);
    lines("When the final site is decided", x, y, fields.chain(flows))
        .with_all(handovers)
        .note("Solid: the trained field. Dashed: the Gaussian flow. Dotted: hand-over.")
}

/// How far off some predictors are.
fn misses(landing: &Landings) -> Panel {
    const FAR: usize = 12;
    let far = FAR.min(landing.fields[0].len() / 2);
    let shares = [LARGEST, COVARIANCE, FLOW, FIELD].map(|predictor| {
        let misses = landing.misses(predictor);
        let share = |d: usize| {
            misses.iter().filter(|miss| **miss == d).count() as f64 / misses.len() as f64
        };
        (PREDICTORS[predictor][1], counted((0..=far).map(share)))
    });
    let title = format!("How far off, {}", gains::words(landing.gain));
    let y = Axis::new("share of starts").from(0.0);
    means_along(title, "sites between prediction and end", y, series_from(3, shares))
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
    let cells = Cells {
        values: order.iter().flat_map(row).collect(),
        rows: order.len(),
        cols: n,
        x: [0.0, n as f64 - 1.0],
        y: [0.5, order.len() as f64 - 0.5],
        limits: Some((0.0, 1.0)),
        bar: "$|w|$ / largest".to_owned(),
    };
    let y = format!("start, by the site that {} names", PREDICTORS[best][1]);
    heat_map(format!("Final fields, {}", gains::words(landing.gain)), "site", y, cells)
}

/// The Gaussian flow ends where its first mode had its crest.
fn phases(gaussian: &Flow) -> Panel {
    let ends = unnamed(Style::series(0).hollow(), xy(&gaussian.crest, &gaussian.landed));
    let (x, y) = ("crest of mode 1 at the start (sites)", "largest weight at the end (site)");
    diagonal("Gaussian data: the exact answer", x, y, [ends])
}
