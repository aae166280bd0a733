//! The published table: final IPR of one unit on algebraic tails, and the kurtosis that was recorded with it.

use fovea_desk::ipr_table::Source;

/// Exponent; excess kurtosis as recorded, from ten thousand numbers of one site; and the final IPR at batch 50000.
///
/// 95 to 100 runs, of which 95 are taken, where another count is not given.
pub(super) const TABLE: [(f64, f64, Source); 13] = [
    (4.1, 4.63, Source { mean: 0.0339, sd: 0.0033, median: 0.0339, runs: 95, flow: Some(0.0337) }),
    (4.3, 3.38, Source { mean: 0.0354, sd: 0.0039, median: 0.0350, runs: 95, flow: Some(0.0350) }),
    (4.5, 2.48, Source { mean: 0.0372, sd: 0.0048, median: 0.0364, runs: 95, flow: Some(0.0368) }),
    (4.74, 1.71, Source { mean: 0.0403, sd: 0.0065, median: 0.0386, runs: 95, flow: Some(0.0395) }),
    (5.0, 1.11, Source { mean: 0.0452, sd: 0.0092, median: 0.0428, runs: 95, flow: Some(0.0438) }),
    (5.4, 0.51, Source { mean: 0.0591, sd: 0.0196, median: 0.0533, runs: 95, flow: Some(0.0542) }),
    (6.0, -0.03, Source { mean: 0.1184, sd: 0.0561, median: 0.105, runs: 30, flow: None }),
    (6.1, -0.09, Source { mean: 0.1131, sd: 0.0526, median: 0.105, runs: 95, flow: Some(0.0863) }),
    (7.0, -0.49, Source { mean: 0.3167, sd: 0.2109, median: 0.274, runs: 30, flow: None }),
    (7.7, -0.66, Source { mean: 0.4908, sd: 0.2634, median: 0.470, runs: 95, flow: Some(0.1975) }),
    (8.0, -0.71, Source { mean: 0.6126, sd: 0.2701, median: 0.799, runs: 30, flow: None }),
    (10.0, -0.93, Source { mean: 0.7960, sd: 0.1543, median: 0.846, runs: 95, flow: Some(0.289) }),
    (50.0, -1.20, Source { mean: 0.8871, sd: 0.0290, median: 0.890, runs: 95, flow: Some(0.425) }),
];

/// One exponent without a kurtosis, from an earlier sweep of thirty runs that the publication leaves out.
pub(super) struct Heavy {
    pub(super) k: f64,
    /// What the published program divides the law by: the deviation of a million numbers from its generator at a fixed key.
    pub(super) unit: f64,
    pub(super) mean: f64,
    pub(super) sd: f64,
}

/// Runs behind each of them.
pub(super) const HEAVY_RUNS: usize = 30;

/// The units are computed from the generator the program uses, since the law has no deviation for k of 2 and less.
pub(super) const HEAVY: [Heavy; 3] = [
    Heavy { k: 1.0, unit: 4248.97, mean: 0.869, sd: 0.182 },
    Heavy { k: 2.0, unit: 2.88649, mean: 0.411, sd: 0.322 },
    Heavy { k: 3.0, unit: 1.00154, mean: 0.031, sd: 0.002 },
];

/// Whether two exponents are one.
pub(super) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// The row of an exponent without a kurtosis.
pub(super) fn heavy(k: f64) -> Option<&'static Heavy> {
    HEAVY.iter().find(|row| same(row.k, k))
}

/// The recorded kurtosis and the published IPRs at an exponent.
pub(super) fn entry_at(k: f64) -> Option<(f64, Source)> {
    TABLE.iter().find(|row| same(row.0, k)).map(|row| (row.1, row.2))
}
