//! The tangent kernel of a deep network on many inputs.
//!
//! Three hidden layers of 512 ReLU units between 64 entries and one output, 200 inputs. Weights and inputs come from a hash
//! of their place, so that another program can be given the same ones.

use super::row::{Measured, Relation, Row, Work};
use fovea_core::lanes::Real;
use fovea_core::streams::Streams;
use fovea_core::{Function, activation};
use fovea_sim::mlp::{Mlp, Shape, TangentElement, Tangents};

/// Inputs.
pub const INPUTS: usize = 200;
/// Entries of an input.
pub const ENTRIES: usize = 64;
/// Units of a hidden layer.
pub const WIDTH: usize = 512;
/// Hidden layers.
pub const DEPTH: usize = 3;

/// The kernel in one number type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Single precision.
    Single,
    /// Double precision.
    Double,
}

/// Both, in the order of the table.
pub const BOTH: [Precision; 2] = [Precision::Single, Precision::Double];

impl Precision {
    /// The name of the row.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "ntk-f32",
            Self::Double => "ntk-f64",
        }
    }

    /// The word for the number type.
    pub fn dtype(self) -> &'static str {
        match self {
            Self::Single => <f32 as Real>::NAME,
            Self::Double => <f64 as Real>::NAME,
        }
    }

    /// How far two correct kernels may differ, over the largest entry: sums of hundreds of terms in two orders.
    pub fn limit(self) -> f64 {
        64.0 * match self {
            Self::Single => f64::from(f32::EPSILON),
            Self::Double => f64::EPSILON,
        }
    }

    /// Computes the kernel this many times, and returns it.
    pub fn evaluator(self) -> Box<dyn FnMut(u64) -> Vec<f64> + Send> {
        match self {
            Self::Single => evaluator::<f32>(),
            Self::Double => evaluator::<f64>(),
        }
    }
}

/// The kernel in one line.
pub fn about(precision: Precision) -> String {
    format!(
        "tangent kernel of {DEPTH} hidden layers of {WIDTH} relu units on {INPUTS} inputs of {ENTRIES} entries, {}",
        precision.dtype()
    )
}

/// Multiplications and additions where every inner product is computed once.
fn flop() -> f64 {
    let (inputs, width) = (INPUTS as f64, WIDTH as f64);
    let layers = ENTRIES as f64 * width + 2.0 * (DEPTH - 1) as f64 * width * width;
    let inner = 0.5 * (inputs + 1.0) * (ENTRIES as f64 + 2.0 * DEPTH as f64 * width);
    2.0 * inputs * (layers + inner)
}

/// Uniform numbers of mean 0 and variance 1: a hash of their place in table `table`.
pub fn numbers(table: u32, count: usize) -> Vec<f64> {
    let mix = |mut x: u32| {
        x = (x ^ (x >> 16)).wrapping_mul(0x21F0_AAAD);
        x = (x ^ (x >> 15)).wrapping_mul(0xD35A_2D97);
        x ^ (x >> 15)
    };
    let number = |i: u32| {
        let bits = mix(mix(i).wrapping_add(table.wrapping_mul(0x9E37_79B9)));
        (f64::from(bits >> 8) / f64::from(1 << 24) - 0.5) * 12.0_f64.sqrt()
    };
    (0..count as u32).map(number).collect()
}

fn network() -> Mlp {
    let shape = Shape {
        n_in: ENTRIES,
        widths: vec![WIDTH; DEPTH],
        activation: Function::Registered(&activation::relu::ENTRY),
        ..Shape::default()
    };
    let mut mlp = shape.draw(&Streams::new(0));
    for (table, layer) in (1..).zip(&mut mlp.layers) {
        layer.weights = numbers(table, layer.weights.len());
    }
    mlp
}

fn evaluator<T: TangentElement>() -> Box<dyn FnMut(u64) -> Vec<f64> + Send> {
    let mut path = Tangents::<T>::of(&network());
    let x: Vec<T> = numbers(0, INPUTS * ENTRIES).into_iter().map(T::from_f64).collect();
    Box::new(move |count| {
        for _ in 1..count {
            std::hint::black_box(path.kernel(&x, 0));
        }
        std::hint::black_box(path.kernel(&x, 0)).into_iter().map(T::to_f64).collect()
    })
}

pub(super) fn rows() -> Vec<Row> {
    BOTH.map(row).into()
}

fn row(precision: Precision) -> Row {
    let prepare = move || {
        let mut kernel = precision.evaluator();
        let work: Work = Box::new(move |count| {
            std::hint::black_box(kernel(count));
            Ok(())
        });
        Ok(work)
    };
    let relate = move |row: &Measured, before: &[Measured]| {
        let peak = Measured::find(&format!("peak-{}", precision.dtype()), before);
        let share = peak.map(|peak| {
            let value = 1e-9 * flop() * row.rate.median / peak.rate.median;
            let text = format!("{:.0} % of the peak", 100.0 * value);
            Relation { key: "share_of_peak", value, text }
        });
        share.into_iter().collect()
    };
    let row = Row::new(precision.name().to_owned(), about(precision), ("kernels/s", 1.0), prepare);
    Row { relate: Box::new(relate), ..row }
}
