//! An error of the program itself: one line, and what to do.

use crate::out;
use std::backtrace::Backtrace;
use std::panic::PanicHookInfo;

/// Reports every panic in one line; the program then ends with status 101, which is that of the language.
pub(crate) fn say_in_one_line() {
    std::panic::set_hook(Box::new(say));
}

fn say(info: &PanicHookInfo<'_>) {
    // A reader of files that expects a panic returns an error of its own.
    if fovea_lab::attempt::is_under_way() {
        return;
    }
    let payload = info.payload();
    let message = payload.downcast_ref::<&str>().copied();
    let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
    out::talk(line(message.unwrap_or("no message"), &place.unwrap_or_default()));
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|word| word != "0") {
        out::talk(Backtrace::force_capture().to_string());
    }
}

/// The line, whatever the message has.
fn line(message: &str, place: &str) -> String {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    format!(
        "error: fovea itself failed: {message}{place}; earlier records are unchanged; please report this line with your command (RUST_BACKTRACE=1 shows more)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_several_lines_is_one() {
        let said = line("assertion failed\n  left: 1\n right: 2", " (a.rs:3)");
        assert!(said.starts_with(
            "error: fovea itself failed: assertion failed left: 1 right: 2 (a.rs:3); "
        ));
        assert!(!said.contains('\n') && said.contains("report"));
    }
}
