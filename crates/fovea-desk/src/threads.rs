//! The number of threads, from the command line, the environment and the machine, and how they are started.
//!
//! No result depends on it. If the system refuses a thread, there are fewer and a message says so; it is never a panic.

use crate::error::{LabError, refused};
use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};
use std::io;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, JoinHandle};

/// The most threads that may be requested.
pub const MOST: usize = 4096;

/// Variables of the environment that may set the number of threads; the first that does counts.
const VARIABLES: [&str; 2] = ["SLURM_CPUS_PER_TASK", "RAYON_NUM_THREADS"];

/// How many threads are to work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Their number.
    pub count: usize,
    /// Whether the user asked for exactly this many: fewer are then an error.
    pub exactly: bool,
    /// What was ignored of the environment, in a sentence.
    pub note: Option<String>,
}

/// Threads that were started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// How many work.
    pub count: usize,
    /// What the user should know, in a sentence each.
    pub notes: Vec<String>,
}

impl Wanted {
    /// The requested number, else that of the environment or the machine.
    pub fn new(asked: Option<usize>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self::within(asked, |name| std::env::var(name).ok(), cores)
    }

    /// The requested number; else that of `variable`, but at most the number of cores; else one per core.
    fn within(
        asked: Option<usize>,
        variable: impl Fn(&str) -> Option<String>,
        cores: usize,
    ) -> Self {
        if let Some(count) = asked {
            return Self { count, exactly: true, note: None };
        }
        let mut wanted = Self { count: cores.min(MOST), exactly: false, note: None };
        for name in VARIABLES {
            // An empty one and a 0 ask for nothing, by custom.
            let text = variable(name).unwrap_or_default();
            match text.trim().parse::<usize>() {
                Ok(0) => {}
                Ok(count) => {
                    let most = wanted.count;
                    if count > most {
                        let s = if most == 1 { "" } else { "s" };
                        wanted.note = Some(format!(
                            "{name} asks for {count} threads; this program may use {most} core{s} and starts that many"
                        ));
                    }
                    wanted.count = count.min(most);
                    break;
                }
                Err(_) if text.trim().is_empty() => {}
                Err(_) => {
                    wanted.note =
                        Some(format!("{name} is {text:?}, which is not a number of threads"));
                }
            }
        }
        wanted
    }

    /// Starts the threads on which all work of the program is done from now on.
    ///
    /// Where the system allows fewer than would be usual, those work; where it allows none, the calling thread does.
    ///
    /// # Errors
    /// They were requested and cannot all be started, or threads work already.
    pub fn start(self) -> Result<Started, LabError> {
        let (mut seats, refusal) = seats(self.count);
        let mut notes: Vec<String> = self.note.clone().into_iter().collect();
        if let Some(error) = refusal {
            // One thread is always available: the one that calls.
            if self.exactly && self.count > 1 {
                return Err(self.refused(&error));
            }
            // The rest of the program may need a thread as well.
            if seats.len() > 1
                && let Some(seat) = seats.pop()
            {
                seat.leave();
            }
            let count = seats.len().max(1);
            if count < self.count {
                notes.push(format!(
                    "the system starts no more threads ({error}): {count} of {} work{}",
                    self.count,
                    if count == 1 { "s" } else { "" }
                ));
            }
        }
        let count = seats.len().max(1);
        let pool = ThreadPoolBuilder::new().num_threads(count);
        let built = if seats.is_empty() {
            pool.use_current_thread().build_global()
        } else {
            pool.spawn_handler(|thread| take(&mut seats, thread)).build_global()
        };
        built.map_err(|error| self.refused(&error))?;
        Ok(Started { count, notes })
    }

    /// Threads in addition to those of the program, as a pool.
    ///
    /// # Errors
    /// They were requested and cannot all be started, or not one can.
    pub fn pool(self) -> Result<(ThreadPool, Vec<String>), LabError> {
        let (mut seats, refusal) = seats(self.count);
        let mut notes: Vec<String> = self.note.clone().into_iter().collect();
        if let Some(error) = refusal {
            let count = seats.len();
            if self.exactly || count == 0 {
                return Err(self.refused(&error));
            }
            notes.push(format!("the system starts {count} of {} threads: {error}", self.count));
        }
        let pool = ThreadPoolBuilder::new().num_threads(seats.len());
        let pool = pool.spawn_handler(|thread| take(&mut seats, thread)).build();
        Ok((pool.map_err(|error| self.refused(&error))?, notes))
    }

    fn refused(&self, error: &dyn std::error::Error) -> LabError {
        let what = format!("{} threads could not be started: {error}", self.count);
        refused(what, "choose fewer threads, or raise the limit on them").into()
    }
}

/// A thread that waits for its work in a pool; without work it ends.
///
/// Started before there is a pool: a pool that fails half-way cannot be tried again.
struct Seat {
    worker: Sender<ThreadBuilder>,
    thread: JoinHandle<()>,
}

impl Seat {
    /// Ends the thread, so that the system may start another.
    fn leave(self) {
        drop(self.worker);
        let _ = self.thread.join();
    }
}

/// This many waiting threads, or as many as the system starts and why not more.
fn seats(count: usize) -> (Vec<Seat>, Option<io::Error>) {
    let mut seats = Vec::new();
    while seats.len() < count {
        let (worker, place) = channel::<ThreadBuilder>();
        let work = move || {
            if let Ok(worker) = place.recv() {
                worker.run();
            }
        };
        match Builder::new().name(format!("fovea {}", seats.len())).spawn(work) {
            Ok(thread) => seats.push(Seat { worker, thread }),
            Err(error) => return (seats, Some(error)),
        }
    }
    (seats, None)
}

/// Lets the next waiting thread do a worker's work.
fn take(seats: &mut Vec<Seat>, worker: ThreadBuilder) -> io::Result<()> {
    let gone = || io::Error::other("a thread that waited is gone");
    let seat = seats.pop().ok_or_else(gone)?;
    seat.worker.send(worker).map_err(|_| gone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(asked: Option<usize>, said: &[(&str, &str)], cores: usize) -> Wanted {
        let variable = |name: &str| {
            said.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned())
        };
        Wanted::within(asked, variable, cores)
    }

    #[test]
    fn what_is_asked_for_comes_first_then_slurm_then_rayon_then_the_cores() {
        let (slurm, rayon) = (("SLURM_CPUS_PER_TASK", "3"), ("RAYON_NUM_THREADS", "5"));
        assert_eq!(wanted(Some(7), &[slurm, rayon], 16).count, 7);
        assert!(wanted(Some(7), &[slurm, rayon], 16).exactly);
        assert_eq!(wanted(None, &[rayon, slurm], 16).count, 3);
        assert_eq!(wanted(None, &[rayon], 16).count, 5);
        assert_eq!(wanted(None, &[], 16).count, 16);
        for nothing in ["", "0", " "] {
            let of_slurm = ("SLURM_CPUS_PER_TASK", nothing);
            let quiet = Wanted { count: 16, exactly: false, note: None };
            assert_eq!(wanted(None, &[of_slurm], 16), quiet);
            assert_eq!(wanted(None, &[of_slurm, rayon], 16).count, 5);
        }
    }

    #[test]
    fn the_environment_cannot_ask_for_more_than_the_machine_has_and_nonsense_is_said() {
        for name in VARIABLES {
            let many = wanted(None, &[(name, "100000")], 2);
            assert_eq!((many.count, many.exactly), (2, false));
            let note = many.note.unwrap();
            assert!(note.contains(name) && note.contains("100000") && note.contains("2 cores"));
            let nonsense = wanted(None, &[(name, "-3")], 2);
            assert_eq!(nonsense.count, 2);
            assert!(nonsense.note.unwrap().contains("\"-3\""));
        }
        assert_eq!(wanted(None, &[], 1 << 20).count, MOST);
    }

    #[test]
    fn a_pool_has_the_threads_that_were_asked_for_and_works() {
        let (pool, notes) = wanted(Some(3), &[], 1).pool().unwrap();
        assert_eq!((pool.current_num_threads(), notes.len()), (3, 0));
        assert_eq!(pool.install(|| rayon::join(|| 1, || 2)), (1, 2));
    }
}
