//! How widely a field is spread over places and over frequencies, and how little of both there can be.

use crate::Form;

fovea_core::registry! {
    "src/uncertainty": Form;
    measures, maassen_uffink, massar_spindel, breitenberger, gaussian, real_gabor,
}
