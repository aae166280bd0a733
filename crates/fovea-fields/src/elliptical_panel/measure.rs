//! One distribution: its runs, their closed flow, and the residuals of a sinusoid.

use super::EllipticalPanel;
use fovea_core::vector::extent;
use fovea_desk::elliptical;
use fovea_desk::prelude::*;
use fovea_theory::committee_flow::GAUSSIAN;
use fovea_theory::elliptical::Radial;
use std::f64::consts::TAU;

/// The data of an arm, and how it is trained.
pub(super) struct Case {
    /// The name in records.
    pub(super) word: &'static str,
    /// The name for a reader.
    pub(super) label: &'static str,
    law: Radial,
    pub(super) descent: Descent,
    record_every: usize,
}

impl EllipticalPanel {
    /// Student data, a shell, the publication's own radius, and the shell with a quarter of the batch.
    pub(super) fn cases(&self) -> [Case; 4] {
        let (lr, batch, steps) = (self.lr_student, self.batch_student, self.steps_student);
        let student = Descent { lr, batch, steps, ..self.descent };
        // Even, so that it can be halved between the classes.
        let quarter = Descent { batch: self.descent.batch / 8 * 2, ..self.descent };
        let case = |word, label, law, descent: Descent| {
            let record_every = (descent.steps / self.records).max(1);
            Case { word, label, law, descent, record_every }
        };
        [
            case("student", "Student", Radial::Student { dof: self.dof }, student),
            case("shell", "shell", Radial::Shell, self.descent),
            case("half-logistic", "half-logistic", Radial::HalfLogistic, self.descent),
            case("shell-quarter-batch", "1/4 batch", Radial::Shell, quarter),
        ]
    }
}

impl Case {
    pub(super) fn arm(&self, settings: &EllipticalPanel) -> Arm {
        let probes = &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY];
        Arm {
            name: self.word.to_owned(),
            task: elliptical::spec(&settings.two, self.law),
            network: committee(1, &activation::relu::ENTRY, Bias::None, settings.init_scale),
            pace: Pace::online(self.descent.lr, self.descent.batch),
            plan: self.descent.plan(self.record_every, probes),
        }
    }
}

/// Fields, `[seed][record]`.
type Fields = Vec<Vec<Vec<f64>>>;

/// All runs of one case.
pub(super) struct Column {
    pub(super) case: Case,
    /// Time of every record.
    pub(super) times: Vec<f64>,
    /// As trained.
    pub(super) fields: Fields,
    /// The closed flow from the same starts.
    flows: Fields,
    /// The residual of a sinusoid on every run at the end.
    pub(super) ends: Vec<Left>,
    /// The same on the flow.
    pub(super) flow_ends: Vec<Left>,
    /// One weight of the flat state, in closed form.
    pub(super) flat: f64,
}

impl Column {
    pub(super) fn new(
        settings: &EllipticalPanel,
        case: Case,
        runs: &Group<'_>,
    ) -> Result<Self, LabError> {
        let (two, fields) = (&settings.two, runs.fields());
        let schedule = (case.descent.lr, case.descent.steps, case.record_every);
        let flows = elliptical::flows(two, case.law, &fields, schedule)?;
        let flow = two.gaussian_flow()?;
        let (a, b, factor) =
            (flow.eigs_pos[0], flow.eigs_neg[0], elliptical::factor(case.law, two.n));
        let flat = 2.0 * factor * GAUSSIAN * a.sqrt() / ((a + b) * (two.n as f64).sqrt());
        let ends = |runs: &Fields| -> Vec<Left> {
            runs.iter().map(|records| left(&records[records.len() - 1])).collect()
        };
        let (ends, flow_ends) = (ends(&fields), ends(&flows));
        Ok(Self { case, times: runs.times(), fields, flows, ends, flow_ends, flat })
    }

    /// Relative residuals of the runs at the end.
    pub(super) fn residuals(&self) -> Vec<f64> {
        self.ends.iter().map(Left::relative).collect()
    }

    /// Squared relative residual of every run, mean over the last half of its records: noise decorrelates soon.
    pub(super) fn late_squares(&self) -> Vec<f64> {
        let square = |w: &Vec<f64>| {
            let Left { size, mse } = left(w);
            mse / (size * size)
        };
        let of = |records: &Vec<Vec<f64>>| {
            let late = &records[records.len() / 2..];
            late.iter().map(square).sum::<f64>() / late.len() as f64
        };
        self.fields.iter().map(of).collect()
    }

    /// Relative residual over time: least, mean and most over runs; and the flow's mean.
    pub(super) fn over_time(&self) -> [Vec<f64>; 4] {
        let at = |runs: &Fields, r: usize| -> Vec<f64> {
            runs.iter().map(|records| left(&records[r]).relative()).collect()
        };
        let mut curves: [Vec<f64>; 4] = Default::default();
        for r in 0..self.times.len() {
            let (runs, flows) = (at(&self.fields, r), at(&self.flows, r));
            let [least, most] = extent(&runs);
            let numbers = [least, mean(&runs), most, mean(&flows)];
            curves.iter_mut().zip(numbers).for_each(|(curve, number)| curve.push(number));
        }
        curves
    }

    pub(super) fn array(&self) -> Array {
        let row =
            |(run, flow): (&Left, &Left)| vec![run.relative(), run.mse, run.size, flow.relative()];
        let rows: Vec<Vec<f64>> = self.ends.iter().zip(&self.flow_ends).map(row).collect();
        Array::of_rows(format!("residuals_{}", self.case.word), &rows)
    }
}

/// The residual of the best sinusoid with offset.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    /// Root mean square of the field.
    pub(super) size: f64,
    /// Mean square of the residual.
    pub mse: f64,
}

impl Left {
    /// The residual over the field, in the 2-norm.
    pub fn relative(&self) -> f64 {
        if self.size > 0.0 { self.mse.sqrt() / self.size } else { 0.0 }
    }
}

/// The least-squares sinusoid with an offset, of one period from the first site to the last; the ring has one site more.
///
/// The published fit descends from one period and a phase chosen by eye. At weights of a few hundredths its amplitude and offset
/// find their optimum and its frequency hardly moves, so that the fit has one period.
pub(super) fn fit(w: &[f64]) -> Vec<f64> {
    let wave = |i: usize| libm::sincos(TAU * i as f64 / (w.len() - 1) as f64);
    let columns = [
        vec![1.0; w.len()],
        (0..w.len()).map(|i| wave(i).0).collect::<Vec<f64>>(),
        (0..w.len()).map(|i| wave(i).1).collect(),
    ];
    // Gram-Schmidt: the three are nearly orthogonal, and on this many sites never dependent.
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for mut column in columns {
        for other in &basis {
            let along = dot(&column, other);
            column.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
        }
        let norm = norm(&column);
        basis.push(column.iter().map(|x| x / norm).collect());
    }
    let mut fitted = vec![0.0; w.len()];
    for vector in &basis {
        let along = dot(w, vector);
        fitted.iter_mut().zip(vector).for_each(|(f, v)| *f += along * v);
    }
    fitted
}

/// The residual of the best sinusoid of one period with offset.
pub fn left(w: &[f64]) -> Left {
    let n = w.len() as f64;
    let gap: f64 = w.iter().zip(fit(w)).map(|(w, f)| (w - f) * (w - f)).sum();
    Left { size: (dot(w, w) / n).sqrt(), mse: gap / n }
}
