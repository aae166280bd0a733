//! Residuals on many kinds of matrices, and a comparison with the reference method.

mod functions;

use super::*;
use crate::agree::{same_bits, test_seed, trials};
use crate::streams::Streams;
use crate::vector::{dot, largest, norm};

/// The allowed residuals and inner products over the norm of the matrix, as the module promises up to 800 rows.
const CLOSE: f64 = 1e-13;

/// Numbers uniform on [-1, 1].
fn uniform(index: u64, count: usize) -> Vec<f64> {
    let mut rng = Streams::new(test_seed(module_path!(), index)).named("matrix").block(0, 0);
    let lanes = std::iter::repeat_with(|| rng.uniforms()).take(count.div_ceil(16));
    lanes.flatten().take(count).map(|u| 2.0 * u - 1.0).collect()
}

fn matrix(n: usize, entry: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    (0..n).map(|i| (0..n).map(|j| entry(i.max(j), i.min(j))).collect()).collect()
}

fn random(n: usize, index: u64) -> Vec<Vec<f64>> {
    let numbers = uniform(index, n * n);
    matrix(n, |i, j| numbers[i * n + j])
}

/// A matrix with these eigenvalues, by three reflections.
fn with_values(values: &[f64], index: u64) -> Vec<Vec<f64>> {
    let n = values.len();
    let mut rows = matrix(n, |i, j| if i == j { values[i] } else { 0.0 });
    for k in 0..3 {
        let u = uniform(index + 1000 * k, n);
        let size = dot(&u, &u);
        let p: Vec<f64> = rows.iter().map(|row| 2.0 * dot(row, &u) / size).collect();
        let share = dot(&u, &p) / size;
        for i in 0..n {
            for j in 0..n {
                rows[i][j] -= u[i] * p[j] + p[i] * u[j] - 2.0 * share * u[i] * u[j];
            }
        }
    }
    matrix(n, |i, j| rows[i][j])
}

/// The kinds of matrices that can go wrong.
fn kinds(n: usize) -> Vec<(&'static str, Vec<Vec<f64>>)> {
    let x = uniform(7, n);
    let clustered: Vec<f64> =
        (0..n).map(|k| [3.0, 1.0, -1.0, 1e-8][k % 4] + 1e-14 * k as f64).collect();
    let exponent = |i: usize| 400.0 * i as f64 / n as f64 - 200.0;
    let graded = |i: usize, j: usize| {
        libm::pow(10.0, 0.5 * (exponent(i) + exponent(j))) * (1.0 + 0.5 * x[i] * x[j])
    };
    let tridiagonal = |i: usize, j: usize| match i - j {
        0 => x[i],
        1 => x[(i + j) % n] + 0.5,
        _ => 0.0,
    };
    let projector: Vec<f64> = (0..n).map(|k| f64::from(u8::from(2 * k < n))).collect();
    vec![
        ("random", random(n, n as u64)),
        ("clustered", with_values(&clustered, 11)),
        ("rank one", matrix(n, |i, j| x[i] * x[j])),
        ("zero", matrix(n, |_, _| 0.0)),
        ("ones", matrix(n, |_, _| 1.0)),
        ("the identity", matrix(n, |i, j| f64::from(u8::from(i == j)))),
        ("a projector", with_values(&projector, 13)),
        ("diagonal", matrix(n, |i, j| if i == j { x[i] } else { 0.0 })),
        ("graded up", matrix(n, graded)),
        ("graded down", matrix(n, |i, j| graded(n - 1 - j, n - 1 - i))),
        (
            "diagonal over 400 decades",
            matrix(n, |i, j| if i == j { libm::pow(10.0, exponent(i)) } else { 0.0 }),
        ),
        ("tridiagonal", matrix(n, tridiagonal)),
        ("tridiagonal without a diagonal", matrix(n, |i, j| f64::from(u8::from(i == j + 1)))),
        ("tiny", matrix(n, |i, j| 1e-305 * (x[i] + x[j]))),
        ("huge", matrix(n, |i, j| 1e300 * (x[i] + x[j]))),
    ]
}

/// The largest entries of `A V - V L` over the norm of `A`, and of `V'V - 1`.
fn residuals(rows: &[Vec<f64>], eigen: &Eigen) -> [f64; 2] {
    let n = rows.len();
    let top = largest(&eigen.values);
    // Divided by a power of two, which changes no digit: sums of huge entries are finite, and of tiny ones exact.
    let scale =
        if top > 0.0 { libm::scalbn(1.0, -libm::ilogb(top).clamp(-1000, 1000)) } else { 1.0 };
    let mut apart = 0.0_f64;
    for (value, v) in eigen.values.iter().zip(&eigen.vectors) {
        let mut image: Vec<f64> = v.iter().map(|x| -(value * scale) * x).collect();
        for (row, share) in rows.iter().zip(v) {
            image.iter_mut().zip(row).for_each(|(x, a)| *x += a * scale * share);
        }
        apart = apart.max(largest(&image));
    }
    let columns: Vec<Vec<f64>> =
        (0..n).map(|i| eigen.vectors.iter().map(|v| v[i]).collect()).collect();
    let mut skew = 0.0_f64;
    for (k, v) in eigen.vectors.iter().enumerate() {
        let mut products = vec![0.0; n];
        for (column, share) in columns.iter().zip(v) {
            products.iter_mut().zip(column).for_each(|(x, a)| *x += a * share);
        }
        products[k] -= 1.0;
        skew = skew.max(largest(&products));
    }
    let size = if top > 0.0 { top * scale } else { 1.0 };
    [apart / size, skew]
}

/// Decomposes, and asserts what holds for every matrix.
fn decomposed(name: &str, rows: &[Vec<f64>]) -> Eigen {
    let n = rows.len();
    let found = eigen(rows).unwrap_or_else(|error| panic!("{name}, n={n}: {error}"));
    let [apart, skew] = residuals(rows, &found);
    println!("{name}, n={n}: AV - VL {apart:.1e}, V'V - 1 {skew:.1e}");
    assert!(apart < CLOSE && skew < CLOSE, "{name}, n={n}: {apart:e} {skew:e}");
    assert!(found.values.windows(2).all(|pair| pair[0] >= pair[1]), "{name}, n={n}: descending");
    for vector in &found.vectors {
        let near = (1.0 - 1e-6) * largest(vector);
        assert!(*vector.iter().find(|x| x.abs() >= near).unwrap() > 0.0, "{name}, n={n}: sign");
    }
    found
}

#[test]
fn vectors_and_values_of_every_kind_of_matrix_belong_together_and_the_judge_agrees() {
    for n in [1, 2, 3, 4, 17, 64, trials(100, 200)] {
        for (name, rows) in kinds(n) {
            let found = decomposed(name, &rows);
            same_bits(&eigenvalues(&rows).unwrap(), &found.values).unwrap();
            let judge = jacobi::eigen(&rows).unwrap_or_else(|error| panic!("{name} {n}: {error}"));
            let [apart, skew] = residuals(&rows, &judge);
            assert!(apart < CLOSE && skew < CLOSE, "{name}, n={n}: {apart:e} {skew:e}");
            let top = largest(&judge.values);
            for (a, b) in found.values.iter().zip(&judge.values) {
                assert!((a - b).abs() <= CLOSE * top, "{name}, n={n}: {a:e} {b:e}");
            }
        }
    }
}

#[test]
fn eight_hundred_rows_keep_thirteen_digits() {
    let n = 800;
    for (name, rows) in kinds(n).into_iter().take(trials(3, 15)) {
        decomposed(name, &rows);
    }
}

/// The test of residuals must be able to fail.
#[test]
fn a_wrong_vector_and_a_wrong_value_are_noticed() {
    let rows = random(30, 5);
    let found = eigen(&rows).unwrap();
    let mut wrong = found.clone();
    wrong.vectors[3][2] += 1e-12;
    assert!(residuals(&rows, &wrong).iter().all(|x| *x > CLOSE));
    let mut wrong = found;
    wrong.values[0] *= 1.0 + 1e-12;
    assert!(residuals(&rows, &wrong)[0] > CLOSE);
}

/// The second difference on a path: eigenvalues 2 - 2 cos(pi k / (n + 1)), eigenvectors sines.
#[test]
fn eigenvalues_and_vectors_of_a_known_matrix() {
    let n = 12;
    let entry = |i: usize, j: usize| [2.0, -1.0, 0.0][(i - j).min(2)];
    let found = decomposed("second difference", &matrix(n, entry));
    for (k, (value, vector)) in
        found.values.iter().rev().zip(found.vectors.iter().rev()).enumerate()
    {
        let angle = std::f64::consts::PI * (k + 1) as f64 / (n + 1) as f64;
        assert!((value - (2.0 - 2.0 * libm::cos(angle))).abs() < 1e-14);
        let mut sine: Vec<f64> = (1..=n).map(|i| libm::sin(angle * i as f64)).collect();
        let size = norm(&sine);
        for x in &mut sine {
            *x /= size;
        }
        fix_sign(&mut sine);
        assert!(sine.iter().zip(vector).all(|(a, b)| (a - b).abs() < 1e-14), "{k}");
    }
}

#[test]
fn matrices_that_need_no_arithmetic_are_exact() {
    let values = [1e-200, 3.5, -2.0, 1e200, 0.1, -1e-7];
    let found = eigen(&matrix(6, |i, j| if i == j { values[i] } else { 0.0 })).unwrap();
    same_bits(&found.values, &[1e200, 3.5, 0.1, 1e-200, -1e-7, -2.0]).unwrap();
    let whole = [0.0_f64, 1.0].map(f64::to_bits);
    assert!(found.vectors.concat().iter().all(|x| whole.contains(&x.to_bits())));
    // Powers of two change no digit.
    let (rows, by) = (random(20, 3), libm::scalbn(1.0, 1000));
    let scaled: Vec<Vec<f64>> =
        rows.iter().map(|row| row.iter().map(|x| by * x).collect()).collect();
    let (plain, large) = (eigen(&rows).unwrap(), eigen(&scaled).unwrap());
    let up: Vec<f64> = plain.values.iter().map(|x| by * x).collect();
    assert!(up.iter().zip(&large.values).all(|(a, b)| (a - b).abs() <= 1e-14 * up[0]));
    assert!(eigen(&[]).unwrap().values.is_empty() && eigenvalues(&[]).unwrap().is_empty());
    assert_eq!(
        eigen(&[vec![-3.0]]).unwrap(),
        Eigen { values: vec![-3.0], vectors: vec![vec![1.0]] }
    );
}

/// A block of size 1e-150 next to an entry of size 1: the small block keeps its digits where nothing couples the two.
#[test]
fn small_blocks_keep_their_digits() {
    let small = [[2e-150, 1e-150], [1e-150, 2e-150]];
    let entry = |i: usize, j: usize| match (i, j) {
        (2, 2) => 1.0,
        (2, _) => 0.0,
        _ => small[i][j],
    };
    let found = eigen(&matrix(3, entry)).unwrap();
    assert!((found.values[1] / 3e-150 - 1.0).abs() < 1e-15);
    assert!((found.values[2] / 1e-150 - 1.0).abs() < 1e-15);
}

#[test]
fn the_sign_of_a_vector_is_fixed_by_its_largest_entry_and_by_the_first_of_a_tie() {
    let signed = |mut v: Vec<f64>| {
        fix_sign(&mut v);
        v
    };
    assert_eq!(signed(vec![0.5, -2.0, 1.0]), [-0.5, 2.0, -1.0]);
    assert_eq!(signed(vec![0.5, 2.0, -1.0]), [0.5, 2.0, -1.0]);
    assert_eq!(signed(vec![-1.0, 1.0]), [1.0, -1.0]);
    assert_eq!(signed(vec![-1.0, 1.0 + 1e-7]), [1.0, -1.0 - 1e-7], "a tie");
    assert_eq!(signed(vec![-1.0, 1.0 + 1e-5]), [-1.0, 1.0 + 1e-5], "no tie");
    assert_eq!(signed(vec![0.0, 0.0]), [0.0, 0.0]);
}

#[test]
fn a_matrix_that_is_not_symmetric_is_refused_with_the_entry() {
    let refused = |rows: &[Vec<f64>]| {
        let errors = [eigen(rows).unwrap_err(), jacobi::eigen(rows).unwrap_err()];
        assert!(errors.iter().all(|error| !error.hint().is_empty()));
        let [of_steps, of_judge] = errors.map(|error| error.to_string());
        assert_eq!(of_steps, of_judge);
        assert_eq!(eigenvalues(rows).unwrap_err().to_string(), of_steps);
        of_steps
    };
    assert_eq!(
        refused(&[vec![1.0, 2.0], vec![2.0]]),
        "the matrix is not square: row 1 has 1 entries, and there are 2 rows"
    );
    assert!(refused(&[vec![1.0, 2.0]]).contains("row 0 has 2 entries"));
    for bad in [f64::NAN, f64::INFINITY] {
        let text = refused(&[vec![1.0, 2.0], vec![2.0, bad]]);
        assert_eq!(
            text,
            format!("the matrix is not finite: the entry in row 1, column 1 is {bad}")
        );
    }
    assert_eq!(
        refused(&[vec![1.0, 2.0], vec![2.5, 1.0]]),
        "the matrix is not symmetric: the entry in row 1, column 0 is 2.5, and its mirror image 2"
    );
    // A difference by rounding does not count as asymmetry.
    let near = eigen(&[vec![1.0, 2.0], vec![2.0 + 1e-12, 1.0]]).unwrap();
    assert!((near.most() - 3.0).abs() < 1e-11 && (near.least() + 1.0).abs() < 1e-11);
    let large = vec![vec![f64::MAX; 3]; 3];
    assert_eq!(eigen(&large), Err(SymmetricError::TooLarge));
    assert_eq!(jacobi::eigen(&large), Err(SymmetricError::TooLarge));
}

#[test]
fn steps_that_do_not_end_are_an_error() {
    let not_converged = Steps::of(Reduced::of(2, vec![1.0, 0.0, f64::NAN, 1.0])).diagonal(None);
    assert_eq!(not_converged, Err(SymmetricError::NotConverged { n: 2, steps: 120 }));
}

#[test]
fn a_decomposition_takes_from_its_budget_and_hears_a_stop() {
    use crate::work::{Stopped, until, within};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    let rows: Vec<Vec<f64>> =
        (0..120).map(|i| (0..120).map(|j| libm::cos(f64::from(i * j))).collect()).collect();
    for way in 0..4 {
        let work = || match way {
            0 => eigen(&rows).is_ok(),
            1 => eigenvalues(&rows).is_ok(),
            2 => function(&rows, |x| x).is_ok(),
            _ => jacobi::eigen(&rows).is_ok(),
        };
        let done = (0..30).map(|i| 100_u64 << i).find(|units| within(*units, work).is_ok());
        let units = done.unwrap();
        // A number in every row of every reflection and rotation, sixty-four at a time.
        assert!((10_000..10_000_000).contains(&units), "way {way}: {units} units");
        assert_eq!(within(units, work), Ok(true), "way {way}");
        let stop = Arc::new(AtomicBool::new(true));
        assert_eq!(until(&stop, work), Err(Stopped), "way {way}");
    }
}
