//! Minima against basins: is what random starts find the best there is, when the class with label 1 has the shorter correlations?
//!
//! The notes say that fields localize where `xi_pos > xi_neg` and oscillate at short range otherwise (L001.4). That is right for
//! random starts and wrong for minima: the dictator state exists in both orders (L000.39), as a bump in one and a Mexican hat in the
//! other, and its loss is the same in both, because swapping the classes leaves `C_pos (C_pos + C_neg)^-1 C_pos` with the same
//! diagonal. Networks are trained in both orders from random weights and from one site, and their losses on fresh samples are
//! compared with three closed forms (`measure.rs`): the best mode of Gaussian data, a single site, and the regression under its gate,
//! which the best field does not fall short of. If random starts in the swapped order reached a loss as low as that, or fields
//! started on one site left it, the picture of two attractors would be false.

mod figure;
pub mod measure;

use fovea_core::vector::extent;
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::prelude::*;
use fovea_record::bound::one_sided;
use fovea_theory::variational::loss;
use measure::{Ends, Origin, Point, gain_of};

params! {
    /// Settings of `swapped-classes`.
    pub struct SwappedClasses {
        /// Ring size: inputs of the network.
        n: usize = 40, between(4.0, 1024.0), "sites";
        /// The shorter correlation length; class `pos` (label 1) has it in the swapped order.
        short: f64 = 1.0, finite_above(0.0), "sites";
        /// The longer correlation length.
        long: f64 = 2.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gains.
        gain: Vec<f64> = vec![0.5, 1.0, 3.0, f64::INFINITY], above(0.0), "";
        /// Networks per order, gain and kind of start.
        networks: usize = 16, between(2.0, 1e4), "networks";
        /// Learning rate at which training begins, for the loss with its factor 1/2; it falls linearly to zero.
        lr: f64 = 1.0, finite_above(0.0), "";
        /// Fresh samples per step.
        batch: usize = 2000, between(1.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 1200, between(1.0, 1e9), "steps";
        /// Fresh samples on which the loss of every network is measured.
        eval: usize = 400_000, between(1000.0, 1e9), "samples";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for SwappedClasses {
    fn check(&self) -> Result<(), ParamError> {
        self.orders()[0].kernels()?;
        if self.short >= self.long {
            return Err(ParamError::Inconsistent {
                what: format!("`short` is {} and `long` is {}", self.short, self.long),
                hint: "give the shorter length first".to_owned(),
            });
        }
        check_gains(&self.gain)
    }
}

/// The weight of the site that fields start on.
const SITE: f64 = 0.5;

impl SwappedClasses {
    /// The swapped order, and the other.
    fn orders(&self) -> [TwoClass; 2] {
        let two = |xi_pos, xi_neg| TwoClass { n: self.n, xi_pos, xi_neg, kernel: self.kernel };
        [two(self.short, self.long), two(self.long, self.short)]
    }

    /// Every order and gain, from random weights and from one site next to each other.
    fn points(&self) -> Vec<Point> {
        let pair =
            |two, gain| [Origin::Glorot, Origin::Site].map(|origin| Point { two, gain, origin });
        let order = |two| self.gain.iter().flat_map(move |gain| pair(two, *gain));
        self.orders().into_iter().flat_map(order).collect()
    }
}

impl Experiment for SwappedClasses {
    type Found<'r> = Vec<Ends>;

    const WORDS: Words<'static> = Words {
        title: "Swapped classes: minima against basins",
        lead: "Where the class with label 1 has the shorter correlations, random starts end in an oscillation. It is not the best there is: \
               the localized state exists in that order too, with the same loss as in the other, and is found from one site.",
        caption: figure::CAPTION,
        formulas: &[
            r"L=\tfrac14\big(1-\tfrac12R\big),\qquad R(w)=\frac{(\mathbb E_{+}|\langle w,x\rangle|)^2}{w^\top(C_{-}+C_{+})\,w}",
            r"R_{\mathrm{best}}\ \ge\ 4\,f^\top(C_{-}+C_{+})^{-1}f,\quad f=f(e_i)\qquad\text{the gate of one site; a minimum of its own at infinite gain with a positive margin}",
            r"R=\frac{2/\pi}{1+q_k},\quad q_k=\lambda^{-}_k/\lambda^{+}_k\qquad\text{the mode } k \text{ on Gaussian data}",
        ],
    };

    fn quick() -> Self {
        let gain = vec![3.0, f64::INFINITY];
        Self { gain, batch: 1000, steps: 250, eval: 60_000, ..Self::default() }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let times = Times::log(self.steps as u64, 20);
        let plan = Plan::new(self.steps, times, &[&probe::ipr::ENTRY, &probe::norm::ENTRY]);
        let plan = Plan { precision: self.precision, ..plan };
        let pace = Pace { schedule: Item::named("linear"), ..Pace::online(self.lr, self.batch) };
        let mut jobs = Vec::new();
        for point in self.points() {
            let (task, name) = (point.two.spec(point.gain, Labels::Iid), point.name());
            for network in 0..self.networks {
                let streams = streams.replica(network as u64);
                let weights = match point.origin {
                    Origin::Glorot => glorot(self.n, 1.0, &streams)?,
                    Origin::Site => (0..self.n).map(|i| if i == 0 { SITE } else { 0.0 }).collect(),
                };
                let (task, dynamics) = (Arc::clone(&task), sgd(pace.clone()));
                let stage = Stage { task, dynamics, plan: plan.clone(), streams };
                let start = Start::Given(one_unit(&weights)?);
                jobs.push(Job::new(format!("{name}={network}"), start, stage).in_group(&*name));
            }
        }
        Ok(jobs)
    }

    fn parts(&self) -> u64 {
        (self.points().len() * self.networks) as u64
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Vec<Ends>, LabError> {
        let ends = |(index, point): (usize, Point)| {
            Ends::new(self, point, &runs.group(&point.name()), index / 2, desk)
        };
        self.points().into_iter().enumerate().map(ends).collect()
    }

    fn show(&self, _: &Runs, found: &Vec<Ends>) -> Result<Shown, LabError> {
        let mut claims = Vec::new();
        for ends in found {
            claims.extend(claimed(ends)?);
        }
        for pair in found.chunks(2) {
            claims.extend(worse(&pair[0], &pair[1])?);
        }
        Ok(Shown {
            arrays: found.iter().flat_map(Ends::arrays).collect(),
            claims,
            figures: vec![("swapped-classes", figure::figure(self, found)?)],
            tables: tables(found)?,
            ..Shown::default()
        })
    }
}

/// The experiment's own name: these are means over networks, whereas the claims under L001.4 count fields of one kind.
const ID: &str = "swapped-classes";

/// From this gain on the source finds two attractors.
const BISTABLE: f64 = 3.0;

fn place(point: &Point) -> String {
    let (pos, neg, gain) = (point.two.xi_pos, point.two.xi_neg, Value::Real(point.gain));
    format!("lengths ({pos}, {neg}), gain {gain}")
}

/// What is claimed of one point.
fn claimed(ends: &Ends) -> Result<Vec<Claim>, LabError> {
    let point = &ends.point;
    if point.gain < BISTABLE {
        return Ok(Vec::new());
    }
    let at = place(point);
    let mut claims = Vec::new();
    let mut side = |what: &str, mean: Estimate, bound: f64, above: bool| {
        claims.push(one_sided(ID, format!("{at}: {what}"), mean, bound, above));
    };
    let localization = match (point.origin, point.is_longer()) {
        (Origin::Glorot, true) => Some(("random starts localize", true)),
        (Origin::Glorot, false) => Some(("random starts do not localize", false)),
        (Origin::Site, false) => Some(("started on one site fields stay localized", true)),
        (Origin::Site, true) => None,
    };
    if let Some((what, above)) = localization {
        let what = format!("{what}, mean IPR {} 1/2", if above { "above" } else { "below" });
        side(&what, Estimate::from_samples(&ends.iprs())?, LEAST_IPR, above);
    }
    if point.origin == Origin::Glorot && !point.is_longer() && point.gain.is_infinite() {
        let what =
            "random starts end at a higher loss than the dictator state has, (1 - 2 f'M^-1 f)/4";
        side(what, ends.mean_loss()?, loss(ends.bounds.gate), true);
    }
    // IPR and loss of the mean field against the closed form; the catalogued claim compares the loss only.
    if let Some([ipr, measured]) = ends.mean_field {
        let dictator = point.two.dictator()?;
        let mut ends_at = |id, what: &str, mean: Estimate, state: f64, alone: f64| {
            let statement = format!(
                "{at}: started on one site, training ends at the {what} of the dictator state, that of the mean field"
            );
            let claim = Claim::family(id, statement, &[(mean, state)]);
            let claim = claim.rejecting("the site alone, without its neighbours", &[(mean, alone)]);
            claims.push(Claim { as_stated: true, ..claim });
        };
        ends_at("L001.4/minimum", "loss", measured, dictator.loss, loss(ends.bounds.site));
        ends_at(ID, "IPR", ipr, dictator.ipr, 1.0);
    }
    Ok(claims)
}

/// In the swapped order random starts end at a higher loss than fields started on one site, measured on the same samples.
fn worse(random: &Ends, site: &Ends) -> Result<Option<Claim>, LabError> {
    if random.point.is_longer() || random.point.gain < BISTABLE {
        return Ok(None);
    }
    let losses = random.losses.iter().zip(&site.losses);
    let ratios: Vec<f64> = losses.map(|(random, site)| random.mean() / site.mean()).collect();
    let statement = format!(
        "{}: random starts end at a higher loss than fields from one site, ratio above 1",
        place(&random.point)
    );
    Ok(Some(one_sided(ID, statement, Estimate::from_samples(&ratios)?, 1.0, true)))
}

/// The results of every group, the closed forms of its order and gain, and the dictator states.
fn tables(found: &[Ends]) -> Result<Vec<Table>, LabError> {
    let row = |ends| Ok((ends, Ends::mean_loss(ends)?, extent(&ends.iprs()), extent(&ends.rs())));
    let rows = found.iter().map(row).collect::<Result<Vec<_>, LabError>>()?;
    let localized = |ends: &Ends| ends.iprs().into_iter().filter(|ipr| *ipr > LEAST_IPR).count();
    let trained = Table::of("trained", &rows)
        .given("xi_pos", |row| row.0.point.two.xi_pos)
        .given("xi_neg", |row| row.0.point.two.xi_neg)
        .given("gain", |row| row.0.point.gain)
        .words("start", |row| row.0.point.origin.word())
        .whole("localized", |row| localized(row.0))
        .whole("networks", |row| row.0.fields.len())
        .estimate("loss", 5, |row| row.1)
        .real("min_ipr", 3, |row| row.2[0])
        .real("max_ipr", 3, |row| row.2[1])
        .real("min_r", 3, |row| row.3[0])
        .real("max_r", 3, |row| row.3[1])
        .caption(
            "One row per order of the classes, gain and kind of start: how many networks have an IPR above 1/2, mean loss on \
             fresh samples, and the range over networks of IPR and of R = 2 (1 - 4 loss).",
        );
    // The two kinds of start are next to each other, and have the same closed forms.
    let points: Vec<&Ends> = found.iter().step_by(2).collect();
    let bounds = Table::of("closed_forms", &points)
        .given("xi_pos", |ends| ends.point.two.xi_pos)
        .given("xi_neg", |ends| ends.point.two.xi_neg)
        .given("gain", |ends| ends.point.gain)
        .real("mode", 4, |ends| ends.bounds.mode)
        .whole("frequency", |ends| ends.bounds.frequency)
        .real("site", 4, |ends| ends.bounds.site)
        .real("gate", 4, |ends| ends.bounds.gate)
        .caption(
            "R in closed form, one row per order of the classes and gain: of the best mode of Gaussian data, with its frequency; \
             of a single site; and of the regression under its gate, which the best field does not fall short of.",
        );
    let binary = points.iter().filter(|ends| ends.point.gain.is_infinite());
    let state = |ends: &&Ends| Ok((ends.point.two, ends.point.two.dictator()?));
    let states = binary.map(state).collect::<Result<Vec<_>, LabError>>()?;
    let mut tables = vec![trained, bounds];
    if states.is_empty() {
        return Ok(tables);
    }
    let states = Table::of("dictator", &states)
        .given("xi_pos", |(two, _)| two.xi_pos)
        .given("xi_neg", |(two, _)| two.xi_neg)
        .real("loss", 7, |(_, state)| state.loss)
        .real("r", 5, |(_, state)| gain_of(state.loss))
        .real("margin", 4, |(_, state)| state.margin)
        .caption("The dictator state at infinite gain in either order; it exists where its margin is positive.");
    tables.push(states);
    Ok(tables)
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<SwappedClasses>(
    "swapped-classes",
    "both orders of the classes, from random weights and from one site: the oscillation is the worse of two attractors",
    include_str!("mod.rs"),
);
