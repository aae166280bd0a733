//! Sums over a superblock, lane by lane: preactivations and gradients.

use fovea_core::lanes::{BLOCK, LANES, Real, tree_sum};

/// `h_k = b_k + sum_i w_ki x_i`, in the order of `i`.
#[inline(always)]
pub(super) fn preactivations<T: Real>(
    weights: &[T],
    biases: &[T],
    x: &[[T; BLOCK]],
    h: &mut [[T; BLOCK]],
) {
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
pub(super) fn gradients<T: Real>(
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
