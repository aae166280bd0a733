//! The mean field over the seeds beside the closed flow, its wrong form and the note's own program.

use super::GaussianFlowRun;
use fovea_core::fourier::power_by_frequency;
use fovea_core::stats::VectorAccumulator;
use fovea_desk::prelude::*;
use fovea_desk::two_class::{GAUSSIAN_GAIN, at_records, first_note_flow, relative_distance};

/// Fields at every record.
pub(super) type Fields = Vec<Vec<f64>>;

/// What the figure, the claims and the report are made of.
pub(super) struct Comparison {
    pub(super) steps: Vec<f64>,
    /// The field of the first seed.
    pub(super) single: Fields,
    /// Mean over the seeds with its standard error, site by site.
    pub(super) mean: Vec<Vec<Estimate>>,
    /// Mean power by frequency at the end.
    pub(super) spectrum: Vec<Estimate>,
    /// The Euler map of the closed form at the same learning rate.
    pub(super) euler: Fields,
    /// The same of the first note's flow, which has a factor 2 too much (L000.3).
    pub(super) source: Fields,
    /// A run of the note's program: loss without 1/2, so the learning rate is doubled.
    pub(super) note: Fields,
    /// The Euler map at the doubled rate.
    pub(super) doubled: Fields,
}

/// The field at every record of a run.
fn fields(run: &Trained) -> Fields {
    run.readings(&probe::weights::ENTRY).iter().map(|units| units[0].clone()).collect()
}

impl Comparison {
    /// Compares the runs of all seeds, and the one of the note's program, with the closed flow.
    pub(super) fn new(
        settings: &GaussianFlowRun,
        start: &[f64],
        seeds: &Group<'_>,
        note: &Trained,
    ) -> Result<Self, LabError> {
        let flow = settings.two_class().matched_gaussian_flow(settings.gain)?;
        let schedule = (settings.lr, settings.steps, settings.record_every);
        let all: Vec<Fields> = seeds.runs.iter().map(|run| fields(run)).collect();
        let mean = (0..all[0].len())
            .map(|record| {
                let mut sites = VectorAccumulator::new(settings.n);
                all.iter().try_for_each(|fields| sites.push(&fields[record]))?;
                sites.estimates()
            })
            .collect::<Result<_, _>>()?;
        let mut spectrum = VectorAccumulator::new(settings.n / 2 + 1);
        for fields in &all {
            spectrum.push(&power_by_frequency(fields.last().map_or(start, |w| w)))?;
        }
        Ok(Self {
            steps: note.records().iter().map(|record| record.step as f64).collect(),
            single: all[0].clone(),
            mean,
            spectrum: spectrum.estimates()?,
            euler: at_records(&flow, start, schedule),
            source: at_records(&first_note_flow(&flow), start, schedule),
            note: fields(note),
            doubled: at_records(&flow, start, (2.0 * settings.lr, schedule.1, schedule.2)),
        })
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let part = |f: fn(&Estimate) -> f64| -> Fields {
            self.mean.iter().map(|sites| sites.iter().map(f).collect()).collect()
        };
        vec![
            Array::of_entries("steps", &self.steps),
            Array::of_rows("mean", &part(Estimate::mean)),
            Array::of_rows("standard_error", &part(Estimate::se)),
            Array::of_rows("single", &self.single),
            Array::of_rows("euler", &self.euler),
            Array::of_rows("source", &self.source),
            Array::of_rows("note_program", &self.note),
        ]
    }

    /// The mean field over the seeds is the Euler map, as far as this run can tell (L003.8).
    pub(super) fn claim(&self, settings: &GaussianFlowRun) -> Claim {
        // The first record is the common start, exact on both sides.
        let pairs = |theory: &Fields| -> Vec<(Estimate, f64)> {
            let sites = self.mean.iter().skip(1).flatten().copied();
            sites.zip(theory.iter().skip(1).flatten().copied()).collect()
        };
        let statement = "the mean field over the seeds is the Euler map of the closed flow at every record and site";
        let claim = Claim::family("L003.8", statement, &pairs(&self.euler))
            .rejecting("the first note's 1/2 (C_neg + C_pos) w (L000.3)", &pairs(&self.source));
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
            (var / field.iter().map(|w| w * w).sum::<f64>()).sqrt()
        };
        self.mean.iter().zip(&self.euler).map(spread).fold(0.0, f64::max)
    }

    /// The relative distance of two fields at every record.
    pub(super) fn gaps(fields: &Fields, theory: &Fields) -> Vec<f64> {
        fields.iter().zip(theory).map(|(w, v)| relative_distance(w, v)).collect()
    }

    pub(super) fn summary(&self) -> Vec<String> {
        let mean: Fields =
            self.mean.iter().map(|sites| sites.iter().map(Estimate::mean).collect()).collect();
        let last = |fields: &Fields, theory: &Fields| {
            Self::gaps(fields, theory).last().map_or(0.0, |gap| 100.0 * gap)
        };
        vec![
            format!(
                "distance to the flow at the end: one seed {:.2} %, mean of seeds {:.2} %",
                last(&self.single, &self.euler),
                last(&mean, &self.euler)
            ),
            format!(
                "the note's program (loss without 1/2): {:.1} % from the flow at t = step * lr, {:.2} % at t = 2 step * lr",
                last(&self.note, &self.euler),
                last(&self.note, &self.doubled)
            ),
        ]
    }
}
