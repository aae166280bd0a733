//! RUN: anything with a random draw or a training step.
//!
//! The path of the data: `stimulus -> task -> network -> dynamics -> probes`. Sampling and training follow the
//! sixteen-lane definition of `fovea_core::lanes`; [`plain`] holds the obvious implementation that judges it.
//! Nothing here knows a closed form: where a constant is needed it is computed by brute force.

pub mod batch;
pub mod cholesky;
pub mod classes;
pub mod crew;
pub mod dynamics;
pub mod engine;
pub mod estimator;
pub mod expect;
pub mod field;
pub mod fused;
pub mod init;
pub mod job;
pub mod labels;
pub mod lattice;
pub mod loss;
pub mod marginal;
pub mod mlp;
pub mod moments;
pub mod network;
mod packed;
pub mod pairs;
pub mod peak;
pub mod plain;
pub mod probe;
pub mod quantiles;
pub mod radius;
pub mod rows;
pub mod sample;
#[cfg(test)]
mod sampled;
pub mod schedule;
mod sealed;
pub mod simd;
pub mod stimulus;
pub mod task;
pub mod train;
mod transform;

pub use batch::Batch;
pub use dynamics::{Diverged, Dynamics, Sgd};
pub use engine::{Crew, Engine};
pub use estimator::Estimator;
pub use job::{Job, Moment, Stage, Start, TaskSpec, Trained};
pub use network::{Bias, Network};
pub use stimulus::Stimulus;
pub use task::{Class, Labels, Target, Task};
pub use train::{Ended, Plan, Progress, Run, Times, Watch};
