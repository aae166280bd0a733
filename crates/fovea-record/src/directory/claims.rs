//! `claims.json`, read back.

use fovea_page::figure::store;
use serde::Deserialize;

/// A claim as a record keeps it. What does not apply, or was not measured, is absent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Judged {
    /// The catalogue's id.
    pub id: String,
    /// What is claimed, in words.
    pub statement: String,
    /// `pass`, `fail` or `unchecked`.
    pub status: String,
    /// Why the run could not tell.
    pub why: Option<String>,
    /// The closed form's number.
    #[serde(default, with = "store")]
    pub predicted: Option<f64>,
    /// The number it was compared with.
    #[serde(default, with = "store")]
    pub measured: Option<f64>,
    /// The standard error of what was measured, where it was sampled.
    #[serde(default, with = "store")]
    pub std_err: Option<f64>,
    /// Their distance in standard errors.
    #[serde(default, with = "store")]
    pub z: Option<f64>,
    /// The largest distance allowed.
    #[serde(default, with = "store")]
    pub limit: Option<f64>,
    /// Digits that both sides share, where nothing is sampled.
    #[serde(default, with = "store")]
    pub digits: Option<f64>,
    /// The error allowed, where nothing is sampled.
    #[serde(default, with = "store")]
    pub allowed_error: Option<f64>,
    /// The relative error in the prediction that would be noticed.
    #[serde(default, with = "store")]
    pub resolution: Option<f64>,
}

/// The claims of the file.
pub(super) fn parse(mut file: serde_json::Value) -> Result<Vec<Judged>, String> {
    serde_json::from_value(file["claims"].take()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Claim;
    use fovea_core::stats::Estimate;
    use serde_json::json;

    #[test]
    fn claims_read_back_as_they_were_written() {
        let at = Estimate::from_parts(0.5, 0.25, 100).unwrap();
        let claims = [
            Claim::family("L000.3", "sampled", &[(at, 0.0)]),
            Claim::exact("L000.4", "exact", &[0.1], &[0.1], 1e-9),
            Claim::undecided("L000.5", "not measured", 2.0, "for a reason"),
        ];
        let written: Vec<_> = claims.iter().map(Claim::to_json).collect();
        let read = parse(json!({ "claims": written })).unwrap();
        let status: Vec<&str> = read.iter().map(|claim| claim.status.as_str()).collect();
        assert_eq!(status, ["pass", "pass", "unchecked"]);
        assert_eq!((read[0].z, read[0].std_err, read[0].digits), (Some(2.0), Some(0.25), None));
        assert_eq!((read[1].z, read[1].digits), (None, Some(claims[1].digits.unwrap())));
        assert_eq!((read[2].predicted, read[2].measured), (Some(2.0), None));
        assert_eq!(read[2].why.as_deref(), Some("for a reason"));
    }

    #[test]
    fn what_are_no_claims_is_refused() {
        for bad in [json!({}), json!({ "claims": 3 }), json!({ "claims": [{ "id": "L000.3" }] })] {
            assert!(parse(bad).is_err());
        }
    }
}
