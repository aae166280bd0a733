//! Where random starts end, over the plane of couplings, by the exact flow.

use super::PhaseCells;
use super::cells::ladder;
use fovea_desk::bench::Bench;
use fovea_desk::cell::in_dictator_cell;
use fovea_desk::error::LabError;
use fovea_record::outcome::Array;
use fovea_sim::Watch;
use fovea_theory::ising::edge::edge;
use fovea_theory::ising::rest::rest;

/// Ends of random starts at every place.
pub(super) struct Plane {
    /// Mean IPR at rest, row after row of couplings of class pos.
    pub(super) ipr: Vec<f64>,
    /// Share of starts that end with one dominating site.
    one_site: Vec<f64>,
    points: Vec<[f64; 2]>,
}

impl PhaseCells {
    /// Every place of the plane: couplings of class pos and neg, row after row.
    pub(super) fn points(&self) -> Vec<[f64; 2]> {
        let across = ladder(&self.coupling_neg, self.columns - 1);
        let up = ladder(&self.coupling_pos, self.rows - 1);
        up.iter().flat_map(|pos| across.iter().map(move |neg| [*pos, *neg])).collect()
    }
}

impl Plane {
    pub(super) fn new(settings: &PhaseCells, bench: &Bench<'_>) -> Result<Self, LabError> {
        let stream = bench.streams().named("starts");
        let std = (2.0 * settings.init_scale / (settings.n + 1) as f64).sqrt();
        let points = settings.points();
        let jobs: Vec<(usize, usize)> = (0..points.len())
            .flat_map(|place| (0..settings.starts).map(move |start| (place, start)))
            .collect();
        let ends = bench.fleet(&jobs, |(place, start)| {
            let mut w = vec![0.0; settings.n];
            stream.normals((place * settings.starts + start) as u64, &mut w);
            let w: Vec<f64> = w.iter().map(|w| std * w).collect();
            let end = rest(points[*place], &w);
            bench.stepped();
            end
        });
        let share = 1.0 / settings.starts as f64;
        let (mut ipr, mut one_site) = (vec![0.0; points.len()], vec![0.0; points.len()]);
        for ((place, _), end) in jobs.iter().zip(ends) {
            let end = end?;
            ipr[*place] += share * end.ipr();
            one_site[*place] += share * f64::from(u8::from(in_dictator_cell(&end.w)));
        }
        Ok(Self { ipr, one_site, points })
    }

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
