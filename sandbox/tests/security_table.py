"""The table of attacks and layers in docs/security.md, from the hostile files.

`python -m sandbox.tests.security_table` prints it; with `--write` it goes into the document.

Each number in it is a claim of hostile files, which `test_layers` tries: that many attacks come to nothing where that
layer alone is in use.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sandbox.tests.corpus import ATTACKS, FAMILIES, HOLDERS

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "security.md"
START = "<!-- attacks and layers: written by python -m sandbox.tests.security_table --write -->"
END = "<!-- end of attacks and layers -->"


def table() -> str:
    """Markdown: a row for each family, a column for each layer."""
    heads = ["Family", "Attacks", *(holder[:1].upper() + holder[1:] for holder in HOLDERS)]
    rows = [heads, ["---"] + ["--:"] * (len(heads) - 1)]
    for family, title in FAMILIES.items():
        attacks = [attack for attack in ATTACKS if attack.family == family]
        stopped = [sum(holder in attack.holders for attack in attacks) for holder in HOLDERS]
        rows.append([title, str(len(attacks)), *(str(number or "") for number in stopped)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def written() -> str:
    """What docs/security.md has between the marks."""
    text = DOCUMENT.read_text(encoding="utf-8")
    return text.split(START)[1].split(END)[0].strip()


def main() -> None:
    if "--write" not in sys.argv:
        print(table())
        return
    text = DOCUMENT.read_text(encoding="utf-8")
    before, after = text.split(START)[0], text.split(END)[1]
    DOCUMENT.write_text(f"{before}{START}\n{table()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
