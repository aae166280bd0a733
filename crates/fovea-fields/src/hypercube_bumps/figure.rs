//! The figure of `hypercube-bumps`: gated means of bumps, what happens as one grows, and influences.

use super::HypercubeBumps;
use super::measure::{Case, Found};
use fovea_desk::prelude::*;
use fovea_theory::cube::chow::chow;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Gated mean f(w) = E[1(<w,x> >= 0) x] of binary data. Points are sampled, with two standard errors where \
    these can be seen; lines are exact. (a) to (c) Sign data, fields of one, two equal and three bumps (grey bars, not to scale): dotted, half a column \
    of the covariance at the largest weight, which is what extracting the maximum would give. In (c) no bump outweighs the other two \
    together: they vote, and f peaks at the middle one. (d) f at the three bumps as the first one grows: it does not follow the largest weight but \
    jumps where one bump passes the sum or the difference of the others. (e) Independent spins: influence of every weight as one of them \
    grows. It rises steadily to 1, reached where the weight passes the sum of the others; there all other influences vanish.";

pub(super) fn figure(settings: &HypercubeBumps, found: &Found) -> Figure {
    let (n, xi, spins) = (settings.n, Value::Real(settings.xi), settings.others.len() + 1);
    let subtitle = format!(
        "Signs of a Gaussian field on {n} sites with correlation length {xi}, and {spins} independent spins. Nothing was fitted."
    );
    let (one, two, three) = (&found.cases[0], &found.cases[1], &found.cases[3]);
    let heights: Vec<String> = three.heights.iter().map(|h| Value::Real(*h).to_string()).collect();
    let panels = [
        profile(settings, one, "One bump"),
        profile(settings, two, "Two equal bumps"),
        profile(settings, three, &format!("Three bumps of {}", heights.join(", "))),
        growing(settings, &found.sweep),
        influences(settings, found).span(2),
    ];
    let figure = Figure::new("A gate on binary data takes votes; it does not extract a maximum");
    grid(figure.subtitle(subtitle).description(CAPTION), (3, 1020.0, 0.75), panels)
}

/// The gated mean around the bumps.
fn profile(settings: &HypercubeBumps, case: &Case, title: &str) -> Panel {
    let middle = settings.n / 2;
    let reach = (3 * settings.spacing + 3).min(middle - 1);
    let range = middle - reach..=middle + reach;
    let sites: Vec<f64> = range.clone().map(|i| i as f64 - middle as f64).collect();
    let line = |values: &[f64], label: &str, style: Style| {
        xy(&sites, &values[range.clone()]).line(label, style)
    };
    let bars = Mark::Bars {
        x: case.sites.iter().map(|i| *i as f64 - middle as f64).collect(),
        height: case.heights.iter().map(|h| 0.12 * h / largest(&case.heights)).collect(),
        width: 0.5,
        label: "weights $w$".to_owned(),
        style: Style::guide(),
    };
    // Two equal weights have no largest.
    let extracted = (case.id != "L000.23").then(|| {
        let dotted = Style::series(1).dash(Dash::Dotted);
        line(&case.extracted, "the maximum extracted", dotted)
    });
    let y = Axis::new("gated mean $f_j$").share(1).range(-0.02, 0.6);
    Panel::new(title, Axis::new("site $j$"), y)
        .with(bars)
        .with_all(extracted)
        .with(line(&case.exact, "exact", Style::series(0).solid()))
        .with(estimates(&sites, &case.sampled[range.clone()]).points("sampled", Style::series(0)))
}

/// The gated mean at the three bumps against the height of the first.
fn growing(settings: &HypercubeBumps, sweep: &[Case]) -> Panel {
    let (second, third) = (settings.lower[0], settings.lower[1]);
    let walls = [(second - third).abs(), second + third];
    let heights: Vec<f64> = sweep.iter().map(|case| case.heights[0]).collect();
    let exact = ["first", "second", "third"].into_iter().enumerate().map(|(i, name)| {
        let f: Vec<f64> = sweep.iter().map(|case| case.exact[case.sites[i]]).collect();
        // Constant between the walls.
        let (mut points, mut edge) = (Vec::new(), 0.0);
        for j in 0..sweep.len() {
            let end = match (heights[j], heights.get(j + 1)) {
                (low, None) => low,
                (low, Some(high)) if (f[j + 1] - f[j]).abs() > 1e-12 => {
                    let wall = walls.into_iter().find(|wall| (low..*high).contains(wall));
                    wall.unwrap_or(f64::midpoint(low, *high))
                }
                (_, Some(high)) => *high,
            };
            points.extend([(edge, f[j]), (end, f[j])]);
            edge = end;
        }
        (name, points.into_iter().collect())
    });
    let sampled = (0..3).map(|i| {
        let f = sweep.iter().map(|case| &case.sampled[case.sites[i]]);
        estimates(&heights, f).points("", Style::series(i))
    });
    let (x, y) = (Axis::new("height of the first bump").from(0.0), Axis::new("$f$ at a bump"));
    lines("As the first bump grows", x, y.from(0.0), series(exact))
        .label_ends()
        .with_all(walls.map(|at| guide_at_x(at, "")))
        .with_all(sampled)
        .note("Dotted: where it passes the difference and the sum of the other two.")
}

fn influences(settings: &HypercubeBumps, found: &Found) -> Panel {
    let sites = settings.others.len() + 1;
    let grid = ladder(&[0.0, largest(&settings.first)], 240);
    let fine: Vec<Vec<f64>> =
        grid.iter().map(|first| chow(&settings.weights(*first)).banzhaf).collect();
    let style = |j: usize| {
        let thin = Style { width: 0.9, ..Style::ordered(j, sites) };
        Style { size: 1.9, ..if j == 0 { Style::series(0) } else { thin }.solid() }
    };
    let exact = (0..sites).rev().map(|j| {
        let label = ["$w_1$", "the others"].get(j).copied().unwrap_or_default();
        named(label, style(j), xy(&grid, fine.iter().map(|row| row[j])))
    });
    let sampled = (0..sites).rev().map(|j| {
        let influence = found.sampled.iter().map(|row| &row[j]);
        estimates(&settings.first, influence).points("", style(j))
    });
    let x = Axis::new("weight that grows, $w_1$").from(0.0);
    let y = Axis::new(r"Banzhaf index $\beta_j$").range(0.0, 1.05);
    lines("Influence of every weight as one grows", x, y, exact)
        .label_ends()
        .with_all(sampled)
        .with(guide_at_x(settings.others.iter().sum(), "sum of the others"))
}
