//! At which variances of weights and biases do inputs converge with depth, and at which do they separate?
//!
//! At given `(C_w, C_b)` depth leads to a variance `K*` and to a correlation `r*`: 1 in the ordered phase, where `chi_perp < 1`, less in the chaotic one (T02.15). The line between them has
//! a parametric form, `C_w = 1/E_K[s'^2]`, `C_b = K - C_w E_K[s^2]` over all `K`: no search. The distance to the fixed point falls by `C_w E[s's']` per layer.
//! The recursion of both variances and of the covariance, iterated, must end where the root is, on both sides of that line, and its last steps must shrink by the rate. An end elsewhere, or another rate, would falsify it; that all inputs become equal, and the rate at r = 1, must be rejected.

use fovea_desk::prelude::*;
use fovea_theory::averages::{Averages, Pair};
use fovea_theory::layer::Layer;
use fovea_theory::phase::{Fate, Phase, fate};

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
        /// Rows of the map.
        rows: usize = 60, between(2.0, 400.0), "";
        /// Layers followed at three places of the map.
        layers: usize = 40, between(5.0, 1e4), "";
    }
}

impl Params for PhaseMap {
    fn check(&self) -> Result<(), ParamError> {
        for (key, ends) in [("c_w", &self.c_w), ("c_b", &self.c_b)] {
            if ends.len() != 2 || ends[0] >= ends[1] {
                let hint = "give the least and the largest value";
                return Err(refused(format!("`{key}` is {ends:?}"), hint));
            }
        }
        Ok(())
    }
}

/// One place followed layer by layer.
struct Probe {
    at: [f64; 2],
    fate: Fate,
    /// `C_w E[s's']` at the fixed point; none where the variance goes to zero or to infinity.
    rate: Option<f64>,
    /// Distances to the limiting correlation, by layer.
    gaps: Vec<f64>,
    /// The correlation at which the recursion comes to rest, if it does.
    ended: Option<f64>,
    /// The factor by which the distance shrinks at the end.
    shrinks: Option<f64>,
}

/// Layers after which a recursion that still moves counts as one that never comes to rest.
const MOST: usize = 2000;
/// A correlation that a layer changes by less has come to rest; quadrature is good to a tenth of it.
const STILL: f64 = 1e-7;
/// Distances between which the factor of the end is read: small against 1, large against quadrature.
const LATE: [f64; 2] = [1e-5, 1e-3];

/// The limit of large depth, place by place.
pub struct Map {
    fates: Vec<Fate>,
    edge: Vec<[f64; 3]>,
    /// Three places of the map, then places on both sides of the edge.
    probes: Vec<Probe>,
}

/// How many places of the map are shown.
const SHOWN: usize = 3;

/// How far from the edge the places on both sides of it lie, as a share of `C_w`.
const OFF_EDGE: f64 = 0.25;

impl PhaseMap {
    fn place(&self, column: usize, row: usize) -> [f64; 2] {
        let along = |ends: &[f64], i: usize, n: usize| {
            ends[0] + (ends[1] - ends[0]) * i as f64 / (n - 1) as f64
        };
        [along(&self.c_w, column, self.columns), along(&self.c_b, row, self.rows)]
    }

    /// The edge of chaos inside the map: `C_w`, `C_b`, `K`.
    fn edge(&self) -> Vec<[f64; 3]> {
        let averages = Averages::of(&self.activation);
        let mut line = Vec::new();
        for i in 0..=640 {
            let k = if i == 0 { 0.0 } else { libm::pow(10.0, -3.0 + f64::from(i) / 128.0) };
            let Ok(slope) = averages.slope_square(k) else { break };
            let c_w = 1.0 / slope;
            let Ok(square) = averages.square(k) else { break };
            let c_b = k - c_w * square;
            if c_b >= 0.0 && c_w.is_finite() {
                line.push([c_w, c_b, k]);
            }
        }
        line
    }

    fn probe(&self, at: [f64; 2]) -> Result<Probe, LabError> {
        let layer = Layer::new(&self.activation, at[0], at[1]);
        let fate = fate(&layer, 1.0)?;
        let mut probe =
            Probe { at, fate, rate: None, gaps: Vec::new(), ended: None, shrinks: None };
        if !(fate.k > 0.0 && fate.k.is_finite()) {
            return Ok(probe);
        }
        let (k, r) = (fate.k, fate.r);
        probe.rate = Some(at[0] * layer.averages.slope_product(Pair::correlated(k, r))?);
        let tolerant = Layer { averages: layer.averages.clone().to(0.1 * STILL), ..layer };
        // All three numbers move: nothing of the fixed point is assumed.
        let start = 0.5 * (1.0 + r) - 0.3 * f64::from(u8::from(r > 0.99));
        let mut now = Pair::correlated(1.0, start);
        probe.gaps.push((now.correlation() - r).abs());
        for _ in 0..MOST.max(self.layers) {
            let next = tolerant.next_pair(now)?;
            let [before, after] = [now.correlation(), next.correlation()];
            let gap = (after - r).abs();
            let last = probe.gaps[probe.gaps.len() - 1];
            // Only where the variance has come to rest by then: its own rate would be seen otherwise.
            let rests = (next.aa / k - 1.0).abs() < LATE[1] * gap;
            if gap > LATE[0] && last < LATE[1] && rests {
                probe.shrinks = Some(gap / last);
            }
            probe.gaps.push(gap);
            if (after - before).abs() < STILL && (next.aa - now.aa).abs() < STILL * k {
                probe.ended = Some(after);
                break;
            }
            now = next;
        }
        Ok(probe)
    }

    /// Three places across the map, low in it, and places on both sides of the edge.
    fn probed(&self, edge: &[[f64; 3]]) -> Vec<[f64; 2]> {
        let c_b = self.c_b[0] + 0.1 * (self.c_b[1] - self.c_b[0]);
        let shown: [f64; SHOWN] = [0.08, 0.5, 0.85];
        let shown = shown.map(|t| [self.c_w[0] + t * (self.c_w[1] - self.c_w[0]), c_b]);
        let inside = |p: &&[f64; 3]| p[0] <= self.c_w[1] && p[1] <= self.c_b[1] && p[2] > 0.3;
        let on: Vec<&[f64; 3]> = edge.iter().filter(inside).collect();
        let around = on.iter().step_by(on.len().div_ceil(2).max(1)).flat_map(|[c_w, c_b, _]| {
            [1.0 - OFF_EDGE, 1.0 + OFF_EDGE].map(|factor| [factor * c_w, *c_b])
        });
        shown.into_iter().chain(around).collect()
    }

    fn claims(map: &Map) -> Vec<Claim> {
        let probes = map.probes.iter();
        let ended = |probe: &Probe| Some((probe.ended?, [probe.fate.r, 1.0]));
        let ended: Vec<_> = probes.clone().filter_map(ended).collect();
        let shrunk = |probe: &Probe| Some((probe.shrinks?, [probe.rate?, probe.fate.chi_perp]));
        let shrunk: Vec<_> = probes.filter_map(shrunk).collect();
        let claim = |what: &str, wrong: &str, numbers: Vec<(f64, [f64; 2])>, tolerance: f64| {
            if numbers.is_empty() {
                let why = "at no place does the recursion come to rest with a variance above zero";
                return Claim::undecided("phase-map", what, 1.0, why);
            }
            told_apart_exactly("phase-map", what, wrong, numbers, tolerance)
        };
        let what = "correlation at which the recursion comes to rest, at three places and on both sides of the edge of chaos, and the root of its map";
        let rate = "factor by which the last layers of the recursion shrink the distance to the fixed point, and C_w E[s's'] there";
        vec![
            // The distance left after the last layer is the change in that layer, over one minus the rate.
            claim(what, "1 everywhere, as in the ordered phase", ended, 1e-5),
            // Off by the distance itself, a thousandth at most.
            claim(rate, "chi_perp, the rate at r = 1", shrunk, LATE[1]),
        ]
    }

    fn table(map: &Map) -> Table {
        Table::of("places", &map.probes)
            .real("c_w", 3, |probe| probe.at[0])
            .real("c_b", 3, |probe| probe.at[1])
            .words("phase", |probe| probe.fate.phase.word())
            .real("k", 6, |probe| probe.fate.k)
            .real("r", 6, |probe| probe.fate.r)
            .real("r_at_the_end", 6, |probe| probe.ended.unwrap_or(f64::NAN))
            .real("rate", 6, |probe| probe.rate.unwrap_or(f64::NAN))
            .real("rate_at_the_end", 6, |probe| probe.shrinks.unwrap_or(f64::NAN))
            .caption(
                "Limiting variance K and correlation r at large depth, one row per place: r by the root of its map, compared with \
                 that at which the recursion comes to rest, if it does; and the factor by which a layer shrinks the distance to the fixed point, \
                 compared with that of the last layers, if it can be read.",
            )
    }
}

impl Experiment for PhaseMap {
    type Found<'r> = Map;

    const WORDS: Words<'static> = Words {
        title: "Order and chaos by the variances of weights and biases",
        lead: "Where depth makes all inputs equal, where it drives close ones apart, and the line between.",
        caption: CAPTION,
        formulas: &[
            r"K^*=C_b+C_wE_{K^*}[s^2],\qquad r^*K^*=C_b+C_wE[s(z_a)s(z_b)],\qquad r_l-r^*\propto\big(C_wE[s's']\big)^l",
            r"\chi_\perp=1:\qquad C_w=\frac1{E_K[s'^2]},\quad C_b=K-\frac{E_K[s^2]}{E_K[s'^2]},\qquad K\ge0",
        ],
    };

    fn quick() -> Self {
        Self { columns: 12, rows: 8, layers: 20, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        (self.rows * self.columns + self.probed(&self.edge()).len()) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Map, LabError> {
        let places: Vec<[f64; 2]> = (0..self.rows)
            .flat_map(|row| (0..self.columns).map(move |column| self.place(column, row)))
            .collect();
        let averages = Averages::of(&self.activation).to(1e-6);
        let fates = desk.try_fleet(&places, |[c_w, c_b]| {
            fate(&Layer { averages: averages.clone(), c_w: *c_w, c_b: *c_b }, 1.0)
        })?;
        let edge = self.edge();
        let probes = desk.try_fleet(&self.probed(&edge), |at| self.probe(*at))?;
        Ok(Map { fates, edge, probes })
    }

    fn show(&self, _: &Runs, map: &Map) -> Result<Shown, LabError> {
        let fates = map.fates.iter().map(|fate| vec![fate.k, fate.r, fate.chi_par, fate.chi_perp]);
        let fates = Array::of_rows("fates", &fates.collect::<Vec<_>>());
        let edge: Vec<Vec<f64>> = map.edge.iter().map(|point| point.to_vec()).collect();
        let arrays = vec![fates, Array::of_rows("edge", &edge)];
        let figures = vec![("phase-map", self.figure(map))];
        let (claims, tables) = (Self::claims(map), vec![Self::table(map)]);
        Ok(Shown { arrays, claims, figures, tables, ..Shown::default() })
    }
}

/// What the figure shows, for a reader.
const CAPTION: &str = "(a) The correlation of two inputs at large depth, over the variances of weights and biases; grey: the variance grows without bound. Line: the edge of chaos in parametric form; \
    left of it all inputs become equal. (b) The variance at large depth. (c) Distance of the correlation to its fixed point by layer, at three places marked in (a): points by the recursion, lines with the predicted rate through the last of them.";

impl PhaseMap {
    fn heat(&self, title: &str, bar: &str, values: Vec<f64>, limits: Option<(f64, f64)>) -> Panel {
        let [x, y] = [[self.c_w[0], self.c_w[1]], [self.c_b[0], self.c_b[1]]];
        let (rows, cols, bar) = (self.rows, self.columns, bar.to_owned());
        let axis = |name: &str, ends: [f64; 2]| Axis::new(name).range(ends[0], ends[1]);
        let cells = Cells { values, rows, cols, x, y, limits, bar };
        heat_map(title, axis("$C_w$", x), axis("$C_b$", y), cells)
    }

    /// The edge of chaos, with one point beyond each end of the map, where the line leaves it.
    fn line(&self, edge: &[[f64; 3]]) -> Mark {
        let within = |ends: &[f64], x: f64| ends[0] <= x && x <= ends[1];
        let inside = |p: &[f64; 3]| within(&self.c_w, p[0]) && within(&self.c_b, p[1]);
        let near =
            |i: &usize| edge[i.saturating_sub(1)..(i + 2).min(edge.len())].iter().any(inside);
        let line: Xy = (0..edge.len()).filter(near).map(|i| (edge[i][0], edge[i][1])).collect();
        line.line("edge of chaos", Style { width: 2.0, ..Style::theory() }.solid())
    }

    fn figure(&self, map: &Map) -> Figure {
        let exploding = |fate: &Fate| fate.phase == Phase::Exploding;
        let of = |f: fn(&Fate) -> f64| -> Vec<f64> {
            map.fates.iter().map(|fate| if exploding(fate) { f64::NAN } else { f(fate) }).collect()
        };
        let shown = || map.probes.iter().take(SHOWN).enumerate();
        let places = shown().map(|(i, probe)| {
            let [c_w, c_b] = probe.at;
            xy(&[c_w], [c_b]).points("", Style { size: 4.5, ..Style::series(i) })
        });
        let correlation = self
            .heat("Limiting correlation", "$r^*$", of(|fate| fate.r), Some((0.0, 1.0)))
            .with(self.line(&map.edge))
            .with_all(places);
        let variance = self
            .heat("Limiting variance", "$K^*$", of(|fate| fate.k), None)
            .with(self.line(&map.edge));
        let gaps = shown().filter_map(|(i, Probe { at: [c_w, c_b], fate, rate, gaps, .. })| {
            let (rate, gaps) = ((*rate)?, &gaps[..gaps.len().min(self.layers + 1)]);
            // The rate is that of the end: the line runs through the last point that has digits.
            let last = gaps.iter().rposition(|gap| *gap > 1e-8).unwrap_or(0);
            let line = |l: usize| gaps[last] * libm::pow(rate, l as f64 - last as f64);
            let seen = |gap: f64| if gap > 1e-9 { gap } else { f64::NAN };
            let measured = counted(gaps.iter().map(|gap| seen(*gap)));
            let theory = counted((0..gaps.len()).map(|l| seen(line(l))));
            let label = format!("$C_w$ = {c_w:.2}, $C_b$ = {c_b:.2}: {}", fate.phase.word());
            Some(named(label, Style::series(i), Compared { measured, theory }))
        });
        let y = Axis::new("$|r_l-r^*|$").log().range(1e-9, 1.0);
        let gaps = arms_with_theory("Towards the fixed point", "layer", y, gaps);
        let title = format!("Order and chaos of deep {} networks", self.activation.name());
        let panels = [correlation, variance, gaps.span(2).height(190.0)];
        grid(Figure::new(title).description(CAPTION), (2, 880.0, 0.8), panels)
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<PhaseMap>(
    "phase-map",
    "order and chaos over the variances of weights and biases, with the edge in parametric form",
    include_str!("phase_map.rs"),
);
