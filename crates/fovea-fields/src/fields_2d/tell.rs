//! What the networks of one gain came to, and how it is told.

use super::blob::{is_blob, is_positive};
use super::{Fields2d, fields_of};
use fovea_core::Value;
use fovea_core::stats::Estimate;
use fovea_desk::error::LabError;
use fovea_desk::fleet::{Trained, mean_unit};
use fovea_sim::probe;

/// The networks of one gain at the end, an entry a network.
pub(super) struct Population {
    /// Units that are blobs.
    pub(super) blobs: Vec<usize>,
    /// Those of them with a positive peak.
    pub(super) positive: Vec<usize>,
    /// Mean IPR of the units.
    pub(super) iprs: Vec<f64>,
    /// The statistics of the localized fields' centres.
    pub(super) tilings: Vec<Vec<Statistic>>,
}

/// The name of the mean distance to the nearest other centre.
pub(super) const NEAREST: &str = "nearest other";

/// One statistic of one network's centres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statistic {
    pub(super) name: &'static str,
    pub(super) value: f64,
    /// What uniform places have in the mean.
    pub(super) null: f64,
    /// Standard deviations of the null above it.
    pub(super) z: f64,
}

impl Population {
    pub(super) fn of(settings: &Fields2d, trained: &Trained<'_>) -> Self {
        let count = |of: &dyn Fn(&[f64]) -> bool| -> Vec<usize> {
            let in_network = |seed| fields_of(trained, seed).filter(|w| of(w)).count();
            (0..trained.runs.len()).map(in_network).collect()
        };
        let tiling = |seed: usize| statistics(&trained.last(seed, &probe::tiling::ENTRY)[0]);
        Self {
            blobs: count(&|w| is_blob(w, settings.side)),
            positive: count(&|w| is_blob(w, settings.side) && is_positive(w)),
            iprs: trained.per_seed(&probe::ipr::ENTRY, mean_unit),
            tilings: (0..trained.runs.len()).map(tiling).collect(),
        }
    }
}

/// The row of the tiling probe as statistics, Rayleigh's as `K R^2`, of mean 1 and variance `1 - 1/K` for uniform places.
fn statistics(row: &[f64]) -> Vec<Statistic> {
    let three = [("covered share", 1), (NEAREST, 7), ("gaps (last axis)", 4)];
    let mut all: Vec<Statistic> = three
        .into_iter()
        .map(|(name, at)| Statistic { name, value: row[at], null: row[at + 1], z: row[at + 2] })
        .collect();
    let (number, resultant) = (row[0], row[10]);
    let value = number * resultant * resultant;
    let z = if number > 1.0 { (value - 1.0) / (1.0 - 1.0 / number).sqrt() } else { 0.0 };
    all.push(Statistic { name: "K R^2 (last axis)", value, null: 1.0, z });
    all
}

/// The table for a terminal.
pub(super) fn lines(
    settings: &Fields2d,
    fields: &Population,
    control: &Population,
) -> Result<Vec<String>, LabError> {
    let with_error = |numbers: &[f64]| -> Result<String, LabError> {
        let estimate = Estimate::from_samples(numbers)?;
        Ok(format!("{:.4} \u{b1} {:.4}", estimate.mean(), estimate.se()))
    };
    let total = |counts: &[usize]| counts.iter().sum::<usize>();
    let units = settings.width * settings.seeds;
    let cells = |p: &Population| -> Result<[String; 3], LabError> {
        let blobs = total(&p.blobs);
        let signs = format!("{} and {}", total(&p.positive), blobs - total(&p.positive));
        Ok([format!("{blobs} of {units}"), signs, with_error(&p.iprs)?])
    };
    let gain = |gain: f64| format!("gain {}", Value::Real(gain));
    let mut lines =
        vec![format!("{:<28} {:>18} {:>18}", "", gain(settings.gain), gain(settings.control_gain))];
    let names = ["blobs, all networks", "positive and negative", "mean IPR"];
    for ((name, ours), theirs) in names.iter().zip(cells(fields)?).zip(cells(control)?) {
        lines.push(format!("{name:<28} {ours:>18} {theirs:>18}"));
    }
    let per_network: Vec<String> = fields.blobs.iter().map(usize::to_string).collect();
    lines.push(format!("blobs of {} in each network: {}", settings.width, per_network.join(", ")));
    let line = 6.0 / (settings.side * settings.side) as f64;
    lines.push(format!("a localized field has an IPR above 6/n = {line:.4}"));
    lines.push(String::new());
    lines.push(format!(
        "{:<28} {:>10} {:>10} {:>8}   of each network",
        "centres of localized fields", "here", "random", "z"
    ));
    let networks = fields.tilings.len() as f64;
    for at in 0..fields.tilings[0].len() {
        let all: Vec<Statistic> = fields.tilings.iter().map(|t| t[at]).collect();
        let sum = |of: fn(&Statistic) -> f64| all.iter().map(of).sum::<f64>();
        let each: Vec<String> = all.iter().map(|s| format!("{:+.1}", s.z)).collect();
        lines.push(format!(
            "{:<28} {:>10.4} {:>10.4} {:>+8.2}   {}",
            all[0].name,
            sum(|s| s.value) / networks,
            sum(|s| s.null) / networks,
            sum(|s| s.z) / networks.sqrt(),
            each.join(", ")
        ));
    }
    lines.push(
        "z of all networks: the sum of theirs over the square root of their number".to_owned(),
    );
    Ok(lines)
}
