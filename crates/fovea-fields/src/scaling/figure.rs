//! The figure of `scaling`: the seconds of a step along every axis, and the expected exponents beside them.

use super::measure::{Along, Line};
use super::{BATCH, N, Scaling, WIDTH};
use fovea_desk::error::LabError;
use fovea_page::figure::{Axis, Figure, Mark, Panel, Style};

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Seconds of one training step against (a) ring size, (b) width, (c) batch and (d) networks trained together: mean over repeats with two standard errors. One thread \
    for (a) to (c), all of them for (d). Lines are powers with the expected exponents through the largest size; in (a) they are n and n log n. The exponent in each \
    title is fitted to the upper half of the sizes. Times are those of one machine at one time.";

pub(super) fn figure(settings: &Scaling, lines: &[Line]) -> Result<Figure, LabError> {
    let subtitle = format!(
        "one ReLU unit on {N} sites with batches of {BATCH} where nothing else is said, {} repeats",
        settings.repeats
    );
    debug_assert_eq!(WIDTH, 1, "the subtitle says one unit");
    let mut figure = Figure::new("The cost of a step grows as its work does")
        .subtitle(subtitle)
        .columns(2)
        .width(820.0)
        .aspect(0.6)
        .description(CAPTION);
    for line in lines {
        figure = figure.panel(panel(line)?);
    }
    Ok(figure)
}

fn panel(line: &Line) -> Result<Panel, LabError> {
    let label = match line.along {
        Along::Sites => "ring size n",
        Along::Width => "width K",
        Along::Batch => "batch B",
        Along::Fleet => "networks",
    };
    let exponent = line.exponent()?;
    let title = format!("exponent {:.2} \u{b1} {:.2}", exponent.mean(), exponent.se());
    let sizes: Vec<f64> = line.points.iter().map(|point| point.size as f64).collect();
    let means: Vec<f64> = line.points.iter().map(super::measure::Point::mean).collect();
    let errors: Vec<f64> = line.points.iter().map(error).collect();
    let (last, top) = (sizes[sizes.len() - 1], means[means.len() - 1]);
    let linear: Vec<f64> = sizes.iter().map(|x| top * x / last).collect();
    let with_log = |x: &f64| top * x * libm::log(*x) / (last * libm::log(last));
    let ticks = line.points.iter().map(|point| (point.size as f64, point.size.to_string()));
    let axis = Axis::new(label).log().ticks_at(ticks);
    let mut panel = Panel::new(title, axis, Axis::new("seconds a step").log()).with(Mark::line(
        &sizes,
        &linear,
        "exponent 1",
        Style::theory(),
    ));
    if line.along == Along::Sites {
        let curve: Vec<f64> = sizes.iter().map(with_log).collect();
        panel = panel.with(Mark::line(&sizes, &curve, "n log n", Style::guide()));
    }
    Ok(panel.with(Mark::measured(&sizes, &means, &errors, "measured", Style::series(0))))
}

/// Two standard errors, short of where a logarithm has no value.
fn error(point: &super::measure::Point) -> f64 {
    let mean = point.mean();
    let count = point.seconds.len() as f64;
    let squares: f64 = point.seconds.iter().map(|s| (s - mean) * (s - mean)).sum();
    (2.0 * (squares / (count - 1.0) / count).sqrt()).min(0.9 * mean)
}
