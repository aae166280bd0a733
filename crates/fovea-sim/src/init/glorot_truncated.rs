//! Glorot normal weights without the tails, as some libraries sample them.

use super::{Initializer, Start};
use fovea_core::params::between;
use fovea_core::quadrature::adaptive;
use fovea_core::registry::resolve;
use fovea_core::special::normal_pdf;
use fovea_core::streams::Streams;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// Normals cut off at `cut` standard deviations and stretched back to variance `init_scale * 2 / (n + K)`.
    pub struct GlorotTruncated {
        /// Factor on the Glorot **variance** `2 / (n + K)`.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// Where the tails are cut, in standard deviations before stretching; a weight beyond is drawn again.
        cut: f64 = 2.0, between(0.1, 8.0), "";
    }
}

impl Params for GlorotTruncated {}

/// Standard deviation of a standard normal number given that it lies within `cut` of 0.
fn truncated_std(cut: f64) -> f64 {
    let inside = |f: &dyn Fn(f64) -> f64| adaptive(f, 0.0, cut, 1e-14).value;
    (inside(&|z| z * z * normal_pdf(z)) / inside(&normal_pdf)).sqrt()
}

impl Initializer for GlorotTruncated {
    fn start(&self, shape: &[usize], width: usize, streams: &Streams) -> Result<Start, ParamError> {
        let inputs: usize = shape.iter().product();
        let std = (self.init_scale * 2.0 / (inputs + width) as f64).sqrt();
        let (count, factor) = (inputs * width, std / truncated_std(self.cut));
        let stream = streams.named("init");
        let mut weights = Vec::with_capacity(count);
        let mut draws = vec![0.0; count];
        let mut round = 0;
        while weights.len() < count {
            stream.normals(round, &mut draws);
            let kept = draws.iter().filter(|z| z.abs() <= self.cut).map(|z| factor * z);
            weights.extend(kept.take(count - weights.len()));
            round += 1;
        }
        Ok(weights.into())
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Initializer>> = Entry {
    name: "glorot-truncated",
    summary: "normal weights cut off at `cut` standard deviations, rescaled to variance init_scale * 2/(n + K)",
    schema: <GlorotTruncated as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<GlorotTruncated>(values)?)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::{agrees, agrees_to_digits, test_seed};
    use fovea_core::stats::Estimate;

    #[test]
    fn the_variance_is_that_of_glorot_and_nothing_lies_beyond_the_cut() {
        agrees_to_digits(truncated_std(2.0), 0.879_625_661_034_239_8, 12.0).unwrap();
        let streams = Streams::new(test_seed(module_path!(), 0));
        let rule = GlorotTruncated { init_scale: 0.5, ..GlorotTruncated::default() };
        let w = rule.start(&[40], 1000, &streams).unwrap().weights;
        let variance =
            Estimate::from_samples(&w.iter().map(|w| w * w).collect::<Vec<_>>()).unwrap();
        let glorot = 0.5 * 2.0 / 1040.0;
        agrees(&variance, glorot, 1).unwrap();
        let unstretched = glorot * truncated_std(2.0) * truncated_std(2.0);
        assert!(agrees(&variance, unstretched, 1).is_err(), "a cut without the stretch must fail");
        let edge = 2.0 / truncated_std(2.0) * glorot.sqrt();
        assert!(w.iter().all(|w| w.abs() <= edge * (1.0 + 1e-15)));
        assert!(w.iter().any(|w| w.abs() > 0.99 * edge));
    }
}
