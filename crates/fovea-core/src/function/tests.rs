//! Typed functions: read right, refused at the right character, differentiated exactly.

use super::*;
use crate::agree::within;
use crate::params::any;

#[test]
fn an_expression_has_the_value_that_its_text_means() {
    let cases: [(&str, f64, f64); 14] = [
        ("x*tanh(x)", 0.7, 0.7 * libm::tanh(0.7)),
        ("-x^2", 3.0, -9.0),
        ("(-x)^2", 3.0, 9.0),
        ("2^x^2", 2.0, 16.0),
        ("x^-1*2", 4.0, 0.5),
        ("1 - 2 - x", 3.0, -4.0),
        ("8/2/x", 2.0, 2.0),
        ("1e-3*x + .5 + 2.", 1.0, 2.501),
        ("2*x--3", 1.0, 5.0),
        ("relu(x - 1) - 0.1*relu(1 - x)", 3.0, 2.0),
        ("leaky_relu(x)", -2.0, -0.02),
        ("erf_raw(x)", 0.3, crate::special::erf(0.3)),
        ("log(1 + exp(x))", 0.4, libm::log(1.0 + libm::exp(0.4))),
        ("cos(pi*x)", 1.0, -1.0),
    ];
    for (text, x, value) in cases {
        // Two of them have a pole inside [-8, 8] and are refused for it; the tree itself is right.
        let root = parse::parse(text).unwrap();
        within(root.value(x), value, 1e-15, 0.0).unwrap();
        within(root.jet(x).value, value, 1e-15, 0.0).unwrap();
    }
}

#[test]
fn a_complaint_points_at_the_offending_character() {
    let cases = [
        ("x*tnah(x)", Some(2), "there is no function `tnah`", "did you mean `tanh`?"),
        ("x*tanh(x", Some(6), "never closed", "add `)`"),
        ("x*tanh(x))", Some(9), "never opened", "leave it out"),
        ("x + ", Some(4), "ends too early", "should follow"),
        ("x + * 2", Some(4), "`*` cannot stand here", "should"),
        ("2x", Some(1), "operator", "2*x"),
        ("tanh x", Some(5), "argument of `tanh`", "tanh(x)"),
        ("tanh()", Some(5), "`)` cannot stand here", "should"),
        ("x ; 1", Some(2), "operator", "+ - * /"),
        ("1.2.3*x", Some(3), "operator", "+"),
        ("x*1e999", Some(2), "not a number", "1e-3"),
        ("y", Some(0), "no function `y`", "there are x, pi"),
        ("3", None, "does not contain `x`", "x*tanh(x)"),
        ("1/x", None, "value at x = 0 is not finite", "on the whole line"),
        ("log(x)", None, "value at x = 0 is not finite", "on the whole line"),
        ("sqrt(abs(x))", None, "slope at x = 0 is not finite", "on the whole line"),
        ("sqrt(x + 4)", None, "slope at x = -4 is not finite", "on the whole line"),
        ("", Some(0), "ends too early", "should follow"),
    ];
    for (text, at, what, hint) in cases {
        let trouble = Function::parse(text).unwrap_err();
        assert_eq!(trouble.at, at, "{text}: {trouble:?}");
        assert!(trouble.what.contains(what), "{text}: {trouble:?}");
        assert!(trouble.hint.contains(hint), "{text}: {trouble:?}");
    }
}

#[test]
fn no_expression_is_too_long_for_the_stack() {
    for text in [
        "(".repeat(100_000),
        "-".repeat(100_000),
        "x+".repeat(100_000),
        "tanh(".repeat(100_000),
        "x^".repeat(100_000),
    ] {
        assert!(Function::parse(&text).unwrap_err().what.contains("more than 200 parts"));
    }
}

#[test]
fn derivatives_are_those_of_difference_quotients() {
    let step = 1e-5;
    for text in [
        "x*tanh(x)",
        "x/(1+exp(-x))",
        "sin(x)^2*exp(-x^2/9)",
        "(1+x^2)^0.25",
        "(2+cos(x))^x",
        "log(2+sin(3*x))",
        "sqrt(1+x^2)-1/(2+x^4)",
        "softplus(2*x)-gelu(x)*sigmoid(x)",
        "x^3-3*x^2+x",
    ] {
        let f = Function::parse(text).unwrap();
        for i in -20..=20 {
            let x = f64::from(i) / 7.0 + 1e-3;
            let slope = (f.value(x + step) - f.value(x - step)) / (2.0 * step);
            let curve = (f.slope(x + step) - f.slope(x - step)) / (2.0 * step);
            within(slope, f.slope(x), 1e-8, 1e-8).unwrap();
            within(curve, f.curve(x), 1e-8, 1e-8).unwrap();
        }
    }
}

#[test]
fn an_activation_typed_as_a_formula_is_the_registered_one() {
    for (name, text) in [
        ("silu", "x*sigmoid(x)"),
        ("silu", "x/(1+exp(-x))"),
        ("gelu", "x*(1+erf(x))/2"),
        ("leaky-relu", "relu(x)-0.01*relu(-x)"),
        ("tanh", "2*sigmoid(2*x)-1"),
        ("erf", "erf_raw(x/sqrt(2))"),
    ] {
        let (named, typed) = (Function::parse(name).unwrap(), Function::parse(text).unwrap());
        assert!(named.entry().is_some() && typed.entry().is_none());
        for i in -30..=30 {
            let x = f64::from(i) / 8.0 + 1e-3;
            within(typed.value(x), named.value(x), 1e-13, 1e-14).unwrap();
            within(typed.slope(x), named.slope(x), 1e-13, 1e-14).unwrap();
            within(typed.curve(x), named.curve(x), 1e-12, 1e-14).unwrap();
            assert_eq!(typed.both(x), (typed.value(x), typed.slope(x)));
        }
    }
}

#[test]
fn kinks_are_found_where_the_argument_passes_them() {
    let kinks = |text: &str| Function::parse(text).unwrap().kinks().to_vec();
    assert_eq!(kinks("relu(x)"), [0.0]);
    assert_eq!(kinks("abs(x)+relu(x-1)"), [0.0, 1.0]);
    assert_eq!(kinks("x*tanh(x)"), Vec::<f64>::new());
    let two = kinks("abs(x^2-2)");
    assert!((two[0] + 2.0_f64.sqrt()).abs() < 1e-15 && (two[1] - 2.0_f64.sqrt()).abs() < 1e-15);
    assert_eq!(kinks("relu(300-x)"), [300.0]);
}

#[test]
fn a_parameter_takes_a_name_or_an_expression_and_says_where_it_fails() {
    let read = |typed: &str| Function::checked("activation", &Value::from_typed(typed), any());
    assert_eq!(read("leaky_relu").unwrap().name(), "leaky-relu");
    assert_eq!(read("tanh(x)").unwrap().name(), "tanh(x)");
    let error = read("x*tnah(x)").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`activation` is x*tnah(x), which cannot be read from character 3 on, `tnah(x)`: there is no function `tnah`"
    );
    assert_eq!(error.hint(), "did you mean `tanh`?");
    // A hyphenated name, as lists show it, does not work in an expression, where a hyphen is a minus.
    let hyphen = read("2*erf-raw(x)").unwrap_err();
    assert!(hyphen.to_string().ends_with("`erf-raw` reads as a difference"), "{hyphen}");
    assert_eq!(hyphen.hint(), "write `erf_raw`");
    assert!(read("erf-raw(x)").unwrap_err().hint().contains("erf_raw"));
    assert!(
        read("erf(x)-erf_raw(x)").is_ok() && read("erf-1").unwrap_err().hint().contains("erf(x)")
    );
    assert!(read("relo").unwrap_err().hint().contains("relu"));
    assert!(read("tanh()").unwrap_err().to_string().contains("from character 6 on, `)`"));
    assert!(read("3").unwrap_err().to_string().contains("does not contain `x`"));
    assert!(read("[1,2]").unwrap_err().to_string().contains("or an expression in x"));
    let end = read("x+").unwrap_err().to_string();
    assert!(end.contains("cannot be read at its end: the expression ends too early"), "{end}");
    let whole = read("1/x").unwrap_err().to_string();
    assert_eq!(whole, "`activation` is 1/x: its value at x = 0 is not finite");
}
