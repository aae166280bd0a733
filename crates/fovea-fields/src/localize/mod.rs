//! Does one neuron grow a localized field, and when?
//!
//! One bias-free ReLU unit learns to tell two stationary processes on a ring apart, from one start and with the same
//! latent samples at every gain. On Gaussian data (low gain) its field follows a closed flow that ends flat or in a
//! wave, never localized (L003.9, L003.16). On binary data (infinite gain) the dictator state
//! `w* = (C_neg + C_pos)^-1 C_pos e_i` is a minimum wherever its margin is positive (L000.39). A field that has entered
//! the cell of a dictator and whose time average differs from `w*` would falsify the theorem. Not every field enters
//! one: with `xi_pos < xi_neg` a generic start ends in an oscillation instead (L001.4).

mod claims;
mod figure;
pub mod measure;

use fovea_desk::prelude::*;
use fovea_theory::dictator::fixed_point::FixedPoint;
use measure::{Curve, Theory};

params! {
    /// Settings of `localize`.
    pub struct Localize {
        ..two: TwoClass;
        ..descent: Descent { batch = 4000 };
        /// Gains to compare, from Gaussian (towards 0) to binary (`inf`).
        gain: Vec<f64> = vec![0.01, 0.5, 1.0, 3.0, f64::INFINITY], above(0.0), "";
        /// Steps between records.
        record_every: usize = 20, between(1.0, 1e9), "steps";
        /// Further runs at infinite gain, whose spread is the standard error of the claim.
        replicas: usize = 12, between(0.0, 1e4), "runs";
        /// Factor on the Glorot variance 2/(n + 1) of the start.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// How labels are sampled.
        labels: Labels = Labels::Iid, any(), "";
    }
}

impl Params for Localize {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        check_labels(self.labels, self.descent.batch)?;
        check_gains(&self.gain)?;
        let runs = 2 * self.gain.len() + self.replicas;
        check_records(self.descent.steps, self.record_every, self.two.n * runs)
    }
}

impl Localize {
    /// Whether the theorem has something to say: binary data, and a state that exists.
    fn speaks(&self, dictator: &FixedPoint) -> bool {
        dictator.exists && self.gain.iter().any(|gain| gain.is_infinite())
    }

    /// What is recorded of a replica: its field and nothing else.
    fn replica_plan(&self) -> Plan<'static> {
        Plan { eval_samples: 0, probes: &[&probe::weights::ENTRY], ..self.plan() }
    }

    fn plan(&self) -> Plan<'static> {
        let probes = &[
            &probe::loss::ENTRY,
            &probe::norm::ENTRY,
            &probe::ipr::ENTRY,
            &probe::spectrum::ENTRY,
            &probe::weights::ENTRY,
        ];
        Plan { eval_samples: 8192, ..self.descent.plan(self.record_every, probes) }
    }
}

/// Runs from one start, which differ in their samples alone.
const REPLICAS: &str = "replica";

/// The name of a gain's curve.
fn name(gain: f64) -> String {
    format!("gain={}", Value::Real(gain))
}

/// The fields at every gain, with their closed forms.
pub struct Found<'r> {
    start: Vec<f64>,
    curves: Vec<Curve<'r>>,
    dictator: FixedPoint,
}

impl Experiment for Localize {
    type Found<'r> = Found<'r>;

    const WORDS: Words<'static> = Words {
        title: "One neuron, from Gaussian to binary data",
        lead: "A ReLU unit learns to tell two processes with different correlation lengths apart. Its field stays extended \
               on Gaussian data and collapses to a few sites as the data become binary.",
        caption: figure::CAPTION,
        formulas: &[
            r"\tau\dot w = \tfrac12 f(w) - \tfrac14(C_{-}+C_{+})\,w, \qquad f(w)=\mathbb{E}_{+}[\mathbf{1}(\langle w,x\rangle\ge 0)\,x]",
            r"w^{*} = (C_{-}+C_{+})^{-1} C_{+} e_i \quad\text{at infinite gain, where}\quad 2|w^{*}_i| > \|w^{*}\|_1",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        let gain = vec![0.01, 3.0, f64::INFINITY];
        let descent = Descent { lr: 0.05, batch: 1000, steps: 2400, ..base.descent };
        Self { gain, descent, record_every: 10, replicas: 8, ..base }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let start = Start::Given(one_unit(&glorot(self.two.n, self.init_scale, streams)?)?);
        let job = |label: String, gain: f64, plan: Plan<'static>, streams: Streams| {
            let task = self.two.spec(gain, self.labels);
            Job::new(label, start.clone(), self.descent.stage(&task, plan, streams))
        };
        let mut jobs: Vec<Job> =
            self.gain.iter().map(|gain| job(name(*gain), *gain, self.plan(), *streams)).collect();
        // Replicas of the run at infinite gain, where the theorem has something to say.
        if self.speaks(&self.two.dictator()?) {
            jobs.extend((0..self.replicas as u64).map(|replica| {
                let (gain, streams) = (f64::INFINITY, streams.replica(replica));
                job(format!("replica={replica}"), gain, self.replica_plan(), streams)
                    .in_group(REPLICAS)
                    .unlisted()
            }));
        }
        Ok(jobs)
    }

    fn measure<'r>(&self, runs: &'r Runs, desk: &Desk<'_>) -> Result<Found<'r>, LabError> {
        let (start, dictator) =
            (glorot(self.two.n, self.init_scale, &desk.streams())?, self.two.dictator()?);
        let curve = |gain: &f64| Curve::new(self, *gain, runs.get(&name(*gain)), &start, &dictator);
        let curves = self.gain.iter().map(curve).collect::<Result<_, LabError>>()?;
        Ok(Found { start, curves, dictator })
    }

    fn show<'r>(&self, runs: &'r Runs, found: &Found<'r>) -> Result<Shown, LabError> {
        let Found { start, curves, dictator } = found;
        let mut arrays = vec![Array::of_entries("start", start)];
        for curve in curves {
            let name = name(curve.gain);
            arrays.push(Array::of_rows(format!("weights_{name}"), &curve.fields));
            arrays.extend(match &curve.theory {
                Theory::GaussianFlow(flow) => Some(Array::of_rows(format!("flow_{name}"), flow)),
                Theory::Dictator(w) => Some(Array::of_entries(format!("dictator_{name}"), w)),
                Theory::Open => None,
            });
        }
        let claims = if self.speaks(dictator) {
            vec![claims::claim(self, dictator, &runs.group(REPLICAS))?]
        } else {
            Vec::new()
        };
        Ok(Shown {
            arrays,
            claims,
            figures: vec![("localize", figure::figure(self, curves, dictator))],
            tables: tables(curves, dictator),
            ..Shown::default()
        })
    }
}

/// What a person reads at the end: a row per gain, and what the theorem says at these lengths.
fn tables(curves: &[Curve<'_>], dictator: &FixedPoint) -> Vec<Table> {
    let last = |curve: &Curve<'_>, probe: &Probe| curve.run.last(probe)[0][0];
    let fields = Table::of("fields", curves)
        .given("gain", |curve| curve.gain)
        .real("ipr", 4, |curve| last(curve, &probe::ipr::ENTRY))
        .real("norm", 4, |curve| last(curve, &probe::norm::ENTRY))
        .real("loss", 3, |curve| last(curve, &probe::loss::ENTRY))
        .words("theory", Curve::theory_in_words)
        .real("theory_ipr", 4, |curve| curve.predicted().map_or(f64::NAN, |(field, _)| ipr(field)))
        .real("fields_apart", 1, |curve| 100.0 * curve.apart())
        .unit("%")
        .caption(
            "The trained field at the end, the closed form that should describe it, and how far the two fields \
             are apart: the norm of their difference, relative to that of the closed form.",
        );
    let state = Table::of("dictator", std::slice::from_ref(dictator))
        .real("margin", 4, |state| state.margin)
        .real("ipr", 4, |state| if state.exists { state.ipr } else { f64::NAN })
        .real("loss", 6, |state| if state.exists { state.loss } else { f64::NAN })
        .caption("The dictator state at these lengths and infinite gain; it exists where its margin is positive.");
    vec![fields, state]
}

/// What the dictator theorem says at these lengths.
fn dictator_line(point: &FixedPoint) -> String {
    if point.exists {
        format!(
            "dictator state (infinite gain): margin {:+.4}, ipr {:.4}, loss {:.6}",
            point.margin, point.ipr, point.loss
        )
    } else {
        format!(
            "no dictator state exists at these lengths (margin {:+.4} < 0), so none is drawn",
            point.margin
        )
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Localize>(
    "localize",
    "one ReLU neuron from Gaussian to binary data: the field forms, localizes or stays extended",
    include_str!("mod.rs"),
);
