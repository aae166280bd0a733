//! NumPy's `.npy` format, version 1.0, little-endian doubles.
//!
//! Written here: the format is one line of header, and the crates for it bring a parser generator along.

use crate::outcome::Array;

/// The file's bytes.
pub(super) fn bytes(array: &Array) -> Vec<u8> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
