//! Gaussian copula: a Gaussian field whose entries are given any marginal law.

use super::{Law, Moments, Stimulus};
use crate::field::{Field, Squash};
use crate::lattice::{Latent, Lattice};
use crate::marginal::{Marginal, Table};
use crate::quantiles::Quantiles;
use crate::simd::{Kernel, dispatch};
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::{any, finite, finite_above};
use fovea_core::registry::resolve;
use fovea_core::streams::BlockRng;
use fovea_core::{Entry, Matrix, ParamError, Params, params};

fovea_core::choice! {
    /// The law of every entry, brought to mean zero and variance one.
    pub enum Shape {
        /// Equally likely between two ends.
        Uniform = "uniform",
        /// Most likely near its two ends: the sine of a uniform angle.
        Arcsine = "arcsine",
        /// Exponential tails.
        Laplace = "laplace",
        /// Tails that fall as a power, see `k`.
        Kur = "kur",
        /// The table `quantiles`.
        Custom = "custom",
    }
}

params! {
    /// `x = Q(Phi(z))`, `z` a Gaussian field on the lattice, `Phi` the normal distribution function and `Q` the quantile
    /// function of the marginal law.
    pub struct Copula {
        ..lattice: Lattice;
        /// Marginal law.
        marginal: Shape = Shape::Uniform, any(), "";
        /// Exponent of `kur`, whose distribution function is `(1 + x / (1 + |x|^k)^(1/k)) / 2` before it is standardised.
        k: f64 = 5.0, finite_above(2.0), "";
        /// Law of `custom`: increasing values at equally spaced probabilities from 0 to 1, linear between them.
        quantiles: Matrix = Matrix::new(2, vec![-1.0, 1.0]), finite(), "";
    }
}

impl Params for Copula {
    fn check(&self) -> Result<(), ParamError> {
        self.lattice.check()
    }
}

impl Copula {
    /// Builds the sampler.
    ///
    /// # Errors
    /// The lattice does not fit, see [`Lattice::latent`]; or the table of a custom law is no table of quantiles.
    pub fn sampler(&self) -> Result<CopulaStimulus, ParamError> {
        let marginal = match self.marginal {
            Shape::Uniform => Marginal::Uniform,
            Shape::Arcsine => Marginal::Arcsine,
            Shape::Laplace => Marginal::Laplace,
            Shape::Kur => Marginal::kur(self.k),
            Shape::Custom => Marginal::Custom(Quantiles::read(&self.quantiles)?.standardized()),
        };
        let latent = self.lattice.latent()?;
        Ok(CopulaStimulus {
            single: Field::on_torus(&latent.shape, &latent.eigs, Squash::Linear),
            double: Field::on_torus(&latent.shape, &latent.eigs, Squash::Linear),
            // A table of the user's has kinks that no cell of ours ends at.
            table: (self.marginal != Shape::Custom).then(|| Table::new(&marginal)),
            marginal,
            latent,
        })
    }
}

/// The sampler of a copula.
#[derive(Clone, Debug)]
pub struct CopulaStimulus {
    single: Field<f32>,
    double: Field<f64>,
    table: Option<Table>,
    marginal: Marginal,
    latent: Latent,
}

impl Stimulus for CopulaStimulus {
    fn dim(&self) -> usize {
        self.latent.lags.len()
    }
    fn shape(&self) -> Vec<usize> {
        self.latent.shape.clone()
    }
    fn law(&self) -> Law {
        let sign_symmetric = self.marginal.is_symmetric();
        Law { standardized: true, sign_symmetric, translation_invariant: true }
    }
    fn notes(&self) -> Vec<String> {
        self.latent.notes.clone()
    }
    fn moments(&self) -> Result<Moments, String> {
        let value = |z: f64| self.marginal.value(z);
        let lags = self.marginal.entrywise(&value)?.covariances(&self.latent.lags);
        Ok(Moments::stationary(self.shape(), lags))
    }
    fn fill_single(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f32; LANES]>,
        block: &mut [[f32; BLOCK]],
    ) {
        self.single.fill(rng, scratch, block);
        match &self.table {
            Some(table) => dispatch(LookUp { table, block }),
            None => {
                for z in block.iter_mut().flatten() {
                    *z = self.marginal.value(f64::from(*z)) as f32;
                }
            }
        }
    }
    fn fill_double(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f64; LANES]>,
        block: &mut [[f64; BLOCK]],
    ) {
        self.double.fill(rng, scratch, block);
        for z in block.iter_mut().flatten() {
            *z = self.marginal.value(*z);
        }
    }
}

struct LookUp<'a> {
    table: &'a Table,
    block: &'a mut [[f32; BLOCK]],
}

impl Kernel for LookUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for row in self.block {
            for s in 0..BLOCK {
                row[s] = self.table.value(row[s]);
            }
        }
    }
}

/// The registry row.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "copula",
    summary: "Gaussian field with a marginal law of choice: uniform, arcsine, Laplace, power tails, or a table",
    schema: <Copula as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Copula>(values)?.sampler()?)),
};
