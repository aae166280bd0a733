//! The outcomes of experiments at their default settings, kept as data, and the clauses that they decide.
//!
//! Some clauses take longer than a check may: an experiment trains for a minute, and `evidence/NAME.json` keeps its claims. The
//! file knows by the hash of the quick run whether the program still computes the same; where it does not, the outcome is stale
//! and decides nothing.

use super::finding::{Decided, Finding};
use crate::experiments::{self, Entry, Size};
use fovea_checks::claims::{Clause, clause};
use fovea_desk::conditions::Conditions;
use fovea_desk::error::LabError;
use fovea_record::claim::{Claim, Decision};
use fovea_record::directory::{Manifest, NUMERIC_VERSION, config_hash, sha256};
use fovea_record::outcome::Status as End;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

include!(concat!(env!("OUT_DIR"), "/kept.rs"));

/// Where a file of evidence lies in the sources.
pub const FOLDER: &str = "crates/fovea-lab/evidence";

/// The seed of every outcome that is kept: one that nobody looked at while thresholds and settings were chosen.
pub const SEED: u64 = 2027;

/// The outcome of an experiment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// The experiment.
    pub experiment: String,
    /// The numeric version of the program that ran it.
    numeric_version: i64,
    /// The seed.
    seed: u64,
    /// The hash of experiment, settings, seed and numeric version.
    settings: String,
    /// The hash of the numbers and statements of its quick run.
    quick: String,
    /// Its claims.
    pub claims: Vec<KeptClaim>,
}

/// A claim of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptClaim {
    /// The clause that it decides, or the experiment's own name.
    pub id: String,
    /// `pass`, `fail` or `unchecked`, for whoever reads the file.
    pub status: String,
    /// Both sides.
    pub claim: Claim,
}

static ALL: LazyLock<Vec<Kept>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| {
        let kept: Kept = serde_json::from_str(text)
            .unwrap_or_else(|error| panic!("{FOLDER}/{name}.json cannot be read: {error}"));
        assert_eq!(kept.experiment, *name, "{FOLDER}/{name}.json is of another experiment");
        kept
    };
    EVIDENCE.iter().map(read).collect()
});

/// Everything that is kept, by experiment.
pub fn kept() -> &'static [Kept] {
    &ALL
}

impl Kept {
    /// Why it says nothing about this program; `None` where it does.
    pub fn stale(&self) -> Option<String> {
        let now = stamp(&self.experiment);
        let fresh = now.is_ok_and(|now| (&self.settings, &self.quick) == (&now.0, &now.1));
        (!fresh).then(|| {
            let name = &self.experiment;
            format!(
                "the kept outcome of {name} is stale: the program computes other numbers now; renew it with fovea verify --renew {name}"
            )
        })
    }

    /// Its outcome for a clause, all of its claims about it together.
    fn outcome(&self, clause: &'static Clause) -> Option<Claim> {
        let of = |kept: &KeptClaim| Claim { id: &clause.id, ..kept.claim.clone() };
        let own: Vec<Claim> =
            self.claims.iter().filter(|kept| kept.id == clause.id).map(of).collect();
        (!own.is_empty()).then(|| Claim::together(own))
    }
}

/// The hash of the settings of an experiment's outcome, and that of its quick run.
fn stamp(name: &str) -> Result<(String, String), LabError> {
    let row = experiments::find(name)?;
    let (settings, schema) =
        ((row.prepare)(Size::Default, &Vec::new())?.settings(), (row.schema)());
    let manifest =
        Manifest { experiment: row.name, settings: &settings, schema: &schema, seed: SEED };
    let frozen = HASHES.iter().find(|(of, _)| *of == row.name).map_or("", |(_, text)| *text);
    Ok((config_hash(&manifest), quick_hash(frozen)))
}

/// One hash of the numbers, the arrays and the statements that are frozen of a quick run.
fn quick_hash(frozen: &str) -> String {
    let table: toml::Table = frozen.parse().unwrap_or_default();
    let mut lines = Vec::new();
    for (section, only) in [("numbers", None), ("arrays", None), ("words", Some("statements"))] {
        let rows = table.get(section).and_then(toml::Value::as_table).into_iter().flatten();
        let of = |(key, hash): (&String, &toml::Value)| format!("{section} {key} {hash}\n");
        lines.extend(rows.filter(|(key, _)| only.is_none_or(|only| only == *key)).map(of));
    }
    lines.sort();
    let text = lines.concat();
    sha256(text.as_bytes()).iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

/// Runs an experiment at its default settings, and gives its outcome in JSON too.
///
/// # Errors
/// A closed form has no value at these settings, or the run was stopped or diverged.
pub fn renew(row: &Entry, conditions: &Conditions<'_>) -> Result<(Kept, String), LabError> {
    let (settings, quick) = stamp(row.name)?;
    let outcome = (row.prepare)(Size::Default, &Vec::new())?.run(conditions)?;
    if outcome.status != End::Completed {
        return Err(LabError::Unfinished(outcome.status));
    }
    let of = |claim: Claim| KeptClaim {
        id: claim.id.to_owned(),
        status: claim.status().to_owned(),
        claim,
    };
    let kept = Kept {
        experiment: row.name.to_owned(),
        numeric_version: NUMERIC_VERSION,
        seed: SEED,
        settings,
        quick,
        claims: outcome.claims.into_iter().map(of).collect(),
    };
    let text = serde_json::to_string_pretty(&kept).expect("a claim can always be written");
    Ok((kept, text + "\n"))
}

/// Adds the outcomes of experiments to the findings: where no check decides a clause they do, elsewhere they agree or contradict.
pub(super) fn join(findings: &mut [Finding], kept: &[Kept]) {
    for decided in findings.iter_mut().flat_map(|finding| &mut finding.clauses) {
        let about =
            kept.iter().filter(|kept| kept.claims.iter().any(|c| c.id == decided.clause.id));
        let (stale, fresh): (Vec<&Kept>, Vec<&Kept>) =
            about.partition(|kept| kept.stale().is_some());
        let outcome = |kept: &&Kept| Some((kept.experiment.clone(), kept.outcome(decided.clause)?));
        let outcomes: Vec<(String, Claim)> = fresh.iter().filter_map(outcome).collect();
        decided.stale = stale.iter().find_map(|kept| kept.stale());
        join_one(decided, &outcomes);
    }
}

fn join_one(decided: &mut Decided, outcomes: &[(String, Claim)]) {
    let by_check = decided.claim.as_ref().map(Claim::decision);
    let with = |decision| {
        let same = move |(_, claim): &&(String, Claim)| claim.decision() == decision;
        outcomes.iter().filter(same).cloned().collect::<Vec<_>>()
    };
    let (failed, passed, open) =
        (with(Decision::Fail), with(Decision::Pass), with(Decision::Unchecked));
    let names = |of: &[(String, Claim)]| of.iter().map(|(name, _)| name.clone()).collect();
    let mut shows = |(name, claim): (String, Claim)| {
        decided.experiment = Some(name);
        decided.claim = Some(claim);
        decided.remark = None;
    };
    match (by_check, failed.into_iter().next()) {
        (Some(Decision::Fail), _) => decided.contradicted_by = names(&passed),
        (_, Some((name, claim))) => {
            let check = decided.check.filter(|_| by_check == Some(Decision::Pass));
            shows((name, claim));
            decided.contradicted_by = names(&passed);
            decided.contradicted_by.extend(check.map(str::to_owned));
        }
        (Some(Decision::Pass), None) => decided.agrees = names(&passed),
        (_, None) => {
            let mut passed = passed.into_iter();
            if let Some(first) = passed.next() {
                shows(first);
                decided.agrees = names(passed.as_slice());
            } else if let (None, Some(first)) = (by_check, open.into_iter().next()) {
                shows(first);
            }
        }
    }
}

/// Whether a claim of an experiment may have this id: that of a clause, or the experiment's own name.
pub fn may_be_called(id: &str, experiment: &str) -> bool {
    id == experiment || clause(id).is_some()
}

#[cfg(test)]
mod tests;
