//! How small an error of a prediction would be noticed, for each prediction separately.

use super::judge::reach;
use super::{Comparison, Sides, Source};
use fovea_core::stats::Estimate;
use fovea_record::claim::Decision;

/// How far each prediction is moved: with noise, and without.
const MOVED: f64 = 0.05;
const MOVED_DIGITS: f64 = 1e-6;

/// The result of moving every prediction of a comparison separately, to either side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// Number of predictions.
    pub predictions: usize,
    /// The share of its size by which each was moved.
    pub by: f64,
    /// How many of these errors were noticed.
    pub noticed: usize,
    /// Why it was moved by more than is asked for.
    pub why: Option<&'static str>,
}

impl Comparison {
    /// The size that an error of each prediction is relative to: its own, or the root mean square of all where that is larger.
    fn sizes(&self) -> Vec<f64> {
        let predicted = self.predicted();
        let square = predicted.iter().map(|p| p * p).sum::<f64>() / predicted.len().max(1) as f64;
        let typical = self.size.unwrap_or(square.sqrt());
        predicted.iter().map(|p| p.abs().max(typical)).collect()
    }

    /// The largest error of one prediction that would go unnoticed, as a share of its size.
    pub(super) fn weakest(&self) -> f64 {
        let unnoticed: Vec<f64> = match &self.sides {
            Sides::Digits { predicted, measured, tolerance } => {
                let allowed = tolerance * measured.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
                predicted.iter().zip(measured).map(|(p, m)| allowed + (p - m).abs()).collect()
            }
            Sides::Noise { pairs, accuracy } => {
                let of = |(estimate, value): &(Estimate, f64)| {
                    let gap = (estimate.mean() - value).abs();
                    // The allowed error grows with the prediction.
                    (reach(estimate, pairs.len()) + gap + accuracy * value.abs()) / (1.0 - accuracy)
                };
                pairs.iter().map(of).collect()
            }
            Sides::Cases(cases) => return 1.0 / cases.trials.max(1) as f64,
        };
        let shares = unnoticed.iter().zip(self.sizes()).map(|(error, size)| error / size);
        shares
            .fold(0.0, |worst, share| if share.is_nan() { f64::INFINITY } else { worst.max(share) })
    }

    /// Whether the source's own form is tested, or the reason is given why it cannot be.
    pub fn tests_the_source(&self) -> bool {
        let own = |part: &Self| {
            matches!(part.source, Source::Values(_) | Source::NoNumber(_) | Source::Cases(..))
        };
        self.parts().any(own)
    }

    /// What the comparison lacks to be a fair test of a clause; `None` where it is one.
    ///
    /// `corrected`: the clause is one whose source is wrong, so that the source's own form must be tested.
    pub fn fault(&self, corrected: bool) -> Option<String> {
        if corrected && !self.tests_the_source() {
            return Some("the source is corrected, but its own form is not tested".to_owned());
        }
        self.parts().find_map(Self::own_fault)
    }

    fn own_fault(&self) -> Option<String> {
        if matches!(self.sides, Sides::Cases(_)) {
            return None;
        }
        let weakest = self.weakest();
        if weakest.is_nan() || weakest <= 0.0 || weakest.is_infinite() {
            return Some(
                "no error in a prediction would be noticed; zeros need `of_size`".to_owned(),
            );
        }
        let step = self.step();
        let unnoticed = (0..self.predicted().len()).find(|i| !self.notices(*i, step))?;
        let predicted = self.predicted()[unnoticed];
        Some(format!(
            "prediction {unnoticed}, {predicted:e}, can be moved by {step:.1e} of its size unnoticed, and the comparison does not say why; it resolves {weakest:.1e}"
        ))
    }

    /// The share of its size by which each prediction is moved; in a coarse comparison, the share that it resolves.
    fn step(&self) -> f64 {
        let step = if matches!(self.sides, Sides::Noise { .. }) { MOVED } else { MOVED_DIGITS };
        if self.why_coarse.is_some() { step.max(1.001 * self.weakest()) } else { step }
    }

    /// Whether the comparison fails where prediction `i` is moved to either side.
    fn notices(&self, i: usize, step: f64) -> bool {
        [-1.0, 1.0].into_iter().all(|sign| {
            let mut moved = self.predicted();
            moved[i] += sign * step * self.sizes()[i];
            self.clone().predicting(&moved).judged(self.ids[0]).decision() == Decision::Fail
        })
    }

    /// The result of moving every prediction separately, part by part; counted cases have none.
    pub fn moved(&self) -> Vec<Moved> {
        let of = |part: &Self| {
            let (by, predictions) = (part.step(), part.predicted().len());
            let noticed = (0..predictions).filter(|i| part.notices(*i, by)).count();
            Moved { predictions, by, noticed, why: part.why_coarse }
        };
        self.parts().map(of).filter(|moved| moved.predictions > 0).collect()
    }
}
