//! The claims of `learning-rate-limit`.

use super::{EIGENVALUES, Found, LearningRateLimit, kinks};
use fovea_core::agree::extrapolate;
use fovea_desk::prelude::*;
use fovea_theory::rates::contraction::factor;

pub(super) fn claims(settings: &LearningRateLimit, found: &Found) -> Result<Vec<Claim>, LabError> {
    let widths = predicted(&found.inverse, &settings.predicted())?;
    // The printed rate, one over the root of the width, through the first of the widths.
    let root = |i: usize| (settings.width[i] as f64 / settings.width[0] as f64).sqrt();
    let printed: Vec<f64> =
        (0..settings.width.len()).map(|i| settings.predicted()[0] * root(i)).collect();
    let what = "two over the largest rate in the standard parametrisation, mean over networks at every width, and the mean squared gradient";
    let width = Claim::family("T04.5", what, &widths)
        .rejecting("the root of the width, as printed", &with(&widths, &printed));
    let depths = predicted(&found.inverse_deep, &settings.predicted_deep())?;
    let what = "two over the largest rate in the NTK parametrisation, mean over networks at every depth, and twice the number of weight layers";
    let first = vec![settings.predicted_deep()[0]; depths.len()];
    let depth = Claim::family("T04.6", what, &depths)
        .rejecting("no dependence on the depth", &with(&depths, &first));
    Ok(vec![shrinking(found), width, depth, examples(settings, found), wide(settings, found)?])
}

/// Means of every column beside their predictions.
fn predicted(rows: &[Vec<f64>], values: &[f64]) -> Result<Vec<(Estimate, f64)>, LabError> {
    Ok(columns(rows)?.into_iter().zip(values.iter().copied()).collect())
}

/// The same means beside other predictions.
fn with(pairs: &[(Estimate, f64)], other: &[f64]) -> Vec<(Estimate, f64)> {
    pairs.iter().zip(other).map(|((estimate, _), value)| (*estimate, *value)).collect()
}

fn shrinking(found: &Found) -> Claim {
    let (predicted, measured): (Vec<f64>, Vec<f64>) =
        found.factors.iter().map(|[lr, found]| (factor(&EIGENVALUES, *lr), *found)).unzip();
    let printed: Vec<f64> = found.factors.iter().map(|[lr, _]| 1.0 - lr * EIGENVALUES[0]).collect();
    let what = "factor by which the slowest error of a linear model shrinks a step, and max |1 - lr lambda|";
    Claim::exact("T04.2", what, &predicted, &measured, 1e-12).rejecting_exact(
        "1 - lr lambda_min, as printed",
        &printed,
        &measured,
    )
}

/// Several examples: the top of the kernel decides, network by network.
fn examples(settings: &LearningRateLimit, found: &Found) -> Claim {
    let (of_top, of_one): (Vec<f64>, Vec<f64>) =
        found.examples.iter().map(|at| (at.rate * at.top, at.rate * at.square)).unzip();
    let two = vec![2.0; of_top.len()];
    let what = format!(
        "largest rate times the top of the kernel on {} examples over their number, every tanh network, errors of {} at the start",
        settings.examples, settings.error
    );
    // What the curvature of a network adds is of the order of the error.
    Claim::exact("T04.8", what, &two, &of_top, settings.error).rejecting_exact(
        "the squared gradient on one example",
        &two,
        &of_one,
    )
}

/// Errors of 1: above 2 by the kinks of the activation, and by one over the width.
fn wide(settings: &LearningRateLimit, found: &Found) -> Result<Claim, LabError> {
    let what = "largest rate times the squared gradient at errors of 1, less what kinks add, extrapolated to infinite width";
    let sizes: Vec<f64> = settings.width.iter().map(|n| *n as f64).collect();
    let smooth = (0..sizes.len()).map(|i| {
        let less: Vec<f64> = found.products.iter().map(|net| net[i] - kinks(sizes[i])).collect();
        Estimate::from_samples(&less)
    });
    let smooth = smooth.collect::<Result<Vec<Estimate>, _>>()?;
    let value = match extrapolate(&sizes, &smooth, 1.0) {
        Ok(value) => value,
        Err(error) => {
            let why = format!("no line in one over the width: {error}");
            return Ok(Claim::undecided("T04.8", what, 2.0, why));
        }
    };
    Ok(Claim::family("T04.8", what, &[(value, 2.0)])
        .rejecting("2.1, five in a hundred more", &[(value, 2.1)]))
}
