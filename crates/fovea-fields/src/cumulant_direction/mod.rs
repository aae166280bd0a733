//! Is there a gain below which data do not localize, and does the fourth cumulant know it?
//!
//! ingrosso2022 finds localized fields in the leading factors of the fourth-order input statistics. At weak gain the cumulant
//! of the nonlinear Gaussian process is closed, `k4[w^4] = -8 g^2 sum w_i (S w)_i^3`, so that its leading direction does not depend on
//! the gain and is localized however weak it is; at finite gain it follows from the exact cumulants (L000.21). Training
//! weighs it against the covariances: the best field of one unit maximizes `R = (E_+|S|)^2 / w'Mw`, in which the cumulant is a
//! correction of order `g^2` (L000.38). So the trained field must be extended at weak gain, where the
//! direction is as localized as ever, and sharper than the direction at strong gain. A sampled cumulant whose direction has another
//! participation ratio, or trained fields on the other side, would falsify it.

mod claims;
mod figure;
pub mod measure;

use fovea_desk::prelude::*;
use measure::{AtGain, Lengths};

params! {
    /// Settings of `cumulant-direction`.
    pub struct CumulantDirection {
        /// Ring size.
        n: usize = 40, between(4.0, 64.0), "sites";
        /// Lengths at which the direction is found.
        xi: Vec<f64> = vec![0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0], finite_above(0.0), "sites";
        /// Correlation length of class `pos`, label 1, whose cumulant counts.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gains, ascending.
        gain: Vec<f64> = vec![0.1, 0.3, 0.5, 1.0, 3.0, f64::INFINITY], above(0.0), "";
        /// Rows of the sample whose cumulant is climbed, from gain 0.5 on.
        rows: usize = 100_000, between(1000.0, 1e7), "samples";
        /// Starts of training.
        starts: usize = 6, between(2.0, 1e4), "starts";
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.1, finite_above(0.0), "";
        /// Fresh samples of a step.
        batch: usize = 1000, between(2.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 4000, between(1.0, 1e7), "steps";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for CumulantDirection {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_gains(&self.gain)?;
        if !self.gain.is_sorted() {
            return Err(ParamError::Inconsistent {
                what: "`gain` is not ascending".to_owned(),
                hint: "list the gains from weak to strong".to_owned(),
            });
        }
        check_records(self.steps, self.record_every(), self.n * self.starts * self.gain.len())
    }
}

impl CumulantDirection {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    /// Twenty records a run.
    fn record_every(&self) -> usize {
        self.steps.div_ceil(20)
    }
}

/// The name of a gain's starts.
fn name(gain: f64) -> String {
    format!("gain={}", Value::Real(gain))
}

/// The direction at every gain, and at every length.
pub struct Found {
    gains: Vec<AtGain>,
    lengths: Lengths,
}

impl Experiment for CumulantDirection {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The fourth cumulant is localized at every gain",
        lead: "The leading direction of the fourth cumulant of the nonlinear Gaussian process is localized however weak the gain, and \
               hardly changes up to signs. Trained fields are extended at weak gain and sharper than it at strong gain: what \
               has a threshold is the weight of the cumulant beside the covariances, not its direction.",
        caption: figure::CAPTION,
        formulas: &[
            r"\kappa_4[w^4]=-8g^2\sum_iw_i(\Sigma w)_i^3+O(g^4),\qquad v=\arg\min_{|w|=1}\kappa_4[w^4]",
            r"R(w)=\frac{(\mathbb E_{+}|\langle w,x\rangle|)^2}{w^\top Mw}\approx\frac2\pi\frac{w^\top C_{+}w}{w^\top Mw}\Big(1-\frac{\kappa_4[w^4]}{12\,(w^\top C_{+}w)^2}\Big)",
        ],
    };

    fn quick() -> Self {
        Self {
            xi: vec![1.0, 2.0, 5.0],
            gain: vec![0.1, f64::INFINITY],
            rows: 20_000,
            starts: 10,
            batch: 500,
            steps: 1200,
            ..Self::default()
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let probes = &[&probe::norm::ENTRY, &probe::ipr::ENTRY];
        let plan = Plan::new(self.steps, Times::Every(self.record_every() as u64), probes);
        let plan = Plan { precision: self.precision, ..plan };
        let mut jobs = Vec::new();
        for gain in &self.gain {
            let task = self.two_class().spec(*gain, Labels::Iid);
            for start in 0..self.starts as u64 {
                let streams = streams.replica(start);
                let network = Start::Given(one_unit(&glorot(self.n, 1.0, &streams)?)?);
                let stage = Stage::online(&task, (self.lr, self.batch), plan.clone(), streams);
                let label = format!("{},start={start}", name(*gain));
                jobs.push(Job::new(label, network, stage).in_group(name(*gain)));
            }
        }
        Ok(jobs)
    }

    fn measure<'r>(&self, runs: &'r Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let latent = self.two_class().kernels()?.map(|kernel| kernel.first_row);
        let drawn = (runs, &desk.streams());
        let at = |gain: &f64| AtGain::new(self, &latent, *gain, drawn);
        let gains = desk.try_fleet(&self.gain, at)?;
        Ok(Found { gains, lengths: Lengths::new(self, desk)? })
    }

    fn show<'r>(&self, _: &'r Runs, found: &Found) -> Result<Shown, LabError> {
        let Found { gains, lengths } = found;
        Ok(Shown {
            arrays: claims::arrays(gains, lengths),
            claims: claims::claims(self, gains)?,
            figures: vec![("cumulant-direction", figure::figure(self, lengths, gains)?)],
            summary: claims::table(gains)?,
            ..Shown::default()
        })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::conducted::<CumulantDirection>(
    "cumulant-direction",
    "leading direction of the fourth cumulant over length and gain, beside what a sample and a trained unit find",
    "Is there a gain below which data do not localize, and does the fourth cumulant know it? Its leading direction is found \
     exactly, at weak gain in closed form and at any gain from exact cumulants (L000.21), and from a sample; beside it the \
     fields one ReLU unit learns (L000.38, L001.67). The direction must be localized at every gain, the trained field broader \
     than it at weak gain and sharper at strong.",
);
