//! How near to a sinusoid do fields on elliptical data come, and what is left?
//!
//! The elliptical panel of lufkin2024 shows one field each for a Student law of 3 degrees of freedom, a shell and a radius of its own,
//! `r = 2 + artanh u`, with an offset sinusoid through it and what that leaves. In closed form every elliptical law has the Gaussian flow in units
//! of one constant (L000.11), which ends flat: by the time of the panel nothing is left of any wave. What the panel's sinusoid
//! follows is the slowest mode, which the noise of SGD excites most, and what it leaves is that noise in the other modes: a quarter of
//! the batch must double it, and the flow without noise must have none. A published value outside our runs, or a residual
//! that does not grow with the noise, would falsify it.

mod claims;
mod figure;
pub mod measure;

use fovea_core::params::Schema;
use fovea_desk::prelude::*;
use fovea_desk::published;
use measure::{Column, Kind};

params! {
    /// Settings of `elliptical-panel`.
    pub struct EllipticalPanel {
        /// Ring size: inputs of the network.
        n: usize = 40, between(4.0, 1024.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 3.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Degrees of freedom of the Student law.
        dof: f64 = 3.0, finite_above(2.0), "";
        /// Learning rate on shell and half-logistic data, of the loss with its factor 1/2; the published 0.05 belongs to the loss without it.
        lr: f64 = 0.1, finite_above(0.0), "";
        /// Training steps there.
        steps: usize = 5000, between(1.0, 1e9), "steps";
        /// Fresh samples of a step there; a quarter of them shows what noise does.
        batch: usize = 10_000, between(8.0, 1e8), "samples";
        /// Learning rate on Student data, published as 0.01.
        lr_student: f64 = 0.02, finite_above(0.0), "";
        /// Training steps there.
        steps_student: usize = 10_000, between(1.0, 1e9), "steps";
        /// Fresh samples of a step there; published as 50 000, and 1000 in the program's own notes.
        batch_student: usize = 1000, between(2.0, 1e8), "samples";
        /// Records of a run.
        records: usize = 50, between(2.0, 1e5), "records";
        /// Factor on the Glorot variance 2/(n + 1) of the starts.
        init_scale: f64 = 0.001, between(1e-30, 1e30), "";
        /// Runs of each law; the publication shows one.
        seeds: usize = 8, between(2.0, 1e4), "seeds";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for EllipticalPanel {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        for batch in [self.batch, self.batch_student] {
            check_labels(Labels::Balanced, batch)?;
        }
        check_records(self.records, 1, 8 * self.n * self.seeds)
    }
}

impl EllipticalPanel {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    /// Whether shell and half-logistic runs are the published ones.
    fn as_published(&self) -> bool {
        let free =
            ["seeds", "records", "precision", "batch_student", "steps_student", "lr_student"];
        let own = Self::default().values();
        self.values().iter().zip(own).all(|(a, b)| free.contains(&a.0.as_str()) || *a == b)
    }
}

/// The fields of every law.
pub struct Found(Vec<Column>);

impl Experiment for EllipticalPanel {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "What a sinusoid leaves of fields on elliptical data",
        lead: "By the end of the published runs the flow of elliptical data is flat. The sinusoid drawn through the published fields is the slowest mode, excited by \
               the noise of SGD, and what it leaves is that noise in the other modes: it doubles with a quarter of the batch and is absent from the flow.",
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
        Self {
            n: 12,
            xi_pos: 1.2,
            xi_neg: 0.6,
            batch: 400,
            steps: 2000,
            batch_student: 1000,
            steps_student: 2000,
            lr_student: 0.1,
            seeds: 12,
            ..Self::default()
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let of = |kind: Kind| kind.arm(self).jobs(streams.part(kind.word()), self.seeds);
        Ok(Kind::ALL.into_iter().flat_map(of).collect())
    }

    fn measure<'r>(&self, runs: &'r Runs, _: &Desk<'_>) -> Result<Found, LabError> {
        let of = |kind: Kind| Column::new(self, kind, &runs.group(kind.word()));
        Ok(Found(Kind::ALL.into_iter().map(of).collect::<Result<_, _>>()?))
    }

    fn show<'r>(&self, runs: &'r Runs, Found(columns): &Found) -> Result<Shown, LabError> {
        let rows = claims::published(self, columns)?;
        let mut claims = claims::claims(self, columns)?;
        claims.extend(rows.iter().map(|row| row.claim("published")));
        let (mut summary, mut blocks) = (Vec::new(), Vec::new());
        if !rows.is_empty() {
            summary.extend(published::lines(&rows)?);
            blocks.push(published::table(&rows)?);
        }
        let lines = claims::lines(self, columns)?;
        blocks.push(Block::Code(lines.join("\n")));
        summary.extend(lines);
        let mut arrays = runs.weights();
        arrays.extend(columns.iter().map(Column::array));
        let figures = vec![("elliptical-panel", figure::figure(self, columns))];
        Ok(Shown { arrays, claims, figures, summary, blocks: Some(blocks), ..Shown::default() })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::conducted::<EllipticalPanel>(
    "elliptical-panel",
    "the elliptical panel of lufkin2024: offset sinusoids through fields on Student, shell and half-logistic data, and what they leave",
    "How near to a sinusoid do fields on elliptical data come (L000.11, L003.18)? The flow is flat by the time of the panel, so what the published sinusoids \
     leave must be the noise of SGD: inside the spread of our runs, doubled by a quarter of the batch, absent from the flow. A published value \
     outside our runs would falsify it.",
);
