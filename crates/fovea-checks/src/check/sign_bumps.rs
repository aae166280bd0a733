//! The gated mean of sign data at one, two and three bumps, and the distribution it needs (notes 000, section 3, and 003).

use super::prelude::*;
use fovea_core::ring::RingKernel;
use fovea_theory::Spins;
use fovea_theory::nlgp::f_site::{self, f_site};
use fovea_theory::sign::bumps::{self, bumps};
use fovea_theory::sign::four::{self, four};
use fovea_theory::spins::SpinsError;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "sign-bumps",
    summary: "Signs of a few Gaussians: gated means at bumps, and the probabilities of corners.",
    covers: &[
        "L000.22",
        "L000.23",
        "L000.24",
        "L000.25",
        "L003.23/three",
        "L003.23/five",
        "L003.23/means",
    ],
    run,
};

const SITES: usize = 5;
const XI: f64 = 0.9;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let setting = Setting::new(effort)?;
    Ok(vec![
        setting.single(),
        setting.balanced(),
        setting.imbalanced(),
        setting.three(),
        setting.few_sites(effort)?,
        setting.law(effort)?,
        setting.means(effort),
    ])
}

/// Orthants by quadrature, once.
fn signs(effort: &Effort, n: usize, xi: f64) -> Result<Corners, LabError> {
    effort.once(&format!("signs of {n}"), || Ok(Corners::signs(n, xi)))
}

/// First row of the latent covariance, sites and heights of the bumps, and the gated mean there.
type GatedMean = fn(&[f64], &[usize], &[f64]) -> Vec<f64>;

/// Note 000 (8), (10)-(12): the column of the highest bump of the latent covariance, without its 1/2.
fn extracted(latent: &[f64], sites: &[usize], heights: &[f64]) -> Vec<f64> {
    let higher = |a: &usize, b: &usize| heights[*a].abs().total_cmp(&heights[*b].abs());
    let peak = (0..heights.len()).rev().max_by(higher).unwrap_or(0);
    let n = latent.len();
    (0..n).map(|l| heights[peak].signum() * latent[distance(sites[peak], l, n)]).collect()
}

/// Signs of Gaussians on a ring of five, in closed form and corner by corner.
struct Setting {
    latent: Vec<f64>,
    gated_mean: GatedMean,
    corners: Corners,
}

impl Setting {
    fn new(effort: &Effort) -> Result<Self, LabError> {
        let gated_mean = effort.form(&bumps::ENTRY, bumps as GatedMean, extracted);
        let gated_mean = effort.slip(
            "covariance behind the gated mean",
            "the latent one, its 1/2 kept",
            gated_mean,
            |latent, sites, heights| scaled(0.5, &extracted(latent, sites, heights)),
        );
        let latent = RingKernel::new(SITES, XI, Kernel::Ring).map_err(FormError::from)?.first_row;
        Ok(Self { latent, gated_mean, corners: signs(effort, SITES, XI)? })
    }

    fn closed(&self, sites: &[usize], heights: &[f64]) -> Vec<f64> {
        (self.gated_mean)(&self.latent, sites, heights)
    }

    /// The columns of the latent covariance in the note, without a factor.
    fn columns(&self, sites: &[usize]) -> Vec<f64> {
        let entry = |i: usize| sites.iter().map(|s| self.latent[distance(i, *s, SITES)]).sum();
        (0..SITES).map(entry).collect()
    }

    fn measured(&self, w: [f64; SITES]) -> Vec<f64> {
        self.corners.gated_mean(&w, true)
    }

    fn single(&self) -> Comparison {
        let what = "f(e_2) of the signs of five Gaussians on a ring, xi = 0.9: half a column of Cov(X), and the sum over all corners with their probabilities by orthant quadrature";
        let measured = self.measured([0.0, 0.0, 1.0, 0.0, 0.0]);
        Comparison::digits(&["L000.22"], what, &self.closed(&[2], &[1.0]), &measured)
            .source(&self.columns(&[2]))
    }

    fn balanced(&self) -> Comparison {
        let w = [1.0, 0.0, 1.0, 0.0, 0.0];
        let what = "f(e_0 + e_2) of the signs of five Gaussians on a ring, xi = 0.9: a quarter of two columns of Cov(X), and the sum over all corners, with gate >= and with gate >";
        let measured = [self.measured(w), self.corners.gated_mean(&w, false)].concat();
        let closed = self.closed(&[0, 2], &[1.0, 1.0]).repeat(2);
        Comparison::digits(&["L000.23"], what, &closed, &measured)
            .source(&self.columns(&[0, 2]).repeat(2))
    }

    fn imbalanced(&self) -> Comparison {
        let what = "f(1.75 e_1 + e_2) and f(1.75 e_1 - e_4) of the signs of five Gaussians on a ring, xi = 0.9: half a column of Cov(X), and the sum over all corners";
        let closed = [self.closed(&[1, 2], &[1.75, 1.0]), self.closed(&[1, 4], &[1.75, -1.0])];
        let measured =
            [[0.0, 1.75, 1.0, 0.0, 0.0], [0.0, 1.75, 0.0, 0.0, -1.0]].map(|w| self.measured(w));
        Comparison::digits(&["L000.24"], what, &closed.concat(), &measured.concat())
            .source(&self.columns(&[1]).repeat(2))
    }

    /// Dictator, majority, and the mean of both on the boundary between them.
    fn three(&self) -> Comparison {
        let heights = [[2.75, 1.5], [2.0, 1.5], [1.75, 1.25], [2.5, 1.5]];
        let closed = heights.map(|[a, b]| self.closed(&[0, 1, 2], &[a, b, 1.0]));
        let measured = heights.map(|[a, b]| self.measured([a, b, 1.0, 0.0, 0.0]));
        let what = "f(a e_0 + b e_1 + e_2) of the signs of five Gaussians on a ring, xi = 0.9, at (a, b) = (2.75, 1.5), one site decides; (2, 1.5) and (1.75, 1.25), majority; (2.5, 1.5), the boundary between them: Walsh sum with moments of four signs, and the sum over all corners";
        Comparison::digits(&["L000.25"], what, &closed.concat(), &measured.concat())
            .source(&self.columns(&[0]).repeat(4))
    }

    /// Two and three neighbours: sums of arcsines.
    fn few_sites(&self, effort: &Effort) -> Result<Comparison, LabError> {
        let over = effort.slip(
            "orthant of three Gaussians",
            "the arcsines over 2 pi, as for two of them, in place of 4 pi",
            4.0 * PI,
            TAU,
        );
        let at = |i: usize, j: usize| libm::asin(self.latent[distance(i, j, SITES)]);
        let signs = [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]];
        let product = |x: &[f64], i: usize, j: usize| x[i] * x[j] * at(i, j);
        let three = |x: [f64; 3]| {
            0.125 + (product(&x, 0, 1) + product(&x, 0, 2) + product(&x, 1, 2)) / over
        };
        let two = |sign: f64| 0.25 + sign * at(0, 1) / TAU;
        let closed: Vec<f64> = signs.map(three).into_iter().chain([1.0, -1.0].map(two)).collect();
        let chance = |wanted: &[f64]| {
            let same = |x: &[f64]| wanted.iter().zip(x).all(|(a, b)| a * b > 0.0);
            self.corners.mean(|x| f64::from(u8::from(same(x))))
        };
        let pairs = [[1.0, 1.0], [1.0, -1.0]].map(|wanted| chance(&wanted));
        let summed: Vec<f64> =
            signs.map(|wanted| chance(&wanted)).into_iter().chain(pairs).collect();
        let what = "orthant probabilities of three and of two neighbours of a ring of five Gaussians, xi = 0.9, from arcsines, and sums over the corners of all five with probabilities by orthant quadrature";
        Ok(Comparison::digits(&["L003.23/three"], what, &closed, &summed))
    }

    /// Probabilities of corners from moments of two and four signs.
    fn law(&self, effort: &Effort) -> Result<Comparison, LabError> {
        let four: fn([f64; 6]) -> f64 =
            effort.form(&four::ENTRY, four, |[ab, ac, ad, bc, bd, cd]| {
                let pair = |r: f64, s: f64| libm::asin(r) * libm::asin(s) * FRAC_2_PI * FRAC_2_PI;
                pair(ab, cd) + pair(ac, bd) + pair(ad, bc)
            });
        let of_four = effort.slip(
            "distribution of four or five signs",
            "moments of two signs alone, without those of four",
            1.0,
            0.0,
        );
        let (mut predicted, mut measured) = (Vec::new(), Vec::new());
        for (n, xi) in [(4, 1.0), (SITES, XI)] {
            let row = kernel_row(n, xi, Kernel::Ring);
            let at = |i: usize, j: usize| row[distance(i, j, n)];
            let corners = signs(effort, n, xi)?;
            for x in corners.states().filter(|x| x[n - 1] > 0.0) {
                let mut sum = 1.0;
                for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
                    sum += FRAC_2_PI * libm::asin(at(i, j)) * x[i] * x[j];
                }
                // Sets of four leave out one site of five, and none of four.
                for left in 4 - (n - 4) * 4..=4 {
                    let s: Vec<usize> = (0..n).filter(|i| *i != left).collect();
                    let [a, b, c, d] = [s[0], s[1], s[2], s[3]];
                    let r = [at(a, b), at(a, c), at(a, d), at(b, c), at(b, d), at(c, d)];
                    sum += of_four * four(r) * x[a] * x[b] * x[c] * x[d];
                }
                predicted.push(sum / libm::exp2(n as f64));
                measured.push(corners.probability(x));
            }
        }
        // The whole distribution from theory, corner by corner.
        let latent = |i: usize| (0..SITES).map(|j| self.latent[distance(i, j, SITES)]).collect();
        let spins =
            Spins::signs(&(0..SITES).map(latent).collect::<Vec<Vec<f64>>>()).map_err(form)?;
        let whole: Vec<f64> = (0..1 << SITES).map(|corner| spins.pmf(corner)).collect();
        let found: Vec<f64> = self.corners.states().map(|x| self.corners.probability(x)).collect();
        let what = "probabilities of the signs of four Gaussians (xi = 1) and of five (xi = 0.9) on a ring: from moments of two signs, arcsines, and of four, one integral; and by orthant quadrature";
        let law = Comparison::digits(&["L003.23/five"], what, &predicted, &measured);
        let what = "all 32 corners of five from theory's distribution of the spins, and by orthant quadrature";
        let independent = vec![1.0 / libm::exp2(SITES as f64); found.len()];
        Ok(law.and(
            Comparison::digits(&["L003.23/five"], what, &whole, &found)
                .against("independent signs", &independent),
        ))
    }

    /// `f(e_0)_j = asin(r_0j) / pi`.
    fn means(&self, effort: &Effort) -> Comparison {
        let f_site: fn(f64, f64) -> f64 =
            effort.form(&f_site::ENTRY, f_site, |rho, _| FRAC_2_PI * libm::asin(rho));
        let closed: Vec<f64> = self.latent.iter().map(|r| f_site(*r, f64::INFINITY)).collect();
        let what = "f(e_0) of the signs of five Gaussians on a ring, xi = 0.9: asin(r)/pi, and the sum over all corners with their probabilities by orthant quadrature";
        Comparison::digits(
            &["L003.23/means"],
            what,
            &closed,
            &self.measured([1.0, 0.0, 0.0, 0.0, 0.0]),
        )
    }
}

fn form(error: SpinsError) -> LabError {
    FormError::from(error).into()
}
