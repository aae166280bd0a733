//! Claims on cells, and tables.

use super::PhaseCells;
use super::measure::{Found, Place};
use fovea_desk::prelude::*;
use fovea_theory::ising::edge::edge;
use fovea_theory::ising::majority::majority;

/// The experiment's own name: the catalogue has the closed forms behind the cells, not the cells themselves.
const ID: &str = "phase-cells";

pub(super) fn claims(settings: &PhaseCells, found: &Found) -> Vec<Claim> {
    vec![edges(settings, found), depths(settings, found), ends(found), flat(found)]
}

fn edges(settings: &PhaseCells, Found { edges, .. }: &Found) -> Claim {
    let column = |i: usize| edges.iter().map(|row| row[i]).collect::<Vec<f64>>();
    let other: Vec<f64> = edges.iter().map(|row| edge(2 * settings.n, row[0])).collect();
    let statement = "strongest coupling at which one site can dominate: closed form, and all corners of the cube";
    let claim = Claim::exact(ID, statement, &column(1), &column(2), 1e-9);
    claim.rejecting_exact("the edge of a ring twice as large", &other, &column(2))
}

fn depths(settings: &PhaseCells, Found { places, .. }: &Found) -> Claim {
    let each = |of: &dyn Fn(&Place) -> f64| places.iter().map(of).collect::<Vec<f64>>();
    let corners = each(&|place| place.depth);
    let closed = each(&|place| place.closed.depth.max(0.0));
    let single = each(&|place| {
        majority(settings.n, 1, place.coupling_pos, place.coupling_neg).depth.max(0.0)
    });
    let statement = "by the Walsh expansion of its gate, the depth of a majority's target in its cell, 0 where there is none: moments of spins, and all corners";
    let claim = Claim::exact(ID, statement, &closed, &corners, 1e-9);
    claim.rejecting_exact("the largest weight decides alone", &single, &corners)
}

fn ends(Found { places, .. }: &Found) -> Claim {
    let held = || places.iter().filter(|place| place.end.is_some());
    let ends: Vec<f64> = held().filter_map(|place| place.end).collect();
    let targets: Vec<f64> = held().map(|place| place.closed.ipr).collect();
    let gates: Vec<f64> = held().map(|place| 1.0 / place.size as f64).collect();
    let statement =
        "IPR where the exact flow ends from a start inside a cell that contains its target";
    if ends.is_empty() {
        let why = "no cell exists at any of these couplings";
        return Claim::undecided(ID, statement, f64::NAN, why);
    }
    let claim = Claim::exact(ID, statement, &targets, &ends, 1e-9);
    claim.rejecting_exact("equal weights on the sites that vote", &gates, &ends)
}

fn flat(Found { flat, .. }: &Found) -> Claim {
    let (predicted, measured): (Vec<f64>, Vec<f64>) =
        flat.iter().map(|(n, depth)| (1.0 / *n as f64, *depth)).unzip();
    let statement = "the flat field is the majority vote of all sites: on rings of odd size it lies 1/n deep in its cell at every coupling";
    let claim = Claim::exact(ID, statement, &predicted, &measured, 1e-9);
    let wall = vec![0.0; measured.len()];
    claim.rejecting_exact("on a wall, as on rings of even size", &wall, &measured)
}

/// How far one site can dominate, where majorities exist, and where random starts end.
pub(super) fn tables(settings: &PhaseCells, found: &Found) -> Vec<Table> {
    let PhaseCells { n, n_large, .. } = *settings;
    let rings: Vec<(f64, usize, f64)> = found
        .edges
        .iter()
        .flat_map(|[neg, own, _]| [(*neg, n, *own), (*neg, n_large, edge(n_large, *neg))])
        .collect();
    let edges = Table::of("edges", &rings)
        .given("coupling_neg", |row| row.0)
        .whole("n", |row| row.1)
        .real("coupling_pos", 4, |row| row.2)
        .caption("The coupling of class pos up to which one site can dominate, per coupling of class neg and ring size.");
    let majorities = Table::of("majorities", &settings.size)
        .whole("size", |size| *size)
        .whole("exists", |size| {
            let here = |place: &&Place| place.size == *size && place.closed.exists;
            found.places.iter().filter(here).count()
        })
        .whole("places", |size| found.places.iter().filter(|place| place.size == *size).count())
        .caption(format!("The number of pairs of couplings at which a majority of this many neighbours exists on {n} sites."));
    let below = |neg: f64, pos: f64| pos < edge(n, neg);
    let shares = |kept: &dyn Fn(f64, f64) -> bool| -> Vec<f64> {
        found.random.iter().filter(|row| kept(row[0], row[1])).map(|row| row[3]).collect()
    };
    let regions = [
        ("J+ > J-, below the edge", shares(&|neg, pos| pos > neg && below(neg, pos))),
        ("J+ < J-", shares(&|neg, pos| pos < neg)),
        ("beyond the edge", shares(&|neg, pos| pos > neg && !below(neg, pos))),
    ];
    let starts = Table::of("random_starts", &regions)
        .words("region", |(name, _)| *name)
        .real("one_site", 0, |(_, shares)| 100.0 * shares.iter().sum::<f64>() / shares.len() as f64)
        .unit("% of starts")
        .whole("places", |(_, shares)| shares.len())
        .caption("Share of random starts that end with one dominating site, by region of the plane of couplings (J+ of class pos, J- of class neg), and the number of pairs of couplings there.");
    vec![edges, majorities, starts]
}
