//! End of the exact flow of one ReLU unit between two Ising rings.
//!
//! ```math
//! \dot w=\tfrac12f(w)-\tfrac14(C_0+C_1)w,\qquad w(\infty)=2(C_0+C_1)^{-1}f_c\ \text{ in its own cell }c
//! ```
//!
//! # Source
//! Derived; claims L000.16, L000.38, L000.39, for the data of lufkin2024.
//!
//! # Symbols
//! * $`w(0)`$: `w`
//! * $`J_1, J_0`$: `coupling_pos`, `coupling_neg`
//! * $`f_c`$: the gated mean in the cell, `cube.f`
//! * `walls`: the number of walls between cells that were crossed
//! * `t`: the time from which the trajectory is certain to stay in its cell
//! * `depth`: $`\min_x|\langle w,x\rangle|/\|w\|_1`$ at the end
//!
//! # Holds when
//! Up to 16 sites here, a start that is not on a wall between cells, and an end that is not within rounding of a wall;
//! refused otherwise. Every end is inside a cell, because walls repel (see `cell_flow`).
//!
//! # Checked by
//! Fine explicit steps, published IPRs and vanishing residuals (`cell_flow`).

use crate::cell_flow::CellFlow;
use crate::cell_walk::Rest;
use crate::form::{Control, Form, FormError, one_entry_per_site, with};
use fovea_core::params::{Schema, between, finite};
use fovea_core::{ParamError, Params, Value, params};

/// The largest number of walls; random starts on 16 sites cross about 30 000.
const MOST_WALLS: usize = 1_000_000;

impl From<Rest> for Value {
    fn from(rest: Rest) -> Self {
        Self::table([
            ("w", Self::reals(&rest.w)),
            ("ipr", rest.ipr().into()),
            ("t", rest.t.into()),
            ("walls", rest.walls.into()),
            ("depth", rest.depth.into()),
        ])
    }
}

/// The end of the flow from the weights `w`.
///
/// ```
/// let end = fovea_theory::ising::rest::rest([0.7, 0.3], &[0.3, 0.11, -0.1, 0.2, 0.05, -0.02])?;
/// let point = fovea_theory::ising::dictator::dictator(6, 0.7, 0.3);
/// assert!((end.ipr() - point.ipr).abs() < 1e-12);
/// # Ok::<(), fovea_theory::FormError>(())
/// ```
///
/// # Errors
/// Too many sites, a start on a wall, or an end within rounding of one. The last happens on even rings at strong couplings, where
/// the corners on which the flat state is balanced have negligible probability.
pub fn rest([coupling_pos, coupling_neg]: [f64; 2], w: &[f64]) -> Result<Rest, FormError> {
    let flow = CellFlow::between_ising(w.len(), coupling_pos, coupling_neg)?;
    Ok(flow.start(w)?.rest(MOST_WALLS)?)
}

params! {
    /// Arguments of `ising.rest`.
    pub struct Args {
        /// Ring size.
        n: usize = 8, between(2.0, 16.0), "sites";
        /// Coupling of class pos, label 1.
        coupling_pos: f64 = 0.7, between(-5.0, 5.0), "";
        /// Coupling of class neg, label 0.
        coupling_neg: f64 = 0.3, between(-5.0, 5.0), "";
        /// Weights at the start, one per site.
        w: Vec<f64> = vec![0.0312, 0.0113, -0.0097, 0.0204, 0.0051, -0.0023, 0.0131, -0.0074], finite(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w", self.w.len(), self.n)
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ising.rest",
    text: include_str!("rest.rs"),
    control: Control {
        what: "note 000 (4): the factor 1/2 before (C0 + C1) w, which halves the weights",
        eval: |given| {
            with(given, |a: Args| {
                let end = rest([a.coupling_pos, a.coupling_neg], &a.w)?;
                let w = end.w.iter().map(|w| 0.5 * w).collect();
                Ok(Rest { w, ..end }.into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| Ok(Value::from(rest([a.coupling_pos, a.coupling_neg], &a.w)?)))
    },
};
