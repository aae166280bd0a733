//! Which stimuli are compared, at which settings.

use fovea_lab::exact;
use fovea_sim::stimulus;

/// Stimuli as a user types them: odd and even rings, two sites, tori, every marginal and every radius, both ends of a gain.
pub(super) const CASES: &[&str] = &[
    "gaussian(n=7)",
    "gaussian(n=2)",
    "gaussian(n=40, xi=5)",
    "gaussian(n=6, dim=2, xi=1.5)",
    "gaussian(n=4, dim=3, xi=1)",
    "gaussian(n=13, xi=2, kernel=exponential)",
    "gaussian(n=12, xi=4, kernel=wrapped)",
    "gaussian(n=41, xi=4, waves=10)",
    "nlgp(n=7)",
    "nlgp(n=2, gain=1)",
    "nlgp(n=7, gain=1e-12)",
    "nlgp(n=7, gain=0.01)",
    "nlgp(n=12, gain=0.5)",
    "nlgp(n=7, gain=1e6)",
    "nlgp(n=7, gain=inf)",
    "nlgp(n=6, dim=2, xi=1.5, gain=1)",
    "nlgp(n=5, dim=2, xi=1.2, waves=1)",
    "nlgp(n=9, xi=3, kernel=exponential, gain=3)",
    "sign(n=7)",
    "sign(n=2)",
    "sign(n=6, dim=2, xi=1.5)",
    "copula(n=7)",
    "copula(n=2)",
    "copula(n=7, marginal=arcsine)",
    "copula(n=5, dim=2, xi=1.2, marginal=arcsine)",
    "copula(n=7, marginal=laplace)",
    "copula(n=7, marginal=kur, k=16)",
    "copula(n=7, marginal=kur, k=1e6)",
    "copula(n=7, marginal=kur, k=5)",
    "copula(n=7, marginal=kur, k=2.5)",
    "copula(n=7, marginal=custom, quantiles=[-1, 0, 0.5, 4])",
    "copula(n=7, marginal=kur, k=2.0005)",
    "elliptical(n=7)",
    "elliptical(n=2)",
    "elliptical(n=6, dim=2, xi=1.5)",
    "elliptical(n=7, xi=1e6, kernel=wrapped)",
    "elliptical(n=7, radius=ball)",
    "elliptical(n=7, radius=laplace)",
    "elliptical(n=7, radius=student)",
    "elliptical(n=7, radius=student, dof=20)",
    "elliptical(n=7, radius=power)",
    "elliptical(n=7, radius=power, beta=3)",
    "elliptical(n=7, radius=quantile, quantiles=[0, 1, 5])",
    "ising",
    "ising(n=2, coupling=0.3)",
    "ising(n=7, coupling=0.7)",
    "ising(n=7, coupling=-0.8)",
    "ising(n=7, coupling=5)",
    "ising(n=9, coupling=-5)",
    "ising(n=6, coupling=0)",
    "single-pulse(n=12)",
    "single-pulse(n=7, min_length=1, max_length=7)",
    "single-pulse(n=7, complement=0.3, low=-0.5, high=2)",
    "single-pulse(n=9, complement=0.5, low=-1)",
    "block-pulse(n=8, length=4)",
    "block-pulse(n=7, length=3, low=-0.5, high=1.5)",
    "conditional(n=7, sites=[0, 3], values=[0.5, -0.5])",
    "conditional(n=9, gain=0.5, xi=2, kernel=wrapped, sites=[4], values=[1.2])",
    "conditional(n=12, gain=100, xi=1.5, sites=[0, 5], values=[0.2, -0.9])",
    "conditional(n=6, dim=2, xi=1.5)",
    "filtered(base=gaussian(n=7), threshold=1)",
    "filtered(base=gaussian(n=5, xi=1), direction=[[1, -0.5, 0, 0.25, 2]], threshold=-0.5)",
    "filtered(base=gaussian-clone(base=single-pulse(n=7)), threshold=0.5)",
    "filtered(base=scaled(base=gaussian(n=7), factor=sign), site=2)",
    "filtered(base=nlgp(n=7))",
    "filtered(base=nlgp(n=7), threshold=0.5)",
    "filtered(base=sign(n=4, dim=2, xi=1), site=5, direction=[-2])",
    "filtered(base=ising(n=5, coupling=-0.6), site=3)",
    "filtered(base=gaussian(n=5, dim=2, xi=1))",
    "filtered(base=gaussian-clone(base=array))",
    "scaled(base=sign(n=7))",
    "scaled(base=nlgp(n=7, gain=0.5), factor=uniform)",
    "scaled(base=gaussian(n=7), factor=root-exponential)",
    "scaled(base=ising(n=6), factor=sign)",
    "scaled(base=single-pulse(n=5, high=2), factor=root-exponential)",
    "scaled(base=block-pulse(n=7, length=3), factor=uniform)",
    "scaled(base=copula(n=5, dim=2, xi=1.2), factor=sign)",
    "gaussian-clone(base=ising(n=7))",
    "gaussian-clone(base=sign(n=6, dim=2, xi=1.5))",
    "gaussian-clone(base=single-pulse(n=7, complement=0.3))",
    "gaussian-clone(base=array(samples=[[1, -2, 0.5], [3, 0, 0.25], [-1, 4, 2], [0, 1, 1]]))",
    "mirrored(base=nlgp(n=7, gain=0.5))",
    "mirrored(base=ising(n=6))",
    "window(base=nlgp(n=9, gain=1), keep=6)",
    "window(base=gaussian(n=12, xi=2), keep=7, factor=0.5)",
    "array",
    "array(samples=[[1, -2, 0.5], [3, 0, 0.25], [-1, 4, 2]])",
];

/// Where theory has nothing, and a part of what it says instead.
pub(super) const SILENT: [(&str, &str); 6] = [
    ("copula(n=7, marginal=custom, quantiles=[-1, 0, 0.5, 4])", "`custom` is a table"),
    ("copula(n=7, marginal=kur, k=2.0005)", "copula.cov refuses Kur(2.0005)"),
    ("conditional(n=6, dim=2, xi=1.5)", "written for a ring"),
    ("filtered(base=nlgp(n=7), threshold=0.5)", "`base` is nlgp"),
    ("filtered(base=gaussian(n=5, dim=2, xi=1))", "circulant covariance on a ring"),
    ("filtered(base=gaussian-clone(base=array))", "circulant covariance on a ring"),
];

/// Whether a case is about this stimulus.
fn is_of(case: &str, name: &str) -> bool {
    case.split('(').next() == Some(name)
}

/// Every case, and every other stimulus as it is by default.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    let unlisted = |name: &&str| !CASES.iter().any(|case| is_of(case, name));
    CASES.iter().copied().chain(stimulus::ALL.iter().map(|entry| entry.name).filter(unlisted))
}

/// The cases theory has something to say on.
pub(super) fn known() -> impl Iterator<Item = &'static str> {
    let silent = |case: &str| SILENT.iter().any(|(name, _)| *name == case);
    let derived = |case: &str| exact::ALL.iter().any(|form| is_of(case, form.name));
    CASES.iter().copied().filter(move |case| derived(case) && !silent(case))
}

#[test]
fn every_closed_form_is_of_a_stimulus_and_has_a_case_that_it_answers() {
    for form in exact::ALL {
        let name = form.name;
        assert!(stimulus::ALL.iter().any(|entry| entry.name == name), "{name} is no stimulus");
        assert!(known().any(|case| is_of(case, name)), "no case compares {name}");
    }
}

#[test]
fn where_theory_is_silent_it_says_why() {
    for (case, words) in SILENT {
        let why = exact::exact(&super::item(case)).err().unwrap_or_else(|| panic!("{case}: known"));
        assert!(why.contains(words), "{case}: {why}");
    }
}
