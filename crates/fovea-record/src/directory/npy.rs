//! NumPy's `.npy` format: written as version 1.0 with little-endian doubles, read in every version; of number
//! types, whole numbers and floating-point numbers of 4 and 8 bytes.
//!
//! Implemented here: the format is one line of header, and the crates for it depend on a parser generator.

use super::{disk, limits};
use crate::error::RecordError;
use crate::outcome::Array;
use std::path::Path;

/// The file's bytes.
pub fn bytes(array: &Array) -> Vec<u8> {
    let axes: Vec<String> = array.shape.iter().map(|len| format!("{len},")).collect();
    let mut header =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}), }}", axes.join(" "));
    // Magic, version and length take ten bytes; data starts at a multiple of 64 after a newline.
    let padding = (64 - (10 + header.len() + 1) % 64) % 64;
    header.push_str(&" ".repeat(padding));
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    for x in &array.data {
        out.extend(x.to_le_bytes());
    }
    out
}

/// Reads an array of numbers; whole numbers and truth values become doubles.
///
/// # Errors
/// The file cannot be read, is not an `.npy` file, is cut short, or holds something other than numbers.
pub fn read(path: &Path) -> Result<Array, RecordError> {
    let bytes = disk::read_file(path, limits::array())?;
    let name =
        path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    parse(&bytes, name)
        .map_err(|why| RecordError::NotAnArray { path: path.display().to_string(), why })
}

pub(super) fn parse(bytes: &[u8], name: String) -> Result<Array, String> {
    let cut = || "it is cut short".to_owned();
    let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or("it does not start as a .npy file does")?;
    let (length, start) = match *rest.first_chunk::<6>().ok_or_else(cut)? {
        [1, _, a, b, ..] => (u32::from(u16::from_le_bytes([a, b])), 4),
        [2 | 3, _, a, b, c, d] => (u32::from_le_bytes([a, b, c, d]), 6),
        [version, ..] => return Err(format!("version {version} of the format is not known")),
    };
    let end = start + length as usize;
    let header = std::str::from_utf8(rest.get(start..end).ok_or_else(cut)?)
        .map_err(|_| "its header is not text")?;
    let descr = quoted(header, "descr").ok_or("its header names no number type")?;
    let fortran = field(header, "fortran_order").is_some_and(|text| text.starts_with("True"));
    let axes = field(header, "shape")
        .and_then(|text| text.strip_prefix('(')?.split(')').next())
        .ok_or("its header names no shape")?;
    let axes = axes.split(',').map(str::trim).filter(|axis| !axis.is_empty());
    let shape: Vec<usize> = axes
        .map(str::parse)
        .collect::<Result<_, _>>()
        .map_err(|_| "its shape is not a list of lengths")?;
    let count =
        shape.iter().try_fold(1_usize, |count, axis| count.checked_mul(*axis)).ok_or_else(cut)?;
    if count as u64 > limits::array() / size_of::<f64>() as u64 {
        return Err(format!("its {count} numbers do not fit into memory"));
    }
    let data = numbers(descr, &rest[end..], count)?;
    let data = if fortran { from_columns(&shape, &data) } else { data };
    Ok(Array { name, shape, data })
}

/// The text after a key of the header.
fn field<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let after = header.split_once(&format!("'{key}'")).map(|(_, after)| after)?;
    Some(after.trim_start().strip_prefix(':')?.trim_start())
}

fn quoted<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    field(header, key)?.strip_prefix('\'')?.split('\'').next()
}

/// `count` numbers of type `descr`, such as `<f8`.
fn numbers(descr: &str, bytes: &[u8], count: usize) -> Result<Vec<f64>, String> {
    let big_endian = descr.starts_with('>');
    macro_rules! each {
        ($type:ty, $widen:expr) => {{
            const SIZE: usize = size_of::<$type>();
            let bytes = count.checked_mul(SIZE).and_then(|size| bytes.get(..size));
            let bytes = bytes.ok_or("it is cut short")?;
            let read = |chunk: &[u8; SIZE]| {
                let mut chunk = *chunk;
                if big_endian {
                    chunk.reverse();
                }
                $widen(<$type>::from_le_bytes(chunk))
            };
            Ok(bytes.as_chunks::<SIZE>().0.iter().map(read).collect())
        }};
    }
    match descr.get(1..).unwrap_or("") {
        "f8" => each!(f64, std::convert::identity),
        "f4" => each!(f32, f64::from),
        "i8" => each!(i64, |x| x as f64),
        "i4" => each!(i32, f64::from),
        "i2" => each!(i16, f64::from),
        "i1" => each!(i8, f64::from),
        "u8" => each!(u64, |x| x as f64),
        "u4" => each!(u32, f64::from),
        "u2" => each!(u16, f64::from),
        "u1" | "b1" => each!(u8, f64::from),
        _ => Err(format!(
            "its number type `{descr}` is not supported: whole numbers, bool, float32 and float64 are"
        )),
    }
}

/// Column-major numbers in row-major order.
fn from_columns(shape: &[usize], data: &[f64]) -> Vec<f64> {
    let place = |index: usize| {
        // The row-major index spelled in the column-major strides.
        let (mut index, mut at) = (index, 0);
        for axis in (0..shape.len()).rev() {
            let stride: usize = shape[..axis].iter().product();
            at += index % shape[axis] * stride;
            index /= shape[axis];
        }
        at
    };
    (0..data.len()).map(|index| data[place(index)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        [bytes, header.into_bytes(), data.to_vec()].concat()
    }

    #[test]
    fn what_is_written_is_read_back_to_the_bit() {
        let array =
            Array { name: "w".into(), shape: vec![2, 2], data: vec![0.1, -0.0, 1e-310, 3.0] };
        let back = parse(&bytes(&array), "w".into()).unwrap();
        assert_eq!(back.shape, array.shape);
        fovea_core::agree::same_bits(&back.data, &array.data).unwrap();
    }

    #[test]
    fn other_number_types_and_orders_are_read() {
        let single: Vec<u8> = [1.5_f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(
            parse(&file("<f4", "False", "(2,)", &single), String::new()).unwrap().data,
            [1.5, -2.0]
        );
        let big: Vec<u8> = [3_i16, -4].iter().flat_map(|x| x.to_be_bytes()).collect();
        assert_eq!(
            parse(&file(">i2", "False", "(2,)", &big), String::new()).unwrap().data,
            [3.0, -4.0]
        );
        // Columns (1, 2), (3, 4), (5, 6) of a 2 x 3 array.
        let array =
            parse(&file("|u1", "True", "(2, 3)", &[1, 2, 3, 4, 5, 6]), String::new()).unwrap();
        assert_eq!(array.data, [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
        assert_eq!(parse(&file("|b1", "False", "()", &[1]), String::new()).unwrap().data, [1.0]);
    }

    #[test]
    fn what_is_not_an_array_is_refused_with_a_reason() {
        let cases = [
            (b"PK".to_vec(), "does not start"),
            (file("<f8", "False", "(2,)", &[0; 15]), "cut short"),
            (file("<U3", "False", "(1,)", &[0; 12]), "`<U3`"),
            (file("|O", "False", "(1,)", &[0; 8]), "`|O`"),
            (file("<f8", "False", "(99999999999, 99999999999)", &[]), "cut short"),
            (file("<f8", "False", "(-1,)", &[]), "not a list of lengths"),
            (b"\x93NUMPY\x09\x00\x00\x00\x00\x00".to_vec(), "version 9"),
            (b"\x93NUMPY\x01".to_vec(), "cut short"),
        ];
        for (bytes, why) in cases {
            let error = parse(&bytes, String::new()).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn the_header_is_what_numpy_writes() {
        let array = Array { name: "w".into(), shape: vec![2, 3], data: vec![1.5; 6] };
        let bytes = bytes(&array);
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let header = std::str::from_utf8(&bytes[10..128]).unwrap();
        assert_eq!(
            header.trim_end(),
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3,), }"
        );
        assert_eq!(bytes.len(), 128 + 48);
        assert_eq!(&bytes[128..136], 1.5_f64.to_le_bytes());
    }
}
