//! The mean of `<w_k,X> X` behind the gates of two units, and the regression it follows from (note 001, section 2).

use super::dense::solve;
use super::pair_moments::{Moments, printed};
use super::prelude::*;
use fovea_theory::relu::pair_moments::{self, pair_moments};
use fovea_theory::relu::pair_vec::{self, pair_vec};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "pair-vectors",
    summary: "Gaussian data behind the gates of two units: the mean of <w_k,X> X and its regression.",
    covers: &[
        "L001.11", "L001.13", "L001.16", "L001.17", "L001.18", "L001.19", "L001.22", "L001.23",
        "L003.5",
    ],
    run,
};

/// Two units, and the mean of `<w_k,X> X` behind their gates.
type Vector = fn(&Two) -> Vec<f64>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let moments: Moments = effort.form(&pair_moments::ENTRY, pair_moments, printed);
    let vector: Vector = effort.form(&pair_vec::ENTRY, Two::closed, Two::without_competition);
    let (long, short) = (Two::new(1.5, FIRST, SECOND), Two::new(0.8, FIRST, SECOND));
    Ok(vec![
        inner_mean(effort, &long),
        moments_of_both(&long, moments)?,
        no_sum(effort, &Two::new(0.8, SECOND, FIRST), moments)?,
        regression(effort, &long),
        whole(&long, vector),
        both_classes(effort, [&long, &short], vector),
        coefficients(effort, &[Two::new(0.8, SECOND, FIRST.map(|w| -w)), long]),
        orthogonal(effort),
        nearly_parallel(effort),
    ])
}

const FIRST: [f64; 6] = [1.0, 0.75, -0.23, -0.96, -0.73, 0.21];
const SECOND: [f64; 6] = [0.25, 0.39, 0.31, 0.0, -0.53, -1.28];

/// Two units on Gaussian data: their images and overlaps.
struct Two {
    row: Vec<f64>,
    w: [Vec<f64>; 2],
    images: [Vec<f64>; 2],
    /// `rho_11`, `rho_1k`, `rho_kk`.
    rho: [f64; 3],
}

impl Two {
    fn new(xi: f64, first: [f64; 6], second: [f64; 6]) -> Self {
        let row = kernel_row(6, xi, Kernel::Ring);
        let images = [circulant_apply(&row, &first), circulant_apply(&row, &second)];
        let rho = [dot(&first, &images[0]), dot(&first, &images[1]), dot(&second, &images[1])];
        Self { row, w: [first.to_vec(), second.to_vec()], images, rho }
    }

    fn determinant(&self) -> f64 {
        self.rho[0] * self.rho[2] - self.rho[1] * self.rho[1]
    }

    fn gamma(&self) -> f64 {
        self.rho[1] / (self.rho[0] * self.rho[2]).sqrt()
    }

    /// The closed form.
    fn closed(&self) -> Vec<f64> {
        pair_vec(&unfold(&circulant_eigs(&self.row), 6), &self.w[0], &self.w[1])
    }

    /// The closed form written out in these overlaps.
    fn written_out(&self, [r11, r1k, rkk]: [f64; 3]) -> Vec<f64> {
        let theta = libm::acos(r1k / (r11 * rkk).sqrt());
        self.along([(rkk / r11).sqrt() * libm::sin(theta) / TAU, (PI - theta) / TAU])
    }

    /// Note 001 (49)-(52): everything along the first unit, no competition with the second.
    fn without_competition(&self) -> Vec<f64> {
        let [r11, _, rkk] = self.rho;
        let sine = libm::sin(libm::acos(self.gamma()));
        self.along([(rkk / r11).sqrt() * sine / TAU, 0.0])
    }

    /// `E[T X_j; S > 0, T > 0]` by integrating over `T`: given it, `(X_j, S)` is a normal pair and
    /// `E[X_j; S > 0 | T]` is elementary.
    fn direct(&self) -> Vec<f64> {
        let [r11, r1k, rkk] = self.rho;
        let std = (r11 - r1k * r1k / rkk).max(0.0).sqrt();
        let site = |j: usize| {
            let mean = self.images[1][j] / rkk;
            let cov = self.images[0][j] - self.images[1][j] * r1k / rkk;
            let of = |z: f64| {
                let t = rkk.sqrt() * z;
                let lift = r1k * t / (rkk * std);
                let inner = mean * t * normal_cdf(lift) + cov / std * normal_pdf(lift);
                if z > 0.0 { t * inner } else { 0.0 }
            };
            normal_expectation(of, &[0.0]).value
        };
        (0..6).map(site).collect()
    }

    /// Row `j` of the regression matrix (34), with this overlap of the two units off its diagonal.
    fn regression(&self, j: usize, cross: f64) -> [f64; 2] {
        let (a, b) = (self.images[0][j], self.images[1][j]);
        let row = [self.rho[2] * a - cross * b, self.rho[0] * b - cross * a];
        row.map(|entry| entry / self.determinant())
    }

    /// The regression matrix applied to two numbers.
    fn regressed(&self, [s, t]: [f64; 2]) -> Vec<f64> {
        (0..6).map(|j| self.regression(j, self.rho[1])).map(|[a, b]| a * s + b * t).collect()
    }

    /// `a S w_1 + b S w_k`.
    fn along(&self, [a, b]: [f64; 2]) -> Vec<f64> {
        combined(a, &self.images[0], b, &self.images[1])
    }

    /// The two coefficients of note 001 (47) and note 003 (17), as printed.
    fn printed(&self) -> [f64; 2] {
        let ([r11, _, rkk], g) = (self.rho, self.gamma());
        let (left, root) = (1.0 - g * g, (1.0 - g * g).sqrt());
        let cross = 1.0 / (r11 * rkk).sqrt();
        let first = (rkk / r11 * libm::acos(-g) - g * g * libm::asin(g)) / (TAU * left)
            + (1.0 / (g * r11) - cross) / (TAU * root);
        let second =
            -g / (TAU * left) * (r11 / rkk).sqrt() * (rkk / r11 * libm::acos(g) - libm::asin(g))
                + (1.0 / (g * rkk) - cross) / (TAU * root);
        [first, second]
    }
}

/// `E[T X] = E[T E[X | S,T]]`, the inner mean by regression and the outer over the polar angle.
fn inner_mean(effort: &Effort, two: &Two) -> Comparison {
    let [r11, _, rkk] = two.rho;
    let theta = libm::acos(two.gamma());
    let mean =
        |f: &dyn Fn(f64) -> f64| 2.0 * adaptive(f, theta - FRAC_PI_2, FRAC_PI_2, 1e-14).value / TAU;
    let mixed = (r11 * rkk).sqrt() * mean(&|phi| libm::cos(phi) * libm::cos(phi - theta));
    let square = |var: f64, of: f64| var * mean(&|phi| libm::cos(phi - of) * libm::cos(phi - of));
    let outer = effort.slip(
        "outer mean of L001.11",
        "S E[X | S,T], the preactivation of the other unit",
        [mixed, square(rkk, theta)],
        [square(r11, 0.0), mixed],
    );
    let what = "E[T E[X | S,T]; S,T > 0], the outer mean over the polar angle of (S,T), and E[T X; S,T > 0] integrated over T; Gaussian data, n = 6, xi = 1.5";
    Comparison::digits(&["L001.11"], what, &two.regressed(outer), &two.direct())
}

/// `C (E[ST], E[T^2])`; note 001 (20) takes `(E[S^2], E[ST])` and multiplies by the probability a second time.
fn moments_of_both(two: &Two, moments: Moments) -> Result<Comparison, LabError> {
    let [r11, r1k, rkk] = two.rho;
    let both = moments(r11, rkk, r1k).ok_or(FormError::Undefined)?;
    let right = pair_moments(r11, rkk, r1k).ok_or(FormError::Undefined)?;
    let source = scaled(right.prob, &two.regressed([right.s2, right.st]));
    let what = "C (E[ST; S,T > 0], E[T^2; S,T > 0]) from closed moments, and E[T X; S,T > 0] integrated over T; Gaussian data, n = 6, xi = 1.5";
    Ok(Comparison::digits(&["L001.13"], what, &two.regressed([both.st, both.t2]), &two.direct())
        .source(&source))
}

/// The same with the units exchanged and another covariance; note 001 (31)-(33) adds the two moments up.
fn no_sum(effort: &Effort, two: &Two, moments: Moments) -> Result<Comparison, LabError> {
    let [r11, r1k, rkk] = two.rho;
    let both = moments(r11, rkk, r1k).ok_or(FormError::Undefined)?;
    let pair = effort.slip(
        "pair of moments of L001.16",
        "the sum of the two moments instead of each",
        [both.st, both.t2],
        [both.st + both.t2; 2],
    );
    let what = "C applied to the pair of moments, and E[T X; S,T > 0] integrated over T; Gaussian data, n = 6, xi = 0.8, the units of L001.13 exchanged";
    Ok(Comparison::digits(&["L001.16"], what, &two.regressed(pair), &two.direct())
        .no_source("it multiplies C, which has two columns, by the sum of two numbers"))
}

/// (34) against the mean of `X_j` along the line of one `(S, T)`, by integrating the density of the three.
fn regression(effort: &Effort, two: &Two) -> Comparison {
    let [r11, r1k, rkk] = two.rho;
    let sign = effort.slip("matrix of L001.17", "rho_1k without its minus sign", 1.0, -1.0);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for j in 0..6 {
        let (a, b) = (two.images[0][j], two.images[1][j]);
        predicted.extend(two.regression(j, sign * r1k));
        // The density depends on x only through the first row of the adjugate of [[1, a, b], [a, r11, r1k], [b, r1k, rkk]].
        let adjugate = [two.determinant(), b * r1k - a * rkk, a * r1k - b * r11];
        let determinant = adjugate[0] + a * adjugate[1] + b * adjugate[2];
        for (s, t) in [(1.0, 0.0), (0.0, 1.0)] {
            let exponent = |x: f64| {
                (adjugate[0] * x * x + 2.0 * x * (adjugate[1] * s + adjugate[2] * t)) / determinant
            };
            let centre = -(adjugate[1] * s + adjugate[2] * t) / adjugate[0];
            // Relative to the largest value, over a window that need not be centred on it.
            let moment = |p: f64| {
                let f =
                    |x: f64| libm::pow(x, p) * libm::exp(-0.5 * (exponent(x) - exponent(centre)));
                adaptive(f, centre - 9.0, centre + 11.0, 1e-14).value
            };
            measured.push(moment(1.0) / moment(0.0));
        }
    }
    let what = "the regression matrix in the three overlaps, and the mean of X_j where (S,T) is (1,0) or (0,1), from the joint density of the three; Gaussian data, n = 6, xi = 1.5";
    Comparison::digits(&["L001.17"], what, &predicted, &measured)
}

/// The closed form against note 001 (43) as printed.
fn whole(two: &Two, vector: Vector) -> Comparison {
    let ([r11, r1k, rkk], determinant) = (two.rho, two.determinant());
    let (down, up) = (libm::acos(-two.gamma()), libm::asin(two.gamma()));
    let first = (rkk * rkk * down - r1k * r1k * up) / determinant;
    let second = (-r1k * rkk * down + r1k * r11 * up) / determinant;
    let tail = r1k / (r11 * rkk) / determinant.sqrt();
    let source =
        two.along([(first + tail * (rkk - r1k)) / TAU, (second + tail * (r11 - r1k)) / TAU]);
    let what = "E[<w_k,X> X; S,T > 0] in closed form, and integrated over T; Gaussian data, n = 6, xi = 1.5, gamma = 0.23";
    Comparison::digits(&["L001.18"], what, &vector(two), &two.direct()).source(&source)
}

/// The two coefficients, solved for from the measured vector.
fn coefficients(effort: &Effort, pairs: &[Two; 2]) -> Comparison {
    let power =
        effort.slip("coefficient of w_1", "the two variances exchanged under the root", 0.5, -0.5);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for two in pairs {
        let ([r11, _, rkk], theta) = (two.rho, libm::acos(two.gamma()));
        predicted.push(libm::pow(rkk / r11, power) * libm::sin(theta) / TAU);
        predicted.push((PI - theta) / TAU);
        let (direct, [a, b]) = (two.direct(), &two.images);
        let matrix = vec![vec![dot(a, a), dot(a, b)], vec![dot(a, b), dot(b, b)]];
        measured.extend(solve(matrix, vec![dot(a, &direct), dot(b, &direct)]));
    }
    let what = "the coefficients of S w_1 and S w_k, the second of which is the note's [??], and those of E[<w_k,X> X; S,T > 0] integrated over T; Gaussian data, n = 6, xi = 1.5 with gamma = 0.23 and xi = 0.8 with gamma = -0.23";
    let source: Vec<f64> = pairs.iter().flat_map(Two::printed).collect();
    Comparison::digits(&["L001.19"], what, &predicted, &measured).source(&source)
}

/// The moment in the covariance of each class.
fn both_classes(effort: &Effort, classes: [&Two; 2], vector: Vector) -> Comparison {
    let each = |f: &dyn Fn(&Two) -> Vec<f64>| classes.into_iter().flat_map(f).collect::<Vec<f64>>();
    let others = classes.iter().zip(classes.iter().rev());
    let exchanged = others.flat_map(|(two, other)| two.written_out(other.rho)).collect();
    let predicted =
        effort.slip("overlaps of L003.5", "those of the other class", each(&vector), exchanged);
    let what = "E[<w_k,X> X; S,T > 0] of each class with the overlaps in its own covariance, and integrated over T; Gaussian data, n = 6, xi = 1.5 and 0.8";
    Comparison::digits(&["L003.5"], what, &predicted, &each(&Two::direct))
        .source(&each(&|two| two.along(two.printed())))
}

/// Units that are orthogonal in the covariance still compete.
fn orthogonal(effort: &Effort) -> Comparison {
    let second = effort.slip("moment of orthogonal units", "without the term along w_k", 0.25, 0.0);
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    for xi in [1.5, 0.8] {
        let plain = Two::new(xi, FIRST, SECOND);
        let share = plain.rho[1] / plain.rho[0];
        let two = Two::new(xi, FIRST, std::array::from_fn(|i| SECOND[i] - share * FIRST[i]));
        let ratio = two.rho[2] / two.rho[0];
        predicted.extend(two.along([ratio.sqrt() / TAU, second]));
        measured.extend(two.direct());
        source.extend(two.along([0.25 * ratio, 0.0]));
    }
    let what = "E[<w_k,X> X; S,T > 0] for two units orthogonal in the covariance, in closed form and integrated over T; Gaussian data, n = 6, xi = 1.5 and 0.8";
    Comparison::digits(&["L001.22"], what, &predicted, &measured).source(&source)
}

/// Units at an angle of a thousandth: no singular term.
fn nearly_parallel(effort: &Effort) -> Comparison {
    let two = Two::new(1.5, FIRST, std::array::from_fn(|i| 1.3 * FIRST[i] + 1e-3 * SECOND[i]));
    let [r11, r1k, rkk] = two.rho;
    let rest = combined(1.0, &two.w[1], -r1k / r11, &two.w[0]);
    let theta = libm::atan2((r11 * form(&two.row, &rest, &rest)).sqrt(), r1k);
    let ratio = (rkk / r11).sqrt();
    let first = effort.slip(
        "first order of nearly parallel units",
        "the term along w_1 left out",
        ratio * libm::sin(theta) / TAU,
        0.0,
    );
    let predicted = two.along([first, 0.5 - theta / TAU]);
    let what = "E[<w_k,X> X; S,T > 0] for two units at an angle below a thousandth, half of S w_k plus the first order in the angle, and integrated over T; Gaussian data, n = 6, xi = 1.5";
    Comparison::digits(&["L001.23"], what, &predicted, &two.direct())
        .no_source("its overlap is larger than the norms allow, so its eps is imaginary")
}
