//! What experiments show estimates with: claims, marks, and figures of panels.

use crate::error::LabError;
use fovea_core::stats::Estimate;
use fovea_page::figure::{Axis, Figure, Mark, Panel, Style};
use fovea_page::panel::{Place, Xy, estimates};
use fovea_record::claim::Claim;

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

/// A claim on estimates, each with what theory and what the wrong form predict; one at least must reject the wrong form.
pub fn told_apart(
    id: &'static str,
    statement: impl Into<String>,
    wrong_form: &str,
    numbers: &[(Estimate, [f64; 2])],
) -> Claim {
    let side = |side: usize| -> Vec<(Estimate, f64)> {
        numbers.iter().map(|(estimate, predicted)| (*estimate, predicted[side])).collect()
    };
    Claim::family(id, statement, &side(0)).rejecting(wrong_form, &side(1))
}

/// A line across the panel at one height, without a label.
pub fn horizontal(at: f64, style: Style) -> Mark {
    Mark::Horizontal { at, label: String::new(), style }
}

/// A line up the panel at one place, without a label.
pub fn vertical(at: f64, style: Style) -> Mark {
    Mark::Vertical { at, label: String::new(), style }
}

/// A claim on numbers without noise, each with what theory and what the wrong form predict; each may be off by `tolerance` times the largest of them.
pub fn told_apart_exactly(
    id: &'static str,
    statement: impl Into<String>,
    wrong_form: &str,
    numbers: impl IntoIterator<Item = (f64, [f64; 2])>,
    tolerance: f64,
) -> Claim {
    let (measured, said): (Vec<f64>, Vec<[f64; 2]>) = numbers.into_iter().unzip();
    let [right, wrong] = [0, 1].map(|side| said.iter().map(|said| said[side]).collect::<Vec<_>>());
    let claim = Claim::exact(id, statement, &right, &measured, tolerance);
    claim.rejecting_exact(wrong_form, &wrong, &measured)
}

/// A line at one value of y, across the panel.
pub fn level(at: f64, label: impl Into<String>, style: Style) -> Mark {
    Mark::Horizontal { at, label: label.into(), style }
}

/// A figure of panels: the number of columns, the width in pixels, and height over width of each panel.
pub fn grid(
    figure: Figure,
    (columns, width, aspect): (usize, f64, f64),
    panels: impl IntoIterator<Item = Panel>,
) -> Figure {
    panels.into_iter().fold(figure.columns(columns).width(width).aspect(aspect), Figure::panel)
}

/// Means over replicas at places, one column for each, with bars of two standard errors.
///
/// # Errors
/// Fewer than two replicas.
pub fn means_at(x: &[impl Place], replicas: &[Vec<f64>]) -> Result<Xy, LabError> {
    Ok(estimates(x, columns(replicas)?))
}

/// The axis of the width of networks.
pub fn width_axis() -> Axis {
    Axis::new("width $n$").log()
}

/// The axis of training time.
pub fn time_axis() -> Axis {
    Axis::new("time $t$ = step $\\times$ learning rate")
}

/// A field on the ring turned so that this site lies in the middle, at entry `n / 2`.
pub fn turned(w: &[f64], site: usize) -> Vec<f64> {
    let n = w.len();
    (0..n).map(|i| w[(i + site + n - n / 2) % n]).collect()
}

/// `steps + 1` numbers from the first to the last of a pair, equally spaced.
pub fn ladder(ends: &[f64], steps: usize) -> Vec<f64> {
    (0..=steps).map(|i| ends[0] + (ends[1] - ends[0]) * i as f64 / steps as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_record::claim::Decision;

    #[test]
    fn a_claim_passes_where_theory_holds_and_the_wrong_form_does_not() {
        let one = Estimate::from_parts(1.0, 0.01, 100).unwrap();
        let decision = |said| told_apart("L000.1", "", "twice as much", &[(one, said)]).decision();
        assert_eq!(decision([1.01, 2.0]), Decision::Pass);
        assert_eq!(decision([1.2, 2.0]), Decision::Fail);
        assert_eq!(decision([1.01, 1.02]), Decision::Unchecked);
        let exact = |said| told_apart_exactly("L000.1", "", "", [(1.0, said)], 0.1).decision();
        assert_eq!(exact([1.01, 2.0]), Decision::Pass);
        assert_eq!(exact([1.2, 2.0]), Decision::Fail);
    }

    #[test]
    fn estimates_of_columns_are_shown_with_two_standard_errors() {
        let found = columns(&[vec![1.0, 4.0], vec![3.0, 4.0]]).unwrap();
        let (means, errors) = bars(&found);
        assert!((means[0] - 2.0).abs() < 1e-15 && (errors[0] - 2.0).abs() < 1e-15);
        assert!((means[1] - 4.0).abs() < 1e-15 && errors[1] < 1e-15);
        assert_eq!(ladder(&[1.0, 2.0], 2), [1.0, 1.5, 2.0]);
    }

    #[test]
    fn a_field_is_turned_until_the_site_lies_in_the_middle() {
        assert_eq!(turned(&[0.0, 1.0, 2.0, 3.0], 0), [2.0, 3.0, 0.0, 1.0]);
        assert_eq!(turned(&[0.0, 1.0, 2.0], 2), [1.0, 2.0, 0.0]);
    }
}
