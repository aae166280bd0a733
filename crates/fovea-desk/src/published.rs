//! Numbers of a publication beside ours: the distance, whether it lies inside what the publication allows, and if not why.

use crate::error::LabError;
use fovea_core::Value;
use fovea_core::agree::noise_limit;
use fovea_core::params::Schema;
use fovea_core::special::student_t_quantile_two_sided;
use fovea_core::stats::Estimate;
use fovea_page::report::Block;
use fovea_record::claim::Claim;
use fovea_record::present::number;

/// One published number and ours.
#[derive(Clone, Debug)]
pub struct Published {
    /// What it is, with its setting.
    pub what: String,
    /// The number as published, brought to our conventions.
    pub theirs: f64,
    /// How far single values spread around it: the published standard deviation, the half of a stated range, or what our seeds say.
    pub spread: f64,
    /// How many runs are behind it, where that is said.
    pub count: Option<usize>,
    /// What we find.
    pub ours: Estimate,
    /// Why ours lies elsewhere, with the evidence; nothing where it agrees.
    pub why: Option<String>,
}

/// How likely one more of our seeds lies within the spread that a single published network is given.
pub const ONE_MORE: f64 = 0.99;

impl Published {
    /// A published mean of `count` runs with their standard deviation, beside ours.
    pub fn mean(
        what: impl Into<String>,
        (theirs, sd, count): (f64, f64, usize),
        ours: Estimate,
    ) -> Self {
        Self { what: what.into(), theirs, spread: sd, count: Some(count), ours, why: None }
    }

    /// A published number with a stated range to either side and no count, beside ours.
    pub fn range(what: impl Into<String>, (theirs, half): (f64, f64), ours: Estimate) -> Self {
        Self { what: what.into(), theirs, spread: half, count: None, ours, why: None }
    }

    /// A number of one published network without any spread, beside ours, one a seed; how many of ours lie below is said with `what`.
    ///
    /// Its spread is that of our seeds: one more of them would lie as near to our mean with probability [`ONE_MORE`].
    ///
    /// # Errors
    /// Fewer than two seeds, or a number that is not finite.
    pub fn one_run(what: impl Into<String>, theirs: f64, runs: &[f64]) -> Result<Self, LabError> {
        let ours = Estimate::from_samples(runs)?;
        let reach = student_t_quantile_two_sided(1.0 - ONE_MORE, ours.dof());
        // The deviation of one more from the mean of `m`: that of one, and that of the mean.
        let spread = reach * ours.se() * (1.0 + ours.count() as f64).sqrt();
        let below = runs.iter().filter(|run| **run < theirs).count();
        let what = format!("{} (one run; {below} of our {} lie below)", what.into(), runs.len());
        Ok(Self { what, theirs, spread, count: None, ours, why: None })
    }

    /// A range over single published networks, beside ours, one a seed.
    ///
    /// Its ends are single networks, so that one more seed of ours may lie as far beyond them as [`Published::one_run`] allows.
    ///
    /// # Errors
    /// Fewer than two seeds, or a number that is not finite.
    pub fn range_of_runs(
        what: impl Into<String>,
        [low, high]: [f64; 2],
        runs: &[f64],
    ) -> Result<Self, LabError> {
        let one = Self::one_run(what, 0.5 * (low + high), runs)?;
        Ok(Self { spread: one.spread + 0.5 * (high - low), ..one })
    }

    /// Allows for the rounding of a number that was printed to multiples of `unit`.
    #[must_use]
    pub fn rounded_to(mut self, unit: f64) -> Self {
        self.spread += 0.5 * unit;
        self
    }

    /// Allows for the sampling error of a share that was measured on so many samples, at the reach of a single run.
    #[must_use]
    pub fn counted_on(mut self, samples: usize) -> Self {
        let share = self.theirs.clamp(0.0, 1.0);
        let sampling = (share * (1.0 - share) / samples as f64).sqrt();
        let reach = student_t_quantile_two_sided(1.0 - ONE_MORE, f64::INFINITY);
        self.spread = libm::hypot(self.spread, reach * sampling);
        self
    }

    /// Says why the two differ; kept only where they do.
    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = (!self.inside()).then(|| why.into());
        self
    }

    /// Whether our mean lies within the published spread.
    pub fn inside(&self) -> bool {
        (self.ours.mean() - self.theirs).abs() <= self.spread
    }

    /// The distance in combined standard errors, where the publication says how many runs it has.
    ///
    /// # Errors
    /// The published spread is not finite.
    pub fn z(&self) -> Result<Option<f64>, LabError> {
        let Some(count) = self.count else { return Ok(None) };
        let se = self.spread / (count as f64).sqrt();
        let theirs = Estimate::from_parts(self.theirs, se, count)?;
        Ok(Some(self.ours.difference(&theirs).z(0.0)))
    }

    /// The claim that our mean lies inside the published spread; undecided, with the reason, where there is one, and where it lies
    /// outside by no more than our seeds could make it by chance.
    pub fn claim(&self, id: &'static str) -> Claim {
        let gap = self.ours.mean() - self.theirs;
        let claim = Claim {
            se: self.spread,
            z: gap / self.spread,
            limit: 1.0,
            // Spreads of theirs decide, and no standard error.
            why_unchecked: None,
            resolution: (self.spread + gap.abs()) / self.theirs.abs(),
            ..Claim::family(
                id,
                format!("{}: inside the published spread", self.what),
                &[(self.ours, self.theirs)],
            )
        };
        let claim = claim.only_as_stated();
        match &self.why {
            Some(why) => claim.unchecked(why.clone()),
            None if self.inside() || gap.abs() > self.spread + self.reach() => claim,
            None => {
                let (gap, se) = (gap.abs() / self.spread, self.ours.se() / self.spread);
                claim.unchecked(format!(
                    "{} runs are too few to say: the mean lies {gap:.2} spreads away, and is known to {se:.2}",
                    self.ours.count()
                ))
            }
        }
    }

    /// How far from its mean ours may lie by the chance of its seeds.
    fn reach(&self) -> f64 {
        noise_limit(1, self.ours.dof()) * self.ours.se()
    }

    fn cells(&self) -> Result<[String; 6], LabError> {
        let verdict = match (self.inside(), &self.why) {
            (true, _) => "inside".to_owned(),
            (false, Some(why)) => format!("outside: {why}"),
            (false, None) => "outside".to_owned(),
        };
        let z = self.z()?.map_or_else(|| "\u{2013}".to_owned(), |z| format!("{z:.1}"));
        let spreads = (self.ours.mean() - self.theirs) / self.spread;
        Ok([
            self.what.clone(),
            format!("{} \u{b1} {}", number(self.theirs), number(self.spread)),
            format!("{} \u{b1} {}", number(self.ours.mean()), number(self.ours.se())),
            format!("{spreads:+.2}"),
            z,
            verdict,
        ])
    }
}

/// Whether settings are those of a publication, but for what may differ.
pub fn same_settings<S: Schema>(ours: &S, theirs: &S, may_differ: &[&str]) -> bool {
    let same = |(ours, theirs): (&(String, Value), _)| {
        ours == theirs || may_differ.contains(&ours.0.as_str())
    };
    ours.values().iter().zip(&theirs.values()).all(same)
}

const HEADER: [&str; 6] = ["", "published", "here", "spreads", "z", "verdict"];

/// The table for a report.
///
/// # Errors
/// A published spread is not finite.
pub fn table(rows: &[Published]) -> Result<Block, LabError> {
    let cells = rows.iter().map(Published::cells).collect::<Result<Vec<_>, _>>()?;
    let caption = "Published numbers with the spread of single runs (or the range stated; for a single network without one, where one more seed of ours lies with 99 %), ours with the standard error of the mean; \
                   their distance in published spreads, and in combined standard errors (z) where the number of runs is known.";
    Ok(Block::table(HEADER.map(str::to_owned), cells, caption))
}

/// The same table as lines for a terminal, reasons below it.
///
/// # Errors
/// A published spread is not finite.
pub fn lines(rows: &[Published]) -> Result<Vec<String>, LabError> {
    let mut cells = vec![HEADER.map(str::to_owned)];
    for row in rows {
        let mut row = row.cells()?;
        row[5].truncate(row[5].find(':').unwrap_or(row[5].len()));
        cells.push(row);
    }
    let width =
        |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let mut lines: Vec<String> = Vec::new();
    for [what, theirs, ours, spreads, z, verdict] in &cells {
        let [a, b, c, d, e, _] = widths[..] else { unreachable!("a row has six cells") };
        lines.push(format!(
            "{what:<a$}  {theirs:>b$}  {ours:>c$}  {spreads:>d$}  {z:>e$}  {verdict}"
        ));
    }
    lines.extend(
        rows.iter().filter_map(|row| row.why.as_ref().map(|why| format!("{}: {why}", row.what))),
    );
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_record::claim::Verdict;

    #[test]
    fn one_more_seed_lies_inside_the_spread_of_a_single_network_almost_always() {
        let seeds = |from: u64| -> Vec<f64> {
            let mut normals = vec![0.0; 6];
            fovea_core::streams::Streams::new(5).named("seeds").normals(from, &mut normals);
            normals
        };
        let outside = (0..4000).filter(|from| {
            let numbers = seeds(*from);
            !Published::one_run("", numbers[5], &numbers[..5]).unwrap().inside()
        });
        let share = crate::replicas::share(outside.count(), 4000).unwrap();
        fovea_core::agree::agrees(&share, 1.0 - ONE_MORE, 1).unwrap();
        assert!(fovea_core::agree::agrees(&share, 0.02, 1).is_err());
        assert!(Published::one_run("", 0.0, &[1.0]).is_err());
    }

    #[test]
    fn inside_passes_outside_fails_and_a_reason_leaves_it_open() {
        let at = |mean: f64| {
            let ours = Estimate::from_parts(mean, 0.01, 9).unwrap();
            Published::mean("IPR at gain 1", (0.5, 0.04, 16), ours)
        };
        assert_eq!(at(0.53).claim("parity").verdict(), Verdict::Pass);
        // Outside, by no more than the seeds could make it: 13 standard errors at 8 degrees of freedom.
        let near = at(0.55).claim("parity");
        assert_eq!(near.verdict(), Verdict::Unchecked);
        assert!(near.in_words().contains("9 runs are too few to say"), "{}", near.in_words());
        assert_eq!(at(0.66).claim("parity").verdict(), Verdict::Unchecked);
        assert_eq!(at(0.69).claim("parity").verdict(), Verdict::Fail);
        assert_eq!(at(0.31).claim("parity").verdict(), Verdict::Fail);
        assert_eq!(at(0.55).because("another law").claim("parity").verdict(), Verdict::Unchecked);
        assert!(at(0.53).because("another law").why.is_none());
        // Mean 3, variance 7, three runs: 9.925 sqrt(7 4/3) = 30.3 to either side.
        let among = |theirs| Published::one_run("x", theirs, &[1.0, 2.0, 6.0]).unwrap();
        assert!(among(33.2).inside() && !among(33.4).inside());
        assert!(among(-27.2).inside() && !among(-27.4).inside());
        assert!(among(5.9).what.contains("2 of our 3"));
        // Combined standard error: sqrt(0.01^2 + (0.04 / 4)^2).
        assert!((at(0.53).z().unwrap().unwrap() - 0.03 / 0.02_f64.sqrt() / 0.1).abs() < 1e-9);
        let lines = lines(&[at(0.53), at(0.55).because("another law")]).unwrap();
        assert!(lines[1].ends_with("inside") && lines[2].ends_with("outside"), "{lines:?}");
        assert_eq!(lines[3], "IPR at gain 1: another law");
    }

    #[test]
    fn settings_are_those_of_a_publication_but_for_what_may_differ() {
        let own = crate::two_class::TwoClass::default();
        let other = crate::two_class::TwoClass { n: 8, ..own };
        assert!(same_settings(&own, &own, &[]) && same_settings(&own, &other, &["n"]));
        assert!(!same_settings(&own, &other, &["xi_pos"]));
    }
}
