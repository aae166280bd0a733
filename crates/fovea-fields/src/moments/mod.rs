//! Does a stimulus have the moments that theory gives it?
//!
//! Any stimulus: the covariance by lag, the distribution of one site and its kurtosis, from many samples, compared with the closed
//! forms of [`fovea_desk::exact`]. The first note takes the covariance of the nonlinear process for that of its latent field,
//! "pretty close"; it is an arcsine of it (L000.19), and the excess kurtosis is negative (L000.21). A lag, a bin or a kurtosis beyond its
//! limit of standard errors would show a wrong form or a wrong sampler. Where theory has nothing, or the distribution has too few
//! moments for a standard error to mean anything, the claim is left unchecked and says why.

mod claims;
mod figure;
pub mod measure;

use claims::Comparison;
use fovea_desk::prelude::*;
use fovea_sim::Stimulus;

params! {
    /// Settings of `moments`.
    pub struct Moments {
        /// What is sampled.
        stimulus: Item<Box<dyn Stimulus>> = Item::named("nlgp").set("gain", 3.0), any(), "";
        /// The site whose distribution and covariances are shown, where sites differ; else every site counts.
        site: usize = 0, between(0.0, 65535.0), "";
        /// Samples.
        samples: usize = 200_000, between(100.0, 1e9), "samples";
        /// Number type of sampling.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for Moments {
    fn check(&self) -> Result<(), ParamError> {
        let dim = self.stimulus.build("stimulus")?.dim();
        if self.site < dim {
            return Ok(());
        }
        let (site, last) = (self.site, dim - 1);
        let what = format!("`site` is {site} and the stimulus has the sites 0 to {last}");
        refuse(what, format!("choose `site` below {dim}"))
    }
}

/// The formulas of the default stimulus.
const NLGP: [&str; 2] = [
    r"C(r) = \frac{\arcsin(\rho_g r)}{\arcsin \rho_g}, \qquad \rho_g = \frac{2g^2}{1+2g^2}",
    r"\kappa = \frac{6}{A^2}\int_0^A\Big[\arcsin\frac{\sin\varphi}{1+2\sin\varphi}-\varphi\Big]\,d\varphi, \qquad A=\arcsin\rho_g",
];

impl Experiment for Moments {
    type Found<'r> = Comparison;

    const WORDS: Words<'static> = Words {
        title: "Moments of a stimulus",
        lead: "Covariance by lag, distribution and kurtosis of a site: sampled, and compared with what theory derives.",
        caption: figure::CAPTION,
        formulas: &[],
    };

    fn quick() -> Self {
        Self::default()
    }

    fn dtype(&self) -> Option<&'static str> {
        Some(self.precision.word())
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Comparison, LabError> {
        Comparison::new(self, desk)
    }

    fn show(&self, _: &Runs, comparison: &Comparison) -> Result<Shown, LabError> {
        let process = matches!(self.stimulus.name(), "nlgp" | "sign");
        Ok(Shown {
            arrays: comparison.arrays(),
            claims: comparison.claims(),
            figures: vec![("moments", figure::figure(self, comparison))],
            tables: vec![comparison.table()],
            summary: comparison.notes.clone(),
            formulas: process.then_some(&NLGP),
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Moments>(
    "moments",
    "covariance, marginal distribution and kurtosis of any stimulus, sampled and compared with theory",
    include_str!("mod.rs"),
);
