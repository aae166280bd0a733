use super::*;
use crate::{form, forms};

/// Every number in a value, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::List(items) => items.iter().flat_map(numbers).collect(),
        Value::Table(rows) => rows.iter().flat_map(|(_, value)| numbers(value)).collect(),
        Value::Bool(b) => vec![f64::from(u8::from(*b))],
        one => one.as_real().into_iter().collect(),
    }
}

#[test]
fn many_sets_of_arguments_have_the_values_of_each() {
    let cov = form("nlgp.cov").unwrap();
    let (rhos, gains) = ([-0.5, 0.25, 1.0], [0.1, 3.0, f64::INFINITY]);
    let columns: [(usize, &[f64]); 2] = [(0, &rhos), (1, &gains)];
    let (mut values, mut numbers) = (Vec::new(), [0.0; 3]);
    let taken = cov.each(&Vec::new(), &columns, &mut |value| values.push(value));
    assert_eq!(taken, (3, Ok(())));
    assert_eq!(cov.fill(&Vec::new(), &columns, &mut numbers), (3, Ok(())));
    for (i, value) in values.iter().enumerate() {
        let given = vec![("rho".to_owned(), rhos[i].into()), ("gain".to_owned(), gains[i].into())];
        assert_eq!(cov.at(&given).unwrap(), *value);
        assert_eq!(*value, Value::Real(numbers[i]));
    }
    // The first set without a value ends it, and says what is wrong as one set does.
    let said = cov.fill(&Vec::new(), &[(0, &[0.5, 2.0, 0.5])], &mut numbers);
    assert_eq!(said, (1, Err(cov.at(&vec![("rho".to_owned(), 2.0.into())]).unwrap_err())));
    // A value that is no number has no place among numbers.
    let marginal = form("nlgp.marginal").unwrap();
    assert_eq!(marginal.fill(&Vec::new(), &[(0, &[0.5])], &mut numbers), (0, Ok(())));
}

#[test]
fn every_form_has_a_value_without_arguments() {
    for form in forms() {
        let value = form.at(&Vec::new()).unwrap();
        let numbers = numbers(&value);
        assert!(!numbers.is_empty() && numbers.iter().all(|x| x.is_finite()), "{}", form.name);
    }
}

#[test]
fn every_control_differs_from_its_form() {
    for form in forms() {
        let right = numbers(&form.at(&Vec::new()).unwrap());
        let wrong = numbers(&form.control.at(&Vec::new()).unwrap());
        assert_eq!(right.len(), wrong.len(), "{}", form.name);
        let gap = |(r, w): (&f64, &f64)| (r - w).abs() / r.abs().max(1e-12);
        let largest = right.iter().zip(&wrong).map(gap).fold(0.0, f64::max);
        assert!(largest > 1e-3, "{}: the control is within {largest:e}", form.name);
    }
}

#[test]
fn a_bad_argument_is_an_error_that_says_what_to_do() {
    let value = |name: &str, key: &str, typed: &str| {
        let given = vec![(key.to_owned(), Value::from_typed(typed))];
        form(name).unwrap().at(&given).unwrap_err()
    };
    assert_eq!(value("nlgp.cov", "gian", "3").hint(), "did you mean `gain`?");
    assert!(value("relu.f_gauss", "xi", "7").hint().contains("kernel=wrapped"));
    assert!(value("relu.f_gauss", "n", "5").hint().contains("`n=12`"));
    assert!(value("relu.steady", "k", "21").hint().contains("k <= 20"));
    assert!(value("ising.fourth", "sites", "0,1,2").hint().contains("four sites"));
    assert!(value("ising.fourth", "sites", "0,1,2,40").hint().contains("0 to 39"));
    assert!(value("ising.fourth", "sites", "0,1,2,0.5").hint().contains("whole numbers"));
    let huge = vec![
        ("n".to_owned(), Value::Int(2)),
        ("xi_pos".to_owned(), Value::Real(0.5)),
        ("w".to_owned(), Value::List(vec![Value::reals(&[1e200, 0.0])])),
    ];
    assert_eq!(form("relu.loss").unwrap().at(&huge), Err(FormError::Undefined));
}
