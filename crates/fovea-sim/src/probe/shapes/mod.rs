//! The shape of a field: bump, wave, difference of Gaussians or Gabor function, fitted by least squares.
//!
//! Every form is periodic (`packet` says how). Forms are weighed by the Bayesian information criterion
//! $`n\ln(\mathrm{rss}/n) + p\ln n`$ with `p` = 3, 3, 5, 5 parameters (the whole frequency of a wave counts as one): it exists on rings
//! of every size, where the corrected criterion of Akaike needs seven sites, and picks the true form as the residual falls.
//!
//! A form needs more sites than it has parameters, or its parameters are undetermined: on fewer sites it is not fitted (amplitude 0,
//! weight 0). The wave, which is a projection, is always fitted.
//!
//! A field is fitted in a frame of its own: rotated so that the largest weight comes first, and divided by it. The fit of a shifted,
//! negated or scaled copy is then the same computation.

mod form;
mod gabor;
mod packet;
mod solve;
mod start;

pub use form::{Form, Gabor};

/// The names of the forms, in the order of [`Shapes::fits`].
pub const FORMS: [&str; 4] = ["bump", "wave", "dog", "gabor"];
/// Parameters of each form.
const PARAMETERS: [f64; 4] = [3.0, 3.0, 5.0, 5.0];
/// Residual shares below this are rounding and count as it: the square of 2^12 units in the last place, which the sums of a fit can
/// lose. A perfect fit then has a finite criterion, and among perfect fits the fewest parameters win.
pub const FLOOR: f64 = (4096.0 * f64::EPSILON) * (4096.0 * f64::EPSILON);

/// One form fitted to a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The form with its parameters.
    pub form: Form,
    /// The share of the squared field that it leaves, $`\mathrm{rss}/|w|^2`$.
    pub share: f64,
    /// Its weight among the four, $`\propto e^{-\mathrm{BIC}/2}`$; the weights add up to 1.
    pub weight: f64,
}

/// All forms fitted to a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shapes {
    /// Bump, wave, difference of Gaussians, Gabor.
    pub fits: [Fitted; 4],
    /// Indices of the forms by weight, the best first.
    pub order: [usize; 4],
}

/// A field in a frame of its own.
struct Frame {
    /// The rotated field; its first weight is 1, the largest in size.
    y: Vec<f64>,
    /// Where its first site was.
    shift: usize,
    /// The weight there.
    scale: f64,
}

impl Frame {
    /// `None` for a field of zeros. Of several largest weights it takes the one whose rotated field is last in lexicographic order.
    fn of(w: &[f64]) -> Option<Self> {
        let largest = w.iter().fold(0.0, |m: f64, w| m.max(w.abs()));
        let turned = |shift: usize| {
            let (scale, n) = (w[shift], w.len());
            let y = (0..n).map(|i| w[(shift + i) % n] / scale).collect();
            Self { y, shift, scale }
        };
        let peaks = (0..w.len()).filter(|i| w[*i].abs() >= largest && largest > 0.0);
        peaks.map(turned).reduce(|best, next| if next.later(&best) { next } else { best })
    }

    fn square(&self) -> f64 {
        self.y.iter().map(|y| y * y).sum()
    }

    /// Whether its field comes after another's in lexicographic order.
    fn later(&self, other: &Self) -> bool {
        let pairs = self.y.iter().zip(&other.y).map(|(a, b)| a.total_cmp(b));
        pairs.into_iter().find(|order| order.is_ne()).is_some_and(std::cmp::Ordering::is_gt)
    }
}

/// The forms fitted to a field on a ring; a field of zeros is every form with amplitude 0.
pub fn shapes(w: &[f64]) -> Shapes {
    let n = w.len();
    let empty = nothing(n);
    let Some(frame) = Frame::of(w) else { return weighed(empty.map(|form| (form, 0.0)), n) };
    let (y, square) = (&frame.y, frame.square());
    let enough = |form: usize| PARAMETERS[form] < n as f64;
    let mut fits = empty.map(|form| (form, square));
    fits[1] = solve::wave(y);
    if enough(0) {
        fits[0] = solve::bump(y);
    }
    if enough(2) && enough(3) {
        let (gabor, rss, _) = gabor::gabor(y, fits[0].0);
        (fits[2], fits[3]) = (solve::dog(y, fits[0]), (Form::Gabor(gabor), rss));
    }
    weighed(fits.map(|(form, rss)| (form.moved(n, frame.shift, frame.scale), rss / square)), n)
}

/// The Gabor fitted to a field on a ring, the share of the squared field it leaves, and the standard errors of amplitude, centre, width,
/// frequency and phase.
pub fn gabor(w: &[f64]) -> (Gabor, f64, [f64; 5]) {
    let n = w.len();
    let zero = Gabor { amplitude: 0.0, centre: 0.0, width: n as f64, frequency: 0.0, phase: 0.0 };
    let unknown = [0.0, n as f64 / 2.0, n as f64, 0.5, std::f64::consts::PI];
    let Some(frame) = Frame::of(w) else { return (zero, 0.0, unknown) };
    if PARAMETERS[3] >= n as f64 {
        return (zero, 1.0, unknown);
    }
    let (gabor, rss, mut errors) = gabor::gabor(&frame.y, solve::bump(&frame.y).0);
    errors[0] *= frame.scale.abs();
    (gabor.moved(n, frame.shift, frame.scale), rss / frame.square(), errors)
}

/// The line along the last axis through the largest weight, on a torus of this shape; the whole field on a ring.
pub fn peak_line<'a>(w: &'a [f64], shape: &[usize]) -> &'a [f64] {
    let side = shape.last().copied().unwrap_or(w.len());
    let size = |line: &[f64]| line.iter().fold(0.0, |m: f64, w| m.max(w.abs()));
    let largest = size(w);
    let lines = w.chunks(side).filter(|line| size(line) >= largest);
    let framed = lines.map(|line| (line, Frame::of(line)));
    let later = |a: &Option<Frame>, b: &Option<Frame>| match (a, b) {
        (Some(a), Some(b)) => a.later(b),
        _ => false,
    };
    framed
        .reduce(|best, next| if later(&next.1, &best.1) { next } else { best })
        .map_or(w, |(line, _)| line)
}

/// Every form with amplitude 0.
fn nothing(n: usize) -> [Form; 4] {
    let (amplitude, centre, width) = (0.0, 0.0, n as f64);
    [
        Form::Bump { amplitude, centre, width },
        Form::Wave { amplitude, k: 0, phase: 0.0 },
        Form::Dog { amplitudes: [0.0; 2], centre, widths: [width; 2] },
        Form::Gabor(Gabor { amplitude, centre, width, frequency: 0.0, phase: 0.0 }),
    ]
}

/// The weights of the forms by the share of the squared field they leave; of equal ones the first comes first.
fn weighed(fits: [(Form, f64); 4], n: usize) -> Shapes {
    let n = n as f64;
    let criterion = |i: usize| n * libm::log(fits[i].1.max(FLOOR)) + PARAMETERS[i] * libm::log(n);
    let enough = |i: usize| i == 1 || PARAMETERS[i] < n;
    let criteria: [f64; 4] =
        std::array::from_fn(|i| if enough(i) { criterion(i) } else { f64::INFINITY });
    let least = criteria.iter().copied().fold(f64::INFINITY, f64::min);
    let raw = criteria.map(|c| libm::exp(-0.5 * (c - least)));
    let total: f64 = raw.iter().sum();
    let fit = |i: usize| Fitted { form: fits[i].0, share: fits[i].1, weight: raw[i] / total };
    let mut order = [0, 1, 2, 3];
    order.sort_by(|a, b| criteria[*a].total_cmp(&criteria[*b]));
    Shapes { fits: std::array::from_fn(fit), order }
}

#[cfg(test)]
mod tests;
