//! A row of the table: what is done, how it is timed, and the result.

use super::stats::Summary;
use fovea_desk::error::LabError;

/// Does this many pieces of work.
pub type Work = Box<dyn FnMut(u64) -> Result<(), LabError> + Send>;

/// Where a row runs, and by which clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// One thread pinned to one core, by its CPU time.
    One,
    /// Every core, by the clock on the wall.
    All,
}

/// How a sampler is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Sixteen lanes at a time, compiled for the machine's best instruction set.
    Vector,
    /// Plain code, as the compiler optimizes it.
    Plain,
}

impl Path {
    /// The word in the table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Plain => "plain",
        }
    }
}

/// A number that compares a row with others.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// Its key in JSON.
    pub key: &'static str,
    /// The number.
    pub value: f64,
    /// The same in words.
    pub text: String,
}

/// Compares a row with those measured before it.
pub type Relate = Box<dyn Fn(&Measured, &[Measured]) -> Vec<Relation>>;

/// One row.
pub struct Row {
    /// Its name.
    pub name: String,
    /// What is done, in one line.
    pub about: String,
    /// The unit of its rate.
    pub unit: &'static str,
    /// One piece of work in this unit.
    pub piece: f64,
    /// Where it runs.
    pub cores: Cores,
    /// How its sampler is written, where the row is about one.
    pub path: Option<Path>,
    /// Prepares the work, which is not timed.
    pub prepare: Box<dyn Fn() -> Result<Work, LabError>>,
    /// Compares it with the rows before it; those that were not measured are absent.
    pub relate: Relate,
}

impl Row {
    /// A one-core row that is compared with no other.
    pub fn new(
        name: String,
        about: String,
        (unit, piece): (&'static str, f64),
        prepare: impl Fn() -> Result<Work, LabError> + 'static,
    ) -> Self {
        let relate = Box::new(|_: &Measured, _: &[Measured]| Vec::new());
        Self {
            name,
            about,
            unit,
            piece,
            cores: Cores::One,
            path: None,
            prepare: Box::new(prepare),
            relate,
        }
    }
}

/// The results of the repeats of a row.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The row's name.
    pub name: String,
    /// What is done.
    pub about: String,
    /// The unit of its rate.
    pub unit: &'static str,
    /// One piece of work in this unit.
    pub piece: f64,
    /// Where it ran.
    pub cores: Cores,
    /// How its sampler is written.
    pub path: Option<Path>,
    /// The rate, in its unit.
    pub rate: Summary,
    /// What other programs took of the machine meanwhile, as a share of all its cores, where that is known.
    pub load: Option<f64>,
    /// Comparisons with other rows.
    pub relations: Vec<Relation>,
}

impl Measured {
    /// Seconds a piece of work takes, by the median.
    pub fn seconds(&self) -> f64 {
        self.piece / self.rate.median
    }

    /// The row of this name among those measured.
    pub fn find<'a>(name: &str, among: &'a [Self]) -> Option<&'a Self> {
        among.iter().find(|row| row.name == name)
    }

    /// `of` times slower or faster than another row, where that was measured.
    pub fn ratio(&self, name: &str, among: &[Self]) -> Option<f64> {
        Some(self.rate.median / Self::find(name, among)?.rate.median)
    }
}
