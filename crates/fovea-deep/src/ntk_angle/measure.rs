//! Kernels of one hidden layer: where they are singular, and how far those of drawn networks stray from the mean.

use super::RELU;
use fovea_core::symmetric::eigen;
use fovea_desk::prelude::*;
use fovea_sim::mlp::Shape;
use fovea_theory::ntk::concentration::Args;
use fovea_theory::ntk::gram::{Part, gram};
use std::f64::consts::PI;

/// Widths at which kernels are drawn.
pub(super) const WIDTHS: [usize; 4] = [25, 50, 100, 200];
/// Distances from the mean.
pub(super) const STRAYS: [f64; 3] = [0.1, 0.2, 0.3];
/// Angles of the inputs that stray.
const ANGLES: [f64; 4] = [0.0, 0.7, 1.5, 2.3];
/// Networks for each of the experiment's.
pub(super) const TIMES: usize = 10;
/// Units whose spread is taken for that of all.
const UNITS: usize = 20_000;

/// One width: for every distance how often it is exceeded, the bound, and the printed bound.
pub(super) struct Tail {
    pub(super) width: usize,
    pub(super) shares: [[f64; 3]; STRAYS.len()],
}

/// What was found.
pub(super) struct Positivity {
    /// Least eigenvalues over the trace: singular sets, and sets as large without opposite inputs.
    singular: Vec<f64>,
    regular: Vec<f64>,
    /// Angle of two inputs, and the least eigenvalue of the kernel of one wide tanh network over its diagonal.
    pub(super) pairs: Vec<[f64; 2]>,
    pub(super) tails: Vec<Tail>,
}

pub(super) const TANH: Function = Function::Registered(&activation::tanh::ENTRY);

/// The kernel of the second layer of one network at unit inputs: standard normal first weights.
fn kernel(s: &Function, width: usize, angles: &[f64], streams: &Streams) -> Vec<Vec<f64>> {
    let shape =
        Shape { n_in: 2, widths: vec![width], activation: s.clone(), c_w: 2.0, ..Shape::default() };
    let x: Vec<f64> = angles.iter().flat_map(|a| [libm::cos(*a), libm::sin(*a)]).collect();
    let pass = shape.draw(streams).forward(&x);
    let row = |a: usize| &pass.h[1][a * width..(a + 1) * width];
    let entry = |a: usize, b: usize| {
        row(a).iter().zip(row(b)).map(|(a, b)| a * b).sum::<f64>() / width as f64
    };
    (0..angles.len()).map(|a| (0..angles.len()).map(|b| entry(a, b)).collect()).collect()
}

/// The bound as printed, without the factor 2m and without the half.
fn printed(args: &Args) -> f64 {
    let v = args.spread / args.n as f64;
    let r = args.range / args.n as f64;
    libm::exp(-args.t * args.t / (v + r * args.t / 3.0))
}

fn minus(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let row = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(a, b)| a - b).collect();
    a.iter().zip(b).map(row).collect()
}

/// The largest magnitude of an eigenvalue.
fn size(rows: &[Vec<f64>]) -> f64 {
    eigen(rows).values.iter().fold(0.0, |top, x| top.max(x.abs()))
}

/// The least eigenvalue over the trace.
fn least(rows: &[Vec<f64>]) -> f64 {
    let values = eigen(rows).values;
    values[0] / values.iter().sum::<f64>()
}

/// The norm of the mean square of a unit's kernel minus the mean: that of `|s|^2 s s^T` less the square of the mean.
fn spread(mean: &[Vec<f64>], streams: &Streams) -> f64 {
    let m = mean.len();
    let mut sum = vec![vec![0.0; m]; m];
    for index in 0..UNITS as u64 {
        let unit = kernel(&TANH, 1, &ANGLES, &streams.replica(index));
        let trace: f64 = (0..m).map(|a| unit[a][a]).sum();
        for (row, unit) in sum.iter_mut().zip(&unit) {
            row.iter_mut().zip(unit).for_each(|(x, k)| *x += trace * k / UNITS as f64);
        }
    }
    let square = |a: usize, b: usize| (0..m).map(|c| mean[a][c] * mean[c][b]).sum::<f64>();
    let squared: Vec<Vec<f64>> = (0..m).map(|a| (0..m).map(|b| square(a, b)).collect()).collect();
    size(&minus(&sum, &squared))
}

impl Positivity {
    pub(super) fn new(nets: usize, desk: &Desk<'_>) -> Result<Self, LabError> {
        let streams = desk.streams().part("positivity");
        let pairs: Vec<f64> = [0.3, 1.0, 1.8].iter().flat_map(|a| [*a, a + PI]).collect();
        // The same number of inputs, the second of each pair a little off.
        let apart: Vec<f64> =
            pairs.iter().enumerate().map(|(i, a)| a + 0.4 * (i % 2) as f64).collect();
        let drawn = |s: &Function, angles: &[f64], width: usize| {
            least(&kernel(s, width, angles, &streams.part(s.name())))
        };
        let singular = vec![drawn(&TANH, &[0.3, 0.3 + PI], 200), drawn(&RELU, &pairs, 200)];
        let regular = vec![drawn(&TANH, &[0.3, 0.7 + PI], 200), drawn(&RELU, &apart, 200)];
        let turns = (0..=8).map(|i| PI * f64::from(i) / 8.0);
        let two = turns.map(|a| {
            let rows = kernel(&TANH, 4096, &[0.0, a], &streams.part("two"));
            [a, eigen(&rows).values[0].max(0.0) / rows[0][0]]
        });
        let mean = gram(&TANH, &ANGLES, Part::Value)?;
        let spread = spread(&mean, &streams.part("units"));
        let all: Vec<u64> = (0..(TIMES * nets) as u64).collect();
        let tail = |width: usize| -> Result<Tail, LabError> {
            let part = streams.part(&format!("width {width}"));
            let off = desk.fleet(&all, |index| {
                size(&minus(&kernel(&TANH, width, &ANGLES, &part.replica(*index)), &mean))
            })?;
            let shares = STRAYS.map(|t| {
                let often = off.iter().filter(|x| **x >= t).count() as f64 / off.len() as f64;
                // A unit's kernel and the mean are both between 0 and m.
                let range = ANGLES.len() as f64;
                let args = Args { m: ANGLES.len(), n: width, range, spread, t };
                [often, args.tail(), printed(&args)]
            });
            Ok(Tail { width, shares })
        };
        let tails = WIDTHS.into_iter().map(tail).collect::<Result<_, _>>()?;
        Ok(Self { singular, regular, pairs: two.collect(), tails })
    }

    pub(super) fn claims(&self) -> Vec<Claim> {
        let above = |least: &[f64]| -> Vec<f64> { least.iter().map(|x| 1.0 + x).collect() };
        let (singular, regular) = (above(&self.singular), above(&self.regular));
        let what = "1 plus the least eigenvalue over the trace: a tanh network on two opposite inputs, a ReLU network on three opposite pairs in the plane";
        let opposite = Claim::exact("T12.5", what, &[1.0; 2], &singular, 1e-12).rejecting_exact(
            "positive for distinct inputs, as for as many that are not opposite",
            &regular,
            &singular,
        );
        let shares: Vec<[f64; 3]> = self.tails.iter().flat_map(|at| at.shares).collect();
        let kept = |k: usize| {
            let holds = shares.iter().filter(|share| share[0] <= share[k]).count();
            holds as f64 / shares.len() as f64
        };
        let what = "share of widths and distances at which kernels of drawn tanh networks stray no more often than the bound";
        let tail = Claim::exact("T12.2", what, &[1.0], &[kept(1)], 1e-9).rejecting_exact(
            "the printed bound, without 2m and without the half",
            &[1.0],
            &[kept(2)],
        );
        vec![opposite, tail]
    }

    pub(super) fn table(&self) -> Vec<String> {
        let lines = self.tails.iter().flat_map(|at| {
            STRAYS.iter().zip(&at.shares).map(|(t, share)| {
                let about = [at.width.to_string(), t.to_string()];
                about.into_iter().chain(share.map(|x| format!("{x:.4}"))).collect()
            })
        });
        table(&["width", "t", "how often", "bound", "printed"], lines)
    }
}
