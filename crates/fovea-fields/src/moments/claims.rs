//! What was measured beside what theory says.

use super::Moments;
use super::measure::Measured;
use fovea_desk::exact::{Cov, Exact, SiteLaw};
use fovea_desk::prelude::*;
use fovea_theory::copula::Marginal;

/// Pairs of an estimate and its prediction.
type Pairs = Vec<(Estimate, f64)>;

/// A covariance has a standard error made of fourth moments, and a kurtosis one of eighth; so many must exist, and more for the
/// error itself to be known.
const MOMENTS: [f64; 2] = [6.0, 12.0];

/// A bin counts on its own where theory expects this many samples in it.
const EXPECTED: f64 = 50.0;

pub(super) struct Comparison {
    pub(super) measured: Measured,
    ids: [&'static str; 2],
    /// Exact covariance by lag, or why there is none.
    pub(super) cov: Result<Vec<f64>, String>,
    /// The first wrong form that this run can tell from the right one, else the last.
    pub(super) wrong: Option<(String, Vec<f64>)>,
    mean: Option<f64>,
    pub(super) law: Result<SiteLaw, String>,
    samples: usize,
    /// Below this spread a number is compared as a number.
    rounding: f64,
}

impl Comparison {
    pub(super) fn new(
        settings: &Moments,
        exact: &Result<Exact, String>,
        measured: Measured,
    ) -> Self {
        let base = measured.places.bases[0];
        let lags = measured.places.partners.iter().map(|partners| partners[0]);
        let along =
            |cov: &Cov| -> Vec<f64> { lags.clone().map(|partner| cov(base, partner)).collect() };
        let known = exact.as_ref().map_err(Clone::clone);
        let cov = known.clone().map(|exact| along(&exact.cov));
        let distance = |row: &Vec<f64>| -> f64 {
            let right = cov.as_ref().map_or(&[][..], |cov| cov);
            let gaps = row.iter().zip(right).zip(&measured.cov);
            gaps.map(|((wrong, right), e)| (wrong - right).abs() / e.se().max(1e-9))
                .fold(0.0, f64::max)
        };
        let wrongs = exact.iter().flat_map(|exact| &exact.wrong);
        let mut wrongs: Vec<(String, Vec<f64>)> =
            wrongs.map(|wrong| (wrong.what.clone(), along(&wrong.cov))).collect();
        let told = |(_, row): &(String, Vec<f64>)| distance(row) > 8.0;
        let at = wrongs.iter().position(told).or(wrongs.len().checked_sub(1));
        let wrong = at.map(|at| wrongs.swap_remove(at));
        let name = settings.stimulus.name();
        Self {
            ids: match name {
                "nlgp" | "sign" => ["L000.19", "L000.21"],
                "single-pulse" => ["L001.2", "L001.2"],
                name => [name, name],
            },
            mean: known.clone().ok().map(|exact| exact.mean[base]),
            law: known.map(|exact| (exact.site)(base)),
            rounding: if settings.precision == Precision::Single { 1e-6 } else { 1e-12 },
            samples: settings.samples,
            cov,
            wrong,
            measured,
        }
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
        format!("site {} does not vary; choose another `site`", self.measured.places.bases[0])
    }

    /// Whether a bin of this probability is neither hit nor missed too rarely to count on its own.
    fn often(&self, p: f64) -> bool {
        self.samples as f64 * p.min(1.0 - p) >= EXPECTED
    }

    pub(super) fn claims(&self) -> Vec<Claim> {
        let mut claims = Vec::new();
        let mean = self.mean.filter(|mean| mean.abs() > 1e-6);
        let pairs = self.noisy(mean.map(|mean| (self.measured.mean, mean)));
        if !pairs.is_empty() {
            let claim = Claim::family(self.ids[0], "the mean of a site is that of theory", &pairs);
            claims.push(claim.rejecting("a mean of 0", &[(self.measured.mean, 0.0)]));
        }
        claims.extend([self.covariance(), self.kurtosis(), self.marginal()]);
        claims
    }

    fn covariance(&self) -> Claim {
        let (id, statement) = (self.ids[0], "the covariance at every lag is that of theory");
        let cov = match &self.cov {
            Ok(cov) => cov,
            Err(why) => return Claim::undecided(id, statement, f64::NAN, why),
        };
        let beside = |row: &[f64]| self.measured.cov.iter().copied().zip(row.to_vec());
        let pairs = self.noisy(beside(cov));
        if pairs.is_empty() {
            return Claim::undecided(id, statement, cov[0], self.fixed());
        }
        let claim = Claim::family(id, statement, &pairs);
        let claim = match &self.wrong {
            Some((what, wrong)) => {
                let wrong = self.noisy(beside(wrong));
                if wrong.is_empty() {
                    claim.unchecked(format!("{what} gives the same at every lag"))
                } else {
                    claim.rejecting(what.as_str(), &wrong)
                }
            }
            None => claim.unchecked("no wrong form is known that it could be told from"),
        };
        self.guarded(claim, MOMENTS[0])
    }

    fn kurtosis(&self) -> Claim {
        let (id, statement) = (self.ids[1], "the excess kurtosis of a site is that of theory");
        let known = self.law.clone().and_then(|law| law.excess_kurtosis());
        let Some(measured) = self.measured.kurtosis else {
            return Claim::undecided(id, statement, f64::NAN, self.fixed());
        };
        let predicted = match known {
            Ok(predicted) => predicted,
            Err(why) => return Claim::undecided(id, statement, f64::NAN, why),
        };
        let (what, wrong) =
            if predicted.abs() > 0.1 { ("a Gaussian's", 0.0) } else { ("a Laplace law's", 3.0) };
        let mut claim = Claim::family(id, statement, &[(measured, predicted)]);
        if self.noisy([(measured, predicted)]).is_empty() {
            // Signs: the same in every sample, and equal but for rounding.
            (claim.z, claim.resolution) = (0.0, 10.0 * self.rounding);
        }
        self.guarded(claim.rejecting(what, &[(measured, wrong)]), MOMENTS[1])
    }

    fn marginal(&self) -> Claim {
        let (id, statement) = (self.ids[1], "the share of every bin is that of the law of a site");
        let bins = match self.bins() {
            Ok(bins) => bins,
            Err(why) => return Claim::undecided(id, statement, f64::NAN, why),
        };
        let pairs: Pairs = bins.into_iter().filter(|(_, p)| self.often(*p)).collect();
        let pairs = self.noisy(pairs);
        if pairs.is_empty() {
            return Claim::undecided(id, statement, f64::NAN, self.fixed());
        }
        let excess = self.law.as_ref().ok().and_then(|law| law.excess_kurtosis().ok());
        let std = self.measured.cov[0].mean().max(0.0).sqrt();
        let (what, other) = if excess.is_some_and(|excess| excess.abs() <= 0.1) {
            ("a Laplace law of the same variance", SiteLaw::Copula(Marginal::Laplace))
        } else {
            ("a normal law of the same variance", SiteLaw::Normal { mean: 0.0, std: 1.0 })
        };
        let mean = self.mean.unwrap_or(self.measured.mean.mean());
        let wrong = self.measured.bins.probabilities(|x| other.cdf((x - mean) / std));
        let wrong = self.measured.shares.iter().copied().zip(wrong.unwrap_or_default());
        let wrong: Pairs = wrong.filter(|(_, p)| self.often(*p)).collect();
        Claim::family(id, statement, &pairs).rejecting(what, &wrong)
    }

    /// Leaves a claim unchecked where the law has too few moments for its standard error to mean anything.
    fn guarded(&self, claim: Claim, needed: f64) -> Claim {
        let moments = self.law.as_ref().map_or(f64::INFINITY, SiteLaw::moments);
        if moments >= needed {
            return claim;
        }
        claim.unchecked(format!(
            "the law of a site has moments below the order {moments}, and the standard error needs them to {needed}"
        ))
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let mut arrays = vec![
            rows("covariance", &self.measured.cov),
            rows("bin_shares", &self.measured.shares),
            Array::of_entries("bin_edges", &self.measured.bins.edges),
        ];
        arrays.extend(self.cov.iter().map(|cov| Array::of_entries("covariance_exact", cov)));
        if let Ok(bins) = self.bins() {
            let right: Vec<f64> = bins.iter().map(|(_, p)| *p).collect();
            arrays.push(Array::of_entries("bin_shares_exact", &right));
        }
        arrays
    }

    /// What a person reads at the end.
    pub(super) fn summary(&self) -> Vec<String> {
        let line = |what: String, e: &Estimate, exact: Option<f64>| {
            let beside = exact.map_or(format!("{:>10}", "-"), |exact| {
                format!("{exact:>10.5} {:>+7.2}", e.z(exact))
            });
            format!("{what:<16} {:>10.5} {:>9.5} {beside}", e.mean(), e.se())
        };
        let mut lines = vec![format!(
            "{:<16} {:>10} {:>9} {:>10} {:>7}",
            "", "measured", "std err", "exact", "z"
        )];
        lines.push(line("mean".to_owned(), &self.measured.mean, self.mean));
        let cov = self.cov.as_ref().ok();
        for (lag, e) in self.measured.cov.iter().enumerate().take(6) {
            lines.push(line(format!("covariance, {lag}"), e, cov.map(|cov| cov[lag])));
        }
        let law = self.law.clone().and_then(|law| law.excess_kurtosis());
        lines.extend(
            self.measured.kurtosis.map(|e| line("excess kurtosis".to_owned(), &e, law.ok())),
        );
        lines
    }
}

/// Means and standard errors as one array of two rows.
fn rows(name: &str, estimates: &[Estimate]) -> Array {
    let part = |f: fn(&Estimate) -> f64| estimates.iter().map(f).collect();
    Array::of_rows(name, &[part(Estimate::mean), part(Estimate::se)])
}
