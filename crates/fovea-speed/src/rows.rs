//! What shells pass on in bulk: samples row by row, and a closed form at many arguments. Python is compared with these.

use super::row::{Row, Work};
use fovea_core::Item;
use fovea_core::streams::Streams;
use fovea_desk::error::LabError;
use fovea_sim::Stimulus;
use fovea_sim::rows::{RowElement, fill_rows};

/// Samples of a piece of work.
const SAMPLES: usize = 1 << 14;
/// Samples of a piece of work that finds memory for them.
const FRESH: usize = 1 << 17;
/// Arguments of a piece of work.
const ARGUMENTS: usize = 1 << 14;

pub(super) fn rows() -> Vec<Row> {
    vec![sampled::<f32>("f32"), sampled::<f64>("f64"), fresh(), form()]
}

fn stimulus() -> Result<Box<dyn Stimulus>, LabError> {
    let item: Item<Box<dyn Stimulus>> = Item::named("nlgp").set("n", 40_usize).set("xi", 2.0);
    Ok(item.build("stimulus")?)
}

/// Samples in an array that is new every time, whose memory the system has to find first.
fn fresh() -> Row {
    let prepare = || {
        let (stimulus, stream) = (stimulus()?, Streams::new(0).named("sample"));
        let work: Work = Box::new(move |count| {
            for _ in 0..count {
                let mut rows = vec![0.0_f32; FRESH * stimulus.dim()];
                fill_rows(stimulus.as_ref(), &stream, 0, &mut rows, &|| false);
                std::hint::black_box(&rows);
            }
            Ok(())
        });
        Ok(work)
    };
    let about = "samples of nlgp, 40 sites, xi 2, gain 3, f32, in a new array".to_owned();
    let entries = (FRESH * 40) as f64;
    Row::new("rows-nlgp-new".to_owned(), about, ("G entries/s", 1e-9 * entries), prepare)
}

/// Samples written into an existing array, row by row.
fn sampled<T: RowElement>(word: &str) -> Row {
    let about = format!("samples of nlgp, 40 sites, xi 2, gain 3, {word}, as rows of an array");
    let prepare = || {
        let stimulus = stimulus()?;
        let stream = Streams::new(0).named("sample");
        let mut rows = vec![T::ZERO; SAMPLES * stimulus.dim()];
        let work: Work = Box::new(move |count| {
            for _ in 0..count {
                fill_rows(stimulus.as_ref(), &stream, 0, &mut rows, &|| false);
                std::hint::black_box(&rows);
            }
            Ok(())
        });
        Ok(work)
    };
    let entries = (SAMPLES * 40) as f64;
    Row::new(format!("rows-nlgp-{word}"), about, ("G entries/s", 1e-9 * entries), prepare)
}

/// A closed form, called as a plain function.
fn form() -> Row {
    let prepare = || {
        let rhos: Vec<f64> = (0..ARGUMENTS).map(|i| i as f64 / ARGUMENTS as f64).collect();
        // Each value has a gain of its own, or the compiler would compute what depends on the gain only once.
        let gains = vec![3.0; ARGUMENTS];
        let mut values = vec![0.0; ARGUMENTS];
        let work: Work = Box::new(move |count| {
            for _ in 0..count {
                for (value, (rho, gain)) in values.iter_mut().zip(rhos.iter().zip(&gains)) {
                    *value = fovea_theory::nlgp::cov::cov(*rho, *gain);
                }
                std::hint::black_box(&values);
            }
            Ok(())
        });
        Ok(work)
    };
    let about = "values of nlgp.cov at an array".to_owned();
    Row::new("form-nlgp-cov".to_owned(), about, ("M values/s", 1e-6 * ARGUMENTS as f64), prepare)
}
