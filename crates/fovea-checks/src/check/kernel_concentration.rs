//! How far the kernel of a finite layer is from its mean: the tail of a sum of matrices and its variance (lectures, topic 12).

use super::drawn::{over_networks, shape};
use super::one_layer::{difference, draw, mean_products, unit, values};
use super::prelude::*;
use fovea_core::quadrature::gauss_hermite;
use fovea_sim::mlp::Mlp;
use fovea_theory::ntk::concentration::{self, Args};
use fovea_theory::ntk::gram::{self, Part, gram};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "kernel-concentration",
    summary: "Tails and variance of the kernel of a finite layer about its mean.",
    covers: &["T12.2/signs", "T12.2/kernels", "T12.3/width", "T12.3/inputs"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![signs(effort), kernel_tail(effort)?, by_width(effort)?, by_inputs(effort)?])
}

/// The bound on the tail.
type Bound = fn(&Args) -> f64;

/// `exp(-t^2/(v + R t/3))`.
const PRINTED: Bound = |args| {
    let (n, t) = (args.n as f64, args.t);
    libm::exp(-t * t / (args.spread / n + args.range / n * t / 3.0))
};

fn bound(effort: &Effort) -> Bound {
    let bound: Bound = effort.form(&concentration::ENTRY, Args::tail, PRINTED);
    let bound: Bound =
        effort.slip("matrix Bernstein bound", "without the factor m", bound, |args| {
            Args { m: 1, ..*args }.tail()
        });
    let bound: Bound =
        effort.slip("matrix Bernstein bound", "without the factor 2", bound, |args| {
            args.m as f64 * PRINTED(args).sqrt()
        });
    effort.slip("matrix Bernstein bound", "without the half", bound, |args| {
        2.0 * args.m as f64 * PRINTED(args)
    })
}

/// Signs in a mean, and matrices whose entries on the diagonal are such means.
const SIGNS: usize = 100;
const SIDE: usize = 40;

/// One mean of signs and the largest of 40, exactly, at every size against the bounds; and one sign, which always has size 1.
fn signs(effort: &Effort) -> Comparison {
    let bound = bound(effort);
    // Probabilities of sums of signs, adding one sign at a time.
    let mut chances = vec![1.0];
    for _ in 0..SIGNS {
        let half = |k: usize| 0.5 * chances.get(k).copied().unwrap_or(0.0);
        chances =
            (0..=chances.len()).map(|k| half(k) + k.checked_sub(1).map_or(0.0, half)).collect();
    }
    let tail = |far: usize| -> f64 {
        let beyond = chances.iter().enumerate().filter(|(k, _)| k.abs_diff(50) >= far);
        beyond.map(|(_, chance)| chance).sum()
    };
    let sizes: Vec<(usize, usize)> = (1..=50).flat_map(|far| [(1, far), (SIDE, far)]).collect();
    let kept = |bound: Bound| {
        let keeps = |(m, far): &&(usize, usize)| {
            let t = 0.02 * *far as f64;
            // 1 - (1 - p)^m without loss of digits.
            let p = -libm::expm1(*m as f64 * libm::log1p(-tail(*far)));
            p <= bound(&Args { m: *m, n: SIGNS, range: 1.0, spread: 1.0, t })
        };
        let one = bound(&Args { m: 1, n: 1, range: 1.0, spread: 1.0, t: 1.0 }) >= 1.0;
        sizes.iter().filter(keeps).count() + usize::from(one)
    };
    let what = "means of 100 signs and the largest of 40 such means, which is the norm of a mean of diagonal matrices: of the sizes 0.02 to 1 in steps of 0.02 those at which the exact probability of that size or more, by adding signs, obeys the bound 2 m exp(-(t^2/2)/(v + R t/3)); and one sign, which always has size 1";
    let trials = sizes.len() + 1;
    Comparison::all(&["T12.2/signs"], what, (kept(bound), trials), 0.0)
        .enumerated()
        .against_cases("the bound as printed", (kept(PRINTED), trials))
}

/// Six inputs at equal angles.
const SIX: [f64; 6] = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5];

/// `E s_a s_b` and `E |s|^2 s_a s_b` over both entries of a weight, tanh at unit inputs.
pub(super) fn moments(x: &[f64]) -> [Vec<Vec<f64>>; 2] {
    let rule = gauss_hermite(60);
    let m = x.len() / 2;
    let mean = |a: usize, b: usize, weighted: bool| {
        rule.integrate(|u| {
            rule.integrate(|w| {
                let s: Vec<f64> = x.chunks(2).map(|x| libm::tanh(u * x[0] + w * x[1])).collect();
                let square = s.iter().map(|s| s * s).sum::<f64>();
                s[a] * s[b] * if weighted { square } else { 1.0 }
            })
        })
    };
    [false, true]
        .map(|weighted| (0..m).map(|a| (0..m).map(|b| mean(a, b, weighted)).collect()).collect())
}

/// Random kernels of 200 units at six inputs against the bounds with their own variance.
fn kernel_tail(effort: &Effort) -> Result<Comparison, LabError> {
    const GROUPS: usize = 24;
    let (n, t) = (200, 0.1);
    let (shares, spread) = effort.once("kernel tail", || -> Result<_, LabError> {
        let x = unit(&SIX);
        let [mean, fourth] = moments(&x);
        let streams = effort.streams.part("kernel tail");
        let each = 250;
        let share = |group: usize| -> Result<f64, LabError> {
            let mut beyond = 0;
            for i in group * each..(group + 1) * each {
                let kernel = mean_products(&values(&draw(n, &streams.replica(i as u64)), &x));
                beyond += usize::from(operator_norm(&difference(&kernel, &mean))? >= t);
            }
            Ok(beyond as f64 / each as f64)
        };
        let shares = (0..GROUPS).map(share).collect::<Result<Vec<_>, _>>()?;
        // The mean square of one matrix: E[|s|^2 s s'] - (E[s s'])^2.
        let square = |a: usize, b: usize| (0..6).map(|c| mean[a][c] * mean[c][b]).sum::<f64>();
        let rows: Vec<Vec<f64>> =
            (0..6).map(|a| (0..6).map(|b| fourth[a][b] - square(a, b)).collect()).collect();
        Ok((shares, operator_norm(&rows)?))
    })?;
    let args = Args { m: 6, n, range: 6.0, spread, t };
    let kept = |bound: Bound| {
        let (bound, printed) = (bound(&args), PRINTED(&args));
        shares.iter().filter(|share| **share <= bound && **share > printed).count()
    };
    let under = shares.iter().filter(|share| **share <= PRINTED(&args)).count();
    let what = format!(
        "of 24 groups of random kernels of 200 tanh units at six inputs, those in which the share that lies 0.1 or more from the mean in operator norm, {:.2} to {:.2}, is at most the bound with their own variance, {:.2}, and above the printed one, {:.3}; at the bound itself a group would be below it with chance 1/2",
        shares.iter().copied().fold(1.0, f64::min),
        shares.iter().copied().fold(0.0, f64::max),
        Args::tail(&args),
        PRINTED(&args),
    );
    Ok(Comparison::all(&["T12.2/kernels"], what, (kept(bound(effort)), GROUPS), 0.5)
        .against_cases("the bound as printed", (under, GROUPS)))
}

pub(super) const X: [f64; 3] = [0.0, 1.0, 2.5];

/// Unit inputs, and the mean kernel of tanh.
pub(super) type Mean = fn(&[f64]) -> Result<Vec<Vec<f64>>, FormError>;

pub(super) fn mean_of(effort: &Effort) -> Mean {
    effort.form(
        &gram::ENTRY,
        |angles| gram(&named("tanh"), angles, Part::Value),
        |angles| {
            let rows = gram(&named("tanh"), angles, Part::Value)?;
            Ok(rows.iter().map(|row| scaled(0.5, row)).collect())
        },
    )
}

/// Mean square distance of the kernel of n units from its mean, over widths.
fn by_width(effort: &Effort) -> Result<Comparison, LabError> {
    let widths = [20_usize, 80, 320];
    let mean = mean_of(effort)(&X)?;
    let x = unit(&X);
    let power = effort.slip("rate in the width", "1/n in place of n^(-1/2)", 1.0, 2.0);
    let (drawn, fourth) = effort.once("by width", || -> Result<_, LabError> {
        let [mean, _] = moments(&x);
        let streams = effort.streams.part("by width");
        let mut drawn = Vec::new();
        for n in widths {
            let streams = streams.part(&n.to_string());
            let far = |i: u64| {
                let gap =
                    difference(&mean_products(&values(&draw(n, &streams.replica(i)), &x)), &mean);
                gap.concat().iter().map(|x| x * x).sum::<f64>()
            };
            let far: Vec<f64> = (0..effort.samples(16_000) as u64).map(far).collect();
            drawn.push(Estimate::from_samples(&far)?);
        }
        // E s_a^2 s_b^2 over all pairs.
        let rule = gauss_hermite(60);
        let fourth = rule.integrate(|u| {
            rule.integrate(|w| {
                let squares = x.chunks(2).map(|x| libm::tanh(u * x[0] + w * x[1]));
                let total = squares.map(|s| s * s).sum::<f64>();
                total * total
            })
        });
        Ok((drawn, fourth))
    })?;
    let spread = fourth - mean.concat().iter().map(|k| k * k).sum::<f64>();
    // Times the width, so that the prediction is constant; the slip leaves one power of the width, relative to the middle one.
    let pair = |(n, drawn): (usize, &Estimate)| -> Result<(Estimate, f64), LabError> {
        let n = n as f64;
        Ok((drawn.scaled_and_shifted(n, 0.0)?, spread * libm::pow(80.0 / n, power - 1.0)))
    };
    let pairs = widths.into_iter().zip(&drawn).map(pair).collect::<Result<Vec<_>, _>>()?;
    let what = "mean of |K - E K|^2 (Frobenius) of n = 20, 80 and 320 tanh units at three inputs, times n: sum E s^2 s'^2 - |E K|^2 at every width, the square of a rate n^(-1/2), by quadrature; and random layers";
    Ok(Comparison::noise(&["T12.3/width"], what, &pairs))
}

/// The variance of the sum at 2, 8 and 24 inputs, orthonormal and all equal, at one width.
fn by_inputs(effort: &Effort) -> Result<Comparison, LabError> {
    const INPUTS: [usize; 3] = [2, 8, 24];
    const DRAWS: usize = 1_200_000;
    let n = 40;
    let square = |z: f64| libm::tanh(z) * libm::tanh(z);
    let q = mean_of(effort)(&[0.0])?[0][0];
    let fourth = trapezoids(1.0, |z| square(z) * square(z));
    let mean = trapezoids(1.0, square);
    let drawn = effort.once("by inputs", || -> Result<_, LabError> {
        let mut drawn = Vec::new();
        for m in INPUTS {
            // One input per entry: preactivations of a unit are independent and of variance one.
            let shape = shape("tanh", m, &[n], [m as f64, 0.0]);
            let identity: Vec<f64> =
                (0..m * m).map(|i| f64::from(u8::from(i % (m + 1) == 0))).collect();
            let kernel = |mlp: &Mlp| {
                let s: Vec<Vec<f64>> =
                    mlp.forward(&identity).h[1].chunks(n).map(<[f64]>::to_vec).collect();
                mean_products(&s)
            };
            let part = format!("inputs {m}");
            drawn.push(over_networks(effort, &shape, &part, DRAWS / (m * m), |mlp| {
                let k = kernel(mlp);
                // (K - E K)^2 has the same mean in every direction: its trace over m.
                let gap = |a: usize, b: usize| k[a][b] - if a == b { mean } else { 0.0 };
                let all = (0..m).flat_map(|a| (0..m).map(move |b| (a, b)));
                let total: f64 = all.map(|(a, b)| gap(a, b) * gap(a, b)).sum();
                // Every input m times: all entries of a kernel are the same.
                let equal = (0..m).map(|a| gap(a, a) * gap(a, a)).sum::<f64>();
                [total / m as f64, m as f64 * equal]
            })?);
        }
        Ok(drawn)
    })?;
    let (mut pairs, mut source) = (Vec::new(), Vec::new());
    for (m, [apart, equal]) in INPUTS.into_iter().zip(drawn) {
        let of_m = m as f64;
        let spread = fourth - q * q;
        let sizes =
            [spread + (of_m - 1.0) * q * q, of_m * of_m * spread].map(|size| size / n as f64);
        let units = [of_m, of_m * of_m].map(|size| size / n as f64);
        pairs.push((apart.scaled_and_shifted(1.0 / units[0], 0.0)?, sizes[0] / units[0]));
        pairs.push((equal.scaled_and_shifted(1.0 / units[1], 0.0)?, sizes[1] / units[1]));
        // Of order m/n in both cases, scaled from the value at two inputs.
        source.extend([sizes[0] / units[0], 2.0 / of_m * sizes[1] / units[1]]);
    }
    let what = "|E (K - E K)^2| of 40 tanh units at m = 2, 8 and 24 inputs: (E s^4 - 2 q^2 + m q^2)/n, of order m/n, where they are orthonormal and |E K| = q = E s^2, and m^2 (E s^4 - q^2)/n where they are equal and |E K| = m q, as |E K| m/n gives; each over its order, m/n or m^2/n; and random layers";
    Ok(Comparison::noise(&["T12.3/inputs"], what, &pairs)
        .against("order m/n for equal inputs too", &source))
}
