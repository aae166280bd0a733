//! The population flow of one ReLU unit on binary data, solved exactly from wall to wall.
//!
//! ```math
//! \dot w=\tfrac12f(w)-\tfrac14Mw,\qquad M=C_0+C_1,\qquad f(w)=E_1[\mathbf 1(\langle w,x\rangle\ge0)\,x]
//! ```
//!
//! On $`\{\pm1\}^n`$ the gated mean $`f`$ depends on $`w`$ only through the signs of $`\langle w,x\rangle`$ at the corners: it is constant
//! on the cells of an arrangement of hyperplanes. Inside a cell every Fourier mode relaxes exponentially towards the cell's own
//! target $`w_c=2M^{-1}f_c`$, and the flow reaches a wall at a root of a sum of exponentials, which is found to rounding. Time is not
//! discretised, so there is no step error.
//!
//! **Walls never hold the flow.** Across the wall of a corner $`x`$, from $`\langle w,x\rangle>0`$ to $`<0`$, $`f`$ changes by $`-2P(x)x`$ and
//! $`\langle\dot w,x\rangle`$ by $`-nP(x)\le0`$: the push towards the wall is stronger behind it. The loss
//! $`\tfrac14[1+\tfrac12w^\top Mw-E_1|\langle w,x\rangle|]`$ has a ridge there. So no trajectory slides along a wall or comes to rest on
//! one, and every attractor is a cell that contains its own target.
//!
//! Sources: papers on binary data give the cells; claims L000.16, L000.38, L000.39.

use crate::error::FormError;
use crate::spins::{Spins, SpinsError};
use crate::threshold::{put_partial_sums, spin, tie_width};
use fovea_core::Value;
use fovea_core::fourier::{basis_vector, frequency_of};
use fovea_core::ring::circulant_eigs;

/// The largest number of sites for which all corners are followed.
pub const MOST_WATCHED: usize = 20;

/// A flow that cannot be followed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CellError {
    /// The distribution has too many sites.
    #[error(transparent)]
    Law(#[from] SpinsError),
    /// The sum of the covariances has a direction without variance.
    #[error(
        "the covariances add up to a matrix with eigenvalue {eig:e} at frequency {k}; it must be > 0"
    )]
    Singular {
        /// The frequency.
        k: usize,
        /// Its eigenvalue.
        eig: f64,
    },
    /// The weights lie on a wall, where the flow may leave to either side.
    #[error(
        "the start lies on {walls} walls between cells, where the flow has no unique continuation"
    )]
    OnWall {
        /// The number of walls.
        walls: usize,
    },
    /// The flow ends where rounding cannot distinguish the cells.
    #[error(
        "the flow ends within rounding of {walls} walls between cells: it is there from t = {} on, and whether it stays cannot be decided",
        Value::Real(*t)
    )]
    RestsOnWall {
        /// The number of walls.
        walls: usize,
        /// The time.
        t: f64,
    },
    /// The flow crosses more walls than allowed.
    #[error("{walls} walls were crossed by t = {} and the flow is not at its end", Value::Real(*t))]
    TooManyWalls {
        /// The number of walls.
        walls: usize,
        /// The time reached.
        t: f64,
    },
}

impl CellError {
    /// The next step for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::Law(error) => error.hint(),
            Self::Singular { .. } => "choose weaker couplings or shorter correlations".to_owned(),
            Self::OnWall { .. } => "move the weights a little, to one side".to_owned(),
            Self::RestsOnWall { .. } => {
                "choose weaker couplings, or an odd number of sites".to_owned()
            }
            Self::TooManyWalls { .. } => "start with larger weights, or on fewer sites".to_owned(),
        }
    }
}

impl From<CellError> for FormError {
    fn from(error: CellError) -> Self {
        Self::Within { what: error.to_string(), hint: error.hint() }
    }
}

/// The flow between a class pos on the cube and any class neg with a circulant covariance.
#[derive(Clone, Debug)]
pub struct CellFlow {
    pub(crate) n: usize,
    /// Probabilities of the corners with the last spin up.
    pub(crate) pmf: Vec<f64>,
    /// Relaxation rates $`\lambda_j/4`$ of the Fourier modes.
    pub(crate) rates: Vec<f64>,
    /// The same, once per frequency.
    pub(crate) by_frequency: Vec<f64>,
    /// The Fourier basis, one vector per row.
    basis: Vec<Vec<f64>>,
}

impl CellFlow {
    /// The flow for class pos `pos` when the covariances of both classes add up to the circulant with first row `sum`.
    ///
    /// # Errors
    /// Too many sites, or a direction in which neither class has variance.
    pub fn new(pos: &Spins, sum: &[f64]) -> Result<Self, CellError> {
        let n = pos.n();
        if n > MOST_WATCHED {
            return Err(SpinsError::Sites { n, least: 2, most: MOST_WATCHED }.into());
        }
        let eigs = circulant_eigs(sum);
        if let Some(k) = (0..eigs.len()).find(|k| eigs[*k] <= 1e-12 * eigs[0]) {
            return Err(CellError::Singular { k, eig: eigs[k] });
        }
        let up = 1 << (n - 1);
        Ok(Self {
            n,
            pmf: (0..up).map(|corner| pos.pmf(up | corner)).collect(),
            rates: (0..n).map(|j| 0.25 * eigs[frequency_of(j, n)]).collect(),
            by_frequency: eigs.iter().map(|eig| 0.25 * eig).collect(),
            basis: (0..n).map(|j| basis_vector(j, n)).collect(),
        })
    }

    /// Two Ising rings of equal size.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn between_ising(
        n: usize,
        coupling_pos: f64,
        coupling_neg: f64,
    ) -> Result<Self, CellError> {
        let (pos, neg) = (Spins::ising(n, coupling_pos)?, Spins::ising(n, coupling_neg)?);
        let sum: Vec<f64> =
            pos.first_row().iter().zip(neg.first_row()).map(|(pos, neg)| pos + neg).collect();
        Self::new(&pos, &sum)
    }

    /// The target $`2M^{-1}f_c`$ of the cell that contains `w`; corners on a wall count half to either side.
    pub fn target_of(&self, w: &[f64]) -> Vec<f64> {
        let width = tie_width(w);
        let sign = |sum: &f64| if sum.abs() <= width { 0.0 } else { sum.signum() };
        let signs: Vec<f64> = Self::sums(w).iter().map(sign).collect();
        self.sites(&self.target(&signs))
    }

    /// How deep inside its cell the target of the cell of `w` lies; `None` if the cell does not contain its own target.
    pub fn depth_of_cell(&self, w: &[f64]) -> Option<f64> {
        let target = self.target_of(w);
        let (here, there, width) = (Self::sums(w), Self::sums(&target), tie_width(&target));
        let same = here.iter().zip(&there).all(|(a, b)| a * b > 0.0 && b.abs() > width);
        same.then(|| depth(&there, &target))
    }

    /// Sums at the corners with the last spin up.
    pub(crate) fn sums(w: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; 1 << (w.len() - 1)];
        Self::put_sums(w, &mut sums);
        sums
    }

    /// The same in place.
    pub(crate) fn put_sums(w: &[f64], sums: &mut [f64]) {
        let (last, others) = w.split_last().expect("a ring has sites");
        put_partial_sums(others, sums);
        for sum in sums {
            *sum += last;
        }
    }

    /// Fourier coefficients of $`2M^{-1}f`$ for the gate with these signs: $`\tfrac12f/(\lambda/4)`$ mode by mode.
    pub(crate) fn target(&self, signs: &[f64]) -> Vec<f64> {
        let up = 1 << (self.n - 1);
        let mut f = vec![0.0; self.n];
        for ((corner, p), sign) in self.pmf.iter().enumerate().zip(signs) {
            for (i, f) in f.iter_mut().enumerate() {
                *f += sign * p * spin(corner | up, i);
            }
        }
        self.modes(&f).iter().zip(&self.rates).map(|(f, rate)| 0.5 * f / rate).collect()
    }

    pub(crate) fn modes(&self, w: &[f64]) -> Vec<f64> {
        self.basis.iter().map(|row| dot(row, w)).collect()
    }

    pub(crate) fn sites(&self, u: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| self.basis.iter().zip(u).map(|(row, u)| row[i] * u).sum()).collect()
    }

    /// Amplitudes of a corner's sum in the Fourier modes.
    pub(crate) fn corner_modes(&self, corner: usize) -> Vec<f64> {
        let up = 1 << (self.n - 1);
        let x: Vec<f64> = (0..self.n).map(|i| spin(corner | up, i)).collect();
        self.modes(&x)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The least sum relative to the largest.
pub(crate) fn depth(sums: &[f64], w: &[f64]) -> f64 {
    let least = sums.iter().fold(f64::INFINITY, |least: f64, sum| least.min(sum.abs()));
    least / w.iter().map(|w| w.abs()).sum::<f64>()
}
