//! The estimators of the gradient: samples per second, and how much sooner a given standard error is reached than with independent samples.

use super::estimators::{Case, Setting, variance};
use super::row::{Measured, Relation, Row, Work};
use fovea_core::streams::Streams;
use fovea_sim::estimator::Gradients;
use fovea_sim::loss::mse;
use fovea_sim::{Batch, Estimator, Labels};
use std::sync::{Arc, OnceLock};

/// What is measured for the variances: about a second per row.
const SETTING: Setting = Setting { groups: 8, steps: 24, entries: 80_000, training: 2000 };

/// Name, ring, width, and whether the network was trained before.
const CASES: [(&str, usize, usize, bool); 4] = [
    ("start", 40, 1, false),
    ("trained", 40, 1, true),
    ("k12", 40, 12, false),
    ("n400", 400, 1, false),
];

/// Independent samples, then the other estimators, compared with them.
pub fn rows() -> Vec<Row> {
    let estimators = [Estimator::Iid, Estimator::Antithetic, Estimator::Orbit];
    CASES
        .into_iter()
        .flat_map(|case| {
            // Trace of the covariance from one sample, kept for the rows that follow.
            let plain = Arc::new(OnceLock::new());
            estimators.map(|estimator| row(case, estimator, &plain))
        })
        .collect()
}

fn row(
    (name, n, width, trained): (&'static str, usize, usize, bool),
    estimator: Estimator,
    plain: &Arc<OnceLock<f64>>,
) -> Row {
    let case = Case { n, width, labels: Labels::Balanced, trained };
    let draws = (SETTING.entries / n).max(64);
    let own = Arc::new(OnceLock::new());
    let (kept, first) = (Arc::clone(&own), Arc::clone(plain));
    let prepare = move || {
        let (task, network) = case.task_and_network(&SETTING)?;
        let found = variance(estimator, (&task, &network), &SETTING)?.mean();
        kept.get_or_init(|| found);
        if estimator == Estimator::Iid {
            first.get_or_init(|| found);
        }
        let mut gradients = Gradients::<f32>::new(estimator, &network, draws);
        let (streams, mut step) = (Streams::new(3), 0);
        let work: Work = Box::new(move |count| {
            for _ in 0..count {
                let batch = Batch::new(&task, &streams, "train", step, draws);
                std::hint::black_box(gradients.loss_and_grad(&network, &mse::ENTRY, &batch));
                step += 1;
            }
            Ok(())
        });
        Ok(work)
    };
    let plain = Arc::clone(plain);
    let relate = move |row: &Measured, before: &[Measured]| {
        let iid = Measured::find(&format!("gradient-{name}-iid"), before);
        let (Some(iid), Some(plain), Some(own)) = (iid, plain.get(), own.get()) else {
            return Vec::new();
        };
        let fewer = plain / own;
        let value = fewer * iid.seconds() / row.seconds();
        let text =
            format!("an error {value:.1} times sooner than iid, variance {fewer:.0} times smaller");
        vec![Relation { key: "sooner_than_iid", value, text }]
    };
    let state = if trained { "the trained field" } else { "a Glorot start" };
    let about = format!("gradients by {} at {state}: n = {n}, K = {width}", estimator.word());
    let unit = ("M draws/s", 1e-6 * draws as f64);
    let row = Row::new(format!("gradient-{name}-{}", estimator.word()), about, unit, prepare);
    if estimator == Estimator::Iid { row } else { Row { relate: Box::new(relate), ..row } }
}
