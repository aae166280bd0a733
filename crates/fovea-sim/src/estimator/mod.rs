//! How a step estimates the gradient of the population's loss: from its draws, or from the images of every draw under the
//! symmetries of the data.
//!
//! Where `x` and every image `g x` have the same distribution, so that `E f(x) = E f(g x)`, the average of `f` over the images of a
//! draw has the mean of `f(x)` and at most its variance: it is the conditional expectation of `f` given the orbit. A batch of
//! `B` draws then stands for `B` times as many samples as there are images; `batch` always counts the *draws*.
//!
//! The images differ only in the network's answers to them, and these are a circular correlation: see
//! [`orbit`]. The other sign needs no sum at all, since `<w, -x> = -<w, x>`: see [`antithetic`].

mod answers;
pub mod antithetic;
mod correlate;
mod images;
pub mod orbit;
pub mod plain;
mod response;
mod rows;
mod spectral;

use crate::batch::Batch;
use crate::fused::{self, FusedElement};
use crate::loss;
use crate::network::Network;
use crate::stimulus::{self, Element};
use crate::task::{Class, Task};
use fovea_core::ParamError;

pub use images::Images;

fovea_core::choice! {
    /// Which images of every draw a step averages over; `batch` counts draws.
    pub enum Estimator {
        /// The draw alone: what published descent does.
        Iid = "iid",
        /// The draw and its negative.
        Antithetic = "antithetic",
        /// The draw and its negative at every shift of the ring or torus.
        Orbit = "orbit",
    }
}

impl Estimator {
    /// Refuses data whose images have a different distribution, since the average over them would estimate something else.
    ///
    /// The target must be the same for all images of a sample. A label and a class are; sign changes around the ring are counted
    /// again for the negative, in which a zero again counts as positive.
    ///
    /// # Errors
    /// A class that lacks a symmetry, by name.
    pub fn fits(self, task: &Task) -> Result<(), ParamError> {
        match self {
            Self::Iid => Ok(()),
            Self::Antithetic => antithetic::fits(self, task),
            Self::Orbit => antithetic::fits(self, task).and_then(|()| orbit::fits(self, task)),
        }
    }

    /// Number of images that a draw is averaged over, the draw included, for data on `sites` sites.
    pub fn images(self, sites: usize) -> usize {
        match self {
            Self::Iid => 1,
            Self::Antithetic => 2,
            Self::Orbit => 2 * sites,
        }
    }
}

/// Refuses the first class whose distribution lacks a symmetry.
fn every_class(
    task: &Task,
    estimator: Estimator,
    holds: impl Fn(stimulus::Declared) -> bool,
    lacks: &str,
) -> Result<(), ParamError> {
    let refuse = |class: &Class| ParamError::Inconsistent {
        what: format!(
            "estimator `{}` needs {lacks}, and the stimulus of class `{}` does not declare it",
            estimator.word(),
            class.name
        ),
        hint: "choose estimator = \"iid\", which needs no symmetry".to_owned(),
    };
    let odd_one = task.classes().iter().find(|class| !holds(class.stimulus.declared()));
    odd_one.map_or(Ok(()), |class| Err(refuse(class)))
}

/// A number type that the images of draws are averaged in.
///
/// The work is behind its method, so that it is compiled here and not in every crate that calls it.
pub trait ImageElement: Element {
    /// See [`Images::loss_and_grad`].
    fn by_images(
        images: &mut Images<Self>,
        network: &Network,
        loss: &'static loss::Entry,
        batch: &Batch<'_>,
    ) -> f64;
}

macro_rules! averaged {
    ($($type:ty),+) => {
        $(impl ImageElement for $type {
            fn by_images(
                images: &mut Images<$type>,
                network: &Network,
                loss: &'static loss::Entry,
                batch: &Batch<'_>,
            ) -> f64 {
                images.work(network, loss, batch)
            }
        })+
    };
}

averaged!(f32, f64);

/// Loss and gradient of a batch by the estimator that was chosen, in reusable buffers.
pub enum Gradients<T> {
    /// The fused pass.
    Iid(fused::Workspace<T>),
    /// The average over images.
    Images(Images<T>),
}

impl<T: FusedElement + ImageElement> Gradients<T> {
    /// Buffers for batches of up to `batch` draws through `network`. Whether the data has the symmetries is checked by
    /// [`Estimator::fits`].
    pub fn new(estimator: Estimator, network: &Network, batch: usize) -> Self {
        match estimator {
            Estimator::Iid => Self::Iid(fused::Workspace::new(network, batch)),
            Estimator::Antithetic | Estimator::Orbit => {
                Self::Images(Images::new(estimator, network, batch))
            }
        }
    }

    /// The mean loss over the images of the batch; its gradient is left in [`Gradients::grad`].
    pub fn loss_and_grad(
        &mut self,
        network: &Network,
        loss: &'static loss::Entry,
        batch: &Batch<'_>,
    ) -> f64 {
        match self {
            Self::Iid(workspace) => workspace.loss_and_grad(network, loss, batch),
            Self::Images(images) => images.loss_and_grad(network, loss, batch),
        }
    }

    /// Gradient of the loss, in the order of the network's parameters; zero for those that are not trained.
    pub fn grad(&self) -> &[f64] {
        match self {
            Self::Iid(workspace) => &workspace.grad,
            Self::Images(images) => &images.grad,
        }
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod unbiased;
