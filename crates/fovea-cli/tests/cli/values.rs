//! Values that cannot be used: each is refused with its name, the value and what would be right.

use super::{SEEDLESS, Scratch, TINY};

#[test]
fn a_value_of_the_wrong_kind_is_refused() {
    let scratch = Scratch::new();
    let whole = "give `n` a whole number";
    let must = "it must be a whole number";
    scratch.refuses_setting("n=abc", &format!("`n` is abc, which is a word; {must}"), whole);
    scratch.refuses_setting("n=2.5", &format!("`n` is 2.5, which is a real number; {must}"), whole);
    scratch.refuses_setting("n=[8, 9]", &format!("`n` is [8, 9], which is a list; {must}"), whole);
    scratch.refuses_setting(
        "labels=foo",
        "`labels` is foo, which is a word; it must be one of iid, balanced",
        "choose one of iid, balanced",
    );
    scratch.refuses_setting(
        "labels=balansed",
        "`labels` is balansed, which is a word; it must be one of iid, balanced",
        "write `labels=balanced`",
    );
}

/// Refuses each `(value typed, value shown)` of a setting as out of `range`.
#[track_caller]
fn out_of_range(key: &str, range: &str, values: &[(&str, &str)]) {
    let scratch = Scratch::new();
    for (typed, shown) in values {
        let message = format!("`{key}` is {shown}; it must be {range}");
        let hint = format!("choose a value of `{key}` that is {range}");
        scratch.refuses_setting(&format!("{key}={typed}"), &message, &hint);
        // Its own flag says the same.
        let flag = format!("--{}", key.replace('_', "-"));
        scratch.refuses(&["run", "localize", "--out", "o", &flag, typed], &message, &hint);
    }
}

#[test]
fn a_ring_of_fewer_than_two_or_more_than_4096_sites_is_refused() {
    let values = [("1", "1"), ("0", "0"), ("-3", "-3"), ("4097", "4097"), ("1e9", "1000000000")];
    out_of_range("n", "in [2, 4096]", &values);
    let message = "`n` is 4097; it must be in [2, 4096]";
    let hint = "choose a value of `n` that is in [2, 4096]";
    let scratch = Scratch::new();
    scratch.refuses(&["run", "gaussian-flow", "--out", "o", "--n", "4097"], message, hint);
}

#[test]
fn half_of_an_odd_batch_is_refused() {
    let scratch = Scratch::new();
    let message = "`batch` is 33 and `labels` is balanced: the shares 0.5, 0.5 of it are 16.5, 16.5, which are not whole numbers";
    let hint = "choose a batch of 32 or 34, or labels=iid";
    for name in ["localize", "gaussian-flow"] {
        let odd = ["run", name, "--out", "o", "--batch=33", "--labels=balanced"];
        scratch.refuses(&odd, message, hint);
    }
    // Training asks the same of its classes.
    let odd = ["--set", "labels=balanced", "--set", "dynamics.batch=33"];
    let tiny = scratch.path("odd.toml");
    std::fs::write(&tiny, "").unwrap();
    scratch.refuses(&[&["train", "odd.toml", "--out", "o"], &odd[..]].concat(), message, hint);
    // An even batch has a half, and labels that are sampled one by one need none.
    let even = [&["run", "localize", "--out", "p", "--labels=balanced"], &TINY[..]].concat();
    scratch.fovea(&even).fine();
    scratch.tiny("q", &["--set", "batch=33"]).fine();
}

#[test]
fn a_gain_that_is_named_twice_is_refused() {
    let scratch = Scratch::new();
    for pair in ["gain=3,3", "gain=3,inf,3.0"] {
        scratch.refuses_setting(pair, "`gain` names 3 twice", "give each gain once");
    }
}

#[test]
fn a_correlation_length_that_is_no_length_is_refused() {
    let values = [("0", "0"), ("-1.5", "-1.5"), ("nan", "NaN"), ("inf", "inf")];
    out_of_range("xi_pos", "> 0, finite", &values);
    out_of_range("xi_neg", "> 0, finite", &values);
}

#[test]
fn a_gain_that_is_not_positive_is_refused() {
    let values = [("0", "0"), ("-1", "-1"), ("nan", "NaN"), ("3,-1", "[3, -1]")];
    out_of_range("gain", "> 0", &values);
}

#[test]
fn a_learning_rate_that_is_not_positive_and_finite_is_refused() {
    let values = [("-0.1", "-0.1"), ("0", "0"), ("nan", "NaN"), ("inf", "inf"), ("1e999", "inf")];
    out_of_range("lr", "> 0, finite", &values);
}

#[test]
fn counts_of_nothing_are_refused() {
    out_of_range("batch", "in [1, 100000000]", &[("0", "0"), ("-5", "-5")]);
    out_of_range("steps", "in [1, 1000000000]", &[("0", "0")]);
    out_of_range("record_every", "in [1, 1000000000]", &[("0", "0"), ("1e12", "1000000000000")]);
}

#[test]
fn an_empty_list_or_no_value_is_refused() {
    let scratch = Scratch::new();
    let told = scratch.tiny("o", &["--set", "gain=[]"]);
    assert!(told.err.starts_with("error: `gain` is an empty list; "), "{}", told.err);
    assert_eq!((told.code, scratch.tree()), (Some(2), Vec::new()));
    scratch.refuses_setting("gain=", "`gain` has no value", "write --set gain=VALUE");
    let flag = ["run", "localize", "--gain", ""];
    scratch.refuses(&flag, "`gain` has no value", "write --gain VALUE");
}

#[test]
fn more_records_than_memory_holds_are_refused() {
    let scratch = Scratch::new();
    let args = ["run", "localize", "--out", "o", "--gain", "3", "--steps", "1e9"];
    let told = scratch.fovea(&[&args[..], &["--record-every", "1", "--replicas", "0"]].concat());
    let said = "error: recording every 1 of 1000000000 steps, 8.0e10 numbers in all, would take 1280.0 GB, and ";
    assert!(told.err.starts_with(said), "{}", told.err);
    // What is free, and what decides it, depends on the machine.
    assert!(told.err.contains(" are free: "), "{}", told.err);
    assert!(told.err.contains("\n\nhint: choose `record_every` >= "), "{}", told.err);
    assert_eq!((told.code, told.out.as_str(), scratch.tree()), (Some(2), "", Vec::new()));
}

#[test]
fn a_length_beyond_the_rings_limit_names_the_limit_and_the_wrapped_kernel() {
    for (typed, shown) in [("5.5", "5.5"), ("1e9", "1000000000")] {
        for key in ["xi_pos", "xi_neg"] {
            let scratch = Scratch::new();
            let set = format!("{key}={typed}");
            let ring = ["run", "localize", "--out", "o", "--n=40", "--set", &set];
            let told = scratch.fovea(&ring);
            let (message, hint) = told.err.split_once("\n\nhint: ").unwrap();
            assert!(message.contains(&format!("`{key}` is {shown}")), "{message}");
            assert!(message.contains("3.644"), "{message}");
            assert!(hint.contains("`kernel=wrapped`"), "{hint}");
            assert_eq!((told.code, scratch.tree()), (Some(2), Vec::new()));

            let told = scratch.tiny("o", &["--set", "n=40", "--set", &set, "--kernel=wrapped"]);
            assert_eq!(told.code, Some(0), "{told:?}");
        }
    }
}

#[test]
fn a_length_that_is_clipped_says_so() {
    let told = Scratch::new().tiny("o", &["--set", "n=40", "--set", "xi_pos=5"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    let note = "class pos: 9 slightly negative eigenvalues of the covariance";
    assert!(told.out.starts_with(note), "{}", told.out);
}

#[test]
fn a_set_without_its_parts_says_how_one_is_written() {
    let scratch = Scratch::new();
    scratch.refuses_setting("gain", "--set gain has no `=`", "write --set gain=VALUE");
    scratch.refuses_setting("=3", "--set =3 names no parameter", "write --set KEY=VALUE");
    scratch.refuses_setting("", "--set is empty", "write --set KEY=VALUE");
}

#[test]
fn a_seed_or_a_thread_count_that_is_none_is_refused() {
    let scratch = Scratch::new();
    let flag = |flag, value| [&["run", "localize", "--out", "o", flag, value], SEEDLESS].concat();
    for seed in ["-1", "abc", "1.5", "18446744073709551616"] {
        scratch.refuses(
            &flag("--seed", seed),
            &format!("`seed` is {seed}; it must be a whole number from 0 to 18446744073709551615"),
            "choose a seed such as 0 or 7",
        );
    }
    for threads in ["0", "-2", "two", "4097"] {
        scratch.refuses(
            &flag("--threads", threads),
            &format!("`threads` is {threads}; it must be a whole number from 1 to 4096"),
            "write --threads 2, for example, or leave it out to use every core",
        );
    }
}
