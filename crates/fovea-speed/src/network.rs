//! The two parts of a training step, timed separately: sampling its batch, and everything else.

use super::row::{Measured, Relation, Row, Work};
use super::step::Trainer;
use super::workload::{self, Workload};
use fovea_core::lanes::{BLOCK, LANES, Room};
use fovea_core::streams::{BlockRng, Streams};
use fovea_desk::error::LabError;
use fovea_sim::stimulus::{Declared, Moments};
use fovea_sim::{Batch, Stimulus};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Sampling and network of the workloads in which both take time.
pub(super) fn rows() -> Vec<Row> {
    let split = ["b", "c-relu", "d"];
    let workloads = workload::ALL.into_iter().filter(|workload| split.contains(&workload.name));
    workloads.flat_map(|workload| [draw(workload), network(workload)]).collect()
}

/// The batches of a workload, sampled and discarded.
fn draw(workload: Workload) -> Row {
    let about = format!("the samples alone: {}", workload.about());
    let prepare = move || {
        let (task, streams) = (workload.task()?, Streams::new(0));
        let (mut scratch, mut step) = (Vec::new(), 0);
        let (mut x, mut y) = (Room::<f32, BLOCK>::new(workload.n), vec![[0.0; BLOCK]; 1]);
        let work: Work = Box::new(move |count| {
            for _ in 0..count {
                let batch = Batch::new(&task, &streams, "train", step, workload.batch);
                for index in 0..batch.blocks() {
                    batch.fill(index, &mut scratch, &mut x, &mut y);
                    std::hint::black_box(&*x);
                }
                step += 1;
            }
            Ok(())
        });
        Ok(work)
    };
    let unit = ("G entries/s", 1e-9 * workload.entries());
    Row::new(format!("draw-{}", workload.name), about, unit, prepare)
}

/// The row of a workload's network alone.
pub fn network(workload: Workload) -> Row {
    let about = format!("the network alone, 4nKB flop per step: {}", workload.about());
    let relate = move |row: &Measured, before: &[Measured]| {
        let mut relations = Vec::new();
        if let Some(value) = row.ratio("peak-f32", before) {
            let text = format!("{:.0} % of the peak", 100.0 * value);
            relations.push(Relation { key: "share_of_peak", value, text });
        }
        let find = |kind: &str| Measured::find(&format!("{kind}-{}", workload.name), before);
        if let (Some(step), Some(draw)) = (find("step"), find("draw")) {
            let value = step.seconds() / (draw.seconds() + row.seconds());
            let text = format!("a whole step takes {value:.2} of the sum of its parts");
            relations.push(Relation { key: "step_over_parts", value, text });
        }
        relations
    };
    let unit = ("GFLOP/s", 1e-9 * workload.flop());
    let row = Row::new(format!("network-{}", workload.name), about, unit, move || {
        network_alone(&workload)
    });
    Row { relate: Box::new(relate), ..row }
}

/// Training steps on samples made beforehand: forward, errors, backward and update.
///
/// The samples lie where the training step looks for them: a kept block is copied there once, and stays.
fn network_alone(workload: &Workload) -> Result<Work, LabError> {
    let task = workload.task_of(|stimulus| Box::new(Kept::new(stimulus)))?;
    let mut trainer = Trainer::new(workload, Arc::new(task), 0)?;
    Ok(Box::new(move |count| trainer.advance(count)))
}

/// Blocks of a stimulus, sampled once and handed out in turn.
pub struct Kept {
    shape: Vec<usize>,
    declared: Declared,
    /// The blocks, in the order of sampling.
    pub blocks: Vec<Vec<[f32; BLOCK]>>,
    next: AtomicUsize,
}

impl Kept {
    /// Number of blocks: a superblock of the fused step.
    const COUNT: u64 = 8;

    /// Samples the blocks.
    pub fn new(stimulus: &dyn Stimulus) -> Self {
        let (data, mut scratch) = (Streams::new(0).named("bench/kept"), Vec::new());
        let block = |index| {
            let mut block = vec![[0.0; BLOCK]; stimulus.dim()];
            stimulus.fill_single(&mut data.block(index, 0), &mut scratch, &mut block);
            block
        };
        let blocks = (0..Self::COUNT).map(block).collect();
        Self {
            shape: stimulus.shape(),
            declared: stimulus.declared(),
            blocks,
            next: AtomicUsize::new(0),
        }
    }

    fn next(&self) -> &[[f32; BLOCK]] {
        &self.blocks[self.next.fetch_add(1, Ordering::Relaxed) % self.blocks.len()]
    }
}

impl Stimulus for Kept {
    fn dim(&self) -> usize {
        self.shape.iter().product()
    }
    fn shape(&self) -> Vec<usize> {
        self.shape.clone()
    }
    fn declared(&self) -> Declared {
        self.declared
    }
    fn moments(&self) -> Result<Moments, String> {
        Err("a few kept samples have no distribution".to_owned())
    }
    fn fill_single(&self, _: &mut BlockRng, _: &mut Vec<[f32; LANES]>, block: &mut [[f32; BLOCK]]) {
        // A room that nothing was written to yet is all zeros.
        if block[0].iter().all(|x| x.abs() <= 0.0) {
            block.copy_from_slice(self.next());
        }
    }
    fn fill_double(&self, _: &mut BlockRng, _: &mut Vec<[f64; LANES]>, block: &mut [[f64; BLOCK]]) {
        for (to, from) in block.iter_mut().zip(self.next()) {
            *to = from.map(f64::from);
        }
    }
}
