//! Help and version.

use super::Scratch;
use fovea_lab::experiments;

#[test]
fn the_version_is_the_packages() {
    let version = format!("fovea {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(Scratch::new().fovea(&["--version"]).fine(), version);
    assert_eq!(Scratch::new().fovea(&["-V"]).fine(), version);
}

#[test]
fn help_of_an_experiment_lists_every_setting_with_its_default() {
    for row in experiments::ALL.iter() {
        let help = Scratch::new().fovea(&["run", row.name, "--help"]).fine();
        let flat = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for field in (row.schema)() {
            let flag = format!(
                "--{} <VALUE> {}",
                field.name.replace('_', "-"),
                field.doc.trim_end_matches('.')
            );
            let (_, rest) =
                flat.split_once(&flag).unwrap_or_else(|| panic!("{flag} is not in {help}"));
            let default = format!("[default: {}", field.default);
            let end = rest.find("--").unwrap_or(rest.len());
            assert!(rest[..end].contains(&default), "{}: {default} is not in {rest}", field.name);
        }
        let about = row.about().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(&about), "{help}");
    }
}

#[test]
fn help_names_the_exit_codes_and_every_command() {
    let scratch = Scratch::new();
    let help = scratch.fovea(&["--help"]).fine();
    for word in [
        "run",
        "report",
        "compare",
        "measure",
        "bench",
        "list",
        "show",
        "eval",
        "Exit status: 0 fine, 1 a claim failed",
    ] {
        assert!(help.contains(word), "{word}");
    }
    // Without a command the help is an error, since nothing was asked for.
    let told = scratch.fovea::<&str>(&[]);
    assert_eq!((told.code, told.out.as_str()), (Some(2), ""));
    assert_eq!(told.err, help);
}
