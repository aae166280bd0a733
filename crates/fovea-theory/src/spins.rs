//! Symmetric distributions on the corners of a cube, known exactly: Ising rings, independent spins, signs of a few Gaussians,
//! tables.
//!
//! A distribution is symmetric when $`P(x)=P(-x)`$. Then $`E\,x=0`$, the gated mean is
//! $`f(w)=E[\mathbf 1(\langle w,x\rangle\ge0)\,x]=\tfrac12E[\mathrm{sgn}\langle w,x\rangle\,x]`$, and it does not matter how corners
//! on the hyperplane are counted (see [`crate::threshold`]).

use crate::chain::{closed_chain, ln_tanh};
use crate::error::FormError;
use crate::nlgp::cov::cov;
use crate::nlgp::fourth::fourth;
use crate::threshold::{self, Bond, MOST_SITES, partial_sums, signed_sums, spin};

/// The largest number of sites of a distribution given corner by corner.
pub const MOST_IN_TABLE: usize = 24;

/// A distribution that cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpinsError {
    /// Too few or too many sites.
    #[error(
        "{n} sites; this distribution can be summed over all corners for {least} to {most} sites"
    )]
    Sites {
        /// The number of sites given.
        n: usize,
        /// The smallest number.
        least: usize,
        /// The largest number that can be summed.
        most: usize,
    },
    /// The table is not a symmetric distribution.
    #[error("the probabilities of {count} corners are not a symmetric distribution: {what}")]
    Table {
        /// The number of corners given.
        count: usize,
        /// What is wrong with them.
        what: &'static str,
    },
}

impl SpinsError {
    /// The next step for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::Sites { least, most, .. } => format!("choose n from {least} to {most}"),
            Self::Table { .. } => {
                "give 2^n probabilities >= 0 that add up to 1, the same for x and -x".to_owned()
            }
        }
    }
}

impl From<SpinsError> for FormError {
    fn from(error: SpinsError) -> Self {
        Self::Within { what: error.to_string(), hint: error.hint() }
    }
}

/// A symmetric distribution on $`\{\pm1\}^n`$.
#[derive(Clone, Debug, PartialEq)]
pub struct Spins {
    n: usize,
    law: Law,
}

#[derive(Clone, Debug, PartialEq)]
enum Law {
    /// The Ising ring.
    Ring { coupling: f64 },
    /// Probabilities of the corners with the last spin up, in the order of their other spins.
    Table(Vec<f64>),
}

impl Spins {
    /// The Ising ring, $`P(x)\propto\exp(J\sum_ix_ix_{i+1})`$.
    ///
    /// ```
    /// let spins = fovea_theory::Spins::ising(40, 0.7)?;
    /// let mut w = vec![0.1; 40];
    /// w[3] = 4.0;
    /// // One site outvotes the others, so that f is half a column of the covariance (L000.22).
    /// assert!((spins.gated_mean(&w)[4] - 0.5 * spins.cov(3, 4)).abs() < 1e-13);
    /// # Ok::<(), fovea_theory::spins::SpinsError>(())
    /// ```
    ///
    /// # Errors
    /// Too few or too many sites.
    pub fn ising(n: usize, coupling: f64) -> Result<Self, SpinsError> {
        in_range(n, 2, MOST_SITES)?;
        Ok(Self { n, law: Law::Ring { coupling } })
    }

    /// Independent fair spins.
    ///
    /// # Errors
    /// Too few or too many sites.
    pub fn independent(n: usize) -> Result<Self, SpinsError> {
        Self::ising(n, 0.0)
    }

    /// Any symmetric distribution, from the probabilities of all $`2^n`$ corners.
    ///
    /// # Errors
    /// Probabilities that are negative, do not add up to 1, or differ between a corner and its mirror image.
    pub fn from_pmf(pmf: &[f64]) -> Result<Self, SpinsError> {
        let count = pmf.len();
        let wrong = |what| Err(SpinsError::Table { count, what });
        if !count.is_power_of_two() {
            return wrong("their number is not a power of 2");
        }
        let n = count.ilog2() as usize;
        in_range(n, 2, MOST_IN_TABLE)?;
        if !pmf.iter().all(|p| *p >= 0.0) {
            return wrong("one is negative or not a number");
        }
        if (pmf.iter().sum::<f64>() - 1.0).abs() > 1e-9 {
            return wrong("they do not add up to 1");
        }
        let mirrored = |i: usize| (pmf[i] - pmf[count - 1 - i]).abs() <= 1e-12;
        if !(0..count / 2).all(mirrored) {
            return wrong("a corner and its mirror image differ");
        }
        Ok(Self { n, law: Law::Table(pmf[count / 2..].to_vec()) })
    }

    /// The signs of two to five Gaussians with these correlations.
    ///
    /// Moments of an odd number of signs vanish, so that up to five sites moments of two and of four determine the distribution:
    /// $`P(x)=2^{-n}\big(1+\sum_{i<j}C_{ij}x_ix_j+\sum_{i<j<k<l}M_{ijkl}x_ix_jx_kx_l\big)`$ (L003.23).
    ///
    /// # Errors
    /// Too few or too many sites.
    pub fn signs(latent: &[Vec<f64>]) -> Result<Self, SpinsError> {
        let n = latent.len();
        in_range(n, 2, 5)?;
        let mut moments = vec![0.0; 1 << n];
        for (set, moment) in moments.iter_mut().enumerate() {
            let sites: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
            *moment = match sites[..] {
                [] => 1.0,
                [i, j] => cov(latent[i][j], f64::INFINITY),
                [i, j, k, l] => {
                    let four = [i, j, k, l];
                    fourth(&four.map(|a| four.map(|b| latent[a][b])), f64::INFINITY).moment
                }
                _ => 0.0,
            };
        }
        walsh(&mut moments);
        // The Walsh matrix takes bit 1 for spin down; flipping every spin changes nothing. Rounding may leave -1e-17 instead of 0.
        let scale = 1.0 / moments.len() as f64;
        let half = moments.len() / 2;
        Ok(Self {
            n,
            law: Law::Table(moments[half..].iter().map(|p| (scale * p).max(0.0)).collect()),
        })
    }

    /// Number of sites.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The probability of a corner.
    pub fn pmf(&self, corner: usize) -> f64 {
        let (n, mask) = (self.n, (1 << self.n) - 1);
        match &self.law {
            Law::Ring { coupling } => {
                let bond = bond(*coupling);
                let around = corner >> 1 | (corner & 1) << (n - 1);
                let broken = ((corner ^ around) & mask).count_ones();
                let product = |chance: f64, count: u32| libm::pow(chance, f64::from(count));
                product(bond[0], broken) * product(bond[1], n as u32 - broken) / total(n, *coupling)
            }
            Law::Table(half) => {
                let up = corner >> (n - 1) & 1 == 1;
                half[if up { corner } else { !corner } & (mask >> 1)]
            }
        }
    }

    /// The covariance of two sites.
    pub fn cov(&self, i: usize, j: usize) -> f64 {
        match &self.law {
            Law::Ring { coupling } => closed_chain(i.abs_diff(j), self.n, *coupling),
            Law::Table(half) => {
                let up = 1 << (self.n - 1);
                let pair =
                    |(corner, p): (usize, &f64)| p * spin(corner | up, i) * spin(corner | up, j);
                2.0 * half.iter().enumerate().map(pair).sum::<f64>()
            }
        }
    }

    /// The first row of the covariance, which determines the covariance of a translation-invariant distribution.
    pub fn first_row(&self) -> Vec<f64> {
        (0..self.n).map(|d| self.cov(0, d)).collect()
    }

    /// $`f(w)=E[\mathbf 1(\langle w,x\rangle\ge0)\,x]`$, exactly.
    ///
    /// # Panics
    /// Another number of weights than sites.
    pub fn gated_mean(&self, w: &[f64]) -> Vec<f64> {
        assert_eq!(w.len(), self.n, "one weight per site");
        match &self.law {
            Law::Ring { coupling } => {
                let total = total(self.n, *coupling);
                let sums = signed_sums(w, bond(*coupling)).first;
                sums.into_iter().map(|f| f / total).collect()
            }
            Law::Table(half) => {
                let (width, up) = (threshold::tie_width(w), 1 << (self.n - 1));
                let mut f = vec![0.0; self.n];
                let sums = partial_sums(w);
                for ((corner, p), sum) in half.iter().enumerate().zip(&sums[up..]) {
                    let sign = if sum.abs() <= width { 0.0 } else { sum.signum() };
                    for (i, f) in f.iter_mut().enumerate() {
                        *f += p * sign * spin(corner | up, i);
                    }
                }
                f
            }
        }
    }

    /// $`E|\langle w,x\rangle|=2\langle w,f(w)\rangle`$.
    pub fn mean_abs(&self, w: &[f64]) -> f64 {
        2.0 * self.gated_mean(w).iter().zip(w).map(|(f, w)| f * w).sum::<f64>()
    }
}

/// Probabilities of a broken and of a whole bond, before the ring is closed.
fn bond(coupling: f64) -> Bond {
    let chance = |gap: f64| 1.0 / (1.0 + libm::exp(gap));
    [chance(2.0 * coupling), chance(-2.0 * coupling)]
}

/// The weight of all corners, $`1+\tanh^nJ`$: twice the total probability after closing the ring.
fn total(n: usize, coupling: f64) -> f64 {
    let power = n as f64 * ln_tanh(coupling.abs()).max(-1e4);
    if coupling < 0.0 && n % 2 == 1 { -libm::expm1(power) } else { 1.0 + libm::exp(power) }
}

/// The Walsh transform in place: $`a_S\to\sum_Ta_T(-1)^{|S\cap T|}`$.
pub(crate) fn walsh(a: &mut [f64]) {
    let mut span = 1;
    while span < a.len() {
        for block in a.chunks_mut(2 * span) {
            let (low, high) = block.split_at_mut(span);
            for (x, y) in low.iter_mut().zip(high) {
                (*x, *y) = (*x + *y, *x - *y);
            }
        }
        span *= 2;
    }
}

fn in_range(n: usize, least: usize, most: usize) -> Result<(), SpinsError> {
    if (least..=most).contains(&n) { Ok(()) } else { Err(SpinsError::Sites { n, least, most }) }
}
