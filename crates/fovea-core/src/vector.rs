//! Sums over lists of numbers, in the order of the entries.

/// The sum of the products of the entries.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The root of the sum of squares.
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// The cosine of the angle between two vectors; 0 where one of them vanishes.
pub fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let size = (dot(a, a) * dot(b, b)).sqrt();
    if size > 0.0 { dot(a, b) / size } else { 0.0 }
}

/// The mean of some numbers; NaN for an empty list.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The smallest and the largest number; both infinite for an empty list.
pub fn extent(numbers: &[f64]) -> [f64; 2] {
    let ends = [f64::INFINITY, f64::NEG_INFINITY];
    numbers.iter().fold(ends, |[low, high], x| [low.min(*x), high.max(*x)])
}

/// The largest absolute value; 0 for an empty list.
pub fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, x| most.max(x.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::same_bits;

    #[test]
    fn sums_are_those_written_out() {
        let (a, b) = ([3.0, -4.0], [1.0, 2.0]);
        same_bits(&[dot(&a, &b), norm(&a), mean(&a), largest(&a)], &[-5.0, 5.0, -0.5, 4.0])
            .unwrap();
        same_bits(&[cosine(&a, &b)], &[-5.0 / 125.0_f64.sqrt()]).unwrap();
        same_bits(&extent(&a), &[-4.0, 3.0]).unwrap();
        same_bits(&[cosine(&a, &[0.0; 2]), largest(&[])], &[0.0; 2]).unwrap();
    }
}
