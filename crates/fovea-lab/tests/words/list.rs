//! What the list finds and what it leaves alone.

use crate::plain::{Reader, phrases, rules};

/// How often a text is not plain, by the list of this program.
fn found(text: &str) -> usize {
    let mut reader = Reader::default();
    reader.read("here", text);
    reader.ended().map_or_else(|found| found.matches("\n    instead of ").count(), |()| 0)
}

#[test]
fn what_the_list_names_is_found() {
    for text in [
        "one a site",
        "the fields, one row a unit",
        "A LINE A GAIN",
        "(8192 samples a class)",
        "one\n  a site",
        "one an output",
        "a curve a seed, 2.5 words a lane",
        "simulation beside theory",
        "the right form in the place of the wrong one",
        "what came of it",
        "so many steps",
        "every claim put to the test",
        "nothing is run in earnest",
        "training left the finite numbers",
        "samples drawn from a Gaussian",
        "60 000 drawn networks",
        "the algebraic laws Kur(k)",
        "the law of the signs",
        "feeling the law",
        "Instructions of the kernels",
    ] {
        assert!(found(text) > 0, "{text}");
    }
    assert_eq!(found("one row a unit and one entry a site"), 2);
}

#[test]
fn what_is_plain_passes() {
    for text in [
        "one per site, a row per unit",
        "What there is in one. A site may be lit.",
        "a row of a table, a unit at rest",
        "networks a step further; where one a class is given",
        "one of a site's neighbours",
        "besides, the figure is drawn twice as wide",
        "the curves are drawn over one another",
        "a power law, power laws and the law of large numbers",
        "the registry's `beside` and `laws`",
        "# One row\nA unit fires.",
        "rows of one\n\nA unit fires.",
        "count  one\na  a site",
        "the kernel of a layer; tangent kernels",
        "how networks come to have features",
        "",
    ] {
        assert_eq!(found(text), 0, "{text}");
    }
}

#[test]
fn a_phrase_is_told_with_its_place_and_what_to_say() {
    let mut reader = Reader::default();
    reader.read("b", "first line\nthe weights, one a site.");
    reader.read("a", "one a site");
    let told = reader.ended().unwrap_err();
    let (first, second) = (told.find("\na: ").unwrap(), told.find("\nb:2: ").unwrap());
    assert!(first < second && told.contains("say \"per\", as in \"one per site\""), "{told}");
}

#[test]
fn a_list_that_cannot_be_read_is_refused() {
    assert!(rules("a phrase without an arrow").unwrap_err().contains("without an arrow"));
    assert!(rules("@none here -> there").unwrap_err().contains("@none"));
    assert!(rules("(a|b -> c").unwrap_err().contains("no end"));
    let own = rules("@x = one two\nunless not one by: @x (by|at) -> else").unwrap();
    let found = |text: &str| phrases(&own, text).len();
    assert_eq!(
        [found("one by"), found("Two at 3"), found("not one by"), found("one, by")],
        [1, 1, 0, 0]
    );
}
