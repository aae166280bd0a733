//! What is the loss before training, and how does it depend on the gain?
//!
//! The third note asks for the loss at the start (L002.20, L002.21), finds that of a ReLU falling with the gain and leaves both lines
//! unfinished. Averaged over normal weights the loss depends on the data through the norm of a sample alone: of a ReLU
//! through its mean, `4 L = 1 - sqrt(2/pi) s_w E|X_pos| + ...`, of erf through the mean of `asin(v/(1+v))` at `v = s_w^2 |X|^2`. Gaussian fields and
//! signs have closed forms; between them the norm is measured. A mean loss of drawn networks off these numbers, at any
//! gain or width, would falsify them.

mod claims;
mod figure;
pub mod measure;

use fovea_desk::prelude::*;
use measure::{AtGain, Theory};

params! {
    /// Settings of `starting-loss`.
    pub struct StartingLoss {
        /// Ring size: inputs of the network.
        n: usize = 40, between(2.0, 1024.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gains, from Gaussian (towards 0) to binary (`inf`).
        gain: Vec<f64> = vec![0.01, 0.3, 1.0, 3.0, 10.0, f64::INFINITY], above(0.0), "";
        /// Hidden units, the K of the notes.
        width: Vec<usize> = vec![1, 12], between(1.0, 1024.0), "units";
        /// Variance of a weight, times n.
        init_scale: f64 = 1.0, between(1e-6, 1e6), "";
        /// Starts, the same at every gain.
        inits: usize = 32_768, between(2.0, 1e7), "starts";
        /// Samples on which each start is judged, half of each class.
        samples: usize = 256, between(2.0, 1e7), "samples";
        /// Samples of each class whose norms are measured.
        norms: usize = 200_000, between(2.0, 1e9), "samples";
        /// Number type of sampling and of the networks.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for StartingLoss {
    fn check(&self) -> Result<(), ParamError> {
        check_gains(&self.gain)?;
        self.two_class().kernels()?;
        if self.samples.is_multiple_of(2) {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("`samples` is {}, and half of them are of each class", self.samples),
            hint: format!("choose samples={}", self.samples + 1),
        })
    }
}

impl StartingLoss {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    /// Standard deviation of a weight.
    fn std_w(&self) -> f64 {
        (self.init_scale / self.n as f64).sqrt()
    }
}

/// Closed forms, and what was measured at every gain.
pub struct Found {
    theory: Theory,
    gains: Vec<AtGain>,
}

impl Experiment for StartingLoss {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The loss before training",
        lead: "Networks with drawn weights, judged before any training. The loss of a ReLU falls as the data become binary and that of \
               erf rises a little, both because the norm of a sample varies less and less.",
        caption: figure::CAPTION,
        formulas: &[
            r"4E_wL=1-\sqrt{\tfrac2\pi}\,s_wE\|X_{+}\|+2ns_w^2\Big(\frac1{2K}+\frac{K-1}{2\pi K}\Big)\quad\text{(ReLU)}",
            r"E_wL=\tfrac12+\frac1{4K}\sum_cE_c\,\tfrac2\pi\arcsin\frac{s_w^2\|X\|^2}{1+s_w^2\|X\|^2}\quad\text{(erf)}",
        ],
    };

    fn quick() -> Self {
        let gain = vec![0.01, 1.0, f64::INFINITY];
        Self {
            n: 12,
            xi_pos: 1.5,
            xi_neg: 0.8,
            gain,
            inits: 8192,
            samples: 64,
            norms: 40_000,
            width: vec![1, 4],
            ..Self::default()
        }
    }

    fn dtype(&self) -> Option<&'static str> {
        Some(self.precision.word())
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        Ok(Found { theory: Theory::new(self)?, gains: measure::measure(self, desk)? })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: claims::arrays(&found.gains),
            claims: claims::claims(self, found)?,
            figures: vec![("starting-loss", figure::figure(self, found))],
            summary: claims::summary(self, found),
            ..Shown::default()
        })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<StartingLoss>(
    "starting-loss",
    "the loss of drawn, untrained networks against the gain, beside closed forms for ReLU and erf",
    include_str!("mod.rs"),
);
