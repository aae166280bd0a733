//! A claim in words, and as one object of JSON.

use super::{Claim, Control};
use fovea_page::figure::store::Stored;
use serde_json::json;

impl Claim {
    /// One line for a person.
    pub fn in_words(&self) -> String {
        let distance = match (self.cases, self.digits) {
            (Some(cases), _) => format!("{} of {}", cases.hits, cases.trials),
            (None, None) => format!("z = {:.2}, limit {:.2}", self.z, self.limit),
            (None, Some(digits)) => format!("{digits:.1} digits"),
        };
        let rest = match (self.why(), &self.control) {
            (Some(why), _) => why,
            (None, Some(control)) => format!("{distance}; {}", self.rejection(control)),
            (None, None) => distance,
        };
        format!("{} {}: {} ({rest})", self.status(), self.id, self.statement)
    }

    /// By how much a wrong form is rejected, and which.
    pub(crate) fn rejection(&self, control: &Control) -> String {
        let unit = match (self.cases, self.digits) {
            (Some(_), _) => "cases that do not obey",
            (None, Some(_)) => "allowed errors",
            (None, None) => "standard errors",
        };
        format!("rejects by {} {unit}: {}", whole(control.z.abs()), control.form)
    }

    /// The claim as one JSON object.
    pub fn to_json(&self) -> serde_json::Value {
        // A distance without any spread is infinite, and what was not measured is NaN.
        let real = |x: f64| json!(x.store());
        let mut object = json!({
            "id": self.id,
            "statement": self.statement,
            "status": self.status(),
            "why": self.why(),
            "predicted": real(self.predicted),
            "measured": real(self.measured),
            "resolution": real(self.resolution),
            "evidence": self.evidence.word(),
            "rejects": self.control.as_ref().map(|c| &c.form),
            "control": self.control.as_ref().map(|c| json!({ "form": c.form, "z": real(c.z) })),
        });
        let distance = match (self.cases, self.digits) {
            (Some(cases), _) => vec![
                ("hits", cases.hits as f64),
                ("trials", cases.trials as f64),
                ("by_chance", cases.by_chance),
            ],
            (None, None) => vec![("std_err", self.se), ("z", self.z), ("limit", self.limit)],
            (None, Some(digits)) => vec![("allowed_error", self.se), ("digits", digits)],
        };
        for (key, value) in distance {
            object[key] = real(value);
        }
        object
    }
}

/// A distance without decimals, in powers of ten where it is large.
pub fn whole(distance: f64) -> String {
    if distance < 1e6 { format!("{distance:.0}") } else { format!("{distance:.0e}") }
}
