//! The arms: a loss, a pair of labels, and an output bias or none.

use fovea_core::choice;
use fovea_core::params::{Kind, ParamType};
use fovea_desk::prelude::*;

choice! {
    /// One combination of loss, labels and output bias; cross-entropy has labels 1 and 0 alone.
    pub enum Arm {
        /// Half the squared error, labels 1 and 0.
        Mse = "mse",
        /// The same with a trained output bias.
        MseBias = "mse+b2",
        /// Half the squared error, labels 1 and -1.
        MsePm = "mse-pm",
        /// The same with a trained output bias.
        MsePmBias = "mse-pm+b2",
        /// Logistic cross-entropy, labels 1 and 0.
        CrossEntropy = "cross-entropy",
        /// The same with a trained output bias.
        CrossEntropyBias = "cross-entropy+b2",
        /// Absolute error, labels 1 and 0.
        L1 = "l1",
        /// The same with a trained output bias.
        L1Bias = "l1+b2",
        /// Absolute error, labels 1 and -1.
        L1Pm = "l1-pm",
        /// The same with a trained output bias.
        L1PmBias = "l1-pm+b2",
        /// Half the squared error, labels 1 and 0, the readout trained as well.
        MseReadout = "mse+w2",
        /// The same with a trained output bias.
        MseReadoutBias = "mse+w2+b2",
    }
}

/// Every arm, in the order of the tables.
pub fn all() -> Vec<Arm> {
    WORDS.iter().filter_map(|word| Arm::read(&(*word).into())).collect()
}

impl Arm {
    /// Its loss.
    pub(super) fn loss(self) -> &'static loss::Entry {
        let losses = [&loss::mse::ENTRY, &loss::cross_entropy::ENTRY, &loss::l1::ENTRY];
        let of = losses.into_iter().find(|loss| self.word().starts_with(loss.name));
        of.expect("the word of an arm begins with its loss")
    }

    /// The label of class `neg`; that of `pos` is 1.
    pub fn negative_label(self) -> f64 {
        if self.word().contains("-pm") { -1.0 } else { 0.0 }
    }

    /// Whether the readout is trained.
    pub(super) fn trains_readout(self) -> bool {
        self.word().contains("+w2")
    }

    /// Whether an output bias is trained.
    pub fn biased(self) -> bool {
        self.word().contains("+b2")
    }

    /// The name in figures.
    pub(super) fn label(self) -> String {
        let signs = [
            ("mse", "MSE"),
            ("cross-entropy", "CE"),
            ("l1", "L1"),
            ("-pm", " \u{b1}1"),
            ("+w2", " + $W_2$"),
            ("+b2", " + $b_2$"),
        ];
        signs.iter().fold(self.word().to_owned(), |label, (word, sign)| label.replace(word, sign))
    }

    /// The arm that is equivalent in other units, and why.
    pub fn twin(self) -> Option<(Self, &'static str)> {
        const SCALE: &str = "an output bias absorbs the labels: w/2 and (b2 + 1)/2 solve the problem of labels 1 and 0";
        const SIGN: &str = "the outputs are never negative, so that the slope for class neg is 1 with either label";
        match self {
            Self::MsePmBias => Some((Self::MseBias, SCALE)),
            Self::L1PmBias => Some((Self::L1Bias, SCALE)),
            Self::L1Pm => Some((Self::L1, SIGN)),
            _ => None,
        }
    }
}

/// Arms to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arms(pub Vec<Arm>);

impl Arms {
    /// Every arm that is not equivalent to another one.
    pub fn distinct() -> Self {
        Self(all().into_iter().filter(|arm| arm.twin().is_none()).collect())
    }
}

/// What a user types, in the order of the tables.
pub const WORDS: &[&str] = match Arm::KIND {
    Kind::Choice(words) => words,
    _ => &[],
};

impl ParamType for Arms {
    const KIND: Kind = Kind::Words(WORDS);
    fn read(value: &Value) -> Option<Self> {
        let items = match value {
            Value::List(items) => items.iter().map(Arm::read).collect(),
            one => Arm::read(one).map(|arm| vec![arm]),
        };
        items.filter(|arms: &Vec<Arm>| !arms.is_empty()).map(Self)
    }
    fn write(&self) -> Value {
        Value::List(self.0.iter().map(Arm::write).collect())
    }
    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// A published range of IPR at n = 40, lengths (2, 1) and infinite gain.
pub(super) struct Published {
    pub(super) arm: Arm,
    pub(super) width: usize,
    /// Smallest and largest IPR over the starts.
    pub(super) ipr: (f64, f64),
    /// The output bias.
    pub(super) b2: Option<f64>,
}

/// L001.63, L001.64 and L001.66.
pub(super) const PUBLISHED: [Published; 7] = [
    Published { arm: Arm::Mse, width: 1, ipr: (0.80, 0.83), b2: None },
    Published { arm: Arm::MseBias, width: 1, ipr: (0.17, 0.31), b2: Some(0.455) },
    Published { arm: Arm::MsePm, width: 1, ipr: (0.08, 0.27), b2: None },
    Published { arm: Arm::CrossEntropy, width: 1, ipr: (0.09, 0.23), b2: None },
    Published { arm: Arm::CrossEntropyBias, width: 1, ipr: (0.12, 0.28), b2: None },
    Published { arm: Arm::Mse, width: 2, ipr: (0.79, 0.82), b2: None },
    Published { arm: Arm::MseBias, width: 2, ipr: (0.48, 0.50), b2: Some(0.20) },
];
