//! The results of every theory, compared with training: gated means at random weights, paths from the same starts, the published
//! panel, and the exponent of the algebraic distribution at which a field neither sharpens nor flattens.

use super::Amplifier;
use super::theories::{EXACT, Theory, class_rows, theories};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_desk::two_class::{random_start, relative_distance};
use fovea_theory::amplifier::phi::phi;
use fovea_theory::copula::Marginal;
use fovea_theory::ising::dictator::dictator;
use fovea_theory::kur::zero_excess::zero_excess;
use fovea_theory::site::Site;
use fovea_theory::{AmplifierFlow, UnitFlow};

/// Couplings at which gated means are compared.
pub(super) const COUPLINGS: [f64; 3] = [0.0, 0.3, 0.7];

/// How far each theory's gated mean is from the sum over all corners: one row per draw of weights, one column per approximation.
pub(super) fn errors(
    settings: &Amplifier,
    coupling: f64,
    streams: &Streams,
) -> Result<Vec<Vec<f64>>, LabError> {
    let theories = theories(settings.n, coupling, coupling)?;
    let stream = streams.named("directions");
    let draw = |draw: u64| {
        let mut w = vec![0.0; settings.n];
        stream.normals(draw, &mut w);
        let f = theories.each_ref().map(|theory| theory.gated_mean(&w));
        f[..EXACT].iter().map(|near| relative_distance(near, &f[EXACT])).collect()
    };
    Ok((0..settings.draws as u64).map(draw).collect())
}

/// A start of the flows and of SGD.
pub(super) fn start(n: usize, init_scale: f64, streams: &Streams, index: u64) -> Vec<f64> {
    random_start(n, init_scale, &streams.named("start"), index)
}

/// One start: how far every theory is from SGD at the records, and where all of them end. The last entry is SGD itself.
pub(super) struct Path {
    /// Distances from the trained field, at every record.
    pub(super) distances: Vec<Vec<f64>>,
    /// Ends, turned so that the exact one has its peak at site 0, where it is positive.
    pub(super) ends: Vec<Vec<f64>>,
}

impl Path {
    /// Follows every theory by the descent SGD takes, without its noise, from where SGD began.
    pub(super) fn follow(settings: &Amplifier, theories: &[Theory; 5], run: &Trained) -> Self {
        let Descent { lr, steps, .. } = settings.descent;
        let fields: Vec<Vec<f64>> =
            run.readings(&probe::weights::ENTRY).iter().map(|units| units[0].clone()).collect();
        let follow = |theory: &Theory| {
            let (mut at_records, mut step) = (Vec::new(), 0);
            theory.euler_map(&fields[0], lr, steps, |_, w| {
                if step % settings.record_every == 0 || step == steps {
                    at_records.push(w.to_vec());
                }
                step += 1;
            });
            at_records
        };
        let paths: Vec<_> = theories.iter().map(follow).chain([fields.clone()]).collect();
        let last = fields.len() - 1;
        let exact = &paths[EXACT][last];
        let (at, sign) = (peak(exact), 1.0_f64.copysign(exact[peak(exact)]));
        let turned = |w: &[f64]| (0..w.len()).map(|i| sign * w[(i + at) % w.len()]).collect();
        let distances = |path: &Vec<Vec<f64>>| {
            path.iter().zip(&fields).map(|(w, trained)| relative_distance(w, trained)).collect()
        };
        Self {
            distances: paths.iter().map(distances).collect(),
            ends: paths.iter().map(|path| turned(&path[last])).collect(),
        }
    }
}

/// Sites and couplings of the published panel, and a time long enough for every flow to stand still but for the slow drift between sites.
const SITES: usize = 40;
const PUBLISHED: [f64; 2] = [0.7, 0.3];
const TIME: f64 = 200.0;

/// Peaks at which flows of that panel end: amplifier, cubic, the published program's cubic, and the exact one in the dictator state.
pub(super) fn published(starts: u64, streams: &Streams) -> [f64; 4] {
    let [pos, neg] = PUBLISHED;
    let rows = class_rows(SITES, pos, neg);
    let flows = [Theory::amplifier(&rows), Theory::cubic(&rows), Theory::program(&rows)];
    let mut peaks = [0.0, 0.0, 0.0, dictator(SITES, pos, neg).w[0]];
    for index in 0..starts {
        let w = start(SITES, 1e-3, streams, index);
        for (sum, flow) in peaks.iter_mut().zip(&flows) {
            let end = flow.euler_map(&w, 0.1, (TIME / 0.1) as usize, |_, _| ());
            *sum += end[peak(&end)].abs() / starts as f64;
        }
    }
    peaks
}

/// Classes and clock of the published sweep: 1000 steps of 0.2 in our loss.
const CLASSES: TwoClass = TwoClass { n: 40, xi_pos: 0.7, xi_neg: 0.3, kernel: Kernel::Ring };
const RATE: f64 = 0.2;
const STEPS: usize = 1000;

/// The exponent at which the amplifier of the algebraic distribution meets the Gaussian line at this correlation.
fn neutral_exponent(a: f64) -> f64 {
    let line = phi(Site::Gaussian, a);
    let (mut low, mut high) = (4.01, 12.0);
    // More than the digits of the amplifier leave.
    for _ in 0..45 {
        let middle = 0.5 * (low + high);
        let flattens = phi(Site::Copula(Marginal::Kur { k: middle }), a) < line;
        if flattens { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Final IPR under the amplifier, over exponents.
pub(super) struct Neutral {
    /// Exponents, ascending.
    pub(super) k: Vec<f64>,
    /// IPR of every start, exponent by exponent.
    pub(super) iprs: Vec<Vec<f64>>,
    /// Their means.
    pub(super) means: Vec<Estimate>,
    /// The same on Gaussian data, and its mean.
    pub(super) gaussian: Vec<f64>,
    pub(super) level: f64,
    /// Correlations of site and preactivation, and the exponent neutral at each.
    pub(super) curve: Vec<Vec<f64>>,
}

impl Neutral {
    pub(super) fn measure(settings: &Amplifier, desk: &Desk<'_>) -> Result<Self, LabError> {
        let streams = desk.streams();
        let [pos, neg] = CLASSES.kernels()?.map(|kernel| kernel.first_row);
        let end = |site: &Site| -> Vec<f64> {
            let flow = AmplifierFlow::from_latent(*site, &pos, &neg);
            let run = |index: u64| {
                let w = start(CLASSES.n, 1e-3, &streams, index);
                ipr(&flow.euler_map(&w, RATE, STEPS, |_, _| ()))
            };
            (0..settings.inits as u64).map(run).collect()
        };
        let mut k = [&settings.k[..], &[zero_excess()]].concat();
        k.sort_by(f64::total_cmp);
        let kur = k.iter().map(|k| Site::Copula(Marginal::Kur { k: *k }));
        let sites: Vec<Site> = [Site::Gaussian].into_iter().chain(kur).collect();
        let mut iprs = desk.fleet(&sites, end)?;
        let gaussian = iprs.remove(0);
        let curve = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
        let curve = curve.map(|a| vec![a, neutral_exponent(a)]).to_vec();
        let means =
            iprs.iter().map(|iprs| Estimate::from_samples(iprs)).collect::<Result<_, _>>()?;
        let level = Estimate::from_samples(&gaussian)?.mean();
        Ok(Self { k, iprs, means, gaussian, level, curve })
    }

    /// Where the mean IPR over exponents crosses that of Gaussian data, between two of them.
    pub(super) fn crossing(&self) -> Option<f64> {
        let gap: Vec<f64> = self.means.iter().map(|mean| mean.mean() - self.level).collect();
        let i = (1..gap.len()).find(|i| gap[i - 1] <= 0.0 && gap[*i] > 0.0)?;
        let share = gap[i - 1] / (gap[i - 1] - gap[i]);
        Some(self.k[i - 1] + share * (self.k[i] - self.k[i - 1]))
    }
}
