//! Every closed form, and its wrong form, at its default arguments.

use crate::digest::Digest;
use crate::kept::{Bless, Hashes};
use fovea_core::Value;
use libtest_mimic::Trial;

/// One test for all of them: together they take a second, and each has its line.
pub(crate) fn trial(bless: Bless) -> Trial {
    Trial::test("forms::at_their_default_arguments", move || {
        let mut hashes = Hashes::default();
        for form in fovea_theory::forms() {
            hashes.put("numbers", form.name, hash(form.name, &form.at(&Vec::new())?));
            hashes.put("controls", form.name, hash(form.name, &form.control.at(&Vec::new())?));
        }
        Ok(hashes.settle("forms.toml", bless)?)
    })
}

fn hash(name: &str, value: &Value) -> String {
    let mut digest = Digest::of(name);
    digest.value(value);
    digest.hex()
}
