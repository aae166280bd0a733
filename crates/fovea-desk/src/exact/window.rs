//! The first sites of a stimulus, times a number.

use super::{ClosedForm, Cov, Exact, SiteLaw, Wrong, exact, read};
use fovea_core::params::Assignments;
use fovea_sim::stimulus::{self, window::Window};
use std::sync::Arc;

/// The first sites of a stimulus times a number: its moments, cut and multiplied.
fn moments(values: &Assignments) -> Result<Exact, String> {
    let params: Window = read(values)?;
    let base = exact(&params.base)?;
    let (factor, whole) = (params.factor, params.keep == base.mean.len());
    let times = move |cov: Cov| move |i: usize, j: usize| factor * factor * cov(i, j);
    let wrong = base.wrong.iter().map(|w| Wrong::new(&*w.what, times(Arc::clone(&w.cov))));
    let same = factor.to_bits() == 1.0_f64.to_bits();
    let unknown = "there is no form for one site times a number";
    let site: Arc<dyn Fn(usize) -> SiteLaw + Send + Sync> =
        if same { base.site } else { Arc::new(move |_| SiteLaw::Unknown(unknown.to_owned())) };
    Ok(Exact {
        mean: base.mean.iter().take(params.keep).map(|mean| factor * mean).collect(),
        wrong: wrong.collect(),
        cov: Arc::new(times(base.cov)),
        site,
        gaussian: base.gaussian,
        given_positive: None,
        shape: if whole { base.shape } else { vec![params.keep] },
        stationary: base.stationary && whole,
    })
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::window::ENTRY.name, moments };
