//! Lists and matrices at which code breaks: zero, equal, opposite, tiny, huge, of very different sizes.

use super::numbers::Numbers;

/// Vectors of `n` entries by what is special in them.
pub(super) fn vectors(n: usize) -> Vec<Vec<f64>> {
    let at = |f: &dyn Fn(usize) -> f64| (0..n).map(f).collect::<Vec<f64>>();
    let bump = |i: usize| libm::exp(-(i as f64)) + 0.01 * (1.0 + i as f64).sqrt();
    let one = |place: usize| move |i: usize| f64::from(u8::from(i == place));
    vec![
        at(&|_| 0.0),
        at(&one(0)),
        at(&|_| 1.0),
        at(&|i| if i % 2 == 0 { 1.0 } else { -1.0 }),
        at(&|i| [1.0, 0.0, -1.0][i % 3]),
        at(&bump),
        at(&|i| 1e-300 * bump(i)),
        at(&|i| 1e-160 * bump(i)),
        at(&|i| 1e160 * bump(i)),
        at(&|i| 1e300 * bump(i)),
        at(&|i| if i == n / 2 { 1e100 } else { 1.0 }),
        at(&|i| libm::pow(10.0, -(i as f64).min(300.0))),
        at(&|i| if i == 0 { 5e-324 } else { 0.0 }),
        at(&|i| 1.0 + 1e-12 * (i % 5) as f64),
    ]
}

/// Matrices of `n` columns by the relation of their rows.
pub(super) fn matrices(n: usize) -> Vec<Vec<Vec<f64>>> {
    let one = vectors(n);
    let scaled = |v: &Vec<f64>, by: f64| v.iter().map(|x| by * x).collect::<Vec<f64>>();
    let (ones, bump) = (&one[2], &one[5]);
    let mut found: Vec<Vec<Vec<f64>>> = one.iter().map(|v| vec![v.clone()]).collect();
    found.push(vec![bump.clone(), bump.clone()]);
    found.push(vec![bump.clone(), scaled(bump, -1.0)]);
    found.push(vec![bump.clone(), scaled(bump, 1e-150)]);
    found.push(vec![bump.clone(), one[0].clone()]);
    found.push(vec![one[0].clone(), one[0].clone(), one[0].clone()]);
    found.push(vec![bump.clone(), ones.clone(), scaled(ones, 1.0 + 1e-15)]);
    found
}

impl Numbers {
    /// A vector: one of the special ones once in four times, else entries of one size.
    pub(super) fn vector(&mut self, n: usize) -> Vec<f64> {
        if self.once_in(4) {
            return self.of(&vectors(n)).clone();
        }
        let scale = if self.once_in(8) { self.size(1e-200, 1e200) } else { self.size(1e-3, 1e3) };
        (0..n).map(|_| scale * self.sign() * self.size(1e-2, 1.0)).collect()
    }

    /// A matrix of one to four rows.
    pub(super) fn matrix(&mut self, n: usize) -> Vec<Vec<f64>> {
        if self.once_in(4) {
            return self.of(&matrices(n)).clone();
        }
        (0..=self.below(4)).map(|_| self.vector(n)).collect()
    }
}
