//! One item = one file + one registry line.
//!
//! [`registry!`](crate::registry!) declares the files of a folder, collects their `ENTRY` in `ALL`, and adds the test
//! that fails when a file on disk is not listed. Shells, docs and property tests loop over `ALL`.

use crate::params::{Assignments, Field, ParamError, Params};
use crate::value::MOST_LEVELS;

/// One registered item with parameters: what it is called, what it takes, how it is made.
pub struct Entry<T> {
    /// The name in the shells, with hyphens.
    pub name: &'static str,
    /// One sentence that says what the item is.
    pub summary: &'static str,
    /// Every parameter with its documentation, range, unit and default.
    pub schema: fn() -> Vec<Field>,
    /// Makes the item from assigned values, the rest at their defaults.
    pub build: fn(&Assignments) -> Result<T, ParamError>,
}

/// Parses `values` into a parameter struct: defaults first, then each assignment, then the cross-field rules.
///
/// # Errors
/// The first unknown key, wrong type, value out of range, or broken cross-field rule.
pub fn resolve<P: Params>(values: &Assignments) -> Result<P, ParamError> {
    shallow(values)?;
    let mut params = P::default();
    for (key, value) in values {
        params.assign(key, value)?;
    }
    params.check()?;
    Ok(params)
}

/// Refuses values that are nested deeper than [`MOST_LEVELS`].
///
/// # Errors
/// The first such value, by its key.
pub fn shallow(values: &Assignments) -> Result<(), ParamError> {
    match values.iter().find(|(_, value)| value.is_deeper_than(MOST_LEVELS)) {
        Some((key, _)) => Err(too_deep(key)),
        None => Ok(()),
    }
}

/// The error that the value at `key` is nested too deep.
pub fn too_deep(key: &str) -> ParamError {
    ParamError::Inconsistent {
        what: format!(
            "`{key}` has more than {MOST_LEVELS} levels of lists and items within each other"
        ),
        hint: format!("nest at most {MOST_LEVELS} deep"),
    }
}

/// Names the files in `folder` that the registry does not list, and the listed ones that are not there.
///
/// # Errors
/// The folder cannot be read.
pub fn strays(folder: &std::path::Path, listed: &[&str]) -> std::io::Result<Vec<String>> {
    let mut on_disk = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let item = name.strip_suffix(".rs").unwrap_or(&name).to_owned();
        if item != "mod" {
            on_disk.push(item);
        }
    }
    let mut strays: Vec<String> =
        on_disk.iter().filter(|f| !listed.contains(&f.as_str())).cloned().collect();
    strays.extend(
        listed.iter().filter(|l| !on_disk.iter().any(|f| f == *l)).map(ToString::to_string),
    );
    strays.sort();
    Ok(strays)
}

/// Which files of a folder a registry lists.
pub struct Listed {
    /// The folder, relative to the manifest of its crate.
    pub folder: &'static str,
    /// Its files without their ending: the items and what they share.
    pub files: &'static [&'static str],
}

impl Listed {
    /// Names what is on disk but not listed, and the reverse, for a crate whose manifest is in `root`.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn strays(&self, root: &str) -> std::io::Result<Vec<String>> {
        strays(&std::path::Path::new(root).join(self.folder), self.files)
    }
}

/// Declares the files of a folder and builds `ALL` from their `ENTRY` items.
///
/// `registry! { "src/stimulus": Entry<Box<dyn Stimulus>>; gaussian, nlgp }` expands to `pub mod gaussian; …`,
/// `pub static ALL: &[&Entry<…>]`, and a test that the folder holds exactly the listed files. Files that are not items
/// are named after the type: `Entry<…>, beside helper;`. A crate whose library is compiled without tests checks `LISTED`
/// for strays in a test of its own.
#[macro_export]
macro_rules! registry {
    ($folder:literal: $item:ty $(, beside $($helper:ident),+)?; $($file:ident),+ $(,)?) => {
        $(pub mod $file;)+

        /// Every registered item of this folder, in the order of the registry.
        ///
        /// It is a `static`, so that code that looks through it does not compile every item again.
        pub static ALL: &[&$item] = &[$(&$file::ENTRY),+];

        /// The files that this registry lists.
        pub static LISTED: $crate::registry::Listed = $crate::registry::Listed {
            folder: $folder,
            files: &[$(stringify!($file)),+ $($(, stringify!($helper))+)?],
        };

        #[cfg(test)]
        mod registry_tests {
            #[test]
            fn every_file_on_disk_is_registered() {
                let strays = super::LISTED.strays(env!("CARGO_MANIFEST_DIR")).unwrap();
                assert!(strays.is_empty(), "in {} but not registered, or the reverse: {strays:?}", $folder);
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_orphan_file_is_found() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let strays = strays(&folder, &["lib", "value"]).unwrap();
        assert!(strays.contains(&"registry".to_owned()));
        assert!(!strays.contains(&"value".to_owned()));
    }

    #[test]
    fn a_listed_file_that_is_missing_is_found() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(
            super::strays(&folder, &["no_such_file"]).unwrap().contains(&"no_such_file".into())
        );
    }
}
