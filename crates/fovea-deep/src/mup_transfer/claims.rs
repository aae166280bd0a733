//! The claims of `mup-transfer`.

use super::{ARMS, Found, MupTransfer};
use fovea_desk::prelude::*;
use fovea_desk::widths::limiting_exponent;

pub(super) fn claims(settings: &MupTransfer, found: &Found) -> Result<Vec<Claim>, LabError> {
    let mut claims = Vec::new();
    for (s, arms) in settings.activations().iter().zip(&found.sweeps) {
        let [standard, mup] =
            arms.each_ref().map(|arm| limiting_exponent(&settings.width, &arm.best));
        let (standard, mup) = (standard?, mup?);
        let pairs = [(standard, ARMS[0].1), (mup, ARMS[1].1)];
        let swapped = [(standard, ARMS[1].1), (mup, ARMS[0].1)];
        let what = format!(
            "exponents in the width of the best learning rate of {} networks, standard and muP",
            s.name()
        );
        let claim = Claim::family("T05.3", what, &pairs)
            .rejecting("the exponents of the other parametrisation", &swapped);
        let split = arms.iter().zip(&ARMS).flat_map(|(arm, (name, _))| {
            let two = settings.width.iter().zip(&arm.valleys).filter(|(_, count)| **count > 1);
            two.map(move |(width, _)| format!("{} at width {width}", name.word()))
        });
        let split: Vec<String> = split.collect();
        claims.push(if split.is_empty() {
            claim
        } else {
            claim.unchecked(format!(
                "the loss has more than one valley over the rate: {}",
                split.join(", ")
            ))
        });
    }
    let [by_layer, one] = [0, 1].map(|k| limiting_exponent(&settings.wider(), &found.moved[k]));
    let (by_layer, one) = (by_layer?, one?);
    let what = "exponents in the width of how far one step moves the outputs from the start of muP: its rates by layer, and one rate";
    let claim = Claim::family("T05.3", what, &[(by_layer, 0.0), (one, 1.0)]);
    claims.push(claim.rejecting("0 with one rate, as printed", &[(one, 0.0)]));
    Ok(claims)
}
