//! Predictors of the site at which a field ends, and how often they are right.

use super::{ID, WhereItLands, name};
use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_core::ring::{circulant_apply, distance};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_desk::replicas::share;
use fovea_theory::GaussianFlow;

/// The predictors of the site at which a field ends: their names in tables and in figures.
pub(super) const PREDICTORS: [[&str; 2]; 7] = [
    // The largest weight of the start.
    ["largest |w(0)|", "$|w(0)|$"],
    // The largest entry of the latent covariance times the start.
    ["largest |S w(0)|", "$|\\Sigma_+ w(0)|$"],
    // The largest entry of the data's covariance times the start.
    ["largest |C w(0)|", "$|C_+ w(0)|$"],
    // The largest entry after one step of gate and regression, with the Gaussian teacher.
    ["largest |M^-1 C w(0)|", "$|M^{-1} C_+ w(0)|$"],
    // The largest weight of the Gaussian flow at the hand-over.
    ["Gaussian flow at t*", "Gaussian flow, $t^*$"],
    // The largest weight of the field itself at the hand-over.
    ["the field at t*", "the field, $t^*$"],
    // Where another run from the same start ended.
    ["another run", "another run"],
];
pub(super) const LARGEST: usize = 0;
pub(super) const COVARIANCE: usize = 2;
pub(super) const FLOW: usize = 4;
/// Those before it need no training.
pub(super) const FIELD: usize = 5;

/// Where the starts ended at one gain, and where they were expected to.
pub(super) struct Landings {
    pub(super) gain: f64,
    /// Site of the largest weight at the end.
    pub(super) landed: Vec<usize>,
    /// Final fields.
    pub(super) fields: Vec<Vec<f64>>,
    /// Sites by predictor; those of another run are fewer.
    pub(super) expected: [Vec<usize>; 7],
    /// Time of the hand-over, the median over the starts.
    pub(super) handover: f64,
    pub(super) times: Vec<f64>,
    /// Share of starts whose field, and whose Gaussian flow, has its largest weight at the final site, at every record.
    pub(super) by_time: [Vec<f64>; 2],
}

impl Landings {
    pub(super) fn new(
        settings: &WhereItLands,
        gain: f64,
        (starts, times): (&[Vec<f64>], &[f64]),
        runs: &Runs,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let run = |start: usize, samples: u64| runs.get(&name(gain, start, samples));
        let fields: Vec<Vec<f64>> =
            (0..starts.len()).map(|start| run(start, 0).network().weights().to_vec()).collect();
        let landed: Vec<usize> = fields.iter().map(|field| peak(field)).collect();
        let flow = settings.two.matched_gaussian_flow(gain)?;
        let flows = desk.fleet(starts, |start| Followed::new(&flow, start, times))?;
        let peaks = |start: usize| -> Vec<usize> {
            let readings = run(start, 0).readings(&probe::weights::ENTRY);
            readings.iter().map(|units| peak(&units[0])).collect()
        };
        // The largest weight of every start at every record.
        let sites: Vec<Vec<usize>> = (0..starts.len()).map(peaks).collect();
        let latent = settings.two.kernels()?[0].first_row.clone();
        let at_handover = |(sites, flow): (&Vec<usize>, &Followed)| {
            let after = times.partition_point(|t| *t < flow.time);
            sites[after.min(times.len() - 1)]
        };
        let again = |start: usize| peak(run(start, 1).network().weights());
        let expected = [
            starts.iter().map(|w| peak(w)).collect(),
            starts.iter().map(|w| peak(&circulant_apply(&latent, w))).collect(),
            starts.iter().map(|w| peak(&image(&flow, w, false))).collect(),
            starts.iter().map(|w| peak(&image(&flow, w, true))).collect(),
            flows.iter().map(|flow| flow.site).collect(),
            sites.iter().zip(&flows).map(at_handover).collect(),
            (0..settings.again.min(starts.len())).map(again).collect(),
        ];
        let at_the_end = |sites: Vec<&Vec<usize>>| -> Vec<f64> {
            let share = |record: usize| {
                let here = sites.iter().zip(&landed).filter(|(at, end)| at[record] == **end);
                here.count() as f64 / landed.len() as f64
            };
            (0..times.len()).map(share).collect()
        };
        let by_time = [sites.iter().collect(), flows.iter().map(|flow| &flow.sites).collect()];
        let by_time = by_time.map(at_the_end);
        let mut handovers: Vec<f64> = flows.iter().map(|flow| flow.time).collect();
        handovers.sort_by(f64::total_cmp);
        let handover = handovers[handovers.len() / 2];
        Ok(Self { gain, landed, fields, expected, handover, times: times.to_vec(), by_time })
    }

    /// How far off a predictor is, on the ring, for every start that it predicts.
    pub(super) fn misses(&self, predictor: usize) -> Vec<usize> {
        let pairs = self.expected[predictor].iter().zip(&self.landed);
        pairs.map(|(a, b)| distance(*a, *b, self.fields[0].len())).collect()
    }

    /// How often a predictor is right.
    pub(super) fn hit_rate(&self, predictor: usize) -> Result<Estimate, LabError> {
        let misses = self.misses(predictor);
        share(misses.iter().filter(|miss| **miss == 0).count(), misses.len())
    }

    /// The best of the predictors that need no training; of equals the first.
    pub(super) fn best(&self) -> usize {
        let hits = |p: &usize| self.misses(*p).iter().filter(|miss| **miss == 0).count();
        (0..FIELD).rev().max_by_key(hits).unwrap_or(LARGEST)
    }

    /// The covariance image of the start and the peak at the hand-over predict where the field ends better than chance.
    pub(super) fn claims(&self) -> Result<Vec<Claim>, LabError> {
        let (n, gain) = (self.fields[0].len(), Value::Real(self.gain));
        let claim = |(predictor, id, what): (usize, &'static str, &str)| {
            let statement =
                format!("gain {gain}: {what} is the site where it ends more often than one in {n}");
            Ok(one_sided(id, statement, self.hit_rate(predictor)?, 1.0 / n as f64, true))
        };
        let image = (COVARIANCE, ID, "the largest entry of C_pos w(0)");
        let field = (FIELD, "L001.70/maximum", "the peak of the field at the hand-over");
        [image, field].into_iter().map(claim).collect()
    }

    /// The final site and that of every predictor; minus one where it has none.
    pub(super) fn array(&self) -> Array {
        let row = |(i, site): (usize, &usize)| {
            let said = self.expected.iter().map(|sites| sites.get(i).map_or(-1.0, |s| *s as f64));
            [*site as f64].into_iter().chain(said).collect()
        };
        let rows: Vec<Vec<f64>> = self.landed.iter().enumerate().map(row).collect();
        Array::of_rows(format!("sites_gain={}", Value::Real(self.gain)), &rows)
    }
}

/// `C_pos w`, or `(C_pos + C_neg)^-1 C_pos w`.
pub fn image(flow: &GaussianFlow, w: &[f64], divided: bool) -> Vec<f64> {
    let mut u = to_fourier(w);
    for (j, u) in u.iter_mut().enumerate() {
        let k = frequency_of(j, w.len());
        let (pos, neg) = (flow.eigs_pos[k], flow.eigs_neg[k]);
        *u *= if divided { pos / (pos + neg) } else { pos };
    }
    from_fourier(&u)
}

/// The Gaussian flow from one start: when its teacher term takes over, and where its peak is then (L000.43).
pub struct Followed {
    /// When the teacher term first balances the decay.
    pub time: f64,
    /// The largest weight then.
    site: usize,
    /// The largest weight at each of the times asked for.
    pub sites: Vec<usize>,
}

impl Followed {
    /// Follows the flow in small steps to the last of `times`.
    pub fn new(flow: &GaussianFlow, start: &[f64], times: &[f64]) -> Self {
        const STEP: f64 = 0.02;
        let end = times.last().copied().unwrap_or(0.0);
        let (mut handover, mut sites) = (None, Vec::new());
        let mut last = start.to_vec();
        flow.euler_map(start, STEP, (end / STEP).ceil() as usize, |t, u| {
            let due = |at: &f64| *at <= t + 0.5 * STEP;
            if handover.is_none() && teacher_over_decay(flow, u) >= 1.0 {
                handover = Some((t, peak(&from_fourier(u))));
            }
            while times.get(sites.len()).is_some_and(due) {
                last = from_fourier(u);
                sites.push(peak(&last));
            }
        });
        sites.resize(times.len(), peak(&last));
        let (time, site) = handover.unwrap_or((end, peak(&last)));
        Self { time, site, sites }
    }
}

/// `|f/2| / |(C_neg + C_pos) w/4|` on Gaussian data (L000.43).
pub fn teacher_over_decay(flow: &GaussianFlow, u: &[f64]) -> f64 {
    let (mut teacher, mut decay, mut variance) = (0.0, 0.0, 0.0);
    for (j, u) in u.iter().enumerate() {
        let k = frequency_of(j, flow.n());
        let (pos, neg) = (flow.eigs_pos[k], flow.eigs_neg[k]);
        variance += pos * u * u;
        teacher += pos * pos * u * u;
        decay += (pos + neg) * (pos + neg) * u * u;
    }
    2.0 * (teacher / (std::f64::consts::TAU * variance * decay)).sqrt()
}
