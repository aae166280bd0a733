//! How a gate on the cube expands over products of single sites (note 000, section 3.1).

use super::prelude::*;
use fovea_theory::Spins;
use fovea_theory::cube::chow::{self, Chow, chow};
use fovea_theory::cube::smallest_k::{self, smallest_k};
use fovea_theory::cube::walsh::{self, Expansion, note_20, walsh};
use fovea_theory::ising::cov as ising;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "gate-expansions",
    summary: "How a gate on the cube, and the mean behind it, expand over products of single sites.",
    covers: &[
        "L000.33",
        "L000.34",
        "L000.35",
        "L000.37",
        "L000.50/expansion",
        "L000.50/influences",
        "L000.50/separation",
    ],
    run,
};

const RING: usize = 7;
const COUPLING: f64 = 0.5;
const WEIGHTS: [f64; RING] = [1.0, -0.7, 0.4, 0.25, -0.9, 0.55, 0.15];

/// A distribution, weights, and the gated mean by degrees of its gate.
type Walsh = fn(&Spins, &[f64]) -> Result<Expansion, FormError>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let corners = Corners::ising(RING, COUPLING);
    // 1(X = x), linear in X.
    let indicator: fn(f64, f64) -> f64 = effort.slip(
        "1(X_i = x_i)",
        "1/2 (X_i + x_i), without the sign of x_i",
        |at, x| 0.5 * at.signum() * (x + at),
        |at, x| 0.5 * (x + at),
    );
    let walsh: Walsh = effort.form(&walsh::ENTRY, walsh, |spins, w| {
        Ok(Expansion { f: note_20(spins, w), ..walsh(spins, w)? })
    });
    Ok(vec![
        products(&corners, indicator),
        accepted_vertices(effort, indicator),
        expansion(&corners, walsh)?,
        site_functions(effort, &corners),
        of_signs(walsh)?,
        degree_one(effort, &corners),
        separation(effort),
    ])
}

/// The corners of the half space `<w,y> >= 0`.
fn accepted<'a>(corners: &'a Corners, w: &[f64]) -> Vec<&'a [f64]> {
    corners.states().filter(|y| dot(w, y) >= 0.0).collect()
}

/// The sum over vertices of products of indicators, each linear in its spin.
fn sum_of_products(vertices: &[&[f64]], x: &[f64], indicator: fn(f64, f64) -> f64) -> f64 {
    let product = |y: &&[f64]| y.iter().zip(x).map(|(y, x)| indicator(*y, *x)).product::<f64>();
    vertices.iter().map(product).sum()
}

/// The gated mean with the gate as a sum of products.
fn products(corners: &Corners, indicator: fn(f64, f64) -> f64) -> Comparison {
    let vertices = accepted(corners, &WEIGHTS);
    let gate = |x: &[f64]| sum_of_products(&vertices, x, indicator);
    let predicted: Vec<f64> = (0..RING).map(|j| corners.mean(|x| gate(x) * x[j])).collect();
    let measured = corners.gated_mean(&WEIGHTS, true);
    let what = "an Ising ring of 7, coupling 0.5: f(w) with the gate as a sum of products of 1/2 sgn(x_i) (X_i + x_i), and with the gate itself, over all corners";
    Comparison::digits(&["L000.33"], what, &predicted, &measured)
}

/// The gate itself at every corner, with weights that put corners on the hyperplane and with weights that do not.
fn accepted_vertices(effort: &Effort, indicator: fn(f64, f64) -> f64) -> Comparison {
    let with_walls = effort.slip(
        "accepted vertices",
        "those with <w,y> > 0, without the ones on the hyperplane",
        true,
        false,
    );
    let cube = Corners::ising(6, 0.0);
    let lists = [[1.0, -0.7, 0.4, 0.25, -0.9, 0.55], [3.0, -1.0, 2.0, 2.0, 1.0, -1.0]];
    let mut hits = 0;
    for w in lists {
        let vertices: Vec<&[f64]> =
            accepted(&cube, &w).into_iter().filter(|y| with_walls || dot(&w, y) > 0.0).collect();
        let obeys = |x: &&[f64]| {
            let gate = f64::from(u8::from(dot(&w, x) >= 0.0));
            (sum_of_products(&vertices, x, indicator) - gate).abs() < 1e-12
        };
        hits += cube.states().filter(obeys).count();
    }
    let what = "two lists of six weights, one of which puts corners on the hyperplane <w,x> = 0: at how many of all corners the sum over accepted vertices of products of indicators is the gate; a guess of 0 or 1 is right at one in two";
    Comparison::all(&["L000.34"], what, (hits, 128), 0.5).enumerated()
}

fn expansion(corners: &Corners, walsh: Walsh) -> Result<Comparison, LabError> {
    let spins = Spins::ising(RING, COUPLING).map_err(FormError::from)?;
    let predicted = walsh(&spins, &WEIGHTS)?.f;
    let measured = corners.gated_mean(&WEIGHTS, true);
    let what = "an Ising ring of 7, coupling 0.5: f(w) by the Walsh expansion of its gate over odd subsets, and over all corners; the note sums over sites";
    let source = note_20(&spins, &WEIGHTS);
    Ok(Comparison::digits(&["L000.35"], what, &predicted, &measured).source(&source))
}

/// The counts of a half space that the largest weight decides alone.
fn extracted(w: &[f64]) -> Chow {
    let (size, corners) = (|i: &usize| w[*i].abs(), libm::exp2(w.len() as f64));
    let peak = (0..w.len()).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(0);
    let banzhaf: Vec<f64> =
        (0..w.len()).map(|j| if j == peak { w[j].signum() } else { 0.0 }).collect();
    let counts = |sign: f64| banzhaf.iter().map(|b| 0.25 * corners * (1.0 + sign * b)).collect();
    Chow { n_plus: counts(1.0), n_minus: counts(-1.0), ties: 0.0, banzhaf }
}

/// `g_j(x) = N+ 1(x_j = 1) + N- 1(x_j = -1)`.
fn site_functions(effort: &Effort, corners: &Corners) -> Comparison {
    let chow: fn(&[f64]) -> Chow = effort.form(&chow::ENTRY, chow, extracted);
    let chow = chow(&WEIGHTS);
    let accepted = accepted(corners, &WEIGHTS);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for x in corners.states() {
        for j in 0..RING {
            predicted.push(if x[j] > 0.0 { chow.n_plus[j] } else { chow.n_minus[j] });
            measured.push(accepted.iter().filter(|y| y[j] * x[j] > 0.0).count() as f64);
        }
    }
    let what = "seven weights: N+ and N- by meeting in the middle, and g_j(x) at all 128 corners x by counting the accepted corners that agree with x at site j";
    Comparison::digits(&["L000.37"], what, &predicted, &measured)
}

/// Signs of Gaussians: the expansion with their closed distribution, and their gated mean with every orthant by quadrature.
fn of_signs(walsh: Walsh) -> Result<Comparison, LabError> {
    let (n, xi, w) = (4, 1.2, [1.0, -0.7, 0.45, 0.25]);
    let row = kernel_row(n, xi, Kernel::Ring);
    let latent: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| row[distance(i, j, n)]).collect()).collect();
    let spins = Spins::signs(&latent).map_err(FormError::from)?;
    let measured = Corners::signs(n, xi).gated_mean(&w, true);
    let what = "sign data, n = 4, xi = 1.2: f(w) by the Walsh expansion of its gate with the closed distribution of the signs, and over all corners with the probability of each by quadrature over its orthant";
    Ok(Comparison::digits(&["L000.50/expansion"], what, &walsh(&spins, &w)?.f, &measured))
}

/// The part of f that is linear in single sites: influences times columns of the covariance, and both by counting corners.
fn degree_one(effort: &Effort, corners: &Corners) -> Comparison {
    let chow: fn(&[f64]) -> Chow = effort.form(&chow::ENTRY, chow, extracted);
    let cov: fn(usize, f64) -> Vec<f64> = effort.form(&ising::ENTRY, ising::cov, |n, coupling| {
        (0..=n / 2).map(|d| libm::pow(libm::tanh(coupling), d as f64)).collect()
    });
    let half = effort.slip("h(j) of L000.50", "the influence, not half of it", 0.5, 1.0);
    let influences = chow(&WEIGHTS).banzhaf;
    let predicted =
        scaled(half, &circulant_apply(&unfold(&cov(RING, COUPLING), RING), &influences));
    let gate = Corners::ising(RING, 0.0).gated_mean(&WEIGHTS, true);
    let counted = |i: usize| (0..RING).map(|j| gate[j] * corners.mean(|x| x[i] * x[j])).sum();
    let measured: Vec<f64> = (0..RING).map(counted).collect();
    let what = "an Ising ring of 7, coupling 0.5: degree-one part of f as half the influences times closed covariances, and Walsh coefficients and covariances over all corners";
    Comparison::digits(&["L000.50/influences"], what, &predicted, &measured)
}

/// The smallest number of weights that decide the gate, and the first whose gate agrees on all corners.
fn separation(effort: &Effort) -> Comparison {
    let smallest: fn(&[f64]) -> usize = effort.form(&smallest_k::ENTRY, smallest_k, <[f64]>::len);
    let cube = Corners::ising(6, 0.0);
    let stream = effort.streams.named("separation");
    let mut lists = vec![vec![1.0, 1.0, 0.3125, 0.25, 0.015_625, 0.015_625]];
    for draw in 0..99 {
        let mut w = vec![0.0; 6];
        stream.normals(draw, &mut w);
        for z in &mut w {
            *z = libm::exp(1.5 * *z);
        }
        w.sort_unstable_by(|a, b| b.total_cmp(a));
        lists.push(w);
    }
    let decides = |w: &[f64], k: usize| {
        cube.states().all(|x| (dot(w, x) >= 0.0) == (dot(&w[..k], &x[..k]) >= 0.0))
    };
    let first = |w: &[f64]| (1..=6).find(|k| decides(w, *k)).unwrap_or(6);
    let mut found = [0_usize; 7];
    let mut hits = 0;
    for w in &lists {
        let first = first(w);
        found[first] += 1;
        hits += usize::from(smallest(w) == first);
    }
    // A guess that never changes is right as often as the most frequent answer.
    let by_chance = found.into_iter().max().unwrap_or(0) as f64 / lists.len() as f64;
    let what = "99 random lists of six lognormal weights and one with a tie of its first two: the separation index, the smallest k at which every signed sum of the k largest weights outweighs the rest, and the smallest number of largest weights whose gate agrees with that of all on all corners; a guess that never changes is right as often as the most frequent number";
    Comparison::all(&["L000.50/separation"], what, (hits, lists.len()), by_chance).enumerated()
}
