//! The description of a closed form, read from the head of its file, the only place where it is written.
//!
//! A head holds the summary in one line, the equation in `math` fences, and four sections: `# Source`, `# Symbols` (one point per
//! symbol), `# Holds when` and `# Checked by`. rustdoc shows it unchanged, a terminal as plain text with TeX as `$...$`.

/// The sections, in their order.
const SECTIONS: [&str; 4] = ["# Source", "# Symbols", "# Holds when", "# Checked by"];

/// The separator between two fences of an equation.
const NEXT: &str = r",\qquad ";

/// The lines of the head of a file.
fn head(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim)
}

pub(crate) fn summary(text: &'static str) -> &'static str {
    head(text).next().unwrap_or_default().trim_end_matches('.')
}

pub(crate) fn equation(text: &'static str) -> String {
    let top: Vec<&str> = head(text).take_while(|line| !line.starts_with("# ")).collect();
    let top = top.join("\n");
    let fences = top.split("```math\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    fences.map(|fence| fence.replace('\n', " ")).collect::<Vec<_>>().join(NEXT)
}

/// A section as plain text, a line per point of a list.
pub(crate) fn section(text: &'static str, which: usize) -> String {
    let lines = head(text).skip_while(|line| *line != SECTIONS[which]).skip(1);
    let mut plain = String::new();
    for line in lines.take_while(|line| !line.starts_with("# ")).filter(|line| !line.is_empty()) {
        if !plain.is_empty() {
            plain.push(if line.starts_with("* ") { '\n' } else { ' ' });
        }
        plain.push_str(line);
    }
    plain.replace("$`", "$").replace("`$", "$")
}

pub(crate) fn infinite(text: &'static str) -> bool {
    section(text, 2).contains("inf")
}

pub(crate) fn symbols(text: &'static str) -> Vec<(String, String)> {
    let section = section(text, 1);
    let points = section.lines().filter_map(|line| line.strip_prefix("* ")?.split_once(": "));
    points.map(|(symbol, is)| (symbol.replace(['$', '`'], ""), is.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms;

    const HEAD: &str = "//! A quantity.\n//!\n//! ```math\n//! a=b,\n//! c\n//! ```\n//!\n//! ```math\n//! d\n//! ```\n//!\n\
        //! # Source\n//! Note 000 (7),\n//! corrected.\n//!\n//! # Symbols\n//! * $`a`$: `alpha`, at $`t=0`$\n\
        //! * `out`: the rest\n//!   of it\n//!\n//! # Holds when\n//! `|a| <= 1`.\n//!\n//! # Checked by\n//! Quadrature.\n\n\
        //! no\nuse x;\n";

    /// What a head lacks, or has apart from its parts.
    fn faults(text: &'static str) -> Vec<&'static str> {
        let lines: Vec<&str> = head(text).collect();
        let headings = lines.iter().filter(|line| line.starts_with('#')).copied();
        let summary = lines.first().copied().unwrap_or_default();
        let marked = summary.contains(['`', '$']) || !summary.ends_with('.');
        let top = lines.iter().skip(1).take_while(|line| !line.starts_with("# "));
        let mut fenced = false;
        let stray = top.filter(|line| !line.is_empty()).any(|line| {
            let edge = line.starts_with("```");
            fenced ^= edge;
            !edge && !fenced
        });
        let list = section(text, 1);
        // A shell separates symbols by semicolons.
        let point =
            |line: &str| line.starts_with("* ") && line.contains(": ") && !line.contains("; ");
        let ended = |which| section(text, which).ends_with('.');
        [
            (
                marked || lines.get(1) != Some(&""),
                "the summary is not a plain sentence in one line",
            ),
            (equation(text).trim().is_empty() || fenced, "no equation in a `math` fence"),
            (stray, "words outside the summary, the equation and the sections"),
            (!headings.eq(SECTIONS), "other sections, or in another order"),
            (!ended(0), "`# Source` is not a sentence"),
            (
                list.is_empty() || !list.lines().all(point),
                "`# Symbols` is not a list of `* symbol: meaning` without semicolons",
            ),
            (!ended(2), "`# Holds when` is not a sentence"),
            (!ended(3), "`# Checked by` is not a sentence"),
            (
                lines.iter().any(|line| line.contains("](")),
                "a link, which a terminal cannot follow",
            ),
        ]
        .into_iter()
        .filter_map(|(wrong, fault)| wrong.then_some(fault))
        .collect()
    }

    #[test]
    fn every_form_says_all_that_it_is_in_the_head_of_its_file() {
        let wrong = forms().filter(|form| !faults(form.text).is_empty());
        let wrong: Vec<_> = wrong.map(|form| (form.name, faults(form.text))).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn the_text_of_a_form_is_that_of_its_own_file() {
        for form in forms() {
            assert!(form.text.contains(&format!("    name: \"{}\",", form.name)), "{}", form.name);
        }
    }

    #[test]
    fn the_parts_of_a_head_are_read() {
        assert_eq!(summary(HEAD), "A quantity");
        assert_eq!(equation(HEAD), r"a=b, c,\qquad d");
        assert_eq!(section(HEAD, 0), "Note 000 (7), corrected.");
        let symbols = symbols(HEAD);
        let symbols: Vec<_> = symbols.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(symbols, [("a", "`alpha`, at $t=0$"), ("out", "the rest of it")]);
        assert_eq!(section(HEAD, 2), "`|a| <= 1`.");
        assert_eq!(section(HEAD, 3), "Quadrature.");
        assert!(faults(HEAD).is_empty(), "{:?}", faults(HEAD));
    }

    #[test]
    fn missing_and_superfluous_parts_of_a_head_are_reported() {
        let fault = |from: &str, to: &str| {
            assert!(HEAD.contains(from), "{from}");
            faults(HEAD.replacen(from, to, 1).leak())
        };
        for (from, to, word) in [
            ("A quantity.", "A `quantity`.", "summary"),
            ("A quantity.", "A quantity\n//! of two lines.", "summary"),
            ("//! a=b,\n//! c\n//! ```\n//!\n//! ```math\n//! d\n", "//!\n", "equation"),
            ("//! # Source", "//! With words.\n//!\n//! # Source", "words"),
            ("# Source", "# Sources", "sections"),
            ("corrected.", "corrected", "Source"),
            ("* `out`: the", "* `out` is the", "Symbols"),
            ("the rest", "the rest; and more", "Symbols"),
            ("`|a| <= 1`.", "", "Holds"),
            ("Quadrature.", "", "Checked"),
            ("Quadrature.", "[Quadrature](crate::panels).", "link"),
        ] {
            let said = fault(from, to);
            assert!(said.iter().any(|said| said.contains(word)), "{from:?}: {said:?}");
        }
    }
}
