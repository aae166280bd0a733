//! When a field's uncertainty falls monotonically, up to noise.
//!
//! Every start is trained on `R` independent streams of samples. Between records `s < t` the height of a field (the entropy, or the
//! logarithm of a product) changes by `d_r` in stream `r`. The typical noise of such a change is the median of
//! `|d_r - d_q| / sqrt 2` over the fields of one kind of network and gain and over pairs of streams, divided by the median of a half-normal. A
//! field **rises** from `s` to `t` when the mean of its `d_r` exceeds the limit of one comparison (chance 1e-6) times
//! the larger of the typical noise and the field's own standard deviation of `d_r`, over `sqrt R`; it **falls monotonically up
//! to noise** where it rises between no two records.

use super::paths::Group;
use fovea_core::agree::noise_limit;
use fovea_core::stats::{Estimate, quantile, variance};
use fovea_desk::error::LabError;
use fovea_desk::replicas;
use std::f64::consts::FRAC_1_SQRT_2;

/// What became of one measure of one group.
pub(super) struct Verdicts {
    /// Mean reading at the first record, over starts.
    pub(super) start: Estimate,
    /// Mean reading at the last record.
    pub(super) end: Estimate,
    /// The lowest reading of all.
    pub(super) least: f64,
    /// For every start, the share of its units that fall monotonically.
    pub(super) falling: Vec<f64>,
    /// For every start, the share of its units that end below their start beyond noise.
    pub(super) lower: Vec<f64>,
    /// For every start, e to the mean change of the height of its units from first to last: end over start, for a product.
    pub(super) fell: Vec<f64>,
    /// The smallest rise that is beyond the typical noise, median over pairs of records.
    pub(super) noticed: f64,
    /// Median over fields of the largest rise of the height above an earlier record.
    pub(super) rise: f64,
}

/// A share with the standard error over starts, which is never below that of one start more or less.
///
/// # Errors
/// Too few starts.
pub fn share(starts: &[f64]) -> Result<Estimate, LabError> {
    let mean = Estimate::from_samples(starts)?;
    let hits = (mean.mean() * starts.len() as f64).round() as usize;
    let floor = replicas::share(hits, starts.len())?.se();
    let se = if mean.se() > 0.0 { mean.se() } else { floor };
    Ok(Estimate::from_parts(mean.mean(), se, starts.len())?)
}

/// The median of the absolute value of a standard normal.
pub const HALF_NORMAL_MEDIAN: f64 = 0.674_489_750_196_081_7;

/// Heights by field, stream and record.
pub struct Heights(pub Vec<Vec<Vec<f64>>>);

impl Heights {
    fn records(&self) -> usize {
        self.0[0][0].len()
    }

    /// The change of a field between two records, a number a stream.
    fn changes(&self, field: usize, [s, t]: [usize; 2]) -> Vec<f64> {
        self.0[field].iter().map(|stream| stream[t] - stream[s]).collect()
    }

    /// The typical noise of a change between two records in one stream.
    ///
    /// # Errors
    /// Too few streams.
    pub fn typical(&self, pair: [usize; 2]) -> Result<f64, LabError> {
        let mut gaps = Vec::new();
        for field in 0..self.0.len() {
            let d = self.changes(field, pair);
            for (r, a) in d.iter().enumerate() {
                gaps.extend(d[..r].iter().map(|b| (a - b).abs()));
            }
        }
        Ok(quantile(&gaps, 0.5)? * FRAC_1_SQRT_2 / HALF_NORMAL_MEDIAN)
    }

    /// The mean change of a field between two records, and its standard error.
    ///
    /// # Errors
    /// Too few streams.
    pub fn change(
        &self,
        field: usize,
        pair: [usize; 2],
        typical: f64,
    ) -> Result<[f64; 2], LabError> {
        let d = self.changes(field, pair);
        let noise = typical.max(variance(&d)?.sqrt()).max(f64::MIN_POSITIVE);
        let count = d.len() as f64;
        Ok([d.iter().sum::<f64>() / count, noise / count.sqrt()])
    }
}

impl Verdicts {
    pub(super) fn of(group: &Group, measure: usize) -> Result<Self, LabError> {
        let heights = Heights(group.fields.iter().map(|field| field.heights(measure)).collect());
        let (fields, last) = (heights.0.len(), heights.records() - 1);
        let streams = heights.0[0].len();
        // Units of one network are not independent: a start counts once.
        let limit = noise_limit(1, (fields / group.net.width * (streams - 1)) as f64);
        let (mut falls, mut sizes, mut lower) =
            (vec![1.0; fields], vec![0.0_f64; fields], vec![0.0; fields]);
        let (mut changes, mut noticed) = (vec![0.0; fields], Vec::new());
        for t in 1..=last {
            for s in 0..t {
                let typical = heights.typical([s, t])?;
                noticed.push(limit * typical / (streams as f64).sqrt());
                for field in 0..fields {
                    let [rise, error] = heights.change(field, [s, t], typical)?;
                    sizes[field] = sizes[field].max(rise);
                    if rise > limit * error {
                        falls[field] = 0.0;
                    }
                    if [s, t] == [0, last] {
                        changes[field] = rise;
                        lower[field] = f64::from(u8::from(-rise > limit * error));
                    }
                }
            }
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let by_start =
            |values: &[f64]| values.chunks(group.net.width).map(mean).collect::<Vec<_>>();
        let readings = |t: usize| -> Vec<f64> {
            group.fields.iter().map(|field| field.mean_path(measure)[t]).collect()
        };
        let all = group.fields.iter().flat_map(|field| &field.readings).flatten();
        Ok(Self {
            start: Estimate::from_samples(&by_start(&readings(0)))?,
            end: Estimate::from_samples(&by_start(&readings(last)))?,
            least: all.map(|record| record[measure]).fold(f64::INFINITY, f64::min),
            falling: by_start(&falls),
            lower: by_start(&lower),
            fell: by_start(&changes).into_iter().map(libm::exp).collect(),
            noticed: quantile(&noticed, 0.5)?,
            rise: quantile(&sizes, 0.5)?,
        })
    }
}
