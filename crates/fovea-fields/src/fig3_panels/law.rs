//! One column of the figure: a law, its amplifier, its kurtosis and its fields beside the flow.

use super::{Fig3Panels, kurtosis};
use fovea_core::ParamError;
use fovea_core::ring::{distance, unfold};
use fovea_core::stats::Estimate;
use fovea_desk::bench::Bench;
use fovea_desk::cell::peak;
use fovea_desk::error::LabError;
use fovea_desk::fleet::Trained;
use fovea_record::outcome::Array;
use fovea_sim::expect::expect;
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::copula::{Copula, Shape};
use fovea_sim::stimulus::ising::Ising;
use fovea_sim::{Labels, Task};
use fovea_theory::copula::Marginal;
use fovea_theory::ising::cov::cov;
use fovea_theory::site::Site;
use fovea_theory::unit_flow::{ClassRows, UnitFlow};
use fovea_theory::{AmplifierFlow, amplifier_flow};

/// The law of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    /// Spins of an Ising ring.
    Ising,
    /// The nonlinear process of small gain.
    Gaussian,
    /// The algebraic law.
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

    /// The name for a reader.
    pub(super) fn label(self, settings: &Fig3Panels) -> String {
        match self {
            Self::Ising => "Ising".to_owned(),
            Self::Gaussian => "Gaussian".to_owned(),
            Self::Heavy => format!("Kur({})", settings.k),
        }
    }

    /// The law of one site.
    pub(super) fn site(self, settings: &Fig3Panels) -> Site {
        match self {
            Self::Ising => Site::Nlgp { gain: f64::INFINITY },
            Self::Gaussian => Site::Nlgp { gain: settings.gain },
            Self::Heavy => Site::Copula(Marginal::Kur { k: settings.k }),
        }
    }

    pub(super) fn task(self, settings: &Fig3Panels) -> Result<Task, ParamError> {
        let two = settings.two_class();
        match self {
            Self::Ising => {
                let class = |coupling| Ising { n: settings.n, coupling }.sampler();
                let (pos, neg) = (class(settings.coupling_pos)?, class(settings.coupling_neg)?);
                Task::pair(Box::new(pos), Box::new(neg), 0.0, Labels::Balanced)
            }
            Self::Gaussian => two.task(settings.gain, Labels::Balanced),
            Self::Heavy => {
                let class = |xi: f64| {
                    let lattice = Lattice::ring(two.n, xi, two.kernel);
                    Copula { lattice, marginal: Shape::Kur, k: settings.k, ..Copula::default() }
                        .sampler()
                };
                let (pos, neg) = (class(two.xi_pos)?, class(two.xi_neg)?);
                Task::pair(Box::new(pos), Box::new(neg), 0.0, Labels::Balanced)
            }
        }
    }

    /// The covariances of the classes.
    pub(super) fn rows(self, settings: &Fig3Panels) -> Result<ClassRows, LabError> {
        if self == Self::Ising {
            let row = |coupling| unfold(&cov(settings.n, coupling), settings.n);
            return Ok(ClassRows {
                pos: row(settings.coupling_pos),
                neg: row(settings.coupling_neg),
            });
        }
        let [pos, neg] = settings.two_class().kernels()?;
        Ok(amplifier_flow::class_rows(self.site(settings), &pos.first_row, &neg.first_row))
    }
}

/// Correlations at which the amplifier is sampled.
pub(super) const POINTS: usize = 9;
/// Samples of that.
const AMPLIFIED: usize = 20_000;

/// What a column shows.
pub(super) struct Shown {
    pub(super) law: Law,
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

impl Shown {
    pub(super) fn measure(
        settings: &Fig3Panels,
        law: Law,
        trained: &Trained<'_>,
        bench: &Bench<'_>,
    ) -> Result<Self, LabError> {
        let (site, task) = (law.site(settings), &trained.arm.task);
        let flow = AmplifierFlow::new(site, law.rows(settings)?);
        let fields: Vec<Vec<Vec<f64>>> = trained
            .runs
            .iter()
            .map(|run| run.records.iter().map(|r| r.readings[0][0].clone()).collect())
            .collect();
        let flows = bench.fleet(&fields, |fields| descend(settings, &flow, &fields[0]));
        let sets: Vec<u64> = (0..settings.sets as u64).collect();
        let streams = bench.streams().part(law.word());
        let kurtosis = bench
            .fleet(&sets, |set| kurtosis::sampled(task, &streams.replica(*set), settings.samples));
        let a: Vec<f64> = (1..=POINTS).map(|i| i as f64 / POINTS as f64).collect();
        let pos = task.classes()[0].stimulus.as_ref();
        let stream = streams.named("amplifier");
        let means = expect(pos, &stream, AMPLIFIED, POINTS, |x, out| {
            for (out, a) in out.iter_mut().zip(&a) {
                *out = x.iter().map(|x| amplified(*x, *a)).sum::<f64>() / x.len() as f64;
            }
        })?;
        let amplifier = a.into_iter().zip(means).collect();
        Ok(Self { law, site, fields, flows, kurtosis, amplifier })
    }

    /// The final fields, trained and of the flow.
    pub(super) fn ends(&self) -> impl Iterator<Item = (&[f64], &[f64])> {
        let last = |records: &'_ Vec<Vec<f64>>| records.len() - 1;
        self.fields.iter().zip(&self.flows).map(move |(w, v)| (&w[last(w)][..], &v[last(v)][..]))
    }

    /// Share of the runs whose peak lies within a site of the flow's, at every record.
    pub(super) fn foretold(&self) -> Vec<f64> {
        let near = |record: usize| {
            let hit = |(w, v): (&Vec<Vec<f64>>, &Vec<Vec<f64>>)| {
                distance(peak(&w[record]), peak(&v[record]), w[record].len()) <= 1
            };
            self.fields.iter().zip(&self.flows).filter(|pair| hit(*pair)).count()
        };
        let count = self.fields.len() as f64;
        (0..self.fields[0].len()).map(|record| near(record) as f64 / count).collect()
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

/// `x erf(a x / sqrt(2 (1 - a^2)))`, which is `|x|` at `a = 1`.
fn amplified(x: f64, a: f64) -> f64 {
    if a < 1.0 { x * libm::erf(a * x / (2.0 * (1.0 - a * a)).sqrt()) } else { x.abs() }
}

/// Full-batch descent on the flow, seen where training records.
fn descend(settings: &Fig3Panels, flow: &AmplifierFlow, start: &[f64]) -> Vec<Vec<f64>> {
    let (mut fields, mut step) = (Vec::new(), 0);
    flow.euler_map(start, settings.lr, settings.steps, |_, w| {
        if step % settings.record_every == 0 || step == settings.steps {
            fields.push(w.to_vec());
        }
        step += 1;
    });
    fields
}
