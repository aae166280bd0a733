//! Where heavy and light tails balance: the exponent of the algebraic law at which a field neither sharpens nor flattens.

use super::Amplifier;
use super::paths::start;
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::stats::Estimate;
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::probe::ipr::ipr;
use fovea_theory::amplifier::phi::phi;
use fovea_theory::copula::Marginal;
use fovea_theory::kur::zero_excess::zero_excess;
use fovea_theory::site::Site;
use fovea_theory::{AmplifierFlow, FormError, UnitFlow};

/// Sites, lengths and clock of the published sweep: n = 40, xi_pos = 0.7, xi_neg = 0.3, 1000 steps of 0.2 in our loss.
const SITES: usize = 40;
const LENGTHS: [f64; 2] = [0.7, 0.3];
const RATE: f64 = 0.2;
const STEPS: usize = 1000;

/// The authors' SGD runs: exponent, mean and deviation of the final IPR, runs.
pub(super) const PUBLISHED: [(f64, f64, f64, usize); 10] = [
    (4.5, 0.0372, 0.0048, 95),
    (4.74, 0.0403, 0.0065, 95),
    (5.0, 0.0452, 0.0092, 95),
    (5.4, 0.0591, 0.0196, 95),
    (6.0, 0.1184, 0.0561, 30),
    (6.1, 0.1131, 0.0526, 95),
    (7.0, 0.3167, 0.2109, 30),
    (7.7, 0.4908, 0.2634, 95),
    (8.0, 0.6126, 0.2701, 30),
    (10.0, 0.7960, 0.1543, 95),
];
/// The authors' SGD runs at gain 0.01, Gaussian for all purposes.
pub(super) const PUBLISHED_GAUSSIAN: f64 = 0.0598;

/// The exponent at which the amplifier of the algebraic law meets the Gaussian line at this correlation.
pub(super) fn neutral_exponent(a: f64) -> f64 {
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
    iprs: Vec<Vec<f64>>,
    /// The same on Gaussian data.
    gaussian: Vec<f64>,
    /// Correlations of site and preactivation, and the exponent neutral at each.
    pub(super) curve: Vec<(f64, f64)>,
}

impl Neutral {
    pub(super) fn measure(settings: &Amplifier, bench: &Bench<'_>) -> Result<Self, LabError> {
        let streams = bench.streams();
        let row = |xi| RingKernel::new(SITES, xi, Kernel::Ring).map(|kernel| kernel.first_row);
        let latent = [row(LENGTHS[0]), row(LENGTHS[1])].map(|row| row.map_err(FormError::from));
        let [Ok(pos), Ok(neg)] = latent else { return Err(FormError::Undefined.into()) };
        let end = |site: Site| -> Vec<f64> {
            let flow = AmplifierFlow::from_latent(site, &pos, &neg);
            let run = |index: u64| {
                let w = start(SITES, 1e-3, &streams, index);
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
        let mut iprs: Vec<Vec<f64>> = bench.fleet(&sites, |site| end(*site));
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

    pub(super) fn claims(&self) -> Result<Vec<Claim>, LabError> {
        let (weak, strong) = (self.curve[0], self.curve[6]);
        let statement = format!(
            "as the correlation of site and preactivation vanishes the amplifier of Kur(k) is neutral where the excess kurtosis is: root at a = {}",
            weak.0
        );
        let form = format!("the exponent neutral at a = {}, {:.3}", strong.0, strong.1);
        // The next terms of the amplifier are of order a^(k-4), between 1e-4 and 1e-3 here.
        let root = Claim::exact("L000.45", statement, &[zero_excess()], &[weak.1], 2e-3)
            .rejecting_exact(form, &[strong.1], &[weak.1]);
        let star = self.k.iter().position(|k| (k - zero_excess()).abs() < 1e-12).unwrap_or(0);
        let ratios: Vec<f64> =
            self.iprs[star].iter().zip(&self.gaussian).map(|(a, b)| a / b).collect();
        let statement = "at the exponent of zero excess kurtosis the amplifier still sharpens a field: final IPR over that on Gaussian data from the same start above 1".to_owned();
        let sharp = one_sided("L000.45", statement, Estimate::from_samples(&ratios)?, 1.0, true);
        Ok(vec![root, sharp])
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let curve: Vec<Vec<f64>> = self.curve.iter().map(|(a, k)| vec![*a, *k]).collect();
        vec![
            Array::of_entries("kur_exponents", &self.k),
            Array::of_rows("kur_ipr", &self.iprs),
            Array::of_entries("kur_gaussian_ipr", &self.gaussian),
            Array::of_rows("kur_neutral", &curve),
        ]
    }

    pub(super) fn in_words(&self) -> Result<Vec<String>, LabError> {
        let crossing =
            self.crossing()?.map_or_else(|| "outside the sweep".to_owned(), |k| format!("{k:.2}"));
        Ok(vec![format!(
            "Kur(k): excess kurtosis is zero at k = {:.3}; the amplifier's IPR is that of Gaussian data at k = {crossing}; neutral exponent at a = 0.1, 0.3, 0.5, 0.7: {:.3}, {:.3}, {:.3}, {:.3}",
            zero_excess(),
            self.curve[2].1,
            self.curve[4].1,
            self.curve[6].1,
            self.curve[8].1
        )])
    }
}
