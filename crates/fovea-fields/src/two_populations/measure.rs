//! What our networks come to, and how far that is from the reference.

use super::reference::{Pooled, Reference};
use super::{EVAL_SAMPLES, GAIN, LOCALIZED, TASK};
use fovea_core::agree::noise_limit;
use fovea_desk::prelude::*;
use fovea_desk::replicas;
use fovea_desk::shared_set::{evaluation_error, with_shared_error};

/// The share of localized units of every seed.
pub(super) fn shares(trained: &Group<'_>) -> Vec<f64> {
    trained.per_seed(&probe::ipr::ENTRY, |units| {
        units.iter().filter(|row| row[0] > LOCALIZED).count() as f64 / units.len() as f64
    })
}

/// The mean bias of the localized units, or of the others, with seeds as the unit; nothing where fewer than two seeds have such units.
pub(super) fn group_bias(
    trained: &Group<'_>,
    localized: bool,
) -> Result<Option<Estimate>, LabError> {
    let of_seed = |seed: usize| {
        let iprs = trained.last(seed, &probe::ipr::ENTRY);
        let biases = trained.last(seed, &probe::bias::ENTRY);
        let group = iprs.iter().zip(biases).filter(|(ipr, _)| (ipr[0] > LOCALIZED) == localized);
        group.fold(vec![0.0, 0.0], |sums, (_, bias)| vec![sums[0] + bias[0], sums[1] + 1.0])
    };
    let rows: Vec<Vec<f64>> = (0..trained.runs.len()).map(of_seed).collect();
    if rows.iter().filter(|row| row[1] > 0.0).count() < 2 {
        return Ok(None);
    }
    replicas::plain(&rows, |sums| sums[0] / sums[1]).map(Some)
}

/// One number of the reference and ours, and a wrong form of ours.
pub(super) struct Comparison {
    what: String,
    theirs: Estimate,
    ours: Estimate,
    wrong: (String, Estimate),
}

impl Comparison {
    /// The claim that the two agree within 4.9 combined standard errors, however few seeds they rest on.
    pub(super) fn claim(&self) -> Claim {
        let gap = self.ours.difference(&self.theirs);
        let limit = noise_limit(1, f64::INFINITY);
        let (form, wrong) = &self.wrong;
        let claim = Claim {
            predicted: self.theirs.mean(),
            measured: self.ours.mean(),
            limit,
            resolution: (limit * gap.se() + gap.mean().abs()) / self.theirs.mean().abs(),
            ..Claim::family("parity", self.what.clone(), &[(gap, 0.0)])
        };
        claim.rejecting(form.clone(), &[(wrong.difference(&self.theirs), 0.0)])
    }

    fn cells(&self) -> [String; 4] {
        let with_se = |e: &Estimate| format!("{} \u{b1} {}", number(e.mean()), number(e.se()));
        let z = self.ours.difference(&self.theirs).z(0.0);
        [self.what.clone(), with_se(&self.theirs), with_se(&self.ours), format!("{z:+.2}")]
    }
}

const HEADER: [&str; 4] = ["", "reference", "here", "z"];

/// The comparisons as lines for a terminal.
pub(super) fn lines(comparisons: &[Comparison]) -> Vec<String> {
    let rows = comparisons.iter().map(Comparison::cells);
    let cells: Vec<_> = [HEADER.map(str::to_owned)].into_iter().chain(rows).collect();
    let line = |[what, theirs, ours, z]: &[String; 4]| {
        format!("{what:<44} {theirs:>20} {ours:>20} {z:>7}")
    };
    cells.iter().map(line).collect()
}

/// The comparisons as a table for the report.
pub(super) fn table(comparisons: &[Comparison]) -> Block {
    let caption = "Means with standard errors whose unit is the seed, and their distance in combined standard errors. Shares, losses and \
                   accuracies of the reference have the spread of its own seeds, the latter two with the error of its one evaluation set; of the \
                   other quantities it stores pooled units, which are not independent, and the spread over seeds is taken from ours.";
    Block::table(
        HEADER.map(str::to_owned),
        comparisons.iter().map(Comparison::cells).collect::<Vec<_>>(),
        caption,
    )
}

/// What the wrong forms are made of: networks that cannot split, and the reference's other rows.
pub(super) struct Wrong<'a> {
    pub(super) no_bias: &'a Group<'a>,
    pub(super) references: &'a [Reference],
}

impl Wrong<'_> {
    /// A share of localized units that this row does not have.
    fn share(&self, row: &Reference) -> Result<(String, Estimate), LabError> {
        let other = self
            .references
            .iter()
            .find(|other| other.sigmoid == row.sigmoid && other.bias != row.bias);
        Ok(match other {
            Some(other) => {
                (format!("the share of {}", other.name), Estimate::from_samples(&other.shares)?)
            }
            None => {
                ("units without a bias".to_owned(), Estimate::from_samples(&shares(self.no_bias))?)
            }
        })
    }
}

/// Everything that is compared for one row of the reference.
pub(super) fn comparisons(
    trained: &Group<'_>,
    row: &Reference,
    wrong: &Wrong<'_>,
    streams: &Streams,
) -> Result<Vec<Comparison>, LabError> {
    let name = |what: &str| format!("{}: {what}", row.name);
    let mut list = Vec::new();
    list.push(Comparison {
        what: name("share of localized units"),
        theirs: Estimate::from_samples(&row.shares)?,
        ours: Estimate::from_samples(&shares(trained))?,
        wrong: wrong.share(row)?,
    });
    if let Some(theirs) = &row.biases {
        let [localized, other] = [group_bias(trained, true)?, group_bias(trained, false)?];
        let groups = [("localized units", localized, other), ("other units", other, localized)];
        for ((which, ours, exchanged), theirs) in groups.into_iter().zip(theirs) {
            let Some((ours, exchanged)) = ours.zip(exchanged) else { continue };
            let theirs = row.pooled(theirs, &ours)?;
            let wrong = ("the groups exchanged".to_owned(), exchanged);
            list.push(Comparison { what: name(&format!("bias of {which}")), theirs, ours, wrong });
        }
    }
    let loss: Vec<f64> =
        trained.per_seed(&probe::loss::ENTRY, mean_unit).iter().map(|loss| 2.0 * loss).collect();
    let ours = Estimate::from_samples(&loss)?;
    let task = TASK.spec(GAIN, Labels::Balanced).build()?;
    let shared = evaluation_error(&task, trained.runs[0].network(), streams, EVAL_SAMPLES);
    list.push(Comparison {
        what: name("2 x loss"),
        theirs: with_shared_error(&row.over_seeds(&row.loss)?, shared)?,
        ours,
        wrong: ("a loss that is not doubled".to_owned(), Estimate::combination(&[(0.5, ours)])?),
    });
    let p = row.accuracy.mean;
    let shared = (p * (1.0 - p) / EVAL_SAMPLES as f64).sqrt();
    list.push(Comparison {
        what: name("accuracy"),
        theirs: with_shared_error(&row.over_seeds(&row.accuracy)?, shared)?,
        ours: Estimate::from_samples(&trained.per_seed(&probe::accuracy::ENTRY, mean_unit))?,
        wrong: ("guessing".to_owned(), Estimate::from_parts(0.5, 0.0, row.seeds)?),
    });
    list.extend(units(trained, row)?);
    Ok(list)
}

/// Means over units: participation ratio, location entropy and kurtosis.
fn units(trained: &Group<'_>, row: &Reference) -> Result<Vec<Comparison>, LabError> {
    let n = TASK.n as f64;
    let ours = Estimate::from_samples(&trained.per_seed(&probe::ipr::ENTRY, mean_unit))?;
    let mut list = vec![Comparison {
        what: format!("{}: mean IPR", row.name),
        theirs: row.pooled(&row.ipr, &ours)?,
        ours,
        wrong: ("fields of noise".to_owned(), Estimate::from_parts(3.0 / (n + 2.0), 0.0, 2)?),
    }];
    let ours =
        Estimate::from_samples(&trained.per_seed(&probe::location_entropy::ENTRY, mean_unit))?;
    list.push(Comparison {
        what: format!("{}: mean location entropy", row.name),
        theirs: row.pooled(&row.location_entropy, &ours)?,
        ours,
        wrong: ("flat fields".to_owned(), Estimate::from_parts(libm::log(n), 0.0, 2)?),
    });
    let class = |class: usize| {
        let mean = |units: &[Vec<f64>]| {
            units.iter().map(|row| row[class]).sum::<f64>() / units.len() as f64
        };
        Estimate::from_samples(&trained.per_seed(&probe::kurtosis::ENTRY, mean))
    };
    for (index, word) in ["pos", "neg"].into_iter().enumerate() {
        let ours = class(index)?;
        list.push(Comparison {
            what: format!("{}: mean excess kurtosis, {word}", row.name),
            theirs: row.pooled(&row.kurtosis[index], &ours)?,
            ours,
            wrong: ("the classes exchanged".to_owned(), class(1 - index)?),
        });
    }
    Ok(list)
}

/// Quantiles of single units beside the reference's, a row each.
pub(super) fn quantiles(fleet: &[(&Group<'_>, &Reference)]) -> Result<Vec<[String; 9]>, LabError> {
    let mut rows = Vec::new();
    for (trained, row) in fleet {
        let kurtosis = |class: usize| trained.units(&probe::kurtosis::ENTRY, class);
        let entropies = trained.units(&probe::location_entropy::ENTRY, 0);
        let quantities: [(&str, Vec<f64>, &Pooled); 4] = [
            ("IPR", trained.units(&probe::ipr::ENTRY, 0), &row.ipr),
            ("location entropy", entropies, &row.location_entropy),
            ("kurtosis, pos", kurtosis(0), &row.kurtosis[0]),
            ("kurtosis, neg", kurtosis(1), &row.kurtosis[1]),
        ];
        for (what, ours, theirs) in quantities {
            let what = format!("{} {what}", row.name);
            for (who, list) in
                [("reference", theirs.quantiles), ("here", Spread::of(&ours)?.quantiles)]
            {
                let [a, b, c, d, e, f, g] = list.map(|q| format!("{q:.4}"));
                rows.push([what.clone(), who.to_owned(), a, b, c, d, e, f, g]);
            }
        }
    }
    Ok(rows)
}

/// The share of units with most power in each band of frequencies, beside the reference's, a row each.
pub(super) fn frequencies(fleet: &[(&Group<'_>, &Reference)]) -> Vec<[String; 6]> {
    const BANDS: [(usize, usize); 4] = [(0, 1), (2, 6), (7, 13), (14, 20)];
    let mut rows = Vec::new();
    for (trained, row) in fleet {
        let tops = trained.units(&probe::dominant_frequency::ENTRY, 0);
        let ours: Vec<(usize, f64)> =
            tops.iter().map(|top| (*top as usize, 1.0 / tops.len() as f64)).collect();
        for (who, shares) in [("reference", &row.frequencies), ("here", &ours)] {
            let [a, b, c, d] = BANDS.map(|(low, high)| {
                let inside = shares.iter().filter(|(k, _)| (low..=high).contains(k));
                format!("{:.3}", inside.map(|(_, share)| share).sum::<f64>())
            });
            rows.push([row.name.clone(), who.to_owned(), a, b, c, d]);
        }
    }
    rows
}
