//! Is the localized field of sign data the dictator state, from the first step to the last, and from how far away is it found?
//!
//! At infinite gain a field in which one site outvotes all others sees a constant teacher, so that the flow is linear there
//! (L000.39): from `scale e_i` the whole path is `w* + exp(-(C_neg + C_pos) t/4) (w_0 - w*)`, its end is
//! `w* = (C_neg + C_pos)^-1 C_pos e_i`, and every start closer to `w*` than the nearest wall of the cell must come back, since
//! the flow shrinks the distance. Stochastic descent follows the same path in the mean, without bias, as long as no replica
//! leaves the cell. A mean field off this path, a late field off `w*`, or a start inside that ball which does not return would
//! falsify the theorem. Where the margin `2 |w*_i| / |w*|_1 - 1` is negative the state contradicts its gate, nothing is claimed,
//! and the field that training finds instead is shown beside it.
//!
//! How far the basin reaches beyond the ball is measured (L003.75), as is how random starts come into a cell: for `n` normal
//! weights one outvotes the others with a probability in closed form that falls below 1e-3 at ten sites (L000.46), so that at
//! forty the flow has to find a cell.

mod basin;
mod draws;
mod figure;
pub mod jobs;
mod path;
mod tell;

use basin::Basin;
use draws::Draws;
use fovea_core::params::{any, between, finite, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::memory::check_records;
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::TwoClass;
use fovea_record::outcome::{Outcome, Series, Status};
use fovea_record::present::report;
use fovea_sim::train::Precision;
use fovea_theory::dictator::fixed_point::{FixedPoint, sign_cov};
use jobs::{Job, Kind};
use path::Path;

params! {
    /// Settings of `dictator`.
    pub struct Dictator {
        /// Ring size: inputs of the network.
        n: usize = 40, between(4.0, 1024.0), "sites";
        /// Correlation lengths of class `pos`, label 1, a pair with each of `xi_neg`.
        xi_pos: Vec<f64> = vec![2.0, 1.0, 0.7, 1.0, 2.5, 3.0], finite_above(0.0), "sites";
        /// Correlation lengths of class `neg`, label 0.
        xi_neg: Vec<f64> = vec![1.0, 2.0, 0.3, 0.7, 1.0, 1.0], finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Weight of the one site that fields start from.
        scale: f64 = 1.0, finite(), "";
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.05, finite_above(0.0), "";
        /// Fresh samples of a step.
        batch: usize = 4000, between(1.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 1800, between(3.0, 1e9), "steps";
        /// Steps between records.
        record_every: usize = 40, between(1.0, 1e9), "steps";
        /// Runs from one site for every pair of lengths, each with samples of its own.
        replicas: usize = 16, between(2.0, 1e4), "runs";
        /// How many of the pairs, from the first, have their basin measured.
        basins: usize = 2, between(0.0, 64.0), "pairs";
        /// Distances of perturbed starts from the dictator state, in units of its norm.
        distance: Vec<f64> = vec![0.05, 0.2, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0], finite_above(0.0), "";
        /// Starts at every distance in random directions; a quarter as many along the flat and the neighbour's direction.
        starts: usize = 40, between(4.0, 1e5), "starts";
        /// Glorot starts of every pair with a basin.
        glorot: usize = 24, between(2.0, 1e4), "starts";
        /// Learning rate at which perturbed starts begin; it falls to zero in a straight line.
        basin_lr: f64 = 0.5, finite_above(0.0), "";
        /// Fresh samples of their steps.
        basin_batch: usize = 800, between(1.0, 1e8), "samples";
        /// Their steps.
        basin_steps: usize = 400, between(1.0, 1e9), "steps";
        /// Random vectors drawn for every size from 2 to 10.
        draws: usize = 200_000, between(1000.0, 1e8), "vectors";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for Dictator {
    fn check(&self) -> Result<(), ParamError> {
        if self.xi_pos.len() != self.xi_neg.len() {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "`xi_pos` has {} lengths and `xi_neg` {}",
                    self.xi_pos.len(),
                    self.xi_neg.len()
                ),
                hint: "give as many of one as of the other".to_owned(),
            });
        }
        if self.scale == 0.0 {
            return Err(ParamError::Inconsistent {
                what: "`scale` is 0: a unit without weights has no gate".to_owned(),
                hint: "choose a scale above or below 0".to_owned(),
            });
        }
        for pair in 0..self.xi_pos.len() {
            self.two_class(pair).kernels()?;
        }
        let runs = self.replicas * self.xi_pos.len() + self.basins * self.glorot;
        check_records(self.steps, self.record_every, self.n * runs)
    }
}

impl Dictator {
    /// The task at one of the pairs of lengths.
    pub fn two_class(&self, pair: usize) -> TwoClass {
        let (xi_pos, xi_neg) = (self.xi_pos[pair], self.xi_neg[pair]);
        TwoClass { n: self.n, xi_pos, xi_neg, kernel: self.kernel }
    }
}

/// One pair of lengths and its theory.
pub struct Pair {
    two: TwoClass,
    /// The dictator state, centred on site 0.
    point: FixedPoint,
    /// Its documented wrong form.
    latent: FixedPoint,
    /// First rows of the covariances of `pos` and `neg`.
    rows: [Vec<f64>; 2],
}

impl Pair {
    /// The pair with its theory.
    ///
    /// # Errors
    /// A latent covariance is none.
    pub fn new(two: TwoClass) -> Result<Self, LabError> {
        let rows = two.kernels()?.map(|kernel| sign_cov(&kernel.first_row));
        Ok(Self { two, point: two.dictator()?, latent: two.latent_dictator()?, rows })
    }

    /// The name in records and tables, pos first.
    fn name(&self) -> String {
        format!("{},{}", self.two.xi_pos, self.two.xi_neg)
    }

    /// Distance of the dictator state from the nearest wall of its cell, `(|w_0| - sum of the others) / sqrt n`.
    fn inner_radius(&self) -> f64 {
        let total: f64 = self.point.w.iter().map(|w| w.abs()).sum();
        (2.0 * self.point.w[0].abs() - total) / (self.point.w.len() as f64).sqrt()
    }

    /// The norm of the dictator state, the unit of distances from it.
    fn norm(&self) -> f64 {
        self.point.w.iter().map(|w| w * w).sum::<f64>().sqrt()
    }
}

impl Experiment for Dictator {
    fn quick() -> Self {
        Self {
            xi_pos: vec![2.0, 1.0],
            xi_neg: vec![1.0, 2.0],
            batch: 1000,
            steps: 1100,
            replicas: 10,
            distance: vec![0.05, 0.5, 1.5, 5.0],
            starts: 8,
            glorot: 2,
            basin_batch: 500,
            basin_steps: 200,
            draws: 50_000,
            ..Self::default()
        }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let pairs = (0..self.xi_pos.len())
            .map(|pair| Pair::new(self.two_class(pair)))
            .collect::<Result<Vec<_>, _>>()?;
        let jobs = jobs::jobs(self, &pairs);
        bench.progress.expect(jobs.iter().map(|job| jobs::plan(self, job).steps).sum());
        let runs = bench.fleet(&jobs, |job| jobs::run(self, job, &pairs[job.pair], bench));
        let runs = runs.into_iter().collect::<Result<Vec<_>, ParamError>>()?;

        let mut series = Series::default();
        for (job, run) in jobs.iter().zip(&runs).filter(|(job, _)| job.is_recorded()) {
            series.add(&job.name(&pairs), self.lr, &jobs::plan(self, job), run);
        }
        let status = status_of(jobs.iter().map(|job| job.name(&pairs)).zip(&runs));
        let (mut claims, mut figures, mut arrays) = (Vec::new(), Vec::new(), Vec::new());
        let mut summary = pairs[0].two.task(f64::INFINITY, fovea_sim::Labels::Iid)?.notes();
        if status == Status::Completed {
            let of = |pair: usize, kind: Kind| {
                let here = move |job: &Job| job.pair == pair && job.kind == kind;
                jobs.iter().zip(&runs).filter(move |(job, _)| here(job)).map(|(_, run)| run)
            };
            let mut paths = Vec::new();
            for (i, pair) in pairs.iter().enumerate() {
                let streams = bench.streams().replica(jobs::EVALUATION + i as u64);
                paths.push(Path::new(self, pair, of(i, Kind::Path), &streams)?);
            }
            let basins = (0..pairs.len().min(self.basins))
                .map(|i| Basin::new(self, i, &pairs[i], &jobs, &runs, bench))
                .collect::<Vec<_>>();
            let drawn = Draws::new(self, bench)?;
            claims.extend(path::claims(&paths));
            claims.extend(basin::claim(self, &basins));
            claims.push(drawn.claim());
            arrays.extend(paths.iter().flat_map(Path::arrays));
            arrays.extend(basins.iter().map(Basin::array));
            arrays.push(drawn.array());
            summary.extend(tell::summary(self, &paths, &basins, &drawn)?);
            figures.push(("dictator", figure::figure(self, &paths, &basins, &drawn)?));
        }
        let report = report(&tell::WORDS, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<Dictator>(
    "dictator",
    "the localized state of sign data: its path, its end over many correlation lengths, and its basin",
    "Is the localized field of sign data the dictator state w* = (C_neg + C_pos)^-1 C_pos e_i, from the first step to the last \
     (L000.39), and from how far away is it found (L003.75)? From one site the mean field must follow \
     w* + exp(-(C_neg + C_pos) t/4)(w_0 - w*) record by record, and starts closer to w* than the nearest wall of its cell must return.",
);
