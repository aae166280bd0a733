//! Puts what is kept of experiments into the program: what they came to at their default settings, and the hashes of their quick runs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let code = list("EVIDENCE", "evidence", "json")?
        + &list("HASHES", "golden/hashes/experiments", "toml")?;
    let out = env::var_os("OUT_DIR").expect("cargo says where what is built goes");
    fs::write(Path::new(&out).join("kept.rs"), code)
}

/// A list of the files of a folder with this ending, name and text of each.
fn list(name: &str, folder: &str, ending: &str) -> io::Result<String> {
    println!("cargo:rerun-if-changed={folder}");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|own| own == ending));
    files.sort();
    let mut code = format!("static {name}: &[(&str, &str)] = &[\n");
    for file in files {
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let stem = stem.expect("a file of a folder has a name");
        let path = Path::new("/").join(&file);
        let path = path.to_str().expect("names of the project are text");
        writeln!(
            code,
            "({stem:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))),"
        )
        .expect("writing to memory cannot fail");
    }
    Ok(code + "];\n")
}
