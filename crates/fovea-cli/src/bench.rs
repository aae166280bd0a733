//! `fovea bench`: the speed of this machine, row by row.

use crate::exit::{FAILED, FINE, INTERRUPTED};
use crate::machine::choose_level;
use crate::progress::Display;
use crate::stop::stop_switch;
use crate::{args, out, progress};
use clap::{Arg, ArgAction, ArgMatches, Command};
use fovea_lab::speed::{Setting, Told, against, measure, select, to_json, told};
use fovea_lab::table::wrapped;
use fovea_lab::{Conditions, LabError};

const ABOUT: &str = "\
Rows: peak (multiply-adds in registers), sample (sampling one stimulus), step (training on one core), double (in \
double precision), threads (one network on all cores), fleet (many networks at once), draw and network (the two halves of a \
step), ntk (the tangent kernel of a deep network), eigen and jacobi (decomposing a symmetric matrix, by the method in use and by \
the one that tests it), scaling (a step against ring, width, batch and number of networks, with the exponents). Workloads a to e: \
one unit and twelve units on Gaussian data; a hundred on nonlinear data, on 40 sites and on 400; a hundred on pulses.

best, median and spread (between the quartiles) are over repeats of some hundredths of a second. One-core rows are timed by the \
CPU time of a thread pinned to the quietest core, so other programs hardly change them; the others by wall time. load is the \
share of all cores that other programs used meanwhile.

With --against, Fovea and programs for JAX and PyTorch train the same workloads in turns, all on one core and by CPU time; times \
is our rate over theirs. After each turn every program reports its loss on fresh samples; z is its distance from ours in standard \
errors, and beyond the limit the programs do not compute the same: exit status 1. Tangent kernels are computed in every way \
each program offers; gap is the largest difference of an entry from ours, divided by the largest entry, and rounding explains it \
up to its limit.

With --json one object of type `bench`: machine, rows (name, about, unit, best, median, spread, repeats, cores, clock, path, \
foreign_load, and relations to other rows) and seconds; --against has programs, missing, workloads and kernels instead of rows.";

pub(crate) fn command() -> Command {
    Command::new("bench")
        .about("Measure the speed of this machine: samplers, training steps, share of its peak")
        .after_help(ABOUT)
        .args_override_self(true)
        .arg(
            Arg::new("only")
                .long("only")
                .value_name("NAME")
                .num_args(1..)
                .action(ArgAction::Append)
                .help("Only these rows (--against: workloads), by name or beginning, such as step-b or sample"),
        )
        .arg(
            Arg::new("against")
                .long("against")
                .value_name("PYTHON")
                .help("Let JAX and PyTorch train the same workloads in turns with Fovea; PYTHON has one of them"),
        )
        .arg(args::quick("Few, short repeats: a few seconds, rough numbers"))
        .arg(args::simd())
        .arg(args::json())
}

pub(crate) fn bench(matches: &ArgMatches) -> Result<u8, LabError> {
    choose_level(matches)?;
    let names: Vec<String> =
        matches.get_many::<String>("only").into_iter().flatten().cloned().collect();
    let setting = if matches.get_flag("quick") { Setting::QUICK } else { Setting::FULL };
    let said = match matches.get_one::<String>("against") {
        Some(python) => compare(python, &names, setting)?,
        None => table(&names, setting)?,
    };
    let Some(Said { told, mut document, code, seconds }) = said else {
        out::talk("interrupted: nothing was measured to the end");
        return Ok(INTERRUPTED);
    };
    if matches.get_flag("json") {
        document["seconds"] = seconds.into();
        out::json("bench", document);
    } else {
        say(&told, progress::width());
    }
    Ok(code)
}

/// Lines of `width` characters: what was measured on, the tables, and what to know of them.
fn say(told: &Told, width: usize) {
    let paragraph = |text: &String| wrapped(text, width).iter().for_each(out::line);
    told.head.iter().for_each(paragraph);
    for table in &told.tables {
        out::line("");
        let below: &[&str] = if width < BROAD { &["what"] } else { &[] };
        table.lines_below(width, below).iter().for_each(out::line);
    }
    if !told.remarks.is_empty() {
        out::line("");
    }
    told.remarks.iter().for_each(paragraph);
}

/// Columns of a terminal from which on a row has room for what is done, too.
const BROAD: usize = 150;

/// What there is to say, in both forms.
struct Said {
    told: Told,
    document: serde_json::Value,
    code: u8,
    seconds: f64,
}

fn table(names: &[String], setting: Setting) -> Result<Option<Said>, LabError> {
    let rows = select(names)?;
    let (stop, display) = (stop_switch(), Display::new("bench", "rows"));
    let table = measure(&rows, setting, &Conditions::new(0, &display, &stop));
    display.clear();
    let seconds = display.seconds();
    Ok(table?.map(|table| Said {
        told: told(&table),
        document: to_json(&table),
        code: FINE,
        seconds,
    }))
}

fn compare(python: &str, names: &[String], setting: Setting) -> Result<Option<Said>, LabError> {
    let chosen = against::select(names)?;
    let (stop, display) = (stop_switch(), Display::new("bench", "turns"));
    let conditions = Conditions::new(0, &display, &stop);
    let compared = against::compare(python, &chosen, setting, &conditions);
    display.clear();
    let seconds = display.seconds();
    Ok(compared?.map(|all| Said {
        told: against::told(&all),
        document: against::to_json(&all),
        code: if all.agrees() { FINE } else { FAILED },
        seconds,
    }))
}
