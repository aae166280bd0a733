//! Averages over two independent standard normals as sums over a square grid, for smooth functions and a few digits.
//!
//! The trapezoidal rule is exponentially accurate for an analytic function under a Gaussian weight, so one or two finer grids are
//! far cheaper than nested adaptive panels where a picture needs no more than six digits.

/// Beyond this radius the density is below 1e-31 and is left out.
const RADIUS: f64 = 12.0;
/// The ratio of one step to the next; not an integer, or a fast oscillation that one grid misses would be missed by the next too.
const RATIO: f64 = 1.618_033_988_749_895;
/// Grids finer than this cost as much as panels.
const FINEST: f64 = 0.05;

/// $`E\,f(u)g(u,v)`$ to `tolerance` of $`E|fg|`$; `None` if no two grids agree.
pub(crate) fn average(
    f: impl Fn(f64) -> f64,
    g: impl Fn(f64, f64) -> f64,
    tolerance: f64,
) -> Option<f64> {
    let mut step = 0.5;
    let mut before: Option<f64> = None;
    while step > FINEST {
        let (now, size) = sum(&f, &g, step);
        if before.is_some_and(|before| (now - before).abs() <= tolerance * size) {
            return Some(now);
        }
        before = Some(now);
        step /= RATIO;
    }
    None
}

/// The sum over one grid, and that of the absolute values.
fn sum(f: impl Fn(f64) -> f64, g: impl Fn(f64, f64) -> f64, step: f64) -> (f64, f64) {
    let weight = |x: f64| step * fovea_core::special::normal_pdf(x);
    let reach = |radius: f64| (radius / step) as i64;
    let (mut total, mut size) = (0.0, 0.0);
    for i in -reach(RADIUS)..=reach(RADIUS) {
        let u = i as f64 * step;
        let (mut row, mut row_size) = (0.0, 0.0);
        let half = reach((RADIUS * RADIUS - u * u).max(0.0).sqrt());
        for j in -half..=half {
            let v = j as f64 * step;
            let term = g(u, v) * weight(v);
            row += term;
            row_size += term.abs();
        }
        let factor = f(u) * weight(u);
        total += factor * row;
        size += factor.abs() * row_size;
    }
    (total, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_smooth_functions_and_what_a_grid_cannot_see() {
        let (r, s) = (0.6, 0.8);
        let product = |f: fn(f64) -> f64| average(f, |u, v| f(r * u + s * v), 1e-9);
        // E erf erf = (2/pi) asin(2 r/3), E exp exp = exp(1 + r).
        let erf = product(libm::erf).unwrap();
        assert!((erf - std::f64::consts::FRAC_2_PI * libm::asin(0.4)).abs() < 1e-9);
        assert!((product(libm::exp).unwrap() / libm::exp(1.6) - 1.0).abs() < 1e-9);
        // A fast wave: the average is exp(-2500 (1 - r)), none at all, or no answer; a jump has no answer.
        assert!(product(|x| libm::sin(50.0 * x)).is_none_or(|found| found.abs() < 1e-9));
        assert!(product(|x| f64::from(u8::from(x > 0.3))).is_none());
    }
}
