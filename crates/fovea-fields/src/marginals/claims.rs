//! Claims on every distribution: R of one site, where training ends, and that the map never lowers R.

use super::{LOCALIZED, Law, Marginals};
use fovea_desk::prelude::*;
use std::f64::consts::FRAC_1_PI;

/// Where the excess kurtosis is this far from 0 fields localize, or not, within a run; nearer to 0 that takes longer.
const CLEAR: f64 = 1.0;

impl Marginals {
    pub(super) fn claims(&self, laws: &[Law]) -> Vec<Claim> {
        let site: Vec<_> = laws.iter().map(|law| (law.ratios[0], law.site_ratio)).collect();
        let gaussian: Vec<_> = laws.iter().map(|law| (law.ratios[0], FRAC_1_PI)).collect();
        let statement =
            "R of a single site is half the square of E|X_i|, for every marginal distribution";
        let one_site = Claim::family("L000.45/site", statement, &site)
            .rejecting("the Gaussian 1/pi for every distribution", &gaussian);

        let runs = self.starts as f64;
        let clear = || laws.iter().filter(|law| law.kurtosis.abs() > CLEAR);
        let all_where = |of: fn(&Law) -> bool| -> Vec<f64> {
            clear().map(|law| if of(law) { runs } else { 0.0 }).collect()
        };
        let predicted = all_where(|law| law.kurtosis < 0.0);
        let vertices = all_where(|law| law.name == "sign");
        let measured: Vec<f64> = clear().map(|law| law.localized as f64).collect();
        // Runs that end otherwise: extended where the kurtosis is negative, localized where it is positive.
        let otherwise = |law: &Law| {
            if law.kurtosis < 0.0 { self.starts - law.localized } else { law.localized }
        };
        let otherwise: Vec<(usize, usize)> =
            clear().map(|law| (self.starts, otherwise(law))).collect();
        let names = |negative: bool| {
            let names = clear().filter(|law| (law.kurtosis < 0.0) == negative);
            names.map(|law| law.name.clone()).collect::<Vec<_>>().join(", ")
        };
        let statement = format!(
            "one unit, {}, {}: of {} runs per distribution, all localize (IPR above {LOCALIZED}) where the excess kurtosis is below -{CLEAR} ({}), none where it is above {CLEAR} ({})",
            self.two.in_words(),
            self.descent.in_words(),
            self.starts,
            names(true),
            names(false)
        );
        let decides = Claim::exact("L000.45/trained", statement, &predicted, &measured, 1e-9)
            .rejecting_exact("localization on binary data alone", &vertices, &measured)
            .only_as_stated();
        let decides = refuted_by_most(decides, &otherwise);

        let climbs =
            |map: usize| -> Vec<f64> { laws.iter().map(|law| law.monotone[map] as f64).collect() };
        let (all, wrong) = (vec![runs; laws.len()], "the same map with f of class neg");
        let statement = "every ascent of R by the map from gate to least squares is monotone";
        let monotone = Claim::exact("marginals", statement, &all, &climbs(0), 1e-9)
            .rejecting_exact(wrong, &all, &climbs(1));
        vec![one_site, decides, monotone]
    }
}
