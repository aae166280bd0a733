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
pub const ALL: [Arm; 12] = [
    Arm::Mse,
    Arm::MseBias,
    Arm::MsePm,
    Arm::MsePmBias,
    Arm::CrossEntropy,
    Arm::CrossEntropyBias,
    Arm::L1,
    Arm::L1Bias,
    Arm::L1Pm,
    Arm::L1PmBias,
    Arm::MseReadout,
    Arm::MseReadoutBias,
];

impl Arm {
    /// What an answer costs, the label of class `neg`, whether the readout is trained and whether an output bias is.
    fn parts(self) -> (&'static loss::Row, f64, bool, bool) {
        const MSE: &loss::Row = &loss::mse::ENTRY;
        const CROSS_ENTROPY: &loss::Row = &loss::cross_entropy::ENTRY;
        const L1: &loss::Row = &loss::l1::ENTRY;
        match self {
            Self::Mse => (MSE, 0.0, false, false),
            Self::MseBias => (MSE, 0.0, false, true),
            Self::MsePm => (MSE, -1.0, false, false),
            Self::MsePmBias => (MSE, -1.0, false, true),
            Self::CrossEntropy => (CROSS_ENTROPY, 0.0, false, false),
            Self::CrossEntropyBias => (CROSS_ENTROPY, 0.0, false, true),
            Self::L1 => (L1, 0.0, false, false),
            Self::L1Bias => (L1, 0.0, false, true),
            Self::L1Pm => (L1, -1.0, false, false),
            Self::L1PmBias => (L1, -1.0, false, true),
            Self::MseReadout => (MSE, 0.0, true, false),
            Self::MseReadoutBias => (MSE, 0.0, true, true),
        }
    }

    /// What an answer costs.
    pub(super) fn loss(self) -> &'static loss::Row {
        self.parts().0
    }

    /// The label of class `neg`; that of `pos` is 1.
    pub fn negative_label(self) -> f64 {
        self.parts().1
    }

    /// Whether the readout is trained.
    pub(super) fn trains_readout(self) -> bool {
        self.parts().2
    }

    /// Whether an output bias is trained.
    pub fn biased(self) -> bool {
        self.parts().3
    }

    /// The name in figures.
    pub(super) fn label(self) -> String {
        let loss = match self.loss().name {
            "mse" => "MSE",
            "l1" => "L1",
            _ => "CE",
        };
        let labels = if self.negative_label() < 0.0 { " \u{b1}1" } else { "" };
        let bias = if self.biased() { " + $b_2$" } else { "" };
        let readout = if self.trains_readout() { " + $W_2$" } else { "" };
        format!("{loss}{labels}{readout}{bias}")
    }

    /// The catalogue's entry on this arm.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Mse => "L000.39",
            Self::MsePm | Self::L1Pm => "L001.64",
            Self::CrossEntropy | Self::L1 => "L001.63",
            Self::MseReadout | Self::MseReadoutBias => "L001.62",
            _ => "L001.66",
        }
    }

    /// The arm that poses the same problem in other units, and why.
    pub fn twin(self) -> Option<(Self, &'static str)> {
        const SCALE: &str = "an output bias absorbs the labels: w/2 and (b2 + 1)/2 solve the problem of labels 1 and 0";
        const SIGN: &str = "the answers are never negative, so that the slope for class neg is 1 with either label";
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
    /// Every arm that poses a problem of its own.
    pub fn distinct() -> Self {
        Self(ALL.into_iter().filter(|arm| arm.twin().is_none()).collect())
    }
}

/// What a user types, in the order of [`ALL`].
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
