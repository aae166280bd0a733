//! What localizes a field: binary data, or negative kurtosis?
//!
//! Note 000, section 3 takes support on the vertices of the hypercube to be the key to localization. Here one Gaussian copula
//! is given other marginal distributions, from heavy tails to signs (L000.45). For each of them the stationary points of one ReLU unit are
//! the critical points of `R(w) = (E_+|<w,X>|)^2 / w'Mw` (L000.38), and a bump is preferred where its `R` exceeds that of
//! the flat field. Continuous distributions of negative excess kurtosis localize as signs do, those of positive do not; a
//! run of either kind that ends otherwise would falsify it.

mod claims;
mod figure;

use fovea_core::ring::{circulant_apply, distance};
use fovea_desk::cell::in_the_middle;
use fovea_desk::prelude::*;
use fovea_desk::two_class::check_once;
use fovea_sim::Stimulus;
use fovea_sim::expect::expect;
use fovea_sim::lattice::Lattice;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::copula::{Copula, Shape};
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::ascent::{ascend, least_squares, ratio};
use fovea_theory::copula::Marginal;
use fovea_theory::site::Site;
use fovea_theory::variational::r_site::r_site;
use std::f64::consts::FRAC_2_PI;

params! {
    /// Settings of `marginals`.
    pub struct Marginals {
        ..two: TwoClass;
        ..descent: Descent { lr = 0.05; steps = 6000 };
        /// Exponents of the algebraic distribution Kur(k); its excess kurtosis is 0 at k = 5.89.
        k: Vec<f64> = vec![5.0, 8.0], between(4.1, 1e3), "";
        /// Samples per measured R.
        samples: usize = 200_000, between(1000.0, 1e9), "samples";
        /// Size of the fixed sample on which R is maximized.
        rows: usize = 20_000, between(100.0, 1e6), "samples";
        /// Starts, of the ascent of R and of training.
        starts: usize = 12, between(2.0, 1e4), "starts";
    }
}

impl Params for Marginals {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        check_once("k", &self.k)?;
        check_records(self.descent.steps, self.record_every(), self.two.n * self.starts * 8)
    }
}

/// A field with a larger inverse participation ratio counts as localized; a wave has 1.5/n.
const LOCALIZED: f64 = 0.1;

/// Deviations of the bumps, in sites; 0 is a single site and infinity the flat field.
const WIDTHS: [f64; 9] = [0.0, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, f64::INFINITY];

/// Sweeps of the ascent.
const SWEEPS: usize = 300;

/// Sweeps of a wrong map, which need not converge: enough to fall.
const WRONG_SWEEPS: usize = 20;

impl Marginals {
    /// Twenty records per run.
    fn record_every(&self) -> usize {
        self.descent.steps.div_ceil(20)
    }

    /// Every marginal distribution by name, from heavy tails to signs.
    fn laws(&self) -> Vec<(String, Site)> {
        let mut laws = vec![
            ("laplace".to_owned(), Site::Copula(Marginal::Laplace)),
            ("gaussian".to_owned(), Site::Gaussian),
            ("uniform".to_owned(), Site::Copula(Marginal::Uniform)),
            ("arcsine".to_owned(), Site::Copula(Marginal::Arcsine)),
            ("sign".to_owned(), Site::Nlgp { gain: f64::INFINITY }),
        ];
        let kur =
            |k: &f64| (format!("kur({})", Value::Real(*k)), Site::Copula(Marginal::Kur { k: *k }));
        laws.extend(self.k.iter().map(kur));
        laws.sort_by(|a, b| b.1.excess_kurtosis().total_cmp(&a.1.excess_kurtosis()));
        laws
    }

    /// The simulator's own stimulus with these marginals.
    fn stimulus(&self, site: Site, xi: f64) -> Item<Box<dyn Stimulus>> {
        let TwoClass { n, kernel, .. } = self.two;
        let copula = |marginal: Shape, k: f64| {
            let lattice = Lattice::ring(n, xi, kernel);
            Item::of("copula", &Copula { lattice, marginal, k, ..Copula::default() })
        };
        match site {
            Site::Gaussian => Item::of("gaussian", &Gaussian::on_ring(n, xi, kernel)),
            Site::Nlgp { gain } => Item::of("nlgp", &Nlgp::on_ring(n, xi, gain, kernel)),
            Site::Copula(Marginal::Uniform) => copula(Shape::Uniform, 5.0),
            Site::Copula(Marginal::Arcsine) => copula(Shape::Arcsine, 5.0),
            Site::Copula(Marginal::Laplace) => copula(Shape::Laplace, 5.0),
            Site::Copula(Marginal::Kur { k }) => copula(Shape::Kur, k),
        }
    }
}

/// One marginal distribution: theory, R of a family of fields, the ascent of R, and the ends of training.
pub struct Law {
    name: String,
    /// Excess kurtosis of a site.
    kurtosis: f64,
    /// `R` of a single site, in closed form.
    site_ratio: f64,
    /// Measured `R` of the fields of [`WIDTHS`].
    ratios: Vec<Estimate>,
    /// The same for Gaussian data of these covariances, in closed form.
    gaussian: Vec<f64>,
    /// Largest `R` of all ascents, and the participation ratio of that field.
    best: (f64, f64),
    /// How many ascents were monotone, and how many with the gated mean of the other class.
    monotone: [usize; 2],
    /// Participation ratio at the end of every run.
    iprs: Vec<f64>,
    /// How many of them are localized.
    localized: usize,
    /// The field of the first run, its largest entry in the middle.
    field: Vec<f64>,
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

/// Whether `R` of a sample of the first class never falls under the map with the gated mean of the second.
fn never_falls(sum_row: &[f64], start: Vec<f64>, [sample, other]: [&Sample; 2]) -> bool {
    let of = |w: &[f64]| ratio(sum_row, w, &sample.gated_mean(w));
    let (mut w, mut before) = (start, 0.0);
    (0..=WRONG_SWEEPS).all(|_| {
        let now = of(&w);
        w = least_squares(sum_row, &other.gated_mean(&w));
        // More than by rounding, which is all that the right map may lose.
        now >= std::mem::replace(&mut before, now) * (1.0 - 1e-12)
    })
}

impl Law {
    fn measure(
        settings: &Marginals,
        (name, site): (String, Site),
        runs: &Group<'_>,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let TwoClass { n, xi_pos, xi_neg, .. } = settings.two;
        let rows = settings.two.kernels()?.map(|kernel| site.cov_row(&kernel.first_row));
        let sum_row: Vec<f64> = rows[0].iter().zip(&rows[1]).map(|(pos, neg)| pos + neg).collect();
        let fields: Vec<Vec<f64>> = WIDTHS.iter().map(|width| bump(n, *width)).collect();
        let power = |row: &[f64], w: &[f64]| dot(w, &circulant_apply(row, w));
        let pos = settings.stimulus(site, xi_pos).build("stimulus")?;
        let stream = streams.part(&name).named("ratios");
        let sizes = expect(&*pos, &stream, settings.samples, fields.len(), |x, out| {
            for (out, w) in out.iter_mut().zip(&fields) {
                *out = dot(w, x).abs();
            }
        })?;
        let measured = |(size, w): (&Estimate, &Vec<f64>)| {
            let (mean, power) = (size.mean(), power(&sum_row, w));
            // The square of a mean, to first order in its error.
            let se = 2.0 * mean * size.se() / power;
            Estimate::from_parts(mean * mean / power, se, size.count())
        };
        let gaussian = |w: &Vec<f64>| FRAC_2_PI * power(&rows[0], w) / power(&sum_row, w);
        let neg = settings.stimulus(site, xi_neg).build("stimulus")?;
        let [sample, other] =
            [(&pos, "rows"), (&neg, "rows of the other class")].map(|(class, stream)| {
                Sample::draw(&**class, &streams.part(&name).named(stream), settings.rows)
            });
        let (mut best, mut monotone) = ((0.0, 0.0), [0; 2]);
        for start in 0..settings.starts as u64 {
            let w0 = glorot(n, 1.0, &streams.replica(start))?;
            let ascent = ascend(&sum_row, &w0, SWEEPS, |w| sample.gated_mean(w));
            monotone[0] += usize::from(ascent.monotone);
            monotone[1] += usize::from(never_falls(&sum_row, w0, [&sample, &other]));
            if ascent.ratio() > best.0 {
                best = (ascent.ratio(), ipr(&ascent.w));
            }
        }
        let iprs = runs.per_seed(&probe::weights::ENTRY, |units| ipr(&units[0]));
        Ok(Self {
            name,
            kurtosis: site.excess_kurtosis(),
            site_ratio: r_site(site),
            ratios: sizes.iter().zip(&fields).map(measured).collect::<Result<_, _>>()?,
            gaussian: fields.iter().map(gaussian).collect(),
            best,
            monotone,
            localized: iprs.iter().filter(|ipr| **ipr > LOCALIZED).count(),
            iprs,
            field: in_the_middle(&runs.last(0, &probe::weights::ENTRY)[0]),
        })
    }

    fn arrays(&self) -> [Array; 3] {
        let means: Vec<f64> = self.ratios.iter().map(Estimate::mean).collect();
        [("ratio", &means), ("ipr", &self.iprs), ("field", &self.field)]
            .map(|(what, entries)| Array::of_entries(format!("{what}_{}", self.name), entries))
    }

    /// Measured `R` of the field of this width.
    fn ratio(&self, width: f64) -> Option<Estimate> {
        let at = WIDTHS.iter().position(|other| other.total_cmp(&width).is_eq())?;
        self.ratios.get(at).copied()
    }
}

/// A row per distribution: `R` of some widths, the best ascent, and training.
fn laws(laws: &[Law]) -> Table {
    Table::of("laws", laws)
        .words("law", |law| law.name.clone())
        .real("excess_kurtosis", 3, |law| law.kurtosis)
        .maybe("r_of_a_site", 4, |law| law.ratio(0.0))
        .maybe("r_of_a_bump_of_1", 4, |law| law.ratio(1.0))
        .maybe("r_of_a_bump_of_2", 4, |law| law.ratio(2.0))
        .maybe("r_of_the_flat_field", 4, |law| law.ratio(f64::INFINITY))
        .real("best_r", 4, |law| law.best.0)
        .real("its_ipr", 3, |law| law.best.1)
        .real("trained_ipr", 3, |law| mean(&law.iprs))
        .whole("localized", |law| law.localized)
        .whole("runs", |law| law.iprs.len())
        .caption(format!(
            "One row per marginal distribution: measured R of a single site, of bumps with a deviation of 1 and 2 sites and of the flat field; the largest R of all \
             ascents, with the IPR there; the mean IPR at the end of training, and how many runs are localized (IPR above {LOCALIZED})."
        ))
}

impl Experiment for Marginals {
    type Found<'r> = Vec<Law>;

    const WORDS: Words<'static> = Words {
        title: "Sub-Gaussian marginals localize, on the vertices or not",
        lead: "The same Gaussian copula with marginals from heavy tails to signs: at these correlation lengths a ReLU unit \
               localizes on continuous distributions of clearly negative excess kurtosis as it does on signs, and stays extended on those of \
               clearly positive. Stronger correlations can undo it at any kurtosis: see `ising-transition`.",
        caption: figure::CAPTION,
        formulas: &[
            r"R(w) = \frac{(\mathbb{E}_{+}|\langle w,x\rangle|)^2}{w^\top M w}, \qquad L = \tfrac14\left(1-\tfrac12 R\right), \qquad M = C_{-}+C_{+}",
            r"R(e_i) = \tfrac12\,(\mathbb{E}|X_i|)^2, \qquad R \approx \frac{2}{\pi}\,\frac{w^\top C_{+} w}{w^\top M w}\left(1-\tfrac{\kappa_4}{12}\right)",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        let descent = Descent { batch: 500, steps: 1600, ..base.descent };
        Self { descent, k: vec![5.0], samples: 20_000, rows: 4000, starts: 4, ..base }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let probes = &[&probe::weights::ENTRY, &probe::norm::ENTRY, &probe::ipr::ENTRY];
        let plan = self.descent.plan(self.record_every(), probes);
        let mut jobs = Vec::new();
        for (name, site) in self.laws() {
            let [pos, neg] = [self.two.xi_pos, self.two.xi_neg].map(|xi| self.stimulus(site, xi));
            let task = Arc::new(TaskSpec::pair(pos, neg, 0.0, Labels::Iid));
            for start in 0..self.starts as u64 {
                let streams = streams.replica(start);
                let network = Start::Given(one_unit(&glorot(self.two.n, 1.0, &streams)?)?);
                let stage = self.descent.stage(&task, plan.clone(), streams);
                let label = format!("{name},start={start}");
                jobs.push(Job::new(label, network, stage).in_group(&*name));
            }
        }
        Ok(jobs)
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Vec<Law>, LabError> {
        desk.try_fleet(&self.laws(), |law| {
            Law::measure(self, law.clone(), &runs.group(&law.0), &desk.streams())
        })
    }

    fn show(&self, _: &Runs, found: &Vec<Law>) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: found.iter().flat_map(Law::arrays).collect(),
            claims: self.claims(found),
            figures: vec![("marginals", self.figure(found))],
            tables: vec![laws(found)],
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Marginals>(
    "marginals",
    "one Gaussian copula under marginals from Laplace to signs: negative kurtosis localizes; binary data are not needed",
    include_str!("mod.rs"),
);
