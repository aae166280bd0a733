//! Networks with one hidden layer, one architecture per file.
//!
//! Every architecture is a case of one form, [`Network`]: hidden preactivations `h_k = <w_k, x> + b_k`, an activation or
//! fixed gates, a readout and an output bias. The fused pass knows that form alone.

mod hidden;
mod shallow;

use fovea_core::streams::Streams;
use fovea_core::{Entry, Family, ParamError};

pub use hidden::Hidden;
pub use shallow::{Network, Part, Role, Units};

fovea_core::choice! {
    /// Whether there are biases, and whether they are trained.
    pub enum Bias {
        /// There are none.
        None = "none",
        /// Trained from their initial value.
        Trainable = "trainable",
        /// Kept at their initial value.
        Frozen = "frozen",
    }
}

/// A rule that makes a network for a task.
pub trait Architecture: Send + Sync {
    /// The network for samples on a torus of this shape, with its initial weights sampled from `streams`.
    ///
    /// # Errors
    /// The rule does not fit the task.
    fn network(
        &self,
        shape: &[usize],
        outputs: usize,
        streams: &Streams,
    ) -> Result<Network, ParamError>;

    /// Rows of weights of the networks it makes, known before one is drawn.
    fn width(&self) -> usize;
}

impl Family for Box<dyn Architecture> {
    const NOUN: &'static str = "network";
    fn entries() -> &'static [&'static Entry<Self>] {
        ALL
    }
}

/// Refuses a task with several outputs.
fn one_output(name: &str, outputs: usize) -> Result<(), ParamError> {
    if outputs == 1 {
        return Ok(());
    }
    Err(ParamError::Inconsistent {
        what: format!("a {name} has one output and the task asks for {outputs}"),
        hint: "choose the network two-layer, or the target label".to_owned(),
    })
}

fovea_core::registry! {
    "src/network": Entry<Box<dyn Architecture>>, beside hidden, shallow; committee, conv_committee, gated, two_layer
}

#[cfg(test)]
mod properties {
    use super::*;

    #[test]
    fn the_width_is_known_before_a_network_is_drawn() {
        for entry in ALL {
            let architecture = (entry.build)(&vec![("width".to_owned(), 3.into())]).unwrap();
            let network = architecture.network(&[5], 1, &Streams::new(0)).unwrap();
            assert_eq!((architecture.width(), network.width()), (3, 3), "{}", entry.name);
        }
    }
}
