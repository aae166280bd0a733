//! What the flow of one unit owes to the covariances alone, and what to the law of the data (notes 000 and 001).

use super::prelude::*;
use fovea_core::ode::{DormandPrince, OdeError};
use fovea_core::stats::Accumulator;
use fovea_sim::expect::{self, expect};
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::Spins;
use fovea_theory::ascent::least_squares;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::relu::f_gauss::f_gauss;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "law-of-the-data",
    summary: "The linear term of the flow is the same for every symmetric law; the gated term is not.",
    covers: &["L000.9", "L000.43", "L001.79", "L001.80"],
    run,
};

/// Spins on the ring.
pub const RING: usize = 7;
const COUPLINGS: [f64; 2] = [0.6, 0.2];
/// A gate without symmetry.
pub const WEIGHTS: [f64; RING] = [1.0, -0.7, 0.4, 0.25, -0.9, 0.55, 0.15];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![early(effort)?, equal_terms()?, frozen_gate()?, input_input()])
}

/// The linear term on sign data, mode by mode, and how much smaller the gated term is at random weights.
fn early(effort: &Effort) -> Result<Comparison, LabError> {
    let (n, lengths) = (40, [2.0, 1.0]);
    let rows = lengths.map(|xi| kernel_row(n, xi, Kernel::Ring));
    let sum: Vec<f64> = rows[0].iter().zip(&rows[1]).map(|(pos, neg)| pos + neg).collect();
    let mut w = vec![0.0; n];
    effort.streams.named("weights").normals(0, &mut w);
    // E[1(S >= 0) S <v_k, X>] over both classes of signs, for some cosines v_k.
    let waves = [0, 1, 3, 7, 15];
    let vectors: Vec<Vec<f64>> = waves.iter().map(|j| basis_vector(*j, n)).collect();
    let mut pairs = Vec::new();
    let mut measured = Vec::new();
    for (class, xi) in lengths.into_iter().enumerate() {
        let signs = Nlgp::on_ring(n, xi, f64::INFINITY, Kernel::Ring).sampler()?;
        let stream = effort.streams.named(["pos", "neg"][class]);
        let count = effort.samples(400_000);
        measured.push(expect(&signs, &stream, count, waves.len(), |x, out| {
            let s = expect::dot(&w, x);
            for (out, v) in out.iter_mut().zip(&vectors) {
                *out = if s >= 0.0 { s * expect::dot(v, x) } else { 0.0 };
            }
        })?);
    }
    let eigs = [0, 1].map(|class| {
        circulant_eigs(&rows[class].iter().map(|r| cov(*r, f64::INFINITY)).collect::<Vec<_>>())
    });
    for (i, j) in waves.iter().enumerate() {
        let (k, u) = (frequency_of(*j, n), expect::dot(&vectors[i], &w));
        for class in [0, 1] {
            // Half the mode's eigenvalue times its weight, whatever the gate.
            pairs.push((measured[class][i], 0.5 * eigs[class][k] * u));
        }
    }
    // Means over weights of |f/2| / |M w/4|, Gaussian data.
    let draws = effort.samples(20_000);
    for (deviation, claimed) in [(1.0, 0.0784), ((2.0 / (n as f64 + 1.0)).sqrt(), 0.356)] {
        let mut ratios = Accumulator::new();
        let stream = effort.streams.named(if deviation < 1.0 { "glorot" } else { "normal" });
        for index in 0..draws {
            stream.normals(index as u64, &mut w);
            for w in &mut w {
                *w *= deviation;
            }
            let (f, decay) = (f_gauss(&rows[0], &w), circulant_apply(&sum, &w));
            ratios.push(2.0 * (dot(&f, &f) / dot(&decay, &decay)).sqrt());
        }
        pairs.push((ratios.estimate()?, claimed));
    }
    let what = "E[1(S>0) S X] of signs in five Fourier modes beside half their eigenvalues times the weights; mean |f/2|/|Mw/4| of Gaussian data at N(0,I) and Glorot weights beside the 0.0784 and 0.356 that were measured before; n = 40, xi_pos = 2, xi_neg = 1";
    Ok(Comparison::noise(&["L000.9"], what, &pairs))
}

/// The norm at which gated and linear term are equal, and where their difference quotients are.
fn equal_terms() -> Result<Comparison, LabError> {
    let (corners, spins) = both()?;
    let sum: Vec<f64> =
        spins[0].first_row().iter().zip(spins[1].first_row()).map(|(a, b)| a + b).collect();
    let norm = |v: &[f64]| dot(v, v).sqrt();
    let unit: Vec<f64> = WEIGHTS.iter().map(|w| w / norm(&WEIGHTS)).collect();
    let predicted = 2.0 * norm(&spins[0].gated_mean(&unit)) / norm(&circulant_apply(&sum, &unit));
    // The two parts of the loss, E[Y ReLU] and E ReLU^2 / 2, by enumeration.
    let relu = |w: &[f64], x: &[f64]| dot(w, x).max(0.0);
    let taught = |w: &[f64]| 0.5 * corners[0].mean(|x| relu(w, x));
    let power =
        |w: &[f64]| 0.25 * corners.iter().map(|c| c.mean(|x| relu(w, x) * relu(w, x))).sum::<f64>();
    let gap = |scale: f64| {
        let w: Vec<f64> = unit.iter().map(|w| scale * w).collect();
        // A step in proportion to the weights: no corner lies within it of the wall.
        let h = 1e-3 * w.iter().fold(0.0, |top: f64, w| top.max(w.abs()));
        norm(&gradient(&w, h, taught)) - norm(&gradient(&w, h, power))
    };
    let (mut low, mut high) = (1e-2, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if gap(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let what = "norm at which gated and linear term are equal, 2|f(v)|/|Mv|, Ising rings of 7 sites, and where difference quotients of E[Y ReLU] and E[ReLU^2]/2 over all corners have equal norm";
    Ok(Comparison::digits(&["L000.43"], what, &[predicted], &[low]))
}

/// A gate frozen at `v`: the limit of the linear flow is one step of the map from a gate to least squares.
fn frozen_gate() -> Result<Comparison, LabError> {
    let (corners, spins) = both()?;
    let rows = [0, 1].map(|class| spins[class].first_row());
    let sum: Vec<f64> = rows[0].iter().zip(&rows[1]).map(|(a, b)| a + b).collect();
    let predicted = least_squares(&sum, &spins[0].gated_mean(&WEIGHTS));
    let teacher = corners[0].gated_mean(&WEIGHTS, true);
    let moment = |w: &[f64], j: usize| {
        corners.iter().map(|c| c.mean(|x| gate(x) * dot(w, x) * x[j])).sum::<f64>()
    };
    // The gate stays that of WEIGHTS while w moves: A = E[1(<v,x> > 0) x x'] over both classes.
    let columns: Vec<Vec<f64>> = (0..RING)
        .map(|i| {
            let mut e = [0.0; RING];
            e[i] = 1.0;
            (0..RING).map(|j| moment(&e, j)).collect()
        })
        .collect();
    let velocity = |_: f64, w: &[f64], out: &mut [f64]| {
        for (j, out) in out.iter_mut().enumerate() {
            *out =
                0.5 * teacher[j] - 0.5 * columns.iter().zip(w).map(|(c, w)| c[j] * w).sum::<f64>();
        }
    };
    let solver = DormandPrince { rtol: 1e-11, atol: 1e-14, max_steps: 100_000, h0: None };
    let path = solver.solve(velocity, 0.0, 400.0, &WEIGHTS).map_err(ode)?;
    let what = "limit of a unit whose gate is frozen at v: 2 M^-1 f(v), and the flow with its gated moments over all corners of two Ising rings followed to t = 400";
    Ok(Comparison::digits(&["L001.79"], what, &predicted, path.last()))
}

/// `-(1/4) M w`, and the gated second moments of Gaussian and of Ising data.
fn input_input() -> Comparison {
    let corners = COUPLINGS.map(|coupling| Corners::ising(RING, coupling));
    let gaussian = [1.5, 0.8].map(|xi| kernel_row(RING, xi, Kernel::Ring));
    let ising = [0, 1].map(|class: usize| -> Vec<f64> {
        (0..RING).map(|d| corners[class].mean(|x| x[0] * x[d])).collect()
    });
    let decay = |rows: &[Vec<f64>; 2]| -> Vec<f64> {
        let sum: Vec<f64> = rows[0].iter().zip(&rows[1]).map(|(a, b)| a + b).collect();
        circulant_apply(&sum, &WEIGHTS).iter().map(|x| -0.25 * x).collect()
    };
    let predicted = [decay(&gaussian), decay(&ising)].concat();
    let angle = |j: usize| -0.5 * gaussian.iter().map(|row| by_angle(row, j)).sum::<f64>();
    let all = |j: usize| {
        -0.5 * corners.iter().map(|c| c.mean(|x| gate(x) * dot(&WEIGHTS, x) * x[j])).sum::<f64>()
    };
    let measured: Vec<f64> = (0..RING).map(angle).chain((0..RING).map(all)).collect();
    let what = "input-input term -(C0+C1)w/4 of Gaussian data and of Ising rings, and -E[1(S>0) S X] by the angle of (X_j, S) and over all corners";
    // Note 001 lets it cancel for Gaussian data; for the others it names no number.
    let source = [&[0.0; RING][..], &predicted[RING..]].concat();
    Comparison::digits(&["L001.80"], what, &predicted, &measured).source(&source)
}

fn gate(x: &[f64]) -> f64 {
    if dot(&WEIGHTS, x) >= 0.0 { 1.0 } else { 0.0 }
}

/// `E[S X_j; S > 0]` of a Gaussian pair: the radius gives 2, the angle is integrated.
fn by_angle(row: &[f64], j: usize) -> f64 {
    let image = circulant_apply(row, &WEIGHTS);
    let deviation = dot(&image, &WEIGHTS).sqrt();
    let along = image[j] / deviation;
    let across = (row[0] - along * along).max(0.0).sqrt();
    let integrand = |angle: f64| {
        let (sin, cos) = libm::sincos(angle);
        deviation * cos * (along * cos + across * sin)
    };
    adaptive(integrand, -FRAC_PI_2, FRAC_PI_2, 1e-14).value * 2.0 / TAU
}

fn both() -> Result<([Corners; 2], [Spins; 2]), LabError> {
    let spins = |coupling| Spins::ising(RING, coupling).map_err(FormError::from);
    let [pos, neg] = COUPLINGS;
    Ok((COUPLINGS.map(|coupling| Corners::ising(RING, coupling)), [spins(pos)?, spins(neg)?]))
}

fn ode(error: OdeError) -> LabError {
    FormError::from(error).into()
}
