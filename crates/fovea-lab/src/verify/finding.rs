//! A claim and its outcome, clause by clause.

use fovea_checks::claims::{Clause, Row};
use fovea_core::Value;
use fovea_record::claim::{Claim, Decision, Evidence};
use fovea_record::convert::to_json;
use serde_json::{Value as Json, json};

/// The outcome of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All that it says passed.
    Pass,
    /// Part of what it says passed; nothing decides the rest.
    Partial,
    /// A part of it failed.
    Fail,
    /// It has no check yet, or the check could not tell.
    Unchecked,
    /// There is nothing to test: a definition or an open question.
    Listed,
}

impl Status {
    /// Every status, in the order of summaries.
    pub const ALL: [Self; 5] =
        [Self::Pass, Self::Partial, Self::Fail, Self::Unchecked, Self::Listed];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Partial => "partial",
            Self::Fail => "fail",
            Self::Unchecked => "unchecked",
            Self::Listed => "listed",
        }
    }
}

/// One thing that a claim says, and its outcome.
#[derive(Clone, Debug)]
pub struct Decided {
    /// What it says.
    pub clause: &'static Clause,
    /// The check that covers it.
    pub check: Option<&'static str>,
    /// The experiment whose outcome decides it, where no check does.
    pub experiment: Option<String>,
    /// Other experiments that found the same.
    pub agrees: Vec<String>,
    /// Where it fails: the check and the experiments by which it passes.
    pub contradicted_by: Vec<String>,
    /// Why the outcome that is kept of an experiment does not count.
    pub stale: Option<String>,
    /// Both sides, judged.
    pub claim: Option<Claim>,
    /// What else a reader should know.
    pub remark: Option<String>,
}

impl Decided {
    /// Its outcome; only a claim as a whole is listed.
    pub fn status(&self) -> Status {
        match self.claim.as_ref().map(Claim::decision) {
            Some(Decision::Pass) => Status::Pass,
            Some(Decision::Fail) => Status::Fail,
            Some(Decision::Unchecked) | None => Status::Unchecked,
        }
    }

    /// Its name within the claim; none where the claim says one thing.
    pub fn name(&self) -> Option<&'static str> {
        self.clause.id.split_once('/').map(|(_, name)| name)
    }

    /// Why it is not decided, where it is not.
    pub fn why(&self) -> Option<String> {
        if let Some(claim) = &self.claim {
            return claim.why();
        }
        let left = self.clause.left.clone().or_else(|| self.stale.clone());
        Some(left.unwrap_or_else(|| "no check yet".to_owned()))
    }

    /// What else a reader should know: of the comparison, and of the experiments that decide the clause or agree.
    pub fn remarks(&self) -> Vec<String> {
        let (by, agrees, against) =
            (&self.experiment, self.agrees.join(", "), self.contradicted_by.join(", "));
        let by = by.as_ref().map(|name| {
            format!(
                "decided by the experiment {name}: the kept outcome of its run at default settings"
            )
        });
        let agrees = (!agrees.is_empty()).then(|| format!("the same was found by {agrees}"));
        let against = (!against.is_empty()).then(|| format!("contradicted by {against}"));
        [self.remark.clone(), by, agrees, against].into_iter().flatten().collect()
    }

    fn to_json(&self) -> Json {
        let mut object = json!({
            "clause": self.clause.id,
            "says": self.clause.says,
            "criterion": self.clause.criterion,
            "status": self.status().word(),
            "check": self.check,
            "experiment": self.experiment,
            "agrees": self.agrees,
            "contradicted_by": self.contradicted_by,
            "remark": self.remark,
            "why": self.why(),
        });
        for key in SIDES {
            object[key] = Json::Null;
        }
        let Some(claim) = &self.claim else { return object };
        for (key, value) in claim.to_json().as_object().into_iter().flatten() {
            match key.as_str() {
                "statement" => object["compared"] = value.clone(),
                key if SIDES.contains(&key) => object[key] = value.clone(),
                _ => {}
            }
        }
        if let Some(control) = &claim.control {
            let real = |x: f64| to_json(&Value::Real(x));
            object["rejects_predicted"] = real(control.predicted);
            object["rejects_measured"] = real(control.measured);
            object["rejects_distance"] = real(control.z.abs());
        }
        object
    }
}

/// The keys of what was compared; those that do not apply are null.
const SIDES: [&str; 17] = [
    "compared",
    "evidence",
    "predicted",
    "measured",
    "std_err",
    "z",
    "limit",
    "allowed_error",
    "digits",
    "hits",
    "trials",
    "by_chance",
    "resolution",
    "rejects",
    "rejects_predicted",
    "rejects_measured",
    "rejects_distance",
];

/// A claim and its outcome.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The claim.
    pub row: &'static Row,
    /// What it says, one thing at a time.
    pub clauses: Vec<Decided>,
}

impl Finding {
    /// A claim that nothing has decided.
    pub fn undecided(row: &'static Row) -> Self {
        let open = |clause| Decided {
            clause,
            check: None,
            experiment: None,
            agrees: Vec::new(),
            contradicted_by: Vec::new(),
            stale: None,
            claim: None,
            remark: None,
        };
        Self { row, clauses: row.clauses.iter().map(open).collect() }
    }

    /// Its outcome.
    pub fn status(&self) -> Status {
        let of = |status| self.clauses.iter().filter(|c| c.status() == status).count();
        if of(Status::Fail) > 0 {
            Status::Fail
        } else if of(Status::Pass) == self.clauses.len() {
            Status::Pass
        } else if of(Status::Pass) > 0 {
            Status::Partial
        } else if self.is_listed() {
            Status::Listed
        } else {
            Status::Unchecked
        }
    }

    /// Whether there is nothing to test.
    pub fn is_listed(&self) -> bool {
        self.row.verdict.is_listed() && self.claims().next().is_none()
    }

    /// Whether it has no check and no experiment at all.
    pub(super) fn is_bare(&self) -> bool {
        let decided = |c: &Decided| c.check.is_some() || c.experiment.is_some();
        self.status() == Status::Unchecked && !self.clauses.iter().any(decided)
    }

    /// By what it was decided: of several clauses that passed, the least.
    pub fn evidence(&self) -> Option<Evidence> {
        let passed = self.clauses.iter().filter(|decided| decided.status() == Status::Pass);
        passed.filter_map(|decided| decided.claim.as_ref()).map(|claim| claim.evidence).min()
    }

    /// Every clause that was tested, judged.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.clauses.iter().filter_map(|decided| decided.claim.as_ref())
    }

    /// The finding as one JSON object: the row of `claims.toml`, the status, and both sides of every clause.
    pub fn to_json(&self) -> Json {
        let row = self.row;
        json!({
            "id": row.id,
            "document": row.document,
            "equation": row.equation,
            "statement": row.statement,
            "verdict": row.verdict.word(),
            "source": row.source,
            "correct": row.correct,
            "status": self.status().word(),
            "evidence": self.evidence().map(Evidence::word),
            "clauses": self.clauses.iter().map(Decided::to_json).collect::<Vec<Json>>(),
        })
    }
}

/// Text in which no dollar begins a formula.
pub(super) fn literal(text: &str) -> String {
    text.replace('$', "\u{ff04}")
}
