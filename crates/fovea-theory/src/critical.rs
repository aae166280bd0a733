//! The critical point of an activation: variances of weights and biases at which neither a norm nor the distance of two close
//! inputs changes exponentially with depth.
//!
//! Both susceptibilities are 1 where $`E_K[ss'']=0`$ and $`C_w=1/E_K[s'^2]`$; then $`C_b=K-C_wE_K[s^2]`$ must not be negative.

use crate::averages::Averages;
use crate::crossing::crossing;
use crate::form::FormError;
use fovea_core::{Function, Value, choice};

choice! {
    /// What kind of critical point an activation has.
    pub enum Class {
        /// Every variance is kept: the activation is linear on each side of zero.
        ScaleInvariant = "scale-invariant",
        /// The variance falls to zero as one over the depth.
        Zero = "zero",
        /// The variance zero solves the equations, but any other variance grows.
        UnstableZero = "unstable-zero",
        /// A variance above zero that attracts from one side.
        HalfStable = "half-stable",
        /// There is no critical point.
        None = "none",
    }
}

/// The critical point of an activation, or why there is none.
#[derive(Clone, Debug)]
pub struct Critical {
    /// Its kind.
    pub class: Class,
    /// The variance that is kept; `None` if every variance is kept, or none.
    pub k: Option<f64>,
    /// Variance of the biases.
    pub c_b: Option<f64>,
    /// Variance of the weights times the number of inputs.
    pub c_w: Option<f64>,
    /// $`a`$ of $`K'=K-aK^2+\dots`$ at zero, or minus half the second derivative of the recursion at a half-stable point.
    pub a: Option<f64>,
    /// What this implies, or why there is no critical point.
    pub why: String,
}

impl From<&Critical> for Value {
    fn from(critical: &Critical) -> Self {
        let number = |x: Option<f64>| x.map_or_else(|| Value::from("none"), Value::from);
        let k = match critical.class {
            Class::ScaleInvariant => Value::from("any"),
            _ => number(critical.k),
        };
        Value::table([
            ("class", critical.class.word().into()),
            ("k_star", k),
            ("c_b", number(critical.c_b)),
            ("c_w", number(critical.c_w)),
            ("a", number(critical.a)),
            ("why", critical.why.as_str().into()),
        ])
    }
}

/// Ends of the search for a variance above zero, and its steps.
const LOW: f64 = 1e-3;
const HIGH: f64 = 1e3;
const STEPS: i32 = 120;

/// A slope or a value below this is zero.
const NOTHING: f64 = 1e-13;

/// The critical point of `activation`.
///
/// # Errors
/// The Gaussian averages are not finite even at small variance.
pub fn critical(activation: &Function) -> Result<Critical, FormError> {
    let averages = Averages::of(activation);
    if let Some([right, left]) = sides(activation) {
        return Ok(scale_invariant(right, left));
    }
    let zero = at_zero(activation, &averages)?;
    if let Zero::Solution(found) = &zero
        && found.class == Class::Zero
    {
        return Ok(found.clone());
    }
    match (above_zero(&averages)?, zero) {
        (Search::Found(found), _) | (Search::Nothing(_), Zero::Solution(found)) => Ok(found),
        (Search::Nothing(why), Zero::No(because)) => Ok(Critical {
            class: Class::None,
            k: None,
            c_b: None,
            c_w: None,
            a: None,
            why: format!("{because}; {why}"),
        }),
    }
}

/// The slopes to the right and left of zero of an activation that is linear on each side.
fn sides(s: &Function) -> Option<[f64; 2]> {
    let linear = |side: f64| {
        let slope = s.value(side) / side;
        let at = |x: f64| (s.value(side * x) - slope * side * x).abs() <= 1e-14 * x * slope.abs();
        [1e-3, 0.37, 2.9, 41.0, 1e3].into_iter().all(at).then_some(slope)
    };
    let slopes = [linear(1.0)?, linear(-1.0)?];
    (slopes[0] != 0.0 || slopes[1] != 0.0).then_some(slopes)
}

fn scale_invariant(right: f64, left: f64) -> Critical {
    Critical {
        class: Class::ScaleInvariant,
        k: None,
        c_b: Some(0.0),
        c_w: Some(2.0 / (right * right + left * left)),
        a: Some(0.0),
        why: "the activation is linear on each side of zero, so K' = K at every K".to_owned(),
    }
}

enum Zero {
    Solution(Critical),
    No(String),
}

/// The variance zero: it needs s(0) = 0 and a slope there.
fn at_zero(s: &Function, averages: &Averages) -> Result<Zero, FormError> {
    let (value, slope_square) = (s.value(0.0), averages.slope_square(0.0)?);
    if value.abs() > NOTHING {
        let why = format!("K* = 0 needs s(0) = 0, and s(0) = {}", short(value));
        return Ok(Zero::No(why));
    }
    if slope_square < NOTHING {
        return Ok(Zero::No("K* = 0 needs a slope at zero, and s'(0) = 0".to_owned()));
    }
    let c_w = 1.0 / slope_square;
    let a = decay(s, averages, c_w)?;
    let stable = a > 0.0;
    let size = short(a.abs());
    let why = if stable {
        format!("K' = K - {size} K^2 + ... from zero up: K falls to zero as 1/({size} l)")
    } else {
        format!("K' = K + {size} K^2 + ... from zero up: every K above zero grows")
    };
    Ok(Zero::Solution(Critical {
        class: if stable { Class::Zero } else { Class::UnstableZero },
        k: Some(0.0),
        c_b: Some(0.0),
        c_w: Some(c_w),
        a: Some(a),
        why,
    }))
}

/// $`a=-(s'''/s'+\tfrac34(s''/s')^2)`$ at zero, or $`(K-K')/K^2`$ at a small variance where zero is a kink.
pub(crate) fn decay(s: &Function, averages: &Averages, c_w: f64) -> Result<f64, FormError> {
    if s.kinks().contains(&0.0) {
        let k = 1e-4;
        return Ok((k - c_w * averages.square(k)?) / (k * k));
    }
    let (slope, curve) = (s.slope(0.0), s.curve(0.0));
    Ok(-(third_at_zero(s) / slope + 0.75 * (curve / slope) * (curve / slope)))
}

/// The third derivative at zero: difference quotients of the exact second one, extrapolated three times.
fn third_at_zero(s: &Function) -> f64 {
    let quotient = |h: f64| (s.curve(h) - s.curve(-h)) / (2.0 * h);
    let mut row: Vec<f64> = (0..5).map(|i| quotient(0.05 / f64::from(1 << i))).collect();
    let mut factor = 1.0;
    while row.len() > 1 {
        factor *= 4.0;
        row = row.windows(2).map(|w| w[1] + (w[1] - w[0]) / (factor - 1.0)).collect();
    }
    row[0]
}

enum Search {
    Found(Critical),
    Nothing(String),
}

/// A variance above zero with $`E[ss'']=0`$ and biases that exist.
fn above_zero(averages: &Averages) -> Result<Search, FormError> {
    // E[s s''] / E[s'^2] = chi_par / chi_perp - 1.
    let excess = |k: f64| -> Result<f64, FormError> {
        Ok(averages.growth(k)? / averages.slope_square(k)? - 1.0)
    };
    let grid = |i: i32| LOW * libm::pow(HIGH / LOW, f64::from(i) / f64::from(STEPS));
    let mut last = (LOW, excess(LOW)?);
    let first = last.1;
    let (mut reached, mut refused) = (LOW, Vec::new());
    for i in 1..=STEPS {
        // A fast-growing activation has no averages at large variances: the search ends there.
        let Ok(now) = excess(grid(i)) else { break };
        let next = (grid(i), now);
        reached = next.0;
        if last.1 * next.1 < 0.0 {
            let k = crossing([last.0, next.0], [last.1, next.1], 1e-15, excess)?;
            let c_w = 1.0 / averages.slope_square(k)?;
            let c_b = k - c_w * averages.square(k)?;
            if c_b >= -1e-12 * k {
                return Ok(Search::Found(half_stable(averages, k, c_w, c_b.max(0.0))?));
            }
            refused.push(format!("at K = {} C_b would be {}", short(k), short(c_b)));
        }
        last = next;
    }
    let range = format!("for every K from {} to {}", short(LOW), short(reached));
    let (sign, order) = if first < 0.0 { ("<", "below") } else { (">", "above") };
    Ok(Search::Nothing(if refused.is_empty() {
        format!("E[s s''] {sign} 0 {range}, so chi_par stays {order} chi_perp and both are never 1")
    } else {
        format!("{}, and a variance is not negative", refused.join(", "))
    }))
}

fn half_stable(averages: &Averages, k: f64, c_w: f64, c_b: f64) -> Result<Critical, FormError> {
    let step = 1e-3 * k;
    let bend = (averages.growth(k + step)? - averages.growth(k - step)?) / (2.0 * step);
    let side = if bend > 0.0 { "below" } else { "above" };
    Ok(Critical {
        class: Class::HalfStable,
        k: Some(k),
        c_b: Some(c_b),
        c_w: Some(c_w),
        a: Some(-0.5 * c_w * bend),
        why: format!("K' touches K at K*, which attracts from {side} and repels on the other side"),
    })
}

/// A number in a sentence.
fn short(x: f64) -> String {
    let rounded = format!("{x:.4}");
    let plain = rounded.trim_end_matches('0').trim_end_matches('.');
    if x.abs() >= 1e-3 || x == 0.0 { plain.to_owned() } else { format!("{x:.1e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::Layer;
    use fovea_core::agree::within;

    fn of(text: &str) -> Critical {
        critical(&Function::parse(text).unwrap()).unwrap()
    }

    #[test]
    fn published_critical_points_to_eight_digits() {
        // Roberts, Yaida and Hanin, The Principles of Deep Learning Theory.
        for (name, k, c_w, c_b) in [
            ("silu", 14.320_173_6, 1.988_004_68, 0.555_143_17),
            ("gelu", 3.561_552_8, 1.983_058_26, 0.172_922_39),
        ] {
            let found = of(name);
            assert_eq!(found.class, Class::HalfStable, "{name}");
            within(found.k.unwrap(), k, 5e-9, 0.0).unwrap();
            within(found.c_w.unwrap(), c_w, 5e-9, 0.0).unwrap();
            within(found.c_b.unwrap(), c_b, 0.0, 5e-9).unwrap();
        }
        within(of("gelu").k.unwrap(), 0.5 * (3.0 + 17.0_f64.sqrt()), 1e-11, 0.0).unwrap();
    }

    #[test]
    fn every_class_is_found() {
        for (text, class, c_w) in [
            ("relu", Class::ScaleInvariant, 2.0),
            ("identity", Class::ScaleInvariant, 1.0),
            ("relu(x)-0.1*relu(-x)", Class::ScaleInvariant, 2.0 / 1.01),
            ("3*abs(x)", Class::ScaleInvariant, 1.0 / 9.0),
            ("tanh", Class::Zero, 1.0),
            ("sin", Class::Zero, 1.0),
            ("erf-raw", Class::Zero, 0.25 * std::f64::consts::PI),
            ("sin(2*x)", Class::Zero, 0.25),
            ("x+x^3", Class::UnstableZero, 1.0),
        ] {
            let found = of(text);
            assert_eq!(found.class, class, "{text}: {found:?}");
            within(found.c_w.unwrap(), c_w, 1e-13, 0.0).unwrap();
        }
        for (text, words) in [
            ("sigmoid", ["s(0) = 0.5", "E[s s''] < 0"]),
            ("softplus", ["s(0) = 0.6931", "E[s s''] > 0"]),
            ("x^2", ["s'(0) = 0", "E[s s''] > 0"]),
        ] {
            let found = of(text);
            assert_eq!(found.class, Class::None, "{text}");
            assert!(words.iter().all(|w| found.why.contains(w)), "{text}: {}", found.why);
        }
    }

    #[test]
    fn both_susceptibilities_are_one_and_the_variance_is_kept() {
        for text in ["gelu", "silu", "x*sigmoid(2*x)", "tanh"] {
            let (s, found) = (Function::parse(text).unwrap(), of(text));
            let layer = Layer::new(&s, found.c_w.unwrap(), found.c_b.unwrap());
            let k = found.k.unwrap();
            within(layer.chi_par(k).unwrap(), 1.0, 1e-11, 0.0).unwrap();
            within(layer.chi_perp(k).unwrap(), 1.0, 1e-11, 0.0).unwrap();
            within(layer.next(k).unwrap(), k, 1e-12, 1e-15).unwrap();
        }
    }

    #[test]
    fn the_rate_of_decay_is_that_of_the_derivatives_at_zero() {
        // tanh: s''' = -2; sin: -1; erf: -4/sqrt(pi) over 2/sqrt(pi).
        for (text, a) in [("tanh", 2.0), ("sin", 1.0), ("erf-raw", 2.0), ("sin(3*x)", 9.0)] {
            within(of(text).a.unwrap(), a, 1e-9, 0.0).unwrap();
        }
    }
}
