//! Moments of the Ising ring, $`P(x)\propto\exp\big(J\sum_ix_ix_{i+1}\big)`$ with $`x_i=\pm1`$.

use crate::Form;

fovea_core::registry! { "src/ising": Form; cov, fourth, dictator, edge, majority, rest }

/// The mean of `product` over the Ising ring, by adding up all $`2^n`$ states.
#[cfg(test)]
pub(crate) fn enumerated(n: usize, coupling: f64, product: impl Fn(&[f64]) -> f64) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for state in 0..1_usize << n {
        let x: Vec<f64> = (0..n).map(|i| if state >> i & 1 == 1 { 1.0 } else { -1.0 }).collect();
        let bonds: f64 = (0..n).map(|i| x[i] * x[(i + 1) % n]).sum();
        // Relative to the largest exponent, so that nothing overflows.
        let boltzmann = libm::exp(coupling * bonds - coupling.abs() * n as f64);
        weight += boltzmann;
        sum += boltzmann * product(&x);
    }
    sum / weight
}
