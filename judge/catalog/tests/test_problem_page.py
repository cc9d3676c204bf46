import json
import re

from django.test import Client

from judge.catalog.models import Problem
from judge.tests.pages import links, words


def test_shows_the_statement_with_its_sections_and_the_editor(client: Client, problem: Problem) -> None:
    response = client.get("/problems/halving/")

    page = response.content.decode()
    assert '<h2 id="care">Taking care</h2>' in page
    assert '<span id="unchanged">The input stays as it was.</span>' in page
    assert "#care" in links(response)
    assert "Ada Able et al." in words(response)
    assert 'method="post" action="/problems/halving/submissions/"' in page


def test_tells_the_islands_what_they_need(client: Client, problem: Problem) -> None:
    page = client.get("/problems/halving/").content.decode()

    found = re.search(r'<script id="problem-data" type="application/json">(.*?)</script>', page)
    assert found is not None
    data = json.loads(found[1])
    assert data["source"] == data["starter"] == problem.package.starter
    assert data["functions"] == ["halve"]
    assert data["latest"] is None
    assert data["signed_in"] is False
    assert data["urls"]["sign_in"] == "/accounts/sign-in/?next=%2Fproblems%2Fhalving%2F"


def test_an_unknown_problem_is_not_found(client: Client, problem: Problem) -> None:
    response = client.get("/problems/nothing/")

    assert response.status_code == 404
    assert "There is no such page" in words(response)
