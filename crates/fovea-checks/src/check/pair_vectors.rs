//! The mean of `<w_k,X> X` behind the gates of two units, and the regression it is made of (note 001, section 2).

use super::prelude::*;
use fovea_theory::relu::pair_moments::pair_moments;
use fovea_theory::relu::pair_vec::pair_vec;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "pair-vectors",
    summary: "Gaussian data behind the gates of two units: the mean of <w_k,X> X and its regression.",
    covers: &[
        "L001.11", "L001.12", "L001.13", "L001.16", "L001.17", "L001.18", "L001.19", "L001.22",
        "L001.23", "L003.5",
    ],
    run,
};

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    let (long, short) = (Two::new(1.5, FIRST, SECOND), Two::new(0.8, FIRST, SECOND));
    Ok(vec![
        inner_mean(&long),
        regression_of_two(),
        moments_of_both(&long)?,
        no_sum(&Two::new(0.8, SECOND, FIRST))?,
        regression(&long),
        whole(&long),
        coefficients(&long),
        both_classes(&[long, short]),
        orthogonal(),
        nearly_parallel(),
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

    /// Row `j` of the regression matrix (34).
    fn regression(&self, j: usize) -> [f64; 2] {
        let [r11, r1k, rkk] = self.rho;
        let (a, b) = (self.images[0][j], self.images[1][j]);
        [(rkk * a - r1k * b) / self.determinant(), (r11 * b - r1k * a) / self.determinant()]
    }

    /// The regression matrix applied to two numbers.
    fn regressed(&self, [s, t]: [f64; 2]) -> Vec<f64> {
        (0..6).map(|j| self.regression(j)).map(|[a, b]| a * s + b * t).collect()
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
fn inner_mean(two: &Two) -> Comparison {
    let [r11, _, rkk] = two.rho;
    let theta = libm::acos(two.gamma());
    let mean =
        |f: &dyn Fn(f64) -> f64| 2.0 * adaptive(f, theta - FRAC_PI_2, FRAC_PI_2, 1e-14).value / TAU;
    let mixed = (r11 * rkk).sqrt() * mean(&|phi| libm::cos(phi) * libm::cos(phi - theta));
    let square = rkk * mean(&|phi| libm::cos(phi - theta) * libm::cos(phi - theta));
    let what = "E[T E[X | S,T]; S,T > 0] over the polar angle of (S,T), and E[T X; S,T > 0] over T, n = 6, xi = 1.5";
    Comparison::digits(&["L001.11"], what, &two.regressed([mixed, square]), &two.direct())
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
    let (sigma, u) = ([[1.0, 0.4], [0.4, 1.0]], [[0.9, -0.3], [0.5, 1.2]]);
    let image = times(&sigma, &turned(&u));
    let predicted = times(&image, &inverse(&times(&u, &image)));
    let source = times(&image, &inverse(&times(&turned(&u), &times(&sigma, &u))));
    let what = "C = S U'(U S U')^-1 on two sites, where X = U^-1 (S,T) exactly whatever S is, and the inverse of U; L001.11 takes C on six sites";
    Comparison::digits(&["L001.12"], what, &predicted.concat(), &inverse(&u).concat())
        .source(&source.concat())
}

/// `C (E[ST], E[T^2])`; note 001 (20) takes `(E[S^2], E[ST])` and multiplies by the probability once more.
fn moments_of_both(two: &Two) -> Result<Comparison, LabError> {
    let [r11, r1k, rkk] = two.rho;
    let both = pair_moments(r11, rkk, r1k).ok_or(FormError::Undefined)?;
    let source = scaled(both.prob, &two.regressed([both.s2, both.st]));
    let what = "C (E[ST; S,T > 0], E[T^2; S,T > 0]) and E[T X; S,T > 0] over T, n = 6, xi = 1.5";
    Ok(Comparison::digits(&["L001.13"], what, &two.regressed([both.st, both.t2]), &two.direct())
        .source(&source))
}

/// The same with the units exchanged and another covariance; note 001 (31)-(33) adds the two moments up.
fn no_sum(two: &Two) -> Result<Comparison, LabError> {
    let [r11, r1k, rkk] = two.rho;
    let both = pair_moments(r11, rkk, r1k).ok_or(FormError::Undefined)?;
    let what = "C applied to the pair of moments, and E[T X; S,T > 0] over T, units exchanged, n = 6, xi = 0.8";
    Ok(Comparison::digits(&["L001.16"], what, &two.regressed([both.st, both.t2]), &two.direct())
        .no_source("it multiplies C, which has two columns, by the sum of two numbers"))
}

/// (34) beside the mean of `X_j` along the line of one `(S, T)`, by integrating the density of the three.
fn regression(two: &Two) -> Comparison {
    let [r11, r1k, rkk] = two.rho;
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for j in 0..6 {
        let (a, b) = (two.images[0][j], two.images[1][j]);
        predicted.extend(two.regression(j));
        // The first row of the adjugate of [[1, a, b], [a, r11, r1k], [b, r1k, rkk]] is all the density shows of x.
        let adjugate = [two.determinant(), b * r1k - a * rkk, a * r1k - b * r11];
        let determinant = adjugate[0] + a * adjugate[1] + b * adjugate[2];
        for (s, t) in [(1.0, 0.0), (0.0, 1.0)] {
            let exponent = |x: f64| {
                (adjugate[0] * x * x + 2.0 * x * (adjugate[1] * s + adjugate[2] * t)) / determinant
            };
            let centre = -(adjugate[1] * s + adjugate[2] * t) / adjugate[0];
            // Lifted by the largest value and taken over a window that need not be centred on it.
            let moment = |p: f64| {
                let f =
                    |x: f64| libm::pow(x, p) * libm::exp(-0.5 * (exponent(x) - exponent(centre)));
                adaptive(f, centre - 9.0, centre + 11.0, 1e-14).value
            };
            measured.push(moment(1.0) / moment(0.0));
        }
    }
    let what = "the regression matrix in the three overlaps, and the mean of X_j where (S,T) is (1,0) or (0,1)";
    Comparison::digits(&["L001.17"], what, &predicted, &measured)
}

/// The closed form beside note 001 (43) as printed.
fn whole(two: &Two) -> Comparison {
    let ([r11, r1k, rkk], determinant) = (two.rho, two.determinant());
    let (down, up) = (libm::acos(-two.gamma()), libm::asin(two.gamma()));
    let first = (rkk * rkk * down - r1k * r1k * up) / determinant;
    let second = (-r1k * rkk * down + r1k * r11 * up) / determinant;
    let tail = r1k / (r11 * rkk) / determinant.sqrt();
    let source =
        two.along([(first + tail * (rkk - r1k)) / TAU, (second + tail * (r11 - r1k)) / TAU]);
    let what = "E[<w_k,X> X; S,T > 0] by its angle and over T, n = 6, xi = 1.5, gamma = 0.23";
    Comparison::digits(&["L001.18"], what, &two.closed(), &two.direct()).source(&source)
}

/// The two coefficients, solved for from the measured vector.
fn coefficients(two: &Two) -> Comparison {
    let ([r11, _, rkk], theta) = (two.rho, libm::acos(two.gamma()));
    let predicted = [(rkk / r11).sqrt() * libm::sin(theta) / TAU, (PI - theta) / TAU];
    let direct = two.direct();
    let [a, b] = &two.images;
    let (aa, ab, bb) = (dot(a, a), dot(a, b), dot(b, b));
    let (ad, bd) = (dot(a, &direct), dot(b, &direct));
    let determinant = aa * bb - ab * ab;
    let measured = [(bb * ad - ab * bd) / determinant, (aa * bd - ab * ad) / determinant];
    let what = "the coefficients of S w_1 and S w_k, and those of the vector integrated over T; the second is the note's [??]";
    Comparison::digits(&["L001.19"], what, &predicted, &measured).source(&two.printed())
}

/// The moment in the covariance of each class.
fn both_classes(classes: &[Two; 2]) -> Comparison {
    let each = |f: &dyn Fn(&Two) -> Vec<f64>| classes.iter().flat_map(f).collect::<Vec<f64>>();
    let what =
        "E[<w_k,X> X; S,T > 0] with the overlaps of either class, and over T, xi = 1.5 and 0.8";
    Comparison::digits(&["L003.5"], what, &each(&Two::closed), &each(&Two::direct))
        .source(&each(&|two| two.along(two.printed())))
}

/// Units that are orthogonal in the covariance still compete.
fn orthogonal() -> Comparison {
    let plain = Two::new(1.5, FIRST, SECOND);
    let share = plain.rho[1] / plain.rho[0];
    let two = Two::new(1.5, FIRST, std::array::from_fn(|i| SECOND[i] - share * FIRST[i]));
    let [r11, _, rkk] = two.rho;
    let what = "E[<w_k,X> X; S,T > 0] for units orthogonal in the covariance, by the form at gamma = 0 and over T";
    let predicted = two.along([(rkk / r11).sqrt() / TAU, 0.25]);
    Comparison::digits(&["L001.22"], what, &predicted, &two.direct())
        .source(&two.along([rkk / (4.0 * r11), 0.0]))
}

/// Units at an angle of a thousandth: no singular term.
fn nearly_parallel() -> Comparison {
    let two = Two::new(1.5, FIRST, std::array::from_fn(|i| 1.3 * FIRST[i] + 1e-3 * SECOND[i]));
    let [r11, r1k, rkk] = two.rho;
    let rest = combined(1.0, &two.w[1], -r1k / r11, &two.w[0]);
    let theta = libm::atan2((r11 * form(&two.row, &rest, &rest)).sqrt(), r1k);
    let ratio = (rkk / r11).sqrt();
    let predicted = two.along([ratio * libm::sin(theta) / TAU, 0.5 - theta / TAU]);
    let what = "E[<w_k,X> X; S,T > 0] for units at an angle below a thousandth, by its expansion and over T";
    Comparison::digits(&["L001.23"], what, &predicted, &two.direct())
        .no_source("its overlap is larger than the norms allow, so its eps is imaginary")
}
