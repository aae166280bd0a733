//! One column of the figure: a distribution, its amplifier, its kurtosis, and its fields with the flow.

use super::Fig3Panels;
use fovea_core::quadrature::adaptive;
use fovea_core::ring::{distance, unfold};
use fovea_core::special::{normal_pdf, normal_quantile};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_desk::two_class::spins;
use fovea_sim::expect::expect;
use fovea_sim::{Batch, plain};
use fovea_theory::copula::Marginal;
use fovea_theory::ising::cov::cov;
use fovea_theory::site::Site;
use fovea_theory::unit_flow::{ClassRows, UnitFlow};
use fovea_theory::{AmplifierFlow, amplifier_flow};

/// The distribution of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    /// Spins of an Ising ring.
    Ising,
    /// The nonlinear process of small gain.
    Gaussian,
    /// The algebraic distribution.
    Heavy,
}

impl Law {
    pub(super) const ALL: [Self; 3] = [Self::Ising, Self::Gaussian, Self::Heavy];

    /// The name in records.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Ising => "ising",
            Self::Gaussian => "gaussian",
            Self::Heavy => "kur",
        }
    }

    /// The distribution of one site.
    fn site(self, settings: &Fig3Panels) -> Site {
        match self {
            Self::Ising => Site::Nlgp { gain: f64::INFINITY },
            Self::Gaussian => Site::Nlgp { gain: settings.gain },
            Self::Heavy => Site::Copula(Marginal::Kur { k: settings.k }),
        }
    }

    pub(super) fn task(self, settings: &Fig3Panels) -> Arc<TaskSpec> {
        let Fig3Panels { two, coupling_pos, coupling_neg, gain, k, .. } = settings;
        match self {
            Self::Ising => spins(two.n, [*coupling_pos, *coupling_neg], Labels::Balanced),
            Self::Gaussian => two.spec(*gain, Labels::Balanced),
            Self::Heavy => two.power_tails(*k, Labels::Balanced),
        }
    }

    /// The covariances of the classes.
    pub(super) fn rows(self, settings: &Fig3Panels) -> Result<ClassRows, LabError> {
        if self == Self::Ising {
            let row = |coupling| unfold(&cov(settings.two.n, coupling), settings.two.n);
            let (pos, neg) = (row(settings.coupling_pos), row(settings.coupling_neg));
            return Ok(ClassRows { pos, neg });
        }
        let [pos, neg] = settings.two.kernels()?;
        Ok(amplifier_flow::class_rows(self.site(settings), &pos.first_row, &neg.first_row))
    }
}

/// Correlations at which the amplifier is sampled.
pub(super) const POINTS: usize = 9;
/// Samples for the amplifier.
const AMPLIFIED: usize = 20_000;

/// What a column shows.
pub struct Column {
    pub(super) law: Law,
    /// The name for a reader.
    pub(super) label: String,
    pub(super) site: Site,
    /// `[seed][record]`, trained.
    pub(super) fields: Vec<Vec<Vec<f64>>>,
    /// The same of the amplifier's flow, exact for Gaussian data.
    pub(super) flows: Vec<Vec<Vec<f64>>>,
    /// Kurtosis of every set after each part of it.
    pub(super) kurtosis: Vec<[f64; 3]>,
    /// The sampled amplifier: correlation and estimate; the last is `E|X|`.
    pub(super) amplifier: Vec<(f64, Estimate)>,
}

impl Column {
    pub(super) fn measure(
        settings: &Fig3Panels,
        law: Law,
        runs: &Group<'_>,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let (site, task) = (law.site(settings), law.task(settings).build()?);
        let label = match law {
            Law::Ising => "Ising".to_owned(),
            Law::Gaussian => "Gaussian".to_owned(),
            Law::Heavy => format!("Kur({})", settings.k),
        };
        let flow = AmplifierFlow::new(site, law.rows(settings)?);
        let fields = |run: &&Trained| -> Vec<Vec<f64>> {
            run.readings(&probe::weights::ENTRY).iter().map(|units| units[0].clone()).collect()
        };
        let fields: Vec<Vec<Vec<f64>>> = runs.runs.iter().map(fields).collect();
        let flows = desk.fleet(&fields, |fields| descend(settings, &flow, &fields[0]))?;
        let sets: Vec<u64> = (0..settings.sets as u64).collect();
        let streams = desk.streams().part(law.word());
        let kurtosis =
            desk.fleet(&sets, |set| sampled(&task, &streams.replica(*set), settings.samples))?;
        let a: Vec<f64> = (1..=POINTS).map(|i| i as f64 / POINTS as f64).collect();
        let pos = task.classes()[0].stimulus.as_ref();
        let stream = streams.named("amplifier");
        let means = expect(pos, &stream, AMPLIFIED, POINTS, |x, out| {
            for (out, a) in out.iter_mut().zip(&a) {
                *out = x.iter().map(|x| amplified(*x, *a)).sum::<f64>() / x.len() as f64;
            }
        })?;
        let amplifier = a.into_iter().zip(means).collect();
        Ok(Self { law, label, site, fields, flows, kurtosis, amplifier })
    }

    /// The final fields, trained and of the flow.
    pub(super) fn ends(&self) -> impl Iterator<Item = (&[f64], &[f64])> {
        let last = |records: &'_ Vec<Vec<f64>>| records.len() - 1;
        self.fields.iter().zip(&self.flows).map(move |(w, v)| (&w[last(w)][..], &v[last(v)][..]))
    }

    /// Share of the runs whose peak lies within a site of the flow's, at every record.
    pub(super) fn predicted(&self) -> Vec<f64> {
        let share = |record: usize| {
            let pairs = self.fields.iter().zip(&self.flows);
            let hits = pairs.filter(|(w, v)| near(&w[record], &v[record])).count();
            hits as f64 / self.fields.len() as f64
        };
        (0..self.fields[0].len()).map(share).collect()
    }

    /// The kurtosis of the distribution.
    pub(super) fn kurtosis_of_law(&self) -> f64 {
        3.0 + self.site.excess_kurtosis()
    }

    /// Kurtosis over whole sets.
    pub(super) fn whole_sets(&self) -> Vec<f64> {
        self.kurtosis.iter().map(|parts| parts[2]).collect()
    }

    pub(super) fn arrays(&self) -> [Array; 2] {
        let word = self.law.word();
        let flows: Vec<Vec<f64>> = self.ends().map(|(_, v)| v.to_vec()).collect();
        let sets: Vec<Vec<f64>> = self.kurtosis.iter().map(|parts| parts.to_vec()).collect();
        [
            Array::of_rows(format!("flow_{word}"), &flows),
            Array::of_rows(format!("kurtosis_{word}"), &sets),
        ]
    }
}

/// Whether two fields have their peaks within a site of each other.
pub(super) fn near(w: &[f64], v: &[f64]) -> bool {
    distance(peak(w), peak(v), w.len()) <= 1
}

/// `x erf(a x / sqrt(2 (1 - a^2)))`, which is `|x|` at `a = 1`.
fn amplified(x: f64, a: f64) -> f64 {
    if a < 1.0 { x * libm::erf(a * x / (2.0 * (1.0 - a * a)).sqrt()) } else { x.abs() }
}

/// Full-batch descent on the flow, kept where training records.
fn descend(settings: &Fig3Panels, flow: &AmplifierFlow, start: &[f64]) -> Vec<Vec<f64>> {
    let (mut fields, mut step) = (Vec::new(), 0);
    flow.euler_map(start, settings.descent.lr, settings.descent.steps, |_, w| {
        if settings.records(step) {
            fields.push(w.to_vec());
        }
        step += 1;
    });
    fields
}

/// Parts of a set after which the kurtosis is kept: a hundredth, a tenth, all of it.
pub(super) const PARTS: [usize; 3] = [100, 10, 1];

/// Sums of powers over entries.
#[derive(Clone, Copy, Default)]
pub struct Powers {
    count: f64,
    sums: [f64; 3],
}

impl Powers {
    /// Adds one entry.
    pub fn push(&mut self, x: f64) {
        self.count += 1.0;
        for (sum, power) in self.sums.iter_mut().zip([x, x * x, x * x * x * x]) {
            *sum += power;
        }
    }

    /// `mean(x^4) / var(x)^2`, as the published program prints it.
    pub fn kurtosis(&self) -> f64 {
        let [first, second, fourth] = self.sums.map(|sum| sum / self.count);
        let variance = second - first * first;
        fourth / (variance * variance)
    }
}

/// The kurtosis over all entries of a set of samples, after each of [`PARTS`] of it.
pub(super) fn sampled(task: &Task, streams: &Streams, samples: usize) -> [f64; 3] {
    let batch = Batch::new(task, streams, "kurtosis", 0, samples);
    let (mut powers, mut read) = (Powers::default(), [0.0; 3]);
    for (i, (x, _)) in plain::samples::<f64>(&batch).iter().enumerate() {
        for entry in x {
            powers.push(*entry);
        }
        for (read, part) in read.iter_mut().zip(PARTS) {
            if i + 1 == samples / part {
                *read = powers.kurtosis();
            }
        }
    }
    read
}

/// The fourth moment of a distribution without what lies beyond the size that one of `draws` exceeds on average.
///
/// A mean of `draws` heavy-tailed numbers seldom sees anything beyond; for tails `P(|X| > x) ~ x^-k` the gap closes as
/// `draws^(4/k - 1)`.
pub fn within_reach(site: Site, draws: f64) -> f64 {
    let top = -normal_quantile(0.5 / draws);
    let fourth = |z: f64| {
        let square = site.quantile(z) * site.quantile(z);
        2.0 * square * square * normal_pdf(z)
    };
    adaptive(fourth, 0.0, top, 1e-10).value
}
