use fovea_fields::repel_or_pair::measure::{Point, centre, imbalance, nearest};

fn point(side: usize, dim: usize) -> Point {
    Point { side, dim, xi: 1.0, gain: 3.0, width: 3 }
}

/// The mean over all places of two others, by enumeration.
fn enumerated(point: &Point, sites: usize) -> f64 {
    let pairs = (0..sites).flat_map(|a| (0..sites).map(move |b| (a, b)));
    let alone = |a: usize| nearest(point, &[(0, true), (a, true)]);
    pairs.map(|(a, b)| alone(a).min(alone(b))).sum::<f64>() / (sites * sites) as f64
}

#[test]
fn the_nearest_of_random_sites_is_as_far_as_enumeration_says() {
    for (side, dim, sites) in [(7, 1, 7), (4, 2, 16)] {
        let (point, nulls) = (point(side, dim), point(side, dim).nulls());
        assert!(nulls.len() == 4 && nulls[0].abs() < 1e-15);
        assert!((nulls[2] - enumerated(&point, sites)).abs() < 1e-12, "{side}");
    }
    // Distances 0, 1, 2, 2, 1 on a ring of five.
    assert!((point(5, 1).nulls()[1] - 1.2).abs() < 1e-12);
}

#[test]
fn distances_go_around_the_edges_and_are_averaged_over_the_centres() {
    let around = [(0, true), (9, false), (5, true)];
    assert!((nearest(&point(10, 1), &around) - 2.0).abs() < 1e-12);
    let corner = [(0, true), (15, true)];
    assert!((nearest(&point(4, 2), &corner) - 2.0_f64.sqrt()).abs() < 1e-12);
}

#[test]
fn centres_are_localized_fields_and_pairs_are_neutral() {
    assert_eq!(centre(&[0.1, -2.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0]), Some((1, false)));
    assert_eq!(centre(&[1.0; 8]), None);
    assert!(imbalance(&[1.0, 2.0, -1.0, -2.0], 2).abs() < 1e-15);
    assert!((imbalance(&[1.0, 0.0, 0.0, 1.0], 2) - 1.0).abs() < 1e-15);
}
