//! How large may a learning rate be, and how fast do errors shrink below the limit?
//!
//! For a linear model errors shrink by `max_i |1 - lr lambda_i|` per step, at any rate below `2/lambda_max` (T04.1, T04.2). A network has the tangent kernel instead of the matrix (T04.8): on one example its error falls step by step up to
//! `2/|grad z|^2`, where `|grad z|^2` is on average `(|x|^2/n_0) sum n_l` in the standard parametrisation of ReLU networks (T04.5), so the limit falls as one over the width, and as one over the number of weight
//! layers in the NTK parametrisation (T04.6). Limits elsewhere would falsify it; the root of one over the width, as printed, must be rejected.
//!
//! That is a limit of stability: errors that are small from the start meet it at every width, and the mean of two over the largest rate is the mean squared gradient exactly. An error of 1 feels how the network bends. In the second layer of ReLU networks
//! a step at the limit moves the preactivation of a unit that is on by `-r a`, with `a` its last weight, and turns it off where it was closer to zero than that; units that are off do not move, so the effect has one sign. It holds the output back by
//! `n E[a^3 1(a>0)] r^2 p(0)/2 = r^2/(pi sqrt(n))`, with `p(0)` the density of a preactivation at zero, and lifts the limit to `2 + |r|/(pi sqrt(n))`, up to smooth terms in one over the width.

use fovea_core::symmetric::eigen;
use fovea_desk::depth::{RELU, TANH, hidden, linear, trains};
use fovea_desk::prelude::*;
use fovea_desk::widths::{angles, at_infinity, check_widths, kernel_rows, on_circle};
use fovea_sim::mlp::{Examples, Parametrisation, Shape};
use fovea_theory::rates::contraction::factor;
use fovea_theory::rates::gradient_norm::gradient_norm;

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
        /// Networks at each width and depth.
        nets: usize = 40, between(4.0, 1e5), "networks";
    }
}

impl Params for LearningRateLimit {
    fn check(&self) -> Result<(), ParamError> {
        check_widths(&self.width, 4)?;
        let what = format!("`layers` is {:?}", self.layers);
        check_widths(&self.layers, 3)
            .map_err(|_| refused(what, "give at least 3 depths, each once"))?;
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
/// Halvings of the interval in which the largest rate is sought.
const HALVINGS: usize = 14;
/// Steps of the linear model.
const STEPS: usize = 10;

/// Critical ReLU networks in the standard parametrisation.
fn wide(width: usize) -> Shape {
    let parametrisation = Parametrisation::Standard;
    Shape { parametrisation, ..hidden(N_IN, &RELU, 2.0, width, DEPTH) }
}

/// A network by shape and name, the inputs it is trained on, and the error at the start.
type Place<'a> = (&'a (Shape, String), &'a [f64], f64);

/// What kinks add to the limit times the squared gradient at an error of 1.
fn kinks(width: f64) -> f64 {
    1.0 / (std::f64::consts::PI * width.sqrt())
}

/// The results of one network.
#[derive(Clone, Copy)]
struct Limit {
    /// The largest rate.
    rate: f64,
    /// The top eigenvalue of the kernel over the number of examples.
    top: f64,
    /// The squared gradient on the first example.
    square: f64,
}

/// What was found, one row per network.
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

/// The factor by which the slowest error of a linear model shrinks per step.
fn slowest(lr: f64) -> f64 {
    let mut mlp = linear(2).draw(&Streams::new(0));
    mlp.layers[0].weights.fill(0.0);
    let [a, b] = EIGENVALUES.map(f64::sqrt);
    // Two inputs at right angles, both errors 1; the loss is a mean over two.
    let set = Examples::new(2, vec![a, 0.0, 0.0, b], vec![-1.0, -1.0]);
    let errors: Vec<Vec<f64>> =
        (0..=STEPS).map(|_| mlp.descend(&set, 2.0 * lr, &[1.0]).errors).collect();
    let one = |i: usize| libm::pow((errors[STEPS][i] / errors[0][i]).abs(), 1.0 / STEPS as f64);
    one(0).max(one(1))
}

impl LearningRateLimit {
    fn deep(&self, layers: usize) -> Shape {
        hidden(N_IN, &RELU, 2.0, self.deep_width, layers)
    }

    /// tanh networks on several examples.
    fn smooth(&self) -> Shape {
        hidden(fovea_desk::depth::N_IN, &TANH, 1.0, self.deep_width, DEPTH)
    }

    /// The mean squared gradient at each width.
    fn predicted(&self) -> Vec<f64> {
        self.width.iter().map(|n| gradient_norm(N_IN, N_IN as f64, &[*n; DEPTH])).collect()
    }

    /// The mean squared gradient at each depth.
    fn predicted_deep(&self) -> Vec<f64> {
        self.layers.iter().map(|l| 2.0 * (*l as f64 + 1.0)).collect()
    }

    /// Seeks the largest rate, from errors along the top eigenvector of the kernel whose root mean square is that of `error`.
    fn largest(&self, index: u64, place: &Place<'_>, desk: &Desk<'_>) -> Result<Limit, LabError> {
        let ((shape, part), x, error) = *place;
        let start = shape.draw(&desk.streams().part(part).replica(index));
        let m = x.len() / shape.n_in;
        let outputs = start.forward(x).outputs().to_vec();
        let rates = shape.rates();
        let mut set = Examples::new(m, x.to_vec(), outputs);
        let kernel = eigen(&kernel_rows(&start, &set, &rates))?;
        let root = error * (m as f64).sqrt();
        for (y, v) in set.y.iter_mut().zip(&kernel.vectors[0]) {
            *y -= root * v;
        }
        let falls = |lr: f64| {
            let mut mlp = start.clone();
            let mut last = f64::INFINITY;
            (0..=self.steps).all(|_| {
                let step = mlp.descend(&set, lr, &rates);
                let size = norm(&step.errors);
                let fell = step.taken && size < last || size < 1e-12 * error.abs();
                last = size;
                fell
            })
        };
        let top = kernel.most() / m as f64;
        let (mut low, mut high) = (0.0, 8.0 / top);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            *(if falls(middle) { &mut low } else { &mut high }) = middle;
        }
        let square = start.tangent(&start.forward(&x[..shape.n_in]), 0)[0];
        Ok(Limit { rate: 0.5 * (low + high), top, square })
    }

    fn claims(&self, found: &Found) -> Result<Vec<Claim>, LabError> {
        let factors = found.factors.iter().map(|[lr, measured]| {
            (*measured, [factor(&EIGENVALUES, *lr), 1.0 - lr * EIGENVALUES[0]])
        });
        let what = "factor by which the slowest error of a linear model shrinks per step, and max |1 - lr lambda|";
        let wrong = "1 - lr lambda_min, as printed";
        let shrinking = told_apart_exactly("T04.2/factor", what, wrong, factors, 1e-12);
        let predicted = self.predicted();
        // The printed rate, one over the root of the width, through the first of the widths.
        let root = |i: usize| (self.width[i] as f64 / self.width[0] as f64).sqrt();
        let widths = columns(&found.inverse)?.into_iter().enumerate();
        let widths = widths.map(|(i, e)| (e, [predicted[i], predicted[0] * root(i)]));
        let what = "two over the largest rate in the standard parametrisation, mean over networks at every width, and the mean squared gradient";
        let wrong = "the root of the width, as printed";
        let width = told_apart("T04.5/weights", what, wrong, &widths.collect::<Vec<_>>());
        let predicted = self.predicted_deep();
        let depths = columns(&found.inverse_deep)?.into_iter().zip(&predicted);
        let depths = depths.map(|(e, value)| (e, [*value, predicted[0]]));
        let what = "two over the largest rate in the NTK parametrisation, mean over networks at every depth, and twice the number of weight layers";
        let wrong = "no dependence on the depth";
        let depth = told_apart("T04.6/rate", what, wrong, &depths.collect::<Vec<_>>());
        // Small errors at any width, but for what the curvature of a network adds: still predictions with their standard errors.
        let [width, depth] = [width, depth].map(|claim| Claim { as_stated: true, ..claim });
        Ok(vec![shrinking, width, depth, self.several(found), self.wide_limit(found)?])
    }

    /// Several examples: the top of the kernel decides, network by network.
    fn several(&self, found: &Found) -> Claim {
        let (of_top, of_one): (Vec<f64>, Vec<f64>) =
            found.examples.iter().map(|at| (at.rate * at.top, at.rate * at.square)).unzip();
        let two = vec![2.0; of_top.len()];
        let what = format!(
            "largest rate times the top of the kernel on {} examples over their number, every tanh network, errors of {} at the start",
            self.examples, self.error
        );
        // What the curvature of a network adds is of the order of the error: about one of it at the widths of the settings, more in narrow ones.
        let claim = Claim::exact("T04.8", what, &two, &of_top, self.error);
        let claim = claim.rejecting_exact("the squared gradient on one example", &two, &of_one);
        Claim { as_stated: true, ..claim }
    }

    /// Errors of 1: above 2 by the kinks of the activation, and by one over the width.
    fn wide_limit(&self, found: &Found) -> Result<Claim, LabError> {
        let what = "largest rate times the squared gradient at errors of 1, less what kinks add, extrapolated to infinite width";
        let sizes: Vec<f64> = self.width.iter().map(|n| *n as f64).collect();
        let less = |net: &Vec<f64>| net.iter().zip(&sizes).map(|(x, n)| x - kinks(*n)).collect();
        let smooth = columns(&found.products.iter().map(less).collect::<Vec<_>>())?;
        let wrong = "kinks that add as much at every width as in the narrowest network";
        let narrowest = sizes.iter().copied().fold(f64::INFINITY, f64::min);
        let limits = [2.0, 2.0 + kinks(narrowest)];
        let claim = at_infinity("learning-rate-limit", what, wrong, (&sizes, &smooth), limits);
        Ok(claim.only_as_stated())
    }

    fn table(&self, found: &Found) -> Result<Table, LabError> {
        let (inverse, products) = (columns(&found.inverse)?, columns(&found.products)?);
        let (predicted, rows) = (self.predicted(), (0..self.width.len()).collect::<Vec<_>>());
        Ok(Table::of("largest_rates", &rows)
            .whole("width", |i| self.width[*i])
            .real("squared_gradient", 5, |i| predicted[*i])
            .estimate("two_over_rate", 5, |i| inverse[*i])
            .real("with_kinks", 5, |i| 2.0 + kinks(self.width[*i] as f64))
            .estimate("rate_times_square", 5, |i| products[*i])
            .caption(
                "The largest learning rate in the standard parametrisation, one row per width. At small errors: the mean squared \
                 gradient, compared with two over the rate. At errors of 1: two and what kinks add, compared with the rate times \
                 the squared gradient.",
            ))
    }

    fn figure(&self, found: &Found) -> Result<Figure, LabError> {
        let inverse = || Axis::new("two over the largest rate");
        let fine = ladder(&[0.0, 2.0 / EIGENVALUES[1]], 100);
        let measured = found.factors.iter().copied().collect();
        let predicted = along(&fine, |lr| factor(&EIGENVALUES, lr));
        let printed = along(&fine, |lr| 1.0 - lr * EIGENVALUES[0]);
        let y = Axis::new("factor per step").range(0.0, 1.05);
        let linear = measured_with_theory("Linear model", "learning rate", y, measured, predicted)
            .with(printed.line("as printed", Style::guide()));
        let (n, predicted) = (&self.width, self.predicted());
        let printed = along(n, |width| predicted[0] * (width / n[0] as f64).sqrt());
        let (measured, predicted) = (means_at(n, &found.inverse)?, xy(n, predicted));
        let (title, y) = ("Against the width: $E|\\nabla z|^2$", inverse().log());
        let wide = measured_with_theory(title, width_axis(), y, measured, predicted)
            .with(printed.line("as printed", Style::guide()));
        let (measured, above) = (means_at(n, &found.products)?, along(n, |n| 2.0 + kinks(n)));
        let (title, y) = ("An error of 1: $2+1/(\\pi\\sqrt{n})$", "$\\gamma|\\nabla z|^2$");
        let large =
            measured_with_theory(title, width_axis(), y, measured, above).with(guide_at_y(2.0, ""));
        let measured = means_at(&self.layers, &found.inverse_deep)?;
        let predicted = xy(&self.layers, self.predicted_deep());
        let (title, y) = ("Against the depth: $2(L+1)$", inverse().from(0.0));
        let deep = measured_with_theory(title, "hidden layers $L$", y, measured, predicted);
        let title = "The largest learning rate is two over the top of the tangent kernel";
        let subtitle = format!("{} networks at each width and depth", self.nets);
        let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
        Ok(grid(figure, (2, 880.0, 0.62), [linear, wide, large, deep]))
    }
}

impl Experiment for LearningRateLimit {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "How large a learning rate may be",
        lead: "Two over the top eigenvalue of the tangent kernel, which grows with the width or the depth as the parametrisation says.",
        caption: CAPTION,
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
        let sets = [
            (&wide[..], &one, self.error),
            (&wide, &one, 1.0),
            (&wide, &one, -1.0),
            (&deep, &one, self.error),
            (&smooth, &several, self.error),
        ];
        let places: Vec<Place<'_>> = sets
            .into_iter()
            .flat_map(|(shapes, x, error)| shapes.iter().map(move |shape| (shape, &x[..], error)))
            .collect();
        let all: Vec<(u64, &Place<'_>)> =
            (0..self.nets as u64).flat_map(|i| places.iter().map(move |at| (i, at))).collect();
        let all = desk.try_fleet(&all, |(index, place)| self.largest(*index, place, desk))?;
        let rates = (1..=24).map(|i| 2.0 / EIGENVALUES[1] * f64::from(i) / 24.5);
        let factors = rates.map(|lr| [lr, slowest(lr)]).collect();
        let mut found = Found { factors, ..Found::default() };
        for net in all.chunks(places.len()) {
            let [small, large, other] =
                [0, 1, 2].map(|k| &net[k * wide.len()..(k + 1) * wide.len()]);
            let (deep, rest) = net[3 * wide.len()..].split_at(deep.len());
            found.inverse.push(small.iter().map(|at| 2.0 / at.rate).collect());
            // What the first output has to do with the limit changes sign with the error, and drops out of the mean of both.
            let both = large.iter().zip(other).map(|(a, b)| 0.5 * (a.rate + b.rate) * a.top);
            // Where all units of a layer are off no rate is too large, and the product with the others of its index is left out.
            found.products.push(both.collect::<Vec<_>>());
            found.inverse_deep.push(deep.iter().map(|at| 2.0 / at.rate).collect());
            found.examples.extend(rest);
        }
        found.products.retain(|net| net.iter().all(|x| x.is_finite()));
        Ok(found)
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let arrays = vec![
            Array::of_rows("two_over_rate_by_width", &found.inverse),
            Array::of_rows("two_over_rate_by_depth", &found.inverse_deep),
            Array::of_rows("products", &found.products),
        ];
        let (claims, tables) = (self.claims(found)?, vec![self.table(found)?]);
        let figures = vec![("learning-rate-limit", self.figure(found)?)];
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// What the figure shows, for a reader.
const CAPTION: &str = "Points are measured, with two standard errors where these can be seen; dashed lines are theory. (a) Factor by which the slowest error of a linear model shrinks per step, against the learning rate: $\\max_i|1-\\gamma\\lambda_i|$, and, dotted, the printed $1-\\gamma\\lambda_{\\min}$. (b) Two over the largest rate at which a small error on one example falls at every step, for ReLU networks in the standard parametrisation, \
    against the width: mean over networks, and the mean squared gradient; dotted, the root of the width, as printed. (c) The largest rate times the squared gradient of each network where the error at the start is 1: above 2 (dotted) by the units that a step turns off, which is the line, and by one over the width. (d) As (b), against the depth in the NTK parametrisation.";

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<LearningRateLimit>(
    "learning-rate-limit",
    "the largest learning rate by width and depth, and how fast errors shrink below it",
    include_str!("learning_rate_limit.rs"),
);
