//! Adaptive Gauss-Kronrod integration: the worst panel is cut in half until the errors add up to the tolerance.

use crate::work;

/// The value of an integral, the error to expect, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Integral {
    /// The integral.
    pub value: f64,
    /// A bound on the absolute error: four times the difference of two rules of different order, or what the last cut of the
    /// panel changed if that is more, summed over the panels, plus rounding.
    ///
    /// It is larger than the tolerance when the integration did not converge, and infinite when the integrand was
    /// not finite somewhere.
    pub error: f64,
    /// The integral of the magnitude, which tolerances refer to.
    pub size: f64,
    /// How often the integrand was called.
    pub evaluations: usize,
}

/// The integral of `f` from `a` to `b`, to `tolerance` relative to the integral of $`|f|`$.
///
/// Measuring against $`|f|`$ makes the tolerance mean the same for tiny integrals and for those that cancel to 0. Tolerances
/// below 1e-14 are taken as 1e-14. The ends are never evaluated, so an integrable singularity may be there; for one inside, use
/// [`adaptive_split`]. With an infinite end there are no panels: the value is 0 and the error infinite.
///
/// The error estimate uses the plain difference of the 15-point and the 7-point rule, not its usual power 3/2: this costs
/// one more round of halving for smooth integrands and gives a true bound for most others. What falls between the points is
/// invisible to any such rule. The error of an unnamed kink or jump is bounded at 95 of 100 places, and always if
/// it is among the points of [`adaptive_split`].
///
/// ```
/// use fovea_core::quadrature::adaptive;
/// let integral = adaptive(|x| 1.0 / (1.0 + x * x), 0.0, 1.0, 1e-12);
/// assert!((integral.value - std::f64::consts::FRAC_PI_4).abs() <= integral.error);
/// ```
pub fn adaptive(f: impl FnMut(f64) -> f64, a: f64, b: f64, tolerance: f64) -> Integral {
    let integral = adaptive_split(f, &[a, b], tolerance);
    if a > b { Integral { value: -integral.value, ..integral } } else { integral }
}

/// The integral of `f` from the smallest to the largest of `points`, with panels that end at each of them.
///
/// Kinks, jumps and singularities belong among the points: a panel that ends at one converges fast, a panel that contains one slowly.
/// The points may come in any order. Tolerance and error are those of [`adaptive`].
pub fn adaptive_split(mut f: impl FnMut(f64) -> f64, points: &[f64], tolerance: f64) -> Integral {
    by_panels(&mut f, points, tolerance)
}

/// The same, compiled once for all integrands.
fn by_panels(f: &mut dyn FnMut(f64) -> f64, points: &[f64], tolerance: f64) -> Integral {
    const MAX_PANELS: usize = 2000;
    if points.iter().any(|p| !p.is_finite()) {
        return Integral { value: 0.0, error: f64::INFINITY, size: 0.0, evaluations: 0 };
    }
    let mut points = points.to_vec();
    points.sort_by(f64::total_cmp);
    let mut panels: Vec<Panel> =
        points.windows(2).filter(|w| w[0] < w[1]).map(|w| Panel::new(f, w[0], w[1])).collect();
    let mut evaluations = POINTS * panels.len();
    work::spend(evaluations);
    // Rounding alone is a few 1e-15 of the integral of |f|, so a smaller tolerance is impossible.
    let tolerance = tolerance.max(1e-14);
    while panels.len() < MAX_PANELS && work::spend(2 * POINTS) {
        let error: f64 = panels.iter().map(|p| p.error).sum();
        let size: f64 = panels.iter().map(|p| p.size).sum();
        let divisible = panels.iter().enumerate().filter(|(_, p)| p.middle().is_some());
        let worst = divisible.max_by(|(_, p), (_, q)| p.error.total_cmp(&q.error));
        let Some((index, middle)) = worst.and_then(|(i, p)| Some((i, p.middle()?))) else { break };
        if error <= tolerance * size {
            break;
        }
        let Panel { from, to, value, .. } = panels[index];
        let (mut left, mut right) = (Panel::new(f, from, middle), Panel::new(f, middle, to));
        // The change by the cut is a second estimate: with a kink at an unlucky place the two rules of one panel agree by chance.
        let change = (left.value + right.value - value).abs();
        left.error = left.error.max(change);
        right.error = right.error.max(change);
        panels[index] = left;
        panels.push(right);
        evaluations += 2 * POINTS;
    }
    // From left to right, so that the sum does not depend on the order of cutting.
    panels.sort_by(|p, q| p.from.total_cmp(&q.from));
    Integral {
        value: panels.iter().map(|p| p.value).sum(),
        error: panels.iter().map(|p| p.error).sum(),
        size: panels.iter().map(|p| p.size).sum(),
        evaluations,
    }
}

/// One panel with the two rules applied to it.
struct Panel {
    from: f64,
    to: f64,
    value: f64,
    error: f64,
    /// The integral of |f|.
    size: f64,
}

impl Panel {
    /// Applies both rules to `f` between `from` and `to`.
    fn new(f: &mut dyn FnMut(f64) -> f64, from: f64, to: f64) -> Self {
        let half = 0.5 * to - 0.5 * from;
        let centre = from + half;
        let mut finite = true;
        let mut value_at = |x: f64| {
            let y = f(x);
            finite &= y.is_finite();
            // A pole in the middle of a panel is an end of both halves: count it as 0 here and do not trust the panel.
            if y.is_finite() { y } else { 0.0 }
        };
        let middle = value_at(centre);
        let (mut kronrod, mut gauss) = (KRONROD[7] * middle, GAUSS[3] * middle);
        let mut size = KRONROD[7] * middle.abs();
        for i in 0..7 {
            let (left, right) =
                (value_at(centre - half * NODES[i]), value_at(centre + half * NODES[i]));
            kronrod += KRONROD[i] * (left + right);
            size += KRONROD[i] * (left.abs() + right.abs());
            if i % 2 == 1 {
                gauss += GAUSS[i / 2] * (left + right);
            }
        }
        let size = size * half;
        let error = 4.0 * ((kronrod - gauss) * half).abs() + 8.0 * f64::EPSILON * size;
        let error = if finite && error.is_finite() { error } else { f64::INFINITY };
        Self { from, to, value: kronrod * half, error, size }
    }

    /// The point where the panel can be cut; `None` if its ends are neighbouring numbers.
    fn middle(&self) -> Option<f64> {
        let middle = self.from + (0.5 * self.to - 0.5 * self.from);
        (self.from < middle && middle < self.to).then_some(middle)
    }
}

/// Points of the Kronrod rule.
const POINTS: usize = 15;

// The 7-point Gauss rule and its 15-point Kronrod extension (QUADPACK, qk15). Every second node belongs to both.
const NODES: [f64; 7] = [
    0.9914553711208126,
    0.9491079123427585,
    0.8648644233597691,
    0.7415311855993945,
    0.5860872354676911,
    0.4058451513773972,
    0.20778495500789848,
];
const KRONROD: [f64; 8] = [
    0.022935322010529224,
    0.06309209262997856,
    0.10479001032225019,
    0.14065325971552592,
    0.1690047266392679,
    0.19035057806478542,
    0.20443294007529889,
    0.20948214108472782,
];
const GAUSS: [f64; 4] =
    [0.1294849661688697, 0.27970539148927664, 0.3818300505051189, 0.4179591836734694];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees_to_digits, digits};

    #[test]
    fn one_panel_is_exact_for_the_degrees_of_its_two_rules() {
        for degree in (0..=22).step_by(2) {
            let power = |x: f64| libm::pow(x * x, f64::from(degree) / 2.0);
            let exact = 2.0 / (f64::from(degree) + 1.0);
            let panel = Panel::new(&mut { power }, -1.0, 1.0);
            agrees_to_digits(panel.value, exact, 14.5).unwrap();
            // The Gauss rule is exact to degree 13: the estimated error is rounding up to there and visible above.
            assert_eq!(panel.error < 1e-14, degree <= 13, "{degree}");
        }
        let panel = Panel::new(&mut |x: f64| libm::pow(x * x, 12.0), -1.0, 1.0);
        assert!(digits(panel.value, 2.0 / 25.0) < 12.0);
    }

    /// A name, an integrand, its ends, and the integral.
    type Known = (&'static str, fn(f64) -> f64, f64, f64, f64);

    /// Integrands with values known in closed form; the irrational ones from mpmath, 40 digits.
    fn battery() -> Vec<Known> {
        vec![
            ("exp", libm::exp, 0.0, 1.0, 1.7182818284590453),
            ("runge", |x| 1.0 / (1.0 + 25.0 * x * x), -1.0, 1.0, 0.5493603067780063),
            ("kink", f64::abs, -1.0, 1.3, 1.345),
            ("kink off centre", |x| (x - 0.337).abs(), -1.0, 1.0, 1.113569),
            ("jump", |x| if x < 0.3 { 0.0 } else { 1.0 }, 0.0, 1.0, 0.7),
            ("root", f64::sqrt, 0.0, 1.0, 2.0 / 3.0),
            ("inverse root", |x| 1.0 / x.sqrt(), 0.0, 1.0, 2.0),
            ("inner root", |x| (x - 0.2).abs().sqrt(), 0.0, 1.0, 0.5366563145999496),
            ("logarithm", libm::log, 0.0, 1.0, -1.0),
            ("oscillation", |x| libm::cos(200.0 * x), 0.0, 1.0, -0.004366486486069973),
            ("cancellation", |x| libm::sin(x), -1.0, 1.0, 0.0),
            ("narrow peak", |x| 1e-3 / (1e-6 + (x - 0.4) * (x - 0.4)), 0.0, 1.0, 3.137425993674648),
            ("tiny", |x| 1e-200 * libm::exp(x), 0.0, 1.0, 1.7182818284590452e-200),
        ]
    }

    #[test]
    fn the_error_estimate_bounds_the_true_error() {
        for (name, f, a, b, exact) in battery() {
            for tolerance in [1e-3, 1e-6, 1e-10, 1e-13] {
                let integral = adaptive(f, a, b, tolerance);
                let error = (integral.value - exact).abs();
                assert!(error <= integral.error, "{name} {tolerance:e}: {error:e} {integral:?}");
            }
        }
    }

    #[test]
    fn a_kink_or_a_jump_is_bounded_at_most_places_and_always_when_named() {
        let (mut missed, mut tried) = (0, 0);
        for i in 1..1000 {
            let at = f64::from(i) / 1000.0 + 1.234e-6;
            let kink = |x: f64| (x - at).abs();
            let jump = |x: f64| if x < at { 0.0 } else { 1.0 };
            let exact = (0.5 * (at * at + (1.0 - at) * (1.0 - at)), 1.0 - at);
            let escapes =
                |integral: Integral, exact: f64| (integral.value - exact).abs() > integral.error;
            for tolerance in [1e-3, 1e-6, 1e-9, 1e-12] {
                missed += usize::from(escapes(adaptive(kink, 0.0, 1.0, tolerance), exact.0));
                missed += usize::from(escapes(adaptive(jump, 0.0, 1.0, tolerance), exact.1));
                tried += 2;
                let points = [0.0, at, 1.0];
                assert!(!escapes(adaptive_split(kink, &points, tolerance), exact.0), "{at}");
                assert!(!escapes(adaptive_split(jump, &points, tolerance), exact.1), "{at}");
            }
        }
        assert!(missed * 20 < tried, "{missed} of {tried}");
    }

    #[test]
    fn the_tolerance_is_met_on_the_whole_battery() {
        for (name, f, a, b, _) in battery() {
            let integral = adaptive(f, a, b, 1e-10);
            let size = adaptive(|x| f(x).abs(), a, b, 1e-6).value;
            assert!(integral.error <= 1.01e-10 * size, "{name} {integral:?}");
            assert!(integral.evaluations < 4000, "{name} {integral:?}");
        }
    }

    #[test]
    fn a_split_at_the_kink_needs_two_panels() {
        let split = adaptive_split(f64::abs, &[1.3, 0.0, -1.0], 1e-13);
        agrees_to_digits(split.value, 1.345, 15.0).unwrap();
        assert_eq!(split.evaluations, 30);
        // A pole inside becomes an end of two panels.
        let pole = adaptive_split(|x| 1.0 / x.abs().sqrt(), &[-1.0, 0.0, 1.0], 1e-10);
        assert!((pole.value - 4.0).abs() <= pole.error && pole.error < 1e-9, "{pole:?}");
    }

    #[test]
    fn reversed_and_empty_intervals_behave() {
        let forth = adaptive(libm::exp, 0.0, 1.0, 1e-12);
        let back = adaptive(libm::exp, 1.0, 0.0, 1e-12);
        assert_eq!(forth.value.to_bits(), (-back.value).to_bits());
        assert!(adaptive(libm::exp, 1.0, 1.0, 1e-12).value == 0.0);
        assert!(adaptive_split(libm::exp, &[], 1e-12).evaluations == 0);
    }

    #[test]
    fn an_integral_that_does_not_exist_has_a_large_error() {
        assert!(adaptive(|_| f64::NAN, 0.0, 1.0, 1e-6).error.is_infinite());
        assert!(adaptive(libm::exp, 0.0, f64::INFINITY, 1e-6).error.is_infinite());
        let diverging = adaptive(|x| 1.0 / x, 0.0, 1.0, 1e-6);
        assert!(diverging.error > 1e-3, "{diverging:?}");
    }
}
