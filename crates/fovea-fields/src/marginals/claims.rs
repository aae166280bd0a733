//! What is claimed of the laws, what is kept of them, and what a person reads.

use super::Marginals;
use super::measure::{LOCALIZED, Law, WIDTHS};
use fovea_desk::prelude::*;

/// Laws whose excess kurtosis is this far from 0 decide within a run.
const CLEAR: f64 = 1.0;

pub(super) fn claims(settings: &Marginals, laws: &[Law]) -> Vec<Claim> {
    let site: Vec<_> = laws.iter().map(|law| (law.ratios[0], law.site_ratio)).collect();
    let gaussian: Vec<_> =
        laws.iter().map(|law| (law.ratios[0], std::f64::consts::FRAC_1_PI)).collect();
    let statement = "R of a single site is half the square of E|X_i|, whatever the correlations";
    let one_site = Claim::family("L000.38", statement, &site)
        .rejecting("the Gaussian 1/pi under every law", &gaussian);

    // Laws near zero kurtosis take longer than any run to decide.
    let clear: Vec<&Law> = laws.iter().filter(|law| law.kurtosis.abs() > CLEAR).collect();
    let runs = settings.starts as f64;
    let predicted: Vec<f64> =
        clear.iter().map(|law| if law.kurtosis < 0.0 { runs } else { 0.0 }).collect();
    let measured: Vec<f64> = clear.iter().map(|law| law.localized as f64).collect();
    let vertices: Vec<f64> =
        clear.iter().map(|law| if law.vertices { runs } else { 0.0 }).collect();
    let statement = format!(
        "of {} runs a law, all localize (IPR above {LOCALIZED}) where the excess kurtosis is below -{CLEAR}, none where it is above {CLEAR}",
        settings.starts
    );
    let decides = Claim::exact("L000.45", statement, &predicted, &measured, 1e-9).rejecting_exact(
        "localization on the vertices alone",
        &vertices,
        &measured,
    );

    let climbs: Vec<f64> = laws.iter().map(|law| law.monotone as f64).collect();
    let statement = "every climb of R by the map from gate to least squares is monotone";
    let climbed = vec![runs; climbs.len()];
    let monotone = Claim::exact("L000.38", statement, &climbed, &climbs, 1e-9);
    vec![one_site, decides, monotone]
}

pub(super) fn arrays(law: &Law) -> Vec<Array> {
    let means: Vec<f64> = law.ratios.iter().map(Estimate::mean).collect();
    vec![
        Array::of_entries(format!("ratio_{}", law.name), &means),
        Array::of_entries(format!("ipr_{}", law.name), &law.iprs),
        Array::of_entries(format!("field_{}", law.name), &law.field),
    ]
}

/// What a person reads at the end.
pub(super) fn table(laws: &[Law]) -> Vec<String> {
    let header = format!(
        "{:>9} {:>9} {:>8} {:>8} {:>8} {:>8}   {:>7} {:>6}   {:>7} {:>9}",
        "law",
        "kurtosis",
        "R(site)",
        "R(sd 1)",
        "R(sd 2)",
        "R(flat)",
        "best R",
        "ipr",
        "SGD ipr",
        "localized"
    );
    let at = |law: &Law, width: f64| {
        let i = WIDTHS.iter().position(|w| w.total_cmp(&width).is_eq()).unwrap_or(0);
        law.ratios[i].mean()
    };
    let line = |law: &Law| {
        format!(
            "{:>9} {:>9.3} {:>8.4} {:>8.4} {:>8.4} {:>8.4}   {:>7.4} {:>6.3}   {:>7.3} {:>4} of {}",
            law.name,
            law.kurtosis,
            at(law, 0.0),
            at(law, 1.0),
            at(law, 2.0),
            at(law, f64::INFINITY),
            law.best.0,
            law.best.1,
            law.iprs.iter().sum::<f64>() / law.iprs.len() as f64,
            law.localized,
            law.iprs.len()
        )
    };
    [header].into_iter().chain(laws.iter().map(line)).collect()
}
