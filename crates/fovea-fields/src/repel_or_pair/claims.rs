//! The criteria of the module's head, each with the wrong form that it rejects.

use super::measure::{Shared, Signs};
use super::{Along, Found, RepelOrPair};
use fovea_desk::prelude::*;
use fovea_desk::replicas::share;

/// The experiment's own name, and the catalogued claims that two of the criteria test in full.
const ID: &str = "repel-or-pair";
const SPREAD: &str = "L000.40/spread";
const LENGTHS: &str = "L000.40/lengths";

/// Units from which fields keep apart on a ring, and on a torus.
const MANY: [usize; 2] = [12, 24];

/// Units of the claim on correlation lengths; the next number below where there is none.
const SOME: usize = 8;

pub(super) fn claims(settings: &RepelOrPair, found: &Found) -> Result<Vec<Claim>, LabError> {
    let all = [
        two(found)?,
        neutral(found),
        three(settings, found),
        many(settings, found),
        density(settings, found),
        short(settings, found),
        long(settings, found),
        control(found),
    ];
    Ok(all.into_iter().flatten().collect())
}

/// Every point on rings of all sizes and on the torus.
fn sizes<'a>(settings: &RepelOrPair, found: &'a Found) -> Vec<&'a Shared> {
    settings.by_size(found).into_iter().flat_map(|(_, series)| series).collect()
}

/// The estimate that lies furthest to the wrong side of a bound, or nearest to it.
fn weakest(estimates: Vec<Estimate>, bound: f64, above: bool) -> Option<Estimate> {
    let side = |estimate: &Estimate| if above { estimate.z(bound) } else { -estimate.z(bound) };
    estimates.into_iter().min_by(|a, b| side(a).total_cmp(&side(b)))
}

fn two(found: &Found) -> Result<Option<Claim>, LabError> {
    let counts = found.0.iter().filter(|shared| shared.point.width == 2).map(Shared::paired);
    let [paired, all] = counts.fold([0.0; 2], |sum, next| [sum[0] + next[0], sum[1] + next[1]]);
    if all < 2.0 {
        return Ok(None);
    }
    let statement = "share of networks of two units whose fields have one site or neighbouring ones and opposite signs, above 0.9";
    let mean = share(paired as usize, all as usize)?;
    Ok(Some(one_sided(ID, statement.to_owned(), mean, 0.9, true)))
}

fn neutral(found: &Found) -> Option<Claim> {
    let all = found.0.iter().map(|shared| shared.neutral);
    let mean = all.max_by(|a, b| a.mean().total_cmp(&b.mean()))?;
    let statement = "|S|^2 over the sum of |w_k|^2, S the sum of all fields, at the point where it is largest, below 0.25 (independent fields: 1)";
    Some(one_sided(ID, statement.to_owned(), mean, 0.25, false))
}

fn three(settings: &RepelOrPair, found: &Found) -> Option<Claim> {
    let points = sizes(settings, found).into_iter();
    let few = points.filter(|shared| shared.point.width == 3);
    let over: Vec<Estimate> = few.filter_map(|few| few.over_chance(Signs::Either)).collect();
    let statement = "three units: pairs of localized fields on one site, of either sign, over chance, at the ring or torus where the evidence is weakest, above 1";
    weakest(over, 1.0, true).map(|mean| one_sided(ID, statement.to_owned(), mean, 1.0, true))
}

fn many(settings: &RepelOrPair, found: &Found) -> Option<Claim> {
    let points = sizes(settings, found).into_iter();
    let roomy = |shared: &&Shared| {
        let point = &shared.point;
        point.width >= MANY[point.dim - 1] && point.sites() >= 2 * point.width
    };
    // None where one of the points has too few localized fields.
    let ratios: Option<Vec<Estimate>> = points.filter(roomy).map(Shared::ratio).collect();
    let [ring, torus] = MANY;
    let statement = format!(
        "from {ring} units on ({torus} on the torus), at least two sites per unit: distance to the nearest other centre over chance, where the evidence is weakest, above 1"
    );
    weakest(ratios?, 1.0, true).map(|mean| one_sided(SPREAD, statement, mean, 1.0, true))
}

/// Two rings with as many units per site.
fn density(settings: &RepelOrPair, found: &Found) -> Option<Claim> {
    let points = sizes(settings, found);
    let few = points.iter().filter(|shared| shared.point.width == 3);
    let pair =
        few.flat_map(|few| points.iter().map(move |many| (few, many))).find(|(few, many)| {
            let (a, b) = (few.point, many.point);
            a.dim == b.dim && b.width >= MANY[0] && a.width * b.side == b.width * a.side
        });
    let (few, many) = pair?;
    let gap = few.over_chance(Signs::Either)?.difference(&many.over_chance(Signs::Either)?);
    let statement = format!(
        "pairs of localized fields on one site, of either sign, over chance: {} units on {} sites less {} on {}, above 1 (0 if units per site decided)",
        few.point.width, few.point.side, many.point.width, many.point.side
    );
    Some(one_sided(ID, statement, gap, 1.0, true))
}

/// Length, units and coincidences over chance of one ring at all lengths, for the number of units nearest to [`SOME`] from below.
fn by_length(settings: &RepelOrPair, found: &Found) -> Vec<(f64, usize, Estimate)> {
    let of = |(_, series): Along<'_>| {
        let shared = series.into_iter().rfind(|shared| shared.point.width <= SOME)?;
        Some((shared.point.xi, shared.point.width, shared.over_chance(Signs::Either)?))
    };
    settings.by_length(found).into_iter().filter_map(of).collect()
}

fn short(settings: &RepelOrPair, found: &Found) -> Option<Claim> {
    let (xi, units, mean) = by_length(settings, found).into_iter().next()?;
    let statement = format!(
        "{units} units, correlation length {} of class pos: pairs of localized fields on one site, of either sign, over chance, above 1",
        Value::Real(xi)
    );
    let id = if units == SOME { LENGTHS } else { ID };
    Some(one_sided(id, statement, mean, 1.0, true))
}

fn long(settings: &RepelOrPair, found: &Found) -> Option<Claim> {
    let long = by_length(settings, found)
        .into_iter()
        .filter(|(xi, units, _)| *xi >= 1.0 && *units == SOME)
        .map(|(xi, _, mean)| (Value::Real(xi).to_string(), mean));
    // A length at which too few fields are localized is not among them.
    let (lengths, means): (Vec<String>, Vec<Estimate>) = long.unzip();
    let statement = format!(
        "{SOME} units, correlation lengths {} of class pos: pairs of localized fields on one site, of either sign, over chance, where the evidence is weakest, below 1",
        lengths.join(", ")
    );
    let mean = weakest(means, 1.0, false)?;
    Some(one_sided(LENGTHS, statement, mean, 1.0, false))
}

fn control(found: &Found) -> Option<Claim> {
    let all: Vec<[f64; 2]> = found.0.iter().flat_map(|shared| shared.control.clone()).collect();
    let ratio = estimate(all.iter().map(|[ratio, _]| *ratio)).ok()?;
    let itself = estimate(all.iter().map(|[_, itself]| *itself)).ok()?;
    let statement = "units of different networks: distance to the nearest other centre over chance";
    let claim = Claim::family(ID, statement, &[(ratio, 1.0)]);
    Some(claim.rejecting("a unit itself among the others", &[(itself, 1.0)]))
}
