//! How fast each stimulus is sampled.

use super::row::{Path, Row, Work};
use fovea_core::Item;
use fovea_core::lanes::{BLOCK, Room};
use fovea_core::streams::Streams;
use fovea_sim::Stimulus;

/// Stimuli whose single-precision sampler works on sixteen lanes at a time.
pub const VECTOR: [&str; 7] =
    ["copula", "elliptical", "gaussian", "ising", "nlgp", "sign", "single-pulse"];

/// How the sampler of a stimulus is written.
pub fn path_of(stimulus: &str) -> Path {
    if VECTOR.contains(&stimulus) { Path::Vector } else { Path::Plain }
}

/// One row per stimulus on a ring of 40 sites; `nlgp` on 400 sites as well, whose smooth fields need few modes.
pub fn rows() -> Vec<Row> {
    let small = |name: &str, about: &str, set: &[(&str, f64)]| row(name, (name, 40), about, set);
    let xi = [("xi", 2.0)];
    vec![
        small("nlgp", "xi 2, gain 3", &xi),
        row("nlgp-400-xi-10", ("nlgp", 400), "xi 10, gain 3", &[("xi", 10.0)]),
        row("nlgp-400-xi-20", ("nlgp", 400), "xi 20, gain 3", &[("xi", 20.0)]),
        small("gaussian", "xi 2", &xi),
        small("sign", "xi 2", &xi),
        small("copula", "xi 2, uniform", &xi),
        small("ising", "coupling 0.5", &[]),
        small("single-pulse", "lengths 2 and 3", &[]),
        small("elliptical", "xi 2, shell", &xi),
        small("conditional", "xi 2, one given", &xi),
    ]
}

fn row(name: &str, (stimulus, n): (&str, usize), about: &str, set: &[(&str, f64)]) -> Row {
    let ring = Item::<Box<dyn Stimulus>>::named(stimulus).set("n", n);
    let item = set.iter().fold(ring, |item, (key, value)| item.set(key, *value));
    let about = format!("samples of {stimulus}, {n} sites, {about}");
    let path = path_of(stimulus);
    let entries = (n * BLOCK) as f64;
    let prepare = move || {
        let stimulus = item.build("stimulus")?;
        let data = Streams::new(0).named("bench/data");
        let (mut scratch, mut block, mut next) =
            (Vec::new(), Room::<f32, BLOCK>::new(stimulus.dim()), 0);
        let work: Work = Box::new(move |count| {
            for _ in 0..count {
                stimulus.fill_single(&mut data.block(next, 0), &mut scratch, &mut block);
                std::hint::black_box(&*block);
                next += 1;
            }
            Ok(())
        });
        Ok(work)
    };
    let row = Row::new(format!("sample-{name}"), about, ("G entries/s", 1e-9 * entries), prepare);
    Row { path: Some(path), ..row }
}
