//! The memory of readings over time: each number is eight bytes, and its container is often more.

/// The readings of one probe at one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings {
    /// Rows, one per unit, output or network.
    pub rows: usize,
    /// Numbers of a row.
    pub numbers: usize,
    /// Numbers of a row that have a name, and so a line in the table of the record.
    pub named: usize,
}

/// A line of the table: two words allocated on the heap, a step, a time, a unit and a value.
const LINE: f64 = 140.0;
/// A point of a figure: two numbers, in the figure and in the report.
const POINT: f64 = 32.0;
/// Lines of a panel.
const MOST_LINES: usize = 128;

impl Readings {
    /// Bytes that one record of these probes takes while the training lasts.
    pub fn record(probes: &[Self]) -> f64 {
        let rows = |p: &Self| {
            allocated(24 * p.rows as u64) + p.rows as f64 * allocated(8 * p.numbers as u64)
        };
        32.0 + allocated(24 * probes.len() as u64) + probes.iter().map(rows).sum::<f64>()
    }

    /// Bytes that one record takes at most, while the run is written: the readings, the arrays, table and figure made of
    /// them, and the larger of two copies on the way to the disk: the table, or an array, for which memory that was given
    /// back serves in part.
    pub fn written(probes: &[Self]) -> f64 {
        let sum = |of: &dyn Fn(&Self) -> usize| probes.iter().map(of).sum::<usize>() as f64;
        let table = LINE * sum(&|p| p.rows * p.named);
        let array = |p: &Self| if p.numbers > 1 { p.rows * p.numbers } else { 0 };
        let largest = probes.iter().map(array).max().unwrap_or(0) as f64;
        let figure = POINT * sum(&|p| p.rows.min(MOST_LINES) * p.named);
        // Step and time of every record are lists of their own.
        let held = Self::record(probes) + 16.0 + 8.0 * sum(&array) + table + figure;
        held + f64::max(1.1 * table, 4.0 * largest)
    }
}

/// What the heap takes for this many bytes.
fn allocated(bytes: u64) -> f64 {
    if bytes == 0 { 0.0 } else { (bytes + 8).next_multiple_of(16).max(32) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes per record, from the peaks of runs of one and of two times as many records on Linux.
    #[test]
    fn the_sizes_are_those_of_runs_that_were_measured() {
        let of = |rows, numbers, named| Readings { rows, numbers, named };
        let measured: [(&[Readings], f64); 8] = [
            (&[of(1, 1, 1)], 466.0),
            (&[of(4, 1, 1)], 1689.0),
            (&[of(1, 1, 1), of(1, 1, 1)], 831.0),
            (&[of(1, 40, 0)], 771.0),
            (&[of(1, 2, 0)], 155.0),
            (&[of(10, 40, 0)], 10_047.0),
            (&[of(4, 1, 1), of(4, 1, 1), of(4, 4, 0)], 3430.0),
            (&[of(200, 1, 1)], 78_433.0),
        ];
        for (probes, bytes) in measured {
            let ratio = Readings::written(probes) / bytes;
            assert!((0.7..1.3).contains(&ratio), "{probes:?}: {ratio:.2} of {bytes}");
            assert!(Readings::record(probes) < bytes);
        }
    }
}
