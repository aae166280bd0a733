//! What experiments show estimates with: marks, figures of panels, and the lines of a table.

use crate::error::LabError;
use fovea_core::stats::Estimate;
use fovea_page::figure::{Figure, Mark, Panel, Style};
use fovea_record::present::aligned;

/// One column of what replicas measured, as an estimate.
///
/// # Errors
/// Fewer than two replicas.
pub fn column(replicas: &[Vec<f64>], index: usize) -> Result<Estimate, LabError> {
    Ok(Estimate::from_samples(&replicas.iter().map(|row| row[index]).collect::<Vec<_>>())?)
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

/// A figure of panels in so many columns, so many pixels wide, each so high for its width.
pub fn grid(
    figure: Figure,
    (columns, width, aspect): (usize, f64, f64),
    panels: impl IntoIterator<Item = Panel>,
) -> Figure {
    panels.into_iter().fold(figure.columns(columns).width(width).aspect(aspect), Figure::panel)
}

/// `steps + 1` numbers from the first to the last of a pair, equally spaced.
pub fn ladder(ends: &[f64], steps: usize) -> Vec<f64> {
    (0..=steps).map(|i| ends[0] + (ends[1] - ends[0]) * i as f64 / steps as f64).collect()
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

/// The lines of a table whose cells each come with the head of their column.
pub fn headed<'a>(rows: impl IntoIterator<Item = Vec<(&'a str, String)>>) -> Vec<String> {
    let cells = rows.into_iter().map(|row| row.into_iter().unzip());
    let (heads, rows): (Vec<Vec<&str>>, Vec<Vec<String>>) = cells.unzip();
    table(heads.first().map_or(&[], Vec::as_slice), rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_of_columns_are_shown_with_two_standard_errors() {
        let found = columns(&[vec![1.0, 4.0], vec![3.0, 4.0]]).unwrap();
        let (means, errors) = bars(&found);
        assert!((means[0] - 2.0).abs() < 1e-15 && (errors[0] - 2.0).abs() < 1e-15);
        assert!((means[1] - 4.0).abs() < 1e-15 && errors[1] < 1e-15);
        let lines = table(&["n", "mean"], [row("8".to_owned(), &means[..1])]);
        assert_eq!(lines, ["n     mean", "8  2.00000"]);
        let cells = vec![("n", "8".to_owned()), ("mean", "2.00000".to_owned())];
        assert_eq!(headed([cells]), lines);
        assert_eq!(ladder(&[1.0, 2.0], 2), [1.0, 1.5, 2.0]);
    }
}
