//! Where the exact flow comes to rest from random starts at every coupling, and units trained by SGD, compared with
//! the exact flow on the small ring and with the closed form on the large one.

use super::IsingTransition;
use fovea_desk::cell::{in_dictator_cell, mirrored, peak};
use fovea_desk::prelude::*;
use fovea_desk::replicas::jackknife;
use fovea_desk::two_class::{random_start, relative_distance};
use fovea_sim::probe::ipr::ipr;
use fovea_theory::FormError;
use fovea_theory::cell_flow::CellFlow;
use fovea_theory::cell_walk::Rest;
use fovea_theory::dictator::fixed_point::FixedPoint;
use fovea_theory::ising::dictator::dictator;
use fovea_theory::ising::rest::rest;

/// Kinds of fields in which the flow ends.
pub(super) const KINDS: [&str; 3] = ["one site", "several", "flat"];

/// Which of them: one site outweighs all others together, several decide the gate, or hardly less spread out than the flat field.
fn kind(rest: &Rest) -> usize {
    let flat = rest.ipr() < 1.5 / rest.w.len() as f64;
    if in_dictator_cell(&rest.w) { 0 } else { 1 + usize::from(flat) }
}

/// Random starts, the same at every coupling.
pub(super) fn starts(settings: &IsingTransition, streams: &Streams) -> Vec<Vec<f64>> {
    let (n, stream) = (settings.n, streams.named("starts"));
    let start = |index: u64| random_start(n, settings.init_scale, &stream, index);
    (0..settings.starts as u64).map(start).collect()
}

/// The ends of the flow at one coupling of class pos.
pub(super) struct AtCoupling {
    pub(super) coupling: f64,
    pub(super) dictator: FixedPoint,
    pub(super) ends: Vec<Rest>,
}

impl AtCoupling {
    /// Every coupling, from every start.
    pub(super) fn all(
        settings: &IsingTransition,
        starts: &[Vec<f64>],
        desk: &Desk<'_>,
    ) -> Result<Vec<Self>, LabError> {
        let (couplings, neg) = (&settings.coupling_pos, settings.coupling_neg);
        let flows: Vec<usize> = (0..couplings.len() * starts.len()).collect();
        let ends = desk.try_fleet(&flows, |flow| {
            rest([couplings[flow / starts.len()], neg], &starts[flow % starts.len()])
        })?;
        let at = |(coupling, ends): (&f64, &[Rest])| {
            let dictator = dictator(settings.n, *coupling, neg);
            Self { coupling: *coupling, dictator, ends: ends.to_vec() }
        };
        Ok(couplings.iter().zip(ends.chunks(starts.len())).map(at).collect())
    }

    pub(super) fn array(&self) -> Array {
        let rows: Vec<Vec<f64>> = self.ends.iter().map(|end| end.w.clone()).collect();
        Array::of_rows(format!("rest_coupling={}", self.coupling), &rows)
    }

    /// Ends with their kinds, and how often each was reached: those with the same IPR count as one.
    pub(super) fn distinct(&self) -> Vec<(f64, usize, usize)> {
        let mut found: Vec<(f64, usize, usize)> = Vec::new();
        for end in &self.ends {
            match found.iter_mut().find(|(ipr, _, _)| (ipr - end.ipr()).abs() < 1e-9) {
                Some((_, _, count)) => *count += 1,
                None => found.push((end.ipr(), kind(end), 1)),
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
    /// Late mean fields, one per replica.
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

/// Units on the large ring, and the dictator state.
pub(super) struct Large {
    pub(super) point: FixedPoint,
    /// Late mean fields, one per replica, peak first.
    pub(super) rows: Vec<Vec<f64>>,
    /// Weight by distance from the peak.
    pub(super) by_distance: Vec<Estimate>,
    pub(super) ipr: Estimate,
}

impl Large {
    pub(super) fn new(settings: &IsingTransition, replicas: &Group<'_>) -> Result<Self, LabError> {
        let rows: Vec<Vec<f64>> = replicas.runs.iter().map(|run| late(run)).collect();
        let fold = |row: &Vec<f64>| -> Vec<f64> {
            (0..=settings.n_large / 2).map(|distance| mirrored(row, 0, distance)).collect()
        };
        let by_distance = columns(&rows.iter().map(fold).collect::<Vec<_>>())?;
        let point = dictator(settings.n_large, settings.coupling_large, settings.coupling_neg);
        Ok(Self { point, ipr: jackknife(&rows, ipr)?, rows, by_distance })
    }
}
