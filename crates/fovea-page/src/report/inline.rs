//! The markup of running text: `$formula$` and `` `code` ``, with `\$` for a dollar and `` \` `` for a backquote.

use super::math::Typesetter;
use crate::figure::escape;

/// Running text as HTML. A dollar or backquote without its partner is literal.
pub(super) fn html(text: &str, typesetter: &mut Typesetter) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['$', '`', '\\']) {
        out.push_str(&escape(&rest[..at]));
        let mark = &rest[at..=at];
        let after = &rest[at + 1..];
        if mark == "\\" {
            let literal = after.chars().next().filter(|c| "$`".contains(*c));
            out.push(literal.unwrap_or('\\'));
            rest = &after[literal.map_or(0, char::len_utf8)..];
            continue;
        }
        let Some(end) = closing(after, mark) else {
            out.push_str(mark);
            rest = after;
            continue;
        };
        let inside = &after[..end];
        match if mark == "$" { typesetter.mathml(inside, false) } else { None } {
            Some(mathml) => out.push_str(&mathml),
            None => out.extend(["<code>", &escape(inside), "</code>"]),
        }
        rest = &after[end + 1..];
    }
    out.push_str(&escape(rest));
    out
}

/// Where the partner of `mark` stands; a formula may hold an escaped dollar.
fn closing(text: &str, mark: &str) -> Option<usize> {
    let escaped = |at: usize| mark == "$" && text[..at].ends_with('\\');
    text.match_indices(mark).map(|(at, _)| at).find(|at| *at > 0 && !escaped(*at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        html(text, &mut Typesetter::new())
    }

    #[test]
    fn text_code_and_formulas_are_told_apart() {
        assert_eq!(show("a < b & c"), "a &lt; b &amp; c");
        assert_eq!(show("run `a <b>` now"), "run <code>a &lt;b&gt;</code> now");
        assert!(show("so $x^2$.").contains("<msup>"));
    }

    #[test]
    fn lone_and_escaped_marks_are_literal() {
        assert_eq!(show("costs 5 $"), "costs 5 $");
        assert_eq!(show(r"\$5 and \$6, a\b"), r"$5 and $6, a\b");
        assert_eq!(show("a ` b"), "a ` b");
    }

    #[test]
    fn a_formula_that_cannot_be_read_is_shown_and_reported() {
        let mut typesetter = Typesetter::new();
        assert_eq!(html(r"$\frac{<$", &mut typesetter), r"<code>\frac{&lt;</code>");
        assert_eq!(typesetter.faults.len(), 1);
    }
}
