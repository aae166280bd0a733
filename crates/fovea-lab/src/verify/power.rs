//! What the checks noticed when something was put wrong: the tables of mutations.

use super::finding::literal;
use super::table::counted_in;
use fovea_checks::check::Comparison;
use fovea_checks::check::Slip;
use fovea_checks::check::comparison::Moved;
use fovea_page::table::Table;
use fovea_record::claim::{Claim, Decision};

/// What one comparison noticed when something was put wrong.
pub struct Power {
    /// The check it belongs to.
    pub check: &'static str,
    /// The clauses it decides.
    pub ids: &'static [&'static str],
    /// Every slip that moves one of its predictions, and the claim with that slip, which must fail.
    pub slips: Vec<(Slip, Claim)>,
    /// How many errors were noticed when every prediction was moved by itself.
    pub moved: Vec<Moved>,
}

impl Power {
    /// Of this comparison.
    pub fn of(check: &'static str, comparison: &Comparison) -> Self {
        let slips = comparison.slips().into_iter().map(|(slip, _, claim)| (slip, claim)).collect();
        Self { check, ids: comparison.ids, slips, moved: comparison.moved() }
    }
}

/// A slip in a check.
struct Slipped<'a> {
    power: &'a Power,
    slip: &'a Slip,
    claim: &'a Claim,
}

/// Every slip of every check, and whether it was caught.
pub(super) fn slips<'p>(powers: &'p [Power]) -> Table {
    let of = |power: &'p Power| {
        power.slips.iter().map(move |(slip, claim)| Slipped { power, slip, claim })
    };
    let rows: Vec<Slipped> = powers.iter().flat_map(of).collect();
    let caught = |row: &Slipped| match row.claim.decision() {
        Decision::Fail => "caught",
        _ => "not noticed here",
    };
    Table::of("slips", &rows)
        .words("check", |row| row.power.check)
        .words("clauses", |row| row.power.ids.join(", "))
        .words("put_wrong", |row| literal(&format!("{}: {}", row.slip.form, row.slip.what)))
        .words("outcome", caught)
        .digits("distance", 2, |row| row.claim.z.abs())
        .digits("limit", 2, |row| row.claim.limit)
        .words("counted_in", |row| counted_in(row.claim))
        .caption(
            "Each closed form that a check asks for is put wrong, and the check run again: it is caught where the distance is beyond \
             the limit. What one comparison does not notice is noticed by another of the same check.",
        )
}

/// A group of predictions that were moved one at a time.
struct Group<'a> {
    power: &'a Power,
    moved: &'a Moved,
}

/// Every prediction of every check moved by itself, and how many of these errors were noticed.
pub(super) fn predictions<'p>(powers: &'p [Power]) -> Table {
    let of = |power: &'p Power| power.moved.iter().map(move |moved| Group { power, moved });
    let rows: Vec<Group> = powers.iter().flat_map(of).collect();
    Table::of("predictions", &rows)
        .words("check", |row| row.power.check)
        .words("clauses", |row| row.power.ids.join(", "))
        .digits("moved_by", 2, |row| row.moved.by)
        .whole("predictions", |row| row.moved.predictions)
        .whole("noticed", |row| row.moved.noticed)
        .words("why", |row| row.moved.why.unwrap_or_default())
        .caption(
            "Each prediction is moved by itself, by this share of its size, and must be noticed; why some are not is said. Comparisons \
             that count cases have none.",
        )
}
