//! What drawn networks of one width have.

use super::{NngpWidth, PAIRS, X, furthest};
use fovea_core::special::{normal_cdf, normal_pdf};
use fovea_desk::prelude::*;

/// What one network has: outputs, and their covariance given its hidden layer.
struct Drawn {
    z: [f64; 3],
    khat: [f64; 6],
}

/// Means over the networks of one width.
pub struct At {
    pub(super) cosines: Vec<Estimate>,
    /// Products of outputs, over [`PAIRS`].
    pub(super) products: Vec<Estimate>,
    /// `(z_a z_b - Khat) Khat`, and `(z_a z_b - K) Khat`.
    pub(super) given: Vec<Estimate>,
    pub(super) not_given: Vec<Estimate>,
    /// How far the distribution function lies off that of the limit where that is furthest.
    pub(super) off: Estimate,
    /// Kolmogorov's and Smirnov's distance of the first outputs.
    pub(super) distance: f64,
}

impl NngpWidth {
    /// Draws the networks of one width.
    pub(super) fn at(&self, width: usize, desk: &Desk<'_>) -> Result<At, LabError> {
        let (shape, exact) = (self.shape(width), self.covariances()?);
        let streams = desk.streams().part(&format!("width {width}"));
        let all: Vec<u64> = (0..self.nets as u64).collect();
        let rows = desk.fleet(&all, |index| {
            let pass = shape.draw(&streams.replica(*index)).forward(X.as_flattened());
            let h = |a: usize| &pass.h[1][a * width..(a + 1) * width];
            let khat = PAIRS.map(|(a, b)| {
                let sum: f64 = h(a).iter().zip(h(b)).map(|(a, b)| a * b).sum();
                self.c_w * sum / width as f64
            });
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
        // The first order in Khat has mean zero: taken away, it takes its noise along.
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

/// The largest distance between the distribution function of these numbers and that of the standard normal law.
fn kolmogorov(mut x: Vec<f64>) -> f64 {
    x.sort_by(f64::total_cmp);
    let count = x.len() as f64;
    let gap = |(i, x): (usize, &f64)| {
        let value = normal_cdf(*x);
        (value - i as f64 / count).abs().max((value - (i + 1) as f64 / count).abs())
    };
    x.iter().enumerate().map(gap).fold(0.0, f64::max)
}
