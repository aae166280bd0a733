//! SHOW: the Python package. What Python sees is `python/fovea`; this module gives it the lab as plain data and a few
//! objects. There is no science here, and no item is named here: everything loops over the catalogue.

#![expect(
    clippy::needless_pass_by_value,
    reason = "what Python hands to a function is the function's own"
)]

mod attend;
mod catalogue;
mod convert;
mod error;
mod flow;
mod form;
mod leaf;
mod measure;
mod record;
mod run;
mod stimulus;
mod table;
mod training;

use pyo3::prelude::*;

#[pymodule]
fn _fovea(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<form::Form>()?;
    module.add_class::<stimulus::Stimulus>()?;
    module.add_class::<record::Record>()?;
    module.add_class::<record::Figure>()?;
    module.add_class::<training::Session>()?;
    module.add_function(wrap_pyfunction!(attend::threads, module)?)?;
    module.add_function(wrap_pyfunction!(attend::forked, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::catalogue, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::complete, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::moved, module)?)?;
    module.add_function(wrap_pyfunction!(flow::flow, module)?)?;
    module.add_function(wrap_pyfunction!(flow::velocities, module)?)?;
    module.add_function(wrap_pyfunction!(measure::measure, module)?)?;
    module.add_function(wrap_pyfunction!(run::run, module)?)?;
    module.add_function(wrap_pyfunction!(run::verify, module)?)?;
    module.add_function(wrap_pyfunction!(run::bench, module)?)?;
    module.add_function(wrap_pyfunction!(training::train, module)?)?;
    module.add_function(wrap_pyfunction!(training::fleet, module)?)?;
    module.add_function(wrap_pyfunction!(table::table_lines, module)?)?;
    module.add_function(wrap_pyfunction!(table::arrow_stream, module)?)
}
