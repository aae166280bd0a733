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
pub mod measure;

use fovea_desk::prelude::*;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::nlgp::Nlgp;
use measure::{Means, Path};

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
        let probes = &[&probe::weights::ENTRY, &probe::norm::ENTRY, &probe::ipr::ENTRY];
        let plan = Plan::new(self.steps, Times::Every(self.record_every as u64), probes);
        Plan { precision: self.precision, ..plan }
    }
}

/// The name of the runs at one gain from starts of one size.
fn name(gain: f64, size: Size) -> String {
    format!("gain={},{}", Value::Real(gain), size.word())
}

impl Experiment for Handover {
    type Found<'r> = Vec<Means>;

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

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let mut jobs = Vec::new();
        for gain in &self.gain {
            let task = self.two_class().spec(*gain, Labels::Iid);
            for size in Size::BOTH {
                let group = name(*gain, size);
                for start in 0..self.starts as u64 {
                    let network = one_unit(&size.start(self.n, streams, start))?;
                    let (pace, streams) = ((self.lr, self.batch), streams.replica(start));
                    let stage = Stage::online(&task, pace, self.plan(), streams);
                    let label = format!("{group},start={start}");
                    jobs.push(Job::new(label, Start::Given(network), stage).in_group(&*group));
                }
            }
        }
        Ok(jobs)
    }

    fn parts(&self) -> u64 {
        (self.gain.len() * Size::BOTH.len() * self.starts) as u64
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Vec<Means>, LabError> {
        let mut found = Vec::new();
        for gain in &self.gain {
            let flow = self.two_class().matched_gaussian_flow(*gain)?;
            let sampler = Nlgp::on_ring(self.n, self.xi_pos, *gain, self.kernel).sampler()?;
            let sample = Sample::draw(&sampler, &desk.streams().named("rows"), self.rows);
            for size in Size::BOTH {
                let paths = desk.fleet(&runs.group(&name(*gain, size)).runs, |run| {
                    Path::follow(self, run, &flow, &sample, *gain)
                })?;
                found.push(Means::of(*gain, size, &paths)?);
            }
        }
        Ok(found)
    }

    fn show(&self, _: &Runs, found: &Vec<Means>) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: found.iter().flat_map(Means::arrays).collect(),
            claims: found.iter().filter_map(Means::claim).collect(),
            figures: vec![("handover", figure::figure(self, found))],
            summary: measure::table(found),
            ..Shown::default()
        })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<Handover>(
    "handover",
    "from shrinking as on Gaussian data to feeling the law: when the gated term of the flow overtakes the linear one",
    "When does the law of the data begin to matter? While w is large the linear term -1/4 M w, the same for every symmetric \
     law, dominates; at |w| = 2 |f(v)| / |M v| the gated term takes over (L000.43), and fields at different gains part. On Gaussian \
     data the time of the hand-over must be that of the closed flow.",
);
