"""A new stimulus in a copy of the project: one file and one word in the registry, and it is in Python.

    python tests/grow.py

builds the package from the copy, which takes some minutes, and looks at the stimulus from Python.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

STIMULUS = '''//! Squares of alternating sign.

use super::{Draw, Law, Moments, Stimulus};
use crate::batch::Element;
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::between;
use fovea_core::registry::resolve;
use fovea_core::streams::BlockRng;
use fovea_core::{Entry, Params, params};

params! {
    /// Squares of alternating sign, each sample the same.
    pub struct CheckerBoard {
        /// Number of entries.
        n: usize = 12, between(2.0, 100.0), "sites";
        /// Sites of a square.
        period: usize = 2, between(1.0, 50.0), "sites";
    }
}

impl Params for CheckerBoard {}

impl Draw for CheckerBoard {
    fn dim(&self) -> usize {
        self.n
    }
    fn law(&self) -> Law {
        Law { standardized: false, sign_symmetric: false, translation_invariant: false }
    }
    fn moments(&self) -> Result<Moments, String> {
        Err("nobody asked".to_owned())
    }
    fn draw<T: Element>(&self, _: &mut BlockRng, _: &mut Vec<[T; LANES]>, block: &mut [[T; BLOCK]]) {
        for (i, entry) in block.iter_mut().enumerate() {
            let sign = if (i / self.period) % 2 == 0 { 1.0 } else { -1.0 };
            *entry = [T::from_f64(sign); BLOCK];
        }
    }
}

/// The registry row.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "checker-board",
    summary: "squares of alternating sign",
    schema: <CheckerBoard as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<CheckerBoard>(values)?)),
};
'''

LOOK = """
import inspect, fovea as fv
assert "checker_board" in dir(fv.stimulus)
print(inspect.signature(fv.stimulus.checker_board))
print(fv.stimulus.checker_board.__doc__)
x = fv.stimulus.checker_board(n=6, period=3).sample(2)
assert x.tolist() == [[1, 1, 1, -1, -1, -1]] * 2
try:
    fv.stimulus.checker_board(perod=3)
except KeyError as error:
    assert "did you mean `period`?" in str(error)
fv.train({"pos": fv.stimulus.checker_board(n=6), "neg": fv.stimulus.gaussian(n=6, xi=1)}, steps=10)
"""


def main() -> None:
    """Copies, grows, builds and looks."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "fovea"
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
        for name in listed.stdout.split("\n"):
            if name and (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, copy / name)
        stimuli = copy / "crates/fovea-sim/src/stimulus"
        (stimuli / "checker_board.rs").write_text(STIMULUS)
        registry = (stimuli / "mod.rs").read_text()
        (stimuli / "mod.rs").write_text(registry.replace(" block_pulse,", " block_pulse, checker_board,", 1))
        target = os.environ.get("GROW_TARGET_DIR", str(Path(folder) / "target"))
        environment = {**os.environ, "CARGO_TARGET_DIR": target}
        wheels = Path(folder) / "wheels"
        build = [sys.executable, "-m", "maturin", "build", "--release", "-o", str(wheels)]
        subprocess.run(build, cwd=copy / "bindings/python", env=environment, check=True)
        site = Path(folder) / "site"
        install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(site)]
        subprocess.run([*install, *map(str, wheels.glob("*.whl"))], check=True)
        subprocess.run([sys.executable, "-c", LOOK], env={**os.environ, "PYTHONPATH": str(site)}, check=True)


if __name__ == "__main__":
    main()
