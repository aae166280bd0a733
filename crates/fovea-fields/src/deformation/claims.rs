//! What the two branches say: order parameters, hysteresis and continuity.

use super::Deformation;
use super::measure::{Branch, Chain, Loop, ORDER};
use fovea_core::stats::quantile;
use fovea_desk::prelude::*;
use fovea_desk::replicas::jackknife;
use fovea_record::bound::one_sided;
use fovea_sim::probe::ipr::ipr;
use std::fmt::Write;

/// From this gain on fields are bumps; below it they lose them, slowly.
const CROSSOVER: f64 = 0.7;
/// The order parameter that says what the nearest Gabor leaves.
const LEFT: usize = 3;

/// `<a, b> / |a| |b|`.
pub fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

impl Loop {
    /// What it is, for a person.
    pub(super) fn what(&self) -> String {
        match self.kind.width {
            1 => "one unit".to_owned(),
            width => format!("{width} units"),
        }
    }

    /// The mean of a number of every network over the seeds.
    fn mean(&self, of: impl Fn(&Chain) -> f64) -> Result<Estimate, LabError> {
        Ok(Estimate::from_samples(&self.chains.iter().map(of).collect::<Vec<_>>())?)
    }

    /// The mean of an order parameter over the seeds.
    pub(super) fn order(
        &self,
        branch: Branch,
        gain: usize,
        which: usize,
    ) -> Result<Estimate, LabError> {
        self.mean(|chain| chain.at(branch, gain).mean(which))
    }

    /// The ratio of an order parameter on the way up to that on the way down, over the seeds.
    fn hysteresis(&self, gain: usize, which: usize) -> Result<Estimate, LabError> {
        let at = |chain: &Chain, branch| chain.at(branch, gain).mean(which);
        self.mean(|chain| at(chain, Branch::Up) / at(chain, Branch::Down))
    }

    /// The median over units and seeds of the cosine between a field at a gain and at the next one.
    fn next(&self, branch: Branch, gain: usize) -> Result<f64, LabError> {
        let mut cosines = Vec::new();
        for chain in &self.chains {
            let [a, b] = [gain, gain + 1].map(|gain| chain.at(branch, gain));
            cosines.extend(a.fields.iter().zip(&b.fields).map(|(a, b)| cosine(a, b)));
        }
        Ok(quantile(&cosines, 0.5)?)
    }

    /// The IPR on the way down over that on the way up, a number a seed: the geometric mean over gains from `from` to below `to`, the highest
    /// left out.
    fn lag(&self, settings: &Deformation, from: f64, to: f64) -> Option<Vec<f64>> {
        let gains: Vec<usize> = (0..settings.gain.len() - 1)
            .filter(|i| settings.gain[*i] >= from && settings.gain[*i] < to)
            .collect();
        let of = |chain: &Chain| {
            let ln = |gain: &usize| {
                let at = |branch| chain.at(branch, *gain).mean(0);
                libm::log(at(Branch::Down) / at(Branch::Up))
            };
            libm::exp(gains.iter().map(ln).sum::<f64>() / gains.len() as f64)
        };
        (!gains.is_empty()).then(|| self.chains.iter().map(of).collect())
    }

    pub(super) fn claims(
        &self,
        settings: &Deformation,
        hasty: &Self,
    ) -> Result<Vec<Claim>, LabError> {
        let (what, top) = (self.what(), settings.gain.len() - 1);
        let mut claims = Vec::new();
        if let Some(lag) = self.lag(settings, CROSSOVER, f64::INFINITY) {
            let lag = Estimate::from_samples(&lag)?;
            let statement = format!(
                "{what}, gains from {CROSSOVER}: the IPR on the way down over that on the way up, geometric mean over gains, is 1"
            );
            claims.push(Claim::family("L003.62", statement, &[(lag, 1.0)]));
        }
        if let [Some(slow), Some(fast)] = [self, hasty].map(|l| l.lag(settings, 0.0, CROSSOVER)) {
            let ratios: Vec<f64> = fast.iter().zip(&slow).map(|(fast, slow)| fast / slow).collect();
            let statement = format!(
                "{what}, gains below {CROSSOVER}: the ways lie further apart with {} times fewer steps, a lag and not two branches; ratio of the ratios above 1",
                settings.haste
            );
            claims.push(one_sided(
                "L003.62",
                statement,
                Estimate::from_samples(&ratios)?,
                1.0,
                true,
            ));
        }
        let grown = self.mean(|chain| chain.up[top].mean(0) / chain.up[0].mean(0))?;
        let statement = format!(
            "{what}: fields localize along the gain, IPR at the highest over that at the lowest above 1"
        );
        claims.push(one_sided("L003.62", statement, grown, 1.0, true));
        let dictator = settings.two_class().dictator()?;
        if self.kind.width == 1 && settings.gain[top].is_infinite() && dictator.exists {
            // Centred on its peak the mean field has no noise of its own place.
            let centred: Vec<Vec<f64>> =
                self.chains.iter().map(|chain| centred(&chain.up[top].fields[0])).collect();
            let measured = jackknife(&centred, ipr)?;
            let statement =
                format!("{what}: at infinite gain the IPR of the dictator state, in closed form");
            claims.push(
                Claim::family("L000.39", statement, &[(measured, dictator.ipr)])
                    .rejecting("a single site, IPR 1", &[(measured, 1.0)]),
            );
        }
        Ok(claims)
    }

    /// A line per gain.
    pub(super) fn table(
        &self,
        settings: &Deformation,
        hasty: &Self,
    ) -> Result<Vec<String>, LabError> {
        let mut header = format!("{:>6}", "gain");
        for name in ["IPR", "k", "sd", "left"] {
            let _ = write!(header, " {:>15} {:>15} {:>6}", format!("{name} up"), "down", "z");
        }
        let mut lines = vec![
            format!("{}, {} seeds", self.what(), self.chains.len()),
            format!("{header} {:>6} {:>7}", "drift", "next"),
        ];
        for (i, gain) in settings.gain.iter().enumerate() {
            let mut line = format!("{:>6}", Value::Real(*gain).to_string());
            for which in 0..ORDER.len() {
                let [up, down] =
                    self.both(i, which)?.map(|e| format!("{:.3} +- {:.3}", e.mean(), e.se()));
                let _ = write!(line, " {up:>15} {down:>15} {:>6}", self.apart(i, which)?);
            }
            let drift: Vec<f64> = self.chains.iter().map(|c| c.up[i].drift()).collect();
            let next = if i + 1 < settings.gain.len() {
                format!("{:.4}", self.next(Branch::Up, i)?)
            } else {
                "\u{2013}".to_owned()
            };
            lines.push(format!("{line} {:>+5.1}% {next:>7}", 100.0 * quantile(&drift, 0.5)?));
        }
        for (words, one) in [("these steps", self), ("fewer steps", hasty)] {
            for (from, to) in [(0.0, CROSSOVER), (CROSSOVER, f64::INFINITY)] {
                let Some(lag) = one.lag(settings, from, to) else { continue };
                let lag = Estimate::from_samples(&lag)?;
                lines.push(format!(
                    "{words}, gains {}: IPR down over up {:.4} +- {:.4}",
                    if to.is_finite() { format!("below {to}") } else { format!("from {from}") },
                    lag.mean(),
                    lag.se()
                ));
            }
        }
        lines.push(
            "z: up over down less 1, in standard errors over seeds; k: mean frequency; sd: circular spread in sites; left: share of the squared field that the nearest Gabor leaves; \
             drift: share of the IPR that came in the last quarter of the training time, way up, median; next: cosine of a field with that at the next gain, way up, median."
                .to_owned(),
        );
        Ok(lines)
    }

    fn both(&self, gain: usize, which: usize) -> Result<[Estimate; 2], LabError> {
        Ok([self.order(Branch::Up, gain, which)?, self.order(Branch::Down, gain, which)?])
    }

    fn apart(&self, gain: usize, which: usize) -> Result<String, LabError> {
        if gain >= self.chains[0].down.len() {
            return Ok("\u{2013}".to_owned());
        }
        Ok(format!("{:+.1}", self.hysteresis(gain, which)?.z(1.0)))
    }
}

/// A field turned so that its peak stands at site 0 and is positive.
pub fn centred(w: &[f64]) -> Vec<f64> {
    let top = fovea_desk::cell::peak(w);
    (0..w.len()).map(|i| w[(top + i) % w.len()] * w[top].signum()).collect()
}

/// Many units at high gain are said to be the most Gabor-like; what the nearest Gabor leaves of them, over what it leaves of one unit.
pub(super) fn gabors(settings: &Deformation, loops: &[Loop]) -> Result<Option<Claim>, LabError> {
    let of = |single: bool| loops.iter().find(|l| !l.kind.hasty && (l.kind.width == 1) == single);
    let (Some(one), Some(many)) = (of(true), of(false)) else { return Ok(None) };
    let top = settings.gain.len() - 1;
    let left = |l: &Loop| l.order(Branch::Up, top, LEFT);
    let (single, many_left) = (left(one)?, left(many)?);
    let statement = format!(
        "highest gain: the nearest Gabor leaves more of {} than the {:.3} it leaves of one (the note finds many units the most Gabor-like)",
        many.what(),
        single.mean()
    );
    let gap = many_left.difference(&single);
    let ratio = Estimate::from_parts(
        many_left.mean() / single.mean(),
        gap.se() / single.mean(),
        many_left.count(),
    )?;
    Ok(Some(one_sided("L003.62", statement, ratio, 1.0, true)))
}
