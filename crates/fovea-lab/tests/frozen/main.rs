//! Every recorded number and word against what is kept of it, one test for each experiment and each example.
//!
//! An experiment's quick run (seed 0) holds its claims, leaves a whole record, agrees with its golden record, and has the
//! hashes kept in `golden/hashes`, also where another engine trains; so have `verify --quick`, the first steps of every
//! example, and every closed form. What runs, examples and `verify` say is in plain words (`plain`).
//! `FOVEA_BLESS=1` rewrites golden records and hashes; `FOVEA_BLESS=words` takes over changed words alone, and fails
//! where a number moved.
//!
//! The tests are made from the registries while the program runs, so the harness is `libtest-mimic`:
//! `cargo test --release -p fovea-lab --test frozen -- --exact experiments::localize` runs one.

#[cfg(test)]
mod digest;
#[cfg(test)]
mod engine;
#[cfg(test)]
mod evidence;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod experiments;
#[cfg(test)]
mod files;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod kept;
#[cfg(test)]
mod noticed;
#[cfg(test)]
mod outcome;
#[cfg(test)]
#[path = "../plain/mod.rs"]
mod plain;
#[cfg(test)]
mod plain_words;
#[cfg(test)]
mod printed;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod verify;

fn main() -> std::process::ExitCode {
    use libtest_mimic::{Arguments, Trial, run};
    let bless = kept::Bless::asked();
    let mut arguments = Arguments::from_args();
    // A run spreads its work over all cores by itself; several at a time would only share them.
    arguments.test_threads.get_or_insert(1);
    // Where cargo runs a test; so the tests are the same from anywhere.
    std::env::set_current_dir(env!("CARGO_MANIFEST_DIR")).expect("the crate's folder is there");
    let controls = [
        engine::CONTROLS,
        evidence::CONTROLS,
        files::CONTROLS,
        golden::CONTROLS,
        kept::CONTROLS,
        noticed::CONTROLS,
        plain_words::CONTROLS,
        printed::CONTROLS,
    ]
    .concat();
    let control = |(name, test): (&str, fn())| {
        let passes = move || {
            test();
            Ok(())
        };
        Trial::test(name, passes)
    };
    let mut trials = vec![forms::trial(bless)];
    trials.extend(examples::trials(bless));
    trials.push(verify::trial(bless));
    trials.extend(experiments::trials(bless));
    // Behind those that write: an engine is compared with what is kept, whatever is blessed.
    trials.extend(engine::trials(&arguments));
    // Last, when every file that is to be written is there.
    trials.extend(controls.into_iter().map(control));
    run(&arguments, trials).exit_code()
}
