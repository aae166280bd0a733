use fovea_fields::uncertainty_in_time::paths::{MEASURES, PROBES};
use fovea_sim::probe::Columns;

#[test]
fn the_measures_are_the_first_columns_of_the_probe() {
    let Columns::Named(columns) = PROBES[0].columns else { panic!("columns have names") };
    for (measure, column) in MEASURES.iter().zip(columns) {
        assert_eq!(measure.name, *column);
    }
}
