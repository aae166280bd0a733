//! When does the distribution of the data begin to matter?
//!
//! Note 000, section 2: the flow `w' = 1/2 f(w) - 1/4 M w` has a linear term that is the same for every symmetric distribution with
//! these covariances, and a gated term that is not. While `w` is large the first dominates and the field shrinks as if
//! the data were Gaussian; once `|w| < 2 |f(v)| / |M v|`, `v` the direction of `w`, the second does (L000.43). One unit is
//! trained from many large and Glorot starts at several gains; along every run the ratio of the two terms, the distance to the
//! flow of the matched Gaussian and the kurtosis of the preactivation are followed. At rest the terms are equal, so the
//! hand-over is dated where the ratio reaches one half. On Gaussian data that time is the closed flow's; a mean over starts
//! that is not would falsify it.

mod claims;
mod figure;

use fovea_core::fourier::cos_turns;
use fovea_core::ring::{circulant_apply, unfold};
use fovea_core::stats::VectorAccumulator;
use fovea_desk::prelude::*;
use fovea_desk::two_class::{
    GAUSSIAN_GAIN, StartSize, at_records, first_note_flow, relative_distance,
};
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::GaussianFlow;
use fovea_theory::relu::f_gauss::f_gauss;

params! {
    /// Settings of `handover`.
    pub struct Handover {
        ..two: TwoClass;
        ..descent: Descent { steps = 3000 };
        /// Gains to compare, from Gaussian (towards 0) to binary (`inf`).
        gain: Vec<f64> = vec![0.01, 1.0, 3.0, f64::INFINITY], above(0.0), "";
        /// Steps between records.
        record_every: usize = 50, between(1.0, 1e9), "steps";
        /// Starts of each size.
        starts: usize = 32, between(2.0, 1e4), "starts";
        /// Gated over linear term that counts as the hand-over; at rest the two are equal, so 1 itself is reached late or never.
        level: f64 = 0.5, between(0.01, 0.99), "";
        /// Samples of the fixed set on which the gated term and the kurtosis are measured.
        rows: usize = 4000, between(100.0, 1e6), "samples";
    }
}

impl Params for Handover {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        check_gains(&self.gain)?;
        let runs = KINDS.len() * self.gain.len() * self.starts;
        check_records(self.descent.steps, self.record_every, self.two.n * runs)
    }
}

/// A kind of start.
#[derive(Clone, Copy)]
struct Kind {
    size: StartSize,
    /// The name in records.
    word: &'static str,
    /// The name for a reader.
    from: &'static str,
}

const KINDS: [Kind; 2] = [
    Kind { size: StartSize::Unit, word: "unit", from: "from unit variance" },
    Kind { size: StartSize::Glorot, word: "glorot", from: "from Glorot weights" },
];

/// The name of the runs at one gain from starts of one kind.
fn name(gain: f64, kind: Kind) -> String {
    format!("gain={},{}", Value::Real(gain), kind.word)
}

impl Experiment for Handover {
    type Found<'r> = Vec<Means>;

    const WORDS: Words<'static> = Words {
        title: "When the distribution of the data begins to matter",
        lead: "From a large start a ReLU unit first shrinks as on Gaussian data, whatever the distribution. Where the gated \
               term of its flow overtakes the linear one, the fields part.",
        caption: figure::CAPTION,
        formulas: &[
            r"\dot w = \tfrac12 f(w) - \tfrac14 M w, \qquad M = C_{-}+C_{+}",
            r"|\tfrac12 f(w)| = |\tfrac14 M w| \quad\text{at}\quad |w| = \frac{2\,|f(v)|}{|M v|}, \quad v = w/|w|",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        Self {
            gain: vec![0.01, f64::INFINITY],
            descent: Descent { lr: 0.05, steps: 400, ..base.descent },
            record_every: 10,
            starts: 16,
            rows: 1000,
            ..base
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let probes = &[&probe::weights::ENTRY, &probe::norm::ENTRY, &probe::ipr::ENTRY];
        let mut jobs = Vec::new();
        for gain in &self.gain {
            let task = self.two.spec(*gain, Labels::Iid);
            for kind in KINDS {
                let group = name(*gain, kind);
                for start in 0..self.starts as u64 {
                    let weights = kind.size.weights(self.two.n, &streams.named("start"), start);
                    let plan = self.descent.plan(self.record_every, probes);
                    let stage = self.descent.stage(&task, plan, streams.replica(start));
                    let label = format!("{group},start={start}");
                    let start = Start::Given(one_unit(&weights)?);
                    jobs.push(Job::new(label, start, stage).in_group(&*group));
                }
            }
        }
        Ok(jobs)
    }

    fn parts(&self) -> u64 {
        (self.gain.len() * KINDS.len() * self.starts) as u64
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Vec<Means>, LabError> {
        let mut found = Vec::new();
        for gain in &self.gain {
            let flow = self.two.matched_gaussian_flow(*gain)?;
            let TwoClass { n, xi_pos, kernel, .. } = self.two;
            let sampler = Nlgp::on_ring(n, xi_pos, *gain, kernel).sampler()?;
            let sample = Sample::draw(&sampler, &desk.streams().named("rows"), self.rows);
            for kind in KINDS {
                let group = runs.group(&name(*gain, kind));
                let times = group.times();
                let paths = desk.fleet(&group.fields(), |fields| {
                    Path::follow(self, (&times, fields), &flow, &sample, *gain)
                })?;
                found.push(Means::of((*gain, kind), times, &paths)?);
            }
        }
        Ok(found)
    }

    fn show(&self, _: &Runs, found: &Vec<Means>) -> Result<Shown, LabError> {
        let dated = found.iter().filter_map(Means::claim).collect();
        Ok(Shown {
            arrays: found.iter().flat_map(Means::arrays).collect(),
            claims: [dated, claims::parting(self, found)?].concat(),
            figures: vec![("handover", self.figure(found))],
            tables: vec![times(found)],
            ..Shown::default()
        })
    }
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
            let at = |d: usize| {
                (0..n).map(|k| eigs[k] * cos_turns(k * d % n, n)).sum::<f64>() / n as f64
            };
            unfold(&(0..=n / 2).map(at).collect::<Vec<_>>(), n)
        };
        let (pos, neg) = (row(&flow.eigs_pos), row(&flow.eigs_neg));
        let sum = pos.iter().zip(&neg).map(|(p, n)| p + n).collect();
        Self { pos, sum }
    }

    /// `|1/2 f| / |1/4 M w|` for a gated mean.
    fn ratio(&self, w: &[f64], f: &[f64]) -> f64 {
        2.0 * norm(f) / norm(&circulant_apply(&self.sum, w))
    }
}

/// What is followed along a run: its name in records, what it is about, and its axis.
const CURVES: [[&str; 3]; 3] = [
    ["ratio", "the two terms", "gated term / linear term"],
    ["distance", "leaving the Gaussian flow", "relative distance to Gaussian flow"],
    ["kurtosis", "kurtosis", "preactivation excess kurtosis"],
];

/// One run.
struct Path {
    /// At every record: `|1/2 f| / |1/4 M w|`, the relative distance to the flow of the matched Gaussian from the same start,
    /// and the excess kurtosis of the preactivation on class pos.
    curves: [Vec<f64>; 3],
    /// Where the ratio first reaches the level: in the run, in the closed flow of the matched Gaussian, in the first note's.
    crossings: [Option<f64>; 3],
}

impl Path {
    /// Follows a run; `flow` is that of the matched Gaussian and `sample` a fixed one of class pos.
    fn follow(
        settings: &Handover,
        (times, fields): (&[f64], &[Vec<f64>]),
        flow: &GaussianFlow,
        sample: &Sample,
        gain: f64,
    ) -> Self {
        let rows = Rows::of(flow);
        let Descent { lr, steps, .. } = settings.descent;
        let descend = |flow| at_records(flow, &fields[0], (lr, steps, settings.record_every));
        let (closed, source) = (descend(flow), descend(&first_note_flow(flow)));
        let gaussian = |w: &[f64]| rows.ratio(w, &f_gauss(&rows.pos, w));
        // On Gaussian data f is known; a sample of it would only add noise to the time of the crossing.
        let measured = |w: &Vec<f64>| {
            if gain <= GAUSSIAN_GAIN { gaussian(w) } else { rows.ratio(w, &sample.gated_mean(w)) }
        };
        let ratio: Vec<f64> = fields.iter().map(measured).collect();
        let along = |fields: &[Vec<f64>], factor: f64| -> Vec<f64> {
            fields.iter().map(|w| factor * gaussian(w)).collect()
        };
        let crossings = [
            crossing(times, &ratio, settings.level),
            crossing(times, &along(&closed, 1.0), settings.level),
            crossing(times, &along(&source, 0.5), settings.level),
        ];
        let distance = fields.iter().zip(&closed).map(|(w, v)| relative_distance(w, v)).collect();
        let kurtosis = fields.iter().map(|w| sample.excess_kurtosis(w)).collect();
        Self { curves: [ratio, distance, kurtosis], crossings }
    }
}

/// Where a series that begins below `level` first reaches it, between records on a straight line.
pub fn crossing(times: &[f64], ratio: &[f64], level: f64) -> Option<f64> {
    let after = ratio.iter().position(|r| *r >= level)?;
    let before = after.checked_sub(1)?;
    let share = (level - ratio[before]) / (ratio[after] - ratio[before]);
    Some(times[before] + share * (times[after] - times[before]))
}

/// The runs of one gain and one kind of start, as means over the starts.
pub struct Means {
    gain: f64,
    kind: Kind,
    times: Vec<f64>,
    /// Those of the paths.
    curves: [Vec<Estimate>; 3],
    /// Mean time of the hand-over: in the runs, in the closed flow, in the first note's.
    time: Option<Estimate>,
    flow_time: Option<f64>,
    source_time: Option<f64>,
    /// Run minus closed flow, start by start.
    time_gap: Option<Estimate>,
}

impl Means {
    fn of((gain, kind): (f64, Kind), times: Vec<f64>, paths: &[Path]) -> Result<Self, LabError> {
        let mean = |curve: usize| {
            let mut sums = VectorAccumulator::new(times.len());
            paths.iter().try_for_each(|path| sums.push(&path.curves[curve]))?;
            sums.estimates()
        };
        let curves = [mean(0)?, mean(1)?, mean(2)?];
        let whole = |path: &Path| {
            let [run, flow, source] = path.crossings;
            Some([run?, flow?, source?])
        };
        let whole: Vec<[f64; 3]> = paths.iter().filter_map(whole).collect();
        let average = |i: usize| {
            let sum: f64 = whole.iter().map(|times| times[i]).sum();
            (!whole.is_empty()).then(|| sum / whole.len() as f64)
        };
        let (flow_time, source_time) = (average(1), average(2));
        let gaps: Vec<f64> = whole.iter().map(|times| times[0] - times[1]).collect();
        let runs: Vec<f64> = paths.iter().filter_map(|path| path.crossings[0]).collect();
        let (time, time_gap) =
            (Estimate::from_samples(&runs).ok(), Estimate::from_samples(&gaps).ok());
        Ok(Self { gain, kind, times, curves, time, flow_time, source_time, time_gap })
    }

    fn arrays(&self) -> Vec<Array> {
        let name = name(self.gain, self.kind);
        let curves = CURVES
            .iter()
            .zip(&self.curves)
            .map(|([what, ..], curve)| Array::of_entries(format!("{what}_{name}"), &bars(curve).0));
        [Array::of_entries(format!("times_{name}"), &self.times)]
            .into_iter()
            .chain(curves)
            .collect()
    }

    /// The end of one of the curves.
    fn last(&self, curve: usize) -> f64 {
        self.curves[curve].last().map_or(f64::NAN, Estimate::mean)
    }
}

/// When the hand-over comes, one row per gain and kind of start.
fn times(found: &[Means]) -> Table {
    Table::of("handover", found)
        .given("gain", |means| means.gain)
        .words("start", |means| means.kind.word)
        .real("ratio_at_start", 3, |means| means.curves[0][0].mean())
        .maybe("level_reached_at", 2, |means| means.time)
        .real("gaussian_flow", 2, |means| means.flow_time.unwrap_or(f64::NAN))
        .real("distance", 3, |means| means.last(1))
        .real("excess_kurtosis", 3, |means| means.last(2))
        .caption(
            "One row per gain and kind of start: the ratio of the gated to the linear term at the start; the mean time at which it rises to \
             the level (none where it is above it at once), and that of the closed Gaussian flow from the same starts, with which each \
             start is paired in the claim; at the end, the distance to that flow and the kurtosis of the preactivation.",
        )
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Handover>(
    "handover",
    "when training starts to depend on more than the covariances: the gated term of the flow overtakes the linear one",
    include_str!("mod.rs"),
);
