//! Gates frozen during training, with linear units behind the gates of that moment from there on (L001.71, L003.68).
//!
//! The twins see batches of their own, smaller ones; what that alone does is measured on a twin whose gates stay free.

use super::{GateFlips, WEIGHTS};
use fovea_core::{ParamError, Value, activation};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::fleet::Trained;
use fovea_desk::two_class::relative_distance;
use fovea_record::outcome::Array;
use fovea_sim::network::Units;
use fovea_sim::train::{Ended, Progress, train};
use fovea_sim::{Bias, Network, Plan, Sgd, Times};

/// What freezing does at one gain: how far weights end from those of the network whose gates stay free, over the length of these.
pub(super) struct Frozen {
    pub(super) gain: f64,
    /// When gates were frozen, in steps.
    pub(super) steps: Vec<usize>,
    /// `[time][seed]`: frozen at these times.
    pub(super) distance: Vec<Vec<f64>>,
    /// The final gates held from the start.
    pub(super) final_gates: Vec<f64>,
    /// Nothing frozen: what the other batches alone do.
    pub(super) free: Vec<f64>,
}

/// Which gates a network is trained behind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gates {
    /// Those of a record, from there on.
    At(usize),
    /// The final ones, from the start.
    Final,
    /// Its own at every step, from the start.
    Free,
}

/// One network to be trained.
struct Job {
    arm: usize,
    seed: usize,
    gates: Gates,
}

impl Frozen {
    /// Freezes the gates of every network at every time asked for; nothing where a run was stopped or ran away.
    pub(super) fn all(
        settings: &GateFlips,
        trained: &[Trained<'_>],
        bench: &Bench<'_>,
    ) -> Result<Option<Vec<Self>>, LabError> {
        let steps = settings.recorded();
        let last = steps.len() - 1;
        // The recorded step next to each part of the training.
        let at = |part: &f64| ((part * last as f64).round() as usize).min(last);
        let mut records: Vec<usize> = settings.freeze.iter().map(at).collect();
        records.sort_unstable();
        records.dedup();
        let every: Vec<Gates> =
            records.iter().map(|r| Gates::At(*r)).chain([Gates::Final, Gates::Free]).collect();
        let mut jobs = Vec::new();
        for arm in 0..trained.len() {
            for &gates in &every {
                jobs.extend((0..settings.seeds).map(|seed| Job { arm, seed, gates }));
            }
        }
        let taken = trained.len() * settings.seeds * settings.steps;
        let more: usize = jobs.iter().map(|job| settings.steps - steps[job.begin()]).sum();
        bench.progress.expect((taken + more) as u64);
        let distances = bench
            .fleet(&jobs, |job| job.distance(settings, &trained[job.arm], &steps, bench))
            .into_iter()
            .collect::<Result<Option<Vec<f64>>, _>>()?;
        let Some(distances) = distances else { return Ok(None) };
        let of_arm = |(gain, all): (&f64, &[f64])| {
            let mut rows: Vec<Vec<f64>> = all.chunks(settings.seeds).map(<[f64]>::to_vec).collect();
            let free = rows.pop().unwrap_or_default();
            let final_gates = rows.pop().unwrap_or_default();
            let steps = records.iter().map(|record| steps[*record]).collect();
            Self { gain: *gain, steps, distance: rows, final_gates, free }
        };
        let arms = distances.chunks(settings.seeds * every.len());
        Ok(Some(settings.gain.iter().zip(arms).map(of_arm).collect()))
    }

    /// Networks, and those among them that end the nearer the later their gates are frozen.
    pub(super) fn in_order(&self) -> [usize; 2] {
        let falls = |seed: &usize| self.distance.windows(2).all(|w| w[1][*seed] < w[0][*seed]);
        let seeds = self.free.len();
        [seeds, (0..seeds).filter(falls).count()]
    }

    /// A row a time, a column a seed; then the final gates, then none frozen.
    pub(super) fn array(&self) -> Array {
        let ends = [&self.final_gates, &self.free];
        let rows: Vec<Vec<f64>> = self.distance.iter().chain(ends).cloned().collect();
        Array::of_rows(format!("frozen_gain={}", Value::Real(self.gain)), &rows)
    }
}

impl Job {
    /// The record at which training begins.
    fn begin(&self) -> usize {
        match self.gates {
            Gates::At(record) => record,
            Gates::Final | Gates::Free => 0,
        }
    }

    /// How far from the trained network its twin ends; nothing where its run was stopped or ran away.
    fn distance(
        &self,
        settings: &GateFlips,
        trained: &Trained<'_>,
        steps: &[usize],
        bench: &Bench<'_>,
    ) -> Result<Option<f64>, ParamError> {
        let run = &trained.runs[self.seed];
        let weights = |record: usize| run.records[record].readings[WEIGHTS].concat();
        let offsets = vec![0.0; settings.width];
        let units = match self.gates {
            Gates::At(record) => Units::Gated { gates: weights(record), offsets },
            Gates::Final => Units::Gated { gates: weights(steps.len() - 1), offsets },
            Gates::Free => Units::Activation((&activation::relu::ENTRY).into()),
        };
        let network = Network::new(&[settings.n], settings.width, units, Bias::None)
            .with(&weights(self.begin()), &vec![0.0; settings.width])?;
        let progress = Progress { step: steps[self.begin()] as u64, ..Progress::from(network) };
        let plan =
            Plan { record: Times::At(Vec::new()), eval_samples: 0, probes: &[], ..settings.plan() };
        let streams = bench.streams().part("frozen").part(&trained.arm.name);
        let streams = streams.replica(self.seed as u64);
        let sgd = Sgd::online(settings.lr, settings.freeze_batch);
        let twin = train(&trained.arm.task, progress, &sgd, &streams, &plan, bench);
        let end = (twin.ended == Ended::Completed)
            .then(|| relative_distance(twin.network.weights(), run.network.weights()));
        Ok(end)
    }
}
