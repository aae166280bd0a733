//! The figure of `gate-flips`: a row a gain with flips, kurtosis and final fields, and a row on freezing.

use super::GateFlips;
use super::measure::{Course, Network};
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
const TIME: &str = "time $t$ = step lr";

pub(super) fn figure(settings: &GateFlips, courses: &[Course<'_>]) -> Figure {
    let GateFlips { two, descent, width, record_every, eval, .. } = settings;
    let [pos, neg, lr] = [two.xi_pos, two.xi_neg, descent.lr].map(Value::Real);
    let subtitle = format!(
        "{width} ReLU units, n = {}, correlation lengths {pos} (label 1) and {neg} (label 0), learning rate {lr}, batch {}, a record every {record_every} steps, {eval} held-out samples",
        two.n, descent.batch
    );
    let figure = Figure::new("Gates flip ever less, but do not stop");
    let by_gain = courses
        .iter()
        .flat_map(|course| [flips(settings, course), kurtosis(settings, course), fields(course)]);
    let over_all = [
        over_time(settings, courses, "gates unlike the final ones", &|network| {
            network.fresh.unlike_final.clone()
        }),
        over_time(settings, courses, "gates that never flipped", &|network| network.never_moved()),
        freezing(settings, courses),
    ];
    let figure = figure.subtitle(subtitle).description(CAPTION);
    grid(figure, (3, 1080.0, 0.72), by_gain.chain(over_all))
}

fn title(course: &Course<'_>, what: &str) -> String {
    format!("gain {}: {what}", Value::Real(course.gain))
}

fn flips(settings: &GateFlips, course: &Course<'_>) -> Panel {
    let (network, times) = (&course.networks[0], &settings.times()[1..]);
    let of = |fold: &dyn Fn(usize) -> f64| -> Vec<f64> {
        network.records().map(|record| 1.0 - fold(record)).collect()
    };
    let kept = |record: usize| network.gates[record].iter().map(|row| row[0]);
    let low = of(&|record| kept(record).fold(0.0, f64::max));
    let high = of(&|record| kept(record).fold(1.0, f64::min));
    let counted = of(&|record| mean_unit(network.gates[record]));
    let angles = of(&|record| mean_unit(&network.angles[record]));
    let closed = "$(\\theta_+ + \\theta_-)/2\\pi$, Gaussian data";
    let blue = Style::series(0).solid();
    Panel::new(title(course, "flips a record"), Axis::new(TIME), Axis::new("$1 - p(t)$").log())
        .with(Mark::band(times, &low, &high, "range over units", blue))
        .with(Mark::line(times, &counted, "counted, mean over units", blue))
        .with(Mark::line(times, &angles, closed, Style::theory()))
}

fn kurtosis(settings: &GateFlips, course: &Course<'_>) -> Panel {
    let (network, times) = (&course.networks[0], settings.times());
    let green = Style { width: 1.0, ..Style::series(2).solid() };
    let errors = [-2.0, 2.0].map(|errors| Mark::Horizontal {
        at: errors * settings.unseen(),
        label: "two sampling errors".to_owned(),
        style: Style::guide(),
    });
    let sampled = |unit: usize| {
        let sampled: Vec<f64> = network.kurtosis.iter().map(|units| units[unit][0]).collect();
        Mark::line(&times, &sampled, "sampled, one unit", green)
    };
    let units = DRAWN.min(settings.width);
    let exact: Vec<f64> = network.exact[..units].iter().map(|exact| exact[0]).collect();
    let end = vec![times[times.len() - 1]; units];
    let ring = Style { size: 3.4, ..Style::theory() }.hollow();
    Panel::new(title(course, "kurtosis"), Axis::new(TIME), Axis::new("excess kurtosis, class pos"))
        .with_all(errors)
        .with_all((0..units).map(sampled))
        .with(Mark::points(&end, &exact, "exact, final field", ring))
}

fn fields(course: &Course<'_>) -> Panel {
    let [start, end] = course.networks[0].ends();
    let sites: Vec<f64> = (0..start[0].len()).map(|i| i as f64).collect();
    let (red, pale) = (Style::series(1).color, Style { width: 1.0, ..Style::guide() });
    let unit = |(unit, (before, after)): (usize, (&Vec<f64>, &Vec<f64>))| {
        let red = Style { color: red, ..Style::series(unit) };
        let start = Mark::line(&sites, before, "its start", pale);
        [start, Mark::line(&sites, after, format!("unit {unit}"), red)]
    };
    Panel::new(title(course, "final fields"), Axis::new("site"), Axis::new("weight"))
        .with_all(start.iter().zip(end).take(2).enumerate().flat_map(unit))
}

fn style(arm: usize) -> Style {
    Style::series([0, 1, 3, 4][arm % 4])
}

fn over_time(
    settings: &GateFlips,
    courses: &[Course<'_>],
    what: &str,
    of: &dyn Fn(&Network<'_>) -> Vec<f64>,
) -> Panel {
    let course = |(arm, course): (usize, &Course<'_>)| {
        let rows: Vec<Vec<f64>> = course.networks.iter().map(of).collect();
        let label = format!("gain {}", Value::Real(course.gain));
        let shares = fovea_desk::replicas::mean(&rows, None);
        Mark::line(&settings.times(), &shares, label, style(arm))
    };
    Panel::new(what, Axis::new(TIME), Axis::new("share of gates").from(0.0))
        .with_all(courses.iter().enumerate().map(course))
}

fn freezing(settings: &GateFlips, courses: &[Course<'_>]) -> Panel {
    let mut panel = Panel::new(
        "weights behind frozen gates",
        Axis::new("time of freezing $t$"),
        Axis::new("relative distance at the end").from(0.0),
    );
    let steps = settings.frozen_at();
    let times: Vec<f64> = steps.iter().map(|step| *step as f64 * settings.descent.lr).collect();
    for (arm, Course { frozen, controls, .. }) in courses.iter().enumerate() {
        let means: Vec<f64> = frozen.iter().map(|seeds| mean(seeds)).collect();
        let points = |seed: usize| {
            let distance: Vec<f64> = frozen.iter().map(|row| row[seed]).collect();
            Mark::points(&times, &distance, "", style(arm).hollow())
        };
        let level = |(seeds, dash): (&Vec<f64>, Dash)| Mark::Horizontal {
            at: mean(seeds),
            label: String::new(),
            style: Style { width: 1.0, ..style(arm) }.dash(dash),
        };
        panel = panel
            .with(Mark::line(&times, &means, "", style(arm)))
            .with_all((0..settings.seeds).map(points))
            .with_all(controls.iter().zip([Dash::Dotted, Dash::Long]).map(level));
    }
    panel
}
