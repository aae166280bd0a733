//! The machine as a verb uses it: threads, and the instruction set.

use crate::args::wrong;
use crate::{args, out};
use clap::ArgMatches;
use fovea_lab::LabError;
use fovea_lab::threads::Wanted;

/// Starts the requested number of threads, or that of the environment or the machine, with the requested instruction set.
///
/// # Errors
/// It is not a number of threads, or they cannot be started; the machine has no such instructions.
pub(crate) fn set_up(matches: &ArgMatches) -> Result<(), LabError> {
    choose_level(matches)?;
    let started = Wanted::new(args::threads(matches)?).start()?;
    started.notes.iter().for_each(|note| out::talk(format!("threads: {note}")));
    Ok(())
}

/// Chooses the requested instruction set.
///
/// # Errors
/// The machine has no such instructions.
pub(crate) fn choose_level(matches: &ArgMatches) -> Result<(), LabError> {
    let Some(level) = args::level(matches)? else { return Ok(()) };
    level.choose().map_err(|there| {
        let (word, there) = (level.word(), args::words(&there));
        let hint = format!("choose one of {there}, or leave --simd out for the best");
        wrong(format!("this machine has no {word} instructions; it has {there}"), hint)
    })
}
