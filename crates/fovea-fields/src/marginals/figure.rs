//! The figure of `marginals`: R against the width of a bump, and where training ends against the kurtosis.

use super::{LOCALIZED, Law, Marginals, WIDTHS};
use fovea_desk::prelude::*;
use fovea_page::panel::Named;

impl Marginals {
    pub(super) fn figure(&self, laws: &[Law]) -> Figure {
        let (TwoClass { n, .. }, Descent { batch, steps, .. }) = (self.two, self.descent);
        let [pos, neg, lr] = [self.two.xi_pos, self.two.xi_neg, self.descent.lr].map(Value::Real);
        let subtitle = format!(
            "n = {n}, latent correlation lengths {pos} (label 1) and {neg} (label 0), learning rate {lr}, batch {batch}, {steps} steps, {} starts",
            self.starts
        );
        let title = "Sub-Gaussian marginals localize; data need not be binary";
        let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
        let panels = [ratios(laws), relative(laws), ends(laws), fields(laws)];
        grid(figure, (2, 720.0, 0.7), panels)
    }
}

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "The legend gives the excess kurtosis of every marginal distribution. (a) R of a bump against its deviation, from a single site to the flat field: measured with two standard errors; black points on the left are the closed form \
    of a single site. The larger R, the lower the attainable loss. (b) The same over R of Gaussian data with the same covariances: at negative excess kurtosis narrow fields gain, and Laplace \
    loses. A distribution of light centre and rare tails such as Kur(5) gains a little at a single site, where E|X| alone counts, and loses on wider fields. (c) Inverse participation ratio (IPR) of trained fields against the excess kurtosis, one point per run; black rings are the field of largest R that was found by ascent of R on a fixed sample; above the dotted line fields count as localized. \
    (d) One trained field per distribution.";

/// Data of every distribution, by its name and kurtosis.
fn of_laws<T>(laws: &[Law], data: impl Fn(&Law) -> T) -> Vec<Named<T>> {
    ordered(laws.iter().map(|law| (format!("{} {:+.1}", law.name, law.kurtosis), data(law))))
}

/// An axis of the widths of bumps, and the places of [`WIDTHS`] on it: the single site and the flat field have their own.
fn widths() -> (Axis, Vec<f64>) {
    let place = |width: &f64| if width.is_infinite() { 9.0 } else { width.max(0.3) };
    let ticks = [(0.3, "site"), (0.5, "0.5"), (1.0, "1"), (2.0, "2"), (5.0, "5"), (9.0, "flat")];
    let x = Axis::new("deviation of the bump, sites").log().ticks_at(ticks);
    (x, WIDTHS.iter().map(place).collect())
}

fn ratios(laws: &[Law]) -> Panel {
    let (axis, x) = widths();
    let measured = of_laws(laws, |law| estimates(&x, &law.ratios));
    let sites: Xy = laws.iter().map(|law| (x[0], law.site_ratio)).collect();
    means_along("attainable R by bump width", axis, "$R$", measured)
        .with(sites.points("closed form", Style::theory()))
}

fn relative(laws: &[Law]) -> Panel {
    let (axis, x) = widths();
    let relative = of_laws(laws, |law| {
        xy(&x, law.ratios.iter().zip(&law.gaussian).map(|(ratio, g)| ratio.mean() / g))
    });
    lines("R relative to Gaussian data", axis, "$R$ / Gaussian $R$", relative)
}

fn ends(laws: &[Law]) -> Panel {
    let (x, y) = (Axis::new("excess kurtosis of a site"), Axis::new("IPR").from(0.0));
    let best: Xy = laws.iter().map(|law| (law.kurtosis, law.best.1)).collect();
    let runs = of_laws(laws, |law| xy(&vec![law.kurtosis; law.iprs.len()], &law.iprs));
    Panel::new("where training ends", x, y)
        .with_all(runs.into_iter().map(|named| named.data.points(named.label, named.style)))
        .with(best.points("best ascent", Style::theory().hollow()))
        .with(guide_at_y(LOCALIZED, ""))
}

fn fields(laws: &[Law]) -> Panel {
    let trained = of_laws(laws, |law| law.field.clone());
    ring_fields("a trained field", Sites::FromPeak, "weight", trained, [])
}
