//! What a person reads: a line a pair of lengths, the basins, and how often a start is in a cell already.

use super::basin::Basin;
use super::draws::Draws;
use super::jobs::WAYS;
use super::path::Path;
use super::{Dictator, figure};
use fovea_desk::error::LabError;
use fovea_desk::replicas::share;
use fovea_record::present::Words;

pub(super) const WORDS: Words<'static> = Words {
    title: "The dictator state: path, end and basin",
    lead: "On sign data a field in which one site outvotes all others sees a constant teacher. From one site it follows a linear \
           flow in closed form to a localized state in closed form, and random starts find that state or miss it depending on \
           which class has the longer correlations.",
    caption: figure::CAPTION,
    formulas: &[
        r"w(t)=w^{*}+e^{-(C_{-}+C_{+})t/4}\,(w_0-w^{*}),\qquad w^{*}=(C_{-}+C_{+})^{-1}C_{+}e_i",
        r"\text{margin}=\frac{2|w^{*}_i|}{\|w^{*}\|_1}-1>0,\qquad |w_0-w^{*}|<\frac{2|w^{*}_i|-\|w^{*}\|_1}{\sqrt n}\ \Rightarrow\ w(t)\to w^{*}",
        r"P_n=n\Big[1-\tfrac2\pi\int_0^\infty e^{-u^2/2}\,\mathrm{Im}\,\chi(u)^{n-1}\,\frac{du}{u}\Big]",
    ],
};

pub(super) fn summary(
    settings: &Dictator,
    paths: &[Path<'_>],
    basins: &[Basin<'_>],
    draws: &Draws,
) -> Result<Vec<String>, LabError> {
    let mut lines = vec![format!(
        "{:>6} {:>6} {:>8} {:>8} {:>17} {:>9} {:>21}  in its cell",
        "xi_pos", "xi_neg", "margin", "ipr", "measured", "loss", "measured"
    )];
    for path in paths {
        let point = &path.pair.point;
        let (mut ipr, mut loss) = ("too short a run".to_owned(), String::new());
        if let Some(late) = &path.late {
            ipr = format!("{:.4} +- {:.4}", late.ipr.mean(), late.ipr.se());
            loss = format!("{:.6} +- {:.6}", late.loss.mean(), late.loss.se());
        }
        let note = match (point.exists, path.inside >= 1.0) {
            (false, _) => ": the closed form contradicts its gate, nothing is claimed",
            (true, false) => ": some replica left the cell, nothing is claimed",
            (true, true) => "",
        };
        let inside = format!("{:.1} %{note}", 100.0 * path.inside);
        lines.push(format!(
            "{:>6} {:>6} {:>+8.4} {:>8.4} {ipr:>17} {:>9.6} {loss:>21}  {inside}",
            path.pair.two.xi_pos, path.pair.two.xi_neg, point.margin, point.ipr, point.loss
        ));
    }
    for basin in basins {
        lines.extend(of_basin(settings, basin)?);
    }
    let cells = draws.sizes.iter().zip(&draws.closed).zip(&draws.counted);
    lines.push("one of n normal weights outvotes the others: n, closed form, counted".to_owned());
    for ((n, closed), counted) in cells {
        lines.push(format!(
            "{n:>4} {closed:>10.6} {:>10.6} +- {:.6}",
            counted.mean(),
            counted.se()
        ));
    }
    Ok(lines)
}

/// Who comes back, by distance, and what random starts do.
fn of_basin(settings: &Dictator, basin: &Basin<'_>) -> Result<Vec<String>, LabError> {
    let (name, norm) = (basin.pair.name(), basin.pair.norm());
    let mut lines = vec![format!(
        "basin at ({name}): norm of the state {norm:.4}, nearest wall at {:.4} of it",
        basin.pair.inner_radius() / norm
    )];
    let head: Vec<String> = settings.distance.iter().map(|d| format!("{d:>7}")).collect();
    lines.push(format!("{:>10} {}", "distance", head.join(" ")));
    for (way, ends) in WAYS.iter().zip(&basin.ends) {
        let counts = ends.iter().map(|ends| format!("{}/{}", ends.home, ends.count));
        let cells: Vec<String> = counts.map(|count| format!("{count:>7}")).collect();
        lines.push(format!("{:>10} {}", way.word(), cells.join(" ")));
    }
    let median = basin.entered[basin.entered.len() / 2];
    let found = share(basin.glorot.localized(), basin.glorot.count)?;
    let entered = if median.is_finite() {
        format!("; half of them have entered one by t = {median:.0}")
    } else {
        String::new()
    };
    lines.push(format!(
        "{:>10} {} of {} end in a cell ({:.2} +- {:.2}){entered}",
        "glorot",
        basin.glorot.localized(),
        basin.glorot.count,
        found.mean(),
        found.se()
    ));
    Ok(lines)
}
