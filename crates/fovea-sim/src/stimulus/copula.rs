//! Gaussian copula: a Gaussian field whose entries are given any marginal distribution.

use super::{Declared, Moments, Stimulus};
use crate::field::{Field, Squash};
use crate::lattice::{Latent, Lattice};
use crate::marginal::{Marginal, Table};
use crate::quantiles::Quantiles;
use crate::simd::{Body, Simd, dispatch};
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::{any, finite, finite_above};
use fovea_core::registry::resolve;
use fovea_core::streams::BlockRng;
use fovea_core::{Entry, Matrix, ParamError, Params, params};

fovea_core::choice! {
    /// The distribution of every entry, scaled to mean zero and variance one.
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
    /// function of the marginal distribution.
    pub struct Copula {
        ..lattice: Lattice;
        /// Marginal distribution.
        marginal: Shape = Shape::Uniform, any(), "";
        /// Exponent of `kur`, whose distribution function is `(1 + x / (1 + |x|^k)^(1/k)) / 2` before it is standardised.
        k: f64 = 5.0, finite_above(2.0), "";
        /// Quantiles of `custom`: increasing values at equally spaced probabilities from 0 to 1, linear between them.
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
    /// The lattice does not fit, see [`Lattice::latent`]; or the table of `custom` is not a table of quantiles.
    pub fn sampler(&self) -> Result<CopulaStimulus, ParamError> {
        let marginal = match self.marginal {
            Shape::Uniform => Marginal::Uniform,
            Shape::Arcsine => Marginal::Arcsine,
            Shape::Laplace => Marginal::Laplace,
            Shape::Kur => Marginal::kur(self.k),
            Shape::Custom => Marginal::Custom(Quantiles::read(&self.quantiles)?.standardized()),
        };
        Ok(CopulaStimulus::new(self.lattice.latent()?, marginal, true))
    }
}

/// The sampler of a copula.
#[derive(Clone, Debug)]
pub struct CopulaStimulus {
    single: Field<f32>,
    double: Field<f64>,
    table: Option<Table>,
    marginal: Marginal,
    standardized: bool,
    latent: Latent,
}

impl CopulaStimulus {
    fn new(latent: Latent, marginal: Marginal, standardized: bool) -> Self {
        Self {
            single: Field::on_torus(&latent.shape, &latent.eigs, Squash::Linear),
            double: Field::on_torus(&latent.shape, &latent.eigs, Squash::Linear),
            // A user's table has kinks inside the cells of the tabulated function.
            table: (!matches!(marginal, Marginal::Custom(_))).then(|| Table::new(&marginal)),
            marginal,
            standardized,
            latent,
        }
    }

    /// The distribution `kur` with any positive exponent, divided by `unit`: its own standard deviation exists only above 2.
    ///
    /// # Errors
    /// The lattice does not fit; or an exponent or a unit that is not positive and finite.
    pub fn kur_in_units(lattice: &Lattice, k: f64, unit: f64) -> Result<Self, ParamError> {
        for (what, value) in [("exponent", k), ("unit", unit)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(ParamError::Inconsistent {
                    what: format!("the {what} of an algebraic distribution is {value}"),
                    hint: "choose a positive and finite one".to_owned(),
                });
            }
        }
        Ok(Self::new(lattice.latent()?, Marginal::Kur { k, std: unit }, false))
    }
}

impl Stimulus for CopulaStimulus {
    fn dim(&self) -> usize {
        self.latent.lags.len()
    }
    fn shape(&self) -> Vec<usize> {
        self.latent.shape.clone()
    }
    fn declared(&self) -> Declared {
        let sign_symmetric = self.marginal.is_symmetric();
        Declared { standardized: self.standardized, sign_symmetric, translation_invariant: true }
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

impl Body for LookUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for row in self.block {
            for s in 0..BLOCK {
                row[s] = self.table.value(row[s]);
            }
        }
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "copula",
    summary: "Gaussian field with a chosen marginal distribution: uniform, arcsine, Laplace, power tails, or a table",
    schema: <Copula as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Copula>(values)?.sampler()?)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::expect;
    use fovea_core::agree::{all_agree, test_seed};
    use fovea_core::ring::Kernel;
    use fovea_core::streams::Streams;

    #[test]
    fn a_law_without_variance_has_its_distribution_in_the_units_asked_for() {
        let lattice = Lattice::ring(4, 0.5, Kernel::Ring);
        let law = CopulaStimulus::kur_in_units(&lattice, 1.0, 10.0).unwrap();
        assert!(!law.declared().standardized && law.declared().sign_symmetric);
        // P(|x| < u) = u' / (1 + u'^k)^(1/k) with u' = 10 u.
        let below = |u: f64| 10.0 * u / (1.0 + 10.0 * u);
        let points = [0.01, 0.1, 1.0, 30.0];
        let stream = Streams::new(test_seed(module_path!(), 0)).named("heavy");
        let found = expect(&law, &stream, 40_000, points.len(), |x, out| {
            for (out, u) in out.iter_mut().zip(points) {
                *out = f64::from(u8::from(x[0].abs() < u));
            }
        })
        .unwrap();
        all_agree(&found, &points.map(below)).unwrap();
        let halved = points.map(|u| below(2.0 * u));
        assert!(all_agree(&found, &halved).is_err(), "half the unit is noticed");
        for (k, unit) in [(0.0, 1.0), (1.0, -1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
            assert!(CopulaStimulus::kur_in_units(&lattice, k, unit).is_err());
        }
    }

    #[test]
    fn its_own_deviation_as_the_unit_gives_the_standardized_law() {
        let lattice = Lattice::ring(4, 0.5, Kernel::Ring);
        let own =
            Copula { lattice: lattice.clone(), marginal: Shape::Kur, k: 5.0, ..Copula::default() };
        let (own, unit) = (own.sampler().unwrap(), Marginal::kur(5.0));
        let Marginal::Kur { std, .. } = unit else { panic!() };
        let same = CopulaStimulus::kur_in_units(&lattice, 5.0, std).unwrap();
        let draw = |law: &CopulaStimulus| {
            let mut block = vec![[0.0_f32; BLOCK]; 4];
            law.fill_single(
                &mut Streams::new(1).named("x").block(0, 0),
                &mut Vec::new(),
                &mut block,
            );
            block
        };
        assert_eq!(draw(&own), draw(&same));
    }
}
