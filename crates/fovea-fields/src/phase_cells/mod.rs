//! In which fields can one unit between two Ising rings come to rest, and at which couplings?
//!
//! A gate on spins is a cell of weights, and a cell that contains its own target `w_c = 2 (C_neg + C_pos)^-1 f_c` has a fixed point of the flow.
//! For the gate of a single site this is the dictator state (L000.39); for a majority of neighbours the target has a closed form too
//! (L000.25, L000.35). So the couplings at which each exists are known without any simulation, at any ring size; on a small ring they are
//! compared with an enumeration of all corners of the cube, and with the exact flow from a start in every cell. Closed forms that differ from the
//! corners, in depths or in the edge, or a flow that leaves a cell which should hold it would falsify them. Which fixed point random starts reach does not
//! follow from these regions: it is measured by the exact flow.

mod claims;
mod figure;
mod measure;

use fovea_desk::prelude::*;
use measure::Found;

params! {
    /// Settings of `phase-cells`.
    pub struct PhaseCells {
        /// Ring size at which all corners are enumerated and the exact flow runs.
        n: usize = 14, between(6.0, 16.0), "sites";
        /// Ring size of the closed forms, without corners and flow.
        n_large: usize = 40, between(6.0, 400.0), "sites";
        /// Sizes of the blocks of neighbours that vote; odd numbers.
        size: Vec<usize> = vec![1, 3, 5, 7], between(1.0, 11.0), "sites";
        /// Weakest and strongest coupling of class `neg`, label 0.
        coupling_neg: Vec<f64> = vec![0.0, 1.2], between(0.0, 3.0), "";
        /// Weakest and strongest coupling of class `pos`, label 1.
        coupling_pos: Vec<f64> = vec![0.0, 2.0], between(0.0, 3.0), "";
        /// Number of couplings of class `neg` at which random starts are followed.
        columns: usize = 13, between(2.0, 200.0), "";
        /// Number of couplings of class `pos` at which random starts are followed.
        rows: usize = 21, between(2.0, 200.0), "";
        /// Random starts per pair of couplings.
        starts: usize = 2, between(1.0, 100.0), "starts";
        /// Factor on the Glorot variance 2/(n + 1) of the starts.
        init_scale: f64 = 0.01, between(1e-12, 1e6), "";
        /// Coupling of class `neg` at which depths are shown along class `pos`.
        slice: f64 = 0.3, between(0.0, 3.0), "";
    }
}

impl Params for PhaseCells {
    fn check(&self) -> Result<(), ParamError> {
        let (n, n_large, least) = (self.n, self.n_large, self.n.min(self.n_large));
        if let Some(size) = self.size.iter().find(|size| **size % 2 == 0 || **size > least) {
            let what = format!("a block of {size} sites on rings of {n} and {n_large}");
            return refuse(what, "choose odd sizes that fit on both rings");
        }
        let keys = [("coupling_neg", &self.coupling_neg), ("coupling_pos", &self.coupling_pos)];
        for (key, ends) in keys {
            if ends.len() != 2 || ends[0] >= ends[1] {
                let what = format!("`{key}` is {ends:?}");
                return refuse(what, "give the weakest and the strongest coupling");
            }
        }
        Ok(())
    }
}

impl PhaseCells {
    /// Every place of the plane: couplings of class pos and neg, row after row.
    fn points(&self) -> Vec<[f64; 2]> {
        let across = ladder(&self.coupling_neg, self.columns - 1);
        let up = ladder(&self.coupling_pos, self.rows - 1);
        up.iter().flat_map(|pos| across.iter().map(move |neg| [*pos, *neg])).collect()
    }
}

impl Experiment for PhaseCells {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Cells that hold a field",
        lead: "Every gate on spins is a cell of weights; a cell that contains its own target has a fixed point of the flow. One site can dominate only below a sharp edge in the \
               coupling; majorities of neighbours coexist with it at weak coupling; random starts stop ending on one site before the edge.",
        caption: figure::CAPTION,
        formulas: &[
            r"w_c=2(C_{-}+C_{+})^{-1}f_c,\qquad \text{depth}=\min_{x}\frac{h_c(x)\,\langle w_c,x\rangle}{\|w_c\|_1}>0\ \Longleftrightarrow\ \text{the cell } c \text{ of the gate } h_c=\pm1 \text{ has a fixed point}",
        ],
    };

    fn quick() -> Self {
        Self { n: 10, columns: 5, rows: 7, starts: 1, size: vec![1, 3, 5], ..Self::default() }
    }

    fn parts(&self) -> u64 {
        (2 * self.size.len() + self.columns * self.rows * (self.starts + 1)) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        Found::new(self, desk)
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: found.arrays(),
            claims: claims::claims(self, found),
            figures: vec![("phase-cells", figure::figure(self, found))],
            tables: claims::tables(self, found),
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<PhaseCells>(
    "phase-cells",
    "couplings of two Ising rings at which one site, or a majority of neighbours, can hold the field of a ReLU unit",
    include_str!("mod.rs"),
);
