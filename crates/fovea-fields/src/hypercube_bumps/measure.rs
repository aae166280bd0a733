//! Fields whose gated means are known exactly, and the same means sampled.

use super::HypercubeBumps;
use fovea_core::ring::{RingKernel, distance};
use fovea_core::streams::Stream;
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_sim::Stimulus;
use fovea_sim::expect::expect;
use fovea_sim::stimulus::ising::Ising;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::cube::chow::chow;
use fovea_theory::dictator::fixed_point::sign_cov;
use fovea_theory::sign::bumps::bumps;

/// One field of bumps.
pub(super) struct Case {
    /// The claim it belongs to, and what the claim calls it; points of the sweep have neither.
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) sites: Vec<usize>,
    pub(super) heights: Vec<f64>,
    /// The closed form at every site.
    pub(super) exact: Vec<f64>,
    /// What the note has instead.
    pub(super) note: Vec<f64>,
    /// Half a column of the covariance at the highest bump: the maximum extracted, with the right constant.
    pub(super) extracted: Vec<f64>,
    pub(super) sampled: Vec<Estimate>,
}

/// Gated means of bumps on sign data, and influences on independent spins.
pub struct Found {
    pub(super) cases: Vec<Case>,
    /// Three bumps as the first one grows, in the order of the settings.
    pub(super) sweep: Vec<Case>,
    /// How much each weight counts as one of them grows: counted exactly, for every value of that one.
    pub(super) influence: Vec<Vec<f64>>,
    /// Sampled, in the same order.
    pub(super) sampled: Vec<Vec<Estimate>>,
}

/// Gated means of some fields times a factor; one set of samples serves every field.
fn gated_means(
    settings: &HypercubeBumps,
    stimulus: &dyn Stimulus,
    stream: &Stream,
    fields: &[Vec<f64>],
    factor: f64,
) -> Result<Vec<Vec<Estimate>>, LabError> {
    let n = stimulus.dim();
    let sampled = expect(stimulus, stream, settings.samples, n * fields.len(), |x, out| {
        for (field, out) in fields.iter().zip(out.chunks_mut(n)) {
            let open = f64::from(u8::from(dot(field, x) >= 0.0));
            for (out, x) in out.iter_mut().zip(x) {
                *out = factor * open * x;
            }
        }
    })?;
    Ok(sampled.chunks(n).map(<[Estimate]>::to_vec).collect())
}

impl Found {
    pub(super) fn new(settings: &HypercubeBumps, desk: &Desk<'_>) -> Result<Self, LabError> {
        let HypercubeBumps { n, xi, kernel, spacing, .. } = *settings;
        let latent = RingKernel::new(n, xi, kernel).map_err(ParamError::from)?.first_row;
        let all @ [left, middle, right] = [n / 2 - spacing, n / 2, n / 2 + spacing];
        let (second, third) = (settings.lower[0], settings.lower[1]);
        // Heights of a first bump that does not outweigh the others together, and of one that does.
        let (less, more) = (0.5 * (second.max(third) + second + third), second + third + 0.5);
        let three = |first: f64| [first, second, third];
        let case = |id, name, sites: &[usize], heights: &[f64]| {
            Case::new(&latent, (id, name), sites, heights)
        };
        let mut cases = vec![
            case("L000.22", "one bump", &[middle], &[1.0]),
            case("L000.23", "two equal bumps", &[left, right], &[1.0, 1.0]),
            case("L000.24", "two unequal bumps", &[left, right], &[1.5, -1.0]),
            case("L000.25", "three bumps, none outweighs the others", &all, &three(less)),
            case("L000.27", "three bumps, one outweighs the others", &all, &three(more)),
        ];
        cases.extend(settings.height.iter().map(|height| case("", "", &all, &three(*height))));
        let fields: Vec<Vec<f64>> = cases.iter().map(|case| case.field(n)).collect();
        let signs = Nlgp::on_ring(n, xi, f64::INFINITY, kernel).sampler()?;
        let stream = desk.streams().named("signs");
        let sampled = gated_means(settings, &signs, &stream, &fields, 1.0)?;
        for (case, sampled) in cases.iter_mut().zip(sampled) {
            case.sampled = sampled;
        }
        let sweep = cases.split_off(5);
        desk.stepped();
        desk.go_on()?;
        let fields: Vec<Vec<f64>> = settings.first.iter().map(|w| settings.weights(*w)).collect();
        let spins = Ising { n: settings.others.len() + 1, coupling: 0.0 }.sampler()?;
        let stream = desk.streams().named("spins");
        // For independent spins the influence is twice the gated mean.
        let sampled = gated_means(settings, &spins, &stream, &fields, 2.0)?;
        let influence = fields.iter().map(|field| chow(field).banzhaf).collect();
        desk.stepped();
        Ok(Self { cases, sweep, influence, sampled })
    }

    pub(super) fn arrays(&self, settings: &HypercubeBumps) -> Vec<Array> {
        let cases = || self.cases.iter().chain(&self.sweep);
        let exact: Vec<Vec<f64>> = cases().map(|case| case.exact.clone()).collect();
        let sampled: Vec<Vec<f64>> = cases().map(|case| bars(&case.sampled).0).collect();
        let influence: Vec<Vec<f64>> = self.sampled.iter().map(|row| bars(row).0).collect();
        vec![
            Array::of_rows("f_exact", &exact),
            Array::of_rows("f_sampled", &sampled),
            Array::of_entries("influence_first", &settings.first),
            Array::of_rows("influence_exact", &self.influence),
            Array::of_rows("influence_sampled", &influence),
        ]
    }
}

impl Case {
    fn new(
        latent: &[f64],
        (id, name): (&'static str, &'static str),
        sites: &[usize],
        heights: &[f64],
    ) -> Self {
        let (n, top) = (latent.len(), peak(heights));
        let column = |row: &[f64], site: usize, factor: f64| -> Vec<f64> {
            (0..n).map(|l| factor * row[distance(site, l, n)]).collect()
        };
        // Note 000 (9) adds the columns of two equal bumps; otherwise the highest is taken.
        let equal = heights.len() == 2 && (heights[1] - heights[0]).abs() < 1e-12;
        let note = if equal {
            let both = [column(latent, sites[0], 1.0), column(latent, sites[1], 1.0)];
            both[0].iter().zip(&both[1]).map(|(a, b)| a + b).collect()
        } else {
            column(latent, sites[top], heights[top].signum())
        };
        Self {
            id,
            name,
            sites: sites.to_vec(),
            heights: heights.to_vec(),
            exact: bumps(latent, sites, heights),
            note,
            extracted: column(&sign_cov(latent), sites[top], 0.5 * heights[top].signum()),
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
