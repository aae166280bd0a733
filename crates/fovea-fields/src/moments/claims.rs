//! What was measured, compared with theory.

use super::Moments;
use super::measure::Measured;
use fovea_desk::exact::{Cov, SiteLaw, exact};
use fovea_desk::prelude::*;
use fovea_theory::copula::Marginal;

/// The id of its claims: they are about one stimulus at its settings, as no clause of the catalogue is.
const ID: &str = "moments";

/// Pairs of an estimate and its prediction.
type Pairs = Vec<(Estimate, f64)>;

/// A covariance has a standard error made of fourth moments, and a kurtosis one of eighth; these must exist, and higher ones for the
/// error itself to be known.
const MOMENTS: [f64; 2] = [6.0, 12.0];

/// A bin counts on its own where theory expects this many samples in it.
const EXPECTED: f64 = 50.0;

/// What was measured, what theory says, and the notes of the stimulus.
pub struct Comparison {
    pub(super) measured: Measured,
    /// Exact covariance by lag, or why there is none.
    pub(super) cov: Result<Vec<f64>, String>,
    /// The first wrong form that this run can tell from the right one, else the last.
    pub(super) wrong: Option<(String, Vec<f64>)>,
    mean: Option<f64>,
    pub(super) law: Result<SiteLaw, String>,
    samples: usize,
    /// Below this spread a number is compared as a number.
    rounding: f64,
    pub(super) notes: Vec<String>,
}

impl Comparison {
    pub(super) fn new(settings: &Moments, desk: &Desk<'_>) -> Result<Self, LabError> {
        let (stimulus, exact) = (settings.stimulus.build("stimulus")?, exact(&settings.stimulus));
        let measured = Measured::new(settings, stimulus.as_ref(), exact.as_ref().ok(), desk)?;
        let Measured { base, partners, .. } = &measured;
        let along = |cov: &Cov| -> Vec<f64> { partners.iter().map(|j| cov(*base, *j)).collect() };
        let known = exact.as_ref().map_err(Clone::clone);
        let cov = known.clone().map(|exact| along(&exact.cov));
        // Whether the run tells a wrong form from the right one.
        let told = |(_, row): &(String, Vec<f64>)| {
            let right = cov.as_ref().map_or(&[][..], |cov| cov);
            let mut gaps = row.iter().zip(right).zip(&measured.cov);
            gaps.any(|((wrong, right), e)| (wrong - right).abs() / e.se().max(1e-9) > 8.0)
        };
        let wrongs = exact.iter().flat_map(|exact| &exact.wrong);
        let mut wrongs: Vec<(String, Vec<f64>)> =
            wrongs.map(|wrong| (wrong.what.clone(), along(&wrong.cov))).collect();
        let at = wrongs.iter().position(told).or(wrongs.len().checked_sub(1));
        let wrong = at.map(|at| wrongs.swap_remove(at));
        Ok(Self {
            mean: known.clone().ok().map(|exact| exact.mean[*base]),
            law: known.map(|exact| (exact.site)(*base)),
            rounding: if settings.precision == Precision::Single { 1e-6 } else { 1e-12 },
            samples: settings.samples,
            cov,
            wrong,
            measured,
            notes: stimulus.notes(),
        })
    }

    /// Leaves out what has no spread and is right to rounding: it has no standard error to be measured in.
    fn noisy(&self, pairs: impl IntoIterator<Item = (Estimate, f64)>) -> Pairs {
        let size = self.measured.cov[0].mean().abs().max(1e-12);
        let exact = |(e, value): &(Estimate, f64)| {
            let gap = (e.mean() - value).abs();
            e.se() <= self.rounding * size && gap <= 10.0 * self.rounding * size.max(value.abs())
        };
        pairs.into_iter().filter(|pair| !exact(pair)).collect()
    }

    /// The bins with their probabilities.
    pub(super) fn bins(&self) -> Result<Pairs, String> {
        let law = self.law.as_ref().map_err(Clone::clone)?;
        let right = self.measured.bins.probabilities(|x| law.cdf(x))?;
        Ok(self.measured.shares.iter().copied().zip(right).collect())
    }

    fn fixed(&self) -> String {
        format!("site {} does not vary; choose another `site`", self.measured.base)
    }

    pub(super) fn claims(&self) -> Vec<Claim> {
        let mut claims = Vec::new();
        let mean = self.mean.filter(|mean| mean.abs() > 1e-6);
        let pairs = self.noisy(mean.map(|mean| (self.measured.mean, mean)));
        if !pairs.is_empty() {
            let claim = Claim::family(ID, "the mean of a site is that of theory", &pairs);
            claims.push(claim.rejecting("a mean of 0", &[(self.measured.mean, 0.0)]));
        }
        let decided = |statement, claim: fn(&Self, &str) -> Result<Claim, String>| {
            claim(self, statement)
                .unwrap_or_else(|why| Claim::undecided(ID, statement, f64::NAN, why))
        };
        claims.extend([
            decided("the covariance at every lag is that of theory", Self::covariance),
            decided("the excess kurtosis of a site is that of theory", Self::kurtosis),
            decided("the share of every bin is that of the distribution of a site", Self::marginal),
        ]);
        claims
    }

    fn covariance(&self, statement: &str) -> Result<Claim, String> {
        let cov = self.cov.as_ref().map_err(Clone::clone)?;
        let paired = |row: &[f64]| self.noisy(self.measured.cov.iter().copied().zip(row.to_vec()));
        let pairs = paired(cov);
        if pairs.is_empty() {
            return Ok(Claim::undecided(ID, statement, cov[0], self.fixed()));
        }
        let claim = Claim::family(ID, statement, &pairs);
        let wrong = self.wrong.as_ref().map(|(what, wrong)| (what, paired(wrong)));
        let claim = match wrong {
            None => claim.unchecked("no wrong form is known that it could be told from"),
            Some((what, wrong)) if wrong.is_empty() => {
                claim.unchecked(format!("{what} gives the same at every lag"))
            }
            Some((what, wrong)) => claim.rejecting(what, &wrong),
        };
        Ok(self.guarded(claim, MOMENTS[0]))
    }

    fn kurtosis(&self, statement: &str) -> Result<Claim, String> {
        let measured = self.measured.kurtosis.ok_or_else(|| self.fixed())?;
        let predicted = self.law.clone()?.excess_kurtosis()?;
        let (what, wrong) =
            if predicted.abs() > 0.1 { ("a Gaussian's", 0.0) } else { ("a Laplace's", 3.0) };
        let mut claim = Claim::family(ID, statement, &[(measured, predicted)]);
        if self.noisy([(measured, predicted)]).is_empty() {
            // Signs: the same in every sample, and equal but for rounding.
            (claim.z, claim.resolution) = (0.0, 10.0 * self.rounding);
        }
        Ok(self.guarded(claim.rejecting(what, &[(measured, wrong)]), MOMENTS[1]))
    }

    fn marginal(&self, statement: &str) -> Result<Claim, String> {
        // A bin of this probability is neither hit nor missed too rarely to count on its own.
        let often = |p: f64| self.samples as f64 * p.min(1.0 - p) >= EXPECTED;
        let pairs = self.noisy(self.bins()?.into_iter().filter(|(_, p)| often(*p)));
        if pairs.is_empty() {
            return Err(self.fixed());
        }
        let excess = self.law.as_ref().ok().and_then(|law| law.excess_kurtosis().ok());
        let std = self.measured.cov[0].mean().max(0.0).sqrt();
        let (what, other) = if excess.is_some_and(|excess| excess.abs() <= 0.1) {
            ("a Laplace distribution of the same variance", SiteLaw::Copula(Marginal::Laplace))
        } else {
            ("a normal distribution of the same variance", SiteLaw::Normal { mean: 0.0, std: 1.0 })
        };
        let mean = self.mean.unwrap_or(self.measured.mean.mean());
        let wrong = self.measured.bins.probabilities(|x| other.cdf((x - mean) / std));
        let wrong = self.measured.shares.iter().copied().zip(wrong.unwrap_or_default());
        let wrong: Pairs = wrong.filter(|(_, p)| often(*p)).collect();
        Ok(Claim::family(ID, statement, &pairs).rejecting(what, &wrong))
    }

    /// Leaves a claim unchecked where the distribution has too few moments for its standard error to mean anything.
    fn guarded(&self, claim: Claim, needed: f64) -> Claim {
        let moments = self.law.as_ref().map_or(f64::INFINITY, SiteLaw::moments);
        if moments >= needed {
            return claim;
        }
        claim.unchecked(format!(
            "the distribution of a site has moments below the order {moments} only, and the standard error needs them up to {needed}"
        ))
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        // Means and standard errors as one array of two rows.
        let rows = |name: &str, estimates: &[Estimate]| {
            let part = |f: fn(&Estimate) -> f64| estimates.iter().map(f).collect();
            Array::of_rows(name, &[part(Estimate::mean), part(Estimate::se)])
        };
        let mut arrays = vec![
            rows("covariance", &self.measured.cov),
            rows("bin_shares", &self.measured.shares),
            Array::of_entries("bin_edges", &self.measured.bins.edges),
        ];
        arrays.extend(self.cov.iter().map(|cov| Array::of_entries("covariance_exact", cov)));
        arrays.extend(self.bins().iter().map(|bins| {
            let right: Vec<f64> = bins.iter().map(|(_, p)| *p).collect();
            Array::of_entries("bin_shares_exact", &right)
        }));
        arrays
    }

    /// Measured moments compared with exact ones.
    pub(super) fn table(&self) -> Table {
        let Measured { mean, cov, kurtosis, .. } = &self.measured;
        let number = |exact: Option<f64>| exact.unwrap_or(f64::NAN);
        let exact = |lag: usize| number(self.cov.as_ref().ok().map(|cov| cov[lag]));
        let lags = cov.iter().enumerate().take(6);
        let lags = lags.map(|(lag, e)| ("covariance", lag as f64, *e, exact(lag)));
        let law = number(self.law.clone().and_then(|law| law.excess_kurtosis()).ok());
        let rows: Vec<(&str, f64, Estimate, f64)> = [("mean", f64::NAN, *mean, number(self.mean))]
            .into_iter()
            .chain(lags)
            .chain(kurtosis.map(|e| ("excess kurtosis", f64::NAN, e, law)))
            .collect();
        Table::of("moments", &rows)
            .words("moment", |row| row.0)
            .given("lag", |row| row.1)
            .unit("sites")
            .estimate("measured", 5, |row| row.2)
            .real("exact", 5, |row| row.3)
            .real("z", 2, |(.., e, exact)| e.z(*exact))
            .caption("Moments of the samples compared with theory, in standard errors (z): the mean, the covariance by lag and the excess kurtosis of a site.")
    }
}
