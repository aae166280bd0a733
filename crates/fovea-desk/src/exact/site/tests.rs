//! The distribution functions against the moments, which come from other formulas.

use super::*;
use fovea_core::agree::{agrees_to_digits, within};
use fovea_core::quadrature::adaptive_split;

/// `E (x - m)^p` for even `p`, from the distribution function: `p` times the integral of `r^(p-1)` times both tails.
fn moment(law: &SiteLaw, mean: f64, power: i32, reach: f64) -> f64 {
    let tails = |r: f64| {
        let tail = 1.0 - law.cdf(mean + r).unwrap() + law.cdf(mean - r).unwrap();
        f64::from(power) * libm::pow(r, f64::from(power - 1)) * tail
    };
    let ends: Vec<f64> = [0.0, 0.1, 0.3, 0.6, 0.9, 0.97, 1.0].map(|share| share * reach).to_vec();
    adaptive_split(tails, &ends, 1e-12).value
}

#[test]
fn variance_and_kurtosis_of_every_distribution_function_are_those_of_the_forms() {
    let elliptical = |law, n| SiteLaw::Elliptical { law, n };
    let end = |gain: f64| 1.0 / normalizer(gain).sqrt();
    let laws = [
        (SiteLaw::Normal { mean: 0.0, std: 1.0 }, 12.0),
        (SiteLaw::Squashed { gain: 0.3 }, end(0.3)),
        (SiteLaw::Squashed { gain: 3.0 }, end(3.0)),
        (SiteLaw::Squashed { gain: 1e-9 }, 12.0),
        (SiteLaw::Copula(Marginal::Uniform), 2.0),
        (SiteLaw::Copula(Marginal::Arcsine), SQRT_2),
        (SiteLaw::Copula(Marginal::Laplace), 30.0),
        (SiteLaw::Copula(Marginal::Kur { k: 1e6 }), 1.8),
        (elliptical(Radial::Laplace, 7), 30.0),
        (elliptical(Radial::Shell, 2), SQRT_2),
        (elliptical(Radial::Shell, 7), 7.0_f64.sqrt()),
        (elliptical(Radial::Ball, 5), 7.0_f64.sqrt()),
        (
            SiteLaw::Scaled {
                scale: Scale::RootExponential,
                base: Box::new(SiteLaw::Normal { mean: 0.0, std: 1.0 }),
            },
            30.0,
        ),
    ];
    for (law, reach) in laws {
        let (second, fourth) = (moment(&law, 0.0, 2, reach), moment(&law, 0.0, 4, reach));
        within(second, 1.0, 0.0, 1e-7).unwrap_or_else(|e| panic!("{law:?}: {e}"));
        let form = law.excess_kurtosis().unwrap();
        within(fourth - 3.0, form, 0.0, 1e-6).unwrap_or_else(|e| panic!("{law:?}: {e}"));
    }
}

/// Heavy tails end where a power of them is small: what lies beyond is added as the power law it is.
#[test]
fn heavy_tails_have_the_kurtosis_of_their_forms() {
    for (law, decay) in [
        (SiteLaw::Copula(Marginal::Kur { k: 12.0 }), 12.0),
        (SiteLaw::Elliptical { law: Radial::Student { dof: 12.0 }, n: 5 }, 12.0),
    ] {
        let reach = 60.0;
        let ends = [0.0, 1.0, 2.0, 4.0, 10.0, 25.0, reach];
        let tails = |r: f64| 4.0 * r * r * r * 2.0 * law.cdf(-r).unwrap();
        let beyond = 4.0 / (decay - 4.0) * libm::pow(reach, 4.0) * 2.0 * law.cdf(-reach).unwrap();
        let fourth = adaptive_split(tails, &ends, 1e-12).value + beyond;
        within(fourth - 3.0, law.excess_kurtosis().unwrap(), 0.0, 1e-5)
            .unwrap_or_else(|e| panic!("{law:?}: {e}"));
    }
}

#[test]
fn atoms_have_the_kurtosis_of_a_coin() {
    let coin = |p: f64| SiteLaw::Atoms(vec![(-0.5, 1.0 - p), (2.0, p)]);
    for p in [0.5, 0.1, 0.9] {
        let exact = (1.0 - 6.0 * p * (1.0 - p)) / (p * (1.0 - p));
        agrees_to_digits(coin(p).excess_kurtosis().unwrap(), exact, 12.0).unwrap();
    }
    assert!(coin(1.0).excess_kurtosis().is_err());
    let tossed = SiteLaw::Scaled { scale: Scale::Sign, base: Box::new(coin(0.5)) };
    assert!((tossed.cdf(0.0).unwrap() - 0.5).abs() < 1e-15);
    assert!((tossed.cdf(-0.5).unwrap() - 0.5).abs() < 1e-15, "half of -0.5, half of -2");
    assert!((tossed.cdf(-0.6).unwrap() - 0.25).abs() < 1e-15);
}

#[test]
fn what_theory_has_nothing_on_is_said_in_words() {
    let heavy = SiteLaw::Copula(Marginal::Kur { k: 4.0 });
    assert!(heavy.excess_kurtosis().unwrap_err().contains("no fourth moment"));
    assert!((heavy.cdf(0.0).unwrap() - 0.5).abs() < 1e-15);
    let power = SiteLaw::Elliptical { law: Radial::Power { beta: 0.5 }, n: 7 };
    assert!(power.excess_kurtosis().is_ok() && power.cdf(0.0).is_err());
}
