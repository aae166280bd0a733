//! Random training configurations, made from the schemas: mostly sensible ones, and ones with a few wild values.

use super::book::Book;
use super::dice::Dice;
use super::{fitting, wild};
use fovea_core::params::{Assignments, Field, Kind, ParamType};
use fovea_core::{Item, Value};
use fovea_sim::Stimulus;

/// How deep one item may stand inside another.
const DEEPEST: usize = 3;

/// The parameters without which a configuration rarely fits together.
const NEEDED: [&str; 16] = [
    "class",
    "network",
    "dynamics",
    "stimulus",
    "base",
    "n",
    "xi",
    "samples",
    "weights",
    "bias",
    "output_bias",
    "sites",
    "keep",
    "values",
    "min_length",
    "max_length",
];

/// Makes one configuration.
pub(super) struct Maker<'a> {
    pub(super) dice: Dice,
    book: &'a Book,
    /// How often a value is chosen without regard for what fits.
    wildness: f64,
    pub(super) n: usize,
    pub(super) dim: usize,
    pub(super) width: usize,
    /// Length of lists that must be equally long.
    pub(super) several: usize,
    /// Whether training is on one fixed sample.
    fixed: bool,
}

/// A random configuration.
pub(super) fn configuration(book: &Book, seed: u64) -> Assignments {
    let mut dice = Dice::new(seed);
    let wildness = dice.pick(&[0.0, 0.0, 0.01, 0.05, 0.2]);
    let dim = if dice.chance(0.9) { 1 } else { 2 + dice.below(2) };
    let n = 2 + dice.below([11, 3, 2][dim - 1]);
    let (width, several) = (1 + dice.below(4), 1 + dice.below(2));
    let mut maker = Maker { dice, book, wildness, n, dim, width, several, fixed: false };
    maker.table(&book.training, 0)
}

impl Maker<'_> {
    /// Entries of a sample.
    pub(super) fn inputs(&self) -> usize {
        (0..self.dim).fold(1, |inputs, _| inputs * self.n)
    }

    fn wild(&mut self) -> bool {
        let wildness = self.wildness;
        self.dice.chance(wildness)
    }

    /// Some of the parameters of a schema, some under their other spelling, now and then one that there is not.
    fn table(&mut self, schema: &[Field], depth: usize) -> Assignments {
        let mut rows = Assignments::new();
        for field in schema {
            let needed = NEEDED.contains(&field.name) || field.name == "dim" && self.dim > 1;
            if self.dice.chance(if needed { 0.97 } else { 0.4 }) {
                let hyphens = self.dice.chance(0.1);
                let key =
                    if hyphens { field.name.replace('_', "-") } else { field.name.to_owned() };
                let value = self.value(field, depth);
                rows.push((key, value));
            }
        }
        if self.wild() {
            let key = self.dice.pick(&["gian", "", "name", "n.n", "x y", "\u{3be}", "widht"]);
            rows.push((key.to_owned(), Value::Int(3)));
        }
        rows
    }

    fn value(&mut self, field: &Field, depth: usize) -> Value {
        if self.wild() {
            return wild::value(&mut self.dice, field);
        }
        match field.kind {
            Kind::Item(item) => self.item(item.noun, depth),
            Kind::Tables(_) => self.classes(),
            Kind::Choice(words) if !fitting::is_known(field.name) => {
                let word = self.dice.pick(words);
                self.fixed |= word == "fixed";
                Value::Text(word.to_owned())
            }
            Kind::Function(_) if self.dice.chance(0.2) => {
                self.dice.pick(&["x*tanh(x)", "sin(x) + x^2/4", "abs(x)", "exp(-x^2)"]).into()
            }
            Kind::Function(words) => Value::Text(self.dice.pick(words).to_owned()),
            Kind::Words(words) => {
                let count = self.dice.below(5);
                let mut some: Vec<&str> = (0..count).map(|_| self.dice.pick(words)).collect();
                if !self.wild() {
                    some.sort_unstable();
                    some.dedup();
                    // A run on fresh samples has nothing that is trained on twice.
                    some.retain(|word| self.fixed || !word.starts_with("training-"));
                }
                Value::List(some.into_iter().map(Value::from).collect())
            }
            Kind::Bool => Value::Bool(self.dice.chance(0.5)),
            _ => fitting::value(self, field),
        }
    }

    fn item(&mut self, kind: &str, depth: usize) -> Value {
        let contains = |field: &Field| field.kind == Item::<Box<dyn Stimulus>>::KIND;
        let mut items = self.book.items(kind);
        if depth + 1 >= DEEPEST {
            items.retain(|item| !item.schema.iter().any(contains));
        }
        let item = self.dice.pick(&items);
        if self.dice.chance(0.02) {
            return item.name.into();
        }
        let mut rows = vec![("name".to_owned(), item.name.into())];
        if self.wild() {
            rows[0].1 = self.dice.pick(&["nlpg", "", "x", "name"]).into();
        }
        rows.extend(self.table(&item.schema, depth + 1));
        // Few stimuli are as likely as their mirror images, and what is refused is not trained.
        if item.name == "mirrored" && !self.wild() {
            let base = self.dice.pick(&["gaussian", "ising", "nlgp", "sign"]);
            let n = self.n.into();
            rows.retain(|(key, _)| key != "base");
            rows.push(("base".to_owned(), Value::table([("name", base.into()), ("n", n)])));
        }
        if self.wild() {
            rows.remove(0);
        }
        Value::Table(rows)
    }

    fn classes(&mut self) -> Value {
        let count = if self.wild() { self.dice.below(9) } else { 1 + self.dice.below(4) };
        let names = ["pos", "neg", "a", "b", "", "x.y", "\u{3be} x", "class", "name"];
        let book = self.book;
        let class = |name: &&str| ((*name).to_owned(), Value::Table(self.table(&book.class, 0)));
        Value::Table(names[..count].iter().map(class).collect())
    }
}
