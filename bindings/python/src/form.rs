//! Closed forms: one value, or as many as the arguments have entries.

use crate::attend::{Counter, attend, threads};
use crate::convert::{array, simple, to_python, value};
use crate::error::{OrRaise, raise};
use crate::leaf::{Leaf, fill, leaves};
use crate::run::now;
use fovea_core::params::Assignments;
use fovea_core::{Matrix, Value};
use fovea_lab::forms;
use fovea_theory::FormError;
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rayon::prelude::*;

/// A closed form, found once.
#[pyclass(frozen, module = "fovea._fovea")]
pub(crate) struct Form {
    form: &'static fovea_theory::Form,
}

/// Sets of arguments that a thread takes at a time, at most.
const CHUNK: usize = 4096;
/// Seconds of such a piece, estimated from one set: long enough to be worth starting, and soon over.
const PIECE: f64 = 1e-2;
/// Seconds of one set below which a few more are timed for a better estimate.
const QUICK: f64 = 1e-4;
const A_FEW: usize = 16;
/// Seconds of work below which no other thread is woken.
const ALONE: f64 = 5e-4;
/// Seconds without a check for signals that nobody notices.
const UNATTENDED: f64 = 5e-2;

#[pymethods]
impl Form {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        Ok(Self { form: forms::find(name).or_raise()? })
    }

    /// The value at these arguments, each of which is one value of its parameter; `None` where one is an array, which
    /// may be several.
    fn one<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyDict>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut given = Assignments::with_capacity(arguments.len());
        for (key, object) in arguments.iter() {
            let Some(value) = simple(&object) else { return Ok(None) };
            given.push((key.cast::<PyString>()?.to_str()?.to_owned(), value));
        }
        to_python(py, &py.detach(|| self.form.at(&given)).or_raise()?).map(Some)
    }

    /// The value at these arguments, arrays being values of their parameters.
    fn at<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = constants(arguments)?;
        to_python(py, &py.detach(|| self.form.at(&given)).or_raise()?)
    }

    /// The values at `count` sets of arguments: those of `fixed` are the same in all, of each array of `varying` row `i`
    /// belongs to set `i`; `shapes` are those of one row, none for a number.
    ///
    /// Returns what one value is made of, as (name, kind, shape), and an array with a row of numbers per set; `None` where
    /// the values differ in shape or are not numbers.
    fn many<'py>(
        &self,
        py: Python<'py>,
        fixed: &Bound<'py, PyDict>,
        varying: Vec<(String, PyReadonlyArray2<'py, f64>, Vec<usize>)>,
        count: usize,
    ) -> PyResult<Option<(Vec<Leaf>, Bound<'py, PyAny>)>> {
        let mut given = constants(fixed)?;
        let first = given.len();
        let mut columns: Vec<Column<'_>> = Vec::new();
        for (key, array, shape) in &varying {
            given.push((key.clone(), Value::Real(0.0)));
            columns.push(Column {
                key,
                numbers: array.as_slice()?,
                width: array.shape()[1],
                shape,
            });
        }
        let set = |given: &mut Assignments, i: usize| {
            for (column, (_, value)) in columns.iter().zip(&mut given[first..]) {
                *value = column.at(i);
            }
        };
        set(&mut given, 0);
        let began = now();
        let first_value = py.detach(|| self.form.at(&given)).or_raise()?;
        let one = began.elapsed().as_secs_f64();
        let Some(leaves) = leaves(&first_value) else { return Ok(None) };
        let width: usize = leaves.iter().map(Leaf::width).sum();
        fovea_lab::memory::fits(
            count as u128 * width as u128,
            8,
            "the values",
            "give fewer arguments at a time",
        )
        .or_raise()?;
        let mut numbers = vec![0.0; count * width];
        let counter = Counter::default();
        let rows = Rows {
            form: self.form,
            given: &given[..first],
            columns: &columns,
            leaves: &leaves,
            width,
        };
        let fields = rows.fields();
        let from = |start: usize, out: &mut [f64]| match &fields {
            Some(fields) => rows.numbers(start, fields, out).err(),
            None => rows.arrays(start, given.clone(), out).err(),
        };
        // A form may take a nanosecond or a minute.
        let (threads, mut one) = (threads(None)?, one);
        if one < QUICK {
            // Much of that was overhead; a few sets at once give a better estimate.
            let (began, few) = (now(), A_FEW.min(count));
            let _ = py.detach(|| from(0, &mut numbers[..few * width]));
            one = began.elapsed().as_secs_f64() / few as f64;
        }
        let said = if one * (count as f64) < if threads > 1 { ALONE } else { UNATTENDED } {
            py.detach(|| from(0, &mut numbers))
        } else {
            let piece = ((PIECE / one.max(1e-9)) as usize).clamp(1, CHUNK);
            let chunk = (count / (8 * threads)).clamp(1, piece);
            let share = || {
                let pieces = numbers.par_chunks_mut(chunk * width.max(1)).enumerate();
                let one = |(i, out): (usize, &mut [f64])| {
                    let stop = counter.is_stopped();
                    if stop { Some(Stop::Asked) } else { from(i * chunk, out) }
                };
                pieces.filter_map(one).reduce_with(Stop::first)
            };
            attend(py, &counter, None, share)?.whole()?
        };
        match said {
            None => Ok(Some((leaves, array(py, &[count, width], numbers)?.into_any()))),
            Some(Stop::Wrong(i, error)) => Err(at_place(py, i, error)?),
            Some(Stop::Ragged | Stop::Asked) => Ok(None),
        }
    }
}

fn constants(arguments: &Bound<'_, PyDict>) -> PyResult<Assignments> {
    let row = |(key, object): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let key: String = key.extract()?;
        let value = value(&key, &object)?;
        Ok((key, value))
    };
    arguments.iter().map(row).collect()
}

/// The exception of a set of arguments, with its place.
fn at_place(py: Python<'_>, i: usize, error: FormError) -> PyResult<PyErr> {
    let raised = raise(error.into());
    let value = raised.value(py);
    value.setattr("index", i)?;
    Ok(raised)
}

/// Why not all values could be found.
enum Stop {
    Asked,
    Ragged,
    Wrong(usize, FormError),
}

impl Stop {
    /// The one that a loop would have met first.
    fn first(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Wrong(a, _), Self::Wrong(b, _)) if b < a => other,
            (Self::Wrong(..), _) => self,
            (_, Self::Wrong(..)) => other,
            _ => self,
        }
    }
}

/// A form at many sets of arguments.
struct Rows<'a> {
    form: &'static fovea_theory::Form,
    given: &'a [(String, Value)],
    columns: &'a [Column<'a>],
    leaves: &'a [Leaf],
    width: usize,
}

impl Rows<'_> {
    /// The places of the columns in the schema, where each holds single numbers.
    fn fields(&self) -> Option<Vec<usize>> {
        let schema = (self.form.schema)();
        let field = |column: &Column<'_>| {
            let name = fovea_core::params::spelled(column.key);
            schema.iter().position(|field| field.name == name).filter(|_| column.shape.is_empty())
        };
        self.columns.iter().map(field).collect()
    }

    /// The values from set `start` on, where only numbers vary.
    fn numbers(&self, start: usize, fields: &[usize], out: &mut [f64]) -> Result<(), Stop> {
        let sets = out.len() / self.width.max(1);
        let slices = self.columns.iter().map(|column| &column.numbers[start..start + sets]);
        let columns: Vec<(usize, &[f64])> = fields.iter().copied().zip(slices).collect();
        let given = self.given.to_vec();
        let plain = matches!(self.leaves, [Leaf { kind: "real", shape, .. }] if shape.is_empty());
        let (done, said) = if plain {
            self.form.fill(&given, &columns, out)
        } else {
            let (mut out, mut fits) = (out.iter_mut(), true);
            let (done, said) = self.form.each(&given, &columns, &mut |value| {
                fits &= fill(&value, self.leaves, &mut out);
            });
            (if fits { done } else { 0 }, said)
        };
        match said {
            Err(error) => Err(Stop::Wrong(start + done, error)),
            Ok(()) if done == sets => Ok(()),
            Ok(()) => Err(Stop::Ragged),
        }
    }

    /// The values from set `start` on, set by set.
    fn arrays(&self, start: usize, mut given: Assignments, out: &mut [f64]) -> Result<(), Stop> {
        for (i, out) in out.chunks_mut(self.width.max(1)).enumerate() {
            for (column, (_, value)) in self.columns.iter().zip(&mut given[self.given.len()..]) {
                *value = column.at(start + i);
            }
            let value = self.form.at(&given).map_err(|error| Stop::Wrong(start + i, error))?;
            let mut out = out.iter_mut();
            if !fill(&value, self.leaves, &mut out) || out.next().is_some() {
                return Err(Stop::Ragged);
            }
        }
        Ok(())
    }
}

/// One argument at all sets.
struct Column<'a> {
    key: &'a str,
    numbers: &'a [f64],
    width: usize,
    shape: &'a [usize],
}

impl Column<'_> {
    fn at(&self, i: usize) -> Value {
        let row = &self.numbers[i * self.width..(i + 1) * self.width];
        match self.shape {
            [] => Value::Real(row[0]),
            [_] => Value::reals(row),
            [_, cols, ..] => Value::Array(Matrix::new(*cols, row.to_vec())),
        }
    }
}
