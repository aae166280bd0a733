//! Plain words: what the program says of itself, held to the list of phrases of `fovea-lab`. Every item's own words are read there.

use super::Scratch;
use crate::plain::Reader;
use fovea_lab::{catalogue, experiments};

/// Reads what `fovea args` prints; texts that run on from line to line as a whole, lists line by line.
fn read(reader: &mut Reader, args: &[&str], by_line: bool) {
    let (place, text) = (format!("fovea {}", args.join(" ")), Scratch::new().fovea(args).fine());
    if by_line {
        text.lines().for_each(|line| reader.read(&place, line));
    } else {
        // A flag is a name.
        let words =
            text.split_inclusive(char::is_whitespace).filter(|word| !word.starts_with("--"));
        reader.read(&place, &words.collect::<String>());
    }
}

#[track_caller]
fn assert_plain(reader: Reader) {
    if let Err(found) = reader.ended() {
        panic!("{found}");
    }
}

#[test]
fn help_is_in_plain_words() {
    let mut reader = Reader::default();
    read(&mut reader, &["--help"], false);
    let verbs =
        ["run", "train", "verify", "report", "compare", "measure", "bench", "list", "show", "eval"];
    let help = Scratch::new().fovea(&["--help"]).fine();
    let listed = |line: &&str| line.starts_with("  ") && line[2..].starts_with(char::is_lowercase);
    // Every verb and `help`.
    assert_eq!(help.lines().filter(listed).count(), verbs.len() + 1, "{help}");
    for verb in verbs {
        read(&mut reader, &[verb, "--help"], false);
    }
    for row in experiments::ALL.iter() {
        read(&mut reader, &["run", row.name, "--help"], false);
    }
    assert_plain(reader);
}

#[test]
fn lists_and_items_are_in_plain_words() {
    let mut reader = Reader::default();
    // The plain list counts claims and names everything else.
    read(&mut reader, &["list"], true);
    read(&mut reader, &["list", "claims"], true);
    let items = catalogue();
    let mut last = "";
    for item in &items {
        if item.kind != last {
            read(&mut reader, &["show", item.name], true);
            last = item.kind;
        }
    }
    assert_plain(reader);
}
