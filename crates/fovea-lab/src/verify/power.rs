//! What the checks noticed when something was put wrong: the table of mutations.

use super::finding::literal;
use fovea_checks::check::Comparison;
use fovea_checks::check::Slip;
use fovea_checks::check::comparison::Moved;
use fovea_page::report::Block;
use fovea_record::claim::{Claim, Decision, whole};

/// What one comparison noticed when something was put wrong.
pub struct Power {
    /// The check it belongs to.
    pub check: &'static str,
    /// The clauses it decides.
    pub ids: &'static [&'static str],
    /// Every slip that moves one of its predictions, and the claim with that slip, which must fail.
    pub slips: Vec<(Slip, Claim)>,
    /// What came of moving every prediction by itself.
    pub moved: Vec<Moved>,
}

impl Power {
    /// Of this comparison.
    pub fn of(check: &'static str, comparison: &Comparison) -> Self {
        let slips = comparison.slips().into_iter().map(|(slip, _, claim)| (slip, claim)).collect();
        Self { check, ids: comparison.ids, slips, moved: comparison.moved() }
    }

    /// Its predictions, moved one at a time, in words.
    fn predictions(&self) -> String {
        let told = |moved: &Moved| {
            let (noticed, of, by) = (moved.noticed, moved.predictions, share(moved.by));
            let why = moved.why.map(|why| format!(" ({why})")).unwrap_or_default();
            format!("{noticed} of {of} noticed when moved by {by}{why}")
        };
        let all: Vec<String> = self.moved.iter().map(told).collect();
        if all.is_empty() { "cases are counted".to_owned() } else { all.join("; ") }
    }
}

/// A relative error, as a percentage where it is not tiny.
fn share(error: f64) -> String {
    if error >= 1e-3 { format!("{:.2} %", 100.0 * error) } else { format!("{error:.0e}") }
}

/// The table: every slip of every check, and what came of it; and every prediction moved by itself.
pub(super) fn mutations(powers: &[Power]) -> Block {
    let header = ["check", "clauses", "put wrong", "what came of it"];
    let rows = powers.iter().flat_map(|power| {
        let clauses = power.ids.join(", ");
        let row = |wrong: String, came: String| {
            [power.check.to_owned(), clauses.clone(), literal(&wrong), literal(&came)]
        };
        let slips = power.slips.iter().map(move |(slip, claim)| {
            let caught = claim.decision() == Decision::Fail;
            let far = match (claim.cases, claim.digits) {
                (Some(cases), _) => format!("{} of {} obey", cases.hits, cases.trials),
                (None, Some(_)) => format!("{} allowed errors off", whole(claim.z.abs())),
                (None, None) => format!("z = {:.1}, limit {:.1}", claim.z, claim.limit),
            };
            let word = if caught { "caught" } else { "not noticed here" };
            (format!("{}: {}", slip.form, slip.what), format!("{word}: {far}"))
        });
        let moved = std::iter::once(("each prediction by itself".to_owned(), power.predictions()));
        slips.chain(moved).map(|(wrong, came)| row(wrong, came)).collect::<Vec<_>>()
    });
    let caption = "Each closed form that a check asks for is put wrong, and the check run again; each prediction is moved by a fixed share \
                   of its size. A slip that one comparison does not notice is noticed by another of the same check.";
    Block::table(header.map(str::to_owned), rows, caption)
}
