//! What is trained: from one site, from near the dictator state, and from random weights.

use super::Dictator;
use super::measure::Pair;
use fovea_desk::prelude::*;

/// Where the streams of evaluations begin, beyond those of any run.
pub const EVALUATION: u64 = 1 << 50;

/// Where a field starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On one site: the path into the state.
    Path,
    /// Away from the state in a random direction.
    Random,
    /// Away from it towards the flat field.
    Flat,
    /// Away from it towards the neighbour's state.
    Neighbour,
    /// At random weights.
    Glorot,
}

/// The ways out of the state.
pub const WAYS: [Kind; 3] = [Kind::Random, Kind::Flat, Kind::Neighbour];

impl Kind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Random => "random",
            Self::Flat => "flat",
            Self::Neighbour => "neighbour",
            Self::Glorot => "glorot",
        }
    }

    /// Whether its field is recorded on the way, at a constant rate.
    fn is_recorded(self) -> bool {
        matches!(self, Self::Path | Self::Glorot)
    }
}

const PROBES: [&Probe; 2] = [&probe::weights::ENTRY, &probe::ipr::ENTRY];

/// One run among all.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub(super) pair: usize,
    kind: Kind,
    /// Which of the distances, for those that start near the state.
    distance: usize,
    start: usize,
}

/// The name of the runs of one pair and kind; `distance` tells those apart that start near the state.
pub(super) fn group(pair: &Pair, kind: Kind, distance: usize) -> String {
    let (pair, word) = (pair.name(), kind.word());
    if kind.is_recorded() {
        format!("xi={pair},{word}")
    } else {
        format!("xi={pair},{word},distance={distance}")
    }
}

impl Place {
    /// The number of its streams.
    pub fn stream(&self) -> u64 {
        let place = [self.pair, self.kind as usize, self.distance, self.start];
        place.iter().fold(0, |at, part| (at << 12) + *part as u64)
    }

    /// The weights it begins with.
    fn weights(
        &self,
        settings: &Dictator,
        pair: &Pair,
        streams: &Streams,
    ) -> Result<Vec<f64>, ParamError> {
        let n = settings.n;
        Ok(match self.kind {
            Kind::Path => (0..n).map(|i| if i == 0 { settings.scale } else { 0.0 }).collect(),
            Kind::Glorot => glorot(n, 1.0, streams)?,
            kind => {
                let mut random = vec![0.0; n];
                streams.named("direction").normals(0, &mut random);
                pair.pushed(settings.distance[self.distance], &direction(kind, &random))
            }
        })
    }

    /// What is trained there.
    pub(super) fn job(
        &self,
        settings: &Dictator,
        pair: &Pair,
        task: &Arc<TaskSpec>,
        streams: &Streams,
    ) -> Result<Job, LabError> {
        let Self { kind, distance, start, .. } = *self;
        let streams = streams.replica(self.stream());
        let begin = Start::Given(one_unit(&self.weights(settings, pair, &streams)?)?);
        let every = Times::Every(settings.record_every as u64);
        let plan =
            Plan { precision: settings.precision, ..Plan::new(settings.steps, every, &PROBES) };
        let group = group(pair, kind, distance);
        if kind.is_recorded() {
            let stage = Stage::online(task, (settings.lr, settings.batch), plan, streams);
            return Ok(Job::new(format!("{group}={start}"), begin, stage).in_group(group));
        }
        // A rate that falls to zero: the noise of SGD dies out and the end can be told.
        let online = Pace::online(settings.basin_lr, settings.basin_batch);
        let stage = Stage {
            task: Arc::clone(task),
            dynamics: sgd(Pace { schedule: Item::named("linear"), ..online }),
            plan: Plan { steps: settings.basin_steps as u64, record: Times::At(vec![]), ..plan },
            streams,
        };
        let label = format!("xi={},{}={start},distance={distance}", pair.name(), kind.word());
        Ok(Job::new(label, begin, stage).in_group(group).unlisted())
    }
}

/// Every run.
pub fn places(settings: &Dictator) -> Vec<Place> {
    let mut places = Vec::new();
    for pair in 0..settings.xi_pos.len() {
        let mut add = |kind: Kind, distance: usize, starts: usize| {
            places.extend((0..starts).map(|start| Place { pair, kind, distance, start }));
        };
        add(Kind::Path, 0, settings.replicas);
        if pair < settings.basins {
            add(Kind::Glorot, 0, settings.glorot);
            for distance in 0..settings.distance.len() {
                add(Kind::Random, distance, settings.starts);
                add(Kind::Flat, distance, settings.starts / 4);
                add(Kind::Neighbour, distance, settings.starts / 4);
            }
        }
    }
    places
}

/// A unit vector that leads away from the state.
pub fn direction(kind: Kind, random: &[f64]) -> Vec<f64> {
    let n = random.len();
    let raw: Vec<f64> = match kind {
        Kind::Flat => vec![1.0; n],
        Kind::Neighbour => (0..n).map(|i| if i == 1 { 1.0 } else { 0.0 }).collect(),
        _ => random.to_vec(),
    };
    let norm = raw.iter().map(|x| x * x).sum::<f64>().sqrt();
    raw.iter().map(|x| x / norm).collect()
}
