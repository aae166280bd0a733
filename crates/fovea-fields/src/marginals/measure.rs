//! One marginal law: what theory says of it, R of a family of fields, the climb of R, and where training ends.

use super::Marginals;
use fovea_core::ring::{circulant_apply, distance};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_sim::Stimulus;
use fovea_sim::expect::{dot, expect};
use fovea_sim::lattice::Lattice;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::copula::{Copula, Shape};
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::ascent::ascend;
use fovea_theory::copula::Marginal;
use fovea_theory::site::Site;
use fovea_theory::variational::r_site::r_site;

/// A field with a larger inverse participation ratio counts as localized; a wave has 1.5/n.
pub(super) const LOCALIZED: f64 = 0.1;

/// Deviations of the bumps, in sites; 0 is a single site and infinity the flat field.
pub(super) const WIDTHS: [f64; 9] = [0.0, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, f64::INFINITY];

/// Sweeps of the climb.
const SWEEPS: usize = 300;

/// A law by name.
pub(super) struct Setting {
    pub(super) name: String,
    site: Site,
}

impl Setting {
    /// Every law, from heavy tails to signs.
    pub(super) fn all(settings: &Marginals) -> Vec<Self> {
        let mut laws = vec![
            ("laplace".to_owned(), Site::Copula(Marginal::Laplace)),
            ("gaussian".to_owned(), Site::Gaussian),
            ("uniform".to_owned(), Site::Copula(Marginal::Uniform)),
            ("arcsine".to_owned(), Site::Copula(Marginal::Arcsine)),
            ("sign".to_owned(), Site::Nlgp { gain: f64::INFINITY }),
        ];
        laws.extend(
            settings.k.iter().map(|k| {
                (format!("kur({})", Value::Real(*k)), Site::Copula(Marginal::Kur { k: *k }))
            }),
        );
        laws.sort_by(|a, b| b.1.excess_kurtosis().total_cmp(&a.1.excess_kurtosis()));
        laws.into_iter().map(|(name, site)| Self { name, site }).collect()
    }

    /// The simulator's own stimulus of this law, by name.
    pub(super) fn stimulus(&self, settings: &Marginals, xi: f64) -> Item<Box<dyn Stimulus>> {
        let (n, kernel) = (settings.n, settings.kernel);
        let copula = |marginal: Shape, k: f64| {
            let lattice = Lattice::ring(n, xi, kernel);
            Item::of("copula", &Copula { lattice, marginal, k, ..Copula::default() })
        };
        match self.site {
            Site::Gaussian => Item::of("gaussian", &Gaussian::on_ring(n, xi, kernel)),
            Site::Nlgp { gain } => Item::of("nlgp", &Nlgp::on_ring(n, xi, gain, kernel)),
            Site::Copula(Marginal::Uniform) => copula(Shape::Uniform, 5.0),
            Site::Copula(Marginal::Arcsine) => copula(Shape::Arcsine, 5.0),
            Site::Copula(Marginal::Laplace) => copula(Shape::Laplace, 5.0),
            Site::Copula(Marginal::Kur { k }) => copula(Shape::Kur, k),
        }
    }
}

/// What was found about a law.
pub struct Law {
    pub(super) name: String,
    /// Whether its samples are vertices of a cube.
    pub(super) vertices: bool,
    /// Excess kurtosis of a site.
    pub(super) kurtosis: f64,
    /// `R` of a single site, in closed form.
    pub(super) site_ratio: f64,
    /// Measured `R` of the fields of [`WIDTHS`].
    pub(super) ratios: Vec<Estimate>,
    /// The same for Gaussian data of these covariances, in closed form.
    pub(super) gaussian: Vec<f64>,
    /// Largest `R` the climb found, and the participation ratio of that field.
    pub(super) best: (f64, f64),
    /// How many climbs were monotone.
    pub(super) monotone: usize,
    /// Participation ratio at the end of every run.
    pub(super) iprs: Vec<f64>,
    /// How many of them are localized.
    pub(super) localized: usize,
    /// The field of the first run, its largest entry in the middle.
    pub(super) field: Vec<f64>,
}

/// A bump of this deviation at site 0.
fn bump(n: usize, width: f64) -> Vec<f64> {
    let entry = |i: usize| {
        let d = distance(0, i, n) as f64;
        match width {
            0.0 => f64::from(u8::from(i == 0)),
            _ if width.is_infinite() => 1.0,
            _ => libm::exp(-0.5 * d * d / (width * width)),
        }
    };
    (0..n).map(entry).collect()
}

impl Law {
    pub(super) fn measure(
        settings: &Marginals,
        law: &Setting,
        runs: &Group<'_>,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let (name, site) = (law.name.clone(), law.site);
        let [pos, neg] = settings.two_class().kernels()?;
        let [pos_row, neg_row] = [pos, neg].map(|kernel| site.cov_row(&kernel.first_row));
        let sum_row: Vec<f64> = pos_row.iter().zip(&neg_row).map(|(pos, neg)| pos + neg).collect();
        let fields: Vec<Vec<f64>> = WIDTHS.iter().map(|width| bump(settings.n, *width)).collect();
        let power = |row: &[f64], w: &[f64]| dot(w, &circulant_apply(row, w));
        let pos = law.stimulus(settings, settings.xi_pos).build("stimulus")?;
        let stream = streams.part(&name).named("ratios");
        let sizes = expect(&*pos, &stream, settings.samples, fields.len(), |x, out| {
            for (out, w) in out.iter_mut().zip(&fields) {
                *out = dot(w, x).abs();
            }
        })?;
        let ratios = sizes
            .iter()
            .zip(&fields)
            .map(|(size, w)| {
                let (mean, power) = (size.mean(), power(&sum_row, w));
                // The square of a mean, to first order in its error.
                Estimate::from_parts(
                    mean * mean / power,
                    2.0 * mean * size.se() / power,
                    size.count(),
                )
            })
            .collect::<Result<_, _>>()?;
        let gaussian = fields
            .iter()
            .map(|w| std::f64::consts::FRAC_2_PI * power(&pos_row, w) / power(&sum_row, w))
            .collect();
        let sample = Sample::draw(&*pos, &streams.part(&name).named("rows"), settings.rows);
        let (mut best, mut monotone) = ((0.0, 0.0), 0);
        for start in 0..settings.starts as u64 {
            let w0 = glorot(settings.n, 1.0, &streams.replica(start))?;
            let ascent = ascend(&sum_row, &w0, SWEEPS, |w| sample.gated_mean(w));
            monotone += usize::from(ascent.monotone);
            if ascent.ratio() > best.0 {
                best = (ascent.ratio(), ipr(&ascent.w));
            }
        }
        let ends: Vec<&[f64]> =
            runs.runs.iter().map(|run| run.last(&probe::weights::ENTRY)[0].as_slice()).collect();
        let iprs: Vec<f64> = ends.iter().map(|w| ipr(w)).collect();
        Ok(Self {
            vertices: matches!(site, Site::Nlgp { gain } if gain.is_infinite()),
            kurtosis: site.excess_kurtosis(),
            site_ratio: r_site(site),
            localized: iprs.iter().filter(|ipr| **ipr > LOCALIZED).count(),
            field: centred(ends[0]),
            name,
            ratios,
            gaussian,
            best,
            monotone,
            iprs,
        })
    }
}

/// The field turned so that its largest entry lies in the middle and is positive.
fn centred(w: &[f64]) -> Vec<f64> {
    let n = w.len();
    let peak = peak(w);
    let sign = 1.0_f64.copysign(w[peak]);
    (0..n).map(|i| sign * w[(i + peak + n - n / 2) % n]).collect()
}
