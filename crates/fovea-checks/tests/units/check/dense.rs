use fovea_checks::check::dense::solve;

#[test]
fn a_system_whose_first_pivot_is_zero_is_solved() {
    let matrix = vec![vec![0.0, 2.0, 1.0], vec![1.0, 1.0, 0.0], vec![3.0, 0.0, -1.0]];
    let x = solve(matrix, vec![7.0, 3.0, 0.0]);
    for (got, want) in x.iter().zip([1.0, 2.0, 3.0]) {
        assert!((got - want).abs() < 1e-14, "{x:?}");
    }
}
