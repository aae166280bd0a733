//! The examples with characters and lines deleted, doubled and garbled: each text is read or refused with a reason.

use super::dice::Dice;
use super::{none_failed, now, without_panic};
use fovea_core::agree::test_seed;
use fovea_core::params::Schema;
use fovea_lab::LabError;
use fovea_lab::config::read_config;
use fovea_lab::training::{EXPERIMENT, Training, TrainingJob};
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

const COUNT: u64 = 3000;

/// Characters that mean something to TOML, and some that mean nothing to anyone.
const GARBLE: &str = "[]{}=.,\"'#\n\r\t \\-+_09eEinfa\u{0}\u{feff}\u{3be}\u{1f9c0}";

fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// The text after one accident.
fn garbled(dice: &mut Dice, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let mut lines: Vec<&str> = text.split('\n').collect();
    let (at, line) = (dice.below(characters.len() + 1), dice.below(lines.len()));
    let other = dice.below(lines.len());
    let character = dice.pick(&GARBLE.chars().collect::<Vec<_>>());
    match dice.below(8) {
        0 => characters.insert(at, character),
        1 => characters.truncate(at),
        2 if at < characters.len() => characters[at] = character,
        3 if at < characters.len() => drop(characters.remove(at)),
        4 if at < characters.len() => characters.insert(at, characters[at]),
        5 => lines.swap(line, other),
        6 => drop(lines.remove(line)),
        _ => lines.insert(other, lines[line]),
    }
    // At most one of the two was changed.
    let joined = lines.join("\n");
    if joined == text { characters.into_iter().collect() } else { joined }
}

/// Whether a file was built; a refusal must have its reason.
fn read(path: &Path) -> Result<bool, String> {
    let built = read_config(path, EXPERIMENT, &Training::schema())
        .map_err(LabError::from)
        .and_then(|config| TrainingJob::new(&config.settings).map_err(LabError::from));
    let Err(error) = built else { return Ok(true) };
    let (message, hint) = (error.to_string(), error.hint());
    let told = !message.trim().is_empty() && !hint.trim().is_empty();
    told.then_some(false).ok_or(format!("a poor refusal: {message:?}, hint {hint:?}"))
}

#[test]
fn every_garbled_example_is_read_or_refused_with_a_reason() {
    let (began, examples) = (now(), examples());
    let folder = std::env::temp_dir().join(format!("fovea-fuzz-{}", std::process::id()));
    fs::create_dir(&folder).unwrap();
    for name in ["array-edges.npy", "array-bars.npy"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        fs::copy(from, folder.join(name)).unwrap();
    }
    let try_one = |index: u64| {
        let seed = test_seed(module_path!(), index);
        let mut dice = Dice::new(seed);
        let mut text = dice.pick(&examples);
        for _ in 0..=dice.below(3) {
            text = garbled(&mut dice, &text);
        }
        let path = folder.join(format!("{index}.toml"));
        fs::write(&path, &text).unwrap();
        let result = without_panic(|| read(&path)).and_then(|result| result);
        result.map_err(|what| format!("text {index}, seed {seed}: {what}\n{text}"))
    };
    let all: Vec<Result<bool, String>> = (0..COUNT).into_par_iter().map(try_one).collect();
    fs::remove_dir_all(&folder).unwrap();
    let failures: Vec<String> = all.iter().filter_map(|one| one.as_ref().err().cloned()).collect();
    none_failed(&failures);
    let built = all.iter().flatten().filter(|built| **built).count();
    println!("{COUNT} garbled texts: {built} built; {:.1} s", began.elapsed().as_secs_f64());
    assert!(built > 100 && built < COUNT as usize - 100, "{built} of {COUNT} were built");
}
