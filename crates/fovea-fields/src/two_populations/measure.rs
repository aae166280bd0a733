//! What our networks come to, and how far that is from the reference.

use super::reference::Reference;
use super::{EVAL_SAMPLES, GAIN, LOCALIZED, Pair, TASK};
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

/// The mean over units of a column of the last reading of a probe, with seeds as the unit.
pub(super) fn over_units(
    trained: &Group<'_>,
    probe: &Probe,
    column: usize,
) -> Result<Estimate, LabError> {
    let mean =
        |units: &[Vec<f64>]| units.iter().map(|row| row[column]).sum::<f64>() / units.len() as f64;
    Ok(Estimate::from_samples(&trained.per_seed(probe, mean))?)
}

/// The mean bias of the localized units, or of the others, with seeds as the unit; nothing where fewer than two seeds have such units.
fn group_bias(trained: &Group<'_>, localized: bool) -> Result<Option<Estimate>, LabError> {
    let of_seed = |run: &&Trained| {
        let (iprs, biases) = (run.last(&probe::ipr::ENTRY), run.last(&probe::bias::ENTRY));
        let group = iprs.iter().zip(biases).filter(|(ipr, _)| (ipr[0] > LOCALIZED) == localized);
        group.fold(vec![0.0, 0.0], |sums, (_, bias)| vec![sums[0] + bias[0], sums[1] + 1.0])
    };
    let rows: Vec<Vec<f64>> = trained.runs.iter().map(of_seed).collect();
    if rows.iter().filter(|row| row[1] > 0.0).count() < 2 {
        return Ok(None);
    }
    replicas::plain(&rows, |sums| sums[0] / sums[1]).map(Some)
}

/// One number of the reference and ours, and a wrong form of ours.
pub struct Comparison {
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
        claim.rejecting(form.clone(), &[(wrong.difference(&self.theirs), 0.0)]).only_as_stated()
    }

    fn cells(&self) -> Vec<String> {
        let with_se = |e: &Estimate| format!("{} \u{b1} {}", number(e.mean()), number(e.se()));
        let z = self.ours.difference(&self.theirs).z(0.0);
        vec![self.what.clone(), with_se(&self.theirs), with_se(&self.ours), format!("{z:+.2}")]
    }
}

/// The comparisons for a terminal and for the report.
pub(super) fn compared(comparisons: &[Comparison]) -> (Vec<String>, Block) {
    let caption = "Means with standard errors whose unit is the seed, and their distance in combined standard errors. Shares, losses and \
                   accuracies of the reference have the spread of its own seeds, the latter two with the error of its one evaluation set; of the \
                   other quantities it stores pooled units, which are not independent, and the spread over seeds is taken from ours.";
    let rows = comparisons.iter().map(Comparison::cells).collect();
    tables(&["", "reference", "here", "z"], rows, caption)
}

/// A share of localized units that this row of the reference does not have: that of another row, or of networks that cannot split.
fn wrong_share(
    row: &Reference,
    rows: &[Reference],
    no_bias: &Group<'_>,
) -> Result<(String, Estimate), LabError> {
    let alike = |other: &&Reference| other.sigmoid() == row.sigmoid() && other.bias != row.bias;
    let (form, shares) = match rows.iter().find(alike) {
        Some(other) => (format!("the share of {}", other.name), other.shares.clone()),
        None => ("units without a bias".to_owned(), shares(no_bias)),
    };
    Ok((form, Estimate::from_samples(&shares)?))
}

/// Everything that is compared for one row of the reference.
pub(super) fn comparisons(
    (trained, row): Pair<'_>,
    rows: &[Reference],
    no_bias: &Group<'_>,
    streams: &Streams,
) -> Result<Vec<Comparison>, LabError> {
    let mut list = Vec::new();
    let mut compare = |what: &str, theirs: Estimate, ours: Estimate, wrong: (&str, Estimate)| {
        let (what, wrong) = (format!("{}: {what}", row.name), (wrong.0.to_owned(), wrong.1));
        list.push(Comparison { what, theirs, ours, wrong });
    };
    let theirs = Estimate::from_samples(&row.shares)?;
    let (form, wrong) = wrong_share(row, rows, no_bias)?;
    let ours = Estimate::from_samples(&shares(trained))?;
    compare("share of localized units", theirs, ours, (&form, wrong));
    if row.bias != Bias::None {
        let groups = [group_bias(trained, true)?, group_bias(trained, false)?];
        if let [Some(a), Some(b)] = groups {
            let wrong = "the groups exchanged";
            compare("bias of localized units", row.pooled("bias_localized", &a)?, a, (wrong, b));
            compare("bias of other units", row.pooled("bias_other", &b)?, b, (wrong, a));
        }
    }
    let loss: Vec<f64> =
        trained.per_seed(&probe::loss::ENTRY, mean_unit).iter().map(|loss| 2.0 * loss).collect();
    let ours = Estimate::from_samples(&loss)?;
    let task = TASK.spec(GAIN, Labels::Balanced).build()?;
    let shared = evaluation_error(&task, trained.runs[0].network(), streams, EVAL_SAMPLES);
    let theirs = with_shared_error(&row.over_seeds("loss")?, shared)?;
    let wrong = ("a loss that is not doubled", Estimate::combination(&[(0.5, ours)])?);
    compare("2 x loss", theirs, ours, wrong);
    let p = row.mean("accuracy");
    let shared = (p * (1.0 - p) / EVAL_SAMPLES as f64).sqrt();
    let theirs = with_shared_error(&row.over_seeds("accuracy")?, shared)?;
    let ours = over_units(trained, &probe::accuracy::ENTRY, 0)?;
    compare("accuracy", theirs, ours, ("guessing", Estimate::from_parts(0.5, 0.0, row.seeds)?));
    let n = TASK.n as f64;
    let class = |class: usize| over_units(trained, &probe::kurtosis::ENTRY, class);
    let wrong = [
        ("fields of noise", Estimate::from_parts(3.0 / (n + 2.0), 0.0, 2)?),
        ("flat fields", Estimate::from_parts(libm::log(n), 0.0, 2)?),
        ("the classes exchanged", class(1)?),
        ("the classes exchanged", class(0)?),
    ];
    for ((name, probe, column, key), wrong) in QUANTITIES.into_iter().zip(wrong) {
        let ours = over_units(trained, probe, column)?;
        compare(&format!("mean {name}"), row.pooled(key, &ours)?, ours, wrong);
    }
    Ok(list)
}

/// What is read of single units: its name, the probe with its column, and the reference's name of it.
const QUANTITIES: [(&str, &Probe, usize, &str); 4] = [
    ("IPR", &probe::ipr::ENTRY, 0, "ipr"),
    ("location entropy", &probe::location_entropy::ENTRY, 0, "location_entropy"),
    ("excess kurtosis, pos", &probe::kurtosis::ENTRY, 0, "kurtosis_pos"),
    ("excess kurtosis, neg", &probe::kurtosis::ENTRY, 1, "kurtosis_neg"),
];

/// Quantiles of single units, a row for the reference and one for ours.
pub(super) fn quantiles(pairs: &[Pair<'_>]) -> Result<Block, LabError> {
    let mut rows = Vec::new();
    for (trained, row) in pairs {
        for (what, probe, column, key) in QUANTITIES {
            let ours = Spread::of(&trained.units(probe, column))?.quantiles.to_vec();
            for (who, list) in [("reference", row.quantiles(key)), ("here", ours)] {
                let about = [format!("{} {what}", row.name), who.to_owned()];
                let cells = list.iter().map(|q| format!("{q:.4}"));
                rows.push(about.into_iter().chain(cells).collect());
            }
        }
    }
    let head = ["", "", "min", "10 %", "25 %", "median", "75 %", "90 %", "max"];
    let caption = "Quantiles of single units, all seeds together.";
    Ok(Block::table(head.map(str::to_owned).to_vec(), rows, caption))
}

/// The share of units with most power in each band of frequencies, a row for the reference and one for ours.
pub(super) fn frequencies(pairs: &[Pair<'_>]) -> Block {
    const BANDS: [(usize, usize); 4] = [(0, 1), (2, 6), (7, 13), (14, 20)];
    let mut rows = Vec::new();
    for (trained, row) in pairs {
        let tops = trained.units(&probe::dominant_frequency::ENTRY, 0);
        let ours: Vec<(usize, f64)> =
            tops.iter().map(|top| (*top as usize, 1.0 / tops.len() as f64)).collect();
        for (who, shares) in [("reference", row.frequencies()), ("here", ours)] {
            let bands = BANDS.map(|(low, high)| {
                let inside = shares.iter().filter(|(k, _)| (low..=high).contains(k));
                format!("{:.3}", inside.map(|(_, share)| share).sum::<f64>())
            });
            rows.push([row.name.clone(), who.to_owned()].into_iter().chain(bands).collect());
        }
    }
    let head = ["", "", "0 and 1", "2 to 6", "7 to 13", "14 to 20"];
    let caption = "Share of units with most power at these frequencies, in cycles around the ring.";
    Block::table(head.map(str::to_owned).to_vec(), rows, caption)
}
