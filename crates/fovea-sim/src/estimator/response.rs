//! Activations and slopes of units at preactivations and at their negatives, some answers of a unit at a time.

use super::rows::{Heads, Rows};
use crate::network::Units;
use crate::simd::{Body, Level, Simd, dispatch};
use fovea_core::Function;
use fovea_core::activation::Blocked;
use fovea_core::lanes::{BLOCK, Real};

/// Answers of a unit that are processed at once: few enough to stay in the nearest cache.
pub(super) const PIECE: usize = 16;

/// What a unit does with its preactivations.
pub(super) enum Response<'a> {
    /// A function of each.
    Activation(&'a Function),
    /// Passes them on behind a half-space gate.
    Gate,
}

impl<'a> Response<'a> {
    /// That of a network's units.
    pub(super) fn of(units: &'a Units) -> Self {
        match units {
            Units::Activation(phi) => Self::Activation(phi),
            Units::Gated { .. } => Self::Gate,
        }
    }
}

/// Preactivations of some answers of one unit with both signs, then what they become.
pub(super) struct Piece<T> {
    signs: [[[T; BLOCK]; PIECE]; 2],
    /// The same of its gate.
    gates: [[[T; BLOCK]; PIECE]; 2],
    count: usize,
}

impl<T: Blocked> Piece<T> {
    pub(super) fn new() -> Self {
        let none = [[[T::ZERO; BLOCK]; PIECE]; 2];
        Self { signs: none, gates: none, count: 0 }
    }

    /// Loads the answers of unit `u` from `first` on, at most a piece of them.
    pub(super) fn load(&mut self, heads: &Heads<T>, rows: &Rows<T>, u: usize, first: usize) {
        self.count = PIECE.min(rows.answers - first);
        let from = u * rows.answers + first;
        let place = from..from + self.count;
        let (bias, h) = (heads.biases[u], &rows.h[place.clone()]);
        dispatch(Signs { bias, h, images: &mut self.signs });
        if let Some(bias) = heads.offsets.get(u) {
            dispatch(Signs { bias: *bias, h: &rows.gates[place], images: &mut self.gates });
        }
    }

    /// What the unit passes on, or its slopes, for both signs.
    pub(super) fn signs(&self) -> [&[[T; BLOCK]]; 2] {
        self.signs.each_ref().map(|sign| &sign[..self.count])
    }

    /// Preactivations into what the unit passes on.
    pub(super) fn values(&mut self, response: &Response<'_>) {
        let count = self.count;
        for (sign, gates) in self.signs.iter_mut().zip(&self.gates) {
            let (h, gates) = (sign[..count].as_flattened_mut(), gates[..count].as_flattened());
            match response {
                Response::Activation(phi) => phi.values(Level::best(), h),
                Response::Gate => dispatch(Gated { h, gates, open: None }),
            }
        }
    }

    /// Preactivations into slopes.
    pub(super) fn slopes(&mut self, response: &Response<'_>) {
        let count = self.count;
        for (sign, gates) in self.signs.iter_mut().zip(&self.gates) {
            let (h, gates) = (sign[..count].as_flattened_mut(), gates[..count].as_flattened());
            match response {
                Response::Activation(phi) => phi.slopes(Level::best(), h),
                Response::Gate => dispatch(Gated { h, gates, open: Some(T::ONE) }),
            }
        }
    }
}

/// `b + h` and `b - h`.
struct Signs<'a, T> {
    bias: T,
    h: &'a [[T; BLOCK]],
    images: &'a mut [[[T; BLOCK]; PIECE]; 2],
}

impl<T: Real> Body for Signs<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let [plus, minus] = self.images;
        let images = plus.as_flattened_mut().iter_mut().zip(minus.as_flattened_mut());
        for ((plus, minus), h) in images.zip(self.h.as_flattened()) {
            *plus = self.bias + *h;
            *minus = self.bias - *h;
        }
    }
}

/// Zero where the gate is closed; where it is open `open`, or what was there.
struct Gated<'a, T> {
    h: &'a mut [T],
    gates: &'a [T],
    open: Option<T>,
}

impl<T: Real> Body for Gated<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for (h, gate) in self.h.iter_mut().zip(self.gates) {
            *h = if *gate >= T::ZERO { self.open.unwrap_or(*h) } else { T::ZERO };
        }
    }
}
