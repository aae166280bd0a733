//! Spreads of fields: the probe, from Fourier coefficients of real fields, and the closed forms, from complex sums over sites.

use fovea_core::agree::within;
use fovea_core::fourier::{cos_turns, from_fourier, to_fourier};
use fovea_sim::probe::location_entropy::location_entropy;
use fovea_sim::probe::uncertainty::uncertainty;
use fovea_theory::uncertainty::breitenberger::breitenberger;
use fovea_theory::uncertainty::maassen_uffink::maassen_uffink;
use fovea_theory::uncertainty::massar_spindel::{bound, massar_spindel, optimal_state};
use fovea_theory::uncertainty::measures::{Measures, measures, measures_complex};
use std::f64::consts::PI;

/// A Gabor around site `n/3` and fields that are smooth, rough, flat but for a little, and on one site or two.
fn fields(n: usize) -> Vec<Vec<f64>> {
    let of = |f: &dyn Fn(usize) -> f64| -> Vec<f64> { (0..n).map(f).collect() };
    let bump = |i: usize, width: f64| {
        let d = i as f64 - (n / 3) as f64;
        libm::exp(-0.25 * d * d / (width * width))
    };
    vec![
        of(&|i| bump(i, 1.0)),
        of(&|i| bump(i, 2.0) * cos_turns(n / 5 * i, n)),
        of(&|i| libm::sin(((i + 2) * (i + 3)) as f64)),
        of(&|i| 1.0 + 0.01 * cos_turns(i + 1, n)),
        of(&|i| f64::from(u8::from(i == 2))),
        of(&|i| f64::from(u8::from(i == 1)) - 0.3 * f64::from(u8::from(i + 1 == n))),
    ]
}

/// The field of the same Fourier coefficients on a ring `times` as fine; of an odd ring, so that every frequency has both signs.
fn finer(w: &[f64], times: usize) -> Vec<f64> {
    let mut u = to_fourier(w);
    u.resize(times * w.len(), 0.0);
    from_fourier(&u)
}

/// The analytic signal, by leaving out the negative half of a complex sum over sites.
fn analytic(w: &[f64], times: usize) -> Measures {
    let (n, fine) = (w.len(), times * w.len());
    let (mut re, mut im) = (vec![0.0; fine], vec![0.0; fine]);
    for k in 0..=n / 2 {
        let factor = if k == 0 { 1.0 } else { 2.0 } / n as f64;
        for (x, (re, im)) in re.iter_mut().zip(&mut im).enumerate() {
            for (i, w) in w.iter().enumerate() {
                let angle = 2.0 * PI * k as f64 * (x as f64 / fine as f64 - i as f64 / n as f64);
                *re += factor * w * libm::cos(angle);
                *im += factor * w * libm::sin(angle);
            }
        }
    }
    measures_complex(&re, &im).unwrap()
}

#[test]
fn the_probe_has_the_spreads_of_the_closed_form() {
    for n in [9, 24, 41] {
        for w in fields(n) {
            let (probe, form) = (uncertainty(&w, n), measures(&w).unwrap());
            within(location_entropy(&w), form.entropy_place, 1e-12, 1e-12).unwrap();
            within(probe.entropy_frequency, form.entropy_frequency, 1e-12, 1e-12).unwrap();
            within(probe.entropies, form.entropy_place + form.entropy_frequency, 1e-12, 0.0)
                .unwrap();
            within(probe.spread_place, form.spread_place, 1e-12, 1e-13).unwrap();
            within(probe.spread_frequency, form.spread_frequency, 1e-12, 1e-13).unwrap();
            within(probe.var_frequency, form.var_k, 1e-11, 1e-12).unwrap();
            assert!(probe.entropies >= maassen_uffink(n, 1).bound - 1e-12);
            // The inequality solved for the spread over frequencies.
            let least = bound(n, probe.spread_place);
            assert!(probe.spread_frequency >= least - 1e-12 && probe.massar_spindel >= 1.0 - 1e-12);
        }
    }
}

/// The products are those of the function on the circle: of the same field on a ring so fine that its sites no longer matter.
#[test]
fn the_products_are_those_of_the_closed_form_on_a_fine_ring() {
    for n in [9, 25] {
        for w in fields(n) {
            let probe = uncertainty(&w, n);
            let circle = measures(&finer(&w, 4)).unwrap();
            within(probe.circular, circle.circular, 1e-9, 0.0).unwrap();
            within(probe.analytic, analytic(&w, 4).circular, 1e-9, 0.0).unwrap();
        }
    }
    // Over the sites of the ring alone one site would have no spread of place, and the product 0.
    let site = &fields(9)[4];
    assert!(measures(site).unwrap().circular < 1e-12 && uncertainty(site, 9).circular > 0.25);
}

#[test]
fn known_families_have_the_values_of_their_closed_forms() {
    for kappa in [0.5, 2.0, 20.0] {
        let w: Vec<f64> =
            (0..64).map(|i| libm::exp(0.5 * kappa * (cos_turns(i, 64) - 1.0))).collect();
        within(uncertainty(&w, 64).circular, breitenberger(kappa).product, 1e-10, 0.0).unwrap();
    }
    let wave: Vec<f64> = (0..40).map(|i| cos_turns(3 * i, 40)).collect();
    within(uncertainty(&wave, 40).entropies, maassen_uffink(40, 3).cosine, 1e-12, 0.0).unwrap();
    // The state of least spread over frequencies, which the inequality itself does not reach.
    let least = massar_spindel(40, 0.2);
    let state = optimal_state(40, 0.2);
    within(least.optimum, fovea_theory::harper::spread(state.gap_frequency), 1e-12, 0.0).unwrap();
    assert!(least.bound < least.optimum);
}
