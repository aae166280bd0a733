use super::{FLOOR, FORMS, Form, Gabor, gabor, peak_line, shapes};

const N: usize = 40;

fn known(width: f64, frequency: f64, phase: f64) -> Gabor {
    Gabor { amplitude: 1.7, centre: 13.3, width, frequency, phase }
}

fn values(g: &Gabor) -> [f64; 5] {
    [g.amplitude, g.centre, g.width, g.frequency, g.phase]
}

/// Fixed numbers that look like noise.
fn noise(n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| libm::sin(12.9898 * (i as f64 + 1.0)) + libm::cos(4.1 * (i * i) as f64))
        .collect()
}

fn best(w: &[f64]) -> &'static str {
    FORMS[shapes(w).order[0]]
}

#[test]
fn a_gabor_of_known_parameters_is_recovered() {
    let cases = [
        known(3.0, 0.125, 0.0),
        known(2.0, 0.3, 1.0),
        known(0.8, 0.2, -2.0),
        known(0.6, 0.35, 0.5),
        known(8.0, 0.11, 3.0),
        known(13.0, 0.2, -0.7),
        known(18.0, 0.33, 2.2),
        known(4.0, 0.46, 0.4),
        known(2.5, 0.06, -1.4),
        known(5.0, 0.485, -3.0),
    ];
    for (case, n) in cases.into_iter().flat_map(|case| [(case, N), (case, N + 1)]) {
        let w = Form::Gabor(case).field(n);
        let (found, share, errors) = gabor(&w);
        for (got, want) in values(&found).iter().zip(values(&case)) {
            assert!((got - want).abs() < 1e-8, "{case:?}: {found:?}, share {share}");
        }
        assert!(share < FLOOR && errors.iter().all(|e| *e < 1e-8), "{case:?}: {share} {errors:?}");
        assert_eq!(best(&w), "gabor", "{case:?}");
    }
}

#[test]
fn bumps_waves_and_differences_are_called_what_they_are() {
    for width in [0.3, 0.7, 2.0, 5.0, 9.0] {
        let bump = Form::Bump { amplitude: -0.4, centre: 3.8, width };
        let found = shapes(&bump.field(N));
        assert_eq!(FORMS[found.order[0]], "bump", "{found:?}");
        assert!((found.fits[0].form.width(N) - width).abs() < 1e-8);
        let Form::Bump { amplitude, centre, .. } = found.fits[0].form else { unreachable!() };
        assert!((amplitude + 0.4).abs() < 1e-8 && (centre - 3.8).abs() < 1e-8);
    }
    for (k, phase) in [(0, 0.0), (1, 0.3), (3, -2.0), (19, 1.0), (20, 0.0)] {
        let wave = Form::Wave { amplitude: 2.0, k, phase };
        let found = shapes(&wave.field(N));
        assert_eq!(FORMS[found.order[0]], "wave", "{found:?}");
        assert_eq!(found.fits[1].form.frequency(N).to_bits(), (k as f64 / 40.0).to_bits());
        let back = found.fits[1].form.field(N);
        assert!(back.iter().zip(wave.field(N)).all(|(a, b)| (a - b).abs() < 1e-13));
    }
    for (amplitudes, widths) in
        [([2.0, -1.0], [1.0, 2.5]), ([1.0, -0.3], [2.0, 6.0]), ([-3.0, 2.0], [1.5, 2.0])]
    {
        let dog = Form::Dog { amplitudes, centre: 31.2, widths };
        let found = shapes(&dog.field(N));
        assert_eq!(FORMS[found.order[0]], "dog", "{found:?}");
        assert!((found.fits[2].form.width(N) - widths[0]).abs() < 1e-5, "{found:?}");
        assert!(found.fits[2].share < FLOOR);
    }
}

#[test]
fn copies_have_the_same_shape_and_parameters_that_move_with_them() {
    let rough: Vec<f64> = noise(N)
        .iter()
        .zip(Form::Gabor(known(3.0, 0.2, 0.9)).field(N))
        .map(|(a, b)| 0.1 * a + b)
        .collect();
    let plain = shapes(&rough);
    let (here, share, _) = gabor(&rough);
    let mut shifted = rough.clone();
    shifted.rotate_right(9);
    let copies = [(shifted, 9.0, 1.0), (rough.iter().map(|w| -3.0 * w).collect(), 0.0, -3.0)];
    for (copy, shift, scale) in copies {
        let there = shapes(&copy);
        assert_eq!(plain.order, there.order);
        for (a, b) in plain.fits.iter().zip(there.fits) {
            assert!((a.share - b.share).abs() < 1e-9 && (a.weight - b.weight).abs() < 1e-9);
        }
        let (moved, same, _) = gabor(&copy);
        assert!((share - same).abs() < 1e-12);
        assert!((moved.centre - here.centre - shift).abs() < 1e-7);
        assert!((moved.amplitude - here.amplitude * f64::abs(scale)).abs() < 1e-7);
        let turned = if scale < 0.0 { std::f64::consts::PI } else { 0.0 };
        assert!(libm::cos(moved.phase - here.phase - turned) > 1.0 - 1e-12);
    }
}

/// Noise of twice the size doubles the errors, and the parameters stay within a few of them.
#[test]
fn error_bars_scale_with_the_noise_and_cover_the_truth() {
    let truth = known(3.0, 0.17, 0.6);
    let fitted = |size: f64| {
        let w: Vec<f64> =
            noise(N).iter().zip(Form::Gabor(truth).field(N)).map(|(a, b)| size * a + b).collect();
        gabor(&w)
    };
    let (_, share, small) = fitted(1e-4);
    let (found, twice, large) = fitted(2e-4);
    assert!((twice / share - 4.0).abs() < 0.01);
    for i in 0..5 {
        assert!((large[i] / small[i] - 2.0).abs() < 0.01, "{small:?} {large:?}");
        assert!((values(&found)[i] - values(&truth)[i]).abs() < 4.0 * large[i]);
    }
    // Linear theory for an amplitude alone: the noise over the length of the unit-height field; the others add to it.
    let square: f64 =
        Form::Gabor(Gabor { amplitude: 1.0, ..truth }).field(N).iter().map(|x| x * x).sum();
    let rss = twice * Form::Gabor(truth).field(N).iter().map(|x| x * x).sum::<f64>();
    assert!(large[0] > 0.99 * (rss / 35.0 / square).sqrt());
}

#[test]
fn fields_without_a_shape_have_finite_ones() {
    let one_hot: Vec<f64> = (0..N).map(|i| if i == 7 { -2.0 } else { 0.0 }).collect();
    assert_eq!(best(&one_hot), "bump");
    assert_eq!(best(&vec![0.3; N]), "wave");
    let zero = shapes(&[0.0; N]);
    assert!(zero.fits.iter().all(|fit| fit.share == 0.0 && fit.weight.is_finite()));
    assert!(values(&gabor(&[0.0; N]).0).iter().all(|x| x.is_finite()));
    for n in 2..8 {
        for w in [noise(n), vec![1.0; n], (0..n).map(|i| f64::from(u8::from(i == 0))).collect()] {
            let (found, share, errors) = gabor(&w);
            let all = values(&found).into_iter().chain(errors).chain([share]);
            assert!(all.into_iter().all(f64::is_finite), "{w:?}");
            let weights: f64 = shapes(&w).fits.iter().map(|fit| fit.weight).sum();
            assert!((weights - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn the_peak_line_of_a_torus_holds_its_largest_weight() {
    let mut w = vec![0.1; 12];
    w[6] = -3.0;
    assert_eq!(peak_line(&w, &[3, 4]), &w[4..8]);
    assert_eq!(peak_line(&w, &[12]), &w[..]);
    assert_eq!(peak_line(&[0.0; 6], &[2, 3]).len(), 3);
}

/// Nested forms leave no more than what they contain: the table of starts misses no such minimum on these fields.
#[test]
fn a_form_leaves_no_more_than_the_forms_it_contains() {
    for seed in 0..12 {
        let w: Vec<f64> = noise(N)
            .iter()
            .enumerate()
            .map(|(i, x)| x * libm::exp(-0.02 * (seed * i) as f64))
            .collect();
        let shares = shapes(&w).fits.map(|fit| fit.share);
        assert!(shares[2] <= shares[0] + 1e-12 && shares[3] <= shares[0] + 1e-9, "{shares:?}");
        assert!(shares[3] <= shares[1] + 1e-9, "{shares:?}");
    }
}
