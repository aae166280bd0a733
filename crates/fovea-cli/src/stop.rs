//! Signals: which of them stop a run and keep its results, and which end the program.

use crate::exit::INTERRUPTED;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that stops the run and keeps its results. SIGINT (Ctrl-C), SIGTERM, SIGHUP (the end of the terminal) and SIGUSR1
/// (the warning of a batch system) raise it. A second SIGINT or SIGTERM ends the program at once. The other two are often
/// sent twice, or before a kill, and never do so.
pub(crate) fn stop_switch() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
        use signal_hook::flag;
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // Without handlers Ctrl-C simply kills the run, which its .partial directory survives.
            let _ = flag::register_conditional_shutdown(
                signal,
                i32::from(INTERRUPTED),
                Arc::clone(&asked),
            );
            let _ = flag::register(signal, Arc::clone(&asked));
            let _ = flag::register(signal, Arc::clone(&stop));
        }
        for signal in [SIGHUP, SIGUSR1] {
            // What nohup has us ignore stays ignored.
            if !ignored(signal) {
                let _ = flag::register(signal, Arc::clone(&stop));
            }
        }
    }
    let_writes_fail();
    stop
}

/// Whether we were started with a signal ignored, where the system says so.
#[cfg(unix)]
fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Lets a file-size limit fail the write that meets it, instead of killing the program.
pub(crate) fn let_writes_fail() {
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGXFSZ;
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}
