//! How fast samples are drawn, stimulus by stimulus.

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

/// One row a stimulus on a ring of 40 sites; `nlgp` on 400 sites as well, whose smooth fields draw few modes.
pub fn rows() -> Vec<Row> {
    let ring = |name: &str| Item::named(name).set("n", 40_usize);
    let field = |name: &str| ring(name).set("xi", 2.0);
    let large = |xi: f64| Item::named("nlgp").set("n", 400_usize).set("xi", xi);
    vec![
        row("nlgp", "40 sites, xi 2, gain 3", field("nlgp")),
        row("nlgp-400-xi-10", "400 sites, xi 10, gain 3", large(10.0)),
        row("nlgp-400-xi-20", "400 sites, xi 20, gain 3", large(20.0)),
        row("gaussian", "40 sites, xi 2", field("gaussian")),
        row("sign", "40 sites, xi 2", field("sign")),
        row("copula", "40 sites, xi 2, uniform", field("copula")),
        row("ising", "40 sites, coupling 0.5", ring("ising")),
        row("single-pulse", "40 sites, lengths 2 and 3", ring("single-pulse")),
        row("elliptical", "40 sites, xi 2, shell", field("elliptical")),
        row("conditional", "40 sites, xi 2, one given", field("conditional")),
    ]
}

fn row(name: &str, about: &str, item: Item<Box<dyn Stimulus>>) -> Row {
    let about = format!("samples of {}, {about}", item.name());
    let path = path_of(item.name());
    let n: usize = if name.contains("400") { 400 } else { 40 };
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
