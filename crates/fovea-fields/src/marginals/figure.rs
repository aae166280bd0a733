//! The figure of `marginals`: R against the width of a bump, and where training ends against the kurtosis.

use super::{LOCALIZED, Law, Marginals, WIDTHS};
use fovea_desk::prelude::*;

impl Marginals {
    /// R against the width of a bump, and where training ends against the kurtosis.
    pub(super) fn figure(&self, laws: &[Law]) -> Figure {
        let (TwoClass { n, .. }, Descent { batch, steps, .. }) = (self.two, self.descent);
        let [pos, neg, lr] = [self.two.xi_pos, self.two.xi_neg, self.descent.lr].map(Value::Real);
        let subtitle = format!(
            "n = {n}, latent correlation lengths {pos} (label 1) and {neg} (label 0), learning rate {lr}, batch {batch}, {steps} steps, {} starts",
            self.starts
        );
        let title = "Sub-Gaussian marginals localize; the vertices of the cube are not needed";
        let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
        let panels = [ratios(laws), gains(laws), ends(laws), fields(laws)];
        grid(figure, (2, 720.0, 0.7), panels)
    }
}

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) R of a bump against its deviation, from a single site to the flat field: measured with two standard errors; black points on the left are the closed form \
    of a single site. The larger R, the lower the loss a field can reach. (b) The same over R of Gaussian data with the same covariances: below zero excess kurtosis (the numbers in the legend) narrow fields gain, and Laplace \
    loses. A law of light centre and rare tails such as Kur(5) gains a little at a single site, where E|X| alone counts, and loses on wider fields. (c) Inverse participation ratio of trained fields against the excess kurtosis, one point a run; rings are the best field that the climb of R finds on a fixed sample. \
    (d) One trained field a law.";

/// A panel with marks of every law in its style.
fn of_laws<M: IntoIterator<Item = Mark>>(
    panel: Panel,
    laws: &[Law],
    marks: impl Fn(&Law, Style) -> M,
) -> Panel {
    laws.iter()
        .enumerate()
        .fold(panel, |panel, (i, law)| panel.with_all(marks(law, Style::ordered(i, laws.len()))))
}

/// A panel over the widths of bumps, and the places of [`WIDTHS`] on it: the single site and the flat field have their own.
fn over_widths(title: &str, y: &str) -> (Panel, Vec<f64>) {
    let place = |width: &f64| if width.is_infinite() { 9.0 } else { width.max(0.3) };
    let ticks = [(0.3, "site"), (0.5, "0.5"), (1.0, "1"), (2.0, "2"), (5.0, "5"), (9.0, "flat")];
    let x = Axis::new("deviation of the bump, sites").log().ticks_at(ticks);
    (Panel::new(title, x, Axis::new(y)), WIDTHS.iter().map(place).collect())
}

fn ratios(laws: &[Law]) -> Panel {
    let (panel, x) = over_widths("what a field of this width can reach", "$R$");
    let panel = of_laws(panel, laws, |law, style| {
        let (means, _) = bars(&law.ratios);
        let label = format!("{} {:+.1}", law.name, law.kurtosis);
        [Mark::line(&x, &means, label, style), measured(&x, &law.ratios, "", style)]
    });
    let sites: Vec<f64> = laws.iter().map(|law| law.site_ratio).collect();
    panel.with(Mark::points(&vec![x[0]; laws.len()], &sites, "closed form", Style::theory()))
}

fn gains(laws: &[Law]) -> Panel {
    let (panel, x) = over_widths("R relative to Gaussian data", "$R$ / Gaussian $R$");
    of_laws(panel, laws, |law, style| {
        let relative = law.ratios.iter().zip(&law.gaussian).map(|(ratio, g)| ratio.mean() / g);
        [Mark::line(&x, &relative.collect::<Vec<_>>(), "", style)]
    })
}

fn ends(laws: &[Law]) -> Panel {
    let (x, y) = (Axis::new("excess kurtosis of a site"), Axis::new("IPR").from(0.0));
    let panel = of_laws(Panel::new("where training ends", x, y), laws, |law, style| {
        [Mark::points(&vec![law.kurtosis; law.iprs.len()], &law.iprs, "", style)]
    });
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
    let (x, y) = (Axis::new("site from the peak"), Axis::new("weight"));
    of_laws(Panel::new("a trained field", x, y), laws, |law, style| {
        [Mark::line(&sites, &law.field, "", style)]
    })
}
