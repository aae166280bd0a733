//! Predictors of the site at which a field ends, and how often they are right.

use super::WhereItLands;
use super::handover::{Followed, image};
use fovea_core::Value;
use fovea_core::ring::{circulant_apply, distance};
use fovea_core::stats::Estimate;
use fovea_desk::bench::Bench;
use fovea_desk::cell::peak;
use fovea_desk::error::LabError;
use fovea_desk::replicas::share;
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::Run;
use fovea_sim::probe::ipr::ipr;

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
        starts: &[Vec<f64>],
        runs: &[Run],
        times: &[f64],
        bench: &Bench<'_>,
    ) -> Result<Self, LabError> {
        let (first, again) = runs.split_at(starts.len());
        let fields: Vec<Vec<f64>> =
            first.iter().map(|run| run.network.weights().to_vec()).collect();
        let landed: Vec<usize> = fields.iter().map(|field| peak(field)).collect();
        let flow = settings.two_class().matched_gaussian_flow(gain)?;
        let flows = bench.fleet(starts, |start| Followed::new(&flow, start, times));
        let recorded = |run: &Run, record: usize| peak(&run.records[record].readings[0][0]);
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
                let at = |(run, flow): (&Run, &Followed)| {
                    let after = times.partition_point(|t| *t < flow.time);
                    recorded(run, after.min(times.len() - 1))
                };
                first.iter().zip(&flows).map(at).collect()
            }
            Predictor::Again => again.iter().map(|run| peak(run.network.weights())).collect(),
        });
        let hits = |record: usize| {
            let field =
                first.iter().zip(&landed).filter(|(run, site)| recorded(run, record) == **site);
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

    /// The covariance image of the start and the peak at the hand-over say more than chance of where the field ends.
    pub(super) fn claims(&self) -> Result<Vec<Claim>, LabError> {
        let n = self.fields[0].len();
        let claim = |predictor: Predictor, id: &'static str, what: &str| {
            let statement = format!(
                "gain {}: {what} is the site where it ends more often than one in {n}",
                self.word()
            );
            Ok::<_, LabError>(one_sided(
                id,
                statement,
                self.hit_rate(predictor)?,
                1.0 / n as f64,
                true,
            ))
        };
        Ok(vec![
            claim(Predictor::Covariance, "L003.41", "the largest entry of C_pos w(0)")?,
            claim(Predictor::Field, "L001.70", "the peak of the field at the hand-over")?,
        ])
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
