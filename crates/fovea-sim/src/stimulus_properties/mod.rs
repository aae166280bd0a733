//! The properties that every stimulus must have, at its defaults and at the edges of its parameters.
//!
//! Symmetries are measured through the bounded function `x / (s + |x|)` of an entry of typical size `s`: the standard error
//! of a heavy-tailed product is not reliable, and a distribution without a fourth moment can still be symmetric.

mod cases;
mod rows;

use super::*;
use crate::sampled::{Sampled, samples};
use cases::{Case, cases};
use fovea_core::agree::{agrees, noise_limit};
use fovea_core::stats::Estimate;

fn finite_samples<T: Element>(case: &Case, blocks: u32) -> Vec<Vec<f64>> {
    let path = format!("{} {}", module_path!(), case.name);
    let x = samples::<T>(case.stimulus.as_ref(), &path, 0, blocks);
    assert!(x.iter().flatten().all(|x| x.is_finite()), "{}: not finite", case.name);
    x
}

fn bounded_samples<T: Element>(case: &Case, blocks: u32) -> Vec<Vec<f64>> {
    let mut x = finite_samples::<T>(case, blocks);
    let size = case.typical_size();
    x.iter_mut().flatten().for_each(|x| *x /= size + x.abs());
    x
}

fn mean(values: impl Iterator<Item = f64>) -> Estimate {
    Estimate::from_samples(&values.collect::<Vec<_>>()).unwrap()
}

/// Noise or, where a number hardly varies, the rounding of single precision.
#[track_caller]
fn holds(name: &str, estimate: &Estimate, value: f64, family: usize) {
    if (estimate.mean() - value).abs() > 1e-5 {
        agrees(estimate, value, family).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// A control: the value lies beyond the limit, and by at least 8 standard errors.
#[track_caller]
fn fails(name: &str, estimate: &Estimate, value: f64, family: usize) {
    let (distance, limit) = (estimate.z(value).abs(), noise_limit(family, estimate.dof()));
    assert!(distance > limit.max(8.0), "{name}: a control is only {distance:.1} away");
}

#[test]
fn declared_properties_hold() {
    let cases = cases();
    let family = cases.iter().map(|case| 2 * case.stimulus.dim()).sum();
    for case in cases.iter().filter(|case| case.stimulus.declared().standardized && !case.heavy) {
        // Skewed squares need many samples before their mean is normal that far into the tail.
        let blocks = if case.stimulus.dim() > 12 { 150 } else { 600 };
        for (i, x) in finite_samples::<f32>(case, blocks).iter().enumerate() {
            let name = format!("{} site {i}", case.name);
            holds(&name, &mean(x.iter().copied()), 0.0, family);
            let variance = mean(x.iter().map(|x| x * x));
            holds(&name, &variance, 1.0, family);
            fails(&name, &variance, 1.5, family);
        }
    }
}

#[test]
fn declared_symmetries_hold() {
    let cases = cases();
    let family = cases.iter().map(|case| 2 * case.stimulus.dim()).sum();
    for case in cases {
        let (x, law) = (bounded_samples::<f32>(case, 150), case.stimulus.declared());
        let (falls_off, count) = (case.falls_off(), x[0].len());
        for i in 0..case.stimulus.dim() {
            let name = format!("{} site {i}", case.name);
            let (here, next) = (&x[i], &x[case.beside(i, 1)]);
            if law.sign_symmetric {
                let cubes = mean((0..count).map(|s| here[s] * here[s] * next[s]));
                holds(&name, &cubes, 0.0, family);
                // The absolute values lack this symmetry.
                let sizes = mean((0..count).map(|s| here[s] * here[s] * next[s].abs()));
                fails(&name, &sizes, 0.0, family);
            }
            if law.translation_invariant && i > 0 {
                // Both products come from one sample, so the standard error is that of their difference.
                let shifted = |steps: usize| {
                    let other = &x[case.beside(0, steps)];
                    mean((0..count).map(|s| here[s] * next[s] - x[0][s] * other[s]))
                };
                holds(&name, &shifted(1), 0.0, family);
                if falls_off {
                    fails(&name, &shifted(2), 0.0, family);
                }
            }
        }
    }
}

#[test]
fn both_precisions_have_the_same_neighbours() {
    let cases = cases();
    for case in cases {
        let (single, double) =
            (bounded_samples::<f32>(case, 400), bounded_samples::<f64>(case, 400));
        let product = |x: &[Vec<f64>], steps: usize| {
            mean(x[0].iter().zip(&x[case.beside(0, steps)]).map(|(a, b)| a * b))
        };
        for steps in [0, 1] {
            let gap = product(&single, steps).difference(&product(&double, steps));
            holds(&case.name, &gap, 0.0, 2 * cases.len());
        }
        if case.falls_off() {
            let gap = product(&single, 1).difference(&product(&double, 2));
            fails(&case.name, &gap, 0.0, 2 * cases.len());
        }
    }
}

#[test]
fn sampled_moments_are_the_exact_ones() {
    for case in cases().iter().filter(|case| !case.heavy) {
        let Ok(exact) = case.moments() else { continue };
        let (sites, at) = (case.stimulus.dim(), |i, j| exact.covariance.at(i, j));
        if case.stimulus.declared().standardized {
            for i in 0..sites {
                assert!(
                    exact.mean[i].abs() < 1e-9 && (at(i, i) - 1.0).abs() < 1e-9,
                    "{}",
                    case.name
                );
            }
        }
        if (0..sites).all(|i| at(i, i) < 1e-12) {
            // A stimulus that is one vector, such as a pulse that fills its ring.
            continue;
        }
        let blocks = if sites > 12 { 100 } else { 500 };
        let path = format!("{} moments {}", module_path!(), case.name);
        let sampled = Sampled::new(case.stimulus.as_ref(), &path, 0, blocks);
        sampled.holds();
        sampled.rejects(|i, j| 1.5 * at(i, j));
    }
}

/// Products of the same entry of the two samples of a lane, and of samples in different blocks; and of their squares,
/// which a common radius or factor would make dependent.
#[test]
fn samples_are_independent() {
    let symmetric = |case: &&Case| case.stimulus.declared().sign_symmetric;
    let cases: Vec<&Case> = cases().iter().filter(symmetric).collect();
    let family = 4 * cases.len();
    for case in cases {
        let x = bounded_samples::<f32>(case, 400).swap_remove(0);
        let independent = case.stimulus.independent();
        let square = mean(x.iter().map(|x| x * x)).mean();
        for odd in [true, false] {
            let y: Vec<f64> = x.iter().map(|x| if odd { *x } else { x * x - square }).collect();
            let lanes = |apart: usize| {
                let of = |b: &[f64]| (0..LANES).map(|l| b[l] * b[l + apart]).collect::<Vec<_>>();
                mean(y.chunks(independent).flat_map(of))
            };
            let blocks = mean(y.iter().zip(&y[independent..]).map(|(a, b)| a * b));
            if independent == BLOCK {
                holds(&case.name, &lanes(LANES), 0.0, family);
            }
            holds(&case.name, &blocks, 0.0, family);
            if odd {
                // The product of a sample with itself shows what dependence looks like.
                fails(&case.name, &lanes(0), 0.0, family);
            }
        }
    }
}
