use fovea_checks::claims::{Verdict, row, rows, select};

#[test]
fn every_number_of_every_document_has_its_row() {
    // Document and number of its last claim: notes 000 to 003; topics of the lectures follow.
    for (document, last) in [("L000", 51), ("L001", 81), ("L002", 37), ("L003", 76)] {
        for number in 1..=last {
            assert!(row(&format!("{document}.{number}")).is_some(), "{document}.{number}");
        }
    }
    for (i, one) in rows().iter().enumerate() {
        assert!(!rows()[..i].iter().any(|other| other.id == one.id), "{} twice", one.id);
        assert!(!one.statement.is_empty() && !one.equation.is_empty(), "{}", one.id);
    }
}

#[test]
fn what_is_corrected_or_completed_says_how() {
    for row in rows() {
        let forms = (row.source.is_some(), row.correct.is_some());
        match row.verdict {
            Verdict::Corrected => assert_eq!(forms, (true, true), "{}", row.id),
            Verdict::Completed => assert!(forms.1, "{}", row.id),
            _ => {}
        }
    }
}

#[test]
fn a_prefix_is_a_document_or_one_claim() {
    let ids = |prefix: &str| -> Vec<&str> {
        select(&[prefix.to_owned()]).unwrap().iter().map(|row| row.id.as_str()).collect()
    };
    assert_eq!(ids("L000.3"), ["L000.3"]);
    let count = |start: &str| rows().iter().filter(|row| row.id.starts_with(start)).count();
    assert_eq!(ids("l003").len(), count("L003."));
    assert_eq!(
        ids("L").len(),
        ["L000.", "L001.", "L002.", "L003."].map(count).iter().sum::<usize>()
    );
    assert!(ids("T06").iter().all(|id| id.starts_with("T06.")));
    assert_eq!(select(&[]).unwrap().len(), rows().len());
    let hint = select(&["L004".to_owned()]).unwrap_err().hint();
    assert!(hint.contains("L00"), "{hint}");
    let hint = select(&["l000.99".to_owned()]).unwrap_err().hint();
    assert_eq!(hint, format!("L000 has the claims L000.1 to L000.{}", count("L000.")));
}
