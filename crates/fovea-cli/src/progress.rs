//! Progress: a bar on a terminal, a plain line now and then elsewhere, always on stderr.

use crate::out;
use fovea_lab::Progress;
use fovea_lab::clock::now;
use fovea_lab::conditions::Phase;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A seed nobody chose, from the clock.
#[expect(clippy::disallowed_methods, reason = "a shell may look at the clock")]
pub(crate) fn fresh_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    // A clock before 1970 is as good: it moves.
    let time = since.unwrap_or_else(|before| before.duration());
    // Seeds that a person can type again: nanoseconds of this second and the second's last digits.
    time.as_nanos() as u64 % 1_000_000_000_000
}

/// Columns of the terminal; without one, as many as a line needs.
pub(crate) fn width() -> usize {
    let stdout = std::io::stdout().is_terminal();
    if stdout { usize::from(console::Term::stdout().size().1) } else { usize::MAX }
}

/// A bar on a terminal, lines elsewhere.
pub(crate) struct Display {
    bar: ProgressBar,
    /// Lines are printed where there is no terminal.
    lines: bool,
    name: String,
    /// What is counted.
    unit: &'static str,
    began: Instant,
    done: AtomicU64,
    total: AtomicU64,
    /// Seconds, from the beginning, at which the next line is due.
    next_line: AtomicU64,
}

/// Seconds between two lines.
const LINE_EVERY: u64 = 5;

impl Display {
    /// A display of the `unit`s of `name`.
    pub(crate) fn new(name: &str, unit: &'static str) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if terminal {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            let template = format!(
                "{{prefix}} {{wide_bar}} {{percent:>3}} %  {{pos}}/{{len}} {unit}  {{eta}} left"
            );
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.set_prefix(name.to_owned());
            // The bar moves by itself where the system has a thread to spare; it would panic where it has none.
            if std::thread::Builder::new().spawn(|| ()).is_ok_and(|spare| spare.join().is_ok()) {
                bar.enable_steady_tick(Duration::from_millis(200));
            }
        }
        let counter = AtomicU64::new;
        let (done, total, next_line) = (counter(0), counter(0), counter(LINE_EVERY));
        let (lines, name) = (!terminal, name.to_owned());
        Self { bar, lines, name, unit, began: now(), done, total, next_line }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }
}

impl Progress for Display {
    fn phase(&self, phase: Phase, steps: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(steps, Ordering::Relaxed);
        self.bar.set_prefix(format!("{}: {}", self.name, phase.word()));
        self.bar.set_length(steps);
        self.bar.reset();
    }

    fn expect(&self, steps: u64) {
        let before = self.total.fetch_add(steps, Ordering::Relaxed);
        self.bar.set_length(before + steps);
    }

    fn stepped(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if !self.lines {
            self.bar.inc(1);
            return;
        }
        let total = self.total.load(Ordering::Relaxed).max(1);
        // Reading the clock at every step would cost more than a small step itself.
        if done.is_multiple_of(64) || total < 64 {
            let seconds = self.began.elapsed().as_secs();
            let due = self.next_line.load(Ordering::Relaxed);
            let mine = |due| {
                self.next_line.compare_exchange(
                    due,
                    seconds + LINE_EVERY,
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                )
            };
            if seconds >= due && mine(due).is_ok() {
                out::talk(format!(
                    "{}: {} % of {total} {} after {seconds} s",
                    self.name,
                    100 * done / total,
                    self.unit
                ));
            }
        }
    }
}
