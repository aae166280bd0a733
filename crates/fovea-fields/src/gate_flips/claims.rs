//! What the courses say: claims, and lines for a person.

use super::GateFlips;
use super::measure::{Course, Fresh, Frozen, Network, mean, tenths};
use fovea_desk::prelude::*;
use fovea_record::bound::one_sided;

pub(super) fn claims(
    settings: &GateFlips,
    courses: &[Course],
    frozen: &[Frozen],
) -> Result<Vec<Claim>, LabError> {
    let mut claims = Vec::new();
    let beyond =
        courses.iter().filter(|c| !c.is_gaussian()).max_by(|a, b| a.gain.total_cmp(&b.gain));
    for course in courses {
        let at = format!("gain {}", Value::Real(course.gain));
        if course.is_gaussian() {
            claims.push(by_angle(settings, course, &at)?);
            claims.push(unseen(settings, course, beyond, &at)?);
        } else {
            claims.push(seen(settings, course, &at)?);
        }
        claims.push(ordered(course, &at));
        claims.extend(late(course, &at)?);
    }
    claims.extend(elsewhere(frozen));
    Ok(claims)
}

/// Unit by unit: how often its gate flips over all of training, counted on the held-out set, is the sum of the angles.
fn by_angle(settings: &GateFlips, course: &Course, at: &str) -> Result<Claim, LabError> {
    let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
    for network in &course.networks {
        for (unit, deviation) in network.fresh.deviation.iter().enumerate() {
            let sum = |of: &dyn Fn(usize) -> f64| network.records().map(of).sum::<f64>();
            let counted = sum(&|record| 1.0 - network.kept[record][unit]);
            // A sample near the gate flips more than once, so that the spread over samples is measured, not binomial.
            let se = deviation / (settings.eval as f64).sqrt();
            let flips = Estimate::from_parts(counted, se, settings.eval)?;
            pairs.push((flips, sum(&|record| 1.0 - network.angles[record][unit][0])));
            wrong.push((flips, sum(&|record| 1.0 - network.angles[record][unit][1])));
        }
    }
    let statement = format!(
        "{at}: flips of a unit's gate over training, as a share of the samples, are the sum of (theta_1 + theta_0)/(2 pi) over the records, unit by unit"
    );
    let claim = Claim::family("L001.36", statement, &pairs);
    Ok(claim.rejecting("the angle in class pos alone, theta_1/pi", &wrong))
}

/// Unit by unit, `1 - sum (1 - p) <= p_unif <= min p`.
fn ordered(course: &Course, at: &str) -> Claim {
    let (mut units, mut inside) = (0, 0);
    for network in &course.networks {
        for unit in 0..network.exact.len() {
            let kept = || network.records().map(|record| network.kept[record][unit]);
            let unif = network.never_moved[network.never_moved.len() - 1][unit];
            let (low, high) =
                (1.0 - kept().map(|p| 1.0 - p).sum::<f64>(), kept().fold(1.0, f64::min));
            units += 1;
            inside += usize::from(low - 1e-12 <= unif && unif <= high + 1e-12);
        }
    }
    let statement = format!("{at}: units with 1 - sum (1 - p) <= p_unif <= min p, of {units}");
    Claim::exact("L001.36", statement, &[f64::from(units)], &[inside as f64], 1e-12)
}

/// Nothing of the kurtosis is seen: every unit and class agrees with zero.
fn unseen(
    settings: &GateFlips,
    course: &Course,
    beyond: Option<&Course>,
    at: &str,
) -> Result<Claim, LabError> {
    let (a_class, noise) = (settings.a_class() as usize, settings.unseen());
    let estimates = course
        .kurtoses()
        .iter()
        .map(|[sampled, _]| Estimate::from_parts(*sampled, noise, a_class))
        .collect::<Result<Vec<_>, _>>()?;
    let gaussian: Vec<(Estimate, f64)> = estimates.iter().map(|e| (*e, 0.0)).collect();
    let statement = format!(
        "{at}: the excess kurtosis of every preactivation at the end is 0 within its sampling error sqrt(24/samples)"
    );
    let claim = Claim::family("L003.67", statement, &gaussian);
    Ok(match beyond {
        None => claim,
        Some(other) => {
            let wrong: Vec<(Estimate, f64)> =
                estimates.iter().zip(other.kurtoses()).map(|(e, [_, exact])| (*e, exact)).collect();
            let form =
                format!("the exact kurtoses of the fields at gain {}", Value::Real(other.gain));
            claim.rejecting(form, &wrong)
        }
    })
}

/// The kurtosis is seen, and it is the exact one of the final fields.
fn seen(settings: &GateFlips, course: &Course, at: &str) -> Result<Claim, LabError> {
    // Tails lighter than Gaussian ones spread the kurtosis of a sample less than Gaussian ones do.
    let (a_class, noise) = (settings.a_class() as usize, settings.unseen());
    let kurtoses = course.kurtoses();
    let pairs = kurtoses
        .iter()
        .map(|[sampled, exact]| Ok((Estimate::from_parts(*sampled, noise, a_class)?, *exact)))
        .collect::<Result<Vec<_>, LabError>>()?;
    let none: Vec<(Estimate, f64)> = pairs.iter().map(|(e, _)| (*e, 0.0)).collect();
    let statement = format!(
        "{at}: the excess kurtosis of every preactivation at the end is that of the fourth cumulants, within sqrt(24/samples)"
    );
    Ok(Claim::family("L003.67", statement, &pairs).rejecting("none, as for Gaussian data", &none))
}

/// Gates flip less towards the end, and do not stop.
fn late(course: &Course, at: &str) -> Result<[Claim; 2], LabError> {
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
        one_sided("L003.68", less, ratio, 1.0, false),
        one_sided("L003.68", still, total(|fresh| fresh.unsettled)?, UNSETTLED, true),
    ])
}

/// Gates that flip on fewer samples than this would count as settled.
const UNSETTLED: f64 = 0.01;

/// Every network ends the further away the earlier its gates are frozen.
fn elsewhere(frozen: &[Frozen]) -> Option<Claim> {
    if frozen.iter().any(|frozen| frozen.distance.len() < 2) {
        return None;
    }
    let [all, ordered] = frozen
        .iter()
        .map(Frozen::in_order)
        .fold([0, 0], |sum, [all, ordered]| [sum[0] + all, sum[1] + ordered]);
    let statement = format!(
        "networks whose weights end the further from those of free gates the earlier gates are frozen, of {all}"
    );
    let (all, ordered) = (all as f64, ordered as f64);
    let claim = Claim::exact("L003.68", statement, &[all], &[ordered], 1e-9);
    Some(claim.rejecting_exact("none of them", &[0.0], &[ordered]))
}

pub(super) fn lines(settings: &GateFlips, courses: &[Course], frozen: &[Frozen]) -> Vec<String> {
    let mut lines = vec![
        "the note prints no numbers; in words it has `a very small fraction` of gates flipping, ever fewer, but not none".to_owned(),
        format!(
            "{:>6} {:>12} {:>12} {:>14} {:>14} {:>14} {:>10} {:>15} {:>10} {:>7}",
            "gain",
            "flips, first",
            "flips, last",
            "still flip",
            "never flipped",
            "start = end",
            "overlap",
            "kurtosis pos",
            "exact",
            "noise"
        ),
    ];
    // Least and most over the networks.
    let range = |numbers: &[f64]| {
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        format!("{low:.4}..{high:.4}")
    };
    for course in courses {
        let last = |network: &Network| network.kurtosis[network.kurtosis.len() - 1].clone();
        let sampled =
            |network: &Network| mean(&last(network).iter().map(|k| k[0]).collect::<Vec<_>>());
        let exact =
            |network: &Network| mean(&network.exact.iter().map(|k| k[0]).collect::<Vec<_>>());
        let [first, last] = tenths(settings.recorded().len());
        lines.push(format!(
            "{:>6} {:>12.5} {:>12.5} {:>14} {:>14} {:>14} {:>10.3} {:>15} {:>10.1e} {:>7.4}",
            Value::Real(course.gain).to_string(),
            mean(&course.each(|network| network.flips(first.clone()))),
            mean(&course.each(|network| network.flips(last.clone()))),
            range(&course.each(|network| network.fresh.unsettled.mean())),
            range(&course.each(Network::p_unif)),
            range(&course.each(|network| 1.0 - network.fresh.unlike_final[0])),
            mean(&course.each(Network::overlap)),
            range(&course.each(sampled)),
            mean(&course.each(exact)),
            settings.unseen()
        ));
    }
    lines.push(format!(
        "flips: share of {} x {} gates that change from one record to the next ({} steps), mean over the first and the last tenth of training; \
         still flip: share of samples on which one of the gates does so in the last tenth; never flipped: p_unif, mean over units; overlap: cosine of \
         a field at start and end; noise: sqrt(24/samples), the standard error of the kurtosis; ranges are over networks",
        settings.width, settings.eval, settings.record_every
    ));
    for frozen in frozen {
        let mut line = format!("gain {}: gates frozen at step", Value::Real(frozen.gain));
        for (step, distance) in frozen.steps.iter().zip(&frozen.distance) {
            line = format!("{line} {step}: {},", range(distance));
        }
        let (final_gates, free) = (range(&frozen.final_gates), range(&frozen.free));
        lines.push(format!("{line} final gates from the start: {final_gates}, none frozen: {free} (relative distance of the weights at the end)"));
    }
    lines
}
