//! Exact mean and covariance of a stimulus and distribution of one site, from closed forms where theory has them.
//!
//! A file of this folder has the name of its stimulus, reads the parameters of the stimulus and passes them to the
//! forms of `fovea-theory`. They are an independent result: the simulator finds the same numbers by quadrature and enumeration
//! ([`fovea_sim::Stimulus::moments`]), `tests/agree` compares the two, and the experiment `moments` compares both with
//! samples. A stimulus without a file here uses its own moments. Where theory has nothing for the parameters, the
//! result is the reason in words.

mod latent;
mod site;

pub use site::SiteLaw;

use fovea_core::params::Assignments;
use fovea_core::registry::resolve;
use fovea_core::{Item, Params};
use fovea_sim::Stimulus;
use fovea_sim::stimulus::Moments;
use std::sync::Arc;

/// Covariance of two sites.
pub type Cov = Arc<dyn Fn(usize, usize) -> f64 + Send + Sync>;

/// Mean of every site given that this one is positive.
pub type GivenPositive = Arc<dyn Fn(usize) -> Vec<f64> + Send + Sync>;

/// Exact moments of a stimulus.
pub struct Exact {
    /// Sides of the torus the sites lie on, the last one running fastest.
    pub shape: Vec<usize>,
    /// Mean of every site.
    pub mean: Vec<f64>,
    /// Covariance of two sites, computed on demand.
    pub cov: Cov,
    /// The distribution of one site.
    pub site: Arc<dyn Fn(usize) -> SiteLaw + Send + Sync>,
    /// Whether the distribution is translation-invariant.
    pub stationary: bool,
    /// Whether all sites together are Gaussian.
    pub gaussian: bool,
    /// Mean of every site given that one is positive, where theory knows it and the distribution is symmetric.
    pub given_positive: Option<GivenPositive>,
    /// Wrong forms of the covariance, the documented one of the closed form first.
    pub wrong: Vec<Wrong>,
}

/// A wrong form of the covariance, which a comparison must reject.
#[derive(Clone)]
pub struct Wrong {
    /// What is wrong with it.
    pub what: String,
    /// Its value.
    pub cov: Cov,
}

impl Wrong {
    fn new(
        what: impl Into<String>,
        cov: impl Fn(usize, usize) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self { what: what.into(), cov: Arc::new(cov) }
    }
}

impl Exact {
    /// A distribution without symmetry, with a matrix as covariance.
    fn uneven(mean: Vec<f64>, cov: Vec<Vec<f64>>, site: SiteLaw, wrong: Vec<Wrong>) -> Self {
        Self {
            shape: vec![mean.len()],
            mean,
            cov: Arc::new(move |i, j| cov[i][j]),
            site: Arc::new(move |_| site.clone()),
            stationary: false,
            gaussian: false,
            given_positive: None,
            wrong,
        }
    }

    /// What a stimulus without a closed form knows: moments, and no distribution of a site.
    fn by_itself(item: &Item<Box<dyn Stimulus>>) -> Result<Self, String> {
        let stimulus = item.build("stimulus").map_err(|error| error.to_string())?;
        let Moments { mean, covariance } = stimulus.moments()?;
        let site = SiteLaw::Unknown(format!("there is no closed form for {}", item.name()));
        Ok(Self {
            shape: stimulus.shape(),
            mean,
            cov: Arc::new(move |i, j| covariance.at(i, j)),
            site: Arc::new(move |_| site.clone()),
            stationary: stimulus.declared().translation_invariant,
            gaussian: stimulus.is_gaussian(),
            given_positive: None,
            wrong: Vec::new(),
        })
    }
}

/// What theory knows of one stimulus.
pub struct ClosedForm {
    /// The name of the stimulus.
    pub name: &'static str,
    /// Its moments with these parameters, or why theory has none.
    pub moments: fn(&Assignments) -> Result<Exact, String>,
}

fovea_core::registry! { "src/exact": ClosedForm, beside latent, site; array, block_pulse, conditional, copula, elliptical, filtered, gaussian, gaussian_clone, ising, mirrored, nlgp, scaled, sign, single_pulse, window }

/// Most sites of a distribution whose covariance is a matrix: theory computes all of it at once.
const MOST_SITES: usize = 1000;

/// Exact moments of a stimulus, which must be one that can be built.
///
/// ```
/// use fovea_core::Item;
/// let item = Item::named("ising").set("n", 2_usize).set("coupling", 0.3);
/// let exact = fovea_desk::exact::exact(&item).unwrap();
/// assert!(((exact.cov)(0, 1) - libm::tanh(0.6)).abs() < 1e-15);
/// ```
///
/// # Errors
/// Theory has no form for these parameters, or the stimulus has no closed form and does not know its moments; the text says
/// which.
pub fn exact(item: &Item<Box<dyn Stimulus>>) -> Result<Exact, String> {
    match ALL.iter().find(|form| form.name == item.name()) {
        Some(form) => (form.moments)(item.values()),
        None => Exact::by_itself(item),
    }
}

/// The parameters of a stimulus.
fn read<P: Params>(values: &Assignments) -> Result<P, String> {
    resolve(values).map_err(|error| error.to_string())
}

/// Refuses a covariance that is too large to be computed at once.
fn small_enough(sites: usize) -> Result<(), String> {
    if sites <= MOST_SITES {
        return Ok(());
    }
    Err(format!("theory computes a covariance that is not circulant up to {MOST_SITES} sites"))
}

/// The value of a form's documented wrong form, where it has one at these arguments.
fn control(form: &str, given: &Assignments) -> Option<(&'static str, fovea_core::Value)> {
    let form = fovea_theory::form(form)?;
    Some((form.control.what, form.control.at(given).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_form_has_the_name_of_its_stimulus_and_file() {
        for (form, file) in ALL.iter().zip(LISTED.files) {
            assert_eq!(form.name.replace('-', "_"), *file);
        }
    }

    #[test]
    fn a_stimulus_without_a_closed_form_answers_by_its_own_moments() {
        for item in [Item::named("ising").set("n", 7_usize), Item::named("array")] {
            let (own, theirs) = (Exact::by_itself(&item).unwrap(), exact(&item).unwrap());
            assert_eq!(own.shape, theirs.shape);
            assert_eq!((own.stationary, own.gaussian), (theirs.stationary, theirs.gaussian));
            for i in 0..own.mean.len() {
                assert!((own.mean[i] - theirs.mean[i]).abs() < 1e-12, "{}", item.name());
                assert!(((own.cov)(0, i) - (theirs.cov)(0, i)).abs() < 1e-12, "{}", item.name());
            }
            let why = (own.site)(0).cdf(0.0).unwrap_err();
            assert_eq!(why, format!("there is no closed form for {}", item.name()));
            assert!(own.wrong.is_empty(), "nothing is known that it could be mistaken for");
        }
        let unknown = Item::named("array").set("samples", "no_such_file.npy");
        assert!(Exact::by_itself(&unknown).is_err());
    }
}
