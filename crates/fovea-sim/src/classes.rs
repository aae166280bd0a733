//! The classes of a task as data: `[class.pos]`, `[class.neg]`, or any other names.

use crate::stimulus::Stimulus;
use crate::task::{Class, Labels, Target, Task};
use fovea_core::params::{
    Kind, Nested, ParamError, ParamType, Range, Schema, any, at_least, finite, nearest,
};
use fovea_core::registry::resolve;
use fovea_core::{Item, Params, Value, params};

params! {
    /// One class.
    pub struct ClassSpec {
        /// Where the samples come from.
        stimulus: Item<Box<dyn Stimulus>> = Item::named("nlgp"), any(), "";
        /// Share of the mixture, relative to the shares of the other classes.
        share: f64 = 1.0, Range { open_high: true, ..at_least(0.0) }, "";
        /// The target output, where the target is the label.
        label: f64 = 0.0, finite(), "";
    }
}

impl Params for ClassSpec {}

/// Classes by name, in the order given.
#[derive(Clone, Debug)]
pub struct Classes(Vec<(String, ClassSpec)>);

impl Default for Classes {
    /// Two nonlinear Gaussian processes, correlation lengths 2 (`pos`, label 1) and 1 (`neg`, label 0).
    fn default() -> Self {
        let class = |xi: f64, label: f64| {
            let stimulus = Item::named("nlgp").set("xi", xi);
            ClassSpec { stimulus, label, ..ClassSpec::default() }
        };
        Self(vec![("pos".to_owned(), class(2.0, 1.0)), ("neg".to_owned(), class(1.0, 0.0))])
    }
}

impl Classes {
    /// Two classes of equal share: `pos` with label 1, and `neg` with its own.
    pub fn pair(
        pos: Item<Box<dyn Stimulus>>,
        neg: Item<Box<dyn Stimulus>>,
        negative_label: f64,
    ) -> Self {
        let class = |stimulus, label| ClassSpec { stimulus, label, ..ClassSpec::default() };
        Self(vec![
            ("pos".to_owned(), class(pos, 1.0)),
            ("neg".to_owned(), class(neg, negative_label)),
        ])
    }

    /// Most classes of a task.
    const MOST: usize = 1024;

    /// The task they make.
    ///
    /// # Errors
    /// A stimulus cannot be made, or they do not go together.
    pub fn task(&self, labels: Labels, target: Target) -> Result<Task, ParamError> {
        let class = |(name, spec): &(String, ClassSpec)| {
            let stimulus = spec.stimulus.build(&format!("class.{name}.stimulus"))?;
            Ok(Class { name: name.clone(), stimulus, share: spec.share, label: spec.label })
        };
        let classes = self.0.iter().map(class).collect::<Result<Vec<_>, ParamError>>()?;
        self.tell_apart(target)?;
        Task::new(classes, labels, target)
    }

    /// Refuses classes that all have the same label.
    fn tell_apart(&self, target: Target) -> Result<(), ParamError> {
        let label = self.0[0].1.label;
        let same = |(_, spec): &(String, ClassSpec)| spec.label.total_cmp(&label).is_eq();
        if target != Target::Label || !self.0.iter().all(same) {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!(
                "every class has label {}: there is nothing to tell apart",
                Value::Real(label)
            ),
            hint: format!(
                "give one class another label, such as `class.{}.label = {}`",
                self.0[0].0,
                1.0 - label.clamp(0.0, 1.0)
            ),
        })
    }
}

impl ParamType for Classes {
    const KIND: Kind = Kind::Tables(Nested { noun: "class", schema: |_| ClassSpec::schema() });

    fn read(value: &Value) -> Option<Self> {
        Self::checked("class", value, any()).ok()
    }

    fn write(&self) -> Value {
        let rows = self.0.iter().map(|(name, spec)| (name.clone(), Value::Table(spec.values())));
        Value::Table(rows.collect())
    }

    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }

    fn checked(key: &str, value: &Value, _: Range) -> Result<Self, ParamError> {
        let Value::Table(rows) = value else {
            return Err(ParamError::wrong_kind::<Self>(key, value));
        };
        if rows.is_empty() || rows.len() > Self::MOST {
            return Err(ParamError::Inconsistent {
                what: format!("there are {} classes", rows.len()),
                hint: format!("give between 1 and {} tables [class.NAME]", Self::MOST),
            });
        }
        let class = |(name, value): &(String, Value)| {
            let path = format!("{key}.{name}");
            let Value::Table(settings) = value else {
                return Err(ParamError::wrong_kind::<Self>(&path, value));
            };
            if name.trim().is_empty() || !settings.iter().any(|(key, _)| key == "stimulus") {
                let others: Vec<&str> = rows
                    .iter()
                    .map(|(other, _)| other.as_str())
                    .filter(|other| other != name)
                    .collect();
                let hint = match nearest(name, &others) {
                    Some(other) => format!("did you mean `{key}.{other}`?"),
                    None => "write stimulus = { name = \"nlgp\", ... }; `fovea list stimulus` has the names".to_owned(),
                };
                return Err(ParamError::Inconsistent {
                    what: format!("class `{name}` has no stimulus"),
                    hint,
                });
            }
            // A class called `pos` has label 1 unless it says otherwise.
            let label = f64::from(u8::from(name == "pos"));
            let settings = [vec![("label".to_owned(), Value::Real(label))], settings.clone()];
            let spec = resolve(&settings.concat()).map_err(|error| error.inside(&path))?;
            Ok((name.clone(), spec))
        };
        Ok(Self(rows.iter().map(class).collect::<Result<_, _>>()?))
    }
}
