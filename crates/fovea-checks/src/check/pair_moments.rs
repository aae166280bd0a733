//! Two Gaussian preactivations: their density, their angle, and their second moments where both are positive.

use super::dense::solve;
use super::prelude::*;
use fovea_core::fourier::from_fourier;
use fovea_core::special::erf;
use fovea_sim::expect::expect;
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_theory::relu::pair_moments::{self, PairMoments, pair_moments};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "pair-moments",
    summary: "Two Gaussian preactivations: density, angle, regression on two sites, and second moments where both are positive.",
    covers: &["L001.12", "L001.14", "L001.15", "L001.20", "L001.24", "L001.25", "L001.27"],
    run,
};

const VARIANCES: [f64; 2] = [2.0, 0.7];
const CORRELATIONS: [f64; 5] = [-0.9, -0.7, 0.0, 0.5, 0.98];

/// Two variances and a covariance, and the moments where both variables are positive.
pub(super) type Moments = fn(f64, f64, f64) -> Option<PairMoments>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let mut comparisons = second_moments(effort)?;
    comparisons.extend([
        regression_of_two().and(regression_of_three(effort)),
        angle(effort),
        density(effort),
        given(effort)?,
        open(effort),
    ]);
    Ok(comparisons)
}

/// Note 001 (25) and (30) as printed.
pub(super) fn printed(var_s: f64, var_t: f64, cov: f64) -> Option<PairMoments> {
    let product = var_s * var_t;
    let gamma = cov / product.sqrt();
    let bend = cov / product * (product - cov * cov).sqrt();
    let square = |var: f64| var / TAU * (libm::acos(-gamma) + bend);
    let st = cov / TAU * (libm::asin(gamma) + bend);
    let right = pair_moments(var_s, var_t, cov)?;
    Some(PairMoments { s2: square(var_t), t2: square(var_s), st, ..right })
}

/// `E[S^2; S,T > 0]` and `E[ST; S,T > 0]` against integrals over the polar angle, and note 001 (25) and (30).
fn second_moments(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let moments: Moments = effort.form(&pair_moments::ENTRY, pair_moments, printed);
    let [var_s, var_t] = VARIANCES;
    let product = var_s * var_t;
    let mut columns: [Vec<f64>; 6] = Default::default();
    for gamma in CORRELATIONS {
        let cov = gamma * product.sqrt();
        let both = moments(var_s, var_t, cov).ok_or(FormError::Undefined)?;
        let source = printed(var_s, var_t, cov).ok_or(FormError::Undefined)?;
        // S = sqrt(var_s) R cos(phi), T = sqrt(var_t) R cos(phi - theta): both positive on an arc, and E R^2 = 2.
        let theta = libm::acos(gamma);
        let mean = |f: &dyn Fn(f64) -> f64| {
            2.0 * adaptive(f, theta - FRAC_PI_2, FRAC_PI_2, 1e-14).value / TAU
        };
        let square = var_s * mean(&|phi| libm::cos(phi) * libm::cos(phi));
        let mixed = product.sqrt() * mean(&|phi| libm::cos(phi) * libm::cos(phi - theta));
        let row = [both.s2, square, source.s2, both.st, mixed, source.st];
        columns.iter_mut().zip(row).for_each(|(column, x)| column.push(x));
    }
    let what = |moment: &str| {
        format!(
            "{moment} where both are positive, variances 2 and 0.7, correlations -0.9, -0.7, 0, 0.5 and 0.98: closed form in the angle arccos(correlation), and the integral over the polar angle of (S,T)"
        )
    };
    let [s2, square, source_square, st, mixed, source_mixed] = columns;
    Ok(vec![
        Comparison::digits(&["L001.14"], what("E S^2"), &s2, &square).source(&source_square),
        Comparison::digits(&["L001.15"], what("E ST"), &st, &mixed).source(&source_mixed),
    ])
}

/// In the inner product of the covariance the cosine of two units obeys the law of cosines.
fn angle(effort: &Effort) -> Comparison {
    let row = kernel_row(7, 1.1, Kernel::Ring);
    let eigs = circulant_eigs(&row);
    let mut identity = vec![0.0; 7];
    identity[0] = 1.0;
    let metric = effort.slip(
        "gamma of L001.20",
        "the plain inner product of the weights, without the covariance",
        row,
        identity,
    );
    // S^1/2 w over sites, through the modes.
    let root = |w: &[f64]| -> Vec<f64> {
        let mut u = to_fourier(w);
        u.iter_mut().enumerate().for_each(|(j, u)| *u *= eigs[frequency_of(j, 7)].sqrt());
        from_fourier(&u)
    };
    let w = |k: usize| -> Vec<f64> { (0..7).map(|i| ((i * i + k * i) % 5) as f64 - 1.6).collect() };
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (a, b) in [(0, 1), (1, 2), (0, 3)].map(|(i, j)| (w(i), w(j))) {
        let cosine = form(&metric, &a, &b) / (form(&metric, &a, &a) * form(&metric, &b, &b)).sqrt();
        predicted.push(cosine);
        let gap: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        let [a, b, c] = [root(&a), root(&b), root(&gap)].map(|x| dot(&x, &x));
        measured.push((a + b - c) / (2.0 * (a * b).sqrt()));
    }
    let what = "gamma = w'Sv / sqrt(w'Sw v'Sv) of three pairs of units, n = 7, xi = 1.1, and the law of cosines for the triangle of S^1/2 w and S^1/2 v";
    Comparison::digits(&["L001.20"], what, &predicted, &measured)
}

/// Two sites of latent correlation 0.4 and the weights of two units on them.
const PAIR: f64 = 0.4;
const UNITS: [[f64; 2]; 2] = [[0.9, -0.3], [0.5, 1.2]];

/// `w' S v` on the two sites.
fn overlap(w: [f64; 2], v: [f64; 2]) -> f64 {
    w[0] * v[0] + w[1] * v[1] + PAIR * (w[0] * v[1] + w[1] * v[0])
}

/// Density of the preactivations `(s, t)`: that of the two sites they belong to, over the area that a unit square of sites maps to.
fn pushed(s: f64, t: f64) -> f64 {
    let [[a, b], [c, d]] = UNITS;
    let area = a * d - b * c;
    let (x, y) = ((d * s - b * t) / area, (a * t - c * s) / area);
    let left = 1.0 - PAIR * PAIR;
    let square = (x * x - 2.0 * PAIR * x * y + y * y) / left;
    libm::exp(-0.5 * square) / (TAU * left.sqrt() * area.abs())
}

/// `C = S U'(U S U')^-1`; on two sites, where the source's order of factors can be multiplied, `C` is the inverse of `U`.
fn regression_of_two() -> Comparison {
    type Square = [[f64; 2]; 2];
    let times = |a: &Square, b: &Square| -> Square {
        [0, 1].map(|i| [0, 1].map(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j]))
    };
    let turned = |a: &Square| -> Square { [0, 1].map(|i| [0, 1].map(|j| a[j][i])) };
    let inverse = |a: &Square| -> Square {
        let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        [[a[1][1], -a[0][1]], [-a[1][0], a[0][0]]].map(|row| row.map(|x| x / determinant))
    };
    let (sigma, u) = ([[1.0, PAIR], [PAIR, 1.0]], UNITS);
    let image = times(&sigma, &turned(&u));
    let predicted = times(&image, &inverse(&times(&u, &image)));
    let source = times(&image, &inverse(&times(&turned(&u), &times(&sigma, &u))));
    let what = "C = S U'(U S U')^-1 on two sites of correlation 0.4, weights (0.9, -0.3) and (0.5, 1.2), and the inverse of U, since X = U^-1 (S,T) there";
    Comparison::digits(&["L001.12"], what, &predicted.concat(), &inverse(&u).concat())
        .source(&source.concat())
}

/// On three sites the covariance matters: the mean of X along the line of sites on which (S,T) is (1,0), and (0,1).
fn regression_of_three(effort: &Effort) -> Comparison {
    type Sites = [f64; 3];
    let sigma = [[1.0, 0.4, 0.1], [0.4, 1.0, 0.3], [0.1, 0.3, 1.0]];
    let [w, v] = [[0.9, -0.3, 0.6], [0.5, 1.2, -0.4]];
    let none = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let law = effort.slip("C of L001.12", "U^T (U U^T)^-1, without the covariance", sigma, none);
    let [sw, sv] = [w, v].map(|w| law.map(|row| dot(&row, &w)));
    let (ss, tt, st) = (dot(&w, &sw), dot(&v, &sv), dot(&w, &sv));
    let determinant = ss * tt - st * st;
    let row = |i: usize| [tt * sw[i] - st * sv[i], ss * sv[i] - st * sw[i]];
    let predicted: Vec<f64> = (0..3).flat_map(row).map(|x| x / determinant).collect();

    let cross = |a: Sites, b: Sites| {
        [0, 1, 2].map(|i: usize| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
    };
    let free = cross(w, v);
    let mean = |one: Sites, other: Sites| -> Sites {
        let across = cross(other, free);
        let start = across.map(|x| x / dot(&one, &across));
        let at = |by: f64| [0, 1, 2].map(|i| start[i] + by * free[i]);
        let density = |by: f64| {
            let x = at(by).to_vec();
            libm::exp(-0.5 * dot(&x, &solve(sigma.map(|row| row.to_vec()).to_vec(), x.clone())))
        };
        let along =
            |p: f64| adaptive(|by| libm::pow(by, p) * density(by), -12.0, 12.0, 1e-14).value;
        at(along(1.0) / along(0.0))
    };
    let [s, t] = [mean(w, v), mean(v, w)];
    let measured: Vec<f64> = (0..3).flat_map(|i| [s[i], t[i]]).collect();
    let what = "C on three sites, covariances 0.4, 0.1 and 0.3, and the mean of X where (S,T) is (1, 0) and (0, 1), by quadrature of the Gaussian density along that line";
    Comparison::digits(&["L001.12"], what, &predicted, &measured)
}

/// The joint density with each variance at the other's square, and the distribution of S given T; note 001 (56) has another.
fn density(effort: &Effort) -> Comparison {
    let [w, v] = UNITS;
    let (var_s, var_t, cov) = (overlap(w, w), overlap(v, v), overlap(w, v));
    let determinant = var_s * var_t - cov * cov;
    let points = [(0.0, 0.0), (0.8, 0.1), (-0.5, 0.9), (0.4, 1.3), (-1.0, -0.6)];
    // With the variance that multiplies s^2 and that which multiplies t^2.
    let told = |at_s: f64, at_t: f64| -> Vec<f64> {
        let density = |(s, t): (f64, f64)| {
            let square = at_s * s * s - 2.0 * cov * s * t + at_t * t * t;
            libm::exp(-0.5 * square / determinant) / (TAU * determinant.sqrt())
        };
        let given = [cov / at_s, determinant / at_s];
        points.into_iter().map(density).chain(given).collect()
    };
    let (right, source) = (told(var_t, var_s), told(var_s, var_t));
    let predicted = effort.slip(
        "joint density of L001.24",
        "each variance at its own variable's square",
        right,
        source.clone(),
    );
    // Mean and variance of S along the line T = 1.
    let along = |p: f64| adaptive(|s| libm::pow(s, p) * pushed(s, 1.0), -14.0, 14.0, 1e-14).value;
    let mean = along(1.0) / along(0.0);
    let line = [mean, along(2.0) / along(0.0) - mean * mean];
    let measured: Vec<f64> = points.into_iter().map(|(s, t)| pushed(s, t)).chain(line).collect();
    let what = "density of (S,T) in the overlaps at five points, mean and variance of S given T = 1; and the Gaussian density of the two sites under S, T, integrated along T = 1; correlation 0.4, weights (0.9, -0.3) and (0.5, 1.2)";
    Comparison::digits(&["L001.24"], what, &predicted, &measured).source(&source)
}

/// `(S', T')` is a normal pair of correlation rho and `S' | T' ~ N(rho T', 1 - rho^2)`: joint tails against sampled ones.
fn given(effort: &Effort) -> Result<Comparison, LabError> {
    let (n, xi) = (6, 1.5);
    let row = kernel_row(n, xi, Kernel::Ring);
    let w = [1.0, 0.75, -0.23, -0.96, -0.73, 0.21];
    let v = [0.75, 0.39, 0.31, -0.6, -0.93, -0.68];
    let plain = |a: &[f64], b: &[f64]| dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
    let [ss, tt] = [form(&row, &w, &w).sqrt(), form(&row, &v, &v).sqrt()];
    let rho = effort.slip(
        "correlation of two preactivations",
        "the plain cosine of the weights, without the covariance",
        form(&row, &w, &v) / (ss * tt),
        plain(&w, &v),
    );
    let spread = effort.slip(
        "distribution of S' given T'",
        "variance 1, as if T' changed the mean alone",
        (1.0 - rho * rho).sqrt(),
        1.0,
    );
    let cuts = [(0.0, 0.0), (0.5, -0.5), (-0.5, 0.5), (0.7, 0.4), (-1.0, 0.8)];
    let tail = |(h, t): (f64, f64)| {
        let over = |u: f64| if u > t { normal_cdf((rho * u - h) / spread) } else { 0.0 };
        normal_expectation(over, &[t]).value
    };
    let stimulus = Gaussian::on_ring(n, xi, Kernel::Ring).sampler()?;
    let stream = effort.streams.named("given");
    let samples = effort.samples(1_000_000);
    let measured = expect(&stimulus, &stream, samples, cuts.len() + 3, |x, out| {
        let (s, t) = (dot(&w, x) / ss, dot(&v, x) / tt);
        for (out, (h, cut)) in out.iter_mut().zip(cuts) {
            *out = if s > h && t > cut { 1.0 } else { 0.0 };
        }
        out[cuts.len()..].copy_from_slice(&[s * s, t * t, s * t]);
    })?;
    let told = cuts.into_iter().map(tail).chain([1.0, 1.0, rho]);
    let pairs: Vec<(Estimate, f64)> = measured.into_iter().zip(told).collect();
    let what = "two units scaled to unit variance on Gaussian data, n = 6, xi = 1.5: P(S' > h, T' > t) at five (h,t), with S' given T' normal of mean rho T' and variance 1 - rho^2, and E S'^2 = E T'^2 = 1, E S'T' = rho; and the same for sampled data";
    Ok(Comparison::noise(&["L001.25"], what, &pairs))
}

/// `P(S' > 0 | T' = t)` as an error function, and along the line of sites on which T' is t.
fn open(effort: &Effort) -> Comparison {
    let [w, v] = UNITS;
    let [ss, tt] = [overlap(w, w).sqrt(), overlap(v, v).sqrt()];
    let rho = overlap(w, v) / (ss * tt);
    let left = (1.0 - rho) * (1.0 + rho);
    let width = effort.slip(
        "P(S' > 0 | T')",
        "the root of 1 - rho^2 in the error function, without the 2",
        (2.0 * left).sqrt(),
        left.sqrt(),
    );
    let at = [-1.4, -0.3, 0.0, 0.5, 1.2, 2.0];
    let predicted = at.map(|t| 0.5 * (1.0 + erf(rho * t / width)));
    let measured = at.map(|t| {
        let line = |from: f64| adaptive(|s| pushed(s, tt * t), from, 14.0, 1e-14).value;
        line(0.0) / line(-14.0)
    });
    let what = "P(S' > 0 | T' = t), t = -1.4 to 2, as an error function, and the Gaussian density of the two sites integrated along T' = t; correlation 0.4, weights (0.9, -0.3) and (0.5, 1.2)";
    Comparison::digits(&["L001.27"], what, &predicted, &measured)
}
