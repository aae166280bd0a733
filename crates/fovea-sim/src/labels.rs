//! How a batch is divided among the classes.

use fovea_core::{ParamError, Value};

fovea_core::choice! {
    /// How the classes of a batch are drawn.
    pub enum Labels {
        /// Each sample's class on its own: the counts are multinomial.
        Iid = "iid",
        /// The class shares exactly; a batch in which they are not whole numbers is refused.
        Balanced = "balanced",
    }
}

/// How far a count may be from a whole number by the rounding of its share.
const ROUNDING: f64 = 1e-9;
/// Batches up to this far from the one asked for are tried when another is suggested.
const NEAR: usize = 10_000;

impl Labels {
    /// Refuses a batch that cannot be divided in these shares, which add up to one: at every step the same class would get too few.
    ///
    /// # Errors
    /// Balanced labels, and a class whose share of the batch is not a whole number.
    pub fn share_out(self, shares: &[f64], batch: usize) -> Result<(), ParamError> {
        let is_whole = |count: f64| (count - count.round()).abs() <= ROUNDING * count.max(1.0);
        let works = |batch: &usize| shares.iter().all(|share| is_whole(share * *batch as f64));
        if self == Self::Iid || works(&batch) {
            return Ok(());
        }
        let written = |numbers: &mut dyn Iterator<Item = f64>| {
            numbers
                .map(|x| Value::Real((x * 1e6).round() / 1e6).to_string())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let below = (1..batch).rev().take(NEAR).find(works);
        let above = (batch + 1..batch + NEAR).find(works);
        let hint = match (below, above) {
            (Some(below), Some(above)) => {
                format!("choose a batch of {below} or {above}, or labels=iid")
            }
            (Some(other), None) | (None, Some(other)) => {
                format!("choose a batch of {other}, or labels=iid")
            }
            (None, None) => {
                "choose labels=iid, or shares that divide some batch into whole numbers".to_owned()
            }
        };
        let what = format!(
            "`batch` is {batch} and `labels` is balanced: the shares {} of it are {}, which are not whole numbers",
            written(&mut shares.iter().copied()),
            written(&mut shares.iter().map(|share| share * batch as f64)),
        );
        Err(ParamError::Inconsistent { what, hint })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_that_does_not_divide_is_refused_with_those_that_do() {
        let told = |shares: &[f64], batch: usize| {
            let error = Labels::Balanced.share_out(shares, batch).unwrap_err();
            (error.to_string(), error.hint())
        };
        let half = [0.5, 0.5];
        let (what, hint) = told(&half, 33);
        assert_eq!(
            what,
            "`batch` is 33 and `labels` is balanced: the shares 0.5, 0.5 of it are 16.5, 16.5, which are not whole numbers"
        );
        assert_eq!(hint, "choose a batch of 32 or 34, or labels=iid");
        assert_eq!(told(&half, 1).1, "choose a batch of 2, or labels=iid");
        assert_eq!(told(&[0.2; 5], 4).1, "choose a batch of 5, or labels=iid");
        assert_eq!(told(&[1.0 / 3.0; 3], 1000).1, "choose a batch of 999 or 1002, or labels=iid");
        let odd = std::f64::consts::FRAC_1_PI;
        assert!(told(&[odd, 1.0 - odd], 1000).1.starts_with("choose labels=iid, or shares"));
    }

    #[test]
    fn a_batch_that_divides_is_taken_and_single_draws_take_any() {
        for (shares, batch) in [
            (&[0.5, 0.5][..], 100),
            (&[1.0], 7),
            (&[1.0 / 3.0; 3], 300),
            (&[0.1, 0.2, 0.3, 0.4], 10),
            (&[0.0, 1.0], 5),
            (&[1.0 / 7.0, 6.0 / 7.0], 70_000_000),
        ] {
            Labels::Balanced.share_out(shares, batch).unwrap();
        }
        Labels::Iid.share_out(&[0.5, 0.5], 1).unwrap();
    }
}
