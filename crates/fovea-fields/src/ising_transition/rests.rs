//! Where the exact flow comes to rest, from random starts at every coupling.

use super::IsingTransition;
use fovea_desk::bench::Bench;
use fovea_desk::cell::in_dictator_cell;
use fovea_desk::error::LabError;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::Watch;
use fovea_theory::FormError;
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
    fn of(rest: &Rest) -> Self {
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

impl Rests {
    pub(super) fn new(settings: &IsingTransition, bench: &Bench<'_>) -> Result<Self, LabError> {
        let stream = bench.streams().named("starts");
        let std = (2.0 * settings.init_scale / (settings.n + 1) as f64).sqrt();
        let start = |index: usize| {
            let mut w = vec![0.0; settings.n];
            stream.normals(index as u64, &mut w);
            w.iter().map(|w| std * w).collect::<Vec<f64>>()
        };
        let starts: Vec<Vec<f64>> = (0..settings.starts).map(start).collect();
        let jobs: Vec<(f64, usize)> = settings
            .coupling_pos
            .iter()
            .flat_map(|coupling| (0..settings.starts).map(move |start| (*coupling, start)))
            .collect();
        let ends = bench.fleet(&jobs, |(coupling, start)| {
            let end = rest([*coupling, settings.coupling_neg], &starts[*start]);
            bench.stepped();
            end
        });
        let mut ends = ends.into_iter();
        let mut at = Vec::new();
        for coupling in &settings.coupling_pos {
            let ends: Result<Vec<Rest>, FormError> = ends.by_ref().take(settings.starts).collect();
            let dictator = dictator(settings.n, *coupling, settings.coupling_neg);
            at.push(AtCoupling { coupling: *coupling, dictator, ends: ends? });
        }
        Ok(Self { starts, at, edge: edge(settings.n, settings.coupling_neg) })
    }

    pub(super) fn claims(&self, settings: &IsingTransition) -> Vec<Claim> {
        vec![self.dictators(settings), self.beyond()]
    }

    /// Ends in a dictator's cell are the dictator state.
    fn dictators(&self, settings: &IsingTransition) -> Claim {
        let statement =
            "every flow that ends with one dominating site ends in the dictator state: its IPR";
        let (mut predicted, mut exchanged, mut measured) = (Vec::new(), Vec::new(), Vec::new());
        for coupling in &self.at {
            let other = dictator(settings.n, settings.coupling_neg, coupling.coupling);
            for end in coupling.ends.iter().filter(|end| Kind::of(end) == Kind::OneSite) {
                predicted.push(coupling.dictator.ipr);
                exchanged.push(other.ipr);
                measured.push(end.ipr());
            }
        }
        if measured.is_empty() {
            let why = "no flow ended with one dominating site at these couplings";
            return Claim::undecided("L000.39", statement, f64::NAN, why);
        }
        Claim::exact("L000.39", statement, &predicted, &measured, 1e-9).rejecting_exact(
            "the classes exchanged",
            &exchanged,
            &measured,
        )
    }

    /// Where the dictator state contradicts its gate, no field keeps one dominating site.
    fn beyond(&self) -> Claim {
        let statement = "flows that end without a dominating site where the dictator state contradicts its gate";
        let past = || self.at.iter().filter(|at| !at.dictator.exists).flat_map(|at| &at.ends);
        let all = past().count() as f64;
        let without = past().filter(|end| Kind::of(end) != Kind::OneSite).count() as f64;
        if all < 1.0 {
            let why = "the dictator state exists at every coupling of this run";
            return Claim::undecided("L000.39", statement, f64::NAN, why);
        }
        Claim::exact("L000.39", statement, &[all], &[without], 1e-9).rejecting_exact(
            "negative kurtosis alone localizes",
            &[0.0],
            &[without],
        )
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let mut arrays = vec![Array::of_rows("starts", &self.starts)];
        arrays.extend(self.at.iter().map(|at| {
            let rows: Vec<Vec<f64>> = at.ends.iter().map(|end| end.w.clone()).collect();
            Array::of_rows(format!("rest_coupling={}", at.coupling), &rows)
        }));
        arrays
    }

    pub(super) fn summary(&self, settings: &IsingTransition) -> Vec<String> {
        let mut lines = vec![
            format!(
                "exact flow on {} sites, coupling_neg {}: excess kurtosis -2 throughout; dictator state exists up to {:.4}",
                settings.n, settings.coupling_neg, self.edge
            ),
            format!("{:>8} {:>9} {:>8}  ipr at rest (starts)", "coupling", "dictator", "walls"),
        ];
        lines.extend(self.at.iter().map(AtCoupling::line));
        let bistable: Vec<String> = self
            .at
            .iter()
            .filter(|at| at.dictator.exists && at.ends.iter().any(|e| Kind::of(e) != Kind::OneSite))
            .map(|at| at.coupling.to_string())
            .collect();
        if !bistable.is_empty() {
            let where_ = bistable.join(", ");
            lines.push(format!(
                "a dictator state exists, but some random starts end elsewhere, at coupling: {where_}"
            ));
        }
        lines
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

    fn line(&self) -> String {
        let dictator =
            if self.dictator.exists { format!("{:.4}", self.dictator.ipr) } else { "none".into() };
        let walls = self.ends.iter().map(|end| end.walls).sum::<usize>() / self.ends.len();
        let ends: Vec<String> = self
            .distinct()
            .iter()
            .map(|(ipr, kind, count)| {
                let word = match kind {
                    Kind::OneSite => "one site",
                    Kind::Several => "several",
                    Kind::Flat => "flat",
                };
                format!("{ipr:.4} {word} ({count})")
            })
            .collect();
        format!("{:>8} {dictator:>9} {walls:>8}  {}", self.coupling, ends.join(", "))
    }
}
