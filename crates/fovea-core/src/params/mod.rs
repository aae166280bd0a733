//! Parameters with their schema: name, documentation, kind, range, unit and default from one declaration.
//!
//! [`params!`](crate::params!) makes the struct, its `Default`, strict assignment by name and the list of [`Field`]s.
//! Rules that tie several fields together sit in a hand-written [`Params::check`].

use crate::value::Value;
use std::borrow::Cow;

mod array;
mod error;
mod range;
mod types;

pub use error::{ParamError, Trouble, nearest};
pub use range::{Range, above, any, at_least, between, finite, finite_above, inside};
pub use types::{Kind, Nested, ParamType};

/// Values assigned by name, in the order given.
pub type Assignments = Vec<(String, Value)>;

/// The name of a parameter as in code, with underscores where a user may have typed hyphens.
pub fn spelled(key: &str) -> Cow<'_, str> {
    if key.contains('-') { Cow::Owned(key.replace('-', "_")) } else { Cow::Borrowed(key) }
}

/// One parameter as the shells see it.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name in code, files and flags.
    pub name: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// What it accepts.
    pub kind: Kind,
    /// Which numbers.
    pub range: Range,
    /// Unit, or empty for a pure number.
    pub unit: &'static str,
    /// Value if it is not set.
    pub default: Value,
    /// For a parameter added to an item that already had records: the default it was added with, at which those were run.
    pub added: Option<Value>,
}

/// A struct of parameters with a schema.
pub trait Schema: Default + Clone {
    /// Every parameter, in order.
    fn schema() -> Vec<Field>;

    /// Sets one parameter after checking its kind and range.
    ///
    /// # Errors
    /// Unknown key, wrong kind, or out of range.
    fn assign(&mut self, key: &str, value: &Value) -> Result<(), ParamError>;

    /// Sets the parameter at this index of the schema to a number, as [`assign`](Self::assign) does by name.
    ///
    /// # Errors
    /// No such index, wrong kind, or out of range.
    fn put(&mut self, field: usize, x: f64) -> Result<(), ParamError>;

    /// The same in many sets of parameters, one number per set.
    ///
    /// # Errors
    /// The first set whose number is not allowed, and why; those before it are set.
    #[inline]
    fn put_each(
        sets: &mut [Self],
        field: usize,
        numbers: &[f64],
    ) -> Result<(), (usize, ParamError)> {
        for (i, (set, x)) in sets.iter_mut().zip(numbers).enumerate() {
            set.put(field, *x).map_err(|error| (i, error))?;
        }
        Ok(())
    }

    /// All values, in order.
    fn values(&self) -> Assignments;
}

/// A [`Schema`] with its rules across fields.
pub trait Params: Schema {
    /// Checks the rules that tie fields together.
    ///
    /// # Errors
    /// The first rule broken.
    fn check(&self) -> Result<(), ParamError> {
        Ok(())
    }
}

/// The fields of a group, with these values as defaults and some ranges replaced.
pub fn in_place<G: Schema>(group: &G, ranges: &[(&str, Range)]) -> Vec<Field> {
    let fields = G::schema().into_iter().zip(group.values());
    let in_place = |(field, (_, default)): (Field, (String, Value))| {
        let other = ranges.iter().find(|(key, _)| *key == field.name);
        Field { default, range: other.map_or(field.range, |(_, range)| *range), ..field }
    };
    fields.map(in_place).collect()
}

/// The default a parameter was added with, if it was added later.
pub fn first_default<T: ParamType>(first: &[T]) -> Option<Value> {
    first.first().map(ParamType::write)
}

/// Declares a parameter struct.
///
/// Each line is `name: type = default, range, "unit";` under its documentation. A parameter that is added to an item of which
/// there are records says so with the default it is added with, `..., "unit", added = value;`: while it has that value, it
/// leaves the names of records alone. Lines `..group: Group;` before them include every parameter of another such struct, as
/// if its lines stood here; `..group: Group { n = 16; batch = 10, between(2.0, 1e8) };` gives some of them other defaults, and
/// other ranges within their own. See the tests for an example.
#[macro_export]
macro_rules! params {
    (
        $(#[doc = $about:literal])+
        $vis:vis struct $name:ident {
            $(..$part:ident: $group:ident $({ $($key:ident = $value:expr $(, $narrow:expr)?);+ $(;)? })?;)*
            $($(#[doc = $doc:literal])+ $field:ident: $ty:ty = $default:expr, $range:expr, $unit:literal $(, added = $first:expr)?;)*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        $vis struct $name {
            $(#[doc = "Parameters shared with other items."] pub $part: $group,)*
            $($(#[doc = $doc])+ pub $field: $ty,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($part: $group { $($($key: $value,)+)? ..<$group>::default() },)*
                    $($field: $default,)*
                }
            }
        }

        impl $crate::params::Schema for $name {
            fn schema() -> Vec<$crate::params::Field> {
                let groups: [Vec<$crate::params::Field>; _] = [$($crate::params::in_place(
                    &Self::default().$part,
                    &[$($($((stringify!($key), $narrow),)?)+)?],
                )),*];
                let own = [$($crate::params::Field {
                    name: stringify!($field),
                    doc: concat!($($doc, "\n"),+).trim(),
                    kind: <$ty as $crate::params::ParamType>::KIND,
                    range: $range,
                    unit: $unit,
                    default: $crate::params::ParamType::write(&Self::default().$field),
                    added: $crate::params::first_default::<$ty>(&[$($first)?]),
                }),*];
                groups.into_iter().flatten().chain(own).collect()
            }

            fn assign(
                &mut self,
                key: &str,
                value: &$crate::value::Value,
            ) -> Result<(), $crate::params::ParamError> {
                let name = $crate::params::spelled(key);
                match name.as_ref() {
                    $(stringify!($field) => {
                        self.$field = <$ty as $crate::params::ParamType>::checked(
                            stringify!($field),
                            value,
                            $range,
                        )?;
                        return Ok(());
                    })*
                    $($($($(stringify!($key) => {
                        self.$part.$key = $crate::params::ParamType::checked(stringify!($key), value, $narrow)?;
                        return Ok(());
                    })?)+)?)*
                    _ => {}
                }
                $(if <$group as $crate::params::Schema>::schema().iter().any(|f| f.name == name) {
                    return $crate::params::Schema::assign(&mut self.$part, key, value);
                })*
                Err($crate::params::ParamError::UnknownKey {
                    key: key.to_owned(),
                    known: <Self as $crate::params::Schema>::schema().iter().map(|f| f.name).collect(),
                })
            }

            #[inline]
            fn put(&mut self, field: usize, x: f64) -> Result<(), $crate::params::ParamError> {
                let mut place = 0..field;
                $(
                    let count = <$group as $crate::params::Schema>::schema().len();
                    if place.len() < count {
                        $($($(if <$group as $crate::params::Schema>::schema()[place.len()].name == stringify!($key) {
                            self.$part.$key = $crate::params::ParamType::checked_number(stringify!($key), x, $narrow)?;
                            return Ok(());
                        })?)+)?
                        return $crate::params::Schema::put(&mut self.$part, place.len(), x);
                    }
                    place.start += count;
                )*
                $(
                    if place.is_empty() {
                        self.$field = <$ty as $crate::params::ParamType>::checked_number(
                            stringify!($field),
                            x,
                            $range,
                        )?;
                        return Ok(());
                    }
                    place.start += 1;
                )*
                Err($crate::params::ParamError::UnknownKey {
                    key: format!("number {}", place.end),
                    known: <Self as $crate::params::Schema>::schema().iter().map(|f| f.name).collect(),
                })
            }

            fn values(&self) -> $crate::params::Assignments {
                let groups: [$crate::params::Assignments; _] =
                    [$($crate::params::Schema::values(&self.$part)),*];
                let own = [
                    $((stringify!($field).to_owned(), $crate::params::ParamType::write(&self.$field))),*
                ];
                groups.into_iter().flatten().chain(own).collect()
            }
        }
    };
}

/// Declares an enum whose variants are words a user can type.
#[macro_export]
macro_rules! choice {
    (
        $(#[doc = $about:literal])+
        $vis:vis enum $name:ident {
            $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl $name {
            /// The word a user types.
            $vis const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl $crate::params::ParamType for $name {
            const KIND: $crate::params::Kind = $crate::params::Kind::Choice(&[$($word),+]);
            fn read(value: &$crate::value::Value) -> Option<Self> {
                match value {
                    $($crate::value::Value::Text(t) if t == $word => Some(Self::$variant),)+
                    _ => None,
                }
            }
            fn write(&self) -> $crate::value::Value {
                $crate::value::Value::Text(self.word().to_owned())
            }
            fn numbers(&self) -> Vec<f64> {
                Vec::new()
            }
        }
    };
}

#[cfg(test)]
mod tests;
