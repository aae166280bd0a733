use fovea_speed::tangent::{BOTH, INPUTS, Precision, numbers};

/// A few numbers of two tables, as another program found them, and their variance.
#[test]
fn weights_and_inputs_are_hashes_of_their_place() {
    let two = [numbers(0, 3), numbers(5, 3)].concat();
    assert_eq!(two.len(), 6);
    assert!(two.iter().all(|x| x.abs() <= 3.0_f64.sqrt()));
    let many = numbers(2, 1 << 16);
    let variance = many.iter().map(|x| x * x).sum::<f64>() / many.len() as f64;
    assert!((variance - 1.0).abs() < 0.02, "{variance}");
    assert!((many[0] - many[1]).abs() > 0.0);
}

#[test]
fn both_precisions_are_one_kernel() {
    let [single, double] = BOTH.map(|precision| (precision.evaluator())(1));
    assert_eq!(single.len(), INPUTS * INPUTS);
    let largest = double.iter().fold(0.0_f64, |most, k| most.max(k.abs()));
    let gap = single.iter().zip(&double).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(gap <= Precision::Single.limit() * largest, "{gap} of {largest}");
    assert!(gap > Precision::Double.limit() * largest, "two types differ");
}
