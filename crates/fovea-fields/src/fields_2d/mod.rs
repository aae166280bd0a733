//! Do the units of a population grow blobs on a torus of two dimensions, and do the blobs share it?
//!
//! A committee of bias-free ReLU units learns to tell two nonlinear Gaussian processes on a square torus apart, the kernel of
//! each a product over the axes (L002.26). At high gain the fields of a published run end as blobs, 19 of 20 with one
//! unfinished, and the blobs spread over the torus (L000.40). The control is the same network on Gaussian data, on which
//! nothing singles out a place: the flow of one unit is diagonal in the Fourier basis (L003.9).
//!
//! A **blob** is a field whose IPR exceeds 6/n and whose sites above half of its largest absolute weight hang together. The
//! centres of the localized fields are held against independent uniform places: covered share, distance to the nearest
//! other one, gaps and resultant along the last axis. Networks at high gain without blobs, or blobs on Gaussian data, would
//! falsify the first statement; centres no further from each other than random ones the second.
//!
//! The published size is a torus of 30 x 30 with 20 units. The default is smaller and keeps the pace of a unit, the learning
//! rate over the number of units. It also has more units for its size, one for every 4 squared correlation lengths where the
//! published run has one for every 11: crowded units reach their blobs in fewer steps, and a blob then fills a
//! smaller share of the small torus. The publication shows one run, so its 19 of 20 has no spread of its own: one unit to
//! either side is taken.

mod claims;
mod figure;
pub mod measure;

use fovea_desk::prelude::*;
use fovea_desk::published;
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::nlgp::Nlgp;
use measure::Population;

params! {
    /// Settings of `fields-2d`.
    pub struct Fields2d {
        /// Sites along a side of the torus.
        side: usize = 16, between(4.0, 256.0), "sites";
        /// Hidden units, the K of the notes.
        width: usize = 16, between(1.0, 4096.0), "units";
        /// Gain of the process.
        gain: f64 = 100.0, above(0.0), "";
        /// Gain of the control, at which the data are Gaussian.
        control_gain: f64 = 0.01, above(0.0), "";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields along an axis.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Learning rate of the loss with its factor 1/2, the mean readout's 1/K included.
        lr: f64 = 4.8, finite_above(0.0), "";
        /// Fresh samples of a step.
        batch: usize = 1000, between(1.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 3000, between(1.0, 1e9), "steps";
        /// Steps between records.
        record_every: usize = 50, between(1.0, 1e9), "steps";
        /// Networks of each gain.
        seeds: usize = 6, between(2.0, 1e4), "networks";
        /// Factor on the Glorot variance 2/(n + K) of the start.
        init_scale: f64 = 0.01, between(1e-30, 1e30), "";
        /// How labels are drawn.
        labels: Labels = Labels::Iid, any(), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for Fields2d {
    fn check(&self) -> Result<(), ParamError> {
        for (key, xi) in [("xi_pos", self.xi_pos), ("xi_neg", self.xi_neg)] {
            self.lattice(xi).latent().map_err(|error| ParamError::Inconsistent {
                what: format!("`{key}` is {xi} on a side of {} sites: {error}", self.side),
                hint: "choose a larger side, a shorter length, or kernel=wrapped".to_owned(),
            })?;
        }
        check_labels(self.labels, self.batch)?;
        if self.gain.total_cmp(&self.control_gain).is_eq() {
            return Err(ParamError::Inconsistent {
                what: format!("`gain` and `control_gain` are both {}", Value::Real(self.gain)),
                hint: "give the control a gain of its own, such as 0.01".to_owned(),
            });
        }
        check_records(self.steps, self.record_every, 2 * self.seeds * self.width)
    }
}

const PROBES: [&Probe; 3] = [&probe::ipr::ENTRY, &probe::population::ENTRY, &probe::tiling::ENTRY];

impl Fields2d {
    fn lattice(&self, xi: f64) -> Lattice {
        Lattice { dim: 2, ..Lattice::ring(self.side, xi, self.kernel) }
    }

    fn arm(&self, gain: f64) -> Arm {
        let class = |xi| Item::of("nlgp", &Nlgp { lattice: self.lattice(xi), gain });
        let (pos, neg) = (class(self.xi_pos), class(self.xi_neg));
        let plan = Plan::new(self.steps, Times::Every(self.record_every as u64), &PROBES);
        Arm {
            name: name(gain),
            task: Arc::new(TaskSpec::pair(pos, neg, 0.0, self.labels)),
            network: committee(self.width, &activation::relu::ENTRY, Bias::None, self.init_scale),
            pace: Pace::online(self.lr, self.batch),
            plan: Plan { precision: self.precision, ..plan },
        }
    }
}

/// The name of a gain's curves.
fn name(gain: f64) -> String {
    format!("gain={}", Value::Real(gain))
}

impl Experiment for Fields2d {
    /// The networks at the high gain, and those of the control.
    type Found<'r> = [Population<'r>; 2];

    const WORDS: Words<'static> = Words {
        title: "Fields on a torus of two dimensions",
        lead: "A population of ReLU units learns to tell two processes on a square torus apart, at high gain and on Gaussian data. \
               Which fields become blobs, and do the blobs lie further apart than random places?",
        caption: figure::CAPTION,
        formulas: &[
            r"x = \mathrm{erf}(g z)/\sqrt{Z(g)}, \qquad \mathbb{E}\,z_{ij} z_{kl} = e^{-(d_{ik}^2 + d_{jl}^2)/\xi^2}",
            r"\hat y = \frac1K \sum_k \max(0, \langle w_k, x\rangle), \qquad \text{blob:}\ \mathrm{IPR} > 6/n",
        ],
    };

    const FULL: Option<Full<Self>> = Some(Full {
        settings: || Self {
            side: 30,
            width: 20,
            lr: 6.0,
            batch: 10_000,
            steps: 10_000,
            record_every: 100,
            seeds: 2,
            ..Self::default()
        },
        takes: "seven minutes",
    });

    fn quick() -> Self {
        Self {
            side: 12,
            width: 20,
            xi_pos: 1.5,
            xi_neg: 0.75,
            lr: 8.0,
            batch: 300,
            steps: 1300,
            record_every: 65,
            seeds: 2,
            ..Self::default()
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let arms = [self.gain, self.control_gain].map(|gain| self.arm(gain));
        Ok(arms.iter().flat_map(|arm| arm.jobs(streams.part(&arm.name), self.seeds)).collect())
    }

    fn measure<'r>(&self, runs: &'r Runs, _: &Desk<'_>) -> Result<Self::Found<'r>, LabError> {
        Ok([self.gain, self.control_gain].map(|gain| Population::of(self, gain, runs)))
    }

    fn show<'r>(&self, runs: &'r Runs, found: &Self::Found<'r>) -> Result<Shown, LabError> {
        let both = found.each_ref();
        let mut claims = vec![self.claim(both)];
        claims.extend(Self::apart(both[0])?);
        let mut summary = claims::lines(self, both)?;
        let mut blocks = vec![Block::Code(summary.join("\n"))];
        let rows = self.published(both[0])?;
        if !rows.is_empty() {
            claims.extend(rows.iter().map(|row| row.claim("published")));
            summary.extend(published::lines(&rows)?);
            blocks.push(published::table(&rows)?);
        }
        let figures = vec![("fields-2d", figure::figure(self, both))];
        let (arrays, blocks) = (runs.weights(), Some(blocks));
        Ok(Shown { arrays, claims, figures, summary, blocks, ..Shown::default() })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<Fields2d>(
    "fields-2d",
    "a population on a two-dimensional torus: blobs at high gain, none on Gaussian data, and how they share the torus",
    "Do fields localize and share the space in two dimensions as on the ring? At gain 100 most units of every network must \
     become blobs, and none on Gaussian data, and the blobs must lie further apart than random places. A network at high gain \
     without blobs, a blob at gain 0.01, or centres as near as random ones would falsify it.",
);
