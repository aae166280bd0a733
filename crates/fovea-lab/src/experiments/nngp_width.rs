//! How does a network become a Gaussian process as its width grows?
//!
//! The outputs of a network with one hidden layer have the covariance of the limit at every width (T03.3), but not its law: the characteristic function of an output is `(E exp(-xi^2 C_w s^2/2n))^n`, exactly, and
//! lies above that of the Gaussian by `1/n` (T03.9), as the fourth moment does (T03.6). Means over drawn networks off these numbers, or a distance that falls at another rate, would falsify
//! it; at the smallest width the Gaussian itself must be rejected (T03.1, T03.2).

use super::{Experiment, Row};
use crate::bench::Bench;
use crate::claim::Claim;
use crate::error::LabError;
use crate::figure::{Axis, Figure, Mark, Panel, Style};
use crate::outcome::{Array, Outcome, Series, Status};
use crate::present::{Words, aligned, report};
use fovea_core::params::{any, between, finite_above};
use fovea_core::stats::Estimate;
use fovea_core::{Function, Params, activation, params};
use fovea_sim::Watch;
use fovea_sim::mlp::Shape;
use fovea_theory::layer::Layer;
use fovea_theory::nngp::covariance::covariance;

params! {
    /// Settings of `nngp-width`.
    pub struct NngpWidth {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::relu::ENTRY), any(), "";
        /// Variance of a weight times the number of inputs of its layer.
        c_w: f64 = 2.0, finite_above(0.0), "";
        /// Widths of the hidden layer.
        width: Vec<usize> = vec![1, 2, 4, 8, 16, 32, 64], between(1.0, 4096.0), "units";
        /// Networks drawn at each width.
        nets: usize = 200_000, between(100.0, 1e8), "networks";
        /// Frequencies of the characteristic function.
        xi: Vec<f64> = vec![0.5, 1.0, 2.0], finite_above(0.0), "";
    }
}

impl Params for NngpWidth {}

const CAPTION: &str = "(a) Characteristic function of an output at three frequencies against the width of the hidden layer. Points: mean of $\\cos\\xi z$ over drawn networks with two standard errors. Lines: the exact value. Dotted: the Gaussian of the limit. \
    (b) Distance of the exact value from the limit, which falls as one over the width. (c) Covariances of the outputs at three inputs over those of the limit, which are the same at every width.";

const WORDS: Words<'static> = Words {
    title: "A network becomes a Gaussian process",
    lead: "With one hidden layer the covariance is that of the limit at every width, and the law approaches it as one over the width.",
    caption: CAPTION,
    formulas: &[
        r"E e^{i\xi z}=E\,e^{-\xi^2\hat K/2}=\Big(E\,e^{-\xi^2C_ws(u)^2/2n}\Big)^n\to e^{-\xi^2K/2}",
        r"K_{ab}=C_wE[s(u_a)s(u_b)],\qquad (u_a,u_b)\sim N\Big(0,\frac{C_w}{n_0}x_a\cdot x_b\Big)",
    ],
};

/// Three inputs of two entries; the first has the characteristic function.
const X: [[f64; 2]; 3] = [[1.0, 0.0], [0.6, 0.8], [-0.3, 1.1]];

/// Means over the networks of one width.
struct At {
    cosines: Vec<Estimate>,
    /// Products of outputs, over pairs in the order 00, 01, 02, 11, 12, 22.
    products: Vec<Estimate>,
}

impl NngpWidth {
    fn layer(&self) -> Layer {
        Layer::new(&self.activation, self.c_w, 0.0)
    }

    /// Variance of the hidden preactivation at the first input.
    fn k(&self) -> f64 {
        0.5 * self.c_w
    }

    /// `E exp(i xi z)` at one width.
    fn exact(&self, xi: f64, width: usize) -> Result<f64, LabError> {
        let n = width as f64;
        let s = &self.activation;
        let factor = self.layer().averages.average(self.k(), |u| {
            libm::exp(-0.5 * xi * xi * self.c_w * s.value(u) * s.value(u) / n)
        })?;
        Ok(libm::pow(factor, n))
    }

    fn limit(&self, xi: f64) -> Result<f64, LabError> {
        Ok(libm::exp(-0.5 * xi * xi * self.layer().next(self.k())?))
    }

    fn at(&self, width: usize, bench: &Bench<'_>) -> Result<Option<At>, LabError> {
        let shape = Shape {
            n_in: 2,
            widths: vec![width],
            activation: self.activation.clone(),
            c_w: self.c_w,
            ..Shape::default()
        };
        let streams = bench.streams().part(&format!("width {width}"));
        let jobs: Vec<u64> = (0..self.nets as u64).collect();
        let rows = bench.fleet(&jobs, |index| {
            if bench.stopped() {
                return [0.0; 3];
            }
            let pass = shape.draw(&streams.replica(*index)).forward(X.as_flattened());
            let z = pass.outputs();
            [z[0], z[1], z[2]]
        });
        bench.stepped();
        if bench.stopped() {
            return Ok(None);
        }
        let mean = |f: &dyn Fn(&[f64; 3]) -> f64| {
            Estimate::from_samples(&rows.iter().map(f).collect::<Vec<_>>())
        };
        let cosines = self.xi.iter().map(|xi| mean(&|z| libm::cos(xi * z[0])));
        let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
        let products = pairs.iter().map(|(a, b)| mean(&|z| z[*a] * z[*b]));
        Ok(Some(At {
            cosines: cosines.collect::<Result<Vec<_>, _>>()?,
            products: products.collect::<Result<Vec<_>, _>>()?,
        }))
    }

    /// Covariances of the limit, in the order of [`At::products`].
    fn covariances(&self) -> Result<Vec<f64>, LabError> {
        let x: Vec<Vec<f64>> = X.iter().map(|row| row.to_vec()).collect();
        let k = covariance(&self.layer(), &x, 1)?;
        Ok(vec![k[0][0], k[0][1], k[0][2], k[1][1], k[1][2], k[2][2]])
    }

    fn claims(&self, all: &[At]) -> Result<Vec<Claim>, LabError> {
        let (mut pairs, mut gaussian, mut second, mut diagonal) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let exact = self.covariances()?;
        for (width, at) in self.width.iter().zip(all) {
            for (xi, drawn) in self.xi.iter().zip(&at.cosines) {
                pairs.push((*drawn, self.exact(*xi, *width)?));
                gaussian.push((*drawn, self.limit(*xi)?));
            }
            second.extend(at.products.iter().copied().zip(exact.iter().copied()));
            diagonal.extend(at.products.iter().map(|drawn| (*drawn, exact[0])));
        }
        let law = Claim::family(
            "T03.9",
            "characteristic function of an output at every width, drawn networks",
            &pairs,
        )
        .rejecting("the Gaussian of the limit", &gaussian);
        let covariances =
            Claim::family("T03.3", "covariances of outputs at three inputs, every width", &second)
                .rejecting("one covariance for all pairs", &diagonal);
        let far = [256, 512, 1024, 2048];
        let gaps = far
            .iter()
            .map(|n| Ok(self.exact(self.xi[0], *n)? - self.limit(self.xi[0])?))
            .collect::<Result<Vec<f64>, LabError>>()?;
        let slopes: Vec<f64> =
            gaps.windows(2).map(|w| libm::log(w[1] / w[0]) / libm::log(2.0)).collect();
        let rate = Claim::exact(
            "T03.9",
            "rate at which the exact law approaches the limit, widths 256 to 2048",
            &[-1.0; 3],
            &slopes,
            1e-2,
        )
        .rejecting_exact("one over the root of the width", &[-0.5; 3], &slopes);
        Ok(vec![law, covariances, rate])
    }

    fn table(&self, all: &[At]) -> Result<Vec<String>, LabError> {
        let mut rows =
            vec![["width", "xi", "exact", "drawn", "std err", "limit"].map(str::to_owned).to_vec()];
        for (width, at) in self.width.iter().zip(all) {
            for (xi, drawn) in self.xi.iter().zip(&at.cosines) {
                let numbers =
                    [*xi, self.exact(*xi, *width)?, drawn.mean(), drawn.se(), self.limit(*xi)?];
                rows.push(
                    [width.to_string()]
                        .into_iter()
                        .chain(numbers.map(|x| format!("{x:.5}")))
                        .collect(),
                );
            }
        }
        Ok(aligned(&rows))
    }

    fn figure(&self, all: &[At]) -> Result<Figure, LabError> {
        let x: Vec<f64> = self.width.iter().map(|n| *n as f64).collect();
        let width = || Axis::new("width $n$").log();
        let mut first = Panel::new("Characteristic function", width(), Axis::new("$E\\cos\\xi z$"));
        let mut second =
            Panel::new("Distance from the limit", width(), Axis::new("exact less limit").log());
        for (i, xi) in self.xi.iter().enumerate() {
            let style = Style::series(i);
            let limit = self.limit(*xi)?;
            let exact = self
                .width
                .iter()
                .map(|n| self.exact(*xi, *n))
                .collect::<Result<Vec<f64>, LabError>>()?;
            let (means, errors): (Vec<f64>, Vec<f64>) =
                all.iter().map(|at| (at.cosines[i].mean(), 2.0 * at.cosines[i].se())).unzip();
            first = first
                .with(Mark::Horizontal { at: limit, label: String::new(), style: Style::guide() })
                .with(Mark::line(&x, &exact, format!("$\\xi$ = {xi}"), style))
                .with(Mark::measured(&x, &means, &errors, "", style));
            let gaps: Vec<f64> = exact.iter().map(|value| value - limit).collect();
            second = second.with(Mark::line(&x, &gaps, "", style));
        }
        let guide: Vec<f64> = x.iter().map(|n| 0.1 / n).collect();
        second = second.with(Mark::line(&x, &guide, "$1/n$", Style::guide()));
        let exact = self.covariances()?;
        let mut third = Panel::new("Covariances", width(), Axis::new("over the limit"))
            .with(Mark::Horizontal { at: 1.0, label: String::new(), style: Style::guide() });
        for (i, (name, pair)) in
            [("$z_0z_0$", 0), ("$z_0z_1$", 1), ("$z_1z_2$", 4)].into_iter().enumerate()
        {
            let (means, errors): (Vec<f64>, Vec<f64>) = all
                .iter()
                .map(|at| {
                    (
                        at.products[pair].mean() / exact[pair],
                        2.0 * at.products[pair].se() / exact[pair].abs(),
                    )
                })
                .unzip();
            third = third.with(Mark::measured(&x, &means, &errors, name, Style::series(3 + i)));
        }
        Ok(Figure::new(format!(
            "Outputs of {} networks approach a Gaussian as one over the width",
            self.activation.name()
        ))
        .subtitle(format!("one hidden layer, {} networks at each width", self.nets))
        .columns(3)
        .width(1000.0)
        .aspect(0.85)
        .description(CAPTION)
        .panel(first)
        .panel(second)
        .panel(third))
    }
}

impl Experiment for NngpWidth {
    fn quick() -> Self {
        Self { width: vec![1, 4, 16], nets: 20_000, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        bench.progress.expect(self.width.len() as u64);
        let mut all = Vec::new();
        for width in &self.width {
            all.extend(self.at(*width, bench)?);
        }
        let completed = all.len() == self.width.len();
        let (mut claims, mut figures, mut summary) = (Vec::new(), Vec::new(), Vec::new());
        if completed {
            claims = self.claims(&all)?;
            figures = vec![("nngp-width", self.figure(&all)?)];
            summary = self.table(&all)?;
        }
        let rows: Vec<Vec<f64>> =
            all.iter().map(|at| at.cosines.iter().map(Estimate::mean).collect()).collect();
        let arrays = vec![Array::of_rows("cosines", &rows)];
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let status = if completed { Status::Completed } else { Status::Interrupted };
        let series = Series::default();
        Ok(Outcome { status, dtype: "f64", series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<NngpWidth>(
    "nngp-width",
    "law of the outputs of networks against their width, beside the Gaussian process of the limit",
    "How does a network become a Gaussian process as its width grows? Its covariance is that of the limit at every width, its characteristic function lies off by 1/n (T03.9). \
     Means over drawn networks off the exact values, or another rate, would falsify it; at the smallest width the Gaussian must be rejected.",
);
