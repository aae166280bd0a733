//! SHOW: the command line. Data go to stdout, talk and progress to stderr; no science lives here.

mod args;
mod eval;
mod list;
mod out;
mod progress;
mod run;
mod show;

use std::process::ExitCode;

/// Exit codes: fine, a claim failed or training diverged, usage or I/O, interrupted.
pub(crate) const FINE: u8 = 0;
pub(crate) const FAILED: u8 = 1;
pub(crate) const USAGE: u8 = 2;
pub(crate) const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().collect();
    let result = args::unknown_experiment(&given).map_or_else(
        || {
            let matches = args::command().get_matches();
            match matches.subcommand() {
                Some(("run", sub)) => run::run(sub),
                Some(("list", sub)) => list::list(sub),
                Some(("show", sub)) => show::show(sub),
                Some(("eval", sub)) => eval::eval(sub),
                _ => unreachable!("clap asks for one of the commands it was given"),
            }
        },
        Err,
    );
    ExitCode::from(result.unwrap_or_else(|error| out::complain(&error)))
}
