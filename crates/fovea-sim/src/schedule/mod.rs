//! Learning-rate schedules, one per file: the factor on the learning rate at each step.

use fovea_core::{Entry, Family, registry};

/// A factor on the learning rate that changes over the run.
pub trait Schedule: Send + Sync {
    /// The factor at `step` of a run of `steps`.
    fn factor(&self, step: u64, steps: u64) -> f64;
}

impl Family for Box<dyn Schedule> {
    const NOUN: &'static str = "schedule";
    fn entries() -> &'static [&'static Entry<Self>] {
        ALL
    }
}

registry! {
    "src/schedule": Entry<Box<dyn Schedule>>; constant, cosine, exponential, inverse_time, linear, steps
}

/// The fraction of the run that is done, from 0 at its first step to 1 at its end.
fn share_done(step: u64, steps: u64) -> f64 {
    step as f64 / steps.max(1) as f64
}

#[cfg(test)]
mod properties {
    use super::*;

    #[test]
    fn every_schedule_starts_at_one_and_stays_finite_and_nonnegative() {
        for entry in ALL {
            let schedule = (entry.build)(&Vec::new()).unwrap();
            assert!((schedule.factor(0, 1000) - 1.0).abs() < 1e-15, "{}", entry.name);
            for (step, steps) in [(0, 0), (1, 1), (500, 1000), (999, 1000), (u64::MAX / 2, 10)] {
                let factor = schedule.factor(step, steps);
                assert!(factor.is_finite() && factor >= 0.0, "{} {step}: {factor}", entry.name);
            }
        }
    }

    fn at(name: &str, settings: &str, step: u64) -> f64 {
        let typed = fovea_core::Value::from_typed(&format!("{name}({settings})"));
        let item =
            <fovea_core::Item<Box<dyn Schedule>> as fovea_core::params::ParamType>::read(&typed);
        item.unwrap().build("schedule").unwrap().factor(step, 100)
    }

    #[test]
    fn each_has_the_values_of_its_formula() {
        let cases = [
            ("cosine", "end=0.2", 50, 0.6),
            ("cosine", "end=0.2", 100, 0.2),
            ("linear", "end=0.5", 50, 0.75),
            ("exponential", "half_life=10", 20, 0.25),
            ("inverse-time", "scale=25", 75, 0.25),
            ("steps", "every=30, factor=0.1", 59, 0.1),
            ("steps", "every=30, factor=0.1", 60, 0.01),
        ];
        for (name, settings, step, expected) in cases {
            let factor = at(name, settings, step);
            assert!((factor - expected).abs() < 1e-12, "{name} {step}: {factor}");
        }
    }
}
