//! Every claim of the notes and the lectures, as data: `claims.toml`.
//!
//! A row gives the place of a claim, what it says and its verdict, clause by clause where it says several things.
//! Checks (`crate::check`) decide clauses; a row without a check is listed (a definition, an open question) or not checked yet.

use fovea_core::ParamError;
use fovea_desk::error::LabError;
use std::sync::LazyLock;

/// What became of a source's claim once it was worked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is right as it stands, or with the precision stated.
    Holds,
    /// The source is wrong; the right form is given.
    Corrected,
    /// The source is unfinished; the rest is given.
    Completed,
    /// Something to be seen in a simulation.
    Phenomenon,
    /// Nobody knows.
    Open,
    /// It defines something.
    Definition,
}

impl Verdict {
    /// Every verdict, in the order of summaries.
    pub const ALL: [Self; 6] = [
        Self::Holds,
        Self::Corrected,
        Self::Completed,
        Self::Phenomenon,
        Self::Open,
        Self::Definition,
    ];

    /// The word in `claims.toml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Corrected => "corrected",
            Self::Completed => "completed",
            Self::Phenomenon => "phenomenon",
            Self::Open => "open",
            Self::Definition => "definition",
        }
    }

    /// Whether there is nothing to test: such a claim is listed.
    pub fn is_listed(self) -> bool {
        matches!(self, Self::Open | Self::Definition)
    }
}

/// One thing that a claim says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The claim and the clause, `L000.9/ratio`; the claim alone where it has one clause.
    pub id: String,
    /// What it says, at which setting.
    pub says: String,
    /// For a phenomenon: what must be seen, on which seeds, written down before the run.
    pub criterion: Option<String>,
    /// Why nothing decides it yet.
    pub left: Option<String>,
    /// Experiments that decide it, where no check does: it takes longer than a check may.
    pub experiments: Vec<String>,
}

/// One claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Document and number: `L000.3`, `T06.1`.
    pub id: String,
    /// The document it is in.
    pub document: String,
    /// Equation, section, footnote or figure.
    pub equation: String,
    /// What is claimed, in words.
    pub statement: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// The form the source has, where it is wrong or unfinished.
    pub source: Option<String>,
    /// The right form, where it differs or is sharper.
    pub correct: Option<String>,
    /// What it says, one thing at a time.
    pub clauses: Vec<Clause>,
}

static ROWS: LazyLock<Vec<Row>> =
    LazyLock::new(|| read(include_str!("../claims.toml")).expect("claims.toml is tested"));

/// Every claim, document by document.
pub fn rows() -> &'static [Row] {
    &ROWS
}

/// The claim of this id.
pub fn row(id: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.id == id)
}

/// The row that a clause belongs to, and the clause.
pub fn clause(id: &str) -> Option<(&'static Row, &'static Clause)> {
    let row = row(id.split('/').next().unwrap_or_default())?;
    Some((row, row.clauses.iter().find(|clause| clause.id == id)?))
}

/// The claims under any of the prefixes `L`, `L003`, `T06`, `L000.3`; all of them where none is given.
///
/// # Errors
/// A prefix under which there is no claim.
pub fn select(prefixes: &[String]) -> Result<Vec<&'static Row>, LabError> {
    for prefix in prefixes {
        if !ROWS.iter().any(|row| is_under(&row.id, prefix)) {
            if let Some(error) = beyond(prefix) {
                return Err(error);
            }
            let documents = ROWS.iter().map(|row| row.id.split('.').next().unwrap_or_default());
            let mut known: Vec<&'static str> = documents.collect();
            known.dedup();
            let name = prefix.clone();
            return Err(LabError::UnknownName { kind: "claim or prefix of claims", name, known });
        }
    }
    let chosen =
        |row: &&Row| prefixes.is_empty() || prefixes.iter().any(|prefix| is_under(&row.id, prefix));
    Ok(ROWS.iter().filter(chosen).collect())
}

/// The error for a number beyond the last claim of a document, where the document exists.
fn beyond(prefix: &str) -> Option<LabError> {
    let prefix = prefix.to_uppercase();
    let (document, _) = prefix.split_once('.')?;
    let last = ROWS.iter().rfind(|row| row.id.split('.').next() == Some(document))?;
    let what = format!("there is no claim {prefix}");
    let hint = format!("{document} has the claims {document}.1 to {}", last.id);
    Some(LabError::Param(ParamError::Inconsistent { what, hint }))
}

/// A prefix with a number after the point is one claim; one without stands for whole documents.
fn is_under(id: &str, prefix: &str) -> bool {
    let prefix = prefix.to_uppercase();
    if prefix.contains('.') { id == prefix } else { !prefix.is_empty() && id.starts_with(&prefix) }
}

/// Reads the rows of a file.
fn read(text: &str) -> Result<Vec<Row>, String> {
    let table: toml::Table = text.parse().map_err(|error| format!("{error}"))?;
    let rows = table.get("claim").and_then(toml::Value::as_array).ok_or("there is no claim")?;
    rows.iter().map(read_row).collect()
}

fn read_row(row: &toml::Value) -> Result<Row, String> {
    let optional = |key: &str| row.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let id = optional("id").ok_or_else(|| format!("a claim without id: {row}"))?;
    let needed = |key: &str| optional(key).ok_or_else(|| format!("{id} has no {key}"));
    let word = needed("verdict")?;
    let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.word() == word);
    let statement = needed("statement")?;
    let clauses = match row.get("clauses").and_then(toml::Value::as_array) {
        Some(list) => list.iter().map(|one| read_clause(&id, one)).collect::<Result<_, _>>()?,
        None => vec![Clause {
            id: id.clone(),
            says: statement.clone(),
            criterion: optional("criterion"),
            left: optional("left"),
            experiments: experiments(row),
        }],
    };
    Ok(Row {
        document: needed("document")?,
        equation: needed("equation")?,
        statement,
        clauses,
        verdict: verdict.ok_or_else(|| format!("{id}: there is no verdict {word}"))?,
        source: optional("source"),
        correct: optional("correct"),
        id,
    })
}

fn read_clause(id: &str, clause: &toml::Value) -> Result<Clause, String> {
    let optional = |key: &str| clause.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let needed = |key: &str| optional(key).ok_or_else(|| format!("a clause of {id} has no {key}"));
    let known = ["name", "says", "criterion", "left", "experiments"];
    let mut keys = clause.as_table().into_iter().flat_map(toml::Table::keys);
    if let Some(stray) = keys.find(|key| !known.contains(&key.as_str())) {
        return Err(format!("a clause of {id} has the unknown key {stray}"));
    }
    Ok(Clause {
        id: format!("{id}/{}", needed("name")?),
        says: needed("says")?,
        criterion: optional("criterion"),
        left: optional("left"),
        experiments: experiments(clause),
    })
}

/// The experiments that a row or a clause names.
fn experiments(row: &toml::Value) -> Vec<String> {
    let list = row.get("experiments").and_then(toml::Value::as_array);
    list.into_iter().flatten().filter_map(toml::Value::as_str).map(str::to_owned).collect()
}
