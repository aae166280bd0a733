//! The tables of `fields-2d`: blobs at both gains and in every network, and how far apart their centres lie.

use super::{Fields2d, Population, Statistic};
use fovea_desk::prelude::*;
use fovea_sim::probe::population::localized_line;

/// Columns of the statistics of the centres.
const Z: [&str; 4] = ["z_covered_share", "z_nearest_other", "z_gaps", "z_rayleigh"];

pub(super) fn tables(settings: &Fields2d, [fields, control]: [&Population<'_>; 2]) -> Vec<Table> {
    let total = |counts: &[usize]| counts.iter().sum::<usize>();
    let both = [(settings.gain, fields), (settings.control_gain, control)];
    let blobs = Table::of("blobs", &both)
        .given("gain", |row| row.0)
        .whole("units", |_| settings.width * settings.seeds)
        .whole("blobs", |row| total(&row.1.blobs))
        .whole("positive", |row| total(&row.1.positive))
        .whole("negative", |row| total(&row.1.blobs) - total(&row.1.positive))
        .estimate("ipr", 4, |row| row.1.ipr)
        .real("localized_above", 4, |_| localized_line(settings.side * settings.side))
        .caption(
            "Blobs among the units of all networks at each gain, those with a positive and a negative peak, and the mean IPR; a \
             field counts as localized above an IPR of 6/n.",
        );
    let seeds: Vec<usize> = (0..fields.tilings.len()).collect();
    let mut networks = Table::of("networks", &seeds)
        .whole("network", |seed| *seed)
        .whole("units", |_| settings.width)
        .whole("blobs", |seed| fields.blobs[*seed]);
    for (at, name) in Z.into_iter().enumerate() {
        networks = networks.real(name, 1, |seed| fields.tilings[*seed][at].z);
    }
    let networks = networks.caption(
        "Networks at the high gain: their blobs, and the statistics of the centres of their localized fields in standard \
         deviations over random positions.",
    );
    let statistics: Vec<(&str, Vec<Statistic>)> = (0..Z.len())
        .map(|at| (fields.tilings[0][at].name, fields.tilings.iter().map(|t| t[at]).collect()))
        .collect();
    let over = |all: &[Statistic], of: fn(&Statistic) -> f64| {
        mean(&all.iter().map(of).collect::<Vec<_>>())
    };
    let centres = Table::of("centres", &statistics)
        .words("statistic", |row| row.0)
        .real("here", 4, |row| over(&row.1, |s| s.value))
        .real("random", 4, |row| over(&row.1, |s| s.null))
        .real("z", 2, |row| over(&row.1, |s| s.z) * (row.1.len() as f64).sqrt())
        .caption(
            "Centres of localized fields compared with random positions, mean over the networks at the high gain; z: the sum of z over \
             networks, divided by the square root of their number.",
        );
    vec![blobs, networks, centres]
}
