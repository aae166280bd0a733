//! Random numbers for arguments, from a seed, and the numbers at which code breaks.

use fovea_core::params::Range;

/// A stream of numbers for the arguments of one evaluation.
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Splitmix64, whose only state is a counter.
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform below 1.
    pub(super) fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    /// True once in `n` times.
    pub(super) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(super) fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Log-uniform between two positive numbers.
    pub(super) fn size(&mut self, low: f64, high: f64) -> f64 {
        let (from, to) = (libm::log(low), libm::log(high));
        libm::exp(from + self.unit() * (to - from))
    }

    pub(super) fn sign(&mut self) -> f64 {
        if self.once_in(2) { -1.0 } else { 1.0 }
    }

    /// A number of the range: an edge once in four times, else at a log-uniform distance from an end or from 0.
    pub(super) fn real(&mut self, range: Range, default: f64) -> f64 {
        for _ in 0..64 {
            let x = if self.once_in(4) { *self.of(&edges(range)) } else { self.inner(range) };
            if range.contains(x) {
                return x;
            }
        }
        default
    }

    fn inner(&mut self, range: Range) -> f64 {
        let ends = [0.0, range.low, range.high];
        let near: Vec<f64> = ends
            .into_iter()
            .filter(|x| x.is_finite() && range.low <= *x && *x <= range.high)
            .collect();
        let anchor = if near.is_empty() { 0.0 } else { *self.of(&near) };
        let span = range.high - range.low;
        let away = if span.is_finite() && span > 0.0 {
            self.size(1e-9 * span, span)
        } else if self.once_in(8) {
            self.size(1e-300, 1e300)
        } else {
            self.size(1e-5, 1e5)
        };
        anchor + self.sign() * away
    }

    /// A whole number of the range, log-uniform above its smallest.
    pub(super) fn int(&mut self, range: Range, default: f64) -> f64 {
        let low = range.low.max(0.0);
        let most = if range.high.is_finite() { range.high } else { 1e6 };
        let x = if self.once_in(6) {
            *self.of(&edges(range))
        } else {
            (low + self.size(0.5, most - low + 1.0) - 0.5).round()
        };
        let whole = x.is_finite() && x.fract().abs() < f64::MIN_POSITIVE;
        if whole && range.contains(x) && x < 9e18 { x } else { default }
    }
}

/// The numbers of a range at which code breaks: its ends and their neighbours, 0, tiny and huge numbers, infinity.
pub(super) fn edges(range: Range) -> Vec<f64> {
    let Range { low, high, .. } = range;
    let mut found = vec![low, low.next_up(), high, high.next_down(), low + 1.0, high - 1.0];
    found.extend([0.0, 0.5, 1.0, f64::INFINITY]);
    for size in [5e-324, 1e-300, 1e-160, 1e-16, 1e-8, 1e8, 1e16, 1e160, 1e300, f64::MAX] {
        found.extend([size, -size, 1.0 - size, low + size, high - size]);
    }
    found.retain(|x| range.contains(*x));
    found.sort_by(f64::total_cmp);
    found.dedup_by(|a, b| a.to_bits() == b.to_bits());
    found
}
