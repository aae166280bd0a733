//! The flow of a committee of ReLU units compared with its loss, its pairs and its order parameters.

use fovea_core::agree::{agrees_to_digits, has_order, within};
use fovea_core::fourier::to_fourier;
use fovea_core::ring::Kernel;
use fovea_theory::pair::Pair;
use fovea_theory::relu::order_parameters::order_parameters;
use fovea_theory::relu::{flow_multi, pair_vec, relaxation, steady};
use fovea_theory::{CommitteeFlow, GaussianFlow};

/// Two classes on twelve sites, elliptical with this constant.
fn flow(constant: f64) -> CommitteeFlow {
    let classes = GaussianFlow::on_ring(12, 2.0, 1.0, Kernel::Ring).unwrap();
    CommitteeFlow { classes, constant }
}

/// Units without symmetry.
fn units(width: usize) -> Vec<Vec<f64>> {
    let entry = |k: usize, i: usize| ((i * i + 3 * k * i + k) % 7) as f64 / 4.0 - 0.6;
    (0..width).map(|k| (0..12).map(|i| entry(k, i)).collect()).collect()
}

fn largest_gap(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn the_velocity_is_minus_the_gradient_of_the_loss_with_the_factor_of_the_width() {
    for (width, constant) in
        [(1, 0.3989422804014327), (3, 0.3989422804014327), (4, 0.3535533905932738)]
    {
        let (flow, w) = (flow(constant), units(width));
        let w_dot = flow.velocity(&w);
        for (k, i) in (0..width).flat_map(|k| (0..12).map(move |i| (k, i))) {
            let loss = |shift: f64| {
                let mut w = w.clone();
                w[k][i] += shift;
                flow.loss(&w)
            };
            let h = 1e-3;
            let slope =
                (8.0 * (loss(h) - loss(-h)) - (loss(2.0 * h) - loss(-2.0 * h))) / (12.0 * h);
            within(w_dot[k][i], -slope, 1e-8, 1e-11).unwrap();
            let seed = w_dot[k][i] * width as f64;
            assert!(width == 1 || within(seed, -slope, 1e-3, 1e-4).is_err());
        }
    }
}

#[test]
fn the_pair_vector_is_the_gradient_of_the_pair_moment() {
    // J = E[ReLU(S) ReLU(T)] has the gradient E[T X; S>0, T>0] in the weights of S.
    let CommitteeFlow { classes: GaussianFlow { eigs_pos, .. }, .. } = flow(0.4);
    let w = units(2);
    let both = pair_vec::pair_vec(&eigs_pos, &w[0], &w[1]);
    for i in 0..12 {
        let moment = |shift: f64| {
            let mut first = w[0].clone();
            first[i] += shift;
            Pair::between(&eigs_pos, &to_fourier(&first), &to_fourier(&w[1])).product()
        };
        let h = 1e-3;
        let slope =
            (8.0 * (moment(h) - moment(-h)) - (moment(2.0 * h) - moment(-2.0 * h))) / (12.0 * h);
        within(both[i], slope, 1e-8, 1e-11).unwrap();
    }
}

#[test]
fn one_unit_and_its_copies_move_as_one() {
    let (flow, w) = (flow(0.3989422804014327), units(1));
    let mut single = vec![0.0; 12];
    flow.classes.velocity(0.0, &w[0], &mut single);
    assert!(largest_gap(&flow.velocity(&w), &[single.clone()]) < 1e-15);
    // Three copies have the output of one, and a third of its gradient each.
    let copies = vec![w[0].clone(); 3];
    for velocity in flow.velocity(&copies) {
        let scaled: Vec<f64> = velocity.iter().map(|v| 3.0 * v).collect();
        assert!(largest_gap(&[scaled], &[single.clone()]) < 1e-15);
    }
    // Opposite units do not interact.
    let opposite: Vec<f64> = w[0].iter().map(|x| -x).collect();
    let pair = flow.velocity(&[w[0].clone(), opposite]);
    let alone = flow_multi::flow_multi(
        2.0 * flow.constant,
        &flow.classes.eigs_pos,
        &flow.classes.eigs_neg,
        &w,
    );
    let mirrored: Vec<f64> = pair[1].iter().map(|v| -v).collect();
    let quarter: Vec<f64> = alone[0].iter().map(|v| 0.25 * v).collect();
    assert!(largest_gap(&pair, &[quarter.clone(), mirrored.iter().map(|v| -v).collect()]) < 1e-15);
    assert!(largest_gap(&[quarter], &[mirrored]) < 1e-15);
}

#[test]
fn solution_and_gradient_descent_agree_at_first_order() {
    let (flow, w0) = (flow(0.3989422804014327), units(3));
    let exact = flow.solve(&w0, 2.0).unwrap();
    let steps = [40_u32, 80, 160, 320, 640];
    let lrs = steps.map(|steps| 2.0 / f64::from(steps));
    let errors = steps.map(|steps| {
        let w = flow.euler_map(&w0, 2.0 / f64::from(steps), steps as usize, |_, _| ());
        largest_gap(&w, &exact)
    });
    has_order(&lrs, &errors, 1.0).unwrap();
    assert!(flow.loss(&exact) < flow.loss(&w0));
}

#[test]
fn nothing_breaks_at_zero_weights_two_sites_or_singular_covariances() {
    let classes = GaussianFlow { eigs_pos: vec![2.0, 0.0], eigs_neg: vec![1.0, 1.0] };
    let flow = CommitteeFlow { classes, constant: 0.4 };
    // The zero unit, one in the null space of class pos, and a generic one.
    let w = [vec![0.0, 0.0], vec![1.0, -1.0], vec![1.0, 0.5]];
    let w_dot = flow.velocity(&w);
    assert!(w_dot.iter().flatten().all(|x| x.is_finite()) && flow.loss(&w).is_finite());
    assert_eq!(w_dot[0], [0.0, 0.0]);
    assert!(flow.solve(&w, 5.0).unwrap().iter().flatten().all(|x| x.is_finite()));
}

#[test]
fn the_order_parameters_are_the_covariances_of_the_solved_weights() {
    for (width, constant) in
        [(1, 0.3989422804014327), (3, 0.3989422804014327), (2, 0.3535533905932738)]
    {
        let (flow, w0) = (flow(constant), units(width));
        let GaussianFlow { eigs_pos, eigs_neg } = &flow.classes;
        for t in [0.0, 1.0, 6.0] {
            let w = flow.solve(&w0, t).unwrap();
            let order = order_parameters(constant, [eigs_pos, eigs_neg], &w0, t).unwrap();
            let units: Vec<Vec<f64>> = w.iter().map(|w| to_fourier(w)).collect();
            for (eigs, q) in [(eigs_pos, &order.q_pos), (eigs_neg, &order.q_neg)] {
                for (i, j) in (0..width).flat_map(|i| (0..width).map(move |j| (i, j))) {
                    let want: f64 = (0..12)
                        .map(|m| {
                            eigs[fovea_core::fourier::frequency_of(m, 12)]
                                * units[i][m]
                                * units[j][m]
                        })
                        .sum();
                    within(q[i][j], want, 1e-8, 1e-10).unwrap();
                }
            }
        }
    }
    // Two copies: their angle is known to half the digits, their covariances to full precision.
    let (flow, w) = (flow(0.3989422804014327), units(1));
    let GaussianFlow { eigs_pos, eigs_neg } = &flow.classes;
    let copies = vec![w[0].clone(); 2];
    let pair = order_parameters(0.3989422804014327, [eigs_pos, eigs_neg], &copies, 4.0).unwrap();
    let one = order_parameters(0.3989422804014327, [eigs_pos, eigs_neg], &w, 2.0).unwrap();
    within(pair.q_pos[0][1], one.q_pos[0][0], 1e-8, 0.0).unwrap();
    within(pair.q_neg[1][1], one.q_neg[0][0], 1e-8, 0.0).unwrap();
}

#[test]
fn rates_of_relaxation_are_eigenvalues_of_a_numerical_jacobian() {
    let GaussianFlow { eigs_pos, eigs_neg } = flow(0.4).classes;
    let classes = GaussianFlow { eigs_pos, eigs_neg };
    for k in [0, 3] {
        let point = steady::steady(&classes.eigs_pos, &classes.eigs_neg, k).unwrap();
        let rates = relaxation::relaxation(&classes.eigs_pos, &classes.eigs_neg, k).unwrap();
        let mut u = vec![0.0; 12];
        u[(2 * k).saturating_sub(1)] = point.amplitude;
        for mode in 0..12 {
            let at = |shift: f64| {
                let (mut u, mut out) = (u.clone(), vec![0.0; 12]);
                u[mode] += shift;
                classes.fourier_velocity(0.0, &u, &mut out);
                out[mode]
            };
            let h = 1e-4;
            let slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
            let frequency = fovea_core::fourier::frequency_of(mode, 12);
            let own = mode == (2 * k).saturating_sub(1);
            let want = if own { rates.radial } else { rates.rates[frequency] };
            assert!((slope - want).abs() < 1e-9, "k={k} mode {mode}: {slope} {want}");
        }
    }
    agrees_to_digits(
        relaxation::relaxation(&[2.0, 1.0], &[1.0, 1.0], 0).unwrap().slowest,
        8.0,
        15.0,
    )
    .unwrap();
}
