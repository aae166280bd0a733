//! The task: tell two named classes of stimuli apart.

use crate::stimulus::Stimulus;
use fovea_core::ParamError;
use fovea_core::streams::Stream;

fovea_core::choice! {
    /// How the labels of a batch are drawn.
    pub enum Labels {
        /// Each sample's class on its own: the count of `pos` is binomial.
        Iid = "iid",
        /// The class share exactly, up to rounding.
        Balanced = "balanced",
    }
}

/// One class: where its samples come from and what the network should answer.
pub struct Class {
    /// Source of the samples.
    pub stimulus: Box<dyn Stimulus>,
    /// Target output.
    pub label: f64,
}

/// Two classes `pos` and `neg` and how they are mixed.
pub struct Task {
    /// The class with label 1.
    pub pos: Class,
    /// The class with label 0 or -1.
    pub neg: Class,
    /// Share of `pos` in the mixture.
    pub share: f64,
    /// How the share is kept.
    pub labels: Labels,
}

impl Task {
    /// An even mixture with labels 1 and `negative_label`.
    ///
    /// # Errors
    /// The two stimuli differ in length.
    pub fn new(
        pos: Box<dyn Stimulus>,
        neg: Box<dyn Stimulus>,
        negative_label: f64,
        labels: Labels,
    ) -> Result<Self, ParamError> {
        if pos.dim() != neg.dim() {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "class `pos` has {} entries and class `neg` {}",
                    pos.dim(),
                    neg.dim()
                ),
                hint: "give both stimuli the same n".to_owned(),
            });
        }
        let (pos, neg) =
            (Class { stimulus: pos, label: 1.0 }, Class { stimulus: neg, label: negative_label });
        Ok(Self { pos, neg, share: 0.5, labels })
    }

    /// Length of a sample.
    pub fn dim(&self) -> usize {
        self.pos.stimulus.dim()
    }

    /// How many of `batch` samples are of class `pos` at this step.
    pub fn count_pos(&self, labels: &Stream, step: u64, batch: usize) -> usize {
        match self.labels {
            Labels::Iid => labels.binomial(step, batch, self.share),
            Labels::Balanced => (self.share * batch as f64).round() as usize,
        }
    }

    /// What the constructions of both stimuli have to say.
    pub fn notes(&self) -> Vec<String> {
        let of = |name: &str, class: &Class| -> Vec<String> {
            class.stimulus.notes().iter().map(|note| format!("class {name}: {note}")).collect()
        };
        [of("pos", &self.pos), of("neg", &self.neg)].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::gaussian::Gaussian;
    use fovea_core::streams::Streams;

    fn class(n: usize) -> Box<dyn Stimulus> {
        Box::new(Gaussian { n, xi: 0.8, ..Gaussian::default() }.sampler().unwrap())
    }

    #[test]
    fn the_share_decides_how_many_are_of_class_pos() {
        let labels = Streams::new(4).named("labels");
        for (share, balanced) in [(0.0, 0), (0.25, 250), (0.5, 500), (1.0, 1000)] {
            let mut task = Task::new(class(6), class(6), 0.0, Labels::Balanced).unwrap();
            task.share = share;
            assert_eq!(task.count_pos(&labels, 0, 1000), balanced);
            task.labels = Labels::Iid;
            let drawn = task.count_pos(&labels, 0, 1000);
            assert!(drawn.abs_diff(balanced) < 80, "{drawn} of 1000 at share {share}");
        }
    }

    #[test]
    fn stimuli_of_different_length_make_no_task() {
        let error = Task::new(class(6), class(5), 0.0, Labels::Iid).err().unwrap();
        assert_eq!(error.hint(), "give both stimuli the same n");
    }
}
