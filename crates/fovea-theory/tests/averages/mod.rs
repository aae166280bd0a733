//! Averages compared with their quadratures, and averages that do not exist.

mod depth;
mod scales;

use fovea_core::Function;
use fovea_core::agree::within;
use fovea_theory::FormError;
use fovea_theory::averages::{Averages, Pair};

const PAIRS: [Pair; 5] = [
    Pair { aa: 1.0, bb: 2.0, ab: 0.5 },
    Pair { aa: 0.3, bb: 4.0, ab: -0.9 },
    Pair { aa: 1.0, bb: 1.0, ab: 0.999 },
    Pair { aa: 2.0, bb: 2.0, ab: 2.0 },
    Pair { aa: 0.7, bb: 1.4, ab: 0.0 },
];

#[test]
fn closed_forms_are_their_quadratures() {
    for name in ["identity", "relu", "leaky-relu", "erf", "erf-raw", "sin"] {
        let s = Function::parse(name).unwrap();
        let (closed, plain) = (Averages::of(&s), Averages::by_quadrature(&s));
        for pair in PAIRS {
            let both = |of: fn(&Averages, Pair) -> Result<f64, FormError>| {
                (of(&closed, pair).unwrap(), of(&plain, pair).unwrap())
            };
            let (exact, got) = both(Averages::product);
            within(got, exact, 1e-10, 1e-11).unwrap();
            let (exact, got) = both(Averages::slope_product);
            within(got, exact, 1e-10, 1e-11).unwrap();
        }
        for k in [0.0, 1e-6, 0.3, 1.0, 17.0] {
            let both = |of: fn(&Averages, f64) -> Result<f64, FormError>| {
                within(of(&plain, k).unwrap(), of(&closed, k).unwrap(), 1e-11, 1e-14)
            };
            both(Averages::square).unwrap();
            both(Averages::slope_square).unwrap();
            both(Averages::growth).unwrap();
        }
    }
}

#[test]
fn an_odd_activation_of_independent_preactivations_has_no_average() {
    let averages = Averages::of(&Function::parse("tanh").unwrap());
    assert!(averages.product(Pair::correlated(1.0, 0.0)).unwrap().abs() < 1e-12);
}

#[test]
fn the_growth_of_the_square_is_the_average_with_the_curve_and_the_slope_of_the_recursion() {
    for text in ["tanh", "gelu", "x*tanh(x)", "sigmoid"] {
        let s = Function::parse(text).unwrap();
        let averages = Averages::of(&s);
        for k in [0.2, 1.0, 5.0] {
            let curved = |z: f64| s.value(z) * s.curve(z) + s.slope(z) * s.slope(z);
            let growth = averages.growth(k).unwrap();
            within(growth, averages.average(k, curved).unwrap(), 1e-11, 1e-13).unwrap();
            let step = 1e-4 * k;
            let ahead = averages.square(k + step).unwrap() - averages.square(k - step).unwrap();
            within(ahead / (2.0 * step), growth, 1e-7, 1e-9).unwrap();
        }
    }
}

#[test]
fn a_kink_off_zero_counts_with_its_point_mass() {
    // s = max(z, 1): E s s'' has a mass at the kink, which the curve away from it does not contain.
    let averages = Averages::of(&Function::parse("1+relu(x-1)").unwrap());
    let (k, step) = (0.8, 1e-4);
    let quotient =
        (averages.square(k + step).unwrap() - averages.square(k - step).unwrap()) / (2.0 * step);
    within(quotient, averages.growth(k).unwrap(), 1e-7, 0.0).unwrap();
}

#[test]
fn an_average_that_does_not_exist_is_refused() {
    let at = |text: &str, k: f64| Averages::of(&Function::parse(text).unwrap()).square(k);
    for (text, k) in
        [("exp(x^2)", 1.0), ("exp(x^2/4)", 1.0), ("x*exp(x^2/3)", 0.9), ("1/(x-0.3)", 1.0)]
    {
        assert!(matches!(at(text, k), Err(FormError::Growth { .. })), "{text}");
    }
    within(at("exp(x)", 1.0).unwrap(), libm::exp(2.0), 1e-13, 0.0).unwrap();
    within(at("exp(x^2/5)", 1.0).unwrap(), 5.0_f64.sqrt(), 1e-12, 0.0).unwrap();
}
