//! Every stimulus against theory: the simulator's own exact moments to digits, sampled moments in standard errors.

mod cases;
mod digits;
mod fourth;
mod second;

use fovea_core::lanes::BLOCK;
use fovea_core::params::{ParamType, any};
use fovea_core::streams::Streams;
use fovea_core::{Item, Value};
use fovea_sim::Stimulus;
use fovea_sim::stimulus::Element;

/// The stimulus a user would get by typing this.
fn item(typed: &str) -> Item<Box<dyn Stimulus>> {
    Item::checked("stimulus", &Value::from_typed(typed), any())
        .unwrap_or_else(|error| panic!("{typed}: {error}"))
}

fn build(typed: &str) -> Box<dyn Stimulus> {
    item(typed).build("stimulus").unwrap_or_else(|error| panic!("{typed}: {error}"))
}

/// Samples, entry by entry; every one must be finite.
fn draw<T: Element>(stimulus: &dyn Stimulus, seed: u64, blocks: u32) -> Vec<Vec<f64>> {
    let stream = Streams::new(seed).named(T::NAME);
    let mut block = vec![[T::ZERO; BLOCK]; stimulus.dim()];
    let mut entries = vec![Vec::with_capacity(blocks as usize * BLOCK); stimulus.dim()];
    let mut scratch = Vec::new();
    for at in 0..blocks {
        T::fill(stimulus, &mut stream.block(0, at), &mut scratch, &mut block);
        for (entry, row) in entries.iter_mut().zip(&block) {
            entry.extend(row.iter().map(|x| x.to_f64()));
        }
    }
    assert!(entries.iter().flatten().all(|x| x.is_finite()), "a sample is not finite");
    entries
}
