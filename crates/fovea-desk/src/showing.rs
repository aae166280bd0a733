//! What experiments show estimates with: marks, figures of panels, and the lines of a table.

use crate::error::LabError;
use fovea_core::stats::Estimate;
use fovea_page::figure::{Figure, Mark, Panel, Style};
use fovea_record::present::aligned;

/// The mean of independent numbers, with its standard error.
///
/// # Errors
/// Fewer than two, or one that is not finite.
pub fn estimate(samples: impl IntoIterator<Item = f64>) -> Result<Estimate, LabError> {
    Ok(Estimate::from_samples(&samples.into_iter().collect::<Vec<_>>())?)
}

/// One column of what replicas measured, as an estimate.
///
/// # Errors
/// Fewer than two replicas.
pub fn column(replicas: &[Vec<f64>], index: usize) -> Result<Estimate, LabError> {
    estimate(replicas.iter().map(|row| row[index]))
}

/// Every column of what replicas measured, as estimates.
///
/// # Errors
/// Fewer than two replicas.
pub fn columns(replicas: &[Vec<f64>]) -> Result<Vec<Estimate>, LabError> {
    (0..replicas.first().map_or(0, Vec::len)).map(|index| column(replicas, index)).collect()
}

/// Means, and twice their standard errors, for a figure.
pub fn bars<'a>(estimates: impl IntoIterator<Item = &'a Estimate>) -> (Vec<f64>, Vec<f64>) {
    estimates.into_iter().map(|e| (e.mean(), 2.0 * e.se())).unzip()
}

/// Means with bars of two standard errors.
pub fn measured<'a>(
    x: &[f64],
    estimates: impl IntoIterator<Item = &'a Estimate>,
    label: impl Into<String>,
    style: Style,
) -> Mark {
    let (means, errors) = bars(estimates);
    Mark::measured(x, &means, &errors, label, style)
}

/// A line across the panel at one height, without a label.
pub fn horizontal(at: f64, style: Style) -> Mark {
    Mark::Horizontal { at, label: String::new(), style }
}

/// A line up the panel at one place, without a label.
pub fn vertical(at: f64, style: Style) -> Mark {
    Mark::Vertical { at, label: String::new(), style }
}

/// A figure of panels in so many columns, so many pixels wide, each so high for its width.
pub fn grid(
    figure: Figure,
    (columns, width, aspect): (usize, f64, f64),
    panels: impl IntoIterator<Item = Panel>,
) -> Figure {
    panels.into_iter().fold(figure.columns(columns).width(width).aspect(aspect), Figure::panel)
}

/// A mean and its standard error, to so many decimals.
pub fn plus_minus(estimate: &Estimate, decimals: usize) -> String {
    format!("{:.decimals$} +- {:.decimals$}", estimate.mean(), estimate.se())
}

/// A row of a table: what it is about, and numbers to five decimals.
pub fn row(about: String, numbers: &[f64]) -> Vec<String> {
    [about].into_iter().chain(numbers.iter().map(|x| format!("{x:.5}"))).collect()
}

/// The lines of a table.
pub fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Vec<String> {
    let head = head.iter().map(ToString::to_string).collect();
    aligned(&[head].into_iter().chain(rows).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_of_columns_are_shown_with_two_standard_errors() {
        let found = columns(&[vec![1.0, 4.0], vec![3.0, 4.0]]).unwrap();
        assert_eq!(plus_minus(&found[0], 2), "2.00 +- 1.00");
        let (means, errors) = bars(&found);
        assert!((means[0] - 2.0).abs() < 1e-15 && (errors[0] - 2.0).abs() < 1e-15);
        assert!((means[1] - 4.0).abs() < 1e-15 && errors[1] < 1e-15);
        let lines = table(&["n", "mean"], [row("8".to_owned(), &means[..1])]);
        assert_eq!(lines, ["n     mean", "8  2.00000"]);
    }
}
