//! Probes: pure measurements of a network during training, one per file.

use crate::network::{Bias, Network, Units};
use fovea_core::params::{Kind, ParamError, ParamType, Range};
use fovea_core::{Value, registry, work};

mod correlate;
mod held_out;
mod invariance;
pub mod shapes;

pub use held_out::{Evaluation, Evaluator, Needs, held_out_loss};
pub use invariance::Change;

/// What a probe may use.
pub struct View<'a> {
    /// The network at this step.
    pub network: &'a Network,
    /// Its results on held-out samples; only those that some probe of the plan needs.
    pub held_out: &'a HeldOut,
    /// Its results on the training samples; again only those that are needed.
    pub on_training: &'a OnTraining,
}

/// Results of a network on its training samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OnTraining {
    /// The mean loss.
    pub loss: f64,
    /// Share of samples whose answer is nearest to their own label.
    pub accuracy: f64,
}

/// Results of a network on samples that are the same at every record: fresh ones, held-out rows, or, where none are held out,
/// the rows it trains on. [`Task::looked_at`](crate::Task::looked_at) says which.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOut {
    /// The mean loss.
    pub loss: f64,
    /// Share of samples whose answer is nearest to their own label.
    pub accuracy: f64,
    /// Excess kurtosis of each unit's preactivation, one per class.
    pub kurtosis: Vec<Vec<f64>>,
    /// For each unit, the share of samples on the same side of its gate as at the record before, and as at every record.
    pub same_gate: Vec<[f64; 2]>,
}

/// What one row of a reading belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// A hidden unit (a filter, where they are shared).
    Unit,
    /// An output.
    Output,
    /// All units together: there is one row.
    Network,
}

/// The numbers of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// A single number, with the name of the probe.
    One,
    /// Numbers with names of their own.
    Named(&'static [&'static str]),
    /// As many numbers as there are of these: sites, frequencies, classes.
    Per(&'static str),
}

/// A registered probe: a pure measurement, finite for every field whose squares are, zero fields included.
#[derive(Debug)]
pub struct Probe {
    /// The name in records and the shells.
    pub name: &'static str,
    /// One sentence with the formula.
    pub summary: &'static str,
    /// What a row belongs to.
    pub of: Of,
    /// The numbers of a row.
    pub columns: Columns,
    /// Changes of the fields that leave the reading unchanged; a test applies them.
    pub unmoved_by: &'static [Change],
    /// What it needs of samples.
    pub needs: Needs,
    /// Takes the reading.
    pub observe: fn(&View<'_>) -> Vec<Vec<f64>>,
}

impl Probe {
    /// A probe of one number per unit's field, to start a registry entry from.
    pub const fn of_units(
        name: &'static str,
        summary: &'static str,
        observe: fn(&View<'_>) -> Vec<Vec<f64>>,
    ) -> Self {
        let (of, columns, needs) = (Of::Unit, Columns::One, Needs::Weights);
        Self { name, summary, of, columns, unmoved_by: &[], needs, observe }
    }

    /// The numbers of a row with their names in a table: `ipr`, or `gabor.width`; none where there is one per site or the like.
    pub fn named<'a>(&self, row: &'a [f64]) -> impl Iterator<Item = (String, f64)> + use<'a> {
        let names: Vec<String> = match self.columns {
            Columns::One => vec![self.name.to_owned()],
            Columns::Named(columns) => {
                columns.iter().map(|column| format!("{}.{column}", self.name)).collect()
            }
            Columns::Per(_) => Vec::new(),
        };
        names.into_iter().zip(row.iter().copied())
    }

    /// Measures the rows of an array of weights, one field a row on a torus of this shape.
    ///
    /// # Errors
    /// The array does not fit the shape, or the probe needs more than weights.
    pub fn measure(&self, weights: &[f64], shape: &[usize]) -> Result<Vec<Vec<f64>>, ParamError> {
        if self.needs != Needs::Weights {
            let lacks = if self.needs == Needs::Network { "a whole network" } else { "samples" };
            return Err(ParamError::Inconsistent {
                what: format!("the probe {} needs {lacks}, not just weights", self.name),
                hint: "measure it in a training run: fovea train with these weights and steps = 0"
                    .to_owned(),
            });
        }
        let inputs: usize = shape.iter().product();
        if inputs == 0 || !weights.len().is_multiple_of(inputs) || weights.is_empty() {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "{} weights are not a whole number of fields of shape {shape:?}",
                    weights.len()
                ),
                hint: "give one row of weights per unit".to_owned(),
            });
        }
        let units = weights.len() / inputs;
        let relu = Units::Activation((&fovea_core::activation::relu::ENTRY).into());
        let network =
            Network::new(shape, units, relu, Bias::None).with(weights, &vec![0.0; units])?;
        let (held_out, on_training) = (&HeldOut::default(), &OnTraining::default());
        Ok((self.observe)(&View { network: &network, held_out, on_training }))
    }
}

registry! {
    "src/probe": Probe, beside correlate, held_out, invariance, shapes;
    accuracy,
    bias,
    centre,
    correlation_length,
    dominant_frequency,
    field_shape,
    gabor,
    gates,
    ipr,
    kurtosis,
    location_entropy,
    loss,
    norm,
    output_bias,
    pairing,
    population,
    readout,
    sharing,
    spectrum,
    tiling,
    training_accuracy,
    training_loss,
    uncertainty,
    weights,
}

/// The names of all probes.
pub const NAMES: &[&str] = &{
    let mut names = [""; ALL.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = ALL[i].name;
        i += 1;
    }
    names
};

/// Some probes, as a parameter: a word, or a list of them.
#[derive(Clone, Debug)]
pub struct Probes(pub Vec<&'static Probe>);

impl ParamType for Probes {
    const KIND: Kind = Kind::Words(NAMES);
    fn read(value: &Value) -> Option<Self> {
        let find = |value: &Value| {
            let Value::Text(name) = value else { return None };
            ALL.iter().find(|probe| probe.name == name.replace('_', "-")).copied()
        };
        match value {
            Value::List(items) => items.iter().map(find).collect::<Option<_>>().map(Self),
            one => find(one).map(|probe| Self(vec![probe])),
        }
    }
    /// Names the probe that does not exist.
    fn checked(key: &str, value: &Value, _: Range) -> Result<Self, ParamError> {
        let items = if let Value::List(items) = value { items.as_slice() } else { &[] };
        if items.len() > ALL.len() {
            return Err(ParamError::Inconsistent {
                what: format!("`{key}` names {} probes, and there are {}", items.len(), ALL.len()),
                hint: "name each probe once at most; `fovea list probes` has them all".to_owned(),
            });
        }
        let unknown = items.iter().find(|item| Self::read(item).is_none());
        if let Some(Value::Text(name)) = unknown {
            let (key, name, known) = (key.to_owned(), name.clone(), NAMES.to_vec());
            return Err(ParamError::UnknownItem { key, noun: "probe", name, known });
        }
        let read = Self::read(value).ok_or_else(|| ParamError::wrong_kind::<Self>(key, value))?;
        let named = |i: usize| read.0[..i].iter().any(|other| other.name == read.0[i].name);
        match (1..read.0.len()).find(|i| named(*i)) {
            None => Ok(read),
            Some(i) => Err(ParamError::Inconsistent {
                what: format!("`{key}` names {} twice", read.0[i].name),
                hint: "give each probe once".to_owned(),
            }),
        }
    }
    fn write(&self) -> Value {
        Value::List(self.0.iter().map(|probe| probe.name.into()).collect())
    }
    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// Applies a measurement of one weight vector to every unit.
fn per_unit(view: &View<'_>, measure: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let heard = |field: &[f64]| {
        work::poll();
        measure(field)
    };
    view.network.weights().chunks(view.network.inputs()).map(heard).collect()
}
