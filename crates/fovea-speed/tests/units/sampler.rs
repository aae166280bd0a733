use fovea_sim::stimulus::ALL;
use fovea_speed::row::Path;
use fovea_speed::sampler::{VECTOR, path_of, rows};

#[test]
fn every_name_with_a_vector_path_is_a_stimulus() {
    for name in VECTOR {
        assert!(ALL.iter().any(|entry| entry.name == name), "{name}");
        assert_eq!(path_of(name), Path::Vector);
    }
    assert_eq!(path_of("conditional"), Path::Plain);
}

#[test]
fn the_table_has_both_paths_and_counts_entries() {
    let rows = rows();
    for path in [Path::Vector, Path::Plain] {
        assert!(rows.iter().any(|row| row.path == Some(path)));
    }
    for row in rows {
        let n = if row.name.contains("400") { 400.0 } else { 40.0 };
        assert!((row.piece * 1e9 - 32.0 * n).abs() < 1e-6, "{}", row.name);
        (row.prepare)().unwrap()(2).unwrap();
    }
}
