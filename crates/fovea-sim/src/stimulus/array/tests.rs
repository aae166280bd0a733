use super::*;
use crate::sampled::{Sampled, samples};
use fovea_core::Value;

fn array(cols: usize, numbers: &[f64]) -> Array {
    Array::of(Matrix::new(cols, numbers.to_vec()))
}

#[test]
fn drawn_rows_have_the_moments_of_the_array() {
    let numbers = [1.0, -2.0, 0.5, 3.0, 0.0, 0.25, -1.0, 4.0, 2.0, -1.5];
    for (index, cols) in [2, 5].into_iter().enumerate() {
        let sampler = array(cols, &numbers).sampler().unwrap();
        let sampled = Sampled::new(&sampler, module_path!(), index as u64, 400);
        sampled.holds();
        // The estimate from a sample divides by one row less; here the rows are the whole distribution.
        let exact = Draw::moments(&sampler).unwrap().covariance;
        let rows = (numbers.len() / cols) as f64;
        sampled.rejects(|i, j| exact.at(i, j) * rows / (rows - 1.0));
    }
}

#[test]
fn every_row_comes_up_and_nothing_else() {
    let x = samples::<f32>(&Array::default().sampler().unwrap(), module_path!(), 5, 10);
    for row in &x {
        assert!(row.iter().any(|x| *x > 0.5));
    }
    for s in 0..x[0].len() {
        assert_eq!((0..4).filter(|&i| x[i][s] > 0.5).count(), 2);
    }
}

#[test]
fn one_column_is_refused() {
    let error = array(1, &[1.0, 2.0, 3.0]).sampler().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`samples` has 3 rows and 1 columns; a sample has at least 2 entries"
    );
    assert!(array(3, &[1.0, 2.0, 3.0]).sampler().is_ok(), "one row is a distribution");
}

/// An array whose row `i` begins with `i`.
fn numbered(rows: usize, held_out: HeldOut) -> Array {
    let numbers = (0..3 * rows).map(|at| if at % 3 == 0 { (at / 3) as f64 } else { 1.0 });
    Array { samples: Matrix::new(3, numbers.collect()), held_out }
}

fn split(array: &Array, seed: u64) -> Split {
    let split = Draw::split(&array.sampler().unwrap(), &Streams::new(seed)).unwrap();
    split.expect("an array has rows")
}

/// The numbers that rows of [`numbered`] begin with, in increasing order.
fn first_of<'a>(rows: impl Iterator<Item = &'a [f64]>) -> Vec<usize> {
    let mut firsts: Vec<usize> = rows.map(|row| row[0] as usize).collect();
    firsts.sort_unstable();
    firsts
}

#[test]
fn every_row_is_either_trained_on_or_held_out() {
    for (rows, held_out, count) in [
        (49, HeldOut::Auto, 0),
        (50, HeldOut::Auto, 10),
        (203, HeldOut::Auto, 41),
        (10, HeldOut::Share(0.25), 3),
        (2, HeldOut::Share(1e-9), 1),
        (400, HeldOut::Share(0.0), 0),
    ] {
        let Split { training, rows: parts } = split(&numbered(rows, held_out), 5);
        let parts = parts.unwrap();
        assert_eq!(parts.held_out.count(), count);
        let both = first_of(parts.training.rows().chain(parts.held_out.rows()));
        assert!(both.into_iter().eq(0..rows), "each once");
        let drawn = samples::<f64>(training.as_ref(), module_path!(), 7, 200);
        let trained = first_of(parts.training.rows());
        assert!(drawn[0].iter().all(|x| trained.binary_search(&(*x as usize)).is_ok()));
        let note = &training.notes()[0];
        assert!(note.starts_with(&if count == 0 {
            format!("all {rows} rows are trained on")
        } else {
            format!("{count} rows are held out, {} are trained on", rows - count)
        }));
    }
}

#[test]
fn the_seed_decides_which_and_every_array_of_so_many_rows_is_split_alike() {
    let held_out = |array: &Array, seed| first_of(split(array, seed).rows.unwrap().held_out.rows());
    let array = numbered(100, HeldOut::Auto);
    assert_eq!(held_out(&array, 5), held_out(&array, 5));
    assert_ne!(held_out(&array, 5), held_out(&array, 6));
    let fewer = held_out(&numbered(100, HeldOut::Share(0.1)), 5);
    assert!(fewer.iter().all(|row| held_out(&array, 5).contains(row)));
}

#[test]
fn rows_of_their_own_are_held_out_and_those_that_are_trained_on_as_well_are_counted() {
    let others = Matrix::new(3, vec![-1.0, 1.0, 1.0, -2.0, 1.0, 1.0, 2.0, 1.0, 1.0]);
    let Split { training, rows } = split(&numbered(4, HeldOut::Rows(others)), 5);
    let rows = rows.unwrap();
    assert_eq!((rows.training.count(), rows.held_out.count()), (4, 3));
    let notes = [
        "3 rows are held out, 4 are trained on",
        "1 of the rows held out is also among those trained on",
    ];
    assert_eq!(training.notes(), notes);
}

/// An old record sampled with replacement from all rows.
#[test]
fn without_rows_held_out_the_draws_and_moments_are_those_of_all_rows() {
    let array = numbered(60, HeldOut::Share(0.0));
    let (before, after) = (array.sampler().unwrap(), split(&array, 9).training);
    let drawn = |stimulus: &dyn Stimulus| samples::<f32>(stimulus, module_path!(), 8, 20);
    assert_eq!(drawn(&before), drawn(after.as_ref()));
    let means = [Draw::moments(&before), after.moments()].map(|moments| moments.unwrap().mean);
    assert_eq!(means[0], means[1]);
}

#[test]
fn the_moments_of_a_run_are_those_of_the_rows_it_trains_on() {
    let array = numbered(60, HeldOut::Auto);
    let Split { training, rows } = split(&array, 9);
    let rows = rows.unwrap();
    let mean = rows.training.rows().map(|row| row[0]).sum::<f64>() / rows.training.count() as f64;
    assert!((training.moments().unwrap().mean[0] - mean).abs() < 1e-12);
    let all = Draw::moments(&array.sampler().unwrap()).unwrap().mean[0];
    assert!((all - 29.5).abs() < 1e-12 && (all - mean).abs() > 0.1, "a control");
}

#[test]
fn what_leaves_nothing_to_train_on_or_does_not_fit_is_refused() {
    let told = |array: Array| array.sampler().unwrap_err().to_string();
    let one = numbered(1, HeldOut::Share(0.2));
    assert_eq!(
        told(one),
        "`held_out` keeps 1 of 1 rows from training, which leaves none to train on"
    );
    let other = numbered(5, HeldOut::Rows(Matrix::new(2, vec![1.0; 4])));
    assert_eq!(told(other), "`held_out` has 2 columns and `samples` 3: every row is one sample");
    for (typed, told) in [
        ("1", "`held_out` is 1; it must be in [0, 1)"),
        ("-0.1", "`held_out` is -0.1; it must be in [0, 1)"),
        ("some", "`held_out` is some, which is a word; it must be auto, a share, or rows"),
    ] {
        let given = vec![("held_out".to_owned(), Value::from_typed(typed))];
        let error = (ENTRY.build)(&given).err().unwrap().to_string();
        assert!(error.starts_with(told), "{error}");
    }
}
