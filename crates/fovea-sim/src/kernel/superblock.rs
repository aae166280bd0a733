//! One superblock through the network and back, lane by lane.

use crate::simd::{Kernel, dispatch};
use fovea_core::activation::{Activation, Visitor};
use fovea_core::lanes::{BLOCK, LANES, Real, tree_sum};

/// One superblock through the network and back.
pub(super) struct Superblock<'a, T> {
    pub(super) weights: &'a [T],
    pub(super) biases: &'a [T],
    /// Label and number of used samples of each block.
    pub(super) targets: &'a [(T, usize)],
    /// Samples, `[block][input][sample]`.
    pub(super) x: &'a [[T; BLOCK]],
    /// Preactivations, then their errors, `[block][unit][sample]`.
    pub(super) h: &'a mut [[T; BLOCK]],
    pub(super) grad: &'a mut [T],
}

impl<T: Real> Visitor for Superblock<'_, T> {
    type Output = T;

    fn visit<A: Activation>(self) -> T {
        dispatch(Typed::<A, T>(self, std::marker::PhantomData))
    }
}

struct Typed<'a, A, T>(Superblock<'a, T>, std::marker::PhantomData<A>);

impl<A: Activation, T: Real> Kernel for Typed<'_, A, T> {
    type Output = T;

    /// Returns the sum of squared errors of the used samples.
    #[inline(always)]
    fn run(self) -> T {
        let s = self.0;
        let (width, n) = (s.biases.len(), s.weights.len() / s.biases.len());
        let readout = T::ONE / T::from_f64(width as f64);
        let mut squares = [T::ZERO; LANES];
        for (slot, (label, used)) in s.targets.iter().enumerate() {
            let x = &s.x[slot * n..(slot + 1) * n];
            let h = &mut s.h[slot * width..(slot + 1) * width];
            preactivations(s.weights, s.biases, x, h);
            let mut sum = [T::ZERO; BLOCK];
            for row in h.iter() {
                for l in 0..BLOCK {
                    sum[l] = sum[l] + A::value(row[l]);
                }
            }
            let mut error = [T::ZERO; BLOCK];
            for l in 0..BLOCK {
                let gap = sum[l] * readout - *label;
                error[l] = if l < *used { gap } else { T::ZERO };
            }
            for l in 0..LANES {
                squares[l] = error[l].fma(error[l], squares[l]);
            }
            for l in 0..LANES {
                squares[l] = error[LANES + l].fma(error[LANES + l], squares[l]);
            }
            for row in h.iter_mut() {
                for l in 0..BLOCK {
                    row[l] = error[l] * A::slope(row[l]);
                }
            }
        }
        gradients(s.targets.len(), (width, n), s.x, s.h, s.grad);
        tree_sum(squares)
    }
}

/// `h_k = b_k + sum_i w_ki x_i`, in the order of `i`.
#[inline(always)]
fn preactivations<T: Real>(weights: &[T], biases: &[T], x: &[[T; BLOCK]], h: &mut [[T; BLOCK]]) {
    let n = x.len();
    let mut units = h.chunks_exact_mut(TILE);
    let mut k = 0;
    for rows in units.by_ref() {
        rows.copy_from_slice(&preactivation_tile::<T, TILE>(&weights[k * n..], &biases[k..], x));
        k += TILE;
    }
    for row in units.into_remainder() {
        [*row] = preactivation_tile::<T, 1>(&weights[k * n..], &biases[k..], x);
        k += 1;
    }
}

/// Units, or inputs, whose accumulators share a pass over the samples; more would spill the registers.
const TILE: usize = 4;

/// The preactivations of the first `R` units.
#[inline(always)]
fn preactivation_tile<T: Real, const R: usize>(
    weights: &[T],
    biases: &[T],
    x: &[[T; BLOCK]],
) -> [[T; BLOCK]; R] {
    let n = x.len();
    let mut rows = [[T::ZERO; BLOCK]; R];
    for r in 0..R {
        rows[r] = [biases[r]; BLOCK];
    }
    for (i, x) in x.iter().enumerate() {
        for r in 0..R {
            let w = weights[r * n + i];
            for l in 0..BLOCK {
                rows[r][l] = w.fma(x[l], rows[r][l]);
            }
        }
    }
    rows
}

/// `G_ki += sum_s delta_ks x_is` and `G_kb += sum_s delta_ks` over the superblock.
#[inline(always)]
fn gradients<T: Real>(
    blocks: usize,
    (width, n): (usize, usize),
    x: &[[T; BLOCK]],
    delta: &[[T; BLOCK]],
    grad: &mut [T],
) {
    let (weights, biases) = grad.split_at_mut(width * n);
    for k in 0..width {
        let row = &mut weights[k * n..(k + 1) * n];
        let mut inputs = row.chunks_exact_mut(TILE);
        let mut i = 0;
        for entries in inputs.by_ref() {
            let sums = gradient_tile::<T, TILE>(blocks, (&delta[k..], width), (&x[i..], n));
            for t in 0..TILE {
                entries[t] = entries[t] + sums[t];
            }
            i += TILE;
        }
        for entry in inputs.into_remainder() {
            *entry = *entry + gradient_tile::<T, 1>(blocks, (&delta[k..], width), (&x[i..], n))[0];
            i += 1;
        }
        let mut lanes = [T::ZERO; LANES];
        for slot in 0..blocks {
            let d = &delta[slot * width + k];
            for l in 0..LANES {
                lanes[l] = lanes[l] + d[l];
            }
            for l in 0..LANES {
                lanes[l] = lanes[l] + d[LANES + l];
            }
        }
        biases[k] = biases[k] + tree_sum(lanes);
    }
}

/// `sum_s delta_s x_is` for `R` inputs: lane by lane in the order of the samples, then the lanes by halves.
#[inline(always)]
fn gradient_tile<T: Real, const R: usize>(
    blocks: usize,
    (delta, delta_stride): (&[[T; BLOCK]], usize),
    (x, x_stride): (&[[T; BLOCK]], usize),
) -> [T; R] {
    let mut lanes = [[T::ZERO; LANES]; R];
    for slot in 0..blocks {
        let d = &delta[slot * delta_stride];
        for r in 0..R {
            let x = &x[slot * x_stride + r];
            for l in 0..LANES {
                lanes[r][l] = d[l].fma(x[l], lanes[r][l]);
            }
            for l in 0..LANES {
                lanes[r][l] = d[LANES + l].fma(x[LANES + l], lanes[r][l]);
            }
        }
    }
    lanes.map(tree_sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Level, dispatch_at};
    use fovea_core::activation::{erf::Erf, relu::Relu, sigmoid::Sigmoid, tanh::Tanh};
    use fovea_core::agree::same_bits;
    use fovea_core::streams::Streams;

    const INPUTS: usize = 7;
    const WIDTH: usize = 5;

    /// Every gradient entry and the sum of squares of three blocks through one level's body.
    fn sums<A: Activation, T: Real>(level: Level) -> Vec<f64> {
        let mut rng = Streams::new(1).named("superblock").block(0, 0);
        let mut normals = |count: usize| -> Vec<T> {
            let lanes = (0..count.div_ceil(LANES)).flat_map(|_| T::normal_pair(&mut rng).0);
            lanes.take(count).collect()
        };
        let x = normals(3 * INPUTS * BLOCK).as_chunks::<BLOCK>().0.to_vec();
        let (weights, biases) = (normals(WIDTH * INPUTS), normals(WIDTH));
        let mut h = vec![[T::ZERO; BLOCK]; 3 * WIDTH];
        let mut grad = vec![T::ZERO; WIDTH * (INPUTS + 1)];
        let superblock = Superblock {
            weights: &weights,
            biases: &biases,
            targets: &[(T::ONE, BLOCK), (T::ONE, 9), (T::ZERO, BLOCK)],
            x: &x,
            h: &mut h,
            grad: &mut grad,
        };
        let squares = dispatch_at(level, Typed::<A, T>(superblock, std::marker::PhantomData));
        grad.iter().chain([&squares]).map(|g| g.to_f64()).collect()
    }

    /// Every level gives the portable body's bits, in both precisions.
    fn levels_agree<A: Activation>() {
        for level in Level::available() {
            same_bits(&sums::<A, f32>(level), &sums::<A, f32>(Level::Portable)).unwrap();
            same_bits(&sums::<A, f64>(level), &sums::<A, f64>(Level::Portable)).unwrap();
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        levels_agree::<Relu>();
        levels_agree::<Erf>();
        levels_agree::<Sigmoid>();
        levels_agree::<Tanh>();
    }
}
