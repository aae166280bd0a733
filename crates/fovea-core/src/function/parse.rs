//! From typed text to a tree: `+ - * / ^`, numbers, `x`, parentheses and named functions.

use super::expression::{Binary, Named, Node};
use super::{MAX_NODES, Trouble};
use crate::activation::ALL;
use crate::params::nearest;

/// The function that is written as this word.
fn named(word: &str) -> Option<Named> {
    let entry = ALL.iter().find(|entry| entry.name.replace('-', "_") == word);
    entry
        .map(|entry| Named::Entry(entry))
        .or_else(|| Named::OTHERS.iter().find(|(name, _)| *name == word).map(|(_, named)| *named))
}

/// The names of all of them.
pub(super) fn functions() -> Vec<String> {
    let others = Named::OTHERS.iter().map(|(name, _)| *name);
    ALL.iter().map(|entry| entry.name).chain(others).map(|name| name.replace('-', "_")).collect()
}

/// Reads a whole expression.
pub(super) fn parse(text: &str) -> Result<Node, Trouble> {
    let mut reader = Reader { text: text.chars().collect(), at: 0, nodes: 0 };
    let node = reader.sum()?;
    match reader.peek() {
        None => Ok(node),
        Some(')') => Err(reader.trouble("this parenthesis was never opened", "leave it out")),
        Some(_) => {
            Err(reader
                .trouble("an operator should stand here", "write one of + - * / ^, as in `2*x`"))
        }
    }
}

struct Reader {
    text: Vec<char>,
    at: usize,
    nodes: usize,
}

impl Reader {
    /// The next character that is not a blank.
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    /// Takes the next character if it is this one.
    fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        self.at += usize::from(there);
        there
    }

    /// An error at the current place.
    fn trouble(&self, what: impl Into<String>, hint: impl Into<String>) -> Trouble {
        Trouble { at: Some(self.at), what: what.into(), hint: hint.into() }
    }

    /// Counts a part of the expression before it is parsed: an unbounded tree would overflow the stack.
    fn count(&mut self) -> Result<(), Trouble> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let what = format!("the expression has more than {MAX_NODES} parts");
            return Err(self.trouble(what, "write a shorter one"));
        }
        Ok(())
    }

    /// `term (+|- term)*`
    fn sum(&mut self) -> Result<Node, Trouble> {
        let mut left = self.product()?;
        loop {
            let operation = match self.peek() {
                Some('+') => Binary::Plus,
                Some('-') => Binary::Minus,
                _ => return Ok(left),
            };
            self.at += 1;
            self.count()?;
            let right = self.product()?;
            left = Node::Two(operation, Box::new(left), Box::new(right));
        }
    }

    /// `factor (*|/ factor)*`
    fn product(&mut self) -> Result<Node, Trouble> {
        let mut left = self.signed()?;
        loop {
            let operation = match self.peek() {
                Some('*') => Binary::Times,
                Some('/') => Binary::Over,
                _ => return Ok(left),
            };
            self.at += 1;
            self.count()?;
            let right = self.signed()?;
            left = Node::Two(operation, Box::new(left), Box::new(right));
        }
    }

    /// A power, or minus one: `-x^2` is `-(x^2)`.
    fn signed(&mut self) -> Result<Node, Trouble> {
        if self.take('-') {
            self.count()?;
            return Ok(Node::Minus(Box::new(self.signed()?)));
        }
        if self.take('+') {
            self.count()?;
            return self.signed();
        }
        let base = self.atom()?;
        if self.take('^') {
            self.count()?;
            let exponent = self.signed()?;
            return Ok(Node::Two(Binary::Power, Box::new(base), Box::new(exponent)));
        }
        Ok(base)
    }

    /// A number, `x`, a function of something, or something in parentheses.
    fn atom(&mut self) -> Result<Node, Trouble> {
        match self.peek() {
            Some('(') => self.parenthesis(),
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.word(),
            Some(c) => Err(self.trouble(
                format!("`{c}` cannot stand here"),
                "a number, `x`, a function or `(` should",
            )),
            None => Err(self.trouble(
                "the expression ends too early",
                "a number, `x`, a function or `(` should follow",
            )),
        }
    }

    /// The part between parentheses.
    fn parenthesis(&mut self) -> Result<Node, Trouble> {
        self.count()?;
        let open = self.at;
        self.at += 1;
        let inside = self.sum()?;
        if self.take(')') {
            return Ok(inside);
        }
        if self.peek().is_some() {
            return Err(self.trouble("an operator or `)` should stand here", "correct this place"));
        }
        self.at = open;
        Err(self.trouble("this parenthesis is never closed", "add `)`"))
    }

    fn number(&mut self) -> Result<Node, Trouble> {
        let start = self.at;
        let digits = |reader: &mut Self| {
            while reader.text.get(reader.at).is_some_and(char::is_ascii_digit) {
                reader.at += 1;
            }
        };
        digits(self);
        if self.text.get(self.at) == Some(&'.') {
            self.at += 1;
            digits(self);
        }
        if matches!(self.text.get(self.at), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.text.get(self.at + 1), Some('+' | '-')));
            if self.text.get(self.at + 1 + sign).is_some_and(char::is_ascii_digit) {
                self.at += 1 + sign;
                digits(self);
            }
        }
        let text: String = self.text[start..self.at].iter().collect();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Node::Number(number)),
            _ => {
                self.at = start;
                Err(self
                    .trouble(format!("`{text}` is not a number"), "write one such as 0.5 or 1e-3"))
            }
        }
    }

    /// The activation whose name stands here with hyphens, as lists show it.
    fn hyphenated(&self, start: usize) -> Option<&'static str> {
        let mut names = ALL.iter().map(|entry| entry.name).filter(|name| name.contains('-'));
        names.find(|name| {
            let rest = self.text.get(start..).unwrap_or_default();
            let word = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == '-');
            word.copied().eq(name.chars())
        })
    }

    fn word(&mut self) -> Result<Node, Trouble> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_') {
            self.at += 1;
        }
        let word: String = self.text[start..self.at].iter().collect();
        match word.as_str() {
            "x" => return Ok(Node::X),
            "pi" => return Ok(Node::Number(std::f64::consts::PI)),
            _ => {}
        }
        let Some(function) = named(&word) else {
            self.at = start;
            let functions = functions();
            let names: Vec<&str> = functions.iter().map(String::as_str).collect();
            let hint = match nearest(&word, &names) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("there are x, pi, {}", names.join(", ")),
            };
            return Err(self.trouble(format!("there is no function `{word}`"), hint));
        };
        if self.peek() != Some('(') {
            if let Some(name) = self.hyphenated(start) {
                self.at = start;
                return Err(self.trouble(
                    format!("`{name}` reads as a difference"),
                    format!("write `{}`", name.replace('-', "_")),
                ));
            }
            let hint = format!("write `{word}(x)`");
            return Err(self.trouble(format!("the argument of `{word}` should stand here"), hint));
        }
        Ok(Node::Call(function, Box::new(self.parenthesis()?)))
    }
}
