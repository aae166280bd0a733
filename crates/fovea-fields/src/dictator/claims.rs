//! What is claimed of paths, basins and random vectors, and what a person reads: a line a pair of lengths, the basins, and how often
//! a start is in a cell already.

use super::measure::{Basin, Draw, Ends, Late, Pair, Path, REACH, SETTLING};
use super::{Dictator, Found, WAYS};
use fovea_desk::prelude::*;
use fovea_desk::replicas::share;
use fovea_theory::dictator::fixed_point::FixedPoint;

/// The experiment's own name: the clauses about the path have other sizes and lengths.
const ID: &str = "dictator";

/// What the covariance alone says of the localized fixed point.
const FIXED_POINT: &str = "L001.58/fixed-point";

/// The whole path and its end, over every pair whose state exists and whose replicas were never seen outside its cell.
pub(super) fn of_paths(paths: &[Path]) -> Vec<Claim> {
    let stayed = |path: &&Path| path.pair.point.exists && path.inside >= 1.0;
    let claimed: Vec<&Path> = paths.iter().filter(stayed).collect();
    let along = "from one site the mean over replicas is w* + (1 - lr (C_neg + C_pos)/4)^step (w_0 - w*), 0 to 3 sites from \
                 the centre, at every record and every pair of lengths at which all replicas keep their gate";
    let end = "the late mean field (0 to 3 sites from the centre), its IPR and its loss are the dictator state's, from the \
               covariances of the signs alone, at every pair of lengths at which all replicas keep their gate until they have settled";
    if claimed.is_empty() {
        let why = "no pair of lengths with a positive margin kept all its replicas in the cell";
        let none = |id, statement| Claim::undecided(id, statement, f64::NAN, why);
        return vec![none(ID, along), none(FIXED_POINT, end)];
    }
    // Every record after the start, with the flow or its wrong form.
    let way = |flow: usize| -> Vec<(Estimate, f64)> {
        let records = claimed.iter().flat_map(|path| path.at.iter().zip(&path.flow[flow]).skip(1));
        records.flat_map(|(at, w)| (0..=REACH).map(move |d| (at[d], w[d]))).collect()
    };
    let clock = "the first note's 1/2 (C_neg + C_pos) w, twice as fast";
    let mut claims = vec![Claim::family(ID, along, &way(0)).rejecting(clock, &way(1))];
    let late = |of: fn(&Pair) -> &FixedPoint| -> Vec<(Estimate, f64)> {
        let at = |path: &&Path| {
            let (late, point) = (path.late.as_ref()?, of(&path.pair));
            let field = (0..=REACH).map(|d| (late.by_distance[d], point.w[d]));
            Some(field.chain([(late.ipr, point.ipr), (late.loss, point.loss)]).collect::<Vec<_>>())
        };
        claimed.iter().filter_map(at).flatten().collect()
    };
    let right = late(|pair| &pair.point);
    claims.push(if right.is_empty() {
        let why = format!("no run is as long as {SETTLING} relaxation times; raise `steps`");
        Claim::undecided(FIXED_POINT, end, claimed[0].pair.point.w[0], why)
    } else {
        let latent = "the latent covariance in place of the signs'";
        Claim::family(FIXED_POINT, end, &right).rejecting(latent, &late(|pair| &pair.latent))
    });
    claims
}

/// Starts closer to the state than the nearest wall of its cell come back, every one.
pub(super) fn of_basins(settings: &Dictator, basins: &[Basin]) -> Option<Claim> {
    let (mut count, mut home, mut otherwise) = (Vec::new(), Vec::new(), Vec::new());
    let at = |basin: &Basin, d: usize| {
        let sum = |of: fn(&Ends) -> usize| basin.ends.iter().map(|way| of(&way[d])).sum::<usize>();
        (sum(|ends| ends.count), sum(|ends| ends.home))
    };
    let exist = || basins.iter().filter(|basin| basin.pair.point.exists);
    for basin in exist() {
        for (d, distance) in settings.distance.iter().enumerate() {
            if distance * norm(&basin.pair.point.w) < basin.pair.inner_radius() {
                let (all, back) = at(basin, d);
                count.push(all as f64);
                home.push(back as f64);
                otherwise.push((all, all - back));
            }
        }
    }
    if count.is_empty() {
        return None;
    }
    let reach = &settings.distance;
    let furthest = (0..reach.len()).max_by(|a, b| reach[*a].total_cmp(&reach[*b]))?;
    let far = exist().map(|basin| at(basin, furthest));
    let (all, back): (Vec<f64>, Vec<f64>) =
        far.map(|(all, back)| (all as f64, back as f64)).unzip();
    let from_afar = format!("that they come back from {} norms as well", reach[furthest]);
    let statement = "every start closer to the dictator state than the nearest wall of its cell, (|w_0| - sum of the others) / sqrt n, \
                     comes back to that cell (number of starts, and of those that came back)";
    let claim = Claim::exact("L003.75/returns", statement, &count, &home, 1e-9);
    let claim = claim.rejecting_exact(from_afar, &all, &back).only_as_stated();
    Some(refuted_by_most(claim, &otherwise))
}

/// Of two weights one always dominates, so that there is nothing to count.
pub(super) fn of_draws(draws: &[Draw]) -> Claim {
    let pairs = |form: fn(&Draw) -> f64| -> Vec<(Estimate, f64)> {
        draws[1..].iter().map(|draw| (draw.counted, form(draw))).collect()
    };
    let stick = pairs(|draw| draw.n as f64 * libm::exp2(1.0 - draw.n as f64));
    let statement = "one of n independent normal weights outvotes the others with the probability of dictator.dominance, n = 3 to 10";
    let form = "n/2^(n-1), the law of weights with exponential tails";
    Claim::family("L000.46", statement, &pairs(|draw| draw.closed)).rejecting(form, &stick)
}

pub(super) fn summary(settings: &Dictator, found: &Found) -> Result<Vec<String>, LabError> {
    let row = |path: &Path| {
        let point = &path.pair.point;
        let late = |late: &Late| [plus_minus(&late.ipr, 4), plus_minus(&late.loss, 6)];
        let short = || ["too short a run".to_owned(), String::new()];
        let [ipr, loss] = path.late.as_ref().map_or_else(short, late);
        let note = match (point.exists, path.inside >= 1.0) {
            (false, _) => ": the closed form contradicts its gate, nothing is claimed",
            (true, false) => ": some replica left the cell, nothing is claimed",
            (true, true) => "",
        };
        vec![
            path.pair.two.xi_pos.to_string(),
            path.pair.two.xi_neg.to_string(),
            format!("{:+.4}", point.margin),
            format!("{:.4}", point.ipr),
            ipr,
            format!("{:.6}", point.loss),
            loss,
            format!("{:.1} %{note}", 100.0 * path.inside),
        ]
    };
    let head = ["xi_pos", "xi_neg", "margin", "ipr", "measured", "loss", "measured", "in its cell"];
    let mut lines = table(&head, found.paths.iter().map(row));
    for basin in &found.basins {
        lines.extend(of_basin(settings, basin)?);
    }
    lines.push("one of n normal weights outvotes the others".to_owned());
    let row =
        |d: &Draw| vec![d.n.to_string(), format!("{:.6}", d.closed), plus_minus(&d.counted, 6)];
    lines.extend(table(&["n", "closed form", "counted"], found.draws.iter().map(row)));
    Ok(lines)
}

/// Who comes back, by distance, and what random starts do.
fn of_basin(settings: &Dictator, basin: &Basin) -> Result<Vec<String>, LabError> {
    let (name, size) = (basin.pair.name(), norm(&basin.pair.point.w));
    let mut lines = vec![format!(
        "basin at ({name}): norm of the state {size:.4}, nearest wall at {:.4} of it",
        basin.pair.inner_radius() / size
    )];
    let row = |about: &str, cells: Vec<String>| [vec![about.to_owned()], cells].concat();
    let distances = settings.distance.iter().map(ToString::to_string).collect();
    let mut rows = vec![row("distance", distances)];
    for (way, ends) in WAYS.iter().zip(&basin.ends) {
        let counts = ends.iter().map(|ends| format!("{}/{}", ends.home, ends.count));
        rows.push(row(way.word(), counts.collect()));
    }
    lines.extend(aligned(&rows));
    let (localized, count) = (basin.glorot.localized, basin.glorot.count);
    let median = basin.entered[basin.entered.len() / 2];
    let half = || format!("; half of them have entered one by t = {median:.0}");
    let entered = if median.is_finite() { half() } else { String::new() };
    let found = plus_minus(&share(localized, count)?, 2);
    lines.push(format!("glorot: {localized} of {count} end in a cell ({found}){entered}"));
    Ok(lines)
}
