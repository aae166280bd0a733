//! `verify --quick`: the numbers and the words of every claim.

use crate::digest::Digest;
use crate::kept::{Bless, Hashes, WORDS};
use crate::outcome::{claim_numbers, claim_words, lines, report, table};
use crate::{plain_words, printed};
use fovea_lab::verify::{Finding, outcome, settings, verify};
use fovea_lab::{Conditions, Silent, claims};
use libtest_mimic::{Failed, Trial};
use std::sync::atomic::AtomicBool;

/// One test for all claims: a check decides several, and every claim has its line.
pub(crate) fn trial(bless: Bless) -> Trial {
    Trial::test("verify::quick", move || run(bless))
}

fn run(bless: Bless) -> Result<(), Failed> {
    let stop = AtomicBool::new(false);
    let conditions = Conditions::new(0, &Silent, &stop);
    let rows = claims::select(&[])?;
    let verified = verify(&rows, true, &conditions)?.ok_or("it was stopped")?;
    let mut hashes = Hashes::default();
    for finding in &verified.findings {
        hashes.put("numbers", &finding.row.id, numbers(finding));
        hashes.put(WORDS, &finding.row.id, words(finding));
    }
    let whole = outcome(&verified, true);
    for each in whole.report.tables() {
        hashes.put("tables", &each.name, table(each));
    }
    hashes.put(WORDS, "report", report(&whole.report));
    hashes.put(WORDS, "summary", lines("the summary", &whole.summary));
    printed::assert_in_tables("verify", &whole, &settings(&[], true));
    let plain = plain_words::of_findings(&verified.findings, &whole);
    Ok(plain_words::both(hashes.settle("verify.toml", bless), plain)?)
}

/// What a claim came to, clause by clause.
fn numbers(finding: &Finding) -> String {
    let mut digest = Digest::of(&finding.row.id);
    digest.text(finding.status().word());
    for decided in &finding.clauses {
        digest.count(usize::from(decided.claim.is_some()));
        if let Some(claim) = &decided.claim {
            claim_numbers(&mut digest, claim);
        }
    }
    digest.hex()
}

/// What it says, its verdict, what decides it, and what was compared.
fn words(finding: &Finding) -> String {
    let mut digest = Digest::of(&finding.row.id);
    let row = finding.row;
    for word in [&row.id, &row.document, &row.equation, &row.statement] {
        digest.text(word);
    }
    digest.text(row.verdict.word());
    for word in [&row.source, &row.correct] {
        digest.text_if_any(word.as_deref());
    }
    for decided in &finding.clauses {
        let clause = decided.clause;
        digest.text(&clause.id);
        digest.text(&clause.says);
        for word in [&clause.criterion, &clause.left, &decided.remark] {
            digest.text_if_any(word.as_deref());
        }
        digest.text_if_any(decided.check);
        digest.count(usize::from(decided.claim.is_some()));
        if let Some(claim) = &decided.claim {
            claim_words(&mut digest, claim);
        }
    }
    digest.hex()
}
