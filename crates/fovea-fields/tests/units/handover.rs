use fovea_core::ring::{Kernel, kernel_row};
use fovea_fields::handover::{Rows, crossing};
use fovea_theory::GaussianFlow;

#[test]
fn the_rows_come_back_from_their_eigenvalues() {
    let row = kernel_row(12, 1.5, Kernel::Ring);
    let rows = Rows::of(&GaussianFlow::from_rows(&row, &row));
    for (a, b) in rows.pos.iter().zip(&row) {
        assert!((a - b).abs() < 1e-14);
    }
    assert!((rows.sum[0] - 2.0).abs() < 1e-14);
}

#[test]
fn a_crossing_lies_between_its_records_and_a_start_beyond_has_none() {
    assert_eq!(crossing(&[0.0, 1.0, 2.0], &[0.0, 0.5, 1.5], 1.0), Some(1.5));
    assert_eq!(crossing(&[0.0, 1.0], &[1.2, 2.0], 1.0), None);
    assert_eq!(crossing(&[0.0, 1.0], &[0.2, 0.4], 1.0), None);
}
