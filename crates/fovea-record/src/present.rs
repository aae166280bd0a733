//! How an experiment's report is put together: figures, claims, the summary and the settings, always in that order.

use crate::claim::Claim;
use fovea_core::params::{Assignments, Field, Schema};
use fovea_page::figure::Figure;
use fovea_page::report::{Block, Report};
use fovea_page::table::Table;

/// The words of a report that the experiment itself supplies.
pub struct Words<'a> {
    /// Heading of the page.
    pub title: &'a str,
    /// Question and answer in a sentence or two.
    pub lead: &'a str,
    /// Caption of the figures.
    pub caption: &'a str,
    /// Formulas of the theory, in TeX.
    pub formulas: &'a [&'a str],
}

/// The report of an experiment: its figures, its claims, the blocks it has of its own, such as tables, and its settings.
pub fn report<S: Schema>(
    words: &Words<'_>,
    settings: &S,
    figures: &[(&'static str, Figure)],
    claims: &[Claim],
    blocks: Vec<Block>,
) -> Report {
    put_together(words, (&settings.values(), &S::schema()), figures, claims, blocks)
}

/// The same, compiled once for all settings.
fn put_together(
    words: &Words<'_>,
    (values, meanings): (&Assignments, &[Field]),
    figures: &[(&'static str, Figure)],
    claims: &[Claim],
    blocks: Vec<Block>,
) -> Report {
    let mut report = Report::new(words.title, words.lead);
    for (name, figure) in figures {
        let files = [format!("figures/{name}.svg"), format!("figures/{name}.png")];
        report = report.with(Block::figure(figure, words.caption, files));
    }
    let compares = !words.formulas.is_empty() || !claims.is_empty();
    report =
        report.with(Block::heading(if compares { "Theory and simulation" } else { "Numbers" }));
    for tex in words.formulas {
        report = report.with(Block::math(*tex));
    }
    if !claims.is_empty() {
        report = report.with(claims_table(claims));
    }
    for block in blocks {
        report = report.with(block);
    }
    let rows = values.iter().zip(meanings).map(|((name, value), field)| {
        let unit = if field.unit.is_empty() { String::new() } else { format!(" {}", field.unit) };
        (name.clone(), format!("{value}{unit}"), field.doc.to_owned())
    });
    report.with(Block::heading("Settings")).with(Block::parameters(rows))
}

/// The name of the table of claims, which a terminal shows claim by claim in words.
pub const CLAIMS: &str = "claims";

fn claims_table(claims: &[Claim]) -> Block {
    let sampled = |claim: &Claim| claim.digits.is_none() && claim.cases.is_none();
    let if_sampled = |claim: &Claim, x: f64| if sampled(claim) { x } else { f64::NAN };
    let table = Table::of(CLAIMS, claims)
        .words("claim", |claim| claim.id)
        .words("statement", |claim| claim.statement.clone())
        .words("evidence", |claim| claim.evidence.word())
        .digits("predicted", 4, |claim| claim.predicted)
        .digits("measured", 4, |claim| claim.measured)
        .digits("std_err", 4, |claim| if_sampled(claim, claim.se))
        .digits("z", 3, |claim| if_sampled(claim, claim.z))
        .digits("limit", 3, |claim| if_sampled(claim, claim.limit))
        .real("digits", 1, |claim| claim.digits.unwrap_or(f64::NAN))
        .words("cases", |claim| {
            claim.cases.map_or(String::new(), |c| format!("{} of {}", c.hits, c.trials))
        })
        .digits("resolution", 3, |claim| claim.resolution)
        .words("status", Claim::status);
    let remarks = claims.iter().filter_map(|claim| match (claim.why(), &claim.control) {
        (Some(why), _) => Some(format!("{} is unchecked: {why}.", claim.id)),
        (None, Some(control)) => Some(format!("{} {}.", claim.id, claim.rejection(control))),
        (None, None) => None,
    });
    let intro = "Where a claim covers many numbers, the pair furthest apart is shown; the resolution is the \
                 relative error in the prediction that the check would notice.";
    let caption = [intro.to_owned()].into_iter().chain(remarks).collect::<Vec<_>>().join(" ");
    Block::Data(table.caption(caption))
}

/// A number to four significant digits, or a dash for none.
pub fn number(x: f64) -> String {
    if x.is_nan() {
        return "\u{2013}".to_owned();
    }
    // Zero has no digits, and no sign either.
    if x == 0.0 {
        return "0.000".to_owned();
    }
    let digits = libm::floor(libm::log10(x.abs()));
    if (-4.0..4.0).contains(&digits) {
        format!("{x:.*}", (3.0 - digits).max(0.0) as usize)
    } else {
        format!("{x:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_four_digits_wherever_they_lie() {
        for (x, text) in [
            (0.0, "0.000"),
            (-0.0, "0.000"),
            (0.41932, "0.4193"),
            (-12.3456, "-12.35"),
            (8.5527e-5, "8.553e-5"),
            (1e9, "1.000e9"),
        ] {
            assert_eq!(number(x), text);
        }
    }
}
