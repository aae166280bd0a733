//! What was set differently.

use crate::directory::Record;
use fovea_core::Value;

/// A setting that is not the same in all records.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its path, such as `gain` or `class.pos.stimulus.xi`.
    pub path: String,
    /// Its value in each record that has it.
    pub values: Vec<Option<Value>>,
}

/// The settings that differ, and what else decides the numbers, in the order in which records have them.
pub(super) fn differences(records: &[Record]) -> Vec<Setting> {
    let all: Vec<Vec<(String, Value)>> = records.iter().map(facts).collect();
    let mut paths: Vec<&String> = Vec::new();
    for (path, _) in all.iter().flatten() {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let setting = |path: &String| {
        let find = |facts: &Vec<(String, Value)>| {
            facts.iter().find(|(name, _)| name == path).map(|(_, value)| value.clone())
        };
        Setting { path: path.clone(), values: all.iter().map(find).collect() }
    };
    let differs = |setting: &Setting| {
        setting.values.windows(2).any(|pair| match (&pair[0], &pair[1]) {
            (Some(a), Some(b)) => !same(a, b),
            (a, b) => a.is_some() != b.is_some(),
        })
    };
    paths.into_iter().map(setting).filter(differs).collect()
}

/// Everything that decides the numbers of a run, by path. The stamp, which does not, is left out.
fn facts(record: &Record) -> Vec<(String, Value)> {
    let mut facts = vec![
        ("experiment".to_owned(), record.experiment.as_str().into()),
        ("seed".to_owned(), Value::Text(record.seed.to_string())),
        ("numeric_version".to_owned(), Value::Int(record.numeric_version)),
    ];
    for (key, value) in &record.settings {
        flatten(key, value, &mut facts);
    }
    facts
}

fn flatten(path: &str, value: &Value, facts: &mut Vec<(String, Value)>) {
    match value {
        Value::Table(rows) => {
            for (key, value) in rows {
                flatten(&format!("{path}.{key}"), value, facts);
            }
        }
        other => facts.push((path.to_owned(), other.clone())),
    }
}

/// Whether two values are the same; a whole number is the same however it is written.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => match (a.as_real(), b.as_real()) {
            (Some(a), Some(b)) => a.total_cmp(&b).is_eq(),
            _ => a == b,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(toml: &str) -> Record {
        let dir = std::env::temp_dir().join(format!(
            "fovea-settings-{}-{:?}-{}",
            std::process::id(),
            std::thread::current().id(),
            toml.len()
        ));
        std::fs::create_dir_all(&dir).unwrap();
        let head = "format = 1\nexperiment = \"train\"\nstatus = \"completed\"\nhash = \"0\"\nnumeric_version = 1\n";
        std::fs::write(dir.join("run.toml"), format!("{head}{toml}")).unwrap();
        let record = Record::open(&dir);
        std::fs::remove_dir_all(&dir).unwrap();
        record.unwrap()
    }

    #[test]
    fn only_what_differs_is_told_by_its_path() {
        let a = record(
            "seed = 1\n[settings]\nsteps = 10\nlr = 2\nx = [1, 2.0]\n[settings.class.pos]\nshare = 1.0\nstimulus = { name = \"nlgp\", xi = 2.0 }\n[stamp]\nhost = \"a\"\n",
        );
        let b = record(
            "seed = \"18446744073709551615\"\n[settings]\nsteps = 20\nlr = 2.0\nx = [1.0, 2]\n[settings.class.pos]\nshare = 1.0\nstimulus = { name = \"ising\", coupling = 0.5 }\n[stamp]\nhost = \"b\"\n",
        );
        let rows: Vec<(String, Vec<Option<String>>)> = differences(&[a.clone(), b])
            .into_iter()
            .map(|row| {
                (row.path, row.values.iter().map(|v| v.as_ref().map(Value::to_string)).collect())
            })
            .collect();
        let row = |path: &str, a: Option<&str>, b: Option<&str>| {
            (path.to_owned(), vec![a.map(str::to_owned), b.map(str::to_owned)])
        };
        let pos = "class.pos.stimulus";
        let expected = [
            row("seed", Some("1"), Some("18446744073709551615")),
            row("steps", Some("10"), Some("20")),
            row(&format!("{pos}.name"), Some("nlgp"), Some("ising")),
            row(&format!("{pos}.xi"), Some("2"), None),
            row(&format!("{pos}.coupling"), None, Some("0.5")),
        ];
        assert_eq!(rows, expected);
        assert_eq!(differences(&[a.clone(), a]), []);
    }
}
