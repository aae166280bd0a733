//! `fovea measure FILE.npy`: probes on anybody's weights.

use super::Scratch;
use super::snapshots::assert_stored_in;

/// An `.npy` file as NumPy writes it.
fn npy(shape: &str, data: &[f64]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data.iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

/// Three fields on a ring of eight sites: flat, one site, and a step.
fn three() -> Vec<f64> {
    let mut data = vec![0.5; 8];
    data.extend([0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    data.extend([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 0.0]);
    data
}

#[test]
fn a_table_is_as_stored() {
    let scratch = Scratch::new();
    scratch.write("w.npy", npy("(3, 8)", &three()));
    assert_stored_in(
        &scratch,
        "measure.txt",
        &["measure", "w.npy", "ipr", "norm", "spectrum", "sharing"],
    );
}

#[test]
fn without_names_every_probe_of_weights_with_named_numbers_is_taken() {
    let scratch = Scratch::new();
    scratch.write("w.npy", npy("(3, 8)", &three()));
    let table = scratch.fovea(&["measure", "w.npy"]).fine();
    let head = table.lines().next().unwrap();
    assert!(head.starts_with("unit") && head.contains(" ipr") && head.contains(" norm"), "{table}");
    for name in ["loss", "bias", "readout", "weights", "gates"] {
        assert!(!head.split_whitespace().any(|word| word == name), "{name}: {head}");
    }
    let lines = scratch.fovea(&["measure", "w.npy", "--json"]).json();
    let units: Vec<_> = lines.iter().filter(|line| line["type"] == "unit").collect();
    assert_eq!(units.len(), 3);
    let ipr: Vec<f64> = units.iter().map(|u| u["readings"]["ipr"].as_f64().unwrap()).collect();
    for (got, want) in ipr.iter().zip([1.0 / 8.0, 1.0, 1.0 / 7.0]) {
        assert!((got - want).abs() < 1e-15, "{got} {want}");
    }
    let end = lines.last().unwrap();
    assert_eq!((&end["units"], &end["shape"]), (&3.into(), &serde_json::json!([8])));
}

#[test]
fn numbers_per_site_are_counted_below_the_table_and_written_out_in_json() {
    let scratch = Scratch::new();
    scratch.write("w.npy", npy("(8,)", &three()[16..]));
    let table = scratch.fovea(&["measure", "w.npy", "spectrum", "weights"]).fine();
    for line in [
        "spectrum: 5 numbers for each unit, one per frequency; --json writes them out",
        "weights: 8 numbers for each unit, one per site; --json writes them out",
    ] {
        assert!(table.lines().any(|own| own == line), "{table}");
    }
    let lines = scratch.fovea(&["measure", "w.npy", "weights", "--json"]).json();
    assert_eq!(lines[0]["readings"]["weights"], serde_json::json!(three()[16..]));
}

#[test]
fn fields_on_a_torus_are_given_by_axes_or_by_shape() {
    let scratch = Scratch::new();
    let data: Vec<f64> = (0..24).map(|i| f64::from(i * i % 7)).collect();
    scratch.write("axes.npy", npy("(2, 3, 4)", &data));
    scratch.write("rows.npy", npy("(2, 12)", &data));
    let axes = scratch.fovea(&["measure", "axes.npy", "spectrum", "--json"]).fine();
    let rows =
        scratch.fovea(&["measure", "rows.npy", "spectrum", "--shape", "3x4", "--json"]).fine();
    let ring = scratch.fovea(&["measure", "rows.npy", "spectrum", "--json"]).fine();
    assert_eq!(axes, rows);
    assert_ne!(axes, ring);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let scratch = Scratch::new();
    scratch.write("w.npy", npy("(3, 8)", &three()));
    let measure = |args: &[&str], message: &str, hint: &str| {
        scratch.refuses(&[&["measure"], args].concat(), message, hint);
    };
    measure(&["w.npy", "irp"], "there is no probe called `irp`", "did you mean `ipr`?");
    let train = "measure it in a training run: fovea train with these weights and steps = 0";
    measure(&["w.npy", "loss"], "the probe loss needs samples, not just weights", train);
    measure(&["w.npy", "bias"], "the probe bias needs a whole network, not just weights", train);
    let message = "w.npy has shape [3, 8]: 8 weights per unit, and a field of shape 3x3 has 9";
    let hint = "give the --shape of one unit's field, such as 30x30";
    measure(&["w.npy", "--shape", "3x3"], message, hint);
    for shape in ["0x8", "-2", "2.5", "axb"] {
        let message = format!("`shape` is {shape}; it must be lengths of axes, each 1 or more");
        measure(&["w.npy", "--shape", shape], &message, "write --shape 30x30, for example");
    }
    let mut broken = three();
    broken[13] = f64::NAN;
    scratch.write("nan.npy", npy("(3, 8)", &broken));
    let hint = "a field is finite numbers; correct that row or leave it out";
    measure(&["nan.npy"], "nan.npy[1, 5] is NaN", hint);
    broken[13] = f64::INFINITY;
    scratch.write("inf.npy", npy("(3, 8)", &broken));
    measure(&["inf.npy"], "inf.npy[1, 5] is inf", hint);
    scratch.write("none.npy", npy("(0, 8)", &[]));
    let hint = "give one row of weights per unit";
    measure(&["none.npy"], "none.npy has shape [0, 8] and no fields", hint);
    let missing = "could not read no.npy: No such file or directory (os error 2)";
    measure(&["no.npy"], missing, "check the path");
    scratch.write("text.npy", "1 2 3");
    let message = "text.npy is not an array of numbers: it does not start as a .npy file does";
    let hint = "write it with numpy.save, as an array of numbers without gaps";
    measure(&["text.npy"], message, hint);
    scratch.write("cut.npy", &npy("(3, 8)", &three())[..200]);
    measure(&["cut.npy"], "cut.npy is not an array of numbers: it is cut short", hint);
}
