//! How much of an array is held out, as a parameter.

use fovea_core::params::{Kind, ParamError, ParamType, Range, between};
use fovea_core::{Matrix, Value};

/// The default share that is held out.
const SHARE: f64 = 0.2;
/// The number of rows from which on it is held out; with fewer, all are trained on.
const FROM: usize = 50;

/// Which rows are kept from training.
#[derive(Clone, Debug, PartialEq)]
pub enum HeldOut {
    /// A fifth of them, where there are 50 or more.
    Auto,
    /// A share of them.
    Share(f64),
    /// Rows of another array.
    Rows(Matrix),
}

impl HeldOut {
    /// How many of `rows` rows are held out; a share that is not zero holds out at least one.
    pub fn count(&self, rows: usize) -> usize {
        let share = match self {
            Self::Auto if rows < FROM => 0.0,
            Self::Auto => SHARE,
            Self::Share(share) => *share,
            Self::Rows(_) => 0.0,
        };
        if share > 0.0 { ((share * rows as f64).round() as usize).max(1) } else { 0 }
    }
}

impl ParamType for HeldOut {
    const KIND: Kind = Kind::Part;

    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Text(word) if word == "auto" => Some(Self::Auto),
            Value::Array(_) | Value::List(_) => Matrix::read(value).map(Self::Rows),
            share => share.as_real().map(Self::Share),
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::Auto => "auto".into(),
            Self::Share(share) => (*share).into(),
            Self::Rows(rows) => rows.write(),
        }
    }

    fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Share(share) => vec![*share],
            Self::Auto | Self::Rows(_) => Vec::new(),
        }
    }

    fn checked(key: &str, value: &Value, range: Range) -> Result<Self, ParamError> {
        let read = Self::read(value).ok_or_else(|| ParamError::wrong_kind::<Self>(key, value))?;
        match &read {
            Self::Share(share) if !range.contains(*share) => {
                Err(ParamError::out_of_range(key, value, range))
            }
            // The range is that of a share; entries have that of `samples`.
            Self::Rows(_) => Matrix::checked(key, value, between(-1e9, 1e9)).map(Self::Rows),
            _ => Ok(read),
        }
    }
}
