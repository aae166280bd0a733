//! Translation on the ring, and on an open chain (note 000, footnote 1).
//!
//! `(T x)_(i+1) = x_i`, around the ring; `f(T^s w) = T^s f(w)` for every distribution that is stationary on the ring (L000.41).

use super::prelude::*;
use fovea_theory::Spins;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "translation",
    summary: "The gated mean shifts with its weights around the ring, but not along an open chain.",
    covers: &["L000.41/ring", "L000.41/chain"],
    run,
};

const N: usize = 12;
const COUPLING: f64 = 0.6;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    // An entry that leaves one end of the list enters at the other, or not.
    let shift: fn(&[f64], usize) -> Vec<f64> = effort.slip(
        "translation",
        "entries fall off the end of the list",
        |x, s| (0..x.len()).map(|i| x[(x.len() + i - s) % x.len()]).collect(),
        |x, s| (0..x.len()).map(|i| if i >= s { x[i - s] } else { 0.0 }).collect(),
    );
    let weights: [Vec<f64>; 2] = [
        (0..N).map(|i| libm::sin(0.3 + 1.9 * i as f64)).collect(),
        (0..N).map(|i| libm::exp(-0.7 * i as f64)).collect(),
    ];
    let law = |closed: bool| {
        if closed { Corners::ising(N, COUPLING) } else { Corners::chain(N, COUPLING) }
    };
    // The gated mean of every translate of the weights, over all corners.
    let moved = |closed: bool| {
        let name = if closed { "ring" } else { "chain" };
        effort.once(name, || -> Result<Vec<Vec<f64>>, LabError> {
            let law = law(closed);
            let around =
                |w: &[f64], s: usize| -> Vec<f64> { (0..N).map(|i| w[(N + i - s) % N]).collect() };
            let all = weights.iter().flat_map(|w| (0..N).map(move |s| (w, s)));
            Ok(all.map(|(w, s)| law.gated_mean(&around(w, s), true)).collect())
        })
    };
    let (ring, chain) = (moved(true)?, moved(false)?);
    let spins = Spins::ising(N, COUPLING).map_err(FormError::from)?;
    let follow = |w: &[f64]| -> Vec<f64> {
        let f = spins.gated_mean(w);
        (0..N).flat_map(|s| shift(&f, s)).collect()
    };
    let predicted: Vec<f64> = weights.iter().flat_map(|w| follow(w)).collect();
    let obey = |found: &[Vec<f64>]| {
        let follows = |(at, f): (usize, &Vec<f64>)| {
            let start = shift(&found[at - at % N], at % N);
            start.iter().zip(f).all(|(a, b)| (a - b).abs() < 1e-9)
        };
        // The unshifted weights always obey, and do not count.
        found.iter().enumerate().filter(|(at, _)| at % N > 0).filter(|case| follows(*case)).count()
    };
    let trials = weights.len() * (N - 1);
    let what = "an Ising ring of 12, coupling 0.6, two sets of weights, all translations: T^s f(w) by meeting in the middle, and f(T^s w) over all 4096 corners";
    let counted = "translations s = 1 to 11 of two sets of weights with f(T^s w) = T^s f(w), both over all corners: an Ising ring of 12, coupling 0.6";
    let open = "translations s = 1 to 11 of the same weights with f(T^s w) other than T^s f(w), both over all corners: an open Ising chain of 12, coupling 0.6";
    Ok(vec![
        Comparison::digits(&["L000.41/ring"], what, &predicted, &ring.concat()).and(
            Comparison::all(&["L000.41/ring"], counted, (obey(&ring), trials), 0.0)
                .against_cases("an open Ising chain", (obey(&chain), trials))
                .enumerated(),
        ),
        Comparison::all(&["L000.41/chain"], open, (trials - obey(&chain), trials), 0.0)
            .against_cases("the closed ring", (trials - obey(&ring), trials))
            .enumerated(),
    ])
}
