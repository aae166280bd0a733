//! Hashes as a file keeps them, and what is done where they differ.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The section of a file whose hashes are of words; all others are of numbers.
pub(crate) const WORDS: &str = "words";

/// What the variable `FOVEA_BLESS` asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bless {
    /// Nothing is written.
    Nothing,
    /// Changed words are taken over.
    Words,
    /// Changed numbers are taken over as well.
    Everything,
}

impl Bless {
    pub(crate) fn asked() -> Self {
        match std::env::var("FOVEA_BLESS").as_deref() {
            Err(_) | Ok("") => Self::Nothing,
            Ok("words") => Self::Words,
            Ok("1") => Self::Everything,
            Ok(other) => panic!("FOVEA_BLESS is {other}; it may be 1 or words"),
        }
    }
}

/// Hashes by section and name.
#[derive(Default)]
pub(crate) struct Hashes(BTreeMap<&'static str, BTreeMap<String, String>>);

/// The sections of any file, in the order of its text.
const SECTIONS: [&str; 5] = ["numbers", "arrays", "tables", "controls", WORDS];

/// What differs, in words.
#[derive(Default)]
pub(crate) struct Moved {
    pub(crate) numbers: Vec<String>,
    pub(crate) words: Vec<String>,
}

impl Hashes {
    /// Adds one; a name can be taken once.
    pub(crate) fn put(&mut self, section: &'static str, name: &str, hash: String) {
        assert!(SECTIONS.contains(&section), "no file has a section {section}");
        let before = self.0.entry(section).or_default().insert(name.to_owned(), hash);
        assert!(before.is_none(), "{section} has {name} twice");
    }

    /// What differs from those that are kept.
    pub(crate) fn moved_from(&self, kept: &Self) -> Moved {
        let mut moved = Moved::default();
        let none = BTreeMap::new();
        for section in SECTIONS {
            let [got, kept] = [self, kept].map(|hashes| hashes.0.get(section).unwrap_or(&none));
            let list = if section == WORDS { &mut moved.words } else { &mut moved.numbers };
            for (name, hash) in got {
                match kept.get(name) {
                    None => list.push(format!("{} is new", in_words(section, name))),
                    Some(kept) if kept != hash => list.push(in_words(section, name)),
                    Some(_) => {}
                }
            }
            let gone = kept.keys().filter(|name| !got.contains_key(*name));
            list.extend(gone.map(|name| format!("{} is gone", in_words(section, name))));
        }
        moved
    }

    /// The file's text: a line for each.
    fn to_toml(&self) -> String {
        let mut text = "# SHA-256 of what is frozen; CONTRIBUTING.md says under \"Numbers moved\" when this may change.\n".to_owned();
        for section in SECTIONS {
            let Some(rows) = self.0.get(section).filter(|rows| !rows.is_empty()) else { continue };
            let rows: toml::Table =
                rows.iter().map(|(name, hash)| (name.clone(), hash.as_str().into())).collect();
            write!(text, "\n[{section}]\n{rows}").expect("writing to memory cannot fail");
        }
        text
    }

    fn from_toml(text: &str) -> Result<Self, String> {
        let mut hashes = Self::default();
        let table: toml::Table = text.parse().map_err(|error| format!("{error}"))?;
        for (name, rows) in &table {
            let section = SECTIONS.into_iter().find(|section| section == name);
            let section = section.ok_or_else(|| format!("there is no section {name}"))?;
            for (key, hash) in rows.as_table().into_iter().flatten() {
                let hash = hash.as_str().ok_or_else(|| format!("{key} is no hash"))?;
                hashes.put(section, key, hash.to_owned());
            }
        }
        Ok(hashes)
    }

    /// Compares with the file, or writes it where that is asked for.
    ///
    /// # Errors
    /// What moved, and what to do.
    pub(crate) fn settle(&self, file: &str, bless: Bless) -> Result<(), String> {
        self.settle_at(&path(file), bless)
    }

    fn settle_at(&self, path: &Path, bless: Bless) -> Result<(), String> {
        if bless == Bless::Everything {
            return self.write(path);
        }
        let command = |bless: &str| command(bless, &file_of(path));
        let Moved { numbers, words } = self.moved_from(&Self::read(path)?);
        match (numbers.is_empty(), words.is_empty()) {
            (true, true) => Ok(()),
            (true, false) if bless == Bless::Words => self.write(path),
            (true, false) => Err(format!(
                "words moved: {}\nif that is meant, read the difference of a report after\n{}",
                words.join(", "),
                command("words")
            )),
            (false, _) => Err(format!(
                "numbers moved: {}{}\n{NUMBERS}\n{}",
                numbers.join(", "),
                if words.is_empty() {
                    String::new()
                } else {
                    format!("\nwords moved: {}", words.join(", "))
                },
                command("1")
            )),
        }
    }

    /// Those of a file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn kept(file: &str) -> Result<Self, String> {
        Self::read(&path(file))
    }

    fn read(path: &Path) -> Result<Self, String> {
        let shown = path.strip_prefix(folder()).unwrap_or(path).display();
        let text = std::fs::read_to_string(path).map_err(|error| {
            format!("golden/{shown}: {error}\n{}", command("1", &file_of(path)))
        })?;
        Self::from_toml(&text).map_err(|error| format!("golden/{shown}: {error}"))
    }

    fn write(&self, path: &Path) -> Result<(), String> {
        let written = std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .and_then(|()| std::fs::write(path, self.to_toml()));
        written.map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// What to do where a number moved.
const NUMBERS: &str = "every bit counts, but for the time of a reading (13 digits): moving code moves no number, so find what did\n\
    if something is new or meant to move, do what CONTRIBUTING.md says under \"Numbers moved\"";

/// A file by its path from the folder of hashes.
fn file_of(path: &Path) -> String {
    path.strip_prefix(folder().join("hashes")).unwrap_or(path).to_string_lossy().into_owned()
}

/// The command that takes over what is kept in a file of hashes: all of it, or its words.
pub(crate) fn command(bless: &str, file: &str) -> String {
    let name = file.trim_end_matches(".toml");
    let test = match name.split_once('/') {
        Some((kind, item)) => format!("--exact {kind}::{item}"),
        None => format!("{name}::"),
    };
    format!("FOVEA_BLESS={bless} cargo test --release -p fovea-lab --test frozen -- {test}")
}

/// What a hash is of.
fn in_words(section: &str, name: &str) -> String {
    match section {
        "arrays" => format!("the array {name}"),
        "tables" => format!("the table {name}"),
        "controls" => format!("the control of {name}"),
        // A claim of the notes or a closed form is called by its name.
        _ if name.contains('.') => name.to_owned(),
        _ => format!("the {name}"),
    }
}

/// The folder of golden records, with that of the hashes inside.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// Where a file of hashes lies.
fn path(file: &str) -> PathBuf {
    folder().join("hashes").join(file)
}

/// The names of the files in a folder of golden records, each of which has this ending.
pub(crate) fn names(folder: &Path, ending: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        assert!(path.extension().is_some_and(|e| e == ending), "{} is no record", path.display());
        names.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
    }
    names
}

/// What is done with hashes that differ.
pub(crate) const CONTROLS: &[(&str, fn())] = &[
    ("controls::a_file_gives_its_hashes_back", a_file_gives_its_hashes_back),
    ("controls::a_command_runs_the_test_of_its_file", a_command_runs_the_test_of_its_file),
    ("controls::blessing_words_blesses_no_number", blessing_words_blesses_no_number),
];

/// Hashes with this number and this word.
fn sample(number: &str, word: &str) -> Hashes {
    let mut hashes = Hashes::default();
    hashes.put("numbers", "series", number.to_owned());
    hashes.put("arrays", "w \"of\" a.b", "b".to_owned());
    hashes.put(WORDS, "report", word.to_owned());
    hashes
}

fn a_file_gives_its_hashes_back() {
    let read = Hashes::from_toml(&sample("a", "c").to_toml()).unwrap();
    let moved = sample("a", "c").moved_from(&read);
    assert!(moved.numbers.is_empty() && moved.words.is_empty());
    let moved = sample("x", "y").moved_from(&read);
    assert_eq!(
        (moved.numbers, moved.words),
        (vec!["the series".to_owned()], vec!["the report".to_owned()])
    );
    assert!(Hashes::from_toml("[other]\na = \"b\"").is_err());
}

fn a_command_runs_the_test_of_its_file() {
    let told = |file: &str| command("1", file).split_once(" -- ").unwrap().1.to_owned();
    assert_eq!(told("forms.toml"), "forms::");
    assert_eq!(told("experiments/localize.toml"), "--exact experiments::localize");
}

fn blessing_words_blesses_no_number() {
    let folder = std::env::temp_dir().join(format!("fovea-frozen-{}", std::process::id()));
    let path = folder.join("x.toml");
    let settle = |number: &str, word: &str, bless| sample(number, word).settle_at(&path, bless);
    assert!(settle("a", "c", Bless::Nothing).unwrap_err().contains("\nFOVEA_BLESS=1 cargo test"));
    assert!(settle("a", "c", Bless::Words).is_err(), "there is no number to compare with");
    settle("a", "c", Bless::Everything).unwrap();
    settle("a", "c", Bless::Nothing).unwrap();
    let error = settle("a", "d", Bless::Nothing).unwrap_err();
    assert!(
        error.contains("words moved: the report") && error.contains("\nFOVEA_BLESS=words cargo")
    );
    settle("a", "d", Bless::Words).unwrap();
    settle("a", "d", Bless::Nothing).unwrap();
    for bless in [Bless::Nothing, Bless::Words] {
        let error = settle("b", "e", bless).unwrap_err();
        assert!(error.contains("numbers moved: the series\nwords moved: the report"), "{error}");
    }
    settle("a", "d", Bless::Nothing).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}
