//! Claims on paths, basins and random vectors, and the tables of them.

use super::measure::{Basin, Draw, Ends, Inside, Pair, Path, REACH, SETTLING};
use super::{Dictator, Found, WAYS, WITHIN};
use fovea_desk::prelude::*;
use fovea_desk::replicas::share;
use fovea_record::claim::{Cases, Evidence};
use fovea_theory::dictator::fixed_point::FixedPoint;

/// The experiment's own name: the clauses about the path have other sizes and lengths.
const ID: &str = "dictator";

/// What the covariance alone says of the localized fixed point.
const FIXED_POINT: &str = "L001.58/fixed-point";

/// The starts that come back, and from where.
const RETURNS: &str = "L003.75/returns";

/// The whole path and its end, over every pair whose state exists and whose replicas were never seen outside its cell.
pub(super) fn of_paths(paths: &[Path]) -> Vec<Claim> {
    let stayed = |path: &&Path| path.pair.point.exists && path.inside >= 1.0;
    let claimed: Vec<&Path> = paths.iter().filter(stayed).collect();
    let named = |of: &[&Path]| -> String {
        let names: Vec<String> = of.iter().map(|path| format!("({})", path.pair.name())).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let settled: Vec<&Path> = claimed.iter().copied().filter(|path| path.late.is_some()).collect();
    let along = format!(
        "from one site the mean over replicas is w* + (1 - lr (C_neg + C_pos)/4)^step (w_0 - w*), 0 to 3 sites from the centre, at every record and every pair of lengths \
         at which all replicas keep their gate: {}",
        named(&claimed)
    );
    let end = format!(
        "the late mean field (0 to 3 sites from the centre), its IPR and its loss are the dictator state's, from the covariances of the signs alone, at every pair of lengths \
         at which all replicas keep their gate until they have settled: {}",
        named(&settled)
    );
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
        let wrong =
            "the signs' covariances to first order in the latent ones, 2 r/pi off the diagonal";
        Claim::family(FIXED_POINT, end, &right).rejecting(wrong, &late(|pair| &pair.first_order))
    });
    claims
}

/// Starts closer to the state than the nearest wall of its cell come back, every one: to its cell, and to the state itself.
pub(super) fn of_basins(settings: &Dictator, basins: &[Basin]) -> Vec<Claim> {
    let exist: Vec<&Basin> = basins.iter().filter(|basin| basin.pair.point.exists).collect();
    if exist.is_empty() {
        return Vec::new();
    }
    let inside = || exist.iter().flat_map(|basin| &basin.inside);
    let parts: Vec<(usize, usize)> =
        inside().map(|Inside { ends, .. }| (ends.count, ends.count - ends.home)).collect();
    let (trials, out) = parts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    let names: Vec<String> = exist.iter().map(|basin| format!("({})", basin.pair.name())).collect();
    let walls: Vec<f64> = exist.iter().map(|basin| basin.pair.wall()).collect();
    let reach = settings.distance.iter().filter(|d| walls.iter().any(|wall| *d < wall));
    let reach: Vec<String> = reach.map(|d| format!("{d} of its norm, ")).collect();
    let from = format!(
        "pairs of lengths {}, starts away from the dictator state by {}{} of the distance of the nearest wall of its cell, (|w_0| - sum of the others) / sqrt n, random directions and straight to that wall among them",
        names.join(", "),
        reach.concat(),
        WITHIN.map(|share| share.to_string()).join(" and "),
    );
    let sites = 2 * settings.n;
    let what = format!(
        "{from}: those that come back to that cell (by chance one in {sites}, as many as there are sites and signs)"
    );
    let cases = Cases { hits: trials - out, trials, by_chance: 1.0 / sites as f64 };
    let mut back = Claim::all(RETURNS, what, cases);
    // The nearest of the other distances that is as long as the state itself.
    let far = (0..settings.distance.len()).filter(|d| settings.distance[*d] >= 1.0);
    let far = far.min_by(|a, b| settings.distance[*a].total_cmp(&settings.distance[*b]));
    if let Some(d) = far {
        let ends = || exist.iter().flat_map(|basin| basin.ends.iter().map(move |way| &way[d]));
        let [home, all] = [|e: &Ends| e.home, |e: &Ends| e.count].map(|of| ends().map(of).sum());
        let from_afar =
            format!("that they come back from {} times the norm as well", settings.distance[d]);
        back = back.rejecting_cases(from_afar, home, all);
    }
    let mut pairs: Vec<(Estimate, f64)> = Vec::new();
    for basin in &exist {
        let field = |inside: &Inside| -> Vec<_> {
            inside.field.iter().copied().zip(basin.pair.point.w.iter().copied()).collect()
        };
        pairs.extend(basin.inside.iter().flat_map(field));
    }
    let left = |share: f64| inside().map(move |inside| (inside.left, share));
    pairs.extend(left(0.0));
    let what = format!(
        "{from}: the mean field at the end is that state, 0 to {REACH} sites from the centre, and of the push out of it a share of 0 is left"
    );
    let state = Claim::family(RETURNS, what, &pairs);
    let state = state.rejecting("that all of the push is left", &left(1.0).collect::<Vec<_>>());
    let back = Claim { evidence: Evidence::Shown, ..back.only_as_stated() };
    let back = refuted_by_most(back, &parts);
    vec![back, Claim { as_stated: true, ..state }]
}

/// Of two weights one always dominates, so that there is nothing to count.
pub(super) fn of_draws(draws: &[Draw]) -> Claim {
    let pairs = |form: fn(&Draw) -> f64| -> Vec<(Estimate, f64)> {
        draws[1..].iter().map(|draw| (draw.counted, form(draw))).collect()
    };
    let stick = pairs(|draw| draw.n as f64 * libm::exp2(1.0 - draw.n as f64));
    let statement = "one of n independent normal weights outvotes the others with the probability of dictator.dominance, n = 3 to 10";
    let form = "n/2^(n-1), the probability for weights with exponentially distributed sizes";
    Claim::family("L000.46", statement, &pairs(|draw| draw.closed)).rejecting(form, &stick)
}

pub(super) fn tables(settings: &Dictator, found: &Found) -> Result<Vec<Table>, LabError> {
    let remark = |path: &Path| match (path.pair.point.exists, path.inside >= 1.0, &path.late) {
        (false, ..) => "the closed form contradicts its gate, nothing is claimed",
        (true, false, _) => "some replica left the cell, nothing is claimed",
        (true, true, None) => "too short a run",
        (true, true, Some(_)) => "",
    };
    let states = Table::of("states", &found.paths)
        .given("xi_pos", |path| path.pair.two.xi_pos)
        .given("xi_neg", |path| path.pair.two.xi_neg)
        .real("margin", 4, |path| path.pair.point.margin)
        .real("ipr", 4, |path| path.pair.point.ipr)
        .maybe("measured_ipr", 4, |path| path.late.as_ref().map(|late| late.ipr))
        .real("loss", 6, |path| path.pair.point.loss)
        .maybe("measured_loss", 6, |path| path.late.as_ref().map(|late| late.loss))
        .real("in_its_cell", 1, |path| 100.0 * path.inside)
        .unit("%")
        .words("remark", remark)
        .caption(
            "The dictator state in closed form for each pair of correlation lengths; its IPR and loss compared with those of the \
             late mean field from one site, and the share of all records that lie in the cell of that site.",
        );
    let draws = Table::of("dominance", &found.draws)
        .whole("n", |draw| draw.n)
        .real("closed_form", 6, |draw| draw.closed)
        .estimate("counted", 6, |draw| draw.counted)
        .caption("How often one of n normal weights outvotes the others.");
    Ok(vec![states, returns(settings, &found.basins), random_starts(&found.basins)?, draws])
}

/// Starts that come back, by distance.
fn returns(settings: &Dictator, basins: &[Basin]) -> Table {
    let distances = settings.distance.iter().enumerate();
    let rows: Vec<(&Basin, usize, f64)> = basins
        .iter()
        .flat_map(|basin| distances.clone().map(move |(d, distance)| (basin, d, *distance)))
        .collect();
    let mut table = Table::of("returns", &rows)
        .given("xi_pos", |row| row.0.pair.two.xi_pos)
        .given("xi_neg", |row| row.0.pair.two.xi_neg)
        .given("distance", |row| row.2);
    for (way, kind) in WAYS.iter().enumerate() {
        table = table
            .whole(kind.word(), |row| row.0.ends[way][row.1].home)
            .whole(&format!("{}_starts", kind.word()), |row| row.0.ends[way][row.1].count);
    }
    table.caption(
        "How many starts come back to the cell of the dictator state, by their distance from it in units of its norm and by \
         the way they were pushed: in a random direction, towards the flat field, towards the state of the neighbour.",
    )
}

/// The size of the state, and where Glorot starts end.
fn random_starts(basins: &[Basin]) -> Result<Table, LabError> {
    let share = |basin: &Basin| share(basin.glorot.localized, basin.glorot.count);
    let shares = basins.iter().map(share).collect::<Result<Vec<_>, _>>()?;
    let rows: Vec<(&Basin, Estimate)> = basins.iter().zip(shares).collect();
    let half = |basin: &Basin| basin.entered[basin.entered.len() / 2];
    Ok(Table::of("basins", &rows)
        .given("xi_pos", |row| row.0.pair.two.xi_pos)
        .given("xi_neg", |row| row.0.pair.two.xi_neg)
        .real("norm", 4, |row| norm(&row.0.pair.point.w))
        .real("nearest_wall", 4, |row| row.0.pair.inner_radius() / norm(&row.0.pair.point.w))
        .whole("starts", |row| row.0.glorot.count)
        .whole("localized", |row| row.0.glorot.localized)
        .estimate("share", 2, |row| row.1)
        .real("half_by", 0, |row| Some(half(row.0)).filter(|t| t.is_finite()).unwrap_or(f64::NAN))
        .caption(
            "Norm of the dictator state, the nearest wall of its cell in units of that norm, how many Glorot starts end in a \
             cell, and the time by which half of them have entered one.",
        ))
}
