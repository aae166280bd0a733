//! `series.parquet`: probe readings in long format, readable by pandas, polars and DuckDB.

use crate::outcome::Series;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
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

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    #[test]
    fn the_table_reads_back() {
        let series = Series {
            curve: vec!["gain=3".into(), "gain=inf".into()],
            step: vec![0, 20],
            time: vec![0.0, 0.2],
            probe: vec!["ipr".into(), "ipr".into()],
            unit: vec![0, 0],
            value: vec![0.03, 0.8239],
        };
        let reader = SerializedFileReader::new(bytes::Bytes::from(parquet(&series))).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1].get_string(0).unwrap(), "gain=inf");
        assert_eq!((rows[1].get_long(1).unwrap(), rows[1].get_double(5).unwrap()), (20, 0.8239));
    }
}
