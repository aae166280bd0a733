//! From samples to the preactivations of all their images, and from the derivatives by these back to the weights.
//!
//! `H_k(s) = sum_i w_ki x_(i+s)` and `G_k(i) = sum_s delta_k(s) x_(i+s)`, without biases and for one sign: the other sign has
//! `-H` and enters `delta` only. Sums run in a fixed order, so that the bits are the same on every machine.

use super::Estimator;
use super::spectral::Spectral;
use crate::network::Network;
use crate::simd::{Body, Simd, dispatch};
use fovea_core::lanes::{BLOCK, LANES, Real};

/// How the sums over sites are taken.
#[derive(Clone, Debug)]
pub(super) enum Route<T> {
    /// No shift but zero.
    Single,
    /// Every shift of a ring, site by site.
    Direct,
    /// Every shift, by Fourier transforms.
    Spectral(Spectral<T>),
}

/// Work space for one block of samples.
pub(super) struct Room<T> {
    /// The samples; the direct route appends a second copy.
    pub(super) x: Vec<[T; BLOCK]>,
    /// The samples' transform, real and imaginary parts: the first half of a block is the real part of a complex sample.
    pub(super) modes: (Vec<[T; LANES]>, Vec<[T; LANES]>),
    /// One transform in progress.
    pub(super) line: (Vec<[T; LANES]>, Vec<[T; LANES]>),
    /// Scratch of the transform.
    pub(super) scratch: Vec<[T; LANES]>,
}

impl<T: Real> Route<T> {
    /// The route by which an estimator reaches the images of samples for `network`. The choice depends only on the shape;
    /// otherwise the bits would differ between machines.
    pub(super) fn new(estimator: Estimator, network: &Network) -> Self {
        if estimator == Estimator::Antithetic && !network.shared() {
            Self::Single
        } else if super::orbit::is_direct(network.shape(), network.width()) {
            Self::Direct
        } else {
            Self::Spectral(Spectral::new(network.shape()))
        }
    }

    /// The number of shifts whose preactivations it finds, on `sites` sites.
    pub(super) fn shifts(&self, sites: usize) -> usize {
        if matches!(self, Self::Single) { 1 } else { sites }
    }

    /// Rows of lanes that hold the gradient sums of one row of weights.
    pub(super) fn sums(&self, sites: usize) -> usize {
        if matches!(self, Self::Spectral(_)) { 2 * sites } else { sites }
    }

    pub(super) fn room(&self, sites: usize) -> Room<T> {
        let lanes = |rows: usize| vec![[T::ZERO; LANES]; rows];
        let (copies, modes, scratch) = match self {
            Self::Single => (1, 0, 0),
            Self::Direct => (2, 0, 0),
            Self::Spectral(spectral) => (1, sites, spectral.scratch()),
        };
        Room {
            x: vec![[T::ZERO; BLOCK]; copies * sites],
            modes: (lanes(modes), lanes(modes)),
            line: (lanes(modes), lanes(modes)),
            scratch: lanes(scratch),
        }
    }

    /// Copies rows of weights into the form that [`Route::forward`] reads.
    pub(super) fn load(&self, weights: &[f64], sites: usize, loaded: &mut Vec<T>) {
        loaded.clear();
        match self {
            Self::Single => loaded.extend(weights.iter().map(|w| T::from_f64(*w))),
            Self::Direct => {
                for row in weights.chunks(sites) {
                    loaded.extend(row.iter().chain(row).map(|w| T::from_f64(*w)));
                }
            }
            Self::Spectral(spectral) => spectral.load(weights, loaded),
        }
    }

    /// Prepares the samples.
    pub(super) fn prepare(&self, room: &mut Room<T>) {
        match self {
            Self::Single => {}
            Self::Direct => {
                let n = room.x.len() / 2;
                room.x.copy_within(..n, n);
            }
            Self::Spectral(spectral) => spectral.prepare(room),
        }
    }

    /// Preactivations `[row of weights][shift]`.
    pub(super) fn forward(&self, loaded: &[T], room: &mut Room<T>, h: &mut [[T; BLOCK]]) {
        match self {
            Self::Single => dispatch(Products { loaded, x: &room.x, h, all_shifts: false }),
            Self::Direct => {
                let x = &room.x[..room.x.len() / 2];
                dispatch(Products { loaded, x, h, all_shifts: true });
            }
            Self::Spectral(spectral) => spectral.forward(loaded, room, h),
        }
    }

    /// Adds `sum_s delta(s) x_(i+s)` to the sums of every row of weights, lane by lane.
    pub(super) fn backward(
        &self,
        delta: &[[T; BLOCK]],
        room: &mut Room<T>,
        sums: &mut [[T; LANES]],
    ) {
        match self {
            Self::Single => dispatch(Gather { delta, shifts: 1, x: &room.x, sums }),
            Self::Direct => {
                dispatch(Gather { delta, shifts: room.x.len() / 2, x: &room.x, sums });
            }
            Self::Spectral(spectral) => spectral.backward(delta, room, sums),
        }
    }

    /// Turns the sums over a batch into the gradient of every row of weights.
    pub(super) fn finish(&self, sums: &[f64], grad: &mut [f64]) {
        match self {
            Self::Single | Self::Direct => grad.copy_from_slice(sums),
            Self::Spectral(spectral) => spectral.finish(sums, grad),
        }
    }
}

/// How many sums share a pass over the samples; more would spill the registers.
const TILE: usize = 4;

/// Preactivations of rows of weights, `sum_j w_j x_j`, or of each at all shifts, `sum_j w_(j-s) x_j`, with every row stored twice.
struct Products<'a, T> {
    loaded: &'a [T],
    x: &'a [[T; BLOCK]],
    h: &'a mut [[T; BLOCK]],
    all_shifts: bool,
}

impl<T: Real> Body for Products<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let (n, all_shifts) = (self.x.len(), self.all_shifts);
        let start = |r: usize| if all_shifts { r / n * 2 * n + n - r % n } else { r * n };
        let mut tiles = self.h.chunks_exact_mut(TILE);
        let mut first = 0;
        for rows in tiles.by_ref() {
            let starts = [start(first), start(first + 1), start(first + 2), start(first + 3)];
            rows.copy_from_slice(&products::<T, TILE>(self.loaded, starts, self.x));
            first += TILE;
        }
        for row in tiles.into_remainder() {
            [*row] = products(self.loaded, [start(first)], self.x);
            first += 1;
        }
    }
}

#[inline(always)]
fn products<T: Real, const R: usize>(
    weights: &[T],
    starts: [usize; R],
    x: &[[T; BLOCK]],
) -> [[T; BLOCK]; R] {
    let mut parts = [weights; R];
    for r in 0..R {
        parts[r] = &weights[starts[r]..starts[r] + x.len()];
    }
    let mut rows = [[T::ZERO; BLOCK]; R];
    for (j, x) in x.iter().enumerate() {
        for r in 0..R {
            let w = parts[r][j];
            for l in 0..BLOCK {
                rows[r][l] = w.fma(x[l], rows[r][l]);
            }
        }
    }
    rows
}

/// `sums_i += sum_s delta_s x_(i+s)` of every row of weights, in the order of `s`, the two samples of a lane one after the
/// other; `x` is stored twice where there is more than one shift.
struct Gather<'a, T> {
    delta: &'a [[T; BLOCK]],
    shifts: usize,
    x: &'a [[T; BLOCK]],
    sums: &'a mut [[T; LANES]],
}

impl<T: Real> Body for Gather<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let n = if self.shifts > 1 { self.shifts } else { self.x.len() };
        for (delta, sums) in self.delta.chunks(self.shifts).zip(self.sums.chunks_mut(n)) {
            let mut tiles = sums.chunks_exact_mut(TILE);
            let mut i = 0;
            for sums in tiles.by_ref() {
                gradient_tile::<T, TILE>(delta, &self.x[i..], sums);
                i += TILE;
            }
            for sum in tiles.into_remainder() {
                gradient_tile::<T, 1>(delta, &self.x[i..], std::slice::from_mut(sum));
                i += 1;
            }
        }
    }
}

#[inline(always)]
fn gradient_tile<T: Real, const R: usize>(
    delta: &[[T; BLOCK]],
    x: &[[T; BLOCK]],
    sums: &mut [[T; LANES]],
) {
    let mut lanes = [[T::ZERO; LANES]; R];
    for (s, d) in delta.iter().enumerate() {
        let x = &x[s..s + R];
        for r in 0..R {
            // One expression: with a loop over the samples of a lane the compiler does not vectorise.
            for l in 0..LANES {
                lanes[r][l] = d[LANES + l].fma(x[r][LANES + l], d[l].fma(x[r][l], lanes[r][l]));
            }
        }
    }
    for (sum, lanes) in sums.iter_mut().zip(&lanes) {
        for l in 0..LANES {
            sum[l] = sum[l] + lanes[l];
        }
    }
}
