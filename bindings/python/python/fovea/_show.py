"""What there is, and what each takes."""

from __future__ import annotations

from html import escape

from . import _fovea
from ._catalogue import catalogue, documentation, unknown
from ._tables import html_table


class Listing(list[str]):
    """Names, displayed with a line on each."""

    def __init__(self, rows: list[tuple[str, str, str]]) -> None:
        super().__init__(name for _, name, _ in rows)
        self._rows = rows

    def __repr__(self) -> str:
        lines, last = [], ""
        for kind, name, summary in self._rows:
            if kind != last:
                lines.append(f"{kind}:")
                last = kind
            lines.append(f"  {name:<28} {summary}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return html_table(["kind", "name", "what it is"], self._rows)


class Shown(str):
    """A text, displayed as it is."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self)}</pre>"


def list_(kind: str | None = None) -> Listing:
    """What there is, all of it or of one kind: `fv.list("experiment")`."""
    kinds = catalogue()
    if kind is not None and kind not in kinds:
        singular = kind[:-1] if kind.endswith("s") else kind
        if singular not in kinds:
            raise unknown("kind", kind, list(kinds))
        kind = singular
    chosen = kinds if kind is None else {kind: kinds[kind]}
    return Listing([(word, name, row["summary"]) for word, rows in chosen.items() for name, row in rows.items()])


def show(name: str) -> Shown:
    """One item with every fact and every parameter: `fv.show("localize")`, `fv.show("nlgp.cov")`."""
    plain = name.replace("-", "_")
    found = [(kind, rows[plain]) for kind, rows in catalogue().items() if plain in rows]
    if not found:
        _fovea.moved(name)
        raise unknown("item", name, [known for rows in catalogue().values() for known in rows])
    return Shown("\n".join(f"{row['name']} ({kind})\n\n{documentation(row)}" for kind, row in found))
