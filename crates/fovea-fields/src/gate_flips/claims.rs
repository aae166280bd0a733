//! Claims and tables.

use super::GateFlips;
use super::measure::{Course, Fresh, Network, parts, tenths};
use fovea_core::vector::extent;
use fovea_desk::prelude::*;
use fovea_record::bound::one_sided;
use fovea_record::claim::{Cases, Evidence};
use std::ops::Range;

/// The id of its claims that are no clause of the catalogue.
const ID: &str = "gate-flips";

pub(super) fn claims(settings: &GateFlips, courses: &[Course<'_>]) -> Result<Vec<Claim>, LabError> {
    let mut claims = Vec::new();
    let beyond =
        courses.iter().filter(|c| !c.is_gaussian()).max_by(|a, b| a.gain.total_cmp(&b.gain));
    for course in courses {
        let at = format!("gain {}", Value::Real(course.gain));
        if course.is_gaussian() {
            claims.push(by_angle(settings, course, &at)?);
        }
        claims.push(kurtosis(settings, course, beyond, &at)?);
        claims.push(ordered(course, &at));
        claims.extend(late(course, &at)?);
    }
    claims.extend(elsewhere(courses));
    Ok(claims)
}

/// Fewer flips than this in a tenth of the training, on all held-out samples, are not compared.
const FEW: f64 = 100.0;

/// How often gates flip, counted on the held-out set, is what the angles give: unit by unit over all of training, and over all units
/// in every tenth of it.
fn by_angle(settings: &GateFlips, course: &Course<'_>, at: &str) -> Result<Claim, LabError> {
    let GateFlips { two, width, eval, .. } = settings;
    let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
    for network in &course.networks {
        let mut compare =
            |records: Range<usize>, units: Range<usize>, deviation: f64, count: f64| {
                let sum = |kept: &dyn Fn(usize, usize) -> f64| {
                    let at = |record| units.clone().map(move |unit| (record, unit));
                    records.clone().flat_map(at).map(|(r, u)| 1.0 - kept(r, u)).sum::<f64>() / count
                };
                let counted = sum(&|record, unit| network.gates[record][unit][0]);
                // A sample near the gate flips more than once, so that the spread over samples is measured, not binomial.
                let se = deviation / (count * (*eval as f64).sqrt());
                let predicted = sum(&|record, unit| network.angles[record][unit][0]);
                // The mean of a few flips is far from normal, and fresh samples may have none.
                if units.len() > 1 && predicted * count * (*eval as f64) < FEW {
                    return Ok(());
                }
                let flips = Estimate::from_parts(counted, se, *eval)?;
                pairs.push((flips, predicted));
                wrong.push((flips, sum(&|record, unit| network.angles[record][unit][1])));
                Ok::<(), LabError>(())
            };
        for (unit, deviation) in network.fresh.deviation.iter().enumerate() {
            compare(network.records(), unit..unit + 1, *deviation, 1.0)?;
        }
        for (part, deviation) in parts(network.gates.len()).into_iter().zip(&network.fresh.in_parts)
        {
            let count = (part.len() * width) as f64;
            compare(part, 0..*width, *deviation, count)?;
        }
    }
    let statement = format!(
        "{at}, {}, {width} ReLU units: flips of a unit's gate over training, as a share of the samples, are the sum of (theta_1 + theta_0)/(2 pi) over the records, unit by unit, \
         and their mean over units and records is that of the angles in every tenth of the training",
        two.in_words()
    );
    let claim = Claim::family("L001.36", statement, &pairs);
    Ok(claim.rejecting("the angle in class pos alone, theta_1/pi", &wrong))
}

/// Unit by unit, `1 - sum (1 - p) <= p_unif <= min p`.
fn ordered(course: &Course<'_>, at: &str) -> Claim {
    let (mut units, mut inside, mut of_another) = (0.0, 0.0, 0.0);
    for network in &course.networks {
        let last = &network.gates[network.gates.len() - 1];
        for unit in 0..last.len() {
            let kept = || network.records().map(|record| network.gates[record][unit][0]);
            let low = 1.0 - kept().map(|p| 1.0 - p).sum::<f64>();
            let high = kept().fold(1.0, f64::min);
            let counts = |gates: &[f64]| {
                f64::from(u8::from((low - 1e-12..=high + 1e-12).contains(&gates[1])))
            };
            units += 1.0;
            inside += counts(&last[unit]);
            of_another += counts(&last[(unit + 1) % last.len()]);
        }
    }
    let statement = format!("{at}: units with 1 - sum (1 - p) <= p_unif <= min p, of {units}");
    let claim = Claim::exact(ID, statement, &[units], &[inside], 1e-12);
    claim.rejecting_exact(
        "the next unit's p_unif between the bounds as often",
        &[units],
        &[of_another],
    )
}

/// The kurtosis of every unit and class at the end: 0 on Gaussian data, else the exact one of the final fields.
fn kurtosis(
    settings: &GateFlips,
    course: &Course<'_>,
    beyond: Option<&Course<'_>>,
    at: &str,
) -> Result<Claim, LabError> {
    let [sampled, exact] = course.kurtoses();
    // The kurtosis of a sample spreads less for tails lighter than Gaussian.
    let estimate =
        |sampled: &f64| Estimate::from_parts(*sampled, settings.unseen(), settings.eval / 2);
    let sampled = sampled.iter().map(estimate).collect::<Result<Vec<_>, _>>()?;
    let with = |predicted: Vec<f64>| -> Vec<_> { sampled.iter().copied().zip(predicted).collect() };
    let (what, none) =
        ("the excess kurtosis of every preactivation at the end is", vec![0.0; exact.len()]);
    if !course.is_gaussian() {
        let statement =
            format!("{at}: {what} that of the fourth cumulants, within sqrt(24/samples)");
        let claim = Claim::family("L003.67", statement, &with(exact));
        return Ok(claim.rejecting("none, as for Gaussian data", &with(none)));
    }
    let Some(other) = beyond else {
        let statement = format!("{at}: {what} 0 within its sampling error sqrt(24/samples)");
        return Ok(Claim::family("L003.67", statement, &with(none)));
    };
    let (gain, [_, exact]) = (Value::Real(other.gain), other.kurtoses());
    let statement = format!(
        "{at}: {what} 0 within its sampling error sqrt(24/samples) (errors as shares of the largest exact one at gain {gain})"
    );
    let claim = Claim::family("L003.67", statement, &with(none));
    // A prediction of 0 has no size of its own.
    let noticed = sampled.iter().map(|mean| claim.limit * mean.se() + mean.mean().abs());
    let resolution = noticed.fold(f64::INFINITY, f64::min) / largest(&exact);
    let form = format!("the exact kurtoses of the fields at gain {gain}");
    Ok(Claim { resolution, ..claim }.rejecting(form, &with(exact)))
}

/// Gates flip less towards the end, and do not stop.
fn late(course: &Course<'_>, at: &str) -> Result<[Claim; 2], LabError> {
    let total = |of: fn(&Fresh) -> Estimate| {
        let share = 1.0 / course.networks.len() as f64;
        let terms: Vec<(f64, Estimate)> =
            course.networks.iter().map(|network| (share, of(&network.fresh))).collect();
        Estimate::combination(&terms)
    };
    let (first, last) = (total(|fresh| fresh.early)?, total(|fresh| fresh.late)?);
    let relative = |e: &Estimate| e.se() / e.mean();
    let (a, b) = (relative(&first), relative(&last));
    let ratio = last.mean() / first.mean();
    let ratio = Estimate::from_parts(ratio, ratio * (a * a + b * b).sqrt(), last.count())?;
    let less =
        format!("{at}: flips in the last tenth of training over those in the first, below 1");
    let still = format!(
        "{at}: share of samples on which a gate still flips in the last tenth of training, above {UNSETTLED}"
    );
    Ok([
        one_sided(ID, less, ratio, 1.0, false),
        one_sided("L003.68", still, total(|fresh| fresh.unsettled)?, UNSETTLED, true),
    ])
}

/// Gates that flip on fewer samples than this would count as settled.
const UNSETTLED: f64 = 0.01;

/// The earlier the gates of a network are frozen, the further away it ends, and nearest where they never are.
fn elsewhere(courses: &[Course<'_>]) -> Option<Claim> {
    let [mut all, mut ordered, mut unfrozen] = [0; 3];
    let mut orders = 1;
    for Course { networks, frozen, controls, .. } in courses {
        if frozen.len() < 2 {
            return None;
        }
        let free = &controls[1];
        let falls = |rows: &[&Vec<f64>]| {
            (0..networks.len())
                .filter(|seed| rows.windows(2).all(|w| w[1][*seed] < w[0][*seed]))
                .count()
        };
        let rows: Vec<&Vec<f64>> = frozen.iter().chain([free]).collect();
        orders = (1..=rows.len()).product();
        all += networks.len();
        ordered += falls(&rows);
        unfrozen += falls(&[&[free], &rows[1..]].concat());
    }
    let statement = format!(
        "networks whose weights end the further from those of free gates the earlier gates are frozen, and nearest where they never are, of {all} \
         (one in {orders} would by chance)"
    );
    let cases = Cases { hits: ordered, trials: all, by_chance: 1.0 / orders as f64 };
    let form = "the distance that smaller batches alone make, no gates frozen, in place of the one after the earliest freezing";
    let claim = Claim::all("L003.68", statement, cases).rejecting_cases(form, unfrozen, all);
    let claim = Claim { evidence: Evidence::Shown, ..claim.only_as_stated() };
    Some(refuted_by_most(claim, &[(all, all - ordered)]))
}

pub(super) fn tables(settings: &GateFlips, courses: &[Course<'_>]) -> [Table; 2] {
    let last = settings.recorded().len() - 1;
    let [early, late] = tenths(last + 1);
    let networks: Vec<(f64, usize, &Network<'_>)> = courses
        .iter()
        .flat_map(|course| (0..).zip(&course.networks).map(|(seed, of)| (course.gain, seed, of)))
        .collect();
    let overlap = |network: &Network<'_>| {
        let [start, end] = network.ends();
        mean(&start.iter().zip(end).map(|(w, v)| cosine(w, v)).collect::<Vec<_>>())
    };
    let networks = Table::of("networks", &networks)
        .given("gain", |row| row.0)
        .whole("network", |row| row.1)
        .real("first_flips", 5, |row| row.2.flips(&early))
        .real("last_flips", 5, |row| row.2.flips(&late))
        .estimate("still_flip", 4, |row| row.2.fresh.unsettled)
        .real("never_flipped", 4, |row| row.2.never_moved()[last])
        .real("start_as_end", 4, |row| 1.0 - row.2.fresh.unlike_final[0])
        .real("overlap", 3, |row| overlap(row.2))
        .real("kurtosis", 4, |row| mean_unit(row.2.kurtosis[last]))
        .digits("exact_kurtosis", 2, |row| mean_unit(&row.2.exact))
        .real("noise", 4, |_| settings.unseen())
        .caption(format!(
            "Flips: share of {} x {} gates that change from one record to the next ({} steps), mean over the first and the last tenth of training; still flip: share of \
             samples on which one of the gates flips in the last tenth; never flipped: p_unif, mean over units; start as end: share of gates that are the same at the start and \
             at the end; overlap: cosine of a field at start and end; excess kurtosis of the preactivations in class pos, sampled and exact; noise: sqrt(24/samples), the \
             standard error of the kurtosis. The note prints no numbers: in its words a very small and falling fraction of gates flip, but never none.",
            settings.width, settings.eval, settings.record_every
        ));
    let mut rows = Vec::new();
    for Course { gain, frozen, controls, .. } in courses {
        let steps = settings.frozen_at().into_iter().map(|step| format!("frozen at step {step}"));
        let gates = steps.chain(["final from the start", "none frozen"].map(str::to_owned));
        let distances = frozen.iter().chain(controls).map(|distances| extent(distances));
        rows.extend(gates.zip(distances).map(|(gates, distances)| (*gain, gates, distances)));
    }
    let frozen = Table::of("frozen_gates", &rows)
        .given("gain", |row| row.0)
        .words("gates", |row| row.1.clone())
        .real("least", 4, |row| row.2[0])
        .real("most", 4, |row| row.2[1])
        .caption(
            "Relative distance of the weights at the end from those of the network with free gates, least and most over networks, \
             by when gates were frozen.",
        );
    [networks, frozen]
}
