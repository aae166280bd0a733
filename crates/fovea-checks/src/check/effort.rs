//! What a check is given: its randomness, its budget, and the closed forms.

use fovea_core::streams::Streams;
use fovea_theory::form::Form;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// A wrong form instead of a right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slip {
    /// The closed form, or its name in the check.
    pub form: &'static str,
    /// What is wrong.
    pub what: &'static str,
}

/// The budget of a check, its randomness, and the closed forms it asks for by name.
///
/// A check is run once with right forms, and once for each slip with that one form wrong: its prediction must then fail, and
/// its measurement must not move.
pub struct Effort {
    /// The streams of every random draw.
    pub streams: Streams,
    /// Whether to take a tenth of the samples.
    pub quick: bool,
    slipped: Option<Slip>,
    asked: Mutex<Vec<Slip>>,
    kept: Option<Mutex<BTreeMap<String, Box<dyn Any + Send>>>>,
}

impl Effort {
    /// All forms right; what is measured once is kept for the runs with a slip.
    pub fn new(streams: Streams, quick: bool) -> Self {
        Self {
            streams,
            quick,
            slipped: None,
            asked: Mutex::new(Vec::new()),
            kept: Some(Mutex::new(BTreeMap::new())),
        }
    }

    /// The same where everything is measured again in every run, to test whether a measurement depends on the forms.
    #[must_use]
    pub fn measuring_again(self) -> Self {
        Self { kept: None, ..self }
    }

    /// The same with this form wrong.
    #[must_use]
    pub fn slipped(self, slip: Slip) -> Self {
        Self { slipped: Some(slip), ..self }
    }

    /// Every slip there is, in the order in which forms were asked for.
    pub fn slips(&self) -> Vec<Slip> {
        self.asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// How many samples to draw where `full` are asked for.
    pub fn samples(&self, full: usize) -> usize {
        if self.quick { full.div_ceil(10) } else { full }
    }

    /// A registered closed form, or its documented control in its place: a function, or a value.
    pub fn form<F>(&self, of: &Form, right: F, control: F) -> F {
        self.slip(of.name, of.control.what, right, control)
    }

    /// A closed form, or the most likely slip in its place, written by hand: a function, or a value.
    pub fn slip<F>(&self, form: &'static str, what: &'static str, right: F, wrong: F) -> F {
        let slip = Slip { form, what };
        let mut asked = self.asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !asked.contains(&slip) {
            asked.push(slip);
        }
        if self.slipped == Some(slip) { wrong } else { right }
    }

    /// The result of `measure`, which runs once however often the check is run. Nothing in it may ask for a form.
    ///
    /// # Errors
    /// Those of `measure`.
    pub fn once<T: Clone + Send + 'static, E>(
        &self,
        key: &str,
        measure: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let Some(kept) = &self.kept else { return measure() };
        let lock = || kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let found = lock().get(key).and_then(|kept| kept.downcast_ref::<T>()).cloned();
        if let Some(found) = found {
            return Ok(found);
        }
        let found = measure()?;
        lock().insert(key.to_owned(), Box::new(found.clone()));
        Ok(found)
    }
}
