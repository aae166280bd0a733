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

    /// The formula as MathML; none, and a fault on record, where it cannot be read.
    pub(super) fn mathml(&mut self, tex: &str, block: bool) -> Option<String> {
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
