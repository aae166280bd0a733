//! Claims that a mean lies on one side of a bound, and claims that runs end alike.

use crate::claim::{Claim, Control, Decision, Evidence};
use fovea_core::agree::noise_limit;
use fovea_core::special::normal_quantile;
use fovea_core::stats::Estimate;
use fovea_page::table::Table;

/// A mean on one side of a bound; the other side is the wrong form, so that a mean too near to tell is unchecked.
///
/// The resolution is that of a bound, not of a value: by how much it could move before the check would notice.
pub fn one_sided(
    id: &'static str,
    statement: String,
    mean: Estimate,
    bound: f64,
    above: bool,
) -> Claim {
    let nearest = |above: bool| if above { mean.mean().max(bound) } else { mean.mean().min(bound) };
    let claim = Claim::family(id, statement, &[(mean, nearest(above))]);
    // A mean beyond the bound has failed, however well it agrees with the wrong form.
    let claim = if claim.z.abs() > claim.limit {
        claim
    } else {
        let wrong = format!("a value {} {bound}", if above { "below" } else { "above" });
        claim.rejecting(wrong, &[(mean, nearest(!above))])
    };
    let resolution = (claim.limit * mean.se() + (mean.mean() - bound).abs()) / bound.abs();
    // That a trained mean lies on one side of a bound is a phenomenon, not an identity.
    let evidence = Evidence::Shown;
    Claim { predicted: bound, resolution, evidence, ..claim }.only_as_stated()
}

/// Of two samples of independent numbers, those of the first tend to be lower: the exact test of Mann and Whitney, which assumes no
/// distribution. If both have the same distribution, every order of them is equally likely; a tie counts against the claim.
///
/// What is shown is the share of pairs in this order, and its distance from one half as a standard normal score of the probability
/// that as many pairs are in order by chance.
///
/// # Panics
/// There is no number of one kind.
pub fn lower(id: &'static str, statement: String, low: &[f64], high: &[f64]) -> Claim {
    let pairs = low.len() * high.len();
    assert!(pairs > 0, "both kinds have numbers");
    let in_order = |below: &[f64], above: &[f64]| {
        below.iter().map(|a| above.iter().filter(|b| a < b).count()).sum::<usize>()
    };
    let score = |ordered: usize| -normal_quantile(chance(low.len(), high.len(), ordered)).min(0.0);
    let (for_it, against) = (in_order(low, high), in_order(high, low));
    let (above, below) = (score(for_it), score(against));
    let share = for_it as f64 / pairs as f64;
    let limit = noise_limit(1, f64::INFINITY);
    let control = Control {
        form: "no difference between the two, every order equally likely".to_owned(),
        predicted: 0.5,
        measured: share,
        z: above,
        slack: 0.0,
    };
    let claim = Claim {
        predicted: 0.5,
        measured: share,
        // The spread of the share if both have the same distribution.
        se: ((low.len() + high.len() + 1) as f64 / (12 * pairs) as f64).sqrt(),
        z: -below,
        limit,
        resolution: 0.5,
        why_unchecked: None,
        control: (below <= limit).then_some(control),
        ..Claim::undecided(id, statement, 0.5, "")
    };
    claim.only_as_stated()
}

/// The probability that at least `ordered` of the pairs of `a` and `b` numbers with the same distribution are in a given order: the
/// share of all assignments of ranks that have as many.
fn chance(a: usize, b: usize, ordered: usize) -> f64 {
    // ways[i][u]: of i numbers of the first kind and those of the second so far, orders with u pairs in order, as a chance.
    // The last rank is one of the first kind, which no pair counts, or one of the second, above all i of the first.
    let mut ways = vec![vec![0.0; a * b + 1]; a + 1];
    for j in 0..=b {
        for i in 0..=a {
            let all = (i + j) as f64;
            let next: Vec<f64> = (0..=a * b)
                .map(|u| {
                    let last_first = if i > 0 { ways[i - 1][u] * i as f64 / all } else { 0.0 };
                    let last_second =
                        if j > 0 && u >= i { ways[i][u - i] * j as f64 / all } else { 0.0 };
                    if i + j == 0 { f64::from(u8::from(u == 0)) } else { last_first + last_second }
                })
                .collect();
            ways[i] = next;
        }
    }
    ways[a][ordered.min(a * b)..].iter().sum()
}

/// A claim that runs end alike, each from a start of its own: how many there were and how many of them did not, in each of its parts.
///
/// A start may lie at the edge between two ends, where chance decides, so that a few that end otherwise leave the claim open. It is
/// refuted where it is shown that more than half of all runs do.
#[must_use]
pub fn refuted_by_most(claim: Claim, parts: &[(usize, usize)]) -> Claim {
    let limit = noise_limit(parts.len(), f64::INFINITY);
    // By how many standard deviations they are more than half, if every run were as likely to end either way.
    let beyond = |(all, otherwise): &(usize, usize)| {
        let (all, otherwise) = (*all as f64, *otherwise as f64);
        (2.0 * otherwise - all) / all.max(1.0).sqrt()
    };
    let (all, otherwise) = parts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    if claim.decision() != Decision::Fail || parts.iter().any(|part| beyond(part) > limit) {
        return claim;
    }
    claim.unchecked(format!(
        "{otherwise} of {all} end otherwise: a few may do so by chance, and it is not shown that more than half of all do"
    ))
}

/// A claim with a typed threshold, and the same claim at thresholds next to it, each with its threshold in words: the claim then
/// says whether its outcome depends on the threshold; what was measured at each is in the table [`thresholds`].
pub fn beside(claim: Claim, others: &[(String, Claim)]) -> Claim {
    let names = |of: &[&(String, Claim)]| {
        of.iter().map(|(words, _)| words.as_str()).collect::<Vec<_>>().join(", ")
    };
    let (same, otherwise): (Vec<_>, Vec<_>) =
        others.iter().partition(|(_, other)| other.decision() == claim.decision());
    let hangs = match (same.is_empty(), otherwise.is_empty()) {
        (_, true) => format!("the same {}", names(&same)),
        (true, _) => format!("otherwise {}", names(&otherwise)),
        _ => format!("the same {}, otherwise {}", names(&same), names(&otherwise)),
    };
    Claim { statement: format!("{} ({hangs})", claim.statement), ..claim }
}

/// A table of what was measured for claims with a typed threshold, and for each of them at the thresholds next to it.
pub fn thresholds(all: &[(Claim, Vec<(String, Claim)>)]) -> Table {
    let rows: Vec<(&str, &str, &Claim)> = all
        .iter()
        .flat_map(|(own, others)| {
            let others = others.iter().map(|(words, other)| (&**words, other));
            let all = [("as stated", own)].into_iter().chain(others);
            all.map(|(words, claim)| (&*own.statement, words, claim))
        })
        .collect();
    Table::of("thresholds", &rows)
        .words("statement", |row| row.0)
        .words("threshold", |row| row.1)
        .maybe("measured", 3, |row| Estimate::from_parts(row.2.measured, row.2.se, 2).ok())
        .words("status", |row| row.2.status())
        .caption("What was measured for each claim with a threshold, at its own and at others next to it.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_says_whether_it_depends_on_its_threshold() {
        let mean = Estimate::from_parts(0.5, 0.01, 1000).unwrap();
        let at = |bound: f64| one_sided("L001.63", format!("above {bound}"), mean, bound, true);
        let next = |bounds: [f64; 2]| bounds.map(|bound| (format!("at {bound}"), at(bound)));
        let statement = |bounds| beside(at(0.3), &next(bounds)).statement;
        assert_eq!(statement([0.2, 0.4]), "above 0.3 (the same at 0.2, at 0.4)");
        assert_eq!(statement([0.2, 0.6]), "above 0.3 (the same at 0.2, otherwise at 0.6)");
        assert_eq!(statement([0.7, 0.6]), "above 0.3 (otherwise at 0.7, at 0.6)");
        let table = thresholds(&[(at(0.3), next([0.2, 0.6]).to_vec())]);
        let last: Vec<String> = table.columns.iter().map(|column| column.cells.shown(2)).collect();
        assert_eq!(last, ["above 0.3", "at 0.6", "0.500 \u{b1} 0.010", "fail"]);
    }

    #[test]
    fn the_chance_of_an_order_is_that_of_all_shares_of_the_ranks() {
        // Three of the first kind and four of the second: all 35 sets of ranks of the first, counted.
        let mut counts = [0; 13];
        for set in 0_u32..128 {
            if set.count_ones() == 3 {
                let second = |above: u32| (above..7).filter(|i| set >> i & 1 == 0).count();
                counts[(0..7).filter(|i| set >> i & 1 == 1).map(second).sum::<usize>()] += 1;
            }
        }
        for ordered in 0..=12 {
            let direct = f64::from(counts[ordered..].iter().sum::<i32>()) / 35.0;
            assert!((chance(3, 4, ordered) - direct).abs() < 1e-15, "{ordered}");
        }
        assert!((chance(16, 16, 256) * 601_080_390.0 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn numbers_of_one_distribution_are_in_no_order() {
        let low: Vec<f64> = (0..16).map(f64::from).collect();
        let up = |by: f64| low.iter().map(|x| x + by).collect::<Vec<_>>();
        let decision =
            |low: &[f64], high: &[f64]| lower("L003.25", String::new(), low, high).decision();
        assert_eq!(decision(&low, &up(20.0)), Decision::Pass);
        assert_eq!(decision(&up(20.0), &low), Decision::Fail);
        assert_eq!(decision(&low, &up(1.0)), Decision::Unchecked);
        assert_eq!(decision(&low, &low), Decision::Unchecked);
        // Six and six cannot tell, however far apart: one order in 924.
        assert_eq!(decision(&low[..6], &up(20.0)[..6]), Decision::Unchecked);
    }

    #[test]
    fn a_mean_beyond_its_bound_fails_and_one_too_near_is_unchecked() {
        let at = |mean: f64| Estimate::from_parts(mean, 0.01, 1000).unwrap();
        let decision =
            |mean, above| one_sided("L001.63", String::new(), at(mean), 0.5, above).decision();
        assert_eq!(decision(0.2, false), Decision::Pass);
        assert_eq!(decision(0.2, true), Decision::Fail);
        assert_eq!(decision(0.8, true), Decision::Pass);
        assert_eq!(decision(0.8, false), Decision::Fail);
        assert_eq!(decision(0.49, false), Decision::Unchecked);
        assert_eq!(decision(0.49, true), Decision::Unchecked);
    }

    #[test]
    fn runs_that_end_alike_are_refuted_by_most_of_them_and_not_by_one() {
        let of = |all: usize, otherwise: usize| {
            let numbers = [all, all - otherwise].map(|count| count as f64);
            let claim = Claim::exact("L000.38", "", &numbers[..1], &numbers[1..], 1e-9);
            refuted_by_most(
                claim.rejecting_exact("none", &[0.0], &numbers[1..]),
                &[(all, otherwise)],
            )
        };
        assert_eq!(of(6, 0).decision(), Decision::Pass);
        assert_eq!(of(6, 1).decision(), Decision::Unchecked);
        assert!(of(6, 1).why().unwrap().starts_with("1 of 6 end otherwise"));
        assert_eq!(of(100, 70).decision(), Decision::Unchecked);
        assert_eq!(of(100, 80).decision(), Decision::Fail);
    }
}
