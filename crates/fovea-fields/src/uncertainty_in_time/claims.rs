//! The bounds of the four measures, the claim that no reading falls below them, a Gabor on a ring against its closed form, and what is
//! measured of the note's hope.

use super::UncertaintyInTime;
use super::measure::{Case, MEASURES, of_net, share};
use fovea_desk::prelude::*;
use fovea_record::bound::one_sided;
use fovea_sim::probe::uncertainty::uncertainty;
use fovea_theory::uncertainty::gaussian::gaussian;
use fovea_theory::uncertainty::maassen_uffink::maassen_uffink;
use fovea_theory::uncertainty::real_gabor::real_gabor;
use std::f64::consts::TAU;

/// The square of the least product of the spreads of time and frequency, on the line and on the circle.
fn quarter() -> f64 {
    let least = gaussian(1.0, 0.0).product();
    least * least
}

/// Of all readings of a measure, how many lie at or above its bound.
pub(super) fn never_broken(settings: &UncertaintyInTime, cases: &[Case]) -> Vec<Claim> {
    let readings =
        || cases.iter().flat_map(|g| &g.fields).flat_map(|f| f.readings.iter().flatten());
    let claim = |(m, bound): (usize, f64)| {
        let all = readings().count() as f64;
        // Rounding may put a field that reaches the bound just below it.
        let above = readings().filter(|r| r[m] >= bound * (1.0 - 1e-12)).count() as f64;
        let statement = format!(
            "{}: readings of all fields, streams and records at or above the bound {bound:.4}",
            MEASURES[m].words
        );
        Claim::exact("L003.27", statement, &[all], &[above], 0.5 / all)
    };
    settings.bounds().into_iter().enumerate().map(claim).collect()
}

/// Sites in a standard deviation of the Gabor's square.
const STD: f64 = 4.0;

/// Both products of `exp(-t^2/4s^2) cos kt` on a ring of `n` sites.
fn on_ring(n: usize, kappa: f64) -> [f64; 2] {
    let k = kappa.sqrt() / STD;
    let field: Vec<f64> = (0..n)
        .map(|i| {
            let t = i as f64 - (n / 2) as f64;
            libm::exp(-0.25 * t * t / (STD * STD)) * libm::cos(k * t)
        })
        .collect();
    let u = uncertainty(&field, n);
    [u.circular, u.analytic]
}

/// The circle's product is the line's times `1 + O(n^-2)`: two rings remove that term, and leave the square of it.
fn without_curvature(kappa: f64) -> [f64; 2] {
    const N: usize = 250;
    let ([a, b], [c, d]) = (on_ring(N, kappa), on_ring(2 * N, kappa));
    [(4.0 * c - a) / 3.0, (4.0 * d - b) / 3.0]
}

/// The product of a real Gabor, and that of the analytic signal of one with many periods, against the forms on the line.
pub(super) fn gabor() -> Vec<Claim> {
    let turn = TAU * STD / 250.0;
    let tolerance = turn * turn * turn * turn;
    let kappas = [0.25, 1.0, 4.0];
    let predicted = kappas.map(|kappa| real_gabor(kappa) * real_gabor(kappa));
    let measured = kappas.map(|kappa| without_curvature(kappa)[0]);
    let statement = "a real Gabor on the ring, (ks)^2 = 1/4, 1, 4: its product is that of the line, (s_t s_w)^2, up to the curvature of the circle";
    let real = Claim::exact("L003.26", statement, &predicted, &measured, tolerance);
    let real = real.rejecting_exact("the note's 1/2, squared", &[quarter(); 3], &measured);
    let many = 16.0;
    let [two_sided, analytic] = without_curvature(many);
    let statement = "a Gabor of many periods, (ks)^2 = 16: its analytic signal has the least product, 1/4, up to the curvature of the circle";
    let signal = Claim::exact("L003.63", statement, &[quarter()], &[analytic], tolerance);
    vec![real, signal.rejecting_exact("the real field's product", &[two_sided], &[analytic])]
}

impl UncertaintyInTime {
    /// The bounds of the four measures: `ln n`, 1, 1/4 and 1/4.
    pub(super) fn bounds(&self) -> [f64; 4] {
        [maassen_uffink(self.two.n, 1).bound, 1.0, quarter(), quarter()]
    }

    /// What is measured of the note's hope, for every network and measure over all gains: fields end lower, and not all of them monotonically.
    pub(super) fn shares(&self, cases: &[Case]) -> Result<Vec<Claim>, LabError> {
        let mut claims = Vec::new();
        for net in self.nets() {
            for (m, measure) in MEASURES.iter().enumerate() {
                let mine = || of_net(cases, net).map(|case| &case.verdicts[m]);
                let what = |of: &str| format!("{}, all gains: {of} {}", net.what(), measure.words);
                let starts: Vec<f64> = mine().flat_map(|v| v.falling.clone()).collect();
                let statement = what("not every field falls monotonically, as the note hopes, in");
                claims.push(one_sided("L003.26", statement, share(&starts)?, 1.0, false));
                let fell: Vec<f64> = mine().flat_map(|v| v.fell.clone()).collect();
                let statement = what(
                    "fields end lower than they start, e to the mean change (of the logarithm, for a product) below 1, in",
                );
                let fell = Estimate::from_samples(&fell)?;
                claims.push(one_sided("L003.26", statement, fell, 1.0, false));
            }
        }
        Ok(claims)
    }

    /// A line for every network, gain and measure.
    pub(super) fn table(&self, cases: &[Case]) -> Result<Vec<String>, LabError> {
        let pair = |e: &Estimate| format!("{:.3} +- {:.3}", e.mean(), e.se());
        let mut rows = Vec::new();
        for case in cases {
            for ((measure, bound), v) in MEASURES.iter().zip(self.bounds()).zip(&case.verdicts) {
                let falling = share(&v.falling)?;
                rows.push(vec![
                    case.net.name.to_owned(),
                    Value::Real(case.gain).to_string(),
                    measure.name.to_owned(),
                    format!("{bound:.4}"),
                    pair(&v.start),
                    pair(&v.end),
                    format!("{:.3}", v.least),
                    format!("{:.0}% +- {:.0}%", 100.0 * falling.mean(), 100.0 * falling.se()),
                    format!("{:.0}%", 100.0 * share(&v.lower)?.mean()),
                    measure.rise(v.rise),
                    measure.rise(v.noticed),
                ]);
            }
        }
        let head = "network gain measure bound start end least monotone lower rise noticed";
        let mut lines = table(&head.split(' ').collect::<Vec<_>>(), rows);
        lines.push(format!(
            "start, end: mean over fields, +- its standard error over {} starts; least: lowest reading; monotone: fields whose mean over {} streams of samples never rises \
             beyond noise; lower: fields that end below their start beyond noise; rise: median over fields of the largest rise above an earlier record (x: a factor); noticed: the rise that would be beyond typical noise, median over pairs of records.",
            self.starts, self.replicas
        ));
        Ok(lines)
    }
}
