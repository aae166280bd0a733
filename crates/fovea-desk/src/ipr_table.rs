//! Published tables of final IPRs over a family of data: their numbers beside ours, line by line, and the amplifier's flow from the
//! same starts.

use crate::desk::Desk;
use crate::error::LabError;
use crate::published::Published;
use crate::runs::Group;
use crate::spread::Spread;
use crate::two_class::TwoClass;
use fovea_core::stats::Estimate;
use fovea_page::figure::{Mark, Style};
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::{Trained, probe};
use fovea_theory::site::Site;
use fovea_theory::{AmplifierFlow, UnitFlow};

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
    /// Mean of the amplifier's flow over [`FLOW_STARTS`] starts, from another program.
    pub flow: Option<f64>,
}

/// Starts behind the other program's flow.
pub const FLOW_STARTS: usize = 100;
/// Half of the last digit to which that flow is printed.
const FLOW_DIGIT: f64 = 5e-5;

/// One parameter: trained fields, the flow from the same starts, and the publication.
#[derive(Clone, Debug)]
pub struct Line {
    /// The parameter in words, such as `gain 3`.
    pub name: String,
    /// Excess kurtosis of a site, in closed form.
    pub kurtosis: f64,
    /// The publication's numbers, where it has some and the settings are its own.
    pub source: Option<Source>,
    /// Final IPR of every run.
    pub iprs: Vec<f64>,
    /// Their spread.
    pub trained: Spread,
    /// Final IPR of the amplifier's flow from every start.
    pub flow_iprs: Vec<f64>,
    /// Their spread.
    pub flow: Spread,
}

/// The field of one run after so many steps; a run that did not come so far has none.
pub fn field_at(run: &Trained, steps: usize) -> Option<&[f64]> {
    let at = run.records().iter().position(|record| record.step == steps as u64)?;
    Some(&run.readings(&probe::weights::ENTRY)[at][0])
}

/// The fields of a group after so many steps, one per run that came so far.
pub fn fields_at<'r>(group: &Group<'r>, steps: usize) -> Vec<&'r [f64]> {
    group.runs.iter().filter_map(|run| field_at(run, steps)).collect()
}

/// Runs from which on a median is compared.
const MEDIAN_FROM: usize = 8;

impl Line {
    /// Reads off the runs of one group after `steps`, and lets the amplifier of this law of a site descend from their starts.
    ///
    /// # Errors
    /// Fewer than two runs, or the run was stopped.
    pub fn new(
        desk: &Desk<'_>,
        (name, site, source): (String, Site, Option<Source>),
        classes: &TwoClass,
        (group, lr, steps): (&Group<'_>, f64, usize),
    ) -> Result<Self, LabError> {
        let iprs: Vec<f64> = fields_at(group, steps).into_iter().map(ipr).collect();
        let [pos, neg] = classes.kernels()?;
        let flow = AmplifierFlow::from_latent(site, &pos.first_row, &neg.first_row);
        let flow_iprs = desk.fleet(&fields_at(group, 0), |start| {
            ipr(&flow.euler_map(start, lr, steps, |_, _| ()))
        })?;
        Ok(Self {
            name,
            kurtosis: site.excess_kurtosis(),
            source,
            trained: Spread::of(&iprs)?,
            flow: Spread::of(&flow_iprs)?,
            iprs,
            flow_iprs,
        })
    }

    /// Published mean and median beside ours; the mean alone where there are few runs.
    ///
    /// # Errors
    /// A spread is not finite.
    pub fn published(&self) -> Result<Vec<Published>, LabError> {
        let Some(source) = self.source else { return Ok(Vec::new()) };
        let mean = Published::mean(
            format!("mean IPR, {}", self.name),
            (source.mean, source.sd, source.runs),
            self.trained.mean,
        );
        // The median of a few runs is one of them, and single runs lie outside a standard deviation often.
        if self.iprs.len() < MEDIAN_FROM {
            return Ok(vec![mean]);
        }
        // The standard error of a median of normal numbers is sqrt(pi/2) that of their mean.
        let se = std::f64::consts::FRAC_PI_2.sqrt() * self.trained.mean.se();
        let median = Estimate::from_parts(self.trained.median(), se, self.iprs.len())?;
        let median = Published::range(
            format!("median IPR, {}", self.name),
            (source.median, source.sd),
            median,
        );
        Ok(vec![mean, median])
    }

    /// Run by run, training ends more localized than the amplifier's flow from the same start.
    fn outdoes_the_flow(&self) -> Result<Claim, LabError> {
        let ratios: Vec<f64> = self.iprs.iter().zip(&self.flow_iprs).map(|(a, b)| a / b).collect();
        let statement = format!(
            "{}: from the same start training ends more localized than the amplifier's flow, IPR over IPR above 1",
            self.name
        );
        Ok(one_sided("L000.38", statement, Estimate::from_samples(&ratios)?, 1.0, true))
    }

    /// IPRs of training and of the flow, run by run.
    pub fn array(&self, name: &str) -> Array {
        Array::of_rows(format!("ipr_{name}"), &[self.iprs.clone(), self.flow_iprs.clone()])
    }
}

/// Our mean, with the other side's standard error in its own.
fn with_error(ours: Estimate, se: f64, runs: usize) -> Result<Estimate, LabError> {
    let theirs = Estimate::from_parts(0.0, se, runs)?;
    Ok(Estimate::combination(&[(1.0, ours), (1.0, theirs)])?)
}

/// The lines that have a source, each with its neighbour's; nothing where fewer than two have one.
fn with_neighbour(lines: &[Line]) -> Vec<(&Line, Source, Source)> {
    let known: Vec<(&Line, Source)> =
        lines.iter().filter_map(|line| line.source.map(|source| (line, source))).collect();
    if known.len() < 2 {
        return Vec::new();
    }
    let next = |i: usize| if i + 1 < known.len() { i + 1 } else { i - 1 };
    known.iter().enumerate().map(|(i, (line, source))| (*line, *source, known[next(i)].1)).collect()
}

/// Below this excess kurtosis the amplifier must end broader than training.
const CLEAR: f64 = -1.0;

/// What is claimed of all lines together: means and flows agree, and training outdoes the flow where the kurtosis is clear.
///
/// # Errors
/// A spread is not finite, or fewer than two runs.
pub fn claims(lines: &[Line]) -> Result<Vec<Claim>, LabError> {
    let mut claims: Vec<Claim> =
        [means_agree(lines)?, flows_agree(lines)?].into_iter().flatten().collect();
    for line in lines.iter().filter(|line| line.kurtosis < CLEAR) {
        claims.push(line.outdoes_the_flow()?);
    }
    Ok(claims)
}

/// All means agree with the published ones in combined standard errors, and the neighbour's do not.
fn means_agree(lines: &[Line]) -> Result<Option<Claim>, LabError> {
    let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
    for (line, source, neighbour) in with_neighbour(lines) {
        let se = source.sd / (source.runs as f64).sqrt();
        let ours = with_error(line.trained.mean, se, source.runs)?;
        pairs.push((ours, source.mean));
        wrong.push((ours, neighbour.mean));
    }
    let statement =
        "mean final IPR at every parameter is the published one, in combined standard errors";
    Ok((!pairs.is_empty()).then(|| {
        Claim::family("published", statement, &pairs)
            .rejecting("the published mean at the neighbouring parameter", &wrong)
    }))
}

/// The amplifier's flow ends where another program's does, on average over random starts.
fn flows_agree(lines: &[Line]) -> Result<Option<Claim>, LabError> {
    let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
    for line in lines {
        let Some((source, flow)) = line.source.and_then(|source| Some((source, source.flow?)))
        else {
            continue;
        };
        let se = libm::hypot(line.flow.sd / (FLOW_STARTS as f64).sqrt(), FLOW_DIGIT);
        let ours = with_error(line.flow.mean, se, FLOW_STARTS)?;
        pairs.push((ours, flow));
        wrong.push((ours, source.mean));
    }
    let statement = format!(
        "mean final IPR of the amplifier's flow is that of another program over {FLOW_STARTS} starts of its own"
    );
    Ok((!pairs.is_empty()).then(|| {
        Claim::family("parity", statement, &pairs)
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
    let theirs = sourced(x, lines);
    let their = |of: fn(&(f64, Source)) -> f64| -> Vec<f64> { theirs.iter().map(of).collect() };
    let (flow, here) = (column(|line| line.flow.mean.mean()), column(|l| l.trained.mean.mean()));
    let published = Style { size: 4.6, ..Style::series(1).hollow() };
    [
        Mark::line(x, &flow, "amplifier's flow", Style::theory()),
        Mark::measured(
            &their(|row| row.0),
            &their(|row| row.1.mean),
            &their(|row| row.1.sd),
            "published",
            published,
        ),
        Mark::measured(x, &here, &column(|line| line.trained.sd), "here", Style::series(0)),
    ]
}

/// A line a parameter: kurtosis, quantiles and spread of training beside the publication's, and both flows.
pub fn table(lines: &[Line]) -> Vec<String> {
    let mut out = vec![format!(
        "{:>11} {:>9} {:>7} {:>7} {:>31} {:>8} {:>8} {:>15} {:>8}",
        "",
        "kurtosis",
        "sd",
        "publ.",
        "min/quarter/median/quarter/max",
        "publ.",
        "flow",
        "sd of the flow",
        "publ."
    )];
    let or_dash = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{x:.4}"));
    for line in lines {
        let q = line.trained.quantiles;
        let quantiles: Vec<String> =
            [0, 2, 3, 4, 6].map(|i: usize| format!("{:.3}", q[i])).to_vec();
        out.push(format!(
            "{:>11} {:>9.4} {:>7.4} {:>7} {:>31} {:>8} {:>8.4} {:>15.4} {:>8}",
            line.name,
            line.kurtosis,
            line.trained.sd,
            or_dash(line.source.map(|s| s.sd)),
            quantiles.join(" / "),
            or_dash(line.source.map(|s| s.median)),
            line.flow.mean.mean(),
            line.flow.sd,
            or_dash(line.source.and_then(|s| s.flow))
        ));
    }
    out
}
