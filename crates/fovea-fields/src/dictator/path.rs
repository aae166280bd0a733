//! From one site into the dictator state: the mean over replicas beside the linear flow, and what is left in the end.

use super::{Dictator, Pair};
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_desk::cell::{mirrored, vote};
use fovea_desk::error::LabError;
use fovea_desk::replicas::{jackknife, mean};
use fovea_desk::two_class::one_unit;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::train::held_out_loss;
use fovea_sim::{Labels, Run, loss};
use fovea_theory::dictator::fixed_point::FixedPoint;
use fovea_theory::dictator::path::path;

/// Distances from the centre that are compared.
pub(super) const REACH: usize = 3;
/// Relaxation times after which what is left of the start cannot be seen.
const SETTLING: f64 = 8.0;
/// Samples of each set on which the loss of the mean field is measured.
const EVAL_SAMPLES: usize = 65_536;

/// The replicas of one pair of lengths.
pub(super) struct Path<'a> {
    pub(super) pair: &'a Pair,
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

impl<'a> Path<'a> {
    pub(super) fn new<'r>(
        settings: &Dictator,
        pair: &'a Pair,
        runs: impl Iterator<Item = &'r Run>,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let runs: Vec<&Run> = runs.collect();
        let times: Vec<f64> =
            runs[0].records.iter().map(|record| record.step as f64 * settings.lr).collect();
        let fields: Vec<Vec<&Vec<f64>>> = runs
            .iter()
            .map(|run| run.records.iter().map(|r| &r.readings[0][0]).collect())
            .collect();
        let at = (0..times.len())
            .map(|record| {
                by_distance(&fields.iter().map(|fields| fields[record]).collect::<Vec<_>>())
            })
            .collect::<Result<_, _>>()?;
        let [pos, neg] = &pair.rows;
        let flow = [1.0, 2.0].map(|clock| {
            let at = |t: &f64| path(pos, neg, settings.scale, clock * t, clock * settings.lr);
            times.iter().map(at).collect()
        });
        let all = || fields.iter().flatten();
        let inside = all().filter(|field| vote(field, 0) > 1.0).count() as f64;
        let settled = SETTLING * pair.point.relaxation;
        let first = times.iter().position(|t| *t >= settled);
        let late = first.map(|first| Late::new(pair, &fields, first, streams)).transpose()?;
        Ok(Self { pair, times, at, flow, inside: inside / all().count() as f64, late })
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
    fn on_the_way(&self, flow: usize) -> impl Iterator<Item = (Estimate, f64)> {
        let records = self.at.iter().zip(&self.flow[flow]).skip(1);
        records.flat_map(|(at, w)| (0..=REACH).map(move |d| (at[d], w[d])))
    }
}

/// The mean over fields at every distance from site 0.
fn by_distance(fields: &[&Vec<f64>]) -> Result<Vec<Estimate>, LabError> {
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
        let late: Vec<Vec<f64>> = fields
            .iter()
            .map(|fields| {
                let rows: Vec<Vec<f64>> =
                    fields[first..].iter().map(|row| (*row).clone()).collect();
                mean(&rows, None)
            })
            .collect();
        let (task, network) =
            (pair.two.task(f64::INFINITY, Labels::Iid)?, one_unit(&mean(&late, None))?);
        let losses: Vec<f64> = (0..fields.len() as u64)
            .map(|set| {
                let streams = streams.replica(set);
                held_out_loss::<f64>(&task, &network, &loss::mse::ENTRY, &streams, EVAL_SAMPLES)
            })
            .collect();
        Ok(Self {
            by_distance: by_distance(&late.iter().collect::<Vec<_>>())?,
            ipr: jackknife(&late, ipr)?,
            loss: Estimate::from_samples(&losses)?,
        })
    }

    fn beside(&self, point: &FixedPoint) -> Vec<(Estimate, f64)> {
        let field = (0..=REACH).map(|d| (self.by_distance[d], point.w[d]));
        field.chain([(self.ipr, point.ipr), (self.loss, point.loss)]).collect()
    }
}

/// The whole path and its end, over every pair whose replicas stayed in the cell.
pub(super) fn claims(paths: &[Path<'_>]) -> Vec<Claim> {
    let claimed: Vec<&Path<'_>> = paths.iter().filter(|path| path.is_claimed()).collect();
    let along = "from one site the mean over replicas is w* + (1 - lr (C_neg + C_pos)/4)^step (w_0 - w*), 0 to 3 sites from \
                 the centre, at every record and every pair of lengths";
    let end = "the late mean field (0 to 3 sites from the centre), its IPR and its loss are the dictator state's, at every \
               pair of lengths";
    let why = "no pair of lengths with a positive margin kept all its replicas in the cell";
    if claimed.is_empty() {
        let none = |id, statement| Claim::undecided(id, statement, f64::NAN, why);
        return vec![none("L003.61", along), none("L000.39", end)];
    }
    let way = |flow: usize| -> Vec<(Estimate, f64)> {
        claimed.iter().flat_map(|path| path.on_the_way(flow)).collect()
    };
    let clock = "the first note's 1/2 (C_neg + C_pos) w, twice as fast";
    let mut claims = vec![Claim::family("L003.61", along, &way(0)).rejecting(clock, &way(1))];
    let late = |of: fn(&Pair) -> &FixedPoint| -> Vec<(Estimate, f64)> {
        let at = |path: &&Path<'_>| path.late.as_ref().map(|late| late.beside(of(path.pair)));
        claimed.iter().filter_map(at).flatten().collect()
    };
    let right = late(|pair| &pair.point);
    claims.push(if right.is_empty() {
        let why = format!("no run is as long as {SETTLING} relaxation times; raise `steps`");
        Claim::undecided("L000.39", end, claimed[0].pair.point.w[0], why)
    } else {
        let latent = "the latent covariance in place of the signs'";
        Claim::family("L000.39", end, &right).rejecting(latent, &late(|pair| &pair.latent))
    });
    claims
}
