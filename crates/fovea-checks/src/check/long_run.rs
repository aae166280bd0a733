//! The long run of one unit on Gaussian data: its transient, its mode and the time it takes (note 001 end, note 003 section 2).

use super::prelude::*;
use fovea_theory::GaussianFlow;
use fovea_theory::relu::flow_exact::flow_exact;
use fovea_theory::relu::relaxation::relaxation;
use fovea_theory::relu::steady::steady;
use rayon::prelude::*;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "long-run",
    summary: "One unit on Gaussian data for a long time: short waves first, then the stable mode, slowly.",
    covers: &["L001.81", "L003.57", "L003.59"],
    run,
};

const SITES: usize = 40;
const WHY: &str = "both sides follow a differential equation, to 1e-11 a step";

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let flow = GaussianFlow::on_ring(SITES, 2.0, 1.0, Kernel::Ring).map_err(FormError::from)?;
    Ok(vec![transient(&flow, effort)?, figure_one(&flow, effort)?, rates(&flow)?])
}

/// A start drawn with this standard deviation.
fn start(effort: &Effort, index: u64, std: f64) -> Vec<f64> {
    let mut w = vec![0.0; SITES];
    effort.streams.named("starts").normals(index, &mut w);
    w.iter().map(|w| std * w).collect()
}

/// Power at every frequency, from the coefficients.
fn powers(u: &[f64]) -> Vec<f64> {
    let mut power = vec![0.0; SITES / 2 + 1];
    for (j, u) in u.iter().enumerate() {
        power[frequency_of(j, SITES)] += u * u;
    }
    power
}

/// Mean frequency of the power, and the norm.
fn mean_frequency_and_norm(u: &[f64]) -> [f64; 2] {
    let power = powers(u);
    let total: f64 = power.iter().sum();
    let first: f64 = power.iter().enumerate().map(|(k, p)| k as f64 * p).sum();
    [first / total, total.sqrt()]
}

/// Mean frequency and norm over time: the closed solution with its one clock, and the whole system.
fn transient(flow: &GaussianFlow, effort: &Effort) -> Result<Comparison, LabError> {
    let (times, last) = ([1.0, 8.0, 30.0], 4000.0);
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    let mut ends = Vec::new();
    for (index, std) in [(0, 1.0), (1, (2.0 / (SITES as f64 + 1.0)).sqrt())] {
        let w = start(effort, index, std);
        let path = flow.path(&w, last).map_err(FormError::from)?;
        for t in times {
            let closed =
                flow_exact(&flow.eigs_pos, &flow.eigs_neg, &w, t).map_err(FormError::from)?;
            predicted.extend(mean_frequency_and_norm(&to_fourier(&closed.w)));
            measured.extend(mean_frequency_and_norm(&path.at(t).map_err(FormError::from)?));
        }
        // The transient: shorter waves first, longer ones later.
        let frequency =
            |t: f64| -> Result<f64, FormError> { Ok(mean_frequency_and_norm(&path.at(t)?)[0]) };
        let (begun, middle, late) = (frequency(0.0)?, frequency(3.0)?, frequency(30.0)?);
        predicted.extend([1.0, 1.0]);
        measured.extend([middle > begun, late < middle].map(|holds| f64::from(u8::from(holds))));
        // In the end the flat mode alone, at the amplitude of the stationary point; the note has nothing left.
        let flat =
            steady(&flow.eigs_pos, &flow.eigs_neg, 0).ok_or(FormError::NoSteadyState { k: 0 })?;
        predicted.extend([0.0, flat.amplitude]);
        measured.extend(mean_frequency_and_norm(path.last()));
        source.clone_from(&predicted);
        ends.push(source.len() - 1);
    }
    for end in ends {
        source[end] = 0.0;
    }
    let what = "mean |k| and norm of a field at t = 1, 8, 30 and 4000 from N(0, 1) and from Glorot weights, n = 40, xi_pos = 2, xi_neg = 1: one clock and the stationary point, and the whole system; that mean |k| first rises and then falls; the source ends at norm 0";
    Ok(Comparison::digits(&["L001.81"], what, &predicted, &measured)
        .within(1e-7, WHY)
        .source(&source))
}

/// The state of the fourth note's figure, `t = 20`: shares of the power at low frequencies over many starts.
fn figure_one(flow: &GaussianFlow, effort: &Effort) -> Result<Comparison, LabError> {
    let (count, t, std) = (effort.samples(400) as u64, 20.0, (2.0 / (SITES as f64 + 1.0)).sqrt());
    let both = |index: u64| -> Result<[Vec<f64>; 2], FormError> {
        let w = start(effort, index, std);
        let closed = flow_exact(&flow.eigs_pos, &flow.eigs_neg, &w, t)?;
        Ok([powers(&to_fourier(&closed.w)), powers(flow.path(&w, t)?.last())])
    };
    let all = (0..count).into_par_iter().map(both).collect::<Result<Vec<_>, _>>()?;
    let side = |side: usize| -> Vec<f64> {
        let shares: Vec<Vec<f64>> = all
            .iter()
            .map(|both| {
                let total: f64 = both[side].iter().sum();
                both[side].iter().map(|p| p / total).collect()
            })
            .collect();
        let median = |k: usize| {
            let mut list: Vec<f64> = shares.iter().map(|share| share[k]).collect();
            list.sort_by(f64::total_cmp);
            list[list.len() / 2]
        };
        let led = |share: &&Vec<f64>| share[1..].iter().all(|p| *p < share[0]);
        let flat = shares.iter().filter(led).count() as f64 / shares.len() as f64;
        vec![median(0), median(1), median(2), median(3), flat]
    };
    let measured = side(1);
    let what = format!(
        "{count} Glorot starts at t = 20, n = 40, xi_pos = 2, xi_neg = 1: median shares of the power at |k| = 0..3 ({:.2}, {:.2}, {:.2}, {:.2}), and share of starts led by k = 0 ({:.2}); one clock, and the whole system",
        measured[0], measured[1], measured[2], measured[3], measured[4]
    );
    let same = Comparison::digits(&["L003.57"], what, &side(0), &measured).within(1e-7, WHY);
    Ok(same.and(most(flow, effort, (t, std))?))
}

/// Starts that say whether most are led by the flat mode: enough at any effort, since the closed solution costs little.
const MANY: u64 = 1000;

/// The claim itself: most starts are not led by the flat mode.
fn most(
    flow: &GaussianFlow,
    effort: &Effort,
    (t, std): (f64, f64),
) -> Result<Comparison, LabError> {
    let led = |index: u64| -> Result<f64, FormError> {
        let closed = flow_exact(&flow.eigs_pos, &flow.eigs_neg, &start(effort, index, std), t)?;
        let power = powers(&to_fourier(&closed.w));
        Ok(f64::from(u8::from(power[1..].iter().all(|p| *p < power[0]))))
    };
    let led = (0..MANY).into_par_iter().map(led).collect::<Result<Vec<_>, _>>()?;
    let share = Estimate::from_samples(&led)?;
    let what = format!("share of {MANY} starts led by k = 0 there, below 1/2");
    Ok(Comparison::noise(&["L003.57"], what, &[(share, share.mean().min(0.5))])
        .against("half of them or more", &[share.mean().max(0.5)])
        .coarse("a bound, and not a value"))
}

/// Relaxation rates in closed form, and how fast small departures die out along the flow.
fn rates(flow: &GaussianFlow) -> Result<Comparison, LabError> {
    let none = FormError::NoSteadyState { k: 0 };
    let flat = steady(&flow.eigs_pos, &flow.eigs_neg, 0).ok_or(none.clone())?;
    let point = relaxation(&flow.eigs_pos, &flow.eigs_neg, 0).ok_or(none)?;
    let height = flat.amplitude / (SITES as f64).sqrt();
    // In direction j of the real basis, by a symmetric difference.
    let departure = 1e-3 * height;
    let rate = |frequency: usize, t: f64| -> Result<f64, FormError> {
        let wave = |i: usize| fovea_core::fourier::cos_turns(frequency * i, SITES);
        let pushed = |sign: f64| -> Result<f64, FormError> {
            let w: Vec<f64> = (0..SITES).map(|i| height + sign * departure * wave(i)).collect();
            let end = flow.solve(&w, t)?;
            let along: f64 = end.iter().enumerate().map(|(i, w)| w * wave(i)).sum();
            Ok(along * if frequency == 0 { 1.0 } else { 2.0 } / SITES as f64)
        };
        Ok(libm::log(0.5 * (pushed(1.0)? - pushed(-1.0)?) / departure) / t)
    };
    let measured = [rate(0, 1.0)?, rate(1, 100.0)?, rate(2, 30.0)?, rate(3, 15.0)?];
    let predicted = [point.radial, point.rates[1], point.rates[2], point.rates[3]];
    let what = "rates at which the norm and |k| = 1, 2, 3 relax to the flat field (times 0.75, 123.7, 32.4, 15.5), n = 40, xi_pos = 2, xi_neg = 1: closed form, and small departures along the flow";
    Ok(Comparison::digits(&["L003.59"], what, &predicted, &measured)
        .within(1e-6, "the square of the departure and the solver's error over it"))
}
