//! Do elliptical data ever localize a ReLU unit?
//!
//! Elliptical distributions can be as far from Gaussian as one likes, and still every one of them has the gated mean of Gaussian data with
//! another constant, `f(w) = c C w / sqrt(w'Cw)` (L000.11). So their flow is the Gaussian one in other units, which ends flat or in a wave
//! (L003.18). Units are trained on Student, Laplace, power-exponential and shell data from the same starts and compared with the closed flow
//! with the constant of each distribution; and on the nonlinear process of high gain, which is not elliptical and must localize. A trained
//! field off its flow, or as narrow as a dictator's, would falsify it.

use fovea_desk::cell::LEAST_IPR;
use fovea_desk::elliptical;
use fovea_desk::prelude::*;
use fovea_desk::two_class::{first_note_flow, scaled_at_records};
use fovea_theory::committee_flow::GAUSSIAN;
use fovea_theory::elliptical::Radial;

params! {
    /// Settings of `elliptical-never-localizes`.
    pub struct EllipticalNeverLocalizes {
        ..two: TwoClass { n = 40, between(2.0, 1024.0) };
        ..descent: Descent { lr = 0.1; batch = 16_000, between(2.0, 1e8); steps = 400 };
        /// Degrees of freedom of the Student distribution; the gradient needs a fourth moment.
        dof: f64 = 6.0, finite_above(4.0), "";
        /// Exponent of the power-exponential distribution.
        beta: f64 = 0.2, between(0.05, 1e3), "";
        /// Gain of the nonlinear process, the one that should localize.
        gain: f64 = 100.0, above(0.0), "";
        /// Steps between records.
        record_every: usize = 10, between(1.0, 1e9), "steps";
        /// Random starts, the same for every distribution.
        starts: usize = 24, between(2.0, 1e4), "starts";
        /// Factor on the Glorot variance 2/(n + 1) of a start.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
    }
}

impl Params for EllipticalNeverLocalizes {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        check_labels(Labels::Balanced, self.descent.batch)?;
        check_records(self.descent.steps, self.record_every, self.two.n * self.starts * 9)
    }
}

/// The data of an arm.
pub struct Data {
    /// The name in records.
    pub name: &'static str,
    /// The name for a reader, with its parameter.
    label: String,
    /// The distribution of the radius, where the data are elliptical.
    pub law: Option<Radial>,
}

impl EllipticalNeverLocalizes {
    /// The arms, the one that is not elliptical and should localize last.
    pub fn arms(&self) -> [Data; 5] {
        let Self { dof, beta, gain, .. } = *self;
        let [student, power, nlgp] = [dof, beta, gain].map(Value::Real);
        [
            ("student", format!("Student, {student} dof"), Some(Radial::Student { dof })),
            ("laplace", "Laplace".to_owned(), Some(Radial::Laplace)),
            ("power", format!("power, $\\beta$ = {power}"), Some(Radial::Power { beta })),
            ("shell", "shell".to_owned(), Some(Radial::Shell)),
            ("nlgp", format!("not elliptical: gain {nlgp}"), None),
        ]
        .map(|(name, label, law)| Data { name, label, law })
    }

    /// The record at which sizes are compared: the norm, which relaxes in a time of one, has settled, and the noise of SGD,
    /// whose square shortens the field, has not yet grown.
    fn sized_at(times: &[f64]) -> usize {
        times.iter().position(|t| *t >= SIZED).unwrap_or(times.len() - 1)
    }
}

/// What the figure shows, for a reader.
const CAPTION: &str = "(a) How localized the field is, mean over starts: elliptical data stay extended, on their way to a wave or a flat \
    field, on the closed flow of their distribution (black dashes), however heavy or light their tails; the nonlinear process of high gain \
    localizes. (b) The field of the first start at the end, for the distributions of the smallest and the largest constant, with their closed flows, \
    and for the nonlinear process; the peak of the localized field is cut off. (c) The size of the field over that of Gaussian data, at a time when its \
    norm has settled and the noise of SGD has not yet grown, with two standard errors. It is the ratio of the constants c, which is all that an elliptical distribution \
    changes; the line is theory.";

/// What its claims are called that are no clause of the catalogue.
const ID: &str = "elliptical-never-localizes";

/// When sizes are compared.
const SIZED: f64 = 5.0;

/// Fields, `[start][record]`.
type Fields = Vec<Vec<Vec<f64>>>;

/// All runs of one arm.
pub struct LawRuns {
    data: Data,
    fields: Fields,
    /// IPR at the end: its mean over the starts, with the standard error of its distance to the flow's where there is one.
    ipr: Estimate,
    /// What theory says of elliptical data.
    closed: Option<Closed>,
}

/// The closed flow on elliptical data, and the runs compared with it.
struct Closed {
    /// The constant over that of Gaussian data.
    factor: f64,
    fields: Fields,
    /// IPR at the end, mean over the starts: on the closed flow, and on the first note's.
    ipr: [f64; 2],
    /// How long the trained field is along the closed one when sizes are compared, in units of the Gaussian field.
    size: Estimate,
}

/// The last field from every start.
fn last(fields: &Fields) -> Vec<Vec<f64>> {
    fields.iter().map(|records| records[records.len() - 1].clone()).collect()
}

/// Mean IPR over the starts at every record.
fn mean_ipr(fields: &Fields) -> Vec<f64> {
    let mean = |r: usize| fields.iter().map(|f| ipr(&f[r])).sum::<f64>() / fields.len() as f64;
    (0..fields[0].len()).map(mean).collect()
}

impl LawRuns {
    fn new(
        settings: &EllipticalNeverLocalizes,
        data: Data,
        runs: &Group<'_>,
    ) -> Result<Self, LabError> {
        let fields = runs.fields();
        let at_end =
            |fields: &Fields| -> Vec<f64> { last(fields).iter().map(|w| ipr(w)).collect() };
        let own = at_end(&fields);
        let trained = Estimate::from_samples(&own)?;
        let Some(law) = data.law else {
            return Ok(Self { data, fields, ipr: trained, closed: None });
        };
        let Descent { lr, steps, .. } = settings.descent;
        let schedule = (lr, steps, settings.record_every);
        let flows = elliptical::flows(&settings.two, law, &fields, schedule)?;
        let factor = elliptical::factor(law, settings.two.n);
        let closed = at_end(&flows);
        let first_note = first_note_flow(&settings.two.gaussian_flow()?);
        let wrong = |run: &Vec<Vec<f64>>| scaled_at_records(&first_note, &run[0], factor, schedule);
        let wrong = at_end(&fields.iter().map(wrong).collect());
        let gaps: Vec<f64> = own.iter().zip(&closed).map(|(a, b)| a - b).collect();
        let gap = Estimate::from_samples(&gaps)?;
        let record = EllipticalNeverLocalizes::sized_at(&runs.times());
        // 1 where the two agree.
        let along = |(w, v): (&Vec<Vec<f64>>, &Vec<Vec<f64>>)| {
            dot(&w[record], &v[record]) / dot(&v[record], &v[record])
        };
        let along: Vec<f64> = fields.iter().zip(&flows).map(along).collect();
        let along = Estimate::from_samples(&along)?;
        let size = along.scaled_and_shifted(factor, 0.0)?;
        let ipr = Estimate::from_parts(trained.mean(), gap.se(), trained.count())?;
        let closed = Closed { factor, fields: flows, ipr: [mean(&closed), mean(&wrong)], size };
        Ok(Self { data, fields, ipr, closed: Some(closed) })
    }

    /// Final fields, and those of the flow.
    fn arrays(&self) -> impl Iterator<Item = Array> {
        let name = self.data.name;
        let flow = |closed: &Closed| Array::of_rows(format!("flow_{name}"), &last(&closed.fields));
        [Array::of_rows(format!("weights_{name}"), &last(&self.fields))]
            .into_iter()
            .chain(self.closed.as_ref().map(flow))
    }
}

/// The fields on every kind of data.
pub struct Found {
    times: Vec<f64>,
    laws: Vec<LawRuns>,
}

impl Experiment for EllipticalNeverLocalizes {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Elliptical data never localize",
        lead: "A ReLU unit trained on elliptical data of very different tails follows the flow of Gaussian data in units of one constant, and \
               stays extended; from the same starts the nonlinear process localizes it.",
        caption: CAPTION,
        formulas: &[
            r"f(w)=c\,\frac{C_{+}w}{\sqrt{w^\top C_{+}w}},\qquad c=\tfrac12E|X_1|,\qquad \dot w=\tfrac12f(w)-\tfrac14(C_{-}+C_{+})\,w",
        ],
    };

    fn quick() -> Self {
        let base = Self::default();
        let two = TwoClass { n: 16, xi_pos: 1.2, xi_neg: 0.6, ..base.two };
        Self { two, descent: Descent { batch: 1000, ..base.descent }, starts: 10, ..base }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let probes = &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY];
        let mut jobs = Vec::new();
        for (index, Data { name, law, .. }) in self.arms().into_iter().enumerate() {
            let task = match law {
                Some(law) => elliptical::spec(&self.two, law),
                None => self.two.spec(self.gain, Labels::Balanced),
            };
            for start in 0..self.starts {
                let weights = glorot(self.two.n, self.init_scale, &streams.replica(start as u64))?;
                // Samples of its own for every run, after the replicas that drew the starts.
                let streams = streams.replica((self.starts * (index + 1) + start) as u64);
                let plan = self.descent.plan(self.record_every, probes);
                let stage = self.descent.stage(&task, plan, streams);
                let start_at = Start::Given(one_unit(&weights)?);
                jobs.push(Job::new(format!("{name}-{start}"), start_at, stage).in_group(name));
            }
        }
        Ok(jobs)
    }

    fn measure(&self, runs: &Runs, _: &Desk<'_>) -> Result<Found, LabError> {
        let of = |data: Data| {
            let group = runs.group(data.name);
            LawRuns::new(self, data, &group)
        };
        let laws = self.arms().into_iter().map(of).collect::<Result<_, _>>()?;
        Ok(Found { times: runs.groups()[0].times(), laws })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let of = |runs: &LawRuns, of: fn(&Closed) -> f64| runs.closed.as_ref().map_or(f64::NAN, of);
        let table = Table::of("laws", &found.laws)
            .words("law", |runs| runs.data.name)
            .real("constant", 4, |runs| of(runs, |closed| closed.factor))
            .maybe("size", 4, |runs| runs.closed.as_ref().map(|closed| closed.size))
            .estimate("ipr", 4, |runs| runs.ipr)
            .real("flow_ipr", 4, |runs| of(runs, |closed| closed.ipr[0]))
            .caption(
                "The constant of each distribution over the Gaussian one, compared with the size of the field over that of Gaussian data \
                 once its norm has settled, and IPR at the end, mean over starts, compared with that of the closed flow.",
            );
        Ok(Shown {
            arrays: found.laws.iter().flat_map(LawRuns::arrays).collect(),
            claims: self.claims(&found.laws)?,
            figures: vec![("elliptical-never-localizes", self.figure(found))],
            tables: vec![table],
            ..Shown::default()
        })
    }
}

impl EllipticalNeverLocalizes {
    fn claims(&self, laws: &[LawRuns]) -> Result<Vec<Claim>, LabError> {
        let (mut sizes, mut ends) = (Vec::new(), Vec::new());
        for (runs, law) in laws.iter().filter_map(|runs| Some((runs, runs.closed.as_ref()?))) {
            sizes.push((law.size, [law.factor, 1.0]));
            ends.push((runs.ipr, law.ipr));
        }
        let size = told_apart(
            ID,
            "the size of the field, once its norm has settled, over that of Gaussian data is the constant of the distribution over the Gaussian one",
            "the Gaussian constant whatever the distribution",
            &sizes,
        )
        .only_as_stated();
        let end = self.descent.lr * self.descent.steps as f64;
        let [dof, beta, end] = [self.dof, self.beta, end].map(Value::Real);
        let statement = format!(
            "{}: mean IPR at t = {end} on Student ({dof} degrees of freedom), Laplace, power-exponential (exponent {beta}) and shell data is that of the closed flow of each, which does not localize",
            self.two.in_words()
        );
        let wrong = "the first note's flow, whose linear term is twice as large (L000.3)";
        let width = told_apart("L000.11/no-localization", statement, wrong, &ends);
        // Small steps, but for the noise of descent: still a prediction with its standard error.
        let width = Claim { as_stated: true, ..width };
        let others = laws.iter().filter(|runs| runs.closed.is_none()).map(|runs| {
            let statement =
                "the same starts localize on data that are not elliptical: IPR at the end";
            one_sided(ID, statement.to_owned(), runs.ipr, LEAST_IPR, true)
        });
        Ok([size, width].into_iter().chain(others).collect())
    }

    fn figure(&self, found: &Found) -> Figure {
        let subtitle = format!(
            "one ReLU unit, {}, {}, {} starts",
            self.two.in_words(),
            self.descent.in_words(),
            self.starts
        );
        let figure = Figure::new("Elliptical data never localize").subtitle(subtitle);
        let panels = [self.over_time(found), fields(&found.laws), sizes(found)];
        grid(figure.description(CAPTION), (2, 860.0, 0.7), panels)
    }

    fn over_time(&self, Found { times, laws }: &Found) -> Panel {
        let n = self.two.n as f64;
        let iprs = |fields: &Fields| xy(times, mean_ipr(fields));
        let trained = series(laws.iter().map(|runs| (&*runs.data.label, iprs(&runs.fields))));
        let closed = laws.iter().filter_map(|runs| runs.closed.as_ref());
        let closed = closed.map(|law| named("closed flow", Style::theory(), iprs(&law.fields)));
        let levels = [(1.0 / n, "flat, 1/n"), (1.5 / n, "wave, 1.5/n")]
            .map(|(at, label)| guide_at_y(at, label));
        let (title, y) = ("inverse participation ratio", Axis::new("IPR").log());
        let panel = lines(title, time_axis(), y, trained.into_iter().chain(closed));
        panel.with_all(levels).span(2).height(230.0)
    }
}

/// The fields of the smallest and the largest constant, and the one that localizes, which is cut off.
fn fields(laws: &[LawRuns]) -> Panel {
    let factor = |i: &usize| laws[*i].closed.as_ref().map_or(f64::INFINITY, |law| law.factor);
    let mut order: Vec<usize> = (0..laws.len()).collect();
    order.sort_by(|a, b| factor(a).total_cmp(&factor(b)));
    let shown = [order[0], order[order.len() - 2], order[order.len() - 1]];
    let trained = shown.map(|i| {
        let LawRuns { data, fields, .. } = &laws[i];
        named(&*data.label, Style::series(i), last(fields)[0].clone())
    });
    let closed =
        || shown.iter().filter_map(|i| Some(last(&laws[*i].closed.as_ref()?.fields)[0].clone()));
    let most = closed().map(|field| largest(&field)).fold(0.0, f64::max);
    let theory = closed().map(|field| named("closed flow", Style::theory(), field));
    let (title, weight) = ("field of the first start at the end", Axis::new("weight"));
    let panel = ring_fields(title, Sites::Numbered, weight.clone(), trained, theory);
    Panel { y: weight.range(-1.6 * most, 1.6 * most), ..panel }
}

fn sizes(Found { times, laws }: &Found) -> Panel {
    let at = times[EllipticalNeverLocalizes::sized_at(times)];
    let closed = || laws.iter().filter_map(|runs| Some((&*runs.data.label, runs.closed.as_ref()?)));
    let [low, high] = extent(&closed().map(|(_, law)| law.factor).chain([1.0]).collect::<Vec<_>>());
    let ends = [0.98 * low, 1.02 * high];
    let sizes = closed().map(|(label, Closed { factor, size, .. })| {
        (label, Compared::from(estimates(&[factor * GAUSSIAN], [size])))
    });
    let title = format!("size of the field at $t$ = {}", Value::Real(at));
    let x = Axis::new("constant $c$ of the distribution");
    let y = Axis::new("size over that of Gaussian data");
    arms_with_theory(title, x, y, series(sizes))
        .with(xy(&ends.map(|f| f * GAUSSIAN), ends).line("closed flow", Style::theory()))
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<EllipticalNeverLocalizes>(
    "elliptical-never-localizes",
    "ReLU units on Student, Laplace, power-exponential and shell data, compared with the closed flow of each",
    include_str!("elliptical_never_localizes.rs"),
);
