//! Do the localized fields of one network repel each other, coincide, or pair?
//!
//! Note 000 says that receptive fields come in pairs of opposite sign and tile the space (L000.40). Both are seen: four units on a
//! ring of eight sites share a site with opposite signs, and twenty on a torus keep apart. Here the number of units, the size of
//! the ring, the correlation lengths and the dimension are varied one at a time, on sign data (gain infinity).
//!
//! **Prediction.** A ReLU is half its argument and half the size of it, so the output has an odd part, `<S, x>/2K` with
//! `S = sum_k w_k`, and an even one, the mean of `|<w_k, x>|/2`. The data are as likely as their negatives, so the mean label
//! given `x` is even and the odd part only adds error: the loss is that of the even part plus `S'MS/16K^2` with `M = C_+ + C_-`, and descent
//! makes the fields **neutral**, `S = 0`. Two units are neutral only as a pair, one field with both signs. A pair spends two units
//! on one even feature; from three units on, other neutral arrangements have more features, and fields may part. On one site the
//! feature is `|x_i|`, a constant on sign data: it tells nothing of the class, so stronger correlations reward wide fields that
//! lie apart. So the number of units and the correlation of neighbouring sites decide, not the units per site.
//!
//! **What decides.** Networks are the unit of statistics: shares of pairs have the jackknife's errors over networks, and the
//! distance to the nearest other centre is divided by its exact mean for as many independent uniform sites. Criteria, written
//! after trials at seed 1, before the runs at seed 0: two units pair (same or next site, opposite signs) in more than 90 % of
//! networks; `|S|^2 < 0.25 sum_k |w_k|^2` at every point (the noise of descent moves `S` too); at lengths (1, 1/2) three units
//! coincide more often than by chance on every ring and torus, and from twelve on (twenty-four on the torus) the nearest centre
//! is further away than by chance while there are two sites per unit; of two rings with as many units per site, the one of few
//! units has more coincidences, by more than the chance level; eight units coincide at the shortest lengths and not from length
//! 1 on. Any of these the other way round would falsify it. There are 100 networks per point on rings, and 32 on the torus,
//! since 60 and 16 left two criteria undecided at seeds 0 and 21; seed 22 was looked at with these numbers only. The control
//! are units of different networks, for which the ratio is 1.

mod claims;
mod figure;
pub mod measure;

use fovea_desk::prelude::*;
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::nlgp::Nlgp;
use measure::{Point, Shared, Signs};

params! {
    /// Settings of `repel-or-pair`.
    pub struct RepelOrPair {
        /// Sites of the rings.
        rings: Vec<usize> = vec![12, 24, 48], between(4.0, 4096.0), "sites";
        /// Numbers of hidden units on a ring.
        units: Vec<usize> = vec![2, 3, 4, 5, 6, 8, 12, 24], between(2.0, 1024.0), "units";
        /// Correlation length of class `pos`, label 1, on these rings.
        xi_pos: f64 = 1.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0, over that of class `pos`.
        ratio: f64 = 0.5, between(0.01, 100.0), "";
        /// Sites of the ring on which the lengths are varied.
        ring: usize = 24, between(4.0, 4096.0), "sites";
        /// Correlation lengths of class `pos` there.
        lengths: Vec<f64> = vec![0.5, 0.7, 1.0, 1.4, 2.0], finite_above(0.0), "sites";
        /// Sites along a side of the square torus.
        side: usize = 10, between(4.0, 64.0), "sites";
        /// Numbers of hidden units on the torus.
        torus_units: Vec<usize> = vec![2, 3, 6, 12, 24], between(2.0, 1024.0), "units";
        /// Correlation length of class `pos` on the torus, along an axis.
        torus_xi: f64 = 1.5, finite_above(0.0), "sites";
        /// Gain of the process, except for one more series.
        gain: f64 = f64::INFINITY, above(0.0), "";
        /// Gain of that series, on the ring of the lengths at length `xi_pos`.
        other_gain: f64 = 3.0, above(0.0), "";
        /// Learning rate over the number of units.
        rate: f64 = 0.2, finite_above(0.0), "";
        /// Fresh samples per step.
        batch: usize = 200, between(2.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 4000, between(1.0, 1e9), "steps";
        /// Networks per point on a ring.
        seeds: usize = 100, between(2.0, 1e5), "networks";
        /// Networks per point on the torus.
        torus_seeds: usize = 32, between(2.0, 1e5), "networks";
        /// Factor on the Glorot variance 2/(n + K) of the start.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for RepelOrPair {
    fn check(&self) -> Result<(), ParamError> {
        check_once("rings", &self.rings)?;
        check_once("units", &self.units)?;
        check_once("lengths", &self.lengths)?;
        check_once("torus_units", &self.torus_units)?;
        check_labels(Labels::Balanced, self.batch)?;
        let points = self.points();
        for point in &points {
            for xi in [point.xi, self.ratio * point.xi] {
                lattice(point, xi).latent().map_err(|error| ParamError::Inconsistent {
                    what: format!("length {xi} on a side of {} sites: {error}", point.side),
                    hint: "choose a larger ring or torus, or shorter lengths".to_owned(),
                })?;
            }
        }
        let numbers =
            points.iter().map(|point| self.networks(point) * point.width * point.sites()).sum();
        check_records(1, 1, numbers)
    }
}

fn lattice(point: &Point, xi: f64) -> Lattice {
    Lattice { dim: point.dim, ..Lattice::ring(point.side, xi, Kernel::Ring) }
}

impl RepelOrPair {
    /// Every point: rings of all sizes at one length, one ring at all lengths and at another gain, and the torus, each at all numbers of units.
    fn points(&self) -> Vec<Point> {
        let gain = self.gain;
        let sizes = self.rings.iter().map(|side| (*side, self.xi_pos, gain));
        let lengths = self.lengths.iter().map(|xi| (self.ring, *xi, gain));
        let other = [(self.ring, self.xi_pos, self.other_gain)];
        let rings = sizes.chain(lengths).chain(other).flat_map(|(side, xi, gain)| {
            self.units.iter().map(move |width| Point { side, dim: 1, xi, gain, width: *width })
        });
        let (side, xi) = (self.side, self.torus_xi);
        let of_torus = |width: &usize| Point { side, dim: 2, xi, gain, width: *width };
        let torus = self.torus_units.iter().map(of_torus);
        let mut points: Vec<Point> = Vec::new();
        for point in rings.chain(torus) {
            if points.iter().all(|other| other.name() != point.name()) {
                points.push(point);
            }
        }
        points
    }

    /// Networks of a point.
    fn networks(&self, point: &Point) -> usize {
        if point.dim == 1 { self.seeds } else { self.torus_seeds }
    }

    fn arm(&self, point: &Point) -> Arm {
        let class = |xi| Item::of("nlgp", &Nlgp { lattice: lattice(point, xi), gain: point.gain });
        let (pos, neg) = (class(point.xi), class(self.ratio * point.xi));
        let plan = Plan::new(self.steps, Times::At(Vec::new()), &[]);
        Arm {
            name: point.name(),
            task: Arc::new(TaskSpec::pair(pos, neg, 0.0, Labels::Balanced)),
            network: committee(point.width, &activation::relu::ENTRY, Bias::None, self.init_scale),
            // The mean readout slows every unit by 1/K.
            pace: Pace::online(self.rate * point.width as f64, self.batch),
            plan: Plan { precision: self.precision, ..plan },
        }
    }
}

/// The results of every point.
pub struct Found(Vec<Shared>);

impl Found {
    /// The points of one lattice, length and gain, in the order of their units.
    fn series(&self, (side, dim): (usize, usize), xi: f64, gain: f64) -> Vec<&Shared> {
        let of = |shared: &&Shared| {
            let point = &shared.point;
            let same = |a: f64, b: f64| a.total_cmp(&b).is_eq();
            (point.side, point.dim) == (side, dim) && same(point.xi, xi) && same(point.gain, gain)
        };
        let mut series: Vec<&Shared> = self.0.iter().filter(of).collect();
        series.sort_by_key(|shared| shared.point.width);
        series
    }
}

/// A series of points along the number of units, and what it is called.
type Along<'a> = (String, Vec<&'a Shared>);

impl RepelOrPair {
    /// Rings of all sizes at one length, then the torus.
    fn by_size<'a>(&self, found: &'a Found) -> Vec<Along<'a>> {
        let of = |side: &usize| {
            (format!("ring of {side}"), found.series((*side, 1), self.xi_pos, self.gain))
        };
        let mut all: Vec<Along<'a>> = self.rings.iter().map(of).collect();
        let torus = found.series((self.side, 2), self.torus_xi, self.gain);
        all.push((format!("torus of {0} x {0}", self.side), torus));
        all
    }

    /// One ring at all lengths.
    fn by_length<'a>(&self, found: &'a Found) -> Vec<Along<'a>> {
        let mut lengths = self.lengths.clone();
        lengths.sort_by(f64::total_cmp);
        let of = |xi: &f64| {
            let name = format!("length {}", Value::Real(*xi));
            (name, found.series((self.ring, 1), *xi, self.gain))
        };
        lengths.iter().map(of).collect()
    }

    /// That ring at the other gain.
    fn at_other_gain<'a>(&self, found: &'a Found) -> Along<'a> {
        let [xi, gain] = [self.xi_pos, self.other_gain].map(Value::Real);
        let series = found.series((self.ring, 1), self.xi_pos, self.other_gain);
        (format!("length {xi}, gain {gain}"), series)
    }

    /// For every series, up to how many units fields coincide more often than by chance, and from how many on less often.
    fn crossings(&self, found: &Found) -> Table {
        let all = [self.by_size(found), self.by_length(found), vec![self.at_other_gain(found)]];
        let beyond = |shared: &&&Shared, above: bool| {
            let over = shared.over_chance(Signs::Either);
            over.is_some_and(|over| if above { over.z(1.0) > 2.0 } else { over.z(1.0) < -2.0 })
        };
        let units =
            |shared: Option<&&Shared>| shared.map_or(f64::NAN, |shared| shared.point.width as f64);
        Table::of("crossings", &all.concat())
            .words("series", |(name, _)| name.clone())
            .real("more_often_up_to", 0, |(_, series)| {
                units(series.iter().rfind(|shared| beyond(shared, true)))
            })
            .unit("units")
            .real("less_often_from", 0, |(_, series)| {
                units(series.iter().find(|shared| beyond(shared, false)))
            })
            .unit("units")
            .caption(
                "The largest number of units whose localized fields are on one site more often than by chance, and the smallest \
                 where they are less often, by two standard errors; one row per series along the number of units.",
            )
    }
}

impl Experiment for RepelOrPair {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Repel, coincide or pair",
        lead: "Committees of ReLU units on sign data: how often two localized fields of one network lie on one site, with equal or with \
               opposite signs, and how far the nearest other one is, compared with chance, as the number of units, the size of the \
               ring, the correlation lengths and the dimension change.",
        caption: figure::CAPTION,
        formulas: &[
            r"\hat y=\frac1K\sum_k\max(0,\langle w_k,x\rangle)=\frac{1}{2K}\langle S,x\rangle+\frac{1}{2K}\sum_k|\langle w_k,x\rangle|,\qquad S=\sum_k w_k",
            r"L=\tfrac12\,\mathbb E\Big(\frac{1}{2K}\sum_k|\langle w_k,x\rangle|-y\Big)^2+\frac{1}{16K^2}\,S^{\top}(C_{+}+C_{-})\,S",
            r"\mathbb E\min_{j\le k}d_j=\int_0^\infty\Big(1-\frac{N(r)}{n}\Big)^{k}\,dr,\qquad N(r)=\text{sites within } r",
        ],
    };

    const FULL: Option<Full<Self>> = Some(Full {
        settings: || Self { steps: 8000, seeds: 250, torus_seeds: 64, ..Self::default() },
        takes: "ten minutes",
    });

    fn quick() -> Self {
        let base = Self::default();
        Self {
            rings: vec![12, 48],
            units: vec![2, 3, 12],
            lengths: vec![0.5],
            torus_units: vec![2],
            side: 8,
            steps: 1500,
            seeds: 30,
            torus_seeds: 10,
            ..base
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let of = |point: &Point| {
            let arm = self.arm(point);
            arm.jobs(streams.part(&arm.name), self.networks(point))
        };
        Ok(self.points().iter().flat_map(of).map(Job::unlisted).collect())
    }

    fn measure(&self, runs: &Runs, _: &Desk<'_>) -> Result<Found, LabError> {
        let of = |point: &Point| Shared::of(*point, &runs.group(&point.name()));
        Ok(Found(self.points().iter().map(of).collect::<Result<_, _>>()?))
    }

    fn show(&self, runs: &Runs, found: &Found) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: runs.weights(),
            claims: claims::claims(self, found)?,
            figures: vec![("repel-or-pair", figure::figure(self, found))],
            tables: [vec![self.crossings(found)], measure::tables(&found.0).into()].concat(),
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<RepelOrPair>(
    "repel-or-pair",
    "whether localized fields of one network coincide, pair or keep apart, by number of units, ring, correlation length and dimension",
    include_str!("mod.rs"),
);
