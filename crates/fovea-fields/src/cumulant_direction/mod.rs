//! Is there a gain below which data do not localize, and does the fourth cumulant know it?
//!
//! ingrosso2022 finds localized fields in the leading factors of the fourth-order input statistics. At weak gain the cumulant
//! of the nonlinear Gaussian process is closed, `k4[w^4] = -8 g^2 sum w_i (S w)_i^3`, so that its leading direction does not depend on
//! the gain and is localized however weak it is; at finite gain it follows from the exact cumulants (L000.21). Training
//! weighs it against the covariances: the best field of one unit maximizes `R = (E_+|S|)^2 / w'Mw`, in which the cumulant is a
//! correction of order `g^2` (L000.38). So the trained field must be extended at weak gain, where the
//! direction is as localized as ever, and sharper than the direction at strong gain. A sampled cumulant whose direction has another
//! participation ratio, or trained fields on the other side, would falsify it.

mod at_gain;
mod figure;
mod lengths;
pub mod tensor;

use at_gain::{AtGain, Trained};
use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, activation, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::memory::check_records;
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::{TwoClass, check_gains};
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::probe;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Labels, Network, Plan, Sgd, Times, loss};
use lengths::Lengths;

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

    fn plan(&self) -> Plan<'static> {
        Plan {
            steps: self.steps as u64,
            record: Times::Every(self.record_every() as u64),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::norm::ENTRY, &probe::ipr::ENTRY],
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        }
    }
}

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

impl Experiment for CumulantDirection {
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

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let (two, plan, streams) = (self.two_class(), self.plan(), bench.streams());
        let network = Network::committee(self.n, 1, &activation::relu::ENTRY, Bias::None);
        let sgd = Sgd::online(self.lr, self.batch);
        let jobs: Vec<(f64, u64)> = self
            .gain
            .iter()
            .flat_map(|gain| (0..self.starts as u64).map(move |start| (*gain, start)))
            .collect();
        bench.progress.expect((jobs.len() * self.steps) as u64);
        let runs = bench.fleet(&jobs, |(gain, start)| {
            let streams = streams.replica(*start);
            let w0 = Glorot { init_scale: 1.0 }.start(&[self.n], 1, &streams)?.weights;
            let network = network.clone().with(&w0, &[0.0])?;
            Ok(train(&two.task(*gain, Labels::Iid)?, network, &sgd, &streams, &plan, bench))
        });
        let runs = runs.into_iter().collect::<Result<Vec<_>, LabError>>()?;
        let name =
            |(gain, start): &(f64, u64)| format!("gain={},start={start}", Value::Real(*gain));
        let mut series = Series::default();
        for (job, run) in jobs.iter().zip(&runs) {
            series.add(&name(job), self.lr, &plan, run);
        }
        let status = status_of(jobs.iter().zip(&runs).map(|(job, run)| (name(job), run)));
        let (mut arrays, mut claims) = (Vec::new(), Vec::new());
        let (mut figures, mut summary) = (Vec::new(), Vec::new());
        if status == Status::Completed {
            let latent = two.kernels()?.map(|kernel| kernel.first_row);
            let all = bench
                .fleet(&self.gain, |gain| AtGain::new(self, &latent, *gain, &streams))
                .into_iter()
                .collect::<Result<Vec<_>, _>>()?;
            let trained: Vec<Trained> = runs.chunks(self.starts).map(Trained::new).collect();
            let lengths = Lengths::new(self.n, &self.xi, self.kernel, bench)?;
            claims = self.claims(&all, &trained)?;
            arrays = arrays_of(&all, &trained);
            arrays.extend(lengths.arrays());
            summary = table(&all, &trained)?;
            figures = vec![("cumulant-direction", figure::figure(self, &lengths, &all, &trained)?)];
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

impl CumulantDirection {
    fn claims(&self, all: &[AtGain], trained: &[Trained]) -> Result<Vec<Claim>, LabError> {
        let mut claims = vec![Lengths::claim()];
        let sampled = || all.iter().filter_map(|at| at.sampled.as_ref().map(|s| (s.ipr, at)));
        let pairs: Vec<_> = sampled().map(|(ipr, at)| (ipr, at.leading.ipr)).collect();
        if !pairs.is_empty() {
            let statement = "participation ratio of the leading direction of a sample's fourth cumulant, and of the exact one, gains from 0.5 on";
            let flat: Vec<_> = sampled().map(|(ipr, _)| (ipr, 1.0 / self.n as f64)).collect();
            claims.push(
                Claim::family("L000.21", statement, &pairs)
                    .rejecting("an extended direction", &flat),
            );
        }
        let last = all.len() - 1;
        for (i, above) in [(0, false), (last, true)] {
            let bound = all[i].leading.ipr;
            let statement = format!(
                "gain {}: trained fields are {} than the leading direction of the cumulant, whose participation ratio is {bound:.4}",
                all[i].word(),
                if above { "sharper" } else { "broader" }
            );
            claims.push(one_sided("L001.67", statement, trained[i].ipr()?, bound, above));
        }
        Ok(claims)
    }
}

/// Directions and fields, gain by gain.
fn arrays_of(all: &[AtGain], trained: &[Trained]) -> Vec<Array> {
    let mut arrays = Vec::new();
    for (at, trained) in all.iter().zip(trained) {
        let gain = at.word();
        arrays.push(Array::of_entries(format!("direction_gain={gain}"), &at.leading.v));
        arrays.push(Array::of_entries(format!("edgeworth_gain={gain}"), &at.edgeworth));
        if let Some(sampled) = &at.sampled {
            arrays.push(Array::of_entries(format!("sampled_gain={gain}"), &sampled.v));
        }
        arrays.push(trained.array(&gain));
    }
    arrays
}

/// A line a gain.
fn table(all: &[AtGain], trained: &[Trained]) -> Result<Vec<String>, LabError> {
    let mut lines = vec![format!(
        "{:>6} {:>11} {:>19} {:>10} {:>17} {:>8}",
        "gain", "ipr exact", "sampled", "Edgeworth", "SGD", "overlap"
    )];
    for (at, trained) in all.iter().zip(trained) {
        let sampled = at.sampled.as_ref().map_or_else(
            || "-".to_owned(),
            |s| format!("{:.4} +- {:.4}", s.ipr.mean(), s.ipr.se()),
        );
        let sgd = trained.ipr()?;
        lines.push(format!(
            "{:>6} {:>11.4} {sampled:>19} {:>10.4} {:>8.4} +- {:.4} {:>8.4}",
            at.word(),
            at.leading.ipr,
            ipr(&at.edgeworth),
            sgd.mean(),
            sgd.se(),
            trained.overlap(&at.leading.v)
        ));
    }
    lines.push(
        "overlap: cosine of trained field and direction, best shift, mean over starts".to_owned(),
    );
    Ok(lines)
}

/// The registry row.
pub const ENTRY: Row = Row::of::<CumulantDirection>(
    "cumulant-direction",
    "leading direction of the fourth cumulant over length and gain, beside what a sample and a trained unit find",
    "Is there a gain below which data do not localize, and does the fourth cumulant know it? Its leading direction is found \
     exactly, at weak gain in closed form and at any gain from exact cumulants (L000.21), and from a sample; beside it the \
     fields one ReLU unit learns (L000.38, L001.67). The direction must be localized at every gain, the trained field broader \
     than it at weak gain and sharper at strong.",
);
