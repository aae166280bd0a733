//! Texts that readers see, held to the list of phrases in `data/words.txt`: the catalogue, the documents, the Python package, and
//! the messages in the sources. What runs say is read where they run (`frozen`), what the command line says in its own tests.

mod list;
mod messages;

use crate::plain::Reader;
use fovea_lab::catalogue;
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every file with this ending in a folder, the folders inside it included, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[track_caller]
fn assert_plain(reader: Reader) {
    if let Err(found) = reader.ended() {
        panic!("{found}");
    }
}

#[test]
fn every_item_of_the_catalogue_is_described_in_plain_words() {
    let mut reader = Reader::default();
    let items = catalogue();
    for item in &items {
        let place = format!("fovea show {} ({})", item.name, item.kind);
        reader.read(&place, item.summary);
        for (heading, text) in &item.facts {
            reader.read(format!("{place}, heading {heading}"), heading);
            reader.read(format!("{place}, {heading}"), text);
        }
        for field in &item.schema {
            reader.read(format!("{place}, {}", field.name), field.doc);
        }
    }
    assert!(items.len() > 700, "{} items", items.len());
    assert_plain(reader);
}

#[test]
fn documents_and_the_python_package_are_written_in_plain_words() {
    let root = root();
    let documents = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "NOTATION.md",
        "bindings/python/README.md",
    ];
    let mut read: Vec<PathBuf> = documents.iter().map(|file| root.join(file)).collect();
    for (folder, ending) in [
        ("docs", "md"),
        ("examples", "toml"),
        ("bindings/python/python", "py"),
        ("bindings/python/python", "pyi"),
        ("bindings/python/notebooks", "py"),
    ] {
        let found = files(&root.join(folder), ending);
        assert!(!found.is_empty(), "{folder} has no .{ending}");
        read.extend(found);
    }
    let mut reader = Reader::default();
    for path in &read {
        let place = path.strip_prefix(&root).unwrap().display().to_string();
        reader.read(place, &without_comment_marks(&fs::read_to_string(path).unwrap(), path));
    }
    for path in files(&root.join("bindings/python/notebooks"), "ipynb") {
        let place = path.strip_prefix(&root).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let notebook: serde_json::Value = serde_json::from_str(&text).unwrap();
        for (i, cell) in notebook["cells"].as_array().unwrap().iter().enumerate() {
            reader.read(format!("{place}, cell {i}"), cell["source"].as_str().unwrap());
        }
    }
    assert_plain(reader);
}

/// A program or a training file whose comments run on from line to line.
fn without_comment_marks(text: &str, path: &Path) -> String {
    let markdown = path.extension().is_some_and(|ending| ending == "md");
    let bare = |line: &str| match line.trim_start().strip_prefix("# ") {
        Some(comment) if !markdown => comment.to_owned(),
        _ => line.to_owned(),
    };
    text.lines().map(bare).collect::<Vec<_>>().join("\n")
}
