//! Do networks of many units split into two populations as an independent program's do?
//!
//! Sigmoid networks that tell two nonlinear Gaussian processes apart end with localized fields of negative bias and
//! oscillating fields of positive bias, about half of each (L001.3, L002.30, L003.33); ReLU units localize nearly all. The share of localized
//! units, the biases of the two groups and twice the loss are held to within 4.9 combined standard errors of the distributions that an
//! independent JAX program measured (`data/reference_populations.json`), with seeds as the unit. A wrong convention (labels, loss, bias,
//! learning rate) moves them by far more.

mod figure;
mod measure;
mod reference;

use fovea_desk::prelude::*;
use fovea_desk::two_class::check_once;
use measure::{Comparison, comparisons, over_units};
use reference::{Reference, references};

params! {
    /// Settings of `two-populations`; the rest is the reference's own.
    pub struct TwoPopulations {
        /// Widths, of those the reference has.
        width: Vec<usize> = vec![12, 40, 100], between(1.0, 1e4), "units";
        /// Seeds of every network.
        seeds: usize = 8, between(2.0, 1e4), "seeds";
        /// Training steps; the reference used 10 000, and runs of other lengths are not compared with it.
        steps: usize = STEPS, between(1.0, 1e9), "steps";
        /// Held-out samples of every seed.
        eval: usize = 100_000, between(1000.0, 1e9), "samples";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

/// The reference's settings: lengths (pos 2, neg 1), gain 3, batch 1000, 10 000 steps, init_scale 1.
const TASK: TwoClass = TwoClass { n: 40, xi_pos: 2.0, xi_neg: 1.0, kernel: Kernel::Ring };
const GAIN: f64 = 3.0;
const STEPS: usize = 10_000;
const BATCH: usize = 1000;
/// The size of the one set on which the reference evaluated all its seeds.
const EVAL_SAMPLES: usize = 200_000;
/// A unit counts as localized above this IPR.
const LOCALIZED: f64 = 0.15;
/// What its claims are called: no clause of the catalogue speaks of single biases.
const ID: &str = "two-populations";

const PROBES: [&probe::Probe; 7] = [
    &probe::ipr::ENTRY,
    &probe::bias::ENTRY,
    &probe::loss::ENTRY,
    &probe::accuracy::ENTRY,
    &probe::kurtosis::ENTRY,
    &probe::location_entropy::ENTRY,
    &probe::dominant_frequency::ENTRY,
];

impl Params for TwoPopulations {
    fn check(&self) -> Result<(), ParamError> {
        let known = references();
        let unknown = self.width.iter().find(|width| known.iter().all(|row| row.width != **width));
        let what = match unknown {
            Some(width) => format!("`width` {width} is not in the reference"),
            None if self.width.is_empty() => "`width` is empty".to_owned(),
            None => {
                let widths: Vec<f64> = self.width.iter().map(|width| *width as f64).collect();
                return check_once("width", &widths);
            }
        };
        Err(ParamError::Inconsistent { what, hint: "choose among 12, 40 and 100".to_owned() })
    }
}

/// The reference starts from normals whose tails are cut at two standard deviations.
const TRUNCATED: &str = "glorot-truncated";

impl TwoPopulations {
    fn rows(&self) -> Vec<Reference> {
        references().into_iter().filter(|row| self.width.contains(&row.width)).collect()
    }

    fn arm(&self, name: String, row: &Reference, bias: Bias, init: &str) -> Arm {
        let plan = Plan::new(self.steps, Times::Every(self.steps as u64), &PROBES);
        let network = Item::named("committee")
            .set("width", row.width)
            .set("activation", row.activation.name)
            .set("bias", bias.word())
            .set("init", Value::table([("name", init.into())]));
        Arm {
            name,
            task: TASK.spec(GAIN, Labels::Balanced),
            network,
            // The reference's loss has no 1/2, so that its steps are twice as long.
            pace: Pace::online(2.0 * row.lr, BATCH),
            plan: Plan { eval_samples: self.eval, precision: self.precision, ..plan },
        }
    }

    /// The rows of the reference, then the narrowest sigmoid network without biases and from normals with their tails.
    fn arms(&self) -> Vec<Arm> {
        let rows = self.rows();
        let mut arms: Vec<Arm> =
            rows.iter().map(|row| self.arm(row.name.clone(), row, row.bias, TRUNCATED)).collect();
        let narrow = &rows[0];
        arms.push(self.arm(no_bias(narrow), narrow, Bias::None, TRUNCATED));
        if self.steps == STEPS {
            arms.push(self.arm(whole_tails(narrow), narrow, narrow.bias, "glorot"));
        }
        arms
    }
}

/// The name of the network without biases.
fn no_bias(narrow: &Reference) -> String {
    format!("{}_no_bias", narrow.name)
}

/// The name of the network whose initial normals have their tails.
fn whole_tails(narrow: &Reference) -> String {
    format!("{}_whole_tails", narrow.name)
}

/// A trained network and the row of the reference it belongs to.
type Pair<'a> = (&'a Group<'a>, &'a Reference);

impl Experiment for TwoPopulations {
    /// What is compared with the reference, where the training is as long as its own.
    type Found<'r> = Option<Vec<Comparison>>;

    const WORDS: Words<'static> = Words {
        title: "Two populations",
        lead: "Sigmoid networks with trained biases split into localized units of negative bias and oscillating units of positive bias. \
               How many localize, their biases, losses and accuracies are compared with those of an independent program.",
        caption: figure::CAPTION,
        formulas: &[
            r"\hat y=\frac1K\sum_k\sigma(\langle w_k,x\rangle+b_k),\qquad \mathrm{IPR}=\frac{\sum_iw_i^4}{(\sum_iw_i^2)^2}>0.15\ \text{: localized}",
        ],
    };

    const FULL: Option<Full<Self>> = Some(Full {
        settings: || Self { seeds: 20, eval: EVAL_SAMPLES, ..Self::default() },
        takes: "two to three minutes",
    });

    fn quick() -> Self {
        Self { width: vec![12], seeds: 8, steps: 800, eval: 2000, ..Self::default() }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let jobs = |arm: &Arm| arm.jobs(streams.part(&arm.name), self.seeds);
        Ok(self.arms().iter().flat_map(jobs).collect())
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Option<Vec<Comparison>>, LabError> {
        if self.steps != STEPS {
            return Ok(None);
        }
        let rows = self.rows();
        let no_bias = runs.group(&no_bias(&rows[0]));
        let mut list = Vec::new();
        for row in &rows {
            let pair = (&runs.group(&row.name), row);
            list.extend(comparisons(pair, &rows, &no_bias, &desk.streams())?);
        }
        Ok(Some(list))
    }

    fn show(&self, runs: &Runs, found: &Option<Vec<Comparison>>) -> Result<Shown, LabError> {
        let rows = self.rows();
        let groups: Vec<Group<'_>> = rows.iter().map(|row| runs.group(&row.name)).collect();
        let pairs: Vec<Pair<'_>> = groups.iter().zip(&rows).collect();
        let mut claims = split(&pairs, &runs.group(&no_bias(&rows[0])), found.is_some())?;
        let mut tables = Vec::new();
        if let Some(list) = found {
            claims.extend(list.iter().map(Comparison::claim));
            let whole = runs.group(&whole_tails(&rows[0]));
            tables = vec![
                measure::compared(list),
                measure::quantiles(&pairs)?,
                measure::frequencies(&pairs),
                measure::tails(&groups[0], &whole)?,
            ];
        }
        let figures = vec![("two-populations", figure::figure(&pairs))];
        Ok(Shown { arrays: runs.weights(), claims, figures, tables, ..Shown::default() })
    }
}

/// The claims about the split itself: the signs of the biases, unit by unit, and that nothing is learned without them.
///
/// Oscillating units are the later ones: only at the end of training does each of them have the sign of its population.
fn split(pairs: &[Pair<'_>], no_bias: &Group<'_>, ended: bool) -> Result<Vec<Claim>, LabError> {
    let mut claims = Vec::new();
    for (trained, row) in pairs.iter().filter(|(_, row)| row.sigmoid()) {
        let iprs = trained.units(&probe::ipr::ENTRY, 0);
        let biases = trained.units(&probe::bias::ENTRY, 0);
        for (localized, which, sign) in
            [(true, "localized unit", "negative"), (false, "other unit", "positive")]
        {
            let group = || {
                let units = iprs.iter().zip(&biases);
                units.filter(move |(ipr, _)| (**ipr > LOCALIZED) == localized)
            };
            let units = group().count();
            let alike = group().filter(|(_, bias)| (**bias < 0.0) == localized).count();
            let (all, right) = (units as f64, alike as f64);
            let what = format!("{}: every {which} has a {sign} bias", row.name);
            if all > 0.0 && (localized || ended) {
                let claim = Claim::exact(ID, what, &[all], &[right], 0.5 / all);
                let claim = claim.rejecting_exact("half of them", &[0.5 * all], &[right]);
                claims.push(refuted_by_most(claim.only_as_stated(), &[(units, units - alike)]));
            }
        }
    }
    // Without a bias y_hat(-x) = 1 - y_hat(x), and both classes are symmetric: exactly half of the answers are right, whatever the weights.
    let accuracy = |trained: &Group<'_>| over_units(trained, &probe::accuracy::ENTRY, 0);
    let (without, with) = (accuracy(no_bias)?, accuracy(pairs[0].0)?.mean());
    let what = format!("{}: accuracy is one half", no_bias.name);
    let claim = Claim::family(ID, what, &[(without, 0.5)]);
    claims.push(claim.rejecting("the accuracy with trained biases", &[(without, with)]));
    Ok(claims)
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<TwoPopulations>(
    "two-populations",
    "localized and oscillating units of wide networks: shares, biases, losses against an independent program's",
    include_str!("mod.rs"),
);
