//! The machine's peak, with which other rates are compared.

use super::row::{Row, Work};
use fovea_sim::peak::{Done, double, single};
use fovea_sim::simd::Level;

/// Rounds of one piece of work, which take some microseconds.
const ROUNDS: u64 = 1000;

/// The most multiply-adds of one thread, in both number types.
pub(super) fn rows() -> Vec<Row> {
    let row = |dtype: &str, chains: fn(Level, u64) -> Done| {
        let level = Level::best();
        let about = format!("multiply-adds in registers, {}", level.name());
        let flop = chains(level, ROUNDS).flop;
        Row::new(format!("peak-{dtype}"), about, ("GFLOP/s", 1e-9 * flop), move || {
            let work: Work = Box::new(move |count| {
                std::hint::black_box(chains(level, count * ROUNDS));
                Ok(())
            });
            Ok(work)
        })
    };
    vec![row("f32", single), row("f64", double)]
}
