//! The texts in the sources: errors, hints, help and captions, those included that no quick run prints.

use super::{assert_plain, files, root};
use crate::plain::Reader;
use std::fs;

/// The literal texts of a source and their lines, without what only tests see at its end.
fn literals(source: &str) -> Vec<(usize, String)> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let (mut rest, mut line, mut found) = (source, 1, Vec::new());
    while let Some(first) = rest.chars().next() {
        let (length, text) = match first {
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), None),
            '"' => {
                let length = quoted(rest);
                (length, Some(spoken(&rest[1..length - 1])))
            }
            'r' if rest.starts_with("r\"") || rest.starts_with("r#\"") => {
                let hashes = rest[1..].find('"').unwrap_or(0);
                let end = format!("\"{}", "#".repeat(hashes));
                let inside = &rest[hashes + 2..];
                let length = inside.find(&end).unwrap_or(inside.len());
                (hashes + 2 + length + end.len(), Some(inside[..length].to_owned()))
            }
            '\'' => (quote(rest), None),
            // A name that ends in r is no raw text.
            c if c.is_alphanumeric() => {
                let other = |c: char| !c.is_alphanumeric() && c != '_';
                (rest.find(other).unwrap_or(rest.len()), None)
            }
            c => (c.len_utf8(), None),
        };
        found.extend(text.map(|text| (line, text)));
        let (read, behind) = rest.split_at(length.min(rest.len()));
        line += read.matches('\n').count();
        rest = behind;
    }
    found
}

/// The length of a text in quotes, from the first of them.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// The length of a character in quotes, or of the mark of a lifetime.
fn quote(text: &str) -> usize {
    let end = |from: usize| text[from..].find('\'').map_or(1, |end| from + end + 1);
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((at, escaped))) => end(at + escaped.len_utf8()),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

/// A text as the program has it, but for escapes other than those of a line.
fn spoken(text: &str) -> String {
    let mut parts = text.split("\\\n");
    let mut said = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| said.push_str(part.trim_start()));
    said.replace("\\n", " | ").replace("\\\"", "\"")
}

/// The literal texts of a source on their lines, a mark behind each. One word alone is a name.
fn on_their_lines(source: &str) -> (usize, String) {
    let (mut text, mut at, mut count) = (String::new(), 1, 0);
    let texts = literals(source).into_iter().filter(|(_, text)| text.trim().contains(' '));
    for (line, literal) in texts {
        let ahead = line.saturating_sub(at);
        text.push_str(&"\n".repeat(ahead));
        text.push_str(&literal);
        text.push_str(" | ");
        at += ahead + literal.matches('\n').count();
        count += 1;
    }
    (count, text)
}

#[test]
fn messages_are_in_plain_words() {
    let root = root();
    let mut reader = Reader::default();
    let mut folders: Vec<_> = fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("src"))
        .filter(|folder| folder.is_dir())
        .collect();
    folders.push(root.join("bindings/python/src"));
    folders.sort();
    let mut count = 0;
    for path in folders.iter().flat_map(|folder| files(folder, "rs")) {
        let place = path.strip_prefix(&root).unwrap().display().to_string();
        // What only tests see: a file or a folder of them.
        if place.contains("tests") || place.contains("_properties") {
            continue;
        }
        let (texts, text) = on_their_lines(&fs::read_to_string(&path).unwrap());
        count += texts;
        reader.read(place, &text);
    }
    assert!(count > 3000, "{count} texts");
    assert_plain(reader);
}

#[test]
fn texts_are_found_wherever_they_stand() {
    let source = "// \"no\"\nlet a = \"one\\\n     two\"; let c = '\"'; f::<'a>(r#\"th\"ree\"#, '\\'', b'x');\nlet four = \"fo\\\"ur\\n\";\n#[cfg(test)]\nmod tests { \"five\" }";
    let source = source.replace("mod tests { \"", "mod tests {\n \"");
    let found = literals(&source);
    let expected = [(2, "onetwo"), (3, "th\"ree"), (4, "fo\"ur | ")];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    let source = source.replace("one", "one name");
    assert_eq!(on_their_lines(&source), (2, "\none nametwo | \n\nfo\"ur |  | ".to_owned()));
}
