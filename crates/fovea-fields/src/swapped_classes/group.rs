//! Networks that share lengths, gain and kind of start, and what they came to.

use super::SwappedClasses;
use super::theory::{Bounds, gain_of};
use fovea_core::Value;
use fovea_core::stats::Estimate;
use fovea_desk::bench::Bench;
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::error::LabError;
use fovea_desk::replicas::{jackknife, mean};
use fovea_desk::two_class::{TwoClass, one_unit};
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::train::held_out_loss;
use fovea_sim::{Labels, Run};
use fovea_theory::dictator::fixed_point::FixedPoint;
use fovea_theory::variational::loss;

/// Where a field starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// At random weights.
    Glorot,
    /// On one site.
    Site,
}

impl Start {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Glorot => "glorot",
            Self::Site => "site",
        }
    }
}

/// The networks of one pair of lengths, gain and kind of start.
pub(super) struct Group {
    pub(super) two: TwoClass,
    pub(super) gain: f64,
    pub(super) start: Start,
    pub(super) fields: Vec<Vec<f64>>,
    /// Loss of every network on fresh samples of its own.
    pub(super) losses: Vec<Estimate>,
    pub(super) bounds: Bounds,
}

/// From this gain on the source finds two attractors.
const BISTABLE: f64 = 3.0;
/// Sets on which the loss of a network is measured; their spread is its standard error.
const SETS: u64 = 8;

impl Group {
    /// Measures the losses; groups with one `index` are measured on the same samples, network by network.
    pub(super) fn new(
        settings: &SwappedClasses,
        (two, gain, start): (TwoClass, f64, Start),
        runs: &[&Run],
        index: usize,
        bench: &Bench<'_>,
    ) -> Result<Self, LabError> {
        let task = two.task(gain, Labels::Iid)?;
        let places: Vec<u64> = (0..runs.len() as u64).collect();
        let losses = bench.fleet(&places, |place| {
            let streams = bench.streams().replica(super::EVALUATION + index as u64).replica(*place);
            let set = |set: u64| {
                let (network, row) = (&runs[*place as usize].network, &super::MSE);
                held_out_loss::<f32>(
                    &task,
                    network,
                    row,
                    &streams.replica(set),
                    settings.eval / SETS as usize,
                )
            };
            Estimate::from_samples(&(0..SETS).map(set).collect::<Vec<_>>())
        });
        Ok(Self {
            two,
            gain,
            start,
            fields: runs.iter().map(|run| run.network.weights().to_vec()).collect(),
            losses: losses.into_iter().collect::<Result<_, _>>()?,
            bounds: Bounds::new(&two, gain)?,
        })
    }

    pub(super) fn name(&self) -> String {
        let (pos, neg, gain) = (self.two.xi_pos, self.two.xi_neg, Value::Real(self.gain));
        format!("xi={pos},{neg},gain={gain},{}", self.start.word())
    }

    /// Whether the class with label 1 has the longer correlations.
    pub(super) fn is_longer(&self) -> bool {
        self.two.xi_pos > self.two.xi_neg
    }

    /// IPR of every field.
    pub(super) fn iprs(&self) -> Vec<f64> {
        self.fields.iter().map(|field| ipr(field)).collect()
    }

    /// How many fields are as localized as one in a dictator's cell.
    pub(super) fn localized(&self) -> usize {
        self.iprs().iter().filter(|ipr| **ipr > LEAST_IPR).count()
    }

    /// Mean loss over networks, with the spread between them.
    pub(super) fn mean_loss(&self) -> Result<Estimate, LabError> {
        let means: Vec<f64> = self.losses.iter().map(Estimate::mean).collect();
        Ok(Estimate::from_samples(&means)?)
    }

    /// `R` of every network.
    pub(super) fn rs(&self) -> Vec<f64> {
        self.losses.iter().map(|loss| gain_of(loss.mean())).collect()
    }

    pub(super) fn arrays(&self) -> [Array; 2] {
        let name = self.name();
        let losses: Vec<Vec<f64>> = self.losses.iter().map(|e| vec![e.mean(), e.se()]).collect();
        [
            Array::of_rows(format!("fields_{name}"), &self.fields),
            Array::of_rows(format!("loss_{name}"), &losses),
        ]
    }

    /// What is claimed of the group.
    pub(super) fn claims(
        &self,
        settings: &SwappedClasses,
        bench: &Bench<'_>,
    ) -> Result<Vec<Claim>, LabError> {
        let (pos, neg, gain) = (self.two.xi_pos, self.two.xi_neg, Value::Real(self.gain));
        let at = format!("lengths ({pos}, {neg}), gain {gain}");
        let mean_ipr = || Estimate::from_samples(&self.iprs());
        let bound = loss(self.bounds.gate);
        if self.gain < BISTABLE {
            return Ok(Vec::new());
        }
        let mut claims = Vec::new();
        let mut side = |what: &str, mean: Estimate, bound: f64, above: bool| {
            claims.push(one_sided("L001.4", format!("{at}: {what}"), mean, bound, above));
        };
        match (self.start, self.is_longer()) {
            (Start::Glorot, true) => {
                side("random starts localize, mean IPR above 1/2", mean_ipr()?, LEAST_IPR, true);
            }
            (Start::Glorot, false) => {
                side(
                    "random starts do not localize, mean IPR below 1/2",
                    mean_ipr()?,
                    LEAST_IPR,
                    false,
                );
                if self.gain.is_infinite() {
                    let what = "random starts end at a higher loss than the dictator state has, (1 - 2 f'M^-1 f)/4";
                    side(what, self.mean_loss()?, bound, true);
                }
            }
            (Start::Site, false) => {
                let what = "started on one site fields stay localized, mean IPR above 1/2";
                side(what, mean_ipr()?, LEAST_IPR, true);
            }
            (Start::Site, true) => {}
        }
        let dictator = self.two.dictator()?;
        if self.start == Start::Site && self.gain.is_infinite() && dictator.exists {
            claims.push(self.is_the_dictator(&at, &dictator, settings, bench)?);
        }
        Ok(claims)
    }

    /// Loss and IPR of the mean field against the closed form.
    fn is_the_dictator(
        &self,
        at: &str,
        dictator: &FixedPoint,
        settings: &SwappedClasses,
        bench: &Bench<'_>,
    ) -> Result<Claim, LabError> {
        let (task, network) =
            (self.two.task(self.gain, Labels::Iid)?, one_unit(&mean(&self.fields, None))?);
        let order = u64::from(self.is_longer());
        let set = |set: u64| {
            let streams = bench.streams().replica(2 * super::EVALUATION + order).replica(set);
            held_out_loss::<f64>(&task, &network, &super::MSE, &streams, settings.eval)
        };
        let measured = Estimate::from_samples(&(0..2 * SETS).map(set).collect::<Vec<_>>())?;
        let ipr = jackknife(&self.fields, ipr)?;
        let statement = format!(
            "{at}: from one site the field ends in the dictator state, its IPR and loss in closed form"
        );
        let claim =
            Claim::family("L001.4", statement, &[(ipr, dictator.ipr), (measured, dictator.loss)]);
        let alone = [(ipr, 1.0), (measured, loss(self.bounds.site))];
        Ok(claim.rejecting("the site alone, without its neighbours", &alone))
    }
}

/// In the swapped order random starts end at a higher loss than fields started on one site, measured on the same samples.
pub(super) fn worse(random: &Group, site: &Group) -> Result<Option<Claim>, LabError> {
    if random.is_longer() || random.gain < BISTABLE {
        return Ok(None);
    }
    let (pos, neg, gain) = (random.two.xi_pos, random.two.xi_neg, Value::Real(random.gain));
    let losses = random.losses.iter().zip(&site.losses);
    let ratios: Vec<f64> = losses.map(|(random, site)| random.mean() / site.mean()).collect();
    let statement = format!(
        "lengths ({pos}, {neg}), gain {gain}: random starts end at a higher loss than fields from one site, ratio above 1"
    );
    Ok(Some(one_sided("L001.4", statement, Estimate::from_samples(&ratios)?, 1.0, true)))
}
