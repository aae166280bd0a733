//! Arrays from files that cannot be used: each is refused with its setting and its file, and nothing is written.

use super::Scratch;
use super::resume::with_file;
use fovea_core::Kind;
use fovea_lab::Array;
use fovea_lab::record::npy_bytes;

/// Every parameter that takes an array, with what must be set for it to count.
fn array_parameters() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for item in fovea_lab::catalogue() {
        let place = match item.kind {
            "stimulus" => "class.pos.stimulus",
            "initializer" => "network.init",
            _ => continue,
        };
        for field in item.schema.iter().filter(|field| field.kind == Kind::Array) {
            found.push((format!("{place}={}", item.name), format!("{place}.{}", field.name)));
        }
    }
    found
}

fn array(shape: &[usize], data: &[f64]) -> Vec<u8> {
    npy_bytes(&Array { name: "x".into(), shape: shape.to_vec(), data: data.to_vec() })
}

/// Message and hint of what is refused without a trace.
#[track_caller]
fn refused(scratch: &Scratch, sets: &[&str]) -> (String, String) {
    let before = scratch.tree();
    let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    let told = scratch.fovea(&[&["train", "t.toml"], &sets[..]].concat());
    assert_eq!((told.code, told.out.as_str()), (Some(2), ""), "{told:?}");
    assert_eq!(scratch.tree(), before, "something was written");
    let (message, hint) = told.err.split_once("\n\nhint: ").unwrap();
    (message.to_owned(), hint.trim().to_owned())
}

#[test]
fn a_file_that_is_no_array_is_refused_for_every_parameter() {
    let parameters = array_parameters();
    assert!(parameters.len() >= 6, "{parameters:?}");
    let scratch = with_file();
    scratch.write("text.npy", "1 2 3\n");
    scratch.write("cut.npy", &array(&[2, 3], &[0.0; 6])[..100]);
    scratch.write("hollow.npy", array(&[0, 3], &[]));
    scratch.write("deep.npy", array(&[1, 2, 3], &[0.5; 6]));
    scratch.write(
        "words.npy",
        b"\x93NUMPY\x01\x00\x38\x00{'descr': '<U3', 'fortran_order': False, 'shape': (1,), }\n",
    );
    std::fs::create_dir(scratch.path("folder.npy")).unwrap();
    for (name, key) in &parameters {
        for (file, why) in [
            ("text.npy", "it does not start as a .npy file does"),
            ("cut.npy", "it is cut short"),
            ("words.npy", "its number type `<U3`"),
            ("hollow.npy", "has shape [0, 3]"),
            ("deep.npy", "has shape [1, 2, 3]"),
        ] {
            let (message, hint) = refused(&scratch, &[name, &format!("{key}={file}")]);
            assert!(message.contains(&format!("`{key}`: ")), "{message}");
            assert!(message.contains(file) && message.contains(why), "{message}");
            assert!(hint.contains("array"), "{hint}");
        }
        let (message, hint) = refused(&scratch, &[name, &format!("{key}=gone.npy")]);
        assert!(
            message.contains(&format!("`{key}`: ")) && message.contains("gone.npy"),
            "{message}"
        );
        assert!(hint.starts_with("check the name"), "{hint}");
        let (message, _) = refused(&scratch, &[name, &format!("{key}=folder.npy")]);
        assert!(message.contains("folder.npy"), "{message}");
    }
}

#[test]
fn a_number_that_is_none_is_named_with_its_row_and_column() {
    let scratch = with_file();
    scratch.write("nan.npy", array(&[2, 3], &[1.0, 1.0, 1.0, 1.0, 1.0, f64::NAN]));
    scratch.write("inf.npy", array(&[2, 3], &[1.0, f64::INFINITY, 1.0, 1.0, 1.0, 1.0]));
    for (name, key) in array_parameters() {
        for (file, got, place) in [("nan.npy", "NaN", (1, 2)), ("inf.npy", "inf", (0, 1))] {
            let (message, hint) = refused(&scratch, &[&name, &format!("{key}={file}")]);
            let (row, column) = place;
            let start = format!("error: `{key}` has {got} in row {row}, column {column} ");
            assert!(message.starts_with(&start), "{message}");
            assert_eq!(hint, format!("correct or leave out row {row}"));
        }
    }
}

#[test]
fn an_array_of_the_wrong_shape_is_refused_with_both_shapes() {
    let scratch = with_file();
    scratch.write("row13.npy", array(&[1, 13], &[0.5; 13]));
    scratch.write("rows13.npy", array(&[3, 13], &[0.5; 39]));
    scratch.write("rows12.npy", array(&[3, 12], &[0.5; 36]));
    scratch.write("column.npy", array(&[3, 1], &[0.5; 3]));
    scratch.write("row4.npy", array(&[1, 4], &[0.5; 4]));
    let pos = "class.pos.stimulus";
    let cases: [(&[&str], &str, &str); 6] = [
        (&["class.pos.stimulus=array(samples=rows13.npy)"], "class `pos` has 13", "same n"),
        (&["class.pos.stimulus=array(samples=column.npy)"], "1 columns", "one sample per row"),
        (
            &["class.pos.stimulus=filtered(base=nlgp(n=12, xi=1), direction=row13.npy)"],
            "1 x 13",
            "12 numbers",
        ),
        (&["network.init=explicit(weights=rows13.npy)"], "13", "12"),
        (&["network.init=explicit(weights=rows12.npy, biases=row4.npy)"], "4", "3"),
        (
            &["class.pos.stimulus=copula(n=12, xi=1, marginal=custom, quantiles=rows12.npy)"],
            "3 rows of 12",
            "one list",
        ),
    ];
    for (sets, what, next) in cases {
        let (message, hint) = refused(&scratch, sets);
        assert!(message.contains(what), "{message}");
        assert!(hint.contains(next), "{message}\n{hint}");
        let named =
            message.contains(pos) || message.contains("network") || message.contains("`pos`");
        assert!(named, "{message}");
    }
}
