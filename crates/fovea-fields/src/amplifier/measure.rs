//! What every theory comes to beside training: gated means at random weights, paths from the same starts, the published
//! panel, and the exponent of the algebraic law at which a field neither sharpens nor flattens.

use super::Amplifier;
use super::theories::{Program, SPIN, Theories, Theory, class_rows};
use fovea_core::stats::quantile;
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_desk::two_class::relative_distance;
use fovea_sim::probe::ipr::ipr;
use fovea_theory::amplifier::phi::phi;
use fovea_theory::copula::Marginal;
use fovea_theory::dictator::fixed_point::FixedPoint;
use fovea_theory::ising::dictator::dictator;
use fovea_theory::kur::zero_excess::zero_excess;
use fovea_theory::site::Site;
use fovea_theory::{AmplifierFlow, CubicFlow, UnitFlow};

/// Couplings at which gated means are compared.
pub(super) const COUPLINGS: [f64; 3] = [0.0, 0.3, 0.7];

/// Errors at one coupling: how far each theory's gated mean is from the sum over all corners, at random weights.
pub(super) struct Errors {
    pub(super) coupling: f64,
    /// A row for each draw, a column for each approximate theory.
    pub(super) rows: Vec<Vec<f64>>,
}

impl Errors {
    pub(super) fn measure(
        settings: &Amplifier,
        coupling: f64,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let theories = Theories::new(settings.n, coupling, coupling)?;
        let stream = streams.named("directions");
        let rows = (0..settings.draws as u64).map(|draw| {
            let mut w = vec![0.0; settings.n];
            stream.normals(draw, &mut w);
            let exact = theories.gated_mean(Theory::Exact, &w);
            let of = |theory| relative_distance(&theories.gated_mean(theory, &w), &exact);
            Theory::APPROXIMATE.map(of).to_vec()
        });
        Ok(Self { coupling, rows: rows.collect() })
    }

    pub(super) fn column(&self, theory: Theory) -> Vec<f64> {
        self.rows.iter().map(|row| row[theory.index()]).collect()
    }

    pub(super) fn mean(&self, theory: Theory) -> Result<Estimate, LabError> {
        Ok(Estimate::from_samples(&self.column(theory))?)
    }
}

/// A start: standard normal numbers at the scale of Glorot's.
pub(super) fn start(n: usize, init_scale: f64, streams: &Streams, index: u64) -> Vec<f64> {
    let mut w = vec![0.0; n];
    streams.named("start").normals(index, &mut w);
    let scale = (init_scale * 2.0 / (n as f64 + 1.0)).sqrt();
    w.into_iter().map(|w| scale * w).collect()
}

/// A field turned so that the peak of another is positive and lies at site 0.
fn turned(w: &[f64], other: &[f64]) -> Vec<f64> {
    let at = peak(other);
    let sign = 1.0_f64.copysign(other[at]);
    (0..w.len()).map(|i| sign * w[(i + at) % w.len()]).collect()
}

/// One start: the fields of SGD, and of every theory, at the records.
pub(super) struct Path<'r> {
    fields: Vec<&'r [f64]>,
    theories: Vec<Vec<Vec<f64>>>,
}

impl<'r> Path<'r> {
    /// Follows every theory by the descent SGD takes, without its noise, from where SGD began.
    pub(super) fn follow(settings: &Amplifier, all: &Theories, run: &'r Trained) -> Self {
        let fields: Vec<&[f64]> =
            run.readings(&probe::weights::ENTRY).into_iter().map(|units| &units[0][..]).collect();
        let descend = |theory| {
            let (mut at_records, mut step) = (Vec::new(), 0);
            let flow = all.flow(theory);
            flow.euler_map(fields[0], settings.lr, settings.steps, |_, w| {
                if step % settings.record_every == 0 || step == settings.steps {
                    at_records.push(w.to_vec());
                }
                step += 1;
            });
            at_records
        };
        let theories = Theory::ALL.map(descend).to_vec();
        Self { fields, theories }
    }

    /// Distance of one theory at every record.
    pub(super) fn distances(&self, theory: Theory) -> Vec<f64> {
        let at = self.theories[theory.index()].iter().zip(&self.fields);
        at.map(|(theory, field)| relative_distance(theory, field)).collect()
    }

    /// Index of the first record at which a theory is off by more than `most`.
    fn leaves(&self, theory: Theory, most: f64) -> Option<usize> {
        self.distances(theory).iter().position(|distance| *distance > most)
    }
}

/// All starts.
pub(super) struct Paths<'r> {
    pub(super) times: Vec<f64>,
    pub(super) starts: Vec<Path<'r>>,
    pub(super) state: FixedPoint,
    pub(super) most: f64,
}

impl<'r> Paths<'r> {
    pub(super) fn new(settings: &Amplifier, starts: Vec<Path<'r>>) -> Self {
        let last = settings.steps;
        let steps = (0..last).step_by(settings.record_every).chain([last]);
        Self {
            times: steps.map(|step| step as f64 * settings.lr).collect(),
            starts,
            state: dictator(settings.n, settings.coupling_pos, settings.coupling_neg),
            most: settings.most,
        }
    }

    /// Median distance of a theory over the starts, at every record.
    pub(super) fn median_distance(&self, theory: Theory) -> Result<Vec<f64>, LabError> {
        let all: Vec<Vec<f64>> = self.starts.iter().map(|path| path.distances(theory)).collect();
        let at = |i: usize| quantile(&all.iter().map(|d| d[i]).collect::<Vec<_>>(), 0.5);
        Ok((0..self.times.len()).map(at).collect::<Result<_, _>>()?)
    }

    /// The time at which each start leaves a theory; infinite for one that never does.
    pub(super) fn breakdown(&self, theory: Theory) -> Vec<f64> {
        let time = |path: &Path<'_>| {
            path.leaves(theory, self.most).map_or(f64::INFINITY, |i| self.times[i])
        };
        self.starts.iter().map(time).collect()
    }

    /// Ends of one theory, or of SGD, each turned so that the exact end has its peak at site 0.
    pub(super) fn ends(&self, theory: Option<Theory>) -> Vec<Vec<f64>> {
        let last = |path: &Path<'_>| {
            let exact = &path.theories[Theory::Exact.index()];
            let at = exact.len() - 1;
            let end = theory.map_or(path.fields[at], |theory| &path.theories[theory.index()][at]);
            turned(end, &exact[at])
        };
        self.starts.iter().map(last).collect()
    }
}

/// Peaks at which the flows of the published panel end: amplifier, cubic, and the published program's cubic.
pub(super) struct Published {
    pub(super) peaks: [f64; 3],
    /// Peak of the exact end, the dictator state.
    pub(super) exact: f64,
}

impl Published {
    /// The panel's sites and couplings.
    const SITES: usize = 40;
    const COUPLINGS: [f64; 2] = [0.7, 0.3];
    /// Long enough for every flow to stand still but for the slow drift between sites.
    const TIME: f64 = 200.0;

    pub(super) fn measure(starts: u64, streams: &Streams) -> Self {
        let [pos, neg] = Self::COUPLINGS;
        let rows = class_rows(Self::SITES, pos, neg);
        let amplifier = AmplifierFlow::new(SPIN, rows.clone());
        let cubic = CubicFlow { excess_kurtosis: -2.0, rows: rows.clone() };
        let program = Program { rows };
        let mut peaks = [0.0; 3];
        for index in 0..starts {
            let w = start(Self::SITES, 1e-3, streams, index);
            let (lr, steps) = (0.1, (Self::TIME / 0.1) as usize);
            let ends = [
                amplifier.euler_map(&w, lr, steps, |_, _| ()),
                cubic.euler_map(&w, lr, steps, |_, _| ()),
                program.euler_map(&w, lr, steps, |_, _| ()),
            ];
            for (sum, end) in peaks.iter_mut().zip(ends) {
                *sum += end[peak(&end)].abs() / starts as f64;
            }
        }
        Self { peaks, exact: dictator(Self::SITES, pos, neg).w[0] }
    }
}

/// Classes and clock of the published sweep: 1000 steps of 0.2 in our loss.
const CLASSES: TwoClass = TwoClass { n: 40, xi_pos: 0.7, xi_neg: 0.3, kernel: Kernel::Ring };
const RATE: f64 = 0.2;
const STEPS: usize = 1000;

/// The exponent at which the amplifier of the algebraic law meets the Gaussian line at this correlation.
fn neutral_exponent(a: f64) -> f64 {
    let line = phi(Site::Gaussian, a);
    let (mut low, mut high) = (4.01, 12.0);
    // More than the digits of the amplifier leave.
    for _ in 0..45 {
        let middle = 0.5 * (low + high);
        if phi(Site::Copula(Marginal::Kur { k: middle }), a) < line {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Final IPR under the amplifier, over exponents.
pub(super) struct Neutral {
    /// Exponents, ascending.
    pub(super) k: Vec<f64>,
    /// IPR of every start, exponent by exponent.
    pub(super) iprs: Vec<Vec<f64>>,
    /// The same on Gaussian data.
    pub(super) gaussian: Vec<f64>,
    /// Correlations of site and preactivation, and the exponent neutral at each.
    pub(super) curve: Vec<(f64, f64)>,
}

impl Neutral {
    pub(super) fn measure(settings: &Amplifier, desk: &Desk<'_>) -> Result<Self, LabError> {
        let streams = desk.streams();
        let [pos, neg] = CLASSES.kernels()?.map(|kernel| kernel.first_row);
        let end = |site: Site| -> Vec<f64> {
            let flow = AmplifierFlow::from_latent(site, &pos, &neg);
            let run = |index: u64| {
                let w = start(CLASSES.n, 1e-3, &streams, index);
                ipr(&flow.euler_map(&w, RATE, STEPS, |_, _| ()))
            };
            (0..settings.inits as u64).map(run).collect()
        };
        let mut k = settings.k.clone();
        k.push(zero_excess());
        k.sort_by(f64::total_cmp);
        let sites: Vec<Site> = std::iter::once(Site::Gaussian)
            .chain(k.iter().map(|k| Site::Copula(Marginal::Kur { k: *k })))
            .collect();
        let mut iprs = desk.fleet(&sites, |site| end(*site))?;
        let gaussian = iprs.remove(0);
        let curve = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
        let curve = curve.map(|a| (a, neutral_exponent(a))).to_vec();
        Ok(Self { k, iprs, gaussian, curve })
    }

    pub(super) fn means(&self) -> Result<Vec<Estimate>, LabError> {
        Ok(self.iprs.iter().map(|ipr| Estimate::from_samples(ipr)).collect::<Result<_, _>>()?)
    }

    pub(super) fn gaussian(&self) -> Result<Estimate, LabError> {
        Ok(Estimate::from_samples(&self.gaussian)?)
    }

    /// Where the mean IPR over exponents crosses that of Gaussian data, between two of them.
    pub(super) fn crossing(&self) -> Result<Option<f64>, LabError> {
        let (means, level) = (self.means()?, self.gaussian()?.mean());
        let gap: Vec<f64> = means.iter().map(|mean| mean.mean() - level).collect();
        let at = (1..gap.len()).find(|i| gap[i - 1] <= 0.0 && gap[*i] > 0.0);
        Ok(at.map(|i| {
            let share = gap[i - 1] / (gap[i - 1] - gap[i]);
            self.k[i - 1] + share * (self.k[i] - self.k[i - 1])
        }))
    }
}
