//! What do the data look like, and what does the gain change?
//!
//! Figure 1 of the third note: samples of the two classes, here with the same latent field at every gain. Its first footnote
//! says that the correlation length sets the number of zero crossings and the gain does not. That is exact (L002.2):
//! a sample and its latent field share their signs, and the mean number of sign changes around the ring is
//! `n arccos(r_1) / pi`, 9.0 and 18.0 at the figure's lengths (L002.25). The second footnote says that a large gain
//! makes heavy tails; they are light (L002.3). A mean count beyond its limit of standard errors, one field whose count
//! depends on the gain, or a kurtosis above 0 would falsify the three.

mod claims;
mod figure;
mod measure;

use fovea_desk::prelude::*;
use measure::{Counted, chunks};

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
}

impl Experiment for Samples {
    type Found<'r> = Vec<Counted>;

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

    fn quick() -> Self {
        Self { samples: 100_000, ..Self::default() }
    }

    fn dtype(&self) -> Option<&'static str> {
        Some(self.precision.word())
    }

    fn parts(&self) -> u64 {
        2 * chunks(self.samples) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Vec<Counted>, LabError> {
        let classes = [("pos", self.xi_pos), ("neg", self.xi_neg)];
        classes.into_iter().map(|(name, xi)| Counted::new(self, name, xi, desk)).collect()
    }

    fn show(&self, _: &Runs, classes: &Vec<Counted>) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: claims::arrays(self, classes),
            claims: claims::claims(self, classes)?,
            figures: vec![("samples", figure::figure(self, classes))],
            summary: [claims::notes(classes), claims::table(classes)?].concat(),
            ..Shown::default()
        })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<Samples>(
    "samples",
    "samples of the two classes at several gains: figure 1 of the third note, and its zero crossings",
    "What do the data look like, and what does the gain change? The mean number of sign changes around the ring must be \
     n arccos(r_1)/pi (L002.2), the same for one latent field at every gain, and the excess kurtosis of a site that of \
     nlgp.excess_kurtosis, below 0 (L002.3, which the note has as heavy tails).",
);
