//! When a run is recorded.

/// The steps at which a run is recorded; the start and the end always are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Times {
    /// Every this many steps.
    Every(u64),
    /// At the listed steps, in increasing order.
    At(Vec<u64>),
}

impl Times {
    /// About `count` steps of a run of `steps`, evenly spaced on a logarithmic axis: every step at first, then fewer.
    pub fn log(steps: u64, count: usize) -> Self {
        let last = libm::log(steps.max(1) as f64);
        let at = |i: usize| libm::exp(last * i as f64 / count.max(2) as f64).round() as u64;
        let mut times: Vec<u64> = (0..=count.max(2)).map(at).collect();
        times.dedup();
        Self::At(times)
    }

    /// Whether a run of `steps` is recorded after `step` of them.
    pub fn due(&self, step: u64, steps: u64) -> bool {
        let listed = match self {
            Self::Every(every) => step.is_multiple_of(*every),
            Self::At(times) => times.binary_search(&step).is_ok(),
        };
        listed || step == 0 || step == steps
    }

    /// The steps from `from` on at which a run of `steps` is recorded, in order.
    pub fn between(&self, from: u64, steps: u64) -> Vec<u64> {
        let mut times: Vec<u64> = match self {
            Self::Every(every) => {
                let first = from.next_multiple_of(*every);
                (first..steps).step_by(usize::try_from(*every).unwrap_or(usize::MAX)).collect()
            }
            Self::At(times) => {
                times.iter().copied().filter(|t| (from..steps).contains(t)).collect()
            }
        };
        if from == 0 && steps > 0 && times.first() != Some(&0) {
            times.insert(0, 0);
        }
        times.push(steps);
        times
    }

    /// At most `most` of those steps, evenly spread, including the first and the last; `most` is at least 3.
    pub fn some_between(&self, from: u64, steps: u64, most: u64) -> Vec<u64> {
        let every = match self {
            Self::Every(every) => *every,
            Self::At(_) => return thinned(self.between(from, steps), most),
        };
        let all = (steps - from) / every + 2;
        if all <= most {
            return self.between(from, steps);
        }
        let coarser = Self::Every(every.saturating_mul(all.div_ceil((most - 2).max(1))));
        let mut times = coarser.between(from, steps);
        let first = from.next_multiple_of(every).min(steps);
        if times.first() != Some(&first) {
            times.insert(0, first);
        }
        times
    }

    /// Number of those steps.
    pub fn count_between(&self, from: u64, steps: u64) -> u64 {
        match self {
            Self::Every(every) => {
                let first = from.next_multiple_of(*every);
                (steps.max(first) - first).div_ceil(*every) + 1
            }
            Self::At(_) => self.between(from, steps).len() as u64,
        }
    }

    /// Number of records of a run of `steps`.
    pub fn count(&self, steps: u64) -> u64 {
        match self {
            Self::Every(every) => steps.div_ceil(*every) + 1,
            Self::At(times) => {
                let inside = times.iter().filter(|step| (1..steps).contains(*step)).count() as u64;
                inside + 1 + u64::from(steps > 0)
            }
        }
    }
}

/// At most this many of a list, evenly spread, including its ends.
fn thinned(times: Vec<u64>, most: u64) -> Vec<u64> {
    let (count, most) = (times.len(), usize::try_from(most).unwrap_or(usize::MAX));
    if count <= most {
        return times;
    }
    (0..most).map(|i| times[i * (count - 1) / (most - 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_of_many_records_are_spread_over_all_of_them() {
        for times in [Times::Every(3), Times::log(100_000, 900), Times::Every(7)] {
            for (from, steps, most) in [(0, 1000, 20), (500, 1001, 7), (0, 5, 9), (9, 9, 3)] {
                let all = times.between(from, steps);
                assert_eq!(all.len() as u64, times.count_between(from, steps), "{times:?} {from}");
                let some = times.some_between(from, steps, most);
                assert!(some.len() as u64 <= most && some.iter().all(|t| all.contains(t)));
                assert_eq!((some[0], some.last()), (all[0], all.last()), "{times:?} {from}");
                assert!(some.windows(2).all(|pair| pair[0] < pair[1]));
                assert!(all.len() as u64 > most || some == all);
            }
        }
        // More than memory could hold are counted and never listed.
        let few = Times::Every(1).some_between(0, 1 << 50, 10).len();
        assert!((5..=10).contains(&few), "{few}");
    }

    #[test]
    fn the_start_and_the_end_are_always_recorded() {
        for times in [Times::Every(7), Times::log(100, 10), Times::At(vec![3, 50])] {
            for steps in [0, 1, 7, 8, 100] {
                let due = (0..=steps).filter(|step| times.due(*step, steps)).count() as u64;
                assert!(times.due(0, steps) && times.due(steps, steps));
                assert_eq!(due, times.count(steps), "{times:?} {steps}");
                for from in 0..=steps {
                    let listed: Vec<u64> =
                        (from..=steps).filter(|t| times.due(*t, steps)).collect();
                    assert_eq!(times.between(from, steps), listed, "{times:?} {from} {steps}");
                }
            }
        }
    }

    #[test]
    fn logarithmic_times_thin_out() {
        let Times::At(times) = Times::log(10_000, 40) else { panic!() };
        assert_eq!((times[0], times[1], *times.last().unwrap()), (1, 2, 10_000));
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(times[times.len() - 1] - times[times.len() - 2] > 1000);
    }
}
