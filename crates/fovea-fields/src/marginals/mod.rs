//! Is it the vertices of the cube that localize, or the kurtosis?
//!
//! Note 000, section 3 holds support on the vertices of the hypercube to be the key to localization. Here one Gaussian copula
//! is given other marginal laws, from heavy tails to signs (L000.45). For every law the stationary points of one ReLU unit are
//! the critical points of `R(w) = (E_+|<w,X>|)^2 / w'Mw` (L000.38): a law prefers a bump where `R` of a bump exceeds that of
//! the flat field. Continuous laws of negative excess kurtosis localize as signs do, those of positive do not; a
//! run of either kind that ends otherwise would falsify it.

mod claims;
mod figure;
mod measure;

use fovea_desk::prelude::*;
use fovea_desk::two_class::check_once;
use measure::{Law, Setting};

params! {
    /// Settings of `marginals`.
    pub struct Marginals {
        /// Ring size: inputs of the network.
        n: usize = 40, between(2.0, 4096.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Exponents of the algebraic law Kur(k); its excess kurtosis is 0 at k = 5.89.
        k: Vec<f64> = vec![5.0, 8.0], between(4.1, 1e3), "";
        /// Samples behind every measured R.
        samples: usize = 200_000, between(1000.0, 1e9), "samples";
        /// Rows of the fixed sample on which R is climbed.
        rows: usize = 20_000, between(100.0, 1e6), "samples";
        /// Starts, of the climb and of training.
        starts: usize = 12, between(2.0, 1e4), "starts";
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.05, finite_above(0.0), "";
        /// Fresh samples of a step.
        batch: usize = 1000, between(1.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 6000, between(1.0, 1e9), "steps";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for Marginals {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_once("k", &self.k)?;
        check_records(self.steps, self.record_every(), self.n * self.starts * 8)
    }
}

impl Marginals {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    /// Twenty records a run.
    fn record_every(&self) -> usize {
        self.steps.div_ceil(20)
    }
}

impl Experiment for Marginals {
    type Found<'r> = Vec<Law>;

    const WORDS: Words<'static> = Words {
        title: "Sub-Gaussian marginals localize, on the vertices or not",
        lead: "The same Gaussian copula under marginal laws from heavy tails to signs: at these correlation lengths a ReLU unit \
               localizes on continuous laws of clearly negative excess kurtosis as it does on signs, and stays extended on those of \
               clearly positive. Stronger correlations can undo it at any kurtosis: see `ising-transition`.",
        caption: figure::CAPTION,
        formulas: &[
            r"R(w) = \frac{(\mathbb{E}_{+}|\langle w,x\rangle|)^2}{w^\top M w}, \qquad L = \tfrac14\left(1-\tfrac12 R\right), \qquad M = C_{-}+C_{+}",
            r"R(e_i) = \tfrac12\,(\mathbb{E}|X_i|)^2, \qquad R \approx \frac{2}{\pi}\,\frac{w^\top C_{+} w}{w^\top M w}\left(1-\tfrac{\kappa_4}{12}\right)",
        ],
    };

    fn quick() -> Self {
        let (samples, rows, starts) = (20_000, 4000, 4);
        Self { k: vec![5.0], samples, rows, starts, batch: 500, steps: 1600, ..Self::default() }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let probes = &[&probe::weights::ENTRY, &probe::norm::ENTRY, &probe::ipr::ENTRY];
        let plan = Plan::new(self.steps, Times::Every(self.record_every() as u64), probes);
        let plan = Plan { precision: self.precision, ..plan };
        let mut jobs = Vec::new();
        for law in Setting::all(self) {
            let [pos, neg] = [self.xi_pos, self.xi_neg].map(|xi| law.stimulus(self, xi));
            let task = Arc::new(TaskSpec::pair(pos, neg, 0.0, Labels::Iid));
            for start in 0..self.starts as u64 {
                let streams = streams.replica(start);
                let network = Start::Given(one_unit(&glorot(self.n, 1.0, &streams)?)?);
                let stage = Stage::online(&task, (self.lr, self.batch), plan.clone(), streams);
                let label = format!("{},start={start}", law.name);
                jobs.push(Job::new(label, network, stage).in_group(&*law.name));
            }
        }
        Ok(jobs)
    }

    fn measure<'r>(&self, runs: &'r Runs, desk: &Desk<'_>) -> Result<Vec<Law>, LabError> {
        desk.try_fleet(&Setting::all(self), |law| {
            Law::measure(self, law, &runs.group(&law.name), &desk.streams())
        })
    }

    fn show<'r>(&self, _: &'r Runs, laws: &Vec<Law>) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: laws.iter().flat_map(claims::arrays).collect(),
            claims: claims::claims(self, laws),
            figures: vec![("marginals", figure::figure(self, laws))],
            summary: claims::table(laws),
            ..Shown::default()
        })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::conducted::<Marginals>(
    "marginals",
    "one Gaussian copula under marginals from Laplace to signs: negative kurtosis localizes, not the vertices of the cube",
    "Is it the vertices of the cube that localize, or the kurtosis? R of bumps and of the flat field, the climb of R and SGD for \
     uniform, arcsine, Laplace, algebraic and sign marginals of one Gaussian copula (L000.45). Every law of clearly negative excess \
     kurtosis must localize and every one of clearly positive must not.",
);
