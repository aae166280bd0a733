use super::*;
use crate::sampled::{Sampled, samples};
use fovea_core::Value;
use fovea_core::agree::{agrees, agrees_to_digits};
use fovea_core::stats::Estimate;

fn gaussian(n: usize) -> Item<Box<dyn Stimulus>> {
    Item::named("gaussian").set("n", n).set("xi", 1.1)
}

fn filtered(base: Item<Box<dyn Stimulus>>, direction: &[f64], threshold: f64) -> Filtered {
    let direction = Matrix::new(direction.len(), direction.to_vec());
    Filtered { base, direction, site: 1, threshold }
}

#[test]
fn every_sample_is_on_the_right_side() {
    let direction = [0.5, -1.0, 0.0, 2.0];
    for (index, threshold) in (0_u64..).zip([-3.0, 0.0, 1.5, 3.0]) {
        let base = Item::named("nlgp").set("n", 4_usize).set("xi", 1.1);
        let sampler = filtered(base, &direction, threshold).sampler().unwrap();
        let x = samples::<f64>(&sampler, module_path!(), index, 10);
        let single = samples::<f32>(&sampler, module_path!(), index, 10);
        for x in [x, single] {
            for s in 0..x[0].len() {
                let sum: f64 = (0..4).map(|i| direction[i] * x[i][s]).sum();
                assert!(sum >= threshold, "{sum} below {threshold}");
            }
        }
    }
}

#[test]
fn a_cut_gaussian_has_its_moments() {
    let cases = [
        filtered(gaussian(2), &[1.0], 0.0),
        filtered(gaussian(5), &[-2.0], 3.0),
        filtered(gaussian(4), &[1.0, -0.5, 0.3, 0.0], -0.4),
        filtered(gaussian(4), &[1.0; 4], 2.0),
        filtered(
            Item::named("gaussian-clone").set("base", Value::from_typed("single-pulse(n=5)")),
            &[1.0, 0.0, 1.0, 0.0, 0.0],
            1.5,
        ),
    ];
    for (index, params) in (10_u64..).zip(cases) {
        let sampler = params.sampler().unwrap();
        let sampled = Sampled::new(&sampler, module_path!(), index, 800);
        sampled.holds();
        let whole = sampler.base.moments().unwrap();
        sampled.rejects(|i, j| whole.covariance.at(i, j));
        sampled.rejects_means(|i| whole.mean[i]);
    }
}

#[test]
fn a_cut_normal_has_its_mean_and_variance() {
    // 30-digit values: phi(a) / Q(a), and 1 + a times that minus its square.
    for (from, mean, var) in [
        (0.0, 0.797_884_560_802_865_4, 0.363_380_227_632_418),
        (2.0, 2.373_215_532_822_841, 0.114_279_100_414_081_26),
        (-1.0, 0.287_599_970_939_178, 0.629_686_285_776_605_4),
    ] {
        let (got_mean, got_var) = cut_normal(from);
        agrees_to_digits(got_mean, mean, 12.0).unwrap();
        agrees_to_digits(got_var, var, 12.0).unwrap();
    }
    let (mean, var) = cut_normal(-1e9);
    assert!(mean.abs() < 1e-13 && (var - 1.0).abs() < 1e-12);
}

#[test]
fn half_of_a_symmetric_law_has_its_moments() {
    let base = |typed: &str| {
        <Item<Box<dyn Stimulus>> as fovea_core::params::ParamType>::read(&Value::from_typed(typed))
            .unwrap()
    };
    let cases = [
        ("nlgp(n=4, xi=1.1)", 1.0),
        ("nlgp(n=5, xi=1, gain=0.3)", -2.0),
        ("sign(n=3, dim=2, xi=0.8)", 1.0),
        ("ising(n=5, coupling=0.6)", -1.0),
    ];
    for (index, (typed, weight)) in (50_u64..).zip(cases) {
        let sampler = filtered(base(typed), &[weight], 0.0).sampler().unwrap();
        let sampled = Sampled::new(&sampler, module_path!(), index, 800);
        sampled.holds();
        // Without the cut the mean is zero and the covariance larger.
        let whole = sampler.base.moments().unwrap();
        sampled.rejects(|i, j| whole.covariance.at(i, j));
        sampled.rejects_means(|i| whole.mean[i]);
    }
}

#[test]
fn half_of_a_symmetric_law_keeps_its_second_moments() {
    let sampler = Filtered::default().sampler().unwrap();
    assert!((sampler.share - 0.5).abs() < 0.1);
    let x = samples::<f32>(&sampler, module_path!(), 30, 400);
    let whole = sampler.base.moments().unwrap();
    let mean = |values: Vec<f64>| Estimate::from_samples(&values).unwrap();
    for j in [0, 1, 3] {
        let products = mean(x[1].iter().zip(&x[j]).map(|(a, b)| a * b).collect());
        agrees(&products, whole.covariance.at(1, j), 3).unwrap();
        assert!(agrees(&mean(x[j].clone()), 0.0, 3).is_err(), "the mean does not stay");
    }
    let oblique = filtered(Item::named("nlgp").set("n", 2_usize), &[1.0, 0.5], 0.0).sampler();
    assert!(Draw::moments(&oblique.unwrap()).unwrap_err().contains("Gaussian base"));
}

#[test]
fn shifts_survive_equal_weights_alone() {
    let law = |direction: &[f64]| {
        Draw::declared(&filtered(gaussian(3), direction, 0.0).sampler().unwrap())
    };
    assert!(law(&[1.0; 3]).translation_invariant);
    assert!(!law(&[1.0, 1.0, 0.0]).translation_invariant && !law(&[1.0]).translation_invariant);
}

#[test]
fn what_cannot_be_filtered_is_refused() {
    let told = |params: Filtered| {
        let error = params.sampler().err().unwrap();
        (error.to_string(), error.hint())
    };
    let (what, hint) = told(filtered(gaussian(4), &[1.0], 4.0));
    assert!(what.starts_with("<direction, x> >= 4 keeps ") && what.contains("of 32768"), "{what}");
    assert!(hint.contains("lower `threshold`"));
    let (what, hint) = told(filtered(gaussian(4), &[1.0, 2.0], 0.0));
    assert_eq!(what, "`direction` is 1 x 2 and a sample of `base` has 4 entries");
    assert_eq!(hint, "give `direction` one row of 4 numbers, or a single number");
    let (_, hint) = told(Filtered { site: 4, ..filtered(gaussian(4), &[1.0], 0.0) });
    assert_eq!(hint, "choose `site` below 4");
    let (what, _) = told(filtered(gaussian(4), &[0.0; 4], 0.0));
    assert_eq!(what, "`direction` is zero: it does not separate samples");
    // Rounded to single precision the samples reach the threshold; in double precision they do not.
    let rows = Value::from_typed("[[0.1, 0.1], [0.1, 0.1]]");
    let edge = filtered(Item::named("array").set("samples", rows), &[1.0], 0.100_000_000_5);
    assert!(told(edge).0.contains("keeps 0 of 32768"));
    assert!(
        told(filtered(Item::named("gaussian").set("xi", 30.0), &[1.0], 0.0))
            .0
            .starts_with("`base`")
    );
}
