//! What a person reads: hit rates of every predictor, and which wins.

use super::gaussian::Flow;
use super::predict::{ALL, Landings};
use super::{WhereItLands, figure};
use fovea_desk::error::LabError;
use fovea_record::present::Words;

pub(super) const WORDS: Words<'static> = Words {
    title: "Where a localized field lands",
    lead: "",
    caption: figure::CAPTION,
    formulas: &[
        r"u_k(t)=u_k(0)\,\exp\Big[-\tfrac14(\lambda^{-}_k+\lambda^{+}_k)\,t+\tfrac14\sqrt{\tfrac2\pi}\,\lambda^{+}_k\,\Theta(t)\Big]\qquad\text{Gaussian data: phases stay}",
        r"\tau_k=\frac{4}{\lambda^{+}_k\,(q_k-q_0)},\qquad q_k=\lambda^{-}_k/\lambda^{+}_k",
        r"t^{*}:\ \tfrac12\,|f(w)|=\tfrac14\,|(C_{-}+C_{+})\,w|",
    ],
};

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
