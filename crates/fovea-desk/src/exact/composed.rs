//! Stimuli made of another one: conditioned, filtered, mirrored, multiplied, cut, or replaced by a Gaussian.

use super::on_lattice::Latent;
use super::{Exact, SiteLaw, Wrong, control, exact, read, small_enough};
use fovea_core::params::{Assignments, ParamType};
use fovea_core::special::inv_erf;
use fovea_core::{Matrix, Value};
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::conditional::Conditional;
use fovea_sim::stimulus::filtered::Filtered;
use fovea_sim::stimulus::gaussian_clone::GaussianClone;
use fovea_sim::stimulus::mirrored::Mirrored;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::stimulus::scaled::{Factor, Scaled};
use fovea_sim::stimulus::sign::Sign;
use fovea_sim::stimulus::window::Window;
use fovea_theory::conditional::{self, nlgp::nlgp};
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::f_site::f_site;
use fovea_theory::nlgp::normalizer::normalizer;
use fovea_theory::scaled::excess_kurtosis::Scale;
use fovea_theory::truncated::gaussian::gaussian as truncated;
use std::f64::consts::PI;
use std::sync::Arc;

/// A law without symmetry, its covariance a matrix.
fn uneven(mean: Vec<f64>, cov: Vec<Vec<f64>>, site: SiteLaw, wrong: Vec<Wrong>) -> Exact {
    Exact {
        shape: vec![mean.len()],
        mean,
        cov: Arc::new(move |i, j| cov[i][j]),
        site: Arc::new(move |_| site.clone()),
        stationary: false,
        gaussian: false,
        wrong,
    }
}

pub(super) fn conditional(values: &Assignments) -> Result<Exact, String> {
    let params: Conditional = read(values)?;
    let (lattice, gain) = (&params.lattice, params.gain);
    if lattice.dim > 1 {
        return Err("conditional.nlgp is written for a ring, not for a torus".to_owned());
    }
    small_enough(lattice.n)?;
    let latent = Latent::new(lattice);
    let given = nlgp(&latent.row, gain, &params.sites, &params.values)
        .map_err(|error| error.to_string())?;
    let numbers = |list: &[usize]| list.iter().map(|i| *i as f64).collect::<Vec<f64>>();
    let arguments = vec![
        ("n".to_owned(), Value::Int(lattice.n as i64)),
        ("xi".to_owned(), Value::Real(lattice.xi)),
        ("kernel".to_owned(), lattice.kernel.write()),
        ("gain".to_owned(), Value::Real(gain)),
        ("sites".to_owned(), Value::reals(&numbers(&params.sites))),
        ("values".to_owned(), Value::reals(&params.values)),
    ];
    let regression = control("conditional.nlgp", &arguments).filter(|_| lattice.waves == 0);
    let regression = regression.and_then(|(what, value)| {
        let cov = Vec::<Vec<f64>>::read(value.get("cov")?)?;
        Some(Wrong::new(what, move |i, j| cov[i][j]))
    });
    let free = {
        let latent = latent.clone();
        Wrong::new("the covariance before anything is given", move |i, j| {
            cov(latent.at(i, j), gain)
        })
    };
    let wrong = regression.into_iter().chain([free]).collect();
    let mut known = uneven(given.mean, given.cov, SiteLaw::Unknown(String::new()), wrong);
    // The latent field of a site is normal with these moments, and the site an increasing function of it.
    let root = normalizer(gain).sqrt();
    let z: Vec<f64> = params.values.iter().map(|x| inv_erf(x * root) / gain).collect();
    let field =
        conditional::Conditional::gaussian(|i, j| latent.at(i, j), lattice.n, &params.sites, &z)
            .ok_or("one of the given sites is determined by the others")?;
    known.site = Arc::new(move |i| match params.sites.iter().position(|site| *site == i) {
        Some(place) => SiteLaw::Atoms(vec![(params.values[place], 1.0)]),
        None => SiteLaw::Given { gain, mean: field.mean[i], std: field.cov[i][i].sqrt() },
    });
    Ok(known)
}

pub(super) fn filtered(values: &Assignments) -> Result<Exact, String> {
    let params: Filtered = read(values)?;
    let base = exact(&params.base)?;
    if let Some(half) = halved(&params, &base)? {
        return Ok(half);
    }
    if !base.gaussian {
        return Err(format!(
            "truncated.gaussian is about Gaussian data, and `base` is {}",
            params.base.name()
        ));
    }
    if !base.stationary || base.shape.len() > 1 {
        return Err("truncated.gaussian is written for a circulant covariance on a ring".to_owned());
    }
    let n = base.mean.len();
    small_enough(n)?;
    let direction = weights(&params.direction, params.site, n);
    let along: f64 = direction.iter().zip(&base.mean).map(|(a, m)| a * m).sum();
    let row: Vec<f64> = (0..n).map(|j| (base.cov)(0, j)).collect();
    let beyond =
        truncated(&row, &direction, params.threshold - along).map_err(|error| error.to_string())?;
    let unconditional = {
        let beyond = beyond.clone();
        let what = "the unconditional moments E[XX'; <a,X> >= b] of the notes";
        Wrong::new(what, move |i, j| {
            beyond.probability * (beyond.cov[i][j] + beyond.mean[i] * beyond.mean[j])
        })
    };
    let uncut = Wrong::new("the covariance of the base", {
        let cov = Arc::clone(&base.cov);
        move |i, j| cov(i, j)
    });
    let mean = beyond.mean.iter().zip(&base.mean).map(|(shift, mean)| mean + shift).collect();
    let site = "no form is written for one site of a Gaussian beyond a plane";
    Ok(uneven(mean, beyond.cov, SiteLaw::Unknown(site.to_owned()), vec![unconditional, uncut]))
}

/// A symmetric law of which one site is kept to one sign: its mean is twice the gated mean, and the second moments stay.
fn halved(params: &Filtered, base: &Exact) -> Result<Option<Exact>, String> {
    let &[weight] = params.direction.numbers() else { return Ok(None) };
    if params.threshold != 0.0 {
        return Ok(None);
    }
    let (n, site) = (base.mean.len(), params.site);
    let field = |lattice: &Lattice, gain: f64| -> Vec<f64> {
        let latent = Latent::new(lattice);
        (0..n).map(|j| 2.0 * f_site(latent.at(site, j), gain)).collect()
    };
    let positive: Vec<f64> = match params.base.name() {
        "nlgp" => {
            let nlgp: Nlgp = read(params.base.values())?;
            field(&nlgp.lattice, nlgp.gain)
        }
        "sign" => field(&read::<Sign>(params.base.values())?.lattice, f64::INFINITY),
        // A spin is its own sign.
        "ising" => (0..n).map(|j| (base.cov)(site, j)).collect(),
        _ => return Ok(None),
    };
    small_enough(n)?;
    let mean: Vec<f64> = positive.iter().map(|m| weight.signum() * m).collect();
    let cov =
        |i: usize| -> Vec<f64> { (0..n).map(|j| (base.cov)(i, j) - mean[i] * mean[j]).collect() };
    let uncut = Wrong::new("the covariance of the base", {
        let cov = Arc::clone(&base.cov);
        move |i, j| cov(i, j)
    });
    let site = "no form is written for one site of a filtered field";
    let cov = (0..n).map(cov).collect();
    let half = uneven(mean, cov, SiteLaw::Unknown(site.to_owned()), vec![uncut]);
    Ok(Some(Exact { shape: base.shape.clone(), ..half }))
}

/// One weight a site from the parameter `direction`, whose single number belongs to `site` alone.
fn weights(direction: &Matrix, site: usize, n: usize) -> Vec<f64> {
    match direction.numbers() {
        [one] => (0..n).map(|i| if i == site { *one } else { 0.0 }).collect(),
        all => all.to_vec(),
    }
}

pub(super) fn gaussian_clone(values: &Assignments) -> Result<Exact, String> {
    let params: GaussianClone = read(values)?;
    let base = exact(&params.base)?;
    let (mean, cov) = (base.mean.clone(), Arc::clone(&base.cov));
    let normal = move |i: usize| SiteLaw::Normal { mean: mean[i], std: cov(i, i).max(0.0).sqrt() };
    Ok(Exact { site: Arc::new(normal), gaussian: true, ..base })
}

/// A sample and its mirror image have one law, that of the base.
pub(super) fn mirrored(values: &Assignments) -> Result<Exact, String> {
    exact(&read::<Mirrored>(values)?.base)
}

/// Second moments stay, `E s^2 = 1`; the mean shrinks to `E s` times what it was, and the covariance is the rest.
pub(super) fn scaled(values: &Assignments) -> Result<Exact, String> {
    let params: Scaled = read(values)?;
    let base = exact(&params.base)?;
    let (scale, shrunk) = match params.factor {
        Factor::Normal => (Scale::Normal, 0.0),
        Factor::Uniform => (Scale::Uniform, 0.0),
        Factor::Sign => (Scale::Sign, 0.0),
        // The mean of the root of an exponential number is the gamma function at 3/2.
        Factor::RootExponential => (Scale::RootExponential, PI.sqrt() / 2.0),
    };
    let centred = base.mean.iter().all(|m| m.abs() < f64::MIN_POSITIVE);
    let mean = Arc::new(base.mean.clone());
    let spread = move |cov: super::Cov| {
        let mean = Arc::clone(&mean);
        move |i: usize, j: usize| cov(i, j) + (1.0 - shrunk * shrunk) * mean[i] * mean[j]
    };
    let wrong = base.wrong.iter().map(|w| Wrong::new(&*w.what, spread(Arc::clone(&w.cov))));
    let mut wrong: Vec<Wrong> = wrong.collect();
    if !centred {
        let cov = Arc::clone(&base.cov);
        wrong.insert(0, Wrong::new("the covariance of the base", move |i, j| cov(i, j)));
    }
    let law = move |i: usize| {
        if centred {
            SiteLaw::Scaled { scale, base: Box::new((base.site)(i)) }
        } else {
            let why = "scaled.excess_kurtosis is about a base of mean 0";
            SiteLaw::Unknown(why.to_owned())
        }
    };
    Ok(Exact {
        mean: base.mean.iter().map(|m| shrunk * m).collect(),
        cov: Arc::new(spread(base.cov)),
        site: Arc::new(law),
        gaussian: base.gaussian && centred && params.factor == Factor::Sign,
        shape: base.shape,
        stationary: base.stationary,
        wrong,
    })
}

/// The first sites of a stimulus times a number: its moments, cut and multiplied.
pub(super) fn window(values: &Assignments) -> Result<Exact, String> {
    let params: Window = read(values)?;
    let base = exact(&params.base)?;
    let (factor, whole) = (params.factor, params.keep == base.mean.len());
    let times = move |cov: super::Cov| move |i: usize, j: usize| factor * factor * cov(i, j);
    let wrong = base.wrong.iter().map(|w| Wrong::new(&*w.what, times(Arc::clone(&w.cov))));
    let same = factor.to_bits() == 1.0_f64.to_bits();
    let unknown = "no form is written for one site times a number";
    let site: Arc<dyn Fn(usize) -> SiteLaw + Send + Sync> =
        if same { base.site } else { Arc::new(move |_| SiteLaw::Unknown(unknown.to_owned())) };
    Ok(Exact {
        mean: base.mean.iter().take(params.keep).map(|mean| factor * mean).collect(),
        wrong: wrong.collect(),
        cov: Arc::new(times(base.cov)),
        site,
        gaussian: base.gaussian,
        shape: if whole { base.shape } else { vec![params.keep] },
        stationary: base.stationary && whole,
    })
}
