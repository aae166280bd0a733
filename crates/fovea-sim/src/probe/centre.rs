//! Where a field is on the ring, and how widely it is spread around that place.

use super::location_entropy::shares;
use super::{Change, Columns, Probe, per_unit};
use fovea_core::fourier::{cos_turns, sin_turns};
use std::f64::consts::TAU;

/// The place of the squared field on one circle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Centre {
    /// The direction of $`\sum_x p_x e^{2\pi\mathrm i x/n}`$ as a place in $`[0, n)`$; 0 where there is none.
    pub place: f64,
    /// The length $`R`$ of that sum: 1 for a single site, 0 for a field without direction and for a zero field.
    pub resultant: f64,
    /// $`\tfrac{n}{2\pi}\sqrt{2(1-R)}`$, the standard deviation in sites where the field is narrow; at most
    /// $`n/\sqrt2\pi`$, which a field without direction has, and 0 for a zero field.
    pub spread: f64,
}

/// The centre of $`p = w^2/|w|^2`$ along one axis of a torus, the shares of the other axes added up.
///
/// A sum $`\sum p e^{2\pi\mathrm i x/n}`$ whose length is at most its rounding error has no direction.
pub fn centre(w: &[f64], shape: &[usize], axis: usize) -> Centre {
    let n = shape[axis];
    let inner: usize = shape[axis + 1..].iter().product();
    let Some(shares) = shares(w) else { return Centre::default() };
    let mut p = vec![0.0; n];
    for (i, share) in shares.iter().enumerate() {
        p[i / inner % n] += share;
    }
    let along: f64 = p.iter().enumerate().map(|(x, p)| p * cos_turns(x, n)).sum();
    let across: f64 = p.iter().enumerate().map(|(x, p)| p * sin_turns(x, n)).sum();
    let resultant = libm::hypot(along, across);
    let around = n as f64 / TAU;
    if resultant * resultant < f64::EPSILON {
        return Centre { place: 0.0, resultant: 0.0, spread: around * 2.0_f64.sqrt() };
    }
    let angle = libm::atan2(across, along);
    // 2 (1 - R) = sum p (2 sin((phi - angle) / 2))^2, which keeps its digits where R is near 1.
    let gap = |(x, p): (usize, &f64)| {
        let chord = 2.0 * libm::sin(0.5 * (x as f64 / around - angle));
        p * chord * chord
    };
    let spread = around * p.iter().enumerate().map(gap).sum::<f64>().sqrt();
    let place = (angle * around).rem_euclid(n as f64);
    // A value that rounding puts just below 0 wraps to n itself.
    let place = if place < n as f64 { place } else { 0.0 };
    Centre { place, resultant: resultant.min(1.0), spread }
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    columns: Columns::Named(&["place", "resultant", "spread"]),
    unmoved_by: &[Change::Scale, Change::Sign],
    ..Probe::of_units(
        "centre",
        "circular centre of p = w^2/|w|^2 in sites: direction of sum p exp(2 pi i x/n), its length R, and n/(2 pi) sqrt(2 (1 - R)); without direction 0, 0 and n/(sqrt 2 pi); 0 for a zero field; on a torus along the last axis",
        |view| {
            let shape = view.network.shape();
            per_unit(view, |w| {
                let Centre { place, resultant, spread } = centre(w, shape, shape.len() - 1);
                vec![place, resultant, spread]
            })
        },
    )
};

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    fn on_ring(w: &[f64]) -> Centre {
        centre(w, &[w.len()], 0)
    }

    /// A Gabor `exp(-d^2/4s^2) cos(k d)` around `place`, `k` in radians per site.
    fn gabor(n: usize, place: f64, s: f64, k: f64) -> Vec<f64> {
        let at = |i: usize| {
            let d = (i as f64 - place + n as f64 * 1.5).rem_euclid(n as f64) - 0.5 * n as f64;
            libm::exp(-0.25 * d * d / (s * s)) * libm::cos(k * d)
        };
        (0..n).map(at).collect()
    }

    #[test]
    fn flat_single_and_two_site_fields_have_their_known_values() {
        let widest = 12.0 / (2.0_f64.sqrt() * std::f64::consts::PI);
        let without = [vec![0.7; 12], (0..12).map(|i| cos_turns(i, 12)).collect(), vec![1.0, -1.0]];
        for field in without {
            let c = on_ring(&field);
            assert!(near(c.place, 0.0) && near(c.resultant, 0.0), "{field:?} {c:?}");
            assert!(near(c.spread, widest * field.len() as f64 / 12.0));
        }
        for site in 0..7 {
            let mut one = [0.0; 7];
            one[site] = -3.0;
            let c = on_ring(&one);
            assert!(near(c.place, site as f64) && near(c.resultant, 1.0) && near(c.spread, 0.0));
        }
        // Sites 11 and 1 of 12, equal: the centre is at 0, where the ring closes, and R = cos(30 degrees).
        let two = on_ring(&[0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -2.0]);
        let r = 0.75_f64.sqrt();
        assert!(two.place < 1e-12 || 12.0 - two.place < 1e-12, "{two:?}");
        assert!(
            near(two.resultant, r)
                && near(two.spread, 6.0 / std::f64::consts::PI * (2.0 * (1.0 - r)).sqrt())
        );
        assert_eq!(on_ring(&[0.0; 4]), Centre::default());
    }

    /// The shares of a fast Gabor are normal around its place: R = exp(-(2 pi s/n)^2 / 2).
    #[test]
    fn a_gabor_is_found_where_it_is_and_shifts_move_it() {
        let (n, s) = (64, 4.0);
        let turn = TAU * s / 64.0;
        let r = libm::exp(-0.5 * turn * turn);
        for place in [10.0, 37.25, 63.5] {
            let c = on_ring(&gabor(n, place, s, 1.5));
            assert!((c.place - place).abs() < 1e-10, "{place}: {c:?}");
            assert!((c.resultant - r).abs() < 1e-12, "{place}: {c:?} {r}");
            let spread = 64.0 / TAU * (2.0 * (1.0 - r)).sqrt();
            assert!((c.spread - spread).abs() < 1e-10 && (c.spread - s).abs() < 0.08);
        }
        let mut moved = gabor(n, 10.0, s, 0.8);
        let before = on_ring(&moved);
        moved.rotate_right(5);
        let after = on_ring(&moved);
        assert!((after.place - before.place - 5.0).abs() < 1e-10);
        assert!(near(after.resultant, before.resultant) && near(after.spread, before.spread));
    }

    #[test]
    fn each_axis_of_a_torus_has_its_own_centre() {
        let mut w = [0.0; 24];
        w[2 * 6 + 5] = 4.0;
        let (down, along) = (centre(&w, &[4, 6], 0), centre(&w, &[4, 6], 1));
        assert!(near(down.place, 2.0) && near(along.place, 5.0));
        assert!(near(down.spread, 0.0) && near(along.spread, 0.0));
    }
}
