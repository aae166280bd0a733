//! What is the loss before training, and how does it depend on the gain?
//!
//! The third note asks for the loss at the start (L002.20, L002.21), finds that of a ReLU falling with the gain and leaves both lines
//! unfinished. Averaged over normal weights the loss depends on the data through the norm of a sample alone: of a ReLU
//! through its mean, `4 L = 1 - sqrt(2/pi) s_w E|X_pos| + ...`, of erf through the mean of `asin(v/(1+v))` at `v = s_w^2 |X|^2`. Gaussian fields and
//! signs have closed forms; between them the norm is measured. A mean loss of random networks off these numbers, at any
//! gain or width, would falsify them.

pub mod measure;

use fovea_desk::prelude::*;
use fovea_sim::init::Initializer;
use fovea_sim::init::lecun::LeCun;
use fovea_sim::train::held_out_loss;
use measure::{ACTS, Act, AtGain, Theory, end_of};

params! {
    /// Settings of `starting-loss`.
    pub struct StartingLoss {
        ..two: TwoClass { n = 40, between(2.0, 1024.0) };
        /// Gains, from Gaussian (towards 0) to binary (`inf`).
        gain: Vec<f64> = vec![0.01, 0.3, 1.0, 3.0, 10.0, f64::INFINITY], above(0.0), "";
        /// Hidden units, the K of the notes.
        width: Vec<usize> = vec![1, 12], between(1.0, 1024.0), "units";
        /// Variance of a weight, times n.
        init_scale: f64 = 1.0, between(1e-6, 1e6), "";
        /// Starts, the same at every gain.
        inits: usize = 32_768, between(2.0, 1e7), "starts";
        /// Samples on which the loss of each start is measured, half of each class.
        samples: usize = 256, between(2.0, 1e7), "samples";
        /// Samples of each class whose norms are measured.
        norms: usize = 200_000, between(2.0, 1e9), "samples";
        /// Number type of sampling and of the networks.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for StartingLoss {
    fn check(&self) -> Result<(), ParamError> {
        check_gains(&self.gain)?;
        self.two.kernels()?;
        if self.samples.is_multiple_of(2) {
            return Ok(());
        }
        let what = format!("`samples` is {}, and half of them are of each class", self.samples);
        refuse(what, format!("choose samples={}", self.samples + 1))
    }
}

/// Closed forms, and what was measured at every gain.
pub struct Found {
    theory: Theory,
    gains: Vec<AtGain>,
}

impl Experiment for StartingLoss {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "The loss before training",
        lead: "Networks with random weights, before any training. The loss of a ReLU falls as the data become binary and that of \
               erf rises a little, both because the norm of a sample varies less and less.",
        caption: CAPTION,
        formulas: &[
            r"4E_wL=1-\sqrt{\tfrac2\pi}\,s_wE\|X_{+}\|+2ns_w^2\Big(\frac1{2K}+\frac{K-1}{2\pi K}\Big)\quad\text{(ReLU)}",
            r"E_wL=\tfrac12+\frac1{4K}\sum_cE_c\,\tfrac2\pi\arcsin\frac{s_w^2\|X\|^2}{1+s_w^2\|X\|^2}\quad\text{(erf)}",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        Self {
            two: TwoClass { n: 12, xi_pos: 1.5, xi_neg: 0.8, ..base.two },
            gain: vec![0.01, 1.0, f64::INFINITY],
            inits: 8192,
            samples: 64,
            norms: 40_000,
            width: vec![1, 4],
            ..base
        }
    }

    fn dtype(&self) -> Option<&'static str> {
        Some(self.precision.word())
    }

    /// The starts and the latent fields are the same at every gain.
    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let mut tasks = Vec::new();
        for gain in &self.gain {
            for act in ACTS {
                tasks.push((act.entry(), self.task(*gain, act)?));
            }
        }
        let rule = LeCun { init_scale: self.init_scale };
        let starts: Vec<u64> = (0..self.inits as u64).collect();
        let held_out = match self.precision {
            Precision::Single => held_out_loss::<f32>,
            Precision::Double => held_out_loss::<f64>,
        };
        // losses[start][gain][act][width], one after the other.
        let losses = desk.try_fleet(&starts, |start| -> Result<Vec<f64>, ParamError> {
            let (streams, mut losses) = (desk.streams().replica(*start), Vec::new());
            for (act, task) in &tasks {
                for width in &self.width {
                    let weights = rule.start(&[self.two.n], *width, &streams)?.weights;
                    let network = Network::committee(self.two.n, *width, *act, Bias::None)
                        .with(&weights, &vec![0.0; *width])?;
                    let cost = &loss::mse::ENTRY;
                    losses.push(held_out(task, &network, cost, &streams, self.samples));
                }
            }
            Ok(losses)
        })?;
        let (means, widths) = (columns(&losses)?, self.width.len());
        let mut gains = Vec::new();
        for (g, gain) in self.gain.iter().enumerate() {
            let loss = ACTS.map(|act| means[(2 * g + act as usize) * widths..][..widths].to_vec());
            let fields = self.fields(&tasks[2 * g].1, &desk.streams())?;
            gains.push(AtGain { gain: *gain, loss, fields });
        }
        Ok(Found { theory: Theory::new(self)?, gains })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: found.arrays(),
            claims: self.claims(found)?,
            figures: vec![("starting-loss", self.figure(found))],
            tables: self.tables(found),
            ..Shown::default()
        })
    }
}

impl Found {
    /// Mean and standard error of every loss, one row per gain and one column per width.
    fn arrays(&self) -> Vec<Array> {
        let norms: Vec<f64> = self.gains.iter().map(|at| at.fields.norm_pos.mean()).collect();
        let mut arrays = vec![Array::of_entries("norm_pos", &norms)];
        for act in ACTS {
            for (what, part) in
                [("loss", Estimate::mean as fn(&_) -> _), ("standard_error", Estimate::se)]
            {
                let row = |at: &AtGain| at.loss[act as usize].iter().map(part).collect();
                let rows: Vec<Vec<f64>> = self.gains.iter().map(row).collect();
                arrays.push(Array::of_rows(format!("{what}_{}", act.entry().name), &rows));
            }
        }
        arrays
    }
}

/// The id of its claims: means over other starts and widths than those of the clauses of L002.20 and L002.21.
const ID: &str = "starting-loss";

/// What the figure shows, for a reader.
const CAPTION: &str = "Loss of networks with random weights, before any training, against the gain of the data. Points: mean over starts \
    with two standard errors; all gains share the starts, so that the points of a panel move together. Diamonds: closed forms for Gaussian fields (gain towards 0) and signs (gain inf). Dashed: \
    second order in the spread of the squared norm, which is known at every gain. Last panel: the mean norm of a sample, the only thing in \
    the loss of a ReLU that depends on the gain; it grows to the root of n because the norm of signs does not vary.";

impl StartingLoss {
    /// The ends of the gain compared with their closed forms, and every gain with the formula at the norms it has.
    fn claims(&self, Found { theory, gains }: &Found) -> Result<Vec<Claim>, LabError> {
        let mut claims = Vec::new();
        for act in ACTS {
            let kept = match act {
                Act::Relu => "the mean of |S| for that of its gated half",
                Act::Erf => "twice the output power of a unit",
            };
            let unit = act.word();
            let (mut ends, mut other) = (Vec::new(), Vec::new());
            let (mut between, mut wrong) = (Vec::new(), Vec::new());
            for at in gains {
                for (width, loss) in self.width.iter().zip(&at.loss[act as usize]) {
                    if let Some(end) = end_of(at.gain) {
                        let forms = theory.ends(act, *width);
                        ends.push((*loss, forms[end]));
                        other.push((*loss, forms[1 - end]));
                    }
                    let rest =
                        |factor| theory.without_fields((act, *width), *loss, &at.fields, factor);
                    between.push(rest(1.0)?);
                    wrong.push(rest(2.0)?);
                }
            }
            if !ends.is_empty() {
                let statement = format!(
                    "{unit}: the mean loss at random weights on Gaussian fields and on signs is the closed form's"
                );
                let fixed = "a loss that stays fixed: that of the other end of the gain";
                claims.push(Claim::family(ID, statement, &ends).rejecting(fixed, &other));
            }
            let statement = format!(
                "{unit}: at every gain and width the mean loss less what the norms of the fields put into it is a constant"
            );
            claims.push(Claim::family(ID, statement, &between).rejecting(kept, &wrong));
        }
        Ok(claims)
    }

    /// One row per activation, width and gain; and the norms of the fields, which all networks see.
    fn tables(&self, Found { theory, gains }: &Found) -> Vec<Table> {
        let mut rows = Vec::new();
        for act in ACTS {
            for (w, width) in self.width.iter().enumerate() {
                rows.extend(
                    gains.iter().map(|at| (act, *width, at.gain, at.loss[act as usize][w])),
                );
            }
        }
        let losses = Table::of("losses", &rows)
            .words("activation", |row| row.0.entry().name)
            .whole("units", |row| row.1)
            .given("gain", |row| row.2)
            .estimate("loss", 5, |row| row.3)
            .real("gaussian_fields", 5, |row| theory.ends(row.0, row.1)[0])
            .real("signs", 5, |row| theory.ends(row.0, row.1)[1])
            .caption(
                "Mean loss over starts, one row per activation, number of units and gain, compared with the closed forms of \
                 the two ends: Gaussian fields (gain towards 0) and signs (gain inf).",
            );
        let norms = Table::of("norms", gains)
            .given("gain", |at| at.gain)
            .estimate("norm", 4, |at| at.fields.norm_pos)
            .real("gaussian_fields", 4, |_| theory.gaussian.norm_pos)
            .real("signs", 4, |_| theory.signs.norm_pos)
            .caption(
                "Mean norm of a sample of class pos, one row per gain, compared with the closed forms of the two ends.",
            );
        vec![losses, norms]
    }

    /// Gains of the dashed line, from the smallest to the largest finite one.
    fn fine_gains(&self) -> Vec<f64> {
        let finite: Vec<f64> = self.gain.iter().copied().filter(|g| g.is_finite()).collect();
        let [low, high] = extent(&finite);
        if low >= high {
            return Vec::new();
        }
        let step = libm::log(high / low) / 60.0;
        (0..=60).map(|i| low * libm::exp(step * f64::from(i))).collect()
    }

    /// Measured points, the expansion, and the closed forms of the two ends, against the gain.
    fn panel(
        &self,
        (title, y): (String, &str),
        means: &[Estimate],
        expanded: &[f64],
        ends: [f64; 2],
    ) -> Panel {
        let (gain, places) = gains::log_axis(&self.gain);
        let closed = ends.into_iter().enumerate().filter_map(|(end, loss)| {
            let at = self.gain.iter().position(|gain| end_of(*gain) == Some(end))?;
            Some((places[at], loss))
        });
        let diamond = Style { size: 5.0, ..Style::series(3) }.hollow();
        let (means, expanded) = (estimates(&places, means), xy(&self.fine_gains(), expanded));
        let mut panel = measured_with_theory(title, gain, y, means, expanded);
        // Under the points, which they would hide.
        panel.marks.insert(0, closed.collect::<Xy>().points("closed form", diamond));
        panel
    }

    fn figure(&self, Found { theory, gains }: &Found) -> Figure {
        let Self { two: TwoClass { n, xi_pos, xi_neg, .. }, init_scale, inits, samples, .. } = self;
        let subtitle = format!(
            "n = {n}, correlation lengths {xi_pos} and {xi_neg}, weights of variance {init_scale}/n, {inits} starts of {samples} samples"
        );
        let expanded: Vec<_> = self.fine_gains().iter().map(|g| theory.expanded(*g)).collect();
        let mut panels = Vec::new();
        for (w, width) in self.width.iter().enumerate() {
            for act in ACTS {
                let units = if *width == 1 { "unit" } else { "units" };
                let label = act.entry().negative_label;
                let title = format!("{}, {width} {units}, labels 1 and {label}", act.word());
                let means: Vec<Estimate> =
                    gains.iter().map(|at| at.loss[act as usize][w]).collect();
                let line: Vec<f64> = expanded.iter().map(|f| theory.loss(act, *width, f)).collect();
                panels.push(self.panel((title, "loss"), &means, &line, theory.ends(act, *width)));
            }
        }
        let norms: Vec<Estimate> = gains.iter().map(|at| at.fields.norm_pos).collect();
        let line: Vec<f64> = expanded.iter().map(|f| f.norm_pos).collect();
        let ends = [theory.gaussian.norm_pos, theory.signs.norm_pos];
        let title = "norm of a sample of class pos".to_owned();
        panels.push(self.panel((title, "$E|X|$"), &norms, &line, ends).span(2).height(170.0));
        let title = "The loss before training falls with the gain for ReLU and rises for erf";
        let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
        grid(figure, (2, 820.0, 0.55), panels)
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<StartingLoss>(
    "starting-loss",
    "the loss of untrained networks against the gain, compared with closed forms for ReLU and erf",
    include_str!("mod.rs"),
);
