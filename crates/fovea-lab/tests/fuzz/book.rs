//! The catalogue as the fuzz reads it: schemas by kind and name, and which items a configuration names.

use fovea_core::Value;
use fovea_core::params::{Assignments, Field, Kind, Schema};
use fovea_lab::catalogue::{Item, catalogue};
use fovea_lab::training::{ClassSpec, Training};
use std::collections::BTreeSet;

/// Kinds of items that a training file can name.
const KINDS: [&str; 8] =
    ["stimulus", "network", "dynamics", "schedule", "initializer", "loss", "activation", "probe"];

/// An item by kind and name.
pub(super) type Named = (&'static str, &'static str);

/// Everything a training file can name.
pub(super) struct Book {
    items: Vec<Item>,
    pub(super) training: Vec<Field>,
    pub(super) class: Vec<Field>,
    /// Every word that a message can name: parameters, items and classes.
    words: BTreeSet<String>,
}

impl Book {
    pub(super) fn new() -> Self {
        let items: Vec<Item> =
            catalogue().into_iter().filter(|item| KINDS.contains(&item.kind)).collect();
        let (training, class) = (Training::schema(), ClassSpec::schema());
        let fields = items.iter().flat_map(|item| &item.schema).chain(&training).chain(&class);
        let mut words: BTreeSet<String> = fields.map(|field| field.name.to_owned()).collect();
        words.extend(items.iter().map(|item| item.name.to_owned()));
        words.extend(["class", "classes"].map(str::to_owned));
        Self { items, training, class, words }
    }

    /// Every item of a training file.
    pub(super) fn all(&self) -> BTreeSet<Named> {
        self.items.iter().map(|item| (item.kind, item.name)).collect()
    }

    pub(super) fn items(&self, kind: &str) -> Vec<&Item> {
        self.items.iter().filter(|item| item.kind == kind).collect()
    }

    fn find(&self, kind: &str, name: &str) -> Option<&Item> {
        let plain = name.replace('_', "-");
        self.items.iter().find(|item| item.kind == kind && item.name == plain)
    }

    /// Whether a text names a parameter, an item or a class.
    pub(super) fn is_about_something(&self, text: &str) -> bool {
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
        words.any(|word| self.words.contains(word))
    }

    /// The items that a whole set of training settings names.
    pub(super) fn named(&self, settings: &Assignments) -> BTreeSet<Named> {
        let mut seen = BTreeSet::new();
        self.walk(&self.training, settings, &mut seen);
        seen
    }

    fn walk(&self, schema: &[Field], values: &Assignments, seen: &mut BTreeSet<Named>) {
        for field in schema {
            let spelled = |key: &str| key.replace('-', "_") == field.name;
            let set = values.iter().rev().find(|(key, _)| spelled(key)).map(|(_, value)| value);
            let value = set.unwrap_or(&field.default);
            match (field.kind, value) {
                (Kind::Item(item), Value::Text(name)) => {
                    self.enter(item.noun, name, &Vec::new(), seen);
                }
                (Kind::Item(item), Value::Table(rows)) => {
                    if let Some(Value::Text(name)) = value.get("name") {
                        self.enter(item.noun, name, rows, seen);
                    }
                }
                (Kind::Tables(_), Value::Table(classes)) => {
                    for (_, class) in classes {
                        if let Value::Table(rows) = class {
                            self.walk(&self.class, rows, seen);
                        }
                    }
                }
                (Kind::Words(_), Value::List(words)) => {
                    for word in words {
                        self.note("probe", word, seen);
                    }
                }
                (Kind::Choice(_) | Kind::Function(_), word) => self.note(field.name, word, seen),
                _ => {}
            }
        }
    }

    fn enter(&self, kind: &str, name: &str, rows: &Assignments, seen: &mut BTreeSet<Named>) {
        if let Some(item) = self.find(kind, name) {
            seen.insert((item.kind, item.name));
            self.walk(&item.schema, rows, seen);
        }
    }

    fn note(&self, kind: &str, word: &Value, seen: &mut BTreeSet<Named>) {
        if let Some(item) = self.find(kind, &word.to_string()) {
            seen.insert((item.kind, item.name));
        }
    }
}
