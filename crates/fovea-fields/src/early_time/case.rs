//! One setting of the data: runs that share their starts, and the flow from every start.

use super::{EarlyTime, TWINS};
use fovea_core::Value;
use fovea_core::stats::quantile;
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::two_class::{GAUSSIAN_GAIN, at_records, one_unit};
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::train::train;
use fovea_sim::{Labels, Plan, Run, Sgd, Times, loss, probe};
use fovea_theory::site::Site;
use fovea_theory::{AmplifierFlow, UnitFlow};

/// One setting of the data and of training.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) gain: f64,
    pub(super) lr: f64,
    pub(super) batch: usize,
    pub(super) steps: usize,
    pub(super) record_every: usize,
    pub(super) starts: usize,
}

/// Fields, one a record.
type Fields = Vec<Vec<f64>>;

/// One start: fields by record, of the flow and of every run.
pub struct Start {
    /// The closed flow.
    pub flow: Fields,
    /// The wrong flow, where there is one.
    pub wrong: Option<Fields>,
    /// `runs[replica][record]`.
    pub runs: Vec<Fields>,
}

/// A case that was trained.
pub(super) struct Done {
    pub(super) case: Case,
    pub(super) starts: Vec<Start>,
    /// Every run, those of one start next to each other.
    pub(super) runs: Vec<Run>,
}

impl Case {
    pub(super) fn is_gaussian(&self) -> bool {
        self.gain <= GAUSSIAN_GAIN
    }

    pub(super) fn name(&self) -> String {
        format!("gain={},batch={}", Value::Real(self.gain), self.batch)
    }

    pub(super) fn curve(&self, start: usize, replica: usize) -> String {
        format!("{},start={start},replica={replica}", self.name())
    }

    pub(super) fn plan(&self, settings: &EarlyTime) -> Plan<'static> {
        Plan {
            steps: self.steps as u64,
            record: Times::Every(self.record_every as u64),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY],
            loss: &loss::mse::ENTRY,
            precision: settings.precision,
        }
    }

    /// Time at every record.
    pub(super) fn times(&self) -> Vec<f64> {
        let steps = (0..self.steps).step_by(self.record_every).chain([self.steps]);
        steps.map(|step| step as f64 * self.lr).collect()
    }

    pub(super) fn train(self, settings: &EarlyTime, bench: &Bench<'_>) -> Result<Done, LabError> {
        let task = settings.two_class().task(self.gain, Labels::Iid)?;
        let glorot = Glorot { init_scale: settings.init_scale };
        let mut starts = Vec::new();
        for start in 0..self.starts as u64 {
            // The same starts in every case.
            let streams = bench.streams().part("start").replica(start);
            starts.push(glorot.start(&[settings.n], 1, &streams)?.weights);
        }
        let (plan, sgd) = (self.plan(settings), Sgd::online(self.lr, self.batch));
        let jobs: Vec<usize> = (0..self.starts * TWINS).collect();
        let runs = bench.fleet(&jobs, |job| {
            let network = one_unit(&starts[job / TWINS])?;
            let streams = bench.streams().part(&self.name()).replica(*job as u64);
            Ok(train(&task, network, &sgd, &streams, &plan, bench))
        });
        let runs = runs.into_iter().collect::<Result<Vec<Run>, LabError>>()?;
        let fields = |run: &Run| run.records.iter().map(|r| r.readings[0][0].clone()).collect();
        let mut found = Vec::new();
        for (start, runs) in starts.iter().zip(runs.chunks(TWINS)) {
            let (flow, wrong) = self.flows(settings, start)?;
            found.push(Start { flow, wrong, runs: runs.iter().map(fields).collect() });
        }
        Ok(Done { case: self, starts: found, runs })
    }

    /// Descent on the flow at the learning rate of training, without its noise: exact on Gaussian data, else the amplifier's.
    fn flows(
        &self,
        settings: &EarlyTime,
        start: &[f64],
    ) -> Result<(Fields, Option<Fields>), LabError> {
        let two = settings.two_class();
        let schedule = (self.lr, self.steps, self.record_every);
        if self.is_gaussian() {
            let flow = two.matched_gaussian_flow(self.gain)?;
            let wrong = at_records(&super::first_note_flow(&flow), start, schedule);
            return Ok((at_records(&flow, start, schedule), Some(wrong)));
        }
        let [pos, neg] = two.kernels()?;
        let site = Site::Nlgp { gain: self.gain };
        let flow = AmplifierFlow::from_latent(site, &pos.first_row, &neg.first_row);
        let (mut fields, mut step) = (Vec::new(), 0);
        flow.euler_map(start, self.lr, self.steps, |_, w| {
            if step % self.record_every == 0 || step == self.steps {
                fields.push(w.to_vec());
            }
            step += 1;
        });
        Ok((fields, None))
    }
}

/// The square of the distance between two fields.
fn gap(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

impl Start {
    /// The mean field of the runs at a record.
    pub(super) fn mean(&self, record: usize) -> Vec<f64> {
        let rows: Vec<Vec<f64>> = self.runs.iter().map(|run| run[record].clone()).collect();
        fovea_desk::replicas::mean(&rows, None)
    }

    fn size(&self, record: usize) -> f64 {
        self.flow[record].iter().map(|w| w * w).sum()
    }

    /// Root mean square distance of a run from the flow, over the flow's norm.
    pub fn distance(&self, record: usize) -> f64 {
        let gaps: f64 = self.runs.iter().map(|run| gap(&run[record], &self.flow[record])).sum();
        (gaps / self.runs.len() as f64 / self.size(record)).sqrt()
    }

    /// Root mean square deviation of a run from what runs from this start have in common, over the flow's norm.
    pub fn noise(&self, record: usize) -> f64 {
        (self.variance(record) / self.size(record)).sqrt()
    }

    fn variance(&self, record: usize) -> f64 {
        let mean = self.mean(record);
        let gaps: f64 = self.runs.iter().map(|run| gap(&run[record], &mean)).sum();
        gaps / (self.runs.len() - 1) as f64
    }

    /// Logarithm of the squared distance of the mean run from a flow, over what noise alone would give it.
    ///
    /// Sum and difference of two independent errors of one law have one law, so that it is 0 on average where the flow is exact.
    pub fn excess(&self, flow: &[Vec<f64>], record: usize) -> f64 {
        let expected = self.variance(record) / self.runs.len() as f64;
        libm::log(gap(&self.mean(record), &flow[record]) / expected)
    }

    /// The noise early on: its median over the first tenth of the records.
    ///
    /// # Errors
    /// Too few records.
    pub fn early_noise(&self) -> Result<f64, LabError> {
        let early: Vec<f64> = (1..=self.flow.len().div_ceil(10)).map(|i| self.noise(i)).collect();
        Ok(quantile(&early, 0.5)?)
    }

    /// The first record at which the flow is further from the runs than `factor` times their early noise.
    ///
    /// # Errors
    /// Too few records.
    pub fn split(&self, factor: f64) -> Result<Option<usize>, LabError> {
        let most = factor * self.early_noise()?;
        Ok((1..self.flow.len()).find(|i| self.distance(*i) > most))
    }
}
