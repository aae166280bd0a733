//! Are learned fields Gabor functions?
//!
//! Note 003 sees fields that "really look like" Gabors with many units and high gain, and wants to test that all fields, on Gaussian
//! and other data, are Gabors that differ only in decay and frequency (L003.25, L003.62). Every learned field is fitted with a bump, a
//! wave, a difference of Gaussians and a Gabor (probe `field-shape`); the form with the least Bayesian criterion wins, and a field
//! of which it leaves too much has none. Falsified where another form wins, or none fits.

mod claims;
mod figure;
pub mod measure;
mod tables;

use fovea_desk::prelude::*;
use fovea_desk::two_class::{check_once, spins};
use measure::Case;

params! {
    /// Settings of `gabor-or-not`.
    pub struct GaborOrNot {
        /// Ring size: inputs of the network.
        n: usize = 40, between(8.0, 1024.0), "sites";
        /// Correlation length of class `pos` (label 1).
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg` (label 0).
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Gains of the nonlinear Gaussian process.
        gain: Vec<f64> = vec![0.01, 0.3, 1.0, 3.0, 100.0], above(0.0), "";
        /// Ising coupling of class `pos`.
        coupling_pos: f64 = 0.7, between(-5.0, 5.0), "";
        /// Ising coupling of class `neg`.
        coupling_neg: f64 = 0.3, between(-5.0, 5.0), "";
        /// Exponents of power tails: excess kurtosis is positive below 5.89 and negative above.
        kur: Vec<f64> = vec![5.0, 10.0], finite_above(4.0), "";
        /// Gains, of those above, at which large networks are trained.
        many_gain: Vec<f64> = vec![0.01, 3.0, 100.0], above(0.0), "";
        /// Units of a small network.
        few: usize = 12, between(2.0, 1000.0), "units";
        /// Units of a large network.
        many: usize = 40, between(3.0, 1000.0), "units";
        /// Networks of every kind.
        seeds: usize = 16, between(2.0, 1e4), "seeds";
        /// Training steps; the reference takes 10 000.
        steps: usize = 2000, between(1.0, 1e9), "steps";
        /// Fresh samples per step, half of each class; the reference takes 1000.
        batch: usize = 500, between(2.0, 1e8), "samples";
        /// Learning rate of ReLU networks, per unit.
        lr_relu: f64 = 0.2, finite_above(0.0), "";
        /// Learning rate of sigmoid networks, per unit.
        lr_sigmoid: f64 = 2.0, finite_above(0.0), "";
        /// Scale of the variance of the initial weights.
        init_scale: f64 = 1.0, finite_above(0.0), "";
        /// Largest share of the squared field that the best form may leave; beyond it a field has no form.
        good: f64 = 0.1, between(0.0, 1.0), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for GaborOrNot {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_gains(&self.gain)?;
        check_gains(&self.many_gain)?;
        check_once("kur", &self.kur)?;
        check_labels(Labels::Balanced, self.batch)?;
        let unknown = self.many_gain.iter().find(|gain| !listed(&self.gain, **gain));
        let (what, hint) = if let Some(gain) = unknown {
            let gain = Value::Real(*gain);
            let what = format!("`many_gain` has {gain}, which is not in `gain`");
            (what, "choose `many_gain` among `gain`".to_owned())
        } else if self.few >= self.many {
            let what = format!("`few` is {} and `many` is {}", self.few, self.many);
            (what, "give the smaller network first".to_owned())
        } else {
            return Ok(());
        };
        Err(ParamError::Inconsistent { what, hint })
    }
}

/// Where the two classes come from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    /// Nonlinear Gaussian processes with a gain.
    Nlgp(f64),
    /// Ising rings of two couplings.
    Ising,
    /// A Gaussian copula with power tails.
    Kur(f64),
}

impl Source {
    /// A short name for tables and axes.
    fn label(self) -> String {
        match self {
            Self::Nlgp(gain) => Value::Real(gain).to_string(),
            Self::Ising => "Ising".to_owned(),
            Self::Kur(k) => format!("Kur {}", Value::Real(k)),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Nlgp(gain) => format!("gain={}", Value::Real(gain)),
            Self::Ising => "ising".to_owned(),
            Self::Kur(k) => format!("kur={}", Value::Real(k)),
        }
    }

    fn task(self, settings: &GaborOrNot) -> Arc<TaskSpec> {
        let GaborOrNot { n, coupling_pos, coupling_neg, .. } = *settings;
        match self {
            Self::Nlgp(gain) => settings.two_class().spec(gain, Labels::Balanced),
            Self::Ising => spins(n, [coupling_pos, coupling_neg], Labels::Balanced),
            Self::Kur(k) => settings.two_class().power_tails(k, Labels::Balanced),
        }
    }
}

/// Whether a gain is one of those listed.
fn listed(gains: &[f64], gain: f64) -> bool {
    gains.iter().any(|other| other.total_cmp(&gain).is_eq())
}

/// A kind of network.
#[derive(Clone, Copy, Debug)]
struct Net {
    width: usize,
    activation: &'static activation::Entry,
    bias: Bias,
}

impl Net {
    /// A name for tables and panels.
    fn label(&self) -> String {
        let units = if self.width == 1 { "unit" } else { "units" };
        let bias = if self.bias == Bias::None { "" } else { " with bias" };
        let kind = if self.activation.name == "relu" { "ReLU" } else { self.activation.name };
        format!("{} {kind} {units}{bias}", self.width)
    }

    fn name(&self) -> String {
        let bias = if self.bias == Bias::None { "" } else { "-bias" };
        format!("{}{bias}-{}", self.activation.name, self.width)
    }
}

impl GaborOrNot {
    /// The networks, in the order of the panels.
    fn nets(&self) -> [Net; 6] {
        let relu = |width, bias| Net { width, activation: &activation::relu::ENTRY, bias };
        let sigmoid =
            |width| Net { width, activation: &activation::sigmoid::ENTRY, bias: Bias::Trainable };
        [
            relu(1, Bias::None),
            relu(self.few, Bias::None),
            relu(self.many, Bias::None),
            relu(self.few, Bias::Trainable),
            sigmoid(self.few),
            sigmoid(self.many),
        ]
    }

    /// Every source, in the order of the axes, with every network that is trained on it: the large ones at some gains only; and on Ising
    /// spins and power tails no ReLU units with biases.
    fn pairs(&self) -> Vec<(Source, usize)> {
        let seen = |source: Source, net: usize| match source {
            Source::Nlgp(gain) => ![2, 5].contains(&net) || listed(&self.many_gain, gain),
            Source::Ising | Source::Kur(_) => [0, 1, 4].contains(&net),
        };
        let gains = self.gain.iter().map(|gain| Source::Nlgp(*gain));
        let sources = gains.chain([Source::Ising]).chain(self.kur.iter().map(|k| Source::Kur(*k)));
        let all = sources.flat_map(|source| (0..6).map(move |net| (source, net)));
        all.filter(|(source, net)| seen(*source, *net)).collect()
    }

    /// The name of the curves of a pair.
    fn name(&self, source: Source, net: usize) -> String {
        format!("{},{}", self.nets()[net].name(), source.name())
    }

    fn arm(&self, (source, net): (Source, usize)) -> Arm {
        let (name, net) = (self.name(source, net), self.nets()[net]);
        let rate = if net.activation.name == "relu" { self.lr_relu } else { self.lr_sigmoid };
        let probes = &[&probe::field_shape::ENTRY, &probe::ipr::ENTRY];
        let plan = Plan::new(self.steps, Times::Every(self.steps as u64), probes);
        Arm {
            name,
            task: source.task(self),
            network: committee(net.width, net.activation, net.bias, self.init_scale),
            pace: Pace::online(rate * net.width as f64, self.batch),
            plan: Plan { precision: self.precision, ..plan },
        }
    }

    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: Kernel::Ring }
    }
}

impl Experiment for GaborOrNot {
    type Found<'r> = Vec<Case>;

    const WORDS: Words<'static> = Words {
        title: "Are learned fields Gabor functions?",
        lead: "Every learned field is fitted with four forms that close on the ring. The form with the least Bayesian information criterion names \
               the field, if it leaves little of it. The notes expect Gabors everywhere, above all with many units and high gain.",
        caption: figure::CAPTION,
        formulas: &[
            r"A e^{-d^2/2s^2},\quad A\cos(2\pi kx/n+\varphi),\quad A_1e^{-d^2/2s_1^2}-A_2e^{-d^2/2s_2^2},\quad A e^{-d^2/2s^2}\cos(2\pi fd+\varphi)",
            r"\mathrm{BIC}=n\ln\frac{\mathrm{rss}}{n}+p\ln n,\qquad p=3,\,3,\,5,\,5",
        ],
    };

    const FULL: Option<Full<Self>> = Some(Full {
        settings: || Self { steps: 10_000, batch: 1000, ..Self::default() },
        takes: "two to three minutes",
    });

    fn quick() -> Self {
        let base = Self::default();
        let (gain, many_gain, kur) = (vec![0.01, 3.0], vec![3.0], vec![10.0]);
        Self { gain, many_gain, kur, few: 3, many: 6, seeds: 3, steps: 250, batch: 400, ..base }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let arms = self.pairs().into_iter().map(|pair| self.arm(pair));
        Ok(arms.flat_map(|arm| arm.jobs(streams.part(&arm.name), self.seeds)).collect())
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Vec<Case>, LabError> {
        measure::cases(self, runs, desk)
    }

    fn show(&self, runs: &Runs, cases: &Vec<Case>) -> Result<Shown, LabError> {
        let mut tables = tables::tables(self, cases)?;
        let (claims, thresholds) = claims::claims(self, cases)?;
        tables.push(thresholds);
        Ok(Shown {
            arrays: runs.weights(),
            claims,
            figures: vec![("gabor-or-not", figure::figure(self, cases)?)],
            tables,
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<GaborOrNot>(
    "gabor-or-not",
    "which of four forms learned fields have, by data, gain and network: bump, wave, difference of Gaussians or Gabor",
    include_str!("mod.rs"),
);
