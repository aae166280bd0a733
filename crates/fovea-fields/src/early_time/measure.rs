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
    pub(super) descent: Descent,
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
        format!("gain={},batch={}", Value::Real(self.gain), self.descent.batch)
    }

    /// The name of the runs from one start.
    pub(super) fn of_start(&self, start: usize) -> String {
        format!("{},start={start}", self.name())
    }

    /// Adds to the runs from one start descent on the flow at the learning rate of training, without its noise: exact on Gaussian
    /// data, else the amplifier's.
    fn follow(&self, settings: &EarlyTime, runs: Vec<Fields>) -> Result<Courses, LabError> {
        let (two, start, every) = (settings.two_class(), &runs[0][0], self.record_every);
        let Descent { lr, steps, .. } = self.descent;
        if self.gain <= GAUSSIAN_GAIN {
            let exact = two.matched_gaussian_flow(self.gain)?;
            let at = |flow| at_records(flow, start, (lr, steps, every));
            let (flow, wrong) = (at(&exact), Some(at(&first_note_flow(&exact))));
            return Ok(Courses { flow, wrong, runs });
        }
        let [pos, neg] = two.kernels()?;
        let site = Site::Nlgp { gain: self.gain };
        let amplifier = AmplifierFlow::from_latent(site, &pos.first_row, &neg.first_row);
        let (mut flow, mut step) = (Vec::new(), 0);
        amplifier.euler_map(start, lr, steps, |_, w| {
            if step % every == 0 || step == steps {
                flow.push(w.to_vec());
            }
            step += 1;
        });
        Ok(Courses { flow, wrong: None, runs })
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
        let starts = desk.try_fleet(&groups, |group| case.follow(settings, group.fields()))?;
        Ok(Self { case, times: groups[0].times(), starts })
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

    /// Mean inverse participation ratio of the runs at a record.
    pub(super) fn ipr(&self, record: usize) -> f64 {
        self.runs.iter().map(|run| ipr(&run[record])).sum::<f64>() / self.runs.len() as f64
    }

    fn size(&self, record: usize) -> f64 {
        dot(&self.flow[record], &self.flow[record])
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
    /// Sum and difference of two independent errors of one distribution have one distribution, so that it is 0 on average where the flow is exact.
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
