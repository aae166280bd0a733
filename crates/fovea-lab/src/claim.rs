//! A claim checked by a run: what theory predicts, what the simulation measured, and how far apart they are.

use crate::convert::to_json;
use fovea_core::agree::noise_limit;
use fovea_core::stats::Estimate;
use serde_json::json;

/// The documented wrong form, and how far the measurement lies from it.
#[derive(Clone, Debug)]
pub struct Control {
    /// What the wrong form is.
    pub form: String,
    /// Distance in standard errors.
    pub z: f64,
}

/// One comparison of theory and simulation.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The catalogue's id.
    pub id: &'static str,
    /// What is claimed, in words.
    pub statement: String,
    /// The closed form's number.
    pub predicted: f64,
    /// The simulation's number.
    pub measured: f64,
    /// Its standard error.
    pub se: f64,
    /// Distance in standard errors.
    pub z: f64,
    /// Largest distance allowed, from the family-wise error rate.
    pub limit: f64,
    /// The wrong form that must be rejected.
    pub control: Option<Control>,
}

impl Claim {
    /// Compares a family of estimates with their predictions; the claim shows the pair that is furthest apart.
    pub fn family(
        id: &'static str,
        statement: impl Into<String>,
        pairs: &[(Estimate, f64)],
    ) -> Self {
        let (worst, predicted, z) = worst(pairs);
        let limit = noise_limit(pairs.len(), worst.dof());
        let statement = statement.into();
        Self {
            id,
            statement,
            predicted,
            measured: worst.mean(),
            se: worst.se(),
            z,
            limit,
            control: None,
        }
    }

    /// Adds the wrong form: the same estimates with its predictions, of which one at least must be rejected.
    #[must_use]
    pub fn rejecting(mut self, form: impl Into<String>, pairs: &[(Estimate, f64)]) -> Self {
        self.control = Some(Control { form: form.into(), z: worst(pairs).2 });
        self
    }

    /// Whether the prediction holds and the wrong form does not.
    pub fn passes(&self) -> bool {
        self.z.abs() <= self.limit && self.control.as_ref().is_none_or(|c| c.z.abs() > self.limit)
    }

    /// `pass` or `fail`.
    pub fn status(&self) -> &'static str {
        if self.passes() { "pass" } else { "fail" }
    }

    /// The claim as one JSON object.
    pub fn to_json(&self) -> serde_json::Value {
        // Without any spread a distance is infinite, which JSON has no number for.
        let real = |x: f64| to_json(&x.into());
        json!({
            "id": self.id,
            "statement": self.statement,
            "status": self.status(),
            "predicted": self.predicted,
            "measured": self.measured,
            "std_err": self.se,
            "z": real(self.z),
            "limit": self.limit,
            "control": self.control.as_ref().map(|c| json!({ "form": c.form, "z": real(c.z) })),
        })
    }
}

/// The pair whose estimate lies furthest from its prediction, and that distance in standard errors.
fn worst(pairs: &[(Estimate, f64)]) -> (Estimate, f64, f64) {
    let distances = pairs.iter().map(|(estimate, value)| (*estimate, *value, estimate.z(*value)));
    distances
        .max_by(|a, b| a.2.abs().total_cmp(&b.2.abs()))
        .expect("a claim compares at least one pair")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_furthest_pair_decides_and_the_control_must_fail() {
        let at = |mean: f64| Estimate::from_parts(mean, 1.0, 1000).unwrap();
        let claim = Claim::family("L000.3", "x", &[(at(0.5), 0.0), (at(-3.0), 0.0)]);
        assert!((claim.z + 3.0).abs() < 1e-12 && claim.passes());
        assert!(!Claim::family("L000.3", "x", &[(at(9.0), 0.0)]).passes());
        assert!(claim.clone().rejecting("off by ten", &[(at(0.5), 10.0)]).passes());
        assert!(!claim.rejecting("hardly off", &[(at(0.5), 0.4)]).passes());
    }
}
