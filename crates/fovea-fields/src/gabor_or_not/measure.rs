//! The fields of one source and network: which forms they have, before and after training and with scrambled phases.

use super::{GaborOrNot, Source};
use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_core::stats::quantile;
use fovea_desk::prelude::*;
use fovea_sim::probe::field_shape::field_shape;

/// Bump, wave, difference of Gaussians, Gabor, none of them.
pub(super) const CLASSES: usize = 5;
/// The place of the Gabor, and of none.
pub(super) const GABOR: usize = 3;
pub(super) const NONE: usize = 4;

/// One field, as the probe `field-shape` reads it.
#[derive(Clone, Debug)]
pub(super) struct Unit(Vec<f64>);

impl Unit {
    /// The best form, whatever it leaves.
    pub(super) fn best(&self) -> usize {
        self.0[0] as usize
    }
    /// What the best form leaves of the squared field.
    pub(super) fn share(&self) -> f64 {
        self.0[3]
    }
    /// What one form leaves.
    pub(super) fn share_of(&self, form: usize) -> f64 {
        self.0[4 + form]
    }
    /// The form with the second-largest weight.
    pub(super) fn second(&self) -> usize {
        let weight = |form: usize| self.0[8 + form];
        let rest = (0..=GABOR).filter(|form| *form != self.best());
        rest.reduce(|a, b| if weight(b) > weight(a) { b } else { a }).unwrap_or(0)
    }
    pub(super) fn width(&self) -> f64 {
        self.0[1]
    }
    pub(super) fn frequency(&self) -> f64 {
        self.0[2]
    }
}

/// The networks of one source and kind, seed by seed.
pub struct Case {
    pub(super) source: Source,
    /// Place of the kind of network, and what it is called.
    pub(super) net: usize,
    pub(super) label: String,
    /// Largest share of the squared field that the best form may leave.
    good: f64,
    /// Fields of the first seed at the end.
    pub(super) fields: Vec<Vec<f64>>,
    pub(super) learned: Vec<Vec<Unit>>,
    pub(super) initial: Vec<Vec<Unit>>,
    pub(super) scrambled: Vec<Vec<Unit>>,
}

/// The same power at every frequency, with phases of their own: turned by the direction of a pair of normals.
pub fn scrambled(w: &[f64], streams: &Streams, unit: u64) -> Vec<f64> {
    let n = w.len();
    let mut u = to_fourier(w);
    let mut turns: Vec<f64> = vec![0.0; 2 * (n / 2 + 1)];
    streams.named("phases").normals(unit, &mut turns);
    for k in 0..=n / 2 {
        let (a, b) = (turns[2 * k], turns[2 * k + 1]);
        let size = (a * a + b * b).sqrt();
        let members: Vec<usize> = (0..n).filter(|j| frequency_of(*j, n) == k).collect();
        match members[..] {
            [one] => u[one] *= a.signum(),
            [one, two] => {
                let (x, y) = (u[one], u[two]);
                (u[one], u[two]) = ((a * x - b * y) / size, (b * x + a * y) / size);
            }
            _ => {}
        }
    }
    from_fourier(&u)
}

/// The fields of every source and network, with the forms of their scrambled copies.
pub(super) fn cases(
    settings: &GaborOrNot,
    runs: &Runs,
    desk: &Desk<'_>,
) -> Result<Vec<Case>, LabError> {
    let named = |(source, net)| (source, net, runs.group(&settings.name(source, net)));
    let groups: Vec<(Source, usize, Group<'_>)> = settings.pairs().into_iter().map(named).collect();
    let items: Vec<(&Trained, u64)> =
        groups.iter().flat_map(|(.., seeds)| seeds.runs.iter().copied().zip(0..)).collect();
    let turned = desk.fleet(&items, |(run, seed)| -> Vec<Unit> {
        let streams = desk.streams().part("scrambled").part(&run.job.group).replica(*seed);
        let unit = |(w, i)| Unit(field_shape(&scrambled(w, &streams, i)));
        fields(run).zip(0..).map(unit).collect()
    })?;
    let mut turned = turned.into_iter();
    let case = |(source, net, seeds): (Source, usize, Group<'_>)| {
        let read = |units: &[Vec<f64>]| units.iter().map(|row| Unit(row.clone())).collect();
        let probe = &probe::field_shape::ENTRY;
        Case {
            source,
            net,
            label: settings.nets()[net].label(),
            good: settings.good,
            fields: fields(seeds.runs[0]).map(<[f64]>::to_vec).collect(),
            learned: seeds.runs.iter().map(|run| read(run.last(probe))).collect(),
            initial: seeds.runs.iter().map(|run| read(run.reading(probe, 0))).collect(),
            scrambled: turned.by_ref().take(settings.seeds).collect(),
        }
    };
    Ok(groups.into_iter().map(case).collect())
}

/// The share of the units of each seed in a class, where the best form may leave this share of the squared field.
pub(super) fn shares_leaving(good: f64, seeds: &[Vec<Unit>], class: usize) -> Vec<f64> {
    let class_of = |unit: &Unit| if unit.share() <= good { unit.best() } else { NONE };
    let share = |units: &Vec<Unit>| {
        units.iter().filter(|unit| class_of(unit) == class).count() as f64 / units.len() as f64
    };
    seeds.iter().map(share).collect()
}

impl Case {
    /// The share of the units of each seed in a class: that of their best form, or none where it leaves too much.
    pub(super) fn shares(&self, seeds: &[Vec<Unit>], class: usize) -> Vec<f64> {
        shares_leaving(self.good, seeds, class)
    }

    /// The mean over seeds of the share of learned fields in a class; its standard error is at least the weight of one unit.
    pub(super) fn learned_share(&self, class: usize) -> Result<Estimate, LabError> {
        self.learned_share_leaving(self.good, class)
    }

    /// The same where the best form may leave this share of the squared field.
    pub(super) fn learned_share_leaving(
        &self,
        good: f64,
        class: usize,
    ) -> Result<Estimate, LabError> {
        let shares = shares_leaving(good, &self.learned, class);
        let plain = Estimate::from_samples(&shares)?;
        let least = 1.0 / (self.learned[0].len() * shares.len()) as f64;
        Ok(Estimate::from_parts(plain.mean(), plain.se().max(least), shares.len())?)
    }

    /// The median of a quantity over the learned fields of all seeds.
    pub(super) fn median(&self, of: impl Fn(&Unit) -> f64) -> Result<f64, LabError> {
        let all: Vec<f64> = self.learned.iter().flatten().map(of).collect();
        Ok(quantile(&all, 0.5)?)
    }

    /// The form that is second-best most often.
    pub(super) fn second(&self) -> usize {
        let count =
            |form: usize| self.learned.iter().flatten().filter(|u| u.second() == form).count();
        (0..4).fold(0, |best, form| if count(form) > count(best) { form } else { best })
    }
}
