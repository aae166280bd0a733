//! Which inputs make a small sigmoid committee localize?
//!
//! Ten sigmoid units with trained biases and a fixed mean readout, lengths (pos 3, neg 1), on marginals of either sign of excess kurtosis:
//! `Kur(30)`, `Kur(10)` and sign-like NLGP data (negative) give bumps, `Kur(4)` (whose kurtosis is infinite) gives extended oscillations. The
//! published pictures and an independent C program's reruns give counts, IPRs, biases, peaks and losses of single networks; each is held against
//! our distribution over seeds. Bumps on `Kur(4)`, or none on the others, would falsify the criterion for this network.

mod figure;
mod measure;

use fovea_core::stats;
use fovea_desk::prelude::*;
use fovea_desk::published::{self, Published};
use fovea_record::bound::one_sided;
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::Stimulus;
use fovea_sim::stimulus::copula::{Copula, Shape};
use fovea_sim::stimulus::nlgp::Nlgp;
use measure::{BUMP, units};

params! {
    /// Settings of `sigmoid-committee`; the rest is the sources' own.
    pub struct SigmoidCommittee {
        /// Seeds of every input law.
        seeds: usize = 16, between(2.0, 1e4), "seeds";
        /// Training steps; the sources took 5000 and are compared with those alone.
        steps: usize = STEPS, between(1.0, 1e9), "steps";
        /// Largest ring: laws on a larger one are left out.
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
const XI_POS: f64 = 3.0;
const XI_NEG: f64 = 1.0;

const PROBES: [&Probe; 3] = [&probe::ipr::ENTRY, &probe::bias::ENTRY, &probe::loss::ENTRY];

/// The law of a site.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    /// Power tails; the excess kurtosis is negative above k = 5.89.
    Kur(f64),
    /// A squashed Gaussian process of this gain.
    Nlgp(f64),
}

/// One input law on one ring.
#[derive(Clone, Copy, Debug)]
struct Case {
    law: Law,
    n: usize,
}

/// The laws that were published, in this order.
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

    fn stimulus(self, xi: f64) -> Item<Box<dyn Stimulus>> {
        match self.law {
            Law::Kur(k) => {
                let lattice = Lattice::ring(self.n, xi, Kernel::Ring);
                let marginal = Shape::Kur;
                Item::of("copula", &Copula { lattice, marginal, k, ..Copula::default() })
            }
            Law::Nlgp(gain) => Item::of("nlgp", &Nlgp::on_ring(self.n, xi, gain, Kernel::Ring)),
        }
    }
}

/// A law and its networks, a run per seed.
type Pair<'r> = (Case, Group<'r>);

impl SigmoidCommittee {
    fn cases(&self) -> Vec<Case> {
        CASES.into_iter().filter(|case| case.n <= self.largest).collect()
    }

    fn arm(&self, case: Case) -> Arm {
        let (pos, neg) = (case.stimulus(XI_POS), case.stimulus(XI_NEG));
        let plan = Plan::new(self.steps, Times::Every(self.steps as u64), &PROBES);
        Arm {
            name: case.curves(),
            task: Arc::new(TaskSpec::pair(pos, neg, 0.0, Labels::Balanced)),
            network: committee(WIDTH, &activation::sigmoid::ENTRY, Bias::Trainable, INIT_SCALE),
            pace: Pace::online(LR, BATCH),
            plan: Plan { eval_samples: self.eval, precision: self.precision, ..plan },
        }
    }
}

/// The networks of every law, and the published numbers beside them where the training is as long as theirs.
pub struct Found<'r> {
    pairs: Vec<Pair<'r>>,
    rows: Option<Vec<Published>>,
}

impl Experiment for SigmoidCommittee {
    type Found<'r> = Found<'r>;

    const WORDS: Words<'static> = Words {
        title: "Ten sigmoid units",
        lead: "Marginals of negative excess kurtosis make most units of a sigmoid committee localize, with negative biases; the heavy tails of Kur(4) make them oscillate. \
               Every published count, range and loss beside our distribution over seeds.",
        caption: figure::CAPTION,
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

    fn measure<'r>(&self, runs: &'r Runs, _: &Desk<'_>) -> Result<Found<'r>, LabError> {
        let pair = |case: Case| (case, runs.group(&case.curves()));
        let pairs: Vec<Pair<'r>> = self.cases().into_iter().map(pair).collect();
        if self.steps != STEPS {
            return Ok(Found { pairs, rows: None });
        }
        let mut rows = Vec::new();
        for (case, seeds) in &pairs {
            rows.extend(measure::rows(seeds, *case)?);
        }
        Ok(Found { pairs, rows: Some(rows) })
    }

    fn show<'r>(&self, runs: &'r Runs, found: &Found<'r>) -> Result<Shown, LabError> {
        let mut claims = phenomena(&found.pairs)?;
        let (mut summary, mut blocks) = (Vec::new(), Vec::new());
        if let Some(rows) = &found.rows {
            claims.extend(rows.iter().map(|row| row.claim("published")));
            blocks.push(published::table(rows)?);
            summary.extend(published::lines(rows)?);
        }
        let figures = vec![("sigmoid-committee", figure::figure(&found.pairs))];
        let (arrays, blocks) = (runs.weights(), Some(blocks));
        Ok(Shown { arrays, claims, figures, summary, blocks, ..Shown::default() })
    }
}

/// Units of negative bias are bumps where they are expected and none elsewhere.
fn phenomena(pairs: &[Pair<'_>]) -> Result<Vec<Claim>, LabError> {
    let mut claims = Vec::new();
    for (case, seeds) in pairs {
        let mean = |run: &&Trained| {
            let negative = units(run).into_iter().filter(|unit| unit.bias < 0.0);
            stats::mean(&negative.map(|unit| unit.ipr).collect::<Vec<f64>>())
        };
        let iprs = seeds.runs.iter().map(mean).collect::<Result<Vec<_>, _>>()?;
        let (word, above) = if case.localizes() { ("above", true) } else { ("below", false) };
        let what = format!("{}: mean IPR of units of negative bias is {word} {BUMP}", case.name());
        claims.push(one_sided("L000.45", what, Estimate::from_samples(&iprs)?, BUMP, above));
    }
    Ok(claims)
}

/// The registry row.
pub const ENTRY: Row = Row::of::<SigmoidCommittee>(
    "sigmoid-committee",
    "ten sigmoid units on light and heavy tails: bumps, oscillations, biases and losses beside published networks",
    "Which inputs make a small sigmoid committee localize? Negative excess kurtosis should give bumps of negative bias, Kur(4) extended oscillations; \
     every published count, range and loss of a single network should lie in our distribution over seeds. Bumps on Kur(4), or none on Kur(10), Kur(30) and NLGP(100), \
     would falsify it.",
);
