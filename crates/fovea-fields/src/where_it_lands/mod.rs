//! Where on the ring does the localized field end, and what at the start tells?
//!
//! The data have no favourite site, so the start decides. On Gaussian data the answer is exact: every Fourier mode keeps its phase
//! (L003.11), the slowest mode that dies out is the first one, and the last thing to be seen of a position is the phase that
//! mode had at the start (L003.41); the modes die out at rates in closed form (L003.59). On the other data nothing is
//! known in closed form (L001.70, L003.41: open), and simple predictors are put to the test against chance, one in n: the largest
//! weight of the start; the largest entry of what the covariance makes of it; one step of gate and regression with the
//! Gaussian teacher; the peak of the Gaussian flow at the hand-over, when the teacher term first balances the decay
//! (L000.43); and the peak of the field itself then. How often two runs from one start agree says how much is left to the noise
//! of SGD: who knows the start alone can be right at most as often as its most frequent end.
//!
//! A Gaussian flow that ends off the phase of its first mode would falsify the one; hit rates no better than chance the other.

mod figure;
pub mod gaussian;
pub mod handover;
mod predict;
mod tell;

use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{Item, ParamError, Params, Value, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::memory::check_records;
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::{TwoClass, check_gains, one_unit};
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::dynamics::Pace;
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::train::{Precision, Record, train};
use fovea_sim::{Diverged, Ended, Labels, Plan, Run, Sgd, Times, loss, probe};
use predict::Landings;

params! {
    /// Settings of `where-it-lands`.
    pub struct WhereItLands {
        /// Ring size: inputs of the network.
        n: usize = 40, between(8.0, 1024.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gains at which fields localize.
        gain: Vec<f64> = vec![1.0, 3.0, f64::INFINITY], above(0.0), "";
        /// Glorot starts, the same at every gain.
        starts: usize = 200, between(10.0, 1e5), "starts";
        /// Starts that are run a second time with other samples.
        again: usize = 60, between(2.0, 1e5), "starts";
        /// Learning rate of the loss with its factor 1/2 while the site is being chosen.
        lr: f64 = 0.25, finite_above(0.0), "";
        /// Fresh samples of a step then: many, so that the start decides and not the noise.
        batch: usize = 8000, between(1.0, 1e8), "samples";
        /// Steps with this care, each of them recorded.
        steps: usize = 80, between(2.0, 1e6), "steps";
        /// Learning rate from there on; it falls to zero in a straight line.
        late_lr: f64 = 0.3, finite_above(0.0), "";
        /// Fresh samples of a late step.
        late_batch: usize = 2000, between(1.0, 1e8), "samples";
        /// Late steps.
        late_steps: usize = 300, between(10.0, 1e9), "steps";
        /// Runs from one start on nearly Gaussian data, whose mean keeps its phases.
        replicas: usize = 16, between(2.0, 1e4), "runs";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for WhereItLands {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_gains(&self.gain)?;
        let runs = self.gain.len() * (self.starts + self.again) + self.replicas;
        check_records(self.steps + LATE_RECORDS, 1, self.n * runs)
    }
}

/// Records of the late steps, at most.
const LATE_RECORDS: usize = 30;

/// Gain of the runs that stand for Gaussian data.
const GAUSSIAN: f64 = 0.01;

/// One run: a start and the samples it meets.
#[derive(Clone, Copy, Debug)]
struct Job {
    gain: f64,
    start: usize,
    samples: u64,
}

impl WhereItLands {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    /// Rates and samples of the two stages.
    fn paces(&self) -> [Pace; 2] {
        let schedule = Item::named("linear");
        let late = Pace { schedule, ..Pace::online(self.late_lr, self.late_batch) };
        [Pace::online(self.lr, self.batch), late]
    }

    /// What the two stages record.
    fn plans(&self) -> [Plan<'static>; 2] {
        let late = self.late_steps as u64;
        let stages = [(self.steps as u64, Times::Every(1)), (late, Times::log(late, LATE_RECORDS))];
        stages.map(|(steps, record)| Plan {
            steps,
            record,
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::weights::ENTRY, &probe::ipr::ENTRY],
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        })
    }

    /// The learning rates of all steps before each of these, added up.
    pub fn times(&self, steps: impl Iterator<Item = u64>) -> Vec<f64> {
        let rates = self.paces().map(|pace| pace.rate());
        let (early, late) = (self.steps as u64, self.late_steps as u64);
        let rate = |step: u64| {
            if step < early { rates[0].at(step, early) } else { rates[1].at(step - early, late) }
        };
        let (mut time, mut at) = (0.0, 0);
        steps
            .map(|step| {
                while at < step {
                    time += rate(at);
                    at += 1;
                }
                time
            })
            .collect()
    }

    /// Every run: each start at each gain, some again with other samples, and the replicas on Gaussian data.
    fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for &gain in &self.gain {
            jobs.extend((0..self.starts).map(|start| Job { gain, start, samples: 0 }));
            let again = self.again.min(self.starts);
            jobs.extend((0..again).map(|start| Job { gain, start, samples: 1 }));
        }
        let replica = |samples: usize| Job { gain: GAUSSIAN, start: 0, samples: samples as u64 };
        jobs.extend((0..self.replicas).map(replica));
        jobs
    }

    fn start(&self, start: usize, bench: &Bench<'_>) -> Result<Vec<f64>, ParamError> {
        let streams = bench.streams().replica(start as u64);
        Ok(Glorot::default().start(&[self.n], 1, &streams)?.weights)
    }
}

impl Job {
    fn name(&self) -> String {
        format!("gain={},start={},samples={}", Value::Real(self.gain), self.start, self.samples)
    }

    fn run(&self, settings: &WhereItLands, bench: &Bench<'_>) -> Result<Run, ParamError> {
        let network = one_unit(&settings.start(self.start, bench)?)?;
        let task = settings.two_class().task(self.gain, Labels::Iid)?;
        let streams = bench.streams().replica(self.start as u64).replica(self.samples);
        let ([early, late], [first, second]) = (settings.plans(), settings.paces());
        let run = train(&task, network, &Sgd { pace: first }, &streams, &early, bench);
        if run.ended != Ended::Completed {
            return Ok(run);
        }
        let (network, sgd) = (run.network.clone(), Sgd { pace: second });
        Ok(joined(run, train(&task, network, &sgd, &streams.replica(0), &late, bench)))
    }
}

/// One run after the other, as one.
fn joined(first: Run, second: Run) -> Run {
    let taken = first.records.last().map_or(0, |record| record.step);
    let mut records = first.records;
    let later = second.records.into_iter().skip(1);
    records.extend(later.map(|record| Record { step: taken + record.step, ..record }));
    let ended = match second.ended {
        Ended::Completed => Ended::Completed,
        Ended::Interrupted { step } => Ended::Interrupted { step: taken + step },
        Ended::Diverged(Diverged { step }) => Ended::Diverged(Diverged { step: taken + step }),
    };
    Run { network: second.network, records, ended }
}

impl Experiment for WhereItLands {
    fn quick() -> Self {
        Self {
            gain: vec![f64::INFINITY],
            starts: 50,
            again: 16,
            batch: 3000,
            late_batch: 1000,
            late_steps: 150,
            replicas: 12,
            ..Self::default()
        }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let jobs = self.jobs();
        bench.progress.expect((jobs.len() * (self.steps + self.late_steps)) as u64);
        let runs = bench.fleet(&jobs, |job| job.run(self, bench));
        let runs = runs.into_iter().collect::<Result<Vec<_>, ParamError>>()?;
        let times = self.times(runs[0].records.iter().map(|record| record.step));
        let mut series = Series::default();
        for (job, run) in jobs.iter().zip(&runs) {
            series.add_at(&job.name(), &self.plans()[0], run, &times);
        }
        let status = status_of(jobs.iter().map(Job::name).zip(&runs));
        let starts = (0..self.starts)
            .map(|start| self.start(start, bench))
            .collect::<Result<Vec<_>, _>>()?;
        let mut arrays = vec![Array::of_rows("starts", &starts)];
        let (mut claims, mut figures) = (Vec::new(), Vec::new());
        let mut summary = self.two_class().task(GAUSSIAN, Labels::Iid)?.notes();
        let mut lead = String::new();
        if status == Status::Completed {
            let each = self.starts + self.again.min(self.starts);
            let landings = self
                .gain
                .iter()
                .zip(runs.chunks(each))
                .map(|(gain, runs)| Landings::new(self, *gain, &starts, runs, &times, bench))
                .collect::<Result<Vec<_>, _>>()?;
            let gaussian = gaussian::Flow::new(self, &starts, bench)?;
            let replicas = &runs[each * self.gain.len()..];
            claims.extend(gaussian.claims(self)?);
            claims.push(gaussian::phases(self, &starts[0], replicas)?);
            for landing in &landings {
                claims.extend(landing.claims()?);
                arrays.push(landing.array());
            }
            arrays.push(gaussian.array());
            summary.extend(tell::summary(&landings, &gaussian)?);
            lead = tell::lead(self, &landings)?;
            figures.push(("where-it-lands", figure::figure(self, &landings, &gaussian)?));
        }
        let words = Words { lead: &lead, ..tell::WORDS };
        let report = report(&words, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<WhereItLands>(
    "where-it-lands",
    "which site a localized field ends at: simple predictors against chance, and the exact answer on Gaussian data",
    "Where on the ring does the localized field end, and what at the start tells (L001.70, L003.41)? On Gaussian data phases are \
     conserved (L003.11), so that the flow ends where the first mode of the start has its crest; a flow that ends elsewhere would \
     falsify it. On other data the largest weight, its covariance images, one step of gate and regression and the peak at the \
     hand-over are predictors, against chance, one in n.",
);
