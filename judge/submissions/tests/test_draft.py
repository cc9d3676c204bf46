import json
import re

from django.test import Client

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.submissions.models import Draft

PLACE = "/problems/halving/draft/"


def save(client: Client, source: str) -> None:
    response = client.put(PLACE, json.dumps({"source": source}), content_type="application/json")
    assert response.status_code == 200
    assert response.json() == {"saved_at": Draft.objects.latest("saved_at").saved_at.isoformat()}


def test_the_editor_opens_with_what_was_saved(signed_in: Client, learner: User, problem: Problem) -> None:
    save(signed_in, "x = 1")
    save(signed_in, "\n<x> = '</script>'")

    page = signed_in.get("/problems/halving/").content.decode()
    assert "\n\n&lt;x&gt; = &#x27;&lt;/script&gt;&#x27;</textarea>" in page  # browsers drop the first line end
    embedded = re.search(r'<script id="problem-data" type="application/json">(.*?)</script>', page)
    assert embedded is not None
    assert json.loads(embedded[1])["source"] == "\n<x> = '</script>'"
    assert Draft.objects.get().user == learner


def test_resetting_gives_the_starter_back(signed_in: Client, problem: Problem) -> None:
    save(signed_in, "x = 1")

    response = signed_in.delete(PLACE)

    assert response.json() == {"source": problem.package.starter}
    assert not Draft.objects.exists()


def test_a_draft_is_ones_own(signed_in: Client, other: User, problem: Problem) -> None:
    Draft.keep(other, problem, "secret = 1")

    assert "secret" not in signed_in.get("/problems/halving/").content.decode()
    signed_in.delete(PLACE)
    assert Draft.objects.get().source == "secret = 1"


def test_who_is_not_signed_in_is_told_why(client: Client, problem: Problem) -> None:
    response = client.put(PLACE, json.dumps({"source": ""}), content_type="application/json")

    assert response.status_code == 401
    assert response.json() == {
        "error": {"code": "not_signed_in", "message": "Sign in to keep your code on the server."}
    }


def test_a_draft_that_is_too_large_keeps_the_old_one(signed_in: Client, problem: Problem) -> None:
    save(signed_in, "x = 1")

    response = signed_in.put(PLACE, json.dumps({"source": "#" * 70_000}), content_type="application/json")

    assert response.status_code == 413
    assert Draft.objects.get().source == "x = 1"
