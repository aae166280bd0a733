//! How the flow of one unit depends on the distribution of the data beyond its covariances (notes 000 and 001).

use super::by_hand::gated_by_site;
use super::dense::solve;
use super::prelude::*;
use fovea_core::fourier::from_fourier;
use fovea_core::ode::{DormandPrince, OdeError};
use fovea_theory::Spins;
use fovea_theory::ascent::least_squares;
use fovea_theory::relu::f_gauss::{self, f_gauss};
use fovea_theory::relu::flow_single;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "law-of-the-data",
    summary: "Where gated and linear term are equal, what a frozen gate learns, and the term that is the same for every distribution.",
    covers: &["L000.43/norm", "L001.79/limit", "L001.79/low-pass", "L001.80"],
    run,
};

/// Spins on the ring.
pub const RING: usize = 7;
const COUPLINGS: [f64; 2] = [0.6, 0.2];
/// A gate without symmetry.
pub const WEIGHTS: [f64; RING] = [1.0, -0.7, 0.4, 0.25, -0.9, 0.55, 0.15];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![equal_terms(effort)?, frozen_gate(effort)?, low_pass(effort), input_input(effort)])
}

/// The norm at which gated and linear term are equal, in closed form and by difference quotients.
fn equal_terms(effort: &Effort) -> Result<Comparison, LabError> {
    let (corners, spins) = both()?;
    let sum: Vec<f64> =
        spins[0].first_row().iter().zip(spins[1].first_row()).map(|(a, b)| a + b).collect();
    let norm = |v: &[f64]| dot(v, v).sqrt();
    let unit: Vec<f64> = WEIGHTS.iter().map(|w| w / norm(&WEIGHTS)).collect();
    // Half the gated mean is equal to this share of M w.
    let decay = decay(effort);
    let predicted =
        0.5 * norm(&spins[0].gated_mean(&unit)) / (decay * norm(&circulant_apply(&sum, &unit)));
    // The two parts of the loss, E[Y ReLU] and E ReLU^2 / 2, by enumeration.
    let relu = |w: &[f64], x: &[f64]| dot(w, x).max(0.0);
    let taught = |w: &[f64]| 0.5 * corners[0].mean(|x| relu(w, x));
    let power =
        |w: &[f64]| 0.25 * corners.iter().map(|c| c.mean(|x| relu(w, x) * relu(w, x))).sum::<f64>();
    let gap = |scale: f64| {
        let w: Vec<f64> = unit.iter().map(|w| scale * w).collect();
        // A step in proportion to the weights: no corner is within it of the hyperplane.
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
    let what = "norm at which gated and linear term are equal, Ising rings of 7, couplings 0.6 and 0.2, one direction: 2|f(v)|/|Mv|, and where difference quotients of E[Y ReLU] and E[ReLU^2]/2 over all corners have equal norm";
    Ok(Comparison::digits(&["L000.43/norm"], what, &[predicted], &[low]))
}

/// The share of `M w` in the flow; note 000 (4) has twice as much.
fn decay(effort: &Effort) -> f64 {
    effort.form(&flow_single::ENTRY, 0.25, 0.5)
}

/// A gate frozen at `v`: the limit of the linear flow is one step of the map from a gate to least squares.
fn frozen_gate(effort: &Effort) -> Result<Comparison, LabError> {
    let (corners, spins) = both()?;
    let rows = [0, 1].map(|class| spins[class].first_row());
    let sum: Vec<f64> = rows[0].iter().zip(&rows[1]).map(|(a, b)| a + b).collect();
    let share = effort.slip(
        "limit of a frozen gate",
        "M^-1 f(v), without the gate that halves M",
        1.0,
        0.5,
    );
    let predicted = scaled(share, &least_squares(&sum, &spins[0].gated_mean(&WEIGHTS)));
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
    let what = "limit of a unit whose gate is frozen at v, Ising rings of 7, couplings 0.6 and 0.2: 2 M^-1 f(v), and the flow with its gated moments over all corners followed to t = 400";
    Ok(Comparison::digits(&["L001.79/limit"], what, &predicted, path.last()))
}

/// On Gaussian data that limit is the gate itself, each frequency weighted by `l_1/(l_0 + l_1)`.
fn low_pass(effort: &Effort) -> Comparison {
    let rows = [1.5, 0.8].map(|xi| kernel_row(RING, xi, Kernel::Ring));
    let [pos, neg] = [0, 1].map(|class: usize| circulant_eigs(&rows[class]));
    let gated: fn(&[f64], &[f64]) -> Vec<f64> =
        effort.form(&f_gauss::ENTRY, f_gauss, |row, w| scaled(2.0, &f_gauss(row, w)));
    let filter = |k: usize| {
        let right = 1.0 / (pos[k] + neg[k]);
        effort.slip("filter of a frozen gate", "the teacher alone, M left out", right, 1.0)
    };
    let mut told = to_fourier(&gated(&rows[0], &WEIGHTS));
    told.iter_mut().enumerate().for_each(|(j, u)| *u *= 2.0 * filter(frequency_of(j, RING)));
    let predicted = from_fourier(&told);
    // Normal equations behind the gate: E[X_i X_j; S > 0] of both classes and E[X_j; S > 0] of one, integrated over S.
    let behind = |row: &[f64]| -> Vec<Vec<f64>> {
        let image = circulant_apply(row, &WEIGHTS);
        let variance = dot(&image, &WEIGHTS);
        let entry = |i: usize, j: usize| {
            let (product, left) = (image[i] * image[j] / variance, row[distance(i, j, RING)]);
            let given = |z: f64| left - product + product * z * z;
            normal_expectation(|z| if z > 0.0 { given(z) } else { 0.0 }, &[0.0]).value
        };
        (0..RING).map(|i| (0..RING).map(|j| entry(i, j)).collect()).collect()
    };
    let [one, other] = [0, 1].map(|class: usize| behind(&rows[class]));
    let matrix = one.iter().zip(&other).map(|(a, b)| combined(1.0, a, 1.0, b)).collect();
    let teacher = (0..RING).map(|j| gated_by_site(&rows[0], &WEIGHTS, j)[0]).collect();
    let limit = solve(matrix, teacher);
    let ids = &["L001.79/low-pass"];
    // The share of each frequency of the gate that the limit keeps.
    let power = |w: &[f64]| {
        let mut sums = [0.0; RING / 2 + 1];
        to_fourier(w).iter().enumerate().for_each(|(j, u)| sums[frequency_of(j, RING)] += u * u);
        sums
    };
    let kept = |w: &[f64]| -> Vec<f64> {
        power(w).iter().zip(power(&WEIGHTS)).map(|(after, before)| after / before).collect()
    };
    let falling = |kept: &[f64]| kept.windows(2).filter(|pair| pair[1] < pair[0]).count();
    let mut exchanged = to_fourier(&WEIGHTS);
    exchanged.iter_mut().enumerate().for_each(|(j, u)| {
        let k = frequency_of(j, RING);
        *u *= neg[k] / (pos[k] + neg[k]);
    });
    let what = "limit of a unit whose gate is frozen at v, Gaussian classes, n = 7, xi_pos = 1.5, xi_neg = 0.8: v with each frequency weighted by l_1/(l_0 + l_1), and the least squares behind the gate with moments integrated over S";
    let order = "number of the 3 steps to the next frequency at which the share of v that the least squares keep falls";
    Comparison::digits(ids, what, &predicted, &limit).and(
        Comparison::all(ids, order, (falling(&kept(&limit)), RING / 2), 0.0)
            .enumerated()
            .against_cases(
                "the classes exchanged",
                (falling(&kept(&from_fourier(&exchanged))), RING / 2),
            ),
    )
}

/// `-(1/4) M w`, and the gated second moments of Gaussian and of Ising data.
fn input_input(effort: &Effort) -> Comparison {
    let corners = COUPLINGS.map(|coupling| Corners::ising(RING, coupling));
    let gaussian = [1.5, 0.8].map(|xi| kernel_row(RING, xi, Kernel::Ring));
    let ising = [0, 1].map(|class: usize| -> Vec<f64> {
        (0..RING).map(|d| corners[class].mean(|x| x[0] * x[d])).collect()
    });
    let share = decay(effort);
    let decayed = |rows: &[Vec<f64>; 2], share: f64| -> Vec<f64> {
        scaled(-share, &circulant_apply(&combined(1.0, &rows[0], 1.0, &rows[1]), &WEIGHTS))
    };
    let predicted = [decayed(&gaussian, share), decayed(&ising, share)].concat();
    let angle = |j: usize| -0.5 * gaussian.iter().map(|row| by_angle(row, j)).sum::<f64>();
    let all = |j: usize| {
        -0.5 * corners.iter().map(|c| c.mean(|x| gate(x) * dot(&WEIGHTS, x) * x[j])).sum::<f64>()
    };
    let measured: Vec<f64> = (0..RING).map(angle).chain((0..RING).map(all)).collect();
    let what = "input-input term of Gaussian data, xi_pos = 1.5, xi_neg = 0.8, and of Ising rings, couplings 0.6 and 0.2, n = 7: -(C0+C1)w/4, and -E[1(S>0) S X] by the angle of (X_j, S) and over all corners";
    // In note 001 it cancels for Gaussian data; for the others the note gives no number.
    let source = [&[0.0; RING][..], &decayed(&ising, 0.25)].concat();
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
