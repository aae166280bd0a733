//! How far from Gaussian are the outputs of networks of finite width?
//!
//! Given its last hidden layer an output is Gaussian with a random variance `Khat`, so `E z^4/3(E z^2)^2 = E Khat^2/K^2` (T02.1). For activations that are linear on each side of zero, at their critical weights, this is
//! exactly `prod_l (1 + c/n_l)` with c = 5 for ReLU and 2 for the identity (T03.5), whatever the input; for one hidden layer of any activation `n Var Khat = C_w^2 (E s^4 - (E s^2)^2)` (T03.6). Random
//! networks that differ from these numbers would falsify them; the sum of `c/n_l`, the first order alone, must be rejected. Both sides of the first equation are measured: the fourth power of the outputs themselves, and `Khat^2`, which has the same mean and less noise.

use fovea_desk::depth::{IDENTITY, RELU, TANH, drawn, hidden, holds};
use fovea_desk::prelude::*;
use fovea_sim::mlp::Shape;
use fovea_theory::layer::Layer;
use fovea_theory::nngp::kurtosis::ratio;
use fovea_theory::nngp::variance::scaled_variance;

params! {
    /// Settings of `finite-width-kurtosis`.
    pub struct FiniteWidthKurtosis {
        /// Widths, of all hidden layers alike.
        width: Vec<usize> = vec![8, 16, 32, 64], between(1.0, 1024.0), "units";
        /// Hidden layers.
        layers: Vec<usize> = vec![1, 2, 3], between(1.0, 20.0), "";
        /// Random networks at each width and depth.
        nets: usize = 60_000, between(100.0, 1e8), "networks";
    }
}

impl Params for FiniteWidthKurtosis {
    fn check(&self) -> Result<(), ParamError> {
        let (width, layers) = (self.width.iter().max(), self.layers.iter().max());
        let (width, layers) = (*width.unwrap_or(&1), *layers.unwrap_or(&1));
        holds(&hidden(1, &RELU, 2.0, width, layers), 1)?;
        drawn(self.nets, 4)
    }
}

const CAPTION: &str = "(a), (b) Fourth moment of an output over that of a Gaussian, against the width, for ReLU and linear networks of several depths at their critical weights, with two standard errors. Lines: the exact product over layers. Filled points: $\\hat K^2/K^2$ of random networks, \
    which has the same mean as the fourth moment and less noise. Open points: the fourth power of the outputs themselves. (c) One hidden layer of tanh units: width times the variance of $\\hat K$, the variance of an output given the hidden layer, with two standard errors; it does not depend on the width (dashed: the exact value).";

/// One activation at one depth, over the widths.
struct Arm {
    leak: f64,
    layers: usize,
    /// Means of `Khat^2/K^2`, and of the fourth power of outputs over `3 K^2`.
    drawn: Vec<[Estimate; 2]>,
}

/// One hidden layer of tanh units.
struct Tanh {
    /// `n Var Khat`, exactly.
    exact: f64,
    /// Mean of Khat.
    k: f64,
    /// Means of `n (Khat - K)^2`, and of the fourth power of outputs over `3 K^2`.
    drawn: Vec<[Estimate; 2]>,
}

/// Random networks of all activations.
pub struct Found {
    arms: Vec<Arm>,
    tanh: Tanh,
}

/// Outputs of each network: given its last hidden layer they are independent.
const OUTPUTS: usize = 8;

impl Arm {
    fn exact(&self, width: usize) -> f64 {
        ratio(&vec![width; self.layers], self.leak)
    }
}

/// Activations by their slope below zero, and their critical weights.
const CASES: [(f64, Function, f64); 2] = [(0.0, RELU, 2.0), (1.0, IDENTITY, 1.0)];

impl FiniteWidthKurtosis {
    /// Means over random networks of `read(Khat)` and of the fourth power of outputs over `3 k^2`.
    fn means(
        &self,
        shape: Shape,
        k: f64,
        desk: &Desk<'_>,
        read: impl Fn(f64) -> f64 + Sync + Send,
    ) -> Result<[Estimate; 2], LabError> {
        let shape = Shape { outputs: OUTPUTS, ..shape };
        let part =
            format!("{} {} {}", shape.activation.name(), shape.widths.len(), shape.widths[0]);
        let readings = desk.replicas(desk.streams().part(&part), self.nets, |streams| {
            let pass = shape.draw(streams).forward(&[1.0]);
            let h = pass.h.last().map_or(&[][..], Vec::as_slice);
            let khat = shape.c_w * dot(h, h) / h.len() as f64;
            let fourth = pass.outputs().iter().map(|z| z * z * z * z).sum::<f64>();
            (read(khat), fourth / (3.0 * k * k * OUTPUTS as f64))
        })?;
        let (reduced, fourths): (Vec<f64>, Vec<f64>) = readings.into_iter().unzip();
        Ok([Estimate::from_samples(&reduced)?, Estimate::from_samples(&fourths)?])
    }

    /// Every activation at every depth.
    fn arms(&self, desk: &Desk<'_>) -> Result<Vec<Arm>, LabError> {
        let mut arms = Vec::new();
        for (leak, s, c_w) in CASES {
            for layers in &self.layers {
                let drawn = self.width.iter().map(|width| {
                    let shape = hidden(1, &s, c_w, *width, *layers);
                    // The input has one entry of size 1: K is C_w at every layer.
                    self.means(shape, c_w, desk, |khat| (khat / c_w) * (khat / c_w))
                });
                arms.push(Arm { leak, layers: *layers, drawn: drawn.collect::<Result<_, _>>()? });
            }
        }
        Ok(arms)
    }

    /// One hidden tanh layer at every width.
    fn tanh(&self, desk: &Desk<'_>) -> Result<Tanh, LabError> {
        let layer = Layer::new(&TANH, 1.5, 0.0);
        let k = layer.next(1.5)?;
        let drawn = self.width.iter().map(|width| {
            let n = *width as f64;
            let shape = hidden(1, &TANH, 1.5, *width, 1);
            self.means(shape, k, desk, |khat| n * (khat - k) * (khat - k))
        });
        let drawn = drawn.collect::<Result<_, _>>()?;
        Ok(Tanh { exact: scaled_variance(&layer, 1.5)?, k, drawn })
    }

    fn claims(&self, Found { arms, tanh }: &Found) -> Vec<Claim> {
        let (mut relu, mut linear, mut fourth) = (Vec::new(), Vec::new(), Vec::new());
        for arm in arms {
            let products = if arm.leak > 0.5 { &mut linear } else { &mut relu };
            for (width, [reduced, outputs]) in self.width.iter().zip(&arm.drawn) {
                let (exact, one) = (arm.exact(*width), ratio(&[*width], arm.leak) - 1.0);
                products.push((*reduced, [exact, 1.0 + arm.layers as f64 * one]));
                fourth.push((*outputs, [exact, 1.0]));
            }
        }
        let mut variances = Vec::new();
        for (width, [variance, outputs]) in self.width.iter().zip(&tanh.drawn) {
            variances.push((*variance, [tanh.exact, tanh.exact / 1.5]));
            let exact = 1.0 + tanh.exact / (*width as f64 * tanh.k * tanh.k);
            fourth.push((*outputs, [exact, 1.0]));
        }
        let wrong = "the first order alone, 1 + c sum 1/n";
        let what = "E z^4/3(E z^2)^2 of critical ReLU networks at every width and depth, as E Khat^2/K^2 over the variances given the last hidden layer";
        let relu = told_apart("T03.5", what, wrong, &relu);
        let what = "E Khat^2/K^2 of linear networks at every width and depth";
        let linear = told_apart("finite-width-kurtosis", what, wrong, &linear);
        let what = "n Var(Khat) after one hidden layer of tanh units, every width";
        let variances = told_apart("T03.6", what, "C_w instead of its square", &variances);
        let what = "E z^4/3(E z^2)^2 of the outputs themselves: the product over layers (ReLU, linear), 1 + Var(Khat)/K^2 (tanh)";
        let fourth = told_apart("finite-width-kurtosis", what, "1, a Gaussian", &fourth);
        vec![relu, linear, variances, fourth]
    }

    fn table(&self, arms: &[Arm]) -> Table {
        let widths = |arm| self.width.iter().enumerate().map(move |(i, width)| (arm, i, *width));
        let rows: Vec<(&Arm, usize, usize)> = arms.iter().flat_map(widths).collect();
        Table::of("kurtosis", &rows)
            .words("activation", |(arm, ..)| if arm.leak > 0.5 { "linear" } else { "ReLU" })
            .whole("hidden_layers", |(arm, ..)| arm.layers)
            .whole("width", |(.., width)| *width)
            .real("product", 5, |(arm, _, width)| arm.exact(*width))
            .estimate("from_variances", 5, |(arm, i, _)| arm.drawn[*i][0])
            .estimate("from_outputs", 5, |(arm, i, _)| arm.drawn[*i][1])
            .caption(
                "Fourth moment of an output over that of a Gaussian, one row per activation, depth and width: the exact product \
                 over layers, compared with random networks, from the square of the variance given the last hidden layer and \
                 from the fourth power of the outputs.",
            )
    }

    fn figure(&self, Found { arms, tanh }: &Found) -> Figure {
        let n = &self.width;
        // A little to the right, so that both can be read.
        let right: Vec<f64> = n.iter().map(|n| 1.06 * *n as f64).collect();
        let panel = |(leak, name): (f64, &str)| {
            let here = arms.iter().filter(|arm| (arm.leak - leak).abs() < 0.5);
            let compared = here.enumerate().flat_map(|(i, arm)| {
                let drawn = |k: usize| arm.drawn.iter().map(move |at| at[k]);
                let theory = xy(n, n.iter().map(|n| arm.exact(*n)));
                let from_variances = Compared { measured: estimates(n, drawn(0)), theory };
                let plural = if arm.layers == 1 { "layer" } else { "layers" };
                let (style, label) = (Style::series(i), format!("{} hidden {plural}", arm.layers));
                let from_outputs = unnamed(style.hollow(), estimates(&right, drawn(1)).into());
                [named(label, style, from_variances), from_outputs]
            });
            let y = Axis::new("$E z^4/3(E z^2)^2$").log();
            arms_with_theory(name, width_axis(), y, compared)
        };
        let variances = estimates(n, tanh.drawn.iter().map(|at| at[0]));
        let (title, y) = ("tanh, one hidden layer", Axis::new("$n$ Var $K$").from(0.0));
        let exact = along(n, |_| tanh.exact);
        let last = measured_with_theory(title, width_axis(), y, variances, exact);
        let title = "Outputs of finite networks have heavier tails, by a product over layers";
        let figure = Figure::new(title)
            .subtitle(format!("{} networks at each width and depth", self.nets))
            .description(CAPTION);
        let [relu, linear] = [(0.0, "ReLU"), (1.0, "linear")].map(panel);
        grid(figure, (3, 1000.0, 0.85), [relu, linear, last])
    }
}

impl Experiment for FiniteWidthKurtosis {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Networks of finite width are not Gaussian",
        lead: "The fourth moment of an output is a product over the hidden layers, exactly, and random networks agree.",
        caption: CAPTION,
        formulas: &[
            r"\frac{E z^4}{3(Ez^2)^2}=\frac{E\hat K^2}{K^2}=\prod_l\Big(1+\frac c{n_l}\Big),\qquad c_{\mathrm{ReLU}}=5,\quad c_{\mathrm{linear}}=2",
            r"n\,\mathrm{Var}\,\hat K=C_w^2\big(Es^4-(Es^2)^2\big)",
        ],
    };

    fn quick() -> Self {
        Self { width: vec![8, 16, 32], layers: vec![1, 3], nets: 30_000 }
    }

    fn parts(&self) -> u64 {
        (self.width.len() * (2 * self.layers.len() + 1) * self.nets) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        Ok(Found { arms: self.arms(desk)?, tanh: self.tanh(desk)? })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let array = |name: &str, k: usize| {
            let row = |arm: &Arm| arm.drawn.iter().map(|at| at[k].mean()).collect();
            Array::of_rows(name, &found.arms.iter().map(row).collect::<Vec<_>>())
        };
        let arrays = vec![array("drawn", 0), array("fourth_of_outputs", 1)];
        let figures = vec![("finite-width-kurtosis", self.figure(found))];
        let (claims, tables) = (self.claims(found), vec![self.table(&found.arms)]);
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<FiniteWidthKurtosis>(
    "finite-width-kurtosis",
    "fourth moments of the outputs of finite networks: exact products over layers",
    include_str!("finite_width_kurtosis.rs"),
);
