//! One flow: a hidden layer trained in small steps, and the quantities of the proof along it.

use super::ProofBounds;
use fovea_core::symmetric::{eigenvalues, least};
use fovea_desk::depth::{N_IN, TANH, hidden, unit_inputs};
use fovea_desk::prelude::*;
use fovea_desk::widths::{descend, distance, kernel_rows, operator_distance};
use fovea_record::outcome::Status;
use fovea_sim::mlp::{Examples, Mlp, Shape, WeightLaw};
use fovea_theory::ntk::gram::{Part, gram};
use fovea_theory::ntk::width::moved_at_most;

/// One time of a flow.
pub(super) struct At {
    pub(super) time: f64,
    /// The largest move of the weights of a unit.
    pub(super) moved: f64,
    /// The root of the mean squared move.
    pub(super) usual: f64,
    /// The least eigenvalue of the kernel.
    pub(super) least: f64,
    /// How far the kernel moved, in operator norm.
    pub(super) kernel: f64,
    pub(super) loss: f64,
    /// Squared speed of the weights over `r.K r/m^2`: relative to each other, since they fall by many orders of magnitude.
    pub(super) speed: f64,
    /// Fall of the loss per unit of time over the same.
    pub(super) slope: f64,
}

/// A flow.
pub(super) struct Flow {
    pub(super) m: usize,
    pub(super) width: usize,
    /// Loss and least eigenvalue at the start.
    pub(super) loss: f64,
    pub(super) least: f64,
    pub(super) path: Vec<At>,
}

impl Flow {
    /// The bound on the move of a unit's weights.
    pub(super) fn most(&self) -> f64 {
        moved_at_most(self.m, self.loss, self.least, self.width as f64)
    }

    /// The end.
    pub(super) fn last(&self) -> &At {
        &self.path[self.path.len() - 1]
    }
}

/// The network of the proof: standard normal first weights on two entries, a factor `n^(-1/2)` on the second.
pub(super) fn shape(width: usize) -> Shape {
    hidden(N_IN, &TANH, 1.0, width, 1)
}

/// The least and the largest eigenvalue of the mean kernel for unit inputs, with second-layer weights uniform on [-1, 1].
pub(super) fn ends(angles: &[f64]) -> Result<[f64; 2], ParamError> {
    let rows = gram(&TANH, angles, Part::Slope).map_err(|error| {
        refused(format!("`angles` is {angles:?}: {error}"), "give other angles")
    })?;
    let values = eigenvalues(&rows)?;
    Ok([values[values.len() - 1] / 3.0, values[0] / 3.0])
}

/// The largest condition number of a kernel: beyond it the bounds would be in the inverse of rounding errors.
const WORST: f64 = 1e6;
/// Eigenvalues are computed at many times of every flow.
const MOST_INPUTS: usize = 100;

/// Refuses inputs whose mean kernel is singular, or so nearly singular that no bound means anything.
pub(super) fn apart(angles: &[f64]) -> Result<(), ParamError> {
    if angles.is_empty() || angles.len() > MOST_INPUTS {
        let hint = format!("give between 1 and {MOST_INPUTS} angles");
        return Err(refused(format!("`angles` has {} entries", angles.len()), hint));
    }
    let [least, most] = ends(angles)?;
    let condition = if least > 1e-14 * most { most / least } else { f64::INFINITY };
    if condition <= WORST {
        return Ok(());
    }
    let what = format!(
        "`angles` is {angles:?}: the mean kernel of these inputs has condition number {condition:.1e}, more than {WORST:.0e}"
    );
    let hint = "two inputs are equal, opposite or nearly so: give angles that differ modulo pi";
    Err(refused(what, hint))
}

pub(super) fn draw(width: usize, streams: &Streams) -> Mlp {
    let mut mlp = shape(width).draw(streams);
    mlp.layers[0].factor = 1.0;
    // Uniform numbers of variance 1 reach to the root of 3.
    let uniform = Shape { law: WeightLaw::Uniform, ..shape(width) };
    let second = uniform.draw(&streams.part("second layer")).layers.swap_remove(1);
    mlp.layers[1].weights = second.weights.iter().map(|w| w / 3.0_f64.sqrt()).collect();
    mlp
}

/// Targets are spread over [-1, 1], or lie at a distance `gap` from the first outputs.
pub(super) fn examples(angles: &[f64], start: &Mlp, gap: Option<f64>) -> Examples {
    let (m, x) = (angles.len(), unit_inputs(angles));
    let sign = |a: usize| if a.is_multiple_of(2) { 1.0 } else { -1.0 };
    let outputs = start.forward(&x);
    let target = |a: usize| match gap {
        Some(gap) => outputs.outputs()[a] + sign(a) * gap,
        None => sign(a) * (1.0 - 0.5 * a as f64 / m as f64),
    };
    Examples::new(m, x, (0..m).map(target).collect())
}

/// Only the first weights learn.
const RATES: [f64; 2] = [1.0, 0.0];

fn loss(errors: &[f64]) -> f64 {
    dot(errors, errors) / (2.0 * errors.len() as f64)
}

impl At {
    fn read(
        time: f64,
        mlp: &Mlp,
        start: &Mlp,
        first: &[Vec<f64>],
        set: &Examples,
    ) -> Result<Self, LabError> {
        let m = set.count as f64;
        let errors = mlp.errors(set);
        let rows = kernel_rows(mlp, set, &RATES);
        let seed: Vec<f64> = errors.iter().map(|r| r / m).collect();
        let pass = mlp.forward(&set.x);
        let mut gradient = mlp.pull(&pass, &seed);
        gradient.truncate(mlp.layers[0].weights.len());
        // The loss a little ahead and a little behind, by a step whose effect is of the order of a ten-thousandth.
        let step = 1e-4 * m;
        let along = |by: f64| {
            let mut moved = mlp.clone();
            moved.shift(&gradient, &[by, 0.0]);
            loss(&moved.errors(set))
        };
        let slope = (along(step) - along(-step)) / (2.0 * step);
        let product: f64 = rows.iter().zip(&errors).map(|(row, r)| r * dot(row, &errors)).sum();
        let product = product / (m * m);
        let units = mlp.layers[0].weights.chunks(2).zip(start.layers[0].weights.chunks(2));
        let moves: Vec<f64> = units.map(|(a, b)| distance(a, b)).collect();
        Ok(Self {
            time,
            moved: largest(&moves),
            usual: norm(&moves) / (moves.len() as f64).sqrt(),
            least: least(&rows)?,
            kernel: operator_distance(&rows, first)?,
            loss: loss(&errors),
            speed: dot(&gradient, &gradient) / product,
            slope: slope / product,
        })
    }
}

impl ProofBounds {
    /// Follows the flow from one start.
    pub(super) fn follow(
        &self,
        start: &Mlp,
        set: &Examples,
        desk: &Desk<'_>,
    ) -> Result<Flow, LabError> {
        let first = kernel_rows(start, set, &RATES);
        let steps = (self.time / self.dt) as u64;
        let every = (steps / 40).max(1);
        let steps = every * (steps / every);
        let (mut path, mut mlp) = (Vec::new(), start.clone());
        let mut read = |step: u64, mlp: &Mlp| {
            if step.is_multiple_of(every) {
                path.push(At::read(step as f64 * self.dt, mlp, start, &first, set));
            }
        };
        let taken = descend(&mut mlp, set, (self.dt, &RATES, steps), desk, &mut read)?;
        let width = start.layers[0].weights.len() / N_IN;
        if taken < steps {
            let curve = format!("width={width}");
            return Err(LabError::Unfinished(Status::Diverged { curve, step: taken }));
        }
        read(taken, &mlp);
        let path = path.into_iter().collect::<Result<Vec<At>, _>>()?;
        let (loss, least) = (path[0].loss, path[0].least);
        Ok(Flow { m: set.count, width, loss, least, path })
    }
}
