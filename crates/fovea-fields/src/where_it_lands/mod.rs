//! At which site does a localized field end, and what about its start predicts it?
//!
//! The data have no favourite site, so the start decides. On Gaussian data the answer is exact: every Fourier mode keeps its phase
//! (L003.11), the slowest mode that dies out is the first one, and the last trace of a position is the phase that this
//! mode had at the start (L003.41); the modes die out at rates in closed form (L003.59). On the other data nothing is
//! known in closed form (L001.70, L003.41: open), and simple predictors are tested against chance, one in n: the largest
//! weight of the start; the largest entry of the covariance times the start; that after one step of gate and regression with the
//! Gaussian teacher; the peak of the Gaussian flow at the hand-over, when the teacher term first balances the decay
//! (L000.43); and the peak of the field itself then. How often two runs from one start agree shows how much is left to the noise
//! of SGD: a prediction from the start alone can be right at most as often as the most frequent end of that start.
//!
//! Training has two stages: `steps` steps at a constant rate, each recorded and with enough samples that the start chooses the site
//! and not the noise; then late steps at a rate that falls to zero.
//!
//! A Gaussian flow that ends off the phase of its first mode would falsify the exact answer; hit rates no better than chance, the
//! predictors.

mod figure;
pub mod gaussian;
pub mod measure;

use fovea_desk::prelude::*;
use gaussian::Flow;
use measure::{Landings, PREDICTORS};

params! {
    /// Settings of `where-it-lands`.
    pub struct WhereItLands {
        ..two: TwoClass { n = 40, between(8.0, 1024.0) };
        ..descent: Descent { lr = 0.25; batch = 8000; steps = 80, between(2.0, 1e6) };
        /// Gains at which fields localize.
        gain: Vec<f64> = vec![1.0, 3.0, f64::INFINITY], above(0.0), "";
        /// Glorot starts, the same at every gain.
        starts: usize = 200, between(10.0, 1e5), "starts";
        /// Starts that are run a second time with other samples.
        again: usize = 60, between(2.0, 1e5), "starts";
        /// Learning rate after `steps` steps; it falls linearly to zero.
        late_lr: f64 = 0.3, finite_above(0.0), "";
        /// Fresh samples per late step.
        late_batch: usize = 2000, between(1.0, 1e8), "samples";
        /// Late steps.
        late_steps: usize = 300, between(10.0, 1e9), "steps";
        /// Runs from one start on nearly Gaussian data, whose mean keeps its phases.
        replicas: usize = 16, between(2.0, 1e4), "runs";
    }
}

impl Params for WhereItLands {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        check_gains(&self.gain)?;
        let runs = self.gain.len() * (self.starts + self.again) + self.replicas;
        check_records(self.descent.steps + LATE_RECORDS, 1, self.two.n * runs)
    }
}

/// Records of the late steps, at most.
const LATE_RECORDS: usize = 30;
/// Gain of the runs that stand for Gaussian data.
const GAUSSIAN: f64 = 0.01;
/// The id of claims that are not in the catalogue.
const ID: &str = "where-it-lands";

/// The name of one run: a start and the samples it is trained on.
fn name(gain: f64, start: usize, samples: u64) -> String {
    format!("gain={},start={start},samples={samples}", Value::Real(gain))
}

impl WhereItLands {
    /// Rates and samples of the two stages, and what they record.
    fn stages(&self) -> [(Pace, Plan<'static>); 2] {
        let steps = self.late_steps as u64;
        let early = self.descent.plan(1, &[&probe::weights::ENTRY, &probe::ipr::ENTRY]);
        let late = Plan { steps, record: Times::log(steps, LATE_RECORDS), ..early.clone() };
        let pace = Pace::online(self.descent.lr, self.descent.batch);
        [(pace, early), (falling(self.late_lr, self.late_batch), late)]
    }

    /// The learning rates of all steps before each of these, added up.
    pub fn times(&self, steps: impl Iterator<Item = u64>) -> Vec<f64> {
        let [early, late] = self.stages().map(|(pace, plan)| (pace.rate(), plan.steps));
        let rate = |step: u64| match step.checked_sub(early.1) {
            None => early.0.at(step, early.1),
            Some(step) => late.0.at(step, late.1),
        };
        let (mut time, mut at) = (0.0, 0);
        let until = |step: u64| {
            time = (at..step).fold(time, |time, step| time + rate(step));
            at = at.max(step);
            time
        };
        steps.map(until).collect()
    }

    /// Start and samples of every run at each gain: each start, some again with other samples, and the replicas on Gaussian data.
    fn points(&self) -> Vec<(f64, Vec<(usize, u64)>)> {
        let first = (0..self.starts).map(|start| (start, 0));
        let again = (0..self.again.min(self.starts)).map(|start| (start, 1));
        let both: Vec<_> = first.chain(again).collect();
        let mut points: Vec<_> = self.gain.iter().map(|gain| (*gain, both.clone())).collect();
        // Where that gain is asked for, two of the replicas are there already.
        let there = if self.gain.contains(&GAUSSIAN) { 2 } else { 0 };
        let replicas = (there..self.replicas as u64).map(|samples| (0, samples));
        points.push((GAUSSIAN, replicas.collect()));
        points
    }

    fn start(&self, start: usize, streams: &Streams) -> Result<Vec<f64>, ParamError> {
        glorot(self.two.n, 1.0, &streams.replica(start as u64))
    }
}

/// Where the starts ended at every gain, and where the Gaussian flow takes them.
pub struct Found {
    starts: Vec<Vec<f64>>,
    landings: Vec<Landings>,
    gaussian: Flow,
}

impl Found {
    /// The fields at every gain, hit rates of every predictor, and the Gaussian life times.
    fn tables(&self) -> Result<Vec<Table>, LabError> {
        let fields = Table::of("fields", &self.landings)
            .given("gain", |landing| landing.gain)
            .whole("starts", |landing| landing.landed.len())
            .maybe("ipr", 3, |landing| estimate(landing.fields.iter().map(|w| ipr(w))).ok())
            .real("handover", 2, |landing| landing.handover)
            .caption(
                "Mean IPR of the fields at the end, and the median time t* of the hand-over, when the teacher term of the Gaussian \
                 flow first balances the decay; one row per gain.",
            );
        let mut rows = Vec::new();
        for landing in &self.landings {
            for (predictor, [name, _]) in PREDICTORS.into_iter().enumerate() {
                let mut misses = landing.misses(predictor);
                misses.sort_unstable();
                let best = predictor == landing.best();
                rows.push((landing.gain, name, landing.hit_rate(predictor)?, misses, best));
            }
        }
        let next = |misses: &[usize]| misses.iter().filter(|miss| **miss == 1).count() as f64;
        let predictors = Table::of("predictors", &rows)
            .given("gain", |row| row.0)
            .words("predictor", |row| row.1)
            .estimate("right", 3, |row| row.2)
            .real("next_site", 3, |row| next(&row.3) / row.3.len() as f64)
            .whole("median_miss", |row| row.3[row.3.len() / 2])
            .unit("sites")
            .words("best", |row| if row.4 { "best without training" } else { "" })
            .caption(
                "Share of starts whose field ends at the site that a predictor names, and at the next one; and the median distance \
                 between the two; one row per gain and predictor.",
            );
        let [predicted, measured, _] = self.gaussian.lives;
        let lives = Table::of("life_times", &[0, 1])
            .whole("mode", |k| k + 1)
            .real("predicted", 2, |k| predicted[*k])
            .real("measured", 2, |k| measured[*k])
            .caption("Times in which the first two modes die out on Gaussian data, where only the flat mode remains.");
        Ok(vec![fields, predictors, lives])
    }

    /// Question and answer, from the numbers.
    fn lead(&self) -> Result<String, LabError> {
        let question =
            "At which site does a localized field end, and what about its start predicts it?";
        let mut sentences = vec![question.to_owned()];
        for landing in &self.landings {
            let best = landing.best();
            sentences.push(format!(
                "At gain {} the best predictor without training is {}, right in {:.0} % of {} starts (chance {:.1} %).",
                gains::label(landing.gain),
                PREDICTORS[best][0],
                100.0 * landing.hit_rate(best)?.mean(),
                landing.landed.len(),
                100.0 / landing.fields[0].len() as f64
            ));
        }
        let exact = "On Gaussian data the answer is exact: every mode keeps its phase, and the field ends at the crest of the first one.";
        sentences.push(exact.to_owned());
        Ok(sentences.join(" "))
    }
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
        let base = Self::default();
        Self {
            descent: Descent { batch: 3000, ..base.descent },
            gain: vec![f64::INFINITY],
            starts: 50,
            again: 16,
            late_batch: 1000,
            late_steps: 150,
            replicas: 12,
            ..base
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let [early, late] = self.stages();
        let mut jobs = Vec::new();
        for (gain, points) in self.points() {
            let task = self.two.spec(gain, Labels::Iid);
            for (start, samples) in points {
                let network = one_unit(&self.start(start, streams)?)?;
                let streams = streams.replica(start as u64).replica(samples);
                let early = stage(&task, early.0.clone(), early.1.clone(), streams);
                let late = stage(&task, late.0.clone(), late.1.clone(), streams.replica(0));
                let job = Job::new(name(gain, start, samples), Start::Given(network), early);
                jobs.push(job.then(late));
            }
        }
        Ok(jobs)
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let start = |start| self.start(start, &desk.streams());
        let starts = (0..self.starts).map(start).collect::<Result<Vec<_>, _>>()?;
        let records = runs.get(&name(GAUSSIAN, 0, 0)).records();
        let times = self.times(records.iter().map(|record| record.step));
        let landing = |gain: &f64| Landings::new(self, *gain, (&starts, &times), runs, desk);
        let landings = self.gain.iter().map(landing).collect::<Result<_, _>>()?;
        let gaussian = Flow::new(self, &starts, desk)?;
        Ok(Found { starts, landings, gaussian })
    }

    fn show(&self, runs: &Runs, found: &Found) -> Result<Shown, LabError> {
        let Found { starts, landings, gaussian } = found;
        let replica = |samples: u64| runs.get(&name(GAUSSIAN, 0, samples));
        let replicas: Vec<&Trained> = (0..self.replicas as u64).map(replica).collect();
        let mut claims = gaussian.claims(self.two.n);
        claims.push(gaussian::phases(&starts[0], &replicas)?);
        let mut arrays = vec![Array::of_rows("starts", starts)];
        for landing in landings {
            claims.extend(landing.claims()?);
            arrays.push(landing.array());
        }
        let Flow { crest, largest, landed, .. } = gaussian;
        let row = |i: usize| vec![crest[i], largest[i], landed[i]];
        let rows: Vec<Vec<f64>> = (0..crest.len()).map(row).collect();
        arrays.push(Array::of_rows("gaussian_flow", &rows));
        Ok(Shown {
            arrays,
            claims,
            figures: vec![("where-it-lands", figure::figure(self, found)?)],
            tables: found.tables()?,
            lead: Some(found.lead()?),
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<WhereItLands>(
    "where-it-lands",
    "at which site a localized field ends: simple predictors against chance, and the exact answer on Gaussian data",
    include_str!("mod.rs"),
);
