//! One run followed: the ratio of the two terms, the distance to the matched Gaussian, the kurtosis; and means over starts.

use super::{Handover, Size, name};
use fovea_core::ring::{circulant_apply, unfold};
use fovea_core::stats::VectorAccumulator;
use fovea_desk::prelude::*;
use fovea_desk::two_class::{GAUSSIAN_GAIN, at_records, first_note_flow, relative_distance};
use fovea_sim::sample::Sample;
use fovea_theory::GaussianFlow;
use fovea_theory::relu::f_gauss::f_gauss;

/// What is followed along a run, at every record.
pub(super) struct Path {
    /// Time of every record.
    pub(super) times: Vec<f64>,
    /// `|1/2 f| / |1/4 M w|`.
    pub(super) ratio: Vec<f64>,
    /// Relative distance to the flow of the matched Gaussian from the same start.
    pub(super) distance: Vec<f64>,
    /// Excess kurtosis of the preactivation on class pos.
    pub(super) kurtosis: Vec<f64>,
    /// Where the ratio first reaches the level: in the run, in the closed flow of the matched Gaussian, in the first note's.
    pub(super) crossings: [Option<f64>; 3],
}

/// The covariances of both classes, as first rows.
pub struct Rows {
    /// That of class `pos`.
    pub pos: Vec<f64>,
    /// The sum of both.
    pub sum: Vec<f64>,
}

impl Rows {
    /// The rows behind the eigenvalues of a flow.
    pub fn of(flow: &GaussianFlow) -> Self {
        let n = flow.n();
        let row = |eigs: &[f64]| -> Vec<f64> {
            let half: Vec<f64> = (0..=n / 2)
                .map(|d| {
                    let wave = |k: usize| eigs[k] * fovea_core::fourier::cos_turns(k * d % n, n);
                    (0..n).map(wave).sum::<f64>() / n as f64
                })
                .collect();
            unfold(&half, n)
        };
        let (pos, neg) = (row(&flow.eigs_pos), row(&flow.eigs_neg));
        let sum = pos.iter().zip(&neg).map(|(p, n)| p + n).collect();
        Self { pos, sum }
    }

    /// `|1/2 f| / |1/4 M w|` for a gated mean.
    fn ratio(&self, w: &[f64], f: &[f64]) -> f64 {
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        2.0 * norm(f) / norm(&circulant_apply(&self.sum, w))
    }
}

impl Path {
    /// Follows a run; `flow` is that of the matched Gaussian and `sample` a fixed one of class pos.
    pub(super) fn follow(
        settings: &Handover,
        run: &Trained,
        flow: &GaussianFlow,
        sample: &Sample,
        gain: f64,
    ) -> Self {
        let fields: Vec<&Vec<f64>> =
            run.readings(&probe::weights::ENTRY).into_iter().map(|units| &units[0]).collect();
        let times: Vec<f64> = run.records().iter().map(|record| record.time).collect();
        let rows = Rows::of(flow);
        let schedule = (settings.lr, settings.steps, settings.record_every);
        let closed = at_records(flow, fields[0], schedule);
        let source = at_records(&first_note_flow(flow), fields[0], schedule);
        let gaussian = |w: &[f64]| rows.ratio(w, &f_gauss(&rows.pos, w));
        // On Gaussian data f is known; a sample of it would only add noise to the time of the crossing.
        let measured = |w: &[f64]| {
            if gain <= GAUSSIAN_GAIN { gaussian(w) } else { rows.ratio(w, &sample.gated_mean(w)) }
        };
        let ratio: Vec<f64> = fields.iter().map(|w| measured(w)).collect();
        let along = |fields: &[Vec<f64>], factor: f64| -> Vec<f64> {
            fields.iter().map(|w| factor * gaussian(w)).collect()
        };
        let crossings = [
            crossing(&times, &ratio, settings.level),
            crossing(&times, &along(&closed, 1.0), settings.level),
            crossing(&times, &along(&source, 0.5), settings.level),
        ];
        Self {
            distance: fields.iter().zip(&closed).map(|(w, v)| relative_distance(w, v)).collect(),
            kurtosis: fields.iter().map(|w| sample.excess_kurtosis(w)).collect(),
            times,
            ratio,
            crossings,
        }
    }
}

/// Where a series that begins below `level` first reaches it, between records on a straight line.
pub fn crossing(times: &[f64], ratio: &[f64], level: f64) -> Option<f64> {
    let after = ratio.iter().position(|r| *r >= level)?;
    let before = after.checked_sub(1)?;
    let share = (level - ratio[before]) / (ratio[after] - ratio[before]);
    Some(times[before] + share * (times[after] - times[before]))
}

/// The runs of one gain and one size of start, as means over the starts.
pub struct Means {
    pub(super) gain: f64,
    pub(super) size: Size,
    pub(super) times: Vec<f64>,
    pub(super) ratio: Vec<Estimate>,
    pub(super) distance: Vec<Estimate>,
    pub(super) kurtosis: Vec<Estimate>,
    /// Mean time of the hand-over: in the runs, in the closed flow, in the first note's.
    time: Option<Estimate>,
    flow_time: Option<f64>,
    source_time: Option<f64>,
    /// Run minus closed flow, start by start.
    time_gap: Option<Estimate>,
}

impl Means {
    pub(super) fn of(gain: f64, size: Size, paths: &[Path]) -> Result<Self, LabError> {
        let mean = |of: fn(&Path) -> &Vec<f64>| {
            let mut sums = VectorAccumulator::new(paths[0].times.len());
            paths.iter().try_for_each(|path| sums.push(of(path)))?;
            sums.estimates()
        };
        let whole: Vec<[f64; 3]> = paths
            .iter()
            .filter_map(|path| {
                let [run, flow, source] = path.crossings;
                Some([run?, flow?, source?])
            })
            .collect();
        let average = |i: usize| {
            let sum: f64 = whole.iter().map(|times| times[i]).sum();
            (!whole.is_empty()).then(|| sum / whole.len() as f64)
        };
        let gaps: Vec<f64> = whole.iter().map(|times| times[0] - times[1]).collect();
        let runs: Vec<f64> = paths.iter().filter_map(|path| path.crossings[0]).collect();
        Ok(Self {
            gain,
            size,
            times: paths[0].times.clone(),
            ratio: mean(|path| &path.ratio)?,
            distance: mean(|path| &path.distance)?,
            kurtosis: mean(|path| &path.kurtosis)?,
            time: Estimate::from_samples(&runs).ok(),
            flow_time: average(1),
            source_time: average(2),
            time_gap: Estimate::from_samples(&gaps).ok(),
        })
    }

    /// `gain 3`.
    pub(super) fn label(&self) -> String {
        format!("gain {}", Value::Real(self.gain))
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let name = name(self.gain, self.size);
        let means = |of: &[Estimate]| of.iter().map(Estimate::mean).collect::<Vec<f64>>();
        vec![
            Array::of_entries(format!("times_{name}"), &self.times),
            Array::of_entries(format!("ratio_{name}"), &means(&self.ratio)),
            Array::of_entries(format!("distance_{name}"), &means(&self.distance)),
            Array::of_entries(format!("kurtosis_{name}"), &means(&self.kurtosis)),
        ]
    }

    /// On Gaussian data the hand-over comes when the closed flow says (L000.43).
    pub(super) fn claim(&self) -> Option<Claim> {
        let theory = self.flow_time.filter(|_| self.gain <= GAUSSIAN_GAIN)?;
        // Start by start the two times differ by the noise of training alone, which is what decides.
        let gap = self.time_gap?;
        let estimate = Estimate::from_parts(theory + gap.mean(), gap.se(), gap.count()).ok()?;
        let statement = format!(
            "on Gaussian data from {} starts the gated term has grown to its share of the linear one when the closed flow says",
            self.size.word()
        );
        let claim = Claim::family("L000.43", statement, &[(estimate, theory)]);
        Some(claim.rejecting(
            "the first note's flow, whose linear term is twice as large (L000.3)",
            &[(estimate, self.source_time?)],
        ))
    }

    fn line(&self) -> String {
        let time = self.time.map_or_else(
            || format!("{:>17}", "at once"),
            |time| format!("{:>8.2} +- {:<5.2}", time.mean(), time.se()),
        );
        let flow = self.flow_time.map_or_else(|| "-".to_owned(), |time| format!("{time:.2}"));
        let last = |of: &[Estimate]| of.last().map_or(0.0, Estimate::mean);
        format!(
            "{:>8} {:>7} {:>8.3} {time} {flow:>9} {:>9.3} {:>9.3}",
            Value::Real(self.gain).to_string(),
            self.size.word(),
            self.ratio[0].mean(),
            last(&self.distance),
            last(&self.kurtosis)
        )
    }
}

/// What a person reads at the end.
pub(super) fn table(found: &[Means]) -> Vec<String> {
    let header = format!(
        "{:>8} {:>7} {:>8} {:>17} {:>9} {:>9} {:>9}",
        "gain", "start", "ratio 0", "level reached at", "Gaussian", "distance", "kurtosis"
    );
    let explained = "times with their standard error over starts; `Gaussian` is the closed flow from the same starts, against which each start is paired in the claim";
    [header]
        .into_iter()
        .chain(found.iter().map(Means::line))
        .chain([explained.to_owned()])
        .collect()
}
