//! Arrays that a user passed from memory: a record keeps each as a file, which its settings name.

use crate::outcome::Array;
use fovea_core::params::Assignments;
use fovea_core::{Matrix, Value};

/// The folder of a record that holds them.
pub(crate) const FOLDER: &str = "inputs";

/// Arrays with fewer numbers are written into the settings themselves.
const MOST_INLINE: usize = 64;

fn is_kept(matrix: &Matrix) -> bool {
    matrix.source().is_none() && matrix.numbers().len() > MOST_INLINE
}

/// A setting in which every array with a file of its own is replaced by the name of that file.
pub(super) fn named(path: &str, value: &Value) -> Value {
    match value {
        Value::Array(matrix) if is_kept(matrix) => file(path).as_str().into(),
        Value::Table(rows) => {
            let row = |(key, value): &(String, Value)| {
                (key.clone(), named(&format!("{path}.{key}"), value))
            };
            Value::Table(rows.iter().map(row).collect())
        }
        other => other.clone(),
    }
}

/// Every array that has a file of its own, with the file's name.
pub(super) fn arrays(settings: &Assignments) -> Vec<(String, Array)> {
    let mut found = Vec::new();
    for (key, value) in settings {
        collect(key, value, &mut found);
    }
    found
}

fn collect(path: &str, value: &Value, found: &mut Vec<(String, Array)>) {
    match value {
        Value::Array(matrix) if is_kept(matrix) => {
            let (shape, data) = (vec![matrix.rows(), matrix.cols()], matrix.numbers().to_vec());
            found.push((file(path), Array { name: path.to_owned(), shape, data }));
        }
        Value::Table(rows) => {
            for (key, value) in rows {
                collect(&format!("{path}.{key}"), value, found);
            }
        }
        _ => {}
    }
}

fn file(path: &str) -> String {
    // A class may be called anything; a file may not.
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    format!("{FOLDER}/{}.npy", path.chars().map(plain).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_arrays_without_a_file_get_one_and_others_stay_as_they_are() {
        let large = Matrix::new(5, vec![0.5; 100]);
        let rows = [
            ("large", Value::Array(large.clone())),
            ("small", Value::Array(Matrix::new(2, vec![1.0; 4]))),
            ("theirs", Value::Array(large.from_source("mine.npy"))),
        ];
        let settings = vec![("class".to_owned(), Value::table([("a/b", Value::table(rows))]))];
        let arrays = arrays(&settings);
        assert_eq!(arrays.len(), 1);
        assert_eq!(arrays[0].0, "inputs/class.a_b.large.npy");
        assert_eq!(arrays[0].1.shape, [20, 5]);
        let named = named("class", &settings[0].1);
        let class = named.get("a/b").unwrap();
        assert_eq!(class.get("large"), Some(&Value::Text(arrays[0].0.clone())));
        assert!(matches!(class.get("small"), Some(Value::Array(_))));
        assert!(matches!(class.get("theirs"), Some(Value::Array(_))));
    }
}
