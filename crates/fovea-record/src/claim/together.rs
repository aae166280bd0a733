//! Several comparisons that decide one clause together.

use super::{Claim, Decision};

impl Claim {
    /// One claim of several that must all hold: it shows one that does not, else the one closest to its limit. It needs a wrong
    /// form that one of them rejects, and has the weakest of their evidence.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn together(claims: Vec<Self>) -> Self {
        let rank = |claim: &Self| match claim.decision() {
            Decision::Fail => 2,
            Decision::Unchecked => 1,
            Decision::Pass => 0,
        };
        let worse = |a: Self, b: Self| {
            let closer = || (b.z / b.limit).abs() > (a.z / a.limit).abs();
            let second = rank(&b) > rank(&a) || (rank(&b) == rank(&a) && closer());
            if second { b } else { a }
        };
        // For counted cases it is one case, not an error of the numbers shown.
        let counted = claims.iter().all(|claim| claim.cases.is_some());
        let numbers = claims.iter().filter(|claim| counted || claim.cases.is_none());
        let coarsest = numbers.map(|claim| claim.resolution).fold(0.0, f64::max);
        let control = claims.iter().find_map(|claim| claim.control.clone());
        let evidence = claims.iter().map(|claim| claim.evidence).min();
        let what: Vec<String> = claims.iter().map(|claim| claim.statement.clone()).collect();
        let shown = claims.into_iter().reduce(worse).expect("there is a claim");
        let control = shown.control.clone().or(control);
        let evidence = evidence.unwrap_or(shown.evidence);
        let statement = what.join("; ");
        let claim = Self { statement, resolution: coarsest, control, evidence, ..shown };
        if claim.control.is_none() && claim.why_unchecked.is_none() {
            return claim.unchecked("no wrong form is rejected");
        }
        claim
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(measured: f64) -> Claim {
        Claim::exact("L000.5", format!("{measured}"), &[1.0], &[measured], 1e-9)
    }

    #[test]
    fn all_must_hold_and_one_must_reject_a_wrong_form() {
        let fine = || exact(1.0).rejecting_exact("twice", &[2.0], &[1.0]);
        let both = Claim::together(vec![exact(1.0), fine()]);
        assert_eq!((both.decision(), both.statement.as_str()), (Decision::Pass, "1; 1"));
        assert_eq!(Claim::together(vec![fine(), exact(1.1)]).decision(), Decision::Fail);
        let open = Claim::together(vec![fine(), exact(1.0).unchecked("for a reason")]);
        assert_eq!(open.why().as_deref(), Some("for a reason"));
        let bare = Claim::together(vec![exact(1.0)]);
        assert_eq!(bare.why().as_deref(), Some("no wrong form is rejected"));
    }
}
