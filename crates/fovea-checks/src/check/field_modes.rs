//! The Fourier coefficients of non-Gaussian data: uncorrelated, each nearly Gaussian, and not independent (note 001, section 5.4).

use super::prelude::*;
use fovea_sim::expect::expect;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::nlgp::cov::{self, cov};
use fovea_theory::nlgp::fourth::{self, fourth};
use fovea_theory::nlgp::mode_kurtosis::{self, mode_kurtosis};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "field-modes",
    summary: "Variances, kurtoses and joint fourth cumulants of the Fourier coefficients of sign data.",
    covers: &["L001.78/uncorrelated", "L001.78/nearly", "L001.78/dependent"],
    run,
};

const RING: usize = 5;
const LENGTH: f64 = 1.1;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let setting = effort.once("corners", || Ok::<_, LabError>(Setting::new()))?;
    Ok(vec![setting.uncorrelated(effort), nearly(effort)?, setting.dependent(effort)])
}

/// Moments of the coefficients of the signs of five Gaussians, over all corners.
#[derive(Clone)]
struct Setting {
    latent: Vec<f64>,
    modes: Vec<Vec<f64>>,
    corners: Corners,
}

impl Setting {
    fn new() -> Self {
        Self {
            latent: kernel_row(RING, LENGTH, Kernel::Ring),
            modes: (0..RING).map(|j| basis_vector(j, RING)).collect(),
            corners: Corners::signs(RING, LENGTH),
        }
    }

    fn moment(&self, which: &[usize]) -> f64 {
        self.corners.mean(|x| which.iter().map(|j| dot(&self.modes[*j], x)).product::<f64>())
    }

    fn uncorrelated(&self, effort: &Effort) -> Comparison {
        let cov: fn(f64, f64) -> f64 = effort.form(&cov::ENTRY, cov, |rho, _| rho);
        let row: Vec<f64> = self.latent.iter().map(|rho| cov(*rho, f64::INFINITY)).collect();
        let eigs = circulant_eigs(&row);
        let (mut predicted, mut measured) = (Vec::new(), Vec::new());
        for i in 0..RING {
            for j in i..RING {
                predicted.push(if i == j { eigs[frequency_of(i, RING)] } else { 0.0 });
                measured.push(self.moment(&[i, j]));
            }
        }
        let what = "signs of five Gaussians on a ring, xi = 1.1: variances of the Fourier coefficients, the eigenvalues of the covariance of the signs, and covariances 0; and those over all corners with probabilities by orthant quadrature, which are invariant under shifts and reflection";
        Comparison::digits(&["L001.78/uncorrelated"], what, &predicted, &measured)
    }

    /// The joint fourth cumulant of every four modes, that of a mode with itself included.
    fn dependent(&self, effort: &Effort) -> Comparison {
        let fourth: fn(&[[f64; 4]; 4]) -> f64 = effort.form(
            &fourth::ENTRY,
            |r| fourth(r, f64::INFINITY).cumulant,
            |r| fourth(r, f64::INFINITY).gaussian().cumulant,
        );
        // The distribution is translation invariant: the first of four sites is site 0.
        let at = |i: usize, j: usize| self.latent[distance(i, j, RING)];
        let places: Vec<[usize; 4]> = tuples().filter(|sites| sites[0] == 0).collect();
        let cumulants: Vec<f64> =
            places.iter().map(|sites| fourth(&sites.map(|i| sites.map(|j| at(i, j))))).collect();
        let closed = |quad: &[usize; 4]| -> f64 {
            let around = |sites: &[usize; 4]| -> f64 {
                let term = |turn: usize| -> f64 {
                    (0..4).map(|a| self.modes[quad[a]][(sites[a] + turn) % RING]).product()
                };
                (0..RING).map(term).sum()
            };
            places.iter().zip(&cumulants).map(|(sites, c)| c * around(sites)).sum()
        };
        let found = |quad: &[usize; 4]| {
            let [a, b, c, d] = *quad;
            let pair = |i: usize, j: usize| self.moment(&[i, j]);
            self.moment(quad)
                - pair(a, b) * pair(c, d)
                - pair(a, c) * pair(b, d)
                - pair(a, d) * pair(b, c)
        };
        let all: Vec<[usize; 4]> = tuples().filter(|quad| quad.is_sorted()).collect();
        let forbidden = all.iter().filter(|quad| !closes(quad)).count();
        let nothing = effort.slip(
            "joint cumulants that no choice of signs closes",
            "as large as the others",
            0.0,
            -0.1,
        );
        let predicted: Vec<f64> =
            all.iter().map(|quad| if closes(quad) { closed(quad) } else { nothing }).collect();
        let measured: Vec<f64> = all.iter().map(found).collect();
        let mixed = |quad: &[usize; 4]| if quad[0] == quad[3] { closed(quad) } else { 0.0 };
        let independent: Vec<f64> = all.iter().map(mixed).collect();
        let joint = |quad: &&[usize; 4]| quad[0] != quad[3] && closed(quad).abs() > 1e-6;
        let what = format!(
            "signs of five Gaussians on a ring, xi = 1.1: fourth cumulants of all {} sets of four Fourier coefficients, from the cumulants of four sites ({} of different coefficients are not 0), and 0 for the {forbidden} whose frequencies add up to a multiple of 5 with no choice of signs; and those over all corners with probabilities by orthant quadrature",
            all.len(),
            all.iter().filter(joint).count()
        );
        Comparison::digits(&["L001.78/dependent"], what, &predicted, &measured)
            .against("independent coefficients: no cumulant of different ones", &independent)
    }
}

/// Kurtoses on the ring of the experiments, sampled.
fn nearly(effort: &Effort) -> Result<Comparison, LabError> {
    let n = 40;
    let frequencies = [0, 1, 5, 11, 20];
    let row = kernel_row(n, 2.0, Kernel::Ring);
    let closed = effort.once("closed", || {
        let all = mode_kurtosis(&row, f64::INFINITY);
        Ok::<_, LabError>(frequencies.map(|k| 3.0 + all[k]))
    })?;
    // A site is a sign, whose fourth moment is 1.
    let predicted = effort.form(&mode_kurtosis::ENTRY, closed, [1.0; 5]);
    let waves = frequencies.map(|k| basis_vector((2 * k).saturating_sub(1), n));
    let eigs =
        circulant_eigs(&row.iter().map(|rho| FRAC_2_PI * libm::asin(*rho)).collect::<Vec<_>>());
    let moments = effort.once("moments", || -> Result<_, LabError> {
        let signs = Nlgp::on_ring(n, 2.0, f64::INFINITY, Kernel::Ring).sampler()?;
        let stream = effort.streams.named("signs");
        Ok(expect(&signs, &stream, effort.samples(1_000_000), 5, |x, out| {
            for ((out, wave), k) in out.iter_mut().zip(&waves).zip(frequencies) {
                let square = dot(wave, x) * dot(wave, x) / eigs[k];
                *out = square * square;
            }
        })?)
    })?;
    let pairs: Vec<(Estimate, f64)> = moments.into_iter().zip(predicted).collect();
    let what = format!(
        "signs on a ring of 40, xi = 2: fourth moment over squared variance of the Fourier coefficients (cosines) k = 0, 1, 5, 11, 20, {:.4}, {:.4}, {:.4}, {:.4}, {:.4} in closed form where 3 is Gaussian, and the mean fourth power of 1 000 000 samples over the squared eigenvalue of the covariance",
        closed[0], closed[1], closed[2], closed[3], closed[4]
    );
    Ok(Comparison::noise(&["L001.78/nearly"], what, &pairs)
        .against("Gaussian coefficients: 3", &[3.0; 5]))
}

/// All sets of four indices in order.
fn tuples() -> impl Iterator<Item = [usize; 4]> {
    (0..RING.pow(4)).map(|code| [0, 1, 2, 3].map(|place: u32| code / RING.pow(place) % RING))
}

/// Whether some choice of signs makes the frequencies add up to a multiple of the ring.
fn closes(quad: &[usize; 4]) -> bool {
    let [a, b, c, d] = quad.map(|j| frequency_of(j, RING) as i64);
    [-1, 1].iter().any(|p| {
        [-1, 1]
            .iter()
            .any(|q| [-1, 1].iter().any(|r| (a + p * b + q * c + r * d) % RING as i64 == 0))
    })
}
