use super::*;
use crate::registry::resolve;

choice! {
    /// How labels are drawn.
    enum Labels {
        /// Each sample on its own.
        Iid = "iid",
        /// Exactly half of each.
        Balanced = "balanced",
    }
}

params! {
    /// An example.
    struct Example {
        /// Ring size.
        n: usize = 40, at_least(2.0), "sites";
        /// Gain.
        gain: Vec<f64> = vec![0.01, 3.0], above(0.0), "";
        /// Labels.
        labels: Labels = Labels::Iid, any(), "";
    }
}

impl Params for Example {}

params! {
    /// An example that includes another.
    struct Wider {
        ..inner: Example;
        /// Width.
        width: usize = 1, at_least(1.0), "units";
    }
}

impl Params for Wider {}

#[test]
fn a_group_brings_its_parameters_along() {
    let names: Vec<_> = Wider::schema().iter().map(|field| field.name).collect();
    assert_eq!(names, ["n", "gain", "labels", "width"]);
    let set = |key: &str, typed: &str| {
        resolve::<Wider>(&vec![(key.to_owned(), Value::from_typed(typed))])
    };
    assert_eq!(set("n", "12").unwrap().inner.n, 12);
    assert_eq!(set("width", "4").unwrap().width, 4);
    assert_eq!(set("n", "1").unwrap_err().to_string(), "`n` is 1; it must be >= 2");
    assert_eq!(set("widht", "1").unwrap_err().hint(), "did you mean `width`?");
    assert_eq!(Wider::default().values().len(), 4);
}

params! {
    /// An example that includes another with a default and a range of its own.
    struct Narrower {
        ..inner: Example { n = 10, between(8.0, 64.0); labels = Labels::Balanced };
        /// Width.
        width: usize = 1, at_least(1.0), "units";
    }
}

impl Params for Narrower {}

#[test]
fn a_group_may_have_other_defaults_and_ranges() {
    let schema = Narrower::schema();
    assert_eq!((&schema[0].default, schema[0].range), (&Value::Int(10), between(8.0, 64.0)));
    assert_eq!((&schema[1].default, schema[1].range), (&Value::reals(&[0.01, 3.0]), above(0.0)));
    assert_eq!(Narrower::default().inner.labels, Labels::Balanced);
    let refused = "`n` is 4; it must be in [8, 64]";
    let mut narrower = Narrower::default();
    assert_eq!(narrower.assign("n", &Value::Int(4)).unwrap_err().to_string(), refused);
    assert_eq!(narrower.put(0, 4.0).unwrap_err().to_string(), refused);
    narrower.put(0, 12.0).unwrap();
    narrower.put(3, 2.0).unwrap();
    assert_eq!((narrower.inner.n, narrower.width), (12, 2));
}

fn set(key: &str, typed: &str) -> Result<Example, ParamError> {
    resolve(&vec![(key.to_owned(), Value::from_typed(typed))])
}

#[test]
fn one_declaration_gives_defaults_schema_and_assignment() {
    let schema = Example::schema();
    assert_eq!(schema.len(), 3);
    assert_eq!((schema[0].name, schema[0].doc, schema[0].unit), ("n", "Ring size.", "sites"));
    assert_eq!(schema[1].default, Value::reals(&[0.01, 3.0]));
    assert_eq!(set("n", "12").unwrap().n, 12);
    assert_eq!(set("gain", "3").unwrap().gain.len(), 1);
    assert_eq!(set("labels", "balanced").unwrap().labels, Labels::Balanced);
}

#[test]
fn every_bad_value_says_what_would_be_right() {
    let cases = [
        ("gian", "3", "there is no parameter `gian`", "did you mean `gain`?"),
        ("n", "1", "`n` is 1; it must be >= 2", "choose a value of `n` that is >= 2"),
        ("n", "-3", "`n` is -3; it must be >= 2", "choose a value of `n` that is >= 2"),
        (
            "n",
            "2.5",
            "`n` is 2.5, which is a real number; it must be a whole number",
            "give `n` a whole number",
        ),
        ("gain", "nan", "`gain` is NaN; it must be > 0", "choose a value of `gain` that is > 0"),
        (
            "gain",
            "[]",
            "`gain` is an empty list; it needs at least one number",
            "write `gain=NUMBER`, or a list with commas",
        ),
        (
            "labels",
            "balansed",
            "`labels` is balansed, which is a word; it must be one of iid, balanced",
            "write `labels=balanced`",
        ),
    ];
    for (key, typed, message, hint) in cases {
        let error = set(key, typed).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.hint().as_str()), (message, hint));
    }
}

#[test]
fn a_number_is_put_by_its_place_as_it_is_assigned_by_name() {
    let mut example = Example::default();
    example.put(0, 12.0).unwrap();
    assert_eq!(example.n, 12);
    let by_name = Example::default().assign("n", &Value::Real(1.0)).unwrap_err();
    assert_eq!(example.put(0, 1.0).unwrap_err(), by_name);
    assert!(example.put(2, 1.0).is_err() && example.put(3, 1.0).is_err());
    assert_eq!(example.n, 12);
}
