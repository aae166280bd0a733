//! Removes code for tests alone from a file.

use super::tokens::Token;

/// Words that begin an item which ends with its braces or a semicolon.
const ITEMS: [&str; 12] = [
    "mod",
    "fn",
    "struct",
    "enum",
    "union",
    "impl",
    "trait",
    "unsafe",
    "async",
    "extern",
    "macro_rules",
    "const",
];
/// Words that begin an item which ends with a semicolon only.
const STATEMENTS: [&str; 4] = ["use", "static", "type", "let"];

/// A file without its tests, and the items that were removed, with their attributes.
pub(super) fn without_tests(tokens: &[Token]) -> (Vec<Token>, Vec<Vec<Token>>) {
    let (mut kept, mut cut) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        let (mut after, mut tests) = (at, false);
        while let Some(end) = attribute(tokens, after) {
            tests |= is_of_tests(&tokens[after..end]);
            after = end;
        }
        if tests && tokens[at + 1].text == "!" {
            return (Vec::new(), cut);
        }
        let end = if tests { end_of_item(tokens, after) } else { after.max(at + 1) };
        if tests {
            cut.push(tokens[at..end].to_vec());
        } else {
            kept.extend_from_slice(&tokens[at..end]);
        }
        at = end;
    }
    (kept, cut)
}

/// Where the attribute that begins at `at` ends.
fn attribute(tokens: &[Token], at: usize) -> Option<usize> {
    let text = |at: usize| tokens.get(at).map(|token| token.text.as_str());
    let inner = usize::from(text(at + 1) == Some("!"));
    if text(at) != Some("#") || text(at + 1 + inner) != Some("[") {
        return None;
    }
    Some(end_of_group(tokens, at + 1 + inner))
}

/// Where the group that opens at `at` ends.
fn end_of_group(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate().skip(at) {
        depth += nesting(token);
        if depth == 0 {
            return place + 1;
        }
    }
    tokens.len()
}

/// One for what opens a group, minus one for what closes it.
pub(super) fn nesting(token: &Token) -> i32 {
    match token.text.as_str() {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// Whether an attribute makes its item for tests only.
fn is_of_tests(attribute: &[Token]) -> bool {
    let text: String = attribute.iter().map(|token| token.text.as_str()).collect();
    let text = text.replacen('!', "", 1);
    text == "#[test]" || text == "#[cfg(test)]" || text.starts_with("#[cfg(all(test")
}

/// Where the item that begins at `at`, after its attributes, ends.
fn end_of_item(tokens: &[Token], at: usize) -> usize {
    let mut first = at;
    if tokens.get(first).is_some_and(|token| token.text == "pub") {
        first += 1;
        if tokens.get(first).is_some_and(|token| token.text == "(") {
            first = end_of_group(tokens, first);
        }
    }
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let constant = word(first) == "const" && word(first + 2) == ":";
    let statement = constant || STATEMENTS.contains(&word(first));
    let item = ITEMS.contains(&word(first));
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate().skip(at) {
        depth += nesting(token);
        if depth < 0 {
            return place;
        }
        let ends = match token.text.as_str() {
            ";" => true,
            "}" => !statement,
            "," => !statement && !item,
            _ => false,
        };
        if depth == 0 && ends {
            return place + 1;
        }
    }
    tokens.len()
}
