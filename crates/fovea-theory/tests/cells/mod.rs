//! The exact flow on binary data compared with explicit steps, with the closed forms, and with itself.

use fovea_core::agree::has_order;
use fovea_core::ode::euler;
use fovea_core::ring::circulant_apply;
use fovea_theory::FormError;
use fovea_theory::cell_flow::{CellError, CellFlow};
use fovea_theory::dictator::path::path;
use fovea_theory::ising::dictator::dictator;
use fovea_theory::ising::rest::rest;
use fovea_theory::spins::Spins;

fn rugged(n: usize, seed: f64) -> Vec<f64> {
    (0..n).map(|i| libm::sin(seed + 12.9 * (i * i) as f64 + 0.7 * i as f64)).collect()
}

/// The right-hand side, from gated means that meet in the middle.
struct Velocity {
    pos: Spins,
    sum: Vec<f64>,
}

impl Velocity {
    fn new(n: usize, [pos, neg]: [f64; 2]) -> Self {
        let (pos, neg) = (Spins::ising(n, pos).unwrap(), Spins::ising(n, neg).unwrap());
        let sum = pos.first_row().iter().zip(neg.first_row()).map(|(a, b)| a + b).collect();
        Self { pos, sum }
    }

    fn at(&self, w: &[f64]) -> Vec<f64> {
        let pull = circulant_apply(&self.sum, w);
        self.pos.gated_mean(w).iter().zip(pull).map(|(f, pull)| 0.5 * f - 0.25 * pull).collect()
    }
}

fn largest_gap(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn explicit_steps_approach_the_exact_flow_at_first_order() {
    let (n, couplings, t) = (7, [0.8, 0.2], 3.0);
    let velocity = Velocity::new(n, couplings);
    let flow = CellFlow::between_ising(n, couplings[0], couplings[1]).unwrap();
    let start: Vec<f64> = rugged(n, 0.4).iter().map(|w| 0.3 * w).collect();
    let mut walk = flow.start(&start).unwrap();
    walk.advance(t, 1000).unwrap();
    assert!(walk.walls > 10, "{} walls are too few for a test", walk.walls);
    let steps = [3_000_u32, 6_000, 12_000, 24_000, 48_000, 96_000];
    let hs = steps.map(|steps| t / f64::from(steps));
    let errors = steps.map(|steps| {
        let step = |_: f64, w: &[f64], out: &mut [f64]| out.copy_from_slice(&velocity.at(w));
        let end = euler(step, 0.0, &start, t / f64::from(steps), steps as usize, |_, _| {});
        // The place of a wall within a step makes single components jump; the whole vector averages this out.
        end.iter().zip(walk.weights()).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    });
    println!("{errors:?}");
    has_order(&hs, &errors, 1.0).unwrap();
}

#[test]
fn ends_have_no_velocity_and_contain_their_own_target() {
    for (n, couplings) in [(9, [0.7, 0.3]), (10, [1.1, 0.2]), (11, [0.2, 0.8]), (8, [-0.4, 0.5])] {
        let velocity = Velocity::new(n, couplings);
        let flow = CellFlow::between_ising(n, couplings[0], couplings[1]).unwrap();
        for seed in 0..4 {
            let start: Vec<f64> = rugged(n, f64::from(seed)).iter().map(|w| 0.02 * w).collect();
            let rest = flow.start(&start).unwrap().rest(1_000_000).unwrap();
            let speed = velocity.at(&rest.w).iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            assert!(speed < 1e-13, "n={n} {couplings:?}: {speed:e}");
            let depth = flow.depth_of_cell(&rest.w).unwrap();
            assert!((depth - rest.depth).abs() < 1e-12 && depth > 0.0);
            assert!(largest_gap(&flow.target_of(&rest.w), &rest.w) < 1e-13);
        }
    }
}

#[test]
fn a_single_site_ends_in_the_dictator_state() {
    let flow = CellFlow::between_ising(12, 0.7, 0.3).unwrap();
    let mut start = vec![1e-4; 12];
    start[0] = 0.6;
    let rest = flow.start(&start).unwrap().rest(0).unwrap();
    let point = dictator(12, 0.7, 0.3);
    assert!(largest_gap(&rest.w, &point.w) < 1e-14 && rest.walls == 0);
    // One site outvotes the others by the margin.
    assert!((rest.depth - point.margin).abs() < 1e-13);
}

#[test]
fn inside_a_dictators_cell_the_flow_is_the_closed_path() {
    let flow = CellFlow::between_ising(8, 0.6, 0.2).unwrap();
    let row = |coupling: f64| Spins::ising(8, coupling).unwrap().first_row();
    let mut start = vec![0.0; 8];
    start[0] = 0.9;
    for t in [0.3, 2.0, 11.0] {
        let mut walk = flow.start(&start).unwrap();
        walk.advance(t, 0).unwrap();
        let closed = path(&row(0.6), &row(0.2), 0.9, t, 0.0);
        assert!(largest_gap(&walk.weights(), &closed) < 1e-14, "t={t}");
    }
}

#[test]
fn tiny_starts_cross_the_same_walls_sooner() {
    // While the weights are small compared with their target, time scales with them: rounding must not make a wall be crossed twice.
    let flow = CellFlow::between_ising(10, 0.7, 0.3).unwrap();
    let walls = [1e-3, 1e-6, 1e-12].map(|scale| {
        let start: Vec<f64> = rugged(10, 1.0).iter().map(|w| scale * w).collect();
        let mut walk = flow.start(&start).unwrap();
        walk.advance(3.0 * scale, 10_000).unwrap();
        walk.walls
    });
    assert!(walls[0] > 20 && walls[1] == walls[2], "{walls:?}");
    assert!(walls[0].abs_diff(walls[1]) < 5, "{walls:?}");
}

#[test]
fn participation_ratios_are_the_published_ones() {
    // Ring of 14, coupling 0.3 against coupling_pos; from small random starts.
    for (coupling, published) in [(0.5, 0.9623), (0.74, 0.8247), (0.78, 0.7088), (0.8, 0.6403)] {
        let flow = CellFlow::between_ising(14, coupling, 0.3).unwrap();
        let start: Vec<f64> = rugged(14, 2.0).iter().map(|w| 0.01 * w).collect();
        let rest = flow.start(&start).unwrap().rest(1_000_000).unwrap();
        assert!((rest.ipr() - published).abs() < 5e-5, "{coupling}: {}", rest.ipr());
    }
}

#[test]
fn walls_repel_on_both_sides_or_let_through() {
    // Across the wall of x from above, <w_dot, x> changes by -n P(x).
    let (n, couplings) = (7, [0.9, 0.1]);
    let velocity = Velocity::new(n, couplings);
    let mut w = rugged(n, 1.3);
    let x: Vec<f64> = (0..n).map(|i| if i % 3 == 0 { 1.0 } else { -1.0 }).collect();
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let off = dot(&w, &x) / n as f64;
    for (w, x) in w.iter_mut().zip(&x) {
        *w -= off * x;
    }
    let beside = |shift: f64| -> f64 {
        let moved: Vec<f64> = w.iter().zip(&x).map(|(w, x)| w + shift * x).collect();
        dot(&velocity.at(&moved), &x)
    };
    let corner = (0..n).filter(|i| x[*i] > 0.0).map(|i| 1 << i).sum::<usize>();
    let jump = beside(-1e-9) - beside(1e-9);
    assert!((jump + n as f64 * velocity.pos.pmf(corner)).abs() < 1e-7, "{jump}");
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let flow = CellFlow::between_ising(4, 0.5, 0.2).unwrap();
    assert_eq!(flow.start(&[1.0; 4]).unwrap_err(), CellError::OnWall { walls: 3 });
    assert!(flow.depth_of_cell(&[1.0; 4]).is_none());
    assert!(CellFlow::between_ising(21, 0.5, 0.2).unwrap_err().hint().contains("from 2 to 20"));
    let ring = Spins::ising(4, 0.5).unwrap();
    let flat = CellFlow::new(&ring, &[1.0; 4]).unwrap_err();
    assert!(matches!(flat, CellError::Singular { k: 1, .. }), "{flat}");
    // With an odd number of sites the flat field lies on no wall and always rests.
    let odd = CellFlow::between_ising(5, 0.5, 0.2).unwrap();
    assert!((odd.depth_of_cell(&[1.0; 5]).unwrap() - 0.2).abs() < 1e-15);
}

/// A form that uses a distribution or a flow passes on its error and its hint.
#[test]
fn a_form_passes_on_the_errors_of_its_parts() {
    let law = Spins::from_pmf(&[0.5; 3]).unwrap_err();
    let flow = CellFlow::between_ising(21, 0.5, 0.2).unwrap_err();
    let said = [(law.to_string(), law.hint()), (flow.to_string(), flow.hint())];
    for (form, (what, hint)) in [FormError::from(law), FormError::from(flow)].iter().zip(said) {
        assert_eq!((form.to_string(), form.hint()), (what, hint));
    }
    let form = rest([0.7, 0.3], &[1.0; 4]).unwrap_err();
    let what = "the start lies on 3 walls between cells, where the flow has no unique continuation";
    assert_eq!(form.to_string(), what);
    assert_eq!(form.hint(), "move the weights a little, to one side");
}
