//! From one site into the dictator state: the mean over replicas beside the linear flow, and what is left in the end.

use super::Dictator;
use super::jobs::{Kind, group};
use fovea_desk::cell::{mirrored, vote};
use fovea_desk::prelude::*;
use fovea_desk::replicas::{jackknife, mean};
use fovea_sim::probe::ipr::ipr;
use fovea_sim::train::held_out_loss;
use fovea_theory::dictator::fixed_point::{FixedPoint, sign_cov};
use fovea_theory::dictator::path::path;

/// Distances from the centre that are compared.
pub(super) const REACH: usize = 3;
/// Relaxation times after which what is left of the start cannot be seen.
pub(super) const SETTLING: f64 = 8.0;
/// Samples of each set on which the loss of the mean field is measured.
const EVAL_SAMPLES: usize = 65_536;

/// One pair of lengths and its theory.
pub(super) struct Pair {
    pub(super) two: TwoClass,
    /// The dictator state, centred on site 0.
    pub(super) point: FixedPoint,
    /// Its documented wrong form.
    pub(super) latent: FixedPoint,
    /// First rows of the covariances of `pos` and `neg`.
    pub(super) rows: [Vec<f64>; 2],
}

impl Pair {
    pub(super) fn new(two: TwoClass) -> Result<Self, LabError> {
        let rows = two.kernels()?.map(|kernel| sign_cov(&kernel.first_row));
        Ok(Self { two, point: two.dictator()?, latent: two.latent_dictator()?, rows })
    }

    /// The name in records and tables, pos first.
    pub(super) fn name(&self) -> String {
        format!("{},{}", self.two.xi_pos, self.two.xi_neg)
    }

    /// Distance of the dictator state from the nearest wall of its cell, `(|w_0| - sum of the others) / sqrt n`.
    pub(super) fn inner_radius(&self) -> f64 {
        let total: f64 = self.point.w.iter().map(|w| w.abs()).sum();
        (2.0 * self.point.w[0].abs() - total) / (self.point.w.len() as f64).sqrt()
    }

    /// The norm of the dictator state, the unit of distances from it.
    pub(super) fn norm(&self) -> f64 {
        self.point.w.iter().map(|w| w * w).sum::<f64>().sqrt()
    }

    /// The state, pushed so many of its norms along a unit vector.
    pub(super) fn pushed(&self, distance: f64, away: &[f64]) -> Vec<f64> {
        let reach = distance * self.norm();
        self.point.w.iter().zip(away).map(|(w, x)| w + reach * x).collect()
    }
}

/// The replicas of one pair of lengths.
pub(super) struct Path {
    pub(super) pair: Arc<Pair>,
    /// Time of every record.
    pub(super) times: Vec<f64>,
    /// `at[record][distance]`, the mean over replicas and mirrored sites.
    pub(super) at: Vec<Vec<Estimate>>,
    /// The flow in steps of the same learning rate, and that of the first note, at every record.
    pub(super) flow: [Vec<Vec<f64>>; 2],
    /// Shares of all records of all replicas that lie in the cell of site 0.
    pub(super) inside: f64,
    /// What is left late, where the records reach that far.
    pub(super) late: Option<Late>,
}

/// The late field.
pub(super) struct Late {
    /// Mean over replicas, by distance.
    pub(super) by_distance: Vec<Estimate>,
    /// IPR and loss of the mean field.
    pub(super) ipr: Estimate,
    pub(super) loss: Estimate,
}

impl Path {
    pub(super) fn new(
        settings: &Dictator,
        pair: &Arc<Pair>,
        runs: &Runs,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let runs = runs.group(&group(pair, Kind::Path, 0)).runs;
        let times: Vec<f64> = runs[0].records().iter().map(|recorded| recorded.time).collect();
        let fields: Vec<Vec<&Vec<f64>>> = runs
            .iter()
            .map(|run| run.readings(&probe::weights::ENTRY).iter().map(|units| &units[0]).collect())
            .collect();
        let record = |record: usize| by_distance(fields.iter().map(|fields| fields[record]));
        let at = (0..times.len()).map(record).collect::<Result<_, _>>()?;
        let [pos, neg] = &pair.rows;
        let flow = [1.0, 2.0].map(|clock| {
            let at = |t: &f64| path(pos, neg, settings.scale, clock * t, clock * settings.lr);
            times.iter().map(at).collect()
        });
        let all = || fields.iter().flatten();
        let inside =
            all().filter(|field| vote(field, 0) > 1.0).count() as f64 / all().count() as f64;
        let settled = SETTLING * pair.point.relaxation;
        let first = times.iter().position(|t| *t >= settled);
        let late = first.map(|first| Late::new(pair, &fields, first, streams)).transpose()?;
        Ok(Self { pair: Arc::clone(pair), times, at, flow, inside, late })
    }

    /// Whether the theorem is about these replicas: the state exists and none of them was seen outside its cell.
    pub(super) fn is_claimed(&self) -> bool {
        self.pair.point.exists && self.inside >= 1.0
    }

    /// Means, standard errors and the flow, by distance.
    pub(super) fn arrays(&self) -> Vec<Array> {
        let part = |f: fn(&Estimate) -> f64| -> Vec<Vec<f64>> {
            self.at.iter().map(|row| row.iter().map(f).collect()).collect()
        };
        let name = self.pair.name();
        let flow: Vec<Vec<f64>> = self.flow[0].iter().map(|w| w[..=w.len() / 2].to_vec()).collect();
        vec![
            Array::of_rows(format!("mean_xi={name}"), &part(Estimate::mean)),
            Array::of_rows(format!("standard_error_xi={name}"), &part(Estimate::se)),
            Array::of_rows(format!("flow_xi={name}"), &flow),
        ]
    }

    /// The mean at every record after the start, beside the flow or its wrong form.
    pub(super) fn on_the_way(&self, flow: usize) -> impl Iterator<Item = (Estimate, f64)> {
        let records = self.at.iter().zip(&self.flow[flow]).skip(1);
        records.flat_map(|(at, w)| (0..=REACH).map(move |d| (at[d], w[d])))
    }
}

/// The mean over fields at every distance from site 0.
fn by_distance<'f>(fields: impl Iterator<Item = &'f Vec<f64>>) -> Result<Vec<Estimate>, LabError> {
    let fields: Vec<&Vec<f64>> = fields.collect();
    let at = |distance: usize| {
        let samples: Vec<f64> = fields.iter().map(|field| mirrored(field, 0, distance)).collect();
        Ok(Estimate::from_samples(&samples)?)
    };
    (0..=fields[0].len() / 2).map(at).collect()
}

impl Late {
    fn new(
        pair: &Pair,
        fields: &[Vec<&Vec<f64>>],
        first: usize,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let late = |fields: &Vec<&Vec<f64>>| {
            let rows: Vec<Vec<f64>> = fields[first..].iter().copied().cloned().collect();
            mean(&rows, None)
        };
        let late: Vec<Vec<f64>> = fields.iter().map(late).collect();
        let (task, network) =
            (pair.two.task(f64::INFINITY, Labels::Iid)?, one_unit(&mean(&late, None))?);
        let set = |set: u64| {
            let streams = streams.replica(set);
            held_out_loss::<f64>(&task, &network, &loss::mse::ENTRY, &streams, EVAL_SAMPLES)
        };
        let losses: Vec<f64> = (0..fields.len() as u64).map(set).collect();
        Ok(Self {
            by_distance: by_distance(late.iter())?,
            ipr: jackknife(&late, ipr)?,
            loss: Estimate::from_samples(&losses)?,
        })
    }

    pub(super) fn beside(&self, point: &FixedPoint) -> Vec<(Estimate, f64)> {
        let field = (0..=REACH).map(|d| (self.by_distance[d], point.w[d]));
        field.chain([(self.ipr, point.ipr), (self.loss, point.loss)]).collect()
    }
}
