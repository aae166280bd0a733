//! The comparison as lines of text and as JSON.

use super::{Comparison, Contender, Contest, KernelContest, Way};
use crate::Summary;
use crate::table::{BUSY, digits, disturbed, machine_json, machine_line, percent};
use crate::tangent::about;
use fovea_record::present::aligned;
use serde_json::{Value, json};

const OURS: &str = "fovea";

/// The comparison in lines: who takes part, a row a workload and program, and what to know of it.
pub fn lines(comparison: &Comparison) -> Vec<String> {
    let head = [
        "workload",
        "program",
        "best steps/s",
        "median steps/s",
        "spread %",
        "times best",
        "times median",
        "spread",
        "loss",
        "z (limit)",
        "load %",
    ];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    for contest in &comparison.contests {
        cells.push(our_cells(contest));
        cells.extend(contest.others.iter().map(|other| their_cells(contest, other)));
    }
    let versions = comparison.programs.iter().map(|(name, version)| format!("{name} {version}"));
    let programs: Vec<String> =
        std::iter::once(format!("{OURS} {}", env!("CARGO_PKG_VERSION"))).chain(versions).collect();
    let mut lines = vec![
        machine_line(&comparison.machine),
        format!("{}, in turns on one core, each by its CPU time", programs.join(", ")),
        String::new(),
    ];
    if !comparison.contests.is_empty() {
        lines.extend(aligned(&cells));
        lines.push(String::new());
    }
    if !comparison.kernels.is_empty() {
        lines.extend(aligned(&kernel_cells(&comparison.kernels)));
        lines.push(String::new());
    }
    lines.extend(comparison.contests.iter().map(|contest| {
        format!(
            "{}: {}, {} steps a turn",
            contest.workload.name,
            contest.workload.about(),
            contest.steps
        )
    }));
    let kernels = comparison.kernels.iter().map(|contest| contest.precision);
    lines.extend(kernels.map(|kernel| format!("{}: {}", kernel.name(), about(kernel))));
    let missing = comparison.missing.iter();
    lines.extend(missing.map(|m| format!("{} takes no part: {}; {}", m.name, m.why, m.install)));
    lines.extend(comparison.contests.iter().flat_map(disagreements));
    let busy = |contest: &Contest| {
        Some((contest.workload.name.to_owned(), contest.load.filter(|load| *load > BUSY)?))
    };
    let busy_kernel = |contest: &KernelContest| {
        Some((contest.precision.name().to_owned(), contest.load.filter(|load| *load > BUSY)?))
    };
    let kernels = comparison.kernels.iter().filter_map(busy_kernel);
    lines.extend(disturbed(comparison.contests.iter().filter_map(busy).chain(kernels)));
    lines
}

/// A row a kernel and way.
fn kernel_cells(contests: &[KernelContest]) -> Vec<Vec<String>> {
    let head = [
        "workload",
        "program",
        "way",
        "best kernels/s",
        "median kernels/s",
        "spread %",
        "times best",
        "times median",
        "spread",
        "gap (limit)",
        "load %",
    ];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    for contest in contests {
        let name = contest.precision.name().to_owned();
        let mut row = vec![name.clone(), OURS.to_owned(), String::new()];
        row.extend(rate_cells(&contest.rate));
        row.extend(["", "", "", ""].map(str::to_owned));
        row.push(percent(contest.load));
        cells.push(row);
        for way in &contest.ways {
            let mut row = vec![name.clone(), way.program.to_owned(), way.route.clone()];
            row.extend(rate_cells(&way.rate));
            let ratios = [way.best_ratio, way.median_ratio, way.ratio.spread];
            row.extend(ratios.map(|x| format!("{x:.2}")));
            row.push(format!("{:.1e} ({:.1e})", way.gap, contest.limit));
            row.push(String::new());
            cells.push(row);
        }
    }
    cells
}

/// Programs whose loss is not ours.
fn disagreements(contest: &Contest) -> Vec<String> {
    let differs = contest.others.iter().filter(|other| !other.agrees());
    let line = |other: &Contender| {
        format!(
            "{} does not learn workload {} as ours does: loss {:.4} against {:.4}, {:.1} standard errors apart",
            other.name,
            contest.workload.name,
            other.loss.mean(),
            contest.loss.mean(),
            other.z.abs()
        )
    };
    differs.map(line).collect()
}

fn our_cells(contest: &Contest) -> Vec<String> {
    let loss = format!("{:.4} -> {:.4}", contest.start, contest.loss.mean());
    let rate = &contest.rate;
    let mut cells = vec![contest.workload.name.to_owned(), OURS.to_owned()];
    cells.extend(rate_cells(rate));
    cells.extend(["", "", ""].map(str::to_owned));
    cells.extend([loss, String::new(), percent(contest.load)]);
    cells
}

fn their_cells(contest: &Contest, other: &Contender) -> Vec<String> {
    let mut cells = vec![contest.workload.name.to_owned(), other.name.to_owned()];
    cells.extend(rate_cells(&other.rate));
    cells.extend(
        [other.best_ratio, other.median_ratio, other.ratio.spread].map(|x| format!("{x:.2}")),
    );
    cells.extend([
        format!("{:.4}", other.loss.mean()),
        format!("{:+.1} ({:.1})", other.z, other.limit),
        String::new(),
    ]);
    cells
}

fn rate_cells(rate: &Summary) -> [String; 3] {
    [digits(rate.best), digits(rate.median), percent(Some(rate.relative_spread()))]
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
