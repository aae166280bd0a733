use fovea_fields::fields_2d::{is_blob, is_positive, parts_above};

fn field(sites: &[(usize, f64)]) -> Vec<f64> {
    let mut w = vec![0.01; 8 * 8];
    for (site, weight) in sites {
        w[*site] = *weight;
    }
    w
}

#[test]
fn one_part_around_the_edge_is_a_blob_and_two_are_none() {
    let corner = field(&[(0, -1.0), (7, -0.8), (56, -0.6), (63, -0.7)]);
    assert_eq!(parts_above(&corner, 8, 0.5), 1);
    assert!(is_blob(&corner, 8) && !is_positive(&corner));
    let two = field(&[(0, 1.0), (18, -0.6)]);
    assert_eq!(parts_above(&two, 8, 0.5), 2);
    assert!(!is_blob(&two, 8) && is_positive(&two));
    // Below half of the largest a second part does not count.
    assert!(is_blob(&field(&[(0, 1.0), (18, -0.4)]), 8));
}

#[test]
fn flat_and_empty_fields_are_no_blobs() {
    assert_eq!(parts_above(&[0.3; 64], 8, 0.5), 1);
    assert!(!is_blob(&[0.3; 64], 8));
    assert!(!is_blob(&[0.0; 64], 8) && parts_above(&[0.0; 64], 8, 0.5) == 0);
}
