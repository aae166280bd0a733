//! The figure of `gate-flips`: a row a gain with flips, kurtosis and final fields, and a row on freezing.

use super::GateFlips;
use super::measure::{Course, Frozen, Network, mean};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "A row for each gain: how many of a unit's gates change from one record to the next (mean and range over the units of one \
    network), beside the angles of its weights in Gaussian data of the same covariances; excess kurtosis of the preactivations of class pos \
    (lines: four units; circles: exact values of their final fields; dotted: two standard errors of a Gaussian sample's); the final fields of two units and their starts. \
    Last row, means over networks: gates that are not yet where they will end; gates that have not flipped since the start; and how far the weights end from \
    those of the free network when the gates are frozen at a time and training goes on behind them (points: networks; level lines: \
    dotted, the final gates held from the start; long dashes, no gates frozen, what smaller batches alone do).";

/// Units whose kurtosis and field are drawn.
const DRAWN: usize = 4;

pub(super) fn figure(settings: &GateFlips, courses: &[Course], frozen: &[Frozen]) -> Figure {
    let subtitle = format!(
        "{} ReLU units, n = {}, correlation lengths {} (label 1) and {} (label 0), learning rate {}, batch {}, a record every {} steps, {} held-out samples",
        settings.width,
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        Value::Real(settings.lr),
        settings.batch,
        settings.record_every,
        settings.eval
    );
    let mut figure = Figure::new("Gates flip ever less, but do not stop")
        .subtitle(subtitle)
        .columns(3)
        .width(1080.0)
        .aspect(0.72)
        .description(CAPTION);
    for course in courses {
        figure = figure
            .panel(flips(settings, course))
            .panel(kurtosis(settings, course))
            .panel(fields(settings, course));
    }
    figure
        .panel(over_time(settings, courses, "gates unlike the final ones", |network| {
            network.fresh.unlike_final.clone()
        }))
        .panel(over_time(settings, courses, "gates that never flipped", |network| {
            network.never_moved.iter().map(|units| mean(units)).collect()
        }))
        .panel(freezing(settings, frozen))
}

fn title(course: &Course, what: &str) -> String {
    format!("gain {}: {what}", Value::Real(course.gain))
}

fn time() -> Axis {
    Axis::new("time $t$ = step lr")
}

fn flips(settings: &GateFlips, course: &Course) -> Panel {
    let (network, times) = (&course.networks[0], settings.times());
    let of = |fold: &dyn Fn(&[f64]) -> f64| -> Vec<f64> {
        network.records().map(|r| 1.0 - fold(&network.kept[r])).collect()
    };
    let low = of(&|units| units.iter().copied().fold(0.0, f64::max));
    let high = of(&|units| units.iter().copied().fold(1.0, f64::min));
    let angles: Vec<f64> = network
        .records()
        .map(|r| 1.0 - mean(&network.angles[r].iter().map(|a| a[0]).collect::<Vec<_>>()))
        .collect();
    let blue = Style::series(0).solid();
    Panel::new(title(course, "flips a record"), time(), Axis::new("$1 - p(t)$").log())
        .with(Mark::band(&times[1..], &low, &high, "range over units", blue))
        .with(Mark::line(&times[1..], &of(&mean), "counted, mean over units", blue))
        .with(Mark::line(
            &times[1..],
            &angles,
            "$(\\theta_+ + \\theta_-)/2\\pi$, Gaussian data",
            Style::theory(),
        ))
}

fn kurtosis(settings: &GateFlips, course: &Course) -> Panel {
    let (network, times) = (&course.networks[0], settings.times());
    let green = Style { width: 1.0, ..Style::series(2).solid() };
    let mut panel =
        Panel::new(title(course, "kurtosis"), time(), Axis::new("excess kurtosis, class pos"));
    for at in [-2.0 * settings.unseen(), 2.0 * settings.unseen()] {
        let label = "two sampling errors".to_owned();
        panel = panel.with(Mark::Horizontal { at, label, style: Style::guide() });
    }
    let units = DRAWN.min(settings.width);
    for unit in 0..units {
        let sampled: Vec<f64> = network.kurtosis.iter().map(|units| units[unit][0]).collect();
        panel = panel.with(Mark::line(&times, &sampled, "sampled, one unit", green));
    }
    let exact: Vec<f64> = network.exact[..units].iter().map(|exact| exact[0]).collect();
    let end = vec![times[times.len() - 1]; units];
    let ring = Style { size: 3.4, ..Style::theory() }.hollow();
    panel.with(Mark::points(&end, &exact, "exact, final field", ring))
}

fn fields(settings: &GateFlips, course: &Course) -> Panel {
    let sites: Vec<f64> = (0..settings.n).map(|i| i as f64).collect();
    let network = &course.networks[0];
    let mut panel =
        Panel::new(title(course, "final fields"), Axis::new("site"), Axis::new("weight"));
    let (start, end) = (&network.fields[0], &network.fields[network.fields.len() - 1]);
    for (unit, (before, after)) in start.iter().zip(end).take(2).enumerate() {
        let red = Style { color: Style::series(1).color, ..Style::series(unit) };
        let pale = Style { width: 1.0, ..Style::guide() };
        panel = panel.with(Mark::line(&sites, before, "its start", pale)).with(Mark::line(
            &sites,
            after,
            format!("unit {unit}"),
            red,
        ));
    }
    panel
}

fn style(arm: usize) -> Style {
    Style::series([0, 1, 3, 4][arm % 4])
}

fn over_time(
    settings: &GateFlips,
    courses: &[Course],
    what: &str,
    of: impl Fn(&Network) -> Vec<f64>,
) -> Panel {
    let mut panel = Panel::new(what, time(), Axis::new("share of gates").from(0.0));
    for (arm, course) in courses.iter().enumerate() {
        let rows: Vec<Vec<f64>> = course.networks.iter().map(&of).collect();
        let label = format!("gain {}", Value::Real(course.gain));
        let shares = fovea_desk::replicas::mean(&rows, None);
        panel = panel.with(Mark::line(&settings.times(), &shares, label, style(arm)));
    }
    panel
}

fn freezing(settings: &GateFlips, frozen: &[Frozen]) -> Panel {
    let mut panel = Panel::new(
        "weights behind frozen gates",
        Axis::new("time of freezing $t$"),
        Axis::new("relative distance at the end").from(0.0),
    );
    for (arm, frozen) in frozen.iter().enumerate() {
        let times: Vec<f64> = frozen.steps.iter().map(|step| *step as f64 * settings.lr).collect();
        let means: Vec<f64> = frozen.distance.iter().map(|seeds| mean(seeds)).collect();
        let seeds = (0..frozen.free.len())
            .map(|seed| frozen.distance.iter().map(|row| row[seed]).collect::<Vec<f64>>());
        let points = |y: Vec<f64>| Mark::points(&times, &y, "", style(arm).hollow());
        let level = |at: f64, dash: Dash| Mark::Horizontal {
            at,
            label: String::new(),
            style: Style { width: 1.0, ..style(arm) }.dash(dash),
        };
        panel = panel
            .with(Mark::line(&times, &means, "", style(arm)))
            .with_all(seeds.map(points))
            .with(level(mean(&frozen.final_gates), Dash::Dotted))
            .with(level(mean(&frozen.free), Dash::Long));
    }
    panel
}
