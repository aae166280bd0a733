//! The claims on elliptical data, and a line for each law.

use super::EllipticalNeverLocalizes;
use super::measure::LawRuns;
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::prelude::*;
use fovea_record::bound::one_sided;

pub(super) fn claims(
    settings: &EllipticalNeverLocalizes,
    laws: &[LawRuns],
) -> Result<Vec<Claim>, LabError> {
    let dictator = settings.two_class().dictator()?;
    let (mut lengths, mut gaussian) = (Vec::new(), Vec::new());
    let (mut widths, mut localized) = (Vec::new(), Vec::new());
    let mut claims = Vec::new();
    for runs in laws {
        let (end, closed) = runs.ipr_at_end()?;
        if let (Some(along), Some(factor)) =
            (runs.length_along(settings.sized_at())?, runs.law.factor(settings.n))
        {
            // In units of the Gaussian field: the constant over the Gaussian one, which is 1 in the wrong form.
            let size =
                Estimate::from_parts(factor * along.mean(), factor * along.se(), along.count())?;
            lengths.push((size, factor));
            gaussian.push((size, 1.0));
        }
        match closed {
            Some(closed) => {
                widths.push((end, closed));
                localized.push((end, dictator.ipr));
            }
            None => claims.push(one_sided(
                "L003.18",
                "the same starts localize on data that are not elliptical: IPR at the end"
                    .to_owned(),
                end,
                LEAST_IPR,
                true,
            )),
        }
    }
    let first = vec![
        Claim::family(
            "L000.11",
            "the size of the field, once its norm has settled, over that of Gaussian data is the law's constant over the Gaussian one",
            &lengths,
        )
        .rejecting("the Gaussian constant whatever the law", &gaussian),
        Claim::family("L003.18", "IPR at the end is that of the closed flow, which never localizes", &widths)
            .rejecting("the dictator state's", &localized),
    ];
    Ok(first.into_iter().chain(claims).collect())
}

/// One line a law.
pub(super) fn lines(
    settings: &EllipticalNeverLocalizes,
    laws: &[LawRuns],
) -> Result<Vec<String>, LabError> {
    let mut lines = vec![format!(
        "{:>9} {:>9} {:>9} {:>9} {:>9}",
        "law", "c/c_gauss", "size", "ipr", "ipr flow"
    )];
    for runs in laws {
        let (end, closed) = runs.ipr_at_end()?;
        let size = match (runs.length_along(settings.sized_at())?, runs.law.factor(settings.n)) {
            (Some(along), Some(factor)) => {
                format!("{factor:>9.4} {:>9.4}", factor * along.mean())
            }
            _ => format!("{:>9} {:>9}", "-", "-"),
        };
        let closed = closed.map_or_else(|| "-".to_owned(), |ipr| format!("{ipr:.4}"));
        let name = runs.law.name();
        lines.push(format!("{name:>9} {size} {:>9.4} {closed:>9}", end.mean()));
    }
    Ok(lines)
}
