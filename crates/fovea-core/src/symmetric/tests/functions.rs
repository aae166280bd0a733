//! Functions of a matrix against their definitions.

use super::*;

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |i: usize, j: usize| (0..b.len()).map(|k| a[i][k] * b[k][j]).sum();
    (0..a.len()).map(|i| (0..b.len()).map(|j| entry(i, j)).collect()).collect()
}

fn gap(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    a.concat().iter().zip(b.concat()).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// The four equations of Penrose, for a matrix of rank 3 in 8 dimensions and for one of full rank.
#[test]
fn the_pseudo_inverse_obeys_its_four_equations() {
    for (values, rank) in
        [(vec![4.0, -2.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0], 3), (vec![3.0, 1.0, -2.0], 3)]
    {
        let a = with_values(&values, 21);
        assert_eq!(eigen(&a).unwrap().rank(), rank);
        let inverse = pseudo_inverse(&a).unwrap();
        let (left, right) = (product(&inverse, &a), product(&a, &inverse));
        assert!(gap(&product(&right, &a), &a) < 1e-13);
        assert!(gap(&product(&left, &inverse), &inverse) < 1e-13);
        assert!(gap(&left, &right) < 1e-13, "both are projectors, and of the same range");
        let trace: f64 = (0..values.len()).map(|i| left[i][i]).sum();
        assert!((trace - rank as f64).abs() < 1e-13);
    }
    assert_eq!(pseudo_inverse(&[vec![0.0, 0.0], vec![0.0, 0.0]]).unwrap(), vec![vec![0.0; 2]; 2]);
    let tiny = [vec![1e-310]];
    assert_eq!(pseudo_inverse(&tiny), Err(SymmetricError::Undefined { eigenvalue: 1e-310 }));
}

/// Against its power series, and `exp(A) exp(-A) = 1`.
#[test]
fn the_exponential_is_its_power_series() {
    let a = random(9, 2);
    let exponent = exponential(&a).unwrap();
    let mut term = matrix(9, |i, j| f64::from(u8::from(i == j)));
    let mut sum = term.clone();
    for k in 1..60 {
        term = product(&term, &a)
            .iter()
            .map(|row| row.iter().map(|x| x / f64::from(k)).collect())
            .collect();
        for (row, term) in sum.iter_mut().zip(&term) {
            row.iter_mut().zip(term).for_each(|(x, t)| *x += t);
        }
    }
    let size = largest(&exponent.concat());
    assert!(gap(&exponent, &sum) < 1e-13 * size);
    let negative: Vec<Vec<f64>> = a.iter().map(|row| row.iter().map(|x| -x).collect()).collect();
    let one = product(&exponent, &exponential(&negative).unwrap());
    assert!(gap(&one, &matrix(9, |i, j| f64::from(u8::from(i == j)))) < 1e-12);
    let error = exponential(&[vec![800.0]]).unwrap_err();
    assert_eq!(error, SymmetricError::Undefined { eigenvalue: 800.0 });
}

/// The square of the root, and a function that is not finite at one eigenvalue.
#[test]
fn any_function_acts_on_the_eigenvalues() {
    let a = with_values(&[9.0, 4.0, 1.0, 0.25], 31);
    let root = function(&a, f64::sqrt).unwrap();
    assert!(gap(&product(&root, &root), &a) < 1e-13);
    assert!(
        root.iter()
            .enumerate()
            .all(|(i, row)| (0..i).all(|j| row[j].to_bits() == root[j][i].to_bits()))
    );
    assert!(matches!(
        function(&with_values(&[1.0, -1.0], 33), f64::sqrt),
        Err(SymmetricError::Undefined { eigenvalue }) if (eigenvalue + 1.0).abs() < 1e-14
    ));
    assert!((operator_norm(&with_values(&[1.0, -3.0, 2.0], 35)).unwrap() - 3.0).abs() < 1e-14);
}
