//! No import cycle between the top-level modules of a crate.
//!
//! A top-level module is one node, its folder included; the root file of a crate is none. An arrow goes from a module to
//! every other it names: by `crate::`, by `super::` and `self::` that lead out of it, by a name the root exports again,
//! or by a macro of the crate. Code for tests alone is removed first. Two things would hide an arrow and are refused: an item
//! in the root file itself, and an import of the whole root (`use crate::*`).
//!
//! Only the standard library is used, so that `./test arrows` compiles this folder by itself.

mod constructed;
mod cut;
mod cycles;
mod paths;
mod room;
mod tokens;

use room::{File, Room};
use std::path::{Path, PathBuf};

/// The folders of all crates, as in `members` of the workspace.
fn crates(workspace: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = ["crates", "bindings"]
        .iter()
        .flat_map(|group| std::fs::read_dir(workspace.join(group)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("Cargo.toml").exists())
        .collect();
    found.sort();
    found
}

/// Every source file below `folder`, in order.
fn sources(folder: &Path, workspace: &Path, files: &mut Vec<File>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, workspace, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(workspace).unwrap();
            let name = name.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
            files.push(File { path: name, text: std::fs::read_to_string(&path).unwrap() });
        }
    }
}

/// The name of a crate in its manifest.
fn name(folder: &Path) -> String {
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let line = manifest.lines().find_map(|line| line.strip_prefix("name = ")).unwrap();
    line.trim_matches('"').to_owned()
}

#[test]
fn no_modules_of_a_crate_import_each_other() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut faults = Vec::new();
    let mut seen = Vec::new();
    for folder in crates(workspace) {
        let mut files = Vec::new();
        sources(&folder.join("src"), workspace, &mut files);
        let room = Room::read(&name(&folder), &files);
        faults.extend(room.faults());
        seen.push((room.name, room.arrows.len()));
    }
    for known in ["fovea-core", "fovea-theory", "fovea-lab", "fovea-cli"] {
        let read = |(name, arrows): &(String, usize)| name == known && *arrows > 1;
        assert!(seen.iter().any(read), "{known} has no arrows: it was not read");
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}
