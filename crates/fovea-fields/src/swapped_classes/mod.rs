//! Minima against basins: is what random starts find the best there is, when the class with label 1 has the shorter correlations?
//!
//! The notes say that fields localize where `xi_pos > xi_neg` and oscillate at short range otherwise (L001.4). That is right of
//! random starts and wrong of minima: the dictator state exists in both orders (L000.39), as a bump in one and a Mexican hat in the
//! other, and its loss is the same in both, because swapping the classes leaves `C_pos (C_pos + C_neg)^-1 C_pos` with the same
//! diagonal. Networks are trained in both orders from random weights and from one site, and their losses on fresh samples are put
//! beside three closed forms (`theory.rs`): the best mode of Gaussian data, a single site, and the regression under its gate, which the
//! best field does not fall short of. If random starts in the swapped order reached a loss as low as that, or fields started on
//! one site left it, the picture of two attractors would be false.

mod figure;
mod group;
pub mod theory;

use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{Item, ParamError, Params, Value, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::{TwoClass, check_gains, one_unit};
use fovea_record::outcome::{Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::dynamics::Pace;
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Labels, Plan, Run, Sgd, Times, loss, probe};
use group::{Group, Start};
use theory::gain_of;

params! {
    /// Settings of `swapped-classes`.
    pub struct SwappedClasses {
        /// Ring size: inputs of the network.
        n: usize = 40, between(4.0, 1024.0), "sites";
        /// The shorter correlation length; class `pos` (label 1) has it in the swapped order.
        short: f64 = 1.0, finite_above(0.0), "sites";
        /// The longer correlation length.
        long: f64 = 2.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gains.
        gain: Vec<f64> = vec![0.5, 1.0, 3.0, f64::INFINITY], above(0.0), "";
        /// Networks of every order, gain and kind of start.
        networks: usize = 16, between(2.0, 1e4), "networks";
        /// Learning rate at which training begins, of the loss with its factor 1/2; it falls to zero in a straight line.
        lr: f64 = 1.0, finite_above(0.0), "";
        /// Fresh samples of a step.
        batch: usize = 2000, between(1.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 1200, between(1.0, 1e9), "steps";
        /// Fresh samples on which the loss of every network is measured.
        eval: usize = 400_000, between(1000.0, 1e9), "samples";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for SwappedClasses {
    fn check(&self) -> Result<(), ParamError> {
        for two in self.orders() {
            two.kernels()?;
        }
        if self.short >= self.long {
            return Err(ParamError::Inconsistent {
                what: format!("`short` is {} and `long` is {}", self.short, self.long),
                hint: "give the shorter length first".to_owned(),
            });
        }
        check_gains(&self.gain)
    }
}

/// Where the streams of evaluations begin, beyond those of any network.
const EVALUATION: u64 = 1 << 40;
/// What an answer costs.
const MSE: fovea_sim::loss::Row = loss::mse::ENTRY;
/// The weight of the site that fields start on.
const SITE: f64 = 0.5;

/// One network to be trained.
#[derive(Clone, Copy, Debug)]
struct Job {
    two: TwoClass,
    gain: f64,
    start: Start,
    network: usize,
}

impl Job {
    fn name(&self) -> String {
        let (pos, neg, gain) = (self.two.xi_pos, self.two.xi_neg, Value::Real(self.gain));
        format!("xi={pos},{neg},gain={gain},{}={}", self.start.word(), self.network)
    }

    fn run(&self, settings: &SwappedClasses, bench: &Bench<'_>) -> Result<Run, ParamError> {
        let streams = bench.streams().replica(self.network as u64);
        let weights = match self.start {
            Start::Glorot => Glorot::default().start(&[settings.n], 1, &streams)?.weights,
            Start::Site => (0..settings.n).map(|i| if i == 0 { SITE } else { 0.0 }).collect(),
        };
        let schedule = Item::named("linear");
        let pace = Pace { schedule, ..Pace::online(settings.lr, settings.batch) };
        let task = self.two.task(self.gain, Labels::Iid)?;
        Ok(train(&task, one_unit(&weights)?, &Sgd { pace }, &streams, &settings.plan(), bench))
    }
}

impl SwappedClasses {
    /// The swapped order, and the other beside it.
    fn orders(&self) -> [TwoClass; 2] {
        let two = |xi_pos, xi_neg| TwoClass { n: self.n, xi_pos, xi_neg, kernel: self.kernel };
        [two(self.short, self.long), two(self.long, self.short)]
    }

    fn plan(&self) -> Plan<'static> {
        Plan {
            steps: self.steps as u64,
            record: Times::log(self.steps as u64, 20),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::ipr::ENTRY, &probe::norm::ENTRY],
            loss: &MSE,
            precision: self.precision,
        }
    }

    /// Every job, those of one group next to each other.
    fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for two in self.orders() {
            for &gain in &self.gain {
                for start in [Start::Glorot, Start::Site] {
                    jobs.extend((0..self.networks).map(|network| Job {
                        two,
                        gain,
                        start,
                        network,
                    }));
                }
            }
        }
        jobs
    }
}

const WORDS: Words<'static> = Words {
    title: "Swapped classes: minima against basins",
    lead: "Where the class with label 1 has the shorter correlations, random starts end in an oscillation. It is not the best there is: \
           the localized state exists in that order too, with the same loss as in the other, and is found from one site.",
    caption: figure::CAPTION,
    formulas: &[
        r"L=\tfrac14\big(1-\tfrac12R\big),\qquad R(w)=\frac{(\mathbb E_{+}|\langle w,x\rangle|)^2}{w^\top(C_{-}+C_{+})\,w}",
        r"R_{\mathrm{best}}\ \ge\ 4\,f^\top(C_{-}+C_{+})^{-1}f,\quad f=f(e_i)\qquad\text{the gate of one site; a minimum of its own at infinite gain with a positive margin}",
        r"R=\frac{2/\pi}{1+q_k},\quad q_k=\lambda^{-}_k/\lambda^{+}_k\qquad\text{the mode } k \text{ on Gaussian data}",
    ],
};

impl Experiment for SwappedClasses {
    fn quick() -> Self {
        Self {
            gain: vec![3.0, f64::INFINITY],
            batch: 1000,
            steps: 250,
            eval: 60_000,
            ..Self::default()
        }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let jobs = self.jobs();
        bench.progress.expect((jobs.len() * self.steps) as u64);
        let runs = bench.fleet(&jobs, |job| job.run(self, bench));
        let runs = runs.into_iter().collect::<Result<Vec<_>, ParamError>>()?;
        let (mut series, steps) = (Series::default(), self.steps as u64);
        let rate =
            Pace { schedule: Item::named("linear"), ..Pace::online(self.lr, self.batch) }.rate();
        let time = |step: u64| (0..step).map(|at| rate.at(at, steps)).sum();
        let times: Vec<f64> = runs[0].records.iter().map(|record| time(record.step)).collect();
        for (job, run) in jobs.iter().zip(&runs) {
            series.add_at(&job.name(), &self.plan(), run, &times);
        }
        let status = status_of(jobs.iter().map(Job::name).zip(&runs));
        let (mut claims, mut figures, mut arrays) = (Vec::new(), Vec::new(), Vec::new());
        let mut summary = self.orders()[0].task(self.gain[0], Labels::Iid)?.notes();
        if status == Status::Completed {
            let mut groups = Vec::new();
            for (index, (jobs, runs)) in
                jobs.chunks(self.networks).zip(runs.chunks(self.networks)).enumerate()
            {
                let (job, runs) = (&jobs[0], runs.iter().collect::<Vec<_>>());
                groups.push(Group::new(
                    self,
                    (job.two, job.gain, job.start),
                    &runs,
                    index / 2,
                    bench,
                )?);
            }
            for group in &groups {
                claims.extend(group.claims(self, bench)?);
                arrays.extend(group.arrays());
            }
            for pair in groups.chunks(2) {
                claims.extend(group::worse(&pair[0], &pair[1])?);
            }
            summary.extend(table(&groups)?);
            figures.push(("swapped-classes", figure::figure(self, &groups)?));
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

/// A line a group: how many localize, loss and `R`, beside the closed forms.
fn table(groups: &[Group]) -> Result<Vec<String>, LabError> {
    let mut lines = vec![format!(
        "{:>6} {:>6} {:>5} {:>7} {:>9} {:>13} {:>19} {:>14} {:>11} {:>6} {:>6}",
        "xi_pos",
        "xi_neg",
        "gain",
        "start",
        "localized",
        "ipr",
        "loss",
        "R",
        "mode",
        "site",
        "gate"
    )];
    let range = |values: &[f64]| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        format!("{low:.3}..{high:.3}")
    };
    for group in groups {
        let loss = group.mean_loss()?;
        let loss = format!("{:.5} +- {:.5}", loss.mean(), loss.se());
        let localized = format!("{}/{}", group.localized(), group.fields.len());
        let mode = format!("{:.4} k={}", group.bounds.mode, group.bounds.frequency);
        let (ipr, r, bounds) = (range(&group.iprs()), range(&group.rs()), &group.bounds);
        lines.push(format!(
            "{:>6} {:>6} {:>5} {:>7} {localized:>9} {ipr:>13} {loss:>19} {r:>14} {mode:>11} {:>6.4} {:>6.4}",
            group.two.xi_pos,
            group.two.xi_neg,
            Value::Real(group.gain).to_string(),
            group.start.word(),
            bounds.site,
            bounds.gate
        ));
    }
    let both: Vec<&Group> = groups.iter().filter(|group| group.gain.is_infinite()).collect();
    if let Some(group) = both.first() {
        let dictator = group.two.dictator()?;
        lines.push(format!(
            "dictator state at infinite gain: loss {:.7}, R {:.5} in either order; margins {:+.4} and {:+.4}",
            dictator.loss,
            gain_of(dictator.loss),
            dictator.margin,
            both[both.len() - 1].two.dictator()?.margin
        ));
    }
    Ok(lines)
}

/// The registry row.
pub const ENTRY: Row = Row::of::<SwappedClasses>(
    "swapped-classes",
    "both orders of the classes, from random weights and from one site: the oscillation is the worse of two attractors",
    "Is the short-range oscillation that random starts find at xi_pos < xi_neg the best there is (L001.4)? The dictator state exists in \
     both orders with one loss (L000.39), where R = 4 f'M^-1 f. Random starts in the swapped order \
     that localize or reach that loss, or fields that leave one site, would falsify the picture of two attractors.",
);
