//! A field on the ring over training: sites across, time upwards.

use super::{Entry, Sites, example, holding};
use crate::figure::{Axis, ColorMap, Heat, Mark, Panel, Spacing};

/// Rows of the picture where records are not equally spaced on the axis.
const ROWS: usize = 120;

/// The field at every record. Colours run from `-limit` to `limit`, and a bar explains them where `bar` holds. On a logarithmic axis the
/// record at time 0 has no place; where records are not equally spaced on the axis, each is shown from the one before it on.
pub fn field_over_time(
    title: impl Into<String>,
    sites: Sites,
    time: impl Into<Axis>,
    (times, fields): (&[f64], &[Vec<f64>]),
    limit: f64,
    bar: bool,
) -> Panel {
    let time: Axis = time.into();
    let log = time.spacing == Spacing::Log10;
    let records = times.iter().zip(fields).filter(|(t, _)| t.is_finite() && (!log || **t > 0.0));
    let (times, fields): (Vec<f64>, Vec<&Vec<f64>>) = records.map(|(t, w)| (*t, w)).unzip();
    let cols = fields.first().map_or(0, |field| field.len());
    let (shown, y_range) = rows(&times, log);
    let heat = Heat {
        values: shown.iter().flat_map(|row| fields[*row].iter().copied()).collect(),
        rows: shown.len(),
        cols,
        x_range: (sites.first(cols) - 0.5, sites.first(cols) + cols as f64 - 0.5),
        y_range,
        map: ColorMap::Diverging,
        limits: Some((-limit, limit)),
        bar: bar.then(|| "weight".to_owned()),
    };
    holding(title, [sites.axis(), time], [Mark::Heat(heat)])
}

/// Which record each row shows, from the bottom up, and the edges of the first and the last row.
fn rows(times: &[f64], log: bool) -> (Vec<usize>, (f64, f64)) {
    let (Some(first), Some(last)) = (times.first(), times.last()) else {
        return (Vec::new(), (1.0, 2.0));
    };
    let count = times.len();
    if count == 1 {
        return (vec![0], if log { (0.5 * first, *first) } else { (first - 0.5, first + 0.5) });
    }
    let step = (last - first) / (count - 1) as f64;
    let even = |pair: &[f64]| (pair[1] - pair[0] - step).abs() < 1e-6 * step;
    if !log && times.windows(2).all(even) {
        return ((0..count).collect(), (first - 0.5 * step, last + 0.5 * step));
    }
    let at = |row: usize| {
        let share = (row as f64 + 0.5) / ROWS as f64;
        if log { first * libm::pow(last / first, share) } else { first + (last - first) * share }
    };
    let next = |row: usize| times.partition_point(|t| *t < at(row)).min(count - 1);
    ((0..ROWS).map(next).collect(), (*first, *last))
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "field_over_time",
    summary: "a field on the ring over training, sites across and time upwards",
    examples: || {
        let shown = |times: &[f64], time: Axis, sites: Sites| {
            let fields = example::fields(times.len(), 16);
            field_over_time("field over time", sites, time, (times, &fields), 1.0, true)
        };
        let even: Vec<f64> = (0..20).map(f64::from).collect();
        let uneven: Vec<f64> = even.iter().map(|t| t * t * t).collect();
        let time = || Axis::new("time $t$");
        vec![
            ("even", shown(&even, time(), Sites::Numbered)),
            ("uneven", shown(&uneven, time(), Sites::FromPeak)),
            ("logarithmic", shown(&uneven, time().log(), Sites::FromPeak)),
            ("one record", shown(&[5.0], time(), Sites::Numbered)),
            ("one record after the start", shown(&[0.0, 5.0], time().log(), Sites::Numbered)),
        ]
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_show_the_record_that_comes_next() {
        assert_eq!(rows(&[0.0, 2.0, 4.0], false), (vec![0, 1, 2], (-1.0, 5.0)));
        let (shown, ends) = rows(&[1.0, 10.0, 1000.0], true);
        assert_eq!((ends, shown.len()), ((1.0, 1000.0), ROWS));
        assert_eq!(shown.iter().filter(|row| **row == 1).count(), ROWS / 3);
        assert!(shown.is_sorted() && shown[0] == 1 && shown[ROWS - 1] == 2);
        assert_eq!(rows(&[3.0], true), (vec![0], (1.5, 3.0)));
    }
}
