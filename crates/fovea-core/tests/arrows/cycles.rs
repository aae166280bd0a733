//! Knots: modules that reach each other.

use super::room::Arrow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// One line for each set of modules that reach each other: its shortest cycle, and the places that make it.
pub(super) fn knots(arrows: &BTreeMap<Arrow, String>) -> Vec<String> {
    let modules: BTreeSet<&str> = arrows.keys().map(|(from, _)| from.as_str()).collect();
    let mut told = BTreeSet::new();
    let mut lines = Vec::new();
    for &module in &modules {
        if told.contains(module) || shortest(arrows, module, module).is_none() {
            continue;
        }
        let reach = |from: &str, to: &str| shortest(arrows, from, to).is_some();
        let knot: Vec<&str> =
            modules.iter().copied().filter(|&m| reach(module, m) && reach(m, module)).collect();
        let cycles = knot.iter().filter_map(|m| shortest(arrows, m, m));
        if let Some(cycle) = cycles.min_by_key(Vec::len) {
            lines.push(line_of(&cycle, &knot, arrows));
        }
        told.extend(knot);
    }
    lines
}

/// `a -> b -> a, by places`, and the whole knot where it is larger.
fn line_of(cycle: &[&str], knot: &[&str], arrows: &BTreeMap<Arrow, String>) -> String {
    let places: Vec<&str> = cycle
        .windows(2)
        .map(|pair| arrows[&(pair[0].to_owned(), pair[1].to_owned())].as_str())
        .collect();
    let line = format!("{}, by {}", cycle.join(" -> "), places.join(", "));
    if knot.len() < cycle.len() {
        line
    } else {
        format!("{line}; {} modules are tied: {}", knot.len(), knot.join(", "))
    }
}

/// The shortest way from one module to another along at least one arrow, both ends included.
fn shortest<'a>(
    arrows: &'a BTreeMap<Arrow, String>,
    from: &'a str,
    to: &str,
) -> Option<Vec<&'a str>> {
    let mut ways = VecDeque::from([vec![from]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        let last = way.last().copied()?;
        for (_, next) in arrows.keys().filter(|(start, _)| start == last) {
            let longer = [way.as_slice(), &[next.as_str()]].concat();
            if next == to {
                return Some(longer);
            }
            if seen.insert(next.as_str()) {
                ways.push_back(longer);
            }
        }
    }
    None
}
