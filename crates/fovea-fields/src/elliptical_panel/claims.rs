//! Published numbers beside ours, claims and lines.

use super::EllipticalPanel;
use super::measure::{Column, Kind, Left, least, most};
use fovea_desk::prelude::*;
use fovea_desk::published::Published;
use fovea_record::bound::one_sided;

/// The published relative residuals and mean squares, one run each.
pub(super) const PRINTED: [(Kind, f64, f64); 3] = [
    (Kind::Student, 0.0977, 2.89e-4),
    (Kind::Shell, 0.0375, 2.43e-6),
    (Kind::HalfLogistic, 0.0414, 2.71e-6),
];

pub(super) fn of(all: &[Column], kind: Kind) -> &Column {
    all.iter().find(|column| column.kind == kind).expect("a column of every law")
}

pub(super) fn claims(settings: &EllipticalPanel, all: &[Column]) -> Result<Vec<Claim>, LabError> {
    let mut claims = Vec::new();
    for kind in [Kind::Shell, Kind::HalfLogistic, Kind::Student] {
        let column = of(all, kind);
        let pairs = column.ends().into_iter().zip(column.flow_ends());
        let shares: Vec<f64> = pairs.map(|(run, flow)| flow.relative() / run.relative()).collect();
        let statement = format!(
            "{}: what a sinusoid leaves of the flow without noise at the end, over what it leaves of the run from the same start: below 1/2",
            kind.label()
        );
        claims.push(one_sided("L003.18", statement, Estimate::from_samples(&shares)?, 0.5, false));
    }
    claims.push(is_noise(settings, of(all, Kind::Shell), of(all, Kind::Quarter))?);
    Ok(claims)
}

/// What is left is noise: its mean square is in proportion to one over the batch.
fn is_noise(
    settings: &EllipticalPanel,
    full: &Column,
    quarter: &Column,
) -> Result<Claim, LabError> {
    let ours = Estimate::from_samples(&quarter.late_squares())?;
    let theirs = Estimate::from_samples(&full.late_squares())?;
    let ratio = full.kind.pace(settings).2 as f64 / quarter.kind.pace(settings).2 as f64;
    let gap = Estimate::combination(&[(1.0, ours), (-ratio, theirs)])?;
    let same = Estimate::combination(&[(1.0, ours), (-1.0, theirs)])?;
    let statement = "shell: squared relative residual in the second half of training at a quarter of the batch is four times that of the whole one";
    let mut claim = Claim::family("published", statement, &[(gap, 0.0)]);
    (claim.predicted, claim.measured) = (ratio * theirs.mean(), ours.mean());
    claim.resolution = (claim.limit * gap.se() + gap.mean().abs()) / claim.predicted;
    Ok(claim.rejecting("a residual that does not depend on the batch", &[(same, 0.0)]))
}

/// The rms of the field that a printed relative residual and mean square belong to.
fn implied(relative: f64, mse: f64) -> f64 {
    mse.sqrt() / relative
}

pub(super) fn published(
    settings: &EllipticalPanel,
    all: &[Column],
) -> Result<Vec<Published>, LabError> {
    let mut rows = Vec::new();
    if !settings.as_published() {
        return Ok(rows);
    }
    for (kind, relative, mse) in PRINTED {
        let column = of(all, kind);
        if kind == Kind::Student && !settings.student_as_published() {
            continue;
        }
        let ends = column.ends();
        let each = |of: fn(&Left) -> f64| -> Vec<f64> { ends.iter().map(of).collect() };
        let label = kind.label();
        let what = format!("{label}: relative residual");
        rows.push(Published::one_run(what, relative, &each(Left::relative))?);
        let row =
            Published::one_run(format!("{label}: mean square left"), mse, &each(|end| end.mse))?;
        rows.push(row.because(format!(
            "with the relative residual {relative} it belongs to a field of rms {:.3}, and fields here have {:.3}, {:.4} where flat: the two numbers are not of one run at these settings",
            implied(relative, mse),
            each(|end| end.size).iter().sum::<f64>() / ends.len() as f64,
            column.flat
        )));
    }
    let flat = |records: &Vec<Vec<f64>>| {
        let last = &records[records.len() - 1];
        last.iter().sum::<f64>().abs() / last.len() as f64
    };
    let flat: Vec<f64> = of(all, Kind::Shell).fields.iter().map(flat).collect();
    // "flat at 0.041": half a unit of the last digit.
    rows.push(Published::range(
        "shell: mean weight of the flat state",
        (0.041, 5e-4),
        Estimate::from_samples(&flat)?,
    ));
    Ok(rows)
}

pub(super) fn lines(settings: &EllipticalPanel, all: &[Column]) -> Result<Vec<String>, LabError> {
    let mut lines = vec![format!(
        "{:<18} {:>19} {:>9} {:>9} {:>12} {:>9} {:>9} {:>8}",
        "", "relative residual", "least", "most", "of the flow", "rms", "flat", "time"
    )];
    for column in all {
        let residuals = column.residuals();
        let mean = Estimate::from_samples(&residuals)?;
        let flow: Vec<f64> = column.flow_ends().iter().map(Left::relative).collect();
        let sizes: Vec<f64> = column.ends().iter().map(|end| end.size).collect();
        let average = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
        lines.push(format!(
            "{:<18} {:>19} {:>9.4} {:>9.4} {:>12.2e} {:>9.5} {:>9.5} {:>8.0}",
            column.kind.label(),
            format!("{:.4}+-{:.4}", mean.mean(), mean.se()),
            least(&residuals),
            most(&residuals),
            average(&flow),
            average(&sizes),
            column.flat,
            column.times[column.times.len() - 1]
        ));
    }
    for (kind, relative, mse) in PRINTED {
        lines.push(format!(
            "{}: the printed residual {relative} and mean square {mse:.2e} are of a field of rms {:.4}",
            kind.label(),
            implied(relative, mse)
        ));
    }
    if !settings.student_as_published() {
        let residuals = of(all, Kind::Student).residuals();
        let (least, most) = (least(&residuals), most(&residuals));
        let change = settings.to_published_batch();
        lines.push(format!(
            "Student: published at batch {PUBLISHED_BATCH}, which --full takes; gradients have the tail index dof/2, so that their noise falls as batch^(2/dof - 1), \
             and the residuals here ({least:.3}..{most:.3} at batch {}) would be {:.3}..{:.3} there",
            settings.batch_student,
            least * change,
            most * change
        ));
    }
    Ok(lines)
}

/// Samples of a step on Student data in the publication.
pub(super) const PUBLISHED_BATCH: usize = 50_000;

impl EllipticalPanel {
    /// Whether the Student runs are the published ones too.
    fn student_as_published(&self) -> bool {
        let own = Self::default();
        let time = |s: &Self| (s.lr_student, s.steps_student);
        self.as_published() && self.batch_student == PUBLISHED_BATCH && time(self) == time(&own)
    }

    /// What the noise of Student gradients changes by from this batch to the published one: sums of numbers without a
    /// variance grow as `count^(2/dof)`, those with one as its root.
    fn to_published_batch(&self) -> f64 {
        let power = (2.0 / self.dof).max(0.5) - 1.0;
        libm::pow(PUBLISHED_BATCH as f64 / self.batch_student as f64, power)
    }
}
