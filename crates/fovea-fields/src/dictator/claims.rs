//! What is claimed of paths, basins and random vectors, and what a person reads: a line a pair of lengths, the basins, and how often
//! a start is in a cell already.

use super::basin::{Basin, Draws};
use super::jobs::WAYS;
use super::measure::{Pair, Path, SETTLING};
use super::{Dictator, Found};
use fovea_desk::prelude::*;
use fovea_desk::replicas::share;
use fovea_theory::dictator::fixed_point::FixedPoint;

/// The whole path and its end, over every pair whose replicas stayed in the cell.
pub(super) fn of_paths(paths: &[Path]) -> Vec<Claim> {
    let claimed: Vec<&Path> = paths.iter().filter(|path| path.is_claimed()).collect();
    let along = "from one site the mean over replicas is w* + (1 - lr (C_neg + C_pos)/4)^step (w_0 - w*), 0 to 3 sites from \
                 the centre, at every record and every pair of lengths";
    let end = "the late mean field (0 to 3 sites from the centre), its IPR and its loss are the dictator state's, at every \
               pair of lengths";
    let why = "no pair of lengths with a positive margin kept all its replicas in the cell";
    if claimed.is_empty() {
        let none = |id, statement| Claim::undecided(id, statement, f64::NAN, why);
        return vec![none("L003.61", along), none("L000.39", end)];
    }
    let way = |flow: usize| -> Vec<(Estimate, f64)> {
        claimed.iter().flat_map(|path| path.on_the_way(flow)).collect()
    };
    let clock = "the first note's 1/2 (C_neg + C_pos) w, twice as fast";
    let mut claims = vec![Claim::family("L003.61", along, &way(0)).rejecting(clock, &way(1))];
    let late = |of: fn(&Pair) -> &FixedPoint| -> Vec<(Estimate, f64)> {
        let at = |path: &&Path| path.late.as_ref().map(|late| late.beside(of(&path.pair)));
        claimed.iter().filter_map(at).flatten().collect()
    };
    let right = late(|pair| &pair.point);
    claims.push(if right.is_empty() {
        let why = format!("no run is as long as {SETTLING} relaxation times; raise `steps`");
        Claim::undecided("L000.39", end, claimed[0].pair.point.w[0], why)
    } else {
        let latent = "the latent covariance in place of the signs'";
        Claim::family("L000.39", end, &right).rejecting(latent, &late(|pair| &pair.latent))
    });
    claims
}

/// Starts closer to the state than the nearest wall of its cell come back, every one.
pub(super) fn of_basins(settings: &Dictator, basins: &[Basin]) -> Option<Claim> {
    let (mut count, mut home) = (Vec::new(), Vec::new());
    for basin in basins.iter().filter(|basin| basin.pair.point.exists) {
        for (d, distance) in settings.distance.iter().enumerate() {
            if distance * basin.pair.norm() < basin.pair.inner_radius() {
                let ends = basin.ends.iter().map(|way| way[d]);
                count.push(ends.clone().map(|ends| ends.count as f64).sum::<f64>());
                home.push(ends.map(|ends| ends.home as f64).sum::<f64>());
            }
        }
    }
    if count.is_empty() {
        return None;
    }
    let statement = "every start closer to the dictator state than the nearest wall of its cell, (|w_0| - sum of the others) / sqrt n, \
                     comes back to that cell (number of starts, and of those that came back)";
    let chance: Vec<f64> = count.iter().map(|count| count / settings.n as f64).collect();
    let claim = Claim::exact("L003.75", statement, &count, &home, 1e-9);
    Some(claim.rejecting_exact("that the site they end at is one of n by chance", &chance, &home))
}

/// Of two weights one always dominates, so that there is nothing to count.
pub(super) fn of_draws(draws: &Draws) -> Claim {
    let rows = || draws.counted.iter().copied().zip(&draws.sizes).zip(&draws.closed).skip(1);
    let pairs: Vec<(Estimate, f64)> = rows().map(|((e, _), closed)| (e, *closed)).collect();
    let stick = |n: usize| n as f64 * libm::exp2(1.0 - n as f64);
    let wrong: Vec<(Estimate, f64)> = rows().map(|((e, n), _)| (e, stick(*n))).collect();
    let statement = "one of n independent normal weights outvotes the others with the probability of dictator.dominance, n = 3 to 10";
    let form = "n/2^(n-1), the law of weights with exponential tails";
    Claim::family("L000.46", statement, &pairs).rejecting(form, &wrong)
}

pub(super) fn summary(
    settings: &Dictator,
    Found { paths, basins, draws }: &Found,
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
fn of_basin(settings: &Dictator, basin: &Basin) -> Result<Vec<String>, LabError> {
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
