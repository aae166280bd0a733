//! What the cells say: claims, arrays and the lines a person reads.

use super::PhaseCells;
use super::measure::{Cells, Place, Plane, Region};
use fovea_desk::prelude::*;
use fovea_theory::ising::edge::edge;
use fovea_theory::ising::majority::majority;

impl Cells {
    pub(super) fn claims(&self, settings: &PhaseCells) -> Vec<Claim> {
        vec![
            self.edges_agree(settings),
            self.depths_agree(settings),
            self.ends_hold(),
            self.flat_holds(),
        ]
    }

    fn edges_agree(&self, settings: &PhaseCells) -> Claim {
        let column = |i: usize| self.edges.iter().map(|row| row[i]).collect::<Vec<f64>>();
        let other: Vec<f64> = self.edges.iter().map(|row| edge(2 * settings.n, row[0])).collect();
        let statement =
            "strongest coupling at which one site can dominate: closed form, and all corners";
        Claim::exact("L000.39", statement, &column(1), &column(2), 1e-9).rejecting_exact(
            "the edge of a ring twice as large",
            &other,
            &column(2),
        )
    }

    fn depths_agree(&self, settings: &PhaseCells) -> Claim {
        let each = |of: &dyn Fn(&Place) -> f64| self.places.iter().map(of).collect::<Vec<f64>>();
        let corners = each(&|place| place.depth);
        let closed = each(&|place| place.closed.depth.max(0.0));
        let single = each(&|place| {
            majority(settings.n, 1, place.coupling_pos, place.coupling_neg).depth.max(0.0)
        });
        let statement = "by the Walsh expansion of its gate, the depth of a majority's target in its cell, 0 where there is none: moments of spins, and all corners";
        Claim::exact("L000.35", statement, &closed, &corners, 1e-9).rejecting_exact(
            "the largest weight decides alone",
            &single,
            &corners,
        )
    }

    fn ends_hold(&self) -> Claim {
        let held = || self.places.iter().filter_map(|place| place.end.map(|end| (place, end)));
        let ends: Vec<f64> = held().map(|(_, end)| end).collect();
        let targets: Vec<f64> = held().map(|(place, _)| place.closed.ipr).collect();
        let gates: Vec<f64> = held().map(|(place, _)| 1.0 / place.size as f64).collect();
        let statement =
            "IPR where the exact flow ends that starts inside a cell which contains its target";
        if ends.is_empty() {
            let why = "no cell exists at any place of this plane";
            return Claim::undecided("L000.39", statement, f64::NAN, why);
        }
        Claim::exact("L000.39", statement, &targets, &ends, 1e-9).rejecting_exact(
            "equal weights on the sites that vote",
            &gates,
            &ends,
        )
    }

    fn flat_holds(&self) -> Claim {
        let predicted: Vec<f64> = self.flat.iter().map(|(n, _)| 1.0 / *n as f64).collect();
        let measured: Vec<f64> = self.flat.iter().map(|(_, depth)| *depth).collect();
        let statement = "the flat field is the majority vote of all sites: on rings of odd size it lies 1/n deep in its cell at every coupling";
        Claim::exact("L000.25", statement, &predicted, &measured, 1e-9).rejecting_exact(
            "on a wall, as on rings of even size",
            &vec![0.0; measured.len()],
            &measured,
        )
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let row = |place: &Place| {
            let at = [place.coupling_neg, place.coupling_pos, place.size as f64];
            [&at[..], &[place.closed.depth, place.depth, place.closed.ipr]].concat()
        };
        let rows: Vec<Vec<f64>> = self.places.iter().map(row).collect();
        let mut arrays = vec![Array::of_rows("depths", &rows)];
        let held = self.regions.iter().filter(|region| !region.ends.is_empty());
        arrays.extend(held.map(|Region { n, size, ends }| {
            let rows: Vec<Vec<f64>> = ends.iter().map(|row| row.to_vec()).collect();
            Array::of_rows(format!("region_n={n}_size={size}"), &rows)
        }));
        arrays
    }

    pub(super) fn summary(&self, settings: &PhaseCells) -> Vec<String> {
        let (small, large) = (format!("n={}", settings.n), format!("n={}", settings.n_large));
        let mut lines = vec![format!(
            "one site can dominate up to coupling_pos: {:>12} {small:>10} {large:>10}",
            "coupling_neg"
        )];
        for [neg, closed, _] in &self.edges {
            let large = edge(settings.n_large, *neg);
            lines.push(format!("{neg:>55} {closed:>10.4} {large:>10.4}"));
        }
        for size in &settings.size {
            let all = || self.places.iter().filter(|place| place.size == *size);
            let exist = all().filter(|place| place.closed.exists).count();
            lines.push(format!(
                "majority of {size} on {} sites: exists at {exist} of {} places",
                settings.n,
                all().count()
            ));
        }
        lines
    }
}

impl Plane {
    pub(super) fn array(&self) -> Array {
        let rows: Vec<Vec<f64>> = self
            .points
            .iter()
            .zip(self.ipr.iter().zip(&self.one_site))
            .map(|([pos, neg], (ipr, one))| vec![*neg, *pos, *ipr, *one])
            .collect();
        Array::of_rows("random_starts", &rows)
    }

    pub(super) fn summary(&self, settings: &PhaseCells) -> Vec<String> {
        let share = |keep: &dyn Fn(&[f64; 2]) -> bool| {
            let kept = || self.points.iter().zip(&self.one_site).filter(|(at, _)| keep(at));
            (kept().map(|(_, one)| one).sum::<f64>(), kept().count() as f64)
        };
        let line = |name: &str, (sum, count): (f64, f64)| {
            let percent = if count > 0.0 { 100.0 * sum / count } else { 0.0 };
            format!(
                "random starts that end with one dominating site, {name}: {percent:.0} % of {count} places"
            )
        };
        let below = |at: &[f64; 2]| at[0] < edge(settings.n, at[1]);
        vec![
            line("J+ > J-, below the edge", share(&|at| at[0] > at[1] && below(at))),
            line("J+ < J-", share(&|at| at[0] < at[1])),
            line("beyond the edge", share(&|at| at[0] > at[1] && !below(at))),
        ]
    }
}
