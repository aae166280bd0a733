//! Does a learning rate that was tuned on a narrow network serve a wide one?
//!
//! Two hidden layers. In the standard parametrisation with one rate the largest rate that learns falls as one over the width, and the best one with it; in muP (last weights of size `1/n`, rates n, 1 and `1/n` in the first, middle and
//! last layer) one step moves the outputs as much at every width and the best rate stays where it is. The rates of muP are what its start asks for: with one rate for all layers a step moves the outputs in proportion to n, not O(1) as
//! printed (T05.3). A best rate that moves with the width in muP would falsify it; the exponents of one parametrisation must be rejected in the other.
//!
//! Two activations are measured. What is said is about the rate of least loss, so a curve of loss against rate must have one valley; where the mean curve of any width has two, which of them is the deeper decides and the exponent says nothing: the claim is left undecided.
//! What networks of finite width have in addition, in one over the width, is fitted along with the exponent.

mod claims;
mod figure;
pub mod measure;

use fovea_desk::depth::trains;
use fovea_desk::prelude::*;
use fovea_desk::widths::{N_IN, check_widths, condition_words};
use fovea_sim::mlp::{Parametrisation, Shape};
use fovea_theory::layer::Layer;
use measure::Sweeps;

params! {
    /// Settings of `mup-transfer`.
    pub struct MupTransfer {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::gelu::ENTRY), any(), "";
        /// A second activation, beside the first.
        beside: Function = Function::Registered(&activation::tanh::ENTRY), any(), "";
        /// Widths of the two hidden layers.
        width: Vec<usize> = vec![32, 64, 128, 256], between(2.0, 4096.0), "units";
        /// Examples on a circle.
        examples: usize = 5, between(1.0, 100.0), "";
        /// The least and the largest learning rate.
        lr: Vec<f64> = vec![0.004, 8.0], between(1e-12, 1e12), "";
        /// Rates to an octave.
        per_octave: usize = 2, between(1.0, 32.0), "";
        /// Steps of full gradient descent.
        steps: usize = 20, between(1.0, 1e6), "steps";
        /// Networks trained at each width and rate.
        nets: usize = 40, between(4.0, 1e5), "networks";
    }
}

impl Params for MupTransfer {
    fn check(&self) -> Result<(), ParamError> {
        check_widths(&self.width, 4)?;
        if self.lr.len() != 2 || self.lr[0] >= self.lr[1] {
            return Err(ParamError::Inconsistent {
                what: format!("`lr` is {:?}", self.lr),
                hint: "give the least and the largest learning rate".to_owned(),
            });
        }
        let shape = |n: &usize| Self::shape(&self.activation, *n, Parametrisation::Mup);
        self.wider().iter().try_for_each(|n| trains(&shape(n), self.examples))
    }
}

/// Networks that take one step, for each that is trained.
const ONE_STEP_NETS: usize = 8;

/// Hidden layers.
const DEPTH: usize = 2;

/// The parametrisations beside each other, and the exponent of the best rate in each.
const ARMS: [(Parametrisation, f64); 2] =
    [(Parametrisation::Standard, -1.0), (Parametrisation::Mup, 0.0)];

/// What training and one step came to.
pub struct Found {
    /// By activation and parametrisation.
    sweeps: Vec<[Sweeps; 2]>,
    /// How far one step moves the outputs, by network and width: with the rates of muP and with one rate.
    moved: [Vec<Vec<f64>>; 2],
}

impl MupTransfer {
    fn shape(s: &Function, width: usize, parametrisation: Parametrisation) -> Shape {
        Shape {
            n_in: N_IN,
            widths: vec![width; DEPTH],
            activation: s.clone(),
            c_w: 1.5,
            parametrisation,
            ..Shape::default()
        }
    }

    /// Widths at which one step is taken, which costs little: there is less of one over the width in them.
    fn wider(&self) -> Vec<usize> {
        self.width.iter().map(|n| 4 * n).collect()
    }

    fn activations(&self) -> [&Function; 2] {
        [&self.activation, &self.beside]
    }

    fn rates(&self) -> Vec<f64> {
        let octaves = libm::log2(self.lr[1] / self.lr[0]);
        let count = libm::ceil(octaves * self.per_octave as f64) as usize;
        let at = |i: usize| self.lr[0] * libm::exp2(octaves * i as f64 / count as f64);
        (0..=count).map(at).collect()
    }

    fn table(&self, found: &Found) -> Result<Vec<String>, LabError> {
        let head = [
            "activation",
            "width",
            "best rate, standard",
            "std err of log2",
            "valleys",
            "best rate, muP",
            "std err of log2",
            "valleys",
        ];
        let mut rows = Vec::new();
        for (s, arms) in self.activations().iter().zip(&found.sweeps) {
            for (w, width) in self.width.iter().enumerate() {
                let mut row = vec![s.name().to_owned(), width.to_string()];
                for arm in arms {
                    let logs: Vec<f64> = arm.best.iter().map(|net| libm::log2(net[w])).collect();
                    let logs = Estimate::from_samples(&logs)?;
                    row.push(format!("{:.5}", libm::exp2(logs.mean())));
                    row.push(format!("{:.3}", logs.se()));
                    row.push(arm.valleys[w].to_string());
                }
                rows.push(row);
            }
        }
        // What is known of the kernel of the examples before any network is drawn.
        let layer = Layer::new(&self.activation, 1.5, 0.0);
        let condition = condition_words(&layer, self.examples, DEPTH)?;
        Ok([table(&head, rows), vec![condition]].concat())
    }
}

impl Experiment for MupTransfer {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Learning rates that transfer",
        lead: "In muP the best learning rate of a narrow network is that of a wide one; in the standard parametrisation it falls as one over the width.",
        caption: figure::CAPTION,
        formulas: &[
            r"\text{muP}:\quad W^{(L+1)}\sim N(0,C_w/n^2),\qquad\gamma^{(1)},\gamma^{(l)},\gamma^{(L+1)}=\gamma n,\ \gamma,\ \gamma/n",
        ],
    };

    fn quick() -> Self {
        let (width, lr) = (vec![8, 16, 32, 64], vec![0.02, 16.0]);
        Self { width, nets: 32, steps: 10, lr, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        (self.nets * (4 * self.width.len() + 2 * ONE_STEP_NETS)) as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let mut sweeps = Vec::new();
        for s in self.activations() {
            let [standard, mup] = ARMS.map(|(arm, _)| Sweeps::new(self, s, arm, desk));
            sweeps.push([standard?, mup?]);
        }
        let all: Vec<u64> = (0..(ONE_STEP_NETS * self.nets) as u64).collect();
        let [by_layer, one_rate] = [false, true].map(|one_rate| {
            let step = |n: &usize, i: &u64| self.one_step(*n, *i, one_rate, desk);
            desk.fleet(&all, |i| self.width.iter().map(|n| step(n, i)).collect())
        });
        Ok(Found { sweeps, moved: [by_layer?, one_rate?] })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let mut arrays = Vec::new();
        for (s, arms) in self.activations().iter().zip(&found.sweeps) {
            for (arm, (parametrisation, _)) in arms.iter().zip(&ARMS) {
                let name = |what: &str| format!("{what}_{}_{}", s.name(), parametrisation.word());
                arrays.push(Array::of_rows(name("best"), &arm.best));
                arrays.push(Array::of_rows(name("losses"), &arm.losses));
            }
        }
        let (claims, summary) = (claims::claims(self, found)?, self.table(found)?);
        let figures = vec![("mup-transfer", self.figure(found)?)];
        Ok(Shown { arrays, claims, figures, summary, ..Shown::default() })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<MupTransfer>(
    "mup-transfer",
    "the best learning rate against the width in the standard parametrisation and in muP",
    include_str!("mod.rs"),
);
