//! The sign of a Gaussian field.

use super::Stimulus;
use super::gaussian::FieldStimulus;
use crate::field::Squash;
use crate::lattice::Lattice;
use fovea_core::registry::resolve;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// `x = sign(z)`, `z` a Gaussian field on the lattice: `nlgp` at infinite gain.
    pub struct Sign {
        ..lattice: Lattice;
    }
}

impl Params for Sign {
    fn check(&self) -> Result<(), ParamError> {
        self.lattice.check()
    }
}

impl Sign {
    /// Builds the sampler.
    ///
    /// # Errors
    /// The lattice does not fit, see [`Lattice::latent`].
    pub fn sampler(&self) -> Result<FieldStimulus, ParamError> {
        Ok(FieldStimulus::new(self.lattice.latent()?, Squash::Sign))
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "sign",
    summary: "sign of a Gaussian field: nlgp at infinite gain",
    schema: <Sign as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Sign>(values)?.sampler()?)),
};
