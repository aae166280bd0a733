//! How does a network become a Gaussian process as its width grows?
//!
//! Given the hidden layer the outputs are Gaussian with a covariance `Khat` that differs from network to network (T03.3): `E[z_a z_b Khat] = E[Khat^2]`, where one that is the same in all would leave `K E[Khat]`. Its mean is
//! the covariance of the limit at every width, but the distribution of the outputs is not that of the limit: the characteristic function is `(E exp(-xi^2 C_w s^2/2n))^n`, exactly, and lies above that of the Gaussian by `1/n` (T03.9), as the
//! fourth moment does (T03.6). The distribution function `E Phi(z/sqrt(Khat))` lies off by `(Var Khat/8K^2) phi'''` to first order, which is largest at `z^2 = (3 - sqrt(6)) K`: the distance of Kolmogorov and Smirnov in the limit (T03.1).
//! Means over random networks that differ from these numbers, or a distance that falls at another rate, would falsify it; at the smallest width the Gaussian itself must be rejected (T03.1, T03.2).

use fovea_core::special::{normal_cdf, normal_pdf};
use fovea_desk::depth::{drawn, hidden, holds};
use fovea_desk::prelude::*;
use fovea_desk::widths::at_infinity;
use fovea_sim::mlp::Shape;
use fovea_theory::layer::Layer;
use fovea_theory::nngp::covariance::covariance;
use fovea_theory::nngp::variance::scaled_variance;

params! {
    /// Settings of `nngp-width`.
    pub struct NngpWidth {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::relu::ENTRY), any(), "";
        /// Variance of a weight times the number of inputs of its layer.
        c_w: f64 = 2.0, finite_above(0.0), "";
        /// Widths of the hidden layer.
        width: Vec<usize> = vec![1, 2, 4, 8, 16, 32, 64, 128, 256], between(1.0, 4096.0), "units";
        /// Random networks at each width.
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

/// The first order in one over the width is tested from this width on.
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
        hidden(2, &self.activation, self.c_w, width, 1)
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
        let (mut functions, mut products) = (Vec::new(), Vec::new());
        let exact = self.covariances()?;
        for (width, at) in self.width.iter().zip(all) {
            for (xi, drawn) in self.xi.iter().zip(&at.cosines) {
                functions.push((*drawn, [self.exact(*xi, *width)?, self.limit(*xi)?]));
            }
            products.extend(at.products.iter().zip(&exact).map(|(e, k)| (*e, [*k, exact[0]])));
        }
        let what = "characteristic function of an output at every width, random networks";
        let function = told_apart("nngp-width", what, "the Gaussian of the limit", &functions);
        let what = "covariances of outputs at three inputs, every width";
        let covariances = told_apart("nngp-width", what, "one covariance for all pairs", &products);
        let zero = |f: fn(&At) -> &Vec<Estimate>| -> Vec<(Estimate, f64)> {
            all.iter().flat_map(|at| f(at).iter().map(|e| (*e, 0.0))).collect()
        };
        let what = "mean of (z_a z_b - Khat) Khat at three inputs, every width: Khat is the covariance given the hidden layer";
        let given = Claim::family("T03.3", what, &zero(|at| &at.given))
            .rejecting("the covariance of the limit in every network", &zero(|at| &at.not_given));
        let gap = |n: usize| Ok(self.exact(self.xi[0], n)? - self.limit(self.xi[0])?);
        let far = [256, 512, 1024, 2048].into_iter();
        let gaps = far.map(gap).collect::<Result<Vec<f64>, LabError>>()?;
        let slope = |w: &[f64]| libm::log(w[1] / w[0]) / libm::log(2.0);
        let slopes = gaps.windows(2).map(|w| (slope(w), [-1.0, -0.5]));
        let what = "power of the width by which the exact characteristic function of an output approaches the Gaussian one, widths 256 to 2048";
        let wrong = "one over the root of the width";
        // At large frequencies the rate is met at larger widths only.
        let rate = told_apart_exactly("T03.9/rate", what, wrong, slopes, 1e-2);
        let rate = Claim { as_stated: true, ..rate };
        Ok(vec![function, covariances, given, self.distance(all)?, rate])
    }

    /// The distance from the Gaussian times the width, extrapolated to infinite width.
    fn distance(&self, all: &[At]) -> Result<Claim, LabError> {
        let what = "width times the distance of the distribution function from the limit, extrapolated to infinite width";
        let first = self.first_order()?;
        let (mut sizes, mut means) = (Vec::new(), Vec::new());
        for (width, at) in self.width.iter().zip(all).filter(|(width, _)| **width >= WIDE) {
            sizes.push(*width as f64);
            means.push(Estimate::combination(&[(*width as f64, at.off)])?);
        }
        let claim =
            at_infinity("nngp-width", what, "twice as far", (&sizes, &means), [first, 2.0 * first]);
        Ok(claim.only_as_stated())
    }

    fn table(&self, all: &[At]) -> Result<Table, LabError> {
        let mut rows = Vec::new();
        for (width, at) in self.width.iter().zip(all) {
            for (xi, drawn) in self.xi.iter().zip(&at.cosines) {
                rows.push((*width, *xi, [self.exact(*xi, *width)?, self.limit(*xi)?], *drawn));
            }
        }
        Ok(Table::of("characteristic_function", &rows)
            .whole("width", |row| row.0)
            .given("xi", |row| row.1)
            .real("exact", 5, |row| row.2[0])
            .estimate("drawn", 5, |row| row.3)
            .real("limit", 5, |row| row.2[1])
            .caption(
                "Characteristic function of an output, one row per width and frequency xi: the exact value, compared with random \
                 networks and with the Gaussian of the limit.",
            ))
    }
}

impl Experiment for NngpWidth {
    type Found<'r> = Vec<At>;

    const WORDS: Words<'static> = Words {
        title: "A network becomes a Gaussian process",
        lead: "With one hidden layer the covariance is that of the limit at every width, and the distribution of the outputs approaches the limit as one over the width.",
        caption: CAPTION,
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
        let (claims, tables) = (self.claims(all)?, vec![self.table(all)?]);
        let figures = vec![("nngp-width", self.figure(all)?)];
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// What one network has: outputs, and their covariance given its hidden layer.
struct Drawn {
    z: [f64; 3],
    khat: [f64; 6],
}

/// Means over the networks of one width.
pub struct At {
    cosines: Vec<Estimate>,
    /// Products of outputs, over [`PAIRS`].
    products: Vec<Estimate>,
    /// `(z_a z_b - Khat) Khat`, and `(z_a z_b - K) Khat`.
    given: Vec<Estimate>,
    not_given: Vec<Estimate>,
    /// Difference of the distribution function from that of the limit, where the difference is largest.
    off: Estimate,
    /// Kolmogorov's and Smirnov's distance of the first outputs.
    distance: f64,
}

impl NngpWidth {
    /// Samples the networks of one width.
    fn at(&self, width: usize, desk: &Desk<'_>) -> Result<At, LabError> {
        let (shape, exact) = (self.shape(width), self.covariances()?);
        let streams = desk.streams().part(&format!("width {width}"));
        let rows = desk.replicas(streams, self.nets, |streams| {
            let pass = shape.draw(streams).forward(X.as_flattened());
            let h = |a: usize| &pass.h[1][a * width..(a + 1) * width];
            let khat = PAIRS.map(|(a, b)| self.c_w * dot(h(a), h(b)) / width as f64);
            let z = pass.outputs();
            Drawn { z: [z[0], z[1], z[2]], khat }
        })?;
        let mean = |f: &dyn Fn(&Drawn) -> f64| {
            Estimate::from_samples(&rows.iter().map(f).collect::<Vec<_>>())
        };
        let every = |f: &dyn Fn(usize, f64, f64) -> f64| {
            let one =
                |i: usize| mean(&|net| f(i, net.z[PAIRS[i].0] * net.z[PAIRS[i].1], net.khat[i]));
            (0..PAIRS.len()).map(one).collect::<Result<Vec<_>, _>>()
        };
        let (x, _) = furthest();
        // The first order in Khat has mean zero: it is subtracted, and its noise with it.
        let off = |net: &Drawn| {
            let over = net.khat[0] / exact[0];
            normal_cdf(x / over.sqrt()) - normal_cdf(x) + 0.5 * x * normal_pdf(x) * (over - 1.0)
        };
        let cosines = self.xi.iter().map(|xi| mean(&|net| libm::cos(xi * net.z[0])));
        Ok(At {
            cosines: cosines.collect::<Result<Vec<_>, _>>()?,
            products: every(&|_, product, _| product)?,
            given: every(&|_, product, khat| (product - khat) * khat)?,
            not_given: every(&|i, product, khat| (product - exact[i]) * khat)?,
            off: mean(&off)?,
            distance: kolmogorov(rows.iter().map(|net| net.z[0] / exact[0].sqrt()).collect()),
        })
    }
}

/// The largest distance between the distribution function of these numbers and that of the standard normal distribution.
fn kolmogorov(mut x: Vec<f64>) -> f64 {
    x.sort_by(f64::total_cmp);
    let count = x.len() as f64;
    let gap = |(i, x): (usize, &f64)| {
        let value = normal_cdf(*x);
        (value - i as f64 / count).abs().max((value - (i + 1) as f64 / count).abs())
    };
    x.iter().enumerate().map(gap).fold(0.0, f64::max)
}

/// What the figure shows, for a reader.
const CAPTION: &str = "(a) Characteristic function of an output at three frequencies against the width of the hidden layer. Points: mean of $\\cos\\xi z$ over random networks with two standard errors. Lines: the exact value. Dotted: the Gaussian of the limit. \
    (b) Distance of the exact value from the limit, which falls as one over the width (dotted). (c) Covariances of the outputs at three inputs over those of the limit, with two standard errors: they are the same at every width, and the points stand a little apart to be readable. \
    (d) Distance of Kolmogorov and Smirnov between the outputs of random networks and the Gaussian of the limit (points; dotted, its mean for the same number of samples of the Gaussian), and its first order in one over the width (line).";

impl NngpWidth {
    fn figure(&self, all: &[At]) -> Result<Figure, LabError> {
        let (n, shown) = (&self.width, [("$z_0z_0$", 0), ("$z_0z_1$", 1), ("$z_1z_2$", 4)]);
        let limits = self.xi.iter().map(|xi| self.limit(*xi)).collect::<Result<Vec<_>, _>>()?;
        let (mut functions, mut gaps) = (Vec::new(), Vec::new());
        for (i, (xi, limit)) in self.xi.iter().zip(&limits).enumerate() {
            let exact = n.iter().map(|n| self.exact(*xi, *n)).collect::<Result<Vec<f64>, _>>()?;
            let label = format!("$\\xi$ = {xi}");
            gaps.push((label.clone(), xy(n, exact.iter().map(|value| value - limit))));
            let measured = estimates(n, all.iter().map(|at| &at.cosines[i]));
            functions.push((label, Compared { measured, theory: xy(n, exact) }));
        }
        let (title, y) = ("Characteristic function", "$E\\cos\\xi z$");
        let functions = arms_with_theory(title, width_axis(), y, series(functions))
            .with_all(limits.into_iter().map(|limit| guide_at_y(limit, "")));
        let (title, y) = ("Distance from the limit", Axis::new("exact less limit").log());
        let gaps = lines(title, width_axis(), y, series(gaps))
            .with(along(n, |n| 0.1 / n).line("$1/n$", Style::guide()));
        let exact = self.covariances()?;
        let over = |(name, pair): (&'static str, usize)| {
            let over = |(n, at): (&usize, &At)| {
                let (e, k) = (at.products[pair], exact[pair]);
                (*n as f64, e.mean() / k, 2.0 * e.se() / k.abs())
            };
            (name, n.iter().zip(all).map(over).collect())
        };
        let over = series_from(3, shown.into_iter().map(over));
        let y = "covariance / that of the limit";
        let over =
            means_by_category("Covariances", width_axis(), y, over).with(guide_at_y(1.0, ""));
        let (first_order, distances) = (self.first_order()?, all.iter().map(|at| at.distance));
        let (title, y) = ("Distribution function", Axis::new("distance from the limit").log());
        let (outputs, theory) = (xy(n, distances), along(n, |n| first_order / n));
        // The mean of Kolmogorov's distribution.
        let noise = 0.8687 / (self.nets as f64).sqrt();
        let distance = measured_with_theory(title, width_axis(), y, outputs, theory)
            .with(guide_at_y(noise, ""));
        let name = self.activation.name();
        let title = format!("Outputs of {name} networks approach a Gaussian as one over the width");
        let figure = Figure::new(title)
            .subtitle(format!("one hidden layer, {} networks at each width", self.nets))
            .description(CAPTION);
        Ok(grid(figure, (2, 880.0, 0.62), [functions, gaps, over, distance]))
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<NngpWidth>(
    "nngp-width",
    "distribution of the outputs of networks against their width, compared with the Gaussian process of the limit",
    include_str!("nngp_width.rs"),
);
