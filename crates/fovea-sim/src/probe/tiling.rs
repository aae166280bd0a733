//! How the localized fields of a population cover the ring, compared with random places.

use super::centre::centre;
use super::ipr::ipr;
use super::population::is_localized;
use super::{Change, Columns, Of, Probe};
use fovea_core::stats::circle::{self, Null, Rayleigh, torus};

/// A statistic, its mean for places at random, and its distance from that in standard deviations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beside {
    /// The value for these fields.
    pub value: f64,
    /// The mean for the same number of independent uniform places.
    pub null: f64,
    /// How many standard deviations of the null the value lies above its mean; 0 where the null has no spread.
    pub z: f64,
}

impl Beside {
    fn new(value: f64, null: Null) -> Self {
        Self { value, null: null.mean, z: null.z(value) }
    }
}

/// How the centres of some fields are distributed on a ring or a torus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tiling {
    /// Number of fields.
    pub number: usize,
    /// Share of the ring within half the mean participation number 1/IPR of some centre; on a torus of two dimensions the
    /// share of sites in discs of that area.
    pub coverage: Beside,
    /// Greenwood's statistic of the gaps, 1/K where they are equal; on a torus along the last axis.
    pub spacing: Beside,
    /// Mean distance to the nearest other centre, in sites; 0 for fewer than two fields.
    pub neighbour: Beside,
    /// Rayleigh's statistic; on a torus along the last axis.
    pub rayleigh: Rayleigh,
}

/// Measures how fields cover a torus of this shape, by the circular centres of their squares.
///
/// The null keeps their number and mean size and puts the centres at independent uniform places. On a torus of more than two
/// dimensions everything is measured along the last axis.
pub fn tiling(fields: &[&[f64]], shape: &[usize]) -> Tiling {
    let number = fields.len();
    let last = shape.len() - 1;
    let (side, period) = (shape[last], shape[last] as f64);
    let along: Vec<f64> = fields.iter().map(|w| centre(w, shape, last).place).collect();
    // A zero field has no size.
    let size = |w: &&[f64]| if ipr(w) > 0.0 { 1.0 / ipr(w) } else { 0.0 };
    let mean_size = fields.iter().map(size).sum::<f64>() / number.max(1) as f64;
    let (coverage, neighbour) = if let [down, _] = *shape {
        let places: Vec<[f64; 2]> =
            fields.iter().zip(&along).map(|(w, x)| [centre(w, shape, 0).place, *x]).collect();
        let (radius, sides) = (torus::radius_of(mean_size), [down as f64, period]);
        let covered = torus::coverage(&places, radius, [down, side]);
        let nearest = torus::nearest(&places, sides);
        (
            Beside::new(covered, torus::coverage_null(number, radius, [down, side])),
            Beside::new(nearest, torus::nearest_null(number, sides)),
        )
    } else {
        let radius = 0.5 * mean_size;
        let covered = circle::coverage(&along, radius, period);
        let nearest = circle::nearest(&along, period);
        (
            Beside::new(covered, circle::coverage_null(number, radius, period)),
            Beside::new(nearest, circle::nearest_null(number, period)),
        )
    };
    let spacing = Beside::new(circle::greenwood(&along, period), circle::greenwood_null(number));
    Tiling { number, coverage, spacing, neighbour, rayleigh: circle::rayleigh(&along, period) }
}

/// The root mean square of the resultant of `number` uniform places, `1/sqrt(K)`; 0 for none.
pub fn random_resultant(number: usize) -> f64 {
    if number == 0 { 0.0 } else { (1.0 / number as f64).sqrt() }
}

impl Tiling {
    fn row(&self) -> Vec<f64> {
        let of = |beside: Beside| [beside.value, beside.null, beside.z];
        let mut row = vec![self.number as f64];
        row.extend([self.coverage, self.spacing, self.neighbour].into_iter().flat_map(of));
        row.extend([self.rayleigh.resultant, random_resultant(self.number), self.rayleigh.p]);
        row
    }
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    of: Of::Network,
    columns: Columns::Named(&[
        "number",
        "coverage",
        "coverage_null",
        "coverage_z",
        "spacing",
        "spacing_null",
        "spacing_z",
        "neighbour",
        "neighbour_null",
        "neighbour_z",
        "resultant",
        "resultant_rms",
        "resultant_p",
    ]),
    unmoved_by: &[Change::Scale, Change::Sign, Change::Shift],
    ..Probe::of_units(
        "tiling",
        "centres of the localized units (IPR above 6/n): their number; share of the ring within 1/(2 IPR) of one; Greenwood's sum (gap/n)^2; mean distance to the nearest; each with mean and z for uniform places; Rayleigh's R, 1/sqrt(K) and p; without units 0 (p 1); on a two-dimensional torus coverage by discs of area 1/IPR and distances in the plane, the rest along the last axis",
        |view| {
            let (n, shape) = (view.network.inputs(), view.network.shape());
            let localized: Vec<&[f64]> =
                view.network.weights().chunks(n).filter(|w| is_localized(w)).collect();
            vec![tiling(&localized, shape).row()]
        },
    )
};

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    /// A field of two equal sites, of participation number 2 and centre `at + 1/2`.
    fn pair(n: usize, at: usize) -> Vec<f64> {
        (0..n).map(|i| f64::from(u8::from(i == at || i == (at + 1) % n))).collect()
    }

    fn on_ring(n: usize, places: &[usize]) -> Tiling {
        let fields: Vec<Vec<f64>> = places.iter().map(|at| pair(n, *at)).collect();
        tiling(&fields.iter().map(Vec::as_slice).collect::<Vec<_>>(), &[n])
    }

    #[test]
    fn equally_spaced_fields_have_the_least_greenwood_and_no_resultant() {
        let even = on_ring(40, &[0, 8, 16, 24, 32]);
        assert_eq!(even.number, 5);
        assert!(near(even.spacing.value, 0.2) && near(even.rayleigh.resultant, 0.0));
        assert!(near(even.coverage.value, 0.25) && near(even.neighbour.value, 8.0));
        assert!(near(even.spacing.null, 1.0 / 3.0) && near(even.neighbour.null, 4.0));
        let miss = 0.95_f64;
        assert!(near(even.coverage.null, 1.0 - miss * miss * miss * miss * miss));
        assert!(even.spacing.z < 0.0 && even.coverage.z > 0.0 && even.neighbour.z > 0.0);
        // Variance n^2/(6 K^2 (K + 1)).
        assert!(near(even.neighbour.z, 4.0 / (1600.0_f64 / 900.0).sqrt()));
        assert!((even.rayleigh.p - 1.0).abs() < 1e-6);
    }

    #[test]
    fn fields_on_one_place_are_as_far_from_tiling_as_can_be() {
        let heap = on_ring(40, &[39; 6]);
        assert!(near(heap.spacing.value, 1.0) && near(heap.rayleigh.resultant, 1.0));
        assert!(near(heap.coverage.value, 0.05) && heap.neighbour.value < 1e-12);
        assert!(heap.spacing.z > 3.0 && heap.coverage.z < 0.0 && heap.rayleigh.p < 1e-6);
    }

    #[test]
    fn none_one_and_two_fields_have_their_numbers() {
        let none = tiling(&[], &[40]);
        assert_eq!(none.row(), [&[0.0; 12][..], &[1.0]].concat());
        let one = on_ring(40, &[7]);
        assert!(near(one.coverage.value, 0.05) && near(one.coverage.null, 0.05));
        assert!(near(one.spacing.value, 1.0) && near(one.spacing.z, 0.0));
        assert!(near(one.neighbour.value, 0.0) && near(one.neighbour.z, 0.0));
        assert!(near(one.rayleigh.resultant, 1.0) && near(one.rayleigh.p, 1.0));
        let two = on_ring(40, &[0, 20]);
        assert!(near(two.spacing.value, 0.5) && near(two.neighbour.value, 20.0));
        assert!(near(two.neighbour.null, 10.0) && near(two.neighbour.z, 3.0_f64.sqrt()));
        assert!(two.row().iter().all(|x| x.is_finite()));
    }

    #[test]
    fn a_torus_has_its_distances_in_the_plane() {
        let site =
            |at: usize| -> Vec<f64> { (0..48).map(|i| f64::from(u8::from(i == at))).collect() };
        // Sites (0, 0) and (5, 7) of 6 x 8 touch at a corner around both edges.
        let fields = [site(0), site(47)];
        let both = tiling(&[&fields[0], &fields[1]], &[6, 8]);
        assert!(near(both.neighbour.value, 2.0_f64.sqrt()) && both.neighbour.z < 0.0);
        // Discs of area 1 hold one site each.
        assert!(near(both.coverage.value, 2.0 / 48.0));
        assert!(near(both.coverage.null, 1.0 - 47.0 / 48.0 * 47.0 / 48.0));
        let alone = tiling(&[&fields[0]], &[6, 8]);
        assert!(alone.row().iter().all(|x| x.is_finite()) && near(alone.coverage.z, 0.0));
    }

    #[test]
    fn the_probe_looks_at_localized_fields_alone() {
        let mut weights = pair(40, 3);
        weights.extend(vec![1.0; 40]);
        weights.extend(vec![0.0; 40]);
        let row = &ENTRY.measure(&weights, &[40]).unwrap()[0];
        assert!(near(row[0], 1.0) && near(row[1], 0.05), "{row:?}");
    }
}
