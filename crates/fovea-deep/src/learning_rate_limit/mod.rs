//! How large may a learning rate be, and how fast do errors shrink below the limit?
//!
//! For a linear model errors shrink by `max_i |1 - lr lambda_i|` a step, at any rate below `2/lambda_max` (T04.1, T04.2). A network has the tangent kernel in the place of the matrix (T04.8): on one example its error falls step by step up to
//! `2/|grad z|^2`, where `|grad z|^2` is on average `(|x|^2/n_0) sum n_l` in the standard parametrisation of ReLU networks (T04.5), so the limit falls as one over the width, and as one over the number of weight
//! layers in the NTK parametrisation (T04.6). Limits elsewhere would falsify it; the root of one over the width, as printed, must be rejected.
//!
//! That is a limit of stability: errors that are small from the start meet it at every width, and the mean of two over the largest rate is the mean squared gradient exactly. An error of 1 feels how the network bends. In the second layer of ReLU networks
//! a step at the limit moves the preactivation of a unit that is on by `-r a`, with `a` its last weight, and turns it off where it was closer to zero than that; units that are off do not move, so the effect has one sign. It holds the output back by
//! `n E[a^3 1(a>0)] r^2 p(0)/2 = r^2/(pi sqrt(n))`, with `p(0)` the density of a preactivation at zero, and lifts the limit to `2 + |r|/(pi sqrt(n))`, up to smooth terms in one over the width.

mod claims;
mod figure;
mod measure;

use fovea_desk::depth::trains;
use fovea_desk::prelude::*;
use fovea_desk::widths::{angles, check_widths, on_circle};
use fovea_sim::mlp::{Parametrisation, Shape};
use fovea_theory::rates::gradient_norm::gradient_norm;
use measure::{Limit, slowest};

params! {
    /// Settings of `learning-rate-limit`.
    pub struct LearningRateLimit {
        /// Widths of the two hidden layers, standard parametrisation.
        width: Vec<usize> = vec![32, 64, 128, 256, 512], between(1.0, 4096.0), "units";
        /// Hidden layers, NTK parametrisation.
        layers: Vec<usize> = vec![1, 2, 4], between(1.0, 100.0), "";
        /// Their width.
        deep_width: usize = 256, between(1.0, 4096.0), "units";
        /// Examples on a circle for tanh networks of that width.
        examples: usize = 3, between(2.0, 100.0), "";
        /// Error at the start, root mean square, where the limit is that of stability.
        error: f64 = 0.01, between(1e-6, 0.1), "";
        /// Steps over which the error has to fall.
        steps: usize = 30, between(2.0, 1e4), "steps";
        /// Networks drawn at each width and depth.
        nets: usize = 40, between(4.0, 1e5), "networks";
    }
}

impl Params for LearningRateLimit {
    fn check(&self) -> Result<(), ParamError> {
        check_widths(&self.width, 4)?;
        check_widths(&self.layers, 3).map_err(|_| ParamError::Inconsistent {
            what: format!("`layers` is {:?}", self.layers),
            hint: "give at least 3 depths, each once".to_owned(),
        })?;
        self.width.iter().try_for_each(|n| trains(&wide(*n), 1))?;
        trains(&self.smooth(), self.examples)?;
        self.layers.iter().try_for_each(|l| trains(&self.deep(*l), 1))
    }
}

/// Entries of the one input, whose mean square is 1.
const N_IN: usize = 4;
/// Hidden layers behind which the width is varied.
const DEPTH: usize = 2;
/// Eigenvalues of the linear model.
const EIGENVALUES: [f64; 2] = [0.5, 3.0];

const RELU: Function = Function::Registered(&activation::relu::ENTRY);

/// Critical ReLU networks in the standard parametrisation.
fn wide(width: usize) -> Shape {
    Shape {
        n_in: N_IN,
        widths: vec![width; DEPTH],
        activation: RELU,
        parametrisation: Parametrisation::Standard,
        ..Shape::default()
    }
}

/// Networks by shape and name, the inputs they are trained on, and the error at the start.
type Set<'a> = (&'a [(Shape, String)], &'a [f64], f64);

/// What kinks add to the limit times the squared gradient at an error of 1.
fn kinks(width: f64) -> f64 {
    1.0 / (std::f64::consts::PI * width.sqrt())
}

/// What was found, a row a network.
#[derive(Default)]
pub struct Found {
    /// Two over the limit at small errors, by width and by depth.
    inverse: Vec<Vec<f64>>,
    inverse_deep: Vec<Vec<f64>>,
    /// Limits at errors of 1 and -1, their mean times the squared gradient, by width.
    products: Vec<Vec<f64>>,
    /// Networks on several examples.
    examples: Vec<Limit>,
    /// Rate, factor.
    factors: Vec<[f64; 2]>,
}

impl LearningRateLimit {
    fn deep(&self, layers: usize) -> Shape {
        Shape {
            n_in: N_IN,
            widths: vec![self.deep_width; layers],
            activation: RELU,
            ..Shape::default()
        }
    }

    /// tanh networks on several examples.
    fn smooth(&self) -> Shape {
        Shape {
            n_in: fovea_desk::widths::N_IN,
            widths: vec![self.deep_width; DEPTH],
            activation: Function::Registered(&activation::tanh::ENTRY),
            c_w: 1.0,
            ..Shape::default()
        }
    }

    /// The mean squared gradient at each width.
    fn predicted(&self) -> Vec<f64> {
        self.width.iter().map(|n| gradient_norm(N_IN, N_IN as f64, &[*n; DEPTH])).collect()
    }

    /// The mean squared gradient at each depth.
    fn predicted_deep(&self) -> Vec<f64> {
        self.layers.iter().map(|l| 2.0 * (*l as f64 + 1.0)).collect()
    }

    fn table(&self, found: &Found) -> Result<Vec<String>, LabError> {
        let head = [
            "width",
            "E|grad|^2",
            "2/largest rate",
            "std err",
            "rate x |grad|^2 at |r| = 1",
            "std err",
            "2 + kinks",
        ];
        let (inverse, products) = (columns(&found.inverse)?, columns(&found.products)?);
        let line = |(i, predicted): (usize, &f64)| {
            let (a, b, width) = (inverse[i], products[i], self.width[i]);
            let kinks = 2.0 + kinks(width as f64);
            row(width.to_string(), &[*predicted, a.mean(), a.se(), b.mean(), b.se(), kinks])
        };
        Ok(table(&head, self.predicted().iter().enumerate().map(line)))
    }
}

impl Experiment for LearningRateLimit {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "How large a learning rate may be",
        lead: "Two over the top eigenvalue of the tangent kernel, which grows with the width or the depth as the parametrisation says.",
        caption: figure::CAPTION,
        formulas: &[
            r"|r_{t+1}|\le\max_i|1-\gamma\lambda_i|\,|r_t|,\qquad\gamma<\frac2{\lambda_{\max}}",
            r"|r|\text{ small}:\ \gamma\lambda_{\max}=2,\qquad|r|=1:\ E\gamma|\nabla z|^2=2+\frac1{\pi\sqrt n}+O\Big(\frac1n\Big)",
            r"E|\nabla z|^2=\frac{|x|^2}{n_0}\sum_{l=0}^Ln_l\ \text{(standard)},\qquad\frac{2|x|^2}{n_0}(L+1)\ \text{(NTK)}",
        ],
    };

    fn quick() -> Self {
        Self { width: vec![16, 32, 64, 128], deep_width: 64, nets: 60, ..Self::default() }
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let wide: Vec<(Shape, String)> =
            self.width.iter().map(|n| (wide(*n), format!("width {n}"))).collect();
        let deep: Vec<(Shape, String)> =
            self.layers.iter().map(|l| (self.deep(*l), format!("layers {l}"))).collect();
        let smooth = [(self.smooth(), "examples".to_owned())];
        let one = vec![1.0; N_IN];
        let several = on_circle(&angles(self.examples)).x;
        // What every network of an index does, in the order in which it is taken apart below.
        let sets: [Set<'_>; 5] = [
            (&wide, &one, self.error),
            (&wide, &one, 1.0),
            (&wide, &one, -1.0),
            (&deep, &one, self.error),
            (&smooth, &several, self.error),
        ];
        let places: Vec<(usize, usize)> =
            (0..sets.len()).flat_map(|set| (0..sets[set].0.len()).map(move |k| (set, k))).collect();
        let all: Vec<(u64, (usize, usize))> =
            (0..self.nets as u64).flat_map(|i| places.iter().map(move |at| (i, *at))).collect();
        let all = desk.fleet(&all, |(index, (set, k))| {
            let (shapes, x, error) = sets[*set];
            self.largest(&shapes[*k], x, error, *index, desk)
        })?;
        let rates = (1..=24).map(|i| 2.0 / EIGENVALUES[1] * f64::from(i) / 24.5);
        let factors = rates.map(|lr| [lr, slowest(lr)]).collect();
        let mut found = Found { factors, ..Found::default() };
        for net in all.chunks(places.len()) {
            let (small, rest) = net.split_at(wide.len());
            let (large, rest) = rest.split_at(wide.len());
            let (other, rest) = rest.split_at(wide.len());
            let (deep, rest) = rest.split_at(deep.len());
            found.inverse.push(small.iter().map(|at| 2.0 / at.rate).collect());
            // What the first output has to do with the limit changes sign with the error, and drops out of the mean of both.
            let both = large.iter().zip(other).map(|(a, b)| 0.5 * (a.rate + b.rate) * a.top);
            found.products.push(both.collect());
            found.inverse_deep.push(deep.iter().map(|at| 2.0 / at.rate).collect());
            found.examples.extend(rest);
        }
        Ok(found)
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let arrays = vec![
            Array::of_rows("two_over_rate_by_width", &found.inverse),
            Array::of_rows("two_over_rate_by_depth", &found.inverse_deep),
            Array::of_rows("products", &found.products),
        ];
        let (claims, summary) = (claims::claims(self, found)?, self.table(found)?);
        let figures = vec![("learning-rate-limit", self.figure(found)?)];
        Ok(Shown { arrays, claims, figures, summary, ..Shown::default() })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<LearningRateLimit>(
    "learning-rate-limit",
    "the largest learning rate by width and depth, and how fast errors shrink below it",
    include_str!("mod.rs"),
);
