//! Does the closed flow describe what SGD does on Gaussian data?
//!
//! Figure 1 of the fourth note (L003.57-59): one ReLU unit at gain 0.01, trained from one start with many seeds. The
//! mean field over the seeds must follow, record by record and site by site, the Euler map of
//! `w_dot = 1/2 f(w) - 1/4 (C_neg + C_pos) w` at the same learning rate (L003.8), and must reject the first note's
//! `1/2 (C_neg + C_pos) w` (L000.3). The note's own program had a loss without 1/2, so its clock ran twice as fast as
//! its flow's; both clocks are shown.

use fovea_core::fourier::power_by_frequency;
use fovea_core::stats::VectorAccumulator;
use fovea_desk::prelude::*;
use fovea_desk::two_class::{GAUSSIAN_GAIN, at_records, first_note_flow, relative_distance};

params! {
    /// Settings of `gaussian-flow`.
    pub struct GaussianFlowRun {
        ..two: TwoClass;
        ..descent: Descent { lr = 0.01; batch = 10_000; steps = 2000 };
        /// Gain; towards 0 the data are Gaussian.
        gain: f64 = 0.01, above(0.0), "";
        /// Steps between records.
        record_every: usize = 20, between(1.0, 1e9), "steps";
        /// Seeds that share one start; the standard errors come from their spread.
        seeds: usize = 32, between(2.0, 1e5), "seeds";
        /// Factor on the Glorot variance 2/(n + 1) of the start.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// How labels are sampled.
        labels: Labels = Labels::Iid, any(), "";
    }
}

impl Params for GaussianFlowRun {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        check_labels(self.labels, self.descent.batch)?;
        check_records(self.descent.steps, self.record_every, (self.seeds + 1) * self.two.n)
    }
}

/// The group of all seeds.
const SEEDS: &str = "seed";
/// The run of the note's program.
const NOTE: &str = "no-half";

/// What the figure shows, for a reader.
const CAPTION: &str = "(a) The field of one seed over time; (b) gradient descent on the closed population loss, at the same rate and from the same start. (c) The \
    final field: mean over seeds with a band of two standard errors, and the flow (dashes). (d) Power by spatial frequency at the end: mean over seeds with \
    two standard errors (points), and the flow. (e) Distance between SGD and the flow, relative to the norm of the flow: with the loss used here the \
    clock is t = step lr; the note's program had a loss without 1/2 and follows the flow at twice that clock.";

/// Fields at every record.
type Fields = Vec<Vec<f64>>;

/// The mean over the seeds, the closed flow, its wrong form and the note's own program.
pub struct Found {
    steps: Vec<f64>,
    /// The field of the first seed.
    single: Fields,
    /// Mean over the seeds with its standard error, site by site.
    mean: Vec<Vec<Estimate>>,
    /// Mean power by frequency at the end.
    spectrum: Vec<Estimate>,
    /// The Euler map of the closed form at the same learning rate.
    euler: Fields,
    /// The same of the first note's flow, which has a factor 2 too much (L000.3).
    source: Fields,
    /// A run of the note's program: loss without 1/2, so the learning rate is doubled.
    note: Fields,
    /// The Euler map at the doubled rate.
    doubled: Fields,
}

impl Experiment for GaussianFlowRun {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "One neuron on Gaussian data follows its flow",
        lead: "A ReLU unit trained by SGD from one start with many seeds, compared with the closed population flow at the same \
               learning rate.",
        caption: CAPTION,
        formulas: &[
            r"\dot w = \tfrac12\,\frac{C_{+}w}{\sqrt{2\pi\,w^\top C_{+}w}} - \tfrac14(C_{-}+C_{+})\,w, \qquad t = \text{step}\cdot\text{lr}",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        let descent = Descent { batch: 1000, steps: 1000, ..base.descent };
        Self { descent, seeds: 16, ..base }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let probes = &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY];
        let start = Start::Given(one_unit(&glorot(self.two.n, self.init_scale, streams)?)?);
        let task = self.two.spec(self.gain, self.labels);
        let job = |label: String, seed: u64, lr: f64| {
            let descent = Descent { lr, ..self.descent };
            let plan = descent.plan(self.record_every, probes);
            Job::new(label, start.clone(), descent.stage(&task, plan, streams.replica(seed)))
        };
        let (lr, seeds) = (self.descent.lr, self.seeds as u64);
        let mut jobs: Vec<Job> =
            (0..seeds).map(|seed| job(format!("seed={seed}"), seed, lr).in_group(SEEDS)).collect();
        // The note's program: its gradient, of the loss without 1/2, is twice ours.
        jobs.push(job(NOTE.to_owned(), seeds, 2.0 * lr));
        Ok(jobs)
    }

    fn measure(&self, runs: &Runs, _: &Desk<'_>) -> Result<Found, LabError> {
        let all = runs.group(SEEDS).fields();
        let mean = (0..all[0].len())
            .map(|record| {
                let mut sites = VectorAccumulator::new(self.two.n);
                all.iter().try_for_each(|fields| sites.push(&fields[record]))?;
                sites.estimates()
            })
            .collect::<Result<_, _>>()?;
        let mut spectrum = VectorAccumulator::new(self.two.n / 2 + 1);
        for fields in &all {
            spectrum.push(&power_by_frequency(&fields[fields.len() - 1]))?;
        }
        let flow = self.two.matched_gaussian_flow(self.gain)?;
        let Descent { lr, steps, .. } = self.descent;
        let at = |flow, lr| at_records(flow, &all[0][0], (lr, steps, self.record_every));
        Ok(Found {
            steps: runs.get(NOTE).records().iter().map(|record| record.step as f64).collect(),
            mean,
            spectrum: spectrum.estimates()?,
            euler: at(&flow, lr),
            source: at(&first_note_flow(&flow), lr),
            note: runs.group(NOTE).fields().remove(0),
            doubled: at(&flow, 2.0 * lr),
            single: all[0].clone(),
        })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let arrays = vec![
            Array::of_entries("start", &found.single[0]),
            Array::of_entries("steps", &found.steps),
            Array::of_rows("mean", &found.part(Estimate::mean)),
            Array::of_rows("standard_error", &found.part(Estimate::se)),
            Array::of_rows("single", &found.single),
            Array::of_rows("euler", &found.euler),
            Array::of_rows("source", &found.source),
            Array::of_rows("note_program", &found.note),
        ];
        let (claims, tables) = (vec![found.claim(self)], vec![found.distances()]);
        let figures = vec![("gaussian-flow", found.figure(self))];
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// The relative distance of two fields at every record.
fn gaps(fields: &Fields, theory: &Fields) -> Vec<f64> {
    fields.iter().zip(theory).map(|(w, v)| relative_distance(w, v)).collect()
}

impl Found {
    /// The means over the seeds, or their standard errors.
    fn part(&self, of: fn(&Estimate) -> f64) -> Fields {
        self.mean.iter().map(|sites| sites.iter().map(of).collect()).collect()
    }

    /// The mean field over the seeds is the Euler map, as far as this run can tell (L003.8).
    fn claim(&self, settings: &GaussianFlowRun) -> Claim {
        // The first record is the common start, exact on both sides.
        let sites = self.mean.iter().skip(1).flatten().copied();
        let [euler, source] = [&self.euler, &self.source].map(|flow| flow.iter().skip(1).flatten());
        let numbers: Vec<_> = sites.zip(euler.zip(source).map(|(a, b)| [*a, *b])).collect();
        let statement = "the mean field over the seeds is the Euler map of the closed flow at every record and site";
        let wrong = "the first note's 1/2 (C_neg + C_pos) w (L000.3)";
        let claim = told_apart("L003.8", statement, wrong, &numbers);
        let noise = self.relative_noise();
        if settings.gain > GAUSSIAN_GAIN {
            claim.unchecked(format!(
                "the claim is about Gaussian data, and the gain is above {GAUSSIAN_GAIN}"
            ))
        } else if noise * (settings.seeds as f64).sqrt() > 1.0 {
            claim.unchecked(format!(
                "the noise of SGD is {:.0} % of the field, and its square shifts the mean of {} seeds visibly; \
                 raise the batch or lower lr",
                100.0 * noise, settings.seeds
            ))
        } else {
            claim
        }
    }

    /// The largest spread of the field over the seeds, relative to its size.
    ///
    /// The flow is not linear, so the mean over the seeds lies off it by about the square of this; against the standard
    /// error of the mean, which is this over the root of the seeds, the shift is this times the root of the seeds.
    fn relative_noise(&self) -> f64 {
        let spread = |(sites, field): (&Vec<Estimate>, &Vec<f64>)| {
            let var: f64 = sites.iter().map(|e| e.se() * e.se() * e.count() as f64).sum();
            (var / dot(field, field)).sqrt()
        };
        self.mean.iter().zip(&self.euler).map(spread).fold(0.0, f64::max)
    }

    /// How far the fields are from the flow at the end.
    fn distances(&self) -> Table {
        let mean = self.part(Estimate::mean);
        let (own, half) = ("with 1/2", "without 1/2 (the note's program)");
        let rows = [
            ("one seed", own, "step * lr", &self.single, &self.euler),
            ("mean of seeds", own, "step * lr", &mean, &self.euler),
            ("one seed", half, "step * lr", &self.note, &self.euler),
            ("one seed", half, "2 step * lr", &self.note, &self.doubled),
        ];
        Table::of("distance_to_the_flow", &rows)
            .words("field", |row| row.0)
            .words("loss", |row| row.1)
            .words("time_of_the_flow", |row| row.2)
            .real("distance", 2, |(.., w, v)| 100.0 * gaps(w, v).last().copied().unwrap_or(0.0))
            .unit("%")
            .caption(
                "Distance between the trained field and the closed flow at the end, relative to the norm of the flow. With the loss \
                 used here the clock is t = step lr; the note's loss has no 1/2, so that its program runs twice as fast.",
            )
    }

    fn figure(&self, settings: &GaussianFlowRun) -> Figure {
        let subtitle = format!(
            "{}, gain {}, {}, {} seeds",
            settings.two.in_words(),
            Value::Real(settings.gain),
            settings.descent.in_words(),
            settings.seeds
        );
        Figure::new("SGD on Gaussian data follows its closed flow")
            .subtitle(subtitle)
            .columns(2)
            .aspect(0.6)
            .description(CAPTION)
            .panel(self.over_time("trained, one seed", &self.single, false))
            .panel(self.over_time("theory", &self.euler, true))
            .panel(self.final_field())
            .panel(self.spectra())
            .panel(self.clocks().span(2).height(200.0))
    }

    fn over_time(&self, title: &str, fields: &Fields, bar: bool) -> Panel {
        let limit = largest(&self.euler.concat()).max(largest(&self.single.concat()));
        let (step, shown) = (Axis::new("step").share(1), (&self.steps[..], &fields[..]));
        field_over_time(title, Sites::Numbered, step, shown, limit, bar)
    }

    fn final_field(&self) -> Panel {
        let (last, theory) = (&self.mean[self.mean.len() - 1], &self.euler[self.euler.len() - 1]);
        let means: Xy = last.iter().enumerate().map(|(i, e)| (i as f64, *e)).collect();
        let means = named("mean of seeds, 2 standard errors", Style::series(0).solid(), means);
        lines_with_range("field at the end", "site", "weight", [means])
            .with(counted(theory).line("theory", Style::theory()))
    }

    fn spectra(&self) -> Panel {
        let means = self.spectrum.iter().enumerate().map(|(k, e)| (k as f64, *e)).collect();
        let theory = counted(power_by_frequency(&self.euler[self.euler.len() - 1]));
        let y = Axis::new("power").from(0.0);
        measured_with_theory("spectrum at the end", "frequency $k$", y, means, theory)
    }

    fn clocks(&self) -> Panel {
        let distances = [
            ("loss with 1/2, t = step lr", &self.single, &self.euler),
            ("loss without 1/2, t = step lr", &self.note, &self.euler),
            ("loss without 1/2, t = 2 step lr", &self.note, &self.doubled),
        ]
        .map(|(label, fields, theory)| (label, xy(&self.steps, gaps(fields, theory))));
        let y = Axis::new("$|w - w_{flow}| / |w_{flow}|$").from(0.0);
        lines("distance between SGD and flow", "step", y, series(distances)).label_ends()
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<GaussianFlowRun>(
    "gaussian-flow",
    "SGD on Gaussian data compared with its closed flow (figure 1 of the fourth note), at both clocks",
    include_str!("gaussian_flow.rs"),
);
