//! The figure of `deformation`: two rows a width; one network's fields on the way up and down, and order parameters on both ways.

use super::Deformation;
use super::measure::{Branch, Loop};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "For each width: the field of one unit of the first network at every gain, each in units of its largest weight and turned so that the \
    peak at the highest gain stands in the middle, on the way up and on the way down; then IPR, mean frequency, circular spread and what the nearest Gabor leaves of the \
    squared field, mean over units and seeds with two standard errors, on both ways; dotted, the same with a fraction of the steps at every gain. The dashed line is the dictator state of one unit at infinite gain.";

const WAYS: [(Branch, &str); 2] = [(Branch::Up, "way up"), (Branch::Down, "way down")];

fn style(branch: Branch) -> Style {
    match branch {
        Branch::Up => Style { size: 3.0, ..Style::series(0).solid() },
        Branch::Down => Style { size: 2.6, ..Style::series(1).solid().hollow() },
    }
}

impl Deformation {
    pub(super) fn figure(&self, loops: &[[Loop; 2]]) -> Result<Figure, LabError> {
        let TwoClass { n, xi_pos, xi_neg, .. } = self.two;
        let subtitle = format!(
            "ReLU units on {n} sites, correlation lengths {xi_pos} (label 1) and {xi_neg} (label 0); every gain is trained to rest from the fields of the gain before, {} networks of one unit, {} of more.",
            self.seeds, self.wide_seeds
        );
        let labels = [
            "IPR  $\\sum w^4 / (\\sum w^2)^2$",
            "mean frequency (cycles per ring)",
            "circular spread (sites)",
            "not Gabor: residual / $|w|^2$",
        ];
        let mut panels = Vec::new();
        for pair in loops {
            panels.extend(WAYS.map(|(branch, way)| self.fields(&pair[0], branch, way)));
            for (which, label) in labels.iter().enumerate() {
                panels.push(self.order(pair, which, label)?);
            }
        }
        let figure = Figure::new("Fields along the gain, there and back").subtitle(subtitle);
        Ok(grid(figure.description(CAPTION), (3, 1080.0, 0.66), panels))
    }

    /// Gains are equally spaced, so that infinity has a place.
    fn gain_axis(&self) -> Axis {
        let (every, last) = (self.gain.len().div_ceil(8), self.gain.len() - 1);
        let labelled = (0..=last).filter(|i| (last - i).is_multiple_of(every));
        let ticks = labelled.map(|i| (i as f64, gains::label(self.gain[i])));
        Axis::new("gain").range(-0.5, last as f64 + 0.5).ticks_at(ticks)
    }

    /// Of the first network the unit that is the most localized one at the highest gain, in the middle its peak there.
    fn fields(&self, one: &Loop, branch: Branch, way: &str) -> Panel {
        let (n, gains, chain) = (self.two.n, self.gain.len(), &one.chains[0]);
        let top = &chain.at(Branch::Up, gains - 1).fields;
        let unit =
            (0..top.len()).max_by(|a, b| ipr(&top[*a]).total_cmp(&ipr(&top[*b]))).unwrap_or(0);
        let centre = peak(&top[unit]);
        let column = |gain: usize| -> Vec<f64> {
            let field = &chain.at(branch, gain).fields[unit];
            let largest = field[peak(field)].abs();
            (0..n).map(|i| field[(centre + i + n - n / 2) % n] / largest).collect()
        };
        let columns: Vec<Vec<f64>> = (0..gains).map(column).collect();
        let half = (n / 2) as f64;
        let heat = Heat {
            values: (0..n).flat_map(|i| columns.iter().map(move |column| column[i])).collect(),
            rows: n,
            cols: gains,
            x_range: (-0.5, gains as f64 - 0.5),
            y_range: (-half - 0.5, n as f64 - half - 0.5),
            map: ColorMap::Diverging,
            limits: Some((-1.0, 1.0)),
            bar: Some("weight / largest".to_owned()),
        };
        let (title, y) = (format!("{}: {way}", one.what()), Axis::new("sites from the peak"));
        Panel::new(title, self.gain_axis(), y).with(Mark::Heat(heat))
    }

    fn order(&self, loops: &[Loop; 2], which: usize, label: &str) -> Result<Panel, LabError> {
        let [one, hasty] = loops;
        let mut panel = Panel::new(one.what(), self.gain_axis(), Axis::new(label).from(0.0));
        for ((branch, name), shift) in WAYS.into_iter().zip([-0.08, 0.08]) {
            let along = |one: &Loop| {
                let gains = 0..self.gain.len();
                gains.map(|gain| one.order(which, (branch, gain))).collect::<Result<Vec<_>, _>>()
            };
            let (slow, fast) = (along(one)?, along(hasty)?);
            let x: Vec<f64> = (0..slow.len()).map(|i| i as f64 + shift).collect();
            let thin = Style { width: 1.2, ..style(branch).dash(Dash::Dotted) };
            panel = panel
                .with(Mark::line(&x, &bars(&slow).0, "", Style { width: 1.0, ..style(branch) }))
                .with(Mark::line(&x, &bars(&fast).0, format!("{name}, in haste"), thin))
                .with(measured(&x, &slow, name, style(branch)));
        }
        if let Some(dictator) = self.dictator(one)? {
            let value = super::measure::order(&dictator.w)?[which];
            let top = self.gain.len() as f64 - 1.0;
            let ends = [top - 1.5, top + 0.5];
            panel = panel.with(Mark::line(&ends, &[value; 2], "dictator state", Style::theory()));
        }
        Ok(panel)
    }
}
