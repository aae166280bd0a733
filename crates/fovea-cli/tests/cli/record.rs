//! Reading a run directory back: its manifest, its arrays and its series.

use super::files_and_folders;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use std::fs;
use std::path::Path;

/// `run.toml` as a table.
pub(super) fn manifest(run: &Path) -> toml::Table {
    fs::read_to_string(run.join("run.toml")).unwrap().parse().unwrap()
}

/// Changes a manifest as its program would have written it: its last line is the sum of the others again.
pub(super) fn rewrite(manifest: &Path, change: impl FnOnce(&str) -> String) {
    let text = fs::read_to_string(manifest).unwrap();
    let (lines, seal) = text.trim_end().rsplit_once('\n').unwrap();
    assert!(seal.starts_with("# sha256 of the lines above: "), "{seal}");
    fs::write(manifest, seal_of(&change(&format!("{lines}\n")))).unwrap();
}

fn seal_of(text: &str) -> String {
    fovea_lab::record::sums::seal(text)
}

/// Changes a file, and its sum in the manifest.
pub(super) fn amend(manifest: &Path, name: &str, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    use fovea_lab::record::sums::sum;
    let path = manifest.with_file_name(name);
    let before = fs::read(&path).unwrap();
    let old = sum(&before);
    let after = change(before);
    fs::write(&path, &after).unwrap();
    rewrite(manifest, |text| {
        assert!(text.contains(&old), "{name} is not listed");
        text.replace(&old, &sum(&after))
    });
}

/// Makes a record one from before files were listed with their sums.
pub(super) fn forget_sums(run: &Path) {
    let mut table = manifest(run);
    assert!(table.remove("files").is_some());
    fs::write(run.join("run.toml"), table.to_string()).unwrap();
}

/// The numbers of a `.npy` file, after a look at its header.
pub(super) fn array(path: &Path) -> Vec<f64> {
    let bytes = fs::read(path).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00", "{}", path.display());
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..start]).unwrap();
    assert!(header.contains("'descr': '<f8'"), "{header}");
    let shape = header.split_once("'shape': (").unwrap().1.split_once(')').unwrap().0;
    let axes = shape.split(',').map(str::trim).filter(|len| !len.is_empty());
    let entries: usize = axes.map(|len| len.parse::<usize>().unwrap()).product();
    let (numbers, rest) = bytes[start..].as_chunks::<8>();
    assert_eq!((numbers.len(), rest.len()), (entries, 0), "{}", path.display());
    numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

/// Every array of a run by its file name.
pub(super) fn arrays(run: &Path) -> Vec<(String, Vec<f64>)> {
    let paths = files_and_folders(&run.join("arrays"));
    paths.iter().map(|path| (path.display().to_string(), array(path))).collect()
}

/// Time and value of every reading in `series.parquet`.
pub(super) fn readings(run: &Path) -> Vec<(f64, f64)> {
    let file = fs::File::open(run.join("series.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
    rows.map(|row| (row.get_double(2).unwrap(), row.get_double(5).unwrap())).collect()
}

/// Checks that a run holds numbers, all of them finite, and that no text of it speaks of NaN.
#[track_caller]
pub(super) fn assert_finite(run: &Path) {
    for (name, numbers) in arrays(run) {
        assert!(!numbers.is_empty(), "{name} is empty");
        let broken = numbers.iter().filter(|x| !x.is_finite()).count();
        assert_eq!(
            broken,
            0,
            "{name} has {broken} of {} numbers that are not finite",
            numbers.len()
        );
    }
    let readings = readings(run);
    assert!(!readings.is_empty());
    let broken = readings.iter().find(|(time, value)| !(time.is_finite() && value.is_finite()));
    assert_eq!(broken, None, "series.parquet");
    for name in ["run.toml", "claims.json", "report.html"] {
        let text = fs::read_to_string(run.join(name)).unwrap();
        // The letters of an embedded font mean nothing.
        let fonts = |part: &str| part.split_once(')').map_or(String::new(), |rest| rest.1.into());
        let mut parts = text.split("base64,");
        let text = parts.next().unwrap().to_owned() + &parts.map(fonts).collect::<String>();
        let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
        let nan = words.find(|word| word.eq_ignore_ascii_case("nan"));
        assert_eq!(nan, None, "{name}");
    }
}
