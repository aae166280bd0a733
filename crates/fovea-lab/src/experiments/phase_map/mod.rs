//! Which variances of weights and biases send inputs together with depth, and which apart?
//!
//! At given `(C_w, C_b)` depth leads to a variance `K*` and to a correlation `r*`: 1 in the ordered phase, where `chi_perp < 1`, less in the chaotic one (T02.15). The line between them has
//! a parametric form, `C_w = 1/E_K[s'^2]`, `C_b = K - C_w E_K[s^2]` over all `K`: no search. The distance to the fixed point falls by `C_w E[s's']` a layer.
//! A fixed point on that line whose `chi_perp` is not 1, a rate other than this one, or a recursion that ends elsewhere than the root would falsify it.

mod figure;

use super::{Experiment, Row};
use crate::bench::Bench;
use crate::claim::Claim;
use crate::error::LabError;
use crate::outcome::{Array, Outcome, Series, Status};
use crate::present::{Words, aligned, report};
use fovea_core::params::{any, at_least, between, finite_above};
use fovea_core::{Function, ParamError, Params, activation, params};
use fovea_sim::Watch;
use fovea_theory::averages::{Averages, Pair};
use fovea_theory::layer::Layer;
use fovea_theory::phase::{Fate, fate};

params! {
    /// Settings of `phase-map`.
    pub struct PhaseMap {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::tanh::ENTRY), any(), "";
        /// Least and largest variance of the weights times the number of inputs.
        c_w: Vec<f64> = vec![0.5, 4.0], finite_above(0.0), "";
        /// Least and largest variance of the biases.
        c_b: Vec<f64> = vec![0.0, 1.0], at_least(0.0), "";
        /// Columns of the map.
        columns: usize = 60, between(2.0, 400.0), "";
        /// Its rows.
        rows: usize = 60, between(2.0, 400.0), "";
        /// Layers followed at three places of the map.
        layers: usize = 40, between(5.0, 1e4), "";
    }
}

impl Params for PhaseMap {
    fn check(&self) -> Result<(), ParamError> {
        for (key, ends) in [("c_w", &self.c_w), ("c_b", &self.c_b)] {
            if ends.len() != 2 || ends[0] >= ends[1] {
                return Err(ParamError::Inconsistent {
                    what: format!("`{key}` is {ends:?}"),
                    hint: "give the least and the largest value".to_owned(),
                });
            }
        }
        Ok(())
    }
}

const WORDS: Words<'static> = Words {
    title: "Order and chaos by the variances of weights and biases",
    lead: "Where depth makes all inputs one, where it drives close ones apart, and the line between.",
    caption: figure::CAPTION,
    formulas: &[
        r"K^*=C_b+C_wE_{K^*}[s^2],\qquad r^*K^*=C_b+C_wE[s(z_a)s(z_b)],\qquad r_l-r^*\propto\big(C_wE[s's']\big)^l",
        r"\chi_\perp=1:\qquad C_w=\frac1{E_K[s'^2]},\quad C_b=K-\frac{E_K[s^2]}{E_K[s'^2]},\qquad K\ge0",
    ],
};

/// One place followed layer by layer.
struct Probe {
    at: [f64; 2],
    fate: Fate,
    /// `C_w E[s's']` at the fixed point.
    rate: f64,
    /// Distances to the kept correlation.
    gaps: Vec<f64>,
    /// Kept correlation as the recursion ends, and the rate as a difference quotient of the map.
    ended: [f64; 2],
}

struct Map {
    fates: Vec<Fate>,
    edge: Vec<[f64; 3]>,
    probes: Vec<Probe>,
}

impl PhaseMap {
    fn place(&self, column: usize, row: usize) -> [f64; 2] {
        let along = |ends: &[f64], i: usize, n: usize| {
            ends[0] + (ends[1] - ends[0]) * i as f64 / (n - 1) as f64
        };
        [along(&self.c_w, column, self.columns), along(&self.c_b, row, self.rows)]
    }

    /// The edge of chaos inside the map: `C_w`, `C_b`, `K`.
    fn edge(&self) -> Result<Vec<[f64; 3]>, LabError> {
        let averages = Averages::of(&self.activation);
        let mut line = Vec::new();
        for i in 0..=640 {
            let k = if i == 0 { 0.0 } else { libm::pow(10.0, -3.0 + f64::from(i) / 128.0) };
            let Ok(slope) = averages.slope_square(k) else { break };
            let c_w = 1.0 / slope;
            let c_b = k - c_w * averages.square(k)?;
            if c_b >= 0.0 && c_w.is_finite() {
                line.push([c_w, c_b, k]);
            }
        }
        Ok(line)
    }

    fn probe(&self, at: [f64; 2]) -> Result<Probe, LabError> {
        let layer = Layer::new(&self.activation, at[0], at[1]);
        let fate = fate(&layer, 1.0)?;
        let (k, r) = (fate.k, fate.r);
        let rate = at[0] * layer.averages.slope_product(Pair::correlated(k, r))?;
        let next = |r: f64| -> Result<f64, LabError> {
            Ok((at[1] + at[0] * layer.averages.product(Pair::correlated(k, r))?) / k)
        };
        let mut path = vec![0.5 * (1.0 + r) - 0.3 * f64::from(u8::from(r > 0.99))];
        let quick = Layer { averages: layer.averages.clone().to(1e-9), ..layer.clone() };
        for _ in 0..self.layers {
            let pair = Pair::correlated(k, path[path.len() - 1]);
            path.push((at[1] + at[0] * quick.averages.product(pair)?) / k);
        }
        let gaps = path.iter().map(|now| (now - r).abs()).collect();
        // From one side where the fixed point is the end of the interval.
        let h = 1e-4;
        let quotient = if r > 0.99 {
            (1.5 * next(1.0)? - 2.0 * next(1.0 - h)? + 0.5 * next(1.0 - 2.0 * h)?) / h
        } else {
            (next(r + h)? - next(r - h)?) / (2.0 * h)
        };
        Ok(Probe { at, fate, rate, gaps, ended: [path[path.len() - 1], quotient] })
    }

    /// Places at a quarter, at half and at three quarters of the width of the map, low in it.
    fn probed(&self) -> Vec<[f64; 2]> {
        let c_b = self.c_b[0] + 0.1 * (self.c_b[1] - self.c_b[0]);
        [0.08, 0.5, 0.85].map(|t| [self.c_w[0] + t * (self.c_w[1] - self.c_w[0]), c_b]).to_vec()
    }

    fn map(&self, bench: &Bench<'_>) -> Result<Option<Map>, LabError> {
        let places: Vec<[f64; 2]> = (0..self.rows)
            .flat_map(|row| (0..self.columns).map(move |column| self.place(column, row)))
            .collect();
        bench.progress.expect(places.len() as u64);
        let averages = Averages::of(&self.activation).to(1e-6);
        let fates = bench.fleet(&places, |[c_w, c_b]| {
            bench.stepped();
            let layer = Layer { averages: averages.clone(), c_w: *c_w, c_b: *c_b };
            if bench.stopped() { Ok(None) } else { fate(&layer, 1.0).map(Some) }
        });
        let fates = fates.into_iter().collect::<Result<Option<Vec<Fate>>, _>>()?;
        let Some(fates) = fates else { return Ok(None) };
        let probes = bench.fleet(&self.probed(), |at| self.probe(*at));
        let probes = probes.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(Some(Map { fates, edge: self.edge()?, probes }))
    }

    fn claims(&self, map: &Map) -> Result<Vec<Claim>, LabError> {
        let inside = |p: &&[f64; 3]| p[0] <= self.c_w[1] && p[1] <= self.c_b[1] && p[2] > 0.01;
        let on: Vec<[f64; 3]> = map.edge.iter().filter(inside).step_by(32).copied().collect();
        let mut claims = Vec::new();
        if !on.is_empty() {
            let found = on
                .iter()
                .map(|[c_w, c_b, k]| fate(&Layer::new(&self.activation, *c_w, *c_b), 1.1 * k));
            let found = found.collect::<Result<Vec<Fate>, _>>()?;
            let measured: Vec<f64> = found.iter().map(|fate| fate.chi_perp).collect();
            let halved: Vec<f64> = on.iter().map(|[c_w, ..]| 0.5 * c_w * measured[0]).collect();
            claims.push(
                Claim::exact(
                    "T02.15",
                    "chi_perp at the variance that depth leads to, along the edge of chaos in parametric form",
                    &vec![1.0; on.len()],
                    &measured,
                    1e-8,
                )
                .rejecting_exact("the edge of ReLU, C_w = 2", &halved, &measured),
            );
        }
        let (mut predicted, mut measured) = (Vec::new(), Vec::new());
        for probe in
            map.probes.iter().filter(|probe| probe.fate.k > 0.0 && probe.fate.k.is_finite())
        {
            predicted.push(probe.rate);
            measured.push(probe.ended[1]);
        }
        if !predicted.is_empty() {
            let silent = vec![1.0; predicted.len()];
            claims.push(
                Claim::exact(
                    "T02.6",
                    "rate at which the correlation approaches its fixed point: E[s's'], and a difference quotient of the map",
                    &predicted,
                    &measured,
                    1e-5,
                )
                .rejecting_exact("no exponential rate", &silent, &measured),
            );
        }
        Ok(claims)
    }

    fn table(map: &Map) -> Vec<String> {
        let head = ["C_w", "C_b", "phase", "K*", "r*", "r after the last layer", "rate"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for probe in &map.probes {
            let number = |x: f64| format!("{x:.6}");
            rows.push(vec![
                format!("{:.3}", probe.at[0]),
                format!("{:.3}", probe.at[1]),
                probe.fate.phase.word().to_owned(),
                number(probe.fate.k),
                number(probe.fate.r),
                number(probe.ended[0]),
                number(probe.rate),
            ]);
        }
        aligned(&rows)
    }
}

impl Experiment for PhaseMap {
    fn quick() -> Self {
        Self { columns: 12, rows: 8, layers: 20, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let map = self.map(bench)?;
        let (mut claims, mut figures, mut summary) = (Vec::new(), Vec::new(), Vec::new());
        let mut arrays = Vec::new();
        if let Some(map) = &map {
            claims = self.claims(map)?;
            figures = vec![("phase-map", figure::figure(self, map))];
            summary = Self::table(map);
            let rows =
                map.fates.iter().map(|fate| vec![fate.k, fate.r, fate.chi_par, fate.chi_perp]);
            arrays.push(Array::of_rows("fates", &rows.collect::<Vec<_>>()));
            let edge: Vec<Vec<f64>> = map.edge.iter().map(|point| point.to_vec()).collect();
            arrays.push(Array::of_rows("edge", &edge));
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let status = if map.is_some() { Status::Completed } else { Status::Interrupted };
        let series = Series::default();
        Ok(Outcome { status, dtype: "f64", series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<PhaseMap>(
    "phase-map",
    "order and chaos over the variances of weights and biases, with the edge in parametric form",
    "Which variances of weights and biases send inputs together with depth, and which apart? chi_perp < 1 is order, chi_perp > 1 chaos with a correlation r* < 1 (T02.15). \
     A fixed point on the parametric edge whose chi_perp is not 1, or another rate of approach, would falsify it.",
);
