"""A run of a learner as a new known mistake of a package: the text of a file in `wrong/`."""

import json
from collections.abc import Sequence

from judge.catalog.mistakes import without_head
from judge.catalog.models import Problem
from judge.classroom.clusters import Cluster


def wrong_file(problem: Problem, cluster: Cluster) -> tuple[str, str]:
    """Path and text: the example of the cluster below a head that names the checks which it fails.

    What the mistake is called and the hint are left to the author; until they are written, the editor complains.
    """
    assert problem.current is not None, f"{problem} is not published"
    known = {check["id"] for check in problem.current.planned}
    fails = [str(check["id"]) for check in cluster.checks if check["id"] in known]
    return f"wrong/alike_{cluster.pattern[:8]}.py", _head(fails) + without_head(cluster.example.source)


def _head(fails: Sequence[str]) -> str:
    lines = ["/// mistake", 'title = ""', f"fails = {json.dumps(fails)}", 'hint = ""', "///"]
    return "".join(f"# {line}\n" for line in lines)
