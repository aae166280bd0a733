//! Anything a user can write, in process: it is built or refused with a reason, and never a panic.

mod bad_values;
mod book;
mod dice;
mod fitting;
mod make;
mod record;
mod text;
mod training;
mod wild;

use fovea_core::ParamError;
use fovea_core::Value;
use fovea_core::params::Assignments;
use fovea_lab::convert::to_toml;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// The time now, to say how long a test took.
#[expect(clippy::disallowed_methods, reason = "a test may say how long it took")]
fn now() -> Instant {
    Instant::now()
}

/// What `work` returns, or what it panicked with.
fn without_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
        format!("a panic: {}", text.unwrap_or_default())
    })
}

/// Settings as the text of a training file.
fn as_toml(settings: &Assignments) -> String {
    let value = to_toml(&Value::Table(settings.clone()));
    toml::to_string(&value).unwrap_or_else(|_| value.to_string())
}

/// Fails with the first few of what went wrong.
#[track_caller]
fn none_failed(failures: &[String]) {
    let first: Vec<&str> = failures.iter().take(8).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} failed, such as\n{}", failures.len(), first.join("\n\n"));
}

/// The parameter that a complaint is about, where it is about one alone.
fn key_of(error: &ParamError) -> Option<&str> {
    match error {
        ParamError::UnknownKey { key, .. }
        | ParamError::WrongKind { key, .. }
        | ParamError::OutOfRange { key, .. }
        | ParamError::Empty { key }
        | ParamError::BadEntry { key, .. }
        | ParamError::UnknownItem { key, .. }
        | ParamError::Nameless { key, .. }
        | ParamError::Expression { key, .. } => Some(key),
        ParamError::Inconsistent { .. } => None,
    }
}

/// Whether the settings hold something at this path; class names may hold dots themselves.
fn has_path(rows: &Assignments, path: &str) -> bool {
    let plain = |key: &str| key.replace('-', "_");
    rows.iter().any(|(key, value)| {
        plain(path) == plain(key)
            || match (plain(path).strip_prefix(&format!("{}.", plain(key))), value) {
                (Some(rest), Value::Table(rows)) => has_path(rows, rest),
                _ => false,
            }
    })
}
