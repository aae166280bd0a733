//! Sign changes around the ring, counted at every gain of one latent field.

use super::Samples;
use fovea_core::lanes::BLOCK;
use fovea_core::ring::kernel_row;
use fovea_core::stats::Accumulator;
use fovea_core::streams::Stream;
use fovea_desk::prelude::*;
use fovea_sim::Stimulus;
use fovea_sim::stimulus::Element;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::nlgp::zero_crossings::{of_neighbours, zero_crossings};
use std::f64::consts::{FRAC_1_PI, SQRT_2};

/// Blocks of a chunk, the unit of parallel work.
const CHUNK: usize = 16;

/// Chunks that hold this many samples.
pub(super) fn chunks(samples: usize) -> usize {
    samples.div_ceil(BLOCK * CHUNK)
}

/// One class: some samples, and the counts of many.
pub struct Counted {
    pub(super) name: &'static str,
    pub(super) xi: f64,
    pub(super) notes: Vec<String>,
    /// Shown samples by gain, then sample.
    pub(super) shown: Vec<Vec<Vec<f64>>>,
    /// Share of the samples with so many sign changes.
    pub(super) tally: Vec<f64>,
    /// The mean count of theory.
    pub(super) predicted: f64,
    /// The mean count of a smooth field, by Rice's formula; a field of exponential covariance is not smooth.
    pub(super) smooth: Option<f64>,
    /// Latent correlation of neighbours.
    pub(super) neighbours: f64,
    pub(super) sums: Sums,
}

/// What is added up over the samples.
#[derive(Clone)]
pub(super) struct Sums {
    /// Sign changes at the first gain.
    pub(super) count: Accumulator,
    /// By gain: how far the count lies from the one at the first gain.
    pub(super) moved: Vec<Accumulator>,
    /// How far the count lies from that of the next sample, another field.
    pub(super) other_field: Accumulator,
    /// By gain: mean over the sites of `x^4 - 3`.
    pub(super) fourth: Vec<Accumulator>,
    tally: Vec<u64>,
}

impl Sums {
    fn new(gains: usize, n: usize) -> Self {
        let many = || vec![Accumulator::new(); gains];
        let (count, other_field) = (Accumulator::new(), Accumulator::new());
        Self { count, moved: many(), other_field, fourth: many(), tally: vec![0; n + 1] }
    }

    fn merge(mut self, other: &Self) -> Self {
        self.count.merge(&other.count);
        self.other_field.merge(&other.other_field);
        for (own, new) in [(&mut self.moved, &other.moved), (&mut self.fourth, &other.fourth)] {
            own.iter_mut().zip(new).for_each(|(own, new)| own.merge(new));
        }
        self.tally.iter_mut().zip(&other.tally).for_each(|(own, new)| *own += new);
        self
    }
}

impl Counted {
    /// Draws a class at every gain and counts.
    pub(super) fn new(
        settings: &Samples,
        name: &'static str,
        xi: f64,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let Samples { n, kernel, samples, shown, .. } = *settings;
        let sampler = |gain: &f64| Nlgp::on_ring(n, xi, *gain, kernel).sampler();
        let stimuli = settings.gain.iter().map(sampler).collect::<Result<Vec<_>, _>>()?;
        let stimuli: Vec<&dyn Stimulus> = stimuli.iter().map(|s| s as &dyn Stimulus).collect();
        // The name of the stream is the same at every gain, and so is the latent field.
        let stream = desk.streams().named(&format!("samples/{name}"));
        let (draw, first): (Draw, First) = match settings.precision {
            Precision::Single => (chunk::<f32>, first::<f32>),
            Precision::Double => (chunk::<f64>, first::<f64>),
        };
        let chunks: Vec<usize> = (0..chunks(samples)).collect();
        let sums = desk.fleet(&chunks, |index| {
            let mut sums = Sums::new(stimuli.len(), n);
            draw(&stimuli, &stream, *index, samples - index * BLOCK * CHUNK, &mut sums);
            sums
        })?;
        let sums = sums.iter().fold(Sums::new(stimuli.len(), n), Sums::merge);
        let row = kernel_row(n, xi, kernel);
        Ok(Self {
            name,
            xi,
            notes: stimuli[0].notes(),
            shown: stimuli.iter().map(|s| first(*s, &stream, shown)).collect(),
            tally: sums.tally.iter().map(|count| *count as f64 / samples as f64).collect(),
            predicted: match kernel {
                Kernel::Ring => zero_crossings(n, xi),
                _ => of_neighbours(n, row[1]),
            },
            smooth: (kernel != Kernel::Exponential).then(|| n as f64 * SQRT_2 * FRAC_1_PI / xi),
            neighbours: row[1],
            sums,
        })
    }

    /// The mean count.
    pub(super) fn count(&self) -> Result<Estimate, LabError> {
        Ok(self.sums.count.estimate()?)
    }
}

/// Counts one chunk of samples.
type Draw = fn(&[&dyn Stimulus], &Stream, usize, usize, &mut Sums);

/// Draws the samples that are shown.
type First = fn(&dyn Stimulus, &Stream, usize) -> Vec<Vec<f64>>;

/// The first samples of a stream.
fn first<T: Element>(stimulus: &dyn Stimulus, stream: &Stream, count: usize) -> Vec<Vec<f64>> {
    let mut block = vec![[T::ZERO; BLOCK]; stimulus.dim()];
    T::fill(stimulus, &mut stream.block(0, 0), &mut Vec::new(), &mut block);
    (0..count).map(|s| block.iter().map(|row| row[s].to_f64()).collect()).collect()
}

/// Sign changes around the ring; a zero has the sign of its own bit.
fn sign_changes<T: Element>(block: &[[T; BLOCK]]) -> [u32; BLOCK] {
    let mut changes = [0; BLOCK];
    for (i, row) in block.iter().enumerate() {
        let next = &block[(i + 1) % block.len()];
        for s in 0..BLOCK {
            let turned = row[s].to_f64().is_sign_negative() != next[s].to_f64().is_sign_negative();
            changes[s] += u32::from(turned);
        }
    }
    changes
}

fn chunk<T: Element>(
    stimuli: &[&dyn Stimulus],
    stream: &Stream,
    index: usize,
    left: usize,
    sums: &mut Sums,
) {
    let (mut scratch, mut block) = (Vec::new(), vec![[T::ZERO; BLOCK]; stimuli[0].dim()]);
    for at in 0..CHUNK.min(left.div_ceil(BLOCK)) {
        let used = BLOCK.min(left - at * BLOCK);
        let mut reference = [0; BLOCK];
        for (g, stimulus) in stimuli.iter().enumerate() {
            let rng = &mut stream.block(0, (index * CHUNK + at) as u32);
            T::fill(*stimulus, rng, &mut scratch, &mut block);
            let changes = sign_changes(&block);
            if g == 0 {
                reference = changes;
            }
            for s in 0..used {
                let fourth = block.iter().map(|row| {
                    let square = row[s].to_f64() * row[s].to_f64();
                    square * square - 3.0
                });
                sums.fourth[g].push(fourth.sum::<f64>() / block.len() as f64);
                sums.moved[g].push(f64::from(changes[s].abs_diff(reference[s])));
            }
        }
        for s in 0..used {
            sums.count.push(f64::from(reference[s]));
            sums.tally[reference[s] as usize] += 1;
            if s + 1 < used && s % 2 == 0 {
                sums.other_field.push(f64::from(reference[s].abs_diff(reference[s + 1])));
            }
        }
    }
}
