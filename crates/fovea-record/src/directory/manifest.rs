//! `run.toml`: the complete configuration of a run and its hash, and the stamp of when and where it ran.

use super::sums::{self, Sums, sum};
use super::{FORMAT, inputs};
use crate::complete::decisive;
use crate::convert::to_toml;
use crate::outcome::{Outcome, Status};
use fovea_core::Value;
use fovea_core::params::{Assignments, Field};
use fovea_core::simd::Level;
use std::fmt::Write;
use std::time::SystemTime;

/// Raised when a change to the program changes recorded numbers.
pub const NUMERIC_VERSION: i64 = 2;

/// The experiment and its settings.
pub struct Manifest<'a> {
    /// The experiment.
    pub experiment: &'a str,
    /// Every setting.
    pub settings: &'a Assignments,
    /// What each of them is.
    pub schema: &'a [Field],
    /// The seed.
    pub seed: u64,
}

/// The SHA-256 of everything that determines the numbers: experiment, settings, seed and numeric version.
pub fn config_hash(manifest: &Manifest<'_>) -> String {
    hash_of(manifest, &decisive(manifest.settings, manifest.schema), NUMERIC_VERSION)
}

/// The hashes that programs of earlier numeric versions gave the same run; the first of them did not sort the settings. Checkpoints
/// that they left are known by these.
pub fn former_hashes(manifest: &Manifest<'_>) -> Vec<String> {
    let sorted = decisive(manifest.settings, manifest.schema);
    let versions = (1..NUMERIC_VERSION).map(|version| hash_of(manifest, &sorted, version));
    versions.chain([hash_of(manifest, manifest.settings, 1)]).collect()
}

fn hash_of(manifest: &Manifest<'_>, settings: &Assignments, version: i64) -> String {
    let mut text = format!("fovea {version}\n{}\nseed = {}\n", manifest.experiment, manifest.seed);
    for (key, value) in settings {
        writeln!(text, "{key} = {}", fingerprint(value)).expect("writing to memory cannot fail");
    }
    sum(text.as_bytes())
}

/// A value in which every file name is replaced by the content of that array.
fn fingerprint(value: &Value) -> Value {
    match value {
        Value::Array(matrix) => {
            let bytes: Vec<u8> = matrix.numbers().iter().flat_map(|x| x.to_le_bytes()).collect();
            format!("{} x {} {}", matrix.rows(), matrix.cols(), sum(&bytes)).as_str().into()
        }
        Value::Table(rows) => Value::Table(
            rows.iter().map(|(key, value)| (key.clone(), fingerprint(value))).collect(),
        ),
        other => other.clone(),
    }
}

impl Manifest<'_> {
    /// The file's text; the outcome and the seconds are there when the run is over.
    pub(super) fn to_toml(
        &self,
        status: &str,
        (outcome, seconds): (Option<&Outcome>, Option<f64>),
        files: &Sums,
    ) -> String {
        let settings: toml::Table =
            self.settings.iter().map(|(k, v)| (k.clone(), to_toml(&inputs::named(k, v)))).collect();
        let mut stamp = toml::Table::new();
        stamp.insert("time".into(), utc(now()).into());
        stamp.insert("host".into(), host().into());
        stamp.insert("features".into(), Level::best().name().into());
        stamp.insert("threads".into(), (rayon::current_num_threads() as i64).into());
        stamp.insert("version".into(), env!("CARGO_PKG_VERSION").into());
        if let Some(seconds) = seconds {
            stamp.insert("seconds".into(), seconds.into());
            // Of the whole program: where one program makes several records, of all until now.
            if let Some(bytes) = peak_memory() {
                stamp.insert("peak_bytes".into(), (bytes as i64).into());
            }
        }

        let mut table = toml::Table::new();
        table.insert("format".into(), FORMAT.into());
        table.insert("experiment".into(), self.experiment.into());
        table.insert("status".into(), status.into());
        if let Some(Outcome { status: Status::Diverged { curve, step }, .. }) = outcome {
            table.insert("diverged_at_step".into(), (*step as i64).into());
            table.insert("diverged_curve".into(), curve.as_str().into());
        }
        table.insert("hash".into(), config_hash(self).into());
        // TOML integers are signed; the upper half of the seeds is written as a word.
        let seed = i64::try_from(self.seed)
            .map_or_else(|_| self.seed.to_string().into(), toml::Value::Integer);
        table.insert("seed".into(), seed);
        table.insert("numeric_version".into(), NUMERIC_VERSION.into());
        if let Some(outcome) = outcome {
            table.insert("dtype".into(), outcome.dtype.into());
        }
        table.insert("settings".into(), settings.into());
        table.insert(sums::TABLE.into(), sums::list(files).into());
        table.insert("stamp".into(), stamp.into());
        sums::seal(&table.to_string())
    }
}

#[expect(clippy::disallowed_methods, reason = "the stamp is the one place that reads the clock")]
fn now() -> SystemTime {
    SystemTime::now()
}

/// A time in ISO 8601, UTC, to the second: before the year 0 and after 9999 with a sign, as far as clocks go.
fn utc(time: SystemTime) -> String {
    // Whole seconds, rounded down, also before 1970.
    let seconds = match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => i128::from(since.as_secs()),
        Err(before) => {
            let before = before.duration();
            -i128::from(before.as_secs()) - i128::from(u8::from(before.subsec_nanos() > 0))
        }
    };
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // The calendar repeats after 146097 days, 400 years. Years begin in March here, so that a leap day is the last one.
    let since = days + 719_468;
    let (era, day) = (since.div_euclid(146_097), since.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = 400 * era + year + next;
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    let year =
        if (0..=9999).contains(&year) { format!("{year:04}") } else { format!("{year:+05}") };
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

fn host() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .map_or_else(|_| "unknown".to_owned(), |h| h.trim().to_owned())
}

/// The most bytes of memory that the program has held until now, where the system says so.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(1024 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::params::Schema;
    use std::time::Duration;

    #[test]
    fn the_hash_sees_every_setting_and_the_seed() {
        let settings = |x: f64| vec![("gain".to_owned(), Value::Real(x))];
        let hash = |experiment: &str, x: f64, seed: u64| {
            config_hash(&Manifest { experiment, settings: &settings(x), schema: &[], seed })
        };
        let base = hash("localize", 3.0, 0);
        assert_eq!(base.len(), 64);
        assert_eq!(base, hash("localize", 3.0, 0));
        for other in [hash("localize", 3.0, 1), hash("localize", 3.1, 0), hash("other", 3.0, 0)] {
            assert_ne!(base, other);
        }
    }

    mod changed {
        use fovea_core::params::at_least;
        use fovea_core::{Params, params};

        params! {
            /// An experiment as it was.
            pub(super) struct Before {
                /// Last in the alphabet.
                steps: usize = 10, at_least(1.0), "";
                /// First in the alphabet.
                gain: f64 = 3.0, at_least(0.0), "";
                /// Between them.
                n: usize = 40, at_least(1.0), "";
            }
        }
        impl Params for Before {}

        params! {
            /// Settings that experiments share.
            pub(super) struct Shared {
                /// Second in the alphabet.
                n: usize = 40, at_least(1.0), "";
                /// First in the alphabet.
                gain: f64 = 1.0, at_least(0.0), "";
            }
        }

        params! {
            /// The same experiment with a group and a setting more.
            pub(super) struct After {
                ..shared: Shared { gain = 3.0 };
                /// Last in the alphabet.
                steps: usize = 10, at_least(1.0), "";
                /// New; its default has changed since.
                batch: usize = 7, at_least(1.0), "", added = 5;
            }
        }
        impl Params for After {}
    }

    /// A group and a setting that were added later do not change the name of a record while the setting has its first default.
    #[test]
    fn an_experiment_may_be_regrouped_and_may_grow() {
        fn hash<S: Schema>(settings: &S) -> String {
            let (settings, schema) = (settings.values(), S::schema());
            config_hash(&Manifest {
                experiment: "x",
                settings: &settings,
                schema: &schema,
                seed: 0,
            })
        }
        let (before, grown) = (changed::Before::default(), changed::After::default());
        assert_eq!(changed::After::schema()[1].default, Value::Real(3.0));
        assert_eq!(hash(&before), hash(&changed::After { batch: 5, ..grown.clone() }));
        assert_ne!(hash(&before), hash(&grown), "the default of now is not the first one");
        assert_ne!(hash(&before), hash(&changed::Before { gain: 2.0, ..before.clone() }));
    }

    /// Seconds since 1970 and what `date -u -d @SECONDS` says; then a clock before it, before year 0 and beyond 9999.
    #[test]
    fn any_clock_has_a_stamp() {
        let at = |seconds: i64| {
            let size = Duration::from_secs(seconds.unsigned_abs());
            let epoch = SystemTime::UNIX_EPOCH;
            let time = if seconds < 0 { epoch.checked_sub(size) } else { epoch.checked_add(size) };
            utc(time.unwrap())
        };
        let said = [0, 951_782_399, 951_782_400, 1_709_251_199, 4_107_542_399, 253_402_300_799];
        assert_eq!(
            said.map(at),
            [
                "1970-01-01T00:00:00Z",
                "2000-02-28T23:59:59Z",
                "2000-02-29T00:00:00Z",
                "2024-02-29T23:59:59Z",
                "2100-02-28T23:59:59Z",
                "9999-12-31T23:59:59Z",
            ]
        );
        let far =
            [-1, -86_400, -62_167_219_200, -62_167_219_201, 253_402_300_800, i64::MIN, i64::MAX];
        assert_eq!(
            far.map(at),
            [
                "1969-12-31T23:59:59Z",
                "1969-12-31T00:00:00Z",
                "0000-01-01T00:00:00Z",
                "-0001-12-31T23:59:59Z",
                "+10000-01-01T00:00:00Z",
                "-292277022657-01-27T08:29:52Z",
                "+292277026596-12-04T15:30:07Z",
            ]
        );
        let half = SystemTime::UNIX_EPOCH - Duration::from_millis(500);
        assert_eq!(utc(half), "1969-12-31T23:59:59Z", "downwards");
    }

    #[test]
    fn the_text_parses_back_with_infinities() {
        let settings = vec![("gain".to_owned(), Value::reals(&[0.01, f64::INFINITY]))];
        let (experiment, seed) = ("localize", u64::MAX);
        let manifest = Manifest { experiment, settings: &settings, schema: &[], seed };
        let table: toml::Table =
            manifest.to_toml("running", (None, None), &Sums::new()).parse().unwrap();
        assert_eq!(table["settings"]["gain"][1].as_float(), Some(f64::INFINITY));
        assert_eq!(table["seed"].as_str(), Some("18446744073709551615"));
    }
}
