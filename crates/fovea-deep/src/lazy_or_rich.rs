//! Which networks learn features as they become wide, and which become kernel regression?
//!
//! One hidden layer, trained for the same number of steps. In the NTK parametrisation the weights of a unit move by `n^(-1/2)` and the kernel by `1/n` (T05.2): lazy. In the mean-field parametrisation and in muP, with rates by layer,
//! both move as much at every width (T05.3): rich. In the standard parametrisation with one rate, `1/n` for stability, the last layer learns alone: weights of the first move by `n^(-3/2)`, the kernel by `n^(-2)`.
//! The correction of finite widths, in one over the width, is fitted with the exponent. Exponents other than these would falsify it; for each the exponent of the other regime must be rejected.

use fovea_desk::depth::{N_IN, hidden, trains};
use fovea_desk::prelude::*;
use fovea_desk::widths::{
    angles, by_width, check_widths, condition, descend, distance, kernel_rows, limiting_exponent,
    on_circle,
};
use fovea_sim::mlp::{Mlp, Parametrisation, Shape};
use fovea_theory::layer::Layer;

params! {
    /// Settings of `lazy-or-rich`.
    pub struct LazyOrRich {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::tanh::ENTRY), any(), "";
        /// Widths of the hidden layer.
        width: Vec<usize> = vec![256, 512, 1024, 2048], between(2.0, 1e5), "units";
        /// Examples on a circle.
        examples: usize = 5, between(1.0, 100.0), "";
        /// Learning rate; over the width in the standard parametrisation.
        lr: f64 = 0.5, finite_above(0.0), "";
        /// Steps of full gradient descent.
        steps: usize = 300, between(1.0, 1e6), "steps";
        /// Networks trained at each width in each parametrisation.
        nets: usize = 32, between(4.0, 1e5), "networks";
    }
}

impl Params for LazyOrRich {
    fn check(&self) -> Result<(), ParamError> {
        check_widths(&self.width, 4)?;
        let most = self.width.iter().copied().max().unwrap_or(1);
        trains(&self.shape(most, Parametrisation::Ntk), self.examples)
    }
}

const CAPTION: &str = "Networks of one hidden layer trained on the same examples in four parametrisations, against their width: mean over networks with two standard errors; lines in (a) and (b) have the predicted exponents. \
    (a) How far the weights of the first layer moved, relative to their size. (b) How far the tangent kernel moved. (c) Loss at the end over the loss at the start.";

/// Parametrisation, predicted exponents of weights and kernel, and those of another regime.
type Predicted = (Parametrisation, [f64; 2], [f64; 2]);

const ARMS: [Predicted; 4] = [
    (Parametrisation::Ntk, [-0.5, -1.0], [0.0, 0.0]),
    (Parametrisation::Standard, [-1.5, -2.0], [-0.5, -1.0]),
    (Parametrisation::MeanField, [0.0, 0.0], [-0.5, -1.0]),
    (Parametrisation::Mup, [0.0, 0.0], [-0.5, -1.0]),
];

/// One parametrisation: moves of weights and kernel and the loss that is left, each by network and width.
pub type Moves = [Vec<Vec<f64>>; 3];

impl LazyOrRich {
    fn shape(&self, width: usize, parametrisation: Parametrisation) -> Shape {
        Shape { parametrisation, ..hidden(N_IN, &self.activation, 1.0, width, 1) }
    }

    fn train(
        &self,
        (parametrisation, index, width): (Parametrisation, u64, usize),
        desk: &Desk<'_>,
    ) -> Result<[f64; 3], LabError> {
        let shape = self.shape(width, parametrisation);
        let part = format!("{} {width}", parametrisation.word());
        let streams = desk.streams().part(&part).replica(index);
        let start = shape.draw(&streams);
        let (set, rates) = (on_circle(&angles(self.examples)), shape.rates());
        let one_rate = parametrisation == Parametrisation::Standard;
        let lr = if one_rate { self.lr / width as f64 } else { self.lr };
        let (mut mlp, steps) = (start.clone(), self.steps as u64);
        let taken = descend(&mut mlp, &set, (lr, &rates, steps), desk, |_, _| ())?;
        let kernel = |mlp: &Mlp| kernel_rows(mlp, &set, &rates).concat();
        let moved = |before: &[f64], after: &[f64]| distance(after, before) / norm(before);
        let left = norm(&mlp.errors(&set)) / norm(&start.errors(&set));
        let found = [
            moved(&start.layers[0].weights, &mlp.layers[0].weights),
            moved(&kernel(&start), &kernel(&mlp)),
            left * left,
        ];
        if taken == steps && found.iter().all(|x| x.is_finite()) {
            return Ok(found);
        }
        let what = format!("training diverges at a learning rate of {}", self.lr);
        Err(refused(what, "choose a smaller `lr`").into())
    }

    fn claims(&self, arms: &[Moves]) -> Result<Vec<Claim>, LabError> {
        let mut claims = Vec::new();
        for which in [[0, 1], [2, 3]] {
            let mut slopes = Vec::new();
            for (arm, k) in which.into_iter().flat_map(|arm| [(arm, 0), (arm, 1)]) {
                let slope = limiting_exponent(&self.width, &arms[arm][k])?;
                slopes.push((slope, [ARMS[arm].1[k], ARMS[arm].2[k]]));
            }
            let names = which.map(|arm| ARMS[arm].0.word()).join(" and ");
            let what = format!("exponents in the width by which weights and kernel move, {names}");
            let wrong = "the exponents of the other regime";
            claims.push(told_apart("lazy-or-rich", what, wrong, &slopes).only_as_stated());
        }
        Ok(claims)
    }

    fn tables(&self, arms: &[Moves]) -> Result<Vec<Table>, LabError> {
        let row = |(arm, predicted): (&Moves, &'static Predicted)| {
            let slope = |k: usize| limiting_exponent(&self.width, &arm[k]);
            let left = column(&arm[2], self.width.len() - 1)?;
            Ok((predicted, [slope(0)?, slope(1)?], left))
        };
        let rows = arms.iter().zip(&ARMS).map(row).collect::<Result<Vec<_>, LabError>>()?;
        let exponents = Table::of("exponents", &rows)
            .words("parametrisation", |(predicted, ..)| predicted.0.word())
            .estimate("weights", 3, |(_, slopes, _)| slopes[0])
            .real("weights_predicted", 1, |(predicted, ..)| predicted.1[0])
            .estimate("kernel", 3, |(_, slopes, _)| slopes[1])
            .real("kernel_predicted", 1, |(predicted, ..)| predicted.1[1])
            .mean("loss_left", 3, |(.., left)| *left)
            .caption(
                "Exponents in the width, at infinite width, by which the weights of the first layer and the tangent kernel move, \
                 one row per parametrisation, compared with the predicted ones; and the loss at the end over that at the start in \
                 the widest networks.",
            );
        let layer = Layer::new(&self.activation, 1.0, 0.0);
        Ok(vec![exponents, condition(&layer, self.examples, 1)?])
    }

    fn figure(&self, arms: &[Moves]) -> Result<Figure, LabError> {
        let n = &self.width;
        let panel = |title: &str, y: &str, k: usize| -> Result<Panel, LabError> {
            let compared = |(arm, (name, exponents, _)): (&Moves, &Predicted)| {
                let measured = means_at(n, &arm[k])?;
                let predicted =
                    |exponent: &f64| Compared::power_law(measured.clone(), n.len() / 2, *exponent);
                let compared = exponents.get(k).map(predicted);
                Ok((name.word(), compared.unwrap_or_else(|| measured.into())))
            };
            let all = arms.iter().zip(&ARMS).map(compared).collect::<Result<Vec<_>, LabError>>()?;
            Ok(arms_with_theory(title, width_axis(), Axis::new(y).log(), series(all)))
        };
        let panels = [
            panel("Weights of the first layer", "$|\\Delta w|/|w|$", 0)?,
            panel("Tangent kernel", "$|\\Delta K|/|K|$", 1)?,
            panel("Loss", "loss left", 2)?,
        ];
        let title = "The parametrisation decides whether wide networks move their features";
        let figure = Figure::new(title)
            .subtitle(format!("{} networks at each width, {} steps", self.nets, self.steps))
            .description(CAPTION);
        Ok(grid(figure, (3, 1040.0, 0.9), panels))
    }
}

impl Experiment for LazyOrRich {
    type Found<'r> = Vec<Moves>;

    const WORDS: Words<'static> = Words {
        title: "Lazy or rich",
        lead: "The parametrisation decides whether a wide network moves its features: not at all in the limit, or as much at every width.",
        caption: CAPTION,
        formulas: &[
            r"f=\frac1{\sqrt n}\sum_ka_ks(w_k\cdot x):\quad\frac{|\Delta w|}{|w|}\propto n^{-1/2},\ \frac{|\Delta K|}{|K|}\propto n^{-1}",
            r"f=\frac1n\sum_ka_ks(w_k\cdot x),\ \gamma\propto n:\quad\frac{|\Delta w|}{|w|},\ \frac{|\Delta K|}{|K|}\propto n^0",
        ],
    };

    fn quick() -> Self {
        Self { width: vec![32, 64, 128, 256], steps: 80, nets: 32, ..Self::default() }
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Vec<Moves>, LabError> {
        let found = by_width((self.nets, &self.width), desk, |index, width| {
            let arms = ARMS.iter().map(|arm| self.train((arm.0, index, width), desk));
            arms.collect::<Result<Vec<_>, _>>()
        })?;
        let of = |arm: usize, k: usize| {
            found.iter().map(|net| net.iter().map(|at| at[arm][k]).collect()).collect()
        };
        Ok((0..ARMS.len()).map(|arm| [0, 1, 2].map(|k| of(arm, k))).collect())
    }

    fn show(&self, _: &Runs, arms: &Vec<Moves>) -> Result<Shown, LabError> {
        let rows: Vec<Vec<f64>> = arms.iter().flat_map(|moves| moves.concat()).collect();
        let arrays = vec![Array::of_rows("moves", &rows)];
        let (claims, tables) = (self.claims(arms)?, self.tables(arms)?);
        let figures = vec![("lazy-or-rich", self.figure(arms)?)];
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<LazyOrRich>(
    "lazy-or-rich",
    "how far weights and tangent kernels move in training, by width and parametrisation",
    include_str!("lazy_or_rich.rs"),
);
