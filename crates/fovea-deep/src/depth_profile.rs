//! Do the signals in one wide network follow the recursion from layer to layer?
//!
//! The lectures ask for weights that conserve norms and angles from layer to layer (T01.1). In a ReLU network `K_l = (C_w/2)^(l-1) K_1` (T02.3, T02.4), so weights whose
//! variance is a tenth too large or too small are seen after a few layers. One network follows the mean up to `1/sqrt(width)` (T01.2): for critical ReLU the relative variance of
//! `|z_l|^2/n` is `(1 + 2/n)(1 + 5/n)^(l-1) - 1`, exactly. And the norm of the input has to be chosen: the first layer has `K_1 = C_b + C_w |x|^2/n_0`, so
//! `|x|^2/n_0` must be `(K* - C_b)/C_w` and not `K*` (T02.16). Random networks that differ from any of these numbers would falsify them.

use fovea_desk::depth::{AtLayer, RELU, deep, drawn, first_pair, follow, holds, two_inputs};
use fovea_desk::prelude::*;
use fovea_theory::averages::Pair;
use fovea_theory::critical::critical;
use fovea_theory::layer::Layer;

params! {
    /// Settings of `depth-profile`.
    pub struct DepthProfile {
        /// Variances of the weights, in units of the critical one.
        factor: Vec<f64> = vec![0.9, 1.0, 1.1], between(0.1, 10.0), "";
        /// Units in every layer of the single networks.
        width: usize = 1000, between(2.0, 4096.0), "units";
        /// Layers.
        layers: usize = 30, between(3.0, 1000.0), "";
        /// Correlation of the two inputs.
        r: f64 = 0.3, between(-1.0, 1.0), "";
        /// Widths at which the fluctuation of a network is measured.
        widths: Vec<usize> = vec![16, 32, 64, 128, 256, 512], between(2.0, 4096.0), "units";
        /// Layer at which it is measured.
        at: usize = 4, between(1.0, 100.0), "";
        /// Random networks at each width.
        nets: usize = 2000, between(10.0, 1e7), "networks";
    }
}

impl Params for DepthProfile {
    fn check(&self) -> Result<(), ParamError> {
        holds(&deep(&RELU, [2.0, 0.0], self.width, self.layers), 2)?;
        let widest = self.widths.iter().copied().max().unwrap_or(2);
        holds(&deep(&RELU, [2.0, 0.0], widest, self.at.max(2)), 1)?;
        drawn(self.nets, 1)
    }
}

const CAPTION: &str = "(a) Variance of a preactivation by layer in one random ReLU network at each setting of the weights (points) and in infinitely wide ones (lines). (b) Correlation of two inputs in the same \
    networks. (c) Root mean square of the relative deviation of the squared norm in one layer against the width, critical ReLU: random networks with two standard errors, and the exact value (dashed); dotted, $\\sqrt{2/n}$ of the first layer. \
    (d) Variance by layer in critical GELU networks, mean with two standard errors, and at infinite width (lines): with the input scaled to $(K^*-C_b)/C_w$ every layer has $K^*$; scaled to $K^*$ itself, as the notes have it, the network starts away from the fixed point.";

/// One network at one setting.
struct Single {
    factor: f64,
    theory: Vec<Pair>,
    drawn: Vec<[f64; 2]>,
}

/// Size of an input, the recursion, and random networks.
type Input = (f64, Vec<f64>, Vec<AtLayer>);

/// What was measured.
pub struct Found {
    singles: Vec<Single>,
    /// Width, exact relative variance, measured.
    spread: Vec<(usize, f64, Estimate)>,
    /// The right input first.
    inputs: Vec<Input>,
    k_star: f64,
}

/// Relative variance of the squared norm in layer `l` of a critical ReLU network.
fn relative_variance(n: usize, l: usize) -> f64 {
    let n = n as f64;
    (1.0 + 2.0 / n) * libm::pow(1.0 + 5.0 / n, l as f64 - 1.0) - 1.0
}

/// Random GELU networks for each input.
const GELU_NETS: usize = 30;

impl Experiment for DepthProfile {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Signals by layer in one wide network",
        lead: "One wide network follows the recursion up to one over the root of its width, keeps its signals only at the critical weights, and needs an input of the right norm.",
        caption: CAPTION,
        formulas: &[
            r"K^{(l)}=\Big(\frac{C_w}2\Big)^{l-1}K^{(1)}\ \text{(ReLU)},\qquad K^{(1)}=C_b+C_w\frac{|x|^2}{n_0}",
            r"\mathrm{Var}\frac{|z^{(l)}|^2}{nK^{(l)}}=\Big(1+\frac2n\Big)\Big(1+\frac5n\Big)^{l-1}-1",
        ],
    };

    fn quick() -> Self {
        let widths = vec![8, 16, 32, 64];
        Self { width: 200, layers: 12, widths, nets: 1000, at: 3, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        (self.factor.len() + self.widths.len() * self.nets + 2 * GELU_NETS) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let factors: Vec<(usize, f64)> = self.factor.iter().copied().enumerate().collect();
        let singles =
            desk.try_fleet(&factors, |(index, factor)| self.single(*index, *factor, desk))?;
        let spread = |width: &usize| -> Result<_, LabError> {
            Ok((*width, relative_variance(*width, self.at), self.fluctuation(*width, desk)?))
        };
        let spread = self.widths.iter().map(spread).collect::<Result<_, _>>()?;
        let (k_star, inputs) = self.inputs(desk)?;
        Ok(Found { singles, spread, inputs, k_star })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let rows: Vec<Vec<f64>> =
            found.singles.iter().map(|s| s.drawn.iter().map(|k| k[0]).collect()).collect();
        let arrays = vec![Array::of_rows("variances", &rows)];
        let figures = vec![("depth-profile", self.figure(found))];
        let (claims, tables) = (self.claims(found), vec![self.table(found)]);
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

impl DepthProfile {
    fn single(&self, index: usize, factor: f64, desk: &Desk<'_>) -> Result<Single, LabError> {
        let constants = [2.0 * factor, 0.0];
        let layer = Layer::new(&RELU, constants[0], 0.0);
        let theory = layer.pairs(first_pair(constants, 0.5, self.r), self.layers - 1)?;
        let shape = deep(&RELU, constants, self.width, self.layers);
        let streams = desk.streams().part("single").replica(index as u64);
        let pass = shape.draw(&streams).forward(&two_inputs(0.5, self.r));
        let means = |z: &Vec<f64>| {
            let (a, b) = z.split_at(z.len() / 2);
            let mean = |x: &[f64], y: &[f64]| dot(x, y) / x.len() as f64;
            [mean(a, a), mean(a, b) / (mean(a, a) * mean(b, b)).sqrt()]
        };
        Ok(Single { factor, theory, drawn: pass.z.iter().map(means).collect() })
    }

    /// Relative variance of the squared norm at one width, over networks.
    fn fluctuation(&self, width: usize, desk: &Desk<'_>) -> Result<Estimate, LabError> {
        let shape = deep(&RELU, [2.0, 0.0], width, self.at.max(2));
        let streams = desk.streams().part(&format!("width {width}"));
        let squares = desk.replicas(streams, self.nets, |streams| {
            let pass = shape.draw(streams).forward(&two_inputs(0.5, 1.0)[..2]);
            let z = &pass.z[self.at - 1];
            let k = dot(z, z) / width as f64;
            (k - 1.0) * (k - 1.0)
        })?;
        Ok(Estimate::from_samples(&squares)?)
    }

    /// The variance by layer for inputs of two sizes in critical GELU networks: the right size, and the printed one.
    fn inputs(&self, desk: &Desk<'_>) -> Result<(f64, Vec<Input>), LabError> {
        let gelu = Function::Registered(&activation::gelu::ENTRY);
        let found = critical(&gelu)?;
        let known = |x: Option<f64>| x.expect("GELU has a critical point");
        let [k, c_w, c_b] = [found.k, found.c_w, found.c_b].map(known);
        let shape = deep(&gelu, [c_w, c_b], self.width.min(256), self.layers);
        let input = |(name, size): (&str, f64)| -> Result<Input, LabError> {
            let first = c_b + c_w * size;
            let theory = Layer::new(&gelu, c_w, c_b).variances(first, self.layers - 1)?;
            Ok((size, theory, follow(&shape, &two_inputs(size, 1.0), GELU_NETS, name, desk)?))
        };
        let sizes = [("right", (k - c_b) / c_w), ("as printed", k)];
        Ok((k, sizes.into_iter().map(input).collect::<Result<_, _>>()?))
    }

    fn claims(&self, found: &Found) -> Vec<Claim> {
        let numbers: Vec<_> =
            found.spread.iter().map(|(n, v, e)| (*e, [*v, 2.0 / *n as f64])).collect();
        let what = format!(
            "relative variance of the squared norm in layer {} of random critical ReLU networks, every width",
            self.at
        );
        let wrong = "2/n, as if the units of a layer were independent";
        let spread = told_apart("depth-profile", what, wrong, &numbers);
        // Layers 1 and 2 are exact at every width: the first preactivations are Gaussian whatever the width.
        let two = |input: &Input, value: &dyn Fn(usize) -> f64| {
            [0, 1].map(|l| (input.2[l].variance, value(l)))
        };
        let [right, printed] = [&found.inputs[0], &found.inputs[1]];
        let kept = |_: usize| found.k_star;
        let pairs = [two(right, &kept), two(printed, &|l| printed.1[l])].concat();
        let what = "variance in layers 1 and 2 of critical GELU networks: K* where |x|^2/n_0 = (K* - C_b)/C_w, and that of the recursion where |x|^2/n_0 = K*";
        let norm = Claim::family("T02.16/critical", what, &pairs)
            .rejecting("K* where |x|^2/n_0 = K*, as printed", &two(printed, &kept));
        vec![spread, norm]
    }

    fn table(&self, found: &Found) -> Table {
        Table::of("fluctuation", &found.spread)
            .whole("layer", |_| self.at)
            .whole("width", |(n, ..)| *n)
            .real("relative_variance", 5, |(_, exact, _)| *exact)
            .estimate("drawn", 5, |(.., drawn)| *drawn)
            .maybe("width_times_drawn", 5, |(n, _, drawn)| {
                drawn.scaled_and_shifted(*n as f64, 0.0).ok()
            })
            .caption(
                "Relative variance of the squared norm in one layer of critical ReLU networks, one row per width: the exact value, \
                 compared with random networks.",
            )
    }

    fn figure(&self, found: &Found) -> Figure {
        let layers: Vec<usize> = (1..=self.layers).collect();
        let relu = |theory: fn(&Pair) -> f64, k: usize| {
            let arms = found.singles.iter().map(|single| {
                let theory = xy(&layers, single.theory.iter().map(theory));
                let measured = xy(&layers, single.drawn.iter().map(|drawn| drawn[k]));
                (format!("$C_w$ = {:.3}", 2.0 * single.factor), Compared { measured, theory })
            });
            series_from(1, arms)
        };
        let k = || Axis::new("variance $K$");
        let first =
            arms_with_theory("Variance by layer, ReLU", "layer", k().log(), relu(|k| k.aa, 0));
        let (title, y) = ("Correlation by layer, ReLU", "correlation $r$");
        let second = arms_with_theory(title, "layer", y, relu(Pair::correlation, 1));
        let root = |(n, _, e): &(usize, f64, Estimate)| {
            let root = e.mean().sqrt();
            (*n as f64, root, e.se() / root)
        };
        let measured = found.spread.iter().map(root).collect();
        let theory = found.spread.iter().map(|(n, v, _)| (*n as f64, v.sqrt())).collect();
        let y = Axis::new("relative deviation").log();
        let title = format!("Fluctuation in layer {}", self.at);
        let third = measured_with_theory(title, width_axis(), y, measured, theory)
            .with(along(&self.widths, |n| (2.0 / n).sqrt()).line("$(2/n)^{1/2}$", Style::guide()));
        let gelu = found.inputs.iter().map(|(size, theory, drawn)| {
            let measured = estimates(&layers, drawn.iter().map(|at| at.variance));
            let theory = xy(&layers, theory);
            (format!("$|x|^2/n_0$ = {size:.3}"), Compared { measured, theory })
        });
        let (title, gelu) = ("Two sizes of the input, critical GELU", series_from(4, gelu));
        let fourth = arms_with_theory(title, "layer", k().from(0.0), gelu);
        let (width, nets) = (self.width, self.nets);
        let subtitle = format!("width {width} in (a) and (b), {nets} networks per width in (c)");
        let figure = Figure::new("One wide network follows the recursion up to its fluctuations")
            .subtitle(subtitle)
            .description(CAPTION);
        grid(figure, (2, 860.0, 0.62), [first, second, third, fourth])
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<DepthProfile>(
    "depth-profile",
    "norms and angles by layer in one wide network, at and off the critical weights",
    include_str!("depth_profile.rs"),
);
