//! A source file as words and marks, with comments dropped and literals marked.

/// A word, a literal, `::` or one other character, and its line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) line: usize,
}

impl Token {
    /// Whether this is a name or a keyword; literals begin with a quote.
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < chars.len() {
        let rest = &chars[at..];
        let (length, kept) = match rest[0] {
            c if c.is_whitespace() => (1, false),
            '/' if rest.get(1) == Some(&'/') => (until(rest, |c| c == '\n'), false),
            '/' if rest.get(1) == Some(&'*') => (block_comment(rest), false),
            '\'' => quote(rest),
            '"' => (literal(rest), true),
            ':' if rest.get(1) == Some(&':') => (2, true),
            c if c.is_alphanumeric() || c == '_' => word(rest),
            _ => (1, true),
        };
        let length = length.min(rest.len());
        if kept {
            tokens.push(Token { text: spelled(&rest[..length]), line });
        }
        line += rest[..length].iter().filter(|&&c| c == '\n').count();
        at += length;
    }
    tokens
}

/// A token's text; of a string with a prefix or hashes the inside between quotes is kept.
fn spelled(chars: &[char]) -> String {
    let text: String = chars.iter().collect();
    match (text.find('"'), text.rfind('"')) {
        (Some(first), Some(last)) if last > first => text[first..=last].to_owned(),
        _ => text.strip_prefix("r#").map_or_else(|| text.clone(), ToOwned::to_owned),
    }
}

/// The number of characters before the first that `ends`.
fn until(chars: &[char], ends: impl Fn(char) -> bool) -> usize {
    chars.iter().position(|&c| ends(c)).unwrap_or(chars.len())
}

/// The length of a comment in `/* */`, others inside it included.
fn block_comment(chars: &[char]) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (at, depth) = (at + 2, depth + 1),
            ('*', Some('/')) => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// A character in quotes, or the mark of a lifetime; neither is kept.
fn quote(chars: &[char]) -> (usize, bool) {
    match (chars.get(1), chars.get(2)) {
        (Some('\\'), _) => (3 + until(&chars[3.min(chars.len())..], |c| c == '\'') + 1, false),
        (Some(_), Some('\'')) => (3, false),
        _ => (1, false),
    }
}

/// The length of a string from its first quote on.
fn literal(chars: &[char]) -> usize {
    let mut at = 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// A name, a number, or a string with a prefix (`b"…"`, `r#"…"#`).
fn word(chars: &[char]) -> (usize, bool) {
    let length = until(chars, |c| !(c.is_alphanumeric() || c == '_'));
    let prefix: String = chars[..length].iter().collect();
    let hashes = until(&chars[length..], |c| c != '#');
    let after = chars.get(length + hashes);
    match prefix.as_str() {
        "r" | "br" | "cr" if after == Some(&'"') => (length + raw(&chars[length..], hashes), true),
        "b" | "c" if chars.get(length) == Some(&'"') => (length + literal(&chars[length..]), true),
        "b" if chars.get(length) == Some(&'\'') => (length + quote(&chars[length..]).0, false),
        "r" if hashes == 1 => {
            (length + 1 + until(&chars[length + 1..], |c| !(c.is_alphanumeric() || c == '_')), true)
        }
        _ => (length, true),
    }
}

/// The length of a raw string from its hashes on: no escapes, closed by the same number of hashes.
fn raw(chars: &[char], hashes: usize) -> usize {
    let mut at = hashes + 1;
    while at < chars.len() {
        if chars[at] == '"' && until(&chars[at + 1..], |c| c != '#') >= hashes {
            return at + 1 + hashes;
        }
        at += 1;
    }
    at
}
