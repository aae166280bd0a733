//! Estimates: standard errors, degrees of freedom, tails.

use super::*;
use crate::agree::agrees_to_digits;

#[test]
fn blocks_see_the_correlation_that_single_entries_hide() {
    // Every value repeated ten times: 1000 entries, 100 independent numbers.
    let series: Vec<f64> = (0..1000).map(|i| f64::from((i / 10 * 37) % 101)).collect();
    let naive = Estimate::from_samples(&series).unwrap();
    let blocked = Estimate::from_block_means(&series, 100).unwrap();
    assert_eq!(blocked.count(), 100);
    agrees_to_digits(blocked.mean(), naive.mean(), 14.0).unwrap();
    // sqrt(999/99) = 3.1766...: the sums of squares differ by the repetition alone.
    agrees_to_digits(blocked.se() / naive.se(), (999.0_f64 / 99.0).sqrt(), 13.0).unwrap();
}

#[test]
fn blocks_that_do_not_divide_the_series_leave_out_its_start() {
    let estimate = Estimate::from_block_means(&[1e9, 1.0, 3.0, 5.0, 7.0], 2).unwrap();
    agrees_to_digits(estimate.mean(), 4.0, 15.0).unwrap();
    agrees_to_digits(estimate.se(), 2.0, 15.0).unwrap();
}

#[test]
fn difference_has_the_dof_of_welch_and_satterthwaite() {
    let a = Estimate::from_parts(5.0, 0.3, 10).unwrap();
    let b = Estimate::from_parts(4.0, 0.7, 25).unwrap();
    let d = a.difference(&b);
    agrees_to_digits(d.mean(), 1.0, 15.0).unwrap();
    agrees_to_digits(d.se(), 0.58_f64.sqrt(), 15.0).unwrap();
    // (0.09 + 0.49)^2 / (0.09^2/9 + 0.49^2/24) = 0.3364 / 0.010904166...
    agrees_to_digits(d.dof(), 30.850592281238058, 13.0).unwrap();
    assert_eq!(d.count(), 35);
    // Equal halves: twice the degrees of freedom of one.
    agrees_to_digits(a.difference(&a).dof(), 18.0, 14.0).unwrap();
}

#[test]
fn z_counts_standard_errors_and_knows_exact_numbers() {
    let estimate = Estimate::from_parts(1.0, 0.25, 8).unwrap();
    agrees_to_digits(estimate.z(0.5), 2.0, 15.0).unwrap();
    let exact = Estimate::from_samples(&[2.0, 2.0, 2.0]).unwrap();
    assert!(exact.z(2.0) == 0.0 && exact.z(1.0).is_infinite());
}

#[test]
fn tails_are_heavy_where_few_samples_carry_the_spread() {
    let spread = |i: u32| f64::from(i * 37 % 101);
    let even: Vec<f64> = (0..1000).map(spread).collect();
    let one_far: Vec<f64> = (0..1000).map(|i| if i == 500 { 1e6 } else { spread(i) }).collect();
    let [even, one_far] = [even, one_far].map(|x| Estimate::from_samples(&x).unwrap());
    assert!(even.skew().abs() < 1e-3 && even.shift(5.0) < 0.5, "{even:?}");
    assert!((one_far.skew() - 1.0).abs() < 0.01 && one_far.shift(5.0) > 5.0, "{one_far:?}");
    // Squares of normal numbers have a skewness of sqrt 8: tame at a thousand, not at fifty.
    let squares = |count: usize| {
        let x =
            (1..=count).map(|i| crate::special::normal_quantile((i as f64 - 0.5) / count as f64));
        Estimate::from_samples(&x.map(|x| x * x).collect::<Vec<_>>()).unwrap()
    };
    assert!((squares(100_000).skew() * 1e5_f64.sqrt() - 8.0_f64.sqrt()).abs() < 0.02);
    assert!(squares(1000).shift(5.0) < 1.0 && squares(50).shift(5.0) > 1.0);
    // A few samples cannot show it: Student's limit is wide enough for them.
    assert!(Estimate::from_samples(&[0.0, 0.0, 0.0, 0.0, 1.0]).unwrap().shift(5.0) == 0.0);
}

#[test]
fn skewness_adds_up_as_third_cumulants_do() {
    let a = Estimate::from_samples(&[0.0, 0.0, 0.0, 3.0]).unwrap();
    let twice = a.scaled_and_shifted(-2.0, 1.0).unwrap();
    agrees_to_digits(twice.mean(), -0.5, 15.0).unwrap();
    agrees_to_digits(twice.se(), 2.0 * a.se(), 15.0).unwrap();
    agrees_to_digits(twice.skew(), -a.skew(), 15.0).unwrap();
    let both = Estimate::combination(&[(1.0, a), (1.0, a)]).unwrap();
    agrees_to_digits(both.skew(), a.skew() / 2.0_f64.sqrt(), 14.0).unwrap();
    assert!(a.difference(&a).skew().abs() < 1e-15);
    let small = a.scaled_and_shifted(1e-120, 0.0).unwrap();
    let sum = Estimate::combination(&[(1.0, small), (1.0, small)]).unwrap();
    agrees_to_digits(sum.skew(), both.skew(), 14.0).unwrap();
}

#[test]
fn a_spread_beyond_the_range_of_numbers_is_no_spread_to_trust() {
    let at = |x: &[f64]| Estimate::from_samples(x).unwrap();
    let lost = at(&[1e-200, 2e-200, 3e-200]);
    assert!(lost.se() == 0.0 && lost.skew().is_nan() && lost.shift(5.0).is_infinite());
    assert!(lost.difference(&at(&[1.0, 2.0])).shift(5.0).is_infinite());
    let same = at(&[1e-200; 3]);
    assert!(same.se() == 0.0 && same.skew() == 0.0 && same.shift(5.0) == 0.0);
    assert!(same.difference(&same).skew() == 0.0);
    assert!(at(&[1e-100, 2e-100, 3e-100]).shift(5.0) == 0.0);
    assert!(at(&[1e120, 2e120, 4e120]).shift(5.0).is_infinite());
}

#[test]
fn no_estimate_exists_without_a_standard_error() {
    assert!(Estimate::from_samples(&[1.0]).is_err());
    assert!(Estimate::from_samples(&[1.0, f64::NAN]).is_err());
    assert!(Estimate::from_block_means(&[1.0, 2.0, 3.0], 1).is_err());
    assert!(Estimate::from_block_means(&[1.0, 2.0, 3.0], 4).is_err());
    assert!(Estimate::from_parts(1.0, f64::NAN, 10).is_err());
    assert!(Estimate::from_parts(1.0, -1.0, 10).is_err());
    assert!(Estimate::from_parts(f64::INFINITY, 1.0, 10).is_err());
    assert!(Estimate::from_parts(1.0, 1.0, 1).is_err());
    assert!(Estimate::combination(&[]).is_err());
}

#[test]
fn samples_of_one_law_lend_each_other_their_spread() {
    // Variances 4 and 9 with 2 and 8 degrees of freedom: pooled (2 4 + 8 9)/10 = 8.
    let few = Estimate::from_parts(3.0, (4.0_f64 / 3.0).sqrt(), 3).unwrap();
    let many = Estimate::from_parts(1.0, 1.0, 9).unwrap();
    let gap = few.difference_within_one_law(&many);
    agrees_to_digits(gap.mean(), 2.0, 15.0).unwrap();
    agrees_to_digits(gap.se(), (8.0_f64 * (1.0 / 3.0 + 1.0 / 9.0)).sqrt(), 14.0).unwrap();
    assert_eq!((gap.count(), gap.dof().round()), (12, 10.0));
    // If the first has a larger spread than both together, its own counts.
    let wide = Estimate::from_parts(3.0, 3.0_f64.sqrt() * 2.0, 3).unwrap();
    let gap = wide.difference_within_one_law(&many);
    agrees_to_digits(gap.se(), (36.0_f64 * (1.0 / 3.0 + 1.0 / 9.0)).sqrt(), 14.0).unwrap();
}

#[test]
fn few_samples_that_happen_to_agree_do_not_refute_the_law_of_many() {
    // One in three of these numbers is 1 and the others are 0: three zeros are not rare.
    let law: Vec<f64> = (0..30).map(|i| f64::from(u8::from(i % 3 == 0))).collect();
    let law = Estimate::from_samples(&law).unwrap();
    let near = Estimate::from_samples(&[0.0, 1e-3, 2e-3]).unwrap();
    let beyond = |gap: &Estimate| gap.z(0.0).abs() > crate::agree::noise_limit(1, gap.dof());
    assert!(!beyond(&near.difference_within_one_law(&law)));
    let far = Estimate::from_samples(&[3.0, 3.001, 3.002]).unwrap();
    assert!(beyond(&far.difference_within_one_law(&law)));
}

#[test]
fn a_skewness_that_is_known_counts_whole_and_only_where_it_is_the_larger() {
    // Samples that all missed a rare large value seem to have no tail.
    let missed = Estimate::from_samples(&[0.0; 16]).unwrap();
    assert!(missed.shift(5.0) == 0.0);
    let known = missed.at_least_skewed(0.5);
    agrees_to_digits(known.shift(5.0), 0.5 * 51.0 / 6.0, 14.0).unwrap();
    assert!(missed.at_least_skewed(f64::INFINITY).shift(5.0).is_infinite());
    let seen: Vec<f64> = (0..1000).map(|i| f64::from(u8::from(i == 7))).collect();
    let seen = Estimate::from_samples(&seen).unwrap();
    assert_eq!(seen.at_least_skewed(0.1), seen);
}
