//! The obvious average over images, one at a time in double precision: the judge of [`super::Images`].

use super::Estimator;
use crate::batch::Batch;
use crate::loss;
use crate::network::Network;
use crate::plain::{Labelled, loss_and_grad_over, moved};
use crate::stimulus::Element;
use fovea_core::lanes::{BLOCK, Real};

/// Every image of one draw, each with its target computed from scratch.
fn images<T: Real>(
    estimator: Estimator,
    batch: &Batch<'_>,
    class: usize,
    x: &[T],
) -> Vec<Labelled> {
    let (shape, task) = (batch.task().shape(), batch.task());
    let (signs, shifts) = match estimator {
        Estimator::Iid => (1, 1),
        Estimator::Antithetic => (2, 1),
        Estimator::Orbit => (2, x.len()),
    };
    let image = |sign: usize, shift: usize| {
        let site = |i: usize| x[moved(&shape, i, shift)];
        let site = |i: usize| if sign == 0 { site(i) } else { -site(i) };
        let block: Vec<[T; BLOCK]> = (0..x.len()).map(|i| [site(i); BLOCK]).collect();
        let mut y = vec![[T::ZERO; BLOCK]; task.outputs()];
        task.targets(class, &block, &mut y);
        let first = |rows: &[[T; BLOCK]]| rows.iter().map(|row| row[0].to_f64()).collect();
        (first(&block), first(&y))
    };
    (0..signs)
        .flat_map(|sign| (0..shifts).map(move |s| (sign, s)))
        .map(|(a, s)| image(a, s))
        .collect()
}

/// The mean loss over all images of the batch's draws, as drawn in type `T`, and its gradient.
pub fn loss_and_grad<T: Element>(
    estimator: Estimator,
    network: &Network,
    loss: &loss::Entry,
    batch: &Batch<'_>,
) -> (f64, Vec<f64>) {
    let mut samples = Vec::new();
    let mut x = vec![[T::ZERO; BLOCK]; batch.dim()];
    let mut y = vec![[T::ZERO; BLOCK]; batch.task().outputs()];
    for index in 0..batch.blocks() {
        let (class, used) = batch.block(index);
        batch.fill(index, &mut Vec::new(), &mut x, &mut y);
        for s in 0..used {
            let draw: Vec<T> = x.iter().map(|row| row[s]).collect();
            samples.extend(images(estimator, batch, class, &draw));
        }
    }
    loss_and_grad_over(network, loss, &samples)
}
