//! What is claimed of gated means and influences, what is kept of them, and what a person reads.

use super::HypercubeBumps;
use super::measure::{Bumps, Case, Influence, largest};
use fovea_desk::prelude::*;

pub(super) fn means(estimates: &[Estimate]) -> Vec<f64> {
    estimates.iter().map(Estimate::mean).collect()
}

impl Bumps {
    pub(super) fn claims(&self) -> Vec<Claim> {
        let claim = |case: &Case| {
            let statement = format!("gated mean of sign data at {}, at every site", case.name);
            let pairs = |values: &[f64]| -> Vec<(Estimate, f64)> {
                case.sampled.iter().copied().zip(values.iter().copied()).collect()
            };
            let claim = Claim::family(case.id?, statement, &pairs(&case.exact));
            // Where one bump decides, extracting it is right and only the note's constant is wrong.
            Some(if case.id == Some("L000.25") {
                claim.rejecting("the maximum extracted", &pairs(&case.extracted))
            } else {
                claim.rejecting("the note's form", &pairs(&case.note))
            })
        };
        self.cases.iter().filter_map(claim).collect()
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let rows = |of: &dyn Fn(&Case) -> Vec<f64>| -> Vec<Vec<f64>> {
            self.cases.iter().chain(&self.sweep).map(of).collect()
        };
        vec![
            Array::of_rows("f_exact", &rows(&|case| case.exact.clone())),
            Array::of_rows("f_sampled", &rows(&|case| means(&case.sampled))),
        ]
    }

    pub(super) fn summary(&self, settings: &HypercubeBumps) -> Vec<String> {
        let mut lines =
            vec![format!("{:>40} {:>14} {:>12}", "field", "largest weight", "f peaks at")];
        for case in &self.cases {
            let heaviest = case.sites[largest(&case.heights)] as i64 - settings.n as i64 / 2;
            let peak = largest(&case.exact) as i64 - settings.n as i64 / 2;
            lines.push(format!("{:>40} {heaviest:>+14} {peak:>+12}", case.name));
        }
        lines
    }
}

impl Influence {
    pub(super) fn claim(&self) -> Claim {
        let pairs = |value: &dyn Fn(usize, usize) -> f64| -> Vec<(Estimate, f64)> {
            let rows = self.sampled.iter().enumerate();
            rows.flat_map(|(i, row)| {
                row.iter().enumerate().map(move |(j, estimate)| (i, j, *estimate))
            })
            .map(|(i, j, estimate)| (estimate, value(i, j)))
            .collect()
        };
        let statement = "influence of every weight as one of them grows past the sum of the others";
        let all_or_nothing = |_: usize, j: usize| if j == 0 { 1.0 } else { 0.0 };
        Claim::family("L000.49", statement, &pairs(&|i, j| self.exact[i][j]))
            .rejecting("all or nothing", &pairs(&all_or_nothing))
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        vec![
            Array::of_entries("influence_first", &self.first),
            Array::of_rows("influence_exact", &self.exact),
            Array::of_rows(
                "influence_sampled",
                &self.sampled.iter().map(|row| means(row)).collect::<Vec<_>>(),
            ),
        ]
    }

    pub(super) fn line(&self) -> String {
        let values = self.first.iter().zip(&self.exact);
        let line: Vec<String> =
            values.map(|(first, row)| format!("{first}: {:.3}", row[0])).collect();
        format!(
            "influence of the growing weight (others add up to {}): {}",
            self.rest,
            line.join(", ")
        )
    }
}
