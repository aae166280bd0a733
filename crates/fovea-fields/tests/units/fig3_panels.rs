use fovea_fields::fig3_panels::measure::{Powers, within_reach};
use fovea_theory::copula::Marginal;
use fovea_theory::site::Site;

#[test]
fn what_is_within_reach_grows_to_the_moment_itself() {
    let full = 3.0 + Site::Gaussian.excess_kurtosis();
    assert!((within_reach(Site::Gaussian, 1e12) - full).abs() < 1e-7);
    // Published exponent 5: 4.285, of which a power law of the draws is missing, with exponent 4/5 - 1.
    let site = Site::Copula(Marginal::Kur { k: 5.0 });
    let gap = |draws: f64| 3.0 + site.excess_kurtosis() - within_reach(site, draws);
    let slope = libm::log(gap(1e8) / gap(1e7)) / libm::log(10.0);
    assert!((slope + 0.2).abs() < 1e-3, "{slope}");
}

#[test]
fn kurtosis_of_two_points_is_one() {
    let mut powers = Powers::default();
    for x in [1.0, -1.0, 1.0, -1.0] {
        powers.push(x);
    }
    assert!((powers.kurtosis() - 1.0).abs() < 1e-15);
}
