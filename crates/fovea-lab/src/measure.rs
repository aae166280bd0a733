//! Probes on an array of weights from anywhere: rows are units.

use fovea_core::ParamError;
use fovea_desk::error::LabError;
use fovea_page::table::Table;
use fovea_record::outcome::Array;
use fovea_sim::probe::{self, Columns, Needs, Of, Probe};

/// Significant digits of a reading.
const DIGITS: usize = 4;

/// Fields to be measured: one row per unit.
#[derive(Clone, Debug)]
pub struct Fields {
    weights: Vec<f64>,
    shape: Vec<usize>,
}

/// What a probe reads off the fields.
#[derive(Debug)]
pub struct Reading {
    /// The probe.
    pub probe: &'static Probe,
    /// One row per unit, or one for all units together.
    pub rows: Vec<Vec<f64>>,
}

impl Reading {
    /// Whether there is one row per unit.
    pub fn is_of_units(&self) -> bool {
        self.probe.of == Of::Unit
    }

    /// Whether its numbers have no names of their own: there is one per site or the like.
    fn is_list(&self) -> bool {
        matches!(self.probe.columns, Columns::Per(_))
    }
}

/// An error of usage.
fn wrong(what: String, hint: &str) -> LabError {
    LabError::Param(ParamError::Inconsistent { what, hint: hint.to_owned() })
}

impl Fields {
    /// The rows of an array; `shape` is that of a torus on which each field lies, a ring where none is given.
    ///
    /// An array of one axis is one unit, or units one after another where there is a shape. Of more axes the first
    /// counts the units, and the others are the shape.
    ///
    /// # Errors
    /// The array is empty, holds a number that is not finite, or does not fit the shape.
    pub fn new(array: &Array, shape: Option<&[usize]>) -> Result<Self, LabError> {
        let Array { name, shape: axes, data } = array;
        if data.is_empty() || axes.is_empty() {
            let hint = "give one row of weights per unit";
            return Err(wrong(format!("{name} has shape {axes:?} and no fields"), hint));
        }
        if let Some(at) = data.iter().position(|w| !w.is_finite()) {
            let index = index_of(at, axes);
            let word = if data[at].is_nan() { "NaN".to_owned() } else { data[at].to_string() };
            let hint = "a field is finite numbers; correct that row or leave it out";
            return Err(wrong(format!("{name}{index} is {word}"), hint));
        }
        let own = if axes.len() == 1 { &axes[..] } else { &axes[1..] };
        let shape = shape.unwrap_or(own);
        let (sites, found): (usize, usize) = (shape.iter().product(), own.iter().product());
        let whole =
            if axes.len() == 1 { found.is_multiple_of(sites.max(1)) } else { found == sites };
        if sites == 0 || !whole {
            let what = format!(
                "{name} has shape {axes:?}: {found} weights per unit, and a field of shape {} has {sites}",
                spelled(shape)
            );
            return Err(wrong(what, "give the --shape of one unit's field, such as 30x30"));
        }
        if sites < 2 {
            let hint = "rows are units: a field has two sites or more";
            return Err(wrong(format!("{name} has shape {axes:?}: one weight per unit"), hint));
        }
        Ok(Self { weights: data.clone(), shape: shape.to_vec() })
    }

    /// How many units there are.
    pub fn units(&self) -> usize {
        self.weights.len() / self.shape.iter().product::<usize>()
    }

    /// The shape of one unit's field.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// What these probes read off the fields.
    ///
    /// # Errors
    /// A probe needs more than weights.
    pub fn measure(&self, probes: &[&'static Probe]) -> Result<Vec<Reading>, LabError> {
        let read = |probe: &&'static Probe| {
            let rows = probe.measure(&self.weights, &self.shape)?;
            Ok(Reading { probe, rows })
        };
        probes.iter().map(read).collect()
    }
}

/// `[3, 5]` of an entry, counted from zero.
fn index_of(mut at: usize, axes: &[usize]) -> String {
    let mut index = vec![0; axes.len()];
    for axis in (0..axes.len()).rev() {
        index[axis] = at % axes[axis];
        at /= axes[axis];
    }
    format!("{index:?}")
}

fn spelled(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join("x")
}

/// A shape as typed: `30x30`, or `40` for a ring.
///
/// # Errors
/// It is no list of lengths.
pub fn read_shape(text: &str) -> Result<Vec<usize>, LabError> {
    let length = |part: &str| part.trim().parse().ok().filter(|length: &usize| *length > 0);
    let axes: Option<Vec<usize>> = text.split(['x', 'X', ',']).map(length).collect();
    axes.filter(|axes| axes.iter().try_fold(1_usize, |n, axis| n.checked_mul(*axis)).is_some())
        .ok_or_else(|| {
            wrong(
                format!("`shape` is {text}; it must be lengths of axes, each 1 or more"),
                "write --shape 30x30, for example",
            )
        })
}

/// The probes of these names; without any, every one that reads named numbers off weights alone.
///
/// # Errors
/// There is no such probe.
pub fn probes(names: &[String]) -> Result<Vec<&'static Probe>, LabError> {
    let suits =
        |probe: &&Probe| probe.needs == Needs::Weights && !matches!(probe.columns, Columns::Per(_));
    if names.is_empty() {
        return Ok(probe::ALL.iter().copied().filter(|probe| suits(probe)).collect());
    }
    let find = |name: &String| {
        let plain = name.replace('_', "-");
        probe::ALL.iter().copied().find(|probe| probe.name == plain).ok_or_else(|| {
            LabError::UnknownName {
                kind: "probe",
                name: name.clone(),
                known: probe::NAMES.to_vec(),
            }
        })
    };
    names.iter().map(find).collect()
}

/// The readings as tables: a row per unit, and a row for each number that all units have together.
///
/// A probe that has one number per site or the like is in neither; [`lists`] counts its numbers.
pub fn tables(readings: &[Reading], units: usize) -> Vec<Table> {
    let named = readings.iter().filter(|reading| !reading.is_list());
    let (of_units, whole): (Vec<&Reading>, Vec<&Reading>) =
        named.partition(|reading| reading.is_of_units());
    let places: Vec<usize> = (0..units).collect();
    let mut table = Table::of("units", &places).whole("unit", |unit| *unit);
    for reading in &of_units {
        let first = reading.rows.first().map_or(&[][..], Vec::as_slice);
        for (at, (name, _)) in reading.probe.named(first).enumerate() {
            let (column, value) = (name.replace('.', "_"), |unit: &usize| reading.rows[*unit][at]);
            // Sites and counts have no decimals.
            let is_whole = places.iter().all(|unit| value(unit).fract() == 0.0);
            table = if is_whole {
                table.real(&column, 0, value)
            } else {
                table.digits(&column, DIGITS, value)
            };
        }
    }
    let of_all =
        whole.iter().flat_map(|reading| reading.rows.iter().map(move |row| (reading, row)));
    let numbers: Vec<(String, f64)> =
        of_all.flat_map(|(reading, row)| reading.probe.named(row)).collect();
    let network = Table::of("all_units", &numbers)
        .words("all_units", |number| number.0.clone())
        .digits("value", DIGITS, |number| number.1)
        .caption("What is measured of all units together.");
    let mut tables = Vec::new();
    if !of_units.is_empty() {
        tables.push(table.caption("What is measured of each unit."));
    }
    tables.extend(Some(network).filter(|table| table.rows() > 0));
    tables
}

/// What tables leave out: probes with one number per site or the like, and how many each has.
pub fn lists(readings: &[Reading]) -> Vec<String> {
    let counted = |reading: &Reading| {
        let Columns::Per(noun) = reading.probe.columns else { return None };
        let count = reading.rows.first().map_or(0, Vec::len);
        let of = if reading.is_of_units() { " for each unit" } else { "" };
        Some(format!(
            "{}: {count} numbers{of}, one per {noun}; --json writes them out",
            reading.probe.name
        ))
    };
    readings.iter().filter_map(counted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(shape: &[usize], data: Vec<f64>) -> Array {
        Array { name: "w".to_owned(), shape: shape.to_vec(), data }
    }

    fn ipr(fields: &Fields) -> Vec<f64> {
        fields.measure(&probes(&["ipr".to_owned()]).unwrap()).unwrap()[0].rows.concat()
    }

    #[test]
    fn rows_are_units_and_one_row_is_one_unit() {
        let two = Fields::new(&array(&[2, 4], vec![1.0, 1.0, 1.0, 1.0, 0.0, 3.0, 0.0, 0.0]), None);
        let two = two.unwrap();
        assert_eq!((two.units(), two.shape()), (2, &[4][..]));
        assert_eq!(ipr(&two), [0.25, 1.0]);
        let one = Fields::new(&array(&[4], vec![0.0, 0.0, 2.0, 0.0]), None).unwrap();
        assert_eq!((one.units(), ipr(&one)), (1, vec![1.0]));
    }

    #[test]
    fn a_shape_may_be_given_or_stand_in_the_array() {
        let data: Vec<f64> = (0..24).map(f64::from).collect();
        for axes in [&[2, 12][..], &[2, 3, 4], &[24]] {
            let fields = Fields::new(&array(axes, data.clone()), Some(&[3, 4])).unwrap();
            assert_eq!((fields.units(), fields.shape()), (2, &[3, 4][..]), "{axes:?}");
        }
        let fields = Fields::new(&array(&[2, 3, 4], data), None).unwrap();
        assert_eq!((fields.units(), fields.shape()), (2, &[3, 4][..]));
        assert_eq!(read_shape("30x20").unwrap(), [30, 20]);
        assert_eq!(read_shape("40").unwrap(), [40]);
        for bad in ["", "x", "3x", "0x3", "-1", "3.5", "99999999999x99999999999"] {
            assert!(read_shape(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_are_no_fields_is_refused_by_name() {
        let cases = [
            (array(&[0, 4], vec![]), "w has shape [0, 4] and no fields"),
            (array(&[], vec![1.0]), "w has shape [] and no fields"),
            (array(&[2, 2], vec![1.0, 2.0, f64::NAN, 1.0]), "w[1, 0] is NaN"),
            (array(&[3], vec![1.0, 2.0, f64::NEG_INFINITY]), "w[2] is -inf"),
            (array(&[3, 1], vec![1.0; 3]), "w has shape [3, 1]: one weight per unit"),
        ];
        for (array, message) in cases {
            assert_eq!(Fields::new(&array, None).unwrap_err().to_string(), message);
        }
        let error = Fields::new(&array(&[2, 10], vec![1.0; 20]), Some(&[3, 3])).unwrap_err();
        let message = "w has shape [2, 10]: 10 weights per unit, and a field of shape 3x3 has 9";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn every_probe_of_weights_alone_is_measured_without_names() {
        let fields = Fields::new(&array(&[3, 8], (0..24).map(f64::from).collect()), None).unwrap();
        let all = probes(&[]).unwrap();
        assert!(all.iter().any(|probe| probe.name == "ipr"));
        assert!(all.iter().all(|probe| !["bias", "loss", "weights"].contains(&probe.name)));
        let tables = tables(&fields.measure(&all).unwrap(), fields.units());
        let [units, network] = &tables[..] else { panic!("{tables:?}") };
        let names: Vec<&str> = units.columns.iter().map(|column| column.name.as_str()).collect();
        assert!(names[0] == "unit" && names.contains(&"ipr"), "{names:?}");
        assert_eq!((units.rows(), units.check(), network.check()), (3, Ok(()), Ok(())));
        assert!(units.lines(80).iter().all(|line| line.chars().count() <= 80));
        let first = network.only(&["all_units"]).lines(80);
        assert!(first.contains(&"population.localized".to_owned()), "{first:?}");
        assert!(lists(&fields.measure(&all).unwrap()).is_empty());
        let loss = probes(&["loss".to_owned()]).unwrap();
        let error = fields.measure(&loss).unwrap_err().to_string();
        assert_eq!(error, "the probe loss needs samples, not just weights");
        let error = probes(&["irp".to_owned()]).unwrap_err();
        assert_eq!(error.hint(), "did you mean `ipr`?");
    }
}
