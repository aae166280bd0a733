//! Which sites are compared, and into which bins their values fall.

use fovea_sim::Stimulus;

/// Most sites of a sample that are looked at.
const MOST_BASES: usize = 64;

/// Most lags along an axis.
const MOST_LAGS: usize = 64;

/// Pairs of sites by their lag along the last axis.
pub(super) struct Places {
    /// The sites whose law is measured.
    pub(super) bases: Vec<usize>,
    /// By lag: the partner of every base.
    pub(super) partners: Vec<Vec<usize>>,
}

impl Places {
    /// Sites spread evenly where all are alike, else the one asked for.
    pub(super) fn new(stimulus: &dyn Stimulus, site: usize) -> Self {
        let (dim, side) = (stimulus.dim(), stimulus.shape().last().copied().unwrap_or(1));
        let alike = stimulus.law().translation_invariant;
        let bases: Vec<usize> =
            if alike { (0..dim).step_by(dim.div_ceil(MOST_BASES)).collect() } else { vec![site] };
        // Lags both ways are the same only where sites are alike.
        let lags = if alike { side / 2 + 1 } else { side }.min(MOST_LAGS);
        let beside = |site: usize, lag: usize| site / side * side + (site + lag) % side;
        let partners =
            (0..lags).map(|lag| bases.iter().map(|base| beside(*base, lag)).collect()).collect();
        Self { bases, partners }
    }
}

/// Intervals that values are sorted into, open at both ends.
pub struct Bins {
    /// Where one ends and the next begins.
    pub(super) edges: Vec<f64>,
    /// The values themselves, where there are few: value `i` has bin `2 i + 1` and nothing lies between.
    pub(super) atoms: Option<Vec<f64>>,
}

/// Up to so many different values each has a bin of its own.
const FEW: usize = 24;

impl Bins {
    /// Bins for values like these.
    pub fn fit(mut values: Vec<f64>) -> Self {
        const CELLS: usize = 40;
        values.sort_by(f64::total_cmp);
        let mut atoms = values.clone();
        atoms.dedup_by(|a, b| (*a - *b).abs() <= 1e-5 * b.abs().max(1e-3));
        if atoms.len() <= FEW {
            let gaps = atoms.windows(2).map(|pair| pair[1] - pair[0]);
            let near = 0.01 * gaps.fold(atoms[0].abs().max(1.0), f64::min);
            let edges = atoms.iter().flat_map(|x| [x - near, x + near]).collect();
            return Self { edges, atoms: Some(atoms) };
        }
        let at = |share: f64| values[(share * (values.len() - 1) as f64) as usize];
        // Not on the last value: where a law piles up at its end, rounding decides on which side of an edge it lies.
        let margin = 0.01 * (at(0.999) - at(0.001));
        let (low, high) = (at(0.001) - margin, at(0.999) + margin);
        let edge = |i: usize| low + (high - low) * i as f64 / CELLS as f64;
        Self { edges: (0..=CELLS).map(edge).collect(), atoms: None }
    }

    /// Number of bins.
    pub fn count(&self) -> usize {
        self.edges.len() + 1
    }

    /// The middle of every bin that has two ends and something in it; NaN for the others.
    pub(super) fn centres(&self) -> Vec<f64> {
        let inner = self.edges.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        let between = |bin: usize| self.atoms.is_some() && bin.is_multiple_of(2);
        let inner = (1..).zip(inner).map(|(bin, x)| if between(bin) { f64::NAN } else { x });
        [f64::NAN].into_iter().chain(inner).chain([f64::NAN]).collect()
    }

    /// The bin of a value.
    pub fn of(&self, x: f64) -> usize {
        self.edges.partition_point(|edge| *edge < x)
    }

    /// The probability of every bin under a distribution function.
    ///
    /// # Errors
    /// Those of the distribution function.
    pub fn probabilities<E>(&self, cdf: impl Fn(f64) -> Result<f64, E>) -> Result<Vec<f64>, E> {
        let mut ends = vec![0.0];
        for edge in &self.edges {
            ends.push(cdf(*edge)?);
        }
        ends.push(1.0);
        Ok(ends.windows(2).map(|pair| pair[1] - pair[0]).collect())
    }
}
