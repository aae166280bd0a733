//! The machine as a verb uses it: threads, and the instruction set of the kernels.

use crate::args::wrong;
use crate::{args, out};
use clap::ArgMatches;
use fovea_lab::LabError;
use fovea_lab::threads::Wanted;

/// Starts as many threads as were asked for, or as the environment and the machine have it, at the instruction set asked for.
///
/// # Errors
/// They are no number of threads, or cannot be started; the machine has no such instructions.
pub(crate) fn set_up(matches: &ArgMatches) -> Result<(), LabError> {
    choose_level(matches)?;
    let started = Wanted::new(args::threads(matches)?).start()?;
    started.notes.iter().for_each(|note| out::talk(format!("threads: {note}")));
    Ok(())
}

/// Lets kernels run at the instruction set asked for.
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
