//! How the time of a training step grows with the ring, the width, the batch and the number of networks.
//!
//! A step makes `B` samples of `n` sites by a Fourier transform and passes them through `K` units, so that
//!
//! ```text
//! seconds ~ B (a n log n + b n K):
//! ```
//!
//! between `n` and `n log n`, linear in the batch and in the number of networks, and linear in the width once the network
//! costs more than its samples. Each row compares the exponent over the last step of its axis with that of the work.

use super::row::{Measured, Relation, Row};
use super::step;
use super::workload::{Data, SMALL, Workload};

/// What is varied: the word in the names of its rows, and the sizes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    Sites,
    Width,
    Batch,
    Networks,
}

impl Along {
    const ALL: [Self; 4] = [Self::Sites, Self::Width, Self::Batch, Self::Networks];

    fn word(self) -> &'static str {
        match self {
            Self::Sites => "n",
            Self::Width => "width",
            Self::Batch => "batch",
            Self::Networks => "networks",
        }
    }

    /// Factors of four; no batch consists of whole blocks of each class, as most do not.
    fn sizes(self) -> [usize; 3] {
        match self {
            Self::Sites => [64, 256, 1024],
            Self::Width => [32, 128, 512],
            Self::Batch => [500, 2000, 8000],
            Self::Networks => [8, 32, 128],
        }
    }

    /// One unit on 40 sites with batches of 1000, but for the size that is varied.
    fn workload(self, size: usize) -> Workload {
        let data = Data::Nlgp { gain: 3.0, xi_pos: 2.0, xi_neg: 1.0 };
        let usual = Workload { name: "scaling", batch: 1000, data, ..SMALL };
        match self {
            Self::Sites => Workload { n: size, ..usual },
            Self::Width => Workload { width: size, ..usual },
            Self::Batch => Workload { batch: size, ..usual },
            Self::Networks => usual,
        }
    }

    /// The exponents of the work between two sizes, the smallest and the largest possible.
    fn expected(self, from: f64, to: f64) -> (f64, f64) {
        match self {
            Self::Sites => {
                (1.0, exponent((from, from * libm::log(from)), (to, to * libm::log(to))))
            }
            Self::Width | Self::Batch | Self::Networks => (1.0, 1.0),
        }
    }
}

/// The exponent of the power law through two points.
fn exponent(from: (f64, f64), to: (f64, f64)) -> f64 {
    libm::log(to.1 / from.1) / libm::log(to.0 / from.0)
}

/// Three sizes of every axis, each after the smaller ones.
pub fn rows() -> Vec<Row> {
    let axis = |along: Along| {
        let [small, middle, large] = along.sizes();
        [(small, None), (middle, Some(small)), (large, Some(middle))]
            .map(|(size, before)| row(along, size, before))
    };
    Along::ALL.into_iter().flat_map(axis).collect()
}

fn name(along: Along, size: usize) -> String {
    format!("scaling-{}-{size}", along.word())
}

fn row(along: Along, size: usize, before: Option<usize>) -> Row {
    let workload = along.workload(size);
    let relate = move |row: &Measured, measured: &[Measured]| {
        let smaller = before.and_then(|at| Some((at, Measured::find(&name(along, at), measured)?)));
        smaller.map(|(at, smaller)| grown(along, (at, smaller), (size, row))).into_iter().collect()
    };
    let row = match along {
        Along::Networks => step::fleet_of(workload, name(along, size), size),
        _ => step::one_network(workload, name(along, size), "one core"),
    };
    Row { relate: Box::new(relate), ..row }
}

/// The exponent of the time of a step between two sizes, compared with that of its work.
fn grown(along: Along, from: (usize, &Measured), to: (usize, &Measured)) -> Relation {
    let [(a, s), (b, t)] = [from, to].map(|(size, row)| (size as f64, row.seconds()));
    let (value, word) = (exponent((a, s), (b, t)), along.word());
    let (low, high) = along.expected(a, b);
    let work = if high > low {
        format!("{word}^{low:.0} to {word}^{high:.2}")
    } else {
        format!("{word}^{low:.0}")
    };
    let text = format!("time as {word}^{value:.2} from {}, work as {work}", from.0);
    Relation { key: "exponent", value, text }
}
