//! How does the tangent kernel of deep ReLU networks depend on the angle of two inputs?
//!
//! At infinite width `Theta' = K' + kappa_0(r) Theta` from `Theta_1 = K_1` (T11.6): the diagonal counts the weight layers, and off it the kernel flattens to a quarter of the diagonal as the depth grows. With one hidden layer the mean kernel of
//! a network of any width is exactly this; deeper it approaches it as one over the width. Kernels of drawn networks with one hidden layer off the recursion, at any angle, would falsify it; the covariance
//! of the outputs, which is the kernel of the last layer alone, must be rejected (T05.4).
//!
//! What regression with such a kernel needs is that it is positive: distinct inputs are not enough (T12.5). Two opposite inputs make the kernel of an odd activation singular, in every network, and three opposite pairs in the plane that of ReLU. And a network must be
//! close to its mean: the chance that the kernel of n tanh units lies `t` off is at most `2m exp(-(t^2/2)/(v + Rt/3))`; the bound as printed, without the factor and the half, is broken (T12.2).

mod figure;
mod positivity;

use fovea_core::params::between;
use fovea_core::stats::Estimate;
use fovea_core::{Function, ParamError, Params, activation, params};
use fovea_desk::bench::Bench;
use fovea_desk::depth::{drawn, holds};
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_record::claim::Claim;
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, aligned, report};
use fovea_sim::Watch;
use fovea_sim::mlp::Shape;
use fovea_theory::averages::Pair;
use fovea_theory::layer::Layer;
use fovea_theory::ntk::kernel::{Kernels, kernels};
use positivity::Positivity;
use std::f64::consts::PI;

params! {
    /// Settings of `ntk-angle`.
    pub struct NtkAngle {
        /// Hidden layers.
        layers: Vec<usize> = vec![1, 2, 4, 8], between(1.0, 100.0), "";
        /// Units in every hidden layer of drawn networks.
        width: usize = 128, between(1.0, 4096.0), "units";
        /// Networks drawn at each depth.
        nets: usize = 400, between(2.0, 1e7), "networks";
        /// Angles between 0 and pi.
        angles: usize = 9, between(2.0, 100.0), "";
    }
}

impl Params for NtkAngle {
    fn check(&self) -> Result<(), ParamError> {
        self.layers.iter().try_for_each(|layers| holds(&self.shape(*layers), self.angles))?;
        drawn(self.nets, self.angles + 3)
    }
}

const WORDS: Words<'static> = Words {
    title: "The tangent kernel against the angle",
    lead: "The tangent kernel of deep ReLU networks flattens with depth to a quarter of its diagonal; drawn networks have it.",
    caption: figure::CAPTION,
    formulas: &[
        r"P\big(|K-EK|\ge t\big)\le2m\,\exp\frac{-t^2/2}{v+Rt/3}",
        r"\Theta^{(l+1)}=\kappa_1(r_l)+\kappa_0(r_l)\,\Theta^{(l)},\qquad\kappa_0=\frac{\pi-\arccos r}\pi,\quad\kappa_1=\frac{\sqrt{1-r^2}+r(\pi-\arccos r)}\pi",
    ],
};

fn relu() -> Function {
    Function::Registered(&activation::relu::ENTRY)
}

/// Theory at one correlation.
fn theory(layers: usize, r: f64) -> Result<Kernels, LabError> {
    Ok(kernels(&Layer::new(&relu(), 2.0, 0.0), Pair::correlated(1.0, r), layers)?)
}

/// The kernel of orthogonal inputs over the diagonal at infinite depth, from three depths and the terms `(ln l)/l` and `1/l` beside it.
fn quarter() -> Result<f64, LabError> {
    let depths = [5000_usize, 10_000, 20_000];
    let at = |l: usize| -> Result<f64, LabError> {
        let deep = theory(l, 0.0)?;
        Ok(deep.theta.ab / deep.theta.aa)
    };
    let (a, b, c) = (at(depths[0])?, at(depths[1])?, at(depths[2])?);
    // Doubling the depth takes y = L + (p ln l + q)/l to 2y(2l) - y(l) = L + p (ln 2)/l, and once more to L.
    let (first, second) = (2.0 * b - a, 2.0 * c - b);
    Ok(2.0 * second - first)
}

struct Arm {
    layers: usize,
    /// Kernels of the first input with the input at every angle, and the diagonal first.
    drawn: Vec<Estimate>,
}

impl NtkAngle {
    /// Angles, 0 first.
    fn turns(&self) -> Vec<f64> {
        (0..self.angles).map(|i| PI * i as f64 / (self.angles - 1) as f64).collect()
    }

    fn shape(&self, layers: usize) -> Shape {
        Shape { n_in: 2, widths: vec![self.width; layers], activation: relu(), ..Shape::default() }
    }

    fn arm(&self, layers: usize, bench: &Bench<'_>) -> Result<Option<Arm>, LabError> {
        let shape = self.shape(layers);
        // Unit variance at the first layer: |x|^2 = 1 with C_w = 2 and two entries.
        let x: Vec<f64> =
            self.turns().iter().flat_map(|a| [libm::cos(*a), libm::sin(*a)]).collect();
        let streams = bench.streams().part(&format!("layers {layers}"));
        let jobs: Vec<u64> = (0..self.nets as u64).collect();
        let rows = bench.fleet(&jobs, |index| {
            if bench.stopped() {
                return Vec::new();
            }
            let mlp = shape.draw(&streams.replica(*index));
            let theta = mlp.tangent(&mlp.forward(&x), 0);
            bench.stepped();
            theta[..self.angles].to_vec()
        });
        if bench.stopped() {
            return Ok(None);
        }
        let column =
            |i: usize| Estimate::from_samples(&rows.iter().map(|row| row[i]).collect::<Vec<_>>());
        let drawn = (0..self.angles).map(column).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(Arm { layers, drawn }))
    }

    fn claims(&self, arms: &[Arm], positivity: &Positivity) -> Result<Vec<Claim>, LabError> {
        let mut claims = Vec::new();
        if let Some(arm) = arms.iter().find(|arm| arm.layers == 1) {
            let (mut pairs, mut last) = (Vec::new(), Vec::new());
            for (angle, drawn) in self.turns().iter().zip(&arm.drawn) {
                let found = theory(1, libm::cos(*angle))?;
                pairs.push((*drawn, found.theta.ab));
                last.push((*drawn, found.k.ab));
            }
            claims.push(
                Claim::family(
                    "T11.6",
                    "tangent kernel of one hidden ReLU layer at every angle, drawn networks",
                    &pairs,
                )
                .rejecting("the covariance, the kernel of the last layer alone", &last),
            );
        }
        let limit = quarter()?;
        claims.push(
            Claim::exact(
                "T11.6",
                "kernel of orthogonal inputs over the diagonal, extrapolated to infinite depth in (ln l)/l and 1/l",
                &[0.25],
                &[limit],
                1e-4,
            )
            .rejecting_exact("1/3", &[1.0 / 3.0], &[limit]),
        );
        claims.extend(positivity.claims());
        Ok(claims)
    }

    fn table(arms: &[Arm]) -> Result<Vec<String>, LabError> {
        let head = ["hidden layers", "diagonal", "drawn", "std err"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for arm in arms {
            let exact = theory(arm.layers, 1.0)?.theta.aa;
            let numbers = [exact, arm.drawn[0].mean(), arm.drawn[0].se()];
            rows.push(
                [arm.layers.to_string()]
                    .into_iter()
                    .chain(numbers.map(|x| format!("{x:.5}")))
                    .collect(),
            );
        }
        Ok(aligned(&rows))
    }
}

impl Experiment for NtkAngle {
    fn quick() -> Self {
        Self { layers: vec![1, 3], width: 64, nets: 200, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        bench.progress.expect((self.layers.len() * self.nets + positivity::WIDTHS.len()) as u64);
        let mut arms = Vec::new();
        for layers in &self.layers {
            arms.extend(self.arm(*layers, bench)?);
        }
        let positivity = Positivity::new(self.nets, bench)?;
        let completed = arms.len() == self.layers.len() && !bench.stopped();
        let (mut claims, mut figures, mut summary) = (Vec::new(), Vec::new(), Vec::new());
        if completed {
            claims = self.claims(&arms, &positivity)?;
            figures = vec![("ntk-angle", self.figure(&arms, &positivity)?)];
            summary = Self::table(&arms)?;
            summary.extend(positivity.table());
        }
        let rows: Vec<Vec<f64>> =
            arms.iter().map(|arm| arm.drawn.iter().map(Estimate::mean).collect()).collect();
        let arrays = vec![Array::of_rows("kernels", &rows)];
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let status = if completed { Status::Completed } else { Status::Interrupted };
        let series = Series::default();
        Ok(Outcome { status, dtype: "f64", series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<NtkAngle>(
    "ntk-angle",
    "tangent kernel of deep ReLU networks against the angle of two inputs",
    "How does the tangent kernel of deep ReLU networks depend on the angle of two inputs? By a recursion whose diagonal counts layers and which flattens to a quarter of it (T11.6). \
     Kernels of drawn networks with one hidden layer off the recursion would falsify it.",
);
