//! What do the data look like, and what does the gain change?
//!
//! Figure 1 of the third note: samples of the two classes, here with the same latent field at every gain. Its first footnote
//! says that the correlation length sets the number of zero crossings and the gain does not. That is exact (L002.2):
//! a sample and its latent field share their signs, and the mean number of sign changes around the ring is
//! `n arccos(r_1) / pi`, 9.0 and 18.0 at the figure's lengths (L002.25). The second footnote says that a large gain
//! makes heavy tails; they are light (L002.3). A mean count beyond its limit of standard errors, one field whose count
//! depends on the gain, or a kurtosis above 0 would falsify the three.

use fovea_core::lanes::BLOCK;
use fovea_core::ring::kernel_row;
use fovea_core::stats::Accumulator;
use fovea_core::streams::Stream;
use fovea_desk::prelude::*;
use fovea_sim::Stimulus;
use fovea_sim::stimulus::Element;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::excess_kurtosis::excess_kurtosis;
use fovea_theory::nlgp::zero_crossings::{of_neighbours, zero_crossings};
use std::f64::consts::{FRAC_1_PI, SQRT_2};

params! {
    /// Settings of `samples`.
    pub struct Samples {
        ..two: TwoClass { n = 400, between(3.0, 4096.0); xi_pos = 20.0; xi_neg = 10.0 };
        /// Gains to compare, from Gaussian (towards 0) to binary (`inf`).
        gain: Vec<f64> = vec![0.01, 1.0, 3.0, 100.0], above(0.0), "";
        /// Samples of each class in the figure.
        shown: usize = 3, between(1.0, 6.0), "samples";
        /// Samples of each class that are counted.
        samples: usize = 1_000_000, between(100.0, 1e8), "samples";
        /// Number type of sampling.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for Samples {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        check_gains(&self.gain)
    }
}

/// Samples of a chunk, the unit of parallel work.
const CHUNK: usize = 16 * BLOCK;

/// One class: some samples, and the counts of many.
pub struct Counted {
    name: &'static str,
    xi: f64,
    /// Notes of the sampler.
    notes: Vec<String>,
    /// Shown samples by gain, then sample.
    shown: Vec<Vec<Vec<f64>>>,
    /// Share of the samples with each number of sign changes.
    tally: Vec<f64>,
    /// The mean count.
    count: Estimate,
    /// The mean count of theory.
    predicted: f64,
    /// The mean count of a smooth field, by Rice's formula; a field of exponential covariance is not smooth.
    smooth: Option<f64>,
    /// Latent correlation of neighbours.
    neighbours: f64,
    sums: Sums,
}

/// What is added up over the samples.
#[derive(Clone)]
struct Sums {
    /// Sign changes at the first gain.
    count: Accumulator,
    /// By gain: how far the count lies from the one at the first gain.
    moved: Vec<Accumulator>,
    /// How far the count lies from that of the next sample, another field.
    other_field: Accumulator,
    /// By gain: mean over the sites of `x^4 - 3`.
    fourth: Vec<Accumulator>,
    tally: Vec<u64>,
}

impl Sums {
    fn new(gains: usize, n: usize) -> Self {
        let many = || vec![Accumulator::new(); gains];
        let (count, other_field) = (Accumulator::new(), Accumulator::new());
        Self { count, moved: many(), other_field, fourth: many(), tally: vec![0; n + 1] }
    }

    fn merge(mut self, other: &Self) -> Self {
        self.count.merge(&other.count);
        self.other_field.merge(&other.other_field);
        for (own, new) in [(&mut self.moved, &other.moved), (&mut self.fourth, &other.fourth)] {
            own.iter_mut().zip(new).for_each(|(own, new)| own.merge(new));
        }
        self.tally.iter_mut().zip(&other.tally).for_each(|(own, new)| *own += new);
        self
    }

    /// Counts the blocks of one chunk; `left` samples are still to be counted.
    fn add_chunk<T: Element>(
        &mut self,
        stimuli: &[&dyn Stimulus],
        stream: &Stream,
        index: usize,
        left: usize,
    ) {
        let (mut scratch, mut block) = (Vec::new(), vec![[T::ZERO; BLOCK]; stimuli[0].dim()]);
        for at in 0..(CHUNK / BLOCK).min(left.div_ceil(BLOCK)) {
            let used = BLOCK.min(left - at * BLOCK);
            let mut reference = [0; BLOCK];
            for (g, stimulus) in stimuli.iter().enumerate() {
                let rng = &mut stream.block(0, (index * CHUNK / BLOCK + at) as u32);
                T::fill(*stimulus, rng, &mut scratch, &mut block);
                let changes = sign_changes(&block);
                if g == 0 {
                    reference = changes;
                }
                for s in 0..used {
                    let squares = block.iter().map(|row| row[s].to_f64() * row[s].to_f64());
                    let fourth = squares.map(|square| square * square - 3.0);
                    self.fourth[g].push(fourth.sum::<f64>() / block.len() as f64);
                    self.moved[g].push(f64::from(changes[s].abs_diff(reference[s])));
                }
            }
            for s in 0..used {
                self.count.push(f64::from(reference[s]));
                self.tally[reference[s] as usize] += 1;
                if s + 1 < used && s % 2 == 0 {
                    self.other_field.push(f64::from(reference[s].abs_diff(reference[s + 1])));
                }
            }
        }
    }
}

/// Sign changes around the ring; a zero has the sign of its own bit.
fn sign_changes<T: Element>(block: &[[T; BLOCK]]) -> [u32; BLOCK] {
    let mut changes = [0; BLOCK];
    for (i, row) in block.iter().enumerate() {
        let next = &block[(i + 1) % block.len()];
        for s in 0..BLOCK {
            let turned = row[s].to_f64().is_sign_negative() != next[s].to_f64().is_sign_negative();
            changes[s] += u32::from(turned);
        }
    }
    changes
}

/// The first samples of a stream.
fn first<T: Element>(stimulus: &dyn Stimulus, stream: &Stream, count: usize) -> Vec<Vec<f64>> {
    let mut block = vec![[T::ZERO; BLOCK]; stimulus.dim()];
    T::fill(stimulus, &mut stream.block(0, 0), &mut Vec::new(), &mut block);
    (0..count).map(|s| block.iter().map(|row| row[s].to_f64()).collect()).collect()
}

impl Counted {
    /// Samples a class at every gain and counts.
    fn new<T: Element>(
        settings: &Samples,
        (name, xi): (&'static str, f64),
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let (TwoClass { n, kernel, .. }, samples) = (settings.two, settings.samples);
        let sampler = |gain: &f64| Nlgp::on_ring(n, xi, *gain, kernel).sampler();
        let stimuli = settings.gain.iter().map(sampler).collect::<Result<Vec<_>, _>>()?;
        let stimuli: Vec<&dyn Stimulus> = stimuli.iter().map(|s| s as &dyn Stimulus).collect();
        // The name of the stream is the same at every gain, and so is the latent field.
        let stream = desk.streams().named(&format!("samples/{name}"));
        let chunks: Vec<usize> = (0..samples.div_ceil(CHUNK)).collect();
        let none = Sums::new(stimuli.len(), n);
        let sums = desk.fleet(&chunks, |index| {
            let mut sums = none.clone();
            sums.add_chunk::<T>(&stimuli, &stream, *index, samples - index * CHUNK);
            sums
        })?;
        let sums = sums.iter().fold(none, Sums::merge);
        let neighbours = kernel_row(n, xi, kernel)[1];
        Ok(Self {
            name,
            xi,
            notes: stimuli[0].notes(),
            shown: stimuli.iter().map(|s| first::<T>(*s, &stream, settings.shown)).collect(),
            tally: sums.tally.iter().map(|count| *count as f64 / samples as f64).collect(),
            count: sums.count.estimate()?,
            predicted: match kernel {
                Kernel::Ring => zero_crossings(n, xi),
                _ => of_neighbours(n, neighbours),
            },
            smooth: (kernel != Kernel::Exponential).then(|| n as f64 * SQRT_2 * FRAC_1_PI / xi),
            neighbours,
            sums,
        })
    }
}

impl Experiment for Samples {
    type Found<'r> = Vec<Counted>;

    const WORDS: Words<'static> = Words {
        title: "Samples of the two classes",
        lead: "The correlation length sets how often a sample changes its sign around the ring; the gain only squashes what lies \
               between the zeros, from a smooth field to plateaus, and takes the tails away.",
        caption: CAPTION,
        formulas: &[
            r"x_i = \frac{\mathrm{erf}(g z_i)}{\sqrt{\mathcal{Z}(g)}}, \qquad \mathbb{E}\, z_i z_j = r_{ij} = e^{-d(i,j)^2/\xi^2}",
            r"\mathbb{E}\,\#\{i : x_i x_{i+1} < 0\} = \frac{n}{\pi}\arccos r_1 \quad\text{at every gain}",
        ],
    };

    fn quick() -> Self {
        Self { samples: 100_000, ..Self::default() }
    }

    fn dtype(&self) -> Option<&'static str> {
        Some(self.precision.word())
    }

    fn parts(&self) -> u64 {
        2 * self.samples.div_ceil(CHUNK) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Vec<Counted>, LabError> {
        let class = match self.precision {
            Precision::Single => Counted::new::<f32>,
            Precision::Double => Counted::new::<f64>,
        };
        let classes = [("pos", self.two.xi_pos), ("neg", self.two.xi_neg)];
        classes.into_iter().map(|named| class(self, named, desk)).collect()
    }

    fn show(&self, _: &Runs, classes: &Vec<Counted>) -> Result<Shown, LabError> {
        let mut arrays = Vec::new();
        for Counted { name, shown, tally, .. } in classes {
            arrays.push(Array {
                name: format!("samples_{name}"),
                shape: vec![self.gain.len(), self.shown, self.two.n],
                data: shown.concat().concat(),
            });
            arrays.push(Array::of_entries(format!("sign_changes_{name}"), tally));
        }
        Ok(Shown {
            arrays,
            claims: self.claims(classes)?,
            figures: vec![("samples", self.figure(classes))],
            tables: tables(classes),
            ..Shown::default()
        })
    }
}

/// Whether the samples are enough to tell the count on the sites from that of a smooth field.
fn tells_smooth(classes: &[Counted]) -> bool {
    classes.iter().any(|class| {
        let gap = class.smooth.map_or(0.0, |smooth| (smooth - class.predicted).abs());
        gap > 8.0 * class.count.se()
    })
}

/// Counts measured and predicted, and the notes of the samplers.
fn tables(classes: &[Counted]) -> Vec<Table> {
    let counts = Table::of("sign_changes", classes)
        .words("class", |class| class.name)
        .given("xi", |class| class.xi)
        .unit("sites")
        .estimate("sign_changes", 4, |class| class.count)
        .real("predicted", 4, |class| class.predicted)
        .real("smooth_field", 4, |class| class.smooth.unwrap_or(f64::NAN))
        .real("smooth_field_off", 2, |class| {
            class.smooth.map_or(f64::NAN, |smooth| 100.0 * (smooth / class.predicted - 1.0))
        })
        .unit("%")
        .caption(format!(
            "Mean number of sign changes around the ring, one row per class, compared with n arccos(r_1)/pi; and Rice's formula \
             for a smooth field, n sqrt(2)/(pi xi), with its distance from that{}.",
            if tells_smooth(classes) { "" } else { ", too close to be told apart by this many samples" }
        ));
    let samplers = Table::of("samplers", classes)
        .words("class", |class| class.name)
        .words("note", |class| class.notes.join("; "))
        .caption("Notes of the sampler of each class, if it has any.");
    vec![counts, samplers]
}

const CAPTION: &str = "Top: samples of the two classes, one row per class. Each sample is shown at several gains of the same latent field, so that \
    the curves of a panel cross zero together. A small gain leaves the Gaussian field as it is, a large one its sign. \
    Bottom: the share of samples with each number of sign changes (points); vertical dashed lines are the means that theory predicts, which \
    hold at every gain.";

impl Samples {
    /// The claims about the two footnotes.
    fn claims(&self, classes: &[Counted]) -> Result<Vec<Claim>, LabError> {
        let (mut counts, mut wrong, mut moved, mut elsewhere) = (vec![], vec![], vec![], vec![]);
        let smooth = tells_smooth(classes);
        let (mut tails, mut rescaled) = (vec![], vec![]);
        for class in classes {
            counts.push((class.count, class.predicted));
            let of_signs = of_neighbours(self.two.n, cov(class.neighbours, f64::INFINITY));
            wrong.push((class.count, class.smooth.filter(|_| smooth).unwrap_or(of_signs)));
            elsewhere.push((class.sums.other_field.estimate()?, 0.0));
            for (g, gain) in self.gain.iter().enumerate() {
                if g > 0 {
                    moved.push((class.sums.moved[g].estimate()?, 0.0));
                }
                let fourth = class.sums.fourth[g].estimate()?;
                // Signs have no spread, and their kurtosis is a number.
                if fourth.se() > 1e-6 {
                    tails.push((fourth, excess_kurtosis(*gain)));
                    rescaled.push((fourth, excess_kurtosis(gain / SQRT_2)));
                }
            }
        }
        let form = if smooth {
            "Rice's formula for a smooth field, which counts between the sites too"
        } else {
            "the covariance of the signs instead of the latent one"
        };
        let statement = "the mean number of sign changes is n arccos(r_1)/pi";
        let crossings = Claim::family("samples", statement, &counts).rejecting(form, &wrong);
        let statement =
            "one latent field has the same number of sign changes at every gain, in every sample";
        let same = if moved.is_empty() {
            let why = "one gain has no other to be compared with";
            Claim::undecided("L002.2/gain", statement, 0.0, why)
        } else {
            // Exact: one sample out of all would be noticed, and there is no relative error of zero.
            let same = Claim::family("L002.2/gain", statement, &moved);
            Claim { resolution: f64::NAN, ..same }.rejecting("two latent fields", &elsewhere)
        };
        let mut claims = vec![crossings, same];
        if !tails.is_empty() {
            let statement =
                "the tails are light: the excess kurtosis of a site is nlgp.excess_kurtosis";
            let tails = Claim::family("samples", statement, &tails);
            claims.push(tails.rejecting("the convention erf(g z/sqrt 2)", &rescaled));
        }
        Ok(claims)
    }

    /// One row per class, one column per sample, one curve per gain; the counts below.
    fn figure(&self, classes: &[Counted]) -> Figure {
        let subtitle = format!(
            "Inputs erf(gain z), scaled to unit variance, on a ring of {} sites; correlation length {} in the first row and {} in the second.",
            self.two.n,
            Value::Real(self.two.xi_pos),
            Value::Real(self.two.xi_neg)
        );
        let figure = Figure { letters: false, ..Figure::new("Samples of the two classes") };
        let figure = figure.subtitle(subtitle).description(CAPTION);
        let row = |class| (0..self.shown).map(move |sample| self.curves(class, sample));
        let counts = counts(classes).span(self.shown).height(150.0);
        let shape = (self.shown, 300.0 * self.shown.max(2) as f64, figure.aspect);
        grid(figure, shape, classes.iter().flat_map(row).chain([counts]))
    }

    fn curves(&self, class: &Counted, sample: usize) -> Panel {
        let title =
            if sample == 0 { format!("$\\xi$ = {}", Value::Real(class.xi)) } else { String::new() };
        let x = Axis::new("site").range(0.0, self.two.n as f64).share(1);
        let curves = self.gain.iter().zip(&class.shown).enumerate().map(|(g, (gain, shown))| {
            let style = Style { width: 1.3, ..Style::ordered(g, self.gain.len()).solid() };
            named(gains::words(*gain), style, counted(&shown[sample]))
        });
        let panel = lines(title, x, Axis::new("$x$").share(1), curves);
        panel.with(guide_at_y(0.0, "")).height(120.0)
    }
}

/// The share of samples with each number of sign changes, which is even on a ring.
fn counts(classes: &[Counted]) -> Panel {
    let shares = series(classes.iter().map(|class| {
        let all = || (0..class.tally.len()).step_by(2);
        let seen = |count: &usize| class.tally[*count] > 0.0;
        let (first, last) = (all().find(seen).unwrap_or(0), all().rev().find(seen).unwrap_or(0));
        let shares = all().filter(|count| (first..=last).contains(count));
        let shares: Xy = shares.map(|count| (count as f64, class.tally[count])).collect();
        (format!("$\\xi$ = {}, at every gain", Value::Real(class.xi)), shares)
    }));
    let means = classes.iter().map(|class| {
        let label = format!("theory, $\\xi$ = {}: {:.2}", Value::Real(class.xi), class.predicted);
        line_at_x(class.predicted, label, Style::theory())
    });
    let (x, y) = ("sign changes", Axis::new("share of samples").from(0.0));
    lines("Sign changes around the ring", x, y, shares.clone())
        .with_all(shares.into_iter().map(|named| named.data.points(named.label, named.style)))
        .with_all(means)
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Samples>(
    "samples",
    "samples of the two classes at several gains: figure 1 of the third note, and its zero crossings",
    include_str!("samples.rs"),
);
