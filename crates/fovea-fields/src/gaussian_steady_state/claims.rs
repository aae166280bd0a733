//! Claims, arrays and tables of `gaussian-steady-state`.

use super::Found;
use super::measure::{Departure, Rest, Transient};
use fovea_desk::prelude::*;

/// The id of the claims that decide no clause of the catalogue.
const ID: &str = "gaussian-steady-state";

/// Times at which the catalogue gives numbers.
pub(super) const CATALOGUE_TIMES: [f64; 7] = [3.0, 8.0, 20.0, 30.0, 50.0, 200.0, 1000.0];

/// What the solver's relative error of 1e-11 makes of such a departure, summed over its steps.
const FOLLOWED: f64 = 1e-6;

/// The transients of SGD compared with descent on the closed loss, rates, and the field at rest.
pub(super) fn claims(found: &Found) -> Vec<Claim> {
    let gather = |part: usize, wrong: &dyn Fn(&Transient, usize) -> f64| {
        let mut numbers = Vec::new();
        for (_, _, side) in &found.kinds {
            let predicted = |t: usize| [side.closed[t][part], wrong(side, t)];
            numbers.extend((0..side.times.len()).map(|t| (side.runs[t][part], predicted(t))));
        }
        numbers
    };
    vec![
        told_apart(
            ID,
            "mean frequency of the field at every record: the short-range oscillation and its end",
            "the mean frequency of the first record throughout",
            &gather(0, &|side, _| side.closed[0][0]),
        )
        .only_as_stated(),
        told_apart(
            ID,
            "norm of the field at every record: it settles and is not damped to zero",
            "note 001 (147), decay by the second term alone",
            &gather(2, &|side, t| side.decayed[t]),
        )
        .only_as_stated(),
        told_apart(
            ID,
            "share of the power in the stable mode at every record",
            "the steady state, which has all of the power there",
            &gather(1, &|_, _| 1.0),
        )
        .only_as_stated(),
        of_departures(&found.departures),
        of_rest(&found.rest),
    ]
}

/// Rates in closed form, compared with those along the flow (L003.59).
fn of_departures(departures: &[Departure]) -> Claim {
    let list = |of: fn(&Departure) -> f64| departures.iter().map(of).collect::<Vec<f64>>();
    let measured = list(Departure::measured);
    Claim::exact(
        "L003.59/rates",
        "relaxation rates of the norm and of the slowest modes, closed and along the full flow from a small departure",
        &list(|d| d.rate),
        &measured,
        FOLLOWED,
    )
    .rejecting_exact("the decay of the second term alone", &list(|d| d.without_teacher), &measured)
}

/// The height of the trained field is the closed one (L003.13).
fn of_rest(Rest { k, height, heights, .. }: &Rest) -> Claim {
    let what = if *k == 0 { "height of the flat field" } else { "root mean square weight" };
    let statement = format!("SGD at rest in the stable mode k = {k}: {what}");
    let wrong = "note 003 (25), the norm without its root";
    told_apart("L003.13", statement, wrong, &[(*height, *heights)]).only_as_stated()
}

/// The flow's curves over its starts, and the fields at rest.
pub(super) fn arrays(found: &Found) -> Vec<Array> {
    let mut arrays = Vec::new();
    for (kind, ensemble, _) in &found.kinds {
        for (what, curve) in [
            ("times", &ensemble.times),
            ("frequency", &ensemble.frequency),
            ("share_above_90", &ensemble.led),
            ("share_led", &ensemble.leading),
            ("norm", &ensemble.norm),
        ] {
            arrays.push(Array::of_entries(format!("{what}_{}", kind.name), curve));
        }
    }
    arrays.push(Array::of_rows("rest", &found.rest.fields));
    arrays
}

/// The flow's numbers at the catalogue's times, the relaxation times and the height.
pub(super) fn tables(Found { kinds, departures, rest }: &Found) -> Vec<Table> {
    let mut rows = Vec::new();
    for (kind, ensemble, _) in kinds {
        let times = CATALOGUE_TIMES.into_iter().filter(|t| ensemble.times.contains(t));
        rows.extend(times.map(|t| (kind, ensemble, t)));
    }
    let flow = Table::of("flow", &rows)
        .words("start", |(kind, ..)| kind.label)
        .given("t", |(.., t)| *t)
        .real("mean_frequency", 2, |(_, flow, t)| flow.near(&flow.frequency, *t))
        .real("stable_mode_above_90", 1, |(_, flow, t)| 100.0 * flow.near(&flow.led, *t))
        .unit("% of starts")
        .real("stable_mode_leads", 1, |(_, flow, t)| 100.0 * flow.near(&flow.leading, *t))
        .unit("% of starts")
        .real("norm", 4, |(_, flow, t)| flow.near(&flow.norm, *t))
        .caption(
            "The closed flow at some times: means over the starts of the mean frequency |k| and of the norm, and how many of the \
             starts have more than 90 % of their power in the stable mode, or more there than in any other.",
        );
    let relaxation = Table::of("relaxation", departures)
        .words("departure", |departure| departure.label.replace('$', ""))
        .real("relaxation_time", 2, |departure| -1.0 / departure.rate)
        .caption("How long small departures from the stationary point last, in closed form: of the norm, and in the slowest modes.");
    let at_rest = Table::of("at_rest", std::slice::from_ref(rest))
        .whole("k", |rest| rest.k)
        .estimate("height", 5, |rest| rest.height)
        .real("closed", 5, |rest| rest.heights[0])
        .real("note_003_25", 5, |rest| rest.heights[1])
        .caption(
            "The root mean square weight of SGD at rest in the stable mode k, the closed form, and what note 003 (25) has instead.",
        );
    vec![flow, relaxation, at_rest]
}
