//! What a person reads: claims, the published numbers beside ours, and lines for a terminal.

use super::IprVsKurtosis;
use super::heavy::Tails;
use super::late::{self, Late};
use super::recorded::{self, Estimates};
use fovea_desk::error::LabError;
use fovea_desk::ipr_table::{self, Line};
use fovea_desk::published;
use fovea_page::report::Block;
use fovea_record::claim::Claim;

/// Below this excess kurtosis the amplifier must end broader than training.
const CLEAR: f64 = -1.0;

/// Everything that is said about a run.
pub(super) struct Told {
    pub(super) claims: Vec<Claim>,
    pub(super) summary: Vec<String>,
    pub(super) blocks: Vec<Block>,
}

pub(super) fn told(
    settings: &IprVsKurtosis,
    lines: &[Line],
    estimates: &[Estimates],
    late: &[Late],
    tails: &[(Tails, Option<Tails>)],
) -> Result<Told, LabError> {
    let mut rows = Vec::new();
    for line in lines {
        rows.extend(line.published()?);
    }
    for (tail, wide) in tails {
        rows.extend(tail.published(wide.as_ref())?);
        if let Some(wide) = wide {
            rows.extend(wide.published(None)?);
        }
    }
    let mut claims: Vec<Claim> = rows.iter().map(|row| row.claim("published")).collect();
    claims.extend(ipr_table::means_agree(lines)?);
    claims.extend(ipr_table::flows_agree(lines)?);
    for line in lines.iter().filter(|line| line.kurtosis < CLEAR) {
        claims.push(line.outdoes_the_flow()?);
    }
    claims.extend(recorded::claims(estimates)?);
    claims.extend(late::claim(settings, late));
    for (tail, _) in tails {
        claims.extend(tail.claim()?);
    }
    let mut rest = ipr_table::table(lines);
    rest.extend(recorded::table(estimates)?);
    for at in late {
        rest.push(at.in_words(settings)?);
    }
    for tail in tails.iter().flat_map(|(tail, wide)| [Some(tail), wide.as_ref()]).flatten() {
        rest.push(tail.in_words()?);
    }
    let blocks = vec![published::table(&rows)?, Block::Code(rest.join("\n"))];
    let mut summary = published::lines(&rows)?;
    summary.extend(rest);
    Ok(Told { claims, summary, blocks })
}
