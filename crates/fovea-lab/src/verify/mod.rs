//! Every claim put to the test: which checks run, what each claim came to, and how many of each kind.

mod report;
mod table;

use fovea_checks::check::{self, Check, Effort};
use fovea_checks::claims::{Row, Verdict};
use fovea_core::Value;
use fovea_core::params::Assignments;
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_record::claim::Claim;
use fovea_record::convert::to_json;
use fovea_record::outcome::{Outcome, Series};
use fovea_sim::Watch;
use serde_json::json;

pub use report::report;
pub use table::table;

/// What a claim came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Its check passed.
    Pass,
    /// Its check failed.
    Fail,
    /// It has no check yet, or the check could not tell.
    Unchecked,
    /// There is nothing to test: a definition or an open question.
    Listed,
}

impl Status {
    /// Every status, in the order of summaries.
    pub const ALL: [Self; 4] = [Self::Pass, Self::Fail, Self::Unchecked, Self::Listed];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Unchecked => "unchecked",
            Self::Listed => "listed",
        }
    }
}

/// A claim and what came of it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The claim.
    pub row: &'static Row,
    /// The check that decides it.
    pub check: Option<&'static str>,
    /// Both sides, judged.
    pub claim: Option<Claim>,
    /// What else a reader should know.
    pub remark: Option<String>,
}

impl Finding {
    /// What it came to.
    pub fn status(&self) -> Status {
        match &self.claim {
            Some(claim) => match claim.verdict() {
                fovea_record::claim::Verdict::Pass => Status::Pass,
                fovea_record::claim::Verdict::Fail => Status::Fail,
                fovea_record::claim::Verdict::Unchecked => Status::Unchecked,
            },
            None if self.row.verdict.is_listed() => Status::Listed,
            None => Status::Unchecked,
        }
    }

    /// The finding as one JSON object: the row of `claims.toml`, the status, and where it was checked both sides.
    pub fn to_json(&self) -> serde_json::Value {
        let row = self.row;
        let mut object = json!({
            "id": row.id,
            "document": row.document,
            "equation": row.equation,
            "statement": row.statement,
            "verdict": row.verdict.word(),
            "source": row.source,
            "correct": row.correct,
            "status": self.status().word(),
            "check": self.check,
            "remark": self.remark,
            "compared": null,
            "why": null,
            "source_predicted": null,
            "source_measured": null,
            "source_distance": null,
        });
        for key in [
            "predicted",
            "measured",
            "std_err",
            "z",
            "limit",
            "allowed_error",
            "digits",
            "resolution",
        ] {
            object[key] = serde_json::Value::Null;
        }
        if let Some(claim) = &self.claim {
            let sides = claim.to_json();
            for (key, value) in sides.as_object().into_iter().flatten() {
                match key.as_str() {
                    "id" | "status" | "control" => {}
                    "statement" => object["compared"] = value.clone(),
                    _ => object[key] = value.clone(),
                }
            }
            if let Some(control) = &claim.control {
                object["source_predicted"] = to_json(&control.predicted.into());
                object["source_measured"] = to_json(&control.measured.into());
                object["source_distance"] = to_json(&control.z.abs().into());
            }
        }
        object
    }
}

/// Puts the claims to the test, each check once; `bench` is told how many checks there are and of each that is done.
///
/// # Errors
/// A check cannot compute one of its sides. `None` where it was stopped.
pub fn verify(
    rows: &[&'static Row],
    quick: bool,
    bench: &Bench<'_>,
) -> Result<Option<Vec<Finding>>, LabError> {
    let wanted = |check: &&&'static Check| {
        check.covers.iter().any(|id| rows.iter().any(|row| row.id == **id))
    };
    let checks: Vec<&'static Check> = check::ALL.iter().filter(wanted).copied().collect();
    bench.progress.expect(checks.len() as u64);
    let decide = |check: &&'static Check| {
        let effort = Effort { streams: bench.streams().part(check.name), quick };
        let comparisons = (check.run)(&effort);
        bench.stepped();
        let source = |source| LabError::Check { name: check.name, source: Box::new(source) };
        comparisons.map_err(source)
    };
    let all = |check: &&'static Check| (!bench.stopped()).then(|| decide(check));
    let decided = bench.unless_stopped(|| bench.fleet(&checks, all)).ok();
    let decided: Option<Vec<_>> = decided.and_then(|all| all.into_iter().collect());
    let Some(decided) = decided else { return Ok(None) };
    let mut findings: Vec<Finding> =
        rows.iter().map(|row| Finding { row, check: None, claim: None, remark: None }).collect();
    for (check, comparisons) in checks.iter().zip(decided) {
        for comparison in comparisons? {
            for id in comparison.ids {
                if let Some(finding) = findings.iter_mut().find(|finding| finding.row.id == *id) {
                    finding.check = Some(check.name);
                    finding.claim = Some(comparison.claim(id));
                    finding.remark = comparison.remark();
                }
            }
        }
    }
    Ok(Some(findings))
}

/// What a record of a verification calls its experiment.
pub const EXPERIMENT: &str = "verify";

/// The settings of a verification, as a record keeps them.
pub fn settings(prefixes: &[String], quick: bool) -> Assignments {
    let words = prefixes.iter().map(|prefix| Value::Text(prefix.to_uppercase())).collect();
    vec![("claims".to_owned(), Value::List(words)), ("quick".to_owned(), Value::Bool(quick))]
}

/// The findings as something to record.
pub fn outcome(findings: &[Finding], quick: bool) -> Outcome {
    Outcome {
        status: fovea_record::outcome::Status::Completed,
        dtype: "f64",
        series: Series::default(),
        arrays: Vec::new(),
        claims: findings.iter().filter_map(|finding| finding.claim.clone()).collect(),
        figures: Vec::new(),
        report: report(findings, quick),
        summary: summary(findings),
    }
}

/// How many findings have each verdict and each status, in words.
pub fn summary(findings: &[Finding]) -> Vec<String> {
    let verdicts = Verdict::ALL.map(|verdict| {
        let count = findings.iter().filter(|finding| finding.row.verdict == verdict).count();
        format!("{count} {}", verdict.word())
    });
    let statuses = Status::ALL.map(|status| {
        let count = findings.iter().filter(|finding| finding.status() == status).count();
        format!("{count} {}", status.word())
    });
    let mut lines = vec![
        format!("claims: {} in all, {}", findings.len(), verdicts.join(", ")),
        format!("status: {}", statuses.join(", ")),
    ];
    let bare = |f: &&Finding| f.status() == Status::Unchecked && f.check.is_none();
    match findings.iter().filter(bare).count() {
        0 => {}
        count => lines.push(format!("no check yet: {count}; their verdicts are not tested here")),
    }
    lines
}
