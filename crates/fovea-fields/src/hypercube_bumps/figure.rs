//! The figure of `hypercube-bumps`: gated means of bumps, what happens as one grows, and influences.

use super::HypercubeBumps;
use super::claims::means;
use super::measure::{Bumps, Case, Influence};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Gated mean f(w) = E[1(<w,x> >= 0) x] of binary data. Points are sampled, with two standard errors where \
    these can be seen; solid lines are exact. (a) to (c) Sign data, fields of one, two equal and three bumps (grey bars, not to scale): dotted, half a column \
    of the covariance at the largest weight, which is what extracting the maximum would give. In (c) no bump outweighs the other two \
    together: they vote, and f peaks at the middle one. (d) f at the three bumps as the first one grows: it does not follow the largest weight but \
    jumps where one bump passes the sum or the difference of the others. (e) Independent spins: influence of every weight as one of them \
    grows. It rises steadily to 1, reached where the weight passes the sum of the others; there all other influences vanish.";

pub(super) fn figure(settings: &HypercubeBumps, bumps: &Bumps, influence: &Influence) -> Figure {
    let subtitle = format!(
        "Signs of a Gaussian field on {} sites with correlation length {}, and {} independent spins. Nothing was fitted.",
        settings.n,
        Value::Real(settings.xi),
        settings.others.len() + 1
    );
    Figure::new("A gate on binary data takes votes; it does not extract a maximum")
        .subtitle(subtitle)
        .columns(3)
        .width(1020.0)
        .aspect(0.75)
        .description(CAPTION)
        .panel(profile(settings, &bumps.cases[0], "One bump"))
        .panel(profile(settings, &bumps.cases[1], "Two equal bumps"))
        .panel(profile(settings, &bumps.cases[3], &three(&bumps.cases[3])))
        .panel(growing(settings, bumps))
        .panel(influences(influence).span(2))
}

fn three(case: &Case) -> String {
    let heights: Vec<String> = case.heights.iter().map(|h| Value::Real(*h).to_string()).collect();
    format!("Three bumps of {}", heights.join(", "))
}

/// The gated mean around the bumps.
fn profile(settings: &HypercubeBumps, case: &Case, title: &str) -> Panel {
    let middle = settings.n / 2;
    let reach = (3 * settings.spacing + 3).min(middle - 1);
    let range = middle - reach..=middle + reach;
    let sites: Vec<f64> = range.clone().map(|i| i as f64 - middle as f64).collect();
    let cut = |values: &[f64]| values[range.clone()].to_vec();
    let sampled = &case.sampled[range.clone()];
    let errors: Vec<f64> = sampled.iter().map(|e| 2.0 * e.se()).collect();
    let top = case.heights.iter().fold(0.0, |top: f64, h| top.max(h.abs()));
    let at: Vec<f64> = case.sites.iter().map(|i| *i as f64 - middle as f64).collect();
    let bars: Vec<f64> = case.heights.iter().map(|h| 0.12 * h / top).collect();
    let y = Axis::new("gated mean $f_j$").share(1).range(-0.02, 0.6);
    let mut panel = Panel::new(title, Axis::new("site $j$"), y).with(Mark::Bars {
        x: at,
        height: bars,
        width: 0.5,
        label: "weights $w$".to_owned(),
        style: Style::guide(),
    });
    // Two equal weights have no largest.
    if case.id != Some("L000.23") {
        let style = Style::series(1).dash(Dash::Dotted);
        panel =
            panel.with(Mark::line(&sites, &cut(&case.extracted), "the maximum extracted", style));
    }
    panel
        .with(Mark::line(&sites, &cut(&case.exact), "exact", Style::series(0).solid()))
        .with(Mark::measured(&sites, &means(sampled), &errors, "sampled", Style::series(0)))
}

/// The gated mean at the three bumps against the height of the first.
fn growing(settings: &HypercubeBumps, bumps: &Bumps) -> Panel {
    let (second, third) = (settings.lower[0], settings.lower[1]);
    let x = Axis::new("height of the first bump").from(0.0);
    let mut panel =
        Panel::new("As the first bump grows", x, Axis::new("$f$ at a bump").from(0.0)).label_ends();
    for at in [(second - third).abs(), second + third] {
        panel = panel.with(Mark::Vertical { at, label: String::new(), style: Style::guide() });
    }
    let names = ["first", "second", "third"];
    for (i, name) in names.iter().enumerate() {
        let style = Style::series(i);
        let of = |case: &Case| case.exact[case.sites[i]];
        // Constant between the walls.
        let (mut x, mut y) = (Vec::new(), Vec::new());
        let mut edge = 0.0;
        for (j, case) in bumps.sweep.iter().enumerate() {
            let next = bumps.sweep.get(j + 1);
            let wall = next.filter(|next| (of(next) - of(case)).abs() > 1e-12).map(|next| {
                let (low, high) = (case.heights[0], next.heights[0]);
                [(second - third).abs(), second + third]
                    .into_iter()
                    .find(|wall| (low..high).contains(wall))
                    .unwrap_or(f64::midpoint(low, high))
            });
            let end = wall.or(next.map(|next| next.heights[0])).unwrap_or(case.heights[0]);
            x.extend([edge, end]);
            y.extend([of(case), of(case)]);
            edge = end;
        }
        let heights: Vec<f64> = bumps.sweep.iter().map(|case| case.heights[0]).collect();
        let at: Vec<Estimate> =
            bumps.sweep.iter().map(|case| case.sampled[case.sites[i]]).collect();
        let errors: Vec<f64> = at.iter().map(|e| 2.0 * e.se()).collect();
        panel = panel.with(Mark::line(&x, &y, *name, style)).with(Mark::measured(
            &heights,
            &means(&at),
            &errors,
            "",
            style,
        ));
    }
    panel.note("Dotted: where it passes the difference and the sum of the other two.")
}

fn influences(influence: &Influence) -> Panel {
    let sites = influence.exact.first().map_or(0, Vec::len);
    let (grid, fine) = &influence.fine;
    let mut panel = Panel::new(
        "Influence of every weight as one grows",
        Axis::new("weight that grows, $w_1$").from(0.0),
        Axis::new(r"Banzhaf index $\beta_j$").range(0.0, 1.05),
    )
    .label_ends();
    for j in (0..sites).rev() {
        let style = if j == 0 {
            Style::series(0).solid()
        } else {
            Style { width: 0.9, ..Style::ordered(j, sites) }.solid()
        };
        let label = match j {
            0 => "$w_1$".to_owned(),
            1 => "the others".to_owned(),
            _ => String::new(),
        };
        let line: Vec<f64> = fine.iter().map(|row| row[j]).collect();
        let at: Vec<f64> = influence.sampled.iter().map(|row| row[j].mean()).collect();
        let errors: Vec<f64> = influence.sampled.iter().map(|row| 2.0 * row[j].se()).collect();
        panel = panel.with(Mark::line(grid, &line, label, style)).with(Mark::measured(
            &influence.first,
            &at,
            &errors,
            "",
            Style { size: 1.9, ..style },
        ));
    }
    panel.with(Mark::Vertical {
        at: influence.rest,
        label: "sum of the others".to_owned(),
        style: Style::guide(),
    })
}
