//! Numbers of a publication and ours: the distance, whether ours agrees, and if not why.
//!
//! A published mean of a known number of runs is compared in combined standard errors. A number of a single network is compared
//! with the prediction interval of our seeds, and one that is printed or read off with its last digit: the table shows these, and
//! none of them is a claim, since so wide a range passes too much. What we do not reproduce is left open, with its distance.

use crate::error::LabError;
use fovea_core::Value;
use fovea_core::agree::noise_limit;
use fovea_core::params::Schema;
use fovea_core::special::student_t_quantile_two_sided;
use fovea_core::stats::Estimate;
use fovea_page::table::Table;
use fovea_record::claim::Claim;
use fovea_record::present::number;

/// One published number and ours.
#[derive(Clone, Debug)]
pub struct Published {
    /// What it is, with its setting.
    pub what: String,
    /// The number as published, brought to our conventions.
    pub theirs: f64,
    /// The spread of single values around it: the published standard deviation, half of a stated range, or the spread of our seeds.
    pub spread: f64,
    /// Our number.
    pub ours: Estimate,
    /// Ours less theirs in combined standard errors, where theirs is a mean of a known number of runs.
    gap: Option<Estimate>,
    /// Whether all of our seeds lie on one side of a single network.
    beyond_all: bool,
    /// Why ours lies elsewhere, with the evidence; nothing where it agrees.
    why: Option<String>,
}

/// The probability that one more of our seeds lies within the spread given to a single published network.
pub const ONE_MORE: f64 = 0.99;

impl Published {
    /// A published mean of `count` runs with their standard deviation, and ours.
    ///
    /// # Errors
    /// A published number that is not finite.
    pub fn mean(
        what: impl Into<String>,
        (theirs, sd, count): (f64, f64, usize),
        ours: Estimate,
    ) -> Result<Self, LabError> {
        let mean = Estimate::from_parts(theirs, sd / (count as f64).sqrt(), count)?;
        // Where single runs are far from normal, some converged and others not yet, a few of ours say too little of their spread.
        let gap = Some(ours.difference_within_one_law(&mean));
        Ok(Self { gap, ..Self::range(what, (theirs, sd), ours) })
    }

    /// A published number with a stated range to either side and no count, and ours.
    pub fn range(what: impl Into<String>, (theirs, half): (f64, f64), ours: Estimate) -> Self {
        let what = what.into();
        Self { what, theirs, spread: half, ours, gap: None, beyond_all: false, why: None }
    }

    /// A number of one published network without any spread, and ours, one per seed; how many of ours lie below is added to `what`.
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
        let beyond_all = below == 0 || runs.iter().all(|run| *run < theirs);
        Ok(Self { beyond_all, ..Self::range(what, (theirs, spread), ours) })
    }

    /// A range over single published networks, and ours, one per seed.
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
        let inside = runs.iter().filter(|run| (low..=high).contains(*run)).count();
        let what = format!(
            "{} (single runs; {inside} of our {} within their range)",
            what.into(),
            runs.len()
        );
        let middle = Self::one_run("", 0.5 * (low + high), runs)?;
        let spread = middle.spread + 0.5 * (high - low);
        Ok(Self { what, spread, beyond_all: false, ..middle })
    }

    /// Allows for the rounding of a number that was printed to multiples of `unit`.
    #[must_use]
    pub fn rounded_to(mut self, unit: f64) -> Self {
        self.spread += 0.5 * unit;
        self
    }

    /// Allows for the sampling error of a share that was measured on this many samples, as for a single run.
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
        self.why = (!self.agrees()).then(|| why.into());
        self
    }

    /// Whether ours agrees: within the limit of combined standard errors where the number of their runs is known, else within
    /// their spread.
    pub fn agrees(&self) -> bool {
        match self.gap {
            Some(gap) => gap.z(0.0).abs() <= noise_limit(1, gap.dof()),
            None => (self.ours.mean() - self.theirs).abs() <= self.spread,
        }
    }

    /// The distance in combined standard errors, where the publication says how many runs it has.
    pub fn z(&self) -> Option<f64> {
        self.gap.map(|gap| gap.z(0.0))
    }

    /// The claim that the published mean agrees with ours, in combined standard errors, and this other mean does not; nothing
    /// where the number of their runs is not known.
    pub fn claim(&self, id: &'static str, form: &str, other: f64) -> Option<Claim> {
        let mean = self.gap?.scaled_and_shifted(1.0, self.theirs).ok()?;
        let statement = format!(
            "{}: the published mean agrees with ours, in combined standard errors",
            self.what
        );
        let claim = Claim::family(id, statement, &[(mean, self.theirs)]);
        Some(claim.rejecting(form, &[(mean, other)]).only_as_stated())
    }

    /// A number that we do not reproduce, left open with its distance and the reason where one is known; nothing where ours agrees.
    pub fn open(&self, id: &'static str) -> Option<Claim> {
        if self.agrees() {
            return None;
        }
        let (ours, se) = (self.ours.mean(), self.ours.se());
        let spreads = (ours - self.theirs) / self.spread;
        let (unit, z, limit, scale) = match self.gap {
            Some(gap) => {
                ("combined standard errors", gap.z(0.0), noise_limit(1, gap.dof()), gap.se())
            }
            None => ("of the allowed distance", spreads, 1.0, self.spread),
        };
        let statement =
            format!("{}: not reproduced, the published {}", self.what, number(self.theirs));
        let reason = self.why.as_deref().unwrap_or("no reason is known");
        let (mean, error) = (number(ours), number(se));
        let why = format!("ours is {mean} +- {error}, {z:+.1} {unit} away ({reason})");
        let open = Claim::undecided(id, statement, self.theirs, why);
        Some(Claim { measured: ours, se: scale, z, limit, ..open })
    }

    /// Whether the two agree, in words.
    fn judged(&self) -> String {
        let words = if self.gap.is_some() { ["agrees", "differs"] } else { ["inside", "outside"] };
        match (self.agrees(), &self.why) {
            (true, _) if self.beyond_all => format!("{}, beyond all of ours", words[0]),
            (true, _) => words[0].to_owned(),
            (false, Some(why)) => format!("{}: {why}", words[1]),
            (false, None) => words[1].to_owned(),
        }
    }
}

/// Whether settings are those of a publication, except for those that may differ.
pub fn same_settings<S: Schema>(ours: &S, theirs: &S, may_differ: &[&str]) -> bool {
    let same = |(ours, theirs): (&(String, Value), _)| {
        ours == theirs || may_differ.contains(&ours.0.as_str())
    };
    ours.values().iter().zip(&theirs.values()).all(same)
}

/// Published numbers and ours.
pub fn table(rows: &[Published]) -> Table {
    Table::of("published", rows)
        .words("what", |row| row.what.clone())
        .digits("published", 4, |row| row.theirs)
        .digits("spread", 3, |row| row.spread)
        .mean("here", 4, |row| row.ours)
        .real("spreads", 2, |row| (row.ours.mean() - row.theirs) / row.spread)
        .real("z", 1, |row| row.z().unwrap_or(f64::NAN))
        .words("judged", Published::judged)
        .caption("Published numbers with the spread of single runs (or the stated range; for a single network without one, the range of one more seed of ours with probability 99 %), ours with the standard error of the mean. \
                  Their distance is in published spreads, and in combined standard errors (z) where the number of runs is known: there a mean agrees or differs by z; \
                  elsewhere a number lies inside or outside its spread, which says little if the spread is wide.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_record::claim::Decision;

    #[test]
    fn one_more_seed_lies_inside_the_spread_of_a_single_network_almost_always() {
        let seeds = |from: u64| -> Vec<f64> {
            let mut normals = vec![0.0; 6];
            fovea_core::streams::Streams::new(5).named("seeds").normals(from, &mut normals);
            normals
        };
        let outside = (0..4000).filter(|from| {
            let numbers = seeds(*from);
            !Published::one_run("", numbers[5], &numbers[..5]).unwrap().agrees()
        });
        let share = crate::replicas::share(outside.count(), 4000).unwrap();
        fovea_core::agree::agrees(&share, 1.0 - ONE_MORE, 1).unwrap();
        assert!(fovea_core::agree::agrees(&share, 0.02, 1).is_err());
        assert!(Published::one_run("", 0.0, &[1.0]).is_err());
    }

    #[test]
    fn means_are_compared_in_combined_standard_errors_and_what_differs_stays_visible() {
        // One distribution: both sets of runs spread alike, by 0.04 and 0.03.
        let at = |mean: f64| {
            let ours = Estimate::from_parts(mean, 0.01, 9).unwrap();
            Published::mean("IPR at gain 1", (0.5, 0.04, 16), ours).unwrap()
        };
        let z = at(0.53).z().unwrap();
        assert!((z - 0.03 / (0.001_352_f64 * (1.0 / 9.0 + 1.0 / 16.0)).sqrt()).abs() < 0.01, "{z}");
        let decision =
            |mean: f64, other: f64| at(mean).claim("parity", "x", other).unwrap().decision();
        assert_eq!(decision(0.53, 0.9), Decision::Pass);
        assert_eq!(decision(0.53, 0.55), Decision::Unchecked, "too near to be told apart");
        assert_eq!(decision(0.7, 0.9), Decision::Fail);
        assert!(at(0.53).open("parity").is_none() && at(0.53).because("another law").why.is_none());
        for (row, reason) in
            [(at(0.7), "no reason is known"), (at(0.7).because("another law"), "another law")]
        {
            let open = row.open("parity").unwrap();
            assert_eq!(open.decision(), Decision::Unchecked);
            assert!(open.z > open.limit && open.why().unwrap().contains(reason), "{open:?}");
        }
        let lines = table(&[at(0.53), at(0.7).because("another law")]).lines(200);
        assert!(lines[1].ends_with("agrees"), "{lines:?}");
        assert!(lines[2].ends_with("differs: another law"), "{lines:?}");
    }

    #[test]
    fn single_networks_are_no_claim_and_say_where_they_lie_among_ours() {
        // Mean 3, variance 7, three runs: 9.925 sqrt(7 4/3) = 30.3 to either side.
        let among = |theirs| Published::one_run("x", theirs, &[1.0, 2.0, 6.0]).unwrap();
        assert!(among(33.2).agrees() && !among(33.4).agrees());
        assert!(among(-27.2).agrees() && !among(-27.4).agrees());
        assert!(among(5.9).what.contains("2 of our 3"));
        assert!(
            among(5.9).claim("parity", "x", 0.0).is_none() && among(5.9).open("parity").is_none()
        );
        assert!(
            among(33.4).open("parity").unwrap().why().unwrap().contains("of the allowed distance")
        );
        assert!(table(&[among(5.9)]).lines(200)[1].ends_with("inside"));
        assert!(table(&[among(6.1)]).lines(200)[1].ends_with("inside, beyond all of ours"));
        let range = Published::range_of_runs("x", [1.5, 7.0], &[1.0, 2.0, 6.0]).unwrap();
        assert!(range.what.contains("2 of our 3 within their range") && range.agrees());
    }

    #[test]
    fn settings_are_those_of_a_publication_except_for_what_may_differ() {
        let own = crate::two_class::TwoClass::default();
        let other = crate::two_class::TwoClass { n: 8, ..own };
        assert!(same_settings(&own, &own, &[]) && same_settings(&own, &other, &["n"]));
        assert!(!same_settings(&own, &other, &["xi_pos"]));
    }
}
