//! The stimuli that the properties are tested on, and their settings.

use super::super::{ALL, Entry, Moments, Stimulus};
use crate::sampled::samples;
use fovea_core::params::Assignments;
use fovea_core::value::Value;
use std::sync::OnceLock;

/// Settings tried with every stimulus that has the parameters.
const SIZES: [&str; 3] = ["n=7", "n=2", "n=6 dim=2 xi=1.5"];

/// Sizes that a stimulus is right to refuse.
const REFUSED: [(&str, &str); 1] = [("single-pulse", "n=2")];

/// Further settings, each with the stimulus it belongs to.
const VARIANTS: &[(&str, &str)] = &[
    ("gaussian", "xi=5"),
    ("gaussian", "xi=0.001 n=7"),
    ("gaussian", "xi=1e6 n=7 kernel=wrapped"),
    ("gaussian", "xi=3 n=7 kernel=exponential"),
    ("gaussian", "xi=4 n=41 waves=10"),
    ("gaussian", "n=4 dim=3 xi=1"),
    ("nlgp", "gain=inf"),
    ("nlgp", "gain=1e-12 n=7"),
    ("nlgp", "gain=0.01 n=7"),
    ("nlgp", "gain=1e6 n=7"),
    ("nlgp", "gain=1 n=6 dim=2 xi=1.5 waves=1"),
    ("sign", "n=7 kernel=exponential"),
    ("copula", "n=7 marginal=arcsine"),
    ("copula", "n=7 marginal=laplace"),
    ("copula", "n=7 marginal=kur k=16"),
    ("copula", "n=7 marginal=kur k=1e6"),
    ("copula", "n=7 marginal=kur k=5"),
    ("copula", "n=7 marginal=kur k=2.000000001"),
    ("copula", "n=7 marginal=custom quantiles=-1,0,0.5,4"),
    ("copula", "n=7 marginal=custom quantiles=-3,-1,1,3 waves=2"),
    ("elliptical", "n=7 radius=student"),
    ("elliptical", "n=7 radius=student dof=2.001"),
    ("elliptical", "n=7 radius=student dof=16"),
    ("elliptical", "n=7 radius=laplace"),
    ("elliptical", "n=7 radius=ball"),
    ("elliptical", "n=7 radius=power"),
    ("elliptical", "n=7 radius=power beta=0.05"),
    ("elliptical", "n=7 radius=power beta=1e6"),
    ("elliptical", "n=7 radius=half-logistic"),
    ("elliptical", "n=7 radius=quantile quantiles=0,1,5"),
    ("elliptical", "xi=5.4"),
    ("elliptical", "n=7 xi=1e6 kernel=wrapped"),
    ("ising", "n=7 coupling=-1"),
    ("scaled", "base=sign(n=7)"),
    ("scaled", "base=copula(n=6,dim=2,xi=1.5)"),
    ("gaussian-clone", "base=ising(n=7)"),
    ("gaussian-clone", "base=sign(n=6,dim=2,xi=1.5)"),
    ("filtered", "base=gaussian(n=7) threshold=1"),
    ("conditional", "n=7 sites=0,3 values=0.5,-0.5"),
    ("single-pulse", "n=7 complement=0.5 low=-1"),
    ("block-pulse", "n=7 length=3"),
    ("mirrored", "base=nlgp(n=7,gain=inf)"),
    ("mirrored", "base=copula(n=6,dim=2,xi=1.5)"),
    ("mirrored", "base=mirrored(base=ising(n=7))"),
    ("window", "base=nlgp(n=12,xi=1) keep=5 factor=0.5"),
    ("window", "base=sign(n=7) keep=7"),
    ("window", "base=single-pulse(n=9) keep=4 factor=2"),
];

/// Distributions whose sampled second moments say little: the fourth moments are infinite or nearly so.
const HEAVY: [&str; 5] = [
    "copula n=7 marginal=kur k=5",
    "copula n=7 marginal=kur k=2.000000001",
    "elliptical n=7 radius=student",
    "elliptical n=7 radius=student dof=2.001",
    "elliptical n=7 radius=power beta=0.05",
];

/// One stimulus at one setting.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) stimulus: Box<dyn Stimulus>,
    moments: OnceLock<Result<Moments, String>>,
    pub(super) heavy: bool,
}

impl Case {
    fn new(entry: &Entry<Box<dyn Stimulus>>, settings: &str) -> Option<Self> {
        let name = format!("{} {settings}", entry.name).trim().to_owned();
        let assigned = |setting: &str| {
            let (key, value) = setting.split_once('=').unwrap();
            (key.to_owned(), Value::from_typed(value))
        };
        let values: Assignments = settings.split_whitespace().map(assigned).collect();
        let refused = REFUSED.contains(&(entry.name, settings));
        match (entry.build)(&values) {
            Ok(stimulus) => {
                assert!(!refused, "{name}: should be refused");
                let heavy = HEAVY.contains(&name.as_str());
                Some(Self { name, stimulus, moments: OnceLock::new(), heavy })
            }
            Err(error) => {
                assert!(
                    refused,
                    "{name}: {error}\nif it must, it is a row of `REFUSED` in {}",
                    file!()
                );
                assert!(!error.hint().is_empty(), "{name}: {error}");
                None
            }
        }
    }

    pub(super) fn moments(&self) -> &Result<Moments, String> {
        self.moments.get_or_init(|| self.stimulus.moments())
    }

    /// The site `steps` steps from `site` along the last axis.
    pub(super) fn beside(&self, site: usize, steps: usize) -> usize {
        let side = *self.stimulus.shape().last().unwrap();
        site / side * side + (site + steps) % side
    }

    /// The median of the absolute values, or 1 where most are zero.
    pub(super) fn typical_size(&self) -> f64 {
        let x = samples::<f64>(self.stimulus.as_ref(), &self.name, 1, 8);
        let mut sizes: Vec<f64> = x.iter().flatten().map(|x| x.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let median = sizes[sizes.len() / 2];
        if median > 0.0 { median } else { 1.0 }
    }

    /// Whether nearest and next-nearest neighbours of site 0 differ enough to tell them apart.
    pub(super) fn falls_off(&self) -> bool {
        let Ok(moments) = self.moments() else { return false };
        let lag = |steps| moments.covariance.at(0, self.beside(0, steps));
        lag(0) > 0.5 && (lag(1) - lag(2)).abs() > 0.2
    }
}

/// Every case, built once for all tests.
pub(super) fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(built)
}

fn built() -> Vec<Case> {
    let mut cases = Vec::new();
    for entry in ALL {
        let schema = (entry.schema)();
        let has = |setting: &str| {
            let key = setting.split('=').next().unwrap();
            schema.iter().any(|field| field.name == key)
        };
        let sizes = SIZES.iter().filter(|size| size.split_whitespace().all(has));
        let further = VARIANTS.iter().filter(|(name, _)| *name == entry.name).map(|(_, s)| s);
        cases.push(Case::new(entry, ""));
        cases.extend(sizes.chain(further).map(|settings| Case::new(entry, settings)));
    }
    assert!(VARIANTS.iter().all(|(name, _)| ALL.iter().any(|entry| entry.name == *name)));
    cases.into_iter().flatten().collect()
}
