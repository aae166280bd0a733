//! Predictors of the site at which a field ends, and how often they are right.

use super::{WhereItLands, name};
use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_core::ring::{circulant_apply, distance};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_desk::replicas::share;
use fovea_sim::probe::ipr::ipr;
use fovea_theory::GaussianFlow;

/// What is taken for the site at which a field will end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predictor {
    /// The largest weight of the start.
    Largest,
    /// The largest entry of the latent covariance times the start.
    Latent,
    /// The largest entry of the data's covariance times the start.
    Covariance,
    /// The largest entry after one step of gate and regression, with the Gaussian teacher.
    OneStep,
    /// The largest weight of the Gaussian flow at the hand-over.
    Flow,
    /// The largest weight of the field itself at the hand-over.
    Field,
    /// Where another run from the same start ended.
    Again,
}

pub(super) const ALL: [Predictor; 7] = [
    Predictor::Largest,
    Predictor::Latent,
    Predictor::Covariance,
    Predictor::OneStep,
    Predictor::Flow,
    Predictor::Field,
    Predictor::Again,
];

impl Predictor {
    /// The name in tables.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Largest => "largest |w(0)|",
            Self::Latent => "largest |S w(0)|",
            Self::Covariance => "largest |C w(0)|",
            Self::OneStep => "largest |M^-1 C w(0)|",
            Self::Flow => "Gaussian flow at t*",
            Self::Field => "the field at t*",
            Self::Again => "another run",
        }
    }

    /// The name in figures.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Largest => "$|w(0)|$",
            Self::Latent => "$|\\Sigma_+ w(0)|$",
            Self::Covariance => "$|C_+ w(0)|$",
            Self::OneStep => "$|M^{-1} C_+ w(0)|$",
            Self::Flow => "Gaussian flow, $t^*$",
            Self::Field => "the field, $t^*$",
            Self::Again => "another run",
        }
    }

    /// Whether it can be had without training.
    pub(super) fn is_simple(self) -> bool {
        !matches!(self, Self::Field | Self::Again)
    }
}

/// Where the starts ended at one gain, and where they were expected to.
pub(super) struct Landings {
    pub(super) gain: f64,
    /// Site of the largest weight at the end.
    pub(super) landed: Vec<usize>,
    /// Final fields.
    pub(super) fields: Vec<Vec<f64>>,
    /// Sites by predictor; those of another run are fewer.
    pub(super) expected: Vec<Vec<usize>>,
    /// Time of the hand-over of every start.
    pub(super) handover: Vec<f64>,
    pub(super) times: Vec<f64>,
    /// Share of starts whose field, and whose Gaussian flow, has its largest weight at the final site, at every record.
    pub(super) by_time: [Vec<f64>; 2],
}

impl Landings {
    pub(super) fn new(
        settings: &WhereItLands,
        gain: f64,
        (starts, times): (&[Vec<f64>], &[f64]),
        runs: &Runs,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let run = |start: usize, samples: u64| runs.get(&name(gain, start, samples));
        let fields: Vec<Vec<f64>> =
            (0..starts.len()).map(|start| run(start, 0).network().weights().to_vec()).collect();
        let landed: Vec<usize> = fields.iter().map(|field| peak(field)).collect();
        let flow = settings.two_class().matched_gaussian_flow(gain)?;
        let flows = desk.fleet(starts, |start| Followed::new(&flow, start, times))?;
        let peaks = |start: usize| -> Vec<usize> {
            let readings = run(start, 0).readings(&probe::weights::ENTRY);
            readings.iter().map(|units| peak(&units[0])).collect()
        };
        // The largest weight of every start at every record.
        let sites: Vec<Vec<usize>> = (0..starts.len()).map(peaks).collect();
        let latent = settings.two_class().kernels()?[0].first_row.clone();
        let expected = ALL.map(|predictor| match predictor {
            Predictor::Largest => starts.iter().map(|w| peak(w)).collect(),
            Predictor::Latent => {
                starts.iter().map(|w| peak(&circulant_apply(&latent, w))).collect()
            }
            Predictor::Covariance => starts.iter().map(|w| peak(&image(&flow, w, false))).collect(),
            Predictor::OneStep => starts.iter().map(|w| peak(&image(&flow, w, true))).collect(),
            Predictor::Flow => flows.iter().map(|flow| flow.site).collect(),
            Predictor::Field => {
                let at = |(sites, flow): (&Vec<usize>, &Followed)| {
                    let after = times.partition_point(|t| *t < flow.time);
                    sites[after.min(times.len() - 1)]
                };
                sites.iter().zip(&flows).map(at).collect()
            }
            Predictor::Again => {
                let again = 0..settings.run_again();
                again.map(|start| peak(run(start, 1).network().weights())).collect()
            }
        });
        let hits = |record: usize| {
            let field = sites.iter().zip(&landed).filter(|(sites, site)| sites[record] == **site);
            let flow =
                flows.iter().zip(&landed).filter(|(flow, site)| flow.sites[record] == **site);
            [field.count(), flow.count()].map(|hits| hits as f64 / landed.len() as f64)
        };
        let by_time = [0, 1].map(|which| (0..times.len()).map(|r| hits(r)[which]).collect());
        let handover = flows.iter().map(|flow| flow.time).collect();
        let (expected, times) = (expected.to_vec(), times.to_vec());
        Ok(Self { gain, landed, fields, expected, handover, times, by_time })
    }

    /// How far off a predictor is, on the ring, for every start it speaks of.
    pub(super) fn misses(&self, predictor: Predictor) -> Vec<usize> {
        let n = self.fields[0].len();
        let expected = &self.expected[predictor as usize];
        expected.iter().zip(&self.landed).map(|(a, b)| distance(*a, *b, n)).collect()
    }

    /// How often a predictor is right.
    pub(super) fn hit_rate(&self, predictor: Predictor) -> Result<Estimate, LabError> {
        let misses = self.misses(predictor);
        share(misses.iter().filter(|miss| **miss == 0).count(), misses.len())
    }

    /// The best of the predictors that need no training.
    pub(super) fn best(&self) -> Predictor {
        let hits = |p: &Predictor| self.misses(*p).iter().filter(|miss| **miss == 0).count();
        let simple = ALL.into_iter().filter(|predictor| predictor.is_simple());
        simple.rev().max_by_key(hits).unwrap_or(Predictor::Largest)
    }

    /// Mean IPR of the final fields.
    pub(super) fn mean_ipr(&self) -> Result<Estimate, LabError> {
        let iprs: Vec<f64> = self.fields.iter().map(|field| ipr(field)).collect();
        Ok(Estimate::from_samples(&iprs)?)
    }

    /// The name of the gain.
    pub(super) fn word(&self) -> String {
        Value::Real(self.gain).to_string()
    }

    /// The final site and what every predictor said; minus one where it did not speak.
    pub(super) fn array(&self) -> Array {
        let rows: Vec<Vec<f64>> = (0..self.landed.len())
            .map(|i| {
                let said =
                    self.expected.iter().map(|sites| sites.get(i).map_or(-1.0, |s| *s as f64));
                [self.landed[i] as f64].into_iter().chain(said).collect()
            })
            .collect();
        Array::of_rows(format!("sites_gain={}", self.word()), &rows)
    }
}

/// `C_pos w`, or `(C_pos + C_neg)^-1 C_pos w`.
pub fn image(flow: &GaussianFlow, w: &[f64], divided: bool) -> Vec<f64> {
    let mut u = to_fourier(w);
    for (j, u) in u.iter_mut().enumerate() {
        let k = frequency_of(j, w.len());
        let (pos, neg) = (flow.eigs_pos[k], flow.eigs_neg[k]);
        *u *= if divided { pos / (pos + neg) } else { pos };
    }
    from_fourier(&u)
}

/// The Gaussian flow from one start: when its teacher term takes over, and where its peak is then (L000.43).
pub struct Followed {
    /// When the teacher term first balances the decay.
    pub time: f64,
    /// The largest weight then.
    site: usize,
    /// The largest weight at each of the times asked for.
    pub sites: Vec<usize>,
}

impl Followed {
    /// Follows the flow in small steps to the last of `times`.
    pub fn new(flow: &GaussianFlow, start: &[f64], times: &[f64]) -> Self {
        const STEP: f64 = 0.02;
        let end = times.last().copied().unwrap_or(0.0);
        let (mut handover, mut sites) = (None, Vec::new());
        let mut last = start.to_vec();
        flow.euler_map(start, STEP, (end / STEP).ceil() as usize, |t, u| {
            let due = |at: &f64| *at <= t + 0.5 * STEP;
            if handover.is_none() && teacher_over_decay(flow, u) >= 1.0 {
                handover = Some((t, peak(&from_fourier(u))));
            }
            while times.get(sites.len()).is_some_and(due) {
                last = from_fourier(u);
                sites.push(peak(&last));
            }
        });
        sites.resize(times.len(), peak(&last));
        let (time, site) = handover.unwrap_or((end, peak(&last)));
        Self { time, site, sites }
    }
}

/// `|f/2| / |(C_neg + C_pos) w/4|` on Gaussian data (L000.43).
pub fn teacher_over_decay(flow: &GaussianFlow, u: &[f64]) -> f64 {
    let (mut teacher, mut decay, mut variance) = (0.0, 0.0, 0.0);
    for (j, u) in u.iter().enumerate() {
        let k = frequency_of(j, flow.n());
        let (pos, neg) = (flow.eigs_pos[k], flow.eigs_neg[k]);
        variance += pos * u * u;
        teacher += pos * pos * u * u;
        decay += (pos + neg) * (pos + neg) * u * u;
    }
    2.0 * (teacher / (std::f64::consts::TAU * variance * decay)).sqrt()
}
