mod check;
mod claims;
mod coverage;

#[test]
fn every_file_on_disk_is_registered() {
    let strays = fovea_checks::check::LISTED.strays(env!("CARGO_MANIFEST_DIR")).unwrap();
    assert!(strays.is_empty(), "on disk but not registered, or the reverse: {strays:?}");
}
