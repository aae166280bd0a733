//! Gamma-distributed numbers, one per lane, in double precision and with `libm` alone.

use super::{LANES, Real};
use crate::streams::BlockRng;

/// The smallest number [`BlockRng::gammas`] returns.
pub const GAMMA_FLOOR: f64 = f64::MIN_POSITIVE;

impl BlockRng {
    /// Gamma(shape, 1) numbers for a finite `shape > 0`; NaN for any other `shape`, without using a word.
    ///
    /// Marsaglia and Tsang (2000), ACM TOMS 26, 363-372. All lanes propose together until each has accepted, and a lane keeps its
    /// first acceptance; the number of words this takes depends on the draws. A shape below one is raised by one and the
    /// result multiplied by $`U^{1/\mathrm{shape}}`$. Such a product may underflow (half of them do for a shape of 0.001):
    /// it is bounded below by [`GAMMA_FLOOR`].
    ///
    /// ```
    /// use fovea_core::streams::Streams;
    /// let rng = &mut Streams::new(7).named("scales").block(0, 0);
    /// assert!(rng.gammas(0.5).iter().all(|x| *x > 0.0 && x.is_finite()));
    /// ```
    pub fn gammas(&mut self, shape: f64) -> [f64; LANES] {
        if !(shape > 0.0 && shape.is_finite()) {
            return [f64::NAN; LANES];
        }
        if shape >= 1.0 {
            return self.gammas_from_one(shape).map(|x| x.max(GAMMA_FLOOR));
        }
        let (raised, boosts) = (self.gammas_from_one(shape + 1.0), self.uniforms());
        std::array::from_fn(|l| {
            libm::exp(libm::log(raised[l]) + libm::log(boosts[l]) / shape).max(GAMMA_FLOOR)
        })
    }

    /// Marsaglia and Tsang's method for a shape of at least one; a round makes two proposals per lane.
    fn gammas_from_one(&mut self, shape: f64) -> [f64; LANES] {
        let centre = shape - 1.0 / 3.0;
        let width = 1.0 / (9.0 * centre).sqrt();
        let mut drawn = [f64::NAN; LANES];
        while drawn.iter().any(|x| x.is_nan()) {
            let (first, second) = f64::normal_pair(self);
            for normals in [first, second] {
                let uniforms = self.uniforms();
                for l in 0..LANES {
                    if drawn[l].is_nan() {
                        drawn[l] = proposal(centre, width, normals[l], uniforms[l]);
                    }
                }
            }
        }
        drawn
    }
}

/// The number that a normal `z` proposes, or NaN if the uniform `u` accepts it neither by the squeeze nor by the logarithm.
fn proposal(centre: f64, width: f64, z: f64, u: f64) -> f64 {
    let side = width.mul_add(z, 1.0);
    let cube = side * side * side;
    let square = z * z;
    let taken = side > 0.0
        && (u < 1.0 - 0.0331 * square * square
            || libm::log(u) < 0.5 * square + centre * (1.0 - cube + libm::log(cube)));
    if taken { centre * cube } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees, agrees_to_digits, same_bits};
    use crate::streams::Streams;
    use crate::streams::sampled::{FAMILY, all_hold, mean_of, moments, sample, stream};

    /// Values from an independent program in another language, which has no squeeze.
    #[test]
    fn the_draws_have_not_moved() {
        let table = [
            (2.5, [1.4306626420129775, 5.523848350536197, 2.0323701260091194]),
            (0.4, [0.0028140952121754495, 0.5093559168400055, 0.015162498865139366]),
        ];
        for (shape, expected) in table {
            let mut rng = Streams::new(42).named("data").block(5, 7);
            for x in expected {
                agrees_to_digits(rng.gammas(shape)[0], x, 14.0).unwrap();
            }
        }
    }

    /// The control is a shape off by a tenth, both in the standardisation and in the moments.
    #[test]
    fn gammas_have_their_moments() {
        for (index, shape) in [1.0, 1.5, 40.0, 1e6].into_iter().enumerate() {
            let draws = sample(30 + index as u64, |rng| rng.gammas(shape));
            let standard = |shape: f64| {
                let moments = [0.0, 1.0, 2.0 / shape.sqrt(), 3.0 + 6.0 / shape];
                (shape, shape.sqrt(), moments)
            };
            let held = |(centre, scale, expected)| moments(&draws, centre, scale, expected);
            all_hold(held(standard(shape)));
            assert!(held(standard(1.1 * shape)).iter().all(Result::is_err), "shape {shape}");
        }
    }

    /// `E exp(-s X) = (1 + s)^-shape` is bounded, while the moments of a small shape rest on few draws. The rates `s` are such that it
    /// has the same values for every shape, and reach 1e301.
    #[test]
    fn gammas_of_small_shape_have_their_laplace_transform() {
        for (index, shape) in [0.001, 0.05, 0.6, 0.999].into_iter().enumerate() {
            let draws = sample(40 + index as u64, |rng| rng.gammas(shape));
            assert!(draws.iter().all(|x| *x >= GAMMA_FLOOR && x.is_finite()));
            for level in [0.9, 0.7, 0.5] {
                let rate = libm::expm1(-libm::log(level) / shape);
                let transform = mean_of(&draws, |x| libm::exp(-rate * x));
                agrees(&transform, level, FAMILY).unwrap();
                assert!(
                    agrees(&transform, libm::pow(level, 1.1), FAMILY).is_err(),
                    "shape {shape}"
                );
            }
        }
    }

    #[test]
    fn every_shape_gives_positive_finite_numbers_and_the_same_bits_again() {
        let stream = stream(2);
        for shape in [5e-324, 1e-300, 1e-3, 0.1, 1.0, 3.0, 1e6, 1e18, f64::MAX] {
            let draw =
                || (0..50).flat_map(|i| stream.block(i, 0).gammas(shape)).collect::<Vec<_>>();
            assert!(draw().iter().all(|x| *x > 0.0 && x.is_finite()), "shape {shape:e}");
            same_bits(&draw(), &draw()).unwrap();
        }
        for shape in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(stream.block(0, 0).gammas(shape).iter().all(|x| x.is_nan()));
        }
    }
}
