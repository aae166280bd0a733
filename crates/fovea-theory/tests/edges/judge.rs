//! One evaluation, and what is wrong with its result.

use fovea_core::Value;
use fovea_core::params::{Assignments, Kind};
use fovea_theory::{Form, FormError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Processor seconds that no evaluation may take. The budget is counted and the same everywhere; this only checks that the counted
/// work is what takes the time.
const MOST_SECONDS: f64 = 25.0;

/// Seconds after which an evaluation is named at once, and not only at the end.
const NAMED_AT_ONCE: f64 = 1.0;

/// One evaluation to be tried.
pub(super) struct Case {
    pub(super) form: &'static Form,
    pub(super) given: Assignments,
}

/// The result of an evaluation.
pub(super) struct Tried {
    pub(super) form: &'static str,
    /// The arguments as they would be typed.
    pub(super) typed: String,
    /// Processor seconds.
    pub(super) seconds: f64,
    /// Whether there is a value.
    pub(super) valued: bool,
    /// What is wrong with it.
    pub(super) wrong: Option<String>,
}

impl std::fmt::Display for Tried {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:8.3} s  {} {}", self.seconds, self.form, self.typed)
    }
}

/// Arguments as they would be typed, long lists cut.
fn typed(given: &Assignments) -> String {
    let one = |(key, value): &(String, Value)| {
        let text: String = value.to_string().chars().filter(|c| *c != ' ').collect();
        let cut: String = text.chars().take(160).collect();
        format!("--set '{key}={cut}{}'", if cut.len() < text.len() { "..." } else { "" })
    };
    given.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Processor seconds of this thread so far; other programs on the machine do not count.
fn clock() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0.0);
    1e-9 * nanoseconds
}

/// Tries one case.
fn tried_once(Case { form, given }: &Case) -> Tried {
    let start = clock();
    let came = catch_unwind(AssertUnwindSafe(|| form.at(given)));
    let seconds = clock() - start;
    let mut wrong = match &came {
        Ok(came) => complaint(form, given, came),
        Err(_) => Some("panics".to_owned()),
    };
    if seconds > MOST_SECONDS {
        wrong = Some(format!("takes {seconds:.1} s"));
    }
    if let Some(wrong) = &wrong {
        println!("{} {}: {wrong}", form.name, typed(given));
    }
    let valued = matches!(came, Ok(Ok(_)));
    Tried { form: form.name, typed: typed(given), seconds, valued, wrong }
}

/// Tries the cases, one after the other on every core; one that does not end fails the test by its name.
pub(super) fn tried(cases: impl Iterator<Item = Case> + Send + 'static) -> Vec<Tried> {
    let (to, from) = channel();
    let cases = Arc::new(Mutex::new(cases));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let workers: Vec<_> = (0..threads)
        .map(|worker| {
            let (to, cases) = (to.clone(), Arc::clone(&cases));
            let next = move || cases.lock().unwrap().next();
            std::thread::spawn(move || {
                while let Some(case) = next() {
                    let name = format!("{} {}", case.form.name, typed(&case.given));
                    if to.send((worker, Err(name))).is_err() {
                        break;
                    }
                    if to.send((worker, Ok(tried_once(&case)))).is_err() {
                        break;
                    }
                }
            })
        })
        .collect();
    drop(to);
    let (mut results, mut begun) = (Vec::new(), vec![None; threads]);
    loop {
        // Twenty times the allowed time, for machines with other work.
        match from.recv_timeout(Duration::from_secs_f64(20.0 * MOST_SECONDS)) {
            Ok((worker, Ok(result))) => {
                if result.seconds > NAMED_AT_ONCE {
                    println!("{result}");
                }
                begun[worker] = None;
                results.push(result);
            }
            Ok((worker, Err(name))) => begun[worker] = Some(name),
            Err(RecvTimeoutError::Timeout) => panic!("does not end: {begun:?}"),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    for worker in workers {
        worker.join().unwrap();
    }
    results
}

/// What is wrong with a value or a refusal.
fn complaint(form: &Form, given: &Assignments, came: &Result<Value, FormError>) -> Option<String> {
    match came {
        Ok(value) => {
            let numbers = numbers(value);
            if numbers.iter().any(|x| x.is_nan()) {
                return Some(format!("is not a number: {value}"));
            }
            let infinite = numbers.iter().any(|x| x.is_infinite());
            (infinite && !form.infinite())
                .then(|| format!("is infinite, which `holds` does not say: {value}"))
        }
        Err(error) => {
            let (what, hint) = (error.to_string(), error.hint());
            if what.is_empty() || hint.is_empty() {
                return Some(format!("is refused without a word: {what} / {hint}"));
            }
            if longest_number(&what).max(longest_number(&hint)) > 25 {
                return Some(format!("is refused with a number nobody reads: {what} / {hint}"));
            }
            if *error == FormError::Undefined && !extreme(form, given) {
                return Some(
                    "is refused for its size, and no argument is large or small".to_owned(),
                );
            }
            None
        }
    }
}

/// Every number of a value.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::List(items) => items.iter().flat_map(numbers).collect(),
        Value::Table(rows) => rows.iter().flat_map(|(_, value)| numbers(value)).collect(),
        Value::Array(matrix) => matrix.numbers().to_vec(),
        one => one.as_real().into_iter().collect(),
    }
}

/// The longest run of digits in a text.
fn longest_number(text: &str) -> usize {
    text.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap_or(0)
}

/// Whether some argument is of a size (two decades from 1) at which a product of a few of them, an exponential or a gamma function of
/// one, or a power of that many steps over- or underflows. Zeros are not.
fn extreme(form: &Form, given: &Assignments) -> bool {
    let far = |x: &f64| x.abs() > 1e2 || *x != 0.0 && x.abs() < 1e-2;
    let typed = (form.schema)().iter().any(|field| matches!(field.kind, Kind::Function(_)));
    typed || given.iter().any(|(_, value)| numbers(value).iter().any(far))
}

/// The number of evaluations of one form from which on some must have a value.
const FEW: usize = 10;

/// Fails with everything that is wrong, or prints a line of the table that `tests/edges/run` shows, after the slowest ten.
pub(super) fn report(what: &str, mut results: Vec<Tried>) {
    results.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let total: f64 = results.iter().map(|result| result.seconds).sum();
    println!("{total:.1} s of {} evaluations; the slowest:", results.len());
    for result in results.iter().take(10) {
        println!("  {result}");
    }
    let wrong: Vec<String> = results
        .iter()
        .filter_map(|v| Some(format!("{} {}\n    {}", v.form, v.typed, v.wrong.as_ref()?)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), results.len(), wrong.join("\n"));
    for form in fovea_theory::forms() {
        let own: Vec<&Tried> = results.iter().filter(|v| v.form == form.name).collect();
        // A few edges may all be correctly refused.
        assert!(
            own.len() < FEW || own.iter().any(|result| result.valued),
            "{} was only refused",
            form.name
        );
    }
    let valued = results.iter().filter(|result| result.valued).count();
    let slowest = results.first().map_or(0.0, |result| result.seconds);
    println!(
        "tried | {what} | {} | {valued} values, the rest refused with a reason; slowest {slowest:.1} s",
        results.len()
    );
}
