//! The training samples and the evaluation samples of a task whose samples are rows of an array.

use super::{Class, Task};
use crate::stimulus::{Part, Rows, Split};
use fovea_core::ParamError;
use fovea_core::streams::Streams;

/// The samples that a network is evaluated on while it trains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookedAt {
    /// Fresh samples, drawn like those it trains on.
    Fresh,
    /// Rows that it never trains on.
    HeldOut,
    /// The rows that it trains on, since none are held out.
    Training,
}

impl LookedAt {
    /// In words; `None` for fresh samples, which are never trained on anyway.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Fresh => None,
            Self::HeldOut => Some("held-out rows"),
            Self::Training => Some("training rows"),
        }
    }
}

impl Task {
    /// The task as the run with these streams trains on it: rows are split into training rows and held-out rows. Without rows
    /// it is the same task.
    ///
    /// # Errors
    /// No row is left to train on, or rows are held out of some classes and not of others.
    pub fn split(mut self, streams: &Streams) -> Result<Self, ParamError> {
        let mut rows = Vec::with_capacity(self.classes.len());
        for class in &mut self.classes {
            let inside =
                |error: ParamError| error.inside(&format!("class.{}.stimulus", class.name));
            let split = class.stimulus.split(streams).map_err(inside)?;
            rows.push(split.and_then(|Split { training, rows }| {
                class.stimulus = training;
                rows
            }));
        }
        self.rows = rows;
        self.even()
    }

    /// Refuses rows that are held out of some classes and not of others.
    fn even(self) -> Result<Self, ParamError> {
        let of_rows: Vec<(&Class, &Rows)> = self
            .drawn()
            .filter_map(|class| {
                let rows = self.rows[class].as_ref()?;
                Some((&self.classes[class], rows))
            })
            .collect();
        let none = |(_, rows): &&(&Class, &Rows)| rows.held_out.count() == 0;
        let (Some((without, all)), Some((with, some))) =
            (of_rows.iter().find(none), of_rows.iter().find(|class| !none(class)))
        else {
            return Ok(self);
        };
        Err(ParamError::Inconsistent {
            what: format!(
                "class `{}` holds {} rows out and trains on {}, class `{}` trains on all of its {}: \
                 probes use held-out rows in every class or in none",
                with.name,
                some.held_out.count(),
                some.training.count(),
                without.name,
                all.training.count()
            ),
            hint: format!(
                "set class.{}.stimulus.held_out to a share such as 0.2, or that of class `{}` to 0",
                without.name, with.name
            ),
        })
    }

    /// The classes that are drawn at all.
    fn drawn(&self) -> impl Iterator<Item = usize> {
        (0..self.classes.len()).filter(|class| self.classes[*class].share > 0.0)
    }

    /// Whether some class is made of rows, which a run splits.
    pub fn has_rows(&self) -> bool {
        self.classes.iter().any(|class| class.stimulus.has_rows())
    }

    /// The samples that probes use.
    pub fn looked_at(&self) -> LookedAt {
        let mut rows = self.drawn().filter_map(|class| self.rows.get(class)?.as_ref()).peekable();
        if rows.peek().is_some() {
            let held_out = rows.any(|rows| rows.held_out.count() > 0);
            if held_out { LookedAt::HeldOut } else { LookedAt::Training }
        } else if self.rows.is_empty() && self.has_rows() {
            // They have not been split.
            LookedAt::Training
        } else {
            LookedAt::Fresh
        }
    }

    /// The held-out rows of a class, or its training rows; `None` where its samples are fresh.
    pub(crate) fn rows(&self, class: usize, held_out: bool) -> Option<&Part> {
        let rows = self.rows.get(class)?.as_ref()?;
        Some(if held_out { &rows.held_out } else { &rows.training })
    }
}
