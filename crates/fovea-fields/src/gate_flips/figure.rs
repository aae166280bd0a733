//! The figure of `gate-flips`: flips, kurtosis and final fields per gain, and frozen gates.

use super::GateFlips;
use super::measure::{Course, Network};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Per gain: the share of a unit's gates that change from one record to the next (blue, mean and range over the units of one \
    network), and the angles of its weights on Gaussian data of the same covariances (dashed); excess kurtosis of the preactivations of class pos \
    (lines: four units; circles: exact values of their final fields; dotted: two standard errors of a Gaussian sample's); the final fields of two units (red) and their starts (grey). \
    Below, means over networks: gates that differ from the final ones; gates that have not flipped since the start; and how far the weights end from \
    those of the free network when the gates are frozen at a time and training goes on behind them (points: networks; level lines: \
    dotted, the final gates held from the start; long dashes, no gates frozen, the effect of smaller batches alone).";

/// Units whose kurtosis is shown.
const DRAWN: usize = 4;

pub(super) fn figure(settings: &GateFlips, courses: &[Course<'_>]) -> Figure {
    let GateFlips { two, descent, width, record_every, eval, .. } = settings;
    let [pos, neg, lr] = [two.xi_pos, two.xi_neg, descent.lr].map(Value::Real);
    let subtitle = format!(
        "{width} ReLU units, n = {}, correlation lengths {pos} (label 1) and {neg} (label 0), learning rate {lr}, batch {}, a record every {record_every} steps, {eval} held-out samples",
        two.n, descent.batch
    );
    let figure = Figure::new("Gates flip less and less, but do not stop");
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
    format!("{}: {what}", gains::words(course.gain))
}

fn flips(settings: &GateFlips, course: &Course<'_>) -> Panel {
    let (network, times) = (&course.networks[0], &settings.times()[1..]);
    let of = |fold: &dyn Fn(usize) -> f64| -> Vec<f64> {
        network.records().map(|record| 1.0 - fold(record)).collect()
    };
    let kept = |record: usize| network.gates[record].iter().map(|row| row[0]);
    let counted = Range {
        x: times.to_vec(),
        low: of(&|record| kept(record).fold(0.0, f64::max)),
        middle: of(&|record| mean_unit(network.gates[record])),
        high: of(&|record| kept(record).fold(1.0, f64::min)),
    };
    let counted = named("counted, mean and range over units", Style::series(0), counted);
    let angles = xy(times, of(&|record| mean_unit(&network.angles[record])));
    let closed = "$(\\theta_+ + \\theta_-)/2\\pi$, Gaussian data";
    let (title, y) = (title(course, "flips per record"), Axis::new("$1 - p(t)$").log());
    lines_with_range(title, time_axis(), y, [counted]).with(angles.line(closed, Style::theory()))
}

fn kurtosis(settings: &GateFlips, course: &Course<'_>) -> Panel {
    let (network, times) = (&course.networks[0], settings.times());
    let units = DRAWN.min(settings.width);
    let sampled = |unit: usize| xy(&times, network.kurtosis.iter().map(|units| units[unit][0]));
    let sampled =
        named("sampled, one unit", Style::series(2).solid(), (0..units).map(sampled).collect());
    let end = times[times.len() - 1];
    let exact: Xy = network.exact[..units].iter().map(|exact| (end, exact[0])).collect();
    let ring = Style { size: 3.4, ..Style::theory() }.hollow();
    let (title, y) = (title(course, "kurtosis"), "excess kurtosis, class pos");
    lines_per_run(title, time_axis(), y, [sampled])
        .with_all([-2.0, 2.0].map(|errors| guide_at_y(errors * settings.unseen(), "")))
        .with(exact.points("exact, final field", ring))
}

fn fields(course: &Course<'_>) -> Panel {
    let [start, end] = course.networks[0].ends();
    let (red, pale) = (Style::series(1).color, Style { width: 1.0, ..Style::guide() });
    let unit = |(unit, (before, after)): (usize, (&Vec<f64>, &Vec<f64>))| {
        let red = Style { color: red, ..Style::series(unit) };
        let start = named("its start", pale, counted(before));
        [start, named(format!("unit {unit}"), red, counted(after))]
    };
    let units = start.iter().zip(end).take(2).enumerate().flat_map(unit);
    lines(title(course, "final fields"), "site", "weight", units)
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
        let shares = xy(&settings.times(), fovea_desk::replicas::mean(&rows, None));
        named(gains::words(course.gain), style(arm), shares)
    };
    let courses = courses.iter().enumerate().map(course);
    lines(what, time_axis(), Axis::new("share of gates").from(0.0), courses)
}

fn freezing(settings: &GateFlips, courses: &[Course<'_>]) -> Panel {
    let steps = settings.frozen_at();
    let times: Vec<f64> = steps.iter().map(|step| *step as f64 * settings.descent.lr).collect();
    let means = courses.iter().enumerate().map(|(arm, Course { frozen, .. })| {
        unnamed(style(arm), xy(&times, frozen.iter().map(|seeds| mean(seeds))))
    });
    let others = |(arm, Course { frozen, controls, .. }): (usize, &Course<'_>)| {
        let seeds =
            |(t, seeds): (&f64, &Vec<f64>)| seeds.iter().map(|d| (*t, *d)).collect::<Vec<_>>();
        let networks: Xy = times.iter().zip(frozen).flat_map(seeds).collect();
        let level = |(seeds, dash): (&Vec<f64>, Dash)| {
            line_at_y(mean(seeds), "", Style { width: 1.0, ..style(arm) }.dash(dash))
        };
        let levels = controls.iter().zip([Dash::Dotted, Dash::Long]).map(level);
        levels.chain([networks.points("", style(arm).hollow())]).collect::<Vec<_>>()
    };
    let y = Axis::new("relative distance at the end").from(0.0);
    lines("weights behind frozen gates", "time of freezing $t$", y, means)
        .with_all(courses.iter().enumerate().flat_map(others))
}
