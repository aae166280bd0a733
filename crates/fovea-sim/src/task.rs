//! The task: classify stimuli, or estimate a number from them.

mod rows;

pub use crate::labels::Labels;
use crate::stimulus::{Rows, Stimulus};
use fovea_core::ParamError;
use fovea_core::lanes::{BLOCK, Real};
use fovea_core::streams::Streams;
pub use rows::LookedAt;

fovea_core::choice! {
    /// What the network should output.
    pub enum Target {
        /// The label of the sample's class, one number.
        Label = "label",
        /// One output per class: 1 at the sample's class, 0 at the others.
        OneHot = "one-hot",
        /// Sign changes around the ring (along every axis of a torus), as a share of all pairs of neighbours.
        SignChanges = "sign-changes",
    }
}

/// One class: the source of its samples, its share, and its name.
pub struct Class {
    /// The name in records and messages.
    pub name: String,
    /// Source of the samples.
    pub stimulus: Box<dyn Stimulus>,
    /// Share of the mixture; the shares of a task add up to one.
    pub share: f64,
    /// Target output, where the target is the label.
    pub label: f64,
}

/// Classes and how they are mixed.
pub struct Task {
    classes: Vec<Class>,
    labels: Labels,
    target: Target,
    /// The rows of each class, where it has any, once they have been split.
    rows: Vec<Option<Rows>>,
}

impl Task {
    /// A mixture of classes whose shares are scaled to add up to one.
    ///
    /// # Errors
    /// No class, stimuli of different shape, or no class with a share.
    pub fn new(
        mut classes: Vec<Class>,
        labels: Labels,
        target: Target,
    ) -> Result<Self, ParamError> {
        let inconsistent = |what: String, hint: &str| {
            Err(ParamError::Inconsistent { what, hint: hint.to_owned() })
        };
        let Some(first) = classes.first() else {
            return inconsistent("a task has no class".into(), "add a table [class.NAME]");
        };
        let (name, shape) = (first.name.clone(), first.stimulus.shape());
        if let Some(other) = classes.iter().find(|class| class.stimulus.shape() != shape) {
            let what = format!(
                "class `{name}` has {} entries and class `{}` {}",
                in_words(&shape),
                other.name,
                in_words(&other.stimulus.shape())
            );
            return inconsistent(what, "give all stimuli the same n");
        }
        let total: f64 = classes.iter().map(|class| class.share).sum();
        if !(total > 0.0 && total.is_finite()) {
            let what = format!("the shares of the classes add up to {total}");
            return inconsistent(what, "give one class a share > 0");
        }
        for class in &mut classes {
            class.share /= total;
        }
        Ok(Self { classes, labels, target, rows: Vec::new() })
    }

    /// An even mixture of two classes, labels 1 for `pos` and `negative_label` for `neg`.
    ///
    /// # Errors
    /// The two stimuli differ in shape.
    pub fn pair(
        pos: Box<dyn Stimulus>,
        neg: Box<dyn Stimulus>,
        negative_label: f64,
        labels: Labels,
    ) -> Result<Self, ParamError> {
        let class = |name: &str, stimulus, label| Class {
            name: name.to_owned(),
            stimulus,
            share: 0.5,
            label,
        };
        let classes = vec![class("pos", pos, 1.0), class("neg", neg, negative_label)];
        Self::new(classes, labels, Target::Label)
    }

    /// Entries of a sample.
    pub fn dim(&self) -> usize {
        self.classes[0].stimulus.dim()
    }
    /// Sides of the torus the entries sit on.
    pub fn shape(&self) -> Vec<usize> {
        self.classes[0].stimulus.shape()
    }
    /// The classes, in order.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }
    /// Refuses a batch that cannot be divided among the classes.
    ///
    /// # Errors
    /// As of [`Labels::share_out`].
    pub fn shares_out(&self, batch: usize) -> Result<(), ParamError> {
        let shares: Vec<f64> = self.classes.iter().map(|class| class.share).collect();
        self.labels.share_out(&shares, batch)
    }
    /// What the network should output.
    pub fn target(&self) -> Target {
        self.target
    }
    /// Number of outputs of a network.
    pub fn outputs(&self) -> usize {
        if self.target == Target::OneHot { self.classes.len() } else { 1 }
    }

    /// How many of `batch` samples are of each class at this step; `purpose` names the stream.
    pub fn counts(&self, streams: &Streams, purpose: &str, step: u64, batch: usize) -> Vec<usize> {
        let (mut left, mut share_left, mut cumulated) = (batch, 1.0, 0.0);
        let count = |(index, class): (usize, &Class)| {
            let count = match self.labels {
                _ if index + 1 == self.classes.len() => left,
                Labels::Balanced => {
                    let before = (cumulated * batch as f64).round() as usize;
                    cumulated += class.share;
                    ((cumulated * batch as f64).round() as usize - before).min(left)
                }
                Labels::Iid => {
                    let name = match index {
                        0 => format!("{purpose}/labels"),
                        _ => format!("{purpose}/labels/{index}"),
                    };
                    let odds = (class.share / share_left).clamp(0.0, 1.0);
                    streams.named(&name).binomial(
                        step,
                        left,
                        if odds.is_nan() { 0.0 } else { odds },
                    )
                }
            };
            (left, share_left) = (left - count, share_left - class.share);
            count
        };
        self.classes.iter().enumerate().map(count).collect()
    }

    /// Writes the targets of one block, one row per output.
    pub fn targets<T: Real>(&self, class: usize, x: &[[T; BLOCK]], y: &mut [[T; BLOCK]]) {
        match self.target {
            Target::Label => y[0] = [T::from_f64(self.classes[class].label); BLOCK],
            Target::OneHot => {
                for (output, row) in y.iter_mut().enumerate() {
                    *row = [if output == class { T::ONE } else { T::ZERO }; BLOCK];
                }
            }
            Target::SignChanges => y[0] = sign_changes(&self.shape(), x),
        }
    }

    /// Notes on the construction of the stimuli.
    pub fn notes(&self) -> Vec<String> {
        let of = |class: &Class| -> Vec<String> {
            let notes = class.stimulus.notes();
            notes.iter().map(|note| format!("class {}: {note}", class.name)).collect()
        };
        self.classes.iter().flat_map(of).collect()
    }
}

/// `40`, or `30 x 30` on a torus.
fn in_words(shape: &[usize]) -> String {
    shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ")
}

/// Share of neighbouring pairs of opposite sign, in every sample of a block; zero counts as positive.
fn sign_changes<T: Real>(shape: &[usize], x: &[[T; BLOCK]]) -> [T; BLOCK] {
    let mut changes = [0_u32; BLOCK];
    let mut stride = 1;
    for side in shape.iter().rev() {
        for (i, here) in x.iter().enumerate() {
            let last = i / stride % side + 1 == *side;
            let next = &x[if last { i + stride - side * stride } else { i + stride }];
            for l in 0..BLOCK {
                changes[l] += u32::from((here[l] < T::ZERO) != (next[l] < T::ZERO));
            }
        }
        stride *= side;
    }
    let pairs = (shape.len() * x.len()) as f64;
    changes.map(|count| T::from_f64(f64::from(count) / pairs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::Stimulus;
    use fovea_core::Item;

    fn class(name: &str, n: usize, share: f64) -> Class {
        let stimulus = Item::<Box<dyn Stimulus>>::named("gaussian").set("n", n).set("xi", 0.8);
        let stimulus = stimulus.build("stimulus").unwrap();
        Class { name: name.to_owned(), stimulus, share, label: 0.0 }
    }

    fn counts(shares: &[f64], labels: Labels, batch: usize) -> Vec<usize> {
        let classes = shares.iter().map(|share| class("a", 6, *share)).collect();
        let task = Task::new(classes, labels, Target::Label).unwrap();
        task.counts(&Streams::new(4), "train", 0, batch)
    }

    #[test]
    fn the_shares_decide_how_many_are_of_each_class() {
        for shares in [&[0.25, 0.75][..], &[1.0, 0.0], &[0.0, 1.0], &[1.0, 2.0, 3.0, 4.0], &[1.0]] {
            let total: f64 = shares.iter().sum();
            let balanced = counts(shares, Labels::Balanced, 1000);
            let drawn = counts(shares, Labels::Iid, 1000);
            assert_eq!((balanced.iter().sum::<usize>(), drawn.iter().sum::<usize>()), (1000, 1000));
            for (i, share) in shares.iter().enumerate() {
                let expected = 1000.0 * share / total;
                assert!((balanced[i] as f64 - expected).abs() <= 1.0, "{shares:?}: {balanced:?}");
                assert!((drawn[i] as f64 - expected).abs() < 80.0, "{shares:?}: {drawn:?}");
            }
        }
    }

    #[test]
    fn stimuli_of_different_length_make_no_task() {
        let classes = vec![class("a", 6, 1.0), class("b", 5, 1.0)];
        let error = Task::new(classes, Labels::Iid, Target::Label).err().unwrap();
        assert_eq!(error.to_string(), "class `a` has 6 entries and class `b` 5");
        assert!(Task::new(Vec::new(), Labels::Iid, Target::Label).is_err());
        let shareless = vec![class("a", 6, 0.0)];
        assert!(Task::new(shareless, Labels::Iid, Target::Label).is_err());
    }

    #[test]
    fn sign_changes_are_counted_around_the_ring_and_the_torus() {
        let ring: Vec<[f64; BLOCK]> =
            [1.0, -1.0, -1.0, 2.0, 0.0].iter().map(|x| [*x; BLOCK]).collect();
        assert!((sign_changes(&[5], &ring)[3] - 2.0 / 5.0).abs() < 1e-15);
        // Rows + + / - -: none along the rows, both columns change twice.
        let torus: Vec<[f64; BLOCK]> = [1.0, 1.0, -1.0, -1.0].iter().map(|x| [*x; BLOCK]).collect();
        assert!((sign_changes(&[2, 2], &torus)[0] - 4.0 / 8.0).abs() < 1e-15);
    }
}
