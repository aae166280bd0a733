//! A parameter that is itself a registered item with parameters of its own: `base = nlgp(gain=3)`.

use crate::params::{Assignments, Field, Kind, Nested, ParamError, ParamType, Range, Schema};
use crate::registry::{Entry, too_deep};
use crate::value::{MOST_LEVELS, Value};

/// A kind of item that a parameter can name.
pub trait Family: Sized + 'static {
    /// The kind, as the catalogue calls it.
    const NOUN: &'static str;

    /// Every item of the kind.
    fn entries() -> &'static [&'static Entry<Self>];

    /// The item of this name; underscores and hyphens are the same.
    fn find(name: &str) -> Option<&'static Entry<Self>> {
        Self::entries().iter().find(|entry| entry.name == name.replace('_', "-")).copied()
    }
}

/// The name of an item and the parameters that were set.
///
/// Typed as `nlgp` or `nlgp(gain=3, xi=2)`; in a file it is a word or a table with a `name`.
pub struct Item<T: 'static> {
    entry: &'static Entry<T>,
    values: Assignments,
}

impl<T> Clone for Item<T> {
    fn clone(&self) -> Self {
        Self { entry: self.entry, values: self.values.clone() }
    }
}

impl<T> std::fmt::Debug for Item<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:?}", self.entry.name, self.values)
    }
}

impl<T: Family> Item<T> {
    /// The item called `name` at its defaults.
    ///
    /// # Panics
    /// There is no such item. Names typed by a user go through [`ParamType::checked`] instead.
    pub fn named(name: &str) -> Self {
        let entry = T::find(name).expect("a default names a registered item");
        Self { entry, values: Vec::new() }
    }

    /// The item called `name` with the settings of `params`, all of them spelled out.
    ///
    /// # Panics
    /// There is no such item, or it has other settings: code that writes settings down knows whose they are.
    pub fn of<S: Schema>(name: &str, params: &S) -> Self {
        Self::made_by(Self::named(name).entry, params)
    }

    /// An item with the settings of `params`, which the catalogue need not list.
    ///
    /// # Panics
    /// It has other settings.
    pub fn made_by<S: Schema>(entry: &'static Entry<T>, params: &S) -> Self {
        let values = params.values();
        let known: Vec<&str> = (entry.schema)().iter().map(|field| field.name).collect();
        let own = |(key, _): &(String, Value)| known.contains(&key.as_str());
        assert!(values.iter().all(own), "the settings are those of {}", entry.name);
        Self { entry, values }
    }

    /// The same item with one more value set.
    #[must_use]
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.values.push((key.to_owned(), value.into()));
        self
    }

    /// The item's name.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// What was set.
    pub fn values(&self) -> &Assignments {
        &self.values
    }

    /// Makes the item; errors name the parameter as `key.parameter`.
    ///
    /// # Errors
    /// A value does not fit.
    pub fn build(&self, key: &str) -> Result<T, ParamError> {
        (self.entry.build)(&self.values).map_err(|error| error.inside(key))
    }
}

/// The parameters of the item called `name`; empty if there is no such item.
fn schema_of<T: Family>(name: &str) -> Vec<Field> {
    T::find(name).map_or(Vec::new(), |entry| (entry.schema)())
}

impl<T: Family> ParamType for Item<T> {
    const KIND: Kind = Kind::Item(Nested { noun: T::NOUN, schema: schema_of::<T> });

    fn read(value: &Value) -> Option<Self> {
        Self::checked("", value, crate::params::any()).ok()
    }

    fn write(&self) -> Value {
        let name = ("name".to_owned(), Value::Text(self.entry.name.to_owned()));
        Value::Table([vec![name], self.values.clone()].concat())
    }

    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }

    fn checked(key: &str, value: &Value, _: Range) -> Result<Self, ParamError> {
        let (name, values) = match value {
            // A word in a file may be an item with its settings, as typed on the command line.
            Value::Text(text) if text.ends_with(')') => match Value::from_typed(text) {
                typed @ Value::Table(_) if typed.is_deeper_than(MOST_LEVELS) => {
                    return Err(too_deep(key));
                }
                typed @ Value::Table(_) => return Self::checked(key, &typed, crate::params::any()),
                _ => (text, Vec::new()),
            },
            Value::Text(name) => (name, Vec::new()),
            Value::Table(rows) => match value.get("name") {
                Some(Value::Text(name)) => {
                    (name, rows.iter().filter(|(key, _)| key != "name").cloned().collect())
                }
                _ => return Err(ParamError::Nameless { key: key.to_owned(), noun: T::NOUN }),
            },
            _ => return Err(ParamError::wrong_kind::<Self>(key, value)),
        };
        let Some(entry) = T::find(name) else {
            let known = T::entries().iter().map(|entry| entry.name).collect();
            let (key, name) = (key.to_owned(), name.clone());
            return Err(ParamError::UnknownItem { key, noun: T::NOUN, name, known });
        };
        let known: Vec<&'static str> = (entry.schema)().iter().map(|field| field.name).collect();
        let spelled = |key: &str| key.replace('-', "_");
        if let Some((unknown, _)) =
            values.iter().find(|(k, _)| !known.contains(&spelled(k).as_str()))
        {
            return Err(ParamError::UnknownKey { key: unknown.clone(), known }.inside(key));
        }
        Ok(Self { entry, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{any, at_least};
    use crate::registry::resolve;
    use crate::{Params, params};

    params! {
        /// A line.
        struct Line {
            /// Length.
            length: usize = 3, at_least(1.0), "";
        }
    }
    impl Params for Line {}

    const LINE: Entry<usize> = Entry {
        name: "long-line",
        summary: "",
        schema: Line::schema,
        build: |values| Ok(resolve::<Line>(values)?.length),
    };

    impl Family for usize {
        const NOUN: &'static str = "shape";
        fn entries() -> &'static [&'static Entry<Self>] {
            &[&LINE]
        }
    }

    fn read(typed: &str) -> Result<Item<usize>, ParamError> {
        Item::checked("base", &Value::from_typed(typed), any())
    }

    #[test]
    fn an_item_is_a_word_or_a_word_with_settings() {
        assert_eq!(read("long-line").unwrap().build("base").unwrap(), 3);
        let item = read("long_line(length=7)").unwrap();
        assert_eq!(item.build("base").unwrap(), 7);
        assert_eq!(item.write().to_string(), "long-line(length=7)");
        let word = Item::<usize>::read(&Value::Text("long-line(length=5)".to_owned())).unwrap();
        assert_eq!(word.build("base").unwrap(), 5);
    }

    #[test]
    fn an_item_need_not_be_in_the_catalogue() {
        const TWICE: Entry<usize> = Entry {
            name: "twice",
            summary: "",
            schema: Line::schema,
            build: |values| Ok(2 * resolve::<Line>(values)?.length),
        };
        let item = Item::made_by(&TWICE, &Line { length: 5 });
        assert_eq!((item.name(), item.build("base").unwrap()), ("twice", 10));
        assert!(read("twice").is_err(), "it cannot be typed");
    }

    #[test]
    fn what_is_wrong_inside_is_named_by_its_path() {
        let cases = [
            (
                "lang-line",
                "`base` names no shape: there is no `lang-line`",
                "did you mean `long-line`?",
            ),
            (
                "long-line(lenght=3)",
                "there is no parameter `base.lenght`",
                "did you mean `length`?",
            ),
            (
                "3",
                "`base` is 3, which is a whole number; it must be a shape",
                "give `base` a shape",
            ),
        ];
        for (typed, message, hint) in cases {
            let error = read(typed).unwrap_err();
            assert_eq!((error.to_string().as_str(), error.hint().as_str()), (message, hint));
        }
        let error = read("long-line(length=0)").unwrap().build("base").unwrap_err();
        assert_eq!(error.to_string(), "`base.length` is 0; it must be >= 1");
    }
}
