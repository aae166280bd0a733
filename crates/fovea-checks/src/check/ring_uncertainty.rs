//! Uncertainty of fields on the ring and on the circle (note 003, "Uncertainty principle").

use super::prelude::*;
use fovea_theory::uncertainty::breitenberger::{self, breitenberger};
use fovea_theory::uncertainty::maassen_uffink::{self, EntropySums, maassen_uffink};
use fovea_theory::uncertainty::massar_spindel::{self, massar_spindel};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "ring-uncertainty",
    summary: "Bounds on the ring, by entropies, circular spreads and supports, and on the circle.",
    covers: &[
        "L003.27/entropies",
        "L003.27/spreads",
        "L003.27/circle",
        "L003.27/supports",
        "L003.63/discrete",
        "L003.63/periodic",
    ],
    run,
};

const N: usize = 40;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let fields: Vec<Seen> = fields().iter().map(|w| Seen::of(w)).collect();
    Ok(vec![
        entropies(effort, &fields),
        spreads(effort, &fields)?,
        circle(effort),
        supports(&fields),
    ])
}

/// Measures of a field on a ring, by direct sums.
struct Seen {
    /// Entropies over places and over frequencies, added.
    entropies: f64,
    /// One less the squared mean phase, over places and over frequencies.
    spreads: [f64; 2],
    /// Sites and frequencies that are not 0.
    supports: [usize; 2],
    /// Variance of the frequency times the spread over places, over the squared mean phase.
    product: f64,
}

impl Seen {
    fn of(w: &[f64]) -> Self {
        let n = w.len();
        let turn = |at: usize| libm::sincos(TAU * (at % n) as f64 / n as f64);
        let power = |k: usize| {
            let (mut re, mut im) = (0.0, 0.0);
            for (i, w) in w.iter().enumerate() {
                let (sin, cos) = turn(k * i);
                re += w * cos;
                im += w * sin;
            }
            re * re + im * im
        };
        let shares = |all: Vec<f64>| -> Vec<f64> {
            let total: f64 = all.iter().sum();
            all.into_iter().map(|x| x / total).collect()
        };
        let p = shares(w.iter().map(|w| w * w).collect());
        let q = shares((0..n).map(power).collect());
        let entropy = |p: &[f64]| -> f64 {
            p.iter().filter(|p| **p > 1e-30).map(|p| -p * libm::log(*p)).sum()
        };
        let spread = |p: &[f64]| {
            let along = |part: &dyn Fn((f64, f64)) -> f64| -> f64 {
                p.iter().enumerate().map(|(i, p)| p * part(turn(i))).sum()
            };
            let (sin, cos) = (along(&|turn| turn.0), along(&|turn| turn.1));
            1.0 - sin * sin - cos * cos
        };
        let support = |p: &[f64]| p.iter().filter(|p| **p > 1e-24).count();
        let place = spread(&p);
        // Real fields: the mean frequency is 0.
        let variance: f64 =
            q.iter().enumerate().map(|(k, q)| libm::pow(k.min(n - k) as f64, 2.0) * q).sum();
        Self {
            entropies: entropy(&p) + entropy(&q),
            spreads: [place, spread(&q)],
            supports: [support(&p), support(&q)],
            product: variance * place / (1.0 - place),
        }
    }
}

fn comb(spacing: usize) -> Vec<f64> {
    (0..N).map(|i| f64::from(u8::from(i % spacing == 1 % spacing))).collect()
}

const SPACINGS: [usize; 8] = [1, 2, 4, 5, 8, 10, 20, 40];

/// A comb and the same comb shifted, added or subtracted.
fn pair(spacing: usize, shift: usize, sign: f64) -> Vec<f64> {
    let comb = comb(spacing);
    (0..N).map(|i| comb[i] + sign * comb[(i + N - shift) % N]).collect()
}

/// Bumps, waves and shapes in between, pairs of combs, and all combs.
fn fields() -> Vec<Vec<f64>> {
    let field = |shape: u32| -> Vec<f64> {
        let width = 0.3 + 0.2 * f64::from(shape);
        let wave = |i: usize| libm::cos(f64::from(shape % 7) * i as f64 + f64::from(shape));
        let bump = |i: usize| {
            let d = i.min(N - i) as f64 / width;
            libm::exp(-0.5 * d * d)
        };
        (0..N).map(|i| bump(i) * wave(i) + 0.1 * f64::from(shape % 3) * wave(i * i)).collect()
    };
    let pairs = SPACINGS[2..].iter().flat_map(|s| [pair(*s, 1, 1.0), pair(*s, 3, -1.0)]);
    (0..60).map(field).chain(pairs).chain(SPACINGS.map(comb)).collect()
}

/// The number of fields that obey, and of all fields.
fn count(fields: &[Seen], obeys: impl Fn(&Seen) -> bool) -> (usize, usize) {
    (fields.iter().filter(|seen| obeys(seen)).count(), fields.len())
}

const SLACK: f64 = 1e-12;

/// `H(w) + H(Fw) >= ln n`, equality at combs; a wide Gaussian and a cosine.
fn entropies(effort: &Effort, fields: &[Seen]) -> Comparison {
    let sums: fn(usize, usize) -> EntropySums =
        effort.form(&maassen_uffink::ENTRY, maassen_uffink, |n, k| {
            let continuum = 1.0 + libm::log(PI);
            EntropySums { bound: continuum, gaussian: continuum, ..maassen_uffink(n, k) }
        });
    let wide: Vec<f64> = (0..200)
        .map(|i: i32| {
            let d = f64::from(i.min(200 - i)) / 5.0;
            libm::exp(-0.25 * d * d)
        })
        .collect();
    let wave: Vec<f64> = (0..N).map(|i| libm::cos(TAU * (3 * i) as f64 / N as f64)).collect();
    let here = sums(N, 3);
    let mut predicted = vec![sums(200, 1).gaussian, here.cosine];
    let mut measured = [&wide, &wave].map(|w| Seen::of(w).entropies).to_vec();
    predicted.extend([here.bound; SPACINGS.len()]);
    measured.extend(SPACINGS.map(|spacing| Seen::of(&comb(spacing)).entropies));
    let ids = &["L003.27/entropies", "L003.63/discrete"];
    let what = "H(|w|^2) + H(|Fw|^2) of eight combs of 40 sites, ln n, of a cosine with three periods on 40 sites and of a Gaussian on 200, ln n + 1 - ln 2: closed forms, and sums over sites and frequencies";
    let equal = Comparison::digits(ids, what, &predicted, &measured);
    let above = |least: f64| count(fields, |seen| seen.entropies >= least - SLACK);
    let bound = libm::log(N as f64);
    let what = "n = 40: fields of 60 shapes, twelve pairs of combs and eight combs whose entropies add up to ln n or more, by sums over sites and frequencies; a number without meaning would be exceeded by one in two";
    let line = above(bound + 1.0 - libm::log(2.0));
    let all = Comparison::all(ids, what, above(bound), 0.5)
        .against_cases("the sum of a Gaussian as the smallest, as on the line", line)
        .enumerated();
    equal.and(all)
}

/// The bound of the two circular spreads, and the smallest spread over frequencies that there is.
fn spreads(effort: &Effort, fields: &[Seen]) -> Result<Comparison, LabError> {
    let optimum: fn(f64) -> f64 = effort.form(
        &massar_spindel::ENTRY,
        |place| massar_spindel(N, place).optimum,
        |place| massar_spindel::bound(N, place),
    );
    // Given the spread in place of the state found by iteration, the form must return its spread in frequency.
    let found = [(1.0, 1.0), (0.6, 0.8), (0.2, 1.0)].map(|(a, b)| by_iteration(N, a, b));
    let states = [0, 1, 2].map(|i| Seen::of(&found[i]).spreads);
    let what = "n = 40: the smallest spread over frequencies at three spreads over places, from the ground state of Harper's operator, halved in the even basis, and both spreads of the states found by iterating it on the whole ring";
    let least = Comparison::digits(
        &["L003.27/spreads"],
        what,
        &states.map(|[place, _]| optimum(place)),
        &states.map(|[_, frequency]| frequency),
    );
    let a = libm::tan(PI / N as f64);
    let obeys = |ends: f64| {
        count(fields, |seen| {
            let [u, v] = seen.spreads;
            (1.0 + 2.0 * ends * a) * u * v + ends * a * a * (u + v) >= a * a - SLACK
        })
    };
    let what = "n = 40: fields of 60 shapes, twelve pairs of combs and eight combs that obey (1+2A) U V + A^2 (U + V) >= A^2, spreads by sums over sites and frequencies; a number without meaning would be exceeded by one in two";
    let all = Comparison::all(&["L003.27/spreads"], what, obeys(1.0), 0.5)
        .against_cases("U V >= A^2, a product alone, as on the line", obeys(0.0))
        .enumerated();
    Ok(least.and(all).and(lowest(effort, &found)?))
}

/// No field near these states has a smaller spread over frequencies than Harper's ground state has at its spread over places.
fn lowest(effort: &Effort, states: &[Vec<f64>]) -> Result<Comparison, LabError> {
    let bent = |w: &[f64], shape: u32| -> Vec<f64> {
        let turn = |i: usize| f64::from(shape * shape) + f64::from(shape) * i as f64;
        w.iter().enumerate().map(|(i, w)| w * (1.0 + 0.03 * libm::sin(turn(i)))).collect()
    };
    let fields = states.iter().flat_map(|w| (1..=7).map(|shape| Seen::of(&bent(w, shape)).spreads));
    let fields: Vec<[f64; 2]> = fields.collect();
    let hits = effort.once("near", || {
        let above = |n: usize| {
            let least = |place: f64| massar_spindel(n, place).optimum - SLACK;
            fields.iter().filter(|[place, frequency]| *frequency >= least(*place)).count()
        };
        Ok::<_, LabError>([above(N), above(N - 1)])
    })?;
    let what = "n = 40: 21 fields, each of these states disturbed in seven ways, whose spread over frequencies is at least that of Harper's ground state at their spread over places; a number without meaning would be exceeded by one in two";
    Ok(Comparison::all(&["L003.27/spreads"], what, (hits[0], fields.len()), 0.5)
        .against_cases("the smallest spread on a ring of 39 sites", (hits[1], fields.len()))
        .enumerated())
}

/// The state of the largest eigenvalue of `a cos(place) + b cos(frequency)`, by applying it, shifted, again and again.
fn by_iteration(n: usize, a: f64, b: f64) -> Vec<f64> {
    let mut w = vec![1.0; n];
    for _ in 0..2000 {
        let image: Vec<f64> = (0..n)
            .map(|i| {
                let cos = libm::cos(2.0 * PI * i as f64 / n as f64);
                (a * cos + a + b) * w[i] + 0.5 * b * (w[(i + 1) % n] + w[(i + n - 1) % n])
            })
            .collect();
        let top = image.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        w = image.into_iter().map(|x| x / top).collect();
    }
    w
}

/// On the circle the von Mises family comes down to a quarter, and no field lies below.
fn circle(effort: &Effort) -> Comparison {
    let product: fn(f64) -> f64 =
        effort.form(&breitenberger::ENTRY, |kappa| breitenberger(kappa).product, |_| 0.25);
    let kappas = [0.5, 5.0, 50.0];
    let ids = &["L003.27/circle", "L003.63/periodic"];
    let what = "Var(k) (1-m^2)/m^2 of fields whose square is a von Mises density, concentrations 0.5, 5 and 50: by Bessel functions, and by integrals over the circle";
    let closed = Comparison::digits(ids, what, &kappas.map(product), &kappas.map(on_the_circle));
    // Fields with fewer periods than half the sites: sums over the ring are integrals over the circle.
    let n = 64;
    let angle = |i: usize| TAU * i as f64 / n as f64;
    let waves = |shape: usize| -> Vec<f64> {
        let wave = |i: usize, k: usize| {
            libm::cos(k as f64 * angle(i) + (shape * k) as f64) / (1 + (k * (shape % 5)) / 3) as f64
        };
        (0..n).map(|i| 0.7 + (1..=2 + shape % 7).map(|k| wave(i, k)).sum::<f64>()).collect()
    };
    let peaked = |kappa: f64| -> Vec<f64> {
        (0..n).map(|i| libm::exp(0.5 * kappa * (libm::cos(angle(i)) - 1.0))).collect()
    };
    let all: Vec<Seen> =
        (0..40).map(waves).chain([2.0, 8.0, 20.0].map(peaked)).map(|w| Seen::of(&w)).collect();
    let what = "40 fields of up to eight periods and three von Mises fields with Var(k) (1-m^2)/m^2 of 1/4 or more, by sums over 64 sites; a number without meaning would be exceeded by one in two";
    let above = |least: f64| count(&all, |seen| seen.product >= least - SLACK);
    let all = Comparison::all(ids, what, above(0.25), 0.5)
        .against_cases("1/2, the bound of a product of spreads, not of variances", above(0.5))
        .enumerated();
    closed.and(all)
}

/// `Var(k) (1 - m^2) / m^2` of the field whose square is a von Mises density, by integrals over half the circle.
fn on_the_circle(kappa: f64) -> f64 {
    let density = |x: f64| libm::exp(kappa * (libm::cos(x) - 1.0));
    let over = |f: &dyn Fn(f64) -> f64| adaptive_split(f, &[0.0, 0.1, 0.5, 1.5, PI], 1e-13).value;
    let norm = over(&density);
    let mean = over(&|x| libm::cos(x) * density(x)) / norm;
    // |w'|^2 = (kappa sin / 2)^2 w^2; one less the square of the mean by its half angle.
    let variance = over(&|x| {
        let slope = 0.5 * kappa * libm::sin(x);
        slope * slope * density(x)
    }) / norm;
    let gap = over(&|x| {
        let half = libm::sin(0.5 * x);
        2.0 * half * half * density(x)
    }) / norm;
    variance * gap * (1.0 + mean) / (mean * mean)
}

/// `|supp w| |supp Fw| >= n`, equality at combs.
fn supports(fields: &[Seen]) -> Comparison {
    let what = "n = 40: fields of 60 shapes, twelve pairs of combs and eight combs, |supp w| |supp Fw| at least n, and n of the combs; sites and frequencies counted; a number without meaning would be exceeded by one in two";
    let combs = fields.len() - SPACINGS.len();
    let equal = fields[combs..].iter().all(|seen| seen.supports[0] * seen.supports[1] == N);
    let obeys = |seen: &Seen| seen.supports[0] * seen.supports[1] >= N && equal;
    let prime = count(fields, |seen| seen.supports[0] + seen.supports[1] > N);
    Comparison::all(&["L003.27/supports"], what, count(fields, obeys), 0.5)
        .against_cases("|supp w| + |supp Fw| > n, the bound of rings of prime size", prime)
        .enumerated()
}
