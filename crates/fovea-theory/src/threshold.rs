//! Sums over the corners of a cube on either side of a hyperplane, by meeting in the middle.
//!
//! A corner $`x\in\{\pm1\}^n`$ is a number whose bit `i` says whether $`x_i=+1`$. The sites are cut into two arcs of
//! about `n/2` sites; each arc has $`2^{n/2}`$ partial sums, and sorted lists of them answer every question about the sign
//! of $`\langle w,x\rangle`$ in time $`O(n2^{n/2})`$. Weights that are products over the bonds of the ring, as in the Ising
//! model, couple the arcs only at their ends, which splits each list into a few.
//!
//! **Ties.** A corner with $`|\langle w,x\rangle|\le2^{-46}\|w\|_1`$ lies on the hyperplane and counts half on either side. That is
//! the mean of the conventions $`\ge`$ and $`>`$, and for a distribution that is symmetric under $`x\to-x`$ the gated mean is
//! the same under all three. The width is the possible rounding error of sums that vanish exactly.

/// Corners closer to the hyperplane than this, relative to $`\|w\|_1`$, count as on it: rounding cannot decide.
const TIE: f64 = 1.0 / 70_368_744_177_664.0;

/// The largest number of sites for which lists of partial sums fit into memory.
pub const MOST_SITES: usize = 44;

/// Signed sums over all corners, each weighted by the product of its bonds around the ring.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedSums {
    /// $`\tfrac12\sum_xP(x)\,\mathrm{sgn}\langle w,x\rangle\,x_i`$ for every site.
    pub first: Vec<f64>,
    /// The weight of the corners on the hyperplane.
    pub ties: f64,
}

/// Weights of a broken and a whole bond; `[1, 1]` counts corners.
pub type Bond = [f64; 2];

/// The signed sums of the hyperplane with normal `w`.
///
/// ```
/// let sums = fovea_theory::threshold::signed_sums(&[2.0, 1.0, 1.0], [1.0, 1.0]);
/// assert_eq!((sums.first, sums.ties), (vec![3.0, 1.0, 1.0], 2.0));
/// ```
///
/// # Panics
/// Fewer than two sites or more than [`MOST_SITES`].
pub fn signed_sums(w: &[f64], bond: Bond) -> SignedSums {
    let n = w.len();
    assert!((2..=MOST_SITES).contains(&n), "{n} sites; 2 to {MOST_SITES} can be summed");
    let cut = n / 2;
    let width = tie_width(w);
    // Flipping every spin flips the sign and x as well, so half of the corners are enough: those with the last spin up.
    let low = Arc::new(&w[..cut], bond).sides(|_| true);
    let high = Arc::new(&w[cut..], bond).sides(|[_, last]| last == 1);
    let (mut of_low, mut of_high) = (vec![0.0; 1 << cut], vec![0.0; 1 << (n - cut)]);
    let mut ties = 0.0;
    for a in &low {
        for b in &high {
            let tied =
                bond[usize::from(a.ends[1] == b.ends[0])] * bond[usize::from(a.ends[0] == 1)];
            a.against(b, width, |corner, signed, _| of_low[corner] += tied * signed);
            b.against(a, width, |corner, signed, on| {
                of_high[corner] += tied * signed;
                ties += tied * on;
            });
        }
    }
    let mut first = by_site(of_low);
    first.extend(by_site(of_high));
    SignedSums { first, ties: 2.0 * ties }
}

/// The largest size of a sum that counts as on the hyperplane.
pub fn tie_width(w: &[f64]) -> f64 {
    TIE * w.iter().map(|w| w.abs()).sum::<f64>()
}

/// $`\min_x|\langle w,x\rangle|`$ over the cube, the number partitioning problem.
///
/// ```
/// assert_eq!(fovea_theory::threshold::least_sum(&[4.0, 3.0, 2.0, 2.0]), 1.0);
/// ```
///
/// # Panics
/// More than [`MOST_SITES`] sites.
pub fn least_sum(w: &[f64]) -> f64 {
    let n = w.len();
    assert!(n <= MOST_SITES, "{n} sites; at most {MOST_SITES} can be summed");
    let sorted = |w: &[f64]| {
        let mut sums = partial_sums(w);
        sums.sort_unstable_by(f64::total_cmp);
        sums
    };
    let (low, high) = (sorted(&w[..n / 2]), sorted(&w[n / 2..]));
    // As one sum grows, the partner that cancels it decreases.
    let (mut least, mut j) = (f64::INFINITY, high.len());
    for a in low {
        while j > 0 && a + high[j - 1] >= 0.0 {
            j -= 1;
        }
        let beside = [high.get(j.wrapping_sub(1)), high.get(j)];
        least = beside.into_iter().flatten().fold(least, |least: f64, b| least.min((a + b).abs()));
    }
    least
}

/// $`\langle w,x\rangle`$ at all $`2^n`$ corners.
pub fn partial_sums(w: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; 1 << w.len()];
    put_partial_sums(w, &mut sums);
    sums
}

/// The same in place, for repeated calls.
///
/// # Panics
/// `sums` has another length than the number of corners.
pub fn put_partial_sums(w: &[f64], sums: &mut [f64]) {
    assert_eq!(sums.len(), 1 << w.len(), "one sum per corner");
    sums[0] = -w.iter().sum::<f64>();
    for (site, w) in w.iter().enumerate() {
        let (down, up) = sums.split_at_mut(1 << site);
        for (up, down) in up.iter_mut().zip(down) {
            *up = *down + 2.0 * w;
        }
    }
}

/// The spin of a corner at a site.
pub fn spin(corner: usize, site: usize) -> f64 {
    if corner >> site & 1 == 1 { 1.0 } else { -1.0 }
}

/// $`\sum_xv(x)x_i`$ for every site, from one value per corner, adding neighbours first so that rounding stays small.
fn by_site(mut values: Vec<f64>) -> Vec<f64> {
    let mut sums = Vec::new();
    while values.len() > 1 {
        // Neighbours in the list differ in the spin of the first site that is left.
        let difference: Vec<f64> = values.chunks(2).map(|pair| pair[1] - pair[0]).collect();
        values = values.chunks(2).map(|pair| pair[1] + pair[0]).collect();
        sums.push(pairwise(difference));
    }
    sums
}

fn pairwise(mut values: Vec<f64>) -> f64 {
    while values.len() > 1 {
        values = values.chunks(2).map(|pair| pair.iter().sum()).collect();
    }
    values.iter().sum()
}

/// Neighbouring sites: the sum and the weight of each of their corners.
struct Arc {
    sums: Vec<f64>,
    weights: Vec<f64>,
    sites: usize,
}

/// The corners of an arc whose first and last spin are fixed, sorted by their sums.
struct Side {
    /// First and last spin, 1 for up.
    ends: [usize; 2],
    corners: Vec<usize>,
    sums: Vec<f64>,
    weights: Vec<f64>,
    /// Weights of the first `k` corners together.
    below: Vec<f64>,
}

impl Arc {
    fn new(w: &[f64], bond: Bond) -> Self {
        let mut weights = vec![1.0; 2];
        for site in 1..w.len() {
            let half = 1 << (site - 1);
            let doubled: Vec<f64> = (0..2 * weights.len())
                .map(|corner| {
                    let whole = (corner >> site & 1 == 1) == (corner & half != 0);
                    weights[corner & ((1 << site) - 1)] * bond[usize::from(whole)]
                })
                .collect();
            weights = doubled;
        }
        Self { sums: partial_sums(w), weights, sites: w.len() }
    }

    fn sides(&self, keep: impl Fn([usize; 2]) -> bool) -> Vec<Side> {
        let ends = |corner: usize| [corner & 1, corner >> (self.sites - 1) & 1];
        let wanted = [[0, 0], [0, 1], [1, 0], [1, 1]].into_iter().filter(|ends| keep(*ends));
        let side = |wanted: [usize; 2]| {
            let all = (0..self.sums.len()).filter(|corner| ends(*corner) == wanted);
            let mut corners: Vec<usize> = all.collect();
            corners.sort_unstable_by(|a, b| self.sums[*a].total_cmp(&self.sums[*b]));
            let sums = corners.iter().map(|corner| self.sums[*corner]).collect();
            let weights: Vec<f64> = corners.iter().map(|corner| self.weights[*corner]).collect();
            let below = cumulative(&weights);
            Side { ends: wanted, corners, sums, weights, below }
        };
        wanted.map(side).collect()
    }
}

/// Sums of the first `k` weights, `k = 0..=len`, with the rounding of each carried along (Kahan).
fn cumulative(weights: &[f64]) -> Vec<f64> {
    let (mut sum, mut lost) = (0.0, 0.0);
    let next = |weight: &f64| {
        let step = weight - lost;
        let new: f64 = sum + step;
        lost = (new - sum) - step;
        sum = new;
        new
    };
    std::iter::once(0.0).chain(weights.iter().map(next)).collect()
}

impl Side {
    /// For every corner here, times its weight: the weight of `other` that makes the sum positive minus that which makes it negative,
    /// and the weight that makes it 0.
    fn against(&self, other: &Self, width: f64, mut see: impl FnMut(usize, f64, f64)) {
        let (mut above, mut below) = (other.sums.len(), other.sums.len());
        let total = other.below[above];
        for ((corner, sum), weight) in self.corners.iter().zip(&self.sums).zip(&self.weights) {
            while above > 0 && sum + other.sums[above - 1] > width {
                above -= 1;
            }
            while below > 0 && sum + other.sums[below - 1] >= -width {
                below -= 1;
            }
            let (under, up_to) = (other.below[below], other.below[above]);
            see(*corner, weight * (total - up_to - under), weight * (up_to - under));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same sums, corner by corner.
    fn enumerated(w: &[f64], bond: Bond) -> SignedSums {
        let n = w.len();
        let (mut first, mut ties) = (vec![0.0; n], 0.0);
        for corner in 0..1_usize << n {
            let x: Vec<f64> = (0..n).map(|i| spin(corner, i)).collect();
            let weight: f64 =
                (0..n).map(|i| bond[usize::from(x[i] * x[(i + 1) % n] > 0.0)]).product();
            let sum: f64 = w.iter().zip(&x).map(|(w, x)| w * x).sum();
            if sum.abs() <= tie_width(w) {
                ties += weight;
                continue;
            }
            for (f, x) in first.iter_mut().zip(&x) {
                *f += 0.5 * weight * sum.signum() * x;
            }
        }
        SignedSums { first, ties }
    }

    fn rugged(n: usize) -> Vec<f64> {
        (0..n).map(|i| libm::sin(1.0 + 2.7 * i as f64 * i as f64) + 0.1).collect()
    }

    #[test]
    fn meeting_in_the_middle_finds_what_enumeration_finds() {
        for n in 2..=13 {
            for bond in [[1.0, 1.0], [0.3, 0.7], [0.9, 0.1]] {
                let whole: Vec<f64> = (0..n).map(|i| f64::from(i as u32 * 5 % 4) - 1.0).collect();
                for w in [rugged(n), whole, vec![0.1; n]] {
                    let (got, want) = (signed_sums(&w, bond), enumerated(&w, bond));
                    let gap = |(a, b): (&f64, &f64)| (a - b).abs();
                    let worst = got.first.iter().zip(&want.first).map(gap).fold(0.0, f64::max);
                    let scale = enumerated(&vec![0.0; n], bond).ties;
                    assert!(worst < 1e-14 * scale, "n={n} {bond:?} {w:?}: {worst:e}");
                    assert!((got.ties - want.ties).abs() < 1e-13 * scale, "n={n} {bond:?} {w:?}");
                }
            }
        }
    }

    #[test]
    fn corners_are_counted_exactly() {
        let sums = signed_sums(&rugged(30), [1.0, 1.0]);
        assert!(sums.ties == 0.0 && sums.first.iter().all(|f| f.fract() == 0.0));
        // Chow parameters of an odd majority: (n-1)/2 of the other spins must balance.
        let majority = signed_sums(&[1.0; 23], [1.0, 1.0]);
        assert!(majority.first.iter().all(|f| (f - 705_432.0).abs() < 0.5), "{majority:?}");
    }

    #[test]
    fn the_least_sum_is_that_of_enumeration() {
        for n in 1..=12 {
            let w = rugged(n);
            let all = partial_sums(&w).into_iter().fold(f64::INFINITY, |m, s| m.min(s.abs()));
            assert!((least_sum(&w) - all).abs() < 1e-14, "n={n}");
        }
        assert!(least_sum(&[3.0, 2.0, 1.0]).abs() < 1e-15);
        assert!(least_sum(&[]).abs() < 1e-15);
    }
}
