//! What an array asked for would take, against what the machine has: better refused than killed.

use fovea_core::ParamError;

/// The share of the free memory that one array may take.
const SHARE: f64 = 0.9;

/// Refuses what is larger than the machine can hold now.
///
/// # Errors
/// `count` numbers of `size` bytes do not fit; `what` names them and `hint` is the next step.
pub fn fits(count: u128, size: u128, what: &str, hint: &str) -> Result<(), ParamError> {
    // Where the system does not say, half of a 64-bit machine's addresses are the limit.
    let free = available().unwrap_or(1 << 46);
    let bytes = count.saturating_mul(size);
    if bytes as f64 <= SHARE * free as f64 {
        return Ok(());
    }
    Err(ParamError::Inconsistent {
        what: format!(
            "{what} would take {}, and {} are free",
            in_bytes(bytes as f64),
            in_bytes(free as f64)
        ),
        hint: hint.to_owned(),
    })
}

/// Refuses settings whose records would not fit in memory.
///
/// # Errors
/// More than 10^8 numbers would be kept.
pub fn check_records(
    steps: usize,
    record_every: usize,
    numbers_a_record: usize,
) -> Result<(), ParamError> {
    const MOST: f64 = 1e8;
    let numbers = (steps as f64 / record_every as f64 + 2.0) * numbers_a_record as f64;
    if numbers <= MOST {
        return Ok(());
    }
    Err(ParamError::Inconsistent {
        what: format!(
            "recording every {record_every} of {steps} steps keeps {numbers:.1e} numbers, {:.0} GiB",
            numbers * 8.0 / 1.07e9
        ),
        hint: if 2.0 * numbers_a_record as f64 > MOST {
            "choose a smaller n, or fewer gains or seeds: two records alone are too many".to_owned()
        } else {
            let every =
                steps as f64 * numbers_a_record as f64 / (MOST - 2.0 * numbers_a_record as f64);
            format!("choose `record_every` >= {:.0}", every.ceil())
        },
    })
}

/// Bytes that programs can still have without swapping.
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

/// A number of bytes as one says it.
pub fn in_bytes(bytes: f64) -> String {
    match bytes {
        b if b < 1e6 => format!("{:.1} kB", b / 1e3),
        b if b < 1e9 => format!("{:.1} MB", b / 1e6),
        b if b < 1e15 => format!("{:.1} GB", b / 1e9),
        b => format!("{b:.0e} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_arrays_fit_and_impossible_ones_are_refused_with_both_sizes() {
        assert_eq!(fits(1000, 8, "samples", ""), Ok(()));
        let error = fits(1 << 60, 8, "10 samples", "draw fewer").unwrap_err();
        assert!(error.to_string().starts_with("10 samples would take 9e18 bytes, and "), "{error}");
        assert_eq!(error.hint(), "draw fewer");
        assert!(fits(u128::MAX, 8, "", "").is_err());
    }

    #[test]
    fn sizes_are_said_in_units_that_fit() {
        let said = [1234.0, 5.6e6, 7.8e9].map(in_bytes);
        assert_eq!(said, ["1.2 kB", "5.6 MB", "7.8 GB"]);
    }
}
