//! Which marginals of the sites favour localized fields (note 000, section 3).

use super::prelude::*;
use fovea_sim::expect::expect;
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::Stimulus;
use fovea_sim::stimulus::copula::{Copula, Shape};
use fovea_theory::copula::{Marginal, excess_kurtosis};
use fovea_theory::site::Site;
use fovea_theory::variational::r_site;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "marginals",
    summary: "Negative kurtosis favours one site and a bump, for data that are not binary too.",
    covers: &["L000.45/kurtosis", "L000.45/site", "L000.45/bump"],
    run,
};

const SITES: usize = 40;
const LENGTHS: [f64; 2] = [2.0, 1.0];

const LAWS: [(Shape, Marginal); 3] = [
    (Shape::Uniform, Marginal::Uniform),
    (Shape::Arcsine, Marginal::Arcsine),
    (Shape::Laplace, Marginal::Laplace),
];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![kurtosis(effort), one_site(effort)?, bump(effort)?])
}

fn stimulus(shape: Shape, xi: f64) -> Result<impl Stimulus, LabError> {
    let lattice = Lattice { n: SITES, xi, ..Lattice::default() };
    Ok(Copula { lattice, marginal: shape, ..Copula::default() }.sampler()?)
}

/// The fourth moment over the density of each distribution.
fn kurtosis(effort: &Effort) -> Comparison {
    // Before they are scaled to unit variance.
    let closed: fn(Marginal) -> f64 =
        effort.form(&excess_kurtosis::ENTRY, excess_kurtosis::excess_kurtosis, |m| match m {
            Marginal::Uniform => 0.2 - 3.0,
            Marginal::Arcsine => 0.375 - 3.0,
            _ => 24.0 - 3.0,
        });
    let predicted = LAWS.map(|(_, marginal)| closed(marginal));
    let fourth = |x: f64| x * x * x * x;
    let end = 3.0_f64.sqrt();
    let root = 2.0_f64.sqrt();
    let measured = [
        adaptive(|x| fourth(x) / (2.0 * end), -end, end, 1e-13).value - 3.0,
        adaptive(|angle| fourth(root * libm::sin(angle)) / TAU, 0.0, TAU, 1e-13).value - 3.0,
        adaptive(|x| fourth(x) * root * libm::exp(-root * x), 0.0, 60.0, 1e-13).value - 3.0,
    ];
    let what = "excess kurtosis of a uniform, an arcsine and a Laplace site, -1.2, -1.5 and 3 in closed form, and by quadrature over the density";
    Comparison::digits(&["L000.45/kurtosis"], what, &predicted, &measured)
}

/// `R` of one site, half the square of `E|X|`.
fn one_site(effort: &Effort) -> Result<Comparison, LabError> {
    let closed: fn(Site) -> f64 =
        effort.form(&r_site::ENTRY, r_site::r_site, |site| 2.0 * r_site::r_site(site));
    let gaussian =
        effort.slip("R of one site", "the Gaussian 1/pi under every distribution", false, true);
    let mut pairs = Vec::new();
    for (shape, marginal) in LAWS {
        let name = format!("site {shape:?}");
        let found = effort.once(&name, || -> Result<Estimate, LabError> {
            let samples = effort.samples(50_000);
            let class = |xi: f64, class: &str| {
                let stream = effort.streams.named(&format!("{name} {class}"));
                let of = |x: &[f64], out: &mut [f64]| {
                    // Sites ten apart are independent.
                    let sites = || (0..4).map(|i| x[10 * i]);
                    out[0] = 0.25 * sites().map(f64::abs).sum::<f64>();
                    out[1] = 0.25 * sites().map(|x| x * x).sum::<f64>();
                    out[2] = out[0] + out[1];
                };
                Ok::<_, LabError>(expect(&stimulus(shape, xi)?, &stream, samples, 3, of)?)
            };
            let (pos, neg) = (class(LENGTHS[0], "pos")?, class(LENGTHS[1], "neg")?);
            // (E_1|X|)^2 / (E_1 X^2 + E_0 X^2), whose error follows from its slopes by the mean size and by both mean squares.
            let [size, square, both] = [pos[0], pos[1], pos[2]];
            let whole = square.mean() + neg[1].mean();
            let value = size.mean() * size.mean() / whole;
            let (by_size, by_square) = (2.0 * size.mean() / whole, -value / whole);
            let variance = |e: &Estimate| e.se() * e.se();
            let shared = variance(&both) - variance(&size) - variance(&square);
            let error = by_size * by_size * variance(&size)
                + by_square * by_square * (variance(&square) + variance(&neg[1]))
                + by_size * by_square * shared;
            Ok(Estimate::from_parts(value, error.sqrt(), samples)?)
        })?;
        let predicted = if gaussian { 1.0 / PI } else { closed(Site::Copula(marginal)) };
        pairs.push((found, predicted));
    }
    let what = "Gaussian copulas with uniform, arcsine and Laplace sites, n = 40, lengths (2, 1): R = (E_1|X_i|)^2 / (E_1 X_i^2 + E_0 X_i^2) of one site as half the square of E|X_i| in closed form, 0.375, 0.405 and 0.25 where Gaussian data have 0.318, and all three means from 50 000 samples of each class";
    Ok(Comparison::noise(&["L000.45/site"], what, &pairs))
}

/// Whether a bump has a larger R than flat weights, in groups of samples of every distribution.
fn bump(effort: &Effort) -> Result<Comparison, LabError> {
    const GROUPS: usize = 7;
    let bump: Vec<f64> = (0..SITES)
        .map(|i| {
            let d = distance(0, i, SITES) as f64;
            libm::exp(-0.5 * d * d)
        })
        .collect();
    // For every distribution, the number of groups with the bump above.
    let above = effort.once("bump", || -> Result<Vec<usize>, LabError> {
        let over = |shape: Shape, group: usize| -> Result<bool, LabError> {
            let sums = |class: usize| {
                let stream = effort.streams.named(&format!("bump {shape:?} {group} {class}"));
                let of = |x: &[f64], out: &mut [f64]| {
                    for (k, s) in [dot(&bump, x), x.iter().sum()].into_iter().enumerate() {
                        (out[2 * k], out[2 * k + 1]) = (s.abs(), s * s);
                    }
                };
                // Not fewer in a quick run: every group must decide.
                Ok::<_, LabError>(expect(
                    &stimulus(shape, LENGTHS[class])?,
                    &stream,
                    20_000,
                    4,
                    of,
                )?)
            };
            let (pos, neg) = (sums(0)?, sums(1)?);
            let ratio = |k: usize| {
                let size = pos[2 * k].mean();
                size * size / (pos[2 * k + 1].mean() + neg[2 * k + 1].mean())
            };
            Ok(ratio(0) > ratio(1))
        };
        LAWS.iter()
            .map(|(shape, _)| {
                let found: Vec<bool> =
                    (0..GROUPS).map(|group| over(*shape, group)).collect::<Result<_, _>>()?;
                Ok(found.into_iter().filter(|above| *above).count())
            })
            .collect()
    })?;
    let favoured: fn(Marginal) -> bool = effort.slip(
        "sign of the kurtosis",
        "the bump where the kurtosis is positive",
        |m| excess_kurtosis::excess_kurtosis(m) < 0.0,
        |m| excess_kurtosis::excess_kurtosis(m) > 0.0,
    );
    let hits = |favoured: &dyn Fn(Marginal) -> bool| {
        let of = |((_, marginal), above): (&(Shape, Marginal), &usize)| {
            if favoured(*marginal) { *above } else { GROUPS - above }
        };
        LAWS.iter().zip(&above).map(of).sum::<usize>()
    };
    let trials = LAWS.len() * GROUPS;
    let what = "Gaussian copulas with uniform, arcsine and Laplace sites, n = 40, lengths (2, 1), seven groups of 20 000 samples of each class: groups in which R = (E_1|<w,X>|)^2 / (E_1<w,X>^2 + E_0<w,X>^2) of a bump exp(-d^2/2) is above that of flat weights where the kurtosis is negative, and below where it is positive; by chance one in two";
    Ok(Comparison::all(&["L000.45/bump"], what, (hits(&favoured), trials), 0.5)
        .shown()
        .against_cases(
            "the source's: a bump only for binary data, and so under none of these distributions",
            (hits(&|_| false), trials),
        ))
}
