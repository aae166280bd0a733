//! How does the signal decay with depth in a critical tanh network?
//!
//! At `C_w = 1/s'(0)^2`, `C_b = 0` the variance of odd saturating activations falls as `1/(a l)` with `a = -(s'''/s' + 3/4 (s''/s')^2)` at zero
//! (T02.10, T02.11): tanh 2, sin 1, erf 2. For tanh the next terms are known, `1/K_l = 2 l - 5/6 ln l + c`: after `l` layers from K = 1 the constant is
//! 1.1104, and with the layers numbered from K_1 = 1 it is less by 2 (and the logarithm's shift). A limit of `l K_l` other than `1/a`, a slope of the logarithm other than 5/6, or values
//! of `2 l K_l` other than the published ones would falsify it. Correlations freeze while the variance falls (T02.14).

use fovea_desk::depth::{
    AtLayer, TANH, deep, first_two, follow, holds, layers, spaced_depths, two_inputs,
};
use fovea_desk::prelude::*;
use fovea_sim::mlp::Shape;
use fovea_theory::averages::Pair;
use fovea_theory::critical::critical;
use fovea_theory::layer::Layer;

params! {
    /// Settings of `tanh-decay`.
    pub struct TanhDecay {
        /// Layers of the recursion.
        layers: usize = 10_000, between(1000.0, 1e6), "";
        /// Layers of random networks.
        drawn_layers: usize = 50, between(3.0, 1000.0), "";
        /// Units in every layer of random networks.
        width: usize = 1000, between(2.0, 4096.0), "units";
        /// Random networks.
        nets: usize = 12, between(2.0, 1e5), "networks";
        /// Correlation of the two inputs.
        r: f64 = 0.2, between(-1.0, 1.0), "";
    }
}

impl Params for TanhDecay {
    fn check(&self) -> Result<(), ParamError> {
        holds(&self.shape(), 2)
    }
}

/// Activations of the class, and the limit of `1/(l K_l)` derived by hand.
const CLASS: [(&activation::Entry, f64); 3] = [
    (&activation::tanh::ENTRY, 2.0),
    (&activation::sin::ENTRY, 1.0),
    (&activation::erf_raw::ENTRY, 2.0),
];
/// Published values of 2 l K_l for tanh after l layers from K = 1.
const PUBLISHED: [(usize, f64); 3] = [(10, 1.0440), (100, 1.0138), (400, 1.0049)];

/// The variances of one activation at its critical point.
struct Curve {
    name: &'static str,
    a: f64,
    solved: f64,
    k: Vec<f64>,
}

impl Curve {
    fn new((entry, a): (&'static activation::Entry, f64), layers: usize) -> Result<Self, LabError> {
        let s = Function::Registered(entry);
        let found = critical(&s)?;
        let layer = Layer::new(&s, found.c_w.unwrap_or(1.0), found.c_b.unwrap_or(0.0));
        // In units in which every slope at zero is 1 the first variance is 1.
        let start = found.c_w.unwrap_or(1.0).min(1.0);
        let k = layer.variances(start, layers)?;
        Ok(Self { name: entry.name, a, solved: found.a.unwrap_or(f64::INFINITY), k })
    }

    /// `l K_l a`, which tends to 1.
    fn scaled(&self, l: usize) -> f64 {
        self.a * l as f64 * self.k[l]
    }

    /// `1/K_l - a l`, which grows as a logarithm.
    fn rest(&self, l: usize) -> f64 {
        1.0 / self.k[l] - self.a * l as f64
    }
}

const CAPTION: &str = "(a) $a\\,l\\,K_l$ for critical tanh, sin and erf networks of infinite width, with $a$ from three derivatives at zero: it tends to 1. Diamonds: published values for tanh. \
    (b) $1/K_l$ less $2l$ for tanh, against the logarithm of the depth: a line of slope $-5/6$ (dashed). (c) Variance by layer in random networks (points), and at infinite width (dashed). \
    (d) The correlation of two inputs, which freezes at infinite width while the variance falls; in random networks it fluctuates. Points have two standard errors.";

/// The variances of tanh, sin and erf, and two inputs in tanh networks.
pub struct Found {
    curves: Vec<Curve>,
    /// Kernels of infinitely wide layers.
    pairs: Vec<Pair>,
    drawn: Vec<AtLayer>,
}

impl Experiment for TanhDecay {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The decay of a critical tanh network",
        lead: "At the critical point the variance of a tanh network falls as one over twice the depth, with a logarithmic correction, and the correlation of two inputs freezes.",
        caption: CAPTION,
        formulas: &[
            r"K'=K-2K^2+\tfrac{17}3K^3-\dots,\qquad\frac1{K_l}=2l-\tfrac56\ln l+c",
            r"K_l\sim\frac1{a\,l},\qquad a=-\Big(\frac{s'''}{s'}+\frac34\Big(\frac{s''}{s'}\Big)^2\Big)_{z=0}",
        ],
    };

    fn quick() -> Self {
        Self { layers: 2000, drawn_layers: 20, width: 200, nets: 20, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        (CLASS.len() + self.nets) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let curves = desk.try_fleet(&CLASS, |one| Curve::new(*one, self.layers))?;
        let layer = Layer::new(&TANH, 1.0, 0.0);
        let layer = Layer { averages: layer.averages.clone().to(1e-9), ..layer };
        let pairs = layer.pairs(Pair::correlated(1.0, self.r), self.drawn_layers - 1)?;
        let drawn = follow(&self.shape(), &two_inputs(1.0, self.r), self.nets, "tanh", desk)?;
        Ok(Found { curves, pairs, drawn })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let curves: Vec<Vec<f64>> = found.curves.iter().map(|curve| curve.k.clone()).collect();
        let drawn = found.drawn.iter().map(|m| vec![m.variance.mean(), m.variance.se()]);
        let drawn = Array::of_rows("drawn", &drawn.collect::<Vec<_>>());
        let arrays = vec![Array::of_rows("variances", &curves), drawn];
        let (claims, tables) = (self.claims(found), self.tables(&found.curves));
        let figures = vec![("tanh-decay", self.figure(found))];
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

impl TanhDecay {
    fn shape(&self) -> Shape {
        deep(&TANH, [1.0, 0.0], self.width, self.drawn_layers)
    }

    fn claims(&self, found: &Found) -> Vec<Claim> {
        let Found { curves, pairs, drawn } = found;
        let tanh = &curves[0];
        // The same with the layers numbered from 1, one more for the same variance.
        let shifted = |l: usize| 2.0 * (l as f64 + 1.0) * tanh.k[l];
        let published = PUBLISHED.map(|(l, value)| (tanh.scaled(l), [value, shifted(l)]));
        let what = "2 l K_l of critical tanh after 10, 100 and 400 layers from K = 1, published to four decimals";
        let wrong = "layers numbered from 1";
        let decimals = told_apart_exactly("tanh-decay", what, wrong, published, 5e-5);
        // From l to 4 l the rest changes by the slope times ln 4; terms in ln(l)/l are extrapolated away with 2 l.
        let slope = |l: usize| (tanh.rest(4 * l) - tanh.rest(l)) / libm::log(4.0);
        let l = self.layers / 8;
        let extrapolated = 2.0 * slope(2 * l) - slope(l);
        let what = "slope of 1/K_l - 2 l in ln l, critical tanh";
        let slope = [(extrapolated, [-5.0 / 6.0, 0.0])];
        let logarithm = told_apart_exactly("T02.10/law", what, "no logarithm", slope, 3e-3);
        // A limit, up to the correction that this many layers leave: fewer leave more.
        let logarithm = Claim { as_stated: true, ..logarithm };
        let what = "a from the derivatives at zero: tanh 2, sin 1, erf 2";
        let wrong = "the third derivative alone, not over the slope";
        let alone = [2.0, 1.0, 4.0 * std::f64::consts::FRAC_2_SQRT_PI / 2.0];
        let solved =
            curves.iter().zip(alone).map(|(curve, alone)| (curve.solved, [curve.a, alone]));
        let derivatives = told_apart_exactly("tanh-decay", what, wrong, solved, 1e-9);
        let grown = curves.iter().zip(alone).map(|(curve, alone)| {
            let per_layer = |l: usize| (1.0 / curve.k[2 * l] - 1.0 / curve.k[l]) / l as f64;
            // 1/K_l is a l but for a logarithm, which adds half as much at twice the depth.
            (2.0 * per_layer(2 * l) - per_layer(l), [curve.solved, alone])
        });
        let what = "growth of 1/K_l per layer in the recursion of critical tanh, sin and erf networks, extrapolated in 1/l, and a from three derivatives at zero";
        let growth = told_apart_exactly("T02.11", what, wrong, grown, 1e-4);
        let growth = Claim { as_stated: true, ..growth };
        let still = [0, 1].map(|l| (drawn[l].variance, 1.0));
        let what =
            "variance and covariance of two inputs in the first two layers of random tanh networks";
        let layers = Claim::family("tanh-decay", what, &first_two(drawn, pairs))
            .rejecting("a variance that does not change", &still);
        vec![decimals, logarithm, derivatives, growth, layers]
    }

    fn tables(&self, curves: &[Curve]) -> Vec<Table> {
        let depths = [10, 100, 400, 1000, 10_000].into_iter().filter(|l| *l <= self.layers);
        let rows: Vec<(&Curve, usize)> =
            curves.iter().flat_map(|curve| depths.clone().map(move |l| (curve, l))).collect();
        let decay = Table::of("decay", &rows)
            .words("activation", |(curve, _)| curve.name)
            .real("a", 6, |(curve, _)| curve.solved)
            .whole("layers", |(_, l)| *l)
            .real("scaled", 6, |(curve, l)| curve.scaled(*l))
            .caption(
                "The scaled variance a l K after l layers, which tends to 1, one row per activation and depth; a is that of three \
                 derivatives at zero.",
            );
        // With one layer more for the same variance 1/K - 2 l is less by 2.
        let layers = self.layers;
        let constant = |first: usize| {
            let (last, less) = (layers + first, 2.0 * first as f64);
            (first, last, curves[0].rest(layers) - less + 5.0 / 6.0 * libm::log(last as f64))
        };
        let constants = Table::of("constant", &[0, 1].map(constant))
            .whole("first_layer", |row| row.0)
            .whole("layers", |row| row.1)
            .real("constant", 4, |row| row.2)
            .caption("1/K - 2 l + 5/6 ln l of tanh in the last layer l, one row per number given to the layer of K = 1.");
        vec![decay, constants]
    }

    fn figure(&self, found: &Found) -> Figure {
        let Found { curves, pairs, drawn } = found;
        let (depths, layers) = (spaced_depths(self.layers), layers(drawn));
        let depth = || Axis::new("layers $l$").log();
        let at = |read: &dyn Fn(usize) -> f64| xy(&depths, depths.iter().map(|l| read(*l)));
        let scaled = curves.iter().map(|curve| (curve.name, at(&|l| curve.scaled(l))));
        let published: Xy = PUBLISHED.iter().map(|(l, value)| (*l as f64, *value)).collect();
        let diamond = Style { size: 4.5, ..Style::series(3) };
        let (title, y) = ("Towards one over the depth", "$a\\,l\\,K_l$");
        let first = lines(title, depth(), y, series(scaled))
            .with(guide_at_y(1.0, ""))
            .with(published.points("published, tanh", diamond));
        let formula = along(&depths, |l| 1.1104 - 5.0 / 6.0 * libm::log(l));
        let rest = [
            named("$1.1104-(5/6)\\ln l$", Style::theory(), formula),
            unnamed(Style::series(0), at(&|l| curves[0].rest(l))),
        ];
        let second = lines("The next terms, tanh", depth(), "$1/K_l-2l$", rest);
        let title = format!("Random networks of width {}", self.width);
        let y = Axis::new("variance $K$").log();
        let measured = estimates(&layers, drawn.iter().map(|at| at.variance));
        let theory = xy(&layers, pairs.iter().map(|pair| pair.aa));
        let third = measured_with_theory(title.clone(), "layer", y, measured, theory);
        let errors = drawn.iter().map(|at| 2.0 * at.covariance.se() / at.variance.mean());
        let measured = xy(&layers, drawn.iter().map(AtLayer::correlation));
        let (measured, y) = (measured.with_error(errors.collect()), Axis::new("correlation $r$"));
        let frozen = xy(&layers, pairs.iter().map(Pair::correlation));
        let fourth = measured_with_theory(title, "layer", y.from(0.0), measured, frozen);
        let title = "The variance of a critical tanh network falls as one over twice the depth";
        let figure = Figure::new(title).description(CAPTION);
        grid(figure, (2, 860.0, 0.62), [first, second, third, fourth])
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<TanhDecay>(
    "tanh-decay",
    "fall of the variance of critical tanh, sin and erf networks with depth, and its logarithmic correction",
    include_str!("tanh_decay.rs"),
);
