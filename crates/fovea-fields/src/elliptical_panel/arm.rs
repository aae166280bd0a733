//! One law: its runs, their closed flow, and what a sinusoid leaves of them.

use super::EllipticalPanel;
use super::sinusoid::{Left, left};
use fovea_core::{ParamError, activation};
use fovea_desk::error::LabError;
use fovea_desk::fleet::{Arm, Trained, committee};
use fovea_desk::two_class::scaled_at_records;
use fovea_record::outcome::Array;
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::elliptical::{Elliptical, Radius};
use fovea_sim::{Bias, Labels, Plan, Sgd, Task, Times, loss, probe};
use fovea_theory::GaussianFlow;
use fovea_theory::committee_flow::GAUSSIAN;
use fovea_theory::elliptical::Radial;
use fovea_theory::elliptical::half_mean_abs::half_mean_abs;

/// The data of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Student data.
    Student,
    /// One radius.
    Shell,
    /// The radius of the publication's own.
    HalfLogistic,
    /// One radius, a quarter of the batch.
    Quarter,
}

impl Kind {
    pub(super) const ALL: [Self; 4] =
        [Self::Student, Self::Shell, Self::HalfLogistic, Self::Quarter];

    /// The name in records.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Shell => "shell",
            Self::HalfLogistic => "half-logistic",
            Self::Quarter => "shell-quarter-batch",
        }
    }

    /// The name for a reader.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Student => "Student",
            Self::Shell => "shell",
            Self::HalfLogistic => "half-logistic",
            Self::Quarter => "1/4 batch",
        }
    }

    fn radial(self, settings: &EllipticalPanel) -> Radial {
        match self {
            Self::Student => Radial::Student { dof: settings.dof },
            Self::Shell | Self::Quarter => Radial::Shell,
            Self::HalfLogistic => Radial::HalfLogistic,
        }
    }

    /// The constant of the gated mean over that of Gaussian data.
    pub(super) fn factor(self, settings: &EllipticalPanel) -> f64 {
        half_mean_abs(self.radial(settings), settings.n) / GAUSSIAN
    }

    /// Learning rate, steps and batch.
    pub(super) fn pace(self, settings: &EllipticalPanel) -> (f64, usize, usize) {
        let s = settings;
        match self {
            Self::Student => (s.lr_student, s.steps_student, s.batch_student),
            Self::Shell | Self::HalfLogistic => (s.lr, s.steps, s.batch),
            // Even, so that it can be halved between the classes.
            Self::Quarter => (s.lr, s.steps, s.batch / 8 * 2),
        }
    }

    fn record_every(self, settings: &EllipticalPanel) -> usize {
        (self.pace(settings).1 / settings.records).max(1)
    }

    fn task(self, settings: &EllipticalPanel) -> Result<Task, ParamError> {
        let two = settings.two_class();
        let radius = match self {
            Self::Student => Radius::Student,
            Self::Shell | Self::Quarter => Radius::Shell,
            Self::HalfLogistic => Radius::HalfLogistic,
        };
        let class = |xi: f64| {
            let lattice = Lattice::ring(two.n, xi, two.kernel);
            Elliptical { lattice, radius, dof: settings.dof, ..Elliptical::default() }.sampler()
        };
        let (pos, neg) = (class(two.xi_pos)?, class(two.xi_neg)?);
        Task::pair(Box::new(pos), Box::new(neg), 0.0, Labels::Balanced)
    }

    pub(super) fn arm(self, settings: &EllipticalPanel) -> Result<Arm<'static>, ParamError> {
        let (lr, steps, batch) = self.pace(settings);
        Ok(Arm {
            name: self.word().to_owned(),
            task: self.task(settings)?,
            network: committee(1, &activation::relu::ENTRY, Bias::None, settings.init_scale),
            sgd: Sgd::online(lr, batch),
            plan: Plan {
                steps: steps as u64,
                record: Times::Every(self.record_every(settings) as u64),
                checkpoint_every: 0,
                eval_samples: 0,
                probes: &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY],
                loss: &loss::mse::ENTRY,
                precision: settings.precision,
            },
        })
    }
}

/// All runs of one law.
pub(super) struct Shown {
    pub(super) kind: Kind,
    /// Time of every record.
    pub(super) times: Vec<f64>,
    /// `[seed][record]`, trained.
    pub(super) fields: Vec<Vec<Vec<f64>>>,
    /// The same of the closed flow from the same start.
    pub(super) flows: Vec<Vec<Vec<f64>>>,
    /// One weight of the flat state, in closed form.
    pub(super) flat: f64,
}

impl Shown {
    pub(super) fn new(
        settings: &EllipticalPanel,
        kind: Kind,
        trained: &Trained<'_>,
    ) -> Result<Self, LabError> {
        let [pos, neg] = settings.two_class().kernels()?;
        let flow = GaussianFlow { eigs_pos: pos.eigs, eigs_neg: neg.eigs };
        let (lr, steps, _) = kind.pace(settings);
        let (every, factor) = (kind.record_every(settings), kind.factor(settings));
        let fields: Vec<Vec<Vec<f64>>> = trained
            .runs
            .iter()
            .map(|run| run.records.iter().map(|r| r.readings[0][0].clone()).collect())
            .collect();
        let flows = fields
            .iter()
            .map(|fields| scaled_at_records(&flow, &fields[0], factor, (lr, steps, every)))
            .collect();
        let times = trained.runs[0].records.iter().map(|r| r.step as f64 * lr).collect();
        let (a, b) = (flow.eigs_pos[0], flow.eigs_neg[0]);
        let flat = 2.0 * factor * GAUSSIAN * a.sqrt() / ((a + b) * (settings.n as f64).sqrt());
        Ok(Self { kind, times, fields, flows, flat })
    }

    /// What a sinusoid leaves of every run at the end.
    pub(super) fn ends(&self) -> Vec<Left> {
        self.fields.iter().map(|records| left(&records[records.len() - 1])).collect()
    }

    /// The same of the flow.
    pub(super) fn flow_ends(&self) -> Vec<Left> {
        self.flows.iter().map(|records| left(&records[records.len() - 1])).collect()
    }

    /// Relative residuals of the runs at the end.
    pub(super) fn residuals(&self) -> Vec<f64> {
        self.ends().iter().map(Left::relative).collect()
    }

    /// Squared relative residual of every run, mean over the last half of its records: noise soon forgets itself.
    pub(super) fn late_squares(&self) -> Vec<f64> {
        let of = |records: &Vec<Vec<f64>>| {
            let late = &records[records.len() / 2..];
            let squares = late.iter().map(|w| left(w).mse / (left(w).size * left(w).size));
            squares.sum::<f64>() / late.len() as f64
        };
        self.fields.iter().map(of).collect()
    }

    /// Relative residual over time: least, mean and most over runs; and the flow's mean.
    pub(super) fn over_time(&self) -> [Vec<f64>; 4] {
        let at = |runs: &[Vec<Vec<f64>>], r: usize| -> Vec<f64> {
            runs.iter().map(|records| left(&records[r]).relative()).collect()
        };
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
        let records = 0..self.times.len();
        let of = |fold: &dyn Fn(&[f64]) -> f64, runs: &[Vec<Vec<f64>>]| -> Vec<f64> {
            records.clone().map(|r| fold(&at(runs, r))).collect()
        };
        [
            of(&|v| v.iter().copied().fold(f64::INFINITY, f64::min), &self.fields),
            of(&mean, &self.fields),
            of(&|v| v.iter().copied().fold(0.0, f64::max), &self.fields),
            of(&mean, &self.flows),
        ]
    }

    pub(super) fn array(&self) -> Array {
        let rows: Vec<Vec<f64>> = self
            .ends()
            .iter()
            .zip(self.flow_ends())
            .map(|(run, flow)| vec![run.relative(), run.mse, run.size, flow.relative()])
            .collect();
        Array::of_rows(format!("residuals_{}", self.kind.word()), &rows)
    }
}
