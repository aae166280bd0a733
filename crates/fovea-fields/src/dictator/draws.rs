//! How often a random start lies in a cell already: drawn and counted, beside the closed form.

use super::Dictator;
use fovea_core::stats::Estimate;
use fovea_desk::bench::Bench;
use fovea_desk::cell::in_dictator_cell;
use fovea_desk::error::LabError;
use fovea_desk::replicas::share;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_theory::dictator::dominance::dominance;

/// Sizes that are drawn; the closed form reaches further.
const SIZES: std::ops::RangeInclusive<usize> = 2..=10;

/// Vectors of independent normals, a size a row.
pub(super) struct Draws {
    pub(super) sizes: Vec<usize>,
    pub(super) counted: Vec<Estimate>,
    pub(super) closed: Vec<f64>,
}

impl Draws {
    pub(super) fn new(settings: &Dictator, bench: &Bench<'_>) -> Result<Self, LabError> {
        let sizes: Vec<usize> = SIZES.collect();
        let stream = bench.streams().named("dominance");
        let hits = bench.fleet(&sizes, |n| {
            let mut numbers = vec![0.0; n * settings.draws];
            stream.normals(*n as u64, &mut numbers);
            numbers.chunks(*n).filter(|w| in_dictator_cell(w)).count()
        });
        let counted =
            hits.iter().map(|hits| share(*hits, settings.draws)).collect::<Result<_, _>>()?;
        let closed = sizes.iter().map(|n| dominance(*n)).collect();
        Ok(Self { sizes, counted, closed })
    }

    /// Of two weights one always dominates, so that there is nothing to count.
    pub(super) fn claim(&self) -> Claim {
        let rows = || self.counted.iter().copied().zip(&self.sizes).zip(&self.closed).skip(1);
        let pairs: Vec<(Estimate, f64)> = rows().map(|((e, _), closed)| (e, *closed)).collect();
        let stick = |n: usize| n as f64 * libm::exp2(1.0 - n as f64);
        let wrong: Vec<(Estimate, f64)> = rows().map(|((e, n), _)| (e, stick(*n))).collect();
        let statement = "one of n independent normal weights outvotes the others with the probability of dictator.dominance, n = 3 to 10";
        let form = "n/2^(n-1), the law of weights with exponential tails";
        Claim::family("L000.46", statement, &pairs).rejecting(form, &wrong)
    }

    /// Size, counted share, its standard error, closed form.
    pub(super) fn array(&self) -> Array {
        let rows: Vec<Vec<f64>> = (0..self.sizes.len())
            .map(|i| {
                let counted = &self.counted[i];
                vec![self.sizes[i] as f64, counted.mean(), counted.se(), self.closed[i]]
            })
            .collect();
        Array::of_rows("dominance", &rows)
    }
}
