//! The spread of a field over positions and over frequencies, and lower bounds on both together.

use crate::Form;

fovea_core::registry! {
    "src/uncertainty": Form;
    measures, maassen_uffink, massar_spindel, breitenberger, gaussian, real_gabor,
}
