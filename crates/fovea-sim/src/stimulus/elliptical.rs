//! Elliptical distributions: a uniform direction, coloured, times an independent radius.

use super::{Declared, Moments, Stimulus};
use crate::field::{Field, Mirror, Squash};
use crate::lattice::{Latent, Lattice};
use crate::quantiles::Quantiles;
use crate::radius::RadialLaw;
use fovea_core::lanes::{BLOCK, LANES, Real};
use fovea_core::params::{any, between, finite_above};
use fovea_core::registry::resolve;
use fovea_core::streams::BlockRng;
use fovea_core::{Entry, Matrix, ParamError, Params, params};

fovea_core::choice! {
    /// The distribution of the radius, scaled to the mean square that gives the covariance of the lattice.
    pub enum Radius {
        /// Student's t with `dof` degrees of freedom.
        Student = "student",
        /// A Gaussian times the square root of an exponential number.
        Laplace = "laplace",
        /// One radius.
        Shell = "shell",
        /// Uniform inside an ellipsoid.
        Ball = "ball",
        /// Density falling as `exp(-r^(2 beta) / 2)`, see `beta`.
        Power = "power",
        /// Two more than the inverse hyperbolic tangent of a uniform number; a half-logistic number behind a gap.
        HalfLogistic = "half-logistic",
        /// The table `quantiles`.
        Quantile = "quantile",
    }
}

params! {
    /// `x = r S u`, `u` uniform on the sphere, `S` a square root of the covariance, `r` an independent radius.
    pub struct Elliptical {
        ..lattice: Lattice;
        /// Distribution of the radius.
        radius: Radius = Radius::Shell, any(), "";
        /// Degrees of freedom of `student`; moments of this order and above are infinite.
        dof: f64 = 3.0, finite_above(2.0), "";
        /// Exponent of `power`: 1 is Gaussian, smaller values have heavier tails, larger ones tend to `ball`.
        beta: f64 = 0.5, between(0.05, 1e6), "";
        /// Radii of `quantile`: increasing values at equally spaced probabilities from 0 to 1, linear between them.
        quantiles: Matrix = Matrix::new(2, vec![0.0, 1.0]), between(0.0, 1e300), "";
    }
}

impl Params for Elliptical {
    fn check(&self) -> Result<(), ParamError> {
        self.lattice.check()
    }
}

impl Elliptical {
    /// Builds the sampler.
    ///
    /// # Errors
    /// The lattice does not fit, see [`Lattice::latent`]; or the table of radii is not a table of quantiles.
    pub fn sampler(&self) -> Result<EllipticalStimulus, ParamError> {
        let latent = self.lattice.latent()?;
        let sites = latent.lags.len() as f64;
        let law = match self.radius {
            Radius::Student => RadialLaw::Student { dof: self.dof },
            Radius::Laplace => RadialLaw::Laplace,
            Radius::Shell => RadialLaw::Shell,
            Radius::Ball => RadialLaw::Ball,
            Radius::Power => RadialLaw::power(self.beta, sites),
            Radius::HalfLogistic => RadialLaw::half_logistic(sites),
            Radius::Quantile => {
                let table = Quantiles::read(&self.quantiles)?;
                let factor = (sites / table.mean_square()).sqrt();
                RadialLaw::Quantile(table.scaled(factor))
            }
        };
        Ok(EllipticalStimulus {
            single: Field::on_torus(&latent.shape, &latent.eigs, Squash::Linear),
            double: Field::on_torus(&latent.shape, &latent.eigs, Squash::Linear),
            mirror: Mirror::new(&latent.shape),
            law,
            latent,
        })
    }
}

/// The sampler of an elliptical distribution.
#[derive(Clone, Debug)]
pub struct EllipticalStimulus {
    single: Field<f32>,
    double: Field<f64>,
    mirror: Mirror,
    law: RadialLaw,
    latent: Latent,
}

impl EllipticalStimulus {
    fn fill<T: Real>(
        &self,
        field: &Field<T>,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        let sites = block.len() as f64;
        let mut norms = [1.0; BLOCK];
        if self.law.mixes_gaussians() {
            field.fill(rng, scratch, block);
        } else {
            norms = field.fill_with_norms(&self.mirror, rng, scratch, block);
        }
        let (first, second) = (self.law.draw(rng, sites), self.law.draw(rng, sites));
        let mut factors = [T::ZERO; BLOCK];
        for l in 0..LANES {
            // A noise of exactly zero has no direction; the sample is then zero, not NaN.
            let factor = |radius: f64, norm: f64| T::from_f64(radius / norm.max(1e-30).sqrt());
            factors[l] = factor(first[l], norms[l]);
            factors[LANES + l] = factor(second[l], norms[LANES + l]);
        }
        for row in block {
            for s in 0..BLOCK {
                row[s] = row[s] * factors[s];
            }
        }
    }
}

impl Stimulus for EllipticalStimulus {
    fn dim(&self) -> usize {
        self.latent.lags.len()
    }
    fn shape(&self) -> Vec<usize> {
        self.latent.shape.clone()
    }
    fn declared(&self) -> Declared {
        Declared { standardized: true, sign_symmetric: true, translation_invariant: true }
    }
    fn notes(&self) -> Vec<String> {
        self.latent.notes.clone()
    }
    fn moments(&self) -> Result<Moments, String> {
        Ok(Moments::stationary(self.shape(), self.latent.lags.clone()))
    }
    fn fill_single(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f32; LANES]>,
        block: &mut [[f32; BLOCK]],
    ) {
        self.fill(&self.single, rng, scratch, block);
    }
    fn fill_double(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f64; LANES]>,
        block: &mut [[f64; BLOCK]],
    ) {
        self.fill(&self.double, rng, scratch, block);
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "elliptical",
    summary: "coloured direction times a radius: Student's t, Laplace, shell, ball, power-exponential, half-logistic, or a table",
    schema: <Elliptical as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Elliptical>(values)?.sampler()?)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampled::samples;
    use fovea_core::streams::Streams;

    fn with(radius: Radius, n: usize, xi: f64) -> Elliptical {
        let lattice =
            Lattice { n, xi, kernel: fovea_core::ring::Kernel::Wrapped, ..Lattice::default() };
        Elliptical { lattice, radius, ..Elliptical::default() }
    }

    /// Squared radius of every sample, whitened by the defining sum over the modes.
    fn radii(x: &[Vec<f64>], eigs: &[f64]) -> Vec<f64> {
        let n = x.len();
        let square = |s: usize| -> f64 {
            let mode = |k: usize| -> f64 {
                let (mut a, mut b) = (0.0, 0.0);
                for (j, row) in x.iter().enumerate() {
                    let (sin, cos) =
                        libm::sincos(std::f64::consts::TAU * (j * k % n) as f64 / n as f64);
                    (a, b) = (a + row[s] * cos, b + row[s] * sin);
                }
                (a * a + b * b) / (n as f64 * eigs[k])
            };
            (0..n).map(mode).sum()
        };
        (0..x[0].len()).map(square).collect()
    }

    #[test]
    fn a_shell_has_one_radius_and_a_ball_stays_inside() {
        for n in [2, 7, 12] {
            for (radius, most) in [(Radius::Shell, n as f64), (Radius::Ball, n as f64 + 2.0)] {
                let stimulus = with(radius, n, 1.0).sampler().unwrap();
                let x = samples::<f64>(&stimulus, module_path!(), n as u64, 20);
                for square in radii(&x, &stimulus.latent.eigs) {
                    assert!(square < most * (1.0 + 1e-12), "{radius:?} {n}: {square}");
                    assert!(
                        radius == Radius::Ball || square > most * (1.0 - 1e-12),
                        "{n}: {square}"
                    );
                }
            }
        }
    }

    #[test]
    fn lengths_that_flatten_the_covariance_stay_finite() {
        for radius in [Radius::Shell, Radius::Student, Radius::Power] {
            for xi in [1e-3, 5.0, 40.0, 1e6] {
                let stimulus = with(radius, 40, xi).sampler().unwrap();
                let mut block = vec![[0.0; BLOCK]; 40];
                let rng = &mut Streams::new(1).named("x").block(0, 0);
                stimulus.fill_single(rng, &mut Vec::new(), &mut block);
                assert!(block.concat().iter().all(|x| x.is_finite()), "{radius:?} {xi}");
            }
        }
    }
}
