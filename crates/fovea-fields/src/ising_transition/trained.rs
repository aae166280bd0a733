//! Units trained by SGD on Ising rings: beside the exact flow on the small ring, beside the closed form on the large one.

use super::IsingTransition;
use super::rests::Rests;
use fovea_core::ParamError;
use fovea_core::stats::Estimate;
use fovea_desk::bench::Bench;
use fovea_desk::cell::{mirrored, peak};
use fovea_desk::error::LabError;
use fovea_desk::replicas::jackknife;
use fovea_desk::two_class::{one_unit, relative_distance};
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::stimulus::ising::Ising;
use fovea_sim::train::train;
use fovea_sim::{Labels, Run, Sgd, Task};
use fovea_theory::cell_flow::CellFlow;
use fovea_theory::dictator::fixed_point::FixedPoint;
use fovea_theory::ising::dictator::dictator;
use fovea_theory::ising::rest::rest;
use std::f64::consts::FRAC_2_PI;

/// Distances from the peak that are compared.
const REACH: usize = 3;

/// One run.
pub(super) struct Job {
    /// Which of the trained couplings; none for the large ring.
    pub(super) trained: Option<usize>,
    replica: usize,
}

impl Job {
    pub(super) fn name(&self, settings: &IsingTransition) -> String {
        match self.trained {
            Some(i) => format!("coupling={},replica={}", settings.trained[i], self.replica),
            None => format!("n={},replica={}", settings.n_large, self.replica),
        }
    }
}

/// Every run: all couplings of the small ring, then the large one.
pub(super) fn jobs(settings: &IsingTransition) -> Vec<Job> {
    let places = (0..settings.trained.len()).map(Some).chain([None]);
    places
        .flat_map(|trained| (0..settings.replicas).map(move |replica| Job { trained, replica }))
        .collect()
}

/// Trains one unit.
pub(super) fn run(
    settings: &IsingTransition,
    job: &Job,
    rests: &Rests,
    bench: &Bench<'_>,
) -> Result<Run, ParamError> {
    let place = job.trained.unwrap_or(settings.trained.len());
    let streams = bench.streams().replica((place * settings.replicas + job.replica) as u64);
    let (n, coupling, start) = if let Some(i) = job.trained {
        (settings.n, settings.trained[i], rests.starts[0].clone())
    } else {
        let n = settings.n_large;
        let init = Glorot { init_scale: settings.init_scale };
        (n, settings.coupling_large, init.start(&[n], 1, &streams)?.weights)
    };
    let class = |coupling: f64| Ising { n, coupling }.sampler();
    let (pos, neg) = (class(coupling)?, class(settings.coupling_neg)?);
    let task = Task::pair(Box::new(pos), Box::new(neg), 0.0, Labels::Iid)?;
    let sgd = Sgd::online(settings.lr, settings.batch);
    Ok(train(&task, one_unit(&start)?, &sgd, &streams, &settings.plan(), bench))
}

/// The mean field over the last third of the records, peak first and positive.
fn late(run: &Run) -> Vec<f64> {
    let fields: Vec<&Vec<f64>> = run.records.iter().map(|record| &record.readings[0][0]).collect();
    let late = &fields[2 * fields.len() / 3..];
    let n = late[0].len();
    let mean: Vec<f64> = (0..n)
        .map(|i| late.iter().map(|field| field[i]).sum::<f64>() / late.len() as f64)
        .collect();
    let centre = peak(&mean);
    (0..n).map(|i| mean[(i + centre) % n] * mean[centre].signum()).collect()
}

/// Units on the small ring at one coupling, from the first start of the exact flow.
pub(super) struct Small {
    pub(super) coupling: f64,
    /// Late mean fields, a row a replica.
    rows: Vec<Vec<f64>>,
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
    pub(super) fn new<'a>(
        settings: &IsingTransition,
        index: usize,
        rests: &Rests,
        runs: impl Iterator<Item = &'a Run>,
    ) -> Result<Self, LabError> {
        let coupling = settings.trained[index];
        let runs: Vec<&Run> = runs.collect();
        let start = &rests.starts[0];
        let end = rest([coupling, settings.coupling_neg], start)?.w;
        let (n, centre) = (settings.n, peak(&end));
        let end: Vec<f64> = (0..n).map(|i| end[(i + centre) % n] * end[centre].signum()).collect();
        let rows: Vec<Vec<f64>> = runs.iter().map(|run| facing(late(run), &end)).collect();
        let flow = CellFlow::between_ising(n, coupling, settings.coupling_neg)
            .map_err(fovea_theory::FormError::from)?;
        let mut walk = flow.start(start).map_err(fovea_theory::FormError::from)?;
        let (mut times, mut ipr_trained, mut ipr_exact) = (Vec::new(), Vec::new(), Vec::new());
        for record in &runs[0].records {
            let t = record.step as f64 * settings.lr;
            walk.advance(t, usize::MAX).map_err(fovea_theory::FormError::from)?;
            times.push(t);
            ipr_trained.push(ipr(&record.readings[0][0]));
            ipr_exact.push(ipr(&walk.weights()));
        }
        Ok(Self { coupling, ipr: jackknife(&rows, ipr)?, rows, end, times, ipr_trained, ipr_exact })
    }

    pub(super) fn array(&self) -> Array {
        Array::of_rows(format!("trained_coupling={}", self.coupling), &self.rows)
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
    rows: Vec<Vec<f64>>,
    /// Weight by distance from the peak.
    pub(super) by_distance: Vec<Estimate>,
    pub(super) ipr: Estimate,
}

impl Large {
    pub(super) fn new<'a>(
        settings: &IsingTransition,
        runs: impl Iterator<Item = &'a Run>,
    ) -> Result<Self, LabError> {
        let rows: Vec<Vec<f64>> = runs.map(late).collect();
        let by_distance = (0..=settings.n_large / 2)
            .map(|d| {
                let samples: Vec<f64> = rows.iter().map(|row| mirrored(row, 0, d)).collect();
                Ok(Estimate::from_samples(&samples)?)
            })
            .collect::<Result<Vec<_>, LabError>>()?;
        let point = dictator(settings.n_large, settings.coupling_large, settings.coupling_neg);
        Ok(Self { point, ipr: jackknife(&rows, ipr)?, rows, by_distance })
    }

    pub(super) fn claim(&self, settings: &IsingTransition) -> Claim {
        let statement = format!(
            "late mean field of units trained on {} spins, coupling {} against {}: weights 0 to {REACH} sites from the peak, and IPR",
            settings.n_large, settings.coupling_large, settings.coupling_neg
        );
        if !self.point.exists {
            let why = "the dictator state does not exist at these couplings";
            return Claim::undecided("L000.39", statement, self.point.ipr, why);
        }
        let pairs = |scale: f64| -> Vec<(Estimate, f64)> {
            let weights = self.by_distance[..=REACH].iter().zip(&self.point.w);
            weights
                .map(|(estimate, w)| (*estimate, scale * w))
                .chain([(self.ipr, self.point.ipr)])
                .collect()
        };
        Claim::family("L000.39", statement, &pairs(1.0)).rejecting(
            "the teacher of Gaussian data, sqrt(2/pi) as large",
            &pairs(FRAC_2_PI.sqrt()),
        )
    }

    pub(super) fn array(&self) -> Array {
        Array::of_rows("trained_large", &self.rows)
    }
}

/// How far training is from theory, in words.
pub(super) fn summary(settings: &IsingTransition, small: &[Small], large: &Large) -> Vec<String> {
    let mut lines = vec![format!(
        "{:>8} {:>12} {:>16}  fields apart",
        "trained", "ipr at rest", "ipr of late mean"
    )];
    for unit in small {
        let mean = fovea_desk::replicas::mean(&unit.rows, None);
        lines.push(format!(
            "{:>8} {:>12.4} {:>9.4} +- {:.4}  {:.2} %",
            unit.coupling,
            ipr(&unit.end),
            unit.ipr.mean(),
            unit.ipr.se(),
            100.0 * relative_distance(&mean, &unit.end)
        ));
    }
    lines.push(format!(
        "n = {}, coupling {} against {}: closed form ipr {:.4}, peak {:.4}; trained ipr {:.4} +- {:.4}, peak {:.4} +- {:.4}",
        settings.n_large,
        settings.coupling_large,
        settings.coupling_neg,
        large.point.ipr,
        large.point.w[0],
        large.ipr.mean(),
        large.ipr.se(),
        large.by_distance[0].mean(),
        large.by_distance[0].se()
    ));
    lines
}
