//! A population on binary data: units localize, and share sites as partners of opposite sign.

use super::prelude::*;
use fovea_core::activation;
use fovea_desk::bench::{Bench, Silent};
use fovea_desk::cell::peak;
use fovea_desk::two_class::TwoClass;
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Labels, Network, Plan, Sgd, Times, crew, loss, probe};
use std::sync::atomic::AtomicBool;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "tiling",
    summary: "Units of a small population localize, and share sites as partners of opposite sign.",
    covers: &["L000.40/localized", "L000.40/partners", "L000.40/signs"],
    run,
};

const RING: usize = 8;
const UNITS: usize = 4;

/// A field with a larger inverse participation ratio rests on few sites; on eight a flat one has 0.125 and a drawn one 0.3 on average.
const LOCALIZED: f64 = 0.4;

/// Networks are put together in groups, each of which must show the same: networks of a group, and groups.
const GROUP: usize = 30;
const GROUPS: usize = 20;

/// The fields of one network.
type Fields = Vec<Vec<f64>>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let networks = effort.once("networks", || trained(effort))?;
    let sign = effort.slip("sign of a partner", "the same in place of the opposite one", -1.0, 1.0);
    let counted = count(&networks, sign);
    let localized = |of: fn(&[Fields; 2]) -> &Fields| {
        let share = |group: &[[Fields; 2]]| {
            let fields = group.iter().flat_map(of);
            fields.filter(|w| ipr(w) > LOCALIZED).count() as f64 / (GROUP * UNITS) as f64
        };
        networks.chunks(GROUP).filter(|group| share(group) > 0.5).count()
    };
    let setting = "of 20 groups of 30 networks (4 bias-free ReLU units on 8 sites of sign data, xi_pos = 0.7, xi_neg = 0.3, Glorot start, 400 steps of 0.8, batch 200)";
    let what = format!(
        "{setting}, those in which more than half of the units end with an inverse participation ratio above 0.4, where a flat field has 0.125; without a reason to localize a group would be among them with chance 1/2"
    );
    let broken = Comparison::all(&["L000.40/localized"], what, (localized(|[_, end]| end), GROUPS), 0.5)
        .against_cases("the same networks at the start", (localized(|[start, _]| start), GROUPS))
        .shown();
    let what = format!(
        "{setting}, those in which more than 1/8 of the pairs of localized units of one network have their largest weight at the same site, {:.3} (s.e. {:.3}) of all of them, where independent units do so with chance 1/8 and a group with chance 1/2",
        counted.share, counted.error,
    );
    let partners = Comparison::all(&["L000.40/partners"], what, (counted.own[0], GROUPS), 0.5)
        .against_cases("units of neighbouring networks", (counted.other[0], GROUPS))
        .shown();
    let what = format!(
        "{setting}, those in which more than half of these pairs that share a site have opposite signs there, {:.2} of all of them, where independent signs do so with chance 1/2",
        counted.opposite,
    );
    let signs = Comparison::all(&["L000.40/signs"], what, (counted.own[1], GROUPS), 0.5)
        .against_cases("units of neighbouring networks", (counted.other[1], GROUPS))
        .shown();
    Ok(vec![broken, partners, signs])
}

/// The fields of every network before and after training.
fn trained(effort: &Effort) -> Result<Vec<[Fields; 2]>, LabError> {
    let classes = TwoClass { n: RING, xi_pos: 0.7, xi_neg: 0.3, kernel: Kernel::Ring };
    let task = classes.task(f64::INFINITY, Labels::Balanced)?;
    let network = Network::committee(RING, UNITS, &activation::relu::ENTRY, Bias::None);
    // The mean readout slows every unit by 1/K.
    let sgd = Sgd::online(0.2 * UNITS as f64, 200);
    let plan = Plan {
        steps: 400,
        record: Times::Every(400),
        checkpoint_every: 0,
        eval_samples: 0,
        probes: &[&probe::weights::ENTRY],
        loss: &loss::mse::ENTRY,
        precision: Precision::Single,
    };
    let population = |replica: &u64| -> Result<[Fields; 2], LabError> {
        let (streams, stop) = (effort.streams.replica(*replica), AtomicBool::new(false));
        let bench = Bench::new(0, &Silent, &stop);
        let start = Glorot { init_scale: 1.0 }.start(&[RING], UNITS, &streams)?.weights;
        let network = network.clone().with(&start, &[0.0; UNITS])?;
        let run = train(&task, network, &sgd, &streams, &plan, &bench);
        let end = run.records.last().map_or_else(Vec::new, |end| end.readings[0].clone());
        Ok([start.chunks(RING).map(<[f64]>::to_vec).collect(), end])
    };
    let replicas: Vec<u64> = (0..(GROUP * GROUPS) as u64).collect();
    crew::fleet(&replicas, population).into_iter().collect()
}

/// Groups that show more pairs on one site, and more opposite ones among these, than chance would.
struct Counted {
    /// Of units of one network.
    own: [usize; 2],
    /// Of one unit of a network and one of the next.
    other: [usize; 2],
    /// Share of all pairs of one network on one site, and its standard error.
    share: f64,
    error: f64,
    /// Share of these that are opposite.
    opposite: f64,
}

/// Pairs of localized units, those on one site, and those whose weights there have a product of this sign.
fn pairs(one: &Fields, other: Option<&Fields>, sign: f64) -> [usize; 3] {
    let mut counts = [0; 3];
    for (i, a) in one.iter().enumerate() {
        let partners = other.map_or(&one[i + 1..], |other| &other[..]);
        for b in partners.iter().filter(|b| ipr(a) > LOCALIZED && ipr(b) > LOCALIZED) {
            let site = peak(a);
            counts[0] += 1;
            counts[1] += usize::from(site == peak(b));
            counts[2] += usize::from(site == peak(b) && sign * a[site] * b[site] > 0.0);
        }
    }
    counts
}

fn add(sum: [usize; 3], more: [usize; 3]) -> [usize; 3] {
    [0, 1, 2].map(|at| sum[at] + more[at])
}

fn count(networks: &[[Fields; 2]], sign: f64) -> Counted {
    let ends: Vec<&Fields> = networks.iter().map(|[_, end]| end).collect();
    let own: Vec<[usize; 3]> = ends.iter().map(|fields| pairs(fields, None, sign)).collect();
    let next = |i: usize| pairs(ends[i], Some(ends[(i + 1) % ends.len()]), sign);
    let other: Vec<[usize; 3]> = (0..ends.len()).map(next).collect();
    let groups = |of: &[[usize; 3]]| {
        let sums: Vec<[usize; 3]> =
            of.chunks(GROUP).map(|group| group.iter().copied().fold([0; 3], add)).collect();
        let more = |[all, same, opposite]: &[usize; 3]| [RING * same > *all, 2 * opposite > *same];
        [0, 1].map(|at| sums.iter().filter(|sum| more(sum)[at]).count())
    };
    let [all, same, opposite] = own.iter().copied().fold([0; 3], add).map(|count| count as f64);
    let share = same / all;
    // Pairs of one network are no independent cases: the error is that of networks.
    let off = own.iter().map(|[all, same, _]| *same as f64 - share * *all as f64);
    let error = off.map(|off| off * off).sum::<f64>().sqrt() / all;
    Counted { own: groups(&own), other: groups(&other), share, error, opposite: opposite / same }
}
