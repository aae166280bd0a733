//! Functions of one variable that a user can name or type: a registered activation, or an expression such as `x*tanh(x)`.
//!
//! An expression has one variable `x`, the operations `+ - * / ^`, numbers, `pi`, parentheses, the registered activations
//! (hyphens as underscores: `leaky_relu(x)`), and `exp`, `log`, `sqrt`, `abs`, `cos`. Its derivatives are exact: dual numbers
//! of second order run through the tree. As everywhere, the slope at a kink is the one from the right of the function that has it,
//! and `erf(x)` is the activation `erf`, the error function of x/√2.

use crate::activation::{ALL, Blocked, Entry, NAMES};
use crate::params::{Kind, ParamError, ParamType, Range, Trouble};
use crate::simd::Level;
use crate::value::Value;
use std::sync::{Arc, OnceLock};

mod expression;
mod features;
mod jet;
mod parse;

pub use features::Feature;
pub use jet::Jet;

/// The most parts an expression may have.
const MAX_NODES: usize = 200;

/// A typed expression.
#[derive(Debug)]
pub struct Expression {
    text: String,
    root: expression::Node,
    kinks: Vec<f64>,
    /// Computed when first needed.
    features: OnceLock<Vec<Feature>>,
}

impl Expression {
    /// Reads an expression in `x`.
    ///
    /// # Errors
    /// It cannot be read, does not vary, or has a value or slope that is not finite on [−8, 8].
    pub fn parse(text: &str) -> Result<Self, Trouble> {
        let root = parse::parse(text)?;
        let whole = |what: String, hint: &str| Trouble { at: None, what, hint: hint.to_owned() };
        if !root.varies() {
            return Err(whole(
                "the expression does not contain `x`".to_owned(),
                "write a function of x, such as `x*tanh(x)`",
            ));
        }
        // Zero first: most failures are there.
        for i in 0..=64_i16 {
            for x in [f64::from(i) / 8.0, -f64::from(i) / 8.0] {
                let jet = root.jet(x);
                for (name, number) in [("value", jet.value), ("slope", jet.slope)] {
                    if !number.is_finite() {
                        return Err(whole(
                            format!("its {name} at x = {x} is not finite"),
                            "choose a function whose value and slope are finite on the whole line",
                        ));
                    }
                }
            }
        }
        let kinks = root.kinks();
        Ok(Self { text: text.trim().to_owned(), root, kinks, features: OnceLock::new() })
    }

    /// The value at `x` with two derivatives.
    pub fn jet(&self, x: f64) -> Jet {
        self.root.jet(x)
    }
}

/// What an expression may contain, for the help text.
pub fn vocabulary() -> String {
    format!(
        "x, numbers, pi, + - * / ^, parentheses, and the functions {}; erf(x) is the activation erf, the error function of x/sqrt(2), \
         and erf_raw(x) the error function of x",
        parse::functions().join(", ")
    )
}

/// A registered activation or a typed expression.
///
/// ```
/// use fovea_core::function::Function;
/// let f = Function::parse("x*tanh(x)").unwrap();
/// assert!((f.slope(0.5) - (0.46211715726000975 + 0.5 * 0.7864477329659274)).abs() < 1e-15);
/// assert_eq!(Function::parse("x*tanh(x").unwrap_err().at, Some(6));
/// ```
#[derive(Clone, Debug)]
pub enum Function {
    /// A registered activation.
    Registered(&'static Entry),
    /// A typed expression.
    Typed(Arc<Expression>),
}

/// A function of one number at a time, in double precision.
fn each<T: Blocked>(numbers: &mut [T], f: impl Fn(f64) -> f64) {
    for h in numbers {
        *h = T::from_f64(f(h.to_f64()));
    }
}

impl Function {
    /// The registered activation of this name, or the expression that the text is.
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(text: &str) -> Result<Self, Trouble> {
        let name = text.trim().replace('_', "-");
        match ALL.iter().find(|entry| entry.name == name) {
            Some(entry) => Ok(Self::Registered(entry)),
            None => Ok(Self::Typed(Arc::new(Expression::parse(text)?))),
        }
    }

    /// The name, or the expression as typed.
    pub fn name(&self) -> &str {
        match self {
            Self::Registered(entry) => entry.name,
            Self::Typed(expression) => &expression.text,
        }
    }

    /// The value at `h`.
    pub fn value(&self, h: f64) -> f64 {
        match self {
            Self::Registered(entry) => (entry.value)(h),
            Self::Typed(expression) => expression.root.value(h),
        }
    }

    /// The first derivative at `h`.
    pub fn slope(&self, h: f64) -> f64 {
        match self {
            Self::Registered(entry) => (entry.slope)(h),
            Self::Typed(expression) => expression.jet(h).slope,
        }
    }

    /// Many numbers into their values, in place.
    pub fn values<T: Blocked>(&self, level: Level, numbers: &mut [T]) {
        match self {
            Self::Registered(entry) => (T::blocks(entry).values)(level, numbers),
            Self::Typed(_) => each(numbers, |h| self.value(h)),
        }
    }

    /// Many numbers into their slopes, in place.
    pub fn slopes<T: Blocked>(&self, level: Level, numbers: &mut [T]) {
        match self {
            Self::Registered(entry) => (T::blocks(entry).slopes)(level, numbers),
            Self::Typed(_) => each(numbers, |h| self.slope(h)),
        }
    }

    /// Whether the backward pass computes the slope from the value.
    pub fn slope_from_value(&self) -> bool {
        matches!(self, Self::Registered(entry) if entry.slope_from_value)
    }

    /// Values (if the slope follows from them) or preactivations into slopes, in place.
    pub fn kept_slopes<T: Blocked>(&self, level: Level, kept: &mut [T]) {
        match self {
            Self::Registered(entry) => (T::blocks(entry).kept_slopes)(level, kept),
            Self::Typed(_) => self.slopes(level, kept),
        }
    }

    /// The second derivative at `h`, away from kinks.
    pub fn curve(&self, h: f64) -> f64 {
        match self {
            Self::Registered(entry) => (entry.curve)(h),
            Self::Typed(expression) => expression.jet(h).curve,
        }
    }

    /// Value and slope at `h`.
    pub fn both(&self, h: f64) -> (f64, f64) {
        match self {
            Self::Registered(entry) => ((entry.value)(h), (entry.slope)(h)),
            Self::Typed(expression) => {
                let jet = expression.jet(h);
                (jet.value, jet.slope)
            }
        }
    }

    /// Where the slope may jump, ascending.
    pub fn kinks(&self) -> &[f64] {
        match self {
            Self::Registered(entry) => entry.kinks,
            Self::Typed(expression) => &expression.kinks,
        }
    }

    /// Where it varies on a scale of its own, ascending: what an integral over it has to resolve.
    pub fn features(&self) -> &[Feature] {
        match self {
            Self::Registered(_) => &Feature::UNIT,
            Self::Typed(expression) => {
                expression.features.get_or_init(|| expression.root.features())
            }
        }
    }

    /// The cost of one value in units of work: the number of parts of an expression, one for a registered activation.
    pub fn cost(&self) -> usize {
        match self {
            Self::Registered(_) => 1,
            Self::Typed(expression) => expression.root.parts(),
        }
    }

    /// The registered activation, if it is one.
    pub fn entry(&self) -> Option<&'static Entry> {
        match self {
            Self::Registered(entry) => Some(entry),
            Self::Typed(_) => None,
        }
    }
}

impl From<&'static Entry> for Function {
    fn from(entry: &'static Entry) -> Self {
        Self::Registered(entry)
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

/// What was typed, if it could be an expression.
fn typed(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Int(_) | Value::Real(_) => Some(value.to_string()),
        // `tanh()` reads as an item without settings.
        Value::Table(rows) if rows.len() == 1 => value.get("name").map(|name| format!("{name}()")),
        _ => None,
    }
}

/// A function is a parameter that is named or typed.
impl ParamType for Function {
    const KIND: Kind = Kind::Function(NAMES);

    fn read(value: &Value) -> Option<Self> {
        Self::parse(&typed(value)?).ok()
    }

    fn write(&self) -> Value {
        Value::Text(self.name().to_owned())
    }

    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }

    fn checked(key: &str, value: &Value, _: Range) -> Result<Self, ParamError> {
        let text = typed(value).ok_or_else(|| ParamError::wrong_kind::<Self>(key, value))?;
        Self::parse(&text).map_err(|trouble| ParamError::Expression {
            key: key.to_owned(),
            text,
            trouble,
        })
    }
}

#[cfg(test)]
mod tests;
