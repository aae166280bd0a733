//! The axis of the published figure: the kurtosis of ten thousand numbers, which heavy tails bias.

use super::IprVsKurtosis;
use super::source::entry_at;
use fovea_core::stats::quantile;
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::replicas::share;
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::Task;
use fovea_sim::sample::Sample;
use fovea_theory::kur::excess_kurtosis::excess_kurtosis;

/// Numbers behind one estimate: as many samples of one site.
const NUMBERS: usize = 10_000;
/// The range an estimate is expected in, by its quantiles.
const RANGE: [f64; 2] = [0.005, 0.995];
/// Above this exact excess kurtosis most estimates are too low.
const HEAVY: f64 = 1.0;

/// Estimates of the excess kurtosis at one exponent.
pub(super) struct Estimates {
    pub(super) k: f64,
    pub(super) exact: f64,
    /// As published.
    pub(super) recorded: Option<f64>,
    all: Vec<f64>,
}

impl Estimates {
    /// One estimate a site and draw, about zero and not about their mean, as the published program has it.
    pub(super) fn draw(settings: &IprVsKurtosis, k: f64, task: &Task, bench: &Bench<'_>) -> Self {
        let law = task.classes()[0].stimulus.as_ref();
        let streams = bench.streams().part(&format!("kurtosis,k={k}"));
        let draws: Vec<u64> = (0..settings.estimates as u64).collect();
        let all = bench.fleet(&draws, |draw| {
            let stream = streams.replica(*draw).named("numbers");
            let mut sums = vec![[0.0; 2]; settings.n];
            for row in Sample::draw(law, &stream, NUMBERS).rows() {
                for (sums, x) in sums.iter_mut().zip(row) {
                    sums[0] += x * x;
                    sums[1] += x * x * x * x;
                }
            }
            let kurtosis =
                |[square, fourth]: [f64; 2]| NUMBERS as f64 * fourth / (square * square) - 3.0;
            sums.into_iter().map(kurtosis).collect::<Vec<f64>>()
        });
        let recorded = entry_at(k).map(|row| row.recorded);
        Self { k, exact: excess_kurtosis(k), recorded, all: all.concat() }
    }

    /// The estimate at this level.
    pub(super) fn at(&self, level: f64) -> Result<f64, LabError> {
        Ok(quantile(&self.all, level)?)
    }

    fn holds(&self, value: f64) -> Result<bool, LabError> {
        Ok(self.at(RANGE[0])? <= value && value <= self.at(RANGE[1])?)
    }

    pub(super) fn array(&self) -> Array {
        Array::of_entries(format!("kurtosis_k={}", self.k), &self.all)
    }
}

/// Recorded kurtoses lie where estimates do; at heavy tails most estimates lie below the closed form.
pub(super) fn claims(all: &[Estimates]) -> Result<Vec<Claim>, LabError> {
    let flag = |yes: bool| f64::from(u8::from(yes));
    let (mut inside, mut known, mut below, mut heavy) = (0.0, 0.0, 0.0, 0.0);
    let mut claims = Vec::new();
    for at in all {
        let Some(recorded) = at.recorded else { continue };
        known += 1.0;
        inside += flag(at.holds(recorded)?);
        heavy += flag(at.exact > HEAVY);
        below += flag(at.exact > HEAVY && recorded < at.exact);
    }
    if heavy > 0.0 {
        let statement = format!(
            "the {known} recorded kurtoses lie in the range of {} estimates from {NUMBERS} numbers each, and below the closed form wherever that is above {HEAVY}",
            all[0].all.len()
        );
        let measured = [inside, below];
        claims.push(
            Claim::exact("published", statement, &[known, heavy], &measured, 1e-9).rejecting_exact(
                "an estimate as often above the closed form as below",
                &[known, 0.5 * heavy],
                &measured,
            ),
        );
    }
    for at in all.iter().filter(|at| at.exact > HEAVY) {
        let low = at.all.iter().filter(|estimate| **estimate < at.exact).count();
        let statement = format!(
            "k = {}: more than half of the estimates lie below the exact kurtosis {:.3}",
            at.k, at.exact
        );
        claims.push(one_sided("published", statement, share(low, at.all.len())?, 0.5, true));
    }
    Ok(claims)
}

/// A line an exponent: exact, recorded, and how estimates spread.
pub(super) fn table(all: &[Estimates]) -> Result<Vec<String>, LabError> {
    let mut lines = vec![format!(
        "{:>8} {:>9} {:>9} {:>9} {:>17}   excess kurtosis; estimates from {NUMBERS} numbers",
        "k", "exact", "recorded", "median", "1 to 99 % of ours"
    )];
    for at in all {
        let recorded = at.recorded.map_or_else(|| "-".to_owned(), |x| format!("{x:.2}"));
        let range = format!("{:.2} .. {:.2}", at.at(0.01)?, at.at(0.99)?);
        lines.push(format!(
            "{:>8} {:>9.3} {recorded:>9} {:>9.2} {range:>17}",
            at.k,
            at.exact,
            at.at(0.5)?
        ));
    }
    Ok(lines)
}
