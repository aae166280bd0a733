//! One law: its runs, their closed flow, and what a sinusoid leaves of them.

use super::EllipticalPanel;
use fovea_desk::prelude::*;
use fovea_desk::two_class::scaled_at_records;
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::elliptical::{Elliptical, Radius};
use fovea_theory::GaussianFlow;
use fovea_theory::committee_flow::GAUSSIAN;
use fovea_theory::elliptical::Radial;
use fovea_theory::elliptical::half_mean_abs::half_mean_abs;
use std::f64::consts::TAU;

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

    fn task(self, settings: &EllipticalPanel) -> Arc<TaskSpec> {
        let two = settings.two_class();
        let radius = match self {
            Self::Student => Radius::Student,
            Self::Shell | Self::Quarter => Radius::Shell,
            Self::HalfLogistic => Radius::HalfLogistic,
        };
        let class = |xi: f64| {
            let lattice = Lattice::ring(two.n, xi, two.kernel);
            let law = Elliptical { lattice, radius, dof: settings.dof, ..Elliptical::default() };
            Item::of("elliptical", &law)
        };
        Arc::new(TaskSpec::pair(class(two.xi_pos), class(two.xi_neg), 0.0, Labels::Balanced))
    }

    pub(super) fn arm(self, settings: &EllipticalPanel) -> Arm {
        let (lr, steps, batch) = self.pace(settings);
        let probes = &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY];
        let times = Times::Every(self.record_every(settings) as u64);
        Arm {
            name: self.word().to_owned(),
            task: self.task(settings),
            network: committee(1, &activation::relu::ENTRY, Bias::None, settings.init_scale),
            pace: Pace::online(lr, batch),
            plan: Plan { precision: settings.precision, ..Plan::new(steps, times, probes) },
        }
    }
}

/// All runs of one law.
pub(super) struct Column {
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

impl Column {
    pub(super) fn new(
        settings: &EllipticalPanel,
        kind: Kind,
        trained: &Group<'_>,
    ) -> Result<Self, LabError> {
        let [pos, neg] = settings.two_class().kernels()?;
        let flow = GaussianFlow { eigs_pos: pos.eigs, eigs_neg: neg.eigs };
        let (lr, steps, _) = kind.pace(settings);
        let (every, factor) = (kind.record_every(settings), kind.factor(settings));
        let fields = |run: &&Trained| -> Vec<Vec<f64>> {
            run.readings(&probe::weights::ENTRY).iter().map(|units| units[0].clone()).collect()
        };
        let fields: Vec<Vec<Vec<f64>>> = trained.runs.iter().map(fields).collect();
        let flows = fields
            .iter()
            .map(|fields| scaled_at_records(&flow, &fields[0], factor, (lr, steps, every)))
            .collect();
        let times = trained.runs[0].records().iter().map(|record| record.time).collect();
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
            of(&least, &self.fields),
            of(&mean, &self.fields),
            of(&most, &self.fields),
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

pub(super) fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

pub(super) fn most(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(0.0, f64::max)
}

/// What an offset sinusoid leaves of a field.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    /// Root mean square of the field.
    pub(super) size: f64,
    /// Mean square of what is left.
    pub mse: f64,
}

impl Left {
    /// What is left over the field, in the 2-norm.
    pub fn relative(&self) -> f64 {
        if self.size > 0.0 { self.mse.sqrt() / self.size } else { 0.0 }
    }
}

/// The least-squares sinusoid with an offset, of `periods` periods from the first site to the last; the ring has one site more.
///
/// The published fit descends from one period and a phase chosen by eye. At weights of a few hundredths its amplitude and offset
/// find their optimum and its frequency hardly moves, so that one period it is.
pub(super) fn fit(w: &[f64], periods: f64) -> Vec<f64> {
    let wave = |i: usize| libm::sincos(TAU * periods * i as f64 / (w.len() - 1) as f64);
    let columns = [
        vec![1.0; w.len()],
        (0..w.len()).map(|i| wave(i).0).collect::<Vec<f64>>(),
        (0..w.len()).map(|i| wave(i).1).collect(),
    ];
    // Gram-Schmidt: the three are nearly orthogonal, and on so many sites never dependent.
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for mut column in columns {
        for other in &basis {
            let along = dot(&column, other);
            column.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
        }
        let norm = dot(&column, &column).sqrt();
        basis.push(column.iter().map(|x| x / norm).collect());
    }
    let mut fitted = vec![0.0; w.len()];
    for vector in &basis {
        let along = dot(w, vector);
        fitted.iter_mut().zip(vector).for_each(|(f, v)| *f += along * v);
    }
    fitted
}

/// What the best offset sinusoid of one period leaves.
pub fn left(w: &[f64]) -> Left {
    let n = w.len() as f64;
    let gap: f64 = w.iter().zip(fit(w, 1.0)).map(|(w, f)| (w - f) * (w - f)).sum();
    Left { size: (w.iter().map(|w| w * w).sum::<f64>() / n).sqrt(), mse: gap / n }
}
