//! Published tables of final IPRs over a family of data: one ReLU unit trained at every parameter as the publication did, its numbers
//! compared with theirs line by line, and the amplifier's flow from the same starts.

use crate::prelude::*;
use crate::published::{self, Published};
use fovea_core::params::Schema;
use fovea_record::bound::one_sided;
use fovea_sim::probe::ipr::ipr;
use fovea_theory::site::Site;
use fovea_theory::{AmplifierFlow, UnitFlow};

params! {
    /// One bias-free ReLU unit at every parameter of a family of data, trained from many seeds; the defaults are those of lufkin2024,
    /// whose loss has no 1/2, so that its rate 0.1 is 0.2 here.
    pub struct Sweep {
        ..descent: Descent { lr = 0.2; batch = 5000; steps = 1000, between(2.0, 1e9) };
        /// Ring size: inputs of the network.
        n: usize = 40, between(4.0, 1024.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 0.7, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 0.3, finite_above(0.0), "sites";
        /// Seeds per gain or exponent.
        seeds: usize = 30, between(2.0, 1e4), "seeds";
        /// Factor on the Glorot variance 2/(n + 1) of the starts.
        init_scale: f64 = 0.001, between(1e-30, 1e30), "";
    }
}

impl Copy for Sweep {}

impl Sweep {
    /// The two classes.
    pub fn two(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: Kernel::Ring }
    }

    /// Whether training is the publication's, but for seeds, batch and number type.
    pub fn is_published(&self) -> bool {
        let (Descent { batch, precision, .. }, base) = (self.descent, Self::default());
        let descent = Descent { batch, precision, ..base.descent };
        Self { seeds: self.seeds, descent, ..base }.values() == self.values()
    }

    /// One parameter of the family, trained by this descent and recorded at these times.
    pub fn arm(&self, name: String, task: Arc<TaskSpec>, descent: Descent, times: Times) -> Arm {
        Arm {
            name,
            task,
            network: committee(1, &activation::relu::ENTRY, Bias::None, self.init_scale),
            pace: Pace::online(descent.lr, descent.batch),
            plan: descent.plan_at(times, &[&probe::ipr::ENTRY, &probe::weights::ENTRY]),
        }
    }

    /// Reads off the runs of one group after all steps, and lets the amplifier for this distribution of a site descend from their starts.
    ///
    /// # Errors
    /// Fewer than two runs, or the run was stopped.
    pub fn line(
        &self,
        desk: &Desk<'_>,
        (name, site, source): (String, Site, Option<Source>),
        group: &Group<'_>,
    ) -> Result<Line, LabError> {
        let Descent { lr, steps, .. } = self.descent;
        let iprs: Vec<f64> = fields_at(group, steps).into_iter().map(ipr).collect();
        let [pos, neg] = self.two().kernels()?;
        let flow = AmplifierFlow::from_latent(site, &pos.first_row, &neg.first_row);
        let flow_iprs = desk.fleet(&fields_at(group, 0), |start| {
            ipr(&flow.euler_map(start, lr, steps, |_, _| ()))
        })?;
        Ok(Line {
            name,
            group: group.name.clone(),
            kurtosis: site.excess_kurtosis(),
            source,
            trained: Spread::of(&iprs)?,
            flow: Spread::of(&flow_iprs)?,
            iprs,
            flow_iprs,
        })
    }

    /// The figure of a sweep; `per` says what has its own seeds, such as "per gain".
    pub fn figure(&self, title: &str, caption: &str, per: &str, panels: Vec<Panel>) -> Figure {
        let Self { n, seeds, descent: Descent { batch, steps, .. }, .. } = self;
        let [pos, neg, lr] = [self.xi_pos, self.xi_neg, self.descent.lr].map(Value::Real);
        let subtitle = format!(
            "n = {n}, correlation lengths {pos} (label 1) and {neg} (label 0), learning rate {lr}, batch {batch}, {steps} steps, {seeds} seeds {per}"
        );
        let figure = Figure::new(title).subtitle(subtitle).description(caption);
        grid(figure, (2, 720.0, 0.72), panels)
    }
}

/// What the publication has at one parameter.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Mean of the final IPR over runs.
    pub mean: f64,
    /// Its standard deviation over runs.
    pub sd: f64,
    /// Its median.
    pub median: f64,
    /// Runs.
    pub runs: usize,
    /// Mean of the amplifier's flow over a hundred starts, from another program.
    pub flow: Option<f64>,
}

/// Starts behind the other program's flow.
const FLOW_STARTS: usize = 100;
/// Half of the last digit to which that flow is printed.
const FLOW_DIGIT: f64 = 5e-5;

/// One parameter: trained fields, the flow from the same starts, and the publication.
#[derive(Clone, Debug)]
pub struct Line {
    /// The parameter in words, such as `gain 3`.
    pub name: String,
    /// The name of its runs.
    group: String,
    /// Excess kurtosis of a site, in closed form.
    pub kurtosis: f64,
    /// The publication's numbers, where it has some and the settings are its own.
    pub source: Option<Source>,
    /// Final IPR of every run.
    pub iprs: Vec<f64>,
    /// Their spread.
    pub trained: Spread,
    /// Final IPR of the amplifier's flow from every start.
    flow_iprs: Vec<f64>,
    /// Their spread.
    flow: Spread,
}

/// The field of one run after this many steps; none where the run ended before.
pub fn field_at(run: &Trained, steps: usize) -> Option<&[f64]> {
    let at = run.records().iter().position(|record| record.step == steps as u64)?;
    Some(&run.readings(&probe::weights::ENTRY)[at][0])
}

/// The fields of a group after this many steps, one per run that took them.
pub fn fields_at<'r>(group: &Group<'r>, steps: usize) -> Vec<&'r [f64]> {
    group.runs.iter().filter_map(|run| field_at(run, steps)).collect()
}

impl Line {
    /// The published mean compared with ours. The median stands next to ours in the table: its standard error depends on the distribution of
    /// single runs, which is far from normal where some have arrived and others not.
    fn published(&self) -> Result<Option<Published>, LabError> {
        let Some(Source { mean, sd, runs, .. }) = self.source else { return Ok(None) };
        let what = format!("mean IPR, {}", self.name);
        Published::mean(what, (mean, sd, runs), self.trained.mean).map(Some)
    }

    /// Run by run, training ends more localized than the amplifier's flow from the same start.
    fn outdoes_the_flow(&self, id: &'static str) -> Result<Claim, LabError> {
        let ratios: Vec<f64> = self.iprs.iter().zip(&self.flow_iprs).map(|(a, b)| a / b).collect();
        let statement = format!(
            "{}: from the same start training ends more localized than the amplifier's flow, IPR over IPR above 1",
            self.name
        );
        Ok(one_sided(id, statement, Estimate::from_samples(&ratios)?, 1.0, true))
    }

    /// IPRs of training and of the flow, run by run.
    pub fn array(&self) -> Array {
        let name = format!("ipr_{}", self.group);
        Array::of_rows(name, &[self.iprs.clone(), self.flow_iprs.clone()])
    }

    /// One of the publication's numbers; NaN where it has none.
    fn theirs(&self, of: impl Fn(&Source) -> Option<f64>) -> f64 {
        self.source.as_ref().and_then(of).unwrap_or(f64::NAN)
    }
}

/// Final IPRs of training compared with the publication's, and both flows: a row per parameter.
fn iprs(parameter: &str, x: &[f64], lines: &[Line]) -> Table {
    let rows: Vec<(f64, &Line)> = x.iter().copied().zip(lines).collect();
    let table = Table::of("iprs", &rows).given(parameter, |(x, _)| *x);
    let table = table.real("excess_kurtosis", 4, |(_, line)| line.kurtosis);
    Spread::columns(table, "ipr", |(_, line)| Some(&line.trained))
        .real("published_sd", 4, |(_, line)| line.theirs(|source| Some(source.sd)))
        .real("published_median", 4, |(_, line)| line.theirs(|source| Some(source.median)))
        .estimate("flow", 4, |(_, line)| line.flow.mean)
        .real("flow_sd", 4, |(_, line)| line.flow.sd)
        .real("published_flow", 4, |(_, line)| line.theirs(|source| source.flow))
        .caption(
            "Final IPR over the seeds, compared with the published deviation and median, and that of the amplifier's flow from the same starts, compared with \
             another program's; the excess kurtosis of a site is exact.",
        )
}

/// Our mean, with the other side's standard error in its own.
fn with_error(ours: Estimate, se: f64, runs: usize) -> Result<Estimate, LabError> {
    let theirs = Estimate::from_parts(0.0, se, runs)?;
    Ok(Estimate::combination(&[(1.0, ours), (1.0, theirs)])?)
}

/// Below this excess kurtosis the amplifier must end broader than training.
const CLEAR: f64 = -1.0;

/// Claims under this id, published numbers and the table of all lines by their parameter, with further published rows and further tables.
///
/// That means and flows agree is claimed, and that training outdoes the flow where the kurtosis is clear; a further row that does not
/// agree is left open.
///
/// # Errors
/// A spread is not finite, or fewer than two runs.
pub fn shown(
    id: &'static str,
    (parameter, x): (&str, &[f64]),
    lines: &[Line],
    further: Vec<Published>,
    tables: Vec<Table>,
) -> Result<Shown, LabError> {
    let published = lines.iter().map(Line::published).collect::<Result<Vec<_>, _>>()?;
    let mut claims: Vec<Claim> = further.iter().filter_map(|row| row.open(id)).collect();
    let rows = [published.into_iter().flatten().collect(), further].concat();
    claims.extend(means_agree(id, lines)?);
    claims.extend(flows_agree(id, lines)?);
    for line in lines.iter().filter(|line| line.kurtosis < CLEAR) {
        claims.push(line.outdoes_the_flow(id)?);
    }
    let own = vec![published::table(&rows), iprs(parameter, x, lines)];
    Ok(Shown { claims, tables: [own, tables].concat(), ..Shown::default() })
}

/// All means agree with the published ones in combined standard errors, and the neighbour's do not.
fn means_agree(id: &'static str, lines: &[Line]) -> Result<Option<Claim>, LabError> {
    let known: Vec<_> = lines.iter().filter_map(|line| Some((line, line.source?))).collect();
    if known.len() < 2 {
        return Ok(None);
    }
    let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
    for (i, (line, source)) in known.iter().enumerate() {
        let (_, neighbour) = if i + 1 < known.len() { known[i + 1] } else { known[i - 1] };
        let se = source.sd / (source.runs as f64).sqrt();
        let theirs = Estimate::from_parts(source.mean, se, source.runs)?;
        // Where single runs are far from normal, some arrived and others on their way, a few of ours say too little of their spread.
        let gap = line.trained.mean.difference_within_one_law(&theirs);
        let ours = gap.scaled_and_shifted(1.0, source.mean)?;
        pairs.push((ours, source.mean));
        wrong.push((ours, neighbour.mean));
    }
    let statement =
        "mean final IPR at every parameter is the published one, in combined standard errors";
    let claim = Claim::family(id, statement, &pairs);
    Ok(Some(claim.rejecting("the published mean at the neighbouring parameter", &wrong)))
}

/// The amplifier's flow ends where another program's does, on average over random starts.
fn flows_agree(id: &'static str, lines: &[Line]) -> Result<Option<Claim>, LabError> {
    let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
    for line in lines {
        let Some((source, flow)) = line.source.and_then(|s| Some((s, s.flow?))) else { continue };
        let se = libm::hypot(line.flow.sd / (FLOW_STARTS as f64).sqrt(), FLOW_DIGIT);
        let ours = with_error(line.flow.mean, se, FLOW_STARTS)?;
        pairs.push((ours, flow));
        wrong.push((ours, source.mean));
    }
    let statement = format!(
        "mean final IPR of the amplifier's flow is that of another program over {FLOW_STARTS} starts of its own"
    );
    Ok((!pairs.is_empty()).then(|| {
        Claim::family(id, statement, &pairs)
            .rejecting("the published mean of trained fields", &wrong)
    }))
}

/// The lines that have a source, each with its place.
pub fn sourced(x: &[f64], lines: &[Line]) -> Vec<(f64, Source)> {
    x.iter().zip(lines).filter_map(|(x, line)| line.source.map(|source| (*x, source))).collect()
}

/// Means and deviations at these places: the amplifier's flow, the publication, and ours.
pub fn marks(x: &[f64], lines: &[Line]) -> [Mark; 3] {
    let column = |of: fn(&Line) -> f64| -> Vec<f64> { lines.iter().map(of).collect() };
    let theirs: Vec<[f64; 3]> =
        sourced(x, lines).into_iter().map(|(x, source)| [x, source.mean, source.sd]).collect();
    let (flow, here) = (column(|l| l.flow.mean.mean()), column(|l| l.trained.mean.mean()));
    [
        Mark::line(x, &flow, "amplifier's flow", Style::theory()),
        published_mark(&theirs),
        Mark::measured(x, &here, &column(|line| line.trained.sd), "here", Style::series(0)),
    ]
}

/// Final IPRs at these places, mean and standard deviation over seeds: the publication's, ours, and the amplifier's flow.
pub fn means(title: &str, x: Axis, places: &[f64], lines: &[Line]) -> Panel {
    let y = Axis::new("final IPR").range(0.0, 1.05);
    Panel::new(title, x, y).with_all(marks(places, lines)).holding_all()
}

/// Published means with their deviations: place, mean and deviation.
pub fn published_mark(rows: &[[f64; 3]]) -> Mark {
    let [x, means, sds] =
        [0, 1, 2].map(|i: usize| rows.iter().map(|row| row[i]).collect::<Vec<_>>());
    let style = Style { size: 4.6, ..Style::series(1).hollow() };
    Mark::measured(&x, &means, &sds, "published", style)
}

/// A point per run: the final IPR of every run at its place.
pub fn every_run<'a>(
    places: impl IntoIterator<Item = (f64, &'a Vec<f64>)>,
    label: impl Into<String>,
    style: Style,
) -> Mark {
    let of = |(x, iprs): (f64, &'a Vec<f64>)| iprs.iter().map(move |ipr| (x, *ipr));
    let (x, iprs): (Vec<f64>, Vec<f64>) = places.into_iter().flat_map(of).unzip();
    Mark::points(&x, &iprs, label, style)
}
