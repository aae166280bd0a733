use fovea_fields::fourier_basis::measure::{rank, real_basis, real_parts};

#[test]
fn the_basis_has_full_rank_and_the_real_parts_half_of_it() {
    for n in [2, 3, 8, 41] {
        assert_eq!(rank(&real_basis(n)), n);
        assert_eq!(rank(&real_parts(n)), n / 2 + 1);
    }
    assert_eq!(rank(&vec![vec![0.0; 3]; 3]), 0);
}
