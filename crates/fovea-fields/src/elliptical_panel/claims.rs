//! Published numbers compared with ours, claims and tables.

use super::EllipticalPanel;
use super::measure::{Column, Left};
use fovea_core::params::Schema;
use fovea_core::vector::extent;
use fovea_desk::prelude::*;
use fovea_desk::published::Published;
use fovea_record::bound::one_sided;

/// The id of its claims: none of them is a clause of the catalogue.
pub(super) const ID: &str = "elliptical-panel";

/// The published relative residuals and mean squares, one run each: Student, shell, half-logistic.
pub(super) const PRINTED: [[f64; 2]; 3] = [[0.0977, 2.89e-4], [0.0375, 2.43e-6], [0.0414, 2.71e-6]];

/// Samples per step on Student data in the publication.
pub(super) const PUBLISHED_BATCH: usize = 50_000;

pub(super) fn claims(
    [student, shell, half_logistic, quarter]: &[Column; 4],
) -> Result<Vec<Claim>, LabError> {
    let mut claims = Vec::new();
    for column in [shell, half_logistic, student] {
        let pairs = column.ends.iter().zip(&column.flow_ends);
        let shares: Vec<f64> = pairs.map(|(run, flow)| flow.relative() / run.relative()).collect();
        let statement = format!(
            "{}: residual of a sinusoid on the flow without noise at the end, over that on the run from the same start: below 1/2",
            column.case.label
        );
        claims.push(one_sided(ID, statement, Estimate::from_samples(&shares)?, 0.5, false));
    }
    claims.push(is_noise(shell, quarter)?);
    Ok(claims)
}

/// The residual is noise: its mean square is in proportion to one over the batch.
fn is_noise(full: &Column, quarter: &Column) -> Result<Claim, LabError> {
    let ours = Estimate::from_samples(&quarter.late_squares())?;
    let theirs = Estimate::from_samples(&full.late_squares())?;
    let ratio = full.case.descent.batch as f64 / quarter.case.descent.batch as f64;
    let gap = Estimate::combination(&[(1.0, ours), (-ratio, theirs)])?;
    let same = Estimate::combination(&[(1.0, ours), (-1.0, theirs)])?;
    let statement = "shell: squared relative residual in the second half of training at a quarter of the batch is four times that at the whole batch";
    let mut claim = Claim::family(ID, statement, &[(gap, 0.0)]);
    (claim.predicted, claim.measured) = (ratio * theirs.mean(), ours.mean());
    claim.resolution = (claim.limit * gap.se() + gap.mean().abs()) / claim.predicted;
    let wrong = "a residual that does not depend on the batch";
    Ok(claim.rejecting(wrong, &[(same, 0.0)]).only_as_stated())
}

/// The rms of the field that a published relative residual and mean square imply.
fn implied([relative, mse]: [f64; 2]) -> f64 {
    mse.sqrt() / relative
}

fn sizes(column: &Column) -> Vec<f64> {
    column.ends.iter().map(|end| end.size).collect()
}

pub(super) fn published(
    settings: &EllipticalPanel,
    all: &[Column; 4],
) -> Result<Vec<Published>, LabError> {
    let mut rows = Vec::new();
    if !settings.as_published() {
        return Ok(rows);
    }
    // Student comes first.
    let first = usize::from(!settings.student_as_published());
    for (column, printed) in all.iter().zip(PRINTED).skip(first) {
        let (label, [relative, mse]) = (column.case.label, printed);
        let what = format!("{label}: relative residual");
        rows.push(Published::one_run(what, relative, &column.residuals())?);
        let squares: Vec<f64> = column.ends.iter().map(|end| end.mse).collect();
        let row = Published::one_run(format!("{label}: mean square residual"), mse, &squares)?;
        rows.push(row.because(format!(
            "with the relative residual {relative} it implies a field of rms {:.3}, and fields here have {:.3}, {:.4} where flat: the two numbers are not from one run at these settings",
            implied(printed),
            mean(&sizes(column)),
            column.flat
        )));
    }
    let flat = |records: &Vec<Vec<f64>>| mean(&records[records.len() - 1]).abs();
    let flat: Vec<f64> = all[1].fields.iter().map(flat).collect();
    // "flat at 0.041": half a unit of the last digit.
    let ours = Estimate::from_samples(&flat)?;
    rows.push(Published::range("shell: mean weight of the flat state", (0.041, 5e-4), ours));
    Ok(rows)
}

pub(super) fn tables(
    settings: &EllipticalPanel,
    all: &[Column; 4],
) -> Result<Vec<Table>, LabError> {
    let mut rows = Vec::new();
    for column in all {
        let residuals = column.residuals();
        rows.push((column, estimate(residuals.iter().copied())?, extent(&residuals)));
    }
    let flow =
        |column: &Column| -> Vec<f64> { column.flow_ends.iter().map(Left::relative).collect() };
    let residuals = Table::of("residuals", &rows)
        .words("data", |row| row.0.case.label)
        .estimate("relative_residual", 4, |row| row.1)
        .real("least", 4, |row| row.2[0])
        .real("most", 4, |row| row.2[1])
        .digits("flow_residual", 3, |row| mean(&flow(row.0)))
        .real("rms", 5, |row| mean(&sizes(row.0)))
        .real("flat", 5, |row| row.0.flat)
        .real("time", 0, |row| row.0.times[row.0.times.len() - 1])
        .caption(
            "Residual of the fitted sinusoid with offset, relative to the field at the end: mean, least and most over runs, and mean over \
             the flows without noise from the same starts; root mean square of the field, and of the flat state.",
        );
    let printed: Vec<(&Column, [f64; 2])> = all.iter().zip(PRINTED).collect();
    let printed = Table::of("printed", &printed)
        .words("data", |row| row.0.case.label)
        .given("relative_residual", |row| row.1[0])
        .given("mean_square", |row| row.1[1])
        .real("rms", 4, |row| implied(row.1))
        .caption("Published relative residual and mean square residual, and the root mean square of the field that they imply together.");
    let mut tables = vec![residuals, printed];
    if !settings.student_as_published() {
        let scaled =
            [(settings.batch_student, 1.0), (PUBLISHED_BATCH, settings.to_published_batch())];
        let [least, most] = rows[0].2;
        tables.push(
            Table::of("student_batch", &scaled)
                .whole("batch", |row| row.0)
                .real("least", 3, |row| least * row.1)
                .real("most", 3, |row| most * row.1)
                .caption(
                    "Residuals on Student data here, and what they would be at the published batch, which --full takes: gradients \
                     have the tail index dof/2, so that their noise falls as batch^(2/dof - 1).",
                ),
        );
    }
    Ok(tables)
}

impl EllipticalPanel {
    /// Whether shell and half-logistic runs are the published ones.
    pub(super) fn as_published(&self) -> bool {
        let free =
            ["seeds", "records", "precision", "batch_student", "steps_student", "lr_student"];
        let own = Self::default().values();
        self.values().iter().zip(own).all(|(a, b)| free.contains(&a.0.as_str()) || *a == b)
    }

    /// Whether the Student runs are the published ones too.
    fn student_as_published(&self) -> bool {
        let own = Self::default();
        let time = |s: &Self| (s.lr_student, s.steps_student);
        self.as_published() && self.batch_student == PUBLISHED_BATCH && time(self) == time(&own)
    }

    /// The factor of the noise of Student gradients from this batch to the published one: sums of numbers without a
    /// variance grow as `count^(2/dof)`, those with one as its root.
    fn to_published_batch(&self) -> f64 {
        let power = (2.0 / self.dof).max(0.5) - 1.0;
        libm::pow(PUBLISHED_BATCH as f64 / self.batch_student as f64, power)
    }
}
