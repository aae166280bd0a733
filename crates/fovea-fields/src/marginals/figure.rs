//! The figure of `marginals`: R against the width of a bump, and where training ends against the kurtosis.

use super::Marginals;
use super::measure::{LOCALIZED, Law, WIDTHS};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) R of a bump against its deviation, from a single site to the flat field: measured with two standard errors; black points on the left are the closed form \
    of a single site. The larger R, the lower the loss a field can reach. (b) The same over R of Gaussian data with the same covariances: below zero excess kurtosis (the numbers in the legend) narrow fields gain, and Laplace \
    loses. A law of light centre and rare tails such as Kur(5) gains a little at a single site, where E|X| alone counts, and loses on wider fields. (c) Inverse participation ratio of trained fields against the excess kurtosis, one point a run; rings are the best field that the climb of R finds on a fixed sample. \
    (d) One trained field a law.";

pub(super) fn figure(settings: &Marginals, laws: &[Law]) -> Figure {
    let subtitle = format!(
        "n = {}, latent correlation lengths {} (label 1) and {} (label 0), learning rate {}, batch {}, {} steps, {} starts",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        Value::Real(settings.lr),
        settings.batch,
        settings.steps,
        settings.starts
    );
    Figure::new("Sub-Gaussian marginals localize; the vertices of the cube are not needed")
        .subtitle(subtitle)
        .columns(2)
        .aspect(0.7)
        .description(CAPTION)
        .panel(ratios(laws))
        .panel(gains(laws))
        .panel(ends(laws))
        .panel(fields(laws))
}

/// Where the single site and the flat field are drawn on the axis of widths.
fn place(width: f64) -> f64 {
    if width.is_infinite() { 9.0 } else { width.max(0.3) }
}

fn axis() -> Axis {
    let ticks = [(0.3, "site"), (0.5, "0.5"), (1.0, "1"), (2.0, "2"), (5.0, "5"), (9.0, "flat")];
    Axis::new("deviation of the bump, sites").log().ticks_at(ticks)
}

fn label(law: &Law) -> String {
    format!("{} {:+.1}", law.name, law.kurtosis)
}

fn ratios(laws: &[Law]) -> Panel {
    let x: Vec<f64> = WIDTHS.iter().map(|width| place(*width)).collect();
    let mut panel = Panel::new("what a field of this width can reach", axis(), Axis::new("$R$"));
    for (i, law) in laws.iter().enumerate() {
        let means: Vec<f64> = law.ratios.iter().map(Estimate::mean).collect();
        let errors: Vec<f64> = law.ratios.iter().map(|e| 2.0 * e.se()).collect();
        let style = || Style::ordered(i, laws.len());
        panel = panel.with(Mark::line(&x, &means, label(law), style())).with(Mark::measured(
            &x,
            &means,
            &errors,
            "",
            style(),
        ));
    }
    let sites: Vec<f64> = laws.iter().map(|law| law.site_ratio).collect();
    panel.with(Mark::points(&vec![x[0]; laws.len()], &sites, "closed form", Style::theory()))
}

fn gains(laws: &[Law]) -> Panel {
    let x: Vec<f64> = WIDTHS.iter().map(|width| place(*width)).collect();
    let mut panel =
        Panel::new("R relative to Gaussian data", axis(), Axis::new("$R$ / Gaussian $R$"));
    for (i, law) in laws.iter().enumerate() {
        let means: Vec<f64> =
            law.ratios.iter().zip(&law.gaussian).map(|(ratio, g)| ratio.mean() / g).collect();
        panel = panel.with(Mark::line(&x, &means, "", Style::ordered(i, laws.len())));
    }
    panel
}

fn ends(laws: &[Law]) -> Panel {
    let mut panel = Panel::new(
        "where training ends",
        Axis::new("excess kurtosis of a site"),
        Axis::new("IPR").from(0.0),
    );
    for (i, law) in laws.iter().enumerate() {
        let x = vec![law.kurtosis; law.iprs.len()];
        panel = panel.with(Mark::points(&x, &law.iprs, "", Style::ordered(i, laws.len())));
    }
    let kurtoses: Vec<f64> = laws.iter().map(|law| law.kurtosis).collect();
    let best: Vec<f64> = laws.iter().map(|law| law.best.1).collect();
    let ends = [kurtoses.iter().copied().fold(0.0, f64::min), kurtoses[0]];
    panel
        .with(Mark::points(&kurtoses, &best, "best of the climb", Style::theory().hollow()))
        .with(Mark::line(&ends, &[LOCALIZED; 2], "threshold", Style::guide()))
}

fn fields(laws: &[Law]) -> Panel {
    let n = laws[0].field.len();
    let sites: Vec<f64> = (0..n).map(|i| i as f64 - (n / 2) as f64).collect();
    let mut panel =
        Panel::new("a trained field", Axis::new("site from the peak"), Axis::new("weight"));
    for (i, law) in laws.iter().enumerate() {
        panel = panel.with(Mark::line(&sites, &law.field, "", Style::ordered(i, laws.len())));
    }
    panel
}
