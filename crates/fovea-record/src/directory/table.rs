//! `series.parquet`: probe readings in long format, readable by pandas, polars and DuckDB.

use crate::outcome::Series;
use parquet::basic::Compression;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{ChunkReader, FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

const SCHEMA: &str = "message series {
    REQUIRED BYTE_ARRAY curve (UTF8);
    REQUIRED INT64 step;
    REQUIRED DOUBLE time;
    REQUIRED BYTE_ARRAY probe (UTF8);
    REQUIRED INT32 unit;
    REQUIRED DOUBLE value;
}";

/// The file's bytes.
pub(super) fn parquet(series: &Series) -> Vec<u8> {
    write(series).expect("writing to memory with a schema that fits its columns cannot fail")
}

fn write(series: &Series) -> Result<Vec<u8>, ParquetError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("fovea".to_owned())
        .build();
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    column::<ByteArrayType>(&mut group, &words(&series.curve))?;
    column::<Int64Type>(&mut group, &series.step)?;
    column::<DoubleType>(&mut group, &series.time)?;
    column::<ByteArrayType>(&mut group, &words(&series.probe))?;
    column::<Int32Type>(&mut group, &series.unit)?;
    column::<DoubleType>(&mut group, &series.value)?;
    group.close()?;
    file.close()?;
    Ok(bytes)
}

fn words(words: &[String]) -> Vec<ByteArray> {
    words.iter().map(|word| ByteArray::from(word.as_str())).collect()
}

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    if let Some(mut writer) = group.next_column()? {
        writer.typed::<T>().write_batch(values, None, None)?;
        writer.close()?;
    }
    Ok(())
}

/// The readings of a file, whoever wrote it: its columns are known by name and type.
pub(super) fn read(file: impl ChunkReader + 'static) -> Result<Series, String> {
    // The library asserts some of what a spoilt file breaks.
    let attempt = std::panic::catch_unwind(AssertUnwindSafe(|| read_columns(file)));
    attempt.unwrap_or_else(|_| Err("its pages contradict each other".to_owned()))
}

fn read_columns(file: impl ChunkReader + 'static) -> Result<Series, String> {
    let length = file.len();
    let reader = SerializedFileReader::new(file).map_err(|error| error.to_string())?;
    let wanted = parse_message_type(SCHEMA).map_err(|error| error.to_string())?;
    let found = reader.metadata().file_metadata().schema_descr();
    for (index, column) in wanted.get_fields().iter().enumerate() {
        let (name, kind) = (column.name(), column.get_physical_type());
        let fits = index < found.num_columns()
            && found.column(index).name() == name
            && found.column(index).physical_type() == kind
            && found.column(index).max_def_level() == 0;
        if !fits {
            return Err(format!("column {} is not `{name}`, without gaps, of {kind}", index + 1));
        }
    }
    let mut series = Series::default();
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(|error| error.to_string())?;
        let inside = |column: &ColumnChunkMetaData| {
            let first = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let end = first.checked_add(column.compressed_size());
            first >= 0
                && column.compressed_size() >= 0
                && end.is_some_and(|end| u64::try_from(end).is_ok_and(|end| end <= length))
        };
        if !group.metadata().columns().iter().all(inside) {
            return Err("a column lies outside it".to_owned());
        }
        append(&mut series, group.as_ref()).map_err(|error| error.to_string())?;
    }
    Ok(series)
}

fn append(series: &mut Series, group: &dyn RowGroupReader) -> Result<(), ParquetError> {
    texts(&mut series.curve, group, 0)?;
    values::<Int64Type>(&mut series.step, group, 1)?;
    values::<DoubleType>(&mut series.time, group, 2)?;
    texts(&mut series.probe, group, 3)?;
    values::<Int32Type>(&mut series.unit, group, 4)?;
    values::<DoubleType>(&mut series.value, group, 5)
}

fn values<T: DataType>(
    to: &mut Vec<T::T>,
    group: &dyn RowGroupReader,
    column: usize,
) -> Result<(), ParquetError> {
    let mut reader = get_typed_column_reader::<T>(group.get_column_reader(column)?);
    let rows = usize::try_from(group.metadata().num_rows())
        .map_err(|_| ParquetError::General("a negative number of rows".to_owned()))?;
    let before = to.len();
    // Rows come page by page.
    while to.len() - before < rows {
        if reader.read_records(rows - (to.len() - before), None, None, to)?.0 == 0 {
            return Err(ParquetError::General(format!("column {} is cut short", column + 1)));
        }
    }
    Ok(())
}

fn texts(
    to: &mut Vec<String>,
    group: &dyn RowGroupReader,
    column: usize,
) -> Result<(), ParquetError> {
    let mut words: Vec<ByteArray> = Vec::new();
    values::<ByteArrayType>(&mut words, group, column)?;
    for word in words {
        to.push(word.as_utf8()?.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
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
                // A flip in the data may pass unseen; none may end the program.
                let _ = read(bytes::Bytes::from(spoilt));
            }
        }
    }

    #[test]
    fn a_table_of_other_columns_is_refused_by_name() {
        let schema = Arc::new(parse_message_type("message m { REQUIRED INT64 step; }").unwrap());
        let mut bytes = Vec::new();
        let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
        let mut group = file.next_row_group().unwrap();
        column::<Int64Type>(&mut group, &[1]).unwrap();
        group.close().unwrap();
        file.close().unwrap();
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
}
