//! Closed forms from the shell.

use super::Scratch;

/// Evaluates a form and reads the one number it prints.
#[track_caller]
fn number(form: &str, settings: &[&str]) -> f64 {
    let sets = settings.iter().flat_map(|set| ["--set", set]);
    let args: Vec<&str> = ["eval", form].into_iter().chain(sets).collect();
    Scratch::new().fovea(&args).fine().trim_end().parse().unwrap()
}

#[test]
fn a_number_is_printed_with_all_its_digits_and_nothing_else() {
    // science/oracle: the excess kurtosis at gain 3, and of a sign.
    assert!((number("nlgp.excess_kurtosis", &["gain=3"]) - -1.834_010_880_639_09).abs() < 1e-13);
    let told = Scratch::new().fovea(&["eval", "nlgp.excess_kurtosis", "--set", "gain=inf"]).fine();
    assert_eq!(told, "-2\n");
}

#[test]
fn vectors_go_in_and_out() {
    let scratch = Scratch::new();
    let args = ["eval", "relu.f_gauss", "--set", "n=3", "--set", "xi=1", "--set", "kernel=wrapped"];
    let eval = |w: &str| scratch.fovea(&[&args[..], &["--set", w]].concat()).fine();
    let printed = eval("w=1,0,0");
    let entries = printed.trim_end().strip_prefix('[').unwrap().strip_suffix(']').unwrap();
    let entries: Vec<f64> = entries.split(", ").map(|entry| entry.parse().unwrap()).collect();
    // f(e_0) = C e_0 / sqrt(2 pi C_00), and C_00 = 1.
    assert!((entries[0] - 0.398_942_280_401_432_7).abs() < 1e-15, "{printed}");
    assert!(entries.len() == 3 && (entries[1] - entries[2]).abs() < 1e-15, "{printed}");
    assert_eq!(eval("w=[1, 0, 0]"), printed);
}

#[test]
fn a_vector_of_the_wrong_length_says_which_would_fit() {
    Scratch::new().refuses(
        &["eval", "relu.f_gauss", "--set", "w=1,2"],
        "`w` has 2 entries on a ring of n = 12 sites",
        "give `w` 12 numbers, or write `n=2`",
    );
}

#[test]
fn settings_of_a_form_are_checked_like_those_of_a_run() {
    let scratch = Scratch::new();
    let args = |set| ["eval", "nlgp.excess_kurtosis", "--set", set];
    scratch.refuses(&args("gian=3"), "there is no parameter `gian`", "did you mean `gain`?");
    let message = "`gain` is 0; it must be > 0";
    scratch.refuses(&args("gain=0"), message, "choose a value of `gain` that is > 0");
    scratch.refuses(&args("gain"), "--set gain has no `=`", "write --set gain=VALUE");
}

#[test]
fn every_form_has_a_value_at_its_defaults_and_none_is_nan() {
    let scratch = Scratch::new();
    for item in scratch.fovea(&["list", "form", "--json"]).json() {
        let form = item["name"].as_str().unwrap();
        let plain = scratch.fovea(&["eval", form]).fine();
        assert!(!plain.contains("NaN") && !plain.trim().is_empty(), "{form}: {plain}");
        let told = scratch.fovea(&["eval", form, "--json"]);
        assert!(!told.json()[0]["value"].is_null() && !told.out.contains("NaN"), "{form}");
    }
}

#[test]
fn an_option_that_eval_does_not_have_is_no_setting_of_a_form_without_it() {
    let scratch = Scratch::new();
    let args = |flag| ["eval", "nlgp.excess_kurtosis", flag, "1"];
    scratch.refuses(
        &args("--threads"),
        "unexpected argument `--threads` found",
        "leave it out; what nlgp.excess_kurtosis takes is written --set KEY=VALUE: gain",
    );
    scratch.refuses(
        &args("--gain"),
        "unexpected argument `--gain` found",
        "write --set gain=VALUE",
    );
}

#[test]
fn rows_are_read_from_a_file_and_a_number_that_is_none_is_named_with_its_place() {
    let scratch = Scratch::new();
    let npy = |numbers: [f64; 4]| {
        let mut header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }".to_owned();
        while !(10 + header.len() + 1).is_multiple_of(64) {
            header.push(' ');
        }
        header.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        bytes
    };
    std::fs::write(scratch.path("good.npy"), npy([2.0, 0.5, 0.5, 2.0])).unwrap();
    std::fs::write(scratch.path("bad.npy"), npy([2.0, f64::NAN, 0.5, 2.0])).unwrap();
    let args = |set| ["eval", "ntk.linearised", "--set", set];
    let default = scratch.fovea(&["eval", "ntk.linearised"]).fine();
    assert_eq!(scratch.fovea(&args("kernel=good.npy")).fine(), default);
    scratch.refuses(
        &args("kernel=bad.npy"),
        "`kernel` has NaN in row 0, column 1 (counted from 0); every entry must be any finite number",
        "correct or leave out row 0",
    );
}

#[test]
fn what_may_stand_in_an_expression_is_shown_where_one_is_taken() {
    let scratch = Scratch::new();
    let told = scratch.fovea(&["show", "criticality.chi"]).fine().replace("\n  ", " ");
    assert!(told.contains("expressions") && told.contains("erf_raw, "), "{told}");
    assert!(
        told.contains("erf(x) is the activation erf, the error function of x/sqrt(2)"),
        "{told}"
    );
    assert!(!scratch.fovea(&["show", "nlgp.cov"]).fine().contains("expressions"));
    scratch.refuses(
        &["eval", "criticality.chi", "--set", "activation=erf-raw(x)"],
        "`activation` is erf-raw(x), which cannot be read from character 1 on, `erf-raw(x)`: `erf-raw` reads as a difference",
        "write `erf_raw`",
    );
}

#[test]
fn a_form_says_what_is_missing_and_not_that_a_step_overflows() {
    let scratch = Scratch::new();
    scratch.refuses(
        &["eval", "elliptical.scale_mixture", "--set", "variances=0,0"],
        "the value is not a number if every entry of `variances` is 0",
        "give `variances` an entry that is not 0",
    );
    scratch.refuses(
        &["eval", "scaled.excess_kurtosis", "--set", "base=inf"],
        "`base` is inf; it must be >= -2, finite",
        "choose a value of `base` that is >= -2, finite",
    );
    let told =
        scratch.fovea(&["eval", "nlgp.norm_variance", "--set", "n=8", "--set", "xi=1e300"]).err;
    assert!(
        told.starts_with("error: exp(-d^2/xi^2) with n = 8, xi = 1e300 is not a covariance"),
        "{told}"
    );
}
