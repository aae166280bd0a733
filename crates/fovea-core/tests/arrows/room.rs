//! A crate as arrows between its top-level modules.

use super::cut::without_tests;
use super::cycles;
use super::paths::{Named, macros, named};
use super::tokens::{Token, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// A source file, by its path from the root of the workspace.
pub(super) struct File {
    pub(super) path: String,
    pub(super) text: String,
}

/// From one module to another.
pub(super) type Arrow = (String, String);

/// A crate as it was read.
pub(super) struct Room {
    pub(super) name: String,
    /// Each arrow and the first place that makes it.
    pub(super) arrows: BTreeMap<Arrow, String>,
    /// What hides an arrow.
    pub(super) hidden: Vec<String>,
}

/// A file without its tests.
struct Source<'a> {
    path: &'a str,
    /// The module of the file; empty for the root file.
    module: Vec<String>,
    tokens: Vec<Token>,
}

/// What the root of a crate offers to its modules.
struct Root {
    modules: BTreeSet<String>,
    /// What it imports or exports again, as a path from the root; names from another crate lead to no module.
    names: BTreeMap<String, Vec<String>>,
    /// The modules that define macros.
    macros: BTreeMap<String, String>,
}

impl Room {
    /// Reads a crate from all files below its `src`.
    pub(super) fn read(name: &str, files: &[File]) -> Self {
        let sources = sources(files);
        let root = Root::of(&sources);
        let mut room = Self { name: name.to_owned(), arrows: BTreeMap::new(), hidden: Vec::new() };
        for source in &sources {
            for one in named(&source.tokens) {
                room.follow(source, &one, &root);
            }
        }
        room
    }

    /// Adds the arrow of one path, if it leads out of its module.
    fn follow(&mut self, source: &Source, one: &Named, root: &Root) {
        let here: Vec<String> = source.module.iter().chain(&one.inside).cloned().collect();
        let place = format!("{}:{}", source.path, one.line);
        let Some(from) = here.first() else {
            return self.exported(one, root, &place);
        };
        let Some(path) = from_root(&here, &one.path) else { return };
        let room = &self.name;
        match path.first().map(String::as_str) {
            None | Some("*") => self.hidden.push(format!(
                "{room}: {from} takes the root of the crate as a whole, by {place}; name what it needs"
            )),
            Some(first) if first == from => {}
            Some(first) => match root.home(first, Use::of(one, &path)) {
                Home::Module(to) if to == *from => {}
                Home::Module(to) => drop(self.arrows.entry((from.clone(), to)).or_insert(place)),
                Home::Elsewhere => {}
                Home::Root => self.hidden.push(format!(
                    "{room}: {from} imports {first} from the root file, by {place}; give it a module"
                )),
            },
        }
    }

    /// Refuses to export all names of a module at the root, since they cannot be seen there.
    fn exported(&mut self, one: &Named, root: &Root, place: &str) {
        let path = from_root(&[], &one.path).unwrap_or_else(|| one.path.clone());
        if let ([module, ..], Some("*")) = (path.as_slice(), path.last().map(String::as_str))
            && root.modules.contains(module)
        {
            let room = &self.name;
            self.hidden.push(format!(
                "{room}: the root takes all names of {module}, by {place}; name what it exports"
            ));
        }
    }

    /// What is wrong with the arrows: one line for each knot, and what hides arrows.
    pub(super) fn faults(&self) -> Vec<String> {
        let knots = cycles::knots(&self.arrows);
        knots
            .iter()
            .map(|knot| format!("{}: {knot}", self.name))
            .chain(self.hidden.clone())
            .collect()
    }
}

/// How a name of the root is used.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// With more behind it, or in an import: it may be a module.
    Path,
    /// As a macro.
    Macro,
    /// By itself: it is not a module.
    Item,
}

impl Use {
    fn of(one: &Named, path: &[String]) -> Self {
        match (path.len(), &one.import) {
            (1, None) if one.call => Self::Macro,
            (1, None) => Self::Item,
            _ => Self::Path,
        }
    }
}

/// Where a name of the root comes from.
enum Home {
    Module(String),
    Elsewhere,
    Root,
}

impl Root {
    fn of(sources: &[Source]) -> Self {
        let mut root =
            Self { modules: BTreeSet::new(), names: BTreeMap::new(), macros: BTreeMap::new() };
        for source in sources {
            if let Some(module) = source.module.first() {
                root.modules.insert(module.clone());
                let macros = macros(&source.tokens).map(|name| (name.to_owned(), module.clone()));
                root.macros.extend(macros);
                continue;
            }
            let pairs = source.tokens.windows(2).filter(|pair| pair[0].text == "mod");
            root.modules.extend(pairs.map(|pair| pair[1].text.clone()));
            for one in named(&source.tokens).into_iter().filter(|one| one.inside.is_empty()) {
                let path = from_root(&[], &one.path).unwrap_or(one.path);
                root.names.extend(one.import.map(|name| (name, path)));
            }
        }
        root
    }

    fn home(&self, name: &str, used: Use) -> Home {
        let defined = self.macros.get(name);
        match (self.names.get(name), defined) {
            (_, Some(module)) if used == Use::Macro => Home::Module(module.clone()),
            _ if used == Use::Path && self.modules.contains(name) => Home::Module(name.to_owned()),
            (Some(path), _) if self.modules.contains(&path[0]) => Home::Module(path[0].clone()),
            // A second step inside the root: what it imports under one name it may export under another.
            (Some(path), _) if path[0] != name && self.names.contains_key(&path[0]) => {
                self.home(&path[0], Use::Path)
            }
            (Some(_), _) => Home::Elsewhere,
            (None, Some(module)) => Home::Module(module.clone()),
            (None, None) => Home::Root,
        }
    }
}

/// A path from the root of the crate; `None` if it does not begin with `crate`, `self` or `super`.
fn from_root(here: &[String], path: &[String]) -> Option<Vec<String>> {
    let mut base = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => here.to_vec(),
        _ => return None,
    };
    let mut rest = path;
    while let Some((first, after)) = rest.split_first() {
        match first.as_str() {
            "crate" | "self" => {}
            "super" => drop(base.pop()),
            _ => break,
        }
        rest = after;
    }
    base.extend_from_slice(rest);
    Some(base)
}

/// Every file without its tests; those that are a test module themselves are left out.
fn sources(files: &[File]) -> Vec<Source<'_>> {
    let mut sources = Vec::new();
    let (mut modules, mut folders) = (Vec::new(), Vec::new());
    for file in files {
        let module = module(&file.path);
        let (tokens, cut) = without_tests(&tokens(&file.text));
        for item in &cut {
            let Some(name) = declared(item) else { continue };
            match path_of(item) {
                Some(path) => folders.push(beside(&file.path, &path)),
                None => modules.push([module.clone(), vec![name]].concat()),
            }
        }
        assert!(path_of(&tokens).is_none(), "{} has a #[path], which is not understood", file.path);
        sources.push(Source { path: &file.path, module, tokens });
    }
    sources.retain(|source| {
        !modules.iter().any(|tests| source.module.starts_with(tests))
            && !folders.iter().any(|tests: &String| source.path.starts_with(tests))
    });
    sources
}

/// The module a file is, by its path below `src`.
fn module(path: &str) -> Vec<String> {
    let below = path.split_once("/src/").map_or(path, |(_, below)| below);
    let stem = below.strip_suffix(".rs").unwrap_or(below);
    let mut parts: Vec<String> = stem.split('/').map(ToOwned::to_owned).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

/// The name of a module that `mod name;` declares in another file.
fn declared(item: &[Token]) -> Option<String> {
    let mut three = item.windows(3).filter(|three| three[0].text == "mod" && three[2].text == ";");
    three.next().map(|three| three[1].text.clone())
}

/// What a `#[path = "…"]` says.
fn path_of(item: &[Token]) -> Option<String> {
    let is = |tokens: &&[Token]| {
        tokens[0].text == "[" && tokens[1].text == "path" && tokens[2].text == "="
    };
    let found = item.windows(4).find(is)?;
    Some(found[3].text.trim_matches('"').to_owned())
}

/// The file that a path in a file means, or the folder where it means a `mod.rs`.
fn beside(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.strip_suffix("mod.rs").unwrap_or(path).split('/') {
        match part {
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}
