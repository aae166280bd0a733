//! The checker on small constructed trees: what it must find, and what it must accept.

use super::room::{File, Room};

/// What is wrong with a crate of these files, each a path below `src` and its text.
fn faults(files: &[(&str, &str)]) -> Vec<String> {
    room(files).faults()
}

fn room(files: &[(&str, &str)]) -> Room {
    let file = |(path, text): &(&str, &str)| File {
        path: format!("crates/house/src/{path}"),
        text: (*text).to_owned(),
    };
    Room::read("house", &files.iter().map(file).collect::<Vec<_>>())
}

/// The arrows of a crate, as words.
fn arrows(files: &[(&str, &str)]) -> Vec<String> {
    room(files).arrows.keys().map(|(from, to)| format!("{from} -> {to}")).collect()
}

#[test]
fn a_cycle_of_two_is_named_with_its_places() {
    let files = [
        ("lib.rs", "pub mod a;\npub mod b;\n"),
        ("a.rs", "//! The first.\n\nuse crate::b::Thing;\n"),
        ("b.rs", "pub struct Thing;\nfn back(_: &crate::a::Other) {}\n"),
    ];
    let line = "house: a -> b -> a, by crates/house/src/a.rs:3, crates/house/src/b.rs:2";
    assert_eq!(faults(&files), [line]);
}

#[test]
fn a_cycle_of_three_is_named_and_a_chain_is_none() {
    let tied = [
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "use crate::c::C;"),
        ("c.rs", "use crate::a::A;"),
        ("d.rs", "use crate::a::A;"),
    ];
    let places = "crates/house/src/a.rs:1, crates/house/src/b.rs:1, crates/house/src/c.rs:1";
    assert_eq!(faults(&tied), [format!("house: a -> b -> c -> a, by {places}")]);
    let mut chain = tied;
    chain[3].1 = "use std::fmt;";
    assert!(faults(&chain).is_empty());
    assert_eq!(arrows(&chain), ["a -> b", "b -> c", "d -> a"]);
}

#[test]
fn a_knot_is_reported_by_its_shortest_cycle_and_all_its_modules() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "use crate::c::C;"),
        ("c.rs", "use crate::a::A; use crate::b::B;"),
    ];
    let lines = faults(&files);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("house: b -> c -> b, by "), "{lines:?}");
    assert!(lines[0].ends_with("; 3 modules are tied: a, b, c"), "{lines:?}");
}

#[test]
fn two_knots_are_two_lines() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "use crate::a::A; use crate::c::C;"),
        ("c.rs", "use crate::d::D;"),
        ("d.rs", "use crate::c::C;"),
    ];
    assert_eq!(faults(&files).len(), 2, "{:?}", faults(&files));
}

#[test]
fn a_name_the_root_exports_again_is_an_import_of_its_module() {
    let root = "mod task; mod train; pub use task::{Labels, Task as Work}; use crate::train::Run; pub use std::fmt;";
    let files = [
        ("lib.rs", root),
        ("task.rs", "use crate::Run; use crate::fmt;"),
        ("train.rs", "fn run(_: crate::Work) {}"),
    ];
    let places = "crates/house/src/task.rs:1, crates/house/src/train.rs:1";
    assert_eq!(faults(&files), [format!("house: task -> train -> task, by {places}")]);
}

#[test]
fn what_only_tests_see_draws_no_arrow() {
    let inside = "use crate::b::B;\n#[cfg(test)]\nmod tests {\n    use crate::c::C;\n}\n#[cfg(test)] use crate::d::D;\n\
                  #[cfg(test)] fn f() -> [u8; 2] { crate::c::two() }\n#[test]\nfn g() { crate::d::D; }\nstruct S { #[cfg(test)] d: crate::d::D }\n\
                  use crate::e::E;\n";
    let files = [
        ("lib.rs", "mod a; mod b; mod c; mod d; mod e; #[cfg(test)] mod sampled;"),
        ("a/mod.rs", inside),
        ("b.rs", "#[cfg(test)]\nmod tests;\n#[cfg(test)] #[path = \"laws/mod.rs\"] mod laws;"),
        ("b/tests.rs", "use crate::a::A;"),
        ("b/tests/deeper.rs", "use crate::a::A;"),
        ("laws/mod.rs", "use crate::a::A;"),
        ("laws/cases.rs", "use crate::a::A;"),
        ("c.rs", "#![cfg(test)]\nuse crate::a::A;"),
        ("d.rs", ""),
        ("e.rs", ""),
        ("sampled.rs", "use crate::a::A;"),
    ];
    assert_eq!(arrows(&files), ["a -> b", "a -> e"]);
}

#[test]
fn what_is_not_of_tests_alone_stays() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        (
            "a.rs",
            "#[cfg(not(test))] use crate::b::B; #[cfg(test)] const X: [u8; 1] = [crate::d::X]; use crate::c::C;",
        ),
        ("b.rs", "#[cfg(test)] mod tests { use crate::d::D; }\nfn f() { crate::c::g() }"),
        ("c.rs", ""),
        ("d.rs", ""),
    ];
    assert_eq!(arrows(&files), ["a -> b", "a -> c", "b -> c"]);
}

#[test]
fn a_nested_group_over_lines_is_read_to_its_end() {
    let group = "use crate::{\n    b::{self, B},\n    c::{\n        deep::{C, D as E},\n        *,\n    },\n    a::own, // crate::e\n    d as other,\n};\n";
    let files = [
        ("lib.rs", "mod a; mod b; mod c; mod d; mod e;"),
        ("a.rs", group),
        ("b.rs", ""),
        ("c.rs", ""),
        ("d.rs", "use crate::a;"),
        ("e.rs", ""),
    ];
    assert_eq!(arrows(&files), ["a -> b", "a -> c", "a -> d", "d -> a"]);
    let line = "house: a -> d -> a, by crates/house/src/a.rs:8, crates/house/src/d.rs:1";
    assert_eq!(faults(&files), [line]);
}

#[test]
fn super_and_self_lead_out_of_a_module_or_stay_in_it() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a/mod.rs", "pub mod inner; pub mod other; use self::other::Thing; use super::c::C;"),
        (
            "a/inner.rs",
            "use super::other::Thing; mod room { fn f() { super::super::super::b::g() } }",
        ),
        ("a/other.rs", "use super::*;"),
        ("b.rs", "pub(in crate::b) fn g() {} pub(super) fn h() {}"),
        ("c.rs", ""),
    ];
    assert_eq!(arrows(&files), ["a -> b", "a -> c"]);
}

#[test]
fn comments_and_literals_name_nothing() {
    let text = "// crate::b::B\n/* crate::b /* nested */ crate::b */\n/// See [`crate::b`].\nfn f<'a>(c: char) -> &'a str {\n\
                if c == '\"' || c == '\\'' { \"crate::b \\\" crate::b\" } else { r#\"crate::b\" crate::b\"# }\n}\nuse crate::c::C;\n";
    let files = [("lib.rs", "mod a; mod b; mod c;"), ("a.rs", text), ("b.rs", ""), ("c.rs", "")];
    let read = room(&files);
    assert_eq!(read.arrows.len(), 1);
    assert_eq!(read.arrows[&("a".to_owned(), "c".to_owned())], "crates/house/src/a.rs:7");
}

#[test]
fn a_macro_belongs_to_the_module_that_defines_it() {
    let defined = "#[macro_export]\nmacro_rules! registry { ($file:ident) => { pub mod $file; use $crate::value::Value; } }";
    let files = [
        ("lib.rs", "mod entry; mod registry; mod stimulus; mod value;"),
        ("entry.rs", defined),
        ("registry.rs", ""),
        ("stimulus/mod.rs", "crate::registry! { nlgp }"),
        ("stimulus/nlgp.rs", "use crate::registry::strays;"),
        ("value.rs", ""),
    ];
    let expected = ["entry -> value", "stimulus -> entry", "stimulus -> registry"];
    assert_eq!(arrows(&files), expected);
}

#[test]
fn what_hides_an_arrow_is_refused() {
    let root = |text| [("lib.rs", text), ("a.rs", "fn f() { crate::form() }"), ("form.rs", "")];
    let lines = faults(&root("mod a; mod form; fn form() {}"));
    let line =
        "house: a imports form from the root file, by crates/house/src/a.rs:1; give it a module";
    assert_eq!(lines, [line]);
    for whole in ["use crate::*;", "use super::*;", "use crate::{self as house};"] {
        let lines = faults(&[("lib.rs", "mod a;"), ("a.rs", whole)]);
        assert_eq!(lines.len(), 1, "{whole}: {lines:?}");
        assert!(lines[0].contains("as a whole"), "{lines:?}");
    }
    let lines = faults(&[("lib.rs", "mod a; pub use a::*;"), ("a.rs", "")]);
    assert!(lines[0].contains("all names of a"), "{lines:?}");
    assert!(faults(&[("lib.rs", "mod a; pub use std::fmt::*;"), ("a.rs", "")]).is_empty());
}
