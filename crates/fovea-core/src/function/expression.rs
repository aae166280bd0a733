//! A function of one variable as a tree, and its value and derivatives at a point.

use super::jet::Jet;
use crate::activation::Entry;

/// A function that can be written with its argument in parentheses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    /// A registered activation.
    Entry(&'static Entry),
    /// The exponential.
    Exp,
    /// The natural logarithm.
    Log,
    /// The square root.
    Sqrt,
    /// The absolute value.
    Abs,
    /// The cosine.
    Cos,
}

impl Named {
    /// The names besides those of the activations.
    pub(super) const OTHERS: [(&'static str, Self); 6] = [
        ("exp", Self::Exp),
        ("log", Self::Log),
        ("ln", Self::Log),
        ("sqrt", Self::Sqrt),
        ("abs", Self::Abs),
        ("cos", Self::Cos),
    ];

    fn value(self, h: f64) -> f64 {
        match self {
            Self::Entry(entry) => (entry.value)(h),
            Self::Exp => libm::exp(h),
            Self::Log => libm::log(h),
            Self::Sqrt => h.sqrt(),
            Self::Abs => h.abs(),
            Self::Cos => libm::cos(h),
        }
    }

    fn jet(self, h: Jet) -> Jet {
        let at = h.value;
        let value = self.value(at);
        match self {
            Self::Entry(entry) => h.through(value, (entry.slope)(at), (entry.curve)(at)),
            Self::Exp => h.through(value, value, value),
            Self::Log => h.through(value, 1.0 / at, -1.0 / (at * at)),
            Self::Sqrt => h.through(value, 0.5 / value, -0.25 / (at * value)),
            // The slope from the right at zero, as everywhere.
            Self::Abs => h.through(value, if at >= 0.0 { 1.0 } else { -1.0 }, 0.0),
            Self::Cos => h.through(value, -libm::sin(at), -value),
        }
    }

    /// Arguments at which the slope jumps.
    fn kinks(self) -> &'static [f64] {
        match self {
            Self::Entry(entry) => entry.kinks,
            Self::Abs => &[0.0],
            Self::Exp | Self::Log | Self::Sqrt | Self::Cos => &[],
        }
    }
}

/// The operations of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Plus,
    Minus,
    Times,
    Over,
    Power,
}

/// One node of the tree.
#[derive(Clone, Debug)]
pub(super) enum Node {
    X,
    Number(f64),
    Minus(Box<Node>),
    Call(Named, Box<Node>),
    Two(Binary, Box<Node>, Box<Node>),
}

impl Node {
    /// The value at `x`.
    pub(super) fn value(&self, x: f64) -> f64 {
        match self {
            Self::X => x,
            Self::Number(c) => *c,
            Self::Minus(of) => -of.value(x),
            Self::Call(named, of) => named.value(of.value(x)),
            Self::Two(operation, a, b) => {
                let (a, b) = (a.value(x), b.value(x));
                match operation {
                    Binary::Plus => a + b,
                    Binary::Minus => a - b,
                    Binary::Times => a * b,
                    Binary::Over => a / b,
                    Binary::Power => libm::pow(a, b),
                }
            }
        }
    }

    /// The value at `x` with two derivatives.
    pub(super) fn jet(&self, x: f64) -> Jet {
        match self {
            Self::X => Jet::variable(x),
            Self::Number(c) => Jet::constant(*c),
            Self::Minus(of) => -of.jet(x),
            Self::Call(named, of) => named.jet(of.jet(x)),
            Self::Two(operation, a, b) => {
                let (a, b) = (a.jet(x), b.jet(x));
                match operation {
                    Binary::Plus => a + b,
                    Binary::Minus => a - b,
                    Binary::Times => a * b,
                    Binary::Over => a / b,
                    Binary::Power => a.power(b),
                }
            }
        }
    }

    /// Whether the variable occurs in it.
    pub(super) fn varies(&self) -> bool {
        match self {
            Self::X => true,
            Self::Number(_) => false,
            Self::Minus(of) | Self::Call(_, of) => of.varies(),
            Self::Two(_, a, b) => a.varies() || b.varies(),
        }
    }

    /// The number of nodes in the tree.
    pub(super) fn parts(&self) -> usize {
        match self {
            Self::X | Self::Number(_) => 1,
            Self::Minus(of) | Self::Call(_, of) => 1 + of.parts(),
            Self::Two(_, a, b) => 1 + a.parts() + b.parts(),
        }
    }

    /// Where the slope may jump: where the argument of a function with a kink passes that kink.
    pub(super) fn kinks(&self) -> Vec<f64> {
        let mut found = Vec::new();
        self.collect_kinks(&mut found);
        found.sort_by(f64::total_cmp);
        found.dedup();
        found
    }

    fn collect_kinks(&self, found: &mut Vec<f64>) {
        match self {
            Self::X | Self::Number(_) => {}
            Self::Minus(of) => of.collect_kinks(found),
            Self::Call(named, of) => {
                for kink in named.kinks() {
                    found.extend(passages(of, *kink));
                }
                of.collect_kinks(found);
            }
            Self::Two(_, a, b) => {
                a.collect_kinks(found);
                b.collect_kinks(found);
            }
        }
    }
}

/// Where `of` passes `level`, on a grid that is fine near zero and reaches beyond a thousand.
fn passages(of: &Node, level: f64) -> Vec<f64> {
    const CELLS: i32 = 2000;
    let point = |i: i32| libm::sinh(8.0 * f64::from(i) / f64::from(CELLS));
    let above = |x: f64| of.value(x) >= level;
    let mut found = Vec::new();
    for i in -CELLS..CELLS {
        let (mut low, mut high) = (point(i), point(i + 1));
        let side = above(low);
        if side == above(high) {
            continue;
        }
        while let Some(middle) = Some(0.5 * (low + high)).filter(|m| *m > low && *m < high) {
            *(if above(middle) == side { &mut low } else { &mut high }) = middle;
            // Below the smallest normal number, halving would only approach zero.
            if high - low < f64::MIN_POSITIVE {
                (low, high) = (0.0, 0.0);
            }
        }
        let met = (of.value(low) - level).abs() <= (of.value(high) - level).abs();
        found.push(if met { low } else { high });
    }
    found
}
