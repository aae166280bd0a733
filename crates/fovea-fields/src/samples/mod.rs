//! What do the data look like, and what does the gain change?
//!
//! Figure 1 of the third note: samples of the two classes, here with the same latent field at every gain. Its first footnote
//! says that the correlation length sets the number of zero crossings and the gain does not. That is exact (L002.2):
//! a sample and its latent field share their signs, and the mean number of sign changes around the ring is
//! `n arccos(r_1) / pi`, 9.0 and 18.0 at the figure's lengths (L002.25). The second footnote says that a large gain
//! makes heavy tails; they are light (L002.3). A mean count beyond its limit of standard errors, one field whose count
//! depends on the gain, or a kurtosis above 0 would falsify the three.

mod claims;
mod counts;
mod figure;

use counts::Counted;
use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::two_class::{TwoClass, check_gains};
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::Watch;
use fovea_sim::train::Precision;

params! {
    /// Settings of `samples`.
    pub struct Samples {
        /// Ring size: entries of a sample.
        n: usize = 400, between(3.0, 4096.0), "sites";
        /// Correlation length of class `pos`.
        xi_pos: f64 = 20.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`.
        xi_neg: f64 = 10.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gains to compare, from Gaussian (towards 0) to binary (`inf`).
        gain: Vec<f64> = vec![0.01, 1.0, 3.0, 100.0], above(0.0), "";
        /// Samples of each class in the figure.
        shown: usize = 3, between(1.0, 6.0), "samples";
        /// Samples of each class that are counted.
        samples: usize = 1_000_000, between(100.0, 1e8), "samples";
        /// Number type of sampling.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for Samples {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_gains(&self.gain)
    }
}

impl Samples {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    /// The two classes with their lengths, `pos` first.
    fn classes(&self) -> [(&'static str, f64); 2] {
        [("pos", self.xi_pos), ("neg", self.xi_neg)]
    }
}

const WORDS: Words<'static> = Words {
    title: "Samples of the two classes",
    lead: "The correlation length sets how often a sample changes its sign around the ring; the gain only squashes what lies \
           between the zeros, from a smooth field to plateaus, and takes the tails away.",
    caption: figure::CAPTION,
    formulas: &[
        r"x_i = \frac{\mathrm{erf}(g z_i)}{\sqrt{\mathcal{Z}(g)}}, \qquad \mathbb{E}\, z_i z_j = r_{ij} = e^{-d(i,j)^2/\xi^2}",
        r"\mathbb{E}\,\#\{i : x_i x_{i+1} < 0\} = \frac{n}{\pi}\arccos r_1 \quad\text{at every gain}",
    ],
};

impl Experiment for Samples {
    fn quick() -> Self {
        Self { samples: 100_000, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let mut classes = Vec::new();
        bench.progress.expect(2 * counts::chunks(self.samples) as u64);
        for (name, xi) in self.classes() {
            classes.push(Counted::new(self, name, xi, bench)?);
        }
        let stopped = bench.stopped();
        let (mut claims, mut figures, mut summary, mut arrays) =
            (Vec::new(), Vec::new(), notes(&classes), Vec::new());
        if !stopped {
            claims = claims::claims(self, &classes)?;
            figures = vec![("samples", figure::figure(self, &classes))];
            summary.extend(table(&classes)?);
            for class in &classes {
                let name = class.name;
                arrays.push(Array {
                    name: format!("samples_{name}"),
                    shape: vec![self.gain.len(), self.shown, self.n],
                    data: class.shown.concat().concat(),
                });
                arrays.push(Array::of_entries(format!("sign_changes_{name}"), &class.tally));
            }
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        Ok(Outcome {
            status: if stopped { Status::Interrupted } else { Status::Completed },
            dtype: self.precision.word(),
            series: Series::default(),
            arrays,
            claims,
            figures,
            report,
            summary,
        })
    }
}

/// What the samplers say of themselves, each with its class.
fn notes(classes: &[Counted]) -> Vec<String> {
    let of = |class: &Counted| -> Vec<String> {
        class.notes.iter().map(|note| format!("class {}: {note}", class.name)).collect()
    };
    classes.iter().flat_map(of).collect()
}

/// Two lines for a person: counts measured and predicted.
fn table(classes: &[Counted]) -> Result<Vec<String>, LabError> {
    let mut lines =
        vec![format!("{:>6} {:>6} {:>22} {:>10}", "class", "xi", "mean sign changes", "theory")];
    for class in classes {
        let mean = class.count()?;
        lines.push(format!(
            "{:>6} {:>6} {:>12.4} +- {:.4} {:>10.4}",
            class.name,
            Value::Real(class.xi).to_string(),
            mean.mean(),
            mean.se(),
            class.predicted
        ));
    }
    let rice = classes.iter().filter_map(|class| {
        let gap = class.smooth? / class.predicted - 1.0;
        Some(format!("{:+.2} % off at xi = {}", 100.0 * gap, Value::Real(class.xi)))
    });
    let rice: Vec<String> = rice.collect();
    if !rice.is_empty() {
        lines.push(format!(
            "Rice's formula for a smooth field, n sqrt(2)/(pi xi), lies {}{}",
            rice.join(" and "),
            if claims::tells_smooth(classes)? { "" } else { ": too close for so few samples" }
        ));
    }
    Ok(lines)
}

/// The registry row.
pub const ENTRY: Row = Row::of::<Samples>(
    "samples",
    "samples of the two classes at several gains: figure 1 of the third note, and its zero crossings",
    "What do the data look like, and what does the gain change? The mean number of sign changes around the ring must be \
     n arccos(r_1)/pi (L002.2), the same for one latent field at every gain, and the excess kurtosis of a site that of \
     nlgp.excess_kurtosis, below 0 (L002.3, which the note has as heavy tails).",
);
