//! What the networks of one gain went through: flips counted and flips from the angles, kurtosis sampled and exact.

use super::{FINAL, FREE, GateFlips, name};
use fovea_core::stats::variance;
use fovea_desk::prelude::*;
use fovea_desk::replicas::share;
use fovea_desk::two_class::{GAUSSIAN_GAIN, relative_distance};
use fovea_sim::{Batch, plain};
use fovea_theory::GaussianFlow;
use fovea_theory::cumulants::Cumulants;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::preact_kurtosis::preact_kurtosis;
use fovea_theory::relu::gate_agreement::gate_agreement;

/// All networks of one gain.
pub(super) struct Course {
    pub(super) gain: f64,
    /// One network per seed.
    pub(super) networks: Vec<Network>,
}

/// One network over time; everything is `[record][unit]`.
pub(super) struct Network {
    /// Weights.
    pub(super) fields: Vec<Vec<Vec<f64>>>,
    /// Share of held-out samples on the same side of the gate as at the record before.
    pub(super) kept: Vec<Vec<f64>>,
    /// Share on the same side at every record so far.
    pub(super) never_moved: Vec<Vec<f64>>,
    /// What the angles say of `kept` on Gaussian data of these covariances: over both classes, over `pos`, over `neg`.
    pub(super) angles: Vec<Vec<[f64; 3]>>,
    /// Excess kurtosis on the held-out samples of `pos` and `neg`.
    pub(super) kurtosis: Vec<Vec<[f64; 2]>>,
    /// The exact one of the final field.
    pub(super) exact: Vec<[f64; 2]>,
    /// What gates do on fresh samples.
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
    /// Share of gates that are not as at the end, record by record.
    pub unlike_final: Vec<f64>,
}

impl Course {
    pub(super) fn new(
        settings: &GateFlips,
        gain: f64,
        runs: &Runs,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let task = settings.two_class().task(gain, Labels::Balanced)?;
        let flow = settings.two_class().matched_gaussian_flow(gain)?;
        let latent = settings.two_class().kernels()?.map(|kernel| kernel.first_row);
        let rows = latent
            .each_ref()
            .map(|row| row.iter().map(|rho| cov(*rho, gain)).collect::<Vec<f64>>());
        let cumulants = latent.each_ref().map(|row| {
            if gain <= GAUSSIAN_GAIN {
                Cumulants::weak(row, gain)
            } else {
                Cumulants::nlgp(row, gain)
            }
        });
        let kurtosis = |w: &Vec<f64>| {
            [0, 1].map(|c| {
                preact_kurtosis(&rows[c], &cumulants[c], w).map_or(0.0, |pre| pre.excess_kurtosis)
            })
        };
        let streams = desk.streams().part(&name(gain));
        let runs: Vec<(u64, &Trained)> = (0..).zip(runs.group(&name(gain)).runs).collect();
        let networks = desk.try_fleet(&runs, |(seed, run)| {
            let exact = run.last(&probe::weights::ENTRY).iter().map(kurtosis).collect();
            let batch = Batch::new(&task, &streams.replica(*seed), "final-gates", 0, FRESH);
            let samples: Vec<Vec<f64>> =
                plain::samples::<f32>(&batch).into_iter().map(|(x, _)| x).collect();
            Network::new(run, &flow, exact, &samples)
        })?;
        Ok(Self { gain, networks })
    }

    /// Whether the data count as Gaussian.
    pub(super) fn is_gaussian(&self) -> bool {
        self.gain <= GAUSSIAN_GAIN
    }

    /// One number a network.
    pub(super) fn each(&self, of: impl Fn(&Network) -> f64) -> Vec<f64> {
        self.networks.iter().map(of).collect()
    }

    /// Excess kurtosis, sampled and exact, of every unit and class at the end.
    pub(super) fn kurtoses(&self) -> Vec<[f64; 2]> {
        let of = |network: &Network| -> Vec<[f64; 2]> {
            let last = &network.kurtosis[network.kurtosis.len() - 1];
            let pairs = last.iter().zip(&network.exact);
            pairs.flat_map(|(k, e)| [[k[0], e[0]], [k[1], e[1]]]).collect()
        };
        self.networks.iter().flat_map(of).collect()
    }

    /// Flips of the first network since the record before: counted, and by the angles.
    pub(super) fn arrays(&self) -> Vec<Array> {
        let (name, network) = (name(self.gain), &self.networks[0]);
        let closed: Vec<Vec<f64>> = network
            .angles
            .iter()
            .map(|units| units.iter().map(|angle| 1.0 - angle[0]).collect())
            .collect();
        let counted: Vec<Vec<f64>> = network
            .kept
            .iter()
            .map(|units| units.iter().map(|kept| 1.0 - kept).collect())
            .collect();
        vec![
            Array::of_rows(format!("flips_{name}"), &counted),
            Array::of_rows(format!("flips_by_angle_{name}"), &closed),
        ]
    }
}

impl Network {
    fn new(
        run: &Trained,
        flow: &GaussianFlow,
        exact: Vec<[f64; 2]>,
        samples: &[Vec<f64>],
    ) -> Result<Self, LabError> {
        let gates = run.readings(&probe::gates::ENTRY);
        let column = |c: usize| -> Vec<Vec<f64>> {
            gates.iter().map(|units| units.iter().map(|row| row[c]).collect()).collect()
        };
        let fields: Vec<Vec<Vec<f64>>> =
            run.readings(&probe::weights::ENTRY).into_iter().map(<[Vec<f64>]>::to_vec).collect();
        let kurtosis = run.readings(&probe::kurtosis::ENTRY).into_iter();
        let kurtosis =
            kurtosis.map(|units| units.iter().map(|row| [row[0], row[1]]).collect()).collect();
        let mut angles = vec![vec![[1.0; 3]; fields[0].len()]];
        for pair in fields.windows(2) {
            let units = pair[0].iter().zip(&pair[1]).map(|(w, v)| agreement(flow, w, v));
            angles.push(units.collect::<Result<_, _>>()?);
        }
        let (kept, never_moved) = (column(0), column(1));
        let fresh = Fresh::new(&fields, samples)?;
        Ok(Self { fields, kept, never_moved, angles, kurtosis, exact, fresh })
    }

    /// Records after the first.
    pub(super) fn records(&self) -> std::ops::Range<usize> {
        1..self.fields.len()
    }

    /// Flips since the record before over the first or the last tenth of the records, mean over units and records.
    pub(super) fn flips(&self, records: std::ops::Range<usize>) -> f64 {
        let of = |r: usize| 1.0 - mean(&self.kept[r]);
        mean(&records.map(of).collect::<Vec<_>>())
    }

    /// Cosine of the fields at the start and at the end, mean over units.
    pub(super) fn overlap(&self) -> f64 {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let pairs = self.fields[0].iter().zip(&self.fields[self.fields.len() - 1]);
        let cosines = pairs.map(|(w, v)| dot(w, v) / (dot(w, w) * dot(v, v)).sqrt());
        mean(&cosines.collect::<Vec<_>>())
    }

    /// The share of gates that never moved, mean over units.
    pub(super) fn p_unif(&self) -> f64 {
        mean(&self.never_moved[self.never_moved.len() - 1])
    }
}

pub(super) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The agreement of two gates on Gaussian data: over both classes, over `pos`, over `neg`.
fn agreement(flow: &GaussianFlow, w: &[f64], v: &[f64]) -> Result<[f64; 3], LabError> {
    let over = |pos: &[f64], neg: &[f64]| gate_agreement(pos, neg, w, v);
    let (pos, neg) = (&flow.eigs_pos, &flow.eigs_neg);
    // Training leaves no field without variance; the form itself says so where one is given.
    let undefined = || LabError::from(fovea_theory::FormError::Undefined);
    Ok([
        over(pos, neg).ok_or_else(undefined)?,
        over(pos, pos).ok_or_else(undefined)?,
        over(neg, neg).ok_or_else(undefined)?,
    ])
}

/// The first and the last tenth of so many records; nothing can flip at the first of them.
pub(super) fn tenths(records: usize) -> [std::ops::Range<usize>; 2] {
    let tenth = ((records - 1) / 10).max(1);
    [1..1 + tenth, records - tenth..records]
}

impl Fresh {
    /// The gates of these samples at the fields of every record.
    ///
    /// # Errors
    /// Too few records or samples for a mean.
    pub fn new(fields: &[Vec<Vec<f64>>], samples: &[Vec<f64>]) -> Result<Self, LabError> {
        let open = |w: &[f64], x: &[f64]| w.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() >= 0.0;
        let gates = |record: usize, x: &[f64]| -> Vec<bool> {
            fields[record].iter().map(|w| open(w, x)).collect()
        };
        let (records, units) = (fields.len(), fields[0].len());
        let [first, last] = tenths(records);
        let mut flips: Vec<Vec<f64>> = vec![Vec::new(); units];
        let (mut early, mut late) = (Vec::new(), Vec::new());
        let mut unlike = vec![0_usize; records];
        for x in samples {
            let mut counts = vec![0_usize; units];
            let mut tenth = [0_usize; 2];
            let (end, mut before) = (gates(records - 1, x), gates(0, x));
            for (record, unlike) in unlike.iter_mut().enumerate() {
                let now = gates(record, x);
                for (count, (a, b)) in counts.iter_mut().zip(before.iter().zip(&now)) {
                    let flipped = usize::from(a != b);
                    *count += flipped;
                    tenth[0] += flipped * usize::from(first.contains(&record));
                    tenth[1] += flipped * usize::from(last.contains(&record));
                }
                *unlike += now.iter().zip(&end).filter(|(a, b)| a != b).count();
                before = now;
            }
            for (flips, count) in flips.iter_mut().zip(counts) {
                flips.push(count as f64);
            }
            early.push(tenth[0] as f64);
            late.push(tenth[1] as f64);
        }
        let still = late.iter().filter(|count| **count > 0.0).count();
        let all = (samples.len() * units) as f64;
        let deviation = |flips: &Vec<f64>| Ok(variance(flips)?.sqrt());
        Ok(Self {
            deviation: flips.iter().map(deviation).collect::<Result<_, LabError>>()?,
            early: Estimate::from_samples(&early)?,
            late: Estimate::from_samples(&late)?,
            unsettled: share(still, samples.len())?,
            unlike_final: unlike.iter().map(|count| *count as f64 / all).collect(),
        })
    }
}

/// What freezing does at one gain: how far weights end from those of the network whose gates stay free, over the length of these.
///
/// The twins see batches of their own, smaller ones; what that alone does is measured on a twin whose gates stay free.
pub(super) struct Frozen {
    pub(super) gain: f64,
    /// When gates were frozen, in steps.
    pub(super) steps: Vec<u64>,
    /// `[time][seed]`: frozen at these times.
    pub(super) distance: Vec<Vec<f64>>,
    /// The final gates held from the start.
    pub(super) final_gates: Vec<f64>,
    /// Nothing frozen: what the other batches alone do.
    pub(super) free: Vec<f64>,
}

impl Frozen {
    pub(super) fn new(settings: &GateFlips, gain: f64, runs: &Runs) -> Self {
        let arm = name(gain);
        let distance = |twins: &str| -> Vec<f64> {
            let (twins, networks) = (runs.group(&format!("{arm},{twins}")), runs.group(&arm));
            let pairs = twins.runs.iter().zip(&networks.runs);
            pairs
                .map(|(a, b)| relative_distance(a.network().weights(), b.network().weights()))
                .collect()
        };
        let steps = settings.frozen_at();
        Self {
            gain,
            distance: steps.iter().map(|step| distance(&super::frozen(*step))).collect(),
            steps,
            final_gates: distance(FINAL),
            free: distance(FREE),
        }
    }

    /// Networks, and those among them that end the nearer the later their gates are frozen.
    pub(super) fn in_order(&self) -> [usize; 2] {
        let falls = |seed: &usize| self.distance.windows(2).all(|w| w[1][*seed] < w[0][*seed]);
        let seeds = self.free.len();
        [seeds, (0..seeds).filter(falls).count()]
    }

    /// A row per time, a column per seed; then the final gates, then none frozen.
    pub(super) fn array(&self) -> Array {
        let ends = [&self.final_gates, &self.free];
        let rows: Vec<Vec<f64>> = self.distance.iter().chain(ends).cloned().collect();
        Array::of_rows(format!("frozen_{}", name(self.gain)), &rows)
    }
}
