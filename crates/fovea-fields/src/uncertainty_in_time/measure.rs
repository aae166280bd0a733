//! The path of every field through training, and when its uncertainty falls monotonically, up to noise.
//!
//! Every start is trained on `R` independent streams of samples. Between records `s < t` the height of a field (the entropy, or the
//! logarithm of a product) changes by `d_r` in stream `r`. The typical noise of such a change is the median of
//! `|d_r - d_q| / sqrt 2` over the fields of one kind of network and gain and over pairs of streams, divided by the median of a half-normal. A
//! field **rises** from `s` to `t` when the mean of its `d_r` exceeds the limit of one comparison (chance 1e-6) times
//! the larger of the typical noise and the field's own standard deviation of `d_r`, over `sqrt R`; it **falls monotonically up
//! to noise** where it rises between no two records.

use super::Net;
use fovea_core::agree::noise_limit;
use fovea_core::stats::{quantile, variance};
use fovea_desk::prelude::*;
use fovea_desk::replicas;
use std::f64::consts::FRAC_1_SQRT_2;

/// One measure of uncertainty.
pub struct Measure {
    /// Its column of the probe.
    pub name: &'static str,
    /// The same in words.
    pub(super) words: &'static str,
    /// Whether changes are those of its logarithm, as for products, and so factors.
    pub(super) log: bool,
}

impl Measure {
    /// A rise of the height, which is a factor where it is that of a logarithm.
    pub(super) fn rise(&self, height: f64) -> f64 {
        if self.log { libm::exp(height) } else { height }
    }
}

/// The first columns of the probe, in its order.
pub const MEASURES: [Measure; 4] = [
    Measure { name: "entropies", words: "the sum of entropies", log: false },
    Measure { name: "massar_spindel", words: "Massar and Spindel's sum", log: true },
    Measure { name: "circular", words: "the circular product", log: true },
    Measure { name: "analytic", words: "the circular product of the analytic signal", log: true },
];

/// One unit of one start.
pub(super) struct Field {
    /// `readings[replica][record][measure]`.
    pub(super) readings: Vec<Vec<[f64; 4]>>,
}

impl Field {
    /// The height of a measure, whose rises and falls are tested, in every replica, `[replica][record]`.
    fn heights(&self, measure: usize) -> Vec<Vec<f64>> {
        let height = |record: &[f64; 4]| {
            if MEASURES[measure].log { libm::log(record[measure]) } else { record[measure] }
        };
        self.readings.iter().map(|replica| replica.iter().map(height).collect()).collect()
    }

    /// The mean of a measure over the replicas, by record.
    pub(super) fn mean_path(&self, measure: usize) -> Vec<f64> {
        let mean = |t: usize| {
            self.readings.iter().map(|replica| replica[t][measure]).sum::<f64>()
                / self.readings.len() as f64
        };
        (0..self.readings[0].len()).map(mean).collect()
    }
}

/// All starts of one kind of network at one gain.
pub struct Case {
    pub(super) net: Net,
    pub(super) gain: f64,
    /// Training time of every record.
    pub(super) times: Vec<f64>,
    /// The units of the first start, then those of the second, and so on.
    pub(super) fields: Vec<Field>,
    /// The result for every measure.
    pub(super) verdicts: Vec<Verdicts>,
}

impl Case {
    /// `seeds` has the replicas of the first start, then those of the second, and so on.
    pub(super) fn new(
        (net, gain): (Net, f64),
        seeds: &Group<'_>,
        replicas: usize,
    ) -> Result<Self, LabError> {
        let times = seeds.runs[0].records().iter().map(|record| record.time).collect();
        let mut fields = Vec::new();
        for start in seeds.runs.chunks(replicas) {
            let paths: Vec<_> =
                start.iter().map(|run| run.readings(&probe::uncertainty::ENTRY)).collect();
            fields.extend((0..net.width).map(|unit| {
                let first = |units: &&[Vec<f64>]| std::array::from_fn(|m| units[unit][m]);
                let readings = paths.iter().map(|path| path.iter().map(first).collect()).collect();
                Field { readings }
            }));
        }
        let verdict = |measure: usize| Verdicts::of(&fields, net.width, measure);
        let verdicts = (0..MEASURES.len()).map(verdict).collect::<Result<_, LabError>>()?;
        Ok(Self { net, gain, times, fields, verdicts })
    }

    /// The mean path of every field, `MEASURE_GROUP[field][record]`.
    pub(super) fn arrays(&self) -> impl Iterator<Item = Array> {
        MEASURES.iter().enumerate().map(|(m, measure)| {
            let rows: Vec<_> = self.fields.iter().map(|field| field.mean_path(m)).collect();
            Array::of_rows(format!("{}_{}", measure.name, self.net.runs(self.gain)), &rows)
        })
    }
}

/// The cases of one kind of network, by gain.
pub(super) fn of_net(cases: &[Case], net: Net) -> impl Iterator<Item = &Case> {
    cases.iter().filter(move |case| case.net.name == net.name)
}

/// The result for one measure of one kind of network and gain.
pub(super) struct Verdicts {
    /// Mean at the first record, over starts.
    pub(super) start: Estimate,
    /// Mean at the last record.
    pub(super) end: Estimate,
    /// The lowest value of all.
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
    /// The rise furthest beyond its error.
    pub(super) clearest: Clearest,
}

/// Of all changes of a field between two records the one furthest above its error, and the number of all changes.
#[derive(Clone, Copy)]
pub(super) struct Clearest {
    pub(super) rise: f64,
    pub(super) error: f64,
    pub(super) among: usize,
    /// One more than the degrees of freedom of the error.
    pub(super) count: usize,
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
    /// The change of a field between two records, one number per stream.
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
        Ok([mean(&d), noise / (d.len() as f64).sqrt()])
    }
}

impl Verdicts {
    fn of(all: &[Field], width: usize, measure: usize) -> Result<Self, LabError> {
        let heights = Heights(all.iter().map(|field| field.heights(measure)).collect());
        let (fields, streams, last) =
            (heights.0.len(), heights.0[0].len(), heights.0[0][0].len() - 1);
        // Units of one network are not independent: a start counts once.
        let freedom = fields / width * (streams - 1);
        let limit = noise_limit(1, freedom as f64);
        let mut clearest =
            Clearest { rise: f64::NEG_INFINITY, error: 1.0, among: 0, count: freedom + 1 };
        let (mut falls, mut lower) = (vec![1.0; fields], vec![0.0; fields]);
        let (mut sizes, mut changes) = (vec![0.0_f64; fields], vec![0.0; fields]);
        let mut noticed = Vec::new();
        for t in 1..=last {
            for s in 0..t {
                let typical = heights.typical([s, t])?;
                noticed.push(limit * typical / (streams as f64).sqrt());
                for field in 0..fields {
                    let [rise, error] = heights.change(field, [s, t], typical)?;
                    sizes[field] = sizes[field].max(rise);
                    let further = rise / error > clearest.rise / clearest.error;
                    let among = clearest.among + 1;
                    clearest =
                        if further { Clearest { rise, error, ..clearest } } else { clearest };
                    clearest.among = among;
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
        let by_start = |values: &[f64]| values.chunks(width).map(mean).collect::<Vec<_>>();
        let paths: Vec<Vec<f64>> = all.iter().map(|field| field.mean_path(measure)).collect();
        let at = |t: usize| -> Vec<f64> { paths.iter().map(|path| path[t]).collect() };
        let records = all.iter().flat_map(|field| &field.readings).flatten();
        Ok(Self {
            start: Estimate::from_samples(&by_start(&at(0)))?,
            end: Estimate::from_samples(&by_start(&at(last)))?,
            least: records.map(|record| record[measure]).fold(f64::INFINITY, f64::min),
            falling: by_start(&falls),
            lower: by_start(&lower),
            fell: by_start(&changes).into_iter().map(libm::exp).collect(),
            noticed: quantile(&noticed, 0.5)?,
            rise: quantile(&sizes, 0.5)?,
            clearest,
        })
    }
}
