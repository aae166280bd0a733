//! The networks of one gain over training: flips counted and flips from the angles, kurtosis sampled and exact.

use super::GateFlips;
use fovea_core::stats::variance;
use fovea_desk::gains::name;
use fovea_desk::prelude::*;
use fovea_desk::replicas::share;
use fovea_desk::two_class::{GAUSSIAN_GAIN, relative_distance};
use fovea_sim::{Batch, plain};
use fovea_theory::cumulants::Cumulants;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::preact_kurtosis::preact_kurtosis;
use fovea_theory::relu::gate_agreement::gate_agreement;
use fovea_theory::{FormError, GaussianFlow};
use std::ops::Range;

/// All networks of one gain, and what freezing their gates does.
pub struct Course<'r> {
    pub(super) gain: f64,
    /// One network per seed.
    pub(super) networks: Vec<Network<'r>>,
    /// Relative distance of the final weights from those of the network whose gates stay free, by when gates are frozen: `[time][seed]`.
    pub(super) frozen: Vec<Vec<f64>>,
    /// The same with the final gates held from the start, and with nothing frozen: the effect of the twins' smaller batches alone.
    pub(super) controls: Vec<Vec<f64>>,
}

/// One network over time; what is measured or computed at records is `[record][unit]`.
pub(super) struct Network<'r> {
    /// Weights.
    pub(super) fields: Vec<&'r [Vec<f64>]>,
    /// Shares of held-out samples on the same side of the gate: as at the previous record, and at every record so far.
    pub(super) gates: Vec<&'r [Vec<f64>]>,
    /// The former by the angles, on Gaussian data of these covariances: over both classes, and over `pos` alone.
    pub(super) angles: Vec<Vec<Vec<f64>>>,
    /// Excess kurtosis on the held-out samples of `pos` and `neg`.
    pub(super) kurtosis: Vec<&'r [Vec<f64>]>,
    /// The exact one of the final field.
    pub(super) exact: Vec<Vec<f64>>,
    /// Gates on fresh samples.
    pub(super) fresh: Fresh,
}

/// Fresh samples on which gates are followed one by one.
const FRESH: usize = 4000;

/// Gates over all records on fresh samples, which are independent of each other.
pub struct Fresh {
    /// For each unit the standard deviation, over samples, of how often its gate flips.
    pub deviation: Vec<f64>,
    /// Flips of all units on one sample in the first tenth of the records.
    pub early: Estimate,
    /// The same in the last tenth.
    pub late: Estimate,
    /// Share of samples on which a gate still flips in the last tenth.
    pub unsettled: Estimate,
    /// Share of gates that differ from those at the end, record by record.
    pub unlike_final: Vec<f64>,
    /// For each part of the training the standard deviation, over samples, of the flips of all units.
    pub in_parts: Vec<f64>,
}

impl<'r> Course<'r> {
    pub(super) fn new(
        settings: &GateFlips,
        gain: f64,
        runs: &'r Runs,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let task = settings.two.task(gain, Labels::Balanced)?;
        let flow = settings.two.matched_gaussian_flow(gain)?;
        let classes = settings.two.kernels()?.map(|kernel| {
            let (latent, weak) = (kernel.first_row, gain <= GAUSSIAN_GAIN);
            let row: Vec<f64> = latent.iter().map(|rho| cov(*rho, gain)).collect();
            let cumulants = if weak { Cumulants::weak } else { Cumulants::nlgp };
            (row, cumulants(&latent, gain))
        });
        let kurtosis = |w: &Vec<f64>| {
            let of = |(row, cumulants): &(Vec<f64>, Cumulants)| {
                preact_kurtosis(row, cumulants, w).map_or(0.0, |pre| pre.excess_kurtosis)
            };
            classes.iter().map(of).collect()
        };
        let streams = desk.streams().part(&name(gain));
        let seeds: Vec<(u64, &Trained)> = (0..).zip(runs.group(&name(gain)).runs).collect();
        let networks = desk.try_fleet(&seeds, |(seed, run)| {
            let fields = run.readings(&probe::weights::ENTRY);
            let mut angles = vec![vec![vec![1.0; 2]; fields[0].len()]];
            for pair in fields.windows(2) {
                let units = pair[0].iter().zip(pair[1]).map(|(w, v)| agreement(&flow, w, v));
                angles.push(units.collect::<Result<_, _>>()?);
            }
            let batch = Batch::new(&task, &streams.replica(*seed), "final-gates", 0, FRESH);
            let samples: Vec<Vec<f64>> =
                plain::samples::<f32>(&batch).into_iter().map(|(x, _)| x).collect();
            Ok::<_, LabError>(Network {
                gates: run.readings(&probe::gates::ENTRY),
                angles,
                kurtosis: run.readings(&probe::kurtosis::ENTRY),
                exact: run.last(&probe::weights::ENTRY).iter().map(kurtosis).collect(),
                fresh: Fresh::new(&fields, &samples)?,
                fields,
            })
        })?;
        let weights = |group: &str| -> Vec<&[f64]> {
            runs.group(group).runs.iter().map(|run| run.network().weights()).collect()
        };
        let distance = |(kind, ..): (String, _, _)| -> Vec<f64> {
            let twins = weights(&format!("{},{kind}", name(gain)));
            let pairs = twins.into_iter().zip(weights(&name(gain)));
            pairs.map(|(twin, network)| relative_distance(twin, network)).collect()
        };
        let mut frozen: Vec<Vec<f64>> = settings.kinds().into_iter().map(distance).collect();
        let controls = frozen.split_off(frozen.len() - 2);
        Ok(Self { gain, networks, frozen, controls })
    }

    /// Whether the data count as Gaussian.
    pub(super) fn is_gaussian(&self) -> bool {
        self.gain <= GAUSSIAN_GAIN
    }

    /// Excess kurtosis of every unit and class at the end: sampled, and exact.
    pub(super) fn kurtoses(&self) -> [Vec<f64>; 2] {
        let last = |network: &Network<'r>| network.kurtosis[network.kurtosis.len() - 1];
        let sampled = self.networks.iter().flat_map(last).flat_map(|row| [row[0], row[1]]);
        let exact = self.networks.iter().flat_map(|network| &network.exact).flatten();
        [sampled.collect(), exact.copied().collect()]
    }

    /// Flips of the first network since the previous record: counted, and by the angles.
    pub(super) fn flips(&self) -> [Array; 2] {
        let (name, network) = (name(self.gain), &self.networks[0]);
        [
            Array::of_rows(format!("flips_{name}"), &flipped(&network.gates)),
            Array::of_rows(format!("flips_by_angle_{name}"), &flipped(&network.angles)),
        ]
    }

    /// Distances behind frozen gates, a row per time and a column per seed; then the final gates, then none frozen.
    pub(super) fn distances(&self) -> Array {
        let rows = [&self.frozen[..], &self.controls].concat();
        Array::of_rows(format!("frozen_{}", name(self.gain)), &rows)
    }
}

/// The share that flipped, of every unit at every record, where the first column is the share that did not.
fn flipped(kept: &[impl AsRef<[Vec<f64>]>]) -> Vec<Vec<f64>> {
    kept.iter().map(|units| units.as_ref().iter().map(|row| 1.0 - row[0]).collect()).collect()
}

impl<'r> Network<'r> {
    /// Records after the first.
    pub(super) fn records(&self) -> Range<usize> {
        1..self.fields.len()
    }

    /// Flips since the previous record over these records, mean over units and records.
    pub(super) fn flips(&self, records: &Range<usize>) -> f64 {
        mean(&records.clone().map(|r| 1.0 - mean_unit(self.gates[r])).collect::<Vec<_>>())
    }

    /// The fields at the start and at the end.
    pub(super) fn ends(&self) -> [&'r [Vec<f64>]; 2] {
        [self.fields[0], self.fields[self.fields.len() - 1]]
    }

    /// The share of gates that never moved so far, mean over units, at every record.
    pub(super) fn never_moved(&self) -> Vec<f64> {
        let units = |units: &&[Vec<f64>]| mean(&units.iter().map(|row| row[1]).collect::<Vec<_>>());
        self.gates.iter().map(units).collect()
    }
}

/// The agreement of two gates on Gaussian data: over both classes, and over `pos` alone.
fn agreement(flow: &GaussianFlow, w: &[f64], v: &[f64]) -> Result<Vec<f64>, FormError> {
    // Training leaves no field without variance; the form itself says so where one is given.
    let over =
        |other: &Vec<f64>| gate_agreement(&flow.eigs_pos, other, w, v).ok_or(FormError::Undefined);
    [&flow.eigs_neg, &flow.eigs_pos].into_iter().map(over).collect()
}

/// The first and the last tenth of this many records; nothing can flip at the first of them.
pub(super) fn tenths(records: usize) -> [Range<usize>; 2] {
    let tenth = ((records - 1) / 10).max(1);
    [1..1 + tenth, records - tenth..records]
}

/// This many records, but for the first, in ten parts as even as possible, or one per record where they are fewer.
pub(super) fn parts(records: usize) -> Vec<Range<usize>> {
    let (all, count) = (records - 1, (records - 1).min(10));
    (0..count).map(|part| 1 + part * all / count..1 + (part + 1) * all / count).collect()
}

impl Fresh {
    /// The gates of these samples at the fields of every record.
    ///
    /// # Errors
    /// Too few records or samples for a mean.
    pub fn new(fields: &[impl AsRef<[Vec<f64>]>], samples: &[Vec<f64>]) -> Result<Self, LabError> {
        let (records, units) = (fields.len(), fields[0].as_ref().len());
        let [first, last] = tenths(records);
        let mut flips: Vec<Vec<f64>> = vec![Vec::new(); units];
        let (mut early, mut late) = (Vec::new(), Vec::new());
        let mut unlike = vec![0_usize; records];
        let parts = parts(records);
        let mut in_parts: Vec<Vec<f64>> = vec![Vec::new(); parts.len()];
        for x in samples {
            let open = |w: &Vec<f64>| dot(w, x) >= 0.0;
            let gates: Vec<Vec<bool>> =
                fields.iter().map(|units| units.as_ref().iter().map(open).collect()).collect();
            let apart =
                |a: usize, b: usize| gates[a].iter().zip(&gates[b]).filter(|(a, b)| a != b).count();
            let during = |records: &Range<usize>| {
                records.clone().map(|record| apart(record - 1, record)).sum::<usize>() as f64
            };
            for (unit, flips) in flips.iter_mut().enumerate() {
                let flips_now = gates.windows(2).filter(|pair| pair[0][unit] != pair[1][unit]);
                flips.push(flips_now.count() as f64);
            }
            for (record, unlike) in unlike.iter_mut().enumerate() {
                *unlike += apart(record, records - 1);
            }
            for (flips, part) in in_parts.iter_mut().zip(&parts) {
                flips.push(during(part));
            }
            early.push(during(&first));
            late.push(during(&last));
        }
        let still = late.iter().filter(|count| **count > 0.0).count();
        let all = (samples.len() * units) as f64;
        let deviation = |flips: &Vec<f64>| Ok(variance(flips)?.sqrt());
        Ok(Self {
            deviation: flips.iter().map(deviation).collect::<Result<_, LabError>>()?,
            in_parts: in_parts.iter().map(deviation).collect::<Result<_, LabError>>()?,
            early: Estimate::from_samples(&early)?,
            late: Estimate::from_samples(&late)?,
            unsettled: share(still, samples.len())?,
            unlike_final: unlike.iter().map(|count| *count as f64 / all).collect(),
        })
    }
}
