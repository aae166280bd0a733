//! Does the uncertainty of a receptive field fall while it is learned?
//!
//! Note 003 ("Uncertainty Principle") hopes to show that fields become Gabors because their uncertainty in position and frequency falls
//! to the least value, 1/2, and asks whether it falls monotonically. As posed this is wrong for real fields (L003.26): a real
//! Gabor lies above 1/2. Four measures that replace it have a bound on the ring or the circle (L003.27, L003.63): the sum of the entropies of position and
//! frequency, Massar and Spindel's sum, and the product of the circular variances of the field and of its analytic signal.
//! Here each is followed through training, for one ReLU unit and for a committee of sigmoids. Every start is trained on
//! several independent streams of samples; the spread between them is the noise, and a field rises only where the mean over
//! its streams does so beyond that noise. If every measure of every field fell monotonically, the hope would be confirmed; a value
//! below a bound would show that the bound, or the measure, is wrong.
//!
//! `lr`, `batch` and `steps` are those of the one ReLU unit; the committee has its own.

mod claims;
mod figure;
pub mod measure;

use fovea_desk::prelude::*;
use measure::{Case, MEASURES};

params! {
    /// Settings of `uncertainty-in-time`.
    pub struct UncertaintyInTime {
        ..two: TwoClass { n = 40, between(4.0, 1024.0) };
        ..descent: Descent { lr = 0.1; steps = 1200; batch = 4000, between(2.0, 1e8) };
        /// Gains.
        gain: Vec<f64> = vec![0.01, 1.0, 3.0, 100.0], above(0.0), "";
        /// Starts per network and gain.
        starts: usize = 6, between(2.0, 1e4), "networks";
        /// Independent streams of samples per start.
        replicas: usize = 6, between(2.0, 1e3), "runs";
        /// Sigmoid units of the committee.
        width: usize = 12, between(2.0, 1e4), "units";
        /// Learning rate of the committee, with the 1/K of the mean readout in the gradient.
        wide_lr: f64 = 24.0, finite_above(0.0), "";
        /// Training steps of the committee.
        wide_steps: usize = 1500, between(1.0, 1e9), "steps";
        /// Fresh samples per step of the committee, half of each class.
        wide_batch: usize = 1000, between(2.0, 1e8), "samples";
        /// Records per run, evenly spaced in the logarithm of time.
        records: usize = 40, between(2.0, 1e4), "records";
        /// Factor on the Glorot variance 2/(n + K) of the start.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
    }
}

impl Params for UncertaintyInTime {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        check_labels(Labels::Balanced, self.descent.batch)?;
        check_labels(Labels::Balanced, self.wide_batch)?;
        let numbers = self.gain.len() * self.starts * self.replicas * (self.width + 1);
        check_records(self.records, 1, numbers * 2 * MEASURES.len())?;
        check_gains(&self.gain)
    }
}

impl UncertaintyInTime {
    /// The networks that are trained.
    fn nets(&self) -> [Net; 2] {
        let (relu, sigmoid) = (&activation::relu::ENTRY, &activation::sigmoid::ENTRY);
        let (lr, batch, steps) = (self.wide_lr, self.wide_batch, self.wide_steps);
        let (unit, wide) = (self.descent, Descent { lr, batch, steps, ..self.descent });
        let (width, bias) = (self.width, Bias::Trainable);
        [
            Net { name: "unit", width: 1, activation: relu, bias: Bias::None, descent: unit },
            Net { name: "committee", width, activation: sigmoid, bias, descent: wide },
        ]
    }

    /// Every network at every gain.
    fn kinds(&self) -> Vec<(Net, f64)> {
        let of = |net| self.gain.iter().map(move |gain| (net, *gain));
        self.nets().into_iter().flat_map(of).collect()
    }
}

/// Probes of every record.
pub const PROBES: [&Probe; 2] = [&probe::uncertainty::ENTRY, &probe::ipr::ENTRY];

/// A kind of network.
#[derive(Clone, Copy)]
struct Net {
    name: &'static str,
    width: usize,
    activation: &'static activation::Entry,
    bias: Bias,
    descent: Descent,
}

impl Net {
    /// The name of its runs at a gain.
    fn runs(&self, gain: f64) -> String {
        format!("{},gain={}", self.name, Value::Real(gain))
    }

    /// What it is, in words.
    fn what(&self) -> String {
        match self.width {
            1 => "one ReLU unit".to_owned(),
            width => format!("{width} sigmoid units with biases"),
        }
    }
}

impl Experiment for UncertaintyInTime {
    type Found<'r> = Vec<Case>;

    const WORDS: Words<'static> = Words {
        title: "Does the uncertainty of a receptive field fall while it is learned?",
        lead: "Four measures of the uncertainty of a field in position and frequency are followed through training and compared with their bounds: how \
            many fields fall monotonically, up to noise that replicas measure, and how far the others rise.",
        caption: figure::CAPTION,
        formulas: &[
            r"H(|w|^2)+H(|Fw|^2)\ge\ln n,\qquad (\cot^2\tfrac\pi n+2\cot\tfrac\pi n)\,\Delta U^2\Delta V^2+\Delta U^2+\Delta V^2\ge1,\qquad \mathrm{Var}(k)\,\frac{1-|\tau|^2}{|\tau|^2}\ge\tfrac14",
            r"\sigma_t\sigma_\omega=\tfrac12\sqrt{\Big(1-\frac{4\kappa\varepsilon}{1+\varepsilon}\Big)\Big(1+\frac{4\kappa}{1+\varepsilon}\Big)},\quad \varepsilon=e^{-2\kappa}\qquad\text{a real Gabor, not } \tfrac12",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        let gain = vec![0.01, 3.0];
        let descent = Descent { lr: 0.3, steps: 250, batch: 1000, ..base.descent };
        Self { gain, replicas: 3, descent, wide_steps: 150, wide_batch: 500, records: 24, ..base }
    }

    /// The series holds the first replica of every start.
    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let mut jobs = Vec::new();
        for (net, gain) in self.kinds() {
            let (name, task) = (net.runs(gain), self.two.spec(gain, Labels::Balanced));
            let network = committee(net.width, net.activation, net.bias, self.init_scale);
            let times = Times::log(net.descent.steps as u64, self.records);
            let plan = net.descent.plan_at(times, &PROBES);
            for start in 0..self.starts as u64 {
                // All replicas have one start, and each has samples of its own.
                let streams = streams.part(&name).replica(start);
                let drawn = Start::Drawn { network: network.clone(), streams };
                for replica in 0..self.replicas as u64 {
                    let stage = net.descent.stage(&task, plan.clone(), streams.replica(replica));
                    let label = format!("{name},start={start},replica={replica}");
                    let job = Job::new(label, drawn.clone(), stage).in_group(&*name);
                    jobs.push(if replica == 0 { job } else { job.unlisted() });
                }
            }
        }
        Ok(jobs)
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Vec<Case>, LabError> {
        desk.try_fleet(&self.kinds(), |kind| {
            Case::new(*kind, &runs.group(&kind.0.runs(kind.1)), self.replicas)
        })
    }

    fn show(&self, _: &Runs, cases: &Vec<Case>) -> Result<Shown, LabError> {
        let mut claims = claims::gabor();
        claims.extend(claims::never_broken(self, cases));
        claims.extend(self.shares(cases)?);
        Ok(Shown {
            arrays: cases.iter().flat_map(Case::arrays).collect(),
            claims,
            figures: vec![("uncertainty-in-time", figure::figure(self, cases)?)],
            tables: self.tables(cases)?,
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<UncertaintyInTime>(
    "uncertainty-in-time",
    "four measures of a field's uncertainty in position and frequency through training, and their bounds: it does not fall monotonically",
    include_str!("mod.rs"),
);
