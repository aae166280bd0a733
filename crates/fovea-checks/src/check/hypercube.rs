//! The gated mean of data on the corners of a cube: bumps, majorities, symmetries (note 000, sections 2 and 3).

use super::prelude::*;
use fovea_theory::Spins;
use fovea_theory::dictator::fixed_point::sign_cov;
use fovea_theory::pulse::gated::gated;
use fovea_theory::sign::four::four;
use fovea_theory::spins::SpinsError;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "hypercube",
    summary: "The gated mean of binary data: bumps, majorities and symmetries, corner by corner.",
    covers: &[
        "L000.6", "L000.7", "L000.22", "L000.23", "L000.24", "L000.25", "L000.27", "L000.32",
        "L000.42", "L000.48", "L003.23",
    ],
    run,
};

const SITES: usize = 5;
const XI: f64 = 0.9;
/// Coupling and size of the ring where spins are Ising's.
const COUPLING: f64 = 0.6;
const RING: usize = 9;
/// Weights without symmetry; they add up to 4.41, an odd number of hundredths, so that no corner lies on the wall.
const WEIGHTS: [f64; RING] = [0.9, -0.36, 0.6, 0.2, -0.8, 0.45, 0.1, -0.3, 0.7];

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    let signs = Signs::new();
    let ring = Corners::ising(RING, COUPLING);
    Ok(vec![
        odd(&ring)?,
        shifted(&ring)?,
        signs.single(),
        signs.balanced(),
        signs.imbalanced(),
        signs.three(),
        outvoted(&ring)?,
        extracted(&ring),
        scaled_and_shifted(&ring)?,
        dependent(&ring),
        signs.law()?,
    ])
}

/// Signs of Gaussians on a ring of five, in closed form and corner by corner.
struct Signs {
    latent: Vec<f64>,
    cov: Vec<f64>,
    corners: Corners,
}

impl Signs {
    fn new() -> Self {
        let latent = kernel_row(SITES, XI, Kernel::Ring);
        Self { cov: sign_cov(&latent), latent, corners: Corners::signs(SITES, XI) }
    }

    /// `factor` times the columns of some sites of a circulant.
    fn columns(row: &[f64], sites: &[usize], factor: f64) -> Vec<f64> {
        let entry = |i: usize| sites.iter().map(|s| row[distance(i, *s, SITES)]).sum::<f64>();
        (0..SITES).map(|i| factor * entry(i)).collect()
    }

    fn measured(&self, w: [f64; SITES]) -> Vec<f64> {
        self.corners.gated_mean(&w, true)
    }

    fn single(&self) -> Comparison {
        let what = "f(e_2) of the signs of five Gaussians: half a column of Cov(X), and all corners with orthants by quadrature";
        let predicted = Self::columns(&self.cov, &[2], 0.5);
        let measured = self.measured([0.0, 0.0, 1.0, 0.0, 0.0]);
        let source = Self::columns(&self.latent, &[2], 1.0);
        Comparison::digits(&["L000.22"], what, &predicted, &measured).source(&source)
    }

    fn balanced(&self) -> Comparison {
        let w = [1.0, 0.0, 1.0, 0.0, 0.0];
        let what = "f(e_0 + e_2) of the signs of five Gaussians, ties counted with >= and with >";
        let predicted = Self::columns(&self.cov, &[0, 2], 0.25).repeat(2);
        let measured = [self.measured(w), self.corners.gated_mean(&w, false)].concat();
        let source = Self::columns(&self.latent, &[0, 2], 1.0).repeat(2);
        Comparison::digits(&["L000.23"], what, &predicted, &measured).source(&source)
    }

    fn imbalanced(&self) -> Comparison {
        let what = "f(1.75 e_1 + e_2) and f(1.75 e_1 - e_4) of the signs of five Gaussians";
        let predicted = Self::columns(&self.cov, &[1], 0.5).repeat(2);
        let measured =
            [[0.0, 1.75, 1.0, 0.0, 0.0], [0.0, 1.75, 0.0, 0.0, -1.0]].map(|w| self.measured(w));
        let source = Self::columns(&self.latent, &[1], 1.0).repeat(2);
        Comparison::digits(&["L000.24"], what, &predicted, &measured.concat()).source(&source)
    }

    /// Dictator, majority, and the mean of both on the wall between them.
    fn three(&self) -> Comparison {
        let at = |i: usize, j: usize| self.latent[distance(i, j, SITES)];
        let product = |l: usize| match l {
            // A site that returns squares to 1.
            0..3 => self.cov[distance((l + 1) % 3, (l + 2) % 3, SITES)],
            l => four([at(0, 1), at(0, 2), at(0, l), at(1, 2), at(1, l), at(2, l)]),
        };
        let columns = Self::columns(&self.cov, &[0, 1, 2], 0.25);
        let majority: Vec<f64> =
            columns.iter().enumerate().map(|(l, c)| c - 0.25 * product(l)).collect();
        let dictator = Self::columns(&self.cov, &[0], 0.5);
        let between: Vec<f64> =
            majority.iter().zip(&dictator).map(|(a, b)| f64::midpoint(*a, *b)).collect();
        let predicted = [dictator, majority.clone(), majority, between].concat();
        let measured = [[2.75, 1.5], [2.0, 1.5], [1.75, 1.25], [2.5, 1.5]]
            .map(|[a, b]| self.measured([a, b, 1.0, 0.0, 0.0]));
        let what = "f(a e_0 + b e_1 + e_2) of the signs of five Gaussians, (a, b) = (2.75, 1.5), (2, 1.5), (1.75, 1.25), (2.5, 1.5)";
        let source = Self::columns(&self.latent, &[0], 1.0).repeat(4);
        Comparison::digits(&["L000.25"], what, &predicted, &measured.concat()).source(&source)
    }

    /// Probabilities of corners from moments of two and four signs, and orthants by quadrature.
    fn law(&self) -> Result<Comparison, LabError> {
        let (mut predicted, mut measured) = (Vec::new(), Vec::new());
        let four_sites = Corners::signs(4, 1.0);
        for (n, xi, corners) in [(4, 1.0, &four_sites), (SITES, XI, &self.corners)] {
            let row = kernel_row(n, xi, Kernel::Ring);
            let latent: Vec<Vec<f64>> =
                (0..n).map(|i| (0..n).map(|j| row[distance(i, j, n)]).collect()).collect();
            let spins = Spins::signs(&latent).map_err(form)?;
            for (corner, x) in corners.states().enumerate().filter(|(_, x)| x[n - 1] > 0.0) {
                predicted.push(spins.pmf(corner));
                measured.push(corners.probability(x));
            }
            // f(e_0)_1 = asin(r_01) / pi.
            predicted.push(libm::asin(row[1]) / std::f64::consts::PI);
            let single: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == 0))).collect();
            measured.push(corners.gated_mean(&single, true)[1]);
        }
        let what = "probabilities of the signs of four and five Gaussians from moments of two and four, and orthants by quadrature; f(e_0)_1";
        Ok(Comparison::digits(&["L003.23"], what, &predicted, &measured))
    }
}

fn form(error: SpinsError) -> LabError {
    fovea_theory::FormError::from(error).into()
}

fn ising() -> Result<Spins, LabError> {
    Spins::ising(RING, COUPLING).map_err(form)
}

fn turned(f: &[f64], shift: usize) -> Vec<f64> {
    let mut turned = f.to_vec();
    turned.rotate_right(shift);
    turned
}

/// `f(-w) = -f(w)`; for pulses, whose mean is not 0, `f(-w) = E[x] + E[x; S = 0] - f(w)`.
fn odd(ring: &Corners) -> Result<Comparison, LabError> {
    let lengths = [2, 3];
    let pulses: Vec<Vec<f64>> = lengths
        .iter()
        .flat_map(|l| (0..RING).map(move |s| (0..RING).map(|i| lit(i, s, *l)).collect()))
        .collect();
    let share = 1.0 / pulses.len() as f64;
    let mean = |keep: &dyn Fn(f64) -> bool, i: usize| -> f64 {
        pulses.iter().filter(|x| keep(dot(&WEIGHTS, x))).map(|x| share * x[i]).sum()
    };
    let there = gated(&WEIGHTS, &lengths);
    let flipped = |i: usize| mean(&|_| true, i) + mean(&|sum| sum.abs() < 1e-12, i) - there[i];
    let spins = ising()?.gated_mean(&WEIGHTS);
    let predicted: Vec<f64> = spins.iter().map(|f| -f).chain((0..RING).map(flipped)).collect();
    let against = WEIGHTS.map(|w| -w);
    let pulse = (0..RING).map(|i| mean(&|sum| -sum >= 0.0, i));
    let measured: Vec<f64> = ring.gated_mean(&against, true).into_iter().chain(pulse).collect();
    let what = "f(-w) on an Ising ring is -f(w); for pulses it is E[x] - f(w)";
    Ok(Comparison::digits(&["L000.6"], what, &predicted, &measured))
}

fn lit(i: usize, start: usize, length: usize) -> f64 {
    f64::from(u8::from((i + RING - start) % RING < length))
}

fn shifted(ring: &Corners) -> Result<Comparison, LabError> {
    let f = ising()?.gated_mean(&WEIGHTS);
    let all = |g: &dyn Fn(usize) -> Vec<f64>| (0..RING).flat_map(g).collect::<Vec<f64>>();
    let predicted = all(&|s| turned(&f, s));
    let measured = all(&|s| ring.gated_mean(&turned(&WEIGHTS, s), true));
    let what = "f of all shifts of w on an Ising ring of 9: shifts of f(w), and corner by corner";
    Ok(Comparison::digits(&["L000.7"], what, &predicted, &measured))
}

fn scaled_and_shifted(ring: &Corners) -> Result<Comparison, LabError> {
    let f = ising()?.gated_mean(&WEIGHTS);
    let moves = [(1.0, 2), (0.001, 4), (300.0, 7)];
    let predicted: Vec<f64> = moves.iter().flat_map(|(_, s)| turned(&f, *s)).collect();
    let moved = |(scale, s): &(f64, usize)| turned(&WEIGHTS.map(|w| scale * w), *s);
    let measured: Vec<f64> = moves.iter().flat_map(|m| ring.gated_mean(&moved(m), true)).collect();
    let what =
        "f(a T^s w) on an Ising ring of 9 is T^s f(w); the note has f(w), whatever the position";
    let source = f.repeat(moves.len());
    Ok(Comparison::digits(&["L000.42"], what, &predicted, &measured).source(&source))
}

/// One weight outvotes the others: half a signed column of the covariance.
fn outvoted(ring: &Corners) -> Result<Comparison, LabError> {
    let spins = ising()?;
    let cases = [(0, 1.0), (3, -1.0), (8, 1.0)];
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (site, sign) in cases {
        let mut w = WEIGHTS;
        w[site] = sign * 4.5;
        predicted.extend((0..RING).map(|i| 0.5 * sign * spins.cov(site, i)));
        measured.extend(ring.gated_mean(&w, true));
    }
    let what = "f(w) on an Ising ring where one weight exceeds all others together: half a signed column of Cov(x)";
    Ok(Comparison::digits(&["L000.27"], what, &predicted, &measured))
}

/// Three comparable weights vote; f points at the middle one, not at the largest.
fn extracted(ring: &Corners) -> Comparison {
    let mut w = [0.0; RING];
    (w[0], w[1], w[2]) = (2.0, 1.5, 1.0);
    let a = libm::tanh(COUPLING);
    let power = |d: usize| libm::pow(a, d as f64);
    let closed = |d: usize| (power(d) + power(RING - d)) / (1.0 + power(RING));
    // Sites 0, 1, 2 and l in order around the ring: gaps 1, 1, l - 2 and the rest; 0-1 and 2-l pair up.
    let product = |l: usize| match l {
        0 | 2 => closed(1),
        1 => closed(2),
        l => closed(1 + l - 2),
    };
    let column = |l: usize| -> f64 { (0..3).map(|s| closed(distance(s, l, RING))).sum() };
    let predicted: Vec<f64> = (0..RING).map(|l| 0.25 * (column(l) - product(l))).collect();
    let source: Vec<f64> = (0..RING).map(|l| 0.5 * closed(distance(0, l, RING))).collect();
    let what =
        "f(2 e_0 + 1.5 e_1 + e_2) on an Ising ring is that of a majority; the note extracts e_0";
    Comparison::digits(&["L000.32"], what, &predicted, &ring.gated_mean(&w, true)).source(&source)
}

/// Chances that a spin is up when the gate of a dominating site 0 is open, without and with that site known.
fn dependent(ring: &Corners) -> Comparison {
    let mut w = WEIGHTS;
    w[0] = 4.5;
    let a = libm::tanh(COUPLING);
    let power = |d: usize| libm::pow(a, d as f64);
    let closed = |d: usize| (power(d) + power(RING - d)) / (1.0 + power(RING));
    let open = |x: &[f64]| dot(&w, x) >= 0.0;
    let chance = |event: &dyn Fn(&[f64]) -> bool| ring.mean(|x| f64::from(u8::from(event(x))));
    let given = |i: usize| chance(&|x| open(x) && x[i] > 0.0) / chance(&open);
    let covariance = |i: usize| {
        ring.mean(|x| if open(x) { x[i] } else { 0.0 }) - chance(&open) * ring.mean(|x| x[i])
    };
    let others = 1..RING;
    let predicted: Vec<f64> =
        others.clone().flat_map(|i| [0.5 * (1.0 + closed(i)), 0.5 * closed(i)]).collect();
    let measured: Vec<f64> = others.clone().flat_map(|i| [given(i), covariance(i)]).collect();
    let source: Vec<f64> = others.flat_map(|_| [0.5, 0.0]).collect();
    let what = "P(x_j = 1 | gate) and Cov(gate, x_j) for an Ising ring dominated by site 0; the note has independence";
    Comparison::digits(&["L000.48"], what, &predicted, &measured).source(&source)
}
