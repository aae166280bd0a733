//! Which sites are compared and into which bins their values fall; sampling a stimulus and adding up what its moments are made of.

use super::Moments;
use fovea_core::lanes::BLOCK;
use fovea_core::stats::{Accumulator, StatsError, VectorAccumulator};
use fovea_core::streams::Stream;
use fovea_desk::exact::Exact;
use fovea_desk::prelude::*;
use fovea_sim::Stimulus;
use fovea_sim::stimulus::Element;

/// Blocks of a chunk, the unit of parallel work.
const CHUNK: usize = 64;

/// Blocks that are looked at to lay out the bins.
const PILOT: usize = 64;

/// Most sites of a sample that are looked at.
const MOST_BASES: usize = 64;

/// Most lags along an axis.
const MOST_LAGS: usize = 64;

/// Intervals that values are sorted into, open at both ends.
pub struct Bins {
    /// Where one ends and the next begins.
    pub(super) edges: Vec<f64>,
    /// The values themselves, where there are few: value `i` has bin `2 i + 1` and nothing lies between.
    pub(super) atoms: Option<Vec<f64>>,
}

/// Up to this number of different values each has a bin of its own.
const FEW: usize = 24;

impl Bins {
    /// Bins for values like these.
    pub fn fit(mut values: Vec<f64>) -> Self {
        const CELLS: usize = 40;
        values.sort_by(f64::total_cmp);
        let mut atoms = values.clone();
        atoms.dedup_by(|a, b| (*a - *b).abs() <= 1e-5 * b.abs().max(1e-3));
        if atoms.len() <= FEW {
            let gaps = atoms.windows(2).map(|pair| pair[1] - pair[0]);
            let near = 0.01 * gaps.fold(atoms[0].abs().max(1.0), f64::min);
            let edges = atoms.iter().flat_map(|x| [x - near, x + near]).collect();
            return Self { edges, atoms: Some(atoms) };
        }
        let at = |share: f64| values[(share * (values.len() - 1) as f64) as usize];
        // Not on the last value: where a distribution piles up at its end, rounding decides on which side of an edge it lies.
        let margin = 0.01 * (at(0.999) - at(0.001));
        let (low, high) = (at(0.001) - margin, at(0.999) + margin);
        let edge = |i: usize| low + (high - low) * i as f64 / CELLS as f64;
        Self { edges: (0..=CELLS).map(edge).collect(), atoms: None }
    }

    /// Number of bins.
    pub fn count(&self) -> usize {
        self.edges.len() + 1
    }

    /// The middle of every bin that has two ends and something in it; NaN for the others.
    pub(super) fn centres(&self) -> Vec<f64> {
        let inner = self.edges.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        let between = |bin: usize| self.atoms.is_some() && bin.is_multiple_of(2);
        let inner = (1..).zip(inner).map(|(bin, x)| if between(bin) { f64::NAN } else { x });
        [f64::NAN].into_iter().chain(inner).chain([f64::NAN]).collect()
    }

    /// The bin of a value.
    pub fn of(&self, x: f64) -> usize {
        self.edges.partition_point(|edge| *edge < x)
    }

    /// The probability of every bin under a distribution function.
    ///
    /// # Errors
    /// Those of the distribution function.
    pub fn probabilities<E>(&self, cdf: impl Fn(f64) -> Result<f64, E>) -> Result<Vec<f64>, E> {
        let mut ends = vec![0.0];
        for edge in &self.edges {
            ends.push(cdf(*edge)?);
        }
        ends.push(1.0);
        Ok(ends.windows(2).map(|pair| pair[1] - pair[0]).collect())
    }
}

/// Measured moments.
pub(super) struct Measured {
    /// The site whose covariances are compared with theory, and its partners by lag.
    pub(super) base: usize,
    pub(super) partners: Vec<usize>,
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
#[derive(Clone)]
struct Sums {
    /// First, second and fourth power; then second plus fourth, whose spread gives the covariance of the two.
    powers: [Accumulator; 4],
    /// Products by lag, then bins.
    entries: VectorAccumulator,
}

impl Sums {
    fn merge(mut self, other: &Self) -> Result<Self, StatsError> {
        self.powers.iter_mut().zip(&other.powers).for_each(|(sum, other)| sum.merge(other));
        self.entries.merge(&other.entries)?;
        Ok(self)
    }

    /// Adds one sample.
    fn add(&mut self, setup: &Setup<'_>, bins: &Bins, x: &impl Fn(usize) -> f64, centre: &[f64]) {
        let share = 1.0 / setup.bases.len() as f64;
        let gap = |i: usize| x(i) - centre[i];
        let gaps: Vec<f64> = setup.bases.iter().map(|i| gap(*i)).collect();
        let product = |partners: &Vec<usize>| {
            share * gaps.iter().zip(partners).map(|(a, j)| a * gap(*j)).sum::<f64>()
        };
        let mut entries: Vec<f64> = setup.partners.iter().map(product).collect();
        let (lags, second) = (entries.len(), entries[0]);
        entries.resize(lags + bins.count(), 0.0);
        for i in &setup.bases {
            entries[lags + bins.of(x(*i))] += share;
        }
        let first = share * gaps.iter().sum::<f64>();
        let fourth = share * gaps.iter().map(|a| a * a * a * a).sum::<f64>();
        let powers = [first, second, fourth, second + fourth];
        self.powers.iter_mut().zip(powers).for_each(|(sum, power)| sum.push(power));
        // The vector has the length the accumulator was made for.
        let _ = self.entries.push(&entries);
    }

    /// The excess kurtosis: with a known variance an unbiased mean, else a ratio, whose error comes from both its parts.
    fn kurtosis(&self, known: Option<f64>) -> Result<Option<Estimate>, StatsError> {
        let (second, fourth) = (self.powers[1].estimate()?, self.powers[2].estimate()?);
        let var = known.unwrap_or(second.mean());
        if var < 1e-12 {
            return Ok(None);
        }
        let scale = 1.0 / (var * var);
        let mut se = scale * fourth.se();
        if known.is_none() {
            let (u, v, both) = (second.se(), fourth.se(), self.powers[3].estimate()?.se());
            let together = 0.5 * (both * both - u * u - v * v);
            // d(v / u^2) = dv / u^2 - 2 v du / u^3.
            let slope = 2.0 * fourth.mean() / var;
            let square = v * v - 2.0 * slope * together + slope * slope * u * u;
            se = scale * square.max(0.0).sqrt();
        }
        Estimate::from_parts(scale * fourth.mean() - 3.0, se, fourth.count()).map(Some)
    }
}

/// A stimulus, its stream and what is asked of its samples.
struct Setup<'a> {
    settings: &'a Moments,
    stimulus: &'a dyn Stimulus,
    stream: Stream,
    /// The sites whose distribution is measured: spread evenly where all are alike, else the one asked for.
    bases: Vec<usize>,
    /// By lag along the last axis: the partner of every base.
    partners: Vec<Vec<usize>>,
}

impl<'a> Setup<'a> {
    fn new(settings: &'a Moments, stimulus: &'a dyn Stimulus, stream: Stream) -> Self {
        let (dim, side) = (stimulus.dim(), stimulus.shape().last().copied().unwrap_or(1));
        let alike = stimulus.declared().translation_invariant;
        let spread = (0..dim).step_by(dim.div_ceil(MOST_BASES));
        let bases: Vec<usize> = if alike { spread.collect() } else { vec![settings.site] };
        // Lags both ways are the same only where sites are alike.
        let lags = if alike { side / 2 + 1 } else { side }.min(MOST_LAGS);
        let partner = |site: usize, lag: usize| site / side * side + (site + lag) % side;
        let partners = |lag: usize| bases.iter().map(|base| partner(*base, lag)).collect();
        let partners = (0..lags).map(partners).collect();
        Self { settings, stimulus, stream, bases, partners }
    }

    /// Samples blocks `from` to `to` and shows each with how many of its samples count, in double precision.
    fn blocks(&self, from: usize, to: usize, mut see: impl FnMut(&[[f64; BLOCK]], usize)) {
        let dim = self.stimulus.dim();
        let (mut single, mut wide) = (vec![[0.0_f32; BLOCK]; dim], vec![[0.0_f64; BLOCK]; dim]);
        let (mut lanes, mut wide_lanes) = (Vec::new(), Vec::new());
        for at in from..to {
            let rng = &mut self.stream.block(0, at as u32);
            match self.settings.precision {
                Precision::Single => {
                    f32::fill(self.stimulus, rng, &mut lanes, &mut single);
                    for (wide, row) in wide.iter_mut().zip(&single) {
                        *wide = row.map(f64::from);
                    }
                }
                Precision::Double => f64::fill(self.stimulus, rng, &mut wide_lanes, &mut wide),
            }
            see(&wide, BLOCK.min(self.settings.samples - at * BLOCK));
        }
    }

    /// The same over all blocks, chunk by chunk; every chunk is one step of the progress display.
    fn chunks<R: Clone + Send + Sync>(
        &self,
        desk: &Desk<'_>,
        start: &R,
        see: impl Fn(&mut R, &[[f64; BLOCK]], usize) + Sync + Send,
    ) -> Result<Vec<R>, LabError> {
        let blocks = self.settings.samples.div_ceil(BLOCK);
        let chunks: Vec<usize> = (0..blocks.div_ceil(CHUNK)).collect();
        desk.fleet(&chunks, |chunk| {
            let (mut sums, to) = (start.clone(), blocks.min((chunk + 1) * CHUNK));
            self.blocks(chunk * CHUNK, to, |block, used| see(&mut sums, block, used));
            sums
        })
    }

    /// Mean of every site.
    fn means(&self, desk: &Desk<'_>) -> Result<Vec<f64>, LabError> {
        let mut total = vec![0.0; self.stimulus.dim()];
        let parts = self.chunks(desk, &total, |sums, block, used| {
            for (sum, row) in sums.iter_mut().zip(block) {
                *sum += row[..used].iter().sum::<f64>();
            }
        })?;
        for sums in parts {
            total.iter_mut().zip(&sums).for_each(|(total, sum)| *total += sum);
        }
        Ok(total.into_iter().map(|sum| sum / self.settings.samples as f64).collect())
    }

    /// The bins, from the first samples.
    fn bins(&self) -> Bins {
        let mut values = Vec::new();
        let blocks = PILOT.min(self.settings.samples.div_ceil(BLOCK));
        self.blocks(0, blocks, |block, used| {
            values.extend(self.bases.iter().flat_map(|i| &block[*i][..used]));
        });
        Bins::fit(values)
    }
}

impl Measured {
    /// Samples the stimulus; its sites are centred by the exact mean where that is known, else by the measured one.
    pub(super) fn new(
        settings: &Moments,
        stimulus: &dyn Stimulus,
        exact: Option<&Exact>,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let setup = Setup::new(settings, stimulus, desk.streams().named("moments"));
        let (bins, base, lags) = (setup.bins(), setup.bases[0], setup.partners.len());
        let centre = exact.map_or_else(|| setup.means(desk), |exact| Ok(exact.mean.clone()))?;
        let none = Sums {
            powers: std::array::from_fn(|_| Accumulator::new()),
            entries: VectorAccumulator::new(lags + bins.count()),
        };
        let parts = setup.chunks(desk, &none, |sums, block, used| {
            for s in 0..used {
                sums.add(&setup, &bins, &|i: usize| block[i][s], &centre);
            }
        })?;
        let sums = parts.iter().try_fold(none, Sums::merge)?;
        let shift = sums.powers[0].estimate()?;
        let mut cov = sums.entries.estimates()?;
        Ok(Self {
            mean: shift.scaled_and_shifted(1.0, centre[base])?,
            shares: cov.split_off(lags),
            cov,
            kurtosis: sums.kurtosis(exact.map(|exact| (exact.cov)(base, base)))?,
            base,
            partners: setup.partners.iter().map(|partners| partners[0]).collect(),
            bins,
        })
    }
}
