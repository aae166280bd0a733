//! One value of a parameter or of a closed form, as it is passed between the crates and the shells.

use crate::matrix::Matrix;
use std::fmt;

/// The most levels of nested lists, tables and items: deeper nesting is refused wherever settings are read, so that
/// every record can be read again (a TOML reader stops at about eighty levels) and no reader overflows its stack.
pub const MOST_LEVELS: usize = 32;

/// A value that a user can type, a file can hold and a closed form can return.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A real number; infinities are allowed and are written `inf`, NaN is not.
    Real(f64),
    /// A word.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Named values, in the order given.
    Table(Vec<(String, Value)>),
    /// Rows of numbers, usually from a file.
    Array(Matrix),
}

impl Value {
    /// Reads a value as typed after `--set key=`: a number, `inf`, `true`, a comma list, or a word.
    ///
    /// At most one level beyond [`MOST_LEVELS`] is parsed.
    ///
    /// ```
    /// use fovea_core::Value;
    /// assert_eq!(Value::from_typed("0.01, inf"), Value::reals(&[0.01, f64::INFINITY]));
    /// assert_eq!(Value::from_typed("balanced"), Value::Text("balanced".into()));
    /// ```
    pub fn from_typed(text: &str) -> Self {
        Self::from_typed_within(text, MOST_LEVELS + 1)
    }

    /// The same with at most this many levels of lists and items.
    fn from_typed_within(text: &str, levels: usize) -> Self {
        let text = text.trim();
        let Some(within) = levels.checked_sub(1) else { return Self::Text(text.to_owned()) };
        let read = |text: &str| Self::from_typed_within(text, within);
        let items = split_outside_brackets(text);
        if items.len() > 1 {
            return Self::List(items.into_iter().map(read).collect());
        }
        if let Some(inside) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            let items = split_outside_brackets(inside).into_iter().filter(|t| !t.trim().is_empty());
            return Self::List(items.map(read).collect());
        }
        if let Some(item) = item_from_typed(text, read) {
            return item;
        }
        match text {
            "true" => Self::Bool(true),
            "false" => Self::Bool(false),
            _ => text
                .parse::<i64>()
                .map(Self::Int)
                .or_else(|_| text.parse::<f64>().map(Self::Real))
                .unwrap_or_else(|_| Self::Text(text.to_owned())),
        }
    }

    /// A list of real numbers.
    pub fn reals(numbers: &[f64]) -> Self {
        Self::List(numbers.iter().copied().map(Self::Real).collect())
    }

    /// A table with the given rows.
    pub fn table<const N: usize>(rows: [(&str, Value); N]) -> Self {
        Self::Table(rows.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// The number that this value is, if it is one; the word `inf` counts as infinity.
    #[inline]
    pub fn as_real(&self) -> Option<f64> {
        match self {
            Self::Int(i) => Some(*i as f64),
            Self::Real(x) => Some(*x),
            Self::Text(t) if t == "inf" => Some(f64::INFINITY),
            _ => None,
        }
    }

    /// The whole number that this value is, if it is one; `5000.0` and `1e4` count.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(i) => Some(*i),
            // Beyond the range of integers: the nearest end is outside every allowed range, as the number itself is.
            Self::Real(x) if x.is_finite() && x.fract().abs() < f64::MIN_POSITIVE => {
                Some(*x as i64)
            }
            _ => None,
        }
    }

    /// The value under `key`, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Table(rows) => rows.iter().find(|(name, _)| name == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// Whether lists, tables and items are nested more than this many levels deep; an item may be typed as a word.
    pub fn is_deeper_than(&self, levels: usize) -> bool {
        let within = |value: &Self| levels == 0 || value.is_deeper_than(levels - 1);
        match self {
            Self::List(items) => items.iter().any(within),
            Self::Table(rows) => rows.iter().any(|(_, value)| within(value)),
            Self::Text(text) if text.ends_with(')') => match Self::from_typed(text) {
                typed @ Self::Table(_) => typed.is_deeper_than(levels),
                _ => false,
            },
            _ => false,
        }
    }

    /// What kind of value this is, in words for an error message.
    pub fn kind_in_words(&self) -> &'static str {
        match self {
            Self::Bool(_) => "true or false",
            Self::Int(_) => "a whole number",
            Self::Real(_) => "a real number",
            Self::Text(_) => "a word",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Array(_) => "an array of numbers",
        }
    }
}

/// A value within a table, on one line.
fn inline(value: &Value) -> String {
    match value {
        Value::Table(rows) if rows.first().is_none_or(|(key, _)| key != "name") => {
            let rows = rows.iter().map(|(key, value)| format!("{key} = {}", inline(value)));
            format!("{{ {} }}", rows.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// An item with its settings, `name(key=value, ...)`, as a table that starts with its name.
fn item_from_typed(text: &str, read: impl Fn(&str) -> Value) -> Option<Value> {
    let (name, inside) = text.strip_suffix(')')?.split_once('(')?;
    let mut rows = vec![("name".to_owned(), Value::Text(name.trim().to_owned()))];
    for setting in split_outside_brackets(inside).into_iter().filter(|s| !s.trim().is_empty()) {
        let (key, value) = setting.split_once('=')?;
        rows.push((key.trim().to_owned(), read(value)));
    }
    Some(Value::Table(rows))
}

/// The pieces between the commas of `text` that no bracket encloses.
fn split_outside_brackets(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut pieces) = (0_i32, 0, Vec::new());
    for (at, character) in text.char_indices() {
        match character {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                pieces.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    pieces
}

impl From<f64> for Value {
    #[inline]
    fn from(x: f64) -> Self {
        Self::Real(x)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Self::Text(word.to_owned())
    }
}

impl From<usize> for Value {
    fn from(i: usize) -> Self {
        Self::Int(i as i64)
    }
}

impl fmt::Display for Value {
    /// Writes numbers with the shortest digits that read back to the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(b) => write!(f, "{b}"),
            Self::Int(i) => write!(f, "{i}"),
            Self::Real(x) if *x != 0.0 && (x.abs() < 1e-4 || x.abs() >= 1e15) && x.is_finite() => {
                write!(f, "{x:e}")
            }
            Self::Real(x) => write!(f, "{x}"),
            Self::Text(t) => write!(f, "{t}"),
            Self::List(items) => {
                write!(f, "[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
                }
                write!(f, "]")
            }
            Self::Array(matrix) => match matrix.source() {
                Some(source) => write!(f, "{source}"),
                None if matrix.numbers().len() <= 64 => {
                    let rows = (0..matrix.rows()).map(|i| Self::reals(matrix.row(i)));
                    write!(f, "{}", Self::List(rows.collect()))
                }
                None => write!(f, "{} x {} numbers", matrix.rows(), matrix.cols()),
            },
            Self::Table(rows) if matches!(rows.first(), Some((key, _)) if key == "name") => {
                let settings: Vec<String> =
                    rows[1..].iter().map(|(key, value)| format!("{key}={value}")).collect();
                write!(f, "{}", rows[0].1)?;
                if settings.is_empty() { Ok(()) } else { write!(f, "({})", settings.join(", ")) }
            }
            Self::Table(rows) => {
                for (i, (key, value)) in rows.iter().enumerate() {
                    let value = inline(value);
                    write!(f, "{}{key} = {value}", if i > 0 { "\n" } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_text_becomes_the_value_a_person_means() {
        assert_eq!(Value::from_typed("3"), Value::Int(3));
        assert_eq!(Value::from_typed("1e-3"), Value::Real(1e-3));
        assert_eq!(Value::from_typed("inf"), Value::Real(f64::INFINITY));
        assert_eq!(Value::from_typed("[1, 2.5]"), Value::List(vec![Value::Int(1), 2.5.into()]));
        assert_eq!(Value::from_typed("true"), Value::Bool(true));
        assert_eq!(Value::from_typed("[]"), Value::List(vec![]));
        let rows = Value::List(vec![Value::reals(&[1.5, 2.5]), Value::reals(&[0.5])]);
        assert_eq!(Value::from_typed("[[1.5, 2.5], [0.5]]"), rows);
        assert_eq!(Value::from_typed("[1.5, 2.5], [0.5]"), rows);
    }

    #[test]
    fn levels_are_counted_in_lists_tables_and_items_typed_as_words_and_not_in_expressions() {
        let deep = |open: &str, inside: &str, close: &str, n: usize| {
            Value::from_typed(&format!("{}{inside}{}", open.repeat(n), close.repeat(n)))
        };
        for n in [1, 5, MOST_LEVELS, MOST_LEVELS + 1] {
            for value in
                [deep("[", "1", "]", n), deep("a(b=", "2", ")", n), deep("[a(b=", "2", ")]", n)]
            {
                let levels = if value.to_string().contains("[a(") { 2 * n } else { n };
                let levels = levels.min(MOST_LEVELS + 1);
                assert!(value.is_deeper_than(levels - 1), "{value}");
                assert!(levels > MOST_LEVELS || !value.is_deeper_than(levels), "{value}");
            }
        }
        assert_eq!(
            deep("[", "1.5", "]", MOST_LEVELS).to_string().matches('[').count(),
            MOST_LEVELS
        );
        let word = Value::Text(format!("{}x{}", "a(b=".repeat(40), ")".repeat(40)));
        assert!(word.is_deeper_than(MOST_LEVELS));
        let expression = Value::Text(format!("{}x{}", "tanh(".repeat(400), ")".repeat(400)));
        assert!(!expression.is_deeper_than(0));
        // This neither takes long nor overflows the stack.
        for (open, close) in [("[", "]"), ("a(b=", ")"), ("[", ""), ("a(b=", "")] {
            let _ = deep(open, "1", close, 200_000).is_deeper_than(MOST_LEVELS);
        }
    }

    #[test]
    fn a_whole_real_counts_as_an_integer_and_a_fraction_does_not() {
        assert_eq!(Value::Real(1e4).as_int(), Some(10_000));
        assert_eq!(Value::Real(2.5).as_int(), None);
        assert_eq!(Value::Real(f64::INFINITY).as_int(), None);
        assert_eq!(Value::Real(1e20).as_int(), Some(i64::MAX));
    }

    #[test]
    fn display_reads_back_to_the_same_number() {
        for x in [0.1, 1.0 / 3.0, 1e-7, 2.5e20, 0.0] {
            let text = Value::Real(x).to_string();
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(x.to_bits()), "{text}");
        }
    }
}
