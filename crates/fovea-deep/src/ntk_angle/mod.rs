//! How does the tangent kernel of deep ReLU networks depend on the angle of two inputs?
//!
//! At infinite width `Theta' = K' + kappa_0(r) Theta` from `Theta_1 = K_1` (T11.6): the diagonal counts the weight layers, and off it the kernel flattens to a quarter of the diagonal as the depth grows. With one hidden layer the mean kernel of
//! a network of any width is exactly this; deeper it approaches it as one over the width. Kernels of drawn networks with one hidden layer off the recursion, at any angle, would falsify it; the covariance
//! of the outputs, which is the kernel of the last layer alone, must be rejected (T05.4).
//!
//! What regression with such a kernel needs is that it is positive: distinct inputs are not enough (T12.5). Two opposite inputs make the kernel of an odd activation singular, in every network, and three opposite pairs in the plane that of ReLU. And a network must be
//! close to its mean: the chance that the kernel of n tanh units lies `t` off is at most `2m exp(-(t^2/2)/(v + Rt/3))`; the bound as printed, without the factor and the half, is broken (T12.2).

mod figure;
mod measure;

use fovea_desk::depth::{drawn, holds};
use fovea_desk::prelude::*;
use fovea_sim::mlp::Shape;
use fovea_theory::averages::Pair;
use fovea_theory::layer::Layer;
use fovea_theory::ntk::kernel::{Kernels, kernels};
use measure::{Positivity, TIMES, WIDTHS};
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

const RELU: Function = Function::Registered(&activation::relu::ENTRY);

/// Theory at one correlation.
fn theory(layers: usize, r: f64) -> Result<Kernels, LabError> {
    Ok(kernels(&Layer::new(&RELU, 2.0, 0.0), Pair::correlated(1.0, r), layers)?)
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

/// One depth.
struct Arm {
    layers: usize,
    /// Kernels of the first input with the input at every angle, and the diagonal first.
    drawn: Vec<Estimate>,
}

/// Kernels by depth, and where one hidden layer has singular ones.
pub struct Found {
    arms: Vec<Arm>,
    positivity: Positivity,
}

impl NtkAngle {
    /// Angles, 0 first.
    fn turns(&self) -> Vec<f64> {
        (0..self.angles).map(|i| PI * i as f64 / (self.angles - 1) as f64).collect()
    }

    fn shape(&self, layers: usize) -> Shape {
        Shape { n_in: 2, widths: vec![self.width; layers], activation: RELU, ..Shape::default() }
    }

    fn arm(&self, layers: usize, desk: &Desk<'_>) -> Result<Arm, LabError> {
        let shape = self.shape(layers);
        // Unit variance at the first layer: |x|^2 = 1 with C_w = 2 and two entries.
        let x: Vec<f64> =
            self.turns().iter().flat_map(|a| [libm::cos(*a), libm::sin(*a)]).collect();
        let streams = desk.streams().part(&format!("layers {layers}"));
        let all: Vec<u64> = (0..self.nets as u64).collect();
        let rows = desk.fleet(&all, |index| {
            let mlp = shape.draw(&streams.replica(*index));
            mlp.tangent(&mlp.forward(&x), 0)[..self.angles].to_vec()
        })?;
        Ok(Arm { layers, drawn: columns(&rows)? })
    }

    fn claims(&self, Found { arms, positivity }: &Found) -> Result<Vec<Claim>, LabError> {
        let mut claims = Vec::new();
        if let Some(arm) = arms.iter().find(|arm| arm.layers == 1) {
            let (mut pairs, mut last) = (Vec::new(), Vec::new());
            for (angle, drawn) in self.turns().iter().zip(&arm.drawn) {
                let found = theory(1, libm::cos(*angle))?;
                pairs.push((*drawn, found.theta.ab));
                last.push((*drawn, found.k.ab));
            }
            let what = "tangent kernel of one hidden ReLU layer at every angle, drawn networks";
            let claim = Claim::family("T11.6", what, &pairs);
            claims
                .push(claim.rejecting("the covariance, the kernel of the last layer alone", &last));
        }
        let limit = quarter()?;
        let what = "kernel of orthogonal inputs over the diagonal, extrapolated to infinite depth in (ln l)/l and 1/l";
        let claim = Claim::exact("T11.6", what, &[0.25], &[limit], 1e-4);
        claims.push(claim.rejecting_exact("1/3", &[1.0 / 3.0], &[limit]));
        claims.extend(positivity.claims());
        Ok(claims)
    }

    fn table(arms: &[Arm]) -> Result<Vec<String>, LabError> {
        let line = |arm: &Arm| {
            let exact = theory(arm.layers, 1.0)?.theta.aa;
            Ok(row(arm.layers.to_string(), &[exact, arm.drawn[0].mean(), arm.drawn[0].se()]))
        };
        let rows = arms.iter().map(line).collect::<Result<Vec<_>, LabError>>()?;
        Ok(table(&["hidden layers", "diagonal", "drawn", "std err"], rows))
    }
}

impl Experiment for NtkAngle {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The tangent kernel against the angle",
        lead: "The tangent kernel of deep ReLU networks flattens with depth to a quarter of its diagonal; drawn networks have it.",
        caption: figure::CAPTION,
        formulas: &[
            r"P\big(|K-EK|\ge t\big)\le2m\,\exp\frac{-t^2/2}{v+Rt/3}",
            r"\Theta^{(l+1)}=\kappa_1(r_l)+\kappa_0(r_l)\,\Theta^{(l)},\qquad\kappa_0=\frac{\pi-\arccos r}\pi,\quad\kappa_1=\frac{\sqrt{1-r^2}+r(\pi-\arccos r)}\pi",
        ],
    };

    fn quick() -> Self {
        Self { layers: vec![1, 3], width: 64, nets: 200, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        ((self.layers.len() + WIDTHS.len() * TIMES) * self.nets) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let arms = self.layers.iter().map(|layers| self.arm(*layers, desk));
        let arms = arms.collect::<Result<_, _>>()?;
        Ok(Found { arms, positivity: Positivity::new(self.nets, desk)? })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let row = |arm: &Arm| arm.drawn.iter().map(Estimate::mean).collect();
        let rows: Vec<Vec<f64>> = found.arms.iter().map(row).collect();
        let arrays = vec![Array::of_rows("kernels", &rows)];
        let claims = self.claims(found)?;
        let figures = vec![("ntk-angle", figure::figure(self, found)?)];
        let summary = [Self::table(&found.arms)?, found.positivity.table()].concat();
        Ok(Shown { arrays, claims, figures, summary, ..Shown::default() })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<NtkAngle>(
    "ntk-angle",
    "tangent kernel of deep ReLU networks against the angle of two inputs",
    include_str!("mod.rs"),
);
