//! Do receptive fields deform continuously from long waves to bumps as the gain grows?
//!
//! Note 003 ("Uncertainty Principle") says that they do. Here networks are trained until they rest at the lowest gain, then at the
//! next one, starting from those fields, and so on to the highest gain and back again. Where fields deform continuously, the way up
//! and the way down pass through the same shapes, and neighbouring gains have similar fields; a jump would show as two branches
//! (L003.62). At infinite gain one unit ends in the dictator state, whose IPR is known in closed form (L000.39). Near a crossover
//! fields change slowly, and what looks like two branches may be a lag: every loop is run a second time with a fraction of the
//! steps, and a lag must grow. Branches that stay apart however long the training would falsify the continuity.

pub mod measure;

use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use measure::{Branch, Chain, Loop, order};

params! {
    /// Settings of `deformation`.
    pub struct Deformation {
        ..two: TwoClass { n = 40, between(4.0, 1024.0) };
        /// Gains, from the lowest to the highest.
        gain: Vec<f64> = vec![0.01, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 10.0, f64::INFINITY], above(0.0), "";
        /// ReLU units of the networks.
        width: Vec<usize> = vec![1, 12], between(1.0, 1e4), "units";
        /// Networks of one unit.
        seeds: usize = 16, between(2.0, 1e4), "networks";
        /// Networks of more than one unit.
        wide_seeds: usize = 24, between(2.0, 1e4), "networks";
        /// Learning rate of one unit at the beginning of every gain; it falls linearly to zero.
        lr: f64 = 0.5, finite_above(0.0), "";
        /// The same for more than one unit, over the width, by which the mean readout divides.
        wide_lr: f64 = 1.0, finite_above(0.0), "";
        /// Fresh samples per step of one unit, half of each class.
        batch: usize = 1000, between(2.0, 1e8), "samples";
        /// Fresh samples per step of more than one unit.
        wide_batch: usize = 500, between(2.0, 1e8), "samples";
        /// Training steps of one unit at every gain.
        steps: usize = 1200, between(2.0, 1e9), "steps";
        /// Training steps of more than one unit at every gain.
        wide_steps: usize = 2000, between(2.0, 1e9), "steps";
        /// How many times fewer steps the second run of every loop has, which tells a lag from two branches.
        haste: usize = 4, between(2.0, 1e6), "";
        /// How many times as many steps the first gain has, where the field starts at random weights.
        first: usize = 3, between(1.0, 1e6), "";
        /// Factor on the Glorot variance 2/(n + K) of the start.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for Deformation {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        check_labels(Labels::Balanced, self.batch)?;
        check_labels(Labels::Balanced, self.wide_batch)?;
        if self.gain.len() < 2 {
            let what = format!("`gain` has {} entries", self.gain.len());
            return refuse(what, "give at least two gains");
        }
        if let Some(pair) = self.gain.windows(2).find(|pair| pair[0] >= pair[1]) {
            let [a, b] = [pair[0], pair[1]].map(Value::Real);
            let hint = "list gains from the lowest to the highest, each once";
            return refuse(format!("`gain` has {b} after {a}"), hint);
        }
        check_once("width", &self.width)
    }
}

/// What the networks of one loop have in common.
#[derive(Clone, Copy, Debug)]
struct Kind {
    width: usize,
    /// Whether every gain gets a fraction of the steps.
    hasty: bool,
    seeds: usize,
    /// Learning rate at the beginning of a gain; the mean readout divides it by the width.
    rate: f64,
    batch: usize,
    /// Training steps at every gain but the first.
    steps: usize,
}

impl Kind {
    fn name(&self) -> String {
        format!("width={}{}", self.width, if self.hasty { ",hasty" } else { "" })
    }
}

impl Deformation {
    /// Every width, with all steps and with fewer.
    fn kinds(&self) -> Vec<[Kind; 2]> {
        let both = |&width: &usize| {
            let (seeds, lr, batch, steps) = match width {
                1 => (self.seeds, self.lr, self.batch, self.steps),
                _ => (self.wide_seeds, self.wide_lr, self.wide_batch, self.wide_steps),
            };
            let (rate, fewer) = (lr * width as f64, (steps / self.haste).max(2));
            let kind = |hasty, steps| Kind { width, hasty, seeds, rate, batch, steps };
            [kind(false, steps), kind(true, fewer)]
        };
        self.width.iter().map(both).collect()
    }
}

impl Experiment for Deformation {
    type Found<'r> = Vec<[Loop; 2]>;

    const WORDS: Words<'static> = Words {
        title: "Fields along the gain, there and back",
        lead: "Networks are trained at one gain after another, from Gaussian to binary data and back again, each time starting from the fields of the gain before: whether the fields \
            change continuously, and whether the way back is the way there.",
        caption: CAPTION,
        formulas: &[
            r"\mathrm{IPR}=\frac{\sum_iw_i^4}{(\sum_iw_i^2)^2},\qquad \bar k=\frac{\sum_kkP_k}{\sum_kP_k},\qquad \mathrm{spread}=\frac n{2\pi}\sqrt{2(1-R)},\quad R=\Big|\sum_xp_xe^{2\pi\mathrm ix/n}\Big|,\ p=\frac{w^2}{|w|^2}",
            r"w^*=(C_++C_-)^{-1}C_+e_i\qquad\text{one unit at infinite gain}",
        ],
    };

    fn quick() -> Self {
        Self {
            gain: vec![0.01, 0.3, 1.0, 3.0, f64::INFINITY],
            // Many units take too long until they rest.
            width: vec![1],
            seeds: 12,
            lr: 1.0,
            steps: 150,
            ..Self::default()
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let task = |gain: &f64| self.two.spec(*gain, Labels::Balanced);
        let tasks: Vec<Arc<TaskSpec>> = self.gain.iter().map(task).collect();
        let mut jobs = Vec::new();
        for kind in self.kinds().as_flattened() {
            let (name, relu) = (kind.name(), &activation::relu::ENTRY);
            for seed in 0..kind.seeds {
                let streams = streams.part(&name).replica(seed as u64);
                let network = committee(kind.width, relu, Bias::None, self.init_scale);
                let at = |(i, task): (usize, &Arc<TaskSpec>)| {
                    let steps = kind.steps * if i == 0 { self.first } else { 1 };
                    let half = Times::At(vec![steps as u64 / 2]);
                    let plan = Plan::new(steps, half, &[&probe::weights::ENTRY]);
                    let plan = Plan { precision: self.precision, ..plan };
                    stage(task, falling(kind.rate, kind.batch), plan, streams.replica(i as u64))
                };
                // Up the gains and back, each started from the fields of the one before.
                let way = tasks.iter().chain(tasks.iter().rev().skip(1));
                jobs.push(Job {
                    label: format!("{name},seed={seed}"),
                    group: name.clone(),
                    start: Start::Drawn { network, streams },
                    stages: way.enumerate().map(at).collect(),
                    in_series: false,
                    may_diverge: false,
                });
            }
        }
        Ok(jobs)
    }

    fn parts(&self) -> u64 {
        self.kinds().as_flattened().iter().map(|kind| kind.seeds as u64).sum()
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Vec<[Loop; 2]>, LabError> {
        let lead = |kind: Kind| -> Result<Loop, LabError> {
            let chains = desk.try_fleet(&runs.group(&kind.name()).runs, |run| Chain::new(run))?;
            Ok(Loop { kind, chains })
        };
        self.kinds().into_iter().map(|[slow, hasty]| Ok([lead(slow)?, lead(hasty)?])).collect()
    }

    fn show(&self, _: &Runs, loops: &Vec<[Loop; 2]>) -> Result<Shown, LabError> {
        let mut shown = Shown { tables: self.tables(loops)?, ..Shown::default() };
        for pair in loops {
            shown.claims.extend(self.claims(pair)?);
        }
        for one in loops.as_flattened() {
            for chain in &one.chains {
                shown.arrays.extend(chain.arrays());
                chain.add_to(&mut shown.series, &one.kind);
            }
        }
        shown.claims.extend(self.gabors(loops)?);
        shown.figures.push(("deformation", self.figure(loops)?));
        Ok(shown)
    }
}

/// What the figure shows, for a reader.
const CAPTION: &str = "For each width: the field of one unit of the first network at every gain, each in units of its largest weight and turned so that the \
    peak at the highest gain is in the middle, on the way up and on the way down; then IPR, mean frequency, circular spread and the share of the squared field that the nearest Gabor \
    leaves, mean over units and seeds with two standard errors, on both ways (moved apart a little); dotted, the same with a fraction of the steps at every gain. The dashed line is the dictator state of one unit at infinite gain.";

const WAYS: [(Branch, &str); 2] = [(Branch::Up, "way up"), (Branch::Down, "way down")];

fn style(branch: Branch) -> Style {
    match branch {
        Branch::Up => Style { size: 3.0, ..Style::series(0).solid() },
        Branch::Down => Style { size: 2.6, ..Style::series(1).solid().hollow() },
    }
}

impl Deformation {
    fn figure(&self, loops: &[[Loop; 2]]) -> Result<Figure, LabError> {
        let TwoClass { n, xi_pos, xi_neg, .. } = self.two;
        let subtitle = format!(
            "ReLU units on {n} sites, correlation lengths {xi_pos} (label 1) and {xi_neg} (label 0); training at every gain starts from the fields of the gain before; {} networks of one unit, {} of more.",
            self.seeds, self.wide_seeds
        );
        let labels = [
            "IPR  $\\sum w^4 / (\\sum w^2)^2$",
            "mean frequency (cycles per ring)",
            "circular spread (sites)",
            "not Gabor: residual / $|w|^2$",
        ];
        let mut panels = Vec::new();
        for pair in loops {
            panels.extend(WAYS.map(|(branch, way)| self.fields(&pair[0], branch, way)));
            for (which, label) in labels.iter().enumerate() {
                panels.push(self.order(pair, which, label)?);
            }
        }
        let figure = Figure::new("Fields along the gain, there and back").subtitle(subtitle);
        Ok(grid(figure.description(CAPTION), (3, 1080.0, 0.66), panels))
    }

    /// Gains are equally spaced, so that infinity has a place.
    fn gain_axis(&self) -> Axis {
        let (every, last) = (self.gain.len().div_ceil(8), self.gain.len() - 1);
        let labelled = (0..=last).filter(|i| (last - i).is_multiple_of(every));
        let ticks = labelled.map(|i| (i as f64, gains::label(self.gain[i])));
        Axis::new("gain").range(-0.5, last as f64 + 0.5).ticks_at(ticks)
    }

    /// The unit of the first network that is the most localized one at the highest gain, its peak there in the middle.
    fn fields(&self, one: &Loop, branch: Branch, way: &str) -> Panel {
        let (n, gains, chain) = (self.two.n, self.gain.len(), &one.chains[0]);
        let top = &chain.at(Branch::Up, gains - 1).fields;
        let unit =
            (0..top.len()).max_by(|a, b| ipr(&top[*a]).total_cmp(&ipr(&top[*b]))).unwrap_or(0);
        let centre = peak(&top[unit]);
        let column = |gain: usize| -> Vec<f64> {
            let field = &chain.at(branch, gain).fields[unit];
            let most = largest(field);
            turned(field, centre).into_iter().map(|w| w / most).collect()
        };
        let columns: Vec<Vec<f64>> = (0..gains).map(column).collect();
        let first = -((n / 2) as f64);
        let cells = Cells {
            values: (0..n).flat_map(|i| columns.iter().map(move |column| column[i])).collect(),
            rows: n,
            cols: gains,
            x: [0.0, gains as f64 - 1.0],
            y: [first, first + n as f64 - 1.0],
            limits: Some((-1.0, 1.0)),
            bar: "weight / largest".to_owned(),
        };
        let title = format!("{}: {way}", one.what());
        heat_map(title, self.gain_axis(), "site, from the peak", cells)
    }

    fn order(&self, loops: &[Loop; 2], which: usize, label: &str) -> Result<Panel, LabError> {
        let [one, hasty] = loops;
        let along = |of: &Loop, branch| -> Result<Xy, LabError> {
            let at = |gain| Ok((gain as f64, of.order(which, (branch, gain))?));
            (0..self.gain.len()).map(at).collect()
        };
        let (mut slow, mut fast) = (Vec::new(), Vec::new());
        for (branch, name) in WAYS {
            slow.push(named(name, style(branch), along(one, branch)?));
            let thin = Style { width: 1.2, ..style(branch).dash(Dash::Dotted) };
            fast.push(along(hasty, branch)?.line(format!("{name}, fewer steps"), thin));
        }
        let (x, y) = (self.gain_axis(), Axis::new(label).from(0.0));
        let panel = means_along(one.what(), x, y, slow).with_all(fast);
        let Some(dictator) = self.dictator(one)? else { return Ok(panel) };
        let (top, level) = (self.gain.len() as f64 - 1.0, order(&dictator.w)?[which]);
        let level = xy(&[top - 1.5, top + 0.5], [level; 2]);
        Ok(panel.with(level.line("dictator state", Style::theory())))
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Deformation>(
    "deformation",
    "the gain goes up and down, each training starting from the fields before: shapes, order parameters and hysteresis",
    include_str!("mod.rs"),
);
