//! The figure of `dictator`: the end against the margin, profiles, the path; the basin, random vectors, times of entry.

use super::measure::{Basin, Draw, Path, REACH};
use super::{Dictator, Found};
use fovea_desk::prelude::*;
use fovea_desk::replicas::share;
use fovea_theory::dictator::path::path;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Sign data, one ReLU unit. (a) IPR of the late mean field against the margin of the dictator state: \
    measured with two standard errors, and the closed form along one length of class neg, dotted where the margin is negative and the \
    state contradicts its gate. (b) The late mean field by distance from its centre; lines are the closed form. (c) The way there from \
    one site: mean over replicas at 0 to 3 sites from the centre, and the linear flow. (d) Share of starts that come back to the \
    dictator state, by how far they were pushed in a random direction; left of the vertical lines all must; dashed, the share of \
    starts that lie in the cell to begin with. (e) Probability that one of n normal weights outvotes the others: counted, and in closed \
    form. (f) Share of Glorot starts that have entered a dictator's cell by time t.";

pub(super) fn figure(settings: &Dictator, found: &Found) -> Result<Figure, LabError> {
    let (Found { paths, basins, draws }, n) = (found, settings.n);
    let subtitle = format!(
        "Sign data on {n} sites, labels 1 and 0. Pairs are correlation lengths $(\\xi_+, \\xi_-)$; points are measured, broken lines \
         are theory, to which nothing was fitted."
    );
    let mut panels = vec![margins(settings, paths)?, profiles(paths), way(settings, &paths[0])];
    if !basins.is_empty() {
        panels.push(returns(settings, basins)?);
    }
    panels.push(random_vectors(draws));
    if !basins.is_empty() {
        panels.push(entries(settings, basins));
    }
    let title = "The dictator state: its end, its path and its basin";
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    Ok(grid(figure, (3, 1080.0, 0.78), panels))
}

fn pair(two: &TwoClass) -> String {
    format!("({}, {})", two.xi_pos, two.xi_neg)
}

/// IPR against margin: measured pairs, and the closed form along the length of class neg that most pairs share.
fn margins(settings: &Dictator, paths: &[Path]) -> Result<Panel, LabError> {
    let count =
        |xi: &f64| settings.xi_neg.iter().filter(|other| (*other - xi).abs() < 1e-12).count();
    let shared = settings.xi_neg.iter().copied().max_by_key(count).unwrap_or(1.0);
    let x = Axis::new("margin  $2|w^*_i| / |w^*|_1 - 1$");
    let mut panel =
        Panel::new("The end, against its margin", x, Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$"));
    let along = (0..=60).map(|i| 0.3 + 2.9 * f64::from(i) / 60.0);
    let pairs = along.map(|xi_pos| TwoClass { xi_pos, xi_neg: shared, ..settings.two_class(0) });
    let points = pairs.filter(|two| two.kernels().is_ok()).map(|two| two.dictator());
    let points = points.collect::<Result<Vec<_>, _>>()?;
    let line = |exists: bool| -> (Vec<f64>, Vec<f64>) {
        points.iter().filter(|p| p.exists == exists).map(|p| (p.margin, p.ipr)).unzip()
    };
    let (valid, invalid) = (line(true), line(false));
    let label = format!("closed form, $\\xi_- = {shared}$");
    panel = panel
        .with(Mark::line(&valid.0, &valid.1, label, Style::theory()))
        .with(Mark::line(&invalid.0, &invalid.1, "where it contradicts its gate", Style::guide()))
        .with(vertical(0.0, Style::guide()));
    for (i, path) in paths.iter().enumerate() {
        let Some(late) = &path.late else { continue };
        let style = Style { size: 3.6, ..Style::series(i) };
        let hollow = Style { size: 5.6, marker: Marker::Circle, ..style }.hollow();
        let (at, ipr, name) = ([path.pair.point.margin], path.pair.point.ipr, pair(&path.pair.two));
        panel = panel.with(Mark::points(&at, &[ipr], "", hollow));
        panel = panel.with(measured(&at, [&late.ipr], name, style));
    }
    Ok(panel.note("Rings: the closed form of the same pair."))
}

/// Late mean fields by distance.
fn profiles(paths: &[Path]) -> Panel {
    const FAR: usize = 6;
    let x = Axis::new("sites from the centre");
    let mut panel = Panel::new("The late mean field", x, Axis::new("weight"));
    for (i, path) in paths.iter().enumerate() {
        let Some(late) = &path.late else { continue };
        let far = FAR.min(late.by_distance.len() - 1);
        let at: Vec<f64> = (0..=far).map(|d| d as f64).collect();
        let dash = if path.pair.point.exists { Dash::Dashed } else { Dash::Dotted };
        let (style, thin) = (Style::series(i), Style { width: 1.0, ..Style::series(i) }.dash(dash));
        panel = panel
            .with(Mark::line(&at, &path.pair.point.w[..=far], "", thin))
            .with(Mark::points(&at, &bars(&late.by_distance[..=far]).0, "", style));
    }
    panel
}

/// The path of the first pair: means and flow.
fn way(settings: &Dictator, first: &Path) -> Panel {
    let title = format!("The way there, {}", pair(&first.pair.two));
    let end = first.times.last().copied().unwrap_or(1.0).min(6.0 * first.pair.point.relaxation);
    let x = Axis::new("time  $t$ = step $\\times$ learning rate").range(0.0, end);
    let y = Axis::new("weight").range(-0.08, 0.62);
    let mut panel = Panel::new(title, x, y).label_ends();
    let fine: Vec<f64> = (0..=200).map(|i| end * f64::from(i) / 200.0).collect();
    let [pos, neg] = &first.pair.rows;
    let flow: Vec<Vec<f64>> =
        fine.iter().map(|t| path(pos, neg, settings.scale, *t, 0.0)).collect();
    let shown = first.times.iter().filter(|t| **t <= end).count();
    for d in 0..=REACH {
        let means: Vec<f64> = first.at[..shown].iter().map(|at| at[d].mean()).collect();
        let label = format!("{d} site{}", if d == 1 { "" } else { "s" });
        let curve: Vec<f64> = flow.iter().map(|w| w[d]).collect();
        let style = Style { size: 1.8, ..Style::ordered(d, REACH + 1) };
        panel = panel.with(Mark::points(&first.times[..shown], &means, label, style));
        panel = panel.with(Mark::line(&fine, &curve, "", Style::theory()));
    }
    panel
}

/// Shares that come back against distance.
fn returns(settings: &Dictator, basins: &[Basin]) -> Result<Panel, LabError> {
    let x = Axis::new("distance of the start from $w^*$, over $|w^*|$").log();
    let y = Axis::new("share of starts").range(-0.02, 1.05);
    let mut panel = Panel::new("Who comes back", x, y);
    for (i, basin) in basins.iter().enumerate() {
        let (distance, ends) = (&settings.distance, &basin.ends[0]);
        let home =
            ends.iter().map(|e| share(e.home, e.count)).collect::<Result<Vec<_>, LabError>>()?;
        let any: Vec<f64> = ends.iter().map(|e| e.localized as f64 / e.count as f64).collect();
        let style = Style::series(i).solid();
        let name = pair(&basin.pair.two);
        let (at, inside): (Vec<f64>, Vec<f64>) = basin.start_inside.iter().copied().unzip();
        let (thin, ring) = (Style { width: 1.0, ..style }, Style { size: 4.8, ..style }.hollow());
        let [same, other] = ["the same", "any"].map(|which| format!("{name}: to {which} site"));
        panel = panel
            .with(Mark::line(&at, &inside, "", thin.dash(Dash::Dashed)))
            .with(Mark::line(distance, &bars(&home).0, "", thin))
            .with(Mark::points(distance, &any, other, ring))
            .with(measured(distance, &home, same, style));
        if basin.pair.point.exists {
            let wall = basin.pair.inner_radius() / norm(&basin.pair.point.w);
            panel = panel.with(vertical(wall, thin.dash(Dash::Dotted)));
        }
    }
    Ok(panel)
}

/// Counted and closed-form probability against size.
fn random_vectors(draws: &[Draw]) -> Panel {
    let sizes: Vec<f64> = draws.iter().map(|draw| draw.n as f64).collect();
    let closed: Vec<f64> = draws.iter().map(|draw| draw.closed).collect();
    let y = Axis::new("probability").log();
    Panel::new("A random vector is in a cell", Axis::new("sites $n$"), y)
        .with(Mark::line(&sizes, &closed, "", Style::theory()))
        .with(measured(&sizes, draws.iter().map(|draw| &draw.counted), "", Style::series(0)))
}

/// Cumulated share of Glorot starts that have entered a cell.
fn entries(settings: &Dictator, basins: &[Basin]) -> Panel {
    let end = settings.descent.steps as f64 * settings.descent.lr;
    let x = Axis::new("time  $t$").range(0.0, end);
    let y = Axis::new("share of starts").range(-0.02, 1.05);
    let mut panel = Panel::new("Glorot starts in a cell by time $t$", x, y);
    for (i, basin) in basins.iter().enumerate() {
        let (mut at, mut share, count) = (vec![0.0], vec![0.0], basin.entered.len() as f64);
        for (k, t) in basin.entered.iter().enumerate().filter(|(_, t)| t.is_finite()) {
            at.extend([*t, *t]);
            share.extend([k as f64 / count, (k + 1) as f64 / count]);
        }
        at.push(end);
        share.push(share.last().copied().unwrap_or(0.0));
        panel =
            panel.with(Mark::line(&at, &share, pair(&basin.pair.two), Style::series(i).solid()));
    }
    panel
}
