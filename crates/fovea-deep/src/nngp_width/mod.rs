//! How does a network become a Gaussian process as its width grows?
//!
//! Given the hidden layer the outputs are Gaussian with a covariance `Khat` that differs from network to network (T03.3): `E[z_a z_b Khat] = E[Khat^2]`, where one that is the same in all would leave `K E[Khat]`. Its mean is
//! the covariance of the limit at every width, but the law of the outputs is not that of the limit: the characteristic function is `(E exp(-xi^2 C_w s^2/2n))^n`, exactly, and lies above that of the Gaussian by `1/n` (T03.9), as the
//! fourth moment does (T03.6). The distribution function `E Phi(z/sqrt(Khat))` lies off by `(Var Khat/8K^2) phi'''` to first order, which is largest at `z^2 = (3 - sqrt(6)) K`: the distance of Kolmogorov and Smirnov in the limit (T03.1).
//! Means over drawn networks off these numbers, or a distance that falls at another rate, would falsify it; at the smallest width the Gaussian itself must be rejected (T03.1, T03.2).

mod figure;
mod measure;

use fovea_core::agree::extrapolate;
use fovea_core::special::normal_pdf;
use fovea_desk::depth::{drawn, holds};
use fovea_desk::prelude::*;
use fovea_sim::mlp::Shape;
use fovea_theory::layer::Layer;
use fovea_theory::nngp::covariance::covariance;
use fovea_theory::nngp::variance::scaled_variance;
use measure::At;

params! {
    /// Settings of `nngp-width`.
    pub struct NngpWidth {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::relu::ENTRY), any(), "";
        /// Variance of a weight times the number of inputs of its layer.
        c_w: f64 = 2.0, finite_above(0.0), "";
        /// Widths of the hidden layer.
        width: Vec<usize> = vec![1, 2, 4, 8, 16, 32, 64, 128, 256], between(1.0, 4096.0), "units";
        /// Networks drawn at each width.
        nets: usize = 200_000, between(100.0, 1e8), "networks";
        /// Frequencies of the characteristic function.
        xi: Vec<f64> = vec![0.5, 1.0, 2.0], finite_above(0.0), "";
    }
}

impl Params for NngpWidth {
    fn check(&self) -> Result<(), ParamError> {
        self.width.iter().try_for_each(|n| holds(&self.shape(*n), X.len()))?;
        drawn(self.nets, 3 + PAIRS.len())
    }
}

/// Three inputs of two entries; the first has the characteristic function.
const X: [[f64; 2]; 3] = [[1.0, 0.0], [0.6, 0.8], [-0.3, 1.1]];

/// Pairs of inputs.
const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

/// The first order in one over the width is compared from this width on.
const WIDE: usize = 32;

/// Where the distance is largest, in standard deviations, and the third derivative of the normal density there.
fn furthest() -> (f64, f64) {
    let x = (3.0 - 6.0_f64.sqrt()).sqrt();
    (x, (3.0 * x - x * x * x) * normal_pdf(x))
}

impl NngpWidth {
    fn layer(&self) -> Layer {
        Layer::new(&self.activation, self.c_w, 0.0)
    }

    fn shape(&self, width: usize) -> Shape {
        Shape {
            n_in: 2,
            widths: vec![width],
            activation: self.activation.clone(),
            c_w: self.c_w,
            ..Shape::default()
        }
    }

    /// The width times the distance from the limit, to first order.
    fn first_order(&self) -> Result<f64, LabError> {
        let k = self.layer().next(self.k())?;
        Ok(scaled_variance(&self.layer(), self.k())? / (8.0 * k * k) * furthest().1)
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
        let what = "characteristic function of an output at every width, drawn networks";
        let law =
            Claim::family("T03.9", what, &pairs).rejecting("the Gaussian of the limit", &gaussian);
        let covariances =
            Claim::family("T03.3", "covariances of outputs at three inputs, every width", &second)
                .rejecting("one covariance for all pairs", &diagonal);
        let zero = |f: fn(&At) -> &Vec<Estimate>| -> Vec<(Estimate, f64)> {
            all.iter().flat_map(|at| f(at).iter().map(|e| (*e, 0.0))).collect()
        };
        let what = "mean of (z_a z_b - Khat) Khat at three inputs, every width: Khat is the covariance given the hidden layer";
        let given = Claim::family("T03.3", what, &zero(|at| &at.given))
            .rejecting("the covariance of the limit in every network", &zero(|at| &at.not_given));
        let gap = |n: usize| Ok(self.exact(self.xi[0], n)? - self.limit(self.xi[0])?);
        let far = [256, 512, 1024, 2048].into_iter();
        let gaps = far.map(gap).collect::<Result<Vec<f64>, LabError>>()?;
        let slopes: Vec<f64> =
            gaps.windows(2).map(|w| libm::log(w[1] / w[0]) / libm::log(2.0)).collect();
        let what = "rate at which the exact law approaches the limit, widths 256 to 2048";
        let rate = Claim::exact("T03.9", what, &[-1.0; 3], &slopes, 1e-2).rejecting_exact(
            "one over the root of the width",
            &[-0.5; 3],
            &slopes,
        );
        Ok(vec![law, covariances, given, self.distance(all)?, rate])
    }

    /// The distance from the Gaussian times the width, extrapolated to infinite width.
    fn distance(&self, all: &[At]) -> Result<Claim, LabError> {
        let what = "width times the distance of the distribution function from the limit, extrapolated to infinite width";
        let predicted = self.first_order()?;
        let (mut sizes, mut means) = (Vec::new(), Vec::new());
        for (width, at) in self.width.iter().zip(all).filter(|(width, _)| **width >= WIDE) {
            sizes.push(*width as f64);
            means.push(Estimate::combination(&[(*width as f64, at.off)])?);
        }
        Ok(match extrapolate(&sizes, &means, 1.0) {
            Ok(value) => Claim::family("T03.1", what, &[(value, predicted)])
                .rejecting("twice as far", &[(value, 2.0 * predicted)]),
            Err(error) => {
                let why = format!("no line in one over the width from {WIDE} units on: {error}");
                Claim::undecided("T03.1", what, predicted, why)
            }
        })
    }

    fn table(&self, all: &[At]) -> Result<Vec<String>, LabError> {
        let mut rows = Vec::new();
        for (width, at) in self.width.iter().zip(all) {
            for (xi, drawn) in self.xi.iter().zip(&at.cosines) {
                let (exact, limit) = (self.exact(*xi, *width)?, self.limit(*xi)?);
                rows.push(row(width.to_string(), &[*xi, exact, drawn.mean(), drawn.se(), limit]));
            }
        }
        Ok(table(&["width", "xi", "exact", "drawn", "std err", "limit"], rows))
    }
}

impl Experiment for NngpWidth {
    type Found<'r> = Vec<At>;

    const WORDS: Words<'static> = Words {
        title: "A network becomes a Gaussian process",
        lead: "With one hidden layer the covariance is that of the limit at every width, and the law approaches it as one over the width.",
        caption: figure::CAPTION,
        formulas: &[
            r"E e^{i\xi z}=E\,e^{-\xi^2\hat K/2}=\Big(E\,e^{-\xi^2C_ws(u)^2/2n}\Big)^n\to e^{-\xi^2K/2}",
            r"\sup_z|P(z_0<z)-\Phi|\to\frac{\mathrm{Var}\,\hat K}{8K^2}\max|\phi'''|,\qquad E[z_az_b\hat K_{ab}]=E[\hat K_{ab}^2]",
            r"K_{ab}=C_wE[s(u_a)s(u_b)],\qquad (u_a,u_b)\sim N\Big(0,\frac{C_w}{n_0}x_a\cdot x_b\Big)",
        ],
    };

    fn quick() -> Self {
        Self { width: vec![1, 8, 32, 64, 128, 256], nets: 20_000, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        (self.width.len() * self.nets) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Vec<At>, LabError> {
        self.width.iter().map(|width| self.at(*width, desk)).collect()
    }

    fn show(&self, _: &Runs, all: &Vec<At>) -> Result<Shown, LabError> {
        let row = |at: &At| at.cosines.iter().map(Estimate::mean).collect();
        let rows: Vec<Vec<f64>> = all.iter().map(row).collect();
        let arrays = vec![Array::of_rows("cosines", &rows)];
        let (claims, summary) = (self.claims(all)?, self.table(all)?);
        let figures = vec![("nngp-width", self.figure(all)?)];
        Ok(Shown { arrays, claims, figures, summary, ..Shown::default() })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<NngpWidth>(
    "nngp-width",
    "law of the outputs of networks against their width, beside the Gaussian process of the limit",
    "How does a network become a Gaussian process as its width grows? Its covariance is that of the limit at every width, its characteristic function lies off by 1/n (T03.9). \
     Means over drawn networks off the exact values, or another rate, would falsify it; at the smallest width the Gaussian must be rejected.",
);
