//! The gated mean of spins and pulses: symmetries, votes and the correlation of the gate with other sites (note 000, sections 2 and 3).

use super::prelude::*;
use fovea_theory::Spins;
use fovea_theory::ising::cov::{self, cov};
use fovea_theory::ising::fourth::{self, fourth};
use fovea_theory::pulse::gated::{self, gated};
use fovea_theory::spins::SpinsError;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "hypercube",
    summary: "The gated mean of binary data: symmetries, votes and the correlation of the gate with other sites.",
    covers: &[
        "L000.6/symmetric",
        "L000.6/pulses",
        "L000.7",
        "L000.27",
        "L000.32",
        "L000.42",
        "L000.48",
    ],
    run,
};

/// Coupling and size of the Ising ring.
const COUPLING: f64 = 0.6;
const RING: usize = 9;
/// Weights without symmetry; they add up to 4.41, an odd number of hundredths, so that no corner lies on the hyperplane.
const WEIGHTS: [f64; RING] = [0.9, -0.36, 0.6, 0.2, -0.8, 0.45, 0.1, -0.3, 0.7];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let ring = Corners::ising(RING, COUPLING);
    let open: fn(usize, f64) -> Vec<f64> = |n, coupling| {
        let a = libm::tanh(coupling);
        (0..=n / 2).map(|d| libm::pow(a, d as f64)).collect()
    };
    let covariance = unfold(
        &effort.form(&cov::ENTRY, cov as fn(usize, f64) -> Vec<f64>, open)(RING, COUPLING),
        RING,
    );
    Ok(vec![
        odd(effort, &ring)?,
        pulses(effort),
        shifted(effort, &ring)?,
        outvoted(effort, &ring, &covariance),
        extracted(effort, &ring, &covariance),
        scaled_and_shifted(effort, &ring)?,
        dependent(&ring, &covariance),
    ])
}

fn ising() -> Result<Spins, LabError> {
    let form = |error: SpinsError| LabError::from(FormError::from(error));
    Spins::ising(RING, COUPLING).map_err(form)
}

fn turned(f: &[f64], shift: usize) -> Vec<f64> {
    let mut turned = f.to_vec();
    turned.rotate_right(shift);
    turned
}

/// The weights where site `site` outvotes all others.
fn dominated(site: usize, sign: f64) -> [f64; RING] {
    let mut w = WEIGHTS;
    w[site] = sign * 4.5;
    w
}

/// `f(-w) = -f(w)` on an Ising ring.
fn odd(effort: &Effort, ring: &Corners) -> Result<Comparison, LabError> {
    let parity = effort.slip("parity of f", "even, f(-w) = f(w)", -1.0, 1.0);
    let predicted = scaled(parity, &ising()?.gated_mean(&WEIGHTS));
    let measured = ring.gated_mean(&WEIGHTS.map(|w| -w), true);
    let what = "an Ising ring of 9, coupling 0.6: -f(w) from sums of transfer matrices, and f(-w) over all corners";
    Ok(Comparison::digits(&["L000.6/symmetric"], what, &predicted, &measured))
}

/// For pulses, whose mean is not 0, `f(-w) = E[x] + E[x; S = 0] - f(w)`.
fn pulses(effort: &Effort) -> Comparison {
    let lengths = [2, 3];
    let pulses: Vec<Vec<f64>> = lengths
        .iter()
        .flat_map(|l| (0..RING).map(move |s| (0..RING).map(|i| lit(i, s, *l)).collect()))
        .collect();
    let share = 1.0 / pulses.len() as f64;
    let mean = |keep: &dyn Fn(f64) -> bool, i: usize| -> f64 {
        pulses.iter().filter(|x| keep(dot(&WEIGHTS, x))).map(|x| share * x[i]).sum()
    };
    let there = gated(&WEIGHTS, &lengths);
    // A site lies in 2, or in 3, of the 9 pulses of one length; the weights of sites 2, 3 and 4 add up to 0.
    let on_wall = |i: usize| if (2..5).contains(&i) { share } else { 0.0 };
    let right: Vec<f64> = (0..RING).map(|i| 2.5 / 9.0 + on_wall(i) - there[i]).collect();
    let odd = scaled(-1.0, &there);
    let predicted = effort.form(&gated::ENTRY, right, odd.clone());
    let measured: Vec<f64> = (0..RING).map(|i| mean(&|sum| -sum >= 0.0, i)).collect();
    let what = "single pulses of 2 or 3 sites on a ring of 9: E[x] + E[x; S = 0] - f(w), with E[x] = 5/18, and f(-w) over all pulses, one of which, that of sites 2, 3 and 4, lies on the hyperplane <w,x> = 0";
    Comparison::digits(&["L000.6/pulses"], what, &predicted, &measured)
}

fn lit(i: usize, start: usize, length: usize) -> f64 {
    f64::from(u8::from((i + RING - start) % RING < length))
}

fn shifted(effort: &Effort, ring: &Corners) -> Result<Comparison, LabError> {
    let f = ising()?.gated_mean(&WEIGHTS);
    let back = effort.slip("shift of f", "the other way round the ring", false, true);
    let all = |g: &dyn Fn(usize) -> Vec<f64>| (0..RING).flat_map(g).collect::<Vec<f64>>();
    let predicted = all(&|s| turned(&f, if back { RING - s } else { s }));
    let measured = all(&|s| ring.gated_mean(&turned(&WEIGHTS, s), true));
    let what = "an Ising ring of 9, coupling 0.6: all shifts of f(w) from sums of transfer matrices, and f of the shifted weights over all corners";
    Ok(Comparison::digits(&["L000.7"], what, &predicted, &measured))
}

fn scaled_and_shifted(effort: &Effort, ring: &Corners) -> Result<Comparison, LabError> {
    let f = ising()?.gated_mean(&WEIGHTS);
    let degree = effort.slip("degree of f", "grows with a, as E ReLU does", 0.0, 1.0);
    let moves = [(1.0, 2), (0.001, 4), (300.0, 7)];
    let of = |(scale, s): &(f64, usize)| turned(&scaled(libm::pow(*scale, degree), &f), *s);
    let predicted: Vec<f64> = moves.iter().flat_map(of).collect();
    let moved = |(scale, s): &(f64, usize)| turned(&WEIGHTS.map(|w| scale * w), *s);
    let measured: Vec<f64> = moves.iter().flat_map(|m| ring.gated_mean(&moved(m), true)).collect();
    let what = "an Ising ring of 9, coupling 0.6: T^s f(w) from sums of transfer matrices, and f(a T^s w) over all corners, a = 1, 0.001, 300 and s = 2, 4, 7; the note has f(w) at every position";
    let source = f.repeat(moves.len());
    Ok(Comparison::digits(&["L000.42"], what, &predicted, &measured).source(&source))
}

/// One weight outvotes the others: half a signed column of the covariance.
fn outvoted(effort: &Effort, ring: &Corners, covariance: &[f64]) -> Comparison {
    let half = effort.slip("f of a site that decides alone", "without its 1/2", 0.5, 1.0);
    let signed = effort.slip("f of a site that decides alone", "without its sign", true, false);
    let cases = [(0, 1.0), (3, -1.0), (8, 1.0)];
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (site, sign) in cases {
        let factor = if signed { half * sign } else { half };
        predicted.extend((0..RING).map(|i| factor * covariance[distance(site, i, RING)]));
        measured.extend(ring.gated_mean(&dominated(site, sign), true));
    }
    let what = "an Ising ring of 9, coupling 0.6, where one weight, 4.5 or -4.5, exceeds all others together: half a signed column of Cov(x), and f(w) over all corners";
    Comparison::digits(&["L000.27"], what, &predicted, &measured)
}

/// Three comparable weights vote, and f is largest at the middle one; a weight that outweighs the others alone decides f.
fn extracted(effort: &Effort, ring: &Corners, covariance: &[f64]) -> Comparison {
    let four: fn([usize; 4]) -> f64 = effort.form(
        &fourth::ENTRY,
        |sites| fourth(RING, COUPLING, sites).moment,
        |sites| {
            let four = fourth(RING, COUPLING, sites);
            four.moment - four.cumulant
        },
    );
    let at = |i: usize, j: usize| covariance[distance(i, j, RING)];
    let vote = |l: usize| 0.25 * ((0..3).map(|s| at(s, l)).sum::<f64>() - four([0, 1, 2, l]));
    let alone = |l: usize| 0.5 * at(0, l);
    let weights = |first: f64| {
        let mut w = [0.0; RING];
        (w[0], w[1], w[2]) = (first, 1.5, 1.0);
        ring.gated_mean(&w, true)
    };
    let predicted: Vec<f64> = (0..RING).map(vote).chain((0..RING).map(alone)).collect();
    let source: Vec<f64> = (0..RING).map(alone).collect();
    let measured = [weights(2.0), weights(2.75)].concat();
    let what = "an Ising ring of 9, coupling 0.6: f(2 e_0 + 1.5 e_1 + e_2) of a majority, largest at site 1, and f(2.75 e_0 + 1.5 e_1 + e_2), half a column of site 0, in closed form, and both over all corners; the note extracts e_0 in both";
    Comparison::digits(&["L000.32"], what, &predicted, &measured).source(&source.repeat(2))
}

/// Chances that a spin is up when the gate of a dominating site 0 is open, unconditionally and given that site.
fn dependent(ring: &Corners, covariance: &[f64]) -> Comparison {
    let w = dominated(0, 1.0);
    let open = |x: &[f64]| dot(&w, x) >= 0.0;
    let chance = |event: &dyn Fn(&[f64]) -> bool| ring.mean(|x| f64::from(u8::from(event(x))));
    let given = |i: usize| chance(&|x| open(x) && x[i] > 0.0) / chance(&open);
    let among = |keep: &dyn Fn(&[f64]) -> bool, i: usize| {
        let of = |g: &dyn Fn(&[f64]) -> f64| {
            ring.mean(|x| if keep(x) { g(x) } else { 0.0 }) / chance(keep)
        };
        let gate = |x: &[f64]| f64::from(u8::from(open(x)));
        of(&|x| gate(x) * x[i]) - of(&gate) * of(&|x| x[i])
    };
    let others = 1..RING;
    let of = |i: usize| [0.5 * (1.0 + covariance[i]), 0.5 * covariance[i], 0.0];
    let predicted: Vec<f64> = others.clone().flat_map(of).collect();
    let found = |i: usize| [given(i), among(&|_| true, i), among(&|x| x[0] > 0.0, i)];
    let measured: Vec<f64> = others.clone().flat_map(found).collect();
    let source: Vec<f64> = others.flat_map(|_| [0.5, 0.0, 0.0]).collect();
    let what = "an Ising ring of 9, coupling 0.6, dominated by site 0: P(x_j = 1 | gate) = (1 + C_0j)/2, Cov(gate, x_j) = C_0j/2 and, given that x_0 = 1, 0, and the three over all corners; the note has independence without that condition";
    Comparison::digits(&["L000.48"], what, &predicted, &measured).source(&source)
}
