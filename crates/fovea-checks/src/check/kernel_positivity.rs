//! When the mean kernel of one hidden layer is positive definite (lectures, topics 12 and 13).

use super::averaged::by_angle;
use super::prelude::*;
use fovea_core::Function;
use fovea_core::quadrature::gauss_hermite;
use fovea_theory::averages::{Averages, Pair};
use fovea_theory::ntk::gram::{self, Part, gram};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "kernel-positivity",
    summary: "Positive definiteness of the mean kernel of one hidden layer, and the condition on the inputs.",
    covers: &["T12.4/plane", "T12.5", "T12.10/powers", "T13.7"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![positive(effort)?, antipodal(effort)?, powers(effort)?, frozen(effort)?])
}

/// An activation, angles and a part of the kernel, and all its eigenvalues, largest first.
type Spectrum = fn(&Function, &[f64], Part) -> Result<Vec<f64>, FormError>;

fn spectrum(s: &Function, angles: &[f64], part: Part) -> Result<Vec<f64>, FormError> {
    Ok(eigenvalues(&gram(s, angles, part)?)?)
}

/// The closed form, or its control with weights of variance one half, which for ReLU alone is half of it.
fn form_of(effort: &Effort) -> Spectrum {
    effort.form(&gram::ENTRY, spectrum, |s, angles, part| {
        let averages = Averages::of(s);
        let entry = |apart: f64| {
            let pair = Pair::correlated(0.5, libm::cos(apart));
            match part {
                Part::Value => averages.product(pair),
                Part::Slope => Ok(libm::cos(apart) * averages.slope_product(pair)?),
            }
        };
        let row = |a: &f64| angles.iter().map(|b| entry(a - b)).collect();
        let rows: Vec<Vec<f64>> = angles.iter().map(row).collect::<Result<_, FormError>>()?;
        Ok(eigenvalues(&rows)?)
    })
}

/// A matrix of a function of the angle between two inputs.
fn matrix(angles: &[f64], entry: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
    angles.iter().map(|a| angles.iter().map(|b| entry(a - b)).collect()).collect()
}

fn relu_by_angle(apart: f64) -> f64 {
    by_angle(libm::cos(apart).clamp(-1.0, 1.0), 1, |x| x.max(0.0))
}

/// Eigenvalues of the mean kernel of three inputs, and the smallest one as two of the inputs approach each other.
fn positive(effort: &Effort) -> Result<Comparison, LabError> {
    let spectrum = form_of(effort);
    let (relu, tanh) = (named("relu"), named("tanh"));
    let sums = Sums::new(120);
    let smooth = |apart: f64| sums.two([1.0, 1.0, libm::cos(apart)], |z| tanh.value(z));
    let sets = [[0.0, 1.0, 2.5], [0.0, 0.4, 2.5], [0.0, 0.1, 2.5], [0.0, 3.0, 1.2]];
    let (mut predicted, mut measured, mut least_ones) = (Vec::new(), Vec::new(), Vec::new());
    for angles in &sets {
        for (activation, by_hand) in [
            (&relu, eigenvalues(&matrix(angles, relu_by_angle))?),
            (&tanh, eigenvalues(&matrix(angles, smooth))?),
        ] {
            predicted.extend(spectrum(activation, angles, Part::Value)?);
            least_ones.push(by_hand[2]);
            measured.extend(by_hand);
        }
    }
    let ids = &["T12.4/plane"];
    let what = "eigenvalues of E[s s], ReLU and tanh, at four sets of three unit inputs in the plane, two of which are 1, 0.4 or 0.1 apart or nearly opposite: closed form or nested quadrature, and integrals over the angle or Gauss-Hermite sums";
    let values = Comparison::digits(ids, what, &predicted, &measured);
    // The control, a polynomial: z^2 gives squares of overlaps, whose matrix at four inputs in the plane has rank three.
    let four = [0.0, 0.7, 1.6, 2.5];
    let square = matrix(&four, |apart| 1.0 + 2.0 * libm::cos(apart) * libm::cos(apart));
    let counted = least_ones.iter().filter(|e| **e > 1e-6).count();
    let polynomial = usize::from(least(&square)? > 1e-6);
    let what =
        "of these eight matrices, those whose smallest eigenvalue by integrals is above 1e-6";
    let positive = Comparison::all(ids, what, (counted, least_ones.len()), 0.0)
        .enumerated()
        .against_cases("the polynomial z^2 at four inputs in the plane", (polynomial, 1));
    Ok(values.and(positive))
}

/// Three antipodal pairs are six distinct inputs and have a singular kernel; five of them do not.
fn antipodal(effort: &Effort) -> Result<Comparison, LabError> {
    let spectrum = form_of(effort);
    let pairs = [0.0, PI, 1.0, 1.0 + PI, 2.0, 2.0 + PI];
    let (relu, erf) = (named("relu"), named("erf-raw"));
    let arcsine = |apart: f64| FRAC_2_PI * libm::asin(2.0 / 3.0 * libm::cos(apart));
    let two = [0.4, 0.4 + PI];
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for angles in [&pairs[..], &pairs[..5], &pairs[..1]] {
        predicted.extend(spectrum(&relu, angles, Part::Value)?);
        measured.extend(eigenvalues(&matrix(angles, relu_by_angle))?);
    }
    predicted.extend(spectrum(&erf, &two, Part::Value)?);
    measured.extend(eigenvalues(&matrix(&two, arcsine))?);
    // By the source all eigenvalues at distinct inputs are positive: each zero is replaced by the smallest eigenvalue of a nonsingular case.
    let mut source = predicted.clone();
    source[5] = predicted[10];
    source[13] = predicted[12];
    let what = "eigenvalues of E[s s]: ReLU at three antipodal pairs, the smallest 0 though all six are distinct, at five of the six and at one; erf at an input and its opposite, the smallest 0 too: closed form, and integrals over the angle or the arcsine; the source has no zero: in their place the smallest eigenvalue of five inputs and the largest of two";
    Ok(Comparison::digits(&["T12.5"], what, &predicted, &measured).source(&source))
}

/// Powers of the overlaps of three unit inputs become the identity; those of an input and its opposite do not.
fn powers(effort: &Effort) -> Result<Comparison, LabError> {
    let of = |angles: &[f64], k: i32| {
        least(&matrix(angles, |apart| (0..k).fold(1.0, |power, _| power * libm::cos(apart))))
    };
    // At high powers the largest overlap, cos 2.5 = -0.8011, dominates the next, cos 1 = 0.5403.
    let largest = effort.slip(
        "largest overlap",
        "that of the nearest inputs, not of the nearly opposite ones",
        2.5_f64,
        1.0,
    );
    let ks = [30, 31, 60];
    let mut predicted: Vec<f64> =
        ks.iter().map(|k| libm::exp(f64::from(*k) * libm::log(libm::cos(largest).abs()))).collect();
    predicted.extend([1.0; 2]);
    let gone = |angles: &[f64], k: i32| Ok(1.0 - of(angles, k)?);
    let mut measured =
        ks.into_iter().map(|k| gone(&[0.0, 1.0, 2.5], k)).collect::<Result<Vec<_>, LabError>>()?;
    for k in [30, 31] {
        measured.push(gone(&[0.7, 0.7 + PI], k)?);
    }
    let mut same = predicted.clone();
    same[3..].copy_from_slice(&predicted[..2]);
    let what = "one minus the smallest eigenvalue of the matrix of overlaps to the power k: |cos 2.5|^k at k = 30, 31 and 60 for inputs at angles 0, 1, 2.5, which goes to 0; 1 for an input and its opposite at every k, here 30 and 31; and eigenvalues";
    Ok(Comparison::digits(&["T12.10/powers"], what, &predicted, &measured)
        .against("as small for an input and its opposite", &same))
}

/// With the second layer frozen the kernel is the other part, a series in the coefficients of the slope.
fn frozen(effort: &Effort) -> Result<Comparison, LabError> {
    let spectrum = form_of(effort);
    let angles = [0.0, 0.9, 2.0];
    let erf = named("erf-raw");
    // A second weight has the mean square 1/3 on [-1, 1].
    let square =
        effort.slip("mean square of a second weight", "1, as for a normal one", 1.0 / 3.0, 1.0);
    let predicted = scaled(square, &spectrum(&erf, &angles, Part::Slope)?);
    let source = spectrum(&erf, &angles, Part::Value)?;
    // Hermite coefficients of erf' by a quadrature rule, the polynomials by their recursion.
    let rule = gauss_hermite(200);
    let coefficient = |k: usize| {
        rule.integrate(|z| {
            let (mut before, mut now) = (0.0, 1.0);
            for j in 0..k {
                let (a, b) = ((j as f64 + 1.0).sqrt(), (j as f64).sqrt());
                (before, now) = (now, (z * now - b * before) / a);
            }
            2.0 / PI.sqrt() * libm::exp(-z * z) * now
        })
    };
    let b: Vec<f64> = (0..=80).map(coefficient).collect();
    let entry = |apart: f64| {
        let r = libm::cos(apart);
        r * b.iter().rev().fold(0.0, |sum, c| sum * r + c * c) / 3.0
    };
    let what = "eigenvalues of the kernel of one hidden erf layer at unit inputs at angles 0, 0.9 and 2, the smallest 0.0385, second weights uniform on [-1, 1] and frozen: E[s's'] x.x'/3 in closed form, and the series in the Hermite coefficients of the slope; the source takes E[s s]";
    Ok(Comparison::digits(&["T13.7"], what, &predicted, &eigenvalues(&matrix(&angles, entry))?)
        .source(&source))
}
