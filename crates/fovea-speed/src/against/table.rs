//! The comparison as tables for readers and as JSON.

use super::{Comparison, Contender, Contest, KernelContest, Way};
use crate::Summary;
use crate::table::{BUSY, DIGITS, SHARE, Told, disturbed, machine_json, machine_line, percent};
use crate::tangent::about;
use fovea_desk::prelude::Table;
use serde_json::{Value, json};

const OURS: &str = "fovea";

/// Who takes part, a table of training runs and one of kernels, and what to know of them.
pub fn told(comparison: &Comparison) -> Told {
    let versions = comparison.programs.iter().map(|(name, version)| format!("{name} {version}"));
    let programs: Vec<String> =
        std::iter::once(format!("{OURS} {}", env!("CARGO_PKG_VERSION"))).chain(versions).collect();
    let head = vec![
        machine_line(&comparison.machine),
        format!("{}, in turns on one core, each by its CPU time", programs.join(", ")),
    ];
    let tables = [training(&comparison.contests), kernels(&comparison.kernels)];
    let tables = tables.into_iter().filter(|table| table.rows() > 0).collect();
    Told { head, tables, remarks: remarks(comparison) }
}

/// What was trained, who takes no part, who does not do the same, and what disturbed it.
fn remarks(comparison: &Comparison) -> Vec<String> {
    let contests = || comparison.contests.iter();
    let trained = contests().map(|contest| {
        let (workload, steps) = (&contest.workload, contest.steps);
        format!("{}: {}, {steps} steps per turn", workload.name, workload.about())
    });
    let kernels = comparison.kernels.iter().map(|contest| contest.precision);
    let kernels = kernels.map(|kernel| format!("{}: {}", kernel.name(), about(kernel)));
    let missing = comparison.missing.iter();
    let missing = missing.map(|m| format!("{} takes no part: {}; {}", m.name, m.why, m.install));
    let busy = |contest: &Contest| {
        Some((contest.workload.name.to_owned(), contest.load.filter(|load| *load > BUSY)?))
    };
    let busy_kernel = |contest: &KernelContest| {
        Some((contest.precision.name().to_owned(), contest.load.filter(|load| *load > BUSY)?))
    };
    let busy_kernels = comparison.kernels.iter().filter_map(busy_kernel);
    let disturbed = disturbed(contests().filter_map(busy).chain(busy_kernels));
    let disagreements = contests().flat_map(disagreements);
    trained.chain(kernels).chain(missing).chain(disagreements).chain(disturbed).collect()
}

/// A program on one workload: ours, or another next to it.
struct Row<'a> {
    workload: &'a str,
    program: &'a str,
    way: &'a str,
    rate: &'a Summary,
    /// Our best and our median over its own, and the spread of our rate over its rate.
    times: [f64; 3],
    load: f64,
}

impl<'a> Row<'a> {
    fn of((workload, program, way): (&'a str, &'a str, &'a str), rate: &'a Summary) -> Self {
        Self { workload, program, way, rate, times: [f64::NAN; 3], load: f64::NAN }
    }
}

/// A training run of one program.
struct Trained<'a> {
    row: Row<'a>,
    contest: &'a Contest,
    other: Option<&'a Contender>,
}

/// A row per workload and program.
fn training(contests: &[Contest]) -> Table {
    let rows: Vec<Trained> = contests
        .iter()
        .flat_map(|contest| {
            let name = contest.workload.name;
            let ours =
                Row { load: percent(contest.load), ..Row::of((name, OURS, ""), &contest.rate) };
            let others = contest.others.iter().map(move |other| {
                let times = [other.best_ratio, other.median_ratio, other.ratio.spread];
                let row = Row::of((name, other.name, ""), &other.rate);
                Trained { row: Row { times, ..row }, contest, other: Some(other) }
            });
            std::iter::once(Trained { row: ours, contest, other: None }).chain(others)
        })
        .collect();
    let of_other = |row: &Trained, of: fn(&Contender) -> f64| row.other.map_or(f64::NAN, of);
    Table::of("training", &rows)
        .words("workload", |trained| trained.row.workload)
        .words("program", |trained| trained.row.program)
        .digits("best", DIGITS, |trained| trained.row.rate.best)
        .unit("steps/s")
        .digits("median", DIGITS, |trained| trained.row.rate.median)
        .unit("steps/s")
        .digits("spread", SHARE, |trained| percent(Some(trained.row.rate.relative_spread())))
        .unit("%")
        .real("times_best", 2, |trained| trained.row.times[0])
        .real("times_median", 2, |trained| trained.row.times[1])
        .real("times_spread", 2, |trained| trained.row.times[2])
        .real("start_loss", 4, |trained| {
            if trained.other.is_none() { trained.contest.start } else { f64::NAN }
        })
        .estimate("loss", 4, |trained| trained.other.map_or(trained.contest.loss, |o| o.loss))
        .real("z", 1, |trained| of_other(trained, |other| other.z))
        .real("limit", 1, |trained| of_other(trained, |other| other.limit))
        .digits("load", SHARE, |trained| trained.row.load)
        .unit("%")
        .caption(
            "Training runs in turns on one core. Times: our rate over that of the program. Loss: after a turn, on fresh samples; \
             z is its distance from ours in standard errors, which may be as large as the limit.",
        )
}

/// A kernel found in one way.
struct Found<'a> {
    row: Row<'a>,
    gap: f64,
    limit: f64,
}

/// A row per kernel and way.
fn kernels(contests: &[KernelContest]) -> Table {
    let rows: Vec<Found> = contests
        .iter()
        .flat_map(|contest| {
            let (name, limit) = (contest.precision.name(), contest.limit);
            let ours =
                Row { load: percent(contest.load), ..Row::of((name, OURS, ""), &contest.rate) };
            let ways = contest.ways.iter().map(move |way| {
                let times = [way.best_ratio, way.median_ratio, way.ratio.spread];
                let row = Row::of((name, way.program, &way.route), &way.rate);
                Found { row: Row { times, ..row }, gap: way.gap, limit }
            });
            std::iter::once(Found { row: ours, gap: f64::NAN, limit: f64::NAN }).chain(ways)
        })
        .collect();
    Table::of("kernels", &rows)
        .words("workload", |found| found.row.workload)
        .words("program", |found| found.row.program)
        .words("way", |found| found.row.way)
        .digits("best", DIGITS, |found| found.row.rate.best)
        .unit("kernels/s")
        .digits("median", DIGITS, |found| found.row.rate.median)
        .unit("kernels/s")
        .digits("spread", SHARE, |found| percent(Some(found.row.rate.relative_spread())))
        .unit("%")
        .real("times_best", 2, |found| found.row.times[0])
        .real("times_median", 2, |found| found.row.times[1])
        .real("times_spread", 2, |found| found.row.times[2])
        .digits("gap", 2, |found| found.gap)
        .digits("limit", 2, |found| found.limit)
        .digits("load", SHARE, |found| found.row.load)
        .unit("%")
        .caption(
            "Tangent kernels in turns on one core. Times: our rate over that of the program. Gap: the largest distance of an entry \
             from ours over the largest entry; the limit is what rounding explains.",
        )
}

/// Programs whose loss is not ours.
fn disagreements(contest: &Contest) -> Vec<String> {
    let differs = contest.others.iter().filter(|other| !other.agrees());
    let line = |other: &Contender| {
        format!(
            "{} does not learn workload {} as ours does: loss {:.4} instead of {:.4}, {:.1} standard errors apart",
            other.name,
            contest.workload.name,
            other.loss.mean(),
            contest.loss.mean(),
            other.z.abs()
        )
    };
    differs.map(line).collect()
}

/// The whole comparison as one document.
pub fn to_json(comparison: &Comparison) -> Value {
    let rate = |rate: &Summary| json!({ "best": rate.best, "median": rate.median, "spread": rate.spread, "repeats": rate.repeats });
    let other = |other: &Contender| {
        json!({
            "program": other.name,
            "route": other.route,
            "steps_per_s": rate(&other.rate),
            "ratio": {
                "best": other.best_ratio,
                "median": other.median_ratio,
                "spread": other.ratio.spread,
                "repeats": other.ratio.repeats,
            },
            "loss": other.loss.mean(),
            "loss_std_err": other.loss.se(),
            "z": other.z,
            "limit": other.limit,
            "agrees": other.agrees(),
        })
    };
    let contest = |contest: &Contest| {
        json!({
            "workload": contest.workload.name,
            "about": contest.workload.about(),
            "steps": contest.steps,
            "steps_per_s": rate(&contest.rate),
            "start_loss": contest.start,
            "loss": contest.loss.mean(),
            "loss_std_err": contest.loss.se(),
            "foreign_load": contest.load,
            "against": contest.others.iter().map(other).collect::<Vec<_>>(),
        })
    };
    let way = |contest: &KernelContest, way: &Way| {
        json!({
            "program": way.program,
            "route": way.route,
            "kernels_per_s": rate(&way.rate),
            "ratio": {
                "best": way.best_ratio,
                "median": way.median_ratio,
                "spread": way.ratio.spread,
                "repeats": way.ratio.repeats,
            },
            "gap": if way.gap.is_finite() { json!(way.gap) } else { json!("inf") },
            "limit": contest.limit,
            "agrees": way.gap <= contest.limit,
        })
    };
    let kernel = |contest: &KernelContest| {
        json!({
            "kernel": contest.precision.name(),
            "about": about(contest.precision),
            "kernels_per_s": rate(&contest.rate),
            "foreign_load": contest.load,
            "against": contest.ways.iter().map(|one| way(contest, one)).collect::<Vec<_>>(),
        })
    };
    let programs = comparison
        .programs
        .iter()
        .map(|(name, version)| json!({ "name": name, "version": version }));
    let missing = comparison
        .missing
        .iter()
        .map(|m| json!({ "name": m.name, "why": m.why, "install": m.install }));
    json!({
        "machine": machine_json(&comparison.machine),
        "programs": programs.collect::<Vec<_>>(),
        "missing": missing.collect::<Vec<_>>(),
        "workloads": comparison.contests.iter().map(contest).collect::<Vec<_>>(),
        "kernels": comparison.kernels.iter().map(kernel).collect::<Vec<_>>(),
    })
}
