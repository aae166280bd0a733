//! The figure of `proof-bounds`: moves, kernel and loss along flows beside the three bounds.

use super::Found;
use super::measure::At;
use fovea_desk::prelude::*;
use fovea_theory::ntk::width::moved_at_most;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Flows of networks with one hidden layer and frozen second weights: the narrowest and the widest of one seed, and one that is as wide as the proof asks for (two inputs). Solid: the flow. Dashed: its bound. (a) Largest move of the weights of a unit, and $D^*$. \
    (b) Least eigenvalue of the kernel over that at the start; the proof needs a half. (c) Loss over that at the start, and $e^{-\\lambda_0t/m}$. (d) How far the kernel moved, and $2mD$.";

/// The figure.
pub(super) fn figure(found: &Found) -> Figure {
    let net = &found.flows[0];
    let shown = [&net[0], &net[net.len() - 1], &found.closed];
    let time = || Axis::new("time");
    let mut panels = [
        Panel::new("Largest move of a unit", time(), Axis::new("$D$").log()),
        Panel::new("Kernel", time(), Axis::new("$\\lambda_{\\min}/\\lambda_0$").from(0.0)),
        Panel::new("Loss", time(), Axis::new("$L/L_0$").log()),
        Panel::new("Move of the kernel", time(), Axis::new("$|K_t-K_0|$").log()),
    ];
    let half = Mark::Horizontal { at: 0.5, label: String::new(), style: Style::guide() };
    panels[1].marks.push(half);
    for (i, flow) in shown.into_iter().enumerate() {
        let style = Style::series(i).solid();
        let bound = Style::series(i).dash(Dash::Dashed);
        let t: Vec<f64> = flow.path.iter().map(|at| at.time).collect();
        // The start has no move, and no place on an axis of logarithms.
        let read = |f: &dyn Fn(&At) -> f64| -> Vec<f64> {
            let shown = |at: &At| Some(f(at)).filter(|x| *x > 0.0).unwrap_or(f64::NAN);
            flow.path.iter().map(shown).collect()
        };
        let m = flow.m as f64;
        let most = moved_at_most(flow.m, flow.loss, flow.least, flow.width as f64);
        let label = format!("{} units, {} inputs", flow.width, flow.m);
        let lines = [
            (read(&|at| at.moved), Some(read(&|_| most))),
            (read(&|at| at.least / flow.least), None),
            (
                read(&|at| at.loss / flow.loss),
                Some(read(&|at| libm::exp(-flow.least * at.time / m))),
            ),
            (read(&|at| at.kernel), Some(read(&|at| 2.0 * m * at.moved))),
        ];
        for (k, (line, beside)) in lines.into_iter().enumerate() {
            let label = if k == 1 { label.clone() } else { String::new() };
            panels[k].marks.push(Mark::line(&t, &line, label, style));
            panels[k].marks.extend(beside.map(|beside| Mark::line(&t, &beside, "", bound)));
        }
    }
    let figure = Figure::new("The bounds of the convergence proof hold, with room to spare")
        .subtitle("solid: the flow; dashed: its bound")
        .description(CAPTION);
    grid(figure, (2, 880.0, 0.62), panels)
}
