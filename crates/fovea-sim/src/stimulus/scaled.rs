//! A stimulus whose samples are each multiplied by a random number.

use super::{Covariance, Declared, Draw, Element, Moments, Split, Stimulus};
use crate::cholesky::LARGEST;
use fovea_core::lanes::{BLOCK, LANES, Real};
use fovea_core::params::any;
use fovea_core::quadrature::adaptive;
use fovea_core::registry::resolve;
use fovea_core::streams::{BlockRng, Streams, Threshold};
use fovea_core::{Entry, Item, ParamError, Params, choice, params};

choice! {
    /// The distribution of the factor; its second moment is one.
    pub enum Factor {
        /// Standard normal.
        Normal = "normal",
        /// Uniform between minus and plus the square root of 3.
        Uniform = "uniform",
        /// `+1` or `-1`.
        Sign = "sign",
        /// The root of an exponential number; with a Gaussian base the product has a multivariate Laplace distribution.
        RootExponential = "root-exponential",
    }
}

params! {
    /// Samples of `base`, each multiplied by an independent factor of unit second moment.
    ///
    /// Second moments stay those of the base, higher ones do not: what changes is the dependence between the sizes of a sample's
    /// entries.
    pub struct Scaled {
        /// What is multiplied.
        base: Item<Box<dyn Stimulus>> = Item::named("nlgp"), any(), "";
        /// Distribution of the factor.
        factor: Factor = Factor::Normal, any(), "";
    }
}

impl Params for Scaled {}

impl Factor {
    /// Whether a factor and its negative are equally likely.
    fn symmetric(self) -> bool {
        self != Self::RootExponential
    }

    /// The mean, by quadrature.
    fn mean(self) -> f64 {
        if self.symmetric() {
            return 0.0;
        }
        // The root `u` of an exponential number has density 2 u exp(-u^2).
        adaptive(|u| 2.0 * u * u * libm::exp(-u * u), 0.0, 12.0, 1e-14).value
    }

    /// One factor for each sample of a block.
    fn draw(self, rng: &mut BlockRng) -> [f64; BLOCK] {
        let (a, b) = match self {
            Self::Normal => f64::normal_pair(rng),
            Self::Uniform => {
                twice(rng, |rng| rng.uniforms().map(|u| 3.0_f64.sqrt() * (2.0 * u - 1.0)))
            }
            Self::Sign => twice(rng, |rng| {
                rng.coins(Threshold::of(0.5)).map(|up| if up { 1.0 } else { -1.0 })
            }),
            Self::RootExponential => twice(rng, |rng| rng.exponentials().map(f64::sqrt)),
        };
        std::array::from_fn(|s| if s < LANES { a[s] } else { b[s - LANES] })
    }
}

/// One draw for each half of a block.
fn twice(
    rng: &mut BlockRng,
    draw: impl Fn(&mut BlockRng) -> [f64; LANES],
) -> ([f64; LANES], [f64; LANES]) {
    (draw(rng), draw(rng))
}

impl Scaled {
    /// Builds the sampler.
    ///
    /// # Errors
    /// The base cannot be built.
    pub fn sampler(&self) -> Result<ScaledSampler, ParamError> {
        Ok(ScaledSampler { base: self.base.build("base")?, factor: self.factor })
    }
}

/// Draws [`Scaled`] samples.
pub struct ScaledSampler {
    base: Box<dyn Stimulus>,
    factor: Factor,
}

impl Draw for ScaledSampler {
    fn dim(&self) -> usize {
        self.base.dim()
    }
    fn shape(&self) -> Vec<usize> {
        self.base.shape()
    }
    fn declared(&self) -> Declared {
        let base = self.base.declared();
        Declared { sign_symmetric: base.sign_symmetric || self.factor.symmetric(), ..base }
    }
    /// A random sign on a sign-symmetric sample changes nothing.
    fn is_gaussian(&self) -> bool {
        let base = self.base.is_gaussian() && self.base.declared().sign_symmetric;
        base && self.factor == Factor::Sign
    }
    fn independent(&self) -> usize {
        self.base.independent()
    }
    fn notes(&self) -> Vec<String> {
        self.base.notes()
    }

    /// `E s^2 = 1` keeps the second moment `C + m m^T`; the mean becomes `E s` times `m`, and the covariance the rest.
    fn moments(&self) -> Result<Moments, String> {
        let Moments { mean, covariance } = self.base.moments()?;
        let shrunk = self.factor.mean();
        let spread = 1.0 - shrunk * shrunk;
        let even = mean.iter().all(|m| m.to_bits() == mean[0].to_bits());
        let covariance = match covariance {
            Covariance::Lags { shape, mut row } if even => {
                for c in &mut row {
                    *c += spread * mean[0] * mean[0];
                }
                Covariance::Lags { shape, row }
            }
            _ if mean.len() > LARGEST => {
                return Err(format!(
                    "the covariance of {} entries of uneven mean is formed up to {LARGEST} of them",
                    mean.len()
                ));
            }
            covariance => {
                let n = mean.len();
                let cov = |i: usize, j: usize| covariance.at(i, j) + spread * mean[i] * mean[j];
                let entries = (0..n * n).map(|at| cov(at / n, at % n)).collect();
                Covariance::Full { n, entries }
            }
        };
        Ok(Moments { mean: mean.into_iter().map(|m| shrunk * m).collect(), covariance })
    }

    fn has_rows(&self) -> bool {
        self.base.has_rows()
    }

    /// Every row has an independent factor of the same distribution.
    fn split(&self, streams: &Streams) -> Result<Option<Split>, ParamError> {
        let remade = |Split { training, rows }: Split| {
            let training = Box::new(Self { base: training, factor: self.factor });
            let rows = rows.map(|rows| rows.with_factors(streams, |rng| self.factor.draw(rng)));
            Split { training, rows }
        };
        Ok(self.base.split(streams)?.map(remade))
    }

    fn draw<T: Element>(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        T::fill(self.base.as_ref(), rng, scratch, block);
        let factors = self.factor.draw(rng).map(T::from_f64);
        for row in block {
            for (x, factor) in row.iter_mut().zip(&factors) {
                *x = *x * *factor;
            }
        }
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "scaled",
    summary: "another stimulus, each sample multiplied by a random factor",
    schema: <Scaled as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Scaled>(values)?.sampler()?)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampled::{Sampled, samples};
    use fovea_core::agree::{agrees, agrees_to_digits};
    use fovea_core::stats::Estimate;
    use fovea_core::{Matrix, Value};

    const ALL: [Factor; 4] =
        [Factor::Normal, Factor::Uniform, Factor::Sign, Factor::RootExponential];

    fn scaled(base: Item<Box<dyn Stimulus>>, factor: Factor) -> ScaledSampler {
        Scaled { base, factor }.sampler().unwrap()
    }

    #[test]
    fn factors_have_mean_second_and_fourth_moment() {
        agrees_to_digits(Factor::RootExponential.mean(), 0.886226925452758, 14.0).unwrap();
        let stream = Streams::new(fovea_core::agree::test_seed(module_path!(), 0)).named("factor");
        for (factor, fourth) in ALL.into_iter().zip([3.0, 1.8, 1.0, 2.0]) {
            let draws: Vec<f64> =
                (0..2000).flat_map(|block| factor.draw(&mut stream.block(0, block))).collect();
            let moment = |p: f64| {
                let powers: Vec<f64> = draws.iter().map(|s| libm::pow(*s, p)).collect();
                Estimate::from_samples(&powers).unwrap()
            };
            agrees(&moment(1.0), factor.mean(), 12).unwrap();
            agrees(&moment(2.0), 1.0, 12).unwrap();
            agrees(&moment(4.0), fourth, 12).unwrap();
            assert!(agrees(&moment(4.0), 2.4, 12).is_err());
        }
    }

    #[test]
    fn products_have_their_moments_also_when_the_base_has_a_mean() {
        let rows = Matrix::new(3, vec![1.0, 2.0, 0.0, 0.5, -1.0, 3.0, 2.0, 0.0, 1.0]);
        let bases: [Item<Box<dyn Stimulus>>; 3] = [
            Item::named("ising").set("n", 4_usize).set("coupling", 0.4),
            Item::named("single-pulse").set("n", 5_usize).set("high", 2.0),
            Item::named("array").set("samples", Value::Array(rows)),
        ];
        for (index, base) in (0_u64..).zip(&bases) {
            for (place, factor) in (0_u64..).zip(ALL) {
                let sampler = scaled(base.clone(), factor);
                let sampled = Sampled::new(&sampler, module_path!(), 10 * index + place, 800);
                sampled.holds();
                if index > 0 {
                    // The covariance of the base without the contribution of its mean.
                    let plain = sampler.base.moments().unwrap();
                    sampled.rejects(|i, j| plain.covariance.at(i, j));
                    sampled.rejects_means(|i| plain.mean[i]);
                }
            }
        }
    }

    #[test]
    fn the_entries_of_a_sample_share_their_factor() {
        let x = samples::<f64>(
            &scaled(Item::named("ising"), Factor::RootExponential),
            module_path!(),
            50,
            4,
        );
        for s in 0..x[0].len() {
            assert!(x.iter().all(|row| (row[s].abs() - x[0][s].abs()).abs() < 1e-15));
            assert!(s == 0 || (x[0][s].abs() - x[0][s - 1].abs()).abs() > 1e-9);
        }
    }
}
