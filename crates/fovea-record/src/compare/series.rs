//! Readings of several records over one another.

use crate::outcome::Series;
use fovea_core::stats::{mean, quantile};
use std::collections::{BTreeMap, BTreeSet};

/// What runs along the horizontal axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// `step * lr`.
    #[default]
    Time,
    /// Training steps.
    Step,
}

impl Over {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Step => "step",
        }
    }
}

/// A probe, or one of its curves, in the records that have it: a panel of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// The probe.
    pub probe: String,
    /// The curve, where each has a lane of its own.
    pub curve: Option<String>,
    /// What is drawn.
    pub lines: Vec<Line>,
    /// Groups of curves that are left out, as too many to be told apart.
    pub left_out: usize,
}

/// The mean of a record's readings, and where the middle 80 % of them lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The record's place.
    pub record: usize,
    /// The curve's name, where it is one among several of the lane.
    pub curve: Option<String>,
    /// Time or step.
    pub x: Vec<f64>,
    /// Mean over units, and over curves where several were recorded at the same times.
    pub mean: Vec<f64>,
    /// The 10 % quantile; empty where there are fewer than three readings at a time.
    pub low: Vec<f64>,
    /// The 90 % quantile; empty where there are fewer than three readings at a time.
    pub high: Vec<f64>,
    /// Curves behind it.
    pub curves: usize,
    /// Readings at each time: units times curves.
    pub readings: usize,
}

/// Curves that get a lane each.
const FEW: usize = 8;
/// Curves of a record that share a lane under their names.
const FEW_NAMES: usize = 3;
/// Lanes beyond which curves are taken together.
pub(super) const MANY_LANES: usize = 24;
/// Lines of one record in a lane.
const MOST_LINES: usize = 6;
/// Readings at a time from which quantiles are told.
const BAND: usize = 3;

/// One probe of one curve of a record: the readings of all units at every time.
struct Track<'a> {
    probe: &'a str,
    curve: String,
    x: Vec<f64>,
    values: Vec<Vec<f64>>,
}

/// The lanes of probes that two records share, or more; and the probes that one record has alone, with its place.
pub(super) fn lanes(series: &[Series], over: Over) -> (Vec<Lane>, Vec<(String, usize)>) {
    let tracks: Vec<Vec<Track>> = series.iter().map(|series| tracks(series, over)).collect();
    let mut probes: Vec<&str> = Vec::new();
    for track in tracks.iter().flatten() {
        if !probes.contains(&track.probe) {
            probes.push(track.probe);
        }
    }
    let owners = |probe: &str| -> Vec<usize> {
        (0..tracks.len()).filter(|i| tracks[*i].iter().any(|t| t.probe == probe)).collect()
    };
    let (shared, alone): (Vec<&str>, Vec<&str>) =
        probes.into_iter().partition(|probe| owners(probe).len() > 1);
    let all = |few: usize| -> Vec<Lane> {
        shared.iter().flat_map(|probe| lanes_of(probe, &tracks, few)).collect()
    };
    let named = all(FEW);
    let lanes = if named.len() > MANY_LANES { all(1) } else { named };
    (lanes, alone.into_iter().map(|probe| (probe.to_owned(), owners(probe)[0])).collect())
}

fn tracks(series: &Series, over: Over) -> Vec<Track<'_>> {
    let arms = arms(series.curve.iter().map(String::as_str));
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut tracks: Vec<(Track, Vec<i64>)> = Vec::new();
    for i in 0..series.value.len() {
        let key = (series.probe[i].as_str(), series.curve[i].as_str());
        let place = *places.entry(key).or_insert_with(|| {
            let (probe, curve) = key;
            let curve = arms[curve].clone();
            tracks.push((Track { probe, curve, x: Vec::new(), values: Vec::new() }, Vec::new()));
            tracks.len() - 1
        });
        let (track, steps) = &mut tracks[place];
        if steps.last() != Some(&series.step[i]) {
            steps.push(series.step[i]);
            track.x.push(match over {
                Over::Time => series.time[i],
                Over::Step => series.step[i] as f64,
            });
            track.values.push(Vec::new());
        }
        if let Some(values) = track.values.last_mut() {
            values.push(series.value[i]);
        }
    }
    tracks.into_iter().map(|(track, _)| track).collect()
}

/// The arm of every curve: curves that are numbered from zero, such as seeds, are one arm; any other is its own.
fn arms<'a>(curves: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, String> {
    let names: BTreeSet<&str> = curves.collect();
    let split = |name: &'a str| {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        (stem, name[stem.len()..].parse::<usize>().ok())
    };
    let mut numbers: BTreeMap<&str, BTreeSet<Option<usize>>> = BTreeMap::new();
    for (stem, number) in names.iter().map(|name| split(name)) {
        numbers.entry(stem).or_default().insert(number);
    }
    let counted = |stem: &str| {
        let numbers = &numbers[stem];
        numbers.len() > 1 && numbers.iter().copied().eq((0..numbers.len()).map(Some))
    };
    let arm = |name: &'a str| {
        let (stem, _) = split(name);
        if !counted(stem) {
            return name.to_owned();
        }
        let bare = stem.trim_end_matches(|c: char| !c.is_alphanumeric());
        let words = [",seed", ",replica"];
        words.iter().find_map(|word| bare.strip_suffix(word)).unwrap_or(bare).to_owned()
    };
    names.iter().map(|name| (*name, arm(name))).collect()
}

/// The lanes of a probe: one for each curve where all records have the same few, else one.
fn lanes_of(probe: &str, tracks: &[Vec<Track<'_>>], few: usize) -> Vec<Lane> {
    let own: Vec<(usize, Vec<&Track>)> = tracks
        .iter()
        .enumerate()
        .map(|(i, all)| (i, all.iter().filter(|t| t.probe == probe).collect::<Vec<_>>()))
        .filter(|(_, own)| !own.is_empty())
        .collect();
    let curves: Vec<Vec<&str>> = own.iter().map(|(_, own)| curves_of(own)).collect();
    let sorted = |curves: &[&str]| curves.iter().map(|c| (*c).to_owned()).collect::<BTreeSet<_>>();
    let same = curves.iter().all(|other| sorted(other) == sorted(&curves[0]));
    let most = curves.iter().map(Vec::len).max().unwrap_or(0);
    if same && (2..=few).contains(&most) {
        return curves[0].iter().map(|curve| lane(probe, &own, Some(curve))).collect();
    }
    if !same && most <= few.min(FEW_NAMES) {
        let mut lane = lane(probe, &[], None);
        for (record, tracks) in &own {
            for curve in curves_of(tracks) {
                let (lines, left_out) = lines(*record, tracks, Some(curve));
                let named = |line: Line| Line { curve: Some(curve.to_owned()), ..line };
                lane.lines.extend(lines.into_iter().map(named));
                lane.left_out += left_out;
            }
        }
        return vec![lane];
    }
    vec![lane(probe, &own, None)]
}

/// The names of curves, each once.
fn curves_of<'a>(tracks: &[&'a Track<'_>]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for track in tracks {
        if !names.contains(&track.curve.as_str()) {
            names.push(&track.curve);
        }
    }
    names
}

/// The lane of a curve, or of all curves together.
fn lane(probe: &str, own: &[(usize, Vec<&Track<'_>>)], curve: Option<&str>) -> Lane {
    let mut lane = Lane {
        probe: probe.to_owned(),
        curve: curve.map(str::to_owned),
        lines: Vec::new(),
        left_out: 0,
    };
    for (record, tracks) in own {
        let (lines, left_out) = lines(*record, tracks, curve);
        lane.lines.extend(lines);
        lane.left_out += left_out;
    }
    lane
}

/// The lines of a record's curve, or of all its curves, and how many are left out.
fn lines(record: usize, tracks: &[&Track<'_>], curve: Option<&str>) -> (Vec<Line>, usize) {
    let wanted = |track: &&&Track| curve.is_none_or(|curve| track.curve == curve);
    let groups = by_times(&tracks.iter().filter(wanted).copied().collect::<Vec<_>>());
    let drawn = groups.iter().take(MOST_LINES).map(|group| line(record, group)).collect();
    (drawn, groups.len().saturating_sub(MOST_LINES))
}

/// Curves with the same times together: a mean over curves of which some are missing would jump.
fn by_times<'a, 'b>(tracks: &[&'a Track<'b>]) -> Vec<Vec<&'a Track<'b>>> {
    let alike = |a: &Track, b: &Track| {
        a.x.len() == b.x.len() && a.x.iter().zip(&b.x).all(|(a, b)| a.total_cmp(b).is_eq())
    };
    let mut groups: Vec<Vec<&Track>> = Vec::new();
    for track in tracks {
        match groups.iter_mut().find(|group| alike(group[0], track)) {
            Some(group) => group.push(track),
            None => groups.push(vec![track]),
        }
    }
    groups
}

fn line(record: usize, group: &[&Track<'_>]) -> Line {
    let x = group[0].x.clone();
    let at: Vec<Vec<f64>> = (0..x.len())
        .map(|i| group.iter().flat_map(|track| track.values[i].iter().copied()).collect())
        .collect();
    // Readings are finite; one that is not, in a file from elsewhere, is a gap.
    let gap = f64::NAN;
    let readings = at.iter().map(Vec::len).max().unwrap_or(0);
    let level = |level: f64| -> Vec<f64> {
        if readings < BAND {
            return Vec::new();
        }
        at.iter().map(|values| quantile(values, level).unwrap_or(gap)).collect()
    };
    Line {
        record,
        curve: None,
        mean: at.iter().map(|values| mean(values).unwrap_or(gap)).collect(),
        low: level(0.1),
        high: level(0.9),
        x,
        curves: group.len(),
        readings,
    }
}

#[cfg(test)]
mod tests;
