//! TeX to MathML.

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

/// Turns formulas into MathML and remembers those it could not read.
pub(super) struct Typesetter {
    converter: Option<LatexToMathML>,
    pub(super) faults: Vec<String>,
}

impl Typesetter {
    pub(super) fn new() -> Self {
        // The default configuration defines no macros, so there is nothing in it that could fail.
        let converter = LatexToMathML::new(MathCoreConfig::default()).ok();
        Typesetter { converter, faults: Vec::new() }
    }

    /// The formula as MathML; none where it cannot be read, which is remembered as a fault.
    pub(super) fn mathml(&mut self, tex: &str, block: bool) -> Option<String> {
        if depth(tex) > DEEPEST {
            self.faults.push(format!(
                "`{}...`: it is nested too deeply",
                tex.chars().take(40).collect::<String>()
            ));
            return None;
        }
        let display = if block { MathDisplay::Block } else { MathDisplay::Inline };
        match self.converter.as_ref()?.convert_with_local_state(tex.trim(), display) {
            Ok(result) => Some(result.mathml),
            Err(error) => {
                self.faults.push(format!("`{tex}`: {error}"));
                None
            }
        }
    }
}

/// The deepest nesting of a formula that is read: reading is recursive, and the stack is finite.
const DEEPEST: usize = 100;

/// How deeply a formula is nested, or more: groups, brackets and fences count, and commands that follow one another, of which
/// each may be the argument of the one before.
fn depth(tex: &str) -> usize {
    let (mut level, mut chain, mut deepest) = (0_usize, 0, 0);
    let mut rest = tex;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '{' | '[' => level += 1,
            '}' | ']' => (level, chain) = (level.saturating_sub(1), 0),
            '_' | '^' => chain += 1,
            '\\' => {
                let length = rest.chars().take_while(char::is_ascii_alphabetic).count();
                let name = &rest[..length];
                match name {
                    "left" | "begin" => level += 1,
                    "right" | "end" => (level, chain) = (level.saturating_sub(1), 0),
                    _ => chain += 1,
                }
                rest = &rest[length..];
            }
            c if c.is_whitespace() => {}
            _ => chain = 0,
        }
        deepest = deepest.max(level + chain);
    }
    deepest
}
