//! Is one step of descent, on average, a step along the closed velocity?
//!
//! One ReLU unit takes one step on a fresh minibatch of two Gaussian classes, from the same weights for every seed. The mean
//! of `(w_1 - w_0)/lr` over the seeds is `1/2 f(w) - 1/4 (S0 + S1) w` (L000.3), whatever the batch. A site whose mean lies
//! beyond its limit of standard errors would falsify it; the first note's decay, twice as fast, must be rejected.

use fovea_desk::prelude::*;
use fovea_theory::relu::f_gauss::f_gauss;
use fovea_theory::relu::flow_single::velocity;

params! {
    /// Settings of `one-step`.
    pub struct OneStep {
        /// Ring size.
        n: usize = 12, between(2.0, 1e3), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Samples of the step, half of each class.
        batch: usize = 1000, between(2.0, 1e6), "samples";
        /// Seeds: independent minibatches.
        seeds: usize = 400, between(2.0, 1e5), "seeds";
    }
}

impl Params for OneStep {
    fn check(&self) -> Result<(), ParamError> {
        self.classes().kernels()?;
        check_labels(Labels::Balanced, self.batch)
    }
}

const PROBES: [&Probe; 1] = [&probe::norm::ENTRY];
const GROUP: &str = "one step";
const LR: f64 = 0.1;

/// Velocities, one number per site.
pub struct Found {
    measured: Vec<Estimate>,
    closed: Vec<f64>,
    first_note: Vec<f64>,
}

impl OneStep {
    fn classes(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: Kernel::Ring }
    }

    /// A bump on site 0, without a symmetry between its sides.
    fn start(&self) -> Vec<f64> {
        (0..self.n).map(|i| [1.0, 0.5, 0.2].get(i).copied().unwrap_or(0.0)).collect()
    }

    fn figure(&self, found: &Found) -> Figure {
        let sites: Vec<f64> = (0..self.n).map(|i| i as f64).collect();
        let (means, errors): (Vec<f64>, Vec<f64>) =
            found.measured.iter().map(|e| (e.mean(), 2.0 * e.se())).unzip();
        let note = "decay of the first note";
        let panel = Panel::new("Velocity", Axis::new("site"), Axis::new("change per unit of time"))
            .with(Mark::line(&sites, &found.closed, "closed form", Style::theory().solid()))
            .with(Mark::line(&sites, &found.first_note, note, Style::guide()))
            .with(Mark::measured(&sites, &means, &errors, "one step", Style::series(0)));
        Figure::new("One step of descent compared with the closed velocity")
            .subtitle(format!("{} minibatches of {}", self.seeds, self.batch))
            .description(CAPTION)
            .panel(panel)
    }
}

const CAPTION: &str = "Mean change of every weight over one step, divided by the learning rate, with two standard errors; the closed velocity; and dashed that with the first note's decay.";

impl Experiment for OneStep {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "One step of descent",
        lead: "The mean of one minibatch step is a step along the closed velocity.",
        caption: CAPTION,
        formulas: &[r"\dot w=\tfrac12f(w)-\tfrac14(\Sigma_0+\Sigma_1)w"],
    };

    fn quick() -> Self {
        Self { seeds: 60, ..Self::default() }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let class = |xi: f64| Item::named("gaussian").set("n", self.n).set("xi", xi);
        let pair = TaskSpec::pair(class(self.xi_pos), class(self.xi_neg), 0.0, Labels::Balanced);
        let (task, start) = (Arc::new(pair), one_unit(&self.start())?);
        let job = |seed: usize| {
            let plan = Plan::new(1, Times::Every(1), &PROBES);
            let streams = streams.replica(seed as u64);
            let stage = Stage::online(&task, (LR, self.batch), plan, streams);
            Job::new(format!("seed={seed}"), Start::Given(start.clone()), stage).in_group(GROUP)
        };
        Ok((0..self.seeds).map(job).collect())
    }

    fn measure(&self, runs: &Runs, _: &Desk<'_>) -> Result<Found, LabError> {
        let (start, seeds) = (self.start(), runs.group(GROUP));
        let site = |i: usize| {
            let change = |run: &&Trained| (run.network().weights()[i] - start[i]) / LR;
            Estimate::from_samples(&seeds.runs.iter().map(change).collect::<Vec<_>>())
        };
        let measured = (0..self.n).map(site).collect::<Result<_, _>>()?;
        let [pos, neg] = self.classes().kernels()?.map(|kernel| kernel.first_row);
        let (closed, teacher) = (velocity(&pos, &neg, &start), f_gauss(&pos, &start));
        // Note 000 (4) has the decay twice: 1/2 f less twice (1/2 f less the velocity).
        let first_note = closed.iter().zip(&teacher).map(|(v, f)| 2.0 * v - 0.5 * f).collect();
        Ok(Found { measured, closed, first_note })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let against = |forms: &[f64]| -> Vec<(Estimate, f64)> {
            found.measured.iter().copied().zip(forms.iter().copied()).collect()
        };
        let claim = Claim::family(
            "L000.3",
            "mean change of every weight over one step, divided by the learning rate",
            &against(&found.closed),
        );
        let claim =
            claim.rejecting("the first note's decay, twice as fast", &against(&found.first_note));
        let row = |(e, v): (&Estimate, &f64)| vec![e.mean(), e.se(), *v];
        let rows: Vec<Vec<f64>> = found.measured.iter().zip(&found.closed).map(row).collect();
        Ok(Shown {
            arrays: vec![Array::of_rows("velocity", &rows)],
            figures: vec![("one-step", self.figure(found))],
            summary: vec![format!("{} sites, furthest z = {:.2}", self.n, claim.z)],
            claims: vec![claim],
            ..Shown::default()
        })
    }
}

/// The registry row.
pub const ENTRY: Entry = Entry::of::<OneStep>(
    "one-step",
    "one step of descent from the same weights over many minibatches, compared with the closed velocity",
    include_str!("one_step.rs"),
);
