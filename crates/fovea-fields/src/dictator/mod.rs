//! Is the localized field of sign data the dictator state, from the first step to the last, and from how far away is it found?
//!
//! At infinite gain a field in which one site outvotes all others sees a constant teacher, so that the flow is linear there
//! (L000.39): from `scale e_i` the whole path is `w* + exp(-(C_neg + C_pos) t/4) (w_0 - w*)`, its end is
//! `w* = (C_neg + C_pos)^-1 C_pos e_i`, and every start closer to `w*` than the nearest wall of the cell must come back, since
//! the flow shrinks the distance. Stochastic descent follows the same path in the mean, without bias, as long as no replica
//! leaves the cell. A mean field off this path, a late field off `w*`, or a start inside that ball which does not return would
//! falsify the theorem. Where the margin `2 |w*_i| / |w*|_1 - 1` is negative the state contradicts its gate, nothing is claimed,
//! and the field that training finds instead is shown with it.
//!
//! How far the basin reaches beyond the ball is measured (L003.75), as is how random starts come into a cell: for `n` normal
//! weights one outvotes the others with a probability in closed form that falls below 1e-3 at ten sites (L000.46), so that at
//! forty the flow has to find a cell.

mod claims;
mod figure;
mod measure;

use fovea_core::params::finite;
use fovea_desk::prelude::*;
use measure::{Basin, Draw, Pair, Path};

params! {
    /// Settings of `dictator`.
    pub struct Dictator {
        ..descent: Descent { lr = 0.05; batch = 4000; steps = 1800, between(3.0, 1e9) };
        /// Ring size: inputs of the network.
        n: usize = 40, between(4.0, 1024.0), "sites";
        /// Correlation lengths of class `pos`, label 1, a pair with each of `xi_neg`.
        xi_pos: Vec<f64> = vec![2.0, 1.0, 0.7, 1.0, 2.5, 3.0], finite_above(0.0), "sites";
        /// Correlation lengths of class `neg`, label 0.
        xi_neg: Vec<f64> = vec![1.0, 2.0, 0.3, 0.7, 1.0, 1.0], finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Weight of the one site that fields start from.
        scale: f64 = 1.0, finite(), "";
        /// Steps between records.
        record_every: usize = 40, between(1.0, 1e9), "steps";
        /// Runs from one site for every pair of lengths, each with samples of its own.
        replicas: usize = 16, between(2.0, 1e4), "runs";
        /// Number of pairs, from the first, whose basin is measured.
        basins: usize = 2, between(0.0, 64.0), "pairs";
        /// Distances of perturbed starts from the dictator state, in units of its norm.
        distance: Vec<f64> = vec![0.05, 0.2, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0], finite_above(0.0), "";
        /// Starts at every distance in random directions; a quarter as many along the flat and the neighbour's direction.
        starts: usize = 40, between(4.0, 1e5), "starts";
        /// Glorot starts of every pair with a basin.
        glorot: usize = 24, between(2.0, 1e4), "starts";
        /// Learning rate at which perturbed starts begin; it falls to zero in a straight line.
        basin_lr: f64 = 0.5, finite_above(0.0), "";
        /// Fresh samples per step of perturbed starts.
        basin_batch: usize = 800, between(1.0, 1e8), "samples";
        /// Steps of perturbed starts.
        basin_steps: usize = 400, between(1.0, 1e9), "steps";
        /// Random vectors of every size from 2 to 10.
        draws: usize = 200_000, between(1000.0, 1e8), "vectors";
    }
}

impl Params for Dictator {
    fn check(&self) -> Result<(), ParamError> {
        let (pos, neg) = (self.xi_pos.len(), self.xi_neg.len());
        if pos != neg {
            let what = format!("`xi_pos` has {pos} lengths and `xi_neg` {neg}");
            return refuse(what, "give as many of one as of the other");
        }
        if self.scale == 0.0 {
            let what = "`scale` is 0: a unit without weights has no gate";
            return refuse(what, "choose a scale above or below 0");
        }
        for pair in 0..pos {
            self.two_class(pair).kernels()?;
            let lengths = |pair: usize| (self.xi_pos[pair], self.xi_neg[pair]);
            if (0..pair).any(|before| lengths(before) == lengths(pair)) {
                let (pos, neg) = lengths(pair);
                let what = format!("the lengths {pos} and {neg} are paired twice");
                return refuse(what, "give each pair once");
            }
        }
        let runs = self.replicas * self.xi_pos.len() + self.basins * self.glorot;
        check_records(self.descent.steps, self.record_every, self.n * runs)
    }
}

/// The first of the streams of evaluations, beyond those of any run.
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
    /// Away from the state in a random direction, not as far as the nearest wall of its cell.
    Near,
    /// Straight towards that wall, and not as far.
    Wall,
}

/// The ways out of the state.
pub const WAYS: [Kind; 3] = [Kind::Random, Kind::Flat, Kind::Neighbour];

/// Shares of the distance from the state to the nearest wall of its cell.
const WITHIN: [f64; 2] = [0.5, 0.95];

impl Kind {
    fn word(self) -> &'static str {
        ["path", "random", "flat", "neighbour", "glorot", "near", "wall"][self as usize]
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
    pair: usize,
    kind: Kind,
    /// Which of the distances, for those that start near the state.
    distance: usize,
    start: usize,
}

/// The name of the runs of one pair and kind; `distance` tells those apart that start near the state.
fn group(pair: &Pair, kind: Kind, distance: usize) -> String {
    let (pair, word) = (pair.name(), kind.word());
    let at = if kind.is_recorded() { String::new() } else { format!(",distance={distance}") };
    format!("xi={pair},{word}{at}")
}

impl Place {
    /// The number of its streams.
    pub fn stream(&self) -> u64 {
        let place = [self.pair, self.kind as usize, self.distance, self.start];
        place.iter().fold(0, |at, part| (at << 12) + *part as u64)
    }
}

/// A unit vector that leads away from the state.
pub fn direction(kind: Kind, random: &[f64]) -> Vec<f64> {
    let n = random.len();
    let raw: Vec<f64> = match kind {
        Kind::Flat => vec![1.0; n],
        Kind::Neighbour => (0..n).map(|i| if i == 1 { 1.0 } else { 0.0 }).collect(),
        _ => random.to_vec(),
    };
    let size = norm(&raw);
    raw.iter().map(|x| x / size).collect()
}

impl Dictator {
    /// The task at one of the pairs of lengths.
    fn two_class(&self, pair: usize) -> TwoClass {
        let (xi_pos, xi_neg) = (self.xi_pos[pair], self.xi_neg[pair]);
        TwoClass { n: self.n, xi_pos, xi_neg, kernel: self.kernel }
    }

    fn pairs(&self) -> Result<Vec<Arc<Pair>>, LabError> {
        (0..self.xi_pos.len()).map(|pair| Ok(Arc::new(Pair::new(self.two_class(pair))?))).collect()
    }

    /// Every run.
    pub fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for pair in 0..self.xi_pos.len() {
            let mut add = |kind: Kind, distance: usize, starts: usize| {
                places.extend((0..starts).map(|start| Place { pair, kind, distance, start }));
            };
            add(Kind::Path, 0, self.replicas);
            if pair < self.basins {
                add(Kind::Glorot, 0, self.glorot);
                for distance in 0..self.distance.len() {
                    add(Kind::Random, distance, self.starts);
                    add(Kind::Flat, distance, self.starts / 4);
                    add(Kind::Neighbour, distance, self.starts / 4);
                }
                for share in 0..WITHIN.len() {
                    add(Kind::Near, share, self.starts);
                    add(Kind::Wall, share, self.starts / 4);
                }
            }
        }
        places
    }

    /// What is trained at a place.
    fn job(&self, place: &Place, pair: &Pair, streams: &Streams) -> Result<Job, LabError> {
        let Place { kind, distance, start, .. } = *place;
        let (n, streams) = (self.n, streams.replica(place.stream()));
        let weights = match kind {
            Kind::Path => (0..n).map(|i| if i == 0 { self.scale } else { 0.0 }).collect(),
            Kind::Glorot => glorot(n, 1.0, &streams)?,
            Kind::Wall => pair.pushed(WITHIN[distance] * pair.wall(), &pair.to_the_wall()),
            kind => {
                let mut random = vec![0.0; n];
                streams.named("direction").normals(0, &mut random);
                let near = kind == Kind::Near;
                let reach =
                    if near { WITHIN[distance] * pair.wall() } else { self.distance[distance] };
                pair.pushed(reach, &direction(kind, &random))
            }
        };
        let (begin, group) = (Start::Given(one_unit(&weights)?), group(pair, kind, distance));
        let plan = self.descent.plan(self.record_every, &PROBES);
        if kind.is_recorded() {
            let stage = self.descent.stage(&pair.task, plan, streams);
            return Ok(Job::new(format!("{group}={start}"), begin, stage).in_group(group));
        }
        // A rate that falls to zero: the noise of SGD dies out and the end can be told.
        let plan = Plan { steps: self.basin_steps as u64, record: Times::At(vec![]), ..plan };
        let stage = stage(&pair.task, falling(self.basin_lr, self.basin_batch), plan, streams);
        let label = format!("xi={},{}={start},distance={distance}", pair.name(), kind.word());
        Ok(Job::new(label, begin, stage).in_group(group).unlisted())
    }
}

/// Paths and basins of the pairs of lengths, and random vectors.
pub struct Found {
    paths: Vec<Path>,
    basins: Vec<Basin>,
    draws: Vec<Draw>,
}

impl Experiment for Dictator {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The dictator state: path, end and basin",
        lead: "On sign data a field in which one site outvotes all others sees a constant teacher. From one site it follows a linear \
               flow in closed form to a localized state in closed form, and random starts find that state or miss it depending on \
               which class has the longer correlations.",
        caption: figure::CAPTION,
        formulas: &[
            r"w(t)=w^{*}+e^{-(C_{-}+C_{+})t/4}\,(w_0-w^{*}),\qquad w^{*}=(C_{-}+C_{+})^{-1}C_{+}e_i",
            r"\text{margin}=\frac{2|w^{*}_i|}{\|w^{*}\|_1}-1>0,\qquad |w_0-w^{*}|<\frac{2|w^{*}_i|-\|w^{*}\|_1}{\sqrt n}\ \Rightarrow\ w(t)\to w^{*}",
            r"P_n=n\Big[1-\tfrac2\pi\int_0^\infty e^{-u^2/2}\,\mathrm{Im}\,\chi(u)^{n-1}\,\frac{du}{u}\Big]",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        Self {
            descent: Descent { batch: 1000, steps: 1100, ..base.descent },
            xi_pos: vec![2.0, 1.0],
            xi_neg: vec![1.0, 2.0],
            replicas: 10,
            distance: vec![0.05, 0.5, 1.5, 5.0],
            starts: 8,
            glorot: 2,
            basin_batch: 500,
            basin_steps: 200,
            draws: 50_000,
            ..base
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let pairs = self.pairs()?;
        let job = |place: &Place| self.job(place, &pairs[place.pair], streams);
        // A state that contradicts its gate has no cell.
        let walled = |place: &&Place| {
            !matches!(place.kind, Kind::Near | Kind::Wall) || pairs[place.pair].point.exists
        };
        self.places().iter().filter(walled).map(job).collect()
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let pairs = self.pairs()?;
        let numbered: Vec<(u64, &Arc<Pair>)> = (0..).zip(&pairs).collect();
        let paths = desk.try_fleet(&numbered, |(index, pair)| {
            Path::new(self, pair, runs, &desk.streams().replica(EVALUATION + index))
        })?;
        let basin = |pair: &Arc<Pair>| Basin::new(self, pair, runs, &desk.streams());
        let basins = pairs.iter().take(self.basins).map(basin).collect::<Result<_, _>>()?;
        Ok(Found { paths, basins, draws: Draw::all(self, desk)? })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let Found { paths, basins, draws } = found;
        let mut arrays: Vec<Array> = paths.iter().flat_map(Path::arrays).collect();
        arrays.extend(basins.iter().map(Basin::array));
        let row = |d: &Draw| vec![d.n as f64, d.counted.mean(), d.counted.se(), d.closed];
        arrays.push(Array::of_rows("dominance", &draws.iter().map(row).collect::<Vec<_>>()));
        let mut claims = claims::of_paths(paths);
        claims.extend(claims::of_basins(self, basins));
        claims.push(claims::of_draws(draws));
        Ok(Shown {
            arrays,
            claims,
            figures: vec![("dictator", figure::figure(self, found)?)],
            tables: claims::tables(self, found)?,
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Dictator>(
    "dictator",
    "the localized state of sign data: its path, its end over many correlation lengths, and its basin",
    include_str!("mod.rs"),
);
