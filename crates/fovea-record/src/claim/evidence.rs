//! What a decided claim rests on.

use serde::{Deserialize, Serialize};

/// What a decided claim rests on; the weakest comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// A phenomenon met its criterion, which was written down before the run.
    Shown,
    /// A closed form agrees with an independent computation without noise.
    Form,
    /// A prediction agrees with what was sampled or trained, in standard errors.
    Simulated,
}

impl Evidence {
    /// Every kind, in the order of summaries.
    pub const ALL: [Self; 3] = [Self::Form, Self::Simulated, Self::Shown];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Form => "form",
            Self::Simulated => "simulated",
        }
    }
}
