//! A SHA-256 over values, not over a file's bytes: it does not depend on how files are written.
//!
//! Every value is preceded by its kind or its length, so that two different lists of values never have the same bytes.

use fovea_core::Value;
use sha2::{Digest as _, Sha256};

/// A hash that is being made.
pub(crate) struct Digest {
    of: String,
    hash: Sha256,
}

impl Digest {
    /// An empty one; `of` says what it is made of, for complaints.
    pub(crate) fn of(of: impl Into<String>) -> Self {
        Self { of: of.into(), hash: Sha256::new() }
    }

    /// A length, or which of several kinds follows.
    pub(crate) fn count(&mut self, count: usize) {
        self.hash.update((count as u64).to_le_bytes());
    }

    pub(crate) fn whole(&mut self, number: i64) {
        self.hash.update(number.to_le_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.hash.update(text.as_bytes());
    }

    /// A word that may be missing.
    pub(crate) fn text_if_any(&mut self, text: Option<&str>) {
        self.count(usize::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }

    /// A number by its bits.
    pub(crate) fn real(&mut self, number: f64) {
        assert!(!number.is_nan(), "{} holds a NaN, whose bits say nothing", self.of);
        self.hash.update(number.to_bits().to_le_bytes());
    }

    /// A number that may be missing.
    pub(crate) fn real_if_any(&mut self, number: Option<f64>) {
        self.count(usize::from(number.is_some()));
        if let Some(number) = number {
            self.real(number);
        }
    }

    /// A number to 13 significant digits: one that was reached by another order of additions is the same.
    pub(crate) fn rounded(&mut self, number: f64) {
        assert!(!number.is_nan(), "{} holds a NaN, whose bits say nothing", self.of);
        // An empty sum is -0, and no time at all.
        self.text(&format!("{:.12e}", number + 0.0));
    }

    /// A JSON document, the keys of its objects sorted.
    pub(crate) fn json(&mut self, document: &serde_json::Value) {
        use serde_json::Value as Json;
        match document {
            Json::Null => self.count(0),
            Json::Bool(truth) => {
                self.count(1);
                self.count(usize::from(*truth));
            }
            Json::Number(number) => {
                if let Some(number) = number.as_i64() {
                    self.count(2);
                    self.whole(number);
                } else {
                    self.count(3);
                    self.real(number.as_f64().expect("a number of JSON is a double"));
                }
            }
            Json::String(text) => {
                self.count(4);
                self.text(text);
            }
            Json::Array(items) => {
                self.count(5);
                self.count(items.len());
                for item in items {
                    self.json(item);
                }
            }
            Json::Object(rows) => {
                let mut rows: Vec<_> = rows.iter().collect();
                rows.sort_by_key(|(key, _)| key.as_str());
                self.count(6);
                self.count(rows.len());
                for (key, value) in rows {
                    self.text(key);
                    self.json(value);
                }
            }
        }
    }

    /// A value of a closed form.
    pub(crate) fn value(&mut self, value: &Value) {
        match value {
            Value::Bool(truth) => {
                self.count(0);
                self.count(usize::from(*truth));
            }
            Value::Int(number) => {
                self.count(1);
                self.whole(*number);
            }
            Value::Real(number) => {
                self.count(2);
                self.real(*number);
            }
            Value::Text(text) => {
                self.count(3);
                self.text(text);
            }
            Value::List(items) => {
                self.count(4);
                self.count(items.len());
                for item in items {
                    self.value(item);
                }
            }
            Value::Table(rows) => {
                self.count(5);
                self.count(rows.len());
                for (key, value) in rows {
                    self.text(key);
                    self.value(value);
                }
            }
            Value::Array(matrix) => {
                self.count(6);
                self.count(matrix.rows());
                self.count(matrix.cols());
                for number in matrix.numbers() {
                    self.real(*number);
                }
            }
        }
    }

    /// The hash in hexadecimal.
    pub(crate) fn hex(self) -> String {
        self.hash.finalize().iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
    }
}
