"""The items that `tests/grow/run` adds: one file of this folder each, its line, and who must see it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
# What a person writes beside a stimulus: a training file.
EXAMPLE = "examples/square-wave.toml"


@dataclass(frozen=True)
class Item:
    """A new item: its file, its line, and by which name the program knows it."""

    kind: str
    file: str
    registry: str
    line: str
    name: str
    # Commands of `fovea`, each with what its answer must hold.
    seen: tuple[tuple[str, str], ...]
    # The law that notices the item where this is exchanged for that; none for those that are not tested in their room.
    broken: tuple[str, str, str] | None = None

    def is_in(self, path: str, lines: list[str]) -> bool:
        """Whether a changed file, by its name or its new lines, is about this item."""
        if path == EXAMPLE:
            return self.kind == "stimulus"
        return any(self.name in text for text in [path, *lines])


SIM = "crates/fovea-sim/src"
TRAIN = f"train {HERE / 'example.toml'} --set steps=40 --out OUT"
NEW = [
    Item(
        "stimulus", f"{SIM}/stimulus/square_wave.rs", f"{SIM}/stimulus/mod.rs", "square_wave", "square-wave",
        (
            ("list stimulus", "square-wave"), ("show square-wave", "Length of a block, half a period"),
            ("run moments --quick --set stimulus=square-wave(n=12,length=3) --out OUT", "square-wave"), (TRAIN, "loss"),
        ),
        ("self.wave(phase) * self.wave(phase + apart)", "self.wave(phase) * self.wave(phase)",
         "stimulus::laws::sampled_moments_are_the_exact_ones"),
    ),
    Item(
        "form", "crates/fovea-theory/src/nlgp/bound.rs", "crates/fovea-theory/src/nlgp/mod.rs", "bound", "nlgp.bound",
        (("list form", "nlgp.bound"), ("show nlgp.bound", "taken for its standard deviation"), ("eval nlgp.bound --set gain=inf", "1")),
        ("1.0 / normalizer(a.gain)", "bound(a.gain)", "form::tests::every_control_differs_from_its_form"),
    ),
    Item(
        "check", "crates/fovea-checks/src/check/sample_spectrum.rs", "crates/fovea-checks/src/check/mod.rs", "sample_spectrum", "T23.1",
        (("show T23.1", "fovea verify T23.1 runs it"), ("verify T23.1 --quick --out OUT", "corrected   pass")),
    ),
    Item(
        "probe", f"{SIM}/probe/gini.rs", f"{SIM}/probe/mod.rs", "gini", "gini",
        (("list probe", "gini"), ("show gini", "a unit"), ("show training", "gini"), (TRAIN, "gini"), ("measure WEIGHTS gini", "gini")),
        ("w.abs() / largest", "w / largest", "what_is_said_to_leave_a_reading_alone_does_and_every_field_has_one"),
    ),
    Item(
        "experiment", "crates/fovea-fields/src/one_step.rs", "crates/fovea-fields/src/lib.rs", "one_step", "one-step",
        (
            ("list experiment", "one-step"), ("show one-step", "Seeds: independent minibatches"), ("run one-step --help", "--xi-pos"),
            ("run one-step --dry-run", "trainings"), ("run one-step --quick --out OUT", "pass L000.3"),
        ),
    ),
    Item(
        "loss", f"{SIM}/loss/huber.rs", f"{SIM}/loss/mod.rs", "huber::Huber", "huber",
        (("list loss", "huber"), ("show huber", "the Huber loss"), ("show training", "huber"), (TRAIN, "loss")),
        ("(y - t).clamp(-1.0, 1.0)", "(y - t).clamp(-2.0, 2.0)", "the_slope_is_the_derivative_of_the_value"),
    ),
]  # fmt: skip
