mod cumulant_direction;
mod deformation;
mod dictator;
mod early_time;
mod elliptical_never_localizes;
mod elliptical_panel;
mod fields_2d;
mod fig3_panels;
mod fourier_basis;
mod gabor_or_not;
mod gate_flips;
mod handover;
mod localize;
mod loss_label_bias;
mod moments;
mod rehearsal;
mod repel_or_pair;
mod starting_loss;
mod swapped_classes;
mod uncertainty_in_time;
mod where_it_lands;

#[test]
fn every_file_on_disk_is_registered() {
    let strays = fovea_fields::LISTED.strays(env!("CARGO_MANIFEST_DIR")).unwrap();
    assert!(strays.is_empty(), "on disk but not registered, or the reverse: {strays:?}");
}
