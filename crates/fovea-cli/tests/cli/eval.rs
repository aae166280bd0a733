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
