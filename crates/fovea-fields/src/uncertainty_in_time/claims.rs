//! The bounds of the four measures, the claim that no value falls below them, a Gabor on a ring against its closed form, and tests of
//! the note's hope.

use super::UncertaintyInTime;
use super::measure::{Case, Clearest, MEASURES, of_net, share};
use fovea_core::agree::noise_limit;
use fovea_desk::prelude::*;
use fovea_record::bound::one_sided;
use fovea_sim::probe::uncertainty::uncertainty;
use fovea_theory::uncertainty::gaussian::gaussian;
use fovea_theory::uncertainty::maassen_uffink::maassen_uffink;
use fovea_theory::uncertainty::real_gabor::real_gabor;
use std::f64::consts::TAU;

/// The id of its claims that are no clause of the catalogue.
const ID: &str = "uncertainty-in-time";

/// The square of the least product of the spreads of time and frequency, on the line and on the circle.
fn quarter() -> f64 {
    let least = gaussian(1.0, 0.0).product();
    least * least
}

/// Of all values of a measure, how many lie at or above its bound.
pub(super) fn never_broken(settings: &UncertaintyInTime, cases: &[Case]) -> Vec<Claim> {
    let readings =
        || cases.iter().flat_map(|g| &g.fields).flat_map(|f| f.readings.iter().flatten());
    let claim = |(m, bound): (usize, f64)| {
        let all = readings().count() as f64;
        // Rounding may put a field that reaches the bound just below it.
        let above =
            |bound: f64| readings().filter(|r| r[m] >= bound * (1.0 - 1e-12)).count() as f64;
        let statement = format!(
            "{}: readings of all fields, streams and records at or above the bound {bound:.4}",
            MEASURES[m].words
        );
        Claim::exact(ID, statement, &[all], &[above(bound)], 0.5 / all).rejecting_exact(
            "a bound twice as high",
            &[all],
            &[above(2.0 * bound)],
        )
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
    let real = Claim::exact("L003.26/real", statement, &predicted, &measured, tolerance);
    let real = real.rejecting_exact("the note's 1/2, squared", &[quarter(); 3], &measured);
    let many = 16.0;
    let [two_sided, analytic] = without_curvature(many);
    let statement = "a Gabor of many periods, (ks)^2 = 16: its analytic signal has the least product, 1/4, up to the curvature of the circle";
    let signal = Claim::exact(ID, statement, &[quarter()], &[analytic], tolerance);
    vec![real, signal.rejecting_exact("the real field's product", &[two_sided], &[analytic])]
}

/// The clearest of these rises, tested as the largest of all that were looked at.
fn rises(statement: String, all: impl Iterator<Item = Clearest>) -> Result<Claim, LabError> {
    let (mut looked_at, mut clearest): (usize, Option<Clearest>) = (0, None);
    for one in all {
        looked_at += one.among;
        let further = |best: Clearest| one.rise / one.error > best.rise / best.error;
        if clearest.is_none_or(further) {
            clearest = Some(one);
        }
    }
    let Some(Clearest { rise, error, count, .. }) = clearest else {
        return Ok(Claim::undecided(ID, statement, 1.0, "there is no field"));
    };
    let factor = libm::exp(rise);
    let mean = Estimate::from_parts(factor, factor * error, count)?;
    if rise <= 0.0 {
        return Ok(Claim::undecided(ID, statement, 1.0, "no field is seen to rise at all"));
    }
    let claim = one_sided(ID, statement, mean, 1.0, true);
    Ok(Claim { limit: noise_limit(looked_at, (count - 1) as f64), ..claim })
}

impl UncertaintyInTime {
    /// The bounds of the four measures: `ln n`, 1, 1/4 and 1/4.
    pub(super) fn bounds(&self) -> [f64; 4] {
        [maassen_uffink(self.two.n, 1).bound, 1.0, quarter(), quarter()]
    }

    /// Tests of the note's hope, for every network and measure over all gains: fields end lower, and not all of them fall
    /// monotonically. One field that rises beyond its own error refutes that all do, with all fields and pairs of records counted.
    pub(super) fn shares(&self, cases: &[Case]) -> Result<Vec<Claim>, LabError> {
        let mut claims = Vec::new();
        for net in self.nets() {
            for (m, measure) in MEASURES.iter().enumerate() {
                let mine = || of_net(cases, net).map(|case| &case.verdicts[m]);
                let what = |of: &str| format!("{}, all gains: {of} {}", net.what(), measure.words);
                let statement = what(
                    "not every field falls monotonically, as the note hopes: e to the clearest rise of a field between two records (of the logarithm, for a product) above 1, in",
                );
                claims.push(rises(statement, mine().map(|v| v.clearest))?);
                let fell: Vec<f64> = mine().flat_map(|v| v.fell.clone()).collect();
                let statement = what(
                    "fields end lower than they start, e to the mean change (of the logarithm, for a product) below 1, in",
                );
                let fell = Estimate::from_samples(&fell)?;
                claims.push(one_sided(ID, statement, fell, 1.0, false));
            }
        }
        Ok(claims)
    }

    /// One row per network, gain and measure: its values at start and end, and its rises in between.
    pub(super) fn tables(&self, cases: &[Case]) -> Result<Vec<Table>, LabError> {
        let mut rows = Vec::new();
        for case in cases {
            for ((measure, bound), v) in MEASURES.iter().zip(self.bounds()).zip(&case.verdicts) {
                rows.push((case, measure, bound, v, share(&v.falling)?, share(&v.lower)?));
            }
        }
        let of = |name: &str| {
            Table::of(name, &rows)
                .words("network", |row| row.0.net.name)
                .given("gain", |row| row.0.gain)
                .words("measure", |row| row.1.name)
        };
        let heights = of("uncertainty")
            .real("bound", 4, |row| row.2)
            .mean("start", 5, |row| row.3.start)
            .mean("end", 5, |row| row.3.end)
            .real("least", 3, |row| row.3.least)
            .caption(
                "Mean over fields at the start and at the end, with the standard error over starts, and the lowest value of all, \
                 compared with the bound; one row per network, gain and measure.",
            );
        let changes = of("changes")
            .estimate("monotone", 2, |row| row.4)
            .estimate("lower", 2, |row| row.5)
            .words("rise_is_a", |row| if row.1.log { "factor" } else { "difference (nats)" })
            .digits("rise", 4, |row| row.1.rise(row.3.rise))
            .digits("noticed", 4, |row| row.1.rise(row.3.noticed))
            .caption(
                "Share of fields whose mean over the streams of samples never rises beyond noise, and share of those that end below their \
                 start by more than noise; median over fields of the largest rise above an earlier record; and the least rise \
                 beyond typical noise, median over pairs of records.",
            );
        Ok(vec![heights, changes])
    }
}
