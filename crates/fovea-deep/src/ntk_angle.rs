//! How does the tangent kernel of deep ReLU networks depend on the angle of two inputs?
//!
//! At infinite width `Theta' = K' + kappa_0(r) Theta` from `Theta_1 = K_1` (T11.6): the diagonal counts the weight layers, and off it the kernel flattens to a quarter of the diagonal as the depth grows. With one hidden layer the mean kernel of
//! a network of any width is exactly this; deeper it approaches it as one over the width. Kernels of random networks with one hidden layer that differ from the recursion, at any angle, would falsify it; the covariance
//! of the outputs, which is the kernel of the last layer alone, must be rejected (T05.4).
//!
//! Regression with such a kernel needs it to be positive definite, for which distinct inputs are not enough (T12.5). Two opposite inputs make the kernel of an odd activation singular, in every network, and three opposite pairs in the plane that of ReLU. And the kernel of a network must be
//! close to its mean: the chance that the kernel of n tanh units lies `t` off is at most `2m exp(-(t^2/2)/(v + Rt/3))`; the bound as printed, without the factor and the half, is violated (T12.2).

use fovea_core::symmetric::{self, eigenvalues};
use fovea_desk::depth::{N_IN, RELU, TANH, drawn, hidden, holds, unit_inputs};
use fovea_desk::prelude::*;
use fovea_desk::widths::operator_distance;
use fovea_sim::mlp::Shape;
use fovea_theory::averages::Pair;
use fovea_theory::layer::Layer;
use fovea_theory::ntk::concentration::Args;
use fovea_theory::ntk::gram::{Part, gram};
use fovea_theory::ntk::kernel::{Kernels, kernels};
use std::f64::consts::PI;

params! {
    /// Settings of `ntk-angle`.
    pub struct NtkAngle {
        /// Hidden layers.
        layers: Vec<usize> = vec![1, 2, 4, 8], between(1.0, 100.0), "";
        /// Units in every hidden layer of random networks.
        width: usize = 128, between(1.0, 4096.0), "units";
        /// Random networks at each depth.
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

/// Widths at which kernels are compared with their mean.
const WIDTHS: [usize; 4] = [25, 50, 100, 200];
/// Distances from the mean whose frequency is counted.
const STRAYS: [f64; 3] = [0.1, 0.2, 0.3];
/// Angles of the inputs of these kernels.
const ANGLES: [f64; 4] = [0.0, 0.7, 1.5, 2.3];
/// Random networks at each of these widths, as a multiple of `nets`.
const TIMES: usize = 10;
/// Units from which the spread is estimated.
const UNITS: usize = 20_000;

/// Theory at one correlation.
fn theory(layers: usize, r: f64) -> Result<Kernels, LabError> {
    Ok(kernels(&Layer::new(&RELU, 2.0, 0.0), Pair::correlated(1.0, r), layers)?)
}

/// The kernel of orthogonal inputs over the diagonal at infinite depth, from three depths, without the terms in `(ln l)/l` and `1/l`.
fn quarter() -> Result<f64, LabError> {
    let at = |l: usize| theory(l, 0.0).map(|deep| deep.theta.ab / deep.theta.aa);
    let (a, b, c) = (at(5000)?, at(10_000)?, at(20_000)?);
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

/// Kernels by depth, and whether those of one hidden layer are positive.
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
        hidden(N_IN, &RELU, 2.0, self.width, layers)
    }

    fn arm(&self, layers: usize, desk: &Desk<'_>) -> Result<Arm, LabError> {
        // Unit variance at the first layer: |x|^2 = 1 with C_w = 2 and two entries.
        let (shape, x) = (self.shape(layers), unit_inputs(&self.turns()));
        let streams = desk.streams().part(&format!("layers {layers}"));
        let rows = desk.replicas(streams, self.nets, |streams| {
            let mlp = shape.draw(streams);
            mlp.tangent(&mlp.forward(&x), 0)[..self.angles].to_vec()
        })?;
        Ok(Arm { layers, drawn: columns(&rows)? })
    }

    fn claims(&self, Found { arms, positivity }: &Found) -> Result<Vec<Claim>, LabError> {
        let mut claims = Vec::new();
        if let Some(arm) = arms.iter().find(|arm| arm.layers == 1) {
            let mut kernels = Vec::new();
            for (angle, drawn) in self.turns().iter().zip(&arm.drawn) {
                let found = theory(1, libm::cos(*angle))?;
                kernels.push((*drawn, [found.theta.ab, found.k.ab]));
            }
            let what = "tangent kernel of one hidden ReLU layer at every angle, random networks";
            let wrong = "the covariance, the kernel of the last layer alone";
            claims.push(told_apart("ntk-angle", what, wrong, &kernels));
        }
        // kappa_0 is 1 - p/l with p = 3, so the kernel grows as l/(1 + p); where 1 - r is half as large p is less by the root of two.
        let closer = 1.0 / (1.0 + 3.0 / 2.0_f64.sqrt());
        let limit = [(quarter()?, [0.25, closer])];
        let what = "kernel of orthogonal inputs over the diagonal, extrapolated to infinite depth in (ln l)/l and 1/l";
        let wrong = "that of a correlation whose distance from 1 is half of 9 pi^2/(2 l^2)";
        claims.push(told_apart_exactly("ntk-angle", what, wrong, limit, 1e-4));
        claims.extend(positivity.claims());
        Ok(claims)
    }

    fn table(arms: &[Arm]) -> Result<Table, LabError> {
        let row = |arm: &Arm| Ok((arm.layers, theory(arm.layers, 1.0)?.theta.aa, arm.drawn[0]));
        let rows = arms.iter().map(row).collect::<Result<Vec<_>, LabError>>()?;
        Ok(Table::of("diagonal", &rows)
            .whole("hidden_layers", |row| row.0)
            .real("infinite_width", 5, |row| row.1)
            .estimate("drawn", 5, |row| row.2)
            .caption("Tangent kernel of an input with itself, one row per depth: at infinite width, compared with random networks."))
    }
}

impl Experiment for NtkAngle {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The tangent kernel against the angle",
        lead: "The tangent kernel of deep ReLU networks flattens with depth to a quarter of its diagonal; random networks agree.",
        caption: CAPTION,
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
        let figures = vec![("ntk-angle", self.figure(found)?)];
        let tables = vec![Self::table(&found.arms)?, found.positivity.table()];
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// One width: for every distance how often it is exceeded, the bound on that, and the printed bound.
struct Tail {
    width: usize,
    shares: [[f64; 3]; STRAYS.len()],
}

/// Whether kernels are positive, and how far they lie from their mean.
struct Positivity {
    /// Least eigenvalues over the trace, tanh and ReLU: of a singular set, and of one of the same size without opposite inputs.
    least: [[f64; 2]; 2],
    /// Angle of two inputs, and the least eigenvalue of the kernel of one wide tanh network over its diagonal.
    pairs: Vec<[f64; 2]>,
    tails: Vec<Tail>,
}

/// The kernel of the second layer of one network at unit inputs: standard normal first weights.
fn kernel(s: &Function, width: usize, angles: &[f64], streams: &Streams) -> Vec<Vec<f64>> {
    let pass = hidden(N_IN, s, 2.0, width, 1).draw(streams).forward(&unit_inputs(angles));
    let row = |a: usize| &pass.h[1][a * width..(a + 1) * width];
    let entry = |a: usize, b: usize| dot(row(a), row(b)) / width as f64;
    (0..angles.len()).map(|a| (0..angles.len()).map(|b| entry(a, b)).collect()).collect()
}

/// The bound as printed, without the factor 2m and without the half.
fn printed(args: &Args) -> f64 {
    let v = args.spread / args.n as f64;
    let r = args.range / args.n as f64;
    libm::exp(-args.t * args.t / (v + r * args.t / 3.0))
}

/// The least eigenvalue over the trace.
fn least(rows: &[Vec<f64>]) -> Result<f64, LabError> {
    let values = eigenvalues(rows)?;
    Ok(values[values.len() - 1] / values.iter().rev().sum::<f64>())
}

/// The norm of the mean square of a unit's kernel minus the mean: that of `|s|^2 s s^T` less the square of the mean.
fn spread(mean: &[Vec<f64>], streams: &Streams) -> Result<f64, LabError> {
    let m = mean.len();
    let mut sum = vec![vec![0.0; m]; m];
    for index in 0..UNITS as u64 {
        let unit = kernel(&TANH, 1, &ANGLES, &streams.replica(index));
        let trace: f64 = (0..m).map(|a| unit[a][a]).sum();
        for (row, unit) in sum.iter_mut().zip(&unit) {
            row.iter_mut().zip(unit).for_each(|(x, k)| *x += trace * k / UNITS as f64);
        }
    }
    let square = |a: usize, b: usize| (0..m).map(|c| mean[a][c] * mean[c][b]).sum::<f64>();
    let squared: Vec<Vec<f64>> = (0..m).map(|a| (0..m).map(|b| square(a, b)).collect()).collect();
    operator_distance(&sum, &squared)
}

impl Positivity {
    fn new(nets: usize, desk: &Desk<'_>) -> Result<Self, LabError> {
        let streams = desk.streams().part("positivity");
        let pairs: Vec<f64> = [0.3, 1.0, 1.8].iter().flat_map(|a| [*a, a + PI]).collect();
        // The same number of inputs, the second of each pair a little off.
        let apart: Vec<f64> =
            pairs.iter().enumerate().map(|(i, a)| a + 0.4 * (i % 2) as f64).collect();
        let drawn =
            |s: &Function, angles: &[f64]| least(&kernel(s, 200, angles, &streams.part(s.name())));
        let opposite = [drawn(&TANH, &[0.3, 0.3 + PI])?, drawn(&TANH, &[0.3, 0.7 + PI])?];
        let three = [drawn(&RELU, &pairs)?, drawn(&RELU, &apart)?];
        let turns = (0..=8).map(|i| PI * f64::from(i) / 8.0);
        let two = turns.map(|a| {
            let rows = kernel(&TANH, 4096, &[0.0, a], &streams.part("two"));
            Ok([a, symmetric::least(&rows)?.max(0.0) / rows[0][0]])
        });
        let two = two.collect::<Result<Vec<[f64; 2]>, LabError>>()?;
        let mean = gram(&TANH, &ANGLES, Part::Value)?;
        let spread = spread(&mean, &streams.part("units"))?;
        let tail = |width: usize| -> Result<Tail, LabError> {
            let part = streams.part(&format!("width {width}"));
            let off = desk.replicas(part, TIMES * nets, |streams| {
                operator_distance(&kernel(&TANH, width, &ANGLES, streams), &mean)
            })?;
            let off = off.into_iter().collect::<Result<Vec<f64>, _>>()?;
            let shares = STRAYS.map(|t| {
                let often = off.iter().filter(|x| **x >= t).count() as f64 / off.len() as f64;
                // A unit's kernel and the mean are both between 0 and m.
                let range = ANGLES.len() as f64;
                let args = Args { m: ANGLES.len(), n: width, range, spread, t };
                [often, args.tail(), printed(&args)]
            });
            Ok(Tail { width, shares })
        };
        let tails = WIDTHS.into_iter().map(tail).collect::<Result<_, _>>()?;
        Ok(Self { least: [opposite, three], pairs: two, tails })
    }

    fn claims(&self) -> Vec<Claim> {
        let least = self.least.map(|[singular, regular]| (1.0 + singular, [1.0, 1.0 + regular]));
        let what = "1 plus the least eigenvalue over the trace of the kernel of 200 random units: tanh on two opposite inputs, ReLU on three opposite pairs in the plane";
        let wrong = "positive for distinct inputs, as it is for the same number of inputs that are not opposite";
        let opposite = told_apart_exactly("T12.5", what, wrong, least, 1e-12);
        let shares: Vec<[f64; 3]> = self.tails.iter().flat_map(|at| at.shares).collect();
        let kept = |k: usize| {
            let holds = shares.iter().filter(|share| share[0] <= share[k]).count();
            holds as f64 / shares.len() as f64
        };
        let what = "share of widths and distances for which kernels of random tanh networks lie that far from their mean no more often than the bound allows";
        let wrong = "the printed bound, without 2m and without the half";
        let tail = Claim::exact("ntk-angle", what, &[1.0], &[kept(1)], 1e-9).rejecting_exact(
            wrong,
            &[1.0],
            &[kept(2)],
        );
        vec![opposite, tail]
    }

    fn table(&self) -> Table {
        let rows: Vec<(&Tail, usize)> =
            self.tails.iter().flat_map(|at| (0..STRAYS.len()).map(move |i| (at, i))).collect();
        Table::of("strays", &rows)
            .whole("width", |(at, _)| at.width)
            .given("distance", |(_, i)| STRAYS[*i])
            .real("how_often", 4, |(at, i)| at.shares[*i][0])
            .real("bound", 4, |(at, i)| at.shares[*i][1])
            .real("printed_bound", 4, |(at, i)| at.shares[*i][2])
            .caption(
                "How often the kernel of tanh units lies further than a distance from its mean, one row per width and distance: \
                 the share of random networks, compared with the bound and with the bound as printed.",
            )
    }
}

/// What the figure shows, for a reader.
const CAPTION: &str = "(a) Tangent kernel of two unit inputs over that of one, against their angle, for ReLU networks of several depths. Lines: infinite width. Points: mean over random networks with two standard errors; with one hidden layer \
    the mean is exact at every width, deeper the points lie off by one over the width. (b) The kernel of orthogonal inputs over the diagonal against the depth, towards a quarter. (c) Least eigenvalue of the kernel of the second layer for two unit inputs, against their angle: it vanishes where they are equal and, for tanh, where they are opposite. Lines: the mean kernel. Points: one wide tanh network. \
    (d) How often the kernel of n tanh units lies further than t from its mean, in operator norm: random networks (points), the bound (solid lines), and the printed bound, which is violated (dashed).";

impl NtkAngle {
    fn figure(&self, found: &Found) -> Result<Figure, LabError> {
        let title =
            "The tangent kernel of deep ReLU networks flattens to a quarter of its diagonal";
        let subtitle = format!(
            "{} networks of width {} at each depth; in (d) solid: the bound, dashed: as printed",
            self.nets, self.width
        );
        let Positivity { pairs, tails, .. } = &found.positivity;
        let panels =
            [self.against_angle(&found.arms)?, orthogonal()?, two_inputs(pairs)?, strays(tails)];
        let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
        Ok(grid(figure, (2, 860.0, 0.75), panels))
    }

    /// The kernel against the angle, by depth.
    fn against_angle(&self, arms: &[Arm]) -> Result<Panel, LabError> {
        let (turns, fine) = (self.turns(), ladder(&[0.0, PI], 90));
        let compared = |arm: &Arm| -> Result<_, LabError> {
            let diagonal = arm.layers as f64 + 1.0;
            let at = |a: &f64| Ok(theory(arm.layers, libm::cos(*a))?.theta.ab / diagonal);
            let theory = fine.iter().map(at).collect::<Result<Vec<f64>, LabError>>()?;
            let over = |e: &Estimate| e.scaled_and_shifted(1.0 / diagonal, 0.0);
            let drawn = arm.drawn.iter().map(over).collect::<Result<Vec<_>, _>>()?;
            let plural = if arm.layers == 1 { "layer" } else { "layers" };
            let compared =
                Compared { measured: estimates(&turns, drawn), theory: xy(&fine, theory) };
            Ok((format!("{} hidden {plural}", arm.layers), compared))
        };
        let arms = series(arms.iter().map(compared).collect::<Result<Vec<_>, _>>()?);
        Ok(arms_with_theory("Against the angle", angle(), "kernel over its diagonal", arms))
    }
}

/// The kernel of orthogonal inputs against the depth.
fn orthogonal() -> Result<Panel, LabError> {
    let depths: Vec<usize> =
        (0..=40).map(|i| libm::pow(10.0, f64::from(i) / 10.0) as usize).collect();
    let ratio = |l: &usize| Ok(theory(*l, 0.0)?.theta.ab / (*l as f64 + 1.0));
    let ratios = depths.iter().map(ratio).collect::<Result<Vec<f64>, LabError>>()?;
    let (x, y) = (Axis::new("hidden layers").log(), Axis::new("kernel over its diagonal"));
    let ratios = [unnamed(Style::theory().solid(), xy(&depths, ratios))];
    Ok(lines("Orthogonal inputs", x, y.range(0.0, 0.35), ratios).with(guide_at_y(0.25, "1/4")))
}

fn angle() -> Axis {
    Axis::new("angle").ticks_at([(0.0, "0"), (0.5 * PI, "$\\pi/2$"), (PI, "$\\pi$")])
}

/// Where two inputs make the kernel singular.
fn two_inputs(pairs: &[[f64; 2]]) -> Result<Panel, LabError> {
    let fine = ladder(&[0.0, PI], 60);
    let theory = |s: &Function| -> Result<Xy, LabError> {
        let value = |a: &f64| -> Result<f64, LabError> {
            let rows = gram(s, &[0.0, *a], Part::Value)?;
            Ok(symmetric::least(&rows)?.max(0.0) / rows[0][0])
        };
        Ok(xy(&fine, fine.iter().map(value).collect::<Result<Vec<f64>, _>>()?))
    };
    let relu = Compared { theory: theory(&RELU)?, ..Compared::default() };
    let tanh = Compared { theory: theory(&TANH)?, measured: pairs.iter().copied().collect() };
    let arms = series_from(4, [("ReLU", relu), ("tanh", tanh)]);
    let y = Axis::new("least eigenvalue over the diagonal").from(0.0);
    Ok(arms_with_theory("Two inputs", angle(), y, arms))
}

/// How often a kernel lies far from its mean.
fn strays(tails: &[Tail]) -> Panel {
    let of = |i: usize, k: usize| {
        let seen = |x: f64| if x > 1e-3 { x } else { f64::NAN };
        xy(&WIDTHS, tails.iter().map(|at| seen(at.shares[i][k])))
    };
    // Markers of their own: those of the first panel mean depths.
    let marker = |i: usize| Style::series(3 + i).marker;
    let style = |i: usize| Style { marker: marker(i), ..Style::ordered(i, STRAYS.len()) };
    let arms = STRAYS.iter().enumerate().map(|(i, t)| {
        let compared = Compared { measured: of(i, 0), theory: of(i, 1) };
        named(format!("$t$ = {t}"), style(i).solid(), compared)
    });
    let printed = (0..STRAYS.len()).map(|i| of(i, 2).line("", style(i).dash(Dash::Dashed)));
    let y = Axis::new("how often further than $t$").log().range(1e-3, 1.3);
    arms_with_theory("Distance of a kernel from its mean", width_axis(), y, arms).with_all(printed)
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<NtkAngle>(
    "ntk-angle",
    "tangent kernel of deep ReLU networks against the angle of two inputs",
    include_str!("ntk_angle.rs"),
);
