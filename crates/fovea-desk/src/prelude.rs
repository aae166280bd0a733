//! What nearly every experiment needs: settings with ranges, jobs, the driver's types, claims and figures.

pub use crate::conduct::{Experiment, Shown};
pub use crate::descent::{Descent, falling, stage};
pub use crate::desk::Desk;
pub use crate::error::{LabError, refuse, refused};
pub use crate::experiment::{Entry, Full};
pub use crate::gains;
pub use crate::memory::check_records;
pub use crate::runs::{Arm, Group, Runs, committee, fields};
pub use crate::showing::{
    bars, column, columns, estimate, grid, horizontal, ladder, level, means_at, measured,
    time_axis, told_apart, told_apart_exactly, turned, vertical, width_axis,
};
pub use crate::spread::{Spread, mean_unit};
pub use crate::two_class::{TwoClass, check_gains, check_labels, check_once, glorot, one_unit};
pub use fovea_core::params::{above, any, at_least, between, finite_above};
pub use fovea_core::ring::Kernel;
pub use fovea_core::stats::{Estimate, quantile};
pub use fovea_core::streams::Streams;
pub use fovea_core::vector::{cosine, dot, extent, largest, mean, norm};
pub use fovea_core::{Function, Item, ParamError, Params, Value, activation, params};
pub use fovea_page::figure::{Axis, ColorMap, Dash, Figure, Heat, Mark, Marker, Panel, Style};
pub use fovea_page::panel::{
    Cells, Compared, Range, Sites, Xy, about_zero, along, arms_with_theory, categories, counted,
    diagonal, estimates, field_over_time, guide_at_x, guide_at_y, heat_map, histogram, line_at_x,
    line_at_y, lines, lines_per_run, lines_with_range, means_along, means_by_category,
    measured_with_theory, named, ordered, ring_fields, rows_of_fields, runs_by_category, scatter,
    series, series_from, spectrum, tiles, unnamed, xy,
};
pub use fovea_page::table::Table;
pub use fovea_record::bound::{one_sided, refuted_by_most};
pub use fovea_record::claim::Claim;
pub use fovea_record::outcome::{Array, Series};
pub use fovea_record::present::{Words, number};
pub use fovea_sim::dynamics::Pace;
pub use fovea_sim::job::sgd;
pub use fovea_sim::probe::ipr::ipr;
pub use fovea_sim::probe::{self, Probe};
pub use fovea_sim::train::Precision;
pub use fovea_sim::{
    Bias, Job, Labels, Moment, Network, Plan, Stage, Start, Task, TaskSpec, Times, Trained, loss,
};
pub use std::sync::Arc;
