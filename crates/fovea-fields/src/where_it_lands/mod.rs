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

mod claims;
mod figure;
pub mod gaussian;
pub mod measure;

use fovea_desk::prelude::*;
use gaussian::Flow;
use measure::Landings;

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

/// The name of one run: a start and the samples it meets.
fn name(gain: f64, start: usize, samples: u64) -> String {
    format!("gain={},start={start},samples={samples}", Value::Real(gain))
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
        let late = Times::log(self.late_steps as u64, LATE_RECORDS);
        [(self.steps, Times::Every(1)), (self.late_steps, late)].map(|(steps, record)| {
            let plan = Plan::new(steps, record, &[&probe::weights::ENTRY, &probe::ipr::ENTRY]);
            Plan { precision: self.precision, ..plan }
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

    /// Starts that are run again.
    fn run_again(&self) -> usize {
        self.again.min(self.starts)
    }

    /// Start and samples of every run at each gain: each start, some again with other samples, and the replicas on Gaussian data.
    fn points(&self) -> Vec<(f64, Vec<(usize, u64)>)> {
        let first = (0..self.starts).map(|start| (start, 0));
        let both: Vec<_> = first.chain((0..self.run_again()).map(|start| (start, 1))).collect();
        let mut points: Vec<_> = self.gain.iter().map(|gain| (*gain, both.clone())).collect();
        // Where that gain is asked for, two of the replicas are there already.
        let there = if self.gain.contains(&GAUSSIAN) { 2 } else { 0 };
        points
            .push((GAUSSIAN, (there..self.replicas as u64).map(|samples| (0, samples)).collect()));
        points
    }

    fn start(&self, start: usize, streams: &Streams) -> Result<Vec<f64>, ParamError> {
        glorot(self.n, 1.0, &streams.replica(start as u64))
    }
}

/// Where the starts ended at every gain, and what the Gaussian flow makes of them.
pub struct Found {
    starts: Vec<Vec<f64>>,
    landings: Vec<Landings>,
    gaussian: Flow,
}

impl Experiment for WhereItLands {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Where a localized field lands",
        lead: "",
        caption: figure::CAPTION,
        formulas: &[
            r"u_k(t)=u_k(0)\,\exp\Big[-\tfrac14(\lambda^{-}_k+\lambda^{+}_k)\,t+\tfrac14\sqrt{\tfrac2\pi}\,\lambda^{+}_k\,\Theta(t)\Big]\qquad\text{Gaussian data: phases stay}",
            r"\tau_k=\frac{4}{\lambda^{+}_k\,(q_k-q_0)},\qquad q_k=\lambda^{-}_k/\lambda^{+}_k",
            r"t^{*}:\ \tfrac12\,|f(w)|=\tfrac14\,|(C_{-}+C_{+})\,w|",
        ],
    };

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

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let (plans, paces) = (self.plans(), self.paces());
        let mut jobs = Vec::new();
        for (gain, points) in self.points() {
            let task = self.two_class().spec(gain, Labels::Iid);
            let stage = |which: usize, streams: Streams| Stage {
                task: Arc::clone(&task),
                dynamics: sgd(paces[which].clone()),
                plan: plans[which].clone(),
                streams,
            };
            for (start, samples) in points {
                let network = one_unit(&self.start(start, streams)?)?;
                let streams = streams.replica(start as u64).replica(samples);
                let label = name(gain, start, samples);
                let job = Job::new(label, Start::Given(network), stage(0, streams));
                jobs.push(job.then(stage(1, streams.replica(0))));
            }
        }
        Ok(jobs)
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let starts: Vec<Vec<f64>> = (0..self.starts)
            .map(|start| self.start(start, &desk.streams()))
            .collect::<Result<_, _>>()?;
        let records = runs.get(&name(GAUSSIAN, 0, 0)).records();
        let times = self.times(records.iter().map(|record| record.step));
        let landing = |gain: &f64| Landings::new(self, *gain, (&starts, &times), runs, desk);
        let landings = self.gain.iter().map(landing).collect::<Result<_, _>>()?;
        let gaussian = Flow::new(self, &starts, desk)?;
        Ok(Found { starts, landings, gaussian })
    }

    fn show(&self, runs: &Runs, found: &Found) -> Result<Shown, LabError> {
        let Found { starts, landings, gaussian } = found;
        let replicas: Vec<&Trained> = (0..self.replicas as u64)
            .map(|samples| runs.get(&name(GAUSSIAN, 0, samples)))
            .collect();
        let mut claims = gaussian.claims(self)?;
        claims.push(gaussian::phases(self, &starts[0], &replicas)?);
        let mut arrays = vec![Array::of_rows("starts", starts)];
        for landing in landings {
            claims.extend(landing.claims()?);
            arrays.push(landing.array());
        }
        arrays.push(gaussian.array());
        Ok(Shown {
            arrays,
            claims,
            figures: vec![("where-it-lands", figure::figure(self, landings, gaussian)?)],
            summary: claims::summary(landings, gaussian)?,
            lead: Some(claims::lead(self, landings)?),
            ..Shown::default()
        })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<WhereItLands>(
    "where-it-lands",
    "which site a localized field ends at: simple predictors against chance, and the exact answer on Gaussian data",
    include_str!("mod.rs"),
);
