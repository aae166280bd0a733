//! How often do gates flip during training, on data that are nearly Gaussian and on data that are not?
//!
//! Figure 3 of the fourth note follows twelve ReLU units: the share `p` of samples on the same side of a gate as at the previous record, the
//! excess kurtosis of the preactivation, and the final field, at a printed gain of 0.01. On Gaussian classes `p = 1 - (theta_1 +
//! theta_0)/(2 pi)` with the angles of the weights in the two covariances (L001.36), so the recorded weights alone must predict the counted flips.
//! At that gain the kurtosis lies far below its sampling error (L003.67); the same network is also trained at a gain where it does not.
//! Gates are then frozen at several times and the linear units behind them are trained on (L003.68): the note doubts that this can
//! be done. Counts that differ from the angles', a visible kurtosis at gain 0.01, or frozen gates that end where free ones do, would falsify it.
//! The note's learning rate of 0.01 belongs to the loss without its factor 1/2, and is 0.02 here.

mod claims;
mod figure;
pub mod measure;

use fovea_desk::gains::name;
use fovea_desk::prelude::*;
use measure::Course;

params! {
    /// Settings of `gate-flips`.
    pub struct GateFlips {
        ..two: TwoClass { n = 40, between(2.0, 64.0) };
        ..descent: Descent { batch = 10_000, between(2.0, 1e8) };
        /// Gains: the note's, and one at which the kurtosis exceeds its sampling error.
        gain: Vec<f64> = vec![0.01, 3.0], above(0.0), "";
        /// Hidden units.
        width: usize = 12, between(1.0, 1e4), "units";
        /// Steps between records.
        record_every: usize = 20, between(1.0, 1e9), "steps";
        /// Held-out samples on which gates and kurtosis are measured, half of each class.
        eval: usize = 80_000, between(4.0, 1e8), "samples";
        /// Factor on the Glorot variance 2/(n + K) of the starts.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// Networks per gain.
        seeds: usize = 2, between(1.0, 1e4), "seeds";
        /// Shares of the training after which gates are frozen.
        freeze: Vec<f64> = vec![0.0, 0.1, 0.25, 0.5], between(0.0, 1.0), "";
        /// Fresh samples per step behind frozen gates, half of each class.
        freeze_batch: usize = 1000, between(2.0, 1e8), "samples";
    }
}

impl Params for GateFlips {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        check_gains(&self.gain)?;
        for batch in [self.descent.batch, self.eval, self.freeze_batch] {
            check_labels(Labels::Balanced, batch)?;
        }
        let a_record = self.width * (self.two.n + 6) * self.seeds * self.gain.len();
        check_records(self.descent.steps, self.record_every, 2 * a_record)
    }
}

/// Probes of every record.
const PROBES: [&Probe; 6] = [
    &probe::gates::ENTRY,
    &probe::kurtosis::ENTRY,
    &probe::weights::ENTRY,
    &probe::ipr::ENTRY,
    &probe::norm::ENTRY,
    &probe::loss::ENTRY,
];

impl GateFlips {
    fn arm(&self, gain: f64) -> Arm {
        let plan = self.descent.plan(self.record_every, &PROBES);
        Arm {
            name: name(gain),
            task: self.two.spec(gain, Labels::Balanced),
            network: committee(self.width, &activation::relu::ENTRY, Bias::None, self.init_scale),
            pace: Pace::online(self.descent.lr, self.descent.batch),
            plan: Plan { eval_samples: self.eval, ..plan },
        }
    }

    /// Kinds of twins, with the moments that their weights and gates are taken from: frozen at each step, the final gates from the start, and free.
    fn kinds(&self) -> Vec<(String, Moment, Option<Moment>)> {
        let at = |step| (format!("frozen={step}"), Moment::Step(step), Some(Moment::Step(step)));
        let controls = [("final-gates", Some(Moment::End)), ("free", None)]
            .map(|(kind, gates)| (kind.to_owned(), Moment::Step(0), gates));
        self.frozen_at().into_iter().map(at).chain(controls).collect()
    }

    /// Twins of every network of an arm: linear units behind the gates of one moment (L001.71, L003.68).
    fn twins(&self, arm: &Arm, streams: &Streams) -> Vec<Job> {
        let descent = Descent { batch: self.freeze_batch, ..self.descent };
        let mut jobs = Vec::new();
        for (kind, weights, gates) in self.kinds() {
            let group = format!("{},{kind}", arm.name);
            for seed in 0..self.seeds {
                let job = format!("{},seed={seed}", arm.name);
                let streams = streams.part("frozen").part(&arm.name).replica(seed as u64);
                let plan = descent.plan_at(Times::At(Vec::new()), &[]);
                let stage = descent.stage(&arm.task, plan, streams);
                let start = Start::From { job, weights, gates };
                let twin = Job::new(format!("{group},seed={seed}"), start, stage);
                jobs.push(twin.in_group(&*group).unlisted());
            }
        }
        jobs
    }

    /// The step of every record.
    fn recorded(&self) -> Vec<u64> {
        Times::Every(self.record_every as u64).between(0, self.descent.steps as u64)
    }

    /// The time of every record.
    fn times(&self) -> Vec<f64> {
        self.recorded().iter().map(|step| *step as f64 * self.descent.lr).collect()
    }

    /// The recorded step nearest to each share of the training after which gates are frozen.
    fn frozen_at(&self) -> Vec<u64> {
        let steps = self.recorded();
        let last = steps.len() - 1;
        let at = |part: &f64| steps[((part * last as f64).round() as usize).min(last)];
        let mut steps: Vec<u64> = self.freeze.iter().map(at).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// The standard error of the excess kurtosis of Gaussian samples of one class, `sqrt(24/samples)`.
    fn unseen(&self) -> f64 {
        (24.0 / (0.5 * self.eval as f64)).sqrt()
    }
}

impl Experiment for GateFlips {
    type Found<'r> = Vec<Course<'r>>;

    const WORDS: Words<'static> = Words {
        title: "How often gates flip",
        lead: "At the printed gain of 0.01 the flips of every gate are those of Gaussian data, given by the angles of its weights, and the excess kurtosis \
               of the preactivations is far below its sampling error; at gain 3 it is far above. Gates flip less and less but \
               do not stop, and the earlier they are frozen, the further from the free network the linear units behind them end.",
        caption: figure::CAPTION,
        formulas: &[
            r"p(t)=P\big(g(t,x)=g(t+\delta t,x)\big)=1-\frac{\theta_{+}+\theta_{-}}{2\pi},\qquad \cos\theta_c=\frac{w^\top C_cw'}{\sqrt{w^\top C_cw\;w'^\top C_cw'}}",
            r"p_{\mathrm{unif}}=P\big(g(t,x)=g(0,x)\ \text{for all}\ t\big)\le\min_{s,t}P\big(g(s,x)=g(t,x)\big),\qquad \kappa=\frac{\sum_{ijkl}\kappa_{ijkl}w_iw_jw_kw_l}{(w^\top C_cw)^2}",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        let two = TwoClass { n: 16, xi_pos: 1.2, xi_neg: 0.6, ..base.two };
        let descent = Descent { lr: 0.1, batch: 1000, steps: 400, ..base.descent };
        let freeze = vec![0.0, 0.5];
        Self {
            two,
            descent,
            width: 4,
            record_every: 40,
            eval: 20_000,
            freeze,
            freeze_batch: 500,
            ..base
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let arms: Vec<Arm> = self.gain.iter().map(|gain| self.arm(*gain)).collect();
        let trained = arms.iter().flat_map(|arm| arm.jobs(streams.part(&arm.name), self.seeds));
        Ok(trained.chain(arms.iter().flat_map(|arm| self.twins(arm, streams))).collect())
    }

    fn parts(&self) -> u64 {
        (self.gain.len() * self.seeds) as u64
    }

    fn measure<'r>(&self, runs: &'r Runs, desk: &Desk<'_>) -> Result<Vec<Course<'r>>, LabError> {
        self.gain.iter().map(|gain| Course::new(self, *gain, runs, desk)).collect()
    }

    fn show<'r>(&self, runs: &'r Runs, courses: &Vec<Course<'r>>) -> Result<Shown, LabError> {
        let weights = self.gain.iter().map(|gain| runs.group(&name(*gain)).weights());
        let arrays = weights
            .chain(courses.iter().flat_map(Course::flips))
            .chain(courses.iter().map(Course::distances))
            .chain([Array::of_entries("time", &self.times())]);
        Ok(Shown {
            arrays: arrays.collect(),
            claims: claims::claims(self, courses)?,
            figures: vec![("gate-flips", figure::figure(self, courses))],
            tables: claims::tables(self, courses).into(),
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<GateFlips>(
    "gate-flips",
    "gates, kurtosis and final fields of twelve ReLU units over training, at a gain where data are Gaussian and one where they are not",
    include_str!("mod.rs"),
);
