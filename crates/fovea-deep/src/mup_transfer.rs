//! Does a learning rate that was tuned on a narrow network serve a wide one?
//!
//! Two hidden layers. In the standard parametrisation with one rate the largest rate that learns falls as one over the width, and the best one with it; in muP (last weights of size `1/n`, rates n, 1 and `1/n` in the first, middle and
//! last layer) one step moves the outputs as much at every width and the best rate stays where it is. The rates of muP are what its start asks for: with one rate for all layers a step moves the outputs in proportion to n, not O(1) as
//! printed (T05.3). A best rate that moves with the width in muP would falsify it; the exponents of one parametrisation must be rejected in the other.
//!
//! Two activations are measured. What is said is about the rate of least loss, so a curve of loss against rate must have one valley; where the mean curve of any width has two, which of them is the deeper decides and the exponent says nothing: the claim is left undecided.
//! What networks of finite width have in addition, in one over the width, is fitted along with the exponent.

use fovea_desk::depth::{N_IN, hidden, trains};
use fovea_desk::prelude::*;
use fovea_desk::replicas;
use fovea_desk::widths::{
    angles, by_width, check_widths, condition, descend, distance, limiting_exponent, on_circle,
};
use fovea_sim::mlp::{Parametrisation, Shape};
use fovea_theory::layer::Layer;

params! {
    /// Settings of `mup-transfer`.
    pub struct MupTransfer {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::gelu::ENTRY), any(), "";
        /// A second activation, to compare with the first.
        beside: Function = Function::Registered(&activation::tanh::ENTRY), any(), "";
        /// Widths of the two hidden layers.
        width: Vec<usize> = vec![32, 64, 128, 256], between(2.0, 4096.0), "units";
        /// Examples on a circle.
        examples: usize = 5, between(1.0, 100.0), "";
        /// The least and the largest learning rate.
        lr: Vec<f64> = vec![0.004, 8.0], between(1e-12, 1e12), "";
        /// Rates to an octave.
        per_octave: usize = 2, between(1.0, 32.0), "";
        /// Steps of full gradient descent.
        steps: usize = 20, between(1.0, 1e6), "steps";
        /// Networks trained at each width and rate.
        nets: usize = 40, between(4.0, 1e5), "networks";
    }
}

impl Params for MupTransfer {
    fn check(&self) -> Result<(), ParamError> {
        check_widths(&self.width, 4)?;
        if self.lr.len() != 2 || self.lr[0] >= self.lr[1] {
            let hint = "give the least and the largest learning rate";
            return Err(refused(format!("`lr` is {:?}", self.lr), hint));
        }
        let shape = |n: &usize| Self::shape(&self.activation, *n, Parametrisation::Mup);
        self.width.iter().try_for_each(|n| trains(&shape(n), self.examples))
    }
}

/// Networks that take one step, for each that is trained.
const ONE_STEP_NETS: usize = 8;
/// The rate at which one step is taken.
const ONE_STEP: f64 = 0.01;
/// Hidden layers.
const DEPTH: usize = 2;
/// Standard errors by which a ridge stands above the valleys on both sides.
const RIDGE: f64 = 3.0;

/// Both parametrisations, and the exponent of the best rate in each.
const ARMS: [(Parametrisation, f64); 2] =
    [(Parametrisation::Standard, -1.0), (Parametrisation::Mup, 0.0)];

/// The results of training and of one step.
pub struct Found {
    /// By activation and parametrisation.
    sweeps: Vec<[Sweeps; 2]>,
    /// How far one step moves the outputs, by network and width: with the rates of muP and with one rate.
    moved: [Vec<Vec<f64>>; 2],
}

/// One activation in one parametrisation.
struct Sweeps {
    /// Mean logarithm of the loss left by width and rate; infinite where a network diverged.
    losses: Vec<Vec<f64>>,
    /// Valleys of that, by width.
    valleys: Vec<usize>,
    /// Best rates by network and width.
    best: Vec<Vec<f64>>,
}

impl Sweeps {
    /// Logarithms of the best rates, means by width.
    fn logs(&self, log: fn(f64) -> f64) -> Result<Vec<Estimate>, LabError> {
        let logs = self.best.iter().map(|net| net.iter().map(|rate| log(*rate)).collect());
        columns(&logs.collect::<Vec<_>>())
    }

    /// Geometric means of the best rates by width, with two standard errors.
    fn rates(&self, width: &[usize]) -> Result<Xy, LabError> {
        let mean = |(log, n): (Estimate, &usize)| {
            let mean = libm::exp(log.mean());
            (*n as f64, mean, 2.0 * log.se() * mean)
        };
        Ok(self.logs(libm::log)?.into_iter().zip(width).map(mean).collect())
    }
}

/// How many valleys the mean of these rows has; a ridge counts where it stands above both sides by more than noise. No learning counts as a loss that stays, so that one network cannot make a ridge.
pub fn valleys(rows: &[Vec<f64>]) -> usize {
    let rows: Vec<Vec<f64>> =
        rows.iter().map(|row| row.iter().map(|x| x.min(0.0)).collect()).collect();
    let mean = replicas::mean(&rows, None);
    let lowest = |k: usize| {
        let below = |other: Option<&f64>| other.is_none_or(|other| mean[k] < *other);
        let before = if k == 0 { None } else { mean.get(k - 1) };
        below(before) && below(mean.get(k + 1))
    };
    let mut count = 0;
    let mut last: Option<usize> = None;
    for k in (0..mean.len()).filter(|k| lowest(*k)) {
        let Some(left) = last else {
            (last, count) = (Some(k), 1);
            continue;
        };
        let ridge = (left..=k).max_by(|a, b| mean[*a].total_cmp(&mean[*b])).unwrap_or(k);
        let above = |valley: usize| {
            let rise: Vec<f64> = rows.iter().map(|row| row[ridge] - row[valley]).collect();
            Estimate::from_samples(&rise).is_ok_and(|rise| rise.mean() > RIDGE * rise.se())
        };
        if above(left) && above(k) {
            (last, count) = (Some(k), count + 1);
        } else if mean[k] < mean[left] {
            last = Some(k);
        }
    }
    count
}

impl MupTransfer {
    fn shape(s: &Function, width: usize, parametrisation: Parametrisation) -> Shape {
        Shape { parametrisation, ..hidden(N_IN, s, 1.5, width, DEPTH) }
    }

    fn activations(&self) -> [&Function; 2] {
        [&self.activation, &self.beside]
    }

    fn rates(&self) -> Vec<f64> {
        let octaves = libm::log2(self.lr[1] / self.lr[0]);
        let count = libm::ceil(octaves * self.per_octave as f64) as usize;
        let at = |i: usize| self.lr[0] * libm::exp2(octaves * i as f64 / count as f64);
        (0..=count).map(at).collect()
    }

    /// Trains every network at every rate.
    fn sweeps(
        &self,
        s: &Function,
        arm: Parametrisation,
        desk: &Desk<'_>,
    ) -> Result<Sweeps, LabError> {
        let (name, word) = (s.name(), arm.word());
        let sweeps = by_width((self.nets, &self.width), desk, |index, width| {
            let part = format!("{name} {word} {width}");
            let shape = Self::shape(s, width, arm);
            self.sweep(&shape, &desk.streams().part(&part).replica(index), desk)
        })?;
        let best = |net: &Vec<Vec<f64>>| net.iter().map(|losses| self.best(losses)).collect();
        let best = sweeps.iter().map(best).collect::<Option<Vec<Vec<f64>>>>();
        let best = best.ok_or_else(|| {
            let what = format!("the best rate of a {name} network is none of those tried, {word}");
            refused(what, "choose a wider `lr`")
        })?;
        let at = |w: usize| sweeps.iter().map(|net| net[w].clone()).collect::<Vec<_>>();
        let widths = || (0..self.width.len()).map(at);
        Ok(Sweeps {
            losses: widths().map(|rows| replicas::mean(&rows, None)).collect(),
            valleys: widths().map(|rows| valleys(&rows)).collect(),
            best,
        })
    }

    /// The logarithm of the loss that is left at every rate, from one start.
    fn sweep(
        &self,
        shape: &Shape,
        streams: &Streams,
        desk: &Desk<'_>,
    ) -> Result<Vec<f64>, LabError> {
        let (start, rates) = (shape.draw(streams), shape.rates());
        let set = on_circle(&angles(self.examples));
        let left = |lr: &f64| {
            let mut mlp = start.clone();
            descend(&mut mlp, &set, (*lr, &rates, self.steps as u64), desk, |_, _| ())?;
            let gone = 2.0 * libm::log(norm(&mlp.errors(&set)) / norm(&set.y));
            // A loss above that of no output at all counts as no learning.
            Ok(if gone <= 0.0 { gone } else { f64::INFINITY })
        };
        self.rates().iter().map(left).collect()
    }

    /// The rate of the least loss, between rates by the parabola through its neighbours.
    fn best(&self, losses: &[f64]) -> Option<f64> {
        let rates = self.rates();
        let least = (0..losses.len()).min_by(|a, b| losses[*a].total_cmp(&losses[*b]))?;
        if !losses[least].is_finite() || least == 0 || least + 1 == losses.len() {
            return None;
        }
        let (before, here, after) = (losses[least - 1], losses[least], losses[least + 1]);
        let bend = before - 2.0 * here + after;
        // Next to a rate that diverges there is no parabola.
        let shift =
            if bend.is_finite() && bend > 0.0 { 0.5 * (before - after) / bend } else { 0.0 };
        Some(rates[least] * libm::pow(rates[1] / rates[0], shift))
    }

    /// How far one step moves the outputs, towards the first entry of the inputs: every activation has a part that is linear.
    fn one_step(&self, width: usize, index: u64, one_rate: bool, desk: &Desk<'_>) -> f64 {
        let shape = Self::shape(&self.activation, width, Parametrisation::Mup);
        let streams = desk.streams().part(&format!("one step {width}")).replica(index);
        let mut mlp = shape.draw(&streams);
        let mut set = on_circle(&angles(self.examples));
        set.y = set.x.iter().step_by(N_IN).copied().collect();
        let rates = if one_rate { vec![1.0; 3] } else { shape.rates() };
        let before = mlp.descend(&set, ONE_STEP, &rates).errors;
        distance(&mlp.errors(&set), &before)
    }

    fn claims(&self, found: &Found) -> Result<Vec<Claim>, LabError> {
        let mut claims = Vec::new();
        for (s, arms) in self.activations().iter().zip(&found.sweeps) {
            let slope = |arm: usize| limiting_exponent(&self.width, &arms[arm].best);
            let [standard, mup] = ARMS.map(|(_, exponent)| exponent);
            let slopes = [(slope(0)?, [standard, mup]), (slope(1)?, [mup, standard])];
            let name = s.name();
            let what = format!(
                "exponents in the width of the best learning rate of {name} networks, standard and muP"
            );
            let wrong = "the exponents of the other parametrisation";
            let claim = told_apart("mup-transfer", what, wrong, &slopes).only_as_stated();
            let split = arms.iter().zip(&ARMS).flat_map(|(arm, (name, _))| {
                let two = self.width.iter().zip(&arm.valleys).filter(|(_, count)| **count > 1);
                two.map(move |(width, _)| format!("{} at width {width}", name.word()))
            });
            let split = split.collect::<Vec<_>>().join(", ");
            claims.push(if split.is_empty() {
                claim
            } else {
                claim.unchecked(format!("the loss has more than one valley over the rate: {split}"))
            });
        }
        let [by_layer, one] = [0, 1].map(|k| limiting_exponent(&self.width, &found.moved[k]));
        let (by_layer, one) = (by_layer?, one?);
        let what = "exponents in the width of how far one step moves the outputs from the start of muP: its rates by layer, and one rate";
        let claim = Claim::family("T05.3", what, &[(by_layer, 0.0), (one, 1.0)]);
        let wrong = "0 with one rate, as printed";
        // A prediction with its standard error, at the stated widths.
        claims.push(Claim { as_stated: true, ..claim.rejecting(wrong, &[(one, 0.0)]) });
        Ok(claims)
    }

    fn tables(&self, found: &Found) -> Result<Vec<Table>, LabError> {
        let mut rows = Vec::new();
        for (s, arms) in self.activations().iter().zip(&found.sweeps) {
            for (arm, (parametrisation, _)) in arms.iter().zip(&ARMS) {
                let best = arm.logs(libm::log2)?.into_iter().zip(&arm.valleys).zip(&self.width);
                rows.extend(best.map(|((log, valleys), n)| {
                    ([s.name(), parametrisation.word()], *n, log, *valleys)
                }));
            }
        }
        let best = Table::of("best_rates", &rows)
            .words("activation", |(names, ..)| names[0])
            .words("parametrisation", |(names, ..)| names[1])
            .whole("width", |(_, n, ..)| *n)
            .real("best_rate", 5, |(.., log, _)| libm::exp2(log.mean()))
            .estimate("log2_of_it", 3, |(.., log, _)| *log)
            .whole("valleys", |(.., valleys)| *valleys)
            .caption(
                "The learning rate of least loss, one row per activation, parametrisation and width: the geometric mean over \
                 networks and the mean of its logarithm; and how many valleys the loss has over the rate.",
            );
        // What is known of the kernel of the examples before any network is drawn.
        let layer = Layer::new(&self.activation, 1.5, 0.0);
        Ok(vec![best, condition(&layer, self.examples, DEPTH)?])
    }

    fn figure(&self, found: &Found) -> Result<Figure, LabError> {
        let (mut panels, count) = (Vec::new(), self.width.len());
        for (s, arms) in self.activations().iter().zip(&found.sweeps) {
            let mut best = Vec::new();
            for (arm, (name, exponent)) in arms.iter().zip(&ARMS) {
                let rates = arm.rates(&self.width)?;
                panels.push(self.losses(format!("{}, {}", s.name(), name.word()), arm, &rates.y));
                best.push((name.word(), Compared::power_law(rates, count - 1, *exponent)));
            }
            let (title, y) = (format!("{}, best rate", s.name()), "best learning rate");
            panels.push(arms_with_theory(title, width_axis(), Axis::new(y).log(), series(best)));
        }
        let mut moved = Vec::new();
        for ((label, exponent), k) in
            [("rates by layer", 0.0), ("one rate", 1.0)].into_iter().zip(0..)
        {
            let moves = means_at(&self.width, &found.moved[k])?;
            moved.push((label, Compared::power_law(moves, count / 2, exponent)));
        }
        let (y, moved) = (Axis::new("$|\\Delta z|$").log(), series_from(2, moved));
        panels.push(arms_with_theory("One step", width_axis(), y, moved).span(3).height(190.0));
        let title = "In muP the best learning rate does not depend on the width";
        let subtitle =
            format!("{} networks at each width and rate, {} steps", self.nets, self.steps);
        let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
        Ok(grid(figure, (3, 1040.0, 0.9), panels))
    }

    /// The loss left against the rate, a curve per width, and the best rates.
    fn losses(&self, title: String, arm: &Sweeps, best: &[f64]) -> Panel {
        let (rates, count) = (self.rates(), self.width.len());
        let curves = self.width.iter().zip(&arm.losses).map(|(n, logs)| {
            (format!("width {n}"), xy(&rates, logs.iter().map(|log| libm::exp(*log))))
        });
        let best = best.iter().enumerate().map(|(w, rate)| {
            let dotted = Style { width: 1.0, ..Style::ordered(w, count) }.dash(Dash::Dotted);
            line_at_x(*rate, "", dotted)
        });
        let (rate, left) = (Axis::new("learning rate").log(), Axis::new("loss left").log());
        lines(title, rate, left, ordered(curves)).with_all(best)
    }
}

impl Experiment for MupTransfer {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Learning rates that transfer",
        lead: "In muP the best learning rate of a narrow network is that of a wide one; in the standard parametrisation it falls as one over the width.",
        caption: CAPTION,
        formulas: &[
            r"\text{muP}:\quad W^{(L+1)}\sim N(0,C_w/n^2),\qquad\gamma^{(1)},\gamma^{(l)},\gamma^{(L+1)}=\gamma n,\ \gamma,\ \gamma/n",
        ],
    };

    fn quick() -> Self {
        let (width, lr) = (vec![8, 16, 32, 64], vec![0.02, 16.0]);
        Self { width, nets: 32, steps: 10, lr, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        (self.nets * (4 * self.width.len() + 2 * ONE_STEP_NETS)) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let mut sweeps = Vec::new();
        for s in self.activations() {
            let [standard, mup] = ARMS.map(|(arm, _)| self.sweeps(s, arm, desk));
            sweeps.push([standard?, mup?]);
        }
        let all: Vec<u64> = (0..(ONE_STEP_NETS * self.nets) as u64).collect();
        let [by_layer, one_rate] = [false, true].map(|one_rate| {
            let step = |n: &usize, i: &u64| self.one_step(*n, *i, one_rate, desk);
            desk.fleet(&all, |i| self.width.iter().map(|n| step(n, i)).collect())
        });
        Ok(Found { sweeps, moved: [by_layer?, one_rate?] })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let mut arrays = Vec::new();
        for (s, arms) in self.activations().iter().zip(&found.sweeps) {
            for (arm, (parametrisation, _)) in arms.iter().zip(&ARMS) {
                let name = |what: &str| format!("{what}_{}_{}", s.name(), parametrisation.word());
                arrays.push(Array::of_rows(name("best"), &arm.best));
                arrays.push(Array::of_rows(name("losses"), &arm.losses));
            }
        }
        let (claims, tables) = (self.claims(found)?, self.tables(found)?);
        let figures = vec![("mup-transfer", self.figure(found)?)];
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// What the figure shows, for a reader.
const CAPTION: &str = "(a), (b), (d), (e) Loss left after a few steps against the learning rate, for networks of several widths, in the standard parametrisation and in muP, two activations: geometric mean over networks; curves end where one diverges. Dotted: the best rate of each width, mean of \
    the logarithms. (c), (f) The best rate against the width, with two standard errors. (g) How far one step towards a linear target moves the outputs from the start of muP against the width, with two standard errors: with its rates by layer, and with one rate for all layers; lines have the exponents 0 and 1.";

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<MupTransfer>(
    "mup-transfer",
    "the best learning rate against the width in the standard parametrisation and in muP",
    include_str!("mup_transfer.rs"),
);
