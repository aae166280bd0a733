//! What a person reads: hit rates of every predictor against chance, and which wins.

use super::WhereItLands;
use super::gaussian::Flow;
use super::measure::{ALL, Landings, Predictor};
use fovea_desk::prelude::*;
use fovea_record::bound::one_sided;

impl Landings {
    /// The covariance image of the start and the peak at the hand-over say more than chance of where the field ends.
    pub(super) fn claims(&self) -> Result<Vec<Claim>, LabError> {
        let n = self.fields[0].len();
        let claim = |predictor: Predictor, id: &'static str, what: &str| {
            let statement = format!(
                "gain {}: {what} is the site where it ends more often than one in {n}",
                self.word()
            );
            Ok::<_, LabError>(one_sided(
                id,
                statement,
                self.hit_rate(predictor)?,
                1.0 / n as f64,
                true,
            ))
        };
        Ok(vec![
            claim(Predictor::Covariance, "L003.41", "the largest entry of C_pos w(0)")?,
            claim(Predictor::Field, "L001.70", "the peak of the field at the hand-over")?,
        ])
    }
}

pub(super) fn summary(landings: &[Landings], gaussian: &Flow) -> Result<Vec<String>, LabError> {
    let mut lines = Vec::new();
    for landing in landings {
        let ipr = landing.mean_ipr()?;
        let mut times = landing.handover.clone();
        times.sort_by(f64::total_cmp);
        lines.push(format!(
            "gain {}: {} starts, mean ipr {:.3}, hand-over at t* = {:.2} (median)",
            landing.word(),
            landing.landed.len(),
            ipr.mean(),
            times[times.len() / 2]
        ));
        lines.push(format!("{:>24} {:>16} {:>9} {:>9}", "predictor", "right", "1 off", "median"));
        for predictor in ALL {
            let (hit, mut misses) = (landing.hit_rate(predictor)?, landing.misses(predictor));
            misses.sort_unstable();
            let count = misses.len() as f64;
            let near = misses.iter().filter(|miss| **miss == 1).count() as f64 / count;
            let best = if predictor == landing.best() { "  best without training" } else { "" };
            let right = format!("{:.3} +- {:.3}", hit.mean(), hit.se());
            let (word, median) = (predictor.word(), misses[misses.len() / 2]);
            lines.push(format!("{word:>24} {right:>16} {near:>9.3} {median:>9}{best}"));
        }
    }
    let [closed, measured] = gaussian.lives;
    lines.push(format!(
        "Gaussian data: life times of modes 1 and 2 are {:.2} and {:.2}, measured {:.2} and {:.2}; the flat mode alone remains",
        closed[0], closed[1], measured[0], measured[1]
    ));
    Ok(lines)
}

/// Question and answer, from the numbers.
pub(super) fn lead(settings: &WhereItLands, landings: &[Landings]) -> Result<String, LabError> {
    let mut sentences =
        vec!["Which site does a localized field end at, and what at the start tells?".to_owned()];
    for landing in landings {
        let best = landing.best();
        let rate = landing.hit_rate(best)?;
        sentences.push(format!(
            "At gain {} the best predictor without training is {}, right in {:.0} % of {} starts (chance {:.1} %).",
            landing.word().replace("inf", "\u{221e}"),
            best.word(),
            100.0 * rate.mean(),
            landing.landed.len(),
            100.0 / settings.n as f64
        ));
    }
    sentences.push(
        "On Gaussian data the answer is exact: every mode keeps its phase, and the crest of the first one is the last to be seen."
            .to_owned(),
    );
    Ok(sentences.join(" "))
}
