//! How localized does a unit end as its data go from Gaussian to binary, and are the published numbers ours?
//!
//! The sweep behind the figure of lufkin2024 that tests Claim 3.2: one bias-free ReLU unit on nonlinear Gaussian
//! processes of ten gains, thirty seeds each, and the IPR of the final field. Its loss has no 1/2, so its rate 0.1 is 0.2 here;
//! its pair of lengths (0.3, 0.7) is `xi_neg`, `xi_pos`. Every mean must be the published one, in combined standard errors, and be told apart
//! from that of the neighbouring gain. At infinite gain the mean field must be the dictator state of L000.39; the
//! amplifier's flow from the same starts must end broader wherever the kurtosis is clearly negative, since it is a theory of early times.

use fovea_desk::cell::{mirrored, peak};
use fovea_desk::ipr_table::{Line, Source, Sweep, means, shown, sourced};
use fovea_desk::prelude::*;
use fovea_desk::replicas::jackknife;
use fovea_theory::site::Site;

params! {
    /// Settings of `ipr-vs-gain`.
    pub struct IprVsGain {
        ..sweep: Sweep;
        /// Gains: the ten published ones, and binary data as their limit.
        gain: Vec<f64> = SOURCE.iter().map(|row| row.0).chain([f64::INFINITY]).collect(), above(0.0), "";
    }
}

/// The published table: gain; mean, deviation and median of the final IPR over thirty runs; the flow of another program.
const SOURCE: [(f64, Source); 10] = [
    (0.01, Source { mean: 0.0598, sd: 0.0168, median: 0.058, runs: 30, flow: Some(0.0548) }),
    (0.0278, Source { mean: 0.0609, sd: 0.0168, median: 0.059, runs: 30, flow: Some(0.0551) }),
    (0.0774, Source { mean: 0.0633, sd: 0.0199, median: 0.062, runs: 30, flow: Some(0.0570) }),
    (0.2154, Source { mean: 0.0899, sd: 0.0351, median: 0.086, runs: 30, flow: Some(0.0761) }),
    (0.5995, Source { mean: 0.7922, sd: 0.1293, median: 0.823, runs: 30, flow: Some(0.333) }),
    (1.668, Source { mean: 0.9736, sd: 0.0031, median: 0.974, runs: 30, flow: Some(0.8054) }),
    (4.642, Source { mean: 0.9871, sd: 0.0018, median: 0.987, runs: 30, flow: Some(0.9107) }),
    (12.92, Source { mean: 0.9898, sd: 0.0014, median: 0.990, runs: 30, flow: Some(0.9363) }),
    (35.94, Source { mean: 0.9907, sd: 0.0011, median: 0.991, runs: 30, flow: Some(0.9440) }),
    (100.0, Source { mean: 0.9910, sd: 0.0010, median: 0.991, runs: 30, flow: Some(0.9465) }),
];

impl Params for IprVsGain {
    fn check(&self) -> Result<(), ParamError> {
        self.sweep.two().kernels()?;
        check_gains(&self.gain)
    }
}

/// What its claims are called: none of them is a clause of the catalogue.
const ID: &str = "ipr-vs-gain";

/// Distances from the peak that are compared with the dictator state.
const REACH: usize = 3;

impl IprVsGain {
    /// The published numbers at a gain, where training is as the publication's.
    fn source(&self, gain: f64) -> Option<Source> {
        let batch = Sweep::default().descent.batch;
        let theirs = self.sweep.is_published() && self.sweep.descent.batch == batch;
        let row = SOURCE.iter().find(|row| (row.0 / gain - 1.0).abs() < 1e-9)?;
        theirs.then_some(row.1)
    }

    /// The limit of the sweep: the mean field near its peak is the dictator state of the signs' covariance, and not that of the latent
    /// field's; with it, the IPR of the mean field.
    fn limit(&self, binary: &Group<'_>) -> Result<(Claim, Table), LabError> {
        let (state, wrong) = (self.sweep.two().dictator()?, self.sweep.two().latent_dictator()?);
        // Every final field, turned so that its peak is positive and lies at site 0, and made even about it.
        let turned = |run: &&Trained| -> Vec<f64> {
            let (w, at) = (run.network().weights(), peak(run.network().weights()));
            let sign = 1.0_f64.copysign(w[at]);
            (0..w.len()).map(|d| sign * mirrored(w, at, d)).collect()
        };
        let fields: Vec<Vec<f64>> = binary.runs.iter().map(turned).collect();
        let (mut right, mut false_form) = (Vec::new(), Vec::new());
        for d in 0..=REACH.min(self.sweep.n / 2) {
            let measured = column(&fields, d)?;
            right.push((measured, state.w[d]));
            false_form.push((measured, wrong.w[d]));
        }
        let statement = "gain inf: mean field over the seeds, up to three sites from its peak, is the dictator state";
        let claim = Claim::family(ID, statement, &right)
            .rejecting("the dictator state of the latent covariance", &false_form)
            .only_as_stated();
        let table = Table::of("dictator", &[jackknife(&fields, ipr)?])
            .real("ipr", 4, |_| state.ipr)
            .estimate("ipr_of_the_mean_field", 4, |mean| *mean)
            .whole("seeds", |_| fields.len())
            .caption("The dictator state of infinite gain, and the mean field over the seeds there; single fields carry the noise of SGD and have a smaller IPR.");
        Ok((claim, table))
    }
}

impl Experiment for IprVsGain {
    type Found<'r> = Vec<Line>;

    const WORDS: Words<'static> = Words {
        title: "Final IPR against gain, compared with the published sweep",
        lead: "One ReLU unit on nonlinear Gaussian processes from Gaussian to binary data: the final fields are extended up to gain 0.2, localized \
               from 1.7 on, and end in the dictator state at infinite gain. The amplifier's flow from the same starts puts the change at the same gain and \
               ends broader.",
        caption: CAPTION,
        formulas: &[
            r"\mathrm{IPR}=\frac{\sum_iw_i^4}{(\sum_iw_i^2)^2},\qquad x=\frac{\mathrm{erf}(gz)}{\sqrt{Z(g)}},\quad Z=\tfrac2\pi\arcsin\frac{2g^2}{1+2g^2}",
            r"\dot w=\tfrac14\big[\varphi(a)-(C_{+}+C_{-})w\big],\quad\varphi(a)=\mathbb E\Big[X\,\mathrm{erf}\frac{aX}{\sqrt{2(1-a^2)}}\Big],\quad a=\frac{C_{+}w}{\sqrt{w^\top C_{+}w}}",
            r"g=\infty:\qquad w^{*}=(C_{-}+C_{+})^{-1}C_{+}e_i",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        let gain = vec![0.01, 1.668, f64::INFINITY];
        Self { gain, sweep: Sweep { seeds: 4, ..base.sweep } }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let Sweep { descent, seeds, .. } = self.sweep;
        let of = |gain: &f64| {
            let task = self.sweep.two().spec(*gain, Labels::Iid);
            let times = Times::Every(descent.steps as u64);
            let arm = self.sweep.arm(gains::name(*gain), task, descent, times);
            arm.jobs(streams.part(&arm.name), seeds)
        };
        Ok(self.gain.iter().flat_map(of).collect())
    }

    fn parts(&self) -> u64 {
        (self.gain.len() * self.sweep.seeds) as u64
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Vec<Line>, LabError> {
        let line = |gain: &f64| {
            let words = format!("gain {}", Value::Real(*gain));
            let data = (words, Site::Nlgp { gain: *gain }, self.source(*gain));
            self.sweep.line(desk, data, &runs.group(&gains::name(*gain)))
        };
        self.gain.iter().map(line).collect()
    }

    fn show(&self, runs: &Runs, lines: &Vec<Line>) -> Result<Shown, LabError> {
        let exists = self.sweep.two().dictator()?.exists;
        let binary = self.gain.iter().find(|gain| gain.is_infinite() && exists);
        let limit = binary.map(|gain| self.limit(&runs.group(&gains::name(*gain)))).transpose()?;
        let (claim, tables): (Vec<Claim>, Vec<Table>) = limit.into_iter().unzip();
        let mut shown = shown(ID, ("gain", &self.gain), lines, Vec::new(), tables)?;
        shown.claims.extend(claim);
        shown.arrays = runs.weights();
        shown.arrays.extend(lines.iter().map(Line::array));
        shown.figures = vec![("ipr-vs-gain", self.figure(lines)?)];
        Ok(shown)
    }
}

const CAPTION: &str = "(a) Final IPR of one ReLU unit against the gain of its data: mean and standard deviation over seeds, here and as published, \
    and the amplifier's flow from our starts (dashed, mean). The dotted line is the dictator state of infinite gain. (b) The same against the exact excess kurtosis \
    of a site. (c) Every run, and the published medians. (d) Our means less the published ones, in published standard deviations of a \
    single run, with two combined standard errors.";

impl IprVsGain {
    /// IPR against gain and against kurtosis, single runs, and distances from the published means.
    fn figure(&self, all: &[Line]) -> Result<Figure, LabError> {
        let (gain, places) = gains::log_axis(&self.gain);
        let kurtoses: Vec<f64> = all.iter().map(|line| line.kurtosis).collect();
        let kurtosis = Axis::new("excess kurtosis of a site");
        let state = self.sweep.two().dictator()?;
        let level = || state.exists.then(|| guide_at_y(state.ipr, ""));
        let mut panels = vec![
            means("against gain", gain.clone(), &places, all).with_all(level()),
            means("against kurtosis", kurtosis, &kurtoses, all).with_all(level()),
            runs(&places, all, gain.clone()),
        ];
        let compared = all.iter().any(|line| line.source.is_some());
        panels.extend(compared.then(|| distances(&places, all, gain)));
        let title = "Fields localize as the data become binary, as published";
        Ok(self.sweep.figure(title, CAPTION, "per gain", panels))
    }
}

fn runs(places: &[f64], all: &[Line], gain: Axis) -> Panel {
    let of = |(x, line): (&f64, &Line)| line.iprs.iter().map(|y| (*x, *y)).collect::<Vec<_>>();
    let every = named("one run", Style::series(0), places.iter().zip(all).flat_map(of).collect());
    let medians: Xy = sourced(places, all).into_iter().map(|(x, at)| (x, at.median)).collect();
    let cross = Style { marker: Marker::Cross, size: 5.0, ..Style::series(1) };
    let medians = named("published median", cross, medians);
    scatter("every run", gain, Axis::new("final IPR").log(), [every, medians])
}

fn distances(places: &[f64], all: &[Line], gain: Axis) -> Panel {
    let of = |(x, line): (&f64, &Line)| {
        let (ours, theirs) = (line.trained.mean, line.source?);
        let se = libm::hypot(ours.se(), theirs.sd / (theirs.runs as f64).sqrt());
        Some((*x, (ours.mean() - theirs.mean) / theirs.sd, 2.0 * se / theirs.sd))
    };
    let gaps = unnamed(Style::series(0), places.iter().zip(all).filter_map(of).collect());
    let y = Axis::new("(here \u{2212} published) / published sd");
    about_zero("from the published mean", gain, y, 1.0, [gaps])
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<IprVsGain>(
    "ipr-vs-gain",
    "the published sweep of the final IPR over ten gains and thirty seeds, compared with the amplifier's flow and the dictator state",
    include_str!("ipr_vs_gain.rs"),
);
