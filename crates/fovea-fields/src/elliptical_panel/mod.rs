//! How close are fields on elliptical data to a sinusoid, and what is the residual?
//!
//! The elliptical panel of lufkin2024 shows one field each for a Student distribution of 3 degrees of freedom, a shell and a radius of its own,
//! `r = 2 + artanh u`, with a fitted sinusoid with offset and its residual. In closed form every elliptical distribution has the Gaussian flow in units
//! of one constant (L000.11), which ends flat: by the time of the panel no wave is left. The panel's sinusoid
//! fits the slowest mode, which the noise of SGD excites most, and its residual is that noise in the other modes: a quarter of
//! the batch must double it, and the flow without noise must have none. A published value outside our runs, or a residual
//! that does not grow with the noise, would falsify it.
//!
//! `lr`, `steps` and `batch` belong to shell and half-logistic data, where a quarter of the batch shows the effect of noise; the published rate 0.05
//! belongs to the loss without its factor 1/2.

mod claims;
mod figure;
pub mod measure;

use fovea_desk::prelude::*;
use fovea_desk::published;
use measure::{Case, Column};

params! {
    /// Settings of `elliptical-panel`.
    pub struct EllipticalPanel {
        ..two: TwoClass { xi_pos = 3.0; n = 40, between(4.0, 1024.0) };
        ..descent: Descent { lr = 0.1; batch = 10_000, between(8.0, 1e8) };
        /// Degrees of freedom of the Student distribution.
        dof: f64 = 3.0, finite_above(2.0), "";
        /// Learning rate on Student data, published as 0.01.
        lr_student: f64 = 0.02, finite_above(0.0), "";
        /// Training steps on Student data.
        steps_student: usize = 10_000, between(1.0, 1e9), "steps";
        /// Fresh samples per step on Student data; published as 50 000, and 1000 in the program's own notes.
        batch_student: usize = 1000, between(2.0, 1e8), "samples";
        /// Records per run.
        records: usize = 50, between(2.0, 1e5), "records";
        /// Factor on the Glorot variance 2/(n + 1) of the starts.
        init_scale: f64 = 0.001, between(1e-30, 1e30), "";
        /// Runs per distribution; the publication shows one.
        seeds: usize = 8, between(2.0, 1e4), "seeds";
    }
}

impl Params for EllipticalPanel {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        for batch in [self.descent.batch, self.batch_student] {
            check_labels(Labels::Balanced, batch)?;
        }
        check_records(self.records, 1, 8 * self.two.n * self.seeds)
    }
}

/// The fields of every case.
pub struct Found([Column; 4]);

impl Experiment for EllipticalPanel {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Residuals of a sinusoid on elliptical data",
        lead: "By the end of the published runs the flow of elliptical data is flat. The sinusoid fitted to the published fields is the slowest mode, excited by \
               the noise of SGD, and its residual is that noise in the other modes: it doubles with a quarter of the batch and is absent from the flow.",
        caption: figure::CAPTION,
        formulas: &[
            r"f(w)=c\,\frac{C_{+}w}{\sqrt{w^\top C_{+}w}},\qquad w_{\mathrm{flat}}=\frac{2c}{\sqrt n}\,\frac{\sqrt{\lambda^{+}_0}}{\lambda^{+}_0+\lambda^{-}_0},\qquad \dot u_k=-\tfrac14\Big(\lambda^{-}_k-\frac{\lambda^{-}_0}{\lambda^{+}_0}\lambda^{+}_k\Big)u_k\ \text{ around it}",
        ],
    };

    const FULL: Option<Full<Self>> = Some(Full {
        settings: || Self { batch_student: claims::PUBLISHED_BATCH, ..Self::default() },
        takes: "three minutes",
    });

    fn quick() -> Self {
        let base = Self::default();
        Self {
            two: TwoClass { n: 12, xi_pos: 1.2, xi_neg: 0.6, ..base.two },
            descent: Descent { batch: 400, steps: 2000, ..base.descent },
            steps_student: 2000,
            lr_student: 0.1,
            seeds: 12,
            ..base
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let of = |case: &Case| case.arm(self).jobs(streams.part(case.word), self.seeds);
        Ok(self.cases().iter().flat_map(of).collect())
    }

    fn measure(&self, runs: &Runs, _: &Desk<'_>) -> Result<Found, LabError> {
        let of = |case: Case| {
            let group = runs.group(case.word);
            Column::new(self, case, &group)
        };
        let [student, shell, half_logistic, quarter] = self.cases().map(of);
        Ok(Found([student?, shell?, half_logistic?, quarter?]))
    }

    fn show(&self, runs: &Runs, Found(columns): &Found) -> Result<Shown, LabError> {
        let rows = claims::published(self, columns)?;
        let mut claims = claims::claims(columns)?;
        claims.extend(rows.iter().filter_map(|row| row.open(claims::ID)));
        let mut tables = claims::tables(self, columns)?;
        if !rows.is_empty() {
            tables.push(published::table(&rows));
        }
        let mut arrays = runs.weights();
        arrays.extend(columns.iter().map(Column::array));
        let figures = vec![("elliptical-panel", figure::figure(self, columns))];
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<EllipticalPanel>(
    "elliptical-panel",
    "the elliptical panel of lufkin2024: sinusoids with offset fitted to fields on Student, shell and half-logistic data, and their residuals",
    include_str!("mod.rs"),
);
