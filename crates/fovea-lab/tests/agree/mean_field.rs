//! Features of a trained mean-field network move as much at every width: a reference run of another program.

use fovea_core::agree::test_seed;
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_core::vector::norm;
use fovea_lab::widths::{distance, exponent, kernel_rows};
use fovea_sim::mlp::{Examples, Parametrisation, Shape};
use rayon::prelude::*;

/// The reference: exponent of the relative change of the tangent kernel over these widths, mean over six networks.
const WIDTHS: [usize; 4] = [64, 256, 1024, 4096];
const REFERENCE: f64 = -0.010_553_312_465_298_42;
const TOLERANCE: f64 = 0.1;

/// Eight unit inputs of four entries, labelled by the sign of the first plus 0.1.
fn examples(streams: &Streams) -> Examples {
    let gaussian = Shape { n_in: 4, widths: vec![8], ..Shape::default() };
    let rows = gaussian.draw(streams).layers.swap_remove(0).weights;
    let units = rows.chunks(4).map(|row| (row, norm(row)));
    let x: Vec<f64> = units.flat_map(|(row, size)| row.iter().map(move |x| x / size)).collect();
    let y = x.chunks(4).map(|row| if row[0] + 0.1 > 0.0 { 1.0 } else { -1.0 }).collect();
    Examples::new(8, x, y)
}

/// The relative change of the kernel of one network after 400 steps, at every width.
fn changes(parametrisation: Parametrisation, seed: u64) -> Vec<f64> {
    let streams = Streams::new(seed);
    let set = examples(&streams.part("examples"));
    let change = |n: &usize| {
        // Preactivations w.x with unit normal weights; the output is their mean, or their sum over the root of the width.
        let activation = fovea_core::Function::parse("tanh").unwrap();
        let base = Shape { n_in: 4, widths: vec![*n], activation, c_w: 4.0, ..Shape::default() };
        let shape = Shape { parametrisation, ..base };
        let rates = shape.rates();
        let mut mlp = shape.draw(&streams.part(&n.to_string()));
        mlp.layers[1].factor *= 0.5;
        let kernel = |mlp: &_| kernel_rows(mlp, &set, &[1.0, 1.0]).concat();
        let start = kernel(&mlp);
        for _ in 0..400 {
            assert!(mlp.descend(&set, 0.5, &rates).taken);
        }
        let end = kernel(&mlp);
        distance(&end, &start) / norm(&start)
    };
    WIDTHS.iter().map(change).collect()
}

fn slope(parametrisation: Parametrisation, nets: u64) -> Estimate {
    let seed = |i| test_seed("agree/mean_field", i);
    let all: Vec<Vec<f64>> =
        (0..nets).into_par_iter().map(|i| changes(parametrisation, seed(i))).collect();
    let found = exponent(&WIDTHS, &all).unwrap();
    println!("{parametrisation:?}: {:+.3} +- {:.3}", found.mean(), found.se());
    found
}

#[test]
fn the_kernel_of_a_mean_field_network_moves_as_much_at_every_width() {
    let rich = slope(Parametrisation::MeanField, 6).mean();
    assert!((rich - REFERENCE).abs() < TOLERANCE, "{rich}");
    // The same task in the NTK parametrisation: -1, and nowhere near the reference.
    let lazy = slope(Parametrisation::Ntk, 2).mean();
    assert!((lazy - REFERENCE).abs() > 5.0 * TOLERANCE, "{lazy}");
}
