//! The paths that a file names, each seen from the module it is in.

use super::cut::nesting;
use super::tokens::Token;

/// A path as written, and where.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    /// The modules of the file around the path, from the file inwards.
    pub(super) inside: Vec<String>,
    /// The parts of the path; `*` is one.
    pub(super) path: Vec<String>,
    /// The name of an import here.
    pub(super) import: Option<String>,
    /// Whether the path is called as a macro.
    pub(super) call: bool,
    /// Its line.
    pub(super) line: usize,
}

/// Every import, and every other path that begins with `crate`, `super` or `self`.
pub(super) fn named(tokens: &[Token]) -> Vec<Named> {
    let mut reader = Reader { tokens, at: 0, inside: Vec::new(), found: Vec::new() };
    let mut depth = 0;
    while let Some(token) = tokens.get(reader.at) {
        match token.text.as_str() {
            "mod" if reader.text(2) == "{" => {
                reader.inside.push((reader.text(1).to_owned(), depth));
                reader.at += 2;
                depth += 1;
            }
            "use" if reader.text(1) != "<" => {
                reader.at += 1;
                reader.tree(Vec::new());
                continue;
            }
            "crate" | "super" | "self" if reader.text(1) == "::" => {
                reader.path();
                continue;
            }
            _ => {
                depth += nesting(token);
                if reader.inside.last().is_some_and(|(_, opened)| *opened == depth) {
                    reader.inside.pop();
                }
            }
        }
        reader.at += 1;
    }
    reader.found
}

/// The macros a file defines.
pub(super) fn macros(tokens: &[Token]) -> impl Iterator<Item = &str> {
    let texts = tokens.windows(3).map(|three| [0, 1, 2].map(|i| three[i].text.as_str()));
    texts.filter(|three| three[..2] == ["macro_rules", "!"]).map(|three| three[2])
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    /// Modules in braces around this place, and the depth at which each begins.
    inside: Vec<(String, i32)>,
    found: Vec<Named>,
}

impl Reader<'_> {
    /// The text of the token `ahead` of this place, or nothing at the end.
    fn text(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", |token| token.text.as_str())
    }

    fn keep(&mut self, path: Vec<String>, import: Option<String>, line: usize) {
        let inside = self.inside.iter().map(|(name, _)| name.clone()).collect();
        let call = self.text(0) == "!";
        self.found.push(Named { inside, path, import, call, line });
    }

    /// A path outside an import; it ends where no name follows.
    fn path(&mut self) {
        let line = self.tokens[self.at].line;
        let mut path = vec![self.text(0).to_owned()];
        self.at += 1;
        while self.text(0) == "::" && self.tokens.get(self.at + 1).is_some_and(Token::is_word) {
            path.push(self.text(1).to_owned());
            self.at += 2;
        }
        self.keep(path, None, line);
    }

    /// One branch of an import, after what stands before its group.
    fn tree(&mut self, before: Vec<String>) {
        let mut path = before;
        loop {
            let Some(token) = self.tokens.get(self.at) else { return };
            let line = token.line;
            match token.text.as_str() {
                "::" | "$" => self.at += 1,
                "{" => return self.group(&path),
                _ => {
                    // `{self}` in a group is the module before it.
                    if token.text != "self" || path.is_empty() {
                        path.push(token.text.clone());
                    }
                    self.at += 1;
                    if self.text(0) != "::" {
                        let import = if self.text(0) == "as" {
                            self.at += 2;
                            self.tokens.get(self.at - 1).map(|token| token.text.clone())
                        } else {
                            path.last().cloned()
                        };
                        return self.keep(path, import, line);
                    }
                }
            }
        }
    }

    /// The branches of a group, which begins here.
    fn group(&mut self, before: &[String]) {
        self.at += 1;
        while !matches!(self.text(0), "}" | "") {
            self.tree(before.to_vec());
            if self.text(0) == "," {
                self.at += 1;
            }
        }
        self.at += 1;
    }
}
