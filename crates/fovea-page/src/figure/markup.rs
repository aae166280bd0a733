//! The small markup of labels: variables, scripts and signs.
//!
//! Outside dollars text is upright and literal. Between dollars Latin and lower-case Greek letters are italic, `_` and `^` set
//! scripts (one character or a `{group}`), `\xi` and its kind name a sign, `\mathrm{...}` stays upright, `\hat`, `\tilde`,
//! `\bar` and `\dot` set accents, `\mathbb{E}` and `\mathcal{L}` are known, `-` is a true minus and spaces are kept as written: `"IPR of $w_k$"`, `"$\xi_+ = 2$"`, `"$10^{-3}$"`. `\$` is a dollar.

/// Size of a script relative to its base.
pub(super) const SCRIPT_SIZE: f64 = 0.72;

/// Where a run sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Base,
    Sub,
    Sup,
}

impl Script {
    /// Offset of the baseline in em of the base, downwards.
    pub(super) fn shift(self) -> f64 {
        match self {
            Script::Base => 0.0,
            Script::Sub => 0.22,
            Script::Sup => -0.36,
        }
    }
}

/// A stretch of text set one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) italic: bool,
    pub(super) script: Script,
    /// Whether the text is an accent over the letter before it, taking no width of its own.
    pub(super) accent: bool,
}

/// Names of signs, as TeX has them.
#[rustfmt::skip]
const SIGNS: [(&str, char); 56] = [
    ("alpha", 'α'), ("beta", 'β'), ("gamma", 'γ'), ("delta", 'δ'), ("epsilon", 'ε'), ("varepsilon", 'ε'), ("zeta", 'ζ'), ("eta", 'η'),
    ("theta", 'θ'), ("iota", 'ι'), ("kappa", 'κ'), ("lambda", 'λ'), ("mu", 'μ'), ("nu", 'ν'), ("xi", 'ξ'), ("pi", 'π'),
    ("rho", 'ρ'), ("sigma", 'σ'), ("tau", 'τ'), ("phi", 'φ'), ("varphi", 'φ'), ("chi", 'χ'), ("psi", 'ψ'), ("omega", 'ω'),
    ("Gamma", 'Γ'), ("Delta", 'Δ'), ("Theta", 'Θ'), ("Lambda", 'Λ'), ("Xi", 'Ξ'), ("Pi", 'Π'), ("Sigma", 'Σ'), ("Phi", 'Φ'),
    ("Psi", 'Ψ'), ("Omega", 'Ω'), ("times", '×'), ("cdot", '·'), ("pm", '±'), ("approx", '≈'), ("sim", '∼'), ("propto", '∝'),
    ("le", '≤'), ("ge", '≥'), ("ne", '≠'), ("ll", '≪'), ("gg", '≫'), ("infty", '∞'), ("partial", '∂'), ("nabla", '∇'),
    ("sum", '∑'), ("to", '→'), ("langle", '⟨'), ("rangle", '⟩'), ("top", '⊤'), ("ell", 'ℓ'), ("in", '∈'), ("sqrt", '√'),
];

/// Reads the markup. Neighbouring pieces set alike are one run.
pub(super) fn runs(source: &str) -> Vec<Run> {
    let mut reader = Reader { out: Vec::new(), rest: source, depth: 0 };
    reader.upright();
    reader.out
}

/// The deepest nesting that is read as such; what lies deeper is shown as it is written.
const DEEPEST: usize = 100;

struct Reader<'a> {
    out: Vec<Run>,
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn push(&mut self, c: char, italic: bool, script: Script) {
        match self.out.last_mut() {
            Some(run) if run.italic == italic && run.script == script && !run.accent => {
                run.text.push(c);
            }
            _ => self.out.push(Run { text: c.into(), italic, script, accent: false }),
        }
    }

    fn upright(&mut self) {
        while let Some(c) = self.next() {
            match c {
                '\\' if self.rest.starts_with('$') => {
                    self.next();
                    self.push('$', false, Script::Base);
                }
                '$' => while self.atom(Script::Base, false, '$') {},
                c => self.push(c, false, Script::Base),
            }
        }
    }

    /// One piece of mathematics; false at `end` or at the end of the text.
    fn atom(&mut self, script: Script, roman: bool, end: char) -> bool {
        let Some(c) = self.next() else { return false };
        if c == end {
            return false;
        }
        if self.depth == DEEPEST {
            self.push(c, false, script);
            return true;
        }
        self.depth += 1;
        match c {
            '_' => self.argument(Script::Sub, roman, end),
            '^' => self.argument(Script::Sup, roman, end),
            '{' => while self.atom(script, roman, '}') {},
            '\\' => self.command(script, roman),
            '-' => self.push('−', false, script),
            c => {
                let slanted = c.is_ascii_alphabetic() || ('α'..='ω').contains(&c) || c == 'ℓ';
                self.push(c, slanted && !roman, script);
            }
        }
        self.depth -= 1;
        true
    }

    /// Drops the space that only ended a command's name, as in `\langle w`; relations and closing signs keep theirs.
    fn close_up(&mut self, sign: char) {
        let wanted = "≈∼∝≤≥≠≪≫→∈⟩⊤∞".contains(sign);
        if let Some(rest) = self.rest.strip_prefix(' ')
            && rest.starts_with(|c: char| c.is_alphanumeric() || c == '\\')
            && !wanted
        {
            self.rest = rest;
        }
    }

    /// The next letter in another alphabet; a letter that alphabet lacks stays as it is.
    fn letter(&mut self, script: Script, from: &str, to: &str) {
        self.rest = self.rest.trim_start_matches(['{', ' ']);
        if let Some(c) = self.next() {
            let other = from.chars().zip(to.chars()).find(|pair| pair.0 == c);
            self.push(other.map_or(c, |pair| pair.1), false, script);
        }
        self.rest = self.rest.strip_prefix('}').unwrap_or(self.rest);
    }

    /// The next piece with an accent over its last letter.
    fn accent(&mut self, script: Script, roman: bool, mark: char) {
        self.atom(script, roman, '\0');
        let script = self.out.last().map_or(script, |run| run.script);
        self.out.push(Run { text: mark.into(), italic: false, script, accent: true });
    }

    fn argument(&mut self, script: Script, roman: bool, end: char) {
        if !self.rest.starts_with(end) {
            self.atom(script, roman, '\0');
        }
    }

    fn command(&mut self, script: Script, roman: bool) {
        let length = self.rest.chars().take_while(char::is_ascii_alphabetic).count();
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        match name {
            "" => match self.next() {
                Some(',') => self.push('\u{2009}', false, script),
                Some(c) => self.push(c, false, script),
                None => {}
            },
            "mathrm" | "text" | "operatorname" => {
                self.atom(script, true, '\0');
            }
            "mathbb" => self.letter(script, "CENPRZ", "ℂ𝔼ℕℙℝℤ"),
            "mathcal" => self.letter(script, "L", "ℒ"),
            "hat" => self.accent(script, roman, 'ˆ'),
            "tilde" => self.accent(script, roman, '˜'),
            "bar" => self.accent(script, roman, '¯'),
            "dot" => self.accent(script, roman, '˙'),
            _ => match SIGNS.iter().find(|sign| sign.0 == name) {
                Some(&(_, c)) => {
                    self.push(c, ('α'..='ω').contains(&c) && !roman, script);
                    self.close_up(c);
                }
                None => name.chars().for_each(|c| self.push(c, false, script)),
            },
        }
    }
}

/// The label without its markup, for titles that cannot be styled.
pub(super) fn plain(source: &str) -> String {
    runs(source).into_iter().filter(|run| !run.accent).map(|run| run.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(source: &str) -> String {
        let script = |s| match s {
            Script::Base => "",
            Script::Sub => "_",
            Script::Sup => "^",
        };
        let slope = |italic| if italic { "/" } else { "" };
        let show = |r: Run| format!("[{}{}{}]", script(r.script), slope(r.italic), r.text);
        runs(source).into_iter().map(show).collect::<Vec<_>>().concat()
    }

    #[test]
    fn markup_reads_as_documented() {
        assert_eq!(shape("IPR of $w_k$"), "[IPR of ][/w][_/k]");
        assert_eq!(shape(r"$\xi_+ = 2$"), "[/ξ][_+][ = 2]");
        assert_eq!(shape("$10^{-3}$"), "[10][^−3]");
        assert_eq!(shape(r"$w_{\mathrm{max}}^2$"), "[/w][_max][^2]");
        assert_eq!(shape(r"5 \$ & a_b - c"), "[5 $ & a_b - c]");
        assert_eq!(shape(r"$\langle w, x\rangle$"), "[⟨][/w][, ][/x][⟩]");
        assert_eq!(shape(r"$\hat\lambda_k \le \mathbb{E}$"), "[/λ][ˆ][_/k][ ≤ 𝔼]");
    }

    #[test]
    fn broken_markup_still_shows_its_text() {
        for source in ["$x_", "$x^{2", "$\\", "$\\unknown{a}$", "$x_$", "a $", "$_{}$"] {
            let _ = shape(source);
        }
        assert_eq!(plain("$\\unknown$"), "unknown");
    }
}
