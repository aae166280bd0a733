//! Tables of columns as Parquet, which pandas, polars and DuckDB read.

use super::limits;
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
    /// Real numbers, to the bit; a gap in the file where one is NaN. They are written for others, and not read here.
    Gapped(Vec<f64>),
}

impl Column {
    /// Its type in a schema.
    fn kind(&self, name: &str) -> String {
        match self {
            Self::Words(_) => format!("REQUIRED BYTE_ARRAY {name} (UTF8);"),
            Self::Longs(_) => format!("REQUIRED INT64 {name};"),
            Self::Ints(_) => format!("REQUIRED INT32 {name};"),
            Self::Reals(_) => format!("REQUIRED DOUBLE {name};"),
            Self::Gapped(_) => format!("OPTIONAL DOUBLE {name};"),
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
            Self::Gapped(values) => {
                let there = |value: &&f64| !value.is_nan();
                let levels: Vec<i16> = values.iter().map(|v| i16::from(there(&v))).collect();
                let values: Vec<f64> = values.iter().filter(there).copied().collect();
                leveled::<DoubleType>(group, &values, Some(&levels))
            }
        }
    }

    /// Bytes that one of its values takes in memory, of a word the least.
    fn size(&self) -> usize {
        match self {
            // A word has a place of its own, which is never smaller than this.
            Self::Words(_) => size_of::<String>() + 32,
            Self::Longs(_) | Self::Reals(_) | Self::Gapped(_) => 8,
            Self::Ints(_) => 4,
        }
    }

    /// Adds the values that column `index` has in a row group, and subtracts the bytes they need from those left.
    fn append(
        &mut self,
        group: &dyn RowGroupReader,
        index: usize,
        room: &mut u64,
    ) -> Result<(), ParquetError> {
        let size = self.size();
        match self {
            Self::Words(words) => values::<ByteArrayType>(group, index, room, &mut |read, room| {
                for word in read.drain(..) {
                    take(room, size + word.len())?;
                    words.push(word.as_utf8()?.to_owned());
                }
                Ok(())
            }),
            Self::Longs(all) => plain::<Int64Type>(all, group, index, (size, room)),
            Self::Ints(all) => plain::<Int32Type>(all, group, index, (size, room)),
            Self::Reals(all) => plain::<DoubleType>(all, group, index, (size, room)),
            Self::Gapped(_) => Err(ParquetError::NYI("gaps are not read".to_owned())),
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
    leveled::<T>(group, values, None)
}

/// A column, with levels where it has gaps: 1 for a value and 0 for none.
fn leveled<T: DataType>(
    group: &mut Group<'_, '_>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    if let Some(mut writer) = group.next_column()? {
        writer.typed::<T>().write_batch(values, levels, None)?;
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
    // The library panics on some damaged files.
    attempt(|| read_columns(file, like, limits::table()))
        .unwrap_or_else(|| Err("its pages contradict each other".to_owned()))
}

fn read_columns(
    file: impl ChunkReader + 'static,
    like: &[(&str, Column)],
    most: u64,
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
    // Equal rows take next to nothing in a file and everything in memory.
    let rows = reader.metadata().file_metadata().num_rows();
    let a_row: usize = columns.iter().map(Column::size).sum();
    let mut room = most;
    if u64::try_from(rows).is_ok_and(|rows| rows.saturating_mul(a_row as u64) > room) {
        return Err(format!("its {rows} rows do not fit into memory"));
    }
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
            column.append(group.as_ref(), index, &mut room).map_err(|error| error.to_string())?;
        }
    }
    Ok(columns)
}

/// Subtracts bytes from those left.
fn take(room: &mut u64, bytes: usize) -> Result<(), ParquetError> {
    let left = room.checked_sub(bytes as u64);
    *room =
        left.ok_or_else(|| ParquetError::General("its values do not fit into memory".to_owned()))?;
    Ok(())
}

/// Numbers, which are stored as they are.
fn plain<T: DataType>(
    to: &mut Vec<T::T>,
    group: &dyn RowGroupReader,
    column: usize,
    (size, room): (usize, &mut u64),
) -> Result<(), ParquetError> {
    values::<T>(group, column, room, &mut |read, room| {
        take(room, size * read.len())?;
        to.append(read);
        Ok(())
    })
}

/// Takes some of the values that were read and makes room for the next.
type Each<'a, T> = dyn FnMut(&mut Vec<T>, &mut u64) -> Result<(), ParquetError> + 'a;

/// Reads a column of a row group some rows at a time.
fn values<T: DataType>(
    group: &dyn RowGroupReader,
    column: usize,
    room: &mut u64,
    each: &mut Each<'_, T::T>,
) -> Result<(), ParquetError> {
    const ROWS: usize = 1 << 16;
    let mut reader = get_typed_column_reader::<T>(group.get_column_reader(column)?);
    let mut rows = usize::try_from(group.metadata().num_rows())
        .map_err(|_| ParquetError::General("a negative number of rows".to_owned()))?;
    let mut read = Vec::new();
    // Rows come page by page.
    while rows > 0 {
        let (found, ..) = reader.read_records(rows.min(ROWS), None, None, &mut read)?;
        if found == 0 {
            return Err(ParquetError::General(format!("column {} is cut short", column + 1)));
        }
        rows -= found;
        each(&mut read, room)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(columns: &[(&str, Column)], most: u64) -> Result<Vec<Column>, String> {
        let like: Vec<(&str, Column)> = columns
            .iter()
            .map(|(name, column)| {
                let empty = match column {
                    Column::Words(_) => Column::Words(Vec::new()),
                    Column::Longs(_) => Column::Longs(Vec::new()),
                    Column::Ints(_) => Column::Ints(Vec::new()),
                    Column::Reals(_) => Column::Reals(Vec::new()),
                    Column::Gapped(_) => Column::Gapped(Vec::new()),
                };
                (*name, empty)
            })
            .collect();
        read_columns(bytes::Bytes::from(parquet("t", columns)), &like, most)
    }

    #[test]
    fn equal_rows_that_take_nothing_on_the_disk_are_refused_by_what_they_take_in_memory() {
        let columns = [
            ("word", Column::Words(vec!["w".into(); 200_000])),
            ("value", Column::Reals(vec![0.5; 200_000])),
        ];
        let file = parquet("t", &columns);
        assert!(file.len() < 10_000, "{}", file.len());
        let error = of(&columns, 1 << 20).unwrap_err();
        assert_eq!(error, "its 200000 rows do not fit into memory");
        assert!(of(&columns, 1 << 25).is_ok());
    }

    #[test]
    fn words_count_by_their_length() {
        let columns = [("word", Column::Words(vec!["w".repeat(100_000); 1000]))];
        let error = of(&columns, 1 << 20).unwrap_err();
        assert!(error.ends_with("its values do not fit into memory"), "{error}");
        assert!(of(&columns, 1 << 28).is_ok());
    }
}
