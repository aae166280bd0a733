//! Do the three bounds of the convergence proof hold along a real flow, and how much room do they leave?
//!
//! One hidden layer, second layer frozen in [-1, 1], unit inputs, `L = |z - y|^2/2m`. The proof (T13.2 to T13.6, du2019) bounds the move of the kernel by that of the weights, `|K_t - K_0| <= 2 m D`; that move by `D* = 2 sqrt(2) m sqrt(L_0)/(lambda_0 sqrt(n))`
//! while the kernel keeps half of its least eigenvalue; and the loss by `exp(-lambda_0 t/m) L_0`. It closes once `n > 512 m^4 L_0/lambda_0^4` (T13.4): two inputs at right angles and targets close to the first outputs make that width one a machine can hold. Along the flow
//! `|d theta/dt|^2 = r.K r/m^2` (T13.8) and `dL/dt` is minus that (T13.5). A bound that is crossed, or moves that do not fall as the root of one over the width, would falsify it.

mod claims;
mod figure;
mod measure;

use fovea_core::params::finite;
use fovea_desk::depth::trains;
use fovea_desk::prelude::*;
use fovea_desk::widths::check_widths;
use fovea_theory::ntk::width::{may_move, moved_at_most, width};
use measure::{At, Flow};

params! {
    /// Settings of `proof-bounds`.
    pub struct ProofBounds {
        /// Angles of the inputs on the unit circle.
        angles: Vec<f64> = vec![0.0, 0.8, 1.7, 2.6], finite(), "rad";
        /// Widths of the hidden layer.
        width: Vec<usize> = vec![250, 500, 1000, 2000, 4000], between(2.0, 1e6), "units";
        /// Networks at each width.
        nets: usize = 32, between(4.0, 1e4), "networks";
        /// How far the targets of the network that is wide enough lie from its first outputs.
        gap: f64 = 0.1, finite_above(0.0), "";
        /// How long the flow is followed.
        time: f64 = 200.0, finite_above(0.0), "";
        /// Euler's step.
        dt: f64 = 0.2, between(1e-6, 1.0), "";
    }
}

impl Params for ProofBounds {
    fn check(&self) -> Result<(), ParamError> {
        check_widths(&self.width, 4)?;
        let most = self.width.iter().copied().max().unwrap_or(1);
        measure::apart(&self.angles)?;
        trains(&measure::shape(most), self.angles.len())?;
        trains(&measure::shape(self.enough()?), 2)?;
        if self.time >= 20.0 * self.dt && self.time / self.dt <= 1e7 {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("`time` is {} and `dt` is {}", self.time, self.dt),
            hint: "choose between 20 and 1e7 steps".to_owned(),
        })
    }
}

/// What every flow came to.
pub struct Found {
    /// By network and width.
    flows: Vec<Vec<Flow>>,
    /// The network for which the proof closes.
    closed: Flow,
}

impl Found {
    fn all(&self) -> impl Iterator<Item = &Flow> {
        self.flows.iter().flatten().chain([&self.closed])
    }
}

/// The two inputs of the network that is wide enough, at right angles.
const RIGHT: [f64; 2] = [0.0, std::f64::consts::FRAC_PI_2];

impl ProofBounds {
    /// The width at which the proof closes for two inputs; the loss at the start is that of the gap, whatever the width.
    fn enough(&self) -> Result<usize, ParamError> {
        let loss = 0.5 * self.gap * self.gap;
        let [least, _] = measure::ends(&RIGHT)?;
        // A tenth more than the mean kernel asks for, since that of one network is a little off.
        Ok((1.1 * width(2, loss, least)).max(2.0) as usize)
    }

    fn table(found: &Found) -> Vec<String> {
        let head = [
            "inputs",
            "width",
            "lambda_0",
            "largest move",
            "its bound",
            "may move",
            "lambda_min at the end",
            "loss left",
            "its bound",
            "width of the proof",
        ];
        let line = |flow: &Flow| {
            let last = &flow.path[flow.path.len() - 1];
            let numbers = [
                flow.least,
                last.moved,
                moved_at_most(flow.m, flow.loss, flow.least, flow.width as f64),
                may_move(flow.m, flow.least),
                last.least,
                last.loss / flow.loss,
                libm::exp(-flow.least * last.time / flow.m as f64),
                width(flow.m, flow.loss, flow.least),
            ];
            let ends = [flow.m.to_string(), flow.width.to_string()];
            ends.into_iter().chain(numbers.map(|x| format!("{x:.3e}"))).collect()
        };
        table(&head, found.flows[0].iter().chain([&found.closed]).map(line))
    }
}

impl Experiment for ProofBounds {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The bounds of the convergence proof along a flow",
        lead: "All three bounds hold, with room to spare; the width at which they close the argument is far beyond what training needs.",
        caption: figure::CAPTION,
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
        let enough = self.enough()?;
        let all: Vec<(u64, usize)> =
            (0..self.nets as u64).flat_map(|i| self.width.iter().map(move |n| (i, *n))).collect();
        let flows = desk.try_fleet(&all, |(index, n)| {
            let streams = desk.streams().part(&format!("width {n}")).replica(*index);
            Flow::follow(self, &self.angles, *n, None, &streams, desk)
        })?;
        let mut flows = flows.into_iter();
        let flows: Vec<Vec<Flow>> =
            (0..self.nets).map(|_| flows.by_ref().take(self.width.len()).collect()).collect();
        let streams = desk.streams().part("wide enough");
        let closed = Flow::follow(self, &RIGHT, enough, Some(self.gap), &streams, desk)?;
        desk.stepped();
        Ok(Found { flows, closed })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let rows = found.all().flat_map(|flow| {
            let ends = [flow.m as f64, flow.width as f64];
            let row = move |at: &At| [at.time, at.moved, at.least, at.kernel, at.loss];
            flow.path.iter().map(move |at| ends.into_iter().chain(row(at)).collect())
        });
        let arrays = vec![Array::of_rows("flows", &rows.collect::<Vec<Vec<f64>>>())];
        let figures = vec![("proof-bounds", figure::figure(found))];
        let (claims, summary) = (claims::claims(self, found)?, Self::table(found));
        Ok(Shown { arrays, claims, figures, summary, ..Shown::default() })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<ProofBounds>(
    "proof-bounds",
    "the three bounds of the convergence proof along a real flow, and a network wide enough for it",
    include_str!("mod.rs"),
);
