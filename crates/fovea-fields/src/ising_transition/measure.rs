//! Where the exact flow comes to rest from random starts at every coupling, and units trained by SGD: beside the exact flow on the small
//! ring, beside the closed form on the large one.

use super::IsingTransition;
use fovea_desk::cell::{in_dictator_cell, mirrored, peak};
use fovea_desk::prelude::*;
use fovea_desk::replicas::jackknife;
use fovea_desk::two_class::relative_distance;
use fovea_sim::probe::ipr::ipr;
use fovea_theory::FormError;
use fovea_theory::cell_flow::CellFlow;
use fovea_theory::cell_walk::Rest;
use fovea_theory::dictator::fixed_point::FixedPoint;
use fovea_theory::ising::dictator::dictator;
use fovea_theory::ising::edge::edge;
use fovea_theory::ising::rest::rest;

/// What kind of field the flow ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One site outvotes all others.
    OneSite,
    /// Several sites share the gate.
    Several,
    /// Hardly less spread out than the flat field.
    Flat,
}

impl Kind {
    pub(super) fn of(rest: &Rest) -> Self {
        let n = rest.w.len() as f64;
        if in_dictator_cell(&rest.w) {
            Self::OneSite
        } else if rest.ipr() < 1.5 / n {
            Self::Flat
        } else {
            Self::Several
        }
    }
}

/// The ends of the flow at every coupling.
pub(super) struct Rests {
    /// Random starts, the same at every coupling.
    pub(super) starts: Vec<Vec<f64>>,
    pub(super) at: Vec<AtCoupling>,
    /// The strongest coupling at which the dictator state exists.
    pub(super) edge: f64,
}

/// One coupling of class pos.
pub(super) struct AtCoupling {
    pub(super) coupling: f64,
    pub(super) dictator: FixedPoint,
    pub(super) ends: Vec<Rest>,
}

/// Random starts, the same at every coupling.
pub(super) fn starts(settings: &IsingTransition, streams: &Streams) -> Vec<Vec<f64>> {
    let stream = streams.named("starts");
    let std = (2.0 * settings.init_scale / (settings.n + 1) as f64).sqrt();
    let start = |index: usize| {
        let mut w = vec![0.0; settings.n];
        stream.normals(index as u64, &mut w);
        w.iter().map(|w| std * w).collect()
    };
    (0..settings.starts).map(start).collect()
}

impl Rests {
    pub(super) fn new(settings: &IsingTransition, desk: &Desk<'_>) -> Result<Self, LabError> {
        let starts = starts(settings, &desk.streams());
        let flow = |coupling: f64| starts.iter().map(move |start| (coupling, start));
        let flows: Vec<(f64, &Vec<f64>)> =
            settings.coupling_pos.iter().copied().flat_map(flow).collect();
        let mut ends = desk
            .try_fleet(&flows, |(coupling, start)| rest([*coupling, settings.coupling_neg], start))?
            .into_iter();
        let at = |coupling: &f64| AtCoupling {
            coupling: *coupling,
            dictator: dictator(settings.n, *coupling, settings.coupling_neg),
            ends: ends.by_ref().take(settings.starts).collect(),
        };
        let at = settings.coupling_pos.iter().map(at).collect();
        Ok(Self { starts, at, edge: edge(settings.n, settings.coupling_neg) })
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let mut arrays = vec![Array::of_rows("starts", &self.starts)];
        arrays.extend(self.at.iter().map(|at| {
            let rows: Vec<Vec<f64>> = at.ends.iter().map(|end| end.w.clone()).collect();
            Array::of_rows(format!("rest_coupling={}", at.coupling), &rows)
        }));
        arrays
    }
}

impl AtCoupling {
    /// Ends with their kinds, and how often each was reached: those with the same IPR count as one.
    pub(super) fn distinct(&self) -> Vec<(f64, Kind, usize)> {
        let mut found: Vec<(f64, Kind, usize)> = Vec::new();
        for end in &self.ends {
            match found.iter_mut().find(|(ipr, _, _)| (ipr - end.ipr()).abs() < 1e-9) {
                Some((_, _, count)) => *count += 1,
                None => found.push((end.ipr(), Kind::of(end), 1)),
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found
    }
}

/// The mean field over the last third of the records, peak first and positive.
fn late(run: &Trained) -> Vec<f64> {
    let fields = run.readings(&probe::weights::ENTRY);
    let late = &fields[2 * fields.len() / 3..];
    let mean = |i: usize| late.iter().map(|units| units[0][i]).sum::<f64>() / late.len() as f64;
    peak_first(&(0..late[0][0].len()).map(mean).collect::<Vec<_>>())
}

/// A field turned until its peak is first, and positive.
fn peak_first(field: &[f64]) -> Vec<f64> {
    let (n, centre) = (field.len(), peak(field));
    (0..n).map(|i| field[(i + centre) % n] * field[centre].signum()).collect()
}

/// Units on the small ring at one coupling, from the first start of the exact flow.
pub(super) struct Small {
    pub(super) coupling: f64,
    /// Late mean fields, a row a replica.
    pub(super) rows: Vec<Vec<f64>>,
    /// IPR of their mean.
    pub(super) ipr: Estimate,
    /// Where the exact flow ends, its peak first and positive.
    pub(super) end: Vec<f64>,
    /// Times of the records, IPR of the first replica and of the exact flow there.
    pub(super) times: Vec<f64>,
    pub(super) ipr_trained: Vec<f64>,
    pub(super) ipr_exact: Vec<f64>,
}

impl Small {
    pub(super) fn new(
        settings: &IsingTransition,
        coupling: f64,
        start: &[f64],
        replicas: &Group<'_>,
    ) -> Result<Self, LabError> {
        let end = peak_first(&rest([coupling, settings.coupling_neg], start)?.w);
        let rows: Vec<Vec<f64>> = replicas.runs.iter().map(|run| facing(late(run), &end)).collect();
        let flow = CellFlow::between_ising(settings.n, coupling, settings.coupling_neg)
            .map_err(FormError::from)?;
        let mut walk = flow.start(start).map_err(FormError::from)?;
        let first = replicas.runs[0];
        let times: Vec<f64> = first.records().iter().map(|recorded| recorded.time).collect();
        let mut ipr_exact = Vec::new();
        for t in &times {
            walk.advance(*t, usize::MAX).map_err(FormError::from)?;
            ipr_exact.push(ipr(&walk.weights()));
        }
        let fields = first.readings(&probe::weights::ENTRY);
        let ipr_trained = fields.iter().map(|units| ipr(&units[0])).collect();
        Ok(Self { coupling, ipr: jackknife(&rows, ipr)?, rows, end, times, ipr_trained, ipr_exact })
    }
}

/// The field or its mirror image, whichever is closer to `end`.
fn facing(field: Vec<f64>, end: &[f64]) -> Vec<f64> {
    let n = field.len();
    let mirror: Vec<f64> = (0..n).map(|i| field[(n - i) % n]).collect();
    if relative_distance(&mirror, end) < relative_distance(&field, end) { mirror } else { field }
}

/// Units on the large ring beside the dictator state.
pub(super) struct Large {
    pub(super) point: FixedPoint,
    /// Late mean fields, a row a replica, peak first.
    pub(super) rows: Vec<Vec<f64>>,
    /// Weight by distance from the peak.
    pub(super) by_distance: Vec<Estimate>,
    pub(super) ipr: Estimate,
}

impl Large {
    pub(super) fn new(settings: &IsingTransition, replicas: &Group<'_>) -> Result<Self, LabError> {
        let rows: Vec<Vec<f64>> = replicas.runs.iter().map(|run| late(run)).collect();
        let at = |d: usize| {
            let samples: Vec<f64> = rows.iter().map(|row| mirrored(row, 0, d)).collect();
            Ok(Estimate::from_samples(&samples)?)
        };
        let by_distance =
            (0..=settings.n_large / 2).map(at).collect::<Result<Vec<_>, LabError>>()?;
        let point = dictator(settings.n_large, settings.coupling_large, settings.coupling_neg);
        Ok(Self { point, ipr: jackknife(&rows, ipr)?, rows, by_distance })
    }
}
