//! `series.parquet`, probe readings in long format, and `tables/*.parquet`: readable by pandas, polars and DuckDB.

use super::columns::{self, Column};
use crate::convert::to_json;
use crate::outcome::Series;
use fovea_page::table::{Cells, Table};
use parquet::file::reader::ChunkReader;
use serde_json::{Map, Value, json};

fn named(series: Series) -> [(&'static str, Column); 6] {
    [
        ("curve", Column::Words(series.curve)),
        ("step", Column::Longs(series.step)),
        ("time", Column::Reals(series.time)),
        ("probe", Column::Words(series.probe)),
        ("unit", Column::Ints(series.unit)),
        ("value", Column::Reals(series.value)),
    ]
}

/// The file's bytes.
pub(super) fn parquet(series: &Series) -> Vec<u8> {
    columns::parquet("series", &named(series.clone()))
}

/// The columns of a table's file: one of estimates is two, the second with its name and the ending `_se`.
fn columns_of(table: &Table) -> Vec<(String, Column)> {
    let columns = table.columns.iter().flat_map(|column| {
        let name = column.name.clone();
        match column.cells.clone() {
            Cells::Words(words) => vec![(name, Column::Words(words))],
            Cells::Whole(values) => vec![(name, Column::Longs(values))],
            Cells::Reals { values, .. } => vec![(name, Column::Gapped(values))],
            Cells::Estimates { values, errors, .. } => {
                let error = format!("{name}_se");
                vec![(name, Column::Gapped(values)), (error, Column::Gapped(errors))]
            }
        }
    });
    columns.collect()
}

/// The same columns as an object of lists, with name, caption and units; gaps are null.
pub fn json(table: &Table) -> Value {
    let list = |column: &Column| -> Value {
        let real =
            |x: &f64| if x.is_nan() { Value::Null } else { to_json(&fovea_core::Value::Real(*x)) };
        match column {
            Column::Words(words) => words.clone().into(),
            Column::Longs(values) => values.clone().into(),
            Column::Ints(values) => values.clone().into(),
            Column::Reals(values) | Column::Gapped(values) => values.iter().map(real).collect(),
        }
    };
    let columns: Map<String, Value> =
        columns_of(table).iter().map(|(name, column)| (name.clone(), list(column))).collect();
    let units = table.columns.iter().filter(|column| !column.unit.is_empty());
    let units: Map<String, Value> =
        units.map(|column| (column.name.clone(), column.unit.clone().into())).collect();
    json!({ "name": table.name, "caption": table.caption, "columns": columns, "units": units })
}

/// The bytes of a table's file.
pub(super) fn of_cells(table: &Table) -> Vec<u8> {
    let columns = columns_of(table);
    let named: Vec<(&str, Column)> =
        columns.iter().map(|(name, column)| (name.as_str(), column.clone())).collect();
    columns::parquet(&table.name, &named)
}

/// The readings of a file from any program: its columns are identified by name and type.
pub(super) fn read(file: impl ChunkReader + 'static) -> Result<Series, String> {
    let columns = columns::read(file, &named(Series::default()))?;
    let Ok([curve, step, time, probe, unit, value]) = <[Column; 6]>::try_from(columns) else {
        return Err("it has other columns".to_owned());
    };
    match (curve, step, time, probe, unit, value) {
        (
            Column::Words(curve),
            Column::Longs(step),
            Column::Reals(time),
            Column::Words(probe),
            Column::Ints(unit),
            Column::Reals(value),
        ) if time.iter().chain(&value).all(|number| !number.is_nan()) => {
            Ok(Series { curve, step, time, probe, unit, value })
        }
        (_, _, Column::Reals(_), _, _, Column::Reals(_)) => {
            Err("it holds NaN, which no reading is".to_owned())
        }
        _ => Err("its columns are of other types".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    fn small() -> Series {
        Series {
            curve: vec!["gain=3".into(), "gain=inf".into()],
            step: vec![0, 20],
            time: vec![0.0, 0.2],
            probe: vec!["ipr".into(), "ipr".into()],
            unit: vec![0, 0],
            value: vec![0.03, 0.8239],
        }
    }

    #[test]
    fn what_is_read_is_what_was_written_over_many_pages() {
        let count = 70_000;
        let series = Series {
            curve: (0..count).map(|i| format!("seed={}", i % 7)).collect(),
            step: (0..count).collect(),
            time: (0..count).map(|i| 0.1 * i as f64).collect(),
            probe: (0..count).map(|i| if i % 2 == 0 { "ipr" } else { "loss" }.into()).collect(),
            unit: (0..count).map(|i| (i % 5) as i32).collect(),
            value: (0..count).map(|i| 1.0 / (1.0 + i as f64)).collect(),
        };
        for written in [series, small(), Series::default()] {
            let read = read(bytes::Bytes::from(parquet(&written))).unwrap();
            assert_eq!((&read.curve, &read.probe), (&written.curve, &written.probe));
            assert_eq!((&read.step, &read.unit), (&written.step, &written.unit));
            fovea_core::agree::same_bits(&read.time, &written.time).unwrap();
            fovea_core::agree::same_bits(&read.value, &written.value).unwrap();
        }
    }

    #[test]
    fn spoilt_files_are_refused_and_never_kill_the_program() {
        let whole = parquet(&small());
        for length in (0..whole.len()).step_by(13) {
            assert!(read(bytes::Bytes::from(whole[..length].to_vec())).is_err(), "{length}");
        }
        for at in 0..whole.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut spoilt = whole.clone();
                spoilt[at] ^= flip;
                // A flip in the data may go unnoticed; none may end the program.
                let _ = read(bytes::Bytes::from(spoilt));
            }
        }
    }

    #[test]
    fn what_no_reading_is_is_refused() {
        for spoil in [
            |series: &mut Series| series.value[1] = f64::NAN,
            |series: &mut Series| series.time[0] = f64::NAN,
        ] {
            let mut series = small();
            spoil(&mut series);
            let error = read(bytes::Bytes::from(parquet(&series))).unwrap_err();
            assert_eq!(error, "it holds NaN, which no reading is");
        }
        let mut series = small();
        series.value[0] = f64::INFINITY;
        assert!(read(bytes::Bytes::from(parquet(&series))).is_ok());
    }

    #[test]
    fn a_table_of_other_columns_is_refused_by_name() {
        let bytes = columns::parquet("m", &[("step", Column::Longs(vec![1]))]);
        let error = read(bytes::Bytes::from(bytes)).unwrap_err();
        assert_eq!(error, "column 1 is not `curve`, without gaps, of BYTE_ARRAY");
    }

    #[test]
    fn other_readers_read_the_table() {
        let series = small();
        let reader = SerializedFileReader::new(bytes::Bytes::from(parquet(&series))).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1].get_string(0).unwrap(), "gain=inf");
        assert_eq!((rows[1].get_long(1).unwrap(), rows[1].get_double(5).unwrap()), (20, 0.8239));
    }

    #[test]
    fn a_table_of_results_has_its_gaps_and_its_standard_errors_beside_the_means() {
        let rows = [("flat", 0.25, 0.01), ("one site", f64::INFINITY, f64::NAN)];
        let estimate = |error: f64| fovea_core::stats::Estimate::from_parts(0.5, error, 9).ok();
        let table = Table::of("ends", &rows)
            .words("field", |row| row.0)
            .whole("runs", |_| 3)
            .real("ipr", 2, |row| row.1)
            .maybe("loss", 2, |row| estimate(row.2))
            .caption("");
        let said = json(&table);
        assert_eq!(said["columns"]["ipr"], serde_json::json!([0.25, "inf"]));
        assert_eq!(said["columns"]["loss_se"], serde_json::json!([0.01, null]));
        let bytes = bytes::Bytes::from(of_cells(&table));
        let reader = SerializedFileReader::new(bytes).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        let names: Vec<&String> = rows[0].get_column_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["field", "runs", "ipr", "loss", "loss_se"]);
        assert_eq!((rows[0].get_double(3).unwrap(), rows[0].get_double(4).unwrap()), (0.5, 0.01));
        assert_eq!(
            (rows[1].get_long(1).unwrap(), rows[1].get_double(2).unwrap()),
            (3, f64::INFINITY)
        );
        assert!(rows[1].get_double(3).is_err() && rows[1].get_double(4).is_err(), "gaps are null");
    }
}
