use super::*;

/// Curves of two units that stand at `base` and `base + 1`, at these steps.
fn series(probe: &str, curves: &[(&str, f64)], steps: &[i64]) -> Series {
    let mut series = Series::default();
    for (curve, base) in curves {
        for step in steps {
            for unit in 0..2 {
                series.curve.push((*curve).to_owned());
                series.step.push(*step);
                series.time.push(0.1 * *step as f64);
                series.probe.push(probe.to_owned());
                series.unit.push(unit);
                series.value.push(base + f64::from(unit));
            }
        }
    }
    series
}

/// The record and the curve of every line.
type Lines<'a> = Vec<(usize, Option<&'a str>)>;

fn shape(lanes: &[Lane]) -> Vec<(Option<&str>, Lines<'_>)> {
    lanes
        .iter()
        .map(|lane| {
            let lines = lane.lines.iter().map(|l| (l.record, l.curve.as_deref())).collect();
            (lane.curve.as_deref(), lines)
        })
        .collect()
}

#[test]
fn few_curves_that_all_records_have_get_a_lane_each() {
    let curves = [("g=1", 0.0), ("g=3", 5.0)];
    let (a, b) = (series("ipr", &curves, &[0, 10]), series("ipr", &curves, &[0, 20]));
    let (lanes, alone) = lanes(&[a, b], Over::Time);
    let each = vec![(0, None), (1, None)];
    assert_eq!(shape(&lanes), [(Some("g=1"), each.clone()), (Some("g=3"), each)]);
    let line = &lanes[1].lines[1];
    assert_eq!((&line.x, &line.mean), (&vec![0.0, 2.0], &vec![5.5, 5.5]));
    assert!(line.low.is_empty() && line.readings == 2 && alone.is_empty());
}

#[test]
fn few_curves_of_other_names_keep_them_in_one_lane() {
    let a = series("ipr", &[("g=1", 0.0)], &[0, 10]);
    let b = series("ipr", &[("g=2", 0.0), ("g=3", 0.0)], &[0, 10]);
    let (lanes, _) = lanes(&[a, b], Over::Step);
    let lines = vec![(0, Some("g=1")), (1, Some("g=2")), (1, Some("g=3"))];
    assert_eq!(shape(&lanes), [(None, lines)]);
    assert_eq!(lanes[0].lines[0].x, [0.0, 10.0]);
}

#[test]
fn curves_that_are_numbered_are_taken_together_with_their_quantiles() {
    let names: Vec<String> = (0..10).map(|i| format!("seed={i}")).collect();
    let curves: Vec<(&str, f64)> =
        names.iter().enumerate().map(|(i, name)| (name.as_str(), i as f64)).collect();
    let whole = series("ipr", &curves, &[0, 10]);
    let (lanes, _) = lanes(&[whole.clone(), series("ipr", &curves[..2], &[0])], Over::Time);
    assert_eq!(shape(&lanes), [(None, vec![(0, None), (1, None)])]);
    let line = &lanes[0].lines[0];
    assert_eq!((line.curves, line.readings), (10, 20));
    assert!((line.mean[0] - 5.0).abs() < 1e-12, "{line:?}");
    // Of 0, 1, 1, 2, 2, ..., 9, 9, 10 the second and the third are 1, and the 10 % quantile lies between them.
    assert!((line.low[0] - 1.0).abs() < 1e-12 && (line.high[0] - 9.0).abs() < 1e-12);
}

#[test]
fn numbered_curves_are_one_arm_and_values_of_a_setting_are_not() {
    let arm = |names: &[&'static str]| -> Vec<String> {
        let arms = arms(names.iter().copied());
        names.iter().map(|name| arms[name].clone()).collect()
    };
    assert_eq!(arm(&["g=3,seed=0", "g=3,seed=1", "g=5,seed=0"]), ["g=3", "g=3", "g=5,seed=0"]);
    assert_eq!(arm(&["g=3,site=1", "g=3,site=0"]), ["g=3,site"; 2]);
    assert_eq!(arm(&["rest-0", "rest-1", "rest-2"]), ["rest"; 3]);
    assert_eq!(arm(&["gain=1", "gain=3"]), ["gain=1", "gain=3"]);
    assert_eq!(arm(&["gain=0.01", "gain=inf", "train"]), ["gain=0.01", "gain=inf", "train"]);
}

#[test]
fn many_curves_are_taken_together() {
    let names: Vec<String> = (1..=9).map(|i| format!("gain={i}")).collect();
    let curves: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 0.0)).collect();
    let nine = series("ipr", &curves, &[0, 10]);
    let (together, _) = lanes(&[nine.clone(), nine], Over::Time);
    assert_eq!(shape(&together), [(None, vec![(0, None), (1, None)])]);
    let eight = series("ipr", &curves[..8], &[0, 10]);
    assert_eq!(lanes(&[eight.clone(), eight], Over::Time).0.len(), 8);
}

#[test]
fn curves_recorded_at_other_times_are_not_averaged() {
    let names = ["s=0", "s=1", "s=2", "s=3", "s=4"];
    let five = names.map(|name| (name, 1.0));
    let mut mixed = series("ipr", &five[..3], &[0, 10, 20]);
    let short = series("ipr", &five[3..], &[0, 10]);
    mixed.curve.extend(short.curve);
    mixed.step.extend(short.step);
    mixed.time.extend(short.time);
    mixed.probe.extend(short.probe);
    mixed.unit.extend(short.unit);
    mixed.value.extend(short.value);
    let (lanes, _) = lanes(&[mixed, series("ipr", &five, &[0, 10])], Over::Time);
    let lines: Vec<(usize, usize, usize)> =
        lanes[0].lines.iter().map(|line| (line.record, line.curves, line.x.len())).collect();
    assert_eq!(lines, [(0, 3, 3), (0, 2, 2), (1, 5, 2)]);
}

#[test]
fn a_probe_of_one_record_stands_alone() {
    let a = series("ipr", &[("t", 0.0)], &[0]);
    let b = series("loss", &[("t", 0.0)], &[0]);
    let (lanes, alone) = lanes(&[a, b, Series::default()], Over::Time);
    assert!(lanes.is_empty());
    assert_eq!(alone, [("ipr".to_owned(), 0), ("loss".to_owned(), 1)]);
}
