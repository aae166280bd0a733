//! Numbers as a file keeps them: JSON has neither NaN, which is a gap and becomes null, nor infinities, which become the words `inf` and `-inf`.
//!
//! A field that holds numbers is marked `#[serde(with = "store")]`.

use serde::de::{DeserializeOwned, Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Writes numbers, however they are grouped.
///
/// # Errors
/// Those of the format.
pub fn serialize<T: Stored, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.store().serialize(to)
}

/// Reads what [`serialize`] wrote.
///
/// # Errors
/// Something else stands there.
pub fn deserialize<'de, T: Stored, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::Form::deserialize(from).map(T::restore)
}

/// Numbers, alone or grouped, and the form a file has for them.
pub trait Stored: Sized {
    /// What is written.
    type Form: Serialize + DeserializeOwned;
    /// The form of a value.
    fn store(&self) -> Self::Form;
    /// The value of a form.
    fn restore(form: Self::Form) -> Self;
}

/// A number that may be a gap or infinite.
pub struct Real(f64);

impl Stored for f64 {
    type Form = Real;
    fn store(&self) -> Real {
        Real(*self)
    }
    fn restore(form: Real) -> f64 {
        form.0
    }
}

impl Stored for String {
    type Form = String;
    fn store(&self) -> String {
        self.clone()
    }
    fn restore(form: String) -> String {
        form
    }
}

impl<T: Stored> Stored for Vec<T> {
    type Form = Vec<T::Form>;
    fn store(&self) -> Self::Form {
        self.iter().map(T::store).collect()
    }
    fn restore(form: Self::Form) -> Self {
        form.into_iter().map(T::restore).collect()
    }
}

impl<T: Stored> Stored for Option<T> {
    type Form = Option<T::Form>;
    fn store(&self) -> Self::Form {
        self.as_ref().map(T::store)
    }
    fn restore(form: Self::Form) -> Self {
        form.map(T::restore)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    type Form = (A::Form, B::Form);
    fn store(&self) -> Self::Form {
        (self.0.store(), self.1.store())
    }
    fn restore(form: Self::Form) -> Self {
        (A::restore(form.0), B::restore(form.1))
    }
}

impl Serialize for Real {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            x if x.is_nan() => to.serialize_unit(),
            x if x.is_finite() => to.serialize_f64(x),
            x if x > 0.0 => to.serialize_str("inf"),
            _ => to.serialize_str("-inf"),
        }
    }
}

impl<'de> Deserialize<'de> for Real {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AsReal)
    }
}

struct AsReal;

impl Visitor<'_> for AsReal {
    type Value = Real;
    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a number, null, \"inf\" or \"-inf\"")
    }
    fn visit_f64<E: Error>(self, x: f64) -> Result<Real, E> {
        Ok(Real(x))
    }
    fn visit_i64<E: Error>(self, x: i64) -> Result<Real, E> {
        Ok(Real(x as f64))
    }
    fn visit_u64<E: Error>(self, x: u64) -> Result<Real, E> {
        Ok(Real(x as f64))
    }
    fn visit_unit<E: Error>(self) -> Result<Real, E> {
        Ok(Real(f64::NAN))
    }
    fn visit_str<E: Error>(self, word: &str) -> Result<Real, E> {
        match word {
            "inf" => Ok(Real(f64::INFINITY)),
            "-inf" => Ok(Real(f64::NEG_INFINITY)),
            other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Kept {
        #[serde(with = "super")]
        numbers: Vec<f64>,
        #[serde(with = "super")]
        ends: Option<(f64, f64)>,
        #[serde(with = "super")]
        none: Option<f64>,
    }

    #[test]
    fn numbers_come_back_to_the_bit_and_gaps_as_gaps() {
        let numbers = vec![
            0.1,
            -0.0,
            1e-310,
            f64::MAX,
            5e-324,
            1.0 / 3.0,
            1e22,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        let kept = Kept { numbers: numbers.clone(), ends: Some((1.0, 2.5)), none: None };
        let text = serde_json::to_string(&kept).unwrap();
        assert!(text.contains("\"inf\",\"-inf\",null]"), "{text}");
        let back: Kept = serde_json::from_str(&text).unwrap();
        assert!(back.numbers.last().unwrap().is_nan());
        let last = numbers.len() - 1;
        fovea_core::agree::same_bits(&back.numbers[..last], &numbers[..last]).unwrap();
        assert_eq!((back.ends, back.none), (Some((1.0, 2.5)), None));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["\"nan\"", "true", "[1]", "{}"] {
            assert!(serde_json::from_str::<Real>(text).is_err(), "{text}");
        }
        assert!((serde_json::from_str::<Real>("3").map(|x| x.0).unwrap() - 3.0).abs() < 1e-15);
    }
}
