//! Steady states of one unit on Gaussian data: one frequency, its amplitude, its phase and its stability (note 003).

use super::prelude::*;
use super::where_it_ends::{
    Power, Rows, between, classes, eigs, from_eigs, power_at_rest, settled, stable_frequency,
    start, velocity, zero,
};
use fovea_core::fourier::power_by_frequency;
use fovea_theory::relu::relaxation::{self, relaxation};
use fovea_theory::relu::stable_mode::stable_mode;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "steady-modes",
    summary: "Steady states of the flow of one unit: one frequency, its amplitude, its stability.",
    covers: &[
        "L003.12",
        "L003.13",
        "L003.14",
        "L003.15",
        "L003.16/rates",
        "L003.16/losses",
        "L003.16/stable",
    ],
    run,
};

const N: usize = 8;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let power = power_at_rest(effort);
    Ok(vec![
        shared_ratio(effort)?,
        amplitude(power),
        circle(effort, power)?,
        how_many(effort)?,
        rates(effort)?,
        losses(effort),
        stable(effort)?,
    ])
}

/// The cosine of frequency `k` shifted by `phase`, of norm 1.
fn wave(k: usize, phase: f64) -> Vec<f64> {
    let first = basis_vector((2 * k).saturating_sub(1), N);
    if k == 0 || 2 * k == N {
        return first;
    }
    let (sin, cos) = libm::sincos(phase);
    combined(cos, &first, sin, &basis_vector(2 * k, N))
}

/// The field along `mode` whose velocity along it is 0: velocities of such a field point along it.
fn resting(rows: &Rows, mode: &[f64]) -> Vec<f64> {
    let along = |a: f64| dot(mode, &velocity(rows, 1.0, &scaled(a, mode)));
    let (mut low, mut high) = (1e-3, 20.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if along(middle) > 0.0 { low = middle } else { high = middle }
    }
    scaled(low, mode)
}

/// `E (1(pos) - ReLU(S))^2 / 2` from integrals over the preactivation.
fn loss(rows: &Rows, w: &[f64]) -> f64 {
    let square = |row: &[f64], label: f64| {
        let std = form(row, w, w).sqrt();
        let error = |z: f64| (std * z).max(0.0) - label;
        normal_expectation(|z| error(z) * error(z), &[0.0]).value
    };
    0.25 * (square(&rows[0], 1.0) + square(&rows[1], 0.0))
}

/// At a steady state `q_k + 1 = sqrt(2/pi) / s_1` for every mode that is not 0.
fn shared_ratio(effort: &Effort) -> Result<Comparison, LabError> {
    let pos_over_neg =
        effort.slip("ratio at a steady state", "class pos over class neg", false, true);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    let mut look = |rows: &Rows, k: usize, w: &[f64]| {
        let [pos, neg] = eigs(rows);
        let ratio = if pos_over_neg { pos[k] / neg[k] } else { neg[k] / pos[k] };
        predicted.push(ratio + 1.0);
        measured.push((FRAC_2_PI / form(&rows[0], w, w)).sqrt());
    };
    let rows = classes(1.5, 0.8);
    for k in 0..=N / 2 {
        look(
            &rows,
            k,
            &effort
                .once(&format!("rest {k}"), || Ok::<_, LabError>(resting(&rows, &wave(k, 0.7))))?,
        );
    }
    // Two frequencies of one ratio have a common steady state.
    let shared = shared();
    for s in [3, 4] {
        let w = effort.once(&format!("shared {s}"), || settled(&shared, 1.0, s))?;
        // A steady state of a single frequency would not test two.
        let power = power_by_frequency(&w);
        let w = if power[1].min(power[3]) > 0.1 * dot(&w, &w) { w } else { vec![0.0; N] };
        look(&shared, 1, &w);
        look(&shared, 3, &w);
    }
    let what = "Gaussian classes, n = 8: l0/l1 + 1 of the active frequencies, and sqrt(2/pi) / s_1 at the zero of the velocity along each mode (xi_pos = 1.5, xi_neg = 0.8) and at a steady state of two frequencies of one ratio, each with more than a tenth of the power, velocities integrated over the value of each site";
    Ok(Comparison::digits(&["L003.12"], what, &predicted, &measured))
}

/// The amplitude of a single mode; note 003 (25) omits a root.
fn amplitude(power: Power) -> Comparison {
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    for (xi_pos, xi_neg) in [(1.5, 0.8), (0.8, 1.5)] {
        let rows = classes(xi_pos, xi_neg);
        let [pos, neg] = eigs(&rows);
        for k in [0, N / 2] {
            let w = resting(&rows, &wave(k, 0.0));
            predicted.push(power(&pos, &neg, k));
            measured.push(dot(&w, &w));
            source.push(FRAC_2_PI.sqrt() / (pos[k] + neg[k]));
        }
    }
    let what = "Gaussian classes, n = 8, lengths 1.5 and 0.8 in both orders: u_k^2 of a single mode, k = 0 and 4, in closed form, and at the zero of the velocity along it, integrated over the value of each site";
    Comparison::digits(&["L003.13"], what, &predicted, &measured).source(&source)
}

/// The sum of the two squares is fixed and the phase is the start's; note 003 (29) omits a root.
fn circle(effort: &Effort, power: Power) -> Result<Comparison, LabError> {
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    let rows = between();
    let [pos, neg] = eigs(&rows);
    for s in 0..3 {
        let end = effort.once(&format!("between {s}"), || settled(&rows, 1.0, s))?;
        let (from, to) = (to_fourier(&start(s)), to_fourier(&end));
        let phase = |u: &[f64]| libm::atan2(u[6], u[5]);
        predicted.extend([power(&pos, &neg, 3), phase(&from)]);
        measured.extend([to[5] * to[5] + to[6] * to[6], phase(&to)]);
        source.extend([FRAC_2_PI.sqrt() / (pos[3] + neg[3]), phase(&from)]);
    }
    let what = "Gaussian classes, n = 8, smallest ratio at k = 3: u_k1^2 + u_k2^2 in closed form and the phase of the start, and those of the steady state that the flow reaches, its velocity integrated over the value of each site, three starts";
    Ok(Comparison::digits(&["L003.14"], what, &predicted, &measured).source(&source))
}

/// The rates at every stationary mode, in the direction of every other.
fn rates(effort: &Effort) -> Result<Comparison, LabError> {
    let rows = classes(1.5, 0.8);
    let [pos, neg] = eigs(&rows);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for k in 0..=N / 2 {
        let missing = || FormError::NoSteadyState { k };
        let right = relaxation(&pos, &neg, k).ok_or_else(missing)?;
        let linear = |j: usize| -0.25 * (pos[j] + neg[j]);
        let rates = effort.form(&relaxation::ENTRY, right.rates, (0..=N / 2).map(linear).collect());
        let alone = k == 0 || 2 * k == N;
        // Directions: the field itself, its shift, and every other mode.
        let mut directions = vec![(wave(k, 0.7), right.radial)];
        if !alone {
            directions.push((wave(k, 0.7 + FRAC_PI_2), 0.0));
        }
        let others = (0..N).map(|j| (j, j.div_ceil(2))).filter(|(_, other)| *other != k);
        directions.extend(others.map(|(j, other)| (basis_vector(j, N), rates[other])));
        predicted.extend(directions.iter().flat_map(|(direction, rate)| scaled(*rate, direction)));
        measured.extend(effort.once(&format!("rates {k}"), || {
            let w = resting(&rows, &wave(k, 0.7));
            let h = 2e-4 * dot(&w, &w).sqrt();
            let quotient = |direction: &Vec<f64>| -> Vec<f64> {
                let at = |by: f64| velocity(&rows, 1.0, &combined(1.0, &w, by, direction));
                let (near, far) = (
                    combined(1.0, &at(h), -1.0, &at(-h)),
                    combined(1.0, &at(2.0 * h), -1.0, &at(-2.0 * h)),
                );
                combined(8.0 / (12.0 * h), &near, -1.0 / (12.0 * h), &far)
            };
            Ok::<_, LabError>(
                directions
                    .iter()
                    .flat_map(|(direction, _)| quotient(direction))
                    .collect::<Vec<f64>>(),
            )
        })?);
    }
    let what = "Gaussian classes, n = 8, xi_pos = 1.5, xi_neg = 0.8: rates -1/4 l1_j (q_j - q_k), 0 along the phase and -1/4 (l0 + l1)_k along the field, times directions, at the zero of the velocity along each of five modes, and difference quotients of the velocity there, integrated over the value of each site";
    Ok(Comparison::digits(&["L003.16/rates"], what, &predicted, &measured))
}

/// The loss at every stationary mode: that of the smallest ratio has the smallest, in both orders.
fn losses(effort: &Effort) -> Comparison {
    let depth = effort.slip("loss of a stationary mode", "1/2 pi in place of 1/pi", PI, TAU);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (xi_pos, xi_neg) in [(1.5, 0.8), (0.8, 1.5)] {
        let rows = classes(xi_pos, xi_neg);
        let [pos, neg] = eigs(&rows);
        let at = |k: usize| 0.25 * (1.0 - 1.0 / (depth * (1.0 + neg[k] / pos[k])));
        let found: Vec<f64> =
            (0..=N / 2).map(|k| loss(&rows, &resting(&rows, &wave(k, 0.7)))).collect();
        let least = found.iter().copied().fold(f64::INFINITY, f64::min);
        predicted.extend((0..=N / 2).map(at));
        measured.extend(found);
        // The global minimum is at the smallest ratio.
        let k = stable_mode(&pos, &neg, 0.0).k;
        predicted.push(at(k));
        measured.push(least);
    }
    let what = "Gaussian classes, n = 8, lengths 1.5 and 0.8 in both orders: 1/4 (1 - 1/(pi (1 + q_k))) at every stationary mode, smallest at the smallest ratio, and the loss by integrals over the preactivation at the zero of the velocity along each mode, with the smallest of them";
    Comparison::digits(&["L003.16/losses"], what, &predicted, &measured)
}

/// Frequencies 1 and 3 share the smallest ratio.
fn shared() -> Rows {
    from_eigs([1.0, 1.5, 1.0, 1.8, 0.5], [1.0, 0.5, 0.9, 0.6, 1.0])
}

/// Zeros of the velocity, stable or not, from random fields: how many have one frequency.
fn how_many(effort: &Effort) -> Result<Comparison, LabError> {
    let trials = if effort.quick { 24 } else { 48 };
    let stream = effort.streams.named("zeros");
    let count = |name: &str, rows: &Rows| -> Result<(usize, usize), LabError> {
        let zeros = effort.once(&format!("zeros {name}"), || {
            let draw = |index: u64| {
                let mut w = vec![0.0; N];
                stream.normals(index, &mut w);
                zero(rows, 1.0, w)
            };
            Ok::<_, LabError>(
                (0..4 * trials as u64).filter_map(draw).take(trials).collect::<Vec<Vec<f64>>>(),
            )
        })?;
        let alone = |w: &&Vec<f64>| {
            let power = power_by_frequency(w);
            let all: f64 = power.iter().sum();
            power.iter().any(|p| *p > (1.0 - 1e-9) * all)
        };
        Ok((zeros.iter().filter(alone).count(), zeros.len()))
    };
    let what = "Gaussian classes, n = 8, ratios of five frequencies all different: zeros of the velocity, stable or not, found by damped least squares from random fields; those with one frequency, one coefficient or a cosine-sine pair, and nothing else to 1e-9 of the power; a zero could be anywhere in eight dimensions, and at one frequency with chance 1/2 at most";
    Ok(Comparison::all(&["L003.15"], what, count("between", &between())?, 0.5)
        .against_cases("classes where two frequencies share a ratio", count("shared", &shared())?)
        .enumerated())
}

/// Flat for the longer positive class, the shortest wave for the shorter: the only field that is stable against every small perturbation.
fn stable(effort: &Effort) -> Result<Comparison, LabError> {
    let which = stable_frequency(effort);
    let (mut hits, mut trials) = (0, 0);
    for (xi_pos, xi_neg) in [(1.5, 0.8), (1.2, 0.6), (0.8, 1.5), (0.6, 1.2)] {
        let rows = classes(xi_pos, xi_neg);
        let [pos, neg] = eigs(&rows);
        for k in 0..=N / 2 {
            let key = format!("growth {xi_pos} {xi_neg} {k}");
            let growth =
                effort.once(&key, || largest_rate(&rows, &resting(&rows, &wave(k, 0.7))))?;
            trials += 1;
            hits += usize::from((growth < 0.0) == (k == which(&pos, &neg)));
        }
    }
    let what = "Gaussian classes, n = 8, lengths 1.5 and 0.8, 1.2 and 0.6 in both orders, five stationary modes each: those of which the largest eigenvalue of the difference quotients of the velocity, integrated over the value of each site, is negative at the frequency of smallest ratio, flat where xi_pos is longer and k = 4 where it is shorter, and not negative at any other; its sign is as likely either way";
    Ok(Comparison::all(&["L003.16/stable"], what, (hits, trials), 0.5).enumerated())
}

/// The largest eigenvalue of the Jacobian of the velocity, which is minus a second derivative of the loss and so symmetric.
fn largest_rate(rows: &Rows, w: &[f64]) -> Result<f64, LabError> {
    let h = 1e-4 * dot(w, w).sqrt();
    let column = |j: usize| {
        let mut push = vec![0.0; N];
        push[j] = h;
        let at = |sign: f64| velocity(rows, 1.0, &combined(1.0, w, sign, &push));
        scaled(0.5 / h, &combined(1.0, &at(1.0), -1.0, &at(-1.0)))
    };
    let columns: Vec<Vec<f64>> = (0..N).map(column).collect();
    let entry = |i: usize, j: usize| {
        f64::midpoint(columns[i.min(j)][i.max(j)], columns[i.max(j)][i.min(j)])
    };
    let jacobian: Vec<Vec<f64>> = (0..N).map(|i| (0..N).map(|j| entry(i, j)).collect()).collect();
    Ok(eigenvalues(&jacobian)?.into_iter().fold(f64::NEG_INFINITY, f64::max))
}
