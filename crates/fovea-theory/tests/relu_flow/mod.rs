//! The forms of the ReLU flow compared with each other.

use fovea_core::agree::{agrees_to_digits, has_order};
use fovea_core::fourier::{from_fourier, to_fourier};
use fovea_core::ring::{Kernel, kernel_row, multiplicity};
use fovea_theory::GaussianFlow;
use fovea_theory::relu::{flow_exact, flow_single, steady};

/// A flow with twelve sites, weights without symmetry, and the first rows of its covariances.
fn setting() -> (GaussianFlow, Vec<f64>, [Vec<f64>; 2]) {
    let flow = GaussianFlow::on_ring(12, 2.0, 1.0, Kernel::Ring).unwrap();
    let w = (0..12).map(|i| f64::from(i * i % 7) / 4.0 - 0.6).collect();
    (flow, w, [2.0, 1.0].map(|xi| kernel_row(12, xi, Kernel::Ring)))
}

fn velocity(flow: &GaussianFlow, w: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; w.len()];
    flow.velocity(0.0, w, &mut out);
    out
}

fn largest_gap(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn the_two_bases_give_the_same_velocity() {
    let (flow, w, [row_pos, row_neg]) = setting();
    let on_sites = flow_single::velocity(&row_pos, &row_neg, &w);
    assert!(largest_gap(&velocity(&flow, &w), &on_sites) < 1e-15);
    let mut in_modes = vec![0.0; 12];
    flow.fourier_velocity(0.0, &to_fourier(&w), &mut in_modes);
    assert!(largest_gap(&in_modes, &to_fourier(&on_sites)) < 1e-15);
}

#[test]
fn the_velocity_is_minus_the_gradient_of_the_loss() {
    let (flow, w, _) = setting();
    let w_dot = velocity(&flow, &w);
    for i in 0..12 {
        let loss = |shift: f64| {
            let mut w = w.clone();
            w[i] += shift;
            flow.loss(&w)
        };
        // Fourth-order difference quotient: truncation h^4, rounding 1e-16 / h.
        let h = 1e-3;
        let slope = (8.0 * (loss(h) - loss(-h)) - (loss(2.0 * h) - loss(-2.0 * h))) / (12.0 * h);
        agrees_to_digits(w_dot[i], -slope, 9.0).unwrap();
        assert!(agrees_to_digits(2.0 * w_dot[i], -slope, 9.0).is_err());
    }
}

#[test]
fn the_scalar_clock_and_the_full_system_agree() {
    let (flow, w0, _) = setting();
    for t in [0.0, 0.3, 4.0, 60.0] {
        let exact = flow_exact::flow_exact(&flow.eigs_pos, &flow.eigs_neg, &w0, t).unwrap();
        assert!(largest_gap(&exact.w, &flow.solve(&w0, t).unwrap()) < 1e-10, "t={t}");
    }
}

#[test]
fn gradient_descent_approaches_the_flow_at_first_order() {
    let (flow, w0, _) = setting();
    let exact = flow_exact::flow_exact(&flow.eigs_pos, &flow.eigs_neg, &w0, 2.0).unwrap();
    let steps = [40_u32, 80, 160, 320, 640];
    let lrs = steps.map(|steps| 2.0 / f64::from(steps));
    let errors = steps.map(|steps| {
        let (lr, mut times) = (2.0 / f64::from(steps), Vec::new());
        let w = flow.euler_map(&w0, lr, steps as usize, |t, _| times.push(t));
        assert!(times.len() == steps as usize + 1 && (times[1] - lr).abs() < 1e-16);
        largest_gap(&w, &exact.w)
    });
    has_order(&lrs, &errors, 1.0).unwrap();
    assert!(has_order(&lrs, &errors, 2.0).is_err());
}

#[test]
fn the_phase_of_every_frequency_is_conserved() {
    let (flow, w0, _) = setting();
    let phases = |w: &[f64]| -> Vec<f64> {
        let u = to_fourier(w);
        (1..6).map(|k| libm::atan2(u[2 * k], u[2 * k - 1])).collect()
    };
    let w = flow.solve(&w0, 4.0).unwrap();
    assert!(largest_gap(&w, &w0) > 0.1, "the weights must have moved");
    assert!(largest_gap(&phases(&w), &phases(&w0)) < 1e-11);
}

/// The number of eigenvalues of a symmetric matrix above `shift`, from the signs of the pivots by Sylvester's law of inertia.
fn eigenvalues_above(mut matrix: Vec<Vec<f64>>, shift: f64) -> usize {
    let n = matrix.len();
    (0..n).for_each(|i| matrix[i][i] -= shift);
    let mut above = 0;
    for pivot in 0..n {
        above += usize::from(matrix[pivot][pivot] > 0.0);
        for row in pivot + 1..n {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            for column in pivot..n {
                matrix[row][column] -= factor * matrix[pivot][column];
            }
        }
    }
    above
}

#[test]
fn stationary_points_are_at_rest_and_unstable_in_the_counted_directions() {
    let (flow, ..) = setting();
    for k in 0..=6 {
        let point = steady::steady(&flow.eigs_pos, &flow.eigs_neg, k).unwrap();
        // Any phase: a mixture of the cosine and the sine.
        let mut u = vec![0.0; 12];
        let mix = if multiplicity(k, 12) == 2 { [0.6, 0.8] } else { [1.0, 0.0] };
        u[(2 * k).saturating_sub(1)] = mix[0] * point.amplitude;
        if multiplicity(k, 12) == 2 {
            u[2 * k] = mix[1] * point.amplitude;
        }
        let w = from_fourier(&u);
        // Rounding of w, magnified by the fastest rate, q_6 lambda_0 / 4 = 1e3.
        assert!(velocity(&flow, &w).iter().all(|v| v.abs() < 1e-13), "k={k}");
        let scaled: Vec<f64> = w.iter().map(|w| 1.001 * w).collect();
        assert!(velocity(&flow, &scaled).iter().any(|v| v.abs() > 1e-7), "k={k}");
        assert!((flow.loss(&w) / point.loss - 1.0).abs() < 1e-14, "k={k}");
        let jacobian: Vec<Vec<f64>> = (0..12)
            .map(|i| {
                let at = |shift: f64| {
                    let mut w = w.clone();
                    w[i] += shift;
                    velocity(&flow, &w)
                };
                let (ahead, behind) = (at(1e-5), at(-1e-5));
                ahead.iter().zip(&behind).map(|(a, b)| (a - b) / 2e-5).collect()
            })
            .collect();
        assert_eq!(eigenvalues_above(jacobian, 1e-6), point.unstable_dirs, "k={k}");
    }
}
