//! Where the flow of one unit on Gaussian or elliptical data ends: one frequency, its amplitude, and why it is that one.

use super::prelude::*;
use fovea_core::fourier::{from_fourier, power_by_frequency};
use fovea_theory::elliptical::{Radial, half_mean_abs::half_mean_abs};
use fovea_theory::nlgp::cov::cov;
use fovea_theory::relu::{
    flow_single, relaxation::relaxation, stable_mode::stable_mode, steady::steady,
};
use fovea_theory::{CommitteeFlow, GaussianFlow};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "steady-modes",
    summary: "Where the flow of one unit ends: one frequency, its amplitude, its stability.",
    covers: &[
        "L000.13", "L000.14", "L003.12", "L003.13", "L003.14", "L003.15", "L003.16", "L003.17",
        "L003.18",
    ],
    run,
};

const N: usize = 8;

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        one_frequency()?,
        spread(&["L000.14"], laplace(), 3.0, "Laplace data of covariance exp(-d^2/xi^2)")?,
        shared_ratio()?,
        amplitude()?,
        circle()?,
        how_many()?,
        stability()?,
        which()?,
        spread(
            &["L003.18"],
            gaussian(),
            f64::INFINITY,
            "Gaussian data with the covariance of signs",
        )?,
    ])
}

fn gaussian() -> f64 {
    half_mean_abs(Radial::Power { beta: 1.0 }, N)
}

fn laplace() -> f64 {
    half_mean_abs(Radial::Laplace, N)
}

/// The flow between classes of these lengths on elliptical data.
fn flow(xi_pos: f64, xi_neg: f64, constant: f64) -> CommitteeFlow {
    let [pos, neg] = [xi_pos, xi_neg].map(|xi| kernel_row(N, xi, Kernel::Ring));
    CommitteeFlow { classes: GaussianFlow::from_rows(&pos, &neg), constant }
}

/// Weights without symmetry and with power at every frequency, one set a start.
fn start(s: usize) -> Vec<f64> {
    (0..N)
        .map(|i| ((i * i * i + (3 + s) * i * i + 2 * s * i + s) % 11) as f64 / 5.0 - 0.93)
        .collect()
}

/// The end of the flow: 25 times its longest relaxation, where every other mode has faded to `e^-25`.
fn end(flow: &CommitteeFlow, w0: &[f64]) -> Result<Vec<f64>, LabError> {
    let GaussianFlow { eigs_pos, eigs_neg } = &flow.classes;
    let k = stable_mode(eigs_pos, eigs_neg, 0.0).k;
    let rates = relaxation(eigs_pos, eigs_neg, k).ok_or(FormError::NoSteadyState { k })?;
    let mut w = flow.solve(&[w0.to_vec()], 25.0 * rates.slowest).map_err(FormError::from)?;
    Ok(w.remove(0))
}

/// Every start ends on the frequency of least ratio with one amplitude, whatever the constant of the law.
fn one_frequency() -> Result<Comparison, LabError> {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (xi_pos, xi_neg, k) in [(1.5, 0.8, 0), (0.8, 1.5, N / 2)] {
        for constant in [gaussian(), laplace()] {
            let flow = flow(xi_pos, xi_neg, constant);
            let (pos, neg) = (flow.classes.eigs_pos[k], flow.classes.eigs_neg[k]);
            let mut power = vec![0.0; N / 2 + 1];
            power[k] = 4.0 * constant * constant * pos / ((pos + neg) * (pos + neg));
            for s in 0..3 {
                predicted.extend(&power);
                measured.extend(power_by_frequency(&end(&flow, &start(s))?));
            }
        }
    }
    let what = "power in every frequency where the flow ends, three starts, both orders of the lengths, Gaussian and Laplace data, n = 8";
    Ok(Comparison::digits(&["L000.13"], what, &predicted, &measured))
}

/// A single frequency of multiplicity one has the participation of a flat field, even from a start on one site.
fn spread(
    ids: &'static [&'static str],
    constant: f64,
    gain: f64,
    data: &str,
) -> Result<Comparison, LabError> {
    let mut measured = Vec::new();
    for lengths in [[1.5, 0.8], [0.8, 1.5]] {
        let rows = lengths.map(|xi| -> Vec<f64> {
            let latent = kernel_row(N, xi, Kernel::Ring);
            if gain.is_finite() {
                latent
            } else {
                latent.iter().map(|rho| cov(*rho, gain)).collect()
            }
        });
        let flow = CommitteeFlow { classes: GaussianFlow::from_rows(&rows[0], &rows[1]), constant };
        let mut site = vec![0.01; N];
        site[0] = 1.0;
        for w0 in [site, start(1)] {
            let w = end(&flow, &w0)?;
            let powers = |p: f64| -> f64 { w.iter().map(|w| libm::pow(w.abs(), p)).sum() };
            measured.push(powers(4.0) / (powers(2.0) * powers(2.0)));
        }
    }
    let what = format!(
        "participation ratio 1/n of a Fourier mode, and that of the field the flow ends in, {data}, from a bump and from noise"
    );
    Ok(Comparison::digits(ids, what, &[1.0 / N as f64; 4], &measured))
}

/// At rest `q_k + 1 = sqrt(2/pi) / s_1` for every mode that is not 0.
fn shared_ratio() -> Result<Comparison, LabError> {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (xi_pos, xi_neg, k) in [(1.5, 0.8, 0), (0.8, 1.5, N / 2), (1.4, 0.9, 2)] {
        let flow = flow(xi_pos, xi_neg, gaussian());
        // A start without the stable mode keeps without it: its own frequency is all there is.
        let w0 = if k == 2 {
            combined(0.5, &basis_vector(3, N), 0.3, &basis_vector(4, N))
        } else {
            start(0)
        };
        let w = if k == 2 { settled(&flow, &w0)? } else { end(&flow, &w0)? };
        predicted.push(flow.classes.eigs_neg[k] / flow.classes.eigs_pos[k] + 1.0);
        let variance: f64 =
            power_by_frequency(&w).iter().zip(&flow.classes.eigs_pos).map(|(p, e)| p * e).sum();
        measured.push((FRAC_2_PI / variance).sqrt());
    }
    let what = "l0/l1 + 1 of the mode the flow rests on, and sqrt(2/pi) / s_1 there";
    Ok(Comparison::digits(&["L003.12"], what, &predicted, &measured))
}

/// Where a field of one frequency comes to rest; the other modes are taken out after, because rounding lets them grow.
fn settled(flow: &CommitteeFlow, w0: &[f64]) -> Result<Vec<f64>, LabError> {
    let kept: Vec<bool> = to_fourier(w0).iter().map(|u| u.abs() > 1e-12).collect();
    let mut w = w0.to_vec();
    for _ in 0..20 {
        w = flow.solve(&[w], 10.0).map_err(FormError::from)?.remove(0);
        let mut u = to_fourier(&w);
        u.iter_mut().zip(&kept).for_each(|(u, kept)| *u = if *kept { *u } else { 0.0 });
        w = from_fourier(&u);
    }
    Ok(w)
}

/// The amplitude of a single mode; note 003 (25) forgets a root.
fn amplitude() -> Result<Comparison, LabError> {
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    for (xi_pos, xi_neg, k) in [(1.5, 0.8, 0), (1.5, 0.8, 4), (0.8, 1.5, 0), (0.8, 1.5, 4)] {
        let flow = flow(xi_pos, xi_neg, gaussian());
        let GaussianFlow { eigs_pos, eigs_neg } = &flow.classes;
        let point = steady(eigs_pos, eigs_neg, k).ok_or(FormError::NoSteadyState { k })?;
        let mode = basis_vector((2 * k).saturating_sub(1), N);
        predicted.push(point.amplitude * point.amplitude);
        measured.push(power_by_frequency(&settled(&flow, &mode)?)[k]);
        source.push(FRAC_2_PI.sqrt() / (eigs_pos[k] + eigs_neg[k]));
    }
    let what =
        "u_k^2 of a field of one mode, k = 0 and n/2, and what the flow makes of such a start";
    Ok(Comparison::digits(&["L003.13"], what, &predicted, &measured).source(&source))
}

/// The sum of the two squares is fixed and the phase is the start's; note 003 (29) forgets a root.
fn circle() -> Result<Comparison, LabError> {
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    let flow = flow(1.5, 0.8, gaussian());
    let (pos, neg) = (flow.classes.eigs_pos[2], flow.classes.eigs_neg[2]);
    for phase in [0.3_f64, 1.1, 2.5] {
        let (sin, cos) = libm::sincos(phase);
        let w = settled(&flow, &combined(cos, &basis_vector(3, N), sin, &basis_vector(4, N)))?;
        let u = to_fourier(&w);
        predicted.extend([FRAC_2_PI * pos / ((pos + neg) * (pos + neg)), phase]);
        measured.extend([u[3] * u[3] + u[4] * u[4], libm::atan2(u[4], u[3])]);
        source.extend([FRAC_2_PI.sqrt() / (pos + neg), phase]);
    }
    let what = "u_k1^2 + u_k2^2 and the phase of a start at k = 2, and where the flow brings it, three phases";
    Ok(Comparison::digits(&["L003.14"], what, &predicted, &measured).source(&source))
}

/// One coefficient at k = 0 or n/2, two in between.
fn how_many() -> Result<Comparison, LabError> {
    let between = CommitteeFlow {
        // Ratios 1, 2/3, 1/3, 3/4, 2: the least is at k = 2.
        classes: GaussianFlow {
            eigs_pos: unfold(&[1.0, 1.5, 1.8, 1.2, 0.5], N),
            eigs_neg: unfold(&[1.0, 1.0, 0.6, 0.9, 1.0], N),
        },
        constant: gaussian(),
    };
    let flows = [flow(1.5, 0.8, gaussian()), flow(0.8, 1.5, gaussian()), between];
    let mut measured = Vec::new();
    for flow in &flows {
        let u = to_fourier(&end(flow, &start(2))?);
        measured.push(u.iter().filter(|u| u.abs() > 1e-6).count() as f64);
    }
    let what = "how many Fourier coefficients are left where the flow ends, the least ratio at k = 0, n/2 and 2";
    Ok(Comparison::digits(&["L003.15"], what, &[1.0, 1.0, 2.0], &measured))
}

/// The rates at every stationary point, its loss, and the Jacobian of the velocity over sites.
fn stability() -> Result<Comparison, LabError> {
    let rows = [1.5, 0.8].map(|xi| kernel_row(N, xi, Kernel::Ring));
    let flow = GaussianFlow::from_rows(&rows[0], &rows[1]);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for k in 0..=N / 2 {
        let missing = || FormError::NoSteadyState { k };
        let point = steady(&flow.eigs_pos, &flow.eigs_neg, k).ok_or_else(missing)?;
        let rates = relaxation(&flow.eigs_pos, &flow.eigs_neg, k).ok_or_else(missing)?;
        let alone = k == 0 || k == N / 2;
        let (sin, cos) = libm::sincos(if alone { 0.0 } else { 0.7 });
        let first = basis_vector((2 * k).saturating_sub(1), N);
        let second = if alone { vec![0.0; N] } else { basis_vector(2 * k, N) };
        let radial = combined(cos, &first, sin, &second);
        let w = combined(point.amplitude, &radial, 0.0, &second);
        let ratio = flow.eigs_neg[k] / flow.eigs_pos[k];
        predicted.push(0.25 * (1.0 - 1.0 / (PI * (1.0 + ratio))));
        measured.push(flow.loss(&w));
        // Directions: the field itself, its shift, and every other mode.
        let mut directions = vec![(radial, rates.radial)];
        if !alone {
            directions.push((combined(-sin, &first, cos, &second), 0.0));
        }
        let others = (0..N).map(|j| (j, j.div_ceil(2))).filter(|(_, other)| *other != k);
        directions.extend(others.map(|(j, other)| (basis_vector(j, N), rates.rates[other])));
        for (direction, rate) in directions {
            for i in 0..N {
                let along = |by: f64| {
                    let moved = combined(1.0, &w, by, &direction);
                    flow_single::velocity(&rows[0], &rows[1], &moved)[i]
                };
                predicted.push(rate * direction[i]);
                measured.push(slope(2e-4 * point.amplitude, along));
            }
        }
    }
    let what = "loss at every stationary mode, and rates times directions, and difference quotients of the velocity over sites, n = 8";
    Ok(Comparison::digits(&["L003.16"], what, &predicted, &measured))
}

/// The least ratio decides; the sum of the eigenvalues, which note 003 names as well, is largest at k = 0 throughout.
fn which() -> Result<Comparison, LabError> {
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    for (xi_pos, xi_neg) in [(0.8, 1.5), (0.6, 1.2), (1.0, 1.6), (1.5, 0.8)] {
        let flow = flow(xi_pos, xi_neg, gaussian());
        let GaussianFlow { eigs_pos, eigs_neg } = &flow.classes;
        predicted.push(stable_mode(eigs_pos, eigs_neg, 0.0).k as f64);
        let power = power_by_frequency(&end(&flow, &start(1))?);
        measured.push(largest(&power));
        let sums: Vec<f64> = (0..=N / 2).map(|k| eigs_pos[k] + eigs_neg[k]).collect();
        source.push(largest(&sums));
    }
    let what = "the frequency of least l0/l1, and the one with all the power where the flow ends, four pairs of lengths";
    Ok(Comparison::digits(&["L003.17"], what, &predicted, &measured).source(&source))
}

/// The place of the largest entry.
fn largest(list: &[f64]) -> f64 {
    let best = (0..list.len()).max_by(|a, b| list[*a].total_cmp(&list[*b]));
    best.map_or(f64::NAN, |k| k as f64)
}
