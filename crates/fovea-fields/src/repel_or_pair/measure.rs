//! Pairs of localized fields of one network, and the nearest other one, compared with independent uniform sites.

use fovea_core::ring::distance;
use fovea_desk::cell::{in_dictator_cell, peak};
use fovea_desk::prelude::*;
use fovea_desk::replicas::plain;
use fovea_sim::probe::population::is_localized;

/// A lattice, a length and a number of units.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Sites along a side.
    pub side: usize,
    /// 1 on a ring, 2 on a torus.
    pub dim: usize,
    /// Correlation length of class `pos`.
    pub xi: f64,
    /// Gain of the process.
    pub gain: f64,
    /// Units of the network.
    pub width: usize,
}

impl Point {
    fn kind(&self) -> &'static str {
        if self.dim == 1 { "ring" } else { "torus" }
    }

    pub(super) fn name(&self) -> String {
        let [xi, gain] = [self.xi, self.gain].map(Value::Real);
        format!("{}={},xi={xi},gain={gain},units={}", self.kind(), self.side, self.width)
    }

    pub(super) fn sites(&self) -> usize {
        if self.dim == 1 { self.side } else { self.side * self.side }
    }

    /// How far apart two sites are along each axis.
    fn offsets(&self, a: usize, b: usize) -> [usize; 2] {
        let side = self.side;
        [distance(a % side, b % side, side), distance(a / side % side, b / side % side, side)]
    }

    fn distance(&self, a: usize, b: usize) -> f64 {
        let [across, down] = self.offsets(a, b);
        libm::hypot(across as f64, down as f64)
    }

    /// The mean distance from a site to the nearest of `k` independent uniform ones, for `k` from 0 to the number of units:
    /// the integral of the chance `(1 - N(r)/n)^k` that none lies within `r`, where `N(r)` sites do; without others, 0.
    pub fn nulls(&self) -> Vec<f64> {
        let n = self.sites();
        let mut distances: Vec<f64> = (0..n).map(|site| self.distance(0, site)).collect();
        distances.sort_by(f64::total_cmp);
        let of = |others: usize| {
            let step = |within: usize| {
                let free = 1.0 - within as f64 / n as f64;
                (distances[within] - distances[within - 1]) * libm::pow(free, others as f64)
            };
            if others == 0 { 0.0 } else { (1..n).map(step).sum() }
        };
        (0..=self.width).map(of).collect()
    }
}

/// A localized field: the site of its largest weight, and whether that is positive.
pub type Centre = (usize, bool);

/// The localized field of some weights, if they are one: its IPR exceeds 6/n, or one site outvotes all others (on rings so small
/// that the line lies above 1/2).
pub fn centre(w: &[f64]) -> Option<Centre> {
    let at = peak(w);
    (is_localized(w) || in_dictator_cell(w)).then(|| (at, w[at] > 0.0))
}

/// Counts of pairs of one network, for opposite and for equal signs.
#[derive(Clone, Copy, Default)]
struct Pairs {
    all: [f64; 2],
    /// On one site.
    together: [f64; 2],
    /// On one site or the next, along every axis.
    near: [f64; 2],
}

/// Pairs, and networks with two centres, below which a point is left out.
const FEWEST: (f64, usize) = (10.0, 5);

/// The results of the networks of one point.
pub struct Shared {
    pub(super) point: Point,
    /// Share of the units that are localized.
    localized: f64,
    /// Median participation number of all units.
    size: f64,
    /// One per network.
    pairs: Vec<Pairs>,
    /// Mean distance to the nearest other centre over chance, one per network with two centres.
    nearest: Vec<f64>,
    /// The same for units of different networks, one for as many networks as there are units; and with chance as if a unit
    /// had itself among the others.
    pub(super) control: Vec<[f64; 2]>,
    /// `|S|^2` over the sum of `|w|^2`.
    pub(super) neutral: Estimate,
}

/// Which pairs a share is of.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Signs {
    Opposite,
    Equal,
    Either,
}

impl Signs {
    fn of(self, counts: [f64; 2]) -> f64 {
        match self {
            Self::Opposite => counts[0],
            Self::Equal => counts[1],
            Self::Either => counts[0] + counts[1],
        }
    }
}

impl Shared {
    pub(super) fn of(point: Point, group: &Group<'_>) -> Result<Self, LabError> {
        let networks: Vec<Vec<Option<Centre>>> =
            group.runs.iter().map(|run| fields(run).map(centre).collect()).collect();
        let own: Vec<Vec<Centre>> =
            networks.iter().map(|units| units.iter().flatten().copied().collect()).collect();
        let nulls = point.nulls();
        let ratios = |own: &Vec<Centre>| {
            let others = own.len().checked_sub(1).filter(|others| *others > 0)?;
            let nearest = nearest(&point, own);
            Some([nearest / nulls[others], nearest / nulls[others + 1]])
        };
        // Every unit of a block is taken from another network, and no network is taken from twice.
        let mixed = networks.chunks_exact(point.width).map(|block| -> Vec<Centre> {
            block.iter().enumerate().filter_map(|(unit, network)| network[unit]).collect()
        });
        let control = mixed.collect::<Vec<_>>().iter().filter_map(ratios).collect();
        let sizes: Vec<f64> =
            group.runs.iter().flat_map(|run| fields(run)).map(|w| 1.0 / ipr(w).max(1e-9)).collect();
        let of_all = |run: &&Trained| imbalance(run.network().weights(), run.network().inputs());
        let count = own.iter().map(Vec::len).sum::<usize>() as f64;
        Ok(Self {
            point,
            localized: count / sizes.len() as f64,
            size: quantile(&sizes, 0.5)?,
            pairs: own.iter().map(|own| counted(&point, own)).collect(),
            nearest: own.iter().filter_map(ratios).map(|[ratio, _]| ratio).collect(),
            control,
            neutral: estimate(group.runs.iter().map(of_all))?,
        })
    }

    /// The share of pairs on one site, over networks; none where there are too few pairs. A share of none or all has the error of
    /// one pair more or less.
    pub(super) fn share(&self, signs: Signs) -> Option<Estimate> {
        let row = |pairs: &Pairs| vec![signs.of(pairs.together), signs.of(pairs.all)];
        let rows: Vec<Vec<f64>> = self.pairs.iter().map(row).collect();
        let all = rows.iter().map(|row| row[1]).sum::<f64>();
        if all < FEWEST.0 {
            return None;
        }
        let share =
            plain(&rows, |mean| if mean[1] > 0.0 { mean[0] / mean[1] } else { 0.0 }).ok()?;
        Estimate::from_parts(share.mean(), share.se().max(1.0 / all), share.count()).ok()
    }

    /// The share of pairs on one site over chance, which is one over the number of sites.
    pub(super) fn over_chance(&self, signs: Signs) -> Option<Estimate> {
        self.share(signs)?.scaled_and_shifted(self.point.sites() as f64, 0.0).ok()
    }

    /// The distance to the nearest other centre over chance; none where too few networks have two centres.
    pub(super) fn ratio(&self) -> Option<Estimate> {
        let enough = self.nearest.len() >= FEWEST.1;
        Estimate::from_samples(&self.nearest).ok().filter(|_| enough)
    }

    /// Pairs within a site of each other with opposite signs, and all pairs.
    pub(super) fn paired(&self) -> [f64; 2] {
        let sum = |of: &dyn Fn(&Pairs) -> f64| self.pairs.iter().map(of).sum::<f64>();
        [sum(&|pairs| pairs.near[0]), sum(&|pairs| Signs::Either.of(pairs.all))]
    }
}

/// What the fields of every point are like, and how often two have one site.
pub(super) fn tables(all: &[Shared]) -> [Table; 2] {
    let of = |name: &str| {
        Table::of(name, all)
            .words("lattice", |shared| shared.point.kind())
            .whole("side", |shared| shared.point.side)
            .given("xi", |shared| shared.point.xi)
            .unit("sites")
            .given("gain", |shared| shared.point.gain)
            .whole("units", |shared| shared.point.width)
    };
    let fields = of("fields")
        .real("size", 2, |shared| shared.size)
        .unit("sites")
        .real("localized", 2, |shared| shared.localized)
        .maybe("nearest", 2, Shared::ratio)
        .estimate("neutral", 4, |shared| shared.neutral)
        .caption(
            "One row per lattice, length of class pos, gain and number of units: median participation number 1/IPR of all units; \
             share of them that are localized; distance from one of these to the nearest other one of the same network over \
             chance (none where too few networks have two); |S|^2 over the sum of |w|^2.",
        );
    let coincidences = of("coincidences")
        .maybe("all", 2, |shared| shared.over_chance(Signs::Either))
        .maybe("opposite", 2, |shared| shared.over_chance(Signs::Opposite))
        .maybe("equal", 2, |shared| shared.over_chance(Signs::Equal))
        .caption(
            "Share of pairs of localized units of one network that have the same site over chance, one over the number of sites: \
             all pairs, those of opposite and those of equal signs. A dash: there are too few pairs.",
        );
    [fields, coincidences]
}

/// `|sum_k w_k|^2 / sum_k |w_k|^2`: 1 in the mean for independent fields, 0 for neutral ones.
pub fn imbalance(weights: &[f64], n: usize) -> f64 {
    let mut sum = vec![0.0; n];
    for w in weights.chunks(n) {
        sum.iter_mut().zip(w).for_each(|(sum, w)| *sum += w);
    }
    let total = dot(weights, weights);
    if total > 0.0 { dot(&sum, &sum) / total } else { 0.0 }
}

fn counted(point: &Point, own: &[Centre]) -> Pairs {
    let mut pairs = Pairs::default();
    for (i, (site, sign)) in own.iter().enumerate() {
        for (other, other_sign) in &own[i + 1..] {
            let at = usize::from(sign == other_sign);
            pairs.all[at] += 1.0;
            pairs.together[at] += f64::from(u8::from(site == other));
            let next = point.offsets(*site, *other).iter().all(|gap| *gap <= 1);
            pairs.near[at] += f64::from(u8::from(next));
        }
    }
    pairs
}

/// The distance from a centre to its nearest other one, averaged over the centres.
pub fn nearest(point: &Point, own: &[Centre]) -> f64 {
    let of = |i: usize| {
        let others = own.iter().enumerate().filter(|(j, _)| *j != i);
        others.map(|(_, (site, _))| point.distance(own[i].0, *site)).fold(f64::INFINITY, f64::min)
    };
    (0..own.len()).map(of).sum::<f64>() / own.len() as f64
}
