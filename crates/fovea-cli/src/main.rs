//! SHOW: the command line. Data go to stdout, messages and progress to stderr; there is no science here.

mod args;
mod bench;
mod compare;
mod eval;
mod exit;
mod list;
mod machine;
mod measure;
mod out;
mod panic;
mod progress;
mod rehearse;
mod report;
mod resume;
mod run;
mod show;
mod stop;
mod train;
mod usage;
mod verify;

use clap::ArgMatches;
use fovea_lab::LabError;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    panic::say_in_one_line();
    let given: Vec<OsString> = std::env::args_os().collect();
    let result = usage::parse(&given).and_then(|matches| dispatch(&matches));
    // Output that could not be printed is an error of its own, after the work is done and kept.
    let result = result.and_then(|code| out::all_printed().map(|()| code));
    let json = given.iter().any(|word| word == "--json");
    ExitCode::from(result.unwrap_or_else(|error| out::complain(&error, json)))
}

fn dispatch(matches: &ArgMatches) -> Result<u8, LabError> {
    match matches.subcommand() {
        Some(("run", sub)) => match sub.get_one::<PathBuf>("resume") {
            Some(dir) => resume::resume(dir, sub),
            None => run::run(sub),
        },
        Some(("train", sub)) => train::train(sub),
        Some(("verify", sub)) => verify::verify(sub),
        Some(("report", sub)) => report::report(sub),
        Some(("compare", sub)) => compare::compare(sub),
        Some(("measure", sub)) => measure::measure(sub),
        Some(("bench", sub)) => bench::bench(sub),
        Some(("list", sub)) => list::list(sub),
        Some(("show", sub)) => show::show(sub),
        Some(("eval", sub)) => eval::eval(sub),
        _ => unreachable!("clap asks for one of the commands it was given"),
    }
}
