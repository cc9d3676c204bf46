"""The known mistakes of a package: what the block at the head of each file in `wrong/` says.

# /// mistake
# title = "Leaves the positive out of the denominator"
# says = "Your loss is the one without the positive in the denominator."
# fails = ["loss_hand_value", "loss_denominator"]
# hint = "The sum has K + 1 terms."
# ///
"""

import dataclasses
import re

from judge.catalog.table import Complaint, Table

_BLOCK = re.compile(r"# /// mistake *\n((?:#.*\n)*?)# /// *\n")


@dataclasses.dataclass(frozen=True)
class Mistake:
    """One mistake that learners make, and the checks that must notice it."""

    file: str
    title: str
    """What a submission does that makes it, from the verb on: "Leaves the positive out"."""
    fails: tuple[str, ...]
    """Ids of checks."""
    hint: str
    """Markdown."""
    says: str = ""
    """The same as Markdown to a learner who makes it, where the title does not say it well."""

    @property
    def sentence(self) -> str:
        """Markdown that tells a learner what their submission does."""
        return self.says or f"Your code {self.title[:1].lower()}{self.title[1:]}."


def read_mistake(file: str, text: str, complaints: list[Complaint]) -> Mistake:
    """What the block of `file` says; complaints are added where it says too little."""
    found = _BLOCK.match(text)
    if found is None:
        remedy = "begin with `# /// mistake`, then title, fails and hint as TOML in comments, then `# ///`"
        complaints.append(Complaint(file, "it does not say which mistake it shows", remedy, 1))
        return Mistake(file, "", (), "")
    lines = [line.removeprefix("#").removeprefix(" ") for line in found[1].splitlines()]
    table = Table.read(file, "\n".join(lines), complaints, before=1)
    mistake = Mistake(file, table.text("title"), table.texts("fails"), table.text("hint"), table.text("says", ""))
    table.refuse_the_rest()
    return mistake


def without_head(text: str) -> str:
    """The file as a learner would have written it: without the block that says which mistake it shows."""
    return _BLOCK.sub("", text, count=1)
