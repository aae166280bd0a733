//! Probes: pure measurements of a network during training, one a file.

use crate::network::Network;
use fovea_core::params::{Kind, ParamError, ParamType, Range};
use fovea_core::{Value, registry};

/// What a probe may look at.
pub struct View<'a> {
    /// The network at this step.
    pub network: &'a Network,
    /// Its loss on a held-out set that is the same at every record.
    pub loss: f64,
}

/// A registered probe; a reading is one row of numbers a unit, or a single row for the whole network.
#[derive(Debug)]
pub struct Probe {
    /// The name in records and the shells.
    pub name: &'static str,
    /// One sentence with the formula.
    pub summary: &'static str,
    /// Takes the reading.
    pub observe: fn(&View<'_>) -> Vec<Vec<f64>>,
}

registry! { "src/probe": Probe; bias, ipr, loss, norm, output_bias, readout, spectrum, weights }

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
    /// Names the probe that is not there.
    fn checked(key: &str, value: &Value, _: Range) -> Result<Self, ParamError> {
        let items = if let Value::List(items) = value { items.as_slice() } else { &[] };
        let unknown = items.iter().find(|item| Self::read(item).is_none());
        if let Some(Value::Text(name)) = unknown {
            let (key, name, known) = (key.to_owned(), name.clone(), NAMES.to_vec());
            return Err(ParamError::UnknownItem { key, noun: "probe", name, known });
        }
        Self::read(value).ok_or_else(|| ParamError::wrong_kind::<Self>(key, value))
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
    view.network.weights().chunks(view.network.inputs()).map(measure).collect()
}

#[cfg(test)]
mod laws {
    use super::*;
    use crate::network::Bias;
    use fovea_core::activation;

    fn read(probe: &Probe, w: &[f64]) -> Vec<Vec<f64>> {
        let network = Network::committee(w.len(), 1, &activation::relu::ENTRY, Bias::None);
        let network = network.with(w, &[0.0]).unwrap();
        (probe.observe)(&View { network: &network, loss: 0.25 })
    }

    /// IPR, norm and spectrum do not see where on the ring a field sits, nor its sign; the weights do.
    #[test]
    fn readings_are_invariant_under_shift_and_sign() {
        let w = vec![0.3, -1.0, 0.2, 0.0, 0.5, 0.7];
        let mut moved: Vec<f64> = w.iter().map(|w| -w).collect();
        moved.rotate_right(2);
        for probe in [&ipr::ENTRY, &norm::ENTRY, &spectrum::ENTRY] {
            for (a, b) in read(probe, &w).concat().iter().zip(read(probe, &moved).concat()) {
                assert!((a - b).abs() < 1e-14, "{}", probe.name);
            }
        }
        assert_ne!(read(&weights::ENTRY, &w), read(&weights::ENTRY, &moved));
    }
}
