//! The results of our networks, and how far they are from the reference.

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
    network: String,
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
            ..Claim::family("parity", format!("{}: {}", self.network, self.what), &[(gap, 0.0)])
        };
        claim.rejecting(form.clone(), &[(wrong.difference(&self.theirs), 0.0)]).only_as_stated()
    }

    /// Ours less the reference's in combined standard errors.
    fn z(&self) -> f64 {
        self.ours.difference(&self.theirs).z(0.0)
    }
}

/// Everything that is compared.
pub(super) fn compared(comparisons: &[Comparison]) -> Table {
    Table::of("compared", comparisons)
        .words("network", |row| row.network.clone())
        .words("quantity", |row| row.what.clone())
        .mean("reference", 4, |row| row.theirs)
        .mean("here", 4, |row| row.ours)
        .real("z", 2, Comparison::z)
        .caption(
            "Means with standard errors whose unit is the seed, and their distance in combined standard errors. Shares, losses and \
             accuracies of the reference have the spread of its own seeds, the latter two with the error of its one evaluation set; of the \
             other quantities it stores pooled units, which are not independent, and the spread over seeds is taken from ours.",
        )
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
        let (network, what) = (row.name.clone(), what.to_owned());
        list.push(Comparison { network, what, theirs, ours, wrong: (wrong.0.to_owned(), wrong.1) });
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
pub(super) fn quantiles(pairs: &[Pair<'_>]) -> Result<Table, LabError> {
    const QUANTILES: [&str; 7] = ["min", "q10", "q25", "median", "q75", "q90", "max"];
    let mut rows = Vec::new();
    for (trained, row) in pairs {
        for (what, probe, column, key) in QUANTITIES {
            let ours = Spread::of(&trained.units(probe, column))?.quantiles.to_vec();
            rows.push((&row.name, what, "reference", row.quantiles(key)));
            rows.push((&row.name, what, "here", ours));
        }
    }
    let table = Table::of("quantiles", &rows)
        .words("network", |row| row.0.clone())
        .words("quantity", |row| row.1)
        .words("program", |row| row.2);
    let columns = QUANTILES.into_iter().enumerate();
    let table = columns.fold(table, |table, (q, name)| table.real(name, 4, |row| row.3[q]));
    Ok(table.caption("Quantiles of single units, all seeds together."))
}

/// The share of units with most power in each band of frequencies, a row for the reference and one for ours.
pub(super) fn frequencies(pairs: &[Pair<'_>]) -> Table {
    const BANDS: [(usize, usize); 4] = [(0, 1), (2, 6), (7, 13), (14, 20)];
    let mut rows = Vec::new();
    for (trained, row) in pairs {
        let tops = trained.units(&probe::dominant_frequency::ENTRY, 0);
        let ours: Vec<(usize, f64)> =
            tops.iter().map(|top| (*top as usize, 1.0 / tops.len() as f64)).collect();
        rows.push((&row.name, "reference", row.frequencies()));
        rows.push((&row.name, "here", ours));
    }
    let table = Table::of("frequencies", &rows)
        .words("network", |row| row.0.clone())
        .words("program", |row| row.1);
    let share = |shares: &[(usize, f64)], (low, high): (usize, usize)| -> f64 {
        shares.iter().filter(|(k, _)| (low..=high).contains(k)).map(|(_, share)| share).sum()
    };
    let bands = BANDS.into_iter().fold(table, |table, band| {
        table.real(&format!("from_{}_to_{}", band.0, band.1), 3, |row| share(&row.2, band))
    });
    bands.caption("Share of units with most power at these frequencies, in cycles around the ring.")
}

/// Whether the cut tails of the reference's initial weights matter.
pub(super) fn tails(cut: &Group<'_>, whole: &Group<'_>) -> Result<Table, LabError> {
    let share = |trained| Estimate::from_samples(&shares(trained));
    let loss = |trained| over_units(trained, &probe::loss::ENTRY, 0);
    let rows = [
        ("share of localized units", share(whole)?, share(cut)?),
        ("loss", loss(whole)?, loss(cut)?),
    ];
    Ok(Table::of("initial_tails", &rows)
        .words("quantity", |row| row.0)
        .mean("whole_tails", 4, |row| row.1)
        .mean("cut_tails", 4, |row| row.2)
        .real("z", 1, |row| row.1.difference(&row.2).z(0.0))
        .caption(format!(
            "{}: initial normals with their tails, compared with those cut at two standard deviations.",
            cut.name
        )))
}
