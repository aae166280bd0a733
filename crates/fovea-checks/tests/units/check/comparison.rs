use fovea_checks::check::comparison::Comparison;
use fovea_core::stats::Estimate;

const IDS: &[&str] = &["L000.3"];

#[test]
fn a_fair_comparison_has_no_fault_and_an_unfair_one_says_which() {
    let fair = Comparison::digits(IDS, "x", &[1.0, 0.0], &[1.0, 1e-12]);
    assert_eq!(fair.fault(false), None);
    assert!(fair.fault(true).unwrap().contains("own form"));
    assert_eq!(fair.clone().source(&[2.0, 0.0]).fault(true), None);
    assert_eq!(fair.clone().no_source("it is a vector plus a number").fault(true), None);
    assert!(Comparison::digits(IDS, "x", &[0.0], &[0.0]).fault(false).is_some());
    let loose = |why| Comparison::digits(IDS, "x", &[1.0], &[1.0]).within(1e-3, why);
    assert_eq!(loose("because").fault(false), None);
    let estimate = Estimate::from_parts(1.0, 0.1, 1000).unwrap();
    let coarse = Comparison::noise(IDS, "x", &[(estimate, 1.0)]);
    assert!(coarse.fault(false).unwrap().contains("does not say why"));
    assert_eq!(coarse.coarse("few samples").fault(false), None);
}

#[test]
fn every_part_must_hold_and_be_fair() {
    let verdict = |c: &Comparison| c.claim("L000.3").verdict();
    let part = |measured: f64| Comparison::digits(IDS, "small", &[1e-6], &[measured]);
    let large = Comparison::digits(IDS, "large", &[1.0], &[1.0]).source(&[2.0]);
    let both = large.clone().and(part(1e-6));
    assert_eq!(verdict(&both), fovea_record::claim::Verdict::Pass);
    assert!(both.claim("L000.3").control.is_some(), "the part that rejects the source is shown");
    assert_eq!(both.claim("L000.3").statement, "large; small");
    assert_eq!(both.fault(true), None);
    // Beside a number of order one in one list it would pass.
    assert_eq!(verdict(&large.clone().and(part(1.0001e-6))), fovea_record::claim::Verdict::Fail);
    assert_eq!(
        verdict(&large.clone().and(part(1e-6).source(&[1e-6]))),
        fovea_record::claim::Verdict::Unchecked
    );
    let other = part(1e-6).against("twice", &[2e-6]);
    assert_eq!(verdict(&other), fovea_record::claim::Verdict::Pass);
    assert!(other.claim("L000.3").in_words().contains("rejects twice"));
    assert!(other.fault(true).is_some() && other.fault(false).is_none());
    let idle = Comparison::digits(IDS, "nothing", &[0.0], &[0.0]);
    assert!(large.and(idle).fault(true).is_some());
    assert_eq!(verdict(&both.scaled(1.1)), fovea_record::claim::Verdict::Fail);
}

#[test]
fn a_source_that_agrees_leaves_the_claim_unchecked() {
    let right = Comparison::digits(IDS, "x", &[1.0], &[1.0]).source(&[1.0]);
    assert_eq!(right.claim("L000.3").verdict(), fovea_record::claim::Verdict::Unchecked);
    let wrong = Comparison::digits(IDS, "x", &[1.0], &[1.0]).source(&[2.0]);
    assert_eq!(wrong.claim("L000.3").verdict(), fovea_record::claim::Verdict::Pass);
}
