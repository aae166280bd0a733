//! Is it the vertices of the cube that localize, or the kurtosis?
//!
//! Note 000, section 3 holds support on the vertices of the hypercube to be the key to localization. Here one Gaussian copula
//! is given other marginal laws, from heavy tails to signs (L000.45). For every law the stationary points of one ReLU unit are
//! the critical points of `R(w) = (E_+|<w,X>|)^2 / w'Mw` (L000.38): a law prefers a bump where `R` of a bump exceeds that of
//! the flat field. Continuous laws of negative excess kurtosis localize as signs do, those of positive do not; a
//! run of either kind that ends otherwise would falsify it.

mod figure;
mod law;

use fovea_core::params::{any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, activation, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::memory::check_records;
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::TwoClass;
use fovea_record::claim::Claim;
use fovea_record::outcome::{Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::probe;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Network, Plan, Sgd, Times, loss};
use law::{Law, Setting};

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

    fn plan(&self) -> Plan<'static> {
        Plan {
            steps: self.steps as u64,
            record: Times::Every(self.record_every() as u64),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::weights::ENTRY, &probe::norm::ENTRY, &probe::ipr::ENTRY],
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        }
    }
}

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

impl Experiment for Marginals {
    fn quick() -> Self {
        let (samples, rows, starts) = (20_000, 4000, 4);
        Self { k: vec![5.0], samples, rows, starts, batch: 500, steps: 1600, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let (plan, streams) = (self.plan(), bench.streams());
        let settings = Setting::all(self)?;
        let network = Network::committee(self.n, 1, &activation::relu::ENTRY, Bias::None);
        let sgd = Sgd::online(self.lr, self.batch);
        let jobs: Vec<(usize, u64)> = (0..settings.len())
            .flat_map(|law| (0..self.starts as u64).map(move |start| (law, start)))
            .collect();
        bench.progress.expect((jobs.len() * self.steps) as u64);
        let runs = bench.fleet(&jobs, |(law, start)| {
            let streams = streams.replica(*start);
            let w0 = Glorot { init_scale: 1.0 }.start(&[self.n], 1, &streams)?.weights;
            let network = network.clone().with(&w0, &[0.0])?;
            Ok(train(&settings[*law].task, network, &sgd, &streams, &plan, bench))
        });
        let runs = runs.into_iter().collect::<Result<Vec<_>, LabError>>()?;
        let name = |(law, start): &(usize, u64)| format!("{},start={start}", settings[*law].name);
        let mut series = Series::default();
        for (job, run) in jobs.iter().zip(&runs) {
            series.add(&name(job), self.lr, &plan, run);
        }
        let status = status_of(jobs.iter().zip(&runs).map(|(job, run)| (name(job), run)));
        let (mut arrays, mut claims) = (Vec::new(), Vec::new());
        let (mut figures, mut summary) = (Vec::new(), Vec::new());
        if status == Status::Completed {
            let laws = settings
                .into_iter()
                .zip(runs.chunks(self.starts))
                .map(|(setting, runs)| Law::measure(self, setting, runs, &streams))
                .collect::<Result<Vec<Law>, LabError>>()?;
            arrays = laws.iter().flat_map(Law::arrays).collect();
            claims = self.claims(&laws);
            summary = law::table(&laws);
            figures = vec![("marginals", figure::figure(self, &laws))];
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

impl Marginals {
    fn claims(&self, laws: &[Law]) -> Vec<Claim> {
        let site: Vec<_> = laws.iter().map(|law| (law.ratios[0], law.site_ratio)).collect();
        let gaussian: Vec<_> =
            laws.iter().map(|law| (law.ratios[0], std::f64::consts::FRAC_1_PI)).collect();
        let statement =
            "R of a single site is half the square of E|X_i|, whatever the correlations";
        let one_site = Claim::family("L000.38", statement, &site)
            .rejecting("the Gaussian 1/pi under every law", &gaussian);

        // Laws near zero kurtosis take longer than any run to decide.
        let clear: Vec<&Law> = laws.iter().filter(|law| law.kurtosis.abs() > law::CLEAR).collect();
        let runs = self.starts as f64;
        let predicted: Vec<f64> =
            clear.iter().map(|law| if law.kurtosis < 0.0 { runs } else { 0.0 }).collect();
        let measured: Vec<f64> = clear.iter().map(|law| law.localized as f64).collect();
        let vertices: Vec<f64> =
            clear.iter().map(|law| if law.name == "sign" { runs } else { 0.0 }).collect();
        let statement = format!(
            "of {} runs a law, all localize (IPR above {}) where the excess kurtosis is below -{}, none where it is above {}",
            self.starts,
            law::LOCALIZED,
            law::CLEAR,
            law::CLEAR
        );
        let decides = Claim::exact("L000.45", statement, &predicted, &measured, 1e-9)
            .rejecting_exact("localization on the vertices alone", &vertices, &measured);

        let climbs: Vec<f64> = laws.iter().map(|law| law.monotone as f64).collect();
        let statement = "every climb of R by the map from gate to least squares is monotone";
        let climbed = vec![runs; climbs.len()];
        let monotone = Claim::exact("L000.38", statement, &climbed, &climbs, 1e-9);
        vec![one_site, decides, monotone]
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<Marginals>(
    "marginals",
    "one Gaussian copula under marginals from Laplace to signs: negative kurtosis localizes, not the vertices of the cube",
    "Is it the vertices of the cube that localize, or the kurtosis? R of bumps and of the flat field, the climb of R and SGD for \
     uniform, arcsine, Laplace, algebraic and sign marginals of one Gaussian copula (L000.45). Every law of clearly negative excess \
     kurtosis must localize and every one of clearly positive must not.",
);
