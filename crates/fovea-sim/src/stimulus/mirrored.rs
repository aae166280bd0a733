//! Samples in pairs `x, -x`: a sign-symmetric stimulus whose finite samples are symmetric too.

use super::{Declared, Draw, Element, Moments, Split, Stimulus};
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::any;
use fovea_core::registry::resolve;
use fovea_core::streams::{BlockRng, Streams};
use fovea_core::{Entry, Item, ParamError, Params, params};

params! {
    /// Samples of `base`, each together with its mirror image `-x`.
    ///
    /// The distribution stays that of the base, but a finite set is now exactly symmetric. Pairs come in blocks of 32,
    /// 16 samples and then their mirror images, so that a set is symmetric if it has a multiple of 32 samples of every class.
    pub struct Mirrored {
        /// What is mirrored; `x` and `-x` must have the same distribution.
        base: Item<Box<dyn Stimulus>> = Item::named("nlgp"), any(), "";
    }
}

impl Params for Mirrored {}

impl Mirrored {
    /// Builds the sampler.
    ///
    /// # Errors
    /// The base cannot be built, or its mirror images have a different distribution.
    pub fn sampler(&self) -> Result<MirroredSampler, ParamError> {
        let base = self.base.build("base")?;
        if !base.declared().sign_symmetric {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "the mirror images of {} have a different distribution",
                    self.base.name()
                ),
                hint: "choose a base in which x and -x have the same distribution, such as nlgp"
                    .to_owned(),
            });
        }
        Ok(MirroredSampler { base })
    }
}

/// Draws [`Mirrored`] samples: the first half of every block of `base`, and its mirror image.
pub struct MirroredSampler {
    base: Box<dyn Stimulus>,
}

impl Draw for MirroredSampler {
    fn dim(&self) -> usize {
        self.base.dim()
    }
    fn shape(&self) -> Vec<usize> {
        self.base.shape()
    }
    fn declared(&self) -> Declared {
        self.base.declared()
    }
    fn is_gaussian(&self) -> bool {
        self.base.is_gaussian()
    }
    fn independent(&self) -> usize {
        self.base.independent().min(BLOCK / 2)
    }
    fn notes(&self) -> Vec<String> {
        self.base.notes()
    }
    fn mean_given_positive(&self, site: usize) -> Option<Vec<f64>> {
        self.base.mean_given_positive(site)
    }
    fn moments(&self) -> Result<Moments, String> {
        self.base.moments()
    }
    fn has_rows(&self) -> bool {
        self.base.has_rows()
    }

    /// Every row is followed by its mirror image.
    fn split(&self, streams: &Streams) -> Result<Option<Split>, ParamError> {
        let both = |row: &[f64], into: &mut Vec<f64>| {
            into.extend(row);
            into.extend(row.iter().map(|x| -x));
        };
        let remade = |Split { training, rows }: Split| Split {
            training: Box::new(Self { base: training }),
            rows: rows.map(|rows| rows.remade(self.base.dim(), both)),
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
        for row in block {
            let (drawn, mirrored) = row.split_at_mut(BLOCK / 2);
            for (mirror, x) in mirrored.iter_mut().zip(drawn) {
                *mirror = -*x;
            }
        }
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "mirrored",
    summary: "another stimulus, each sample together with its mirror image -x",
    schema: <Mirrored as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Mirrored>(values)?.sampler()?)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::nlgp::Nlgp;
    use fovea_core::ring::Kernel;
    use fovea_core::streams::Streams;

    fn drawn(stimulus: &dyn Stimulus) -> Vec<[f64; BLOCK]> {
        let mut block = vec![[0.0_f64; BLOCK]; stimulus.dim()];
        let rng = &mut Streams::new(1).named("train/data").block(0, 0);
        stimulus.fill_double(rng, &mut Vec::new(), &mut block);
        block
    }

    #[test]
    fn the_second_half_of_a_block_mirrors_the_first() {
        let nlgp = Nlgp::on_ring(6, 1.0, 3.0, Kernel::Ring);
        let stimulus = Mirrored { base: Item::of("nlgp", &nlgp) }.sampler().unwrap();
        let (block, base) = (drawn(&stimulus), drawn(&nlgp.sampler().unwrap()));
        assert_eq!(Stimulus::independent(&stimulus), BLOCK / 2);
        for (row, base) in block.iter().zip(&base) {
            assert_eq!(row[..BLOCK / 2], base[..BLOCK / 2], "the first half is the base's");
            for s in 0..BLOCK / 2 {
                assert!(row[s].abs() > 0.0 && (row[s] + row[s + BLOCK / 2]).abs() < 1e-300);
            }
        }
    }

    #[test]
    fn a_base_whose_mirror_images_have_another_law_is_refused() {
        let error = Mirrored { base: Item::named("single-pulse") }.sampler().err().unwrap();
        assert_eq!(
            error.to_string(),
            "the mirror images of single-pulse have a different distribution"
        );
        assert!(error.hint().contains("nlgp"));
    }
}
