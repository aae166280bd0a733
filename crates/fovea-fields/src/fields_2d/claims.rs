//! What is claimed of the blobs and of how they share the torus, the published count, and the table.

use super::Fields2d;
use super::measure::{NEAREST, Population, Statistic};
use fovea_desk::prelude::*;
use fovea_desk::published::Published;
use fovea_record::bound::one_sided;

impl Fields2d {
    /// Whether these are the settings of the published run.
    fn is_published(&self) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        let lengths = near(self.xi_pos, 2.0) && near(self.xi_neg, 1.0);
        let training = near(self.lr, 6.0) && near(self.init_scale, 0.01) && self.batch == 10_000;
        let size = self.side == 30 && self.width == 20 && self.steps == 10_000;
        lengths && training && size && near(self.gain, 100.0) && self.kernel == Kernel::Ring
    }

    /// The published count beside ours, where the run is comparable.
    pub(super) fn published(&self, fields: &Population<'_>) -> Result<Vec<Published>, LabError> {
        if !self.is_published() {
            return Ok(Vec::new());
        }
        let share: Vec<f64> =
            fields.blobs.iter().map(|blobs| *blobs as f64 / self.width as f64).collect();
        let what = "share of units that are blobs, 30 x 30, K = 20, gain 100";
        // 19 of 20, and a unit more or less; half a unit beyond, so that 20 of 20 is inside whatever the last bit.
        let share = Published::range(what, (0.95, 0.05), Estimate::from_samples(&share)?);
        Ok(vec![share.rounded_to(1.0 / 20.0)])
    }

    /// The distance to the nearest other centre over that of random places, above 1 where fields share the torus; none where a
    /// network has fewer than two localized fields.
    pub(super) fn apart(fields: &Population<'_>) -> Result<Option<Claim>, LabError> {
        let ratio = |statistics: &Vec<Statistic>| {
            statistics.iter().find(|s| s.name == NEAREST && s.null > 0.0).map(|s| s.value / s.null)
        };
        let Some(ratios) = fields.tilings.iter().map(ratio).collect::<Option<Vec<f64>>>() else {
            return Ok(None);
        };
        let statement = "mean distance of localized fields to the nearest other one over that of random places, above 1";
        let mean = Estimate::from_samples(&ratios)?;
        Ok(Some(one_sided("L000.40", statement.to_owned(), mean, 1.0, true)))
    }

    /// Networks with and without blobs; with the gains exchanged the counts must be rejected.
    pub(super) fn claim(&self, [fields, control]: [&Population<'_>; 2]) -> Claim {
        let most = |p: &Population<'_>| {
            p.blobs.iter().filter(|blobs| 2 * **blobs > self.width).count() as f64
        };
        let none = |p: &Population<'_>| p.blobs.iter().filter(|blobs| **blobs == 0).count() as f64;
        let statement = format!(
            "networks with more than half of their units as blobs at gain {}, and without a single one at gain {}",
            Value::Real(self.gain),
            Value::Real(self.control_gain)
        );
        let (all, counts) = ([self.seeds as f64; 2], [most(fields), none(control)]);
        Claim::exact("published", statement, &all, &counts, 1e-9).rejecting_exact(
            "the gains exchanged",
            &[most(control), none(fields)],
            &counts,
        )
    }
}

/// The table for a terminal.
pub(super) fn lines(
    settings: &Fields2d,
    [fields, control]: [&Population<'_>; 2],
) -> Result<Vec<String>, LabError> {
    let with_error = |numbers: &[f64]| -> Result<String, LabError> {
        let estimate = Estimate::from_samples(numbers)?;
        Ok(format!("{:.4} \u{b1} {:.4}", estimate.mean(), estimate.se()))
    };
    let total = |counts: &[usize]| counts.iter().sum::<usize>();
    let units = settings.width * settings.seeds;
    let cells = |p: &Population<'_>| -> Result<[String; 3], LabError> {
        let blobs = total(&p.blobs);
        let signs = format!("{} and {}", total(&p.positive), blobs - total(&p.positive));
        Ok([format!("{blobs} of {units}"), signs, with_error(&p.iprs)?])
    };
    let gain = |p: &Population<'_>| format!("gain {}", Value::Real(p.gain));
    let mut lines = vec![format!("{:<28} {:>18} {:>18}", "", gain(fields), gain(control))];
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
