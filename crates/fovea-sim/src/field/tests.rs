use super::*;
use fovea_core::agree::{same_bits, same_bits_f32};
use fovea_core::streams::Streams;

/// Rings and tori, some with odd sides and some with sides of two.
const SHAPES: [&[usize]; 5] = [&[5], &[2], &[3, 4], &[7, 2], &[2, 3, 4]];

const SQUASHES: [Squash; 3] = [Squash::Linear, Squash::Sign, Squash::Erf { gain: 0.5, scale: 1.1 }];

/// Some spectrum that is equal at `k` and `-k`.
fn eigs(shape: &[usize]) -> Vec<f64> {
    let sites: usize = shape.iter().product();
    let eig = |k| {
        let cosines = places(shape, k).zip(shape).map(|(k, side)| cos_of(k as f64 / *side as f64));
        1.0 / (1.2 - cosines.product::<f64>())
    };
    (0..sites).map(eig).collect()
}

/// Coordinates of a site, slowest axis first.
fn places(shape: &[usize], site: usize) -> impl Iterator<Item = usize> {
    (0..shape.len()).map(move |axis| {
        let stride: usize = shape[axis + 1..].iter().product();
        site / stride % shape[axis]
    })
}

fn cos_of(turns: f64) -> f64 {
    libm::cos(std::f64::consts::TAU * turns)
}

fn rng() -> BlockRng {
    Streams::new(3).named("field").block(0, 0)
}

fn drawn<T: Real>(level: Level, shape: &[usize], squash: Squash) -> Vec<[T; BLOCK]> {
    let field = Field::<T>::on_torus(shape, &eigs(shape), squash);
    let mut block = vec![[T::ZERO; BLOCK]; field.amplitudes.len()];
    field.fill_at(level, &mut rng(), &mut Vec::new(), &mut block);
    block
}

/// What [`drawn`] draws, and the norms, with every mode drawn.
fn drawn_with_norms<T: Real>(level: Level, shape: &[usize]) -> (Vec<[T; BLOCK]>, [f64; BLOCK]) {
    let field = Field::<T>::on_torus(shape, &eigs(shape), Squash::Linear);
    let mut block = vec![[T::ZERO; BLOCK]; field.amplitudes.len()];
    let mirror = &Mirror::new(shape);
    let norms = field.fill_with_norms_at(level, mirror, &mut rng(), &mut Vec::new(), &mut block);
    (block, norms)
}

/// Every number of a block; widening to double precision keeps single-precision bits distinct.
fn numbers<T: Real>(block: &[[T; BLOCK]]) -> Vec<f64> {
    block.concat().iter().map(|x| x.to_f64()).collect()
}

fn same_at_every_level<T: Real>(shape: &[usize]) {
    for squash in SQUASHES {
        let portable = numbers(&drawn::<T>(Level::Portable, shape, squash));
        for level in Level::available() {
            same_bits(&numbers(&drawn::<T>(level, shape, squash)), &portable).unwrap();
        }
    }
    let (block, norms) = drawn_with_norms::<T>(Level::Portable, shape);
    for level in Level::available() {
        let (other, other_norms) = drawn_with_norms::<T>(level, shape);
        same_bits(&numbers(&other), &numbers(&block)).unwrap();
        same_bits(&other_norms, &norms).unwrap();
    }
}

#[test]
fn every_instruction_set_draws_the_same_bits() {
    for shape in SHAPES {
        same_at_every_level::<f32>(shape);
        same_at_every_level::<f64>(shape);
    }
}

#[test]
fn the_stream_of_the_ring_has_not_moved() {
    let field = Field::<f32>::new(&[3.0, 1.0, 0.1, 0.1, 1.0], SQUASHES[2]);
    let mut block = vec![[0.0; BLOCK]; 5];
    field.fill(&mut rng(), &mut Vec::new(), &mut block);
    same_bits_f32(
        &[block[0][0], block[1][7], block[4][31]],
        &[-0.5007276, -0.27449444, 0.043250885],
    )
    .unwrap();
}

/// The obvious sampler: the same normals, the defining sum, `libm`.
fn obvious(shape: &[usize], squash: Squash) -> Vec<[f64; BLOCK]> {
    let (eigs, mut rng) = (eigs(shape), rng());
    let sites = eigs.len();
    let normals: Vec<_> = eigs.iter().map(|_| f32::normal_pair(&mut rng)).collect();
    let mut block = vec![[0.0; BLOCK]; sites];
    for j in 0..sites {
        for l in 0..LANES {
            let (mut x, mut y) = (0.0, 0.0);
            for (k, (a, b)) in normals.iter().enumerate() {
                let amplitude = (eigs[k] / sites as f64).sqrt();
                let (a, b) = (amplitude * f64::from(a[l]), amplitude * f64::from(b[l]));
                let axes = places(shape, j).zip(places(shape, k)).zip(shape);
                let turns: f64 = axes.map(|((j, k), n)| (j * k % n) as f64 / *n as f64).sum();
                let (sin, cos) = libm::sincos(std::f64::consts::TAU * turns);
                x += a * cos - b * sin;
                y += a * sin + b * cos;
            }
            let squashed = |z: f64| match squash {
                Squash::Linear => z,
                Squash::Sign => 1.0_f64.copysign(z),
                Squash::Erf { gain, scale } => libm::erf(gain * z) * scale,
            };
            (block[j][l], block[j][LANES + l]) = (squashed(x), squashed(y));
        }
    }
    block
}

#[test]
fn the_lanes_equal_the_obvious_sampler() {
    for shape in SHAPES {
        for squash in SQUASHES {
            let lanes = drawn::<f32>(Level::best(), shape, squash);
            for (lane, truth) in lanes.concat().iter().zip(obvious(shape, squash).concat()) {
                let gap = (f64::from(*lane) - truth).abs();
                assert!(gap < 3e-6, "{lane} against {truth}, {shape:?}, {squash:?}");
            }
        }
    }
}

#[test]
fn the_norm_is_that_of_the_noise_behind_each_sample() {
    // With a flat spectrum the colouring is a rotation, which keeps the norm of the noise.
    for shape in SHAPES {
        let sites: usize = shape.iter().product();
        let field = Field::<f64>::on_torus(shape, &vec![1.0; sites], Squash::Linear);
        let mut block = vec![[0.0; BLOCK]; sites];
        let mirror = Mirror::new(shape);
        let norms = field.fill_with_norms(&mirror, &mut rng(), &mut Vec::new(), &mut block);
        for s in 0..BLOCK {
            let norm: f64 = block.iter().map(|row| row[s] * row[s]).sum();
            assert!((norms[s] / norm - 1.0).abs() < 1e-13, "{shape:?}: {} {norm}", norms[s]);
        }
    }
}

#[test]
fn modes_lost_in_rounding_draw_nothing() {
    let drawn = |amplitudes: &[f64]| amplitudes.iter().filter(|a| **a > 0.0).count();
    let eigs = [1.0, 1e-10, 1e-10];
    let single = Field::<f32>::new(&eigs, Squash::Linear).amplitudes;
    assert_eq!(drawn(&single.into_iter().map(f64::from).collect::<Vec<_>>()), 1);
    assert_eq!(drawn(&Field::<f64>::new(&eigs, Squash::Linear).amplitudes), 3);
}

#[test]
fn extreme_gains_stay_finite() {
    for gain in [1e-300, 1e-5, 1e300] {
        let field = Field::<f32>::new(&eigs(&[5]), Squash::Erf { gain, scale: 1.0 });
        let mut block = vec![[0.0; BLOCK]; 5];
        field.fill(&mut rng(), &mut Vec::new(), &mut block);
        assert!(block.concat().iter().all(|x| x.is_finite()));
    }
}
