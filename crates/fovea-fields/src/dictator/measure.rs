//! From one site into the dictator state, compared with the linear flow; which starts come back to it; and how often one lies in
//! a cell already.

use super::{Dictator, Kind, WAYS, WITHIN, direction, group};
use fovea_desk::cell::{by_distance, in_dictator_cell, peak, vote};
use fovea_desk::prelude::*;
use fovea_desk::replicas::{jackknife, mean, share};
use fovea_sim::train::held_out_loss;
use fovea_theory::dictator::dominance::dominance;
use fovea_theory::dictator::fixed_point::{FixedPoint, fixed_point, sign_cov};
use fovea_theory::dictator::path::path;
use std::f64::consts::FRAC_2_PI;

/// Distances from the centre that are compared.
pub(super) const REACH: usize = 3;
/// Relaxation times after which what is left of the start cannot be seen.
pub(super) const SETTLING: f64 = 8.0;
/// Samples of each set on which the loss of the mean field is measured.
const EVAL_SAMPLES: usize = 65_536;
/// Random directions behind the share of starts that lie in the cell.
const DIRECTIONS: u64 = 1000;

/// One pair of lengths and its theory.
pub(super) struct Pair {
    pub(super) two: TwoClass,
    /// To tell them apart at infinite gain.
    pub(super) task: Arc<TaskSpec>,
    /// The dictator state, centred on site 0.
    pub(super) point: FixedPoint,
    /// The same with the arcsine of the covariances to first order, a wrong form.
    pub(super) first_order: FixedPoint,
    /// First rows of the covariances of `pos` and `neg`.
    pub(super) rows: [Vec<f64>; 2],
}

impl Pair {
    pub(super) fn new(two: TwoClass) -> Result<Self, LabError> {
        let latent = two.kernels()?.map(|kernel| kernel.first_row);
        let rows = latent.each_ref().map(|row| sign_cov(row));
        let task = two.spec(f64::INFINITY, Labels::Iid);
        let first_order = |row: &Vec<f64>| -> Vec<f64> {
            let others = row[1..].iter().map(|rho| FRAC_2_PI * rho);
            [1.0].into_iter().chain(others).collect()
        };
        let [pos, neg] = latent.each_ref().map(first_order);
        let first_order = fixed_point(&pos, &neg);
        Ok(Self { two, task, point: two.dictator()?, first_order, rows })
    }

    /// The name in records and tables, pos first.
    pub(super) fn name(&self) -> String {
        format!("{},{}", self.two.xi_pos, self.two.xi_neg)
    }

    /// Distance of the dictator state from the nearest wall of its cell, `(|w_0| - sum of the others) / sqrt n`.
    pub(super) fn inner_radius(&self) -> f64 {
        let total: f64 = self.point.w.iter().map(|w| w.abs()).sum();
        (2.0 * self.point.w[0].abs() - total) / (self.point.w.len() as f64).sqrt()
    }

    /// The same in norms of the state.
    pub(super) fn wall(&self) -> f64 {
        self.inner_radius() / norm(&self.point.w)
    }

    /// The unit vector from the state to that wall: every other weight grows, and that of site 0 shrinks.
    pub(super) fn to_the_wall(&self) -> Vec<f64> {
        let unit = 1.0 / (self.point.w.len() as f64).sqrt();
        let towards = |(i, w): (usize, &f64)| if i == 0 { -unit } else { unit } * w.signum();
        self.point.w.iter().enumerate().map(towards).collect()
    }

    /// The state, pushed by `distance` of its norms along a unit vector.
    pub(super) fn pushed(&self, distance: f64, away: &[f64]) -> Vec<f64> {
        let reach = distance * norm(&self.point.w);
        self.point.w.iter().zip(away).map(|(w, x)| w + reach * x).collect()
    }
}

/// The replicas of one pair of lengths.
pub(super) struct Path {
    pub(super) pair: Arc<Pair>,
    /// Time of every record.
    pub(super) times: Vec<f64>,
    /// `at[record][distance]`, the mean over replicas and mirrored sites.
    pub(super) at: Vec<Vec<Estimate>>,
    /// The flow in steps of the same learning rate, and that of the first note, at every record.
    pub(super) flow: [Vec<Vec<f64>>; 2],
    /// Shares of all records of all replicas that lie in the cell of site 0.
    pub(super) inside: f64,
    /// What is left late, where the records reach that far.
    pub(super) late: Option<Late>,
}

/// The late field.
pub(super) struct Late {
    /// Mean over replicas, by distance.
    pub(super) by_distance: Vec<Estimate>,
    /// IPR and loss of the mean field.
    pub(super) ipr: Estimate,
    pub(super) loss: Estimate,
}

impl Path {
    pub(super) fn new(
        settings: &Dictator,
        pair: &Arc<Pair>,
        runs: &Runs,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let runs = runs.group(&group(pair, Kind::Path, 0)).runs;
        let times: Vec<f64> = runs[0].records().iter().map(|recorded| recorded.time).collect();
        let fields: Vec<Vec<&Vec<f64>>> = runs
            .iter()
            .map(|run| run.readings(&probe::weights::ENTRY).iter().map(|units| &units[0]).collect())
            .collect();
        let record = |record: usize| {
            let fields: Vec<&Vec<f64>> = fields.iter().map(|fields| fields[record]).collect();
            by_distance(&fields, settings.n / 2)
        };
        let at = (0..times.len()).map(record).collect::<Result<_, _>>()?;
        let [pos, neg] = &pair.rows;
        let flow = [1.0, 2.0].map(|clock| {
            let at =
                |t: &f64| path(pos, neg, settings.scale, clock * t, clock * settings.descent.lr);
            times.iter().map(at).collect()
        });
        let all = || fields.iter().flatten();
        let inside =
            all().filter(|field| vote(field, 0) > 1.0).count() as f64 / all().count() as f64;
        let mut late = None;
        if let Some(first) = times.iter().position(|t| *t >= SETTLING * pair.point.relaxation) {
            let rest = |fields: &Vec<&Vec<f64>>| -> Vec<Vec<f64>> {
                fields[first..].iter().copied().cloned().collect()
            };
            let rests: Vec<Vec<f64>> =
                fields.iter().map(|fields| mean(&rest(fields), None)).collect();
            let task = pair.two.task(f64::INFINITY, Labels::Iid)?;
            let (network, cost) = (one_unit(&mean(&rests, None))?, &loss::mse::ENTRY);
            let set = |set: u64| {
                held_out_loss::<f64>(&task, &network, cost, &streams.replica(set), EVAL_SAMPLES)
            };
            late = Some(Late {
                by_distance: by_distance(&rests, settings.n / 2)?,
                ipr: jackknife(&rests, ipr)?,
                loss: estimate((0..fields.len() as u64).map(set))?,
            });
        }
        Ok(Self { pair: Arc::clone(pair), times, at, flow, inside, late })
    }

    /// Means, standard errors and the flow, by distance.
    pub(super) fn arrays(&self) -> Vec<Array> {
        let part = |f: fn(&Estimate) -> f64| -> Vec<Vec<f64>> {
            self.at.iter().map(|row| row.iter().map(f).collect()).collect()
        };
        let name = self.pair.name();
        let flow: Vec<Vec<f64>> = self.flow[0].iter().map(|w| w[..=w.len() / 2].to_vec()).collect();
        vec![
            Array::of_rows(format!("mean_xi={name}"), &part(Estimate::mean)),
            Array::of_rows(format!("standard_error_xi={name}"), &part(Estimate::se)),
            Array::of_rows(format!("flow_xi={name}"), &flow),
        ]
    }
}

/// Where starts at one distance ended.
pub(super) struct Ends {
    /// In the cell they were pushed out of.
    pub(super) home: usize,
    /// In any cell.
    pub(super) localized: usize,
    pub(super) count: usize,
}

impl Ends {
    /// Sorts runs that started around the state on site 0.
    fn of(groups: &[Group<'_>]) -> Self {
        let ends: Vec<&[f64]> = groups
            .iter()
            .flat_map(|group| &group.runs)
            .map(|run| run.network().weights())
            .collect();
        let cells = || ends.iter().filter(|w| in_dictator_cell(w));
        let home = cells().filter(|w| peak(w) == 0 && w[0] > 0.0).count();
        Self { home, localized: cells().count(), count: ends.len() }
    }
}

/// Starts at one distance that is less than that of the nearest wall.
pub(super) struct Inside {
    pub(super) ends: Ends,
    /// Where they end: mean over the starts, by distance from the centre.
    pub(super) field: Vec<Estimate>,
    /// The share of the push out of the state that is left at the end.
    pub(super) left: Estimate,
}

impl Inside {
    fn of(pair: &Pair, groups: &[Group<'_>]) -> Result<Self, LabError> {
        let runs = || groups.iter().flat_map(|group| &group.runs);
        let from_state = |w: &[f64]| -> Vec<f64> {
            w.iter().zip(&pair.point.w).map(|(w, state)| w - state).collect()
        };
        let left = runs().filter_map(|run| match &run.job.start {
            Start::Given(network) => {
                let push = from_state(network.weights());
                Some(dot(&from_state(run.network().weights()), &push) / dot(&push, &push))
            }
            _ => None,
        });
        let ended: Vec<&[f64]> = runs().map(|run| run.network().weights()).collect();
        Ok(Self {
            ends: Ends::of(groups),
            field: by_distance(&ended, REACH)?,
            left: estimate(left)?,
        })
    }
}

/// The basin of one pair of lengths.
pub(super) struct Basin {
    pub(super) pair: Arc<Pair>,
    /// `ends[way][distance]`.
    pub(super) ends: [Vec<Ends>; 3],
    /// Those that start closer than the nearest wall: first at the distances above, then at shares of the wall's.
    pub(super) inside: Vec<Inside>,
    /// Share of starts in a random direction that lie in the cell, at many distances.
    pub(super) start_inside: Vec<(f64, f64)>,
    /// When each Glorot start was first seen in a cell, in order; infinite for never.
    pub(super) entered: Vec<f64>,
    /// How many Glorot starts ended in a cell.
    pub(super) glorot: Ends,
}

impl Basin {
    pub(super) fn new(
        settings: &Dictator,
        pair: &Arc<Pair>,
        runs: &Runs,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let of = |kind: Kind, distance: usize| runs.group(&group(pair, kind, distance));
        let distances = 0..settings.distance.len();
        let ends = WAYS.map(|way| distances.clone().map(|d| Ends::of(&[of(way, d)])).collect());
        let closer = |d: &usize| pair.point.exists && settings.distance[*d] < pair.wall();
        let around = distances.clone().filter(closer).map(|d| WAYS.map(|way| of(way, d)).into());
        let within = (0..if pair.point.exists { WITHIN.len() } else { 0 })
            .map(|share| [Kind::Near, Kind::Wall].map(|kind| of(kind, share)).into());
        let inside = around.chain(within).map(|groups: Vec<Group<'_>>| Inside::of(pair, &groups));
        let inside = inside.collect::<Result<_, _>>()?;
        // From the smallest to the largest distance, evenly spaced on a logarithmic axis.
        let [low, high] = extent(&settings.distance);
        let fine = (0..=40).map(|i| low * libm::pow(high / low, f64::from(i) / 40.0));
        let inside_at = |distance: f64| (distance, share_inside(pair, distance, streams));
        let first = |run: &&Trained| {
            let fields = run.readings(&probe::weights::ENTRY);
            let seen = fields.iter().position(|units| in_dictator_cell(&units[0]));
            seen.map_or(f64::INFINITY, |record| run.records()[record].time)
        };
        let glorot = of(Kind::Glorot, 0);
        let mut entered: Vec<f64> = glorot.runs.iter().map(first).collect();
        entered.sort_by(f64::total_cmp);
        let (start_inside, glorot) = (fine.map(inside_at).collect(), Ends::of(&[glorot]));
        Ok(Self { pair: Arc::clone(pair), ends, inside, start_inside, entered, glorot })
    }

    /// Home, elsewhere and count of every way, one row per distance.
    pub(super) fn array(&self) -> Array {
        let row = |d: usize| {
            let at = |ends: &Vec<Ends>| {
                let Ends { home, localized, count } = ends[d];
                [home, localized - home, count]
            };
            self.ends.iter().flat_map(at).map(|count| count as f64).collect()
        };
        let rows: Vec<Vec<f64>> = (0..self.ends[0].len()).map(row).collect();
        Array::of_rows(format!("basin_xi={}", self.pair.name()), &rows)
    }
}

/// How many starts at this distance lie in the cell of the state to begin with.
fn share_inside(pair: &Pair, distance: f64, streams: &Streams) -> f64 {
    let stream = streams.named("directions");
    let mut random = vec![0.0; pair.point.w.len()];
    let inside = (0..DIRECTIONS).filter(|index| {
        stream.normals(*index, &mut random);
        let start = pair.pushed(distance, &direction(Kind::Random, &random));
        vote(&start, 0) > 1.0 && start[0] * pair.point.w[0] > 0.0
    });
    inside.count() as f64 / DIRECTIONS as f64
}

/// How often one of `n` independent normal weights outvotes the others.
pub(super) struct Draw {
    pub(super) n: usize,
    pub(super) counted: Estimate,
    pub(super) closed: f64,
}

impl Draw {
    pub(super) fn all(settings: &Dictator, desk: &Desk<'_>) -> Result<Vec<Self>, LabError> {
        let stream = desk.streams().named("dominance");
        // The closed form reaches further.
        desk.try_fleet(&(2..=10).collect::<Vec<usize>>(), |n| {
            let mut numbers = vec![0.0; n * settings.draws];
            stream.normals(*n as u64, &mut numbers);
            let hits = numbers.chunks(*n).filter(|w| in_dictator_cell(w)).count();
            let counted = share(hits, settings.draws)?;
            Ok::<_, LabError>(Self { n: *n, counted, closed: dominance(*n) })
        })
    }
}
