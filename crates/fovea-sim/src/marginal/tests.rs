use super::*;
use fovea_core::agree::agrees_to_digits;
use fovea_core::quadrature::normal_expectation;

const EXPONENTS: [f64; 9] = [2.0 + 1e-15, 2.0000001, 2.1, 3.0, 5.0, 7.5, 100.0, 1e6, 1e300];

fn all_symmetric() -> Vec<Marginal> {
    let kur = EXPONENTS.into_iter().map(Marginal::kur);
    [Marginal::Uniform, Marginal::Arcsine, Marginal::Laplace].into_iter().chain(kur).collect()
}

#[test]
fn values_have_their_digits_far_into_the_tails() {
    // 40-digit values at z.
    let table = [
        (Marginal::kur(2.0000001), 0.001, 2.523132941282393e-07),
        (Marginal::kur(2.0000001), 0.7, 0.00019052887502928574),
        (Marginal::kur(2.0000001), 3.3, 0.007186057101234644),
        (Marginal::kur(2.0000001), 9.0, 470653.99448450765),
        (Marginal::kur(2.5), 0.001, 0.000578800471573777),
        (Marginal::kur(2.5), 0.7, 0.4075591783574365),
        (Marginal::kur(2.5), 3.3, 8.0718938601783),
        (Marginal::kur(2.5), 9.0, 14453953.34503927),
        (Marginal::kur(5.0), 0.001, 0.0011479830509812535),
        (Marginal::kur(5.0), 0.7, 0.7480757863259979),
        (Marginal::kur(5.0), 3.3, 4.177126990733905),
        (Marginal::kur(5.0), 9.0, 5590.985553920885),
        (Marginal::kur(12.0), 0.001, 0.0013374623612431927),
        (Marginal::kur(12.0), 0.7, 0.865098144091725),
        (Marginal::kur(12.0), 3.3, 2.4288583770940337),
        (Marginal::kur(12.0), 9.0, 48.784217621663664),
        (Marginal::kur(1000000.0), 0.001, 0.0013819763675491238),
        (Marginal::kur(1000000.0), 0.7, 0.893864129093889),
        (Marginal::kur(1000000.0), 3.3, 1.73037617720791),
        (Marginal::kur(1000000.0), 9.0, 1.7321012447332302),
        (Marginal::Laplace, 0.001, 0.0005644146883165649),
        (Marginal::Laplace, 0.7, 0.5132326547297682),
        (Marginal::Laplace, 3.3, 4.908359778323139),
        (Marginal::Laplace, 9.0, 30.359631016920726),
        (Marginal::Arcsine, 0.001, 0.0017724530914695205),
        (Marginal::Arcsine, 0.7, 1.0249255622882072),
        (Marginal::Arcsine, 3.3, 1.4142119314205117),
        (Marginal::Arcsine, 9.0, SQRT_2),
        (Marginal::Uniform, 0.001, 0.0013819763675559436),
        (Marginal::Uniform, 0.7, 0.8938641290983),
        (Marginal::Uniform, 3.3, 1.730376177216449),
        (Marginal::Uniform, 9.0, 1.7320508075688772),
    ];
    for (law, z, want) in table {
        agrees_to_digits(law.value(z), want, 13.3).unwrap_or_else(|e| panic!("{law:?} {z}: {e}"));
        agrees_to_digits(law.value(-z), -want, 13.3).unwrap();
    }
}

#[test]
fn the_variance_of_kur_is_right_from_barely_finite_to_uniform() {
    // 40-digit values of the integral of Q^2.
    let table = [
        (2.0000000001, 9999999172.289505),
        (2.001, 999.693786307768),
        (2.1, 9.750844236670217),
        (3.0, 1.0),
        (5.0, 0.48306884160049435),
        (12.0, 0.3558908646312884),
        (100.0, 0.3336601613310144),
        (1000000.0, 0.3333333333366232),
    ];
    for (k, want) in table {
        // k - 2 is exact, and divides: its own rounding sets the digits of the reference near 2.
        agrees_to_digits(kur_variance(k), want, 13.0).unwrap_or_else(|e| panic!("{k}: {e}"));
    }
}

#[test]
fn every_law_is_standardized() {
    let custom = Quantiles::read(&fovea_core::Matrix::new(4, vec![-3.0, 0.5, 1.0, 9.0])).unwrap();
    let laws = [Marginal::Uniform, Marginal::Arcsine, Marginal::Laplace, Marginal::kur(5.0)];
    for law in laws.into_iter().chain([Marginal::Custom(custom.standardized())]) {
        let bends = [0.0, normal_quantile(1.0 / 3.0), normal_quantile(2.0 / 3.0)];
        let mean = normal_expectation(|z| law.value(z), &bends).value;
        let square = normal_expectation(|z| law.value(z) * law.value(z), &bends).value;
        assert!(mean.abs() < 1e-13 && (square - 1.0).abs() < 1e-12, "{law:?}: {mean} {square}");
    }
}

#[test]
fn covariances_match_an_expansion_in_hermite_polynomials() {
    // Sum of c_j^2 r^j over 400 terms, in another language.
    let table = [
        (Marginal::Uniform, 0.1, 0.09553279941996205),
        (Marginal::Uniform, 0.5, 0.48258373953099737),
        (Marginal::Uniform, 0.9, 0.8914561316801002),
        (Marginal::Arcsine, 0.1, 0.09002724865161227),
        (Marginal::Arcsine, 0.5, 0.4597393097431302),
        (Marginal::Arcsine, 0.9, 0.8779958658952334),
        (Marginal::Laplace, 0.1, 0.09633883388067448),
        (Marginal::Laplace, 0.5, 0.48596172487921024),
        (Marginal::Laplace, 0.9, 0.893354919835866),
        (Marginal::kur(5.0), 0.1, 0.09927948128317082),
        (Marginal::kur(5.0), 0.5, 0.49667655006041644),
        (Marginal::kur(5.0), 0.9, 0.8977826472497649),
        (Marginal::kur(3.0), 0.1, 0.08747400918738976),
        (Marginal::kur(3.0), 0.5, 0.4487080465626708),
        (Marginal::kur(3.0), 0.9, 0.87172838059225),
        (Marginal::kur(1e6), 0.1, 0.09553279942180729),
        (Marginal::kur(1e6), 0.5, 0.48258373953556044),
        (Marginal::kur(1e6), 0.9, 0.8914561316811711),
    ];
    for (law, r, want) in table {
        let value = |z: f64| law.value(z);
        let got = law.entrywise(&value).unwrap().covariance(r);
        assert!((got - want).abs() < 1e-11, "{law:?} {r}: {got} {want}");
    }
    let law = Marginal::kur(2.05);
    assert!(law.entrywise(&|z| law.value(z)).is_err());
}

#[test]
fn the_table_follows_the_direct_route() {
    for law in all_symmetric() {
        let table = Table::new(&law);
        let worst = (0..90_000).map(|i| i as f32 * 1.0000001e-4).fold(0.0_f64, |worst, z| {
            let want = law.value(f64::from(z));
            worst.max((f64::from(table.value(z)) - want).abs() / want.abs().max(1.0))
        });
        println!("{law:?}: {worst:.1e}");
        assert!(worst < 2e-6, "{law:?}: {worst:e}");
        assert_eq!(table.value(-1.25).to_bits(), (-table.value(1.25)).to_bits());
    }
}

#[test]
fn nothing_is_infinite_or_out_of_order() {
    for law in all_symmetric() {
        let table = Table::new(&law);
        let mut last = f64::NEG_INFINITY;
        for z in [-1e300, -40.0, -37.0, -9.0, -1.0, -1e-300, 0.0, 1e-8, 0.5, 8.3, 38.5, 1e300] {
            let value = law.value(z);
            assert!(value.is_finite() && value >= last, "{law:?} {z}: {value} after {last}");
            assert!(table.value(z as f32).is_finite(), "{law:?} {z}");
            last = value;
        }
    }
}
