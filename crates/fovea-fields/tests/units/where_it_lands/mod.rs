mod gaussian;
mod measure;

use fovea_desk::prelude::Descent;
use fovea_fields::where_it_lands::WhereItLands;

#[test]
fn the_clock_runs_through_both_stages() {
    let base = WhereItLands::default();
    let descent = Descent { steps: 4, ..base.descent };
    let settings = WhereItLands { descent, late_steps: 10, ..base };
    let times = settings.times([0, 4, 5, 14].into_iter());
    assert!((times[1] - 1.0).abs() < 1e-12 && (times[2] - 1.3).abs() < 1e-12);
    // A rate that falls linearly from 0.3 over ten steps: 0.3 (10 + 9 + ... + 1) / 10.
    assert!((times[3] - 1.0 - 0.3 * 5.5).abs() < 1e-12, "{times:?}");
}
