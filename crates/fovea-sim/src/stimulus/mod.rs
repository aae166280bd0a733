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
    use fovea_core::agree::{agrees, estimates_agree, noise_limit, test_seed};
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

    #[track_caller]
    fn holds(name: &str, estimate: &Estimate, value: f64, family: usize) {
        agrees(estimate, value, family).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// A control: the value lies beyond the limit, and by at least 8 standard errors.
    #[track_caller]
    fn fails(name: &str, estimate: &Estimate, value: f64, family: usize) {
        let (distance, limit) = (estimate.z(value).abs(), noise_limit(family, estimate.dof()));
        assert!(distance > limit.max(8.0), "{name}: a control is only {distance:.1} away");
    }

    #[test]
    fn declared_properties_hold() {
        for entry in ALL {
            let stimulus = (entry.build)(&Vec::new()).unwrap();
            let (x, law) = (samples(stimulus.as_ref(), entry.name, 400), stimulus.law());
            let (n, count) = (stimulus.dim(), x[0].len());
            let family = 4 * n * ALL.len();
            for i in 0..n {
                let name = format!("{} site {i}", entry.name);
                let (here, next) = (&x[i], &x[(i + 1) % n]);
                if law.standardized {
                    holds(&name, &mean(here.iter().copied()), 0.0, family);
                    let variance = mean(here.iter().map(|x| x * x));
                    holds(&name, &variance, 1.0, family);
                    fails(&name, &variance, 1.2, family);
                }
                if law.sign_symmetric {
                    holds(
                        &name,
                        &mean((0..count).map(|s| here[s] * here[s] * next[s])),
                        0.0,
                        family,
                    );
                    // The absolute values have no such symmetry.
                    let sizes = mean((0..count).map(|s| here[s] * here[s] * next[s].abs()));
                    fails(&name, &sizes, 0.0, family);
                }
                if law.translation_invariant && i > 0 {
                    // Both products come from one sample, so the standard error is that of their difference.
                    let shifted = |lag: usize| {
                        mean((0..count).map(|s| here[s] * next[s] - x[0][s] * x[lag][s]))
                    };
                    holds(&name, &shifted(1), 0.0, family);
                    // Next-nearest neighbours are no shift of nearest ones.
                    fails(&name, &shifted(2), 0.0, family);
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
            let mut products = [Vec::new(), Vec::new()];
            for index in 0..200 {
                stimulus.fill_double(&mut stream.block(0, index), &mut Vec::new(), &mut block);
                for (lag, products) in [1, 2].into_iter().zip(&mut products) {
                    products.extend((0..BLOCK).map(|s| block[0][s] * block[lag][s]));
                }
            }
            let single = mean(single[0].iter().zip(&single[1]).map(|(a, b)| a * b));
            let [nearest, next_nearest] = products.map(|p| Estimate::from_samples(&p).unwrap());
            estimates_agree(&single, &nearest, ALL.len()).unwrap();
            fails(entry.name, &single.difference(&next_nearest), 0.0, ALL.len());
        }
    }

    #[test]
    fn different_blocks_and_the_two_samples_of_a_lane_are_independent() {
        let stimulus = (nlgp::ENTRY.build)(&Vec::new()).unwrap();
        let x = samples(stimulus.as_ref(), "pairs", 400).swap_remove(0);
        // The product of a sample with itself shows what dependence looks like.
        let lane_pairs = |apart: usize| {
            mean(x.chunks(BLOCK).flat_map(|b| (0..LANES).map(move |l| b[l] * b[l + apart])))
        };
        holds("the two samples of a lane", &lane_pairs(LANES), 0.0, 2);
        fails("the two samples of a lane", &lane_pairs(0), 0.0, 2);
        let block_pairs = |apart: usize| mean(x.iter().zip(&x[apart..]).map(|(a, b)| a * b));
        holds("different blocks", &block_pairs(BLOCK), 0.0, 2);
        fails("different blocks", &block_pairs(0), 0.0, 2);
    }
}
