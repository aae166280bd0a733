//! How far each theory's gated mean is from the sum over all corners, at random weights.

use super::Amplifier;
use super::theories::{Theories, Theory};
use fovea_core::stats::{Estimate, quantile};
use fovea_core::streams::Streams;
use fovea_desk::error::LabError;
use fovea_desk::two_class::relative_distance;
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;

/// Couplings at which gated means are compared.
pub(super) const COUPLINGS: [f64; 3] = [0.0, 0.3, 0.7];

/// Errors at one coupling: a row for each draw, a column for each approximate theory.
pub(super) struct Errors {
    pub(super) coupling: f64,
    rows: Vec<Vec<f64>>,
}

impl Errors {
    pub(super) fn measure(
        settings: &Amplifier,
        coupling: f64,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let theories = Theories::new(settings.n, coupling, coupling)?;
        let stream = streams.named("directions");
        let rows = (0..settings.draws as u64).map(|draw| {
            let mut w = vec![0.0; settings.n];
            stream.normals(draw, &mut w);
            let exact = theories.gated_mean(Theory::Exact, &w);
            let of = |theory| relative_distance(&theories.gated_mean(theory, &w), &exact);
            Theory::APPROXIMATE.map(of).to_vec()
        });
        Ok(Self { coupling, rows: rows.collect() })
    }

    fn column(&self, theory: Theory) -> Vec<f64> {
        self.rows.iter().map(|row| row[theory.index()]).collect()
    }

    pub(super) fn mean(&self, theory: Theory) -> Result<Estimate, LabError> {
        Ok(Estimate::from_samples(&self.column(theory))?)
    }

    /// Mean and median of every theory, in words.
    pub(super) fn in_words(&self) -> Result<String, LabError> {
        let mut line = format!("J = {:<4}", self.coupling);
        for theory in Theory::APPROXIMATE {
            let column = self.column(theory);
            let (mean, median) = (self.mean(theory)?.mean(), quantile(&column, 0.5)?);
            let word = theory.word();
            line = format!("{line} {word} {mean:.3} ({median:.3})");
        }
        Ok(line)
    }

    pub(super) fn array(&self) -> Array {
        Array::of_rows(format!("f_errors_J{}", self.coupling), &self.rows)
    }

    /// Draw by draw, the Edgeworth form is nearer than the amplifier.
    pub(super) fn claim(&self) -> Result<Claim, LabError> {
        let ratio =
            |row: &Vec<f64>| row[Theory::Edgeworth.index()] / row[Theory::Amplifier.index()];
        let ratios: Vec<f64> = self.rows.iter().map(ratio).collect();
        let statement = format!(
            "J = {}: at random weights the Edgeworth form with exact fourth cumulants is nearer to the gated mean over all corners than the amplifier: mean ratio of errors below 1",
            self.coupling
        );
        Ok(one_sided("L000.38", statement, Estimate::from_samples(&ratios)?, 1.0, false))
    }
}
