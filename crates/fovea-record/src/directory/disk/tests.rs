use super::*;

/// A directory of its own, gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        let path = draft_in(&std::env::temp_dir()).with_extension("disk");
        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_are_read_up_to_their_limit_and_only_files() {
    let scratch = Scratch::new();
    let path = scratch.0.join("a");
    fs::write(&path, b"1234").unwrap();
    assert_eq!(read_file(&path, 4).unwrap(), b"1234");
    let error = read_file(&path, 3).unwrap_err();
    assert!(matches!(error, RecordError::TooLarge { .. }), "{error}");
    let error = read_text(Path::new("/dev/zero"), 100).unwrap_err();
    assert!(error.to_string().starts_with("/dev/zero is not a file: "), "{error}");
    // A file that claims to be empty and is not.
    assert!(read_file(Path::new("/proc/self/status"), 1 << 20).unwrap().len() > 100);
}

#[test]
#[cfg(unix)]
fn links_are_replaced_and_never_followed() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new();
    let [victim, link, folder] = ["victim", "link", "folder"].map(|name| scratch.0.join(name));
    fs::write(&victim, b"mine").unwrap();
    symlink(&victim, &link).unwrap();
    write_whole(&link, b"new").unwrap();
    assert_eq!(
        (fs::read(&victim).unwrap(), fs::read(&link).unwrap()),
        (b"mine".into(), b"new".into())
    );
    assert!(link.symlink_metadata().unwrap().is_file());
    symlink(&scratch.0, &folder).unwrap();
    assert!(make_folder(&folder).is_err());
    assert!(
        make_folder(&scratch.0.join("made")).is_ok()
            && make_folder(&scratch.0.join("made")).is_ok()
    );
    let left = fs::read_dir(&scratch.0).unwrap().flatten().filter(|e| is_draft(&e.file_name()));
    assert_eq!(left.count(), 0);
}

#[test]
fn a_directory_takes_no_name_that_is_taken() {
    let scratch = Scratch::new();
    let [from, taken, free] = ["from", "taken", "free"].map(|name| scratch.0.join(name));
    fs::create_dir(&from).unwrap();
    // Empty, so that an ordinary renaming would replace it.
    fs::create_dir(&taken).unwrap();
    assert_eq!(rename_to_free(&from, &taken).unwrap_err().kind(), ErrorKind::AlreadyExists);
    rename_to_free(&from, &free).unwrap();
    assert!(free.is_dir() && !from.exists());
}

#[test]
fn drafts_are_swept_and_nothing_else() {
    let scratch = Scratch::new();
    for name in [
        ".1-0.draft",
        "my.draft",
        "arrays/.1-2.draft",
        "arrays/.draft",
        "checkpoints/000000000007.draft/w.npy",
        "checkpoints/.1-3.draft/w.npy",
    ] {
        let path = scratch.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"").unwrap();
    }
    sweep(&scratch.0);
    let mut left: Vec<_> = ["", "arrays", "checkpoints"]
        .iter()
        .flat_map(|folder| fs::read_dir(scratch.0.join(folder)).unwrap().flatten())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, [".draft", "arrays", "checkpoints", "my.draft"]);
}
