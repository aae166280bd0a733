//! Stimuli: the random inputs, one family a file.
//!
//! A constructor validates; sampling cannot fail. What is *declared* true of a stimulus switches on the law that tests it.

use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::streams::BlockRng;
use fovea_core::{Entry, registry};

/// A source of input samples.
pub trait Stimulus: Send + Sync {
    /// Length of a sample.
    fn dim(&self) -> usize;

    /// What holds of its law.
    fn law(&self) -> Law;

    /// What the construction did that a user should know, such as clipped eigenvalues.
    fn notes(&self) -> Vec<String>;

    /// Draws one block in single precision: `block[i][s]` is entry `i` of sample `s`.
    fn fill_single(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f32; LANES]>,
        block: &mut [[f32; BLOCK]],
    );

    /// Draws one block in double precision.
    fn fill_double(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f64; LANES]>,
        block: &mut [[f64; BLOCK]],
    );
}

/// Declared properties of a stimulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Law {
    /// Every entry has mean zero and variance one.
    pub standardized: bool,
    /// `x` and `-x` have the same law.
    pub sign_symmetric: bool,
    /// Every shift around the ring has the same law.
    pub translation_invariant: bool,
}

registry! { "src/stimulus": Entry<Box<dyn Stimulus>>; gaussian, nlgp }

#[cfg(test)]
mod laws {
    use super::*;
    use fovea_core::agree::{agrees, noise_limit, test_seed};
    use fovea_core::stats::Estimate;
    use fovea_core::streams::Streams;

    /// Draws `blocks` blocks and returns the samples, entry-major.
    fn samples(stimulus: &dyn Stimulus, name: &str, blocks: u32) -> Vec<Vec<f64>> {
        let stream = Streams::new(test_seed(module_path!(), 0)).named(name);
        let mut block = vec![[0.0; BLOCK]; stimulus.dim()];
        let mut entries = vec![Vec::new(); stimulus.dim()];
        for index in 0..blocks {
            stimulus.fill_single(&mut stream.block(0, index), &mut Vec::new(), &mut block);
            for (entry, row) in entries.iter_mut().zip(&block) {
                entry.extend(row.iter().map(|x| f64::from(*x)));
            }
        }
        entries
    }

    fn mean(values: impl Iterator<Item = f64>) -> Estimate {
        Estimate::from_samples(&values.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn declared_properties_hold() {
        for entry in ALL {
            let stimulus = (entry.build)(&Vec::new()).unwrap();
            let (x, law) = (samples(stimulus.as_ref(), entry.name, 400), stimulus.law());
            let n = stimulus.dim();
            for i in 0..n {
                if law.standardized {
                    agrees(&mean(x[i].iter().copied()), 0.0, 4 * n).unwrap();
                    let variance = mean(x[i].iter().map(|x| x * x));
                    agrees(&variance, 1.0, 4 * n).unwrap();
                    assert!(agrees(&variance, 1.2, 4 * n).is_err(), "the control must fail");
                }
                if law.sign_symmetric {
                    agrees(
                        &mean(x[i].iter().zip(&x[(i + 1) % n]).map(|(a, b)| a * a * b)),
                        0.0,
                        4 * n,
                    )
                    .unwrap();
                }
                if law.translation_invariant {
                    let neighbours =
                        |i: usize| mean(x[i].iter().zip(&x[(i + 1) % n]).map(|(a, b)| a * b));
                    let (here, there) = (neighbours(i), neighbours(0));
                    let gap = here.difference(&there).z(0.0);
                    assert!(
                        gap.abs() < noise_limit(4 * n, here.dof()),
                        "{} site {i}: {gap}",
                        entry.name
                    );
                }
            }
        }
    }

    #[test]
    fn double_precision_has_the_same_covariance() {
        for entry in ALL {
            let stimulus = (entry.build)(&Vec::new()).unwrap();
            let single = samples(stimulus.as_ref(), entry.name, 200);
            let stream = Streams::new(test_seed(module_path!(), 1)).named(entry.name);
            let mut block = vec![[0.0; BLOCK]; stimulus.dim()];
            let mut products = Vec::new();
            for index in 0..200 {
                stimulus.fill_double(&mut stream.block(0, index), &mut Vec::new(), &mut block);
                products.extend((0..BLOCK).map(|s| block[0][s] * block[1][s]));
            }
            let single = mean(single[0].iter().zip(&single[1]).map(|(a, b)| a * b));
            fovea_core::agree::estimates_agree(
                &single,
                &Estimate::from_samples(&products).unwrap(),
                1,
            )
            .unwrap();
        }
    }

    #[test]
    fn different_blocks_and_the_two_samples_of_a_lane_are_independent() {
        let stimulus = (nlgp::ENTRY.build)(&Vec::new()).unwrap();
        let x = samples(stimulus.as_ref(), "pairs", 400);
        let lane_pairs = x[0].chunks(BLOCK).flat_map(|b| (0..LANES).map(|l| b[l] * b[l + LANES]));
        agrees(&mean(lane_pairs), 0.0, 2).unwrap();
        let next_block = x[0].iter().zip(&x[0][BLOCK..]).map(|(a, b)| a * b);
        agrees(&mean(next_block), 0.0, 2).unwrap();
    }
}
