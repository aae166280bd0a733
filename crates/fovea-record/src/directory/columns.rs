//! Tables of columns as Parquet, which pandas, polars and DuckDB read.

use crate::attempt::attempt;
use parquet::basic::Compression;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{ChunkReader, FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

/// The numbers or words of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Words.
    Words(Vec<String>),
    /// Whole numbers of 64 bits.
    Longs(Vec<i64>),
    /// Whole numbers of 32 bits.
    Ints(Vec<i32>),
    /// Real numbers, to the bit.
    Reals(Vec<f64>),
}

impl Column {
    /// Its type in a schema.
    fn kind(&self, name: &str) -> String {
        match self {
            Self::Words(_) => format!("REQUIRED BYTE_ARRAY {name} (UTF8);"),
            Self::Longs(_) => format!("REQUIRED INT64 {name};"),
            Self::Ints(_) => format!("REQUIRED INT32 {name};"),
            Self::Reals(_) => format!("REQUIRED DOUBLE {name};"),
        }
    }

    fn write(&self, group: &mut Group<'_, '_>) -> Result<(), ParquetError> {
        match self {
            Self::Words(words) => {
                let words: Vec<ByteArray> =
                    words.iter().map(|word| ByteArray::from(word.as_str())).collect();
                column::<ByteArrayType>(group, &words)
            }
            Self::Longs(values) => column::<Int64Type>(group, values),
            Self::Ints(values) => column::<Int32Type>(group, values),
            Self::Reals(values) => column::<DoubleType>(group, values),
        }
    }

    /// Adds the values that column `index` has in a row group.
    fn append(&mut self, group: &dyn RowGroupReader, index: usize) -> Result<(), ParquetError> {
        match self {
            Self::Words(words) => {
                let mut read: Vec<ByteArray> = Vec::new();
                values::<ByteArrayType>(&mut read, group, index)?;
                for word in read {
                    words.push(word.as_utf8()?.to_owned());
                }
                Ok(())
            }
            Self::Longs(all) => values::<Int64Type>(all, group, index),
            Self::Ints(all) => values::<Int32Type>(all, group, index),
            Self::Reals(all) => values::<DoubleType>(all, group, index),
        }
    }
}

type Group<'a, 'b> = SerializedRowGroupWriter<'a, &'b mut Vec<u8>>;

/// What the parser of the library reads.
fn schema(name: &str, columns: &[(&str, Column)]) -> String {
    let lines: Vec<String> = columns.iter().map(|(name, column)| column.kind(name)).collect();
    format!("message {name} {{ {} }}", lines.join(" "))
}

/// The bytes of a table of this name whose columns are equally long.
pub fn parquet(name: &str, columns: &[(&str, Column)]) -> Vec<u8> {
    write(name, columns).expect("writing to memory with a schema that fits its columns cannot fail")
}

fn write(name: &str, columns: &[(&str, Column)]) -> Result<Vec<u8>, ParquetError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("fovea".to_owned())
        .build();
    let schema = Arc::new(parse_message_type(&schema(name, columns))?);
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for (_, column) in columns {
        column.write(&mut group)?;
    }
    group.close()?;
    file.close()?;
    Ok(bytes)
}

fn column<T: DataType>(group: &mut Group<'_, '_>, values: &[T::T]) -> Result<(), ParquetError> {
    if let Some(mut writer) = group.next_column()? {
        writer.typed::<T>().write_batch(values, None, None)?;
        writer.close()?;
    }
    Ok(())
}

/// The columns of a file, whoever wrote it, by name and type: `like` has them without values.
///
/// # Errors
/// What is wrong with the file, in words.
pub fn read(
    file: impl ChunkReader + 'static,
    like: &[(&str, Column)],
) -> Result<Vec<Column>, String> {
    // The library asserts some of what a spoilt file breaks.
    attempt(|| read_columns(file, like))
        .unwrap_or_else(|| Err("its pages contradict each other".to_owned()))
}

fn read_columns(
    file: impl ChunkReader + 'static,
    like: &[(&str, Column)],
) -> Result<Vec<Column>, String> {
    let length = file.len();
    let reader = SerializedFileReader::new(file).map_err(|error| error.to_string())?;
    let wanted = parse_message_type(&schema("table", like)).map_err(|error| error.to_string())?;
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
    let mut columns: Vec<Column> = like.iter().map(|(_, column)| column.clone()).collect();
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
        for (index, column) in columns.iter_mut().enumerate() {
            column.append(group.as_ref(), index).map_err(|error| error.to_string())?;
        }
    }
    Ok(columns)
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
