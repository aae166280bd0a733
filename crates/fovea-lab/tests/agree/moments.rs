//! Moments of the stimuli against their closed forms.

use super::{TWO, check, check_apart, mean, part, pos_samples, reject};
use fovea_core::agree::{agrees_to_digits, test_seed};
use fovea_core::lanes::BLOCK;
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_sim::Labels;
use fovea_sim::stimulus::Stimulus;
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_sim::stimulus::nlgp::variance_of_erf;
use fovea_theory::nlgp::{cov::cov, marginal, normalizer::normalizer};
use fovea_theory::relu::f_gauss::f_gauss;

#[test]
fn the_simulators_normaliser_is_the_closed_form() {
    for gain in [1e-6, 1e-3, 0.01, 0.1, 0.5, 1.0, 3.0, 10.0, 100.0, 1e4, 1e6] {
        let (brute, closed) = (variance_of_erf(gain), normalizer(gain));
        agrees_to_digits(brute, closed, 12.0)
            .unwrap_or_else(|error| panic!("gain {gain}: {error}"));
        // The other convention in circulation, erf(g z / sqrt 2), must not pass.
        let other = normalizer(gain / std::f64::consts::SQRT_2);
        assert!(agrees_to_digits(brute, other, 12.0).is_err(), "gain {gain}");
    }
}

#[test]
fn sampled_covariances_are_the_arcsine_law() {
    let latent = RingKernel::new(TWO.n, TWO.xi_pos, TWO.kernel).unwrap().first_row;
    for (index, gain) in [0.5, 1.0, 3.0, f64::INFINITY].into_iter().enumerate() {
        let task = TWO.task(gain, Labels::Balanced).unwrap();
        let x = pos_samples(&task, test_seed(module_path!(), index as u64), 10_000 * TWO.n);
        let estimate = |d: usize| mean(part(&x, d, TWO.n).map(|x| x[0] * x[d]));
        let pairs: Vec<_> = (1..TWO.n).map(|d| (estimate(d), cov(latent[d], gain))).collect();
        check_apart(&format!("covariance at gain {gain}"), &pairs);
        if gain > 1.0 {
            // Note 000 calls the covariance of X that of Z; it is not (L000.19).
            reject("the latent covariance", &estimate(1), latent[1]);
        }
    }
}

#[test]
fn sampled_fourth_moments_are_plackett_s_integral() {
    for (index, gain) in [0.3, 1.0, 3.0].into_iter().enumerate() {
        let task = TWO.task(gain, Labels::Balanced).unwrap();
        let x = pos_samples(&task, test_seed(module_path!(), 10 + index as u64), 40_000);
        let fourth = mean(x.iter().map(|x| x[0] * x[0] * x[0] * x[0]));
        check(&format!("fourth moment at gain {gain}"), &fourth, marginal::fourth_moment(gain), 6);
        reject("a Gaussian's", &fourth, 3.0);
        let absolute = mean(x.iter().map(|x| x[3].abs()));
        check(&format!("mean size at gain {gain}"), &absolute, marginal::abs_mean(gain), 6);
    }
}

#[test]
fn the_gated_mean_of_gaussian_data_is_f() {
    let task = TWO.task(1e-4, Labels::Balanced).unwrap();
    let x = pos_samples(&task, test_seed(module_path!(), 20), 10_000 * TWO.n);
    let w: Vec<f64> = (0..TWO.n).map(|i| libm::sin(1.3 * i as f64) + 0.2).collect();
    let gate =
        |x: &[f64]| f64::from(u8::from(x.iter().zip(&w).map(|(x, w)| x * w).sum::<f64>() >= 0.0));
    let row = RingKernel::new(TWO.n, TWO.xi_pos, TWO.kernel).unwrap().first_row;
    let f = f_gauss(&row, &w);
    let estimate = |i: usize| mean(part(&x, i, TWO.n).map(|x| gate(x) * x[i]));
    let pairs: Vec<_> = (0..TWO.n).map(|i| (estimate(i), f[i])).collect();
    check_apart("f(w)", &pairs);
    let largest = (0..TWO.n).max_by(|a, b| f[*a].abs().total_cmp(&f[*b].abs())).unwrap();
    // The gate is open half of the time: the mean of x given that it is open is twice f.
    reject("the mean given an open gate", &estimate(largest), f[largest] * 2.0);
}

/// Sampled covariance of the `gaussian` stimulus at every lag, each from blocks of its own and from every site in turn.
fn sampled_covariance(stimulus: &dyn Stimulus, double: bool, seed: u64) -> Vec<Estimate> {
    const BLOCKS: usize = 600;
    let (n, stream) = (stimulus.dim(), Streams::new(seed).named("data"));
    let (mut single, mut block) = (vec![[0.0_f32; BLOCK]; n], vec![[0.0_f64; BLOCK]; n]);
    let mut at_lag = |d: usize| {
        let mut products = Vec::new();
        for index in 0..BLOCKS {
            let rng = &mut stream.block(d as u64, index as u32);
            if double {
                stimulus.fill_double(rng, &mut Vec::new(), &mut block);
            } else {
                stimulus.fill_single(rng, &mut Vec::new(), &mut single);
                for (wide, row) in block.iter_mut().zip(&single) {
                    *wide = row.map(f64::from);
                }
            }
            let site = |s: usize| (index + s) % n;
            products.extend((0..BLOCK).map(|s| block[site(s)][s] * block[(site(s) + d) % n][s]));
        }
        Estimate::from_samples(&products).unwrap()
    };
    (0..n).map(&mut at_lag).collect()
}

/// The definitions are typed out here, so that nothing of `fovea_core::ring` judges itself.
#[test]
fn sampled_covariances_of_gaussian_data_are_the_kernels_as_defined() {
    let gauss = |d: f64, xi: f64| libm::exp(-(d / xi) * (d / xi));
    let ring = |n: usize, xi: f64, d: usize| gauss(d.min(n - d) as f64, xi);
    let windings = |n: usize, xi: f64, d: usize| -> f64 {
        (-9..=9).map(|a| gauss(d as f64 + f64::from(a) * n as f64, xi)).sum()
    };
    let wrapped = |n: usize, xi: f64, d: usize| windings(n, xi, d) / windings(n, xi, 0);
    let mut cases = vec![(40, 5.0, Kernel::Ring), (13, 2.0, Kernel::Exponential)];
    for n in [12, 13, 17] {
        // A third of the ring: the second winding is as large as the first halfway around.
        cases.extend([(n, 2.0, Kernel::Ring), (n, n as f64 / 3.0, Kernel::Wrapped)]);
    }
    for (index, (n, xi, kernel)) in cases.into_iter().enumerate() {
        let stimulus = Gaussian::on_ring(n, xi, kernel).sampler().unwrap();
        // Nine eigenvalues of the long one are clipped; what that adds is far below the noise.
        assert_eq!(stimulus.notes().len(), usize::from(n == 40));
        for (double, word) in [(false, "single"), (true, "double")] {
            let seed = test_seed(module_path!(), 30 + 2 * index as u64 + u64::from(double));
            let sampled = sampled_covariance(&stimulus, double, seed);
            let defined = |d: usize| match kernel {
                Kernel::Ring => ring(n, xi, d),
                Kernel::Wrapped => wrapped(n, xi, d),
                Kernel::Exponential => libm::exp(-(d.min(n - d) as f64) / xi),
            };
            let pairs: Vec<_> = (0..n).map(|d| (sampled[d], defined(d))).collect();
            check_apart(&format!("the {kernel:?} kernel of {n} sites, {word} precision"), &pairs);
            if kernel == Kernel::Exponential {
                reject("exp(-d^2/xi^2)", &sampled[1], gauss(1.0, xi));
            } else {
                reject("exp(-d/xi)", &sampled[1], libm::exp(-1.0 / xi));
            }
            if kernel == Kernel::Wrapped {
                reject("one winding", &sampled[n / 2], ring(n, xi, n / 2));
            }
        }
    }
}
