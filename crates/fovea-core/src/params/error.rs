//! What is wrong with a value, and which name was probably meant.

use super::range::in_words;
use super::{Kind, ParamType, Range};
use crate::value::Value;

/// What is wrong with a typed expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The offending character, counted from 0; `None` if the expression can be read but not used.
    pub at: Option<usize>,
    /// What is wrong there.
    pub what: String,
    /// What would be right.
    pub hint: String,
}

/// A value that cannot be used, with everything its message needs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParamError {
    /// No parameter has this name.
    #[error("there is no parameter `{key}`")]
    UnknownKey {
        /// The name given.
        key: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// The value is of another kind.
    #[error("`{key}` is {got}, which is {got_kind}; it must be {expected}")]
    WrongKind {
        /// The parameter.
        key: String,
        /// The value given.
        got: String,
        /// What the value is.
        got_kind: &'static str,
        /// What it must be.
        expected: Kind,
    },
    /// The number is not allowed.
    #[error("`{key}` is {got}; it must be {}", in_words(range))]
    OutOfRange {
        /// The parameter.
        key: String,
        /// The value given.
        got: String,
        /// The allowed numbers.
        range: Range,
    },
    /// An empty list.
    #[error("`{key}` is an empty list; it needs at least one number")]
    Empty {
        /// The parameter.
        key: String,
    },
    /// A number in a table of numbers is not allowed.
    #[error(
        "`{key}` has {got} in row {row}, column {column} (counted from 0); every entry must be {}",
        in_words(range)
    )]
    BadEntry {
        /// The parameter.
        key: String,
        /// The number found.
        got: String,
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// The allowed numbers.
        range: Range,
    },
    /// No item of that kind has this name.
    #[error("`{key}` names no {noun}: there is no `{name}`")]
    UnknownItem {
        /// The parameter.
        key: String,
        /// What it should name.
        noun: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// A table that should describe an item and does not say which.
    #[error("`{key}` does not say which {noun} it is")]
    Nameless {
        /// The parameter.
        key: String,
        /// What it should name.
        noun: &'static str,
    },
    /// A typed expression that cannot be used.
    #[error("`{key}` is {text}{}: {}", place(text, trouble), trouble.what)]
    Expression {
        /// The parameter.
        key: String,
        /// The text given.
        text: String,
        /// What is wrong, and at which character.
        trouble: Trouble,
    },
    /// Values that are allowed one by one but not together.
    #[error("{what}")]
    Inconsistent {
        /// What does not go together, with the values.
        what: String,
        /// What would be right.
        hint: String,
    },
}

impl ParamError {
    /// The error that `value` is not a `T`.
    pub fn wrong_kind<T: ParamType>(key: &str, value: &Value) -> Self {
        Self::WrongKind {
            key: key.to_owned(),
            got: value.to_string(),
            got_kind: value.kind_in_words(),
            expected: T::KIND,
        }
    }

    /// The error that `value` is not in `range`.
    pub fn out_of_range(key: &str, value: &Value, range: Range) -> Self {
        Self::OutOfRange { key: key.to_owned(), got: value.to_string(), range }
    }

    /// The same error about a parameter of the item that `outer` names.
    #[must_use]
    pub fn inside(mut self, outer: &str) -> Self {
        match &mut self {
            Self::UnknownKey { key, .. }
            | Self::WrongKind { key, .. }
            | Self::OutOfRange { key, .. }
            | Self::Empty { key }
            | Self::BadEntry { key, .. }
            | Self::UnknownItem { key, .. }
            | Self::Nameless { key, .. }
            | Self::Expression { key, .. } => *key = format!("{outer}.{key}"),
            Self::Inconsistent { what, .. } => *what = format!("`{outer}`: {what}"),
        }
        self
    }

    /// The next step for the user.
    pub fn hint(&self) -> String {
        match self {
            // Only the name: the path to it was right.
            Self::UnknownKey { key, known } => match nearest(last_part(key), known) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("the parameters are {}", known.join(", ")),
            },
            Self::WrongKind {
                key,
                expected: Kind::Choice(words) | Kind::Words(words),
                got,
                ..
            } => match nearest(got, words) {
                Some(word) => format!("write `{key}={word}`"),
                None => format!("choose one of {}", words.join(", ")),
            },
            Self::WrongKind { key, expected, .. } => format!("give `{key}` {expected}"),
            Self::OutOfRange { key, range, .. } => {
                format!("choose a value of `{key}` that is {}", in_words(range))
            }
            Self::BadEntry { row, .. } => format!("correct or leave out row {row}"),
            Self::UnknownItem { name, known, .. } => match nearest(name, known) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("choose one of {}", known.join(", ")),
            },
            Self::Nameless { noun, .. } => {
                format!("add `name = \"...\"`; `fovea list {noun}` has the names")
            }
            Self::Empty { key } => format!("write `{key}=NUMBER`, or a list with commas"),
            Self::Expression { trouble, .. } => trouble.hint.clone(),
            Self::Inconsistent { hint, .. } => hint.clone(),
        }
    }
}

/// Where an expression cannot be read: from a character on, or at its end; empty if no place is to blame.
fn place(text: &str, trouble: &Trouble) -> String {
    let Some(at) = trouble.at else { return String::new() };
    let rest: String = text.chars().skip(at).collect();
    if rest.trim().is_empty() {
        return ", which cannot be read at its end".to_owned();
    }
    format!(", which cannot be read from character {} on, `{rest}`", at + 1)
}

/// The parameter at the end of a path such as `base.gain`.
fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The entry of `names` closest to `word`, if one is close enough to be what was meant.
pub fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let word = word.replace('_', "-").to_lowercase();
    if word.is_empty() {
        return None;
    }
    let distance = |name: &str| {
        let name = name.replace('_', "-");
        if name.starts_with(&word) { 0 } else { edit_distance(&word, &name) }
    };
    let (distance, name) = names.iter().map(|name| (distance(name), *name)).min()?;
    (distance <= 1 + word.len() / 3).then_some(name)
}

/// Fewest single-character insertions, deletions, substitutions and swaps of neighbours between two words.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let swap = usize::from(a[i - 1] != b[j - 1]);
                let mut best =
                    (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + swap);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_one_a_person_would_mean() {
        let names = ["localize", "gaussian-flow", "parity"];
        assert_eq!(nearest("locallize", &names), Some("localize"));
        assert_eq!(nearest("gauss", &names), Some("gaussian-flow"));
        assert_eq!(nearest("zzzzz", &names), None);
    }
}
