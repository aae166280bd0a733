//! Training from drawn starts beside gradient descent on the closed loss, start by start.

use super::ensemble::{STARTS, Start, spectrum_of};
use super::{GaussianSteadyState, stable};
use fovea_core::fourier::{frequency_of, to_fourier};
use fovea_core::stats::Estimate;
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::{at_records, one_unit};
use fovea_record::outcome::{Series, Status};
use fovea_sim::train::train;
use fovea_sim::{Plan, Sgd, Task, Times, loss, probe};
use fovea_theory::GaussianFlow;

/// Mean frequency, share of the stable mode and norm of one kind of start, over time.
pub(super) struct Trained {
    pub(super) start: Start,
    pub(super) times: Vec<f64>,
    /// Of the runs: mean over the starts, with the standard error of its distance to the closed side.
    pub(super) runs: Vec<[Estimate; 3]>,
    /// Of descent on the closed loss from the same starts at the same rate.
    pub(super) closed: Vec<[f64; 3]>,
    /// Norm when only the second term acts, as note 001 has it.
    pub(super) decayed: Vec<f64>,
}

/// Mean frequency, share of the stable mode, and norm of a field.
fn numbers(w: &[f64], stable: usize) -> [f64; 3] {
    let u = to_fourier(w);
    let [frequency, share] = spectrum_of(&u, stable);
    [frequency, share, u.iter().map(|u| u * u).sum::<f64>().sqrt()]
}

pub(super) fn plan(settings: &GaussianSteadyState) -> Plan<'static> {
    Plan {
        steps: settings.steps as u64,
        record: Times::Every(settings.record_every as u64),
        checkpoint_every: 0,
        eval_samples: 0,
        probes: &[&probe::weights::ENTRY, &probe::norm::ENTRY],
        loss: &loss::mse::ENTRY,
        precision: settings.precision,
    }
}

/// Trains from every start of both kinds.
pub(super) fn trained(
    settings: &GaussianSteadyState,
    task: &Task,
    flow: &GaussianFlow,
    bench: &Bench<'_>,
    series: &mut Series,
) -> Result<(Status, Vec<Trained>), LabError> {
    let (plan, sgd) = (plan(settings), Sgd::online(settings.lr, settings.batch));
    let streams = bench.streams();
    let jobs: Vec<(Start, u64)> = STARTS
        .into_iter()
        .flat_map(|start| (0..settings.starts as u64).map(move |index| (start, index)))
        .collect();
    let runs = bench.fleet(&jobs, |(start, index)| {
        let network = one_unit(&start.weights(settings.n, &streams, *index))?;
        let own = streams.replica(2 * index + u64::from(*start == Start::Glorot));
        Ok(train(task, network, &sgd, &own, &plan, bench))
    });
    let runs = runs.into_iter().collect::<Result<Vec<_>, fovea_core::ParamError>>()?;
    let name = |job: &(Start, u64)| format!("{}-{}", job.0.name(), job.1);
    for (job, run) in jobs.iter().zip(&runs) {
        series.add(&name(job), settings.lr, &plan, run);
    }
    let status = status_of(jobs.iter().map(name).zip(&runs));
    if status != Status::Completed {
        return Ok((status, Vec::new()));
    }
    let (stable, schedule) = (stable(flow), (settings.lr, settings.steps, settings.record_every));
    let mut all = Vec::new();
    for (start, runs) in STARTS.into_iter().zip(runs.chunks(settings.starts)) {
        let drawn = |index: usize| start.weights(settings.n, &streams, index as u64);
        let fields = |f: &dyn Fn(usize) -> Vec<Vec<f64>>| -> Vec<Vec<[f64; 3]>> {
            let of = |i| f(i).iter().map(|w| numbers(w, stable)).collect();
            (0..runs.len()).map(of).collect()
        };
        let own = fields(&|i| runs[i].records.iter().map(|r| r.readings[0][0].clone()).collect());
        let closed = fields(&|i| at_records(flow, &drawn(i), schedule));
        let times: Vec<f64> = runs[0].records.iter().map(|r| r.step as f64 * settings.lr).collect();
        let mut paired = Vec::new();
        for t in 1..times.len() {
            let estimate = |part: usize| -> Result<Estimate, LabError> {
                let pairs = own.iter().zip(&closed).map(|(a, b)| (a[t][part], b[t][part]));
                let gaps: Vec<f64> = pairs.clone().map(|(a, b)| a - b).collect();
                let mean = pairs.map(|(a, _)| a).sum::<f64>() / gaps.len() as f64;
                let gap = Estimate::from_samples(&gaps)?;
                Ok(Estimate::from_parts(mean, gap.se(), gap.count())?)
            };
            paired.push([estimate(0)?, estimate(1)?, estimate(2)?]);
        }
        let mean = |t: usize, part: usize| {
            closed.iter().map(|path| path[t][part]).sum::<f64>() / closed.len() as f64
        };
        let closed_means = (1..times.len()).map(|t| [mean(t, 0), mean(t, 1), mean(t, 2)]).collect();
        let decayed = decay(flow, &(0..runs.len()).map(drawn).collect::<Vec<_>>(), &times[1..]);
        let times = times[1..].to_vec();
        all.push(Trained { start, times, runs: paired, closed: closed_means, decayed });
    }
    Ok((status, all))
}

/// Mean norm of the starts when each mode decays at a quarter of the sum of its eigenvalues and nothing else acts.
fn decay(flow: &GaussianFlow, starts: &[Vec<f64>], times: &[f64]) -> Vec<f64> {
    let n = flow.n();
    let rate = |j: usize| {
        let k = frequency_of(j, n);
        0.25 * (flow.eigs_pos[k] + flow.eigs_neg[k])
    };
    let norm = |start: &Vec<f64>, t: f64| {
        let u = to_fourier(start);
        let square = |(j, u): (usize, &f64)| u * u * libm::exp(-2.0 * rate(j) * t);
        u.iter().enumerate().map(square).sum::<f64>().sqrt()
    };
    let mean = |t: &f64| starts.iter().map(|w| norm(w, *t)).sum::<f64>() / starts.len() as f64;
    times.iter().map(mean).collect()
}
