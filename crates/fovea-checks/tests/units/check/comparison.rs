use fovea_checks::check::comparison::Comparison;
use fovea_checks::check::{Check, Effort, decide};
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_record::claim::{Decision, Evidence};

const IDS: &[&str] = &["L000.5"];

fn verdict(comparison: &Comparison) -> Decision {
    comparison.claim("L000.5").decision()
}

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
    let estimate = Estimate::from_parts(1.0, 0.02, 1000).unwrap();
    let coarse = Comparison::noise(IDS, "x", &[(estimate, 1.0)]);
    assert!(coarse.fault(false).unwrap().contains("does not say why"));
    assert_eq!(coarse.coarse("few samples").fault(false), None);
    let about = Comparison::noise(IDS, "x", &[(estimate, 1.0)]).approximate(0.05, "a limit");
    assert_eq!(about.fault(false), None);
}

#[test]
fn the_weakest_prediction_counts_and_not_the_strongest() {
    let sharp = (Estimate::from_parts(1.0, 1e-4, 1000).unwrap(), 1.0);
    let blunt = (Estimate::from_parts(0.9, 0.05, 1000).unwrap(), 1.0);
    let of =
        |pairs: &[_]| Comparison::noise(IDS, "x", pairs).against("twice", &vec![2.0; pairs.len()]);
    assert_eq!(verdict(&of(&[sharp])), Decision::Pass);
    assert_eq!(verdict(&of(&[sharp, blunt])), Decision::Unchecked);
    let why = of(&[sharp, blunt]).claim("L000.5").why().unwrap();
    assert!(why.contains("no error below"), "{why}");
}

#[test]
fn every_part_must_hold_and_be_fair() {
    let part = |measured: f64| {
        Comparison::digits(IDS, "small", &[1e-6], &[measured]).against("twice", &[2e-6])
    };
    let large = Comparison::digits(IDS, "large", &[1.0], &[1.0]).source(&[2.0]);
    let both = large.clone().and(part(1e-6));
    assert_eq!(verdict(&both), Decision::Pass);
    assert_eq!(both.claim("L000.5").statement, "large; small");
    assert_eq!(both.fault(true), None);
    // In one list with a number of order one it would pass.
    assert_eq!(verdict(&large.clone().and(part(1.0001e-6))), Decision::Fail);
    let blind = Comparison::digits(IDS, "small", &[1e-6], &[1e-6]).source(&[1e-6]);
    assert_eq!(verdict(&large.clone().and(blind)), Decision::Unchecked);
    let idle = Comparison::digits(IDS, "nothing", &[0.0], &[0.0]);
    assert!(large.and(idle).fault(true).is_some());
}

#[test]
fn a_pass_rejects_a_wrong_form() {
    let bare = Comparison::digits(IDS, "x", &[1.0], &[1.0]);
    assert_eq!(verdict(&bare), Decision::Unchecked);
    assert!(bare.claim("L000.5").why().unwrap().contains("no wrong form"));
    let right = bare.clone().source(&[1.0]);
    assert_eq!(verdict(&right), Decision::Unchecked);
    let other = bare.against("twice", &[2.0]);
    assert_eq!(verdict(&other), Decision::Pass);
    assert!(other.claim("L000.5").in_words().contains("allowed errors: twice"));
}

#[test]
fn all_cases_obey_or_the_claim_falls() {
    let all = |hits, by_chance| {
        Comparison::all(IDS, "x", (hits, 20), by_chance).against_cases("a triangle", (3, 20))
    };
    assert_eq!(verdict(&all(20, 0.1)), Decision::Pass);
    assert_eq!(verdict(&all(19, 0.1)), Decision::Fail);
    assert_eq!(verdict(&all(20, 0.6)), Decision::Unchecked);
    let blind = Comparison::all(IDS, "x", (20, 20), 0.1).against_cases("a triangle", (20, 20));
    assert_eq!(verdict(&blind), Decision::Unchecked);
    let by = |comparison: Comparison| comparison.claim("L000.5").evidence;
    assert_eq!(by(all(20, 0.1)), Evidence::Simulated);
    assert_eq!(by(all(20, 0.0).enumerated()), Evidence::Form);
}

/// A check that asks for one form; `seen` is the measured value.
fn toy(effort: &Effort, seen: f64) -> Vec<Comparison> {
    let factor = effort.slip("factor", "twice as large", 1.0, 2.0);
    vec![Comparison::digits(IDS, "one", &[factor], &[seen])]
}

#[test]
fn a_check_is_run_again_with_every_slip_and_the_slip_is_its_wrong_form() {
    let check = |run| Check { name: "toy", summary: "a toy.", covers: IDS, run };
    let effort = || Effort::new(Streams::new(0), false);
    let right = decide(&check(|effort| Ok(toy(effort, 1.0))), effort()).unwrap();
    assert_eq!(verdict(&right[0]), Decision::Pass);
    assert!(right[0].claim("L000.5").in_words().contains(": factor: twice as large"));
    let [(slip, shared, claim)] = right[0].slips().try_into().unwrap();
    assert!(slip.form == "factor" && !shared && claim.decision() == Decision::Fail);
    // A measured side that is computed from the form moves with it.
    let hollow = decide(
        &check(|effort| {
            let seen = effort.slip("factor", "twice as large", 1.0, 2.0);
            Ok(toy(effort, seen))
        }),
        effort(),
    );
    assert!(
        hollow.unwrap()[0].slips()[0].1,
        "the comparison reports that both sides share the form"
    );
}
