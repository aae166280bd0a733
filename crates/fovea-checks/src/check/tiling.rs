//! A population on sign data: every network breaks the symmetry of the ring, the ensemble restores it, and units of one network pair.

use super::prelude::*;
use fovea_core::activation;
use fovea_core::stats::VectorAccumulator;
use fovea_desk::cell::{in_dictator_cell, peak};
use fovea_desk::conditions::{Conditions, Silent};
use fovea_desk::two_class::TwoClass;
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::train::train;
use fovea_sim::{Bias, Labels, Network, Plan, Sgd, Times, crew};
use std::sync::atomic::AtomicBool;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "tiling",
    summary: "Units of a small population localize and pair: on one site, with opposite signs.",
    covers: &["L000.40/restored", "L000.40/pairs", "L000.40/signs"],
    run,
};

const RING: usize = 8;
const UNITS: usize = 4;

/// Networks per group; each group must obey.
const GROUP: usize = 100;

/// Site and sign of every unit of a network whose gate one site decides.
type Peaks = Vec<(usize, bool)>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let networks = effort.once("networks", || trained(effort))?;
    Ok(vec![restored(effort, &networks)?, pairs(&networks), signs(&networks)])
}

fn trained(effort: &Effort) -> Result<Vec<Peaks>, LabError> {
    let classes = TwoClass { n: RING, xi_pos: 0.7, xi_neg: 0.3, kernel: Kernel::Ring };
    let task = classes.task(f64::INFINITY, Labels::Balanced)?;
    let network = Network::committee(RING, UNITS, &activation::relu::ENTRY, Bias::None);
    // The mean readout slows every unit by 1/K.
    let sgd = Sgd::online(0.2 * UNITS as f64, 200);
    let plan = Plan::new(400, Times::At(Vec::new()), &[]);
    let population = |replica: &u64| -> Result<Peaks, LabError> {
        let (streams, stop) = (effort.streams.replica(*replica), AtomicBool::new(false));
        let conditions = Conditions::new(0, &Silent, &stop);
        let start = Glorot { init_scale: 1.0 }.start(&[RING], UNITS, &streams)?.weights;
        let network = network.clone().with(&start, &[0.0; UNITS])?;
        let run = train(&task, network, &sgd, &streams, &plan, &conditions);
        let fields = run.network.weights().chunks(RING).filter(|w| in_dictator_cell(w));
        Ok(fields.map(|w| (peak(w), w[peak(w)] > 0.0)).collect())
    };
    let replicas: Vec<u64> = (0..effort.samples(2500) as u64).collect();
    crew::fleet(&replicas, population).into_iter().collect()
}

/// Share of the centres that every site has, and of those with a positive peak, over networks.
fn restored(effort: &Effort, networks: &[Peaks]) -> Result<Comparison, LabError> {
    let positive =
        effort.slip("signs over all networks", "all peaks positive, as labels are", 0.5, 1.0);
    let even = 1.0 / RING as f64;
    let nearly: [f64; RING] =
        std::array::from_fn(|site| if site % 2 == 0 { 1.5 * even } else { 0.5 * even });
    let shares = effort.slip(
        "centres over all networks",
        "three of four on every other site",
        [even; RING],
        nearly,
    );
    let mut means = VectorAccumulator::new(RING + 1);
    for peaks in networks.iter().filter(|peaks| !peaks.is_empty()) {
        let mut parts = [0.0; RING + 1];
        for (site, is_positive) in peaks {
            parts[*site] += 1.0 / peaks.len() as f64;
            parts[RING] += f64::from(u8::from(*is_positive)) / peaks.len() as f64;
        }
        means.push(&parts)?;
    }
    let predicted = shares.into_iter().chain([positive]);
    let pairs: Vec<_> = means.estimates()?.into_iter().zip(predicted).collect();
    let what = "four ReLU units on sign data, n = 8, lengths (0.7, 0.3), 2500 networks from Glorot starts, SGD of 400 steps: of the units whose gate one site decides, the share of every site and of positive peaks, and 1/8 and 1/2";
    Ok(Comparison::noise(&["L000.40/restored"], what, &pairs)
        .of_size(1.0)
        .coarse("every sample is a training run"))
}

/// The number of groups of networks that obey, and of all groups.
fn in_groups(networks: &[Peaks], obeys: impl Fn(&[Peaks]) -> bool) -> (usize, usize) {
    let groups = networks.chunks(GROUP);
    (groups.clone().filter(|group| obeys(group)).count(), groups.len())
}

/// Pairs of units of one network, or of a network and the next: the number of all, of those on one site, and of these with opposite signs.
fn counted(group: &[Peaks], with_the_next: bool) -> [usize; 3] {
    let mut counts = [0; 3];
    let mut count = |one: &(usize, bool), other: &(usize, bool)| {
        counts[0] += 1;
        counts[1] += usize::from(one.0 == other.0);
        counts[2] += usize::from(one.0 == other.0 && one.1 != other.1);
    };
    for (at, peaks) in group.iter().enumerate() {
        for (i, one) in peaks.iter().enumerate() {
            let others =
                if with_the_next { &group[(at + 1) % group.len()][..] } else { &peaks[i + 1..] };
            for other in others {
                count(one, other);
            }
        }
    }
    counts
}

/// Pairs of one network share a site more often than independent units.
fn pairs(networks: &[Peaks]) -> Comparison {
    let crowded = |apart: bool| {
        in_groups(networks, |group| {
            let [all, together, _] = counted(group, apart);
            RING * together > all
        })
    };
    let what = "the same networks in 25 groups: groups in which more than 1/8 of the pairs of units of one network have one site; by chance one in two";
    Comparison::all(&["L000.40/pairs"], what, crowded(false), 0.5)
        .shown()
        .against_cases("pairs of a unit of one network and one of the next", crowded(true))
}

/// More than half of the pairs on one site have opposite signs.
fn signs(networks: &[Peaks]) -> Comparison {
    let opposed = |apart: bool| {
        in_groups(networks, |group| {
            let [_, together, opposite] = counted(group, apart);
            2 * opposite > together
        })
    };
    let what = "the same networks in 25 groups: groups in which more than half of the pairs on one site have opposite signs; by chance one in two";
    Comparison::all(&["L000.40/signs"], what, opposed(false), 0.5)
        .shown()
        .against_cases("pairs of a unit of one network and one of the next", opposed(true))
}
