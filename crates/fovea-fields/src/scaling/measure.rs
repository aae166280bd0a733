//! Timing steps of training at one size after the other, and the exponents of what they take.

use super::{BATCH, N, Scaling, WIDTH};
use fovea_core::lanes::BLOCK;
use fovea_desk::clock::{Alone, Together};
use fovea_desk::prelude::*;
use fovea_sim::train::train;
use fovea_sim::{Batch, Sgd, Watch, crew};
use rayon::ThreadPoolBuilder;

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    Sites,
    Width,
    Batch,
    Fleet,
}

impl Along {
    pub(super) const ALL: [Self; 4] = [Self::Sites, Self::Width, Self::Batch, Self::Fleet];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sites => "n",
            Self::Width => "width",
            Self::Batch => "batch",
            Self::Fleet => "fleet",
        }
    }

    pub(super) fn sizes(self, settings: &Scaling) -> &[usize] {
        match self {
            Self::Sites => &settings.n,
            Self::Width => &settings.width,
            Self::Batch => &settings.batch,
            Self::Fleet => &settings.fleet,
        }
    }
}

/// One size: its work, and the seconds of a step of all its networks in every repeat.
pub(super) struct Point {
    pub(super) size: usize,
    /// Entries drawn in a step, as the batch says.
    pub(super) entries: f64,
    /// The same from whole blocks, and without them.
    pub(super) predicted: f64,
    pub(super) bare: f64,
    /// Multiplications and additions of the networks on what is drawn, forward and back.
    pub(super) flop: f64,
    pub(super) seconds: Vec<f64>,
    job: Timed,
}

impl Point {
    pub(super) fn mean(&self) -> f64 {
        self.seconds.iter().sum::<f64>() / self.seconds.len() as f64
    }
}

/// The sizes along one axis.
pub(super) struct Line {
    pub(super) along: Along,
    pub(super) points: Vec<Point>,
}

impl Line {
    /// The upper half of the sizes, three at least.
    pub(super) fn upper(&self) -> &[Point] {
        let count = self.points.len();
        &self.points[count - count.div_ceil(2).max(3)..]
    }

    /// The slope of the logarithm of the seconds against that of the size, one a repeat: their mean and its error.
    pub(super) fn exponent(&self) -> Result<Estimate, LabError> {
        let upper = self.upper();
        let x: Vec<f64> = upper.iter().map(|point| libm::log(point.size as f64)).collect();
        let slope = |repeat: usize| {
            let y: Vec<f64> = upper.iter().map(|point| libm::log(point.seconds[repeat])).collect();
            slope(&x, &y)
        };
        let repeats = upper[0].seconds.len();
        Ok(Estimate::from_samples(&(0..repeats).map(slope).collect::<Vec<_>>())?)
    }

    /// The smallest and the largest exponent that the work has over the upper half.
    pub(super) fn expected(&self) -> (f64, f64) {
        let upper = self.upper();
        match self.along {
            // The local exponent of n log n is 1 + 1/log n.
            Along::Sites => (1.0, 1.0 + 1.0 / libm::log(upper[0].size as f64)),
            Along::Width | Along::Batch | Along::Fleet => (1.0, 1.0),
        }
    }
}

/// The slope of the straight line through some points.
pub fn slope(x: &[f64], y: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (mx, my) = (mean(x), mean(y));
    let xy: f64 = x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum();
    xy / x.iter().map(|x| (x - mx) * (x - mx)).sum::<f64>()
}

/// A training that is timed as one piece, and still hears that the run is to end.
struct Quiet<'a>(&'a Desk<'a>);

impl Watch for Quiet<'_> {
    fn stepped(&self) {}
    fn stopped(&self) -> bool {
        self.0.go_on().is_err()
    }
}

/// What is trained at one size.
struct Timed {
    task: Task,
    network: Network,
    sgd: Sgd,
    fleet: usize,
    steps: u64,
}

impl Timed {
    fn new(settings: &Scaling, along: Along, size: usize) -> Result<Self, ParamError> {
        let at = |axis: Along, usual: usize| if axis == along { size } else { usual };
        let n = at(Along::Sites, N);
        let (width, batch, fleet) =
            (at(Along::Width, WIDTH), at(Along::Batch, BATCH), at(Along::Fleet, 1));
        let two = TwoClass { n, xi_pos: 2.0, xi_neg: 1.0, kernel: Kernel::Wrapped };
        let task = two.task(3.0, Labels::Balanced)?;
        let architecture =
            committee(width, &activation::relu::ENTRY, Bias::None, 1.0).build("network")?;
        let network = architecture.network(&task.shape(), task.outputs(), &Streams::new(0))?;
        // A wide network costs more than its samples; as many steps of it would take minutes.
        let each = n * batch * fleet * width.div_ceil(16);
        let steps = (settings.work / each).max(2) as u64;
        Ok(Self { task, network, sgd: Sgd::online(0.01, batch), fleet, steps })
    }

    fn plan(&self, settings: &Scaling) -> Plan<'static> {
        let plan = Plan::new(self.steps as usize, Times::Every(self.steps), &[]);
        Plan { precision: settings.precision, ..plan }
    }

    fn train(&self, settings: &Scaling, desk: &Desk<'_>, replica: u64) -> Network {
        let streams = desk.streams().replica(replica);
        let start = self.network.clone();
        train(&self.task, start, &self.sgd, &streams, &self.plan(settings), &Quiet(desk)).network
    }

    /// The seconds of one step: of one network on one thread, or of a fleet on all of them.
    fn seconds(&self, settings: &Scaling, desk: &Desk<'_>, along: Along) -> f64 {
        let seconds = if along == Along::Fleet {
            let jobs: Vec<u64> = (0..self.fleet as u64).collect();
            let began = Together::begin();
            crew::fleet(&jobs, |replica| self.train(settings, desk, *replica));
            began.seconds()
        } else {
            let alone = || {
                let began = Alone::begin();
                self.train(settings, desk, 0);
                began.seconds()
            };
            match ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(pool) => pool.install(alone),
                Err(_) => alone(),
            }
        };
        // A clock that did not move must not become an infinite logarithm.
        seconds.max(1e-9) / self.steps as f64
    }

    fn point(self, size: usize, streams: &Streams) -> Point {
        let (n, batch, fleet) = (self.task.dim(), self.sgd.pace.batch, self.fleet as f64);
        let drawn = Batch::new(&self.task, streams, "train", 0, batch).blocks() * BLOCK;
        let whole = 2 * (batch / 2).next_multiple_of(BLOCK);
        let entries = |samples: usize| fleet * (n * samples) as f64;
        Point {
            size,
            entries: entries(drawn),
            predicted: entries(whole),
            bare: entries(batch),
            flop: 4.0 * self.network.width() as f64 * entries(drawn),
            seconds: Vec::new(),
            job: self,
        }
    }
}

/// Measures every size of every axis.
pub(super) fn all(settings: &Scaling, desk: &Desk<'_>) -> Result<Vec<Line>, LabError> {
    let streams = desk.streams();
    let mut lines = Vec::new();
    for along in Along::ALL {
        let mut points = Vec::new();
        for size in along.sizes(settings) {
            points.push(Timed::new(settings, along, *size)?.point(*size, &streams));
        }
        lines.push(Line { along, points });
    }
    let points: usize = lines.iter().map(|line| line.points.len()).sum();
    desk.announce((points * settings.repeats) as u64);
    // Repeat by repeat, so that whatever else the machine does meets all sizes alike.
    for _ in 0..settings.repeats {
        for line in &mut lines {
            for point in &mut line.points {
                desk.go_on()?;
                point.seconds.push(point.job.seconds(settings, desk, line.along));
                desk.stepped();
            }
        }
    }
    Ok(lines)
}

/// The claim that a network of the largest fleet ends with the bits it ends with alone.
pub(super) fn undisturbed(settings: &Scaling, desk: &Desk<'_>) -> Result<Claim, LabError> {
    let size = settings.fleet[settings.fleet.len() - 1];
    let mut job = Timed::new(settings, Along::Fleet, size)?;
    job.steps = job.steps.min(20);
    let replicas: Vec<u64> = (0..size as u64).collect();
    let among = desk.fleet(&replicas, |replica| job.train(settings, desk, *replica))?;
    let alone: Vec<Network> =
        replicas.iter().map(|replica| job.train(settings, desk, *replica)).collect();
    let same = |a: &Network, b: &Network| {
        a.theta().iter().zip(b.theta()).all(|(a, b)| a.to_bits() == b.to_bits())
    };
    let count = among.iter().zip(&alone).filter(|(a, b)| same(a, b)).count() as f64;
    let what = format!("each of {size} networks of a fleet ends with the bits it ends with alone");
    let others = among.iter().zip(alone.iter().cycle().skip(1)).filter(|(a, b)| same(a, b));
    let claim = Claim::exact("scaling", what, &[size as f64], &[count], 1e-12);
    Ok(claim.rejecting_exact("the bits of its neighbour", &[others.count() as f64], &[count]))
}
