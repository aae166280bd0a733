//! What an experiment is: a question, the source's settings as defaults, and theory against simulation.

use crate::conditions::Conditions;
use crate::error::LabError;
use fovea_core::ParamError;
use fovea_core::params::{Assignments, Field};
use fovea_record::outcome::Outcome;

/// The published size of an experiment.
pub struct Full<E> {
    /// Its settings.
    pub settings: fn() -> E,
    /// The estimated time they take on two cores, in words.
    pub takes: &'static str,
}

/// Which settings an experiment starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// A few seconds.
    Quick,
    /// The defaults.
    Default,
    /// The published size.
    Full,
}

/// An experiment with all settings resolved and checked.
pub trait Prepared: Send + Sync {
    /// Every setting.
    fn settings(&self) -> Assignments;

    /// Runs it.
    ///
    /// # Errors
    /// A closed form has no value at these settings.
    fn run(&self, conditions: &Conditions<'_>) -> Result<Outcome, LabError>;
}

/// Makes an experiment from the settings of a size and assignments in order.
pub type Prepare = fn(Size, &Assignments) -> Result<Box<dyn Prepared>, ParamError>;

/// A registered experiment.
pub struct Entry {
    /// The name in the shells.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The file that it is written in; its head says what it is about.
    pub source: &'static str,
    /// Every setting with its documentation, range, unit and default.
    pub schema: fn() -> Vec<Field>,
    /// How long the published size takes, where the defaults are reduced from it.
    pub full: Option<&'static str>,
    /// How it is made.
    pub prepare: Prepare,
}

impl Entry {
    /// The question it asks, the prediction and what would falsify it: the head of its file, a line per paragraph or point.
    pub fn about(&self) -> String {
        let head = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        let mut about = String::new();
        for line in head.map(str::trim) {
            let point = line.starts_with("* ");
            match about.chars().next_back() {
                None | Some('\n') => {}
                Some(_) if line.is_empty() || point => about.push('\n'),
                Some(_) => about.push(' '),
            }
            about.push_str(line);
        }
        about
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_file_is_what_the_experiment_is_about() {
        let source = "//! A question?\n//!\n//! A prediction\n//! that goes on.\n//!\n//! * A point,\n//!   in two lines.\n//! * Another.\n\nuse x;\n//! no\n";
        let row = Entry {
            name: "",
            summary: "",
            source,
            schema: Vec::new,
            full: None,
            prepare: |_, _| unreachable!("nobody runs it"),
        };
        let about = "A question?\nA prediction that goes on.\n* A point, in two lines.\n* Another.";
        assert_eq!(row.about(), about);
    }
}
