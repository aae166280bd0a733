//! Paths of a flow: a closed form of a velocity, integrated in time.

use crate::forms;
use fovea_core::ode::{DormandPrince, OdeError};
use fovea_core::params::{Assignments, Kind};
use fovea_core::{ParamError, Value};
use fovea_desk::conditions::Conditions;
use fovea_desk::error::LabError;
use fovea_sim::Watch;
use fovea_theory::{Form, FormError};

/// Where a flow is, at some times.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The state at each time, `shape` numbers each.
    pub states: Vec<Vec<f64>>,
    /// How often the velocity was evaluated.
    pub evaluations: usize,
}

/// How a flow is integrated.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// Error allowed per step, relative to the state.
    pub rtol: f64,
    /// Error allowed per step where the state is near 0.
    pub atol: f64,
}

/// A form that gives a velocity, and the argument that holds the state.
pub struct Velocity {
    form: &'static Form,
    /// The argument that moves: `w`, or `u` in Fourier space.
    pub state: &'static str,
    kind: Kind,
}

impl Velocity {
    /// The velocity that a form gives.
    ///
    /// # Errors
    /// There is no such form, or its value is not a velocity of its weights.
    pub fn of(name: &str) -> Result<Self, LabError> {
        let form = forms::find(name)?;
        let schema = (form.schema)();
        let field = schema.iter().find(|field| Some(field.name) == form.moves);
        let Some(field) = field else {
            return Err(LabError::Param(ParamError::Inconsistent {
                what: format!("{} is not a velocity of weights", form.name),
                hint: format!("choose one of {}", velocities().join(", ")),
            }));
        };
        Ok(Self { form, state: field.name, kind: field.kind })
    }

    /// The state at each of the times, from `start` at the first of them; rows of the state have `cols` numbers.
    ///
    /// # Errors
    /// An argument cannot be used, the times do not grow, or the flow cannot be followed.
    pub fn follow(
        &self,
        given: &Assignments,
        (start, cols): (&[f64], usize),
        times: &[f64],
        care: Care,
        conditions: &Conditions<'_>,
    ) -> Result<Option<Path>, LabError> {
        let mut given = given.clone();
        given.push((self.state.to_owned(), self.value(start, cols)));
        // Errors of the arguments come from here; what fails later is the flow itself.
        self.form.at(&given)?;
        let at = given.len() - 1;
        let mut failure = None;
        let velocity = |_: f64, state: &[f64], out: &mut [f64]| {
            given[at].1 = self.value(state, cols);
            let value =
                if conditions.stopped() { Err(FormError::Undefined) } else { self.form.at(&given) };
            match value {
                Ok(value) => numbers(&value, out),
                Err(error) => {
                    out.fill(f64::NAN);
                    failure.get_or_insert(error);
                }
            }
        };
        let path = conditions.unless_stopped(|| follow(velocity, start, times, care));
        let Ok(path) = path else { return Ok(None) };
        if conditions.stopped() {
            return Ok(None);
        }
        match (path, failure) {
            (_, Some(error)) => Err(error.into()),
            (path, None) => Ok(Some(path?)),
        }
    }

    fn value(&self, state: &[f64], cols: usize) -> Value {
        match self.kind {
            Kind::Matrix => Value::List(state.chunks(cols.max(1)).map(Value::reals).collect()),
            _ => Value::reals(state),
        }
    }
}

/// The forms that give a velocity.
pub fn velocities() -> Vec<&'static str> {
    fovea_theory::forms().filter(|form| form.moves.is_some()).map(|form| form.name).collect()
}

/// The state at each of the times under any velocity, from `start` at the first of them.
///
/// # Errors
/// The times do not grow, or the flow cannot be followed.
pub fn follow(
    velocity: impl FnMut(f64, &[f64], &mut [f64]),
    start: &[f64],
    times: &[f64],
    care: Care,
) -> Result<Path, LabError> {
    let grow = times.windows(2).all(|pair| pair[0] < pair[1]);
    let finite = times.iter().all(|t| t.is_finite()) && start.iter().all(|x| x.is_finite());
    let (Some(first), Some(last), true, true) = (times.first(), times.last(), grow, finite) else {
        return Err(LabError::Param(ParamError::Inconsistent {
            what: "the times of a flow must be finite and increasing, and its start finite"
                .to_owned(),
            hint: "give times such as 0, 1, 2, 5; the first is that of the start".to_owned(),
        }));
    };
    if times.len() == 1 {
        return Ok(Path { states: vec![start.to_vec()], evaluations: 0 });
    }
    let solver = DormandPrince { rtol: care.rtol, atol: care.atol, ..DormandPrince::default() };
    let path = solver.solve(velocity, *first, *last, start).map_err(FormError::from)?;
    let states = times.iter().map(|t| path.at(*t)).collect::<Result<_, OdeError>>();
    Ok(Path { states: states.map_err(FormError::from)?, evaluations: path.evaluations() })
}

fn numbers(value: &Value, out: &mut [f64]) {
    fn walk(value: &Value, out: &mut std::slice::IterMut<'_, f64>) {
        match value {
            Value::List(items) => items.iter().for_each(|item| walk(item, out)),
            other => {
                if let (Some(x), Some(place)) = (other.as_real(), out.next()) {
                    *place = x;
                }
            }
        }
    }
    walk(value, &mut out.iter_mut());
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_desk::conditions::Silent;
    use std::sync::atomic::AtomicBool;

    const CARE: Care = Care { rtol: 1e-10, atol: 1e-12 };

    #[test]
    fn the_flow_of_one_unit_ends_where_the_exact_clock_says() {
        let stop = AtomicBool::new(false);
        let conditions = Conditions::new(0, &Silent, &stop);
        let start: Vec<f64> = (0..12).map(|i| [0.3, -0.1, 0.2][i % 3]).collect();
        let path = Velocity::of("relu.flow_single").unwrap();
        let path = path.follow(&Vec::new(), (&start, 12), &[0.0, 1.0, 4.0], CARE, &conditions);
        let path = path.unwrap().unwrap();
        let exact = |t: f64| {
            let given = vec![("w0".to_owned(), Value::reals(&start)), ("t".to_owned(), t.into())];
            let value = forms::find("relu.flow_exact").unwrap().at(&given).unwrap();
            let mut w = vec![0.0; 12];
            numbers(value.get("w").unwrap_or(&value), &mut w);
            w
        };
        for (t, state) in [1.0, 4.0].into_iter().zip(&path.states[1..]) {
            for (a, b) in state.iter().zip(exact(t)) {
                assert!((a - b).abs() < 1e-8, "{a} {b}");
            }
        }
    }

    #[test]
    fn what_is_no_velocity_is_refused_and_velocities_are_named() {
        let error = Velocity::of("nlgp.cov").err().unwrap();
        assert!(error.hint().contains("relu.flow_single"), "{}", error.hint());
        assert!(
            velocities().contains(&"amplifier.flow") && velocities().contains(&"relu.flow_fourier")
        );
        // Its equation has a velocity in it; its value is where the flow ends.
        assert!(Velocity::of("ising.rest").is_err());
        let backwards = follow(|_, _, out| out.fill(0.0), &[1.0], &[1.0, 0.0], CARE);
        assert!(backwards.is_err());
    }
}
