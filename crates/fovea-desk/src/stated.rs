//! Whether a run has the settings that the claims of its experiment are about.
//!
//! A closed form holds in its stated range. A phenomenon was stated and shown at some settings: between the quick ones, the
//! defaults and the published ones. A run outside these can neither confirm nor refute it.

use fovea_core::Value;
use fovea_core::params::Assignments;
use fovea_record::claim::{Claim, Decision};

/// Words in the names of settings that only sharpen the result when they grow.
const MORE: [&str; 17] = [
    "steps",
    "starts",
    "seeds",
    "networks",
    "nets",
    "replicas",
    "samples",
    "rows",
    "eval",
    "draws",
    "sets",
    "runs",
    "inits",
    "records",
    "estimates",
    "held",
    "again",
];

/// Those that sharpen it when they shrink.
const LESS: [&str; 1] = ["record_every"];

/// Those that say how a run computes, and not what.
const BESIDE: [&str; 1] = ["precision"];

/// Why the settings of a run are not among those `stated`, which its experiment's claims are about, if they are not.
pub(crate) fn outside(own: &Assignments, stated: &[Assignments]) -> Option<String> {
    own.iter().find_map(|(key, value)| {
        if BESIDE.contains(&key.as_str()) {
            return None;
        }
        let there = stated.iter().flat_map(|all| all.iter().filter(|(k, _)| k == key));
        let there: Vec<&Value> = there.map(|(_, value)| value).collect();
        if there.contains(&value) {
            return None;
        }
        let all: Option<Vec<Vec<f64>>> = there.iter().map(|value| numbers(value)).collect();
        let all = all.map(|all| all.concat()).filter(|all| !all.is_empty());
        let (Some(own), Some(all)) = (numbers(value), all) else {
            return Some(format!("it is not about runs with {key} = {value}"));
        };
        let low = all.iter().copied().fold(f64::INFINITY, f64::min);
        let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let more = key.split('_').any(|word| MORE.contains(&word));
        let less = LESS.contains(&key.as_str());
        let inside = |x: &f64| (less || *x >= low) && (more || *x <= high);
        if own.iter().all(inside) {
            return None;
        }
        let [least, most] = [low, high].map(Value::Real);
        let range = match (more, less) {
            (true, _) => format!("of at least {least}"),
            (_, true) => format!("of at most {most}"),
            _ if low < high => format!("from {least} to {most}"),
            _ => format!("of {least}"),
        };
        Some(format!("it is about runs with {key} {range}; here it is {value}"))
    })
}

/// Leaves claims about the stated settings alone unchecked where a run has others, and says which.
pub(crate) fn leave_unchecked(claims: &mut [Claim], elsewhere: Option<&str>) {
    let Some(why) = elsewhere else { return };
    for claim in claims.iter_mut().filter(|claim| claim.as_stated) {
        claim.why_unchecked.get_or_insert_with(|| why.to_owned());
    }
}

/// Leaves claims unchecked that agree and reject no wrong form: they show nothing.
pub(crate) fn need_a_wrong_form(claims: &mut [Claim]) {
    let bare = |claim: &&mut Claim| claim.control.is_none() && claim.decision() == Decision::Pass;
    for claim in claims.iter_mut().filter(bare) {
        claim.why_unchecked = Some("no wrong form was tested in the same way".to_owned());
    }
}

/// The numbers that a setting holds; nothing where it holds something else.
fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::List(items) => Some(items.iter().map(numbers).collect::<Option<Vec<_>>>()?.concat()),
        one => one.as_real().map(|x| vec![x]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Decision::{Fail, Pass, Unchecked};

    fn settings(steps: i64, every: i64, gain: &[f64], kernel: &str) -> Assignments {
        let named = |name: &str, value: Value| (name.to_owned(), value);
        vec![
            named("late_steps", Value::Int(steps)),
            named("record_every", Value::Int(every)),
            named("gain", Value::reals(gain)),
            named("kernel", Value::from_typed(kernel)),
        ]
    }

    #[test]
    fn settings_between_those_of_the_sizes_are_the_stated_ones() {
        let infinite = f64::INFINITY;
        let stated =
            [settings(100, 5, &[0.5, 3.0], "ring"), settings(20, 2, &[3.0, infinite], "ring")];
        let why = |own: Assignments| outside(&own, &stated);
        assert_eq!(why(settings(20, 5, &[1.0], "ring")), None);
        assert_eq!(why(settings(500, 1, &[0.5, infinite], "ring")), None, "sharper only");
        let short = why(settings(19, 2, &[1.0], "ring")).unwrap();
        assert_eq!(short, "it is about runs with late_steps of at least 20; here it is 19");
        let seldom = why(settings(20, 6, &[1.0], "ring")).unwrap();
        assert_eq!(seldom, "it is about runs with record_every of at most 5; here it is 6");
        let weak = why(settings(20, 2, &[3.0, 0.4], "ring")).unwrap();
        assert!(weak.contains("gain from 0.5 to inf"), "{weak}");
        let other = why(settings(20, 2, &[3.0], "wrapped")).unwrap();
        assert_eq!(other, "it is not about runs with kernel = wrapped");
    }

    #[test]
    fn elsewhere_a_phenomenon_is_left_open_and_a_wrong_identity_still_fails() {
        let at = |predicted: f64| Claim::exact("L000.3", "x", &[predicted], &[1.0], 1e-9);
        let claims = || [at(1.0), at(1.02), at(1.0).only_as_stated(), at(1.02).only_as_stated()];
        let verdicts = |elsewhere: Option<&str>| {
            let mut claims = claims();
            leave_unchecked(&mut claims, elsewhere);
            claims.map(|claim| claim.decision())
        };
        assert_eq!(verdicts(None), [Pass, Fail, Pass, Fail]);
        assert_eq!(verdicts(Some("too short")), [Pass, Fail, Unchecked, Unchecked]);
        let mut known = [at(1.0).only_as_stated().unchecked("a reason of its own")];
        leave_unchecked(&mut known, Some("too short"));
        assert_eq!(known[0].why().unwrap(), "a reason of its own");
    }

    #[test]
    fn agreement_alone_is_no_pass() {
        let at = |predicted: f64| Claim::exact("L000.3", "x", &[predicted], &[1.0], 1e-9);
        let told = at(1.0).rejecting_exact("twice", &[2.0], &[1.0]);
        let mut claims = [at(1.0), at(1.02), told];
        need_a_wrong_form(&mut claims);
        assert_eq!(claims.map(|claim| claim.decision()), [Unchecked, Fail, Pass]);
    }
}
