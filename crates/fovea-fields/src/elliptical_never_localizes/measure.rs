//! One law of the data: its runs from every start, and the closed flow of each.

use super::EllipticalNeverLocalizes;
use fovea_desk::prelude::*;
use fovea_desk::two_class::scaled_at_records;
use fovea_sim::lattice::Lattice;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::stimulus::elliptical::{Elliptical, Radius};
use fovea_theory::GaussianFlow;
use fovea_theory::committee_flow::GAUSSIAN;
use fovea_theory::elliptical::Radial;
use fovea_theory::elliptical::half_mean_abs::half_mean_abs;

/// The data of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// Elliptical, with this radius.
    Elliptical(Radial),
    /// The nonlinear process, which is not elliptical.
    Nlgp,
}

/// The arms, the one that should localize last.
pub fn laws(settings: &EllipticalNeverLocalizes) -> Vec<Law> {
    let radii = [
        Radial::Student { dof: settings.dof },
        Radial::Laplace,
        Radial::Power { beta: settings.beta },
        Radial::Shell,
    ];
    radii.into_iter().map(Law::Elliptical).chain([Law::Nlgp]).collect()
}

impl Law {
    /// The radius, where the law is elliptical.
    fn radius(self) -> Option<Radius> {
        let Self::Elliptical(law) = self else { return None };
        Some(match law {
            Radial::Student { .. } => Radius::Student,
            Radial::Laplace => Radius::Laplace,
            Radial::Shell => Radius::Shell,
            Radial::Ball => Radius::Ball,
            Radial::Power { .. } => Radius::Power,
            Radial::HalfLogistic => Radius::HalfLogistic,
        })
    }

    /// The name in records.
    pub fn name(self) -> &'static str {
        self.radius().map_or("nlgp", Radius::word)
    }

    /// The name for a reader, with its parameter.
    pub(super) fn label(self, settings: &EllipticalNeverLocalizes) -> String {
        match self {
            Self::Elliptical(Radial::Student { dof }) => {
                format!("Student, {} dof", Value::Real(dof))
            }
            Self::Elliptical(Radial::Laplace) => "Laplace".to_owned(),
            Self::Elliptical(Radial::Power { beta }) => {
                format!("power, $\\beta$ = {}", Value::Real(beta))
            }
            Self::Elliptical(_) => self.name().to_owned(),
            Self::Nlgp => format!("not elliptical: gain {}", Value::Real(settings.gain)),
        }
    }

    /// The task: two classes of this law.
    pub(super) fn task(self, settings: &EllipticalNeverLocalizes) -> Arc<TaskSpec> {
        let two = settings.two_class();
        let Some(radius) = self.radius() else {
            return two.spec(settings.gain, Labels::Balanced);
        };
        let class = |xi: f64| {
            let lattice = Lattice::ring(two.n, xi, two.kernel);
            let (dof, beta) = (settings.dof, settings.beta);
            let law = Elliptical { lattice, radius, dof, beta, ..Elliptical::default() };
            Item::of("elliptical", &law)
        };
        Arc::new(TaskSpec::pair(class(two.xi_pos), class(two.xi_neg), 0.0, Labels::Balanced))
    }

    /// The constant of the gated mean over that of Gaussian data, where the law is elliptical.
    pub fn factor(self, n: usize) -> Option<f64> {
        match self {
            Self::Elliptical(law) => Some(half_mean_abs(law, n) / GAUSSIAN),
            Self::Nlgp => None,
        }
    }
}

/// All runs of one law.
pub(super) struct LawRuns {
    pub(super) law: Law,
    /// Field of every start at every record.
    pub(super) fields: Vec<Vec<Vec<f64>>>,
    /// The same of the closed flow; none where there is none.
    pub(super) flow: Option<Vec<Vec<Vec<f64>>>>,
}

impl LawRuns {
    pub(super) fn new(
        settings: &EllipticalNeverLocalizes,
        law: Law,
        flow: &GaussianFlow,
        starts: &[Vec<f64>],
        runs: &Group<'_>,
    ) -> Self {
        let fields = |run: &&Trained| -> Vec<Vec<f64>> {
            run.readings(&probe::weights::ENTRY).iter().map(|units| units[0].clone()).collect()
        };
        let schedule = (settings.lr, settings.steps, settings.record_every);
        let flow = law.factor(settings.n).map(|factor| {
            starts.iter().map(|start| scaled_at_records(flow, start, factor, schedule)).collect()
        });
        Self { law, fields: runs.runs.iter().map(fields).collect(), flow }
    }

    /// Mean IPR over the starts at every record, of the runs or of the flow.
    pub(super) fn mean_ipr(fields: &[Vec<Vec<f64>>]) -> Vec<f64> {
        let records = fields.iter().map(Vec::len).min().unwrap_or(0);
        let mean = |r: usize| fields.iter().map(|f| ipr(&f[r])).sum::<f64>() / fields.len() as f64;
        (0..records).map(mean).collect()
    }

    /// How long the trained field is along the closed one at a record, start by start: 1 where they agree.
    pub(super) fn length_along(&self, record: usize) -> Result<Option<Estimate>, LabError> {
        let Some(flow) = &self.flow else { return Ok(None) };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let along = |(w, v): (&Vec<Vec<f64>>, &Vec<Vec<f64>>)| {
            dot(&w[record], &v[record]) / dot(&v[record], &v[record])
        };
        let samples: Vec<f64> = self.fields.iter().zip(flow).map(along).collect();
        Ok(Some(Estimate::from_samples(&samples)?))
    }

    /// IPR at the end: its mean over the starts, with the standard error of its distance to the flow's, and the flow's.
    pub(super) fn ipr_at_end(&self) -> Result<(Estimate, Option<f64>), LabError> {
        let last = |fields: &[Vec<Vec<f64>>]| -> Vec<f64> {
            fields.iter().map(|records| ipr(&records[records.len() - 1])).collect()
        };
        let trained = last(&self.fields);
        let own = Estimate::from_samples(&trained)?;
        let Some(flow) = &self.flow else { return Ok((own, None)) };
        let closed = last(flow);
        let gaps: Vec<f64> = trained.iter().zip(&closed).map(|(a, b)| a - b).collect();
        let gap = Estimate::from_samples(&gaps)?;
        let mean = closed.iter().sum::<f64>() / closed.len() as f64;
        Ok((Estimate::from_parts(own.mean(), gap.se(), own.count())?, Some(mean)))
    }
    /// Final fields, and those of the flow.
    pub(super) fn arrays(&self) -> impl Iterator<Item = Array> {
        let last = |fields: &[Vec<Vec<f64>>]| -> Vec<Vec<f64>> {
            fields.iter().map(|records| records.last().cloned().unwrap_or_default()).collect()
        };
        let name = self.law.name();
        let flow =
            self.flow.as_ref().map(|flow| Array::of_rows(format!("flow_{name}"), &last(flow)));
        [Array::of_rows(format!("weights_{name}"), &last(&self.fields))].into_iter().chain(flow)
    }
}
