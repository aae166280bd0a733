//! Every claim tested: which checks run, the outcome of each claim, and how many of each kind there are.

mod calibrate;
pub mod evidence;
mod finding;
mod lines;
mod power;
mod report;
mod table;

use fovea_checks::check::{self, Check, Effort, decide};
use fovea_checks::claims::{Row, Verdict};
use fovea_core::Value;
use fovea_core::params::Assignments;
use fovea_desk::conditions::Conditions;
use fovea_desk::error::LabError;
use fovea_record::claim::Evidence;
use fovea_record::outcome::{Outcome, Series};
use fovea_sim::Watch;

pub use calibrate::{Calibration, FALSE_ALARM, Pair, calibrate};
pub use finding::{Decided, Finding, Status};
pub use lines::lines;
pub use power::Power;
pub use report::report;

/// What a verification found: of every claim, and of the checks themselves.
pub struct Verification {
    /// The outcome of every claim.
    pub findings: Vec<Finding>,
    /// What every comparison noticed when something was put wrong.
    pub powers: Vec<Power>,
}

/// Tests the claims, each check once; `conditions` is told how many checks there are and of each that is done.
///
/// # Errors
/// A check cannot compute one of its sides. `None` where it was stopped.
pub fn verify(
    rows: &[&'static Row],
    quick: bool,
    conditions: &Conditions<'_>,
) -> Result<Option<Verification>, LabError> {
    let asked = |id: &str| rows.iter().any(|row| row.clauses.iter().any(|c| c.id == id));
    let wanted = |check: &&&'static Check| check.covers.iter().any(|id| asked(id));
    let checks: Vec<&'static Check> = check::ALL.iter().filter(wanted).copied().collect();
    conditions.progress.expect(checks.len() as u64);
    let run = |check: &&'static Check| {
        (!conditions.stopped()).then(|| {
            let effort = Effort::new(conditions.streams().part(check.name), quick);
            let comparisons = decide(check, effort);
            conditions.stepped();
            let source = |source| LabError::Check { name: check.name, source: Box::new(source) };
            comparisons.map_err(source)
        })
    };
    let decided = conditions.unless_stopped(|| conditions.fleet(&checks, run)).ok();
    let decided: Option<Vec<_>> = decided.and_then(|all| all.into_iter().collect());
    let Some(decided) = decided else { return Ok(None) };
    let mut findings: Vec<Finding> = rows.iter().map(|row| Finding::undecided(row)).collect();
    let mut powers = Vec::new();
    for (check, comparisons) in checks.iter().zip(decided) {
        for comparison in comparisons? {
            let mut of_these = false;
            for id in comparison.ids {
                let mut clauses = findings.iter_mut().flat_map(|finding| &mut finding.clauses);
                if let Some(decided) = clauses.find(|decided| decided.clause.id == *id) {
                    decided.check = Some(check.name);
                    decided.claim = Some(comparison.claim(id));
                    decided.remark = comparison.remark();
                    of_these = true;
                }
            }
            if of_these {
                powers.push(Power::of(check.name, &comparison));
            }
        }
    }
    evidence::join(&mut findings, evidence::kept());
    Ok(Some(Verification { findings, powers }))
}

/// What a record of a verification calls its experiment.
pub const EXPERIMENT: &str = "verify";

/// The settings of a verification, as a record keeps them.
pub fn settings(prefixes: &[String], quick: bool) -> Assignments {
    let words = prefixes.iter().map(|prefix| Value::Text(prefix.to_uppercase())).collect();
    vec![("claims".to_owned(), Value::List(words)), ("quick".to_owned(), Value::Bool(quick))]
}

/// The findings as something to record.
pub fn outcome(verified: &Verification, quick: bool) -> Outcome {
    let findings = &verified.findings;
    Outcome {
        status: fovea_record::outcome::Status::Completed,
        dtype: "f64",
        series: Series::default(),
        arrays: Vec::new(),
        claims: findings.iter().flat_map(Finding::claims).cloned().collect(),
        figures: Vec::new(),
        report: report(verified, quick),
        summary: summary(findings),
    }
}

/// How many findings have each verdict and each status, and by what those that pass were decided, in words.
pub fn summary(findings: &[Finding]) -> Vec<String> {
    let with = |status| findings.iter().filter(move |finding| finding.status() == status);
    let verdicts = Verdict::ALL.map(|verdict| {
        let count = findings.iter().filter(|finding| finding.row.verdict == verdict).count();
        format!("{count} {}", verdict.word())
    });
    let statuses = Status::ALL.map(|status| format!("{} {}", with(status).count(), status.word()));
    let evidence = Evidence::ALL.map(|kind| {
        let count = with(Status::Pass).filter(|finding| finding.evidence() == Some(kind)).count();
        format!("{count} {}", kind.word())
    });
    let mut lines = vec![
        format!("claims: {} in all, {}", findings.len(), verdicts.join(", ")),
        format!("status: {}", statuses.join(", ")),
        format!("passed by evidence: {}", evidence.join(", ")),
    ];
    match findings.iter().filter(|finding| finding.is_bare()).count() {
        0 => {}
        count => lines.push(format!("no check yet: {count}; their verdicts are not tested here")),
    }
    lines
}
