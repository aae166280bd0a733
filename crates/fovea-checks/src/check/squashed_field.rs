//! The nonlinear Gaussian process: its moments and its two ends (note 000, section 3).

use super::prelude::*;
use fovea_theory::form::Fourth;
use fovea_theory::nlgp::cov::{self, cov};
use fovea_theory::nlgp::fourth::{self, fourth};
use fovea_theory::nlgp::marginal::{self, Marginal, marginal};
use fovea_theory::nlgp::normalizer::{self, normalizer};
use std::f64::consts::SQRT_2;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "squashed-field",
    summary: "Moments and both ends of the nonlinear Gaussian process.",
    covers: &["L000.18", "L000.19", "L000.20", "L000.21/moments", "L000.21/light-tails"],
    run,
};

const GAINS: [f64; 4] = [0.3, 1.0, 3.0, 30.0];

/// The closed moments that this check asks for.
struct Forms {
    normalizer: fn(f64) -> f64,
    marginal: fn(f64) -> Marginal,
    cov: fn(f64, f64) -> f64,
    fourth: fn(&[[f64; 4]; 4], f64) -> Fourth,
}

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    // The other convention is erf(g z / sqrt 2).
    let forms = Forms {
        normalizer: effort.form(&normalizer::ENTRY, normalizer, |g| normalizer(g / SQRT_2)),
        marginal: effort.form(&marginal::ENTRY, marginal, |g| marginal(g / SQRT_2)),
        cov: effort.form(&cov::ENTRY, cov, |rho, _| rho),
        fourth: effort.form(&fourth::ENTRY, fourth, |r, gain| fourth(r, gain).gaussian()),
    };
    Ok(vec![
        normalised(&forms),
        covariance(&forms),
        ends(effort, &forms),
        moments(&forms),
        light_tails(),
    ])
}

/// `E g(erf(gain z))`, whose steep part is named.
fn squashed(gain: f64, g: impl Fn(f64) -> f64) -> f64 {
    let steep = [-3.0, -1.0, 0.0, 1.0, 3.0].map(|t| t / gain);
    normal_expectation(|z| g(libm::erf(gain * z)), &steep).value
}

/// The same with the conditional mean `m` of another latent variable of correlation `rho`: `E[g(erf(gain Z), m(Z))]`.
fn given(gain: f64, rho: f64, z: f64) -> f64 {
    libm::erf(gain * rho * z / (1.0 + 2.0 * gain * gain * (1.0 - rho * rho)).sqrt())
}

/// Variance and fourth moment of a site.
fn normalised(forms: &Forms) -> Comparison {
    let site = |gain: f64| {
        let (second, fourth) = (squashed(gain, |x| x * x), squashed(gain, |x| x * x * x * x));
        [second, fourth / (second * second)]
    };
    let closed = |gain: f64| [(forms.normalizer)(gain), (forms.marginal)(gain).m4];
    // Note 000 (7) says that X itself is Gaussian: its fourth moment would be 3.
    let source = GAINS.map(|g| [normalizer(g), 3.0]).concat();
    let what = "variance of erf(gZ) and fourth moment of X = erf(gZ) over its root, Z standard normal, g = 0.3, 1, 3, 30: closed forms, and quadrature over Z";
    let (predicted, measured) = (GAINS.map(closed).concat(), GAINS.map(site).concat());
    Comparison::digits(&["L000.18"], what, &predicted, &measured).source(&source)
}

/// Covariance of two sites, and its largest distance from the latent one.
fn covariance(forms: &Forms) -> Comparison {
    let rhos = [-0.6, 0.2, 0.7, 0.95];
    let cases = || GAINS.iter().flat_map(move |gain| rhos.map(move |rho| (*gain, rho)));
    let quadrature = |(gain, rho): (f64, f64)| {
        let steep = [-3.0, -1.0, 0.0, 1.0, 3.0].map(|t| t / gain);
        let product = |z: f64| libm::erf(gain * z) * given(gain, rho, z);
        normal_expectation(product, &steep).value / squashed(gain, |x| x * x)
    };
    let mut predicted: Vec<f64> = cases().map(|(gain, rho)| (forms.cov)(rho, gain)).collect();
    let mut measured: Vec<f64> = cases().map(quadrature).collect();
    // The largest gap between the latent covariance and that of the signs, by thirds.
    let place = (1.0 - FRAC_2_PI * FRAC_2_PI).sqrt();
    predicted.push(place - (forms.cov)(place, f64::INFINITY));
    let gap = |r: f64| {
        let sign = |z: f64| 2.0 * normal_cdf(r * z / (1.0 - r * r).sqrt()) - 1.0;
        r - 2.0 * normal_expectation(|z| if z > 0.0 { sign(z) } else { 0.0 }, &[0.0]).value
    };
    let (mut low, mut high) = (0.5, 0.95);
    for _ in 0..40 {
        let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if gap(a) < gap(b) {
            low = a;
        } else {
            high = b;
        }
    }
    measured.push(gap(low));
    let what = "covariance of two sites at gains 0.3, 1, 3, 30 and latent correlations -0.6, 0.2, 0.7, 0.95, and the largest gap to the latent one, 0.2105, at infinite gain: arcsines, and quadrature over one latent variable";
    Comparison::digits(&["L000.19"], what, &predicted, &measured)
}

/// Mean square distance to the latent field and to its signs, and their leading orders `2/3 g^4` and `2 (sqrt 2 - 1)/(pi g)`.
fn ends(effort: &Effort, forms: &Forms) -> Comparison {
    let (gaussian, binary) = ([0.1, 0.2, 0.4], [3.0, 30.0, 300.0]);
    // E[Z erf(gZ)] = 2g / sqrt(pi (1 + 2 g^2)) by parts, E[sign Z X] = E|X|.
    let to_latent = |gain: f64| {
        let norm = PI * (1.0 + 2.0 * gain * gain) * (forms.normalizer)(gain);
        2.0 - 4.0 * gain / norm.sqrt()
    };
    let to_sign = |gain: f64| 2.0 - 2.0 * (forms.marginal)(gain).abs_mean;
    let predicted = [gaussian.map(to_latent), binary.map(to_sign)].concat();
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
    let [from_latent, from_sign]: [&dyn Fn(f64) -> f64; 2] =
        [&|gain| quadrature(gain, &|z| z), &|gain| quadrature(gain, &|_| 1.0)];
    let measured = [gaussian.map(from_latent), binary.map(from_sign)].concat();
    let leading = effort.slip(
        "leading orders of L000.20",
        "twice the square at weak gain, the mean distance in place of its square at strong gain",
        [2.0 / 3.0, 2.0 * (SQRT_2 - 1.0) / PI],
        [4.0 / 3.0, SQRT_2 / PI],
    );
    // The next orders are smaller by g^2 and by 1/g: three gains eliminate two of them.
    let weak = limit([0.02, 0.04, 0.08].map(|g| from_latent(g) / (g * g * g * g)), 4.0);
    let strong = limit([4e4, 2e4, 1e4].map(|g| g * from_sign(g)), 2.0);
    let what = "E(X-Z)^2 at g = 0.1, 0.2, 0.4 and E(X-sign Z)^2 at g = 3, 30, 300: closed overlaps, and quadrature of the square";
    let order = "E(X-Z)^2 / g^4 as g -> 0 and g E(X-sign Z)^2 as g -> infinity: 2/3 and 2 (sqrt 2 - 1)/pi, and quadratures at three gains with the next two orders eliminated";
    Comparison::digits(&["L000.20"], what, &predicted, &measured).and(
        Comparison::digits(&["L000.20"], order, &leading, &[weak, strong])
            .within(1e-5, "two orders of the gain are eliminated, the third remains"),
    )
}

/// The limit of values whose error shrinks by `factor` and by its square from each to the next.
fn limit([near, middle, far]: [f64; 3], factor: f64) -> f64 {
    let step = |a: f64, b: f64, factor: f64| a + (a - b) / (factor - 1.0);
    step(step(near, middle, factor), step(middle, far, factor), factor * factor)
}

/// Absolute and fourth moments of a site, and the moment of four sites that share two factors: with one alone every pairing would have the same product of
/// covariances.
fn moments(forms: &Forms) -> Comparison {
    let loads = [[0.9, 0.2], [0.7, -0.3], [-0.5, 0.6], [0.8, 0.1]];
    let latent: [[f64; 4]; 4] = std::array::from_fn(|a| {
        std::array::from_fn(|b| if a == b { 1.0 } else { dot(&loads[a], &loads[b]) })
    });
    let closed = |gain: f64| {
        let site = (forms.marginal)(gain);
        [site.abs_mean, site.excess_kurtosis, (forms.fourth)(&latent, gain).moment]
    };
    let quadrature = |gain: f64| {
        let second = squashed(gain, |x| x * x);
        let absolute = squashed(gain, f64::abs) / second.sqrt();
        // Given both factors the four are independent, each with its mean.
        let product = |t: f64, u: f64| {
            let mean = |[a, b]: [f64; 2]| {
                let load = libm::hypot(a, b);
                given(gain, load, (a * t + b * u) / load)
            };
            loads.map(mean).iter().product::<f64>()
        };
        let points = || (-85..=85).map(|i| 0.1 * f64::from(i));
        let inner = |t: f64| points().map(|u| 0.1 * normal_pdf(u) * product(t, u)).sum::<f64>();
        let four = points().map(|t| 0.1 * normal_pdf(t) * inner(t)).sum::<f64>();
        [absolute, excess_kurtosis(gain), four / (second * second)]
    };
    let what = "E|X|, excess kurtosis and E[X1 X2 X3 X4] of four sites that share two factors, g = 0.3, 1, 3, 30: closed forms and integrals over one variable, and quadrature over latent variable and both factors";
    let (predicted, measured) = (GAINS.map(closed).concat(), GAINS.map(quadrature).concat());
    Comparison::digits(&["L000.21/moments"], what, &predicted, &measured)
}

/// Excess kurtosis of a site, by quadrature.
fn excess_kurtosis(gain: f64) -> f64 {
    let second = squashed(gain, |x| x * x);
    squashed(gain, |x| x * x * x * x) / (second * second) - 3.0
}

/// The tails are lighter than a Gaussian's at every gain, and no lighter than a sign's.
fn light_tails() -> Comparison {
    let gains: Vec<f64> = (0..40).map(|i| 0.02 * libm::exp(0.2 * f64::from(i))).collect();
    let inside = |kurtosis: &dyn Fn(f64) -> f64| {
        gains.iter().map(|gain| kurtosis(*gain)).filter(|k| *k > -2.0 && *k < 0.0).count()
    };
    // sinh(g Z), g up to 1, has heavy tails: E sinh^2 = (exp(2 g^2) - 1)/2 and so on.
    let heavy = |gain: f64| {
        let moment = |p: i32| {
            let power = |x: f64| (0..p).fold(1.0, |value, _| value * x);
            normal_expectation(|z| power(libm::sinh(gain / 50.0 * z)), &[0.0]).value
        };
        moment(4) / (moment(2) * moment(2)) - 3.0
    };
    let what = "excess kurtosis of a site by quadrature at 40 gains from 0.02 to 49: gains at which it lies above -2 and below 0";
    Comparison::all(&["L000.21/light-tails"], what, (inside(&excess_kurtosis), gains.len()), 0.0)
        .enumerated()
        .against_cases("sites sinh(g Z / 50), whose tails are heavy", (inside(&heavy), gains.len()))
}
