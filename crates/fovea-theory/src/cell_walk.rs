//! A trajectory of the flow on binary data, wall by wall.
//!
//! Inside a cell every sum $`\langle w(t),x\rangle`$ is a constant plus decaying exponentials. A step is accepted if no corner can have
//! passed 0 on the way, by a bound on the second derivative; otherwise the first root is found to rounding by bisection,
//! its corner changes sides, and the flow continues with the next cell's target.

use crate::cell_flow::{CellError, CellFlow, depth};
use crate::cell_sum::Sum;
use crate::threshold::tie_width;
use fovea_core::fourier::frequency_of;
use fovea_core::work;

/// A trajectory in progress.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    flow: &'a CellFlow,
    /// The time.
    pub t: f64,
    /// Walls crossed so far.
    pub walls: usize,
    /// Fourier coefficients of the weights.
    u: Vec<f64>,
    /// Sums at the corners with the last spin up.
    sums: Vec<f64>,
    /// Scratch space of the same size: a trajectory computes sums at every wall.
    scratch: Vec<f64>,
    /// The sign of each, which identifies the cell.
    cell: Vec<f64>,
    /// Fourier coefficients of the cell's target.
    target: Vec<f64>,
    /// The step to try next.
    step: f64,
    /// Steps since the last wall.
    quiet: u32,
}

/// Steps without a wall after which steps may be longer than the fastest mode allows: only slow modes are left.
const PATIENCE: u32 = 256;

/// A cell that contains its own target, reached by a trajectory that cannot leave it any more.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// The target, where the flow ends.
    pub w: Vec<f64>,
    /// The time at which the trajectory was certain to stay.
    pub t: f64,
    /// Walls crossed on the way.
    pub walls: usize,
    /// $`\min_x|\langle w,x\rangle|/\|w\|_1`$, how far the target lies inside its cell; 1 for a single site.
    pub depth: f64,
}

impl Rest {
    /// Inverse participation ratio of the weights.
    pub fn ipr(&self) -> f64 {
        let power: f64 = self.w.iter().map(|w| w * w).sum();
        self.w.iter().map(|w| w * w * w * w).sum::<f64>() / (power * power)
    }
}

impl CellFlow {
    /// A trajectory that starts at the weights `w`.
    ///
    /// # Errors
    /// Weights on a wall.
    pub fn start(&self, w: &[f64]) -> Result<Walk<'_>, CellError> {
        let (sums, width) = (Self::sums(w), tie_width(w));
        let walls = sums.iter().filter(|sum| sum.abs() <= width).count();
        if walls > 0 {
            return Err(CellError::OnWall { walls });
        }
        Ok(Walk::new(self, w, sums))
    }
}

impl<'a> Walk<'a> {
    /// A trajectory at its start, which must not lie on a wall.
    pub(crate) fn new(flow: &'a CellFlow, w: &[f64], sums: Vec<f64>) -> Self {
        let cell: Vec<f64> = sums.iter().map(|sum| sum.signum()).collect();
        let (target, scratch) = (flow.target(&cell), sums.clone());
        let mut walk = Self {
            flow,
            t: 0.0,
            walls: 0,
            u: flow.modes(w),
            sums,
            scratch,
            cell,
            target,
            step: 0.0,
            quiet: 0,
        };
        walk.step = walk.longer(0.05 * walk.longest());
        walk
    }

    /// The weights now.
    pub fn weights(&self) -> Vec<f64> {
        self.flow.sites(&self.u)
    }

    /// The target of the cell the trajectory is in.
    pub fn target(&self) -> Vec<f64> {
        self.flow.sites(&self.target)
    }

    /// Follows the flow to the time `t`.
    ///
    /// # Errors
    /// More than `most_walls` walls crossed since the start.
    pub fn advance(&mut self, t: f64, most_walls: usize) -> Result<(), CellError> {
        while self.t < t {
            self.piece(t - self.t);
            if self.walls > most_walls || self.spent() {
                return Err(CellError::TooManyWalls { walls: self.walls, t: self.t });
            }
        }
        Ok(())
    }

    /// Follows the flow until it is certain to stay in its cell.
    ///
    /// # Errors
    /// More than `most_walls` walls crossed since the start.
    pub fn rest(mut self, most_walls: usize) -> Result<Rest, CellError> {
        loop {
            let before = self.walls;
            self.piece(f64::INFINITY);
            if self.walls > most_walls || self.spent() {
                return Err(CellError::TooManyWalls { walls: self.walls, t: self.t });
            }
            if self.walls == before {
                if let Some(rest) = self.at_rest() {
                    return Ok(rest);
                }
                if let Some(walls) = self.between_walls() {
                    return Err(CellError::RestsOnWall { walls, t: self.t });
                }
            }
        }
    }

    /// Whether the allowed work is used up; a step goes over all corners.
    fn spent(&self) -> bool {
        !work::spend(4 + self.flow.n * self.flow.n / 8 + self.sums.len() / 32)
    }

    /// The number of walls on which the target lies to rounding, once the weights have reached it to rounding.
    fn between_walls(&self) -> Option<usize> {
        let w = self.flow.sites(&self.target);
        let (width, reach) = (tie_width(&w), (self.flow.n as f64).sqrt() * norm(self.gaps()));
        if reach > width {
            return None;
        }
        let walls = CellFlow::sums(&w).iter().filter(|sum| sum.abs() <= 2.0 * width).count();
        (walls > 0).then_some(walls)
    }

    /// The end, once no wall can be reached on the way to the target: the distance only shrinks, and
    /// $`|\langle w-w_c,x\rangle|\le\sqrt n\,\|w-w_c\|`$.
    fn at_rest(&mut self) -> Option<Rest> {
        let reach = (self.flow.n as f64).sqrt() * norm(self.gaps());
        let (cell, scratch) = (&self.cell, &mut self.scratch);
        let mut inside = |w: &[f64]| {
            let clear = reach.max(tie_width(w));
            CellFlow::put_sums(w, scratch);
            scratch.iter().zip(cell).all(|(sum, side)| side * sum > clear)
        };
        if !inside(&self.flow.sites(&self.target)) {
            return None;
        }
        // The target was updated from wall to wall; the end is computed anew.
        let w = self.flow.sites(&self.flow.target(&self.cell));
        let stays = inside(&w);
        stays.then(|| Rest { depth: depth(&self.scratch, &w), w, t: self.t, walls: self.walls })
    }

    fn gaps(&self) -> impl Iterator<Item = f64> + Clone {
        self.u.iter().zip(&self.target).map(|(u, target)| u - target)
    }

    /// Fourier coefficients after `time` in this cell, computed as changes because early weights are small compared with their target.
    fn after(&self, time: f64) -> Vec<f64> {
        let modes = self.u.iter().zip(&self.target).zip(&self.flow.rates);
        modes.map(|((u, target), rate)| u + (u - target) * libm::expm1(-rate * time)).collect()
    }

    /// One step inside the cell, to the next wall, of at most `most`.
    fn piece(&mut self, most: f64) {
        let (flow, step) = (self.flow, self.step.min(most));
        let after = self.after(step);
        CellFlow::put_sums(&flow.sites(&after), &mut self.scratch);
        // A bound on every second derivative while the distance to the target shrinks.
        let bend = (flow.n as f64).sqrt()
            * norm(self.gaps().zip(&flow.rates).map(|(gap, rate)| gap * rate * rate));
        let safe = 0.125 * bend * step * step;
        let mut first: Option<(f64, usize)> = None;
        for corner in self.in_danger(safe) {
            // A product of the basis with a vector, in cached memory, and a search for a root.
            work::spend(1 + flow.n * flow.n / 128);
            let until = first.map_or(step, |(time, _)| time);
            if let Some(time) = self.sum_of(corner, bend).first_root(until) {
                first = Some((time, corner));
            }
        }
        let Some((time, corner)) = first else {
            self.u = after;
            std::mem::swap(&mut self.sums, &mut self.scratch);
            self.quiet += 1;
            (self.t, self.step) = (self.t + step, self.longer(2.0 * self.step));
            return;
        };
        self.u = self.after(time);
        CellFlow::put_sums(&flow.sites(&self.u), &mut self.sums);
        self.t += time;
        (self.walls, self.quiet) = (self.walls + 1, 0);
        // f changes by -2 P(x) x sgn<w,x>, and the target by 2 M^-1 times that.
        let change = -self.cell[corner] * flow.pmf[corner];
        for ((end, x), rate) in
            self.target.iter_mut().zip(flow.corner_modes(corner)).zip(&flow.rates)
        {
            *end += change * x / rate;
        }
        self.cell[corner] *= -1.0;
        self.step = self.longer(3.0 * time);
    }

    /// Corners whose sums are not safely away from 0 on their side, here or after the step.
    fn in_danger(&self, safe: f64) -> Vec<usize> {
        const BATCH: usize = 64;
        let mut found = Vec::new();
        let there = self.scratch.chunks(BATCH);
        let batches = self.cell.chunks(BATCH).zip(self.sums.chunks(BATCH)).zip(there);
        for (batch, ((sides, here), there)) in batches.enumerate() {
            // Without a branch the loop over a batch is vectorised over corners.
            let near = |(side, (here, there)): (&f64, (&f64, &f64))| {
                u8::from(side * here <= safe) | u8::from(side * there <= safe)
            };
            let each = || sides.iter().zip(here.iter().zip(there)).map(near);
            if each().fold(0, |any, near| any | near) > 0 {
                let corners = each().enumerate().filter(|(_, near)| *near > 0);
                found.extend(corners.map(|(i, _)| batch * BATCH + i));
            }
        }
        found
    }

    /// A step, clamped to bounds that keep the search for roots short.
    fn longer(&self, step: f64) -> f64 {
        let longest = self.longest();
        let most = if self.quiet > PATIENCE { f64::MAX } else { longest };
        step.clamp(1e-9 * longest, most)
    }

    /// The relaxation time of the fastest mode.
    fn longest(&self) -> f64 {
        1.0 / self.flow.rates.iter().fold(0.0, |top: f64, rate| top.max(*rate))
    }

    fn sum_of(&self, corner: usize, bend: f64) -> Sum<'_> {
        let modes = self.flow.corner_modes(corner);
        let side = self.cell[corner];
        // A cosine and a sine decay together.
        let mut moving = vec![0.0; self.flow.n / 2 + 1];
        for (j, (x, gap)) in modes.iter().zip(self.gaps()).enumerate() {
            moving[frequency_of(j, self.flow.n)] += side * x * gap;
        }
        let (start, rounding) = (side * self.sums[corner], 4.0 * tie_width(&self.u));
        Sum { start, moving, rates: &self.flow.by_frequency, bend, rounding }
    }
}

fn norm(entries: impl Iterator<Item = f64> + Clone) -> f64 {
    let plain = entries.clone().map(|x| x * x).sum::<f64>();
    if plain.is_finite() && plain >= f64::MIN_POSITIVE {
        return plain.sqrt();
    }
    // The squares over- or underflow.
    let scale = entries.clone().fold(0.0, |top: f64, x| top.max(x.abs()));
    if scale > 0.0 {
        scale * entries.map(|x| (x / scale) * (x / scale)).sum::<f64>().sqrt()
    } else {
        0.0
    }
}
