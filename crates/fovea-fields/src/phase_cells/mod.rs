//! Which fields can one unit between two Ising rings rest in, and at which couplings?
//!
//! A gate on spins is a cell of weights, and a cell that contains its own target `w_c = 2 (C_neg + C_pos)^-1 f_c` holds an end of the flow.
//! For the gate that listens to one site this is the dictator state (L000.39); for a majority of neighbours the target is closed form too
//! (L000.25, L000.35). So the couplings at which each exists can be drawn without running anything, at any ring size; on a small ring all
//! corners of the cube can be asked, and the exact flow started in every cell. Closed forms that differ from the corners, an edge that the corners put
//! elsewhere, or a flow that leaves a cell which should hold it would falsify them. How random starts choose is not in these regions: it is
//! measured by the exact flow.

mod cells;
mod figure;
mod plane;
mod tell;

use cells::Cells;
use fovea_core::params::between;
use fovea_core::{ParamError, Params, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_record::outcome::{Outcome, Series, Status};
use fovea_record::present::{Words, report};
use plane::Plane;

params! {
    /// Settings of `phase-cells`.
    pub struct PhaseCells {
        /// Ring size at which all corners are asked and the exact flow runs.
        n: usize = 14, between(6.0, 16.0), "sites";
        /// Ring size of the closed forms alone.
        n_large: usize = 40, between(6.0, 400.0), "sites";
        /// Sizes of the blocks of neighbours that vote; odd numbers.
        size: Vec<usize> = vec![1, 3, 5, 7], between(1.0, 11.0), "sites";
        /// Weakest and strongest coupling of class `neg`, label 0.
        coupling_neg: Vec<f64> = vec![0.0, 1.2], between(0.0, 3.0), "";
        /// Weakest and strongest coupling of class `pos`, label 1.
        coupling_pos: Vec<f64> = vec![0.0, 2.0], between(0.0, 3.0), "";
        /// Columns of the plane in which random starts are followed.
        columns: usize = 13, between(2.0, 200.0), "";
        /// Its rows.
        rows: usize = 21, between(2.0, 200.0), "";
        /// Random starts at every place of the plane.
        starts: usize = 2, between(1.0, 100.0), "starts";
        /// Factor on the Glorot variance 2/(n + 1) of the starts.
        init_scale: f64 = 0.01, between(1e-12, 1e6), "";
        /// Coupling of class `neg` along which depths are drawn.
        slice: f64 = 0.3, between(0.0, 3.0), "";
    }
}

impl Params for PhaseCells {
    fn check(&self) -> Result<(), ParamError> {
        let wrong = |what: String, hint: &str| {
            Err(ParamError::Inconsistent { what, hint: hint.to_owned() })
        };
        let least = self.n.min(self.n_large);
        if let Some(size) = self.size.iter().find(|size| **size % 2 == 0 || **size > least) {
            let what =
                format!("a block of {size} sites on rings of {} and {}", self.n, self.n_large);
            return wrong(what, "choose odd sizes that fit on both rings");
        }
        for (key, ends) in
            [("coupling_neg", &self.coupling_neg), ("coupling_pos", &self.coupling_pos)]
        {
            if ends.len() != 2 || ends[0] >= ends[1] {
                let what = format!("`{key}` is {ends:?}");
                return wrong(what, "give the weakest and the strongest coupling");
            }
        }
        Ok(())
    }
}

const WORDS: Words<'static> = Words {
    title: "Cells that hold a field",
    lead: "Every gate on spins is a cell of weights; a cell that contains its own target holds an end of the flow. One site can dominate only below a sharp edge in the \
           coupling; majorities of neighbours coexist with it at weak coupling; random starts give up on one site before the edge.",
    caption: figure::CAPTION,
    formulas: &[
        r"w_c=2(C_{-}+C_{+})^{-1}f_c,\qquad \text{depth}=\min_{x}\frac{h_c(x)\,\langle w_c,x\rangle}{\|w_c\|_1}>0\ \Longleftrightarrow\ \text{the cell } c \text{ of the gate } h_c=\pm1 \text{ holds an end}",
    ],
};

impl Experiment for PhaseCells {
    fn quick() -> Self {
        Self { n: 10, columns: 5, rows: 7, starts: 1, size: vec![1, 3, 5], ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        bench.progress.expect((self.columns * self.rows * (self.starts + 1)) as u64);
        let cells = Cells::new(self, bench)?;
        let plane = Plane::new(self, bench)?;
        let stopped = bench.stop.load(std::sync::atomic::Ordering::Relaxed);
        let status = if stopped { Status::Interrupted } else { Status::Completed };
        let claims = cells.claims(self);
        let mut arrays = cells.arrays();
        arrays.push(plane.array());
        let mut summary = cells.summary(self);
        summary.extend(plane.summary(self));
        let figures = vec![("phase-cells", figure::figure(self, &cells, &plane))];
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let series = Series::default();
        Ok(Outcome { status, dtype: "f64", series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<PhaseCells>(
    "phase-cells",
    "couplings of two Ising rings at which one site, or a majority of neighbours, can hold the field of a ReLU unit",
    "Which fields can one unit between two Ising rings rest in, and at which couplings? The target of one dominating site (L000.39) and of a \
     majority of neighbours (L000.25, L000.35) is closed form, and the cell exists where the target agrees with its gate at every corner. \
     Corners that disagree with the closed form, or a flow that leaves such a cell, would falsify it.",
);
