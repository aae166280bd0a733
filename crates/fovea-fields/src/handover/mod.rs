//! When does the law of the data begin to matter?
//!
//! Note 000, section 2: the flow `w' = 1/2 f(w) - 1/4 M w` has a linear term that is the same for every symmetric law with
//! these covariances, and a gated term that sees the law. While `w` is large the first dominates and the field shrinks as if
//! the data were Gaussian; once `|w| < 2 |f(v)| / |M v|`, `v` the direction of `w`, the second does (L000.43). One unit is
//! trained from many large and Glorot starts at several gains; along every run the ratio of the two terms, the distance to the
//! flow of the matched Gaussian and the kurtosis of the preactivation are followed. At rest the terms are equal, so the
//! hand-over is dated where the ratio reaches one half. On Gaussian data that time is the closed flow's; a mean over starts
//! that is not would falsify it.

mod figure;
pub mod path;

use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_core::{ParamError, Params, activation, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::memory::check_records;
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::{GAUSSIAN_GAIN, TwoClass, check_gains};
use fovea_record::claim::Claim;
use fovea_record::outcome::{Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::probe;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Labels, Network, Plan, Sgd, Times, loss};
use path::{Group, Path, group};

params! {
    /// Settings of `handover`.
    pub struct Handover {
        /// Ring size: inputs of the network.
        n: usize = 40, between(2.0, 4096.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gains to compare, from Gaussian (towards 0) to binary (`inf`).
        gain: Vec<f64> = vec![0.01, 1.0, 3.0, f64::INFINITY], above(0.0), "";
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.02, finite_above(0.0), "";
        /// Fresh samples of a step.
        batch: usize = 1000, between(1.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 3000, between(1.0, 1e9), "steps";
        /// Steps between records.
        record_every: usize = 50, between(1.0, 1e9), "steps";
        /// Starts of each size.
        starts: usize = 32, between(2.0, 1e4), "starts";
        /// Gated over linear term that counts as the hand-over; at rest the two are equal, so 1 itself is reached late or never.
        level: f64 = 0.5, between(0.01, 0.99), "";
        /// Rows of the fixed sample on which the gated term and the kurtosis are measured.
        rows: usize = 4000, between(100.0, 1e6), "samples";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for Handover {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_gains(&self.gain)?;
        let runs = 2 * self.gain.len() * self.starts;
        check_records(self.steps, self.record_every, self.n * runs)
    }
}

/// How large a start is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    /// Standard normal weights.
    Large,
    /// Glorot's variance 2/(n + 1).
    Glorot,
}

impl Size {
    const BOTH: [Self; 2] = [Self::Large, Self::Glorot];

    fn word(self) -> &'static str {
        match self {
            Self::Large => "unit",
            Self::Glorot => "glorot",
        }
    }

    fn start(self, n: usize, streams: &Streams, index: u64) -> Vec<f64> {
        let mut w = vec![0.0; n];
        streams.named("start").normals(index, &mut w);
        let scale = match self {
            Self::Large => 1.0,
            Self::Glorot => (2.0 / (n as f64 + 1.0)).sqrt(),
        };
        w.into_iter().map(|w| scale * w).collect()
    }
}

impl Handover {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    fn plan(&self) -> Plan<'static> {
        Plan {
            steps: self.steps as u64,
            record: Times::Every(self.record_every as u64),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::weights::ENTRY, &probe::norm::ENTRY, &probe::ipr::ENTRY],
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        }
    }
}

const WORDS: Words<'static> = Words {
    title: "When the law of the data begins to matter",
    lead: "From a large start a ReLU unit first shrinks as on Gaussian data, whatever the law. Where the gated term of its \
           flow overtakes the linear one, the fields part.",
    caption: figure::CAPTION,
    formulas: &[
        r"\dot w = \tfrac12 f(w) - \tfrac14 M w, \qquad M = C_{-}+C_{+}",
        r"|\tfrac12 f(w)| = |\tfrac14 M w| \quad\text{at}\quad |w| = \frac{2\,|f(v)|}{|M v|}, \quad v = w/|w|",
    ],
};

impl Experiment for Handover {
    fn quick() -> Self {
        Self {
            gain: vec![0.01, f64::INFINITY],
            lr: 0.05,
            batch: 1000,
            steps: 400,
            record_every: 10,
            starts: 16,
            rows: 1000,
            ..Self::default()
        }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let (two, plan, streams) = (self.two_class(), self.plan(), bench.streams());
        let network = Network::committee(self.n, 1, &activation::relu::ENTRY, Bias::None);
        let sgd = Sgd::online(self.lr, self.batch);
        let mut jobs = Vec::new();
        for gain in &self.gain {
            for size in Size::BOTH {
                jobs.extend((0..self.starts as u64).map(|start| (*gain, size, start)));
            }
        }
        let mut tasks = Vec::new();
        for gain in &self.gain {
            let sampler = Nlgp::on_ring(self.n, self.xi_pos, *gain, self.kernel).sampler()?;
            let sample = Sample::draw(&sampler, &streams.named("rows"), self.rows);
            tasks.push((two.task(*gain, Labels::Iid)?, two.matched_gaussian_flow(*gain)?, sample));
        }
        let at = |gain: f64| self.gain.iter().position(|g| g.total_cmp(&gain).is_eq()).unwrap_or(0);
        bench.progress.expect((jobs.len() * self.steps) as u64);
        let done = bench.fleet(&jobs, |(gain, size, start)| {
            let (task, flow, sample) = &tasks[at(*gain)];
            let w0 = size.start(self.n, &streams, *start);
            let network = network.clone().with(&w0, &[0.0])?;
            let run = train(task, network, &sgd, &streams.replica(*start), &plan, bench);
            let path = Path::follow(self, &run, flow, sample, *gain);
            Ok((run, path))
        });
        let done = done.into_iter().collect::<Result<Vec<_>, LabError>>()?;

        let name = |(gain, size, start): &(f64, Size, u64)| {
            format!("gain={},{},start={start}", fovea_core::Value::Real(*gain), size.word())
        };
        let mut series = Series::default();
        for (job, (run, _)) in jobs.iter().zip(&done) {
            series.add(&name(job), self.lr, &plan, run);
        }
        let status = status_of(jobs.iter().zip(&done).map(|(job, (run, _))| (name(job), run)));
        let (mut arrays, mut claims) = (Vec::new(), Vec::new());
        let (mut figures, mut summary) = (Vec::new(), tasks[0].0.notes());
        if status == Status::Completed {
            let groups: Vec<Group> = self
                .gain
                .iter()
                .flat_map(|gain| Size::BOTH.map(|size| (*gain, size)))
                .zip(done.chunks(self.starts))
                .map(|((gain, size), done)| group(gain, size, done.iter().map(|(_, path)| path)))
                .collect::<Result<_, _>>()?;
            arrays = groups.iter().flat_map(Group::arrays).collect();
            claims = groups
                .iter()
                .filter(|group| group.gain <= GAUSSIAN_GAIN)
                .filter_map(claim)
                .collect();
            summary.extend(path::table(&groups));
            figures = vec![("handover", figure::figure(self, &groups))];
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

/// On Gaussian data the hand-over comes when the closed flow says (L000.43).
fn claim(group: &Group) -> Option<Claim> {
    let theory = group.flow_time?;
    // Start by start the two times differ by the noise of training alone, which is what decides.
    let measured = |gap: Estimate, theory: f64| {
        Estimate::from_parts(theory + gap.mean(), gap.se(), gap.count()).ok()
    };
    let estimate = measured(group.time_gap?, theory)?;
    let statement = format!(
        "on Gaussian data from {} starts the gated term has grown to its share of the linear one when the closed flow says",
        group.size.word()
    );
    let claim = Claim::family("L000.43", statement, &[(estimate, theory)]);
    Some(claim.rejecting(
        "the first note's flow, whose linear term is twice as large (L000.3)",
        &[(estimate, group.source_time?)],
    ))
}

/// The registry row.
pub const ENTRY: Row = Row::of::<Handover>(
    "handover",
    "from shrinking as on Gaussian data to feeling the law: when the gated term of the flow overtakes the linear one",
    "When does the law of the data begin to matter? While w is large the linear term -1/4 M w, the same for every symmetric \
     law, dominates; at |w| = 2 |f(v)| / |M v| the gated term takes over (L000.43), and fields at different gains part. On Gaussian \
     data the time of the hand-over must be that of the closed flow.",
);
