//! One setting of the data: runs that share their starts, and the flow from every start.

use super::EarlyTime;
use fovea_core::stats::quantile;
use fovea_desk::prelude::*;
use fovea_desk::two_class::{GAUSSIAN_GAIN, at_records, first_note_flow};
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

/// Fields, one per record.
type Fields = Vec<Vec<f64>>;

/// One start: fields by record, of the flow and of every run.
pub struct Courses {
    /// The closed flow.
    pub flow: Fields,
    /// The wrong flow, where there is one.
    pub wrong: Option<Fields>,
    /// `runs[replica][record]`.
    pub runs: Vec<Fields>,
}

/// A case that was trained.
pub(super) struct Trial {
    pub(super) case: Case,
    /// Time at every record.
    pub(super) times: Vec<f64>,
    pub(super) starts: Vec<Courses>,
}

impl Case {
    pub(super) fn name(&self) -> String {
        format!("gain={},batch={}", Value::Real(self.gain), self.batch)
    }

    /// The name of the runs from one start.
    pub(super) fn of_start(&self, start: usize) -> String {
        format!("{},start={start}", self.name())
    }

    /// Descent on the flow at the learning rate of training, without its noise: exact on Gaussian data, else the amplifier's.
    fn flows(
        &self,
        settings: &EarlyTime,
        start: &[f64],
    ) -> Result<(Fields, Option<Fields>), LabError> {
        let two = settings.two_class();
        let schedule = (self.lr, self.steps, self.record_every);
        if self.gain <= GAUSSIAN_GAIN {
            let flow = two.matched_gaussian_flow(self.gain)?;
            let wrong = at_records(&first_note_flow(&flow), start, schedule);
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

impl Trial {
    /// Follows the flow of a case from every start.
    pub(super) fn of(
        settings: &EarlyTime,
        case: Case,
        runs: &Runs,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let groups: Vec<Group<'_>> =
            (0..case.starts).map(|start| runs.group(&case.of_start(start))).collect();
        let fields = |run: &&Trained| -> Fields {
            run.readings(&probe::weights::ENTRY).iter().map(|units| units[0].clone()).collect()
        };
        let starts = desk.try_fleet(&groups, |group| -> Result<Courses, LabError> {
            let runs: Vec<Fields> = group.runs.iter().map(fields).collect();
            let (flow, wrong) = case.flows(settings, &runs[0][0])?;
            Ok(Courses { flow, wrong, runs })
        })?;
        let times = groups[0].runs[0].records().iter().map(|record| record.time).collect();
        Ok(Self { case, times, starts })
    }

    /// The time at which each start splits; none for one that has not by the end.
    pub(super) fn splits(&self, factor: f64) -> Result<Vec<Option<f64>>, LabError> {
        let at = |start: &Courses| Ok(start.split(factor)?.map(|i| self.times[i]));
        self.starts.iter().map(at).collect()
    }
}

/// The square of the distance between two fields.
fn gap(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

impl Courses {
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
