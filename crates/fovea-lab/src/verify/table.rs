//! The findings as tables: the same for a terminal, the report and the files of a record.

use super::finding::literal;
use super::{Decided, Finding, Status};
use fovea_checks::claims::Verdict;
use fovea_page::table::{Places, Table};
use fovea_record::claim::{Claim, Evidence};

/// How both sides of a comparison are shown.
pub(super) const SIDES: usize = 4;
/// Decimals of a distance in standard errors, of its limit, and of shared digits.
const Z: usize = 2;
const LIMIT: usize = 1;
const SHARED: usize = 1;
/// Significant digits of the distance of a wrong form.
const FAR: usize = 2;
/// All the digits that there are.
const EXACT: f64 = 17.0;

/// A claim, or one of several things that it says.
struct Line<'a> {
    finding: &'a Finding,
    /// What was decided, where it is one thing.
    decided: Option<&'a Decided>,
    /// Whether it is a claim as a whole.
    whole: bool,
}

/// A claim; where it says several things, each of these after it.
fn of_finding(finding: &Finding) -> Vec<Line<'_>> {
    if let [decided] = &finding.clauses[..] {
        return vec![Line { finding, decided: Some(decided), whole: true }];
    }
    let clause = |decided| Line { finding, decided: Some(decided), whole: false };
    let whole = Line { finding, decided: None, whole: true };
    std::iter::once(whole).chain(finding.clauses.iter().map(clause)).collect()
}

fn every(findings: &[Finding]) -> Vec<Line<'_>> {
    findings.iter().flat_map(of_finding).collect()
}

impl<'a> Line<'a> {
    fn id(&self) -> &'a str {
        match self.decided {
            Some(decided) if !self.whole => &decided.clause.id,
            _ => &self.finding.row.id,
        }
    }

    fn statement(&self) -> &'a str {
        match self.decided {
            Some(decided) if !self.whole => &decided.clause.says,
            _ => &self.finding.row.statement,
        }
    }

    fn status(&self) -> Status {
        match self.decided {
            Some(decided) if !self.whole && !self.finding.is_listed() => decided.status(),
            _ => self.finding.status(),
        }
    }

    fn claim(&self) -> Option<&'a Claim> {
        self.decided?.claim.as_ref()
    }

    fn evidence(&self) -> Option<Evidence> {
        match self.decided {
            Some(_) => self.claim().map(|claim| claim.evidence),
            None => self.finding.evidence(),
        }
    }

    /// What was compared, by which criterion, and what else a reader should know.
    fn compared(&self) -> String {
        let Some(decided) = self.decided else { return String::new() };
        let compared = self.claim().map(|claim| claim.statement.clone());
        let criterion = decided.clause.criterion.as_ref().map(|text| format!("criterion: {text}"));
        let why = decided.why().filter(|_| !self.finding.is_listed());
        let parts = [compared, criterion, why].into_iter().flatten().chain(decided.remarks());
        parts.collect::<Vec<_>>().join("; ")
    }
}

/// A number of a claim, NaN where there is none.
fn of_claim(line: &Line<'_>, of: fn(&Claim) -> f64) -> f64 {
    line.claim().map_or(f64::NAN, of)
}

/// Every claim, and each thing that it says where there are several: its outcome, what was compared, and both sides.
pub(super) fn claims(findings: &[Finding]) -> Table {
    Table::of("claims", &every(findings))
        .words("claim", Line::id)
        .words("status", |line| line.status().word())
        .words("statement", |line| literal(line.statement()))
        .words("compared", |line| literal(&line.compared()))
        .digits("predicted", SIDES, |line| of_claim(line, |claim| claim.predicted))
        .digits("measured", SIDES, |line| of_claim(line, |claim| claim.measured))
        .words("distance", |line| line.claim().map_or_else(String::new, distance))
        .words("evidence", |line| line.evidence().map_or("", Evidence::word))
        .words("verdict", |line| line.finding.row.verdict.word())
        .words("place", |line| format!("{} {}", line.finding.row.document, line.finding.row.equation))
        .caption(
            "Every claim; where it says several things, each of them has a row of its own. Where many numbers are compared, the pair \
             nearest to its limit is shown.",
        )
}

/// How far apart both sides are: in digits that they share, in standard errors and how many are allowed, or in cases.
pub(super) fn distance(claim: &Claim) -> String {
    let shown = |x: f64, decimals| Places::Decimals(decimals).shown(x);
    match (claim.cases, claim.digits, claim.evidence, &claim.control) {
        (Some(cases), ..) => format!("{} of {}", cases.hits, cases.trials),
        (None, Some(digits), ..) if digits >= EXACT => "exact".to_owned(),
        (None, Some(digits), ..) => format!("{} digits", shown(digits, SHARED)),
        // From the other side of the bound.
        (None, None, Evidence::Shown, Some(control)) => {
            format!("{} s.e. past", Places::Digits(FAR).shown(control.z.abs()))
        }
        _ => format!("{} of {} s.e.", shown(claim.z, Z), shown(claim.limit, LIMIT)),
    }
}

/// How far apart both sides of every comparison are, and what it would notice.
pub(super) fn distances(findings: &[Finding]) -> Table {
    let lines: Vec<Line> =
        every(findings).into_iter().filter(|line| line.claim().is_some()).collect();
    let sampled = |line: &Line, of: fn(&Claim) -> f64| {
        let of = |claim: &Claim| of(claim);
        let claim = line.claim().filter(|claim| claim.digits.is_none() && claim.cases.is_none());
        claim.map_or(f64::NAN, of)
    };
    let cases = |line: &Line, of: fn(&fovea_record::claim::Cases) -> usize| {
        line.claim().and_then(|claim| claim.cases).map_or(f64::NAN, |cases| of(&cases) as f64)
    };
    let exact = |claim: &Claim| if claim.digits.is_some() { claim.se } else { f64::NAN };
    Table::of("distances", &lines)
        .words("claim", Line::id)
        .digits("std_err", 2, |line| sampled(line, |claim| claim.se))
        .real("z", Z, |line| sampled(line, |claim| claim.z))
        .real("limit", LIMIT, |line| sampled(line, |claim| claim.limit))
        .real("digits", SHARED, |line| of_claim(line, |claim| claim.digits.unwrap_or(f64::NAN)))
        .digits("allowed_error", 2, |line| line.claim().map_or(f64::NAN, exact))
        .real("obey", 0, |line| cases(line, |cases| cases.hits))
        .real("cases", 0, |line| cases(line, |cases| cases.trials))
        .digits("resolves", 2, |line| of_claim(line, |claim| claim.resolution))
        .caption(
            "The distance of both sides: z in standard errors, which may be as large as the limit; where nothing is sampled, the \
             digits they share and the error allowed; where cases are counted, how many obey. Resolves: the relative error of any \
             one prediction that would be noticed.",
        )
}

/// In what the distance of a wrong form is counted.
pub(super) fn counted_in(claim: &Claim) -> &'static str {
    match (claim.cases, claim.digits) {
        (Some(_), _) => "cases that do not obey",
        (None, Some(_)) => "allowed errors",
        (None, None) => "standard errors",
    }
}

/// The wrong form that every comparison rejects, where it is furthest off.
pub(super) fn rejected(findings: &[Finding]) -> Table {
    let mut rows = Vec::new();
    for line in every(findings) {
        if let Some((claim, control)) = line.claim().and_then(|c| Some((c, c.control.as_ref()?))) {
            rows.push((line.id(), claim, control));
        }
    }
    Table::of("rejected", &rows)
        .words("claim", |row| row.0)
        .words("wrong_form", |row| literal(&row.2.form))
        .digits("predicted", SIDES, |row| row.2.predicted)
        .digits("measured", SIDES, |row| row.2.measured)
        .digits("distance", FAR, |row| row.2.z.abs())
        .words("counted_in", |row| counted_in(row.1))
        .caption(
            "The wrong form that was used instead of the right one, and that must fail: what it predicts where it is furthest off, \
             and what was measured there.",
        )
}

/// How many claims have each verdict, each status, and each kind of evidence.
pub(super) fn counts(findings: &[Finding]) -> Table {
    let count = |is: &dyn Fn(&Finding) -> bool| findings.iter().filter(|f| is(f)).count();
    let mut rows = vec![("all", "", findings.len())];
    rows.extend(Verdict::ALL.map(|verdict| {
        ("verdict", verdict.word(), count(&|finding| finding.row.verdict == verdict))
    }));
    rows.extend(
        Status::ALL
            .map(|status| ("status", status.word(), count(&|finding| finding.status() == status))),
    );
    rows.extend(Evidence::ALL.map(|kind| {
        let by = |f: &Finding| f.status() == Status::Pass && f.evidence() == Some(kind);
        ("evidence of those that pass", kind.word(), count(&by))
    }));
    rows.push(("status unchecked", "no check yet", count(&Finding::is_bare)));
    Table::of("counts", &rows)
        .words("counted", |row| row.0)
        .words("which", |row| row.1)
        .whole("claims", |row| row.2)
        .caption("How many claims have each verdict and each status, and by which evidence those that pass were decided.")
}

/// The source's forms next to the right ones, with the numbers that tell them apart, where there are any.
pub(super) fn errata(findings: &[Finding]) -> Option<Table> {
    let corrected: Vec<&Finding> =
        findings.iter().filter(|finding| finding.row.verdict == Verdict::Corrected).collect();
    let form = |form: &Option<String>| literal(form.as_deref().unwrap_or_default());
    let table = Table::of("errata", &corrected)
        .words("claim", |finding| finding.row.id.clone())
        .words("place", |finding| format!("{} {}", finding.row.document, finding.row.equation))
        .words("the_source_has", |finding| form(&finding.row.source))
        .words("right_is", |finding| form(&finding.row.correct))
        .words("told_apart_by", |finding| literal(&told_apart(finding)));
    let caption = "Predicted and measured, where each form is furthest off: first the right form, then the source's own instead of it, \
                   which must fail. Its distance is counted in standard errors, or in allowed errors where nothing is sampled.";
    (!corrected.is_empty()).then(|| table.caption(caption))
}

/// The numbers that tell the source's form from the right one, clause by clause.
fn told_apart(finding: &Finding) -> String {
    let told = |decided: &Decided| {
        let claim = decided.claim.as_ref()?;
        let side = |x: f64| Places::Digits(SIDES).shown(x);
        let name = decided.name().map(|name| format!("{name}, ")).unwrap_or_default();
        let (predicted, measured) = (side(claim.predicted), side(claim.measured));
        let right = format!(
            "{name}right: {predicted} predicted, {measured} measured ({})",
            distance(claim)
        );
        let rejected = claim.control.as_ref().map(|control| {
            let (predicted, measured) = (side(control.predicted), side(control.measured));
            let off = if claim.cases.is_some() { "" } else { " off" };
            let far = Places::Digits(FAR).shown(control.z.abs());
            let far = format!("{far} {}{off}", counted_in(claim));
            format!("{}: {predicted} predicted, {measured} measured ({far})", control.form)
        });
        let parts = [Some(right), rejected].into_iter().flatten().chain(decided.remarks());
        Some(parts.collect::<Vec<_>>().join("; "))
    };
    let all: Vec<String> = finding.clauses.iter().filter_map(told).collect();
    if all.is_empty() { "not checked yet".to_owned() } else { all.join(". ") }
}
