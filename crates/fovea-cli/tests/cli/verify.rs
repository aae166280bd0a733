//! `fovea verify`: claims from the shell.

use super::Scratch;
use serde_json::Value;

#[test]
fn a_claim_is_shown_with_what_was_compared_and_rejected_and_the_counts() {
    let scratch = Scratch::new();
    let told = scratch.fovea(&["verify", "L000.3", "--out", "v"]).fine();
    assert!(told.starts_with("L000.3, note 000 (4): corrected, pass"), "{told}");
    for part in ["ising: centrally symmetric", "compared: ", "pass (form)", "digits", "rejects: "] {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    assert!(
        told.contains("claims: 1 in all, 0 holds, 1 corrected")
            && told.contains("status: 1 pass, 0 partial, 0 fail")
            && told.contains("passed by evidence: 1 form, 0 simulated, 0 shown")
    );
    let report = std::fs::read_to_string(scratch.path("v/report.html")).unwrap();
    assert!(report.contains("Errata") && report.contains("allowed errors off"), "{report}");
    assert!(report.contains("What the checks notice") && report.contains("caught"), "{report}");
    // What was compared is read before the numbers, and is in a file too.
    assert!(report.contains("<th>statement</th><th>compared</th>"), "{report}");
    for table in ["claims", "counts", "errata", "distances", "rejected", "slips", "predictions"] {
        assert!(scratch.path(&format!("v/tables/{table}.parquet")).is_file(), "{table}");
    }
    scratch.refuses(
        &["verify", "L000.3", "--out", "v"],
        "v exists already, and a run never overwrites another",
        "choose another --out, or move the old run away",
    );
}

#[test]
fn every_claim_of_a_document_is_one_object_with_every_key() {
    let scratch = Scratch::new();
    let objects = scratch.fovea(&["verify", "T06", "t07", "--json", "--out", "v"]).json();
    let (end, claims) = objects.split_last().unwrap();
    assert!(claims.len() > 10 && end["type"] == "end" && end["claims"] == claims.len());
    let counted: u64 = ["pass", "partial", "fail", "unchecked", "listed"]
        .iter()
        .map(|status| end[*status].as_u64().unwrap())
        .sum();
    assert_eq!(counted, claims.len() as u64);
    let help = scratch.fovea(&["verify", "--help"]).fine();
    for claim in claims {
        assert!(claim["type"] == "claim" && claim["id"].as_str().unwrap().starts_with("T0"));
        for key in
            claim.as_object().unwrap().keys().filter(|key| !["v", "type"].contains(&key.as_str()))
        {
            assert!(help.contains(key), "the help does not document {key}");
        }
        for clause in claim["clauses"].as_array().unwrap() {
            assert!(clause["clause"].as_str().unwrap().starts_with(claim["id"].as_str().unwrap()));
            for key in clause.as_object().unwrap().keys() {
                assert!(help.contains(key), "the help does not document {key}");
            }
            let passed = clause["status"] == "pass";
            assert!(clause["check"] != Value::Null || !passed, "{clause}");
            assert!(
                clause["rejects"] != Value::Null || !passed,
                "a pass rejects nothing: {clause}"
            );
        }
    }
}

#[test]
fn a_calibration_says_whether_distances_are_standard_normal() {
    let scratch = Scratch::new();
    let told = scratch.fovea(&["verify", "L000.8", "--calibrate", "5"]).fine();
    assert!(told.contains("there is nothing to calibrate"), "{told}");
    scratch.refuses(
        &["verify", "--calibrate", "2"],
        "`calibrate` is 2; it must be a whole number from 5 to 1000",
        "20 seeds find a bias of one standard error in nearly every pair",
    );
}

#[test]
fn what_is_no_claim_is_refused_with_the_documents_there_are() {
    let scratch = Scratch::new();
    scratch.refuses(
        &["verify", "L004"],
        "there is no claim or prefix of claims called `L004`",
        "did you mean `L000`?",
    );
    let told = scratch.fovea(&["verify", "L000.3", "--seed", "3", "--fresh-seeds"]);
    assert!(told.code == Some(2) && told.err.contains("cannot be used with"), "{}", told.err);
}

#[test]
fn a_claim_can_be_listed_and_shown() {
    let scratch = Scratch::new();
    assert!(scratch.fovea(&["list", "claims"]).fine().contains("L003.76"));
    assert!(!scratch.fovea(&["list"]).fine().contains("L003.76"));
    let shown = scratch.fovea(&["show", "L000.3"]).fine();
    for part in ["note 000 (4)", "corrected", "1/4 (S0 + S1) w", "fovea verify L000.3"] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
}
