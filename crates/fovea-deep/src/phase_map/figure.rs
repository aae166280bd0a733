//! The figure of `phase-map`: what depth leads to over the plane, the edge of chaos, and the way to the fixed point.

use super::{Map, PhaseMap, SHOWN};
use fovea_desk::prelude::*;
use fovea_theory::phase::{Fate, Phase};

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) The correlation that depth leads to, over the variances of weights and biases; white: the variance grows without end. Line: the edge of chaos in parametric form; \
    left of it all inputs become one. (b) The variance that depth leads to. (c) Distance of the correlation to its fixed point by layer, at three places marked in (a): points by the recursion, lines with the predicted rate through the last of them.";

impl PhaseMap {
    fn heat(&self, title: &str, bar: &str, values: Vec<f64>, limits: Option<(f64, f64)>) -> Panel {
        let half = |ends: &[f64], n: usize| 0.5 * (ends[1] - ends[0]) / (n - 1) as f64;
        let (dx, dy) = (half(&self.c_w, self.columns), half(&self.c_b, self.rows));
        let heat = Heat {
            values,
            rows: self.rows,
            cols: self.columns,
            x_range: (self.c_w[0] - dx, self.c_w[1] + dx),
            y_range: (self.c_b[0] - dy, self.c_b[1] + dy),
            map: ColorMap::Sequential,
            limits,
            bar: Some(bar.to_owned()),
        };
        let x = Axis::new("$C_w$").range(self.c_w[0], self.c_w[1]);
        let y = Axis::new("$C_b$").range(self.c_b[0], self.c_b[1]);
        Panel::new(title, x, y).with(Mark::Heat(heat))
    }

    pub(super) fn figure(&self, map: &Map) -> Figure {
        let exploding = |fate: &Fate| fate.phase == Phase::Exploding;
        let of = |f: fn(&Fate) -> f64| -> Vec<f64> {
            map.fates.iter().map(|fate| if exploding(fate) { f64::NAN } else { f(fate) }).collect()
        };
        // One point beyond each end of the map, where the line leaves it.
        let inside = |p: &[f64; 3]| {
            p[0] >= self.c_w[0] && p[0] <= self.c_w[1] && p[1] >= self.c_b[0] && p[1] <= self.c_b[1]
        };
        let near = |i: usize| {
            map.edge[i.saturating_sub(1)..(i + 2).min(map.edge.len())].iter().any(inside)
        };
        let (x, y): (Vec<f64>, Vec<f64>) = (0..map.edge.len())
            .filter(|i| near(*i))
            .map(|i| (map.edge[i][0], map.edge[i][1]))
            .unzip();
        let edge =
            Mark::line(&x, &y, "edge of chaos", Style { width: 2.0, ..Style::theory() }.solid());
        let mut first = self
            .heat("Correlation that is kept", "$r^*$", of(|fate| fate.r), Some((0.0, 1.0)))
            .with(edge.clone());
        let second =
            self.heat("Variance that is kept", "$K^*$", of(|fate| fate.k), None).with(edge);
        let y = Axis::new("$|r_l-r^*|$").log().range(1e-9, 1.0);
        let mut third =
            Panel::new("Towards the fixed point", Axis::new("layer"), y).span(2).height(190.0);
        for (i, probe) in map.probes.iter().take(SHOWN).enumerate() {
            let style = Style::series(i);
            let [c_w, c_b] = probe.at;
            let phase = probe.fate.phase.word();
            let label = format!("$C_w$ = {c_w:.2}, $C_b$ = {c_b:.2}: {phase}");
            first = first.with(Mark::points(&[c_w], &[c_b], "", Style { size: 4.5, ..style }));
            let Some(rate) = probe.rate else { continue };
            let many = probe.gaps.len().min(self.layers + 1);
            let layers: Vec<f64> = (0..many).map(|l| l as f64).collect();
            let shown: Vec<f64> =
                probe.gaps[..many].iter().map(|g| if *g > 1e-9 { *g } else { f64::NAN }).collect();
            // The rate is that of the end: the line runs through the last point that has digits.
            let anchor = shown.iter().rposition(|gap| *gap > 1e-8).unwrap_or(0);
            let line: Vec<f64> =
                layers.iter().map(|l| shown[anchor] * libm::pow(rate, l - anchor as f64)).collect();
            third = third
                .with(Mark::line(&layers, &line, label, style))
                .with(Mark::points(&layers, &shown, "", style));
        }
        let title = format!("Order and chaos of deep {} networks", self.activation.name());
        grid(Figure::new(title).description(CAPTION), (2, 880.0, 0.8), [first, second, third])
    }
}
