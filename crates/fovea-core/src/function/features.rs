//! Where a function of one variable varies on a scale of its own, which an integral over it has to resolve.
//!
//! A narrow bell falls between the points of any rule, but its cause is broad: the argument of its exponential is a parabola. So
//! the tree is searched for the places where an argument passes zero or has an extremum. Each gets the distance over which that
//! argument changes by one.

use super::expression::{Binary, Named, Node};

/// A place at which a function varies, and the scale on which it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature {
    /// The place.
    pub at: f64,
    /// The distance over which it varies there.
    pub width: f64,
}

impl Feature {
    /// The feature of every registered activation.
    pub(super) const UNIT: [Self; 1] = [Self { at: 0.0, width: 1.0 }];
}

/// By how much an argument has to change to matter.
#[derive(Clone, Copy)]
enum Change {
    /// By one.
    One,
    /// By its own size: the argument of a function without a scale.
    Itself,
}

/// The largest number of features; the narrowest are kept.
const MOST: usize = 32;

impl Node {
    /// The features of the function, ascending.
    pub(super) fn features(&self) -> Vec<Feature> {
        let mut found = Vec::new();
        self.collect_features(&mut found);
        found.sort_by(|a, b| a.width.total_cmp(&b.width).then(a.at.total_cmp(&b.at)));
        found.dedup();
        found.truncate(MOST);
        found.sort_by(|a, b| a.at.total_cmp(&b.at));
        found
    }

    fn collect_features(&self, found: &mut Vec<Feature>) {
        match self {
            Self::X | Self::Number(_) => {}
            Self::Minus(of) => of.collect_features(found),
            Self::Call(named, of) => {
                let change = match named {
                    Named::Log | Named::Sqrt => Change::Itself,
                    _ => Change::One,
                };
                found.extend(of.places(change));
                of.collect_features(found);
            }
            Self::Two(operation, a, b) => {
                match operation {
                    Binary::Over => found.extend(b.places(Change::Itself)),
                    Binary::Power => {
                        found.extend(b.places(Change::One));
                        if !b.is_whole() {
                            found.extend(a.places(Change::Itself));
                        }
                    }
                    _ => {}
                }
                a.collect_features(found);
                b.collect_features(found);
            }
        }
    }

    /// Whether it is an exponent that makes a power a polynomial.
    fn is_whole(&self) -> bool {
        matches!(self, Self::Number(c) if *c >= 0.0 && c.fract() == 0.0)
    }

    /// Whether it is linear by its form.
    fn is_line(&self) -> bool {
        match self {
            Self::X | Self::Number(_) => true,
            Self::Minus(of) => of.is_line(),
            Self::Call(..) => false,
            Self::Two(operation, a, b) => match operation {
                Binary::Plus | Binary::Minus => a.is_line() && b.is_line(),
                Binary::Times => a.is_line() && b.is_line() && !(a.varies() && b.varies()),
                Binary::Over => a.is_line() && !b.varies(),
                Binary::Power => false,
            },
        }
    }

    /// Where this argument passes zero or has an extremum, with the distance over which it changes.
    fn places(&self, change: Change) -> Vec<Feature> {
        if !self.varies() {
            return Vec::new();
        }
        let mut places = Vec::new();
        if self.is_line() {
            let line = self.jet(0.0);
            places.push(-line.value / line.slope);
        } else {
            let grid = grid();
            for pair in grid.windows(2) {
                let (low, high) = (self.jet(pair[0]), self.jet(pair[1]));
                if (low.value < 0.0) != (high.value < 0.0) {
                    places.push(change_of_sign(pair, |x| self.jet(x).value < 0.0));
                }
                if (low.slope < 0.0) != (high.slope < 0.0) {
                    places.push(change_of_sign(pair, |x| self.jet(x).slope < 0.0));
                }
            }
        }
        places.into_iter().filter_map(|at| self.feature(at, change)).collect()
    }

    /// The feature at a place: the distance over which this argument changes by enough, to a factor of two.
    fn feature(&self, at: f64, change: Change) -> Option<Feature> {
        let here = self.value(at);
        let enough = match change {
            Change::One => 1.0,
            Change::Itself => here.abs(),
        };
        if !(enough > 0.0 && enough.is_finite() && at.is_finite()) {
            return None;
        }
        let changed = |width: f64| {
            [at - width, at + width].iter().any(|x| (self.value(*x) - here).abs() >= enough)
        };
        let mut width = 1.0;
        if changed(width) {
            let least = f64::EPSILON * at.abs().max(1e-280);
            while width > least && changed(0.5 * width) {
                width *= 0.5;
            }
        } else {
            while !changed(width) {
                width *= 2.0;
                if width > 1e150 {
                    return None;
                }
            }
        }
        Some(Feature { at, width })
    }
}

/// Points of every size, evenly spaced where arguments are of order one.
fn grid() -> Vec<f64> {
    let sizes = (-48..=36).map(|i| libm::pow(10.0, f64::from(i) / 6.0));
    let near = (1..=64).map(|i| f64::from(i) / 8.0);
    let mut grid: Vec<f64> = sizes.chain(near).flat_map(|x| [x, -x]).chain([0.0]).collect();
    grid.sort_by(f64::total_cmp);
    grid
}

/// Where `below` changes between two points.
fn change_of_sign(ends: &[f64], below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (ends[0], ends[1]);
    let side = below(low);
    for _ in 0..120 {
        let middle = 0.5 * low + 0.5 * high;
        if middle <= low || middle >= high {
            break;
        }
        *(if below(middle) == side { &mut low } else { &mut high }) = middle;
    }
    // Most functions have their extremum at zero, not at its neighbour.
    if low <= 0.0 && high >= 0.0 { 0.0 } else { high }
}

#[cfg(test)]
mod tests {
    use super::super::Function;
    use crate::agree::within;

    /// The feature nearest to a place.
    fn near(text: &str, at: f64) -> (f64, f64) {
        let f = Function::parse(text).unwrap();
        let gap = |x: f64| (x - at).abs();
        let found = f.features().iter().min_by(|a, b| gap(a.at).total_cmp(&gap(b.at)));
        found.map(|found| (found.at, found.width)).unwrap()
    }

    #[test]
    fn narrow_places_are_found_with_their_widths() {
        for (text, at, width) in [
            ("tanh", 0.0, 1.0),
            ("tanh(1e4*x)", 0.0, 1e-4),
            ("x*tanh(100*(x-3))", 3.0, 0.01),
            ("exp(-1e6*(x-0.7777)^2)", 0.7777, 1e-3),
            ("1/(1+exp(50-80*x))", 0.625, 0.0125),
            ("x^2/(x^2+1e-6)", 0.0, 1e-3),
            ("1/(1+(1e5*x)^4)", 0.0, 1e-5),
            ("sqrt(x^2+1e-8)", 0.0, 1e-4),
            ("(1e-8+x^2)^0.5", 0.0, 1e-4),
            ("tanh(50*(x^2-2))", 2.0_f64.sqrt(), 1.0 / (100.0 * 2.0_f64.sqrt())),
            ("tanh(1e-6*x)", 0.0, 1e6),
            ("tanh(1e3*tanh(x-20))", 20.0, 1e-3),
        ] {
            let (place, scale) = near(text, at);
            within(place, at, 1e-12, 1e-300).unwrap();
            assert!(scale > 0.49 * width && scale < 2.1 * width, "{text}: {scale:e}");
        }
    }

    #[test]
    fn a_polynomial_has_no_scale_of_its_own() {
        for text in ["x^3-3*x+1", "x*(x-1)/7"] {
            assert!(Function::parse(text).unwrap().features().is_empty(), "{text}");
        }
    }
}
