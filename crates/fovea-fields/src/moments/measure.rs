//! Drawing a stimulus and adding up what its moments are made of.

use super::Moments;
use super::places::{Bins, Places};
use fovea_core::lanes::BLOCK;
use fovea_core::stats::{Accumulator, Estimate, StatsError, VectorAccumulator};
use fovea_core::streams::Stream;
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::exact::Exact;
use fovea_sim::stimulus::Element;
use fovea_sim::train::Precision;
use fovea_sim::{Stimulus, Watch};
use rayon::prelude::*;

/// Blocks of a chunk, the unit of parallel work.
const CHUNK: usize = 64;

/// Blocks that are looked at to lay out the bins.
const PILOT: usize = 64;

/// Measured moments.
pub(super) struct Measured {
    pub(super) places: Places,
    pub(super) bins: Bins,
    pub(super) mean: Estimate,
    /// Covariance by lag.
    pub(super) cov: Vec<Estimate>,
    /// Excess kurtosis of a site; none where it does not vary.
    pub(super) kurtosis: Option<Estimate>,
    /// Share of every bin.
    pub(super) shares: Vec<Estimate>,
}

/// What is added up over the samples; every sample adds its mean over the bases.
struct Sums {
    first: Accumulator,
    lags: VectorAccumulator,
    second: Accumulator,
    fourth: Accumulator,
    /// Second plus fourth power, whose spread says how the two hang together.
    both: Accumulator,
    bins: VectorAccumulator,
}

impl Sums {
    fn new(lags: usize, bins: usize) -> Self {
        let none = Accumulator::new;
        let (lags, bins) = (VectorAccumulator::new(lags), VectorAccumulator::new(bins));
        Self { first: none(), lags, second: none(), fourth: none(), both: none(), bins }
    }

    fn merge(mut self, other: &Self) -> Result<Self, StatsError> {
        self.first.merge(&other.first);
        self.second.merge(&other.second);
        self.fourth.merge(&other.fourth);
        self.both.merge(&other.both);
        self.lags.merge(&other.lags)?;
        self.bins.merge(&other.bins)?;
        Ok(self)
    }
}

/// A stimulus, its stream and what is asked of its samples.
struct Drawn<'a> {
    stimulus: &'a dyn Stimulus,
    stream: Stream,
    samples: usize,
    precision: Precision,
}

impl Drawn<'_> {
    /// Draws blocks `from` to `to` and shows each with how many of its samples count, in double precision.
    fn blocks(&self, from: usize, to: usize, mut see: impl FnMut(&[[f64; BLOCK]], usize)) {
        let dim = self.stimulus.dim();
        let (mut single, mut wide) = (vec![[0.0_f32; BLOCK]; dim], vec![[0.0_f64; BLOCK]; dim]);
        let (mut lanes, mut wide_lanes) = (Vec::new(), Vec::new());
        for at in from..to {
            let rng = &mut self.stream.block(0, at as u32);
            match self.precision {
                Precision::Single => {
                    f32::fill(self.stimulus, rng, &mut lanes, &mut single);
                    for (wide, row) in wide.iter_mut().zip(&single) {
                        *wide = row.map(f64::from);
                    }
                }
                Precision::Double => f64::fill(self.stimulus, rng, &mut wide_lanes, &mut wide),
            }
            see(&wide, BLOCK.min(self.samples - at * BLOCK));
        }
    }

    /// The same over all blocks, chunk by chunk; every chunk is one step of the progress display.
    fn chunks<R: Send>(
        &self,
        bench: &Bench<'_>,
        start: impl Fn() -> R + Sync,
        see: impl Fn(&mut R, &[[f64; BLOCK]], usize) + Sync,
    ) -> Vec<R> {
        let blocks = self.samples.div_ceil(BLOCK);
        (0..blocks.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut sums = start();
                if !bench.stopped() {
                    let to = blocks.min((chunk + 1) * CHUNK);
                    self.blocks(chunk * CHUNK, to, |block, used| see(&mut sums, block, used));
                    bench.stepped();
                }
                sums
            })
            .collect()
    }

    /// Mean of every site.
    fn means(&self, bench: &Bench<'_>) -> Vec<f64> {
        let dim = self.stimulus.dim();
        let add = |sums: &mut Vec<f64>, block: &[[f64; BLOCK]], used: usize| {
            for (sum, row) in sums.iter_mut().zip(block) {
                *sum += row[..used].iter().sum::<f64>();
            }
        };
        let mut total = vec![0.0; dim];
        for sums in self.chunks(bench, || vec![0.0; dim], add) {
            total.iter_mut().zip(&sums).for_each(|(total, sum)| *total += sum);
        }
        total.into_iter().map(|sum| sum / self.samples as f64).collect()
    }
}

impl Measured {
    /// Draws the stimulus, unless stopped; its sites are centred by the exact mean where that is known, else by the measured one.
    pub(super) fn new(
        settings: &Moments,
        stimulus: &dyn Stimulus,
        exact: Option<&Exact>,
        bench: &Bench<'_>,
    ) -> Result<Option<Self>, LabError> {
        let Moments { samples, precision, site, .. } = *settings;
        let stream = bench.streams().named("moments");
        let drawn = Drawn { stimulus, stream, samples, precision };
        let passes = if exact.is_some() { 1 } else { 2 };
        bench.progress.expect(passes * samples.div_ceil(BLOCK * CHUNK) as u64);
        let places = Places::new(stimulus, site);
        let bins = layout(&drawn, &places);
        let centre = exact.map_or_else(|| drawn.means(bench), |exact| exact.mean.clone());
        let (lags, cells) = (places.partners.len(), bins.count());
        let see = |sums: &mut Sums, block: &[[f64; BLOCK]], used: usize| {
            for s in 0..used {
                add(sums, &places, &bins, &|i: usize| block[i][s], &centre);
            }
        };
        let parts = drawn.chunks(bench, || Sums::new(lags, cells), see);
        if bench.stopped() {
            return Ok(None);
        }
        let sums = parts.iter().try_fold(Sums::new(lags, cells), Sums::merge)?;
        let shift = sums.first.estimate()?;
        let mean = centre[places.bases[0]] + shift.mean();
        let known = exact.map(|exact| (exact.cov)(places.bases[0], places.bases[0]));
        Ok(Some(Self {
            mean: Estimate::from_parts(mean, shift.se(), shift.count())?,
            cov: sums.lags.estimates()?,
            kurtosis: kurtosis(&sums, known)?,
            shares: sums.bins.estimates()?,
            places,
            bins,
        }))
    }
}

/// The bins, from the first samples.
fn layout(drawn: &Drawn<'_>, places: &Places) -> Bins {
    let mut values = Vec::new();
    let blocks = PILOT.min(drawn.samples.div_ceil(BLOCK));
    drawn.blocks(0, blocks, |block, used| {
        values.extend(places.bases.iter().flat_map(|i| &block[*i][..used]));
    });
    Bins::fit(values)
}

/// Adds one sample.
fn add(sums: &mut Sums, places: &Places, bins: &Bins, x: &impl Fn(usize) -> f64, centre: &[f64]) {
    let share = 1.0 / places.bases.len() as f64;
    let gap = |i: usize| x(i) - centre[i];
    let gaps: Vec<f64> = places.bases.iter().map(|i| gap(*i)).collect();
    let (mut lags, mut cells) = (vec![0.0; places.partners.len()], vec![0.0; bins.count()]);
    for (sum, partners) in lags.iter_mut().zip(&places.partners) {
        *sum = share * gaps.iter().zip(partners).map(|(a, j)| a * gap(*j)).sum::<f64>();
    }
    for i in &places.bases {
        cells[bins.of(x(*i))] += share;
    }
    let fourth = share * gaps.iter().map(|a| a * a * a * a).sum::<f64>();
    sums.first.push(share * gaps.iter().sum::<f64>());
    sums.second.push(lags[0]);
    sums.fourth.push(fourth);
    sums.both.push(lags[0] + fourth);
    // The vectors have the length the accumulators were made for.
    let _ = (sums.lags.push(&lags), sums.bins.push(&cells));
}

/// The excess kurtosis: with a known variance an unbiased mean, else a ratio, whose error comes from both its parts.
fn kurtosis(sums: &Sums, known: Option<f64>) -> Result<Option<Estimate>, StatsError> {
    let (second, fourth) = (sums.second.estimate()?, sums.fourth.estimate()?);
    let var = known.unwrap_or(second.mean());
    if var < 1e-12 {
        return Ok(None);
    }
    let scale = 1.0 / (var * var);
    if known.is_some() {
        let excess = scale * fourth.mean() - 3.0;
        return Estimate::from_parts(excess, scale * fourth.se(), fourth.count()).map(Some);
    }
    let (u, v, both) = (second.se(), fourth.se(), sums.both.estimate()?.se());
    let together = 0.5 * (both * both - u * u - v * v);
    // d(v / u^2) = dv / u^2 - 2 v du / u^3.
    let slope = 2.0 * fourth.mean() / var;
    let square = v * v - 2.0 * slope * together + slope * slope * u * u;
    let se = scale * square.max(0.0).sqrt();
    Estimate::from_parts(scale * fourth.mean() - 3.0, se, fourth.count()).map(Some)
}
