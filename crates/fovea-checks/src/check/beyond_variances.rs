//! Two variances do not determine which class has the larger response (note 002, after (10)).
//!
//! Gaussian data: `P(|S_1| > |S_0|) = (2/pi) arctan(s_1/s_0)`. Squashed data keep the flat filter's lead in the variance ratio at every
//! gain, while the probability favours bumps; signs on two neighbours have `(1 + C_1)(1 - C_0)/4` (L002.33).

use super::prelude::*;
use fovea_core::symmetric::function;
use fovea_sim::Stimulus;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::nlgp::cov::{self, cov};
use fovea_theory::relu::stable_mode::stable_mode;
use std::f64::consts::FRAC_1_SQRT_2;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "beyond-variances",
    summary: "Which class has the larger response depends on variances alone only for Gaussian data.",
    covers: &["L002.33/signs", "L002.33/variances", "L002.33/turn"],
    run,
};

const N: usize = 40;
const LENGTHS: [f64; 2] = [2.0, 1.0];

/// Covariance of two sites from latent correlation and gain.
type Site = fn(f64, f64) -> f64;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let site: Site = effort.form(&cov::ENTRY, cov as Site, |rho, _| rho);
    Ok(vec![signs(effort, site)?, variances(site)?, turn(effort)?])
}

/// Signs, a filter on two neighbours: `|S|` is 0 or 2.
fn signs(effort: &Effort, site: Site) -> Result<Comparison, LabError> {
    let (mut pairs, mut source) = (Vec::new(), Vec::new());
    for lengths in [[2.0, 1.0], [1.0, 2.0], [2.0, 0.5]] {
        let latent = lengths.map(|xi: f64| libm::exp(-1.0 / (xi * xi)));
        let [pos, neg] = latent.map(|rho| site(rho, f64::INFINITY));
        let measured = effort.once(&format!("signs/{lengths:?}"), || {
            let count = effort.samples(100_000);
            let large = |xi: f64| -> Result<Vec<bool>, LabError> {
                let field = Nlgp::on_ring(12, xi, f64::INFINITY, Kernel::Ring).sampler()?;
                let stream = effort.streams.named(&format!("{lengths:?}/{xi}"));
                let drawn = Sample::draw(&field, &stream, count);
                Ok(drawn.rows().map(|x| (x[0] + x[1]).abs() > 1.0).collect())
            };
            let (pos, neg) = (large(lengths[0])?, large(lengths[1])?);
            let ahead = pos.iter().zip(&neg).map(|(a, b)| f64::from(u8::from(*a && !*b)));
            Ok::<_, LabError>(Estimate::from_samples(&ahead.collect::<Vec<f64>>())?)
        })?;
        pairs.push((measured, 0.25 * (1.0 + pos) * (1.0 - neg)));
        // The arctangent of the ratio of deviations, as if variances decided.
        let [one, other] = latent.map(|rho| (1.0 + cov(rho, f64::INFINITY)).sqrt());
        source.push(FRAC_2_PI * libm::atan2(one, other));
    }
    let what = "signs, a filter on two neighbours, lengths (2, 1), (1, 2), (2, 0.5): P(|S_1| > |S_0|) = (1 + C_1)(1 - C_0)/4 with the neighbours' covariances in \
                closed form, and in sampled pairs; the source has (2/pi) arctan(s_1/s_0)";
    Ok(Comparison::noise(&["L002.33/signs"], what, &pairs).source(&source))
}

/// The largest variance ratio of any filter, and the mode it belongs to.
fn variances(site: Site) -> Result<Comparison, LabError> {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for gain in [0.01, 1.0, 3.0, f64::INFINITY] {
        let covariance = |site: &dyn Fn(f64) -> f64| {
            LENGTHS.map(|xi| -> Vec<f64> {
                let half: Vec<f64> = kernel_row(N, xi, Kernel::Ring)[..=N / 2]
                    .iter()
                    .map(|rho| site(*rho))
                    .collect();
                unfold(&half, N)
            })
        };
        let [pos, neg] =
            covariance(&|rho| site(rho, gain)).map(|row| unfold(&circulant_eigs(&row), N));
        let mode = stable_mode(&pos, &neg, 0.0);
        predicted.extend([1.0 / mode.ratio, if mode.k == 0 { 1.0 } else { 0.0 }]);
        let [pos, neg] = covariance(&|rho| by_quadrature(rho, gain)).map(|row| {
            (0..N)
                .map(|i| (0..N).map(|j| row[distance(i, j, N)]).collect())
                .collect::<Vec<Vec<f64>>>()
        });
        let root = function(&neg, |eig| 1.0 / eig.sqrt()).map_err(FormError::from)?;
        let product = |a: &[Vec<f64>], b: &[Vec<f64>]| -> Vec<Vec<f64>> {
            let column = |j: usize| b.iter().map(move |row| row[j]);
            let entry =
                |row: &Vec<f64>, j: usize| row.iter().zip(column(j)).map(|(a, b)| a * b).sum();
            a.iter().map(|row| (0..N).map(|j| entry(row, j)).collect()).collect()
        };
        let whole = product(&product(&root, &pos), &root);
        let half = |i: usize, j: usize| 0.5 * (whole[i][j] + whole[j][i]);
        let even: Vec<Vec<f64>> = (0..N).map(|i| (0..N).map(|j| half(i, j)).collect()).collect();
        let top = eigen(&even).map_err(FormError::from)?;
        let mean = top.vectors[0].iter().sum::<f64>() / (N as f64).sqrt();
        measured.extend([top.values[0], mean * mean]);
    }
    let what = "n = 40, xi_pos = 2, xi_neg = 1, gains 0.01, 1, 3 and infinity: largest variance ratio of any filter and the share of the flat mode in it, over Fourier \
                modes with closed covariances, and from the matrix C_0^(-1/2) C_1 C_0^(-1/2) with covariances by quadrature";
    Ok(Comparison::digits(&["L002.33/variances"], what, &predicted, &measured))
}

/// `E[X X']` at latent correlation `rho`, over the value of one latent site.
fn by_quadrature(rho: f64, gain: f64) -> f64 {
    if rho > 1.0 - 1e-12 {
        return 1.0;
    }
    let rest = (1.0 - rho) * (1.0 + rho);
    if gain.is_infinite() {
        let other = |z: f64| libm::erf(FRAC_1_SQRT_2 * rho * z.abs() / rest.sqrt());
        return normal_expectation(other, &[0.0]).value;
    }
    let steep = [-3.0, -1.0, 0.0, 1.0, 3.0].map(|t| t / gain);
    let given = |z: f64| libm::erf(gain * rho * z / (1.0 + 2.0 * gain * gain * rest).sqrt());
    let mean = |g: &dyn Fn(f64) -> f64| normal_expectation(g, &steep).value;
    let erf = |z: f64| libm::erf(gain * z);
    mean(&|z| erf(z) * given(z)) / mean(&|z| erf(z) * erf(z))
}

/// How often class pos is ahead, of sampled pairs: a flat filter, and bumps of deviation 1 and 2, less that of the flat one.
fn leads(effort: &Effort, gain: f64) -> Result<[Vec<f64>; 3], LabError> {
    let bump = |sd: f64| -> Vec<f64> {
        let at = |i: usize| distance(i, 0, N) as f64 / sd;
        (0..N).map(|i| libm::exp(-0.5 * at(i) * at(i))).collect()
    };
    let filters = [vec![1.0; N], bump(1.0), bump(2.0)];
    // A case is counted beyond its own standard error: fewer pairs would miscount it and not leave it open.
    let count = 150_000;
    // Responses of every filter, sample by sample, kept instead of the fields.
    let sizes = |xi: f64| -> Result<Vec<[f64; 3]>, LabError> {
        let field: Box<dyn Stimulus> = if gain > 0.0 {
            Box::new(Nlgp::on_ring(N, xi, gain, Kernel::Ring).sampler()?)
        } else {
            Box::new(Gaussian::on_ring(N, xi, Kernel::Ring).sampler()?)
        };
        let mut sizes = Vec::with_capacity(count);
        for part in 0..10 {
            let stream = effort.streams.named(&format!("{gain}/{xi}/{part}"));
            let sample = Sample::draw(&*field, &stream, count / 10);
            sizes.extend(sample.rows().map(|x| [0, 1, 2].map(|at| dot(&filters[at], x).abs())));
        }
        Ok(sizes)
    };
    let (pos, neg) = (sizes(LENGTHS[0])?, sizes(LENGTHS[1])?);
    let ahead = |at: usize| -> Vec<f64> {
        pos.iter().zip(&neg).map(|(a, b)| f64::from(u8::from(a[at] > b[at]))).collect()
    };
    Ok([ahead(0), ahead(1), ahead(2)])
}

fn turn(effort: &Effort) -> Result<Comparison, LabError> {
    // Bumps above the flat filter by more than five standard errors of the difference.
    let rises = |gain: f64| -> Result<usize, LabError> {
        let [flat, bumps @ ..] = leads(effort, gain)?;
        let mut hits = 0;
        for bump in bumps {
            let gap = Estimate::from_samples(&combined(1.0, &bump, -1.0, &flat))?;
            hits += usize::from(gap.mean() > 5.0 * gap.se());
        }
        Ok(hits)
    };
    let [squashed, gaussian] = effort.once("turn", || -> Result<[usize; 2], LabError> {
        Ok([rises(3.0)? + rises(f64::INFINITY)?, rises(0.0)?])
    })?;
    let what = "n = 40, xi_pos = 2, xi_neg = 1, gains 3 and infinity, bumps of deviation 1 and 2: cases in which P(|S_1| > |S_0|) of the bump exceeds that of the flat \
                filter by more than 5 standard errors over 150000 pairs of samples, which chance does once in 3 million";
    Ok(Comparison::all(&["L002.33/turn"], what, (squashed, 4), 3e-7)
        .against_cases("Gaussian data", (gaussian, 2))
        .shown())
}
