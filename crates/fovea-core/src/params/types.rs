//! The types a parameter can have.

use super::{Field, ParamError, Range};
use crate::value::Value;
use std::fmt;

/// A kind of item that has parameters of its own: its noun, and the parameters of each item.
#[derive(Clone, Copy, Debug)]
pub struct Nested {
    /// The kind, as the catalogue calls it.
    pub noun: &'static str,
    /// The parameters of the item with this name; empty if there is no such item.
    pub schema: fn(name: &str) -> Vec<Field>,
}

/// A kind is identified by its noun.
impl PartialEq for Nested {
    fn eq(&self, other: &Self) -> bool {
        self.noun == other.noun
    }
}

impl Eq for Nested {}

/// What a parameter accepts, apart from its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// True or false.
    Bool,
    /// A whole number.
    Int,
    /// A real number.
    Real,
    /// A real number or a list of them.
    Reals,
    /// A whole number or a list of them.
    Ints,
    /// A list of lists of real numbers.
    Matrix,
    /// Rows of numbers, typed or from a `.npy` file.
    Array,
    /// Some of the given rows: `auto`, a share of them, or separate rows.
    Part,
    /// A registered item of this kind, with parameters of its own.
    Item(Nested),
    /// One of the listed words.
    Choice(&'static [&'static str]),
    /// One of the listed words, or an expression in `x`.
    Function(&'static [&'static str]),
    /// Some of the listed words.
    Words(&'static [&'static str]),
    /// Tables with names of the user's choice, each describing one of these.
    Tables(Nested),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => write!(f, "true or false"),
            Self::Int => write!(f, "a whole number"),
            Self::Real => write!(f, "a number"),
            Self::Reals => write!(f, "a number or a list of numbers"),
            Self::Ints => write!(f, "a whole number or a list of whole numbers"),
            Self::Matrix => write!(f, "a list of lists of numbers"),
            Self::Array => write!(f, "rows of equal length, or a .npy file of them"),
            Self::Part => {
                write!(f, "auto, a share, or rows of equal length (a .npy file of them)")
            }
            Self::Item(Nested { noun, .. }) if noun.starts_with(['a', 'e', 'i', 'o', 'u']) => {
                write!(f, "an {noun}")
            }
            Self::Item(Nested { noun, .. }) => write!(f, "a {noun}"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Self::Function(words) => {
                write!(f, "one of {}, or an expression in x", words.join(", "))
            }
            Self::Words(words) => write!(f, "a list of any of {}", words.join(", ")),
            Self::Tables(Nested { noun, .. }) => write!(f, "one table per {noun}"),
        }
    }
}

/// A type that can be a parameter.
pub trait ParamType: Sized {
    /// What it accepts.
    const KIND: Kind;

    /// Reads a value; `None` if it is of another kind.
    fn read(value: &Value) -> Option<Self>;

    /// Writes it as a value.
    fn write(&self) -> Value;

    /// The numbers that must lie in the range.
    fn numbers(&self) -> Vec<f64>;

    /// Reads a value for the parameter `key` and checks its range.
    ///
    /// # Errors
    /// Wrong kind, an empty list, or a number outside `range`.
    fn checked(key: &str, value: &Value, range: Range) -> Result<Self, ParamError> {
        let parsed = Self::read(value).ok_or_else(|| ParamError::wrong_kind::<Self>(key, value))?;
        let numbers = parsed.numbers();
        let list = matches!(Self::KIND, Kind::Reals | Kind::Ints | Kind::Matrix);
        if numbers.is_empty() && list && !range.or_none {
            return Err(ParamError::Empty { key: key.to_owned() });
        }
        match numbers.into_iter().find(|x| !range.contains(*x)) {
            None => Ok(parsed),
            Some(_) => Err(ParamError::out_of_range(key, value, range)),
        }
    }

    /// The same for a number.
    ///
    /// # Errors
    /// As for [`ParamType::checked`].
    fn checked_number(key: &str, x: f64, range: Range) -> Result<Self, ParamError> {
        Self::checked(key, &Value::Real(x), range)
    }
}

impl ParamType for bool {
    const KIND: Kind = Kind::Bool;
    fn read(value: &Value) -> Option<Self> {
        if let Value::Bool(b) = value { Some(*b) } else { None }
    }
    fn write(&self) -> Value {
        Value::Bool(*self)
    }
    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }
}

impl ParamType for f64 {
    const KIND: Kind = Kind::Real;
    #[inline]
    fn read(value: &Value) -> Option<Self> {
        value.as_real()
    }
    fn write(&self) -> Value {
        Value::Real(*self)
    }
    fn numbers(&self) -> Vec<f64> {
        vec![*self]
    }
    /// The same as for every type but without a list of one number: forms are evaluated at millions of arguments.
    #[inline]
    fn checked(key: &str, value: &Value, range: Range) -> Result<Self, ParamError> {
        match Self::read(value) {
            Some(x) if range.contains(x) => Ok(x),
            Some(_) => Err(ParamError::out_of_range(key, value, range)),
            None => Err(ParamError::wrong_kind::<Self>(key, value)),
        }
    }
    #[inline(always)]
    fn checked_number(key: &str, x: f64, range: Range) -> Result<Self, ParamError> {
        if range.contains(x) { Ok(x) } else { Self::checked(key, &Value::Real(x), range) }
    }
}

/// A count may be typed as a negative number; that is then out of range, not of the wrong kind.
impl ParamType for usize {
    const KIND: Kind = Kind::Int;
    fn read(value: &Value) -> Option<Self> {
        value.as_int().map(|i| usize::try_from(i).unwrap_or(usize::MAX))
    }
    fn write(&self) -> Value {
        Value::Int(*self as i64)
    }
    fn numbers(&self) -> Vec<f64> {
        vec![if *self == usize::MAX { -1.0 } else { *self as f64 }]
    }
}

impl ParamType for Vec<usize> {
    const KIND: Kind = Kind::Ints;
    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::List(items) => items.iter().map(usize::read).collect(),
            one => usize::read(one).map(|i| vec![i]),
        }
    }
    fn write(&self) -> Value {
        Value::List(self.iter().map(usize::write).collect())
    }
    fn numbers(&self) -> Vec<f64> {
        self.iter().flat_map(usize::numbers).collect()
    }
}

impl ParamType for Vec<f64> {
    const KIND: Kind = Kind::Reals;
    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::List(items) => items.iter().map(Value::as_real).collect(),
            one => one.as_real().map(|x| vec![x]),
        }
    }
    fn write(&self) -> Value {
        Value::reals(self)
    }
    fn numbers(&self) -> Vec<f64> {
        self.clone()
    }
}

impl ParamType for Vec<Vec<f64>> {
    const KIND: Kind = Kind::Matrix;
    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::List(rows) => rows.iter().map(Vec::<f64>::read).collect(),
            Value::Array(matrix) => {
                Some((0..matrix.rows()).map(|i| matrix.row(i).to_vec()).collect())
            }
            _ => None,
        }
    }
    fn write(&self) -> Value {
        Value::List(self.iter().map(|row| Value::reals(row)).collect())
    }
    fn numbers(&self) -> Vec<f64> {
        self.concat()
    }
}
