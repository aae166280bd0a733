//! The figure of `dictator`: the end against the margin, profiles, the path; the basin, random vectors, times of entry.

use super::measure::{Basin, Draw, Path, REACH};
use super::{Dictator, Found};
use fovea_desk::prelude::*;
use fovea_desk::replicas::share;
use fovea_theory::dictator::path::path;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Sign data, one ReLU unit. (a) IPR of the late mean field against the margin of the dictator state: \
    measured with two standard errors, and the closed form along one length of class neg, dotted where the margin is negative and the \
    state contradicts its gate. (b) The late mean field by distance from its centre, with two standard errors; lines are the closed form. (c) The path from \
    one site: mean over replicas at 0 to 3 sites from the centre (points), and the linear flow (dashes). (d) Share of starts that come back to the \
    dictator state, by how far they were pushed in a random direction; left of the dotted vertical lines all must; dashed, the share of \
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
    let along = ladder(&[0.3, 3.2], 60).into_iter();
    let pairs = along.map(|xi_pos| TwoClass { xi_pos, xi_neg: shared, ..settings.two_class(0) });
    let points = pairs.filter(|two| two.kernels().is_ok()).map(|two| two.dictator());
    let points = points.collect::<Result<Vec<_>, _>>()?;
    let line = |exists: bool| -> Xy {
        points.iter().filter(|p| p.exists == exists).map(|p| (p.margin, p.ipr)).collect()
    };
    let closed = [
        named(format!("closed form, $\\xi_- = {shared}$"), Style::theory(), line(true)),
        named("where it contradicts its gate", Style::guide(), line(false)),
    ];
    let marks = paths.iter().enumerate().filter_map(|(i, path)| {
        let (late, point, style) = (path.late.as_ref()?, &path.pair.point, Style::series(i));
        let ring = Style { size: 5.6, marker: Marker::Circle, ..style }.hollow();
        let (at, style) = ([point.margin], Style { size: 3.6, ..style });
        let measured = estimates(&at, [late.ipr]).points(pair(&path.pair.two), style);
        Some([xy(&at, [point.ipr]).points("", ring), measured])
    });
    let (x, y) = ("margin  $2|w^*_i| / |w^*|_1 - 1$", "IPR  $\\sum w^4 / (\\sum w^2)^2$");
    Ok(lines("The end, against its margin", x, y, closed)
        .with(guide_at_x(0.0, ""))
        .with_all(marks.flatten())
        .note("Rings: the closed form of the same pair."))
}

/// Late mean fields by distance.
fn profiles(paths: &[Path]) -> Panel {
    const FAR: usize = 6;
    let arms = paths.iter().enumerate().filter_map(|(i, path)| {
        let late = path.late.as_ref()?;
        let far = FAR.min(late.by_distance.len() - 1);
        let measured = late.by_distance[..=far].iter().enumerate().map(|(d, e)| (d as f64, *e));
        let theory = counted(&path.pair.point.w[..=far]);
        let dash = if path.pair.point.exists { Dash::Dashed } else { Dash::Dotted };
        let style = Style { width: 1.0, dash, ..Style::series(i) };
        Some(unnamed(style, Compared { measured: measured.collect(), theory }))
    });
    arms_with_theory("The late mean field", "sites from the centre", "weight", arms)
}

/// The path of the first pair: means and flow.
fn way(settings: &Dictator, first: &Path) -> Panel {
    let title = format!("The path from one site, {}", pair(&first.pair.two));
    let end = first.times.last().copied().unwrap_or(1.0).min(6.0 * first.pair.point.relaxation);
    let (fine, [pos, neg]) = (ladder(&[0.0, end], 200), &first.pair.rows);
    let flow: Vec<Vec<f64>> =
        fine.iter().map(|t| path(pos, neg, settings.scale, *t, 0.0)).collect();
    let theory =
        (0..=REACH).map(|d| unnamed(Style::theory(), xy(&fine, flow.iter().map(|w| w[d]))));
    let measured = (0..=REACH).map(|d| {
        let records = first.times.iter().zip(&first.at).filter(|(t, _)| **t <= end);
        let means: Xy = records.map(|(t, at)| (*t, at[d].mean())).collect();
        let style = Style { size: 1.8, ..Style::ordered(d, REACH + 1) };
        means.points(format!("{d} site{}", if d == 1 { "" } else { "s" }), style)
    });
    let x = time_axis().range(0.0, end);
    lines(title, x, "weight", theory).with_all(measured).label_ends()
}

/// Shares that come back against distance.
fn returns(settings: &Dictator, basins: &[Basin]) -> Result<Panel, LabError> {
    let x = Axis::new("distance of the start from $w^*$, over $|w^*|$").log();
    let y = Axis::new("share of starts").range(-0.02, 1.05);
    let mut panel = Panel::new("Starts that come back", x, y);
    for (i, basin) in basins.iter().enumerate() {
        let (distance, ends) = (&settings.distance, &basin.ends[0]);
        let home = ends.iter().map(|e| share(e.home, e.count));
        let home = estimates(distance, home.collect::<Result<Vec<_>, LabError>>()?);
        let any = xy(distance, ends.iter().map(|e| e.localized as f64 / e.count as f64));
        let style = Style::series(i).solid();
        let (thin, ring) = (Style { width: 1.0, ..style }, Style { size: 4.8, ..style }.hollow());
        let name = pair(&basin.pair.two);
        let [same, other] = ["the same", "any"].map(|which| format!("{name}: to {which} site"));
        let inside: Xy = basin.start_inside.iter().copied().collect();
        let wall = basin.pair.point.exists.then(|| basin.pair.wall());
        panel = panel
            .with(inside.line("", thin.dash(Dash::Dashed)))
            .with(home.clone().line("", thin))
            .with(any.points(other, ring))
            .with(home.points(same, style))
            .with_all(wall.map(|at| line_at_x(at, "", thin.dash(Dash::Dotted))));
    }
    Ok(panel)
}

/// Counted and closed-form probability against size.
fn random_vectors(draws: &[Draw]) -> Panel {
    let closed = draws.iter().map(|draw| (draw.n as f64, draw.closed)).collect();
    let counted: Xy = draws.iter().map(|draw| (draw.n as f64, draw.counted)).collect();
    let y = Axis::new("probability").log();
    lines("A random vector is in a cell", "sites $n$", y, [unnamed(Style::theory(), closed)])
        .with(counted.points("", Style::series(0)))
}

/// Cumulated share of Glorot starts that have entered a cell.
fn entries(settings: &Dictator, basins: &[Basin]) -> Panel {
    let end = settings.descent.steps as f64 * settings.descent.lr;
    let shares = basins.iter().map(|basin| {
        let (mut last, mut steps) = (0.0, vec![(0.0, 0.0)]);
        for (k, t) in basin.entered.iter().enumerate().filter(|(_, t)| t.is_finite()) {
            let next = (k + 1) as f64 / basin.entered.len() as f64;
            steps.extend([(*t, last), (*t, next)]);
            last = next;
        }
        steps.push((end, last));
        (pair(&basin.pair.two), steps.into_iter().collect::<Xy>())
    });
    let (x, y) = (Axis::new("time $t$").range(0.0, end), Axis::new("share of starts"));
    let title = "Glorot starts in a cell by time $t$";
    let shares = series(shares).into_iter().map(|s| named(s.label, s.style.solid(), s.data));
    lines(title, x, y.range(-0.02, 1.05), shares)
}
