//! Settings of a training file as a user gives them: by paths into nested items, with every default in a record.

use super::{EXPERIMENT, Training, TrainingJob, latest};
use crate::{Conditions, Outcome, Prepared, Silent};
use fovea_core::agree::same_bits;
use fovea_core::params::{Assignments, ParamError, Schema};
use fovea_core::{Matrix, Value};
use fovea_record::complete::complete;
use fovea_record::config::read_config;
use fovea_record::outcome::Status;
use fovea_record::settings::set_path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn set(paths: &[(&str, &str)]) -> Result<Training, ParamError> {
    let mut settings = Assignments::new();
    for (path, typed) in paths {
        set_path(&mut settings, &Training::schema(), path, Value::from_typed(typed))?;
    }
    fovea_core::registry::resolve(&settings)
}

#[test]
fn a_path_changes_one_parameter_and_keeps_the_others() {
    let training = set(&[("network.width", "3"), ("network.activation", "erf")]).unwrap();
    let text = Value::Table(training.values()).to_string();
    assert!(text.contains("committee(width=3, activation=erf)"), "{text}");
    let training = set(&[("class.pos.stimulus.gain", "7"), ("class.neg.share", "2")]).unwrap();
    let text = training.values()[0].1.to_string();
    assert!(text.contains("nlgp(xi=2, gain=7)") && text.contains("nlgp(xi=1)"), "{text}");
    assert!(text.contains("share = 2"), "{text}");
}

#[test]
fn a_path_that_leads_nowhere_is_refused_by_name() {
    let cases = [
        ("netwrok.width", "there is no parameter `netwrok`"),
        ("network.widht", "there is no parameter `network.widht`"),
        ("steps.x", "`steps` is 1000, which has no parameter `x`"),
        ("class.pos.stimulus.gian", "there is no parameter `class.pos.stimulus.gian`"),
        ("dynamics.schedule.end", "there is no parameter `dynamics.schedule.end`"),
    ];
    for (path, message) in cases {
        let error = set(&[(path, "3")]).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_record_keeps_every_default_of_every_item() {
    let training = set(&[("class.pos.stimulus", "scaled(base=ising)"), ("class.pos.label", "1")]);
    let settings = complete(&training.unwrap().values(), &Training::schema());
    let text = Value::Table(settings.clone()).to_string();
    assert!(text.contains("scaled(base=ising(n=40, coupling=0.5), factor=normal)"), "{text}");
    assert!(text.contains("schedule=constant") && text.contains("init_scale=1"), "{text}");
    // What is complete stays as it is, and describes the same run.
    let again: Training = fovea_core::registry::resolve(&settings).unwrap();
    assert_eq!(complete(&again.values(), &Training::schema()), settings);
}

/// Checkpoints that are kept by time: the latest two stay, and from each of them the run resumes to the same bits.
#[test]
fn a_run_goes_on_from_the_checkpoints_that_a_clock_asked_for() {
    let dir = std::env::temp_dir().join(format!("fovea-by-time-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let typed = |key: &str, typed: &str| (key.to_owned(), Value::from_typed(typed));
    let settings = vec![
        typed("steps", "40"),
        typed("eval_samples", "64"),
        typed("dynamics", "adam(batch=32)"),
        typed("probes", "loss,gates,weights"),
    ];
    let stop = AtomicBool::new(false);
    let conditions = Conditions::new(2, &Silent, &stop);
    let job = || TrainingJob::new(&settings).unwrap();
    let whole = job().run(&conditions).unwrap();
    let kept = TrainingJob { pause: Duration::ZERO, ..job().keeping_in(&dir, "hash") };
    kept.run(&conditions).unwrap();
    let mut steps: Vec<String> = std::fs::read_dir(dir.join("checkpoints"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    steps.sort();
    assert_eq!(steps.len(), 2, "{steps:?}");
    for step in steps.iter().rev() {
        let saved = latest(&dir, "hash", &[]).unwrap().unwrap();
        assert_eq!(format!("{:012}", saved.step()), *step);
        let again = job().from_checkpoint(saved).run(&conditions).unwrap();
        assert_eq!(again.status, whole.status);
        same_bits(&again.series.value, &whole.series.value).unwrap();
        for (again, whole) in again.arrays.iter().zip(&whole.arrays) {
            same_bits(&again.data, &whole.data).unwrap();
        }
        std::fs::remove_dir_all(dir.join("checkpoints").join(step)).unwrap();
    }
    std::fs::remove_dir_all(dir).unwrap();
}

/// Earlier runs took all rows; a file of today holds a fifth of them out.
#[test]
fn a_record_that_knows_of_no_rows_held_out_is_run_again_without_any() {
    let folder = std::env::temp_dir().join(format!("fovea-held-out-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let class = |name: &str| {
        let rows: Vec<String> = (0..60).map(|i| format!("[{i}, 1]")).collect();
        format!(
            "[settings.class.{name}]\nstimulus = {{ name = \"scaled\", base = {{ name = \"array\", samples = [{}] }} }}\n",
            rows.join(", ")
        )
    };
    let text = format!("{}{}", class("pos"), class("neg"));
    let read = |text: &str| {
        let path = folder.join("run.toml");
        std::fs::write(&path, text).unwrap();
        let config = read_config(&path, EXPERIMENT, &Training::schema()).unwrap();
        let settings = TrainingJob::new(&config.settings).unwrap().settings();
        let class = settings[0].1.get("neg").unwrap().clone();
        class.get("stimulus").unwrap().get("base").unwrap().get("held_out").unwrap().clone()
    };
    let record = read(&format!("experiment = \"train\"\nformat = 1\n{text}"));
    let of_today = read(&text.replace("settings.", ""));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((record, of_today), (Value::Real(0.0), Value::Text("auto".to_owned())));
}

/// A short run on two classes of 100 rows.
fn on_rows(held_out: &Value) -> Outcome {
    let class = |name: &str, place: f64| {
        let numbers = (0..300).map(|i| place + f64::from(i % 7)).collect();
        let samples = Value::Array(Matrix::new(3, numbers));
        let stimulus =
            [("name", "array".into()), ("samples", samples), ("held_out", held_out.clone())];
        let class = [("stimulus", Value::table(stimulus)), ("label", place.into())];
        (name.to_owned(), Value::table(class))
    };
    let probes = ["accuracy", "training-accuracy", "loss", "ipr"].map(Value::from);
    let settings = vec![
        ("class".to_owned(), Value::Table(vec![class("pos", 1.0), class("neg", 0.0)])),
        ("steps".to_owned(), 3_usize.into()),
        ("probes".to_owned(), Value::List(probes.to_vec())),
    ];
    let job = TrainingJob::new(&settings).unwrap();
    job.run(&Conditions::new(1, &Silent, &AtomicBool::new(false))).unwrap()
}

#[test]
fn readings_and_axes_say_which_rows_they_are_of() {
    let [held_out, none] = ["auto".into(), 0.0.into()].map(|held_out| on_rows(&held_out));
    let rows = |outcome: &Outcome, probe: &str| {
        let table = outcome.report.tables().next().unwrap();
        let column = |name: &str| table.columns.iter().find(|c| c.name == name).unwrap();
        let at = (0..table.rows()).find(|row| column("reading").cells.shown(*row) == probe);
        column("measured_on").cells.shown(at.unwrap())
    };
    assert_eq!(rows(&held_out, "accuracy"), "held-out rows");
    assert_eq!(rows(&held_out, "training-accuracy"), "training rows");
    assert_eq!(rows(&none, "accuracy"), "training rows");
    assert_eq!(rows(&none, "ipr"), "");
    let axes = |outcome: &Outcome| -> Vec<String> {
        outcome.figures[0].1.panels.iter().map(|panel| panel.y.label.clone()).collect()
    };
    let rows = [
        "accuracy, held-out rows",
        "training-accuracy, training rows",
        "loss, held-out rows",
        "ipr",
    ];
    assert_eq!(axes(&held_out)[..4], rows);
    assert_eq!(axes(&none)[..3], rows.map(|axis| axis.replace("held-out", "training"))[..3]);
    let says = |outcome: &Outcome, words: &str| {
        ["pos", "neg"]
            .iter()
            .all(|class| outcome.summary.contains(&format!("class {class}: {words}")))
    };
    assert!(says(&held_out, "20 rows are held out, 80 are trained on"));
    assert!(says(&none, "all 100 rows are trained on, none is held out"));
    let told = format!("{:?}", none.report.tables().collect::<Vec<_>>());
    assert!(told.contains("training rows") && !told.contains("held-out rows"));
}

#[test]
fn a_probe_named_twice_is_refused() {
    for typed in ["ipr,ipr", "loss,field-shape,ipr,field_shape"] {
        let error = set(&[("probes", typed)]).unwrap_err();
        let twice = if typed.contains("field") { "field-shape" } else { "ipr" };
        assert_eq!(error.to_string(), format!("`probes` names {twice} twice"));
    }
    assert_eq!(set(&[("probes", "ipr,norm")]).unwrap().probes.0.len(), 2);
}

/// All steps are taken and every number is finite: only the summary can say that the run did not learn.
#[test]
fn a_loss_that_ends_above_its_start_is_said_to_have_grown() {
    let summary = |lr: &str| {
        let adam = format!("adam(lr={lr}, batch=100)");
        let set = [("dynamics", adam.as_str()), ("steps", "5"), ("eval_samples", "256")];
        let job = TrainingJob::new(&self::set(&set).unwrap().values()).unwrap();
        let outcome = job.run(&Conditions::new(1, &Silent, &AtomicBool::new(false))).unwrap();
        assert_eq!(outcome.status, Status::Completed);
        outcome.summary
    };
    let grown = |lines: &[String]| lines.iter().any(|line| line.starts_with("the loss grew"));
    assert!(grown(&summary("1e10")));
    assert!(!grown(&summary("0.001")));
}
