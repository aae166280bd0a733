//! The stationary point: how fast small departures die out, and how high the field of SGD stands there.

use super::ensemble::stationary;
use super::trained::plan;
use super::{GaussianSteadyState, stable};
use fovea_core::fourier::{frequency_of, to_fourier};
use fovea_core::stats::Estimate;
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::one_unit;
use fovea_record::claim::Claim;
use fovea_record::outcome::{Series, Status};
use fovea_sim::train::train;
use fovea_sim::{Labels, Plan, Sgd, Task};
use fovea_theory::relu::relaxation::relaxation;
use fovea_theory::relu::steady::{Steady, steady};
use fovea_theory::{FormError, GaussianFlow};
use std::f64::consts::FRAC_2_PI;

/// A departure from the stationary point, relative to its size: its square is what the linear rate leaves out.
const SMALL: f64 = 1e-4;

/// What the solver's relative error of 1e-11 makes of such a departure, summed over its steps.
const FOLLOWED: f64 = 1e-6;

/// A departure and how it dies out.
pub(super) struct Departure {
    /// What departs.
    pub(super) label: String,
    pub(super) times: Vec<f64>,
    /// Its size over that at time 0, along the full flow.
    pub(super) followed: Vec<f64>,
    /// The rate in closed form, negative.
    pub(super) rate: f64,
    /// The rate of the second term of the flow alone.
    pub(super) without_teacher: f64,
}

impl Departure {
    /// The rate found along the flow.
    fn measured(&self) -> f64 {
        let last = self.times.len() - 1;
        libm::log(self.followed[last]) / self.times[last]
    }
}

/// The norm, and the slowest modes beside the stable one.
pub(super) fn departures(
    settings: &GaussianSteadyState,
    flow: &GaussianFlow,
) -> Result<Vec<Departure>, LabError> {
    let k = stable(flow);
    let none = || FormError::NoSteadyState { k };
    let rates = relaxation(&flow.eigs_pos, &flow.eigs_neg, k).ok_or_else(none)?;
    let point = to_fourier(&stationary(settings, flow).ok_or_else(none)?);
    let own = (0..point.len()).find(|j| frequency_of(*j, point.len()) == k).unwrap_or(0);
    let mut slowest: Vec<usize> =
        (0..rates.rates.len()).filter(|j| rates.rates[*j] < 0.0).collect();
    slowest.sort_by(|a, b| rates.rates[*b].total_cmp(&rates.rates[*a]));
    let modes =
        slowest.into_iter().take(3).map(|j| (if j == 0 { 0 } else { 2 * j - 1 }, rates.rates[j]));
    let all = [(own, rates.radial)].into_iter().chain(modes);
    all.map(|(j, rate)| departure(flow, &point, (own, j), rate)).collect()
}

/// Follows the flow from the stationary point pushed to either side along coefficient `j`.
fn departure(
    flow: &GaussianFlow,
    point: &[f64],
    (own, j): (usize, usize),
    rate: f64,
) -> Result<Departure, LabError> {
    let times: Vec<f64> = (0..=40).map(|i| f64::from(i) / 40.0 * 2.0 / rate.abs()).collect();
    let push = |sign: f64| {
        let mut u = point.to_vec();
        u[j] += sign * SMALL * point[own];
        let start = fovea_core::fourier::from_fourier(&u);
        flow.path(&start, times[times.len() - 1]).map_err(FormError::from)
    };
    let (up, down) = (push(1.0)?, push(-1.0)?);
    let followed = times
        .iter()
        .map(|t| Ok(0.5 * (up.at(*t)?[j] - down.at(*t)?[j]) / (SMALL * point[own])))
        .collect::<Result<Vec<f64>, fovea_core::ode::OdeError>>()
        .map_err(FormError::from)?;
    let k = frequency_of(j, point.len());
    let label = if j == own { "norm".to_owned() } else { format!("$|k|$ = {k}") };
    let without_teacher = -0.25 * (flow.eigs_pos[k] + flow.eigs_neg[k]);
    Ok(Departure { label, times, followed, rate, without_teacher })
}

/// Rates in closed form beside those along the flow (L003.59).
pub(super) fn relaxation_claim(departures: &[Departure]) -> Claim {
    let list = |of: fn(&Departure) -> f64| departures.iter().map(of).collect::<Vec<f64>>();
    let measured = list(Departure::measured);
    Claim::exact(
        "L003.59",
        "relaxation rates of the norm and of the slowest modes, closed and along the full flow from a small departure",
        &list(|d| d.rate),
        &measured,
        FOLLOWED,
    )
    .rejecting_exact("the decay of the second term alone", &list(|d| d.without_teacher), &measured)
}

/// Fields of SGD around the stationary point.
pub(super) struct Rest {
    pub(super) point: Steady,
    pub(super) k: usize,
    /// Note 003 (25) for the amplitude.
    pub(super) source: f64,
    /// Mean field over the later half, replica by replica.
    pub(super) fields: Vec<Vec<f64>>,
    /// The closed field.
    pub(super) closed: Vec<f64>,
}

/// Trains from half the stationary field; none where a run was stopped or diverged.
pub(super) fn rest(
    settings: &GaussianSteadyState,
    task: &Task,
    flow: &GaussianFlow,
    bench: &Bench<'_>,
    series: &mut Series,
) -> Result<(Status, Option<Rest>), LabError> {
    let k = stable(flow);
    let none = || FormError::NoSteadyState { k };
    let point = steady(&flow.eigs_pos, &flow.eigs_neg, k).ok_or_else(none)?;
    let closed = stationary(settings, flow).ok_or_else(none)?;
    let network = one_unit(&closed.iter().map(|w| 0.5 * w).collect::<Vec<_>>())?;
    let plan = Plan { steps: settings.rest_steps as u64, ..plan(settings) };
    let sgd = Sgd::online(settings.rest_lr, settings.rest_batch);
    let replicas: Vec<u64> = (0..settings.replicas as u64).collect();
    let first = 2 * settings.starts as u64;
    let runs = bench.fleet(&replicas, |replica| {
        let streams = bench.streams().replica(first + replica);
        train(task, network.clone(), &sgd, &streams, &plan, bench)
    });
    for (replica, run) in replicas.iter().zip(&runs) {
        series.add(&format!("rest-{replica}"), settings.rest_lr, &plan, run);
    }
    let status = status_of(replicas.iter().map(|r| format!("rest-{r}")).zip(&runs));
    if status != Status::Completed {
        return Ok((status, None));
    }
    let late = |run: &fovea_sim::Run| {
        let rows: Vec<Vec<f64>> = run.records[run.records.len() / 2..]
            .iter()
            .map(|record| record.readings[0][0].clone())
            .collect();
        fovea_desk::replicas::mean(&rows, None)
    };
    let fields = runs.iter().map(late).collect();
    let source = (FRAC_2_PI.sqrt() / (flow.eigs_pos[k] + flow.eigs_neg[k])).sqrt();
    Ok((status, Some(Rest { point, k, source, fields, closed })))
}

impl Rest {
    /// Size of the fields along the closed one, over the root of n: the height of a flat field.
    pub(super) fn height(&self) -> Result<Estimate, LabError> {
        let scale = self.closed.iter().map(|w| w * w).sum::<f64>().sqrt();
        let n = self.closed.len() as f64;
        let along = |field: &Vec<f64>| {
            field.iter().zip(&self.closed).map(|(w, v)| w * v).sum::<f64>() / scale / n.sqrt()
        };
        Ok(Estimate::from_samples(&self.fields.iter().map(along).collect::<Vec<_>>())?)
    }

    /// The closed height, and that of note 003.
    pub(super) fn heights(&self) -> [f64; 2] {
        let root = (self.closed.len() as f64).sqrt();
        [self.point.amplitude / root, self.source / root]
    }

    /// The height of the trained field is the closed one (L003.13).
    pub(super) fn claim(&self) -> Result<Claim, LabError> {
        let (height, [closed, source]) = (self.height()?, self.heights());
        let what = if self.k == 0 { "height of the flat field" } else { "root mean square weight" };
        let statement = format!("SGD at rest in the stable mode k = {}: {what}", self.k);
        Ok(Claim::family("L003.13", statement, &[(height, closed)])
            .rejecting("note 003 (25), the norm without its root", &[(height, source)]))
    }
}

/// A task between two Gaussian classes.
pub(super) fn gaussian_task(
    two: &fovea_desk::two_class::TwoClass,
) -> Result<Task, fovea_core::ParamError> {
    use fovea_sim::stimulus::gaussian::Gaussian;
    two.kernels()?;
    let class = |xi| Gaussian::on_ring(two.n, xi, two.kernel).sampler();
    let (pos, neg) = (class(two.xi_pos)?, class(two.xi_neg)?);
    Task::pair(Box::new(pos), Box::new(neg), 0.0, Labels::Balanced)
}
