//! Averages of activations that are narrow or wide compared with the distribution of the preactivation; reference values by mpmath, 30
//! digits.

use fovea_core::Function;
use fovea_core::agree::within;
use fovea_theory::averages::{Averages, Pair};
use fovea_theory::layer::Layer;

fn of(text: &str) -> Averages {
    Averages::of(&Function::parse(text).unwrap())
}

/// An activation, a variance, and both susceptibilities of a layer with $`C_w=1`$.
const CHI: [(&str, f64, f64, f64); 22] = [
    ("tanh", 1e4, 3.988930699530269e-07, 0.0053191446440146225),
    ("tanh", 1e5, 1.2615506972841882e-08, 0.0016820856359310997),
    ("tanh", 1e6, 3.989417882268303e-10, 0.0005319229547714459),
    ("tanh", 3e7, 2.4278853014729508e-12, 9.711541553068726e-05),
    ("tanh", 1e8, 3.9894227547967965e-13, 5.319230396776054e-05),
    ("tanh", 1e12, 3.989422804009405e-19, 5.319230405351578e-07),
    ("sigmoid", 1e7, 6.307828192262212e-12, 2.102610299412306e-05),
    ("sigmoid", 1e8, 1.994711303572107e-13, 6.6490379638086335e-06),
    ("tanh", 1e-4, 0.9996001699173793, 0.9998000699686834),
    ("tanh", 1e-19, 1.0, 1.0),
    ("tanh", 1e-30, 1.0, 1.0),
    ("tanh", 1e-40, 1.0, 1.0),
    ("tanh", 1e-300, 1.0, 1.0),
    ("sigmoid", 1e-5, 0.062499375006640545, 0.062499687502734345),
    ("sigmoid", 1e-20, 0.0625, 0.0625),
    ("sigmoid", 1e-50, 0.0625, 0.0625),
    ("sigmoid", 1e-100, 0.0625, 0.0625),
    ("softplus", 1e-5, 0.4232872994193052, 0.25000062499687503),
    ("softplus", 1e-50, 0.42328679513998635, 0.25),
    ("softplus", 1e-100, 0.42328679513998635, 0.25),
    ("tanh(100*x)", 1.0, 0.003988930699530269, 53.19144644014622),
    ("tanh(1e4*x)", 1.0, 3.9894227547967964e-05, 5_319.230_396_776_054),
];

#[test]
fn susceptibilities_are_right_at_every_variance() {
    for (text, k, par, perp) in CHI {
        let layer = Layer::new(&Function::parse(text).unwrap(), 1.0, 0.0);
        let found = (layer.chi_par(k).unwrap(), layer.chi_perp(k).unwrap());
        within(found.0, par, 1e-12, 0.0).map_err(|e| format!("{text} {k:e}: {e:?}")).unwrap();
        within(found.1, perp, 1e-12, 0.0).map_err(|e| format!("{text} {k:e}: {e:?}")).unwrap();
    }
    // E tanh^2 = 1 - E sech^2.
    within(of("tanh").square(1e8).unwrap(), 0.9999202115442478, 1e-14, 0.0).unwrap();
    within(of("tanh").square(1e-40).unwrap(), 1e-40, 1e-14, 0.0).unwrap();
    within(of("tanh").square(1e-310).unwrap(), 1e-310, 1e-12, 0.0).unwrap();
}

/// Under a wide distribution only the integral of a narrow slope matters: $`E\tanh'^2=\tfrac43\varphi(0)/\sqrt K`$.
#[test]
fn a_narrow_slope_counts_under_a_distribution_of_any_width() {
    for (text, mass) in [("tanh", 4.0 / 3.0), ("sigmoid", 1.0 / 6.0)] {
        for power in [14, 40, 100, 200, 300] {
            let k = libm::pow(10.0, f64::from(power));
            let expected = mass / (std::f64::consts::TAU.sqrt() * k.sqrt());
            within(of(text).slope_square(k).unwrap(), expected, 1e-12, 0.0).unwrap();
            within(of("tanh").square(k).unwrap(), 1.0, 1e-6, 0.0).unwrap();
        }
    }
    // Half of z^2, at both ends of the range of numbers.
    for k in [1e100, 1e300] {
        within(of("softplus").square(k).unwrap(), 0.5 * k, 1e-12, 0.0).unwrap();
        within(of("softplus").growth(k).unwrap(), 0.5, 1e-12, 0.0).unwrap();
    }
}

#[test]
fn a_bell_off_zero_is_resolved() {
    let bell = of("exp(-1e6*(x-0.7777)^2)");
    within(bell.slope_square(1.0).unwrap(), 369.517945144275, 1e-12, 0.0).unwrap();
    within(bell.growth(1.0).unwrap(), -7.30135683742569e-05, 1e-8, 0.0).unwrap();
}

#[test]
fn a_pair_has_no_order_and_its_own_scales() {
    let tanh = of("tanh");
    let (there, back) = (Pair { aa: 1.0, bb: 1e12, ab: 0.5 }, Pair { aa: 1e12, bb: 1.0, ab: 0.5 });
    for (pair, other) in [(there, back), (back, there)] {
        let (value, slope) = (tanh.product(pair).unwrap(), tanh.slope_product(pair).unwrap());
        within(value, 2.416415372523038e-07, 1e-11, 0.0).unwrap();
        within(slope, 4.832830745046317e-07, 1e-11, 0.0).unwrap();
        assert_eq!(value.to_bits(), tanh.product(other).unwrap().to_bits());
        assert_eq!(slope.to_bits(), tanh.slope_product(other).unwrap().to_bits());
    }
}

/// The error functions have closed forms at every variance, which quadrature must reproduce.
#[test]
fn pairs_of_every_size_and_correlation_are_the_closed_form() {
    for name in ["erf", "sin"] {
        let s = Function::parse(name).unwrap();
        let (closed, plain) = (Averages::of(&s), Averages::by_quadrature(&s));
        for (aa, bb) in
            [(1.0_f64, 1.0_f64), (1e-9, 1e-9), (3.0, 0.2), (1e-12, 1.0), (1e8, 1e8), (1e12, 1.0)]
        {
            if name == "sin" && aa > 10.0 {
                continue;
            }
            for r in [-1.0, -0.95, 1e-12, 1e-5, 0.09, 0.11, 0.5, 0.999_999, 1.0] {
                let ab = r * (aa * bb).sqrt();
                let pair = Pair { aa, bb, ab };
                let at = |e| format!("{name} {pair:?}: {e:?}");
                let (exact, found) = (closed.product(pair).unwrap(), plain.product(pair).unwrap());
                within(found, exact, 1e-10, 0.0).map_err(at).unwrap();
                let exact = closed.slope_product(pair).unwrap();
                let found = plain.slope_product(pair).unwrap();
                within(found, exact, 1e-10, 0.0).map_err(at).unwrap();
            }
        }
    }
}

/// mpmath: $`\tfrac2\pi\arcsin\big(mr K/(1+mK)\big)`$ at $`m=1`$, $`r=1/2`$, and the slopes.
#[test]
fn the_closed_forms_for_wide_distributions_do_not_cancel() {
    let erf = of("erf");
    for k in [1e10, 1e20, 1e160, 1e300] {
        let pair = Pair::correlated(k, 0.5);
        within(erf.product(pair).unwrap(), 1.0 / 3.0, 1e-9, 0.0).unwrap();
        let expected = std::f64::consts::FRAC_2_PI / (k * 0.75_f64.sqrt());
        within(erf.slope_product(pair).unwrap(), expected, 1e-9, 0.0).unwrap();
        let expected = std::f64::consts::FRAC_2_PI / (2.0 * k).sqrt();
        within(erf.slope_square(k).unwrap(), expected, 1e-9, 0.0).unwrap();
    }
    // Where one formula takes over from the other.
    let sides = [1000.0 - 1e-9, 1000.0 + 1e-9].map(|k| erf.slope_square(k).unwrap());
    within(sides[0], sides[1], 1e-11, 0.0).unwrap();
}

/// Variances whose product overflows still have a correlation.
#[test]
fn a_correlation_needs_no_product_of_the_variances() {
    for k in [1e-300, 1e-200, 1e200, 1e300] {
        let pair = Pair::correlated(k, 0.3);
        within(pair.correlation(), 0.3, 1e-15, 0.0).unwrap();
    }
}

/// $`Var\,s^2=4s(0)^2s'(0)^2K`$ to first order: 1/16 of K for the sigmoid.
#[test]
fn a_small_variance_of_the_square_keeps_its_digits() {
    for k in [1e-4, 1e-7, 1e-12, 1e-40] {
        within(of("sigmoid").square_variance(k).unwrap(), k / 16.0, 2.0 * k + 1e-8, 0.0).unwrap();
    }
}
