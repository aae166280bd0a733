//! The nonlinear Gaussian process: its moments, its two ends, and its gated mean for one and two bumps (note 000, section 3).

use super::prelude::*;
use fovea_sim::expect::gated_mean;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::f_site::f_site;
use fovea_theory::nlgp::f_two_bumps::f_two_bumps;
use fovea_theory::nlgp::fourth::fourth;
use fovea_theory::nlgp::marginal::{abs_mean, marginal};
use fovea_theory::nlgp::normalizer::normalizer;
use std::f64::consts::SQRT_2;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "squashed-field",
    summary: "Moments, ends and gated means of the nonlinear Gaussian process.",
    covers: &["L000.17", "L000.18", "L000.19", "L000.20", "L000.21", "L000.26"],
    run,
};

const GAINS: [f64; 4] = [0.3, 1.0, 3.0, 30.0];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![bumps(effort)?, normalised(), covariance(), ends(), moments(), single_bump()])
}

/// `E g(erf(gain z))`, whose steep part is named.
fn squashed(gain: f64, g: impl Fn(f64) -> f64) -> f64 {
    let steep = [-3.0, -1.0, 0.0, 1.0, 3.0].map(|t| t / gain);
    normal_expectation(|z| g(libm::erf(gain * z)), &steep).value
}

/// The same, weighted with what another latent variable of correlation `rho` says: `E[g(erf(gain Z), m(Z))]`.
fn given(gain: f64, rho: f64, z: f64) -> f64 {
    libm::erf(gain * rho * z / (1.0 + 2.0 * gain * gain * (1.0 - rho * rho)).sqrt())
}

fn normalised() -> Comparison {
    let site = |gain: f64| {
        let (second, fourth) = (squashed(gain, |x| x * x), squashed(gain, |x| x * x * x * x));
        [second, fourth / (second * second)]
    };
    let predicted: Vec<f64> =
        GAINS.iter().flat_map(|g| [normalizer(*g), marginal(*g).m4]).collect();
    let measured: Vec<f64> = GAINS.iter().flat_map(|g| site(*g)).collect();
    // Note 000 (7) says that X itself is Gaussian: its fourth moment would be 3.
    let source: Vec<f64> = GAINS.iter().flat_map(|g| [normalizer(*g), 3.0]).collect();
    let what = "variance of erf(gZ) and fourth moment of X, Z standard normal, g = 0.3, 1, 3, 30, and quadrature over Z";
    Comparison::digits(&["L000.18"], what, &predicted, &measured).source(&source)
}

fn covariance() -> Comparison {
    let rhos = [-0.6, 0.2, 0.7, 0.95];
    let cases = || GAINS.iter().flat_map(move |gain| rhos.map(move |rho| (*gain, rho)));
    let quadrature = |(gain, rho): (f64, f64)| {
        let steep = [-3.0, -1.0, 0.0, 1.0, 3.0].map(|t| t / gain);
        let product = |z: f64| libm::erf(gain * z) * given(gain, rho, z);
        normal_expectation(product, &steep).value / squashed(gain, |x| x * x)
    };
    let mut predicted: Vec<f64> = cases().map(|(gain, rho)| cov(rho, gain)).collect();
    let mut measured: Vec<f64> = cases().map(quadrature).collect();
    // The largest gap between latent and squashed covariance, by thirds.
    let place = (1.0 - FRAC_2_PI * FRAC_2_PI).sqrt();
    predicted.push(place - cov(place, f64::INFINITY));
    let gap = |r: f64| r - FRAC_2_PI * libm::atan2(r, ((1.0 - r) * (1.0 + r)).sqrt());
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if gap(a) < gap(b) {
            low = a;
        } else {
            high = b;
        }
    }
    measured.push(gap(low));
    let what = "covariance of two sites at sixteen gains and correlations by quadrature over one latent variable; largest gap to the latent one, 0.2105";
    Comparison::digits(&["L000.19"], what, &predicted, &measured)
}

/// `E(X - Z)^2` over `2/3 g^4`, and `E(X - sign Z)^2` over `2 (sqrt 2 - 1)/(pi g)`, both of which tend to 1.
fn ends() -> Comparison {
    let weak = |gain: f64| 2.0 / 3.0 * gain * gain * gain * gain;
    let strong = |gain: f64| 2.0 * (SQRT_2 - 1.0) / (PI * gain);
    let (gaussian, binary) = ([0.03, 0.1, 0.3], [3.0, 30.0, 300.0]);
    // E[Z erf(gZ)] = 2g / sqrt(pi (1 + 2 g^2)) by parts, E[sign Z X] = E|X|.
    let to_latent = |gain: f64| {
        let overlap = 2.0 * gain / (PI * (1.0 + 2.0 * gain * gain) * normalizer(gain)).sqrt();
        2.0 - 2.0 * overlap
    };
    let to_sign = |gain: f64| 2.0 - 2.0 * abs_mean(gain);
    let predicted: Vec<f64> = gaussian
        .map(|g| to_latent(g) / weak(g))
        .into_iter()
        .chain(binary.map(|g| to_sign(g) / strong(g)))
        .collect();
    let quadrature = |gain: f64, end: &dyn Fn(f64) -> f64| {
        let deviation = squashed(gain, |x| x * x).sqrt();
        let square = |z: f64| {
            let gap = libm::erf(gain * z) / deviation - end(z);
            2.0 * gap * gap * libm::exp(-0.5 * z * z) / TAU.sqrt()
        };
        let mut points = vec![0.0, 1.0, 3.0, 12.0];
        points.extend([0.5, 1.0, 2.0, 4.0, 6.0].iter().map(|t| t / gain).filter(|z| *z < 12.0));
        adaptive_split(square, &points, 1e-13).value
    };
    let measured: Vec<f64> = gaussian
        .map(|g| quadrature(g, &|z| z) / weak(g))
        .into_iter()
        .chain(binary.map(|g| quadrature(g, &|_| 1.0) / strong(g)))
        .collect();
    let what = "E(X-Z)^2 over 2/3 g^4 at g = 0.03, 0.1, 0.3 and E(X-sign Z)^2 over 2(sqrt 2-1)/(pi g) at g = 3, 30, 300, by closed overlaps and by quadrature of the square; both tend to 1";
    Comparison::digits(&["L000.20"], what, &predicted, &measured).within(
        1e-9,
        "the overlap of X and Z is 1 less 5e-7 at the smallest gain: 9 digits are left",
    )
}

/// Absolute and fourth moments of a site, and the moment of four sites with one common factor.
fn moments() -> Comparison {
    let loads = [0.9, 0.7, -0.5, 0.8];
    let latent: [[f64; 4]; 4] = std::array::from_fn(|a| {
        std::array::from_fn(|b| if a == b { 1.0 } else { loads[a] * loads[b] })
    });
    let closed = |gain: f64| {
        let site = marginal(gain);
        [site.abs_mean, site.excess_kurtosis, fourth(&latent, gain).moment]
    };
    let quadrature = |gain: f64| {
        let second = squashed(gain, |x| x * x);
        let absolute = squashed(gain, f64::abs) / second.sqrt();
        let kurtosis = squashed(gain, |x| x * x * x * x) / (second * second) - 3.0;
        // Given the factor the four are independent, each with its mean.
        let product = |t: f64| loads.map(|load| given(gain, load, t)).iter().product::<f64>();
        [absolute, kurtosis, normal_expectation(product, &[0.0]).value / (second * second)]
    };
    let predicted: Vec<f64> = GAINS.iter().flat_map(|g| closed(*g)).collect();
    let measured: Vec<f64> = GAINS.iter().flat_map(|g| quadrature(*g)).collect();
    let what = "E|X|, excess kurtosis and E[X1 X2 X3 X4] of sites that share one factor, g = 0.3, 1, 3, 30: arcsine integrals and quadrature over latent variable and factor";
    Comparison::digits(&["L000.21"], what, &predicted, &measured)
}

fn single_bump() -> Comparison {
    let rhos = [-0.5, 0.1, 0.6, 0.95];
    let cases = || GAINS.iter().flat_map(move |gain| rhos.map(move |rho| (*gain, rho)));
    let quadrature = |(gain, rho): (f64, f64)| {
        let open = |z: f64| if z > 0.0 { given(gain, rho, z) } else { 0.0 };
        normal_expectation(open, &[0.0]).value / squashed(gain, |x| x * x).sqrt()
    };
    let predicted: Vec<f64> = cases().map(|(gain, rho)| f_site(rho, gain)).collect();
    let measured: Vec<f64> = cases().map(quadrature).collect();
    let what = "f(e_i)_j at sixteen gains and correlations as an arcsine, and the mean of X_j given Z_i integrated over Z_i > 0";
    Comparison::digits(&["L000.26"], what, &predicted, &measured)
}

/// Gated means of one and of two bumps at finite gain beside sampled ones.
fn bumps(effort: &Effort) -> Result<Comparison, LabError> {
    let (n, xi, gain) = (6, 1.2, 2.0);
    let row = kernel_row(n, xi, Kernel::Ring);
    let stimulus = Nlgp::on_ring(n, xi, gain, Kernel::Ring).sampler()?;
    let samples = effort.samples(400_000);
    let mut pairs = Vec::new();
    for (alpha, name) in [(1.25, "two"), (-0.6, "opposite"), (0.0, "one")] {
        let predicted = if alpha == 0.0 {
            (0..n).map(|j| f_site(row[distance(1, j, n)], gain)).collect()
        } else {
            f_two_bumps(&row, gain, alpha)
        };
        let mut w = vec![0.0; n];
        (w[0], w[1]) = (alpha, 1.0);
        let measured = gated_mean(&stimulus, &effort.streams.named(name), samples, &w)?;
        pairs.extend(measured.into_iter().zip(predicted));
    }
    let what = "f of one bump, of 1.25 e_0 + e_1 and of -0.6 e_0 + e_1 at g = 2, n = 6, xi = 1.2: closed form and quadrature, and sampled gated means";
    Ok(Comparison::noise(&["L000.17"], what, &pairs))
}
