//! Changes of the fields that leave a reading unchanged, and the test of every probe that declares one.

/// A change of the fields of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Each unit's weights times a positive number of its own.
    Scale,
    /// Some units' weights times -1.
    Sign,
    /// All fields shifted around the ring (the torus) together.
    Shift,
    /// Each field shifted on its own.
    OwnShift,
}

#[cfg(test)]
mod properties {
    use super::super::{ALL, Change, Columns, Needs, Of, Probe};

    const SHAPES: [&[usize]; 4] = [&[12], &[9], &[2], &[4, 6]];

    /// Fields of many kinds: rough, smooth, localized, flat, zero, tiny and huge.
    fn fields(shape: &[usize]) -> Vec<f64> {
        let n: usize = shape.iter().product();
        let rough =
            |i: usize| libm::sin(7.3 * i as f64 + 0.4) + 0.3 * libm::cos(2.9 * (i * i) as f64);
        let wave = |i: usize| libm::cos(std::f64::consts::TAU * i as f64 / n as f64 + 0.3);
        let bump =
            |i: usize| libm::exp(-0.5 * (i as f64 - 0.4 * n as f64) * (i as f64 - 0.4 * n as f64));
        let mut all: Vec<f64> = Vec::new();
        all.extend((0..n).map(rough));
        all.extend((0..n).map(wave));
        all.extend((0..n).map(bump));
        all.extend((0..n).map(|i| bump(i) - 0.4 * rough(i)));
        all
    }

    fn degenerate(n: usize) -> Vec<f64> {
        let mut all = vec![0.0; n];
        all.extend(vec![1.0; n]);
        all.extend(vec![-1e-100; n]);
        all.extend(vec![1e100; n]);
        all.extend((0..n).map(|i| if i == 0 { 1e-150 } else { 0.0 }));
        all.extend((0..n).map(|i| if i == n - 1 { -1e120 } else { 0.0 }));
        all.extend((0..n).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }));
        all
    }

    fn moved(shape: &[usize], field: &[f64], by: usize) -> Vec<f64> {
        let side = *shape.last().unwrap();
        let mut rows: Vec<Vec<f64>> = field.chunks(side).map(<[f64]>::to_vec).collect();
        for row in &mut rows {
            row.rotate_right(by % side);
        }
        let down = if shape.len() > 1 { by % rows.len() } else { 0 };
        rows.rotate_right(down);
        rows.concat()
    }

    fn changed(change: Change, shape: &[usize], weights: &[f64]) -> Vec<f64> {
        let n: usize = shape.iter().product();
        let one = |(unit, field): (usize, &[f64])| match change {
            Change::Scale => field.iter().map(|w| w * [0.37, 2.0, 11.5][unit % 3]).collect(),
            Change::Sign => field.iter().map(|w| if unit % 2 == 0 { -w } else { *w }).collect(),
            Change::Shift => moved(shape, field, 5),
            Change::OwnShift => moved(shape, field, 3 * unit + 1),
        };
        weights.chunks(n).enumerate().flat_map(one).collect::<Vec<f64>>()
    }

    fn of_weights() -> impl Iterator<Item = &'static &'static Probe> {
        ALL.iter().filter(|probe| probe.needs == Needs::Weights)
    }

    #[test]
    fn what_is_said_to_leave_a_reading_alone_does_and_every_field_has_one() {
        for probe in of_weights() {
            for shape in SHAPES {
                let n: usize = shape.iter().product();
                let plain = probe.measure(&fields(shape), shape).unwrap();
                for change in probe.unmoved_by {
                    let after =
                        probe.measure(&changed(*change, shape, &fields(shape)), shape).unwrap();
                    for (a, b) in plain.concat().iter().zip(after.concat()) {
                        let gap = (a - b).abs();
                        assert!(
                            gap < 1e-6 * (1.0 + a.abs()),
                            "{} {change:?} {shape:?}: {a} {b}",
                            probe.name
                        );
                    }
                }
                for weights in [degenerate(n), vec![0.0; n], vec![0.0; 3 * n]] {
                    let rows = probe.measure(&weights, shape).unwrap();
                    let finite = rows.concat().iter().all(|x| x.is_finite());
                    assert!(finite, "{} {shape:?}: {rows:?}", probe.name);
                }
            }
        }
    }

    /// A row has as many numbers as are named, and a reading has one row per unit, per output or per network.
    #[test]
    fn readings_have_the_form_that_is_declared() {
        for probe in of_weights() {
            let rows = probe.measure(&fields(&[12]), &[12]).unwrap();
            let expected = if probe.of == Of::Unit { 4 } else { 1 };
            assert_eq!(rows.len(), expected, "{}", probe.name);
            let width = match probe.columns {
                Columns::One => 1,
                Columns::Named(names) => names.len(),
                Columns::Per(_) => rows[0].len(),
            };
            assert!(rows.iter().all(|row| row.len() == width), "{}", probe.name);
        }
    }

    #[test]
    fn a_probe_of_samples_and_weights_that_fit_no_shape_are_refused() {
        let loss = super::super::loss::ENTRY.measure(&[1.0, 2.0], &[2]);
        assert!(loss.unwrap_err().to_string().contains("needs samples"));
        let bias = super::super::bias::ENTRY.measure(&[1.0, 2.0], &[2]);
        assert!(bias.unwrap_err().to_string().contains("needs a whole network"));
        assert!(super::super::ipr::ENTRY.measure(&[1.0; 5], &[2]).is_err());
        assert!(super::super::ipr::ENTRY.measure(&[], &[2]).is_err());
    }
}
