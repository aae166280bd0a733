//! What theory says of a stimulus: mean, covariance and the law of one site, from closed forms alone.
//!
//! [`exact`] reads the parameters a stimulus was given and hands them to the forms of `fovea-theory`. The simulator finds
//! the same numbers by quadrature and enumeration ([`fovea_sim::Stimulus::moments`]); `tests/agree` compares the two, and
//! the experiment `moments` compares both with what is drawn. Where theory has nothing, the answer is the reason in words.

mod composed;
mod discrete;
mod on_lattice;
mod site;

pub use site::SiteLaw;

use fovea_core::params::Assignments;
use fovea_core::registry::resolve;
use fovea_core::{Item, Params};
use fovea_sim::Stimulus;
use std::sync::Arc;

/// Covariance of two sites.
pub type Cov = Arc<dyn Fn(usize, usize) -> f64 + Send + Sync>;

/// Exact moments of a stimulus.
pub struct Exact {
    /// Sides of the torus the sites lie on, the last one running fastest.
    pub shape: Vec<usize>,
    /// Mean of every site.
    pub mean: Vec<f64>,
    /// Covariance of two sites, computed when asked for.
    pub cov: Cov,
    /// The law of one site.
    pub site: Arc<dyn Fn(usize) -> SiteLaw + Send + Sync>,
    /// Whether the law is translation-invariant.
    pub stationary: bool,
    /// Whether all sites together are Gaussian.
    pub gaussian: bool,
    /// Wrong forms of the covariance, the documented one of the closed form first.
    pub wrong: Vec<Wrong>,
}

/// A wrong form of the covariance, which a comparison must reject.
#[derive(Clone)]
pub struct Wrong {
    /// What is wrong with it.
    pub what: String,
    /// What it says.
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

/// What theory knows of a stimulus with these parameters.
type Moments = fn(&Assignments) -> Result<Exact, String>;

/// Which forms answer for which stimulus.
const TABLE: &[(&str, Moments)] = &[
    ("array", discrete::array),
    ("block-pulse", discrete::block_pulse),
    ("conditional", composed::conditional),
    ("copula", on_lattice::copula),
    ("elliptical", on_lattice::elliptical),
    ("filtered", composed::filtered),
    ("gaussian", on_lattice::gaussian),
    ("gaussian-clone", composed::gaussian_clone),
    ("ising", discrete::ising),
    ("mirrored", composed::mirrored),
    ("nlgp", on_lattice::nlgp),
    ("scaled", composed::scaled),
    ("sign", on_lattice::sign),
    ("single-pulse", discrete::single_pulse),
    ("window", composed::window),
];

/// Most sites of a law whose covariance is a matrix of its own: theory forms all of it at once.
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
/// Theory has no form for it; the text says for what.
pub fn exact(item: &Item<Box<dyn Stimulus>>) -> Result<Exact, String> {
    let row = TABLE.iter().find(|(name, _)| *name == item.name());
    let (_, moments) =
        row.ok_or_else(|| format!("no closed form is written for {}", item.name()))?;
    moments(item.values())
}

/// The stimuli that have a row, whether or not theory knows them at every setting.
pub fn covered() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}

/// The parameters of a stimulus.
fn read<P: Params>(values: &Assignments) -> Result<P, String> {
    resolve(values).map_err(|error| error.to_string())
}

/// Refuses a covariance that is too large to be formed at once.
fn small_enough(sites: usize) -> Result<(), String> {
    if sites <= MOST_SITES {
        return Ok(());
    }
    Err(format!("theory forms a covariance that is no circulant up to {MOST_SITES} sites"))
}

/// The value of a form's documented wrong form, where it has one at these arguments.
fn control(form: &str, given: &Assignments) -> Option<(&'static str, fovea_core::Value)> {
    let form = fovea_theory::form(form)?;
    Some((form.control.what, form.control.at(given).ok()?))
}
