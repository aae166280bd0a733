//! How fast do all inputs become alike in a critical ReLU network?
//!
//! He initialization keeps every norm (T02.4), and the susceptibility to small distances is 1, so no exponential rate is left; but the correlation of any two inputs still
//! drifts to 1 as `1 - r_l ~ 9 pi^2 / (2 l^2)`, whatever it was (T02.13, T02.18). With weights whose variance is one per cent larger or smaller the norm changes and the drift stays.
//! A limit of `l^2 (1 - r_l)` other than 44.413, an exponent other than -2, or random networks that differ from the recursion where it is exact would falsify it.

use fovea_core::params::inside;
use fovea_desk::depth::{AtLayer, RELU, deep, follow, holds, layers, spaced_depths, two_inputs};
use fovea_desk::prelude::*;
use fovea_sim::mlp::Shape;
use fovea_theory::averages::Pair;
use fovea_theory::layer::Layer;
use std::f64::consts::PI;

params! {
    /// Settings of `relu-correlation`.
    pub struct ReluCorrelation {
        /// Correlations of the two inputs.
        r: Vec<f64> = vec![-0.9, 0.0, 0.5], inside(-1.0, 1.0), "";
        /// Layers of the recursion.
        layers: usize = 10_000, between(1000.0, 1e5), "";
        /// Layers of random networks.
        drawn_layers: usize = 40, between(3.0, 1000.0), "";
        /// Units in every layer of random networks.
        width: usize = 800, between(2.0, 4096.0), "units";
        /// Random networks for each correlation.
        nets: usize = 12, between(2.0, 1e5), "networks";
    }
}

impl Params for ReluCorrelation {
    fn check(&self) -> Result<(), ParamError> {
        holds(&self.shape(), 2)
    }
}

/// The limit of `l^2 (1 - r_l)`.
const LIMIT: f64 = 4.5 * PI * PI;

const CAPTION: &str = "(a) $l^2(1-r_l)$ for two inputs of a critical ReLU network of infinite width, from several correlations: all tend to $9\\pi^2/2$. (b) One minus the correlation by layer in random networks (points) \
    and in infinitely wide ones (lines); deep in a network of finite width inputs stay further apart. (c) The variance in the same networks, mean with two standard errors: He initialization conserves it on average at every width, while single networks fluctuate.";

/// Two inputs that begin at one correlation.
pub struct Arm {
    r: f64,
    correlations: Vec<f64>,
    pairs: Vec<Pair>,
    drawn: Vec<AtLayer>,
}

impl Experiment for ReluCorrelation {
    type Found<'r> = Vec<Arm>;

    const WORDS: Words<'static> = Words {
        title: "All inputs become alike in a critical ReLU network",
        lead: "He initialization leaves no exponential rate, yet the correlation of any two inputs drifts to one as the inverse square of the depth.",
        caption: CAPTION,
        formulas: &[
            r"r_{l+1}=\kappa_1(r_l)=\frac{\sqrt{1-r^2}+r(\pi-\arccos r)}\pi,\qquad 1-r_l\sim\frac{9\pi^2}{2l^2}",
        ],
    };

    fn quick() -> Self {
        Self { layers: 4000, drawn_layers: 16, width: 200, nets: 16, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        (self.r.len() * self.nets) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Vec<Arm>, LabError> {
        let arm = |(index, r): (usize, &f64)| -> Result<Arm, LabError> {
            let all = Layer::new(&RELU, 2.0, 0.0).pairs(Pair::correlated(1.0, *r), self.layers)?;
            let part = format!("correlation {index}");
            Ok(Arm {
                r: *r,
                correlations: all.iter().map(Pair::correlation).collect(),
                pairs: all[..self.drawn_layers].to_vec(),
                drawn: follow(&self.shape(), &two_inputs(0.5, *r), self.nets, &part, desk)?,
            })
        };
        self.r.iter().enumerate().map(arm).collect()
    }

    fn show(&self, _: &Runs, arms: &Vec<Arm>) -> Result<Shown, LabError> {
        let rows: Vec<Vec<f64>> = arms.iter().map(|arm| arm.correlations.clone()).collect();
        let arrays = vec![Array::of_rows("correlations", &rows)];
        let figures = vec![("relu-correlation", self.figure(arms))];
        let (claims, tables) = (self.claims(arms), self.tables(arms));
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// `l^2 (1 - r_l)`.
fn scaled(arm: &Arm, l: usize) -> f64 {
    (l * l) as f64 * (1.0 - arm.correlations[l])
}

impl ReluCorrelation {
    fn shape(&self) -> Shape {
        deep(&RELU, [2.0, 0.0], self.width, self.drawn_layers)
    }

    /// The skewness of the mean norm over the networks, `l` layers above the first.
    ///
    /// A layer multiplies the norm by the mean of `2 relu(z)^2` over its units, z normal, whatever came before: moments of the norm are
    /// products. In narrow networks few samples carry the mean, and at worst none, where all died.
    fn skew(&self, l: usize) -> f64 {
        let (n, l) = (self.width as f64, l as f64);
        let square = (1.0 + 2.0 / n) * libm::pow(1.0 + 5.0 / n, l);
        let cube = (1.0 + (6.0 + 8.0 / n) / n) * libm::pow(1.0 + (15.0 + 44.0 / n) / n, l);
        let skew = (cube - 3.0 * square + 2.0) / libm::pow(square - 1.0, 1.5);
        // Moments beyond the range of numbers are tails beyond any samples.
        if skew.is_finite() { skew / (self.nets as f64).sqrt() } else { f64::INFINITY }
    }

    fn claims(&self, arms: &[Arm]) -> Vec<Claim> {
        // The gap to the limit is (A ln l + B)/l: three depths remove both terms.
        let limits = arms.iter().map(|arm| extrapolated(|l| scaled(arm, l), self.layers));
        let limits = limits.map(|limit| (limit, [LIMIT, 0.5 * LIMIT]));
        let what = "limit of l^2 (1 - r_l), extrapolated from three depths in ln(l)/l and 1/l";
        let limit = told_apart_exactly("T02.13", what, "half of it, 9 pi^2/4", limits, 2e-3);
        let (l, far) = (self.layers / 4, self.layers);
        let exponent = |arm: &Arm| {
            let ratio = (1.0 - arm.correlations[far]) / (1.0 - arm.correlations[l]);
            (libm::log(ratio) / libm::log(far as f64 / l as f64), [-2.0, -1.0])
        };
        let exponents = arms.iter().map(exponent);
        let what = "exponent of the drift over the last factor of four in depth";
        let exponent = told_apart_exactly("T02.18", what, "one over the depth", exponents, 0.01);
        // Both are limits, up to the correction that this many layers leave, and numbers without noise.
        let [limit, exponent] = [limit, exponent].map(|claim| Claim { as_stated: true, ..claim });
        // Norms are conserved on average at every width and depth; covariances are exact in the first two layers.
        let (mut kept, mut printed) = (Vec::new(), Vec::new());
        for arm in arms {
            let tailed = |mean: Estimate, l: usize| mean.at_least_skewed(self.skew(l));
            let variances = arm.drawn.iter().zip(&arm.pairs).enumerate();
            kept.extend(variances.map(|(l, (drawn, pair))| (tailed(drawn.variance, l), pair.aa)));
            for l in 0..2 {
                let covariance = tailed(arm.drawn[l].covariance, l);
                kept.push((covariance, arm.pairs[l].ab));
                printed.push((covariance, arm.pairs[0].ab));
            }
        }
        let what = "variance at every layer, and covariance in the first two, of random critical ReLU networks";
        let sampled = Claim::family("relu-correlation", what, &kept)
            .rejecting("a covariance that is conserved as the norms are", &printed);
        vec![limit, exponent, sampled]
    }

    fn tables(&self, arms: &[Arm]) -> Vec<Table> {
        let depths = [10, 100, 1000, 10_000].into_iter().filter(|l| *l <= self.layers);
        let rows: Vec<(&Arm, usize)> =
            arms.iter().flat_map(|arm| depths.clone().map(move |l| (arm, l))).collect();
        let drift = Table::of("drift", &rows)
            .given("r_at_the_start", |(arm, _)| arm.r)
            .whole("layers", |(_, l)| *l)
            .real("scaled", 4, |(arm, l)| scaled(arm, *l))
            .caption("The scaled distance of two inputs, l^2 (1 - r) after l layers, one row per correlation at the start and depth.");
        let limit = Table::of("limit", arms)
            .given("r_at_the_start", |arm| arm.r)
            .real("extrapolated", 4, |arm| extrapolated(|l| scaled(arm, l), self.layers))
            .real("predicted", 4, |_| LIMIT)
            .caption("The scaled distance extrapolated to infinite depth, one row per correlation at the start, compared with 9 pi^2/2.");
        vec![drift, limit]
    }

    fn figure(&self, arms: &[Arm]) -> Figure {
        let (depths, layers) = (spaced_depths(self.layers), layers(&arms[0].drawn));
        let label = |arm: &Arm| format!("$r$ = {} at the start", arm.r);
        let drift = arms.iter().map(|arm| {
            let scaled = xy(&depths, depths.iter().map(|l| scaled(arm, *l)));
            (label(arm), scaled)
        });
        let (x, y) = (Axis::new("layers $l$").log(), Axis::new("$l^2(1-r_l)$").from(0.0));
        let drift = lines("Infinite width", x, y, series(drift))
            .with(guide_at_y(LIMIT, "$9\\pi^2/2$"))
            .span(2)
            .height(210.0);
        let distances = arms.iter().map(|arm| {
            let drawn = arm.drawn.iter().map(|at| (1.0 - at.correlation()).max(1e-9));
            let theory = xy(&layers, arm.pairs.iter().map(|pair| 1.0 - pair.correlation()));
            (label(arm), Compared { measured: xy(&layers, drawn), theory })
        });
        let variances = arms.iter().map(|arm| {
            let variances = arm.drawn.iter().map(|at| at.variance);
            (label(arm), estimates(&layers, variances).into())
        });
        let title = format!("Random networks of width {}", self.width);
        let (distance, k) = (Axis::new("$1-r$").log(), Axis::new("variance $K$").from(0.0));
        let distances = arms_with_theory(title.clone(), "layer", distance, series(distances));
        let variances = arms_with_theory(title, "layer", k, series(variances));
        let title = "Correlations drift to one as the inverse square of the depth";
        let panels = [drift, distances, variances.with(guide_at_y(1.0, ""))];
        grid(Figure::new(title).description(CAPTION), (2, 860.0, 0.62), panels)
    }
}

/// The limit `f` of `g(l) = f + (A ln l + B)/l` from three depths.
fn extrapolated(g: impl Fn(usize) -> f64, layers: usize) -> f64 {
    let l = [layers / 4, layers / 2, layers];
    let rows = l.map(|l| [1.0, libm::log(l as f64) / l as f64, 1.0 / l as f64]);
    let y = l.map(g);
    let det = |m: [[f64; 3]; 3]| -> f64 {
        let minor = |j: usize, k: usize| m[1][j] * m[2][k] - m[1][k] * m[2][j];
        (0..3).map(|i| m[0][i] * minor((i + 1) % 3, (i + 2) % 3)).sum()
    };
    let replaced = [0, 1, 2].map(|i| [y[i], rows[i][1], rows[i][2]]);
    det(replaced) / det(rows)
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<ReluCorrelation>(
    "relu-correlation",
    "drift of the correlation of two inputs in critical ReLU networks, 9 pi^2 / (2 l^2)",
    include_str!("relu_correlation.rs"),
);
