//! Does negative kurtosis localize a field, however strongly its inputs are correlated?
//!
//! Spins have excess kurtosis -2, the least possible, at every coupling. On an Ising ring the population flow of one ReLU unit can be
//! solved exactly, cell by cell (`cell_flow`), so that its fixed points are known without sampling: at weak coupling every random start ends with one
//! site that outweighs all others together, in the dictator state `w* = (C_neg + C_pos)^-1 C_pos e_i` (L000.39); at stronger coupling random
//! starts end in fields of several sites, first while the dictator state still exists, then without it; at the strongest the field is nearly flat. A flow that ends in a
//! dictator's cell away from `w*`, a late mean of trained fields that differs from `w*`, or a flow that ends with one dominating site where `w*` contradicts
//! its gate would falsify the theorem.

mod claims;
mod figure;
mod measure;

use fovea_desk::prelude::*;
use fovea_desk::two_class::spins;
use fovea_theory::ising::edge::edge;
use measure::{AtCoupling, Large, Small, starts};

params! {
    /// Settings of `ising-transition`.
    pub struct IsingTransition {
        ..descent: Descent { lr = 0.05; batch = 4000; steps = 3000, between(10.0, 1e8) };
        /// Ring size of the exact flow.
        n: usize = 14, between(4.0, 16.0), "sites";
        /// Coupling of class `neg`, label 0.
        coupling_neg: f64 = 0.3, between(-2.0, 2.0), "";
        /// Couplings of class `pos`, label 1.
        coupling_pos: Vec<f64> = vec![
            0.5, 0.6, 0.7, 0.74, 0.76, 0.78, 0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.95, 1.0, 1.1, 1.2, 1.5, 2.0
        ], between(-2.0, 3.0), "";
        /// Random starts per coupling.
        starts: usize = 8, between(1.0, 1000.0), "starts";
        /// Factor on the Glorot variance 2/(n + 1) of the starts.
        init_scale: f64 = 0.01, between(1e-12, 1e6), "";
        /// Couplings of class `pos` at which units are also trained, from the first start of the exact flow.
        trained: Vec<f64> = vec![0.5, 0.7, 0.8, 0.9, 1.2], between(-2.0, 3.0), "";
        /// Ring size at which training is compared with the closed form.
        n_large: usize = 40, between(8.0, 1024.0), "sites";
        /// Coupling of class `pos` there.
        coupling_large: f64 = 0.7, between(-2.0, 3.0), "";
        /// Steps between records.
        record_every: usize = 20, between(1.0, 1e8), "steps";
        /// Trained units per coupling, each with samples of its own.
        replicas: usize = 12, between(2.0, 1e4), "runs";
    }
}

impl Params for IsingTransition {
    fn check(&self) -> Result<(), ParamError> {
        let runs = self.replicas * (self.trained.len() * self.n + self.n_large);
        let (steps, every) = (self.descent.steps, self.record_every);
        check_records(steps, every, runs)?;
        if steps < 6 * every {
            let what = format!("{steps} steps with a record every {every}");
            return refuse(what, "take at least six records, of which the last third is averaged");
        }
        let named = |i: &usize| self.trained[..*i].contains(&self.trained[*i]);
        (1..self.trained.len()).find(named).map_or(Ok(()), |i| {
            refuse(format!("`trained` names {} twice", self.trained[i]), "give each coupling once")
        })
    }
}

/// The group of units trained on the large ring.
const LARGE: &str = "large";

/// The group of units trained at one coupling on the small ring.
fn small(coupling: f64) -> String {
    format!("coupling={coupling}")
}

/// Ends of the exact flow, and trained units on both rings.
pub struct Found {
    /// Random starts, the same at every coupling.
    starts: Vec<Vec<f64>>,
    rests: Vec<AtCoupling>,
    /// The strongest coupling at which the dictator state exists.
    edge: f64,
    small: Vec<Small>,
    large: Large,
}

impl Experiment for IsingTransition {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Localization lost at fixed kurtosis",
        lead: "Spins have the most negative kurtosis there is. A ReLU unit between two Ising rings localizes on one site at weak coupling and not \
               at strong coupling; the exact flow says where each start ends, and training is compared with it.",
        caption: figure::CAPTION,
        formulas: &[
            r"\dot w=\tfrac12f(w)-\tfrac14(C_{-}+C_{+})\,w,\qquad f(w)=\mathbb{E}_{+}[\mathbf{1}(\langle w,x\rangle\ge0)\,x]\ \text{ constant in every cell}",
            r"w_c=2(C_{-}+C_{+})^{-1}f_c\ \text{ is an end of the flow if and only if it lies in its own cell } c;\qquad f_c=\tfrac12C_{+}e_i\ \text{ where } 2|w_i|>\|w\|_1",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        Self {
            descent: Descent { batch: 1000, steps: 1800, ..base.descent },
            coupling_pos: vec![0.5, 0.74, 0.8, 0.9, 2.0],
            starts: 3,
            trained: vec![0.7, 0.8],
            replicas: 8,
            ..base
        }
    }

    /// All couplings of the small ring from the first start of the exact flow, then the large ring from random weights.
    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let job = |label: String, task: &Arc<TaskSpec>, start: &[f64], streams: Streams| {
            let probes = &[&probe::weights::ENTRY, &probe::ipr::ENTRY];
            let plan = self.descent.plan(self.record_every, probes);
            let stage = self.descent.stage(task, plan, streams);
            Ok::<_, LabError>(Job::new(label, Start::Given(one_unit(start)?), stage))
        };
        let (mut jobs, first) = (Vec::new(), &starts(self, streams)[0]);
        for coupling in &self.trained {
            let task = spins(self.n, [*coupling, self.coupling_neg], Labels::Iid);
            let group = small(*coupling);
            for replica in 0..self.replicas {
                let streams = streams.replica(jobs.len() as u64);
                let job = job(format!("{group},replica={replica}"), &task, first, streams)?;
                jobs.push(job.in_group(&*group));
            }
        }
        let task = spins(self.n_large, [self.coupling_large, self.coupling_neg], Labels::Iid);
        for replica in 0..self.replicas {
            let streams = streams.replica(jobs.len() as u64);
            let start = glorot(self.n_large, self.init_scale, &streams)?;
            let label = format!("n={},replica={replica}", self.n_large);
            jobs.push(job(label, &task, &start, streams)?.in_group(LARGE));
        }
        Ok(jobs)
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let starts = starts(self, &desk.streams());
        let rests = AtCoupling::all(self, &starts, desk)?;
        let small = desk.try_fleet(&self.trained, |coupling| {
            Small::new(self, *coupling, &starts[0], &runs.group(&small(*coupling)))
        })?;
        let edge = edge(self.n, self.coupling_neg);
        let large = Large::new(self, &runs.group(LARGE))?;
        Ok(Found { starts, rests, edge, small, large })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let mut arrays = vec![Array::of_rows("starts", &found.starts)];
        arrays.extend(found.rests.iter().map(AtCoupling::array));
        let trained = |unit: &Small| {
            Array::of_rows(format!("trained_coupling={}", unit.coupling), &unit.rows)
        };
        arrays.extend(found.small.iter().map(trained));
        arrays.push(Array::of_rows("trained_large", &found.large.rows));
        Ok(Shown {
            arrays,
            claims: claims::claims(self, found),
            figures: vec![("ising-transition", figure::figure(self, found))],
            tables: claims::tables(self, found),
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<IsingTransition>(
    "ising-transition",
    "one ReLU unit between Ising rings: localization is lost at strong coupling though the kurtosis stays -2",
    include_str!("mod.rs"),
);
