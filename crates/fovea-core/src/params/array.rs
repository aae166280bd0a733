//! Rows of numbers as a parameter.

use super::{Kind, ParamError, ParamType, Range};
use crate::matrix::Matrix;
use crate::value::Value;

impl ParamType for Matrix {
    const KIND: Kind = Kind::Array;

    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Array(matrix) => Some(matrix.clone()),
            // Plain numbers are one row.
            Value::List(items) if items.iter().all(|item| item.as_real().is_some()) => {
                let row = Vec::<f64>::read(value)?;
                (!row.is_empty()).then(|| Self::new(row.len(), row))
            }
            Value::List(_) => {
                let rows = Vec::<Vec<f64>>::read(value)?;
                let cols = rows.first().map_or(0, Vec::len);
                let even = cols > 0 && rows.iter().all(|row| row.len() == cols);
                even.then(|| Self::new(cols, rows.concat()))
            }
            _ => None,
        }
    }

    fn write(&self) -> Value {
        Value::Array(self.clone())
    }

    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Reports the place of a number that is not allowed.
    fn checked(key: &str, value: &Value, range: Range) -> Result<Self, ParamError> {
        let matrix = Self::read(value).ok_or_else(|| ParamError::wrong_kind::<Self>(key, value))?;
        match matrix.numbers().iter().position(|x| !range.contains(*x)) {
            None => Ok(matrix),
            Some(at) => Err(ParamError::BadEntry {
                key: key.to_owned(),
                got: Value::Real(matrix.numbers()[at]).to_string(),
                row: at / matrix.cols(),
                column: at % matrix.cols(),
                range,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::finite;

    #[test]
    fn rows_are_read_from_lists() {
        let typed = Value::from_typed("[1, 2], [3, 4], [5, 6]");
        let matrix = Matrix::checked("w", &typed, finite()).unwrap();
        assert_eq!((matrix.rows(), matrix.cols(), matrix.row(1)), (3, 2, &[3.0, 4.0][..]));
        let row = Matrix::checked("w", &Value::from_typed("[1, 2, 3]"), finite()).unwrap();
        assert_eq!((row.rows(), row.cols()), (1, 3));
    }

    #[test]
    fn what_is_no_rectangle_is_refused_and_a_bad_number_is_named_with_its_place() {
        for typed in ["[1, 2], [3]", "3", "file.npy", "[[]]"] {
            assert!(Matrix::checked("w", &Value::from_typed(typed), finite()).is_err(), "{typed}");
        }
        let bad = Value::Array(Matrix::new(2, vec![0.0, 1.0, 2.0, f64::NAN]));
        let error = Matrix::checked("w", &bad, finite()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`w` has NaN in row 1, column 1 (counted from 0); every entry must be any finite number"
        );
    }
}
