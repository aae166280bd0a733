//! Do the three bounds of the convergence proof hold along a real flow, and how much room do they leave?
//!
//! One hidden layer, second layer frozen in [-1, 1], unit inputs, `L = |z - y|^2/2m`. The proof (T13.2 to T13.6, du2019) bounds the move of the kernel by that of the weights, `|K_t - K_0| <= 2 m D`; that move by `D* = 2 sqrt(2) m sqrt(L_0)/(lambda_0 sqrt(n))`
//! while the kernel keeps half of its least eigenvalue; and the loss by `exp(-lambda_0 t/m) L_0`. It closes once `n > 512 m^4 L_0/lambda_0^4` (T13.4): two inputs at right angles and targets close to the first outputs make that width small enough for a machine. Along the flow
//! `|d theta/dt|^2 = r.K r/m^2` (T13.8) and `dL/dt` is minus that (T13.5). A bound that is violated, or moves that do not fall as the root of one over the width, would falsify it.

mod measure;

use fovea_core::params::finite;
use fovea_desk::depth::trains;
use fovea_desk::prelude::*;
use fovea_desk::widths::{by_width, check_widths, exponent};
use fovea_theory::ntk::width::{may_move, width};
use measure::{At, Flow, apart, draw, ends, examples, shape};

params! {
    /// Settings of `proof-bounds`.
    pub struct ProofBounds {
        /// Angles of the inputs on the unit circle.
        angles: Vec<f64> = vec![0.0, 0.8, 1.7, 2.6], finite(), "rad";
        /// Widths of the hidden layer.
        width: Vec<usize> = vec![250, 500, 1000, 2000, 4000], between(2.0, 1e6), "units";
        /// Networks at each width.
        nets: usize = 32, between(4.0, 1e4), "networks";
        /// Distance of the targets from the first outputs, for the network that is wide enough for the proof.
        gap: f64 = 0.1, between(1e-6, 1e6), "";
        /// How long the flow is followed.
        time: f64 = 200.0, finite_above(0.0), "";
        /// Euler's step.
        dt: f64 = 0.2, between(1e-6, 1.0), "";
    }
}

impl Params for ProofBounds {
    fn check(&self) -> Result<(), ParamError> {
        check_widths(&self.width, 4)?;
        apart(&self.angles)?;
        self.width.iter().try_for_each(|n| trains(&shape(*n), self.angles.len()))?;
        trains(&shape(self.enough()?), 2)?;
        if self.time >= 20.0 * self.dt && self.time / self.dt <= 1e7 {
            return Ok(());
        }
        let what = format!("`time` is {} and `dt` is {}", self.time, self.dt);
        Err(refused(what, "choose between 20 and 1e7 steps"))
    }
}

/// The results of all flows.
pub struct Found {
    /// By network and width.
    flows: Vec<Vec<Flow>>,
    /// The flow of the network for which the proof closes.
    closed: Flow,
}

impl Found {
    /// Every time of every flow.
    fn times(&self) -> impl Iterator<Item = (&Flow, &At)> {
        let all = self.flows.iter().flatten().chain([&self.closed]);
        all.flat_map(|flow| flow.path.iter().map(move |at| (flow, at)))
    }
}

/// The two inputs of the network that is wide enough, at right angles.
const RIGHT: [f64; 2] = [0.0, std::f64::consts::FRAC_PI_2];

impl ProofBounds {
    /// The width at which the proof closes for two inputs; the loss at the start is that of the gap, whatever the width.
    fn enough(&self) -> Result<usize, ParamError> {
        let loss = 0.5 * self.gap * self.gap;
        let [least, _] = ends(&RIGHT)?;
        // A tenth more than the mean kernel requires, since the kernel of one network differs a little.
        Ok((1.1 * width(2, loss, least)).max(2.0) as usize)
    }

    fn claims(&self, found: &Found) -> Result<Vec<Claim>, LabError> {
        let wrong = "r.K r/m, one power of m too few";
        // Where rounding leaves no error at all, there is no speed to compare.
        let moving = || found.times().filter(|(_, at)| at.loss > 0.0);
        let speeds = moving().map(|(flow, at)| (at.speed, [1.0, flow.m as f64]));
        let what = "squared speed of the weights over r.K r/m^2 at every time of every flow";
        let speed = told_apart_exactly("proof-bounds", what, wrong, speeds, 1e-9);
        // A difference of losses has no digits left once they have fallen this far, or where errors near the rounding of outputs.
        let early = moving().filter(|(flow, at)| at.loss > (1e-6 * flow.loss).max(1e-12));
        let slopes = early.map(|(flow, at)| (at.slope, [1.0, flow.m as f64]));
        let what =
            "fall of the loss per unit of time over r.K r/m^2, by differences along the flow";
        let decay = told_apart_exactly("proof-bounds", what, wrong, slopes, 1e-5);
        // Moves fall as their bound does; the largest move grows towards its bound with the number of units, so the mean is taken.
        let moves =
            found.flows.iter().map(|net| net.iter().map(|flow| flow.last().usual).collect());
        let slope = exponent(&self.width, &moves.collect::<Vec<_>>())?;
        let what = "exponent in the width of the root mean square move of a unit's weights: -1/2, as that of the bound on every move";
        let slope = [(slope, [-0.5, -1.0])];
        let weights = told_apart("proof-bounds", what, "-1", &slope).only_as_stated();
        Ok(vec![speed, decay, kernel(found), weights, argument(&found.closed, self.dt)])
    }
}

/// The flows of one network at every width, and the one for which the proof closes.
fn table(found: &Found) -> Table {
    let flows: Vec<&Flow> = found.flows[0].iter().chain([&found.closed]).collect();
    Table::of("flows", &flows)
        .whole("inputs", |flow| flow.m)
        .whole("width", |flow| flow.width)
        .digits("lambda_0", 4, |flow| flow.least)
        .digits("largest_move", 4, |flow| flow.last().moved)
        .digits("move_bound", 4, |flow| flow.most())
        .digits("may_move", 4, |flow| may_move(flow.m, flow.least))
        .digits("lambda_min", 4, |flow| flow.last().least)
        .digits("loss_left", 4, |flow| flow.last().loss / flow.loss)
        .digits("loss_bound", 4, |flow| {
            libm::exp(-flow.least * flow.last().time / flow.m as f64)
        })
        .digits("proof_width", 4, |flow| width(flow.m, flow.loss, flow.least))
        .caption(
            "Flows of one network at every width, and of the one that is wide enough: least eigenvalue of the kernel at the start and \
             at the end; the largest move of a unit's weights at the end, compared with its bound and with the move at which the \
             kernel may lose too much; the share of the loss that is left, compared with its bound; and the width at which the proof closes.",
        )
}

/// The kernel moves by no more than the weights allow.
fn kernel(found: &Found) -> Claim {
    let share = |units: &dyn Fn(&Flow) -> f64| {
        // Nothing has moved at the start.
        let times = || found.times().filter(|(_, at)| at.time > 0.0);
        let holds =
            |(flow, at): &(&Flow, &At)| at.kernel <= 2.0 * flow.m as f64 * at.moved / units(flow);
        times().filter(holds).count() as f64 / times().count() as f64
    };
    let what = "share of times at which the kernel moved by no more than 2 m D";
    let claim = Claim::exact("T13.2", what, &[1.0], &[share(&|_| 1.0)], 1e-9);
    let wrong = [share(&|flow| flow.width as f64)];
    claim.rejecting_exact("2 m D/n, as if one unit moved", &[1.0], &wrong)
}

/// At a width at which the proof closes all three bounds hold at all times.
fn argument(flow: &Flow, dt: f64) -> Claim {
    let most = flow.most();
    // Errors at which a step is less than the last bit of a weight, with a factor of ten for large weights.
    let stalled = 10.0 * f64::EPSILON * (flow.width as f64).sqrt() * flow.m as f64 / dt;
    let share = |rate: f64| {
        let kept = flow.path[1..].iter().filter(|at| {
            let decay = libm::exp(-rate * flow.least * at.time / flow.m as f64) * flow.loss;
            let falls = at.loss <= decay + 0.5 * stalled * stalled;
            at.moved <= most && at.least >= 0.5 * flow.least && falls
        });
        kept.count() as f64 / (flow.path.len() - 1) as f64
    };
    let closes = f64::from(u8::from(most < may_move(flow.m, flow.least)));
    let what = "at 1.1 times the width that the proof asks for with the mean kernel: whether it closes for this start (1: it does), and the share of times at which weights, kernel and loss keep their bounds";
    let claim = Claim::exact("proof-bounds", what, &[1.0; 2], &[closes, share(1.0)], 1e-9);
    let wrong = "a loss that falls four times as fast";
    let claim = claim.rejecting_exact(wrong, &[1.0; 2], &[closes, share(4.0)]);
    if closes > 0.0 {
        return claim;
    }
    // The width is that of the mean kernel; this network's own may ask for more.
    claim.unchecked(format!(
        "the proof does not close for this start: its least eigenvalue {:.3e} asks for a width of {:.0}, and it has {}",
        flow.least,
        width(flow.m, flow.loss, flow.least),
        flow.width
    ))
}

impl Experiment for ProofBounds {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The bounds of the convergence proof along a flow",
        lead: "All three bounds hold, with room to spare; the width at which the proof closes is far larger than training needs.",
        caption: CAPTION,
        formulas: &[
            r"|K_t-K_0|\le2mD,\qquad D\le D^*=\frac{2\sqrt2\,m\sqrt{L_0}}{\lambda_0\sqrt n},\qquad L_t\le e^{-\lambda_0t/m}L_0",
            r"\Big|\frac{d\theta}{dt}\Big|^2=-\frac{dL}{dt}=\frac1{m^2}r\cdot Kr",
        ],
    };

    fn quick() -> Self {
        Self { width: vec![64, 128, 256, 512], gap: 0.03, time: 30.0, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        (self.nets * self.width.len() + 1) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let flows = by_width((self.nets, &self.width), desk, |index, n| {
            let streams = desk.streams().part(&format!("width {n}")).replica(index);
            let start = draw(n, &streams);
            self.follow(&start, &examples(&self.angles, &start, None), desk)
        })?;
        let start = draw(self.enough()?, &desk.streams().part("wide enough"));
        let set = examples(&RIGHT, &start, Some(self.gap));
        let closed = self.follow(&start, &set, desk)?;
        desk.stepped();
        Ok(Found { flows, closed })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let rows = found.times().map(|(flow, at)| {
            let ends = [flow.m as f64, flow.width as f64];
            [&ends[..], &[at.time, at.moved, at.least, at.kernel, at.loss]].concat()
        });
        let arrays = vec![Array::of_rows("flows", &rows.collect::<Vec<_>>())];
        let figures = vec![("proof-bounds", figure(found))];
        let (claims, tables) = (self.claims(found)?, vec![table(found)]);
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// What the figure shows, for a reader.
const CAPTION: &str = "Flows of networks with one hidden layer and frozen second weights: the narrowest and the widest of one seed, and one that is as wide as the proof asks for (two inputs). Points: the flow. Lines: its bound. (a) Largest move of the weights of a unit, and $D^*$. \
    (b) Least eigenvalue of the kernel over that at the start; the proof needs a half (dotted). (c) Loss over that at the start, and $e^{-\\lambda_0t/m}$. (d) How far the kernel moved, and $2mD$.";

/// A quantity of a flow at one of its times.
type Reading = fn(&Flow, &At) -> f64;

/// The figure.
fn figure(found: &Found) -> Figure {
    let net = &found.flows[0];
    let panel = |title: &str, y: Axis, value: Reading, bound: Option<Reading>| {
        let arms = [&net[0], &net[net.len() - 1], &found.closed].map(|flow| {
            // The start has no move, and no place on a logarithmic axis.
            let along = |read: Reading| -> Xy {
                let shown = |y: f64| if y > 0.0 { y } else { f64::NAN };
                flow.path.iter().map(|at| (at.time, shown(read(flow, at)))).collect()
            };
            let theory = bound.map(along).unwrap_or_default();
            let label = format!("{} units, {} inputs", flow.width, flow.m);
            (label, Compared { measured: along(value), theory })
        });
        arms_with_theory(title, "time", y, series(arms))
    };
    let log = |name: &str| Axis::new(name).log();
    let most: Reading = |flow, _| flow.most();
    let decay: Reading = |flow, at| libm::exp(-flow.least * at.time / flow.m as f64);
    let allowed: Reading = |flow, at| 2.0 * flow.m as f64 * at.moved;
    let ratio = Axis::new("$\\lambda_{\\min}/\\lambda_0$").from(0.0);
    let panels = [
        panel("Largest move of a unit", log("$D$"), |_, at| at.moved, Some(most)),
        panel("Kernel", ratio, |flow, at| at.least / flow.least, None).with(guide_at_y(0.5, "")),
        panel("Loss", log("$L/L_0$"), |flow, at| at.loss / flow.loss, Some(decay)),
        panel("Move of the kernel", log("$|K_t-K_0|$"), |_, at| at.kernel, Some(allowed)),
    ];
    let figure = Figure::new("The bounds of the convergence proof hold, with room to spare")
        .subtitle("points: the flow; lines: its bound")
        .description(CAPTION);
    grid(figure, (2, 880.0, 0.62), panels)
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<ProofBounds>(
    "proof-bounds",
    "the three bounds of the convergence proof along a real flow, and in a network wide enough for it",
    include_str!("mod.rs"),
);
