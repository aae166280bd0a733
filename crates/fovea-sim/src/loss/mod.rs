//! Losses, one per file.
//!
//! Each is written twice: over the lanes of a block for the fused pass, and for one sample in double precision for
//! the judge that the fused pass is tested against.

use crate::task::{Target, Task};
use fovea_core::lanes::{BLOCK, LANES, Real};
use fovea_core::params::{Kind, ParamError, ParamType};
use fovea_core::{Value, registry};

/// A loss over the lanes of a block.
pub trait Loss: Send + Sync + 'static {
    /// What the sums of [`Loss::errors`] are multiplied by.
    const SCALE: f64 = 1.0;

    /// Turns the outputs `y` of a block (one row per output) into the loss's derivative by them, zero beyond the `used`
    /// samples, and adds the loss of the used samples to `total`.
    fn errors<T: Real>(
        y: &mut [[T; BLOCK]],
        target: &[[T; BLOCK]],
        used: usize,
        total: &mut [T; LANES],
    );

    /// The loss of one output, before [`Loss::SCALE`], and the whole loss's derivative by it.
    fn one<T: Real>(y: T, target: T) -> (T, T);
}

/// A registered loss.
#[derive(Debug)]
pub struct Entry {
    /// The name in the shells.
    pub name: &'static str,
    /// One sentence with the formula.
    pub summary: &'static str,
    /// The loss of one sample.
    pub value: fn(y: &[f64], target: &[f64]) -> f64,
    /// Its derivative by every output.
    pub slope: fn(y: &[f64], target: &[f64]) -> Vec<f64>,
    /// Whether it reads targets as probabilities.
    pub probabilities: bool,
    /// Whether it is half the squared error, for which training has faster passes to the same numbers.
    pub squared: bool,
}

impl Entry {
    /// Refuses a task whose targets the loss cannot read.
    ///
    /// # Errors
    /// A label is not a probability and the loss needs one.
    pub fn fits(&self, task: &Task) -> Result<(), ParamError> {
        let improper = |label: f64| !(0.0..=1.0).contains(&label);
        match task.classes().iter().find(|class| improper(class.label)) {
            Some(class) if self.probabilities && task.target() == Target::Label => {
                Err(ParamError::Inconsistent {
                    what: format!(
                        "`loss` is {}, which reads labels as probabilities, and class `{}` has label {}",
                        self.name,
                        class.name,
                        Value::Real(class.label)
                    ),
                    hint: "choose labels in [0, 1], such as 1 and 0, or another loss".to_owned(),
                })
            }
            _ => Ok(()),
        }
    }
}

/// Work that is compiled once for each loss.
pub trait Visitor {
    /// What the work returns.
    type Output;
    /// Does the work with loss `L` known to the compiler.
    fn visit<L: Loss>(self) -> Self::Output;
}

macro_rules! losses {
    ($($file:ident::$loss:ident),+ $(,)?) => {
        registry! { "src/loss": Entry; $($file),+ }

        /// The names of all losses.
        pub const NAMES: &[&str] = &[$($file::ENTRY.name),+];

        /// Runs `visitor` with the loss of this entry.
        pub fn visit<V: Visitor>(row: &Entry, visitor: V) -> V::Output {
            match row.name {
                $(name if name == $file::ENTRY.name => visitor.visit::<$file::$loss>(),)+
                name => unreachable!("{name} is not a registered loss"),
            }
        }
    };
}

losses! { cross_entropy::CrossEntropy, l1::L1, mse::Mse }

/// A loss is a parameter that is chosen by name.
impl ParamType for &'static Entry {
    const KIND: Kind = Kind::Choice(NAMES);
    fn read(value: &Value) -> Option<Self> {
        let Value::Text(name) = value else { return None };
        ALL.iter().find(|row| row.name == name.replace('_', "-")).copied()
    }
    fn write(&self) -> Value {
        Value::Text(self.name.to_owned())
    }
    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }
}

#[cfg(test)]
mod properties {
    use super::*;
    use fovea_core::lanes::tree_sum;
    use fovea_core::streams::Streams;

    /// Outputs and targets of one block, `outputs` rows each.
    fn block(outputs: usize) -> (Vec<[f64; BLOCK]>, Vec<[f64; BLOCK]>) {
        let mut y = vec![0.0; outputs * BLOCK];
        Streams::new(8).named("loss").normals(0, &mut y);
        let y: Vec<[f64; BLOCK]> =
            y.as_chunks::<BLOCK>().0.iter().map(|r| r.map(|y| 3.0 * y)).collect();
        let target = (0..outputs)
            .map(|o| std::array::from_fn(|l| f64::from(u8::from(l % outputs.max(2) == o))));
        (y, target.collect())
    }

    struct Lanes<'a> {
        y: &'a mut [[f64; BLOCK]],
        target: &'a [[f64; BLOCK]],
        used: usize,
    }

    impl Visitor for Lanes<'_> {
        type Output = f64;
        fn visit<L: Loss>(self) -> f64 {
            let mut total = [0.0; LANES];
            L::errors(self.y, self.target, self.used, &mut total);
            L::SCALE * tree_sum(total)
        }
    }

    fn sample(rows: &[[f64; BLOCK]], l: usize) -> Vec<f64> {
        rows.iter().map(|row| row[l]).collect()
    }

    #[test]
    fn the_slope_is_the_derivative_of_the_value() {
        let step = 1e-6;
        for row in ALL {
            for outputs in [1, 3] {
                let (y, target) = block(outputs);
                for l in 0..BLOCK {
                    let (y, target) = (sample(&y, l), sample(&target, l));
                    for (o, slope) in (row.slope)(&y, &target).into_iter().enumerate() {
                        let at = |step: f64| {
                            let mut y = y.clone();
                            y[o] += step;
                            (row.value)(&y, &target)
                        };
                        let difference = (at(step) - at(-step)) / (2.0 * step);
                        assert!((difference - slope).abs() < 1e-8, "{} {y:?}", row.name);
                    }
                }
            }
        }
    }

    #[test]
    fn the_lanes_equal_the_judge_and_stop_at_the_used_samples() {
        for row in ALL {
            for (outputs, used) in [(1, BLOCK), (1, 9), (3, BLOCK), (3, 20)] {
                let (y, target) = block(outputs);
                let mut errors = y.clone();
                let total = visit(row, Lanes { y: &mut errors, target: &target, used });
                let mut expected = 0.0;
                for l in 0..BLOCK {
                    let (y, target) = (sample(&y, l), sample(&target, l));
                    let slope = (row.slope)(&y, &target);
                    for (error, slope) in sample(&errors, l).iter().zip(slope) {
                        let slope = if l < used { slope } else { 0.0 };
                        assert!((error - slope).abs() < 1e-14, "{} sample {l}", row.name);
                    }
                    expected += if l < used { (row.value)(&y, &target) } else { 0.0 };
                }
                assert!((total - expected).abs() < 1e-12, "{}: {total} {expected}", row.name);
            }
        }
    }

    /// The loss and slope of one output, summed over a block.
    struct One<'a> {
        y: &'a [f64; BLOCK],
        target: &'a [f64; BLOCK],
    }

    impl Visitor for One<'_> {
        type Output = Vec<(f64, f64)>;
        fn visit<L: Loss>(self) -> Vec<(f64, f64)> {
            let one = |l: usize| L::one(self.y[l], self.target[l]);
            (0..BLOCK).map(one).map(|(loss, slope)| (L::SCALE * loss, slope)).collect()
        }
    }

    #[test]
    fn one_output_alone_equals_the_judge() {
        for row in ALL {
            let (y, target) = block(1);
            let one = visit(row, One { y: &y[0], target: &target[0] });
            for (l, (loss, slope)) in one.into_iter().enumerate() {
                let (y, target) = (sample(&y, l), sample(&target, l));
                assert!((loss - (row.value)(&y, &target)).abs() < 1e-13, "{} {y:?}", row.name);
                assert!((slope - (row.slope)(&y, &target)[0]).abs() < 1e-14, "{} {y:?}", row.name);
            }
        }
    }

    #[test]
    fn only_half_the_squared_error_is_said_to_be_it() {
        for row in ALL {
            let (y, target) = ([0.5, -2.0], [1.0, 0.0]);
            let half = ((row.value)(&y, &target) - 2.125).abs() < 1e-15;
            assert_eq!(row.squared, half, "{}", row.name);
        }
    }

    #[test]
    fn extreme_outputs_cost_a_finite_amount() {
        for row in ALL {
            for y in [[-1e30, 1e30], [1e30, -1e30], [0.0, 0.0]] {
                let loss = (row.value)(&y, &[1.0, 0.0]);
                assert!(loss.is_finite() && loss >= 0.0, "{} {y:?}: {loss}", row.name);
                assert!((row.slope)(&y, &[1.0, 0.0]).iter().all(|s| s.is_finite()));
            }
        }
    }
}
