use super::{Fit, Problem, best_of, least_squares};

const WIDE: (f64, f64) = (-1e6, 1e6);

/// Numbers that look like noise: fixed, of mean near 0.
fn wiggle(i: usize) -> f64 {
    libm::sin(12.9898 * (i as f64 + 1.0)) * 0.7 + libm::cos(4.1 * (i * i) as f64) * 0.3
}

/// Fits a linear combination of the given columns to `y`.
fn linear(columns: &[Vec<f64>], y: &[f64], bounds: &[(f64, f64)], start: &[f64]) -> Fit {
    let m = y.len();
    let model = |p: &[f64], r: &mut [f64], jacobian: &mut [f64]| {
        for i in 0..m {
            r[i] = columns.iter().zip(p).map(|(c, p)| c[i] * p).sum::<f64>() - y[i];
        }
        jacobian.copy_from_slice(&columns.concat());
    };
    least_squares(&Problem { residuals: m, bounds, floor: 0.0, model: &model }, start)
}

/// A straight line through `m` points, its fit by the textbook's sums: slope, intercept and their standard errors.
fn textbook_line(y: &[f64]) -> ([f64; 2], [f64; 2], f64) {
    let m = y.len() as f64;
    let (mean_x, mean_y) = ((m - 1.0) / 2.0, y.iter().sum::<f64>() / m);
    let spread: f64 = (0..y.len()).map(|i| (i as f64 - mean_x) * (i as f64 - mean_x)).sum();
    let slope =
        y.iter().enumerate().map(|(i, y)| (i as f64 - mean_x) * (y - mean_y)).sum::<f64>() / spread;
    let intercept = mean_y - slope * mean_x;
    let gaps = y.iter().enumerate().map(|(i, y)| y - intercept - slope * i as f64);
    let rss: f64 = gaps.map(|g| g * g).sum();
    let variance = rss / (m - 2.0);
    let errors =
        [(variance / spread).sqrt(), (variance * (1.0 / m + mean_x * mean_x / spread)).sqrt()];
    ([slope, intercept], errors, rss)
}

#[test]
fn a_straight_line_has_the_textbooks_parameters_and_error_bars() {
    let y: Vec<f64> = (0..20).map(|i| 2.0 * i as f64 - 3.0 + wiggle(i)).collect();
    let columns = [(0..20).map(f64::from).collect(), vec![1.0; 20]];
    let fit = linear(&columns, &y, &[WIDE; 2], &[0.0, 0.0]);
    let (params, errors, rss) = textbook_line(&y);
    assert!(fit.converged && !fit.is_deficient() && fit.iterations < 30, "{fit:?}");
    assert!((fit.rss / rss - 1.0).abs() < 1e-12);
    for j in 0..2 {
        assert!((fit.params[j] / params[j] - 1.0).abs() < 1e-12);
        assert!((fit.std_errors()[j] / errors[j] - 1.0).abs() < 1e-12);
    }
}

/// Rosenbrock's valley: its least value 0 lies at (1, 1).
fn rosenbrock(p: &[f64], r: &mut [f64], jacobian: &mut [f64]) {
    (r[0], r[1]) = (10.0 * (p[1] - p[0] * p[0]), 1.0 - p[0]);
    jacobian.copy_from_slice(&[-20.0 * p[0], -1.0, 10.0, 0.0]);
}

#[test]
fn the_bottom_of_a_curved_valley_is_found_and_a_bound_holds() {
    let free = Problem { residuals: 2, bounds: &[WIDE; 2], floor: 1e-30, model: &rosenbrock };
    let fit = least_squares(&free, &[-1.2, 1.0]);
    assert!(
        fit.converged && (fit.params[0] - 1.0).abs() < 1e-13 && (fit.params[1] - 1.0).abs() < 1e-13,
        "{fit:?}"
    );
    // With p_0 <= 1/2 the minimum is at (1/2, 1/4), where the sum of squares is 1/4.
    let held = Problem { bounds: &[(-2.0, 0.5), WIDE], ..free };
    let fit = least_squares(&held, &[-1.2, 1.0]);
    assert!(fit.converged && (fit.rss - 0.25).abs() < 1e-14, "{fit:?}");
    assert!((fit.params[0] - 0.5).abs() < 1e-15 && (fit.params[1] - 0.25).abs() < 1e-12);
}

/// `a exp(-b t)` with noise: at the minimum the gradient vanishes, and the error bars are those of linear theory.
#[test]
fn a_decay_with_noise_ends_where_the_gradient_vanishes() {
    let y: Vec<f64> =
        (0..30).map(|i| 2.5 * libm::exp(-0.2 * i as f64) + 0.05 * wiggle(i)).collect();
    let model = |p: &[f64], r: &mut [f64], jacobian: &mut [f64]| {
        for (i, r) in r.iter_mut().enumerate() {
            *r = p[0] * libm::exp(-p[1] * i as f64) - y[i];
        }
        for i in 0..30 {
            let decay = libm::exp(-p[1] * i as f64);
            (jacobian[i], jacobian[30 + i]) = (decay, -p[0] * i as f64 * decay);
        }
    };
    let problem = Problem { residuals: 30, bounds: &[WIDE, (0.0, 5.0)], floor: 0.0, model: &model };
    let fit = best_of(&problem, &[vec![0.1, 4.0], vec![1.0, 0.5]]).unwrap();
    let (mut r, mut j) = (vec![0.0; 30], vec![0.0; 60]);
    model(&fit.params, &mut r, &mut j);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let (one, two) = j.split_at(30);
    for column in [one, two] {
        assert!(
            dot(column, &r).abs() < 1e-9 * (dot(column, column) * dot(&r, &r)).sqrt(),
            "{fit:?}"
        );
    }
    // The 2 x 2 inverse by hand.
    let (a, b, c) = (dot(one, one), dot(one, two), dot(two, two));
    let variance = fit.rss / 28.0;
    let expected =
        [(variance * c / (a * c - b * b)).sqrt(), (variance * a / (a * c - b * b)).sqrt()];
    for (got, want) in fit.std_errors().iter().zip(expected) {
        assert!((got / want - 1.0).abs() < 1e-10);
    }
}

/// Noise twice as large makes error bars twice as large, and twice the parameters for a linear model.
#[test]
fn error_bars_scale_with_the_noise() {
    let columns = [(0..20).map(f64::from).collect(), vec![1.0; 20]];
    let errors = |scale: f64| {
        let y: Vec<f64> = (0..20).map(|i| i as f64 + scale * wiggle(i)).collect();
        linear(&columns, &y, &[WIDE; 2], &[0.0, 0.0]).std_errors()
    };
    for (one, two) in errors(0.1).iter().zip(errors(0.2)) {
        assert!((two / one - 2.0).abs() < 1e-10);
    }
}

#[test]
fn what_the_residuals_do_not_determine_is_said_and_stays_finite() {
    let y: Vec<f64> = (0..12).map(wiggle).collect();
    let same: Vec<f64> = (0..12).map(f64::from).collect();
    let other: Vec<f64> = same.iter().map(|x| x * x).collect();
    // The first and the third column are one direction.
    let columns = [same.clone(), other, same.iter().map(|x| 3.0 * x).collect()];
    let fit = linear(&columns, &y, &[WIDE; 3], &[0.5, 0.5, 0.5]);
    assert!(fit.converged && fit.is_deficient() && fit.rank == 2);
    assert_eq!(fit.undetermined, [true, false, true]);
    let two = linear(&columns[..2], &y, &[WIDE; 2], &[0.0, 0.0]);
    assert!((fit.rss / two.rss - 1.0).abs() < 1e-12);
    assert!((fit.params[0] + 3.0 * fit.params[2] - two.params[0]).abs() < 1e-10);
    assert!(fit.covariance.iter().all(|c| c.is_finite()));
    // A column of zeros, more parameters than residuals, and nothing to fit.
    let zeros = linear(&[vec![0.0; 3]], &[1.0, 2.0, 3.0], &[WIDE], &[7.0]);
    assert!(zeros.undetermined[0] && zeros.rank == 0 && (zeros.rss - 14.0).abs() < 1e-12);
    let few = linear(&columns.clone().map(|c| c[1..3].to_vec()), &y[1..3], &[WIDE; 3], &[0.0; 3]);
    assert!(few.rss < 1e-20 && few.rank == 2 && few.std_errors().iter().all(|e| e.is_finite()));
}

#[test]
fn an_exact_fit_has_no_error_bars_and_huge_and_tiny_data_are_fitted() {
    let columns = [(0..9).map(f64::from).collect::<Vec<f64>>(), vec![1.0; 9]];
    for scale in [1e-120, 1.0, 1e120] {
        let y: Vec<f64> = (0..9).map(|i| scale * (4.0 - f64::from(i))).collect();
        let fit = linear(&columns, &y, &[(f64::NEG_INFINITY, f64::INFINITY); 2], &[0.0, 0.0]);
        assert!((fit.params[0] / scale + 1.0).abs() < 1e-12, "{fit:?}");
        assert!((fit.params[1] / scale - 4.0).abs() < 1e-12);
        assert!(fit.std_errors().iter().all(|e| e.is_finite() && *e < 1e-12 * scale));
    }
}
