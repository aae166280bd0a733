//! Fields whose gated means are known exactly, and the same means sampled.

use super::HypercubeBumps;
use fovea_core::ring::{RingKernel, distance};
use fovea_desk::prelude::*;
use fovea_sim::expect::{dot, expect};
use fovea_sim::stimulus::ising::Ising;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::cube::chow::chow;
use fovea_theory::dictator::fixed_point::sign_cov;
use fovea_theory::sign::bumps::bumps;

/// One field of bumps.
pub(super) struct Case {
    /// The claim it belongs to; none for points of the sweep.
    pub(super) id: Option<&'static str>,
    pub(super) name: String,
    pub(super) sites: Vec<usize>,
    pub(super) heights: Vec<f64>,
    /// The closed form at every site.
    pub(super) exact: Vec<f64>,
    /// What the note has in its place.
    pub(super) note: Vec<f64>,
    /// Half a column of the covariance at the highest bump: the maximum extracted, with the right constant.
    pub(super) extracted: Vec<f64>,
    pub(super) sampled: Vec<Estimate>,
}

/// Fields of bumps on sign data.
pub(super) struct Bumps {
    pub(super) cases: Vec<Case>,
    /// Cases of the sweep, in the order of the settings.
    pub(super) sweep: Vec<Case>,
}

impl Bumps {
    pub(super) fn new(settings: &HypercubeBumps, streams: &Streams) -> Result<Self, LabError> {
        let latent = RingKernel::new(settings.n, settings.xi, settings.kernel)
            .map_err(ParamError::from)?
            .first_row;
        let [left, middle, right] = settings.sites();
        let (second, third) = (settings.lower[0], settings.lower[1]);
        let between = 0.5 * (second.max(third) + second + third);
        let case = |id, name: &str, sites: &[usize], heights: &[f64]| {
            Case::new(&latent, id, name, sites, heights)
        };
        let mut cases = vec![
            case(Some("L000.22"), "one bump", &[middle], &[1.0]),
            case(Some("L000.23"), "two equal bumps", &[left, right], &[1.0, 1.0]),
            case(Some("L000.24"), "two unequal bumps", &[left, right], &[1.5, -1.0]),
            case(
                Some("L000.25"),
                "three bumps, none outweighs the others",
                &[left, middle, right],
                &[between, second, third],
            ),
            case(
                Some("L000.27"),
                "three bumps, one outweighs the others",
                &[left, middle, right],
                &[second + third + 0.5, second, third],
            ),
        ];
        for height in &settings.height {
            cases.push(case(None, "", &[left, middle, right], &[*height, second, third]));
        }
        let fields: Vec<Vec<f64>> = cases.iter().map(|case| case.field(settings.n)).collect();
        let n = settings.n;
        let signs = Nlgp::on_ring(n, settings.xi, f64::INFINITY, settings.kernel).sampler()?;
        // One set of samples serves every field.
        let numbers = n * fields.len();
        let sampled =
            expect(&signs, &streams.named("signs"), settings.samples, numbers, |x, out| {
                for (field, out) in fields.iter().zip(out.chunks_mut(n)) {
                    let open = f64::from(u8::from(dot(field, x) >= 0.0));
                    for (out, x) in out.iter_mut().zip(x) {
                        *out = open * x;
                    }
                }
            })?;
        for (case, sampled) in cases.iter_mut().zip(sampled.chunks(n)) {
            case.sampled = sampled.to_vec();
        }
        let sweep = cases.split_off(5);
        Ok(Self { cases, sweep })
    }
}

impl Case {
    fn new(
        latent: &[f64],
        id: Option<&'static str>,
        name: &str,
        sites: &[usize],
        heights: &[f64],
    ) -> Self {
        let n = latent.len();
        let cov = sign_cov(latent);
        let top = largest(heights);
        let column = |row: &[f64], site: usize, factor: f64| -> Vec<f64> {
            (0..n).map(|l| factor * row[distance(site, l, n)]).collect()
        };
        // Note 000 (9) adds the columns of two equal bumps; otherwise the highest is taken.
        let equal = heights.iter().all(|h| (h - heights[0]).abs() < 1e-12) && heights.len() == 2;
        let note = if equal {
            let both = [column(latent, sites[0], 1.0), column(latent, sites[1], 1.0)];
            both[0].iter().zip(&both[1]).map(|(a, b)| a + b).collect()
        } else {
            column(latent, sites[top], heights[top].signum())
        };
        Self {
            id,
            name: name.to_owned(),
            sites: sites.to_vec(),
            heights: heights.to_vec(),
            exact: bumps(latent, sites, heights),
            note,
            extracted: column(&cov, sites[top], 0.5 * heights[top].signum()),
            sampled: Vec::new(),
        }
    }

    fn field(&self, n: usize) -> Vec<f64> {
        let mut w = vec![0.0; n];
        for (site, height) in self.sites.iter().zip(&self.heights) {
            w[*site] = *height;
        }
        w
    }
}

pub(super) fn largest(values: &[f64]) -> usize {
    (0..values.len()).max_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs())).unwrap_or(0)
}

/// How much each weight counts as one of them grows, on independent spins.
pub(super) struct Influence {
    /// Values of the weight that grows.
    pub(super) first: Vec<f64>,
    /// The others together, which it has to pass.
    pub(super) rest: f64,
    /// Counted exactly, a row a value.
    pub(super) exact: Vec<Vec<f64>>,
    /// Sampled, in the same order.
    pub(super) sampled: Vec<Vec<Estimate>>,
    /// On a fine grid of values, for lines.
    pub(super) fine: (Vec<f64>, Vec<Vec<f64>>),
}

impl Influence {
    pub(super) fn new(settings: &HypercubeBumps, streams: &Streams) -> Result<Self, LabError> {
        let with = |first: f64| -> Vec<f64> {
            std::iter::once(first).chain(settings.others.iter().copied()).collect()
        };
        let sites = settings.others.len() + 1;
        let spins = Ising { n: sites, coupling: 0.0 }.sampler()?;
        let fields: Vec<Vec<f64>> = settings.first.iter().map(|first| with(*first)).collect();
        let numbers = sites * fields.len();
        let sampled =
            expect(&spins, &streams.named("spins"), settings.samples, numbers, |x, out| {
                for (field, out) in fields.iter().zip(out.chunks_mut(sites)) {
                    let open = dot(field, x) >= 0.0;
                    for (out, x) in out.iter_mut().zip(x) {
                        // For independent spins the influence is twice the gated mean.
                        *out = if open { 2.0 * x } else { 0.0 };
                    }
                }
            })?;
        let top = settings.first.iter().fold(0.0, |top: f64, x| top.max(*x));
        let grid: Vec<f64> = (0..=240).map(|i| top * f64::from(i) / 240.0).collect();
        let fine = grid.iter().map(|first| chow(&with(*first)).banzhaf).collect();
        Ok(Self {
            first: settings.first.clone(),
            rest: settings.others.iter().sum(),
            exact: fields.iter().map(|field| chow(field).banzhaf).collect(),
            sampled: sampled.chunks(sites).map(<[Estimate]>::to_vec).collect(),
            fine: (grid, fine),
        })
    }
}
