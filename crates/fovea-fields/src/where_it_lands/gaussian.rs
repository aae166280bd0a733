//! The Gaussian side: phases are conserved, so that a field ends where its first mode is at the start.

use super::{GAUSSIAN, ID, WhereItLands};
use fovea_core::fourier::{from_fourier, to_fourier};
use fovea_core::ode::DormandPrince;
use fovea_core::ring::RingKernel;
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_desk::replicas::jackknife;
use fovea_theory::FormError;
use fovea_theory::relu::flow_single::velocity;
use fovea_theory::relu::relaxation::relaxation;
use fovea_theory::relu::stable_mode::stable_mode;
use std::f64::consts::TAU;

/// Life times of the first mode after which the second cannot move the peak any more.
const LONG: f64 = 5.0;
/// Life times of a mode after which the flat one is settled.
const SETTLED: f64 = 12.0;
/// Share of the flat mode at which another one is too small to bend its own decay.
const SMALL: f64 = 1e-4;
/// Modes whose phase is followed under SGD.
const MODES: usize = 3;

/// Starts followed to the end on the closed flow, in site space.
pub(super) struct Flow {
    /// Site of the crest of the first mode at the start, where it adds to the mean of the field.
    pub(super) crest: Vec<f64>,
    /// Site of the largest weight at the end.
    pub(super) landed: Vec<f64>,
    /// Site of the largest weight at the start.
    pub(super) largest: Vec<f64>,
    /// Life times of the first two modes, predicted and measured; last, those of the decay alone.
    pub(super) lives: [[f64; 2]; 3],
    /// Why there is nothing to claim, where the flow does not end flat.
    elsewhere: Option<String>,
    /// How long the starts are followed.
    end: f64,
}

impl Flow {
    pub(super) fn new(
        settings: &WhereItLands,
        starts: &[Vec<f64>],
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let kernels = settings.two.kernels()?;
        let [pos, neg] = &kernels;
        let mode = stable_mode(&pos.eigs, &neg.eigs, 0.0).k;
        let wave =
            |k| format!("at these lengths the flow ends in a wave of frequency {k}, not flat");
        let elsewhere = (mode != 0).then(|| wave(mode));
        let predicted = lives(pos, neg);
        let end = LONG * predicted[0];
        let crest: Vec<f64> = starts.iter().map(|start| crest(start)).collect();
        let largest = starts.iter().map(|start| peak(start) as f64).collect();
        let (mut landed, mut measured) = (crest.clone(), predicted);
        if elsewhere.is_none() {
            let ends = desk.try_fleet(starts, |start| follow(&kernels, start, end, 1e-9))?;
            landed = ends.iter().map(|field| peak(field) as f64).collect();
            // From the size of a mode, small beside the settled flat one, and one life time later.
            for (k, life) in [1, 2].into_iter().zip(&mut measured) {
                let mut u = to_fourier(&starts[0]);
                let phase = libm::atan2(u[2 * k], u[2 * k - 1]);
                u[1..].fill(0.0);
                let mut u =
                    to_fourier(&follow(&kernels, &from_fourier(&u), SETTLED * *life, 1e-9)?);
                (u[2 * k - 1], u[2 * k]) =
                    (SMALL * u[0] * libm::cos(phase), SMALL * u[0] * libm::sin(phase));
                let early = from_fourier(&u);
                let later = follow(&kernels, &early, *life, 1e-12)?;
                let size = |w: &[f64]| {
                    let u = to_fourier(w);
                    libm::hypot(u[2 * k - 1], u[2 * k]) / u[0].abs()
                };
                *life /= libm::log(size(&early) / size(&later));
            }
        }
        let decay = [1, 2].map(|k| 4.0 / (pos.eigs[k] + neg.eigs[k]));
        Ok(Self { crest, landed, largest, lives: [predicted, measured, decay], elsewhere, end })
    }

    /// The site of every start, and how fast the modes die out.
    pub(super) fn claims(&self, n: usize) -> Vec<Claim> {
        let site = |crest: &f64| libm::round(*crest) % n as f64;
        let predicted: Vec<f64> = self.crest.iter().map(site).collect();
        let statement = format!(
            "Gaussian flow from {} starts: the largest weight at t = {:.0} is where the first mode of the start has its \
             crest, for every start (sites)",
            predicted.len(),
            self.end
        );
        let dies_out = "the first two modes die out in 4/(lambda_pos (q_k - q_0)): closed form, and measured on the flow in site space";
        if let Some(why) = &self.elsewhere {
            let none = |id, statement: String| Claim::undecided(id, statement, f64::NAN, why);
            return vec![none(ID, statement), none(ID, dies_out.to_owned())];
        }
        let claim = Claim::exact(ID, statement, &predicted, &self.landed, 1e-9);
        let lands =
            claim.rejecting_exact("the largest weight of the start", &self.largest, &self.landed);
        // The statement is about late times: before, shorter waves still move the largest weight.
        let lands = lands.only_as_stated();
        // A crest half way between two sites may count for either.
        let apart = predicted.iter().zip(&self.landed).map(|(site, at)| (site - at).abs());
        let elsewhere = apart.filter(|apart| *apart > 0.5).count();
        let lands = refuted_by_most(lands, &[(predicted.len(), elsewhere)]);
        let [closed, measured, decay] = self.lives;
        let claim = Claim::exact(ID, dies_out, &closed, &measured, 1e-6);
        let form = "the decay 4/(lambda_neg + lambda_pos) alone";
        vec![lands, claim.rejecting_exact(form, &decay, &measured)]
    }
}

/// Life times of the first two modes other than the flat one (L003.59); infinite where a mode grows.
pub fn lives(pos: &RingKernel, neg: &RingKernel) -> [f64; 2] {
    let rates = relaxation(&pos.eigs, &neg.eigs, 0).map_or(Vec::new(), |point| point.rates);
    [1, 2]
        .map(|k| rates.get(k).filter(|rate| **rate < 0.0).map_or(f64::INFINITY, |rate| -1.0 / rate))
}

/// Where the first mode adds most to the mean of the field, in sites.
pub fn crest(w: &[f64]) -> f64 {
    let (n, u) = (w.len() as f64, to_fourier(w));
    let angle = libm::atan2(u[2] * u[0].signum(), u[1] * u[0].signum());
    let site = n * angle / TAU;
    if site < 0.0 { site + n } else { site }
}

/// The field at time `t` to `rtol` per step, in site space, where nothing keeps the phases by construction.
fn follow(
    [pos, neg]: &[RingKernel; 2],
    start: &[f64],
    t: f64,
    rtol: f64,
) -> Result<Vec<f64>, LabError> {
    let solver = DormandPrince { rtol, atol: 1e-3 * rtol, max_steps: 100_000, h0: None };
    let flow = |_: f64, w: &[f64], out: &mut [f64]| {
        out.copy_from_slice(&velocity(&pos.first_row, &neg.first_row, w));
    };
    let path = solver.solve(flow, 0.0, t, start).map_err(FormError::from)?;
    Ok(path.last().to_vec())
}

/// Under SGD on nearly Gaussian data the mean over replicas keeps the phases of the start (L003.11).
pub(super) fn phases(start: &[f64], replicas: &[&Trained]) -> Result<Claim, LabError> {
    let angle = |w: &[f64], k: usize| {
        let u = to_fourier(w);
        libm::atan2(u[2 * k], u[2 * k - 1])
    };
    let readings: Vec<Vec<&[Vec<f64>]>> =
        replicas.iter().map(|run| run.readings(&probe::weights::ENTRY)).collect();
    let records = readings[0].len();
    let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
    for record in [records / 2, records - 1] {
        let fields: Vec<Vec<f64>> = readings.iter().map(|run| run[record][0].clone()).collect();
        for k in 1..=MODES {
            let kept = angle(start, k);
            // Around the predicted angle, so that nothing wraps.
            let measured = jackknife(&fields, |w| kept + turned(angle(w, k) - kept))?;
            let largest = TAU * (k * peak(start)) as f64 / start.len() as f64;
            pairs.push((measured, kept));
            wrong.push((measured, kept + turned(largest - kept)));
        }
    }
    let statement = format!(
        "SGD at gain {GAUSSIAN}: the first {MODES} modes of the mean over replicas keep the phases of the start, half-way and at \
         the end (radians)"
    );
    let claim = Claim::family("L003.11", statement, &pairs);
    let form = "phases that put every crest on the largest weight of the start";
    Ok(claim.rejecting(form, &wrong).only_as_stated())
}

/// An angle between minus and plus half a turn.
fn turned(angle: f64) -> f64 {
    angle - TAU * libm::round(angle / TAU)
}
