use super::*;
use crate::sampled::{Sampled, samples};
use fovea_core::agree::within;

fn pulse(n: usize, lengths: [usize; 2], complement: f64) -> SinglePulse {
    let [min_length, max_length] = lengths;
    SinglePulse { n, min_length, max_length, complement, low: -0.5, high: 1.5 }
}

/// Every pulse of every length, spelled out site by site.
fn all(params: &SinglePulse) -> Vec<(Vec<f64>, f64)> {
    let mut all = Vec::new();
    for length in params.min_length..=params.max_length {
        for start in 0..params.n {
            for (exchanged, share) in [(false, 1.0 - params.complement), (true, params.complement)]
            {
                let mut x = vec![if exchanged { params.high } else { params.low }; params.n];
                for k in 0..length {
                    x[(start + k) % params.n] = if exchanged { params.low } else { params.high };
                }
                all.push((x, share));
            }
        }
    }
    let cases = (params.n * (params.max_length - params.min_length + 1)) as f64;
    all.into_iter().map(|(x, share)| (x, share / cases)).collect()
}

#[test]
fn moments_are_those_of_all_pulses() {
    for (n, lengths) in [(2, [1, 2]), (2, [1, 1]), (5, [2, 4]), (8, [1, 8]), (9, [9, 9])] {
        for complement in [0.0, 0.3, 0.5, 1.0] {
            let params = pulse(n, lengths, complement);
            let moments = Draw::moments(&params.sampler().unwrap()).unwrap();
            let mean = |f: &dyn Fn(&[f64]) -> f64| -> f64 {
                all(&params).iter().map(|(x, share)| share * f(x)).sum()
            };
            let centre = mean(&|x| x[0]);
            within(moments.mean[1], centre, 1e-14, 0.0).unwrap();
            for d in 0..n {
                let cov = mean(&|x| (x[0] - centre) * (x[d] - centre));
                within(moments.covariance.at(0, d), cov, 0.0, 1e-14).unwrap();
                within(moments.covariance.at(d, 0), cov, 0.0, 1e-14).unwrap();
            }
        }
    }
}

#[test]
fn drawn_pulses_have_their_moments() {
    let cases = [(2, [1, 1], 0.0), (7, [2, 4], 0.0), (6, [1, 3], 0.3), (7, [7, 7], 0.5)];
    for (index, (n, lengths, complement)) in cases.into_iter().enumerate() {
        let sampler = pulse(n, lengths, complement).sampler().unwrap();
        let sampled = Sampled::new(&sampler, module_path!(), index as u64, 400);
        sampled.holds();
        // A pulse that stops at the end of the line covers the first site less often.
        sampled.rejects(|_, _| 0.0);
    }
}

#[test]
fn every_sample_is_one_run_of_an_allowed_length() {
    let sampler = pulse(7, [2, 4], 0.0).sampler().unwrap();
    let x = samples::<f32>(&sampler, module_path!(), 9, 50);
    let mut seen = [0; 8];
    for s in 0..x[0].len() {
        let on: Vec<bool> = (0..7).map(|i| x[i][s] > 0.0).collect();
        let starts = (0..7).filter(|&i| on[i] && !on[(i + 6) % 7]).count();
        assert_eq!(starts, 1);
        seen[on.iter().filter(|on| **on).count()] += 1;
    }
    assert!(seen[2] > 0 && seen[3] > 0 && seen[4] > 0);
    assert_eq!(seen.iter().sum::<i32>(), seen[2..=4].iter().sum::<i32>());
}

#[test]
fn lengths_must_fit() {
    for (params, hint) in [
        (pulse(5, [1, 6], 0.0), "choose `max_length` between `min_length` and 5, or a larger `n`"),
        (pulse(5, [4, 2], 0.0), "choose `min_length` between 1 and 2"),
        (SinglePulse { low: 1.0, ..SinglePulse::default() }, "choose two values that differ"),
    ] {
        assert_eq!(params.sampler().unwrap_err().hint(), hint);
    }
}
