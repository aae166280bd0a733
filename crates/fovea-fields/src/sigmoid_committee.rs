//! Which inputs make a small sigmoid committee localize?
//!
//! Ten sigmoid units with trained biases and a fixed mean readout, lengths (pos 3, neg 1), on marginals of either sign of excess kurtosis:
//! `Kur(30)`, `Kur(10)` and sign-like NLGP data (negative) give bumps, `Kur(4)` (whose kurtosis is infinite) gives extended oscillations. The
//! published pictures and an independent C program's reruns give counts, IPRs, biases, peaks and losses of single networks; each is compared with
//! our distribution over seeds, which one network cannot refute unless it lies far outside. Bumps on `Kur(4)`, or none on the others, would falsify the criterion for this network.

use Statistic::{Count, Least, Mean, Most};
use fovea_core::stats;
use fovea_desk::prelude::*;
use fovea_desk::published::{self, Published};
use fovea_record::bound::{beside, one_sided};

params! {
    /// Settings of `sigmoid-committee`; the rest is the sources' own.
    pub struct SigmoidCommittee {
        /// Seeds per input distribution.
        seeds: usize = 16, between(2.0, 1e4), "seeds";
        /// Training steps; the sources used 5000, and other step counts are not compared with them.
        steps: usize = STEPS, between(1.0, 1e9), "steps";
        /// Largest ring: inputs on a larger one are left out.
        largest: usize = 100, between(40.0, 1e4), "sites";
        /// Held-out samples of every seed.
        eval: usize = 50_000, between(1000.0, 1e9), "samples";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for SigmoidCommittee {}

const STEPS: usize = 5000;
const WIDTH: usize = 10;
const BATCH: usize = 1000;
/// The sources' rate 100 belongs to a loss without the 1/2.
const LR: f64 = 2.0 * 100.0;
const INIT_SCALE: f64 = 0.1;
/// A unit of negative bias whose IPR is above this counts as a bump: the published ones lie above 0.109, the others below 0.052.
const BUMP: f64 = 0.08;
/// Other thresholds, which lie between the two groups as well.
const BESIDE: [f64; 2] = [0.06, 0.1];

/// The id of its claims: none of them is in the catalogue.
const ID: &str = "sigmoid-committee";

const PROBES: [&Probe; 3] = [&probe::ipr::ENTRY, &probe::bias::ENTRY, &probe::loss::ENTRY];

/// The distribution of a site.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    /// Power tails; the excess kurtosis is negative above k = 5.89.
    Kur(f64),
    /// A squashed Gaussian process of this gain.
    Nlgp(f64),
}

/// One input distribution on one ring.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    law: Law,
    n: usize,
}

/// The published inputs.
const CASES: [Case; 5] = [
    Case { law: Law::Kur(10.0), n: 40 },
    Case { law: Law::Kur(4.0), n: 40 },
    Case { law: Law::Nlgp(100.0), n: 40 },
    Case { law: Law::Kur(30.0), n: 100 },
    Case { law: Law::Kur(4.0), n: 100 },
];

impl Case {
    fn name(self) -> String {
        let n = self.n;
        match self.law {
            Law::Kur(k) => format!("Kur({}) n={n}", Value::Real(k)),
            Law::Nlgp(gain) => format!("NLGP({}) n={n}", Value::Real(gain)),
        }
    }

    /// Whether bumps are expected.
    fn localizes(self) -> bool {
        self.law != Law::Kur(4.0)
    }

    /// The name of its curves.
    fn curves(self) -> String {
        self.name().replace(['(', ')', '='], "").replace(' ', "_").to_lowercase()
    }

    fn task(self) -> Arc<TaskSpec> {
        let two = TwoClass { n: self.n, xi_pos: 3.0, xi_neg: 1.0, kernel: Kernel::Ring };
        match self.law {
            Law::Kur(k) => two.power_tails(k, Labels::Balanced),
            Law::Nlgp(gain) => two.spec(gain, Labels::Balanced),
        }
    }
}

/// An input and its networks, a run per seed.
pub type Pair<'r> = (Case, Group<'r>);

impl SigmoidCommittee {
    fn cases(&self) -> Vec<Case> {
        CASES.into_iter().filter(|case| case.n <= self.largest).collect()
    }

    fn arm(&self, case: Case) -> Arm {
        let plan = Plan::new(self.steps, Times::Every(self.steps as u64), &PROBES);
        Arm {
            name: case.curves(),
            task: case.task(),
            network: committee(WIDTH, &activation::sigmoid::ENTRY, Bias::Trainable, INIT_SCALE),
            pace: Pace::online(LR, BATCH),
            plan: Plan { eval_samples: self.eval, precision: self.precision, ..plan },
        }
    }
}

impl Experiment for SigmoidCommittee {
    type Found<'r> = Vec<Pair<'r>>;

    const WORDS: Words<'static> = Words {
        title: "Ten sigmoid units",
        lead: "Marginals of negative excess kurtosis make most units of a sigmoid committee localize, with negative biases; the heavy tails of Kur(4) make them oscillate. \
               Every published count, range and loss is compared with our distribution over seeds.",
        caption: CAPTION,
        formulas: &[
            r"\hat y=\frac1{10}\sum_k\sigma(\langle w_k,x\rangle+b_k),\qquad F_k(x)=\tfrac12\Big(1+\frac{x}{(1+|x|^k)^{1/k}}\Big)",
        ],
    };

    fn quick() -> Self {
        Self { seeds: 8, steps: 500, largest: 40, eval: 4000, ..Self::default() }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let arms = self.cases().into_iter().map(|case| self.arm(case));
        Ok(arms.flat_map(|arm| arm.jobs(streams.part(&arm.name), self.seeds)).collect())
    }

    fn measure<'r>(&self, runs: &'r Runs, _: &Desk<'_>) -> Result<Vec<Pair<'r>>, LabError> {
        let pair = |case: Case| (case, runs.group(&case.curves()));
        Ok(self.cases().into_iter().map(pair).collect())
    }

    fn show<'r>(&self, runs: &'r Runs, pairs: &Vec<Pair<'r>>) -> Result<Shown, LabError> {
        let (mut claims, table) = phenomena(pairs)?;
        let mut tables = vec![table];
        if self.steps == STEPS {
            let mut rows = Vec::new();
            for (case, seeds) in pairs {
                rows.extend(published_rows(seeds, *case)?);
            }
            claims.extend(rows.iter().filter_map(|row| row.open(ID)));
            tables.push(published::table(&rows));
        }
        let figures = vec![("sigmoid-committee", figure(pairs))];
        let arrays = runs.weights();
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// One hidden unit at the end of training.
#[derive(Clone, Copy)]
struct Unit<'r> {
    ipr: f64,
    bias: f64,
    field: &'r [f64],
}

/// The units of one seed.
fn units(run: &Trained) -> Vec<Unit<'_>> {
    let (iprs, biases) = (run.last(&probe::ipr::ENTRY), run.last(&probe::bias::ENTRY));
    let rows = iprs.iter().zip(biases).zip(fields(run));
    rows.map(|((ipr, bias), field)| Unit { ipr: ipr[0], bias: bias[0], field }).collect()
}

impl Unit<'_> {
    /// Negative bias and a field that has become narrow; a few are unfinished when training ends.
    fn is_bump(&self) -> bool {
        self.is_above(BUMP)
    }

    fn is_above(&self, ipr: f64) -> bool {
        self.bias < 0.0 && self.ipr > ipr
    }
}

/// Some units of a network, and what they are called.
type Which = (&'static str, fn(&Unit<'_>) -> bool);
const ALL: Which = ("units", |_| true);
const BUMPS: Which = ("bumps", |unit| unit.is_bump());
const OTHERS: Which = ("other units", |unit| !unit.is_bump());
const POSITIVE: Which = ("units of positive bias", |unit| unit.bias > 0.0);

/// A number of each unit, and what it is called.
type Of = (&'static str, fn(&Unit<'_>) -> f64);
const IPR: Of = ("IPR", |unit| unit.ipr);
const BIAS: Of = ("bias", |unit| unit.bias);
const PEAK: Of = ("|peak|", |unit| largest(unit.field));

/// One number of a network.
#[derive(Clone, Copy)]
enum Statistic {
    Count(Which),
    Least(Of, Which),
    Most(Of, Which),
    Mean(Of, Which),
}

impl Statistic {
    /// The number of one network; nothing where it has no such units.
    fn at(self, units: &[Unit<'_>]) -> Option<f64> {
        let numbers = |of: Of, which: Which| -> Vec<f64> {
            units.iter().filter(|unit| which.1(unit)).map(of.1).collect()
        };
        match self {
            Count(which) => Some(numbers(IPR, which).len() as f64),
            Least(of, which) => numbers(of, which).into_iter().reduce(f64::min),
            Most(of, which) => numbers(of, which).into_iter().reduce(f64::max),
            Mean(of, which) => {
                Some(numbers(of, which)).filter(|some| !some.is_empty()).map(|some| mean(&some))
            }
        }
    }

    fn word(self) -> String {
        match self {
            Count((which, _)) => format!("number of {which}"),
            Least((of, _), (which, _)) => format!("smallest {of} of {which}"),
            Most((of, _), (which, _)) => format!("largest {of} of {which}"),
            Mean((of, _), (which, _)) => format!("mean {of} of {which}"),
        }
    }
}

/// What was published for one input: the statistic, its value and the unit it is rounded to.
fn published(case: Case) -> &'static [(Statistic, f64, f64)] {
    match (case.law, case.n) {
        (Law::Kur(10.0), 40) => &[
            (Count(BUMPS), 9.0, 0.0),
            (Least(IPR, BUMPS), 0.109, 0.001),
            (Most(IPR, BUMPS), 0.134, 0.001),
            (Least(BIAS, BUMPS), -5.2, 0.1),
            (Most(BIAS, BUMPS), -2.3, 0.1),
            (Mean(IPR, POSITIVE), 0.044, 0.001),
            (Mean(BIAS, POSITIVE), 8.4, 0.1),
            (Most(PEAK, ALL), 11.0, 1.0),
        ],
        (Law::Kur(4.0), 40) => &[(Least(IPR, ALL), 0.031, 0.001), (Most(IPR, ALL), 0.052, 0.001)],
        (Law::Nlgp(_), 40) => &[
            (Count(BUMPS), 8.0, 0.0),
            (Least(IPR, BUMPS), 0.31, 0.01),
            (Most(IPR, BUMPS), 0.325, 0.001),
            (Mean(BIAS, BUMPS), -18.5, 1.0),
            (Count(POSITIVE), 2.0, 0.0),
        ],
        (Law::Kur(30.0), 100) => &[
            (Count(BUMPS), 8.0, 0.0),
            (Least(IPR, BUMPS), 0.109, 0.001),
            (Most(IPR, BUMPS), 0.126, 0.001),
            (Least(PEAK, BUMPS), 3.8, 0.1),
            (Most(PEAK, BUMPS), 4.2, 0.1),
            (Mean(IPR, OTHERS), 0.05, 0.01),
            // The published picture of another network: ten bumps, about 4 high.
            (Count(BUMPS), 10.0, 0.0),
            (Mean(PEAK, BUMPS), 4.0, 1.0),
        ],
        (Law::Kur(4.0), 100) => &[(Mean(PEAK, ALL), 2.0, 1.0)],
        _ => &[],
    }
}

/// The loss of the independent program's network, in the convention with 1/2, and the unit it is rounded to.
fn published_loss(case: Case) -> Option<(f64, f64)> {
    match (case.law, case.n) {
        (Law::Kur(10.0), 40) => Some((0.212 / 2.0, 0.0005)),
        (Law::Kur(4.0), 40) => Some((0.217 / 2.0, 0.0005)),
        (Law::Nlgp(_), 40) => Some((0.184 / 2.0, 0.0005)),
        _ => None,
    }
}

/// Every published number for one input, compared with our distribution over seeds.
fn published_rows(seeds: &Group<'_>, case: Case) -> Result<Vec<Published>, LabError> {
    let mut rows = Vec::new();
    for (statistic, theirs, unit) in published(case) {
        // One number per seed, of those seeds that have it.
        let ours: Vec<f64> =
            seeds.runs.iter().filter_map(|run| statistic.at(&units(run))).collect();
        if ours.len() >= 2 {
            let what = format!("{}: {}", case.name(), statistic.word());
            rows.push(Published::one_run(what, *theirs, &ours)?.rounded_to(*unit));
        }
    }
    if let Some((theirs, unit)) = published_loss(case) {
        let ours = seeds.per_seed(&probe::loss::ENTRY, mean_unit);
        let what = format!("{}: loss", case.name());
        rows.push(Published::one_run(what, theirs, &ours)?.rounded_to(unit));
    }
    Ok(rows)
}

/// The two ends of the published IPRs of bumps (of all units where there are none).
fn published_iprs(case: Case) -> Vec<f64> {
    let ends = published(case).iter().filter_map(|(statistic, theirs, _)| match statistic {
        Least((of, _), _) | Most((of, _), _) if *of == IPR.0 => Some(*theirs),
        _ => None,
    });
    ends.collect()
}

/// Units of negative bias are bumps where they are expected and not elsewhere, at this threshold and at others.
fn phenomena(pairs: &[Pair<'_>]) -> Result<(Vec<Claim>, Table), LabError> {
    let (mut claims, mut rows) = (Vec::new(), Vec::new());
    for (case, seeds) in pairs {
        let mean = |run: &&Trained| {
            let negative = units(run).into_iter().filter(|unit| unit.bias < 0.0);
            stats::mean(&negative.map(|unit| unit.ipr).collect::<Vec<f64>>())
        };
        let iprs = seeds.runs.iter().map(mean).collect::<Result<Vec<_>, _>>()?;
        let (mean, name, above) = (Estimate::from_samples(&iprs)?, case.name(), case.localizes());
        let word = if above { "above" } else { "below" };
        let at = |ipr: f64| {
            let what = format!("{name}: mean IPR of units of negative bias is {word} {ipr}");
            let all = seeds.runs.iter().flat_map(|run| units(run));
            let number = all.filter(|unit| unit.is_above(ipr)).count();
            let bumps = number as f64 / seeds.runs.len() as f64;
            (*case, ipr, mean, bumps, one_sided(ID, what, mean, ipr, above))
        };
        let [own, below, beyond] = [BUMP, BESIDE[0], BESIDE[1]].map(at);
        let others = [&below, &beyond].map(|at| (format!("at {}", at.1), at.4.clone()));
        claims.push(beside(own.4.clone(), &others));
        rows.extend([below, own, beyond]);
    }
    let table = Table::of("bumps", &rows)
        .words("inputs", |row| row.0.name())
        .given("threshold", |row| row.1)
        .estimate("ipr", 3, |row| row.2)
        .words("expected", |row| if row.0.localizes() { "above" } else { "below" })
        .words("verdict", |row| row.4.status())
        .real("bumps", 2, |row| row.3)
        .caption(
            "Mean IPR of the units of negative bias, compared with thresholds: above them where bumps are expected, below them \
             elsewhere; and how many bumps a network has, which are units of negative bias with an IPR above the threshold.",
        );
    Ok((claims, table))
}

const CAPTION: &str = "Above: the fields of the first seed, one row per unit in units of its largest weight, ordered by bias, the most negative at the bottom. \
    Below: IPR against bias, one ring per unit of every seed; dotted lines are the smallest and the largest published IPR of bumps (of all units where none is a bump).";

/// The figure.
fn figure(pairs: &[Pair<'_>]) -> Figure {
    let figure = Figure::new("Bumps on light tails, oscillations on heavy ones: ten sigmoid units");
    let count = pairs.len();
    let above = pairs.iter().enumerate().map(|(i, pair)| by_bias(pair, i + 1 == count));
    let size = (count, 220.0 * count as f64 + 60.0, 0.95);
    grid(figure.description(CAPTION), size, above.chain(pairs.iter().map(biases)))
}

/// The fields of the first seed.
fn by_bias((case, seeds): &Pair<'_>, last: bool) -> Panel {
    let mut units = units(seeds.runs[0]);
    units.sort_by(|a, b| a.bias.total_cmp(&b.bias));
    let fields: Vec<&[f64]> = units.iter().map(|unit| unit.field).collect();
    let y = Axis::new("unit, by bias").without_ticks().share(1);
    rows_of_fields(case.name(), &fields, y, last)
}

/// IPR against bias of all units.
fn biases((case, seeds): &Pair<'_>) -> Panel {
    let all: Vec<Unit<'_>> = seeds.runs.iter().flat_map(|run| units(run)).collect();
    let all = unnamed(Style::series(0), all.iter().map(|unit| (unit.bias, unit.ipr)).collect());
    scatter(case.name(), "bias", Axis::new("IPR").from(0.0).share(2), [all])
        .with_all(published_iprs(*case).into_iter().map(|at| guide_at_y(at, "")))
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<SigmoidCommittee>(
    "sigmoid-committee",
    "ten sigmoid units on light and heavy tails: bumps, oscillations, biases and losses, compared with published networks",
    include_str!("sigmoid_committee.rs"),
);
