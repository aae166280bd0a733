//! What is claimed and what a person reads.

use super::ensemble::{Ensemble, STARTS};
use super::figure;
use super::rest::{Departure, Rest};
use super::trained::Trained;
use fovea_core::stats::Estimate;
use fovea_desk::error::LabError;
use fovea_record::claim::Claim;
use fovea_record::present::Words;

/// Times at which the catalogue gives numbers.
pub(super) const CATALOGUE_TIMES: [f64; 7] = [3.0, 8.0, 20.0, 30.0, 50.0, 200.0, 1000.0];

pub(super) const WORDS: Words<'static> = Words {
    title: "The steady state on Gaussian data",
    lead: "Followed for a very long time, one ReLU unit on Gaussian data ends in a single mode at a closed height. A short-range \
           oscillation comes first, and the last competitor dies out so slowly that published runs stop long before.",
    caption: figure::CAPTION,
    formulas: &[
        r"|u_k|=\sqrt{\tfrac2\pi}\,\frac{\sqrt{\lambda^{+}_k}}{\lambda^{-}_k+\lambda^{+}_k},\qquad k=\arg\min_k q_k,\quad q_k=\lambda^{-}_k/\lambda^{+}_k",
        r"\text{relaxation times}\quad\frac4{\lambda^{+}_j(q_j-q_k)},\qquad\frac4{\lambda^{-}_k+\lambda^{+}_k}\ \text{for the norm}",
    ],
};

/// The transients of SGD beside descent on the closed loss.
pub(super) fn claims(trained: &[Trained]) -> Vec<Claim> {
    type Pairs = Vec<(Estimate, f64)>;
    let gather = |part: usize, value: &dyn Fn(&Trained, usize) -> f64| -> Pairs {
        let of = |side: &Trained| -> Pairs {
            (0..side.times.len()).map(|t| (side.runs[t][part], value(side, t))).collect()
        };
        trained.iter().flat_map(of).collect()
    };
    vec![
        Claim::family(
            "L001.81",
            "mean frequency of the field at every record: the short-range oscillation and its end",
            &gather(0, &|side, t| side.closed[t][0]),
        )
        .rejecting(
            "the mean frequency of the first record, kept",
            &gather(0, &|side, _| side.closed[0][0]),
        ),
        Claim::family(
            "L001.81",
            "norm of the field at every record: it settles and is not damped to zero",
            &gather(2, &|side, t| side.closed[t][2]),
        )
        .rejecting(
            "note 001 (147), decay by the second term alone",
            &gather(2, &|side, t| side.decayed[t]),
        ),
        Claim::family(
            "L003.59",
            "share of the power in the stable mode at every record",
            &gather(1, &|side, t| side.closed[t][1]),
        )
        .rejecting("the steady state, all of it", &gather(1, &|_, _| 1.0)),
    ]
}

/// The flow's numbers at the catalogue's times, the relaxation times and the height.
pub(super) fn summary(
    ensembles: &[Ensemble],
    departures: &[Departure],
    rest: &Rest,
) -> Result<Vec<String>, LabError> {
    let mut lines = Vec::new();
    for (start, ensemble) in STARTS.into_iter().zip(ensembles) {
        lines.push(format!("{}:", start.label()));
        lines.push(format!(
            "{:>8} {:>10} {:>18} {:>18} {:>8}",
            "t", "mean |k|", "stable mode > 90 %", "stable mode leads", "|w|"
        ));
        for t in CATALOGUE_TIMES.into_iter().filter(|t| ensemble.times.contains(t)) {
            let at = |curve: &[f64]| ensemble.near(curve, t);
            lines.push(format!(
                "{t:>8} {:>10.2} {:>16.1} % {:>16.1} % {:>8.4}",
                at(&ensemble.frequency),
                100.0 * at(&ensemble.led),
                100.0 * at(&ensemble.leading),
                at(&ensemble.norm)
            ));
        }
    }
    let times =
        departures.iter().map(|d| format!("{} {:.2}", d.label.replace('$', ""), -1.0 / d.rate));
    lines.push(format!("relaxation times: {}", times.collect::<Vec<_>>().join(", ")));
    let ([closed, source], height) = (rest.heights(), rest.height()?);
    lines.push(format!(
        "at rest: height {:.5} +- {:.5}, closed {closed:.5}, note 003 (25) {source:.5}",
        height.mean(),
        height.se()
    ));
    Ok(lines)
}
