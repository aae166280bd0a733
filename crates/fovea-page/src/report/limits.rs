//! What a report from elsewhere may hold: beyond these bounds drawing it would take hours, gigabytes, or what no picture has.

use super::{Block, Report};

const BLOCKS: usize = 100_000;
const FIGURES: usize = 1000;
/// Cells of a table, those included that short rows are filled up with.
const CELLS: usize = 5_000_000;

impl Report {
    /// Refuses what cannot be drawn in reasonable time and memory. Reports of this program are far within these bounds.
    ///
    /// # Errors
    /// What is too much, and the most that is drawn.
    pub fn check(&self) -> Result<(), String> {
        let most = |count: usize, most: usize, of: &str| {
            if count > most {
                return Err(format!("it has {count} {of}; at most {most} are drawn"));
            }
            Ok(())
        };
        most(self.blocks.len(), BLOCKS, "blocks")?;
        most(self.figures().count(), FIGURES, "figures")?;
        for block in &self.blocks {
            match block {
                Block::Figure { figure, .. } => figure.check()?,
                Block::Table { header, rows, .. } => {
                    let columns = rows.iter().map(Vec::len).chain([header.len()]).max();
                    let cells = columns.unwrap_or(0).saturating_mul(rows.len() + 1);
                    most(cells, CELLS, "cells in a table")?;
                }
                Block::Data(table) => {
                    table.check()?;
                    most(table.columns.len() * (table.rows() + 1), CELLS, "cells in a table")?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
